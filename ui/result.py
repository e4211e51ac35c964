"""How results are drawn: verdict and headline, figures, charts, tables, and files to take away."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import altair as alt
import pandas as pd
import streamlit as st
from altair.typing import ChartType
from altair.utils import schemapi

from fairaudit.findings import Count, Message, Said
from fairaudit.messages import say
from fairaudit.messages.catalogue import translated
from fairaudit.present.blocks import TableBlock, csv_bytes, flat_header, flat_rows, pick, row_texts
from fairaudit.present.numbers import NO_BREAK, number_text
from fairaudit.present.proxies import say_how_proxies
from fairaudit.present.verdicts import VERDICT, Chip, Figure, Sort
from ui.look import show_chips
from ui.state import get_state
from ui.text import literal, shortened

if TYPE_CHECKING:
    from altair.typing import ChartType

F = TypeVar("F")

# Figures side by side, and how far from the best possible a search still is.


def show_figures(figures: Sequence[tuple[str, str, str]]) -> None:
    """Draw figures side by side: what each is called, its value, and a note below it, which is plain text."""
    for column, (label, value, note) in zip(st.columns(len(figures)), figures, strict=True):
        column.metric(literal(label), value)
        column.caption(literal(note))


def show_brief_figures(figures: Sequence[Figure], *, tolerance: str) -> None:
    """Draw the figures of an answer in little room, with the tolerance in place of the evidence, which is its chip."""
    with st.container(horizontal=True, gap="small"):
        for one in figures:
            if one.label == VERDICT:
                st.metric("Tolerance", f"±{tolerance}", help=literal(one.note), width="content")
            else:
                st.metric(literal(one.label), one.value, help=literal(one.note), width="content")


def distance_text(best: float, bound: float) -> str:
    """Return by how much the best so far can be above the lowest possible, as a share of that, rounded up.

    Examples
    --------
    >>> distance_text(math.nan, 95.0), distance_text(0.0, 0.0)
    ('none yet', '0 %')
    """
    if best == 0:
        return "0 %"
    if not (math.isfinite(best) and math.isfinite(bound) and bound > 0):
        return "none yet"
    above = math.ceil(round(1000 * max(best / bound - 1, 0.0), 6)) / 10
    return f"{number_text(above, digits=1)}{NO_BREAK}%"


# Charts as people meet them: the picture, its description, and the same numbers as a table.

# A chart is checked as a whole when it is sent. Checking each of its parts as well takes a third of a page's time.
schemapi.disable_debug_mode()

_RIGHT = 24
"""Room for texts at the right: a browser that measures them before their font is there takes them for narrower."""


def show_wide_and_narrow(wide: ChartType, narrow: ChartType, *, title: str, description: str) -> None:
    """Draw a chart for wide screens, and for narrow ones another of the same figures."""
    for chart, key in ((wide, "chart_wide"), (narrow, "chart_narrow")):
        with st.container(key=key):
            show_chart(chart, title=title, description=description)


def show_picture(
    finding: F, draw: Callable[..., ChartType], title: Callable[[F], str], text: Callable[[F], str]
) -> None:
    """Draw the picture of an answer, for wide screens and for narrow ones."""
    show_wide_and_narrow(draw(finding), draw(finding, narrow=True), title=title(finding), description=text(finding))


def show_chart(chart: ChartType, *, description: str, title: str | None = None, note: str | None = None) -> None:
    """Draw a chart of the core as it is, with a title, its description for screen readers and a note: plain texts."""
    if title:
        st.markdown(f"**{literal(title, limit=300)}**")
    # The page carries the description; given twice, screen readers would read it twice.
    chart = chart.copy(deep=False)
    chart.description = alt.Undefined
    # The width follows the page; the height is that of the rows, with axis and legend outside.
    chart.padding = {**chart.padding, "right": _RIGHT}
    chart.autosize = alt.AutoSizeParams(type="fit-x", contains="padding")
    st.altair_chart(chart, theme=None, alt=description, width="stretch")
    if note:
        st.caption(literal(note, limit=1500))


# Files with figures of the audit that a page offers to take away: where small counts are to be hidden, none is.


@dataclass(frozen=True)
class OfferedFile:
    """A file to take away, and what makes its content when it is wanted."""

    label: str
    name: str
    mime: str
    make: Callable[[], str | bytes]
    key: str
    help: str | None = None


def offer_files(files: Iterable[OfferedFile], *, prominent: bool = False) -> None:
    """Draw a button for each file or, where small counts are to be hidden, a line that says where it is.

    These files have not passed the gate that reports pass, so all of them are offered here and nowhere else.
    """
    if get_state().small_cells.mask:
        st.caption(say(Message("files-hidden")))
        return
    with st.container(horizontal=True):
        for file in files:
            st.download_button(
                file.label,
                data=file.make,
                file_name=file.name,
                mime=file.mime,
                key=file.key,
                help=file.help,
                icon=":material/download:",
                type="secondary" if prominent else "tertiary",
                on_click="ignore",
            )


# Tables as people read them, each with its CSV download.

_CELL = 300


def show_table(table: TableBlock, *, columns: tuple[str, ...] = (), download: bool = True, most: int = 200) -> None:
    """Draw some columns and the first rows of a table, and the button that downloads all of it."""
    shown = pick(table, columns) if columns else table
    labels = _distinct([literal(translated(column.label)) for column in shown.columns])
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


_MOST_WHOLE = 2.0**53


def show_rows(frame: pd.DataFrame, *, alt: str) -> None:
    """Draw rows of the person's own table, as text."""
    shown = frame.apply(_as_whole).astype("string").fillna("").apply(lambda cells: cells.str.slice(0, _CELL))
    shown.columns = _distinct([shortened(name) for name in frame.columns])
    st.dataframe(shown, hide_index=True, alt=alt, height=190)


