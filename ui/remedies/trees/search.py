"""The search for a tree while it goes on: the best tree so far, and the proven bound."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from fairaudit.events import Incumbent
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.numbers import number_text, share_text
from fairaudit.remedies.trees.charts import bounds_alt, tree_bounds_chart
from ui.remedies.trees.views import views_of
from ui.result import distance_text, show_chart, show_figures
from ui.runtime.jobs import Job

TREE, WEIGHT = "tree", "weight"


def search_steps(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return the steps of a search: share (of the work), objective (of the best), bound; NaN where there is none."""
    names = ["share", "objective", "bound"]
    rows = [[float(each.figures[name]) for name in names] for each in found if each.what == TREE]
    path = pd.DataFrame(rows, columns=names, dtype=float).replace([math.inf, -math.inf], math.nan)
    return path.assign(objective=path["objective"].cummin())


def show_steps(job: Job) -> None:
    """Draw how far a search for a tree that is under way has come."""
    found, fit = job.found, job.about
    # With a price on discrimination, what is made small is no share of rows.
    priced = fit.plan.fairness_weight > 0
    digits = views_of(fit.outcome).digits(fit.facts)
    path = search_steps(found)
    trials = [each.figures for each in found if each.what == WEIGHT]
    best, bound = path["objective"].min(), path["bound"].max()
    figures = [("Best so far", value_text(best, priced=priced, digits=digits), say(Message(_counted(priced, digits))))]
    if path["bound"].notna().any():
        figures += [
            ("Least possible", value_text(bound, priced=priced, digits=digits), say(Message("tree-search-proven"))),
            distance_figure(best, bound),
        ]
    elif trials:
        figures.append(("Weights tried", f"{len(trials)}", say(Message("tree-search-weights"))))
    show_figures(figures)
    if path["bound"].notna().any():
        places = 4 if digits is None else digits + 1
        drawn = tree_bounds_chart(path, digits=places)
        show_chart(drawn, description=bounds_alt(path, digits=places), note=say(Message("tree-bounds-note")))


def _counted(priced: bool, digits: int | None) -> str:
    if priced:
        return "tree-search-priced"
    return "tree-search-wrong" if digits is None else "tree-search-off"


def value_text(value: float, *, priced: bool, digits: int | None = None) -> str:
    """Return what is made small, in words.

    Examples
    --------
    >>> value_text(math.nan, priced=False), value_text(0.3125, priced=True), value_text(412.3, priced=False, digits=0)
    ('none yet', '0.3125', '412.3')
    """
    if not math.isfinite(value):
        return say(Message("tree-search-none"))
    if digits is not None:
        return number_text(value, digits=digits + 1)
    return number_text(value, digits=4) if priced else share_text(value)


def distance_figure(best: float, bound: float) -> tuple[str, str, str]:
    """Return how far the best can be above the lowest possible, as a figure with its note.

    Examples
    --------
    >>> distance_figure(0.9, 0.1), distance_figure(0.0, 0.0)[1]
    (('Distance', 'far', 'more than twice the bound'), '0 %')
    """
    if 0 < 2 * bound < best:
        return "Distance", "far", say(Message("tree-search-far"))
    return "Distance", distance_text(best, bound), say(Message("tree-search-near"))
