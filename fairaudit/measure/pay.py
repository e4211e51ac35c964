"""Gaps in pay between two groups of workers, as rules on equal pay define them: means, medians, shares, quarters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import pandas as pd
from scipy import special

from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.measure.grouping import group_names, plain_value
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import Interval

Statistic = Literal["mean", "median", "receiving", "quarter", "share", "workforce"]

QUARTERS: Final = ("lower", "lower middle", "upper middle", "upper")
"""The quarters of all workers by pay, from the lowest."""

NO_INTERVAL: Final = Interval(math.nan, math.nan)

_NO_FIGURE: float = None  # type: ignore[assignment]  # as where small counts are hidden

NOT_DISCLOSED: Final = "not disclosed"
"""What the row of the people is called whose group is not known."""

ROUNDING_OF_GAP: Final = 1e-9
"""A gap that far below a limit is at it: means of floating-point numbers may differ by less."""


@dataclass(frozen=True)
class PaySide:
    """The workers of one side of a row."""

    n: Hideable[int] = figure("Workers: with a number in the column, or in the quarter.")
    value: float = figure(
        "Their mean, their median, the share who receive the component, or their share of the quarter, category or "
        "workforce; NaN where there is nobody, None where they are too few for a figure."
    )
    deviation: float = figure("The standard deviation of a sample behind a mean; NaN for all else.")


@dataclass(frozen=True)
class PayRow:
    """One row of a table of pay."""

    values: tuple[tuple[str, object], ...] = setting(
        "The column and value of the category or group, several where groups are joined; empty for all workers."
    )
    name: str = setting("The same for people, or the quarter.")
    protected: PaySide = figure("The workers whose pay is compared, and those whose pay it is divided by.")
    reference: PaySide = figure(AS_ABOVE)
    gap: float = figure(
        "`(reference - protected) / reference` of means and medians, above 0 where the protected have less; the "
        "difference of shares of those who receive a component, reference less protected. NaN for quarters, and "
        "where one side has nobody or the reference has nothing."
    )
    interval: Interval = figure("95 % interval of a gap of means; NaN where there is none.")


@dataclass(frozen=True)
class PayTable:
    """One figure of a column of pay: of all workers, by category, or by quarter."""

    statistic: Statistic = setting("What the rows hold.")
    column: str = setting("The column of amounts.")
    columns: tuple[str, ...] = setting("What makes the two sides, and then the categories.")
    rows: tuple[PayRow, ...] = figure(
        "All workers in one row, the categories or groups in ascending order, or the four quarters."
    )
    n: Hideable[int] = figure("Workers of both sides in the table.")
    missing: Hideable[int] = figure("Workers of both sides, with a known category, who have no number in the column.")

    @property
    def has_relative_gap(self) -> bool:
        """Whether its gap is what one side lacks, as a share of what the other has: of means and medians."""
        return self.statistic in ("mean", "median")


def relative_gap(protected: float, reference: float) -> float:
    """Return how much less the protected have, as a share of what the reference has; NaN where that is not above 0.

    Examples
    --------
    >>> relative_gap(90.0, 100.0), relative_gap(110.0, 100.0)
    (0.1, -0.1)
    """
    return (reference - protected) / reference if reference > 0 else math.nan


def gap_interval(protected: PaySide, reference: PaySide, confidence: float = USUAL_CONFIDENCE) -> Interval:
    """Return the interval of a relative gap of two means.

    By the delta method on the logarithm of their ratio, ``Var = s1^2 / (n1 m1^2) + s2^2 / (n2 m2^2)``, with the degrees
    of freedom of Welch and Satterthwaite. NaN where a mean is not above 0 or the spread is not known.

    References
    ----------
    Welch (1947), Biometrika 34, for the degrees of freedom.
    """
    sides = (protected, reference)
    if not all(side.n > 1 and side.value > 0 for side in sides):
        return NO_INTERVAL
    parts = [(side.deviation / side.value) ** 2 / side.n for side in sides]
    if not sum(parts) > 0:
        return NO_INTERVAL
    freedom = sum(parts) ** 2 / sum(part**2 / (side.n - 1) for part, side in zip(parts, sides, strict=True))
    width = float(special.stdtrit(freedom, (1 + confidence) / 2)) * math.sqrt(sum(parts))
    ratio = protected.value / reference.value
    return Interval(1 - ratio * math.exp(width), 1 - ratio * math.exp(-width))


def pay_gaps(
    moments: pd.DataFrame,
    statistic: Literal["mean", "median"],
    *,
    column: str,
    columns: Sequence[str],
    category: str | None = None,
) -> PayTable:
    """Compare means or medians of two sides, of all workers or in each category.

    For a difference in the unit of the pay use :func:`fairaudit.measure.check_means`.

    Parameters
    ----------
    moments : DataFrame
        One row a side, or a category and side: ``protected`` (True or False), `category`, ``n``, ``missing``, ``mean``,
        ``variance``, ``median``.
    statistic : {"mean", "median"}
        What is compared.
    column, columns : str and sequence of str
        What the numbers and the groups are called in the result.
    category : str, optional
        The column of the frame that holds the category.

    Examples
    --------
    >>> frame = pd.DataFrame({"protected": [True, False], "n": [4, 5], "missing": [0, 1], "mean": [18.0, 20.0],
    ...                       "variance": [4.0, 9.0], "median": [18.0, 19.0]})
    >>> row = pay_gaps(frame, "mean", column="pay", columns=["sex"]).rows[0]
    >>> round(row.gap, 3), row.protected.n
    (0.1, 4)
    """
    parts: Iterable[tuple[object, pd.DataFrame]] = [(None, moments)]
    if category is not None:
        parts = moments[moments[category].notna()].groupby(category, sort=True, observed=True)
    rows = []
    for key, part in parts:
        protected, reference = (_side(part, side, statistic) for side in (True, False))
        if not protected.n and not reference.n:
            continue
        values, name = _category(columns, category, key)
        rows.append(
            PayRow(
                values=values,
                name=name,
                protected=protected,
                reference=reference,
                gap=relative_gap(protected.value, reference.value),
                interval=gap_interval(protected, reference) if statistic == "mean" else NO_INTERVAL,
            )
        )
    known = moments if category is None else moments[moments[category].notna()]
    n, missing = int(known["n"].sum()), int(known["missing"].sum())
    return PayTable(statistic, column, tuple(columns), tuple(rows), n, missing)


def without_rows(statistic: Statistic, column: str, columns: Sequence[str]) -> PayTable:
    """Return a table of which nothing can be known."""
    return PayTable(statistic, column, tuple(columns), (), 0, 0)


def receiving(counts: pd.DataFrame, *, column: str, columns: Sequence[str], category: str | None = None) -> PayTable:
    """Compare the shares of two sides who receive a component of pay: whose amount is above 0.

    Parameters
    ----------
    counts : DataFrame
        ``protected`` (True or False), `category`, ``receives`` (True, False, or missing without a number), ``n``.
    column, columns : str and sequence of str
        What the numbers and the groups are called in the result.
    category : str, optional
        The column of the frame that holds the category; a row for each in which somebody has a number.

    Examples
    --------
    >>> sides, receives = [True, True, False, False], [True, False, True, False]
    >>> frame = pd.DataFrame({"protected": sides, "receives": receives, "n": [1, 3, 3, 2]})
    >>> row = receiving(frame, column="bonus", columns=["sex"]).rows[0]
    >>> row.protected.value, row.reference.value, round(row.gap, 3)
    (0.25, 0.6, 0.35)
    """
    known = counts if category is None else counts[counts[category].notna()]
    there = known[known["receives"].notna()]
    parts: Iterable[tuple[object, pd.DataFrame]] = [(None, there)]
    if category is not None:
        parts = there.groupby(category, sort=True, observed=True)
    rows = []
    for key, part in parts:
        sides = []
        for side in (True, False):
            own = part[part["protected"] == side]
            n = int(own["n"].sum())
            got = int(own.loc[own["receives"].astype(bool), "n"].sum())
            sides.append(PaySide(n, got / n if n else math.nan, math.nan))
        protected, reference = sides
        values, name = _category(columns, category, key)
        if values and not protected.n and not reference.n:
            continue
        gap = reference.value - protected.value
        rows.append(PayRow(values, name, protected, reference, gap, NO_INTERVAL))
    n = int(there["n"].sum())
    return PayTable("receiving", column, tuple(columns), tuple(rows), n, int(known["n"].sum()) - n)


def shares_of_sides(
    counts: pd.DataFrame, *, column: str, columns: Sequence[str], category: str, missing: int
) -> PayTable:
    """Return which share of each category is of either side.

    Parameters
    ----------
    counts : DataFrame
        ``protected`` (True or False), `category` and ``n``, of workers with a number in the column of pay.
    column, columns : str and sequence of str
        What the numbers and the groups are called in the result.
    category : str
        The column of the frame that holds the category.
    missing : int
        Workers of both sides and a known category without a number.

    Examples
    --------
    >>> frame = pd.DataFrame({"protected": [True, False], "job": ["clerk", "clerk"], "n": [3, 1]})
    >>> table = shares_of_sides(frame, column="pay", columns=["sex", "job"], category="job", missing=0)
    >>> [(row.name, row.protected.value, row.reference.value) for row in table.rows]
    [('clerk', 0.75, 0.25)]
    """
    known = counts[counts[category].notna()]
    rows = []
    for key, part in known.groupby(category, sort=True, observed=True):
        n = [int(part.loc[part["protected"] == side, "n"].sum()) for side in (True, False)]
        if not sum(n):
            continue
        protected, reference = (PaySide(own, own / sum(n), math.nan) for own in n)
        values, name = _category(columns, category, key)
        rows.append(PayRow(values, name, protected, reference, math.nan, NO_INTERVAL))
    return PayTable("share", column, tuple(columns), tuple(rows), int(known["n"].sum()), missing)


# Groups of which a rule asks for one row each, and those of too few people.


def joined_groups(counts: Mapping[str, int], fewest: int) -> tuple[tuple[str, ...], ...]:
    """Return groups of people, those of fewer than `fewest` joined into one, which comes last.

    Where all these together are fewer still, the next larger group joins them: what the others lack to all people
    would show them.

    Parameters
    ----------
    counts : mapping of str to int
        People of each group.
    fewest : int
        From how many people on a group stands alone.

    Examples
    --------
    >>> joined_groups({"Asian": 40, "Black": 12, "Mixed": 6, "Other": 3}, fewest=10)
    (('Asian',), ('Black', 'Mixed', 'Other'))
    """
    small = _few({name: n for name, n in counts.items() if n}, fewest)
    alone = tuple((name,) for name in sorted(counts) if counts[name] and name not in small)
    return (*alone, tuple(sorted(small))) if small else alone


def workforce(counts: Mapping[str, int], unknown: int, *, column: str, columns: Sequence[str]) -> PayTable:
    """Return which share of all people each group is, and which share did not say.

    Parameters
    ----------
    counts : mapping of str to int
        People of each group, in the order of the rows.
    unknown : int
        People whose group is not known; they are the last row.
    column, columns : str and sequence of str
        What the numbers and the groups are called in the result.

    Examples
    --------
    >>> made = workforce({"White": 6, "Asian": 3}, 1, column="pay", columns=["ethnicity"])
    >>> [(row.name, row.protected.value) for row in made.rows]
    [('White', 0.6), ('Asian', 0.3), ('not disclosed', 0.1)]
    """
    total = sum(counts.values()) + unknown
    everybody = PaySide(total, 1.0 if total else math.nan, math.nan)
    rows = tuple(
        PayRow((), name, PaySide(n, n / total if total else math.nan, math.nan), everybody, math.nan, NO_INTERVAL)
        for name, n in (*counts.items(), (NOT_DISCLOSED, unknown))
    )
    return PayTable("workforce", column, tuple(columns), rows, total, 0)


def without_few(made: PayTable, fewest: int, *, own: str | None = None) -> PayTable:
    """Return a table without the figures of sides of fewer people than `fewest`.

    Of groups, further ones lose theirs until all that have none are that many: their mean would follow from that of
    all and of the others. Numbers of people stay.

    Parameters
    ----------
    made : PayTable
        The table; quarters are dropped as a whole.
    fewest : int
        From how many people on a side has a figure.
    own : {"protected", "reference"}, optional
        The side of the person who reads it, who knows what one of its people has: it must be one more.

    Examples
    --------
    >>> frame = pd.DataFrame({"protected": [True, False], "n": [4, 15], "missing": [0, 0], "mean": [18.0, 20.0],
    ...                       "variance": [4.0, 9.0], "median": [18.0, 19.0]})
    >>> [row] = without_few(pay_gaps(frame, "mean", column="pay", columns=["sex"]), 10).rows
    >>> row.protected.value, row.reference.value, row.gap
    (None, 20.0, None)
    """
    if made.statistic == "quarter":
        n = [sum(getattr(row, side).n for row in made.rows) for side in ("protected", "reference")]
        return made if min(n) >= fewest else replace(made, rows=())
    sizes = {str(i): row.protected.n for i, row in enumerate(made.rows) if row.protected.n}
    few = _few(sizes, fewest + (own == "protected")) if len(made.rows) > 1 else set()
    rows = []
    for i, row in enumerate(made.rows):
        is_few = (
            str(i) in few or 0 < row.protected.n < fewest + (own == "protected"),
            0 < row.reference.n < fewest + (own == "reference"),
        )
        protected, reference = (
            replace(side, value=_NO_FIGURE, deviation=math.nan) if held else side
            for side, held in zip((row.protected, row.reference), is_few, strict=True)
        )
        if any(is_few):
            row = replace(row, protected=protected, reference=reference, gap=_NO_FIGURE, interval=NO_INTERVAL)
        rows.append(row)
    return replace(made, rows=tuple(rows))


def _few(counts: Mapping[str, int], fewest: int) -> set[str]:
    """Return the groups of few people, with further ones until all of them are at least that many."""
    in_order = sorted(counts, key=lambda name: (counts[name], name))
    small = [name for name in in_order if counts[name] < fewest]
    for name in in_order[len(small) :]:
        if not small or sum(counts[each] for each in small) >= fewest:
            break
        small.append(name)
    return set(small)


def _category(columns: Sequence[str], category: str | None, key: object) -> tuple[tuple[tuple[str, object], ...], str]:
    """Return the value and the name of the row of a category; of all workers, where there are none."""
    if category is None:
        return (), "all workers"
    return ((columns[1], plain_value(key)),), group_names(pd.DataFrame([[key]]))[0]


def pay_quarters(counts: pd.DataFrame, *, column: str, columns: Sequence[str], missing: int) -> PayTable:
    """Divide the workers of two sides into four quarters by pay, and count both sides in each.

    The quarters are as equal as they can be: quarter k ends with worker ``ceil(k n / 4)``. Where workers with the same
    pay fall into several quarters, both sides are spread over these in proportion, in whole workers by the largest
    remainder; of equal remainders the lower quarter comes first.

    Parameters
    ----------
    counts : DataFrame
        ``pay``, ``protected`` (True or False), ``n``.
    column, columns : str and sequence of str
        What the numbers and the groups are called in the result.
    missing : int
        Workers of both sides without a number.

    References
    ----------
    The Equality Act 2010 (Gender Pay Gap Information) Regulations 2017, regulation 13.

    Examples
    --------
    >>> frame = pd.DataFrame({"pay": [10, 12, 12, 15], "protected": [True, True, False, False], "n": [2, 2, 2, 2]})
    >>> [row.protected.n for row in pay_quarters(frame, column="pay", columns=["sex"], missing=0).rows]
    [2, 1, 1, 0]
    """
    by_pay: dict[object, dict[bool, int]] = {}
    for pay, side, n in counts[["pay", "protected", "n"]].sort_values("pay").itertuples(index=False):
        by_pay.setdefault(pay, {True: 0, False: 0})[bool(side)] += int(n)
    total = sum(sum(sides.values()) for sides in by_pay.values())
    # ceil(k n / 4) in whole numbers
    ends = [(k * total + 3) // 4 for k in range(1, 5)]
    protected, size, before = [0] * 4, [0] * 4, 0
    for sides in by_pay.values():
        n = sum(sides.values())
        bounds = zip([0, *ends[:-1]], ends, strict=True)
        places = [max(0, min(end, before + n) - max(start, before)) for start, end in bounds]
        for k, (place, own) in enumerate(zip(places, _spread(sides[True], places), strict=True)):
            size[k], protected[k] = size[k] + place, protected[k] + own
        before += n
    rows = []
    for name, n, own in zip(QUARTERS, size, protected, strict=True):
        mine, others = (PaySide(part, part / n if n else math.nan, math.nan) for part in (own, n - own))
        rows.append(PayRow((), name, mine, others, math.nan, NO_INTERVAL))
    return PayTable("quarter", column, tuple(columns), tuple(rows), total, missing)


def _spread(n: int, places: Sequence[int]) -> list[int]:
    """Spread people over places in proportion, by the largest remainder; of equal ones the first."""
    total = sum(places)
    parts = [n * place // total for place in places]
    left = sorted(range(len(places)), key=lambda k: (-(n * places[k] % total), k))
    for k in left[: n - sum(parts)]:
        parts[k] += 1
    return parts


def _side(part: pd.DataFrame, side: bool, statistic: str) -> PaySide:
    rows = part[part["protected"] == side].to_dict("records")
    if not rows or not rows[0]["n"]:
        return PaySide(0, math.nan, math.nan)
    record: Mapping[str, float] = rows[0]
    deviation = math.nan
    if statistic == "mean" and not pd.isna(record["variance"]):
        deviation = math.sqrt(max(float(record["variance"]), 0.0))
    return PaySide(int(record["n"]), float(record[statistic]), deviation)
