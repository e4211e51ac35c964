"""Fits with given multipliers: weights, models, and what they come to on the rows that multipliers are chosen on."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from fairaudit.errors import FairauditError, sure
from fairaudit.estimators.constraints.best_cuts import BestCuts
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.fits import Fit, choose_fit, frontier_of
from fairaudit.estimators.constraints.learner import ConstantModel, WeightedLearner
from fairaudit.estimators.constraints.not_worse import NotWorse
from fairaudit.estimators.constraints.search import PLACES, Ask

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
    fits : list of Fit
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
        self.fits: list[Fit] = []
        self.cuts = BestCuts(chosen_on)
        self.models: dict[int, BaseEstimator] = {}
        self.has_constant = False
        self.failure: FairauditError | None = None
        self._starts: dict[int, BaseEstimator] = {}
        self._predictions: dict[int, NDArray[np.uint8]] = {}

    def iter_run(self, asks: Sequence[Ask]) -> Generator[None, None, list[Fit]]:
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

    def moved(self) -> list[Fit]:
        """Return what fits come to with a threshold of their own choice, where that is the best for some limit."""
        found: list[Fit] = []
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

    def _record_failure(self, ask: Ask, error: FairauditError) -> Fit:
        if not self.fits:
            raise error
        self.failure = error
        nothing = np.full(len(self.limits), np.nan)
        self.fits.append(Fit.of(ask.multipliers, float("nan"), nothing, self.limits, place=len(self.fits)))
        self.cuts.take(self.fits[-1], None)
        return self.fits[-1]

    def _judged(self, multipliers: Floats, h: NDArray[np.int64], place: int, threshold: float | None = None) -> Fit:
        accuracy, share = (float((h == self.chosen_on.y).mean()), float(h.mean())) if len(h) else (np.nan, np.nan)
        gaps = self.chosen_on.gaps(h) if len(self.limits) else np.zeros(0)
        fit = Fit.of(multipliers, accuracy, gaps, self.limits, share=share, place=place, threshold=threshold)
        worse = self.cuts.not_worse is not None and not self.cuts.not_worse.holds(h)
        return replace(fit, ratio=math.inf) if worse else fit

    def _record(
        self,
        ask: Ask,
        model: BaseEstimator,
        h: NDArray[np.int64],
        scores: Floats | None,
        h_train: NDArray[np.uint8] | None,
    ) -> Fit:
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
