"""What a tree is called, and what is said of it: how it was made, how good it can be, and what to doubt.

It takes the details of trees of outcomes and of amounts.

"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import pandas as pd

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Remark
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Share, Word
from fairaudit.measure.limits import amount_digits
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.remedies.tables import HELD
from fairaudit.remedies.trees.details import AmountTreeDetails, TreesDetails
from fairaudit.remedies.trees.labels import OUTCOMES, AmountNodes, OutcomeNodes
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.constraint_check import limit_text

CONSTRAINT_MESSAGES = {
    "demographic_parity": "tree-name-positive",
    "four_fifths": "tree-name-four-fifths",
    "equal_opportunity": "tree-name-missed",
    "equalized_odds": "tree-name-errors",
}
"""What may be asked to be alike."""
INDEX_WORDS = {"didi": "DIDI", "dtdi": "DTDI", "both": "DIDI and DTDI"}


def tree_name(remedy: TreesPlan) -> str:
    """Return the name of a tree: its settings in words.

    Examples
    --------
    >>> tree_name(TreesPlan(max_depth=2))
    'A decision tree (depth up to 2, positive predictions alike within 5 points)'
    >>> tree_name(TreesPlan(constraint=None, discrimination="dtdi", fairness_weight=0.5))
    'A decision tree (depth up to 3, DTDI at weight 0.5)'
    >>> tree_name(TreesPlan(search="look_ahead", constraint="four_fifths", choose_weight=True))
    'A decision tree grown question by question (depth up to 3, the 80 % rule, weight chosen by cross-validation)'
    """
    if remedy.constraint is None:
        return named(remedy)
    words = say(Message(CONSTRAINT_MESSAGES[remedy.constraint]))
    if remedy.by_ratio:
        return named(remedy, words)
    limit: dict[str, Argument] = {"what": Phrase(words), "limit": Phrase(limit_text(remedy.max_difference))}
    margin = (say(Message("tree-name-margin", {"margin": Phrase(limit_text(remedy.margin))})),) if remedy.margin else ()
    return named(remedy, say(Message("tree-name-within", limit)), *margin)


def amount_tree_name(remedy: TreesPlan) -> str:
    """Return the name of a tree of amounts: its settings in words.

    Examples
    --------
    >>> amount_tree_name(TreesPlan(max_depth=2, amount_difference=50))
    'A decision tree (depth up to 2, mean amounts within 50)'
    """
    asked = [say(Message("tree-name-weighed"))] if remedy.leaves == "linear" else []
    if remedy.constraint is not None:
        limit = remedy.amount_difference
        said = Message("tree-name-means")
        if limit is not None:
            said = Message("tree-name-means-within", {"limit": Phrase(f"{limit:,.6g}")})
        asked.append(say(said))
    return named(remedy, *asked)


def named(remedy: TreesPlan, *asked: str) -> str:
    """Return the name of a tree with what is asked of it, and how it is searched for where that is not as usual."""
    settings = [say(Message("tree-name-depth", {"n": Count(remedy.max_depth)})), *asked, *_priced(remedy)]
    args: dict[str, Argument] = {"settings": Phrase(", ".join([*settings, *_searched(remedy)]))}
    way = "all" if remedy.search == "optimal" else "grown"
    return say(Message("tree-name", {**args, "way": Word(way)}))


def _priced(remedy: TreesPlan) -> tuple[str, ...]:
    """Return which index counts, or what a difference costs where a tree is grown."""
    weight: dict[str, Argument] = {"weight": Phrase(f"{remedy.fairness_weight:g}")}
    if remedy.search == "look_ahead":
        chosen = (Message("tree-name-weight-chosen"),) if remedy.choose_weight else ()
        given = (Message("tree-name-weight", weight),) if remedy.fairness_weight and not remedy.choose_weight else ()
        return tuple(map(say, chosen or given))
    if remedy.discrimination is None:
        return ()
    index: dict[str, Argument] = {"index": Phrase(INDEX_WORDS[remedy.discrimination])}
    bound: dict[str, Argument] = {"bound": Phrase(f"{remedy.max_discrimination or 0:g}")}
    is_bounded = Word("no" if remedy.max_discrimination is None else "yes")
    is_priced = Word("yes" if remedy.fairness_weight else "no")
    return (say(Message("tree-name-index", {**index, **weight, **bound, "bounded": is_bounded, "priced": is_priced})),)


def _searched(remedy: TreesPlan) -> tuple[str, ...]:
    """Return how a tree is searched for, where that is not as usual."""
    usual = {name: field.default for name, field in TreesPlan.model_fields.items()}
    uses, features = remedy.max_uses_per_feature, remedy.max_features
    near = remedy.discrimination in ("dtdi", "both") and remedy.n_neighbors != usual["n_neighbors"]
    has_time = remedy.time_limit != usual["time_limit"]
    found = (
        (remedy.branching == "linear", Message("tree-name-sums")),
        (uses is not None, Message("tree-name-uses", {"n": Count(uses or 0)})),
        (features is not None, Message("tree-name-columns", {"n": Count(features or 0)})),
        (remedy.min_leaf_size != usual["min_leaf_size"], Message("tree-name-leaf", {"n": Count(remedy.min_leaf_size)})),
        (near, Message("tree-name-near", {"n": Count(remedy.n_neighbors)})),
        (remedy.use_sensitive, Message("tree-name-sensitive")),
        (has_time, Message("tree-name-work", {"seconds": Phrase(f"{remedy.time_limit:g}")})),
    )
    return tuple(say(message) for is_so, message in found if is_so)


def objective_words(remedy: TreesPlan, error: str = "tree-objective-share") -> str:
    """Return what a search makes small, in plain words.

    Examples
    --------
    >>> objective_words(TreesPlan(discrimination="both", fairness_weight=2))
    'share of wrong training cases + 2 times DIDI and DTDI'
    """
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
    if wrong := details.n_mostly_wrong:
        found.append(say(Message("tree-caution-against", {"n": Count(wrong)})))
    if unseen:
        columns = Phrase(", ".join(map(naming.short, unseen)))
        found.append(say(Message("tree-caution-unseen", {"columns": columns})))
    return tuple(found)


def _of_setting(key: str) -> Remark:
    return Remark(say(Message(key)), "setting")


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


NODES: dict[str, Callable[[Any], OutcomeNodes]] = {
    "shares": lambda facts: OUTCOMES,
    "amounts": lambda facts: AmountNodes(amount_digits(facts.deviation)),
}
"""How nodes are said, by the kind of decision."""


def tree_text(details: Details, wording: OutcomeNodes = OUTCOMES) -> tuple[str, ...]:
    """Return a tree as indented lines, and what happens to a missing value where anything is asked."""
    if not len(details.nodes):
        return (say(Message("tree-not-shown")),)
    missing = (say(Message("tree-missing")),) if details.n_leaves > 1 else ()
    return *tree_lines(details.nodes, wording), *missing


def command_lines(finding: Any, facts: Any) -> list[str]:
    """Return the tree, how many of several pairs of groups keep the limit, and how good it can be, a line each."""
    details, kept = finding.details, []
    table = details.ratios if details.by_ratio else getattr(details, "gaps", None)
    if table is not None and len(table) > 1:
        within = int(table["reading"].isin(HELD).sum())
        kept = [say(Message("tree-kept", {"within": Count(within), "n": Count(len(table))}))]
    lines = tree_lines(details.nodes, NODES[facts.outcome.name](facts)) or (say(Message("tree-not-shown")),)
    return [f"  {line}" for line in (*lines, *kept, say(best(details)))]
