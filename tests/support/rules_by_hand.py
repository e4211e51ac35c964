"""What a search for rules would have found, made from literals and counts, without searching."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pandas as pd
from constraints_by_hand import reading

from fairaudit.estimators.rules.problem import RATES
from fairaudit.measure.intervals import ratio, wilson
from fairaudit.remedies.rules.details import RulesDetails

RULES = (
    ("age is at most 25 and prior offences is more than 3", "age <= 25 AND prior_offences > 3", False, ""),
    ("prior offences is more than 8", "prior_offences > 8", False, "prior_offences"),
    ("race is 'Other' and charge is 'felony'", "race = 'Other' AND charge = 'felony'", True, ""),
)
"""Text, condition, whether it reveals the groups, and what comes close to that."""
WORDS = {
    "fnr": "false negative rate",
    "fpr": "false positive rate",
    "selection_rate": "share of positive predictions",
    "error_rate": "share of wrong predictions",
}


def rate(name: str, cells) -> tuple[float, int]:
    """Return a rate of a group from its tp, fp, tn and fn, and the rows that it is a share of."""
    tp, fp, tn, fn = (int(cell) for cell in cells)
    top, n = {
        "fnr": (fn, tp + fn),
        "fpr": (fp, fp + tn),
        "selection_rate": (tp + fp, tp + fp + tn + fn),
        "error_rate": (fp + fn, tp + fp + tn + fn),
    }[name]
    return (top / n if n else math.nan), n


def gaps(fairness, groups, counts, allowed) -> pd.DataFrame:
    rows = []
    for found in RATES[fairness] if fairness else ():
        for i, j in combinations(range(len(groups)), 2):
            (one, n_one), (other, n_other) = (rate(found.name, counts[k]) for k in (i, j))
            gap = one - other
            half = 1.96 * math.sqrt(
                sum(r * (1 - r) / n if n else math.nan for r, n in ((one, n_one), (other, n_other)))
            )
            low, high = gap - half, gap + half
            shown = (WORDS[found.name], groups[i], groups[j], 0.4 * gap, 0.8 * gap, gap, low, high, n_one, n_other)
            rows.append((found.name, *shown, reading(gap, low, high, allowed)))
    columns = ["rate", "rate_words", "first", "second", "trained", "tuned", "held_out", "low", "high", "n_first",
               "n_second", "reading"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def coverage(groups, counts, n_rules) -> pd.DataFrame:
    """Return coverage in which the first rule holds for three fifths of what is covered, and others share the rest.

    A tenth of the rows is covered by the first and the second rule, where there are several.
    """
    records = []
    for group, (tp, fp, tn, fn) in zip(groups, counts, strict=True):
        n = tp + fp + tn + fn
        records.append((0, group, n, tp + fp, tp, tp + fp, fp))
        parts = [split(int(total), n_rules) for total in (tp, fp)]
        for rule in range(n_rules):
            (right, only_right), (wrong, only_wrong) = (part[rule] for part in parts)
            records.append((rule + 1, group, n, right + wrong, right, only_right + only_wrong, only_wrong))
    table = pd.DataFrame(records, columns=["rule", "group", "n", "n_covered", "n_right", "n_only", "n_only_wrong"])
    for share, part, whole in (("coverage", "n_covered", "n"), ("precision", "n_right", "n_covered")):
        positives, total = (table[name].to_numpy(dtype=float) for name in (part, whole))
        low, high = wilson(positives, total)
        table = table.assign(**{share: ratio(positives, total), f"{share}_low": low, f"{share}_high": high})
    return table.sort_values("rule", kind="stable").reset_index(drop=True)


def split(total: int, n_rules: int) -> list[tuple[int, int]]:
    """Return for each rule how many of `total` rows it covers, and how many of them alone."""
    if n_rules <= 1:
        return [(total, total)] * n_rules
    shared = total // 10
    first = 3 * total // 5
    rest = [len(part) for part in np.array_split(np.arange(total - first), n_rules - 1)]
    covered = [first, rest[0] + shared, *rest[1:]]
    return [(n, n - shared if i < 2 else n) for i, n in enumerate(covered)]


def rules(said=RULES) -> pd.DataFrame:
    rows = [
        (i, text, condition, condition.count(" AND ") + 1, condition.count(" AND ") + 2, uses, close, "")
        for i, (text, condition, uses, close) in enumerate(said, start=1)
    ]
    columns = ["rule", "text", "condition", "n_literals", "cost", "uses_protected", "proxies", "contrary"]
    return pd.DataFrame(rows, columns=columns)


def path(n: int = 12) -> pd.DataFrame:
    """Return a search whose bound and best rule set come together; the first rounds have no bound above 0."""
    rows = []
    for i in range(1, n + 1):
        lp = 1180 + 400 * 0.6**i
        bound = max(0.0, lp - 900 * 0.5**i) if i > 1 else 0.0
        rows.append((i, 200 + 35 * i, lp, bound, math.nan if i == 1 else 1234 + 300 * 0.5**i))
    return pd.DataFrame(rows, columns=["round", "n_columns", "lp_value", "bound", "incumbent"])


def bounds() -> pd.DataFrame:
    return pd.DataFrame([(2, 1191.0), (3, 1180.0)], columns=["max_rule_length", "bound"])


def frontier(complexities=(7, 15, 22, 30), limits=(0.025, 0.05, 0.1, 0.2), *, chosen=(15, 0.05)) -> pd.DataFrame:
    rows = []
    for complexity, limit in product(complexities, limits):
        trained = 0.66 + 0.002 * math.sqrt(complexity) + 0.05 * (0.4 if math.isnan(limit) else limit)
        gap = math.nan if math.isnan(limit) else limit + 0.015 + 0.0005 * complexity
        rows.append((complexity, limit, complexity - 1, trained, limit * 0.98, trained - 0.012, gap,
                     (complexity, limit) == chosen))  # fmt: skip
    columns = ["max_complexity", "max_difference", "complexity", "trained_accuracy", "trained_gap", "accuracy", "gap",
               "chosen"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def rules_details(groups, counts, *, said=RULES, fairness="equalized_odds", allowed=0.05, **options) -> RulesDetails:
    found, table = gaps(fairness, groups, counts, allowed), rules(said)
    values = {
        "rules": table,
        "coverage": coverage(groups, counts, len(said)),
        "gaps": found,
        "max_complexity": 15,
        "complexity": int(table["cost"].sum()),
        "max_rule_length": 3,
        "fairness": fairness,
        "max_difference": allowed,
        "trained_difference": allowed if fairness else 1.0,
        "trained_gap": float(found["trained"].abs().max()) if len(found) else math.nan,
        "tuned_gap": float(found["tuned"].abs().max()) if len(found) else math.nan,
        "trained_accuracy": 0.6712,
        "tuned_accuracy": 0.6634,
        "status": "gap",
        "objective": 1234.0,
        "lp_bound": 1180.0,
        "bound": 1180.0,
        "optimality_gap": 54 / 1234,
        "errors": 1201.0,
        "errors_bound": 17.0,
        "counts_rows_once": False,
        "objective_words": "wrong training rows",
        "n_columns": 620,
        "n_rounds": 12,
        "path": path(),
        "bounds": bounds(),
        "frontier": frontier(),
    }
    return RulesDetails(**(values | options))


def chosen_details(groups, counts, **options) -> RulesDetails:
    """Return rules that a person chose: nothing was searched for."""
    none = dict.fromkeys(("objective", "lp_bound", "bound", "optimality_gap", "errors", "errors_bound"), math.nan)
    values = {"status": "chosen", "n_columns": 0, "n_rounds": 0, "path": path(0), "frontier": frontier(())}
    values |= {"max_rule_length": None, "bounds": bounds().iloc[:0]}
    return rules_details(groups, counts, **(none | values | options))
