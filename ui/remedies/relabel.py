"""Retraining: how past decisions are changed, which two models learn, and whose decisions were changed."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from fairaudit.disclosure.fields import Field
from fairaudit.errors import expect
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.present.blocks import TableBlock, pick
from fairaudit.remedies.relabel.charts import MOST_POINTS, flipped_points_alt, flipped_points_chart
from fairaudit.remedies.relabel.details import pairs_tables
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.divided import DividedRows
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.rows import Study
from ui.remedies import drafts
from ui.remedies.outcome import tables_of
from ui.remedies.trying import start_fit, tick_report
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import labels, stated
from ui.widgets import start, start_choice

# How past decisions are changed, and which two models learn.

USUAL: Final = RelabelPlan()


def show_what_to_expect(study: DividedRows) -> None:
    """Say before a fit how little retraining can do where models do not see who is protected."""
    if not study.facts.protected_features:
        st.caption(stated("retrain-unseen"))


def choose_plan(state: AuditState) -> RelabelPlan:
    """Draw how decisions are changed and which two models learn, and return the remedy that this makes."""
    algorithm = drafts.ask(state, USUAL, "algorithm")
    left, right = st.columns(2)
    drafts.ask(state, USUAL, "risk_model", left)
    drafts.ask(state, USUAL, "final_model", right)
    drafts.ask(state, USUAL, "no_group_worse_off")
    changed = drafts.draft_of(state, USUAL).threshold != USUAL.threshold
    if algorithm == "risk_adjustment" and st.toggle("More settings", key=start("retrain_more", changed)):
        drafts.ask(state, USUAL, "threshold")
    return drafts.draft_of(state, USUAL)


# All pairs of the two models side by side.

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
    current = [one.of_shares[0] for one in found if one is not None]
    if not current:
        st.caption(stated("retrain-pairs"))
        return
    st.caption(stated("retrain-pairs-tried", n=Count(len(current)), all=Count(len(PAIRS))))
    turned = any(one is not None and one.facts.names.of_unfavorable for one in found)
    show_table(replace(_pairs_table(current), is_turned=turned))
    if len(current) == 1:
        return
    st.markdown("**Put in the report**")
    for finding in current:
        pair = expect(RelabelPlan, finding.plan)
        tick_report(state, pair, _pair_words(pair), key=f"retrain_keep_{pair.risk_model}_{pair.final_model}")


def _pairs_table(findings: list[RemedyFinding]) -> TableBlock:
    """Return one row a pair, the highest area under the ROC curve first, with the gap of its first model."""
    areas = {id(finding): finding.after.measure("auc").value for finding in findings}
    ranked = sorted(findings, key=lambda finding: -np.nan_to_num(areas[id(finding)], nan=-1.0))
    [pairs] = pairs_tables(ranked)
    table = pick(pairs, PAIR_COLUMNS)
    gaps = tuple(finding.before.fairness.difference for finding in ranked)
    rows = tuple((*row, gap) for row, gap in zip(table.rows, gaps, strict=True))
    column = Field(
        "gap_before", "gap of the first model, points", "points", "Before any decision is changed.", turns=True
    )
    return replace(table, columns=(*table.columns, column), rows=rows, note=say(Message("retrain-pairs-note")))


def _pair_words(plan: RelabelPlan) -> str:
    return f"{MODEL_WORDS[plan.risk_model]}, then {MODEL_WORDS[plan.final_model]}"


# Which decisions a remedy changed, whose they are, and where these rows lie.

BEFORE, AFTER = "as they were", "as changed"


def show_relabeling(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw how many decisions changed, whose they are, and where these rows lie."""
    tables = tables_of(fitted)
    show_table(tables["flipped"], columns=("group", "label_words", "n", "n_flipped"))
    with st.expander("All figures of the change"):
        show_table(tables["relabelling"])
    if not state.is_current(fitted):
        st.caption(stated("retrain-old-points"))
    elif state.small_cells.mask:
        st.caption(stated("retrain-masked-points"))
    else:
        _show_points(study, fitted)


def _show_points(study: Study, fitted: Fitted) -> None:
    relabeling = getattr(fitted.candidate.model, "relabeling_", None)
    numbers = [name for name in study.X.columns if pd.api.types.is_numeric_dtype(study.X[name].dtype)]
    numbers = [name for name in numbers if not pd.api.types.is_bool_dtype(study.X[name].dtype)]
    if relabeling is None or len(numbers) < 2:
        st.caption(stated("retrain-no-points"))
        return
    st.subheader("Where these cases lie", anchor=False)
    left, right = st.columns(2)
    label = labels(numbers)
    x = left.selectbox("Across", numbers, format_func=label, key="retrain_x")
    upright = [name for name in numbers if name != x]
    y = right.selectbox("Upright", upright, format_func=label, key=start_choice("retrain_y", upright[0], upright))
    when = st.segmented_control(
        "Decisions", [BEFORE, AFTER], key=start("retrain_when", AFTER), required=True, label_visibility="collapsed"
    )
    frame = points_of(study, fitted, x, y, after=when == AFTER)
    show_chart(
        flipped_points_chart(frame, x_title=x, y_title=y),
        description=flipped_points_alt(frame, x_title=x, y_title=y),
        note=say(Message("retrain-points-note", {"n": Count(MOST_POINTS)})),
    )


def points_of(study: Study, fitted: Fitted, x: str, y: str, *, after: bool) -> pd.DataFrame:
    """Return the rows whose decisions could be changed by two columns of numbers, with the decision after or before.

    Columns: x, y, label, flipped.
    """
    model = fitted.candidate.model
    rows = study.X.iloc[study.split.learning].iloc[model.relabel_index_]
    found = model.relabeling_
    return pd.DataFrame(
        {
            "x": rows[x].to_numpy(dtype=float, na_value=np.nan),
            "y": rows[y].to_numpy(dtype=float, na_value=np.nan),
            "label": found.labels if after else found.labels_before,
            "flipped": found.flipped,
        }
    )
