"""Predictions and scores: how they are known, who is flagged, whether the decision is an outcome, what is positive."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.defaults import Positive
from fairaudit.errors import quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.names import row_noun
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.study.columns import EARLIER, FOUND, REOFFENDING
from ui.inspections.roles import plain_name
from ui.look import beside
from ui.state import AuditState
from ui.text import labels, literal
from ui.values import Cut, choose_cut, cut_of, number_range, value_label
from ui.widgets import start, start_choice

# Scores and predictions of risk, where much is bad: how they are known, and from which value on people are flagged.

WORDS: Final = REOFFENDING | frozenset(
    ("risk", "risks", "risky", "flag", "flags", "flagged", "alert", "alerts", "alarm", "suspicion", "suspicious",
     "suspect", "suspected", "fraud", "danger", "dangerous", "threat", "risiko",
     "risque", "riesgo", "rischio", "risico", "risco")
)  # fmt: skip
"""In the name of a column or the words for it, they say that it warns of people."""
NO: Final = frozenset(("0", "no", "n", "false"))
YES: Final = frozenset(("1", "yes", "y", "true"))
NOT: Final = frozenset(("not", "no", "non", "never", "without"))
"""In a name, they negate it."""
TRUE: Final = REOFFENDING | FOUND | frozenset(
    ("convicted", "repaid", "defaulted", "default", "survived", "died", "graduated", "readmitted", "relapsed",
     "truth", "actual", "actually", "true")
)  # fmt: skip
"""In the name of a column, they say that it holds what truly happened, not what somebody decided."""
DECIDED_BY_NAME: Final = frozenset(
    ("decision", "decided", "granted", "approved", "admitted", "accepted", "hired", "invited", "advanced",
     "shortlisted", "selected", "promoted", "released", "paroled", "denied", "refused", "rejected", "awarded",
     "searched", "frisked", "stopped", "inspected", "verdict", "sentence", "action")
)  # fmt: skip
"""In the name of a column, they say that it holds what somebody decided."""
PREDICTED: Final = frozenset(
    ("score", "scores", "decile", "predicted", "predicts", "prediction", "probability", "forecast", "risk", "rating")
)
"""In the name of a column, they say that it holds what a model or a person foresaw."""


def warns(*texts: str | None) -> bool:
    """Say whether names or words are those of a risk.

    Examples
    --------
    >>> warns("riskScore"), warns("said", "not flagged"), warns("asterisks")
    (True, True, False)
    """
    return any(WORDS.intersection(plain_name(text).split("_")) for text in texts if text)


def flagged_value(column: str, values: tuple[Any, Any]) -> Any:
    """Return by which of both values of a column people are flagged; None where it is no flag, or no word says which.

    A column of what truly happened, or of an earlier case, is no flag.

    Examples
    --------
    >>> flagged_value("flagged", ("no", "yes")), flagged_value("alert", (1, 0)), flagged_value("fraud_found", (0, 1))
    ('yes', 1, None)
    """
    words = plain_name(column).split("_")
    if not warns(column) or not (TRUE | EARLIER | NOT).isdisjoint(words):
        return None
    flags = [value for value in values if _says(value, YES) or (warns(str(value)) and not _is_negated(value))]
    clears = [value for value in values if _says(value, NO) or _is_negated(value)]
    if len(flags) == 1 and (clears or not _says(flags[0], YES)):
        return flags[0]
    return None


def _says(value: Any, words: frozenset[str]) -> bool:
    return value_label(value).lower() in words


def _is_negated(value: Any) -> bool:
    return not NOT.isdisjoint(plain_name(str(value)).split("_"))


def sounds_true(column: str) -> bool:
    """Say whether the name of a column says that it holds what truly happened.

    Examples
    --------
    >>> sounds_true("fraudFound"), sounds_true("priorDefault"), sounds_true("released")
    (True, False, False)
    """
    words = plain_name(column).split("_")
    return not TRUE.isdisjoint(words) and EARLIER.isdisjoint(words)


def sounds_decided(column: str) -> bool:
    """Say whether the name of a column says that it holds what somebody decided.

    Examples
    --------
    >>> sounds_decided("loanApproved"), sounds_decided("reoffended")
    (True, False)
    """
    return not DECIDED_BY_NAME.isdisjoint(plain_name(column).split("_"))


def called_decision(columns: Iterable[str]) -> str | None:
    """Return the one column that is called a decision; None where none is, or several.

    Examples
    --------
    >>> called_decision(["age", "finalDecision"]), called_decision(["decision", "decision_date"])
    ('finalDecision', None)
    """
    called = [column for column in columns if "decision" in plain_name(column).split("_")]
    return called[0] if len(called) == 1 else None


def sounds_predicted(column: str) -> bool:
    """Say whether the name of a column says that it holds a prediction or a score.

    Examples
    --------
    >>> sounds_predicted("risk_decile"), sounds_predicted("reoffended"), sounds_predicted("risky trade")
    (True, False, False)
    """
    return not PREDICTED.isdisjoint(plain_name(column).split("_"))


def proposed_positive(prediction: OutcomePlan | None, score: ScorePlan | None) -> Positive:
    """Return which outcome people call positive: the bad one, where the audit judges who is flagged for it."""
    flags = score is not None and not score.higher_is_favorable
    if prediction is not None:
        cut, good = cut_of(prediction), [str(value) for value in prediction.favorable]
        flags = flags or (cut is not None and not cut.higher_is_favorable)
        flags = flags or (bool(good) and NO.issuperset(value.lower() for value in good))
        flags = flags or warns(prediction.column, prediction.meaning, *good)
    return "unfavorable" if flags else "favorable"


TURNS = "errors_score_turns"
"""How often a score was turned round."""


def choose_flagged(state: AuditState) -> None:
    """Draw in one line from which value on people are flagged, and keep it where the page Data keeps it.

    That is a prediction which is a cut of numbers or, where none is named, a score; nothing is drawn for others.
    """
    begun = state.begun.get("prediction")
    if state.prediction is not None:
        if cut_of(state.prediction) is not None:
            _cut_prediction(state, state.prediction.column)
    elif state.score is None and begun in _numbers(state):
        _cut_prediction(state, begun)
    else:
        _cut_score(state)


def choose_score(state: AuditState, place: DeltaGenerator, key: str) -> str | None:
    """Draw which column holds the score, and return it; a score that was named can be taken back."""
    numbers = _numbers(state)
    first = None if state.score is None else state.score.column
    is_cleared = st.session_state.get(f"{key}_column", first) is None
    return place.selectbox(
        "Score column",
        numbers,
        index=None,
        format_func=labels(numbers),
        placeholder="Choose a column of numbers",
        key=start_choice(f"{key}_column", None if is_cleared else first, numbers),
    )


def _numbers(state: AuditState) -> list[str]:
    return [column.name for column in state.present_table.columns.values() if column.kind == "number"]


def _cut_prediction(state: AuditState, column: str) -> None:
    left, right = beside("errors_flagged", small=True)
    present = cut_of(state.prediction)
    found = choose_cut(
        left,
        right,
        present or Cut("below", None),
        key=f"errors_prediction_{state.data_key}",
        column=column,
        ends=number_range(state, column),
        flagged=literal(say(Message("data-counts-flagged", {"column": Phrase(quote(column, limit=60))}))),
    )
    if found.value is None or found == present:
        return
    named = state.prediction or OutcomePlan(column=column, favorable_when=found.condition(column))
    state.prediction = named.model_copy(update={"favorable_when": found.condition(column)})


def _cut_score(state: AuditState) -> None:
    first, left, right = beside("errors_flagged", (2, 1, 1), small=True)
    # A field in a closed panel keeps what the browser has of it: after a turn, there are others in its place.
    turns = st.session_state.get(TURNS, 0)
    present, key = state.score, f"errors_score_{state.data_key}{f'_{turns}' if turns else ''}"
    column = choose_score(state, first, key)
    if column is None:
        state.score = None
        return
    if present is None or present.column != column:
        present = ScorePlan(column=column, higher_is_favorable=not warns(column))
    found = choose_cut(
        left,
        right,
        Cut("at or above" if present.higher_is_favorable else "below", present.cut),
        key=key,
        column=column,
        ends=number_range(state, column),
        flagged="Counts as flagged",
        sides=("below", "at or above"),
    )
    state.score = ScorePlan(column=column, higher_is_favorable=found.higher_is_favorable, cut=found.value)


# Whether the decision column holds what somebody decided, or what happened later: proposed by its name, asked once.

DECIDED, HAPPENED = "what somebody decided", "what happened later"
SHOWN: Final = "decision_shown"
"""Under which of the session's drafts it stands what a column is taken for of which a saved audit does not say it."""


