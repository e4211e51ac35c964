"""Optimal trees by the frontier method beside pystreed: the same literals, limits and depths, one process, one thread.

pystreed (``pip install pystreed``) finds optimal trees by dynamic programming over subtrees. Its limit on the gap of
positive predictions is ours; it counts wrong rows, as we do where nothing is priced. Seconds are the median of the
repeats, after the reading of data; merging rows and making the limit are ours to pay.
"""

from __future__ import annotations

import importlib.util
import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import markdown, median
from benchmarks.luskin_data import find
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows, didi_measure, parity_limit
from fairaudit.work import Budget

MOST_LITERALS: Final = 80
GAPS: Final = (None, 0.05, 0.01)
"""The gap of positive predictions between the two groups, at most."""
CLOSE: Final = 1e-9


@dataclass(frozen=True, eq=False)
class LiteralData:
    """A table of literals.

    Parameters
    ----------
    name : str
        Of the data set.
    holds : ndarray of bool, shape (n, n_literals)
        Whether each literal holds; none on the group.
    groups, labels : ndarray of int, shape (n,)
        0 or 1.
    """

    name: str
    holds: NDArray[np.bool_]
    groups: NDArray[np.int64]
    labels: NDArray[np.int64]

    @property
    def words(self) -> str:
        """The data set for a table."""
        return f"{self.name}, {len(self.holds):,} x {self.holds.shape[1]}"

    def rows(self) -> TreeRows:
        """Merge the rows."""
        return TreeRows.merge(self.holds, self.groups, self.labels.astype(float), ("0", "1"))


@dataclass(frozen=True)
class Outcome:
    """One way on one problem.

    Parameters
    ----------
    errors, gap : float
        The share of wrong rows, and the gap of positive predictions; NaN where no tree was found.
    seconds : float
        The median.
    status : str
        How it ended.
    """

    errors: float
    gap: float
    seconds: float
    status: str


def compas() -> LiteralData | None:
    """Return COMPAS: prior counts at the deciles, score, two ages, sex and degree; race is the group."""
    path = find("compas_fairml_5278.csv")
    if path is None:
        return None
    table = pd.read_csv(path)
    priors = table.pop("Number_of_Priors")
    labels, groups = table.pop("Two_yr_Recidivism"), table.pop("African_American")
    cuts = np.unique(np.quantile(priors, np.arange(1, 10) / 10))
    holds = np.column_stack([*(priors.to_numpy() <= cut for cut in cuts), table.to_numpy() == 1])
    return LiteralData("COMPAS", holds, groups.to_numpy(), labels.to_numpy())


def german() -> LiteralData | None:
    """Return German credit by sex; the column that holds the sex beside the marriage is left out."""
    path = find("german_credit.csv")
    if path is None:
        return None
    table = pd.read_csv(path).drop(columns="personal_status_sex")
    return binarized("German", table, table.pop("credit_risk") == "good", table.pop("sex") == "male")


def student() -> LiteralData | None:
    """Return Student by sex, without the two marks before the last."""
    path = find("student-por.csv")
    if path is None:
        return None
    table = pd.read_csv(path, sep=";").drop(columns=["G1", "G2"])
    return binarized("Student", table, table.pop("G3") >= 10, table.pop("sex") == "M")


