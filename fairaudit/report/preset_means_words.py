"""What the form of a rule says of means: the verdict, and how a row is read."""

from __future__ import annotations

import math

from fairaudit.measure.standardized import MeanRow
from fairaudit.presets.findings import MeansFinding, PresetFinding
from fairaudit.report.numbers import number_text
from fairaudit.report.words import listed

HIDDEN_ROW = "not shown"

ALIKE = 1e-9
"""A standardised difference under it is none: equal means of floating-point numbers may differ by less."""


def mean_reading(row: MeanRow) -> str:
    """Return in words how a row of means is read.

    Parameters
    ----------
    row : MeanRow
        One group, masked or not.

    Returns
    -------
    str
        Without a word of chance where there is no difference.
    """
    if row.mean is None or row.standardized is None:
        return HIDDEN_ROW
    if row.is_reference:
        return "compared with"
    if row.size is None:
        return "not defined"
    if abs(row.standardized) < ALIKE:
        return "alike"
    if math.isnan(row.p_value):
        return f"{_direction(row)}, {row.size}"
    return f"{_direction(row)}, {row.size}, {'more than chance' if row.p_value < 0.05 else 'chance may explain it'}"


def means_verdict(finding: PresetFinding) -> tuple[str, str]:
    """Return what the tables of means come to: the answer, and what it rests on.

    Parameters
    ----------
    finding : PresetFinding
        A filled form with tables of means, masked or not.

    Returns
    -------
    tuple of str
        The second is empty.
    """
    largest: dict[str, tuple[MeansFinding, MeanRow]] = {}
    for told in finding.means:
        for row in told.table.rows:
            if row.is_reference or row.standardized is None or not math.isfinite(row.standardized):
                continue
            known = largest.get(told.table.column)
            if known is None or abs(row.standardized) > abs(known[1].standardized):
                largest[told.table.column] = (told, row)
    if not largest:
        return "No standardised mean difference can be told.", ""
    parts = [
        f"{column} {_direction(row)} by {_amount(row)} ({row.size}; {row.name} against {told.table.reference})"
        for column, (told, row) in largest.items()
        if abs(row.standardized) >= ALIKE
    ]
    alike = [column for column, (_, row) in largest.items() if abs(row.standardized) < ALIKE]
    sentences = []
    if parts:
        sentences.append(f"The largest standardised mean difference{'s' * (len(parts) > 1)}: {'; '.join(parts)}.")
    if alike:
        hidden = any(_hides(told) for told in finding.means if told.table.column in alike)
        shown = ", as far as they are shown" if hidden else ""
        sentences.append(f"The means of {listed(alike)} are alike{shown}.")
    return " ".join(sentences), ""


def _hides(told: MeansFinding) -> bool:
    return any(row.mean is None for row in told.table.rows)


def _direction(row: MeanRow) -> str:
    return "higher" if row.standardized > 0 else "lower"


def _amount(row: MeanRow) -> str:
    return "less than 0.01" if abs(row.standardized) < 0.005 else number_text(abs(row.standardized))
