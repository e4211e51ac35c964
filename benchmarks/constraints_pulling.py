"""Two constraints that pull against each other: FPR and FNR by race on COMPAS, six columns, without the race.

Five divisions 75/25. Everyone learns from the 75 %: ours, the shifted threshold and the grid keep a quarter of them to
choose on; fairlearn's `ExponentiatedGradient` has no use for such rows and learns from all. It gets the prepared table
and the same logistic regression. Its decisions are drawn by lot, so its accuracy and gaps are those expected over the
lots, and error-parity's likewise: it also needs the race of everyone it decides on. Accuracies and gaps are of the
other 25 %. Seconds are of the processor.

"Mixed" is no model but a bound: what deciding by a lot between the constant and the plain model would come to at a
limit. Lots are not allowed to decide about people here, nor is a hash that stands in for one.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from fairlearn.reductions import EqualizedOdds, ExponentiatedGradient
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from benchmarks.common import markdown
from benchmarks.constraints_data import ConstrainedData, read
from benchmarks.constraints_runs import Kept
from benchmarks.luskin_targets import Target
from fairaudit.estimators.base import TablePreparation
from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier, divide_rows
from fairaudit.estimators.constraints.learner import WeightedLearner
from fairaudit.estimators.models import make_model, scores_of

MODEL = "logistic_regression"
N_DIVISIONS = 5
LIMITS = (0.04, 0.1, 0.2)
BOUNDS = (0.02, 0.05, 0.1)
"""Of the reduction: between a group and all rows."""
N_STEPS, SPAN = 9, 0.2
"""Of the grid of weights."""

OURS, SAME, NO = "ours", "ours, limit as the reduction's gap", "always no"
SHIFTED, GRID, MIXED = "plain, one shifted threshold", "81 weights, the best threshold of each", "mixed, by lot"
REDUCTION, PARITY = "ExponentiatedGradient", "error-parity, by group, by lot"

REACHED = {0.04: 0.553, 0.1: 0.577, 0.2: 0.666}
"""Targets: what a grid of 9 x 9 weights came to on other divisions, by limit."""


@dataclass(frozen=True)
class Way:
    """One way on one division; gaps are sizes, `feasible` is on the rows to choose on."""

    way: str
    limit: float
    seed: int
    accuracy: float
    fpr: float
    fnr: float
    seconds: float
    feasible: bool = True

    @property
    def larger(self) -> float:
        """The larger of the two gaps."""
        return max(self.fpr, self.fnr)


@dataclass(frozen=True, eq=False)
class Division:
    """Rows to learn from and to judge on, and the former in two parts."""

    data: ConstrainedData
    seed: int
    learn: NDArray[np.int64]
    test: NDArray[np.int64]
    train: NDArray[np.int64]
    tune: NDArray[np.int64]

    @classmethod
    def of(cls, data: ConstrainedData, seed: int) -> Division:
        """Divide the rows."""
        learn, test = train_test_split(np.arange(len(data.y)), test_size=0.25, random_state=seed)
        train, tune = divide_rows(rows_of(data, learn, 1.0), None, 0.25, np.random.RandomState(seed))
        return cls(data, seed, learn, test, learn[train], learn[tune])

    def way(self, way: str, limit: float, h: NDArray[Any], seconds: float, *, feasible: bool = True) -> Way:
        """Judge shares of positive predictions, which may lie between 0 and 1."""
        accuracy, fpr, fnr = self.judged(h, self.test)
        return Way(way, limit, self.seed, accuracy, fpr, fnr, seconds, feasible)

    def judged(self, h: NDArray[Any], part: NDArray[np.int64]) -> tuple[float, float, float]:
        """Return accuracy and the gaps in FPR and FNR."""
        y, group = self.data.y[part], self.data.group[part]
        groups = [group == name for name in np.unique(group)]
        gaps = [abs(float(np.subtract(*(h[(y == label) & group].mean() for group in groups)))) for label in (0, 1)]
        return float(np.where(y == 1, h, 1 - h).mean()), *gaps

    def X(self, part: NDArray[np.int64]) -> pd.DataFrame:
        """Return features."""
        return self.data.X.iloc[part]


def rows_of(data: ConstrainedData, part: NDArray[np.int64], limit: float) -> ConstrainedRows:
    """Return rows with a limit on both gaps."""
    return ConstrainedRows.of(data.specs("fpr fnr", limit), data.y[part], data.sensitive.iloc[part])


def ways(kept: Kept) -> list[Way]:
    """Measure every way on every division."""
    found = []
    for seed in range(N_DIVISIONS):
        value = kept.get(("pulling", seed), lambda seed=seed: _measure(seed))
        found += [Way(**way) for way in value["ways"]] if value else []
    return found


def _measure(seed: int) -> dict[str, Any] | None:
    data = read("COMPAS, six columns")
    if data is None:
        return None
    division = Division.of(data, seed)
    found = [division.way(NO, 0.0, np.zeros(len(division.test)), 0.0)]
    for limit in LIMITS:
        found += [ours(division, OURS, limit), shifted(division, limit), _mixed(division, limit)]
    found += _grid(division)
    for bound in BOUNDS:
        reduction, tuned = _reduction(division, bound)
        found += [reduction, ours(division, SAME, round(tuned, 4), called=bound)]
    if importlib.util.find_spec("error_parity") is not None:
        found += [error_parity(division, limit) for limit in LIMITS]
    return {"ways": [asdict(way) for way in found]}


def ours(division: Division, way: str, limit: float, called: float | None = None) -> Way:
    """Measure `ConstrainedClassifier` within a limit."""
    data = division.data
    start = time.process_time()
    model = ConstrainedClassifier(make_model(MODEL), data.specs("fpr fnr", limit), random_state=division.seed)
    model.fit(
        division.X(division.learn),
        data.y[division.learn],
        sensitive_features=data.sensitive.iloc[division.learn],
        validation=np.isin(division.learn, division.tune),
    )
    seconds = time.process_time() - start
    h = model.predict(division.X(division.test))
    return division.way(way, limit if called is None else called, h, seconds, feasible=model.feasible_)


def plain(division: Division) -> Any:
    """Fit the plain model."""
    return make_model(MODEL).fit(division.X(division.train), division.data.y[division.train])


def _best_cut(scores: NDArray[np.float64], rows: ConstrainedRows) -> tuple[float, float]:
    """Return the accuracy and the threshold of the best cut within the limits."""
    cuts = CommonCuts.of(scores, rows.y)
    accuracy = np.where((rows.ratios_of_cuts(cuts) <= 1).all(axis=0), cuts.everybody.accuracy, -1.0)
    return float(accuracy.max()), float(cuts.thresholds[accuracy.argmax()])


def shifted(division: Division, limit: float) -> Way:
    """Measure the plain model with the best threshold for all within a limit."""
    start = time.process_time()
    model = plain(division)
    _, threshold = _best_cut(scores_of(model, division.X(division.tune)), rows_of(division.data, division.tune, limit))
    h = scores_of(model, division.X(division.test)) >= threshold
    return division.way(SHIFTED, limit, h, time.process_time() - start)


def _mixed(division: Division, limit: float) -> Way:
    """Mix the plain model and "no" on the judged rows themselves, as no one could: a bound, not a choice."""
    h = plain(division).predict(division.X(division.test))
    _, *gaps = division.judged(h, division.test)
    return division.way(MIXED, limit, min(1.0, limit / max(gaps)) * h, 0.0)


def _grid(division: Division) -> list[Way]:
    data, best = division.data, dict.fromkeys(LIMITS, (-2.0, np.inf, None))
    tuned = {limit: rows_of(data, division.tune, limit) for limit in LIMITS}
    learned = rows_of(data, division.train, 1.0)
    start = time.process_time()
    learner = WeightedLearner(make_model(MODEL), division.X(division.train), learned.y)
    tune, model = learner.prepare(division.X(division.tune)), None
    for first in np.linspace(-SPAN, SPAN, N_STEPS):
        for second in np.linspace(-SPAN, SPAN, N_STEPS):
            model = learner.fit(learned.weights(np.array([first, second])), model)
            scores = scores_of(model, tune)
            for limit in LIMITS:
                accuracy, threshold = _best_cut(scores, tuned[limit])
                if accuracy > best[limit][0]:
                    best[limit] = (accuracy, threshold, model)
    seconds = time.process_time() - start
    test = learner.prepare(division.X(division.test))
    return [
        division.way(GRID, limit, scores_of(model, test) >= threshold, seconds)
        for limit, (_, threshold, model) in best.items()
    ]


def _reduction(division: Division, bound: float) -> tuple[Way, float]:
    """Return the way, and its larger gap on the rows that ours is chosen on."""
    data, learn = division.data, division.learn
    preparation = TablePreparation().fit(division.X(learn))
    X, test, tune = (preparation.transform(division.X(part)) for part in (learn, division.test, division.tune))
    model = ExponentiatedGradient(make_model(MODEL)[-1], EqualizedOdds(difference_bound=bound))
    seconds = _timed(lambda: model.fit(X, data.y[learn], sensitive_features=data.group[learn]))
    shares = [(weight, model.predictors_[i]) for i, weight in model.weights_.items() if weight > 0]
    expected = [sum(w * np.asarray(one.predict(Z), dtype=float) for w, one in shares) for Z in (test, tune)]
    _, *gaps = division.judged(expected[1], division.tune)
    return division.way(REDUCTION, bound, expected[0], seconds), max(gaps)


def error_parity(division: Division, limit: float) -> Way:
    """Measure thresholds by group and by lot, chosen by error-parity on the rows to choose on."""
    from error_parity import RelaxedThresholdOptimizer

    data, tune = division.data, division.tune
    group = (data.group == data.group.max()).astype(int)
    model = plain(division)
    made = RelaxedThresholdOptimizer(
        predictor=lambda X: scores_of(model, X), constraint="equalized_odds", tolerance=limit, seed=division.seed
    )
    seconds = _timed(lambda: made.fit(X=division.X(tune), y=data.y[tune], group=group[tune]))
    drawn = [made.predict(X=division.X(division.test), group=group[division.test]) for _ in range(20)]
    return division.way(PARITY, limit, np.mean(drawn, axis=0), seconds)


def _timed(work: Callable[[], Any]) -> float:
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peer's own use of pandas and scikit-learn
        work()
    return time.process_time() - start


def ways_table(found: Sequence[Way]) -> str:
    """Return the means over the divisions, and how often a way is below always saying no."""
    no = {way.seed: way.accuracy for way in found if way.way == NO}
    lines = []
    for way, limit in dict.fromkeys((one.way, one.limit) for one in found):
        mine = [one for one in found if (one.way, one.limit) == (way, limit)]
        mean = {
            name: statistics.mean(getattr(one, name) for one in mine)
            for name in ("accuracy", "fpr", "fnr", "larger", "seconds")
        }
        lines.append(
            [
                way,
                f"{limit:g}" if limit else "",
                f"{mean['accuracy']:.3f}",
                f"{min(one.accuracy for one in mine):.3f}",
                sum(one.accuracy < no[one.seed] for one in mine),
                *(f"{mean[name]:.3f}" for name in ("fpr", "fnr", "larger")),
                sum(one.feasible for one in mine),
                f"{mean['seconds']:.2f}",
            ]
        )
    header = [
        "way", "limit", "accuracy, mean", "least", "divisions below always no", "FPR gap", "FNR gap", "larger gap",
        "met on its own rows", "seconds",
    ]  # fmt: skip
    return markdown(header, lines)


def targets(found: Sequence[Way]) -> list[Target]:
    """Return what was to be reached."""
    if not found:
        return []
    mean = lambda way, limit, name: statistics.mean(  # noqa: E731
        getattr(one, name) for one in found if (one.way, one.limit) == (way, limit)
    )
    no = {way.seed: way.accuracy for way in found if way.way == NO}
    below = sum(one.accuracy < no[one.seed] for one in found if one.way == OURS)
    return [
        *(
            Target(f"COMPAS, six columns, FPR and FNR {limit:g}: accuracy", mean(OURS, limit, "accuracy"), least=least)
            for limit, least in REACHED.items()
        ),
        Target("COMPAS, six columns: divisions and limits in which ours is below always no", below, most=0),
        *(
            Target(
                f"COMPAS, six columns: points of accuracy above ExponentiatedGradient {bound:g} at its gap, mean",
                100 * (mean(SAME, bound, "accuracy") - mean(REDUCTION, bound, "accuracy")),
                least=0,
            )
            for bound in BOUNDS
        ),
        *(
            Target(
                f"COMPAS, six columns: larger gap above ExponentiatedGradient {bound:g}'s on new rows, points, mean",
                100 * (mean(SAME, bound, "larger") - mean(REDUCTION, bound, "larger")),
                most=0,
            )
            for bound in BOUNDS
        ),
        Target(
            "COMPAS, six columns: our seconds divided by ExponentiatedGradient's",
            statistics.mean(mean(SAME, bound, "seconds") / mean(REDUCTION, bound, "seconds") for bound in BOUNDS),
            most=1 / 3,
        ),
    ]
