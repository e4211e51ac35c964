"""Whether similar people are treated alike: the index of disparate treatment, and how often a person's group counts.

For a row i, with the rows near it in all features that do not reveal the groups::

    difference = mean prediction of the rows near i in the group of i - mean prediction of all rows near i
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.measure.indices import MAX_LEVELS, Neighborhoods, Task, didi, neighborhoods_of
from fairaudit.study.rows import known_groups, part_rows

MOST_ROWS: Final = 5_000
"""More rows than this are drawn from: each is compared with all others."""

EDGES: Final = np.round(np.arange(-10, 11) / 10, 1)
"""The ends of the bins that differences are counted in."""

ROUNDING_OF_MEANS: Final = 1e-9
"""Means that differ by less are the same."""

SIMILAR_COLUMNS: Final = ("model", "low", "high", "n", "share")
ALIKE_COLUMNS: Final = ("model", "group", "n", "n_alike", "share")

Predicted = NDArray[np.int64] | NDArray[np.float64]
"""Predictions of labels or amounts."""


@dataclass(frozen=True, eq=False)
class SimilarRows:
    """Rows, and who is near whom among them.

    Parameters
    ----------
    rows : ndarray of int
        Places of the rows: all that were given, or some that were drawn.
    groups : ndarray of str
        The group of each.
    names : tuple of str
        The groups.
    sampled : bool
        Whether they were drawn.
    near : Neighborhoods or None
        None where there is no feature by which rows are near, or no row.
    """

    rows: NDArray[np.int64]
    groups: NDArray[np.object_]
    names: tuple[str, ...]
    sampled: bool
    near: Neighborhoods | None

    @classmethod
    def of(
        cls,
        X: pd.DataFrame,
        rows: NDArray[np.int64],
        groups: NDArray[np.object_],
        names: tuple[str, ...],
        *,
        n_neighbors: int,
        seed: int,
    ) -> SimilarRows:
        """Find who is near whom.

        Shapes: `X` (n, n_features), `groups` (n,).
        """
        sampled = len(rows) > MOST_ROWS
        if sampled:
            rows = np.sort(np.random.default_rng(seed).choice(rows, MOST_ROWS, replace=False))
        frame = X.iloc[rows]
        near = None
        if len(rows):
            kept = [name for name in frame.columns if _is_comparable(frame[name])]
            if kept:
                near = neighborhoods_of(frame[kept], len(rows), min(n_neighbors, len(rows)))
        return cls(rows, groups[rows], names, sampled, near)

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """Near rows of each group, for each distinct row, shape (n_patterns, n_groups)."""
        return self._summed(np.ones(len(self.rows)))

    @property
    def compared(self) -> NDArray[np.bool_]:
        """Whether each row has similar people in more than one group, shape (n_rows,)."""
        if self.near is None:
            return np.zeros(len(self.rows), dtype=bool)
        return ((self.sizes > 0).sum(axis=1) > 1)[self.near.pattern]

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Whether each row has a similar person in each group, shape (n_rows,)."""
        if self.near is None:
            return np.zeros(len(self.rows), dtype=bool)
        return np.all(self.sizes > 0, axis=1)[self.near.pattern]

    def didi(self, h: Predicted, task: Task = "classification") -> float:
        """Return DIDI of predictions for these rows; NaN without rows."""
        return didi(h, sensitive_features=self.groups, task=task) if len(self.rows) else float("nan")

    def dtdi(self, h: Predicted, task: Task = "classification") -> float:
        """Return DTDI of predictions for these rows, divided by rows and groups; NaN where nobody is near."""
        if self.near is None:
            return float("nan")
        gaps = np.abs(self._differences(h)).sum(axis=1) @ self.near.times
        # Both labels count, and differ by as much.
        labels = 2 if task == "classification" else 1
        return float(labels * gaps / (len(self.rows) * len(self.names)))

    def index(self, name: str | None, h: Predicted, task: Task = "classification") -> float:
        """Return the index that a tree is priced or bounded by, DTDI where both are; NaN where none is."""
        if name is None:
            return float("nan")
        return self.didi(h, task) if name == "didi" else self.dtdi(h, task)

    def own(self, h: Predicted) -> NDArray[np.float64]:
        """Return for each row how differently those of its own group are treated, shape (n_rows,); NaN if nobody is."""
        if self.near is None:
            return np.full(len(self.rows), np.nan)
        place = {name: number for number, name in enumerate(self.names)}
        codes = np.array([place[name] for name in self.groups], dtype=np.int64)
        return self._differences(h)[self.near.pattern, codes]

    def _differences(self, h: Predicted) -> NDArray[np.float64]:
        """Return the mean near each distinct row in each group less that of all; 0 where the group has nobody near."""
        sums = self._summed(h.astype(float))
        overall = sums.sum(axis=1) / self.sizes.sum(axis=1)
        own = np.divide(sums, self.sizes, out=np.zeros_like(sums), where=self.sizes > 0)
        return np.where(self.sizes > 0, own - overall[:, None], 0.0)

    def _summed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        near = self.near
        if near is None:
            return np.empty((0, len(self.names)))
        n_patterns = len(near.times)
        parts = [
            np.bincount(near.pattern, weights=np.where(self.groups == name, values, 0.0), minlength=n_patterns)
            for name in self.names
        ]
        return near.near @ np.column_stack(parts)


