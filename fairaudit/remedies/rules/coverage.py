"""What each rule of a rule set does for whom: rows it covers, those it is right about, those it alone covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.measure.intervals import ratio, wilson
from fairaudit.measure.plain import names_of
from fairaudit.remedies.rules.details import COVERAGE


def coverage_table(
    covers: NDArray[np.bool_], y: NDArray[np.int64], groups: NDArray, names: Sequence[str], confidence: float
) -> pd.DataFrame:
    """Count the rows of each group that each rule covers.

    Shapes: `covers` (n, n_rules), `y` (n,), `groups` (n,).

    Examples
    --------
    >>> covers = np.array([[1, 0], [1, 1], [0, 0]], dtype=bool)
    >>> table = coverage_table(covers, np.array([1, 0, 1]), np.array(["a", "a", "a"]), ("a",), 0.95)
    >>> table[["rule", "n", "n_covered", "n_right", "n_only", "n_only_wrong"]].values.tolist()
    [[0, 3, 2, 1, 2, 1], [1, 3, 2, 1, 1, 0], [2, 3, 1, 0, 0, 0]]
    """
    n_rules, times = covers.shape[1], covers.sum(axis=1)
    counts = []
    for rule in range(n_rules + 1):
        held = times > 0 if rule == 0 else covers[:, rule - 1]
        # No other rule: for the whole set there is none.
        alone = held if rule == 0 else held & (times == 1)
        for name in names:
            inside = groups == name
            right = inside & (y == 1)
            counts.append((rule, name, inside.sum(), (held & inside).sum(), (held & right).sum(),
                           (alone & inside).sum(), (alone & inside & (y == 0)).sum()))  # fmt: skip
    table = pd.DataFrame(counts, columns=["rule", "group", "n", "n_covered", "n_right", "n_only", "n_only_wrong"])
    for share, part, whole in (("coverage", "n_covered", "n"), ("precision", "n_right", "n_covered")):
        positives, total = (table[name].to_numpy(dtype=float) for name in (part, whole))
        low, high = wilson(positives, total, confidence)
        table = table.assign(**{share: ratio(positives, total), f"{share}_low": low, f"{share}_high": high})
    return table[names_of(COVERAGE)]
