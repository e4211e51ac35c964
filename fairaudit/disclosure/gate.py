"""The small-cell rule: a copy of the findings in which small counts, and all that gives them away, are hidden.

Everything that is exported is made from this copy, so no text, chart or table can say more than it. A figure is shown
only if every count that it is computed from is shown; hidden figures are None.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fairaudit.audit.result import (
    AmountFinding,
    AuditResult,
    CheckFinding,
    ErrorsFinding,
)
from fairaudit.catalog import SECTIONS
from fairaudit.disclosure.counts import Counts
from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import HIDDEN, only_declared, replaced, without_counts, without_figures
from fairaudit.errors import DisclosureError, LimitError, quote
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
    ScoreComparison,
    StratifiedFairness,
)
from fairaudit.measure.strata import common_difference
from fairaudit.measure.verdicts_of_many import by_bonferroni
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import DataFacts, salted
from fairaudit.present.errors import with_group

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import Counts
    from fairaudit.plan.audit_plan import AuditPlan


# The common gap of strata some of which are hidden: rounded until what is hidden stays open.
#
# In full precision it would be one more equation between hidden counts. Of the tables of people that prove what stays
# open, only those count that have the same common gap and the same interval, both rounded; if these prove it as well,
# the rounded figures may be shown. Else they are rounded further, and if nothing helps, hidden.

STEPS = (0.001, 0.002, 0.005, 0.01, 0.02)
"""In what steps a share is rounded."""

Shown = tuple[float, Interval]


def equivalence_of(shown: Shown, confidence: float) -> Interval:
    """Return the interval of two one-sided tests that goes with a gap and its interval: it says nothing more."""
    value, ends = shown
    share = two_sided_z(max(2 * confidence - 1, 0.0)) / two_sided_z(confidence)
    low, high = (value + share * (end - value) for end in ends)
    return Interval(low, high)


def shown_common_gap(finding: CheckFinding, path: tuple, counts: Counts) -> Shown | None:
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


def _ends(found: Shown) -> tuple[float, float, float]:
    return found[0], *found[1]


def _rounded(found: Shown, step: float) -> Shown:
    value, low, high = (round(round(each / step) * step, 4) if math.isfinite(each) else each for each in _ends(found))
    return value, Interval(low, high)


def _reading(found: Shown, limit: float, confidence: float) -> tuple[float, ...]:
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


@dataclass(frozen=True, eq=False)
class MaskedResult(AuditResult):
    """An audit's findings after the small-cell rule; hidden numbers are None."""


def exported(result: AuditResult) -> AuditResult:
    """Return what of a result may leave the building under its plan."""
    rule = result.plan.small_cells
    clusters = [check.cluster for check in result.plan.checks if check.cluster is not None]
    if rule.mask and clusters:
        raise DisclosureError(
            f"Small counts are to be hidden, and a check allows for rows that depend on each other by the column "
            f"{quote(clusters[0])}: counts by that column could be worked out from its intervals.",
            hint="Choose no such column (cluster) in the checks, or do not hide small counts.",
        )
    if rule.mask and not isinstance(result, MaskedResult):
        result = masked(result, rule.minimum)
    return only_declared(result)


