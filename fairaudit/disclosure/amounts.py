"""The small-cell rule for amounts: a mean, its spread and its quartiles are shown only where the count behind them is.

The counts are tied together as those of shares are (:mod:`fairaudit.disclosure.count_equations`). Sums of amounts add
up just as counts do, so where no small count can be worked out, neither can the sum behind its mean. Quartiles that are
shown have two digits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from fairaudit.audit.result import AmountFinding, AuditResult
from fairaudit.disclosure.count_equations import PART, SIZE, Cells, CountTies
from fairaudit.disclosure.hidden import rounded, without_counts, without_figures
from fairaudit.disclosure.means_of_few import has_few_of_two
from fairaudit.measure.evidence_of_many import by_bonferroni
from fairaudit.measure.mean_comparison import evidence_at
from fairaudit.measure.mean_results import ControlledMeans, GroupMean, MeanComparison
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import GroupMeans, GroupRatio
from fairaudit.measure.similar import SimilarAmounts


@dataclass(frozen=True)
class AmountCounts(GroupRatio):
    """The counts of a group with amounts.

    `reveals` says that its mean shows what some people have: all have one amount, or there are two and few have one.
    """

    reveals: bool = False


class AmountTies(CountTies):
    """The ledger of an audit of amounts, and where each of its counts stands in the result.

    Parameters
    ----------
    result : AuditResult
        What a run found, with amounts.
    minimum : int
        Counts under it are small.
    """

    def __init__(self, result: AuditResult, minimum: int):
        super().__init__(
            replace(result, checks=tuple(_counted(each, minimum) for each in result.amounts), amounts=()), minimum
        )

    def _group(self, path: tuple, ratio: AmountCounts, rank: int, loss: int) -> Cells:
        n, undecided, count = ratio.n, ratio.undecided, self.ledger.count
        key = ("group", n, 0, undecided, rank)
        few = n > 0 and (n < self.minimum or ratio.reveals)
        parts = (
            count(n, key=(*key, 0)),
            count(0, key=(*key, 1)),
            count(undecided, key=(*key, 2), cost=SIZE + loss, small=0 < undecided < self.minimum),
            count(n, key=(*key, 3), cost=PART + loss, small=few),
            count(n + undecided, key=(*key, 4)),
        )
        self._whole(parts)
        # There is no outcome, so nobody has the other one.
        self.ledger.tie([parts[1]], [])
        self.groups[path] = Cells(parts)
        return self.groups[path]


class AmountMask:
    """The counts to hide, applied to what was found about amounts.

    Parameters
    ----------
    ties : AmountTies
        Where each count stands.
    hidden : set of int
        The counts to hide.
    """

    def __init__(self, ties: AmountTies, hidden: set[int]):
        self.ties = ties
        self.hidden = hidden

    def finding(self, finding: AmountFinding, number: int) -> AmountFinding:
        """Return a finding, the `number`-th from 0, without what is hidden."""
        path = ("check", number)
        result = self._means(finding.result, path)
        if self.hidden and finding.plan.amount_tolerance is None:
            # In full precision the spread of all amounts could be held against that of the groups that are shown.
            result = replace(result, tolerance=float(f"{result.tolerance:.2g}"))
        strata = finding.strata and self._strata(finding.strata, (*path, "strata"), result)
        groups = tuple(self._groups(g, (*path, "groups", i), result) for i, g in enumerate(finding.groups))
        similar = finding.similar and self._similar(finding.similar, result)
        not_known = without_counts(finding.not_known, finding.result.protected_condition)
        return replace(finding, result=result, groups=groups, strata=strata, similar=similar, not_known=not_known)

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
        return replace(compared, warnings=warnings, didi=didi, **sizes)

    def _groups(self, groups: GroupMeans, path: tuple, result: ControlledMeans) -> GroupMeans:
        tolerance = {"tolerance": result.tolerance} if self.hidden else {}
        rows = tuple(
            replace(row, comparison=replace(self._compared(row.comparison, (*path, i)), **tolerance))
            for i, row in enumerate(groups.rows)
        )
        rows = tuple(replace(row, small=None) if row.comparison.protected.n is None else row for row in rows)
        worst = groups.worst_pair
        if any(row.comparison.difference is None for row in rows):
            # Holm's method reads each group beside all others, so a reading could reveal something of what is hidden.
            read = by_bonferroni([row.comparison for row in rows], evidence_at)
            rows = tuple(replace(r, comparison=c, adjusted_p_value=None) for r, c in zip(rows, read, strict=True))
            worst = None
        unknown = self._size((*path, "unknown"), groups.unknown)
        undecided = self._size((*path, "undecided"), groups.undecided)
        return replace(groups, rows=rows, worst_pair=worst, unknown=unknown, undecided=undecided)

    def _strata(self, strata: StratifiedMeans, path: tuple, pooled: ControlledMeans) -> StratifiedMeans:
        tolerance = {"tolerance": pooled.tolerance}
        rows = tuple(
            replace(
                row,
                comparison=replace(self._compared(row.comparison, (*path, i)), **tolerance),
                unknown=self._size((*path, i, "unknown"), row.unknown),
            )
            for i, row in enumerate(strata.strata)
        )
        if pooled.difference is None or any(row.difference is None for row in rows):
            strata = replace(without_figures(strata), left_out=strata.left_out)
        return replace(strata, pooled=pooled, strata=rows)

    def _similar(self, similar: SimilarAmounts, result: ControlledMeans) -> SimilarAmounts:
        if result.difference is None:
            return replace(without_figures(similar), n_alone=(None, None))
        alone = tuple(None if 0 < n < self.ties.minimum else n for n in similar.n_alone)
        return replace(similar, n_alone=alone)

    def _compared(self, comparison: MeanComparison, path: tuple) -> Any:
        sides = {side: self._group(getattr(comparison, side), (*path, side)) for side in ("protected", "reference")}
        if any(side.n is None for side in sides.values()):
            return replace(without_figures(comparison), **sides)
        whole = all(side.undecided is not None for side in sides.values())
        return replace(comparison, **sides, warnings=comparison.warnings if whole else ())

    def _group(self, group: GroupMean, path: tuple) -> GroupMean:
        cells = self.ties.groups[path]
        undecided = None if cells.parts[2] in self.hidden else group.undecided
        if cells.n in self.hidden:
            return replace(without_figures(group), undecided=undecided)
        # A quartile is what one person has: with two digits it is what many may have.
        quartiles = {name: rounded(getattr(group, name)) for name in ("quarter", "median", "three_quarters")}
        return replace(group, undecided=undecided, **quartiles)

    def _size(self, path: tuple, value: int) -> int | None:
        return None if self.ties.sizes[path] in self.hidden else value


def _counted(finding: AmountFinding, minimum: int) -> AmountFinding:
    """Return a finding with the counts of its groups in place of their means."""

    def counted(row: Any) -> Any:
        return replace(row, comparison=_sides(row.comparison, minimum))

    strata = finding.strata and replace(finding.strata, strata=tuple(map(counted, finding.strata.strata)))
    groups = tuple(replace(table, rows=tuple(map(counted, table.rows))) for table in finding.groups)
    return replace(finding, result=_sides(finding.result, minimum), groups=groups, strata=strata)


def _sides(comparison: MeanComparison, minimum: int) -> Any:
    both = (comparison.protected, comparison.reference)
    counts = {
        side: AmountCounts(
            group.name,
            group.n,
            group.n,
            1.0,
            group.interval,
            group.undecided,
            reveals=group.n > 0 and has_few_of_two(group, both, minimum),
        )
        for side, group in zip(("protected", "reference"), both, strict=True)
    }
    return replace(comparison, **counts)
