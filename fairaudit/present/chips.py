"""What the data support in a word or two, as a chip above a verdict: its colour says nothing that its words do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from fairaudit.present import words

Sort = Literal["gap", "alike", "open", "quiet"]


@dataclass(frozen=True)
class Chip:
    """A word or two, and of which sort they are: a gap, alike, an open question, or nothing to say."""

    text: str
    sort: Sort


CANNOT_TELL: Final = Chip(words.CANNOT_TELL, "open")
NOTHING_TO_COMPARE: Final = Chip(words.NOTHING_TO_COMPARE, "quiet")
CLEAR_GAP: Final = Chip(words.CLEAR_GAP, "gap")
_SORTS: Final[dict[str, Sort]] = {
    words.ALIKE: "alike",
    words.CLEAR_GAP: "gap",
    words.NOTHING_TO_COMPARE: "quiet",
    words.NO_VERDICT: "quiet",
}


def reading_chip(word: str) -> Chip:
    """Return the chip of a reading, such as one of many groups that allows for all of them."""
    return Chip(word, _SORTS.get(word, "open"))
