"""From counts of two groups to a verdict with its uncertainty: the one place where intervals and tests meet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Real
from typing import TypeGuard

import numpy as np

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import InputError, quote
from fairaudit.findings import REST, Argument, Count, Group, Message, Phrase
from fairaudit.measure.intervals import (
    central_p_values,
    equality_p_value,
    needs_fisher,
    newcombe,
    pooled_z,
    ratio_interval,
    shares,
    wilson,
)
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.measure.results import Comparison, GroupRatio, Interval
from fairaudit.measure.verdicts import Side, side_of
from fairaudit.measure.verdicts_of_many import judged


def compare_counts(
    positives_p: int,
    n_p: int,
    positives_r: int,
    n_r: int,
    *,
    names: tuple[str, str] = ("the protected group", REST),
    undecided: tuple[int, int] = (0, 0),
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
) -> Comparison:
    """Compare two groups on their share of good outcomes.

    The difference is ``positives_p / n_p - positives_r / n_r``, protected minus reference. To control for other
    columns use :func:`fairaudit.check_strata`; for many pairs at once :func:`compare_many`.

    Notes
    -----
    ``within_tolerance`` is decided on exact fractions, so that 0.55 against 0.50 is within 0.05. ``verdict`` is
    ``no_gap_above_tolerance`` when Newcombe's interval at ``1 - 2a`` (``a = 1 - confidence``) lies inside plus or minus
    the tolerance (two one-sided tests), ``clear_gap`` when the one at ``1 - a`` lies wholly outside,
    ``gap_size_unclear`` when that leaves out zero, otherwise ``too_few_to_tell``; where the test is Fisher's, it must
    agree that there is a gap. ``four_fifths`` is True when neither share is below 4/5 of the other, None where that is
    undefined.

    Examples
    --------
    >>> result = compare_counts(623, 1945, 6132, 13827)
    >>> round(result.difference, 3), result.within_tolerance, result.verdict
    (-0.123, False, 'clear_gap')
    """
    [result] = compare_many(
        [positives_p],
        [n_p],
        [positives_r],
        [n_r],
        names=[names],
        undecided=[undecided],
        tolerance=tolerance,
        confidence=confidence,
    )
    return result


def compare_many(
    positives_p: Sequence[int],
    n_p: Sequence[int],
    positives_r: Sequence[int],
    n_r: Sequence[int],
    *,
    names: Sequence[tuple[str, str]],
    undecided: Sequence[tuple[int, int]] | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    exact: bool = False,
) -> tuple[Comparison, ...]:
    """Compare many pairs of groups, each as :func:`compare_counts` does or, if `exact`, all by Fisher's test."""
    check_settings(tolerance, confidence)
    counts = [np.asarray(c, dtype=np.int64) for c in (positives_p, n_p, positives_r, n_r)]
    _check_counts(counts)
    good_p, all_p, good_r, all_r = counts
    low_p, high_p = wilson(good_p, all_p, confidence)
    low_r, high_r = wilson(good_r, all_r, confidence)
    low, high = newcombe(good_p, all_p, good_r, all_r, confidence)
    inner_low, inner_high = newcombe(good_p, all_p, good_r, all_r, max(2 * confidence - 1, 0.0))
    ratio_low, ratio_high = ratio_interval(good_p, all_p, good_r, all_r, confidence)
    z = pooled_z(*counts)
    by_fisher = np.full(z.shape, True) if exact else needs_fisher(*counts)
    p_values = central_p_values(*counts) if exact else equality_p_value(*counts)
    share_p, share_r = shares(good_p, all_p), shares(good_r, all_r)
    undecided = undecided if undecided is not None else [(0, 0)] * len(names)
    results = []
    for i, (name_p, name_r) in enumerate(names):
        cells = tuple(int(c[i]) for c in counts)
        protected = GroupRatio(
            name_p, cells[1], cells[0], float(share_p[i]), Interval(float(low_p[i]), float(high_p[i])), undecided[i][0]
        )
        reference = GroupRatio(
            name_r, cells[3], cells[2], float(share_r[i]), Interval(float(low_r[i]), float(high_r[i])), undecided[i][1]
        )
        interval = Interval(float(low[i]), float(high[i]))
        inner = Interval(float(inner_low[i]), float(inner_high[i]))
        difference, impact_ratio, within, four_fifths = _exact(cells, tolerance)
        compared = Comparison(
            protected=protected,
            reference=reference,
            difference=difference,
            difference_interval=interval,
            equivalence_interval=inner,
            impact_ratio=impact_ratio,
            impact_ratio_interval=Interval(float(ratio_low[i]), float(ratio_high[i])),
            four_fifths=four_fifths,
            z=float(z[i]),
            p_value=float(p_values[i]),
            test="fisher" if by_fisher[i] else "z",
            tolerance=tolerance,
            confidence=confidence,
            within_tolerance=within,
            verdict="too_few_to_tell",
            warnings=(),
        )
        results.append(judged(compared, side_of(interval, inner, tolerance)))
    return tuple(results)


