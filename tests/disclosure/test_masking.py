from __future__ import annotations

import dataclasses
import functools
import io
import itertools
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from shown import shows
from small_tables import agreeing, audit, differences, frame_of, published
from whole_report import whole_report

from fairaudit.disclosure.gate import exported, masked
from fairaudit.disclosure.ledger import Ledger, hidden_counts
from fairaudit.errors import DisclosureError, GroupError, InputError
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.present.errors import with_group
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json

MINIMUM = 4


def grid(**values) -> pd.DataFrame:
    return pd.DataFrame(list(itertools.product(*values.values())), columns=list(values), dtype=object)


RACE = CheckPlan(protected="race = 'a'", compare=(("race",),))
DESIGNS = {
    "groups": (grid(race=["a", "b", "c"], y=["good", "bad"]), (RACE,), ()),
    "groups of both kinds": (
        grid(race=["a", "b"], area=["u", "v"], y=["good", "bad"]),
        (CheckPlan(protected="race = 'a'", compare=(("race",), ("area",), ("race", "area"))),),
        (),
    ),
    "strata and a filter": (
        grid(race=["a", "b"], area=["u", "v"], y=["good", "bad"]),
        (
            CheckPlan(protected="race = 'a'", strata=("area",), compare=(("area",),)),
            CheckPlan(protected="race = 'a'", where="area = 'u'"),
        ),
        (),
    ),
    "missing groups and decisions": (
        grid(race=["a", "b", None], y=["good", "bad", None]).iloc[:8],
        (CheckPlan(protected="race = 'a'", compare=(("race",),)), CheckPlan(protected="race <> 'a'")),
        (),
    ),
    "errors": (
        grid(race=["a", "b"], y=["good", "bad"], h=["good", "bad"]),
        (RACE,),
        (ErrorsPlan(by=("race",)),),
    ),
}


@functools.cache
def drawn_audit(name: str, seed: int, total: int):
    """Return the audit of a random table, or None where it has an empty group or outcome."""
    atoms, checks, errors = DESIGNS[name]
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(total, rng.dirichlet(np.full(len(atoms), 0.8)))
    prediction = OutcomePlan(column="h", favorable=("good",)) if errors else None
    try:
        return audit(frame_of(atoms, counts), checks, errors=errors, prediction=prediction, minimum=MINIMUM)
    except (GroupError, InputError):
        return None


def random_audit(name: str, seed: int, *, total: int = 13):
    result = drawn_audit(name, seed, total)
    if result is None:
        pytest.skip("a group of this table, or an outcome, is empty")
    return result


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", DESIGNS)
def test_every_hidden_count_keeps_two_values_among_all_tables_that_agree(name, seed):
    atoms, _, _ = DESIGNS[name]
    result = random_audit(name, seed)
    shown = exported(result)
    tables, counts = agreeing(shown, atoms, result.data.n_rows)
    truth = published(result, atoms)
    for path, (value, inside) in counts.items():
        if value is None:
            possible = np.unique(tables[:, inside].sum(axis=1))
            assert len(possible) > 1, f"{name}, seed {seed}: {path} must be {possible}, is {truth[path][0]}"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", DESIGNS)
def test_no_small_count_is_shown(name, seed):
    atoms, _, _ = DESIGNS[name]
    result = random_audit(name, seed)
    whole = published(result, atoms)
    for path, (value, _) in published(exported(result), atoms).items():
        in_group = path[-1] in {"positives", "negatives"} and whole[*path[:-1], "n"][0] > 0
        assert value is None or value == 0 or value >= MINIMUM, path
        assert value != 0 or not in_group, path


