"""Beside fairlearn's reductions on Adult, and warm starts beside cold ones.

Everyone gets the same prepared matrix, the same logistic regression and the same rows to learn from. Ours makes it a
sparse matrix by itself, which fairlearn refuses. Ours chooses its multiplier on the tuning rows; fairlearn has no use
for them, except where said. Predictions of the exponentiated gradient are drawn by lot, so accuracy and gap are those
expected over the lots. Seconds are of the processor, which one thread uses.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from fairlearn.reductions import DemographicParity, ExponentiatedGradient, GridSearch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from benchmarks.common import markdown
from benchmarks.constraints_data import ConstrainedData, read
from benchmarks.constraints_runs import Kept, search, split_of, spread
from benchmarks.luskin_targets import Target
from fairaudit.estimators.base import Split, TablePreparation
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.models import make_model

LIMIT, BOUND, N_POINTS = 0.03, 0.015, 20
"""Our limit between two groups, fairlearn's between a group and all rows, and the points of its grid."""

NONE, OURS, SAME = "no constraint", "ours, .03", "ours, limit as the reduction's gap"
REDUCTION, GRID, CHOSEN = "ExponentiatedGradient", "GridSearch, its choice", "GridSearch, our choice on tuning rows"

FASTER, WARM = 15.0, 1.5
"""Targets: times faster than the reduction, and what warm starts save on every data set (the paper: 1.2 to 3.4)."""


@dataclass(frozen=True)
class Peer:
    """One way on one division; accuracy and gap are of held-out rows.

    `tuned_gap` is the gap on the tuning rows; `changed` the share of held-out rows whose prediction differs when asked
    twice; `n_fits` the models fitted.
    """

    way: str
    seed: int
    accuracy: float
    gap: float
    tuned_gap: float
    changed: float
    n_fits: int
    seconds: float


@dataclass(frozen=True)
class Warm:
    """Seconds and fits of the same search with warm starts and without."""

    data: str
    seed: int
    warm: float
    cold: float
    warm_fits: int
    cold_fits: int


@dataclass(frozen=True, eq=False)
class Division:
    """One division of Adult with its prepared matrix."""

    data: ConstrainedData
    matrix: NDArray[np.float64]
    rows: ConstrainedRows
    split: Split
    seed: int

    @classmethod
    def of(cls, data: ConstrainedData, seed: int) -> Division:
        """Divide the rows, and prepare the table by the rows to learn from."""
        rows = ConstrainedRows.of(data.specs("demographic_parity", LIMIT), data.y, data.sensitive)
        split = split_of(rows, seed)
        matrix = TablePreparation().fit(data.X.iloc[split.train]).transform(data.X)
        return cls(data, matrix, rows, split, seed)

    def judged(self, h: NDArray[np.float64], part: NDArray[np.int64]) -> tuple[float, float]:
        """Return accuracy and gap of shares of positive predictions, which may lie between 0 and 1."""
        y = self.data.y[part]
        first, second = (h[np.isin(part, members)].mean() for members in self.rows.members[0])
        return float(np.where(y == 1, h, 1 - h).mean()), float(abs(first - second))

    def peer(self, way: str, model: Any, seconds: float, n_fits: int) -> Peer:
        """Judge a model."""
        X, split = self.matrix, self.split
        accuracy, gap = self.judged(_expected(model, X[split.held_out]), split.held_out)
        _, tuned_gap = self.judged(_expected(model, X[split.tune]), split.tune)
        first, second = (np.asarray(model.predict(X[split.held_out])) for _ in range(2))
        changed = float((first != second).mean())
        return Peer(way, self.seed, accuracy, gap, tuned_gap, changed, n_fits, seconds)


def _expected(model: Any, X: Any) -> NDArray[np.float64]:
    """Return the share of positive predictions for each row, over the lots where there are any."""
    if isinstance(model, ExponentiatedGradient):
        shares = [(weight, model.predictors_[i]) for i, weight in model.weights_.items() if weight > 0]
        return sum(weight * np.asarray(predictor.predict(X), dtype=float) for weight, predictor in shares)
    return np.asarray(model.predict(X), dtype=float)


def peers(seeds: Sequence[int], kept: Kept) -> list[Peer]:
    """Measure every way on Adult."""
    found = []
    for seed in seeds:
        value = kept.get(("peers", seed), lambda seed=seed: _peers(seed))
        found += [Peer(**peer) for peer in value["ways"]] if value else []
    return found


def _peers(seed: int) -> dict[str, Any] | None:
    data = read("Adult")
    if data is None:
        return None
    division = Division.of(data, seed)
    found = [_plain(division), _ours(division, OURS, LIMIT)]
    reduction = _reduction(division)
    found += [reduction, _ours(division, SAME, round(reduction.tuned_gap, 4)), *_grid(division)]
    return {"ways": [asdict(peer) for peer in found]}


def learner() -> LogisticRegression:
    """Return the logistic regression that everyone uses: the one of `make_model`."""
    return make_model("logistic_regression")[-1]


def _plain(division: Division) -> Peer:
    start = time.process_time()
    model = learner().fit(division.matrix[division.split.train], division.data.y[division.split.train])
    return division.peer(NONE, model, time.process_time() - start, 1)


def _ours(division: Division, way: str, limit: float) -> Peer:
    learning, data = division.split.learning, division.data
    start = time.process_time()
    model = ConstrainedClassifier(learner(), data.specs("demographic_parity", limit), random_state=division.seed).fit(
        division.matrix[learning],
        data.y[learning],
        sensitive_features=data.sensitive.iloc[learning],
        validation=np.isin(learning, division.split.tune),
    )
    return division.peer(way, model, time.process_time() - start, model.n_fits_)


