"""A classifier that is a set of rules, found by integer programming under a constraint on groups."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import astuple, dataclass, replace
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import ClassVar, Final, TypedDict, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import TransformerMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import check_is_fitted

from fairaudit.errors import InputError, quote, require
from fairaudit.estimators.base import (
    TOTAL,
    GroupAwareClassifier,
    TakesCategories,
    boolean_rows,
    iter_stage,
    read_features,
)
from fairaudit.estimators.certifying import CertifiesAverages
from fairaudit.estimators.parameters import (
    CERTIFYING,
    CLASSES,
    COUNT,
    DIFFERENCE_HINT,
    POSITIVE,
    SHARE,
    Constraints,
    Features,
    Groups,
    Labels,
    Seed,
    check_parameters,
    documented,
    measures,
    one_of,
)
from fairaudit.estimators.rules.binarizer import Binarizer, columns_that_reveal_groups
from fairaudit.estimators.rules.literals import Literal, RuleSet
from fairaudit.estimators.rules.problem import (
    Objective,
    Problem,
    RuleColumns,
    RuleRows,
    RuleSearch,
    outcome_of,
)
from fairaudit.estimators.rules.published import PublishedRules
from fairaudit.estimators.rules.search import FoundRules, iter_find
from fairaudit.estimators.rules.smallest_gap import SmallestGap, iter_smallest_gap
from fairaudit.estimators.similar_cases import STRATA, Averages, averages_of, notes_on_strata
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import STOP, Command, Event, Finished, Progress, Searching, Started
from fairaudit.findings import Message, Phrase
from fairaudit.measure.grouping import Grouping, group_rows, names_of_groups, value_text
from fairaudit.measure.vocabulary import AlikeInRules
from fairaudit.messages import say
from fairaudit.work import Budget

# From features, labels and groups to the merged rows that rules are found on.


OTHERS: Final = "outside of the population"
"""What rows are called that limits are not about."""


@dataclass(frozen=True, eq=False)
class RowsAsLiterals:
    """Rows as literals."""

    binarizer: TransformerMixin | None
    # Those that rules may be made of, in the order of ``rows.literals``.
    literals: tuple[Literal, ...]
    rows: RuleRows
    # What was left out, in words.
    notes: tuple[str, ...]

    def rule_set(self, rules: tuple[tuple[int, ...], ...], outcome: str = "the outcome") -> RuleSet:
        """Return rules over indices of literals as a rule set."""
        return RuleSet(self.literals, rules, outcome)


def iter_read_rows(
    X: pd.DataFrame,
    labels: NDArray[np.int64],
    grouping: Grouping,
    *,
    binarizer: TransformerMixin | None,
    use_sensitive: bool,
    end: int,
    stopped: bool = False,
    weights: NDArray[np.float64] | None = None,
    strata: NDArray[np.int64] | None = None,
) -> Searching[tuple[RowsAsLiterals, bool]]:
    """Learn literals and merge equal rows, up to a step of the whole; return whether it is stopped, too.

    A stop on the way leaves out the columns that have not been read yet; before, it leaves out none.

    Shapes: `X` (n, n_features), `labels` (n,), `weights` (n,), `strata` (n,).
    """
    fitted = Binarizer() if binarizer is None else clone(binarizer)
    notes = []
    if hasattr(fitted, "iter_fit") and not stopped:
        steps = fitted.iter_fit(X, weights) if isinstance(fitted, Binarizer) else fitted.iter_fit(X)
        for number, n_columns in steps:
            what = f"Turning columns into conditions: {number:,} of {n_columns:,}"
            stopped = (yield Progress(what, end * number // n_columns, TOTAL)) is STOP
            if stopped:
                steps.close()
                break
    else:
        fitted.fit(X)
    held = np.asarray(fitted.transform(X), dtype=bool)
    revealing = () if use_sensitive else columns_that_reveal_groups(X, grouping)
    left_out = set(revealing)
    kept = [place for place, literal in enumerate(fitted.literals_) if literal.column not in left_out]
    if len(kept) < len(fitted.literals_):
        notes.append(say(Message("rules-note-revealing", {"columns": Phrase(", ".join(map(quote, revealing)))})))
    others = () if grouping.inside.all() else (OTHERS,)
    parts, n_strata = grouping.codes, 1
    if strata is not None:
        n_strata = int(strata.max()) + 1
        parts = grouping.codes * n_strata + strata
    rows = RuleRows.merge(
        held if len(kept) == held.shape[1] else held[:, kept],
        labels.astype(bool),
        parts,
        (*names_of_groups(grouping), *others),
        has_others=bool(others),
        row_weights=weights,
        n_strata=n_strata,
    )
    return RowsAsLiterals(fitted, tuple(fitted.literals_[place] for place in kept), rows, tuple(notes)), stopped


def notes_on_groups(problem: Problem) -> tuple[str, ...]:
    """Say which groups are not compared, as they lack rows that a rate is a share of."""
    if not problem.rates:
        return ()
    names = problem.rows.group_names[:-1] if problem.rows.has_others else problem.rows.group_names
    if len(names) < 2:
        return (say(Message("rules-note-one-group")),)
    lacking = [name for place, name in enumerate(names)
               if not all(rate.defined[place] for rate in problem.rates)]  # fmt: skip
    if not lacking:
        return ()
    return (say(Message("rules-note-lacking", {"groups": Phrase(", ".join(map(quote, lacking)))})),)


HINTS: Final = {
    "max_complexity": "A rule with one condition has a complexity of 2.",
    "max_difference": DIFFERENCE_HINT,
    "binarizer": "Write Binarizer(n_bins=5), for example.",
}


class SearchLimits(TypedDict):
    """What a search is given beside its problem."""

    budget: Budget
    pricing_limit: float
    seed: int
    stopped: bool


TASK = "Searching for rules"
BINARIZED = 5
"""Steps of the whole, when the rows are read."""


class RuleSetClassifier(CertifiesAverages, TakesCategories, GroupAwareClassifier):
    """Predict the second class where at least one of a few rules holds, with the rates of groups kept alike.

    Each rule is a conjunction of conditions such as "priors is more than 3". With c_k = 1 + the conditions of rule k::

        minimise    missed positive rows + covered negative rows, once for each rule that covers them
        subject to  sum of c_k <= max_complexity
                    |rate of group g - rate of group h| <= max_difference    for all groups g, h and each rate

    Rules are generated as they are needed, and an integer program chooses among them, so that it is known how far from
    the optimum over all rules of at most `max_rule_length` conditions the result can be. People can read it aloud.
    Where accuracy counts more than that, take ``ConstrainedClassifier``, which takes any model.

    Parameters
    ----------
    max_complexity : int
        The sum over rules of 1 + conditions, at most: 2 or more.
    fairness : {"equalized_odds", "equal_opportunity", "fpr", "demographic_parity", "error_rate"} or None
        The rates that must be alike; None asks for nothing. "accuracy" compares error rates.
    max_difference : float
        How far the rates of two groups may be apart on the rows that are learned from, from 0 to 1.
    max_loss : float, optional
        How much accuracy may be lost against the most accurate rule set, from 0 to 1. Then the gap is made as small as
        possible, and `max_difference` does not count.
    max_fpr_difference : float, optional
        With "equalized_odds", how far false positive rates may be apart, above 0, where that is another limit than
        `max_difference`, which is then about false negative rates alone and above 0.
    objective : {"hamming", "zero_one"}
        The loss: "zero_one" counts a covered negative row once. It is exact where rules overlap, and takes longer.
    max_rule_length : int, optional
        Conditions of a rule, at most; None leaves it to `max_complexity`. With up to 3, the search for rules can end on
        tens of thousands of rows; with more, mostly only on small tables, so that less or nothing is proven.
    use_sensitive : bool
        Whether rules may use columns with the name of a sensitive feature, or from whose values the groups follow.
    method : {"auto", "search", "scip", "published"}
        Who looks for rules that are left. "auto": our own searches and, where these do not end on a small table, SCIP.
        "search": our own alone. "scip": after quick searches SCIP alone. "published": SCIP alone; then one integer
        program, without merged rows, chooses among the rules that were generated for the Hamming loss, whatever
        `objective` is, and nothing is proven of others but what no classifier of these conditions can do. An integer
        program chooses among rules in any case.
    time_limit : float
        About so many seconds of work, counted and not timed: a slower machine takes longer, and finds the same. Then
        the best so far is kept.
    pricing_time_limit : float
        The same for one proof that no better rule is left, at most.
    binarizer : Binarizer, optional
        Makes conditions from columns; the default one cuts numbers at deciles.
    random_state : int, RandomState or None
        The seed.
    certify_fraction : float
        Share of the rows that certify, by a test, that the limit holds on new people: at least 0 and below 1. Nothing
        is learned from them; rules within tighter limits share the work, and the most accurate certified set is kept.
    confidence : float
        The chance, over the draw of the certifying rows, with which the limit holds on new people.

    Attributes
    ----------
    rule_set_ : RuleSet
        The rules: the fewest wrong rows among the solutions found that meet the constraint in true rates.
    status_ : {"optimal", "gap", "work_limit", "stopped"}
        Whether `rule_set_` is proven to have the least loss among all rules of at most `max_rule_length` conditions,
        and if not, why the search ended; "gap": nothing was left to try.
    objective_ : float
        The loss of `rule_set_`, in rows.
    errors_ : int
        Rows that `rule_set_` predicts wrongly.
    best_objective_ : float
        The least loss of a rule set seen within the constraint as the integer program holds it. `rule_set_` has fewer
        wrong rows, and with "hamming" often a larger loss.
    lp_bound_, bound_ : float
        Lower bounds on the loss of all rule sets within the constraint as the integer program holds it, of rules with
        at most `max_rule_length` conditions each: by linear relaxation, and the best proven.
    errors_bound_ : float
        Wrong rows that no such rule set can have fewer of. With "zero_one" it is `bound_`. The Hamming loss bounds
        wrong rows from above only; there it counts the rows that are alike in all conditions and differ in the label.
    bounds_ : tuple of LengthBound
        The same for shorter rules, as ``max_rule_length, bound``, and last for the longest that are allowed: how much
        longer rules could gain.
    gap_ : float
        How far apart `objective_` and `bound_` are, as a share of `objective_`; NaN where `rule_set_` is within the
        constraint in true rates, but not as the integer program holds it, so that `bound_` says nothing about it.
    gap_curve_ : DataFrame
        With `max_loss`, what is possible for each loss of accuracy: "lost", the smallest "gap" that was found, and the
        "bound" that no rule set of rules that short is below that loses no more. Otherwise without rows.
    least_loss_ : float
        With `max_loss`, the loss of the most accurate rule set, as a share of the rows; NaN otherwise.
    n_columns_, n_rounds_ : int
        Rules that were considered, and rounds of generation.
    fairness_gap_ : float
        The largest difference of `rule_set_` in a rate on the rows learned from; NaN where nothing is compared.
    loss_ : Outcome
        What `rule_set_` does on these rows.
    path_ : tuple of Round
        Rules, linear bound and best solution after each round.
    notes_ : tuple of str
        What happened on the way, in words.
    certified_ : Certificate or None
        Whether the limit holds on new people; None where `certify_fraction` is 0.
    max_difference_ : float
        Within what difference these rules were searched.
    pool_ : RuleColumns
        The rules that were considered.
    problem_loss_ : RuleSetOutcome
        The same as `loss_`, with each rate times what makes two limits one.
    problem_ : Problem
        The merged rows and what was asked; its `max_difference` is larger than that of the estimator where no rule
        set was found that comes so close.
    binarizer_ : Binarizer
        Fitted.
    literals_ : tuple of Literal
        The conditions that rules could be made of.
    classes_ : ndarray, shape (2,)
        The classes in order; rates are those of predicting the second.

    Notes
    -----
    Equal rows are merged; then a round takes time linear in cells times conditions. Proofs can take exponential
    time, so that on large data the search ends when its work is done, with an optimality gap. The constraint holds
    on the rows that are learned from. On new rows gaps are larger, most of all in small groups: take a
    `max_difference` below what is wanted. In the Hamming form the integer program holds false positives counted
    once for each rule, in the loss and in rates; `rule_set_` has the fewest wrong rows within the constraint in
    true rates. Rows without a value of a sensitive feature form a group of their own. A group without the rows that
    a rate is a share of is not compared in it.

    With `max_loss`, `objective_` and `bound_` are the gap and what is proven of it, over all rules, both as the integer
    program holds rates and losses. Limits on the gap are tried: within one where every rule set is proven to lose more
    than is allowed, there is none.

    References
    ----------
    Lawless and Günlük (2021), "Fair decision rules for binary classification", sections 3 and 4 and appendix C;
    `max_complexity` is C, `max_difference` epsilon, `max_rule_length` D. Beyond the paper: equal rows are merged, any
    number of groups, more rates, a bound before pricing has ended, proof over rules that were not generated, and a
    choice by true rates among all solutions that were seen.

    Examples
    --------
    >>> X = np.array([[1, 0], [2, 1], [3, 0], [4, 1], [5, 0], [6, 1], [7, 0], [8, 1]])
    >>> y = X[:, 0] > 4
    >>> model = RuleSetClassifier(fairness=None, random_state=0).fit(X, y)
    >>> model.status_, model.objective_, len(model.rule_set_.rules)
    ('optimal', 0.0, 1)
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "max_complexity": [Interval(Integral, 2, None, closed="left")],
        "fairness": [measures(get_args(AlikeInRules)), None],
        "max_difference": [SHARE],
        "max_loss": [SHARE, None],
        "objective": [one_of(get_args(Objective))],
        "max_rule_length": [COUNT, None],
        "max_fpr_difference": [SHARE, None],
        "use_sensitive": ["boolean"],
        "method": [one_of(get_args(RuleSearch))],
        "time_limit": [POSITIVE],
        "pricing_time_limit": [POSITIVE],
        "binarizer": [HasMethods(["fit", "transform"]), None],
        "random_state": ["random_state"],
        **CERTIFYING,
    }

    LIMIT_PARAMETER = "fairness"
    ALIKE = get_args(AlikeInRules)

    def __init__(
        self,
        max_complexity: int = 15,
        *,
        fairness: str | None = "equalized_odds",
        max_difference: float = 0.05,
        max_loss: float | None = None,
        max_fpr_difference: float | None = None,
        objective: str = "hamming",
        max_rule_length: int | None = 3,
        use_sensitive: bool = False,
        method: str = "auto",
        time_limit: float = 300,
        pricing_time_limit: float = 45,
        binarizer: TransformerMixin | None = None,
        random_state: Seed = None,
        certify_fraction: float = 0.0,
        confidence: float = 0.9,
    ):
        self.max_complexity = max_complexity
        self.fairness = fairness
        self.max_difference = max_difference
        self.max_loss = max_loss
        self.max_fpr_difference = max_fpr_difference
        self.objective = objective
        self.max_rule_length = max_rule_length
        self.use_sensitive = use_sensitive
        self.method = method
        self.time_limit = time_limit
        self.pricing_time_limit = pricing_time_limit
        self.binarizer = binarizer
        self.random_state = random_state
        self.certify_fraction = certify_fraction
        self.confidence = confidence

    @documented(
        strata=STRATA,
        yields=(
            '``Incumbent("round")`` after each round, with the figures ``round, columns, lp, bound`` and '
            '``incumbent``, and ``Incumbent("solution")`` with ``objective, bound, share`` and '
            "``proven_columns`` (the most promising rules among which the best solution is proven) while "
            'solutions are looked for; where none is within `max_difference`, ``Incumbent("least_gap")`` '
            "with ``gap, bound`` and ``share`` on the way to the nearest. ``Finished.result`` is the "
            "classifier."
        ),
        raises={InputError: "If an argument breaks a rule."},
    )
    def iter_fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
        strata: Groups = None,
    ) -> Generator[Event, Command | None, None]:
        """Search for rules, yielding events; a stop keeps the best so far."""
        check_parameters(self, HINTS)
        if self.max_loss is not None and (self.fairness is None or self.certify_fraction):
            raise InputError(
                "'max_loss' makes a gap small: it needs 'fairness', and cannot be used with 'certify_fraction'.",
                hint="Say what must be alike, and set 'certify_fraction' to 0.",
            )
        largest, factors = self._limits_apart()
        if self.certify_fraction:
            yield from self._iter_certified(
                X,
                y,
                sensitive_features=sensitive_features,
                sample_weight=sample_weight,
                population=population,
                limit=float(self.max_difference),
                task=TASK,
                strata=strata,
            )
            return
        self.certified_, self.max_difference_ = None, self.max_difference
        weights = RowWeights.read(sample_weight, X).in_lowest_terms().as_single(type(self).__name__)
        X, y = weights.keep("X", X), weights.keep("y", y)
        sensitive_features = weights.keep("sensitive_features", sensitive_features)
        frame, labels = self._read(X, y)
        about = boolean_rows(weights.keep("population", population), len(labels), "population", default=True)
        grouping = group_rows(sensitive_features, len(labels)).among(about)
        similar = self._similar(strata, weights, about)
        averages: tuple[Averages, ...] = ()
        if similar is not None:
            asked = require(self.must_be_alike), labels, grouping.codes, similar, grouping.n_groups
            averages = averages_of(*asked, weights.values)
            for each in averages:
                each.check("rules are learned from")
        budget = Budget(self.time_limit)
        stopped = (yield Started(TASK, TOTAL)) is STOP
        if not stopped:
            stopped = (yield Progress("Turning columns into conditions", 0, TOTAL)) is STOP
        reading, stopped = yield from iter_read_rows(
            frame,
            labels,
            grouping,
            binarizer=self.binarizer,
            use_sensitive=self.use_sensitive,
            end=BINARIZED,
            stopped=stopped,
            weights=weights.values,
            strata=similar,
        )
        reading = replace(reading, notes=(*reading.notes, *notes_on_strata(averages)))
        problem = Problem(
            rows=reading.rows,
            max_complexity=self.max_complexity,
            fairness=self.must_be_alike,
            max_difference=largest,
            objective=self.objective,
            method=self.method,
            factors=factors,
            **({} if self.max_rule_length is None else {"max_rule_length": self.max_rule_length}),
        )
        limits = SearchLimits(
            budget=budget,
            pricing_limit=self.pricing_time_limit,
            seed=int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max)),
            stopped=stopped,
        )
        if self.max_loss is None:
            found, _ = yield from iter_stage(iter_find(problem, **limits), start=BINARIZED, end=TOTAL)
            self._keep(reading, found)
        else:
            events = iter_smallest_gap(problem, self.max_loss, **limits)
            smallest, _ = yield from iter_stage(events, start=BINARIZED, end=TOTAL)
            self._keep(reading, smallest.found)
            self._keep_gap(smallest)
        yield Finished(self)

    def _limits_apart(self) -> tuple[float, tuple[float, ...]]:
        """Return a limit, and what each rate is multiplied by before it is held against that."""
        second = self.max_fpr_difference
        if second is None:
            return self.max_difference, ()
        if self.must_be_alike != "equalized_odds" or self.max_loss is not None or self.certify_fraction:
            raise InputError(
                "'max_fpr_difference' needs fairness='equalized_odds', without 'max_loss' and 'certify_fraction'."
            )
        if not (second > 0 and self.max_difference > 0):
            raise InputError("'max_fpr_difference' and 'max_difference' must both be above 0 where both are given.")
        largest = max(self.max_difference, second)
        return largest, (largest / self.max_difference, largest / second)

    def to_lp(self, path: str | PathLike[str]) -> tuple[Path, Path]:
        """Write the integer program that chooses among the rules, and these as its solution, for any other solver.

        It is that of formulas (10) to (18), or (25) to (31) for the 0-1 loss, over the rules in `pool_`: w is 1 for a
        rule that is taken, and zeta for a row that none covers. The program has every row that was learned from, equal
        ones as one with a weight: keep the file as you keep the data. In the Hamming form, where the rules keep to the
        limit in true rates alone, they are no solution of it; see `is_confirmed`.

        Parameters
        ----------
        path : path_like
            Where the program goes; ends in ``.lp``. The solution stands beside it and ends in ``.sol``.

        Returns
        -------
        tuple of Path
            The program, in the LP format, and the solution: a line for each variable.
        """
        check_is_fitted(self)
        return PublishedRules(self.problem_, self.pool_, self._rules, self.literals_).write(Path(path))

    def is_confirmed(self) -> bool | None:
        """Say whether SCIP finds these rules within all rows of that program, with the same loss.

        Returns
        -------
        bool or None
            None where the program is too large to be made for this alone, or the rules keep to the limit in true rates
            and not as the Hamming form counts them.
        """
        check_is_fitted(self)
        rules = PublishedRules(self.problem_, self.pool_, self._rules, self.literals_)
        if not rules.is_small or not rules.outcome.fits_master(self.problem_):
            return None
        return rules.is_confirmed()

    @documented(returns=CLASSES)
    def predict(self, X: Features) -> NDArray[np.generic]:
        """Return the second class where at least one rule holds."""
        check_is_fitted(self)
        return self.classes_[self.rule_set_.predict(read_features(self, X, reset=False))]

    def _keep(self, reading: RowsAsLiterals, found: FoundRules) -> None:
        self.binarizer_, self.literals_ = reading.binarizer, reading.literals
        self.rule_set_ = reading.rule_set(found.chosen.rules, value_text(self.classes_[1]))
        self.status_ = found.status
        self.objective_, self.lp_bound_, self.bound_ = found.objective, found.lp_bound, found.bound
        self.errors_, self.errors_bound_ = found.chosen.outcome.errors, found.errors_bound
        self.best_objective_ = found.best_objective
        self.bounds_, self.gap_ = found.bounds, found.optimality_gap
        self.n_columns_, self.n_rounds_ = len(found.columns), len(found.path)
        self.path_, self.pool_, self.problem_ = found.path, found.columns, found.problem
        self._rules = found.chosen.rules
        own = RuleColumns.of(self._rules, found.problem.rows)
        # Each rate as it is, without the factor that makes two limits one.
        self.loss_ = outcome_of(replace(found.problem, factors=()), own, range(len(own)))
        self.problem_loss_ = outcome_of(found.problem, own, range(len(own))) if found.problem.factors else self.loss_
        compared = any(rate.defined.sum() > 1 for rate in found.problem.rates)
        self.fairness_gap_ = self.loss_.gap if compared else math.nan
        self.notes_ = (*reading.notes, *notes_on_groups(found.problem), *found.notes)
        self.gap_curve_, self.least_loss_ = pd.DataFrame(columns=["lost", "gap", "bound"], dtype=float), math.nan

    def _keep_gap(self, smallest: SmallestGap) -> None:
        """Keep what is proven of the smallest gap, in the place of what is proven of a loss."""
        self.status_ = smallest.status
        self.objective_ = self.best_objective_ = smallest.gap
        self.lp_bound_ = self.bound_ = smallest.bound
        self.gap_ = (smallest.gap - smallest.bound) / max(smallest.gap, 1e-12)
        self.gap_curve_ = pd.DataFrame([astuple(point) for point in smallest.curve], columns=["lost", "gap", "bound"])
        self.least_loss_ = smallest.least_loss / self.problem_.rows.n_rows