def _as_whole(cells: pd.Series) -> pd.Series:
    """Return numbers that are all whole as such, so that none is written with an empty decimal."""
    if not pd.api.types.is_float_dtype(cells):
        return cells
    known = cells.dropna()
    is_whole = bool((known == known.round()).all() and (known.abs() < _MOST_WHOLE).all())
    return cells.astype("Int64") if is_whole else cells


def _distinct(labels: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    result = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        result.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return result


# A result in the one shape that all have: verdict, headline, lead, and what makes the reader careful.

_SORTS: dict[str, Sort] = {
    "verdict-clear-gap": "gap",
    "verdict-gap-only-within": "gap",
    "verdict-no-gap-above-tolerance": "alike",
    "verdict-gap-larger": "gap",
    "verdict-gap-turned-around": "gap",
    "verdict-gap-changed": "gap",
    "verdict-gap-smaller": "alike",
    "verdict-worse-than-simple-rule": "gap",
    "verdict-ready": "alike",
    "verdict-gap-unchanged": "alike",
    "verdict-explained": "alike",
    "verdict-not-explained": "gap",
    "verdict-groups-stand-out": "gap",
    "verdict-alarm": "gap",
    "verdict-no-alarm": "alike",
    "verdict-limit-met": "alike",
    "verdict-limit-not-met": "gap",
    "verdict-form-below": "gap",
    "verdict-form-lower": "gap",
    "verdict-form-reference-lower": "gap",
    "verdict-form-marked": "gap",
    "verdict-form-means-differ": "gap",
    "verdict-form-none-below": "alike",
    "verdict-form-none-marked": "alike",
    "verdict-form-to-publish": "quiet",
    "verdict-form-not-all-shown": "quiet",
    "verdict-unchanged": "alike",
    "verdict-made-again": "alike",
    "verdict-changed": "gap",
    "verdict-differs": "gap",
    "verdict-nothing-to-compare": "quiet",
    "verdict-not-shown": "quiet",
}
"""The colour of a verdict, which says nothing that its words do not; any other is open."""


def verdict_chip(said: Said) -> Chip:
    """Return the chip of a verdict."""
    return _chip(said.verdict)


def _chip(verdict: Message) -> Chip:
    """Return a verdict as a chip; one of two has its colour from what may be read."""
    part = dict(verdict.args).get("verdict")
    key = part.key.replace("reading-", "verdict-") if isinstance(part, Message) else verdict.key
    return Chip(say(verdict), _SORTS.get(key, "open"))


def show_said(said: Said) -> None:
    """Draw verdict, headline and lead."""
    show_headline(said.headline, said.lead, (verdict_chip(said), *map(_chip, said.also)))


def show_headline(headline: Message, lead: Sequence[Message], chips: Sequence[Chip] = ()) -> None:
    """Draw what is said first on a page."""
    with st.container(key="result_said"):
        if chips:
            show_chips(chips)
        st.title(literal(say(headline), limit=400), anchor=False)
        if lead:
            st.markdown(literal(say(lead), limit=900))


def show_proxies(said: Said, found: Iterable[TableBlock]) -> None:
    """Draw which columns stand in for the group, each with its figures, and how they were found out."""
    st.markdown(f"**{literal(say(said.headline), limit=400)}**")
    st.markdown(literal(say((*said.lead, *said.caution)), limit=900))
    for table in found:
        show_table(table)
    show_listed(say_how_proxies())


def show_listed(said: Iterable[Message | str], *, limit: int = 600) -> None:
    """Draw sentences as a list."""
    for each in said:
        st.markdown(f"- {literal(each if isinstance(each, str) else say(each), limit=limit)}")


def show_warnings(texts: Iterable[str], *, limit: int = 600) -> None:
    """Draw each text as a warning."""
    for text in texts:
        st.warning(literal(text, limit=limit))


def show_caution(said: Said) -> None:
    """Draw in one line what the result does not say, and who is left out of it."""
    if said.caution:
        st.caption(literal(say(said.caution), limit=600))
