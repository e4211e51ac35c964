"""What the charts of constraints say, in words, and which pairs of groups they draw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.estimators.constraints import FLOORS, METRICS, FairnessSpec
from fairaudit.present import brief
from fairaudit.present.blocks import cell_text
from fairaudit.present.numbers import beside_text, finite, number_text, points_text, tolerance_text

MOST_PAIRS = 12
"""Pairs of groups that are drawn at most."""

_HEAD = 60


def constraint_gaps_alt(pairs: pd.DataFrame) -> str:
    """Say in words what :func:`constraint_gaps_chart` shows."""
    texts = []
    for row in brief.some(list(drawn_pairs(pairs).itertuples())):
        interval = f" (interval {words})" if (words := interval_words(row)) else ""
        limit = row.max_difference
        gaps = [gap_text(gap, row.metric, beside=limit) for gap in (row.held_out_before, row.held_out)]
        texts.append(
            f"{brief.capital(row.metric_words)}, {brief.short(row.first)} minus {brief.short(row.second)}: {gaps[0]} "
            f"before, {gaps[1]} after{interval}, {allowed_text(row.max_difference, row.metric)} allowed; {row.reading}."
        )
    lead = "Gaps between groups on the held-out rows, before and after, largest first for each constraint."
    return " ".join([lead, *(texts or ["There is none to draw."])]) + constraint_gaps_note(pairs)


def constraint_path_alt(path: pd.DataFrame, *, single: bool) -> str:
    """Say in words what :func:`constraint_path_chart` shows."""
    known = own_fits(path)
    ordered = known.sort_values("multiplier", kind="stable") if single else known
    texts = [_fit(row, single=single) for row in brief.some(list(ordered.itertuples()))]
    along = "their multiplier" if single else "the order of fitting"
    chosen = [f"Chosen: {_fit(row, single=single)}." for row in known[known["picked"]].itertuples()]
    n_fits = known["fit"].nunique()
    lead = (
        f"Accuracy, and the largest gap as a multiple of what is allowed, of {n_fits} fits on the tuning rows, by "
        f"{along}: {'; '.join(texts) or 'none'}."
    )
    return " ".join([lead, *chosen])


def constraint_frontier_alt(path: pd.DataFrame, *, scale: float = 1.0) -> str:
    """Say in words what :func:`constraint_frontier_chart` shows."""
    best = frontier_fits(path)
    texts = [f"{times_text(row.ratio)} at {cell_text(row.accuracy, 'share')}" for row in brief.some(_rows(best))]
    chosen = [
        f"Chosen: {times_text(row.ratio)} at {cell_text(row.accuracy, 'share')}."
        for row in drawn_fits(path).query("picked").itertuples()
    ]
    asked = "" if scale == 1 else f" Gaps of up to {scale:.3g} times what is allowed were accepted."
    lead = (
        "Largest gap as a multiple of what is allowed, and accuracy, of the fits on the tuning rows that no other "
        f"beats in both: {'; '.join(texts) or 'none'}."
    )
    return " ".join([lead, *chosen]) + asked


def constraint_gaps_note(pairs: pd.DataFrame) -> str:
    """Return which pairs :func:`constraint_gaps_chart` leaves out, to be put after its title; nothing if none."""
    defined = _defined(pairs)
    large = _large(defined)
    undefined, few = len(pairs) - len(defined), len(defined) - len(large)
    reasons = []
    if few:
        reasons.append(f"{_counted(few)} with fewer than {ENOUGH} held-out rows in a group")
    if undefined:
        reasons.append(f"{_counted(undefined)} without a gap that is defined")
    note = f" Not drawn: {' and '.join(reasons)}." if reasons else ""
    if len(large) > MOST_PAIRS:
        note += (
            f" Only the {MOST_PAIRS} largest gaps of {len(large)}, as multiples of what is allowed, are drawn, at "
            "least one of each constraint."
        )
    return note


def drawn_pairs(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs that a chart has room for: those whose gap is largest beside what is allowed."""
    large = _large(_defined(pairs))
    size = (large["held_out"] / large["max_difference"]).abs().sort_values(ascending=False, kind="stable")
    is_first = ~large.loc[size.index, "spec"].duplicated()
    kept = large.loc[[*size.index[is_first], *size.index[~is_first]][:MOST_PAIRS]]
    kept = kept.loc[size.index[size.index.isin(kept.index)]]
    order = {spec: i for i, spec in enumerate(pairs["spec"].unique())}
    return kept.sort_values("spec", key=lambda specs: specs.map(order), kind="stable")


