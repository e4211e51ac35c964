"""Tables that follow from what fields declare: of a frame, one row each of its rows; of a finding, one row a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, TypeVar

import pandas as pd

from fairaudit.disclosure.fields import Columns, Field, Kind, columns, field_named, field_of
from fairaudit.measure.quantity import Unit
from fairaudit.measure.results import Interval
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import shown

Record = TypeVar("Record")
Column = tuple[Field, Callable[[Record], object]]
"""A column of a table, and what it holds of an object."""
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


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
    """Return what the attributes of a class declare, by their names; the parts of what one holds follow it."""
    declared: dict[str, Field] = {}
    for each in fields(kind):
        field = field_of(each)
        declared |= columns(**{each.name: field})
        declared |= {f"{each.name}.{name}": part for name, part in field.parts.items()}
    return declared


def columns_of(kind: type, name: str) -> Columns:
    """Return the columns of the frame that an attribute of a class holds."""
    return field_named(kind, name).columns


def in_unit(unit: Unit, declared: Columns) -> Columns:
    """Return columns of shares and their differences as they are of what has another unit."""
    kinds: dict[Kind, Kind] = {
        "share": unit.figure, "share_interval": unit.figure_interval,
        "points": unit.gap, "points_interval": unit.gap_interval,
    }  # fmt: skip
    return {name: replace(each, kind=kinds.get(each.kind, each.kind)) for name, each in declared.items()}


def rows_of(
    records: Iterable[Record],
    declared: Columns,
    names: Iterable[str] = (),
    cells: Mapping[str, Callable[[Record], object]] = NOTHING,
) -> tuple[tuple[object, ...], ...]:
    """Return the rows of objects of a class below :func:`heads` of what it declares.

    `cells` say by name what stands there instead of an attribute. They come as they are.
    """
    chosen = list(names) or [name for name, field in declared.items() if field.label]
    getters = [cells.get(name) or _getter(name) for name in chosen]
    return tuple(tuple(get(each) for get in getters) for each in records)


def _getter(name: str) -> Callable[[object], object]:
    value_of = attrgetter(name)
    return lambda each: _cell(value_of(each))


def _cell(value: object) -> object:
    return tuple(value) if isinstance(value, Interval) else shown(value)


def frame_rows(frame: pd.DataFrame, declared: Columns, names: Iterable[str] = ()) -> tuple[tuple[object, ...], ...]:
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


def record_table(
    key: str,
    title: str,
    records: Iterable[Record],
    declared: Columns,
    names: Sequence[str] = (),
    *,
    cells: Mapping[str, Callable[[Record], object]] = NOTHING,
    note: str | None = None,
    is_turned: bool = False,
) -> TableBlock:
    """Return objects of a class as a table, one row each; see :func:`rows_of`."""
    rows = rows_of(records, declared, names, cells)
    return TableBlock(key, title, heads(declared, names), rows, note=note, is_turned=is_turned)


def column_table(
    key: str,
    title: str,
    records: Iterable[Record],
    held: Iterable[Column[Record]],
    *,
    note: str | None = None,
    is_turned: bool = False,
) -> TableBlock:
    """Return objects as a table, one row each, whose columns are no attributes of theirs alone."""
    pairs = tuple(held)
    rows = tuple(tuple(_cell(cell(each)) for _, cell in pairs) for each in records)
    return TableBlock(key, title, tuple(field for field, _ in pairs), rows, note=note, is_turned=is_turned)


def declared_columns(declared: Columns, names: Sequence[str]) -> tuple[Column[object], ...]:
    """Return the named attributes of a class as columns beside others."""
    return tuple(zip(heads(declared, names), map(attrgetter, names), strict=True))


FIGURE: Final = Field("figure", "figure", "text", "Which figure.")


def figures_table(
    key: str,
    title: str,
    found: object,
    names: Iterable[str],
    values: Mapping[Kind, Field],
    *,
    words: Mapping[str, str] = NOTHING,
    instead: Mapping[str, object] = NOTHING,
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
