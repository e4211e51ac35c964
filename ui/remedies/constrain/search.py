"""A search for a model under constraints while it goes on: what was fitted so far, as figures and as a chart."""

from __future__ import annotations

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.numbers import count_text, number_text, share_text
from fairaudit.remedies.constrain.charts import constraint_path_alt, constraint_path_chart
from fairaudit.remedies.constrain.details import search_path
from ui.result import show_chart, show_figures
from ui.runtime.jobs import Job

MOST_DRAWN = 120
"""Fits that are drawn: the first, and the last of the others."""


def show_fits_so_far(job: Job) -> None:
    """Draw what a search that is under way has tried so far."""
    path = search_path(job.found)
    best = path[path["picked"]]
    now = path.iloc[-1]
    figures = [
        ("Models", count_text(path["fit"].nunique()), "tried so far"),
        ("Largest gap now", f"{number_text(now['ratio'])} ×", "the limit"),
        ("Accuracy now", share_text(now["accuracy"]), "on tuning cases"),
    ]
    if len(best):
        row = best.iloc[0]
        said = "all met" if row["met"] else f"gap {number_text(row['ratio'])} ×"
        figures.append(("Best so far", share_text(row["accuracy"]), said))
    show_figures(figures)
    shown = path if len(path) <= MOST_DRAWN else path.iloc[[0, *range(len(path) - MOST_DRAWN + 1, len(path))]]
    show_chart(
        constraint_path_chart(shown, single=False),
        title=say(Message("constrain-chart-path")),
        description=constraint_path_alt(shown, single=False),
    )
