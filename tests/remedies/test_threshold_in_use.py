"""The score from which on a column of the table says something else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.data import Table
from fairaudit.plan import AuditPlan, DataPlan, OutcomePlan, ScorePlan
from fairaudit.remedies.thresholds.in_use import ThresholdInUse, threshold_in_use

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


@pytest.mark.parametrize("higher_is_favorable", [True, False])
def test_a_column_of_two_values_that_the_score_parts_exactly_is_found(higher_is_favorable):
    plan = plan_of(higher_is_favorable=higher_is_favorable)
    assert threshold_in_use(table_of(flagged=FLAGGED), plan) == ThresholdInUse("flagged", 55)
    assert threshold_in_use(table_of(flagged=RISK >= 55), plan) == ThresholdInUse("flagged", 55)


def test_one_row_on_the_other_side_is_enough_to_find_nothing():
    other = FLAGGED.copy()
    other[RISK == 99] = "N"
    assert threshold_in_use(table_of(flagged=other), plan_of()) is None


def test_rows_without_a_value_are_not_asked():
    flagged = pd.Series(FLAGGED, dtype=object).mask(np.arange(N) % 11 == 0)
    risk = pd.Series(RISK, dtype=float).mask(np.arange(N) % 13 == 0)
    table = table_of(flagged=flagged).to_pandas().assign(risk=risk)
    assert threshold_in_use(Table.from_pandas(table), plan_of()) == ThresholdInUse("flagged", 55)


def test_the_prediction_that_the_plan_names_is_asked_alone_and_its_good_side_counts():
    table = table_of(flagged=FLAGGED, band=np.where(RISK >= 80, "high", "low"))
    assert threshold_in_use(table, plan_of()) is None, "two columns part at different scores"
    named = OutcomePlan(column="flagged", favorable=("N",))
    assert threshold_in_use(table, plan_of(prediction=named)) == ThresholdInUse("flagged", 55)
    assert threshold_in_use(table, plan_of(prediction=named, higher_is_favorable=True)) is None
    turned = OutcomePlan(column="flagged", favorable=("Y",))
    assert threshold_in_use(table, plan_of(prediction=turned)) is None


def test_few_rows_on_one_side_and_the_decision_itself_say_nothing():
    assert threshold_in_use(table_of(rare=np.where(RISK >= 99, "a", "b")), plan_of()) is None
    table = table_of().to_pandas().assign(fraud=np.where(RISK >= 50, "Yes", "No"))
    assert threshold_in_use(Table.from_pandas(table), plan_of()) is None
