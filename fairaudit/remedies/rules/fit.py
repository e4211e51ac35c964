"""A rule set under a constraint, as a remedy of an audit."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from fairaudit.disclosure.said import remark
from fairaudit.errors import InputError
from fairaudit.estimators.rules.binarizer import Binarizer
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.events import Command, Event, Progress
from fairaudit.findings import Message
from fairaudit.remedies.plain.fit import iter_before, iter_yardstick
from fairaudit.remedies.rules.frontier import iter_frontier, trained_limit
from fairaudit.remedies.rules.keeping import Picked, iter_picked
from fairaudit.remedies.rules.measuring import Found, rules_details
from fairaudit.remedies.rules.plan import RulesPlan, plain_model, without_constraint
from fairaudit.remedies.rules.saying import rules_warnings
from fairaudit.remedies.rules.written_rules import read_rules
from fairaudit.study.bad_outcome_models import read_as_good, turned, unturned
from fairaudit.study.cautions import group_warnings, model_warnings, unknown_group_warnings
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.fitting import (
    FITTED,
    JUDGING,
    TOTAL,
    Before,
    Candidate,
    Course,
    Known,
    Made,
    judged,
)
from fairaudit.study.group_checks import learned_rows
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.proxies import close_columns
from fairaudit.study.rates_alike import check_rates, rated_rows
from fairaudit.study.rows import Study
from fairaudit.study.worse_off import GroupFloors

PLAIN_FITTED, BEFORE_FITTED, SEARCHED, PICKED = 5, 30, 70, 75
"""Steps of `TOTAL` that are done when the search without a constraint, the search itself, the choice among what it
found, and then that of other settings begin."""


class ChosenRules(ClassifierMixin, BaseEstimator):
    """Rules that a person chose, or that were made of those of a search, read as a classifier.

    Parameters
    ----------
    rule_set : RuleSet
        Predicts class 1 where a rule holds, and class 0 elsewhere.
    search : RuleSetClassifier, optional
        What the rules come from; None where a person chose them.
    """

    def __init__(self, rule_set: RuleSet, search: Any = None):
        self.rule_set = rule_set
        self.search = search
        self.classes_ = np.array([0, 1])

    def predict(self, X: pd.DataFrame) -> NDArray[np.int64]:
        """Return 1 for each row that a rule holds for, as ndarray, shape (n,)."""
        return self.rule_set.predict(X)


def iter_rules(study: Study, remedy: RulesPlan, name: str, known: Known) -> Generator[Event, Command | None, Candidate]:
    """Find a rule set, or take the one that a person chose, and judge it.

    Before is the rule set of the same settings without a constraint; where there is none anyway, and for chosen rules,
    it is a plain logistic regression.
    """
    check_rates(study, remedy.fairness)
    rated = rated_rows(study, remedy.fairness, remedy.max_difference)
    wish = None
    course = Course()
    held, learning = (study.X.iloc[rows] for rows in (study.split.held_out, study.split.learning))
    if (learner := plain_model(remedy)) is not None:
        rule_set = read_rules(study, remedy.rules) if remedy.rules else None
        end = FITTED if rule_set else BEFORE_FITTED
        before = yield from iter_before(study, learner, known, course, end=end)
        free = None
    else:
        rule_set = None
        score = yield from iter_yardstick(study, known, course, end=PLAIN_FITTED)
        free = unturned(known(without_constraint(remedy)))
        if free is None:
            words = "Without a limit"
            events = _search(study, without_constraint(remedy))
            free = yield from course.part(events, start=PLAIN_FITTED, end=BEFORE_FITTED, words=words)
        free_name = f"rules, no limit (complexity up to {remedy.max_complexity})"
        judged_before, learned_before = (turned(study, free.predict(rows)) for rows in (held, learning))
        before = Before(free_name, Judged(judged_before), learned_before, score)
        if remedy.no_group_worse_off:
            wish = GroupFloors.of(study, rated, free.predict(study.X))
    # A stop that comes later leaves this search complete, so that it can serve other remedies.
    kept = None if free is None or course.stopped else read_as_good(study, free)
    if rule_set is not None:
        found, model = Found(rule_set), ChosenRules(rule_set)
    else:
        search = _searched(unturned(known(remedy)))
        if search is None:
            search = yield from course.part(_search(study, remedy), start=BEFORE_FITTED, end=SEARCHED)
        picked = yield from course.part(iter_picked(study, search, free, wish), start=SEARCHED, end=PICKED)
        found = yield from _with_frontier(study, remedy, search, picked, course)
        model = search if picked.is_own else ChosenRules(found.rules, search)
    yield Progress(JUDGING, FITTED, TOTAL)
    after = Judged(turned(study, model.predict(held)))
    details = rules_details(study, remedy, found, close_columns(study, found.rules.columns))
    candidate = judged(
        study,
        remedy,
        name,
        before,
        Made(read_as_good(study, model), after, turned(study, model.predict(study.X.iloc[study.split.tune]))),
        wish=rated,
        keeps=None if wish is None else wish.tuned,
        details=details,
        warnings=_warnings(study, remedy, found, details, after),
        uses_features=bool(details.rules["uses_protected"].any()),
    )
    return replace(candidate, plain=kept)


def _searched(model: Any) -> Any:
    """Return the search that a known model comes from; None where there is none."""
    return model.search if isinstance(model, ChosenRules) else model


def _search(study: Study, remedy: RulesPlan) -> Generator[Event, Command | None, None]:
    rows = learned_rows(study)
    classifier = RuleSetClassifier(
        remedy.max_complexity,
        fairness=remedy.fairness,
        max_difference=trained_limit(remedy),
        objective=remedy.objective,
        max_rule_length=remedy.max_rule_length,
        use_sensitive=remedy.use_sensitive,
        time_limit=remedy.time_limit,
        binarizer=Binarizer(columns=_columns(study, remedy), min_level_count=study.models.min_level_count),
        random_state=study.seed,
    )
    return classifier.iter_fit(study.X.iloc[rows], positive_labels(study)[rows], sensitive_features=study.groups[rows])


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
    study: Study, remedy: RulesPlan, search: Any, picked: Picked, course: Course
) -> Generator[Event, Command | None, Found]:
    """Compare what was picked with other settings, unless it was stopped, and say what happened to that."""
    rule_set = search.rule_set_ if picked.is_own else RuleSet(search.literals_, picked.rules)
    rule_set = replace(rule_set, outcome=study.facts.positive_meaning)
    kept = None if picked.is_own else picked.outcome
    found = Found(rule_set, search, kept=kept, stopped=course.stopped)
    events = iter_frontier(study, remedy, search, picked)
    frontier = yield from course.part(events, start=PICKED, end=FITTED, words="Other settings")
    return replace(found, frontier=frontier, stopped=course.stopped)


def _warnings(study: Study, remedy: RulesPlan, found: Found, details: Any, after: Judged) -> tuple[str, ...]:
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
        *model_warnings(None, after.prediction, what="list of rules"),
    )
