"""The small-cell rule for checks: which counts, shares, means and gaps are shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from fairaudit.audit.result import (
    AmountFinding,
    CheckFinding,
)
from fairaudit.disclosure.counts import HiddenCounts
from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import HIDDEN, replaced, without_counts, without_figures
from fairaudit.errors import LimitError
from fairaudit.measure.comparison import sides_at
from fairaudit.measure.intervals import two_sided_z
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.means import sides_at as sides_of_means
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    ControlledMeans,
    GroupComparison,
    GroupMean,
    GroupMeans,
    GroupRatio,
    Interval,
    MeanComparison,
    StratifiedFairness,
)
from fairaudit.measure.strata import common_difference
from fairaudit.measure.verdicts_of_many import by_bonferroni

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts

# The common gap of strata some of which are hidden: rounded until what is hidden stays open.
#
# In full precision it would be one more equation between hidden counts. Of the tables of people that prove what stays
# open, only those count that have the same common gap and the same interval, both rounded; if these prove it as well,
# the rounded figures may be shown. Else they are rounded further, and if nothing helps, hidden.

STEPS = (0.001, 0.002, 0.005, 0.01, 0.02)
"""In what steps a share is rounded."""

ShownGap = tuple[float, Interval]


def equivalence_of(shown: ShownGap, confidence: float) -> Interval:
    """Return the interval of two one-sided tests that goes with a gap and its interval: it says nothing more."""
    value, ends = shown
    share = two_sided_z(max(2 * confidence - 1, 0.0)) / two_sided_z(confidence)
    low, high = (value + share * (end - value) for end in ends)
    return Interval(low, high)


def shown_common_gap(finding: CheckFinding, path: tuple, counts: HiddenCounts) -> ShownGap | None:
    """Return the common gap of strata and its interval as they may be shown; None where they may not.

    They read as what is true: where they stand to nothing and to the tolerance, the interval of tests included.

    `path` is where the strata stand.
    """
    strata, limit = finding.strata, finding.plan.tolerance
    if strata is None or finding.plan.cluster is not None or not counts.ledger.searches:
        return None
    sides = [counts.cells((*path, i, side)) for i in range(len(strata.strata)) for side in ("protected", "reference")]
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


def _ends(found: ShownGap) -> tuple[float, float, float]:
    return found[0], *found[1]


def _rounded(found: ShownGap, step: float) -> ShownGap:
    value, low, high = (round(round(each / step) * step, 4) if math.isfinite(each) else each for each in _ends(found))
    return value, Interval(low, high)


def _reading(found: ShownGap, limit: float, confidence: float) -> tuple[float, ...]:
    """Return how a gap and its intervals stand to nothing and to what is tolerated."""
    ends = (*_ends(found), *equivalence_of(found, confidence))
    return tuple(float(np.sign(each - at)) for each in ends for at in (-limit, 0.0, limit))


# The small-cell rule for amounts: a mean, its spread and its quartiles are shown only where the count behind them is.
#
# Sums of amounts add up just as counts do: where the number of a few people cannot be worked out, neither can the sum
# of what they have. A mean is hidden, too, where few people have an amount of their own, or one person may have half of
# all (:mod:`fairaudit.disclosure.means`). Quartiles are rounded until several people have them
# (:mod:`fairaudit.disclosure.means`). What similar people get is hidden as a whole: with the means of a stratum, it can
# be what one person has.


class AmountMask:
    """The counts to hide, applied to what was found about amounts.

    Parameters
    ----------
    counts : HiddenCounts
        Where each count stands, and which are hidden.
    """

    def __init__(self, counts: HiddenCounts):
        self.counts = counts

    def finding(self, finding: AmountFinding, number: int) -> AmountFinding:
        """Return a finding, the `number`-th from 0, without what is hidden."""
        path = ("check", number)
        result = self._means(finding.result, path)
        if self.counts.hides_any and finding.plan.amount_tolerance is None:
            # In full precision the spread of all amounts could be held against that of the groups that are shown.
            result = replaced(result, tolerance=float(f"{result.tolerance:.2g}"))
        strata = finding.strata and self._strata(finding.strata, (*path, "strata"), result)
        groups = tuple(self._groups(g, (*path, "groups", i), result) for i, g in enumerate(finding.groups))
        # Who is similar to whom is in no count of the ledger: one woman may be all that a figure is about.
        similar = finding.similar and replaced(without_figures(finding.similar), n_alone=(None, None), not_known=())
        not_known = without_counts(finding.not_known, finding.result.protected_condition)
        return replaced(finding, result=result, groups=groups, strata=strata, similar=similar, not_known=not_known)

    def _means(self, result: ControlledMeans, path: tuple) -> ControlledMeans:
        compared = self._compared(result, path)
        sizes = {
            "unknown": self._size((*path, "unknown"), result.unknown),
            "undecided": self._size((*path, "undecided"), result.undecided),
            "n_population": self._size((*path, "population"), result.n_population),
            "n_filtered_out": self._size((*path, "filtered_out"), result.n_filtered_out),
        }
        warnings = () if None in sizes.values() else compared.warnings
        didi = None if compared.difference is None else result.didi
        return replaced(compared, warnings=warnings, didi=didi, not_known=(), **sizes)

    def _groups(self, groups: GroupMeans, path: tuple, result: ControlledMeans) -> GroupMeans:
        tolerance = {"tolerance": result.tolerance} if self.counts.hides_any else {}
        rows = tuple(
            replaced(row, comparison=replaced(self._compared(row.means, (*path, i)), **tolerance))
            for i, row in enumerate(groups.rows)
        )
        rows = tuple(replaced(row, small=None) if row.comparison.protected.n is None else row for row in rows)
        worst = groups.worst_pair
        if any(row.comparison.difference is None for row in rows):
            # Holm's method reads each group beside all others, so a reading could reveal something of what is hidden.
            read = by_bonferroni([row.means for row in rows], sides_of_means)
            rows = tuple(replaced(r, comparison=c, adjusted_p_value=None) for r, c in zip(rows, read, strict=True))
            worst = None
        unknown = self._size((*path, "unknown"), groups.unknown)
        undecided = self._size((*path, "undecided"), groups.undecided)
        return replaced(groups, rows=rows, worst_pair=worst, unknown=unknown, undecided=undecided)

    def _strata(self, strata: StratifiedMeans, path: tuple, pooled: ControlledMeans) -> StratifiedMeans:
        tolerance = {"tolerance": pooled.tolerance}
        rows = tuple(
            replaced(
                row,
                comparison=replaced(self._compared(row.means, (*path, i)), **tolerance),
                unknown=self._size((*path, i, "unknown"), row.unknown),
            )
            for i, row in enumerate(strata.strata)
        )
        if pooled.difference is None or any(row.difference is None for row in rows):
            strata = replaced(without_figures(strata), left_out=strata.left_out)
            read = by_bonferroni([row.means for row in rows], sides_of_means)
            rows = tuple(replaced(row, comparison=each) for row, each in zip(rows, read, strict=True))
        return replaced(strata, pooled=pooled, strata=rows)

    def _compared(self, comparison: MeanComparison, path: tuple) -> Any:
        sides = {side: self._group(getattr(comparison, side), (*path, side)) for side in ("protected", "reference")}
        if any(side.n is None for side in sides.values()):
            return replaced(without_figures(comparison), **sides)
        whole = all(side.undecided is not None for side in sides.values())
        return replaced(comparison, **sides, warnings=shown_remarks(comparison.warnings, "figure") if whole else ())

    def _group(self, group: GroupMean, path: tuple) -> GroupMean:
        cells = self.counts.cells(path)
        undecided = None if self.counts.is_hidden(cells.undecided) else group.undecided
        if self.counts.is_hidden(cells.n):
            return replaced(without_figures(group), undecided=undecided)
        column = self.counts.result.plan.decision.column
        quartiles = {
            name: self.counts.shared(getattr(group, name), cells.n, column)
            for name in ("quarter", "median", "three_quarters")
        }
        is_rounded = any(value not in (None, getattr(group, name)) for name, value in quartiles.items())
        return replaced(group, undecided=undecided, is_rounded=is_rounded, **quartiles)

    def _size(self, path: tuple, value: int) -> int | None:
        return None if self.counts.hides(path) else value


# The small-cell rule for shares.


class ShareMask:
    """The counts to hide, applied to what was found about shares."""

    def __init__(self, counts: HiddenCounts):
        self.counts = counts

    def finding(self, finding: CheckFinding, number: int) -> CheckFinding:
        """Return a finding, the `number`-th from 0, without what is hidden."""
        path = ("check", number)
        result = self._fairness(finding.result, path)
        groups = tuple(self._comparison(g, (*path, "groups", i)) for i, g in enumerate(finding.groups))
        strata = None
        if finding.strata is not None:
            strata = self._strata(finding.strata, (*path, "strata"), result)
            if strata.common_difference is None and result.difference is not None:
                strata = self._with_common_gap(strata, finding, (*path, "strata"))
        not_known = without_counts(finding.not_known, finding.result.protected_condition)
        return replaced(finding, result=result, groups=groups, strata=strata, not_known=not_known)

    def _fairness(self, result: ControlledFairness, path: tuple) -> ControlledFairness:
        compared = self._compared(result, path)
        sizes = {
            "unknown": self._size((*path, "unknown"), result.unknown),
            "undecided": self._size((*path, "undecided"), result.undecided),
            "n_population": self._size((*path, "population"), result.n_population),
            "n_filtered_out": self._size((*path, "filtered_out"), result.n_filtered_out),
        }
        warnings = () if None in sizes.values() else compared.warnings
        return replaced(compared, warnings=warnings, not_known=(), **sizes)

    def _comparison(self, comparison: GroupComparison, path: tuple) -> GroupComparison:
        rows = tuple(
            replaced(row, comparison=self._compared(row.shares, (*path, i))) for i, row in enumerate(comparison.rows)
        )
        rows = tuple(replaced(row, small=None) if row.comparison.protected.n is None else row for row in rows)
        worst = comparison.worst_pair
        if any(row.comparison.difference is None for row in rows):
            # Holm's method reads each group beside all others, so a reading could reveal something of what is hidden.
            read = by_bonferroni([row.shares for row in rows], sides_at)
            rows = tuple(replaced(r, comparison=c, adjusted_p_value=None) for r, c in zip(rows, read, strict=True))
            worst = None
        return replaced(
            comparison,
            rows=rows,
            worst_pair=worst,
            not_known=(),
            unknown=self._size((*path, "unknown"), comparison.unknown),
            undecided=self._size((*path, "undecided"), comparison.undecided),
        )

    def _strata(self, strata: StratifiedFairness, path: tuple, pooled: ControlledFairness) -> StratifiedFairness:
        rows = tuple(
            replaced(
                row,
                comparison=self._compared(row.shares, (*path, i)),
                unknown=self._size((*path, i, "unknown"), row.unknown),
            )
            for i, row in enumerate(strata.strata)
        )
        if pooled.difference is None or any(row.difference is None for row in rows):
            strata = replaced(without_figures(strata), left_out=strata.left_out)
            read = by_bonferroni([row.shares for row in rows], sides_at)
            rows = tuple(replaced(row, comparison=each) for row, each in zip(rows, read, strict=True))
        return replaced(strata, pooled=pooled, strata=rows)

    def _with_common_gap(self, strata: StratifiedFairness, finding: CheckFinding, path: tuple) -> StratifiedFairness:
        """Show the common gap of strata some of which are hidden, as far as what is hidden stays open."""
        found = shown_common_gap(finding, path, self.counts)
        if found is None:
            return strata
        difference, interval = found
        turned = strata.pooled.difference * difference < 0
        shown = {"common_difference": difference, "common_difference_interval": interval, "reversal": turned}
        narrow = equivalence_of(found, strata.pooled.confidence)
        return replaced(strata, **shown, common_equivalence_interval=narrow)

    def _compared(self, comparison: Comparison, path: tuple) -> Any:
        sides = {side: self._ratio(getattr(comparison, side), (*path, side)) for side in ("protected", "reference")}
        whole = all(None not in (side.n, side.positives, side.undecided) for side in sides.values())
        if any(side.ratio is None for side in sides.values()):
            return replaced(without_figures(comparison), **sides)
        return replaced(comparison, **sides, warnings=shown_remarks(comparison.warnings, "figure") if whole else ())

    def _ratio(self, ratio: GroupRatio, path: tuple) -> GroupRatio:
        cells, is_hidden = self.counts.cells(path), self.counts.is_hidden
        values: dict[str, Any] = {}
        if is_hidden(cells.good):
            values |= {"positives": None, "ratio": None, "interval": HIDDEN}
        if is_hidden(cells.n):
            values["n"] = None
        if is_hidden(cells.undecided):
            values["undecided"] = None
        return replaced(ratio, **values)

    def _size(self, path: tuple, value: int) -> int | None:
        return None if self.counts.hides(path) else value
