"""How a table becomes the problem of a tree: candidate splits, settings, rows, limits and measures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions.words import name_in_words
from fairaudit.errors import InputError, quote, require
from fairaudit.estimators.floors import Floors
from fairaudit.estimators.rules.binarizer import (
    ColumnLiterals,
    LiteralChoice,
    columns_that_reveal_groups,
    find_literals,
)
from fairaudit.estimators.rules.literals import Literal, as_frame
from fairaudit.estimators.similar_cases import averages_of, notes_on_strata
from fairaudit.estimators.trees.measures import dtdi_measure, notes_on_groups
from fairaudit.estimators.trees.problem import (
    Limit,
    Measure,
    StrataCounts,
    Task,
    TreeProblem,
    TreeRows,
    didi_measure,
    floored,
    parity_limit,
)
from fairaudit.findings import Message, Phrase
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.grouping import Grouping, names_of_groups
from fairaudit.measure.vocabulary import AlikeInTrees
from fairaudit.messages import say

# From a table to the splits that trees are made of.
#
# A row goes left where the literal of a split holds. Numbers and dates are compared with cuts, categories with subsets
# of their levels, and "is missing" is a split of its own; missing values and values never seen go right in all others.

# Which subsets of the levels of a category go left.
#
# Levels are read as codes, as in :mod:`fairaudit.estimators.rules.binarizer`: one for each level that has rows
# enough, one for all other values, and one for "missing". Other and missing values go right in each split, and so do
# values never seen.

ALL_SUBSETS_UP_TO: Final = 5
"""Up to this many levels, other values and missing ones counted as one, each subset is a split where there is room."""

ALL_SUBSETS_WITH_ROOM: Final = 8
"""As `ALL_SUBSETS_UP_TO`, where all subsets take at most half of the splits that a column may have."""


def category_splits(
    found: ColumnLiterals,
    codes: NDArray[np.int64],
    targets: NDArray[np.float64],
    n_splits: int,
    weights: NDArray[np.float64] | None = None,
) -> ColumnLiterals:
    """Return the splits of a category. Shapes: `codes` (n_rows,), `targets` (n_rows,), `weights` (n_rows,)."""
    n_levels = len(found.points)
    counts = np.bincount(codes, weights=weights, minlength=n_levels + 2)
    parts = [place for place in range(n_levels) if counts[place]]
    # What stays right in each split: other and missing values, or the most frequent level where there are none.
    if not counts[n_levels:].any() and parts:
        parts.remove(max(parts, key=lambda place: (counts[place], -place)))
    sums = sums_by_code(codes, targets if weights is None else targets * weights, n_levels + 2)
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
    counts: NDArray[np.int64] | NDArray[np.float64], sums: NDArray[np.float64], n_levels: int, n_splits: int
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
    """The splits that trees may be made of."""

    # The columns of the table.
    features: tuple[str, ...]
    splits: tuple[Literal, ...]
    # (n_rows, n_splits) Whether each holds for each row.
    holds: NDArray[np.bool_]
    # For each split, the place of its column in `features`.
    columns: tuple[int, ...]
    # For categories, by their place in `features`: the splits that ask for one level.
    levels: Mapping[int, tuple[int, ...]]
    # What was left out, as sentences.
    notes: tuple[str, ...]


def find_candidates(
    X: pd.DataFrame,
    targets: NDArray[np.float64],
    grouping: Grouping,
    *,
    max_depth: int,
    use_sensitive: bool,
    max_splits: int | None = None,
    weights: NDArray[np.float64] | None = None,
) -> Candidates:
    """Choose the splits.

    Shapes: `X` (n_rows, n_features), `targets` (n_rows,), `weights` (n_rows,).

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
    found = _at_best_resolution(frame, used, targets, most, weights)
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
    frame: pd.DataFrame,
    names: list[str],
    targets: NDArray[np.float64],
    most: int,
    weights: NDArray[np.float64] | None,
) -> list[_Column]:
    """Return the splits of each column with as many cuts as fit."""
    read: dict[str, _Column] = {}
    for n_splits in (n for n in RESOLUTIONS if n <= most):
        found: list[_Column] = []
        total = 0
        for name in names:
            found.append(_splits_of(frame, name, targets, n_splits, read, weights))
            total += len(found[-1][0].literals)
            if total > most and n_splits > RESOLUTIONS[-1]:
                break
        else:
            return found
    return []


