"""What searches found: how grounds are compared, the verdict of each group, and the one that the answer is about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fairaudit.audit.result import InspectionFinding
from fairaudit.errors import require
from fairaudit.findings import Argument, Phrase, Share
from fairaudit.measure.inspections.results import HitRate, HitRateGap, OutcomeTest, VeilGap
from fairaudit.measure.verdicts import GAPS, ShownVerdict, verdict_of
from fairaudit.measure.within import gap_is_clear, holds_among

Basis = Literal["thresholds", "finds"]
Model = Literal["fits", "rough", "does_not_fit"]
Within = Literal["both", "turned", "gone", "only", "open"]
_ORDER = ("clear_gap", "gap_size_unclear", "too_few_to_tell", "no_gap_above_tolerance", "nothing_to_compare")


@dataclass(frozen=True)
class Row:
    """A group beside the one that it is compared with.

    Parameters
    ----------
    group : str
        Its name in the tables.
    difference, low, high : float
        Its threshold or hit rate minus that of the reference, and its range.
    verdict : ShownVerdict
        What may be read there, allowing for all groups.
    """

    group: str
    difference: float
    low: float
    high: float
    verdict: ShownVerdict


@dataclass(frozen=True)
class SearchesReading:
    """What searches found, without a sentence.

    Parameters
    ----------
    verdict : ShownVerdict
        Of the group that the answer is about.
    basis : {"thresholds", "finds"}
        Whether the grounds themselves are compared, as a model that fits infers them, or only what was found.
    rows : tuple of Row
        One for each group but the reference; a group that is shown as its verdict allows for all of them.
    leading : Row or None
        The one that the answer is about: the largest clear gap, else the first of the next verdict.
    model : {"fits", "rough", "does_not_fit"} or None
        Whether the model can be relied on; None where it was not asked for.
    within : {"both", "turned", "gone", "only", "open"} or None
        What becomes of a gap of finds among similar cases, where that is something else: it goes both ways, turns
        around, is gone, is clear there only, or is open as too few cases tell or most have no counterpart.
    gaps : tuple of str
        The verdicts that say that there is a gap, of any group: those that a command can fail on.
    """

    verdict: ShownVerdict
    basis: Basis
    rows: tuple[Row, ...] = ()
    leading: Row | None = None
    model: Model | None = None
    within: Within | None = None
    gaps: tuple[str, ...] = ()


def read_searches(finding: InspectionFinding) -> SearchesReading:
    """Read a finding, whole or as it leaves."""
    if is_hidden(finding):
        return SearchesReading("not_shown", "finds")
    model = _model(finding)
    if model == "fits":
        rows = threshold_rows(finding)
        leading = _leading(rows, {row.group: 0.0 for row in rows})
        gaps = tuple(row.verdict for row in rows if row.verdict in GAPS)
        return SearchesReading(leading.verdict, "thresholds", rows, leading, model, gaps=gaps)
    rows, test = find_rows(finding.outcome), finding.outcome
    n_strata = sum(len(gap.strata) for gap in test.gaps)
    within = {gap.name: _within(gap, n_strata) for gap in test.gaps}
    answers = {gap.name: _answer(gap, within[gap.name]) for gap in test.gaps}
    leading = _leading(rows, {gap.name: -float(gap.comparison.protected.n or 0) for gap in test.gaps}, answers)
    gaps = tuple(answer for answer in answers.values() if answer in GAPS)
    return SearchesReading(leading.verdict, "finds", rows, leading, model, within[leading.group], gaps)


def is_hidden(finding: InspectionFinding) -> bool:
    """Say whether the small-cell rule hides what was found."""
    n_acted: int | None = finding.outcome.n_acted
    return n_acted is None


def find_rows(test: OutcomeTest) -> tuple[Row, ...]:
    """Return the gap of finds of each group."""
    return tuple(
        Row(gap.name, gap.difference, *gap.comparison.difference_interval, verdict_of(gap.comparison))
        for gap in test.gaps
    )


def levels(finding: InspectionFinding, basis: Basis) -> dict[str, tuple[float, float, float]]:
    """Return the threshold or hit rate of each group, with its range."""
    if basis == "thresholds":
        rows = require(finding.thresholds).aggregate.itertuples()
        return {row.group: (row.threshold, row.low, row.high) for row in rows}
    return {rate.name: (rate.hits.ratio, *rate.hits.interval) for rate in finding.outcome.hit_rates}


def rate_of(finding: InspectionFinding, group: str) -> HitRate:
    """Return how often a group was looked at, and what was found."""
    return next(rate for rate in finding.outcome.hit_rates if rate.name == group)


def called(finding: InspectionFinding, group: str) -> Argument:
    """Return what a group is called."""
    name = dict(finding.groups).get(group)
    return Phrase(group) if name is None else name.said


def row_name(finding: InspectionFinding, group: str) -> Argument:
    """Return what a group is called beside a row: in few words where nobody has said it."""
    name = dict(finding.groups).get(group)
    return Phrase(group) if name is None else name.label if name.n_clauses else name.said


def tolerance_of(finding: InspectionFinding, basis: Basis) -> float:
    """Return the largest difference that counts as alike."""
    return require(finding.thresholds).tolerance if basis == "thresholds" else finding.outcome.tolerance


def digits_of(finding: InspectionFinding, reading: SearchesReading) -> int:
    """Return the fewest decimals by which the levels of a gap that is read differ in writing."""
    if reading.leading is None or reading.verdict not in GAPS:
        return 0
    level, reference = levels(finding, reading.basis), require(finding.outcome.reference)
    pair = [100 * level[name][0] for name in (reading.leading.group, reference)]
    return next((d for d in range(3) if round(pair[0], d) != round(pair[1], d)), 0)


def share(value: float, digits: int = 0) -> Share:
    """Return a share as sentences write it."""
    return Share(value, digits)


def veil_gap(finding: InspectionFinding) -> VeilGap:
    """Return the group that the answer about light is about: the clearest; where none is clear, that of most stops."""

    def place(gap: VeilGap) -> tuple[int, float]:
        is_gap = gap.verdict in GAPS
        size = abs(math.log(gap.odds_ratio)) if is_gap else float(gap.n_light + gap.n_dark)
        return _ORDER.index(gap.verdict), -size

    return min(require(finding.veil).gaps, key=place)


def _model(finding: InspectionFinding) -> Model | None:
    if finding.thresholds is None:
        return None
    checks = finding.thresholds.checks
    if checks.passed:
        return "fits"
    return "rough" if checks.rates_within else "does_not_fit"


def threshold_rows(finding: InspectionFinding) -> tuple[Row, ...]:
    """Return the gap of thresholds of each group, as the model infers it."""
    found = require(finding.thresholds)
    return tuple(Row(row.group, row.difference, row.low, row.high, row.verdict) for row in found.gaps.itertuples())


def _leading(
    rows: tuple[Row, ...], ties: Mapping[str, float], answers: Mapping[str, ShownVerdict | None] | None = None
) -> Row:
    """Return the row that the answer is about, by what may be read of each; None of one that similar cases undo."""

    def place(row: Row) -> tuple[float, float, float]:
        size = abs(row.difference) if math.isfinite(row.difference) else 0.0
        read = row.verdict if answers is None else answers[row.group]
        order = _ORDER.index(read) if read is not None else len(GAPS) - 0.5
        return (order, -size if read in GAPS or read is None else ties[row.group], -size)

    return min(rows, key=place)


def _within(gap: HitRateGap, n_strata: int) -> Within | None:
    """Return what similar cases say otherwise than all: the rule of a check, allowing for all groups and strata."""
    if gap.common_verdict is None or not math.isfinite(gap.common_difference):
        return None
    inside = [row.comparison for row in gap.strata]
    clear = [each for each in inside if gap_is_clear(each) and holds_among(each, n_strata)]
    if len({each.difference > 0 for each in clear}) == 2:
        return "both"
    verdict = gap.comparison.verdict
    low, high = gap.common_difference_interval
    if gap.common_verdict == "no_gap_above_tolerance":
        if verdict not in GAPS:
            return None
        return "gone" if _holds_most(gap) else "open"
    is_sure = not low <= 0 <= high and gap.common_p_value < 1 - gap.comparison.confidence
    if is_sure and gap.reversal:
        return "turned"
    if verdict == "clear_gap":
        return None if is_sure else "open"
    return "only" if gap.common_verdict == "clear_gap" else None


def _holds_most(gap: HitRateGap) -> bool:
    """Return whether at least half of the cases are in strata where both groups were looked at."""
    inside = sum(side.n for row in gap.strata for side in (row.comparison.protected, row.comparison.reference))
    return bool(2 * inside >= gap.comparison.protected.n + gap.comparison.reference.n)


def _answer(gap: HitRateGap, within: Within | None) -> ShownVerdict | None:
    """Return what may be read of a group with similar cases in view; None where these undo a gap."""
    verdict = verdict_of(gap.comparison)
    if within == "gone":
        return None
    if within in ("both", "only") or gap.common_verdict == "clear_gap":
        return "clear_gap"
    return "gap_size_unclear" if within == "turned" and verdict not in GAPS else verdict
