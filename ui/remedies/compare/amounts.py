"""All models of an amount: what they can be compared by, and the plain models to compare with."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from fairaudit.measure.results import Interval
from fairaudit.remedies.plain.plan import AMOUNT_MODELS, PlainPlan
from fairaudit.remedies.shared.amount_tables import amount_remedies_summary_table, digits_of, held_out_index
from fairaudit.remedies.shared.tables import mark_unbeaten
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding
from fairaudit.study.amounts.rows import AmountStudy
from ui.remedies.compare.comparison import Comparison, current_findings, numbered, show_figures
from ui.remedies.trying import start_fit
from ui.state import AuditState
from ui.widgets import start

INDEX_DIGITS = 3
ERROR = "Mean absolute error"
GAPS = {
    "difference": "Difference of mean predictions",
    "didi": "DIDI of predictions",
    "dtdi": "DTDI of predictions",
}
"""What a model can be drawn by, beside its error."""

COLUMNS = ("remedy", "model", "mae", "mae_interval", "r2", "difference", "difference_interval", "didi", "dtdi")


def findings_of(state: AuditState, study: AmountStudy) -> AmountRemediesFinding:
    """Return what is known of all models that are fitted to the present rows, each named once."""
    named = (
        replace(finding, name=name, after=replace(finding.after, name=name))
        for finding, name in current_findings(state)
    )
    return AmountRemediesFinding(study.facts, tuple(named))


def choose_comparison(state: AuditState, _study: AmountStudy, findings: AmountRemediesFinding) -> Comparison:
    """Draw how far apart models leave the groups, in which sense, and return what that gives beside their errors."""
    y = st.selectbox(
        "How far apart",
        [*GAPS],
        format_func=GAPS.__getitem__,
        key=start("compare_amount_y", "difference"),
    )
    digits = digits_of(findings.facts)
    return Comparison(
        rows=numbered(state, amount_frontier_rows(findings, y)),
        titles={"x_title": ERROR, "y_title": GAPS[y], "digits": digits},
    )


def show_figures_of(state: AuditState, _study: AmountStudy, findings: AmountRemediesFinding) -> None:
    """Draw the figures of all models."""
    show_figures(state, amount_remedies_summary_table(findings), COLUMNS)


def amount_frontier_rows(findings: AmountRemediesFinding, y: str) -> pd.DataFrame:
    """Return the models that have both figures, as a frontier is drawn; both are better when lower.

    Columns: number, name, x, x_low, x_high, y, y_low, y_high, needs_group, same, and those of
    :func:`~fairaudit.remedies.shared.tables.mark_unbeaten`.
    """
    digits = digits_of(findings.facts)
    apart_digits = digits if y == "difference" else INDEX_DIGITS
    records = []
    for number, finding in enumerate(findings.remedies, start=1):
        error = finding.after.mae
        apart, ends = _apart(finding, y)
        if math.isfinite(error) and math.isfinite(apart):
            records.append((str(number), finding.name, error, *finding.after.mae_interval, apart, *ends, False, False))
    rows = pd.DataFrame(
        records, columns=["number", "name", "x", "x_low", "x_high", "y", "y_low", "y_high", "needs_group", "same"]
    )
    rows = rows.astype({"same": bool})
    pairs = zip(rows["x"], rows["y"], strict=True)
    return mark_unbeaten(rows, [(-round(error, digits), round(apart, apart_digits)) for error, apart in pairs])


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


def offer_models(state: AuditState, study: AmountStudy) -> None:
    """Draw the button that fits the plain models to compare with, where they are not there yet."""
    plans = [PlainPlan(model=name) for name in AMOUNT_MODELS]
    lacking = [plan for plan in plans if state.find_current(plan) is None and not state.find_fit(plan)]
    if lacking and st.button(
        "Add models without the remedy",
        key="compare_plain",
        help="A linear regression, and the same amount for all.",
    ):
        for plan in lacking:
            start_fit(state, study, plan, keep=False)
        st.rerun()
