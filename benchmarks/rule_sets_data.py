"""The data sets of Lawless and Günlük (2021), read from ``../shared/data`` beside the project, and its ten folds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from benchmarks.luskin_data import find

N_FOLDS = 10


@dataclass(frozen=True, eq=False)
class RuleData:
    """One data set, in its own row order.

    Parameters
    ----------
    name : str
        "COMPAS", "Adult" or "Default".
    X : DataFrame
        The features, the protected column among them.
    y : ndarray of int
        The label, 0 or 1: arrest within two years, a high income, no payment next month.
    sensitive : Series
        The protected column: two groups.
    """

    name: str
    X: pd.DataFrame
    y: NDArray[np.int64]
    sensitive: pd.Series

    @property
    def in_second(self) -> NDArray[np.bool_]:
        """Which rows are of the second group, in the order of values."""
        return (self.sensitive == self.sensitive.max()).to_numpy()

    def folds(self, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Return the places of training and test rows of each fold."""
        return list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(self.X, self.y))


def _compas() -> RuleData | None:
    """Return the 5,278 black and white people of ProPublica's selection, with the paper's 7 features."""
    path = find("compas_fairml_5278.csv")
    return None if path is None else _of("COMPAS", pd.read_csv(path), "Two_yr_Recidivism", 1, "African_American")


def _adult() -> RuleData | None:
    """Return the training part of Adult without ``fnlwgt``, a sampling weight; the paper leaves it in."""
    path = find("adult_train.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path, na_values="?", skipinitialspace=True).drop(columns="fnlwgt")
    return _of("Adult", table, "income", ">50K", "sex")


def _default() -> RuleData | None:
    """Return the credit cards of Taiwan without the number of the client."""
    path = find("credit_default.csv.gz")
    if path is None:
        return None
    return _of("Default", pd.read_csv(path).drop(columns="ID"), "default payment next month", 1, "SEX")


def _of(name: str, table: pd.DataFrame, label: str, positive: object, group: str) -> RuleData:
    y = table.pop(label).eq(positive).to_numpy(dtype=np.int64)
    return RuleData(name, table, y, table[group])


@cache
def read(name: str) -> RuleData | None:
    """Return a data set by its name, None where its file is not there."""
    return {"COMPAS": _compas, "Adult": _adult, "Default": _default}[name]()
