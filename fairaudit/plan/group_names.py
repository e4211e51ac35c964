"""What the people who meet several conditions are called: by the names that the plan gives, or by column and value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from typing import Any

from fairaudit.conditions import Condition
from fairaudit.conditions.tree import And
from fairaudit.findings import Argument, Group, Message, Phrase
from fairaudit.findings.group_names import GroupName
from fairaudit.measure.grouping import value_text
from fairaudit.plan.audit_plan import NamesPlan

_SHORT = 3
_BELOW = re.compile(r"(?:under|below|up to|less than|<=?) ?(\d+)", re.IGNORECASE)
_FROM = re.compile(
    r"(?:over|above|more than|>=?|from) ?(\d+)|(\d+) ?(?:\+|and (?:over|older|above|more))", re.IGNORECASE
)
_BETWEEN = re.compile(r"(\d+) ?(?:to|-|\N{EN DASH}) ?(\d+)", re.IGNORECASE)
Range = tuple[int | None, int | None]


def group_name(names: NamesPlan, condition: Condition) -> GroupName:
    """Return what the people who meet a condition are called."""
    parts = condition.tree.parts if isinstance(condition.tree, And) else (condition.tree,)
    who: Argument | None = None
    after: list[Argument] = []
    clauses: list[Argument] = []
    labels: list[Argument] = []
    for part in map(Condition, parts):
        if part.listed is None or None in part.listed[1]:
            clauses.append(Phrase(part.in_words()))
            labels.append(clauses[-1])
            continue
        column, values = part.listed
        labels.append(_label(column, values))
        plurals = [names.groups.get(column, {}).get(str(value)) for value in values]
        behind = [names.values.get(column, {}).get(str(value)) for value in values]
        joined = joined_range(values)
        if who is None and all(plurals):
            who = _either([Group(name) for name in plurals if name])
        elif all(behind):
            after.append(joined or _either([Phrase(text) for text in behind if text]))
        else:
            value = joined or _either([Phrase(value_text(value)) for value in values])
            clauses.append(Message("name-is", {"column": _column(column), "value": value}))
    if clauses:
        after.append(Message("name-whose", {"conditions": reduce(_both, clauses)}))
    said = reduce(_followed, after, who or Message("name-people"))
    return GroupName(said, reduce(_beside, labels), len(clauses))


def joined_range(values: Sequence[Any]) -> Message | None:
    """Return two texts that are ranges of whole numbers, one after the other, as one range; None for any other values.

    Examples
    --------
    >>> joined_range(["25 to 45", "under 25"]).key
    'name-range-to'
    """
    ranges = [_range(value) for value in values]
    if len(ranges) != 2 or None in ranges:
        return None
    (low, end), (start, high) = sorted((r for r in ranges if r), key=lambda r: -1 if r[0] is None else r[0])
    if end is None or start is None or start - end not in (0, 1):
        return None
    ends = {"low": Phrase(str(low)), "high": Phrase(str(high))}
    return Message("name-range-to" if low is None else "name-range-from" if high is None else "name-range", ends)


def _range(value: Any) -> Range | None:
    if not isinstance(value, str):
        return None
    text = value.strip()
    if found := _BELOW.fullmatch(text):
        return None, int(found[1])
    if found := _FROM.fullmatch(text):
        return int(found[1] or found[2]), None
    if found := _BETWEEN.fullmatch(text):
        return int(found[1]), int(found[2])
    return None


def _label(column: str, values: Sequence[Any]) -> Argument:
    """Return values as they stand, after the column where these say little, as a grade does."""
    texts = [value_text(value) for value in values]
    value = joined_range(values) or _either([Phrase(text) for text in texts])
    if all(len(text) > _SHORT for text in texts):
        return value
    return Message("name-label-value", {"column": _column(column), "value": value})


def _column(name: str) -> Phrase:
    return Phrase(name.replace("_", " ").strip() or name)


def _either(values: Sequence[Argument]) -> Argument:
    return reduce(lambda first, second: Message("name-either", {"first": first, "second": second}), values)


def _both(first: Argument, second: Argument) -> Argument:
    return Message("name-both", {"first": first, "second": second})


def _beside(first: Argument, second: Argument) -> Argument:
    return Message("name-beside", {"first": first, "second": second})


def _followed(who: Argument, by: Argument) -> Argument:
    return Message("name-followed", {"who": who, "by": by})
