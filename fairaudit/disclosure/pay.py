"""The small-cell rule for tables of pay: what each figure counts, and what of it is shown.

Every number of people, and of people who receive a component, stands in the ledger. A mean is shown where the number
behind it is, and where that does not show what few people have; a median is rounded until several people have it, and
its gap is that of the rounded ones. Quarters follow from the order of all people by pay, of which the ledger knows
nothing. They are shown as a whole, where each of their numbers is large and nothing else in the export divides people
by that column; else they are hidden as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairaudit.audit.people import asks_who_receives, number_key, receives_text, score_of, truth_key
from fairaudit.disclosure.hidden import HIDDEN
from fairaudit.disclosure.ledger import Mask
from fairaudit.disclosure.means_of_few import may_dominate
from fairaudit.measure.pay import PayRow, PaySide, relative_gap
from fairaudit.presets.findings import PayFinding, PaySides, PresetFinding

if TYPE_CHECKING:
    from fairaudit.audit.result import AuditResult
    from fairaudit.disclosure.counts import Counts

SIDES = ("protected", "reference")
SIZE, PART, ALL_WORKERS, CATEGORY = 2, 1, 700, 20
"""What is lost with a number of people and of those who receive; more in a figure of a category, and more than with
the number of all rows in one of all people."""


def count_pay(counts: Counts, form: PresetFinding, path: tuple, where: Mask, worth: float) -> None:
    """Add all counts of the tables of pay of a form to the ledger."""
    for sides in form.sides:
        if counts.holds((sides.column,)):
            on = _on_sides(counts, sides, where)
            known = where & counts.not_unknown(form, (sides.column,))
            own, both = (*path, "sides", sides.role), on["protected"] | on["reference"]
            for name, inside, value in (
                ("protected", on["protected"], sides.n_protected),
                ("reference", on["reference"], sides.n_reference),
                ("others", known & ~both, sides.n_others),
                ("unknown", where & ~known, sides.n_unknown),
            ):
                counts.size((*own, name), inside, value, SIZE + worth)
    for position, pay in enumerate(form.pay):
        if counts.holds(pay.table.columns):
            _count_table(counts, form, pay, (*path, "pay", position), where, worth)


def _count_table(counts: Counts, form: PresetFinding, pay: PayFinding, path: tuple, where: Mask, worth: float) -> None:
    people, table = counts.people, pay.table
    on = _on_sides(counts, form.sides_of(pay), where)
    both = on["protected"] | on["reference"]
    there = people.outcome(number_key(table.column), True)
    receives = None
    if asks_who_receives(pay):
        truth = truth_key(receives_text(table.column))
        receives = people.outcome(truth, True)
        # Who has no number does not receive it, nor the other way round: nobody can be there.
        impossible = people.frame[truth].notna().to_numpy() != there
        counts.ledger.facts.append(({counts.ledger.count(impossible, small=False): -1.0}, 0.0))
    known = both & counts.not_unknown(form, table.columns[1:]) if len(table.columns) > 1 else both
    among = there & receives if pay.check.among == "receiving" else there
    missing = known & ~there if pay.check.among == "all" else known & ~known
    counts.size((*path, "n"), known & among, table.n)
    counts.size((*path, "missing"), missing, table.missing)
    counts.size((*path, "unknown"), both & among & ~known, pay.unknown)
    loss = worth * (ALL_WORKERS if len(pay.roles) == 1 else CATEGORY)
    if table.statistic == "quarter":
        for side in SIDES:
            n = sum(getattr(row, side).n for row in table.rows)
            counts.size((*path, side), on[side] & there, n, SIZE + loss)
        return
    for i, row in enumerate(table.rows):
        inside = known & among & people.group_of(row.values)
        if row.values:
            counts.occurs(inside)
        for side in SIDES:
            _count_side(counts, pay, (*path, i, side), inside & on[side], getattr(row, side), receives, loss)
    for side in SIDES:
        counts.apart(counts.cells((*path, i, side)) for i in range(len(table.rows)))


def _count_side(
    counts: Counts, pay: PayFinding, path: tuple, inside: Mask, side: PaySide, receives: Mask | None, loss: float
) -> None:
    from fairaudit.disclosure.counts import Cells

    column, minimum = pay.table.column, counts.minimum
    nobody = counts.count(inside & ~inside, 0)
    is_mean = pay.table.statistic == "mean"
    reveals = is_mean and _reveals(counts, column, inside)
    n = counts.count(inside, side.n, cost=SIZE + loss, small=0 < side.n < minimum or reveals)
    if is_mean:
        counts.pay_groups.setdefault((column, pay.check.among == "receiving"), set()).add(n)
    if pay.table.statistic != "receiving" or not side.n:
        counts.groups[path] = Cells(n, n, nobody, n)
        return
    got = round(side.value * side.n)
    small = min(got, side.n - got) < minimum
    # What those have who receive it follows from what all have, and from how many they are.
    good = counts.count(
        inside & receives, got, cost=PART + loss, small=small or _reveals(counts, column, inside & receives)
    )
    bad = counts.count(inside & ~receives, side.n - got, small=0 < side.n - got < minimum)
    counts.pay_groups.setdefault((column, True), set()).add(good)
    counts.ledger.rules.append(((n, bad), (good,)))
    counts.groups[path] = Cells(good, bad, nobody, n)


def masked_pay(form: PresetFinding, path: tuple, counts: Counts) -> tuple[tuple[PayFinding, ...], tuple[PaySides, ...]]:
    """Return the tables of pay of a form, and who is compared in them, without what the small-cell rule hides."""
    pay = tuple(_shown(form, each, (*path, "pay", i), counts) for i, each in enumerate(form.pay))
    sides = tuple(
        replace(
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
    return replace(pay, table=replace(table, rows=rows, n=n, missing=missing), unknown=unknown, rounded=rounded)


_NOTHING = PaySide(None, None, None)


def _side(side: PaySide, pay: PayFinding, path: tuple, counts: Counts) -> PaySide:
    cells = counts.cells(path)
    if counts.is_hidden(cells.n):
        return _NOTHING
    if pay.table.statistic == "median":
        return replace(side, value=counts.shared(side.value, cells.n, pay.table.column))
    return replace(side, value=None) if counts.is_hidden(cells.good) else side


def _row(row: PayRow, protected: PaySide, reference: PaySide) -> PayRow:
    """Return a row with these sides; without its gap where one of them is hidden."""
    row = replace(row, protected=protected, reference=reference)
    if protected.value is None or reference.value is None:
        return replace(row, gap=None, interval=HIDDEN)
    return row


def _with_gap(row: PayRow) -> PayRow:
    """Return a row with the gap of the medians that are shown."""
    if row.gap is None:
        return row
    return replace(row, gap=relative_gap(row.protected.value, row.reference.value))


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
    people, plan = result.people, result.plan
    columns = set(people.columns)
    conditions = [part for part in people.attributes.values() if not isinstance(part, str)]
    conditions += [part for key, part in people.outcomes.items() if not key.startswith(number_key(""))]
    columns |= {name for condition in conditions for name in condition.columns}
    if plan.decision.kind.has_good_outcome:
        columns.add(plan.decision.column)
    columns |= {score_of(form) for form in result.presets if form.median is not None}
    return columns | ({plan.score.column} if plan.score is not None else set())


def _on_sides(counts: Counts, sides: PaySides, where: Mask) -> dict[str, Mask]:
    """Return who is on each side."""
    return {
        name: where & _any_of(counts.people.group_of(((sides.column, value),)) for value in values)
        for name, values in (("protected", sides.protected_values), ("reference", sides.reference_values))
    }


def _any_of(masks: Iterable[Mask]) -> Mask:
    return np.logical_or.reduce(list(masks))


def _reveals(counts: Counts, column: str, inside: Mask) -> bool:
    """Say whether mean and deviation of some people show what few of them have."""
    amounts, who = counts.people.amounts(column)
    own = np.isin(who, counts.people.who[inside])
    n, values = amounts.n[own], amounts.values[own]
    total = n.sum()
    if total < 2:
        return bool(total)
    levels, place = np.unique(values, return_inverse=True)
    people = np.bincount(place, weights=n)
    if len(levels) == 1 or (len(levels) == 2 and people.min() < counts.minimum):
        return True
    mean = np.average(values, weights=n)
    deviation = np.sqrt((n * (values - mean) ** 2).sum() / (total - 1))
    return bool(may_dominate(np.array(total), np.array(mean), np.array(deviation)))
