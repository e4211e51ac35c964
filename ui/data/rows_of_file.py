"""The first rows of a file as they stand in it: which hold the names, what is left out, what is filled downward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from fairaudit.columns import ReadOptions
from fairaudit.errors import quote
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say
from ui.data.spellings import reread
from ui.state import AuditState
from ui.text import labels, literal, stated


def show(state: AuditState) -> None:
    """Draw the rows with what can be said of those that are chosen; each answer is undone by a press."""
    rows = state.present_table.first_rows.rows
    if not rows:
        return
    called = "row" if state.present_table.source.sheets else "line"
    st.caption(say(Message("data-rows")))
    chosen = _chosen(state, rows, called)
    with st.container(horizontal=True):
        if st.button(
            "The names stand here",
            key="data_rows_names",
            disabled=not _are_consecutive(chosen),
            help="One row, or some that follow each other: the names of a column are joined then.",
        ):
            reread(state, with_names(state.reading, chosen))
        if st.button("Leave these out", key="data_rows_out", disabled=not chosen):
            reread(state, without_rows(state.reading, chosen))
    _show_said(state, called)
    _fill_down(state)


def with_names(options: ReadOptions, rows: Sequence[int]) -> ReadOptions:
    """Return options that take the names from rows that follow each other.

    Examples
    --------
    >>> with_names(ReadOptions(rows_out=(3, 9)), [3, 4]).rows_out
    (9,)
    """
    kept = tuple(row for row in options.rows_out if row not in rows)
    return replace(options, header=True, names_row=min(rows), name_rows=len(rows), rows_out=kept)


def without_rows(options: ReadOptions, rows: Sequence[int]) -> ReadOptions:
    """Return options that leave rows out, too; where the names stood there, they are found again.

    Examples
    --------
    >>> without_rows(ReadOptions(names_row=2), [2, 7])
    ... # doctest: +ELLIPSIS
    ReadOptions(...rows_out=(2, 7)...)
    """
    held = options.names_row is not None and options.names_row in rows
    found = replace(options, names_row=None, name_rows=None) if held else options
    return replace(found, rows_out=tuple(sorted({*options.rows_out, *rows})))


def _chosen(state: AuditState, rows: Sequence[tuple[int, tuple[str, ...]]], called: str) -> list[int]:
    """Draw the rows; return the numbers of those that are chosen."""
    width = max(len(cells) for _, cells in rows)
    frame = pd.DataFrame(
        [(str(number), *cells, *[""] * (width - len(cells))) for number, cells in rows],
        columns=[called.capitalize(), *(f"Column {place}" for place in range(1, width + 1))],
    )
    drawn = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        key=f"data_rows_{state.data_key}",
        height=260,
    )
    return [rows[place][0] for place in drawn.selection.rows if place < len(rows)]


def _are_consecutive(rows: Sequence[int]) -> bool:
    """Say whether rows follow each other without a gap."""
    return bool(rows) and sorted(rows) == list(range(min(rows), max(rows) + 1))


def _show_said(state: AuditState, called: str) -> None:
    reading = state.reading
    if reading.rows_out:
        with st.container(horizontal=True, vertical_alignment="center"):
            out = Phrase(", ".join(map(str, reading.rows_out)))
            st.markdown(stated("data-rows-out", called=Phrase(called), rows=out), width="content")
            if st.button("Take them in again", key="data_rows_in", type="tertiary"):
                reread(state, replace(reading, rows_out=()))
    if reading.names_row is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            said: dict[str, Argument] = {
                "called": Phrase(called),
                "row": Count(reading.names_row),
                "n": Count(reading.name_rows or 1),
            }
            st.markdown(literal(say(Message("data-rows-names", said)), limit=300), width="content")
            if st.button("Find the names again", key="data_rows_found", type="tertiary"):
                reread(state, replace(reading, header=None, names_row=None, name_rows=None))


def _fill_down(state: AuditState) -> None:
    """Draw which columns are filled downward; those with merged cells are proposed."""
    now, merged = state.reading.filled_down, state.present_table.first_rows.merged
    names = list(state.present_table.columns)
    proposed = [name for name in merged if name in names and name not in now]
    if proposed:
        listed = Phrase(", ".join(quote(name, limit=40) for name in proposed))
        st.markdown(literal(say(Message("data-rows-merged", {"columns": listed})), limit=400))
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    columns = left.multiselect(
        "Fill empty cells with the value above them",
        names,
        default=[*(name for name in now if name in names), *proposed],
        format_func=labels(names),
        key=f"data_filled_down_{state.data_key}",
    )
    if right.button("Fill", key="data_fill_down", disabled=tuple(columns) == now):
        reread(state, replace(state.reading, filled_down=tuple(columns)))
