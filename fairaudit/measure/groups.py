"""Every group of a column, or of a crossing of columns, against the rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import REST
from fairaudit.measure import clusters
from fairaudit.measure.comparison import check_settings, compare_many, sides_at
from fairaudit.measure.controlled import last_key
from fairaudit.measure.grouping import check_group_count, group_names, place_of, plain_value
from fairaudit.measure.intervals import holm
from fairaudit.measure.not_known import answer_not_known
from fairaudit.measure.results import Comparison, GroupComparison, GroupRow
from fairaudit.measure.tally import TALLY, Question, column_list, sum_by
from fairaudit.measure.verdicts_of_many import SidesAt, by_holm


def check_groups(
    table: Any,
    *,
    decision: str,
    favorable: Any,
    columns: str | Sequence[str],
    where: Condition | str | None = None,
    reference: Any = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    min_count: int = ENOUGH,
    cluster: str | None = None,
) -> GroupComparison:
    """Compare each value of a column, or each crossing of several, with all other known rows or with one of them.

    For each group: ``share(group) - share(rest)``, with p-values and verdicts adjusted by Holm's method for the number
    of questions: one a group, and one in all where there are two groups without a reference. Intervals are not.
    `cluster` is that of :func:`fairaudit.check_controlled_fairness`.

    Examples
    --------
    >>> data = pd.DataFrame({"area": list("aabbcc"), "loan": ["yes", "no", "yes", "yes", "no", "no"]})
    >>> result = check_groups(data, decision="loan", favorable="yes", columns="area")
    >>> [(row.name, row.comparison.difference) for row in result.rows]
    [('a', 0.0), ('b', 0.75), ('c', -0.75)]
    """
    check_settings(tolerance, confidence)
    if isinstance(min_count, bool) or not isinstance(min_count, int) or min_count < 1:
        raise InputError(f"'min_count' must be an int of at least 1, got {min_count!r}.")
    question = Question.read(table, decision=decision, favorable=favorable, where=where)
    names = column_list(columns, "columns", question.table)
    by = names if cluster is None else (*names, question.table.column(cluster).name)
    full = question.tally(by)
    keys = list(range(len(names)))
    tally = full if cluster is None else sum_by(full, keys)
    known = tally[keys].notna().all(axis=1)
    groups, unknown = tally[known].reset_index(drop=True), int(tally.loc[~known, ["n", "undecided"]].to_numpy().sum())
    check_group_count(len(groups), names)
    labels = group_names(groups[keys]) if len(groups) else []
    if len(groups) < 2:
        found = f"only the group {quote(labels[0])}" if labels else "no group"
        raise GroupError(
            f"{', '.join(map(quote, names))} has {found} among the rows looked at ({unknown:,} unknown).",
            uncounted=f"{', '.join(map(quote, names))} has {found} among the rows looked at.",
            hint="Choose another column or a wider filter.",
        )
    base = None if reference is None else place_of(reference, labels)
    # Of two groups, each is the rest of the other: that is one question, asked twice.
    questions = 1 if base is None and len(groups) == 2 else None
    comparisons = _compare(groups, labels, base, tolerance, confidence)
    read: SidesAt[Comparison] = sides_at
    if cluster is not None:
        cells = _cells(full, groups[keys], base)
        comparisons = tuple(map(clusters.allowing_for_clusters, comparisons, cells))
        read = partial(clusters.sides_at, cells)
    comparisons = by_holm(comparisons, read, questions=questions)
    p_values = [c.p_value for c in comparisons]
    adjusted = p_values if questions == 1 else holm(p_values)
    values = [tuple(zip(names, map(plain_value, row), strict=True)) for row in groups[keys].itertuples(index=False)]
    shown = [i for i in range(len(groups)) if i != base]
    rows = tuple(
        GroupRow(values[i], comparison, float(p), comparison.protected.n < min_count)
        for i, comparison, p in zip(shown, comparisons, adjusted, strict=True)
    )
    return GroupComparison(
        columns=names,
        reference=None if base is None else labels[base],
        rows=rows,
        unknown=unknown,
        undecided=int(groups["undecided"].sum()),
        min_count=min_count,
        where=None if question.where is None else str(question.where),
        worst_pair=_worst_pair(groups, labels, min_count),
        not_known=answer_not_known(question.table, question.outcome, where=question.where, columns=names),
    )


def _compare(
    groups: pd.DataFrame, labels: list[str], base: int | None, tolerance: float, confidence: float
) -> tuple[Comparison, ...]:
    if base is None:
        mine, other, names = groups, groups[TALLY].sum() - groups[TALLY], [(label, REST) for label in labels]
    else:
        mine = groups.drop(index=base)
        other = pd.DataFrame([groups.loc[base, TALLY]] * len(mine))
        names = [(label, labels[base]) for i, label in enumerate(labels) if i != base]
    undecided = list(zip(mine["undecided"].tolist(), other["undecided"].tolist(), strict=True))
    return compare_many(
        mine["positives"].tolist(),
        mine["n"].tolist(),
        other["positives"].tolist(),
        other["n"].tolist(),
        names=names,
        undecided=undecided,
        tolerance=tolerance,
        confidence=confidence,
    )


def _cells(full: pd.DataFrame, groups: pd.DataFrame, base: int | None) -> list[clusters.Cells]:
    """Return the counts by cluster of each group that is compared and of what it is compared with."""
    keys = list(groups)
    known = full[full[keys].notna().all(axis=1)].reset_index(drop=True)
    place = known.merge(groups.assign(place=range(len(groups))), on=keys, how="left", validate="many_to_one")["place"]
    return [
        clusters.by_cluster(known, last_key(known), place == i, place != i if base is None else place == base)[0]
        for i in range(len(groups))
        if i != base
    ]


def _worst_pair(groups: pd.DataFrame, labels: list[str], min_count: int) -> tuple[str, str] | None:
    large = groups.index[groups["n"] >= min_count]
    if len(large) < 2:
        return None
    shares = groups.loc[large, "positives"] / groups.loc[large, "n"]
    ordered = shares.sort_values(ascending=False, kind="stable").index
    return labels[ordered[0]], labels[ordered[-1]]
