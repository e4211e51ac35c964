"""A threshold for each group, as a remedy of an audit."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import GroupError, InputError, quote
from fairaudit.events import Command, Event, Progress
from fairaudit.plan_remedies import ThresholdsPlan
from fairaudit.remedies.judging.held_out import Judged
from fairaudit.remedies.models import MODEL_WORDS, default_threshold, scores_of
from fairaudit.remedies.thresholds.operating_points import ThresholdOutcome, ThresholdProblem
from fairaudit.remedies.thresholds.swarm import iter_swarm
from fairaudit.remedy_findings import ThresholdDetails
from fairaudit.remedy_steps import (
    FITTED,
    JUDGING,
    TOTAL,
    Candidate,
    Course,
    Known,
    check_groups,
    iter_plain_model,
    judged,
)
from fairaudit.remedy_warnings import (
    answer_warnings,
    extreme_warnings,
    group_warnings,
    model_warnings,
    small_warnings,
)
from fairaudit.study import Study

SWEEP = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Fairness weights at which the exact optimum is shown."""

MODEL_FITTED = 60
"""Steps of `TOTAL` that are done when the search for thresholds begins."""


@dataclass(frozen=True, eq=False)
class _Scores:
    """The score that thresholds are put on, of all rows, and the one threshold that they replace."""

    values: NDArray[np.float64]
    default: float
    model: Any
    warnings: tuple[str, ...]


def iter_thresholds(
    study: Study, remedy: ThresholdsPlan, name: str, known: Known
) -> Generator[Event, Command | None, Candidate]:
    """Put a threshold for each group on a score; before is the same score at one threshold.

    Parameters
    ----------
    study : Study
        The rows.
    remedy : ThresholdsPlan
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
        What was found, and the model; None where the score is a column of the data.
    """
    course = Course()
    if remedy.model == "score":
        scores = _own_score(study)
    else:
        model = yield from iter_plain_model(study, remedy.model, known(remedy.model), course, end=MODEL_FITTED)
        scores = _Scores(scores_of(model, study.X), default_threshold(model), model, ())
    yield Progress("Looking for thresholds on the tuning rows", MODEL_FITTED, TOTAL)
    tune, tuning = _tuned_rows(study, scores)
    problem = ThresholdProblem.from_rows(study.y[tune], scores.values[tune], study.groups[tune])
    best = problem.best(remedy.fairness_weight)
    by_group = dict.fromkeys(study.group_names, scores.default)
    match remedy.search:
        case "exact":
            found = best
        case "pso":
            events = iter_swarm(problem, remedy.fairness_weight, random_state=study.seed)
            found = yield from course.part(events, start=MODEL_FITTED, end=FITTED)
        case "chosen":
            found = problem.at(_chosen(study, remedy, problem, by_group))
    by_group |= found.by_group
    yield Progress(JUDGING, FITTED, TOTAL)
    held = study.split.held_out
    values = scores.values[held]
    before = Judged((values >= scores.default).astype(np.int64), values)
    after = Judged(
        (values >= pd.Series(study.groups[held]).map(by_group).to_numpy(dtype=float)).astype(np.int64), values
    )
    warnings = (
        *group_warnings(study),
        *scores.warnings,
        *tuning,
        *extreme_warnings(dict(zip(found.groups, found.selection, strict=True))),
        *(
            answer_warnings(after.prediction)
            if scores.model is None
            else model_warnings(scores.model, after.prediction)
        ),
    )
    return judged(
        study,
        remedy,
        name,
        scores.model,
        f"{MODEL_WORDS[remedy.model]}, one threshold",
        before,
        after,
        details=_details(study, remedy, problem, best, found, scores.default, by_group, stopped=course.stopped),
        warnings=warnings,
        needs_group=True,
        uses_features=scores.model is not None,
    )


def _own_score(study: Study) -> _Scores:
    """Return the score of the data, and the plan's cut of it or, without one, the most accurate one."""
    score, plan = study.score, study.plan.score
    if score is None or plan is None:
        raise InputError(
            "Thresholds are asked for on the score in the data, but the plan names no score.",
            hint="Name the column of the score, or choose a model.",
        )
    warnings = []
    if not plan.higher_is_favorable:
        warnings.append("The sign of the score was turned, so that a higher one speaks for the good outcome.")
    tune = study.split.tune[np.isfinite(score[study.split.tune])]
    if len(np.unique(study.y[tune])) < 2:
        raise GroupError(
            f"{len(tune):,} tuning rows have a score, and they lack one of the two outcomes.",
            uncounted="The tuning rows with a score lack one of the two outcomes.",
            hint="Choose another score, or bring more rows.",
        )
    if not np.isfinite(score).all():
        warnings.append("Rows without a score were not tuned on, and are given the bad outcome in the judgement.")
    if plan.cut is None:
        default = ThresholdProblem.from_rows(study.y[tune], score[tune], None).best(0.0).thresholds[0]
        warnings.append(
            "The plan gives no cut of the score, so before is the cut that is most accurate on the tuning rows."
        )
    else:
        # Where higher is worse, a row is predicted good below the cut, and not at it.
        default = plan.cut if plan.higher_is_favorable else float(np.nextafter(-plan.cut, np.inf))
    return _Scores(np.where(np.isfinite(score), score, -np.inf), default, None, tuple(warnings))


def _tuned_rows(study: Study, scores: _Scores) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return the rows to tune on, and what to say of them. People of no known group keep the one threshold."""
    tune = study.split.tune
    rows = tune[np.isfinite(scores.values[tune]) & study.group_known[tune]]
    check_groups(study, rows, "thresholds are tuned on")
    found = list(small_warnings(study, rows))
    if not study.group_known.all():
        found.append("People of no known group are not tuned on and keep the threshold from before.")
    return rows, tuple(found)


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


def _details(
    study: Study,
    remedy: ThresholdsPlan,
    problem: ThresholdProblem,
    best: ThresholdOutcome,
    found: ThresholdOutcome,
    default: float,
    by_group: dict[str, float],
    *,
    stopped: bool,
) -> ThresholdDetails:
    before = problem.at(dict.fromkeys(problem.groups, default))
    rates = pd.DataFrame(
        {
            "tpr_before": before.tpr,
            "fpr_before": before.fpr,
            "tpr_after": found.tpr,
            "fpr_after": found.fpr,
            "n_positive": [points.n_positive for points in problem.points],
            "n_negative": [points.n_negative for points in problem.points],
        },
        index=list(problem.groups),
    )
    names = [name for name in study.group_names if name in problem.groups]
    thresholds = pd.DataFrame({"group": names, "before": default, "after": [by_group[name] for name in names]})
    thresholds = thresholds.join(rates, on="group")
    roc = problem.roc()
    if study.models.positive == "unfavorable":
        thresholds, roc = (_turned(frame) for frame in (thresholds, roc))
    return ThresholdDetails(
        thresholds=thresholds,
        roc=roc,
        sweep=problem.sweep(SWEEP),
        objective=found.objective(remedy.fairness_weight),
        optimal_objective=best.objective(remedy.fairness_weight),
        accuracy=found.accuracy,
        gap=found.gap,
        stopped=stopped,
    )


def _turned(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rates of the bad outcome: its true positives are the rows that are rightly not predicted good."""
    turned = frame.copy()
    for column in frame.columns:
        if column.startswith("tpr"):
            turned[column] = 1 - frame["fpr" + column[3:]]
        elif column.startswith("fpr"):
            turned[column] = 1 - frame["tpr" + column[3:]]
    if "n_positive" in frame:
        turned["n_positive"], turned["n_negative"] = frame["n_negative"], frame["n_positive"]
    return turned
