"""What the charts of rule sets say, in words, and which gaps they draw."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.measure.gaps import ENOUGH
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import parts
from fairaudit.present.numbers import NOT_DEFINED, number_text, points_text, share_text, tolerance_text

MOST_GAPS = 12
"""Gaps between two groups that are drawn at most."""
FEW_GAPS = 4
"""So few gaps are all drawn, also those of rates that are shares of few rows."""


def rules_gaps_alt(gaps: pd.DataFrame, *, allowed: float) -> str:
    """Say in words what :func:`rules_gaps_chart` shows."""
    texts = []
    for row in parts.some(list(drawn_gaps(gaps).itertuples())):
        sides = [
            f"{points_text(gap, beside=allowed)} {where}"
            for gap, where in ((row.trained, "in training"), (row.tuned, "in tuning"), (row.held_out, "held out"))
            if parts.finite(gap) is not None
        ]
        texts.append(
            f"{parts.capital(row.rate_words)}, {parts.short(row.first)} minus {parts.short(row.second)}: "
            f"{', '.join(sides)}{interval_words(row)}; {row.reading}."
        )
    lead = (
        f"Differences between two groups on {sides_words(gaps)}, with intervals on the held-out rows; "
        f"{tolerance_text(allowed)} allowed."
    )
    return " ".join([lead, *(texts or ["There is none to draw."])]) + rules_gaps_note(gaps)


def rules_path_alt(path: pd.DataFrame, *, reached: float | None = None) -> str:
    """Say in words what :func:`rules_path_chart` shows."""
    rows = list(path.itertuples())
    texts = [
        f"round {row.round}: {number_text(row.n_columns, digits=0)} rules, {_loss(row.lp_value)} if they are taken in "
        f"part, proven bound {_loss(row.bound or math.nan)}, best so far {_loss(row.incumbent)}"
        for row in parts.some(rows)
    ]
    lead = f"The loss, counted in training rows, and the rules considered, over {len(rows)} rounds of the search"
    end = "" if parts.finite(reached) is None else f" In the end {_loss(reached)} was reached."
    return f"{lead}: {'; '.join(texts) or 'none'}.{end}"


def rules_frontier_alt(frontier: pd.DataFrame, *, allowed: float | None) -> str:
    """Say in words what :func:`rules_frontier_chart` shows."""
    known = drawn_settings(frontier)
    by_gap = has_gaps(known)
    texts = [_setting(row, by_gap=by_gap) for row in parts.some(list(known.itertuples()))]
    chosen = [f"Chosen: {_setting(row, by_gap=by_gap)}." for row in known[known["chosen"]].itertuples()]
    against = "the largest difference" if by_gap else "the complexity"
    limit = f" {parts.capital(tolerance_text(allowed))} are allowed." if by_gap and allowed is not None else ""
    lead = (
        f"Accuracy against {against} on the tuning rows of {len(known)} rule sets of other settings: "
        f"{'; '.join(texts) or 'none'}.{limit}"
    )
    return " ".join([lead, *chosen])


def rules_gaps_note(gaps: pd.DataFrame) -> str:
    """Return which gaps :func:`rules_gaps_chart` leaves out, to be put after its title; nothing if none."""
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


def drawn_settings(frontier: pd.DataFrame) -> pd.DataFrame:
    """Return the rule sets whose accuracy is defined and, where any has one, whose gap is."""
    known = frontier[np.isfinite(frontier["accuracy"].to_numpy(dtype=float))]
    if has_gaps(known):
        known = known[np.isfinite(known["gap"].to_numpy(dtype=float))]
    return known.astype({"chosen": bool})


def best_settings(frontier: pd.DataFrame) -> pd.DataFrame:
    """Return the rule sets that no other beats in both accuracy and gap, or complexity where there is no gap."""
    known = drawn_settings(frontier)
    cost = known["gap"] if has_gaps(known) else known["complexity"]
    points = pd.DataFrame({"cost": cost.astype(float), "accuracy": known["accuracy"].astype(float)})
    ordered = points.drop_duplicates().sort_values(["cost", "accuracy"], ascending=[True, False], kind="stable")
    before = ordered["accuracy"].cummax().shift(fill_value=-np.inf)
    return known.loc[ordered.index[ordered["accuracy"] > before]]


def has_gaps(frontier: pd.DataFrame) -> bool:
    """Say whether any rule set has a gap; there is none where nothing must be alike."""
    return bool(np.isfinite(frontier["gap"].to_numpy(dtype=float)).any())


def interval_words(row: Any) -> str:
    """Return the interval of a gap on the held-out rows in brackets; nothing where there is none."""
    if None in (parts.finite(row.low), parts.finite(row.high)):
        return ""
    return f" (interval {' to '.join(points_text(end).removesuffix(' points') for end in (row.low, row.high))})"


def size_text(gap: float | None) -> str:
    """Return the size of a gap in points."""
    return points_text(gap, signed=False)


def _setting(row: Any, *, by_gap: bool) -> str:
    gap = f", difference {size_text(row.gap)}" if by_gap else ""
    limit = f" and {cell_text(row.max_difference, 'size')} points" if by_gap else ""
    return f"complexity of at most {row.max_complexity}{limit} allowed: accuracy {share_text(row.accuracy)}{gap}"


def _loss(value: float | None) -> str:
    text = number_text(value, digits=1)
    return "none yet" if text == NOT_DEFINED else text


def _defined(gaps: pd.DataFrame) -> Any:
    return np.isfinite(gaps["held_out"].to_numpy(dtype=float))


def _large(gaps: pd.DataFrame) -> pd.DataFrame:
    large = gaps[gaps[["n_first", "n_second"]].min(axis=1) >= ENOUGH]
    return large if len(large) and len(gaps) > FEW_GAPS else gaps
