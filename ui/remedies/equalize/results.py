"""How scores are spread before and after, and what other weights of accuracy would give."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.equalize.charts import (
    distribution_note,
    equalized_distribution_alt,
    equalized_distribution_chart,
    equalized_sweep_alt,
    equalized_sweep_chart,
)
from fairaudit.remedies.equalize.details import EqualizeDetails
from fairaudit.remedies.equalize.plan import EqualizePlan
from ui.remedies import drafts
from ui.remedies.equalize.form import USUAL
from ui.remedies.outcome import tables_of
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import literal

COLUMNS = ("accuracy_weight", "accuracy", "tpr_gap", "fpr_gap", "threshold")


def show_spread(fitted: Fitted) -> None:
    """Draw how scores are spread before and after."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    if len(details.distribution):
        show_chart(
            equalized_distribution_chart(details.distribution),
            title=say(Message("equalize-chart-spread")),
            description=equalized_distribution_alt(details.distribution),
            note=distribution_note(details.distribution),
        )
        with st.expander("The bars as a table"):
            show_table(
                tables["distribution"], columns=("model", "group", "outcome", "bin_low", "bin_high", "n", "share")
            )
    with st.expander("How the score was made"):
        show_table(tables["fit"])


def show_weights(state: AuditState, fitted: Fitted) -> None:
    """Draw what other weights of accuracy would give."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    if len(details.sweep) < 2:
        st.caption(literal(say(Message("equalize-no-weights"))))
        return
    _show_sweep(state, finding.plan, details)
    with st.expander("The same as a table"):
        show_table(tables["weights"], columns=COLUMNS)


def _show_sweep(state: AuditState, plan: EqualizePlan, details: EqualizeDetails) -> None:
    show_chart(
        equalized_sweep_chart(details.sweep, current=plan.accuracy_weight),
        title=say(Message("equalize-chart-weights")),
        description=equalized_sweep_alt(details.sweep),
    )
    weights = sorted(float(weight) for weight in details.sweep["accuracy_weight"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        taken = st.selectbox(
            "One of these weights",
            weights,
            format_func=lambda value: f"{value:g}",
            index=_nearest(weights, plan.accuracy_weight),
            key="equalize_take",
        )
        st.button(
            "Use this weight",
            key="equalize_take_it",
            on_click=lambda: drafts.take(state, USUAL, accuracy_weight=taken),
            help="Then make the score again.",
        )


def _nearest(weights: list[float], weight: float) -> int:
    return min(range(len(weights)), key=lambda i: abs(weights[i] - weight))
