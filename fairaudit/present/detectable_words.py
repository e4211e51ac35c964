"""How large a gap must be to be seen with the rows there are, in sentences for page, report and command line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairaudit.measure.clusters import design_effect
from fairaudit.measure.comparison_results import as_shares
from fairaudit.measure.detectable import DetectableGap, detectable_gap, detectable_mean_gap, detectable_of
from fairaudit.measure.near_limits import answer_digits
from fairaudit.measure.results import Comparison
from fairaudit.present.numbers import (
    NO_BREAK,
    amount_digits,
    confidence_text,
    count_text,
    number_text,
    share_text,
    tolerance_text,
)
from fairaudit.present.words import CANNOT_TELL, SIZE_UNCLEAR, verdict_word

if TYPE_CHECKING:
    from fairaudit.audit.result import AmountFinding, CheckFinding
    from fairaudit.measure.mean_results import MeanComparison


def more_rows_sentence(finding: CheckFinding | AmountFinding) -> str:
    """Return, where the answer is not clear, what these rows let one see and how many it would take; else empty."""
    if verdict_word(finding.result) not in (CANNOT_TELL, SIZE_UNCLEAR):
        return ""
    found = detectable_of(finding.result)
    if found is None:
        return ""
    size = _size(found, "difference" if found.rate is None else "gap")
    cluster, depend = getattr(finding.result, "cluster", None), ""
    if cluster is not None:
        # These numbers are of independent rows, and pairs take fewer.
        if not design_effect(as_shares(finding.result)) > 1:
            return ""
        depend = f" Rows that depend on each other by {cluster} take more than that."
    return f"{size}{_at_share(found, finding.result)} {_needed(found)}{depend}".strip()


def gaps_seen_before(n_protected: int, n_reference: int, *, confidence: float) -> str:
    """Return which gaps groups of these sizes let one see, without looking at any decision."""
    # Where half of the people reach the good outcome, it takes the largest gap.
    found = detectable_gap(n_protected, n_reference, rate=0.5, confidence=confidence)
    return _seen_before(found, "gap", _in_words(found.gap, found))


def differences_seen_before(n_protected: int, n_reference: int, *, confidence: float) -> str:
    """Return which differences of means groups of these sizes let one see, without looking at any amount."""
    found = detectable_mean_gap(n_protected, n_reference, deviation=1.0, tolerance=0.1, confidence=confidence)
    return _seen_before(found, "difference", f"{number_text(found.gap)} standard deviations")


def _seen_before(found: DetectableGap, noun: str, size: str) -> str:
    rows = f"With {count_text(found.n_protected)} and {count_text(found.n_reference)} rows,"
    if not math.isfinite(found.gap):
        return f"{rows} no {noun} can be seen."
    certainty = f"{confidence_text(found.confidence)} confidence"
    return f"{rows} a {noun} of {size} or more will most likely show ({certainty}); a smaller one may not."


def detectable_text(found: DetectableGap) -> str:
    """Return in full what a number of rows lets one see."""
    return f"{_size(found, 'gap')} {_needed(found)}".strip()


def _size(found: DetectableGap, noun: str) -> str:
    if not math.isfinite(found.gap):
        return f"{_rows(found)} no {noun}, however large, would be found in {_power(found)}."
    size = _in_words(found.gap, found)
    return f"{_rows(found)} a {noun} of {size} is found in {_power(found)}, a smaller one less often."


def _at_share(found: DetectableGap, result: Comparison | MeanComparison) -> str:
    """Return for which share of good outcomes this holds, where that is known: other shares take other numbers."""
    if found.rate is None or not math.isfinite(found.gap) or not isinstance(result, Comparison):
        return ""
    share = share_text(found.rate, digits=answer_digits(result))
    return f" This holds where {share} of the rest reach the good outcome, as here."


def _in_words(gap: float, found: DetectableGap) -> str:
    if found.rate is None:
        return number_text(gap, digits=amount_digits(found.deviation))
    return tolerance_text(round(gap, 3))


def _needed(found: DetectableGap) -> str:
    if found.n_needed is None:
        return ""
    limit = _in_words(found.tolerance, found)
    if _in_words(found.gap, found) == limit:
        return "That is as large as the tolerance."
    p, r = found.n_needed
    if p <= found.n_protected and r <= found.n_reference:
        return f"One as large as the tolerance ({limit}) is found at least as often."
    return f"One as large as the tolerance ({limit}) takes about {_about(p)} and {_about(r)} rows."


def _rows(found: DetectableGap) -> str:
    return (
        f"With {count_text(found.n_protected)} rows in the protected group and {count_text(found.n_reference)} in the "
        "rest,"
    )


def _power(found: DetectableGap) -> str:
    return f"{found.power * 100:.4g}{NO_BREAK}% of such checks"


def _about(n: int) -> str:
    """Return a count with three digits."""
    digits = max(len(str(n)) - 3, 0)
    return count_text(-(-n // 10**digits) * 10**digits)
