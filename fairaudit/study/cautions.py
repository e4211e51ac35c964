"""What makes a remedy doubtful, in plain sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from fairaudit.errors import quote
from fairaudit.measure.gaps import ENOUGH
from fairaudit.remedies.relabel.details import RelabelDetails
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.study.rows import Study

STOPPED = "The fit was stopped before its end, so this is the best it had until then."
MOST_NAMED = 5
"""Groups that a warning names."""


def model_warnings(model: Any, prediction: NDArray[np.int64], *, what: str = "model") -> tuple[str, ...]:
    """Say whether a model did not settle, or always gives one answer."""
    found = []
    if not settled(model):
        found.append(
            f"The {what} did not settle in the steps that it was given, so its figures may still change. Fewer or "
            "simpler features may help."
        )
    return (*found, *answer_warnings(prediction, what=what))


def answer_warnings(prediction: NDArray[np.int64], *, what: str = "model") -> tuple[str, ...]:
    """Say whether all predictions are the same.

    Examples
    --------
    >>> answer_warnings(np.array([1, 1]))
    ('The model gives every held-out row the good outcome. Where everyone is treated alike, there is no gap.',)
    """
    if len(np.unique(prediction)) > 1:
        return ()
    answer = "the good outcome" if prediction[:1].sum() else "the bad outcome"
    return (f"The {what} gives every held-out row {answer}. Where everyone is treated alike, there is no gap.",)


def settled(model: Any) -> bool:
    """Say whether a model ended before the steps it was given were used up."""
    last = model[-1] if isinstance(model, Pipeline) else model
    steps, most = getattr(last, "n_iter_", None), getattr(last, "max_iter", None)
    # Boosting counts trees, and descent with momentum takes the steps it is given: using all of them is how these end.
    all_used = hasattr(last, "do_early_stopping_") or getattr(last, "method", None) == "momentum"
    if steps is None or most is None or all_used:
        return True
    return int(np.max(steps)) < int(most)


def extreme_warnings(shares: dict[str, float]) -> tuple[str, ...]:
    """Say in which groups everyone, or no one, is predicted to have the good outcome.

    Examples
    --------
    >>> extreme_warnings({"a": 1.0, "b": 0.5})
    ('The threshold gives the good outcome to everyone in the group a of the tuning rows.',)
    """
    found = []
    for share, whom in ((1.0, "everyone"), (0.0, "no one")):
        names = [name for name, value in shares.items() if value == share]
        if names:
            groups = ("the group " if len(names) == 1 else "the groups ") + ", ".join(names)
            found.append(f"The threshold gives the good outcome to {whom} in {groups} of the tuning rows.")
    return tuple(found)


def group_warnings(study: Study) -> tuple[str, ...]:
    """Say which groups are too small to be judged."""
    held = study.groups[study.split.held_out]
    sizes = {name: int((held == name).sum()) for name in study.group_names}
    small = [name for name, size in sizes.items() if size < ENOUGH]
    if not small:
        return ()
    return (f"Fewer than {ENOUGH} held-out rows: {named_groups(small)}. What is said about them is uncertain.",)


def small_warnings(study: Study, rows: NDArray[np.int64]) -> tuple[str, ...]:
    """Say which groups have few rows of an outcome among those that groups are made alike in."""
    small = []
    for name in study.group_names:
        y = study.y[rows[study.groups[rows] == name]]
        if len(y) and min(y.sum(), len(y) - y.sum()) < ENOUGH:
            small.append(name)
    if not small:
        return ()
    return (
        f"Fewer than {ENOUGH} rows of an outcome to choose by: {named_groups(small)}. Rates there are mostly chance, "
        "and all groups are fitted to them.",
    )


def relabel_warnings(remedy: RelabelPlan, details: RelabelDetails, *, group_told: bool = True) -> tuple[str, ...]:
    """Say what makes retraining on relabelled rows doubtful."""
    found = []
    if not group_told:
        found.append(
            "The models do not see all columns that say who is protected and who is looked at. So the new model can "
            "follow the changed labels only as far as other columns tell the groups apart, and may move everybody."
        )
    if details.weight_ratio != 1:
        found.append(
            "So that its decisions, and not only its labels, are alike, the final model was fitted with a protected "
            f"row of the good label weighing {details.weight_ratio:.2f} times as much as one of the bad label."
        )
    if details.n_protected < ENOUGH or details.n_reference < ENOUGH:
        found.append(
            f"The protected group or the rest has fewer than {ENOUGH} rows among those that were relabelled, so the "
            "share that it is moved to is uncertain."
        )
    if abs(details.gap_after) > 1 / details.n_protected:
        found.append("Many rows have the same risk score, so relabelling could not bring the shares closer together.")
    elif details.direction == "none":
        found.append("The rows were alike already: no label was changed.")
    if details.direction == "lowered":
        found.append("The protected group had the larger share of good outcomes. Relabelling lowered it.")
    if remedy.final_model == "logistic_regression":
        found.append("A linear final model can hardly follow relabelled rows; a multi-layer perceptron can.")
    return tuple(found)


def named_groups(names: list[str]) -> str:
    """Return the names of groups for a sentence, the first few of many.

    Examples
    --------
    >>> named_groups(["a", "b"])
    "'a', 'b'"
    """
    more = len(names) - MOST_NAMED
    return ", ".join(quote(name, limit=60) for name in names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
