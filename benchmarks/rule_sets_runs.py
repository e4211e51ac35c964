"""One fit of a rule set on one fold, what it came to, and many of them side by side."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.constraints_runs import Kept
from benchmarks.rule_sets_data import RuleData, read
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.events import Incumbent

SHORT = {None: "none", "equal_opportunity": "equal opportunity", "equalized_odds": "equalized odds"}
"""The constraints as the tables call them."""

CLOSE = 1e-6
"""The relaxation counts as solved where bound and value differ by this share at most."""


@dataclass(frozen=True)
class Judged:
    """Predictions on some rows, counted for each of the two groups.

    Parameters
    ----------
    counts : tuple of tuple of float
        True and false positives, true and false negatives of each group; shares of rows where predictions are drawn by
        lot.
    """

    counts: tuple[tuple[float, float, float, float], ...]

    @classmethod
    def of(cls, data: RuleData, rows: NDArray[np.int64], h: NDArray[Any]) -> Judged:
        """Count predictions, or shares of positive predictions, on rows."""
        y, second, h = data.y[rows], data.in_second[rows], np.asarray(h, dtype=float)
        cells = []
        for group in (~second, second):
            positive, hit = y[group] == 1, h[group]
            cells.append(
                (hit[positive].sum(), hit[~positive].sum(), (1 - hit[~positive]).sum(), (1 - hit[positive]).sum())
            )
        return cls(tuple(tuple(map(float, cell)) for cell in cells))

    @property
    def accuracy(self) -> float:
        """The share of right predictions."""
        return sum(tp + tn for tp, _, tn, _ in self.counts) / sum(map(sum, self.counts))

    def gap(self, fairness: str | None) -> float:
        """Return the larger gap of true and false positive rates; under equal opportunity that of the first."""
        (tp, fp, tn, fn), (tp2, fp2, tn2, fn2) = self.counts
        opportunity = abs(tp / (tp + fn) - tp2 / (tp2 + fn2))
        return (
            opportunity
            if fairness == "equal_opportunity"
            else max(opportunity, abs(fp / (fp + tn) - fp2 / (fp2 + tn2)))
        )


@dataclass(frozen=True)
class Setting:
    """What is fitted.

    Parameters
    ----------
    data : str
        The data set.
    fairness : str or None
        The constraint.
    max_difference : float
        Allowed on the training rows.
    max_complexity : int
        Of the rule set.
    objective : str
        The loss.
    use_sensitive : bool
        Whether rules may use the protected column, as those of the paper.
    time_limit : float
        Seconds for a fit.
    """

    data: str
    fairness: str | None
    max_difference: float
    max_complexity: int
    objective: str = "hamming"
    use_sensitive: bool = True
    time_limit: float = 300

    @property
    def words(self) -> str:
        """The setting for a table."""
        limit = "" if self.fairness is None else f" {self.max_difference:g}"
        extra = "" if self.use_sensitive else ", without the protected column"
        return f"{SHORT[self.fairness]}{limit}, C = {self.max_complexity}{extra}"


@dataclass(frozen=True)
class FoldRun:
    """One fit on one fold.

    Parameters
    ----------
    fold : int
        From 0.
    train, test : Judged
        The predictions.
    objective, lp_bound, bound, gap : float
        Of the classifier.
    restricted_gap : float
        How far apart solution and bound of the integer program over the rules at hand were, as a share: the least over
        the passes of generation and choice.
    n_proven : int
        The most promising rules at hand for which the integer program proved its solution; all of them where
        `restricted_gap` is 0.
    status : str
        Of the classifier.
    n_columns, n_rounds, complexity : int
        Rules considered, rounds, and the complexity of the rule set.
    closed_s : float
        Seconds until the relaxation over all rules was solved; NaN if it was not.
    seconds, processor_s : float
        Of the fit, by the clock and of the processor.
    """

    fold: int
    train: Judged
    test: Judged
    objective: float
    lp_bound: float
    bound: float
    gap: float
    restricted_gap: float
    n_proven: int
    status: str
    n_columns: int
    n_rounds: int
    complexity: int
    closed_s: float
    seconds: float
    processor_s: float

    @classmethod
    def read(cls, value: dict[str, Any]) -> FoldRun:
        """Return what was kept as JSON."""
        parts = {part: Judged(tuple(map(tuple, value[part]["counts"]))) for part in ("train", "test")}
        return cls(**{**value, **parts})


def run_fold(setting: Setting, fold: int, seed: int) -> FoldRun | None:
    """Fit and judge; None where the file of the data set is not there."""
    data = read(setting.data)
    if data is None:
        return None
    train, test = data.folds(seed)[fold]
    model = RuleSetClassifier(
        setting.max_complexity,
        fairness=setting.fairness,
        max_difference=setting.max_difference,
        objective=setting.objective,
        use_sensitive=setting.use_sensitive,
        time_limit=setting.time_limit,
        random_state=seed,
    )
    start, processor, closed_s = time.perf_counter(), time.process_time(), math.nan
    restricted, n_proven = math.inf, 0
    for event in model.iter_fit(data.X.iloc[train], data.y[train], sensitive_features=data.sensitive.iloc[train]):
        if isinstance(event, Incumbent) and event.what == "round":
            lp, bound = event.figures["lp"], event.figures["bound"]
            if math.isnan(closed_s) and lp - bound <= CLOSE * max(lp, 1):
                closed_s = time.perf_counter() - start
        elif isinstance(event, Incumbent) and event.what == "solution":
            restricted = min(restricted, _open(event.figures))
            n_proven = max(n_proven, int(event.figures["proven_columns"]))
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    return FoldRun(
        fold=fold,
        train=Judged.of(data, train, model.predict(data.X.iloc[train])),
        test=Judged.of(data, test, model.predict(data.X.iloc[test])),
        objective=model.best_objective_,
        lp_bound=model.lp_bound_,
        bound=model.bound_,
        gap=(model.best_objective_ - model.bound_) / max(model.best_objective_, 1),
        restricted_gap=0.0 if model.status_ == "optimal" else restricted,
        n_proven=n_proven,
        status=model.status_,
        n_columns=model.n_columns_,
        n_rounds=model.n_rounds_,
        complexity=model.rule_set_.complexity,
        closed_s=closed_s,
        seconds=seconds,
        processor_s=processor,
    )


def _open(figures: dict[str, float]) -> float:
    """Return how far objective and bound are apart, as a share; both are whole numbers of rows."""
    if math.isnan(figures["objective"]):
        return math.inf
    return max(figures["objective"] - math.ceil(figures["bound"] - CLOSE), 0.0) / max(figures["objective"], 1)


def side_by_side(
    keys: Sequence[tuple[Any, ...]],
    work: Callable[..., dict[str, Any] | None],
    tasks: Sequence[tuple[Any, ...]],
    kept: Kept,
    processes: int,
) -> list[dict[str, Any]]:
    """Do the tasks that are not kept yet, so many at once, keep each when it has ended, and return all in order."""
    missing = [task for key, task in zip(keys, tasks, strict=True) if key not in kept.found]
    values = iter(Parallel(n_jobs=processes, return_as="generator")(delayed(work)(*task) for task in missing))
    found = [kept.get(key, lambda: next(values)) for key in keys]
    return [value for value in found if value is not None]


def fold_runs(
    settings: Iterable[Setting], folds: Sequence[int], seed: int, kept: Kept, processes: int
) -> dict[Setting, list[FoldRun]]:
    """Return the runs of each setting on each fold."""
    settings = list(settings)
    pairs = [(setting, fold, seed) for setting in settings for fold in folds]
    keys = [("fold", *asdict(setting).values(), fold, seed) for setting, fold, seed in pairs]
    values = side_by_side(keys, _as_dict, pairs, kept, processes)
    runs = iter(map(FoldRun.read, values))
    return {setting: [next(runs) for _ in folds] for setting in settings} if values else {}


def _as_dict(setting: Setting, fold: int, seed: int) -> dict[str, Any] | None:
    run = run_fold(setting, fold, seed)
    return None if run is None else asdict(run)


def mean_sd(values: Iterable[float], times: float = 100, form: str = "{:.1f}") -> str:
    """Return the mean, and the standard deviation in brackets, as the paper prints them."""
    values = [times * value for value in values]
    sd = statistics.stdev(values) if len(values) > 1 else math.nan
    return f"{form.format(statistics.fmean(values))} ({form.format(sd)})"


def together(judged: Iterable[Judged]) -> Judged:
    """Return the counts of several parts added up: the predictions of all test rows, each made once."""
    total = np.sum([one.counts for one in judged], axis=0)
    return Judged(tuple(tuple(map(float, cells)) for cells in total))
