"""The figures of an answer on the side of which sentences speak."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.result import CheckFinding
from fairaudit.findings import Message, Phrase
from fairaudit.measure.results import ControlledFairness, GroupRatio, Interval
from fairaudit.messages import say


def on_said_side(finding: CheckFinding) -> ControlledFairness:
    """Return the result on the people of whom the headline speaks: those without the favourable result, where it does.

    Shares, counts and the gap are turned, the impact ratio stays that of the favourable result.
    """
    result = finding.result
    if not finding.names.of_unfavorable or result.difference is None:
        return result
    return replace(
        result,
        protected=_turned(result.protected),
        reference=_turned(result.reference),
        difference=-result.difference,
        difference_interval=_mirrored(result.difference_interval, 0.0),
        equivalence_interval=_mirrored(result.equivalence_interval, 0.0),
    )


def said_of(finding: CheckFinding) -> str:
    """Return what is said of these people, as "were approved"."""
    verb = finding.names.verb
    if isinstance(verb, Message):
        return say(verb)
    return verb.text if isinstance(verb, Phrase) else ""


def _turned(group: GroupRatio) -> GroupRatio:
    return replace(
        group,
        positives=group.n - group.positives,
        ratio=1 - group.ratio,
        interval=_mirrored(group.interval, 1.0),
    )


def _mirrored(interval: Interval, whole: float) -> Interval:
    return Interval(whole - interval.high, whole - interval.low)
