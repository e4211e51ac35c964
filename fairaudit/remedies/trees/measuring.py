"""A tree in words and figures: who comes to which node, gaps and indices on all parts of the rows, and the search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.estimators.trees.lookahead.classifier import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeRegressor
from fairaudit.measure.plain import names_of
from fairaudit.remedies.trees.amounts.search import AmountTreeModel
from fairaudit.remedies.trees.details import BOUNDS, INDICES, TreesDetails
from fairaudit.remedies.trees.naming import objective_words
from fairaudit.remedies.trees.node_tables import count_table, leaf_table, node_table
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.rates import gaps_of, ratios_of, worst_of
from fairaudit.remedies.trees.search import Search, TreeModel, floors_of, search_ending, trained_limit
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.group_checks import known_groups, part_rows
from fairaudit.study.proxies import close_columns, group_features
from fairaudit.study.rows import Study
from fairaudit.study.similar import SimilarRows, alike_table, similar_table

PARTS: Final = ("trained", "tuned", "held_out")


@dataclass(frozen=True, eq=False)
class FoundTree:
    """A tree of outcomes or of amounts, and what it is compared with.

    Parameters
    ----------
    model : TreeModel or AmountTreeModel
        The tree, and the search that it comes from.
    before : ndarray
        What the model without constraint and price predicts for all rows of the study: 1 for the outcome, or amounts.
    similar : mapping of str to SimilarRows
        As :func:`~fairaudit.study.similar.similar_parts`.
    settings : DataFrame
        As ``TreesDetails.settings`` or ``AmountTreeDetails.settings``.
    notes : tuple of str
        What happened on the way, beside what the search says itself.
    stopped : bool
        Whether a person stopped any part of it.
    """

    model: TreeModel | AmountTreeModel
    before: NDArray[Any]
    similar: Mapping[str, SimilarRows]
    settings: pd.DataFrame = field(default_factory=pd.DataFrame)
    notes: tuple[str, ...] = ()
    stopped: bool = False


def trees_details(study: Study, remedy: TreesPlan, found: FoundTree) -> TreesDetails:
    """Return what a tree does on the training, tuning and held-out rows."""
    tree, search, y = found.model.tree, found.model.search, positive_labels(study)
    rows = part_rows(study)
    leaves = tree.apply(study.X)
    h = np.asarray(found.model.predict(study.X), dtype=np.int64)
    nodes = node_table(tree, group_features(study.facts), close_columns(study, tree.columns))
    counts = count_table(
        tree,
        known_groups(study),
        learned=_of(rows["trained"], leaves, y, study.groups),
        held_out=_of(rows["held_out"], leaves, y, study.groups),
        confidence=study.models.confidence,
    )
    gaps, ratios = (
        _parts(study, remedy, rows, h, gaps_of, "gap", 4),
        _parts(study, remedy, rows, h, ratios_of, "ratio", 2),
    )
    status, objective, bound = search_ending(search)
    return TreesDetails(
        nodes=nodes,
        counts=counts,
        leaves=leaf_table(nodes, counts, study.models.confidence),
        gaps=gaps,
        ratios=ratios,
        indices=index_table(found, h),
        similar=similar_table(*_before_and_after(found, h)),
        alike=alike_table(*_before_and_after(found, h)),
        max_depth=remedy.max_depth,
        depth=tree.depth,
        n_leaves=tree.n_leaves,
        search=remedy.search,
        constraint=remedy.constraint,
        max_difference=remedy.max_difference if trained_limit(remedy) >= 0 else np.nan,
        trained_difference=trained_limit(remedy),
        trained_gap=worst_of(remedy, gaps["trained"], ratios["trained"]),
        tuned_gap=worst_of(remedy, gaps["tuned"], ratios["tuned"]),
        discrimination=remedy.discrimination,
        fairness_weight=float(getattr(search, "fairness_weight_", remedy.fairness_weight)),
        max_discrimination=remedy.max_discrimination,
        branching=remedy.branching,
        keeps_groups=floors_of(search) is not None,
        trained_accuracy=_accuracy(h, y, rows["trained"]),
        tuned_accuracy=_accuracy(h, y, rows["tuned"]),
        status=status,
        objective=objective,
        bound=bound,
        optimality_gap=float(search.gap_),
        objective_words=objective_words(remedy),
        method="look_ahead" if remedy.search == "look_ahead" else search.method_,
        n_splits=int(search.n_splits_considered_),
        bounds=bounds_of(search),
        settings=found.settings,
        notes=(*search.notes_, *found.notes),
        stopped=found.stopped,
    )


def index_table(found: FoundTree, h: NDArray[np.int64]) -> pd.DataFrame:
    """Return both indices on all parts of the rows, before and after."""
    records = []
    for index in ("didi", "dtdi"):
        for part in PARTS:
            people = found.similar[part]
            values = [getattr(people, index)(each[people.rows]) for each in (found.before, h)]
            n_compared = len(people.rows) if index == "didi" else int(people.complete.sum())
            records.append((index, part, *values, len(people.rows), n_compared, people.sampled))
    return pd.DataFrame(records, columns=names_of(INDICES))


def _parts(
    study: Study, remedy: TreesPlan, rows: Mapping[str, NDArray[np.int64]], h: NDArray[np.int64], table_of: Any,
    value: str, place: int,
) -> pd.DataFrame:  # fmt: skip
    """Return the gaps or ratios on held-out rows, and beside them those on training and tuning rows."""
    tables = {part: table_of(study, remedy, rows[part], h[rows[part]]) for part in PARTS}
    table = tables["held_out"].rename(columns={value: "held_out"})
    for offset, part in enumerate(("trained", "tuned")):
        table.insert(place + offset, part, tables[part][value])
    return table


def _of(
    rows: NDArray[np.int64], leaves: NDArray[np.int64], y: NDArray[np.int64], groups: NDArray[np.object_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.object_]]:
    return leaves[rows], y[rows], groups[rows]


def _before_and_after(
    found: FoundTree, h: NDArray[np.int64]
) -> tuple[SimilarRows, NDArray[np.int64], NDArray[np.int64]]:
    people = found.similar["held_out"]
    return people, found.before[people.rows], h[people.rows]


def _accuracy(h: NDArray[np.int64], y: NDArray[np.int64], rows: NDArray[np.int64]) -> float:
    return float((h[rows] == y[rows]).mean()) if len(rows) else float("nan")


def bounds_of(search: Search | OptimalTreeRegressor) -> pd.DataFrame:
    """Return how a search closed in, as ``TreesDetails.bounds``; without rows where it proves nothing."""
    if isinstance(search, LookaheadTreeClassifier):
        return pd.DataFrame(columns=names_of(BOUNDS))
    return search.history_.rename(columns={"primal": "objective", "dual": "bound"})[names_of(BOUNDS)]
