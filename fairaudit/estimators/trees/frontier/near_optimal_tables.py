"""All trees that are nearly as accurate as the best one, counted and searched without listing them.

For a set S of literals let e(T, S) be the wrong rows of a subtree T among the rows for which all of S hold. From the
longest sets to the empty one, the best subtree has::

    V(S) = min( e(0, S), e(1, S), min over l of V(S, l) + V(S, not l) )

and from the empty set down, a subtree below S may have this many wrong rows in some tree within E::

    room(S, l) = max over S of room(S) - V(S, not l)

A leaf that is wrong for no more rows than its room is part of some tree within E. The number of subtrees by their wrong
rows is a sum of convolutions over l. The least value of a linear form among the subtrees with no more than so many
wrong rows is a staircase, and staircases of the two sides are added in the same way.

In a list one side of each split is a leaf.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.frontier.conjunctions import LiteralSets
from fairaudit.estimators.trees.problem import NO_SPLIT, TreeRows, TreeShape, leaves_below
from fairaudit.work import Budget

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Form = Literal["tree", "list"]

NO_ROOM: Final = -1
"""Below any number of wrong rows."""
MANY: Final = 2**40
"""Wrong rows of a leaf that is too small: more than any table has."""
ENTRIES_AT_ONCE: Final = 1 << 20
"""Subtrees that are gone through at once."""
EXACT_IN_DOUBLE: Final = 2.0**53
"""Sums and products of whole numbers below this are exact in double precision."""
STEP: Final = 1e-12
"""Values of forms that differ by less are equal."""
LABELS_APART: Final = ((0, 1), (1, 0))

Subtree = int | tuple[int, "Subtree", "Subtree"]
"""A label, or a variable with the subtrees where it holds and where it does not."""


@dataclass(frozen=True, eq=False)
class LeafValues:
    """What leaves add to a linear form, for each length of sets, by the label that they predict."""

    # by label, and then by length: (n_sets,)
    of_label: tuple[list[Floats], list[Floats]]


@dataclass(frozen=True, eq=False)
class Staircases:
    """For the sets of one length, the least value of a form by the wrong rows that a subtree may have."""

    # (n_sets,) The place of each set among those that have room; -1 for others.
    places: Places
    # Wrong rows beyond the best that are counted apart.
    width: int
    # (n,) place * width + wrong rows beyond the best, ascending; a step of the staircase each.
    keys: Places
    values: Floats
    # (n_places + 1,) Where the steps of each place begin.
    first: Places

    def steps(self, number: int) -> tuple[Places, Floats]:
        """Return the wrong rows beyond the best and the values of one set's steps."""
        place = int(self.places[number])
        part = slice(int(self.first[place]), int(self.first[place + 1]))
        return self.keys[part] - place * self.width, self.values[part]

    def least(self, numbers: Places, beyond: Places) -> Floats:
        """Return the least values of sets for wrong rows beyond the best; infinite where there are fewer than none."""
        places = self.places[numbers]
        keys = places * self.width + np.clip(beyond, 0, self.width - 1)
        found = self.values[np.searchsorted(self.keys, keys, side="right") - 1]
        return np.where((beyond >= 0) & (places >= 0), found, np.inf)


