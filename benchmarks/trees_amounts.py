"""Trees of amounts of depth 3: how near the best one is to its bound, with and without a limit on the gap of means."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import SEED, markdown
from benchmarks.luskin_data import find
from fairaudit.estimators.trees.optimal_tree import OptimalTreeRegressor

DEPTH = 3
SHARE = 0.1
"""The limit, in standard deviations of the amount."""
SAMPLE = Path(__file__).parent.parent / "sample_data" / "municipal_pay.csv"
SEXES = {"salary_weisberg.csv": "salary", "student-por.csv": "G3"}
"""The amount of each table with a column of sexes."""

Rows = tuple[str, pd.DataFrame, NDArray[np.float64], pd.Series]


def tables() -> list[Rows]:
    """Return the tables that are there: a name, the columns, the amounts and the groups."""
    pay = pd.read_csv(SAMPLE).dropna(subset="monthly_pay")
    columns = pay[["department", "age", "years_of_service", "grade"]]
    found: list[Rows] = [("municipal pay", columns, pay["monthly_pay"].to_numpy(float), pay["sex"])]
    for name, amount in SEXES.items():
        if (path := find(name)) is not None:
            table = pd.read_csv(path, sep=None, engine="python").drop(columns=["G1", "G2"], errors="ignore")
            groups, amounts = table.pop("sex").astype(str), table.pop(amount).to_numpy(float)
            found.append((path.stem, table, amounts, groups))
    if (path := find("communities_crime.csv.gz")) is not None:
        table = pd.read_csv(path).select_dtypes("number")
        groups = (table.pop("racepctblack") > 0.06).map({True: "more than 6 %", False: "6 % or fewer"})
        found.append(("Crime", table, table.pop("ViolentCrimesPerPop").to_numpy(float), groups))
    return found


def table(seconds: float) -> str:
    """Return one line for each table and limit."""
    lines = []
    for name, columns, amounts, groups in tables():
        for difference in (None, SHARE * float(np.std(amounts))):
            constraint = None if difference is None else "demographic_parity"
            model = OptimalTreeRegressor(
                DEPTH, constraint=constraint, max_difference=difference, time_limit=seconds, random_state=SEED
            )
            start = time.process_time()
            model.fit(columns, amounts, sensitive_features=None if difference is None else groups)
            lines.append(
                [
                    f"{name}, {len(columns):,} x {columns.shape[1]}",
                    model.n_splits_considered_,
                    "none" if difference is None else f"{difference:.4g}",
                    f"{model.objective_:.5g}",
                    f"{model.bound_:.5g}",
                    f"{100 * model.gap_:.1f} %",
                    model.status_,
                    f"{time.process_time() - start:.1f}",
                ]
            )
    header = ["data", "splits", "means apart at most", "mean absolute error", "bound", "apart", "ended", "s"]
    return markdown(header, lines)
