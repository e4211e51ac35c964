"""What rules do on the tuning rows, at once: for those who change them by hand. No held-out row is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.remedies.rules.coverage import coverage_table
from fairaudit.remedies.rules.measuring import rules_table
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.rules.written_rules import read_rules
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.group_checks import known_groups, tuning_rows
from fairaudit.study.proxies import close_columns
from fairaudit.study.rates_alike import group_rate_table, largest_gap, rate_gaps, rated_rows
from fairaudit.study.rows import Study


@dataclass(frozen=True, eq=False)
class RuleFigures:
    """What rules do on the tuning rows of known groups.

    Parameters
    ----------
    rule_set : RuleSet
        The rules, as they were read.
    rules : DataFrame
        As ``RulesDetails.rules``.
    complexity : int
        The sum over rules of 1 + conditions.
    is_too_complex : bool
        Whether that is more than the plan allows.
    accuracy : float
        Share of right predictions.
    rates : DataFrame
        ``group, n, fnr, fpr, selection_rate, error_rate``.
    gaps : DataFrame
        ``rate, rate_words, first, second, gap, low, high, n_first, n_second, reading`` for what must be alike; without
        rows where nothing must.
    gap : float
        The largest of them without its sign; NaN where nothing must be alike.
    coverage : DataFrame
        As ``RulesDetails.coverage``, on the tuning rows.
    """

    rule_set: RuleSet
    rules: pd.DataFrame
    complexity: int
    is_too_complex: bool
    accuracy: float
    rates: pd.DataFrame
    gaps: pd.DataFrame
    gap: float
    coverage: pd.DataFrame


def rule_figures(study: Study, rules: Sequence[str], plan: RulesPlan) -> RuleFigures:
    """Return what rules do on the tuning rows."""
    rule_set = read_rules(study, rules)
    tune = tuning_rows(study)
    y, groups, names = positive_labels(study)[tune], study.groups[tune], known_groups(study)
    covers = rule_set.coverage(study.X.iloc[tune])
    h = np.any(covers, axis=1).astype(np.int64)
    confidence = study.models.confidence
    gaps = rate_gaps(rated_rows(study, plan.fairness, plan.max_difference).take(tune), h, confidence)
    return RuleFigures(
        rule_set=rule_set,
        rules=rules_table(study, rule_set, close_columns(study, rule_set.columns)),
        complexity=rule_set.complexity,
        is_too_complex=rule_set.complexity > plan.max_complexity,
        accuracy=float((h == y).mean()) if len(y) else float("nan"),
        rates=group_rate_table(names, groups, y, h),
        gaps=gaps,
        gap=largest_gap(gaps["gap"]),
        coverage=coverage_table(covers, y, groups, names, confidence),
    )
