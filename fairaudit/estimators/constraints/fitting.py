"""Fitting a learner with weights for given multipliers, and the search over multipliers from beginning to end."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from fairaudit.errors import FairauditError, StoppedError, require
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows, JudgedFit, choose_fit, frontier_of
from fairaudit.estimators.constraints.crossfitting import CautiousCuts
from fairaudit.estimators.constraints.learner import ConstantModel, WeightedLearner
from fairaudit.estimators.constraints.polishing import TRIES_QUICK, TRIES_SLOW, BestCuts, NoGroupWorseOff, Polishing
from fairaudit.estimators.constraints.search import MULTIPLIER_DECIMALS, Ask, Climb, Part, Search, search_single
from fairaudit.estimators.parameters import Features
from fairaudit.events import STOP, Command, Event, Incumbent, Progress, returned

Floats = NDArray[np.float64]

# Fits with given multipliers: weights, models, and what they come to on the rows that multipliers are chosen on.


Fitted = tuple[BaseEstimator, NDArray[np.int64], Floats | None, NDArray[np.uint8] | None]
"""A model, its predictions and scores of the rows to choose on, and, where weights need it, what it predicts of those
to learn from, packed."""

Task = tuple[WeightedLearner, Floats, BaseEstimator | None, Features, bool]
"""A learner, the weights of its rows, a model to begin from, the rows to predict, and whether to predict its own."""

MOST_AT_ONCE = 8
"""Fits made at once: more would try multipliers that earlier answers rule out."""

STARTS_KEPT = 12
"""How many of the last models are kept for others to begin from."""


class Fitter:
    """Make fits of one learner for given multipliers, and remember what later ones begin from."""

    # learner: The learner, with the rows to learn from.
    # train: These rows.
    # X: The features of the rows to predict, as `WeightedLearner.prepare` returns them.
    def __init__(self, learner: WeightedLearner, train: ConstrainedRows, X: Features):
        self.learner, self.train, self.X = learner, train, X
        self._starts: dict[int, BaseEstimator] = {}
        self._predictions: dict[int, NDArray[np.uint8]] = {}

    def task(self, ask: Ask, fits: Sequence[JudgedFit]) -> Task:
        """Return what a fit is made of."""
        weights, start = self._weights(ask), self._start(ask, fits)
        return self.learner, weights, start, self.X, self.train.needs_predictions

    def record(self, place: int, model: BaseEstimator, h_train: NDArray[np.uint8] | None) -> None:
        """Keep what later fits begin from."""
        if h_train is not None:
            self._predictions[place] = h_train
        if self.learner.can_start and not isinstance(model, ConstantModel):
            self._starts[place] = model
            if len(self._starts) > STARTS_KEPT:
                del self._starts[min(self._starts)]

    def _weights(self, ask: Ask) -> Floats:
        h = None
        if ask.after in self._predictions:
            h = np.unpackbits(self._predictions[ask.after], count=len(self.train.y)).astype(np.int64)
        return self.train.weights(ask.multipliers, h, marginal=h is not None)

    def _start(self, ask: Ask, fits: Sequence[JudgedFit]) -> BaseEstimator | None:
        """Return a model to begin from: on the line between the two kept ones that comes closest."""
        if not self._starts:
            return None
        places = list(self._starts)
        points = np.array([fits[place].multipliers for place in places])
        away = np.linalg.norm(points - ask.multipliers, axis=1)
        nearest = int(away.argmin())
        lines = points - points[nearest]
        lengths = np.einsum("ij,ij->i", lines, lines)
        shares = np.divide(lines @ (ask.multipliers - points[nearest]), lengths, where=lengths > 0, out=0 * lengths)
        shares = shares.clip(0, 1)
        left = np.linalg.norm(points[nearest] + shares[:, None] * lines - ask.multipliers, axis=1)
        other = int(left.argmin())
        return self.learner.between(self._starts[places[nearest]], self._starts[places[other]], shares[other])


@dataclass(frozen=True, eq=False)
class Fold:
    """A part of the rows to choose on, and who makes fits on the other parts."""

    fitter: Fitter
    # The places of its rows among those to choose on.
    rows: NDArray[np.int64]


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
    folded_predictions, folded_scores : dict
        Of each fit that did not fail, where there are folds: its out-of-fold predictions and scores, (n_chosen_on,).
    has_constant : bool
        Whether weights left rows of one outcome only.
    failure : FairauditError or None
        Why a fit after the first failed. The search passes over it.
    """

    # learner: The learner, with the rows to learn from.
    # train, chosen_on: The rows to learn from, and those that multipliers are chosen on.
    # X: The features of the latter, as `WeightedLearner.prepare` returns them.
    # folds: Where they are given, all rows to choose on are predicted by fits that did not learn from them.
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
        folds: Sequence[Fold] = (),
        n_jobs: int = 1,
        keep: Callable[[NDArray[np.int64]], NoGroupWorseOff] | None = None,
        stricter: bool = False,
    ):
        self.stricter = stricter
        self.learner, self.train, self.chosen_on, self.X, self.n_jobs = learner, train, chosen_on, X, n_jobs
        self.limits, self.keep = train.limits, keep
        self.fits: list[JudgedFit] = []
        self.cuts = CautiousCuts(chosen_on) if folds else BestCuts(chosen_on)
        self.folds = tuple(folds)
        self.models: dict[int, BaseEstimator] = {}
        self.has_constant = False
        self.failure: FairauditError | None = None
        self._fitters = Fitter(learner, train, X[:0] if folds else X), *(fold.fitter for fold in folds)
        self.folded_predictions: dict[int, NDArray[np.int64]] = {}
        self.folded_scores: dict[int, Floats] = {}

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
        tasks = [fitter.task(ask, self.fits) for ask in asks for fitter in self._fitters]
        if self.n_jobs > 1 and len(tasks) > 1:
            done = Parallel(n_jobs=self.n_jobs)(delayed(_fit)(*task) for task in tasks)
        else:
            done = []
            for task in tasks:
                done.append((yield from _iter_fit(*task)))
        n = len(self._fitters)
        return [self._record(ask, done[i * n : (i + 1) * n]) for i, ask in enumerate(asks)]

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
                scores[place] = self.scores(place)
            h = (scores[place] >= threshold).astype(np.int64)
            found.append(self._judged(self.fits[place].multipliers, h, place, threshold))
        return found

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

    def scores(self, place: int) -> Floats:
        """Return the scores that a kept fit gives the rows to choose on, shape (n_chosen_on,)."""
        return self.folded_scores[place] if self.folds else require(self.learner.scores(self.models[place], self.X))

    def _record(self, ask: Ask, done: Sequence[Fitted | FairauditError]) -> JudgedFit:
        """Judge a fit, and keep what others need of it."""
        made: list[Fitted] = []
        for one in done:
            if isinstance(one, FairauditError):
                return self._record_failure(ask, one)
            made.append(one)
        place = len(self.fits)
        for fitter, (model, _, _, h_train) in zip(self._fitters, made, strict=True):
            fitter.record(place, model, h_train)
        model, h, scores, _ = made[0]
        if self.folds:
            h, scores = self._out_of_fold(made[1:])
            self.folded_predictions[place] = h
            if scores is not None:
                self.folded_scores[place] = scores
        if self.keep is not None and not place:
            self.cuts.not_worse = self.keep(h)
        fit = self._judged(ask.multipliers, h, place)
        self.fits.append(fit)
        self.cuts.take(fit, scores)
        self.has_constant = self.has_constant or isinstance(model, ConstantModel)
        self.models[place] = model
        if not self.stricter:
            kept = {0, *frontier_of(self.fits), *self.cuts.places}
            self.models = {place: model for place, model in self.models.items() if place in kept}
        return fit

    def _out_of_fold(self, made: Sequence[Fitted]) -> tuple[NDArray[np.int64], Floats | None]:
        """Return predictions and scores of all rows to choose on, each by the fit that did not learn from it."""
        h, scores = np.zeros(len(self.chosen_on.y), dtype=np.int64), np.zeros(len(self.chosen_on.y))
        for fold, (_, predicted, score, _) in zip(self.folds, made, strict=True):
            h[fold.rows] = predicted
            scores[fold.rows] = np.nan if score is None else score
        # Scores of a constant are no probabilities to compare with others.
        mixed = len({isinstance(model, ConstantModel) for model, *_ in made}) > 1
        return h, None if mixed or np.isnan(scores).any() else scores


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
    # Which of several good multipliers a climb finds depends on signs. It sees ``error_rate`` as the difference of
    # accuracies, as in Zhang et al. (2021), eq. 25, so that audits saved when it was that form give the same models.
    signs = np.array([-1.0 if constraint.spec.metric == "error_rate" else 1.0 for constraint in train.constraints])
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
