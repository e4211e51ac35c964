"""Train any classifier so that declared constraints hold, at the least loss of accuracy."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Generator, Sequence
from functools import partial
from numbers import Integral
from typing import Any, ClassVar, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from fairaudit.errors import GroupError, InputError, StoppedError, quote, require
from fairaudit.estimators.base import TOTAL, GroupAwareClassifier, boolean_rows, divide, read_features, rows_of, within
from fairaudit.estimators.certified import Certificate, certify
from fairaudit.estimators.constraints.certifying import (
    check_certifiable,
    fraction_to_certify,
    requirements_of,
)
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows, JudgedFit, choose_fit, frontier_of
from fairaudit.estimators.constraints.crossfitting import FOLDED, N_FOLDS, SMALL_TABLE, fold_codes, resampled_shares
from fairaudit.estimators.constraints.fitting import (
    TASK,
    Fitter,
    Fold,
    Trials,
    fits_at_once,
    iter_own_thresholds,
    iter_trials,
    predictions_of,
)
from fairaudit.estimators.constraints.learner import CONSTANT_FIT, WeightedLearner
from fairaudit.estimators.constraints.polishing import NoGroupWorseOff
from fairaudit.estimators.constraints.spec import FairnessSpec, Specs, read_specs
from fairaudit.estimators.models import (
    BASE_LEARNER,
    base_learner,
    in_classes,
    learner_has,
    learner_takes_missing,
    scores_of,
)
from fairaudit.estimators.parameters import (
    CERTIFYING,
    CLASSES,
    COUNT,
    PART,
    POSITIVE,
    PROBABILITIES,
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
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.measure.grouping import as_pandas, has_column_names

# Reading what a constrained classifier is given: constraints, the columns they name, and the rows to choose on.


SENSITIVE: Final = (
    "DataFrame, Series, array or list",
    "The columns that the constraints name; they need not be features. One column without a name is taken for the one "
    "that all constraints name.",
)
VALIDATION: Final = (
    "array_like of bool, shape (n,), optional",
    "The rows to choose multipliers on; a part drawn at random by default.",
)

HINTS: Final = {"n_jobs": "Write 1 or -1.", "estimator": "Write LogisticRegression(), for example."}


def optional_specs(specs: Specs | None) -> tuple[FairnessSpec, ...]:
    """Return constraints, of which there may be none."""
    if specs is None or (isinstance(specs, Sequence) and not specs):
        return ()
    return read_specs(specs)


def read_sensitive(sensitive_features: Groups, specs: Sequence[FairnessSpec], n_rows: int) -> pd.DataFrame:
    """Return the columns that constraints name as a frame."""
    if sensitive_features is None:
        named = dict.fromkeys(name for spec in specs for name in spec.columns or ())
        texts = dict.fromkeys(text for spec in specs for _, text in spec.conditions or ())
        needed = [*map(quote, named), *(f"those of {quote(text)}" for text in texts)]
        raise InputError(
            f"'sensitive_features' is needed, with the columns that the constraints name: {', '.join(needed)}.",
            hint="Pass a DataFrame that has them.",
        )
    sensitive_features = as_pandas(sensitive_features)
    if isinstance(sensitive_features, pd.DataFrame):
        frame = sensitive_features
    elif isinstance(sensitive_features, pd.Series) and sensitive_features.name is not None:
        frame = sensitive_features.to_frame()
    else:
        frame = _one_column(sensitive_features, specs)
    if len(frame) != n_rows:
        raise InputError(f"'sensitive_features' must have {n_rows:,} rows, as 'X' has, got {len(frame):,}.")
    return frame.reset_index(drop=True)


def _one_column(values: ArrayLike | pd.Series, specs: Sequence[FairnessSpec]) -> pd.DataFrame:
    names = {spec.columns for spec in specs}
    values = values.to_numpy() if isinstance(values, pd.Series) else np.asarray(values)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or len(names) != 1 or len(next(iter(names)) or ()) != 1:
        raise InputError(
            f"'sensitive_features' must be a DataFrame where constraints name conditions or several columns, got "
            f"values of the shape {values.shape} without names.",
            hint="Pass a DataFrame with the columns that the constraints name.",
        )
    return pd.DataFrame({require(next(iter(names)))[0]: values})


def divide_rows(
    rows: ConstrainedRows, validation: ArrayLike | None, fraction: float, random_state: Seed
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows to learn from and those to choose multipliers on. Shapes: `validation` (n,)."""
    n = len(rows.y)
    if validation is not None:
        chosen = boolean_rows(validation, n, "validation", default=False)
        if chosen.all() or (not chosen.any() and rows.specs):
            raise InputError(
                f"'validation' must be true for some rows and false for others, got {int(chosen.sum()):,} of {n:,}.",
                hint="Leave it out to have rows set aside at random.",
            )
        return np.flatnonzero(~chosen), np.flatnonzero(chosen)
    if not rows.specs:
        return np.arange(n), np.arange(0)
    return set_aside(rows, fraction, check_random_state(random_state))