def adult() -> LiteralData | None:
    """Return the training part of Adult by sex, without the sampling weight and the country."""
    path = find("adult_train.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path, na_values="?", skipinitialspace=True).drop(columns=["fnlwgt", "native_country"])
    return binarized("Adult", table, table.pop("income") == ">50K", table.pop("sex") == "Male")


def binarized(name: str, table: pd.DataFrame, labels: pd.Series, groups: pd.Series) -> LiteralData:
    """Put numbers into literals at the deciles and levels into one each; keep the most even ones."""
    parts = []
    for column in table:
        values = table[column]
        if pd.api.types.is_numeric_dtype(values):
            parts += [(values <= cut).to_numpy() for cut in np.unique(np.quantile(values, np.arange(1, 10) / 10))]
        else:
            levels = values.value_counts().index[:12]
            parts += [(values == level).to_numpy() for level in (levels[:1] if values.nunique() == 2 else levels)]
    holds = np.column_stack(parts)
    _, first = np.unique(np.packbits(holds, axis=0), axis=1, return_index=True)
    holds = holds[:, np.sort(first)]
    shares = holds.mean(axis=0)
    varied = np.flatnonzero((shares > 0) & (shares < 1))
    even = np.argsort(-(shares * (1 - shares))[varied], kind="stable")[:MOST_LITERALS]
    holds = holds[:, np.sort(varied[even])]
    return LiteralData(name, holds, groups.to_numpy().astype(np.int64), labels.to_numpy().astype(np.int64))


def ended(search: Any) -> Any:
    """Run a search to its end."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            return end.value


def ours(data: LiteralData, depth: int, gap: float | None, repeats: int, time_limit: float) -> Outcome:
    """Measure the frontier method."""

    def work() -> NDArray[np.float64]:
        rows = data.rows()
        limit = None if gap is None else parity_limit(rows, "demographic_parity", gap)
        problem = TreeProblem(rows, max_depth=depth, limit=limit)
        found = ended(iter_frontier(problem, budget=Budget(time_limit)))
        status.append(found.status)
        return found.shape.predict(data.holds)

    status: list[str] = []
    return _measured(data, work, repeats, status)


def pystreed(data: LiteralData, depth: int, gap: float | None, repeats: int, time_limit: float) -> Outcome | None:
    """Measure pystreed; None where it is not installed."""
    if importlib.util.find_spec("pystreed") is None:
        return None
    from pystreed import STreeDClassifier, STreeDGroupFairnessClassifier

    table = data.holds.astype(np.int32)
    options = {"max_depth": depth, "max_num_nodes": 2**depth - 1, "time_limit": time_limit}
    if gap is not None:
        table = np.column_stack([data.groups, table])  # The first column is the group; trees do not ask for it.

    def work() -> NDArray[np.float64]:
        if gap is None:
            model = STreeDClassifier("accuracy", **options)
        else:
            model = STreeDGroupFairnessClassifier(discrimination_limit=gap, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(table, data.labels)
            status.append("optimal" if model.fit_result.is_optimal() else "time_limit")
            return model.predict(table)

    status: list[str] = []
    return _measured(data, work, repeats, status)


def _measured(data: LiteralData, work: Callable[[], NDArray[np.float64]], repeats: int, status: list[str]) -> Outcome:
    """Repeat work, but not where one repeat takes long."""
    seconds, h = [], None
    while len(seconds) < repeats and sum(seconds) < 10:
        start = time.perf_counter()
        try:
            h = work()
        except (RuntimeError, ValueError, AttributeError):
            return Outcome(math.nan, math.nan, time.perf_counter() - start, "none")
        seconds.append(time.perf_counter() - start)
    rates = [float(h[data.groups == group].mean()) for group in (0, 1)]
    return Outcome(float(np.mean(h != data.labels)), abs(rates[0] - rates[1]), median(seconds), status[-1])


def beside_pystreed(
    tables: Sequence[LiteralData | None], depths: Sequence[int], repeats: int = 3, time_limit: float = 60
) -> str:
    """Return the table of both ways on each data set, depth and gap."""
    rows = []
    for data in tables:
        for depth in depths if data is not None else ():
            for gap in GAPS:
                one = ours(data, depth, gap, repeats, time_limit)
                other = pystreed(data, depth, gap, repeats, time_limit)
                rows.append([data.words, depth, "none" if gap is None else gap, *_cells(one), *_cells(other)])
    header = ["data", "depth", "gap", "accuracy", "status", "s", "pystreed: accuracy", "status", "s"]
    return markdown(header, rows)


def _cells(outcome: Outcome | None) -> list[str]:
    if outcome is None:
        return ["not installed", "", ""]
    return [f"{1 - outcome.errors:.4f}", outcome.status, f"{outcome.seconds:.3f}"]


def limits_and_prices(data: LiteralData | None, depths: Sequence[int], time_limit: float = 60) -> str:
    """Return the table of other limits and prices, which pystreed does not have."""
    rows = []
    for depth in depths if data is not None else ():
        merged = data.rows()
        didi = (didi_measure(merged, "classification"),)
        asked: dict[str, dict[str, Any]] = {
            "four fifths": {"limit": parity_limit(merged, "four_fifths", None)},
            "equal opportunity .02": {"limit": parity_limit(merged, "equal_opportunity", 0.02)},
            "equalized odds .02": {"limit": parity_limit(merged, "equalized_odds", 0.02)},
            "DIDI at .5": {"measures": didi, "price": 0.5},
            "DIDI at most .05": {"measures": didi, "max_measure": 0.05},
        }
        for words, options in asked.items():
            start = time.perf_counter()
            found = ended(iter_frontier(TreeProblem(merged, max_depth=depth, **options), budget=Budget(time_limit)))
            seconds = time.perf_counter() - start
            cells = [f"{found.objective:.4f}", f"{found.bound:.4f}", found.status, f"{seconds:.3f}"]
            rows.append([data.words, depth, words, *cells])
    return markdown(["data", "depth", "asked", "objective", "bound", "status", "s"], rows)
