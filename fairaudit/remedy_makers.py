"""How each remedy is made: what it learns from, what it is compared with, and what is told about it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from fairaudit.errors import GroupError
from fairaudit.events import Command, Event, Progress
from fairaudit.plan_remedies import PlainPlan, RelabelPlan, RemedyPlan
from fairaudit.remedies.judging.held_out import Judged
from fairaudit.remedies.models import MODEL_WORDS, scores_of
from fairaudit.remedies.relabeling.classifier import RelabeledClassifier
from fairaudit.remedy_details import relabel_details
from fairaudit.remedy_findings import RemedyFinding
from fairaudit.remedy_steps import TOTAL, Candidate, Course, iter_plain_model, judged, new_model, plain_answers
from fairaudit.remedy_warnings import group_warnings, model_warnings, relabel_warnings
from fairaudit.study import Study

Known = Callable[[str], Any]
"""From the name of a plain model to the fitted one, or None."""

JUDGING = "Judging on the held-out rows"
FITTED = 90
"""Steps of `TOTAL` that are done when the judgement begins."""


def iter_make(study: Study, remedy: RemedyPlan, name: str, known: Known) -> Generator[Event, Command | None, Candidate]:
    """Make a remedy.

    Parameters
    ----------
    study : Study
        The rows.
    remedy : RemedyPlan
        What is asked.
    name : str
        What it is called.
    known : callable
        Finds plain models that are fitted already.

    Yields
    ------
    Progress
        Of all parts, as a share of `TOTAL`.

    Returns
    -------
    Candidate
        What was found, and the model.
    """
    return (yield from MAKERS[type(remedy)](study, remedy, name, known))


def _plain(study: Study, remedy: PlainPlan, name: str, known: Known) -> Generator[Event, Command | None, Candidate]:
    model = yield from iter_plain_model(study, remedy.model, known(remedy.model), Course(), end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    prediction, score = plain_answers(model, study.X.iloc[study.split.held_out])
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
        warnings=(*group_warnings(study), *model_warnings(model, prediction)),
    )
    return Candidate(finding, model, prediction, score)


def _relabel(study: Study, remedy: RelabelPlan, name: str, known: Known) -> Generator[Event, Command | None, Candidate]:
    rows = study.split.learning
    _check_both_sides(study)
    classifier = RelabeledClassifier(
        remedy.algorithm,
        risk_model=new_model(study, remedy.risk_model),
        final_model=new_model(study, remedy.final_model),
        threshold=remedy.threshold,
        random_state=study.seed,
    )
    who = {"sensitive_features": study.protected[rows], "population": study.population[rows]}
    events = classifier.iter_fit(study.X.iloc[rows], study.y[rows], **who)
    model = yield from Course().part(events, start=0, end=FITTED)
    yield Progress(JUDGING, FITTED, TOTAL)
    held = study.X.iloc[study.split.held_out]
    risk = scores_of(model.risk_model_, held)
    before = Judged((risk >= remedy.threshold).astype(np.int64), risk)
    after = Judged(np.asarray(model.predict(held), dtype=np.int64), scores_of(model.final_model_, held))
    details = relabel_details(study, model)
    warnings = (
        *group_warnings(study),
        *relabel_warnings(remedy, details),
        *model_warnings(model.risk_model_, before.prediction, what="model before"),
        *model_warnings(model.final_model_, after.prediction),
    )
    before_name = f"{MODEL_WORDS[remedy.risk_model]}, not relabelled"
    return judged(study, remedy, name, model, before_name, before, after, details=details, warnings=warnings)


def _check_both_sides(study: Study) -> None:
    """Refuse rows to learn from that cannot be halved so that both halves hold the protected group and the rest."""
    rows = study.split.learning
    protected, population, y = study.protected[rows], study.population[rows], study.y[rows]
    sides = {
        "protected rows": protected & population,
        "rows of the rest": ~protected & population,
        "rows with the good outcome": y == 1,
        "rows with the bad outcome": y == 0,
    }
    for what, mask in sides.items():
        if mask.sum() < 2:
            raise GroupError(
                f"Relabelling needs at least 2 {what} to learn from, and there are {int(mask.sum())}.",
                uncounted=f"Relabelling needs at least 2 {what} to learn from, and there are fewer.",
                hint="Bring more rows, or choose a wider filter.",
            )


MAKERS = {PlainPlan: _plain, RelabelPlan: _relabel}