def drawn_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits whose accuracy and largest gap are defined."""
    return path[np.isfinite(path[["accuracy", "ratio"]].to_numpy(dtype=float)).all(axis=1)].astype(
        {"met": bool, "frontier": bool, "picked": bool}
    )


def own_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits as their models predict themselves, and the one that is the model whatever its threshold."""
    return drawn_fits(path[~path.duplicated("fit") | path["picked"].astype(bool)])


def frontier_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits that no other beats in both, each place once, the smallest gap first."""
    known = drawn_fits(path)
    return known[known["frontier"]].drop_duplicates(["ratio", "accuracy"]).sort_values("ratio", kind="stable")


def in_shares(metrics: Iterable[str]) -> bool:
    """Say whether all metrics are shares, so that gaps can be stated in points; costs are not."""
    return all(metric in METRICS or metric in FLOORS for metric in metrics)


def gap_text(gap: float | None, metric: str, *, beside: float | None = None) -> str:
    """Return a gap with its sign, in points or, for costs, in their own unit; it differs from a limit `beside` it."""
    if in_shares([metric]) or gap is None or not np.isfinite(gap):
        return points_text(gap, beside=beside)
    text = beside_text(gap, () if beside is None else (-beside, beside), digits=3)
    return f"+{text}" if float(gap) > 0 and text[0].isdigit() else text


def interval_words(row: Any) -> str:
    """Return the interval of a pair's gap after, in the unit of its metric; nothing where there is none."""
    if None in (finite(row.low), finite(row.high)):
        return ""
    return " to ".join(
        gap_text(end, row.metric, beside=row.max_difference).removesuffix(" points") for end in (row.low, row.high)
    )


def allowed_text(max_difference: float, metric: str) -> str:
    """Return what a constraint allows, in points or, for costs, in their own unit."""
    return tolerance_text(max_difference) if in_shares([metric]) else f"{max_difference:g}"


def times_text(ratio: float | None) -> str:
    """Return a gap as a multiple of what is allowed."""
    return f"{number_text(ratio)} times what is allowed"


def alike_words(spec: str) -> str:
    """Return what a constraint, given as text, wants to be alike: the metric, and what makes its groups.

    Examples
    --------
    >>> alike_words("fpr by race, sex <= 0.03")
    'False positive rate by race, sex'
    """
    # Imported on first use: those words are made of the parts that charts share.
    from fairaudit.remedies.constrain.asking_words import metric_label

    return metric_label(FairnessSpec.parse(spec))


def spec_head(spec: str) -> str:
    """Return a constraint as a short head over its pairs."""
    return brief.shorten(alike_words(spec), _HEAD)


def _defined(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs[np.isfinite(pairs["held_out"].to_numpy(dtype=float))]


def _large(pairs: pd.DataFrame) -> pd.DataFrame:
    large = pairs[pairs[["n_first", "n_second"]].min(axis=1) >= ENOUGH]
    return large if len(large) else pairs


def _counted(n: int) -> str:
    return f"{n} {'pair' if n == 1 else 'pairs'}"


def _fit(row: Any, *, single: bool) -> str:
    at = f"multiplier {row.multiplier:.3g}" if single else f"fit {row.fit}"
    return f"{at}, accuracy {cell_text(row.accuracy, 'share')}, {times_text(row.ratio)}"


def _rows(frame: pd.DataFrame) -> list[Any]:
    return list(frame.itertuples())
