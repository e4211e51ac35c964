"""Rule sets by the limit on equal opportunity beside Lawless and Günlük (2021): figure 6 and table 5, COMPAS.

``python -m benchmarks.rule_sets_rates`` fits each of ten folds at each limit, and prints the true positive rate of both
groups on the rows that are learned from and on the others, with the complexity. The figure has no numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from benchmarks import rule_sets_data
from benchmarks.common import markdown, say, setting
from benchmarks.rule_sets_data import RuleData
from fairaudit.estimators.rules.classifier import RuleSetClassifier

LIMITS = (0.01, 0.05, 0.1, 0.2, 0.5)
TABLE_5 = {0.01: "11.2", 0.1: "10.9", 0.5: "9.2"}
"""The paper's complexity of rule sets on COMPAS, as a mean over folds."""

COMPLEXITY = 15
SEED = 0
TIME_LIMIT = 30
HEADER = ["limit", "complexity", "paper", "learned from: accuracy", "TPR, white", "black", "others: accuracy",
          "TPR, white", "black"]  # fmt: skip


def measure(data: RuleData, limit: float, fold: int) -> list[float]:
    """Return the complexity, and of the rows of a fold that are learned from, then of the others, accuracy and TPRs."""
    train, test = data.folds(SEED)[fold]
    model = RuleSetClassifier(
        max_complexity=COMPLEXITY, fairness="equal_opportunity", max_difference=limit, use_sensitive=True,
        time_limit=TIME_LIMIT, random_state=SEED,
    )  # fmt: skip
    model.fit(data.X.iloc[train], data.y[train], sensitive_features=data.sensitive.iloc[train])
    found = [float(model.rule_set_.complexity)]
    for rows in (train, test):
        predicted, y, second = model.predict(data.X.iloc[rows]), data.y[rows], data.in_second[rows]
        rates = [float(predicted[(y == 1) & (second == group)].mean()) for group in (False, True)]
        found += [float((predicted == y).mean()), *rates]
    return found


def table(data: RuleData, folds: Sequence[int] = range(rule_sets_data.N_FOLDS)) -> str:
    """Return means over folds by limit."""
    lines = []
    for limit in LIMITS:
        complexity, *rest = np.mean([measure(data, limit, fold) for fold in folds], axis=0)
        lines.append([limit, f"{complexity:.1f}", TABLE_5.get(limit, ""), *(f"{value:.3f}" for value in rest)])
    return markdown(HEADER, lines)


def main() -> None:
    """Read the data and run."""
    warnings.simplefilter("ignore")
    say(setting("pyscipopt", seed=str(SEED)))
    data = rule_sets_data.read("COMPAS")
    say("compas_fairml_5278.csv is not beside the project." if data is None else table(data))


if __name__ == "__main__":
    main()
