"""A model without any remedy."""

from __future__ import annotations

from collections.abc import Generator

from fairaudit.events import Command, Event, Progress
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.cautions import STOPPED, group_warnings, model_warnings
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.fitting import FITTED, JUDGING, TOTAL, Candidate, Course, Known, iter_plain_model, plain_answers
from fairaudit.study.rows import Study


def iter_plain(study: Study, remedy: PlainPlan, name: str, known: Known) -> Generator[Event, Command | None, Candidate]:
    """Fit it, or take one that is fitted already, and judge it."""
    course = Course()
    model = yield from iter_plain_model(study, remedy.model, known(remedy), course, end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    prediction, score = plain_answers(model, study.X.iloc[study.split.held_out])
    stopped = (STOPPED,) if course.stopped else ()
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
        warnings=(*group_warnings(study), *stopped, *model_warnings(model, prediction)),
    )
    return Candidate(finding, model, prediction, score)
