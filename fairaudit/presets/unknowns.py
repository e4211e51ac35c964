"""Which values of a column of groups mean that the group is not known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairaudit.data.unknown_words import number_of, word_key
from fairaudit.measure.grouping import is_missing, value_text

BLANK = "(blank)"
"""What a text without a letter, digit or sign is called."""


def unknown_text(value: Any) -> str:
    """Write a value that was counted as unknown for people.

    Examples
    --------
    >>> unknown_text(3.0), unknown_text("  ")
    ('3', '(blank)')
    """
    return value_text(value) if value_text(value).strip() else BLANK


class UnknownValues:
    """What means unknown in one column.

    Of the words that a form lists, letter case, blanks and punctuation do not matter: "Decline To Self Identify" is
    "decline to self-identify"; a number is that number only, so that -1 is not 1. A person's own values mean just
    themselves, in small or capital letters. A text of blanks always means unknown.

    Parameters
    ----------
    words : iterable of str
        Values that a form lists.
    own : iterable of str
        Values that a plan adds.
    known : iterable of str
        Values that mean a group although they are among the others, spelled as in the column.

    Examples
    --------
    >>> values = UnknownValues(["n/a", "not stated", "3"], ["-1"], known=["NA"])
    >>> [value for value in ("Not-stated", "N/A", "NA", 3.0, " ", "White", -1, 1) if value in values]
    ['Not-stated', 'N/A', 3.0, ' ', -1]
    """

    def __init__(self, words: Iterable[str], own: Iterable[str] = (), known: Iterable[str] = ()) -> None:
        self._keys = {word_key(word.strip()) for word in words}
        self._own = {word.strip().casefold() for word in own}
        self._own_numbers = {number_of(word) for word in self._own} - {None}
        self._known = {text.strip() for text in known}

    def __contains__(self, value: Any) -> bool:
        if is_missing(value):
            return False
        text = value_text(value).strip()
        if not text:
            return True
        if text in self._known:
            return False
        # Zeros can make a text differ from another, as 09 and 9; a number has none.
        same_number = not isinstance(value, str) and number_of(text) in self._own_numbers
        return same_number or text.casefold() in self._own or word_key(text) in self._keys
