"""What is proven of rule sets by the length of their rules, and how soon: real and made rows, more than 20,000."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import SEED, markdown
from benchmarks.constraints_runs import Kept
from benchmarks.luskin_targets import Target
from benchmarks.rule_sets_data import read
from benchmarks.rule_sets_runs import CLOSE, SHORT, side_by_side
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.events import Incumbent

EPSILON = 0.025
WORK_S = 150.0
"""Work of a fit."""
CLOSED_S, MOST_GAP = 60.0, 0.05
"""Targets: seconds of the processor until the relaxation is solved, and the distance to the bound."""

CASES = (
    ("Adult", None, 15),
    ("Adult", "equal_opportunity", 15),
    ("Adult", "equalized_odds", 15),
    ("Adult", None, 40),
    ("Adult", "equal_opportunity", 40),
    ("Adult", "equalized_odds", 40),
    ("law students", "equalized_odds", 15),
    ("60,000 x 40", "equalized_odds", 15),
)
Rows = tuple[pd.DataFrame, NDArray[np.int64], Any]


def law_students(n_rows: int = 20_798) -> Rows:
    """Return made law students: grades and scores of ten columns, and whether they pass, as most do."""
    random = np.random.default_rng(SEED)
    first = random.normal(0, 0.9, n_rows).round(2)
    last = (0.8 * first + random.normal(0, 0.6, n_rows)).round(2)
    score = np.clip(random.normal(37, 5.5, n_rows), 11, 48).round(1)
    X = pd.DataFrame(
        {
            "decile first year": np.clip((2.5 * first + 5.5).round(), 1, 10),
            "decile third year": np.clip((2.5 * last + 5.5).round(), 1, 10),
            "score": score,
            "grade before": np.clip(random.normal(3.2, 0.4, n_rows), 1.5, 4).round(1),
            "grade first year": first,
            "grade": last,
            "full time": random.integers(1, 3, n_rows),
            "income": random.integers(1, 6, n_rows),
            "male": random.integers(0, 2, n_rows),
            "tier": random.integers(1, 7, n_rows),
        }
    )
    group = np.where(random.random(n_rows) < 0.16, "b", "a")
    odds = 2.2 + 1.1 * last + 0.09 * (score - 37) + 0.3 * (group == "a")
    return X, (random.random(n_rows) < 1 / (1 + np.exp(-odds))).astype(np.int64), group


def many_columns(n_rows: int = 60_000) -> Rows:
    """Return 20 numbers, 12 categories and 8 codes; the label follows three rules, turned around for one row in six."""
    random = np.random.default_rng(SEED)
    columns: dict[str, Any] = {
        f"number {i}": random.normal(size=n_rows) if i % 2 else random.integers(0, 100, n_rows) for i in range(20)
    }
    columns |= {f"kind {i}": np.array(list("abcdefgh"))[random.integers(0, 3 + i % 5, n_rows)] for i in range(12)}
    columns |= {f"code {i}": random.integers(0, 2, n_rows) for i in range(8)}
    X = pd.DataFrame(columns)
    group = np.where(random.random(n_rows) < 0.3 + 0.2 * X["code 0"], "b", "a")
    truth = (X["number 0"] > 60) & (X["number 1"] > 0)
    truth |= (X["kind 1"] == "b") & (X["code 1"] == 1) & (X["number 2"] < 40)
    truth |= (X["number 3"] > 0.8) & (X["kind 2"] != "a")
    y = truth.to_numpy() ^ (random.random(n_rows) < np.where(group == "b", 0.2, 0.15))
    return X, y.astype(np.int64), group


def fit(name: str, fairness: str | None, max_complexity: int, seed: int) -> dict[str, Any] | None:
    """Fit once, with the usual length of rules; None where the file of the data set is not there."""
    made = {"law students": law_students, "60,000 x 40": many_columns}
    if name in made:
        X, y, group = made[name]()
    elif (data := read(name)) is None:
        return None
    else:
        train, _ = data.folds(seed)[0]
        X, y, group = data.X.iloc[train], data.y[train], data.sensitive.iloc[train]
    model = RuleSetClassifier(
        max_complexity,
        fairness=fairness,
        max_difference=EPSILON,
        use_sensitive=True,
        time_limit=WORK_S,
        random_state=seed,
    )
    start, closed_s = time.process_time(), math.nan
    for event in model.iter_fit(X, y, sensitive_features=group):
        if not isinstance(event, Incumbent) or event.what != "round" or not math.isnan(closed_s):
            continue
        if event.figures["lp"] - event.figures["bound"] <= CLOSE * max(event.figures["lp"], 1):
            closed_s = time.process_time() - start
    return {
        "name": name,
        "fairness": fairness,
        "max_complexity": max_complexity,
        "n_rows": len(y),
        "n_literals": len(model.literals_),
        "closed_s": closed_s,
        "processor_s": time.process_time() - start,
        "bounds": [[each.max_rule_length, each.bound] for each in model.bounds_],
        "objective": model.best_objective_,
        "gap": (model.best_objective_ - model.bound_) / max(model.best_objective_, 1),
        "status": model.status_,
    }


def measure(seed: int, kept: Kept, processes: int) -> list[dict[str, Any]]:
    """Fit each case."""
    keys = [("lengths", *case, seed) for case in CASES]
    return side_by_side(keys, fit, [(*case, seed) for case in CASES], kept, processes)


def as_table(found: list[dict[str, Any]]) -> str:
    """Return one line for each case."""
    header = [
        "rows", "constraint .025", "C", "rows learned from", "literals", "relaxation solved, s of the processor",
        "fit, s of the processor", "bound for 2 conditions", "for 3", "loss", "to the bound, %", "status",
    ]  # fmt: skip
    lines = []
    for one in found:
        bounds = {length: f"{bound:,.0f}" for length, bound in one["bounds"]}
        closed = "not solved" if math.isnan(one["closed_s"]) else f"{one['closed_s']:.1f}"
        lines.append(
            [
                one["name"],
                SHORT[one["fairness"]],
                one["max_complexity"],
                f"{one['n_rows']:,}",
                one["n_literals"],
                closed,
                f"{one['processor_s']:.1f}",
                bounds[2],
                bounds[3],
                f"{one['objective']:,.0f}",
                f"{100 * one['gap']:.2f}",
                one["status"],
            ]
        )
    return markdown(header, lines)


def targets(found: list[dict[str, Any]]) -> list[Target]:
    """Return whether each relaxation was solved soon, and how near each loss is to its bound."""
    goals = []
    for one in found:
        words = f"{one['name']}, {SHORT[one['fairness']]}, C = {one['max_complexity']}"
        closed = math.inf if math.isnan(one["closed_s"]) else one["closed_s"]
        goals.append(Target(f"{words}: seconds until the relaxation is solved", closed, most=CLOSED_S))
        goals.append(Target(f"{words}: distance to the bound, %", 100 * one["gap"], most=100 * MOST_GAP))
    return goals
