"""From a table to the splits that trees are made of.

A row goes left where the literal of a split holds. Numbers and dates are compared with cuts, categories with subsets of
their levels, and "is missing" is a split of its own; missing values and values never seen go right in all others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions.words import name_in_words
from fairaudit.errors import InputError, quote
from fairaudit.estimators.rules.binarizer import ColumnLiterals, LiteralChoice, find_literals
from fairaudit.estimators.rules.literals import Literal, as_frame
from fairaudit.estimators.rules.proxies import columns_that_reveal_groups
from fairaudit.findings import Message, Phrase
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.grouping import Grouping
from fairaudit.messages import say

# Which subsets of the levels of a category go left.
#
# Levels are read as codes, as in :mod:`fairaudit.estimators.rules.binarizer`: one for each level that has rows
# enough, one for all other values, and one for "missing". Other and missing values go right in each split, and so do
# values never seen.

ALL_SUBSETS_UP_TO: Final = 5
"""Up to this many levels, other values and missing ones counted as one, each subset is a split where there is room."""

ALL_SUBSETS_WITH_ROOM: Final = 8
"""The same where all subsets take no more than half of the splits that a column may have."""


def category_splits(
    found: ColumnLiterals, codes: NDArray[np.int64], targets: NDArray[np.float64], n_splits: int
) -> ColumnLiterals:
    """Return the splits of a category.

    Shapes: `codes` (n_rows,), `targets` (n_rows,).
    """
    n_levels = len(found.points)
    counts = np.bincount(codes, minlength=n_levels + 2)
    parts = [place for place in range(n_levels) if counts[place]]
    # What stays right in each split: other and missing values, or the most frequent level where there are none.
    if not counts[n_levels:].any() and parts:
        parts.remove(max(parts, key=lambda place: (counts[place], -place)))
    sums = sums_by_code(codes, targets, n_levels + 2)
    n_subsets = 2 ** len(parts) - 1
    if (len(parts) < ALL_SUBSETS_UP_TO and n_subsets <= max(n_splits, 3)) or (
        len(parts) < ALL_SUBSETS_WITH_ROOM and n_subsets <= n_splits // 2
    ):
        subsets = [subset for size in range(1, len(parts) + 1) for subset in combinations(parts, size)]
    else:
        subsets = list(_few_subsets(counts, sums, n_levels, n_splits))
    levels = [point.item() if isinstance(point, np.generic) else point for point in found.points]
    literals, held = [], []
    for subset in subsets:
        literals.append(Literal(found.column, "among", tuple(levels[place] for place in subset)))
        held.append(np.isin(np.arange(n_levels + 2), subset))
    if counts[-1] and counts[-1] < len(codes):
        literals.append(Literal(found.column, "missing"))
        held.append(np.arange(n_levels + 2) == n_levels + 1)
    table = np.array(held, dtype=bool).reshape(-1, n_levels + 2).T
    return ColumnLiterals(found.column, found.kind, found.points, True, tuple(literals), table)


def _few_subsets(
    counts: NDArray[np.int64], sums: NDArray[np.float64], n_levels: int, n_splits: int
) -> Iterator[tuple[int, ...]]:
    """Yield the most frequent levels alone, and the lower part up to some places in the order of means."""
    places = np.flatnonzero(counts[:n_levels])
    frequent = places[np.argsort(-counts[places], kind="stable")]
    alone = max((n_splits + 1) // 2, 1)
    yield from ((int(place),) for place in sorted(frequent[:alone]))
    order = places[np.argsort(sums[places] / counts[places], kind="stable")]
    below = np.cumsum(counts[order])[:-1]
    n_cuts = min(len(below), max(n_splits - min(alone, len(frequent)), 1))
    # Cuts that part the rows about evenly.
    ends = np.unique(np.searchsorted(below, np.arange(1, n_cuts + 1) * counts[order].sum() / (n_cuts + 1)))
    if n_cuts == len(below):
        ends = np.arange(len(below))
    for end in ends[ends < len(below)]:
        lower = order[: end + 1]
        if len(lower) > 1:
            yield tuple(sorted(int(place) for place in lower))


MOST_SPLITS: Final = {1: 1_000, 2: 240, 3: 80, 4: 40}
"""By depth, splits that can be searched through; deeper trees take those of the deepest."""

RESOLUTIONS: Final = (256, 128, 64, 48, 32, 24, 16, 12, 9, 7, 5, 4, 3, 2, 1)
"""Splits of one column: the first number for which all fit is taken."""

MIN_LEVEL_COUNT: Final = 5
"""The fewest rows that give a category a place of its own."""

MAX_LEVELS: Final = 24
"""The most frequent levels of a category that have one."""

MOST_NAMED: Final = 6
"""Columns that a note names, at most."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The splits that trees may be made of.

    Parameters
    ----------
    features : tuple of str
        The columns of the table.
    splits : tuple of Literal
        The splits.
    holds : ndarray of bool, shape (n_rows, n_splits)
        Whether each holds for each row.
    columns : tuple of int
        For each split, the place of its column in `features`.
    levels : mapping of int to tuple of int
        For categories, by their place in `features`: the splits that ask for one level.
    notes : tuple of str
        What was left out, as sentences.
    """

    features: tuple[str, ...]
    splits: tuple[Literal, ...]
    holds: NDArray[np.bool_]
    columns: tuple[int, ...]
    levels: Mapping[int, tuple[int, ...]]
    notes: tuple[str, ...]


def find_candidates(
    X: pd.DataFrame,
    targets: NDArray[np.float64],
    grouping: Grouping,
    *,
    max_depth: int,
    use_sensitive: bool,
    max_splits: int | None = None,
) -> Candidates:
    """Choose the splits.

    Shapes: `X` (n_rows, n_features), `targets` (n_rows,).

    Examples
    --------
    >>> from fairaudit.measure.grouping import group_rows
    >>> X = pd.DataFrame({"age": [20, 30, 40, 40], "one": [1, 1, 1, 1]})
    >>> found = find_candidates(X, np.array([0.0, 1.0, 1.0, 1.0]), group_rows(None, 4), max_depth=2, use_sensitive=True)
    >>> [split.words() for split in found.splits]
    ['age is at most 20', 'age is at most 30']
    """
    frame = as_frame(X)
    if not frame.columns.is_unique:
        raise InputError("'X' has two columns with the same name as text.", hint="Rename one of them.")
    revealing = () if use_sensitive else columns_that_reveal_groups(frame, grouping)
    used = [name for name in frame.columns if name not in set(revealing)]
    notes = []
    if revealing:
        named = Phrase(", ".join(map(quote, revealing)))
        notes.append(say(Message("tree-note-revealing", {"columns": named})))
    most = max_splits or MOST_SPLITS[min(max_depth, max(MOST_SPLITS))]
    found = _at_best_resolution(frame, used, targets, most)
    kept, codes_of = _distinct(found)
    notes += _notes_on_levels(found)
    notes += _note_on_choice(frame, found)
    splits = tuple(literal for column in kept for literal in column.literals)
    blocks = [column.table[codes_of[column.column]] for column in kept]
    places = {name: place for place, name in enumerate(frame.columns)}
    columns = tuple(places[literal.column] for literal in splits)
    categories = {places[column.column] for column in kept if column.has_levels}
    return Candidates(
        features=tuple(frame.columns),
        splits=splits,
        holds=np.hstack(blocks) if blocks else np.zeros((len(frame), 0), dtype=bool),
        columns=columns,
        levels={
            feature: tuple(
                place for place, literal in enumerate(splits) if columns[place] == feature and literal.kind == "equals"
            )
            for feature in sorted(categories)
        },
        notes=tuple(notes),
    )


_Column = tuple[ColumnLiterals, NDArray[np.int64]]


def _at_best_resolution(
    frame: pd.DataFrame, names: list[str], targets: NDArray[np.float64], most: int
) -> list[_Column]:
    """Return the splits of each column with as many cuts as fit."""
    read: dict[str, _Column] = {}
    for n_splits in (n for n in RESOLUTIONS if n <= most):
        found: list[_Column] = []
        total = 0
        for name in names:
            found.append(_splits_of(frame, name, targets, n_splits, read))
            total += len(found[-1][0].literals)
            if total > most and n_splits > RESOLUTIONS[-1]:
                break
        else:
            return found
    return []


def _splits_of(
    frame: pd.DataFrame, name: str, targets: NDArray[np.float64], n_splits: int, read: dict[str, _Column]
) -> _Column:
    """Return the splits of a column; categories are read once, and split anew."""
    if name in read:
        column, codes = read[name]
        return category_splits(column, codes, targets, n_splits), codes
    choice = LiteralChoice(n_splits + 1, MIN_LEVEL_COUNT, MAX_LEVELS, add_negations=False)
    column = find_literals(frame, name, choice)
    if column.has_levels and not len(column.points):
        # Few rows: then each level has a place.
        column = find_literals(frame, name, LiteralChoice(n_splits + 1, 1, MAX_LEVELS, add_negations=False))
    codes = column.codes(frame)
    if not column.has_levels:
        return column, codes
    read[name] = column, codes
    return category_splits(column, codes, targets, n_splits), codes


def _distinct(found: list[_Column]) -> tuple[list[ColumnLiterals], dict[str, NDArray[np.int64]]]:
    """Return the columns with the splits that part the rows as none before does."""
    seen: set[bytes] = set()
    kept = []
    for column, codes in found:
        places = []
        for place in range(len(column.literals)):
            held = column.table[:, place][codes]
            if held.all() or not held.any():
                continue
            # A split and its opposite part the rows alike.
            digest = hashlib.blake2b(np.packbits(held ^ held[0]).tobytes(), digest_size=20).digest()
            if digest not in seen:
                seen.add(digest)
                places.append(place)
        kept.append(column.take(places))
    return kept, {column.column: codes for column, codes in found}


def _notes_on_levels(found: list[_Column]) -> list[str]:
    notes = []
    for column, codes in found:
        n_levels = len(column.points)
        if column.has_levels and column.kind == "text" and (codes == n_levels).any():
            notes.append(say(Message("tree-note-rare", {"column": Phrase(name_in_words(column.column))})))
    return notes


def _note_on_choice(frame: pd.DataFrame, found: list[_Column]) -> list[str]:
    """Say which columns could be split in more ways than are considered."""
    thinned = []
    for column, codes in found:
        if column.has_levels:
            counts = np.bincount(codes, minlength=len(column.points) + 2)
            n_parts = int((counts[:-2] > 0).sum()) + bool(counts[-2:].any())
            n_ways = 2 ** max(n_parts - 1, 0) - 1
            n_considered = sum(literal.kind != "missing" for literal in column.literals)
        else:
            n_ways, n_considered = frame[column.column].nunique() - 1, len(column.points)
        if n_considered < n_ways:
            thinned.append(name_in_words(column.column))
    if not thinned:
        return []
    named = ", ".join(thinned[:MOST_NAMED]) + (", …" if len(thinned) > MOST_NAMED else "")
    return [say(Message("tree-note-untried", {"columns": Phrase(named)}))]
