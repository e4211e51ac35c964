"""Counts that are rounded or hidden: what every table that fits the printed cells has in common.

Shares, gap and intervals are bounds over all tables of numbers that the printed cells may stand for, and a verdict is
one that each of these tables has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import pandas as pd

from fairaudit.columns import ByGroup, PartialReading, WideCounts, hidden_cells
from fairaudit.conditions import Condition
from fairaudit.data.case_counts import refuse_weights
from fairaudit.data.counted_rows import as_counts, count_cases, decision_made, groups_as_rows
from fairaudit.data.given import as_table
from fairaudit.data.printed_counts import CountRange, cell_text, dots_mark_thousands, printed_cells, read_cell
from fairaudit.data.roles import Outcome, make_outcome
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import REST
from fairaudit.measure.bands import Part, counted, strata_parts, stratum_values
from fairaudit.measure.common_bounds import bounded_strata
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.controlled import column_list
from fairaudit.measure.fitting_tables import FittingTables, PartialRow, compare_partial, people_of
from fairaudit.measure.grouping import check_group_count, group_names, place_of, plain_value
from fairaudit.measure.intervals import holm
from fairaudit.measure.results import (
    BoundsComparison,
    ControlledBounds,
    GroupComparison,
    GroupRow,
    StratifiedBounds,
    StratumRow,
)
from fairaudit.measure.verdicts import Side
from fairaudit.measure.verdicts_of_many import readings_by_holm


@dataclass(frozen=True)
class PrintedTable:
    """A table of counts with its decision, and the rows as they are printed.

    Parameters
    ----------
    table : Table
        The table, whose counts were read as rounded or hidden.
    outcome : Outcome
        The decision and its favourable result.
    """

    table: Table
    outcome: Outcome

    @classmethod
    def of(cls, table: Table, *, decision: str | None, favorable: object) -> PrintedTable:
        """Read a decision for a table; that which two columns of counts make need not be named."""
        if table.source.options.counts is None:
            raise InputError("Bounds need columns of counts, got none.", hint='Name them: counts="n".')
        refuse_weights(table)
        made = decision_made(table)
        if made is not None and decision is None:
            decision, favorable = made.column, made.favorable if favorable is None else favorable
        if decision is None or favorable is None:
            raise InputError(
                "Bounds need a decision and its favourable result.",
                hint='Such as decision="result", favorable="admitted"; two columns of counts make one.',
            )
        return cls(table, make_outcome(table, decision, favorable))

    @property
    def reading(self) -> PartialReading:
        """How the cells are read."""
        return self.table.source.options.said_of_counts or PartialReading()

    @property
    def printed(self) -> Table:
        """The rows as they are printed, with their columns of counts; of those by group, a row for each group."""
        counts, rows = self.table.source.options.counts, self.table.without_counts
        return groups_as_rows(rows, counts) if isinstance(counts, ByGroup) else rows

    @property
    def by_group(self) -> dict[str, str]:
        """The columns of counts by group; empty where no column counts one group alone."""
        counts = self.table.source.options.counts
        return dict(counts.pairs) if isinstance(counts, ByGroup) else {}

    @property
    def is_long(self) -> bool:
        """Whether a column of the rows holds the decision, so that each row has one number of cases."""
        return not isinstance(self.table.source.options.counts, WideCounts)

    @property
    def roles(self) -> dict[str, str]:
        """The columns of counts, by what of a row they count; of those by group, the columns by group."""
        counts = self.table.source.options.counts
        if not isinstance(counts, WideCounts):
            return self.by_group or {"every": str(counts)}
        made = decision_made(self.table)
        if made is None:
            raise InputError("Two columns of counts make a decision.")
        values = pd.DataFrame({made.column: [made.favorable, made.other]})
        good, other = (bool(each) for each in self.outcome.condition.mask(values))
        if good == other:
            raise InputError(
                f"The favourable result must be {quote(made.favorable)} or {quote(made.other)}, got "
                f"{'both' if good else 'neither'}.",
                hint="Name one of both.",
            )
        called = {"favorable": "favorable", "others": "others", "all": "every"}
        if other:
            called |= {"favorable": "others", "others": "favorable"}
        return {called[role]: column for role, column in counts.roles.items()}

    def check_condition(self, condition: Condition | None) -> None:
        """Refuse a group or filter that is made of the decision, whose rows are not apart."""
        made = decision_made(self.table)
        if condition is not None and made is not None and made.column in condition.columns:
            raise InputError(
                f"Column {quote(made.column)} is the decision that two columns of counts make, and no group or filter "
                "can be made of it.",
                hint="Name another column.",
            )

    def rows(self, by: Mapping[str, Part], where: Condition | None) -> list[PrintedRow]:
        """Return rows by columns, bands and conditions; one of which no decision is known has none that is."""
        roles, printed = self.roles, self.printed
        keys: dict[str, Part] = {f"by {name}": part for name, part in by.items()}
        if self.is_long:
            keys["good"] = self.outcome.condition
        if self.by_group:
            # The last column is that of the groups.
            keys["group"] = list(printed.columns)[-1]
        cells = {f"cell {role}": column for role, column in roles.items()}
        marks = {column: dots_mark_thousands(printed_cells(printed, column)) for column in roles.values()}
        found = []
        for record in counted(partial(printed.counts, where=where), {**keys, **cells}).to_dict("records"):
            own = {record["group"]: roles[record["group"]]} if self.by_group else roles
            ranges = {
                "every" if self.is_long else role: read_cell(
                    self.reading, column, record[f"cell {role}"], dots_mark_thousands=marks[column]
                )
                for role, column in own.items()
            }
            row: PartialRow | None = None
            if "good" not in keys:
                row = PartialRow(**ranges)
                if not row.is_possible:
                    raise _impossible({column: record[f"cell {role}"] for role, column in roles.items()})
            elif not pd.isna(record["good"]):
                nobody = CountRange(0, 0)
                is_good = bool(record["good"])
                row = PartialRow(
                    favorable=ranges["every"] if is_good else nobody, others=nobody if is_good else ranges["every"]
                )
            values = {name: None if pd.isna(record[f"by {name}"]) else record[f"by {name}"] for name in by}
            fewest = people_of(row)[0] if row is not None else ranges["every"].low
            found += [PrintedRow(values, row, fewest)] * int(record["n"])
        return found

    def compare(
        self, protected: Condition, where: Condition | None, tolerance: float, confidence: float
    ) -> ControlledBounds:
        """Compare the protected group with all others whose group is known."""
        for condition in (protected, where):
            self.check_condition(condition)
        rows = self.rows({"side": protected}, where)
        sides: dict[bool, list[PartialRow]] = {True: [], False: []}
        for row in rows:
            if row.values["side"] is not None and row.cells is not None:
                sides[bool(row.values["side"])].append(row.cells)
        for inside, found in sides.items():
            if not found:
                who = "is" if inside else "is not"
                raise GroupError(
                    f"There is no row that {who} in the protected group.", hint="Choose another condition."
                )
        names = (protected.in_words(), REST)
        compared = compare_partial(sides[True], sides[False], names=names, tolerance=tolerance, confidence=confidence)
        unknown = sum(row.fewest for row in rows if row.values["side"] is None)
        undecided = sum(row.fewest for row in rows if row.values["side"] is not None and row.cells is None)
        every = 0 if where is None else sum(row.fewest for row in self.rows({}, None))
        population = compared.protected.n + compared.reference.n + unknown + undecided
        return ControlledBounds(
            **{each.name: getattr(compared, each.name) for each in fields(compared)},
            decision=self.outcome.column,
            favorable=str(self.outcome.condition),
            protected_condition=str(protected),
            where=None if where is None else str(where),
            n_population=population,
            n_filtered_out=max(every - population, 0),
            unknown=unknown,
            undecided=undecided,
        )

    def counted_sql(self, by: Sequence[str | Condition], where: Condition | None) -> str:
        """Return the one statement that the rows are read by."""
        long = [self.outcome.condition] if self.is_long else []
        return self.printed.counts_sql([*by, *long, *self.roles.values()], where=where)


@dataclass(frozen=True)
class PartialQuestion:
    """How often each group has the favourable result, where counts are rounded or hidden.

    Parameters
    ----------
    asked : PrintedTable
        The table.
    where : Condition, optional
        The filter.
    tolerance, confidence : float
        Of each comparison.
    """

    asked: PrintedTable
    where: Condition | None
    tolerance: float
    confidence: float

    def all_groups(
        self, table: Table, columns: Sequence[str], *, reference: str | None, min_count: int
    ) -> GroupComparison:
        """Compare each value of a column, or each crossing of several, with the rest or with one of them.

        Verdicts allow for all groups by Holm's method.
        """
        for name in columns:
            self.asked.check_condition(Condition.equals(name, None, table.columns))
        rows = self.asked.rows({name: name for name in columns}, self.where)
        known = [row for row in rows if None not in row.values.values()]
        cells: dict[tuple[object, ...], list[PartialRow]] = {}
        for row in known:
            if row.cells is not None:
                cells.setdefault(tuple(plain_value(value) for value in row.values.values()), []).append(row.cells)
        check_group_count(len(cells), tuple(columns))
        keys = sorted(cells, key=str)
        labels = group_names(pd.DataFrame(keys)) if keys else []
        if len(keys) < 2:
            raise GroupError(f"{', '.join(map(quote, columns))} has fewer than two groups among the rows looked at.")
        base = None if reference is None else place_of(reference, labels)
        shown = [place for place in range(len(keys)) if place != base]
        # Of two groups, each is the rest of the other: that is one question, asked twice.
        questions = 1 if base is None and len(keys) == 2 else len(shown)
        compared = []
        for place in shown:
            others = [cell for key in keys if key != keys[place] for cell in cells[key]]
            others = others if base is None else cells[keys[base]]
            names = (labels[place], REST if base is None else labels[base])
            settings = {"tolerance": self.tolerance, "confidence": self.confidence}
            compared.append(compare_partial(cells[keys[place]], others, names=names, **settings))
        found = []
        for place, each in zip(shown, self._read_together(compared, questions), strict=True):
            values = tuple(zip(columns, keys[place], strict=True))
            found.append(GroupRow(values, each, math.nan, each.protected.n < min_count))
        return GroupComparison(
            columns=tuple(columns),
            reference=None if base is None else labels[base],
            rows=tuple(found),
            unknown=sum(row.fewest for row in rows if None in row.values.values()),
            undecided=sum(row.fewest for row in known if row.cells is None),
            min_count=min_count,
            where=None if self.where is None else str(self.where),
            worst_pair=None,
        )

    def _read_together(self, compared: Sequence[BoundsComparison], questions: int) -> list[BoundsComparison]:
        """Return comparisons with the verdicts that each table has, allowing for all of them by Holm's method."""
        fits = [FittingTables(each.protected, each.reference) for each in compared]
        sides = _sides_by_holm(fits, questions, self.tolerance, self.confidence)
        largest = [max(each.largest_p_values(self.confidence)) for each in fits]
        adjusted = largest if questions == 1 else holm(largest).tolist()
        return [
            replace(each, verdict=fit.verdict_by(side, self.confidence, adjusted=p_value))
            for each, fit, side, p_value in zip(compared, fits, sides, adjusted, strict=True)
        ]

    def within_strata(
        self, table: Table, protected: Condition, strata: Sequence[str], strata_cuts: Mapping[str, Sequence[float]]
    ) -> StratifiedBounds:
        """Compare a protected group with the rest inside strata, and over all of them together.

        The bounds of each gap and of the common gap are exact; the intervals of the common gap are outer bounds.
        """
        names = column_list(strata, "strata", table)
        for name in names:
            self.asked.check_condition(Condition.equals(name, None, table.columns))
        pooled = self.asked.compare(protected, self.where, self.tolerance, self.confidence)
        parts = strata_parts(self.asked.table, names, strata_cuts)
        places = [f"stratum {i}" for i in range(len(parts))]
        cells: dict[tuple[object, ...], dict[bool, list[PartialRow]]] = {}
        unknown: dict[tuple[object, ...], int] = {}
        for row in self.asked.rows({"side": protected, **dict(zip(places, parts, strict=True))}, self.where):
            key = tuple(plain_value(row.values[place]) for place in places)
            sides = cells.setdefault(key, {True: [], False: []})
            if row.values["side"] is None or row.cells is None:
                unknown[key] = unknown.get(key, 0) + row.fewest
            else:
                sides[bool(row.values["side"])].append(row.cells)
        check_group_count(len(cells), names)
        compared, shown, left_out = [], [], []
        called, settings = (pooled.protected.name, REST), {"tolerance": self.tolerance, "confidence": self.confidence}
        for key in sorted(cells, key=_ascending):
            each = compare_partial(cells[key][True], cells[key][False], names=called, **settings)
            values = stratum_values(parts, key)
            if each.protected.most_n and each.reference.most_n:
                compared.append(each)
                shown.append((values, unknown.get(key, 0)))
            else:
                left_out.append(StratumRow(values, each, 0).name)
        read = self._read_together(compared, len(compared)) if compared else []
        return bounded_strata(
            pooled,
            names,
            tuple(StratumRow(values, each, n) for (values, n), each in zip(shown, read, strict=True)),
            tuple(left_out),
        )


