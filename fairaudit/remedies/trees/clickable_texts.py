"""What the drawing of a tree on its page says, in words, and which part of a deep tree it shows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from fairaudit.present import brief
from fairaudit.present.numbers import NOT_SHOWN, count_text, is_number, number_text, share_text

MOST_ENDS: Final = 16
"""Ends of a tree that fit below each other on a page of paper."""


def drawn_nodes(nodes: pd.DataFrame, *, root: int = 1, levels: int = 5) -> pd.DataFrame:
    """Return the part of a tree that is drawn."""
    known = nodes.astype({"is_leaf": bool})
    top = root.bit_length() - 1
    ups = (known["depth"] - top).tolist()
    below = [up >= 0 and node >> up == root for node, up in zip(known["node"].tolist(), ups, strict=True)]
    shown = known[pd.Series(below, index=known.index) & (known["depth"] <= top + levels)]
    return shown.assign(is_cut=(shown["depth"] == top + levels) & ~shown["is_leaf"]).reset_index(drop=True)


class OutcomeNodes:
    """The words for nodes of a tree where the decision has a good outcome."""

    counted = "the share of them that have the outcome"
    caption = "Round blue boxes predict the outcome, square orange ones do not."
    caption_of_rows = "The share in a box is that of its training rows that have the outcome."

    def sums(self, counts: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of each node over all groups, by its number; NaN where they are hidden."""
        known = counts.astype({"n_learned": float, "n_learned_positive": float})
        return known.groupby("node")[["n_learned", "n_learned_positive", "n", "n_positive"]].sum(min_count=1)

    def rows(self, sums: pd.Series, *, digits: int = 0) -> str:
        """Return how many training rows a node has, and the share of them with the outcome."""
        return rows_words(sums["n_learned"], sums["n_learned_positive"], digits=digits)

    def more(self, rows: str) -> str:
        """Return the rows in more words, where there is room."""
        return f"{rows} with the outcome" if "%" in rows else rows

    def leaf(self, row: Any) -> str:
        """Return what a leaf predicts."""
        return row.words

    def group(self, row: Any) -> str:
        """Return a group at a node; `row` is one of ``TreesDetails.counts``."""
        return f"{brief.short(row.group)} {share_text(row.learned_rate)} of {count_text(row.n_learned)}"

    def look(self, nodes: pd.DataFrame) -> dict[int, str]:
        """Return how each leaf looks, by its number; one that is hidden is left out."""
        leaves = nodes[nodes["is_leaf"].astype(bool) & nodes["words"].notna()]
        return {int(row.node): "yes" if row.prediction == 1 else "no" for row in leaves.itertuples()}


