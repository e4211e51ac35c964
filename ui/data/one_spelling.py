"""Columns whose values differ by letter case and how many blanks they have: read as one value with one press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import streamlit as st

from fairaudit.columns import ReadOptions
from fairaudit.data.same_spelling import other_spellings
from fairaudit.errors import quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from ui.data.loading import open_upload
from ui.data.respelling import spell_alike
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import literal, shortened

_MOST_NAMED = 5


def offer_one_spelling(state: AuditState, columns: Sequence[str]) -> tuple[str, ...]:
    """Draw, for each column with several spellings of a value, the press that reads them as one, or its undoing.

    Return the columns for which the press is drawn. A press and its undoing are one button: whoever uses the keyboard
    stays on it.
    """
    joined = state.reading.same_spelling
    apart = tuple(islice((name for name in columns if name not in joined and _others(state, name)), _MOST_NAMED))
    for place, name in enumerate(state.table.columns):
        if name in joined:
            said = say(Message("data-spellings-one", {"column": Phrase(quote(name, limit=40))}))
            label, then = "Read them apart again", tuple(other for other in joined if other != name)
        elif name in apart:
            said, label, then = _said(state, name), "Read spellings as one value", (*joined, name)
        else:
            continue
        if _offer(said, label, key=f"data_spelling_{place}"):
            read_so(state, replace(state.reading, same_spelling=then))
    return apart


def _said(state: AuditState, name: str) -> str:
    """Say how many rows of a column have another spelling, and name one."""
    others = _others(state, name)
    read_as, other = next((read_as, next(iter(each))) for read_as, each in others.items())
    n = sum(sum(each.values()) for each in others.values())
    # Other blanks do not show on a page.
    looks_alike = shortened(other) == shortened(read_as)
    args = {"n": Count(n), "column": Phrase(quote(name, limit=40)), "other": Phrase(quote(other, limit=40))}
    if looks_alike:
        return say(Message("data-spellings-blanks", args))
    return say(Message("data-spellings", {**args, "value": Phrase(quote(read_as, limit=40))}))


def _others(state: AuditState, name: str) -> dict[str, dict[str, int]]:
    return state.remember("other_spellings", name, lambda: other_spellings(state.table, name))


def _offer(said: str, label: str, *, key: str) -> bool:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(literal(said, limit=300))
        return st.button(
            label,
            key=key,
            help="Reads the file again: values that differ by letter case, or by how many blanks they have, become the "
            "most frequent spelling. The saved audit and the report say so. The file stays as it is.",
        )


def read_so(state: AuditState, options: ReadOptions) -> None:
    """Read the file again, all that names a value in the spelling that it gets, and draw anew."""
    outcomes = {name: getattr(state, name) for name in ("decision", "prediction")}
    with errors_shown(go_on=True):
        open_upload(state, state.source, state.content, options)
        if options.same_spelling and state.asked_file is None:
            spell_alike(state, outcomes)
        st.rerun()
