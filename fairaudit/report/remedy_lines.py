"""What the remedies of an audit come to on the first page of its report: a line each, with its gap and its price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairaudit.audit.result import AuditResult
from fairaudit.findings import Amount, Argument, Count, Message, Points, Share, Word
from fairaudit.measure.results import ControlledFairness
from fairaudit.messages import say
from fairaudit.present.blocks import Items, Paragraph, Part
from fairaudit.present.numbers import are_known
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.decided_words import given_share
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts

Remedy = RemedyFinding | AmountRemedyFinding
Facts = StudyFacts | AmountStudyFacts
NAMES: Mapping[str, str] = {
    "relabel": "report-remedy-relabel",
    "thresholds": "report-remedy-thresholds",
    "equalize": "report-remedy-equalize",
    "constrain": "report-remedy-constrain",
    "rules": "report-remedy-rules",
    "trees": "report-remedy-trees",
}
MOST_LINES = 4
"""More remedies than these stand in the annexes alone."""


def remedies_part(result: AuditResult) -> Part | None:
    """Return what could be done: what there is without a remedy, and a line for each; nothing where none was tried."""
    if result.tried is None:
        return None
    facts = result.tried.facts
    tried: list[Remedy] = [remedy for remedy in result.tried.remedies if kind_of(remedy.plan).is_remedy]
    if not tried:
        return None
    lines = [say(_line(remedy, facts)) for remedy in tried[:MOST_LINES]]
    if (more := len(tried) - MOST_LINES) > 0:
        lines.append(say(Message("report-remedies-more", {"n": Count(more)})))
    without = say(_without(tried, facts))
    blocks = (*((Paragraph(without),) if without else ()), Items(tuple(lines)))
    return Part(say(Message("report-could-be-done")), blocks)


def _without(tried: Sequence[Remedy], facts: Facts) -> list[Message]:
    """Say what gap models leave without a remedy, and for how many people decisions were favourable."""
    gaps = sorted(gap for remedy in tried for gap in [_gap(remedy, "before")] if gap is not None)
    if not gaps:
        return []
    low, high = (_sized(gap, facts) for gap in (gaps[0], gaps[-1]))
    scale = 100 if isinstance(facts, StudyFacts) else 1
    same = Word("yes" if round(scale * low.value) == round(scale * high.value) else "no")
    args: dict[str, Argument] = {"kind": _kind(facts), "low": low, "gap": high, "same": same}
    share = _favoured(facts.decisions, facts)
    if share is None:
        return [Message("report-remedies-before", args)]
    return [Message("report-remedies-before-given", args | {"decided": share, "verb": facts.names.verb})]


def _line(remedy: Remedy, facts: Facts) -> list[Message]:
    name, gap = Message(NAMES[remedy.plan.method]), _gap(remedy, "after")
    if gap is None:
        said = [Message("report-remedy-hidden", {"name": name})]
    else:
        args: dict[str, Argument] = {"name": name, "kind": _kind(facts), "gap": _sized(gap, facts)}
        share = _favoured(remedy.after.fairness, facts) if isinstance(remedy, RemedyFinding) else None
        said = [
            Message("report-remedy", args)
            if share is None
            else Message("report-remedy-given", args | {"given": share, "verb": facts.names.verb})
        ]
    if isinstance(remedy, RemedyFinding) and remedy.needs_group:
        said.append(Message("report-remedy-by-group"))
    return said


def _gap(remedy: Remedy, side: str) -> float | None:
    """Return the size of the gap with a remedy or without it; None where it is hidden."""
    judged = getattr(remedy, side)
    gap = judged.fairness.difference if isinstance(remedy, RemedyFinding) else judged.predicted.difference
    return abs(gap) if are_known(gap) else None


def _sized(gap: float, facts: Facts) -> Points | Amount:
    return Points(gap) if isinstance(facts, StudyFacts) else Amount(gap)


def _kind(facts: Facts) -> Word:
    return Word("share" if isinstance(facts, StudyFacts) else "amount")


def _favoured(result: ControlledFairness | object, facts: Facts) -> Share | None:
    """Return the share that sentences speak of; None where it is hidden, or the decision is an amount or an outcome."""
    if not isinstance(result, ControlledFairness) or not isinstance(facts, StudyFacts) or facts.decision_is_outcome:
        return None
    share = given_share(result)
    return None if share is None else Share(1 - share if facts.names.of_unfavorable else share)
