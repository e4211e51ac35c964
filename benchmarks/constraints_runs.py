"""One run of a constrained search: fit on 60 % of the rows, choose on 20 %, judge on the other 20 %."""

from __future__ import annotations

import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.constraints_data import ConstrainedData, read
from fairaudit.estimators.base import Split, split_rows
from fairaudit.estimators.constraints import ConstrainedRows, FairnessSpec
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.models import make_model

SHORT = {"logistic_regression": "LR", "random_forest": "RF", "mlp": "NN"}
"""The models as the paper's tables call them."""

Z = 1.96
"""Standard errors on either side of a share that 95 of 100 samples stay within."""


@dataclass(frozen=True)
class Judged:
    """What predictions come to on some rows.

    Parameters
    ----------
    accuracy : float
        The share of right predictions.
    gaps : tuple of float
        For each constraint the largest distance between two groups.
    errors : tuple of float
        1.96 standard errors of each of those differences between two shares.
    """

    accuracy: float
    gaps: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True)
class Run:
    """One search.

    Parameters
    ----------
    data, model, metrics : str
        What was constrained.
    limit : float
        How far groups might be apart.
    seed : int
        Of the division of the rows and of the model.
    met : bool
        Whether the limit was met on the rows that multipliers were chosen on.
    before, chosen, after : Judged
        The model with all multipliers 0 on held-out rows, and the chosen one on the rows that multipliers were chosen
        on and on held-out rows.
    n_fits : int
        Models that were fitted, the one before among them.
    seconds : float
        Of the processor: what the search took, the preparation of the table included.
    """

    data: str
    model: str
    metrics: str
    limit: float
    seed: int
    met: bool
    before: Judged
    chosen: Judged
    after: Judged
    n_fits: int
    seconds: float

    @property
    def lost(self) -> float:
        """Points of accuracy lost on held-out rows."""
        return 100 * (self.before.accuracy - self.after.accuracy)

    @property
    def within(self) -> bool:
        """Whether every gap on held-out rows is within the limit."""
        return all(gap <= self.limit for gap in self.after.gaps)

    @property
    def within_error(self) -> bool:
        """Whether every gap on held-out rows is within the limit and its sampling error there."""
        return self._within(self.after.errors)

    @property
    def within_both_errors(self) -> bool:
        """Whether it is within the limit and the sampling error of both parts, as the limit held on one of them."""
        return self._within(tuple(map(math.hypot, self.after.errors, self.chosen.errors)))

    def _within(self, errors: tuple[float, ...]) -> bool:
        return all(gap <= self.limit + error for gap, error in zip(self.after.gaps, errors, strict=True))


def run_search(name: str, model: str, metrics: str, limit: float, seed: int) -> Run | None:
    """Search and judge; None where the file of the data set is not there."""
    data = read(name)
    if data is None:
        return None
    specs = data.specs(metrics, limit)
    rows = ConstrainedRows.of(specs, data.y, data.sensitive)
    split = split_of(rows, seed)
    start = time.process_time()
    fitted = search(data, make_model(model, random_state=seed), specs, split, seed)
    seconds = time.process_time() - start
    held = split.held_out
    return Run(
        data=name,
        model=model,
        metrics=metrics,
        limit=limit,
        seed=seed,
        met=bool(fitted.feasible_),
        before=judge(rows.take(held), fitted.unconstrained_.predict(data.X.iloc[held])),
        chosen=judge(rows.take(split.tune), fitted.predict(data.X.iloc[split.tune])),
        after=judge(rows.take(held), fitted.predict(data.X.iloc[held])),
        n_fits=fitted.n_fits_,
        seconds=seconds,
    )


def split_of(rows: ConstrainedRows, seed: int) -> Split:
    """Divide rows 60/20/20, alike in group and label."""
    code = np.zeros(len(rows.y), dtype=np.int64)
    for number, members in enumerate(rows.members[0]):
        code[members] = number
    return split_rows(code + len(rows.members[0]) * rows.y, random_state=seed)


def search(
    data: ConstrainedData, model: Any, specs: Sequence[FairnessSpec], split: Split, seed: int, **settings: Any
) -> ConstrainedClassifier:
    """Fit the models on the training rows, and choose multipliers on the tuning rows."""
    learning = split.learning
    classifier = ConstrainedClassifier(model, list(specs), random_state=seed, **settings)
    return classifier.fit(
        data.X.iloc[learning],
        data.y[learning],
        sensitive_features=data.sensitive.iloc[learning],
        validation=np.isin(learning, split.tune),
    )


def judge(rows: ConstrainedRows, h: NDArray[np.int64]) -> Judged:
    """Return accuracy, gaps and their sampling errors."""
    gaps, errors = [], []
    for spec, values, groups in zip(rows.specs, rows.values(h), rows.members, strict=True):
        low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
        gaps.append(float(values[high] - values[low]))
        variance = 0.0
        for group in (low, high):
            n = _counted(spec, rows.y[groups[group]], h[groups[group]])
            variance += values[group] * (1 - values[group]) / n
        errors.append(Z * math.sqrt(variance))
    return Judged(float((h == rows.y).mean()), tuple(gaps), tuple(errors))


def _counted(spec: FairnessSpec, y: NDArray[np.int64], h: NDArray[np.int64]) -> int:
    """Return how many rows the metric is a share of."""
    of = {"demographic_parity": None, "error_rate": None, "fpr": y == 0, "fnr": y == 1, "for_": h == 0, "fdr": h == 1}[
        spec.measure.name
    ]
    return len(y) if of is None else int(of.sum())


class Kept:
    """Runs in a file, each written at once, so that a benchmark that was ended goes on where it was.

    Parameters
    ----------
    path : Path or None
        The file, one run a line; None keeps nothing.
    """

    def __init__(self, path: Path | None):
        self.path = path
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        self.found = {tuple(key): value for key, value in map(json.loads, lines)}

    def get(self, key: tuple[Any, ...], work: Callable[[], dict[str, Any] | None]) -> dict[str, Any] | None:
        """Return what is kept under a key, or do the work and keep it."""
        if key not in self.found:
            start = time.perf_counter()
            value = work()
            if value is None:
                return None
            sys.stderr.write(f"{' '.join(map(str, key))}: {time.perf_counter() - start:.0f} s\n")
            self.found[key] = value
            if self.path is not None:
                with self.path.open("a") as file:
                    file.write(json.dumps([key, value]) + "\n")
        return self.found[key]


def runs(tasks: Iterable[tuple[str, str, str, float, int]], kept: Kept) -> list[Run]:
    """Return the runs of tasks: data set, model, metrics, limit and seed."""
    found = []
    for task in tasks:
        value = kept.get(("run", *task), lambda task=task: _as_dict(run_search(*task)))
        if value is not None:
            judged = {name: _judged(value[name]) for name in ("before", "chosen", "after")}
            found.append(Run(**{**value, **judged}))
    return found


def _as_dict(run: Run | None) -> dict[str, Any] | None:
    return None if run is None else asdict(run)


def _judged(value: dict[str, Any]) -> Judged:
    return Judged(value["accuracy"], tuple(value["gaps"]), tuple(value["errors"]))


def spread(values: Iterable[float], form: str = "{:.3f}", times: float = 1) -> str:
    """Return the median, and the least and the largest in brackets."""
    values = [times * value for value in values]
    return "{} ({} to {})".format(*(form.format(f(values)) for f in (statistics.median, min, max)))
