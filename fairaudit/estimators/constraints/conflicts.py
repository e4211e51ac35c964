"""Sentences about constraints that work against each other: how, what a model can still do, and what to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fairaudit.errors import quote, sure
from fairaudit.estimators.constraints import bounds
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.groups import Columns
from fairaudit.estimators.constraints.metrics import METRICS
from fairaudit.estimators.constraints.spec import FairnessSpec

SHARED = 0.8
"""Groups that share this part of the rows of either are called nearly the same."""
SMALL_PRICE = 0.005
"""A smaller share of errors is not mentioned."""


@dataclass(frozen=True)
class Clash:
    """Metrics that can be alike together only at a price where groups differ in how common the outcome is.

    Parameters
    ----------
    metrics : tuple of str
        The metrics.
    bound : callable
        From the higher and the lower base rate and the largest differences, in the order of `metrics`, to a bound.
    is_tight : callable
        Whether a bound is worth a sentence; a loose one is met by any ordinary model.
    found : str
        What a model that meets all can do, with {bound} in points or percent, {high} and {low} for the groups.
    known : str
        The same without figures.
    """

    metrics: tuple[str, ...]
    bound: Callable[..., float]
    is_tight: Callable[[float], bool]
    found: str
    known: str


CLASHES = (
    Clash(
        ("sp", "fpr", "fnr"),
        bounds.separation,
        lambda bound: bound < 0.95,
        "predicts the outcome at most {points} more often for those who have it than for those who do not, on average "
        "of the two groups (0 points is guessing, 100 is never being wrong)",
        "can hardly tell those who have the outcome from those who do not",
    ),
    Clash(
        ("fpr", "fnr", "fdr"),
        bounds.false_positives_of_parity,
        lambda bound: bound < 0.5,
        "and is better than guessing predicts the outcome for at most {share} of those who do not have it, on average "
        "of the two groups",
        "can be better than guessing only if it is nearly never wrong about those who do not have the outcome",
    ),
    Clash(
        ("fpr", "fnr", "for"),
        bounds.false_negatives_of_parity,
        lambda bound: bound < 0.5,
        "and is better than guessing misses at most {share} of those who have the outcome, on average of the two "
        "groups",
        "can be better than guessing only if it misses nearly nobody who has the outcome",
    ),
    Clash(
        ("sp", "fpr", "fdr"),
        bounds.false_positives_of_shares,
        lambda bound: bound < 0.5,
        "predicts the outcome for at most {share} of those who do not have it, on average of the two groups",
        "must predict the outcome for nearly nobody who does not have it",
    ),
    Clash(
        ("sp", "fnr", "for"),
        bounds.false_negatives_of_shares,
        lambda bound: bound < 0.5,
        "misses at most {share} of those who have the outcome, on average of the two groups",
        "must miss nearly nobody who has the outcome",
    ),
    Clash(
        ("sp", "fpr"),
        bounds.separation_in_high,
        lambda bound: bound < 0.95,
        "predicts the outcome in {high} at most {points} more often for those who have it than for those who do not "
        "(100 points is never being wrong)",
        "must miss many who have the outcome where it is more common",
    ),
    Clash(
        ("sp", "fnr"),
        bounds.separation_in_low,
        lambda bound: bound < 0.95,
        "predicts the outcome in {low} at most {points} more often for those who have it than for those who do not "
        "(100 points is never being wrong)",
        "must predict the outcome for many who do not have it where it is less common",
    ),
    Clash(
        ("mr", "fpr", "fnr"),
        bounds.imbalance,
        lambda bound: bound < 0.5,
        "must make both kinds of error about equally often: the false positive and the false negative rate are at most "
        "{points} apart, on average of the two groups",
        "must have a false positive rate close to its false negative rate",
    ),
    Clash(
        ("mr", "sp"),
        bounds.errors_of_shares,
        lambda bound: bound >= SMALL_PRICE,
        "is wrong for at least {share} of either group",
        "must be wrong in every group, however good it is",
    ),
)


def conflicts(
    specs: Sequence[FairnessSpec], rows: ConstrainedRows | None = None, *, min_count: int = 10
) -> tuple[str, ...]:
    """Return sentences on constraints that repeat, imply or work against each other.

    Examples
    --------
    >>> conflicts([FairnessSpec("sp", "sex", 0.03), FairnessSpec("sp", "sex", 0.1)])[0]
    'Of the groups of sex the share of positive predictions has two limits, 3 and 10 points. Drop the looser one.'
    """
    families: dict[object, dict[str, FairnessSpec]] = {}
    sentences = []
    for spec in specs:
        family = families.setdefault(_family(spec), {})
        # Floors neither repeat distances nor clash with them in the ways that are known here.
        other = family.setdefault(_kind(spec), spec)
        if other.max_difference != spec.max_difference:
            tight, loose = sorted((other, spec), key=lambda one: sure(one.max_difference))
            family[_kind(spec)] = tight
            sentences.append(
                f"Of {_groups(spec)} the {spec.measure.words} has two limits, {_limit(tight, unit=False)} and "
                f"{_limit(loose)}. Drop the looser one."
            )
    sentences += _implied([spec for family in families.values() for spec in family.values()])
    for family in families.values():
        sentences += _clashes(family, rows, min_count)
    if rows is not None:
        sentences += [*_overlaps(families, rows), *_price(rows)]
    return tuple(dict.fromkeys(sentences))


def _clashes(family: dict[str, FairnessSpec], rows: ConstrainedRows | None, min_count: int) -> Iterator[str]:
    done: list[set[str]] = []
    for clash in CLASHES:
        metrics = set(clash.metrics)
        # Part of a set that was mentioned already adds nothing.
        if not metrics <= family.keys() or any(len(metrics & earlier) > 1 for earlier in done if "mr" not in metrics):
            continue
        specs = [family[name] for name in clash.metrics]
        sentence = _in_general(clash, specs) if rows is None else _on_rows(clash, specs, rows, min_count)
        if sentence is not None:
            done.append(metrics)
            yield sentence


def _in_general(clash: Clash, specs: Sequence[FairnessSpec]) -> str:
    return (
        f"{_lead(specs)} work against each other unless the positive outcome is about equally common in all groups: a "
        f"model that meets {_all(specs)} {clash.known}. Look at how common it is, and drop one of them or allow larger "
        "differences where it differs."
    )


def _on_rows(clash: Clash, specs: Sequence[FairnessSpec], rows: ConstrainedRows, min_count: int) -> str | None:
    """Return a sentence on a clash for the two groups whose base rates differ most, where it binds."""
    found = _base_rates(specs[0], rows, min_count)
    if len(found) < 2:
        return None
    (low, low_group), (high, high_group) = min(found), max(found)
    if high == low:
        return None
    bound = clash.bound(high, low, *(spec.max_difference for spec in specs))
    if not clash.is_tight(bound):
        return None
    names = {"high": quote(high_group), "low": quote(low_group), "points": _points(bound), "share": _percent(bound)}
    return (
        f"{_lead(specs)} work against each other, because the positive outcome is not equally common: "
        f"{_percent(high)} of {names['high']} have it and {_percent(low)} of {names['low']}. Any model that meets "
        f"{_all(specs)} {clash.found.format(**names)}. Where that is too little, drop one of them or allow larger "
        "differences."
    )


def _base_rates(spec: FairnessSpec, rows: ConstrainedRows, min_count: int) -> list[tuple[float, str]]:
    if spec not in rows.specs:
        return []
    place = rows.specs.index(spec)
    found = []
    for name, group in zip(rows.names[place], rows.members[place], strict=True):
        n_positive = int(rows.y[group].sum())
        if min(n_positive, len(group) - n_positive) >= min_count:
            found.append((n_positive / len(group), name))
    return found


def _implied(specs: Sequence[FairnessSpec]) -> Iterator[str]:
    """Return sentences on constraints that follow from others: a group's rate is a mean of the rates of its parts."""
    for fine, coarse in ((one, other) for one in specs for other in specs):
        if (
            isinstance(fine.groups, Columns)
            and isinstance(coarse.groups, Columns)
            and isinstance(fine.metric, str)
            and _kind(fine) == _kind(coarse)
            and set(coarse.groups.names) < set(fine.groups.names)
            and sure(fine.max_difference) <= sure(coarse.max_difference)
        ):
            yield (
                f"The limit on the {fine.measure.words} of {_groups(coarse)} follows from the one on {_groups(fine)}, "
                "apart from rows without a value. It can be dropped."
            )


