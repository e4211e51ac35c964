"""The search for rules while it goes on: the bound, the best rule set so far and the rules that were considered."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from fairaudit.events import Incumbent
from fairaudit.report import charts
from fairaudit.report.numbers import count_text, number_text, share_text
from ui.charts import show_chart

ROUND, SOLUTION = "round", "solution"
NOTE = (
    "No rule set of this complexity can come below the proven bound. Where it meets the best so far, nothing better "
    "exists. The loss counts wrong training rows."
)
MOST_DRAWN = 120
"""Rounds that are drawn while a search goes on: the last ones."""


def is_rules_search(found: Sequence[Incumbent]) -> bool:
    """Say whether what was found comes from a search for rules."""
    return bool(found) and {"lp", "incumbent"} <= set(found[0].figures)


def last_search(found: Sequence[Incumbent]) -> tuple[Incumbent, ...]:
    """Return what the search that goes on now has told: the one without a constraint, to compare with, comes first."""
    starts = [place for place, each in enumerate(found) if each.what == ROUND and each.figures["round"] == 1]
    return tuple(found[starts[-1] if starts else 0 :])


def rounds_path(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return the rounds of a search as ``RulesDetails.path`` has them at the end.

    Parameters
    ----------
    found : sequence of Incumbent
        In their order; those of other kinds are left out.

    Returns
    -------
    DataFrame
        ``round, n_columns, lp_value, bound, incumbent``.
    """
    names = ["round", "columns", "lp", "bound", "incumbent"]
    rows = [[each.figures[name] for name in names] for each in found if each.what == ROUND]
    frame = pd.DataFrame(rows, columns=["round", "n_columns", "lp_value", "bound", "incumbent"])
    return frame.astype({"round": int, "n_columns": int})


def show_rounds(found: Sequence[Incumbent]) -> None:
    """Draw how far a search for rules has come.

    Parameters
    ----------
    found : sequence of Incumbent
        What the search has told so far, the first of them a round.
    """
    found = last_search(found)
    path = rounds_path(found)
    last = path.iloc[-1]
    bound = path["bound"].max()
    best = best_loss(found)
    figures = (
        ("Rules considered", count_text(int(last["n_columns"])), f"in {count_text(len(path))} rounds"),
        ("Best so far", number_text(best, digits=0) if math.isfinite(best) else "none yet", "loss, in training rows"),
        ("Cannot be below", number_text(bound, digits=1) if math.isfinite(bound) else "not known yet", "proven bound"),
        ("Distance", distance_text(best, bound), "of the best from the bound"),
    )
    for column, (label, value, note) in zip(st.columns(len(figures)), figures, strict=True):
        column.metric(label, value)
        column.caption(note)
    if found[-1].what == SOLUTION:
        least = number_text(found[-1].figures["bound"], digits=1)
        st.caption(f"Now rules are chosen among those considered: with these alone, the loss cannot be below {least}.")
    shown = path.tail(MOST_DRAWN)
    show_chart(charts.rules_path_chart(shown), description=charts.rules_path_alt(shown), note=NOTE)


def best_loss(found: Sequence[Incumbent]) -> float:
    """Return the lowest loss of a rule set that was found, NaN while there is none."""
    names = {ROUND: "incumbent", SOLUTION: "objective"}
    losses = [float(each.figures[names[each.what]]) for each in found if each.what in names]
    return min((loss for loss in losses if math.isfinite(loss)), default=math.nan)


def distance_text(best: float, bound: float) -> str:
    """Return how far the best is from the bound as a share of it.

    Examples
    --------
    >>> distance_text(math.nan, 95.0), distance_text(0.0, 0.0)
    ('not known yet', '0 %')
    """
    if not (math.isfinite(best) and math.isfinite(bound) and best > 0):
        return "0 %" if best == 0 else "not known yet"
    return share_text(max(best - bound, 0.0) / best)
