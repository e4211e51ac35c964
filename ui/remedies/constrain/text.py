"""Constraints as text, kept in step with the controls; what is wrong with it is shown with its place."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import ConditionError, FairauditError, MissingColumnError, SpecError
from fairaudit.estimators.constraints import parse_specs
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.study.rows import Study
from ui.frame import show_error
from ui.remedies.constrain.builder import METRICS
from ui.remedies.constrain.draft import COST, ConstraintDraft
from ui.remedies.constrain.groups import sizes_of
from ui.state import AuditState
from ui.text import literal

EXAMPLES = """fpr by race <= 0.03
equalized_odds by sex <= 5%
sp by race, sex <= 0.1
aec(1, 5) by ["age < 25" as "the young", "age >= 25"] <= 0.05"""
WRITTEN = ("constrain-how-written", "constrain-how-groups")
WRITTEN_COST = "aec(1, 5)"
"""Where a false positive costs 1 and a false negative 5."""
_AROUND = 16
"""Characters of a line that are shown before and after a mistake: as many as a narrow page has room for."""


def show_text(state: AuditState, study: Study, draft: ConstraintDraft) -> None:
    """Draw the constraints as text, what is wrong with it where something is, and how it is written."""
    shown = "\n".join(map(str, draft.specs)) if draft.text is None else draft.text
    st.session_state["constraints_text"] = shown
    st.text_area(
        "Limits, one a line",
        placeholder="such as: fpr by race <= 0.03",
        height="content",
        key="constraints_text",
        on_change=lambda: _write(state, study, draft, st.session_state["constraints_text"]),
        help="Ctrl+Enter takes what is written.",
    )
    if draft.text is not None:
        _show_mistake(state, study, draft.text)
        st.caption(literal(say(Message("constrain-not-in-use"))))
    with st.expander("How limits are written"):
        st.markdown(literal(say(map(Message, WRITTEN))))
        written = {(WRITTEN_COST if name == COST else name): label for name, label in METRICS.items()}
        st.markdown("\n".join(f"- `{name}`: {label}" for name, label in written.items()))
        st.code(EXAMPLES, language=None, wrap_lines=True)


def _write(state: AuditState, study: Study, draft: ConstraintDraft, text: str) -> None:
    """Take what was written, where it can be read and fits the data; else keep it, to be corrected."""
    draft.text = text
    if _mistake(state, study, text) is None:
        draft.write(text)


def _mistake(state: AuditState, study: Study, text: str) -> FairauditError | None:
    """Return what is wrong with constraints in a text, None where nothing is."""
    try:
        for spec in parse_specs(text) if text.strip() else ():
            sizes_of(state, study, spec)
    except FairauditError as error:
        return error
    return None


def _show_mistake(state: AuditState, study: Study, text: str) -> None:
    error = _mistake(state, study, text)
    if error is None:
        return
    show_error(error)
    place = _place(error, text)
    if place is not None:
        st.code(pointed(text, place), language=None)


def _place(error: FairauditError, text: str) -> int | None:
    """Return where in a text an error lies, as far as that is known."""
    match error:
        case SpecError(position=int(position)):
            return position
        case ConditionError(position=int(position), text=condition) if condition in text:
            return text.index(condition) + position
        case MissingColumnError(column=column) if column in text:
            return text.index(column)
    return None


def pointed(text: str, place: int) -> str:
    r"""Return the line of a text around a place, and a sign under the place.

    Examples
    --------
    >>> print(pointed("sp by sex <= 0.1\nfpr bi sex", 21))
    fpr bi sex
        ^
    """
    start_of_line = text.rfind("\n", 0, place) + 1
    end_of_line = text.find("\n", place)
    first = max(start_of_line, place - _AROUND)
    last = min(len(text) if end_of_line < 0 else end_of_line, place + _AROUND)
    return f"{text[first:last].replace(chr(9), ' ')}\n{' ' * (place - first)}^"
