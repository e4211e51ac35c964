"""What stands in the boxes of a drawn tree, what it says in words, and which part of a deep tree is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.numbers import NOT_SHOWN, is_number, number_text

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
    """What nodes of a tree are called where the decision has a favourable result."""

    def sums(self, counts: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of each node over all groups, by its number; NaN where they are hidden."""
        known = counts.astype({"n_learned": float, "n_learned_positive": float})
        return known.groupby("node")[["n_learned", "n_learned_positive", "n", "n_positive"]].sum(min_count=1)

    def rows(self, sums: pd.Series, *, digits: int = 0) -> str:
        """Return how many training rows a node has, and the share of them with the outcome."""
        n, positive = sums["n_learned"], sums["n_learned_positive"]
        return cases(n, None if not n else Share(positive / n, digits))

    def leaf(self, row: Any) -> str:
        """Return what a leaf predicts."""
        return row.words

    def group(self, row: Any) -> str:
        """Return a group at a node; `row` is one of ``TreesDetails.counts``."""
        args: dict[str, Argument] = {"share": Share(row.learned_rate), "n": Count(int(row.n_learned))}
        return say(Message("tree-group-share", {"group": Phrase(naming.short(called(row.group))), **args}))

    def look(self, nodes: pd.DataFrame) -> dict[int, str]:
        """Return how each leaf looks, by its number; one that is hidden is left out."""
        leaves = nodes[nodes["is_leaf"].astype(bool) & nodes["words"].notna()]
        return {int(row.node): "yes" if row.prediction == 1 else "no" for row in leaves.itertuples()}


@dataclass(frozen=True)
class AmountNodes(OutcomeNodes):
    """What nodes of a tree are called where the decision is an amount.

    Parameters
    ----------
    digits : int
        Decimals of amounts.
    """

    digits: int

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
        return cases(n, None if not n else Amount(float(sums["learned_mean"]), self.digits))

    def leaf(self, row: Any) -> str:
        """Return what a leaf predicts: one amount, or weighed columns with their mean."""
        amount = number_text(row.prediction, digits=self.digits)
        if is_number(row.words):
            return amount
        return say(Message("tree-about", {"amount": Phrase(amount), "weighed": Phrase(row.words)}))

    def group(self, row: Any) -> str:
        """Return a group at a node; `row` is one of ``AmountTreeDetails.counts``."""
        args: dict[str, Argument] = {"mean": Amount(row.learned_mean, self.digits), "n": Count(int(row.n_learned))}
        return say(Message("tree-group-mean", {"group": Phrase(naming.short(called(row.group))), **args}))

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


def cases(n: float, figure: Share | Amount | None = None) -> str:
    """Return how many training rows a node has, and their share with the outcome or their mean amount.

    Examples
    --------
    >>> cases(0), cases(1200, Share(0.25))
    ('0 cases', '1,200 cases, 25%')
    """
    if math.isnan(n):
        return NOT_SHOWN
    args: dict[str, Argument] = {"n": Count(int(n))}
    match figure:
        case None:
            return say(Message("tree-cases", args))
        case Share():
            return say(Message("tree-cases-share", {**args, "share": figure}))
    return say(Message("tree-cases-mean", {**args, "mean": figure}))


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
    for piece in _pieces(naming.whole(text), letters):
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
    """Say in words what :func:`~fairaudit.remedies.trees.drawing.clickable_tree_chart` shows."""
    shown = drawn_nodes(nodes, root=root, levels=levels)
    sums = wording.sums(counts)
    ends = shown[shown["is_leaf"] | shown["is_cut"]]
    said = [say(Message("tree-alt", {"n": Count(int(shown["is_leaf"].sum()))}))]
    for row in naming.some(list(ends.itertuples())):
        more = Message("tree-alt-more")
        does = (
            more if row.is_cut else Message("tree-predicts", {"leaf": Phrase(naming.short(leaf_words(row, wording)))})
        )
        args: dict[str, Argument] = {
            "path": Phrase(NOT_SHOWN if pd.isna(row.path) else naming.whole(row.path)),
            "leaf": does,
        }
        rows = rows_at(sums, row.node, wording, digits=1)
        if rows:
            said.append(say(Message("tree-alt-end-rows", {**args, "rows": Phrase(rows)})))
        else:
            said.append(say(Message("tree-alt-end", args)))
    return " ".join(said)