def masked(result: AuditResult, minimum: int) -> MaskedResult:
    """Return a copy of a result in which counts under `minimum` are hidden and cannot be worked out.

    Notes
    -----
    Counts are protected against working out from all figures of the result together, see
    :mod:`fairaudit.disclosure.ledger`. Not covered is what others know or publish about the same data.
    """
    # Imported on first use: only masking needs scipy's integer programs, which take a sixth of a second to import.
    from fairaudit.disclosure.counts import ROWS, Counts
    from fairaudit.disclosure.forms import masked_presets

    counts = Counts(result, minimum)
    mask = _Mask(counts)
    values = {field.name: getattr(result, field.name) for field in fields(AuditResult)}
    notes = shown_remarks(result.data.notes, "setting")
    fingerprint = None if result.data.fingerprint is None else salted(result.data.fingerprint)
    source = replaced(result.data.source, size_bytes=0)
    values["data"] = replaced(result.data, notes=(*notes, *counts.notes), source=source, fingerprint=fingerprint)
    recorded = result.plan.data.fingerprint and salted(result.plan.data.fingerprint)
    values["plan"] = _with_record(result.plan, fingerprint=recorded)
    if counts.hides(ROWS):
        values |= _without_rows(values["plan"], values["data"])
    values["checks"] = tuple(mask.check(finding, number) for number, finding in enumerate(result.checks))
    amounts = AmountMask(counts)
    values["amounts"] = tuple(amounts.finding(finding, number) for number, finding in enumerate(result.amounts))
    values["errors"] = tuple(mask.errors(finding, number) for number, finding in enumerate(result.errors))
    for section in SECTIONS:
        values[section.kind] = tuple(map(section.hide, section.found(result)))
        values["plan"] = section.hide_asked(values["plan"])
    if result.tried is not None:
        kind = result.plan.decision.kind
        values[kind.remedies] = kind.hide_remedies(result.tried, counts.cases)
    values["presets"] = masked_presets(result, counts)
    values["not_known"] = without_counts(result.not_known, "")
    return MaskedResult(**(values | {"quality": None, "people": None}))


