"""The steps of making any remedy: pass on events, fit a model, judge it; and whether a group is worse off."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if

from fairaudit.conditions.condition import Condition
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError
from fairaudit.estimators.certified import Certificate
from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.estimators.constraints.polishing import NoGroupWorseOff, group_rates
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.models import default_threshold, iter_fit_model, make_model, scores_of
from fairaudit.estimators.parameters import Features
from fairaudit.estimators.thresholds import ThresholdProblem
from fairaudit.events import STOP, Command, Event, Finished, Incumbent, Progress
from fairaudit.processes import ONE_THREAD, SharedSetting
from fairaudit.remedies.part import RemedyPart
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.study.amounts.findings import AmountRemedyFinding
from fairaudit.study.certified import CertifiedLimit
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.judging.results import Evaluation, GroupChange, WorseOff, Yardstick
from fairaudit.study.rows import Study, learned_rows
from fairaudit.study.yardsticks import PlainScore, Wish, asked_rows, yardsticks_of

# Read a model of the bad outcome as one of the good outcome, by which all models are judged.


class TurnedClassifier(ClassifierMixin, BaseEstimator):
    """A fitted classifier of the bad outcome, read as one of the good outcome.

    Parameters
    ----------
    classifier : estimator
        Fitted; its classes are 0 and 1, and 1 is the bad outcome.
    """

    def __init__(self, classifier: Any):
        self.classifier = classifier
        self.classes_ = np.array([0, 1])

    def predict(self, X: Features) -> NDArray[np.int64]:
        """Return 1 for each row that is predicted to have the good outcome, as ndarray, shape (n,)."""
        return 1 - np.asarray(self.classifier.predict(X))

    @available_if(lambda self: hasattr(self.classifier, "predict_proba"))
    def predict_proba(self, X: Features) -> NDArray[np.float64]:
        """Return the probabilities of the bad and the good outcome, as ndarray, shape (n, 2)."""
        return np.asarray(self.classifier.predict_proba(X))[:, ::-1]


def as_favorable(study: Study, model: Any) -> Any:
    """Return a model of the outcome that ``models.positive`` names as one of the good outcome."""
    return model if study.positive_is_good else TurnedClassifier(model)


def unwrap(model: Any) -> Any:
    """Return the model that is read the other way round, or the model itself where it is read as it is."""
    return model.classifier if isinstance(model, TurnedClassifier) else model


# No group worse off than before: asked on the tuning rows while a remedy is chosen, judged on the held-out rows.
#
# Before is the model that the remedy is compared with. The groups, and the rates by which they are worse off, are those
# of what the remedy is to keep alike (:func:`fairaudit.estimators.constraints.polishing.group_rates`).

NOT_KEPT: Final = "No group was to be worse off, but nothing tried keeps to that, so it was made without."
"""Said where a remedy cannot do what was asked."""

MOST_RAISED: Final = 3
"""How often floors are raised where a model that keeps to them on the training rows does not on the tuning rows."""


@dataclass(frozen=True, eq=False)
class GroupFloors:
    """Floors for a search on the training rows, and the tuning rows that say whether they are high enough.

    Parameters
    ----------
    floors : Floors
        Under sums of the predictions for the training rows of known groups.
    on_tuning : NoGroupWorseOff
        What keeps to the wish on the tuning rows.
    """

    floors: Floors
    on_tuning: NoGroupWorseOff

    @classmethod
    def of(cls, study: Study, rows: ConstrainedRows, before: NDArray[np.int64]) -> Self:
        """Take what was predicted before for all rows of a study, shape (n,): 1 where the outcome called positive is.

        `rows` holds all rows of the study. All its rates must be linear in the predictions.
        """
        wishes = [
            NoGroupWorseOff.of(rows.take(part), before[part], positive_is_good=study.positive_is_good)
            for part in (learned_rows(study), study.split.tune)
        ]
        return cls(wishes[0].floors(), wishes[1])

    def raised(self, h: NDArray[np.int64]) -> Self:
        """Raise each floor by how much worse off its group is on the tuning rows.

        Shapes: `h` (n_tune,), 1 where the outcome called positive is predicted.
        """
        return replace(self, floors=self.floors.raised(np.nan_to_num(np.maximum(-self.on_tuning.gains(h), 0.0))))


def wish_before(study: Study, rows: ConstrainedRows, before_learning: NDArray[np.int64]) -> NoGroupWorseOff:
    """Return what keeps to the wish on the tuning rows, given what was predicted before.

    Shapes: `rows` holds all rows of the study, `before_learning` (n_learning,) is 1 where the good outcome is
    predicted.
    """
    before = np.zeros(len(study.y), dtype=np.int64)
    before[study.split.learning] = before_learning
    tune = study.split.tune
    return NoGroupWorseOff.of(rows.take(tune), study.to_positive(before[tune]), positive_is_good=study.positive_is_good)


def threshold_within(study: Study, wish: NoGroupWorseOff, score: NDArray[np.float64], threshold: float) -> float:
    """Return the threshold for all that is right most often of those that leave no group worse off on the tuning rows.

    The given one is returned where it leaves none worse off, or where none does. Of equally good ones the nearest to it
    is taken.

    Shapes: `score` (n_tune,), the probability of the good outcome.
    """
    if wish.holds(study.to_positive(score >= threshold)):
        return threshold
    favorable = study.positive_is_good
    cuts = CommonCuts.of(score if favorable else -score, wish.y)
    thresholds = cuts.thresholds if favorable else np.nextafter(-cuts.thresholds, np.inf)
    kept = np.flatnonzero(wish.holds_at_cuts(cuts))
    if not len(kept):
        return threshold
    # From 0 on everybody, and above 1 nobody has the favourable result.
    found = thresholds[kept].clip(0.0, np.nextafter(1.0, 2.0))
    return float(found[np.lexsort((-np.abs(found - threshold), cuts.everybody.accuracy[kept]))[-1]])


def worse_off_groups(study: Study, rows: ConstrainedRows, before: Judged, after: Judged) -> tuple[GroupChange, ...]:
    """Return how the groups of what is to be kept alike do on the held-out rows, before and after.

    `rows` holds all rows of the study.
    """
    rates = group_rates(rows.take(study.split.held_out), positive_is_good=study.positive_is_good)
    return study.held_out.group_changes(before, after, rates)


# The prediction that the data hold, judged on the held-out rows beside the models of an audit.

IN_USE = "The prediction in use"


def prediction_in_use(study: Study, table: Table, condition: Condition) -> Evaluation | None:
    """Judge who is predicted the good outcome by a condition; None where some held-out row has no prediction."""
    columns = list(condition.columns)
    rows = study.reading(table, columns).sensitive[columns].iloc[study.split.held_out]
    predicted = condition.truth(rows)
    if predicted.isna().any():
        return None
    return study.held_out.evaluate(IN_USE, predicted.to_numpy(dtype=np.int64))


def score_in_use(study: Study) -> tuple[NDArray[np.float64], float]:
    """Return the score of the data, higher for the good outcome, and the threshold from which on that is given.

    It is that of the plan or, without one, the one that is right most often on the tuning rows. Rows without a score
    have minus infinity. Shapes: the score is (n,).
    """
    score, plan = study.score, study.plan.score
    if score is None or plan is None:
        raise InputError(
            "The score in the data is asked for, but the plan names no score.",
            hint="Name the column of the score, or choose a model.",
        )
    tune = study.split.tune[np.isfinite(score[study.split.tune])]
    if len(np.unique(study.y[tune])) < 2:
        raise GroupError(
            f"{len(tune):,} tuning cases have a score, and they lack one of the two outcomes.",
            uncounted="The tuning cases with a score lack one of the two outcomes.",
            hint="Choose another score, or bring more rows.",
        )
    if plan.cut is None:
        threshold = float(ThresholdProblem.from_rows(study.y[tune], score[tune], None).best(0.0).thresholds[0])
    else:
        # Where higher is worse, a row is predicted good below the cut, and not at it.
        threshold = plan.cut if plan.higher_is_favorable else float(np.nextafter(-plan.cut, np.inf))
    return np.where(np.isfinite(score), score, -np.inf), threshold


TOTAL = 100
"""Steps that the progress of one remedy is counted in."""

FITTED = 90
"""Those of them that are done when the judgement begins."""

JUDGING = "Judging on the test cases"


@contextmanager
def _silently() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        yield


SILENCE = SharedSetting(_silently)
"""Shared by all fits: the finding says that a model did not settle."""


Known = Callable[[RemedyPart], Any]
"""From a remedy to the model that was made for it, or for one that it can be picked from; None where there is none."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A remedy that was tried: what is reported, and the model itself, which stays in memory.

    Parameters
    ----------
    finding : RemedyFinding or AmountRemedyFinding
        What was done and how it does; this alone is exported.
    model : estimator or None
        The fitted model; None where the score is a column of the data.
    prediction : ndarray, shape (n_held_out,)
        1 where the good outcome is predicted, or the predicted amount, in the order of ``study.split.held_out``.
    score : ndarray of float, shape (n_held_out,), optional
        Higher speaks for the good outcome; None where the model gives none.
    plain : estimator, optional
        The model without the remedy, where it took a search of its own that can serve others; None where there was
        none, or a person stopped it.
    before : ndarray, shape (n_held_out,), optional
        What is predicted without the remedy; None of a plain model.
    """

    finding: RemedyFinding | AmountRemedyFinding
    model: Any
    prediction: NDArray[Any]
    score: NDArray[np.float64] | None
    plain: Any = None
    before: NDArray[Any] | None = None


Fit = Generator[Event, Command | None, Candidate]
"""The making of one remedy."""


@dataclass(frozen=True, eq=False)
class Baseline:
    """The model that a remedy is compared with, and the plain score that it is judged beside; None where there is none.

    Shapes: `learning` (n_learning,): what it predicts for the rows that were learned from.
    """

    name: str
    held_out: Judged
    learning: NDArray[np.int64]
    score: PlainScore | None
    model: Any = None


@dataclass(frozen=True, eq=False)
class FittedRemedy:
    """The model that a remedy makes; None where the score is a column of the data.

    Shapes: `tuning` (n_tune,): what it predicts for the tuning rows.
    """

    model: Any
    held_out: Judged
    tuning: NDArray[np.int64]

    @classmethod
    def without_score(cls, study: Study, model: Any) -> FittedRemedy:
        """Let a model of the outcome that ``models.positive`` names, which gives no score, predict the good outcome."""
        held_out, tuning = (
            study.to_favorable(model.predict(study.X.iloc[rows])) for rows in (study.split.held_out, study.split.tune)
        )
        return cls(as_favorable(study, model), Judged(held_out), tuning)


class StagedRun:
    """The making of one remedy: its parts run one after another, and a stop holds for all that follow.

    Parameters
    ----------
    stopped : bool
        Whether a stop was sent before the first part.
    """

    def __init__(self, *, stopped: bool = False):
        self.stopped = stopped

    def part(
        self,
        events: Generator[Event, Command | None, None],
        *,
        start: int,
        end: int,
        total: int = TOTAL,
        words: str | None = None,
    ) -> Generator[Event, Command | None, Any]:
        """Pass on the progress of one part as a share of the whole, and return its result."""
        command, result = None, None
        with closing(events):
            while True:
                try:
                    event = _next(events, command)
                except StopIteration:
                    return result
                command = None
                if isinstance(event, Finished):
                    result = event.result
                elif isinstance(event, Progress):
                    if not self.stopped:
                        done = start + math.floor((end - start) * event.done / max(event.total, 1))
                        what = event.what if words is None else f"{words}: {event.what}"
                        self.stopped = (yield Progress(what, done, total, words or event.part)) is STOP
                    command = STOP if self.stopped else None
                elif isinstance(event, Incumbent):
                    if not self.stopped:
                        self.stopped = (yield event) is STOP
                    command = STOP if self.stopped else None


def _next(events: Generator[Event, Command | None, None], command: Command | None) -> Event:
    with SILENCE, ONE_THREAD:
        return events.send(command)


def new_model(study: Study, name: str) -> Pipeline:
    """Return an unfitted model with the preparation and seed of a study."""
    return make_model(
        name,
        random_state=study.seed,
        min_level_count=study.models.min_level_count,
        n_components=study.models.n_components,
    )


def iter_plain_model(
    study: Study, name: str, known: Pipeline | None, course: StagedRun, *, end: int
) -> Generator[Event, Command | None, Pipeline]:
    """Fit a plain model to the training part, or take one that is known already."""
    if known is not None:
        return known
    rows = study.split.train
    events = iter_fit_model(new_model(study, name), study.X.iloc[rows], study.y[rows])
    return (yield from course.part(events, start=0, end=end))


def plain_answers(model: Any, X: Features) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the predictions of a model at its default threshold, and its scores."""
    score = scores_of(model, X)
    return (score >= default_threshold(model)).astype(np.int64), score


