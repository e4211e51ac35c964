"""Relabelling and retraining: its choices, which labels it changed, and all model pairs side by side."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import count_text
from fairaudit.present.printed_tables import pick
from fairaudit.remedies.relabel.chart_texts import flipped_points_alt
from fairaudit.remedies.relabel.charts import MOST_POINTS, flipped_points_chart
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.relabel.tables import pairs_tables
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.rows import Study
from ui.charts import show_chart
from ui.remedies.outcome import tables_of
from ui.remedies.trying import start_fit, tick_report
from ui.state import AuditState, Fitted
from ui.tables import show_table
from ui.text import labels
from ui.widgets import start, start_choice

ALGORITHMS = {
    "risk_flipping": (
        "Change as few past decisions as possible",
        "All past decisions stay, except in the protected group: there, those nearest to the line are turned around.",
    ),
    "risk_adjustment": (
        "Decide anew, with shifted scores",
        "A first model decides all past cases anew; in the protected group its scores are shifted until both groups "
        "reach the good outcome alike.",
    ),
}
"""In plain words: a name, and what happens to the labels."""

LEARNERS = ("logistic_regression", "mlp", "random_forest", "gradient_boosting")
PAIRS = tuple(itertools.product(("logistic_regression", "mlp"), repeat=2))
BEFORE, AFTER = "before relabelling", "after relabelling"
PAIR_COLUMNS = (
    "risk_model", "final_model", "auc", "accuracy", "protected_share", "reference_share", "gap", "gap_interval",
)  # fmt: skip
PAIRS_NOTE = (
    "Shares, gaps and intervals are those of predicted good outcomes on the held-out rows, protected minus the rest. "
    "AUC and accuracy are measured against the decisions as they were."
)
PAIRS_HELP = "One after another, in the background. None is kept for the report unless you tick it."


def choose_plan(state: AuditState) -> RelabelPlan:
    """Draw how labels are changed and which two models learn, and return the remedy that this makes."""
    kept = (entry.plan for entry in state.remedies if isinstance(entry.plan, RelabelPlan))
    draft = state.drafts.get("relabel") or next(kept, RelabelPlan())
    algorithm = st.radio(
        "Which labels change",
        list(ALGORITHMS),
        format_func=lambda name: ALGORITHMS[name][0],
        captions=[caption for _, caption in ALGORITHMS.values()],
        key=start("retrain_algorithm", draft.algorithm),
    )
    left, right = st.columns(2)
    risk_model = left.selectbox(
        "First model: scores the cases",
        LEARNERS,
        format_func=MODEL_WORDS.get,
        key=start("retrain_risk_model", draft.risk_model),
        help="Learns from 40 % of the rows how likely the good outcome is.",
    )
    final_model = right.selectbox(
        "Second model: learns from the changed labels",
        LEARNERS,
        format_func=MODEL_WORDS.get,
        key=start("retrain_final_model", draft.final_model),
        help="Learns from another 40 %. Changed labels bend the line between the outcomes, which a plain logistic "
        "regression can hardly follow; a perceptron can.",
    )
    threshold = draft.threshold
    if algorithm == "risk_adjustment" and st.toggle("More settings", key=start("retrain_more", threshold != 0.5)):
        threshold = st.slider(
            "A case reaches the good outcome from this probability on",
            min_value=0.05,
            max_value=0.95,
            step=0.05,
            key=start("retrain_threshold", threshold),
            help="Where the first model's own decision changes, before scores are shifted.",
        )
    plan = RelabelPlan(algorithm=algorithm, risk_model=risk_model, final_model=final_model, threshold=threshold)
    state.drafts["relabel"] = plan
    return plan


def start_pairs(state: AuditState, study: Study, plan: RelabelPlan) -> None:
    """Fit all pairs of the two models that the table compares, one after another; none is kept unless asked."""
    for pair in pair_plans(plan):
        if not _is_fitted(state, pair):
            start_fit(state, study, pair, keep=False)


def pairs_missing(state: AuditState, plan: RelabelPlan) -> bool:
    """Whether a pair is still to be fitted with the present settings."""
    return not all(_is_fitted(state, pair) for pair in pair_plans(plan))


def _is_fitted(state: AuditState, plan: RelabelPlan) -> bool:
    found = state.find_fitted(plan)
    return found is not None and state.is_current(found)


def pair_plans(plan: RelabelPlan) -> list[RelabelPlan]:
    """Return this remedy with each pair of models."""
    return [plan.model_copy(update={"risk_model": risk, "final_model": final}) for risk, final in PAIRS]


def show_relabeling(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw how many labels changed, whose they are, and where these rows lie."""
    tables = tables_of(fitted.candidate.finding)
    show_table(tables["flipped"], columns=("group", "label_words", "n", "n_flipped"))
    with st.expander("All figures of the relabelling"):
        show_table(tables["relabelling"])
    if not state.is_current(fitted):
        st.caption("Single rows are drawn for the present settings only.")
    elif state.small_cells.mask:
        st.caption("Small counts are to be hidden, so single rows are not drawn.")
    else:
        _show_points(study, fitted)


