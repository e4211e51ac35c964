"""What is said of a tree: how it was made and what to doubt, its nodes, itself as text, and an example person's way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import pandas as pd

from fairaudit.columns import DAY_KINDS
from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Remark
from fairaudit.estimators.rules.binarizer import read_column
from fairaudit.estimators.trees.tree import Tree
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share, Word
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.numbers import NOT_SHOWN, number_text, reads_as_number
from fairaudit.remedies.trees.details import AmountTreeDetails, Details
from fairaudit.remedies.trees.plan import INDEX_WORDS, TreesPlan
from fairaudit.study.divided import DividedRows
from fairaudit.study.rows import learned_rows


def objective_words(remedy: TreesPlan, error: str = "tree-objective-share") -> str:
    """Return what a search makes small, in plain words.

    Examples
    --------
    >>> objective_words(TreesPlan(discrimination="both", fairness_weight=2))
    'share of wrong training cases + 2 times DIDI and DTDI'
    """
    if remedy.max_loss is not None:
        return say(Message("curve-objective"))
    if remedy.discrimination is None or not remedy.fairness_weight:
        return say(Message(error))
    args: dict[str, Argument] = {
        "error": Message(error),
        "price": Phrase(f"{remedy.fairness_weight:g}"),
        "index": Phrase(INDEX_WORDS[remedy.discrimination]),
    }
    return say(Message("tree-objective", args))


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


_FAR: Final = 0.5
"""From this distance on, as a share of what was reached, a percentage above the best possible would only confuse."""
_MOST_MOVED: Final = 2
"""Leaves that are named where they bring groups closer by predicting something else than their people have."""


def made(details: Details) -> tuple[Message, ...]:
    """Return how a tree was made, and how far from the best possible it can be."""
    if details.search == "look_ahead":
        way = "grown"
    elif details.method != "search":
        way = "program"
    else:
        way = "all" if details.status == "optimal" else "some"
    asked: dict[str, Argument] = {"way": Word(way), "depth": Count(details.max_depth)}
    keeps = (Message("tree-made-keeps"),) if details.keeps_groups else ()
    return (Message("tree-made", asked), *keeps, best(details))


def solved(details: Details) -> tuple[Message, ...]:
    """Return what found a tree, and what SCIP says of it in the published model."""
    found = Message("tree-solved", {"method": Word(details.method.replace("_", "-"))})
    if details.confirmed == "no_such_model":
        return (found,)
    return found, Message("tree-confirmed", {"confirmed": Word(details.confirmed.replace("_", "-"))})


def best(details: Details) -> Message:
    """Return how far from the best possible a tree can be."""
    if details.search != "look_ahead":
        if details.status == "optimal":
            return Message("tree-best-proven")
        if details.status == "infeasible":
            return Message("tree-best-infeasible")
        gap = details.optimality_gap
        if gap is not None and math.isfinite(gap) and gap < _FAR:
            # The gap is a share of what was reached; people ask for the share of the best possible, rounded up.
            above = math.ceil(round(1000 * gap / (1 - gap), 6)) / 1000
            return Message("tree-best-within", {"above": Share(above, 1)})
    return Message("tree-best-open")


def similar(details: Details) -> Message | None:
    """Return how many people are treated as similar people are; None where that is hidden or there are none."""
    sums = details.alike.groupby("model")[["n", "n_alike"]].sum() if len(details.alike) else None
    if sums is None or not sums["n"].min():
        return None
    after, before = (float(sums.loc[each, "n_alike"] / sums.loc[each, "n"]) for each in ("after", "before"))
    return Message("tree-similar", {"own": Share(after), "rest": Share(before)}, reveals=("details.alike",))


def cautions(details: Details) -> tuple[Message, ...]:
    """Return what to doubt of the questions of a tree."""
    nodes, found = details.nodes, []
    if revealing := int(nodes["uses_protected"].fillna(value=False).astype(bool).sum()):
        found.append(Message("tree-caution-reveals", {"n": Count(revealing)}, "caution"))
    if close := [text for text in dict.fromkeys(nodes["proxies"].fillna("")) if text]:
        found.append(Message("tree-caution-close", {"columns": Phrase(", ".join(close))}, "caution"))
    return tuple(found)


def moved(details: AmountTreeDetails, digits: int) -> tuple[Message, ...]:
    """Return which leaves of a tree of amounts bring groups closer by predicting something else than people have."""
    return tuple(_moved(leaf, digits) for leaf in moved_leaves(details).head(_MOST_MOVED).itertuples())


class MovedLeaf(Protocol):
    """A row of :func:`moved_leaves`."""

    node: int
    predicted: float
    mean: float


def _moved(leaf: MovedLeaf, digits: int) -> Message:
    by = leaf.predicted - leaf.mean
    args: dict[str, Argument] = {
        "node": Count(int(leaf.node)),
        "size": Amount(abs(by), digits),
        "direction": Word("more" if by > 0 else "less"),
    }
    return Message("tree-caution-moved", args, "caution", ("details.counts",))


def warnings(details: Details, *, kept: bool, unseen: tuple[str, ...], components: bool) -> tuple[str, ...]:
    """Return what makes a tree doubtful, each text with what it reveals.

    `kept` says whether it keeps to its limit on the training cases, `unseen` names columns with values that it has
    never seen, `components` says whether the plan asks for principal components.
    """
    found: list[str] = []
    if components:
        found.append(_of_setting("tree-caution-components"))
    if details.status == "work_limit":
        found.append(_of_setting("tree-caution-work"))
    if details.n_leaves == 1:
        found.append(_of_setting("tree-caution-one-leaf"))
    if not kept:
        found.append(say(Message("tree-caution-not-kept")))
    few = int((details.leaves["n_learned"] < ENOUGH).sum())
    if few and details.n_leaves > 1:
        found.append(say(Message("tree-caution-few", {"n": Count(few), "few": Count(ENOUGH)})))
    if wrong := details.n_mostly_wrong:
        found.append(say(Message("tree-caution-against", {"n": Count(wrong)})))
    if unseen:
        columns = Phrase(", ".join(map(naming.short, unseen)))
        found.append(say(Message("tree-caution-unseen", {"columns": columns})))
    return tuple(found)


def _of_setting(key: str) -> Remark:
    return Remark(say(Message(key)), "setting")


# What stands in the boxes of a drawn tree, and which part of a deep one is drawn.

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


class NodeRow(Protocol):
    """A row of the nodes of a tree, as far as it is drawn; see ``TreesDetails.nodes`` and :func:`drawn_nodes`."""

    node: int
    depth: int
    is_leaf: bool
    is_cut: bool
    words: str
    path: str
    prediction: float


class GroupRow(Protocol):
    """A group at a node: a row of ``TreesDetails.counts`` or ``AmountTreeDetails.counts``."""

    group: str
    n_learned: int
    learned_rate: float
    learned_mean: float


class OutcomeNodes:
    """What nodes of a tree are called where the decision has a favourable result."""

    digits: int | None = None
    """The decimals of amounts; None where figures are shares."""

    def sums(self, counts: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of each node over all groups, by its number; NaN where they are hidden."""
        known = counts.astype({"n_learned": float, "n_learned_positive": float})
        return known.groupby("node")[["n_learned", "n_learned_positive", "n", "n_positive"]].sum(min_count=1)

    def rows(self, sums: pd.Series, *, digits: int = 0) -> str:
        """Return how many training rows a node has, and the share of them with the outcome."""
        n, positive = sums["n_learned"], sums["n_learned_positive"]
        return cases(n, None if not n else Share(positive / n, digits))

    def leaf(self, row: NodeRow) -> str:
        """Return what a leaf predicts."""
        return row.words

    def group(self, row: GroupRow) -> str:
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

    def leaf(self, row: NodeRow) -> str:
        """Return what a leaf predicts: one amount, or weighed columns with their mean."""
        amount = number_text(row.prediction, digits=self.digits)
        if reads_as_number(row.words):
            return amount
        return say(Message("tree-about", {"amount": Phrase(amount), "weighed": Phrase(row.words)}))

    def group(self, row: GroupRow) -> str:
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


