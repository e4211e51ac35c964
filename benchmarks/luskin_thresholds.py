"""A threshold for each group, beside Chen et al. (2020) (section 4.4.2, table 5), the exact optimum, and fairlearn.

Every model learns from 60 % of the rows and its thresholds from 20 %; everything shown is measured on the other 20 %,
except for the comparison of swarm and exact optimum, which is about the search itself.
"""

from __future__ import annotations

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

from benchmarks.common import markdown
from benchmarks.luskin_data import adult, compas, find
from benchmarks.luskin_targets import Target
from fairaudit.estimators.base import Split, split_rows
from fairaudit.estimators.models import default_threshold, make_model, scores_of
from fairaudit.estimators.thresholds import ThresholdProblem, iter_swarm
from fairaudit.estimators.thresholds.search import SWARMS
from fairaudit.plan.models import MODEL_WORDS

WEIGHT = 1.0
"""The paper's fairness weight."""

TABLE_5 = {
    "logistic_regression": ((67.9, 0.309, 0.159), (66.2, 0.044, 0.013)),
    "svm": ((67.6, 0.274, 0.109), (65.3, 0.022, 0.007)),
}
"""Accuracy in percent, TPR gap and FPR gap before and after, on the paper's one test part."""

GAP, ACCURACY_LOST, SHORT, SECONDS = 0.05, 2.3, 1e-3, 1.0
"""Targets: gaps after, points of accuracy lost, what the swarm may be short by, and the time of the exact search."""

BEFORE, EXACT, SWARM, FAIRLEARN = "one threshold", "ours, exact", "ours, swarm", "fairlearn"
PUBLISHED = "swarm of thresholds"
"""What the paper's swarm moves; it gives no coefficients, so these are the usual ones."""


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


def rows(seeds: Sequence[int], models: Sequence[str] = ("logistic_regression", "svm")) -> list[Row]:
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
        ways, outcomes, seconds = (EXACT, SWARM, PUBLISHED), [exact], [middle - start]
        for swarm in SWARMS:
            start = time.perf_counter()
            *_, finished = iter_swarm(problem, weight, swarm=swarm, random_state=case.seed)
            outcomes.append(finished.result)
            seconds.append(time.perf_counter() - start)
        for way, outcome, s in zip(ways, outcomes, seconds, strict=True):
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

    def gap(label: int) -> float:
        rates = [predicted[(groups == g) & (y == label)].mean() for g in np.unique(groups)]
        return float(max(rates) - min(rates))

    accuracy = float((predicted == y).mean())
    return Row(case.data, case.model, case.seed, way, accuracy, gap(1), gap(0), weight, objective, seconds)


def as_frame(found: Sequence[Row]) -> pd.DataFrame:
    """Return the rows of `rows` as a table."""
    return pd.DataFrame([{**asdict(row), "gap": row.gap} for row in found])


def as_tables(frame: pd.DataFrame) -> str:
    """Return all tables as Markdown: medians over the seeds, the least and the largest in brackets."""
    return "\n\n".join([_beside_the_paper(frame), _swarm_against_exact(frame), _beside_fairlearn(frame)])


def targets(frame: pd.DataFrame) -> list[Target]:
    """Return what was to be reached; differences are of the same model and division."""
    found = []
    for model in TABLE_5:
        before, after = (_of(frame, "COMPAS", model, way, WEIGHT) for way in (BEFORE, EXACT))
        words = f"COMPAS, {MODEL_WORDS[model]}, exact"
        found += [
            Target(f"{words}: median TPR gap", after["tpr_gap"].median(), most=GAP),
            Target(f"{words}: median FPR gap", after["fpr_gap"].median(), most=GAP),
            Target(
                f"{words}: median points of accuracy lost",
                100 * (before["accuracy"] - after["accuracy"]).median(),
                most=ACCURACY_LOST,
            ),
        ]
    searched = frame.dropna(subset="weight").pivot_table(
        index=["data", "model", "weight", "seed"], columns="way", values="objective"
    )
    found.append(
        Target("Swarm short of the exact optimum, at most", (searched[EXACT] - searched[SWARM]).max(), most=SHORT)
    )
    slowest = frame.loc[frame["way"] == EXACT, "seconds"].max()
    found.append(Target("Seconds of the exact search, at most", slowest, most=SECONDS))
    for data, model in frame[["data", "model"]].drop_duplicates().itertuples(index=False):
        weight = frame.loc[(frame["data"] == data) & (frame["model"] == model), "weight"].min()
        ours, theirs = (_of(frame, data, model, way, weight) for way in (EXACT, FAIRLEARN))
        words = f"{data}, {MODEL_WORDS[model]}, beside fairlearn"
        found += [
            Target(f"{words}: median gap", ours["gap"].median(), most=round(theirs["gap"].median(), 5)),
            Target(f"{words}: median accuracy", ours["accuracy"].median(), least=round(theirs["accuracy"].median(), 5)),
        ]
    return found


