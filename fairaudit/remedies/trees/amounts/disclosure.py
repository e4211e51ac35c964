"""The small-cell rule for a tree of amounts.

What it asks and predicts stays but where few held-out rows come to a side of a split: there the split and all below it
are hidden. What a leaf predicts may be what one person has, so it is rounded until several people have it, or hidden
where the leaf weighs columns. Who comes to its nodes is hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd

from fairaudit.disclosure.hidden import rounded, rounded_up
from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import MINUS
from fairaudit.remedies.trees.amounts.details import AmountTreeDetails
from fairaudit.remedies.trees.disclosure import seen_nodes, unseen_nodes
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.findings import AmountRemedyFinding

TIMES = " \N{MULTIPLICATION SIGN} "
"""What the text of a leaf holds that weighs columns."""


def shown_in_part(finding: AmountRemedyFinding, minimum: int, *, hidden: bool) -> dict[str, Any]:
    """Return what stays of the nodes and counts of a tree of amounts."""
    details = finding.details
    asked = as_part(finding.plan, TreesPlan).amount_difference is not None
    return {
        "nodes": seen_nodes(details.nodes, unseen_nodes(details, minimum)),
        "counts": details.counts.iloc[:0],
        "leaves": details.leaves.iloc[:0],
        "max_difference": details.max_difference if asked else rounded(details.max_difference),
        "optimality_gap": rounded_up(details.optimality_gap),
        "similar": details.similar.iloc[:0],
        "alike": details.alike.iloc[:0],
    }


def with_shared_amounts(details: AmountTreeDetails, shared: Callable[[float], float | None]) -> AmountTreeDetails:
    """Return a tree that predicts amounts which several people have; a leaf that weighs columns may go through one."""
    amounts, words = [], []
    for node in details.nodes.itertuples():
        amount, text = None, node.words
        if node.is_leaf:
            is_amount = text is not None and TIMES not in text
            amount = shared(float(node.prediction)) if is_amount else None
            text = None if amount is None else f"{amount:,.15g}".replace("-", MINUS)
        amounts.append(amount)
        words.append(text)
    values = {"prediction": amounts, "words": words}
    columns = {name: pd.Series(said, details.nodes.index, dtype=object) for name, said in values.items()}
    return replace(details, nodes=details.nodes.assign(**columns))
