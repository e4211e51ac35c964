"""One model for each of several accuracy weights, so that a person can choose between them."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from fairaudit.errors import InputError, StoppedError
from fairaudit.estimators.equalized.classifier import EqualizedDistributionClassifier
from fairaudit.estimators.equalized.optimizers import WHAT
from fairaudit.estimators.progress import iter_part
from fairaudit.events import Command, Event, Finished, Started, result_of

STEPS = 100
"""Steps that the fit of one weight counts for."""


def sweep(
    X: Any, y: Any, *, sensitive_features: Any = None, weights: Iterable[float], **settings: Any
) -> list[EqualizedDistributionClassifier]:
    """Fit a model for each accuracy weight; see :func:`iter_sweep`.

    Shapes: `X` (n, n_features), `y` (n,).

    Examples
    --------
    >>> X, y, group = [[0], [1], [2], [3]] * 2, [0, 0, 1, 1, 0, 1, 0, 1], ["a"] * 4 + ["b"] * 4
    >>> models = sweep(X, y, sensitive_features=group, weights=[0.2, 1])
    >>> [model.accuracy_weight for model in models]
    [1, 0.2]
    """
    return result_of(iter_sweep(X, y, sensitive_features=sensitive_features, weights=weights, **settings))


def iter_sweep(
    X: Any, y: Any, *, sensitive_features: Any = None, weights: Iterable[float], **settings: Any
) -> Generator[Event, Command | None, None]:
    """Fit a model for each accuracy weight, from the highest downwards.

    Each is also searched for from the model of the weight before, and the lowest loss is kept: none is worse than it
    would be by itself. A stop keeps the models so far, the last with its best so far.

    Shapes: `X` (n, n_features), `y` (n,).
    """
    ordered = sorted(set(weights), reverse=True)
    if not ordered:
        raise InputError("'weights' must have at least one number, got none.", hint="Try 0.1, 0.15, 0.2 and 1.")
    total = STEPS * len(ordered)
    yield Started(WHAT, total)
    models: list[EqualizedDistributionClassifier] = []
    for number, weight in enumerate(ordered):
        model = EqualizedDistributionClassifier(weight, **settings)
        start = models[-1] if models else None
        events = model.iter_fit(X, y, sensitive_features=sensitive_features, start=start)
        first = STEPS * number
        try:
            model, stopped = yield from iter_part(events, start=first, end=first + STEPS, total=total)
        except StoppedError:
            if not models:
                raise
            break
        models.append(model)
        if stopped:
            break
    yield Finished(models)
