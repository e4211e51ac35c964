"""What a tree is called: its settings in words."""

from __future__ import annotations

from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.rates import ALIKE_WORDS
from fairaudit.study.rates_alike import limit_text

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
    kind = "A decision tree" if remedy.search == "optimal" else "A decision tree grown question by question"
    settings = (f"depth up to {remedy.max_depth}", _alike(remedy), _index(remedy), *searched_words(remedy))
    return f"{kind} ({', '.join(text for text in settings if text)})"


def _alike(remedy: TreesPlan) -> str:
    if remedy.constraint is None:
        return ""
    words = ALIKE_WORDS[remedy.constraint]
    if remedy.by_ratio:
        return words
    margin = f" with a margin of {limit_text(remedy.margin)}" if remedy.margin else ""
    return f"{words} within {limit_text(remedy.max_difference)}{margin}"


def _index(remedy: TreesPlan) -> str:
    if remedy.search == "look_ahead":
        if remedy.choose_weight:
            return "weight chosen by cross-validation"
        return f"weight {remedy.fairness_weight:g}" if remedy.fairness_weight else ""
    return index_words(remedy)


def index_words(remedy: TreesPlan) -> str:
    """Return which index counts in the search for the best tree, with its price and limit; empty where none does."""
    if remedy.discrimination is None:
        return ""
    words = INDEX_WORDS[remedy.discrimination]
    price = f" at weight {remedy.fairness_weight:g}" if remedy.fairness_weight else ""
    bound = "" if remedy.max_discrimination is None else f" up to {remedy.max_discrimination:g}"
    return f"{words}{price}{bound}"


def searched_words(remedy: TreesPlan) -> tuple[str, ...]:
    """Return how a tree is searched for, where that is not as usual; some texts are empty."""
    usual = {name: field.default for name, field in TreesPlan.model_fields.items()}
    uses, features = remedy.max_uses_per_feature, remedy.max_features
    near = remedy.discrimination in ("dtdi", "both") and remedy.n_neighbors != usual["n_neighbors"]
    return (
        "splits by several columns" if remedy.branching == "linear" else "",
        "" if uses is None else f"each column asked for {'once' if uses == 1 else f'up to {uses} times'}",
        "" if features is None else f"up to {features} column{'' if features == 1 else 's'}",
        "" if remedy.min_leaf_size == usual["min_leaf_size"] else f"leaves of {remedy.min_leaf_size} rows or more",
        f"{remedy.n_neighbors} near rows" if near else "",
        "also by columns that tell the groups" if remedy.use_sensitive else "",
        "" if remedy.time_limit == usual["time_limit"] else f"a search of about {remedy.time_limit:g} seconds' work",
    )


def objective_words(remedy: TreesPlan, wrong: str = "share of wrong training rows") -> str:
    """Return the objective in plain words.

    Examples
    --------
    >>> objective_words(TreesPlan(discrimination="both", fairness_weight=2))
    'share of wrong training rows + 2 times the sum of DIDI and DTDI'
    """
    if remedy.discrimination is None or not remedy.fairness_weight:
        return wrong
    index = "the sum of DIDI and DTDI" if remedy.discrimination == "both" else remedy.discrimination.upper()
    return f"{wrong} + {remedy.fairness_weight:g} times {index}"
