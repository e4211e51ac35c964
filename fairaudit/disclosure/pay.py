"""The small-cell rule for tables of pay: what of each figure is shown.

A mean is shown where the number behind it is; a median is rounded until several people have it, and its gap is that of
the rounded ones. Quarters follow from the order of all people by pay, of which the ledger knows nothing. They are shown
as a whole, where each of their numbers is large and nothing else in the export divides people by that column; else they
are hidden as a whole.
"""

from __future__ import annotations

from fairaudit.audit.people import number_key, score_of
from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.counts import Counts
from fairaudit.disclosure.hidden import HIDDEN, replaced
from fairaudit.disclosure.pay_counts import SIDES
from fairaudit.errors import sure
from fairaudit.measure.pay import PayRow, PaySide, relative_gap
from fairaudit.presets.findings import PayFinding, PaySides, PresetFinding


def masked_pay(form: PresetFinding, path: tuple, counts: Counts) -> tuple[tuple[PayFinding, ...], tuple[PaySides, ...]]:
    """Return the tables of pay of a form, and who is compared in them, without what the small-cell rule hides."""
    pay = tuple(_shown(form, each, (*path, "pay", i), counts) for i, each in enumerate(form.pay))
    sides = tuple(
        replaced(
            each,
            **{
                f"n_{name}": None
                for name in (*SIDES, "others", "unknown")
                if counts.hides((*path, "sides", each.role, name))
            },
        )
        for each in form.sides
    )
    return pay, sides


def _shown(form: PresetFinding, pay: PayFinding, path: tuple, counts: Counts) -> PayFinding:
    table = pay.table
    if table.statistic == "quarter":
        hides = not _may_show_quarters(form, pay, path, counts)
        rows = tuple(_row(row, *(_NOTHING,) * 2) if hides else row for row in table.rows)
    else:
        rows = tuple(
            _row(row, *(_side(getattr(row, side), pay, (*path, i, side), counts) for side in SIDES))
            for i, row in enumerate(table.rows)
        )
    is_median = table.statistic == "median"
    if is_median:
        rows = tuple(_with_gap(row) for row in rows)
    rounded = is_median and any(
        getattr(row, side).value not in (None, getattr(whole, side).value) and getattr(row, side).n
        for row, whole in zip(rows, table.rows, strict=True)
        for side in SIDES
    )
    n, missing, unknown = (
        None if counts.hides((*path, name)) else value
        for name, value in (("n", table.n), ("missing", table.missing), ("unknown", pay.unknown))
    )
    return replaced(pay, table=replaced(table, rows=rows, n=n, missing=missing), unknown=unknown, rounded=rounded)


# A hidden side has no figure, while those of all others are numbers or NaN.
_NOTHING = PaySide(None, None, None)  # type: ignore[arg-type]


def _side(side: PaySide, pay: PayFinding, path: tuple, counts: Counts) -> PaySide:
    cells = counts.cells(path)
    if counts.is_hidden(cells.n):
        return _NOTHING
    if pay.table.statistic == "median":
        return replaced(side, value=counts.shared(side.value, cells.n, pay.table.column))
    return replaced(side, value=None) if counts.is_hidden(cells.good) else side


def _row(row: PayRow, protected: PaySide, reference: PaySide) -> PayRow:
    """Return a row with these sides; without its gap where one of them is hidden."""
    row = replaced(row, protected=protected, reference=reference)
    if protected.value is None or reference.value is None:
        return replaced(row, gap=None, interval=HIDDEN)
    return row


def _with_gap(row: PayRow) -> PayRow:
    """Return a row with the gap of the medians that are shown."""
    if row.gap is None:
        return row
    return replaced(row, gap=relative_gap(row.protected.value, row.reference.value))


def _may_show_quarters(form: PresetFinding, pay: PayFinding, path: tuple, counts: Counts) -> bool:
    if any(counts.hides((*path, name)) for name in ("n", "missing", *SIDES)):
        return False
    if any(getattr(row, side).n < counts.minimum for row in pay.table.rows for side in SIDES):
        return False
    if pay.table.column in _dividing(counts.result):
        return False
    others = (each for other in counts.result.presets for each in other.pay)
    same = [each for each in others if each.table.statistic == "quarter" and each.table.column == pay.table.column]
    return all(each.table.rows == pay.table.rows for each in same)


def _dividing(result: AuditResult) -> set[str]:
    """Return the columns by which any figure of an export divides people: beside quarters they would count few."""
    people, plan = sure(result.people), result.plan
    columns = set(people.columns)
    # That somebody has a number at all divides nobody by how much that is.
    parts = {**people.attributes, **people.outcomes}
    conditions = [
        part for key, part in parts.items() if not isinstance(part, str) and not key.startswith(number_key(""))
    ]
    columns |= {name for condition in conditions for name in condition.columns}
    if plan.decision.kind.has_good_outcome:
        columns.add(plan.decision.column)
    columns |= {score_of(form) for form in result.presets if form.median is not None}
    return columns | ({plan.score.column} if plan.score is not None else set())
