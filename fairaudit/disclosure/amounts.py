"""The small-cell rule for amounts: a mean, its spread and its quartiles are shown only where the count behind them is.

Sums of amounts add up just as counts do: where the number of a few people cannot be worked out, neither can the sum of
what they have. A mean is hidden, too, where few people have an amount of their own, or one person may have half of all
(:mod:`fairaudit.disclosure.means`). Quartiles are rounded until several people have them
(:mod:`fairaudit.disclosure.means`). What similar people get is hidden as a whole: with the means of a stratum, it can
be what one person has.
"""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import AmountFinding
from fairaudit.disclosure.counts import Counts
from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import replaced, without_counts, without_figures
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.means import sides_at
from fairaudit.measure.period_results import PeriodComparison
from fairaudit.measure.results import ControlledMeans, GroupMean, GroupMeans, MeanComparison
from fairaudit.measure.verdicts_of_many import by_bonferroni


class AmountMask:
    """The counts to hide, applied to what was found about amounts.

    Parameters
    ----------
    counts : Counts
        Where each count stands, and which are hidden.
    """

    def __init__(self, counts: Counts):
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
            read = by_bonferroni([row.means for row in rows], sides_at)
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
            read = by_bonferroni([row.means for row in rows], sides_at)
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


def without_tolerances(result: PeriodComparison) -> PeriodComparison:
    """Return a comparison whose answers do not state the tolerance of amounts, which may be made of their spread."""
    sides = {name: getattr(result, name) for name in ("before", "after")}
    return replaced(
        result, **{n: replaced(a, tolerance=None) for n, a in sides.items() if isinstance(a, ControlledMeans)}
    )
