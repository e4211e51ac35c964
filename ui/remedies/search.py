"""A search while it goes on: what it has tried so far, as figures and as a chart."""

from __future__ import annotations

from fairaudit.present.numbers import count_text, number_text, share_text
from fairaudit.remedies.constrain.chart_texts import constraint_path_alt
from fairaudit.remedies.constrain.charts import constraint_path_chart
from fairaudit.remedies.constrain.path import search_path
from fairaudit.remedies.shared.amount_words import digits_of
from fairaudit.study.amounts.findings import AmountStudyFacts
from ui.charts import show_chart
from ui.figures import show_figures
from ui.jobs import Job
from ui.remedies.rules.search import is_rules_search, show_rounds
from ui.remedies.trees.search import is_tree_search, show_steps

MOST_DRAWN = 120
"""Fits that are drawn while a search goes on: the first, and the last of the others."""


def show_found(job: Job) -> None:
    """Draw what a search has tried so far; nothing for work that is no search.

    Parameters
    ----------
    job : Job
        One that is under way.
    """
    found = job.found
    if not found:
        return
    if is_rules_search(found):
        show_rounds(found)
        return
    if is_tree_search(found):
        facts = job.about.facts
        digits = digits_of(facts) if isinstance(facts, AmountStudyFacts) else None
        show_steps(found, priced=job.about.plan.fairness_weight > 0, digits=digits)
        return
    path = search_path(found)
    best = path[path["picked"]]
    now = path.iloc[-1]
    figures = [
        ("Fits", count_text(len(path)), "models tried so far"),
        ("Largest gap now", f"{number_text(now['ratio'])} ×", "times what is allowed"),
        ("Accuracy now", share_text(now["accuracy"]), "on the tuning rows"),
    ]
    if len(best):
        row = best.iloc[0]
        told = "all met" if row["met"] else f"gap {number_text(row['ratio'])} ×"
        figures.append(("Best so far", share_text(row["accuracy"]), told))
    show_figures(figures)
    shown = path if len(path) <= MOST_DRAWN else path.iloc[[0, *range(len(path) - MOST_DRAWN + 1, len(path))]]
    show_chart(
        constraint_path_chart(shown, single=False),
        description=constraint_path_alt(shown, single=False),
        note="Each point is a model that was fitted with other weights of the rows, judged on the tuning rows. Chosen: "
        "the best so far.",
    )
