"""Which function makes which remedy; and the plain model, which is none."""

from __future__ import annotations

from collections.abc import Generator

from fairaudit.events import Command, Event, Progress
from fairaudit.remedies.constrain.fit import iter_constrain
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.fit import iter_equalize
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.remedies.relabel.fit import iter_relabel
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.fit import iter_rules
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.fit import iter_thresholds
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.fit import iter_trees
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.cautions import STOPPED, group_warnings, model_warnings
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.rows import Study
from fairaudit.study.steps import FITTED, JUDGING, TOTAL, Candidate, Course, Known, iter_plain_model, plain_answers


def iter_make(study: Study, remedy: RemedyPlan, name: str, known: Known) -> Generator[Event, Command | None, Candidate]:
    """Make a remedy."""
    return (yield from MAKERS[type(remedy)](study, remedy, name, known))


def _plain(study: Study, remedy: PlainPlan, name: str, known: Known) -> Generator[Event, Command | None, Candidate]:
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


MAKERS = {
    PlainPlan: _plain,
    RelabelPlan: iter_relabel,
    ThresholdsPlan: iter_thresholds,
    EqualizePlan: iter_equalize,
    ConstrainPlan: iter_constrain,
    RulesPlan: iter_rules,
    TreesPlan: iter_trees,
}
