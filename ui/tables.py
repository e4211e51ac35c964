"""Tables as people read them, each with its CSV download."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import pandas as pd
import streamlit as st

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.present.blocks import Table, row_texts
from fairaudit.present.cells import csv_bytes, flat_header, flat_rows
from fairaudit.present.printed_tables import pick
from ui.downloads import OfferedFile, offer_files
from ui.text import literal, shortened

_CELL = 300


def show_table(table: Table, *, columns: tuple[str, ...] = (), download: bool = True, most: int = 200) -> None:
    """Draw some columns and at most so many rows of a table, and the button that downloads all of it."""
    shown = pick(table, columns) if columns else table
    labels = _distinct([literal(column.label) for column in shown.columns])
    rows = [[literal(text, limit=200) for text in row] for row in row_texts(replace(shown, rows=shown.rows[:most]))]
    # What the look of a page keeps in sight where the window is narrow.
    is_read = shown.columns[-1].name == "reading"
    with st.container(key=f"reading_{table.key}") if is_read else nullcontext():
        st.table(pd.DataFrame(rows, columns=labels), hide_index=True, alt=table.title)
    if len(table.rows) > most:
        st.caption(say(Message("table-first-rows", {"most": Count(most), "n": Count(len(table.rows))})))
    if table.note:
        st.caption(literal(table.note, limit=600))
    if download:
        file = OfferedFile(
            "Download as CSV",
            f"{table.key}.csv",
            "text/csv",
            lambda: csv_bytes(flat_header(table), flat_rows(table)),
            key=f"{table.key}_csv",
            help=f"{literal(table.title)}, in full precision",
        )
        offer_files([file])


def show_rows(frame: pd.DataFrame, *, alt: str) -> None:
    """Draw rows of the person's own table, as text."""
    shown = frame.astype("string").fillna("").apply(lambda cells: cells.str.slice(0, _CELL))
    shown.columns = _distinct([shortened(name) for name in frame.columns])
    st.dataframe(shown, hide_index=True, alt=alt, height=190)


def _distinct(labels: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    result = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        result.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return result
