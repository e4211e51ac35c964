"""What the drawing of a tree on its page says, in words, and which part of a deep tree it shows."""

from __future__ import annotations

import math

import pandas as pd

from fairaudit.report.charts import parts
from fairaudit.report.numbers import NOT_SHOWN, count_text, share_text


def drawn_nodes(nodes: pd.DataFrame, *, root: int = 1, levels: int = 5) -> pd.DataFrame:
    """Return the part of a tree that is drawn.

    Parameters
    ----------
    nodes : DataFrame
        As ``TreesDetails.nodes``.
    root : int
        The node to begin with.
    levels : int
        Questions on the way to the last box, at most.

    Returns
    -------
    DataFrame
        Nodes from the root down, with ``is_cut``: whether it splits and what follows is not drawn.
    """
    known = nodes.astype({"is_leaf": bool})
    top = root.bit_length() - 1
    ups = (known["depth"] - top).tolist()
    below = [up >= 0 and node >> up == root for node, up in zip(known["node"].tolist(), ups, strict=True)]
    shown = known[pd.Series(below, index=known.index) & (known["depth"] <= top + levels)]
    return shown.assign(is_cut=(shown["depth"] == top + levels) & ~shown["is_leaf"]).reset_index(drop=True)


def node_sums(counts: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of each node over all groups, by its number."""
    return counts.groupby("node")[["n_learned", "n_learned_positive", "n", "n_positive"]].sum()


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

    Parameters
    ----------
    text : str
        The text.
    letters : int
        The most letters of a line.
    most : int
        The most lines; a longer text ends in an ellipsis.

    Returns
    -------
    list of str
        The lines.

    Examples
    --------
    >>> folded("juvenile_offences is at most 2?", 12, 3)
    ['juvenile_', 'offences is', 'at most 2?']
    >>> folded("a very long question", 8, 2)
    ['a very', 'long qu…']
    """
    letters = max(letters, 4)
    lines = [""]
    for piece in _pieces(parts.whole(text), letters):
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


def clickable_tree_alt(nodes: pd.DataFrame, counts: pd.DataFrame, *, root: int = 1, levels: int = 5) -> str:
    """Say in words what :func:`~fairaudit.report.charts.clickable_tree.clickable_tree_chart` shows."""
    shown = drawn_nodes(nodes, root=root, levels=levels)
    sums = node_sums(counts)
    ends = shown[shown["is_leaf"] | shown["is_cut"]]
    texts = []
    for row in parts.some(list(ends.itertuples())):
        rows = rows_words(*sums.loc[row.node, ["n_learned", "n_learned_positive"]], digits=1)
        does = "more questions follow" if row.is_cut else f"predicts {parts.short(row.words)}"
        texts.append(f"{parts.capital(parts.whole(row.path))}: {does} ({rows}).")
    n_asked, n_leaves = len(shown) - len(ends), int(shown["is_leaf"].sum())
    lead = (
        f"A decision tree of {n_asked} question{'' if n_asked == 1 else 's'} and {n_leaves} "
        f"{'leaf' if n_leaves == 1 else 'leaves'}, with its training rows and the share of them that have the outcome"
    )
    few = f"; {len(texts)} of its ends are told here, the table of leaves has all" if len(texts) < len(ends) else ""
    return " ".join([f"{lead}{few}.", *texts])
