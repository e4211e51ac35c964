"""What remedies are called where the decision is an amount: the name in the plan, or the settings in words."""

from __future__ import annotations

from typing import Final

from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.remedies.trees.naming import index_words, searched_words
from fairaudit.remedies.trees.plan import TreesPlan

AMOUNT_MODEL_WORDS: Final = {
    "linear_regression": "linear regression",
    "median": "the median for everybody",
}
"""The plain models in words."""


def amount_remedy_name(remedy: RemedyPlan) -> str:
    """Return what a remedy is called: the name in its plan, or its settings in words.

    Examples
    --------
    >>> amount_remedy_name(PlainPlan(model="median"))
    'Plain model: the median for everybody'
    """
    if remedy.name:
        return remedy.name
    if isinstance(remedy, PlainPlan):
        return f"Plain model: {AMOUNT_MODEL_WORDS[remedy.model]}"
    return amount_tree_name(remedy)


def amount_tree_name(remedy: TreesPlan) -> str:
    """Return what a tree of amounts is called, from its settings.

    Examples
    --------
    >>> amount_tree_name(TreesPlan(max_depth=2, amount_difference=50))
    'Optimal tree (depth up to 2, mean amounts within 50)'
    """
    told = [f"depth up to {remedy.max_depth}"]
    if remedy.leaves == "linear":
        told.append("weighted columns in leaves")
    if remedy.constraint is not None:
        limit = remedy.amount_difference
        told.append("mean amounts alike" if limit is None else f"mean amounts within {limit:,.6g}")
    told += [index_words(remedy), *searched_words(remedy)]
    return f"Optimal tree ({', '.join(text for text in told if text)})"
