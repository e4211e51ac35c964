"""Tables for paper: some columns of a full one, and what is before and after in one column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fairaudit.present.blocks import ColumnSpec, Table, as_read, cell_text


def pick(table: Table, names: Iterable[str]) -> Table:
    """Return a table with only the named columns, in their given order."""
    position = {column.name: i for i, column in enumerate(table.columns)}
    kept = [position[name] for name in names if name in position]
    rows = tuple(tuple(row[i] for i in kept) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in kept), rows=rows)


def records(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table by the names of its columns."""
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def moved_table(table: Table, fields: Mapping[str, str]) -> Table:
    """Return a table for paper: what is before and after in two columns becomes one, "56.7 % to 64.4 %"."""
    table = as_read(table)
    position = {column.name: i for i, column in enumerate(table.columns)}
    pairs = {f"{field}_{end}".lstrip("_"): field for field in fields for end in ("before", "after")}
    columns: list[ColumnSpec] = []
    cells: list[list[Any]] = [[] for _ in table.rows]
    for name, i in position.items():
        if name not in pairs:
            columns.append(table.columns[i])
            texts = [row[i] for row in table.rows]
        elif name.endswith("before"):
            other = position[f"{name.removesuffix('before')}after"]
            columns.append(
                replace(table.columns[i], name=pairs[name] or "moved", label=fields[pairs[name]], kind="text")
            )
            texts = [f"{_text(table, row, i)} to {_text(table, row, other)}" for row in table.rows]
        else:
            continue
        for row, text in zip(cells, texts, strict=True):
            row.append(text)
    return replace(table, columns=tuple(columns), rows=tuple(tuple(row) for row in cells))


def _text(table: Table, row: tuple[Any, ...], column: int) -> str:
    spec = table.columns[column]
    return cell_text(row[column], spec.kind, digits=spec.digits, beside=spec.beside)
