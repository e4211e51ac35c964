"""What is said of a tree: how it was made, how good it can be, whether similar people are alike, and what to doubt.

It takes the details of trees of outcomes and of amounts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Remark
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share, Word
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.remedies.shared.amount_tables import digits_of
from fairaudit.remedies.shared.group_gaps import HELD
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.amounts.moved_leaves import moved_leaves
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.labels import OUTCOMES, AmountNodes, OutcomeNodes

Details = TreesDetails | AmountTreeDetails

_FAR: Final = 0.5
"""From this distance on, as a share of what was reached, a percentage above the best possible would only confuse."""
_MOST_MOVED: Final = 2
"""Leaves that are named where they bring groups closer by predicting something else than their people have."""


def made(details: Details) -> tuple[Message, ...]:
    """Return how a tree was made, and how far from the best possible it can be."""
    if details.search == "look_ahead":
        way = "grown"
    elif details.method != "frontier":
        way = "program"
    else:
        way = "all" if details.status == "optimal" else "some"
    asked: dict[str, Argument] = {"way": Word(way), "depth": Count(details.max_depth)}
    keeps = (Message("tree-made-keeps"),) if details.keeps_groups else ()
    return (Message("tree-made", asked), *keeps, best(details))


def made_text(finding: Any, facts: Any = None) -> str:
    """Return how the tree of a finding was made, as a paragraph."""
    return say(made(finding.details))


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


def caution_texts(finding: Any) -> tuple[str, ...]:
    """Return what to doubt of the tree of a finding, and what its search says of itself."""
    return (*map(say, cautions(finding.details)), *finding.details.notes)


def _moved(leaf: Any, digits: int) -> Message:
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
    if isinstance(details, TreesDetails) and (wrong := mostly_wrong(details)):
        found.append(say(Message("tree-caution-against", {"n": Count(wrong)})))
    if unseen:
        columns = Phrase(", ".join(map(naming.short, unseen)))
        found.append(say(Message("tree-caution-unseen", {"columns": columns})))
    return tuple(found)


def _of_setting(key: str) -> Remark:
    return Remark(say(Message(key)), "setting")


def mostly_wrong(details: TreesDetails) -> int:
    """Return how many leaves predict what most of their own training cases do not have."""
    sums = details.counts.groupby("node")[["n_learned", "n_learned_positive"]].sum()
    leaves = details.nodes[details.nodes["is_leaf"].astype(bool)]
    n, positive = (sums.loc[leaves["node"], name].to_numpy() for name in ("n_learned", "n_learned_positive"))
    right = np.where(leaves["prediction"].to_numpy() == 1, positive, n - positive)
    return int(((n > 0) & (2 * right < n)).sum())


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
    waiting = [(1, 0, "root")]
    while waiting:
        number, indent, side = waiting.pop()
        row = rows[number]
        is_hidden = row.words is None or pd.isna(row.words)
        kind = ("hidden-" if is_hidden else "") + ("leaf" if row.is_leaf else "ask")
        words = Phrase("" if is_hidden else wording.leaf(row) if row.is_leaf else str(row.words))
        args: dict[str, Argument] = {"side": Word(side), "kind": Word(kind), "words": words}
        lines.append((indent, say(Message("tree-line", args))))
        if not row.is_leaf and not is_hidden:
            waiting += [(2 * number + 1, indent + 1, "no"), (2 * number, indent + 1, "yes")]
    return lines


NODES: dict[str, Callable[[Any], OutcomeNodes]] = {
    "shares": lambda facts: OUTCOMES,
    "amounts": lambda facts: AmountNodes(digits_of(facts)),
}
"""How nodes are said, by the kind of decision."""


def tree_text(details: Details, wording: OutcomeNodes = OUTCOMES) -> tuple[str, ...]:
    """Return a tree as indented lines, and what happens to a missing value where anything is asked."""
    return *tree_lines(details.nodes, wording), *((say(Message("tree-missing")),) if details.n_leaves > 1 else ())


def command_lines(finding: Any, facts: Any) -> list[str]:
    """Return the tree, how many of several pairs of groups keep the limit, and how good it can be, a line each."""
    details, kept = finding.details, []
    table = details.ratios if details.by_ratio else getattr(details, "gaps", None)
    if table is not None and len(table) > 1:
        within = int(table["reading"].isin(HELD).sum())
        kept = [say(Message("tree-kept", {"within": Count(within), "n": Count(len(table))}))]
    wording = NODES[facts.outcome.name](facts)
    return [f"  {line}" for line in (*tree_lines(details.nodes, wording), *kept, say(best(details)))]
