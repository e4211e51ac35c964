"""The small-cell rule for checks: which counts, shares, means and gaps are shown."""

from __future__ import annotations

import math
from typing import TypeAlias, TypeVar

import numpy as np

from fairaudit.audit.result import CheckFinding
from fairaudit.disclosure.counts import HiddenCounts
from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import HIDDEN, replaced, rounded, without_counts, without_figures
from fairaudit.disclosure.published import SaidGap
from fairaudit.errors import LimitError
from fairaudit.measure.gaps import read_alone
from fairaudit.measure.intervals import two_sided_z
from fairaudit.measure.levels import ControlledLevels
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    ControlledMeans,
    ControlledWaiting,
    GroupComparison,
    GroupMean,
    GroupRatio,
    GroupWaiting,
    Interval,
    MeanComparison,
    StratifiedFairness,
    as_kind,
)
from fairaudit.measure.strata import common_difference
from fairaudit.measure.waiting import interval_of_medians

_TIMES = ("quarter", "median", "three_quarters")
Path: TypeAlias = tuple[str | int, ...]
"""Where a count stands in the ledger."""
Compared = TypeVar("Compared", bound=Comparison | MeanComparison)
Whole = TypeVar("Whole", bound=ControlledFairness | ControlledMeans)
Strata = TypeVar("Strata", bound=StratifiedFairness | StratifiedMeans)

# The common gap of strata some of which are hidden: rounded until what is hidden stays open.
#
# In full precision it would be one more equation between hidden counts. Of the tables of people that prove what stays
# open, only those count that have the same common gap and the same interval, both rounded; if these prove it as well,
# the rounded figures may be shown. Else they are rounded further, and if nothing helps, hidden.

STEPS = (0.001, 0.002, 0.005, 0.01, 0.02)
"""In what steps a share is rounded."""

_SIDES = ("protected", "reference")
ShownGap = tuple[float, Interval]


def equivalence_of(shown: ShownGap, confidence: float) -> Interval:
    """Return the interval of two one-sided tests that goes with a gap and its interval: it says nothing more."""
    value, ends = shown
    share = two_sided_z(max(2 * confidence - 1, 0.0)) / two_sided_z(confidence)
    low, high = (value + share * (end - value) for end in ends)
    return Interval(low, high)


def shown_common_gap(finding: CheckFinding, path: Path, counts: HiddenCounts) -> ShownGap | None:
    """Return the common gap of strata and its interval as they may be shown; None where they may not.

    They read as what is true: where they stand to nothing and to the tolerance, the interval of tests included.

    `path` is where the strata stand.
    """
    strata, limit = finding.strata, finding.plan.tolerance
    if not isinstance(strata, StratifiedFairness) or finding.plan.cluster is not None or not counts.ledger.searches:
        # Neither means nor what depends on clusters follow from these counts.
        return None
    sides = [counts.cells((*path, i, side)) for i in range(len(strata.strata)) for side in _SIDES]
    numbers = np.array([number for cells in sides for number in (cells.good, cells.n)]).reshape(-1, 4)
    if not len(numbers) or (numbers < 0).any():
        return None
    confidence = strata.pooled.confidence
    true = common_difference(counts.ledger.searches[0].values[numbers], confidence)
    if not all(map(math.isfinite, _ends(true))):
        return None
    for step in STEPS:
        said = _rounded(true, step)
        if _reading(said, limit, confidence) != _reading(true, limit, confidence):
            continue
        try:
            before = [search.proofs for search in counts.ledger.searches]
            agreeing = (
                search.stays_open_among(
                    (
                        _rounded(common_difference((search.values + search.rows @ change)[numbers], confidence), step)
                        == said
                        for change in search.changes
                    ),
                    counts.hidden,
                )
                for search in counts.ledger.searches
            )
            if all(agreeing):
                return said
        except LimitError:
            return None
        for search, proofs in zip(counts.ledger.searches, before, strict=True):
            search.proofs = proofs
    return None


def said_gap(finding: CheckFinding, path: Path, counts: HiddenCounts) -> SaidGap | None:
    """Return what a common gap that is shown says of hidden counts; None where it says nothing of them."""
    if finding.strata is None:
        return None
    sides = [counts.cells((*path, i, side)) for i in range(len(finding.strata.strata)) for side in _SIDES]
    numbers = np.array([number for cells in sides for number in (cells.good, cells.n)]).reshape(-1, 4)
    if not any(map(counts.is_hidden, numbers.ravel().tolist())):
        return None
    said = shown_common_gap(finding, path, counts)
    if said is None:
        return None
    confidence = finding.strata.pooled.confidence
    true = common_difference(counts.ledger.searches[0].values[numbers], confidence)
    step = next(step for step in STEPS if _rounded(true, step) == said)
    return SaidGap(numbers, lambda found: _rounded(common_difference(found, confidence), step) == said)


def _ends(found: ShownGap) -> tuple[float, float, float]:
    return found[0], *found[1]


