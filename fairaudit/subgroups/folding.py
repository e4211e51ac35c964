"""What is shown: the best of each ranking, without those that are mostly the same people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.subgroups.cells import Cells
from fairaudit.subgroups.chance import Chance
from fairaudit.subgroups.kinds import Ranking
from fairaudit.subgroups.levels import Levels
from fairaudit.subgroups.scores import RANKINGS
from fairaudit.subgroups.search import Found, Searched

SHOWN: Final = 3
"""Subgroups that each ranking shows."""

SAME: Final = 0.5
"""Two subgroups are mostly the same people where they share this much of all who are in either."""

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
        The rankings that show it.
    folded : list of Found
        Others that are mostly the same people.
    """

    found: Found
    inside: NDArray[np.bool_]
    rankings: list[Ranking]
    folded: list[Found] = field(default_factory=list)


def chosen(cells: Cells, columns: Sequence[Levels], searched: Searched, chance: Chance) -> list[Shown]:
    """Choose what is shown, the best first by ranking.

    The first of each ranking is always shown. A further one must be better than the best of most shuffles: each that is
    shown makes it harder for all others to stand out.
    """
    shown: list[Shown] = []
    for ranking in RANKINGS:
        n_shown, by_chance = 0, float(np.median(chance.best[ranking])) if chance.n_shuffles else 0.0
        for found in searched.best[ranking]:
            if n_shown == SHOWN or (n_shown and found.score <= by_chance):
                break
            inside = found.holds(cells.codes, columns)
            like = next((each for each in shown if _mostly_the_same(cells, each, found, inside)), None)
            if like is None:
                shown.append(Shown(found, inside, [ranking]))
                n_shown += 1
            elif (like.found.columns, like.found.literals) == (found.columns, found.literals):
                like.rankings.append(ranking)
                n_shown += 1
            elif len(like.folded) < NAMED:
                like.folded.append(found)
    return shown


def _mostly_the_same(cells: Cells, one: Shown, found: Found, inside: NDArray[np.bool_]) -> bool:
    """Say whether two subgroups share most people, or one is mostly everybody else with the opposite gap."""
    other = one.inside if one.found.sign == found.sign else ~one.inside
    either = int(cells.n[inside | other].sum())
    return int(cells.n[inside & other].sum()) >= SAME * either
