"""The gap that a remedy leaves inside strata: counted by hand on held-out rows, whatever the fit was."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from amounts_by_hand import pay
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit import AuditPlan, run
from fairaudit.audit.trying import iter_remedies, iter_remedy, within_strata
from fairaudit.disclosure.gate import exported
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.findings import plan_key
from fairaudit.study.fitting import Candidate
from fairaudit.study.rows import Study

LOANS = biased_loans()


def plan_with(*checks: CheckPlan, remedies=()) -> AuditPlan:
    return loans_plan().model_copy(update={"checks": checks, "remedies": remedies})


def study_of(*checks: CheckPlan, frame: pd.DataFrame = LOANS) -> Study:
    return Study.of(as_loans(frame), plan_with(*checks))


def by_strata(study, values, strata: pd.Series) -> tuple[float, list[tuple[str, int, int, float]]]:
    """Return the mean gap over strata with Mantel and Haenszel's weights, and each, from the definition."""
    held = study.split.held_out
    frame = pd.DataFrame(
        {"value": values, "sex": study.protected[held], "in": study.population[held], "at": strata.to_numpy()[held]}
    )
    rows, top, bottom = [], 0.0, 0.0
    for name, part in frame[frame["in"]].groupby("at"):
        own, rest = part.loc[part["sex"], "value"], part.loc[~part["sex"], "value"]
        if len(own) and len(rest):
            weight = len(own) * len(rest) / len(part)
            top, bottom = top + weight * (own.mean() - rest.mean()), bottom + weight
            rows.append((str(name), len(own), len(rest), own.mean() - rest.mean()))
    return top / bottom, rows


ASKED = CheckPlan(protected="sex = 'woman'", strata=("area",))


def test_gaps_inside_strata_are_those_of_held_out_rows_without_and_with_a_remedy():
    study = study_of(ASKED)
    random = np.random.default_rng(1)
    before, after = random.integers(0, 2, (2, len(study.split.held_out)))
    found = within_strata(study, Candidate(None, None, after, None, before=before))
    decided = LOANS[LOANS["granted"].notna()].reset_index(drop=True)
    expected = {
        name: by_strata(study, values, decided["area"])
        for name, values in (("decisions", study.y[study.split.held_out]), ("before", before), ("after", after))
    }
    for name, (mean, rows) in expected.items():
        assert getattr(found, name) == pytest.approx(mean)
        low, high = getattr(found, f"{name}_interval")
        assert low < mean < high
        assert found.strata[name].tolist() == pytest.approx([row[-1] for row in rows])
    assert found.strata[["stratum", "n_protected", "n_rest"]].to_records(index=False).tolist() == [
        row[:3] for row in expected["after"][1]
    ]
    assert (found.columns, found.cut, found.tolerance) == (("area",), (), study.models.tolerance)
    # The plan has a score, so the decision is what truly happened: the change is that from the model without it.
    assert study.facts.decision_is_outcome and found.change == pytest.approx(found.after - found.before)
    low, high = found.change_interval
    assert low < found.change < high


@pytest.mark.parametrize("answer", [0, 1])
def test_a_model_with_one_answer_for_all_leaves_no_gap(answer):
    study = study_of(ASKED)
    said = np.full(len(study.split.held_out), answer)
    found = within_strata(study, Candidate(None, None, said, None, before=said))
    assert (found.before, found.after, found.change) == (0.0, 0.0, 0.0) and found.decisions < 0
    assert len(found.strata) == 3


def test_the_change_is_from_the_decisions_where_no_prediction_is_held_against_them():
    study = Study.of(as_loans(LOANS), plan_with(ASKED).model_copy(update={"score": None}))
    said = np.random.default_rng(2).integers(0, 2, (2, len(study.split.held_out)))
    found = within_strata(study, Candidate(None, None, said[1], None, before=said[0]))
    assert not study.facts.decision_is_outcome and found.change == pytest.approx(found.after - found.decisions)
    same = study.y[study.split.held_out]
    still = within_strata(study, Candidate(None, None, same, None, before=said[0]))
    assert (still.change, *still.change_interval) == (0.0, 0.0, 0.0)


