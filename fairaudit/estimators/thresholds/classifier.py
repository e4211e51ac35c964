"""A classifier whose threshold depends on the group."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Mapping
from numbers import Real
from typing import ClassVar, Final, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import accuracy_score
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from fairaudit.defaults import USUAL_SWARM
from fairaudit.errors import GroupError, InputError, StoppedError, quote
from fairaudit.estimators.base import GroupAwareClassifier, divide, iter_part, read_features, rows_of
from fairaudit.estimators.certified import Certificate, certify
from fairaudit.estimators.certifying import LimitedRows
from fairaudit.estimators.models import (
    BASE_LEARNER,
    base_learner,
    default_threshold,
    iter_fit_labels,
    learner_takes_missing,
    scores_of,
)
from fairaudit.estimators.parameters import (
    CERTIFYING,
    CLASSES,
    NOT_NEGATIVE,
    PART,
    SELF,
    Constraints,
    Features,
    Groups,
    Labels,
    Seed,
    check_parameters,
    documented,
    one_of,
)
from fairaudit.estimators.similar_cases import STRATA, kinds_of, read_strata
from fairaudit.estimators.thresholds.search import (
    SWARM,
    ThresholdOutcome,
    ThresholdProblem,
    iter_swarm,
)
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import Command, Event, Finished, Progress, Started
from fairaudit.measure.grouping import Grouping, group_rows, has_column_names
from fairaudit.measure.limits import SLACK

METHODS = ("pso", "exact")
"""Particle swarm, as in the paper, or the exact optimum, which is faster."""

SCORE_DECIMALS = 12
"""Decimals of a score when thresholds are chosen; scores that differ in further ones are alike."""

HALF_STEP = 0.5 * 10.0**-SCORE_DECIMALS
"""The most that a score and its rounding are apart."""

WEIGHTS: Final = (0.0, *np.geomspace(0.02, 20.0, 25).tolist())
"""Weights along which thresholds within a limit are looked for."""

TASK = "Choosing a threshold for each group"
FIT, EXACT = "Fitting the model", "Finding the best thresholds"
TOTAL, AFTER_FIT = 100, 50


def reached_in_last_bits(thresholds: Mapping[Hashable, float]) -> dict[Hashable, float]:
    """Return thresholds so little lower that all scores reach them that are the same up to rounding."""
    return {group: float(threshold) - HALF_STEP for group, threshold in thresholds.items()}


class GroupThresholdClassifier(GroupAwareClassifier):
    """Give each group its own threshold on a model's score, so that true and false positive rates are alike.

    The model learns from one part of the rows. On the other part thresholds are chosen that maximise
    ``accuracy - fairness_weight * gap``, see :class:`ThresholdProblem`. The group of a person must be known when the
    model decides; where it may not be used then, take ``EqualizedDistributionClassifier``.

    Parameters
    ----------
    estimator : estimator or str, optional
        A binary classifier with ``predict_proba`` or ``decision_function``, or the name of one: "logistic_regression",
        "mlp", "svm", "random_forest" or "gradient_boosting"; a logistic regression by default.
    fairness_weight : float
        How much a gap of 1 counts against an accuracy of 1: 0 or more. The gap is a sum over all groups but one, so
        that with many groups the same weight presses harder.
    method : {"pso", "exact"}
        Particle swarm with pyswarms, or the exact optimum.
    prefit : bool
        Whether `estimator` is fitted already. Then it is not copied, and all rows serve to choose thresholds: give rows
        that it has not learned from.
    validation_fraction : float
        Share of the rows to choose thresholds on, above 0 and below 1; alike in every group and label.
    swarm : {"curves", "thresholds"}
        What the swarm moves: places on the ROC curves, or the thresholds, as in the paper; it finds less.
    n_particles, n_iterations : int
        The size and the steps of the swarm. The paper gives neither.
    inertia, own_pull, common_pull : float
        What a particle keeps of its last step, and how strongly its own best place and that of all pull it: at least
        0. The paper gives none; the defaults are the usual constriction factors.
    random_state : int, RandomState or None
        The seed of the division, the swarm and the default estimator.
    max_difference : float, optional
        How far any two groups may be apart in true and in false positive rates, above 0 and at most 1. Of the best
        thresholds for a path of weights the most accurate within it are taken, and `fairness_weight` does not count.
    certify_fraction : float
        Share of the rows that certify, by a test, that `max_difference` holds on new people: at least 0 and below 1.
        Nothing is learned from them, and the most accurate certified thresholds are taken.
    confidence : float
        The chance, over the draw of the certifying rows, with which it holds on new people: above 0 and below 1.

    Attributes
    ----------
    thresholds_ : dict
        From the value of a group to its threshold; a tuple of values where there are several columns. A row is
        predicted to have the second class exactly if its score is at least the threshold.
    default_threshold_ : float
        The estimator's own threshold for all: 0.5 on a probability, 0 on a decision function.
    objective_, optimal_objective_ : float
        The objective at `thresholds_`, and the highest that any thresholds reach, on the same rows.
    estimator_ : estimator
        The fitted model.
    problem_ : ThresholdProblem
        The rows that thresholds were chosen on, counted.
    groups_ : tuple
        The groups, in ascending order.
    classes_ : ndarray, shape (2,)
        The classes in order.
    certified_ : Certificate or None
        Whether `max_difference` holds on new people; None where `certify_fraction` is 0.
    status_ : {"finished", "stopped"}
        Whether a caller stopped the fit before its end. Thresholds are then the best of the swarm so far; if it had not
        begun, the exact optimum.

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 4.2.
    `fairness_weight` is lambda there; its experiments have 1.

    Examples
    --------
    >>> X, y = np.arange(16.0)[:, None], np.tile([0, 0, 1, 1], 4)
    >>> group = np.repeat(["a", "b"], 8)
    >>> model = GroupThresholdClassifier(method="exact", random_state=0).fit(X, y, sensitive_features=group)
    >>> sorted(model.thresholds_)
    ['a', 'b']
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "estimator": [*BASE_LEARNER],
        "fairness_weight": [NOT_NEGATIVE],
        "method": [one_of(METHODS)],
        "prefit": ["boolean"],
        "validation_fraction": [PART],
        **SWARM,
        "random_state": ["random_state"],
        "max_difference": [Interval(Real, 0, 1, closed="right"), None],
        **CERTIFYING,
    }

    def __init__(
        self,
        estimator: BaseEstimator | str | None = None,
        *,
        fairness_weight: float = 1.0,
        method: str = "pso",
        prefit: bool = False,
        validation_fraction: float = 0.25,
        swarm: str = USUAL_SWARM.swarm,
        n_particles: int = USUAL_SWARM.n_particles,
        n_iterations: int = USUAL_SWARM.n_iterations,
        inertia: float = USUAL_SWARM.inertia,
        own_pull: float = USUAL_SWARM.own_pull,
        common_pull: float = USUAL_SWARM.common_pull,
        random_state: Seed = None,
        max_difference: float | None = None,
        certify_fraction: float = 0.0,
        confidence: float = 0.9,
    ):
        self.estimator = estimator
        self.fairness_weight = fairness_weight
        self.method = method
        self.prefit = prefit
        self.validation_fraction = validation_fraction
        self.swarm = swarm
        self.n_particles = n_particles
        self.n_iterations = n_iterations
        self.inertia = inertia
        self.own_pull = own_pull
        self.common_pull = common_pull
        self.random_state = random_state
        self.max_difference = max_difference
        self.certify_fraction = certify_fraction
        self.confidence = confidence

    @documented(returns=SELF, strata=STRATA)
    def fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        strata: Groups = None,
    ) -> Self:
        """Fit the model and choose the thresholds."""
        rows = {"sensitive_features": sensitive_features, "sample_weight": sample_weight, "strata": strata}
        return self._drained(self.iter_fit(X, y, **rows))

    @documented(
        strata=STRATA,
        yields="``Finished.result`` is the classifier.",
        raises={
            InputError: "If an argument breaks a rule.",
            GroupError: "If a group has no row of a class among those that thresholds are chosen on.",
            StoppedError: "If it was stopped before the model had anything to keep.",
        },
    )
    def iter_fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        strata: Groups = None,
    ) -> Generator[Event, Command | None, None]:
        """Fit the model and choose the thresholds, yielding events; a stop keeps the best so far."""
        check_parameters(self)
        weights = RowWeights.read(sample_weight, X)
        if self.certify_fraction:
            weights = weights.as_single(type(self).__name__)
        X, y = weights.keep("X", X), weights.keep("y", y)
        sensitive_features = weights.keep("sensitive_features", sensitive_features)
        frame, labels = self._read(X, y)
        table = frame if has_column_names(X) else frame.to_numpy()
        grouping = group_rows(sensitive_features, len(labels))
        similar = read_strata(strata, weights, np.ones(len(labels), dtype=bool))
        random = check_random_state(self.random_state)
        left, certifying = np.arange(len(labels)), np.arange(0)
        if self.certify_fraction:
            if self.max_difference is None:
                raise InputError("'certify_fraction' needs 'max_difference', and that is None.")
            shares = (1 - self.certify_fraction, float(self.certify_fraction))
            left, certifying = divide(kinds_of(2 * grouping.codes + labels, similar), shares, random_state=random)
        yield Started(TASK, TOTAL)
        stopped = False
        if self.prefit:
            self._check_fitted_classes()
            self.estimator_, tuned = self.estimator, left
        else:
            fitted, tuned = (left[part] for part in self._divide(labels[left], grouping.codes[left], random))
            seed = int(random.randint(np.iinfo(np.int32).max))
            model = clone(base_learner(self.estimator, "logistic_regression", random_state=seed))
            events = iter_fit_labels(
                model,
                rows_of(table, fitted),
                labels[fitted],
                self.classes_,
                what=FIT,
                sample_weight=weights.of(fitted),
            )
            self.estimator_, stopped = yield from iter_part(events, start=0, end=AFTER_FIT, total=TOTAL)
        self.default_threshold_ = default_threshold(self.estimator_)
        # The last bits of a score depend on how many rows are scored at once.
        scores = scores_of(self.estimator_, rows_of(table, tuned)).round(SCORE_DECIMALS)
        groups = Grouping(grouping.codes[tuned], grouping.labels, grouping.names)
        own_strata = None if similar is None else similar[tuned]
        problem = ThresholdProblem.from_rows(labels[tuned], scores, groups, weights.of(tuned), own_strata)
        self.problem_ = problem

        if self.method == "exact" and not stopped:
            yield Progress(EXACT, AFTER_FIT, TOTAL)
        best = outcome = problem.best(self.fairness_weight)
        if self.method == "pso" and not stopped:
            events = iter_swarm(
                problem,
                self.fairness_weight,
                **{name: getattr(self, name) for name in SWARM},
                random_state=random,
            )
            outcome, stopped = yield from iter_part(events, start=AFTER_FIT, end=TOTAL, total=TOTAL)
        self.certified_: Certificate | None = None
        if self.max_difference is not None:
            limited = LimitedRows(
                labels, grouping, weights.values, "equalized_odds", self.max_difference, similar=similar
            )
            outcome = self._within_limit(problem, outcome, limited, tuned, certifying, table)
        self.groups_, self.thresholds_ = problem.groups, reached_in_last_bits(outcome.by_group)
        self.objective_ = outcome.objective(self.fairness_weight)
        self.optimal_objective_ = best.objective(self.fairness_weight)
        self.status_ = "stopped" if stopped else "finished"
        yield Finished(self)

    @documented(
        returns=CLASSES,
        sensitive_features="The group of each row; may be left out if there was one group in fitting.",
        raises={
            InputError: ("If the groups are left out though there are several, or a group was not there in fitting.")
        },
    )
    def predict(self, X: Features, *, sensitive_features: Groups = None) -> NDArray[np.generic]:
        """Return the second class where the score is at least the threshold of the row's group."""
        positive = self.decision_function(X, sensitive_features=sensitive_features) > 0
        return self.classes_[positive.astype(int)]

    @documented(
        returns=(
            "ndarray of float, shape (n,)",
            (
                "The score minus the number just below the threshold: above 0 exactly where the second class "
                "is predicted, also for a score that equals the threshold."
            ),
        ),
        sensitive_features="The group of each row; may be left out if there was one group in fitting.",
        raises={
            InputError: ("If the groups are left out though there are several, or a group was not there in fitting.")
        },
    )
    def decision_function(self, X: Features, *, sensitive_features: Groups = None) -> NDArray[np.float64]:
        """Return how far each score is above the threshold of its group."""
        check_is_fitted(self)
        frame = read_features(self, X, reset=False)
        thresholds = self._thresholds_of(sensitive_features, len(frame))
        scores = scores_of(self.estimator_, frame if has_column_names(X) else frame.to_numpy())
        return scores - np.nextafter(thresholds, -np.inf)

    @documented(
        returns=("float", "Share of right predictions."),
        y="The true labels.",
        sensitive_features="The group of each row; may be left out if there was one group in fitting.",
    )
    def score(
        self, X: Features, y: Labels, sample_weight: ArrayLike | None = None, *, sensitive_features: Groups = None
    ) -> float:
        """Return the accuracy; a search over settings can hand the groups on to it."""
        predicted = self.predict(X, sensitive_features=sensitive_features)
        return float(accuracy_score(y, predicted, sample_weight=sample_weight))

    def __sklearn_tags__(self) -> Tags:
        """Say that missing values are taken if the estimator takes them."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = learner_takes_missing(self.estimator)
        return tags

    def _within_limit(
        self,
        problem: ThresholdProblem,
        first: ThresholdOutcome,
        limited: LimitedRows,
        tuned: NDArray[np.int64],
        certifying: NDArray[np.int64],
        table: pd.DataFrame | NDArray[np.generic],
    ) -> ThresholdOutcome:
        """Return the most accurate thresholds within the limit, on the tuned rows or certified by others."""
        found = [first, *(problem.best(weight) for weight in WEIGHTS)]
        # Thresholds that give everybody the same answer meet limits and are of no use: they are taken where all do.
        varied = [each for each in found if max(each.selection) > 0 and min(each.selection) < 1]
        outcomes = list({each.thresholds: each for each in varied or found}.values())
        gaps = np.array([max(np.ptp(each.tpr), np.ptp(each.fpr)) for each in outcomes])
        order = np.lexsort((-np.array([each.accuracy for each in outcomes]), gaps))
        if not len(certifying):
            within = [i for i in order if gaps[i] <= limited.limit + SLACK]
            return outcomes[max(within, key=lambda i: outcomes[i].accuracy) if within else order[0]]
        scores = scores_of(self.estimator_, rows_of(table, certifying)).round(SCORE_DECIMALS)
        codes = limited.grouping.codes[certifying]
        # Groups are numbered in the order of the problem's, which has the same rows' groups.
        predicted = np.stack([(scores >= np.array(each.thresholds)[codes]).astype(np.int64) for each in outcomes])
        rows = rows_of(limited.y, certifying)
        counts = None if limited.counts is None else limited.counts[certifying]
        right = np.average(predicted == rows, axis=1, weights=counts)
        accuracies = [
            np.average([each.accuracy, share], weights=[len(tuned), len(certifying)])
            for each, share in zip(outcomes, right, strict=True)
        ]
        place, self.certified_ = certify(
            limited.requirements(certifying, predicted),
            accuracies,
            confidence=self.confidence,
            n_rows=len(certifying),
            order=order.tolist(),
        )
        return outcomes[place]

    def _check_fitted_classes(self) -> None:
        if self.estimator is None or isinstance(self.estimator, str):
            raise InputError(f"'estimator' must be a fitted classifier where 'prefit' is true, got {self.estimator!r}.")
        check_is_fitted(self.estimator)
        known = np.asarray(self.estimator.classes_)
        if len(known) != 2 or not np.array_equal(known, self.classes_):
            raise InputError(
                f"'y' must have the classes that the fitted estimator knows, {known.tolist()}, got "
                f"{self.classes_.tolist()}."
            )

    def _divide(
        self, labels: NDArray[np.int64], groups: NDArray[np.int64], random: np.random.RandomState
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return rows to fit and rows to choose thresholds on; both have each group and label that has two rows."""
        strata = 2 * groups + labels
        is_tuned = np.zeros(len(labels), dtype=bool)
        shares = (1 - self.validation_fraction, self.validation_fraction)
        is_tuned[divide(strata, shares, random_state=random)[1]] = True
        for stratum in np.unique(strata):
            rows = np.flatnonzero(strata == stratum)
            if len(rows) == 1:
                is_tuned[rows] = False
            elif len(np.unique(is_tuned[rows])) == 1:
                is_tuned[random.choice(rows)] ^= True
        return np.flatnonzero(~is_tuned), np.flatnonzero(is_tuned)

    def _thresholds_of(self, sensitive_features: Groups, n_rows: int) -> NDArray[np.float64]:
        """Return the threshold of each row."""
        if sensitive_features is None:
            if len(self.groups_) > 1:
                raise InputError(
                    f"'sensitive_features' is needed when the model decides: there are {len(self.groups_)} groups, "
                    "each with a threshold of its own.",
                    hint="Pass the group of each row.",
                )
            return np.full(n_rows, self.thresholds_[self.groups_[0]])
        grouping = group_rows(sensitive_features, n_rows)
        names = [label[0] if len(label) == 1 else label for label in grouping.labels]
        new = [name for name in names if name not in self.thresholds_]
        if new:
            known = ", ".join(quote(name, limit=40) for name in self.groups_[:8])
            raise InputError(
                f"'sensitive_features' has the group {quote(new[0])}, which was not there in fitting.",
                hint=f"The groups with a threshold are {known}{' …' if len(self.groups_) > 8 else ''}.",
            )
        return np.array([self.thresholds_[name] for name in names])[grouping.codes]
