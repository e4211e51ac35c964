"""Fitting a learner with weights for given multipliers, and the search over multipliers from beginning to end."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from fairaudit.errors import FairauditError, InputError, StoppedError, require
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows, JudgedFit, choose_fit, frontier_of
from fairaudit.estimators.constraints.polishing import TRIES_QUICK, TRIES_SLOW, BestCuts, NoGroupWorseOff, Polishing
from fairaudit.estimators.constraints.search import MULTIPLIER_DECIMALS, Ask, Climb, Part, Search, search_single
from fairaudit.estimators.models import PerceptronEnsemble, fit_transform, run_base_learner, scores_of
from fairaudit.estimators.parameters import Features, Seed
from fairaudit.events import STOP, Command, Event, Incumbent, Progress, returned

# A learner that is fitted again and again on the same rows, each time with other weights.

Floats = NDArray[np.float64]

MOSTLY_ZERO = 0.3
"""A prepared table with at most this share of other numbers is kept as a sparse matrix for a logistic regression."""

EXACT, MOST_EXACT, MOST_EXACT_DENSE = 1e-8, 300, 60
"""The slope at which weighted fits of a logistic regression end, and up to how many columns, in a sparse matrix and in
another one. Where they ended sooner, processors would differ, and with them the search. By Newton's method it takes no
longer in a sparse matrix, and two to three times as long in another one."""

TREES_AT_ONCE = 10
"""Trees of a forest between two places at which its fit may be left."""

RESAMPLED = "The estimator {} takes no weights. Rows were repeated in proportion to their weights instead."
CONSTANT_FIT = "In some fits only rows of one outcome were left. Such a fit predicts this outcome for everyone."


class ConstantModel(ClassifierMixin, BaseEstimator):
    """Predict one outcome for everyone, as where weights leave no row of the other."""

    # classes: (2,) The classes in order.
    # positive: Whether the outcome is the second of them.
    def __init__(self, classes: NDArray[np.generic], positive: bool):
        self.classes = classes
        self.positive = positive
        self.classes_ = classes

    def predict(self, X: Features) -> NDArray[np.generic]:
        """Return the outcome for each row of `X`, as ndarray, shape (n,)."""
        return np.repeat(self.classes_[[int(self.positive)]], X.shape[0])

    def predict_proba(self, X: Features) -> Floats:
        """Return 1 for the outcome and 0 for the other for each row of `X`, as ndarray, shape (n, 2)."""
        return np.tile([1.0 - self.positive, float(self.positive)], (X.shape[0], 1))

    def decision_function(self, X: Features) -> Floats:
        """Return 1 or -1 for each row of `X`, as ndarray, shape (n,)."""
        return np.full(X.shape[0], 1.0 if self.positive else -1.0)


class WeightedLearner:
    """Fit copies of an estimator with weights that may be negative.

    A row of weight ``w < 0`` is a row of the other label that weighs ``|w|``: the same objective up to a constant.
    The steps of a pipeline before the last are fitted and applied once.

    Attributes
    ----------
    notes : tuple of str
        What was done because of the estimator.
    can_start : bool
        Whether a fit can begin from another model.
    is_exact : bool
        Whether weighted fits go on to the end, by Newton's method: an ordinary logistic regression.
    is_quick : bool
        Whether a fit takes little more than reading the table a few times: a logistic regression.

    Raises
    ------
    InputError
        If the steps before the last cannot be fitted.
    """

    # estimator: A binary classifier, or a pipeline that ends in one; it is copied.
    # X_train: (n, n_features) The features of the rows to learn from.
    # y_train: (n,) Their labels, 0 or 1.
    # classes: (2,) What the estimator is to know the labels as; 0 and 1 by default.
    # warm_start: Whether a fit may begin from a model that is given. Logistic regressions and `PerceptronEnsemble` can.
    # An `MLPClassifier` that goes on counts the losses of the fit before, and ends after one epoch.
    # random_state: The seed of the repetition of rows, where the estimator takes no weights.
    # counts: (n,) How much each row counts for the steps before the last; None where each counts once.
    def __init__(
        self,
        estimator: BaseEstimator,
        X_train: pd.DataFrame | NDArray[np.generic],
        y_train: NDArray[np.int64],
        *,
        classes: NDArray[np.generic] | None = None,
        warm_start: bool = True,
        random_state: Seed = None,
        counts: Floats | None = None,
    ):
        self.classes = np.array([0, 1]) if classes is None else np.asarray(classes)
        self.y = np.asarray(y_train, dtype=np.int64)
        steps = list(estimator.steps) if isinstance(estimator, Pipeline) else [("model", estimator)]
        self.name, self.last = steps[-1][0], steps[-1][1]
        self.before = clone(estimator[:-1]) if len(steps) > 1 else None
        self.estimator = estimator
        if self.before is not None:
            steps = [self.before] if counts is None else [step for _, step in self.before.steps]
            for step in steps:
                X_train = fit_transform(step, X_train, self.classes[self.y], counts)
        self.X = self._compact(X_train)
        self.takes_weights = has_fit_parameter(self.last, "sample_weight")
        self.notes: tuple[str, ...] = () if self.takes_weights else (RESAMPLED.format(type(self.last).__name__),)
        self.is_quick = _is_linear(self.last)
        self.is_exact = _is_ordinary(self.last)
        self.can_start = warm_start and (self.is_quick or isinstance(self.last, PerceptronEnsemble))
        self._chances = check_random_state(random_state).random_sample(len(self.y))

    def prepare(self, X: Features) -> pd.DataFrame | NDArray[np.generic]:
        """Apply the steps before the last. Shapes: `X` (n, n_features)."""
        if self.before is not None:
            X = run_base_learner(self.before, "prepare the table", self.before.transform, X)
        return self._compact(X)

    def fit(self, weights: Floats, start: BaseEstimator | None = None) -> BaseEstimator:
        """Fit the last step. Shapes: `weights` (n,)."""
        return returned(self.iter_fit(weights, start))

    def iter_fit(self, weights: Floats, start: BaseEstimator | None = None) -> Generator[None, None, BaseEstimator]:
        """Fit the last step; a forest yields between some trees and the next, where it may be left.

        Shapes: `weights` (n,).
        """
        if not np.isfinite(weights).all():
            raise InputError("The weights must be finite numbers.", hint="Take smaller multipliers or costs.")
        y, sizes = np.where(weights < 0, 1 - self.y, self.y), np.abs(weights)
        rows = np.flatnonzero(sizes)
        if not len(rows):
            raise InputError(
                f"No row is left to learn from: the weights of all {len(y):,} rows are 0.",
                hint="Take other multipliers.",
            )
        if not self.takes_weights and not (sizes == 1).all():
            rows = self._draw(sizes)
        if len(found := np.unique(y[rows])) < 2:
            return ConstantModel(self.classes, bool(found[0]))
        X = self.X
        if len(rows) < len(y) or not self.takes_weights:
            X, y, sizes = X.iloc[rows] if hasattr(X, "iloc") else X[rows], y[rows], sizes[rows]
        model = self._begin(start)
        # A fit in which all rows weigh 1 is the plain one, to the last bit.
        extra = {"sample_weight": sizes} if self.takes_weights and not (sizes == 1).all() else {}
        if extra and self.is_exact and X.shape[1] <= (MOST_EXACT if sparse.issparse(X) else MOST_EXACT_DENSE):
            model.set_params(solver="newton-cholesky", tol=min(EXACT, self.last.tol))
        for number, part in enumerate(_parts(model)):
            if number:
                yield
            run_base_learner(self.last, "be fitted", part.fit, X, self.classes[y], **extra)
        if self.is_exact:
            model.set_params(solver=self.last.solver, tol=self.last.tol)
        return model.set_params(warm_start=self.last.warm_start) if self.can_start else model

    def between(self, low: BaseEstimator, high: BaseEstimator, share: float) -> BaseEstimator:
        """Return a model to begin from that lies between two others, or beyond them."""
        if not (_has_coefficients(low) and _has_coefficients(high)) or low.coef_.shape != high.coef_.shape:
            return high if share > 0.5 else low
        model = copy.copy(low)
        model.coef_ = (1 - share) * low.coef_ + share * high.coef_
        model.intercept_ = (1 - share) * np.asarray(low.intercept_) + share * np.asarray(high.intercept_)
        return model

    def predictions(self, model: BaseEstimator, X: Features) -> NDArray[np.int64]:
        """Return what a model predicts. Shapes: returns (n,)."""
        if not X.shape[0]:
            return np.zeros(0, dtype=np.int64)
        found = np.asarray(run_base_learner(self.last, "predict", model.predict, X))
        positive = found == self.classes[1]
        if not np.all(positive | (found == self.classes[0])):
            raise InputError(
                f"The estimator {type(self.last).__name__} predicted values that are neither of the two outcomes.",
                hint="Give a classifier: a model that predicts one of the two.",
            )
        return positive.astype(np.int64)

    def scores(self, model: BaseEstimator, X: Features) -> Floats | None:
        """Return the score of each row, above which a threshold says yes; None where there is none to go by.

        Shapes: returns (n,).
        """
        if not X.shape[0] or not (hasattr(model, "predict_proba") or hasattr(model, "decision_function")):
            return None
        found = np.asarray(run_base_learner(self.last, "predict", scores_of, model, X))
        return found if found.shape == (X.shape[0],) and np.isfinite(found).all() else None

    def whole(self, model: BaseEstimator) -> BaseEstimator:
        """Return a model that takes the table as it was given."""
        return model if self.before is None else Pipeline([*self.before.steps, (self.name, model)])

    def _compact(self, X: Features) -> pd.DataFrame | NDArray[np.generic]:
        """Keep a mostly empty table as a sparse matrix: a logistic regression is several times as fast on it."""
        if type(self.last) is not LogisticRegression or not isinstance(X, np.ndarray) or not X.size:
            return X
        return sparse.csr_matrix(X) if np.count_nonzero(X) <= MOSTLY_ZERO * X.size else X

    def _draw(self, sizes: Floats) -> NDArray[np.int64]:
        """Repeat each row as often as its share of the weights says, rounded up or down by chance.

        The chances are the same each time, so that similar weights give similar rows.
        """
        counts = np.floor(len(sizes) * (sizes / sizes.sum()) + self._chances).astype(np.int64)
        return np.repeat(np.arange(len(sizes)), counts)

    def _begin(self, start: BaseEstimator | None) -> BaseEstimator:
        """Return an unfitted copy of the last step that begins where `start` is, if it can."""
        model = clone(self.last)
        if start is None or not self.can_start or type(start) is not type(model):
            return model
        if isinstance(model, PerceptronEnsemble):
            return copy.deepcopy(start).set_params(warm_start=True)
        model.set_params(warm_start=True)
        model.coef_, model.intercept_ = start.coef_.copy(), np.array(start.intercept_)
        model.classes_ = start.classes_
        return model


def _parts(model: BaseEstimator) -> Iterator[BaseEstimator]:
    """Return the model as often as it is to be fitted: a forest grows the same trees in steps as at once."""
    if not isinstance(model, RandomForestClassifier) or not isinstance(model.random_state, int) or model.warm_start:
        yield model
        return
    n = model.n_estimators
    for done in range(0, n, TREES_AT_ONCE):
        yield model.set_params(warm_start=done > 0, n_estimators=min(done + TREES_AT_ONCE, n))
    model.set_params(warm_start=False)


def _is_linear(model: BaseEstimator) -> bool:
    """Whether the next fit begins from `coef_` where it is there."""
    return isinstance(model, LogisticRegression) and "warm_start" in model.get_params(deep=False)


def _is_ordinary(model: BaseEstimator) -> bool:
    """Whether a model is a logistic regression with a square penalty, solved as they usually are."""
    usual = {"solver": ("lbfgs",), "penalty": ("l2", "deprecated"), "l1_ratio": (None, 0, 0.0)}
    if type(model) is not LogisticRegression or not np.isfinite(model.C):
        return False
    asked = model.get_params(deep=False)
    return all(asked.get(name, known[0]) in known for name, known in usual.items())


def _has_coefficients(model: BaseEstimator) -> bool:
    return hasattr(model, "coef_") and hasattr(model, "intercept_")


# Drive a search: make the fits that it asks for, and yield events.

# Fits with given multipliers: weights, models, and what they come to on the rows that multipliers are chosen on.


Fitted = tuple[BaseEstimator, NDArray[np.int64], Floats | None, NDArray[np.uint8] | None]
"""A model, its predictions and scores of the rows to choose on, and, where weights need it, what it predicts of those
to learn from, packed."""

MOST_AT_ONCE = 8
"""Fits made at once: more would try multipliers that earlier answers rule out."""

STARTS_KEPT = 12
"""How many of the last models are kept for others to begin from."""


class Trials:
    """Make fits and remember what they came to.

    Attributes
    ----------
    fits : list of JudgedFit
        In the order that they were asked for, each as the model itself predicts.
    cuts : BestCuts
        What the fits come to with other thresholds.
    models : dict
        From the place of the first fit, and of each that no other beats at its own or another threshold, to its model.
    has_constant : bool
        Whether weights left rows of one outcome only.
    failure : FairauditError or None
        Why a fit after the first failed. The search passes over it.
    """

    # learner: The learner, with the rows to learn from.
    # train, chosen_on: The rows to learn from, and those that multipliers are chosen on.
    # X: The features of the latter, as `WeightedLearner.prepare` returns them.
    # n_jobs: How many fits are made at once.
    # stricter: Whether models well within the limits are looked for, too, and all models are kept.
    # keep: From what the first fit predicts to what no group may be worse off than; a fit that does not keep to it has
    # an infinite ratio.
    def __init__(
        self,
        learner: WeightedLearner,
        train: ConstrainedRows,
        chosen_on: ConstrainedRows,
        X: Features,
        *,
        n_jobs: int = 1,
        keep: Callable[[NDArray[np.int64]], NoGroupWorseOff] | None = None,
        stricter: bool = False,
    ):
        self.stricter = stricter
        self.learner, self.train, self.chosen_on, self.X, self.n_jobs = learner, train, chosen_on, X, n_jobs
        self.limits, self.keep = train.limits, keep
        self.fits: list[JudgedFit] = []
        self.cuts = BestCuts(chosen_on)
        self.models: dict[int, BaseEstimator] = {}
        self.has_constant = False
        self.failure: FairauditError | None = None
        self._starts: dict[int, BaseEstimator] = {}
        self._predictions: dict[int, NDArray[np.uint8]] = {}

    def iter_run(self, asks: Sequence[Ask]) -> Generator[None, None, list[JudgedFit]]:
        """Make fits, and yield where they may be left; what is not done then is lost.

        Parameters
        ----------
        asks : sequence of Ask
            The multipliers.

        Yields
        ------
        None
            Between parts of a fit that is made in parts; never where several are made at once.

        Returns
        -------
        list of JudgedFit
            In the same order. One that failed has no gaps.

        Raises
        ------
        FairauditError
            If the first fit of all fails.
        """
        asks = [replace(ask, multipliers=ask.multipliers.round(MULTIPLIER_DECIMALS)) for ask in asks]
        tasks = [(self.learner, self._weights(ask), self._start(ask), self.X, self.train.needs_predictions)
                 for ask in asks]  # fmt: skip
        if self.n_jobs > 1 and len(tasks) > 1:
            done = Parallel(n_jobs=self.n_jobs)(delayed(_fit)(*task) for task in tasks)
        else:
            done = []
            for task in tasks:
                done.append((yield from _iter_fit(*task)))
        return [
            self._record_failure(ask, one) if isinstance(one, FairauditError) else self._record(ask, *one)
            for ask, one in zip(asks, done, strict=True)
        ]

    @property
    def best(self) -> int:
        """The place of the fit to return so far, were no threshold moved."""
        return choose_fit(self.fits)

    def with_own_thresholds(self) -> list[JudgedFit]:
        """Return what fits come to with a threshold of their own choice, where that is the best for some limit."""
        found: list[JudgedFit] = []
        scores: dict[int, Floats] = {}
        for place, threshold in self.cuts.chosen(self.fits):
            if place not in scores:
                scores[place] = require(self.learner.scores(self.models[place], self.X))
            h = (scores[place] >= threshold).astype(np.int64)
            found.append(self._judged(self.fits[place].multipliers, h, place, threshold))
        return found

    def _weights(self, ask: Ask) -> Floats:
        h = None
        if ask.after in self._predictions:
            h = np.unpackbits(self._predictions[ask.after], count=len(self.train.y)).astype(np.int64)
        return self.train.weights(ask.multipliers, h, marginal=h is not None)

    def _start(self, ask: Ask) -> BaseEstimator | None:
        """Return a model to begin from: on the line between the two kept ones that comes closest."""
        if not self._starts:
            return None
        places = list(self._starts)
        points = np.array([self.fits[place].multipliers for place in places])
        away = np.linalg.norm(points - ask.multipliers, axis=1)
        nearest = int(away.argmin())
        lines = points - points[nearest]
        lengths = np.einsum("ij,ij->i", lines, lines)
        shares = np.divide(lines @ (ask.multipliers - points[nearest]), lengths, where=lengths > 0, out=0 * lengths)
        shares = shares.clip(0, 1)
        left = np.linalg.norm(points[nearest] + shares[:, None] * lines - ask.multipliers, axis=1)
        other = int(left.argmin())
        return self.learner.between(self._starts[places[nearest]], self._starts[places[other]], shares[other])

    def _record_failure(self, ask: Ask, error: FairauditError) -> JudgedFit:
        if not self.fits:
            raise error
        self.failure = error
        nothing = np.full(len(self.limits), np.nan)
        self.fits.append(JudgedFit.of(ask.multipliers, float("nan"), nothing, self.limits, place=len(self.fits)))
        self.cuts.take(self.fits[-1], None)
        return self.fits[-1]

    def _judged(
        self, multipliers: Floats, h: NDArray[np.int64], place: int, threshold: float | None = None
    ) -> JudgedFit:
        accuracy, share = self.chosen_on.share(h == self.chosen_on.y), self.chosen_on.share(h == 1)
        gaps = self.chosen_on.gaps(h) if len(self.limits) else np.zeros(0)
        fit = JudgedFit.of(multipliers, accuracy, gaps, self.limits, share=share, place=place, threshold=threshold)
        worse = self.cuts.not_worse is not None and not self.cuts.not_worse.holds(h)
        return replace(fit, ratio=math.inf) if worse else fit

    def _record(
        self,
        ask: Ask,
        model: BaseEstimator,
        h: NDArray[np.int64],
        scores: Floats | None,
        h_train: NDArray[np.uint8] | None,
    ) -> JudgedFit:
        place = len(self.fits)
        if self.keep is not None and not place:
            self.cuts.not_worse = self.keep(h)
        fit = self._judged(ask.multipliers, h, place)
        self.fits.append(fit)
        self.cuts.take(fit, scores)
        self.has_constant = self.has_constant or isinstance(model, ConstantModel)
        if h_train is not None:
            self._predictions[place] = h_train
        if self.learner.can_start and not isinstance(model, ConstantModel):
            self._starts[place] = model
            if len(self._starts) > STARTS_KEPT:
                del self._starts[min(self._starts)]
        self.models[place] = model
        if not self.stricter:
            kept = {0, *frontier_of(self.fits), *self.cuts.places}
            self.models = {place: model for place, model in self.models.items() if place in kept}
        return fit


def predictions_of(
    learner: WeightedLearner, model: BaseEstimator, threshold: float | None, X: Features
) -> NDArray[np.int64]:
    """Return what a model predicts with a threshold, or without one. Shapes: `X` as prepared (n, m); returns (n,)."""
    if threshold is None:
        return learner.predictions(model, X)
    return (require(learner.scores(model, X)) >= threshold).astype(np.int64)


def fits_at_once(n_jobs: int | None) -> int:
    """Return how many fits a search asks for at once.

    Which multipliers are tried depends on it. So it is the same on every computer and cluster, unless a number below 0
    asks for as many as there are workers.

    Examples
    --------
    >>> fits_at_once(None), fits_at_once(2), fits_at_once(100)
    (1, 2, 8)
    """
    if n_jobs is None:
        return 1
    return min(n_jobs if n_jobs > 0 else effective_n_jobs(n_jobs), MOST_AT_ONCE)


def _fit(*task: Any) -> Fitted | FairauditError:
    """Fit at once, in another thread or process."""
    return returned(_iter_fit(*task))


def _iter_fit(
    learner: WeightedLearner, weights: Floats, start: BaseEstimator | None, X: Features, with_train: bool
) -> Generator[None, None, Fitted | FairauditError]:
    """Fit, predict and score the rows to choose on and, where weights need it, those to learn from; or say why not."""
    try:
        model = yield from learner.iter_fit(weights, start)
        h_train = np.packbits(learner.predictions(model, learner.X).astype(bool)) if with_train else None
        return model, learner.predictions(model, X), learner.scores(model, X), h_train
    except FairauditError as error:
        return error


TASK = "Training to meet the constraints"

STRICT, ALONG = 0.1, (0.3, 0.45, 0.6, 0.7, 0.8, 0.9, 1.1, 1.25)
"""Where limits are certified: the part of them that the strictest models aim at, and how far other models are along the
way to their multipliers."""

STRICT_ROUNDS = 6
"""Joint steps towards the strictest models, where there are several multipliers."""

ROUNDS_PER_MULTIPLIER = 5
"""Rounds of tuning one of several multipliers, as a multiple of how many there are."""


def iter_trials(
    trials: Trials, *, tolerance: float, max_rounds: int | None, width: int
) -> Generator[Event, Command | None, tuple[str | None, bool]]:
    """Fit without multipliers, and then whatever the search asks for."""
    asks: Sequence[Ask] = [Ask(np.zeros(len(trials.limits)))]
    search: Search | None = None
    while True:
        n_done = len(trials.fits)
        fits = yield from _iter_fits(trials, asks)
        if fits is None:
            return None, True
        for place, fit in enumerate(fits, start=n_done):
            if (yield _incumbent(fit, is_best=trials.best == place)) is STOP:
                return None, True
        if trials.fits[0].is_met and not trials.stricter:
            return None, False
        try:
            if search is None:
                search = _whole_search(trials, tolerance, max_rounds, width)
                asks = next(search)
            else:
                asks = search.send(fits)
        except StopIteration as end:
            return end.value, False


def _iter_fits(trials: Trials, asks: Sequence[Ask]) -> Generator[Event, Command | None, list[JudgedFit] | None]:
    """Make fits; None where a stop came before they were made."""
    n_done = len(trials.fits)
    progress = Progress(_words(asks, n_done + 1), TOTAL * n_done // (n_done + 10), TOTAL)
    with closing(trials.iter_run(asks)) as making:
        while (yield progress) is not STOP:
            try:
                next(making)
            except StopIteration as end:
                return end.value
    if not n_done:
        raise StoppedError(f"{TASK} was stopped before the first fit.")
    return None


def iter_own_thresholds(trials: Trials) -> Generator[Event, Command | None, list[JudgedFit]]:
    """Return the fits with thresholds of their own; none where the first fit meets the constraints as it is."""
    if trials.fits[0].is_met and not trials.stricter:
        return []
    shifted = trials.with_own_thresholds()
    everything = [*trials.fits, *shifted]
    chosen = choose_fit(everything)
    for place, fit in enumerate(shifted, start=len(trials.fits)):
        yield _incumbent(fit, is_best=chosen == place)
    return shifted


def _whole_search(trials: Trials, tolerance: float, max_rounds: int | None, width: int) -> Search:
    """Climb and, where several metrics may pull against one another, look around the best that was found."""
    ending = None
    if not trials.fits[0].is_met:
        ending = yield from _search(trials, tolerance, max_rounds, width)
    if trials.stricter:
        yield from _stricter_fits(trials, tolerance, width)
    if len(trials.train.specs) > 1:
        parts, shares = _groups(trials.train)
        n_tries = TRIES_QUICK if trials.learner.is_quick else TRIES_SLOW
        yield from Polishing(trials.fits, trials.cuts, parts, shares, n_tries=n_tries, width=width).search()
    return ending


def _groups(train: ConstrainedRows) -> tuple[list[int], NDArray[np.float64]]:
    """Return how many groups each specification has, and the share of each group in the rows."""
    # What groups with a floor are compared with has no rows; it counts as if it were all.
    sizes = [
        (len(members) if train.counts is None else train.counts[members].sum()) if len(members) else train.size
        for groups in train.members
        for members in groups
    ]
    shares = np.array(sizes) / train.size
    return [len(names) for names in train.names], shares


def _stricter_fits(trials: Trials, tolerance: float, width: int) -> Part:
    """Look for the multipliers that nearly close the gaps, and make fits along the line that leads to them."""
    if trials.fits[0].ratio > STRICT:
        search = _search(trials, tolerance, STRICT_ROUNDS, width, STRICT)
        yield from _seen_closer(search, trials.fits, STRICT)
    best = min(range(len(trials.fits)), key=lambda place: (trials.fits[place].ratio, place))
    multipliers = trials.fits[best].multipliers
    if multipliers.any():
        asks = [Ask(multipliers * share, best) for share in ALONG]
        for start in range(0, len(asks), width):
            yield asks[start : start + width]


def _seen_closer(search: Search, fits: Sequence[JudgedFit], scale: float) -> Search:
    """Run a search from the first fit, for which only a part of what is allowed is."""
    places = [0]
    try:
        asks = next(search)
        while True:
            start = len(fits)
            made = yield [replace(ask, after=places[ask.after]) for ask in asks]
            places += range(start, start + len(made))
            asks = search.send([replace(fit, ratio=fit.ratio / scale) for fit in made])
    except StopIteration as end:
        return end.value


def _search(trials: Trials, tolerance: float, max_rounds: int | None, width: int, scale: float = 1.0) -> Search:
    train, limits = trials.train, trials.limits * scale
    first = replace(trials.fits[0], ratio=trials.fits[0].ratio / scale)
    linear = train.needs_predictions
    if len(limits) == 1:
        return search_single(first, limits[0], tolerance=tolerance, width=width, linear=linear)
    # Which of several good multipliers a climb finds depends on signs. It sees ``mr`` as the difference of accuracies,
    # as in Zhang et al. (2021), eq. 25, so that audits saved when mr was that form give the same models.
    signs = np.array([-1.0 if constraint.spec.metric == "mr" else 1.0 for constraint in train.constraints])
    parts, shares = _groups(train)
    climb = Climb(
        _with_signs(first, signs),
        parts,
        scale * np.array([spec.max_difference for spec in train.specs]),
        shares,
        tolerance=tolerance,
        width=width,
        linear=linear,
    )
    rounds = ROUNDS_PER_MULTIPLIER * len(limits) if max_rounds is None else max_rounds
    return _with_flipped_signs(climb.search(rounds) if scale == 1 else climb.approach(rounds), signs)


def _with_flipped_signs(search: Search, signs: NDArray[np.float64]) -> Search:
    """Run a search that sees gaps and multipliers with some signs flipped."""
    try:
        asks = next(search)
        while True:
            # 0 is added as minus 0 would be shown as such.
            made = yield [replace(ask, multipliers=signs * ask.multipliers + 0.0) for ask in asks]
            asks = search.send([_with_signs(fit, signs) for fit in made])
    except StopIteration as end:
        return end.value


def _with_signs(fit: JudgedFit, signs: NDArray[np.float64]) -> JudgedFit:
    return replace(fit, multipliers=signs * fit.multipliers + 0.0, gaps=signs * fit.gaps)


def _words(asks: Sequence[Ask], number: int) -> str:
    if number == 1:
        return "Fit 1: without constraints"
    return f"Fit {number}" if len(asks) == 1 else f"Fits {number} to {number + len(asks) - 1}"


def _incumbent(fit: JudgedFit, *, is_best: bool) -> Incumbent:
    figures = {
        "fit": float(fit.place + 1),
        "threshold": math.nan if fit.threshold is None else fit.threshold,
        "multiplier": fit.largest_multiplier,
        "accuracy": fit.accuracy,
        "ratio": fit.ratio,
        "gap": fit.largest_gap,
        "met": float(fit.is_met),
    }
    return Incumbent("fit", figures, best=is_best)
