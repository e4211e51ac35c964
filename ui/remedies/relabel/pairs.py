"""All pairs of the two models side by side."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import streamlit as st

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Table, pick
from fairaudit.remedies.relabel.details import pairs_tables
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.rows import Study
from ui.remedies.trying import start_fit, tick_report
from ui.result import show_table
from ui.state import AuditState
from ui.text import literal

PAIRS = tuple(itertools.product(("logistic_regression", "mlp"), repeat=2))
PAIR_COLUMNS = (
    "risk_model", "final_model", "auc", "accuracy", "protected_share", "reference_share", "gap", "gap_interval",
)  # fmt: skip
PAIRS_HELP = "One after another. None is in the report unless you tick it."


def start_pairs(state: AuditState, study: Study, plan: RelabelPlan) -> None:
    """Fit all pairs of the two models that the table compares, one after another; none is kept unless asked."""
    for pair in pair_plans(plan):
        if state.find_current(pair) is None:
            start_fit(state, study, pair, keep=False)


def pairs_missing(state: AuditState, plan: RelabelPlan) -> bool:
    """Whether a pair is still to be fitted with the present settings."""
    return any(state.find_current(pair) is None for pair in pair_plans(plan))


def pair_plans(plan: RelabelPlan) -> list[RelabelPlan]:
    """Return this remedy with each pair of models."""
    return [plan.model_copy(update={"risk_model": risk, "final_model": final}) for risk, final in PAIRS]


def show_pairs(state: AuditState, plan: RelabelPlan) -> None:
    """Draw the model pairs that are fitted as a table, the best ranking first, and what of them is kept."""
    found = [state.find_current(pair) for pair in pair_plans(plan)]
    current = [one.candidate.finding for one in found if one is not None]
    if not current:
        st.caption(literal(say(Message("retrain-pairs"))))
        return
    counts = {"n": Count(len(current)), "all": Count(len(PAIRS))}
    st.caption(literal(say(Message("retrain-pairs-tried", counts))))
    turned = any(one is not None and one.facts.names.of_unfavorable for one in found)
    show_table(replace(_pairs_table(current), is_turned=turned))
    if len(current) == 1:
        return
    st.markdown("**Put in the report**")
    for finding in current:
        plan = finding.plan
        tick_report(state, plan, _pair_words(plan), key=f"retrain_keep_{plan.risk_model}_{plan.final_model}")


def _pairs_table(findings: list[RemedyFinding]) -> Table:
    """Return one row a pair, the highest area under the ROC curve first, with the gap of its first model."""
    areas = {id(finding): finding.after.measure("auc").value for finding in findings}
    ranked = sorted(findings, key=lambda finding: -np.nan_to_num(areas[id(finding)], nan=-1.0))
    table = pick(*pairs_tables(ranked), PAIR_COLUMNS)
    gaps = tuple(finding.before.fairness.difference for finding in ranked)
    rows = tuple((*row, gap) for row, gap in zip(table.rows, gaps, strict=True))
    column = ColumnSpec(
        "gap_before", "gap of the first model, points", "points", "Before any decision is changed.", turns=True
    )
    return replace(table, columns=(*table.columns, column), rows=rows, note=say(Message("retrain-pairs-note")))


def _pair_words(plan: RelabelPlan) -> str:
    return f"{MODEL_WORDS[plan.risk_model]}, then {MODEL_WORDS[plan.final_model]}"
