"""Sentences about constraints, shared by pages and report: what one asks for, and what meeting it does not promise.

All texts are plain: names stand in them as they are, and whoever shows them escapes what is markup there.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairaudit.errors import quote, sure
from fairaudit.estimators.constraints import METRICS, FairnessSpec, Metric
from fairaudit.estimators.constraints.metrics import ErrorCost
from fairaudit.present import brief
from fairaudit.present.numbers import tolerance_text
from fairaudit.present.words import listed

MAX_NAMED = 6
"""So many groups are named in a sentence; of more, how many there are is said."""

_SHARES = {
    "mr": "the share of people whose prediction is wrong",
    "sp": "the share of people who are predicted to have {outcome}",
    "fpr": "among people without {outcome}, the share wrongly predicted to have it",
    "fnr": "among people with {outcome}, the share wrongly predicted not to have it",
    "for": "among people predicted not to have {outcome}, the share who do have it",
    "fdr": "among people predicted to have {outcome}, the share who do not have it",
    "tpr": "among people with {outcome}, the share rightly predicted to have it",
    "tnr": "among people without {outcome}, the share rightly predicted not to have it",
    "accuracy": "the share of people whose prediction is right",
    "ppv": "among people predicted to have {outcome}, the share who do have it",
    "npv": "among people predicted not to have {outcome}, the share who do not have it",
}

_DISTANCE = (
    "It limits how far groups are apart, not how well they do: they can also become alike because one does worse."
)
_FLOOR = (
    "A floor says what each group has at least, not how far groups are apart. It is shown as a distance: a floor of "
    "80 % is kept where a group is at most 20 points below 100 %."
)
_PROMISES = (
    "A constraint is met on the tuning rows, where the model was chosen. On other rows, held out or to come, the "
    "groups may differ by more: by chance, above all where they have few rows, or because things have changed.",
    "It holds for the groups it names, as a whole. It says nothing about other groups, about parts of these groups, or "
    "about any one person.",
    _DISTANCE,
    "It does not say why groups differ, nor whether the decisions that the model learned from were right.",
)
_AMONG_PREDICTED = (
    "Who is compared in the false discovery rate and the false omission rate depends on the predictions: these rates "
    "can become alike because others are predicted to have the outcome, not because predictions are better."
)


def spec_words(spec: FairnessSpec, *, positive_meaning: str | None = None) -> str:
    """Return what a constraint asks for, in one sentence.

    Examples
    --------
    >>> spec_words(FairnessSpec("sp", "race", 0.03))
    'The share of people who are predicted to have the positive outcome differs by at most 3 points between any two
    groups of race.'
    """
    outcome = "the positive outcome"
    if positive_meaning is not None and positive_meaning.strip():
        outcome += f" ({_plain(positive_meaning)})"
    limit, between = limit_words(spec), _between(spec)
    measure = spec.measure
    if isinstance(measure.coefficients, ErrorCost):
        costs = measure.coefficients
        return (
            f"The cost of wrong predictions per person differs by at most {limit} {between}, where wrongly predicting "
            f"{outcome} costs {costs.c_fp:g} and wrongly predicting that it is not there costs {costs.c_fn:g}."
        )
    if measure.name in _SHARES:
        words = _SHARES[measure.name].format(outcome=outcome)
    else:
        words = f"the {_plain(measure.words)}"
    if spec.floor is not None:
        floor = f"{spec.floor * 100:.6g}\N{NO-BREAK SPACE}%"
        return f"{brief.capital(words)} is at least {floor} in {_each(spec)}."
    return f"{brief.capital(words)} differs by at most {limit} {between}."


def metric_label(spec: FairnessSpec) -> str:
    """Return a short label of a constraint for tables and charts.

    Examples
    --------
    >>> metric_label(FairnessSpec("fpr", ["race", "sex"], 0.03))
    'False positive rate by race, sex'
    >>> metric_label(FairnessSpec("tpr", "race", floor=0.8)).replace("\N{NO-BREAK SPACE}", " ")
    'True positive rate by race, at least 80 % each'
    """
    if spec.columns is not None:
        groups = ", ".join(map(_plain, spec.columns))
    else:
        groups = ", ".join(_plain(name) for name, _ in sure(spec.conditions))
    each = "" if spec.floor is None else f", at least {spec.floor * 100:.6g}\N{NO-BREAK SPACE}% each"
    return brief.capital(f"{_short_metric(spec.measure)} by {brief.short(groups)}{each}")


def promise_words(specs: Sequence[FairnessSpec] = ()) -> tuple[str, ...]:
    """Return what meeting constraints does not promise."""
    floors = any(spec.floor is not None for spec in specs)
    distances = not specs or any(spec.floor is None for spec in specs)
    promises = [text for text in _PROMISES if distances or text != _DISTANCE]
    promises += [_FLOOR] if floors else []
    among_predicted = any(spec.measure.needs_predictions for spec in specs)
    return (*promises, _AMONG_PREDICTED) if among_predicted else tuple(promises)


def _short_metric(measure: Metric) -> str:
    if isinstance(measure.coefficients, ErrorCost):
        return f"average cost of errors {measure.name.removeprefix('aec')}"
    return _plain(measure.words)


def limit_words(spec: FairnessSpec) -> str:
    """Return the largest difference in points, or in the unit of costs and of metrics that a user made."""
    limit = sure(spec.max_difference)
    # Fewer decimals would call a tiny difference "0 points".
    return tolerance_text(limit) if spec.measure.name in METRICS and limit >= 1e-5 else f"{limit:.4g}"


def _each(spec: FairnessSpec) -> str:
    """Return whom a floor is for."""
    if spec.columns is not None:
        names = listed([_plain(name) for name in spec.columns])
        return f"each group of {names}{' together' if len(spec.columns) > 1 else ''}"
    named = [quote(name) for name, _ in sure(spec.conditions)]
    if len(named) == 1:
        return named[0]
    rest = len(named) - MAX_NAMED
    return f"each of {listed([*named[:MAX_NAMED], *([f'{rest} more'] if rest > 0 else [])])}"


def _between(spec: FairnessSpec) -> str:
    if spec.columns is not None:
        names = listed([_plain(name) for name in spec.columns])
        return f"between any two groups of {names}{' together' if len(spec.columns) > 1 else ''}"
    named = [
        quote(name) if name == condition else f"{quote(name)} ({_plain(condition)})"
        for name, condition in sure(spec.conditions)
    ]
    if len(named) == 2:
        return f"between {named[0]} and {named[1]}"
    rest = len(named) - MAX_NAMED
    shown = [*named[:MAX_NAMED], *([f"{rest} more"] if rest > 0 else [])]
    return f"between any two of {listed(shown)}"


def _plain(text: str) -> str:
    """Return a name or words on one line, cut where they are very long."""
    return quote(text, limit=120)[1:-1]
