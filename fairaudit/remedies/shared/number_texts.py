"""Figures of remedies as they are printed."""

from __future__ import annotations

from typing import Any

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.measure.near_limits import do_subtract, is_whole, rounded_difference
from fairaudit.present.blocks import cell_text
from fairaudit.present.numbers import are_known, points_text
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.results import Change


def moved_text(before: Any, after: Any) -> str:
    """Return a share before and after."""
    return f"{cell_text(before, 'share')} to {cell_text(after, 'share')}"


def size_text(gap: Any) -> str:
    """Return the size of a gap in points."""
    return cell_text(gap, "points").lstrip("+")


def weight_text(weight: float) -> str:
    """Return a weight."""
    return f"{weight:g}"


def model_words(plan: object, field: str) -> str:
    """Return the model that a field of a plan names, in words."""
    name = getattr(plan, field, "")
    return MODEL_WORDS.get(name, str(name))


def change_digits(finding: RemedyFinding, before: float, after: float) -> int:
    """Return with how many decimals two shares or gaps and their change subtract in print; 1 with a hidden count."""
    if not (is_whole(finding.before.fairness) and is_whole(finding.after.fairness) and are_known(before, after)):
        return 1
    return 1 if do_subtract(100 * after, 100 * before, digits=1) else 2


def changed_text(finding: RemedyFinding, change: Change, *, signed: bool = True) -> str:
    """Return by how much a share or gap changed, as its figures before and after are shown."""
    digits = change_digits(finding, change.before, change.after)
    size = change.difference
    if digits > 1:
        size = rounded_difference(100 * change.after, 100 * change.before, digits) / 100
    return points_text(size, signed=signed, digits=digits)
