"""Thresholds on a finished model beside ours: FPR and FNR by group on COMPAS and Adult, with and without the group.

Divisions, plain model and limits are those of :mod:`benchmarks.constraints_pulling`. "Without" says that no feature is
the protected column; error-parity and thresholds by group ask for it all the same when they decide, ours does not.
error-parity draws lots besides, so its figures are those expected over the lots.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from benchmarks.constraints_data import ConstrainedData, read
from benchmarks.constraints_pulling import (
    LIMITS,
    NO,
    OURS,
    Division,
    Way,
    error_parity,
    ours,
    plain,
    rows_of,
    shifted,
    ways_table,
)
from benchmarks.constraints_runs import Kept
from fairaudit.estimators.thresholds import GroupThresholdClassifier

N_DIVISIONS = 5
TABLES = ("COMPAS", "Adult")
WEIGHTS = tuple(round(0.05 * 1.5**step, 4) for step in range(14))
"""How much a gap counts, from little to much: the most accurate thresholds within the limit are taken."""
BY_GROUP = "ours, thresholds by group"


def tables() -> Iterator[tuple[str, ConstrainedData]]:
    """Yield each table that is there with its name, with and without the group among the features."""
    for name in TABLES:
        if (data := read(name)) is not None:
            yield f"{name}, with {data.by}", data
            yield f"{name}, without {data.by}", replace(data, X=data.X.drop(columns=[data.by]))


def measure(kept: Kept) -> dict[str, list[Way]]:
    """Measure every way on every table and division."""
    found: dict[str, list[Way]] = {}
    for name, data in tables():
        for seed in range(N_DIVISIONS):
            value = kept.get(("postprocessing", name, seed), lambda data=data, seed=seed: _measure(data, seed))
            found.setdefault(name, []).extend(Way(**way) for way in value["ways"])
    return found


def _measure(data: ConstrainedData, seed: int) -> dict[str, Any]:
    division = Division.of(data, seed)
    found = [division.way(NO, 0.0, np.zeros(len(division.test)), 0.0)]
    for limit in LIMITS:
        found += [ours(division, OURS, limit), shifted(division, limit), _by_group(division, limit)]
        if importlib.util.find_spec("error_parity") is not None:
            found.append(error_parity(division, limit))
    return {"ways": [asdict(way) for way in found]}


def _by_group(division: Division, limit: float) -> Way:
    data, tune = division.data, division.tune
    rows, X = rows_of(data, tune, limit), division.X(tune)
    start = time.process_time()
    model, best = plain(division), (-1.0, None)
    for weight in WEIGHTS:
        made = GroupThresholdClassifier(model, fairness_weight=weight, method="exact", prefit=True)
        made.fit(X, data.y[tune], sensitive_features=data.group[tune])
        h = made.predict(X, sensitive_features=data.group[tune])
        accuracy = float((h == data.y[tune]).mean())
        if (rows.ratios(h) <= 1).all() and accuracy > best[0]:
            best = accuracy, made
    _, made = best
    h = np.zeros(len(division.test))
    if made is not None:
        h = made.predict(division.X(division.test), sensitive_features=data.group[division.test])
    return division.way(BY_GROUP, limit, h, time.process_time() - start, feasible=made is not None)


def as_text(found: dict[str, list[Way]]) -> str:
    """Return a table of means for each table and choice of features."""
    return "\n\n".join(
        f"{name}, means of {N_DIVISIONS} divisions:\n\n{ways_table(ways)}" for name, ways in found.items()
    )
