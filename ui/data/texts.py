"""Columns of texts that are numbers but for a few words: asked whether they are numbers, and kept with the reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from fairaudit.columns import DecimalMark, column_values
from fairaudit.data.texts_of_numbers import TextsOfNumbers, texts_of_numbers
from fairaudit.errors import TwoReadings, quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from ui.asking import Press, Question, show_answer
from ui.data.reading import marks_in_words, with_answers
from ui.data.spellings import reread
from ui.state import AuditState


def texts_in(state: AuditState) -> tuple[TextsOfNumbers, ...]:
    """Return the columns of texts that would become numbers, of which nobody has said whether they are."""
    # Of cells that are written once for several cases, it is asked as they stand in the file.
    table = state.present_table.without_counts
    names = [name for name in state.present_table.columns if name in table.columns]
    return state.remember("texts_of_numbers", "", lambda: tuple(texts_of_numbers(table, names)))


def ask_texts(state: AuditState, found: Sequence[TextsOfNumbers]) -> tuple[Question, ...]:
    """Ask of columns of texts whether they are numbers, each with three cells before and after."""
    return tuple(_ask_texts(state, each) for each in found)


def _ask_texts(state: AuditState, each: TextsOfNumbers) -> Question:
    is_open = len(each.marks) > 1
    numbers = ", ".join(f"{number:.15g}" for number in each.read(each.marks[0]))
    words = ", ".join(quote(word, limit=40) for word in each.words)
    lead: dict[str, Argument] = {
        "is_open": Word("yes" if is_open else "no"),
        "cells": Phrase(", ".join(each.cells)),
        "numbers": Phrase(numbers),
        "words": Phrase(words),
        "n": Count(each.n),
    }
    if is_open:
        first = TwoReadings(each.column, each.cells, each.read(".")[0], each.read(",")[0])
        options, words_of = marks_in_words(first)
        presses = [
            Press(words_of[mark], f"data_texts_{mark}", partial(_read_as, state, each, mark)) for mark in options
        ]
    else:
        take = partial(_read_as, state, each, each.marks[0])
        presses = [Press(Message("data-texts-numbers"), "data_texts_numbers", take)]
    keep = Press(Message("data-texts-keep"), "data_texts_keep", partial(_keep_as_text, state, each.column))
    asked = Message("data-texts", {"column": Phrase(quote(each.column, limit=40))})
    return Question(asked, Message("data-texts-lead", lead), (*presses, keep))


def _read_as(state: AuditState, each: TextsOfNumbers, mark: DecimalMark) -> None:
    """Read the words of a column as missing, so that it holds numbers with a decimal mark."""
    reading = state.reading
    options = replace(reading, not_known=column_values((*reading.not_known, (each.column, each.words))))
    if each.is_mark_said:
        options = with_answers(options, {each.column: mark})
    reread(state, options)


def _keep_as_text(state: AuditState, column: str) -> None:
    reread(state, replace(state.reading, as_text=(*state.reading.as_text, column)))


def show_kept_texts(state: AuditState) -> None:
    """Say which columns of texts are kept though they would become numbers, each with the press that asks again."""
    for place, column in enumerate(state.reading.as_text):
        rest = tuple(each for each in state.reading.as_text if each != column)
        back = Press(
            Message("data-undo"),
            f"data_texts_undo_{place}",
            partial(reread, state, replace(state.reading, as_text=rest)),
        )
        show_answer(Message("data-texts-kept", {"column": Phrase(quote(column, limit=40))}), back)
