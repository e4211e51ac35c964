"""A tree of amounts in words and figures: who comes to which node, differences and indices, and the search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.estimators.trees.tree import Tree
from fairaudit.measure.means import proposed_tolerance
from fairaudit.measure.plain import names_of
from fairaudit.remedies.trees.amounts.details import AMOUNT_COUNTS, AmountTreeDetails
from fairaudit.remedies.trees.amounts.search import allowed_difference, gap_of, mae_of, mean_of
from fairaudit.remedies.trees.measuring import FoundTree, bounds_of
from fairaudit.remedies.trees.naming import objective_words
from fairaudit.remedies.trees.node_tables import inside, node_table
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.group_checks import known_groups, part_rows
from fairaudit.study.proxies import close_columns, group_features
from fairaudit.study.similar import SimilarRows, alike_table, similar_table

_LARGE = 100_000
ALIKE_BINS: Final = 8
"""Bins of differences among similar people on either side of those that count as alike, at most."""


def amount_tree_details(study: AmountStudy, remedy: TreesPlan, found: FoundTree) -> AmountTreeDetails:
    """Return what a tree of amounts does on the training, tuning and held-out rows."""
    search, tree = found.model.search, found.model.tree
    rows = part_rows(study)
    reached, predicted = tree.apply(study.X), tree.predict(study.X)
    nodes = node_table(tree, group_features(study.facts), close_columns(study, tree.columns))
    constant = [node.number for node in tree.nodes if node.is_leaf and node.form is None]
    texts = nodes["prediction"].map(_amount)
    nodes["words"] = nodes["words"].where(~nodes["node"].isin(constant), texts)
    gaps = {part: gap_of(study, predicted, places) for part, places in rows.items()}
    people = found.similar["held_out"]
    models = (found.before[people.rows], predicted[people.rows])
    within = alike_within(study)
    return AmountTreeDetails(
        nodes=nodes,
        counts=_counts(study, tree, reached, predicted, rows),
        leaves=_leaves(study, nodes, reached, predicted, rows),
        max_depth=remedy.max_depth,
        depth=tree.depth,
        n_leaves=tree.n_leaves,
        branching=remedy.branching,
        leaf_kind=remedy.leaves,
        constraint=remedy.constraint,
        max_difference=allowed_difference(study, remedy),
        trained_gap=gaps["trained"],
        tuned_gap=gaps["tuned"],
        held_out_gap=gaps["held_out"],
        discrimination=remedy.discrimination,
        fairness_weight=remedy.fairness_weight,
        max_discrimination=remedy.max_discrimination,
        trained_mae=mae_of(study, predicted, rows["trained"]),
        tuned_mae=mae_of(study, predicted, rows["tuned"]),
        search=remedy.search,
        status=search.status_,
        objective=float(search.objective_),
        bound=float(search.bound_),
        optimality_gap=float(search.gap_),
        objective_words=objective_words(remedy, "tree-objective-amount"),
        method=search.method_,
        n_splits=int(search.n_splits_considered_),
        bounds=bounds_of(search),
        similar=similar_table(people, *models, edges=_edges(people, models, within), within=within),
        alike=alike_table(people, *models, within=within),
        alike_within=within,
        settings=found.settings,
        notes=(*search.notes_, *found.notes),
        stopped=found.stopped,
    )


def _amount(value: float) -> str:
    """Return an amount with six digits or, where it is large, all before the point."""
    return f"{value:,.0f}" if abs(value) >= _LARGE else f"{value:,.6g}"


def alike_within(study: AmountStudy) -> float:
    """Return up to what difference similar people are treated alike: a tenth of the spread, rounded to one digit."""
    return proposed_tolerance(study.facts.deviation)


def _edges(people: SimilarRows, models: Sequence[NDArray[np.float64]], within: float) -> NDArray[np.float64]:
    """Return the ends of bins of like width that hold all differences, around those that count as alike."""
    found = np.concatenate([people.own(values)[people.compared] for values in models])
    beyond = max(float(np.abs(found).max(initial=0.0)) - within, 0.0)
    width = 2 * within * max(1, math.ceil(beyond / (2 * within * ALIKE_BINS)))
    ends = within + width * np.arange(max(1, math.ceil(beyond / width)) + 1)
    return np.concatenate([-ends[::-1], ends])


def _counts(
    study: AmountStudy, tree: Tree, reached: NDArray[np.int64], predicted: NDArray[np.float64], rows: dict[str, Any]
) -> pd.DataFrame:
    """Count the rows of each group that come to each node, with their means."""
    records = []
    for node in tree.nodes:
        here = inside(reached, node.number)
        for name in known_groups(study):
            own = here & (study.groups == name)
            learned, held = (places[own[places]] for places in (rows["trained"], rows["held_out"]))
            records.append(
                (node.number, name, len(learned), mean_of(study.y[learned]), len(held), mean_of(study.y[held]),
                 mean_of(predicted[held]))
            )  # fmt: skip
    return pd.DataFrame(records, columns=names_of(AMOUNT_COUNTS))


def _leaves(
    study: AmountStudy, nodes: pd.DataFrame, reached: NDArray[np.int64], predicted: NDArray[np.float64],
    rows: dict[str, Any],
) -> pd.DataFrame:  # fmt: skip
    records = []
    for leaf in nodes[nodes["is_leaf"].astype(bool)].sort_values("x", kind="stable").itertuples():
        learned, held = (places[reached[places] == leaf.node] for places in (rows["trained"], rows["held_out"]))
        records.append(
            {
                "leaf": int(leaf.node),
                "path": leaf.path,
                "prediction": leaf.words,
                "n_learned": len(learned),
                "n": len(held),
                "actual": mean_of(study.y[held]),
                "predicted": mean_of(predicted[held]),
                "mae": mae_of(study, predicted, held),
            }
        )
    return pd.DataFrame(records)
