"""Look-ahead trees on the six data sets of Wang et al. (2022): the 80 % rule and accuracy in five folds, beside CART.

``python -m benchmarks.trees_lookahead [name ...]`` prints a line for each fold and a table. The rule is asked of the
favourable outcome, and learned from training rows only. The folds of `SEED` were looked at only once; other seeds were
used while the method was made.

A second table compares with the optima of pystreed on the literals of ``trees_frontier``. pystreed can bound the
difference of positive predictions, but not their ratio, so both ways are asked for demographic parity there, on all
rows and without anything to choose.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from benchmarks import trees_frontier
from benchmarks.common import markdown, say, setting
from benchmarks.luskin_data import find
from fairaudit.estimators.base import TablePreparation
from fairaudit.estimators.rules.binarizer import columns_that_reveal_groups
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.measure.grouping import group_rows

SEED = 20261122
N_FOLDS = 5
DEPTH = 6
TIME_LIMIT_S = 240
ASKED_POINTS = 3.0
"""By how much accuracy may be below CART's, in points, on average over data sets."""


@dataclass(frozen=True, eq=False)
class Data:
    """One data set.

    Parameters
    ----------
    name : str
        As in the paper.
    X : DataFrame
        The features.
    y : ndarray of int
        1 is the favourable outcome.
    group : Series
        Two groups.
    """

    name: str
    X: pd.DataFrame
    y: NDArray[np.int64]
    group: pd.Series


@dataclass(frozen=True)
class Fold:
    """What one fold came to: shares of right predictions, and the smaller rate of groups by the larger.

    `chance` is how likely the rule was to hold in the test rows, by the training rows.
    """

    name: str
    seconds: float
    train_ratio: float
    test_ratio: float
    accuracy: float
    cart_accuracy: float
    cart_ratio: float
    status: str
    n_leaves: int
    look_ahead: int
    chance: float


def german() -> Data | None:
    """Return German: good credit, by sex."""
    return _read("German", "german_credit.csv", "credit_risk", lambda y: y == "good", lambda t: t["sex"])


def student() -> Data | None:
    """Return Student (Portuguese): passed, by sex."""
    return _read("Student", "student-por.csv", "G3", lambda y: y >= 10, lambda t: t["sex"], sep=";")


def salary() -> Data | None:
    """Return Salary: above the median, by sex."""
    return _read("Salary", "salary_weisberg.csv", "salary", lambda y: y > 23_719, lambda t: t["sex"])


def adult() -> Data | None:
    """Return Adult: a high income, by race in two groups."""
    dropped = ["fnlwgt", "split"]
    return _read("Adult", "adult.csv.gz", "income", lambda y: y == ">50K", lambda t: t["race"] == "White",
                 drop=dropped, group_columns=["race"], na_values="?", skipinitialspace=True)  # fmt: skip


def default() -> Data | None:
    """Return Default: paid next month, by sex."""
    label = "default payment next month"
    return _read("Default", "credit_default.csv.gz", label, lambda y: y == 0, lambda t: t["SEX"], drop=["ID"])


def compas() -> Data | None:
    """Return COMPAS: no arrest within two years, by race."""
    return _read("COMPAS", "compas_fairml_5278.csv", "Two_yr_Recidivism", lambda y: y == 0,
                 lambda t: t["African_American"])  # fmt: skip


DATA: dict[str, Callable[[], Data | None]] = {
    "German": german, "Student": student, "Salary": salary, "Adult": adult, "Default": default, "COMPAS": compas,
}  # fmt: skip


def _read(name, file, label, favourable, group, *, drop=(), group_columns=(), **options):  # type: ignore[no-untyped-def]
    path = find(file)
    if path is None:
        return None
    table = pd.read_csv(path, **options)
    groups = group(table).rename("group")
    y = favourable(table.pop(label)).to_numpy(dtype=np.int64)
    return Data(name, table.drop(columns=[*drop, *group_columns]), y, groups)


