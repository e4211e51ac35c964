"""Whether a gap changed between two periods, why, and whether it is the same over many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.conditions import Condition
from fairaudit.data.counting_sql import identifier
from fairaudit.data.table import Table, as_table
from fairaudit.errors import FairauditError, GroupError, InputError, quote
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.comparison_results import Comparison, ControlledFairness, Interval
from fairaudit.measure.controlled import controlled_from_tally, protected_condition, sides
from fairaudit.measure.grouping import check_group_count
from fairaudit.measure.intervals import Floats, holm, newcombe, two_sided_z
from fairaudit.measure.period_results import ChangeEvidence, PeriodComparison, PeriodLine
from fairaudit.measure.profiles import ProfileDifference, compare_profiles
from fairaudit.measure.tally import Question, column_list, sum_by

MOST_PERIODS = 200
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True)
class Span:
    """A period: a table, and which of its rows.

    Parameters
    ----------
    name : str
        What it is called.
    table : Table
        The data.
    where : Condition, optional
        Which rows; None for all.
    """

    name: str
    table: Table
    where: Condition | None = None


def compare_periods(
    table_before: Any,
    table_after: Any,
    *,
    decision: str,
    favorable: Any,
    protected: Condition | str,
    where: Condition | str | None = None,
    confidence: float = 0.95,
    strata: str | Sequence[str] = (),
    tolerance: float = 0.05,
) -> PeriodComparison:
    """Ask the same question of two tables, and say whether the gap changed.

    ``change = gap after - gap before``. A changed recording is not a changed treatment: look at ``profile`` first. For
    more than two periods use :func:`fairaudit.measure.periods.compare_spans`, which makes one test over all.

    Parameters
    ----------
    table_before, table_after : Table or DataFrame
        The data of the earlier and of the later period, with no person in both.
    decision : str
        The decision column.
    favorable : value, list of values or Condition
        What counts as the good outcome in it.
    protected : Condition or str
        Who is protected.
    where : Condition or str, optional
        Which rows are looked at.
    confidence : float
        Of the intervals, 0.5 or above and below 1.
    strata : str or sequence of str
        The columns whose values make the mix that the change is split by.
    tolerance : float
        The largest gap, and the largest change, that still counts as alike.

    Returns
    -------
    PeriodComparison
        Both answers, the change with its interval, what comes from mix and from rates, and the evidence.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit one of the tables, which it names.
    GroupError
        If a group has no row with a decision in one of them.

    Notes
    -----
    Kitagawa's split: with w the share of a group's rows in a stratum and r its share of good outcomes there, mix is the
    sum of ``(w_after - w_before) (r_before + r_after) / 2`` and rates that of ``(r_after - r_before) (w_before +
    w_after) / 2``, each for the protected group minus the rest. In a stratum that a group has in one period only, r of
    that period is taken for both. The interval of the change puts those of both gaps together; the parts have theirs by
    the delta method. Two GROUP BY, and two a column for the profile.

    References
    ----------
    Kitagawa (1955); Newcombe (1998); Zou and Donner (2008) on putting intervals together.

    Examples
    --------
    >>> men = [("M", "yes")] * 50 + [("M", "no")] * 50
    >>> before = pd.DataFrame(men + [("F", "yes")] * 30 + [("F", "no")] * 70, columns=["sex", "loan"])
    >>> after = pd.DataFrame(men + [("F", "yes")] * 40 + [("F", "no")] * 60, columns=["sex", "loan"])
    >>> found = compare_periods(before, after, decision="loan", favorable="yes", protected="sex = 'F'")
    >>> round(found.change, 3), found.evidence
    (0.1, 'inconclusive')
    """
    spans = (Span(BEFORE, as_table(table_before)), Span(AFTER, as_table(table_after)))
    question = {"decision": decision, "favorable": favorable, "protected": protected, "where": where}
    return compare_two(spans, **question, strata=strata, tolerance=tolerance, confidence=confidence)


def compare_two(
    spans: tuple[Span, Span],
    *,
    decision: str,
    favorable: Any,
    protected: Condition | str,
    where: Condition | str | None = None,
    strata: str | Sequence[str] = (),
    tolerance: float = 0.05,
    confidence: float = 0.95,
    cut_by: str | None = None,
) -> PeriodComparison:
    """Compare two periods; `cut_by` is the column that they were cut by."""
    check_settings(tolerance, confidence)
    chosen = (strata,) if isinstance(strata, str) else tuple(strata)
    asked = [_asked(span, decision, favorable, protected, where, chosen) for span in spans]
    answers = [a.answer(tolerance, confidence) for a in asked]
    names = (spans[0].name, spans[1].name)
    change = answers[1].difference - answers[0].difference
    outer, inner = (change_interval(answers, level) for level in (confidence, max(2 * confidence - 1, 0.0)))
    mix, rates = split_change([a.cells() for a in asked], confidence)
    if not chosen:
        mix, rates = (0.0, Interval(0.0, 0.0)), (change, outer)
    profile = _profile(spans, asked, cut_by)
    return PeriodComparison(
        names=names,
        before=answers[0],
        after=answers[1],
        change=change,
        change_interval=outer,
        equivalence_interval=inner,
        p_value=_p_value(answers, change),
        strata=chosen,
        mix=mix[0],
        mix_interval=mix[1],
        rates=rates[0],
        rates_interval=rates[1],
        tolerance=tolerance,
        confidence=confidence,
        evidence=_evidence(outer, inner, tolerance),
        profile=profile,
        warnings=tuple(f"{name}: {text}" for name, a in zip(names, answers, strict=True) for text in a.warnings),
    )


def compare_spans(
    spans: Sequence[Span],
    *,
    decision: str,
    favorable: Any,
    protected: Condition | str,
    where: Condition | str | None = None,
    tolerance: float = 0.05,
    confidence: float = 0.95,
    cut_by: str | None = None,
) -> PeriodLine:
    """Ask the same question in two or more periods, with one test over all that the gap is the same.

    One test keeps its error however many periods there are. Which period stands out is tested by Holm's method.

    Notes
    -----
    Cochran's test: ``Q = sum v_t^-1 (gap_t - gap)^2`` with one degree of freedom less than periods, and gap the mean
    weighted by ``v_t^-1``. The variances take the shares that the common gap gives, so that a period in which they
    happen to look small does not count too much.
    """
    check_settings(tolerance, confidence)
    if not 2 <= len(spans) <= MOST_PERIODS:
        raise InputError(f"There must be from 2 to {MOST_PERIODS} periods, got {len(spans)}.")
    asked = [_asked(span, decision, favorable, protected, where, ()) for span in spans]
    answers = [a.answer(tolerance, confidence) for a in asked]
    counts = np.array([[s.n for s in (a.protected, a.reference)] for a in answers], dtype=float)
    good = np.array([[s.positives for s in (a.protected, a.reference)] for a in answers], dtype=float)
    statistic, alone = homogeneity(good, counts)
    p_value = float(special.chdtrc(len(spans) - 1, statistic))
    names = tuple(span.name for span in spans)
    frame = pd.DataFrame(
        {
            "period": names,
            "gap": [a.difference for a in answers],
            "gap_low": [a.difference_interval.low for a in answers],
            "gap_high": [a.difference_interval.high for a in answers],
            "adjusted_p_value": holm(alone),
        }
    )
    return PeriodLine(
        names=names,
        answers=tuple(answers),
        statistic=statistic,
        p_value=p_value,
        confidence=confidence,
        changed=p_value < 1 - confidence,
        periods=frame,
        profile=_profile((spans[0], spans[-1]), (asked[0], asked[-1]), cut_by),
        warnings=tuple(f"{name}: {text}" for name, a in zip(names, answers, strict=True) for text in a.warnings),
    )


def spans_of(table: Any, column: str, cuts: Sequence[Any]) -> tuple[Span, ...]:
    """Cut a table by a column of dates or numbers: each span is from one cut on and below the next.

    Examples
    --------
    >>> table = pd.DataFrame({"year": [2023, 2024, 2025]})
    >>> [span.name for span in spans_of(table, "year", [2024, 2025])]
    ['before 2024', 'from 2024 to before 2025', 'from 2025']
    """
    table = as_table(table)
    kind = table.column(column).kind
    if kind not in ("date", "timestamp", "number"):
        raise InputError(
            f"Periods are cut by a column of dates or numbers; {quote(column)} holds {kind} values.",
            hint="Choose another column, or give the later period as a second table.",
        )
    if not cuts:
        raise InputError("Name at least one cut between the periods, got none.", hint="Such as 2024-01-01.")
    texts = [str(cut) for cut in cuts]
    if len(set(texts)) < len(texts):
        raise InputError(f"The cuts must differ, got {', '.join(texts)}.")
    name = identifier(column)
    values = texts if kind == "number" else [f"'{text}'" for text in texts]
    ends = [*zip([None, *values], [*values, None], strict=True)]
    spans = []
    for (low, high), (low_text, high_text) in zip(ends, zip([None, *texts], [*texts, None], strict=True), strict=True):
        parts = [f"{name} >= {low}"] * (low is not None) + [f"{name} < {high}"] * (high is not None)
        words = f"before {high_text}" if low is None else f"from {low_text}"
        words += f" to before {high_text}" if low is not None and high is not None else ""
        spans.append(Span(words, table, table.condition(" AND ".join(parts))))
    for span in spans:
        if not table.occurs(span.where):
            message = f"No row of column {quote(column)} is {span.name}."
            raise GroupError(message, uncounted=message, hint="Give the cuts in ascending order, within the data.")
    return tuple(spans)


@dataclass(frozen=True)
class _Asked:
    """The question, counted in one period."""

    span: Span
    question: Question
    protected: Condition
    strata: tuple[str, ...]
    tally: pd.DataFrame

    def answer(self, tolerance: float, confidence: float) -> ControlledFairness:
        try:
            tally = sum_by(self.tally, [0])
            return controlled_from_tally(tally, self.question, self.protected, tolerance, confidence)
        except GroupError as error:
            raise _in_period(self.span, error) from None

    def cells(self) -> pd.DataFrame:
        """Return one row a stratum with n and positives of both groups."""
        keys = [self.tally[k] for k in range(1, len(self.strata) + 1)]
        values = [key.astype(object).where(key.notna(), None) for key in keys]
        names = list(zip(*values, strict=True)) if values else [()] * len(self.tally)
        tally = self.tally.assign(stratum=pd.Series(names, index=self.tally.index, dtype=object))
        parts = []
        for mask in sides(tally):
            found = tally[mask].groupby("stratum", sort=False)[["n", "positives"]].sum()
            parts.append(found)
        return parts[0].add_suffix("_p").join(parts[1].add_suffix("_r"), how="outer").fillna(0)


def _asked(span: Span, decision: str, favorable: Any, protected: Any, where: Any, strata: tuple[str, ...]) -> _Asked:
    try:
        table = span.table
        within = table.condition(where)
        if span.where is not None:
            within = span.where if within is None else within & span.where
        question = Question.read(table, decision=decision, favorable=favorable, where=within)
        condition = protected_condition(question, protected)
        names = column_list(strata, "strata", table) if strata else ()
        tally = question.tally([condition, *names])
        if names:
            check_group_count(len(tally[list(range(1, len(names) + 1))].drop_duplicates()), names)
    except FairauditError as error:
        raise _in_period(span, error) from None
    return _Asked(span, question, condition, names, tally)


def _in_period(span: Span, error: FairauditError) -> FairauditError:
    """Return an error that says in which period the question cannot be asked."""
    where = f"In the period “{span.name}”: "
    if isinstance(error, GroupError):
        return GroupError(where + error.message, uncounted=where + error.uncounted, hint=error.hint)
    return InputError(where + error.message, hint=error.hint)


def change_interval(answers: Sequence[Comparison], confidence: float) -> Interval:
    """Put the intervals of both gaps together; both periods are independent."""
    ends = []
    for a in answers:
        low, high = newcombe(a.protected.positives, a.protected.n, a.reference.positives, a.reference.n, confidence)
        ends.append((float(a.difference - low), float(high - a.difference)))
    (before_down, before_up), (after_down, after_up) = ends
    change = answers[1].difference - answers[0].difference
    return Interval(
        max(change - math.hypot(after_down, before_up), -2.0), min(change + math.hypot(after_up, before_down), 2.0)
    )


def _p_value(answers: Sequence[ControlledFairness], change: float) -> float:
    """Return the largest p-value at which the interval of the change still holds no change."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        interval = change_interval(answers, 1 - middle)
        low, high = (middle, high) if interval.low <= 0 <= interval.high else (low, middle)
    return (low + high) / 2 if change else 1.0