@pytest.mark.thorough
@pytest.mark.parametrize("name", DESIGNS)
def test_figures_and_texts_say_no_more_than_the_shown_counts(name):
    """Two tables with the same shown counts have the same export, but for what is hidden."""
    atoms, checks, errors = DESIGNS[name]
    compared = 0
    for seed in range(3):
        try:
            result = random_audit(name, seed)
        except pytest.skip.Exception:
            continue
        tables, _ = agreeing(exported(result), atoms, result.data.n_rows)
        shown = json.loads(to_json(result))
        for counts in tables[:: max(1, len(tables) // 2)]:
            prediction = OutcomePlan(column="h", favorable=("good",)) if errors else None
            try:
                other = audit(frame_of(atoms, counts), checks, errors=errors, prediction=prediction, minimum=MINIMUM)
            except (GroupError, InputError):
                continue
            unmasked = dataclasses.replace(other, plan=other.plan.model_copy(update={"small_cells": SmallCellsPlan()}))
            found = json.loads(to_json(unmasked)) | {"plan": shown["plan"], "plan_digest": shown["plan_digest"]}
            found["counts_hidden_under"] = MINIMUM
            strata = [(one["strata"] or {}).get("strata") for one in shown["checks"]]
            if [len(s) if s else None for s in strata] != [
                len(one["strata"]["strata"]) if one["strata"] else None for one in found["checks"]
            ]:
                continue
            if any(
                len(a["rows"]) != len(b["rows"])
                for one, two in zip(shown["checks"], found["checks"], strict=True)
                for a, b in zip(one["groups"], two["groups"], strict=True)
            ):
                continue
            assert not list(differences(shown, found))
            compared += 1
    assert compared


def test_all_exports_are_made_from_the_masked_copy():
    result = random_audit("groups", 3)
    copy = masked(result, MINIMUM)
    assert to_json(copy) == to_json(result)
    assert to_csv_bundle(copy) == to_csv_bundle(result)
    assert _texts(whole_report(copy)) == _texts(whole_report(result))
    once = exported(copy)
    assert exported(once) is once


def test_a_hidden_comparison_says_not_shown_everywhere():
    frame = frame_of(DESIGNS["groups"][0], np.array([2, 30, 40, 50, 25, 60]))
    result = audit(frame, (RACE,))
    shown = json.loads(to_json(result))
    assert shown["checks"][0]["verdict"] is None
    assert shown["checks"][0]["result"]["difference"] is None
    assert shown["checks"][0]["result"]["protected"]["n"] == 32
    text = _texts(whole_report(result))
    assert f"Not shown. {say(Message('check-headline-not-shown'))}." in text
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        assert '"not shown"' in bundle.read("check_1_groups.csv").decode("utf-8-sig")


@pytest.mark.parametrize("undecided", [(3, 3), (0, 5), (5, 0)])
def test_few_rows_without_a_decision_hide_how_many_rows_there_are_and_not_the_answer(undecided):
    atoms = grid(race=["a", "b"], y=["good", "bad", None])
    frame = frame_of(atoms, np.array([500, 690, undecided[0], 900, 900, undecided[1]]))
    plain = audit(frame, (RACE,), minimum=10)
    result = exported(plain)
    shown = result.checks[0].result
    assert (shown.difference, shown.protected.n, shown.reference.n) == (plain.checks[0].result.difference, 1190, 1800)
    assert shown.undecided is None
    assert shown.n_population is None
    assert result.data.n_rows is None
    assert result.plan.data.n_rows is None
    assert [row.comparison.protected.n for row in result.checks[0].groups[0].rows] == [1190, 1800]
    assert str(len(frame)) not in to_json(plain)
    assert f"{len(frame):,}" not in _texts(whole_report(plain))


def test_few_rows_without_a_group_hide_how_many_rows_there_are_and_not_the_answer():
    atoms = grid(race=["a", "b", None], y=["good", "bad"])
    shown = exported(audit(frame_of(atoms, np.array([500, 690, 900, 900, 3, 2])), (RACE,), minimum=10)).checks[0].result
    assert shown.difference is not None
    assert (shown.unknown, shown.n_population) == (None, None)


def test_a_crossing_is_hidden_before_the_answer():
    atoms = grid(race=["a", "b"], area=["u", "v"], y=["good", "bad"])
    check = CheckPlan(protected="race = 'a'", compare=(("race",), ("race", "area")))
    frame = frame_of(atoms, np.array([300, 90, 3, 90, 500, 130, 690, 140]))
    shown = exported(audit(frame, (check,), minimum=10)).checks[0]
    assert shown.result.difference is not None
    assert [row.comparison.protected.positives for row in shown.groups[0].rows] == [303, 1190]
    assert shown.groups[1].rows[1].comparison.protected.positives is None


def test_that_nobody_left_by_another_question_has_the_good_outcome_cannot_be_worked_out():
    atoms = grid(sex=["F", "M"], area=["u", "w"], y=["good", "bad"])
    checks = (CheckPlan(protected="sex = 'F'"), CheckPlan(protected="sex = 'F'", where="area <> 'w'"))
    frame = frame_of(atoms, np.array([100, 110, 0, 30, 300, 200, 100, 100]))
    whole, part = (check.result.protected for check in exported(audit(frame, checks, minimum=10)).checks)
    assert (whole.n, whole.positives) == (240, 100)
    assert part.positives is None


def test_that_everybody_in_a_part_that_no_figure_names_has_the_good_outcome_cannot_be_worked_out():
    ledger = Ledger(np.array([100, 110, 0, 30]), 10, behind=np.array([210, 210, 30, 30]))
    good, part = (ledger.count(np.array(mask, dtype=bool), cost=1) for mask in ((1, 0, 1, 0), (1, 0, 0, 0)))
    ledger.count(np.ones(4, dtype=bool), cost=2)
    assert hidden_counts(ledger) & {good, part}


def test_few_people_in_two_hidden_strata_cannot_be_worked_out_together():
    atoms = grid(sex=["F", "M"], area=["u", "v", "w", "x"], y=["good", "bad"])
    frame = frame_of(atoms, np.array([60, 60, 40, 50, 1, 2, 2, 2, 90, 80, 70, 60, 50, 40, 30, 30]))
    [check] = exported(audit(frame, (CheckPlan(protected="sex = 'F'", strata=("area",)),), minimum=10)).checks
    women = [row.comparison.protected.n for row in check.strata.strata]
    assert check.result.protected.n == 217
    assert women.count(None) == 3


def test_fewer_people_than_the_minimum_are_not_shown_and_the_report_says_why():
    frame = pd.DataFrame({"sex": list("FM") * 4, "y": ["good", "bad", "bad", "good"] * 2})
    result = audit(frame, (CheckPlan(protected="sex = 'F'"),), minimum=10)
    assert exported(result).checks[0].result.protected.n is None
    text = _texts(whole_report(result))
    assert shows(text, "hidden-few", n=10)
    assert "too many questions" not in text


def test_a_result_without_small_counts_is_left_whole():
    frame = frame_of(DESIGNS["groups"][0], np.array([20, 30, 40, 50, 25, 60]))
    result = audit(frame, (RACE,))
    shown, whole = exported(result), result
    assert shown.checks == whole.checks


def test_where_no_stratum_holds_both_groups_the_answer_is_shown_without_strata():
    frame = pd.DataFrame({"sex": ["F"] * 20 + ["M"] * 20, "y": (["good"] * 8 + ["bad"] * 12) * 2})
    result = audit(frame, (CheckPlan(protected="sex = 'F'", strata=("sex",)),))
    [shown] = exported(result).checks
    assert (shown.result.difference, shown.strata.strata) == (0, ())
    assert whole_report(result).blocks
    assert json.loads(to_json(result))["checks"][0]["result"]["protected"]["n"] == 20


def test_a_check_that_allows_for_clusters_is_not_exported_with_hidden_counts():
    frame = pd.DataFrame({"sex": list("FM") * 60, "y": ["good", "bad", "bad"] * 40, "judge": list("abcdef") * 20})
    result = audit(frame, (CheckPlan(protected="sex = 'F'", cluster="judge"),))
    with pytest.raises(DisclosureError, match="judge") as raised:
        exported(result)
    assert "cluster" in raised.value.hint
    shown = exported(dataclasses.replace(result, plan=result.plan.model_copy(update={"small_cells": SmallCellsPlan()})))
    assert shown.checks[0].result.n_clusters == 6


def test_without_the_rule_nothing_is_masked():
    result = random_audit("groups", 3)
    plain = result.plan.model_copy(update={"small_cells": SmallCellsPlan()})
    shown = exported(dataclasses.replace(result, plan=plain))
    assert shown.people is None
    assert exported(shown) is shown
    assert (shown.checks, shown.errors, shown.data) == (result.checks, result.errors, result.data)


def _texts(document) -> str:
    parts = []
    for block in document.blocks:
        parts += [repr(getattr(block, f.name)) for f in dataclasses.fields(block) if f.name != "chart"]
    return "\n".join(parts)


def test_a_count_less_two_others_does_not_reveal_few_people():
    # Of those of one race five are left out where women and men are looked at: three women and two men.
    who = [("F", "a"), ("M", "a"), ("F", "a"), ("M", "a"), ("F", "a"), *[("F", "b")] * 15]
    who += [("F", "a"), ("M", "a"), ("F", "b"), ("M", "b")] * 80
    frame = pd.DataFrame(who, columns=["sex", "race"]).assign(id=range(len(who)))
    frame["y"], frame["h"] = (np.where(frame["id"] // step % 2, "good", "bad") for step in (4, 8))
    asked = (ErrorsPlan(by=("race",)), ErrorsPlan(by=("sex", "race"), where="id >= 20"))
    prediction = OutcomePlan(column="h", favorable=("good",))
    result = audit(frame, (CheckPlan(protected="race = 'a'"),), errors=asked, prediction=prediction, minimum=6)
    for found in (result, masked(result, 6)):
        n = [with_group(each.errors.metrics).set_index("group")["n"] for each in found.errors]
        assert ([n[0]["a"], n[1]["F, a"], n[1]["M, a"]] == [165, 80, 80]) == (found is result)


def _judged(**cells: tuple[int, int, int, int]) -> pd.DataFrame:
    """Return people of each race: rightly and wrongly predicted good, wrongly and rightly predicted bad."""
    kinds = (("good", "good"), ("bad", "good"), ("good", "bad"), ("bad", "bad"))
    rows = [
        (race, *kind) for race, counts in cells.items() for kind, n in zip(kinds, counts, strict=True) for _ in range(n)
    ]
    return pd.DataFrame(rows, columns=["race", "y", "h"])


def test_of_how_many_a_rate_is_a_share_costs_no_rate_of_a_check():
    frame = _judged(a=(50, 20, 3, 60), b=(80, 40, 30, 70), c=(60, 30, 20, 50), d=(90, 25, 35, 75))
    prediction = OutcomePlan(column="h", favorable=("good",))
    found = masked(audit(frame, (RACE,), errors=(ErrorsPlan(by=("race",)),), prediction=prediction), 4)
    [table] = found.checks[0].groups
    assert [row.comparison.protected.ratio is None for row in table.rows] == [False] * 4
    shown = found.errors[0].errors.counts.set_index("group").notna().all(axis=1)
    assert not shown["a"] and shown.any()


@pytest.mark.parametrize("few", [(4, 1), (0, 3)])
def test_few_people_in_two_of_four_hidden_groups_cannot_be_worked_out_together(few):
    # Both sexes of a race have nine people together, which is shown; two more groups have few, or nobody and few.
    people = np.array([42, 29, 23, 12, 4, 5, *few])
    ledger = Ledger(people, 6)
    cells = [ledger.count(row, cost=1, small=bool(row @ people < 6)) for row in np.eye(8, dtype=bool)]
    race = ledger.count(np.isin(np.arange(8), (4, 5)), cost=50)
    everybody = ledger.count(np.ones(8, dtype=bool), cost=100)
    ledger.tables = [{cell: cell for cell in cells}]
    hidden = hidden_counts(ledger)
    assert {*cells[4:]} <= hidden
    assert hidden & {*cells[:4], race, everybody}
