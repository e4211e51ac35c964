"""What makes a remedy doubtful, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Remark
from fairaudit.errors import quote
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Points, Word
from fairaudit.measure.rates import METRIC_PARTS
from fairaudit.messages import called, say
from fairaudit.study.amounts.findings import AmountRemedyFinding
from fairaudit.study.divided import DividedRows
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.pair_gaps import gap_table
from fairaudit.study.rows import Study

MOST_NAMED = 5
"""Groups that a warning names."""


def was_stopped(finding: RemedyFinding | AmountRemedyFinding) -> bool:
    """Say whether a person ended the fit of a remedy early, so that it is only the best until then."""
    # A plain model has no details.
    return getattr(finding, "stopped", False) or getattr(finding.details, "stopped", False)


def model_warnings(model: object, prediction: NDArray[np.int64], *, what: str = "model") -> tuple[str, ...]:
    """Say whether a model did not settle, or always gives one answer."""
    found = () if settled(model) else (Remark(say(Message("doubt-not-settled", {"what": Phrase(what)})), "setting"),)
    return (*found, *answer_warnings(prediction, what=what))


def answer_warnings(prediction: NDArray[np.int64], *, what: str = "model") -> tuple[str, ...]:
    """Say whether all predictions are the same.

    Examples
    --------
    >>> answer_warnings(np.array([1, 1]))
    ('The model gives every test case the same answer. Where all are treated alike, there is no gap.',)
    """
    if len(np.unique(prediction)) > 1:
        return ()
    return (say(Message("doubt-same-answer", {"what": Phrase(what)})),)


def settled(model: object) -> bool:
    """Say whether a model ended before the steps it was given were used up."""
    last = model[-1] if isinstance(model, Pipeline) else model
    steps, most = getattr(last, "n_iter_", None), getattr(last, "max_iter", None)
    # Boosting counts trees, and descent with momentum takes the steps it is given: using all of them is how these end.
    all_used = hasattr(last, "do_early_stopping_") or getattr(last, "method", None) == "momentum"
    if steps is None or most is None or all_used:
        return True
    return int(np.max(steps)) < int(most)


def similar_warnings(rows: ConstrainedRows) -> tuple[str, ...]:
    """Say how many people limits are not about, as no similar cases of another group are there."""
    n = rows.n_left_out
    return (say(Message("similar-left-out", {"n": Count(n)})),) if n else ()


def extreme_warnings(shares: Mapping[Any, float]) -> tuple[str, ...]:
    """Say in which groups everyone, or no one, is predicted to have the good outcome.

    Examples
    --------
    >>> extreme_warnings({"a": 1.0, "b": 0.5})
    ("Its threshold lets everyone pass: 'a'.",)
    """
    found = []
    for share, key in ((1.0, "doubt-all-pass"), (0.0, "doubt-none-passes")):
        names = [name for name, value in shares.items() if value == share]
        if names:
            found.append(say(Message(key, {"groups": Phrase(named_groups(names))})))
    return tuple(found)


def group_warnings(study: DividedRows) -> tuple[str, ...]:
    """Say which groups are too small to be judged."""
    held = study.groups[study.split.held_out]
    sizes = {name: int((held == name).sum()) for name in study.judged_groups}
    small = [name for name, size in sizes.items() if size < ENOUGH]
    if not small:
        return ()
    return (say(Message("doubt-few-cases", {"n": Count(ENOUGH), "groups": Phrase(named_groups(small))})),)


def small_warnings(study: Study, rows: NDArray[np.int64]) -> tuple[str, ...]:
    """Say which groups have few rows of an outcome among those that groups are made alike in."""
    small, rows = [], rows[study.compared[rows]]
    for name in study.group_names:
        y = study.y[rows[study.groups[rows] == name]]
        if len(y) and min(y.sum(), len(y) - y.sum()) < ENOUGH:
            small.append(name)
    if not small:
        return ()
    return (say(Message("doubt-few-outcomes", {"n": Count(ENOUGH), "groups": Phrase(named_groups(small))})),)


def named_groups(names: list[str]) -> str:
    """Return the names of groups for a sentence, the first few of many.

    Examples
    --------
    >>> named_groups(["a", "the rest"])
    "'a', 'everyone else'"
    """
    more = len(names) - MOST_NAMED
    return ", ".join(quote(called(name), limit=60) for name in names[:MOST_NAMED]) + (
        f" and {more} more" if more > 0 else ""
    )


def chance_warning(rows: ConstrainedRows, h: NDArray[np.int64], confidence: float) -> str | None:
    """Say where chance moves a gap on the tuning rows by more than what is allowed, so that the search follows chance.

    Shapes: `h` (n_tune,).
    """
    table = gap_table(rows, h, confidence)
    n_least = table[["n_first", "n_second"]].min(axis=1)
    width = ((table["high"] - table["low"]) / 2).where(n_least >= ENOUGH)
    excess = (width / rows.limits).where([constraint.is_asked for constraint in rows.constraints])
    if not (excess > 1).any():
        return None
    worst = int(excess.idxmax())
    constraint = rows.constraints[worst]
    is_rate = constraint.spec.measure.name in METRIC_PARTS
    what: dict[str, Argument] = {
        "rate": Phrase(constraint.spec.measure.words),
        "first": Phrase(named_groups([constraint.first])),
        "second": Phrase(named_groups([constraint.second])),
        "width": Points(width[worst], 1) if is_rate else Amount(width[worst], 2),
        "quantity": Word("share" if is_rate else "amount"),
    }
    return say(Message("doubt-chance", what))


def unknown_group_warnings(study: DividedRows) -> tuple[str, ...]:
    """Say whether rows of no known group are left out of what is learned from."""
    return () if study.group_known[study.in_filter].all() else (say(Message("doubt-unknown-groups")),)
