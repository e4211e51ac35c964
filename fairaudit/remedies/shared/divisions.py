"""What a remedy changed on several divisions of the rows: in one sentence, and division by division."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from fairaudit.errors import sure
from fairaudit.present.blocks import ColumnSpec, Table

Span = Callable[[float, float], str]


def divisions_table(divisions: pd.DataFrame | None, number: int, words: Mapping[str, str], digits: int) -> list[Table]:
    """Return one row for each division and measure; no table where there is one division."""
    if divisions is None:
        return []
    columns = (
        ColumnSpec("division", "division", "number", "1: the one that all other figures are from.", digits=0),
        ColumnSpec("measure", "field", "code", "Which figure."),
        ColumnSpec("figure", "figure", "text", "Which figure, in words."),
        ColumnSpec("before", "before", "number", "Without the remedy, on the rows held out.", digits=digits),
        ColumnSpec("after", "after", "number", "With the remedy, on the same rows.", digits=digits),
        ColumnSpec("change", "change", "difference", "After minus before.", digits=digits),
    )
    rows = tuple(
        (row.division, row.measure, words[row.measure], row.before, row.after, row.difference)
        for row in divisions.itertuples()
    )
    title = "The remedy made and judged on several divisions of the rows"
    return [Table(f"remedy_{number}_divisions", title, columns, rows)]


def over_divisions(divisions: pd.DataFrame | None, figures: Mapping[str, tuple[str, Span]]) -> str:
    """Return between what some figures lie on all divisions, with the remedy and without; empty where there is one.

    `figures` gives for a measure what it is called, and how its smallest and largest value are written.
    """
    n = 0 if divisions is None else divisions["division"].nunique()
    texts = []
    for measure, (words, span) in figures.items() if n > 1 else ():
        here = sure(divisions)
        values = here.loc[here["measure"] == measure, ["after", "before"]].dropna()
        if len(values):
            after, before = (span(float(values[side].min()), float(values[side].max())) for side in values)
            texts.append(f"{words} from {after} (without it from {before})")
    return f"Over {n} divisions of the rows, this one among them, {', and '.join(texts)}." if texts else ""
