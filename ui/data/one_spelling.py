"""Columns whose values differ by letter case and blanks around them alone: read as one value with one press."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import streamlit as st

from fairaudit.columns import ReadOptions
from fairaudit.conditions.correcting import with_known_values
from fairaudit.data.same_spelling import other_spellings
from fairaudit.data.table import COMMON_VALUES
from fairaudit.errors import FairauditError, quote
from fairaudit.plan import OutcomePlan
from ui.data.loading import open_upload
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import literal

_MOST_NAMED = 5
_CONDITIONS = ("where", "protected", "acted", "found", "stopped", "favorable_when")


def offer_one_spelling(state: AuditState, columns: Sequence[str]) -> tuple[str, ...]:
    """Draw, for each column with several spellings of a value, the press that reads them as one, or its undoing.

    Return the columns for which the press is drawn.
    """
    joined = state.reading.same_spelling
    for name in joined:
        rest = tuple(other for other in joined if other != name)
        said = f"The spellings in column {quote(name, limit=40)} are read as one value."
        if _offer(said, "Read them apart again", key=f"data_apart_{_place(state, name)}"):
            read_so(state, replace(state.reading, same_spelling=rest))
    apart = tuple(islice((name for name in columns if _others(state, name)), _MOST_NAMED))
    for name in apart:
        others = _others(state, name)
        read_as, other = next((read_as, next(iter(each))) for read_as, each in others.items())
        n = sum(sum(each.values()) for each in others.values())
        rows = "1 row has" if n == 1 else f"{n:,} rows have"
        said = f"{rows} another spelling in column {quote(name, limit=40)}, such as {quote(other, limit=40)} beside "
        said += f"{quote(read_as, limit=40)}."
        if _offer(said, "Read spellings as one value", key=f"data_alike_{_place(state, name)}"):
            read_so(state, replace(state.reading, same_spelling=(*joined, name)))
    return apart


def _others(state: AuditState, name: str) -> dict[str, dict[str, int]]:
    return state.remember("other_spellings", name, lambda: other_spellings(state.table, name))


def _place(state: AuditState, name: str) -> int:
    return list(state.table.columns).index(name)


def _offer(said: str, label: str, *, key: str) -> bool:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(literal(said, limit=300))
        return st.button(
            label,
            key=key,
            help="Reads the file again: values that differ by letter case, or by blanks around them, become the most "
            "frequent spelling. The saved audit and the report say so. The file stays as it is.",
        )


def read_so(state: AuditState, options: ReadOptions) -> None:
    """Read the file again, good outcomes and conditions in the spelling that their values get, and draw anew."""
    outcomes = {name: getattr(state, name) for name in ("decision", "prediction")}
    with errors_shown(go_on=True):
        open_upload(state, state.source, state.content, options)
        if options.same_spelling:
            _spell_alike(state, outcomes)
        st.rerun()


def _spell_alike(state: AuditState, outcomes: Mapping[str, OutcomePlan | None]) -> None:
    """Let what names a value in another spelling than its column name it in that of the column."""

    def known(name: str) -> Sequence[Any]:
        values = state.table.common_values(name) if name in state.reading.same_spelling else ()
        return values if len(values) < COMMON_VALUES else ()

    def condition(text: str) -> str:
        if not text:
            return text
        try:
            return str(with_known_values(state.table.condition(text), known) or text)
        except FairauditError:
            # What cannot be read stays, to be corrected.
            return text

    def conditions(part: Any) -> Any:
        texts = {name: getattr(part, name, None) for name in _CONDITIONS}
        return part.model_copy(update={name: condition(t) for name, t in texts.items() if isinstance(t, str)})

    for name, before in outcomes.items():
        # One whose good outcome is gone was left out.
        outcome = getattr(state, name) or before
        if outcome is not None:
            read_as = {_alike(value): value for value in known(outcome.column)}
            favorable = tuple(dict.fromkeys(read_as.get(_alike(value), value) for value in outcome.favorable))
            setattr(state, name, conditions(outcome.model_copy(update={"favorable": favorable})))
    for entry in state.checks:
        entry.plan = conditions(entry.plan)
    for name in ("errors", "subgroups", "explanations", "changes", "inspections"):
        setattr(state, name, [conditions(asked) for asked in getattr(state, name)])
    for name in ("subgroups_draft", "models"):
        if getattr(state, name) is not None:
            setattr(state, name, conditions(getattr(state, name)))
    state.acted, state.found = condition(state.acted), condition(state.found)
    state.fit()


def _alike(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value
