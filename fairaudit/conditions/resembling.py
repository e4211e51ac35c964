"""Which texts are near enough to be one word in two spellings, one of them with a typing error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from operator import eq

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 5
"""Letters of the shortest word that may hold a typing error; shorter ones are codes, or words of their own."""
_SHORTEST_OF_TWO = 8
"""Letters of the shortest word that may hold two."""


def resembles(text: str, other: str) -> bool:
    """Say whether two texts differ by a typing error or two in one long word, and not only by letter case.

    An error is a letter too many, too few or wrong, or two letters that change places. First letters agree, as
    negations such as "un-" stand there; so do digits and marks. Two errors stand apart: where they touch, as in
    "Austria" and "Australia" or "northeast" and "northwest", they are an ending or a part of another word.

    Examples
    --------
    >>> resembles("Morocan", "Moroccan"), resembles("Afganisten", "Afghanistan"), resembles("Assualt", "ASSAULT")
    (True, True, True)
    >>> resembles("Iran", "Iraq"), resembles("Austria", "Australia"), resembles("married", "unmarried")
    (False, False, False)
    >>> resembles("Grade A1", "Grade A2"), resembles("Moroccan", "MOROCCAN")
    (False, False)
    """
    text, other = text.casefold(), other.casefold()
    if _WORD.sub("a", text) != _WORD.sub("a", other):
        return False
    words = zip(_WORD.findall(text), _WORD.findall(other), strict=True)
    match [pair for pair in words if pair[0] != pair[1]]:
        case [(one, two)]:
            return _is_typing_error(one, two)
    return False


@dataclass(frozen=True)
class TypingError:
    """A value that may be another one with a typing error.

    Parameters
    ----------
    value, meant : str
        The value, and the more frequent one.
    n : int
        Rows with the value.
    """

    value: str
    meant: str
    n: int


def typing_errors(counts: Mapping[str, int]) -> tuple[TypingError, ...]:
    """Return the values that may be a more frequent one with a typing error, given the rows with each.

    Examples
    --------
    >>> typing_errors({"granted": 90, "refused": 60, "grantd": 3, "refusal": 50})
    (TypingError(value='grantd', meant='granted', n=3),)
    """
    more_frequent: dict[str, list[str]] = {}
    found = []
    for value, n in sorted(counts.items(), key=lambda item: -item[1]):
        # Texts that resemble each other begin alike.
        before = more_frequent.setdefault(value[:1].casefold(), [])
        meant = next((one for one in before if is_rare(n, counts[one]) and resembles(value, one)), None)
        if meant is not None:
            found.append(TypingError(value, meant, n))
        before.append(value)
    return tuple(found)


def is_rare(n: int, n_meant: int) -> bool:
    """Say whether a value is rare enough for a typing error: at most half as frequent as what is meant."""
    return 2 * n <= n_meant


def _is_typing_error(one: str, two: str) -> bool:
    shortest = min(len(one), len(two))
    if shortest < _SHORTEST or one[0] != two[0]:
        return False
    errors = _errors(one, two)
    if errors == 1:
        return True
    start = _alike(one, two)
    apart = max(len(one), len(two)) - start - _alike(one[: start - 1 : -1], two[: start - 1 : -1]) > 2
    return errors == 2 and shortest >= _SHORTEST_OF_TWO and apart


def _alike(one: str, two: str) -> int:
    """Return how many letters two words begin with alike."""
    return sum(takewhile(bool, map(eq, one, two)))


def _errors(one: str, two: str) -> int:
    """Return how many letters are added, left out, replaced or swapped with their neighbour; 3 stands for more."""
    if abs(len(one) - len(two)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, letter in enumerate(one, start=1):
        above, before, row = before, row, [i]
        for j, other in enumerate(two, start=1):
            n = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == two[j - 2] and one[i - 2] == other:
                n = min(n, above[j - 2] + 1)
            row.append(n)
    return min(row[-1], 3)
