"""Whether a gap changed between two periods, why, and whether it is the same over many."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.columns import ORDERED_KINDS
from fairaudit.conditions import Condition
from fairaudit.conditions.literals import read_number, read_timestamp
from fairaudit.data.case_counts import as_cases
from fairaudit.data.counting_sql import identifier
from fairaudit.data.table import Table, as_table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.comparison_results import ControlledFairness, Interval, as_shares
from fairaudit.measure.intervals import holm
from fairaudit.measure.likely import moved_gap
from fairaudit.measure.mean_comparison import check_tolerance
from fairaudit.measure.mean_results import ControlledMeans
from fairaudit.measure.not_known import NotKnown, together
from fairaudit.measure.period_changes import (
    change_interval,
    homogeneity,
    homogeneity_of_means,
    p_value_of,
    split_change,
)
from fairaudit.measure.period_questions import Asked, Span, ask
from fairaudit.measure.period_results import ChangeVerdict, PeriodComparison, PeriodLine
from fairaudit.measure.profiles import ProfileDifference, compare_profiles
from fairaudit.messages import say

MOST_PERIODS = 200
_WITH_DOTS = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
_MONTH = re.compile(r"[12][0-9]{3}-(0[1-9]|1[0-2])")
BEFORE, AFTER = "before", "after"


def compare_periods(
    table_before: Any,
    table_after: Any,
    *,
    decision: str,
    favorable: Any = None,
    protected: Condition | str,
    where: Condition | str | None = None,
    confidence: float = USUAL_CONFIDENCE,
    strata: str | Sequence[str] = (),
    tolerance: float | None = None,
    cluster: str | None = None,
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
    favorable : value, list of values or Condition, optional
        What counts as the good outcome in it; without it the decision is an amount, and means are compared.
    protected : Condition or str
        Who is protected.
    where : Condition or str, optional
        Which rows are looked at.
    confidence : float
        Of the intervals, 0.5 or above and below 1.
    strata : str or sequence of str
        The columns whose values make the mix that the change is split by.
    tolerance : float, optional
        The largest gap, and the largest change, that still counts as alike; without it 0.05, or of amounts a tenth of
        the standard deviation of those of the earlier period.
    cluster : str, optional
        A column whose values hold rows that depend on each other, also where they are in both periods: all intervals
        then allow for that. Not for amounts.

    Returns
    -------
    PeriodComparison
        Both answers, the change with its interval, what comes from mix and from rates, and the verdict.

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
    w_after) / 2``, each for the protected group minus the rest; of amounts, r is their mean. In a stratum that a group
    has in one period only, r of that period is taken for both. The interval of the change puts those of both gaps
    together; the parts have theirs by the delta method. Two GROUP BY, and two a column for the profile.

    References
    ----------
    Kitagawa (1955); Newcombe (1998); Zou and Donner (2008) on putting intervals together.

    Examples
    --------
    >>> men = [("M", "yes")] * 50 + [("M", "no")] * 50
    >>> before = pd.DataFrame(men + [("F", "yes")] * 30 + [("F", "no")] * 70, columns=["sex", "loan"])
    >>> after = pd.DataFrame(men + [("F", "yes")] * 40 + [("F", "no")] * 60, columns=["sex", "loan"])
    >>> found = compare_periods(before, after, decision="loan", favorable="yes", protected="sex = 'F'")
    >>> round(found.change, 3), found.verdict
    (0.1, 'gap_may_not_have_changed')
    """
    before, after = (as_cases(table, decision=decision) for table in (table_before, table_after))
    spans = (Span(BEFORE, before), Span(AFTER, after))
    question = {"decision": decision, "favorable": favorable, "protected": protected, "where": where}
    return compare_two(spans, **question, strata=strata, tolerance=tolerance, confidence=confidence, cluster=cluster)


