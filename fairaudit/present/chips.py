"""What the data support in a word or two, as a chip above a verdict: its colour says nothing that its words do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.results import Comparison
from fairaudit.present.words import GAP_OF_UNCLEAR_SIZE, verdict_word

Sort = Literal["gap", "alike", "open", "quiet"]


@dataclass(frozen=True)
class Chip:
    """A word or two, and of which sort they are: a gap, alike, an open question, or nothing to say."""

    text: str
    sort: Sort


_BY_ANSWER = {
    "Yes": Chip("Alike", "alike"),
    "No": Chip("Clear gap", "gap"),
    GAP_OF_UNCLEAR_SIZE: Chip(GAP_OF_UNCLEAR_SIZE, "open"),
    "Too close to call": Chip("Cannot tell", "open"),
    "Cannot say": Chip("Nothing to compare", "quiet"),
    "Not shown": Chip("Not shown", "quiet"),
}


def evidence_chip(result: Comparison | MeanComparison) -> Chip:
    """Return the chip of a comparison: "Clear gap", "Alike", "A gap, size unclear" or "Cannot tell"."""
    return _BY_ANSWER[verdict_word(result)]
