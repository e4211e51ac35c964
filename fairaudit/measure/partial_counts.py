"""Counts that are rounded or hidden: what every table that fits the printed cells has in common.

Shares, gap and intervals are bounds over all tables of numbers that the printed cells may stand for, and a verdict is
one that each of these tables has.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import pandas as pd

from fairaudit.columns import PartialReading, WideCounts, hidden_cells
from fairaudit.conditions import Condition
from fairaudit.data.case_counts import refuse_weights
from fairaudit.data.counted_rows import as_counts, count_cases, decision_made
from fairaudit.data.printed_counts import CountRange, cell_text, dots_mark_thousands, printed_cells, read_cell
from fairaudit.data.roles import Outcome, make_outcome
from fairaudit.data.table import Table, as_table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import REST
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.grouping import check_group_count, group_names, place_of, plain_value
from fairaudit.measure.intervals import FISHER_BELOW, two_sided_z
from fairaudit.measure.limits import within
from fairaudit.measure.results import (
    BoundsComparison,
    ControlledBounds,
    GroupBounds,
    GroupComparison,
    GroupRow,
    Interval,
)
from fairaudit.measure.verdicts import Verdict, side_of


@dataclass(frozen=True)
class PartialRow:
    """The numbers that the cells of one row may stand for; None where the table has no such column.

    Parameters
    ----------
    favorable, others, every : CountRange, optional
        Cases with the favourable result, without it, and all.
    """

    favorable: CountRange | None = None
    others: CountRange | None = None
    every: CountRange | None = None

    @property
    def is_possible(self) -> bool:
        """Whether there are numbers that fit: not more than all."""
        parts = [part for part in (self.favorable, self.others) if part is not None]
        return self.every is None or all(part.low <= self.every.high for part in parts)


def bounds_of(rows: Iterable[PartialRow], name: str = "") -> GroupBounds:
    """Return what is known of a group from its rows: bounds of its people, good outcomes and share, each exact.

    Notes
    -----
    With favourable cases f and others o the share F / (F + O) is smallest at the least f and most o, and largest the
    other way round. Where all cases a are printed, o = a - f, so that a takes its largest value for the smallest share
    and the smallest that holds the most f for the largest.
    """
    least_f = most_f = least_n = most_n = least_o = most_o = 0
    n_at_least = n_at_most = 0
    for row in rows:
        few, many = _decided(row)
        least_f, n_at_least = least_f + few[0], n_at_least + few[1]
        most_f, n_at_most = most_f + many[0], n_at_most + many[1]
        low, high = _people(row)
        least_n, most_n = least_n + low, most_n + high
        low, high = _others(row)
        least_o, most_o = least_o + low, most_o + high
    known = n_at_least > 0 and n_at_most > 0 and least_n > 0
    share = Interval(least_f / n_at_least, most_f / n_at_most) if known else Interval(math.nan, math.nan)
    ratio = share.low if share.low == share.high else math.nan
    return GroupBounds(
        name,
        n=least_n,
        most_n=most_n,
        positives=least_f,
        most_positives=most_f,
        others=least_o,
        most_others=most_o,
        ratio=ratio,
        interval=share,
    )


def _decided(row: PartialRow) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return favourable cases and people of the smallest share of a row, and of the largest."""
    f, o, a = row.favorable, row.others, row.every
    if a is None and f is not None and o is not None:
        return (f.low, f.low + o.high), (f.high, f.high + o.low)
    if f is not None and a is not None:
        everybody = max(a.low, min(f.high, a.high))
        return (f.low, a.high), (min(f.high, everybody), everybody)
    if o is None or a is None:
        raise InputError("A row of counts needs two of favourable cases, others and all.")
    everybody = max(a.low, min(o.high, a.high))
    return (everybody - min(o.high, everybody), everybody), (a.high - o.low, a.high)


def _people(row: PartialRow) -> tuple[int, int]:
    f, o, a = row.favorable, row.others, row.every
    if a is None and f is not None and o is not None:
        return f.low + o.low, f.high + o.high
    part = f or o
    if a is None or part is None:
        raise InputError("A row of counts needs two of favourable cases, others and all.")
    return max(a.low, part.low), a.high


def _others(row: PartialRow) -> tuple[int, int]:
    f, o, a = row.favorable, row.others, row.every
    if o is not None:
        return o.low, o.high if a is None else min(o.high, a.high)
    if a is None or f is None:
        raise InputError("A row of counts needs two of favourable cases, others and all.")
    return max(a.low - f.high, 0), a.high - f.low


def compare_partial(
    protected: Sequence[PartialRow],
    reference: Sequence[PartialRow],
    *,
    names: tuple[str, str] = ("the protected group", REST),
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
) -> BoundsComparison:
    """Compare two groups over every table that fits their rows; see :func:`check_partial_counts`."""
    check_settings(tolerance, confidence)
    p, r = bounds_of(protected, names[0]), bounds_of(reference, names[1])
    gap = Interval(p.interval.low - r.interval.high, p.interval.high - r.interval.low)
    cells = [
        part for row in (*protected, *reference) for part in (row.favorable, row.others, row.every) if part is not None
    ]
    nothing = Interval(math.nan, math.nan)
    interval, narrow = (_holding(p, r, gap, level) for level in (confidence, max(2 * confidence - 1, 0.0)))
    return BoundsComparison(
        protected=p,
        reference=r,
        difference=gap.low if gap.low == gap.high else math.nan,
        difference_interval=interval,
        equivalence_interval=narrow,
        impact_ratio=math.nan,
        impact_ratio_interval=nothing,
        four_fifths=None,
        z=math.nan,
        p_value=math.nan,
        test="z",
        tolerance=tolerance,
        confidence=confidence,
        within_tolerance=bool(within(abs(gap.low), tolerance) and within(abs(gap.high), tolerance)),
        verdict=_verdict(p, r, interval, narrow, tolerance),
        warnings=(),
        difference_bounds=gap,
        n_uncertain=sum(each.low < each.high for each in cells),
    )