def compare_two(
    spans: tuple[Span, Span],
    *,
    decision: str,
    favorable: Any,
    protected: Condition | str,
    where: Condition | str | None = None,
    strata: str | Sequence[str] = (),
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
    cluster: str | None = None,
    cut_by: str | None = None,
) -> PeriodComparison:
    """Compare two periods; `cut_by` is the column that they were cut by."""
    _check(favorable, tolerance, confidence)
    chosen = (strata,) if isinstance(strata, str) else tuple(strata or ())
    question = {"decision": decision, "favorable": favorable, "protected": protected, "where": where}
    asked = [
        ask(span, **question, strata=chosen, tolerance=tolerance, confidence=confidence, cluster=cluster)
        for span in spans
    ]
    answers, clusters = [a.answer for a in asked], [a.clusters for a in asked]
    names = (spans[0].name, spans[1].name)
    change = answers[1].difference - answers[0].difference
    outer, inner = (change_interval(answers, level, clusters) for level in (confidence, max(2 * confidence - 1, 0.0)))
    if chosen:
        mix, rates = split_change([a.strata for a in asked], confidence, clusters)
    else:
        mix, rates = (0.0, Interval(0.0, 0.0)), (change, outer)
    return PeriodComparison(
        names=names,
        before=answers[0],
        after=answers[1],
        change=change,
        change_interval=outer,
        equivalence_interval=inner,
        p_value=p_value_of(answers, change, clusters),
        strata=chosen,
        mix=mix[0],
        mix_interval=mix[1],
        rates=rates[0],
        rates_interval=rates[1],
        tolerance=answers[0].tolerance,
        confidence=confidence,
        cluster=cluster,
        verdict=_verdict(answers[0], answers[1], outer, inner),
        profile=_profile(spans, asked, decision, cut_by),
        warnings=_warnings(names, asked),
        not_known=_not_known(asked),
    )


def compare_spans(
    spans: Sequence[Span],
    *,
    decision: str,
    favorable: Any,
    protected: Condition | str,
    where: Condition | str | None = None,
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
    cut_by: str | None = None,
) -> PeriodLine:
    """Ask the same question in two or more periods, with one test over all that the gap is the same.

    One test keeps its error however many periods there are. Which period stands out is tested by Holm's method.

    Notes
    -----
    Cochran's test: ``Q = sum v_t^-1 (gap_t - gap)^2`` with one degree of freedom less than periods, and gap the mean
    weighted by ``v_t^-1``. The variances take the shares that the common gap gives, so that a period in which they
    happen to look small does not count too much. Of amounts it is Welch's test, which allows for variances that are
    not known.
    """
    _check(favorable, tolerance, confidence)
    if not 2 <= len(spans) <= MOST_PERIODS:
        raise InputError(f"There must be from 2 to {MOST_PERIODS} periods, got {len(spans)}.")
    question = {"decision": decision, "favorable": favorable, "protected": protected, "where": where}
    asked = [ask(span, **question, tolerance=tolerance, confidence=confidence) for span in spans]
    answers = [a.answer for a in asked]
    sides = [(a.protected, a.reference) for a in answers]
    n = np.array([[side.n for side in pair] for pair in sides], dtype=float)
    if favorable is None:
        means, deviations = (np.array([[getattr(s, f) for s in pair] for pair in sides]) for f in ("mean", "deviation"))
        statistic, p_value, alone = homogeneity_of_means(n, means, deviations**2)
    else:
        shares = [(a.protected, a.reference) for a in map(as_shares, answers)]
        good = np.array([[side.positives for side in pair] for pair in shares], dtype=float)
        statistic, p_value, alone = homogeneity(good, n)
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
    unknown = (say(Message("doubt-no-spread")),)
    return PeriodLine(
        names=names,
        answers=tuple(answers),
        statistic=statistic,
        p_value=p_value,
        confidence=confidence,
        changed=p_value < 1 - confidence,
        periods=frame,
        profile=_profile((spans[0], spans[-1]), (asked[0], asked[-1]), decision, cut_by),
        warnings=_warnings(names, asked) + unknown * (p_value != p_value),
        not_known=_not_known(asked),
    )


def period_columns(table: Table, decision: str) -> tuple[str, ...]:
    """Return the columns that a table can be cut by into periods: never that of the decision."""
    return tuple(
        name
        for name, column in table.columns.items()
        if name != decision and (column.is_ordered or (not table.is_connected and holds_months(table, name)))
    )


def holds_months(table: Table, column: str) -> bool:
    """Say whether a column of texts holds months such as 2024-01 alone, which are in order as texts.

    Examples
    --------
    >>> holds_months(as_table(pd.DataFrame({"month": ["2024-01", "2023-12", None]})), "month")
    True
    """
    if table.column(column).kind != "text":
        return False
    known = [str(value) for value in table.common_values(column) if value is not None]
    return bool(known) and all(map(_MONTH.fullmatch, known))


