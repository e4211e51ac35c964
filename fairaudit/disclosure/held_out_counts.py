"""The counts of groups on held-out rows that are shown anyway, and which other figures follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd

from fairaudit.estimators.constraints.metrics import find_metric
from fairaudit.measure.results import ErrorComparison
from fairaudit.study.judging.results import Evaluation

CELL_OUTCOMES = (("tp", 1, 1), ("fp", 0, 1), ("tn", 0, 0), ("fn", 1, 0))
"""The cells of a group's counts, with label and prediction."""
NAMES = [name for name, _, _ in CELL_OUTCOMES]
SHARE_OF = {"fpr": ("fp", "tn"), "fnr": ("tp", "fn"), "for": ("tn", "fn"), "fdr": ("tp", "fp")}
"""The cells that a rate is a share of; all of them where the metric is not named."""
SAME_GAP = 1e-9


class GroupCounts:
    """The counts of groups, and what they say of a metric."""

    def __init__(self, errors: ErrorComparison):
        self.rows = {str(row["group"]): row for row in errors.counts.to_dict("records")}
        self.value = cache(self._value)

    def gives(self, metric: str, first: object, second: object, gap: float, sizes: tuple[int, int] | None) -> bool:
        """Say whether the size of a gap, and the rows that the rates are shares of, follow from the counts."""
        groups = (str(first), str(second))
        if not all(group in self.rows for group in groups):
            return False
        (one, n_one), (other, n_other) = (self.value(metric, group) for group in groups)
        return bool(abs(abs(one - other) - abs(gap)) < SAME_GAP) and sizes in (None, (n_one, n_other))

    def _value(self, metric: str, group: str) -> tuple[float, int]:
        counts = [int(self.rows[group][cell]) for cell, _, _ in CELL_OUTCOMES]
        y, h = (np.repeat([cell[i] for cell in CELL_OUTCOMES], counts) for i in (1, 2))
        n = sum(int(self.rows[group][cell]) for cell in SHARE_OF.get(metric, [cell for cell, _, _ in CELL_OUTCOMES]))
        return find_metric(metric).value(y, h), n


def following_gaps(errors: ErrorComparison, gaps: pd.DataFrame, metrics: Mapping[str, str]) -> pd.DataFrame:
    """Return the gaps on held-out rows that follow from the counts of the groups; `metrics` is by the rates of gaps."""
    counts = GroupCounts(errors)
    follows = [
        counts.gives(metrics[row.rate], row.first, row.second, row.held_out, (row.n_first, row.n_second))
        for row in gaps.itertuples()
    ]
    return gaps[np.array(follows, dtype=bool)]


def cells_of(evaluation: Evaluation) -> pd.DataFrame:
    """Return the confusion table of each group."""
    counts = evaluation.errors.counts
    return counts.set_index(counts["group"].astype(str))[NAMES]


def gives_people_away(right: float, wrong: float, minimum: int) -> bool:
    """Say whether a part of the rows gives people away: it is not empty, and one outcome is rare in it."""
    return max(right, wrong) > 0 and min(right, wrong) < minimum
