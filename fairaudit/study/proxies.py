"""Features that reveal groups of people, by their name or by their values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairaudit.estimators.rules.proxies import close_proxies
from fairaudit.study.column_names import says_group
from fairaudit.study.divided import DividedRows
from fairaudit.study.group_checks import learned_rows


def group_features(facts: Any) -> tuple[str, ...]:
    """Return the features that groups of the audit are made of, and those that are called like groups of people."""
    return tuple(name for name in facts.features if name in facts.protected_features or says_group(name))


def close_columns(study: DividedRows, columns: Iterable[str]) -> tuple[str, ...]:
    """Return those of some features that nearly reveal the groups, on the rows that are learned from."""
    rows, named = learned_rows(study), group_features(study.facts)
    others = [name for name in columns if name not in named]
    return tuple(close_proxies(study.X[others].iloc[rows], study.groups[rows], others))
