"""A model without any remedy, by itself and as what remedies are compared with, of outcomes or of amounts."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import Pipeline

from fairaudit.errors import GroupError, StoppedError
from fairaudit.estimators.base import TablePreparation
from fairaudit.estimators.models import iter_fit_model
from fairaudit.events import Command, Event, Progress
from fairaudit.plan.models import AmountLearner, Learner
from fairaudit.remedies.plain.plan import PlainPlan, plain_words
from fairaudit.study.amounts.judging import amount_candidate, amount_judged
from fairaudit.study.amounts.rows import AmountStudy, amount_warnings
from fairaudit.study.cautions import group_warnings, model_warnings
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    TOTAL,
    Baseline,
    Candidate,
    Fit,
    Known,
    StagedRun,
    iter_plain_model,
    plain_answers,
)
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.rows import Study
from fairaudit.study.similar import similar_parts
from fairaudit.study.yardsticks import PlainScore


def iter_before(
    study: Study, learner: Learner | AmountLearner, known: Known, course: StagedRun, *, end: int
) -> Generator[Event, Command | None, Baseline]:
    """Fit a plain model to the training rows, or take one that is fitted already, and let it answer.

    It is the same for all remedies of a study that name one learner.
    """
    model = yield from iter_plain_model(study, learner, known(PlainPlan(model=learner)), course, end=end)
    answers = Judged(*plain_answers(model, study.X.iloc[study.split.held_out]))
    learning, _ = plain_answers(model, study.X.iloc[study.split.learning])
    name = plain_words(learner)
    return Baseline(name, answers, learning, PlainScore.of(study, name, model, learner), model)


def iter_yardstick(
    study: Study, known: Known, course: StagedRun, *, end: int
) -> Generator[Event, Command | None, PlainScore | None]:
    """Fit the plain model that a rule set or tree is judged beside, on the first division of the rows.

    None where a person stops it, or it cannot be.
    """
    if study.number:
        return None
    with suppress(StoppedError, GroupError):
        before = yield from iter_before(study, "logistic_regression", known, course, end=end)
        return before.score
    return None


def iter_plain(study: Study, remedy: PlainPlan, name: str, known: Known) -> Fit:
    """Fit it, or take one that is fitted already, and judge it."""
    course = StagedRun()
    model = yield from iter_plain_model(study, remedy.model, known(PlainPlan(model=remedy.model)), course, end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    prediction, score = plain_answers(model, study.X.iloc[study.split.held_out])
    if remedy.threshold is not None:
        prediction = (score >= remedy.threshold).astype(np.int64)
    evaluation = study.held_out.evaluate(name, prediction, score)
    finding = RemedyFinding(
        name=name,
        plan=remedy,
        before=evaluation,
        after=evaluation,
        changes=(),
        details=None,
        needs_group=False,
        uses_protected_features=bool(study.facts.protected_features),
        stopped=course.stopped,
        warnings=(*group_warnings(study), *model_warnings(model, prediction)),
    )
    return Candidate(finding, model, prediction, score)


SMALL_PENALTY: Final = 1e-3
"""Of a linear regression, so that columns that say the same do not make its weights run away."""


N_NEIGHBORS: Final = 10
"""Near rows that people are compared with."""


def make_amount_model(
    name: str, *, random_state: int | None = None, min_level_count: int = 10, n_components: int | None = None
) -> Pipeline:
    """Return an unfitted model of an amount with the preparation of its table."""
    preparation = TablePreparation(
        min_level_count=min_level_count, n_components=n_components, random_state=random_state
    )
    model = DummyRegressor(strategy="median") if name == "median" else Ridge(alpha=SMALL_PENALTY)
    return Pipeline([("prepare", preparation), ("model", model)])


def iter_fitted(
    study: AmountStudy, remedy: PlainPlan, known: Known, course: StagedRun, *, end: int
) -> Generator[Event, Command | None, Pipeline]:
    """Fit a plain model to the training rows, or take one that is fitted already."""
    if (model := known(remedy)) is not None:
        return model
    model = make_amount_model(
        remedy.model,
        random_state=study.seed,
        min_level_count=study.models.min_level_count,
        n_components=study.models.n_components,
    )
    rows = study.split.train
    return (yield from course.part(iter_fit_model(model, study.X.iloc[rows], study.y[rows]), start=0, end=end))


def iter_amount_plain(study: AmountStudy, remedy: PlainPlan, name: str, known: Known) -> Fit:
    """Fit a model, or take one that is fitted already, and judge it."""
    model = yield from iter_fitted(study, remedy, known, StagedRun(), end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    predicted = np.asarray(model.predict(study.X), dtype=np.float64)
    similar = similar_parts(study, N_NEIGHBORS)
    warnings = amount_warnings(study, predicted[study.split.held_out])
    found = amount_judged(study, remedy, (name, name), (predicted, predicted), similar, warnings)
    uses = bool(study.facts.protected_features) and remedy.model != "median"
    found = replace(found, changes=(), uses_protected_features=uses, beside_decisions=None)
    return amount_candidate(study, found, model, predicted)
