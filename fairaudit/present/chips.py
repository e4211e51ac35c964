"""What the data support in a word or two, as a chip above a verdict: its colour says nothing that its words do not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from fairaudit.present import words
from fairaudit.present.explain_words import Figures, methods_differ
from fairaudit.present.numbers import NOT_DEFINED, NOT_SHOWN

if TYPE_CHECKING:
    from fairaudit.audit.follow_up_results import ExplanationFinding
    from fairaudit.audit.result import SubgroupsFinding

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


def explanation_chip(finding: ExplanationFinding) -> Chip:
    """Return whether more of a gap is left than chance alone could leave, and whether that points the other way."""
    found, write = finding.result, Figures(finding)
    low, high = found.unexplained.interval
    if None in (low, high):
        return _NOT_SHOWN
    if not (math.isfinite(low) and math.isfinite(high)):
        return CANNOT_TELL
    if methods_differ(found):
        return Chip("Methods differ", "open")
    if low <= 0 <= high:
        return Chip("What is left may be chance", "open")
    if write.points_back(found):
        return Chip("What is left points the other way", "open")
    return Chip("A gap is left", "gap")


def subgroups_chip(found: SubgroupsFinding) -> Chip:
    """Return whether a subgroup stands out beyond chance."""
    number = found.result.n_standing_out
    if found.result.n_considered is None or number is None:
        return _NOT_SHOWN
    return Chip("Stands out", "gap") if number else Chip("Nothing stands out", "open")
