"""What a column that is not in the data would have to be like to overturn the gap with the controls held equal."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.explain.results import Sensitivity
from fairaudit.measure.explain.rows import Floats, Rows, design, least_squares
from fairaudit.measure.results import Interval

STRENGTHS = np.round(np.geomspace(1.0, 20.0, 31), 4)
"""Of a missing column of two values: its odds ratios with group and with outcome."""

SHARES_EXPLAINED = np.round(np.linspace(0.0, 0.6, 31), 4)
"""Of a missing column beside an amount: the share of what is left of group and of amount that it explains."""

PREVALENCES = np.arange(0.05, 0.951, 0.05)
"""How common a missing column's value may be in the rest."""

PREDICTIONS = 400
"""Most classes that predictions are binned into for the curve."""


@dataclass(frozen=True)
class LinearGap:
    """The group's coefficient in a linear model, and what is needed to ask what could overturn it.

    Parameters
    ----------
    value, error : float
        The coefficient and its standard error: by the usual formula, in a sample with weights by its design.
    freedom : float
        Degrees of freedom of what is left; in a sample with weights, those that give the error by the usual formula.
    of_controls : tuple of (str, float, float)
        For each control, the share that it explains of what the others leave of the outcome, and of the group.
    """

    value: float
    error: float
    freedom: float
    of_controls: tuple[tuple[str, float, float], ...]

    @property
    def partial_r2(self) -> float:
        """The share of what is left of the outcome that the group explains: t^2 / (t^2 + freedom)."""
        t = self.value / self.error
        return t**2 / (t**2 + self.freedom)


def e_value(ratio: float) -> float:
    """Return the E-value of a risk ratio, from 1 on; NaN where the ratio is.

    ``RR + sqrt(RR (RR - 1))``, with the inverse of a ratio below 1.

    References
    ----------
    VanderWeele and Ding (2017), "Sensitivity analysis in observational research: introducing the E-value".

    Examples
    --------
    >>> round(e_value(10.73), 2), e_value(1.0)
    (20.95, 1.0)
    """
    if not ratio > 0:
        return math.nan
    ratio = max(ratio, 1 / ratio)
    return ratio + math.sqrt(ratio * (ratio - 1))


def e_value_of_interval(interval: Interval) -> float:
    """Return the E-value of the end that is nearer to 1; 1 where 1 is inside."""
    if not (interval.low > 0 and math.isfinite(interval.high)):
        return math.nan
    if interval.low <= 1 <= interval.high:
        return 1.0
    return e_value(interval.low if interval.low > 1 else interval.high)


def robustness_value(t: float, freedom: float, *, confidence: float | None = None) -> float:
    """Return the robustness value of a coefficient, or with a confidence that of its significance.

    The share that a missing column would have to explain of what is left of both group and outcome: with ``f = |t| /
    sqrt(freedom)``, less ``t* / sqrt(freedom - 1)`` for its significance, ``(sqrt(f^4 + 4 f^2) - f^2) / 2``.

    References
    ----------
    Cinelli and Hazlett (2020), "Making sense of sensitivity: extending omitted variable bias", section 4.

    Examples
    --------
    >>> round(robustness_value(4.18, 783), 3), round(robustness_value(4.18, 783, confidence=0.95), 3)
    (0.139, 0.076)
    """
    whole = abs(t) / math.sqrt(freedom)
    critical = 0.0
    if confidence is not None and freedom > 1:
        critical = float(special.stdtrit(freedom - 1, (1 + confidence) / 2)) / math.sqrt(freedom - 1)
    f = whole - critical
    if not f > 0:
        return 0.0
    if critical > 0 and whole > 1 / critical:
        # So strong that explaining the group alone is what is needed.
        return (whole**2 - critical**2) / (1 + whole**2)
    return (math.sqrt(f**4 + 4 * f**2) - f**2) / 2


