"""More groups than a person can read: what is said of them, and which of them a report shows."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.errors import sure
from fairaudit.measure.results import ScoreComparison
from fairaudit.present import brief
from fairaudit.present.blocks import Table
from fairaudit.present.error_tables import with_group
from fairaudit.present.numbers import count_text
from fairaudit.present.words import listed


def many_groups_words(finding: ErrorsFinding) -> str:
    """Return a caution where a question about errors makes more groups than a person can read."""
    judged = finding.errors or sure(finding.scores)
    n = len(judged.groups)
    if n <= brief.MOST_GROUPS:
        return ""
    sizes = group_sizes(finding)
    few = ""
    if len(sizes) == n and sizes.notna().all():
        n_few = int((sizes < ENOUGH).sum())
        few = f" {_few(n_few, n)} fewer than {ENOUGH} rows, too few to compare a rate there." if n_few else ""
    remedy = "Put the values of a column, such as ages, into classes in your data first"
    if len(finding.plan.by) > 1:
        remedy = f"Choose fewer columns, or {remedy[:1].lower()}{remedy[1:]}"
    crossed = f"{listed(finding.plan.by)} {'makes' if len(finding.plan.by) == 1 else 'make'}"
    return f"{crossed} {count_text(n)} groups, more than anyone can read.{few} {remedy}."


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
    which = f"The {most} groups with most rows" if sizes.notna().all() else f"{most} of {count_text(n)} groups"
    if sizes.isna().any() and sizes.notna().any():
        which += ", those with most rows where that is shown"
    others = "the other one is" if n - most == 1 else f"the other {count_text(n - most)} are"
    sentence = f"{which}; {others} in the CSV files, which hold all."
    rows = tuple(row for row in table.rows if str(row[0]) in kept)
    return replace(table, rows=rows, note=f"{sentence} {table.note or ''}".rstrip())


def _sizes(frame: pd.DataFrame) -> pd.Series:
    return pd.Series(frame["n"].astype(float).to_numpy(), index=frame["group"].map(str))


def _few(n_few: int, n: int) -> str:
    if n_few == n:
        return "All of them have"
    return "One of them has" if n_few == 1 else f"{count_text(n_few)} of them have"