def _ascending(key: tuple[object, ...]) -> tuple[Any, ...]:
    """Return by what strata are ordered: their values, of which those that are not known come last."""
    return tuple((value is None, "" if value is None else value) for value in key)


def _sides_by_holm(
    fits: Sequence[FittingTables], questions: int, tolerance: float, confidence: float
) -> list[Side | None]:
    """Return where comparisons lie in every table as Holm's method reads them; None where tables may differ.

    Each table settles those that all do, and none but those that one does: so it is read between two confidences.
    """
    strictest, laxest = (
        readings_by_holm(partial(_sides, fits, tolerance, differing=differing), questions, confidence)
        for differing in ("open", "beyond")
    )
    return [
        None if strict == "open" and lax != "open" else strict for strict, lax in zip(strictest, laxest, strict=True)
    ]


def _sides(fits: Sequence[FittingTables], tolerance: float, confidence: float, *, differing: Side) -> list[Side]:
    return [each.side(tolerance, confidence) or differing for each in fits]


@dataclass(frozen=True)
class PrintedRow:
    """A printed row: the values that it is asked by, its cells where its decision is known, and its fewest people."""

    values: Mapping[str, Any]
    cells: PartialRow | None
    fewest: int


def _impossible(cells: Mapping[str, object]) -> InputError:
    shown = ", ".join(f"{quote(column)} {quote(cell_text(value))}" for column, value in cells.items())
    return InputError(
        f"No numbers fit a row with {shown}: a part is larger than all.", hint="Correct the row, or what is hidden."
    )


