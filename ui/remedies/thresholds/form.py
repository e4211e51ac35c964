"""Which score thresholds are put on, and the thresholds that the page offers to judge."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import quote
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.remedies.thresholds.deployed_threshold import ThresholdInUse, threshold_in_use
from fairaudit.remedies.thresholds.fit import Tuning
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.rows import Study
from fairaudit.study.trying import plan_key, remedy_name
from ui.data.predictions import flagged_value
from ui.frame import errors_shown
from ui.remedies import drafts
from ui.remedies.plain_model import known_plain
from ui.remedies.thresholds.scale import Scale
from ui.remedies.worse_off import choose_no_group_worse_off
from ui.state import AuditState, Fitted
from ui.text import literal
from ui.values import value_label
from ui.widgets import start

MODELS = ("logistic_regression", "svm", "mlp", "random_forest", "gradient_boosting")
SCORE = "score"
_MOST_NAMED = 4


def choose_score(state: AuditState) -> str:
    """Draw which score thresholds are put on, and return its name in a :class:`ThresholdsPlan`."""
    draft = draft_of(state)
    options = [*((SCORE,) if state.score is not None else ()), *MODELS]
    model = st.selectbox(
        "Score",
        options,
        format_func=lambda name: naming.capital(MODEL_WORDS[name]),
        key=start("thresholds_model", draft.model if draft.model in options else MODELS[0]),
        help="A model that learns from past decisions, or a score in your data. Name its column on the page Data.",
    )
    if model == SCORE:
        _offer_threshold_in_use(state)
    if model != draft.model:
        # Thresholds that were set by hand mean nothing on another score.
        search = "exact" if draft.search == "chosen" else draft.search
        keep(state, draft.model_copy(update={"model": model, "search": search, "thresholds": ()}))
    return model


def _offer_threshold_in_use(state: AuditState) -> None:
    """Draw the press that says from which score on people are treated otherwise now, where the table plainly has it."""
    if state.score.cut is not None:
        return
    key = (state.decision, state.prediction, state.score)
    with errors_shown(go_on=True):
        found = state.remember(
            "threshold in use", key, lambda: threshold_in_use(state.table, state.plan(fingerprint=False), flagged_value)
        )
        if found is None:
            return
        said = [_in_use(found, higher_is_favorable=state.score.higher_is_favorable)]
        said += [Message("thresholds-in-use-old")] if state.fitted else []
        st.markdown(literal(say(said), limit=300))
        st.button("Use it as what is done now", key="thresholds_in_use", on_click=_use, args=(state, found.score))


def _in_use(found: ThresholdInUse, *, higher_is_favorable: bool) -> Message:
    """Return what a column has from a score on, and what below it."""
    args: dict[str, Argument] = {
        "score": Phrase(value_label(found.score)),
        "column": Phrase(naming.shorten(found.column, 60)),
    }
    if found.above is None:
        return Message("thresholds-in-use-good" if higher_is_favorable else "thresholds-in-use-bad", args)
    sides = {side: Phrase(quote(value_label(getattr(found, side)), limit=40)) for side in ("above", "below")}
    return Message("thresholds-in-use", args | sides)


def _use(state: AuditState, threshold: float) -> None:
    state.score = state.score.model_copy(update={"cut": threshold})


def choose_wish(state: AuditState) -> None:
    """Draw whether no group may be worse off; thresholds that are set by hand are taken as they are."""
    by_hand = draft_of(state).search == "chosen"
    choose_no_group_worse_off(state, usual(state), disabled=by_hand)
    if by_hand:
        st.caption(literal(say(Message("thresholds-hand-wish"))))


def draft_of(state: AuditState) -> ThresholdsPlan:
    """Return the thresholds that the page offers to judge."""
    return drafts.draft_of(state, usual(state))


def usual(state: AuditState) -> ThresholdsPlan:
    """Return what the page offers at first: thresholds on the score that is in use already, where there is one."""
    return ThresholdsPlan() if state.score is None else ThresholdsPlan(model=SCORE)


def keep(state: AuditState, plan: ThresholdsPlan) -> None:
    """Take other thresholds as those that the page offers to judge."""
    state.drafts["thresholds"] = plan


def open_tuning(state: AuditState, study: Study, model: str) -> tuple[Tuning | None, bool]:
    """Return the tuning rows at each threshold of a score, as far as there is one yet, and whether it can be cut."""
    known = None if model == SCORE else known_plain(state, model)
    if model != SCORE and known is None:
        return None, True
    with errors_shown(go_on=True):
        key = (state.study_key, model)
        tuning = state.remember("tuning", key, lambda: Tuning.of(study, known and known.model))
        if Scale.of(tuning) is not None:
            return tuning, True
        st.warning(literal(say(Message("thresholds-other-score"))))
    return None, False


def press(state: AuditState, tuning: Tuning | None) -> str:
    """Return what the button says that finds and tests thresholds."""
    if draft_of(state).search == "chosen":
        return "Test these thresholds"
    return "Train and find thresholds" if tuning is None else "Find thresholds"


def note_change(state: AuditState, tuning: Tuning | None, fitted: Fitted) -> None:
    """Say so where other thresholds are set now than those that were judged."""
    plan = fitted.candidate.finding.plan
    if tuning is not None and plan_key(plan) != plan_key(plan_to_judge(state, tuning)):
        name = Phrase(remedy_name(plan, fitted.outcome))
        st.info(literal(say(Message("thresholds-changed", {"name": name})), limit=400))


def plan_to_judge(state: AuditState, tuning: Tuning | None) -> ThresholdsPlan:
    """Return the thresholds that the page offers, with their values in the name where a person chose them."""
    draft, scale = draft_of(state), None if tuning is None else Scale.of(tuning)
    if draft.search == "chosen":
        draft = draft.model_copy(update={"no_group_worse_off": False})
    if draft.search != "chosen" or scale is None or len(draft.thresholds) > _MOST_NAMED:
        return draft
    cuts = ", ".join(f"{naming.short(called(group))} {scale.text(value)}" for group, value in draft.thresholds)
    return draft.model_copy(
        update={"name": f"A threshold for each group ({MODEL_WORDS[draft.model]}, by hand: {cuts})"}
    )
