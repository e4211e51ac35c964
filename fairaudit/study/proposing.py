"""Which columns models had better not learn from, each with its reason, such as that they reveal groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.conditions.correcting import are_days
from fairaudit.conditions.names import are_money
from fairaudit.data.engine import quoted, unused_name
from fairaudit.data.given import as_table
from fairaudit.data.table import Table, table_of_read_rows
from fairaudit.defaults import ENOUGH
from fairaudit.errors import FairauditError, GroupError
from fairaudit.estimators.leakage import (
    FILLED_IN_AFTER,
    columns_filled_in_after,
    columns_that_reveal,
    columns_without_use,
)
from fairaudit.estimators.rules.binarizer import close_proxies
from fairaudit.measure.explain import Proxies, find_proxies
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.roles import outcome_of, uncounted
from fairaudit.study.columns import (
    FOLLOWS,
    columns_that_follow,
    follows_by_name,
    protected_columns,
    says_group,
    says_who_decided,
)
from fairaudit.study.divided import DividedRows
from fairaudit.study.reading import STUDIES
from fairaudit.study.rows import learned_rows


def group_features(facts: Any) -> tuple[str, ...]:
    """Return the features that groups of the audit are made of, and those that are called like groups of people."""
    return tuple(name for name in facts.features if name in facts.protected_features or says_group(name))


def close_columns(study: DividedRows, columns: Iterable[str]) -> tuple[str, ...]:
    """Return those of some features that nearly reveal the groups, on the rows that are learned from."""
    rows, named = learned_rows(study), group_features(study.facts)
    others = [name for name in columns if name not in named]
    return tuple(close_proxies(study.X[others].iloc[rows], study.groups[rows], others))


def feature_proxies(study: DividedRows) -> Proxies | None:
    """Return how well each feature stands in for the group, on rows to learn from; None where a group has too few."""
    learning = study.split.learning
    rows = learning[study.population[learning]]
    X = study.X.iloc[rows].reset_index(drop=True)
    decided, protected = (unused_name(name, X.columns) for name in ("decided", "protected"))
    table = table_of_read_rows(X.assign(**{decided: study.y[rows], protected: study.protected[rows].astype(np.int64)}))
    good = Condition.equals(decided, 1, table) if study.plan.decision.kind.has_good_outcome else None
    try:
        with uncounted(study.plan):
            return find_proxies(
                table,
                decision=decided,
                favorable=good,
                protected=f"{quoted(protected)} = 1",
                columns=tuple(map(str, study.X.columns)),
                confidence=study.models.confidence,
                random_state=study.plan.seed,
            )
    except GroupError:
        return None


DAY = "it is a day, and days to come are not among those learned from"
WHO_DECIDED = "it says who decided"
SAYS_GROUP = "it says of which group people are"
NAMES_GROUP, NEARLY_NAMES_GROUP = "it may say who is protected", "it nearly says who is protected"
GIVES_AWAY = "it alone nearly gives the {} away"
AMOUNTS_AS_TEXT = "its amounts were read as text"

NEAR_COPY = 0.9
"""How close a column must come to revealing the groups to count as a copy of them, see :func:`close_proxies`."""
NEARLY_RANKED = 0.98
"""How well a column alone must rank rows by an outcome to count as a copy of it, from 0.5 to 1."""
MOST_GROUPS = 12
"""A protected column of numbers with more values makes no groups of its own."""
MOST_ROWS, MOST_LOOKED_AT = 1_000_000, 20_000
"""In larger tables, and in databases, no copies are looked for; in others, among so many of the rows to learn from."""


def features_left_out(table: Table | pd.DataFrame, plan: AuditPlan) -> dict[str, str]:
    """Return the columns that models had better not learn from, and why.

    They are the decision, the prediction and the score; the columns of the protected condition, of the groups and those
    that the plan calls protected; those that are called like groups of people, such as ethnicity; days; texts that say
    who decided; columns without use, such as row numbers; near copies of the groups, the decision and the prediction;
    and what is filled in after one outcome alone. Held-out rows play no part in what is proposed.
    """
    table = as_table(table)
    protected = protected_columns(table, plan)
    reasons: dict[str, str] = {name: DAY for name in table.columns if _holds_days(table, name)}
    named = (name for name, column in table.columns.items() if column.kind == "text" and says_who_decided(name))
    reasons |= dict.fromkeys(named, WHO_DECIDED)
    without_use = columns_without_use(table)
    reasons |= {name: AMOUNTS_AS_TEXT if _holds_amounts(table, name) else why for name, why in without_use.items()}
    other_groups = [name for name in table.columns if says_group(name)]
    reasons |= dict.fromkeys(other_groups, SAYS_GROUP) | dict.fromkeys(protected, NAMES_GROUP)
    for part, what in ((plan.prediction, "a prediction"), (plan.score, "a score"), (plan.decision, "the decision")):
        if part is not None:
            reasons[part.column] = f"it is {what}"
    by_name = {name: follows_by_name(plan, name) for name in table.columns if name not in reasons}
    reasons |= {name: FOLLOWS.format(what) for name, what in by_name.items() if what is not None}
    names = [name for name in table.columns if name not in reasons]
    of_groups = [name for name in table.columns if name in protected.union(other_groups)]
    reasons |= _copies(table, plan, names, of_groups)
    return {name: reasons[name] for name in table.columns if name in reasons}


def _holds_days(table: Table, name: str) -> bool:
    column = table.columns[name]
    return column.is_day or (column.kind == "text" and not table.is_connected and are_days(table.common_values(name)))


def _holds_amounts(table: Table, name: str) -> bool:
    return table.columns[name].kind == "text" and not table.is_connected and are_money(table.common_values(name))


def _copies(table: Table, plan: AuditPlan, names: Sequence[str], protected: Sequence[str]) -> dict[str, str]:
    """Return which columns nearly say what models must not be given, by the rows that they would learn from."""
    if not names or plan.models is None or table.is_connected or table.n_rows > MOST_ROWS:
        return {}
    asked = plan.prediction
    read = [*names, *protected, *(part.column for part in (asked, plan.score) if part is not None)]
    read = [name for name in dict.fromkeys(read) if name != plan.decision.column]
    models = plan.models.model_copy(update={"features": tuple(read)})
    try:
        rows = STUDIES[plan.decision.kind].of(table, plan.model_copy(update={"models": models, "remedies": ()}))
        predicted = None if asked is None else outcome_of(table, asked).condition
    except FairauditError:
        # The page says so, once a person has chosen what is learned from.
        return {}
    learning = np.random.default_rng(0).permutation(rows.split.learning)[:MOST_LOOKED_AT]
    X = rows.X.iloc[learning]
    y = rows.y[learning]
    found = _following(plan, X, y, names)
    found |= dict.fromkeys(_near_groups(rows, X, learning, names, protected), NEARLY_NAMES_GROUP)
    if predicted is not None:
        known = predicted.truth(X).notna().to_numpy()
        near = _revealing(X[names][known], predicted.mask(X[known]).astype(np.int64))
        found |= dict.fromkeys(near, GIVES_AWAY.format("prediction"))
    y = y if plan.decision.kind.has_good_outcome else (y > np.median(y)).astype(np.int64)
    found |= dict.fromkeys(columns_filled_in_after(X[names], y), FILLED_IN_AFTER)
    return found | dict.fromkeys(_revealing(X[names], y), GIVES_AWAY.format("decision"))


def _following(plan: AuditPlan, X: pd.DataFrame, y: NDArray[np.generic], names: Sequence[str]) -> dict[str, str]:
    rows = as_table(X.assign(**{plan.decision.column: y}))
    good = Condition.equals(plan.decision.column, 1, rows) if plan.decision.kind.has_good_outcome else None
    return {name: FOLLOWS.format(what) for name, what in columns_that_follow(rows, plan, names, good=good).items()}


def _revealing(X: pd.DataFrame, y: NDArray[np.int64]) -> tuple[str, ...]:
    return columns_that_reveal(X, y, limit=NEARLY_RANKED)


def _near_groups(
    rows: DividedRows, X: pd.DataFrame, learning: NDArray[np.int64], names: Sequence[str], protected: Sequence[str]
) -> set[str]:
    """Return which columns nearly reveal the groups, or those that a protected column makes by itself."""
    groupings = [(rows.groups[learning], rows.group_known[learning])]
    for name in protected:
        values = X[name]
        if not pd.api.types.is_numeric_dtype(values) or values.nunique() <= MOST_GROUPS:
            # Few rows are close to anything by chance.
            enough = values.map(values.value_counts()).astype(float).fillna(0).to_numpy() >= ENOUGH
            groupings.append((values.astype(str).to_numpy(), enough))
    return {
        name
        for groups, known in groupings
        if len(np.unique(groups[known])) > 1
        for name in close_proxies(X[known], groups[known], names, minimum=NEAR_COPY)
    }
