"""The small-cell rule for constraints: a gap stays where it follows from counts that are told anyway."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

from fairaudit.estimators.constraints.metrics import find_metric
from fairaudit.measure.results import ErrorComparison
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.study.findings import RemedyFinding

ON_TUNING_ROWS = ("multiplier", "tuned_before", "tuned", "met")
CELLS = (("tp", 1, 1), ("fp", 0, 1), ("tn", 0, 0), ("fn", 1, 0))
"""The cells of a group's counts, with label and prediction."""
SHARE_OF = {"fpr": ("fp", "tn"), "fnr": ("tp", "fn"), "for": ("tn", "fn"), "fdr": ("tp", "fp")}
"""The cells that a rate is a share of; all of them where the metric is not named."""
EQUAL = 1e-9


def masked_constraints(finding: RemedyFinding, details: ConstrainDetails, *, hidden: bool) -> ConstrainDetails:
    """Return what stays of a model's constraints where small counts are hidden."""
    pairs = details.pairs.iloc[:0] if hidden else _told(finding, details.pairs)
    whole = len(pairs) == len(details.pairs) > 0
    groups = constrained_groups(details)
    kept = pairs.astype(dict.fromkeys(ON_TUNING_ROWS, object))
    kept[list(ON_TUNING_ROWS)] = None
    return replace(
        details,
        pairs=kept,
        n_pairs=details.n_pairs if whole else None,
        n_pairs_met=None,
        n_pairs_within=details.n_pairs_within if whole else None,
        feasible=details.feasible if whole else None,
        accuracy_before=None,
        accuracy=None,
        path=details.path.iloc[:0],
        path_gaps=details.path_gaps.iloc[:0],
        notes=harmless(details.notes, groups) if whole else (),
        conflicts=harmless(details.conflicts, groups) if whole else (),
    )


def constrained_groups(details: ConstrainDetails) -> set[str]:
    """Return the names of the groups that constraints compare."""
    return {str(name) for column in ("first", "second") for name in details.pairs[column]}


def _told(finding: RemedyFinding, pairs: pd.DataFrame) -> pd.DataFrame:
    before, after = GroupCounts(finding.before.errors), GroupCounts(finding.after.errors)
    follows = [
        after.gives(row.metric, row.first, row.second, row.held_out, (row.n_first, row.n_second))
        and before.gives(row.metric, row.first, row.second, row.held_out_before, None)
        for row in pairs.itertuples()
    ]
    return pairs[np.array(follows, dtype=bool)]


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
        return bool(abs(abs(one - other) - abs(gap)) < EQUAL) and sizes in (None, (n_one, n_other))

    def _value(self, metric: str, group: str) -> tuple[float, int]:
        counts = [int(self.rows[group][cell]) for cell, _, _ in CELLS]
        y, h = (np.repeat([cell[i] for cell in CELLS], counts) for i in (1, 2))
        n = sum(int(self.rows[group][cell]) for cell in SHARE_OF.get(metric, [cell for cell, _, _ in CELLS]))
        return find_metric(metric).value(y, h), n


def harmless(texts: Iterable[str], groups: set[str]) -> tuple[str, ...]:
    """Return the texts without a number and without the name of a group."""
    names = [re.compile(rf"(?<!\w){re.escape(group)}(?!\w)") for group in groups]
    return tuple(t for t in texts if not re.search(r"\d", t) and not any(name.search(t) for name in names))
