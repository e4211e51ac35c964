"""A threshold for each group, beside luskin.txt (section 4.4.2, table 5), the exact optimum, and fairlearn.

Every model learns from 60 % of the rows and its thresholds from 20 %; everything shown is measured on the other 20 %,
except for the comparison of swarm and exact optimum, which is about the search itself.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from fairlearn.postprocessing import ThresholdOptimizer
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.common import markdown, say, setting
from benchmarks.luskin_data import adult, compas, find
from fairaudit.remedies.models import MODEL_WORDS, default_threshold, make_model, scores_of
from fairaudit.remedies.splitting import Split, split_rows
from fairaudit.remedies.thresholds import ThresholdProblem, iter_swarm

SEEDS = tuple(range(10))
WEIGHT = 1.0
"""The paper's fairness weight."""

TABLE_5 = {
    "logistic_regression": ((67.9, 0.309, 0.159), (66.2, 0.044, 0.013)),
    "svm": ((67.6, 0.274, 0.109), (65.3, 0.022, 0.007)),
}
"""Accuracy in percent, TPR gap and FPR gap before and after, on the paper's one test part."""

BEFORE, EXACT, SWARM, FAIRLEARN = "one threshold", "ours, exact", "ours, swarm", "fairlearn"


@dataclass(frozen=True)
class Row:
    """One way to predict, for one model and seed, on the held-out rows.

    `gap` is the larger of the gaps in TPR and FPR between any two groups. `objective` is accuracy minus `weight` times
    the gap of the search on the tuning rows, NaN where there was no search; `seconds` is what the search took.
    """

    data: str
    model: str
    seed: int
    way: str
    accuracy: float
    tpr_gap: float
    fpr_gap: float
    weight: float
    objective: float
    seconds: float

    @property
    def gap(self) -> float:
        """The larger of the two gaps."""
        return max(self.tpr_gap, self.fpr_gap)


@dataclass(frozen=True, eq=False)
class Case:
    """Scores of one fitted model for all rows."""

    data: str
    model: str
    seed: int
    scores: NDArray[np.float64]
    default: float
    y: NDArray[np.int64]
    groups: NDArray[Any]
    split: Split


