"""Which values of a column of groups mean that the group is not known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from fairaudit.measure.grouping import is_missing, value_text

BLANK = "(blank)"
"""What a text without a letter, digit or sign is called."""

USUAL_WORDS = (
    "unknown", "not known", "don't know", "do not know", "n/a", "na", "null", "none", "nan", "missing", "?", "-", "--",
    "not available", "not applicable", "not specified", "unspecified", "not stated", "not given", "not provided",
    "information not provided", "not reported", "unreported", "not declared", "undeclared", "not disclosed",
    "undisclosed",
    "no answer", "not answered", "no response", "no data", "withheld", "refused", "refused to answer",
    "prefer not to say", "prefer not to answer", "prefer not to disclose", "prefer not to state",
    "I prefer not to say", "I prefer not to answer", "I prefer not to disclose",
    "choose not to disclose", "choose not to answer", "choose not to say", "I choose not to disclose",
    "do not wish to answer", "do not wish to disclose", "do not wish to say", "do not wish to self-identify",
    "don't wish to answer", "don't wish to disclose", "don't wish to say", "don't wish to self-identify",
    "I do not wish to answer", "I do not wish to disclose", "I do not wish to say", "I do not wish to self-identify",
    "I don't wish to answer", "I don't wish to disclose", "I don't wish to say", "I don't wish to self-identify",
    "declined", "declined to state", "declined to answer", "declined to disclose", "declined to self-identify",
    "decline", "decline to state", "decline to answer", "decline to disclose", "decline to self-identify",
    "I decline to state", "I decline to answer", "I decline to self-identify",
)  # fmt: skip
"""What people and systems usually write for unknown, in the forms of the package and those that ask for it."""

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")


def unknown_text(value: Any) -> str:
    """Write a value that was counted as unknown for people.

    Parameters
    ----------
    value : object
        A value of a column.

    Returns
    -------
    str
        Numbers as text; ``"(blank)"`` for a text of blanks.

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
        self._keys = {_key(word.strip()) for word in words}
        self._own = {word.strip().casefold() for word in own}
        self._own_numbers = {_number(word) for word in self._own} - {None}
        self._known = {text.strip() for text in known}

    def __contains__(self, value: Any) -> bool:
        if is_missing(value):
            return False
        text = value_text(value).strip()
        if not text:
            return True
        if text in self._known:
            return False
        # A text may have zeros that tell it from another, as 09 and 9; a number has none.
        same_number = not isinstance(value, str) and _number(text) in self._own_numbers
        return same_number or text.casefold() in self._own or _key(text) in self._keys


def _number(text: str) -> Decimal | None:
    return Decimal(text) if NUMBER.fullmatch(text) else None


def _key(text: str) -> str | Decimal:
    """Return what is compared: a number, the letters and digits or, where there are no letters, the text as it is."""
    number = _number(text)
    if number is not None:
        return number
    has_letter = any(sign.isalpha() for sign in text)
    return re.sub(r"[\W_]+", "", text.casefold()) if has_letter else text