def linear_gap(rows: Rows) -> LinearGap | None:
    """Return the group's coefficient in a linear model with the controls; None where nothing of the group is left."""
    x, places = design(rows.controls, rows.n)
    # About the mean, so that squares of amounts far from 0 keep their digits.
    z = np.column_stack([x, rows.protected.astype(float), rows.y - np.average(rows.y, weights=rows.n)])
    moments = z.T @ (z * rows.n[:, None])
    k = x.shape[1]
    group, outcome = k, k + 1
    left_of_group, _ = _left(moments, group, list(range(k)))
    left, coefficient = _left(moments, outcome, [*range(k), group])
    rank = int(np.linalg.matrix_rank(moments[:group, :group], hermitian=True)) + 1
    freedom = float(rows.people.sum()) - rank
    if freedom < 2 or not left_of_group > 1e-9 * rows.n.sum() or not left > 1e-12 * moments[outcome, outcome]:
        return None
    shares = []
    for control, columns in zip(rows.controls, places, strict=True):
        kept = [i for i in range(k) if i not in set(columns.tolist())]
        without_of_group, _ = _left(moments, group, kept)
        without, _ = _left(moments, outcome, [*kept, group])
        shares.append((control.name, _share(without, left), _share(without_of_group, left_of_group)))
    if rows.sample is not None:
        fit = least_squares(z[:, :outcome], z[:, outcome], rows.n)
        variance = rows.variance((z[:, :outcome] @ fit.bread[:, group]) * fit.residuals, rank)
        freedom = left / left_of_group / variance if variance > 0 else 0.0
        if freedom < 2:
            return None
    error = math.sqrt(left / freedom / left_of_group)
    return LinearGap(coefficient, error, freedom, tuple(shares))


def _left(moments: Floats, target: int, by: list[int]) -> tuple[float, float]:
    """Return the sum of squares that columns leave of another, and the coefficient of the last of them."""
    beta = np.linalg.pinv(moments[np.ix_(by, by)], rcond=1e-12, hermitian=True) @ moments[by, target]
    return float(moments[target, target] - moments[by, target] @ beta), float(beta[-1])


def _share(without: float, left: float) -> float:
    return min(max(1 - left / without, 0.0), 1.0) if without > 0 else 0.0


def times_as_strong(found: LinearGap, of_outcome: float, of_group: float, *, confidence: float | None = None) -> float:
    """Return how many times as strong as a control a missing column must be to make a gap 0, or its interval touch 0.

    References
    ----------
    Cinelli and Hazlett (2020), section 4.4: bounds by how strong observed columns are.
    """
    if of_outcome <= 0 or of_group <= 0:
        return math.inf
    critical = 0.0
    if confidence is not None:
        critical = float(special.stdtrit(found.freedom - 1, (1 + confidence) / 2))

    def left(times: float) -> float:
        """Return what is left of the gap, less what its interval takes, under a column so many times as strong."""
        explained = times * of_group / (1 - of_group)
        of_rest = share_of_rest(times, of_outcome, of_group)
        if explained >= 1 or math.isinf(of_rest):
            return -1.0
        of_rest = min(of_rest, 1.0)
        bias = found.error * math.sqrt(found.freedom) * math.sqrt(of_rest * explained / (1 - explained))
        error = found.error * math.sqrt((1 - of_rest) / (1 - explained) * found.freedom / (found.freedom - 1))
        return abs(found.value) - bias - critical * error

    if left(0.0) <= 0:
        return 0.0
    most = (1 - of_group) / of_group
    low, high = 0.0, most
    if left(most * (1 - 1e-9)) > 0:
        return math.inf
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) > 0 else (low, middle)
    return high


def share_of_rest(times: float, of_outcome: float, of_group: float) -> float:
    """Return which share of what is left of the outcome a column so many times as strong as a control would explain.

    Above 1 there is no such column; infinite where it would be one with the group.
    """
    if times * of_group >= 1:
        return math.inf
    between = times * of_group**2 / ((1 - times * of_group) * (1 - of_group))
    if between >= 1:
        return math.inf
    strength = ((math.sqrt(times) + math.sqrt(between)) / math.sqrt(1 - between)) ** 2
    return strength * of_outcome / (1 - of_outcome)


def strongest_of(found: LinearGap) -> tuple[str, float, float] | None:
    """Return the control that comes nearest to making the gap 0 if one as strong were missing."""
    able = [(times_as_strong(found, y, g), name, y, g) for name, y, g in found.of_controls]
    able = [each for each in able if math.isfinite(each[0])]
    return min(able)[1:] if able else None


def sensitivity_of(
    rows: Rows,
    gap: float,
    interval: Interval,
    *,
    ratio: float,
    ratio_interval: Interval,
    predicted: Floats,
    confidence: float,
) -> Sensitivity:
    """Return what could overturn an adjusted gap."""
    linear = linear_gap(rows)
    values = dict.fromkeys(
        ("robustness_value", "robustness_value_interval", "partial_r2", "times", "times_interval"), math.nan
    )
    strongest, capped = None, False
    if linear is not None:
        t = linear.value / linear.error
        values["robustness_value"] = robustness_value(t, linear.freedom)
        values["robustness_value_interval"] = robustness_value(t, linear.freedom, confidence=confidence)
        values["partial_r2"] = linear.partial_r2
        if (found := strongest_of(linear)) is not None:
            strongest, *strength = found
            values["times"] = times_as_strong(linear, *strength)
            values["times_interval"] = times_as_strong(linear, *strength, confidence=confidence)
            capped = share_of_rest(values["times"], *strength) > 1
    if rows.is_share:
        bounds = _bounds_of_share(predicted, rows.n, gap)
        curve = _curve(STRENGTHS, bounds, gap, interval)
    else:
        curve = _curve(SHARES_EXPLAINED, _bounds_of_amount(linear), gap, interval)
    # Of an interval that lies on one side of 0, the end towards 0.
    reaches = (curve["interval_low"] <= 0) & (curve["interval_high"] >= 0)
    return Sensitivity(
        e_value=e_value(ratio) if rows.is_share else math.nan,
        e_value_interval=e_value_of_interval(ratio_interval) if rows.is_share else math.nan,
        strongest=strongest,
        capped=capped,
        curve=curve,
        touches_zero=float(curve["strength"][reaches].min()) if reaches.any() else math.inf,
        **values,
    )


