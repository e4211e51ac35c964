"""Leave out splits below whose two sides the same is predicted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.shape import NO_SPLIT, TreeShape, leaves_below


def simplified(shape: TreeShape, holds: NDArray[np.bool_]) -> TreeShape:
    """Return a tree that predicts the same for all rows, with no more splits.

    Shapes: `holds` (n, n_splits).

    Examples
    --------
    >>> holds = np.array([[1, 1], [0, 1], [1, 0], [0, 0]], dtype=bool)
    >>> simplified(TreeShape((0, 1, 1), (1.0, 0.0, 1.0, 0.0)), holds)
    TreeShape(splits=(1, -1, -1), values=(1.0, 1.0, 0.0, 0.0))
    """
    shape = shape.tidy()
    node = 1
    while node <= len(shape.splits):
        if shape.splits[node - 1] != NO_SPLIT:
            first, n_below = leaves_below(node, shape.depth)
            leaves = shape.leaves(holds)
            rows = holds[(leaves >= first) & (leaves < first + n_below)]
            predicted = shape.predict(rows)
            for child in (2 * node, 2 * node + 1):
                raised = _raised(shape, node, child)
                if (raised.predict(rows) == predicted).all():
                    # What came up may be left out as well.
                    shape, node = raised, node - 1
                    break
        node += 1
    return shape


def _raised(shape: TreeShape, node: int, child: int) -> TreeShape:
    """Return a tree with the subtree of a child in the place of its parent."""
    splits, values = [NO_SPLIT, *shape.splits], list(shape.values)
    waiting = [(node, child)]
    while waiting:
        to, source = waiting.pop()
        here = splits[source] if source < len(splits) else NO_SPLIT
        if here != NO_SPLIT:
            splits[to] = here
            waiting += [(2 * to, 2 * source), (2 * to + 1, 2 * source + 1)]
            continue
        value = shape.values[leaves_below(source, shape.depth)[0]]
        first, n_below = leaves_below(to, shape.depth)
        values[first : first + n_below] = [value] * n_below
        below = [to]
        while below:
            number = below.pop()
            if number < len(splits):
                splits[number] = NO_SPLIT
                below += [2 * number, 2 * number + 1]
    return TreeShape(tuple(splits[1:]), tuple(values))
