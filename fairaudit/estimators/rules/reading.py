"""From features, labels and groups to the merged rows that rules are found on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from fairaudit.errors import quote
from fairaudit.estimators.rules.binarizer import Binarizer
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.rules.problem import Problem
from fairaudit.estimators.rules.rows import RuleRows
from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.estimators.rules.sensitive import columns_that_reveal_groups, names_of_groups
from fairaudit.measure.grouping import Grouping

LACKING = {
    "fnr": "no positive label, so its false negative rate",
    "fpr": "no negative label, so its false positive rate",
}
"""Why a group has no such rate. Groups have rows, so that the other rates are always defined."""


@dataclass(frozen=True, eq=False)
class Reading:
    """Rows as literals.

    Parameters
    ----------
    binarizer : Binarizer
        Fitted on the rows.
    literals : tuple of Literal
        Those that rules may be made of, in the order of ``rows.literals``.
    rows : RuleRows
        The merged rows.
    notes : tuple of str
        What was left out, in words.
    """

    binarizer: Any
    literals: tuple[Literal, ...]
    rows: RuleRows
    notes: tuple[str, ...]

    def rule_set(self, rules: tuple[tuple[int, ...], ...], outcome: str = "the outcome") -> RuleSet:
        """Return rules over indices of literals as a rule set."""
        return RuleSet(self.literals, rules, outcome)


def read_rows(
    X: pd.DataFrame, labels: NDArray[np.int64], grouping: Grouping, *, binarizer: Any, use_sensitive: bool
) -> Reading:
    """Learn literals and merge equal rows.

    Shapes: `X` (n, n_features), `labels` (n,).
    """
    fitted = Binarizer() if binarizer is None else clone(binarizer)
    held = np.asarray(fitted.fit(X).transform(X), dtype=bool)
    revealing = () if use_sensitive else columns_that_reveal_groups(X, grouping)
    left_out = set(revealing)
    kept = [place for place, literal in enumerate(fitted.literals_) if literal.column not in left_out]
    notes = []
    if len(kept) < len(fitted.literals_):
        names = ", ".join(quote(name) for name in revealing)
        notes.append(f"Rules were made without {names}, which would tell the groups.")
    if not kept:
        notes.append("No condition tells rows apart, so that there is no rule.")
    rows = RuleRows.merge(
        held if len(kept) == held.shape[1] else held[:, kept],
        labels.astype(bool),
        grouping.codes,
        names_of_groups(grouping),
    )
    return Reading(fitted, tuple(fitted.literals_[place] for place in kept), rows, tuple(notes))


def notes_on_groups(problem: Problem) -> tuple[str, ...]:
    """Say which groups are not compared, and in what."""
    if not problem.rates:
        return ()
    if problem.rows.n_groups < 2:
        return ("All rows are in one group, so that nothing is compared.",)
    notes = []
    for rate in problem.rates:
        for group in np.flatnonzero(~rate.defined):
            name = quote(problem.rows.group_names[group])
            notes.append(f"The group {name} has {LACKING[rate.name]} is not compared.")
        if rate.defined.sum() == 1:
            notes.append(f"Only one group has a {LACKING[rate.name].split(' its ')[1]}, so that none is compared.")
    return tuple(notes)
