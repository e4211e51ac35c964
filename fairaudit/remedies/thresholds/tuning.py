"""The score of a study on its tuning rows: what thresholds by group do there, before any held-out row is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.disclosure.fields import Remark
from fairaudit.errors import GroupError, InputError, sure
from fairaudit.estimators.models import default_threshold, scores_of
from fairaudit.estimators.thresholds import ThresholdOutcome, ThresholdProblem
from fairaudit.estimators.thresholds.classifier import DECIMALS
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.remedies.thresholds.details import ThresholdDetails
from fairaudit.study.cautions import small_warnings
from fairaudit.study.group_checks import check_groups
from fairaudit.study.rows import Study

SWEEP = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Fairness weights at which the exact optimum is shown."""


@dataclass(frozen=True, eq=False)
class Tuning:
    """A score that thresholds are put on, and the problem that it poses on the tuning rows.

    Parameters
    ----------
    problem : ThresholdProblem
        The tuning rows of known groups, counted.
    default : float
        The one threshold that those by group replace.
    values : ndarray of float, shape (n,)
        The score of all rows; minus infinity where a row has none.
    model : estimator or None
        What gives the score; None where it is a column of the data.
    names : tuple of str
        The groups of the problem, in the order of the study.
    unfavorable : bool
        Whether rates are those of the bad outcome.
    turned : bool
        Whether a lower score of the data is better: the problem and `values` then hold minus the score.
    warnings : tuple of str
        What makes the score or the rows doubtful.
    """

    problem: ThresholdProblem
    default: float
    values: NDArray[np.float64]
    model: Any
    names: tuple[str, ...]
    unfavorable: bool
    turned: bool
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, study: Study, model: Any = None) -> Tuning:
        """Count the tuning rows of a study at each threshold of a score."""
        if model is None:
            values, default, notes = _own_score(study)
        else:
            # Rounded as the classifier does that a person takes away, or rows at a threshold would change sides.
            values, default, notes = scores_of(model, study.X).round(DECIMALS), default_threshold(model), ()
        tune = study.split.tune
        rows = tune[np.isfinite(values[tune]) & study.group_known[tune]]
        check_groups(study, rows, "thresholds are tuned on")
        warnings = [*notes, *small_warnings(study, rows)]
        if not study.group_known.all():
            warnings.append(say(Message("thresholds-unknown-groups")))
        problem = ThresholdProblem.from_rows(study.y[rows], values[rows], study.groups[rows])
        return cls(
            problem=problem,
            default=default,
            values=values,
            model=model,
            names=tuple(name for name in study.group_names if name in problem.groups),
            unfavorable=study.models.positive == "unfavorable",
            turned=model is None and not sure(study.plan.score).higher_is_favorable,
            warnings=tuple(warnings),
        )

    @cached_property
    def whole(self) -> bool:
        """Whether all scores are whole numbers."""
        return all(bool((points.thresholds[1:] % 1 == 0).all()) for points in self.problem.points)

    def in_data(self, thresholds: ArrayLike) -> NDArray[np.float64]:
        """Return thresholds of the problem in the numbers of the data.

        Where a lower score is better, such a number is the highest score that still reaches the good outcome.
        """
        found = np.asarray(thresholds, dtype=np.float64)
        if not self.turned:
            return found
        # Minus zero is zero to people.
        return 0.0 - (np.ceil(found) if self.whole else found)

    @property
    def before(self) -> ThresholdOutcome:
        """What the one threshold for all does."""
        return self.problem.at(dict.fromkeys(self.problem.groups, self.default))

    def allowed(self, *, no_group_worse_off: bool) -> ThresholdProblem:
        """Return the thresholds to choose among; where no group may be worse off, those that leave none so.

        Worse off is a group of whose people with the good outcome fewer are predicted to have it. That is so with
        either outcome called positive.
        """
        return self.problem.not_below(self.before) if no_group_worse_off else self.problem

    @cached_property
    def sweep(self) -> pd.DataFrame:
        """The exact optimum at other weights, see ``ThresholdDetails.sweep``."""
        return self.problem.sweep(SWEEP)

    @cached_property
    def roc(self) -> pd.DataFrame:
        """The curve of each group, see ``ThresholdDetails.roc``."""
        curves = self.problem.roc()
        return self._seen(curves.assign(threshold=self.in_data(curves["threshold"])))

    def details(
        self,
        found: ThresholdOutcome,
        weight: float,
        allowed: ThresholdProblem | None = None,
        *,
        stopped: bool = False,
    ) -> ThresholdDetails:
        """Say what thresholds do on the tuning rows, beside the best of those that are allowed: all, if not given."""
        problem = allowed or self.problem
        before = self.before
        columns = {
            "before": self.in_data(before.thresholds),
            "after": self.in_data(found.thresholds),
            "tpr_before": before.tpr,
            "fpr_before": before.fpr,
            "tpr_after": found.tpr,
            "fpr_after": found.fpr,
            "n_positive": [points.n_positive for points in self.problem.points],
            "n_negative": [points.n_negative for points in self.problem.points],
        }
        rates = pd.DataFrame(columns, index=list(self.problem.groups)).loc[list(self.names)]
        return ThresholdDetails(
            thresholds=self._seen(rates.rename_axis("group").reset_index()),
            roc=self.roc,
            sweep=self.sweep if problem is self.problem else problem.sweep(SWEEP),
            objective=found.objective(weight),
            optimal_objective=problem.best(weight).objective(weight),
            accuracy=found.accuracy,
            gap=found.gap,
            stopped=stopped,
            turned=self.turned,
        )

    def _seen(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return rates of the outcome that is called positive.

        The true positives of the bad outcome are the rows that are rightly not predicted good.
        """
        if not self.unfavorable:
            return frame
        turned = frame.copy()
        for column in frame.columns:
            if column.startswith("tpr"):
                turned[column] = 1 - frame["fpr" + column[3:]]
            elif column.startswith("fpr"):
                turned[column] = 1 - frame["tpr" + column[3:]]
        if "n_positive" in frame:
            turned["n_positive"], turned["n_negative"] = frame["n_negative"], frame["n_positive"]
        return turned


def _own_score(study: Study) -> tuple[NDArray[np.float64], float, tuple[str, ...]]:
    """Return the score of the data, the plan's threshold or, without one, the most accurate, and what to say."""
    score, plan = study.score, study.plan.score
    if score is None or plan is None:
        raise InputError(
            "Thresholds are asked for on the score in the data, but the plan names no score.",
            hint="Name the column of the score, or choose a model.",
        )
    notes: list[str] = []
    if not plan.higher_is_favorable:
        notes.append(Remark(say(Message("thresholds-turned")), "setting"))
    tune = study.split.tune[np.isfinite(score[study.split.tune])]
    if len(np.unique(study.y[tune])) < 2:
        raise GroupError(
            f"{len(tune):,} tuning cases have a score, and they lack one of the two outcomes.",
            uncounted="The tuning cases with a score lack one of the two outcomes.",
            hint="Choose another score, or bring more rows.",
        )
    if _runs_against(study.y[tune], score[tune]):
        notes.append(say(Message("thresholds-against")))
    if not np.isfinite(score).all():
        notes.append(say(Message("thresholds-without-score")))
    if plan.cut is None:
        default = ThresholdProblem.from_rows(study.y[tune], score[tune], None).best(0.0).thresholds[0]
        notes.append(Remark(say(Message("thresholds-no-cut")), "setting"))
    else:
        # Where higher is worse, a row is predicted good below the cut, and not at it.
        default = plan.cut if plan.higher_is_favorable else float(np.nextafter(-plan.cut, np.inf))
    return np.where(np.isfinite(score), score, -np.inf), default, tuple(notes)


def _runs_against(y: NDArray[np.int64], score: NDArray[np.float64]) -> bool:
    """Say whether rows with the good outcome have lower scores than others, by their mean ranks."""
    ranks = pd.Series(score).rank().to_numpy()
    return bool(ranks[y == 1].mean() < ranks[y == 0].mean())
