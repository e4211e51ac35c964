"""Rules to start from: the paths of trees to their positive leaves.

Trees are grown on the literals, so a path is a rule as it stands: where a split goes to the side on which the literal
holds, the literal is taken; where it goes to the other side, the literal that says the contrary, if there is one. Some
trees weigh the rows so that the groups count alike in each label, which brings rules that treat them alike.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Final

import numpy as np
from joblib import parallel_config
from numpy.typing import NDArray

from fairaudit.estimators.rules.problem import Problem
from fairaudit.estimators.rules.rows import RuleRows
from fairaudit.work import Budget

N_TREES: Final = 24
"""Trees of each forest."""
DEPTHS: Final = (2, 4, 6)
"""Depths of the forests."""
MOST_CELLS: Final = 20_000
"""Cells that a forest sees; of more, so many are drawn by weight."""
MOST_RULES: Final = 2_000
FOREST_ELEMENTS: Final = 40
"""Elements of operations that a level of a tree takes for each cell."""


def iter_mine_rules(
    problem: Problem, random_state: int, budget: Budget
) -> Generator[None, None, tuple[tuple[int, ...], ...]]:
    """Return rules from forests, yielding before each of them is grown."""
    rows = problem.rows
    if not rows.n_literals or problem.longest < 1 or rows.labels.all() or not rows.labels.any():
        return ()
    opposites = opposite_literals(rows)
    rules: dict[tuple[int, ...], None] = {}
    for literals, labels, weights in _samples(rows, random_state):
        for depth in DEPTHS:
            if budget.is_over or len(rules) > MOST_RULES:
                break
            yield
            budget.spend(calls=300 * N_TREES, elements=N_TREES * FOREST_ELEMENTS * depth * literals.shape[0])
            for tree in _forest(literals, labels, weights, depth, random_state):
                rules |= dict.fromkeys(_paths(tree, opposites, problem.longest))
    return tuple(rules)


def opposite_literals(rows: RuleRows) -> NDArray[np.int64]:
    """Return for each literal the first one that holds exactly where it does not, -1 where there is none."""
    keys = {np.packbits(column).tobytes(): place for place, column in reversed(list(enumerate(rows.literals.T)))}
    return np.array([keys.get(np.packbits(~column).tobytes(), -1) for column in rows.literals.T], dtype=np.int64)


def _samples(rows: RuleRows, random_state: int) -> Iterator[tuple[Any, Any, Any]]:
    """Yield literals, labels and weights: the rows as they are, and with groups that count alike in each label."""
    places = np.arange(rows.n_cells)
    weights = rows.weights.astype(np.float64)
    if rows.n_cells > MOST_CELLS:
        random = np.random.default_rng(random_state)
        places = np.sort(random.choice(rows.n_cells, MOST_CELLS, replace=False, p=weights / weights.sum()))
        weights = np.ones(rows.n_cells)
    literals, labels, groups = rows.literals[places], rows.labels[places], rows.groups[places]
    weights = weights[places]
    yield literals, labels, weights
    if rows.n_groups > 1:
        cells = 2 * groups + labels
        totals = np.bincount(cells, weights, minlength=2 * rows.n_groups)
        by_label = np.array([weights[~labels].sum(), weights[labels].sum()])
        share = np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0)
        yield literals, labels, weights * share[cells] * by_label[labels.astype(int)]


def _forest(literals: Any, labels: Any, weights: Any, depth: int, random_state: int) -> list[Any]:
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(N_TREES, max_depth=depth, random_state=random_state, n_jobs=1)
    # Small trees on few cells: sending each to another computer would take longer than growing it.
    with parallel_config(backend="sequential"):
        forest.fit(literals.astype(np.float32), labels, sample_weight=weights)
    return [estimator.tree_ for estimator in forest.estimators_]


def _paths(tree: Any, opposites: NDArray[np.int64], longest: int) -> Iterator[tuple[int, ...]]:
    """Yield the rule of each leaf where most rows are positive, and of each inner node on the way there."""
    stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while stack:
        node, rule = stack.pop()
        if rule and len(set(rule)) <= longest and tree.value[node, 0, -1] > tree.value[node, 0, 0]:
            yield tuple(sorted(set(rule)))
        literal = int(tree.feature[node])
        if literal >= 0:
            stack.append((int(tree.children_right[node]), (*rule, literal)))
            if opposites[literal] >= 0:
                stack.append((int(tree.children_left[node]), (*rule, int(opposites[literal]))))
