"""How large a gap must be to be seen with the rows there are, and how many rows it takes."""

from __future__ import annotations

import math

from fairaudit.audit.result import CheckFinding
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Points, Share, Word
from fairaudit.measure.clusters import design_effect
from fairaudit.measure.detectable import DetectableGap, detectable_gap, detectable_mean_gap, detectable_of
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.results import Comparison
from fairaudit.measure.verdicts import verdict_of

_FINDING = ("result",)


def say_more_rows(finding: CheckFinding) -> tuple[Message, ...]:
    """Say, where there are too few rows to tell, what these rows let one see and how many it would take."""
    if verdict_of(finding.result) != "too_few_to_tell":
        return ()
    found = detectable_of(finding.result)
    if found is None:
        return ()
    cluster, design = getattr(finding.result, "cluster", None), finding.result.design
    if cluster is None and design is None:
        return say_detectable(found)
    # These numbers are of independent rows that weigh alike, and pairs take fewer.
    if not (isinstance(finding.result, Comparison) and design_effect(finding.result) > 1):
        return ()
    if cluster is None:
        return (*say_detectable(found), Message("detectable-weighted", severity="note", reveals=_FINDING))
    return (*say_detectable(found), Message("detectable-clustered", {"column": Phrase(cluster)}, "note", _FINDING))


def say_detectable(found: DetectableGap) -> tuple[Message, ...]:
    """Say what a number of rows lets one see."""
    args = _rows(found)
    if not math.isfinite(found.gap):
        return (Message("detectable-nothing", args, "note", _FINDING),)
    seen = args | _size(found) | {"power": Share(found.power, 0 if (100 * found.power).is_integer() else 1)}
    said = [Message("detectable-found", seen, "note", _FINDING)]
    if found.n_needed is not None:
        needed, others = found.n_needed
        if needed <= found.n_protected and others <= found.n_reference:
            said.append(Message("detectable-enough", severity="note", reveals=_FINDING))
        else:
            counts: dict[str, Argument] = {"needed": Count(_about(needed)), "others_needed": Count(_about(others))}
            said.append(Message("detectable-needed", counts, "note", _FINDING))
    return tuple(said)


def say_seen_before(n_protected: int, n_reference: int, *, confidence: float, of_shares: bool) -> Message:
    """Say which gaps groups of these sizes let one see, without looking at any decision."""
    # Where half of the people have the favourable result, it takes the largest gap.
    if of_shares:
        found = detectable_gap(n_protected, n_reference, rate=0.5, confidence=confidence)
    else:
        found = detectable_mean_gap(n_protected, n_reference, deviation=1.0, tolerance=0.1, confidence=confidence)
    if not math.isfinite(found.gap):
        return Message("detectable-nothing", _rows(found), "note")
    deviations: dict[str, Argument] = {"quantity": Word("deviation"), "size": Amount(found.gap, 2)}
    return Message("detectable-before", _rows(found) | (_size(found) if of_shares else deviations), "note")


def _rows(found: DetectableGap) -> dict[str, Argument]:
    return {"n": Count(found.n_protected), "others_n": Count(found.n_reference)}


def _size(found: DetectableGap) -> dict[str, Argument]:
    if found.rate is None:
        return {"quantity": Word("amount"), "size": Amount(found.gap, amount_digits(found.deviation))}
    is_whole = round(1000 * found.gap) % 10 == 0
    return {"quantity": Word("share"), "size": Points(found.gap, 0 if is_whole else 1)}


def _about(n: int) -> int:
    """Return a count with three digits, rounded up."""
    digits = max(len(str(n)) - 3, 0)
    return -(-n // 10**digits) * 10**digits
