"""Error rates of a prediction by group, counted where the data are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.roles import AskedOf, Outcome
from fairaudit.data.unknown_values import is_no_group
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_POSITIVE, USUAL_TOLERANCE, Positive
from fairaudit.disclosure.said import remarks
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.measure.comparison import check_settings, rows, said_rows
from fairaudit.measure.controlled import AskedQuestion, column_list
from fairaudit.measure.grouping import check_group_count, group_names
from fairaudit.measure.intervals import Floats, equality_p_value, holm, newcombe, ratio, wilson
from fairaudit.measure.not_known import find_not_known, refuse_open
from fairaudit.measure.rates import CELLS, PARTS, gaps_from_counts, metrics_from_counts, parts_of, rows_in
from fairaudit.measure.results import ErrorComparison, Interval, has_errors
from fairaudit.measure.verdicts import Side, Verdict, verdict_by
from fairaudit.measure.verdicts_of_many import readings_by_holm
from fairaudit.measure.weighted import Drawn
from fairaudit.measure.weighted_rates import Parts, weighted_shares
from fairaudit.measure.weighted_shares import WeightedShares
from fairaudit.messages import say

ROWS_OF = {
    "truly-positive": "tpr",
    "truly-negative": "fpr",
    "predicted-positive": "ppv",
    "predicted-negative": "npv",
}
"""Rows that some rates are a share of, as messages name them, and a rate with this denominator."""

LEAST_EXPECTED, FEW_EXPECTED, MOST_FEW = 1.0, 5.0, 0.2
"""Cochran's rule: no expected count is below the first, and at most this share of them below the second."""

MOST_NAMED = 20
"""Groups that a warning names."""


@dataclass(frozen=True)
class RatePair:
    """Two groups and how far apart a rate is in them.

    Parameters
    ----------
    high, low : int
        The places of the group with the higher rate, and of the other one.
    difference : float
        The higher rate minus the lower one.
    interval, equivalence_interval : Interval
        Newcombe's of the difference, at `confidence` (1 - a) and at 1 - 2a, of this pair by itself.
    """

    high: int
    low: int
    difference: float
    interval: Interval
    equivalence_interval: Interval


@dataclass(frozen=True)
class RatesReading:
    """Whether a rate differs between groups: one test over all of them, then their pairs.

    Parameters
    ----------
    verdict : {"clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell"}
        Whether some pair is beyond the tolerance with all that fits; whether the rates are not all the same; whether
        all that fits each pair is within the tolerance.
    p_value : float
        Of one rate for all groups.
    apart : tuple of RatePair
        Pairs that differ, the clearest first: beyond the tolerance where there is a clear gap, beyond chance otherwise.
        Empty where the groups differ and it is open which.
    differ : tuple of RatePair
        All pairs that differ beyond chance, the clearest first.
    alike : tuple of frozenset of int
        The places of both groups of all pairs that are within the tolerance with all that fits, allowing for all pairs;
        where the verdict is that all are, every pair.
    widest : RatePair
        The pair whose interval at 1 - 2a reaches furthest, in either direction.
    """

    verdict: Verdict
    p_value: float
    apart: tuple[RatePair, ...]
    differ: tuple[RatePair, ...]
    alike: tuple[frozenset[int], ...]
    widest: RatePair


