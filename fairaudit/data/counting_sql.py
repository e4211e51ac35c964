"""The query that counts what a check compares, for readers who repeat it in their own database."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.columns import Column, number_text
from fairaudit.conditions import Condition
from fairaudit.data.engine import literal, quoted, unused_name
from fairaudit.data.kinds import BLANKS, CellRules, cell
from fairaudit.data.same_spelling import alike
from fairaudit.data.table import Table

READ_FIRST = "-- Load numbers and days as such, and in their columns whatever means missing as NULL."
"""Stands above a query that leaves out equal rows: how numbers are written depends on the file, so it cannot cast."""


def counting_sql(table: Table, favorable: Condition, protected: Condition, where: Condition | None) -> str:
    """Return one SELECT with the rows, decisions and good outcomes of each side of a check.

    Of a connected table it is the statement that the engine was asked; else it is written for DuckDB.
    """
    if table.is_connected:
        asked = table.counts_sql if table.design is None else table.weighted_counts_sql
        return asked([protected, favorable], where=where)
    good = favorable.to_sql()
    figures = [f"COUNT({good}) AS n", f"COUNT(*) FILTER (WHERE {good}) AS positives"]
    if table.design is not None:
        weight = quoted(table.design.weights)
        known = f"SUM({weight}) FILTER (WHERE ({good}) IS NOT NULL)"
        figures.append(f"SUM({weight}) FILTER (WHERE {good}) / {known} AS share")
    return _by_side(table, protected, where, *figures)


def averaging_sql(table: Table, column: str, protected: Condition, where: Condition | None) -> str:
    """Return one SELECT with the rows, amounts, mean and spread of each side of a check of amounts.

    Of a connected table it is the statement that the engine was asked; else it is written for DuckDB.
    """
    if table.is_connected and table.design is not None:
        return table.weighted_moments_sql(column, [protected], center=0.0, where=where)
    if table.is_connected:
        return table.moments_sql(column, [protected], where=where)
    amount = quoted(column)
    if table.design is not None:
        weight = quoted(table.design.weights)
        known = f"SUM({weight}) FILTER (WHERE {amount} IS NOT NULL)"
        return _by_side(table, protected, where, f"COUNT({amount}) AS n", f"SUM({weight} * {amount}) / {known} AS mean")
    return _by_side(
        table,
        protected,
        where,
        f"COUNT({amount}) AS n",
        f"AVG({amount}) AS mean",
        f"STDDEV_SAMP({amount}) AS standard_deviation",
    )


def _by_side(table: Table, protected: Condition, where: Condition | None, *figures: str) -> str:
    """Return one SELECT with the rows of each side of a check, and figures of them."""
    inside = protected.to_sql()
    kept = [] if where is None else [where.to_sql()]
    if table.design is not None:
        kept = [f"{quoted(table.design.weights)} > 0", *(f"({each})" for each in kept)]
    lines = [
        *([READ_FIRST] if table.source.options.distinct else []),
        "SELECT",
        "  CASE",
        f"    WHEN {inside} THEN 'protected'",
        f"    WHEN NOT ({inside}) THEN 'reference'",
        "    ELSE 'unknown'",
        '  END AS "group",',
        ",\n".join(f"  {each}" for each in ('COUNT(*) AS "rows"', *figures)),
        f"FROM {_rows_of(table)}",
        *([f"WHERE {' AND '.join(kept)}"] if kept else []),
        "GROUP BY 1",
        "ORDER BY 1",
    ]
    return "\n".join(lines)


def _rows_of(table: Table) -> str:
    """Return where the cases of a table come from, one row each."""
    rows, case = _rows_read(table), table.source.options.one_row_per
    if case is not None:
        first = f"row_number() OVER (PARTITION BY {quoted(case)}) = 1 OR {quoted(case)} IS NULL"
        rows = f"(SELECT * FROM {rows} QUALIFY {first}) AS rows_first"
    return rows if table.writer.counted is None else replace(table.writer, origin=rows).source()


def _rows_read(table: Table) -> str:
    """Return where the rows of a table come from: as they were read, spelled alike and without repeated ones."""
    name, options = quoted(table.name), table.source.options
    labelled = [column for column in table.brought if column.labels]
    if not (options.distinct or options.same_spelling or labelled):
        return name
    cells = ", ".join(_as_read(column, table) for column in table.brought)
    if not (options.same_spelling or labelled):
        return f"(SELECT DISTINCT {cells} FROM {name}) AS rows_kept"
    rows = f"(SELECT {cells} FROM {name}) AS rows_read"
    for column in options.same_spelling:
        rows = _spelled_alike(rows, column, table)
    if labelled:
        read = ", ".join(f"{_with_labels(column)} AS {quoted(column.name)}" for column in labelled)
        rows = f"(SELECT * REPLACE ({read}) FROM {rows}) AS rows_labelled"
    return f"(SELECT DISTINCT * FROM {rows}) AS rows_kept" if options.distinct else rows


def _spelled_alike(rows: str, column: str, table: Table) -> str:
    """Return rows in which a column has the most frequent spelling of each value."""
    name, n = quoted(column), quoted(unused_name("n", [column.name for column in table.brought]))
    first = f"first_value({name}) OVER (PARTITION BY {alike(name)} ORDER BY {n} DESC, {name})"
    counted = f"(SELECT *, count(*) OVER (PARTITION BY {name}) AS {n} FROM {rows}) AS rows_counted"
    return f"(SELECT * EXCLUDE ({n}) REPLACE ({first} AS {name}) FROM {counted}) AS rows_alike"


def _with_labels(column: Column) -> str:
    """Return the label of each code of a column; a whole number may be held with a decimal point."""
    text = f"CAST({quoted(column.name)} AS VARCHAR)"
    if all(number_text(code) == code for code, _ in column.labels):
        text = rf"regexp_replace({text}, '\.0$', '')"
    whens = " ".join(f"WHEN {literal(code)} THEN {literal(label)}" for code, label in column.labels)
    return f"CASE {text} {whens} ELSE {text} END"


def _as_read(column: Column, table: Table) -> str:
    """Return a column with its texts as they were read: without blanks around them, NULL where they mean missing."""
    name, options = quoted(column.name), table.source.options
    if column.kind != "text":
        return name
    if table.source.format in ("csv", "tsv", "xlsx"):
        rules = CellRules(BLANKS if options.trim else "", options.missing)
        return f"{cell(f'CAST({name} AS VARCHAR)', rules)} AS {name}"
    missing = ", ".join(map(literal, options.missing))
    return f"CASE WHEN {name} IN ({missing}) THEN NULL ELSE {name} END AS {name}" if missing else name
