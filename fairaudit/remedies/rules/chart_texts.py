"""What the charts of rule sets say, in words, and which rule sets they draw."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.present import brief
from fairaudit.present.blocks import cell_text
from fairaudit.present.numbers import NOT_DEFINED, finite, number_text, points_text, share_text, tolerance_text


def rules_path_alt(path: pd.DataFrame, *, reached: float | None = None) -> str:
    """Say in words what :func:`rules_path_chart` shows."""
    rows = list(path.itertuples())
    texts = [
        f"round {row.round}: {number_text(row.n_columns, digits=0)} rules, {_loss(row.lp_value)} if they are taken in "
        f"part, proven bound {_loss(row.bound or math.nan)}, best so far {_loss(row.incumbent)}"
        for row in brief.some(rows)
    ]
    lead = f"The loss, counted in training rows, and the rules considered, over {len(rows)} rounds of the search"
    end = "" if finite(reached) is None else f" In the end {_loss(reached)} was reached."
    return f"{lead}: {'; '.join(texts) or 'none'}.{end}"


def rules_frontier_alt(frontier: pd.DataFrame, *, allowed: float | None) -> str:
    """Say in words what :func:`rules_frontier_chart` shows."""
    known = drawn_settings(frontier)
    by_gap = has_gaps(known)
    texts = [_setting(row, by_gap=by_gap) for row in brief.some(list(known.itertuples()))]
    chosen = [f"Chosen: {_setting(row, by_gap=by_gap)}." for row in known[known["chosen"]].itertuples()]
    against = "the largest difference" if by_gap else "the complexity"
    limit = f" {brief.capital(tolerance_text(allowed))} are allowed." if by_gap and allowed is not None else ""
    lead = (
        f"Accuracy against {against} on the tuning rows of {len(known)} lists of rules of other settings: "
        f"{'; '.join(texts) or 'none'}.{limit}"
    )
    return " ".join([lead, *chosen])


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