@documented()
def check_errors(
    table: object,
    *,
    outcome: str,
    favorable: object,
    prediction: Condition | str,
    by: str | Sequence[str],
    where: Condition | str | None = None,
    positive: Positive = USUAL_POSITIVE,
    confidence: float = USUAL_CONFIDENCE,
    tolerance: float = USUAL_TOLERANCE,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> ErrorComparison:
    """Compare the error rates of a prediction between groups.

    The decision column holds what truly happened, the prediction what was foretold. For rows in memory use
    :func:`fairaudit.group_metrics`; for a score without a cut :func:`fairaudit.measure.check_scores`.

    Parameters
    ----------
    outcome : str
        The column of what happened.
    prediction : Condition or str
        True where the good outcome is predicted, such as ``"score < 5"``.
    positive : {"favorable", "unfavorable"}
        Which outcome is called positive.

    Returns
    -------
    ErrorComparison
        Counts, rates with intervals, and gaps.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit.
    GroupError
        If no row meets the filter, or there are fewer than two groups with rows to compare.

    Notes
    -----
    One GROUP BY over the data. Undefined rates are NaN and named in ``warnings``. With sampling weights rates are
    weighted, their intervals have the rows that would be as sure if each counted once, and counts are those of rows;
    `design_strata` and `design_clusters` say from where the sample was drawn.

    Examples
    --------
    >>> data = pd.DataFrame({"sex": list("FFMM"), "paid": [1, 0, 1, 0], "guess": [1, 1, 1, 0]})
    >>> result = check_errors(data, outcome="paid", favorable=1, prediction="guess = 1", by="sex")
    >>> result.metrics["fpr"].to_dict()
    {'F': 1.0, 'M': 0.0}
    """
    check_settings(tolerance, confidence)
    check_positive(positive)
    table = as_weighted(
        table,
        decision=outcome,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    question = AskedQuestion.read_weighted(table, decision=outcome, favorable=favorable, where=where, cluster=None)
    predicted = table.condition(prediction)
    if predicted is None:
        raise InputError("'prediction' must be a condition, got an empty one.", hint="Write one such as: score >= 5.")
    names = column_list(by, "by", table)
    tally, sampled = question.tally([*names, predicted]), None
    cells = _cells(tally, names, positive)
    if question.drawn is not None:
        sampled = _weighted_rates(tally, cells, names, positive, question.drawn)
    usable = int(cells[list(CELLS)].to_numpy().sum())
    if not usable:
        raise GroupError(
            f"None of {rows(int(cells['unknown'].sum()))} has both an outcome and a prediction.",
            uncounted="No row looked at has both an outcome and a prediction.",
            hint="Choose another prediction or a wider filter.",
        )
    found = errors_from_counts(
        cells,
        positive=positive,
        positive_meaning=positive_meaning(question.outcome, positive),
        where=None if question.where is None else str(question.where),
        confidence=confidence,
        sampled=sampled,
    )
    named = refuse_open(
        find_not_known(table, question.outcome, where=question.where, columns=names, prediction=predicted)
    )
    asked = AskedOf(
        question.outcome.column, question.outcome, names, predicted, tolerance=tolerance, confidence=confidence
    )
    return replace(found, not_known=named, design=table.design, asked=asked)


def errors_from_counts(
    counts: pd.DataFrame,
    *,
    positive: Positive,
    positive_meaning: str,
    where: str | None,
    confidence: float,
    sampled: Mapping[str, WeightedShares] | None = None,
) -> ErrorComparison:
    """Compare the error rates of groups from their counts; rates of a sample with weights are given as `sampled`."""
    metrics = metrics_from_counts(counts)
    if sampled is not None:
        metrics = metrics.assign(**{name: shares.value for name, shares in sampled.items()})
    return ErrorComparison(
        groups=tuple(counts["group"]),
        positive=positive,
        positive_meaning=positive_meaning,
        counts=counts,
        metrics=metrics,
        intervals=_intervals(counts, confidence, sampled),
        gaps=gaps_from_counts(counts, confidence=confidence, sampled=sampled),
        confidence=confidence,
        where=where,
        warnings=_warnings(counts),
        sampled=sampled,
    )


def compare_rates(
    k: Sequence[int] | Floats,
    n: Sequence[int] | Floats,
    *,
    tolerance: float,
    confidence: float,
    questions: int = 1,
    sampled: WeightedShares | None = None,
) -> RatesReading:
    """Say whether a rate differs between groups, from what it counts and the rows that it is a share of.

    Rates of a sample with weights are given as `sampled`: what they are worth stands for those rows. Of several rates
    that are asked about together (`questions`), a gap is claimed at their part of the error.

    Notes
    -----
    The test over all groups is Pearson's chi-square; where expected counts are too small for it (Cochran's rule), the
    smallest p-value of all pairs, by Holm's method. Only where it rejects "one rate for all" are pairs separated, by
    Holm's method, too. That all pairs are alike needs no allowance for their number: each must be. Which of them are
    is read by Holm's method, as each claim may be false by itself. In a sample with weights Pearson's statistic of
    effective rows is read by F, and pairs by t of the linearised difference.

    References
    ----------
    Cochran (1954), "Some methods for strengthening the common chi-square tests"; Holm (1979); Rao and Scott (1981) on
    effective rows.

    Examples
    --------
    >>> compare_rates([191, 508, 408, 0], [1445, 3966, 5101, 38], tolerance=0.02, confidence=0.95).verdict
    'clear_gap'
    """
    k, n = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    if sampled is not None:
        k, n = sampled.value * sampled.n, sampled.n
    one, other = np.triu_indices(len(n), 1)
    turned = k[one] * n[other] < k[other] * n[one]
    high, low = np.where(turned, other, one), np.where(turned, one, other)
    counts = (k[high], n[high], k[low], n[low])
    error = (1 - confidence) / questions

    def gaps_at(level: float) -> tuple[Floats, Floats]:
        return newcombe(*counts, level) if sampled is None else sampled.gaps(high, low, level)

    wide, narrow = (gaps_at(level) for level in (confidence, max(2 * confidence - 1, 0.0)))
    # Only pairs whose interval leaves out zero can be separated; p-values of the others would only take time.
    leaves_out_zero = gaps_at(1 - error)[0] > 0
    p_values, tested = np.ones(len(high)), leaves_out_zero | (len(n) == 2)
    if sampled is None:
        p_values[tested] = equality_p_value(*(part[tested] for part in counts))
    else:
        p_values[tested] = sampled.p_values(high[tested], low[tested])
    adjusted = holm(p_values)
    freedom = math.inf if sampled is None else float(sampled.freedom.min())
    p_value = float(adjusted.min()) if len(n) == 2 else _one_rate_p_value(k, n, freedom)
    if math.isnan(p_value):
        p_value = float(adjusted.min())
    differ = (adjusted < error) & (leaves_out_zero)
    side: Side = "open"
    is_likely = False
    apart = found = np.zeros(len(high), dtype=bool)
    # Newcombe's interval is not even where groups differ in size: either end may reach further.
    furthest = np.maximum(np.abs(narrow[0]), np.abs(narrow[1]))
    if (furthest <= tolerance).all():
        side = "within"
    elif p_value < error and (len(n) > 2 or differ.all()):

        def reading_at(level: float) -> list[str]:
            return np.where(gaps_at(level)[0] > tolerance, "beyond", "open").tolist()

        clear = differ & (np.array(readings_by_holm(reading_at, len(high), 1 - error)) == "beyond")
        is_likely, found = True, differ
        side, apart = ("beyond", clear) if clear.any() else ("open", differ)

    within = np.full(len(high), side == "within")
    if side != "within":

        def place_at(level: float) -> list[str]:
            (low_end, _), inner = gaps_at(level), gaps_at(max(2 * level - 1, 0.0))
            inside = np.maximum(np.abs(inner[0]), np.abs(inner[1])) <= tolerance
            return np.where(inside, "within", np.where(low_end > tolerance, "beyond", "open")).tolist()

        within = np.array(readings_by_holm(place_at, len(high), 1 - error)) == "within"

    def pair(i: int) -> RatePair:
        ends = (Interval(float(bounds[0][i]), float(bounds[1][i])) for bounds in (wide, narrow))
        return RatePair(int(high[i]), int(low[i]), float(k[high[i]] / n[high[i]] - k[low[i]] / n[low[i]]), *ends)

    order = np.argsort(-wide[0], kind="stable")
    clearest, differing = (tuple(pair(int(i)) for i in order if which[i]) for which in (apart, found))
    verdict = verdict_by(side, likely=is_likely)
    alike = tuple(frozenset((int(high[i]), int(low[i]))) for i in np.flatnonzero(within))
    return RatesReading(verdict, p_value, clearest, differing, alike, pair(int(np.argmax(furthest))))


def compared_rows(rows: pd.DataFrame) -> list[Any]:
    """Return the rates that are shares of enough rows; where two others are left, without groups that are not known."""
    enough = [row for row in rows.dropna(subset=["value", "n"]).itertuples() if row.n >= ENOUGH]
    known = [row for row in enough if not is_no_group(str(row.group))]
    return known if len(known) > 1 else enough


def _one_rate_p_value(k: Floats, n: Floats, freedom: float) -> float:
    """Return the p-value of Pearson's test of one rate for all groups; NaN where expected counts are too small."""
    share = k.sum() / n.sum()
    expected = np.concatenate([n * share, n * (1 - share)])
    if expected.min() < LEAST_EXPECTED or (expected < FEW_EXPECTED).mean() > MOST_FEW:
        return float("nan")
    statistic = float(((k - n * share) ** 2 / (n * share * (1 - share))).sum())
    groups = len(n) - 1
    if math.isinf(freedom):
        return float(special.chdtrc(groups, statistic))
    return float(special.fdtrc(groups, freedom, statistic / groups))


def check_positive(positive: str) -> None:
    """Refuse anything but the two names of an outcome."""
    if positive not in get_args(Positive):
        raise InputError(f"'positive' must be one of {', '.join(map(repr, get_args(Positive)))}, got {positive!r}.")


def positive_meaning(outcome: Outcome, positive: Positive) -> str:
    """Say which outcome is called positive."""
    return outcome.meaning if positive == "favorable" else outcome.other_meaning


def _cells(tally: pd.DataFrame, names: tuple[str, ...], positive: Positive) -> pd.DataFrame:
    keys = list(range(len(names)))
    guess = tally[len(names)]
    good, bad = tally["positives"], tally["n"] - tally["positives"]
    if positive == "unfavorable":
        good, bad, guess = bad, good, ~guess
    yes, no = guess.fillna(False).astype(bool), (~guess).fillna(False).astype(bool)
    cells = tally[keys].assign(
        tp=good.where(yes, 0),
        fp=bad.where(yes, 0),
        tn=bad.where(no, 0),
        fn=good.where(no, 0),
        unknown=tally["undecided"] + tally["n"].where(guess.isna(), 0),
    )
    counts = cells.groupby(keys, dropna=False, sort=False).sum().reset_index()
    check_group_count(len(counts), names)
    counts.insert(0, "group", group_names(counts[keys]))
    return counts.drop(columns=keys)


def _weighted_rates(
    tally: pd.DataFrame, counts: pd.DataFrame, names: tuple[str, ...], positive: Positive, drawn: Drawn
) -> dict[str, WeightedShares]:
    """Return all rates of a sample with weights."""
    keys = tally[list(range(len(names)))]
    inside = keys.groupby(list(keys), dropna=False, sort=False).ngroup().to_numpy()[:, None] == np.arange(len(counts))
    guess = tally[len(names)]
    predicted, known = guess.fillna(False).to_numpy(dtype=bool), guess.notna().to_numpy()
    if positive == "unfavorable":
        predicted = ~predicted
    # The cells of cases without the good outcome, and of those with it.
    cells = [
        np.where(predicted, "tp" if truly else "fp", "fn" if truly else "tn")
        for truly in ((True, False) if positive == "unfavorable" else (False, True))
    ]
    rates = {}
    for name, (top, bottom) in PARTS.items():
        among, counted = ([np.isin(cell, named) for cell in cells] for named in (bottom, top))
        own = [(part & known)[:, None] & inside for part in among]
        parts = Parts((own[0], own[1]), (counted[0][:, None], counted[1][:, None]))
        rates[name] = weighted_shares(tally, parts, drawn)
    return rates


def _intervals(counts: pd.DataFrame, confidence: float, sampled: Mapping[str, WeightedShares] | None) -> pd.DataFrame:
    parts = []
    for metric in PARTS:
        k, n = parts_of(metric, counts)
        low, high = wilson(k, n, confidence) if sampled is None else sampled[metric].intervals(confidence)
        part = {
            "group": counts["group"],
            "metric": metric,
            "value": ratio(k, n) if sampled is None else sampled[metric].value,
            "n": n,
            "low": low,
            "high": high,
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _warnings(counts: pd.DataFrame) -> tuple[str, ...]:
    said = [] if has_errors(counts) else [Message("doubt-repeats-decision")]
    n = pd.Series(rows_in(counts, CELLS), index=counts.index)
    sizes = pd.DataFrame({what: parts_of(metric, counts)[1] for what, metric in ROWS_OF.items()}, index=n.index)
    few, names = Count(ENOUGH), counts["group"]
    small = (n > 0) & (n < ENOUGH)
    if small.any():
        which = [f"{quote(group)} ({size:,})" for group, size in zip(names[small], n[small], strict=True)]
        said.append(Message("doubt-few-usable", {"few": few, "groups": some_of(which)}))
    of_few = ((sizes > 0) & (sizes < ENOUGH)).loc[~small]
    which = []
    for i in of_few.index[of_few.any(axis=1)]:
        of = sizes.columns[of_few.loc[i]]
        parts = [Message(f"errors-rows-{what}", {"n": Count(int(sizes.loc[i, what]))}) for what in of]
        which.append(f"{quote(names[i])} ({', '.join(map(say, parts))})")
    if which:
        said.append(Message("doubt-few-of-rate", {"few": few, "groups": some_of(which)}))
    for what in ROWS_OF:
        empty = names[(sizes[what] == 0) & (n > 0)]
        if len(empty):
            said.append(Message(f"doubt-none-{what}", {"groups": some_of(list(map(quote, empty)))}))
    unknown = int(counts["unknown"].sum())
    if unknown:
        said.append(Message("doubt-no-outcome", {"rows": said_rows(unknown)}))
    return remarks(said)


def some_of(groups: Sequence[str]) -> Argument:
    """Return groups as a part of a message, the first few of many."""
    named, more = Phrase(", ".join(groups[:MOST_NAMED])), len(groups) - MOST_NAMED
    return Message("names-more", {"names": named, "n": Count(more)}) if more > 0 else named
