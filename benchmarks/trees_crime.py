"""Crime: regression trees of depth 2 at zero DTDI or DIDI beside linear regression with the group penalty.

As in Aghaei et al. (2019), section 4: 1,993 communities, the violent crime rate, the group with more than 6 % black
residents, 4 folds; the 11 features are chosen on training rows only, as are thresholds, weights and penalties. Indices
are of the training predictions, neighbors by the 11 features; errors are of held-out rows.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import KFold

from benchmarks.luskin_data import find
from fairaudit.estimators.trees.dual import iter_dual
from fairaudit.estimators.trees.measures import dtdi_measure
from fairaudit.estimators.trees.problem import FoundTree, Measure, TreeProblem, TreeRows, TreeShape, didi_measure
from fairaudit.work import Budget

N_FOLDS, N_FEATURES, N_THRESHOLDS, N_NEIGHBORS = 4, 11, 7, 10
TARGET, PROTECTED = "ViolentCrimesPerPop", "racepctblack"
NOT_FEATURES = [TARGET, PROTECTED, "state", "county", "community", "communityname", "fold"]
ZERO = 1e-4
"""What counts as no discrimination: 0.01 %."""
MOST_WEIGHT = 102.4
FIRST_TENTHS = {("didi",): 1, ("dtdi",): 64, ("dtdi", "didi"): 64}
"""Where doubling of the weight begins, in tenths: lower ones leave much DTDI on each fold."""
NEAR = 20
"""Halving ends at one part in so many of the weight."""


@dataclass(frozen=True, eq=False)
class Part:
    """A training part with its held-out rows, over the features chosen on it."""

    train: pd.DataFrame
    test: pd.DataFrame
    y: NDArray[np.float64]
    y_test: NDArray[np.float64]
    groups: NDArray[np.int64]

    @cached_property
    def thresholds(self) -> list[tuple[str, float]]:
        """Name and number of each split."""
        shares = np.linspace(0, 1, N_THRESHOLDS + 2)[1:-1]
        return [(name, float(t)) for name in self.train for t in np.unique(np.quantile(self.train[name], shares))]

    def holds(self, table: pd.DataFrame) -> NDArray[np.bool_]:
        """Return whether each split holds for each row."""
        return np.column_stack([table[name].to_numpy() <= t for name, t in self.thresholds])

    @cached_property
    def rows(self) -> TreeRows:
        """The training rows, merged."""
        return TreeRows.merge(self.holds(self.train), self.groups, self.y, ["others", "black"])

    @cached_property
    def each_row(self) -> TreeRows:
        """Every row a cell of its own, to measure predictions that are not a tree's."""
        return TreeRows.merge(np.eye(len(self.y), dtype=bool), self.groups, self.y, ["others", "black"])

    @cache  # noqa: B019 - parts live as long as the run
    def measure(self, index: str, *, of_rows: bool = False) -> Measure:
        """Return an index of the predictions of a tree, or of any for each row."""
        rows = self.each_row if of_rows else self.rows
        if index == "didi":
            return didi_measure(rows, "regression")
        return dtdi_measure(rows, self.train.to_numpy(), self.groups, 2, N_NEIGHBORS, "regression")

    def index(self, index: str, h: NDArray[np.float64]) -> float:
        """Return an index of predictions for the training rows."""
        of_cells = np.empty(len(h))
        of_cells[self.each_row.cells] = h
        return self.measure(index, of_rows=True).value(of_cells)


def parts(seed: int) -> list[Part]:
    """Return the four parts; empty where the data is not there."""
    path = find("communities_crime.csv.gz")
    if path is None:
        return []
    table = pd.read_csv(path, na_values="?")
    table = table.loc[:, table.isna().mean() < 0.5].dropna().reset_index(drop=True)
    features = table.drop(columns=NOT_FEATURES, errors="ignore").select_dtypes("number")
    y, groups = table[TARGET].to_numpy(), (table[PROTECTED] > 0.06).to_numpy().astype(np.int64)
    found = []
    for train, test in KFold(N_FOLDS, shuffle=True, random_state=seed).split(features):
        forest = RandomForestRegressor(60, min_samples_leaf=5, max_features=0.3, random_state=seed)
        forest.fit(features.iloc[train], y[train])
        best = features.columns[np.argsort(-forest.feature_importances_, kind="stable")[:N_FEATURES]]
        found.append(Part(features.iloc[train][best], features.iloc[test][best], y[train], y[test], groups[train]))
    return found


def fitted_tree(
    part: Part, indices: tuple[str, ...], weight: float, seconds: float, start: tuple[TreeShape, ...]
) -> FoundTree:
    measures = tuple(part.measure(index) for index in indices)
    problem = TreeProblem(part.rows, task="regression", max_depth=2, measures=measures, price=weight)
    events = iter_dual(problem, budget=Budget(seconds), start=start)
    while True:
        try:
            next(events)
        except StopIteration as end:
            return end.value


def tree_indices(part: Part, shape: TreeShape, indices: tuple[str, ...]) -> list[float]:
    h = shape.predict(part.rows.holds)
    return [part.measure(index).value(h) for index in indices]


def curve(part: Part, index: str, weights: tuple[float, ...], seconds: float) -> pd.DataFrame:
    """Return error and index on training rows for each weight of an index."""
    lines, start = [], ()
    for weight in weights:
        begin = time.perf_counter()
        found = fitted_tree(part, (index,), weight, seconds, start)
        start = (found.shape,)
        mae = float(np.abs(part.y - found.shape.predict(part.holds(part.train))).mean())
        value = tree_indices(part, found.shape, (index,))[0]
        lines.append((index, weight, mae, value, found.status, found.optimality_gap, time.perf_counter() - begin))
    return pd.DataFrame(lines, columns=["index", "weight", "train MAE", "value", "status", "gap", "s"])


