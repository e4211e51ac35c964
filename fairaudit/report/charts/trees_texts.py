"""What the charts of decision trees say, in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fairaudit.report.charts import parts
from fairaudit.report.numbers import count_text, number_text, points_text, share_text

MOST_LEAVES_TOLD = 8
UNTOLD = "not shown"


def tree_alt(nodes: pd.DataFrame, leaves: pd.DataFrame, counts: pd.DataFrame) -> str:
    """Return a tree in words: for each leaf who comes there and what is predicted; of many leaves, how many.

    Parameters
    ----------
    nodes, leaves, counts : DataFrame
        As in :class:`~fairaudit.study.details_trees.TreesDetails`.

    Returns
    -------
    str
        One text.
    """
    ends = nodes[nodes["is_leaf"].astype(bool)].sort_values("x", kind="stable")
    root = nodes[nodes["node"] == 1].iloc[0]
    lead = f"A decision tree with {parts.counted(len(ends), 'leaf') if len(ends) == 1 else f'{len(ends)} leaves'}"
    if len(ends) > MOST_LEAVES_TOLD:
        first = UNTOLD if root["words"] is None else parts.whole(root["words"], 200)
        return (
            f"{lead} and a depth of {int(nodes['depth'].max())}. It first asks: {first}. The text below has all of it."
        )
    sizes = counts.groupby("node")["n"].sum() if len(leaves) else {}
    told = [
        f"where {UNTOLD if row.path is None else parts.whole(row.path, 300)}: "
        f"{UNTOLD if row.words is None else parts.whole(row.words, 100)}"
        + (f" ({count_text(sizes[row.node])} held-out rows)" if row.node in sizes else "")
        for row in ends.itertuples()
    ]
    return f"{lead}. {'; '.join(told)}."


def tree_bounds_alt(bounds: pd.DataFrame) -> str:
    """Return how a search closed in, in words.

    Parameters
    ----------
    bounds : DataFrame
        As ``TreesDetails.bounds``.

    Returns
    -------
    str
        One text.
    """
    last, first = bounds.iloc[-1], bounds.iloc[0]
    return (
        f"How the search closed in: after {number_text(first['seconds'])} seconds the best tree had "
        f"{number_text(first['objective'], digits=4)} and {number_text(first['bound'], digits=4)} was proven to be the "
        f"least possible; after {number_text(last['seconds'])} seconds it was "
        f"{number_text(last['objective'], digits=4)} and {number_text(last['bound'], digits=4)}."
    )


def tree_settings_alt(
    settings: pd.DataFrame, *, by: str = "gap", by_ratio: bool = False, allowed: float | None = None
) -> str:
    """Return accuracy against differences of trees of other settings, in words.

    Parameters
    ----------
    settings : DataFrame
        As ``TreesDetails.settings``.
    by : {"gap", "index"}
        What accuracy is drawn against.
    by_ratio : bool
        Whether `gap` is the smallest ratio.
    allowed : float, optional
        What is allowed.

    Returns
    -------
    str
        One text.
    """
    rows = drawn_settings(settings, by)
    against = (
        "the index of discrimination" if by == "index" else "the smallest ratio" if by_ratio else "the largest gap"
    )
    told = [
        f"{row.words}{' (chosen)' if row.chosen else ''}: accuracy {share_text(row.accuracy)}, "
        f"{_against(getattr(row, by), by, by_ratio)}"
        for row in rows.itertuples()
    ]
    limit = "" if allowed is None else f" Allowed: {_against(allowed, by, by_ratio)}."
    return f"Accuracy against {against} on the tuning rows, for {len(rows)} trees: {'; '.join(told)}.{limit}"


def tree_depths_alt(settings: pd.DataFrame) -> str:
    """Return what depth gives, in words.

    Parameters
    ----------
    settings : DataFrame
        As ``TreesDetails.settings``.

    Returns
    -------
    str
        One text.
    """
    told = [
        f"{row.max_depth}: {share_text(1 - row.trained_accuracy)} wrong on the training rows, "
        f"{share_text(1 - row.accuracy)} on the tuning rows"
        for row in drawn_depths(settings).itertuples()
    ]
    return f"Wrong predictions by the depth that is allowed. {'; '.join(told)}."


def similar_people_alt(similar: pd.DataFrame) -> str:
    """Return how differently similar people are treated, before and after, in words.

    Parameters
    ----------
    similar : DataFrame
        As ``TreesDetails.similar``.

    Returns
    -------
    str
        One text.
    """
    told = []
    for model in ("before", "after"):
        rows = similar[similar["model"] == model]
        same = rows[(rows["low"] == 0) & (rows["high"] == 0)]["share"].sum()
        far = rows[(rows["low"] >= 0.1) | (rows["high"] <= -0.1)]["share"].sum()
        told.append(f"{model}: none for {share_text(same)}, 10 points or more for {share_text(far)}")
    return (
        "How far the share of positive predictions among similar people of the own group is from that among all "
        f"similar people, on held-out rows. {'; '.join(told)}."
    )


def drawn_settings(settings: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the trees whose accuracy and difference are defined."""
    known = settings[["accuracy", by]].astype(float)
    return settings[np.isfinite(known).all(axis=1).to_numpy()]


def drawn_depths(settings: pd.DataFrame) -> pd.DataFrame:
    """Return the trees that differ from the asked one in nothing but depth, by depth."""
    return settings[settings["setting"].isin(["depth", "asked"])].sort_values("max_depth", kind="stable")


def _against(value: Any, by: str, by_ratio: bool) -> str:
    if by == "index":
        return f"index {number_text(value, digits=4)}"
    return f"ratio {share_text(value)}" if by_ratio else f"difference {points_text(value, signed=False)}"
