"""Tables about nearly the same people: where two differ by a few, both together reveal figures of those few.

A mean and its number of people give a sum. Two sums over the same people but for one give that person's amount, so
tables of forms are compared by how many people stand in each of their groups. Tables by several columns are compared on
the columns they share: the parts of a group may leave out who has an unknown value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairaudit.audit.result import AuditResult
from fairaudit.disclosure.count_equations import Grid, group_sides
from fairaudit.measure.results import Comparison, GroupComparison
from fairaudit.presets.findings import PresetFinding


@dataclass(frozen=True)
class Tally:
    """How many people each group of a table has.

    Parameters
    ----------
    columns : tuple of str
        What makes the groups.
    rows : dict
        The people of each group, by its values.
    amount : str, optional
        The column whose means the table shows.
    whole : bool
        Whether all groups of the table are in it.
    """

    columns: tuple[str, ...]
    rows: dict[tuple[Any, ...], int]
    amount: str | None = None
    whole: bool = True

    def people_by(self, columns: Sequence[str]) -> Counter[tuple[str, ...]]:
        """Return the people of each group by some of the columns."""
        places = [self.columns.index(column) for column in columns]
        people: Counter[tuple[str, ...]] = Counter()
        for values, n in self.rows.items():
            people[tuple(str(values[place]) for place in places)] += n
        return people


@dataclass(frozen=True)
class Side:
    """The people of one side of a question: who meets its condition (`truth`), or who does not."""

    condition: str
    truth: bool
    n: int


TableOrSide = Tally | Side


def tables_of_rates(finding: PresetFinding) -> list[TableOrSide]:
    """Return the people of each table of rates of a form."""
    return [
        Tally(rates.table.columns, {_values(row): row.group.n for row in rates.table.rows}) for rates in finding.rates
    ]


def tables_of_means(finding: PresetFinding) -> list[TableOrSide]:
    """Return the people of each table of means of a form."""
    return [
        Tally(means.table.columns, {_values(row): row.n for row in means.table.rows}, amount=means.table.column)
        for means in finding.means
    ]


def tables_of_questions(result: AuditResult) -> list[TableOrSide]:
    """Return the people of each table and side of the questions of an audit."""
    found: list[TableOrSide] = []
    decision = result.plan.decision
    amount = None if decision.kind.has_good_outcome else decision.column
    for check in result.answers:
        condition = check.result.protected_condition
        found.append(Side(condition, True, check.result.protected.n))
        found.append(Side(condition, False, check.result.reference.n))
        found += [_compared(groups, amount) for groups in check.groups]
        if check.strata is not None:
            rows = {_values(row): _both(row.comparison) for row in check.strata.strata}
            found.append(Tally(tuple(check.strata.columns), rows, amount=amount, whole=not check.strata.left_out))
    for each in result.errors:
        if each.errors is not None and len(each.plan.by) == 1:
            records = each.errors.counts.to_dict("records")
            rows = {(r["group"],): sum(int(r[cell]) for cell in ("tp", "fp", "tn", "fn")) for r in records}
            found.append(Tally(tuple(each.plan.by), rows))
    return found


def overlap_nearly(tables: Iterable[TableOrSide], shown: Sequence[TableOrSide], minimum: int) -> bool:
    """Say whether some table and one that is shown have the same group, but for a few people."""
    return any(_near(one, other, minimum) for one in tables for other in shown)


def _near(one: TableOrSide, other: TableOrSide, minimum: int) -> bool:
    if isinstance(one, Side) and isinstance(other, Side):
        return False
    if isinstance(one, Side) or isinstance(other, Side):
        side, table = (one, other) if isinstance(one, Side) else (other, one)
        sides = group_sides(side.condition, Grid(table.columns, None, table.rows))
        inside = [n for n, truth in zip(table.rows.values(), sides, strict=True) if truth is side.truth]
        return bool(inside) and 0 < abs(sum(inside) - side.n) < minimum
    shared = [column for column in one.columns if column in other.columns]
    if not (one.whole and other.whole) and set(one.columns) != set(other.columns):
        return False
    if not shared and (one.amount is None or one.amount != other.amount):
        return False
    people, others = one.people_by(shared), other.people_by(shared)
    return any(0 < abs(people[key] - others[key]) < minimum for key in people.keys() & others.keys())


def _compared(groups: GroupComparison, amount: str | None) -> Tally:
    rows = {_values(row): row.comparison.protected.n for row in groups.rows}
    if groups.reference and rows and len(groups.columns) == 1:
        rows[(groups.reference,)] = groups.rows[0].comparison.reference.n
    whole = not groups.reference or len(groups.columns) == 1
    return Tally(tuple(groups.columns), rows, amount=amount, whole=whole)


def _both(comparison: Comparison) -> int:
    return comparison.protected.n + comparison.reference.n


def _values(row: Any) -> tuple[Any, ...]:
    return tuple(value for _, value in row.values)
