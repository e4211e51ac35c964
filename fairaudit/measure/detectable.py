"""How large a gap must be to be seen with so many people, and how many people it takes to see one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import special

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_POWER, USUAL_TOLERANCE
from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.errors import InputError
from fairaudit.findings.result import Result
from fairaudit.measure.comparison import check_settings, is_number
from fairaudit.measure.intervals import Floats, fisher_p_values, needs_fisher, newcombe, two_sided_z
from fairaudit.measure.plain import Plain
from fairaudit.measure.results import Comparison, MeanComparison

MOST_ROWS = 1e15
"""No more rows than this are asked for."""

SPARSE_BELOW = 15.0
"""Where a count that the rate of the reference lets expect is below this, tables are counted one by one."""

MOST_COUNTS = 100
"""Counts of the reference that are added up."""

FAR = 30.0
"""From how many standard errors on the noncentral t distribution is read from its denominator alone."""

NORMAL_FROM = 400
"""From so many degrees of freedom on, t is taken for normal."""

Power = Callable[[float, float, float], float]


@dataclass(frozen=True)
class DetectableGap(Plain, Result):
    """How large a gap must be to be seen, and how many rows it takes to see one as large as the tolerance."""

    n_protected: int = figure("Rows of both groups with a known decision.")
    n_reference: int = figure(AS_ABOVE)
    rate: float | None = figure("The share of good outcomes in the rest that this holds for; None for amounts.")
    deviation: float | None = figure("The standard deviation of the amounts; None for shares.")
    tolerance: float = setting("The settings.")
    confidence: float = setting(AS_ABOVE)
    power: float = setting(AS_ABOVE)
    gap: float = figure(
        "The smallest gap that an interval sets apart from no gap with this power, in either direction; NaN where "
        "none is large enough."
    )
    clear_gap: float = figure(
        "The smallest gap whose interval lies outside the tolerance with this power; NaN where none is large enough."
    )
    n_needed: tuple[int, int] | None = figure(
        "Rows of both groups, in the same proportion, with which `gap` would be the tolerance; None where no "
        "number is enough."
    )


def detectable_gap(
    n_protected: int,
    n_reference: int,
    *,
    rate: float,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    power: float = USUAL_POWER,
) -> DetectableGap:
    """Return the smallest gap between two shares that can be detected with these group sizes.

    Ask before looking at the answer, or where it is not clear. Do not put an observed gap in: the power to see what
    was seen says nothing that the interval does not.

    Parameters
    ----------
    n_protected, n_reference : int
        Rows of both groups with a known decision, at least 1.
    rate : float
        The share of good outcomes in the rest, between 0 and 1; 0.5 asks for most rows.
    tolerance : float
        The largest gap that still counts as alike, between 0 and 1.
    confidence : float
        Of the intervals, 0.5 or above and below 1.
    power : float
        How often the gap is to be seen, above 0 and below 1.

    Returns
    -------
    DetectableGap
        ``gap`` in shares of 1, ``clear_gap``, and ``n_needed`` for a gap as large as the tolerance.

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    By the normal approximation, with ``p = rate + d``, ``s0`` the error of a gap under the pooled share and ``s1`` that
    under both shares: a gap ``d`` is seen with ``Phi((|d| - z s0) / s1) + Phi((-|d| - z s0) / s1)``, and is outside the
    tolerance ``t`` with ``Phi((|d| - t) / s1 - z)``. Where an expected count is so small that Fisher's exact test may
    decide, the chance is that of all tables in which Newcombe's interval and the test call a gap, added up. Of both
    directions, the one that needs more counts.

    References
    ----------
    Fleiss, Levin and Paik (2003), "Statistical Methods for Rates and Proportions", chapter 4.

    Examples
    --------
    >>> found = detectable_gap(93, 92, rate=0.7)
    >>> round(found.gap, 3), found.n_needed
    (0.201, (1384, 1370))
    """
    check_settings(tolerance, confidence)
    _check_sizes(n_protected, n_reference, power)
    if not (is_number(rate) and 0 <= rate <= 1):
        raise InputError(f"'rate' must be a number from 0 to 1, got {rate!r}.", hint="0.3 means 30 %.")
    sides = [(sign, room) for sign, room in ((-1, rate), (1, 1 - rate)) if room > 0]
    found: list[tuple[float, float]] = []
    needed: list[float] = []
    for sign, room in sides:
        seen, clear = _seen(rate, sign, confidence), _clear(rate, sign, confidence, tolerance)
        sizes = (float(n_protected), float(n_reference))
        found.append((_smallest(seen, sizes, 0.0, room, power), _smallest(clear, sizes, tolerance, room, power)))
        if 0 < tolerance <= room:
            needed.append(_scale(seen, sizes, tolerance, power))
    gap, clear_gap = (max((g for g in gaps if g == g), default=math.nan) for gaps in zip(*found, strict=True))
    # Very small groups: the pooled error of the first is larger than that of the second.
    clear_gap = max(gap, clear_gap)
    return DetectableGap(
        n_protected, n_reference, float(rate), None, tolerance, confidence, power, gap, clear_gap,
        _people(n_protected, n_reference, max(needed, default=math.inf)),
    )  # fmt: skip


def detectable_mean_gap(
    n_protected: int,
    n_reference: int,
    *,
    deviation: float,
    tolerance: float,
    confidence: float = USUAL_CONFIDENCE,
    power: float = USUAL_POWER,
) -> DetectableGap:
    """Return the smallest difference between two means that can be detected with these group sizes.

    As :func:`detectable_gap`, for amounts with a standard deviation, which like the tolerance is in their unit. The
    power is that of a two-sided t test.

    Examples
    --------
    >>> round(detectable_mean_gap(50, 50, deviation=1.0, tolerance=0.1).gap, 3)
    0.566
    """
    check_settings(0, confidence)
    _check_sizes(n_protected, n_reference, power)
    for name, value in (("deviation", deviation), ("tolerance", tolerance)):
        if not (is_number(value) and value >= 0):
            raise InputError(f"{name!r} must be a number of at least 0, got {value!r}.")
    sizes = (float(n_protected), float(n_reference))
    seen, clear = _mean_seen(deviation, confidence, 0.0), _mean_seen(deviation, confidence, tolerance)
    room = tolerance + 1_000 * deviation
    return DetectableGap(
        n_protected=n_protected,
        n_reference=n_reference,
        rate=None,
        deviation=float(deviation),
        tolerance=tolerance,
        confidence=confidence,
        power=power,
        gap=_smallest(seen, sizes, 0.0, room, power),
        clear_gap=_smallest(clear, sizes, tolerance, room, power),
        n_needed=_people(
            n_protected, n_reference, _scale(seen, sizes, tolerance, power) if tolerance > 0 else math.inf
        ),
    )


def detectable_of(result: Comparison | MeanComparison) -> DetectableGap | None:
    """Return what could be seen with the rows of a comparison, from figures that it shows; None where it hides some."""
    n_p, n_r = result.protected.n, result.reference.n
    if not n_p or not n_r or result.difference is None or not math.isfinite(result.difference):
        return None
    settings: dict[str, float] = {"tolerance": result.tolerance, "confidence": result.confidence}
    if isinstance(result, MeanComparison):
        p, r = result.protected.deviation, result.reference.deviation
        if None in (p, r) or not math.isfinite(p + r):
            return None
        # The deviation that has the variance of the difference of both means.
        deviation = math.sqrt((p**2 / n_p + r**2 / n_r) / (1 / n_p + 1 / n_r))
        return detectable_mean_gap(n_p, n_r, deviation=deviation, **settings)
    rate = result.reference.ratio
    return None if rate is None else detectable_gap(n_p, n_r, rate=rate, **settings)


def _check_sizes(n_protected: int, n_reference: int, power: float) -> None:
    for name, n in (("n_protected", n_protected), ("n_reference", n_reference)):
        if not (is_number(n) and n >= 1 and int(n) == n):
            raise InputError(f"{name!r} must be an int of at least 1, got {n!r}.")
    if not (is_number(power) and 0 < power < 1):
        raise InputError(f"'power' must be a number above 0 and below 1, got {power!r}.", hint="0.8 is common.")


def _errors(rate: float, moved: float, n_p: float, n_r: float) -> tuple[float, float]:
    """Return the errors of a gap under the pooled share, and under both shares."""
    pooled = (n_p * moved + n_r * rate) / (n_p + n_r)
    apart = moved * (1 - moved) / n_p + rate * (1 - rate) / n_r
    return math.sqrt(max(pooled * (1 - pooled), 0) * (1 / n_p + 1 / n_r)), math.sqrt(max(apart, 0))


def _seen(rate: float, sign: int, confidence: float) -> Power:
    exact, z = _Counted(rate, confidence, 0.0), two_sided_z(confidence)

    def power(gap: float, n_p: float, n_r: float) -> float:
        moved = min(max(rate + sign * gap, 0.0), 1.0)
        if _is_sparse(rate, n_p, n_r):
            return exact.power(moved, n_p, n_r)
        pooled, apart = _errors(rate, moved, n_p, n_r)
        if apart == 0:
            return float(gap > z * pooled)
        return float(special.ndtr((gap - z * pooled) / apart) + special.ndtr((-gap - z * pooled) / apart))

    return power


def _clear(rate: float, sign: int, confidence: float, tolerance: float) -> Power:
    exact, z = _Counted(rate, confidence, tolerance), two_sided_z(confidence)

    def power(gap: float, n_p: float, n_r: float) -> float:
        moved = min(max(rate + sign * gap, 0.0), 1.0)
        if _is_sparse(rate, n_p, n_r):
            return exact.power(moved, n_p, n_r)
        _, apart = _errors(rate, moved, n_p, n_r)
        return float(gap > tolerance) if apart == 0 else float(special.ndtr((gap - tolerance) / apart - z))

    return power


def _is_sparse(rate: float, n_p: float, n_r: float) -> bool:
    """Say whether so few are expected to differ from most that Fisher's test may decide."""
    return min(_whole(n_p), _whole(n_r)) * min(rate, 1 - rate) < SPARSE_BELOW


