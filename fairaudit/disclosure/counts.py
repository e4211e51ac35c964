"""Every count that an export would show: whom it is of, and where it stands in the result.

A count that is not in the ledger is hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.audit.people import (
    DECISION,
    LEARNED,
    LEVEL,
    PREDICTION,
    above_median,
    column_key,
    number_key,
    receives_text,
)
from fairaudit.audit.result import AuditResult, CheckFinding, ErrorsFinding
from fairaudit.disclosure.counted_people import ABSENT, NOT_HELD, CountedPeople, GroupCells, count_pay
from fairaudit.disclosure.ledger import Ledger, Mask, hidden_counts
from fairaudit.disclosure.means import Rests, reveals_few
from fairaudit.disclosure.published import Published, Unproved
from fairaudit.disclosure.remedies import JudgedCases
from fairaudit.errors import DisclosureError, LimitError, quote, require
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.bands import bands_name
from fairaudit.measure.grouping import group_names
from fairaudit.measure.levels import ControlledLevels
from fairaudit.measure.rates import CELLS, PARTS
from fairaudit.measure.results import ControlledWaiting, GroupComparison, MeanComparison
from fairaudit.messages import say
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding

AMONG = sorted({among for _, among in PARTS.values() if among != CELLS})
"""The two cells that some rates are a share of."""

PART, SIZE, TOTAL = 1, 2, 3
SINGLE, CROSSED = 40, 2
ALL, MAIN = 500, 1000
"""What is lost with a count: of an outcome, of people, of all that meet a filter; more by one column, much more of all
rows, and most in a main comparison.