def _splits_of(
    frame: pd.DataFrame,
    name: str,
    targets: NDArray[np.float64],
    n_splits: int,
    read: dict[str, _Column],
    weights: NDArray[np.float64] | None,
) -> _Column:
    """Return the splits of a column; categories are read once, and split anew."""
    if name in read:
        column, codes = read[name]
        return category_splits(column, codes, targets, n_splits, weights), codes
    choice = LiteralChoice(n_splits + 1, MIN_LEVEL_COUNT, MAX_LEVELS, add_negations=False)
    column = find_literals(frame, name, choice, weights=weights)
    if column.has_levels and not len(column.points):
        # Few rows: then each level has a place.
        column = find_literals(
            frame, name, LiteralChoice(n_splits + 1, 1, MAX_LEVELS, add_negations=False), weights=weights
        )
    codes = column.codes(frame)
    if not column.has_levels:
        return column, codes
    read[name] = column, codes
    return category_splits(column, codes, targets, n_splits, weights), codes


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


# The settings of an optimal tree, checked before any work begins.

DEEPEST: Final = 8
DISCRIMINATIONS: Final = ("didi", "dtdi", "both")
CONSTRAINTS: Final = get_args(AlikeInTrees)
GAP_CONSTRAINTS: Final = tuple(name for name in CONSTRAINTS if name != "four_fifths")
"""Those that bound a difference of rates, which can be made small for accuracy lost."""
METHODS: Final = ("auto", "search", "scip", "published")
THROUGH_SCIP: Final = ("scip", "published")
"""Those that SCIP alone searches by."""
BRANCHINGS: Final = ("single", "linear")
LEAVES: Final = ("constant", "linear")
USUAL_DIFFERENCE: Final = 0.05
"""How far rates may be apart where a constraint is asked for and nothing else is said."""


