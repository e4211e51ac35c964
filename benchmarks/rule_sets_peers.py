"""What others reach on the same folds.

These are fairlearn's reduction over decision trees, as in the paper's figure 5, plain models, and aix360's column
generation without constraints where it is installed (``pip install aix360 cvxpy ecos``).
Predictions of the exponentiated gradient are drawn by lot, so accuracy and gaps are those expected over the lots; it
cannot be read aloud. Its limit is between a group and all rows: half of ours. Seconds are of the processor.
"""

from __future__ import annotations

import importlib.util
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from fairlearn.reductions import EqualizedOdds, ExponentiatedGradient, TruePositiveRateParity
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.common import markdown
from benchmarks.constraints_runs import Kept
from benchmarks.rule_sets_data import RuleData, read
from benchmarks.rule_sets_folds import EPSILON
from benchmarks.rule_sets_runs import SHORT, Judged, mean_sd, side_by_side, together
from fairaudit.estimators.base import TablePreparation

NAMES = ("COMPAS", "Adult", "Default")
DEPTHS = (3, 5, 8)
BOOSTING, COLUMNS = "gradient boosting", "aix360 BooleanRuleCG"
MOMENTS = {"equal_opportunity": TruePositiveRateParity, "equalized_odds": EqualizedOdds}


@dataclass(frozen=True)
class Peer:
    """One way on one fold."""

    way: str
    fairness: str | None
    fold: int
    train: Judged
    test: Judged
    seconds: float


def ways() -> list[tuple[str, str | None, int]]:
    """Return what is measured: way, constraint and depth of the trees (0 where there are none)."""
    found: list[tuple[str, str | None, int]] = [(f"tree of depth {depth}", None, depth) for depth in DEPTHS]
    found.append((BOOSTING, None, 0))
    if importlib.util.find_spec("aix360") is not None:
        found.append((COLUMNS, None, 0))
    return found + [
        (f"ExponentiatedGradient, trees of depth {depth}", fairness, depth) for fairness in MOMENTS for depth in DEPTHS
    ]


def measure(folds: Sequence[int], seed: int, kept: Kept, processes: int) -> dict[str, list[Peer]]:
    """Measure all ways on all folds of each data set."""
    found = {}
    for name in NAMES:
        tasks = [(name, way, fairness, depth, fold, seed) for way, fairness, depth in ways() for fold in folds]
        values = side_by_side([("peer", *task) for task in tasks], _peer, tasks, kept, processes)
        if values:
            found[name] = list(map(_read, values))
    return found


def _peer(name: str, way: str, fairness: str | None, depth: int, fold: int, seed: int) -> dict[str, Any] | None:
    data = read(name)
    if data is None:
        return None
    train, test = data.folds(seed)[fold]
    preparation = TablePreparation().fit(data.X.iloc[train])
    X, X_test = (_dense(preparation.transform(data.X.iloc[part])) for part in (train, test))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers' own use of pandas, scikit-learn and cvxpy
        if way == COLUMNS:
            shares, seconds = _columns(data, train, test)
        else:
            start = time.process_time()
            model = _model(fairness, depth, seed)
            groups = {} if fairness is None else {"sensitive_features": data.sensitive.to_numpy()[train]}
            model.fit(X, data.y[train], **groups)
            seconds = time.process_time() - start
            shares = [_expected(model, part) for part in (X, X_test)]
    learned, held_out = (Judged.of(data, part, share) for part, share in zip((train, test), shares, strict=True))
    return asdict(Peer(way, fairness, fold, learned, held_out, seconds))


def _read(value: dict[str, Any]) -> Peer:
    parts = {part: Judged(tuple(map(tuple, value[part]["counts"]))) for part in ("train", "test")}
    return Peer(**{**value, **parts})


def _dense(matrix: Any) -> NDArray[np.float64]:
    return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix, dtype=float)


def _model(fairness: str | None, depth: int, seed: int) -> Any:
    if not depth:
        return HistGradientBoostingClassifier(random_state=seed)
    tree = DecisionTreeClassifier(max_depth=depth, random_state=seed)
    if fairness is None:
        return tree
    return ExponentiatedGradient(tree, MOMENTS[fairness](difference_bound=EPSILON / 2), eps=EPSILON / 2)


def _expected(model: Any, X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of positive predictions for each row, over the lots where there are any."""
    if isinstance(model, ExponentiatedGradient):
        shares = [(weight, model.predictors_[i]) for i, weight in model.weights_.items() if weight > 0]
        return sum(weight * np.asarray(predictor.predict(X), dtype=float) for weight, predictor in shares)
    return np.asarray(model.predict(X), dtype=float)


def _columns(
    data: RuleData, train: NDArray[np.int64], test: NDArray[np.int64]
) -> tuple[list[NDArray[np.float64]], float]:
    from aix360.algorithms.rbm import BooleanRuleCG, FeatureBinarizer

    table = data.X.fillna(dict.fromkeys(data.X.select_dtypes(exclude="number"), "missing"))
    start = time.process_time()
    binarizer = FeatureBinarizer(negations=True)
    X = binarizer.fit_transform(table.iloc[train])
    model = BooleanRuleCG(silent=True)
    model.fit(X, pd.Series(data.y[train], index=X.index))
    seconds = time.process_time() - start
    rows = (X, binarizer.transform(table.iloc[test]))
    return [np.asarray(model.predict(part), dtype=float) for part in rows], seconds


def as_table(peers: list[Peer]) -> str:
    """Return one line for each way."""
    lines = []
    for way, fairness, _ in ways():
        ours = [peer for peer in peers if (peer.way, peer.fairness) == (way, fairness)]
        lines.append(
            [
                way,
                SHORT[fairness],
                mean_sd(peer.test.accuracy for peer in ours),
                mean_sd(peer.train.accuracy for peer in ours),
                mean_sd(peer.train.gap(fairness) for peer in ours),
                mean_sd(peer.test.gap(fairness) for peer in ours),
                f"{100 * together(peer.test for peer in ours).gap(fairness):.1f}",
                mean_sd((peer.seconds for peer in ours), 1),
            ]
        )
    header = [
        "way", f"constraint ({EPSILON:g})", "test accuracy, %", "training accuracy, %", "training gap, points",
        "test gap, points", "gap of all test rows", "seconds",
    ]  # fmt: skip
    return markdown(header, lines)
