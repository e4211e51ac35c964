"""Features that nearly reveal the groups."""

from __future__ import annotations

from collections.abc import Iterable

from fairaudit.estimators.rules.closeness import close_proxies
from fairaudit.study.divided import DividedRows
from fairaudit.study.group_checks import learned_rows


def close_columns(study: DividedRows, columns: Iterable[str]) -> tuple[str, ...]:
    """Return those of some features that nearly reveal the groups, on the rows that are learned from."""
    rows = learned_rows(study)
    others = [name for name in columns if name not in study.facts.protected_features]
    return tuple(close_proxies(study.X[others].iloc[rows], study.groups[rows], others))
