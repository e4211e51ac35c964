"""Conditions of rules that go against the direction of their column: fewer of those who meet one have the outcome.

"Passes if the grade is low" can be right together with other conditions, and it can be chance. Who reads it aloud
should know that by itself it points the other way.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.measure.intervals import newcombe
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.group_checks import tuning_rows
from fairaudit.study.rows import Study

ORDERED = ("at_most", "above", "below", "at_least")
"""Kinds of conditions that ask for more or for less of a column: only these have a direction."""


def contrary_literals(study: Study, rules: RuleSet) -> frozenset[Literal]:
    """Return the conditions where the outcome is clearly rarer on the tuning rows than in the rest of the column."""
    tuned = tuning_rows(study)
    frame, labels = study.X.iloc[tuned], positive_labels(study)[tuned]
    found = set()
    for literal in rules.literals:
        if literal.kind not in ORDERED:
            continue
        inside, outside = literal.holds(frame), literal.negated().holds(frame)
        n_inside, n_outside = int(inside.sum()), int(outside.sum())
        if not n_inside or not n_outside:
            continue
        sums = float(labels[inside].sum()), float(labels[outside].sum())
        _, high = newcombe(sums[0], n_inside, sums[1], n_outside, study.models.confidence)
        if float(np.asarray(high)) < 0:
            found.add(literal)
    return frozenset(found)


def contrary_words(literals: Iterable[Literal], contrary: frozenset[Literal]) -> str:
    """Return those of the conditions of a rule that go against their column; empty where none does."""
    return "; ".join(literal.words() for literal in literals if literal in contrary)
