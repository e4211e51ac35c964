from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from event_runs import drain
from scipy.optimize import minimize
from sweeps import part_of

from fairaudit.estimators.equalized.loss import (
    LBFGS_OPTIONS,
    DistributionLoss,
    iter_lbfgs,
    iter_lowest,
    iter_momentum,
    iter_reports,
    with_fitted_scale,
)
from fairaudit.events import Finished, Progress, Started

SEARCHES = [iter_lbfgs, iter_momentum]


def problem(n=400, seed=0, accuracy_weight=0.3, n_groups=2, distance="histogram"):
    random = np.random.default_rng(seed)
    codes = np.arange(n) % n_groups
    X = random.normal(size=(n, 4)) + 0.5 * codes[:, None]
    y = (X[:, 0] + 0.5 * X[:, 1] + random.logistic(size=n) > 0).astype(np.int64)
    names = range(n_groups)
    return DistributionLoss.of(X, y, codes, names, accuracy_weight=accuracy_weight, distance=distance)


def step_threads():
    return [thread for thread in threading.enumerate() if thread.name == "fairaudit-steps"]


@pytest.mark.parametrize("seed", range(3))
def test_lbfgs_step_by_step_ends_where_scipy_alone_does(seed):
    loss = problem(seed=seed)
    turned, turn = loss.whitened()
    options = LBFGS_OPTIONS | {"maxiter": 2000}
    alone = minimize(turned.value_and_gradient, np.zeros(5), jac=True, method="L-BFGS-B", options=options)
    found = drain(iter_lbfgs(loss))[-1].result
    assert found.n_iter == alone.nit and found.settled
    assert found.loss == alone.fun and (found.weights == turn @ alone.x).all()
    assert found.loss == pytest.approx(loss.value(found.weights), rel=1e-9)


@pytest.mark.parametrize("accuracy_weight", part_of([0.1, 0.15, 1.0], [0.1, 1.0]))
def test_lbfgs_is_at_or_below_many_steps_of_momentum(accuracy_weight):
    # At weights between, the two may end in different optima of a loss that is not convex.
    for seed in range(3):
        loss = problem(seed=seed, accuracy_weight=accuracy_weight)
        slow = drain(iter_momentum(loss, max_iter=1000))[-1].result
        quick = drain(iter_lbfgs(loss))[-1].result
        assert quick.loss <= slow.loss + 1e-6 and quick.n_iter < 200, (seed, quick.loss, slow.loss)


def test_momentum_takes_the_steps_of_the_formula():
    loss = problem()
    weights, step, curve = np.zeros(5), np.zeros(5), []
    for _ in range(6):
        value, gradient = loss.value_and_gradient(weights)
        curve.append(value)
        step = 0.8 * step - 0.7 * gradient
        weights = weights + step
    found = drain(iter_momentum(loss, max_iter=5, learning_rate=0.7, momentum=0.8))[-1].result
    assert found.curve == pytest.approx(curve) and found.n_iter == 5


def test_momentum_keeps_the_best_weights_where_it_does_not_descend():
    loss = problem()
    found = drain(iter_momentum(loss, max_iter=40, learning_rate=200.0))[-1].result
    assert found.loss == min(found.curve) < found.curve[-1]
    assert loss.value(found.weights) == found.loss


@pytest.mark.parametrize("search", SEARCHES)
def test_events_show_each_step_once(search):
    seen = drain(search(problem(), max_iter=15))
    found = seen[-1].result
    assert isinstance(seen[0], Started) and seen[0].total == 15 and isinstance(seen[-1], Finished)
    assert [event.done for event in seen[1:-1]] == list(range(min(found.n_iter + 1, 15)))
    assert found.status == "finished"
    assert len(found.curve) == found.n_iter + 1


@pytest.mark.parametrize("search", SEARCHES)
def test_a_stop_keeps_the_best_so_far(search):
    loss = problem()
    whole = drain(search(loss, max_iter=30))[-1].result
    seen = drain(search(loss, max_iter=30), stop_at=4)
    found = seen[-1].result
    assert isinstance(seen[-2], Progress) and seen[-2].done == 4
    assert found.status == "stopped" and not found.settled
    assert found.curve == whole.curve[:5] and found.loss == min(found.curve)
    assert loss.value(found.weights) == pytest.approx(found.loss, rel=1e-12)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_stop_before_the_first_step_ends_where_it_began(search):
    loss = problem()
    found = drain(search(loss, start=np.ones(5)), stop_at=0)[-1].result
    assert found.n_iter == 0 and found.status == "stopped"
    assert np.allclose(found.weights, 1) and found.loss == pytest.approx(loss.value(np.ones(5)))


