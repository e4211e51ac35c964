"""A sample of the rows of a large table, on which rules are found before they are judged on all rows."""

from __future__ import annotations

from typing import Final

import numpy as np

from fairaudit.estimators.rules.rows import RuleRows

MOST_CELLS: Final = 60_000
"""Tables with more cells are sampled."""
N_SAMPLED: Final = 30_000
"""Rows of a sample."""
FEWEST: Final = 50


def sampled_rows(rows: RuleRows, random_state: int) -> RuleRows:
    """Draw rows without replacement, from each group and label its share.

    Examples
    --------
    >>> table = RuleRows.merge(np.eye(4, dtype=bool).repeat(20_000, axis=0), np.arange(80_000) % 2 == 0,
    ...                        np.zeros(80_000, dtype=np.int64), ["all"])
    >>> sampled_rows(table, 0).totals.tolist()
    [[15000, 15000]]
    """
    random = np.random.default_rng(random_state)
    strata = 2 * rows.groups + rows.labels
    drawn = np.zeros(rows.n_cells, dtype=np.int64)
    for stratum in np.unique(strata).tolist():
        cells = np.flatnonzero(strata == stratum)
        total = int(rows.weights[cells].sum())
        wanted = min(total, max(FEWEST, round(N_SAMPLED * total / rows.n_rows)))
        drawn[cells] = random.multivariate_hypergeometric(rows.weights[cells], wanted, method="marginals")
    kept = np.flatnonzero(drawn)
    return RuleRows(
        literals=rows.literals[kept],
        labels=rows.labels[kept],
        groups=rows.groups[kept],
        weights=drawn[kept],
        group_names=rows.group_names,
        cells=np.repeat(np.arange(len(kept)), drawn[kept]),
    )