def proposed_outcome(state: AuditState, column: str) -> bool:
    """Say whether a column is taken for what happened later: by its name or, where that says nothing, a prediction."""
    if sounds_true(column) or sounds_decided(column):
        return sounds_true(column)
    return _is_judged(state)


def settle_outcome(state: AuditState) -> None:
    """Let what a column was shown to tell stay, where a prediction was named or taken back since."""
    decision = state.decision
    if decision is None or decision.amount or decision.is_outcome is not None:
        return
    now = (state.data_key, decision.column, _is_judged(state))
    *place, shown = state.drafts.get(SHOWN, now)
    if (*place,) == now[:2] and shown != now[2]:
        state.decision = decision.model_copy(update={"is_outcome": shown})
    state.drafts[SHOWN] = now


def choose_outcome(state: AuditState, same: bool | None, column: str, key: str) -> bool | None:
    """Draw what the column tells, and return whether that is what happened; `same` is what was said of it before.

    It is proposed once, when the column is chosen. None is what a saved audit says which did not know the question:
    its answer depends on the prediction.
    """
    before = state.decision
    is_new = before is None or before.column != column
    value = proposed_outcome(state, column) if is_new and same is None else same
    shown = _is_judged(state) if value is None else value
    place, option = f"{key}_happened_{column}", HAPPENED if shown else DECIDED
    # Put there only where it is another, as where another audit was opened since.
    if st.session_state.get(start(place, option)) != option:
        st.session_state[place] = option

    def take() -> None:
        if state.decision is not None:
            happened = st.session_state[place] == HAPPENED
            state.decision = state.decision.model_copy(update={"is_outcome": happened})

    st.radio(
        "This column says",
        [DECIDED, HAPPENED],
        horizontal=True,
        key=place,
        on_change=take,
        help="What happened later is what a prediction is judged by, on the page Errors; a decision is what models may "
        "replace. Sentences follow it.",
    )
    return value


