"""A threshold for each group, as a remedy of an audit, and what thresholds do on the tuning rows."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from fairaudit.disclosure.fields import Remark
from fairaudit.errors import InputError, quote, require
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.estimators.models import default_threshold, scores_of
from fairaudit.estimators.thresholds import GroupThresholdClassifier, ThresholdOutcome, ThresholdProblem, iter_swarm
from fairaudit.estimators.thresholds.classifier import SCORE_DECIMALS, reached_in_last_bits
from fairaudit.events import Command, Event, Progress
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.remedies.part import HOLDS_NO_GAP
from fairaudit.remedies.plain.plan import PlainPlan, plain_words, without_name
from fairaudit.remedies.thresholds.details import ThresholdDetails
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.cautions import (
    answer_warnings,
    extreme_warnings,
    group_warnings,
    model_warnings,
    similar_warnings,
    small_warnings,
)
from fairaudit.study.certified import certifying
from fairaudit.study.constraint_check import gaps_of_parts, rated_rows, strata_of
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    TOTAL,
    Baseline,
    Fit,
    FittedRemedy,
    Known,
    StagedRun,
    iter_plain_model,
    judged,
    plain_answers,
    score_in_use,
    wish_before,
)
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.rows import Study, check_groups, part_rows, tuning_rows
from fairaudit.study.yardsticks import PlainScore

SWEEP = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Fairness weights at which the exact optimum is shown."""


