"""What was found to explain a gap: the verdict, how much is explained, what is left, and what other methods say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from fairaudit.audit.result import ExplanationFinding
from fairaudit.measure.explain.results import Estimate, GapExplanation
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.quantity import Quantity, QuantityKind
from fairaudit.measure.results import Interval

Verdict = Literal[
    "explained",
    "partly_explained",
    "not_explained",
    "methods_disagree",
    "too_few_to_tell",
    "no_clear_gap",
    "not_shown",
]
Part = Literal["all", "nearly-all", "most", "half", "some", "hardly-any", "none"]
Side = Literal["same", "other", "open"]

_PARTS: tuple[tuple[float, Part], ...] = (
    (0.95, "all"), (0.85, "nearly-all"), (0.6, "most"), (0.4, "half"), (0.1, "some"),
)  # fmt: skip
_SMALL = 0.03
"""A gap between shares below which sentences have a decimal."""


@dataclass(frozen=True)
class ExplainReading:
    """What was found to explain a gap, without a sentence.

    Parameters
    ----------
    verdict : Verdict
        Explained: something is for certain, it is nearly all of the gap, and what is left may be chance or is to the
        other side. Partly: something is explained, and more than chance may be left. Not: nothing for certain.
    part : Part or None
        How much of the gap is explained, in a word; None where there is no clear gap or too few rows say.
    left : Side
        Whether what is left is for certain to the side of the gap, to the other one, or neither.
    is_rough : bool
        Whether other methods differ on its side.
    others : tuple of float
        What other methods put in place of what is left.
    """

    verdict: Verdict
    part: Part | None
    left: Side
    is_rough: bool
    others: tuple[float, ...]


def read_explanation(finding: ExplanationFinding) -> ExplainReading:
    """Read a finding, whole or as it leaves."""
    return _read(finding.result)


def _read(found: GapExplanation) -> ExplainReading:
    is_hidden: bool = found.gap.value is None
    if is_hidden:
        return ExplainReading("not_shown", None, "open", False, ())
    sign = -1 if found.gap.value < 0 else 1
    held = found.adjusted_gap
    left = _side(found.unexplained.interval, sign)
    others = [(held.value, held.interval)]
    if held.doubly_robust is not None and held.check != "too_imprecise":
        others.append((held.doubly_robust.value, held.doubly_robust.interval))
    known = [(value, interval) for value, interval in others if math.isfinite(value)]
    sides = [_side(interval, sign) for _, interval in known]
    verdict, part = _verdict(found, sign, left, sides)
    is_rough = held.check == "disagrees" or any(side != left for side in sides)
    return ExplainReading(verdict, part, left, is_rough, tuple(float(value) for value, _ in known))


def quantity_of(finding: ExplanationFinding) -> Quantity:
    """Return what is divided: shares in whole points unless the gap is small, amounts by how wide its range is."""
    kind = finding.decision.kind.quantity
    return Quantity(kind, _DIGITS[kind](finding.result.gap), finding.names.of_unfavorable)


def _share_digits(gap: Estimate) -> int:
    return 1 if abs(gap.value or 0.0) < _SMALL else 0


def _mean_digits(gap: Estimate) -> int:
    low, high = gap.interval
    spread = 0.0 if low is None or high is None else high - low
    return amount_digits(spread if math.isfinite(spread) else 0.0)


_DIGITS: Final[Mapping[QuantityKind, Callable[[Estimate], int]]] = {"share": _share_digits, "amount": _mean_digits}


def is_left_for_certain(interval: Interval) -> bool:
    """Say whether all of an interval is on one side of no gap."""
    return _side(interval, 1) != "open"


def methods_differ(found: GapExplanation) -> bool:
    """Say whether that is the verdict."""
    return _read(found).verdict == "methods_disagree"


def can_be_overturned(found: GapExplanation) -> bool:
    """Say whether something is left for certain, and all methods say so: what a missing column might take away."""
    held = found.adjusted_gap
    both = (found.unexplained.interval, held.interval)
    return held.value is not None and not methods_differ(found) and all(map(is_left_for_certain, both))


def _verdict(found: GapExplanation, sign: int, left: Side, others: Sequence[Side]) -> tuple[Verdict, Part | None]:
    parts = (found.gap.value, found.explained.value, found.unexplained.value)
    if not all(map(math.isfinite, parts)):
        return "too_few_to_tell", None
    if _side(found.gap.interval, sign) != "same":
        if any(side != left for side in others):
            return "methods_disagree", None
        return ("no_clear_gap" if left == "open" else "not_explained"), None
    part = _part(found.explained.value / found.gap.value)
    # What matters is whether something is left to the side of the gap: to the other side, it is explained.
    if any((left == "same") != (side == "same") for side in others):
        return "methods_disagree", part
    is_some = _side(found.explained.interval, sign) == "same"
    if left == "same":
        # Where something is left for certain, not all is explained.
        part = "nearly-all" if part == "all" else part
        return ("partly_explained" if is_some else "not_explained"), part
    if not is_some:
        return "too_few_to_tell", part
    return ("explained" if part in ("all", "nearly-all") else "partly_explained"), part


def _part(share: float) -> Part:
    if share <= 0:
        return "none"
    return next((part for least, part in _PARTS if share >= least), "hardly-any")


def _side(interval: Interval, sign: int) -> Side:
    """Return to which side of no gap all of an interval is, seen from that of the gap."""
    low, high = interval
    if low is None or high is None or not (low > 0 or high < 0):
        return "open"
    return "same" if (low > 0) == (sign > 0) else "other"
