"""How past decisions are changed, and which two models learn."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.divided import DividedRows
from ui.remedies import drafts
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start

USUAL: Final = RelabelPlan()
ALGORITHMS = {
    "risk_flipping": (
        "Change as few past decisions as possible",
        "In the protected group, the closest decisions are reversed.",
    ),
    "risk_adjustment": (
        "Decide anew, with shifted scores",
        "A model decides all past cases anew. In the protected group its scores are shifted.",
    ),
}
"""In plain words: a name, and what happens to the past decisions."""

LEARNERS = ("logistic_regression", "mlp", "random_forest", "gradient_boosting")


def show_what_to_expect(study: DividedRows) -> None:
    """Say before a fit how little retraining can do where models do not see who is protected."""
    if not study.facts.protected_features:
        st.caption(literal(say(Message("retrain-unseen"))))


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
        "First model",
        LEARNERS,
        format_func=MODEL_WORDS.get,
        help="Scores the cases: which decisions are closest.",
        **drafts.tied(state, USUAL, "risk_model"),
    )
    right.selectbox(
        "Second model",
        LEARNERS,
        format_func=MODEL_WORDS.get,
        help="Learns from the changed decisions. A neural network can follow them best.",
        **drafts.tied(state, USUAL, "final_model"),
    )
    choose_no_group_worse_off(state, USUAL)
    changed = drafts.draft_of(state, USUAL).threshold != USUAL.threshold
    if algorithm == "risk_adjustment" and st.toggle("More settings", key=start("retrain_more", changed)):
        st.slider(
            "Yes from this probability on",
            min_value=0.05,
            max_value=0.95,
            step=0.05,
            **drafts.tied(state, USUAL, "threshold"),
        )
    return drafts.draft_of(state, USUAL)
