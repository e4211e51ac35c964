"""The small-cell rule for decision trees.

- What a tree asks is a setting, and stays. But it is learned from training rows, and a path that hardly anybody comes
  by could reveal them: where a node has fewer held-out rows than the minimum, the split above it, and all that lies
  below that split, are hidden. Of the others, words, paths and predictions stay.
- Counts of a tree add up: those of a node over its children, and over the groups, to counts that are shown elsewhere.
  Hidden ones could be worked out from the others, so all are shown or none: they stay only if in each leaf and group
  both outcomes are at least the minimum, or nobody of the group comes there.
- Counts of two trees, or of a tree and a rule set, can be subtracted, and what is left is who comes to a node of one
  and not of the other: where there are several, only one of them shows its counts.
- Gaps and ratios stay where they follow from the counts of the groups that are shown anyway, on held-out rows only,
  and so does DIDI of held-out rows, which follows from the same. DTDI, and how differently similar people are treated,
  are hidden: a few people can make the difference.
- Nothing stays that was counted on training or tuning rows: the objective, the bound on the way, other settings,
  accuracy and gaps there, how many splits there were, and a weight that was chosen by them. How the search ended, and
  its distance to the bound, rounded up, are no counts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import blanked, rounded_up
from fairaudit.disclosure.remedies import following_gaps
from fairaudit.plan.parts import as_part
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.findings import RemedyFinding

TEXTS = ("words", "prediction", "path", "condition", "uses_protected", "proxies")
LEARNED = ("n_learned", "n_learned_positive", "learned_rate")
METRICS = {"fnr": "fnr", "fpr": "fpr", "selection_rate": "sp"}
"""The metric whose gap has the size of each rate's."""


def shown_in_part(finding: RemedyFinding, minimum: int, *, hidden: bool) -> dict[str, Any]:
    """Return what stays of the nodes, counts and gaps of a tree."""
    details = finding.details
    unseen = unseen_nodes(details, minimum)
    counted = not hidden and not _has_small_leaf(details, minimum)
    gaps = details.gaps.iloc[:0] if hidden else following_gaps(finding.after.errors, details.gaps, METRICS)
    is_chosen = as_part(finding.plan, TreesPlan).choose_weight
    return {
        "nodes": seen_nodes(details.nodes, unseen),
        "counts": blanked(details.counts, LEARNED) if counted else details.counts.iloc[:0],
        "leaves": _seen_leaves(details.leaves, unseen) if counted else details.leaves.iloc[:0],
        "gaps": blanked(gaps, ("trained", "tuned")),
        "ratios": _seen_ratios(details.ratios, gaps),
        "indices": details.indices.iloc[:0] if hidden else _seen_indices(details.indices),
        "similar": details.similar.iloc[:0],
        "alike": details.alike.iloc[:0],
        "optimality_gap": rounded_up(details.optimality_gap),
        "fairness_weight": None if is_chosen else details.fairness_weight,
        "notes": shown_remarks(details.notes, "setting"),
    }


def counts_people(details: TreesDetails) -> bool:
    """Say whether it is shown how many come to which node."""
    return len(details.counts) > 0


def without_people(details: TreesDetails) -> TreesDetails:
    """Return a tree without how many come to which node."""
    return replace(details, counts=details.counts.iloc[:0], leaves=details.leaves.iloc[:0])


def unseen_nodes(details: TreesDetails, minimum: int) -> set[int]:
    """Return the nodes of which nothing is shown."""
    sizes = details.counts.groupby("node")["n"].sum()
    above = {int(node) // 2 for node, n in sizes.items() if n < minimum and node > 1}
    nodes = [int(node) for node in details.nodes["node"]]
    return {node for node in nodes if any(node >> up in above for up in range(node.bit_length()))}


def seen_nodes(nodes: pd.DataFrame, unseen: set[int]) -> pd.DataFrame:
    """Return nodes without the texts of those of which nothing is shown."""
    seen = nodes.astype(dict.fromkeys(TEXTS, object))
    seen.loc[seen["node"].isin(unseen), list(TEXTS)] = None
    return seen


def _seen_leaves(leaves: pd.DataFrame, unseen: set[int]) -> pd.DataFrame:
    seen = blanked(leaves, ("n_learned",)).astype({"path": object, "prediction": object})
    seen.loc[seen["leaf"].isin(unseen), ["path", "prediction"]] = None
    return seen


def _seen_ratios(ratios: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """Return the ratios of the pairs whose gaps stay."""
    pairs = set(zip(gaps["first"], gaps["second"], strict=True))
    stays = [pair in pairs for pair in zip(ratios["first"], ratios["second"], strict=True)]
    return blanked(ratios[np.array(stays, dtype=bool)], ("trained", "tuned"))


def _seen_indices(indices: pd.DataFrame) -> pd.DataFrame:
    return indices[(indices["index"] == "didi") & (indices["part"] == "held_out") & ~indices["sampled"].astype(bool)]


def _has_small_leaf(details: TreesDetails, minimum: int) -> bool:
    """Say whether few of a group with an outcome come to a leaf that others of the group come to."""
    leaves = set(details.leaves["leaf"])
    counts = details.counts[details.counts["node"].isin(leaves)]
    positive, n = counts["n_positive"].astype(int), counts["n"].astype(int)
    rarer = pd.concat([positive, n - positive], axis=1).min(axis=1)
    return bool(((n > 0) & (rarer < minimum)).any())