def _show_points(study: Study, fitted: Fitted) -> None:
    relabeling = getattr(fitted.candidate.model, "relabeling_", None)
    numbers = [name for name in study.X.columns if pd.api.types.is_numeric_dtype(study.X[name].dtype)]
    numbers = [name for name in numbers if not pd.api.types.is_bool_dtype(study.X[name].dtype)]
    if relabeling is None or len(numbers) < 2:
        st.caption("A picture of the rows needs two columns of numbers among those that the models learn from.")
        return
    st.subheader("Where these rows lie", anchor=False)
    left, right = st.columns(2)
    label = labels(numbers)
    x = left.selectbox("Across", numbers, format_func=label, key="retrain_x")
    upright = [name for name in numbers if name != x]
    y = right.selectbox("Upright", upright, format_func=label, key=start_choice("retrain_y", upright[0], upright))
    when = st.segmented_control(
        "Labels", [BEFORE, AFTER], key=start("retrain_when", AFTER), required=True, label_visibility="collapsed"
    )
    frame = points_of(study, fitted, x, y, after=when == AFTER)
    show_chart(
        flipped_points_chart(frame, x_title=x, y_title=y),
        description=flipped_points_alt(frame, x_title=x, y_title=y),
        note=f"Rows that the second model learned from, at most {count_text(MOST_POINTS)} of them. On this page only: "
        "a report shows no single rows.",
    )


def points_of(study: Study, fitted: Fitted, x: str, y: str, *, after: bool) -> pd.DataFrame:
    """Return the rows that were given to relabelling by two columns of numbers, with their label after or before.

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


def show_pairs(state: AuditState, plan: RelabelPlan) -> None:
    """Draw the model pairs that are fitted as a table, the best ranking first, and what of them is kept."""
    found = [state.find_fitted(pair) for pair in pair_plans(plan)]
    current = [one.candidate.finding for one in found if one is not None and state.is_current(one)]
    if not current:
        st.caption(
            "Which model scores the cases, and which learns from the changed labels, can matter as much as how labels "
            "are changed. Logistic regression and multi-layer perceptron, in all four pairs, can be seen side by side."
        )
        return
    st.caption(f"{ALGORITHMS[plan.algorithm][0]}: {len(current)} of {len(PAIRS)} pairs are fitted.")
    show_table(_pairs_table(current))
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
    column = ColumnSpec("gap_before", "gap of the first model, points", "points", "Without relabelling.")
    return replace(table, columns=(*table.columns, column), rows=rows, note=f"{PAIRS_NOTE} {table.note or ''}".rstrip())


def _pair_words(plan: RelabelPlan) -> str:
    return f"{MODEL_WORDS[plan.risk_model]}, then {MODEL_WORDS[plan.final_model]}"
