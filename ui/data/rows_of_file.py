"""The first rows of a file as they stand in it: which hold the names, what is left out, what is filled downward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from fairaudit.columns import ReadOptions
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say
from ui.asking import Press, Question, show_answer
from ui.data.spellings import reread
from ui.state import AuditState
from ui.text import columns_named, labels, literal, stated


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


def ask_merged(state: AuditState) -> Question | None:
    """Ask whether merged cells are filled downward; None where there are none, or it was answered."""
    merged = _merged_open(state)
    if not merged:
        return None
    filled = replace(state.reading, filled_down=(*state.reading.filled_down, *merged))
    empty = replace(state.reading, left_empty=(*state.reading.left_empty, *merged))
    return Question(
        Message("data-merged", {"columns": Phrase(columns_named(merged))}),
        merged_said(state),
        (
            Press(Message("data-merged-fill"), "data_merged_fill", lambda: reread(state, filled)),
            Press(Message("data-merged-leave"), "data_merged_leave", lambda: reread(state, empty)),
        ),
    )


def show_filled(state: AuditState) -> None:
    """Say which columns were filled downward, and which stay empty, each with the press that takes it back."""
    if filled := state.reading.filled_down:
        back = Press(
            Message("data-undo"), "data_merged_undo", lambda: reread(state, replace(state.reading, filled_down=()))
        )
        show_answer(Message("data-filled", {"columns": Phrase(columns_named(filled))}), back)
    if empty := state.reading.left_empty:
        back = Press(
            Message("data-undo"), "data_merged_ask", lambda: reread(state, replace(state.reading, left_empty=()))
        )
        show_answer(Message("data-left-empty", {"columns": Phrase(columns_named(empty))}), back)


def merged_said(state: AuditState) -> Message:
    """Return the note of the table on merged cells."""
    return Message("read-merged", {"n": Count(state.present_table.first_rows.n_merged)})


def _merged_open(state: AuditState) -> tuple[str, ...]:
    """Return the columns with merged cells of which nobody said whether they are filled downward."""
    names, said = state.present_table.columns, {*state.reading.filled_down, *state.reading.left_empty}
    return tuple(name for name in state.present_table.first_rows.merged if name in names and name not in said)


def _fill_down(state: AuditState) -> None:
    """Draw which columns are filled downward; those with merged cells are proposed."""
    now, names, proposed = state.reading.filled_down, list(state.present_table.columns), _merged_open(state)
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    columns = left.multiselect(
        "Fill empty cells with the value above them",
        names,
        default=[*(name for name in now if name in names), *proposed],
        format_func=labels(names),
        key=f"data_filled_down_{state.data_key}",
    )
    if right.button("Fill", key="data_fill_down", disabled=tuple(columns) == now):
        empty = tuple(name for name in state.reading.left_empty if name not in columns)
        reread(state, replace(state.reading, filled_down=tuple(columns), left_empty=empty))