def spans_of(table: Any, column: str, cuts: Sequence[Any]) -> tuple[Span, ...]:
    """Cut a table by a column of dates, months or numbers: each span is from one cut on and below the next.

    Examples
    --------
    >>> table = pd.DataFrame({"year": [2023, 2024, 2025]})
    >>> [span.name for span in spans_of(table, "year", [2024, 2025])]
    ['before 2024', 'from 2024 to before 2025', 'from 2025']
    """
    table = as_table(table)
    kind = table.column(column).kind
    is_month = holds_months(table, column)
    if kind not in ORDERED_KINDS and not is_month:
        raise InputError(
            f"Periods are cut by a column of dates, months or numbers; {quote(column)} holds {kind} values.",
            hint="Choose another column, or give the later period as a second table.",
        )
    texts = [str(cut) for cut in cuts]
    if kind != "number" and table.source.options.dates in (None, "day first"):
        texts = [year_first(text) for text in texts]
    if not texts:
        raise InputError("Name at least one cut between the periods, got none.", hint="Such as 2024-01-01.")
    read: Callable[[str], object] = _MONTH.fullmatch if is_month else read_timestamp
    read, what = (read_number, "a number") if kind == "number" else (read, "a day such as 2024-01-01")
    what = "a month such as 2024-01" if is_month else what
    # A month begins with its first day.
    days = kind != "number" and not is_month
    begins = [f"{text}-01" if days and _MONTH.fullmatch(text) else text for text in texts]
    for text, begin in zip(texts, begins, strict=True):
        # What is no number or day would be read as a condition.
        if read(begin.removeprefix("-")) is None:
            raise InputError(f"Each cut of column {quote(column)} must be {what}, got {quote(text)}.")
    if len(set(begins)) < len(begins):
        raise InputError(f"The cuts must differ, got {', '.join(texts)}.")
    name = identifier(column)
    values = texts if kind == "number" else [f"'{begin}'" for begin in begins]
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


def year_first(text: str) -> str:
    """Return a day that is written with dots, the day before the month, with the year first; any other text as it is.

    Examples
    --------
    >>> year_first("31.12.2024"), year_first("2024-12-31")
    ('2024-12-31', '2024-12-31')
    """
    found = _WITH_DOTS.fullmatch(text.strip())
    return f"{found[3]}-{found[2]:0>2}-{found[1]:0>2}" if found else text


def _check(favorable: Any, tolerance: float | None, confidence: float) -> None:
    """Refuse settings that do not fit a decision with a good outcome, or an amount."""
    if favorable is None:
        check_settings(0.0, confidence)
        check_tolerance(tolerance)
    else:
        check_settings(USUAL_TOLERANCE if tolerance is None else tolerance, confidence)


def _verdict(
    before: ControlledFairness | ControlledMeans,
    after: ControlledFairness | ControlledMeans,
    outer: Interval,
    inner: Interval,
) -> ChangeVerdict:
    if before.has_one_decision and after.has_one_decision:
        return "nothing_to_compare"
    if not (outer.low > 0 or outer.high < 0):
        is_same = -before.tolerance <= inner.low and inner.high <= before.tolerance
        return "gap_unchanged" if is_same else "gap_may_not_have_changed"
    return moved_gap(before, after)


def _warnings(names: Sequence[str], asked: Sequence[Asked]) -> tuple[str, ...]:
    said = []
    for name, answer in ((Phrase(name), a.answer) for name, a in zip(names, asked, strict=True)):
        if answer.undecided:
            said.append(Message("doubt-period-open", {"period": name, "n": Count(answer.undecided)}))
        said += [Message("doubt-period", {"period": name, "text": Phrase(text)}) for text in answer.warnings]
    return tuple(map(say, said))


def _not_known(asked: Sequence[Asked]) -> tuple[NotKnown, ...]:
    return together([(a.span.table, a.answer.not_known) for a in asked])


def _profile(
    spans: Sequence[Span], asked: Sequence[Asked], decision: str, cut_by: str | None
) -> tuple[ProfileDifference, ...]:
    return compare_profiles(
        spans[0].table,
        spans[1].table,
        set(asked[0].columns) - {cut_by},
        decision=decision,
        where=(spans[0].where, spans[1].where),
        ignored=() if cut_by is None else (cut_by,),
    )
