"""Optimal and look-ahead decision trees under discrimination indices and constraints on groups.

Names are imported when they are first asked for: SCIP and scikit-learn take a second, which those who only read results
need not wait for.
"""

from fairaudit.late import late_names

__all__ = ["LookaheadTreeClassifier", "OptimalTreeClassifier", "OptimalTreeRegressor", "Tree"]

__getattr__ = late_names(
    __name__,
    {
        "LookaheadTreeClassifier": "fairaudit.estimators.trees.lookahead_tree",
        "OptimalTreeClassifier": "fairaudit.estimators.trees.optimal_tree",
        "OptimalTreeRegressor": "fairaudit.estimators.trees.optimal_tree",
        "Tree": "fairaudit.estimators.trees.tree",
    },
)
