"""What a remedy changed on several divisions of the rows: in one sentence, and division by division."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from fairaudit.present.blocks import ColumnSpec, Table


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


def over_divisions(divisions: pd.DataFrame, texts: list[str]) -> str:
    """Return the sentence on all divisions, made of one text a figure; empty where there is no figure."""
    if not texts:
        return ""
    return f"Over {divisions['division'].nunique()} divisions of the rows, this one among them, {', and '.join(texts)}."


def ends_over(divisions: pd.DataFrame, measure: str) -> tuple[float, float] | None:
    """Return the smallest and the largest figure after the remedy; None where it is nowhere defined."""
    values = divisions.loc[divisions["measure"] == measure, "after"].dropna()
    return None if values.empty else (float(values.min()), float(values.max()))