def folds(data: Data) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the places of training and test rows of each fold."""
    return list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED).split(data.X, data.y))


def ratio(predicted: NDArray[np.int64], group: NDArray[np.int64]) -> float:
    """Return the smallest rate of positive predictions of a group as a share of the largest; 1 where there are none."""
    rates = [predicted[group == value].mean() for value in np.unique(group)]
    return min(rates) / max(rates) if max(rates) > 0 else 1.0


def run_fold(data: Data, place: int, *, time_limit: float = TIME_LIMIT_S) -> Fold:
    """Learn from the training rows of a fold, and judge by its test rows; CART sees the same columns."""
    train, test = folds(data)[place]
    X, group = data.X.iloc[train], data.group.iloc[train]
    begun = time.perf_counter()
    model = LookaheadTreeClassifier(DEPTH, time_limit=time_limit, random_state=SEED)
    model.fit(X, data.y[train], sensitive_features=group)
    seconds = time.perf_counter() - begun
    revealing = columns_that_reveal_groups(X, group_rows(group, len(X)))
    usable = [name for name in X.columns if name not in revealing]
    preparation = TablePreparation()
    cart = DecisionTreeClassifier(max_depth=DEPTH, random_state=SEED)
    cart.fit(preparation.fit_transform(X[usable]), data.y[train])
    held_out, codes = data.X.iloc[test], pd.factorize(data.group, sort=True)[0]
    predicted, by_cart = model.predict(held_out), cart.predict(preparation.transform(held_out[usable]))
    return Fold(
        data.name,
        seconds,
        ratio(model.predict(X), codes[train]),
        ratio(predicted, codes[test]),
        float((predicted == data.y[test]).mean()),
        float((by_cart == data.y[test]).mean()),
        ratio(by_cart, codes[test]),
        model.status_,
        model.tree_.n_leaves,
        int(model.history_["look_ahead"].iloc[-1]),
        max(model.trials_, key=lambda trial: trial.rank).chance.of_all if model.trials_ else float("nan"),
    )


def summary(runs: Sequence[Fold]) -> list[list[str]]:
    """Return a line for each data set, and one for all."""
    lines = []
    for name in dict.fromkeys(run.name for run in runs):
        own = [run for run in runs if run.name == name]
        lines.append([
            name,
            f"{np.mean([run.accuracy for run in own]):.1%}",
            f"{np.mean([run.cart_accuracy for run in own]):.1%}",
            f"{sum(run.train_ratio >= 0.8 - 1e-9 for run in own)} of {len(own)}",
            f"{sum(run.test_ratio >= 0.8 for run in own)} of {len(own)}",
            f"{sum(run.cart_ratio >= 0.8 for run in own)} of {len(own)}",
            f"{max(run.seconds for run in own):.0f}",
        ])  # fmt: skip
    per_set = [
        np.mean([run.accuracy - run.cart_accuracy for run in runs if run.name == name])
        for name in dict.fromkeys(run.name for run in runs)
    ]
    kept = np.mean([run.test_ratio >= 0.8 for run in runs])
    lines.append(["all", f"{100 * np.mean(per_set):+.1f} points", "", "", f"{kept:.0%}", "", ""])
    return lines


HEADER = ["Data", "accuracy", "CART", "rule kept in training", "in test", "CART in test", "longest fold, s"]


def beside_pystreed(
    depths: Sequence[int] = (2, 3), gaps: Sequence[float] = (0.05, 0.01), time_limit: float = 60
) -> str:
    """Return the table of accuracy on the rows that are learned from, with the same literals, depth and limit."""
    lines = []
    for read in (trees_frontier.compas, trees_frontier.german, trees_frontier.student, trees_frontier.adult):
        data = read()
        for depth, gap in product(depths if data is not None else (), gaps):
            one, seconds = grown_accuracy(data, depth, gap, time_limit)
            other = trees_frontier.pystreed(data, depth, gap, 1, time_limit)
            best = ["not installed", "", ""]
            if other is not None:
                best = [f"{1 - other.errors:.4f}", other.status, f"{other.seconds:.1f}"]
            lines.append([data.words, depth, gap, f"{one:.4f}", f"{seconds:.1f}", *best])
            say(str(lines[-1]))
    return markdown(["data", "depth", "gap", "accuracy", "s", "pystreed: accuracy", "status", "s"], lines)


def grown_accuracy(data: trees_frontier.LiteralData, depth: int, gap: float, time_limit: float) -> tuple[float, float]:
    """Return the share of right rows of a look-ahead tree without a price of rates, and its seconds."""
    X = pd.DataFrame(data.holds.astype(int), columns=[f"x{place}" for place in range(data.holds.shape[1])])
    model = LookaheadTreeClassifier(
        depth, constraint="demographic_parity", max_difference=gap, fairness_weight=0.0, time_limit=time_limit,
        random_state=SEED,
    )  # fmt: skip
    begun = time.perf_counter()
    predicted = model.fit(X, data.labels, sensitive_features=data.groups).predict(X)
    seconds = time.perf_counter() - begun
    rates = [predicted[data.groups == group].mean() for group in (0, 1)]
    if abs(rates[0] - rates[1]) > gap + 1e-9:
        return float("nan"), seconds
    return float((predicted == data.labels).mean()), seconds


def by_look_ahead(farthest: int = 4, n_folds: int = 2, time_limit: float = 30) -> str:
    """Return the table of K beside accuracy and ratio of rates: figure 4, Student, means of the first folds."""
    data, lines = student(), []
    if data is None:
        return "Student: the file is not here"
    for look_ahead in range(1, farthest + 1):
        found = []
        for train, test in folds(data)[:n_folds]:
            model = LookaheadTreeClassifier(DEPTH, look_ahead=look_ahead, time_limit=time_limit, random_state=SEED)
            model.fit(data.X.iloc[train], data.y[train], sensitive_features=data.group.iloc[train])
            predicted, group = model.predict(data.X.iloc[test]), pd.factorize(data.group, sort=True)[0][test]
            found.append(((predicted == data.y[test]).mean(), ratio(predicted, group)))
        lines.append([look_ahead, *(f"{value:.3f}" for value in np.mean(found, axis=0))])
    return markdown(["K", "accuracy", "ratio"], lines)


TEN = 10
"""Folds of COMPAS in which the rule is asked to hold with a confidence."""

WAYS = {"without cross-validation": {"fairness_weight": 0.1}, "cross-validation": {},
        "cross-validation and confidence": {"certify_fraction": 0.4, "confidence": 0.9}}  # fmt: skip


def with_confidence(time_limit: float = 60) -> str:
    """Return the table of the rule in ten folds of COMPAS: test rows, and whether it was certified to hold."""
    data, lines = compas(), []
    if data is None:
        return "COMPAS: the file is not here"
    divided = StratifiedKFold(TEN, shuffle=True, random_state=SEED).split(data.X, data.y)
    group = pd.factorize(data.group, sort=True)[0]
    places = list(divided)
    for way, settings in WAYS.items():
        ratios, accuracies, certified, seconds = [], [], 0, 0.0
        for train, test in places:
            begun = time.process_time()
            model = LookaheadTreeClassifier(DEPTH, time_limit=time_limit, random_state=SEED, **settings)
            model.fit(data.X.iloc[train], data.y[train], sensitive_features=data.group.iloc[train])
            seconds += time.process_time() - begun
            predicted = model.predict(data.X.iloc[test])
            ratios.append(ratio(predicted, group[test]))
            accuracies.append(float((predicted == data.y[test]).mean()))
            certified += model.certified_ is not None and model.certified_.is_certified
            say(f"{way}: {ratios[-1]:.3f}, right {accuracies[-1]:.3f}, {model.tree_.n_leaves} leaves")
        lines.append([
            way, f"{sum(each >= 0.8 for each in ratios)} of {TEN}", f"{min(ratios):.3f}", f"{np.mean(ratios):.3f}",
            f"{np.mean(accuracies):.1%}", f"{certified} of {TEN}" if "certify_fraction" in settings else "",
            f"{seconds / TEN:.0f}",
        ])  # fmt: skip
    header = ["way", "rule kept in test", "least ratio", "mean ratio", "accuracy", "certified", "s of the processor"]
    return markdown(header, lines)


def main(names: Sequence[str]) -> None:
    """Run the data sets by name, all without names; "K" is figure 4, "confidence" ten folds of COMPAS."""
    warnings.simplefilter("ignore")
    say(setting("scikit-learn", "pyscipopt", seed=SEED))
    if list(names) == ["K"]:
        say(by_look_ahead())
        return
    if list(names) == ["confidence"]:
        say(with_confidence())
        return
    runs = []
    for name in names or DATA:
        data = DATA[name]()
        if data is None:
            say(f"{name}: the file is not here")
            continue
        for place in range(N_FOLDS):
            runs.append(run_fold(data, place))
            say(str(runs[-1]))
    say(markdown(HEADER, summary(runs)) + "\n")
    if not names:
        say(beside_pystreed())


if __name__ == "__main__":
    main(sys.argv[1:])
