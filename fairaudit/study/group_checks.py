"""The groups of a study, and whether each has the rows that its rates are shares of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import GroupError, quote
from fairaudit.messages import called
from fairaudit.study.divided import DividedRows
from fairaudit.study.rows import Study


def check_groups(
    study: Study, rows: NDArray[np.int64], what: str, outcomes: frozenset[str] = frozenset({"good", "bad"})
) -> None:
    """Refuse rows in which a group is missing, or lacks an outcome that its rates are shares of."""
    names = known_groups(study)
    if len(names) < 2:
        raise GroupError(
            f"There is one group only, {', '.join(map(quote, names)) or 'of nobody'}, so there is nothing to compare.",
            uncounted="There is one group only, so there is nothing to compare.",
            hint="Choose other columns that make the groups.",
        )
    lacking = []
    for name in names:
        y = study.y[rows[study.groups[rows] == name]]
        counts = {"good": int(y.sum()), "bad": int(len(y) - y.sum())}
        if not len(y) or any(not counts[outcome] for outcome in outcomes):
            lacking.append((name, counts))
    if lacking:
        name, counts = lacking[0]
        named = quote(called(name))
        more = "" if len(lacking) == 1 else f" {len(lacking) - 1} more of {len(names)} groups lack one, too."
        needed, lacks = _NEEDED[outcomes]
        raise GroupError(
            f"The group {named} has {counts['good']:,} rows with the favourable result and {counts['bad']:,} "
            f"without it among the rows that {what}; {needed}.{more}",
            uncounted=f"The group {named} {lacks} among the rows that {what}.{more}",
            hint="Choose groups that are larger, or bring more rows.",
        )


_NEEDED = {
    frozenset({"good", "bad"}): ("both are needed", "lacks one of the two outcomes"),
    frozenset({"good"}): ("the former are needed", "has no row with the favourable result"),
    frozenset({"bad"}): ("the latter are needed", "has no row without the favourable result"),
    frozenset(): ("rows are needed", "has no row"),
}
"""What a message says is needed, and what a group lacks."""


def known_groups(study: DividedRows) -> tuple[str, ...]:
    """Return the groups of a study that have rows, without that of the rows whose group is missing."""
    known = study.groups[study.group_known]
    return tuple(name for name in study.group_names if (known == name).any())


def learned_rows(study: DividedRows) -> NDArray[np.int64]:
    """Return the training rows whose group is known: what is learned from where groups count in learning."""
    return study.split.train[study.group_known[study.split.train]]


def tuning_rows(study: DividedRows) -> NDArray[np.int64]:
    """Return the tuning rows whose group is known: what models are compared on before they are judged."""
    return study.split.tune[study.group_known[study.split.tune]]


def part_rows(study: DividedRows) -> dict[str, NDArray[np.int64]]:
    """Return the training, tuning and held-out rows whose group is known: "trained", "tuned" and "held_out"."""
    held = study.split.held_out
    return {
        "trained": learned_rows(study),
        "tuned": tuning_rows(study),
        "held_out": held[study.group_known[held]],
    }
