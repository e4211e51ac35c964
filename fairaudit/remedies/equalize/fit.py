"""Score distributions that are brought together, as a remedy of an audit."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import GroupError, StoppedError, require
from fairaudit.estimators.equalized import EqualizedDistributionClassifier, iter_sweep
from fairaudit.events import Command, Event, Progress
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.equalize.details import EqualizeDetails
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.fit import iter_before
from fairaudit.study.cautions import group_warnings, model_warnings, small_warnings, unknown_group_warnings
from fairaudit.study.constraint_check import rated_rows
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    TOTAL,
    Fit,
    FittedRemedy,
    Known,
    StagedRun,
    answers_of,
    judged,
    threshold_within,
    wish_before,
)
from fairaudit.study.rows import Study, check_groups, learned_rows

SWEEP = (0.1, 0.2, 0.3, 0.5, 0.7)
"""Accuracy weights that are shown beside the plan's own and 1."""

N_BINS = 20
"""Bins that scores, which lie between 0 and 1, are counted in."""

PLAIN_FITTED, ACCURATE_FITTED, MODEL_FITTED = 5, 15, 50
"""Steps of `TOTAL` that are done when the model for accuracy only, then the model itself, then the sweep, begin."""


def iter_equalize(study: Study, remedy: EqualizePlan, name: str, known: Known) -> Fit:
    """Bring score distributions together; before is a plain logistic regression."""
    rows = learned_rows(study)
    check_groups(study, rows, "scores are brought together in")
    _check_tuning(study)
    course = StagedRun()
    before = yield from iter_before(study, "logistic_regression", known, course, end=PLAIN_FITTED)
    accurate = yield from _fit(study, rows, remedy, 1.0, course, start=PLAIN_FITTED, end=ACCURATE_FITTED)
    weight = remedy.accuracy_weight
    model = yield from _fit(study, rows, remedy, weight, course, start=ACCURATE_FITTED, end=MODEL_FITTED)
    others = [other for other in SWEEP if other != weight]
    swept = [accurate] if weight == 1 else [accurate, model]
    if not course.stopped:
        X, y = study.X.iloc[rows], study.y[rows]
        settings = _settings(study, remedy) | {"method": "lbfgs"}
        events = iter_sweep(X, y, **_who(study, rows), weights=others, **settings)
        # The model is made: a stop from here on only ends the sweep.
        with suppress(StoppedError):
            swept += yield from StagedRun().part(events, start=MODEL_FITTED, end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    tune = study.split.tune
    X, y = study.X.iloc[tune], study.y[tune]
    wish = rated_rows(study, "equalized_odds", study.models.tolerance)
    keeps = wish_before(study, wish, before.learning) if remedy.no_group_worse_off else None
    for fitted in {id(each): each for each in (*swept, model)}.values():
        threshold = fitted.choose_threshold(X, y)
        if keeps is not None:
            fitted.threshold_ = threshold_within(study, keeps, fitted.predict_proba(X)[:, 1], threshold)
    held = study.X.iloc[study.split.held_out]
    answers = {"before": before.held_out, "after": answers_of(model, held)}
    details = EqualizeDetails(
        loss_first=float(model.loss_curve_[0]),
        loss_last=float(model.loss_),
        n_iterations=int(model.n_iter_),
        smoothing=model.smoothing_,
        threshold=model.threshold_,
        distribution=pd.concat(
            [_distribution(study, what, require(judgement.score)) for what, judgement in answers.items()],
            ignore_index=True,
        ),
        sweep=_sweep(study, swept),
        stopped=course.stopped,
    )
    warnings = (
        *group_warnings(study),
        *small_warnings(study, rows),
        *unknown_group_warnings(study),
        *(() if model.loss_ < model.loss_curve_[0] else (say(Message("equalize-nothing-found")),)),
        *((say(Message("equalize-collapsed")),) if model.collapsed_ else ()),
        *model_warnings(before.model, before.held_out.prediction, what="model before"),
        *model_warnings(model, answers["after"].prediction),
    )
    return judged(
        study,
        remedy,
        name,
        before,
        FittedRemedy(model, answers["after"], np.asarray(model.predict(X), dtype=np.int64)),
        wish=wish,
        keeps=keeps,
        details=details,
        warnings=warnings,
    )


def _check_tuning(study: Study) -> None:
    """Refuse tuning rows of one outcome, on which no threshold can be chosen."""
    y = study.y[study.split.tune]
    if len(np.unique(y)) < 2:
        raise GroupError(
            f"The threshold is chosen on {len(y):,} tuning cases, and they lack one of the two outcomes.",
            uncounted="The threshold is chosen on the tuning cases, and they lack one of the two outcomes.",
            hint="Bring more rows.",
        )


def _who(study: Study, rows: NDArray[np.int64]) -> dict[str, Any]:
    return {"sensitive_features": study.groups[rows], "population": study.in_filter[rows]}


def _settings(study: Study, remedy: EqualizePlan) -> dict:
    return {
        "distance": remedy.distance,
        "smoothing": remedy.smoothing,
        "method": remedy.optimizer,
        "max_iter": remedy.max_iter,
        "n_components": study.models.n_components,
        "min_level_count": study.models.min_level_count,
        "random_state": study.seed,
    }


def _fit(
    study: Study,
    rows: NDArray[np.int64],
    remedy: EqualizePlan,
    weight: float,
    course: StagedRun,
    *,
    start: int,
    end: int,
) -> Generator[Event, Command | None, EqualizedDistributionClassifier]:
    model = EqualizedDistributionClassifier(weight, **_settings(study, remedy))
    events = model.iter_fit(study.X.iloc[rows], study.y[rows], **_who(study, rows))
    return (yield from course.part(events, start=start, end=end))


def _distribution(study: Study, what: str, score: NDArray[np.float64]) -> pd.DataFrame:
    """Count the held-out rows of each group and outcome in equal bins of the score."""
    held = study.split.held_out
    y = study.to_positive(study.y[held])
    bins = np.minimum((score * N_BINS).astype(np.int64), N_BINS - 1)
    parts = []
    for group in study.group_names:
        for label in (0, 1):
            n = np.bincount(bins[(study.groups[held] == group) & (y == label)], minlength=N_BINS)
            if n.sum():
                low = np.arange(N_BINS) / N_BINS
                columns = {"bin_low": low, "bin_high": low + 1 / N_BINS, "n": n, "share": n / n.sum()}
                parts.append(pd.DataFrame({"model": what, "group": group, "label": label} | columns))
    return pd.concat(parts, ignore_index=True)


def _sweep(study: Study, models: list[EqualizedDistributionClassifier]) -> pd.DataFrame:
    """Judge models of several weights on the tuning rows; gaps are between groups that have the outcome there."""
    tune = study.split.tune
    X, y, groups = study.X.iloc[tune], study.y[tune], study.groups[tune]
    groups = np.where(study.compared[tune], groups, np.array(None))
    rows = []
    for model in sorted(models, key=lambda model: model.accuracy_weight):
        prediction = np.asarray(model.predict(X))
        gaps = []
        for label in (1, 0):
            chosen = pd.Series(prediction[y == label]).groupby(groups[y == label]).mean()
            gaps.append(float(chosen.max() - chosen.min()))
        # The true positives of the bad outcome are the rows that are rightly not predicted good, and so on.
        tpr_gap, fpr_gap = gaps if study.positive_is_good else gaps[::-1]
        accuracy = float((prediction == y).mean())
        rows.append((float(model.accuracy_weight), accuracy, tpr_gap, fpr_gap, float(model.threshold_)))
    return pd.DataFrame(rows, columns=["accuracy_weight", "accuracy", "tpr_gap", "fpr_gap", "threshold"])
