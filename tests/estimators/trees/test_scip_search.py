"""How a search with SCIP runs: events, stops, limits of work, what was known before, and files."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from event_runs import returned
from fair_problems import best_by_force, every_labeling, every_structure, fair_problem
from scipy import sparse
from test_formulation import ended, form  # noqa: F401 - a fixture

from fairaudit.errors import SolverError
from fairaudit.estimators.trees.formulation import model
from fairaudit.estimators.trees.formulation.model import ScipTree, TreeKinds
from fairaudit.estimators.trees.formulation.search import iter_scip, without_idle_splits
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.problem import Limit, TreeProblem, TreeRows, TreeShape, parity_limit
from fairaudit.events import STOP, Incumbent, Progress
from fairaudit.solver import new_model
from fairaudit.work import Budget


def long_problem():
    """Return a problem that takes long: labels of chance, and a limit."""
    rng = np.random.default_rng(0)
    rows = TreeRows.merge(rng.random((400, 14)) < 0.5, rng.integers(0, 3, 400), (rng.random(400) < 0.5) * 1.0, "abc")
    problem = fair_problem(0, "classification", "free")
    return replace(problem, rows=rows, max_depth=3, limit=parity_limit(rows, "equalized_odds", 0.02))


def test_events_show_figures_that_only_get_better():
    events = list(iter_scip(fair_problem(1, "classification", "limited"), budget=Budget(30.0)))
    figures = [event.figures for event in events if isinstance(event, Incumbent)]
    assert isinstance(events[0], Progress)
    assert all(event.what == "tree" for event in events if isinstance(event, Incumbent))
    assert all(set(part) == {"objective", "bound", "share"} for part in figures)
    assert all(part["bound"] <= part["objective"] for part in figures)
    for name, sign in (("objective", -1), ("bound", 1), ("share", 1)):
        values = [part[name] for part in figures]
        assert values == sorted(values, key=lambda value: sign * value), name
    assert figures[-1]["objective"] == pytest.approx(figures[-1]["bound"])


def test_stop_ends_with_the_best_so_far(form):  # noqa: F811
    problem = long_problem()
    events = iter_scip(problem, budget=Budget(600.0))
    command, found, seen = None, None, 0
    while found is None:
        try:
            event = events.send(command)
            seen += isinstance(event, Progress)
            command = STOP if seen > 2 else None
        except StopIteration as end:
            found = end.value.found
    assert found.status == "stopped"
    assert problem.allows(found.shape)
    assert found.bound <= found.objective


def test_stop_at_the_first_event_still_gives_a_tree():
    events = iter_scip(long_problem(), budget=Budget(600.0))
    next(events)
    with pytest.raises(StopIteration) as end:
        events.send(STOP)
    assert end.value.value.found.status == "stopped"
    assert end.value.value.found.shape is not None


@pytest.mark.parametrize("work", [0.0, 0.3])
def test_little_work_gives_a_tree_and_a_bound(work, form):  # noqa: F811
    found = ended(long_problem(), budget=Budget(work), bound=0.0).found
    assert found.status == "work_limit"
    assert 0.0 <= found.bound <= found.objective <= 0.5


def test_nothing_is_allowed_where_no_tree_meets_the_limit(form):  # noqa: F811
    problem = fair_problem(2, "classification", "free", n_splits=3)
    rows = problem.rows
    form_of_all = sparse.csr_array(-(rows.weights / rows.n_rows)[None, :])
    found = ended(replace(problem, limit=Limit("none", form_of_all, np.array([-1.5])))).found
    assert (found.shape, found.objective, found.status) == (None, math.inf, "infeasible")


def test_every_tree_can_be_a_start(form):  # noqa: F811
    problem = fair_problem(3, "classification", "limited", n=24, n_splits=3)
    problem = replace(problem, columns=(0, 0, 1), max_uses_per_feature=2)
    trees = [tree for shape in every_structure(problem) for tree in every_labeling(shape) if problem.allows(tree)]
    for place in np.random.default_rng(0).choice(len(trees), 6, replace=False):
        with new_model("tree") as model:
            tree = ScipTree(model, problem, TreeKinds())
            assert all(step is None for step in tree.iter_build())
            start = tree.start(trees[place])
            assert model.checkSol(start, printreason=False, completely=True, original=True), trees[place]


def test_a_start_that_is_best_and_proven_needs_no_search(monkeypatch):
    problem = fair_problem(4, "classification", "priced", n=24, n_splits=3)
    first = ended(problem).found
    monkeypatch.setattr("fairaudit.estimators.trees.formulation.search.new_model", None)
    again = ended(problem, start=[first.shape], bound=first.objective).found
    assert (again.status, again.objective, again.shape) == ("optimal", first.objective, first.shape)


def test_trees_that_only_scip_takes_for_allowed_are_passed_over(form, monkeypatch):  # noqa: F811
    problem = fair_problem(6, "classification", "free", n=30, n_splits=3)
    problem = replace(problem, limit=parity_limit(problem.rows, "demographic_parity", 0.1))
    best = best_by_force(problem)
    monkeypatch.setattr("fairaudit.estimators.trees.formulation.model.SLACK", 0.05)
    assert ended(problem).found.objective == pytest.approx(best, abs=1e-9)


def test_where_scip_fails_the_best_tree_so_far_is_the_result(monkeypatch):
    def fail(*_):
        raise SolverError("SCIP gave up.")
        yield

    monkeypatch.setattr("fairaudit.estimators.trees.formulation.search._iter_solve", fail)
    found = ended(fair_problem(7, "classification", "priced", n=24, n_splits=3), bound=0.0).found
    assert found.status == "gap"
    assert found.shape is not None


def test_the_same_seed_gives_the_same_tree():
    problem = fair_problem(8, "classification", "both", n=40, n_splits=4)
    assert ended(problem, seed=3).found.shape == ended(problem, seed=3).found.shape


def test_a_tree_without_idle_splits_predicts_the_same():
    rng = np.random.default_rng(1)
    for _ in range(50):
        holds = rng.random((6, 3)) < 0.5
        shape = TreeShape(tuple(rng.integers(0, 3, 7).tolist()), tuple(rng.integers(0, 9, 8).astype(float).tolist()))
        tidy, leaf_of = without_idle_splits(shape, holds)
        assert (tidy.predict(holds) == shape.predict(holds)).all()
        assert (leaf_of[tidy.leaves(holds)] == shape.leaves(holds)).all()


def test_large_problems_take_the_flow_form():
    problem = fair_problem(9, "classification", "limited")
    assert model.takes_paths(problem, TreeKinds())
    assert not model.takes_paths(problem, TreeKinds(levels=((0, 1),)))
    assert not model.takes_paths(replace(problem, task="regression"), TreeKinds())
    assert not model.takes_paths(replace(problem, max_depth=7), TreeKinds())


@pytest.fixture(scope="module")
def compas(shared_data):
    """Return COMPAS as 11 literals; race is the group."""
    frame = pd.read_csv(shared_data("compas_fairml_5278.csv"))
    priors = frame["Number_of_Priors"].to_numpy()
    names = ["score_factor", "Age_Above_FortyFive", "Age_Below_TwentyFive", "Female", "Misdemeanor"]
    cuts = np.unique(np.quantile(priors, np.arange(1, 10) / 10))
    holds = [frame[name] == 1 for name in names] + [priors <= cut for cut in cuts]
    groups, targets = frame["African_American"].to_numpy(), frame["Two_yr_Recidivism"].to_numpy(dtype=float)
    return TreeRows.merge(np.column_stack(holds), groups, targets, ["Caucasian", "African-American"])


LONG = [(None, 3), (0.01, 3)]


@pytest.mark.parametrize(
    ("limit", "depth"), [(0.05, 2), *(pytest.param(*far, marks=pytest.mark.campaign) for far in LONG)]
)
def test_compas_is_proven_and_both_searches_agree(compas, limit, depth):
    bounded = None if limit is None else parity_limit(compas, "demographic_parity", limit)
    problem = TreeProblem(compas, max_depth=depth, limit=bounded)
    found = ended(problem).found
    exact = returned(iter_frontier(problem, budget=Budget(60.0)))
    assert (found.status, exact.status) == ("optimal", "optimal")
    assert found.objective == pytest.approx(exact.objective, abs=1e-9)
