"""Rows in the order in which people read their names: E9 before E13, low before middle before high."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from fairaudit.measure.grouping import is_missing
from fairaudit.measure.results import GroupRow, StratumRow

Row = TypeVar("Row", bound=GroupRow | StratumRow)
_LADDERS: Final = tuple(
    {word: step for step, words in enumerate(ladder.split(",")) for word in words.split("/")}
    for ladder in (
        "none/no,very low/lowest,low/lower,below average,middle/mid/medium/moderate/average/normal,above average,"
        "high/higher,very high/highest",
        "never,rarely/seldom,sometimes,often,usually/mostly,always",
        "extra small/very small/xs,small/s,medium/middle/m,large/big/l,extra large/very large/xl,xxl",
        "very poor/very bad,poor/bad,fair/average/satisfactory,good,very good,excellent/outstanding",
        "minor/mild/light,moderate/medium,serious/severe/major/heavy,critical/very severe",
        "young/younger,middle/middle aged/adult,old/older/elderly/senior",
        "trainee/entry,junior,middle/mid/intermediate,senior,lead/principal",
        "few,some,many", "short,medium/middle,long", "early,middle/mid,late", "beginner,intermediate,advanced,expert",
        "primary,secondary,tertiary/higher", "first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth",
        "monday/mon,tuesday/tue,wednesday/wed,thursday/thu,friday/fri,saturday/sat,sunday/sun",
        "january/jan,february/feb,march/mar,april/apr,may,june/jun,july/jul,august/aug,september/sep,october/oct,"
        "november/nov,december/dec",
    )
)  # fmt: skip
"""Words that have an order of their own, each with those that stand for the same step."""


def in_natural_order(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return groups or strata that stand in the order of texts in that of the numbers or words in their names.

    Words that have an order of their own, such as low, middle and high, stand in it, where all values of a column are
    such words. Rows in another order, such as those of bands, keep it.
    """
    plain = [tuple((is_missing(value), "" if is_missing(value) else value) for _, value in row.values) for row in rows]
    try:
        if plain != sorted(plain):
            return tuple(rows)
    except TypeError:
        return tuple(rows)
    steps = [_steps([value for missing, value in column if not missing]) for column in zip(*plain, strict=True)]
    named = [
        tuple(
            (missing, own.get(value) if own else _natural(value))
            for (missing, value), own in zip(key, steps, strict=True)
        )
        for key in plain
    ]
    return tuple(rows[i] for i in sorted(range(len(rows)), key=named.__getitem__))


def _steps(values: Sequence[Any]) -> dict[Any, int]:
    """Return the step of each value where all are words of one ladder, but for words that all have; else nothing."""
    if len(set(values)) < 2 or not all(isinstance(value, str) for value in values):
        return {}
    words = {value: re.sub(r"[\s_-]+", " ", value).strip().casefold().split(" ") for value in values}
    shared = set.intersection(*map(set, words.values()))
    own = {value: " ".join(word for word in said if word not in shared) for value, said in words.items()}
    for ladder in _LADDERS:
        if all(text in ladder for text in own.values()):
            return {value: ladder[text] for value, text in own.items()}
    return {}


def _natural(value: Any) -> Any:
    """Return what a value is sorted by: each number in a text by its size, whatever else by itself."""
    if not isinstance(value, str):
        return value
    parts = re.split("([0-9]+)", value)
    return [(len(part.lstrip("0")), part.lstrip("0")) if i % 2 else part for i, part in enumerate(parts)]
