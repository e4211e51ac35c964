"""Four questions from which it follows what is compared: folded, asked once, and taken back with one press."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from fairaudit.defaults import Positive
from fairaudit.findings import Message, Word
from fairaudit.messages import say
from fairaudit.plan.measuring import MeasurePlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.measuring import say_measure
from ui.asking import Press, show_answer
from ui.data.predictions import sounds_true
from ui.look import beside
from ui.remedies.choosing import GROUP_KEY
from ui.state import AuditState
from ui.text import literal, stated
from ui.widgets import ask

_DRAFT, _BEFORE = "measure_answers", "measure_before"
"""Under which of the session's drafts answers stand that are not used yet, and what was before those that are."""


@dataclass(frozen=True)
class _Before:
    """What the answers changed, as it was."""

    decision: OutcomePlan
    positive: Positive
    positive_is_said: bool
    measure: MeasurePlan | None
    may_use_group: bool | None


def show_measure(state: AuditState) -> None:
    """Draw the four questions in a fold, with what follows from the answers; or what was chosen by them."""
    decision = state.decision
    if decision is None or not decision.kind.has_good_outcome:
        return
    if state.measure is not None and state.measure.is_answered:
        named = {"measure": Word(str(state.measure.measure))}
        used = Message("measure-used", {"compare": Message("measure-compare", named)})
        show_answer(used, Press(Message("measure-back"), "data_measure_back", lambda: _take_back(state)))
        return
    with st.expander(stated("measure-title"), key="data_measure"):
        _ask(state, decision)


def _ask(state: AuditState, decision: OutcomePlan) -> None:
    answers: MeasurePlan = state.drafts.get(_DRAFT) or state.measure or MeasurePlan()
    places = beside("data_measure_questions", (1, 1), small=True)
    # Errors have nobody who bears them where nobody knows what truly happened, so that is asked before it.
    order = ("decided", "truth", "borne_by", "group_use")
    chosen = {
        name: ask(
            MeasurePlan, name, places[at % 2], key=f"data_measure_{name}", first=getattr(answers, name), index=None
        )
        for at, name in enumerate(order)
    }
    answers = MeasurePlan(**chosen)
    state.drafts[_DRAFT] = answers
    if not answers.is_answered:
        is_open = answers.decided is not None and answers.truth is not None
        st.caption(stated("measure-borne" if is_open else "measure-more"))
        return
    happened = _is_outcome(state, answers, decision)
    said = [*say_measure(answers, state.check.tolerance), Message("measure-is", {"happened": Word(_word(happened))})]
    if answers.truth == "known" and state.prediction is None and state.score is None:
        said.append(Message("measure-needs-prediction"))
    st.markdown(literal(say(said), limit=900))
    if st.button(stated("measure-use"), key="data_measure_use"):
        _use(state, answers, decision)


def _word(happened: bool) -> str:
    return "yes" if happened else "no"


def _is_outcome(state: AuditState, answers: MeasurePlan, decision: OutcomePlan) -> bool:
    """Say whether the column is what happened later: only where that is known, and something foresaw it or says so."""
    foreseen = state.prediction is not None or state.score is not None
    return answers.truth == "known" and (foreseen or sounds_true(decision.column))


def _use(state: AuditState, answers: MeasurePlan, decision: OutcomePlan) -> None:
    state.drafts[_BEFORE] = _Before(
        decision, state.positive, state.positive_is_said, state.measure, state.wanted.may_use_group
    )
    state.take_decision(decision.model_copy(update={"is_outcome": _is_outcome(state, answers, decision)}))
    state.call_positive(answers.positive)
    state.positive_is_said = True
    state.take_measure(answers)
    st.session_state.pop(GROUP_KEY, None)
    st.rerun()


def _take_back(state: AuditState) -> None:
    """Undo what the answers changed; they stand in the fold again."""
    before = state.drafts.pop(_BEFORE, None)
    state.drafts[_DRAFT] = state.measure
    state.take_measure(None)
    if isinstance(before, _Before):
        if state.decision is not None and state.decision.column == before.decision.column:
            said = {"is_outcome": before.decision.is_outcome}
            state.take_decision(state.decision.model_copy(update=said))
        state.call_positive(before.positive)
        state.positive_is_said = before.positive_is_said
        state.take_measure(before.measure)
        state.want_group(before.may_use_group)
    st.session_state.pop(GROUP_KEY, None)
    st.rerun()
