"""A rule set with which no group is worse off, made of the rules that one search found.

The search itself knows limits between groups, and no floors. Its own rule set is taken where the tuning rows say that
it keeps to the wish; otherwise one is put together step by step within floors on the training rows, which the tuning
rows may raise.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairaudit.estimators.floors import Floors
from fairaudit.estimators.rules.problem import RuleColumns, RuleRows, RuleSetOutcome
from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.estimators.rules.search import choose
from fairaudit.events import STOP, Command, Event, Finished, Progress
from fairaudit.remedies.rules.pools import Rules, best_columns, own_rules
from fairaudit.study.rows import Study
from fairaudit.study.worse_off import MOST_RAISED, GroupFloors


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
    def own(cls, search: Any) -> Picked:
        """Return the rule set of a search."""
        return cls(own_rules(search, search), search.loss_)


def iter_picked(
    study: Study, search: Any, free: Any, wish: GroupFloors | None
) -> Generator[Event, Command | None, None]:
    """Pick a rule set that keeps to a wish on the tuning rows, or that of the search where there is none."""
    own = Picked.own(search)
    X = study.X.iloc[study.split.tune]
    if wish is None or wish.tuned.holds(search.predict(X)):
        floors = None if wish is None else by_kind(wish.floors, search.problem_.rows)
        yield Finished(replace(own, floors=floors))
        return
    problem = search.problem_
    starts = (own.rules, own_rules(free, search))
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
        if wish.tuned.holds(h):
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
