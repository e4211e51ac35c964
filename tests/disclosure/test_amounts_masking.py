"""Small groups of amounts are hidden, with what would give them away."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from amounts_by_hand import CHECK, pay, plan
from whole_report import whole_report

from fairaudit import run
from fairaudit.disclosure import means
from fairaudit.disclosure.gate import exported
from fairaudit.disclosure.means import Amounts, Rests, shows_few_of_known
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import TableBlock
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.sections.check.chapter import compared_blocks

QUARTILES = ("quarter", "median", "three_quarters")
FIGURES = ("mean", "deviation", *QUARTILES)


def masked(data: pd.DataFrame, *checks: CheckPlan, minimum: int = 10):
    return exported(run(plan(*checks, minimum=minimum), table=data)).checks


def without_quartiles(comparison):
    sides = {
        name: replace(getattr(comparison, name), is_rounded=False, **dict.fromkeys(QUARTILES))
        for name in ("protected", "reference")
    }
    return replace(comparison, **sides)


def test_where_no_count_is_small_only_quartiles_lose_digits():
    check = CHECK.model_copy(update={"compare": (("sex",),)})
    [before], [after] = run(plan(check), table=pay()).checks, masked(pay(), check)
    assert after.result != before.result
    assert after.result.protected.is_rounded and not before.result.protected.is_rounded
    noted = say(Message("annex-median-rounded"))
    [shown_note, whole_note] = [
        next(block.note for block in compared_blocks(each, 1, level=2, noun="amount") if isinstance(block, TableBlock))
        for each in (after, before)
    ]
    assert (shown_note, whole_note) == (noted, None)
    assert without_quartiles(after.result) == without_quartiles(before.result)
    for shown, whole in zip(
        (*after.groups[0].rows, *after.strata.strata), (*before.groups[0].rows, *before.strata.strata), strict=True
    ):
        assert without_quartiles(shown.comparison) == without_quartiles(whole.comparison)
    assert after.strata.common_difference == before.strata.common_difference


@pytest.mark.parametrize("digits", [0, 2, 4])
def test_a_quartile_is_rounded_until_several_people_of_the_group_have_it(digits):
    random = np.random.default_rng(digits)
    data = pd.DataFrame({"sex": ["F"] * 180 + ["M"] * 220, "grade": 1, "area": "a"})
    data["pay"] = np.round(random.uniform(10, 99, 400), digits)
    [finding] = masked(data, CheckPlan(protected="sex = 'F'"))
    for sex, side in (("F", finding.result.protected), ("M", finding.result.reference)):
        there = data.loc[data["sex"] == sex, "pay"]
        for name in QUARTILES:
            figure = getattr(side, name)
            # Amounts from 10 to 99 are shown as they are or in steps of 1, 2, 5 and 10.
            alike = [
                (there == figure).sum(),
                *((np.round(there / step) * step == figure).sum() for step in (1, 2, 5, 10)),
            ]
            assert figure is not None and max(alike) >= 10, (sex, name, figure, alike)


def test_a_quartile_that_few_have_however_it_is_rounded_is_not_shown():
    # A tenth has each power of two, so no two of them round to the same figure.
    data = pd.DataFrame(
        {"sex": ["F", "M"] * 45, "grade": 1, "area": "a", "pay": [2.0 ** (i // 2 % 15) for i in range(90)]}
    )
    [finding] = masked(data, CheckPlan(protected="sex = 'F'"))
    side = finding.result.protected
    assert (side.n, side.quarter, side.median, side.three_quarters) == (45, None, None, None) and side.mean is not None


def test_a_small_group_is_hidden_together_with_another_that_would_give_it_away():
    [finding] = masked(pay())
    rows = {row.name: row.comparison for row in finding.groups[1].rows}
    assert rows["c"].protected.n is None
    hidden = {name for name, comparison in rows.items() if comparison.protected.n is None}
    assert len(hidden) >= 2, "the rows of one hidden group follow from the others and all"
    for name, c in rows.items():
        for side in (c.protected, c.reference):
            figures = [getattr(side, figure) for figure in FIGURES]
            assert all(f is None for f in figures) if side.n is None else all(f is not None for f in figures)
        if name in hidden:
            assert c.difference is None and c.p_value is None and None in c.difference_interval
    assert finding.groups[1].worst_pair is None
    assert finding.result.difference is not None, "the main answer stays"


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_the_sum_behind_the_mean_of_a_small_group_does_not_follow_from_what_is_shown(seed):
    random = np.random.default_rng(seed)
    n, areas = 160, list("abcde")
    data = pd.DataFrame(
        {
            "sex": random.choice(["F", "M"], n, p=[0.4, 0.6]),
            "grade": random.integers(1, 3, n),
            "area": random.choice(areas, n, p=[0.5, 0.36, 0.06, 0.04, 0.04]),
            "pay": random.normal(100, 20, n),
        }
    )
    [finding] = masked(data)
    assert finding.result.difference is not None
    # What is known of the sums of the areas: that of all, of each area that is shown, and of each rest that is.
    known = [np.ones(len(areas))]
    small = []
    for row in finding.groups[1].rows:
        only = np.array([area == row.name for area in areas], dtype=float)
        known += [only] if row.comparison.protected.n is not None else []
        known += [1 - only] if row.comparison.reference.n is not None else []
        small += [only] if (data["area"] == row.name).sum() < 10 else []
    assert small
    rank = np.linalg.matrix_rank(known)
    assert all(np.linalg.matrix_rank([*known, only]) > rank for only in small)


def test_everything_is_hidden_where_the_protected_group_is_small():
    [finding] = masked(pay(), CheckPlan(protected="area = 'c'", strata=("grade",), similar_by=("grade",)))
    result = finding.result
    assert result.difference is None and result.protected.mean is None and result.didi is None
    assert finding.strata.common_difference is None and finding.strata.reversal is None
    assert finding.similar.dtdi is None and finding.similar.n_rows is None


def test_what_similar_people_get_is_hidden_as_it_can_be_what_one_person_has():
    random = np.random.default_rng(0)
    n = {("F", "a"): 1, ("F", "b"): 50, ("M", "a"): 60, ("M", "c"): 50}
    data = pd.DataFrame([who for who, many in n.items() for _ in range(many)], columns=["sex", "area"])
    data["pay"] = random.normal(3_000, 400, len(data)).round(2)
    check = CheckPlan(protected="sex = 'F'", strata=("area",), similar_by=("area",))
    [finding] = run(plan(check), table=data).checks
    [stratum] = finding.strata.strata
    # The mean of the men of her area, and how far women are from the men who are similar to them.
    [hers] = data.loc[(data["sex"] == "F") & (data["area"] == "a"), "pay"]
    assert stratum.comparison.reference.mean + finding.similar.difference == pytest.approx(hers)
    [shown] = masked(data, check)
    assert shown.strata.strata[0].comparison.reference.mean == stratum.comparison.reference.mean
    similar = shown.similar
    assert similar.columns == ("area",) and similar.n_alone == (None, None)
    assert (similar.difference, similar.average, similar.dtdi, similar.n_usable) == (None,) * 4


def test_a_group_that_all_get_the_same_is_hidden_as_its_mean_reveals_each():
    data = pay()
    data.loc[data["area"] == "a", "pay"] = 4_321
    [finding] = masked(data)
    rows = {row.name: row.comparison.protected for row in finding.groups[1].rows}
    assert [getattr(rows["a"], figure) for figure in FIGURES] == [None] * len(FIGURES)


@pytest.mark.parametrize(
    "few",
    [[4_321] * 30, [1_000] * 11 + [90_000], [1_000] * 26 + [2_000] * 4],
    ids=["all have one amount", "one has most", "few have one of two"],
)
def test_two_means_do_not_reveal_by_subtraction_what_few_people_have(few):
    random = np.random.default_rng(3)
    n = {("F", "a"): 200, ("F", "w"): len(few), ("M", "a"): 200, ("M", "w"): 60}
    data = pd.DataFrame([who for who, many in n.items() for _ in range(many)], columns=["sex", "area"])
    data["pay"] = random.normal(3_000, 400, len(data)).round()
    data.loc[(data["sex"] == "F") & (data["area"] == "w"), "pay"] = few
    women = CheckPlan(protected="sex = 'F'")
    asked = women, women.model_copy(update={"where": "area <> 'w'"})
    first, second = masked(data, *asked)
    assert first.result.protected.mean is not None and second.result.protected.mean is None
    data.loc[data["area"] == "w", "pay"] = random.normal(3_000, 400, len(few) + 60).round()
    assert None not in [each.result.difference for each in masked(data, *asked)]


def test_the_rest_of_a_table_does_not_reveal_what_one_person_has():
    # Of 12 people in two areas, one hidden as it is small and the other beside it, one has nearly all.
    random = np.random.default_rng(4)
    n = {"a": 80, "b": 90, "c": 5, "d": 10}
    data = pd.DataFrame({"area": [area for area, many in n.items() for _ in range(many)], "grade": 1})
    data["sex"] = ["F", "M"] * (len(data) // 2) + ["F"] * (len(data) % 2)
    data["pay"] = random.normal(3_000, 400, len(data)).round()
    data.loc[data.index[-1], "pay"] = 150_000
    [finding] = masked(data, CheckPlan(protected="sex = 'F'", compare=(("area",),)))
    shown = {row.name for row in finding.groups[0].rows if row.comparison.protected.mean is not None}
    everyone = finding.result.protected.mean is not None and finding.result.reference.mean is not None
    assert everyone and not {"a", "b"} <= shown


@pytest.mark.parametrize("last", [40, 3_000])
def test_what_is_left_of_a_group_less_two_others_is_looked_at(last):
    # Parts 0 and 1 are groups, and all three together.
    inside = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 1]], dtype=bool)
    pay, part = np.arange(3_000.0, 3_060.0), np.repeat([0, 1, 2], 20)
    pay[part == 2] = np.where(np.arange(20), pay[part == 2], last) if last > 100 else last
    found = [rest.tolist() for rest in Rests(inside, Amounts(pay, np.ones(60, dtype=int)), part, 10).revealing()]
    assert found == ([[False, False, True]] if last == 40 else [])


@pytest.mark.parametrize(("tables", "n"), [([], 0), ([[0, 1]], 1)])
def test_what_is_left_of_the_groups_of_a_table_less_another_group_is_looked_at(tables, n):
    inside = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]], dtype=bool)
    pay, part = np.arange(3_000.0, 3_060.0), np.repeat([0, 1, 2], 20)
    pay[part == 2] = 40
    found = Rests(inside, Amounts(pay, np.ones(60, dtype=int)), part, 10, tables).revealing()
    assert {tuple(rest.tolist()) for rest in found} == ({(False, False, True)} if n else set())


@pytest.mark.parametrize("richest", [3_100, 60_000])
def test_what_is_left_of_one_table_less_what_is_left_of_another_is_looked_at(richest):
    # All, some of them, and three rows of a table, the first of which holds some of these.
    inside = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]], dtype=bool)
    pay, part = np.arange(3_000.0, 3_100.0), np.repeat(range(5), 20)
    pay[59] = richest
    rests = Rests(inside, Amounts(pay, np.ones(100, dtype=int)), part, 10, [[2, 3, 4]])
    found = {tuple(rest.tolist()) for rest in rests.revealing()}
    assert ((False, False, True, False, False) in found) == (richest == 60_000)


def test_a_proposed_tolerance_has_one_digit_that_counts_hidden_or_not():
    check = CHECK.model_copy(update={"amount_tolerance": None})
    [before], [after] = run(plan(check), table=pay()).checks, masked(pay(), check)
    assert after.result.tolerance == before.result.tolerance == float(f"{before.result.tolerance:.1g}")
    tolerances = {row.comparison.tolerance for table in after.groups for row in table.rows}
    assert tolerances == {after.result.tolerance}


def test_hidden_figures_reach_no_export():
    result = run(plan(minimum=10), table=pay())
    hidden = result.checks[0].groups[1].rows[2].comparison.protected
    assert hidden.name == "c"
    values = json.loads(to_json(result))["amounts"][0]["groups"][1]["rows"][2]["comparison"]["protected"]
    assert values["n"] is None and values["mean"] is None
    for place in (to_json(result), to_csv_bundle(result).decode("utf-8", errors="replace"), str(whole_report(result))):
        assert repr(hidden.mean) not in place and repr(hidden.deviation) not in place


@pytest.mark.parametrize(("ones", "hidden"), [(1, True), (4, True), (49, True), (20, False)])
def test_a_mean_of_two_values_is_hidden_where_few_have_one_of_them(ones, hidden):
    frame = pd.DataFrame({"sex": ["F"] * 50 + ["M"] * 60, "fined": [1] * ones + [0] * (50 - ones) + [0, 1] * 30})
    asked = AuditPlan(
        data=DataPlan(source="fines.csv"),
        decision=OutcomePlan(column="fined", amount=True),
        checks=(CheckPlan(protected="sex = 'F'"),),
        small_cells=SmallCellsPlan(mask=True, minimum=5),
    )
    [found] = exported(run(asked, table=frame)).checks
    assert (found.result.protected.mean is None) == hidden


def test_means_of_many_groups_of_one_column_stay():
    random = np.random.default_rng(7)
    data = pd.DataFrame({"sex": ["F", "M"] * 750, "area": np.repeat([f"area {i}" for i in range(60)], 25)})
    data["pay"] = random.normal(3_000, 300, len(data)).round()
    shown = exported(run(plan(CheckPlan(protected="sex = 'F'", compare=(("area",),)), minimum=5), table=data))
    [areas] = shown.checks[0].groups
    assert not shown.data.notes and all(row.comparison.protected.mean for row in areas.rows)


def test_where_means_are_too_many_for_their_differences_the_longest_column_is_hidden_and_named(monkeypatch):
    random = np.random.default_rng(7)
    columns = {"sex": ["F", "M"], "grade": [1, 2], "office": list("abcdefgh")}
    data = pd.DataFrame({name: random.choice(values, 1_600) for name, values in columns.items()})
    data["pay"] = random.normal(3_000, 400, len(data)).round()
    check = CheckPlan(protected="sex = 'F'", compare=(("grade",), ("office",)))
    assert not exported(run(plan(check, minimum=10), table=data)).data.notes
    monkeypatch.setattr(means, "MOST_GROUPS", 10)
    shown = exported(run(plan(check, minimum=10), table=data))
    by_grade, by_office = shown.checks[0].groups
    assert {row.comparison.protected.mean for row in by_office.rows} == {None}
    assert all(row.comparison.protected.mean for row in by_grade.rows)
    assert "'office'" in shown.data.notes[-1] and "'grade'" not in shown.data.notes[-1]


TARIFF = (1_000, 1_500, 3_000, 4_230, 7_070)
MONTHLY = AuditPlan(
    data=DataPlan(source="pay.csv"),
    decision=OutcomePlan(column="pay", amount=True),
    checks=(CheckPlan(protected="sex = 'F'"),),
    small_cells=SmallCellsPlan(mask=True, minimum=10),
)


def on_tariff(women: tuple[int, ...], men: tuple[int, ...], values: tuple[float, ...] = TARIFF) -> pd.DataFrame:
    """Return so many women and men with each amount."""
    sexes = (("F", women), ("M", men))
    rows = [(sex, value) for sex, many in sexes for value, n in zip(values, many, strict=False) for _ in range(n)]
    return pd.DataFrame(rows, columns=["sex", "pay"])


@pytest.mark.parametrize(
    ("women", "hidden"),
    [
        ((150, 49, 1), True),
        ((150, 49, 20), False),
        ((150, 49, 20, 3), True),
        ((150, 49, 20, 30, 2), True),
        ((60, 50, 40, 30, 20), False),
    ],
)
def test_means_do_not_show_how_few_have_one_of_up_to_five_known_amounts(women, hidden):
    [found] = exported(run(MONTHLY, table=on_tariff(women, (80, 70, 60, 50, 40)))).checks
    assert (found.result.protected.mean is None) == hidden
    assert (found.result.protected.deviation is None) == hidden


def test_a_mean_stays_where_many_numbers_of_people_fit_it():
    # Two with 1, three with 2, three with 3 fewer, and so on: steps of one fit in many ways.
    steps = (1, 2, 3, 4, 5)
    [found] = exported(run(MONTHLY, table=on_tariff((90, 80, 90, 80, 9), (80, 70, 60, 50, 40), steps))).checks
    assert found.result.protected.mean is not None


@pytest.mark.parametrize("values", [TARIFF[:4], (1, 2, 3, 4), (1, 2, 3, 4, 5), (0, 0.5, 2.25, 3, 9.5)])
def test_few_of_known_amounts_are_seen_where_enumeration_finds_them(values):
    # All numbers of people with the same number, sum, sum of squares and quartiles, one by one.
    rng, least, spread, seen = np.random.default_rng(1), 4, 2, set()
    every = np.stack(np.meshgrid(*(np.arange(13),) * len(values)), axis=-1).reshape(-1, len(values))
    powers = np.array([np.ones(len(values)), values, np.square(values)]).T
    for _ in range(40):
        people = rng.integers(1, 10, len(values))
        alike = every[np.abs(every @ powers - people @ powers).max(axis=1) < 1e-6]
        ranges = np.ptp(np.vstack([alike, people]), axis=0)[people < least]
        found = shows_few_of_known(tuple(map(float, values)), tuple(people.tolist()), least)
        assert found or not (ranges < spread).any(), (values, people)
        seen.add(found)
    assert True in seen


def test_remedies_show_nothing_of_an_amount_that_is_one_of_a_few_known_ones():
    rng = np.random.default_rng(4)
    data = on_tariff((150, 149, 60), (180, 170, 60)).assign(area=lambda each: rng.choice(["a", "b"], len(each)))
    parts = {"models": ModelsPlan(features=("area",), protected="sex = 'F'"), "remedies": (PlainPlan(model="median"),)}
    shown = exported(run(MONTHLY.model_copy(update=parts), table=data)).amount_remedies
    [remedy] = shown.remedies
    assert (remedy.before.mae, remedy.after.r2, remedy.changes) == (None, None, ())
    assert shown.facts.decisions.protected.mean is None
