"""Leaves that predict another amount than their people have on average, so that groups come closer."""

from __future__ import annotations

import pandas as pd

from fairaudit.remedies.trees.amounts.details import AmountTreeDetails


def moved_leaves(details: AmountTreeDetails) -> pd.DataFrame:
    """Return the leaves that bring means closer by predicting another amount than their own mean, the gravest first.

    A leaf counts where its amount is further from the mean of its training rows than what counts as alike. It brings
    the group with the least and that with the most on average closer where the group that it moves is more often in it.

    Returns
    -------
    DataFrame
        Columns ``node``, ``predicted`` and ``mean``. Empty where nothing had to be alike, and where counts are hidden.
    """
    columns = ["node", "predicted", "mean"]
    none = pd.DataFrame(columns=columns)
    if not len(details.counts) or (details.constraint is None and details.discrimination is None):
        return none
    counts = details.counts.pivot(index="node", columns="group", values=["n_learned", "learned_mean"]).astype(float)
    n, means = counts["n_learned"], counts["learned_mean"]
    if n.loc[1].isna().any() or len(n.columns) < 2 or not n.loc[1].all():
        return none
    shares = n / n.loc[1]
    least, most = means.loc[1].idxmin(), means.loc[1].idxmax()
    found = []
    for leaf in details.nodes[details.nodes["is_leaf"].astype(bool)].itertuples():
        rows, predicted = float(n.loc[leaf.node].sum()), leaf.prediction
        if predicted is None or not rows > 0:
            continue
        mean = float((n.loc[leaf.node] * means.loc[leaf.node].fillna(0)).sum() / rows)
        by = float(predicted) - mean
        closer = by * (shares.loc[leaf.node, least] - shares.loc[leaf.node, most])
        if abs(by) > details.alike_within and closer > 0:
            found.append((closer, leaf.node, predicted, mean))
    found.sort(key=lambda each: -each[0])
    return pd.DataFrame([each[1:] for each in found], columns=columns)
