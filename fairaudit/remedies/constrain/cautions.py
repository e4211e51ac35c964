"""What makes a model that was trained to meet constraints doubtful, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import quote
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.measure.gaps import ENOUGH
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.study.cautions import named_groups
from fairaudit.study.pair_gaps import SHARES, gap_table, share_rows


def constrained_warnings(
    rows: ConstrainedRows, h: NDArray[np.int64], details: ConstrainDetails, confidence: float
) -> tuple[str, ...]:
    """Say where a constraint rests on few rows, and where it does not hold on the held-out rows.

    That it does not hold on the tuning rows, or that constraints are in conflict, is told by the details themselves.

    Shapes: `h` (n_tune,).
    """
    found = (_few_to_tune(rows, h), chance_warning(rows, h, confidence), _few_to_judge(details), _not_kept(details))
    return tuple(text for text in found if text)


def chance_warning(rows: ConstrainedRows, h: NDArray[np.int64], confidence: float) -> str | None:
    """Say where chance moves a gap on the tuning rows by more than what is allowed, so that the search follows chance.

    Shapes: `h` (n_tune,).
    """
    table = gap_table(rows, h, confidence)
    n_least = table[["n_first", "n_second"]].min(axis=1)
    width = ((table["high"] - table["low"]) / 2).where(n_least >= ENOUGH)
    excess = width / rows.limits
    if not (excess > 1).any():
        return None
    worst = int(excess.idxmax())
    constraint = rows.constraints[worst]
    texts = (width[worst], constraint.max_difference)
    if constraint.spec.measure.name in SHARES:
        told = ["1 point" if text == "1" else f"{text} points" for text in (f"{100 * value:.2g}" for value in texts)]
    else:
        told = [f"{value:.2g}" for value in texts]
    n_first, n_second = table.loc[worst, ["n_first", "n_second"]]
    whose = " and ".join(quote(name, limit=60) for name in (constraint.first, constraint.second))
    return (
        f"On {n_first:,} and {n_second:,} tuning rows, chance alone can move the gap in the "
        f"{constraint.spec.measure.words} between {whose} by {told[0]} either way ({100 * confidence:g} % interval), "
        f"and {told[1]} {'are' if told[1].endswith('s') else 'is'} allowed. Among models with gaps about as small as "
        "that, the search follows chance and may give up accuracy for nothing: allow more, bring more rows, or choose "
        "larger groups."
    )


def _few_to_tune(rows: ConstrainedRows, h: NDArray[np.int64]) -> str | None:
    small = []
    for spec, names, members in zip(rows.specs, rows.names, rows.members, strict=True):
        counted = share_rows(spec.measure.name, rows.y, h)
        small += [name for name, group in zip(names, members, strict=True) if counted[group].sum() < ENOUGH]
    if not small:
        return None
    return (
        f"Fewer than {ENOUGH} tuning rows count for a constraint: {_each_once(small)}. Rates there are mostly chance, "
        "and the model is chosen by them."
    )


def _few_to_judge(details: ConstrainDetails) -> str | None:
    small = [
        name
        for side in ("first", "second")
        for name, n in zip(details.pairs[side], details.pairs[f"n_{side}"], strict=True)
        if n < ENOUGH
    ]
    if not small:
        return None
    return (
        f"Fewer than {ENOUGH} held-out rows count for a constraint: {_each_once(small)}. What is said about them is "
        "uncertain."
    )


def _not_kept(details: ConstrainDetails) -> str | None:
    """Tell pairs of groups that are within what is allowed on the tuning rows, and not on the held-out rows."""
    told = details.pairs.loc[details.pairs["met"], "reading"]
    return not_kept_text(told, "tuning")


def not_kept_text(readings: pd.Series, part: str, *, what: str = "gap") -> str | None:
    """Tell how many gaps that are within what is allowed on some rows are not so on the held-out rows.

    Examples
    --------
    >>> not_kept_text(pd.Series(["within", "outside, not clear"]), "tuning")
    'One gap that is small enough on the tuning rows is not so on held-out rows, which may be chance.'
    """
    clear, unclear = int((readings == "outside").sum()), int((readings == "outside, not clear").sum())
    if not clear + unclear:
        return None
    lead = f"One {what} that is" if clear + unclear == 1 else f"{clear + unclear:,} {what}s that are"
    found = f"{lead} small enough on the {part} rows {'is' if clear + unclear == 1 else 'are'} not so on held-out rows"
    if not clear:
        return f"{found}, which may be chance."
    if not unclear:
        return f"{found}, and that is more than chance."
    return f"{found}; for {clear:,} of them that is more than chance."


def _each_once(names: Iterable[str]) -> str:
    return named_groups(list(dict.fromkeys(names)))
