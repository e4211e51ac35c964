"""Trees that may cut numbers at every value, beside pycontree; and depth 4 over many literals.

pycontree (``pip install pycontree``) finds optimal trees over all cuts of numbers, without limits. It gets the same
columns, categories as one column of 0 and 1 for each level. Seconds of the processor, of one run each.
"""

from __future__ import annotations

import importlib.util
import math
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import SEED, markdown
from benchmarks.luskin_data import find
from benchmarks.trees_frontier import LiteralData, ended
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.problem import FoundTree, TreeProblem, parity_limit
from fairaudit.work import Budget

GAPS = (None, 0.05)


@dataclass(frozen=True, eq=False)
class NumberData:
    """A table of numbers, categories as one column for each level.

    Parameters
    ----------
    name : str
        Of the data set.
    columns : DataFrame, shape (n, n_columns)
        Numbers; none is the group.
    groups, labels : ndarray of int, shape (n,)
        0 or 1.
    """

    name: str
    columns: pd.DataFrame
    groups: NDArray[np.int64]
    labels: NDArray[np.int64]

    @property
    def words(self) -> str:
        """The data set for a table."""
        return f"{self.name}, {len(self.columns):,} x {self.columns.shape[1]}"

    def literals(self, most: int | None = None) -> LiteralData:
        """Cut each column at all its values; keep the most even `most` literals."""
        parts = []
        for name in self.columns:
            values = self.columns[name].to_numpy()
            parts.append(values[:, None] <= np.unique(values)[:-1])
        holds = np.hstack(parts)
        _, first = np.unique(np.packbits(holds, axis=0), axis=1, return_index=True)
        holds = holds[:, np.sort(first)]
        holds = holds[:, (holds.mean(axis=0) > 0) & (holds.mean(axis=0) < 1)]
        if most is not None:
            shares = holds.mean(axis=0)
            holds = holds[:, np.sort(np.argsort(-shares * (1 - shares), kind="stable")[:most])]
        return LiteralData(self.name, holds, self.groups, self.labels)


def adult() -> NumberData | None:
    """Return the training part of Adult by sex, without the sampling weight and the country."""
    path = find("adult_train.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path, na_values="?", skipinitialspace=True).drop(columns=["fnlwgt", "native_country"])
    groups, labels = table.pop("sex") == "Male", table.pop("income") == ">50K"
    return NumberData("Adult", _coded(table), groups.to_numpy().astype(np.int64), labels.to_numpy().astype(np.int64))


def student() -> NumberData | None:
    """Return Student by sex, without the two marks before the last."""
    path = find("student-por.csv")
    if path is None:
        return None
    table = pd.read_csv(path, sep=";").drop(columns=["G1", "G2"])
    groups, labels = table.pop("sex") == "M", table.pop("G3") >= 10
    return NumberData("Student", _coded(table), groups.to_numpy().astype(np.int64), labels.to_numpy().astype(np.int64))


def census() -> NumberData:
    """Return 60,000 made-up people with ten coded columns, as a census has them."""
    rng = np.random.default_rng(SEED)
    n = 60_000
    groups = (rng.random(n) < 0.5).astype(np.int64)
    columns = {f"x{k}": np.minimum(rng.geometric(0.5 / (k + 1), n), 2 * (k + 2)) for k in range(10)}
    table = pd.DataFrame(columns)
    score = 0.8 * (table["x9"] > 8) + 0.7 * (table["x5"] > 6) * (table["x3"] < 4) - 0.6 * (table["x7"] > 9)
    labels = (score + 0.5 * groups + rng.logistic(0, 0.6, n) > 0.7).astype(np.int64)
    return NumberData("made-up census", table.astype(float), groups, labels.to_numpy())


def _coded(table: pd.DataFrame) -> pd.DataFrame:
    numbers = table.select_dtypes("number")
    texts = table.drop(columns=list(numbers))
    levels = {
        f"{name}={level}": texts[name] == level for name in texts for level in texts[name].value_counts().index[:24]
    }
    return pd.concat([numbers, pd.DataFrame(levels)], axis=1).astype(float)


def ours(data: LiteralData, depth: int, gap: float | None, work: float) -> tuple[FoundTree, float]:
    """Search, and return what was found with the seconds of the processor."""
    start = time.process_time()
    rows = data.rows()
    limit = None if gap is None else parity_limit(rows, "demographic_parity", gap)
    found = ended(iter_frontier(TreeProblem(rows, max_depth=depth, limit=limit), budget=Budget(work)))
    used = time.process_time() - start
    wrong = float(np.mean(found.shape.predict(data.holds) != data.labels))
    if abs(wrong - found.objective) > 1e-9:
        raise AssertionError(f"The tree is wrong for {wrong} of the rows, and {found.objective} was said.")
    return found, used


def pycontree(data: NumberData, depth: int, seconds: float) -> tuple[float, float, bool] | None:
    """Return the share of wrong rows, seconds of the processor and whether it ended in time."""
    if importlib.util.find_spec("pycontree") is None:
        return None
    from pycontree import ConTree

    start = time.process_time()
    model = ConTree(max_depth=depth, time_limit=seconds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(data.columns.to_numpy(), data.labels)
        wrong = float(np.mean(model.predict(data.columns.to_numpy()) != data.labels))
    used = time.process_time() - start
    return wrong, used, used < seconds


def all_values(tables: Sequence[NumberData | None], seconds: float) -> Iterator[list[str]]:
    """Yield the rows of depth 2 and 3, without a limit and with one."""
    for data in tables:
        if data is None:
            continue
        literals = data.literals()
        for depth in (2, 3):
            for gap in GAPS:
                found, used = ours(literals, depth, gap, seconds)
                other = pycontree(data, depth, seconds) if gap is None else None
                words = "none" if gap is not None else "not installed"
                theirs = (
                    [words, ""]
                    if other is None
                    else [f"{other[0]:.4f}", f"{other[1]:.1f}" + ("" if other[2] else ", not ended")]
                )
                yield [
                    data.words,
                    f"{literals.holds.shape[1]:,}",
                    f"{depth}",
                    "none" if gap is None else f"{gap}",
                    *_cells(found, used),
                    *theirs,
                ]


def many_literals(seconds: float) -> Iterator[list[str]]:
    """Yield the rows of depth 4 over many literals."""
    for data, most in ((student(), 91), (adult(), 300)):
        if data is None:
            continue
        literals = data.literals(most)
        for gap in GAPS:
            found, used = ours(literals, 4, gap, seconds)
            yield [
                data.words,
                f"{literals.holds.shape[1]:,}",
                "4",
                "none" if gap is None else f"{gap}",
                *_cells(found, used),
            ]


def _cells(found: FoundTree, used: float) -> list[str]:
    away = math.nan if found.objective <= 0 else 1 - found.bound / found.objective
    return [f"{found.objective:.4f}", f"{found.bound:.4f}", f"{100 * away:.1f} %", found.status, f"{used:.1f}"]


def main(seconds: float) -> None:
    """Print both tables."""
    from benchmarks.common import say

    header = ["data", "splits", "depth", "gap at most", "wrong", "bound", "apart", "ended", "s"]
    rows = list(all_values([adult(), census()], seconds))
    say(markdown([*header, "pycontree: wrong", "s"], rows) + "\n")
    say(markdown(header, list(many_literals(seconds))) + "\n")
