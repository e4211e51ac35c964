"""The data sets of the Zhang et al. (2021) experiments, read from ``../shared/data`` beside the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.luskin_data import find, with_floats
from fairaudit.estimators.constraints import FairnessSpec, read_specs

COMPAS_FEATURES = (
    "sex", "age", "race", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count", "c_charge_degree",
    "c_charge_desc",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ConstrainedData:
    """One data set, in its own row order.

    Parameters
    ----------
    name : str
        "Adult", "COMPAS", "COMPAS, three groups", "Bank" or "Bank with duration".
    X : DataFrame
        The features, the protected column among them: float columns and columns of text; missing values are NaN.
    y : ndarray of int
        The label, 0 or 1: a high income, recidivism, a deposit.
    sensitive : DataFrame
        The protected column.
    by : str
        The groups, as a constraint names them.
    """

    name: str
    X: pd.DataFrame
    y: NDArray[np.int64]
    sensitive: pd.DataFrame
    by: str

    @property
    def group(self) -> NDArray[Any]:
        """The protected column."""
        return self.sensitive.iloc[:, 0].to_numpy()

    def specs(self, metrics: str, limit: float) -> tuple[FairnessSpec, ...]:
        """Return a constraint for each metric named, such as "demographic_parity fnr", with one limit."""
        return read_specs([f"{metric} by {self.by} <= {limit}" for metric in metrics.split()])


def adult() -> ConstrainedData | None:
    """Return Adult: all columns but ``fnlwgt`` and the doubled ``education``, so 12 features of the paper's 18."""
    path = find("adult.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path, na_values="?", skipinitialspace=True)
    y = table["income"].eq(">50K").to_numpy(dtype=np.int64)
    X = with_floats(table.drop(columns=["fnlwgt", "education", "income", "split"]))
    return ConstrainedData("Adult", X, y, table[["sex"]], "sex")


def compas() -> ConstrainedData | None:
    """Return COMPAS: the 6,150 white and black people with two years behind them; the paper has 11,001 people."""
    return _compas("COMPAS", ("African-American", "Caucasian"))


def compas_three() -> ConstrainedData | None:
    """Return COMPAS with the 637 Hispanic people as well."""
    return _compas("COMPAS, three groups", ("African-American", "Caucasian", "Hispanic"))


def compas_six() -> ConstrainedData | None:
    """Return COMPAS, white and black people, without the race and the description of the charge among the features."""
    whole = compas()
    if whole is None:
        return None
    X = whole.X.drop(columns=["race", "c_charge_desc"])
    return ConstrainedData("COMPAS, six columns", X, whole.y, whole.sensitive, whole.by)


def _compas(name: str, races: tuple[str, ...]) -> ConstrainedData | None:
    path = find("compas_two_years.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path)
    table = table[table["race"].isin(races)].reset_index(drop=True)
    X = with_floats(table[list(COMPAS_FEATURES)])
    return ConstrainedData(name, X, table["two_year_recid"].to_numpy(dtype=np.int64), table[["race"]], "race")


def bank() -> ConstrainedData | None:
    """Return Bank: the paper's 30,488 rows without ``unknown``; without ``duration``, known only after the call."""
    return _bank("Bank", ["duration"])


def bank_with_duration() -> ConstrainedData | None:
    """Return Bank with ``duration``, as the paper has it."""
    return _bank("Bank with duration", [])


def _bank(name: str, dropped: list[str]) -> ConstrainedData | None:
    path = find("bank-additional-full.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path, sep=";")
    table = table[table.ne("unknown").all(axis=1)].reset_index(drop=True)
    y = table["y"].eq("yes").to_numpy(dtype=np.int64)
    X = with_floats(table.drop(columns=["y", *dropped]))
    return ConstrainedData(name, X, y, table[["age"]].astype(float), '["age < 25", "age >= 25"]')


READERS: dict[str, Callable[[], ConstrainedData | None]] = {
    "Adult": adult,
    "COMPAS": compas,
    "COMPAS, three groups": compas_three,
    "COMPAS, six columns": compas_six,
    "Bank": bank,
    "Bank with duration": bank_with_duration,
}


@cache
def read(name: str) -> ConstrainedData | None:
    """Return a data set by its name, or None where its file is not there."""
    return READERS[name]()
