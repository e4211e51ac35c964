"""The people of an audit, counted: who each count is of."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.audit.people import AMOUNT, DECISION, People, column_key, number_key
from fairaudit.disclosure.ledger import Mask
from fairaudit.disclosure.means_of_few import MOST_KNOWN
from fairaudit.disclosure.shared import Amounts
from fairaudit.plan import OutcomePlan


class CountedPeople:
    """The people of an audit by all that its figures depend on, but for columns that are hidden.

    Parameters
    ----------
    people : People
        Who they are, and what happened to them.
    decision : OutcomePlan
        What the audit is about.
    without : tuple of str
        Columns that are hidden.
    """

    def __init__(self, people: People, decision: OutcomePlan, without: tuple[str, ...]):
        self.people, self.decision, self.without = people, decision, without
        self.frame, self._place = _fewer(people.counts, without)
        self.n = self.frame["n"].to_numpy()
        numbers: dict[tuple[Any, ...], int] = {}
        self.who = np.array([numbers.setdefault(key, len(numbers)) for key in self._attributes(self.frame)], dtype=int)
        """The attributes of each combination of people, numbered."""
        self._by_column: dict[str, tuple[Amounts, np.ndarray]] = {}

    @property
    def behind(self) -> np.ndarray:
        """For each combination how many people of its attributes have all outcomes; 0 where it lacks one."""
        numbers = [key for key in self.people.outcomes if key.startswith(number_key(""))]
        others = [key for key in self.people.outcomes if key not in numbers]
        has_all = (self.frame[numbers].astype(bool).all(axis=1) & self.frame[others].notna().all(axis=1)).to_numpy()
        # Who reads that nobody has an amount may take it that nobody does.
        has_all = has_all & bool(others)
        n = np.bincount(self.who, weights=self.n * has_all)
        return np.where(has_all, n[self.who] if len(n) else 0, 0)

    def n_values(self, column: str) -> int:
        """Return how many values a column has."""
        return self.frame[column_key(column)].nunique()

    def met(self, condition: str | None, *, truth: bool | None = True) -> Mask:
        """Return for whom a condition is true, false, or neither; no condition is true for all."""
        if condition is None:
            return np.full(len(self.frame), truth is True)
        return self.outcome(self.people.truth_key(condition), truth)

    def outcome(self, key: str, truth: bool | None) -> Mask:
        """Return for whom something is true, false, or neither."""
        values = self.frame[key]
        if truth is None:
            return values.isna().to_numpy()
        return (values.notna() & (values == truth)).to_numpy()

    def group_of(self, values: tuple[tuple[str, Any], ...]) -> Mask:
        """Return who has these values in columns."""
        inside = np.ones(len(self.frame), dtype=bool)
        for column, value in values:
            own = self.frame[column_key(column)]
            inside &= (own.isna() if value is None else own.notna() & (own == value)).to_numpy()
        return inside

    def who_all(self, inside: Mask) -> Mask:
        """Return the combinations all of whose people are among these, who are counted by hidden columns, too."""
        return np.bincount(self._place, weights=~inside, minlength=len(self.frame)) == 0

    def known(self, columns: tuple[str, ...]) -> Mask:
        """Return who has a value in each column."""
        return self.frame[[column_key(name) for name in columns]].notna().all(axis=1).to_numpy()

    @cached_property
    def states(self) -> tuple[Mask, Mask, Mask]:
        """Who has the good outcome, who the other one, and who none; with amounts, all who have one are good."""
        if self.decision.kind.has_good_outcome:
            return self.outcome(DECISION, True), self.outcome(DECISION, False), self.outcome(DECISION, None)
        there = self.outcome(number_key(self.decision.column), True)
        return there, np.zeros_like(there), ~there

    def amounts(self, column: str) -> tuple[Amounts, np.ndarray]:
        """Return what people have in a column, and the number of the attributes beside each amount, as in `who`."""
        if column not in self._by_column:
            found, _ = _fewer(self.people.amounts(column), self.without)
            numbers = dict(zip(self._attributes(self.frame), self.who.tolist(), strict=True))
            who = np.array([numbers[key] for key in self._attributes(found)], dtype=int)
            self._by_column[column] = Amounts(found[AMOUNT].to_numpy(), found["n"].to_numpy()), who
        return self._by_column[column]

    @property
    def has_known_amounts(self) -> bool:
        """Whether the decision is one of so few amounts that a reader is taken to know them, such as a tariff."""
        if self.decision.kind.has_good_outcome:
            return False
        return len(np.unique(self.amounts(self.decision.column)[0].values)) <= MOST_KNOWN

    def parts(self, masks: Iterable[Mask]) -> np.ndarray:
        """Return of which parts, those of `amounts`, some people are made.

        Shapes: returns (n_masks, n_parts).
        """
        rows = [np.bincount(self.who[mask], minlength=self.who.max() + 1) > 0 for mask in masks]
        return np.array(rows, dtype=bool).reshape(len(rows), self.who.max() + 1)

    def _attributes(self, people: pd.DataFrame) -> list[tuple[Any, ...]]:
        """Return who people are, without what happened to them."""
        names = [name for name in self.people.attributes if name in self.frame]
        return list(people[names].itertuples(index=False, name=None)) if names else [()] * len(people)


def _fewer(people: pd.DataFrame, columns: tuple[str, ...]) -> tuple[pd.DataFrame, np.ndarray]:
    """Return people counted without some columns, and in which row those of each row now are."""
    if not columns:
        return people, np.arange(len(people))
    people = people.drop(columns=[column_key(name) for name in columns])
    by = [name for name in people if name != "n"]
    if not by:
        return pd.DataFrame({"everyone": [True], "n": [people["n"].sum()]}), np.zeros(len(people), dtype=int)
    groups = people.groupby(by, dropna=False, sort=False)
    return groups["n"].sum().reset_index(), groups.ngroup().to_numpy()
