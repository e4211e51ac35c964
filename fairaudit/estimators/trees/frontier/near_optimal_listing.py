"""Trees out of a set of nearly optimal ones: all that keep to limits on linear forms, or some drawn at random."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.frontier.near_optimal_tables import (
    STEP,
    LeafValues,
    NearOptimalTables,
    Staircases,
    Subtree,
)

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

ELEMENTS_PER_STEP: Final = 2_000
"""Elements of operations that a step takes, about."""


class TooManyStepsError(Exception):
    """More steps than may be taken."""


@dataclass(frozen=True, eq=False)
class ListedTree:
    """A tree of the set."""

    wrong: int
    # (n_forms,) What the forms come to.
    values: Floats
    subtree: Subtree


class Listing:
    """Trees by depth-first search in which no branch is begun that a bound of one form rules out."""

    # stairs: For each form, or None for those that are not limited, the staircases of each length.
    # most_steps: Of all searches together.
    def __init__(
        self,
        tables: NearOptimalTables,
        forms: Sequence[LeafValues],
        stairs: Sequence[list[Staircases] | None],
        most_steps: float = math.inf,
    ) -> None:
        self.tables, self.forms = tables, tuple(forms)
        self._bounded = [(place, each) for place, each in enumerate(stairs) if each is not None]
        self._steps_left = most_steps

    def iter_trees(self, most: Floats) -> Iterator[ListedTree]:
        """Iterate over the trees whose forms are at most `most`, shape (n_forms,); infinite where there is no limit."""
        yield from self._iter_below(0, 0, self.tables.most_wrong, most + STEP)

    def _step(self) -> None:
        self._steps_left -= 1
        self.tables.budget.spend(calls=4, elements=ELEMENTS_PER_STEP)
        if self._steps_left < 0:
            raise TooManyStepsError

    def _iter_below(self, length: int, number: int, most_wrong: int, most: Floats) -> Iterator[ListedTree]:
        tables = self.tables
        self._step()
        if length >= tables.longest - 1:
            _, choices, beyond, values = tables.entries(length, np.array([number]), self.forms)
            wrong = beyond + int(tables.values[length][number])
            near = np.flatnonzero((wrong <= most_wrong) & (values <= most).all(axis=1))
            for row in near.tolist():
                yield ListedTree(int(wrong[row]), values[row], tables.chosen(length, number, int(choices[row])))
            return
        yield from self._leaves(length, number, most_wrong, most)
        choices, held, missed = tables.splits(length, number)
        variables = tables.sets.added[length][number >> length]
        if tables.form == "tree":
            kept = np.flatnonzero(self._can_keep(length + 1, held, missed, most_wrong, most))
            for row in kept.tolist():
                variable, pair = int(variables[choices[row]]), (int(held[row]), int(missed[row]))
                yield from self._iter_joined(length + 1, variable, pair, most_wrong, most)
            return
        for choice, one, other in zip(choices.tolist(), held.tolist(), missed.tolist(), strict=True):
            yield from self._iter_chained(length + 1, int(variables[choice]), one, other, most_wrong, most)

    def _leaves(self, length: int, number: int, most_wrong: int, most: Floats) -> Iterator[ListedTree]:
        for label in (0, 1):
            wrong = int(self.tables.wrong.of_label[label][length][number])
            values = np.array([form.of_label[label][length][number] for form in self.forms])
            if wrong <= most_wrong and (values <= most).all():
                yield ListedTree(wrong, values, label)

    def _can_keep(self, length: int, held: Places, missed: Places, most_wrong: int, most: Floats) -> NDArray[np.bool_]:
        """Say for which splits no bound of one form is above its limit."""
        values = self.tables.values[length]
        beyond = (most_wrong - values[held] - values[missed]).astype(np.int64)
        kept = beyond >= 0
        for place, stairs in self._bounded:
            kept &= stairs[length].least(held, beyond) + stairs[length].least(missed, beyond) <= most[place]
        return kept

    def _least(self, length: int, number: int, most_wrong: int) -> Floats:
        """Return what forms are at least below a set, of subtrees with no more wrong rows."""
        beyond = most_wrong - int(self.tables.values[length][number])
        found = np.full(len(self.forms), -np.inf)
        for place, stairs in self._bounded:
            found[place] = stairs[length].least(np.array([number]), np.array([beyond]))[0]
        return found if beyond >= 0 else np.full(len(self.forms), np.inf)

    def _iter_joined(
        self, length: int, variable: int, pair: tuple[int, int], most_wrong: int, most: Floats
    ) -> Iterator[ListedTree]:
        held, missed = pair
        fewest = int(self.tables.values[length][missed])
        room = most_wrong - fewest
        at_least = self._least(length, missed, most_wrong - int(self.tables.values[length][held]))
        for one in self._iter_below(length, held, room, most - np.where(np.isfinite(at_least), at_least, 0.0)):
            left, limits = most_wrong - one.wrong, most - one.values
            if (self._least(length, missed, left) > limits).any():
                continue
            for other in self._iter_below(length, missed, left, limits):
                if not isinstance(one.subtree, int) or one.subtree != other.subtree:
                    yield _together(variable, one, other)

    def _iter_chained(
        self, length: int, variable: int, held: int, missed: int, most_wrong: int, most: Floats
    ) -> Iterator[ListedTree]:
        for one in self._leaves(length, held, most_wrong, np.full(len(most), np.inf)):
            if (self._least(length, missed, most_wrong - one.wrong) <= most - one.values).all():
                for other in self._iter_below(length, missed, most_wrong - one.wrong, most - one.values):
                    if one.subtree != other.subtree:
                        yield _together(variable, one, other)
        for other in self._leaves(length, missed, most_wrong, np.full(len(most), np.inf)):
            if (self._least(length, held, most_wrong - other.wrong) <= most - other.values).all():
                for one in self._iter_below(length, held, most_wrong - other.wrong, most - other.values):
                    # With two leaves, it was found above.
                    if not isinstance(one.subtree, int):
                        yield _together(variable, one, other)


def _together(variable: int, held: ListedTree, missed: ListedTree) -> ListedTree:
    return ListedTree(held.wrong + missed.wrong, held.values + missed.values, (variable, held.subtree, missed.subtree))


class Draws:
    """Trees drawn so that each of the set is as likely as any other; the set was counted."""

    def __init__(self, tables: NearOptimalTables, forms: Sequence[LeafValues], random: np.random.RandomState) -> None:
        self.tables, self.forms, self.random = tables, tuple(forms), random
        self._joined: dict[tuple[int, int], tuple[Places, Places, Places, list[NDArray[Any]]]] = {}

    def draw(self) -> ListedTree:
        """Draw a tree."""
        chances = _shares(self.tables.counts[0][0])
        return self._below(0, 0, self._choice(chances))

    def _choice(self, weights: Floats) -> int:
        ends = np.cumsum(weights)
        return int(np.searchsorted(ends, self.random.random_sample() * ends[-1], side="right").clip(0, len(ends) - 1))

    def _below(self, length: int, number: int, beyond: int) -> ListedTree:
        """Draw a subtree with so many wrong rows beyond the best."""
        tables = self.tables
        tables.budget.spend(calls=6, elements=ELEMENTS_PER_STEP)
        value = int(tables.values[length][number])
        if length >= tables.longest - 1:
            _, choices, each, values = tables.entries(length, np.array([number]), self.forms)
            rows = np.flatnonzero(each == beyond)
            row = int(rows[self.random.randint(len(rows))])
            return ListedTree(value + beyond, values[row], tables.chosen(length, number, int(choices[row])))
        leaves = [
            self._leaf(length, number, label)
            for label in (0, 1)
            if tables.wrong.of_label[label][length][number] == value + beyond
        ]
        choices, held, missed, joined = self._splits(length, number)
        weights = np.array([float(counts[beyond]) for counts in joined])
        while True:
            place = self._choice(np.concatenate([np.ones(len(leaves)), weights]))
            if place < len(leaves):
                return leaves[place]
            row = place - len(leaves)
            one, other = self._sides(length + 1, int(held[row]), int(missed[row]), value + beyond)
            # Two leaves alike were counted with the splits, and are no tree of the set.
            if not isinstance(one.subtree, int) or one.subtree != other.subtree:
                variable = int(tables.sets.added[length][number >> length, choices[row]])
                return _together(variable, one, other)

    def _splits(self, length: int, number: int) -> tuple[Places, Places, Places, list[NDArray[Any]]]:
        known = self._joined.get((length, number))
        if known is None:
            choices, held, missed = self.tables.splits(length, number)
            joined = [
                self.tables.joined(length, number, one, other)
                for one, other in zip(held.tolist(), missed.tolist(), strict=True)
            ]
            known = self._joined[length, number] = choices, held, missed, joined
        return known

    def _leaf(self, length: int, number: int, label: int) -> ListedTree:
        values = np.array([form.of_label[label][length][number] for form in self.forms])
        return ListedTree(int(self.tables.wrong.of_label[label][length][number]), values, label)

    def _sides(self, length: int, held: int, missed: int, wrong: int) -> tuple[ListedTree, ListedTree]:
        """Draw the sides of a split with so many wrong rows together."""
        tables = self.tables
        least, counts = tables.side_counts(length, held)
        least_other, others = tables.side_counts(length, missed)
        if tables.form == "tree":
            first = self._choice(self._products(least, counts, least_other, others, wrong))
            return self._below(length, held, first), self._below(length, missed, wrong - least - least_other - first)
        # A leaf and any subtree, or a subtree that is no leaf and a leaf.
        ways: list[tuple[int, int, float]] = []
        for side, (child, beside_least, beside) in enumerate(
            ((held, least_other, others), (missed, least, _without_leaves(tables, length, held, least, counts)))
        ):
            for label in (0, 1):
                left = wrong - int(tables.wrong.of_label[label][length][child]) - beside_least
                if 0 <= left < len(beside):
                    ways.append((side, label, float(beside[left])))
        side, label, _ = ways[self._choice(np.array([way[2] for way in ways]))]
        leaf = self._leaf(length, (held, missed)[side], label)
        if side == 0:
            return leaf, self._below(length, missed, wrong - leaf.wrong - least_other)
        while True:
            subtree = self._below(length, held, wrong - leaf.wrong - least)
            if not isinstance(subtree.subtree, int):
                return subtree, leaf

    @staticmethod
    def _products(least: int, counts: NDArray[Any], least_other: int, others: NDArray[Any], wrong: int) -> Floats:
        """Return how many pairs have so many wrong rows together, by those of the first beyond its best."""
        beyond = wrong - least - least_other
        firsts = np.arange(min(len(counts), beyond + 1))
        rest = beyond - firsts
        here = np.zeros(len(firsts))
        near = rest < len(others)
        here[near] = _shares(counts)[firsts[near]] * _shares(others)[rest[near]]
        return here


def _shares(counts: NDArray[Any]) -> Floats:
    """Return counts as numbers in double precision; the largest is 1, so that products stay finite."""
    most = max(counts.max(), 1)
    return np.array([float(count / most) for count in counts.tolist()])


def _without_leaves(
    tables: NearOptimalTables, length: int, number: int, least: int, counts: NDArray[Any]
) -> NDArray[Any]:
    """Return how many subtrees that are no leaf have so many wrong rows beyond the best."""
    found = counts.copy()
    for values in tables.wrong.of_label:
        beyond = int(values[length][number]) - least
        if beyond < len(found):
            found[beyond] -= 1
    return found
