"""Numbers as texts: shares in percent, gaps in points, counts with separators, and proper minus signs.

A number that is not defined (NaN) reads "not defined", one that the small-cell rule hides (None) reads "not shown".
"""

from __future__ import annotations

import math
from typing import Any, Literal

from fairaudit.measure.results import Interval

NO_BREAK = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
NOT_DEFINED = "not defined"
NOT_SHOWN = "not shown"

Number = float | int | None


def number_text(value: Number, *, digits: int = 2) -> str:
    """Return a number with a fixed count of decimals, thousands separators and a proper minus sign.

    Parameters
    ----------
    value : float or None
        NaN and infinities read "not defined", None reads "not shown".
    digits : int
        Decimals.

    Returns
    -------
    str
        The text; a value that rounds to zero has no sign.

    Examples
    --------
    >>> number_text(-1234.5, digits=1)
    '−1,234.5'
    >>> number_text(-0.001)
    '0.00'
    """
    if value is None:
        return NOT_SHOWN
    if not math.isfinite(value):
        return NOT_DEFINED
    text = f"{abs(value):,.{digits}f}"
    return MINUS + text if value < 0 and float(text.replace(",", "")) != 0 else text


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


def amount_digits(spread: float | None) -> int:
    """Return how many decimals tell amounts with this standard deviation apart; 2 where there is none.

    Examples
    --------
    >>> amount_digits(8_000.0), amount_digits(20.0), amount_digits(0.3)
    (0, 1, 3)
    """
    if spread is None or not math.isfinite(spread) or spread <= 0:
        return 2
    return min(max(2 - math.floor(math.log10(spread)), 0), 12)


def is_number(text: str) -> bool:
    """Say whether a text is a number, with or without thousands separators.

    Examples
    --------
    >>> is_number("3,194.5"), is_number("2000 + 3 × age")
    (True, False)
    """
    try:
        float(text.replace(",", ""))
    except ValueError:
        return False
    return True


def count_text(value: int | None) -> str:
    """Return a count with thousands separators; None reads "not shown"."""
    return number_text(value, digits=0)


def share_text(value: Number, *, digits: int = 1) -> str:
    """Return a share between 0 and 1 in percent, with a no-break space before the sign.

    Examples
    --------
    >>> share_text(0.3203).replace(NO_BREAK, "_")
    '32.0_%'
    """
    return _with_unit(value, "%", digits)


def points_text(value: Number, *, digits: int = 1, signed: bool = True) -> str:
    """Return a difference of two shares in points.

    Parameters
    ----------
    value : float or None
        A difference between -1 and 1.
    digits : int
        Decimals.
    signed : bool
        Show a plus or minus sign; otherwise the size only.

    Returns
    -------
    str
        A text such as ``−12.3 points``.

    Examples
    --------
    >>> points_text(-0.12317)
    '−12.3 points'
    >>> points_text(-0.12317, signed=False)
    '12.3 points'
    """
    if value is None or not math.isfinite(value):
        return number_text(value)
    return f"{_points_number(value, digits, signed)} points"


def tolerance_text(tolerance: float) -> str:
    """Return a tolerance in points without needless decimals.

    Examples
    --------
    >>> tolerance_text(0.05), tolerance_text(0.025), tolerance_text(0.01)
    ('5 points', '2.5 points', '1 point')
    """
    text = f"{tolerance * 100:.4f}".rstrip("0").rstrip(".")
    return f"{text} point" if text == "1" else f"{text} points"


def confidence_text(confidence: float) -> str:
    """Return a confidence level, such as 95 %, without needless decimals."""
    text = f"{confidence * 100:.2f}".rstrip("0").rstrip(".")
    return f"{text}{NO_BREAK}%"


def interval_text(
    interval: Interval, kind: Literal["share", "points", "number", "difference"] = "points", *, digits: int = 1
) -> str:
    """Return an interval as "low to high", in the unit of `kind` but without its name.

    Parameters
    ----------
    interval : Interval
        Both ends; one that is not defined makes the whole "not defined".
    kind : {"share", "points", "number", "difference"}
        Percent, signed points, a plain number or a signed one.
    digits : int
        Decimals.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> interval_text(Interval(-0.1453, -0.1005))
    '−14.5 to −10.1'
    """
    if None in interval or not all(math.isfinite(end) for end in interval):
        return number_text(None if None in interval else math.nan)
    if kind == "points":
        return " to ".join(_points_number(end, digits, signed=True) for end in interval)
    if kind == "difference":
        return " to ".join(signed_text(end, digits=digits) for end in interval)
    scale = 100 if kind == "share" else 1
    return " to ".join(number_text(end * scale, digits=digits) for end in interval)


def p_text(p_value: Number) -> str:
    """Return a p-value as statisticians write it.

    Examples
    --------
    >>> p_text(0.00001), p_text(0.0214), p_text(1.0)
    ('p < 0.001', 'p = 0.021', 'p = 1.000')
    """
    if p_value is None or not math.isfinite(p_value):
        return number_text(p_value)
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def are_known(*values: Number) -> bool:
    """Say whether none of some figures is hidden or not defined."""
    return all(value is not None and math.isfinite(value) for value in values)


def shown(value: Any) -> Any:
    """Return a value, or the text "not shown" where it is hidden."""
    return NOT_SHOWN if value is None else value


def _with_unit(value: Number, unit: str, digits: int) -> str:
    if value is None or not math.isfinite(value):
        return number_text(value)
    return f"{number_text(value * 100, digits=digits)}{NO_BREAK}{unit}"


def _points_number(value: float, digits: int, signed: bool) -> str:
    text = number_text((value if signed else abs(value)) * 100, digits=digits)
    is_zero = float(text.replace(MINUS, "").replace(",", "")) == 0
    return f"+{text}" if signed and value > 0 and not is_zero else text
