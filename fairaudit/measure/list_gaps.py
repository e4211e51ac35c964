"""The gap between two groups among the first of lists: over all lists, and over those of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairaudit.disclosure.fields import AS_ABOVE, figure
from fairaudit.measure.grouping import check_group_count
from fairaudit.measure.intervals import Floats, holm
from fairaudit.measure.places import (
    EXACT_STEPS,
    Bools,
    Ints,
    by_chance,
    common_gap,
    exact_first_p_value,
    exact_tied_p_value,
)
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import Interval
from fairaudit.measure.verdicts import Side, Verdict, equivalence_confidence, side_of, verdict_by
from fairaudit.measure.verdicts_of_many import readings_by_holm


@dataclass(frozen=True)
class ListsAsked:
    """What is asked of lists: how many are first, the columns of kinds, tolerance and confidence."""

    first: int
    kinds: tuple[str, ...]
    tolerance: float
    confidence: float


@dataclass(frozen=True, eq=False)
class FirstPlaces:
    """Who is among the first of lists with both groups. Shapes: all (n,).

    Parameters
    ----------
    lists : ndarray of int
        The list of each case, 0 to n_lists - 1; each occurs where gaps are worked out.
    protected : ndarray of bool
        Who is protected.
    chance : ndarray
        The chance of each to be among the first.
    tied : ndarray of int
        How many of its list share its place.
    """

    lists: Ints
    protected: Bools
    chance: Floats
    tied: Ints

    def of(self, kept: Bools) -> FirstPlaces:
        """Return some of the cases."""
        return FirstPlaces(self.lists[kept], self.protected[kept], self.chance[kept], self.tied[kept]).renumbered()

    def renumbered(self) -> FirstPlaces:
        """Return the same with lists numbered without those that do not occur."""
        return replace(self, lists=np.unique(self.lists, return_inverse=True)[1])


@dataclass(frozen=True, eq=False)
class ListGap:
    """The gap of some lists, its p-value, and what its intervals need."""

    cells: Floats
    p_value: float
    is_exact: bool
    is_comparable: bool
    by_lot: float
    shares: tuple[float, float]

    @property
    def sizes(self) -> tuple[int, int]:
        """Cases of both groups, the protected one first."""
        return int(self.cells[:, 1].sum()), int(self.cells[:, 3].sum())

    @property
    def n_first(self) -> tuple[float, float]:
        """Those of both groups among the first; cases that are alike count by their chance."""
        return float(self.cells[:, 0].sum()), float(self.cells[:, 2].sum())

    def interval(self, confidence: float) -> Interval:
        """Return the interval of the gap."""
        return common_gap(self.cells, confidence)[1]

    def side(self, tolerance: float, confidence: float) -> Side:
        """Say where the gap stands to the tolerance."""
        return side_of(self.interval(confidence), self.interval(equivalence_confidence(confidence)), tolerance)

    def verdict(self, side: Side, confidence: float, p_value: float | None = None) -> Verdict:
        """Return the verdict; `p_value` is that among several gaps."""
        low, high = self.interval(confidence)
        likely = (self.p_value if p_value is None else p_value) <= 1 - confidence and not low <= 0 <= high
        return verdict_by(side, likely=likely, comparable=self.is_comparable)


def gap_of_lists(cases: FirstPlaces, *, most: int = EXACT_STEPS) -> ListGap:
    """Compare how often both groups are among the first; an exact p-value takes at most so many products."""
    lists, protected, chance = cases.lists, cases.protected, cases.chance
    own, n = (np.bincount(lists, weights=of).astype(np.int64) for of in (protected, np.ones(len(lists))))
    first_own, first_all = (np.bincount(lists, weights=of) for of in (chance * protected, chance))
    by_lot = by_chance(lists, protected, chance)
    if ((chance > 0) & (chance < 1)).any():
        p_value = exact_tied_p_value(lists, protected, chance, cases.tied, most=most)
    else:
        chosen, found = first_all.round().astype(np.int64), int(first_own.sum().round())
        p_value = exact_first_p_value(own, n, chosen, found, most=most)
    weight = own * (n - own) / n
    weight = weight / weight.sum()
    return ListGap(
        cells=np.column_stack([first_own, own, first_all - first_own, n - own]).astype(float),
        p_value=by_lot.p_value if p_value is None else p_value,
        is_exact=p_value is not None,
        is_comparable=by_lot.variance > 0,
        by_lot=by_lot.expected,
        shares=(float(weight @ (first_own / own)), float(weight @ ((first_all - first_own) / (n - own)))),
    )


@dataclass(frozen=True)
class KindOfList:
    """The gap in the lists of one kind."""

    name: str = figure("The values that make the kind.", label="kind", kind="text")
    n_lists: Hideable[int] = figure("Its lists that are compared.", label="lists", kind="count")
    n_protected: Hideable[int] = figure("Cases of the protected group in them.", label="protected", kind="count")
    n_others: Hideable[int] = figure("Those of the others.", label="others", kind="count")
    share_protected: float = figure("Of the protected group among the first.", label="share", kind="share")
    share_others: float = figure(AS_ABOVE, label="share, others", kind="share")
    difference: float = figure("The gap.", kind="points")
    difference_interval: Interval = figure("Of this kind by itself.", kind="points_interval")
    p_value: float = figure("Adjusted by Holm's method for all kinds.", label="p", kind="p")
    verdict: Hideable[Verdict] = figure("The verdict among all kinds.")


def gaps_of_kinds(
    cases: FirstPlaces, kinds: Sequence[str], kind_of_list: Ints, asked: ListsAsked
) -> tuple[KindOfList, ...]:
    """Compare both groups in the lists of each kind, with verdicts that allow for all of them by Holm's method.

    Parameters
    ----------
    cases : FirstPlaces
        The lists that are compared.
    kinds : sequence of str
        What kinds are called.
    kind_of_list : ndarray of int, shape (n_lists,)
        The kind of each list.
    asked : ListsAsked
        What is asked.
    """
    tolerance, confidence = asked.tolerance, asked.confidence
    of_case = kind_of_list[cases.lists]
    held = [kind for kind in range(len(kinds)) if (of_case == kind).any()]
    check_group_count(len(held), asked.kinds)
    gaps = [gap_of_lists(cases.of(of_case == kind), most=EXACT_STEPS // len(held)) for kind in held]
    adjusted = holm([gap.p_value for gap in gaps])
    sides = readings_by_holm(lambda level: [gap.side(tolerance, level) for gap in gaps], len(gaps), confidence)
    return tuple(
        KindOfList(
            name=kinds[kind],
            n_lists=len(gap.cells),
            n_protected=gap.sizes[0],
            n_others=gap.sizes[1],
            share_protected=gap.shares[0],
            share_others=gap.shares[1],
            difference=common_gap(gap.cells, confidence)[0],
            difference_interval=gap.interval(confidence),
            p_value=float(p_value),
            verdict=gap.verdict(side, confidence, float(p_value)),
        )
        for kind, gap, p_value, side in zip(held, gaps, adjusted, sides, strict=True)
    )