def similar_table(
    people: SimilarRows,
    h_before: Predicted,
    h_after: Predicted,
    *,
    edges: NDArray[np.float64] = EDGES,
    within: float = 0.0,
) -> pd.DataFrame:
    """Count how differently people are treated from those like them, before and after."""
    compared = people.compared
    middle = (0.0 - within, within)
    lows, highs = edges[:-1], edges[1:]
    rows = []
    for model, h in (("before", h_before), ("after", h_after)):
        found = people.own(h)[compared]
        counted = np.abs(found) > within + ROUNDING_OF_MEANS
        bins = np.clip(np.searchsorted(edges, found[counted], side="right") - 1, 0, len(lows) - 1)
        sizes = np.bincount(bins, minlength=len(lows))
        bars = [each for each in zip(lows, highs, sizes, strict=True) if tuple(each[:2]) != middle]
        bars.append((*middle, int((~counted).sum())))
        rows += [(model, low, high, int(n), n / len(found) if len(found) else np.nan) for low, high, n in bars]
    table = pd.DataFrame(rows, columns=list(SIMILAR_COLUMNS))
    used = table[table.groupby(["low", "high"])["n"].transform("sum") > 0]
    order = used["model"].map({"before": 0, "after": 1})
    ordered = used.assign(order=order).sort_values(["order", "low", "high"], kind="stable")
    return ordered.drop(columns="order").reset_index(drop=True)


def alike_table(people: SimilarRows, h_before: Predicted, h_after: Predicted, *, within: float = 0.0) -> pd.DataFrame:
    """Count those whose group makes no difference among people like them, before and after."""
    compared = people.compared
    rows = []
    for model, h in (("before", h_before), ("after", h_after)):
        same = np.abs(people.own(h)) <= within + ROUNDING_OF_MEANS
        for name in people.names:
            own = compared & (people.groups == name)
            n, n_alike = int(own.sum()), int((own & same).sum())
            rows.append((model, name, n, n_alike, n_alike / n if n else np.nan))
    return pd.DataFrame(rows, columns=list(ALIKE_COLUMNS))


def _is_comparable(column: pd.Series) -> bool:
    is_number = pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype)
    if is_number:
        return bool(np.isfinite(column.to_numpy(dtype=float, na_value=0.0)).all())
    return column.nunique(dropna=False) <= MAX_LEVELS


def similar_parts(study: Any, n_neighbors: int) -> dict[str, SimilarRows]:
    """Return the training, tuning and held-out rows of known groups with who is near whom among them."""
    X = study.X.drop(columns=list(study.facts.protected_features))
    return {
        part: SimilarRows.of(X, places, study.groups, known_groups(study), n_neighbors=n_neighbors, seed=study.seed)
        for part, places in part_rows(study).items()
    }
