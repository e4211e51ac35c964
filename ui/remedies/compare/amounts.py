"""All models of an amount side by side: errors against differences, and the table."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from fairaudit.measure.results import Interval
from fairaudit.remedies.plain.plan import AMOUNT_MODELS, PlainPlan
from fairaudit.remedies.shared.amount_tables import amount_remedies_summary_table, held_out_index
from fairaudit.remedies.shared.amount_words import digits_of, study_sentence
from fairaudit.remedies.shared.chart_texts import frontier_alt
from fairaudit.remedies.shared.charts import frontier_chart
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.judging import non_dominated
from fairaudit.study.trying import plan_key
from ui.charts import show_chart
from ui.remedies.compare.views import current_findings, show_names, show_standing, with_unbeaten
from ui.remedies.registry import page_of
from ui.remedies.trying import start_fit
from ui.state import AuditState
from ui.tables import show_table
from ui.text import literal
from ui.widgets import start

ERROR = "Mean absolute error"
GAPS = {
    "difference": "Difference of mean predictions",
    "didi": "DIDI of predictions",
    "dtdi": "DTDI of predictions",
}
"""What a model can be drawn by, beside its error."""

GAP_WORDS = {"difference": "difference of mean predictions", "didi": "DIDI", "dtdi": "DTDI"}

COLUMNS = (*("model", "mae", "mae_interval", "r2", "difference", "difference_interval", "didi", "dtdi", "unbeaten"),)


def amount_findings_of(state: AuditState, study: AmountStudy) -> AmountRemediesFinding:
    """Return what is known of all models that are fitted to the present rows, each named once."""
    named = (
        replace(finding, name=name, after=replace(finding.after, name=name))
        for finding, name in current_findings(state)
    )
    return AmountRemediesFinding(study.facts, tuple(named))


def show_amount_frontier(findings: AmountRemediesFinding) -> None:
    """Draw how far off each model is against how far apart it leaves the groups."""
    y = st.selectbox(
        "How far apart the groups are",
        [*GAPS],
        format_func=GAPS.__getitem__,
        key=start("compare_amount_y", "difference"),
        help="Lower is better.",
    )
    rows = amount_frontier_rows(findings, y)
    show_standing(rows, ERROR.lower(), GAP_WORDS[y])
    st.caption(literal(study_sentence(findings), limit=900))
    kinds = {finding.name: page_of(finding.plan.method).point for finding in findings.remedies}
    short = rows.assign(name=[kinds[name] for name in rows["name"]])
    told = {"x_title": ERROR, "y_title": GAPS[y], "digits": digits_of(findings.facts)}
    show_chart(
        frontier_chart(short, **told),
        description=frontier_alt(rows, **told),
        note="Lines: intervals, where there are any. Filled points, joined: no other model is at least as good in both "
        "and better in one. Where intervals overlap, the order of two models may be chance.",
    )
    show_names(rows)


def amount_frontier_rows(findings: AmountRemediesFinding, y: str) -> pd.DataFrame:
    """Return the models that have both figures, as a frontier is drawn; both are better when lower.

    Columns: name, x, x_low, x_high, y, y_low, y_high, needs_group, on_frontier.
    """
    records = []
    for finding in findings.remedies:
        error = finding.after.mae
        apart, ends = _apart(finding, y)
        if math.isfinite(error) and math.isfinite(apart):
            records.append((finding.name, error, *finding.after.mae_interval, apart, *ends, False))
    rows = pd.DataFrame(records, columns=["name", "x", "x_low", "x_high", "y", "y_low", "y_high", "needs_group"])
    better = rows[["x", "y"]].to_numpy(dtype=float) * np.array([-1.0, 1.0])
    return rows.assign(on_frontier=non_dominated(better))


def _apart(finding: AmountRemedyFinding, y: str) -> tuple[float, Interval]:
    """Return how far apart the groups are, without a sign, and its interval."""
    if y != "difference":
        value = held_out_index(finding, y)
        return math.nan if value is None else value, Interval(math.nan, math.nan)
    means = finding.after.predicted
    low, high = means.difference_interval
    if low <= 0 <= high:
        return abs(means.difference), Interval(0.0, max(-low, high))
    return abs(means.difference), Interval(*sorted((abs(low), abs(high))))


def show_amount_models(findings: AmountRemediesFinding) -> None:
    """Draw all models as a table, and whether another beats each."""
    st.subheader("All models", anchor=False)
    y = st.session_state["compare_amount_y"]
    table = amount_remedies_summary_table(findings)
    figures = f"{ERROR.lower()} and {GAP_WORDS[y]}"
    show_table(with_unbeaten(table, amount_frontier_rows(findings, y), figures), columns=COLUMNS)
    st.caption(
        "Mean absolute error: how far predictions are from the actual amounts, on average. Difference: mean prediction "
        "for the protected group minus that for the rest. All on held-out rows, in the unit of the amount but for R²."
    )


def offer_plain(state: AuditState, study: AmountStudy) -> None:
    """Draw the button that fits the plain models to compare with, where they are not there yet."""
    plans = [PlainPlan(model=name) for name in AMOUNT_MODELS]
    done = {key for key, one in state.fitted.items() if state.is_current(one)}
    active = {plan_key(job.about.plan) for job in state.jobs.active if job.about.study_key == state.study_key}
    lacking = [plan for plan in plans if plan_key(plan) not in done | active]
    if lacking and st.button(
        "Add plain models to compare with",
        key="compare_plain",
        help="A linear regression, and the same amount for everybody. They take seconds.",
    ):
        for plan in lacking:
            start_fit(state, study, plan, keep=False)
        st.rerun()