class _Mask:
    """The counts to hide, applied to each part of a result."""

    def __init__(self, counts: Counts):
        self.counts = counts

    def check(self, finding: CheckFinding, number: int) -> CheckFinding:
        path = ("check", number)
        result = self.fairness(finding.result, path)
        groups = tuple(self.comparison(g, (*path, "groups", i)) for i, g in enumerate(finding.groups))
        strata = None
        if finding.strata is not None:
            strata = self.strata(finding.strata, (*path, "strata"), result)
            if strata.common_difference is None and result.difference is not None:
                strata = self.with_common_gap(strata, finding, (*path, "strata"))
        not_known = without_counts(finding.not_known, finding.result.protected_condition)
        return replaced(finding, result=result, groups=groups, strata=strata, not_known=not_known)

    def fairness(self, result: ControlledFairness, path: tuple) -> ControlledFairness:
        compared = self.compared(result, path)
        sizes = {
            "unknown": self.size((*path, "unknown"), result.unknown),
            "undecided": self.size((*path, "undecided"), result.undecided),
            "n_population": self.size((*path, "population"), result.n_population),
            "n_filtered_out": self.size((*path, "filtered_out"), result.n_filtered_out),
        }
        warnings = () if None in sizes.values() else compared.warnings
        return replaced(compared, warnings=warnings, not_known=(), **sizes)

    def comparison(self, comparison: GroupComparison, path: tuple) -> GroupComparison:
        rows = tuple(
            replaced(row, comparison=self.compared(row.shares, (*path, i))) for i, row in enumerate(comparison.rows)
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
            unknown=self.size((*path, "unknown"), comparison.unknown),
            undecided=self.size((*path, "undecided"), comparison.undecided),
        )

    def strata(self, strata: StratifiedFairness, path: tuple, pooled: ControlledFairness) -> StratifiedFairness:
        rows = tuple(
            replaced(
                row,
                comparison=self.compared(row.shares, (*path, i)),
                unknown=self.size((*path, i, "unknown"), row.unknown),
            )
            for i, row in enumerate(strata.strata)
        )
        if pooled.difference is None or any(row.difference is None for row in rows):
            strata = replaced(without_figures(strata), left_out=strata.left_out)
            read = by_bonferroni([row.shares for row in rows], sides_at)
            rows = tuple(replaced(row, comparison=each) for row, each in zip(rows, read, strict=True))
        return replaced(strata, pooled=pooled, strata=rows)

    def with_common_gap(self, strata: StratifiedFairness, finding: CheckFinding, path: tuple) -> StratifiedFairness:
        """Show the common gap of strata some of which are hidden, as far as what is hidden stays open."""
        found = shown_common_gap(finding, path, self.counts)
        if found is None:
            return strata
        difference, interval = found
        turned = strata.pooled.difference * difference < 0
        shown = {"common_difference": difference, "common_difference_interval": interval, "reversal": turned}
        narrow = equivalence_of(found, strata.pooled.confidence)
        return replaced(strata, **shown, common_equivalence_interval=narrow)

    def compared(self, comparison: Comparison, path: tuple) -> Any:
        sides = {side: self.ratio(getattr(comparison, side), (*path, side)) for side in ("protected", "reference")}
        whole = all(None not in (side.n, side.positives, side.undecided) for side in sides.values())
        if any(side.ratio is None for side in sides.values()):
            return replaced(without_figures(comparison), **sides)
        return replaced(comparison, **sides, warnings=shown_remarks(comparison.warnings, "figure") if whole else ())

    def ratio(self, ratio: GroupRatio, path: tuple) -> GroupRatio:
        cells, is_hidden = self.counts.cells(path), self.counts.is_hidden
        values: dict[str, Any] = {}
        if is_hidden(cells.good):
            values |= {"positives": None, "ratio": None, "interval": HIDDEN}
        if is_hidden(cells.n):
            values["n"] = None
        if is_hidden(cells.undecided):
            values["undecided"] = None
        return replaced(ratio, **values)

    def size(self, path: tuple, value: int) -> int | None:
        return None if self.counts.hides(path) else value

    def errors(self, finding: ErrorsFinding, number: int) -> ErrorsFinding:
        scores = None if finding.scores is None else self.scores(finding.scores)
        if finding.errors is None:
            return replaced(finding, scores=scores)
        errors = finding.errors
        counts = errors.counts.astype(object)
        gone = []
        for i, group in enumerate(counts["group"]):
            path = ("errors", number, i)
            if self.counts.is_hidden(self.counts.cells(path).good):
                gone.append(str(group))
                counts.loc[counts.index[i], ["tp", "fp", "tn", "fn"]] = None
            if self.counts.hides((*path, "unknown")):
                counts.loc[counts.index[i], "unknown"] = None
        sizes = [self.size(("errors", number, i, "n"), int(n)) for i, n in enumerate(with_group(errors.metrics)["n"])]
        metrics = _blank(with_group(errors.metrics), gone)
        metrics["n"] = pd.Series(sizes, index=metrics.index, dtype=object)
        whole = not gone and not counts.isna().to_numpy().any()
        shown = replaced(
            errors,
            counts=counts,
            metrics=metrics,
            intervals=_blank(with_group(errors.intervals), gone, keep=("group", "metric")),
            gaps=errors.gaps if not gone else errors.gaps.iloc[:0],
            warnings=shown_remarks(errors.warnings, "figure") if whole else (),
            not_known=without_counts(errors.not_known, ""),
        )
        costs = None if finding.costs is None else _blank(with_group(finding.costs), gone)
        return replaced(finding, errors=shown, scores=scores, costs=costs)

    def scores(self, scores: ScoreComparison) -> ScoreComparison:
        auc = scores.auc
        if self.counts.hides_any:
            auc = auc.iloc[:0]
        else:
            small = (auc["n_positive"] < self.counts.minimum) | (auc["n"] - auc["n_positive"] < self.counts.minimum)
            auc = _blank(auc, [str(group) for group in auc.loc[small, "group"]])
            auc[["n", "n_positive"]] = None
        return replaced(without_figures(scores), auc=auc)


def _with_record(plan: AuditPlan, **record: Any) -> AuditPlan:
    return plan.model_copy(update={"data": plan.data.model_copy(update=record)})


def _without_rows(plan: AuditPlan, data: DataFacts) -> dict[str, Any]:
    """Return a plan and facts without how many rows the data have."""
    mismatch = None if data.mismatch is None else "The data are not those that the plan was saved with."
    return {
        "plan": _with_record(plan, n_rows=None),
        "data": replaced(data, n_rows=None, mismatch=mismatch),
    }


def _blank(frame: pd.DataFrame, gone: list[str], *, keep: tuple[str, ...] = ("group",)) -> pd.DataFrame:
    frame = frame.astype(object)
    rows = frame["group"].map(str).isin(gone)
    frame.loc[rows, [name for name in frame.columns if name not in keep]] = None
    return frame
