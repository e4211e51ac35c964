"""The data sets of Chen et al. (2020), prepared as there; read from ``../shared/data`` beside the project."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import ROOT

SHARED_DATA = ROOT.parent / "shared" / "data"

SQF_REASONS = (
    "cs_objcs", "cs_descr", "cs_casng", "cs_lkout", "cs_cloth", "cs_drgtr", "cs_furtv", "cs_vcrim", "cs_bulge",
    "cs_other",
)  # fmt: skip
SQF_CIRCUMSTANCES = (
    "ac_rept", "ac_inves", "ac_proxm", "ac_evasv", "ac_assoc", "ac_cgdir", "ac_incid", "ac_time", "ac_stsnd",
    "ac_other",
)  # fmt: skip
SQF_TEXTS = ("inout", "trhsloc", "typeofid", "sex", "race", "build", "city", "detailCM", "recstat")
SQF_AMOUNTS = {"age": 90, "weight": 400, "perobs": 60}
"""Columns with the highest number that is believed."""


@dataclass(frozen=True, eq=False)
class LuskinData:
    """One data set, ready for the estimators. In its own row order; all with the same number of rows.

    Parameters
    ----------
    name : str
        "Adult", "COMPAS" or "SQF 2014".
    X : DataFrame
        The features: float columns and columns of text; missing values are NaN or None.
    y : ndarray of int
        The label, 0 or 1. 1 is what the paper predicts: a high income, recidivism, a frisk.
    protected : ndarray of bool
        Whether the protected condition holds.
    population : ndarray of bool
        Whether the condition on unprotected columns holds; outside of it nobody is compared.
    """

    name: str
    X: pd.DataFrame
    y: NDArray[np.int64]
    protected: NDArray[np.bool_]
    population: NDArray[np.bool_]


def adult() -> LuskinData | None:
    """Return Adult, or None without the file: high income, race other than White, more than 10 years of education."""
    path = find("adult.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path, na_values="?", skipinitialspace=True)
    dropped = ["native_country", "education", "fnlwgt", "income", "split"]
    return LuskinData(
        name="Adult",
        X=with_floats(table.drop(columns=dropped)),
        y=table["income"].eq(">50K").to_numpy(dtype=np.int64),
        protected=table["race"].ne("White").to_numpy(),
        population=table["education_num"].gt(10).to_numpy(),
    )


def compas() -> LuskinData | None:
    """Return COMPAS, or None without the file: two-year recidivism of white and black persons, black protected."""
    path = find("compas_two_years.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path)
    table = table[table["race"].isin(["Caucasian", "African-American"])].reset_index(drop=True)
    features = [
        "sex", "age", "juv_fel_count", "juv_misd_count", "priors_count", "c_charge_desc", "c_charge_degree",
    ]  # fmt: skip
    return LuskinData(
        name="COMPAS",
        X=with_floats(table[features]),
        y=table["two_year_recid"].to_numpy(dtype=np.int64),
        protected=table["race"].eq("African-American").to_numpy(),
        population=np.ones(len(table), dtype=bool),
    )


def sqf() -> LuskinData | None:
    """Return SQF 2014, or None without the file: frisked, race other than W, suspected of assault.

    The columns are those known when the officer decides on a frisk: why the person was stopped, the circumstances, the
    place and time, and who the person is. What was found or happened later is left out.
    """
    path = find("sqf_2014.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path, encoding="latin-1", dtype=str, keep_default_na=False)
    table = table.apply(lambda column: column.str.strip())
    columns: dict[str, pd.Series] = {}
    for name in (*SQF_REASONS, *SQF_CIRCUMSTANCES, "radio", "othpers", "offunif"):
        columns[name] = table[name].isin(["Y", "1"]).astype(float)  # some months use 1 and blank for Y and N
    for name in SQF_TEXTS:
        columns[name] = table[name].where(table[name].ne(""), None)
    for name, highest in SQF_AMOUNTS.items():
        amount = pd.to_numeric(table[name], errors="coerce")
        columns[name] = amount.where((amount > 0) & (amount <= highest))
    inches = pd.to_numeric(table["ht_feet"], errors="coerce") * 12 + pd.to_numeric(table["ht_inch"], errors="coerce")
    columns["height"] = inches.where((inches > 40) & (inches < 90))
    columns["hour"] = (pd.to_numeric(table["timestop"], errors="coerce") // 100).astype(float)
    return LuskinData(
        name="SQF 2014",
        X=pd.DataFrame(columns),
        y=table["frisked"].isin(["Y", "1"]).to_numpy(dtype=np.int64),
        protected=table["race"].ne("W").to_numpy(),
        population=table["detailCM"].eq("9").to_numpy(),
    )


def find(name: str) -> Path | None:
    """Return the path of a data file, or None where it is not."""
    path = SHARED_DATA / name
    return path if path.exists() else None


def with_floats(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose numbers are floats, so that a missing one can be NaN."""
    numbers = table.select_dtypes("number").columns
    return table.astype(dict.fromkeys(numbers, float))
