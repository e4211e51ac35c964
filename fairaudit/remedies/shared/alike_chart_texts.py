"""What the chart of differences in what had to be alike says, in words, and which of them it draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.present import brief
from fairaudit.present.numbers import finite, points_text, tolerance_text

MOST_GAPS = 12
"""Gaps between two groups that are drawn at most."""
FEW_GAPS = 4
"""So few gaps are all drawn, also those of rates that are shares of few rows."""


def differences_alt(gaps: pd.DataFrame, *, allowed: float) -> str:
    """Say in words what :func:`differences_chart` shows."""
    texts = []
    for row in brief.some(list(drawn_gaps(gaps).itertuples())):
        sides = [
            f"{points_text(gap, beside=allowed)} {where}"
            for gap, where in ((row.trained, "in training"), (row.tuned, "in tuning"), (row.held_out, "held out"))
            if finite(gap) is not None
        ]
        texts.append(
            f"{brief.capital(row.rate_words)}, {brief.short(row.first)} minus {brief.short(row.second)}: "
            f"{', '.join(sides)}{interval_words(row)}; {row.reading}."
        )
    lead = (
        f"Differences between two groups on {sides_words(gaps)}, with intervals on the held-out rows; "
        f"{tolerance_text(allowed)} allowed."
    )
    return " ".join([lead, *(texts or ["There is none to draw."])]) + differences_note(gaps)


def differences_note(gaps: pd.DataFrame) -> str:
    """Return which gaps :func:`differences_chart` leaves out, to be put after its title; nothing if none."""
    defined = gaps[_defined(gaps)]
    large = _large(defined)
    reasons = []
    if few := len(defined) - len(large):
        reasons.append(f"{few} with fewer than {ENOUGH} held-out rows in a group")
    if undefined := len(gaps) - len(defined):
        reasons.append(f"{undefined} that {'is' if undefined == 1 else 'are'} not defined")
    note = f" Not drawn: {' and '.join(reasons)}." if reasons else ""
    if len(large) > MOST_GAPS:
        note += f" Only the {MOST_GAPS} largest of {len(large)} differences are drawn; the table holds them all."
    return note


def sides_words(gaps: pd.DataFrame) -> str:
    """Return on which rows gaps are shown: where small counts are hidden, only on the held-out ones."""
    if gaps[["trained", "tuned"]].isna().all(axis=None):
        return "the held-out rows"
    return "training, tuning and held-out rows"


def drawn_gaps(gaps: pd.DataFrame) -> pd.DataFrame:
    """Return the gaps that a chart has room for: the largest on the held-out rows."""
    large = _large(gaps[_defined(gaps)])
    size = large["held_out"].astype(float).abs().to_numpy()
    return large.iloc[sorted(np.argsort(-size, kind="stable")[:MOST_GAPS])]


def interval_words(row: Any) -> str:
    """Return the interval of a gap on the held-out rows in brackets; nothing where there is none."""
    if None in (finite(row.low), finite(row.high)):
        return ""
    return f" (interval {' to '.join(points_text(end).removesuffix(' points') for end in (row.low, row.high))})"


def _defined(gaps: pd.DataFrame) -> Any:
    return np.isfinite(gaps["held_out"].to_numpy(dtype=float))


def _large(gaps: pd.DataFrame) -> pd.DataFrame:
    large = gaps[gaps[["n_first", "n_second"]].min(axis=1) >= ENOUGH]
    return large if len(large) and len(gaps) > FEW_GAPS else gaps
