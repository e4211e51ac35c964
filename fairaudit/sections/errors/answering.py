"""Answer a question of a plan about the errors of a prediction or score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairaudit.audit.result import ErrorsFinding
from fairaudit.data.given import as_table
from fairaudit.data.table import Table
from fairaudit.errors import InputError, require
from fairaudit.measure import average_error_cost, check_errors, check_scores
from fairaudit.measure.errors_by_group import positive_meaning
from fairaudit.measure.level_errors import check_level_errors
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import error_names
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.plan.roles import judged_outcome, prediction_of, uncounted


def run_errors(table: Table, plan: AuditPlan, errors: ErrorsPlan) -> ErrorsFinding:
    """Answer one question about the errors of the plan's prediction or score, by group."""
    table = as_table(table)
    if plan.prediction is None and plan.score is None:
        raise InputError(
            "The plan asks about errors, but names neither 'prediction' nor 'score'.",
            hint="Name the column that holds the prediction or the score.",
        )
    outcome = judged_outcome(table, plan)
    question: dict[str, Any] = {
        "outcome": outcome.column,
        "favorable": outcome.condition,
        "by": errors.by,
        "where": table.condition(errors.where),
        "positive": errors.positive,
        "confidence": errors.confidence,
    }
    prediction = prediction_of(table, plan)
    rates = scores = costs = levels = None
    with uncounted(plan):
        if prediction is not None:
            rates = check_errors(table, **question, prediction=prediction)
            costs = average_error_cost(rates.metrics, errors.cost_false_positive, errors.cost_false_negative)
        if plan.prediction is not None and plan.prediction.levels:
            levels = check_level_errors(
                table,
                decision=plan.decision.column,
                prediction=plan.prediction.column,
                by=errors.by,
                levels=plan.decision.levels,
                ordered=plan.decision.ordered,
                strata=errors.strata,
                where=question["where"],
                tolerance=errors.tolerance,
                confidence=errors.confidence,
            )
        if plan.score is not None:
            higher = plan.score.higher_is_favorable
            scores = check_scores(table, **question, score=plan.score.column, higher_is_favorable=higher)
    meaning = positive_meaning(outcome, errors.positive)
    groups = scores.groups if scores is not None else require(rates).groups
    return ErrorsFinding(
        plan=errors,
        errors=None if rates is None else replace(rates, positive_meaning=meaning),
        scores=None if scores is None else replace(scores, positive_meaning=meaning),
        costs=costs,
        levels=levels,
        names=error_names(
            plan,
            errors.by,
            groups,
            meanings=(outcome.meaning, outcome.other_meaning),
            prediction=prediction,
            strata=errors.strata,
        ),
        is_outcome=plan.decision_is_outcome,
    )
