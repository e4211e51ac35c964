"""A filled form as one CSV file, to be published: one line a group of each table, who is in none, and the facts."""

from __future__ import annotations

from typing import Any

from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding
from fairaudit.report.cells import csv_bytes
from fairaudit.report.numbers import shown
from fairaudit.report.preset_means_words import mean_reading
from fairaudit.report.preset_methods import how_computed
from fairaudit.report.preset_words import by_words, row_reading, table_note
from fairaudit.report.tables_presets import facts

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
        group is unknown and one with those without a decision. Then the facts, with the note below each table and how
        the figures are computed: ``table`` is "facts". UTF-8 with a byte order mark, as in the CSV bundle.
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
    told_below = [
        (f"note on {title}", note)
        for title, note in (_note(finding, told) for told in (*finding.rates, *finding.means))
    ]
    told_below += [("note", note) for note in finding.notes]
    told_below += [("how it is computed", sentence) for sentence in how_computed(finding)]
    told_below += [("does not cover", sentence) for sentence in finding.preset.does_not_cover]
    told_below.append(("notice", finding.preset.notice))
    rows += [("facts", label, *[""] * 7, value) for label, value in (*facts(finding), *told_below)]
    return csv_bytes(HEADER, rows)


def _note(finding: PresetFinding, told: RatesFinding | MeansFinding) -> tuple[str, str]:
    column = f"{told.table.column} " if isinstance(told, MeansFinding) else ""
    return f"{column}by {by_words(finding, told)}", table_note(finding, told)
