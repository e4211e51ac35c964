"""One constraint put together from controls: a metric, the groups, and how far they may be apart."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.constrain.words import asked_text
from fairaudit.study.rows import Study
from ui.frame import show_error
from ui.remedies.constrain.draft import AT_LEAST, COST, ConstraintDraft
from ui.remedies.constrain.groups import bound, choose_groups, say_sizes, sizes_of
from ui.state import AuditState
from ui.text import literal

METRICS = {
    "sp": "Share predicted positive",
    "fpr": "False positive rate",
    "fnr": "False negative rate",
    "equalized_odds": "False positive and negative rate",
    "fdr": "Wrong among predicted positive",
    "for": "Wrong among predicted not positive",
    "predictive_parity": "Wrong among both predictions",
    "mr": "Wrong predictions",
    COST: "Average cost of errors",
    f"{AT_LEAST}tpr": "At least: true positive rate",
    f"{AT_LEAST}tnr": "At least: true negative rate",
    f"{AT_LEAST}sp": "At least: share predicted positive",
    f"{AT_LEAST}ppv": "At least: right among predicted positive",
    f"{AT_LEAST}npv": "At least: right among predicted not positive",
    f"{AT_LEAST}accuracy": "At least: right predictions",
}


def show_form(state: AuditState, study: Study, draft: ConstraintDraft) -> None:
    """Draw the controls that make one constraint, what it says, and the button that adds it."""
    with st.container(border=True, key="constraints_form"):
        if draft.editing is not None:
            st.markdown(f"**Limit {draft.editing + 1}**")
        _choose_metric(draft)
        try:
            made = _made(state, study, draft)
        except FairauditError as error:
            show_error(error)
            made = ()
        for spec in made:
            if spec in draft.specs:
                st.caption(literal(say(Message("constrain-listed"))))
                continue
            st.markdown(f"**{literal(asked_text(spec, positive_meaning=study.facts.positive_meaning), limit=900)}**")
        with st.container(horizontal=True):
            label = "Add this limit" if len(made) < 2 else "Add both limits"
            if draft.editing is not None:
                label = "Take the change"
            st.button(label, key="constraints_add", disabled=not made, on_click=draft.put, args=(made,))
            if draft.editing is not None:
                st.button("Leave it as it is", key="constraints_leave", on_click=_leave, args=(draft,))


def _leave(draft: ConstraintDraft) -> None:
    draft.editing = None


def _choose_metric(draft: ConstraintDraft) -> None:
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    metric = left.selectbox("What must hold", list(METRICS), format_func=METRICS.get, **bound(draft, "metric"))
    with right:
        _choose_difference(draft)
    if metric == COST:
        left, right = st.columns(2)
        for column, label, field in (
            (left, "A false positive costs", "false_positive_cost"),
            (right, "A false negative costs", "false_negative_cost"),
        ):
            column.number_input(label, min_value=0.0, step=1.0, format="%g", **bound(draft, field))


def _choose_difference(draft: ConstraintDraft) -> None:
    if draft.metric.startswith(AT_LEAST):
        st.number_input(
            "At least, in percent",
            min_value=0.0,
            max_value=100.0,
            step=1.0,
            format="%g",
            help="In each group. It does not limit how far groups are apart.",
            **bound(draft, "floor_percent"),
        )
        return
    if draft.metric == COST:
        st.number_input(
            "Largest difference in cost",
            min_value=0.0,
            step=0.01,
            format="%g",
            help="Of any two groups, per case.",
            **bound(draft, "cost_difference"),
        )
        return
    st.number_input(
        "Largest difference, in points",
        min_value=0.0,
        max_value=100.0,
        step=0.5,
        format="%g",
        help="Of any two groups. A smaller limit can cost more accuracy.",
        **bound(draft, "points"),
    )


def _made(state: AuditState, study: Study, draft: ConstraintDraft) -> tuple[FairnessSpec, ...]:
    """Draw the choice of the groups, and return the constraints that the form makes; none while it is incomplete."""
    groups = choose_groups(state, study, draft)
    if groups is None:
        return ()
    made = draft.made(groups)
    say_sizes([sizes_of(state, study, spec) for spec in made])
    return made