@dataclass(frozen=True)
class AmountNodes(OutcomeNodes):
    """The words for nodes of a tree where the decision is an amount.

    Parameters
    ----------
    digits : int
        Decimals of amounts.
    """

    digits: int

    counted = "their mean amount"
    caption = "A blue box predicts an amount, the darker the more."
    caption_of_rows = "Below it stands the mean amount of its training rows."

    def sums(self, counts: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of each node over all groups, and their means, by its number; NaN where they are hidden."""
        counts = counts.astype({"n_learned": float, "learned_mean": float})
        weighted = counts.assign(
            learned_sum=(counts["n_learned"] * counts["learned_mean"]).where(counts["n_learned"] > 0, 0.0),
            actual_sum=(counts["n"] * counts["actual"]).where(counts["n"] > 0, 0.0),
        )
        sums = weighted.groupby("node")[["n_learned", "learned_sum", "n", "actual_sum"]].sum(min_count=1)
        return sums.assign(
            learned_mean=sums["learned_sum"] / sums["n_learned"].where(sums["n_learned"] > 0),
            actual=sums["actual_sum"] / sums["n"].where(sums["n"] > 0),
        )

    def rows(self, sums: pd.Series, *, digits: int = 0) -> str:
        """Return how many training rows a node has, and their mean amount."""
        n = sums["n_learned"]
        if math.isnan(n):
            return NOT_SHOWN
        mean = f", mean {number_text(sums['learned_mean'], digits=self.digits)}" if n else ""
        return f"{count_text(int(n))} row{'' if n == 1 else 's'}{mean}"

    def more(self, rows: str) -> str:
        """Return the rows in more words, where there is room."""
        return rows

    def leaf(self, row: Any) -> str:
        """Return what a leaf predicts: one amount, or weighed columns with their mean."""
        amount = number_text(row.prediction, digits=self.digits)
        return amount if is_number(row.words) else f"about {amount}: {row.words}"

    def group(self, row: Any) -> str:
        """Return a group at a node; `row` is one of ``AmountTreeDetails.counts``."""
        mean = number_text(row.learned_mean, digits=self.digits)
        return f"{brief.short(row.group)} mean {mean} of {count_text(row.n_learned)}"

    def look(self, nodes: pd.DataFrame) -> dict[int, str]:
        """Return how each leaf looks, by its number: the higher the amount, the darker."""
        leaves = nodes[nodes["is_leaf"].astype(bool) & nodes["words"].notna()]
        values = leaves["prediction"].astype(float)
        spread = float(values.max() - values.min())
        steps = ((values - values.min()) / spread * len(SHADES)).clip(upper=len(SHADES) - 1) if spread else 0 * values
        return {int(node): SHADES[int(step)] for node, step in zip(leaves["node"], steps, strict=True)}


OUTCOMES: Final = OutcomeNodes()
SHADES: Final = ("lowest", "low", "high", "highest")
"""How leaves of amounts look, from the lowest to the highest."""


def rows_words(n: float, positive: float, *, digits: int = 0) -> str:
    """Return how many rows a node has, and the share of them with the outcome.

    Examples
    --------
    >>> rows_words(0, 0)
    '0 rows'
    >>> rows_words(1200, 300).split(",")[:2]
    ['1', '200 rows']
    """
    if math.isnan(n):
        return NOT_SHOWN
    share = f", {share_text(positive / n, digits=digits)}" if n else ""
    return f"{count_text(int(n))} row{'' if n == 1 else 's'}{share}"


def folded(text: str, letters: int, most: int) -> list[str]:
    """Fold a text into lines, at blanks and, in long names, after underscores and the like.

    Examples
    --------
    >>> folded("juvenile_offences is at most 2?", 12, 3)
    ['juvenile_', 'offences is', 'at most 2?']
    >>> folded("a very long question", 8, 2)
    ['a very', 'long qu…']
    """
    letters = max(letters, 4)
    lines = [""]
    for piece in _pieces(brief.whole(text), letters):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > letters:
            lines.append("")
        lines[-1] += piece
    lines = [line.rstrip() for line in lines]
    if len(lines) > most:
        rest = " ".join(lines[most - 1 :])
        lines = [*lines[: most - 1], f"{rest[: letters - 1].rstrip()}…"]
    return lines


def _pieces(text: str, letters: int) -> list[str]:
    """Return the parts of a text that stay together, each with the blank that follows it."""
    found = []
    for word in text.split(" "):
        piece = ""
        for sign in word:
            piece += sign
            if len(piece) >= letters or (sign in "_-/." and len(word) > letters):
                found.append(piece)
                piece = ""
        found.append(f"{piece} ")
    return found


def leaf_words(row: Any, wording: OutcomeNodes) -> str:
    """Return what a leaf predicts, or that it is not shown."""
    return NOT_SHOWN if pd.isna(row.words) else wording.leaf(row)


def rows_at(sums: pd.DataFrame, node: int, wording: OutcomeNodes, *, digits: int = 0) -> str:
    """Return how many training rows come to a node, and what they have; nothing where that is hidden."""
    if node not in sums.index or pd.isna(sums.loc[node, "n_learned"]):
        return ""
    return wording.rows(sums.loc[node], digits=digits)


def drawn_levels(nodes: pd.DataFrame) -> int:
    """Return how many questions one after the other a page of paper has room for.

    Examples
    --------
    >>> full = pd.DataFrame({"node": range(1, 64), "depth": [n.bit_length() - 1 for n in range(1, 64)]})
    >>> drawn_levels(full.assign(is_leaf=full["depth"] == 5))
    4
    """
    deepest = int(nodes["depth"].max())

    def n_ends(levels: int) -> int:
        shown = drawn_nodes(nodes, levels=levels)
        return int((shown["is_leaf"] | shown["is_cut"]).sum())

    return next((levels for levels in range(deepest, 1, -1) if n_ends(levels) <= MOST_ENDS), 1)


def clickable_tree_alt(
    nodes: pd.DataFrame, counts: pd.DataFrame, *, root: int = 1, levels: int = 5, wording: OutcomeNodes = OUTCOMES
) -> str:
    """Say in words what :func:`~fairaudit.remedies.trees.clickable.clickable_tree_chart` shows."""
    shown = drawn_nodes(nodes, root=root, levels=levels)
    sums = wording.sums(counts)
    ends = shown[shown["is_leaf"] | shown["is_cut"]]
    texts = []
    for row in brief.some(list(ends.itertuples())):
        counted = f" ({rows})" if (rows := rows_at(sums, row.node, wording, digits=1)) else ""
        does = "more questions follow" if row.is_cut else f"predicts {brief.short(leaf_words(row, wording))}"
        path = NOT_SHOWN if pd.isna(row.path) else brief.whole(row.path)
        texts.append(f"{brief.capital(path)}: {does}{counted}.")
    n_asked, n_leaves = len(shown) - len(ends), int(shown["is_leaf"].sum())
    lead = (
        f"A decision tree of {n_asked} question{'' if n_asked == 1 else 's'} and {n_leaves} "
        f"{'leaf' if n_leaves == 1 else 'leaves'}, with its training rows and {wording.counted}"
    )
    few = f"; {len(texts)} of its ends are named here, the table of leaves has all" if len(texts) < len(ends) else ""
    return " ".join([f"{lead}{few}.", *texts])