def _reduction(division: Division) -> Peer:
    model = ExponentiatedGradient(learner(), DemographicParity(difference_bound=BOUND))
    seconds = _fit(model, division)
    return division.peer(REDUCTION, model, seconds, int(model.n_oracle_calls_))


def _grid(division: Division) -> list[Peer]:
    """Return the grid with its own choice, and with the most accurate of its models within .03 on the tuning rows."""
    model = GridSearch(learner(), DemographicParity(), grid_size=N_POINTS)
    seconds = _fit(model, division)
    tune = division.split.tune
    judged = [division.judged(_expected(one, division.matrix[tune]), tune) for one in model.predictors_]
    met = [i for i, (_, gap) in enumerate(judged) if gap <= LIMIT]
    best = max(met, key=lambda i: judged[i][0]) if met else min(range(len(judged)), key=lambda i: judged[i][1])
    n_fits = len(model.predictors_)
    return [
        division.peer(GRID, model, seconds, n_fits),
        division.peer(CHOSEN, model.predictors_[best], seconds, n_fits),
    ]


def _fit(model: Any, division: Division) -> float:
    train, data = division.split.train, division.data
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peer's own use of pandas and scikit-learn
        model.fit(division.matrix[train], data.y[train], sensitive_features=data.sensitive["sex"].to_numpy()[train])
    return time.process_time() - start


def warm_starts(seeds: Sequence[int], kept: Kept) -> list[Warm]:
    """Time the same search with warm starts and without, on each data set."""
    found = []
    for seed in seeds:
        for name in ("COMPAS", "Adult", "Bank"):
            value = kept.get(("warm", name, seed), lambda name=name, seed=seed: _warm(name, seed))
            found += [Warm(**value)] if value else []
    return found


def _warm(name: str, seed: int) -> dict[str, Any] | None:
    data = read(name)
    if data is None:
        return None
    specs = data.specs("demographic_parity", LIMIT)
    split = split_of(ConstrainedRows.of(specs, data.y, data.sensitive), seed)
    seconds, n_fits = [], []
    for warm in (True, False):
        start = time.process_time()
        fitted = search(data, make_model("logistic_regression"), specs, split, seed, warm_start=warm)
        seconds.append(time.process_time() - start)
        n_fits.append(fitted.n_fits_)
    return asdict(Warm(name, seed, *seconds, *n_fits))


def peers_table(found: Sequence[Peer]) -> str:
    """Return all ways, with how many times as long as ours each took."""
    ours = {peer.seed: peer.seconds for peer in found if peer.way == OURS}
    lines = []
    for way in (NONE, OURS, SAME, REDUCTION, GRID, CHOSEN):
        mine = [peer for peer in found if peer.way == way]
        lines.append(
            [
                way,
                spread((peer.accuracy for peer in mine), "{:.2f}", 100),
                spread((peer.gap for peer in mine), "{:.4f}"),
                spread((peer.tuned_gap for peer in mine), "{:.4f}"),
                f"{100 * statistics.median(peer.changed for peer in mine):.1f}",
                spread((peer.n_fits for peer in mine), "{:.0f}"),
                spread((peer.seconds for peer in mine), "{:.1f}"),
                spread((peer.seconds / ours[peer.seed] for peer in mine), "{:.1f}"),
            ]
        )
    header = [
        "way", "accuracy, %", "gap, held-out", "gap, tuning rows", "predictions that change when asked twice, %",
        "fits", "seconds", "times ours",
    ]  # fmt: skip
    return markdown(header, lines)


def warm_table(found: Sequence[Warm]) -> str:
    """Return the seconds with warm starts and without, and their ratio."""
    lines = []
    for name, paper in (("COMPAS", 1.4), ("Adult", 1.8), ("Bank", 3.4)):
        mine = [warm for warm in found if warm.data == name]
        if mine:
            ratio = sum(warm.cold for warm in mine) / sum(warm.warm for warm in mine)
            seconds = [spread((getattr(warm, kind) for warm in mine), "{:.2f}") for kind in ("cold", "warm")]
            fits = [
                statistics.median(n) for n in zip(*((warm.cold_fits, warm.warm_fits) for warm in mine), strict=True)
            ]
            lines.append([name, *seconds, "{:.0f} and {:.0f}".format(*fits), f"{ratio:.1f}", f"{paper:.1f}"])
    header = ["data", "cold, s", "warm, s", "fits, cold and warm", "all cold / all warm", "paper"]
    return markdown(header, lines)


def targets(found: Sequence[Peer], warm: Sequence[Warm]) -> list[Target]:
    """Return what was to be reached; differences and ratios are of the same division."""
    ways = {way: [peer for peer in found if peer.way == way] for way in (OURS, SAME, REDUCTION, GRID)}
    pairs = {way: list(zip(ways[way], ways[REDUCTION], strict=True)) for way in (OURS, SAME)}
    times = statistics.median(theirs.seconds / ours.seconds for ours, theirs in pairs[OURS])
    targets = [
        Target("Adult, LR: times faster than ExponentiatedGradient, median", times, least=FASTER),
        Target(
            "Adult, LR: points of accuracy above ExponentiatedGradient at its gap on the tuning rows, mean",
            100 * statistics.mean(ours.accuracy - theirs.accuracy for ours, theirs in pairs[SAME]),
            least=0,
        ),
        Target(
            "Adult, LR: predictions that change when asked twice, at most, %",
            100 * max(peer.changed for way in (OURS, SAME) for peer in ways[way]),
            most=0,
        ),
    ]
    for name in dict.fromkeys(one.data for one in warm):
        mine = [one for one in warm if one.data == name]
        ratio = sum(one.cold for one in mine) / sum(one.warm for one in mine)
        targets.append(Target(f"{name}, LR: cold seconds divided by warm seconds", ratio, least=WARM))
    return targets