def _is_judged(state: AuditState) -> bool:
    """Say whether a prediction or score is named."""
    return (state.prediction or state.score) is not None


# What the decision is called where a row has none.


def decision_noun(state: AuditState) -> str:
    """Return "decision", "amount" or, where a prediction is held against it or its name says so, "outcome"."""
    decision = state.present_decision
    if decision.kind.has_good_outcome and sounds_true(decision.column):
        return "outcome"
    return row_noun(state.present_plan(fingerprint=False))


# Which outcome the audit calls positive: one choice for errors, searches for worst groups, and models.

POSITIVES: Final[dict[Positive, str]] = {"favorable": "the favourable result", "unfavorable": "the unfavourable result"}


def settle_positive(state: AuditState) -> None:
    """Let the audit call positive what is proposed for its prediction and score, until the person chooses."""
    if not state.positive_is_said:
        state.call_positive(proposed_positive(state.prediction, state.score))


def choose_positive(
    state: AuditState, place: DeltaGenerator | ModuleType, key: str, *, horizontal: bool = False
) -> Positive:
    """Draw what counts as positive, wherever it matters, and return it."""
    settle_positive(state)
    # Put there only where it is another, which is so where another page has changed it.
    if st.session_state.get(start(key, state.positive)) != state.positive:
        st.session_state[key] = state.positive

    def take() -> None:
        state.positive_is_said = True
        state.call_positive(st.session_state[key])

    return place.radio(
        "What counts as positive",
        list(POSITIVES),
        format_func=POSITIVES.__getitem__,
        horizontal=horizontal,
        key=key,
        on_change=take,
        help="Decides what a false positive is, on all pages and in the report. Where people are flagged for a risk, "
        "it is somebody wrongly flagged: then the unfavourable result is proposed.",
    )
