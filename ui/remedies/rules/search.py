"""The search for rules while it goes on: the bound, the best rule set so far and the rules that were considered."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from fairaudit.events import Incumbent
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.numbers import count_text, number_text
from fairaudit.remedies.rules.charts import rules_path_alt, rules_path_chart
from ui.result import distance_text, show_chart, show_figures
from ui.runtime.jobs import Job
from ui.text import literal

ROUND, SOLUTION, NEAREST = "round", "solution", "least_gap"
MOST_DRAWN = 120
"""Rounds that are drawn while a search goes on: the last ones."""


def last_search(found: Sequence[Incumbent]) -> tuple[Incumbent, ...]:
    """Return what the search that goes on now has found: the one without a constraint, to compare with, comes first."""
    start, share = 0, 0.0
    for place, each in enumerate(found):
        if each.what == ROUND:
            starts, share = each.figures["round"] == 1, 0.0
        elif each.what == NEAREST:
            # It belongs to the search that found nothing within the limit, which then selects once more.
            share = 0.0
        else:
            # A search whose work is done before its first round selects at once: its share starts anew, with a loss
            # above the one before. Within one search, what was found is never lost.
            is_anew = each.figures["share"] < share
            starts = is_anew and not each.figures["objective"] <= best_loss(found[start:place])
            share = each.figures["share"]
        if starts:
            start = place
    return tuple(found[start:])


def rounds_path(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return the rounds of a search: round, n_columns, lp_value, bound, incumbent, as in ``RulesDetails.path``."""
    names = ["round", "columns", "lp", "bound", "incumbent"]
    rows = [[each.figures[name] for name in names] for each in found if each.what == ROUND]
    frame = pd.DataFrame(rows, columns=["round", "n_columns", "lp_value", "bound", "incumbent"])
    return frame.astype({"round": int, "n_columns": int})


def show_rounds(job: Job) -> None:
    """Draw how far a search for rules that is under way has come."""
    found = last_search(job.found)
    path = rounds_path(found)
    bound = path["bound"].max()
    best = best_loss(found)
    considered = count_text(int(path["n_columns"].iloc[-1])) if len(path) else "none yet"
    figures = (
        ("Rules considered", considered, f"round {len(path)}" if len(path) else ""),
        ("Best so far", number_text(best, digits=0) if math.isfinite(best) else "none yet", "errors"),
        ("Fewest possible", number_text(bound, digits=1) if bound > 0 else "not known yet", "proven so far"),
        ("Above the fewest possible", distance_text(best, bound), "at most"),
    )
    show_figures(figures)
    stages = {NEAREST: "rules-search-nearest", SOLUTION: "rules-search-choosing"}
    if (stage := stages.get(found[-1].what)) is not None:
        st.caption(literal(say(Message(stage))))
    if not len(path):
        return
    shown = path.tail(MOST_DRAWN)
    show_chart(rules_path_chart(shown), description=rules_path_alt(shown))


def best_loss(found: Sequence[Incumbent]) -> float:
    """Return the lowest loss of a rule set that was found, NaN while there is none."""
    names = {ROUND: "incumbent", SOLUTION: "objective"}
    losses = [float(each.figures[names[each.what]]) for each in found if each.what in names]
    return min((loss for loss in losses if math.isfinite(loss)), default=math.nan)