def _rounded(found: ShownGap, step: float) -> ShownGap:
    value, low, high = (round(round(each / step) * step, 4) if math.isfinite(each) else each for each in _ends(found))
    return value, Interval(low, high)


def _reading(found: ShownGap, limit: float, confidence: float) -> tuple[float, ...]:
    """Return how a gap and its intervals stand to nothing and to what is tolerated."""
    ends = (*_ends(found), *equivalence_of(found, confidence))
    return tuple(float(np.sign(each - at)) for each in ends for at in (-limit, 0.0, limit))


# The rule for a finding: a share, or a mean with its spread and its quartiles, is shown only where the counts behind it
# are.
#
# Sums of amounts add up just as counts do: where the number of a few people cannot be worked out, neither can the sum
# of what they have. A mean is hidden, too, where few people have an amount of their own, or one person may have half of
# all (:mod:`fairaudit.disclosure.means`). Quartiles are rounded until several people have them
# (:mod:`fairaudit.disclosure.means`). What similar people get is hidden as a whole: with the means of a stratum, it can
# be what one person has.


class CheckMask:
    """The counts to hide, applied to what a check found.

    Parameters
    ----------
    counts : HiddenCounts
        Where each count stands, and which are hidden.
    """

    def __init__(self, counts: HiddenCounts):
        self.counts = counts

    def finding(self, finding: CheckFinding, number: int) -> CheckFinding:
        """Return a finding, the `number`-th from 0, without what is hidden."""
        path = ("check", number)
        result = self._whole(finding.result, path)
        if self.counts.hides_any and finding.plan.limit(finding.decision.kind) is None:
            # In full precision the spread of all amounts could be held against that of the groups that are shown.
            result = replaced(result, tolerance=float(f"{result.tolerance:.2g}"))
        strata = None
        if finding.strata is not None:
            strata = self._strata(finding.strata, (*path, "strata"), result)
            if strata.common_difference is None and result.difference is not None:
                strata = self._with_common_gap(strata, finding, (*path, "strata"))
        groups = tuple(self._groups(g, (*path, "groups", i), result) for i, g in enumerate(finding.groups))
        # Who is similar to whom is in no count of the ledger: one woman may be all that a figure is about.
        similar = finding.similar and replaced(without_figures(finding.similar), n_alone=(None, None))
        not_known = without_counts(finding.not_known)
        levels = finding.levels and self._levels(finding.levels, (*path, "levels"), result)
        return replaced(
            finding, result=result, groups=groups, strata=strata, similar=similar, not_known=not_known, levels=levels
        )

    def _levels(self, levels: ControlledLevels, path: Path, result: Whole) -> ControlledLevels:
        """Return who got which level, each table whole or not at all: all is read beside all else of its table."""
        if result.difference is None or self.counts.hides_table((*path, "all")):
            return replaced(without_figures(levels), not_known=())
        within = levels.within
        if within is not None and self.counts.hides_table((*path, "within")):
            within = None
        places = [i for i in range(len(levels.by_group)) if not self.counts.hides_table((*path, "groups", i))]
        return replaced(
            levels,
            within=within,
            by_group=tuple(levels.by_group[i] for i in places),
            unknown=result.unknown,
            undecided=result.undecided,
            not_known=(),
        )

    def _whole(self, result: Whole, path: Path) -> Whole:
        if isinstance(result, ControlledWaiting) and not self._are_counted(result, path):
            # Which cases are open is in no count of the ledger then.
            return replaced(without_figures(result), warnings=(), not_known=())
        compared = self._compared(result, path)
        sizes = {
            "unknown": self._size((*path, "unknown"), result.unknown),
            "undecided": self._size((*path, "undecided"), result.undecided),
            "n_population": self._size((*path, "population"), result.n_population),
            "n_filtered_out": self._size((*path, "filtered_out"), result.n_filtered_out),
        }
        warnings = () if None in sizes.values() else compared.warnings
        return replaced(compared, warnings=warnings, not_known=(), **sizes)

    def _groups(
        self, groups: GroupComparison, path: Path, result: ControlledFairness | ControlledMeans
    ) -> GroupComparison:
        tolerance = {"tolerance": result.tolerance} if self.counts.hides_any else {}
        rows = tuple(
            replaced(row, comparison=replaced(self._compared(row.comparison, (*path, i)), **tolerance))
            for i, row in enumerate(groups.rows)
        )
        rows = tuple(replaced(row, small=None) if row.comparison.protected.n is None else row for row in rows)
        worst = groups.worst_pair
        if any(row.comparison.difference is None for row in rows):
            # Holm's method reads each group beside all others, so a reading could reveal something of what is hidden.
            read = read_alone([row.comparison for row in rows])
            rows = tuple(replaced(r, comparison=c, adjusted_p_value=None) for r, c in zip(rows, read, strict=True))
            worst = None
        return replaced(
            groups,
            rows=rows,
            worst_pair=worst,
            not_known=(),
            unknown=self._size((*path, "unknown"), groups.unknown),
            undecided=self._size((*path, "undecided"), groups.undecided),
        )

    def _strata(self, strata: Strata, path: Path, pooled: ControlledFairness | ControlledMeans) -> Strata:
        rows = tuple(
            replaced(
                row,
                comparison=replaced(self._compared(row.comparison, (*path, i)), tolerance=pooled.tolerance),
                unknown=self._size((*path, i, "unknown"), row.unknown),
            )
            for i, row in enumerate(strata.strata)
        )
        if pooled.difference is None or any(row.difference is None for row in rows):
            strata = replaced(without_figures(strata), left_out=strata.left_out)
            read = read_alone([row.comparison for row in rows])
            rows = tuple(replaced(row, comparison=each) for row, each in zip(rows, read, strict=True))
        return replaced(strata, pooled=pooled, strata=rows)

    def _with_common_gap(self, strata: Strata, finding: CheckFinding, path: Path) -> Strata:
        """Show the common gap of strata some of which are hidden, as far as what is hidden stays open."""
        found = shown_common_gap(finding, path, self.counts)
        if found is None:
            return strata
        difference, interval = found
        turned = strata.pooled.difference * difference < 0
        shown = {"common_difference": difference, "common_difference_interval": interval, "reversal": turned}
        narrow = equivalence_of(found, strata.pooled.confidence)
        return replaced(strata, **shown, common_equivalence_interval=narrow)

    def _compared(self, comparison: Compared, path: Path) -> Compared:
        if isinstance(comparison, ControlledWaiting):
            return as_kind(type(comparison), self._waiting(comparison, path))
        sides = {side: self._side(getattr(comparison, side), (*path, side)) for side in ("protected", "reference")}
        if any(side.value is None for side in sides.values()):
            return replaced(without_figures(comparison), **sides)
        whole = all(None not in side.counts for side in sides.values())
        return replaced(comparison, **sides, warnings=shown_remarks(comparison.warnings, "figure") if whole else ())

    def _are_counted(self, result: ControlledWaiting, path: Path) -> bool:
        """Say whether open cases are those without a time, whose counts are shown."""
        for side in ("protected", "reference"):
            group, cells = getattr(result, side), self.counts.cells((*path, side))
            if self.counts.is_hidden(cells.n) or self.counts.is_hidden(cells.undecided):
                return False
            n, n_open = (self.counts.ledger.value(number) for number in (cells.n, cells.undecided))
            if (group.n, group.n_open, group.undecided) != (n + n_open, n_open, 0):
                return False
        return True

    def _waiting(self, result: ControlledWaiting, path: Path) -> ControlledWaiting:
        """Return times in the steps that several people share, and what follows from these alone."""
        sides = {side: self._waited(getattr(result, side), (*path, side)) for side in ("protected", "reference")}
        ends = [end for side in sides.values() for end in (side.median, *side.interval)]
        if None in ends:
            return replaced(without_figures(result), **sides)
        own, rest = sides.values()
        interval = interval_of_medians(own.median, own.interval, rest.median, rest.interval)
        return replaced(
            result,
            **sides,
            difference=own.median - rest.median,
            difference_interval=interval,
            equivalence_interval=HIDDEN,
            ratio=None,
            p_value=rounded(result.p_value),
            log_rank=rounded(result.log_rank),
            log_rank_within=None,
            p_value_within=None,
            within_tolerance=None,
        )

    def _waited(self, group: GroupWaiting, path: Path) -> GroupWaiting:
        column, n = self.counts.result.plan.decision.column, self.counts.cells(path).n
        times = {name: self.counts.shared(getattr(group, name), n, column) for name in _TIMES}
        low, high = (self.counts.shared(end, n, column) for end in group.interval)
        interval = HIDDEN if low is None or high is None else Interval(low, high)
        return replaced(group, interval=interval, is_rounded=True, **times)

    def _side(self, group: GroupRatio | GroupMean, path: Path) -> GroupRatio | GroupMean:
        shown = self._ratio(group, path) if isinstance(group, GroupRatio) else self._mean(group, path)
        return replaced(shown, undecided=None) if self.counts.is_hidden(self.counts.cells(path).undecided) else shown

    def _ratio(self, ratio: GroupRatio, path: Path) -> GroupRatio:
        cells, is_hidden = self.counts.cells(path), self.counts.is_hidden
        if is_hidden(cells.good):
            ratio = replaced(ratio, positives=None, ratio=None, interval=HIDDEN)
        return replaced(ratio, n=None) if is_hidden(cells.n) else ratio

    def _mean(self, mean: GroupMean, path: Path) -> GroupMean:
        cells = self.counts.cells(path)
        if self.counts.is_hidden(cells.n):
            return replaced(without_figures(mean), undecided=mean.undecided)
        column = self.counts.result.plan.decision.column
        quartiles = {
            name: self.counts.shared(getattr(mean, name), cells.n, column)
            for name in ("quarter", "median", "three_quarters")
        }
        is_rounded = any(value not in (None, getattr(mean, name)) for name, value in quartiles.items())
        return replaced(mean, is_rounded=is_rounded, **quartiles)

    def _size(self, path: Path, value: int) -> int | None:
        return None if self.counts.hides(path) else value
