"""How many splits trees should be made of: held-out rows of five tables, five divisions of each."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import SEED, markdown
from benchmarks.luskin_data import find
from benchmarks.yardsticks import CASES, Case
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier

TABLES = CASES | {
    "Default": Case("credit_default.csv.gz", "default payment next month", "0", "SEX = 2", "SEX", ("SEX", "ID"))
}
MOST = {2: (240, 1_000), 3: (80, 240), 4: (40, 60)}
"""By depth, the numbers of splits that are compared."""
GAPS = (None, 0.05)
N_DIVISIONS = 5
SPLIT_SHARES = (0.6, 0.8)
"""Where tuning rows and held-out rows begin."""
LEAF = 10
"""Rows of a leaf, at least, as the app proposes."""


@dataclass(frozen=True)
class Fit:
    """What one tree came to.

    Parameters
    ----------
    splits : int
        That it was made of, at most.
    wrong : float
        The share of training rows that it is wrong for.
    tuning, held_out : float
        Accuracy on other rows.
    gap : float
        On the held-out rows, of the shares of predictions.
    apart : float
        From the bound.
    seconds : float
        Of the processor.
    """

    splits: int
    wrong: float
    tuning: float
    held_out: float
    gap: float
    apart: float
    seconds: float


def read(case: Case) -> tuple[pd.DataFrame, NDArray[np.int64], pd.Series] | None:
    """Return columns, outcomes and groups; None where the table is not there."""
    path = find(case.file)
    if path is None:
        return None
    table = pd.read_csv(path, sep=case.separator, na_values="?", skipinitialspace=True)
    if case.by == "young":
        table["young"] = np.where(table["age"] < 25, "yes", "no")
    if case.by == "race":
        table = table[table["race"].isin(["African-American", "Caucasian"])].reset_index(drop=True)
    good = table[case.decision].astype(str).eq(case.favorable).to_numpy(np.int64)
    columns = table.drop(columns=[name for name in table if name in (*case.left_out, case.decision)])
    return columns, good, table[case.by].astype(str)


def fits(case: Case, depth: int, most: int, gap: float | None, work: float) -> Iterator[Fit]:
    """Fit a tree on each division."""
    rows = read(case)
    if rows is None:
        return
    X, good, groups = rows
    for division in range(N_DIVISIONS):
        places = np.random.default_rng(division).permutation(len(X))
        train, tuning, held_out = np.split(places, [int(share * len(X)) for share in SPLIT_SHARES])
        limits = {} if gap is None else {"constraint": "demographic_parity", "max_difference": gap}
        model = OptimalTreeClassifier(
            depth, max_splits=most, min_leaf_size=LEAF, time_limit=work, random_state=SEED, **limits
        )
        start = time.process_time()
        model.fit(X.iloc[train], good[train], sensitive_features=groups.iloc[train])
        used = time.process_time() - start
        tuned, held = (model.predict(X.iloc[part]) for part in (tuning, held_out))
        rates = pd.Series(held).groupby(groups.iloc[held_out].to_numpy()).mean()
        yield Fit(
            model.n_splits_considered_,
            float(model.objective_),
            float((tuned == good[tuning]).mean()),
            float((held == good[held_out]).mean()),
            float(rates.max() - rates.min()),
            float(model.gap_),
            used,
        )


def change(few: Sequence[Fit], many: Sequence[Fit], what: str) -> str:
    """Return the mean of differences in percent, and its standard error."""
    found = 100 * np.array(
        [getattr(after, what) - getattr(before, what) for before, after in zip(few, many, strict=True)]
    )
    return f"{found.mean():+.2f} ({found.std(ddof=1) / np.sqrt(len(found)):.2f})"


def table(work: float, depths: Sequence[int] = tuple(MOST)) -> str:
    """Return one line for each depth, table and limit."""
    lines = []
    for depth in depths:
        for name, case in TABLES.items():
            for gap in GAPS:
                few, many = (list(fits(case, depth, most, gap, work)) for most in MOST[depth])
                if not few:
                    continue
                before, after = (pd.DataFrame(each).mean() for each in (few, many))
                lines.append(
                    [
                        f"{name}",
                        f"{depth}",
                        "none" if gap is None else f"{gap}",
                        f"{before['splits']:.0f}, {after['splits']:.0f}",
                        *(change(few, many, what) for what in ("wrong", "tuning", "held_out")),
                        f"{100 * before['gap']:.1f}, {100 * after['gap']:.1f}",
                        f"{100 * after['apart']:.1f}",
                        f"{before['seconds']:.1f}, {after['seconds']:.1f}",
                    ]
                )
    header = ["data", "depth", "gap at most", "splits", "wrong, points", "tuning accuracy", "held-out accuracy",
              "held-out gap, points", "from the bound, %", "s"]  # fmt: skip
    return markdown(header, lines)
