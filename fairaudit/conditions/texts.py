"""Text functions as DuckDB has them: letter by letter, blanks only, patterns without an escape sign."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache

BLANKS = "".join(chr(i) for i in range(0x10000) if unicodedata.category(chr(i)) == "Zs")
# Letters for private use, the last ones there are: no text that is exchanged holds them.
_MARKS = 0x10F000


def to_lower(text: str) -> str:
    """Turn each letter that has one into its single small letter.

    Examples
    --------
    >>> to_lower("ÉCOLE")
    'école'
    """
    return text.lower() if text.isascii() else "".join(map(_lower, text))


def to_upper(text: str) -> str:
    """Turn each letter that has one into its single capital letter.

    Examples
    --------
    >>> to_upper("straße")
    'STRAẞE'
    """
    return text.upper() if text.isascii() else "".join(map(_upper, text))


def trim(text: str) -> str:
    """Remove blanks, but no tabs or line ends, from both ends."""
    return text.strip(BLANKS)


@cache
def capital_exceptions(name: str) -> tuple[str, str, str]:
    """Return the letters that the full rules of Unicode change otherwise than :func:`to_lower` or :func:`to_upper`.

    Examples
    --------
    >>> capital_exceptions("lower")
    ('İΣ', 'iσ', 'iσ')
    """
    if name == "lower":
        # At the end of a word, the full rules make another small sigma.
        return "İΣ", "iσ", "iσ"
    letters = [c for c in map(chr, range(0x30000)) if len(c.upper()) > 1]
    marks = "".join(chr(_MARKS + place) for place in range(len(letters)))
    return "".join(letters), marks, "".join(map(to_upper, letters))


def like_matcher(pattern: str, *, ignore_case: bool = False) -> Callable[[str], bool]:
    """Return the test for a LIKE pattern; its time grows with the text times the pattern, whatever the pattern.

    Examples
    --------
    >>> like_matcher("A%c_")("Abcd")
    True
    """
    pieces = (to_lower(pattern) if ignore_case else pattern).split("%")
    parts = [re.compile("".join("." if c == "_" else re.escape(c) for c in piece), re.DOTALL) for piece in pieces]

    def matches(text: str) -> bool:
        text = to_lower(text) if ignore_case else text
        if len(parts) == 1:
            return parts[0].fullmatch(text) is not None
        start = parts[0].match(text)
        if start is None:
            return False
        at = start.end()
        for part in parts[1:-1]:
            found = part.search(text, at)
            if found is None:
                return False
            at = found.end()
        tail = len(text) - len(pieces[-1])
        return tail >= at and parts[-1].fullmatch(text, tail) is not None

    return matches


@cache
def _lower(letter: str) -> str:
    made = letter.lower()
    return "i" if letter == "İ" else made if len(made) == 1 else letter


@cache
def _upper(letter: str) -> str:
    if letter == "ß":
        return "ẞ"
    return next((made for made in (letter.upper(), letter.title()) if len(made) == 1), letter)
