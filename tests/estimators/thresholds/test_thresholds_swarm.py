from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from places import ROOT

from fairaudit.errors import InputError
from fairaudit.estimators.models import make_model
from fairaudit.estimators.thresholds import ThresholdProblem, iter_swarm
from fairaudit.estimators.thresholds.search import _ThresholdCost
from fairaudit.events import STOP, Finished, Progress, Started


def problem(n_groups=3, n=3000, seed=0):
    """Return groups whose scores mean different things."""
    random = np.random.default_rng(seed)
    groups, scores = random.integers(0, n_groups, n), random.random(n)
    y = random.random(n) < scores**2 + 0.3 * groups / n_groups * (1 - scores)
    return ThresholdProblem.from_rows(y, scores, groups)


def result(rows, weight=1.0, **settings):
    """Drain a search and return its outcome."""
    return list(iter_swarm(rows, weight, **settings))[-1].result


@pytest.mark.parametrize("weight", [0, 0.1, 1])
@pytest.mark.parametrize("n_groups", [1, 2, 5])
def test_it_lands_near_the_exact_optimum(n_groups, weight):
    rows = problem(n_groups)
    best = rows.best(weight).objective(weight)
    found = result(rows, weight, random_state=0).objective(weight)
    assert best - 1e-3 <= found <= best + 1e-12


@pytest.mark.parametrize("weight", [0, 1])
def test_a_swarm_of_thresholds_finds_no_more_than_the_optimum_and_more_than_its_start(weight):
    rows = problem(2)
    best = rows.best(weight).objective(weight)
    settings = {"swarm": "thresholds", "n_particles": 10, "random_state": 0}
    start, end = (result(rows, weight, **settings, n_iterations=n).objective(weight) for n in (1, 100))
    assert start < end <= best + 1e-12
    assert end > best - 0.02


def test_a_threshold_selects_the_scores_from_it_on():
    rows = ThresholdProblem.from_rows([1, 0, 1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1, 0.7, 0.2], list("aaaabb"))
    cost = _ThresholdCost(rows, 1.0)
    asked = np.array([[0.95, 0.71], [0.9, 0.7], [0.6, 0.3], [0.5, 0.2], [0.0, 0.0]])
    assert cost.indices(asked).tolist() == [[0, 0], [1, 1], [1, 1], [2, 2], [3, 2]]


@pytest.mark.parametrize("swarm", ["curves", "thresholds"])
def test_without_inertia_and_pulls_particles_stay_where_they_begin(swarm):
    rows, still = problem(5), {"inertia": 0.0, "own_pull": 0.0, "common_pull": 0.0}
    settings = {"swarm": swarm, "n_particles": 6, "random_state": 3}
    one, many = (result(rows, 0.02, **settings, **still, n_iterations=n) for n in (1, 40))
    assert one == many
    assert result(rows, 0.02, **settings, n_iterations=40).objective(0.02) > one.objective(0.02)


def test_the_seed_decides_and_longer_is_not_worse():
    rows = problem(5)
    settings = {"weight": 0.02, "n_particles": 5}
    first, again, other = (result(rows, **settings, n_iterations=60, random_state=seed) for seed in (1, 1, 2))
    assert first == again and first != other
    longer = result(rows, **settings, n_iterations=120, random_state=1)
    assert longer.objective(0.02) >= first.objective(0.02)


def test_two_searches_at_once_do_not_disturb_each_other_nor_the_global_random_numbers():
    rows = problem(5)
    settings = {"n_particles": 5, "n_iterations": 60}
    alone = [result(rows, 0.02, **settings, random_state=seed) for seed in (1, 2)]
    np.random.seed(5)
    np.random.randn()  # leaves half of a pair behind
    before = np.random.get_state()
    searches = [iter_swarm(rows, 0.02, **settings, random_state=seed) for seed in (1, 2)]
    together = [events[-1].result for events in zip(*zip(*searches, strict=True), strict=True)]
    assert together == alone and alone[0] != alone[1]
    after = np.random.get_state()
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def test_searches_in_threads_give_what_each_gives_alone():
    rows = problem(5)
    alone = [result(rows, 0.02, n_particles=5, random_state=seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(result, rows, 0.02, n_particles=5, random_state=seed) for seed in range(4)]
        assert [future.result() for future in futures] == alone


@pytest.mark.parametrize("weight", [0, 0.1, 1])
@pytest.mark.parametrize(
    "name, label, good, group",
    [("compas_two_years.csv.gz", "two_year_recid", 1, "race"), ("adult.csv.gz", "income", ">50K", "race")],
)
def test_it_lands_near_the_exact_optimum_on_real_data(shared_data, name, label, good, group, weight):
    table = pd.read_csv(shared_data(name), skipinitialspace=True)
    table = table[~table[group].isin(["Asian", "Native American"])]  # too few of them in COMPAS
    columns = [c for c in ("age", "priors_count", "education_num", "hours_per_week", "capital_gain") if c in table]
    y = table[label].eq(good).to_numpy(dtype=int)
    half = np.arange(len(table)) % 2 == 0
    model = make_model("logistic_regression").fit(table.loc[half, columns], y[half])
    scores = model.predict_proba(table.loc[~half, columns])[:, 1]
    rows = ThresholdProblem.from_rows(y[~half], scores, table.loc[~half, group])
    best = rows.best(weight).objective(weight)
    assert best - 1e-3 <= result(rows, weight, random_state=0).objective(weight) <= best + 1e-12


def test_events_show_the_steps():
    events = list(iter_swarm(problem(), 1.0, n_iterations=3, random_state=0))
    assert isinstance(events[0], Started) and isinstance(events[-1], Finished)
    assert [(e.done, e.total) for e in events[1:-1] if isinstance(e, Progress)] == [(0, 3), (1, 3), (2, 3)]


@pytest.mark.parametrize("steps", [0, 1, 40])
def test_a_stop_keeps_the_best_so_far(steps):
    rows = problem(5)
    events = iter_swarm(rows, 0.02, n_particles=5, n_iterations=80, random_state=1)
    next(events)
    while next(events).done < steps:
        pass
    finished = events.send(STOP)
    assert isinstance(finished, Finished) and not list(events)
    shorter, whole = (result(rows, 0.02, n_particles=5, n_iterations=n, random_state=1) for n in (max(steps, 1), 80))
    assert finished.result.objective(0.02) <= shorter.objective(0.02) < whole.objective(0.02)
    assert steps == 0 or finished.result == shorter


@pytest.mark.parametrize("name", ["n_particles", "n_iterations"])
@pytest.mark.parametrize("value", [0, 2.5, True])
def test_settings_that_do_not_fit_are_named(name, value):
    with pytest.raises(InputError, match=f"'{name}' must be an int of at least 1, got {value!r}"):
        next(iter_swarm(problem(), 1.0, **{name: value}))


@pytest.mark.campaign
def test_it_leaves_no_file_no_line_and_no_logging_behind(tmp_path):
    code = """
        import logging, os
        before = dict(os.environ)
        from fairaudit.estimators.thresholds import ThresholdProblem, iter_swarm
        problem = ThresholdProblem.from_rows([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9], list("aabb"))
        logging.getLogger().setLevel(logging.DEBUG)
        for _ in range(2):
            *_, finished = iter_swarm(problem, 1.0, n_iterations=5, random_state=0)
        import pyswarms
        assert finished.result.thresholds and dict(os.environ) == before
        assert logging.getLogger().handlers == [] and logging.getLogger().level == logging.DEBUG
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []
