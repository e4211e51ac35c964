"""Times until a decision, of which some cases still wait for one: medians by Kaplan and Meier, and the log-rank test.

Symbols, at each time t at which cases are closed: ``d`` cases closed, ``r`` cases that have waited at least as long.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from fairaudit.columns import Column
from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases
from fairaudit.data.engine import quoted
from fairaudit.data.given import documented
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.errors import InputError, quote
from fairaudit.findings import REST
from fairaudit.measure.bands import Part, counted, strata_parts
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.controlled import check_others, column_list, lacking, no_rows, protected_condition
from fairaudit.measure.grouping import check_group_count
from fairaudit.measure.intervals import two_sided_z
from fairaudit.measure.means import check_tolerance, proposed_tolerance
from fairaudit.measure.not_known import find_not_known, refuse_open
from fairaudit.measure.open_cases import TIMED, latest_day
from fairaudit.measure.results import ControlledWaiting, GroupWaiting, Interval
from fairaudit.measure.verdicts import Verdict, side_of, verdict_by

Floats = NDArray[np.float64]

# The share that still waits after each time, its median, and the test of two groups.


@dataclass(frozen=True)
class Waited:
    """The times of one group: at each, how many cases were closed, and how many still open had waited so long.

    Shapes: `times`, `closed`, `open` (n_times,), times ascending.
    """

    times: Floats
    closed: Floats
    open: Floats

    @classmethod
    def of(cls, times: Floats, is_open: NDArray[np.bool_], n: Floats) -> Waited:
        """Add up rows with the same time. Shapes: (n_rows,)."""
        values, place = np.unique(times, return_inverse=True)
        counts = [
            np.bincount(place, weights=np.where(part, n, 0.0), minlength=len(values)).astype(float)
            for part in (~is_open, is_open)
        ]
        return cls(values, *counts)

    @property
    def n(self) -> int:
        """Cases."""
        return int(self.closed.sum() + self.open.sum())

    @property
    def n_open(self) -> int:
        """Those that still wait."""
        return int(self.open.sum())

    @property
    def at_risk(self) -> Floats:
        """Cases that have waited at least as long as each time."""
        n = self.closed + self.open
        return np.cumsum(n[::-1])[::-1]

    def still_waiting(self) -> tuple[Floats, Floats]:
        """Return the share that still waits after each time, and Greenwood's sum ``d / (r (r - d))``, infinite at 0."""
        r, d = self.at_risk, self.closed
        with np.errstate(divide="ignore"):
            terms = np.where(d > 0, d / (r * (r - d)), 0.0)
        return np.cumprod(1 - d / r, dtype=float), np.cumsum(terms, dtype=float)

    def quantile(self, share: float) -> float:
        """Return the first time after which at most a share still waits; NaN where more do to the end."""
        return _first(self.times, self.still_waiting()[0], share)

    def median_interval(self, confidence: float) -> Interval:
        """Return the interval of the median: times at which the log-log interval of the share holds 1/2.

        Its upper end is infinite where even the last share's interval lies above 1/2.

        References
        ----------
        Brookmeyer and Crowley (1982); Kalbfleisch and Prentice (2002) on the log-log interval.
        """
        share, variance = self.still_waiting()
        inside = (share > 0) & (share < 1)
        logs = np.log(np.where(inside, share, 0.5))
        half = two_sided_z(confidence) * np.sqrt(np.where(inside, variance, 0.0)) / -logs
        low = np.where(inside, np.exp(logs * np.exp(half)), share)
        high = np.where(inside, np.exp(logs * np.exp(-half)), share)
        ends = _first(self.times, low, 0.5), _first(self.times, high, 0.5)
        return Interval(ends[0], math.inf if math.isnan(ends[1]) else ends[1])


def _first(times: Floats, shares: Floats, most: float) -> float:
    # In double precision, products of shares may miss one half by a rounding.
    below = np.flatnonzero(shares <= most + 1e-12)
    return float(times[below[0]]) if len(below) else math.nan


def log_rank(a: Waited, b: Waited) -> float:
    """Return the standardised log-rank statistic of two groups, above 0 where `a` is closed later; NaN without any.

    ``sum_t (e_a - d_a) / sqrt(sum_t v)`` with ``e_a = d r_a / r`` and ``v = d r_a r_b (r - d) / (r^2 (r - 1))``.

    References
    ----------
    Mantel (1966); Peto and Peto (1972).
    """
    return stratified_log_rank([(a, b)])


