"""From features, targets and groups to the problem that is searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import InputError
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.rules.literals import as_frame
from fairaudit.estimators.rules.sensitive import columns_that_reveal_groups, names_of_groups
from fairaudit.estimators.trees.discrimination import notes_on_groups
from fairaudit.estimators.trees.dtdi import dtdi_measure
from fairaudit.estimators.trees.problem import Limit, Measure, TreeProblem, didi_measure, floored, parity_limit
from fairaudit.estimators.trees.rows import TreeRows
from fairaudit.estimators.trees.settings import TreeSettings
from fairaudit.estimators.trees.split_candidates import Candidates, find_candidates
from fairaudit.findings import Message
from fairaudit.measure.grouping import Grouping
from fairaudit.messages import say

MANY_ROWS: Final = 10_000
"""From this many rows on, more splits do better on new rows, at depth 4."""

MOST_SPLITS_OF_MANY: Final = 60
"""So many, where the search for labels is exact without SCIP."""

MANY_CELLS: Final = 20_000
"""From this many different rows on, a search is likely to do all the work allowed, and says so."""


@dataclass(frozen=True, eq=False)
class Points:
    """Columns of numbers as linear splits and leaves weigh them: from 0 to 1 on the rows that are learned from.

    Parameters
    ----------
    columns : tuple of str
        Their names.
    lowest, spread : ndarray of float, shape (n_points,)
        What is taken away from each, and what it is divided by.
    values : ndarray of float, shape (n_rows, n_points)
        The numbers.
    """

    columns: tuple[str, ...]
    lowest: NDArray[np.float64]
    spread: NDArray[np.float64]
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reading:
    """Rows as a problem.

    Parameters
    ----------
    frame : DataFrame, shape (n_rows, n_features)
        The features, their names as texts.
    targets : ndarray of float, shape (n_rows,)
        Labels 0 and 1, or numbers.
    grouping : Grouping
        The groups of the rows.
    candidates : Candidates
        The splits.
    problem : TreeProblem
        What is asked, over the merged rows.
    near : DataFrame or None
        The features by which rows are near; None where DTDI was not asked for.
    points : Points or None
        Numbers for linear splits and leaves; None where they were not asked for.
    notes : tuple of str
        What should be known, as sentences.
    """

    frame: pd.DataFrame
    targets: NDArray[np.float64]
    grouping: Grouping
    candidates: Candidates
    problem: TreeProblem
    near: pd.DataFrame | None
    points: Points | None
    notes: tuple[str, ...]

    @property
    def size_in_words(self) -> str:
        """What will be searched, as a sentence for those who wait."""
        rows, n_splits = self.problem.rows, len(self.candidates.splits)
        return (
            f"Searching trees of depth {self.problem.max_depth}: {rows.n_rows:,} rows, {rows.n_cells:,} of which "
            f"differ in the {n_splits:,} splits"
        )


def read_problem(
    X: pd.DataFrame,
    targets: NDArray[np.float64],
    grouping: Grouping,
    asked: TreeSettings,
    *,
    use_sensitive: bool,
    floors: Floors | None = None,
) -> Reading:
    """Choose splits, merge rows and put together what is asked.

    Shapes: `X` (n_rows, n_features), `targets` (n_rows,).
    """
    frame = as_frame(X)
    candidates = find_candidates(
        frame,
        targets,
        grouping,
        max_depth=asked.max_depth,
        use_sensitive=use_sensitive,
        max_splits=_most_splits(asked, len(frame)),
    )
    notes = list(candidates.notes)
    points = None
    if asked.is_linear:
        points, left_out = _read_points(frame, () if use_sensitive else columns_that_reveal_groups(frame, grouping))
        if left_out:
            notes.append(say(Message("tree-note-not-weighed")))
    rows = TreeRows.merge(
        candidates.holds,
        grouping.codes,
        targets,
        names_of_groups(grouping),
        None if points is None else points.values,
    )
    near = None
    if "dtdi" in asked.measures:
        if asked.n_neighbors > len(frame):
            raise InputError(
                f"'n_neighbors' must be at most the number of rows, {len(frame):,}, got {asked.n_neighbors!r}."
            )
        revealing = set(columns_that_reveal_groups(frame, grouping))
        near = frame[[name for name in frame.columns if name not in revealing]]
        if not near.shape[1]:
            raise InputError("DTDI needs a column by which rows are near, besides those that tell the groups.")
    problem = TreeProblem(
        rows=rows,
        task=asked.task,
        max_depth=asked.max_depth,
        measures=tuple(_measure(name, rows, near, grouping, asked) for name in asked.measures),
        price=float(asked.fairness_weight),
        max_measure=None if asked.max_discrimination is None else float(asked.max_discrimination),
        limit=_limit(rows, asked) if floors is None else floored(_limit(rows, asked), rows, floors),
        min_leaf_size=asked.min_leaf_size,
        columns=candidates.columns,
        max_uses_per_feature=asked.max_uses_per_feature,
        max_features=asked.max_features,
    )
    if rows.n_cells >= MANY_CELLS:
        notes.append(
            f"The {rows.n_rows:,} rows make {rows.n_cells:,} different ones, so the search may do all the work that is "
            "allowed; no row is left out."
        )
    notes += notes_on_groups(grouping, asked.constraint, targets)
    return Reading(frame, targets, grouping, candidates, problem, near, points, tuple(notes))


def _most_splits(asked: TreeSettings, n_rows: int) -> int | None:
    """Return how many splits trees are made of, at most; None for as many as the depth says."""
    is_exact = asked.task == "classification" and asked.method != "scip" and not asked.beyond_frontier
    if asked.max_splits is None and asked.max_depth == 4 and is_exact and n_rows >= MANY_ROWS:
        return MOST_SPLITS_OF_MANY
    return asked.max_splits


def _limit(rows: TreeRows, asked: TreeSettings) -> Limit | None:
    if asked.constraint is None or rows.n_groups < 2:
        return None
    limit = parity_limit(rows, asked.constraint, asked.difference)
    return limit if len(limit.bounds) else None


def _measure(name: str, rows: TreeRows, near: pd.DataFrame | None, grouping: Grouping, asked: TreeSettings) -> Measure:
    if name == "didi":
        return didi_measure(rows, asked.task)
    return dtdi_measure(rows, near, grouping.codes, grouping.n_groups, asked.n_neighbors, asked.task)


def _read_points(frame: pd.DataFrame, revealing: tuple[str, ...]) -> tuple[Points, bool]:
    """Return the columns of numbers without a missing value, and whether others were left out."""
    numbers = [
        name
        for name in frame.columns
        if name not in set(revealing)
        and pd.api.types.is_numeric_dtype(frame[name].dtype)
        and not pd.api.types.is_bool_dtype(frame[name].dtype)
    ]
    columns = tuple(name for name in numbers if frame[name].notna().all() and frame[name].nunique() > 1)
    values = frame[list(columns)].to_numpy(dtype=np.float64).reshape(len(frame), len(columns))
    lowest = values.min(axis=0, initial=np.inf) if len(columns) else np.zeros(0)
    spread = values.max(axis=0, initial=-np.inf) - lowest if len(columns) else np.ones(0)
    lacking = any(frame[name].isna().any() for name in numbers)
    return Points(columns, lowest, spread, (values - lowest) / spread), lacking
