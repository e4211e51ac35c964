"""The errors of a prediction and the quality of a score, by group."""

from __future__ import annotations

import streamlit as st

from fairaudit.audit.result import ErrorsFinding
from fairaudit.audit.running import run_errors
from fairaudit.plan import ErrorsPlan
from fairaudit.present import error_words
from fairaudit.present.charts.score_texts import (
    METRICS,
    calibration_alt,
    distribution_alt,
    few_note,
    rates_alt,
    roc_alt,
)
from fairaudit.present.charts.scores import calibration_chart, distribution_chart, rates_chart, roc_chart
from fairaudit.present.error_tables import errors_tables, scores_tables
from fairaudit.report.chapters.errors import GAPS
from fairaudit.report.many_groups import many_groups_words
from ui.charts import show_chart
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.widgets import start, start_choice

SHOWN = {
    "rates": ("group", "n", "selection_rate", "accuracy", "tpr", "fpr", "fnr", "fdr", "for_"),
    "intervals": ("group", "rate", "value", "n", "interval"),
    "gaps": GAPS,
}
DISTRIBUTION = ("group", "outcome", "bin_low", "bin_high", "n", "share")
GOOD, BAD = "the good outcome", "the bad outcome"


def show_settings(state: AuditState) -> ErrorsPlan | None:
    """Draw whose groups are compared and what a positive is; return the question, or None while incomplete."""
    present = state.errors[0] if state.errors else None
    columns = list(state.table.columns)
    by = st.multiselect(
        "Compare the groups of",
        columns,
        format_func=labels(columns),
        key=start_choice("errors_by", present.by if present else state.protected_columns[:1], columns),
        help="Several columns are crossed.",
    )
    left, middle, right = st.columns(3)
    positive = left.radio(
        "What counts as positive",
        [GOOD, BAD],
        key=start("errors_positive", BAD if present and present.positive == "unfavorable" else GOOD),
        help="Decides what a false positive is. For a risk score, people often call the bad outcome positive.",
    )
    cost_positive = middle.number_input(
        "Cost of a false positive",
        min_value=0.0,
        key=start("errors_cost_positive", present.cost_false_positive if present else 1.0),
    )
    cost_negative = right.number_input(
        "Cost of a false negative",
        min_value=0.0,
        key=start("errors_cost_negative", present.cost_false_negative if present else 1.0),
    )
    if not by:
        state.errors = []
        return None
    plan = ErrorsPlan(
        where=state.check.where,
        by=tuple(by),
        positive="favorable" if positive == GOOD else "unfavorable",
        confidence=state.check.confidence,
        cost_false_positive=cost_positive,
        cost_false_negative=cost_negative,
    )
    state.errors = [plan, *state.errors[1:]]
    return plan


def finding_of(state: AuditState, plan: ErrorsPlan) -> ErrorsFinding:
    """Return the answer on the present data, computed once."""
    audit = state.plan(fingerprint=False)
    key = (plan, audit.decision, audit.prediction, audit.score)
    return state.remember("errors", key, lambda: run_errors(state.table, audit, plan))


def show_caution(finding: ErrorsFinding) -> None:
    """Draw what is to be known before reading on where there are more groups than a person can read."""
    if said := many_groups_words(finding):
        st.warning(literal(said, limit=600))


def show_errors(finding: ErrorsFinding) -> None:
    """Draw the finding in words, one rate as a chart, all rates and gaps as tables."""
    errors = finding.errors
    with st.container(border=True, key="errors_verdict"):
        st.header(literal(error_words.errors_sentence(finding), limit=900), anchor=False)
        st.caption(literal(f"Positive means: {errors.positive_meaning}."))
    for warning in errors.warnings:
        st.warning(literal(warning, limit=600))
    metric = st.selectbox("Rate", list(METRICS), format_func=METRICS.get, key=start("errors_metric", "fpr"))
    st.caption(literal(error_words.metric_meaning(metric, errors)))
    show_chart(rates_chart(errors, metric), description=rates_alt(errors, metric))
    tables = {table.key.rpartition("_")[2]: table for table in errors_tables(finding, 1)}
    labels = {
        "rates": "All rates",
        "intervals": "Intervals",
        "gaps": "Largest gaps",
        "costs": "Costs",
        "counts": "Counts",
    }
    present = [key for key in labels if key in tables]
    for tab, key in zip(st.tabs([labels[key] for key in present]), present, strict=True):
        with tab:
            show_table(tables[key], columns=SHOWN.get(key, ()))


def show_scores(finding: ErrorsFinding) -> None:
    """Draw how the score ranks (ROC), whether it means the same in each group (calibration), and its distribution."""
    scores = finding.scores
    st.header("The score", anchor=False)
    for warning in scores.warnings:
        st.warning(literal(warning, limit=600))
    tables = {table.key.rpartition("_")[2]: table for table in scores_tables(finding, 1)}
    roc, calibration, distribution = st.tabs(["Ranking (ROC)", "Calibration", "Distribution"])
    with roc:
        st.caption(
            "How well the score tells the outcomes apart in each group. Up and left is better; the diagonal is chance."
        )
        show_chart(roc_chart(scores), description=roc_alt(scores))
        show_table(tables["auc"])
        with st.expander("The curves as a table"):
            show_table(tables["roc"], most=60)
    with calibration:
        lead = "Does the same score mean the same in each group? Lines that differ by more than their intervals say no."
        st.caption(" ".join([lead, *few_note(scores)]))
        show_chart(calibration_chart(scores), description=calibration_alt(scores))
        with st.expander("The bins as a table"):
            show_table(tables["calibration"])
    with distribution:
        st.caption("How the scores are spread, for each group and each true outcome.")
        show_chart(distribution_chart(scores), description=distribution_alt(scores))
        with st.expander("The bars as a table"):
            show_table(tables["distribution"], columns=DISTRIBUTION)