def least_weight_tree(part: Part, indices: tuple[str, ...], seconds: float) -> tuple[float, FoundTree]:
    """Return a weight of 0, .1, .2, ... whose tree has no discrimination, the least up to 5 %, by doubling and halving.

    The index of optimal trees falls with its weight, so that it is near the one that trying all in order would stop at.
    """
    tried: dict[int, FoundTree] = {}

    def is_enough(tenths: int) -> bool:
        tried[tenths] = fitted_tree(part, indices, tenths / 10, seconds, tuple(f.shape for f in tried.values()))
        return max(tree_indices(part, tried[tenths].shape, indices)) < ZERO

    high = FIRST_TENTHS[indices]
    while not is_enough(high) and high < 10 * MOST_WEIGHT:
        high *= 2
    low = high // 2
    while high - low > max(1, low // NEAR):
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high / 10, tried[high]


@dataclass(frozen=True, eq=False)
class Line:
    """A linear model."""

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]

    def predict(self, table: pd.DataFrame) -> NDArray[np.float64]:
        """Return predictions."""
        scaled = (table.to_numpy() - self.mean) / self.scale
        return np.column_stack([np.ones(len(scaled)), scaled]) @ self.weights


def penalised_line(part: Part, penalty: float) -> Line:
    """Least squares with the group penalty of Berk et al. (2017): penalty * (mean of d(y_i, y_j) (f(x_i) - f(x_j)))^2.

    i is of one group and j of the other, d(y_i, y_j) = exp(-(y_i - y_j)^2).
    """
    X = part.train.to_numpy()
    mean, scale = X.mean(axis=0), X.std(axis=0)
    Z = np.column_stack([np.ones(len(X)), (X - mean) / scale])
    one, other = part.groups == 1, part.groups == 0
    near = np.exp(-((part.y[one][:, None] - part.y[other][None, :]) ** 2))
    pull = (near.sum(axis=1) @ Z[one] - near.sum(axis=0) @ Z[other]) / near.size
    gram = Z.T @ Z / len(Z) + penalty * np.outer(pull, pull) + 1e-9 * np.eye(Z.shape[1])
    return Line(mean, scale, np.linalg.solve(gram, Z.T @ part.y / len(Z)))


def least_penalty_line(part: Part, indices: tuple[str, ...]) -> tuple[float, Line, bool]:
    """Return the least penalty of 0, 10^-4, 10^-3.5, ... whose line has no discrimination, or the largest tried."""
    for penalty in (0.0, *np.logspace(-4, 8, 25)):
        line = penalised_line(part, penalty)
        h = line.predict(part.train)
        if max(part.index(index, h) for index in indices) < ZERO:
            return penalty, line, True
    return penalty, line, False


def shrunk_line(part: Part, line: Line, indices: tuple[str, ...]) -> Line:
    """Pull predictions towards their mean until there is no discrimination: indices are linear in how far they are."""
    h = line.predict(part.train)
    worst = max(part.index(index, h) for index in indices)
    share = min(1.0, 0.999 * ZERO / max(worst, 1e-12))
    weights = share * line.weights
    weights[0] = line.weights[0]
    return Line(line.mean, line.scale, weights)


def comparison(some: list[Part], indices: tuple[str, ...], seconds: float) -> pd.DataFrame:
    """Return held-out errors of tree and lines where neither index of the training predictions is above `ZERO`."""
    lines = []
    for fold, part in enumerate(some):
        begin = time.perf_counter()
        weight, found = least_weight_tree(part, indices, seconds)
        spent = time.perf_counter() - begin
        h = found.shape.predict(part.holds(part.train))
        penalty, line, reached = least_penalty_line(part, indices)
        shrunk = shrunk_line(part, line, indices)
        free = fitted_tree(part, (), 0.0, seconds, ())
        entries = [
            (
                "tree without a price",
                0.0,
                free.shape.predict(part.holds(part.train)),
                free.shape.predict(part.holds(part.test)),
            ),
            ("tree", weight, h, found.shape.predict(part.holds(part.test))),
            ("line without a penalty", 0.0, *(penalised_line(part, 0.0).predict(t) for t in (part.train, part.test))),
            (
                "line, group penalty" + ("" if reached else " (not reached)"),
                penalty,
                line.predict(part.train),
                line.predict(part.test),
            ),
            ("line, penalty, then shrunk", penalty, shrunk.predict(part.train), shrunk.predict(part.test)),
        ]
        for name, price, train, test in entries:
            lines.append(
                (fold, name, price, max(part.index(index, train) for index in indices),
                 np.abs(part.y - train).mean(), np.abs(part.y_test - test).mean(), found.status, spent)
            )  # fmt: skip
    columns = ["fold", "model", "weight", "worst training index", "train MAE", "test MAE", "status", "s of tree"]
    return pd.DataFrame(lines, columns=columns)


def main(seconds: float = 20.0) -> None:
    seed = 0
    some = parts(seed)
    if not some:
        print("The Crime data is not there.")
        return
    print(f"{sum(len(part.y_test) for part in some):,} rows, seed {seed}, features {list(some[0].train)} in fold 0\n")
    for index in ("dtdi", "didi"):
        print(curve(some[0], index, (0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2), seconds).to_string(index=False), "\n")
    for indices in (("dtdi",), ("didi",), ("dtdi", "didi")):
        table = comparison(some, indices, seconds)
        print(" and ".join(indices).upper(), "at zero")
        print(table.groupby("model", sort=False)[["worst training index", "train MAE", "test MAE"]].mean().to_string())
        print(table.to_string(index=False), "\n")


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:]))
