"""How differently groups are treated by predictions, in a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.estimators.trees.problem import Task
from fairaudit.findings import Argument, Count, Message, Word
from fairaudit.measure.grouping import Grouping
from fairaudit.measure.indices import didi, dtdi_details
from fairaudit.messages import say


@dataclass(frozen=True)
class Discrimination(Mapping[str, float]):
    """Measures of predictions on the rows that a tree was learned from; NaN where one is not defined.

    Parameters
    ----------
    didi : float
        The disparate impact discrimination index.
    dtdi : float
        The disparate treatment discrimination index, divided by rows times groups; NaN where it was not asked for.
    demographic_parity : float
        The largest difference between two groups in the share of positive predictions, or in the mean prediction.
    four_fifths : float
        The smallest share of positive predictions of a group, as a share of the largest.
    equal_opportunity, equalized_odds : float
        The largest difference in that share among the rows whose label is positive, and among those of either label.
    """

    didi: float
    dtdi: float
    demographic_parity: float
    four_fifths: float
    equal_opportunity: float
    equalized_odds: float

    def __getitem__(self, name: str) -> float:
        if name not in {field.name for field in fields(self)}:
            raise KeyError(name)
        return float(getattr(self, name))

    def __iter__(self) -> Iterator[str]:
        return (field.name for field in fields(self))

    def __len__(self) -> int:
        return len(fields(self))


def discrimination_of(
    predicted: NDArray[np.float64],
    targets: NDArray[np.float64],
    grouping: Grouping,
    task: Task,
    *,
    near: pd.DataFrame | None = None,
    n_neighbors: int = 10,
) -> Discrimination:
    """Measure predictions.

    Shapes: `predicted` (n,), `targets` (n,).
    """
    nan = float("nan")
    groups = grouping.codes
    rates = {"demographic_parity": np.ones(len(targets), dtype=bool)}
    if task == "classification":
        rates |= {"positive": targets == 1, "negative": targets == 0}
    gaps = {}
    for name, inside in rates.items():
        parts = [predicted[inside & (groups == g)] for g in range(grouping.n_groups)]
        means = np.array([part.mean() for part in parts if len(part)])
        gaps[name] = float(np.ptp(means)) if len(means) > 1 else nan
        if name == "demographic_parity":
            ratio = means.min() / means.max() if len(means) > 1 and means.max() > 0 and means.min() >= 0 else nan
    is_class = task == "classification"
    return Discrimination(
        didi=float(didi(predicted, sensitive_features=groups, task=task)),
        dtdi=nan
        if near is None
        else dtdi_details(near, predicted, sensitive_features=groups, n_neighbors=n_neighbors, task=task).normalized,
        demographic_parity=gaps["demographic_parity"],
        four_fifths=float(ratio) if is_class else nan,
        equal_opportunity=gaps["positive"] if is_class else nan,
        equalized_odds=float(np.fmax(gaps["positive"], gaps["negative"])) if is_class else nan,
    )


def notes_on_groups(grouping: Grouping, constraint: str | None, targets: NDArray[np.float64]) -> tuple[str, ...]:
    """Say which groups are not compared.

    Shapes: `targets` (n,).
    """
    if constraint is None:
        return ()
    if grouping.n_groups < 2:
        return (say(Message("tree-note-one-group")),)
    parts = {"equal_opportunity": (1,), "equalized_odds": (1, 0)}.get(constraint, ())
    notes = []
    for label in parts:
        sizes = np.bincount(grouping.codes[targets == label], minlength=grouping.n_groups)
        n_lacking = int((sizes == 0).sum())
        if n_lacking:
            lacking: dict[str, Argument] = {"n": Count(n_lacking), "all": Count(grouping.n_groups)}
            outcome = Word("with" if label else "without")
            notes.append(say(Message("tree-note-lacking", {**lacking, "outcome": outcome})))
    return tuple(notes)
