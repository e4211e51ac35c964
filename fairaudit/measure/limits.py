"""How a figure is held against a limit: the one place that says what counts as kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from fairaudit.measure.results import Comparison, MeanComparison


SLACK: Final = 1e-9
"""A figure that is above its limit by less is within it: figures are sums of fractions."""

FOUR_FIFTHS: Final = 0.8
"""How many times the highest share another must be, at least, by the rule of thumb of that name."""


def exceeds(value: float, limit: float) -> bool:
    """Say whether a figure is above what is allowed, and not only by rounding; an undefined one is not.

    Examples
    --------
    >>> exceeds(0.1 + 0.2, 0.3), exceeds(0.31, 0.3), exceeds(float("nan"), 0.3)
    (False, True, False)
    """
    return bool(value > limit + SLACK)


def within(value: Any, limit: float) -> Any:
    """Say whether a figure, or each of many, is at most what is allowed, but for rounding; an undefined one is not."""
    return value <= limit + SLACK


def falls_short(value: float, limit: float) -> bool:
    """Say whether a figure is below what is asked for, and not only by rounding; an undefined one is not."""
    return bool(value < limit - SLACK)


# How many decimals show on which side of a limit a number is, and that figures beside each other subtract.

MOST_DIGITS = 4
"""Decimals that are shown at most to distinguish a number from a limit."""
ROUNDING = 1e-9
"""Numbers closer than this are the same: their distance comes from how they were computed."""


def digits_beside(
    value: float, limits: Sequence[float], *, digits: int, most: int = MOST_DIGITS, rounded: bool = False
) -> int | None:
    """Return how many decimals a number needs, so that what is shown is on the same side of each limit as the number.

    Examples
    --------
    >>> digits_beside(0.7955, [0.8], digits=2), digits_beside(0.5, [0.8], digits=2)
    (3, 2)
    >>> digits_beside(0.79999999, [0.8], digits=2) is None
    True
    """
    sides = [_side(value, limit) for limit in limits]
    for places in range(digits, max(digits, most) + 1):
        shown = [round(limit, places) for limit in limits] if rounded else limits
        if [_side(round(value, places), limit) for limit in shown] == sides:
            return places
    return None


def digits_apart(first: float, second: float, *, most: int = 2) -> int:
    """Return with how many decimals two numbers differ as they are written; 0 where `most` are too few.

    Examples
    --------
    >>> digits_apart(49.7, 50.0), digits_apart(49.2, 50.0), digits_apart(49.999, 50.0)
    (1, 0, 0)
    """
    return next((digits for digits in range(most + 1) if round(first, digits) != round(second, digits)), 0)


def digits_that_subtract(first: float, second: float, *, digits: int, difference: float | None = None) -> int:
    """Return with how many decimals two numbers and their difference subtract as they are shown: `digits` or one more.

    The `difference` is the one that is shown, which may differ in its last digits. Where neither helps, it is `digits`.

    Examples
    --------
    >>> digits_that_subtract(93.54, 78.46, digits=1), digits_that_subtract(93.5, 78.5, digits=1)
    (2, 1)
    >>> digits_that_subtract(44.519, 30.354, digits=1)
    1
    """
    for places in (digits, digits + 1):
        if do_subtract(first, second, digits=places, difference=difference):
            return places
    return digits


def do_subtract(first: float, second: float, *, digits: int, difference: float | None = None) -> bool:
    """Say whether two numbers and their difference, or the one that is shown, subtract with so many decimals.

    Examples
    --------
    >>> do_subtract(93.54, 78.46, digits=1), do_subtract(93.54, 78.46, digits=2)
    (False, True)
    """
    shown = round(first - second if difference is None else difference, digits)
    return round(rounded_difference(first, second, digits) - shown, digits) == 0


def digits_of_rows(rows: Sequence[tuple[float, float, float]], limits: Sequence[float], *, digits: int) -> int:
    """Return with how many decimals a table shows two numbers a row and their difference, `digits` or one more.

    It is one more where in some row the three do not subtract, or their difference reads on another side of a limit.

    Examples
    --------
    >>> digits_of_rows([(69.2, 70.5, -1.3)], [], digits=1), digits_of_rows([(84.95, 79.94, 5.01)], [5], digits=1)
    (1, 2)
    """
    usual = all(
        do_subtract(first, second, digits=digits, difference=difference)
        and digits_beside(abs(difference), limits, digits=digits) in (digits, None)
        for first, second, difference in rows
    )
    return digits if usual else digits + 1


def rounded_difference(first: float, second: float, digits: int) -> float:
    """Return the difference of two numbers as they are shown.

    Examples
    --------
    >>> rounded_difference(44.519, 30.354, 2), round(44.519 - 30.354, 2)
    (14.17, 14.16)
    """
    return round(round(first, digits) - round(second, digits), digits)


def answer_digits(result: Comparison | MeanComparison) -> int:
    """Return with how many decimals figures and gaps of a question are shown: those of its answer subtract in print.

    As usual where a count is hidden. Gaps of strata and of single groups may be off by one in the last digit.
    """
    return _share_digits(result) if result.quantity == "share" else _mean_digits(result)


def sentence_digits(result: Comparison | MeanComparison) -> int:
    """Return the decimals of sentences about an answer: the fewest by which its gap reads on its side of the tolerance.

    Those of amounts are the same everywhere.
    """
    if result.quantity == "amount":
        return _mean_digits(result)
    is_hidden: bool = None in (result.verdict, result.difference)
    apart = 0 if is_hidden else digits_beside(100 * abs(result.difference), [100 * result.tolerance], digits=0)
    return 1 if apart is None else apart


def _share_digits(result: Comparison) -> int:
    if not is_whole(result):
        return 1
    apart = digits_beside(100 * abs(result.difference), [100 * result.tolerance], digits=1)
    own, other, gap = (100 * value for value in (result.protected.ratio, result.reference.ratio, result.difference))
    return digits_that_subtract(own, other, digits=1 if apart is None else apart, difference=gap)


def amount_digits(spread: float | None) -> int:
    """Return how many decimals distinguish amounts with this standard deviation; 2 where there is none.

    Examples
    --------
    >>> amount_digits(8_000.0), amount_digits(20.0), amount_digits(0.3)
    (0, 1, 3)
    """
    if spread is None or not math.isfinite(spread) or spread <= 0:
        return 2
    return min(max(2 - math.floor(math.log10(spread)), 0), 12)


def usual_digits(result: MeanComparison) -> int:
    """Return how many decimals the figures of an answer need, so that its amounts differ in print."""
    if result.is_of_whole_numbers:
        return 0
    sides = (result.protected, result.reference)
    known = [side.deviation for side in sides if side.deviation is not None and math.isfinite(side.deviation)]
    # Where all amounts of each group are alike, the difference between the groups is all that is to be seen.
    return amount_digits(max(known, default=0.0) or abs(result.difference or 0.0))


def digits_of_several(answers: Sequence[Comparison | MeanComparison]) -> int:
    """Return the decimals of sentences about several answers: none of shares, of amounts those that differ in print."""
    sides = [side for answer in answers if answer.quantity == "amount" for side in (answer.protected, answer.reference)]
    if not sides:
        return 0
    known = [side.deviation for side in sides if side.deviation is not None and math.isfinite(side.deviation)]
    return amount_digits(max(known, default=0.0))


def limit_digits(result: MeanComparison) -> int:
    """Return how many decimals difference and tolerance have: more than usual where they would read alike."""
    usual = usual_digits(result)
    if not all(value is not None and math.isfinite(value) for value in (result.difference, result.tolerance)):
        return usual
    size = abs(result.difference)
    past = size > result.tolerance * (1 + ROUNDING) if result.within_tolerance else size <= result.tolerance
    if past:
        return usual  # Where small counts are hidden, the tolerance is rounded.
    most = MOST_DIGITS if is_whole(result) else usual
    apart = digits_beside(size, [result.tolerance], digits=usual, most=most, rounded=True)
    return usual if apart is None else apart


def _mean_digits(result: MeanComparison) -> int:
    digits = limit_digits(result)
    if not is_whole(result) or not math.isfinite(result.difference) or round(result.difference, digits) == 0:
        return digits
    own, other = result.values
    return digits_that_subtract(own, other, digits=digits, difference=result.difference)


def is_whole(result: Comparison | MeanComparison) -> bool:
    """Say whether no count of a comparison is hidden, so that its figures may have more decimals."""
    counts = ("n", "positives", "undecided", "unknown", "n_population", "n_filtered_out")
    parts = (result, result.protected, result.reference)
    return None not in [getattr(part, name, 0) for part in parts for name in counts]


def nearest(value: float, limits: Sequence[float]) -> tuple[float, int]:
    """Return the limit that is nearest to a number, and its side: -1 below it, 0 at it, 1 above it."""
    limit = min(limits, key=lambda each: abs(each - value))
    return limit, _side(value, limit)


def _side(value: float, limit: float) -> int:
    if abs(value - limit) <= ROUNDING * max(1.0, abs(limit)):
        return 0
    return int(math.copysign(1, value - limit))
