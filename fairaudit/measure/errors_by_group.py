"""Error rates of a prediction by group, counted where the data are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.roles import Outcome
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_POSITIVE, Positive
from fairaudit.disclosure.fields import remarks
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.measure.comparison import check_settings, rows
from fairaudit.measure.gaps import gaps_from_counts
from fairaudit.measure.grouping import check_group_count, group_names
from fairaudit.measure.intervals import ratio, wilson
from fairaudit.measure.prediction_results import has_errors
from fairaudit.measure.rates import CELLS, PARTS, metrics_from_counts, parts_of, rows_in
from fairaudit.measure.results import ErrorComparison
from fairaudit.measure.tally import Question, column_list

ROWS_OF = {
    "truly positive": ("tpr", "the true positive and the false negative rate"),
    "truly negative": ("fpr", "the false positive and the true negative rate"),
    "predicted positive": ("ppv", "the shares right and wrong among predicted positive"),
    "predicted not positive": ("npv", "the shares right and wrong among predicted not positive"),
}
"""Rows that some rates are a share of: a rate with this denominator, and all such rates in words."""

REPEATS_DECISION = (
    "The prediction repeats the decision in every row: name as decision the column that says what truly happened."
)

MOST_NAMED = 20
"""Groups that a warning names."""


def check_errors(
    table: Any,
    *,
    decision: str,
    favorable: Any,
    prediction: Condition | str,
    by: str | Sequence[str],
    where: Condition | str | None = None,
    positive: Positive = USUAL_POSITIVE,
    confidence: float = USUAL_CONFIDENCE,
) -> ErrorComparison:
    """Compare the error rates of a prediction between groups.

    The decision column holds what truly happened, the prediction what was foretold. For rows in memory use
    :func:`fairaudit.group_metrics`; for a score without a cut :func:`fairaudit.measure.check_scores`.

    Notes
    -----
    One GROUP BY over the data. Undefined rates are NaN and named in ``warnings``.

    Examples
    --------
    >>> data = pd.DataFrame({"sex": list("FFMM"), "paid": [1, 0, 1, 0], "guess": [1, 1, 1, 0]})
    >>> result = check_errors(data, decision="paid", favorable=1, prediction="guess = 1", by="sex")
    >>> result.metrics["fpr"].to_dict()
    {'F': 1.0, 'M': 0.0}
    """
    check_settings(0, confidence)
    check_positive(positive)
    question = Question.read(table, decision=decision, favorable=favorable, where=where)
    predicted = question.table.condition(prediction)
    if predicted is None:
        raise InputError("'prediction' must be a condition, got an empty one.", hint="Write one such as: score >= 5.")
    names = column_list(by, "by", question.table)
    tally = question.tally([*names, predicted])
    counts = _cells(tally, names, positive)
    usable = int(counts[list(CELLS)].to_numpy().sum())
    if not usable:
        raise GroupError(
            f"None of {rows(int(counts['unknown'].sum()))} has both an outcome and a prediction.",
            uncounted="No row looked at has both an outcome and a prediction.",
            hint="Choose another prediction or a wider filter.",
        )
    return errors_from_counts(
        counts,
        positive=positive,
        positive_meaning=positive_meaning(question.outcome, positive),
        where=None if question.where is None else str(question.where),
        confidence=confidence,
    )


def errors_from_counts(
    counts: pd.DataFrame, *, positive: Positive, positive_meaning: str, where: str | None, confidence: float
) -> ErrorComparison:
    """Compare the error rates of groups from their counts."""
    return ErrorComparison(
        groups=tuple(counts["group"]),
        positive=positive,
        positive_meaning=positive_meaning,
        counts=counts,
        metrics=metrics_from_counts(counts),
        intervals=_intervals(counts, confidence),
        gaps=gaps_from_counts(counts, confidence=confidence),
        confidence=confidence,
        where=where,
        warnings=_warnings(counts),
    )


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


def _intervals(counts: pd.DataFrame, confidence: float) -> pd.DataFrame:
    parts = []
    for metric in PARTS:
        k, n = parts_of(metric, counts)
        low, high = wilson(k, n, confidence)
        part = {
            "group": counts["group"],
            "metric": metric,
            "value": ratio(k, n),
            "n": n,
            "low": low,
            "high": high,
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _warnings(counts: pd.DataFrame) -> tuple[str, ...]:
    sentences = [] if has_errors(counts) else [REPEATS_DECISION]
    n = pd.Series(rows_in(counts, CELLS), index=counts.index)
    sizes = pd.DataFrame({what: parts_of(metric, counts)[1] for what, (metric, _) in ROWS_OF.items()}, index=n.index)
    small = (n > 0) & (n < ENOUGH)
    if small.any():
        which = _named(
            [f"{quote(group)} ({size:,})" for group, size in zip(counts["group"][small], n[small], strict=True)]
        )
        sentences.append(f"Fewer than {ENOUGH} usable rows: {which}. Rates there are uncertain and not compared.")
    few = ((sizes > 0) & (sizes < ENOUGH)).loc[~small]
    few = few[few.any(axis=1)]
    if len(few):
        texts = [", ".join(f"{sizes.loc[i, what]} {what}" for what in few.columns[few.loc[i]]) for i in few.index]
        which = _named([f"{quote(counts.loc[i, 'group'])} ({text})" for i, text in zip(few.index, texts, strict=True)])
        sentences.append(f"Rates that are a share of fewer than {ENOUGH} rows are uncertain and not compared: {which}.")
    for what, (_, rates) in ROWS_OF.items():
        empty = counts.loc[(sizes[what] == 0) & (n > 0), "group"]
        if len(empty):
            sentences.append(f"{listed(empty)} no {what} row, so {rates} are not defined there.")
    unknown = int(counts["unknown"].sum())
    if unknown:
        sentences.append(f"{rows(unknown)} without an outcome or a prediction left out.")
    return remarks(sentences, reveals="figure")


def _named(groups: list[str]) -> str:
    more = len(groups) - MOST_NAMED
    return ", ".join(groups[:MOST_NAMED]) + (f" and {more:,} more groups" if more > 0 else "")


def listed(groups: pd.Series) -> str:
    """Begin a sentence about what some groups have."""
    if len(groups) == 1:
        return f"Group {quote(groups.iloc[0])} has"
    return f"{len(groups):,} groups ({', '.join(map(quote, groups[:3]))}{' …' if len(groups) > 3 else ''}) have"