class NearOptimalTables:
    """What is known of all subtrees, by the set of literals above them.

    The rows are counted in whole numbers; a tree is within where its wrong rows are at most `most_wrong`.
    """

    def __init__(
        self, rows: TreeRows, columns: Places, depth: int, *, form: Form, least_rows: int, within: float, budget: Budget
    ) -> None:
        self.rows, self.columns, self.form, self.budget = rows, columns, form, budget
        self.depth = depth
        self.holds = np.ascontiguousarray(rows.holds[:, columns], dtype=np.float64)
        self.sets = LiteralSets(len(columns), min(depth, len(columns)))
        self.longest = self.sets.longest
        kinds = 2 * rows.groups + rows.targets.astype(np.int64)
        weights = rows.weights.astype(np.float64)
        self.by_kind = self.sets.shorter_sums(
            np.array([self._longest_sums(np.where(kinds == kind, weights, 0.0)) for kind in range(2 * rows.n_groups)])
        )
        """(2 n_groups, n_sets) For each length, rows of each group with label 0 and with label 1."""
        self.is_leaf = [counts.sum(axis=0) >= max(least_rows, 1) for counts in self.by_kind]
        self.is_leaf[0][:] = True  # A tree that does not split may be as small as the table.
        zeros, ones = (
            [
                np.where(leaf, counts[wrong::2].sum(axis=0), MANY)
                for leaf, counts in zip(self.is_leaf, self.by_kind, strict=True)
            ]
            for wrong in (1, 0)
        )
        self.wrong = LeafValues((zeros, ones))
        self.leaves = [np.minimum(*pair) for pair in zip(*self.wrong.of_label, strict=True)]
        self.values = self._values()
        self.n_rows = int(weights.sum())
        self.least_wrong = int(self.values[0][0])
        self.most_wrong = int(np.floor(self.least_wrong + within * self.n_rows + 1e-6))
        self.rooms, self.leaf_rooms = self._rooms()
        self.counts: list[dict[int, NDArray[Any]]] = []

    def _longest_sums(self, weights: Floats) -> Floats:
        kept = np.flatnonzero(weights)
        self.budget.spend(
            products=len(kept) * float(self.sets.n_variables) ** self.longest / max(self.longest, 1),
            elements=8 * self.sets.sizes[-1],
            calls=self.sets.n_variables,
        )
        return self.sets.sums(self.holds[kept], weights[kept])

    def summed(self, weights: Floats) -> list[Floats]:
        """Return sums over the rows of all sets, by length. Shapes: `weights` (n_cells,)."""
        return self.sets.shorter_sums(self._longest_sums(weights))

    def rate_form(self, form: Floats) -> LeafValues:
        """Return what leaves add to a form of the predictions that counts rows of a kind alike; shape (n_cells,)."""
        rows = self.rows
        kinds = 2 * rows.groups + rows.targets.astype(np.int64)
        sizes = np.bincount(kinds, weights=rows.weights, minlength=2 * rows.n_groups)
        per_row = np.bincount(kinds, weights=form, minlength=len(sizes)) / np.maximum(sizes, 1.0)
        ones = [per_row @ counts for counts in self.by_kind]
        return LeafValues(([np.zeros_like(each) for each in ones], ones))

    def disagreement(self, h: Floats) -> LeafValues:
        """Return minus the rows of leaves that are decided otherwise than by predictions, shape (n_cells,)."""
        weights = self.rows.weights
        return LeafValues((self.summed(-weights * (h == 1)), self.summed(-weights * (h == 0))))

    def _children(self, length: int, owners: Places) -> tuple[Places, Places]:
        held, missed = self.sets.children[length]
        return held[owners].astype(np.int64), missed[owners].astype(np.int64)

    def _values(self) -> list[Floats]:
        found = [self.leaves[-1]]
        for length in range(self.longest - 1, -1, -1):
            held, missed = self.sets.children[length]
            below, leaves = found[-1], self.leaves[length + 1]
            if self.form == "tree":
                split = below[held] + below[missed]
            else:
                split = np.minimum(leaves[held] + below[missed], below[held] + leaves[missed])
            self.budget.spend(elements=4 * held.size)
            found.append(np.minimum(self.leaves[length], split.min(axis=1, initial=MANY)))
        return found[::-1]

    def _rooms(self) -> tuple[list[Floats], list[Floats]]:
        """Return how many wrong rows subtrees and leaves below each set may have in some tree that is within."""
        rooms = [np.full(len(values), float(NO_ROOM)) for values in self.values]
        leaf_rooms = [room.copy() for room in rooms]
        rooms[0][0] = leaf_rooms[0][0] = self.most_wrong
        for length in range(self.longest):
            owners = self.owners_from(rooms, length)
            values, leaves = self.values[length + 1], self.leaves[length + 1]
            for part in _parts(owners, self.sets.children[length][0].shape[1]):
                held, missed = self._children(length, part)
                room = rooms[length][part][:, None]
                for one, other in ((held, missed), (missed, held)):
                    # In a list the other side of a subtree is a leaf, and that of a leaf is any subtree.
                    for target, own, beside in (
                        (rooms, values, values if self.form == "tree" else leaves),
                        (leaf_rooms, leaves, values),
                    ):
                        left = np.where(own[one] + beside[other] <= room, room - beside[other], NO_ROOM)
                        np.maximum.at(target[length + 1], one.ravel(), left.ravel())
                self.budget.spend(elements=24 * held.size)
        return rooms, leaf_rooms

    def owners_from(self, rooms: list[Floats], length: int) -> Places:
        """Return the sets of a length whose best subtree has room."""
        return np.flatnonzero(self.values[length] <= rooms[length])

    def owners(self, length: int) -> Places:
        """Return the sets of a length whose best subtree has room."""
        return self.owners_from(self.rooms, length)

    def most_accurate(self) -> Subtree:
        """Return a tree with the fewest wrong rows; a leaf where ties allow."""
        return self._most_accurate(0, 0)

    def _most_accurate(self, length: int, number: int) -> Subtree:
        value = self.values[length][number]
        if length >= self.longest or self.leaves[length][number] <= value:
            return self._best_label(length, number)
        below, leaves = self.values[length + 1], self.leaves[length + 1]
        held, missed = (children[number].astype(np.int64) for children in self.sets.children[length])
        sides = [(below, below)] if self.form == "tree" else [(leaves, below), (below, leaves)]
        for one, other in sides:
            choices = np.flatnonzero(one[held] + other[missed] == value)
            if len(choices):
                choice = int(choices[0])
                subtrees = [
                    self._best_label(length + 1, child) if of_side is leaves else self._most_accurate(length + 1, child)
                    for of_side, child in ((one, int(held[choice])), (other, int(missed[choice])))
                ]
                return (int(self.sets.added[length][number >> length, choice]), subtrees[0], subtrees[1])
        raise ValueError("The best value of a set is that of a leaf or of a split.")

    def _best_label(self, length: int, number: int) -> int:
        zero, one = (values[length][number] for values in self.wrong.of_label)
        return int(one < zero)

    # Which rows are decided how

    def leaf_sets(self) -> tuple[NDArray[np.int32], NDArray[np.int8], Floats]:
        """Return all leaves of trees that are within: their literals, labels and the wrong rows of the best such tree.

        Literals are 2 v where variable v holds and 2 v + 1 where it does not; 2 L where there are fewer than longest.
        """
        literals, labels, wrong = [], [], []
        for length in range(self.longest + 1):
            for label, values in enumerate(self.wrong.of_label):
                inside = np.flatnonzero(values[length] <= self.leaf_rooms[length])
                signs = np.arange(length)
                missed = 1 - (inside[:, None] >> signs & 1)
                found = np.full((len(inside), max(self.longest, 1)), 2 * self.sets.n_variables, dtype=np.int32)
                found[:, :length] = 2 * self.sets.variables[length][inside >> length] + missed
                literals.append(found)
                labels.append(np.full(len(inside), label, dtype=np.int8))
                wrong.append(self.most_wrong - self.leaf_rooms[length][inside] + values[length][inside])
        order = np.argsort(np.concatenate(wrong), kind="stable")
        return np.concatenate(literals)[order], np.concatenate(labels)[order], np.concatenate(wrong)[order]

    # How many there are

    def iter_count(self) -> Generator[None, None, NDArray[Any]]:
        """Count the subtrees of all sets; return how many trees there are by wrong rows beyond the best."""
        self.counts = [{} for _ in range(self.longest + 1)]
        for length in range(max(self.longest - 1, 0), -1, -1):
            owners = self.owners(length)
            if length >= self.longest - 1:
                for part in _parts(owners, 2 + 2 * self._n_added(length)):
                    self._count_last(length, part)
                    yield
                continue
            for owner in owners.tolist():
                self.counts[length][owner] = self._counted(length, owner)
                yield
        return self.counts[0].get(0, np.zeros(0))

    def _n_added(self, length: int) -> int:
        return self.sets.n_variables - length if length < self.longest else 0

    def entries(
        self, length: int, owners: Places, forms: Sequence[LeafValues]
    ) -> tuple[Places, Places, Places, Floats]:
        """Return the leaves and stumps below sets that have room: places among owners, choices, wrong rows, values.

        Choices are 0 and 1 for leaves; 2 + 2 c + p for variable c outside the set with label p where it does not hold.
        Wrong rows are those beyond the best of the set. Shape of the values: (n, n_forms).
        """
        room = self.rooms[length][owners]
        parts = []
        for label in (0, 1):
            wrong = self.wrong.of_label[label][length][owners]
            near = np.flatnonzero(wrong <= room)
            values = [form.of_label[label][length][owners[near]] for form in forms]
            parts.append((near, np.full(len(near), label), wrong[near], _columns(values, len(near))))
        if length < self.longest:
            held, missed = self._children(length, owners)
            for one, other in LABELS_APART:
                wrong = self.wrong.of_label[one][length + 1][held] + self.wrong.of_label[other][length + 1][missed]
                places, choices = np.nonzero(wrong <= room[:, None])
                at_held, at_missed = held[places, choices], missed[places, choices]
                values = [
                    form.of_label[one][length + 1][at_held] + form.of_label[other][length + 1][at_missed]
                    for form in forms
                ]
                parts.append((places, 2 + 2 * choices + other, wrong[places, choices], _columns(values, len(places))))
            self.budget.spend(elements=20 * held.size)
        places, choices, wrong, all_values = (np.concatenate(column) for column in zip(*parts, strict=True))
        return places, choices, (wrong - self.values[length][owners][places]).astype(np.int64), all_values

    def _count_last(self, length: int, owners: Places) -> None:
        places, _, beyond, _ = self.entries(length, owners, ())
        widths = self._widths(length, owners)
        first = np.concatenate([[0], np.cumsum(widths)])
        counts = np.bincount(first[places] + beyond, minlength=int(first[-1])).astype(np.float64)
        for owner, start, end in zip(owners.tolist(), first[:-1].tolist(), first[1:].tolist(), strict=True):
            self.counts[length][owner] = counts[start:end]

    def _widths(self, length: int, owners: Places) -> Places:
        return (self.rooms[length][owners] - self.values[length][owners]).astype(np.int64) + 1

    def leaf_counts(self, length: int, number: int) -> tuple[int, NDArray[Any]]:
        """Return the fewest wrong rows of a set as a leaf, and how many leaves have so many more."""
        zero, one = (int(values[length][number]) for values in self.wrong.of_label)
        least = min(zero, one)
        if least >= MANY:
            return least, np.zeros(0)
        width = self.most_wrong - least + 1
        found = np.zeros(max(width, 0))
        for value in (zero, one):
            if value - least < width:
                found[value - least] += 1
        return least, found

    def splits(self, length: int, owner: int) -> tuple[Places, Places, Places]:
        """Return the splits of a set that have room: choices, and the sets where they hold and where they do not."""
        held, missed = (children[owner].astype(np.int64) for children in self.sets.children[length])
        values, leaves = self.values[length + 1], self.leaves[length + 1]
        if self.form == "tree":
            wrong = values[held] + values[missed]
        else:
            wrong = np.minimum(leaves[held] + values[missed], values[held] + leaves[missed])
        choices = np.flatnonzero(wrong <= self.rooms[length][owner])
        self.budget.spend(elements=4 * len(held), calls=1)
        return choices, held[choices], missed[choices]

    def side_counts(self, length: int, number: int) -> tuple[int, NDArray[Any]]:
        """Return the fewest wrong rows below a set, and how many subtrees have so many more."""
        value = int(self.values[length][number])
        return value, self.counts[length].get(number, np.zeros(0))

    def joined(self, length: int, owner: int, held: int, missed: int) -> NDArray[Any]:
        """Count the subtrees with one split, by wrong rows beyond the best of the set, two leaves alike included."""
        value = int(self.values[length][owner])
        width = int(self.rooms[length][owner]) - value + 1
        found: NDArray[Any] = np.zeros(width)
        below = length + 1
        pairs = [(1, self.side_counts(below, held), self.side_counts(below, missed))]
        if self.form == "list":
            one, other = self.leaf_counts(below, held), self.leaf_counts(below, missed)
            pairs = [
                (1, one, self.side_counts(below, missed)),
                (1, self.side_counts(below, held), other),
                (-1, one, other),
            ]
        for sign, (least, counts), (least_other, others) in pairs:
            start = least + least_other - value
            n = width - start
            if n <= 0 or not len(counts) or not len(others):
                continue
            product = convolved(counts[:n], others[:n])[:n]
            self.budget.spend(products=8.0 * min(len(counts), n) * min(len(others), n), calls=2)
            if product.dtype == object and found.dtype != object:
                found = as_whole(found)
            found[start : start + len(product)] += sign * product
        return found

    def alike(self, length: int, owner: int, held: int, missed: int) -> Iterator[int]:
        """Iterate over the wrong rows beyond the best of a split into two leaves alike."""
        value, room = int(self.values[length][owner]), int(self.rooms[length][owner])
        for values in self.wrong.of_label:
            wrong = int(values[length + 1][held] + values[length + 1][missed])
            if wrong <= room:
                yield wrong - value

    def _counted(self, length: int, owner: int) -> NDArray[Any]:
        value, room = int(self.values[length][owner]), int(self.rooms[length][owner])
        found: NDArray[Any] = np.zeros(room - value + 1)
        for values in self.wrong.of_label:
            wrong = int(values[length][owner])
            if wrong <= room:
                found[wrong - value] += 1
        _, held, missed = self.splits(length, owner)
        for one, other in zip(held.tolist(), missed.tolist(), strict=True):
            joined = self.joined(length, owner, one, other)
            if (
                joined.dtype == object
                or found.dtype == object
                or float(joined.max(initial=0)) + float(found.max()) >= EXACT_IN_DOUBLE
            ):
                found = as_whole(found)
                joined = as_whole(joined)
            found += joined
            for beyond in self.alike(length, owner, one, other):
                found[beyond] -= 1
        return found

    # The least value of a form

    def iter_least(self, form: LeafValues) -> Generator[None, None, list[Staircases]]:
        """Return the least value of a form below each set, by wrong rows; by length of sets."""
        found: list[Staircases] = []
        for length in range(max(self.longest - 1, 0), -1, -1):
            owners = self.owners(length)
            width = int(self._widths(length, owners).max(initial=1))
            keys, values = [], []
            if length >= self.longest - 1:
                for start, part in _numbered_parts(owners, max(2 + 2 * self._n_added(length), width)):
                    places, _, beyond, of_entries = self.entries(length, part, (form,))
                    lowest = np.full(len(part) * width, np.inf)
                    np.minimum.at(lowest, places * width + beyond, of_entries[:, 0])
                    self.budget.spend(elements=6 * lowest.size)
                    here, steps = steps_of(lowest.reshape(len(part), width))
                    keys.append(here + start * width)
                    values.append(steps)
                    yield
            else:
                for place, owner in enumerate(owners.tolist()):
                    lowest = self._least_of(length, owner, form, found[-1])
                    here, steps = steps_of(lowest[None])
                    keys.append(here + place * width)
                    values.append(steps)
                    yield
            places = np.full(len(self.values[length]), -1)
            places[owners] = np.arange(len(owners))
            all_keys = np.concatenate([*keys, np.zeros(0, dtype=np.int64)]).astype(np.int64)
            first = np.searchsorted(all_keys, np.arange(len(owners) + 1) * width)
            found.append(Staircases(places, width, all_keys, np.concatenate([*values, np.zeros(0)]), first))
        return found[::-1]

    def _least_of(self, length: int, owner: int, form: LeafValues, below: Staircases) -> Floats:
        value, room = int(self.values[length][owner]), int(self.rooms[length][owner])
        lowest = np.full(room - value + 1, np.inf)
        for wrong, of_leaf in zip(*self._leaf_steps(length, owner, form), strict=True):
            if wrong <= room:
                lowest[wrong - value] = min(lowest[wrong - value], of_leaf)
        _, held, missed = self.splits(length, owner)
        for one, other in zip(held.tolist(), missed.tolist(), strict=True):
            for ways in self.ways(below, one, other):
                wrong, values = self._steps(length + 1, one, ways[0], form, below)
                more, added = self._steps(length + 1, other, ways[1], form, below)
                total = wrong[:, None] + more[None, :] - value
                near = total < len(lowest)
                np.minimum.at(lowest, total[near], (values[:, None] + added[None, :])[near])
                self.budget.spend(elements=4 * total.size, calls=2)
        return lowest

    def ways(self, below: Staircases, held: int, missed: int) -> list[tuple[bool, bool]]:
        """Return whether the sides of a split are leaves, for all ways that there are."""
        if self.form == "tree":
            return [(False, False)]
        ways = [(True, False)] if below.places[missed] >= 0 else []
        return ways + ([(False, True)] if below.places[held] >= 0 else [])

    def _steps(
        self, length: int, number: int, is_leaf: bool, form: LeafValues, below: Staircases
    ) -> tuple[Places, Floats]:
        """Return the wrong rows and values that a side of a split can have."""
        if is_leaf:
            return self._leaf_steps(length, number, form)
        beyond, values = below.steps(number)
        return beyond + int(self.values[length][number]), values

    def _leaf_steps(self, length: int, number: int, form: LeafValues) -> tuple[Places, Floats]:
        wrong = np.array([values[length][number] for values in self.wrong.of_label]).astype(np.int64)
        return wrong, np.array([values[length][number] for values in form.of_label])

    def least_tree(self, form: LeafValues, stairs: list[Staircases], most_wrong: int) -> Subtree:
        """Return the tree with the least value of a form among those with no more wrong rows."""
        return self._least_subtree(0, 0, most_wrong, form, stairs)

    def _best_leaf(self, length: int, number: int, most_wrong: int, form: LeafValues) -> tuple[float, int]:
        """Return the value and label of the leaf with the least value; infinite where none has so few wrong rows."""
        wrong, values = self._leaf_steps(length, number, form)
        values = np.where(wrong <= most_wrong, values, np.inf)
        label = int(np.lexsort((wrong, values))[0])
        return float(values[label]), label

    def _least_subtree(
        self, length: int, number: int, most_wrong: int, form: LeafValues, stairs: list[Staircases]
    ) -> Subtree:
        if length >= self.longest - 1:
            _, choices, beyond, values = self.entries(length, np.array([number]), (form,))
            near = np.flatnonzero(beyond + int(self.values[length][number]) <= most_wrong)
            chosen = near[np.lexsort((beyond[near], choices[near] >= 2, np.round(values[near, 0] / STEP)))[0]]
            return self.chosen(length, number, int(choices[chosen]))
        least, best = self._best_leaf(length, number, most_wrong, form)
        below = stairs[length + 1]
        chosen_split: tuple[int, tuple[int, int], tuple[int, int], tuple[bool, bool]] | None = None
        for choice, one, other in zip(*(each.tolist() for each in self.splits(length, number)), strict=True):
            for ways in self.ways(below, one, other):
                wrong, values = self._steps(length + 1, one, ways[0], form, below)
                more, added = self._steps(length + 1, other, ways[1], form, below)
                total = np.where(wrong[:, None] + more[None, :] <= most_wrong, values[:, None] + added[None, :], np.inf)
                at = int(np.argmin(total))
                if total.flat[at] < least - STEP:
                    least = float(total.flat[at])
                    limits = int(wrong[at // len(more)]), int(more[at % len(more)])
                    chosen_split = choice, (one, other), limits, ways
        if chosen_split is None:
            return best
        choice, children, limits, ways = chosen_split
        sides = [
            self._best_leaf(length + 1, child, limit, form)[1]
            if is_leaf
            else self._least_subtree(length + 1, child, limit, form, stairs)
            for child, limit, is_leaf in zip(children, limits, ways, strict=True)
        ]
        return (int(self.sets.added[length][number >> length, choice]), sides[0], sides[1])

    def chosen(self, length: int, number: int, choice: int) -> Subtree:
        """Return the leaf or stump that a choice of `entries` is."""
        if choice < 2:
            return choice
        variable = int(self.sets.added[length][number >> length, (choice - 2) // 2])
        other = (choice - 2) % 2
        return (variable, 1 - other, other)


def _columns(values: list[Floats], n: int) -> Floats:
    return np.column_stack(values) if values else np.zeros((n, 0))


def _parts(owners: Places, n_each: int) -> Iterator[Places]:
    """Iterate over parts of some sets, so that each makes about `ENTRIES_AT_ONCE` entries."""
    for _, part in _numbered_parts(owners, n_each):
        yield part


def _numbered_parts(owners: Places, n_each: int) -> Iterator[tuple[int, Places]]:
    size = max(ENTRIES_AT_ONCE // max(n_each, 1), 1)
    for start in range(0, len(owners), size):
        yield start, owners[start : start + size]


def steps_of(lowest: Floats) -> tuple[Places, Floats]:
    """Return where rows fall to a new least value, as places in all rows together, and these values.

    Examples
    --------
    >>> steps_of(np.array([[3.0, np.inf, 2.0, 2.5], [np.inf, 1.0, 1.0, 0.0]]))
    (array([0, 2, 5, 7]), array([3., 2., 1., 0.]))
    """
    running = np.minimum.accumulate(lowest, axis=1)
    before = np.column_stack([np.full(len(running), np.inf), running[:, :-1]])
    kept = np.flatnonzero((running < before - STEP) | (np.isinf(before) & np.isfinite(running)))
    return kept, running.ravel()[kept]


def as_whole(counts: NDArray[Any]) -> NDArray[np.object_]:
    """Return counts as whole numbers of Python, which have no largest."""
    if counts.dtype == object:
        return counts
    return np.array([int(count) for count in counts.tolist()], dtype=object)


def convolved(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return the exact convolution of two arrays of counts.

    Examples
    --------
    >>> convolved(np.array([1.0, 2.0]), np.array([1.0, 0.0, 3.0])).tolist()
    [1.0, 2.0, 3.0, 6.0]
    """
    if one.dtype != object and other.dtype != object and float(one.sum()) * float(other.sum()) < EXACT_IN_DOUBLE:
        return np.convolve(one, other)
    return np.convolve(as_whole(one), as_whole(other))


def shape_of(subtree: Subtree, columns: Places, depth: int) -> TreeShape:
    """Return a subtree as a shape over the splits of a problem.

    Examples
    --------
    >>> shape_of((0, 1, (1, 0, 1)), np.array([4, 7]), 2)
    TreeShape(splits=(4, -1, 7), values=(1.0, 1.0, 0.0, 1.0))
    """
    splits, values = [NO_SPLIT] * (2**depth - 1), [0.0] * 2**depth
    waiting = [(1, subtree)]
    while waiting:
        node, below = waiting.pop()
        if isinstance(below, int):
            first, n_below = leaves_below(node, depth)
            values[first : first + n_below] = [float(below)] * n_below
        else:
            splits[node - 1] = int(columns[below[0]])
            waiting += [(2 * node, below[1]), (2 * node + 1, below[2])]
    return TreeShape(tuple(splits), tuple(values))
