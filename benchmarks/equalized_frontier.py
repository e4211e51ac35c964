"""Accuracy against gaps on COMPAS with six kinds of columns, race unknown in decisions: what each weight gives.

Run from the folder of the project, with ``../shared/data`` beside it::

    OMP_NUM_THREADS=1 python -m benchmarks.equalized_frontier             # five divisions; a few minutes
    OMP_NUM_THREADS=1 python -m benchmarks.equalized_frontier --seeds 1   # quick

White and black persons, their age, juvenile counts, priors, sex and degree of charge; three quarters of the rows are
learned from and give the most accurate threshold, and all figures are of the others. Beside both distances stand
fairlearn's reduction, and what any score that is a sum of these columns could reach: weights and one threshold that
were searched for directly, from many starts, to be most accurate on the learning rows within limits of both gaps there.
"""

from __future__ import annotations

import argparse
import statistics
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from fairlearn.reductions import EqualizedOdds, ExponentiatedGradient
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from benchmarks.common import markdown, say, setting
from benchmarks.luskin_data import find, with_floats
from fairaudit.estimators.base import TablePreparation
from fairaudit.estimators.equalized import EqualizedDistributionClassifier
from fairaudit.estimators.equalized.loss import DISTANCES

WEIGHTS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.0)
COLUMNS = (
    "age", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count", "sex", "c_charge_degree",
)  # fmt: skip
ALLOWED = (0.02, 0.05, 0.1)
"""Of fairlearn's reduction."""

LIMITS = ((0.16, 0.1), (0.12, 0.08), (0.08, 0.05), (0.04, 0.03))
"""Gaps in true and false positive rates that the direct search allows on the learning rows."""

STARTS, STEEPNESS, PENALTY, CUTS = 8, (2.0, 5.0, 15.0, 40.0), 200.0, 401
"""Of the direct search: random starts, how sharp its threshold becomes, the weight of limits, thresholds tried."""

Figures = tuple[float, ...]


class Division:
    """One division of the rows: `learn` and `test` are row numbers."""

    def __init__(self, table: pd.DataFrame, seed: int):
        self.X = with_floats(table[list(COLUMNS)])
        self.y = table["two_year_recid"].to_numpy()
        self.black = table["race"].eq("African-American").to_numpy()
        self.learn, self.test = train_test_split(np.arange(len(table)), test_size=0.25, random_state=seed)

    def figures(self, answer: NDArray[np.float64], rows: NDArray[np.int64], spread: float = float("nan")) -> Figures:
        """Return accuracy, both gaps, the share of positives and the spread of scores."""
        y, black = self.y[rows], self.black[rows]
        gaps = [abs(answer[(y == k) & black].mean() - answer[(y == k) & ~black].mean()) for k in (1, 0)]
        accuracy = np.mean(np.where(y == 1, answer, 1 - answer))
        return float(accuracy), *map(float, gaps), float(answer.mean()), spread


def equalized(division: Division, weight: float, distance: str) -> Figures:
    """Return the figures of one weight."""
    learn, test = division.learn, division.test
    model = EqualizedDistributionClassifier(weight, distance=distance)
    X, y = division.X.iloc[learn], division.y[learn]
    model.fit(X, y, sensitive_features=division.black[learn]).choose_threshold(X, y)
    held = division.X.iloc[test]
    return division.figures(model.predict(held).astype(float), test, float(model.predict_proba(held)[:, 1].std()))


def reduction(division: Division, allowed: float) -> Figures:
    """Return the figures of fairlearn's reduction, as shares over its draws."""
    learn, test = division.learn, division.test
    preparation = TablePreparation().fit(division.X.iloc[learn])
    model = ExponentiatedGradient(LogisticRegression(C=1e6, max_iter=1000), EqualizedOdds(difference_bound=allowed))
    model.fit(
        preparation.transform(division.X.iloc[learn]), division.y[learn], sensitive_features=division.black[learn]
    )
    held = preparation.transform(division.X.iloc[test])
    shares = [(weight, model.predictors_[i]) for i, weight in model.weights_.items() if weight > 0]
    return division.figures(sum(weight * rule.predict(held).astype(float) for weight, rule in shares), test)