def set_aside(
    rows: ConstrainedRows, fraction: float, random: np.random.RandomState
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows that stay, and a share of them drawn at random, alike in label and groups."""
    strata = kinds_of(_strata(rows), rows.strata)
    # Rows of which there is only one of a kind are divided together: alone, each would have to be learned from.
    alone = np.bincount(strata)[strata] == 1
    return _two_parts(np.where(alone, strata.max() + 1 + rows.y, strata), fraction, random)


def _strata(rows: ConstrainedRows) -> NDArray[np.int64]:
    """Return a code for each row that says its label and all groups that it is in."""
    random = np.random.default_rng(0)
    keys = random.integers(2**62, size=2, dtype=np.uint64)[rows.y]
    for groups in rows.members:
        for members in groups:
            keys[members] ^= random.integers(2**62, dtype=np.uint64)
    return np.unique(keys, return_inverse=True)[1]


def _two_parts(
    strata: NDArray[np.int64], fraction: float, random: np.random.RandomState
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Divide each stratum; both parts have each one that has two rows."""
    second = np.zeros(len(strata), dtype=bool)
    second[divide(strata, (1 - fraction, fraction), random_state=random)[1]] = True
    sizes = np.bincount(strata)
    counts = np.bincount(strata, weights=second)
    for stratum in np.flatnonzero((sizes > 0) & ((counts == 0) | (counts == sizes))):
        rows = np.flatnonzero(strata == stratum)
        if len(rows) == 1:
            second[rows] = False
        else:
            second[random.choice(rows)] ^= True
    return np.flatnonzero(~second), np.flatnonzero(second)


def _delegates(name: str) -> Callable[[ConstrainedClassifier], bool]:
    """Make the check of whether the estimator has a method."""

    def has(self: ConstrainedClassifier) -> bool:
        model = getattr(self, "estimator_", self.estimator)
        return learner_has(model, name)

    return has


USEFUL: Final = 0.25
"""Where limits are certified: what a model must gain over the same answer for everybody, as a part of what the most
accurate one within the limits gains."""


class ConstrainedClassifier(GroupAwareClassifier):
    """Train a classifier with weights that make it meet constraints such as ``fpr by race <= 0.03``.

    Each constraint gets a multiplier. With multipliers, rows get weights, so that the most accurate model under these
    weights trades accuracy for smaller gaps; the search finds multipliers that do just enough. It needs nothing of the
    estimator but that it can be fitted with weights, and the groups are not needed when the model decides. Where they
    are known then, ``GroupThresholdClassifier`` needs no new fit.

    Parameters
    ----------
    estimator : estimator or str, optional
        A binary classifier, or a pipeline that ends in one, or the name of one: "logistic_regression", "mlp", "svm",
        "random_forest" or "gradient_boosting"; a logistic regression by default.
    specs : FairnessSpec, str or sequence of them, optional
        The constraints. None: a plain fit.
    validation_fraction : float
        Share of the rows to choose multipliers on, above 0 and below 1; alike in label and groups.
    multiplier_tolerance : float
        How exactly a single multiplier is found: above 0.
    max_rounds : int, optional
        How often one of several multipliers is tuned at most; 5 times their number by default.
    warm_start : bool
        Whether fits begin from fits with similar multipliers, where the estimator can.
    n_jobs : int, optional
        How many fits are asked for at once, 8 at most; below 0 as many as joblib's active backend can make. None: one.
        Other multipliers are tried than one by one. For a number above 0 they are the same wherever fits are made,
        which ``joblib.parallel_config`` says: in other threads, processes, or on the computers of a cluster.
    random_state : int, RandomState or None
        The seed of the division of the rows, of the default estimator and of the repetition of rows.
    no_group_worse_off : bool
        Whether no group may do worse than with the first fit, on the rows to choose on, in the rates that the
        constraints are about: only models of which that is true are chosen, whatever their gaps.
    second_is_good : bool
        Whether the second class is the good outcome. It says whether a group is worse off with fewer or with more
        positive predictions, and which of two rates of errors counts for that.
    certify_fraction : float or "auto"
        Share of the rows that certify, by a test, that the limits hold on new people: at least 0 and below 1. Nothing
        is learned from these rows, and models are tested on them in an order that was set without them, strictest
        first; the most accurate certified one is chosen. "auto": 0.4, and up to 0.6 where fewer rows would hardly show
        that a limit holds, and so many may. 0: limits are about the rows to choose on.
    confidence : float
        The chance, over the draw of the certifying rows, with which limits hold on new people: above 0 and below 1.
    cross_fit_below : int
        With fewer rows than this, multipliers are chosen by out-of-fold predictions of all rows, for which each fit is
        made five times more, and another threshold is taken only where it gains more than chance does; at least 0,
        which never does that. Not where rows certify or have weights, or no group may be worse off.

    Attributes
    ----------
    constraints_ : tuple of Constraint
        Every pair of groups that must be alike.
    multipliers_, gaps_ : ndarray of float, shape (n_constraints,)
        Of the model that was chosen; gaps are on the rows to choose on, the first group's metric minus the second's.
    feasible_ : bool
        Whether all constraints are met on these rows.
    threshold_ : float or None
        The common threshold: the second class is predicted where its probability, or the decision function of an
        estimator without probabilities, is at least this; infinity for nobody and minus infinity for everybody. None
        where the estimator's own prediction is as good. It is chosen on the same rows as the multipliers.
    share_ : float
        The share of these rows for which the second class is predicted: 0 or 1 for a constant.
    history_ : tuple of JudgedFit
        All fits with the estimator's own prediction, in their order, the first without constraints; then fits with a
        threshold that makes them the best for some limit.
    frontier_ : tuple of int
        The places of entries that no other beats in accuracy and in the largest gap.
    chosen_ : int
        The place of the entry that was chosen: the most accurate one that meets the constraints, or the closest.
    n_fits_ : int
        Fits made.
    estimator_, unconstrained_ : estimator
        The model that was chosen, and the one of the first fit, without constraints.
    n_learned_, n_chosen_on_ : int
        Rows learned from, and rows to choose multipliers on. Where limits are certified, a logistic regression is
        chosen on the rows learned from, too; so is any model of a small table, by out-of-fold predictions of them.
    share_range_ : tuple of float or None
        Between which shares of positive predictions nine of ten choices lie, were they made on resampled rows; None
        where the table is not small, constraints hold among similar cases, or the first fit meets them.
    notes_ : tuple of str
        What happened on the way, in words.
    certified_ : Certificate or None
        Whether the limits hold on new people, and how many rows it would take; None where `certify_fraction` is 0.
    status_ : {"met", "not_met", "stopped"}
        Whether the constraints are met (where `certify_fraction` is above 0: whether that is certified), or a caller
        stopped the search before its end.
    classes_ : ndarray, shape (2,)
        The classes in order; metrics are those of predicting the second.

    References
    ----------
    Zhang, Chu, Asudeh and Navathe (2021), "OmniFair: a declarative system for model-agnostic group fairness in machine
    learning", sections 5 and 6.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> group = np.repeat(["a", "b"], 200)
    >>> X = random.normal(size=(400, 1)) + (group == "b")[:, None]
    >>> y = X[:, 0] + random.normal(size=400) > 0.5
    >>> model = ConstrainedClassifier(specs="demographic_parity by group <= 0.1", random_state=0)
    >>> model.fit(X, y, sensitive_features=group).status_
    'met'
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "estimator": [*BASE_LEARNER],
        "validation_fraction": [PART],
        "multiplier_tolerance": [POSITIVE],
        "max_rounds": [COUNT, None],
        "warm_start": ["boolean"],
        "n_jobs": [COUNT, Interval(Integral, None, -1, closed="right"), None],
        "random_state": ["random_state"],
        "no_group_worse_off": ["boolean"],
        "second_is_good": ["boolean"],
        "cross_fit_below": [Interval(Integral, 0, None, closed="left")],
        **CERTIFYING,
        "certify_fraction": [*CERTIFYING["certify_fraction"], one_of(["auto"])],
    }

    def __init__(
        self,
        estimator: BaseEstimator | str | None = None,
        specs: Specs | None = None,
        *,
        validation_fraction: float = 0.25,
        multiplier_tolerance: float = 1e-4,
        max_rounds: int | None = None,
        warm_start: bool = True,
        n_jobs: int | None = None,
        random_state: Seed = None,
        no_group_worse_off: bool = False,
        second_is_good: bool = True,
        certify_fraction: float | str = 0.0,
        confidence: float = 0.9,
        cross_fit_below: int = SMALL_TABLE,
    ):
        self.estimator = estimator
        self.specs = specs
        self.validation_fraction = validation_fraction
        self.multiplier_tolerance = multiplier_tolerance
        self.max_rounds = max_rounds
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.no_group_worse_off = no_group_worse_off
        self.second_is_good = second_is_good
        self.certify_fraction = certify_fraction
        self.confidence = confidence
        self.cross_fit_below = cross_fit_below

    @documented(
        returns=SELF,
        sensitive_features=SENSITIVE,
        validation=VALIDATION,
        strata=STRATA,
    )
    def fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        validation: ArrayLike | None = None,
        population: ArrayLike | None = None,
        strata: Groups = None,
    ) -> ConstrainedClassifier:
        """Search for multipliers and fit the model."""
        rows = {"sensitive_features": sensitive_features, "sample_weight": sample_weight, "validation": validation}
        return self._drained(self.iter_fit(X, y, **rows, population=population, strata=strata))

    @documented(
        sensitive_features=SENSITIVE,
        validation=VALIDATION,
        strata=STRATA,
        yields=(
            "An ``Incumbent`` after each fit, with the figures ``fit, multiplier, accuracy, ratio, gap`` "
            "and ``met``. ``Finished.result`` is the classifier."
        ),
        raises={
            InputError: "If an argument breaks a rule, or the estimator cannot be fitted.",
            GroupError: "If a group has no rows, or none that its metric is a share of, in a part of the rows.",
            StoppedError: "If it was stopped before the first fit.",
        },
    )
    def iter_fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        validation: ArrayLike | None = None,
        population: ArrayLike | None = None,
        strata: Groups = None,
    ) -> Generator[Event, Command | None, None]:
        """Search for multipliers and fit the model, yielding events; a stop keeps the best so far."""
        check_parameters(self, HINTS)
        specs = optional_specs(self.specs)
        weights = RowWeights.read(sample_weight, X)
        if self.certify_fraction:
            weights = weights.as_single(type(self).__name__)
        X, y, validation = weights.keep("X", X), weights.keep("y", y), weights.keep("validation", validation)
        sensitive_features = weights.keep("sensitive_features", sensitive_features)
        frame, labels = self._read(X, y)
        table = frame if has_column_names(X) else frame.to_numpy()
        sensitive = read_sensitive(sensitive_features, specs, len(labels)) if specs else pd.DataFrame()
        about = boolean_rows(weights.keep("population", population), len(labels), "population", default=True)
        similar = read_strata(strata, weights, about)
        rows = ConstrainedRows.of(specs, labels, sensitive, weights.values, population=about, strata=similar)
        random = check_random_state(self.random_state)
        left, certifying = np.arange(len(labels)), np.arange(0)
        if self.certify_fraction:
            check_certifiable(specs)
            is_auto = isinstance(self.certify_fraction, str)
            fraction = fraction_to_certify(rows) if is_auto else float(self.certify_fraction)
            left, certifying = within(about, *set_aside(rows, fraction, random))
            if validation is not None:
                validation = boolean_rows(validation, len(labels), "validation", default=False)[left]
        learned, chosen_on = divide_rows(rows.take(left), validation, self.validation_fraction, random)
        learned, chosen_on = within(about, left[learned], left[chosen_on])
        train, judged = rows.take(learned), rows.take(chosen_on)
        train.check_defined("the model learns from")
        judged.check_defined("the model is chosen by")
        if len(certifying):
            rows.take(certifying).check_defined("limits are certified on")

        if (yield Started(TASK, TOTAL)) is STOP or (yield Progress("Preparing the table", 0, TOTAL)) is STOP:
            raise StoppedError(f"{TASK} was stopped before it began.")
        seed = int(random.randint(np.iinfo(np.int32).max))
        folded = self._is_folded(rows, len(chosen_on))
        if folded and validation is None:
            learned, train = left, rows.take(left)
        learner = self._learner(table, labels, learned, train, seed)
        if folded or (len(certifying) and learner.is_quick):
            # With folds no fit is judged by rows that it learned from, so that the last one may learn from all of them.
            # So few coefficients as a quick learner has are hardly fitted to chance.
            chosen_on = left[about[left]]
            judged = rows.take(chosen_on)
        folds = self._folds(table, labels, rows, (left, about[left]), seed, random) if folded else ()
        n_jobs = fits_at_once(self.n_jobs)
        judged_table = learner.prepare(rows_of(table, chosen_on)) if len(chosen_on) else learner.X[:0]
        keep = (
            partial(NoGroupWorseOff.of, judged, positive_is_good=self.second_is_good)
            if self.no_group_worse_off
            else None
        )
        trials = Trials(
            learner,
            train,
            judged,
            judged_table,
            folds=folds,
            n_jobs=n_jobs,
            keep=keep,
            stricter=bool(self.certify_fraction),
        )
        ending, stopped = yield from iter_trials(
            trials, tolerance=self.multiplier_tolerance, max_rounds=self.max_rounds, width=n_jobs
        )
        shifted = yield from iter_own_thresholds(trials)
        self._keep(trials, shifted, train, stopped)
        self.certified_: Certificate | None = None
        if len(certifying):
            self._certify(trials, rows, certifying, rows_of(table, certifying), stopped)
        self.share_range_: tuple[float, float] | None = None
        if folded and not trials.fits[0].is_met and rows.strata is None:
            found = trials.folded_predictions, trials.folded_scores
            self.share_range_ = resampled_shares(judged, trials.fits, *found, random)
        # It is about the model for what was asked, and no other.
        self._range_asked = self.share_range_
        self.n_learned_, self.n_chosen_on_ = len(learned), len(chosen_on)
        # A search that met constraints by chance, beside its path, says nothing of its end.
        endings = [ending] if ending and not self.feasible_ else []
        passed = [f"{trials.failure.message} The search passed over such fits."] if trials.failure else []
        self.notes_ = (
            *([FOLDED] if folded else []),
            *learner.notes,
            *([CONSTANT_FIT] if trials.has_constant else []),
            *passed,
            *endings,
        )
        yield Finished(self)

    @documented(returns=CLASSES)
    def predict(self, X: Features) -> NDArray[np.generic]:
        """Return what the chosen model predicts at `threshold_`."""
        check_is_fitted(self)
        if self.threshold_ is None:
            return in_classes(np.asarray(self._ask("predict", X)), self.estimator_, self.classes_)
        frame = read_features(self, X, reset=False)
        scores = scores_of(self.estimator_, frame if has_column_names(X) else frame.to_numpy())
        return self.classes_[(scores >= self.threshold_).astype(np.int64)]

    @available_if(_delegates("predict_proba"))
    @documented(returns=PROBABILITIES)
    def predict_proba(self, X: Features) -> NDArray[np.float64]:
        """Return the probabilities of the chosen model; as it is fitted with weights, they estimate no shares."""
        return self._ask("predict_proba", X)

    @available_if(_delegates("decision_function"))
    @documented(
        returns=(
            "ndarray of float, shape (n,)",
            ("Above 0 where the estimator itself predicts the second class; `threshold_` may be another one."),
        )
    )
    def decision_function(self, X: Features) -> NDArray[np.float64]:
        """Return the decision function of the chosen model."""
        return self._ask("decision_function", X)

    def pick(self, scale: float) -> ConstrainedClassifier:
        """Return a copy with another model of the search; nothing is fitted.

        Parameters
        ----------
        scale : float
            How many times what the constraints allow the gaps may be: above 0.

        Returns
        -------
        ConstrainedClassifier
            With the most accurate model whose gaps are that small on the rows to choose on, or the closest where there
            is none; another one than was chosen is not certified.

        Raises
        ------
        InputError
            If `scale` is not above 0.
        """
        check_is_fitted(self)
        if not scale > 0:
            raise InputError(f"'scale' must be above 0, got {scale!r}.")
        picked = copy.copy(self)
        place = choose_fit(self.history_, scale)
        if place != self.chosen_:
            picked._choose(place, self.status_ == "stopped")
            picked.certified_ = None
        picked.share_range_ = self._range_asked if place == choose_fit(self.history_) else None
        return picked

    def __sklearn_tags__(self) -> Tags:
        """Say that missing values are taken if the estimator takes them."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = learner_takes_missing(self.estimator)
        return tags

    def _is_folded(self, rows: ConstrainedRows, n_chosen_on: int) -> bool:
        """Say whether multipliers are chosen by cross-fitting."""
        apart = bool(self.certify_fraction) or self.no_group_worse_off
        return n_chosen_on > 0 and len(rows.y) < self.cross_fit_below and rows.counts is None and not apart

    def _learner(
        self,
        table: pd.DataFrame | NDArray[np.generic],
        labels: NDArray[np.int64],
        learned: NDArray[np.int64],
        train: ConstrainedRows,
        seed: int,
    ) -> WeightedLearner:
        return WeightedLearner(
            base_learner(self.estimator, "logistic_regression", random_state=seed),
            rows_of(table, learned),
            labels[learned],
            classes=self.classes_,
            warm_start=self.warm_start,
            random_state=seed,
            counts=train.counts,
        )

    def _folds(
        self,
        table: pd.DataFrame | NDArray[np.generic],
        labels: NDArray[np.int64],
        rows: ConstrainedRows,
        rows_left: tuple[NDArray[np.int64], NDArray[np.bool_]],
        seed: int,
        random: np.random.RandomState,
    ) -> tuple[Fold, ...]:
        """Return the parts of the rows that are chosen on, each with a learner of the rows of other parts.

        `rows_left` are those that are not set aside, (n_left,), and whether constraints are about each.
        """
        left, about = rows_left
        codes = fold_codes(_strata(rows.take(left)), random)
        found = []
        for number in range(N_FOLDS):
            others = left[codes != number]
            train = rows.take(others)
            learner = self._learner(table, labels, others, train, seed)
            X = learner.prepare(rows_of(table, left[about & (codes == number)]))
            found.append(Fold(Fitter(learner, train, X), np.flatnonzero(codes[about] == number)))
        return tuple(found)

    def _keep(self, trials: Trials, shifted: Sequence[JudgedFit], train: ConstrainedRows, stopped: bool) -> None:
        self.constraints_ = train.constraints
        self.history_ = (*trials.fits, *shifted)
        self.n_fits_ = len(trials.fits)
        self.frontier_ = frontier_of(self.history_)
        self._models = {place: trials.learner.whole(model) for place, model in trials.models.items()}
        self.unconstrained_ = self._models[0]
        self._choose(choose_fit(self.history_), stopped)

    def _certify(
        self, trials: Trials, whole: ConstrainedRows, set_aside: NDArray[np.int64], X: Features, stopped: bool
    ) -> None:
        """Choose the most accurate model whose limits are certified; their order is made by the rows to choose on."""
        certifying = whole.take(set_aside)
        learner, prepared = trials.learner, trials.learner.prepare(X)
        fits = [fit for fit in self.history_ if math.isfinite(fit.ratio) and fit.place in trials.models]
        # What is hardly better than the same answer for everybody meets limits and is of no use: only where all are so.
        share = trials.chosen_on.share(trials.chosen_on.y == 1)
        constant = max(share, 1 - share)
        varied = [fit for fit in fits if 0 < fit.share < 1]
        best = max((fit.accuracy for fit in varied if fit.is_met), default=constant)
        useful = [fit for fit in varied if fit.accuracy > constant + USEFUL * (best - constant)]
        fits = useful or varied or fits or [self.history_[self.chosen_]]
        order = frontier_of(fits)
        predictions = np.stack(
            [predictions_of(learner, trials.models[fits[i].place], fits[i].threshold, prepared) for i in order]
        )
        sizes = [trials.chosen_on.size, certifying.size]
        accuracies = [
            np.average([fits[i].accuracy, certifying.share(h == certifying.y)], weights=sizes)
            for i, h in zip(order, predictions, strict=True)
        ]
        place, certificate = certify(
            requirements_of(certifying, predictions, whole),
            accuracies,
            confidence=self.confidence,
            n_rows=len(certifying.y),
        )
        self._choose(self.history_.index(fits[order[place]]), stopped)
        self.certified_ = certificate
        if not stopped:
            self.status_ = "met" if certificate.is_certified else "not_met"

    def _choose(self, place: int, stopped: bool) -> None:
        fit = self.history_[place]
        self.chosen_, self.multipliers_, self.gaps_ = place, fit.multipliers, fit.gaps
        self.estimator_, self.threshold_, self.share_ = self._models[fit.place], fit.threshold, fit.share
        self.feasible_ = fit.is_met
        self.status_ = "stopped" if stopped else ("met" if fit.is_met else "not_met")

    def _ask(self, method: str, X: Features) -> NDArray[Any]:
        check_is_fitted(self)
        frame = read_features(self, X, reset=False)
        return getattr(self.estimator_, method)(frame if has_column_names(X) else frame.to_numpy())
