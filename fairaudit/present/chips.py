"""What the data support in a word or two, as a chip above a verdict: its colour says nothing that its words do not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.results import Comparison
from fairaudit.present.period_words import change_word
from fairaudit.present.words import GAP_OF_UNCLEAR_SIZE, verdict_word

if TYPE_CHECKING:
    from fairaudit.audit.follow_up_results import ChangeFinding, ExplanationFinding
    from fairaudit.audit.result import SubgroupsFinding

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
    "Cannot tell": Chip("Cannot tell", "open"),
    "Nothing to compare": Chip("Nothing to compare", "quiet"),
    "Not shown": Chip("Not shown", "quiet"),
}
_CANNOT_TELL, _NOT_SHOWN = _BY_ANSWER["Cannot tell"], _BY_ANSWER["Not shown"]


def evidence_chip(result: Comparison | MeanComparison) -> Chip:
    """Return the chip of a comparison: "Clear gap", "Alike", "A gap, size unclear" or "Cannot tell"."""
    return _BY_ANSWER[verdict_word(result)]


def change_chip(finding: ChangeFinding) -> Chip:
    """Return whether a gap changed from one period to another, and which way."""
    word = change_word(finding)
    if word == "Yes" and finding.result is not None:
        before, after = (abs(answer.difference) for answer in (finding.result.before, finding.result.after))
        return Chip("Gap smaller", "alike") if after < before else Chip("Gap larger", "gap")
    return {"Yes": Chip("Changed", "gap"), "No": Chip("Unchanged", "alike"), "Not shown": _NOT_SHOWN}.get(
        word, _CANNOT_TELL
    )


def explanation_chip(finding: ExplanationFinding) -> Chip:
    """Return whether more of a gap is left than chance alone could leave."""
    low, high = finding.result.unexplained.interval
    if None in (low, high):
        return _NOT_SHOWN
    if not (math.isfinite(low) and math.isfinite(high)):
        return _CANNOT_TELL
    return Chip("A gap is left", "gap") if low > 0 or high < 0 else Chip("What is left may be chance", "open")


def subgroups_chip(found: SubgroupsFinding) -> Chip:
    """Return whether a subgroup stands out beyond chance."""
    number = found.result.n_standing_out
    if found.result.n_considered is None or number is None:
        return _NOT_SHOWN
    return Chip("Stands out", "gap") if number else Chip("Nothing stands out", "open")
