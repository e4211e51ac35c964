"""A model without any remedy, by itself and as what remedies are compared with."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress

import numpy as np

from fairaudit.errors import GroupError, StoppedError
from fairaudit.events import Command, Event, Progress
from fairaudit.plan.learners import Learner
from fairaudit.remedies.plain.naming import plain_words
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.cautions import group_warnings, model_warnings
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    TOTAL,
    Before,
    Candidate,
    Course,
    Known,
    iter_plain_model,
    plain_answers,
)
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.rows import Study
from fairaudit.study.yardsticks import PlainScore


def iter_before(
    study: Study, learner: Learner, known: Known, course: Course, *, end: int
) -> Generator[Event, Command | None, Before]:
    """Fit a plain model to the training rows, or take one that is fitted already, and let it answer.

    It is the same for all remedies of a study that name one learner.
    """
    model = yield from iter_plain_model(study, learner, known(PlainPlan(model=learner)), course, end=end)
    answers = Judged(*plain_answers(model, study.X.iloc[study.split.held_out]))
    learning, _ = plain_answers(model, study.X.iloc[study.split.learning])
    name = plain_words(learner)
    return Before(name, answers, learning, PlainScore.of(study, name, model, learner), model)


def iter_yardstick(
    study: Study, known: Known, course: Course, *, end: int
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


def iter_plain(study: Study, remedy: PlainPlan, name: str, known: Known) -> Generator[Event, Command | None, Candidate]:
    """Fit it, or take one that is fitted already, and judge it."""
    course = Course()
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
