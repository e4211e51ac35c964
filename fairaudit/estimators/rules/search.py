"""Choose complexity and the allowed difference by cross-validation, so that gaps on new rows come out as wanted."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Generator
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from fairaudit.errors import InputError
from fairaudit.estimators.base import GroupAwareClassifier, iter_part
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.rules.folds import Study, iter_folds, judged
from fairaudit.estimators.rules.parity import RATES
from fairaudit.estimators.rules.settings import check_complexity, check_difference, check_kind, check_seconds
from fairaudit.estimators.rules.stages import TOTAL, Clock, iter_stage
from fairaudit.events import STOP, Command, Event, Finished, Started
from fairaudit.measure.grouping import Grouping, group_rows

WHAT = "Choosing complexity and the allowed difference"
SHARES = (0.2, 0.5, 1.0)
"""Differences that are tried on training rows, as shares of the one that is wanted on new rows."""

FIRST, JUDGING = 0.2, 0.7
"""Shares of the time that is left for the first rule set, and then for the judgement on folds."""

AFTER_FIRST, AFTER_FOLDS = 15, 80
"""Steps of the whole that are complete then."""

LEAST_S = 1.0
"""Seconds for the last rule set, at least."""


class RuleSetSearch(GroupAwareClassifier):
    """Find the complexity and the difference to allow in training with which the gap on new rows is as wanted.

    Rules that keep rates alike on the rows that they were made from keep them less alike on others. So each setting is
    judged on rows that it has not seen, by cross-validation, and the most accurate one whose gap there is within the
    target is fitted on all rows. In each fold, rules are generated for a few settings and shared by all.

    Parameters
    ----------
    max_complexities : sequence of int
        Complexities to try; see :class:`RuleSetClassifier`.
    max_differences : sequence of float, optional
        Differences to allow in training; by default 0.2, 0.5 and 1 times the target.
    target_difference : float
        How far rates of groups may be apart on rows that were not learned from, from 0 to 1.
    fairness : {"equalized_odds", "equal_opportunity", "false_positive_rate", "statistical_parity", "accuracy"}
        The rates that must be alike.
    objective : {"hamming", "zero_one"}
        The loss.
    max_rule_length : int, optional
        Conditions of a rule, at most.
    use_sensitive : bool
        Whether rules may use columns that tell the groups.
    cv : int
        Folds; at least 2.
    time_limit : float
        Seconds for all.
    pricing_time_limit : float
        Seconds for one proof that no better rule is left, at most.
    binarizer : Binarizer, optional
        Makes conditions from columns, in each fold anew.
    n_jobs : int, optional
        Folds at once, as in joblib, whose active backend is used. The result does not depend on it unless time runs
        out.
    random_state : int, RandomState or None
        The seed.

    Attributes
    ----------
    best_params_ : dict
        ``max_complexity`` and ``max_difference`` of the setting that was chosen.
    results_ : DataFrame
        One row a setting: ``max_complexity, max_difference, complexity, accuracy, gap, fold_gap, within_target,
        chosen``. `accuracy` and `gap` are those of the predictions of all folds together, `fold_gap` is the mean gap
        within a fold; where folds are small, it is large by chance alone. Empty if the search was stopped before the
        first fold, and without `chosen` if later.
    best_estimator_ : RuleSetClassifier
        Fitted on all rows.
    rule_set_ : RuleSet
        Its rules.
    within_target_ : bool
        Whether the gap of the setting, across folds, is within the target. If not, it is the smallest there was.
    n_folds_ : int
        Folds that were judged.
    status_ : str
        As that of `best_estimator_`; "stopped" if a caller stopped the search before its end.
    notes_ : tuple of str
        What happened on the way, in words.
    classes_ : ndarray, shape (2,)
        The classes in order; rates are those of predicting the second.

    Notes
    -----
    The gap is measured on all folds together because in a fold of 500 rows chance alone makes gaps of several
    percentage points, which no setting can avoid. As the best of several is taken, its own figures are a little better
    than what new rows will show: judge it on held-out rows.

    Folds are judged on a cluster where joblib is told so, with the same result; the workers need this package::

        from dask.distributed import Client
        from joblib import parallel_config

        with Client("tcp://scheduler:8786"), parallel_config(backend="dask"):
            search.fit(X, y, sensitive_features=group)

    References
    ----------
    fair_decision_rules.txt, section 5 and appendix E: two phases, the second over a grid. There, only the complexity is
    chosen by cross-validation, and by accuracy.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> X = random.integers(0, 4, size=(200, 2))
    >>> y, group = X[:, 0] + random.normal(size=200) > 2, random.choice(["a", "b"], 200)
    >>> search = RuleSetSearch((4,), (0.05, 0.2), target_difference=0.2, cv=2, random_state=0)
    >>> search.fit(X, y, sensitive_features=group).best_params_["max_complexity"]
    4
    """

    def __init__(
        self,
        max_complexities: Any = (10, 15, 20, 30),
        max_differences: Any = None,
        *,
        target_difference: float = 0.05,
        fairness: str = "equalized_odds",
        objective: str = "hamming",
        max_rule_length: int | None = None,
        use_sensitive: bool = False,
        cv: int = 5,
        time_limit: float = 600,
        pricing_time_limit: float = 45,
        binarizer: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ):
        self.max_complexities = max_complexities
        self.max_differences = max_differences
        self.target_difference = target_difference
        self.fairness = fairness
        self.objective = objective
        self.max_rule_length = max_rule_length
        self.use_sensitive = use_sensitive
        self.cv = cv
        self.time_limit = time_limit
        self.pricing_time_limit = pricing_time_limit
        self.binarizer = binarizer
        self.n_jobs = n_jobs
        self.random_state = random_state

    def iter_fit(self, X: Any, y: Any, *, sensitive_features: Any = None) -> Generator[Event, Command | None, None]:
        """Search, yielding events; a stop keeps the best so far.

        Shapes: `X` (n, n_features), `y` (n,).
        """
        self._check_parameters()
        frame, labels = self._read(X, y)
        grouping = group_rows(sensitive_features, len(labels))
        clock = Clock(self.time_limit)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max // 2))
        stopped = (yield Started(WHAT, TOTAL)) is STOP
        straight = (max(self.max_complexities), float(self.target_difference))
        self.results_, self.n_folds_ = pd.DataFrame(), 0
        events = self._estimator(straight, FIRST * clock.left_s, seed).iter_fit(
            X, y, sensitive_features=sensitive_features
        )
        if stopped:
            next(events)
            model = [events.send(STOP), *events][-1].result
        else:
            model, stopped = yield from iter_part(events, start=0, end=AFTER_FIRST, total=TOTAL)
        if not stopped:
            study = self._study(frame, labels, grouping, JUDGING * clock.left_s)
            events = iter_folds(study, self.cv, n_jobs=self.n_jobs, seed=seed)
            folds, stopped = yield from iter_stage(events, start=AFTER_FIRST, end=AFTER_FOLDS)
            self.n_folds_ = len(folds)
            self.results_ = judged(study, folds, self.target_difference) if folds else self.results_
        if not stopped:
            events = self._estimator(self._best_setting(), clock.left_s, seed).iter_fit(
                X, y, sensitive_features=sensitive_features
            )
            refitted, stopped = yield from iter_part(events, start=AFTER_FOLDS, end=TOTAL, total=TOTAL)
            model = model if stopped else refitted
        self._keep(model, stopped)
        yield Finished(self)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the second class where at least one rule holds.

        Shapes: `X` (n, n_features); returns (n,).
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def __sklearn_tags__(self) -> Any:
        """Say that categories are taken."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def _check_parameters(self) -> None:
        for name, check in (("max_complexities", check_complexity), ("max_differences", check_difference)):
            values = getattr(self, name)
            if values is None and name == "max_differences":
                continue
            if not isinstance(values, Collection) or isinstance(values, str) or not len(values):
                raise InputError(f"'{name}' must have at least one number, got {values!r}.")
            for value in values:
                check(value, name)
        check_difference(self.target_difference, "target_difference")
        if self.fairness is None:
            raise InputError(f"'fairness' must be one of {', '.join(RATES)}, got None.")
        check_kind(self.fairness, self.objective, self.max_rule_length, self.binarizer)
        if not isinstance(self.cv, Integral) or self.cv < 2:
            raise InputError(f"'cv' must be an int of at least 2, got {self.cv!r}.")
        if self.n_jobs is not None and (not isinstance(self.n_jobs, Integral) or self.n_jobs == 0):
            raise InputError(f"'n_jobs' must be an int other than 0, got {self.n_jobs!r}.", hint="Write 1 or -1.")
        check_seconds(self.time_limit, "time_limit")
        check_seconds(self.pricing_time_limit, "pricing_time_limit")

    def _estimator(self, setting: tuple[int, float], time_limit: float, seed: int) -> RuleSetClassifier:
        return RuleSetClassifier(
            setting[0],
            fairness=self.fairness,
            max_difference=setting[1],
            objective=self.objective,
            max_rule_length=self.max_rule_length,
            use_sensitive=self.use_sensitive,
            time_limit=max(time_limit, LEAST_S),
            pricing_time_limit=self.pricing_time_limit,
            binarizer=self.binarizer,
            random_state=seed,
        )

    def _study(self, X: pd.DataFrame, labels: NDArray[np.int64], grouping: Grouping, time_s: float) -> Study:
        differences = self.max_differences
        if differences is None:
            differences = [share * self.target_difference for share in SHARES]
        at_once = min(effective_n_jobs(self.n_jobs), self.cv)
        return Study(
            X=X,
            labels=labels,
            grouping=grouping,
            settings=tuple(itertools.product(sorted(set(self.max_complexities)), sorted(set(differences)))),
            fairness=self.fairness,
            objective=self.objective,
            max_rule_length=self.max_rule_length,
            binarizer=self.binarizer,
            use_sensitive=self.use_sensitive,
            time_limit=time_s / math.ceil(self.cv / at_once),
            pricing_time_limit=self.pricing_time_limit,
        )

    def _best_setting(self) -> tuple[int, float]:
        """Return the most accurate setting within the target, or else the one with the smallest gap."""
        table = self.results_
        if table["within_target"].any():
            table = table[table["within_target"]].sort_values(
                ["accuracy", "gap", "complexity"], ascending=[False, True, True]
            )
        else:
            table = table.sort_values(["gap", "accuracy", "complexity"], ascending=[True, False, True])
        return int(table["max_complexity"].iloc[0]), float(table["max_difference"].iloc[0])

    def _keep(self, model: RuleSetClassifier, stopped: bool) -> None:
        self.best_estimator_, self.rule_set_ = model, model.rule_set_
        self.best_params_ = {"max_complexity": model.max_complexity, "max_difference": model.max_difference}
        self.status_, self.within_target_ = "stopped" if stopped else model.status_, False
        notes = []
        if stopped:
            notes.append("The search was stopped, so that the rule set was not chosen by how it does on other rows.")
        else:
            table = self.results_
            table["chosen"] = (table["max_complexity"] == model.max_complexity) & (
                table["max_difference"] == model.max_difference
            )
            self.within_target_ = bool(table.loc[table["chosen"], "within_target"].item())
        if not stopped and not self.within_target_:
            notes.append(
                f"No setting has a gap within {self.target_difference:g} across folds; the one with the smallest gap "
                "was taken."
            )
        self.notes_ = (*model.notes_, *notes)
