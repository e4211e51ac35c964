"""Scores that are spread alike: how much accuracy counts beside that, and how they are spread before and after."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.errors import expect
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.errors import Positive
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
from ui.remedies.outcome import tables_of
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import literal, stated
from ui.widgets import start

# How much accuracy counts beside scores that are spread alike, and how the model is fitted.

USUAL: Final = EqualizePlan()
STEPS = tuple(step / 20 for step in range(21))
RARE = ("distance", "optimizer", "smoothing", "max_iter")


def choose_plan(state: AuditState) -> EqualizePlan:
    """Draw how much accuracy counts, and how the fit is made, and return the remedy that this makes."""
    draft = drafts.draft_of(state, USUAL)
    weight = drafts.ask(state, USUAL, "accuracy_weight", options=sorted({*STEPS, draft.accuracy_weight}))
    st.caption(literal(_weight_meaning(weight)))
    drafts.ask(state, USUAL, "no_group_worse_off")
    changed = any(getattr(draft, field) != getattr(USUAL, field) for field in RARE)
    if st.toggle("More settings", key=start("equalize_more", changed)):
        _choose_fit(state)
    return drafts.draft_of(state, USUAL)


def _weight_meaning(weight: float) -> str:
    key = "equalize-weight-all" if weight == 1 else "equalize-weight-none" if weight == 0 else "equalize-weight"
    return say(Message(key))


def _choose_fit(state: AuditState) -> None:
    """Draw what few people change."""
    drafts.ask(state, USUAL, "distance")
    drafts.ask(state, USUAL, "optimizer")
    left, right = st.columns(2)
    drafts.ask(state, USUAL, "smoothing", left)
    drafts.ask(state, USUAL, "max_iter", right)


# How scores are spread before and after, and what other weights of accuracy would give.

COLUMNS = ("accuracy_weight", "accuracy", "tpr_gap", "fpr_gap", "threshold")


def show_spread(fitted: Fitted) -> None:
    """Draw how scores are spread before and after."""
    finding, _ = fitted.of_shares
    details, tables = finding.details, tables_of(fitted)
    positive = finding.after.errors.positive
    if len(details.distribution):
        show_chart(
            equalized_distribution_chart(details.distribution, positive),
            title=say(Message("equalize-chart-spread")),
            description=equalized_distribution_alt(details.distribution, positive),
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
    finding, _ = fitted.of_shares
    details, tables = finding.details, tables_of(fitted)
    if len(details.sweep) < 2:
        st.caption(stated("equalize-no-weights"))
        return
    _show_sweep(state, expect(EqualizePlan, finding.plan), details, finding.after.errors.positive)
    with st.expander("The same as a table"):
        show_table(tables["weights"], columns=COLUMNS)


def _show_sweep(state: AuditState, plan: EqualizePlan, details: EqualizeDetails, positive: Positive) -> None:
    show_chart(
        equalized_sweep_chart(details.sweep, current=plan.accuracy_weight, positive=positive),
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
