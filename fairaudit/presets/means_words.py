"""How a row of means is read."""

from __future__ import annotations

import math

from fairaudit.measure.standardized import MeanRow
from fairaudit.presets.findings import MeansFinding, PresetFinding
from fairaudit.sections.forms.reading import ALIKE, CHANCE

HIDDEN_ROW = "not shown"


def mean_reading(row: MeanRow) -> str:
    """Return in words how a row of means is read."""
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
    return f"{_direction(row)}, {row.size}, {'more than chance' if row.p_value < CHANCE else 'chance may explain it'}"


def without_number(finding: PresetFinding, means: MeansFinding) -> int | None:
    """Return how many of the people looked at have no number, whatever their group; None where that is hidden."""
    if None in (finding.n_population, means.table.n, means.unknown):
        return None
    return finding.n_population - means.table.n - means.unknown


def _direction(row: MeanRow) -> str:
    return "higher" if row.standardized > 0 else "lower"
