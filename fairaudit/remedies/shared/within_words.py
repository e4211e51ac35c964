"""What a remedy does inside the strata of a question: a sentence, a chip, a table."""

from __future__ import annotations

from typing import Final

from fairaudit.measure.bands import named_strata
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.numbers import shown
from fairaudit.present.words import listed
from fairaudit.study.amounts.findings import AmountRemedyFinding
from fairaudit.study.findings import RemedyFinding

TITLE: Final = "Inside each stratum, on the held-out rows"


def within_tables(finding: RemedyFinding | AmountRemedyFinding, number: int, digits: int | None = None) -> list[Table]:
    """Return the gap of each stratum; no table where no question has strata, no rows where it is hidden.

    `digits` are those of amounts; None where shares are compared.
    """
    found = finding.within
    if found is None:
        return []
    kind: Kind = "points" if digits is None else "difference"
    interval: Kind = "points_interval" if digits is None else "difference_interval"
    held, unit = ("decisions", ", points") if digits is None else ("amounts", "")
    columns = (
        ColumnSpec("stratum", listed(named_strata(found.columns, found.cut)), "text", "The values that make it."),
        ColumnSpec("n_protected", "protected rows", "count", "Held-out rows of the protected group."),
        ColumnSpec("n_rest", "other rows", "count", "Held-out rows of the rest."),
        ColumnSpec("decisions", f"{held}{unit}", kind, "Protected minus the rest in the decisions.", digits=digits),
        ColumnSpec("before", f"before{unit}", kind, "The same without the remedy.", digits=digits),
        ColumnSpec("after", f"after{unit}", kind, "The same with the remedy.", digits=digits),
        ColumnSpec(
            "after_interval", "after, interval", interval,
            "Of the gap with the remedy; it does not allow for the number of strata.", digits=digits,
        ),
    )  # fmt: skip
    rows = tuple(
        (row.stratum, shown(row.n_protected), shown(row.n_rest), row.decisions, row.before, row.after,
         (row.after_low, row.after_high))
        for row in found.strata.itertuples(index=False)
    )  # fmt: skip
    note = "Protected minus the rest, among held-out rows alone: where few are left, chance moves these figures much."
    return [Table(f"remedy_{number}_strata", TITLE, columns, rows, note=note)]
