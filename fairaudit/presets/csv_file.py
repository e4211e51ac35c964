"""A filled form as one CSV file, to be published: one line a group of each table, who is in none, and the facts."""

from __future__ import annotations

import math
from typing import Any

from fairaudit.findings import Message, Phrase
from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.standardized import MeanRow
from fairaudit.messages import say
from fairaudit.present.blocks import Table
from fairaudit.present.cells import csv_bytes
from fairaudit.present.numbers import shown
from fairaudit.presets.findings import MeansFinding, PayFinding, PresetFinding, RatesFinding
from fairaudit.presets.tables import facts, means_table, rates_table
from fairaudit.sections.forms.details import (
    form_notes,
    how_computed,
    pay_title,
    say_by,
    say_pay_row,
    table_note,
)  # fmt: skip

FIGURES = {
    "people": "n",
    "selected": "positives",
    "rate": "rate",
    "impact_ratio": "impact_ratio",
    "mean": "mean",
    "difference": "difference",
    "standardized_difference": "standardized",
    "difference_in_standard_deviations": "z",
    "p_value": "p_value",
    "test": "test",
    "ratio_one_more": "ratio_one_more",
    "ratio_one_fewer": "ratio_one_fewer",
    "ratio_one_instead": "ratio_instead",
    "left_out": "left_out",
    "reading": "reading",
}
"""What the columns after the first two are called, and in the tables of the report."""

HEADER = ("table", "group", *FIGURES)

BLANKS = ("",) * (len(FIGURES) - 1)

PAY_HEADER = (
    "figure",
    "people_compared",
    "people_compared_with",
    "value_compared",
    "value_compared_with",
    "gap",
    "gap_low",
    "gap_high",
)
"""Further columns of a form that holds tables of pay."""


def preset_csv(finding: PresetFinding) -> bytes:
    """Return one filled form as CSV."""
    rows: list[tuple[Any, ...]] = []
    for rates in finding.rates:
        rows += _lines(finding, rates, rates_table(finding, rates, 1, 1))
    for means in finding.means:
        rows += _lines(finding, means, means_table(finding, means, 1, 1))
    for pay in finding.pay:
        rows += _pay_lines(finding, pay)
    if finding.rates:
        lacking = "without a score" if finding.rate == "scoring" else "without a decision"
        rows.append(("all", lacking, shown(finding.undecided), *BLANKS))
    parts: tuple[RatesFinding | MeansFinding, ...] = (*finding.rates, *finding.means)
    footers = [(f"note on {_title(finding, part)}", table_note(finding, part)) for part in parts]
    footers += [(f"note on {pay_title(finding, pay)}", table_note(finding, pay)) for pay in finding.pay]
    footers += [(f"asked by {pay_title(finding, pay)}", pay.check.asks) for pay in finding.pay if pay.check.asks]
    footers += [("note", note) for note in form_notes(finding)]
    footers += [("how it is computed", sentence) for sentence in how_computed(finding)]
    footers += [("does not cover", sentence) for sentence in finding.preset.does_not_cover]
    footers.append(("notice", finding.preset.notice))
    rows += [("facts", label, *BLANKS, value) for label, value in (*facts(finding), *footers)]
    header = (*HEADER, *PAY_HEADER) if finding.pay else HEADER
    return csv_bytes(header, [(*row, *("",) * (len(header) - len(row))) for row in rows])


def _lines(finding: PresetFinding, part: RatesFinding | MeansFinding, table: Table) -> list[tuple[Any, ...]]:
    """Return a line for each group of a table, and one for who is in none."""
    title, lines = _title(finding, part), []
    groups: tuple[ImpactRow | MeanRow, ...] = part.table.rows
    for row, cells in zip(groups, table.rows, strict=True):
        figures = {column.name: cell for column, cell in zip(table.columns, cells, strict=True)}
        if isinstance(part, MeansFinding):
            figures["test"] = _welch(figures["p_value"])
        lines.append((title, row.name, *(figures.get(name, "") for name in FIGURES.values())))
    return [*lines, (title, "not in this table, unknown", shown(part.unknown), *BLANKS)]


def _pay_lines(finding: PresetFinding, pay: PayFinding) -> list[tuple[Any, ...]]:
    """Return a line for each row of a table of pay, and one for who is in none."""
    lines = []
    for row in pay.table.rows:
        is_gap = pay.table.statistic in ("mean", "median")
        figures = (row.protected.n, row.reference.n, row.protected.value, row.reference.value, row.gap, *row.interval)
        reading = say(say_pay_row(finding, pay, row)) if is_gap else ""
        lines.append((pay_title(finding, pay), row.name, *BLANKS, reading, pay.table.statistic, *map(shown, figures)))
    return [*lines, (pay_title(finding, pay), "without a number", shown(pay.table.missing), *BLANKS)]


def _welch(p_value: Any) -> str:
    """Return the test that a p-value of means is of; a text stands for one that is hidden or that there is none of."""
    if isinstance(p_value, str):
        return p_value
    return "" if math.isnan(p_value) else "welch"


def _title(finding: PresetFinding, part: RatesFinding | MeansFinding) -> str:
    columns = {"columns": say_by(finding, part)}
    if isinstance(part, MeansFinding):
        return say(Message("form-amount-by", columns | {"amount": Phrase(part.table.column)}))
    return say(Message("form-by", columns))