def _evidence(outer: Interval, inner: Interval, tolerance: float) -> ChangeEvidence:
    if outer.low > 0 or outer.high < 0:
        return "supported_change"
    if -tolerance <= inner.low and inner.high <= tolerance:
        return "supported_same"
    return "inconclusive"


def split_change(
    periods: Sequence[pd.DataFrame], confidence: float
) -> tuple[tuple[float, Interval], tuple[float, Interval]]:
    """Return what of the change comes from the mix and what from the rates, each with its interval."""
    names = list(dict.fromkeys([*periods[0].index, *periods[1].index]))
    before, after = (period.reindex(names).fillna(0) for period in periods)
    values, variances = np.zeros(2), np.zeros(2)
    for sign, side in ((1, "p"), (-1, "r")):
        n = np.array([frame[f"n_{side}"].to_numpy(dtype=float) for frame in (before, after)])
        good = np.array([frame[f"positives_{side}"].to_numpy(dtype=float) for frame in (before, after)])
        found, spread = _split_of_group(n, good)
        values += sign * found
        variances += spread
    half = two_sided_z(confidence) * np.sqrt(variances)
    return tuple((float(v), Interval(float(v - h), float(v + h))) for v, h in zip(values, half, strict=True))


def _split_of_group(n: Floats, good: Floats) -> tuple[Floats, Floats]:
    """Return mix and rates of one group and their variances; shapes (2 periods, n_strata) -> (2,), (2,)."""
    size = n.sum(axis=1, keepdims=True)
    w = n / size
    r = np.divide(good, n, out=np.full(n.shape, np.nan), where=n > 0)
    r = np.where(np.isnan(r), r[::-1], r)
    r = np.where(np.isnan(r), 0.0, r)
    mean_r, mean_w, apart_w, apart_r = r.mean(axis=0), w.mean(axis=0), w[1] - w[0], r[1] - r[0]
    variance = np.zeros(2)
    # What a stratum's weight and share in one period move mix and rates by; then each row's part of both.
    for period, sign in ((0, -1.0), (1, 1.0)):
        own = n[period] > 0
        only = own & (n[1 - period] == 0)
        of_w = [sign * mean_r, apart_r / 2]
        # A share that stands for both periods moves the mix twice as much, and the rates not at all.
        of_r = [np.where(only, apart_w, apart_w / 2), np.where(only, 0.0, sign * mean_w)]
        inside = np.where(n[period] > 1, r[period] * (1 - r[period]) * n[period] / np.maximum(n[period] - 1, 1), 0.25)
        for i in range(2):
            centred = of_w[i] - w[period] @ of_w[i]
            variance[i] += w[period] @ centred**2 / size[period, 0]
            variance[i] += (of_r[i][own] ** 2 * inside[own] / n[period][own]).sum()
    return np.array([apart_w @ mean_r, apart_r @ mean_w]), variance


