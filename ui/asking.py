"""A question that is open: what is asked, what is likely, and the presses that answer it. Drawn alike everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from fairaudit.findings import Count, Message, Said
from fairaudit.messages import say
from ui.result import show_said
from ui.text import literal


@dataclass(frozen=True)
class Press:
    """A button that answers a question, or takes an answer back.

    Parameters
    ----------
    said : Message
        What stands on it.
    key : str
        Its key on the page.
    take : callable
        What it does; it draws the page anew itself.
    help : str
        What is shown when a person points at it.
    """

    said: Message
    key: str
    take: Callable[[], None]
    help: str = ""


@dataclass(frozen=True)
class Question:
    """What a person has to say before anything is answered.

    Parameters
    ----------
    asked : Message
        The question: the headline of a page, while it is the first that is open.
    lead : Message
        What is likely, or what depends on the answer.
    presses : sequence of Press
        The answers, the likely one first; none where the fields of the page are the answer.
    fields : callable, optional
        Draws what belongs to an answer, above the presses.
    fields_answer : bool
        Whether the fields have a button of their own: the likely answer then, so that no press is in colour.
    """

    asked: Message
    lead: Message
    presses: Sequence[Press] = ()
    fields: Callable[[], None] | None = None
    fields_answer: bool = False


def say_first(questions: Sequence[Question]) -> Said:
    """Return the first of some open questions as a page says it, and how many are open."""
    first = questions[0]
    return Said(Message("verdict-open-questions", {"n": Count(len(questions))}), first.asked, (first.lead,))


def ask_first(questions: Sequence[Question]) -> None:
    """Draw the first of some open questions as what a page says, with its answers below."""
    show_said(say_first(questions))
    show_presses(questions[0])


def show_presses(question: Question, *, is_first: bool = True) -> None:
    """Draw the answers; the likely one of what a page asks first is its one button in colour."""
    if question.fields is not None:
        question.fields()
    if not question.presses:
        return
    with st.container(horizontal=True):
        for place, press in enumerate(question.presses):
            label = literal(say(press.said), limit=120)
            likely = is_first and place == 0 and not question.fields_answer
            kind: Literal["primary", "secondary"] = "primary" if likely else "secondary"
            if st.button(label, key=press.key, help=literal(press.help), type=kind):
                press.take()


def show_answer(said: Message, back: Press, *, limit: int = 400) -> None:
    """Draw what was answered, with the press that takes it back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(literal(say(said), limit=limit), width="content")
        if st.button(literal(say(back.said), limit=120), key=back.key, type="tertiary"):
            back.take()