@pytest.mark.parametrize("search", SEARCHES)
def test_a_start_is_where_the_search_begins(search):
    loss = problem()
    begin = np.array([0.3, -0.2, 0.1, 0.5, -1.0])
    found = drain(search(loss, start=begin, max_iter=50))[-1].result
    assert found.curve[0] == pytest.approx(loss.value(begin), rel=1e-9)
    assert found.loss < found.curve[0] and (begin == [0.3, -0.2, 0.1, 0.5, -1.0]).all()


def test_too_few_steps_do_not_count_as_settled():
    found = drain(iter_lbfgs(problem(), max_iter=2))[-1].result
    assert found.n_iter == 2 and found.status == "finished" and not found.settled


def test_no_thread_is_left_whichever_way_a_search_ends(monkeypatch):
    drain(iter_lbfgs(problem()))
    drain(iter_lbfgs(problem()), stop_at=2)
    given_up = iter_lbfgs(problem())
    for _ in range(4):
        next(given_up)
    assert len(step_threads()) == 1
    given_up.close()
    assert not step_threads()

    def fail(*arguments, **named):
        raise ArithmeticError("a step that cannot be taken")

    monkeypatch.setattr("fairaudit.estimators.equalized.loss.minimize", fail)
    with pytest.raises(ArithmeticError, match="cannot be taken"):
        drain(iter_lbfgs(problem()))
    assert not step_threads()


def test_work_waits_for_the_caller_after_each_report():
    done = []

    def work(report):
        for n in range(5):
            done.append(n)
            report(n)
        return "whole"

    reports = iter_reports(work)
    assert next(reports) == 0 and done == [0]
    assert next(reports) == 1 and done == [0, 1]
    reports.close()
    assert done == [0, 1]


def test_work_that_is_asked_to_end_may_still_return():
    def work(report):
        try:
            for n in range(5):
                report(n)
        except StopIteration:
            return f"ended after {n}"

    reports = iter_reports(work)
    next(reports)
    next(reports)
    with pytest.raises(StopIteration) as end:
        reports.send(True)
    assert end.value.value == "ended after 1"


def test_the_lowest_of_several_searches_is_kept():
    for seed in range(4):
        loss = problem(seed=seed, accuracy_weight=0.5)
        zero = drain(iter_lbfgs(loss))[-1].result
        plain = drain(iter_lbfgs(replace(loss, accuracy_weight=1.0)))[-1].result
        other = drain(iter_lbfgs(loss, start=plain.weights))[-1].result
        seen = drain(iter_lowest(loss, iter_lbfgs, from_plain=True))
        assert seen[0].total == 6000 and seen[-1].result.loss == min(zero.loss, other.loss)
        begun = drain(iter_lowest(loss, iter_lbfgs, from_plain=False, starts=[plain.weights]))
        assert begun[0].total == 4000 and begun[-1].result.loss == min(zero.loss, other.loss)
        assert abs(zero.loss - other.loss) > 1e-5, "the two ends must differ for this to be a test"


@pytest.mark.parametrize("accuracy_weight", [0.1, 0.5])
def test_ranks_are_searched_from_the_line_of_least_squares(accuracy_weight):
    loss = problem(accuracy_weight=accuracy_weight, distance="ranks")
    begin = loss.least_squares()
    found = drain(iter_lowest(loss, iter_lbfgs, from_plain=False))[-1].result
    assert found.curve[0] == pytest.approx(loss.value(begin), rel=1e-9)
    assert found.loss < loss.value(begin)
    assert not loss.has_collapsed(found.weights)


def test_a_fitted_scale_keeps_the_order_and_is_the_most_accurate():
    loss = problem(accuracy_weight=0.0, distance="ranks")
    plain = replace(loss, accuracy_weight=1.0)
    for weights in np.random.default_rng(0).normal(size=(5, 5)):
        fitted = with_fitted_scale(loss, weights)
        assert loss.value(fitted) == pytest.approx(loss.value(weights), rel=1e-3)
        along = fitted[:-1] / weights[:-1]
        assert along == pytest.approx(along[0])
        for scale, shift in ((0.9, 0.0), (1.1, 0.0), (1.0, 0.05), (1.0, -0.05)):
            other = scale * fitted
            other[-1] += shift
            assert plain.value(fitted) <= plain.value(other)


@pytest.mark.parametrize("step", [3, 2000, 4000, 4002])
def test_a_stop_in_any_search_keeps_the_lowest_so_far(step):
    loss = problem(accuracy_weight=0.5)
    seen = drain(iter_lowest(loss, iter_lbfgs, from_plain=True), stop_at=step)
    found = seen[-1].result
    assert seen[-2].done == step and found.status == "stopped" and found.n_iter > 0
    if step >= 2000:
        assert found.loss <= drain(iter_lbfgs(loss))[-1].result.loss
