"""What is known about the counts of an audit: which are published and how they add up.

Groups with the same numbers in different tables are taken to be the same group. Where that is wrong, the equations
still hold, so more is hidden than needed, never less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairaudit.audit.result import AuditResult, CheckFinding, ErrorsFinding
from fairaudit.conditions import Condition
from fairaudit.disclosure.ledger import MAIN, ROWS, Ledger
from fairaudit.errors import FairauditError
from fairaudit.measure.results import GroupComparison, GroupRatio, StratifiedFairness

Parts = tuple[int, ...]
PART, SIZE, TOTAL = 1, 2, 3
SINGLE, CROSSED = 3, 0
"""How much more is lost with a count of a table by one column, and of a crossing; see also ``disclosure.MAIN``."""


@dataclass(frozen=True)
class Cells:
    """The counts of one group, by their numbers in the ledger.

    ``parts`` are good outcomes, other outcomes, rows without a decision, rows with a decision (n), and all rows.
    """

    parts: Parts

    @property
    def n(self) -> int:
        """Rows with a decision."""
        return self.parts[3]


@dataclass(frozen=True)
class Grid:
    """One table of groups: the columns that make them, the filter, and the counts of each by its values."""

    columns: tuple[str, ...]
    where: str | None
    rows: dict[tuple[Any, ...], Cells]


class CountTies:
    """The ledger of an audit, and where each of its counts stands in the result.

    Parameters
    ----------
    result : AuditResult
        What a run found.
    minimum : int
        Counts under it are small.
    """

    def __init__(self, result: AuditResult, minimum: int):
        self.minimum = minimum
        self.ledger = Ledger(result.data.n_rows, minimum)
        self.rows = self.ledger.count(result.data.n_rows, key=ROWS, cost=TOTAL)
        self.groups: dict[tuple, Cells] = {}
        self.sizes: dict[tuple, int] = {}
        self.grids: list[Grid] = []
        self.populations = _populations(result)
        self.everyone = {where: self._population(values) for where, values in self.populations.items()}
        for number, finding in enumerate(result.checks):
            self._check(finding, number)
        for number, finding in enumerate(result.checks):
            if finding.strata is not None:
                self._strata(finding.strata, number)
        for number, errors in enumerate(result.errors):
            self._errors(errors, number)
        self._forms(result)
        for number, finding in enumerate(result.checks):
            self._meet(finding, number)
        self._nest()

    def _forms(self, result: AuditResult) -> None:
        """Add further tables; see :class:`~fairaudit.disclosure.presets.FormTies`."""

    def _check(self, finding: CheckFinding, number: int) -> None:
        result, ledger = finding.result, self.ledger
        path = ("check", number)
        protected = self._group((*path, "protected"), result.protected, 0, MAIN)
        reference = self._group((*path, "reference"), result.reference, 0, MAIN)
        outside = self._outside(result.where, [protected, reference], result.unknown)
        unknown = self._size((*path, "unknown"), result.unknown)
        undecided = self._size((*path, "undecided"), result.undecided)
        everyone = self._size((*path, "population"), result.n_population, TOTAL)
        filtered = self._size((*path, "filtered_out"), result.n_filtered_out, TOTAL)
        if result.where is None:
            ledger.tie([filtered], [])
        ledger.tie([undecided], [protected.parts[2], reference.parts[2]])
        ledger.tie([unknown], [] if outside is None else [outside.parts[-1]])
        ledger.tie([everyone], [protected.n, reference.n, unknown, undecided])
        ledger.tie([everyone, filtered], [self.rows])
        ledger.tie([everyone], [self.everyone[result.where].parts[-1]])
        for position, comparison in enumerate(finding.groups):
            self._comparison(comparison, (*path, "groups", position))

    def _comparison(self, comparison: GroupComparison, path: tuple) -> None:
        ranks: Counter[tuple] = Counter()
        rows: dict[tuple[Any, ...], Cells] = {}
        rests = []
        loss = SINGLE if len(comparison.columns) == 1 else CROSSED
        for i, row in enumerate(comparison.rows):
            own, other = row.comparison.protected, row.comparison.reference
            cells = self._ranked((*path, i, "protected"), own, ranks, "own", loss)
            rank = "base" if comparison.reference else "rest"
            rest = self._ranked((*path, i, "reference"), other, ranks, rank, loss)
            if not comparison.reference:
                self.ledger.companions.append((cells.parts[0], *rest.parts[:2]))
            rows[tuple(value for _, value in row.values)] = cells
            rests.append(rest)
        everyone = [*rows.values(), *(rests[:1] if comparison.reference else ())]
        if comparison.reference and rests and len(comparison.columns) == 1:
            rows[(comparison.reference,)] = rests[0]
        total = self._unpublished(self._sum(everyone))
        self._add_up(total, everyone)
        if not comparison.reference:
            for cells, rest in zip(rows.values(), rests, strict=True):
                self._add_up(total, [cells, rest])
        outside = self._outside(comparison.where, [total], comparison.unknown)
        unknown = self._size((*path, "unknown"), comparison.unknown)
        self.ledger.tie([unknown], [] if outside is None else [outside.parts[-1]])
        undecided = self._size((*path, "undecided"), comparison.undecided)
        self.ledger.tie([undecided], [total.parts[2]])
        self.grids.append(Grid(comparison.columns, comparison.where, rows))

    def _strata(self, strata: StratifiedFairness, number: int) -> None:
        path = ("check", number, "strata")
        ranks: Counter[tuple] = Counter()
        sides: tuple[list[Cells], list[Cells]] = ([], [])
        rows = {}
        for i, row in enumerate(strata.strata):
            one = self._ranked((*path, i, "protected"), row.comparison.protected, ranks, "one", CROSSED)
            other = self._ranked((*path, i, "reference"), row.comparison.reference, ranks, "other", CROSSED)
            sides[0].append(one)
            sides[1].append(other)
            values = tuple(value for _, value in row.values)
            whole = self._find(strata.columns, strata.pooled.where, values)
            if whole is None and row.unknown == 0:
                whole = self._unpublished(self._sum([one, other]))
                rows[values] = whole
            if whole is None:
                outside = self._loose((None, None, None, None, row.unknown))
            else:
                outside = self._loose(self._minus(self._sum([whole]), self._sum([one, other])))
                self._add_up(whole, [one, other], outside)
            unknown = self._size((*path, i, "unknown"), row.unknown)
            self.ledger.tie([unknown], [] if outside is None else [outside.parts[-1]])
        if not strata.strata:
            # No stratum holds both groups, so there is nothing to add up.
            return
        for name, parts in zip(("protected", "reference"), sides, strict=True):
            self._add_up_to(self.groups["check", number, name], parts)
        self.grids.append(Grid(strata.columns, strata.pooled.where, rows))

    def _errors(self, finding: ErrorsFinding, number: int) -> None:
        if finding.errors is None:
            return
        ledger, rows = self.ledger, {}
        favorable = finding.errors.positive == "favorable"
        for i, record in enumerate(finding.errors.counts.to_dict("records")):
            path = ("errors", number, i)
            cells = {name: int(record[name]) for name in ("tp", "fp", "tn", "fn")}
            n = sum(cells.values())
            tp, fp, tn, fn = (ledger.count(v, cost=PART, small=n > 0 and v < self.minimum) for v in cells.values())
            size = self._size((*path, "n"), n)
            unknown = self._size((*path, "unknown"), int(record["unknown"]))
            ends = ((tp, fn), (fp, tn)) if favorable else ((fp, tn), (tp, fn))
            good, bad = (sum(ledger.values[number] for number in pair) for pair in ends)
            everyone = good + bad + int(record["unknown"])
            label = self._unpublished((good, bad, 0, good + bad, everyone), rank=i, whole=False)
            ledger.tie([size], [tp, fp, tn, fn])
            ledger.tie([label.parts[0]], ends[0])
            ledger.tie([label.parts[1]], ends[1])
            ledger.tie([label.parts[2]], [])
            ledger.tie([label.n], [size])
            ledger.tie([label.parts[4]], [size, unknown])
            ledger.companions += [(size, tp, fp), (tp, fp, tn), (tp, tn, fn)]
            self.groups[path] = Cells((tp, fp, tn, size))
            rows[(str(record["group"]),)] = label
        if len(finding.plan.by) == 1:
            self.grids.append(Grid(tuple(finding.plan.by), finding.errors.where, rows))

    def _meet(self, finding: CheckFinding, number: int) -> None:
        """Tie tables that share rows: the protected condition read on the groups, and coarse tables on fine ones."""
        result = finding.result
        targets = {True: self.groups["check", number, "protected"], False: self.groups["check", number, "reference"]}
        for grid in self.grids:
            if grid.where != result.where:
                continue
            sides = group_sides(result.protected_condition, grid)
            for side, cells in targets.items():
                inside = [row for row, truth in zip(grid.rows.values(), sides, strict=True) if truth is side]
                if inside:
                    self._add_up_to(cells, inside)

    def _nest(self) -> None:
        for i, coarse in enumerate(self.grids):
            for j, fine in enumerate(self.grids):
                if i != j and set(coarse.columns) <= set(fine.columns):
                    self._refine(coarse, fine)
        mains = [path for path in self.groups if path[0] == "check" and len(path) == 3]
        for one in mains:
            for other in mains:
                if one[1] != other[1] and one[2] == other[2]:
                    self._add_up_to(self.groups[one], [self.groups[other]])

    def _refine(self, coarse: Grid, fine: Grid) -> None:
        places = [fine.columns.index(column) for column in coarse.columns]
        inside: dict[tuple, list[Cells]] = {}
        for values, cells in fine.rows.items():
            inside.setdefault(tuple(str(values[place]) for place in places), []).append(cells)
        for values, cells in coarse.rows.items():
            found = inside.get(tuple(map(str, values)))
            if found:
                self._add_up_to(cells, found)

    def _find(self, columns: tuple[str, ...], where: str | None, values: tuple[Any, ...]) -> Cells | None:
        for grid in self.grids:
            if grid.columns == columns and grid.where == where and values in grid.rows:
                return grid.rows[values]
        return None

    def _ranked(self, path: tuple, ratio: GroupRatio, ranks: Counter, kind: str, loss: int) -> Cells:
        key = (kind, ratio.n, ratio.positives, ratio.undecided)
        rank = 0 if kind == "base" else ranks[key]
        ranks[key] += 1
        return self._group(path, ratio, rank, loss)

    def _group(self, path: tuple, ratio: GroupRatio, rank: int, loss: int) -> Cells:
        positives, negatives, undecided = ratio.positives, ratio.n - ratio.positives, ratio.undecided
        key = ("group", positives, negatives, undecided, rank)
        minimum, count = self.minimum, self.ledger.count
        parts = (
            count(positives, key=(*key, 0), cost=PART + loss, small=ratio.n > 0 and positives < minimum),
            count(negatives, key=(*key, 1), cost=PART + loss, small=ratio.n > 0 and negatives < minimum),
            count(undecided, key=(*key, 2), cost=SIZE + loss, small=0 < undecided < minimum),
            count(ratio.n, key=(*key, 3), cost=SIZE + loss, small=0 < ratio.n < minimum),
            count(ratio.n + undecided, key=(*key, 4)),
        )
        self._whole(parts)
        self.ledger.companions.append((parts[3], *parts[:2]))
        self.groups[path] = Cells(parts)
        return self.groups[path]

    def _whole(self, parts: Parts) -> None:
        self.ledger.tie([parts[3]], parts[:2])
        self.ledger.tie([parts[4]], parts[2:4])

    def _unpublished(self, values: Parts, *, rank: int = 0, whole: bool = True) -> Cells:
        """Return a group that is not published as such, but may have the numbers of one that is."""
        key = ("group", *values[:3], rank) if whole else ("label", *values, rank)
        parts = tuple(
            self.ledger.count(value, key=(*key, i), small=0 < value < self.minimum) for i, value in enumerate(values)
        )
        if whole:
            self._whole(parts)
        return Cells(parts)

    def _size(self, path: tuple, value: int, cost: int = SIZE) -> int:
        self.sizes[path] = self.ledger.count(value, cost=cost, small=0 < value < self.minimum)
        return self.sizes[path]

    def _outside(self, where: str | None, groups: Sequence[Cells], size: int) -> Cells | None:
        """Return the rows of a population that are in no group of a table."""
        outside = self._loose((None, None, None, None, size))
        values = self.populations[where]
        if None not in values:
            outside = self._loose(self._minus(values, self._sum(groups)))
        self._add_up(self.everyone[where], groups, outside)
        return outside

    def _population(self, values: tuple[int | None, ...]) -> Cells:
        cells = self._loose(values) if None in values else self._unpublished(values)
        return cells or self._unpublished((0, 0, 0, 0, 0))

    def _loose(self, values: tuple[int | None, ...], *, whole: bool = True) -> Cells | None:
        """Return a group that no table shows; None where it has no rows."""
        if not any(values):
            return None
        small = [value is not None and 0 < value < self.minimum for value in values]
        parts = tuple(self.ledger.count(v, small=s) for v, s in zip(values, small, strict=True))
        if whole:
            self._whole(parts)
        return Cells(parts)

    def _add_up(self, whole: Cells, parts: Sequence[Cells], rest: Cells | None = None) -> None:
        everyone = [*parts, *([] if rest is None else [rest])]
        for i, number in enumerate(whole.parts):
            self.ledger.tie([number], [cells.parts[i] for cells in everyone])

    def _add_up_to(self, whole: Cells, parts: Sequence[Cells]) -> None:
        """Tie a group to groups inside it; what is left over is a group that no table shows."""
        left = self._minus(self._sum([whole]), self._sum(parts))
        if min(left) >= 0:
            self._add_up(whole, parts, self._loose(left, whole=left[2] + left[3] == left[4]))

    def _sum(self, groups: Iterable[Cells]) -> Parts:
        columns = zip(*([self.ledger.values[number] for number in cells.parts] for cells in groups), strict=True)
        return tuple(map(sum, columns))

    @staticmethod
    def _minus(whole: Parts, part: Parts) -> Parts:
        return tuple(a - b for a, b in zip(whole, part, strict=True))


def _populations(result: AuditResult) -> dict[str | None, tuple[int | None, ...]]:
    """Return the outcomes of each filtered population; None where no table has all of its rows in a group."""
    found: dict[str | None, tuple[int | None, ...]] = {}
    for finding in result.checks:
        where = finding.result.where
        whole = [(finding.result.unknown, [finding.result.protected, finding.result.reference])]
        for table in finding.groups:
            if table.rows and not table.reference:
                first = table.rows[0].comparison
                whole.append((table.unknown, [first.protected, first.reference]))
        found.setdefault(where, (None, None, None, None, finding.result.n_population))
        for unknown, groups in whole:
            if unknown == 0:
                positives = sum(g.positives for g in groups)
                rows = sum(g.n for g in groups)
                undecided = sum(g.undecided for g in groups)
                found[where] = (positives, rows - positives, undecided, rows, rows + undecided)
    return found


def group_sides(condition: str, grid: Grid) -> list[bool | None]:
    """Return for each row of a grid whether it meets a condition; None where its values leave that open."""
    unknown: list[bool | None] = [None] * len(grid.rows)
    if not grid.rows:
        return unknown
    frame = pd.DataFrame(list(grid.rows), columns=list(grid.columns))
    try:
        truth = Condition.parse(condition, frame).truth(frame)
    except FairauditError:
        return unknown
    return [None if pd.isna(value) else bool(value) for value in truth]