def stratified_log_rank(pairs: Iterable[tuple[Waited, Waited]]) -> float:
    """Return the same statistic of two groups in several strata: sums over times and strata; NaN without any.

    References
    ----------
    Mantel (1966); Peto and others (1977).
    """
    sums = np.array([_log_rank_sums(a, b) for a, b in pairs]).reshape(-1, 2).sum(axis=0)
    return float(sums[0] / math.sqrt(sums[1])) if sums[1] > 0 else math.nan


def _log_rank_sums(a: Waited, b: Waited) -> tuple[float, float]:
    times = np.union1d(a.times[a.closed > 0], b.times[b.closed > 0])
    (d_a, r_a), (d_b, r_b) = (_at(times, each) for each in (a, b))
    d, r = d_a + d_b, r_a + r_b
    with np.errstate(divide="ignore", invalid="ignore"):
        v = np.where(r > 1, d * r_a * r_b * (r - d) / (r**2 * (r - 1)), 0.0)
    return float((d * r_a / r - d_a).sum()), float(v.sum())


def _at(times: Floats, waited: Waited) -> tuple[Floats, Floats]:
    place = np.searchsorted(waited.times, times)
    known = place < len(waited.times)
    place = np.minimum(place, len(waited.times) - 1)
    d = np.where(known & (waited.times[place] == times), waited.closed[place], 0.0)
    return d, np.where(known, waited.at_risk[place], 0.0)


def gap_interval(a: Waited, b: Waited, confidence: float) -> Interval:
    """Return the interval of the difference of medians, from those of both; an end may be infinite.

    ``d - sqrt((m_a - l_a)^2 + (u_b - m_b)^2)`` to ``d + sqrt((u_a - m_a)^2 + (m_b - l_b)^2)``.

    References
    ----------
    Zou and Donner (2008).
    """
    of_a, of_b = (each.median_interval(confidence) for each in (a, b))
    return interval_of_medians(a.quantile(0.5), of_a, b.quantile(0.5), of_b)


def interval_of_medians(m_a: float, of_a: Interval, m_b: float, of_b: Interval) -> Interval:
    """Return the same from both medians and their intervals."""
    (l_a, u_a), (l_b, u_b) = of_a, of_b
    return Interval(m_a - m_b - math.hypot(m_a - l_a, u_b - m_b), m_a - m_b + math.hypot(u_a - m_a, m_b - l_b))


# From the rows of a table to the comparison of two groups.


