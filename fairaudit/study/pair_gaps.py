"""Gaps between the groups of constraints on rows that were not learned from, with intervals.

With d = p1 - p2 the gap of two groups, intervals allow for the draw of the rows; the model is taken as it is.

- Rates that are shares (all metrics but costs): square and add over the two Wilson intervals (l, u), with the
  correlation rho that common rows give; for groups without such rows this is Newcombe's interval::

      low  = d - sqrt((p1 - l1)^2 + (u2 - p2)^2 - 2 rho (p1 - l1) (u2 - p2))
      high = d + sqrt((u1 - p1)^2 + (p2 - l2)^2 - 2 rho (u1 - p1) (p2 - l2))
      rho  = sum over common rows of (e - p1) (e - p2) / sqrt(n1 p1 (1 - p1) n2 p2 (1 - p2))

  where e is 1 for the rows that the rates count, among the n1 and n2 rows that they are shares of.
- The same where a rate is an average over similar cases, with the weights W_s of their strata: p = sum_s W_s p_s, and
  each interval is that of as many rows as have the variance sum_s W_s^2 p_s (1 - p_s) / n_s, at most those there are.
- Other metrics, such as average costs: d plus or minus z times its standard error by linearisation. A row of cell k
  (label and prediction) moves the metric f of a group of n rows by ``D_k = (n + 1) (f with one more such row - f)``.
  With the n_k rows of each cell, and the m_k that both groups have::

      variance = V1 + V2 - 2 sum_k m_k D1_k D2_k / (n1 n2),    V = sum_k (n_k + 1/2) D_k^2 / ((n + 2) n)

  The half row in each cell keeps a group without errors from claiming certainty.

References
----------
Newcombe (1998), "Interval estimation for the difference between independent proportions", method 10; Zou (2007),
"Toward using confidence intervals to compare correlations", for correlated estimates.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import require
from fairaudit.estimators.constraints import ConstrainedRows, FairnessSpec, Metric
from fairaudit.estimators.constraints.constrained_rows import RATIO_DECIMALS
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.intervals import ratio, two_sided_z, wilson
from fairaudit.measure.rates import METRIC_PARTS, in_cells
from fairaudit.measure.verdicts import equivalence_confidence

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def share_rows(metric: str, y: Labels, h: Labels) -> NDArray[np.bool_]:
    """Say which rows a metric is a share of.

    Shapes: `y` (n,), `h` (n,); returns (n,).
    """
    return in_cells(METRIC_PARTS.get(metric, METRIC_PARTS["selection_rate"])[1], y, h)


def gap_table(rows: ConstrainedRows, h: Labels, confidence: float) -> pd.DataFrame:
    """Return the gap of each constraint with the interval that decides, and what it says about what is allowed.

    As for every gap, two one-sided tests decide that it is within: of 95 % they make the 90 % interval.

    Shapes: `h` (n,); returns a frame of gap, low, high, n_first, n_second, reading.
    """
    ends = ["low", "high"]
    wide, narrow = (_table(rows, h, level) for level in (confidence, equivalence_confidence(confidence)))
    found = [
        reading(gap, (float(low), float(high)), (float(inner_low), float(inner_high)), limit)
        for gap, (low, high), (inner_low, inner_high), limit in zip(
            wide["gap"], wide[ends].to_numpy(), narrow[ends].to_numpy(), rows.limits, strict=True
        )
    ]
    is_alike = pd.Series(found, index=wide.index) == "within"
    wide.loc[is_alike, ends] = narrow.loc[is_alike, ends]
    return wide.assign(reading=found)


def reading(gap: float, wide: tuple[float, float], narrow: tuple[float, float], limit: float) -> str:
    """Say whether a gap is within what is allowed, and whether its intervals leave that open.

    Examples
    --------
    >>> reading(0.01, (-0.03, 0.06), (-0.02, 0.05), 0.05), reading(-0.06, (-0.11, -0.01), (-0.1, -0.02), 0.05)
    ('within', 'outside, not clear')
    """
    if np.isnan(gap):
        return "not defined"
    # Rounded as on the tuning rows, so that a gap of exactly what is allowed is within.
    if round(abs(gap) / limit, RATIO_DECIMALS) <= 1:
        return "within" if -limit <= narrow[0] and narrow[1] <= limit else "within, not clear"
    return "outside" if wide[0] > limit or wide[1] < -limit else "outside, not clear"


def _table(rows: ConstrainedRows, h: Labels, confidence: float) -> pd.DataFrame:
    parts = [
        _gaps(spec, members, rows.y, h, confidence)
        if rows.strata is None
        else _average_gaps(spec, members, counts, rows, h, confidence)
        for spec, members, counts in zip(rows.specs, rows.members, rows.group_counts, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


def _average_gaps(
    spec: FairnessSpec,
    members: tuple[NDArray[np.int64], ...],
    counts: tuple[Floats | None, ...],
    rows: ConstrainedRows,
    h: Labels,
    confidence: float,
) -> pd.DataFrame:
    """Return gaps that are averages over similar cases: Newcombe's interval of shares with as many rows as they say."""
    name = spec.measure.name
    counted, events = share_rows(name, rows.y, h), in_cells(METRIC_PARTS[name][0], rows.y, h)
    shares, sizes, worth = (np.full(len(members), np.nan) for _ in range(3))
    for place, (group, of_rows) in enumerate(zip(members, counts, strict=True)):
        kept = counted[group] & (require(of_rows) > 0)
        sizes[place] = kept.sum()
        if not kept.any():
            continue
        _, codes = np.unique(require(rows.strata)[group[kept]], return_inverse=True)
        weight = sums_by_code(codes, require(of_rows)[kept]) / require(of_rows)[kept].sum()
        n, positives = np.bincount(codes), sums_by_code(codes, events[group[kept]].astype(np.int64))
        shares[place] = weight @ (positives / n)
        # With half an event more, so that strata without any do not claim certainty.
        expected = (positives + 0.5) / (n + 1)
        middle = weight @ expected
        worth[place] = min(middle * (1 - middle) / (weight**2 @ (expected * (1 - expected) / n)), sizes[place])
    low, high = wilson(shares * worth, worth, confidence)
    first, second = np.triu_indices(len(members), k=1)
    gap, alone = shares[first] - shares[second], np.zeros(len(first))
    down, up = shares - low, high - shares
    return pd.DataFrame(
        {
            "gap": gap,
            "low": np.minimum(gap - _side(down[first], up[second], alone), gap),
            "high": np.maximum(gap + _side(up[first], down[second], alone), gap),
            "n_first": sizes[first].astype(np.int64),
            "n_second": sizes[second].astype(np.int64),
        }
    )


