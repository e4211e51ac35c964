"""The standardised mean difference of amounts, rates and scores between groups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.errors import GroupError, quote
from fairaudit.measure.grouping import check_group_count, group_names, place_of, plain_value
from fairaudit.measure.means import joined, welch_p_value
from fairaudit.measure.plain import Hideable

Size = Literal["negligible", "small", "medium", "large"]

COHEN: tuple[tuple[float, Size], ...] = ((0.2, "negligible"), (0.5, "small"), (0.8, "medium"))
"""Cohen's words for the size of a standardised difference: under each number, the word; from 0.8 on "large"."""


@dataclass(frozen=True)
class MeanRow:
    """One group and its mean, standardised against the reference."""

    values: tuple[tuple[str, object], ...] = setting("The columns and values that make the group.")
    name: str = setting("The same for people.")
    n: Hideable[int] = figure("People with a number.")
    mean: float = figure("Mean and standard deviation (of a sample) of their numbers; NaN where undefined.")
    deviation: float = figure(AS_ABOVE)
    is_reference: bool = figure("Whether the others are compared with it.")
    difference: float = figure("Its mean minus the reference's.")
    standardized: float = figure(
        "`difference` divided by the standard deviation of all people of the table; NaN where that is 0 or undefined."
    )
    p_value: float = figure("Two-sided, by Welch's t test; NaN for the reference and where undefined.")
    size: Size | None = figure("Cohen's word for `standardized`; a way to read it, no limit of a law.")


@dataclass(frozen=True)
class StandardizedMeans:
    """Groups compared on the mean of a column of numbers."""

    column: str = setting("The numbers.")
    columns: tuple[str, ...] = setting("What makes the groups.")
    rows: tuple[MeanRow, ...] = figure("In ascending order of the values.")
    reference: str | None = figure(
        "The group that the others are compared with; None where the table is hidden, because of small counts."
    )
    n: Hideable[int] = figure("People in the table: with a number and a known group.")
    missing: Hideable[int] = figure("People with a known group but without a number.")
    deviation: float = figure("Standard deviation of all people of the table together, the divisor.")


def standardized_means(
    moments: pd.DataFrame,
    columns: Sequence[str],
    *,
    column: str,
    names: Sequence[str] | None = None,
    chosen: Sequence[object] | None = None,
) -> StandardizedMeans:
    """Compute standardised mean differences of groups from their moments.

    ``SMD = (mean of the group - mean of the reference) / standard deviation of all people of the table``. The divisor
    is the deviation of all groups together, as is common in lending; Cohen's d divides by that inside the groups, which
    is never larger. For a difference in the unit of the column use :func:`fairaudit.measure.check_group_means`.

    References
    ----------
    Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences", section 2.2, for the words of size.

    Examples
    --------
    >>> frame = pd.DataFrame({"sex": ["F", "M"], "n": [2, 2], "missing": [0, 0], "mean": [1.0, 3.0],
    ...                       "variance": [2.0, 2.0]})
    >>> [round(row.standardized, 3) for row in standardized_means(frame, ["sex"], column="pay", chosen=["M"]).rows]
    [-1.225, 0.0]
    """
    columns, names = list(columns), tuple(names or columns)
    parts, keys = [], []
    for key, rows in moments.groupby(columns, sort=True, observed=True):
        part = joined([_moments(record) for record in rows.to_dict("records")])
        if part["n"]:
            keys.append(key if isinstance(key, tuple) else (key,))
            parts.append(part)
    check_group_count(len(parts), names)
    if not parts:
        message = f"Column {quote(column)} holds no number for anyone whose group is known."
        raise GroupError(message, uncounted=message, hint="Choose another column, or a wider filter.")
    labels = group_names(pd.DataFrame(keys))
    base = max(range(len(parts)), key=lambda i: (parts[i]["n"], -i))
    if chosen is not None:
        base = place_of(chosen, labels, "people")
    deviation = _root(joined(parts)["variance"])
    rows = []
    for i, part in enumerate(parts):
        difference = float(part["mean"] - parts[base]["mean"])
        standardized = difference / deviation if deviation > 0 else math.nan
        rows.append(
            MeanRow(
                values=tuple(zip(names, map(plain_value, keys[i]), strict=True)),
                name=labels[i],
                n=int(part["n"]),
                mean=float(part["mean"]),
                deviation=_root(part["variance"]),
                is_reference=i == base,
                difference=difference,
                standardized=standardized,
                p_value=math.nan if i == base else welch_p_value(part, parts[base]),
                size=None if i == base else size_word(standardized),
            )
        )
    missing = int(moments.loc[moments[columns].notna().all(axis=1), "missing"].sum())
    return StandardizedMeans(column, names, tuple(rows), labels[base], sum(r.n for r in rows), missing, deviation)


def size_word(standardized: float) -> Size | None:
    """Return Cohen's word for the size of a standardised difference.

    Examples
    --------
    >>> size_word(-0.3), size_word(0.8)
    ('small', 'large')
    """
    if not math.isfinite(standardized):
        return None
    return next((word for below, word in COHEN if abs(standardized) < below), "large")


def _moments(record: Mapping[str, float]) -> dict[str, float]:
    names = ("n", "missing", "mean", "variance")
    values = {name: math.nan if pd.isna(record[name]) else float(record[name]) for name in names}
    return values | dict.fromkeys(("quarter", "median", "three_quarters"), math.nan)


def _root(variance: float) -> float:
    return math.sqrt(variance) if variance >= 0 else math.nan