def check_partial_counts(
    table: object,
    *,
    protected: Condition | str,
    counts: str | WideCounts | Mapping[str, str] | None = None,
    rounded_to: int | None = None,
    hidden: Mapping[str, tuple[int, int]] | None = None,
    decision: str | None = None,
    favorable: object = None,
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
) -> ControlledBounds:
    """Compare two groups of a published table in which counts are rounded or hidden.

    Parameters
    ----------
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB
        One row for each combination of its other columns, with the counts as they are printed.
    protected : Condition or str
        Who is protected; all other rows with a known group are compared with them.
    counts : str or mapping, optional
        The column of counts, or two of ``{"favorable": ..., "others": ..., "all": ...}``; not needed of a table that
        was read with them.
    rounded_to : int, optional
        The number to whose multiples all counts were rounded, 1 if none was. It must be said where all are multiples of
        5 or 10.
    hidden : mapping of str to pair of int, optional
        What a printed text may stand for, such as ``{"<5": (1, 4)}``.
    decision : str, optional
        The column of decisions; two columns of counts make one.
    favorable : str, list or Condition, optional
        Its favourable result.
    where : Condition or str, optional
        Only these rows.
    tolerance, confidence : float
        As for :func:`fairaudit.check_controlled_fairness`.

    Returns
    -------
    ControlledBounds
        Bounds over every table that fits, and a verdict only where each of these tables has it.

    Raises
    ------
    InputError
        If a cell is no count and nothing was said of it, no numbers fit a row, or the table has sampling weights.
    GroupError
        If a group has no row.

    Examples
    --------
    >>> frame = pd.DataFrame({"sex": ["F", "M"], "selected": ["<5", "40"], "applicants": ["60", "80"]})
    >>> counts = {"favorable": "selected", "all": "applicants"}
    >>> found = check_partial_counts(frame, counts=counts, protected="sex = 'F'", hidden={"<5": (1, 4)})
    >>> low, high = found.difference_bounds
    >>> print(f"{low:.3f} to {high:.3f}, {found.verdict}")
    -0.483 to -0.433, clear_gap
    """
    asked, condition, filtered = _read_question(
        table, protected, where, (tolerance, confidence), (counts, rounded_to, hidden), (decision, favorable)
    )
    return asked.compare(condition, filtered, tolerance, confidence)


