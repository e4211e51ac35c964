"""What makes a model that was trained to meet constraints doubtful, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fairaudit.defaults import ENOUGH
from fairaudit.estimators.constraints import TOP, ConstrainedRows
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.study.cautions import chance_warning, named_groups, not_kept_text
from fairaudit.study.pair_gaps import share_rows


def constrained_warnings(
    rows: ConstrainedRows, h: NDArray[np.int64], details: ConstrainDetails, confidence: float
) -> tuple[str, ...]:
    """Say where a constraint rests on few rows, and where it does not hold on the held-out rows.

    The details themselves say what does not hold on the tuning rows. Shapes: `h` (n_tune,).
    """
    found = (_few_to_tune(rows, h), chance_warning(rows, h, confidence), _few_to_judge(details), _not_kept(details))
    return tuple(text for text in found if text)


def _few_to_tune(rows: ConstrainedRows, h: NDArray[np.int64]) -> str | None:
    small = []
    for spec, names, members in zip(rows.specs, rows.names, rows.members, strict=True):
        counted = share_rows(spec.measure.name, rows.y, h)
        pairs = zip(names, members, strict=True)
        small += [name for name, group in pairs if name != TOP and counted[group].sum() < ENOUGH]
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
        if n < ENOUGH and name != TOP
    ]
    if not small:
        return None
    return (
        f"Fewer than {ENOUGH} held-out rows count for a constraint: {_each_once(small)}. What is said about them is "
        "uncertain."
    )


def _not_kept(details: ConstrainDetails) -> str | None:
    """Name pairs of groups that are within what is allowed on the tuning rows, and not on the held-out rows."""
    readings = details.pairs.loc[details.pairs["met"], "reading"]
    return not_kept_text(readings, "tuning")


def _each_once(names: Iterable[str]) -> str:
    return named_groups(list(dict.fromkeys(names)))
