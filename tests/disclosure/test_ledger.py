"""The ledger hides what small counts could be worked out from, and keeps what matters most."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from small_tables import audit, compositions

from fairaudit.audit.running import run
from fairaudit.disclosure import ledger as ledgers
from fairaudit.disclosure import null_space
from fairaudit.disclosure.counts import HiddenCounts
from fairaudit.disclosure.gate import exported
from fairaudit.disclosure.ledger import Ledger, hidden_counts
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.plain.plan import PlainPlan

MINIMUM = 4
CELLS = list(itertools.product(range(2), range(3)))


def ledger_of(people: np.ndarray) -> Ledger:
    """Return the ledger of a table with its margins; single cells cost less than margins, and all people most."""
    ledger = Ledger(people, MINIMUM)
    for cell in range(len(CELLS)):
        ledger.count(np.arange(len(CELLS)) == cell, cost=1)
    for axis, size in ((0, 2), (1, 3)):
        for value in range(size):
            ledger.count(np.array([cell[axis] == value for cell in CELLS]), cost=10)
    ledger.count(np.ones(len(CELLS), dtype=bool), cost=100)
    return ledger


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(12))
def test_all_tables_that_agree_leave_each_hidden_count_half_the_minimum(seed):
    people = np.random.default_rng(seed).multinomial(
        16, np.random.default_rng(seed + 50).dirichlet(np.ones(len(CELLS)))
    )
    ledger = ledger_of(people)
    hidden = hidden_counts(ledger)
    masks = np.array(ledger.masks)
    assert {n for n in ledger.small if n in ledger.cost} <= hidden
    tables = np.concatenate([compositions(total, len(CELLS)) for total in range(10, 23)])
    for number in set(ledger.cost) - hidden:
        tables = tables[tables[:, masks[number]].sum(axis=1) == ledger.value(number)]
    for number in hidden:
        values = tables[:, masks[number]].sum(axis=1)
        assert values.max() - values.min() >= ledger.spread, f"seed {seed}: {people}, count {number}"


def test_what_is_left_of_two_counts_is_protected_though_no_count_is_small():
    ledger = Ledger(np.array([46, 16, 1]), 10)
    whole, one, other = (ledger.count(np.array(mask, dtype=bool), cost=cost) for mask, cost in (
        ((1, 1, 1), 5), ((1, 0, 0), 3), ((0, 1, 0), 1)
    ))  # fmt: skip
    assert hidden_counts(ledger) == {other}
    assert {whole, one} <= set(ledger.cost)


@pytest.mark.parametrize(
    "masks", [((1, 1, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0)), ((1, 0, 1, 0), (0, 1, 0, 1), (1, 1, 0, 1))]
)
def test_what_three_counts_differ_by_is_looked_at(masks):
    rows = np.array(masks, dtype=float)
    people = np.array([40, 30, 3, 50])
    found = null_space.few_people(rows, people, 10).toarray()
    assert [0, 0, 1, 0] in found.tolist()
    assert len(found) == len({tuple(row) for row in found.tolist()})
    assert (found @ people).max() < 10


@pytest.mark.parametrize("seed", range(4))
def test_all_that_two_or_three_counts_differ_by_is_looked_at(seed):
    rng = np.random.default_rng(seed)
    rows = np.unique(rng.random((40, 7)) < rng.choice([0.15, 0.4], 40)[:, None], axis=0)
    rows, people, minimum = rows[rows.any(axis=1)], rng.integers(0, 9, 7), 5
    sets = [a & b for a, b in itertools.combinations(rows, 2)]
    sets += [a & ~b for a, b in itertools.permutations(rows, 2)]
    for a, b in itertools.combinations(rows, 2):
        if not (a & b).any():
            sets += [c & ~a & ~b for c in rows if (c | a | b == c).all() and people[a].any() and people[b].any()]
            sets += [(a | b) & ~c for c in rows if (a | b | c == a | b).all() and (a & c).any() and (b & c).any()]
    few = {tuple(map(float, row)) for row in sets if 0 < people[row].sum() < minimum}
    assert few
    assert set(map(tuple, null_space.few_people(rows.astype(float), people, minimum).toarray().tolist())) == few


def test_nothing_is_hidden_where_nothing_is_small():
    ledger = Ledger(np.array([46, 16, 20]), 10)
    for mask in np.eye(3, dtype=bool):
        ledger.count(mask, cost=1)
    assert hidden_counts(ledger) == set()


def test_a_count_that_others_made_needless_to_hide_is_shown_again():
    # Beside all people and the 3, one other part must be hidden, not both.
    ledger = Ledger(np.array([40, 30, 3]), 10)
    for mask, cost in ((1, 0, 0), 20), ((0, 1, 0), 1), ((0, 0, 1), 1), ((1, 1, 1), 50):
        ledger.count(np.array(mask, dtype=bool), cost=cost)
    search = ledgers._Search(ledger, ())
    hidden = search.hidden({0, 1})
    assert hidden == {0, 1, 2}
    assert ledgers._without_needless(ledger, hidden, [search]) == {1, 2}


def test_of_two_questions_that_differ_by_one_row_the_first_one_stays():
    frame = pd.DataFrame({"id": range(200), "sex": ["F", "M"] * 100, "y": (["good"] * 3 + ["bad"] * 2) * 40})
    checks = (CheckPlan(protected="sex = 'F'"), CheckPlan(protected="sex = 'F'", where="id <> 4"))
    first, second = exported(audit(frame, checks)).checks
    assert first.result.difference is not None
    assert None in (second.result.protected.positives, second.result.protected.n)


def test_strata_in_which_nobody_can_be_compared_are_hidden_without_a_crash():
    frame = pd.DataFrame({"sex": ["F"] * 20 + ["M"] * 20, "y": (["good"] * 8 + ["bad"] * 12) * 2})
    shown = exported(audit(frame, (CheckPlan(protected="sex = 'F'", strata=("sex",)),)))
    assert shown.checks[0].result.difference == 0


@pytest.fixture
def offices() -> pd.DataFrame:
    """Return two sexes, eight offices and two areas, all of them large."""
    rng = np.random.default_rng(3)
    columns = {"sex": ["F", "M"], "office": list("abcdefgh"), "area": ["u", "v"], "y": ["good", "bad"]}
    return pd.DataFrame({name: rng.choice(values, 800) for name, values in columns.items()})


@pytest.mark.parametrize(("module", "limit", "most"), [(ledgers, "MOST_PARTS", 20), (null_space, "MOST_SETS", 0)])
def test_where_all_is_too_much_to_prove_the_longest_column_is_hidden_and_named(
    offices, monkeypatch, module, limit, most
):
    # Five people are left of one office, and so few are in common with it and another group.
    offices = offices.drop(offices.index[offices["office"] == "h"][:-5])
    check = CheckPlan(protected="sex = 'F'", compare=(("office",), ("area",)))
    monkeypatch.setattr(module, limit, most)
    shown = exported(audit(offices, (check,)))
    [finding] = shown.checks
    by_office, by_area = finding.groups
    assert finding.result.difference is not None
    assert {row.comparison.protected.n for row in by_office.rows} == {None} and by_office.unknown is None
    assert all(row.comparison.protected.n for row in by_area.rows) and by_area.unknown == 0
    assert "'office'" in shown.data.notes[-1] and "'area'" not in shown.data.notes[-1]


def test_where_nothing_can_be_proved_nothing_is_shown(offices, monkeypatch):
    monkeypatch.setattr(ledgers, "MOST_PARTS", 1)
    shown = exported(audit(offices, (CheckPlan(protected="sex = 'F'", where="area = 'u'", strata=("office",)),)))
    result = shown.checks[0].result
    assert (shown.data.n_rows, result.n_population, result.protected.n, result.difference) == (None,) * 4
    assert shown.data.notes[-1] == say(Message("hidden-all"))


def test_what_held_out_rows_say_of_all_rows_is_known_to_the_reader(offices):
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=OutcomePlan(column="y", favorable=("good",)),
        checks=(CheckPlan(protected="sex = 'F'", compare=(("office",),)),),
        models=ModelsPlan(features=("area",), protected="sex = 'F'"),
        remedies=(PlainPlan(),),
        small_cells=SmallCellsPlan(mask=True, minimum=MINIMUM),
    )
    counts = HiddenCounts(run(plan, table=offices), MINIMUM)
    counted = {number for weights, _ in counts.ledger.facts for number, weight in weights.items() if weight < 0}
    cells = [counts.cells(("check", 0, side)) for side in ("protected", "reference")]
    assert counted == {number for cell in cells for number in (cell.good, cell.bad)}
    for weights, least in counts.ledger.facts:
        assert sum(weight * counts.ledger.value(number) for number, weight in weights.items()) >= least


def test_bands_that_differ_by_few_people_hide_each_other():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {"sex": rng.choice(["F", "M"], 400), "age": rng.integers(20, 60, 400), "y": rng.choice(["good", "bad"], 400)}
    )
    # Two women are 40, so what two cuts there leave between them would show what they got.
    frame = frame[(frame["age"] != 40) | ((frame["sex"] == "F") & (frame.groupby(["sex", "age"]).cumcount() < 2))]
    one, other = (CheckPlan(protected="sex = 'F'", strata=("age",), strata_cuts={"age": (cut,)}) for cut in (40, 41))
    alone = exported(audit(frame, (one,))).checks[0].strata
    assert None not in {row.comparison.protected.n for row in alone.strata}
    shown = [finding.strata for finding in exported(audit(frame, (one, other))).checks]
    first, second = ([row.comparison.protected.n for row in strata.strata] for strata in shown)
    assert None in (*first, *second)
    assert all(None in pair for pair in zip(first, second, strict=True))


def test_bands_are_left_out_as_a_column_is_where_all_is_too_much_to_prove(offices, monkeypatch):
    offices["age"] = np.arange(len(offices)) % 60
    cuts = {"age": tuple(range(5, 60, 5))}
    check = CheckPlan(protected="sex = 'F'", compare=(("area",),), strata=("age",), strata_cuts=cuts)
    offices = offices.drop(offices.index[offices["area"] == "v"][:-5])
    monkeypatch.setattr(ledgers, "MOST_PARTS", 20)
    shown = exported(audit(offices, (check,)))
    [finding] = shown.checks
    assert {row.comparison.protected.n for row in finding.strata.strata} == {None}
    assert finding.result.difference is not None and "'age cut at 5, 10, 15" in shown.data.notes[-1]