def leaf_words(row: NodeRow, wording: OutcomeNodes) -> str:
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
    """Say in words what :func:`~fairaudit.remedies.trees.charts.clickable_tree_chart` shows."""
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


# The tree as text.


def tree_lines(nodes: pd.DataFrame, wording: OutcomeNodes = OUTCOMES) -> tuple[str, ...]:
    """Return a tree as indented lines.

    Examples
    --------
    >>> nodes = {"node": [1, 2, 3], "is_leaf": [False, True, True], "words": ["age is at most 25", "b", "c"]}
    >>> tree_lines(pd.DataFrame(nodes))
    ('if age is at most 25', '  then predict b', '  otherwise predict c')
    """
    return tuple("  " * indent + line for indent, line in tree_steps(nodes, wording))


def tree_steps(nodes: pd.DataFrame, wording: OutcomeNodes = OUTCOMES) -> list[tuple[int, str]]:
    """Return the questions and ends of a tree from the first on, each with how many questions come before it."""
    rows = {int(row.node): row for row in nodes.itertuples()}
    lines: list[tuple[int, str]] = []
    waiting = [(1, 0, "root")] if rows else []
    while waiting:
        number, indent, side = waiting.pop()
        row = rows[number]
        words = Phrase(wording.leaf(row) if row.is_leaf else str(row.words))
        args: dict[str, Argument] = {
            "side": Word(side),
            "kind": Word("leaf" if row.is_leaf else "ask"),
            "words": words,
        }
        lines.append((indent, say(Message("tree-line", args))))
        if not row.is_leaf:
            waiting += [(2 * number + 1, indent + 1, "no"), (2 * number, indent + 1, "yes")]
    return lines