def _of(frame: pd.DataFrame, data: str, model: str, way: str, weight: float) -> pd.DataFrame:
    """Return the numbers of one way by seed; ways that have no weight are the same for each."""
    same = (frame["data"] == data) & (frame["model"] == model) & (frame["way"] == way)
    return frame[same & frame["weight"].isin([weight, np.nan])].set_index("seed")


def _spread(values: pd.Series, form: str, times: float = 1) -> str:
    middle, low, high = (form.format(times * value) for value in (values.median(), values.min(), values.max()))
    return f"{middle} ({low} to {high})"


def _beside_the_paper(frame: pd.DataFrame) -> str:
    ways = {BEFORE: "before", EXACT: "after, exact", SWARM: "after, swarm", PUBLISHED: f"after, {PUBLISHED}"}
    lines = []
    for model, (before, after) in TABLE_5.items():
        for way, name in ways.items():
            mine = _of(frame, "COMPAS", model, way, WEIGHT)
            if len(mine):
                ours = [_spread(mine["accuracy"], "{:.1f}", 100)]
                ours += [_spread(mine[gap], "{:.3f}") for gap in ("tpr_gap", "fpr_gap")]
                paper = before if way == BEFORE else after
                lines.append([MODEL_WORDS[model], name, *ours, f"{paper[0]:.1f}, {paper[1]:.3f}, {paper[2]:.3f}"])
    header = ["model", "", "accuracy, %", "TPR gap", "FPR gap", "paper: accuracy, TPR gap, FPR gap"]
    return (
        "COMPAS, 20 principal components, fairness weight 1, held-out rows. The paper's are of one division.\n\n"
        + markdown(header, lines)
    )


def _swarm_against_exact(frame: pd.DataFrame) -> str:
    lines = []
    for (data, model, weight), part in frame.dropna(subset="weight").groupby(["data", "model", "weight"]):
        exact, swarm, published = (part[part["way"] == way].set_index("seed") for way in (EXACT, SWARM, PUBLISHED))
        short, shorter = (exact["objective"] - other["objective"] for other in (swarm, published))
        times = [_spread(way["seconds"], "{:.0f}", 1000) for way in (exact, swarm)]
        objective = f"{exact['objective'].median():.4f}"
        lines.append(
            [
                data,
                MODEL_WORDS[model],
                f"{weight:g}",
                objective,
                f"{short.median():.5f}",
                f"{short.max():.5f}",
                f"{shorter.median():.5f}",
                f"{shorter.max():.5f}",
                *times,
            ]
        )
    header = [
        "data", "model", "weight", "exact objective", "swarm is short by", "at most", "one of thresholds by",
        "at most", "exact takes, ms", "swarm takes, ms",
    ]  # fmt: skip
    return (
        "The swarm (40 particles, 100 steps) against the exact optimum on the tuning rows: 1,230 of COMPAS, 9,768 of "
        "Adult.\n\n" + markdown(header, lines)
    )


def _beside_fairlearn(frame: pd.DataFrame) -> str:
    lines = []
    for (data, model), part in frame.groupby(["data", "model"]):
        weight = part["weight"].min()
        ways = {BEFORE: BEFORE, EXACT: f"{EXACT}, weight {weight:g}", FAIRLEARN: FAIRLEARN}
        for way, name in ways.items():
            mine = _of(frame, data, model, way, weight)
            cells = [_spread(mine["accuracy"], "{:.2f}", 100), _spread(mine["gap"], "{:.4f}")]
            cells.append("" if way == BEFORE else f"{1000 * mine['seconds'].median():.0f}")
            lines.append([data, MODEL_WORDS[model], name, *cells])
    return (
        "Beside fairlearn's `ThresholdOptimizer(constraints='equalized_odds')`, which draws lots: same scores, same "
        "tuning rows, same held-out rows. The gap is the larger of the TPR and FPR gaps between any two groups. Our "
        "weight is 1 divided by the number of groups but one, fixed beforehand.\n\n"
        + markdown(["data", "model", "way", "accuracy, %", "gap", "ms"], lines)
    )