@documented()
def check_waiting(
    table: object,
    *,
    decision: str,
    protected: Condition | str,
    open_when: Condition | str | None = None,
    open_since: str | None = None,
    open_until: datetime.date | None = None,
    where: Condition | str | None = None,
    strata: Sequence[str] = (),
    strata_cuts: Mapping[str, Sequence[float]] | None = None,
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
) -> ControlledWaiting:
    """Compare the median time that two groups wait for a decision, where some cases are still open.

    An open case counts as one that has waited so far: to leave it out makes long times rarer than they are. Where all
    cases are closed use :func:`fairaudit.measure.check_means`.

    Parameters
    ----------
    decision : str
        The column of times of closed cases.
    protected : Condition or str
        Who is protected.
    open_when : Condition or str, optional
        Which cases are open; without it, those that have no time.
    open_since : str, optional
        The column that holds how long open cases have waited so far, or the day on which waiting began: times are then
        in days. Without it, the time of an open case is the time so far.
    open_until : datetime.date, optional
        The day up to which cases were observed; without it, the last day in the table.
    strata : sequence of str
        Columns within whose values (crossed) the log-rank test is made once more, over all of them together.
    strata_cuts : mapping, optional
        Where columns of numbers among them are cut into bands, see :func:`fairaudit.check_strata`.
    tolerance : float, optional
        The largest difference that counts as alike, in the unit of the times; without it a tenth of the standard
        deviation of the times of closed cases, rounded to one digit.

    Returns
    -------
    ControlledWaiting
        Both medians with intervals, their difference, the log-rank test, and the verdict.

    Raises
    ------
    InputError
        If a column, condition or setting does not fit, or a time is below 0.
    GroupError
        If no row can be used, or a group has no case with a time.

    Notes
    -----
    One GROUP BY over the data. The verdict is that of the interval of the difference, as for means. Where a median or
    its range is not reached as too many cases are open, the log-rank test alone says whether there is a gap.

    References
    ----------
    Kaplan and Meier (1958); Brookmeyer and Crowley (1982); Zou and Donner (2008); Mantel (1966).

    Examples
    --------
    >>> days = [10, 20, 30, None, None, 5, 6, 7, 8, 9]
    >>> data = pd.DataFrame({"sex": list("FFFFFMMMMM"), "days": days, "so_far": [None] * 3 + [35, 40] + [None] * 5})
    >>> found = check_waiting(data, decision="days", protected="sex = 'F'", open_since="so_far")
    >>> found.protected.median, found.reference.median, found.protected.n_open
    (30.0, 7.0, 2)
    """
    check_settings(0.0, confidence)
    check_tolerance(tolerance)
    table = as_cases(table, decision=decision)
    if table.design is not None:
        raise InputError(
            "Times of open cases cannot be compared with sampling weights.",
            hint="Leave the weights out, or leave the open cases out and compare means.",
        )
    if (kind := table.column(decision).kind) != "number":
        raise InputError(
            f"Column {quote(decision)} must hold numbers, got {kind} values.", hint="Choose a column of times."
        )
    condition, within = protected_condition(table, protected), table.condition(where)
    opened, since = _open(table, decision, open_when), None if open_since is None else table.column(open_since)
    until = _until(table, since, open_until)
    by: dict[str, Part] = {"protected": condition, "time": decision, "open": opened}
    by |= {} if since is None else {"since": since.name}
    names = column_list(strata, "strata", table) if strata else ()
    keys = [str(place) for place in range(len(names))]
    by |= dict(zip(keys, strata_parts(table, names, strata_cuts), strict=True))
    counts = counted(partial(table.counts, where=within), by)
    if counts.empty:
        raise no_rows(table, within)
    is_empty = counts["time"].isna()
    counts["time"] = _times(counts, decision, since, until)
    known = counts["time"].notna()
    is_open = counts["open"].fillna(False).astype(bool)
    if counts.loc[is_open & known, "n"].sum() < TIMED * counts.loc[is_open, "n"].sum():
        raise InputError(
            "Cases that are still open have no time so far, so they cannot be counted.",
            hint="Name the column that holds it, or the day on which their waiting began: --open-since COLUMN, or "
            "open_since in Python and in a plan.",
        )
    masks = counts["protected"].fillna(False).astype(bool), ~counts["protected"].fillna(True).astype(bool)
    population, unknown = int(counts["n"].sum()), int(counts.loc[counts["protected"].isna(), "n"].sum())
    check_others(condition.in_words(), int(counts.loc[masks[0], "n"].sum()), population)
    groups, parts = [], []
    for mask, name in zip(masks, (condition.in_words(), REST), strict=True):
        rows = counts[mask & known]
        waited = Waited.of(rows["time"].to_numpy(float), is_open[rows.index].to_numpy(bool), rows["n"].to_numpy(float))
        if not waited.closed.sum():
            has = "no closed case with a time among"
            among = f"{has} {int(counts.loc[mask, 'n'].sum()):,} rows"
            raise lacking(None if name == REST else condition, among, f"{has} the rows looked at")
        parts.append(waited)
        without, empty = (int(counts.loc[mask & each, "n"].sum()) for each in (~known, is_empty))
        groups.append(replace(_group(waited, name, confidence), undecided=without, n_empty=empty))
    if tolerance is None:
        closed = counts[known & ~is_open & counts["protected"].notna()]
        tolerance = _proposed(closed["time"].to_numpy(float), closed["n"].to_numpy(float))
    compared = _compared(*parts, tolerance=tolerance, confidence=confidence)
    inside = math.nan
    if names:
        check_group_count(len(counts[keys].drop_duplicates()), names)
        inside = _within(counts[known & counts["protected"].notna()], is_open, keys)
    sizes = (groups[0].n, groups[1].n)
    return ControlledWaiting(
        protected=groups[0],
        reference=groups[1],
        difference=compared.difference,
        difference_interval=compared.interval,
        equivalence_interval=compared.inner,
        standardized_difference=math.nan,
        ratio=groups[0].median / groups[1].median if min(groups[0].median, groups[1].median) > 0 else math.nan,
        p_value=compared.p_value,
        tolerance=float(tolerance),
        confidence=confidence,
        within_tolerance=bool(abs(compared.difference) <= tolerance),
        verdict=compared.verdict,
        warnings=(),
        decision=decision,
        protected_condition=str(condition),
        where=None if within is None else str(within),
        n_population=population,
        n_filtered_out=table.n_rows - population,
        unknown=unknown,
        undecided=groups[0].undecided + groups[1].undecided,
        didi=math.nan,
        not_known=refuse_open(find_not_known(table, decision, where=within, protected=condition, sizes=sizes)),
        log_rank=compared.log_rank,
        open_when=str(opened),
        open_since=open_since,
        open_until=None if until is None else until.isoformat(),
        strata=tuple(names),
        log_rank_within=inside,
        p_value_within=_two_sided(inside),
    )