class _Counted:
    """How often a gap is called beyond a tolerance, by adding up tables of a reference with a known share."""

    def __init__(self, rate: float, confidence: float, tolerance: float) -> None:
        self.rate, self.confidence, self.tolerance = rate, confidence, tolerance
        self.found: dict[tuple[int, int], tuple[Floats, Floats, Floats]] = {}

    def power(self, moved: float, n_p: float, n_r: float) -> float:
        """Return it for a group whose share is `moved`; sizes are rounded up."""
        sizes = _whole(n_p), _whole(n_r)
        if sizes not in self.found:
            self.found[sizes] = self._ends(*sizes)
        weights, low, high = self.found[sizes]
        below = special.bdtr(low, sizes[0], moved)
        above = 1 - special.bdtr(high - 1, sizes[0], moved)
        return float(weights @ (np.where(low >= 0, below, 0.0) + np.where(high <= sizes[0], above, 0.0)))

    def _ends(self, n_p: int, n_r: int) -> tuple[Floats, Floats, Floats]:
        """Return weights of some counts of the reference, and up to and from which count of the group a gap is called.

        These are -1 and ``n_p + 1`` where none is.
        """
        mean, deviation = n_r * self.rate, math.sqrt(n_r * self.rate * (1 - self.rate))
        first, last = (round(mean + end * (6 * deviation + 10)) for end in (-1, 1))
        # Each stands for those up to the middle to the next.
        k_r = np.unique(np.linspace(max(first, 0), min(last, n_r), MOST_COUNTS).round())
        cuts = np.floor((k_r[:-1] + k_r[1:]) / 2)
        weights = np.diff(np.concatenate([[0.0], special.bdtr(cuts, n_r, self.rate), [1.0]]))
        called = partial(self._is_called, n_p=n_p, k_r=k_r, n_r=n_r)
        # The share of the group that equals the reference's is never called.
        equal = np.floor(k_r / n_r * n_p)
        low = _last_true(lambda k_p: called(k_p) & (k_p <= equal), np.full(len(k_r), -1.0), equal + 1)
        high = _last_true(lambda k_p: called(n_p - k_p) & (n_p - k_p > equal), np.full(len(k_r), -1.0), n_p - equal)
        return weights, low, n_p - high

    def _is_called(self, k_p: Floats, *, n_p: int, k_r: Floats, n_r: int) -> NDArray[np.bool_]:
        low, high = newcombe(k_p, n_p, k_r, n_r, self.confidence)
        called = (low > self.tolerance) | (high < -self.tolerance)
        exact = called & needs_fisher(k_p, n_p, k_r, n_r)
        if exact.any():
            called[exact] = fisher_p_values(k_p[exact], n_p, k_r[exact], n_r) <= 1 - self.confidence
        return called


