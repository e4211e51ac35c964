"""Drive a search: make the fits that it asks for, and yield events."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import StoppedError
from fairaudit.estimators.constraints.climbing import Climb
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.fits import Fit, choose_fit
from fairaudit.estimators.constraints.polishing import TRIES_QUICK, TRIES_SLOW, Polishing
from fairaudit.estimators.constraints.search import Ask, Search, search_single
from fairaudit.estimators.constraints.trials import Trials
from fairaudit.events import STOP, Command, Event, Incumbent, Progress

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


def _iter_fits(trials: Trials, asks: Sequence[Ask]) -> Generator[Event, Command | None, list[Fit] | None]:
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


def iter_moved(trials: Trials) -> Generator[Event, Command | None, list[Fit]]:
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


def _with_signs(fit: Fit, signs: NDArray[np.float64]) -> Fit:
    return replace(fit, multipliers=signs * fit.multipliers + 0.0, gaps=signs * fit.gaps)


def _words(asks: Sequence[Ask], number: int) -> str:
    if number == 1:
        return "Fit 1: without constraints"
    return f"Fit {number}" if len(asks) == 1 else f"Fits {number} to {number + len(asks) - 1}"


def _incumbent(fit: Fit, *, is_best: bool) -> Incumbent:
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