def _overlaps(families: dict[object, dict[str, FairnessSpec]], rows: ConstrainedRows) -> Iterator[str]:
    for family in families.values():
        spec = next(iter(family.values()))
        if isinstance(spec.groups, Columns) or spec not in rows.specs:
            continue
        place = rows.specs.index(spec)
        if spec.floor is not None:
            continue
        pairs = combinations(zip(rows.names[place], rows.members[place], strict=True), 2)
        for (first, one), (second, other) in pairs:
            both = len(np.intersect1d(one, other, assume_unique=True))
            if both and both >= SHARED * (len(one) + len(other) - both):
                yield (
                    f"{quote(first)} and {quote(second)} are nearly the same rows, so they can hardly differ: a "
                    "constraint between them says little. Compare groups that share fewer rows."
                )


def _price(rows: ConstrainedRows) -> Iterator[str]:
    least = bounds.least_errors(rows)
    if least is None:
        yield (
            "No model at all can meet all of these constraints on these rows, not even one that knows every outcome. "
            "Drop one of them, or allow larger differences."
        )
    elif least >= SMALL_PRICE:
        yield (
            f"Even a model that knew every outcome would be wrong for at least {_percent(least)} of the "
            f"{len(rows.y):,} rows to learn from if it met all constraints, because the positive outcome is not "
            "equally common in the groups. Any real model is wrong for more. Larger differences cost less."
        )


