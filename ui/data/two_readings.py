"""Columns whose numbers can be read in two ways: nothing is read before the person has said which is meant."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st

from fairaudit.columns import ReadOptions
from fairaudit.errors import TwoReadings, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from ui.data.loading import open_folder_file, open_upload
from ui.entries import AskedFile
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import literal

Meant = Literal[".", ",", "text"]

_APART = 3
"""Above so many columns, one answer for all is offered first."""


def show_two_readings(state: AuditState) -> None:
    """Draw the question that a file asked, and read it with the answers."""
    asked = state.asked_file
    st.header(literal(asked.source, limit=80))
    options = ask_two_readings(asked)
    if st.button("Leave this file", key=f"data_two_readings_leave_{asked.key}"):
        state.asked_file = None
        st.rerun()
    if options is not None:
        with errors_shown(go_on=True):
            if asked.content is None:
                open_folder_file(state, asked.source, options)
            else:
                open_upload(state, asked.source, asked.content, options)
            st.rerun()


def ask_two_readings(asked: AskedFile) -> ReadOptions | None:
    """Draw the question that a file asked; return how it is to be read, None before that is said."""
    columns = asked.columns
    n = len(columns)
    st.subheader(say(Message("data-questions", {"n": Count(n)})), anchor=False)
    meant: dict[str, Meant | None] = {}
    one_by_one = True
    if n > _APART and len({each.as_comma > each.as_point for each in columns}) == 1:
        for_all = _choose(columns[0], f"in {n} columns", key=f"data_two_readings_all_{asked.key}")
        one_by_one = st.checkbox("Not alike in all: choose one by one", key=f"data_two_readings_apart_{asked.key}")
        meant = {each.column: for_all for each in columns}
    if one_by_one:
        for place, each in enumerate(columns):
            where = f"in {quote(each.column, limit=60)}"
            meant[each.column] = _choose(each, where, key=f"data_two_readings_{place}_{asked.key}")
    answered = st.button(
        "Answer and go on",
        type="primary",
        key=f"data_two_readings_go_{asked.key}",
        disabled=any(answer is None for answer in meant.values()),
    )
    return _with_answers(asked.options, meant) if answered else None


def _choose(each: TwoReadings, where: str, *, key: str) -> Meant | None:
    """Draw the question about a column, with some of its cells and what each answer makes of the first."""
    # The larger number comes first, as thousands are more frequent.
    comma_first = abs(each.as_comma) > abs(each.as_point)
    options: list[Meant] = [",", ".", "text"] if comma_first else [".", ",", "text"]
    big, small = (_in_words(options[place], each) for place in (0, 1))
    mark = "point" if comma_first else "comma"
    words: dict[Meant, str] = {
        options[0]: say(Message("data-mark-thousands", {"number": Phrase(big), "mark": Phrase(mark)})),
        options[1]: say(Message("data-mark-decimal", {"number": Phrase(small), "mark": Phrase(mark)})),
        "text": "No number: keep it as text",
    }
    question = f"{literal(f'Does {each.cells[0]} {where} mean', limit=200)} {big}, or {small}?"
    seen = say(Message("data-cells", {"cells": Phrase(", ".join(each.cells))}))
    if each.shown_by is not None:
        mark = "comma" if each.likely == "," else "point"
        args = {"column": Phrase(quote(each.shown_by, limit=60)), "mark": Phrase(mark)}
        seen = f"{seen} {say(Message('data-mark-shown', args))}"
    with st.container(border=True):
        st.markdown(f"**{question}**")
        st.caption(literal(seen, limit=400))
        return st.radio(
            question,
            options,
            index=None,
            format_func=lambda answer: words[answer],
            label_visibility="collapsed",
            key=key,
        )


def _in_words(mark: Meant, each: TwoReadings) -> str:
    """Return the first cell as it is read with a decimal mark, so that no mark can be read in two ways again."""
    number = each.as_point if mark == "." else each.as_comma
    if float(number).is_integer():
        return f"{number:.0f}"
    sign, size = "minus " if number < 0 else "", round(1000 * abs(number))
    return f"{sign}{size // 1000} and {size % 1000} thousandths"


def _with_answers(options: ReadOptions, meant: dict[str, Meant | None]) -> ReadOptions:
    named: dict[Meant, tuple[str, ...]] = {
        answer: tuple(name for name, said in meant.items() if said == answer) for answer in (".", ",", "text")
    }
    return replace(
        options,
        decimal_point=(*options.decimal_point, *named["."]),
        decimal_comma=(*options.decimal_comma, *named[","]),
        as_text=(*options.as_text, *named["text"]),
    )
