"""Limits that hold on new people: how often they are missed, and what that costs, over known populations.

Of each population many tables are drawn. A logistic regression is trained to a limit on the gap between groups: as
tuning rows say, certified on rows set aside, and by fairlearn's reduction and thresholds. Its true gap and accuracy are
those in a large draw of the same population; predictions that are drawn by lot count by their chances. A limit is
missed where the way says that it is met and the true gap is larger. The reduction and the thresholds of fairlearn
promise nothing about other rows; of them it is shown how often the gap is larger. fairlearn limits no gap in false
discoveries or omissions, and its thresholds none in accuracy.

``--rows FILE`` keeps each table's result at once, and goes on from there; ``--minutes 20`` ends after so much work of
the processor and prints what is there. Tables are taken in turn from all populations, so that what is there is even.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from fairlearn.postprocessing import ThresholdOptimizer
from fairlearn.reductions import (
    DemographicParity,
    EqualizedOdds,
    ErrorRateParity,
    ExponentiatedGradient,
    FalsePositiveRateParity,
    TruePositiveRateParity,
)
from numpy.typing import NDArray
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression
from statsmodels.stats.proportion import proportion_confint

from benchmarks.common import markdown, say, setting
from benchmarks.constraints_runs import Kept
from benchmarks.luskin_data import find
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.models import make_model

Floats = NDArray[np.float64]

CONFIDENCE, FRACTION = 0.9, "auto"
LARGE = 200_000
"""Rows of the draw that stands for the population."""

LIMITS = {
    "demographic_parity": 0.05,
    "fnr": 0.1,
    "fpr": 0.1,
    "equalized_odds": 0.1,
    "error_rate": 0.05,
    "fdr": 0.1,
    "for_": 0.1,
}
RATES = {"equalized_odds": ("fpr", "fnr")}
"""The rates that a limit is on, where these are not it itself."""
THEIRS = {
    "demographic_parity": (DemographicParity, "demographic_parity"),
    "fnr": (TruePositiveRateParity, "true_positive_rate_parity"),
    "fpr": (FalsePositiveRateParity, "false_positive_rate_parity"),
    "equalized_odds": (EqualizedOdds, "equalized_odds"),
    "error_rate": (ErrorRateParity, None),
}
SIZES = (600, 2_000, 10_000)
DRAWS = {600: 100, 2_000: 100, 10_000: 30}
"""Tables of each population that are certified on, by their rows."""
PEER_DRAWS = {600: 20, 2_000: 20, 10_000: 6}
"""Tables that the other ways learn from, too."""
SHARES = {2: (0.65, 0.35), 4: (0.4, 0.3, 0.2, 0.1)}

TUNED, CERTIFIED, REDUCTION, THRESHOLDS = "tuned", "certified", "ExponentiatedGradient", "ThresholdOptimizer"


@dataclass(frozen=True, eq=False)
class People:
    """Rows of a population."""

    X: pd.DataFrame
    y: NDArray[np.int64]
    group: NDArray[np.generic]

    def take(self, rows: NDArray[np.int64]) -> People:
        """Return some of the rows."""
        return People(self.X.iloc[rows].reset_index(drop=True), self.y[rows], self.group[rows])


def draw(n: int, shares: tuple[float, ...], rng: np.random.Generator) -> People:
    """Draw rows in which later groups have lower first two features, and the label is logistic in three of four."""
    group = rng.choice(len(shares), n, p=shares)
    X = rng.normal(size=(n, 4))
    X[:, 0] -= 0.4 * group / max(len(shares) - 1, 1)
    X[:, 1] -= 0.2 * group / max(len(shares) - 1, 1)
    y = (rng.random(n) < 1 / (1 + np.exp(-(X @ np.array([1.2, 0.6, -0.4, 0.0]) + 0.4)))).astype(np.int64)
    return People(pd.DataFrame(X, columns=list("abcd")), y, group)


def rate_of(metric: str, y: NDArray[np.int64], chances: Floats) -> float:
    """Return a rate of some rows, from each row's chance of a yes."""
    yes, no = chances, 1 - chances
    hit, base = {
        "demographic_parity": (yes, np.ones(len(y))),
        "error_rate": (np.where(y == 1, no, yes), np.ones(len(y))),
        "fpr": (yes * (y == 0), y == 0),
        "fnr": (no * (y == 1), y == 1),
        "fdr": (yes * (y == 0), yes),
        "for_": (no * (y == 1), no),
    }[metric]
    return float(hit.sum() / base.sum()) if base.sum() > 0 else float("nan")


