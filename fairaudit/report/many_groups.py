"""More groups than a person can read: what is said of them, and which of them a report shows."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.errors import sure
from fairaudit.findings import Argument, Count, Message, Word
from fairaudit.measure.results import ScoreComparison
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.present.blocks import Table
from fairaudit.present.error_tables import with_group


def say_many(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say that a question about errors makes more groups than a person can read; nothing where it does not."""
    judged = finding.errors or sure(finding.scores)
    n = len(judged.groups)
    if n <= brief.MOST_GROUPS:
        return ()
    columns = {"n": Count(n), "columns": Count(len(finding.plan.by))}
    many = Message("errors-many", columns, "caution")
    sizes = group_sizes(finding)
    n_few = int((sizes < ENOUGH).sum()) if len(sizes) == n and sizes.notna().all() else 0
    if not n_few:
        return (many,)
    few = {"few": Count(n_few), "least": Count(ENOUGH)}
    return (many, Message("errors-many-few", few, "caution", reveals=("errors", "scores")))


def group_sizes(finding: ErrorsFinding) -> pd.Series:
    """Return the rows of each group with a known decision and a prediction or score; NaN where that is hidden."""
    return score_sizes(sure(finding.scores)) if finding.errors is None else _sizes(with_group(finding.errors.metrics))


def score_sizes(scores: ScoreComparison) -> pd.Series:
    """Return the rows of each group with a known decision and a score; NaN where that is hidden."""
    return _sizes(scores.auc)


def some_groups(table: Table, sizes: pd.Series, most: int = brief.MOST_GROUPS) -> Table:
    """Return a table by group with the groups of most rows, and a note that says where the others are."""
    n = len(sizes)
    if n <= most:
        return table
    kept = set(sizes.sort_values(ascending=False, kind="stable", na_position="last").index[:most])
    which = "all" if sizes.notna().all() else "some" if sizes.notna().any() else "none"
    args: dict[str, Argument] = {"most": Count(most), "n": Count(n), "left": Count(n - most), "which": Word(which)}
    sentence = say(Message("annex-some-groups", args))
    rows = tuple(row for row in table.rows if str(row[0]) in kept)
    return replace(table, rows=rows, note=f"{sentence} {table.note or ''}".rstrip())


def _sizes(frame: pd.DataFrame) -> pd.Series:
    return pd.Series(frame["n"].astype(float).to_numpy(), index=frame["group"].map(str))
