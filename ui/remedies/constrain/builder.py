"""One constraint put together from controls: a metric, the groups, and how far they may be apart."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.remedies.constrain.asking_words import spec_words
from fairaudit.study.rows import Study
from ui.frame import show_error
from ui.remedies.constrain.draft import AT_LEAST, COST, ConstraintDraft
from ui.remedies.constrain.groups import bound, choose_groups, say_sizes, sizes_of
from ui.state import AuditState
from ui.text import literal

METRICS = {
    "sp": ("Share predicted positive", "Of all rows, the share that the model predicts to be positive."),
    "fpr": ("False positive rate", "Of the rows that are not positive, the share that the model predicts to be so."),
    "fnr": ("False negative rate", "Of the rows that are positive, the share that the model predicts not to be so."),
    "equalized_odds": (
        "False positive and false negative rate (equalized odds)",
        "Two constraints: errors fall on all groups alike, on rows that are positive and on rows that are not.",
    ),
    "fdr": (
        "Wrong among predicted positive (false discovery rate)",
        "Of the rows that the model predicts to be positive, the share that are not.",
    ),
    "for": (
        "Wrong among predicted not positive (false omission rate)",
        "Of the rows that the model predicts not to be positive, the share that are.",
    ),
    "predictive_parity": (
        "Wrong among predicted positive, and among the others (predictive parity)",
        "Two constraints: a prediction is as often wrong in all groups, whichever it is.",
    ),
    "mr": (
        "Wrong predictions (misclassification rate)",
        "Of all rows, the share that the model predicts wrongly.",
    ),
    COST: (
        "Average cost of errors",
        "What wrong predictions cost in a group, divided by its rows, where you say what either error costs.",
    ),
    f"{AT_LEAST}tpr": (
        "At least so much in each group: true positive rate",
        "Of the rows that are positive, the share that the model predicts to be so. A floor under it in each group.",
    ),
    f"{AT_LEAST}tnr": (
        "At least so much in each group: true negative rate",
        "Of the rows that are not positive, the share that the model predicts not to be so; 1 minus the false positive "
        "rate. A floor under it in each group.",
    ),
    f"{AT_LEAST}sp": (
        "At least so much in each group: share predicted positive",
        "Of all rows, the share that the model predicts to be positive. A floor under it in each group.",
    ),
    f"{AT_LEAST}ppv": (
        "At least so much in each group: right among predicted positive",
        "Of the rows that the model predicts to be positive, the share that are. A floor under it in each group.",
    ),
    f"{AT_LEAST}npv": (
        "At least so much in each group: right among predicted not positive",
        "Of the rows that the model predicts not to be positive, the share that are not. A floor under it in each "
        "group.",
    ),
    f"{AT_LEAST}accuracy": (
        "At least so much in each group: right predictions",
        "Of all rows, the share that the model predicts rightly. A floor under it in each group.",
    ),
}
"""In plain words: what is called what, and what it is a share of."""


def show_form(state: AuditState, study: Study, draft: ConstraintDraft) -> None:
    """Draw the controls that make one constraint, what it says, and the button that adds it."""
    with st.container(border=True, key="constraints_form"):
        if draft.editing is not None:
            st.markdown(f"**Change constraint {draft.editing + 1}**")
        _choose_metric(study, draft)
        try:
            made = _made(state, study, draft)
        except FairauditError as error:
            show_error(error)
            made = ()
        for spec in made:
            if spec in draft.specs:
                st.caption("This is among the constraints above.")
                continue
            words = spec_words(spec, positive_meaning=study.facts.positive_meaning)
            st.markdown(f"In words: **{literal(words, limit=900)}**")
        with st.container(horizontal=True):
            label = "Add this constraint" if len(made) < 2 else "Add both constraints"
            if draft.editing is not None:
                label = "Take the change"
            st.button(label, key="constraints_add", disabled=not made, on_click=draft.put, args=(made,))
            if draft.editing is not None:
                st.button("Leave it as it is", key="constraints_leave", on_click=_leave, args=(draft,))


def _leave(draft: ConstraintDraft) -> None:
    draft.editing = None


def _choose_metric(study: Study, draft: ConstraintDraft) -> None:
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    metric = left.selectbox(
        "What must hold",
        list(METRICS),
        format_func=lambda name: METRICS[name][0],
        **bound(draft, "metric"),
    )
    with right:
        _choose_difference(draft)
    st.caption(f"{METRICS[metric][1]} Positive means: {literal(study.facts.positive_meaning)}.")
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
            help="In each group, whatever the others have: above 0 and below 100. It does not limit how far groups "
            "are apart; add a second constraint for that.",
            **bound(draft, "floor_percent"),
        )
        return
    if draft.metric == COST:
        st.number_input(
            "Largest difference in cost",
            min_value=0.0,
            step=0.01,
            format="%g",
            help="Of any two groups, in the unit of the costs below, for one row.",
            **bound(draft, "cost_difference"),
        )
        return
    st.number_input(
        "Largest difference, in points",
        min_value=0.0,
        max_value=100.0,
        step=0.5,
        format="%g",
        help="Of any two groups. One point is one in a hundred: 12 % and 15 % are 3 points apart. Smaller asks more of "
        "the model, and can cost more accuracy.",
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