def gap_of(people: People, chances: Floats, metric: str) -> float:
    """Return the largest gap between two groups in the metric; 1 where a group has nobody whom its rate counts."""
    groups = [people.group == group for group in np.unique(people.group)]
    gaps = [
        np.ptp([rate_of(name, people.y[group], chances[group]) for group in groups])
        for name in RATES.get(metric, (metric,))
    ]
    return float(np.nan_to_num(np.max(gaps), nan=1.0))


def fitted(way: str, rows: People, metric: str, limit: float, seed: int) -> tuple[bool, Callable[[People], Floats]]:
    """Train in a way; return whether it says that the limit is met, and the chances of a yes that it gives."""
    if way in (TUNED, CERTIFIED):
        model = ConstrainedClassifier(
            make_model("logistic_regression", random_state=0),
            f"{metric} by g <= {limit}",
            random_state=seed,
            certify_fraction=FRACTION if way == CERTIFIED else 0.0,
            confidence=CONFIDENCE,
        ).fit(rows.X, rows.y, sensitive_features=pd.DataFrame({"g": rows.group}))
        return model.status_ == "met", lambda people: model.predict(people.X).astype(float)
    plain = LogisticRegression(max_iter=500)
    if way == REDUCTION:
        # fairlearn's bound is the distance of a group to all rows.
        theirs = ExponentiatedGradient(plain, THEIRS[metric][0](difference_bound=limit / 2))
        theirs.fit(numbers(rows), rows.y, sensitive_features=rows.group)
        return True, lambda people: theirs._pmf_predict(numbers(people))[:, 1]
    theirs = ThresholdOptimizer(estimator=plain, constraints=THEIRS[metric][1], predict_method="predict_proba")
    theirs.fit(numbers(rows), rows.y, sensitive_features=rows.group)
    return True, lambda people: theirs._pmf_predict(numbers(people), sensitive_features=people.group)[:, 1]


def numbers(people: People) -> Floats:
    """Return the features as numbers; those of real tables are prepared by hand."""
    return pd.get_dummies(people.X).to_numpy(dtype=float)