Where two questions, or two forms, give each other's small counts away, the first one stays as whole as it can: what is
lost with a count of the second is half as much, with one of the third a third.
"""

ROWS = ("rows",)
"""The path of the count of all rows."""

HELD_OUT, WITHIN = 5, 4
"""One row in so many is held out, of each group and outcome, rounded: five times a held-out count is that close."""


class HiddenCounts:
    """The ledger of an audit, where each of its counts stands, and which of them are hidden.

    Parameters
    ----------
    result : AuditResult
        What a run found.
    minimum : int
        Counts under it are small.
    published : sequence of Published
        Audits of the same data that are out already: nothing follows from them and this one together.
    """

    def __init__(self, result: AuditResult, minimum: int, published: Sequence[Published] = ()):
        if result.people is None:
            raise DisclosureError("Small counts cannot be hidden: the people of this audit were not counted.")
        self.result, self.minimum, self.published = result, minimum, published
        self.revealing = _revealing(result, minimum)
        self.counts_levels = LEVEL in result.people.outcomes
        """Whether people are counted by level; not where all figures together are too many to prove with levels."""
        self.without: tuple[str, ...] = ()
        """Columns whose tables are hidden as a whole, because all figures together are too many to prove."""
        self.hides_all = False
        self.cases = JudgedCases(result.remedies, minimum) if result.remedies is not None else None
        """The test cases of remedies; None where there are none, or where they have amounts."""
        if published and self.cases is not None:
            # Which people are test cases is no count of what was published.
            self.cases.shown = set()
        self.hidden = self._hidden()
        if self.hides_any and self.cases is not None and self.ledger.spread > 2 * WITHIN:
            # Test cases leave less room than there must be.
            self.cases.shown = set()

    def _hidden(self) -> set[int]:
        """Fill the ledger and choose what to hide; where it is too large, do without columns, the longest first."""
        while True:
            try:
                self._fill()
                if self._has_few:
                    return self._hide_all()
                self._protect_rests(self.ledger.small)
                hidden = hidden_counts(self.ledger)
                while self._protect_rests(hidden):
                    hidden = hidden_counts(self.ledger)
                return hidden if self._agrees(hidden) else self._hide_all()
            except Unproved:
                return self._hide_all()
            except LimitError:
                if self.counts_levels:
                    self.counts_levels = False
                    continue
                if self.cases is not None and self.cases.shown:
                    self.cases.shown = set()
                    continue
                columns = [name for name in require(self.result.people).columns if name not in self.without]
                if not columns:
                    return self._hide_all()
                longest = max(columns, key=self.people.n_values)
                self.without = (*self.without, longest)

    def _agrees(self, hidden: set[int]) -> bool:
        """Say whether tables of people that agree with all published gaps prove that what is hidden is open."""
        return all(
            search.stays_open_among(
                [gap.agrees((search.values + search.rows @ change)[gap.numbers]) for change in search.changes], hidden
            )
            for gap in self.gaps
            for search in self.ledger.searches
        )

    @property
    def _has_few(self) -> bool:
        """Whether every count is small."""
        return 0 < self.ledger.people.sum() < self.minimum

    def _hide_all(self) -> set[int]:
        self.hides_all = True
        self._forget()
        return set()

    def _forget(self) -> None:
        self.groups: dict[tuple, GroupCells] = {}
        self.sizes: dict[tuple, int] = {}
        self.tables: dict[tuple, tuple[int, ...]] = {}
        self.pay_groups: dict[tuple[str, bool], set[int]] = {}
        """Groups of tables of pay that have a mean, by column, and whether only those who receive it are in them."""
        self.unnamed: set[tuple] = set()
        """Tables of rates that must not name the group with the highest one."""

    def _fill(self) -> None:
        result = self.result
        self.people = CountedPeople(
            require(result.people), result.plan.decision, self.without, by_level=self.counts_levels
        )
        self.ledger = Ledger(self.people.n, self.minimum, behind=self.people.behind)
        self._forget()
        everyone = np.ones(len(self.people.n), dtype=bool)
        self.size(ROWS, everyone, result.data.n_rows, ALL)
        for number, finding in enumerate(result.checks):
            self._check(finding, number)
        for number, errors in enumerate(result.errors):
            self._errors(errors, number)
        for number, form in enumerate(result.presets):
            self._form(form, number)
        if self.cases is not None and self.cases.shown and self.ledger.spread <= 2 * WITHIN:
            self._test_cases(self.cases)
        for number, finding in enumerate(result.checks):
            if self.counts_levels and finding.levels is not None:
                self._levels(finding, finding.levels, ("check", number, "levels"))
        blocks: dict[tuple, set[int]] = {}
        for path, cells in self.groups.items():
            blocks.setdefault(path[:2], set()).update(astuple(cells))
        for path, size in self.sizes.items():
            blocks.setdefault(path[:2], set()).add(size)
        self.ledger.blocks = list(blocks.values())
        self.gaps = [gap for each in self.published for gap in each.put_into(self.ledger, self.people.frame)]

    def apart(self, cells: Iterable[GroupCells]) -> None:
        """Note that groups have nobody in common: what is hidden of one outcome adds up."""
        self.ledger.tables += [{group.good: group.good for group in cells}, {group.good: group.bad for group in cells}]
        self.ledger.tables += [{group.n: group.n for group in cells}]

    def cells(self, path: tuple) -> GroupCells:
        """Return the counts of a group."""
        return self.groups.get(path, NOT_HELD)

    def is_hidden(self, number: int) -> bool:
        """Say whether a count is hidden."""
        return number == ABSENT or number in self.hidden

    def hides(self, path: tuple) -> bool:
        """Say whether a count of its own is hidden."""
        return self.is_hidden(self.sizes.get(path, ABSENT))

    def hides_table(self, path: tuple) -> bool:
        """Say whether any count of a table that is shown as a whole is hidden."""
        return any(map(self.is_hidden, self.tables.get(path, (ABSENT,))))

    def shared(self, value: float, number: int, column: str) -> float | None:
        """Return a quartile of those that are counted, rounded until several of them have it in a column."""
        amounts, who = self.people.amounts(column)
        return amounts.shared(value, np.isin(who, self.people.who[self.ledger.masks[number]]), self.minimum)

    def shared_by_all(self, value: float) -> float | None:
        """Return an amount of the decision, rounded until several people have it."""
        amounts, who = self.people.amounts(self.result.plan.decision.column)
        return amounts.shared(value, np.ones(len(who), dtype=bool), self.minimum)

    def rests(
        self,
        column: str,
        numbers: Sequence[int],
        tables: Sequence[Sequence[int]] = (),
        pairs: Sequence[Sequence[int]] = (),
    ) -> Rests:
        """Return what is left of groups less others in them; `tables` and `pairs` are positions among the groups."""
        inside = self.people.parts(self.ledger.masks[number] for number in numbers)
        return Rests(inside, *self.people.amounts(column), self.minimum, tables, pairs)

    def means(self, hidden: set[int], column: str, *, receiving: bool = False) -> list[int]:
        """Return the groups of checks and tables of pay with a mean of a column, but for those whose number is hidden.

        Those who receive a component are groups of their own: beside all people, they reveal the others, who have 0.
        """
        groups = set(self.pay_groups.get((column, receiving), ()))
        decision = self.result.plan.decision
        if not receiving and column == decision.column and not decision.kind.has_good_outcome:
            groups |= {cells.n for path, cells in self.groups.items() if path[0] == "check"}
        return sorted(number for number in groups - hidden if self.ledger.value(number))

    def _protect_rests(self, hidden: set[int]) -> bool:
        """Protect what is left of shown groups where it shows what few people have; say whether any of that is new."""
        before = len(self.ledger.small)
        for column, receiving in {(self.result.plan.decision.column, False), *self.pay_groups}:
            shown = self.means(hidden, column, receiving=receiving)
            if not shown:
                continue
            sides = [{cells.n, self.cells((*path[:-1], "reference")).n} for path, cells in self.groups.items()]
            tables, pairs = (
                sorted(
                    sorted(map(shown.index, table))
                    for table in {frozenset(table).intersection(shown) for table in apart}
                    if len(table) >= least
                )
                for apart, least in ((self.ledger.tables, 1), (sides, 2))
            )
            rests = self.rests(column, shown, tables, pairs)
            there = self.people.outcome(number_key(column), True)
            if receiving:
                there = there & self.people.met(receives_text(column))
            for parts in (*rests.revealing(), *rests.following(self.hidden_tables(hidden))):
                self.ledger.count(there & parts[self.people.who], small=True)
        return len(self.ledger.small) > before

    def hidden_tables(self, hidden: set[int]) -> Iterator[np.ndarray]:
        """Yield of each table which parts of the people its hidden counts are made of."""
        for table in {frozenset(table).intersection(hidden) for table in self.ledger.tables}:
            yield self.people.parts(self.ledger.masks[number] for number in sorted(table))

    @property
    def hides_any(self) -> bool:
        """Whether any count is hidden."""
        return bool(self.hidden or self.without or self.hides_all)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a report says where the ledger could not hold all."""
        if self.hides_all:
            few = Message("hidden-few", {"n": Count(self.minimum)})
            return (say(few if self._has_few else Message("hidden-all")),)
        if not self.without:
            return ()
        names = " and ".join(quote(name, limit=60) for name in self.without)
        return (say(Message("hidden-columns", {"columns": Phrase(names)})),)

    def holds(self, columns: Iterable[str]) -> bool:
        """Say whether what is by these columns is in the ledger."""
        return set(columns).isdisjoint(self.without)

    # What stands where.

    def size(self, path: tuple, inside: Mask, value: int, cost: float = SIZE) -> int:
        """Add a count that stands alone."""
        self.sizes[path] = self.count(inside, value, cost=cost)
        return self.sizes[path]

    def count(self, inside: Mask, value: int, *, cost: float | None = None, small: bool | None = None) -> int:
        """Add a count that is a figure of the audit."""
        number = self.ledger.count(inside, cost=cost, small=small)
        if self.ledger.value(number) != value:
            raise DisclosureError(
                "Small counts cannot be hidden: a figure of the audit is not the sum of its people.",
                hint="Run the audit again; the data may have changed meanwhile.",
            )
        return number

    def _group(self, path: tuple, group: Any, inside: Mask, loss: float) -> GroupCells:
        good, bad, none = (inside & state for state in self.people.states)
        few = group.n > 0
        small = few and (group.n < self.minimum or id(group) in self.revealing)
        n = self.count(inside & ~none, group.n, cost=SIZE + loss, small=small)
        undecided = self.count(none, group.undecided, cost=SIZE + min(loss, SINGLE))
        if not self.result.plan.decision.kind.has_good_outcome:
            self.groups[path] = GroupCells(n, n, undecided, n)
            return self.groups[path]
        positives, negatives = group.positives, group.n - group.positives
        is_small = few and min(positives, negatives) < self.minimum
        cells = GroupCells(
            self.count(good, positives, cost=PART + loss, small=is_small),
            self.count(bad, negatives, small=few and negatives < self.minimum),
            undecided,
            n,
        )
        # A rate and the good outcomes would give the number of people.
        self.ledger.rules.append(((cells.n, cells.bad), (cells.good,)))
        self.groups[path] = cells
        return cells

    def _check(self, finding: CheckFinding, number: int) -> None:
        result, path = finding.result, ("check", number)
        where = self.people.met(finding.plan.where)
        protected, rest = (where & self.people.met(finding.plan.protected, truth=side) for side in (True, False))
        loss = MAIN / (1 + number)
        sides, undecided = (result.protected, result.reference), result.undecided
        if isinstance(result, ControlledWaiting):
            # People are counted by whether they have a time, and not by which of those without one are open.
            sides = (result.protected.of_column, result.reference.of_column)
            undecided = result.protected.n_empty + result.reference.n_empty
        own = self._group((*path, "protected"), sides[0], protected, loss)
        other = self._group((*path, "reference"), sides[1], rest, loss)
        self.ledger.figure(own.good, own.n, other.good, other.n)
        _, _, none = self.people.states
        self.size((*path, "unknown"), where & ~protected & ~rest, result.unknown)
        self.size((*path, "undecided"), (protected | rest) & none, undecided)
        self.size((*path, "population"), where, result.n_population, TOTAL)
        self.size((*path, "filtered_out"), ~where, result.n_filtered_out, TOTAL)
        self._left_out(where)
        for position, comparison in enumerate(finding.groups):
            self._comparison(comparison, (*path, "groups", position), where)
        self._strata(finding, (*path, "strata"), where, protected, rest)

    def _levels(self, finding: CheckFinding, levels: ControlledLevels, path: tuple) -> None:
        """Add how many people have each level: of both groups, in all strata together, and of all groups of columns."""
        where = self.people.met(finding.plan.where)
        sides = [where & self.people.met(finding.plan.protected, truth=side) for side in (True, False)]
        found = [self._by_level(levels, side) for side in sides]
        if [tuple(int(n) for n in pair) for pair in zip(*found, strict=True)] != list(levels.n_by_level):
            raise DisclosureError(
                "Small counts cannot be hidden: levels are not the sums of their people.",
                hint="Run the audit again; the data may have changed meanwhile.",
            )
        self._whole_table((*path, "all"), levels, sides, SINGLE / (1 + path[1]))
        names = {name: bands_name(name, cuts) for name, cuts in finding.plan.strata_cuts.items()}
        if (within := levels.within) is not None:
            columns = [names.get(name, name) for name in within.columns]
            if self.holds(columns):
                parts = self._parts_by(columns, where)
                self._whole_table((*path, "within"), levels, [p & side for p in parts for side in sides], CROSSED)
        for place, groups in enumerate(levels.by_group):
            if self.holds(groups.columns):
                parts = self._parts_by(groups.columns, where & self.people.known(groups.columns))
                self._whole_table((*path, "groups", place), levels, parts, CROSSED)

    def _parts_by(self, columns: Sequence[str], inside: Mask) -> list[Mask]:
        """Return the people of each combination of values of columns."""
        frame = self.people.frame.loc[inside, [column_key(name) for name in columns]]
        keys = frame.drop_duplicates().itertuples(index=False, name=None)
        return [inside & self.people.group_of(tuple(zip(columns, key, strict=True))) for key in keys]

    def _by_level(self, levels: ControlledLevels, inside: Mask) -> list[int]:
        return [int(self.ledger.people[inside & self.people.outcome(LEVEL, level)].sum()) for level in levels.levels]

    def _whole_table(self, path: tuple, levels: ControlledLevels, groups: Sequence[Mask], loss: float) -> None:
        """Add a table of groups by level, which is shown as a whole or not at all."""
        own, cells = [], []
        for inside in groups:
            counts = self._by_level(levels, inside)
            for level, n in zip(levels.levels, counts, strict=True):
                is_small = sum(counts) > 0 and n < self.minimum
                number = self.ledger.count(inside & self.people.outcome(LEVEL, level), small=is_small)
                # What another figure shows may stay where this table is hidden.
                own += [] if number in self.ledger.cost else [number]
                cells.append(number)
        for number in own:
            self.ledger.cost[number] = PART + loss
        self.ledger.rules.append((tuple(cells), tuple(own)))
        self.tables[path] = tuple(cells)

    def _share(self, inside: Mask) -> float:
        """Return what a group is worth beside one of nobody: of two groups, the one with fewer people goes first."""
        people = self.ledger.people
        return 1 + people[inside].sum() / max(people.sum(), 1)

    def _left_out(self, where: Mask) -> None:
        """Note that a reader may know how many people a filter leaves out, if they are few; ``id <> 3`` shows it."""
        number = self.ledger.count(~where)
        is_small = 0 < self.ledger.value(number) < self.minimum
        # Of amounts it is the sum that must stay open, and so the number of people behind it.
        if is_small and self.result.plan.decision.kind.has_good_outcome:
            self.ledger.known.add(number)

    def _comparison(self, comparison: GroupComparison, path: tuple, where: Mask) -> None:
        if not self.holds(comparison.columns):
            return
        known = where & self.people.known(comparison.columns)
        loss = (SINGLE if len(comparison.columns) == 1 else CROSSED) / (1 + path[1])
        insides = [known & self.people.group_of(row.values) for row in comparison.rows]
        base = known & ~np.logical_or.reduce(insides, initial=False, axis=0) if insides else known
        apart = []
        for i, (row, inside) in enumerate(zip(comparison.rows, insides, strict=True)):
            rest, worth = base if comparison.reference else known & ~inside, loss * self._share(inside)
            own = self._group((*path, i, "protected"), row.comparison.protected, inside, worth)
            other = self._group((*path, i, "reference"), row.comparison.reference, rest, worth)
            if not comparison.reference:
                self.ledger.together(own.good, other.good)
                self.ledger.together(own.n, other.n)
            self.ledger.figure(own.good, own.n, other.good, other.n)
            self.occurs(inside)
            apart.append(own)
        self.apart(apart)
        self.size((*path, "unknown"), where & ~known, comparison.unknown)
        self.size((*path, "undecided"), known & self.people.states[2], comparison.undecided)

    def _strata(self, finding: CheckFinding, path: tuple, where: Mask, protected: Mask, rest: Mask) -> None:
        strata, decided = finding.strata, ~self.people.states[2]
        names = {name: bands_name(name, cuts) for name, cuts in finding.plan.strata_cuts.items()}
        if strata is None or not self.holds(names.get(name, name) for name in strata.columns):
            return
        loss, apart = CROSSED / (1 + path[1]), []
        for i, row in enumerate(strata.strata):
            inside = where & self.people.group_of(tuple((names.get(name, name), value) for name, value in row.values))
            sides = []
            for side, who in (("protected", protected), ("reference", rest)):
                worth = loss * self._share(inside)
                sides.append(self._group((*path, i, side), getattr(row.comparison, side), inside & who, worth))
                self.occurs(inside & who & decided)
            self.ledger.figure(*(number for cells in sides for number in (cells.good, cells.n)))
            apart.append(sides)
            self.size((*path, i, "unknown"), inside & ~protected & ~rest, row.unknown)
        for alike in zip(*apart, strict=True):
            self.apart(alike)
        # Both sides of a stratum are its people, and of two strata nobody is in both.
        self.apart([cells for sides in apart for cells in sides])

    def _errors(self, finding: ErrorsFinding, number: int) -> None:
        if finding.errors is None or not self.holds(finding.plan.by):
            return
        where, columns = self.people.met(finding.plan.where), [column_key(name) for name in finding.plan.by]
        names = np.full(len(self.people.frame), None, dtype=object)
        names[where] = group_names(self.people.frame.loc[where, columns])
        right, guess = finding.errors.positive == "favorable", {}
        really = self.people.outcome(DECISION, right), self.people.outcome(DECISION, not right)
        said = self.people.outcome(PREDICTION, right), self.people.outcome(PREDICTION, not right)
        guess = {
            "tp": really[0] & said[0],
            "fp": really[1] & said[0],
            "tn": really[1] & said[1],
            "fn": really[0] & said[1],
        }
        loss, apart = SINGLE if len(columns) == 1 else CROSSED, []
        for i, record in enumerate(finding.errors.counts.to_dict("records")):
            path, inside = ("errors", number, i), where & (names == record["group"])
            n, worth = sum(int(record[cell]) for cell in guess), loss * self._share(inside)
            cells = [
                self.count(
                    inside & who,
                    int(record[cell]),
                    cost=PART + worth,
                    small=n > 0 and int(record[cell]) < self.minimum,
                )
                for cell, who in guess.items()
            ]
            judged = inside & np.logical_or.reduce(list(guess.values()))
            size = self.size((*path, "n"), judged, n, SIZE + worth)
            unknown = self.size((*path, "unknown"), inside & ~judged, int(record["unknown"]), SIZE + loss)
            self.ledger.together(*cells)
            self.ledger.rules.append(((size,), tuple(cells)))
            # Beside each rate stands of how many it is a share: of two of the cells, and shown where these are.
            for one, other in AMONG:
                self.count(inside & (guess[one] | guess[other]), int(record[one]) + int(record[other]))
            self.groups[path] = GroupCells(cells[0], cells[1], unknown, size)
            self.ledger.figure(*cells, size)
            self.occurs(inside)
            apart.append([*cells, size])
        self.ledger.tables += [{number: number for number in alike} for alike in zip(*apart, strict=True)]

    def _form(self, form: PresetFinding, number: int) -> None:
        path, where = ("preset", number), self.people.met(form.plan.where)
        good, _, none = self.people.states if form.median is None else self._above(form)
        worth = 1 / (1 + number)
        self.size((*path, "population"), where, form.n_population, TOTAL)
        self._left_out(where)
        if form.rates:
            self.size((*path, "undecided"), where & none, form.undecided)
        used = tuple(dict.fromkeys(name for rates in form.rates for name in rates.table.columns))
        for position, rates in enumerate(form.rates):
            columns = used if form.preset.unknown == "any" else rates.table.columns
            decided = where & ~none
            inside, divided = decided & self.not_unknown(form, columns), decided & self._divided(form, columns)
            if self.holds(rates.table.columns):
                self._rates(rates, (*path, position), inside, divided, good, worth)
            if not divided.any():
                self.size((*path, position, "n"), inside, rates.table.n)
                self.size((*path, position, "unknown"), decided & ~inside, rates.unknown)
        if form.median is not None:
            # Half of those who have a score are above its median, or fewer where several have it.
            above, scored = (self.ledger.count(where & who, small=False) for who in (good, ~none))
            self.sizes[*path, "scored"] = scored
            off = 2 * self.ledger.value(above) - self.ledger.value(scored)
            self.ledger.facts += [({above: 2.0, scored: -1.0}, off - 1.0), ({above: -2.0, scored: 1.0}, -off - 1.0)]
        for position, means in enumerate(form.means):
            self._means(means, form, (*path, "means", position), where, worth)
        count_pay(self, form, path, where, worth)

    def _above(self, form: PresetFinding) -> tuple[Mask, Mask, Mask]:
        text = above_median(form)
        return self.people.met(text), self.people.met(text, truth=False), self.people.met(text, truth=None)

    def not_unknown(self, form: PresetFinding, columns: tuple[str, ...]) -> Mask:
        """Return who has a value in each column that does not mean unknown in a form."""
        return self.people.who_all(_not_unknown(require(self.result.people).counts, form, columns))

    def _divided(self, form: PresetFinding, columns: tuple[str, ...]) -> Mask:
        """Return of whom some have such a value and some do not, in a column that is hidden."""
        known = _not_unknown(require(self.result.people).counts, form, columns)
        return ~self.people.who_all(known) & ~self.people.who_all(~known)

    def _rates(self, rates: RatesFinding, path: tuple, inside: Mask, divided: Mask, good: Mask, worth: float) -> None:
        single, apart = SINGLE if len(rates.roles) == 1 else CROSSED, []
        for i, row in enumerate(rates.table.rows):
            own, group = self.people.group_of(row.values), row.group
            if (own & divided).any():
                # What the ledger cannot count stays hidden; what it can may follow from other tables.
                continue
            who = inside & own
            loss = worth * single * self._share(who)
            small = group.n > 0 and min(group.positives, group.n - group.positives) < self.minimum
            cells = GroupCells(
                self.count(who & good, group.positives, cost=PART + loss, small=small),
                self.count(
                    who & ~good, group.n - group.positives, small=small and group.n - group.positives < self.minimum
                ),
                self.count(who & ~good & good, 0),
                self.count(who, group.n, cost=SIZE + loss),
            )
            self.ledger.rules.append(((cells.n, cells.bad), (cells.good,)))
            self.ledger.figure(cells.good, cells.n)
            self.groups[*path, i] = cells
            self.occurs(who)
            apart.append(cells)
        self.apart(apart)
        if len(apart) < len(rates.table.rows):
            # Which group is named may depend on one that the ledger cannot count.
            self.unnamed.add(path)
        elif rates.check.reference == "highest":
            self._ranks(rates, path)

    def _ranks(self, rates: RatesFinding, path: tuple) -> None:
        """Note what a reader learns from which group is named as that with the highest rate, or from none being named.

        A hidden rate is at most that of the group that is named. Where a hidden rate is the highest, none is named: so
        whether one can be must follow from what is shown. Where few counts would make a hidden rate the highest, or
        keep it from being that, none is named in any case.
        """
        rows = [(i, row.group) for i, row in enumerate(rates.table.rows) if not row.left_out and row.group.n]
        cells = {i: self.groups[*path, i] for i, _ in rows}
        large = [Fraction(group.positives, group.n) for i, group in rows if cells[i].good not in self.ledger.small]
        few = [(i, group) for i, group in rows if cells[i].good in self.ledger.small]
        if not few:
            return
        if not large or not all(self._leaves_open(group.n, max(large)) for _, group in few):
            self.unnamed.add(path)
            return
        top, highest = max(large), max(Fraction(group.positives, group.n) for _, group in rows)
        for i, group in rows:
            rate = Fraction(group.positives, group.n)
            if highest == top or rate == highest:
                sign = 1 if rate > top else -1
                weights = {cells[i].good: sign * float(top.denominator), cells[i].n: -sign * float(top.numerator)}
                self.ledger.facts.append((weights, 1.0 if rate > top else 0.0))

    def _leaves_open(self, n: int, rate: Fraction) -> bool:
        """Say whether a small count of `n` people keeps values far apart, be the rate above another one or not."""
        small = [good for good in range(n + 1) if min(good, n - good) < self.minimum]
        for values in ([g for g in small if g <= rate * n], [g for g in small if g > rate * n]):
            if values and values[-1] - values[0] < self.ledger.spread:
                return False
        return True

    def _means(self, means: MeansFinding, form: PresetFinding, path: tuple, where: Mask, worth: float) -> None:
        checks = [each for each in form.means if each.table.column == means.table.column]
        used = tuple(dict.fromkeys(name for each in checks for name in each.table.columns))
        columns = used if form.preset.unknown == "any" else means.table.columns
        if not self.holds(means.table.columns) or (where & self._divided(form, columns)).any():
            return
        there = where & self.people.outcome(number_key(means.table.column), True)
        inside = there & self.not_unknown(form, columns)
        known = where & self.not_unknown(form, columns)
        numbers = [
            self.count(inside & self.people.group_of(row.values), row.n, cost=SIZE + worth * SINGLE)
            for row in means.table.rows
        ]
        self.ledger.tables.append({number: number for number in numbers})
        numbers.append(self.size(path, inside, means.table.n, cost=SIZE * worth))
        numbers.append(self.count(there & ~inside, means.unknown, cost=SIZE * worth))
        numbers.append(self.count(known & ~there, means.table.missing, cost=SIZE * worth))
        # Its counts may stand elsewhere, too, and stay there.
        self.tables[path] = tuple(numbers)

    def _test_cases(self, cases: JudgedCases) -> None:
        """Note what a reader knows of all people from test cases: one in five of each group and outcome is one.

        They are people of the filter.
        """
        facts, plan, people = cases.facts, cases.facts.plan, self.people
        learned = people.outcome(LEARNED, True) if LEARNED in people.frame else ~people.states[2]
        by_group = bool(facts.group_columns) and cases.shows_any("groups") and self.holds(facts.group_columns)
        names = group_names(people.frame[[column_key(name) for name in facts.group_columns]]) if by_group else None
        # Each part that is divided by itself may be rounded.
        within = WITHIN * (1 if by_group or not facts.group_columns else len(facts.groups))
        is_whole = facts.sample is None or facts.sample.n_rows == facts.sample.n_population
        where = people.met(plan.where)
        by = ["protected", "good", *(["group"] if by_group else [])]
        for (is_protected, is_good, *group), held in require(facts.judged).groupby(by):
            who = learned & people.met(plan.protected, truth=bool(is_protected)) & people.states[0 if is_good else 1]
            who = where & who & (names == group[0]) if group else where & who
            self._at_least(who, len(held))
            if is_whole:
                self._at_least(who, HELD_OUT * len(held) - within)
                number = self.ledger.count(who, small=False)
                most = max(self.ledger.value(number), HELD_OUT * len(held) + within)
                self.ledger.facts.append(({number: -1.0}, -float(most)))

    def _at_least(self, inside: Mask, least: int) -> None:
        """Note how many people a reader knows of."""
        number = self.ledger.count(inside, small=False)
        self.ledger.facts.append(({number: 1.0}, float(min(self.ledger.value(number), least))))

    def occurs(self, inside: Mask) -> None:
        """Note that a group that is listed has somebody in it."""
        if self.ledger.people[inside].sum() > 0:
            self.ledger.facts.append(({self.ledger.count(inside, small=False): 1.0}, 1.0))


def _not_unknown(people: pd.DataFrame, form: PresetFinding, columns: tuple[str, ...]) -> Mask:
    unknown, inside = dict(form.unknown_values), np.ones(len(people), dtype=bool)
    for name in columns:
        values = people[column_key(name)]
        inside &= (values.notna() & ~values.isin(list(unknown.get(name, ())))).to_numpy()
    return inside


def _revealing(result: AuditResult, minimum: int) -> set[int]:
    """Return the groups whose mean shows what few people have, see :mod:`fairaudit.disclosure.means`."""
    found = set()
    for finding in result.checks:
        comparisons = [finding.result, *(row.comparison for table in finding.groups for row in table.rows)]
        comparisons += [row.comparison for row in finding.strata.strata] if finding.strata else []
        for comparison in comparisons:
            if not isinstance(comparison, MeanComparison) or isinstance(comparison, ControlledWaiting):
                continue
            sides = (comparison.protected, comparison.reference)
            found |= {id(side) for side in sides if side.n > 0 and reveals_few(side, sides, minimum)}
    return found