def sides_at(comparisons: Sequence[Comparison], confidence: float) -> list[Side]:
    """Say where comparisons lie with another confidence."""
    sides = [side for each in comparisons for side in (each.protected, each.reference)]
    good_p, all_p, good_r, all_r = (
        np.array([(side.positives, side.n) for side in sides], dtype=np.int64).reshape(-1, 4).T
    )
    levels = (confidence, max(2 * confidence - 1, 0.0))
    ends = (np.transpose(newcombe(good_p, all_p, good_r, all_r, level)).tolist() for level in levels)
    outer, inner = ([Interval(low, high) for low, high in found] for found in ends)
    return [side_of(wide, narrow, each.tolerance) for wide, narrow, each in zip(outer, inner, comparisons, strict=True)]


def said_group(name: str) -> Argument:
    """Return a group as a part of a message; its name is text of the data."""
    return Group() if name == REST else Phrase(quote(name))


def said_rows(n: int) -> Message:
    """Return a count of rows as a part of a message."""
    return Message("rows-n", {"n": Count(n)})


def rows(n: int) -> str:
    """Write a count of rows.

    Examples
    --------
    >>> rows(1), rows(1234)
    ('1 row', '1,234 rows')
    """
    return f"{n:,} row" + ("" if n == 1 else "s")


def check_settings(tolerance: float, confidence: float) -> None:
    """Refuse a tolerance or a confidence that is out of range."""
    if not (is_number(tolerance) and 0 <= tolerance <= 1):
        raise InputError(
            f"'tolerance' must be a number from 0 to 1, got {tolerance!r}.", hint="0.05 means 5 percentage points."
        )
    if not (is_number(confidence) and 0.5 <= confidence < 1):
        raise InputError(
            f"'confidence' must be a number from 0.5 to below 1, got {confidence!r}.", hint="Use 0.95 for 95 %."
        )


def check_whole(name: str, value: object, least: int, most: int | None = None) -> None:
    """Refuse what is no whole number, or out of range."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | np.integer)
        or value < least
        or (most is not None and value > most)
    ):
        allowed = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{name!r} must be an int {allowed}, got {value!r}.")


def is_number(value: object) -> TypeGuard[float]:
    """Say whether a value is a finite number, of Python or of NumPy; truth values are none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        # A whole number beyond double precision.
        return False


def _check_counts(counts: list[np.ndarray]) -> None:
    for positives, n in (counts[:2], counts[2:]):
        wrong = np.flatnonzero((positives < 0) | (positives > n))
        if wrong.size:
            raise InputError(
                f"Favourable results must be from 0 to the rows of the group, "
                f"got {positives[wrong[0]]} of {n[wrong[0]]}."
            )


def _exact(cells: tuple[int, ...], tolerance: float) -> tuple[float, float, bool, bool | None]:
    positives_p, n_p, positives_r, n_r = cells
    if n_p == 0 or n_r == 0:
        return float("nan"), float("nan"), False, None
    p, r = Fraction(positives_p, n_p), Fraction(positives_r, n_r)
    within = abs(p - r) <= Fraction(str(float(tolerance)))
    impact_ratio = float(p / r) if r else float("nan")
    four_fifths = None if p == r == 0 else min(p, r) >= Fraction(str(FOUR_FIFTHS)) * max(p, r)
    return float(p - r), impact_ratio, within, four_fifths