@dataclass(frozen=True, eq=False)
class Tuning:
    """A score that thresholds are put on, and the problem that it poses on the tuning rows.

    Parameters
    ----------
    problem : ThresholdProblem
        The tuning rows of known groups, counted.
    default : float
        The one threshold that those by group replace.
    values : ndarray of float, shape (n,)
        The score of all rows; minus infinity where a row has none.
    model : estimator or None
        What gives the score; None where it is a column of the data.
    names : tuple of str
        The groups of the problem, in the order of the study.
    unfavorable : bool
        Whether rates are those of the bad outcome.
    turned : bool
        Whether a lower score of the data is better: the problem and `values` then hold minus the score.
    warnings : tuple of str
        What makes the score or the rows doubtful.
    are_averages : bool
        Whether rates are averages over similar cases.
    """

    problem: ThresholdProblem
    default: float
    values: NDArray[np.float64]
    model: BaseEstimator | None
    names: tuple[str, ...]
    unfavorable: bool
    turned: bool
    warnings: tuple[str, ...]
    are_averages: bool = False

    @classmethod
    def of(cls, study: Study, model: BaseEstimator | None = None, strata: NDArray[np.int64] | None = None) -> Tuning:
        """Count the tuning rows of a study at each threshold of a score. Shapes: `strata` (n,): which are similar."""
        if model is None:
            values, default, notes = _own_score(study)
        else:
            # Rounded as the classifier does that a person takes away, or rows at a threshold would change sides.
            values, default, notes = scores_of(model, study.X).round(SCORE_DECIMALS), default_threshold(model), ()
        tune = study.split.tune
        rows = tune[np.isfinite(values[tune]) & study.compared[tune]]
        check_groups(study, rows, "thresholds are tuned on")
        warnings = [*notes, *small_warnings(study, rows)]
        if not study.group_known[study.in_filter].all():
            warnings.append(say(Message("thresholds-unknown-groups")))
        similar = None if strata is None else strata[rows]
        problem = ThresholdProblem.from_rows(study.y[rows], values[rows], study.groups[rows], None, similar)
        return cls(
            problem=problem,
            default=default,
            values=values,
            model=model,
            names=tuple(name for name in study.group_names if name in problem.groups),
            unfavorable=study.models.positive == "unfavorable",
            turned=model is None and not require(study.plan.score).higher_is_favorable,
            warnings=tuple(warnings),
            are_averages=strata is not None,
        )

    @cached_property
    def whole(self) -> bool:
        """Whether all scores are whole numbers."""
        return all(bool((points.thresholds[1:] % 1 == 0).all()) for points in self.problem.points)

    def in_data(self, thresholds: ArrayLike) -> NDArray[np.float64]:
        """Return thresholds of the problem in the numbers of the data.

        Where a lower score is better, such a number is the highest score that still has the favourable result.
        """
        found = np.asarray(thresholds, dtype=np.float64)
        if not self.turned:
            return found
        # Minus zero is zero to people.
        return 0.0 - (np.ceil(found) if self.whole else found)

    @property
    def before(self) -> ThresholdOutcome:
        """What the one threshold for all does."""
        return self.problem.at(dict.fromkeys(self.problem.groups, self.default))

    def allowed(self, *, no_group_worse_off: bool) -> ThresholdProblem:
        """Return the thresholds to choose among; where no group may be worse off, those that leave none so.

        Worse off is a group of whose people with the good outcome fewer are predicted to have it. That is so with
        either outcome called positive.
        """
        return self.problem.not_below(self.before) if no_group_worse_off else self.problem

    @cached_property
    def sweep(self) -> pd.DataFrame:
        """The exact optimum at other weights, see ``ThresholdDetails.sweep``."""
        return self.problem.sweep(SWEEP)

    @cached_property
    def roc(self) -> pd.DataFrame:
        """The curve of each group, see ``ThresholdDetails.roc``."""
        curves = self.problem.roc()
        return self._seen(curves.assign(threshold=self.in_data(curves["threshold"])))

    def details(
        self,
        found: ThresholdOutcome,
        weight: float,
        allowed: ThresholdProblem | None = None,
        *,
        stopped: bool = False,
    ) -> ThresholdDetails:
        """Say what thresholds do on the tuning rows, beside the best of those that are allowed: all, if not given."""
        problem = allowed or self.problem
        before = self.before
        columns = {
            "before": self.in_data(before.thresholds),
            "after": self.in_data(found.thresholds),
            "tpr_before": before.tpr,
            "fpr_before": before.fpr,
            "tpr_after": found.tpr,
            "fpr_after": found.fpr,
            "n_positive": [points.n_positive for points in self.problem.points],
            "n_negative": [points.n_negative for points in self.problem.points],
        }
        rates = pd.DataFrame(columns, index=list(self.problem.groups)).loc[list(self.names)]
        return ThresholdDetails(
            thresholds=self._seen(rates.rename_axis("group").reset_index()),
            roc=self.roc,
            sweep=self.sweep if problem is self.problem else problem.sweep(SWEEP),
            objective=found.objective(weight),
            optimal_objective=problem.best(weight).objective(weight),
            accuracy=found.accuracy,
            gap=found.gap,
            stopped=stopped,
            turned=self.turned,
            are_averages=self.are_averages,
        )

    def _seen(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return rates of the outcome that is called positive.

        The true positives of the bad outcome are the rows that are rightly not predicted good.
        """
        if not self.unfavorable:
            return frame
        turned = frame.copy()
        for column in frame.columns:
            if column.startswith("tpr"):
                turned[column] = 1 - frame["fpr" + column[3:]]
            elif column.startswith("fpr"):
                turned[column] = 1 - frame["tpr" + column[3:]]
        if "n_positive" in frame:
            turned["n_positive"], turned["n_negative"] = frame["n_negative"], frame["n_positive"]
        return turned


def _own_score(study: Study) -> tuple[NDArray[np.float64], float, tuple[str, ...]]:
    """Return the score of the data, the plan's threshold or, without one, the most accurate, and what to say."""
    values, default = score_in_use(study)
    plan = require(study.plan.score)
    notes: list[str] = []
    if not plan.higher_is_favorable:
        notes.append(Remark(say(Message("thresholds-turned")), "setting"))
    tune = study.split.tune[np.isfinite(values[study.split.tune])]
    if _runs_against(study.y[tune], values[tune]):
        notes.append(say(Message("thresholds-against")))
    if not np.isfinite(values).all():
        notes.append(say(Message("thresholds-without-score")))
    if plan.cut is None:
        notes.append(Remark(say(Message("thresholds-no-cut")), "setting"))
    return values, default, tuple(notes)


def _runs_against(y: NDArray[np.int64], score: NDArray[np.float64]) -> bool:
    """Say whether rows with the good outcome have lower scores than others, by their mean ranks."""
    ranks = pd.Series(score).rank().to_numpy()
    return bool(ranks[y == 1].mean() < ranks[y == 0].mean())


MODEL_FITTED = 60
"""Steps of `TOTAL` that are done when the search for thresholds begins."""


def iter_thresholds(study: Study, remedy: ThresholdsPlan, name: str, known: Known) -> Fit:
    """Put a threshold for each group on a score; before is the same score at one threshold."""
    course = StagedRun()
    model = None
    if (learner := remedy.plain_model()) is not None:
        plain = known(PlainPlan(model=learner))
        model = yield from iter_plain_model(study, learner, plain, course, end=MODEL_FITTED)
    yield Progress("Looking for thresholds", MODEL_FITTED, TOTAL)
    strata = strata_of(study, remedy)
    tuning = Tuning.of(study, model, strata)
    problem = tuning.allowed(no_group_worse_off=remedy.no_group_worse_off)
    by_group: dict[Hashable, float] = dict.fromkeys(study.group_names, tuning.default)
    certified = None
    match remedy.search:
        case "exact" if remedy.confidence is not None:
            certified = yield from _iter_certified(study, remedy, tuning, course)
            found = problem.at(certified.thresholds_)
        case "exact":
            found = problem.best(remedy.fairness_weight)
        case "pso":
            events = iter_swarm(problem, remedy.fairness_weight, **remedy.swarm_settings(), random_state=study.seed)
            found = yield from course.part(events, start=MODEL_FITTED, end=FITTED)
        case "chosen":
            found = problem.at(_chosen(study, remedy, problem, by_group))
    by_group |= found.by_group
    wish = rated_rows(study, "equalized_odds", study.models.tolerance, strata)
    before_learning = (tuning.values[study.split.learning] >= tuning.default).astype(np.int64)
    yield Progress(JUDGING, FITTED, TOTAL)
    before_name = without_name(MODEL_WORDS[remedy.model]) if learner is None else plain_words(learner)
    held, tune = study.split.held_out, study.split.tune
    values = tuning.values[held]
    if model is None:
        cut = Judged((values >= tuning.default).astype(np.int64), np.where(np.isfinite(values), values, np.nan))
        score = PlainScore(MODEL_WORDS[remedy.model], tuning.default, tuning.values[tune], values)
    else:
        # To the last digit the plain model: comparisons list models of the same figures once.
        cut = Judged(*plain_answers(model, study.X.iloc[held]))
        score = PlainScore.of(study, before_name, model, require(learner))
    before = Baseline(before_name, cut, before_learning, score)
    after = Judged(_predictions(study, tuning, by_group, held), cut.score)
    details = tuning.details(found, remedy.fairness_weight, problem, stopped=course.stopped)
    warnings = (
        *group_warnings(study),
        *tuning.warnings,
        *similar_warnings(wish),
        *extreme_warnings(dict(zip(found.groups, found.selection, strict=True))),
        *(answer_warnings(after.prediction) if model is None else model_warnings(model, after.prediction)),
    )
    return judged(
        study,
        remedy,
        name,
        before,
        FittedRemedy(
            None if model is None else _classifier(study, remedy, model, by_group),
            after,
            _predictions(study, tuning, by_group, tune),
        ),
        wish=wish,
        keeps=wish_before(study, wish, before_learning) if remedy.no_group_worse_off else None,
        details=details if certified is None else _limited(study, tuning, by_group, wish, details),
        warnings=warnings,
        needs_group=True,
        uses_features=model is not None,
        certificate=None if certified is None else certified.certified_,
    )


class ScoreColumn(ClassifierMixin, BaseEstimator):
    """The score of the data, read as a fitted model of a table with that one column."""

    classes_ = np.array([0, 1])

    def fit(self, X: pd.DataFrame, y: NDArray[np.int64]) -> ScoreColumn:
        """Learn nothing: the score is there."""
        return self

    def decision_function(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return the score, as ndarray, shape (n,)."""
        return np.asarray(X, dtype=np.float64)[:, 0]

    def __sklearn_is_fitted__(self) -> bool:
        """Say that there is nothing to fit."""
        return True


def _iter_certified(
    study: Study, remedy: ThresholdsPlan, tuning: Tuning, course: StagedRun
) -> Generator[Event, Command | None, GroupThresholdClassifier]:
    """Find thresholds with which errors are within the tolerance, also for new people, on the tuning rows."""
    if not study.models.tolerance:
        raise InputError(f"The remedy {HOLDS_NO_GAP}.", hint="The limit of thresholds is 'tolerance' under [models].")
    rows = tuning_rows(study)
    rows = rows[np.isfinite(tuning.values[rows])]
    X = pd.DataFrame({"score": tuning.values[rows]}) if tuning.model is None else study.X.iloc[rows]
    classifier = GroupThresholdClassifier(
        ScoreColumn() if tuning.model is None else tuning.model,
        method="exact",
        prefit=True,
        random_state=study.seed,
        max_difference=study.models.tolerance,
        **certifying(remedy.confidence),
    )
    strata = strata_of(study, remedy)
    more = {} if strata is None else {"strata": strata[rows]}
    events = classifier.iter_fit(X, study.y[rows], sensitive_features=study.groups[rows], **more)
    return (yield from course.part(events, start=MODEL_FITTED, end=FITTED))


def _limited(
    study: Study,
    tuning: Tuning,
    by_group: dict[Hashable, float],
    rows: ConstrainedRows,
    details: ThresholdDetails,
) -> ThresholdDetails:
    """Add how far apart error rates are on each part of the rows, beside the tolerance; `rows` are all of the study."""
    h = study.to_positive(_predictions(study, tuning, by_group, np.arange(len(study.y))))
    gaps = gaps_of_parts(rows, h, part_rows(study), study.models.confidence)
    return replace(details, gaps=gaps, max_difference=study.models.tolerance)


def _predictions(
    study: Study, tuning: Tuning, by_group: dict[Hashable, float], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return what the thresholds of groups predict for some rows."""
    # Groups that nobody of the filter is in keep the threshold for all.
    limits = pd.Series(study.groups[rows]).map(by_group).fillna(tuning.default).to_numpy(dtype=float)
    return (tuning.values[rows] >= limits).astype(np.int64)


def _chosen(
    study: Study, remedy: ThresholdsPlan, problem: ThresholdProblem, by_group: dict[Hashable, float]
) -> dict[Hashable, float]:
    """Return the thresholds that a person chose, for the groups of the problem; others go into `by_group`."""
    chosen: dict[Hashable, float] = dict(remedy.thresholds)
    for group in chosen:
        if group not in by_group:
            groups = ", ".join(quote(name, limit=40) for name in study.group_names[:20])
            raise InputError(
                f"'thresholds' names the group {quote(group)}, which there is not.", hint=f"There are: {groups}."
            )
    by_group |= chosen
    return {group: threshold for group, threshold in chosen.items() if group in problem.groups}


def _classifier(
    study: Study, remedy: ThresholdsPlan, model: object, by_group: dict[Hashable, float]
) -> GroupThresholdClassifier:
    """Return a classifier that decides as the remedy does, wherever its thresholds come from."""
    rows = tuning_rows(study)
    classifier = GroupThresholdClassifier(
        model, fairness_weight=remedy.fairness_weight, method="exact", prefit=True, random_state=study.seed
    )
    classifier.fit(study.X.iloc[rows], study.y[rows], sensitive_features=study.groups[rows])
    classifier.thresholds_ = reached_in_last_bits(by_group)
    return classifier
