"""What the data support in a word or two, as a chip above a verdict: its colour says nothing that its words do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from fairaudit.present import words
from fairaudit.present.numbers import NOT_DEFINED, NOT_SHOWN

Sort = Literal["gap", "alike", "open", "quiet"]


@dataclass(frozen=True)
class Chip:
    """A word or two, and of which sort they are: a gap, alike, an open question, or nothing to say."""

    text: str
    sort: Sort


CANNOT_TELL: Final = Chip("Cannot tell", "open")
NOTHING_TO_COMPARE: Final = Chip("Nothing to compare", "quiet")
_NOT_SHOWN: Final = Chip("Not shown", "quiet")
CLEAR_GAP: Final = Chip("Clear gap", "gap")
_BY_READING: Final = {
    words.ALIKE: Chip("Alike", "alike"),
    words.CLEAR_GAP: CLEAR_GAP,
    words.SIZE_UNCLEAR: Chip("A gap, size unclear", "open"),
    words.CANNOT_TELL: CANNOT_TELL,
    NOT_DEFINED: NOTHING_TO_COMPARE,
    NOT_SHOWN: _NOT_SHOWN,
}


def reading_chip(word: str) -> Chip:
    """Return the chip of a reading, such as one of many groups that allows for all of them."""
    return _BY_READING[word]