def _within(counts: pd.DataFrame, is_open: pd.Series, keys: list[str]) -> float:
    """Return the log-rank statistic of the protected group and everyone else over all strata together."""
    pairs = []
    for _, rows in counts.groupby(keys, dropna=False, sort=False):
        sides = [rows[rows["protected"].astype(bool) == side] for side in (True, False)]
        pairs.append(
            tuple(
                Waited.of(side["time"].to_numpy(float), is_open[side.index].to_numpy(bool), side["n"].to_numpy(float))
                for side in sides
            )
        )
    return stratified_log_rank((a, b) for a, b in pairs if len(a.times) and len(b.times))


def _two_sided(z: float) -> float:
    return float(2 * special.ndtr(-abs(z)))


def waiting_sql(table: Table, found: ControlledWaiting) -> str:
    """Return the one SELECT that the answer is worked out from."""
    by: list[str | Condition] = [Condition.parse(text, table) for text in (found.protected_condition, found.open_when)]
    by += [found.decision, *([] if found.open_since is None else [found.open_since])]
    return table.counts_sql(by, where=found.where)


@dataclass(frozen=True)
class _Gap:
    difference: float
    interval: Interval
    inner: Interval
    log_rank: float
    p_value: float
    verdict: Verdict


def _compared(a: Waited, b: Waited, *, tolerance: float, confidence: float) -> _Gap:
    difference, z = a.quantile(0.5) - b.quantile(0.5), log_rank(a, b)
    p_value = _two_sided(z)
    interval = gap_interval(a, b, confidence)
    inner = gap_interval(a, b, 2 * confidence - 1) if confidence > 0.5 else interval
    if math.isnan(interval.low) or math.isnan(interval.high):
        # Without a median of both, the test alone says whether there is a gap, and nothing how large it is.
        verdict = verdict_by("open", likely=p_value < 1 - confidence)
    else:
        side = side_of(interval, inner, tolerance)
        verdict = verdict_by(side, likely=interval.low > 0 or interval.high < 0)
    return _Gap(difference, _finite(interval), _finite(inner), z, p_value, verdict)


def _finite(interval: Interval) -> Interval:
    return Interval(*(end if math.isfinite(end) else math.nan for end in interval))


def _group(waited: Waited, name: str, confidence: float) -> GroupWaiting:
    low, middle, high = (waited.quantile(share) for share in (0.75, 0.5, 0.25))
    return GroupWaiting(
        name=name,
        n=waited.n,
        mean=math.nan,
        deviation=math.nan,
        interval=_finite(waited.median_interval(confidence)),
        quarter=low,
        median=middle,
        three_quarters=high,
        n_open=waited.n_open,
    )


def _proposed(times: Floats, n: Floats) -> float:
    mean = float(np.average(times, weights=n))
    rest = n.sum() - 1
    return proposed_tolerance(math.sqrt(float((n * (times - mean) ** 2).sum()) / rest)) if rest > 0 else 0.0


def _open(table: Table, decision: str, open_when: Condition | str | None) -> Condition:
    condition = table.condition(open_when)
    return Condition.parse(f"{quoted(decision)} IS NULL", table) if condition is None else condition


def _until(table: Table, since: Column | None, until: datetime.date | None) -> datetime.date | None:
    if since is None or not since.is_day:
        if until is not None:
            raise InputError(
                f"'open_until' is {until.isoformat()}, but no column of days says when waiting began.",
                hint="Name that column in 'open_since'.",
            )
        if since is not None and since.kind != "number":
            raise InputError(
                f"'open_since' must name a column of days or numbers, got {since.kind} values.",
                hint="Name the day on which waiting began, or the time so far.",
            )
        return None
    return until or latest_day(table)


def _times(counts: pd.DataFrame, decision: str, since: Column | None, until: datetime.date | None) -> pd.Series:
    """Return the time of each row: of open ones the time so far; refuse times below 0."""
    times = counts["time"].astype(float)
    is_open = counts["open"].fillna(False).astype(bool)
    if since is not None:
        if since.is_day:
            begun = pd.to_datetime(counts["since"]).dt.normalize()
            so_far = (pd.Timestamp(until) - begun).dt.days.astype(float)
        else:
            so_far = counts["since"].astype(float)
        times = times.where(~is_open, so_far)
    if (below := int(counts.loc[times < 0, "n"].sum())) or np.isinf(times).any():
        opened = bool((is_open & (times < 0)).any())
        what = "open cases that began after the last day observed" if opened else "times that are infinite or below 0"
        raise InputError(
            f"Column {quote(decision)} has {below:,} {what}.",
            hint="Say a later day in 'open_until'." if opened else "Correct these times, or leave the rows out.",
        )
    return times
