"""What callers give: a table that is open, the path of a file, or a frame of any library; and what is said of it."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from fairaudit.columns import ByGroup, LabelsByCode, ReadOptions, WideCounts, labels_of
from fairaudit.data.counted_rows import as_counts
from fairaudit.data.prepare import as_planned
from fairaudit.data.readers import read_table
from fairaudit.data.table import Table

SaidCounts: TypeAlias = str | WideCounts | ByGroup | Mapping[str, str] | None
"""The columns that say how many cases each row stands for."""
SaidLabels: TypeAlias = Mapping[str, LabelsByCode] | None
"""By column, what its codes stand for."""

GIVEN: Final = {
    "table": ("Table, path, or frame of pandas, polars, Arrow or DuckDB", "The data."),
    "decision": ("str", "The decision column."),
    "favorable": ("value, list of values or Condition", "What counts as the good outcome in it."),
    "protected": ("Condition or str", "Who is protected. A row where this is unknown is in neither group."),
    "by": ("str or sequence of str", "The columns whose values (crossed) make the groups."),
    "where": ("Condition or str, optional", "Which rows are looked at."),
    "tolerance": ("float", "The largest gap that still counts as alike, between 0 and 1."),
    "confidence": ("float", "Of the intervals, 0.5 or above and below 1."),
    "weights": ("str, optional", "The column of sampling weights, where rows are a sample of a survey."),
    "design_strata": ("str, optional", "The column of the strata that the sample was drawn from."),
    "design_clusters": ("str, optional", "The column of what was drawn first, such as households."),
    "counts": (
        "str or mapping, optional",
        "The columns that say how many cases each row stands for, as in :meth:`fairaudit.Table.from_pandas`.",
    ),
    "labels": (
        "mapping of str to mapping, optional",
        'By column, what its codes stand for: ``{"sex": {1: "man", 2: "woman"}}``.',
    ),
}
"""The type and the meaning of each argument that several public functions take."""

OF_AMOUNTS: Final = GIVEN | {
    "decision": ("str", "The column of amounts."),
    "tolerance": (
        "float, optional",
        "The largest difference that still counts as alike, in the unit of the amount; None: a tenth of the standard "
        "deviation.",
    ),
}
"""The same of functions on amounts."""

SECTION: Final = re.compile(r"\n\n(?=\w[\w ]*\n---)")
"""Where a section of a docstring begins."""
PARAMETERS: Final = "Parameters\n----------\n"
WIDTH: Final = 116
"""Signs of a line of a docstring, as far as it is indented itself."""

Function = TypeVar("Function", bound=Callable[..., object])


def documented(given: Mapping[str, tuple[str, str]] = GIVEN) -> Callable[[Function], Function]:
    """Complete the parameters of a docstring: those that it does not describe are described as `given`.

    Examples
    --------
    >>> @documented()
    ... def check(table, *, step, where=None):
    ...     '''Check it.
    ...
    ...     Parameters
    ...     ----------
    ...     step : int
    ...         How far.
    ...     '''
    >>> print(check.__doc__.partition("step")[2])
     : int
        How far.
    where : Condition or str, optional
        Which rows are looked at.
    """

    def complete(function: Function) -> Function:
        head, *sections = SECTION.split(inspect.getdoc(function) or "")
        has_own = bool(sections) and sections[0].startswith(PARAMETERS)
        own = sections.pop(0).removeprefix(PARAMETERS) if has_own else ""
        entries = {name: entry for entry in re.split(r"\n(?=\S)", own) for name in _names(entry)}
        texts = [entries.get(name) or _entry(name, *given[name]) for name in inspect.signature(function).parameters]
        function.__doc__ = "\n\n".join([head, PARAMETERS + "\n".join(dict.fromkeys(texts)), *sections])
        return function

    return complete


def _names(entry: str) -> list[str]:
    return entry.partition(" : ")[0].split(", ")


def _entry(name: str, kind: str, meaning: str) -> str:
    return f"{name} : {kind}\n{textwrap.indent(textwrap.fill(meaning, WIDTH), '    ')}"


def as_table(data: object, *, counts: SaidCounts = None, labels: SaidLabels = None) -> Table:
    """Return a table of what a caller gave: a Table, the path of a file, or a frame that narwhals reads.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_table(pa.table({"sex": [1, 2], "n": [30, 40]}), counts="n", labels={"sex": {1: "man", 2: "woman"}}).n_rows
    70
    """
    said = ReadOptions(counts=None if counts is None else as_counts(counts), labels=labels_of(labels or {}))
    if isinstance(data, Table):
        known = data.source.options
        return data if counts is None and labels is None else as_planned(data, _with(known, said))
    if isinstance(data, str | Path):
        return read_table(data, options=said)
    return Table.from_pandas(data, counts=counts, labels=labels)


def _with(known: ReadOptions, said: ReadOptions) -> ReadOptions:
    """Return how a table was read, with what is said of it now."""
    return replace(known, counts=said.counts or known.counts, labels=said.labels or known.labels)
