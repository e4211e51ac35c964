"""How past decisions are changed, and which two models learn."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.divided import DividedRows
from ui.remedies import drafts
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState
from ui.widgets import start

USUAL: Final = RelabelPlan()
ALGORITHMS = {
    "risk_flipping": (
        "Change as few past decisions as possible",
        "All past decisions stay, except in the protected group: there, the closest decisions are reversed. Known "
        "as risk-based flipping.",
    ),
    "risk_adjustment": (
        "Decide anew, with shifted scores",
        "A first model decides all past cases anew; in the protected group its scores are shifted until both groups "
        "reach the good outcome equally often. Known as risk adjustment.",
    ),
}
"""In plain words: a name, and what happens to the past decisions."""

LEARNERS = ("logistic_regression", "mlp", "random_forest", "gradient_boosting")


UNSEEN: Final = (
    "The columns that say who is protected are not learned from, so a model can hardly follow the changed decisions: "
    "in the Adult data, 13.9 points became 12.1 this way, and 15.9 became 1.0 to 5.0 with these columns."
)


def show_what_to_expect(study: DividedRows) -> None:
    """Say before a fit how little retraining can do where models do not see who is protected."""
    if not study.facts.protected_features:
        st.caption(UNSEEN)


def choose_plan(state: AuditState) -> RelabelPlan:
    """Draw how decisions are changed and which two models learn, and return the remedy that this makes."""
    algorithm = st.radio(
        "Which past decisions change",
        list(ALGORITHMS),
        format_func=lambda name: ALGORITHMS[name][0],
        captions=[caption for _, caption in ALGORITHMS.values()],
        **drafts.tied(state, USUAL, "algorithm"),
    )
    left, right = st.columns(2)
    left.selectbox(
        "First model: scores the cases",
        LEARNERS,
        format_func=MODEL_WORDS.get,
        help="Learns from 40 % of the rows how likely the good outcome is.",
        **drafts.tied(state, USUAL, "risk_model"),
    )
    right.selectbox(
        "Second model: learns from the changed decisions",
        LEARNERS,
        format_func=MODEL_WORDS.get,
        help="Learns from another 40 %. Changed decisions bend the line between the outcomes. A logistic regression "
        "can hardly follow that; a neural network can.",
        **drafts.tied(state, USUAL, "final_model"),
    )
    choose_no_group_worse_off(state, USUAL)
    changed = drafts.draft_of(state, USUAL).threshold != USUAL.threshold
    if algorithm == "risk_adjustment" and st.toggle("More settings", key=start("retrain_more", changed)):
        st.slider(
            "A case reaches the good outcome from this probability on",
            min_value=0.05,
            max_value=0.95,
            step=0.05,
            help="Where the first model's own decision changes, before scores are shifted.",
            **drafts.tied(state, USUAL, "threshold"),
        )
    return drafts.draft_of(state, USUAL)
