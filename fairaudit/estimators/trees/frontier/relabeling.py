"""The best leaf labels of a tree whose splits are given, to have good trees early."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.terms import Terms
from fairaudit.estimators.trees.problem import reachable_leaves
from fairaudit.estimators.trees.shape import TreeShape

Floats = NDArray[np.float64]

ALL_LABELINGS: Final = 10
"""Up to so many leaves all labelings are tried."""
FEW_LEAVES: Final = 40
"""With more leaves only one at a time is changed."""
FEW_FORMS: Final = 64
"""With more forms, too."""


def relabeled(terms: Terms, shape: TreeShape) -> TreeShape:
    """Return the splits of a tree with better labels."""
    costs, forms = terms.of_leaves(shape)
    leaves = reachable_leaves(shape)
    costs, forms, labels = costs[leaves], forms[:, leaves].T, np.array(shape.values)[leaves]
    if len(leaves) <= ALL_LABELINGS and terms.n_forms <= FEW_FORMS:
        every = (np.arange(1 << len(leaves))[:, None] >> np.arange(len(leaves)) & 1).astype(np.float64)
        labels = every[np.argmin(terms.objectives(terms.base + every @ costs, every @ forms))]
    else:
        labels = _changed(terms, costs, forms, labels)
    values = np.zeros(len(shape.values))
    owners = np.searchsorted(leaves, np.arange(len(values)), side="right") - 1
    values[:] = labels[owners]
    return shape.with_values(values).tidy()


def _changed(terms: Terms, costs: Floats, forms: Floats, labels: Floats) -> Floats:
    """Change one or two leaves while that helps."""
    one = np.eye(len(costs))
    changes = one
    if terms.n_forms <= FEW_FORMS and len(costs) <= FEW_LEAVES:
        first, second = np.triu_indices(len(costs), 1)
        changes = np.vstack([one, one[first] + one[second]])
    value = np.inf
    for start in (labels, np.zeros(len(labels))):
        now, reached = start, np.inf
        while True:
            every = np.abs(now - changes)
            found = terms.objectives(terms.base + every @ costs, every @ forms)
            place = int(np.argmin(found))
            if not found[place] < reached - 1e-12:
                break
            now, reached = every[place], float(found[place])
        if reached < value:
            labels, value = now, reached
    return labels