class GivenScores(ClassifierMixin, BaseEstimator):
    """A classifier whose score is the one column it is given, as fairlearn wants one."""

    def fit(self, X: Any, y: Any) -> GivenScores:
        """Learn nothing."""
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the scores."""
        return np.asarray(X, dtype=float)[:, 0]


def cases(seeds: Sequence[int], models: Sequence[str]) -> list[Case]:
    """Fit the models; data sets whose file is not there are left out."""
    found = []
    people = compas()
    if people is not None:
        groups = np.where(people.protected, "black", "white")
        for model in models:
            found += [_case("COMPAS", people.X, people.y, groups, model, seed, 20, 1) for seed in seeds]
    people = adult()
    if people is not None:
        race = pd.read_csv(find("adult.csv.gz"), skipinitialspace=True)["race"].to_numpy(dtype=str)
        sides = np.where(people.protected, "other", "white")
        for data, groups in (("Adult, race", race), ("Adult, white or not", sides)):
            found += [_case(data, people.X, people.y, groups, models[0], seed, None, 10) for seed in seeds]
    return found


def _case(
    data: str, X: pd.DataFrame, y: Any, groups: Any, model: str, seed: int, n_components: int | None, level_count: int
) -> Case:
    split = split_rows([f"{g} {label}" for g, label in zip(groups, y, strict=True)], random_state=seed)
    made = make_model(model, random_state=seed, min_level_count=level_count, n_components=n_components)
    made.fit(X.iloc[split.train], y[split.train])
    return Case(data, model, seed, scores_of(made, X), default_threshold(made), y, groups, split)


def rule_weight(problem: ThresholdProblem) -> float:
    """Return the weight for the comparison with fairlearn: 1 for each pair that is compared, shared out over them.

    The gap of the objective is a sum over all groups but one; dividing by their number makes it a mean. With two groups
    this is the paper's weight.
    """
    return WEIGHT / max(len(problem.groups) - 1, 1)


def rows(seeds: Sequence[int] = SEEDS, models: Sequence[str] = ("logistic_regression", "svm")) -> list[Row]:
    """Measure every way to predict for each data set, model and seed."""
    return [row for case in cases(seeds, models) for row in _rows_of(case)]


def _rows_of(case: Case) -> list[Row]:
    tune, held = case.split.tune, case.split.held_out
    problem = ThresholdProblem.from_rows(case.y[tune], case.scores[tune], case.groups[tune])
    found = [_row(case, BEFORE, case.scores[held] >= case.default)]
    for weight in dict.fromkeys((WEIGHT, rule_weight(problem))):
        start = time.perf_counter()
        counted = ThresholdProblem.from_rows(case.y[tune], case.scores[tune], case.groups[tune])
        exact = counted.best(weight)
        middle = time.perf_counter()
        *_, finished = iter_swarm(problem, weight, random_state=case.seed)
        seconds = (middle - start, time.perf_counter() - middle)
        for way, outcome, s in zip((EXACT, SWARM), (exact, finished.result), seconds, strict=True):
            least = np.array([outcome.by_group[g] for g in case.groups[held]])
            found.append(_row(case, way, case.scores[held] >= least, weight, outcome.objective(weight), s))
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        optimizer = ThresholdOptimizer(
            estimator=GivenScores().fit(None, None), constraints="equalized_odds", prefit=True, predict_method="predict"
        )
        column = case.scores[:, None]
        optimizer.fit(column[tune], case.y[tune], sensitive_features=case.groups[tune])
        seconds = time.perf_counter() - start
        guess = optimizer.predict(column[held], sensitive_features=case.groups[held], random_state=case.seed)
    found.append(_row(case, FAIRLEARN, guess == 1, seconds=seconds))
    return found


def _row(
    case: Case,
    way: str,
    predicted: NDArray[np.bool_],
    weight: float = np.nan,
    objective: float = np.nan,
    seconds: float = np.nan,
) -> Row:
    y, groups = case.y[case.split.held_out], case.groups[case.split.held_out]
    gaps = []
    for label in (1, 0):
        rates = [predicted[(groups == g) & (y == label)].mean() for g in np.unique(groups)]
        gaps.append(float(max(rates) - min(rates)))
    accuracy = float((predicted == y).mean())
    return Row(case.data, case.model, case.seed, way, accuracy, *gaps, weight, objective, seconds)


def table(seeds: Sequence[int] = SEEDS) -> str:
    """Return all tables as Markdown: medians over the seeds."""
    measured = rows(seeds)
    frame = pd.DataFrame([{**asdict(row), "gap": row.gap} for row in measured])
    return "\n\n".join([_beside_the_paper(frame), _swarm_against_exact(frame), _beside_fairlearn(frame)])


def _beside_the_paper(frame: pd.DataFrame) -> str:
    people = frame[(frame["data"] == "COMPAS") & frame["weight"].isin([WEIGHT, np.nan])]
    ways = {BEFORE: "before", EXACT: "after, exact", SWARM: "after, swarm"}
    lines = []
    for model, (before, after) in TABLE_5.items():
        for way, name in ways.items():
            mine = people[(people["model"] == model) & (people["way"] == way)]
            if len(mine):
                accuracy, tpr_gap, fpr_gap = mine[["accuracy", "tpr_gap", "fpr_gap"]].median()
                ours = (f"{100 * accuracy:.1f} %", f"{tpr_gap:.3f}", f"{fpr_gap:.3f}")
                paper = before if way == BEFORE else after
                lines.append([MODEL_WORDS[model], name, *ours, f"{paper[0]:.1f} %, {paper[1]:.3f}, {paper[2]:.3f}"])
    header = ["model", "", "accuracy", "TPR gap", "FPR gap", "paper: accuracy, TPR gap, FPR gap"]
    return (
        "COMPAS, 20 principal components, fairness weight 1, held-out rows, medians. The paper's figures are of one "
        "division.\n\n" + markdown(header, lines)
    )


def _swarm_against_exact(frame: pd.DataFrame) -> str:
    lines = []
    for (data, model, weight), part in frame.dropna(subset="weight").groupby(["data", "model", "weight"]):
        exact, swarm = (part[part["way"] == way].set_index("seed") for way in (EXACT, SWARM))
        short = exact["objective"] - swarm["objective"]
        times = [f"{1000 * way['seconds'].median():.0f} ms" for way in (exact, swarm)]
        objective = f"{exact['objective'].median():.4f}"
        lines.append(
            [data, MODEL_WORDS[model], f"{weight:g}", objective, f"{short.median():.5f}", f"{short.max():.5f}", *times]
        )
    header = [
        "data",
        "model",
        "weight",
        "exact objective",
        "swarm is short by",
        "at most",
        "exact takes",
        "swarm takes",
    ]
    return (
        "The swarm (40 particles, 100 steps) against the exact optimum on the tuning rows: 1,230 of COMPAS, 9,768 of "
        "Adult. Medians.\n\n" + markdown(header, lines)
    )


def _beside_fairlearn(frame: pd.DataFrame) -> str:
    lines = []
    for (data, model), part in frame.groupby(["data", "model"]):
        weight = part["weight"].min()
        ways = {BEFORE: BEFORE, EXACT: f"{EXACT}, weight {weight:g}", FAIRLEARN: FAIRLEARN}
        for way, name in ways.items():
            mine = part[(part["way"] == way) & part["weight"].isin([weight, np.nan])]
            accuracy, gap, seconds = mine[["accuracy", "gap", "seconds"]].median()
            time_taken = "" if np.isnan(seconds) else f"{1000 * seconds:.0f} ms"
            lines.append([data, MODEL_WORDS[model], name, f"{100 * accuracy:.3f} %", f"{gap:.4f}", time_taken])
    return (
        "Beside fairlearn's `ThresholdOptimizer(constraints='equalized_odds')`, which draws lots: same scores, same "
        "tuning rows, same held-out rows; medians. The gap is the larger of the TPR and FPR gaps between any two "
        "groups. Our weight is 1 divided by the number of groups but one, fixed beforehand.\n\n"
        + markdown(["data", "model", "way", "accuracy", "gap", "time"], lines)
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=len(SEEDS), help="how many divisions of the rows")
    n_seeds = parser.parse_args().seeds
    say(setting("numpy", "scikit-learn", "pyswarms", "fairlearn", seed=0) + "\n")
    say(table(tuple(range(n_seeds))))


if __name__ == "__main__":
    main()
