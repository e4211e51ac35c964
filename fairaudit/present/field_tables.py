"""Tables that follow from what fields declare: of a frame, one row each of its rows; of a finding, one row a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Final

import pandas as pd

from fairaudit.disclosure.fields import Columns, Field, Kind, columns, field_named, field_of
from fairaudit.measure.results import Interval
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import shown


def heads(declared: Columns, names: Iterable[str] = ()) -> tuple[Field, ...]:
    """Return the columns of a table in the words of the data dictionary: those named, or all that have a head."""
    chosen = list(names) or [name for name, field in declared.items() if field.label]
    return tuple(replace(declared[name], meaning=declared[name].brief or declared[name].meaning) for name in chosen)


def adapted(declared: Columns, names: Iterable[str], **changes: Any) -> Columns:
    """Return columns of which the named ones are shown otherwise, such as with other decimals."""
    return {**declared, **{name: replace(declared[name], **changes) for name in names}}


def inserted(declared: Columns, after: str, **others: Field) -> Columns:
    """Return columns with others behind the one of that name, which a table adds to what a frame holds."""
    place = list(declared).index(after) + 1
    items = list(declared.items())
    return dict([*items[:place], *columns(**others).items(), *items[place:]])


def declared_by(kind: type) -> Columns:
    """Return what the attributes of a class declare, by their names."""
    return columns(**{each.name: field_of(each) for each in fields(kind)})


def columns_of(kind: type, name: str) -> Columns:
    """Return the columns of the frame that an attribute of a class holds."""
    return field_named(kind, name).columns


def of_amounts(declared: Columns) -> Columns:
    """Return columns of shares and their differences as they are of amounts and theirs."""
    return {name: replace(each, kind=OF_AMOUNTS.get(each.kind, each.kind)) for name, each in declared.items()}


def rows_of(records: Iterable[Any], declared: Columns, names: Iterable[str] = ()) -> tuple[tuple[Any, ...], ...]:
    """Return the rows of objects of a class below :func:`heads` of what it declares."""
    chosen = list(names) or [name for name, field in declared.items() if field.label]
    return tuple(tuple(_cell(getattr(each, name)) for name in chosen) for each in records)


def _cell(value: Any) -> Any:
    return tuple(value) if isinstance(value, Interval) else shown(value)


def frame_rows(frame: pd.DataFrame, declared: Columns, names: Iterable[str] = ()) -> tuple[tuple[Any, ...], ...]:
    """Return the rows of a frame below :func:`heads`; an interval is declared at its low end."""
    chosen = list(names) or [name for name, field in declared.items() if field.label]
    pairs = [(name, declared[name].kind.endswith("_interval")) for name in chosen]
    return tuple(
        tuple(
            (row[name], row[f"{name.removesuffix('low')}high"]) if is_interval else shown(row[name])
            for name, is_interval in pairs
        )
        for row in frame.to_dict("records")
    )


def frame_table(
    key: str, title: str, frame: pd.DataFrame, declared: Columns, names: Sequence[str] = (), *, note: str | None = None
) -> TableBlock:
    """Return a frame as a table."""
    return TableBlock(key, title, heads(declared, names), frame_rows(frame, declared, names), note=note)


OF_AMOUNTS: Final[dict[Kind, Kind]] = {
    "share": "amount",
    "share_interval": "amount_interval",
    "points": "difference",
    "points_interval": "difference_interval",
}
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
FIGURE: Final = Field("figure", "figure", "text", "Which figure.")


def figures_table(
    key: str,
    title: str,
    found: Any,
    names: Iterable[str],
    values: Mapping[Kind, Field],
    *,
    words: Mapping[str, str] = NOTHING,
    instead: Mapping[str, Any] = NOTHING,
    kinds: Mapping[str, Kind] = NOTHING,
    figure: Field = FIGURE,
    note: str | None = None,
) -> TableBlock:
    """Return some figures of a finding, one row each: its label, and its value in the column of its kind.

    `words` stand in the column of texts; `instead` and `kinds` are values and kinds other than the finding's own.
    """
    rows = []
    for name in names:
        field = field_named(type(found), name)
        cells = {kinds.get(name, field.kind): instead.get(name, _cell(getattr(found, name)))}
        cells["text"] = words.get(name, "")
        rows.append((field.label, *(cells.get(kind, ("", "") if "interval" in kind else "") for kind in values)))
    return TableBlock(key, title, (figure, *values.values()), tuple(rows), note=note)
