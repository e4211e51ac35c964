"""A tree of amounts under a constraint and a price on discrimination, as a remedy of an audit."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import GroupError
from fairaudit.events import Command, Event
from fairaudit.measure.mean_comparison import TOLERATED_DEVIATIONS
from fairaudit.plan_trees import TreesPlan
from fairaudit.study.amount_rows import AmountStudy
from fairaudit.study.details_amount_trees import AmountTreeDetails
from fairaudit.study.group_checks import known_groups
from fairaudit.study.rules_rates import learned_rows, tuning_rows
from fairaudit.study.rules_reading import close_columns
from fairaudit.study.trees_details import BOUND_COLUMNS
from fairaudit.study.trees_search import tree_columns
from fairaudit.study.trees_tables import inside, node_table
from fairaudit.study.trees_words import INDEX_WORDS, objective_words
from fairaudit.trees.decoded.tree import Tree
from fairaudit.trees.regressor import OptimalTreeRegressor

COUNT_COLUMNS = ("node", "group", "n_learned", "learned_mean", "n", "actual", "predicted")


def allowed_difference(study: AmountStudy, remedy: TreesPlan) -> float:
    """Return how far mean predictions may be apart on the training rows; NaN where nothing must be alike."""
    if remedy.constraint is None:
        return float("nan")
    return (
        TOLERATED_DEVIATIONS * study.facts.deviation if remedy.amount_difference is None else remedy.amount_difference
    )


def without_price(remedy: TreesPlan) -> TreesPlan:
    """Return the remedy with the same settings in which nothing must be alike and nothing is priced."""
    names = ("name", "amount_difference", "discrimination", "fairness_weight", "max_discrimination", "n_neighbors")
    return remedy.model_copy(
        update={name: TreesPlan.model_fields[name].default for name in names} | {"constraint": None}
    )


def amount_tree_name(remedy: TreesPlan) -> str:
    """Return what a tree of amounts is called, from its settings.

    Parameters
    ----------
    remedy : TreesPlan
        What is asked.

    Returns
    -------
    str
        In words.

    Examples
    --------
    >>> amount_tree_name(TreesPlan(max_depth=2, amount_difference=50))
    'Optimal tree (depth up to 2, mean amounts within 50)'
    """
    told = [f"depth up to {remedy.max_depth}"]
    if remedy.leaves == "linear":
        told.append("weighted columns in leaves")
    if remedy.constraint is not None:
        limit = remedy.amount_difference
        told.append("mean amounts alike" if limit is None else f"mean amounts within {limit:,.6g}")
    if remedy.discrimination is not None:
        price = f" at weight {remedy.fairness_weight:g}" if remedy.fairness_weight else ""
        bound = "" if remedy.max_discrimination is None else f" up to {remedy.max_discrimination:g}"
        told.append(f"{INDEX_WORDS[remedy.discrimination]}{price}{bound}")
    return f"Optimal tree ({', '.join(told)})"


def check_two_groups(study: AmountStudy, remedy: TreesPlan) -> None:
    """Refuse a tree that must keep groups alike where the training rows have fewer than two.

    Parameters
    ----------
    study : AmountStudy
        The rows.
    remedy : TreesPlan
        What is asked.

    Raises
    ------
    GroupError
        That says so.
    """
    if not remedy.is_free and len(np.unique(study.groups[learned_rows(study)])) < 2:
        text = "The training rows are of one group only, so there is nothing to keep alike."
        raise GroupError(text, uncounted=text, hint="Choose other columns that make the groups, or bring more rows.")


def iter_amount_search(study: AmountStudy, remedy: TreesPlan) -> Generator[Event, Command | None, None]:
    """Search for a tree on the training rows of known groups.

    Parameters
    ----------
    study : AmountStudy
        The rows.
    remedy : TreesPlan
        What is asked.

    Yields
    ------
    Progress, Incumbent or Finished
        Those of the estimator; ``Finished.result`` is the fitted estimator.
    """
    rows = learned_rows(study)
    limit = allowed_difference(study, remedy)
    search = OptimalTreeRegressor(
        remedy.max_depth,
        discrimination=remedy.discrimination,
        fairness_weight=remedy.fairness_weight,
        max_discrimination=remedy.max_discrimination,
        constraint=remedy.constraint,
        max_difference=None if np.isnan(limit) else limit,
        branching=remedy.branching,
        leaves=remedy.leaves,
        max_uses_per_feature=remedy.max_uses_per_feature,
        max_features=remedy.max_features,
        min_leaf_size=remedy.min_leaf_size,
        n_neighbors=remedy.n_neighbors,
        use_sensitive=remedy.use_sensitive,
        time_limit=remedy.time_limit,
        random_state=study.seed,
    )
    X = study.X[tree_columns(study, remedy)].iloc[rows]
    return (yield from search.iter_fit(X, study.y[rows], sensitive_features=study.groups[rows]))


def amount_tree_details(
    study: AmountStudy, remedy: TreesPlan, search: OptimalTreeRegressor, *, stopped: bool
) -> AmountTreeDetails:
    """Return what a tree of amounts does on the training, tuning and held-out rows.

    Parameters
    ----------
    study : AmountStudy
        The rows.
    remedy : TreesPlan
        What was asked.
    search : OptimalTreeRegressor
        Fitted.
    stopped : bool
        Whether a person stopped it.

    Returns
    -------
    AmountTreeDetails
        Complete.
    """
    tree: Tree = search.tree_
    held = study.split.held_out
    rows = {"trained": learned_rows(study), "tuned": tuning_rows(study), "held_out": held[study.group_known[held]]}
    reached, predicted = tree.apply(study.X), tree.predict(study.X)
    nodes = node_table(tree, study.facts.protected_features, close_columns(study, tree.columns))
    gaps = {part: _gap(study, predicted, places) for part, places in rows.items()}
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
        trained_mae=_mae(study, predicted, rows["trained"]),
        tuned_mae=_mae(study, predicted, rows["tuned"]),
        search=remedy.search,
        status=search.status_,
        objective=float(search.objective_),
        bound=float(search.bound_),
        gap=float(search.gap_),
        objective_words=objective_words(remedy, "mean absolute error of the training rows"),
        method=search.method_,
        n_splits=int(search.n_splits_considered_),
        bounds=search.history_.rename(columns={"primal": "objective", "dual": "bound"})[list(BOUND_COLUMNS)],
        notes=tuple(search.notes_),
        stopped=stopped,
    )


def _counts(
    study: AmountStudy, tree: Tree, reached: NDArray[np.int64], predicted: NDArray[np.float64], rows: dict[str, Any]
) -> pd.DataFrame:
    """Count the rows of each group that come to each node, with their means."""
    told = []
    for node in tree.nodes:
        here = inside(reached, node.number)
        for name in known_groups(study):
            own = here & (study.groups == name)
            learned, held = (places[own[places]] for places in (rows["trained"], rows["held_out"]))
            told.append(
                (node.number, name, len(learned), _mean(study.y[learned]), len(held), _mean(study.y[held]),
                 _mean(predicted[held]))
            )  # fmt: skip
    return pd.DataFrame(told, columns=list(COUNT_COLUMNS))


def _leaves(
    study: AmountStudy, nodes: pd.DataFrame, reached: NDArray[np.int64], predicted: NDArray[np.float64],
    rows: dict[str, Any],
) -> pd.DataFrame:  # fmt: skip
    told = []
    for leaf in nodes[nodes["is_leaf"].astype(bool)].sort_values("x", kind="stable").itertuples():
        learned, held = (places[reached[places] == leaf.node] for places in (rows["trained"], rows["held_out"]))
        told.append(
            {
                "leaf": int(leaf.node),
                "path": leaf.path,
                "prediction": leaf.words,
                "n_learned": len(learned),
                "n": len(held),
                "actual": _mean(study.y[held]),
                "predicted": _mean(predicted[held]),
                "mae": _mae(study, predicted, held),
            }
        )
    return pd.DataFrame(told)


def _gap(study: AmountStudy, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> float:
    means = [_mean(predicted[rows[study.groups[rows] == name]]) for name in known_groups(study)]
    known = [mean for mean in means if np.isfinite(mean)]
    return max(known) - min(known) if len(known) > 1 else float("nan")


def _mae(study: AmountStudy, predicted: NDArray[np.float64], rows: NDArray[np.int64]) -> float:
    return _mean(np.abs(predicted[rows] - study.y[rows]))


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else float("nan")
