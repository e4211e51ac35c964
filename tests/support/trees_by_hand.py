"""What a search for a tree would have found, made from words and counts, without searching."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from rules_by_hand import gaps as rule_gaps

from fairaudit.measure.intervals import ratio, wilson
from fairaudit.remedies.trees.details import TreesDetails
from fairaudit.remedies.trees.search import ratio_table

FAIRNESS = {"demographic_parity": "demographic_parity", "four_fifths": "demographic_parity"}
NODES = (
    (1, "age is at most 25", "age <= 25", False, ""),
    (2, "not: income is >50K", "age <= 25", False, ""),
    (3, "prior offences is more than 3", "prior_offences > 3", False, "prior_offences"),
    (6, "income is >50K", "(NOT age <= 25) AND prior_offences > 3", False, ""),
    (7, "not: income is >50K", "(NOT age <= 25) AND NOT prior_offences > 3", False, ""),
)
"""Number, words, condition, whether it reveals the groups, and what comes close. Leaf 6 predicts the outcome."""
LEAVES = (2, 6, 7)
PLACES = {1: (0.75, 0), 2: (0.0, 1), 3: (1.5, 1), 6: (1.0, 2), 7: (2.0, 2)}


def nodes() -> pd.DataFrame:
    rows = []
    for number, words, condition, uses, close in NODES:
        side = "" if number == 1 else "no" if number % 2 else "yes"
        leaf = number in LEAVES
        rows.append(
            (number, number // 2, side, number.bit_length() - 1, *map(float, PLACES[number]), leaf, words,
             float(number == 6) if leaf else math.nan, f"the way to {number}", condition, uses, close)
        )  # fmt: skip
    names = ["node", "parent", "side", "depth", "x", "y", "is_leaf", "words", "prediction", "path", "condition",
             "uses_protected", "proxies"]  # fmt: skip
    return pd.DataFrame(rows, columns=names)


def counts(groups, cells) -> pd.DataFrame:
    """Of those who are predicted not to have the outcome, six in ten come to leaf 2."""
    rows = []
    for group, (tp, fp, tn, fn) in zip(groups, cells, strict=True):
        first = (6 * tn // 10, 6 * fn // 10)
        parts = {6: (tp, fp), 2: (first[1], first[0]), 7: (fn - first[1], tn - first[0])}
        parts |= {3: tuple(np.add(parts[6], parts[7])), 1: (tp + fn, fp + tn)}
        for node in (1, 2, 3, 6, 7):
            positive, negative = (int(n) for n in parts[node])
            rows.append((node, group, 3 * (positive + negative), 3 * positive, positive + negative, positive))
    table = pd.DataFrame(rows, columns=["node", "group", "n_learned", "n_learned_positive", "n", "n_positive"])
    low, high = wilson(table["n_positive"], table["n"])
    table.insert(4, "learned_rate", ratio(table["n_learned_positive"], table["n_learned"]))
    table = table.assign(rate=ratio(table["n_positive"], table["n"]), rate_low=low, rate_high=high)
    return table.sort_values("node", kind="stable").reset_index(drop=True)


def leaves(table: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for leaf in LEAVES:
        here = table[table["node"] == leaf][["n_learned", "n", "n_positive"]].sum()
        right = here["n_positive"] if leaf == 6 else here["n"] - here["n_positive"]
        low, high = wilson(right, here["n"])
        words = next(words for number, words, *_ in NODES if number == leaf)
        rows.append((leaf, f"the way to {leaf}", words, int(here["n_learned"]), int(here["n"]), int(right),
                     right / here["n"] if here["n"] else math.nan, float(low), float(high)))  # fmt: skip
    names = ["leaf", "path", "prediction", "n_learned", "n", "n_right", "accuracy", "accuracy_low", "accuracy_high"]
    return pd.DataFrame(rows, columns=names)


def ratios(groups, cells) -> pd.DataFrame:
    h = np.concatenate([np.repeat([1, 0], [tp + fp, tn + fn]) for tp, fp, tn, fn in cells])
    of = np.concatenate([np.repeat([group], sum(row)) for group, row in zip(groups, cells, strict=True)]).astype(object)
    table = ratio_table(tuple(groups), of, h, 0.95).rename(columns={"ratio": "held_out"})
    table.insert(2, "trained", 0.9)
    table.insert(3, "tuned", 0.85)
    return table


def indices() -> pd.DataFrame:
    rows = [
        (index, part, 0.2 + 0.01 * place, 0.1 + 0.01 * place, 9769, 9769 - 100 * (index == "dtdi"), False)
        for index in ("didi", "dtdi")
        for place, part in enumerate(("trained", "tuned", "held_out"))
    ]
    return pd.DataFrame(rows, columns=["index", "part", "before", "after", "n", "n_compared", "sampled"])


def similar() -> pd.DataFrame:
    rows = []
    for model, sizes in (("before", (3, 60, 800, 100, 5)), ("after", (0, 40, 900, 28, 0))):
        for (low, high), n in zip(((-0.2, -0.1), (-0.1, 0.0), (0.0, 0.0), (0.0, 0.1), (0.1, 0.2)), sizes, strict=True):
            rows.append((model, low, high, n, n / 968))
    return pd.DataFrame(rows, columns=["model", "low", "high", "n", "share"])


def alike(groups) -> pd.DataFrame:
    rows = [
        (model, group, 400, 300 + 40 * (model == "after"), 0.75 + 0.1 * (model == "after"))
        for model in ("before", "after")
        for group in groups
    ]
    return pd.DataFrame(rows, columns=["model", "group", "n", "n_alike", "share"])


def bounds(n: int = 6) -> pd.DataFrame:
    rows = [(0.2 * i, 0.16 + 0.1 * 0.5**i, 0.16 - 0.16 * 0.5**i) for i in range(n)]
    return pd.DataFrame(rows, columns=["share", "objective", "bound"])


def settings(*, gap=0.05, index=math.nan) -> pd.DataFrame:
    rows = []
    for setting, words, depth, limit, weight in (
        ("depth", "depth up to 1", 1, 0.05, math.nan), ("asked", "as asked", 2, 0.05, math.nan),
        ("limit", "10 points allowed", 2, 0.1, math.nan), ("free", "without limit", 2, math.nan, math.nan),
        ("depth", "depth up to 3", 3, 0.05, math.nan),
    ):  # fmt: skip
        gain = 0.01 * depth + (0 if math.isnan(limit) else -0.1 * (0.2 - limit))
        rows.append((setting, words, depth, limit, weight, depth, 2**depth, "optimal", 0.17 - gain, 0.17 - gain,
                     0.83 + gain, 0.9 * gap, index, 0.82 + gain, gap + gain, index, setting == "asked"))  # fmt: skip
    names = ["setting", "words", "max_depth", "limit", "weight", "depth", "n_leaves", "status", "objective", "bound",
             "trained_accuracy", "trained_gap", "trained_index", "accuracy", "gap", "index", "chosen"]  # fmt: skip
    return pd.DataFrame(rows, columns=names)


def trees_details(groups, cells, *, constraint="demographic_parity", allowed=0.05, **options) -> TreesDetails:
    table = counts(groups, cells)
    found = rule_gaps(FAIRNESS.get(constraint, constraint), groups, cells, allowed)
    by_ratio = constraint == "four_fifths"
    compared = ratios(groups, cells) if by_ratio else ratios(groups[:1], cells[:1])
    if by_ratio:
        found = found.assign(reading=compared["reading"].to_numpy())
    trained, tuned = (float(found[part].abs().max()) if len(found) else math.nan for part in ("trained", "tuned"))
    limit = math.nan if constraint in (None, "four_fifths") else allowed
    values = {
        "nodes": nodes(),
        "counts": table,
        "leaves": leaves(table),
        "gaps": found,
        "ratios": compared,
        "indices": indices(),
        "similar": similar(),
        "alike": alike(groups),
        "max_depth": 2,
        "depth": 2,
        "n_leaves": 3,
        "search": "optimal",
        "constraint": constraint,
        "max_difference": limit,
        "trained_difference": limit,
        "trained_gap": 0.9 if by_ratio else trained,
        "tuned_gap": 0.85 if by_ratio else tuned,
        "discrimination": None,
        "fairness_weight": 0.0,
        "max_discrimination": None,
        "branching": "single",
        "trained_accuracy": 0.8412,
        "tuned_accuracy": 0.8334,
        "status": "optimal",
        "objective": 0.1588,
        "bound": 0.1588,
        "optimality_gap": 0.0,
        "objective_words": "share of wrong training rows",
        "method": "search",
        "n_splits": 40,
        "bounds": bounds(),
        "settings": settings(),
    }
    return TreesDetails(**(values | options))
