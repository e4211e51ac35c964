"""From features, labels and groups to the merged rows that rules are found on."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from fairaudit.errors import quote
from fairaudit.estimators.progress import TOTAL
from fairaudit.estimators.rules.binarizer import Binarizer
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.rules.problem import Problem
from fairaudit.estimators.rules.rows import RuleRows
from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.estimators.rules.sensitive import columns_that_reveal_groups, names_of_groups
from fairaudit.events import STOP, Command, Progress
from fairaudit.findings import Message, Phrase
from fairaudit.measure.grouping import Grouping
from fairaudit.messages import say


@dataclass(frozen=True, eq=False)
class Reading:
    """Rows as literals.

    Parameters
    ----------
    binarizer : Binarizer
        Fitted on the rows.
    literals : tuple of Literal
        Those that rules may be made of, in the order of ``rows.literals``.
    rows : RuleRows
        The merged rows.
    notes : tuple of str
        What was left out, in words.
    """

    binarizer: Any
    literals: tuple[Literal, ...]
    rows: RuleRows
    notes: tuple[str, ...]

    def rule_set(self, rules: tuple[tuple[int, ...], ...], outcome: str = "the outcome") -> RuleSet:
        """Return rules over indices of literals as a rule set."""
        return RuleSet(self.literals, rules, outcome)


def iter_read_rows(
    X: pd.DataFrame,
    labels: NDArray[np.int64],
    grouping: Grouping,
    *,
    binarizer: Any,
    use_sensitive: bool,
    end: int,
    stopped: bool = False,
) -> Generator[Progress, Command | None, tuple[Reading, bool]]:
    """Learn literals and merge equal rows, up to a step of the whole; return whether it is stopped, too.

    A stop on the way leaves out the columns that have not been read yet; before, it leaves out none.

    Shapes: `X` (n, n_features), `labels` (n,).
    """
    fitted = Binarizer() if binarizer is None else clone(binarizer)
    notes = []
    if hasattr(fitted, "iter_fit") and not stopped:
        steps = fitted.iter_fit(X)
        for number, n_columns in steps:
            what = f"Turning columns into conditions: {number:,} of {n_columns:,}"
            stopped = (yield Progress(what, end * number // n_columns, TOTAL)) is STOP
            if stopped:
                steps.close()
                break
    else:
        fitted.fit(X)
    held = np.asarray(fitted.transform(X), dtype=bool)
    revealing = () if use_sensitive else columns_that_reveal_groups(X, grouping)
    left_out = set(revealing)
    kept = [place for place, literal in enumerate(fitted.literals_) if literal.column not in left_out]
    if len(kept) < len(fitted.literals_):
        notes.append(say(Message("rules-note-revealing", {"columns": Phrase(", ".join(map(quote, revealing)))})))
    rows = RuleRows.merge(
        held if len(kept) == held.shape[1] else held[:, kept],
        labels.astype(bool),
        grouping.codes,
        names_of_groups(grouping),
    )
    return Reading(fitted, tuple(fitted.literals_[place] for place in kept), rows, tuple(notes)), stopped


def notes_on_groups(problem: Problem) -> tuple[str, ...]:
    """Say which groups are not compared, as they lack rows that a rate is a share of."""
    if not problem.rates:
        return ()
    if problem.rows.n_groups < 2:
        return (say(Message("rules-note-one-group")),)
    lacking = [name for place, name in enumerate(problem.rows.group_names)
               if not all(rate.defined[place] for rate in problem.rates)]  # fmt: skip
    if not lacking:
        return ()
    return (say(Message("rules-note-lacking", {"groups": Phrase(", ".join(map(quote, lacking)))})),)