def tree_text(details: Details, wording: OutcomeNodes = OUTCOMES) -> tuple[str, ...]:
    """Return a tree as indented lines, and what happens to a missing value where anything is asked."""
    if not len(details.nodes):
        return (say(Message("tree-not-shown")),)
    missing = (say(Message("tree-missing")),) if details.n_leaves > 1 else ()
    return *tree_lines(details.nodes, wording), *missing


# An example person: what a tree asks for, with usual answers, and the way that such a person takes.

MOST_CHOICES: Final = 200
"""Values that can be chosen, the most frequent first."""


@dataclass(frozen=True)
class AskedColumn:
    """A column that a tree asks for, and what it holds on the rows that the tree was learned from.

    Parameters
    ----------
    name : str
        The column.
    kind : {"number", "date", "choice"}
        What it holds.
    usual : object
        The median of numbers and dates, otherwise the most frequent value; None where nothing is known.
    low, high : object
        The ends of numbers and dates; None for choices.
    is_whole : bool
        Whether all numbers are whole.
    choices : tuple
        The values that can be chosen.
    """

    name: str
    kind: str
    usual: object
    low: Any = None
    high: Any = None
    is_whole: bool = False
    choices: tuple[object, ...] = ()


@dataclass(frozen=True)
class Way:
    """The way of a person through a tree.

    Parameters
    ----------
    nodes : tuple of int
        The nodes, from the root to the leaf.
    steps : tuple of str
        What is found at each question, in words.
    prediction : str
        What is predicted, in words.
    value : float
        The same as a number: 1 for the outcome and 0 for none, or the amount.
    """

    nodes: tuple[int, ...]
    steps: tuple[str, ...]
    prediction: str
    value: float


def asked_columns(study: DividedRows, tree: Tree) -> tuple[AskedColumn, ...]:
    """Return what a tree asks for."""
    frame = study.X[list(tree.columns)].iloc[learned_rows(study)]
    return tuple(_asked(frame, name) for name in tree.columns)


def _asked(frame: pd.DataFrame, name: str) -> AskedColumn:
    _, kind = read_column(frame, name)
    known = frame[name].dropna()
    if kind == "number":
        values = known.astype(float)
        whole = bool((values == np.floor(values)).all())
        middle = float(values.median())
        return AskedColumn(
            name, "number", float(round(middle)) if whole else middle, float(values.min()), float(values.max()), whole
        )
    if kind in DAY_KINDS:
        days = pd.to_datetime(known)
        ends = (days.min().date(), days.max().date())
        return AskedColumn(name, "date", days.quantile(0.5, interpolation="nearest").date(), *ends)
    choices = tuple(known.value_counts().index[:MOST_CHOICES].tolist())
    return AskedColumn(name, "choice", choices[0] if choices else None, choices=choices)


def way_of(rows: pd.DataFrame, tree: Tree, person: Mapping[str, object]) -> Way:
    """Return the way of a made-up person through a tree.

    Examples
    --------
    >>> from fairaudit.estimators.rules.literals import Literal
    >>> from fairaudit.estimators.trees.tree import Node
    >>> leaves = Node(2, None, 1, (1,), (1,)), Node(3, None, 0, (1,), (0,))
    >>> tree = Tree((Node(1, Literal("age", "at_most", 25), 0, (2,), (1,)), *leaves), outcomes=("stays", "leaves"))
    >>> way_of(pd.DataFrame({"age": [20.0, 30.0]}), tree, {"age": 40}).steps
    ('age is more than 25',)
    """
    # As one of the rows, so that each column keeps its type.
    columns = {name: _like(rows[name], person[name]) for name in tree.columns}
    frame = pd.DataFrame(columns if columns else {"": [0]})
    leaf = int(tree.apply(frame)[0])
    way = tuple(leaf >> up for up in range(leaf.bit_length() - 1, -1, -1))
    steps = []
    for step in tree.steps(leaf):
        unknown = [name for name in step.columns if person[name] is None]
        steps.append(
            f"{', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not known" if unknown else step.words()
        )
    value = float(tree.predict(frame)[0])
    return Way(way, tuple(steps), tree.prediction_text(tree.node(leaf)), value)


def _like(column: pd.Series, value: object) -> pd.Series:
    kind = column.dtype
    if pd.api.types.is_datetime64_any_dtype(kind):
        return pd.Series([pd.NaT if value is None else pd.Timestamp(value)]).astype(kind)
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind):
        return pd.Series([value], dtype=float)
    return pd.Series([value], dtype=object)