def _last_true(holds: Callable[[Floats], NDArray[np.bool_]], low: Floats, high: Floats) -> Floats:
    """Return the last of the whole numbers from 0 for which something holds, between two ends; `low` for none."""
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        true = holds(np.maximum(middle, 0)) & (middle > low)
        low, high = np.where(true, middle, low), np.where(true | (middle <= low), high, middle)
    return low


def _whole(n: float) -> int:
    """Round a number of rows up; a hair is taken off, so that one that is just enough does not become one more."""
    return math.ceil(n * (1 - 1e-12))


def _mean_seen(deviation: float, confidence: float, beyond: float) -> Power:
    def power(gap: float, n_p: float, n_r: float) -> float:
        error, freedom = deviation * math.sqrt(1 / n_p + 1 / n_r), n_p + n_r - 2
        if error == 0:
            return float(gap > beyond)
        if freedom < 1:
            return 0.0
        away = (gap - beyond) / error
        if freedom >= NORMAL_FROM:
            z = two_sided_z(confidence)
            return float(special.ndtr(away - z) + special.ndtr(-away - z))
        t = float(special.stdtrit(freedom, (1 + confidence) / 2))
        if away > FAR:
            # SciPy has no digits left here; the error of the difference is small beside that of the deviation.
            return float(special.gammainc(freedom / 2, freedom * (away / t) ** 2 / 2))
        # So far out, the tail on the other side is below 1e-11, and SciPy has no digits left for it.
        other_side = special.nctdtr(freedom, away, -t) if away < 5 else 0.0
        return float(other_side + 1 - special.nctdtr(freedom, away, t))

    return power


def _smallest(power_of: Power, sizes: tuple[float, float], low: float, high: float, power: float) -> float:
    """Return the smallest gap between two ends that has the power; NaN where the larger end has not."""
    if low >= high or power_of(high, *sizes) < power:
        return math.nan
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if power_of(middle, *sizes) >= power else (middle, high)
    return high


def _scale(power_of: Power, sizes: tuple[float, float], gap: float, power: float) -> float:
    """Return how many times as many rows see a gap with the power; inf where no number does."""

    def reached(scale: float) -> bool:
        return power_of(gap, *(n * scale for n in sizes)) >= power

    low, high = 1 / min(sizes), 1.0
    while not reached(high):
        low, high = high, 2 * high
        if high * max(sizes) > MOST_ROWS:
            return math.inf
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def _people(n_protected: int, n_reference: int, scale: float) -> tuple[int, int] | None:
    if not math.isfinite(scale):
        return None
    return _whole(n_protected * scale), _whole(n_reference * scale)
