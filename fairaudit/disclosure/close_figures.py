"""Remedies that decide by conditions, and whose figures are so close that the difference counts a few people.

Figures of two such remedies can be subtracted, and what is left is who meets a condition of one and not of the other.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fairaudit.disclosure.group_counts import CELLS
from fairaudit.remedies.registry import kind_of
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import Evaluation

NAMES = [name for name, _, _ in CELLS]


def close_figures(remedies: Iterable[RemedyFinding], minimum: int) -> tuple[set[bytes], set[bytes]]:
    """Return the figures that are too close to those of an earlier remedy that decides by conditions."""
    by_group, overall = set(), set()
    seen: list[pd.DataFrame] = []
    for remedy in remedies:
        if not kind_of(remedy.plan).by_conditions:
            continue
        cells = cells_of(remedy.after)
        for other in seen:
            apart = cells - other
            if any(gives_people_away(abs(row.tp), abs(row.fp), minimum) for row in apart.itertuples()):
                by_group.add(figures_key(remedy.after))
            if gives_people_away(abs(apart["tp"].sum()), abs(apart["fp"].sum()), minimum):
                overall.add(figures_key(remedy.after))
        seen.append(cells)
    return by_group, overall


def figures_key(evaluation: Evaluation) -> bytes:
    """Return a key that models with the same counts in each group share."""
    return repr(cells_of(evaluation).to_dict("split")).encode()


def cells_of(evaluation: Evaluation) -> pd.DataFrame:
    """Return the confusion table of each group."""
    counts = evaluation.errors.counts
    return counts.set_index(counts["group"].astype(str))[NAMES]


def gives_people_away(right: float, wrong: float, minimum: int) -> bool:
    """Say whether a part of the rows gives people away: it is not empty, and one outcome is rare in it."""
    return max(right, wrong) > 0 and min(right, wrong) < minimum