def check_partial_strata(
    table: Table | pd.DataFrame,
    *,
    protected: Condition | str,
    strata: str | Sequence[str],
    counts: str | WideCounts | Mapping[str, str] | None = None,
    rounded_to: int | None = None,
    hidden: Mapping[str, tuple[int, int]] | None = None,
    decision: str | None = None,
    favorable: object = None,
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    strata_cuts: Mapping[str, Sequence[float]] | None = None,
) -> StratifiedBounds:
    """Compare two groups of a published table inside strata, and over all of them, where counts are rounded or hidden.

    Parameters
    ----------
    table, protected, counts, rounded_to, hidden, decision, favorable, where, tolerance, confidence
        As for :func:`check_partial_counts`.
    strata : str or sequence of str
        The columns to control for; several are crossed. Rows without a value form a stratum "missing".
    strata_cuts : mapping of str to sequence of float, optional
        Where columns of numbers are cut into bands.

    Returns
    -------
    StratifiedBounds
        The bounds of the gap in each stratum and of Mantel-Haenszel's common gap are exact: the smallest and the
        largest of all tables that fit. Its intervals are outer bounds, which hold that of each such table.

    Raises
    ------
    InputError
        If a cell is no count and nothing was said of it, no numbers fit a row, or the table has sampling weights.
    GroupError
        If a group has no row.

    Examples
    --------
    >>> cells = [("a", "F", "<5", 40), ("a", "M", 12, 60), ("b", "F", 30, 90), ("b", "M", 50, 100)]
    >>> frame = pd.DataFrame(cells, columns=["area", "sex", "hired", "applied"])
    >>> asked = {"counts": {"favorable": "hired", "all": "applied"}, "protected": "sex = 'F'", "hidden": {"<5": (1, 4)}}
    >>> found = check_partial_strata(frame, strata="area", **asked)
    >>> [round(end, 3) for end in found.common_difference_bounds]
    [-0.169, -0.144]
    """
    asked, condition, filtered = _read_question(
        table, protected, where, (tolerance, confidence), (counts, rounded_to, hidden), (decision, favorable)
    )
    question = PartialQuestion(asked, filtered, tolerance, confidence)
    names = [strata] if isinstance(strata, str) else strata
    return question.within_strata(asked.table, condition, names, strata_cuts or {})


def _read_question(
    table: Table | pd.DataFrame,
    protected: Condition | str,
    where: Condition | str | None,
    settings: tuple[float, float],
    counts: tuple[str | WideCounts | Mapping[str, str] | None, int | None, Mapping[str, tuple[int, int]] | None],
    decided: tuple[str | None, object],
) -> tuple[PrintedTable, Condition, Condition | None]:
    """Return the table, who is protected, and the filter."""
    check_settings(*settings)
    table = as_table(table)
    named, rounded_to, hidden = counts
    if named is not None:
        refuse_weights(table)
        said = hidden_cells(hidden)
        table = count_cases(table, as_counts(named), rounded_to=rounded_to, hidden=said, as_printed=True)
    asked = PrintedTable.of(table, decision=decided[0], favorable=decided[1])
    condition = asked.table.condition(protected)
    if condition is None:
        raise InputError("'protected' must be a condition, got an empty text.", hint="Such as: sex = 'F'.")
    return asked, condition, asked.table.condition(where)
