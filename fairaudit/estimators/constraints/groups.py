"""Groups that a constraint compares: the values of columns, or named conditions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from fairaudit.conditions import Condition
from fairaudit.errors import InputError, quote

_COMPARISON = re.compile(r"[<>=]|\b(?:is|in|like|between|not)\b[\s(]", re.IGNORECASE)
"""What a text has that is a condition and not the name of a column."""

_PLAIN = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Columns:
    """Groups that are the values of one column, or the crossed values of several. Rows without a value are in none.

    Parameters
    ----------
    names : tuple of str
        The columns, each once.
    """

    names: tuple[str, ...]

    def __str__(self) -> str:
        return ", ".join(name if _PLAIN.fullmatch(name) else _quoted(name) for name in self.names)

    def __post_init__(self) -> None:
        if not self.names or any(not isinstance(name, str) or not name for name in self.names):
            raise InputError("'groups' must name at least one column.", hint="Write the name of a column, such as sex.")
        if len(set(self.names)) < len(self.names):
            raise InputError(f"'groups' names a column twice: {', '.join(map(quote, self.names))}.")


@dataclass(frozen=True)
class Conditions:
    """Groups that are named conditions on a row. They may overlap, and need not cover all rows.

    Parameters
    ----------
    named : tuple of (str, str)
        What each group is called, and its condition. Names differ.
    """

    named: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        parts = [_quoted(text) + ("" if name == text else f" as {_quoted(name)}") for name, text in self.named]
        return f"[{', '.join(parts)}]"

    def __post_init__(self) -> None:
        if not all(isinstance(part, str) and part.strip() for pair in self.named for part in pair):
            raise InputError("'groups' has an empty condition or name.", hint="Write one such as age < 25, or drop it.")
        names = [name for name, _ in self.named]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"'groups' has two groups named {quote(twice)}.", hint="Give each a name of its own.")
        if len(names) < 2:
            raise InputError(
                f"'groups' must hold at least two conditions, got {len(names)}.",
                hint="Add the group to compare with, such as NOT (age < 25).",
            )


def read_groups(groups: Any) -> Columns | Conditions:
    """Read groups that are given as a column, columns or conditions."""
    if isinstance(groups, Columns | Conditions):
        return groups
    if isinstance(groups, str):
        return Columns((str(groups),))
    if isinstance(groups, Mapping):
        return Conditions(tuple((_text(name), _text(condition)) for name, condition in groups.items()))
    # A set has no order, and the order of groups is the sign of a gap.
    if isinstance(groups, AbstractSet | bytes) or not isinstance(groups, Iterable):
        raise InputError(
            f"'groups' must be a column, columns or conditions, got {type(groups).__name__}.",
            hint="Write 'sex', or ['race', 'sex'], or {'young': 'age < 25', 'old': 'age >= 60'}.",
        )
    items = [_text(item) for item in groups]
    are_conditions = [bool(_COMPARISON.search(item)) for item in items]
    if items and all(are_conditions):
        return Conditions(tuple((item, item) for item in items))
    if any(are_conditions):
        raise InputError(
            f"'groups' mixes columns and conditions: {', '.join(map(quote, items))}.",
            hint="Give columns only, or conditions only. In a mapping of names to conditions, all are conditions.",
        )
    return Columns(tuple(items))


def _text(item: Any) -> str:
    if not isinstance(item, str | Condition):
        raise InputError(f"'groups' must hold names of columns or conditions, as texts, got {type(item).__name__}.")
    return str(item)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
