"""What rules do for whom, on all parts of the rows: those that a search found, and those that a person wrote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.conditions.names import AnyNames, ColumnNames
from fairaudit.errors import ConditionError, InputError, near_names, quote
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.rules.literals import Literal, RuleSet
from fairaudit.estimators.rules.problem import RuleSetOutcome
from fairaudit.findings import Message
from fairaudit.measure.intervals import newcombe, ratio, wilson
from fairaudit.messages import say
from fairaudit.remedies.gap_curve import new_curve
from fairaudit.remedies.rules.details import BOUNDS, COVERAGE, FRONTIER, PATH, Confirmed, RulesDetails
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.study.certified import searched_within
from fairaudit.study.constraint_check import (
    gaps_of_parts,
    group_rate_table,
    largest_gap,
    limit_text,
    positive_labels,
    rate_gaps,
    rated_rows,
    strata_of,
)
from fairaudit.study.proposing import close_columns, group_features
from fairaudit.study.rows import Study, known_groups, learned_rows, tuning_rows


def read_rules(study: Study, texts: Sequence[str]) -> RuleSet:
    """Read rules from text."""
    try:
        return RuleSet.of_conditions(texts, study.X, outcome=study.facts.positive_meaning)
    except ConditionError as error:
        _refuse_other_columns(study, error.text)
        raise


def _refuse_other_columns(study: Study, text: str) -> None:
    """Refuse a rule that cannot be read because it uses a column that is no feature, and name the features."""
    try:
        used = Condition.parse(text, AnyNames()).columns
    except ConditionError:
        return
    names = ColumnNames(study.X)
    missing = next((name for name in used if names.find(name) is None), None)
    if missing is not None:
        raise InputError(
            f"The rule {quote(text)} uses {quote(missing)}, which is not among the features of the models.",
            hint=near_names(missing, study.facts.features),
        )


def coverage_table(
    covers: NDArray[np.bool_], y: NDArray[np.int64], groups: NDArray, names: Sequence[str], confidence: float
) -> pd.DataFrame:
    """Count the rows of each group that each rule covers.

    Shapes: `covers` (n, n_rules), `y` (n,), `groups` (n,).

    Examples
    --------
    >>> covers = np.array([[1, 0], [1, 1], [0, 0]], dtype=bool)
    >>> table = coverage_table(covers, np.array([1, 0, 1]), np.array(["a", "a", "a"]), ("a",), 0.95)
    >>> table[["rule", "n", "n_covered", "n_right", "n_only", "n_only_wrong"]].values.tolist()
    [[0, 3, 2, 1, 2, 1], [1, 3, 2, 1, 1, 0], [2, 3, 1, 0, 0, 0]]
    """
    n_rules, times = covers.shape[1], covers.sum(axis=1)
    counts = []
    for rule in range(n_rules + 1):
        held = times > 0 if rule == 0 else covers[:, rule - 1]
        # No other rule: for the whole set there is none.
        alone = held if rule == 0 else held & (times == 1)
        for name in names:
            inside = groups == name
            right = inside & (y == 1)
            counts.append((rule, name, inside.sum(), (held & inside).sum(), (held & right).sum(),
                           (alone & inside).sum(), (alone & inside & (y == 0)).sum()))  # fmt: skip
    table = pd.DataFrame(counts, columns=["rule", "group", "n", "n_covered", "n_right", "n_only", "n_only_wrong"])
    for share, part, whole in (("coverage", "n_covered", "n"), ("precision", "n_right", "n_covered")):
        positives, total = (table[name].to_numpy(dtype=float) for name in (part, whole))
        low, high = wilson(positives, total, confidence)
        table = table.assign(**{share: ratio(positives, total), f"{share}_low": low, f"{share}_high": high})
    return table[list(COVERAGE)]


ORDERED = ("at_most", "above", "below", "at_least")
"""Kinds of conditions that ask for more or for less of a column: only these have a direction."""


def contrary_literals(study: Study, rules: RuleSet) -> frozenset[Literal]:
    """Return the conditions where the outcome is clearly rarer on the tuning rows than in the rest of the column."""
    tuned = tuning_rows(study)
    frame, labels = study.X.iloc[tuned], positive_labels(study)[tuned]
    found = set()
    for literal in rules.literals:
        if literal.kind not in ORDERED:
            continue
        inside, outside = literal.holds(frame), literal.negated().holds(frame)
        n_inside, n_outside = int(inside.sum()), int(outside.sum())
        if not n_inside or not n_outside:
            continue
        sums = float(labels[inside].sum()), float(labels[outside].sum())
        _, high = newcombe(sums[0], n_inside, sums[1], n_outside, study.models.confidence)
        if float(np.asarray(high)) < 0:
            found.add(literal)
    return frozenset(found)


def contrary_words(literals: Iterable[Literal], contrary: frozenset[Literal]) -> str:
    """Return those of the conditions of a rule that go against their column; empty where none does."""
    return "; ".join(literal.words() for literal in literals if literal in contrary)


OBJECTIVE_WORDS = {
    "hamming": "wrong training rows, once for each rule that is wrong",
    "zero_one": "wrong training rows",
}
"""The loss that is made small, in words."""


def objective_words(remedy: RulesPlan) -> str:
    """Return what is made small, in words."""
    return OBJECTIVE_WORDS[remedy.objective] if remedy.max_loss is None else say(Message("curve-objective"))


@dataclass(frozen=True, eq=False)
class JudgedRules:
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
    search: RuleSetClassifier | None = None
    kept: RuleSetOutcome | None = None
    frontier: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(FRONTIER)))
    stopped: bool = False


def limited_rows(study: Study, remedy: RulesPlan) -> ConstrainedRows:
    """Return all rows of a study with the rates that must be alike, and how far apart they may be."""
    limits = remedy.max_difference, strata_of(study, remedy)
    return rated_rows(study, remedy.fairness, *limits, max_fpr_difference=remedy.max_fpr_difference)


def rules_details(study: Study, remedy: RulesPlan, found: JudgedRules, close: Collection[str]) -> RulesDetails:
    """Return what a rule set does on the training, tuning and held-out rows."""
    rules, search, y = found.rules, found.search, positive_labels(study)
    learned, tuned, held = learned_rows(study), tuning_rows(study), study.split.held_out
    h = np.asarray(rules.predict(study.X), dtype=np.int64)
    confidence, rated = study.models.confidence, limited_rows(study, remedy)
    table = gaps_of_parts(rated, h, {"trained": learned, "tuned": tuned, "held_out": held}, confidence)
    if remedy.max_loss is not None:
        table = table.assign(reading="not defined")
    coverage = coverage_table(
        rules.coverage(study.X.iloc[held]), y[held], study.groups[held], known_groups(study), confidence
    )
    trained = round(remedy.max_difference - remedy.margin, 12) if remedy.max_loss is None else np.nan
    return RulesDetails(
        rules=rules_table(study, rules, close),
        coverage=coverage,
        gaps=table,
        max_complexity=remedy.max_complexity,
        complexity=rules.complexity,
        fairness=remedy.fairness,
        max_difference=remedy.max_difference if remedy.max_loss is None else np.nan,
        max_fpr_difference=remedy.max_fpr_difference,
        # A search that finds nothing so close says what it allowed instead in its notes.
        trained_difference=trained,
        trained_gap=largest_gap(table["trained"]),
        tuned_gap=largest_gap(table["tuned"]),
        trained_accuracy=float((h[learned] == y[learned]).mean()),
        tuned_accuracy=float((h[tuned] == y[tuned]).mean()),
        objective_words=objective_words(remedy),
        max_loss=remedy.max_loss,
        best_accuracy=1 - float("nan" if search is None else search.least_loss_),
        gap_curve=new_curve() if search is None else search.gap_curve_,
        frontier=found.frontier,
        notes=() if search is None else (*search.notes_, *searched_within(search, trained, limit_text)),
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


def _search_fields(search: RuleSetClassifier | None, kept: RuleSetOutcome | None) -> dict[str, Any]:
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
            "path": pd.DataFrame(columns=list(PATH)),
            "bounds": pd.DataFrame(columns=list(BOUNDS)),
        }
    if search.max_loss is not None:
        return _gap_fields(search)
    rounds = [tuple(getattr(each, name) for name in list(PATH)) for each in search.path_]
    bounds = [(each.max_rule_length, float(each.bound)) for each in search.bounds_]
    problem, outcome = search.problem_, search.problem_loss_ if kept is None else kept
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
        "solver": search.method,
        "confirmed": "no_such_model" if kept is not None else confirmed(search),
        "path": pd.DataFrame(rounds, columns=list(PATH)),
        "bounds": pd.DataFrame(bounds, columns=list(BOUNDS)),
    }


def confirmed(search: RuleSetClassifier) -> Confirmed:
    """Return what SCIP says of rules in the published program."""
    if not search.problem_loss_.fits_master(search.problem_):
        return "no_such_model"
    said = search.is_confirmed()
    return "too_large" if said is None else "yes" if said else "no"


def _gap_fields(search: RuleSetClassifier) -> dict[str, Any]:
    """Return how a search ended that made the gap small."""
    return {
        "status": search.status_,
        "objective": float(search.objective_),
        "lp_bound": float(search.lp_bound_),
        "bound": float(search.bound_),
        "optimality_gap": float(search.gap_),
        "errors": float(search.errors_),
        "errors_bound": float(search.errors_bound_),
        "counts_rows_once": search.problem_.counts_rows_once,
        "n_columns": int(search.n_columns_),
        "n_rounds": int(search.n_rounds_),
        "max_rule_length": int(search.problem_.longest),
        "solver": search.method,
        # Rounds and lengths are about losses.
        "path": pd.DataFrame(columns=list(PATH)),
        "bounds": pd.DataFrame(columns=list(BOUNDS)),
    }


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
    gaps = rate_gaps(limited_rows(study, plan).take(tune), h, confidence)
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
