"""The small-cell rule for a tree of amounts.

What it asks and predicts stays but where few held-out rows come to a side of a split: there the split and all below it
are hidden. Who comes to its nodes is shown whole or not at all: only if in each leaf each group has at least the
minimum of held-out rows or none.
"""

from __future__ import annotations

from typing import Any

from fairaudit.disclosure.hidden import blanked, rounded, rounded_up
from fairaudit.plan.parts import as_part
from fairaudit.remedies.trees.disclosure import seen_nodes, unseen_nodes
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.findings import AmountRemedyFinding


def shown_in_part(finding: AmountRemedyFinding, minimum: int, *, hidden: bool) -> dict[str, Any]:
    """Return what stays of the nodes and counts of a tree of amounts."""
    details = finding.details
    asked = as_part(finding.plan, TreesPlan).amount_difference is not None
    unseen = unseen_nodes(details, minimum)
    leaves = set(details.leaves["leaf"])
    n = details.counts.loc[details.counts["node"].isin(leaves), "n"]
    counted = not hidden and not unseen and not ((n > 0) & (n < minimum)).any()
    return {
        "nodes": seen_nodes(details.nodes, unseen).astype({"prediction": object}),
        "counts": blanked(details.counts, ("n_learned", "learned_mean")) if counted else details.counts.iloc[:0],
        "leaves": blanked(details.leaves, ("n_learned",)) if counted else details.leaves.iloc[:0],
        "max_difference": details.max_difference if asked else rounded(details.max_difference),
        "optimality_gap": rounded_up(details.optimality_gap),
        "similar": details.similar.iloc[:0],
        "alike": details.alike.iloc[:0],
    }
