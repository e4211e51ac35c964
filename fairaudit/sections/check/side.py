"""An answer on the side of which sentences speak."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from fairaudit.audit.result import CheckFinding
from fairaudit.findings import Message, Phrase
from fairaudit.measure.results import Comparison, GroupRatio, Interval, StratifiedFairness
from fairaudit.messages import say

Compared = TypeVar("Compared", bound=Comparison)


def on_said_side(finding: CheckFinding) -> CheckFinding:
    """Return the finding on the people of whom the headline speaks: those without the favourable result, where it does.

    Shares, counts and gaps are turned, of all groups and strata too; impact ratios stay those of the favourable result.
    """
    if not finding.names.of_unfavorable:
        return finding
    return replace(
        finding,
        meaning=said_of(finding),
        result=_turned(finding.result),
        groups=tuple(replace(each, rows=_turned_rows(each.rows)) for each in finding.groups),
        strata=None if finding.strata is None else _turned_strata(finding.strata),
        names=replace(finding.names, of_unfavorable=False),
    )


def rows_on_said_side(finding: CheckFinding, rows: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return rows that each compare two groups, as :func:`on_said_side` returns those of a finding."""
    return _turned_rows(rows) if finding.names.of_unfavorable else rows


def said_of(finding: CheckFinding) -> str:
    """Return what is said of these people, as "were approved"."""
    verb = finding.names.verb
    if isinstance(verb, Message):
        return say(verb)
    return verb.text if isinstance(verb, Phrase) else ""


def _turned_rows(rows: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(replace(row, comparison=_turned(row.comparison)) for row in rows)


def _turned_strata(strata: StratifiedFairness) -> StratifiedFairness:
    odds, (low, high) = strata.common_odds_ratio, strata.common_odds_ratio_interval
    return replace(
        strata,
        pooled=_turned(strata.pooled),
        strata=_turned_rows(strata.strata),
        common_odds_ratio=_inverse(odds),
        common_odds_ratio_interval=Interval(_inverse(high), _inverse(low)),
        common_difference=_less(0.0, strata.common_difference),
        common_difference_interval=_mirrored(strata.common_difference_interval, 0.0),
        common_equivalence_interval=_mirrored(strata.common_equivalence_interval, 0.0),
    )


def _turned(result: Compared) -> Compared:
    return replace(
        result,
        protected=_turned_group(result.protected),
        reference=_turned_group(result.reference),
        difference=_less(0.0, result.difference),
        difference_interval=_mirrored(result.difference_interval, 0.0),
        equivalence_interval=_mirrored(result.equivalence_interval, 0.0),
    )


def _turned_group(group: GroupRatio) -> GroupRatio:
    return replace(
        group,
        positives=_less(group.n, group.positives),
        ratio=_less(1.0, group.ratio),
        interval=_mirrored(group.interval, 1.0),
    )


def _mirrored(interval: Interval, whole: float) -> Interval:
    return Interval(_less(whole, interval.high), _less(whole, interval.low))


def _less(whole: Any, value: Any) -> Any:
    """Return what is left of a whole; None where either is hidden."""
    return None if None in (whole, value) else whole - value


def _inverse(value: Any) -> Any:
    if value is None:
        return None
    return 1 / value if value else float("inf")
