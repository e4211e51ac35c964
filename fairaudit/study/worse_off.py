"""No group worse off than before: asked on the tuning rows while a remedy is chosen, judged on the held-out rows.

Before is the model that the remedy is compared with. The groups, and the rates by which they are worse off, are those
of what the remedy is to keep alike (:func:`fairaudit.estimators.constraints.not_worse.group_rates`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.estimators.constraints.not_worse import NotWorse, group_rates
from fairaudit.estimators.floors import Floors
from fairaudit.study.bad_outcome_models import turned
from fairaudit.study.group_checks import learned_rows
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.judging.results import GroupChange
from fairaudit.study.rows import Study

NOT_KEPT: Final = "No group was to be worse off, but nothing tried keeps to that, so it was made without."
"""Said where a remedy cannot do what was asked."""

MOST_RAISED: Final = 3
"""How often floors are raised where a model that keeps to them on the training rows does not on the tuning rows."""


@dataclass(frozen=True, eq=False)
class GroupFloors:
    """Floors for a search on the training rows, and the tuning rows that say whether they are high enough.

    Parameters
    ----------
    floors : Floors
        Under sums of the predictions for the training rows of known groups.
    tuned : NotWorse
        What keeps to the wish on the tuning rows.
    """

    floors: Floors
    tuned: NotWorse

    @classmethod
    def of(cls, study: Study, rows: ConstrainedRows, before: NDArray[np.int64]) -> Self:
        """Take what was predicted before for all rows of a study, shape (n,): 1 where the outcome called positive is.

        `rows` holds all rows of the study. All its rates must be linear in the predictions.
        """
        wishes = [
            NotWorse.of(rows.take(part), before[part], positive_is_good=is_good(study))
            for part in (learned_rows(study), study.split.tune)
        ]
        return cls(wishes[0].floors(), wishes[1])

    def raised(self, h: NDArray[np.int64]) -> Self:
        """Raise each floor by how much worse off its group is on the tuning rows.

        Shapes: `h` (n_tune,), 1 where the outcome called positive is predicted.
        """
        return replace(self, floors=self.floors.raised(np.nan_to_num(np.maximum(-self.tuned.gains(h), 0.0))))


def wish_before(study: Study, rows: ConstrainedRows, before_learning: NDArray[np.int64]) -> NotWorse:
    """Return what keeps to the wish on the tuning rows, given what was predicted before.

    Shapes: `rows` holds all rows of the study, `before_learning` (n_learning,) is 1 where the good outcome is
    predicted.
    """
    before = np.zeros(len(study.y), dtype=np.int64)
    before[study.split.learning] = before_learning
    tune = study.split.tune
    return NotWorse.of(rows.take(tune), turned(study, before[tune]), positive_is_good=is_good(study))


def threshold_within(study: Study, wish: NotWorse, score: NDArray[np.float64], threshold: float) -> float:
    """Return the threshold for all that is right most often of those that leave no group worse off on the tuning rows.

    The given one is returned where it leaves none worse off, or where none does. Of equally good ones the nearest to it
    is taken.

    Shapes: `score` (n_tune,), the probability of the good outcome.
    """
    if wish.holds(turned(study, score >= threshold)):
        return threshold
    favorable = is_good(study)
    cuts = CommonCuts.of(score if favorable else -score, wish.y)
    thresholds = cuts.thresholds if favorable else np.nextafter(-cuts.thresholds, np.inf)
    kept = np.flatnonzero(wish.holds_at_cuts(cuts))
    if not len(kept):
        return threshold
    # From 0 on everybody, and above 1 nobody reaches the good outcome.
    found = thresholds[kept].clip(0.0, np.nextafter(1.0, 2.0))
    return float(found[np.lexsort((-np.abs(found - threshold), cuts.everybody.accuracy[kept]))[-1]])


def worse_off_groups(study: Study, rows: ConstrainedRows, before: Judged, after: Judged) -> tuple[GroupChange, ...]:
    """Return how the groups of what is to be kept alike do on the held-out rows, before and after.

    `rows` holds all rows of the study.
    """
    rates = group_rates(rows.take(study.split.held_out), positive_is_good=is_good(study))
    return study.held_out.group_changes(before, after, rates)


def is_good(study: Study) -> bool:
    """Say whether the outcome that is called positive is the good one."""
    return study.models.positive == "favorable"
