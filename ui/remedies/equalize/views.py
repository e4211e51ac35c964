"""Equalized distributions: how much accuracy counts, and how scores are spread before and after."""

from __future__ import annotations

import streamlit as st

from fairaudit.present.numbers import number_text
from fairaudit.remedies.equalize.chart_texts import distribution_note, equalized_distribution_alt, equalized_sweep_alt
from fairaudit.remedies.equalize.charts import equalized_distribution_chart, equalized_sweep_chart
from fairaudit.remedies.equalize.details import EqualizeDetails
from fairaudit.remedies.equalize.plan import EqualizePlan
from ui.charts import show_chart
from ui.remedies import drafts
from ui.remedies.outcome import tables_of
from ui.state import AuditState, Fitted
from ui.tables import show_table
from ui.widgets import start

STEPS = tuple(step / 20 for step in range(21))
OPTIMIZERS = {
    "lbfgs": "L-BFGS, which ends by itself",
    "momentum": "Gradient descent with momentum, as in the paper",
}
COLUMNS = ("accuracy_weight", "accuracy", "tpr_gap", "fpr_gap", "threshold")


def choose_plan(state: AuditState) -> EqualizePlan:
    """Draw how much accuracy counts, and how the fit is made, and return the remedy that this makes."""
    draft = draft_of(state)
    st.session_state["equalize_weight"] = draft.accuracy_weight
    weight = st.select_slider(
        "Weight of accuracy",
        sorted({*STEPS, draft.accuracy_weight}),
        format_func=lambda value: f"{value:g}",
        key="equalize_weight",
        on_change=lambda: _take_weight(state, st.session_state["equalize_weight"]),
        help="Called alpha in the literature. The rest, 1 minus this weight, goes to scores that are spread alike.",
    )
    st.caption(_weight_words(weight))
    optimizer, smoothing, max_iter = _choose_advanced(draft)
    plan = EqualizePlan(accuracy_weight=weight, optimizer=optimizer, smoothing=smoothing, max_iter=max_iter)
    state.drafts["equalize"] = plan
    return plan


def draft_of(state: AuditState) -> EqualizePlan:
    """Return the settings that the page offers to fit."""
    return drafts.draft_of(state, EqualizePlan())


def _weight_words(weight: float) -> str:
    if weight == 1:
        return "At 1 only accuracy counts: this is a plain logistic regression."
    if weight == 0:
        return "At 0 only alike scores count, and a model that knows nothing is as good as any."
    return (
        f"Accuracy counts {number_text(weight)}, scores that are spread alike count {number_text(1 - weight)}. The "
        "authors of this remedy recommend 0.1 to 0.2. Smaller gives smaller gaps and more errors."
    )


def _take_weight(state: AuditState, weight: float) -> None:
    drafts.take(state, EqualizePlan(), accuracy_weight=weight)


def _choose_advanced(draft: EqualizePlan) -> tuple[str, float | None, int]:
    """Draw what few people change; return the optimizer, the smoothing and the most steps."""
    changed = (draft.optimizer, draft.smoothing, draft.max_iter) != ("lbfgs", None, 2000)
    if not st.toggle("More settings", key=start("equalize_more", changed)):
        return draft.optimizer, draft.smoothing, draft.max_iter
    optimizer = st.radio(
        "How the weights of the model are found",
        list(OPTIMIZERS),
        format_func=OPTIMIZERS.get,
        key=start("equalize_optimizer", draft.optimizer),
    )
    left, right = st.columns(2)
    smoothing = left.number_input(
        "Smoothing of the scores",
        min_value=0.0,
        max_value=1.0,
        step=0.01,
        format="%.3f",
        key=start("equalize_smoothing", draft.smoothing or 0.0),
        help="How far a score reaches into neighbouring bins when distributions are compared. 0: the width of a bin, "
        "0.02.",
    )
    max_iter = right.number_input(
        "Most steps", min_value=1, max_value=20_000, step=100, key=start("equalize_steps", draft.max_iter)
    )
    return optimizer, smoothing or None, int(max_iter)


def show_equalizing(state: AuditState, fitted: Fitted) -> None:
    """Draw how scores are spread before and after, and what other weights would give."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(finding)
    st.subheader("How the scores are spread", anchor=False)
    if len(details.distribution):
        show_chart(
            equalized_distribution_chart(details.distribution),
            description=equalized_distribution_alt(details.distribution),
            note="On the held-out rows. Where the lines of the groups lie over each other, their scores are spread "
            "alike. Each band is drawn to its own height." + distribution_note(details.distribution),
        )
        with st.expander("The bars as a table"):
            show_table(
                tables["distribution"], columns=("model", "group", "outcome", "bin_low", "bin_high", "n", "share")
            )
    with st.expander("How the model was fitted"):
        show_table(tables["fit"])
    if len(details.sweep) > 1:
        st.subheader("Other weights of accuracy", anchor=False)
        _show_sweep(state, finding.plan, details)
        with st.expander("The same as a table"):
            show_table(tables["weights"], columns=COLUMNS)


def _show_sweep(state: AuditState, plan: EqualizePlan, details: EqualizeDetails) -> None:
    show_chart(
        equalized_sweep_chart(details.sweep, current=plan.accuracy_weight),
        description=equalized_sweep_alt(details.sweep, current=plan.accuracy_weight),
        note="On the tuning rows, which is where a weight may be chosen: choosing by the held-out rows would make the "
        "result look better than it is. Upright line: the weight that is judged above.",
    )
    weights = sorted(float(weight) for weight in details.sweep["accuracy_weight"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        taken = st.selectbox(
            "Take one of these weights",
            weights,
            format_func=lambda value: f"{value:g}",
            index=_nearest(weights, plan.accuracy_weight),
            key="equalize_take",
        )
        st.button(
            "Take this weight",
            key="equalize_take_it",
            on_click=_take_weight,
            args=(state, taken),
            help="Sets the weight above. Then fit it, to have it judged.",
        )


def _nearest(weights: list[float], weight: float) -> int:
    return min(range(len(weights)), key=lambda i: abs(weights[i] - weight))
