"""A rule set in words and figures: what each rule does for whom, gaps on all parts of the rows, and the search."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.estimators.rules.problem import RuleSetOutcome
from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.measure.plain import names_of
from fairaudit.remedies.rules.coverage import coverage_table
from fairaudit.remedies.rules.details import BOUNDS, FRONTIER, PATH, RulesDetails
from fairaudit.remedies.rules.directions import contrary_literals, contrary_words
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.group_checks import known_groups, learned_rows, tuning_rows
from fairaudit.study.proxies import group_features
from fairaudit.study.rates_alike import largest_gap, rate_gaps, rated_rows
from fairaudit.study.rows import Study

OBJECTIVE_WORDS = {
    "hamming": "wrong training rows, once for each rule that is wrong",
    "zero_one": "wrong training rows",
}
"""The loss that is made small, in words."""


@dataclass(frozen=True, eq=False)
class Found:
    """A rule set, and the search that it comes from.

    Parameters
    ----------
    rules : RuleSet
        The rules.
    search : RuleSetClassifier, optional
        None where a person chose the rules.
    kept : RuleSetOutcome, optional
        What the rules do on the training rows, where they are not those of the search but made of its rules.
    frontier : DataFrame
        As ``RulesDetails.frontier``.
    stopped : bool
        Whether a person stopped any part of it.
    """

    rules: RuleSet
    search: Any = None
    kept: RuleSetOutcome | None = None
    frontier: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=names_of(FRONTIER)))
    stopped: bool = False


def rules_details(study: Study, remedy: RulesPlan, found: Found, close: Collection[str]) -> RulesDetails:
    """Return what a rule set does on the training, tuning and held-out rows."""
    rules, search, y = found.rules, found.search, positive_labels(study)
    learned, tuned, held = learned_rows(study), tuning_rows(study), study.split.held_out
    h = np.asarray(rules.predict(study.X), dtype=np.int64)
    confidence, rated = study.models.confidence, rated_rows(study, remedy.fairness, remedy.max_difference)
    gaps = {part: rate_gaps(rated.take(rows), h[rows], confidence) for part, rows in
            (("trained", learned), ("tuned", tuned), ("held_out", held))}  # fmt: skip
    table = gaps["held_out"].rename(columns={"gap": "held_out"})
    for place, part in enumerate(("trained", "tuned")):
        table.insert(4 + place, part, gaps[part]["gap"])
    coverage = coverage_table(
        rules.coverage(study.X.iloc[held]), y[held], study.groups[held], known_groups(study), confidence
    )
    return RulesDetails(
        rules=rules_table(study, rules, close),
        coverage=coverage,
        gaps=table,
        max_complexity=remedy.max_complexity,
        complexity=rules.complexity,
        fairness=remedy.fairness,
        max_difference=remedy.max_difference,
        # A search that finds nothing so close says what it allowed instead in its notes.
        trained_difference=round(remedy.max_difference - remedy.margin, 12),
        trained_gap=largest_gap(gaps["trained"]["gap"]),
        tuned_gap=largest_gap(gaps["tuned"]["gap"]),
        trained_accuracy=float((h[learned] == y[learned]).mean()),
        tuned_accuracy=float((h[tuned] == y[tuned]).mean()),
        objective_words=OBJECTIVE_WORDS[remedy.objective],
        frontier=found.frontier,
        notes=() if search is None else search.notes_,
        stopped=found.stopped,
        keeps_groups=found.kept is not None,
        **_search_fields(search, found.kept),
    )


def rules_table(study: Study, rules: RuleSet, close: Collection[str]) -> pd.DataFrame:
    """Return each rule in words and as a condition; see ``RulesDetails.rules``."""
    of_groups, contrary = set(group_features(study.facts)), contrary_literals(study, rules)
    rows = []
    for place, (text, condition) in enumerate(zip(rules.words(), rules.conditions(), strict=True)):
        n_literals = len(rules.rules[place])
        literals = rules.literals_of(place)
        columns = list(dict.fromkeys(literal.column for literal in literals))
        near = ", ".join(column for column in columns if column in close)
        uses_protected = not of_groups.isdisjoint(columns)
        against = contrary_words(literals, contrary)
        rows.append((place + 1, text, condition, n_literals, 1 + n_literals, uses_protected, near, against))
    names = ["rule", "text", "condition", "n_literals", "cost", "uses_protected", "proxies", "contrary"]
    return pd.DataFrame(rows, columns=names)


def _search_fields(search: Any, kept: RuleSetOutcome | None) -> dict[str, Any]:
    """Return how a search ended and how far from optimal its rules can be; NaN where there was none.

    `kept` is what other rules do that were taken in place of its own.
    """
    if search is None:
        names = ("objective", "lp_bound", "bound", "optimality_gap", "errors", "errors_bound")
        return dict.fromkeys(names, float("nan")) | {
            "status": "chosen",
            "counts_rows_once": True,
            "n_columns": 0,
            "n_rounds": 0,
            "max_rule_length": None,
            "path": pd.DataFrame(columns=names_of(PATH)),
            "bounds": pd.DataFrame(columns=names_of(BOUNDS)),
        }
    rounds = [tuple(getattr(each, name) for name in names_of(PATH)) for each in search.path_]
    bounds = [(each.max_rule_length, float(each.bound)) for each in search.bounds_]
    problem, outcome = search.problem_, search.loss_ if kept is None else kept
    gap = outcome.optimality_gap(problem, search.bound_)
    # A proof is about the rules of the search.
    is_lost = kept is not None and search.status_ == "optimal" and not gap <= 0
    return {
        "status": "gap" if is_lost else search.status_,
        "objective": float(outcome.loss(problem)),
        "lp_bound": float(search.lp_bound_),
        "bound": float(search.bound_),
        "optimality_gap": gap,
        "errors": float(outcome.errors),
        "errors_bound": float(search.errors_bound_),
        "counts_rows_once": problem.counts_rows_once,
        "n_columns": int(search.n_columns_),
        "n_rounds": int(search.n_rounds_),
        "max_rule_length": int(problem.longest),
        "path": pd.DataFrame(rounds, columns=names_of(PATH)),
        "bounds": pd.DataFrame(bounds, columns=names_of(BOUNDS)),
    }
