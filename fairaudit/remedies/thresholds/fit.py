"""A threshold for each group, as a remedy of an audit."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import InputError, quote, sure
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.estimators.thresholds import GroupThresholdClassifier, ThresholdProblem, iter_swarm
from fairaudit.estimators.thresholds.classifier import reached_in_last_bits
from fairaudit.events import Command, Event, Progress
from fairaudit.remedies.plain.naming import plain_words
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan, plain_model
from fairaudit.remedies.thresholds.tuning import Tuning
from fairaudit.study.cautions import answer_warnings, extreme_warnings, group_warnings, model_warnings
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    TOTAL,
    Before,
    Candidate,
    Course,
    Known,
    Made,
    iter_plain_model,
    judged,
    plain_answers,
)
from fairaudit.study.group_checks import tuning_rows
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.rates_alike import rated_rows
from fairaudit.study.rows import Study
from fairaudit.study.worse_off import wish_before
from fairaudit.study.yardsticks import PlainScore

MODEL_FITTED = 60
"""Steps of `TOTAL` that are done when the search for thresholds begins."""


def iter_thresholds(
    study: Study, remedy: ThresholdsPlan, name: str, known: Known
) -> Generator[Event, Command | None, Candidate]:
    """Put a threshold for each group on a score; before is the same score at one threshold."""
    course = Course()
    model = None
    if (learner := plain_model(remedy)) is not None:
        plain = known(PlainPlan(model=learner))
        model = yield from iter_plain_model(study, learner, plain, course, end=MODEL_FITTED)
    yield Progress("Looking for thresholds", MODEL_FITTED, TOTAL)
    tuning = Tuning.of(study, model)
    problem = tuning.allowed(no_group_worse_off=remedy.no_group_worse_off)
    by_group: dict[Any, float] = dict.fromkeys(study.group_names, tuning.default)
    match remedy.search:
        case "exact":
            found = problem.best(remedy.fairness_weight)
        case "pso":
            events = iter_swarm(problem, remedy.fairness_weight, random_state=study.seed)
            found = yield from course.part(events, start=MODEL_FITTED, end=FITTED)
        case "chosen":
            found = problem.at(_chosen(study, remedy, problem, by_group))
    by_group |= found.by_group
    wish = rated_rows(study, "equalized_odds", study.models.tolerance)
    before_learning = (tuning.values[study.split.learning] >= tuning.default).astype(np.int64)
    yield Progress(JUDGING, FITTED, TOTAL)
    before_name = f"{MODEL_WORDS[remedy.model]}, one threshold" if learner is None else plain_words(learner)
    held, tune = study.split.held_out, study.split.tune
    values = tuning.values[held]
    if model is None:
        cut = Judged((values >= tuning.default).astype(np.int64), np.where(np.isfinite(values), values, np.nan))
        score = PlainScore(MODEL_WORDS[remedy.model], tuning.default, tuning.values[tune], values)
    else:
        # To the last digit the plain model: comparisons list models of the same figures once.
        cut = Judged(*plain_answers(model, study.X.iloc[held]))
        score = PlainScore.of(study, before_name, model, sure(learner))
    before = Before(before_name, cut, before_learning, score)
    after = Judged(_predictions(study, tuning, by_group, held), cut.score)
    warnings = (
        *group_warnings(study),
        *tuning.warnings,
        *extreme_warnings(dict(zip(found.groups, found.selection, strict=True))),
        *(answer_warnings(after.prediction) if model is None else model_warnings(model, after.prediction)),
    )
    return judged(
        study,
        remedy,
        name,
        before,
        Made(
            None if model is None else _classifier(study, remedy, model, by_group),
            after,
            _predictions(study, tuning, by_group, tune),
        ),
        wish=wish,
        keeps=wish_before(study, wish, before_learning) if remedy.no_group_worse_off else None,
        details=tuning.details(found, remedy.fairness_weight, problem, stopped=course.stopped),
        warnings=warnings,
        needs_group=True,
        uses_features=model is not None,
    )


def _predictions(
    study: Study, tuning: Tuning, by_group: dict[str, float], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return what the thresholds of groups predict for some rows."""
    limits = pd.Series(study.groups[rows]).map(by_group).to_numpy(dtype=float)
    return (tuning.values[rows] >= limits).astype(np.int64)


def _chosen(
    study: Study, remedy: ThresholdsPlan, problem: ThresholdProblem, by_group: dict[str, float]
) -> dict[str, float]:
    """Return the thresholds that a person chose, for the groups of the problem; others go into `by_group`."""
    chosen = dict(remedy.thresholds)
    for group in chosen:
        if group not in by_group:
            groups = ", ".join(quote(name, limit=40) for name in study.group_names[:20])
            raise InputError(
                f"'thresholds' names the group {quote(group)}, which there is not.", hint=f"There are: {groups}."
            )
    by_group |= chosen
    return {group: threshold for group, threshold in chosen.items() if group in problem.groups}


def _classifier(
    study: Study, remedy: ThresholdsPlan, model: Any, by_group: dict[str, float]
) -> GroupThresholdClassifier:
    """Return a classifier that decides as the remedy does, wherever its thresholds come from."""
    rows = tuning_rows(study)
    classifier = GroupThresholdClassifier(
        model, fairness_weight=remedy.fairness_weight, method="exact", prefit=True, random_state=study.seed
    )
    classifier.fit(study.X.iloc[rows], study.y[rows], sensitive_features=study.groups[rows])
    classifier.thresholds_ = reached_in_last_bits(by_group)
    return classifier