def measured(way: str, rows: People, judged: People, metric: str, limit: float, seed: int) -> dict[str, float]:
    """Train on some rows and judge on others."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        is_met, chances_of = fitted(way, rows, metric, limit, seed)
        seconds = time.process_time() - start
        chances = chances_of(judged)
    accuracy = float(np.mean(np.where(judged.y == 1, chances, 1 - chances)))
    gap = gap_of(judged, chances, metric)
    missed = bool(is_met and gap > limit)
    return {"met": bool(is_met), "missed": missed, "gap": gap, "accuracy": accuracy, "seconds": seconds}


def line(way: str, found: list[dict[str, float]]) -> tuple[str, ...]:
    """Return the figures of a way."""
    table = pd.DataFrame(found)
    n, n_missed, met = len(table), int(table.missed.sum()), table[table.met.astype(bool)]
    high = proportion_confint(n_missed, n, method="wilson")[1]
    chance = binomtest(n_missed, n, 1 - CONFIDENCE, alternative="greater").pvalue
    shown = [f"{met[name].mean():.4f}" if len(met) else "" for name in ("accuracy", "gap")]
    missed = f"{n_missed} ({high:.0%})"
    return (way, f"{len(met)} of {n}", missed, f"{chance:.2f}", *shown, f"{table.seconds.mean():.1f}")


HEADER = (
    "way", "said to be met", "missed (95 % at most)", "p of more than 10 %", "accuracy where met", "gap where met",
    "seconds",
)  # fmt: skip
CELL_HEADER = ("groups", "metric, limit", "rows", *HEADER)

Task = tuple[int, str, int, int, str]
"""Groups, metric, rows, the number of the table, and the way."""


def tasks(asked: argparse.Namespace) -> Iterator[Task]:
    """Return all tables and ways, in turn from all populations; all certified ones of a round come first."""
    cells = [
        (n_groups, metric, n)
        for n, n_groups, metric in product(SIZES, SHARES, LIMITS)
        if asked.groups in (None, n_groups) and asked.n in (None, n) and asked.metric in (None, metric)
    ]
    for i in range(asked.draws or max(DRAWS.values())):
        for way in asked.ways:
            most = {n: asked.draws or (DRAWS if way == CERTIFIED else PEER_DRAWS)[n] for n in SIZES}
            for n_groups, metric, n in cells:
                if i < most[n] and can(way, metric):
                    yield n_groups, metric, n, i, way


def can(way: str, metric: str) -> bool:
    """Say whether a way takes a limit on the metric."""
    if way in (TUNED, CERTIFIED):
        return True
    return metric in THEIRS and (way == REDUCTION or THEIRS[metric][1] is not None)


def populations(asked: argparse.Namespace) -> None:
    """Print what each way does on tables of the made populations."""
    kept, end = Kept(asked.rows), time.process_time() + 60 * asked.minutes
    judged = {n: draw(LARGE, parts, np.random.default_rng(asked.seed)) for n, parts in SHARES.items()}
    found: dict[tuple[int, str, int], dict[str, list[dict[str, float]]]] = {}
    for n_groups, metric, n, i, way in tasks(asked):
        key = ("population", n_groups, metric, n, i, way, asked.seed)
        if key not in kept.found and time.process_time() > end:
            continue
        rows = draw(n, SHARES[n_groups], np.random.default_rng([asked.seed, 1, i]))
        one = kept.get(key, lambda a=(way, rows, judged[n_groups], metric, LIMITS[metric], i): measured(*a))
        if one is not None:
            found.setdefault((n_groups, metric, n), {}).setdefault(way, []).append(one)
    lines = [
        (n_groups, f"{metric} {LIMITS[metric]}", f"{n:,}", *line(way, each))
        for (n_groups, metric, n), ways in sorted(found.items())
        for way, each in ways.items()
    ]
    say("\n" + markdown(CELL_HEADER, lines) + "\n")
    for way in asked.ways:
        every = [one for ways in found.values() for one in ways.get(way, [])]
        if every:
            missed, met = (sum(bool(one[name]) for one in every) for name in ("missed", "met"))
            say(f"{way}: {missed} of {len(every):,} missed, {met:,} said to be met.")


TABLES = {
    "law school": ("law_school_clean.csv", "pass_bar", "race", 4_000),
    "Dutch census": ("dutch.csv", "occupation", "sex", 8_000),
}


def tables(n_draws: int, ways: list[str], asked: argparse.Namespace) -> None:
    """Print the same of divisions of real tables, judged by the rows left out."""
    for name, (file, label, group, n) in TABLES.items():
        path = find(file)
        if path is None:
            say(f"\n{name}: {file} is not there.")
            continue
        table = pd.read_csv(path)
        y = table[label].eq(table[label].max()).to_numpy(dtype=np.int64)
        people = People(table.drop(columns=[label]), y, table[group].to_numpy())
        found: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
        for i in range(n_draws):
            order = np.random.default_rng([asked.seed, i]).permutation(len(y))
            parts = people.take(order[:n]), people.take(order[n:])
            for way in ways:
                found[way].append(measured(way, *parts, "demographic_parity", LIMITS["demographic_parity"], i))
        say(f"\n{name}, demographic_parity by {group} within {LIMITS['demographic_parity']}, {n:,} rows\n")
        say(markdown(HEADER, [line(way, each) for way, each in found.items()]))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("populations", "tables"))
    parser.add_argument("--draws", type=int, help=f"tables of each population; by default {DRAWS}, others {PEER_DRAWS}")
    parser.add_argument("--divisions", type=int, default=60, help="divisions of each real table")
    parser.add_argument("--ways", nargs="+", default=[TUNED, CERTIFIED, REDUCTION, THRESHOLDS])
    parser.add_argument("--groups", type=int, choices=tuple(SHARES))
    parser.add_argument("--metric", choices=tuple(LIMITS))
    parser.add_argument("--n", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", type=Path, help="a file that keeps each result at once, and is read at the start")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="of the processor")
    asked = parser.parse_args()
    say(setting("scikit-learn", "fairlearn", seed=asked.seed))
    if asked.part != "tables":
        populations(asked)
    if asked.part != "populations":
        tables(asked.divisions, asked.ways, asked)


if __name__ == "__main__":
    main()
