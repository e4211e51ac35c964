"""All trees, lists and rule sets within one point of the best: how many, how unequal, whom they decide both ways.

Four tables of ``../shared/data``, the group left out of the features; `python -m benchmarks.near_optimal [TABLE ...]`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.common import markdown, peak_mb, say, setting
from benchmarks.luskin_data import find
from fairaudit.estimators.rules.near_optimal import near_optimal_rule_sets
from fairaudit.estimators.trees.near_optimal import NearOptimalTrees, near_optimal_trees

WITHIN: Final = 0.01
SECONDS: Final = 300.0
WAYS: Final = (("tree", 2), ("list", 3), ("tree", 3))

Example = tuple[pd.DataFrame, pd.Series, pd.Series]
"""Features, labels and groups."""


def compas() -> Example | None:
    """Return COMPAS: no new offence within two years, African-American and Caucasian, in literals."""
    path = find("compas_fairml_5278.csv")
    if path is None:
        return None
    table = pd.read_csv(path)
    return table, table.pop("Two_yr_Recidivism") == 0, table.pop("African_American")


def adult() -> Example | None:
    """Return Adult: a high income, by sex."""
    path = find("adult.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path).drop(columns=["fnlwgt", "split"], errors="ignore")
    return table, table.pop("income").astype(str).str.strip() == ">50K", table.pop("sex")


def default() -> Example | None:
    """Return credit cards: no default, by sex."""
    path = find("credit_default.csv.gz")
    if path is None:
        return None
    table = pd.read_csv(path).drop(columns="ID")
    return table, table.pop("default payment next month") == 0, table.pop("SEX")


def german() -> Example | None:
    """Return German credit: a good risk, by sex."""
    path = find("german_credit.csv")
    if path is None:
        return None
    table = pd.read_csv(path)
    return table, table.pop("credit_risk") == "good", table.pop("sex")


TABLES: Final[dict[str, Callable[[], Example | None]]] = {
    "COMPAS": compas,
    "German credit": german,
    "Default": default,
    "Adult": adult,
}


def line(name: str, example: Example, form: str, depth: int) -> list[str]:
    """Return the figures of one set."""
    X, y, groups = example
    start = time.process_time()
    found: NearOptimalTrees = near_optimal_trees(
        X, y, sensitive_features=groups, max_depth=depth, form=form, within=WITHIN, time_limit=SECONDS, random_state=0
    )
    used = time.process_time() - start
    count = "" if found.n_trees is None else f"{found.n_trees:,}"
    drawn = found.drawn["gap"].quantile([0.05, 0.95]).to_numpy() if len(found.drawn) else np.full(2, np.nan)
    return [
        f"{name}, {len(X):,} x {found.n_splits_considered}",
        f"{form}, {depth}",
        count,
        f"{1 - found.least_loss:.4f}",
        f"{found.best.gap:.4f}",
        f"{found.smallest_gap:.4f} ({found.smallest_gap_bound:.4f})",
        f"{found.largest_gap:.4f} ({found.largest_gap_bound:.4f})",
        f"{drawn[0]:.3f} to {drawn[1]:.3f}",
        f"{100 * found.ambiguity:.1f}",
        f"{100 * found.discrepancy:.1f} ({100 * found.discrepancy_bound:.1f})",
        found.status,
        f"{used:.1f}",
        f"{peak_mb():,.0f}",
    ]


RULE_SETS: Final = ((3, 2, 16), (4, 2, 16), (2, 3, 16))
"""Rules of a set, conditions of a rule, and conditions in all, at most."""


def rules_line(name: str, example: Example, max_rules: int, max_length: int, max_splits: int) -> list[str]:
    """Return the figures of all sets of rules."""
    X, y, groups = example
    start = time.process_time()
    found = near_optimal_rule_sets(
        X, y, sensitive_features=groups, max_rules=max_rules, max_length=max_length, max_splits=max_splits,
        within=WITHIN, time_limit=60.0, random_state=0,
    )  # fmt: skip
    used = time.process_time() - start
    return [
        f"{name}, {len(X):,} x {found.n_splits_considered}",
        f"{found.max_rules} of {max_rules}, {max_length}",
        f"{len(found.rules):,}",
        f"{found.n_sets:,}",
        f"{1 - found.least_loss:.4f}",
        f"{found.smallest_gap:.4f}",
        f"{found.largest_gap:.4f}",
        f"{100 * found.ambiguity:.1f}",
        found.status,
        f"{used:.1f}",
        f"{peak_mb():,.0f}",
    ]


def main(names: list[str]) -> None:
    """Write the table."""
    say(setting("numpy", "scikit-learn", seed=0))
    lines, rules = [], []
    for name in names or list(TABLES):
        example = TABLES[name]()
        lines += [] if example is None else [line(name, example, form, depth) for form, depth in WAYS]
        rules += [] if example is None else [rules_line(name, example, *sizes) for sizes in RULE_SETS]
    header = ["data, rows x splits", "form, depth", "how many", "accuracy", "gap of the best", "smallest (bound)",
              "largest (bound)", "90 % of draws", "both ways %", "decided otherwise % (bound)", "status",
              "processor s", "MB"]  # fmt: skip
    say(markdown(header, lines))
    header = ["data, rows x conditions", "rules gone through, conditions each", "rules", "how many sets", "accuracy",
              "smallest gap", "largest gap", "both ways %", "status", "processor s", "MB"]  # fmt: skip
    say(markdown(header, rules))


if __name__ == "__main__":
    main(sys.argv[1:])