def direct(division: Division, limits: tuple[float, float], seed: int) -> tuple[Figures, Figures]:
    """Return the figures on the learning and on the other rows of the best weights and threshold that were found."""
    learn, test = division.learn, division.test
    preparation = TablePreparation().fit(division.X.iloc[learn])
    Z, held = (
        np.column_stack([preparation.transform(division.X.iloc[rows]), np.ones(len(rows))]) for rows in (learn, test)
    )
    y, black = division.y[learn], division.black[learn]
    # starts: a plain model, models of smaller gaps, and directions at random
    plain = LogisticRegression(C=1e6, max_iter=1000).fit(Z[:, :-1], y)
    starts = [np.append(plain.coef_[0], plain.intercept_)]
    for weight in (0.5, 0.3):
        model = EqualizedDistributionClassifier(weight)
        model.fit(division.X.iloc[learn], y, sensitive_features=black)
        starts.append(np.append(model.coef_[0], model.intercept_))
    starts += list(np.random.default_rng(seed).normal(size=(STARTS, Z.shape[1])))

    def smooth(weights: NDArray[np.float64], steepness: float) -> tuple[float, NDArray[np.float64]]:
        p = expit(steepness * (Z @ weights))
        value, by_p = -np.mean(np.where(y == 1, p, 1 - p)), (1 - 2 * y) / len(y)
        for label, limit in zip((1, 0), limits, strict=True):
            first, second = (y == label) & black, (y == label) & ~black
            gap = p[first].mean() - p[second].mean()
            over = max(abs(gap) - limit, 0.0)
            value += PENALTY * over**2
            slope = 2 * PENALTY * over * np.sign(gap)
            by_p = by_p + slope * (first / first.sum() - second / second.sum())
        return value, steepness * Z.T @ (by_p * p * (1 - p))

    best: tuple[Figures, Figures] | None = None
    for start in starts:
        weights = start / np.linalg.norm(start[:-1])
        for steepness in STEEPNESS:
            weights = minimize(smooth, weights, args=(steepness,), jac=True, method="L-BFGS-B").x
            weights = weights / np.linalg.norm(weights[:-1])
        z = Z @ weights
        for cut in np.quantile(z, np.linspace(0, 1, CUTS)):
            learned = division.figures((z >= cut).astype(float), learn)
            within = all(gap <= limit for gap, limit in zip(learned[1:3], limits, strict=True))
            if within and (best is None or learned[0] > best[0][0]):
                best = learned, division.figures((held @ weights >= cut).astype(float), test)
    assert best is not None, "the same answer for all is within any limits"
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="how many divisions")
    n_seeds = parser.parse_args().seeds
    path = find("compas_two_years.csv.gz")
    if path is None:
        say("There is no compas_two_years.csv.gz in ../shared/data.")
        return
    table = pd.read_csv(path)
    table = table[table["race"].isin(["Caucasian", "African-American"])].reset_index(drop=True)
    divisions = [Division(table, seed) for seed in range(n_seeds)]
    say(setting("numpy", "scipy", "scikit-learn", "fairlearn", seed=f"0-{n_seeds - 1}") + "\n")

    def line(name: str, work: Callable[[Division], Figures]) -> tuple[str, ...]:
        return name, *_means([work(division) for division in divisions])

    lines = [line("all the commoner answer", lambda d: d.figures(np.zeros(len(d.test)), d.test))]
    # collapsed scores are shown by their spread
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        for distance in DISTANCES:
            for weight in WEIGHTS:
                name = f"{distance}, weight {weight:g}"
                lines.append(line(name, lambda d, weight=weight, distance=distance: equalized(d, weight, distance)))
        for allowed in ALLOWED:
            lines.append(line(f"ExponentiatedGradient, {allowed:g}", lambda d, allowed=allowed: reduction(d, allowed)))
        for limits in LIMITS:
            found = [direct(division, limits, seed) for seed, division in enumerate(divisions)]
            name = f"direct search, at most {limits[0]:g} / {limits[1]:g}"
            lines.append((f"{name}: learning rows", *_means([learned for learned, _ in found])))
            lines.append((f"{name}: other rows", *_means([held for _, held in found])))
    say(markdown(("way", "accuracy", "TPR gap", "FPR gap", "positives", "spread of scores"), lines))


def _means(found: Sequence[Figures]) -> list[str]:
    columns = [statistics.fmean(values) for values in zip(*found, strict=True)]
    return ["" if np.isnan(value) else f"{value:.3f}" for value in columns]


if __name__ == "__main__":
    main()
