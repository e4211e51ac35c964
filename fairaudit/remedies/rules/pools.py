"""What a search for rules leaves behind to make other rule sets of."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.problem import Problem, RuleColumns

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


def own_rules(search: Any, among: Any) -> Rules:
    """Return the rules of a search as literals of another search of the same columns, or of itself."""
    place_of = {literal: place for place, literal in enumerate(among.literals_)}
    rules = search.rule_set_
    return tuple(
        tuple(sorted(place_of[literal] for literal in rules.literals_of(rule))) for rule in range(len(rules.rules))
    )
