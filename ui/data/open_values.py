"""What totals and codes among values mean: asked once for each column, and kept with how the file is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from fairaudit.columns import SAID_OF_VALUES, column_values
from fairaudit.data import ReadOptions
from fairaudit.data.unknown_values import are_undecided
from fairaudit.errors import FairauditError, OpenValues
from fairaudit.findings import Argument, Message, Phrase, Word
from fairaudit.measure.not_known import NotKnown, columns_not_known, open_values
from ui.asking import Press, Question, show_answer
from ui.data.loading import read_again
from ui.data.not_known import decisions_of, groups_of, totals_of
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import OPEN_VALUES, asked_together, open_words, shortened, values_named

_OF_UNDECIDED = {"not_known": "undecided", "real_values": "decided"}
"""What an answer says of cases that nobody decided."""


def open_in(state: AuditState) -> tuple[OpenValues, ...]:
    """Return what is open in the table: totals, and what the decision and the groups in use may not know."""
    parts = (*totals_of(state), *decisions_of(state), *_of_groups(state))
    found = {(each.column, each.values): each for each in open_values(parts)}
    for each in st.session_state.get(OPEN_VALUES, ()):
        if each.column in state.present_table.columns and not _is_answered(state, each):
            found.setdefault((each.column, each.values), each)
    seen: set[tuple[str, str]] = set()
    asked = []
    for each in found.values():
        new = tuple(value for value in each.values if (each.column, value) not in seen)
        seen.update((each.column, value) for value in new)
        if new:
            asked.append(replace(each, values=new))
    return tuple(asked)


def questions(state: AuditState, found: Iterable[OpenValues], *, key: str) -> tuple[Question, ...]:
    """Return what is asked of values, once for all columns, each with its answers, the likely one first."""
    return tuple(
        Question(
            open_words(asked),
            Message("data-open-likely", {"answer": Word(each.proposed), "meaning": Word(each.meaning)}),
            tuple(
                Press(
                    Message("data-open-answer", {"answer": Word(answer), "meaning": Word(each.meaning)}),
                    f"{key}_{answer}",
                    partial(_answer, state, answer, asked),
                )
                for answer in dict.fromkeys((each.proposed, each.out, "real_values"))
            ),
        )
        for asked in asked_together(found)
        for each in asked[:1]
    )


def show_answers(state: AuditState) -> None:
    """Draw what was said of values, each with the press that takes it back."""
    for answer in SAID_OF_VALUES:
        for column, values in getattr(state.reading, answer):
            undecided = are_undecided(state.present_table, column, values)
            called = _OF_UNDECIDED.get(answer, answer) if undecided else answer
            said = Message("data-said-of-values", {"answer": Word(called), **_named(column, values)})
            take = partial(_take_back, state, answer, column)
            show_answer(said, Press(Message("data-undo"), f"data_said_{answer}_{column}", take))


def _of_groups(state: AuditState) -> tuple[NotKnown, ...]:
    """Return what is found in the columns that groups and strata are made of."""
    table, check = state.present_table, state.check
    names = dict.fromkeys((*state.protected_columns, *(name for names in check.compare for name in names)))
    parts: list[NotKnown] = []
    try:
        if check.protected:
            parts += groups_of(state)
        columns = [name for name in names if name in table.columns]
        where = table.condition(check.where)
        parts += state.remember(
            "groups_open", (check.where, tuple(columns)), lambda: columns_not_known(table, columns, where=where)
        )
        used = [name for name in (*check.strata, *check.similar_by) if name in table.columns and name not in columns]
        parts += state.remember(
            "values_open", (check.where, tuple(used)), lambda: columns_not_known(table, used, where=where, says="value")
        )
    except FairauditError:
        # What is wrong with the filter or the group is said where they are chosen.
        pass
    return tuple(parts)


def _is_answered(state: AuditState, each: OpenValues) -> bool:
    said = {value for answer in SAID_OF_VALUES for value in dict(getattr(state.reading, answer)).get(each.column, ())}
    return said.issuperset(each.values)


def _named(column: str, values: Iterable[str]) -> dict[str, Argument]:
    return {"column": Phrase(shortened(column, 60)), "values": Phrase(values_named(values))}


def _answer(state: AuditState, answer: str, asked: Sequence[OpenValues]) -> None:
    new = ((each.column, each.values) for each in asked)
    said: dict[str, Any] = {answer: column_values((*getattr(state.reading, answer), *new))}
    _reread(state, replace(state.reading, **said))


def _take_back(state: AuditState, answer: str, column: str) -> None:
    asked = st.session_state.get(OPEN_VALUES, ())
    st.session_state[OPEN_VALUES] = tuple(each for each in asked if each.column != column)
    said: dict[str, Any] = {answer: tuple(each for each in getattr(state.reading, answer) if each[0] != column)}
    _reread(state, replace(state.reading, **said))


def _reread(state: AuditState, options: ReadOptions) -> None:
    """Read the table again, wherever it is, and draw anew."""
    with errors_shown(go_on=True):
        read_again(state, options)
        st.rerun()
