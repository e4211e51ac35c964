"""Limits among similar cases that hold on new people: how often they are missed, over known populations.

Of a population whose groups live in different strata, with a gap in each that may point the other way from that of all
people together, many tables are drawn. Models are trained to a limit on the average gap over strata: as the rows that
they are chosen by say, and certified on rows set aside. Their true gap is that in a large draw of the same population.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from statsmodels.stats.proportion import proportion_confint

from benchmarks.common import markdown, say, setting
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.similar_cases import Averages
from fairaudit.estimators.thresholds import GroupThresholdClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier

CONFIDENCE, FRACTION = 0.9, 0.4
LARGE = 200_000
"""Rows of the draw that stands for the population."""
LIMIT = 0.06
METRICS = {"demographic_parity": ("demographic_parity",), "equalized_odds": ("fnr", "fpr")}


@dataclass(frozen=True, eq=False)
class People:
    """Rows of a population."""

    X: pd.DataFrame
    y: NDArray[np.int64]
    group: NDArray[np.int64]
    strata: NDArray[np.int64]


def draw(n: int, n_strata: int, random: np.random.Generator) -> People:
    """Draw rows: group 1 is more frequent in high strata, where more are approved, and favoured less inside each."""
    strata = random.integers(0, n_strata, n)
    group = (random.random(n) < 0.25 + 0.5 * strata / max(n_strata - 1, 1)).astype(np.int64)
    score = random.integers(0, 8, n)
    level = score + 3 * strata / max(n_strata - 1, 1) - 1.2 * group
    y = (random.random(n) < 1 / (1 + np.exp(-(level - 4)))).astype(np.int64)
    hint = random.integers(0, 3, n) + 2 * group
    X = pd.DataFrame({"score": score, "stratum": strata, "hint": hint})
    return People(X, y, group, strata)


def gap_of(people: People, h: NDArray[np.int64], kind: str) -> float:
    """Return the largest average gap over strata."""
    gaps = []
    for metric in METRICS[kind]:
        among = {"demographic_parity": np.ones(len(h), dtype=bool), "fnr": people.y == 1, "fpr": people.y == 0}[metric]
        share = Averages.of(people.group, people.strata, 2, among).per_row
        own = share[people.group, people.strata] * among * h
        gaps.append(abs(own[people.group == 1].sum() - own[people.group == 0].sum()))
    return float(max(gaps))


def fitted(way: str, rows: People, seed: int, fraction: float) -> tuple[bool, str, Callable[[People], NDArray]]:
    """Train in a way; return whether it says that the limit is met, on what, and who is predicted what."""
    certifying = {"certify_fraction": fraction, "confidence": CONFIDENCE, "random_state": seed}
    who = {"sensitive_features": rows.group, "strata": rows.strata}
    if way == "constraints":
        kind = "demographic_parity"
        model = ConstrainedClassifier(specs=f"demographic_parity by g <= {LIMIT}", **certifying)
        model.fit(rows.X, rows.y, sensitive_features=pd.DataFrame({"g": rows.group}), strata=rows.strata)
        is_met = model.feasible_
    elif way == "thresholds":
        kind = "equalized_odds"
        model = GroupThresholdClassifier(method="exact", max_difference=LIMIT, **certifying)
        model.fit(rows.X, rows.y, **who)
        points = model.problem_.at(model.thresholds_)
        is_met = max(np.ptp(points.tpr), np.ptp(points.fpr)) <= LIMIT
    elif way == "rules":
        kind = "demographic_parity"
        model = RuleSetClassifier(8, fairness="demographic_parity", max_difference=LIMIT, time_limit=8, **certifying)
        model.fit(rows.X, rows.y, **who)
        is_met = model.fairness_gap_ <= LIMIT
    else:
        kind = "demographic_parity"
        model = OptimalTreeClassifier(2, constraint=kind, max_difference=LIMIT, time_limit=8, **certifying)
        model.fit(rows.X, rows.y, **who)
        is_met = model.status_ != "infeasible"
    if fraction:
        is_met = model.certified_.is_certified
    more = (lambda people: {"sensitive_features": people.group}) if way == "thresholds" else lambda people: {}
    return is_met, kind, lambda people: np.asarray(model.predict(people.X, **more(people)), dtype=np.int64)


def line(way: str, rows: list[People], judged: People, fraction: float) -> tuple[str, ...]:
    """Train on each table and judge on the population; return the figures."""
    start, found = time.process_time(), []
    for seed, each in enumerate(rows):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            is_met, kind, predicted = fitted(way, each, seed, fraction)
        h = predicted(judged)
        gap = gap_of(judged, h, kind)
        found.append((is_met, is_met and gap > LIMIT, gap, float((h == judged.y).mean())))
    met, missed, gaps, right = np.array(found, dtype=float).T
    high = proportion_confint(int(missed.sum()), len(found), method="wilson")[1]
    shown = [f"{values[met > 0].mean():.4f}" if met.any() else "" for values in (right, gaps)]
    seconds = (time.process_time() - start) / len(found)
    name = f"{way}, certified" if fraction else f"{way}, as learned"
    return (name, f"{int(met.sum())} of {len(found)}", f"{int(missed.sum())} ({high:.0%})", *shown, f"{seconds:.1f}")


HEADER = ("way", "said to be met", "missed (95 % at most)", "accuracy where met", "gap where met", "seconds")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200, help="tables of each population")
    parser.add_argument("--n", type=int, nargs="+", default=[600, 2_000])
    parser.add_argument("--strata", type=int, nargs="+", default=[3, 12])
    parser.add_argument("--ways", nargs="+", default=["constraints", "thresholds", "rules", "trees"])
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    say(setting("scikit-learn", seed=asked.seed))
    for n_strata in asked.strata:
        judged = draw(LARGE, n_strata, np.random.default_rng(asked.seed))
        for n in asked.n:
            rows = [draw(n, n_strata, np.random.default_rng([asked.seed, 1, i])) for i in range(asked.draws)]
            lines = [line(way, rows, judged, fraction) for way in asked.ways for fraction in (0.0, FRACTION)]
            say(f"\n{n_strata} strata, gaps within {LIMIT} on average, {n:,} rows\n")
            say(markdown(HEADER, lines))


if __name__ == "__main__":
    main()