def _verdict(p: GroupBounds, r: GroupBounds, interval: Interval, narrow: Interval, tolerance: float) -> Verdict:
    """Return the verdict that every table that fits has."""
    shares = (p.interval, r.interval)
    if not all(math.isfinite(end) for share in shares for end in share):
        return "too_few_to_tell"
    # Of a table in which all decisions are the same, nothing is said.
    if {share.low for share in shares} == {0.0} or {share.high for share in shares} == {1.0}:
        return "nothing_to_compare" if all(low == high for low, high in shares) else "too_few_to_tell"
    match side_of(interval, narrow, tolerance):
        case "within":
            return "no_gap_above_tolerance"
        case "beyond" if _is_large(p, r):
            return "clear_gap"
    return "too_few_to_tell"


def _holding(p: GroupBounds, r: GroupBounds, gap: Interval, confidence: float) -> Interval:
    """Return ends that Newcombe's interval of no table that fits leaves.

    Its lower end is p - r - sqrt((p - l)^2 + (u - r)^2). The first part is smallest at the smallest gap; Wilson's
    distances p - l and u - r shrink with n, so that each is largest at the fewest people and a share that fits.
    """
    if not (math.isfinite(gap.low) and math.isfinite(gap.high)):
        return Interval(math.nan, math.nan)
    down = math.hypot(_most_below(p.interval, p.n, confidence), _most_above(r.interval, r.n, confidence))
    up = math.hypot(_most_above(p.interval, p.n, confidence), _most_below(r.interval, r.n, confidence))
    return Interval(max(gap.low - down, -1.0), min(gap.high + up, 1.0))


def _most_below(share: Interval, n: float, confidence: float) -> float:
    """Return the largest distance from a share to the lower end of its Wilson interval.

    With c = z^2 / n it is (c p - c / 2 + sqrt(c p (1 - p) + c^2 / 4)) / (1 + c), which is concave in p and largest at
    p = (1 + sqrt(c)) / 2.
    """
    c = two_sided_z(confidence) ** 2 / n
    p = min(max((1 + math.sqrt(c)) / 2, share.low), share.high)
    return (c * p - c / 2 + math.sqrt(max(c * p * (1 - p), 0.0) + c * c / 4)) / (1 + c)


def _most_above(share: Interval, n: float, confidence: float) -> float:
    return _most_below(Interval(1 - share.high, 1 - share.low), n, confidence)


def _is_large(p: GroupBounds, r: GroupBounds) -> bool:
    """Say whether each table that fits is large enough for its intervals to decide alone, without an exact test."""
    good, others = p.positives + r.positives, p.others + r.others
    return min(p.n, r.n) * min(good, others) >= FISHER_BELOW * (p.most_n + r.most_n)


# A table of printed counts, asked about.


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
        """The rows as they are printed, with their columns of counts."""
        return self.table.without_counts

    @property
    def roles(self) -> dict[str, str]:
        """The columns of counts, by what of a row they count."""
        counts = self.table.source.options.counts
        if not isinstance(counts, WideCounts):
            return {"every": str(counts)}
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

    def rows(self, by: Mapping[str, str | Condition], where: Condition | None) -> list[PrintedRow]:
        """Return rows by columns and conditions; one of which no decision is known has none that is."""
        roles, printed = self.roles, self.printed
        keys: dict[str, str | Condition] = {f"by {name}": part for name, part in by.items()}
        if "every" in roles and len(roles) == 1:
            keys["good"] = self.outcome.condition
        cells = {f"cell {role}": column for role, column in roles.items()}
        marks = {column: dots_mark_thousands(printed_cells(printed, column)) for column in roles.values()}
        found = []
        for record in printed.counts({**keys, **cells}, where=where).to_dict("records"):
            ranges = {
                role: read_cell(self.reading, column, record[f"cell {role}"], dots_mark_thousands=marks[column])
                for role, column in roles.items()
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
            fewest = _people(row)[0] if row is not None else ranges["every"].low
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
        long = [self.outcome.condition] if len(self.roles) == 1 else []
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

        Verdicts allow for all groups by Bonferroni's method: one that each table that fits has so, it has by Holm's.
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
        level = 1 - (1 - self.confidence) / questions
        found = []
        for place in shown:
            others = [cell for key in keys if key != keys[place] for cell in cells[key]]
            others = others if base is None else cells[keys[base]]
            names = (labels[place], REST if base is None else labels[base])
            compared, allowing = (
                compare_partial(cells[keys[place]], others, names=names, tolerance=self.tolerance, confidence=each)
                for each in (self.confidence, level)
            )
            compared = replace(compared, verdict=allowing.verdict)
            values = tuple(zip(columns, keys[place], strict=True))
            found.append(GroupRow(values, compared, math.nan, compared.protected.n < min_count))
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
    table: Table | pd.DataFrame,
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
    table : Table or pandas.DataFrame
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
    check_settings(tolerance, confidence)
    table = as_table(table)
    if counts is not None:
        refuse_weights(table)
        said = hidden_cells(hidden)
        table = count_cases(table, as_counts(counts), rounded_to=rounded_to, hidden=said, as_printed=True)
    asked = PrintedTable.of(table, decision=decision, favorable=favorable)
    condition = asked.table.condition(protected)
    if condition is None:
        raise InputError("'protected' must be a condition, got an empty text.", hint="Such as: sex = 'F'.")
    return asked.compare(condition, asked.table.condition(where), tolerance, confidence)
