from __future__ import annotations

import numpy as np

from fairaudit.estimators.trees.problem import NO_SPLIT, TreeShape
from fairaudit.estimators.trees.search import simplified


def test_predictions_stay_and_splits_do_not_grow():
    for seed in range(60):
        random = np.random.default_rng(seed)
        depth = int(random.integers(1, 5))
        holds = random.random((30, 3)) < 0.5
        splits = random.integers(-1, 3, 2**depth - 1)
        for node in range(2, 2**depth):
            splits[node - 1] = NO_SPLIT if splits[node // 2 - 1] == NO_SPLIT else splits[node - 1]
        shape = TreeShape(tuple(splits.tolist()), tuple(random.integers(0, 2, 2**depth).astype(float).tolist()))
        found = simplified(shape, holds)
        assert found.predict(holds).tolist() == shape.predict(holds).tolist(), seed
        assert found.n_splits <= shape.n_splits, seed
        assert simplified(found, holds) == found


def test_a_split_that_one_subtree_makes_needless_is_left_out():
    holds = np.array([[1, 1], [0, 1], [1, 0], [0, 0]], dtype=bool)
    assert simplified(TreeShape((0, 1, 1), (1.0, 0.0, 1.0, 0.0)), holds).n_splits == 1
    assert simplified(TreeShape((0, 1, 1), (1.0, 0.0, 0.0, 1.0)), holds).n_splits == 3
