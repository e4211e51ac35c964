"""Numbers as texts: shares in percent, gaps in points, amounts with the decimals they need, and proper minus signs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, SupportsFloat

from fairaudit.findings import Argument, Message, Phrase, Word
from fairaudit.measure.limits import (
    FOUR_FIFTHS,
    MOST_DIGITS,
    answer_digits,
    digits_beside,
    is_whole,
    nearest,
)
from fairaudit.measure.results import Comparison, GroupBounds, GroupMean, GroupRatio
from fairaudit.messages.catalogue import MINUS, marked, say, translated, unmarked

NO_BREAK = "\N{NO-BREAK SPACE}"
NOT_DEFINED = "not defined"
NOT_SHOWN = "not shown"
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

Number = float | int | None
IntervalKind = Literal["share", "points", "number", "difference"]


def number_text(value: Number, *, digits: int = 2) -> str:
    """Return a number with a fixed count of decimals, thousands separators and a proper minus sign.

    Examples
    --------
    >>> number_text(-1234.5, digits=1)
    '−1,234.5'
    >>> number_text(-0.001)
    '0.00'
    """
    if value is None:
        return translated(NOT_SHOWN)
    if not math.isfinite(value):
        return translated(NOT_DEFINED)
    text = f"{abs(value):,.{digits}f}"
    is_below = value < 0 and float(text.replace(",", "")) != 0
    return f"{MINUS if is_below else ''}{marked(text)}"


def beside_text(value: Number, limits: Sequence[float], *, digits: int = 2, finer: bool = True) -> str:
    """Return a number that is set beside limits, so that it does not read as if it were on another side of them.

    Examples
    --------
    >>> beside_text(0.7957, [0.8]), beside_text(0.7949, [0.8]), beside_text(0.7957, [0.8], finer=False)
    ('0.796', '0.79', 'just below 0.80')
    """
    if not limits or value is None or not math.isfinite(value):
        return number_text(value, digits=digits)
    places = digits_beside(value, limits, digits=digits, most=MOST_DIGITS if finer else digits)
    if places is not None:
        return number_text(value, digits=places)
    limit, side = nearest(value, limits)
    full = digits_beside(limit, [limit], digits=digits) or MOST_DIGITS
    way = Word(("below", "at", "above")[side + 1])
    near: dict[str, Argument] = {"side": way, "limit": Phrase(number_text(limit, digits=full))}
    return say(Message("number-near", near))


def signed_text(value: Number, *, digits: int = 2) -> str:
    """Return a number like :func:`number_text`, with a plus sign where it is above 0.

    Examples
    --------
    >>> signed_text(1234.5, digits=1), signed_text(-0.001), signed_text(0.001)
    ('+1,234.5', '0.00', '0.00')
    """
    text = number_text(value, digits=digits)
    above = value is not None and math.isfinite(value) and round(value, digits) > 0
    return f"+{text}" if above else text


def reads_as_number(text: str) -> bool:
    """Say whether a text is a number, as :func:`number_text` writes it.

    Examples
    --------
    >>> reads_as_number("3,194.5"), reads_as_number("2000 + 3 × age")
    (True, False)
    """
    try:
        float(unmarked(text))
    except ValueError:
        return False
    return True


def count_text(value: Number) -> str:
    """Return a count with thousands separators; None reads "not shown"."""
    return number_text(value, digits=0)


def count_ends(low: int, high: int) -> str:
    """Return a count that is known to be in a range."""
    return count_text(low) if low == high else range_text(count_text(low), count_text(high))


def range_text(low: str, high: str) -> str:
    """Return a range of two numbers that are written."""
    return say(Message("name-range", {"low": Phrase(low), "high": Phrase(high)}))


def people_text(group: GroupRatio | GroupMean) -> str:
    """Return how many rows a group has, from the fewest to the most where counts are rounded or hidden."""
    return count_ends(group.n, group.most_n) if isinstance(group, GroupBounds) else count_text(group.n)


def number_word(number: int) -> str:
    """Return a count as a word up to twelve, as in running text.

    Examples
    --------
    >>> number_word(3), number_word(1300)
    ('three', '1,300')
    """
    return translated(NUMBER_WORDS[number]) if number < len(NUMBER_WORDS) else count_text(number)


def share_text(value: Number, *, digits: int = 1, beside: float | None = None) -> str:
    """Return a share between 0 and 1 in percent, with a no-break space before the sign.

    Where a limit stands `beside` it, it has enough decimals to differ from it, as in :func:`beside_text`.

    Examples
    --------
    >>> share_text(0.3203).replace(NO_BREAK, "_")
    '32.0_%'
    """
    if value is None or not math.isfinite(value):
        return number_text(value)
    limits = () if beside is None else (-100 * beside, 100 * beside)
    return f"{beside_text(value * 100, limits, digits=digits)}{NO_BREAK}%"


def points_text(
    value: Number, *, digits: int = 1, signed: bool = True, beside: float | None = None, finer: bool = True
) -> str:
    """Return a difference of two shares in points.

    Examples
    --------
    >>> points_text(-0.12317)
    '−12.3 points'
    >>> points_text(-0.12317, signed=False)
    '12.3 points'
    >>> points_text(-0.05001, beside=0.05)
    '−5.001 points'
    """
    if value is None or not math.isfinite(value):
        return number_text(value)
    return _points(points_number(value, digits=digits, signed=signed, beside=beside, finer=finer))


def _points(number: str) -> str:
    return say(Message("number-points", {"number": Phrase(number), "one": Word("yes" if number == "1" else "no")}))


def tolerance_text(tolerance: float) -> str:
    """Return a tolerance in points without needless decimals.

    Examples
    --------
    >>> tolerance_text(0.05), tolerance_text(0.025), tolerance_text(0.01)
    ('5 points', '2.5 points', '1 point')
    """
    return _points(marked(f"{tolerance * 100:.4f}".rstrip("0").rstrip(".")))


def confidence_text(confidence: float) -> str:
    """Return a confidence level, such as 95 %, without needless decimals."""
    text = marked(f"{confidence * 100:.2f}".rstrip("0").rstrip("."))
    return f"{text}{NO_BREAK}%"


def interval_text(
    interval: tuple[float | None, float | None],
    kind: IntervalKind = "points",
    *,
    digits: int = 1,
    beside: float | None = None,
    finer: bool = True,
) -> str:
    """Return an interval as "low to high", in the unit of `kind` but without its name.

    Examples
    --------
    >>> interval_text((-0.1453, -0.1005))
    '−14.5 to −10.1'
    """
    low, high = interval
    if low is None or high is None:
        return translated(NOT_SHOWN)
    if not are_known(low, high):
        return translated(NOT_DEFINED)
    if kind == "points":
        return range_text(*(points_number(end, digits=digits, beside=beside, finer=finer) for end in (low, high)))
    if kind == "difference":
        return range_text(*(signed_text(end, digits=digits) for end in (low, high)))
    scale = 100 if kind == "share" else 1
    return range_text(*(number_text(end * scale, digits=digits) for end in (low, high)))


def p_text(p_value: Number) -> str:
    """Return a p-value as statisticians write it.

    Examples
    --------
    >>> p_text(0.00001), p_text(0.0214), p_text(1.0)
    ('p < 0.001', 'p = 0.021', 'p = 1.000')
    """
    if p_value is None or not math.isfinite(p_value):
        return number_text(p_value)
    return f"p {p_number(p_value)}" if p_value < 0.001 else f"p = {p_number(p_value)}"


def p_number(p_value: Number) -> str:
    """Return a p-value as it stands below its name.

    Examples
    --------
    >>> p_number(0.00001), p_number(0.0214)
    ('< 0.001', '0.021')
    """
    if p_value is None or not math.isfinite(p_value):
        return number_text(p_value)
    return marked("< 0.001" if p_value < 0.001 else f"{p_value:.3f}")


def are_known(*values: Number) -> bool:
    """Say whether none of some figures is hidden or not defined."""
    return all(value is not None and math.isfinite(value) for value in values)


def finite(value: SupportsFloat | None) -> float | None:
    """Return a float that can be drawn, or None."""
    number = float(value) if value is not None else math.nan
    return number if math.isfinite(number) else None


def interval_ends(interval: Sequence[float] | None) -> tuple[float | None, float | None]:
    """Return both ends of an interval, None where there is nothing to draw."""
    return (None, None) if interval is None else (finite(interval[0]), finite(interval[1]))


def shown(value: object) -> object:
    """Return a value, or the text "not shown" where it is hidden."""
    return NOT_SHOWN if value is None else value


def points_number(
    value: Number, *, digits: int = 1, signed: bool = True, beside: float | None = None, finer: bool = True
) -> str:
    """Return a difference of two shares in points, without their name.

    Examples
    --------
    >>> points_number(-0.12317)
    '−12.3'
    """
    if value is None or not math.isfinite(value):
        return number_text(value)
    points = 100 * (value if signed else abs(value))
    limits = () if beside is None else (-100 * beside, 100 * beside)
    text = beside_text(points, limits, digits=digits, finer=finer)
    is_plain = text[0].isdigit() and float(unmarked(text)) != 0
    return f"+{text}" if signed and value > 0 and is_plain else text


# The figures of a comparison, with enough decimals to differ from the limits beside them.

RATIO_LIMITS = (FOUR_FIFTHS, 1 / FOUR_FIFTHS)


def gap_text(result: Comparison, *, digits: int = 1) -> str:
    """Return the gap, protected minus reference, in signed points."""
    return points_text(result.difference, digits=digits, **by_tolerance(result))


def gap_number(result: Comparison, *, digits: int = 1) -> str:
    """Return the same number without the name of points."""
    return points_number(result.difference, digits=digits, **by_tolerance(result))


def gap_size_text(result: Comparison, *, digits: int = 1) -> str:
    """Return how large the gap is, in points without a sign."""
    if abs(result.difference) < 0.0005:
        return say(Message("number-points-few", {"number": Phrase(marked("0.1"))}))
    return points_text(result.difference, signed=False, digits=digits, **by_tolerance(result))


def figures_that_subtract(result: Comparison) -> tuple[str, str, str]:
    """Return both shares and the signed gap, with two decimals where they need them."""
    digits = answer_digits(result)
    own, other = (share_text(side.ratio, digits=digits) for side in (result.protected, result.reference))
    return own, other, points_text(result.difference, digits=digits, **by_tolerance(result))


def ratio_text(result: Comparison) -> str:
    """Return the impact ratio."""
    return beside_text(result.impact_ratio, RATIO_LIMITS, finer=is_whole(result))


def by_tolerance(result: Comparison) -> dict[str, Any]:
    """Return what :func:`~fairaudit.present.numbers.points_text` needs to print a gap apart from the tolerance."""
    return {"beside": result.tolerance, "finer": is_whole(result)}


# Amounts, with enough decimals to differ in print.


def difference_text(difference: float | None, *, digits: int) -> str:
    """Return a difference as "1,230 less" or "1,230 more", seen from the protected group."""
    if difference is None or not math.isfinite(difference):
        return number_text(difference)
    if difference == 0:
        return say(Message("number-same"))
    tiny = round(abs(difference), digits) == 0
    size = number_text(10.0**-digits if tiny else abs(difference), digits=digits)
    args: dict[str, Argument] = {
        "size": Phrase(size),
        "way": Word("less" if difference < 0 else "more"),
        "tiny": Word("yes" if tiny else "no"),
    }
    return say(Message("number-difference", args))
