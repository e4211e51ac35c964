"""The search for rules while it goes on: the bound, the best rule set so far and the rules that were considered."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from fairaudit.events import Incumbent
from fairaudit.present.numbers import count_text, number_text
from fairaudit.remedies.rules.chart_texts import rules_path_alt
from fairaudit.remedies.rules.charts import rules_path_chart
from ui.charts import show_chart
from ui.figures import distance_text, show_figures
from ui.jobs import Job

ROUND, SOLUTION, NEAREST = "round", "solution", "least_gap"
NOTE = (
    "It is proven that no rules as complex and as long as you allow make fewer counted errors than the proven bound. "
    "Where that meets the best so far, nothing better exists. Errors are counted on the training rows; where rules "
    "overlap, one row can count more than once. The best so far is often far too high until the last step, in which "
    "rules are chosen."
)
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
    rounds = "in 1 round" if len(path) == 1 else f"in {count_text(len(path))} rounds" if len(path) else "no round ended"
    figures = (
        ("Rules considered", considered, rounds),
        ("Best so far", number_text(best, digits=0) if math.isfinite(best) else "none yet", "errors counted"),
        ("Fewest possible", number_text(bound, digits=1) if bound > 0 else "not known yet", "proven so far"),
        ("Above the fewest possible", distance_text(best, bound), "at most"),
    )
    show_figures(figures)
    if found[-1].what == NEAREST:
        st.caption("None of the rules considered keep to the limit. Now those are looked for that come closest to it.")
    if found[-1].what == SOLUTION:
        least = number_text(found[-1].figures["bound"], digits=1)
        st.caption(f"Now the best of the rules considered are chosen: they make {least} counted errors or more.")
    if not len(path):
        return
    shown = path.tail(MOST_DRAWN)
    show_chart(rules_path_chart(shown), description=rules_path_alt(shown), note=NOTE)


def best_loss(found: Sequence[Incumbent]) -> float:
    """Return the lowest loss of a rule set that was found, NaN while there is none."""
    names = {ROUND: "incumbent", SOLUTION: "objective"}
    losses = [float(each.figures[names[each.what]]) for each in found if each.what in names]
    return min((loss for loss in losses if math.isfinite(loss)), default=math.nan)