def test_bands_are_strata_too_and_columns_may_be_called_as_ours():
    frame = LOANS.rename(columns={"weight": "value"})
    plan = loans_plan(features=tuple("value" if c == "weight" else c for c in loans_plan().models.features))
    cuts = (float(frame["value"].median()),)
    check = CheckPlan(protected="sex = 'woman'", strata=("value",), strata_cuts={"value": cuts})
    study = Study.of(as_loans(frame), plan.model_copy(update={"checks": (check,)}))
    held = study.split.held_out
    found = within_strata(study, Candidate(None, None, study.y[held], None, before=study.y[held]))
    decided = frame[frame["granted"].notna()].reset_index(drop=True)
    mean, rows = by_strata(study, study.y[held], (decided["value"] >= cuts[0]).map({False: "under", True: "over"}))
    assert found.after == found.decisions == pytest.approx(mean)
    assert sorted(found.strata["after"]) == pytest.approx(sorted(row[-1] for row in rows))
    assert found.cut == ("value",)


@pytest.mark.parametrize(
    "checks",
    [
        (),
        (CheckPlan(protected="sex = 'woman'"),),
        (CheckPlan(protected="sex = 'man'", strata=("area",)),),
        (CheckPlan(protected="sex = 'woman'", where="weight > 20", strata=("area",)),),
        (CheckPlan(protected="sex = 'woman'", strata=("gone",)),),
        (CheckPlan(protected="sex = 'woman'", strata=("granted",)),),
        (CheckPlan(protected="race = 'B'", strata=("area",)),),
    ],
)
def test_without_a_question_about_the_same_groups_nothing_is_compared_inside_strata(checks):
    study = study_of(*checks)
    said = study.y[study.split.held_out]
    assert study.inside is None
    assert within_strata(study, Candidate(None, None, said, None, before=said)) is None


def test_the_first_question_with_strata_about_the_same_groups_counts_however_it_is_written():
    other = CheckPlan(protected="sex='woman'", strata=("area",))
    assert tuple(study_of(CheckPlan(protected="sex = 'woman'"), other, ASKED).inside.columns) == ("area",)


def test_more_strata_than_can_be_compared_take_no_remedy_away():
    frame = pd.concat([LOANS] * 5, ignore_index=True).assign(number=range(5 * len(LOANS)))
    study = study_of(CheckPlan(protected="sex = 'woman'", strata=("number",)), frame=frame)
    said = study.y[study.split.held_out]
    assert len(said) > 1_000
    assert within_strata(study, Candidate(None, None, said, None, before=said)) is None


def test_what_was_fitted_before_strata_were_chosen_says_what_it_does_inside_them():
    remedy = ThresholdsPlan()
    fitted = drained(iter_remedy(study_of(), remedy))
    assert fitted.finding.within is None
    table, plain = as_loans(LOANS), PlainPlan(model="logistic_regression")
    plan = plan_with(ASKED, remedies=(plain, remedy))
    known = {plan_key(remedy): fitted}
    again, anew = (drained(iter_remedies(table, plan, known=given)) for given in (known, None))
    assert [found.within is None for found in anew.remedies] == [True, False]
    (one, other) = (found.remedies[1].within for found in (again, anew))
    assert (one.after, one.before, one.decisions) == (other.after, other.before, other.decisions)
    pd.testing.assert_frame_equal(one.strata, other.strata)


def test_differences_of_amounts_are_compared_inside_strata():
    data = pay()
    plan = AuditPlan(
        data=DataPlan(source="pay.csv"),
        decision=OutcomePlan(column="pay", amount=True, meaning="monthly pay"),
        checks=(CheckPlan(protected="sex = 'F'", strata=("area",)),),
        models=ModelsPlan(features=("grade", "area"), protected="sex = 'F'"),
    )
    study = AmountStudy.of(data, plan)
    held = study.split.held_out
    after = np.arange(len(held), dtype=float)
    found = within_strata(study, Candidate(None, None, after, None, before=study.y[held]))
    known = data[data["pay"].notna()].reset_index(drop=True)
    assert found.after == pytest.approx(by_strata(study, after, known["area"])[0])
    assert found.before == found.decisions == pytest.approx(by_strata(study, study.y[held], known["area"])[0])
    assert found.tolerance == study.judge.tolerance


def test_where_small_counts_are_hidden_only_the_columns_leave():
    plan = plan_with(ASKED, remedies=(ThresholdsPlan(),))
    result = run(plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True)}), table=as_loans(LOANS))
    [whole] = result.remedies.remedies
    assert len(whole.within.strata)
    [left] = exported(result).remedies.remedies
    assert left.within.columns == ("area",)
    assert not len(left.within.strata)
    assert (left.within.after, left.within.before, left.within.decisions, left.within.tolerance) == (None,) * 4
