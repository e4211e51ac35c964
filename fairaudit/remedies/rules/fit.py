"""A set of rules under a constraint, as a remedy of an audit, and others that are made of the rules of one search.

The search itself knows limits between groups, and no floors. Its own rule set is taken where the tuning rows say that
no group is worse off; otherwise one is put together step by step within floors on the training rows, which the tuning
rows may raise. Those of other settings are chosen on the training rows, step by step from what a neighbouring setting
found, and measured on the tuning rows. The steps are the same on every computer; nothing is proven about them.

"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from fairaudit.disclosure.said import remark
from fairaudit.errors import InputError, require
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.rules.binarizer import Binarizer
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.rules.literals import RuleSet
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows, RuleSetOutcome, outcome_of
from fairaudit.estimators.rules.search import choose
from fairaudit.events import STOP, Command, Event, Finished, Progress
from fairaudit.findings import Message
from fairaudit.remedies.plain.fit import iter_before, iter_yardstick
from fairaudit.remedies.plain.plan import without_name
from fairaudit.remedies.rules.details import FRONTIER, RulesDetails, rules_warnings
from fairaudit.remedies.rules.figures import JudgedRules, limited_rows, read_rules, rules_details
from fairaudit.remedies.rules.plan import MAX_COMPLEXITY, RulesPlan
from fairaudit.study.cautions import group_warnings, model_warnings, similar_warnings, unknown_group_warnings
from fairaudit.study.certified import certifying
from fairaudit.study.constraint_check import (
    check_rates,
    largest_gap,
    limit_text,
    positive_labels,
    rate_gaps,
    strata_of,
)
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    MOST_RAISED,
    TOTAL,
    Baseline,
    Fit,
    FittedRemedy,
    GroupFloors,
    Known,
    StagedRun,
    as_favorable,
    judged,
    unwrap,
)
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.proposing import close_columns
from fairaudit.study.rows import Study, learned_rows, tuning_rows

Rules = tuple[tuple[int, ...], ...]

MOST_COLUMNS: Final = 300
"""Rules that others are made of, beside those of rule sets: the ones that are right most often more than wrong."""


def best_columns(problem: Problem, pool: RuleColumns) -> RuleColumns:
    """Return the rules of a pool that cover most more positive than negative rows."""
    if len(pool) <= MOST_COLUMNS:
        return pool
    rows = problem.rows
    signed: NDArray[np.int64] = np.where(rows.labels, rows.weights, -rows.weights)
    worth = pool.covers @ signed
    return pool.take(np.sort(np.argsort(-worth, kind="stable")[:MOST_COLUMNS]))


def own_rules(search: RuleSetClassifier, among: RuleSetClassifier) -> Rules:
    """Return the rules of a search as literals of another search of the same columns, or of itself."""
    place_of = {literal: place for place, literal in enumerate(among.literals_)}
    rules = search.rule_set_
    return tuple(
        tuple(sorted(place_of[literal] for literal in rules.literals_of(rule))) for rule in range(len(rules.rules))
    )


@dataclass(frozen=True, eq=False)
class Picked:
    """The rule set of a remedy: that of its search, or another one made of its rules.

    Parameters
    ----------
    rules : tuple of tuple of int
        As literals of the search.
    outcome : RuleSetOutcome
        What they do on the training rows.
    is_own : bool
        Whether it is the rule set of the search.
    floors : Floors, optional
        What rule sets of other settings are to keep to, see :func:`by_kind`.
    """

    rules: Rules
    outcome: RuleSetOutcome
    is_own: bool = True
    floors: Floors | None = None

    @classmethod
    def own(cls, search: RuleSetClassifier) -> Picked:
        """Return the rule set of a search."""
        return cls(own_rules(search, search), search.problem_loss_)


def iter_picked(
    study: Study, search: RuleSetClassifier, free: RuleSetClassifier | None, wish: GroupFloors | None
) -> Generator[Event, Command | None, None]:
    """Pick a rule set that keeps to a wish on the tuning rows, or that of the search where there is none."""
    own = Picked.own(search)
    X = study.X.iloc[study.split.tune]
    if wish is None or wish.on_tuning.holds(np.asarray(search.predict(X), dtype=np.int64)):
        floors = None if wish is None else by_kind(wish.floors, search.problem_.rows)
        yield Finished(replace(own, floors=floors))
        return
    problem = search.problem_
    starts = (own.rules, own_rules(require(free), search))
    columns = best_columns(problem, search.pool_).joined(
        RuleColumns.of([rule for rules in starts for rule in rules], problem.rows)
    )
    place_of = {rule: place for place, rule in enumerate(columns.rules)}
    places = [tuple(place_of[rule] for rule in rules) for rules in starts]
    picked = own
    for number in range(1 + MOST_RAISED):
        if (yield Progress("Making rules with which no group is worse off", number, 1 + MOST_RAISED)) is STOP:
            break
        floors = by_kind(wish.floors, problem.rows)
        chosen = choose(problem, columns, places, floors=floors)
        if not chosen.outcome.meets(problem):
            # Higher floors leave less room for the limit.
            break
        h = np.asarray(RuleSet(search.literals_, chosen.rules).predict(X), dtype=np.int64)
        if wish.on_tuning.holds(h):
            picked = Picked(chosen.rules, chosen.outcome, is_own=False, floors=floors)
            break
        wish = wish.raised(h)
    yield Finished(picked)


def by_kind(floors: Floors, rows: RuleRows) -> Floors:
    """Return floors under sums of rows by group and label, from floors in which all rows of a kind weigh the same."""
    kinds = 2 * rows.groups + rows.labels
    counts = np.bincount(kinds, weights=rows.weights, minlength=2 * rows.n_groups)
    sums = floors.merged(kinds[rows.cells], 2 * rows.n_groups)
    return replace(sums, weights=sums.weights / np.maximum(counts, 1))


COMPLEXITIES = (0.5, 1.0, 1.5, 2.0)
LIMITS = (0.5, 1.0, 2.0, 4.0)
"""What the complexity and the limit that are asked for are multiplied with."""

LIMITS_FROM_NOTHING = (0.0, 0.01, 0.025, 0.05)
"""Limits where no difference at all is allowed on the training rows."""

Settings = tuple[int, float]


def settings_around(remedy: RulesPlan) -> tuple[Settings, ...]:
    """Return the settings that are compared, the asked ones among them.

    Examples
    --------
    >>> settings_around(RulesPlan(max_complexity=4, fairness=None))
    ((2, 1.0), (4, 1.0), (6, 1.0), (8, 1.0))
    """
    asked = trained_limit(remedy)
    complexities = {min(max(int(remedy.max_complexity * times), 2), MAX_COMPLEXITY) for times in COMPLEXITIES}
    if remedy.fairness is None:
        limits = {1.0}
    elif remedy.max_fpr_difference is not None:
        # Two limits stay as they are.
        limits = {asked}
    elif asked == 0:
        limits = set(LIMITS_FROM_NOTHING)
    else:
        limits = {min(round(asked * times, 6), 1.0) for times in LIMITS if times != 1} | {asked}
    return tuple((complexity, limit) for complexity in sorted(complexities) for limit in sorted(limits))


def trained_limit(remedy: RulesPlan) -> float:
    """Return how far rates may be apart on the training rows; 1 where nothing must be alike."""
    return 1.0 if remedy.fairness is None else round(remedy.max_difference - remedy.margin, 12)


def iter_frontier(
    study: Study, remedy: RulesPlan, search: RuleSetClassifier, picked: Picked
) -> Generator[Event, Command | None, None]:
    """Choose a rule set for each setting, and measure all of them on the tuning rows.

    Notes
    -----
    A looser setting starts from the rule sets of tighter ones, so that on the training rows it is no less accurate than
    these; the asked setting is taken as it was found. All keep to the floors of what was picked.
    """
    if remedy.max_loss is not None:
        # The curve says what other losses give.
        yield Finished(pd.DataFrame(columns=list(FRONTIER)))
        return
    problem, pool = search.problem_, best_columns(search.problem_, search.pool_)
    asked = (remedy.max_complexity, trained_limit(remedy))
    own = picked.rules
    found: dict[Settings, tuple[Rules, RuleSetOutcome]] = {asked: (own, picked.outcome)}
    settings = settings_around(remedy)
    for number, (complexity, limit) in enumerate(settings):
        if (yield Progress(_setting_words(remedy, complexity, limit), number, len(settings))) is STOP:
            break
        if (complexity, limit) == asked:
            continue
        here = replace(problem, max_complexity=complexity)
        if not problem.factors:
            here = replace(here, max_difference=limit)
        tighter = [rules for (c, d), (rules, _) in found.items() if c <= complexity and d <= limit]
        columns = pool.joined(RuleColumns.of([rule for rules in (own, *tighter) for rule in rules], problem.rows))
        starts = [rules for rules in (_cut(here, own), *tighter) if rules]
        place_of = {rule: place for place, rule in enumerate(columns.rules)}
        chosen = choose(
            here, columns, [tuple(place_of[rule] for rule in rules) for rules in starts], floors=picked.floors
        )
        found[complexity, limit] = (chosen.rules, chosen.outcome)
    yield Finished(_measured(study, remedy, search, found, asked))


def _setting_words(remedy: RulesPlan, complexity: int, limit: float) -> str:
    """Return a setting in words, in the numbers of the plan: what may be different at all."""
    allowed = "" if remedy.fairness is None else f", {limit_text(limit + remedy.margin)} allowed"
    return f"complexity up to {complexity}{allowed}"


def _cut(problem: Problem, rules: Rules) -> Rules:
    """Return as many of the rules as fit, leaving out those first that are missed least."""
    while sum(1 + len(rule) for rule in rules) > problem.max_complexity:
        columns = RuleColumns.of(rules, problem.rows)
        left = [[other for other in range(len(rules)) if other != place] for place in range(len(rules))]
        errors = [outcome_of(problem, columns, places).errors for places in left]
        rules = tuple(rules[place] for place in left[int(np.argmin(errors))])
    return rules


def _measured(
    study: Study,
    remedy: RulesPlan,
    search: RuleSetClassifier,
    found: dict[Settings, tuple[Rules, RuleSetOutcome]],
    asked: Settings,
) -> pd.DataFrame:
    tune, n_learned = tuning_rows(study), search.problem_.rows.n_rows
    X, rows, free = (
        study.X.iloc[tune],
        limited_rows(study, remedy).take(tune),
        remedy.fairness is None,
    )
    records = []
    true = replace(search.problem_, factors=())
    for (complexity, limit), (rules, within) in sorted(found.items()):
        outcome = within
        if search.problem_.factors:
            outcome = outcome_of(true, RuleColumns.of(rules, true.rows), range(len(rules)))
        h = RuleSet(search.literals_, rules).predict(X)
        records.append(
            (
                complexity,
                # In the numbers of the plan: what may be different at all, and not only on the training rows.
                np.nan if free else round(limit + remedy.margin, 12),
                outcome.complexity,
                1 - outcome.errors / n_learned,
                np.nan if free else outcome.gap,
                float((h == rows.y).mean()),
                largest_gap(rate_gaps(rows, h, study.models.confidence)["gap"]),
                (complexity, limit) == asked,
            )
        )
    return pd.DataFrame(records, columns=list(FRONTIER))


PLAIN_FITTED, BEFORE_FITTED, SEARCHED, PICKED = 5, 30, 70, 75
"""Steps of `TOTAL` that are done when the search without a constraint, the search itself, the choice among what it
found, and then that of other settings begin."""


class FittedRuleSet(ClassifierMixin, BaseEstimator):
    """Rules that a person chose, or that were made of those of a search, read as a classifier.

    Parameters
    ----------
    rule_set : RuleSet
        Predicts class 1 where a rule holds, and class 0 elsewhere.
    search : RuleSetClassifier, optional
        What the rules come from; None where a person chose them.
    """

    def __init__(self, rule_set: RuleSet, search: RuleSetClassifier | None = None):
        self.rule_set = rule_set
        self.search = search
        self.classes_ = np.array([0, 1])

    def predict(self, X: pd.DataFrame) -> NDArray[np.int64]:
        """Return 1 for each row that a rule holds for, as ndarray, shape (n,)."""
        return self.rule_set.predict(X)


def iter_rules(study: Study, remedy: RulesPlan, name: str, known: Known) -> Fit:
    """Find a rule set, or take the one that a person chose, and judge it.

    Before is the rule set of the same settings without a constraint; where there is none anyway, and for chosen rules,
    it is a plain logistic regression.
    """
    check_rates(study, remedy.fairness)
    rated = limited_rows(study, remedy)
    wish = None
    course = StagedRun()
    held, learning = (study.X.iloc[rows] for rows in (study.split.held_out, study.split.learning))
    if (learner := remedy.plain_model()) is not None:
        rule_set = read_rules(study, remedy.rules) if remedy.rules else None
        end = FITTED if rule_set else BEFORE_FITTED
        before = yield from iter_before(study, learner, known, course, end=end)
        free = None
    else:
        rule_set = None
        score = yield from iter_yardstick(study, known, course, end=PLAIN_FITTED)
        free = unwrap(known(remedy.baseline()))
        if free is None:
            words = "Without a limit"
            events = _search(study, remedy.baseline())
            free = yield from course.part(events, start=PLAIN_FITTED, end=BEFORE_FITTED, words=words)
        free_name = without_name(f"rules of complexity up to {remedy.max_complexity}")
        judged_before, learned_before = (study.to_favorable(free.predict(rows)) for rows in (held, learning))
        before = Baseline(free_name, Judged(judged_before), learned_before, score)
        if remedy.no_group_worse_off:
            wish = GroupFloors.of(study, rated, free.predict(study.X))
    # A stop that comes later leaves this search complete, so that it can serve other remedies.
    kept = None if free is None or course.stopped else as_favorable(study, free)
    if rule_set is not None:
        model: FittedRuleSet | RuleSetClassifier = FittedRuleSet(rule_set)
        found = JudgedRules(rule_set)
    else:
        search = _searched(unwrap(known(remedy)))
        if search is None:
            search = yield from course.part(_search(study, remedy), start=BEFORE_FITTED, end=SEARCHED)
        picked = yield from course.part(iter_picked(study, search, free, wish), start=SEARCHED, end=PICKED)
        found = yield from _with_frontier(study, remedy, search, picked, course)
        model = search if picked.is_own else FittedRuleSet(found.rules, search)
    yield Progress(JUDGING, FITTED, TOTAL)
    fitted = FittedRemedy.without_score(study, model)
    details = rules_details(study, remedy, found, close_columns(study, found.rules.columns))
    candidate = judged(
        study,
        remedy,
        name,
        before,
        fitted,
        # A gap as small as possible is no limit.
        wish=None if remedy.max_loss is not None else rated,
        keeps=None if wish is None else wish.on_tuning,
        details=details,
        warnings=_warnings(study, remedy, found, details, fitted),
        uses_features=bool(details.rules["uses_protected"].any()),
        certificate=None if found.search is None else found.search.certified_,
    )
    return replace(candidate, plain=kept)


def _searched(model: FittedRuleSet | RuleSetClassifier | None) -> RuleSetClassifier | None:
    """Return the search that a known model comes from; None where there is none."""
    return model.search if isinstance(model, FittedRuleSet) else model


def _search(study: Study, remedy: RulesPlan) -> Generator[Event, Command | None, None]:
    rows = learned_rows(study)
    classifier = RuleSetClassifier(
        remedy.max_complexity,
        fairness=remedy.fairness,
        max_difference=trained_limit(remedy),
        max_loss=remedy.max_loss,
        max_fpr_difference=_within_margin(remedy),
        objective=remedy.objective,
        max_rule_length=remedy.max_rule_length,
        method=remedy.solver,
        use_sensitive=remedy.use_sensitive,
        time_limit=remedy.time_limit,
        binarizer=Binarizer(columns=_columns(study, remedy), min_level_count=study.models.min_level_count),
        random_state=study.seed,
        **certifying(remedy.confidence),
    )
    strata = strata_of(study, remedy)
    who = {"sensitive_features": study.groups[rows], "population": study.in_filter[rows]}
    who |= {} if strata is None else {"strata": strata[rows]}
    return classifier.iter_fit(study.X.iloc[rows], positive_labels(study)[rows], **who)


def _within_margin(remedy: RulesPlan) -> float | None:
    """Return how far false positive rates may be apart on the training rows, where that is another limit."""
    return None if remedy.max_fpr_difference is None else round(remedy.max_fpr_difference - remedy.margin, 12)


def _columns(study: Study, remedy: RulesPlan) -> list[str]:
    """Return the columns that rules may use: all features, or those that do not reveal who is protected."""
    left_out = () if remedy.use_sensitive else study.facts.protected_features
    columns = [name for name in study.facts.features if name not in left_out]
    if not columns:
        raise InputError(
            "Every feature reveals the group, so no rule can be built.",
            hint="Choose other features, or let rules use columns that reveal the group.",
        )
    return columns


def _with_frontier(
    study: Study, remedy: RulesPlan, search: RuleSetClassifier, picked: Picked, course: StagedRun
) -> Generator[Event, Command | None, JudgedRules]:
    """Compare what was picked with other settings, unless it was stopped, and say what happened to that."""
    rule_set = search.rule_set_ if picked.is_own else RuleSet(search.literals_, picked.rules)
    rule_set = replace(rule_set, outcome=study.facts.positive_meaning)
    kept = None if picked.is_own else picked.outcome
    found = JudgedRules(rule_set, search, kept=kept, stopped=course.stopped)
    events = iter_frontier(study, remedy, search, picked)
    frontier = yield from course.part(events, start=PICKED, end=FITTED, words="Other settings")
    return replace(found, frontier=frontier, stopped=course.stopped)


def _warnings(
    study: Study, remedy: RulesPlan, found: JudgedRules, details: RulesDetails, fitted: FittedRemedy
) -> tuple[str, ...]:
    learned = learned_rows(study)
    covers = found.rules.coverage(study.X.iloc[learned])
    numbers = range(1, covers.shape[1] + 1)
    n_covered = pd.Series(covers.sum(axis=0), index=numbers)
    n_right = pd.Series(covers[positive_labels(study)[learned] == 1].sum(axis=0), index=numbers)
    return (
        *group_warnings(study),
        *(() if remedy.rules else unknown_group_warnings(study)),
        *((remark(Message("rules-doubt-components"), "setting"),) if study.models.n_components is not None else ()),
        *rules_warnings(details, n_covered, n_right),
        *similar_warnings(limited_rows(study, remedy)),
        *model_warnings(None, fitted.held_out.prediction, what="list of rules"),
    )