@dataclass(frozen=True)
class TreeSettings:
    """The settings of an optimal tree; see the estimators."""

    task: Task
    max_depth: int
    # The indices that are priced or bounded.
    discrimination: str | None
    fairness_weight: float
    max_discrimination: float | None
    constraint: str | None
    # How far rates may be apart.
    max_difference: float | None
    # Whether splits may weigh several columns.
    branching: str
    # max_uses_per_feature, max_features: In how many nodes a column may be asked for, and how many columns.
    max_uses_per_feature: int | None
    max_features: int | None
    # Most splits that trees are made of.
    max_splits: int | None
    # min_leaf_size, n_neighbors: Fewest rows of a leaf, and near rows for DTDI.
    min_leaf_size: int
    n_neighbors: int
    method: str
    time_limit: float
    # Whether leaves may weigh several columns, in regression.
    leaves: str = "constant"
    # How much accuracy may be lost for the smallest gap.
    max_loss: float | None = None

    def __post_init__(self):
        self._check_discrimination()
        if self.task == "classification":
            check_difference(self.constraint, self.max_difference)
        else:
            self._check_regression()
        self._check_loss()
        if self.method == "search" and (reasons := self.beyond_search):
            raise InputError(f"'method' 'search' cannot be used with {reasons[0]}.", hint="Use 'auto' or 'scip'.")
        if self.method == "published" and self.is_linear:
            kind = "branching" if self.branching == "linear" else "leaves"
            raise InputError(f"'method' 'published' cannot be used with {kind}='linear'.", hint="Use 'auto' or 'scip'.")

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the indices that count."""
        if self.discrimination is None:
            return ()
        return ("didi", "dtdi") if self.discrimination == "both" else (self.discrimination,)

    @property
    def is_linear(self) -> bool:
        """Whether splits or leaves weigh several columns."""
        return self.branching == "linear" or self.leaves == "linear"

    @property
    def difference(self) -> float | None:
        """How far rates may be apart; None where nothing is asked for."""
        if self.constraint in (None, "four_fifths"):
            return None
        if self.max_loss is not None:
            return 1.0
        return USUAL_DIFFERENCE if self.max_difference is None else float(self.max_difference)

    @property
    def beyond_search(self) -> tuple[str, ...]:
        """Why our own searches cannot be used, each as words; empty where it can."""
        reasons = {
            "discrimination='dtdi' or 'both'": "dtdi" in self.measures and self.task == "classification",
            "branching='linear'": self.branching == "linear",
            "leaves='linear'": self.leaves == "linear",
            "'max_uses_per_feature'": self.max_uses_per_feature is not None,
            "'max_features'": self.max_features is not None,
        }
        return tuple(words for words, applies in reasons.items() if applies)

    def _check_loss(self) -> None:
        if self.max_loss is None:
            return
        if self.constraint not in GAP_CONSTRAINTS:
            raise InputError(
                f"'max_loss' makes a gap small and needs a 'constraint' of {', '.join(map(repr, GAP_CONSTRAINTS))}, "
                f"got {self.constraint!r}."
            )
        others = {
            "max_difference": self.max_difference is not None,
            "discrimination": self.discrimination is not None,
            "method": self.method in THROUGH_SCIP,
        }
        clashing = [f"'{name}'" for name, given in others.items() if given] + list(self.beyond_search)
        if clashing:
            raise InputError(f"'max_loss' cannot be used with {clashing[0]}.", hint="Leave one of them out.")

    def _check_discrimination(self) -> None:
        if self.discrimination is not None:
            return
        for name, given in (
            ("fairness_weight", self.fairness_weight > 0),
            ("max_discrimination", self.max_discrimination is not None),
        ):
            if given:
                raise InputError(
                    f"{name!r} needs an index of discrimination, and 'discrimination' is None.",
                    hint="Write discrimination='didi', for example.",
                )

    def _check_regression(self) -> None:
        if (self.constraint is None) != (self.max_difference is None):
            raise InputError(
                "'constraint' and 'max_difference' go together where a number is predicted.",
                hint="Say how far the mean predictions of two groups may be apart, in units of what is predicted.",
            )


def check_difference(constraint: str | None, max_difference: float | None) -> None:
    """Check that a largest difference goes with its constraint."""
    if max_difference is None:
        return
    if constraint is None:
        raise InputError("'max_difference' needs a 'constraint', and that is None.")
    if constraint == "four_fifths":
        raise InputError("'max_difference' must be None for 'four_fifths', whose share of 80 % is fixed.")


# From features, targets and groups to the problem that is searched.

MANY_ROWS: Final = 10_000
"""From this many rows on, at depth 4, more splits do better on new rows."""

MOST_SPLITS_OF_MANY: Final = 60
"""Splits at depth 4 from `MANY_ROWS` rows on, where the search for labels is exact without SCIP."""

MANY_CELLS: Final = 20_000
"""From this many different rows on, a search is likely to do all the work allowed, and says so."""

FEW_STRATA: Final = 12
"""Up to this many strata of similar cases, rows are merged in each by itself."""


@dataclass(frozen=True, eq=False)
class ScaledColumns:
    """Columns of numbers as linear splits and leaves weigh them: from 0 to 1 on the rows that are learned from."""

    columns: tuple[str, ...]
    # lowest, spread: (n_points,) What is taken away from each, and what it is divided by.
    lowest: NDArray[np.float64]
    spread: NDArray[np.float64]
    # (n_rows, n_points) The numbers.
    values: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PreparedProblem:
    """The problem of a tree, with the rows and candidate splits that it was made from."""

    # (n_rows, n_features) The features, their names as texts.
    frame: pd.DataFrame
    # (n_rows,) Labels 0 and 1, or numbers.
    targets: NDArray[np.float64]
    # The groups of the rows.
    grouping: Grouping
    candidates: Candidates
    # Over the merged rows.
    problem: TreeProblem
    # The features by which rows are near; None where DTDI was not asked for.
    near: pd.DataFrame | None
    # Numbers for linear splits and leaves; None where they were not asked for.
    points: ScaledColumns | None
    # What should be known, as sentences.
    notes: tuple[str, ...]
    # (n_rows,) How much each row counts; None where each counts once.
    weights: NDArray[np.float64] | None = None

    @property
    def size_in_words(self) -> str:
        """What will be searched, as a sentence for those who wait."""
        rows, n_splits = self.problem.rows, len(self.candidates.splits)
        return (
            f"Searching trees of depth {self.problem.max_depth}: {rows.n_rows:,} rows, {rows.n_cells:,} of which "
            f"differ in the {n_splits:,} splits"
        )


def read_problem(
    X: pd.DataFrame,
    targets: NDArray[np.float64],
    grouping: Grouping,
    settings: TreeSettings,
    *,
    use_sensitive: bool,
    floors: Floors | None = None,
    weights: NDArray[np.float64] | None = None,
    strata: NDArray[np.int64] | None = None,
) -> PreparedProblem:
    """Choose splits, merge rows and collect measures and limits.

    Shapes: `X` (n_rows, n_features), `targets` (n_rows,), `weights` (n_rows,), `strata` (n_rows,).
    """
    frame = as_frame(X)
    candidates = find_candidates(
        frame,
        targets,
        grouping,
        max_depth=settings.max_depth,
        use_sensitive=use_sensitive,
        max_splits=_most_splits(settings, len(frame)),
        weights=weights,
    )
    notes = list(candidates.notes)
    points = None
    if settings.is_linear:
        points, left_out = _read_points(frame, () if use_sensitive else columns_that_reveal_groups(frame, grouping))
        if left_out:
            notes.append(say(Message("tree-note-not-weighed")))
    apart = None if points is None else points.values
    if apart is None and strata is not None and len(np.unique(strata)) <= FEW_STRATA:
        # Then rows of each stratum count alike, and are counted once for all.
        apart = strata[:, None].astype(np.float64)
    rows = TreeRows.merge(candidates.holds, grouping.codes, targets, names_of_groups(grouping), apart, weights)
    near = None
    if "dtdi" in settings.measures:
        if settings.n_neighbors > len(frame):
            raise InputError(
                f"'n_neighbors' must be at most the number of rows, {len(frame):,}, got {settings.n_neighbors!r}."
            )
        revealing = set(columns_that_reveal_groups(frame, grouping))
        near = frame[[name for name in frame.columns if name not in revealing]]
        if not near.shape[1]:
            raise InputError("DTDI needs a column by which rows are near, besides those that reveal the group.")
    similar = None
    if strata is not None:
        averages = averages_of(
            require(settings.constraint), targets, grouping.codes, strata, grouping.n_groups, weights
        )
        for each in averages:
            each.check("the tree is learned from")
        notes += notes_on_strata(averages)
        similar = StrataCounts.of(rows.cells, strata, weights)
    limit = _limit(rows, settings, similar)
    problem = TreeProblem(
        rows=rows,
        task=settings.task,
        max_depth=settings.max_depth,
        measures=tuple(_measure(name, rows, near, grouping, settings, weights) for name in settings.measures),
        price=float(settings.fairness_weight),
        max_measure=None if settings.max_discrimination is None else float(settings.max_discrimination),
        limit=limit if floors is None else floored(limit, rows, floors),
        min_leaf_size=settings.min_leaf_size,
        columns=candidates.columns,
        max_uses_per_feature=settings.max_uses_per_feature,
        max_features=settings.max_features,
    )
    if rows.n_cells >= MANY_CELLS:
        notes.append(
            f"The {rows.n_rows:,} rows make {rows.n_cells:,} different ones, so the search may do all the work that is "
            "allowed; no row is left out."
        )
    notes += notes_on_groups(grouping, settings.constraint, targets)
    return PreparedProblem(frame, targets, grouping, candidates, problem, near, points, tuple(notes), weights)


def _most_splits(settings: TreeSettings, n_rows: int) -> int | None:
    """Return how many splits trees are made of, at most; None for as many as the depth says."""
    is_exact = settings.task == "classification" and settings.method not in THROUGH_SCIP and not settings.beyond_search
    if settings.max_splits is None and settings.max_depth == 4 and is_exact and n_rows >= MANY_ROWS:
        return MOST_SPLITS_OF_MANY
    return settings.max_splits


def _limit(rows: TreeRows, settings: TreeSettings, similar: StrataCounts | None) -> Limit | None:
    if settings.constraint is None or rows.n_groups < 2:
        return None
    limit = parity_limit(rows, settings.constraint, settings.difference, similar)
    return limit if len(limit.bounds) else None


def _measure(
    name: str,
    rows: TreeRows,
    near: pd.DataFrame | None,
    grouping: Grouping,
    settings: TreeSettings,
    weights: NDArray[np.float64] | None,
) -> Measure:
    if name == "didi":
        return didi_measure(rows, settings.task)
    return dtdi_measure(rows, near, grouping.codes, grouping.n_groups, settings.n_neighbors, settings.task, weights)


def _read_points(frame: pd.DataFrame, revealing: tuple[str, ...]) -> tuple[ScaledColumns, bool]:
    """Return the columns of numbers without a missing value, and whether others were left out."""
    numbers = [
        name
        for name in frame.columns
        if name not in set(revealing)
        and pd.api.types.is_numeric_dtype(frame[name].dtype)
        and not pd.api.types.is_bool_dtype(frame[name].dtype)
    ]
    columns = tuple(name for name in numbers if frame[name].notna().all() and frame[name].nunique() > 1)
    values = frame[list(columns)].to_numpy(dtype=np.float64).reshape(len(frame), len(columns))
    lowest = values.min(axis=0, initial=np.inf) if len(columns) else np.zeros(0)
    spread = values.max(axis=0, initial=-np.inf) - lowest if len(columns) else np.ones(0)
    lacking = any(frame[name].isna().any() for name in numbers)
    return ScaledColumns(columns, lowest, spread, (values - lowest) / spread), lacking
