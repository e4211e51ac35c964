"""The small-cell rule for decision trees.

- What a tree asks is a setting, and stays. But it is learned from training rows, and a path that hardly anybody comes
  by could tell of them: where a node has fewer held-out rows than the minimum, the split above it, and all that lies
  below that split, is not told. Of the others, words, paths and predictions stay.
- Counts of a tree add up: those of a node over its children, and over the groups, to counts that are told elsewhere.
  Hiding some would leave them to be worked out, so that all are told or none: they stay only if in each leaf and group
  both outcomes are at least the minimum, or nobody of the group comes there.
- Counts of two trees, or of a tree and a rule set, could be taken from each other, and what is left is who comes to a
  node of one and not of the other: where there are several, only one of them tells its counts.
- Gaps and ratios stay where they follow from the counts of the groups that are told anyway, on held-out rows only, and
  so does DIDI of held-out rows, which follows from the same. DTDI, and how differently similar people are treated, is
  not told: a few people can make the difference.
- Nothing stays that was counted on training or tuning rows: the objective, the bound over time, other settings,
  accuracy and gaps there. How the search ended, and its distance to the bound, rounded up, are no counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from fairaudit.remedies.constrain.disclosure import GroupCounts, harmless
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.study.findings import RemedyFinding

TEXTS = ("words", "prediction", "path", "condition", "uses_protected", "proxies")
TRAINED = ("objective", "bound", "trained_gap", "tuned_gap", "trained_accuracy", "tuned_accuracy")
LEARNED = ("n_learned", "n_learned_positive", "learned_rate")
METRICS = {"fnr": "fnr", "fpr": "fpr", "selection_rate": "sp"}
"""The metric whose gap has the size of each rate's."""


def masked_trees(finding: RemedyFinding, details: TreesDetails, minimum: int, *, hidden: bool) -> TreesDetails:
    """Return what stays of a tree where small counts are hidden."""
    groups = {str(name) for name in finding.after.errors.groups}
    untold = untold_nodes(details, minimum)
    counted = not hidden and not _has_small_leaf(details, minimum)
    gaps = details.gaps.iloc[:0] if hidden else _told_gaps(finding, details.gaps)
    return replace(
        details,
        nodes=told_nodes(details.nodes, untold),
        counts=blanked(details.counts, LEARNED) if counted else details.counts.iloc[:0],
        leaves=_told_leaves(details.leaves, untold) if counted else details.leaves.iloc[:0],
        gaps=blanked(gaps, ("trained", "tuned")),
        ratios=_told_ratios(details.ratios, gaps),
        indices=details.indices.iloc[:0] if hidden else _told_indices(details.indices),
        similar=details.similar.iloc[:0],
        alike=details.alike.iloc[:0],
        gap=rounded_up(details.gap),
        bounds=details.bounds.iloc[:0],
        settings=details.settings.iloc[:0],
        notes=() if hidden else harmless(details.notes, groups),
        **dict.fromkeys(TRAINED),
    )


def told_apart(remedies: Iterable[RemedyFinding]) -> tuple[RemedyFinding, ...]:
    """Hide the counts of trees beside another tree or a rule set whose counts are told."""
    remedies = tuple(remedies)
    taken = any(isinstance(each.details, RulesDetails) and len(each.details.coverage) for each in remedies)
    found = []
    for remedy in remedies:
        details = remedy.details
        if isinstance(details, TreesDetails) and len(details.counts):
            if taken:
                alone = replace(details, counts=details.counts.iloc[:0], leaves=details.leaves.iloc[:0])
                remedy = replace(remedy, details=alone)
            taken = True
        found.append(remedy)
    return tuple(found)


def untold_nodes(details: TreesDetails, minimum: int) -> set[int]:
    """Return the nodes of which nothing is told."""
    sizes = details.counts.groupby("node")["n"].sum()
    above = {int(node) // 2 for node, n in sizes.items() if n < minimum and node > 1}
    nodes = [int(node) for node in details.nodes["node"]]
    return {node for node in nodes if any(node >> up in above for up in range(node.bit_length()))}


def told_nodes(nodes: pd.DataFrame, untold: set[int]) -> pd.DataFrame:
    """Return nodes without the texts of those of which nothing is told."""
    told = nodes.astype(dict.fromkeys(TEXTS, object))
    told.loc[told["node"].isin(untold), list(TEXTS)] = None
    return told


def _told_leaves(leaves: pd.DataFrame, untold: set[int]) -> pd.DataFrame:
    told = blanked(leaves, ("n_learned",)).astype({"path": object, "prediction": object})
    told.loc[told["leaf"].isin(untold), ["path", "prediction"]] = None
    return told


def _told_gaps(finding: RemedyFinding, gaps: pd.DataFrame) -> pd.DataFrame:
    """Return the gaps that follow from the counts of the groups."""
    counts = GroupCounts(finding.after.errors)
    follows = [
        counts.gives(METRICS[row.rate], row.first, row.second, row.held_out, (row.n_first, row.n_second))
        for row in gaps.itertuples()
    ]
    return gaps[np.array(follows, dtype=bool)]


def _told_ratios(ratios: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """Return the ratios of the pairs whose gaps stay."""
    pairs = set(zip(gaps["first"], gaps["second"], strict=True))
    stays = [pair in pairs for pair in zip(ratios["first"], ratios["second"], strict=True)]
    return blanked(ratios[np.array(stays, dtype=bool)], ("trained", "tuned"))


def _told_indices(indices: pd.DataFrame) -> pd.DataFrame:
    return indices[(indices["index"] == "didi") & (indices["part"] == "held_out") & ~indices["sampled"].astype(bool)]


def _has_small_leaf(details: TreesDetails, minimum: int) -> bool:
    """Say whether few of a group with an outcome come to a leaf that others of the group come to."""
    leaves = set(details.leaves["leaf"])
    counts = details.counts[details.counts["node"].isin(leaves)]
    positive, n = counts["n_positive"].astype(int), counts["n"].astype(int)
    rarer = pd.concat([positive, n - positive], axis=1).min(axis=1)
    return bool(((n > 0) & (rarer < minimum)).any())


def blanked(frame: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    """Return a frame in which some columns hold None."""
    return frame.astype(dict.fromkeys(names, object)).assign(**dict.fromkeys(names))


def rounded_up(gap: float) -> float:
    """Return a distance to a bound, rounded up to a tenth of a percent."""
    return math.ceil(round(1000 * gap, 6)) / 1000 if math.isfinite(gap) else gap
