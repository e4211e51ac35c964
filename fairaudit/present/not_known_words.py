"""The caution on people who are counted although their value says that their group or decision is not known."""

from __future__ import annotations

from typing import Final

from fairaudit.errors import quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.not_known import NotKnown, meaning_of
from fairaudit.messages import say
from fairaudit.presets.fitting import unknown_text

MOST_VALUES: Final = 5
"""Values that are named in a sentence."""

_NOUNS: Final = {"group": "group", "own_group": "group", "left_out": "group", "amount": "amount"}


def not_known_sentence(part: NotKnown, *, what: str = "decision") -> str:
    """Return how many rows have a value that means not known, where they are counted, and the filter without them.

    `what` is the outcome that a part not about groups speaks of: the decision, or the prediction.
    """
    args: dict[str, Argument] = {
        "counted": Word(part.counted),
        "side": Word(_side(part)),
        "n": Count(part.n or 0),
        "filter": Phrase(joinable(part.leave_out)),
    }
    return f"{not_known_lead(part, what=what)} {say(Message('unknown-counted', args))}"


def _side(part: NotKnown) -> str:
    """Return which of both groups holds such rows, as far as it is shown."""
    if len(part.groups) == 1:
        return "protected" if part.groups == ("protected",) else "rest"
    return "both" if part.groups else "hidden"


def joinable(condition: str) -> str:
    """Return a condition as it is joined to a filter by hand."""
    return f"({condition})" if " OR " in condition else condition


def not_known_lead(part: NotKnown, *, what: str = "decision") -> str:
    """Return how many rows have a value that means not known, in one sentence; without their number where hidden."""
    args: dict[str, Argument] = {
        "some": Word("yes" if part.n is None else "no"),
        "n": Count(part.n or 0),
        "values": Phrase(value_words(part)),
        "column": Phrase(quote(part.column)),
        "meaning": Word(meaning_of(part)),
        "noun": Phrase(_NOUNS.get(part.counted, what)),
    }
    return say(Message("unknown-lead", args))


def value_words(part: NotKnown) -> str:
    """Return the values, quoted and joined by "or"; of many, the first ones."""
    texts = [quote(unknown_text(value), limit=40) for value in part.values[:MOST_VALUES]]
    if len(part.values) > MOST_VALUES:
        return say(Message("unknown-more", {"values": Phrase(", ".join(texts)), "n": Count(len(part.values))}))
    return " or ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]
