"""Counts that are rounded or hidden: what every table that fits the printed cells has in common.

Each printed cell stands for an interval of whole numbers: 45, rounded to 5, for 43 to 47, and "<5" for 1 to 4. Shares,
gap and intervals are bounds over all tables of such numbers, and a verdict is one that each of these tables has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from fairaudit.columns import WideCounts
from fairaudit.conditions import Condition
from fairaudit.data.case_counts import refuse_weights
from fairaudit.data.counted_rows import FEWEST_ROUNDED, as_counts
from fairaudit.data.table import Table, as_table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.intervals import FISHER_BELOW, two_sided_z
from fairaudit.measure.results import Interval
from fairaudit.measure.verdicts import Verdict

# From a printed cell to the numbers that it may stand for.

_WHOLE = re.compile(r"\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+|\d+(?:\.0+)?")
_OPEN = re.compile(r"[1-9]\d{0,2}\.000")
"""A number with three zeros as a fraction, or thousands: it is open which."""
_DOTTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_BELOW = re.compile(r"(?:<|less than|fewer than|under|below)\s*(\d+)", re.IGNORECASE)
_UP_TO = re.compile(r"(?:<=|≤|up to)\s*(\d+)|(\d+)\s+or\s+(?:fewer|less)", re.IGNORECASE)
MARKS = frozenset({"*", "**", "c", "[c]", "(c)", "x", "[x]", "s", "[s]", "...", "…", "..", "†", "#", "~"})
"""What offices print in place of a small number, without saying below which."""
USUAL_THRESHOLD = 5


@dataclass(frozen=True)
class CountRange:
    """The whole numbers that a cell may stand for, both ends included."""

    low: int
    high: int


@dataclass(frozen=True)
class PartialReading:
    """How cells that do not say their number are to be read.

    Parameters
    ----------
    rounded_to : int
        The number to whose multiples all others were rounded; 1 where none was.
    hidden : mapping of str to pair of int
        By text, the smallest and largest number that it may stand for.
    """

    rounded_to: int = 1
    hidden: Mapping[str, tuple[int, int]] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.rounded_to, bool) or not isinstance(self.rounded_to, int) or self.rounded_to < 1:
            raise InputError(f"'rounded_to' must be a whole number of at least 1, got {self.rounded_to!r}.")
        for text, ends in (self.hidden or {}).items():
            if len(ends) != 2 or any(int(end) != end for end in ends) or not 0 <= ends[0] <= ends[1]:
                raise InputError(
                    f"'hidden' must give two whole numbers from 0 for each text, the smaller first, got {ends} for "
                    f"{quote(text)}.",
                    hint='Such as hidden={"<5": (1, 4)}.',
                )

    def cell(self, value: object, *, dots_mark_thousands: bool = False) -> CountRange | None:
        """Return the numbers that a cell may stand for; None where it says no number and nothing was said of it.

        Whether 5.000 is five thousand, other cells of the column say; without them it says no number.

        Examples
        --------
        >>> PartialReading(5, {"<5": (1, 4)}).cell("45"), PartialReading(5, {"<5": (1, 4)}).cell("<5")
        (CountRange(low=43, high=47), CountRange(low=1, high=4))
        """
        text = _text(value)
        if text in (self.hidden or {}):
            low, high = (self.hidden or {})[text]
            return CountRange(int(low), int(high))
        if (number := _number(text, dots_mark_thousands)) is None:
            return None
        # Halves may have gone up or down.
        return CountRange(max(number - self.rounded_to // 2, 0), number + self.rounded_to // 2)


def _text(value: object) -> str:
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value).strip()


def _number(text: str, dots_mark_thousands: bool) -> int | None:
    if not _WHOLE.fullmatch(text) or (_OPEN.fullmatch(text) and not dots_mark_thousands):
        return None
    is_fraction = re.fullmatch(r"\d+\.0+", text) and not _OPEN.fullmatch(text)
    return int(re.sub(r"\D", "", text.split(".")[0] if is_fraction else text))


def _dots_mark_thousands(texts: Iterable[str]) -> bool:
    """Say whether a cell of a column has a dot that can only mark thousands, as in 9.500."""
    return any(_DOTTED.fullmatch(text) and not re.fullmatch(r"\d+\.000", text) for text in texts)


def propose_reading(table: Table, columns: tuple[str, ...]) -> PartialReading | None:
    """Return how cells of counts seem to be rounded and hidden, to be asked about; None where all are plain numbers.

    A text without a threshold of its own is proposed to hide what the lowest other threshold hides, else 1 to 4. Where
    a zero is printed, none is hidden.
    """
    by_column = [[_text(value) for value in table.common_values(column)] for column in columns]
    texts = [text for each in by_column for text in each]
    read = (_number(text, _dots_mark_thousands(each)) for each in by_column for text in each)
    numbers = [number for number in read if number is not None]
    hidden: dict[str, tuple[int, int]] = {}
    least = int(0 in numbers)
    unsaid = []
    for text in dict.fromkeys(texts):
        if below := _BELOW.fullmatch(text):
            hidden[text] = (min(least, int(below[1]) - 1), int(below[1]) - 1)
        elif up_to := _UP_TO.fullmatch(text):
            hidden[text] = (min(least, int(up_to[1] or up_to[2])), int(up_to[1] or up_to[2]))
        elif text.casefold() in MARKS:
            unsaid.append(text)
    highest = max((high for _, high in hidden.values()), default=USUAL_THRESHOLD - 1)
    hidden |= dict.fromkeys(unsaid, (least, highest))
    large = {number for number in numbers if number}
    rounded = 1
    if len(large) >= FEWEST_ROUNDED:
        rounded = next((base for base in (10, 5) if all(number % base == 0 for number in large)), 1)
    return PartialReading(rounded, hidden) if hidden or rounded > 1 else None


# What all tables that fit have in common.


@dataclass(frozen=True)
class PartialSide:
    """A group, as far as its counts are known.

    Parameters
    ----------
    n, positives : Interval
        The fewest and the most people, and good outcomes.
    share : Interval
        The smallest and the largest share of good outcomes; NaN where there may be nobody.
    """

    n: Interval
    positives: Interval
    share: Interval


@dataclass(frozen=True)
class PartialComparison:
    """Two groups whose counts are rounded or hidden, compared over every table that fits what is printed.

    Parameters
    ----------
    protected, reference : PartialSide
        The groups.
    difference : Interval
        The smallest and the largest gap, protected minus reference.
    difference_interval : Interval
        What holds the likely range of each of these gaps.
    verdict : str
        The verdict that every table has; "too_few_to_tell" where they differ or that cannot be shown.
    tolerance, confidence : float
        What was asked.
    n_uncertain : int
        Cells that may stand for more than one number.
    """

    protected: PartialSide
    reference: PartialSide
    difference: Interval
    difference_interval: Interval
    verdict: Verdict
    tolerance: float
    confidence: float
    n_uncertain: int

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        return asdict(self)


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


def bounds_of(rows: list[PartialRow]) -> PartialSide:
    """Return what is known of a group from its rows: bounds of its people, good outcomes and share, each exact.

    Notes
    -----
    With favourable cases f and others o the share F / (F + O) is smallest at the least f and most o, and largest the
    other way round. Where all cases a are printed, o = a - f, so that a takes its largest value for the smallest share
    and the smallest that holds the most f for the largest.
    """
    least_f = most_f = least_n = most_n = 0
    n_at_least = n_at_most = 0
    for row in rows:
        few, many = _decided(row)
        least_f, n_at_least = least_f + few[0], n_at_least + few[1]
        most_f, n_at_most = most_f + many[0], n_at_most + many[1]
        low, high = _people(row)
        least_n, most_n = least_n + low, most_n + high
    known = n_at_least > 0 and n_at_most > 0 and least_n > 0
    share = Interval(least_f / n_at_least, most_f / n_at_most) if known else Interval(math.nan, math.nan)
    return PartialSide(Interval(least_n, most_n), Interval(least_f, most_f), share)


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


def compare_partial(
    protected: list[PartialRow],
    reference: list[PartialRow],
    *,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
) -> PartialComparison:
    """Compare two groups over every table that fits their rows; see :func:`check_partial_counts`."""
    check_settings(tolerance, confidence)
    p, r = bounds_of(protected), bounds_of(reference)
    gap = Interval(p.share.low - r.share.high, p.share.high - r.share.low)
    alpha = 1 - confidence
    interval = _holding(p, r, gap, confidence)
    verdict: Verdict = "too_few_to_tell"
    if math.isfinite(gap.low) and math.isfinite(gap.high):
        equivalent = _holding(p, r, gap, 1 - 2 * alpha)
        if -tolerance <= equivalent.low and equivalent.high <= tolerance:
            verdict = "no_gap_above_tolerance"
        elif (interval.low > tolerance or interval.high < -tolerance) and _is_large(p, r):
            verdict = "clear_gap"
    cells = [
        part for row in (*protected, *reference) for part in (row.favorable, row.others, row.every) if part is not None
    ]
    return PartialComparison(
        p, r, gap, interval, verdict, tolerance, confidence, sum(each.low < each.high for each in cells)
    )


def _holding(p: PartialSide, r: PartialSide, gap: Interval, confidence: float) -> Interval:
    """Return ends that Newcombe's interval of no table that fits leaves.

    Its lower end is p - r - sqrt((p - l)^2 + (u - r)^2). The first part is smallest at the smallest gap; Wilson's
    distances p - l and u - r shrink with n, so that each is largest at the fewest people and a share that fits.
    """
    if not (math.isfinite(gap.low) and math.isfinite(gap.high)):
        return Interval(math.nan, math.nan)
    down = math.hypot(_most_below(p.share, p.n.low, confidence), _most_above(r.share, r.n.low, confidence))
    up = math.hypot(_most_above(p.share, p.n.low, confidence), _most_below(r.share, r.n.low, confidence))
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


def _is_large(p: PartialSide, r: PartialSide) -> bool:
    """Say whether each table that fits is large enough for its intervals to decide alone, without an exact test."""
    good = p.positives.low + r.positives.low
    others = max(p.n.low - p.positives.high, 0) + max(r.n.low - r.positives.high, 0)
    return min(p.n.low, r.n.low) * min(good, others) >= FISHER_BELOW * (p.n.high + r.n.high)


def check_partial_counts(
    table: Table | pd.DataFrame,
    *,
    counts: WideCounts | Mapping[str, str],
    protected: Condition | str,
    rounded_to: int = 1,
    hidden: Mapping[str, tuple[int, int]] | None = None,
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
) -> PartialComparison:
    """Compare two groups of a published table in which counts are rounded or hidden.

    Parameters
    ----------
    table : Table or pandas.DataFrame
        One row for each combination of its other columns, with the counts as they are printed.
    counts : mapping
        Two of ``{"favorable": ..., "others": ..., "all": ...}``, the columns of counts.
    protected : Condition or str
        Who is protected; all other rows with a known group are compared with them.
    rounded_to : int
        The number to whose multiples all counts were rounded, 1 if none was.
    hidden : mapping of str to pair of int, optional
        What a printed text may stand for, such as ``{"<5": (1, 4)}``.
    where : Condition or str, optional
        Only these rows.
    tolerance, confidence : float
        As for :func:`fairaudit.check_controlled_fairness`.

    Returns
    -------
    PartialComparison
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
    >>> print(f"{found.difference.low:.3f} to {found.difference.high:.3f}, {found.verdict}")
    -0.483 to -0.433, clear_gap
    """
    check_settings(tolerance, confidence)
    table, columns = as_table(table), as_counts(counts)
    refuse_weights(table)
    if not isinstance(columns, WideCounts):
        raise InputError("'counts' must name two columns here.", hint='Such as {"favorable": "a", "all": "b"}.')
    reading = PartialReading(rounded_to, hidden)
    for name in columns.columns:
        table.column(name)
    condition = table.condition(protected)
    if condition is None:
        raise InputError("'protected' must be a condition, got an empty text.", hint="Such as: sex = 'F'.")
    cells = {f"cell {place}": name for place, name in enumerate(columns.columns)}
    found = table.counts({"side": condition, **cells}, where=where)
    dotted = {
        name: _dots_mark_thousands(_text(value) for value in table.common_values(name)) for name in columns.columns
    }
    sides: dict[bool, list[PartialRow]] = {True: [], False: []}
    for side, *values, n in found.itertuples(index=False):
        if side is pd.NA:
            continue
        named = dict(zip(columns.roles, zip(columns.columns, values, strict=True), strict=True))
        sides[bool(side)] += [_read_row(reading, named, dotted)] * int(n)
    for inside, rows in sides.items():
        if not rows:
            who = "is" if inside else "is not"
            raise GroupError(f"There is no row that {who} in the protected group.", hint="Choose another condition.")
    return compare_partial(sides[True], sides[False], tolerance=tolerance, confidence=confidence)


def _read_row(
    reading: PartialReading, named: Mapping[str, tuple[str, object]], dotted: Mapping[str, bool]
) -> PartialRow:
    ranges = {}
    for role, (column, value) in named.items():
        if (cell := reading.cell(value, dots_mark_thousands=dotted[column])) is None:
            text = _text(value)
            if _OPEN.fullmatch(text):
                whole, thousands = text.split(".")[0], text.replace(".", "")
                raise InputError(
                    f"Column {quote(column)} has {quote(text)}, which may be {whole} or {thousands}, as no other cell "
                    "of it says what a dot is.",
                    hint=f"Say it: hidden={{{quote(text)}: ({thousands}, {thousands})}}; or write it without the dot.",
                )
            printed = quote(text) if text else "an empty cell"
            raise InputError(
                f"Column {quote(column)} must hold whole numbers, or texts of which is said what they hide, got "
                f"{printed}.",
                hint=f"Say it: hidden={{{quote(text)}: (1, 4)}}; or leave these rows out.",
            )
        ranges["every" if role == "all" else role] = cell
    row = PartialRow(**ranges)
    if not row.is_possible:
        shown = ", ".join(f"{quote(column)} {quote(_text(value))}" for column, value in named.values())
        raise InputError(
            f"No numbers fit a row with {shown}: a part is larger than all.", hint="Correct the row, or what is hidden."
        )
    return row
