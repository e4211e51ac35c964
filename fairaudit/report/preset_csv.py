"""A filled form as one CSV file, to be published: one line a group of each table, then who is in none."""

from __future__ import annotations

from typing import Any

from fairaudit.presets.findings import PresetFinding
from fairaudit.report.cells import csv_bytes
from fairaudit.report.numbers import shown
from fairaudit.report.preset_words import by_words, mean_reading, row_reading

HEADER = (
    "table",
    "group",
    "people",
    "selected",
    "rate",
    "impact_ratio",
    "mean",
    "standardized_difference",
    "left_out",
    "reading",
)


def preset_csv(finding: PresetFinding) -> bytes:
    """Return one filled form as CSV.

    Parameters
    ----------
    finding : PresetFinding
        A filled form, masked or not.

    Returns
    -------
    bytes
        One line a group of each table, with rates and ratios in full precision, then one line with the people whose
        group is unknown and one with those without a decision; UTF-8 with a byte order mark, as in the CSV bundle.
    """
    rows: list[tuple[Any, ...]] = []
    for told in finding.rates:
        table = f"by {by_words(finding, told)}"
        for row in told.table.rows:
            group = row.group
            figures = (shown(group.n), shown(group.positives), shown(group.ratio))
            ratio = "" if row.left_out else shown(row.impact_ratio)
            rows.append((table, row.name, *figures, ratio, "", "", shown(row.left_out), row_reading(told, row)))
        rows.append((table, "not in this table, unknown", shown(told.unknown), *[""] * 7))
    for told in finding.means:
        table = f"{told.table.column} by {by_words(finding, told)}"
        for row in told.table.rows:
            figures = (shown(row.mean), shown(row.standardized))
            rows.append((table, row.name, shown(row.n), "", "", "", *figures, "", mean_reading(row)))
        rows.append((table, "not in this table, unknown", shown(told.unknown), *[""] * 7))
    if finding.rates:
        lacking = "without a score" if finding.rate == "scoring" else "without a decision"
        rows.append(("all", lacking, shown(finding.undecided), *[""] * 7))
    return csv_bytes(HEADER, rows)
