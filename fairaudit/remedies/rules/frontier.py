"""Rule sets of other settings, made of the rules that one search found: what complexity and limits cost.

Each is chosen on the training rows, step by step from what a neighbouring setting found, and measured on the tuning
rows. The steps are the same on every computer, however fast it is. Nothing is proven about these rule sets.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleSetOutcome, outcome_of
from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.estimators.rules.search import choose
from fairaudit.events import STOP, Command, Event, Finished, Progress
from fairaudit.measure.plain import names_of
from fairaudit.remedies.rules.details import FRONTIER
from fairaudit.remedies.rules.keeping import Picked
from fairaudit.remedies.rules.plan import MAX_COMPLEXITY, RulesPlan
from fairaudit.remedies.rules.pools import Rules, best_columns
from fairaudit.study.group_checks import tuning_rows
from fairaudit.study.rates_alike import largest_gap, limit_text, rate_gaps, rated_rows
from fairaudit.study.rows import Study

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
    elif asked == 0:
        limits = set(LIMITS_FROM_NOTHING)
    else:
        limits = {min(round(asked * times, 6), 1.0) for times in LIMITS if times != 1} | {asked}
    return tuple((complexity, limit) for complexity in sorted(complexities) for limit in sorted(limits))


def trained_limit(remedy: RulesPlan) -> float:
    """Return how far rates may be apart on the training rows; 1 where nothing must be alike."""
    return 1.0 if remedy.fairness is None else round(remedy.max_difference - remedy.margin, 12)


def iter_frontier(
    study: Study, remedy: RulesPlan, search: Any, picked: Picked
) -> Generator[Event, Command | None, None]:
    """Choose a rule set for each setting, and measure all of them on the tuning rows.

    Notes
    -----
    A looser setting starts from the rule sets of tighter ones, so that on the training rows it is no less accurate than
    these; the asked setting is taken as it was found. All keep to the floors of what was picked.
    """
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
        here = replace(problem, max_complexity=complexity, max_difference=limit)
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
    study: Study, remedy: RulesPlan, search: Any, found: dict[Settings, tuple[Rules, RuleSetOutcome]], asked: Settings
) -> pd.DataFrame:
    tune, n_learned = tuning_rows(study), search.problem_.rows.n_rows
    X, rows, free = (
        study.X.iloc[tune],
        rated_rows(study, remedy.fairness, remedy.max_difference).take(tune),
        remedy.fairness is None,
    )
    records = []
    for (complexity, limit), (rules, outcome) in sorted(found.items()):
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
    return pd.DataFrame(records, columns=names_of(FRONTIER))
