"""The small-cell rule for decision trees, of outcomes and of amounts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.held_out_counts import following_gaps
from fairaudit.disclosure.hidden import blanked, rounded, rounded_up
from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import MINUS
from fairaudit.remedies.trees.details import AmountTreeDetails, TreesDetails
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.study.amounts.findings import AmountRemedyFinding
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


TIMES = " \N{MULTIPLICATION SIGN} "
"""What the text of a leaf holds that weighs columns."""


def amount_shown_in_part(finding: AmountRemedyFinding, minimum: int, *, hidden: bool) -> dict[str, Any]:
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
        value, text = None, node.words
        if node.is_leaf:
            is_constant = text is not None and TIMES not in text
            value = shared(float(node.prediction)) if is_constant else None
            text = None if value is None else f"{value:,.15g}".replace("-", MINUS)
        amounts.append(value)
        words.append(text)
    values = {"prediction": amounts, "words": words}
    columns = {name: pd.Series(said, details.nodes.index, dtype=object) for name, said in values.items()}
    return replace(details, nodes=details.nodes.assign(**columns))
