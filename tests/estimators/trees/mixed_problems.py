"""Small random problems with numbers, a yes-or-no and a categorical feature of four levels."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from fairaudit.estimators.trees.measures import dtdi_measure
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows, didi_measure, parity_limit

N_LEVELS = 4
ASKED = ("free", "didi", "dtdi", "both", "bounded", "four_fifths", "equal_opportunity", "equalized_odds")


@dataclass(frozen=True, eq=False)
class Mixed:
    """A problem, and the same problem in other words.

    Parameters
    ----------
    problem : TreeProblem
        Over thresholds of the numbers, the yes-or-no, and a column for each level.
    levels : tuple of tuple of int
        The columns of the levels.
    numbers : ndarray of float, shape (n_cells, 2)
        The number and the yes-or-no, whole.
    by_subset : TreeProblem
        Over thresholds and a column for each set of levels.
    """

    problem: TreeProblem
    levels: tuple[tuple[int, ...], ...]
    numbers: np.ndarray
    by_subset: TreeProblem

    @property
    def level_parts(self):
        """Which level each cell has, for each categorical feature."""
        return [self.problem.rows.holds[:, list(part)] for part in self.levels]


def mixed_problem(seed: int, task: str, asked: str, depth: int, *, n: int = 14, missing: bool = False) -> Mixed:
    """Return a problem whose targets lean on all features and the group."""
    rng = np.random.default_rng(seed)
    numbers = np.column_stack([rng.integers(0, 3, n), rng.integers(0, 2, n)]).astype(float)
    codes = rng.integers(-1 if missing else 0, N_LEVELS, n)
    groups = np.r_[0, 1, rng.integers(0, 2, n - 2)]
    score = numbers[:, 0] + np.array([0.0, 2.0, -1.0, 1.0, 0.0])[codes] + groups + rng.normal(0, 1, n)
    targets = (score > np.median(score)).astype(float) if task == "classification" else np.round(score, 1)
    holds = np.column_stack([numbers[:, 0] <= 0, numbers[:, 0] <= 1, numbers[:, 1] <= 0,
                             *(codes == level for level in range(N_LEVELS))])  # fmt: skip
    rows = TreeRows.merge(holds, groups, targets, ["a", "b"])
    first = np.unique(rows.cells, return_index=True)[1]
    didi = didi_measure(rows, task)
    features = np.column_stack([numbers, np.eye(N_LEVELS + 1)[codes]])
    dtdi = dtdi_measure(rows, features, groups, 2, 3, task)
    settings = {
        "free": {},
        "didi": {"measures": (didi,), "price": 0.5},
        "dtdi": {"measures": (dtdi,), "price": 0.5},
        "both": {"measures": (didi, dtdi), "price": 0.2},
        "bounded": {"measures": (didi,), "max_measure": 0.1},
    }.get(asked)
    if settings is None:
        settings = {"limit": parity_limit(rows, asked, 0.1)}
    problem = TreeProblem(rows, task=task, max_depth=depth, **settings)
    subsets = [part for size in range(1, N_LEVELS + missing) for part in itertools.combinations(range(3, 7), size)]
    if not missing:
        # A set and its complement part the rows alike.
        subsets = [part for part in subsets if 3 in part]
    wide = np.column_stack([rows.holds[:, :3], *(rows.holds[:, list(part)].any(axis=1) for part in subsets)])
    by_subset = replace(problem, rows=replace(rows, holds=wide))
    return Mixed(problem, ((3, 4, 5, 6),), numbers[first], by_subset)
