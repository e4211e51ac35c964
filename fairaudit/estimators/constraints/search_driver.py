"""Drive a search: make the fits that it asks for, and yield events."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from fairaudit.errors import FairauditError, StoppedError, sure
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows, JudgedFit, choose_fit, frontier_of
from fairaudit.estimators.constraints.fitting import ConstantModel, WeightedLearner
from fairaudit.estimators.constraints.polishing import TRIES_QUICK, TRIES_SLOW, BestCuts, NotWorse, Polishing
from fairaudit.estimators.constraints.search import PLACES, Ask, Climb, Search, search_single
from fairaudit.events import STOP, Command, Event, Incumbent, Progress

# Fits with given multipliers: weights, models, and what they come to on the rows that multipliers are chosen on.

Floats = NDArray[np.float64]

Fitted = tuple[BaseEstimator, NDArray[np.int64], Floats | None, NDArray[np.uint8] | None]
"""A model, its predictions and scores of the rows to choose on, and, where weights need it, what it predicts of those
to learn from, packed."""

MOST_AT_ONCE = 8
"""Fits made at once: more would try multipliers that earlier answers rule out."""

STARTS = 12
"""How many of the last models are kept for others to begin from."""


class Trials:
    """Make fits and remember what they came to.

    Parameters
    ----------
    learner : WeightedLearner
        The learner, with the rows to learn from.
    train, chosen_on : ConstrainedRows
        The rows to learn from, and those that multipliers are chosen on.
    X : object
        The features of the latter, as `WeightedLearner.prepare` returns them.
    n_jobs : int
        How many fits are made at once.
    keep : callable, optional
        From what the first fit predicts to what no group may be worse off than; a fit that does not keep to it has an
        infinite ratio.

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

    def __init__(
        self,
        learner: WeightedLearner,
        train: ConstrainedRows,
        chosen_on: ConstrainedRows,
        X: Any,
        *,
        n_jobs: int = 1,
        keep: Callable[[NDArray[np.int64]], NotWorse] | None = None,
    ):
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
        list of Fit
            In the same order. One that failed has no gaps.

        Raises
        ------
        FairauditError
            If the first fit of all fails.
        """
        asks = [replace(ask, multipliers=ask.multipliers.round(PLACES)) for ask in asks]
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

    def moved(self) -> list[JudgedFit]:
        """Return what fits come to with a threshold of their own choice, where that is the best for some limit."""
        found: list[JudgedFit] = []
        scores: dict[int, Floats] = {}
        for place, threshold in self.cuts.chosen(self.fits):
            if place not in scores:
                scores[place] = sure(self.learner.scores(self.models[place], self.X))
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
        accuracy, share = (float((h == self.chosen_on.y).mean()), float(h.mean())) if len(h) else (np.nan, np.nan)
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
            if len(self._starts) > STARTS:
                del self._starts[min(self._starts)]
        self.models[place] = model
        kept = {0, *frontier_of(self.fits), *self.cuts.places}
        self.models = {place: model for place, model in self.models.items() if place in kept}
        return fit


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
    fitting = _iter_fit(*task)
    while True:
        try:
            next(fitting)
        except StopIteration as end:
            return end.value


def _iter_fit(
    learner: WeightedLearner, weights: Floats, start: BaseEstimator | None, X: Any, with_train: bool
) -> Generator[None, None, Fitted | FairauditError]:
    """Fit, predict and score the rows to choose on and, where weights need it, those to learn from; or say why not."""
    try:
        model = yield from learner.iter_fit(weights, start)
        h_train = np.packbits(learner.predictions(model, learner.X).astype(bool)) if with_train else None
        return model, learner.predictions(model, X), learner.scores(model, X), h_train
    except FairauditError as error:
        return error


WHAT = "Training to meet the constraints"

TOTAL = 100
"""Steps of a search, for those who draw how far it is: how many fits it will take is not known before."""

ROUNDS = 5
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
        if trials.fits[0].is_met:
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
        raise StoppedError(f"{WHAT} was stopped before the first fit.")
    return None


def iter_moved(trials: Trials) -> Generator[Event, Command | None, list[JudgedFit]]:
    """Return the fits with thresholds of their own; none where the first fit meets the constraints as it is."""
    if trials.fits[0].is_met:
        return []
    moved = trials.moved()
    everything = [*trials.fits, *moved]
    chosen = choose_fit(everything)
    for place, fit in enumerate(moved, start=len(trials.fits)):
        yield _incumbent(fit, is_best=chosen == place)
    return moved


def _whole_search(trials: Trials, tolerance: float, max_rounds: int | None, width: int) -> Search:
    """Climb and, where several metrics may pull against one another, look around the best that was found."""
    ending = yield from _search(trials, tolerance, max_rounds, width)
    if len(trials.train.specs) > 1:
        parts, shares = _groups(trials.train)
        n_tries = TRIES_QUICK if trials.learner.is_quick else TRIES_SLOW
        yield from Polishing(trials.fits, trials.cuts, parts, shares, n_tries=n_tries, width=width).search()
    return ending


def _groups(train: ConstrainedRows) -> tuple[list[int], NDArray[np.float64]]:
    """Return how many groups each specification has, and the share of each group in the rows."""
    # What groups with a floor are compared with has no rows; it counts as if it were all.
    sizes = [len(members) or len(train.y) for groups in train.members for members in groups]
    shares = np.array(sizes) / len(train.y)
    return [len(names) for names in train.names], shares


def _search(trials: Trials, tolerance: float, max_rounds: int | None, width: int) -> Search:
    train, limits = trials.train, trials.limits
    linear = train.needs_predictions
    if len(limits) == 1:
        return search_single(trials.fits[0], limits[0], tolerance=tolerance, width=width, linear=linear)
    # Which of several good multipliers a climb finds depends on signs. It sees ``mr`` as the difference of accuracies,
    # as in Zhang et al. (2021), eq. 25, so that audits saved when mr was that form give the same models.
    signs = np.array([-1.0 if constraint.spec.metric == "mr" else 1.0 for constraint in train.constraints])
    parts, shares = _groups(train)
    climb = Climb(
        _with_signs(trials.fits[0], signs),
        parts,
        np.array([spec.max_difference for spec in train.specs]),
        shares,
        tolerance=tolerance,
        width=width,
        linear=linear,
    )
    return _seen_with_signs(climb.search(ROUNDS * len(limits) if max_rounds is None else max_rounds), signs)


def _seen_with_signs(search: Search, signs: NDArray[np.float64]) -> Search:
    """Show a search gaps and multipliers with other signs than they have outside of it."""
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
