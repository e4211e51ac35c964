"""The integer problem as it was first published finds what brute force and the printed rows of the paper find."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyscipopt
import pytest
from big_m import big_m_objective
from fair_problems import KINDS, best_by_force, every_labeling, every_structure, fair_problem
from mixed_problems import ASKED, mixed_problem
from test_formulation import ended

from fairaudit import OptimalTreeClassifier, OptimalTreeRegressor
from fairaudit.errors import InputError
from fairaudit.estimators.trees.formulation.model import ScipTree, TreeKinds
from fairaudit.estimators.trees.formulation.nodes import SplitPatterns
from fairaudit.estimators.trees.formulation.published import PublishedFeatures
from fairaudit.solver import new_model


@pytest.mark.parametrize("kind", [*KINDS[:2], *(pytest.param(kind, marks=pytest.mark.thorough) for kind in KINDS[2:])])
def test_labels_are_the_best_of_all_trees(kind):
    problem = fair_problem(0, "classification", kind, n=16, n_splits=3)
    found = ended(problem, published=True).found
    assert (found.status, found.method) == ("optimal", "published")
    assert found.objective == pytest.approx(best_by_force(problem), abs=1e-7)


@pytest.mark.parametrize("kind", ["free", "bounded", "both"])
def test_amounts_are_the_best_of_all_trees(kind):
    problem = fair_problem(1, "regression", kind, n=16, n_splits=3, max_depth=1)
    assert ended(problem, published=True).found.objective == pytest.approx(best_by_force(problem), abs=1e-7)


@pytest.mark.parametrize(
    "asked",
    [{"max_features": 1}, {"max_uses_per_feature": 1}, {"min_leaf_size": 5}, {"split_price": 0.06, "min_leaf_size": 3}],
)
def test_small_trees_are_the_best_of_those_that_are_small_enough(asked):
    problem = replace(fair_problem(2, "classification", "limited", n=16, n_splits=3), columns=(0, 0, 1), **asked)
    assert ended(problem, published=True).found.objective == pytest.approx(best_by_force(problem), abs=1e-7)


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("asked", ASKED[:5])
def test_sets_of_levels_are_those_of_the_paper(asked, task):
    mixed = mixed_problem(3, task, asked, 1, n=10)
    best = big_m_objective(mixed.problem, mixed.numbers, mixed.level_parts)
    found = ended(replace(mixed.problem, columns=(0, 0, 1, 2, 2, 2, 2)), levels=mixed.levels, published=True).found
    assert found.objective == pytest.approx(best, abs=1e-6)


def test_cuts_of_a_column_are_one_feature_and_subsets_are_none():
    mixed = mixed_problem(4, "classification", "free", 1, n=30)
    rows = mixed.problem.rows
    among = rows.holds[:, [3, 5]].any(axis=1)
    patterns = SplitPatterns.of(replace(rows, holds=np.column_stack([rows.holds, among])))
    features = PublishedFeatures.of(patterns, mixed.levels, (0, 0, 1, 2, 2, 2, 2, 2))
    assert (features.cuts, features.levels) == (((0, 1), (2,)), ((3, 4, 5, 6),))
    assert (features.numbers[:, 0] == (~patterns.holds[:, :2]).sum(axis=1)).all()


def test_every_tree_is_a_solution_with_its_objective():
    problem = fair_problem(5, "classification", "limited", n=24, n_splits=3)
    problem = replace(problem, columns=(0, 0, 1), max_uses_per_feature=2, max_features=2, min_leaf_size=2)
    trees = [tree for shape in every_structure(problem) for tree in every_labeling(shape) if problem.allows(tree)]
    places = np.random.default_rng(0).choice(len(trees), 20, replace=False)
    with new_model("tree") as model:
        tree = ScipTree(model, problem, TreeKinds(published=True))
        assert all(step is None for step in tree.iter_build())
        for shape in [trees[place] for place in places]:
            start = tree.start(shape)
            assert model.checkSol(start, printreason=True, completely=True, original=True), shape
            assert model.getSolObjVal(start) / tree.scale == pytest.approx(problem.objective(shape), abs=1e-9)
            decoded = tree.form.decode(np.array([model.getSolVal(start, variable) for variable in tree.choices]))
            assert (decoded.shape.predict(problem.rows.holds) == shape.predict(problem.rows.holds)).all()


def test_a_tree_that_breaks_a_limit_is_no_solution():
    problem = fair_problem(6, "classification", "limited", n=24, n_splits=3)
    broken = next(
        tree
        for shape in every_structure(problem)
        for tree in every_labeling(shape)
        if problem.limit.excess(tree.predict(problem.rows.holds)) > 0.01
    )
    with new_model("tree") as model:
        tree = ScipTree(model, problem, TreeKinds(published=True))
        assert all(step is None for step in tree.iter_build())
        assert not model.checkSol(tree.start(broken), printreason=False, completely=True, original=True)


def fitted(estimator, **asked):
    """Return an estimator that was fitted to a number, a category of many levels, and two groups."""
    rng = np.random.default_rng(1)
    n = 120
    X = pd.DataFrame({"age": rng.integers(18, 24, n), "job": rng.choice(list("abcdefg"), n)})
    groups = rng.choice(["x", "y"], n)
    y = (X["age"] > 20) ^ X["job"].isin(["b", "f"]) ^ (rng.random(n) < 0.15)
    limits = {"constraint": "demographic_parity", "max_difference": 0.1, "time_limit": 20, "random_state": 0}
    target = y if estimator is OptimalTreeClassifier else 2.0 * y + X["age"]
    return estimator(**limits | asked).fit(X, target, sensitive_features=groups)


CASES = [
    (OptimalTreeClassifier, {"max_depth": 1}),
    (OptimalTreeClassifier, {"max_depth": 2, "min_leaf_size": 5}),
    (OptimalTreeClassifier, {"max_depth": 1, "method": "scip", "max_splits": 8}),
    (OptimalTreeClassifier, {"max_depth": 1, "method": "published", "discrimination": "dtdi", "fairness_weight": 0.2}),
    (OptimalTreeRegressor, {"max_depth": 1}),
]


@pytest.mark.parametrize(("estimator", "asked"), CASES)
def test_a_file_holds_the_model_and_a_solution_that_another_reading_confirms(estimator, asked, tmp_path):
    model = fitted(estimator, **asked)
    assert model.is_confirmed() is True
    lp, solution = model.to_lp(tmp_path / "tree.lp")
    again = pyscipopt.Model()
    again.hideOutput()
    again.readProblem(str(lp))
    start = again.readSolFile(str(solution))
    assert again.checkSol(start, printreason=True, completely=True, original=True)
    span = 1.0 if estimator is OptimalTreeClassifier else float(np.ptp(model.published_.problem.rows.targets))
    assert again.getSolObjVal(start) * span / 120 == pytest.approx(model.objective_, abs=1e-6)
    for name in ("age is at most", "job is "):
        assert name in lp.read_text()


def test_another_solver_finds_no_better_tree_in_the_file(tmp_path):
    highs = pytest.importorskip("scipy.optimize._highspy._core")
    model = fitted(OptimalTreeClassifier, max_depth=1)
    lp, _ = model.to_lp(tmp_path / "tree.lp")
    solver = highs._Highs()
    options = highs.HighsOptions()
    options.output_flag, options.time_limit = False, 30.0
    solver.passOptions(options)
    assert solver.readModel(str(lp)) == highs.HighsStatus.kOk
    solver.run()
    assert solver.getModelStatus() == highs.HighsModelStatus.kOptimal
    assert solver.getInfo().objective_function_value / 120 == pytest.approx(model.objective_, abs=1e-6)


def test_another_tree_is_not_confirmed():
    found = fitted(OptimalTreeClassifier, max_depth=1).published_
    assert not replace(found, objective=found.objective - 0.01).is_confirmed()
    turned = found.shape.with_values(1.0 - np.array(found.shape.values))
    assert not replace(found, shape=turned).is_confirmed()


@pytest.mark.parametrize(
    "asked", [{"branching": "linear"}, {"max_loss": 0.02, "max_difference": None}], ids=["weighed", "smallest gap"]
)
def test_what_the_published_model_does_not_have_is_not_written(asked, tmp_path):
    model = fitted(OptimalTreeClassifier, max_depth=1, **{"time_limit": 5, **asked})
    assert model.is_confirmed() is None
    with pytest.raises(InputError, match="published model"):
        model.to_lp(tmp_path / "tree.lp")
