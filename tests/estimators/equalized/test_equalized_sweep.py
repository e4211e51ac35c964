from __future__ import annotations

import pytest
from event_runs import drain
from test_equalized_classifier import gap_of_thresholds, people

from fairaudit.errors import InputError, StoppedError
from fairaudit.estimators.equalized import EqualizedDistributionClassifier, iter_sweep, sweep
from fairaudit.events import STOP, Finished, Progress, Started

WEIGHTS = (0.1, 0.15, 0.3, 0.5, 1.0)


def test_each_model_is_at_or_below_its_own_cold_start():
    X, y, group = people(500)
    models = sweep(X, y, sensitive_features=group, weights=WEIGHTS)
    assert [model.accuracy_weight for model in models] == sorted(WEIGHTS, reverse=True)
    for model in models:
        cold = EqualizedDistributionClassifier(model.accuracy_weight).fit(X, y, sensitive_features=group)
        assert model.loss_ <= cold.loss_, model.accuracy_weight
        assert model.status_ == "finished" and model.threshold_ == 0.5


def test_a_lower_weight_brings_the_distributions_closer():
    X, y, group = people(1500)
    models = sweep(X, y, sensitive_features=group, weights=(0.1, 0.3, 1))
    gaps = [gap_of_thresholds(model, X, y, group) for model in models]
    assert gaps[0] > gaps[1] > gaps[2]


def test_settings_reach_every_model_and_a_weight_is_fitted_once():
    X, y, group = people(300)
    models = sweep(X, y, sensitive_features=group, weights=[0.5, 0.5, 1], bin_width=0.1, n_components=2)
    assert len(models) == 2
    assert all(model.bin_width == 0.1 and model.coef_.shape == (1, 2) for model in models)


def test_events_count_up_over_all_weights():
    X, y, group = people(300)
    seen = drain(iter_sweep(X, y, sensitive_features=group, weights=(0.2, 0.5, 1)))
    assert isinstance(seen[0], Started) and seen[0].total == 300
    assert isinstance(seen[-1], Finished) and len(seen[-1].result) == 3
    done = [event.done for event in seen[1:-1]]
    assert all(isinstance(event, Progress) and event.total == 300 for event in seen[1:-1])
    assert done == sorted(done) and {0, 100, 200} <= set(done) and done[-1] < 300


def test_a_stop_keeps_the_models_so_far():
    X, y, group = people(300)
    seen = drain(iter_sweep(X, y, sensitive_features=group, weights=(0.2, 0.5, 1)), stop_at=100)
    assert [model.accuracy_weight for model in seen[-1].result] == [1]
    events, n_steps, command = iter_sweep(X, y, sensitive_features=group, weights=(0.2, 0.5, 1)), 0, None
    while not isinstance(event := events.send(command), Finished):
        n_steps += isinstance(event, Progress) and event.done >= 100
        command = STOP if n_steps >= 5 else None
    assert [model.accuracy_weight for model in event.result] == [1, 0.5]
    assert [model.status_ for model in event.result] == ["finished", "stopped"]
    with pytest.raises(StoppedError):
        drain(iter_sweep(X, y, sensitive_features=group, weights=(0.2, 1)), stop_at=0)


def test_no_weight_is_an_error():
    X, y, group = people(100)
    with pytest.raises(InputError, match="'weights' must have at least one number"):
        sweep(X, y, sensitive_features=group, weights=[])
    with pytest.raises(InputError, match="got 2"):
        sweep(X, y, sensitive_features=group, weights=[2])