def homogeneity(good: Floats, n: Floats) -> tuple[float, Floats]:
    """Return Cochran's statistic that a gap is the same in all periods, and the p-value of each against the others.

    Shapes: (n_periods, 2) each; the p-values are (n_periods,).
    """
    share = good / n
    gap = share[:, 0] - share[:, 1]
    common = 0.0
    for _ in range(20):
        # Of both shares of a period those are taken that differ by the common gap and have the same mean.
        middle = ((good.sum(axis=1) - n[:, 0] * common) + 0.5) / (n.sum(axis=1) + 1)
        r = np.clip(middle, 0.5 / (n.sum(axis=1) + 1), 1 - 0.5 / (n.sum(axis=1) + 1))
        p = np.clip(r + common, 0.5 / (n.sum(axis=1) + 1), 1 - 0.5 / (n.sum(axis=1) + 1))
        variance = p * (1 - p) / n[:, 0] + r * (1 - r) / n[:, 1]
        new = float((gap / variance).sum() / (1 / variance).sum())
        if abs(new - common) < 1e-12:
            break
        common = new
    statistic = float(((gap - common) ** 2 / variance).sum())
    weight = 1 / variance
    others = ((gap * weight).sum() - gap * weight) / (weight.sum() - weight)
    z = (gap - others) / np.sqrt(variance + 1 / (weight.sum() - weight))
    return statistic, 2 * special.ndtr(-np.abs(z))


def _profile(spans: Sequence[Span], asked: Sequence[_Asked], cut_by: str | None) -> tuple[ProfileDifference, ...]:
    used = set(asked[0].protected.columns) | {asked[0].question.outcome.column, *asked[0].strata}
    if asked[0].question.where is not None:
        used |= set(asked[0].question.where.columns)
    return compare_profiles(
        spans[0].table,
        spans[1].table,
        used - {cut_by},
        where=(spans[0].where, spans[1].where),
        ignored=() if cut_by is None else (cut_by,),
    )
