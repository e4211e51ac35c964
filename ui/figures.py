"""Figures side by side, and how far from the best possible a search still is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from fairaudit.present.card import VERDICT, Figure
from fairaudit.present.numbers import NO_BREAK, number_text
from ui.text import literal


def show_figures(figures: Sequence[tuple[str, str, str]]) -> None:
    """Draw figures side by side: what each is called, its value, and a note below it, which is plain text."""
    for column, (label, value, note) in zip(st.columns(len(figures)), figures, strict=True):
        column.metric(label, value)
        column.caption(literal(note))


def show_brief_figures(figures: Sequence[Figure], *, tolerance: str) -> None:
    """Draw the figures of an answer in little room, with the tolerance in place of the evidence, which is its chip."""
    with st.container(horizontal=True, gap="small"):
        for one in figures:
            if one.label == VERDICT:
                st.metric("Tolerance", f"±{tolerance}", help=literal(one.note), width="content")
            else:
                st.metric(one.label, one.value, help=literal(one.note), width="content")


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