def _kind(spec: FairnessSpec) -> str:
    """Return the metric of a constraint, apart for floors."""
    return spec.measure.name if spec.floor is None else f"{spec.measure.name}, at least"


def _family(spec: FairnessSpec) -> object:
    """Return what distinguishes groupings: neither the order of columns nor the names of conditions matter."""
    if isinstance(spec.groups, Columns):
        return frozenset(spec.groups.names)
    return frozenset(text for _, text in spec.groups.named), "conditions"


def _groups(spec: FairnessSpec) -> str:
    if isinstance(spec.groups, Columns):
        return f"the groups of {' and '.join(map(_name, spec.groups.names))}"
    names = [quote(name, limit=40) for name, _ in spec.groups.named]
    return f"the groups {' and '.join(names)}" if len(names) == 2 else f"the {len(names)} named groups"


def _name(column: str) -> str:
    return column if column.isidentifier() else quote(column)


def _lead(specs: Sequence[FairnessSpec]) -> str:
    limits = [f"the {spec.measure.words} ({_limit(spec)})" for spec in specs]
    return f"For {_groups(specs[0])}, the limits on {', '.join(limits[:-1])} and {limits[-1]}"


def _all(specs: Sequence[FairnessSpec]) -> str:
    return "both" if len(specs) == 2 else f"all {('three', 'four')[len(specs) - 3]}"


def _limit(spec: FairnessSpec, *, unit: bool = True) -> str:
    if spec.floor is not None:
        return f"at least {spec.floor * 100:.4g}\N{NO-BREAK SPACE}%"
    if spec.metric not in METRICS:
        return f"{spec.max_difference:g}"
    limit = sure(spec.max_difference)
    return _points(limit) if unit else f"{limit * 100:.4g}"


def _points(value: float) -> str:
    number = f"{value * 100:.4g}" if value < 0.01 else f"{value * 100:.3g}"
    return f"{number} point" if number == "1" else f"{number} points"


def _percent(value: float) -> str:
    return f"{value * 100:.2g}\N{NO-BREAK SPACE}%" if value < 0.1 else f"{value * 100:.0f}\N{NO-BREAK SPACE}%"
