"""The caution on people who are counted although their value says that their group or decision is not known."""

from __future__ import annotations

from typing import Final

from fairaudit.errors import quote
from fairaudit.measure.not_known import NotKnown, meaning_of
from fairaudit.present.numbers import count_text
from fairaudit.presets.unknowns import unknown_text

MOST_VALUES: Final = 5
"""Values that are named in a sentence."""

_GROUPS: Final = {"protected": "in the protected group", "reference": "in the rest"}


def not_known_sentence(part: NotKnown, *, what: str = "decision") -> str:
    """Return how many rows have a value that means not known, where they are counted, and the filter without them.

    `what` is the outcome that a part not about groups speaks of: the decision, or the prediction.
    """
    they = "It is" if part.n == 1 else "They are"
    if part.counted == "group":
        several = len(part.groups) > 1 and part.n is not None
        places_text = places(part) if part.groups else "in one of both groups"
        where = f"{they} counted{':' if several else ''} {places_text}."
        aim = "To compare only people whose group is known"
    elif part.counted == "own_group":
        where = f"{they} compared as a group."
        aim = "To compare only people whose group is known"
    elif part.counted == "amount":
        where = f"{they} counted."
        aim = "To compare only known amounts"
    else:
        good = "" if part.counted == "good" else " not"
        inside = f", {places(part)}" if part.groups else ""
        where = f"{they} counted as{good} reaching the good outcome{inside}."
        aim = "To compare only decided cases"
    if meaning_of(part) == "total":
        aim = "To leave totals out"
    return f"{not_known_lead(part, what=what)} {where} {aim}, add to the filter: {joinable(part.leave_out)}."


def joinable(condition: str) -> str:
    """Return a condition as it is joined to a filter by hand."""
    return f"({condition})" if " OR " in condition else condition


def not_known_lead(part: NotKnown, *, what: str = "decision") -> str:
    """Return how many rows have a value that means not known, in one sentence; without their number where hidden."""
    nouns = {"group": "group", "own_group": "group", "left_out": "group", "amount": "amount"}
    noun, meaning = nouns.get(part.counted, what), meaning_of(part)
    state = "is not known" if part.counted in nouns else "is not known or not made"
    means = {
        "not known": f"usually means that the {noun} {state}",
        "perhaps": f"may mean that the {noun} {state}",
        "ended": "usually means that the case ended before it was decided",
        "total": "usually means that the row adds up others",
    }[meaning]
    one = part.n == 1
    rows = "Some rows" if part.n is None else f"{count_text(part.n)} row{'' if one else 's'}"
    has = "has" if one else "have"
    return f"{rows} {has} {value_words(part)} in column {quote(part.column)}, which {means}."


def places(part: NotKnown) -> str:
    """Return which groups hold the rows, and how many each where both do and the counts are shown."""
    counts = {"protected": part.n_protected, "reference": part.n_reference}
    if len(part.groups) == 1 or None in counts.values():
        return " and ".join(_GROUPS[group] for group in part.groups)
    return " and ".join(f"{count_text(counts[group])} {_GROUPS[group]}" for group in part.groups)


def value_words(part: NotKnown) -> str:
    """Return the values, quoted and joined by "or"; of many, the first ones."""
    texts = [quote(unknown_text(value), limit=40) for value in part.values[:MOST_VALUES]]
    if len(part.values) > MOST_VALUES:
        texts.append(f"another of {len(part.values)} such values")
    return " or ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]
