"""Functions that SQLite lacks, or has for the letters of English only, as the embedded database has them."""

from __future__ import annotations

import hashlib
import math
import sqlite3
from array import array
from collections.abc import Callable
from functools import lru_cache

from fairaudit.conditions.evaluation import to_lower, to_upper, trim

CHANGED = "changed_kind"
"""The function that a value is given to that is not of the kind its column had."""

# Different texts whose answer is kept: columns repeat few texts many times.
_KEPT = 10_000
# Between these, numbers have marks of their own; at the border, log2(x) + 0.3 is a whole number.
_SMALLEST_MARKED, _LARGEST_MARKED, _BORDER = 1e-280, 1e308, 2**-0.3


def register(connection: sqlite3.Connection) -> None:
    """Give a connection the functions that conditions and aggregates use."""
    for name, function in (("unicode_lower", to_lower), ("unicode_upper", to_upper), ("unicode_trim", trim)):
        connection.create_function(name, 1, _of_text(function), deterministic=True)
    connection.create_function("remainder", 2, remainder, deterministic=True)
    connection.create_function("rounded", 2, rounded, deterministic=True)
    connection.create_function("exact", 1, float, deterministic=True)
    connection.create_function("md5", 1, md5, deterministic=True)
    connection.create_function(CHANGED, 1, changed_kind)
    connection.create_function("number_mark", 1, number_mark, deterministic=True)
    # The stubs know only aggregates of one whole number.
    connection.create_aggregate("var_samp", 1, Variance)  # type: ignore[arg-type]
    connection.create_aggregate("quantile_cont", 2, Quantile)  # type: ignore[arg-type]


def remainder(number: float | None, divisor: float | None) -> float | None:
    """Return what a division leaves, with the sign of the number; None where there is none."""
    if number is None or divisor is None or divisor == 0 or math.isinf(number):
        return None
    return math.fmod(number, divisor)


def rounded(number: float | None, decimals: int) -> float | None:
    """Round halves away from zero, in the order of operations that the embedded database has."""
    if number is None:
        return None
    scale = 10.0 ** abs(decimals)
    scaled = number * scale if decimals > 0 else number / scale
    if math.isinf(scaled):
        return number
    whole = float(math.trunc(scaled))
    if abs(scaled - whole) >= 0.5:
        whole += math.copysign(1.0, scaled)
    made = whole / scale if decimals > 0 else whole * scale
    return made if math.isfinite(made) else number


def md5(text: str | None) -> str | None:
    """Return the hash of a text that other engines have under this name; for drawing rows, not for secrets."""
    return None if text is None else hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def number_mark(number: float | None) -> int | None:
    """Return the whole number that stands for a number in :mod:`fairaudit.data.engines.aggregates`."""
    if number is None or abs(number) > _LARGEST_MARKED:
        return None
    part, exponent = math.frexp(max(abs(number), _SMALLEST_MARKED))
    size = exponent if part >= _BORDER else exponent - 1
    mark = math.floor(math.ldexp(number, 31 - size) + 0.3) + 1_000_003 * size
    whole = 2**30 <= abs(number) < 2**53 and number == math.floor(number)
    return mark + int(number) % 2**31 if whole else mark


def changed_kind(value: object) -> None:
    """Stop the question."""
    raise OverflowError


class Variance:
    """The variance of a sample, by Welford's updates; None below two numbers."""

    def __init__(self):
        self.n, self.mean, self.squares = 0, 0.0, 0.0

    def step(self, number: float | None) -> None:
        """Take a number in."""
        if number is None:
            return
        self.n += 1
        away = number - self.mean
        self.mean += away / self.n
        self.squares += away * (number - self.mean)

    def finalize(self) -> float | None:
        """Return the variance."""
        return self.squares / (self.n - 1) if self.n > 1 else None


class Quantile:
    """A quantile, interpolated between neighbours; eight bytes a number are held meanwhile."""

    def __init__(self):
        self.numbers, self.share = array("d"), 0.5

    def step(self, number: float | None, share: float) -> None:
        """Take a number in."""
        self.share = share
        if number is not None:
            self.numbers.append(number)

    def finalize(self) -> float | None:
        """Return the quantile."""
        if not self.numbers:
            return None
        numbers = sorted(self.numbers)
        place = self.share * (len(numbers) - 1)
        low = math.floor(place)
        high = min(low + 1, len(numbers) - 1)
        if place == low:
            return numbers[low]
        return numbers[low] + (numbers[high] - numbers[low]) * (place - low)


def _of_text(function: Callable[[str], str]) -> Callable[[str | None], str | None]:
    kept = lru_cache(_KEPT)(function)
    return lambda text: None if text is None else kept(text)