def answers_of(model: Any, X: pd.DataFrame) -> Judged:
    """Return what a model says about rows."""
    return Judged(np.asarray(model.predict(X), dtype=np.int64), scores_of(model, X))


def judged(
    study: Study,
    remedy: RemedyPlan,
    name: str,
    before: Baseline,
    made: FittedRemedy,
    *,
    details: Any,
    warnings: tuple[str, ...],
    wish: ConstrainedRows | None = None,
    keeps: NoGroupWorseOff | None = None,
    needs_group: bool = False,
    uses_features: bool = True,
    group_columns: Iterable[str] = (),
    certificate: Certificate | None = None,
) -> Candidate:
    """Judge a remedy: both models on the same held-out rows.

    `wish` holds all rows with what the remedy is to keep alike: see :mod:`fairaudit.study.yardsticks`. `keeps` says of
    the tuning rows whether nobody is worse off, where that is asked; `certificate`, whether limits hold on new people.
    """
    was, after = before.held_out, made.held_out
    protected_features = {*study.facts.protected_features, *set(group_columns).intersection(study.facts.features)}
    sees_groups = uses_features and bool(protected_features)
    yardsticks: tuple[Yardstick, ...] = ()
    worse_off = None
    kept = None if keeps is None else keeps.holds(study.to_positive(made.tuning))
    # Other divisions only repeat the figures of the remedy itself.
    if study.number == 0:
        asks = sees_groups and not needs_group
        wished = Wish.of(study, wish)
        yardsticks = yardsticks_of(study, wished, before.score, made.tuning, after, by_group=asks)
        groups = worse_off_groups(study, asked_rows(study, wish), was, after)
        worse_off = WorseOff(asked=keeps is not None, kept=kept, groups=groups)
    finding = RemedyFinding(
        name=name,
        plan=remedy,
        before=study.held_out.evaluate(before.name, was.prediction, was.score),
        after=study.held_out.evaluate(name, after.prediction, after.score),
        changes=study.held_out.changes(was, after, study.furthest_apart(before.learning)),
        details=details,
        needs_group=needs_group,
        uses_protected_features=sees_groups,
        warnings=warnings if kept is not False else (NOT_KEPT, *warnings),
        predictions_differ=not np.array_equal(was.prediction, after.prediction),
        yardsticks=yardsticks,
        worse_off=worse_off,
        beside_decisions=study.held_out.beside_decisions(after),
        certified=CertifiedLimit.of(certificate, len(study.y)),
    )
    return Candidate(finding, made.model, after.prediction, after.score, before=was.prediction)
