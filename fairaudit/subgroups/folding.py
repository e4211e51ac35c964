"""What is shown: the best of each ranking, without those that are mostly the same people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.subgroups.cells import Cells
from fairaudit.subgroups.chance import Chance
from fairaudit.subgroups.kinds import Ranking
from fairaudit.subgroups.levels import Levels
from fairaudit.subgroups.scores import Population
from fairaudit.subgroups.search import Found, Searched

SHOWN: Final[dict[Ranking, int]] = {"evidence": 5, "people": 3, "gap": 3}
"""Subgroups that each ranking shows, at most; those that are asked last cost the others little."""

ORDER: Final[tuple[Ranking, ...]] = ("evidence", "people", "gap")
"""Rankings in the order in which their best are chosen: where two are mostly the same people, the clearest stays."""

SAME: Final = 0.5
"""Two subgroups are mostly the same people where they share this much of the smaller one."""

TWICE: Final = 2.0
"""A subgroup of the same people is shown beside a clearer one where its gap is as many times as large."""

NAMED: Final = 5
"""Folded subgroups that are named."""


@dataclass
class Shown:
    """A subgroup that is shown.

    Parameters
    ----------
    found : Found
        It.
    inside : ndarray of bool, shape (n_cells,)
        The cells that it holds in.
    rankings : list of str
        The rankings that show it, or whose first is mostly the same people.
    folded : list of Found
        Others that are mostly the same people.
    """

    found: Found
    inside: NDArray[np.bool_]
    rankings: list[Ranking]
    folded: list[Found] = field(default_factory=list)


def chosen(
    cells: Cells, columns: Sequence[Levels], population: Population, searched: Searched, chance: Chance
) -> list[Shown]:
    """Choose what is shown, the clearest on these rows first: that is the order in which the other rows are asked.

    The first of each ranking is always shown, itself or by one that is mostly the same people and clearer. A further
    one must be other people; by its gap or by people affected, it must also be better than the best of most shuffles.
    """
    shown: list[Shown] = []
    for ranking in ORDER:
        by_chance = 0.0 if ranking == "evidence" or not chance.n_shuffles else float(np.median(chance.best[ranking]))
        n_shown = 0
        for found in searched.best[ranking]:
            if n_shown == SHOWN[ranking] or (n_shown and found.score <= by_chance):
                break
            inside = found.holds(cells.codes, columns)
            like = next((each for each in shown if _mostly_the_same(cells, each, found, inside)), None)
            if like is None:
                shown.append(Shown(found, inside, [ranking]))
                n_shown += 1
                continue
            is_it = like.found.is_like(found)
            if ranking not in like.rankings and (is_it or not n_shown):
                like.rankings.append(ranking)
                n_shown += 1
            if not is_it and len(like.folded) < NAMED and not any(map(found.is_like, like.folded)):
                like.folded.append(found)
    return sorted(shown, key=lambda each: -_evidence(cells, population, each))


def _evidence(cells: Cells, population: Population, each: Shown) -> float:
    """Return the gap on the rows that were searched, in standard errors."""
    n, value = cells.n[each.inside], cells.value[each.inside]
    rows = np.array([float(n.sum())])
    excess = population.excess(rows, math.fsum((n * value).tolist()))
    return float(abs(excess * population.factor("evidence", rows))[0])


def _mostly_the_same(cells: Cells, one: Shown, found: Found, inside: NDArray[np.bool_]) -> bool:
    """Say whether most of the smaller of two subgroups are in the other one, or one is mostly everybody else.

    One whose gap is far larger than that of a clearer one is another answer to where it is worst. Everybody else, with
    the opposite gap, must share most of all who are in either: nearly all subgroups are part of so many.
    """
    if one.found.sign != found.sign:
        return _rows(cells, inside & ~one.inside) >= SAME * _rows(cells, inside | ~one.inside)
    smaller = min(_rows(cells, one.inside), _rows(cells, inside))
    is_more = abs(_gap(cells, inside)) >= TWICE * abs(_gap(cells, one.inside))
    return _rows(cells, one.inside & inside) >= SAME * smaller and not is_more


def _rows(cells: Cells, inside: NDArray[np.bool_]) -> int:
    return int(cells.n[inside].sum())


def _gap(cells: Cells, inside: NDArray[np.bool_]) -> float:
    """Return the share or mean of a subgroup less that of everybody else, on the rows that were searched."""
    sums = [math.fsum((cells.n[part] * cells.value[part]).tolist()) for part in (inside, ~inside)]
    return sums[0] / _rows(cells, inside) - sums[1] / _rows(cells, ~inside)
