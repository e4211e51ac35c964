"""What a tree is called: its settings in words."""

from __future__ import annotations

from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.rates_alike import limit_text

ALIKE = {
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
    words = say(Message(ALIKE[remedy.constraint]))
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
