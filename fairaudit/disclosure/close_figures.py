"""Models whose figures are so close that the difference counts a few people.

Figures of two remedies that decide by conditions can be subtracted, and what is left is who meets a condition of one
and not of the other. So it is with two cuts of one score: what is left is whose score lies between them.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fairaudit.disclosure.group_counts import CELLS
from fairaudit.errors import sure
from fairaudit.remedies.registry import kind_of
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import Evaluation

NAMES = [name for name, _, _ in CELLS]
ONE_CUT = ("shifted", "shifted_closer")
"""Simple answers that cut a plain model's score at another threshold for all."""


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
            if _few_between(apart, minimum):
                by_group.add(figures_key(remedy.after))
            if gives_people_away(abs(apart["tp"].sum()), abs(apart["fp"].sum()), minimum):
                overall.add(figures_key(remedy.after))
        seen.append(cells)
    return by_group, overall


def close_cuts(remedies: Iterable[RemedyFinding], minimum: int) -> tuple[set[bytes], set[bytes]]:
    """Return the figures by group, and those of all groups, that are too close to another cut of the same score."""
    by_group, overall = set(), set()
    seen: dict[str, list[pd.DataFrame]] = {}
    for remedy in remedies:
        score, uncut = _score_of(remedy)
        others = seen.setdefault(score, [uncut])
        cuts = [each.evaluation for each in remedy.yardsticks if each.kind in ONE_CUT]
        cuts += [remedy.after] if _is_cut_anew(remedy) else []
        for cut in cuts:
            cells = cells_of(sure(cut))
            if cut is remedy.after and any(_few_between(cells - other, minimum) for other in others):
                by_group.add(figures_key(cut))
            if any(_few_between((cells - other).sum().to_frame().T, minimum) for other in others):
                overall.add(figures_key(sure(cut)))
            others.append(cells)
    return by_group, overall


def _score_of(remedy: RemedyFinding) -> tuple[str, pd.DataFrame]:
    """Return the name of the score that simple rules cut, and the cells where it is cut as usual."""
    for yardstick in remedy.yardsticks:
        if yardstick.kind == "plain":
            return yardstick.learner or remedy.before.name, cells_of(sure(yardstick.evaluation))
    return remedy.before.name, cells_of(remedy.before)


def _is_cut_anew(remedy: RemedyFinding) -> bool:
    """Say whether a remedy cuts the score of the model before elsewhere, by the same ranking or as a simple rule."""
    if any(change.measure == "auc" and tuple(change.interval) == (0, 0) for change in remedy.changes):
        return True
    cuts = [each.evaluation for each in remedy.yardsticks if each.kind not in ("constant", "plain")]
    return any(cut is not None and figures_key(cut) == figures_key(remedy.after) for cut in cuts)


def _few_between(apart: pd.DataFrame, minimum: int) -> bool:
    return any(gives_people_away(abs(row.tp), abs(row.fp), minimum) for row in apart.itertuples())


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