def _curve(
    strengths: Floats, bounds: Callable[[float], tuple[float, float]], gap: float, interval: Interval
) -> pd.DataFrame:
    rows = []
    for strength in strengths.tolist():
        low, high = bounds(strength)
        rows.append((strength, low, high, low - (gap - interval.low), high + (interval.high - gap)))
    return pd.DataFrame(rows, columns=["strength", "low", "high", "interval_low", "interval_high"])


def _bounds_of_amount(linear: LinearGap | None) -> Callable[[float], tuple[float, float]]:
    def bounds(share: float) -> tuple[float, float]:
        if linear is None:
            return math.nan, math.nan
        bias = linear.error * math.sqrt(linear.freedom) * share / math.sqrt(1 - share)
        return linear.value - bias, linear.value + bias

    return bounds


def _bounds_of_share(predicted: Floats, n: Floats, gap: float) -> Callable[[float], tuple[float, float]]:
    """Return the range of a gap under a missing column of two values, by its odds ratio with group and with outcome.

    With u its value, q_g how common it is in a group and d its effect on the log odds of the outcome, the prediction
    for group g is ``q_g s(a_g + d) + (1 - q_g) s(a_g)``, which gives a_g; the gap with u held equal, too, is the mean
    of ``sum_u P(u) (s(a_1 + d u) - s(a_0 + d u))``. The odds of q_1 are those of q_0 times or divided by the strength,
    and d is its logarithm; q_0 takes all values of `PREVALENCES`.

    References
    ----------
    Jung, Corbett-Davies, Gaebler, Shroff and Goel (2018), "Mitigating included- and omitted-variable bias in estimates
    of disparate impact", on Rosenbaum and Rubin (1983).
    """
    cells, weights = _in_classes(predicted, n)
    share = weights / weights.sum()
    # What classing the predictions moves the gap by is taken off again.
    off = gap - float(share @ (cells[0] - cells[1]))

    def bounds(strength: float) -> tuple[float, float]:
        if strength == 1.0:
            return gap, gap
        odds = PREVALENCES / (1 - PREVALENCES)
        rest = np.tile(PREVALENCES, 2)[:, None]
        inside = np.concatenate([odds * strength, odds / strength])[:, None]
        # One row a pair of prevalences, one column a class of predictions.
        common = (inside / (1 + inside), rest)
        base = [_odds_without(p, q, strength) for p, q in zip(cells, common, strict=True)]
        with_it = [o * strength / (1 + o * strength) for o in base]
        without = [o / (1 + o) for o in base]
        # Both groups are looked at as if the column were as common as in both together, half of each.
        prevalence = sum(common) / 2
        held = prevalence * (with_it[0] - with_it[1]) + (1 - prevalence) * (without[0] - without[1])
        found = held @ share + off
        return float(found.min()), float(found.max())

    return bounds


def _in_classes(predicted: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Put pairs of predictions into few classes, with their means and rows."""
    order = np.lexsort(predicted)
    below = np.cumsum(n[order])
    codes = np.minimum((below - n[order] / 2) / below[-1] * PREDICTIONS, PREDICTIONS - 1).astype(np.int64)
    codes = np.unique(codes, return_inverse=True)[1]
    weights = sums_by_code(codes, n[order])
    means = np.array([sums_by_code(codes, (n * p)[order]) / weights for p in predicted])
    return np.clip(means, 1e-9, 1 - 1e-9), weights


def _odds_without(p: Floats, q: Floats, strength: float) -> Floats:
    """Return the odds o of the outcome without the column: q o s / (1 + o s) + (1 - q) o / (1 + o) = p."""
    # (1 - p) s o^2 + (q s + 1 - q - p (1 + s)) o - p = 0
    a, b = (1 - p) * strength, q * strength + 1 - q - p * (1 + strength)
    return (-b + np.sqrt(b**2 + 4 * a * p)) / (2 * a)
