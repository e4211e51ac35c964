"""Rows for how often a feature may be asked for, and how many features in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairaudit.errors import sure
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.solver import add_row


def limited_columns(problem: TreeProblem) -> tuple[int, ...]:
    """Return for each split its feature; none where it does not matter how many are used."""
    limited = problem.max_uses_per_feature is not None or problem.max_features is not None
    return problem.columns if limited else ()


def add_feature_limits(
    model: Any, problem: TreeProblem, asking: Mapping[int, Mapping[int, Sequence[Any]]]
) -> dict[int, Any]:
    """Add the rows."""
    features: dict[int, Any] = {}
    for feature, by_node in asking.items():
        if problem.max_uses_per_feature is not None:
            # sum over nodes of those that ask for f <= most
            everywhere = [variable for variables in by_node.values() for variable in variables]
            most = float(problem.max_uses_per_feature)
            add_row(model, everywhere, np.ones(len(everywhere)), at_most=most, name=f"uses_{feature}")
        if problem.max_features is not None:
            used = features[feature] = model.addVar(f"v_{feature}", lb=0.0, ub=1.0)
            # sum of those at node t that ask for f <= v[f],  all t
            for node, variables in by_node.items():
                factors = [*np.ones(len(variables)), -1.0]
                add_row(model, [*variables, used], factors, at_most=0.0, name=f"asks_{feature}_{node}")
    if features:
        # sum_f v[f] <= most
        most = float(sure(problem.max_features))
        add_row(model, [*features.values()], np.ones(len(features)), at_most=most, name="features")
    return features
