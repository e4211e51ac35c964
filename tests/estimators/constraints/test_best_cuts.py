"""The best common threshold of each fit beside brute force over all thresholds, constants among them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sweeps import seeds

from fairaudit.estimators.constraints import ConstrainedRows, read_specs
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.constraints.constrained_rows import STEPS, JudgedFit
from fairaudit.estimators.constraints.polishing import MIN_GAIN, N_FITS_POLISHED, BestCuts, Polishing


def judged(rows, h, place=0, threshold=None):
    return JudgedFit.of(np.zeros(len(rows.limits)), float((h == rows.y).mean()), rows.gaps(h), rows.limits, place=place,
                  threshold=threshold)  # fmt: skip


def made(seed, n=50, text="fpr by g <= 0.15; fnr by g <= 0.2"):
    random = np.random.default_rng(seed)
    rows = ConstrainedRows.of(
        read_specs(text), random.integers(0, 2, n), pd.DataFrame({"g": random.choice(["a", "b"], n)})
    )
    return rows, [np.round(rows.y * 0.3 + random.random(n), 1) for _ in range(4)]


@pytest.mark.parametrize("seed", seeds(8, 3, rest="thorough"))
def test_the_best_pairs_of_fit_and_threshold_are_those_of_brute_force(seed):
    rows, scores = made(seed)
    best, own, every = BestCuts(rows), [], []
    for place, one in enumerate(scores):
        own.append(judged(rows, (one > 0.6).astype(int), place))
        best.take(own[-1], one)
        thresholds = [-np.inf, *np.unique(one), np.inf]
        every.append([judged(rows, (one >= threshold).astype(int)) for threshold in thresholds] + [own[-1]])
        assert best.accuracies[place] == max(fit.accuracy for fit in every[-1] if fit.is_met)
    chosen = best.chosen(own)
    found = [judged(rows, (scores[place] >= t).astype(int), place, t) for place, t in chosen]
    constant = max(rows.y.mean(), 1 - rows.y.mean())
    for step in STEPS:
        most = max(fit.accuracy for fits in every for fit in fits if fit.ratio <= step)
        reached = max(fit.accuracy for fit in (*own, *found) if fit.ratio <= step)
        assert reached <= most
        if step >= 1:
            assert constant <= reached and most < reached + MIN_GAIN
    assert {place for place, _ in chosen} <= best.places


def test_a_fit_without_scores_counts_as_it_predicts():
    rows, [scores, *_] = made(0)
    best, fit = BestCuts(rows), judged(rows, (scores > 0.6).astype(int))
    best.take(fit, None)
    assert best.accuracies == [fit.accuracy] and best.ratios == [fit.ratio] and best.chosen([fit]) == []


def test_a_search_is_never_below_a_constant_that_meets_the_constraints():
    random = np.random.default_rng(4)
    group = random.choice(["a", "b"], 600)
    X = np.where(group == "a", 1.0, -1.0)[:, None] + random.normal(size=(600, 1))
    y = (X[:, 0] + 2 * random.normal(size=600) > 1.5).astype(int)
    for estimator in (None, LinearSVC(dual=False), DecisionTreeClassifier(max_depth=3, random_state=0)):
        model = ConstrainedClassifier(
            estimator, "fpr by g <= 0.01; fnr by g <= 0.01", random_state=0, cross_fit_below=0
        )
        validation = np.arange(600) % 3 == 0
        model.fit(X, y, sensitive_features=pd.DataFrame({"g": group}), validation=validation)
        right = (model.predict(X[validation]) == y[validation]).mean()
        assert model.feasible_ and right == pytest.approx(model.history_[model.chosen_].accuracy)
        assert right >= max(y[validation].mean(), 1 - y[validation].mean())
        if model.threshold_ is not None and np.isinf(model.threshold_):
            assert model.share_ == (model.threshold_ < 0) and len(set(model.predict(X))) == 1


def test_polishing_climbs_to_the_top_of_a_hill_and_stays_within_its_tries():
    limits, top = np.array([0.1, 0.1]), np.array([0.4, -0.3])

    def height(multipliers):
        return 0.9 - ((multipliers - top) ** 2).sum()

    rows, _ = made(1)
    best, fits = BestCuts(rows), []

    def make(multipliers):
        fits.append(JudgedFit.of(multipliers, height(multipliers), np.zeros(2), limits, place=len(fits)))
        best.take(fits[-1], None)

    # The plain fit is the most accurate, and meets nothing.
    fits.append(JudgedFit.of(np.zeros(2), 0.95, np.ones(2), limits))
    best.take(fits[0], None)
    make(np.array([0.1, 0.1]))
    polishing = Polishing(fits, best, (2, 2), np.full(4, 0.5), n_tries=30, width=2)
    search, sent = polishing.search(), None
    try:
        while True:
            asks = search.send(sent)
            before = len(fits)
            for ask in asks:
                make(ask.multipliers)
            sent = fits[before:]
    except StopIteration:
        pass
    assert 30 <= len(fits) - 2 <= N_FITS_POLISHED * 31
    assert max(fit.accuracy for fit in fits[1:]) > 0.9 - 0.005


def test_polishing_asks_for_nothing_where_the_constraints_cost_nothing():
    rows, _ = made(1)
    best, fit = BestCuts(rows), JudgedFit.of(np.zeros(2), 0.9, np.zeros(2), np.array([0.1, 0.1]))
    best.take(fit, None)
    assert list(Polishing([fit], best, (2, 2), np.full(4, 0.5)).search()) == []