def _gaps(
    spec: FairnessSpec, members: tuple[NDArray[np.int64], ...], y: Labels, h: Labels, confidence: float
) -> pd.DataFrame:
    name = spec.measure.name
    counted = share_rows(name, y, h)
    n = np.array([counted[rows].sum() for rows in members], dtype=float)
    # Groups by the values of columns have no common rows.
    common = _common(members, len(y)) if spec.conditions is not None else None
    if name in METRIC_PARTS:
        events, has_top = in_cells(METRIC_PARTS[name][0], y, h), spec.floor is not None
        values, low, high = _shares(events, counted, n, members, common, confidence, has_top=has_top)
    else:
        values, low, high = _linearised(spec.measure, y, h, members, common, confidence)
    first, second = np.triu_indices(len(members), k=1)
    gap = values[first] - values[second]
    if spec.floor is not None:
        # What groups with a floor are compared with has no rows of its own: theirs count.
        n = np.append(n[:-1], np.nan)
    sizes = {"n_first": n[first].astype(np.int64), "n_second": np.where(np.isnan(n[second]), n[first], n[second])}
    sizes["n_second"] = sizes["n_second"].astype(np.int64)
    # Rounding must not leave the gap outside of its own interval.
    return pd.DataFrame({"gap": gap, "low": np.minimum(low, gap), "high": np.maximum(high, gap)} | sizes)


def _common(members: tuple[NDArray[np.int64], ...], n: int) -> list[NDArray[np.int64]]:
    """Return the rows that each two groups have in common, in the order of the constraints."""
    inside = np.zeros((len(members), n), dtype=bool)
    for place, rows in enumerate(members):
        inside[place, rows] = True
    return [np.flatnonzero(one & other) for one, other in combinations(inside, 2)]


def _shares(
    events: NDArray[np.bool_],
    counted: NDArray[np.bool_],
    n: Floats,
    members: tuple[NDArray[np.int64], ...],
    common: list[NDArray[np.int64]] | None,
    confidence: float,
    *,
    has_top: bool,
) -> tuple[Floats, Floats, Floats]:
    positives = np.array([events[rows].sum() for rows in members], dtype=float)
    p = ratio(positives, n)
    low, high = wilson(positives, n, confidence)
    if has_top:
        p[-1] = low[-1] = high[-1] = 1.0
    first, second = np.triu_indices(len(members), k=1)
    rho = np.zeros(len(first))
    if common is not None:
        # As e^2 = e, the sum of (e - p1) (e - p2) takes two counts: common rows, and events among them.
        m = np.array([counted[rows].sum() for rows in common], dtype=float)
        both = np.array([events[rows].sum() for rows in common], dtype=float)
        p1, p2 = p[first], p[second]
        spread = np.sqrt(n[first] * p1 * (1 - p1) * n[second] * p2 * (1 - p2))
        rho = np.nan_to_num(ratio(both * (1 - p1 - p2) + m * p1 * p2, spread)).clip(-1.0, 1.0)
    down, up = p - low, high - p
    gap = p[first] - p[second]
    return (
        p,
        gap - _side(down[first], up[second], rho),
        gap + _side(up[first], down[second], rho),
    )


def _side(a: Floats, b: Floats, rho: Floats) -> Floats:
    return np.sqrt(np.maximum(a**2 + b**2 - 2 * rho * a * b, 0.0))


def _linearised(
    metric: Metric,
    y: Labels,
    h: Labels,
    members: tuple[NDArray[np.int64], ...],
    common: list[NDArray[np.int64]] | None,
    confidence: float,
) -> tuple[Floats, Floats, Floats]:
    cells = 2 * y + h
    counts = np.array([np.bincount(cells[rows], minlength=4) for rows in members])
    n = counts.sum(axis=1)
    values = np.array([_value(metric, each) for each in counts])
    more = np.array([[_value(metric, each + one) for one in np.eye(4, dtype=np.int64)] for each in counts])
    does = (n[:, None] + 1) * (more - values[:, None])
    variances = ratio(((counts + 0.5) * does**2).sum(axis=1), (n + 2) * n)
    first, second = np.triu_indices(len(members), k=1)
    variance = variances[first] + variances[second]
    if common is not None:
        m = np.array([np.bincount(cells[rows], minlength=4) for rows in common])
        variance = variance - 2 * ratio((m * does[first] * does[second]).sum(axis=1), n[first] * n[second])
    gap = values[first] - values[second]
    spread = two_sided_z(confidence) * np.sqrt(np.maximum(variance, 0.0))
    return values, gap - spread, gap + spread


def _value(metric: Metric, counts: NDArray[np.int64]) -> float:
    return metric.value(np.repeat([0, 0, 1, 1], counts), np.repeat([0, 1, 0, 1], counts))
