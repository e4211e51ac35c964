"""Leaves that predict another amount than their people have on average, so that groups come closer; in words."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.present import brief
from fairaudit.present.numbers import count_text, number_text, share_text
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails

MOST_LISTED: Final = 3
STANDS_IN: Final = 0.25
"""Where a group's share of a leaf is so much above its share of all rows, its questions can stand in for the group."""


def moved_leaves(details: AmountTreeDetails) -> pd.DataFrame:
    """Return the leaves that bring means closer by predicting another amount than their own mean, the gravest first.

    A leaf counts where its amount is further from the mean of its training rows than what counts as alike. It brings
    the group with the least and that with the most on average closer where the group that it moves is more often in it.

    Returns
    -------
    DataFrame
        Columns ``node``, ``predicted``, ``mean``, ``n``, ``group`` (the one whose share of the leaf is most above its
        share of all), ``share`` and ``share_of_all``. Empty where nothing had to be alike, and where counts are hidden.
    """
    columns = ["node", "predicted", "mean", "n", "group", "share", "share_of_all"]
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
            among, among_all = n.loc[leaf.node] / rows, n.loc[1] / n.loc[1].sum()
            group = (among - among_all).idxmax()
            found.append((closer, leaf.node, predicted, mean, int(rows), group, among[group], among_all[group]))
    found.sort(key=lambda each: -each[0])
    return pd.DataFrame([each[1:] for each in found], columns=columns)


def moved_sentences(details: AmountTreeDetails, digits: int) -> tuple[str, ...]:
    """Return which leaves bring groups closer by over- or underpredicting their people, a sentence or two each."""
    leaves = moved_leaves(details)
    said = [_moved(leaf, digits) for leaf in leaves.head(MOST_LISTED).itertuples()]
    if (more := len(leaves) - MOST_LISTED) > 0:
        said.append(f"So {'does one more leaf' if more == 1 else f'do {more} more leaves'}.")
    return tuple(said)


def _moved(leaf: Any, digits: int) -> str:
    by = leaf.predicted - leaf.mean
    said = (
        f"Leaf {leaf.node} predicts {number_text(abs(by), digits=digits)} {'more' if by > 0 else 'less'} than its "
        f"people have on average ({number_text(leaf.predicted, digits=digits)} in place of "
        f"{number_text(leaf.mean, digits=digits)}): the difference shrinks because they are "
        f"{'overpredicted' if by > 0 else 'underpredicted'}."
    )
    if leaf.n < ENOUGH or not np.isfinite(leaf.share) or leaf.share - leaf.share_of_all < STANDS_IN:
        return said
    return (
        f"{said} Of its {count_text(leaf.n)} training rows {share_text(leaf.share)} are of the group "
        f"“{brief.short(leaf.group)}”, of all {share_text(leaf.share_of_all)}: the questions that lead there can stand "
        "in for the group."
    )
