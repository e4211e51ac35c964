"""Gaps and limits as they are printed: in points or, for costs, in their own unit."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairaudit.estimators.constraints import FLOORS, METRICS
from fairaudit.present.numbers import beside_text, points_number, points_text, tolerance_text


def in_shares(metrics: Iterable[str]) -> bool:
    """Say whether all metrics are shares, so that gaps can be stated in points; costs are not."""
    return all(metric in METRICS or metric in FLOORS for metric in metrics)


def gap_text(gap: float | None, metric: str, *, beside: float | None = None) -> str:
    """Return a gap with its sign, in points or, for costs, in their own unit; it differs from a limit `beside` it."""
    if in_shares([metric]):
        return points_text(gap, beside=beside)
    return gap_number(gap, metric, beside=beside)


def gap_number(gap: float | None, metric: str, *, beside: float | None = None) -> str:
    """Return the same without the name of points."""
    if in_shares([metric]) or gap is None or not np.isfinite(gap):
        return points_number(gap, beside=beside)
    text = beside_text(gap, () if beside is None else (-beside, beside), digits=3)
    return f"+{text}" if float(gap) > 0 and text[0].isdigit() else text


def allowed_text(max_difference: float, metric: str) -> str:
    """Return what a constraint allows, in points or, for costs, in their own unit."""
    return tolerance_text(max_difference) if in_shares([metric]) else f"{max_difference:g}"
