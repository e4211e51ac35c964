"""The score from which on a column of the table says something else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.data import Table
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.remedies.thresholds.deployed_threshold import ThresholdInUse, threshold_in_use

N = 400
RISK = np.arange(N) * 7 % 100


def table_of(**columns) -> Table:
    """Risks from 0 to 99, fraud that does not depend on them, and more columns."""
    fraud = np.where(np.arange(N) % 3 == 0, "Yes", "No")
    return Table.from_pandas(pd.DataFrame({"risk": RISK, "fraud": fraud, **columns}))


def plan_of(*, prediction: OutcomePlan | None = None, higher_is_favorable: bool = False) -> AuditPlan:
    """A plan that names the score."""
    return AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="fraud", favorable=("No",)),
        prediction=prediction,
        score=ScorePlan(column="risk", higher_is_favorable=higher_is_favorable),
    )


FLAGGED = np.where(RISK >= 55, "Y", "N")


def flagged_value(column: str, values: tuple) -> object:
    """Flags are columns with a name for it, and "Y", "high" and True."""
    return next(v for v in values if v in ("Y", "high", True)) if column in ("flagged", "band", "rare") else None


def found_in(table: Table, plan: AuditPlan) -> ThresholdInUse | None:
    """What is in use where such columns are flags."""
    return threshold_in_use(table, plan, flagged_value)


def test_a_flag_that_the_score_parts_exactly_is_found():
    assert found_in(table_of(flagged=FLAGGED), plan_of()) == ThresholdInUse("flagged", 55, "N", "Y")
    assert found_in(table_of(flagged=RISK >= 55), plan_of()) == ThresholdInUse("flagged", 55, False, True)


def test_a_column_that_is_no_flag_is_not_found():
    assert found_in(table_of(member=FLAGGED), plan_of()) is None


def test_the_reverse_of_what_the_score_says_is_not_found():
    better = plan_of(higher_is_favorable=True)
    assert found_in(table_of(flagged=FLAGGED), better) is None
    below = np.where(RISK < 55, "Y", "N")
    assert found_in(table_of(flagged=below), plan_of()) is None
    assert found_in(table_of(flagged=below), better) == ThresholdInUse("flagged", 55, "Y", "N")


@pytest.mark.parametrize(("scale", "score"), [(1.37, 75), (-1.37, -60), (0.0137, 0.75)])
def test_the_score_is_the_roundest_between_both_sides_and_not_that_of_one_person(scale, score):
    # The scores at the ends of both sides are 73.98 and 75.35, -60.28 and -58.91, 0.7398 and 0.7535.
    risk = RISK * scale
    flagged = np.where(RISK >= 55, "Y", "N") if scale > 0 else np.where(RISK <= 43, "Y", "N")
    found = found_in(table_of(flagged=flagged).to_pandas().assign(risk=risk).pipe(Table.from_pandas), plan_of())
    assert found.score == score
    assert ((risk >= found.score) == (flagged == "Y")).all()


def test_endless_scores_are_not_proposed():
    risk = np.where(RISK >= 55, np.inf, RISK)
    table = table_of(flagged=FLAGGED).to_pandas().assign(risk=risk).pipe(Table.from_pandas)
    assert found_in(table, plan_of()) is None


def test_one_row_on_the_other_side_is_enough_to_find_nothing():
    other = FLAGGED.copy()
    other[RISK == 99] = "N"
    assert found_in(table_of(flagged=other), plan_of()) is None


def test_rows_without_a_value_are_not_asked():
    flagged = pd.Series(FLAGGED, dtype=object).mask(np.arange(N) % 11 == 0)
    risk = pd.Series(RISK, dtype=float).mask(np.arange(N) % 13 == 0)
    table = table_of(flagged=flagged).to_pandas().assign(risk=risk)
    assert found_in(Table.from_pandas(table), plan_of()) == ThresholdInUse("flagged", 55, "N", "Y")


def test_the_prediction_that_the_plan_names_is_asked_alone_and_its_good_side_counts():
    table = table_of(flagged=FLAGGED, band=np.where(RISK >= 80, "high", "low"))
    assert found_in(table, plan_of()) is None, "two columns part at different scores"
    named = OutcomePlan(column="flagged", favorable=("N",))
    assert found_in(table, plan_of(prediction=named)) == ThresholdInUse("flagged", 55, "N", "Y")
    assert found_in(table, plan_of(prediction=named, higher_is_favorable=True)) is None
    turned = OutcomePlan(column="flagged", favorable=("Y",))
    assert found_in(table, plan_of(prediction=turned)) is None


def test_few_rows_on_one_side_and_the_decision_itself_say_nothing():
    assert found_in(table_of(rare=np.where(RISK >= 99, "Y", "N")), plan_of()) is None
    table = table_of().to_pandas().assign(fraud=np.where(RISK >= 50, "Yes", "No"))
    assert found_in(Table.from_pandas(table), plan_of()) is None


def test_of_a_prediction_that_is_a_condition_no_values_are_named():
    table = table_of(band=RISK // 10)
    named = OutcomePlan(column="band", favorable_when="band < 6")
    assert found_in(table, plan_of(prediction=named)) == ThresholdInUse("band", 60)
