"""A second file that says what the codes of a table stand for: column, value and label, or value and label."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd

from fairaudit.columns import CodeLabels, Labels, ReadOptions, checked_codes, code_text, number_text
from fairaudit.data.readers import read_table
from fairaudit.data.table import Table
from fairaudit.errors import InputError, near_names, quote

_MOST_NAMED = 8

Reader = Callable[[str | Path | bytes, ReadOptions], Table]
"""What reads a file as a table."""


def read_codebook(source: str | Path | bytes, *, column: str | None = None, read: Reader | None = None) -> Labels:
    r"""Return the labels of a codebook: of the columns that it names, or of `column` where it has no third column.

    `read` reads the file; :func:`fairaudit.read_table` unless another is given.

    Examples
    --------
    >>> read_codebook(b"column,value,label\nsex,1,man\nsex,2,woman\n")
    (('sex', (('1', 'man'), ('2', 'woman'))),)
    >>> read_codebook(b"value,label\n01,north\n02,south\n", column="region")
    (('region', (('01', 'north'), ('02', 'south'))),)
    """
    rows = _rows(partial(read or _read_table, source))
    width = len(rows.columns)
    if width not in (2, 3):
        raise InputError(
            f"A codebook must have two columns (value, label) or three (column, value, label), got {width:,}.",
            hint="Keep these columns alone, in this order.",
        )
    if width == 2 and column is None:
        raise InputError(
            "The codebook has two columns and does not say which column of the table it is about.",
            hint="Name the column, or add it as the first of three columns: column, value, label.",
        )
    found: dict[str, list[tuple[object, object]]] = {}
    for *named, value, label in rows.itertuples(index=False, name=None):
        if pd.isna(value) or pd.isna(label):
            continue
        # The name of a column stands once where a sheet has merged cells, and holds for the rows below.
        name = str(named[0]) if named and not pd.isna(named[0]) else next(reversed(found), None) if named else column
        if name is not None:
            found.setdefault(name, []).append((value, label))
    if not found:
        raise InputError("The codebook has no row with a value and a label.", hint="Give a row for each code.")
    return tuple((name, checked_codes(name, codes)) for name, codes in found.items())


def labels_for(labels: Labels, columns: Iterable[str]) -> tuple[Labels, tuple[str, ...]]:
    """Return the labels of a codebook for the columns that a table has, and the names that it has not.

    Names may differ in case.
    """
    names = list(columns)
    folded = {name.casefold(): name for name in names}
    found: dict[str, CodeLabels] = {}
    absent = []
    for name, codes in labels:
        here = name if name in names else folded.get(name.strip().casefold())
        if here is None:
            absent.append(name)
        else:
            found[here] = codes
    if not found:
        named = ", ".join(quote(name) for name in absent[:_MOST_NAMED])
        more = f" and {len(absent) - _MOST_NAMED:,} more" if len(absent) > _MOST_NAMED else ""
        raise InputError(
            f"The codebook is about other columns than the table has: {named}{more}.",
            hint=near_names(absent[0], names),
        )
    return tuple(found.items()), tuple(absent)


def _rows(read: Callable[[ReadOptions], Table]) -> pd.DataFrame:
    """Return the rows of a codebook as texts, with codes such as 01 as they are written."""
    table = _with_texts(read, ReadOptions(rows_are_cases=True))
    if _is_headless(table):
        table = _with_texts(read, replace(table.source.options, header=False))
    frame = table.to_pandas()
    return frame.map(lambda value: value if pd.isna(value) else code_text(value).strip())


def _with_texts(read: Callable[[ReadOptions], Table], options: ReadOptions) -> Table:
    table = read(options)
    if table.source.format in ("csv", "tsv") and any(c.kind != "text" for c in table.columns.values()):
        names = tuple(name for name, column in table.columns.items() if column.kind != "text")
        table = read(replace(table.source.options, as_text=names))
    return table


def _read_table(source: str | Path | bytes, options: ReadOptions) -> Table:
    return read_table(source, options=options)


def _is_headless(table: Table) -> bool:
    """Say whether a number stands where the name of the column of values should."""
    names = list(table.columns)
    return table.source.options.header is not False and len(names) in (2, 3) and number_text(names[-2]) is not None
