"""The people of an audit, counted: who each count is of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import pandas as pd

from fairaudit.audit.people import (
    AMOUNT,
    DECISION,
    LEVEL,
    People,
    asks_who_receives,
    column_key,
    number_key,
    receives_text,
)
from fairaudit.disclosure.ledger import Ledger, Mask
from fairaudit.disclosure.means import MOST_KNOWN, Amounts, may_dominate, shows_few_of_known
from fairaudit.errors import require
from fairaudit.measure.pay import PayRow, PaySide
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.findings import PayFinding, PaySides, PresetFinding

# The counts of one group, by their numbers in the ledger.

ABSENT = -1
"""The number of a count that the ledger does not hold."""


@dataclass(frozen=True)
class GroupCells:
    """The counts of one group by their numbers in the ledger: good outcomes, others, none, and rows with a decision."""

    good: int
    bad: int
    undecided: int
    n: int


NOT_HELD = GroupCells(ABSENT, ABSENT, ABSENT, ABSENT)


class CountedPeople:
    """The people of an audit by all that its figures depend on, but for columns that are hidden.

    Parameters
    ----------
    people : People
        Who they are, and what happened to them.
    decision : OutcomePlan
        What the audit is about.
    without : tuple of str
        Columns that are hidden.
    by_level : bool
        Whether people are counted by the level of the decision, where it has levels.
    """

    def __init__(self, people: People, decision: OutcomePlan, without: tuple[str, ...], *, by_level: bool = True):
        self.people, self.decision, self.without = people, decision, without
        self.outcomes = [key for key in people.outcomes if by_level or key != LEVEL]
        gone = [] if len(self.outcomes) == len(people.outcomes) else [LEVEL]
        self.frame, self._place = _fewer(people.counts, [*map(column_key, without), *gone])
        self.n = self.frame["n"].to_numpy()
        numbers: dict[tuple[object, ...], int] = {}
        self.who = np.array([numbers.setdefault(key, len(numbers)) for key in self._attributes(self.frame)], dtype=int)
        """The attributes of each combination of people, numbered."""
        self._by_column: dict[str, tuple[Amounts, np.ndarray]] = {}

    @property
    def behind(self) -> np.ndarray:
        """For each combination how many people of its attributes have all outcomes; 0 where it lacks one."""
        numbers = [key for key in self.outcomes if key.startswith(number_key(""))]
        others = [key for key in self.outcomes if key not in numbers]
        has_all = (self.frame[numbers].astype(bool).all(axis=1) & self.frame[others].notna().all(axis=1)).to_numpy()
        # Who reads that nobody has an amount may take it that nobody does.
        has_all = has_all & bool(others)
        n = np.bincount(self.who, weights=self.n * has_all)
        return np.where(has_all, n[self.who] if len(n) else 0, 0)

    def n_values(self, column: str) -> int:
        """Return how many values a column has."""
        return self.frame[column_key(column)].nunique()

    def met(self, condition: str | None, *, truth: bool | None = True) -> Mask:
        """Return for whom a condition is true, false, or neither; no condition is true for all."""
        if condition is None:
            return np.full(len(self.frame), truth is True)
        return self.outcome(self.people.truth_key(condition), truth)

    def outcome(self, key: str, truth: bool | str | None) -> Mask:
        """Return for whom something is true, false, neither, or a level."""
        values = self.frame[key]
        if truth is None:
            return values.isna().to_numpy()
        return (values.notna() & (values == truth)).to_numpy()

    def group_of(self, values: tuple[tuple[str, object], ...]) -> Mask:
        """Return who has these values in columns."""
        inside = np.ones(len(self.frame), dtype=bool)
        for column, value in values:
            own = self.frame[column_key(column)]
            inside &= (own.isna() if value is None else own.notna() & (own == value)).to_numpy()
        return inside

    def who_all(self, inside: Mask) -> Mask:
        """Return the combinations all of whose people are among these, who are counted by hidden columns, too."""
        return np.bincount(self._place, weights=~inside, minlength=len(self.frame)) == 0

    def known(self, columns: tuple[str, ...]) -> Mask:
        """Return who has a value in each column."""
        return self.frame[[column_key(name) for name in columns]].notna().all(axis=1).to_numpy()

    @cached_property
    def states(self) -> tuple[Mask, Mask, Mask]:
        """Who has the good outcome, who the other one, and who none; with amounts, all who have one are good."""
        if self.decision.kind.has_good_outcome:
            return self.outcome(DECISION, True), self.outcome(DECISION, False), self.outcome(DECISION, None)
        there = self.outcome(number_key(self.decision.column), True)
        return there, np.zeros_like(there), ~there

    def amounts(self, column: str) -> tuple[Amounts, np.ndarray]:
        """Return what people have in a column, and the number of the attributes beside each amount, as in `who`."""
        if column not in self._by_column:
            found, _ = _fewer(self.people.amounts(column), list(map(column_key, self.without)))
            numbers = dict(zip(self._attributes(self.frame), self.who.tolist(), strict=True))
            who = np.array([numbers[key] for key in self._attributes(found)], dtype=int)
            self._by_column[column] = Amounts(found[AMOUNT].to_numpy(), found["n"].to_numpy()), who
        return self._by_column[column]

    @property
    def has_known_amounts(self) -> bool:
        """Whether the decision is one of so few amounts that a reader is taken to know them, such as a tariff."""
        if self.decision.kind.has_good_outcome:
            return False
        return len(np.unique(self.amounts(self.decision.column)[0].values)) <= MOST_KNOWN

    def parts(self, masks: Iterable[Mask]) -> np.ndarray:
        """Return of which parts, those of `amounts`, some people are made.

        Shapes: returns (n_masks, n_parts).
        """
        rows = [np.bincount(self.who[mask], minlength=self.who.max() + 1) > 0 for mask in masks]
        return np.array(rows, dtype=bool).reshape(len(rows), self.who.max() + 1)

    def _attributes(self, people: pd.DataFrame) -> list[tuple[object, ...]]:
        """Return who people are, without what happened to them."""
        names = [name for name in self.people.attributes if name in self.frame]
        return list(people[names].itertuples(index=False, name=None)) if names else [()] * len(people)


def _fewer(people: pd.DataFrame, columns: Sequence[str]) -> tuple[pd.DataFrame, np.ndarray]:
    """Return people counted without some columns, and in which row those of each row now are."""
    if not columns:
        return people, np.arange(len(people))
    people = people.drop(columns=list(columns))
    by = [name for name in people if name != "n"]
    if not by:
        return pd.DataFrame({"everyone": [True], "n": [people["n"].sum()]}), np.zeros(len(people), dtype=int)
    groups = people.groupby(by, dropna=False, sort=False)
    return groups["n"].sum().reset_index(), groups.ngroup().to_numpy()


# Whom the figures of tables of pay count: every number of people, and of those who receive a component.


class PayCounts(Protocol):
    """The ledger of an audit, as far as tables of pay write into it."""

    minimum: int
    people: CountedPeople
    ledger: Ledger
    groups: dict[tuple, GroupCells]
    pay_groups: dict[tuple[str, bool], set[int]]

    def holds(self, columns: Iterable[str]) -> bool:
        """Say whether what is by these columns is in the ledger."""

    def size(self, path: tuple, inside: Mask, value: int, cost: float = ...) -> int:
        """Add a count that stands alone."""

    def count(self, inside: Mask, value: int, *, cost: float | None = ..., small: bool | None = ...) -> int:
        """Add a count that is a figure of the audit."""

    def cells(self, path: tuple) -> GroupCells:
        """Return the counts of a group."""

    def not_unknown(self, form: PresetFinding, columns: tuple[str, ...]) -> Mask:
        """Return who has a value in each column that does not mean unknown in a form."""

    def occurs(self, inside: Mask) -> None:
        """Note that a group that is listed has somebody in it."""

    def apart(self, cells: Iterable[GroupCells]) -> None:
        """Note that groups have nobody in common."""


SIDES = ("protected", "reference")
SIZE, PART, ALL_WORKERS, CATEGORY = 2, 1, 700, 20
"""What is lost with a number of people and of those who receive; more in a figure of a category, and more than with
the number of all rows in one of all people."""


def count_pay(counts: PayCounts, form: PresetFinding, path: tuple, where: Mask, worth: float) -> None:
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
            counted = counts.people.met(form.plan.counted.get(require(pay.check.of)))
            _count_table(counts, form, pay, (*path, "pay", position), where & counted, worth)


def _count_table(
    counts: PayCounts, form: PresetFinding, pay: PayFinding, path: tuple, where: Mask, worth: float
) -> None:
    people, table = counts.people, pay.table
    if table.statistic == "workforce":
        _count_workforce(counts, form, pay, path, where, worth)
        return
    on = _on_sides(counts, form.sides_of(pay), where)
    both = on["protected"] | on["reference"]
    there = people.outcome(number_key(table.column), True)
    receives = None
    if asks_who_receives(pay):
        text = receives_text(table.column)
        receives = people.met(text)
        # Who has no number does not receive it, nor the other way round: nobody can be there.
        impossible = people.met(text, truth=None) == there
        counts.ledger.facts.append(({counts.ledger.count(impossible, small=False): -1.0}, 0.0))
    known = both & counts.not_unknown(form, table.columns[1:]) if len(table.columns) > 1 else both
    among = there & receives if pay.check.among == "receiving" else there
    missing = known & ~there if pay.check.among == "all" else known & ~known
    counts.size((*path, "n"), known & among, table.n)
    counts.size((*path, "missing"), missing, table.missing)
    counts.size((*path, "unknown"), both & among & ~known, pay.unknown)
    loss = worth * (CATEGORY if pay.has_rows else ALL_WORKERS)
    if table.statistic == "quarter" and not table.rows:
        return
    if table.statistic == "quarter":
        for side in SIDES:
            n = sum(getattr(row, side).n for row in table.rows)
            counts.size((*path, side), on[side] & there, n, SIZE + loss)
        return
    # Of a column of which nothing is shown but who receives it, no sum is known.
    columns = dict.fromkeys(each.table.column for each in form.pay if each.check.measure != "receiving")
    for i, row in enumerate(table.rows):
        group = _row_of(counts, row)
        inside = known & among & (group | on["reference"] if pay.check.groups else group)
        if row.values:
            counts.occurs(inside)
        for side in SIDES:
            own = inside & on[side]
            # A sum of pay less that of one of its parts is that of the other part.
            reveals = table.statistic == "mean" and any(_reveals(counts, column, own) for column in columns)
            _count_side(counts, pay, (*path, i, side), own, getattr(row, side), receives, loss, reveals=reveals)
    # Each group is compared with the same people.
    for side in SIDES[:1] if pay.check.groups else SIDES:
        counts.apart(counts.cells((*path, i, side)) for i in range(len(table.rows)))


def _row_of(counts: PayCounts, row: PayRow) -> Mask:
    """Return who is in a row: who has its value, or one of them where groups are joined."""
    if not row.values:
        return counts.people.group_of(())
    return _any_of(counts.people.group_of((pair,)) for pair in row.values)


def _count_workforce(
    counts: PayCounts, form: PresetFinding, pay: PayFinding, path: tuple, where: Mask, worth: float
) -> None:
    """Add the groups of all people, and those who did not say."""
    known = counts.not_unknown(form, pay.table.columns)
    counts.size((*path, "n"), where, pay.table.n)
    counts.size((*path, "missing"), where & ~where, 0)
    counts.size((*path, "unknown"), where & ~where, 0)
    for i, row in enumerate(pay.table.rows):
        inside = where & (known & _row_of(counts, row) if row.values else ~known)
        _count_side(counts, pay, (*path, i, "protected"), inside, row.protected, None, worth * CATEGORY, reveals=False)
    counts.apart(counts.cells((*path, i, "protected")) for i in range(len(pay.table.rows)))


def _count_side(
    counts: PayCounts,
    pay: PayFinding,
    path: tuple,
    inside: Mask,
    side: PaySide,
    receives: Mask | None,
    loss: float,
    *,
    reveals: bool,
) -> None:
    column, minimum = pay.table.column, counts.minimum
    nobody = counts.count(inside & ~inside, 0)
    n = counts.count(inside, side.n, cost=SIZE + loss, small=0 < side.n < minimum or reveals)
    if pay.table.statistic == "mean":
        counts.pay_groups.setdefault((column, pay.check.among == "receiving"), set()).add(n)
    is_held: bool = side.value is None
    if pay.table.statistic != "receiving" or not side.n or is_held:
        counts.groups[path] = GroupCells(n, n, nobody, n)
        return
    got = round(side.value * side.n)
    small = min(got, side.n - got) < minimum
    # What those have who receive it follows from what all have, and from how many they are.
    good = counts.count(
        inside & receives, got, cost=PART + loss, small=small or _reveals(counts, column, inside & receives)
    )
    bad = counts.count(inside & ~require(receives), side.n - got, small=0 < side.n - got < minimum)
    counts.pay_groups.setdefault((column, True), set()).add(good)
    counts.ledger.rules.append(((n, bad), (good,)))
    counts.groups[path] = GroupCells(good, bad, nobody, n)


def _on_sides(counts: PayCounts, sides: PaySides, where: Mask) -> dict[str, Mask]:
    """Return who is on each side."""
    return {
        name: where & _any_of(counts.people.group_of(((sides.column, value),)) for value in values)
        for name, values in (("protected", sides.protected_values), ("reference", sides.reference_values))
    }


def _any_of(masks: Iterable[Mask]) -> Mask:
    return np.logical_or.reduce(list(masks))


def _reveals(counts: PayCounts, column: str, inside: Mask) -> bool:
    """Say whether mean and deviation of some people show what few of them have."""
    amounts, who = counts.people.amounts(column)
    own = np.isin(who, counts.people.who[inside])
    n, values = amounts.n[own], amounts.values[own]
    total = n.sum()
    if total < 2:
        return bool(total)
    levels, place = np.unique(values, return_inverse=True)
    people = np.bincount(place, weights=n)
    if len(levels) <= MOST_KNOWN:
        own_people = tuple(int(each) for each in people)
        if shows_few_of_known(tuple(levels.tolist()), own_people, counts.minimum):
            return True
    mean = np.average(values, weights=n)
    deviation = np.sqrt((n * (values - mean) ** 2).sum() / (total - 1))
    return bool(may_dominate(np.array(total), np.array(mean), np.array(deviation)))
