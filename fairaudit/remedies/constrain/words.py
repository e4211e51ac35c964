"""What limits, their columns and sizes, and a model that was trained to keep them, are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fairaudit.errors import in_brief, require
from fairaudit.estimators.constraints import FLOORS, METRICS, FairnessSpec
from fairaudit.estimators.constraints.metrics import ErrorCost, ErrorRates
from fairaudit.findings import Amount, Argument, Message, Phrase, Points, Share, Word
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.naming import listed
from fairaudit.present.numbers import beside_text, points_number, points_text, tolerance_text

MAX_NAMED = 6
"""So many groups are named; of more, how many there are is said."""
_LONGEST = 120
_MOST_DIGITS = 9


def group_text(name: str) -> str:
    """Return what a group of a limit is called."""
    return _plain(called(name))


def asked_text(spec: FairnessSpec, *, positive_meaning: str, strata: Sequence[str] = ()) -> str:
    """Return what a limit asks for, in one sentence; with `strata`, on average among cases that are alike in them.

    Examples
    --------
    >>> asked_text(FairnessSpec("demographic_parity", "race", 0.03), positive_meaning="hired")
    'The share predicted to have “hired” differs by at most 3 points between any two groups of race.'
    """
    args: dict[str, Argument] = {
        "metric": Word(spec.measure.name),
        "what": Phrase(_plain(spec.measure.words)),
        "outcome": Phrase(_plain(positive_meaning)),
        "groups": Phrase(_whose(spec)),
        "of": Word(_of(spec)),
    }
    if spec.floor is not None:
        return say(Message("limit-asked-floor", args | {"least": _floor(spec)}))
    among = Word("similar" if strata else "all")
    return say(Message("limit-asked", args | _size(spec) | {"among": among, "strata": Phrase(listed(list(strata)))}))


def limit_name(spec: FairnessSpec) -> str:
    """Return what a limit is called in tables and charts.

    Examples
    --------
    >>> limit_name(FairnessSpec("fpr", ["race", "sex"], 0.03))
    'False positive rate by race, sex'
    """
    return say(_name(spec, naming.capital(_metric(spec))))


def limit_in_brief(spec: FairnessSpec) -> str:
    """Return a limit in few words: the rate, the groups, and how far they may be apart or what each must have."""
    name = _name(spec, _metric(spec))
    return say(name if spec.floor is not None else Message("limit-named", {"name": name, **_size(spec)}))


def _name(spec: FairnessSpec, metric: str) -> Message:
    if spec.columns is not None:
        names = [_plain(name) for name in spec.columns]
    else:
        names = [group_text(name) for name, _ in require(spec.conditions)]
    args: dict[str, Argument] = {"what": Phrase(metric), "groups": Phrase(naming.short(", ".join(names)))}
    if spec.floor is not None:
        return Message("limit-name-floor", args | {"least": _floor(spec)})
    return Message("limit-name", args)


def _metric(spec: FairnessSpec) -> str:
    if isinstance(spec.measure.coefficients, ErrorCost):
        return f"average cost of errors {spec.measure.name.removeprefix('aec')}"
    if isinstance(spec.measure.coefficients, ErrorRates):
        return f"weighted error rates {spec.measure.name.removeprefix('errors')}"
    return _plain(spec.measure.words)


def _size(spec: FairnessSpec) -> dict[str, Argument]:
    """Return the largest difference in points, or in the unit of costs and of metrics that a user made."""
    limit = require(spec.max_difference)
    if spec.measure.name in METRICS:
        return {"quantity": Word("share"), "size": Points(limit, _digits(100 * limit))}
    return {"quantity": Word("amount"), "size": Amount(limit, _digits(limit))}


def _floor(spec: FairnessSpec) -> Share:
    return Share(require(spec.floor), _digits(100 * require(spec.floor)))


def _digits(number: float) -> int:
    """Return the decimals that a number was written with: fewer would call a tiny difference 0."""
    return next((d for d in range(_MOST_DIGITS) if abs(round(number, d) - number) < 1e-9 * number), _MOST_DIGITS)


def _of(spec: FairnessSpec) -> str:
    if spec.columns is not None:
        return "columns"
    return "pair" if len(require(spec.conditions)) == 2 else "several"


def _whose(spec: FairnessSpec) -> str:
    """Return the columns that make groups, or the groups by their names."""
    if spec.columns is not None:
        return listed([_plain(name) for name in spec.columns])
    names = [group_text(name) for name, _ in require(spec.conditions)]
    more = len(names) - MAX_NAMED
    return listed([*names[:MAX_NAMED], *([f"{more} more"] if more > 0 else [])])


def _plain(text: str) -> str:
    """Return a name or words on one line, cut where they are very long."""
    return in_brief(text, limit=_LONGEST)


def in_shares(metrics: Iterable[str]) -> bool:
    """Say whether all metrics are shares, so that gaps can be stated in points; costs are not."""
    return all(metric in METRICS or metric in FLOORS for metric in metrics)


def gap_text(gap: float | None, metric: str, *, beside: float | None = None) -> str:
    """Return a gap with its sign, in points or, for costs, in their own unit; it differs from a limit `beside` it."""
    if in_shares([metric]):
        return points_text(gap, beside=beside)
    return gap_number(gap, metric, beside=beside)


def gap_number(gap: float | None, metric: str, *, beside: float | None = None) -> str:
    """Return the same without the name of points."""
    if in_shares([metric]) or gap is None or not np.isfinite(gap):
        return points_number(gap, beside=beside)
    text = beside_text(gap, () if beside is None else (-beside, beside), digits=3)
    return f"+{text}" if float(gap) > 0 and text[0].isdigit() else text


def allowed_text(max_difference: float, metric: str) -> str:
    """Return what a constraint allows, in points or, for costs, in their own unit."""
    return tolerance_text(max_difference) if in_shares([metric]) else f"{max_difference:g}"
