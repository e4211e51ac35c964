"""What a tree of amounts is called: its settings in words."""

from __future__ import annotations

from fairaudit.remedies.trees.naming import index_words, searched_words
from fairaudit.remedies.trees.plan import TreesPlan


def amount_tree_name(remedy: TreesPlan) -> str:
    """Return the name of a tree of amounts: its settings in words.

    Examples
    --------
    >>> amount_tree_name(TreesPlan(max_depth=2, amount_difference=50))
    'A decision tree (depth up to 2, mean amounts within 50)'
    """
    settings = [f"depth up to {remedy.max_depth}"]
    if remedy.leaves == "linear":
        settings.append("weighted columns in leaves")
    if remedy.constraint is not None:
        limit = remedy.amount_difference
        settings.append("mean amounts alike" if limit is None else f"mean amounts within {limit:,.6g}")
    settings += [index_words(remedy), *searched_words(remedy)]
    return f"A decision tree ({', '.join(text for text in settings if text)})"
