"""Constraints that work against each other: which, between which groups, and whether any model can keep them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fairaudit.errors import in_brief, sure
from fairaudit.estimators.constraints import bounds
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.metrics import Columns
from fairaudit.estimators.constraints.spec import FairnessSpec
from fairaudit.findings import Argument, Message, Phrase, Share
from fairaudit.measure.limits import MOST_DIGITS, digits_beside

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
        Whether a bound is worth a word; a loose one is met by any ordinary model.
    """

    metrics: tuple[str, ...]
    bound: Callable[..., float]
    is_tight: Callable[[float], bool]


CLASHES = (
    Clash(("sp", "fpr", "fnr"), bounds.separation, lambda bound: bound < 0.95),
    Clash(("fpr", "fnr", "fdr"), bounds.false_positives_of_parity, lambda bound: bound < 0.5),
    Clash(("fpr", "fnr", "for"), bounds.false_negatives_of_parity, lambda bound: bound < 0.5),
    Clash(("sp", "fpr", "fdr"), bounds.false_positives_of_shares, lambda bound: bound < 0.5),
    Clash(("sp", "fnr", "for"), bounds.false_negatives_of_shares, lambda bound: bound < 0.5),
    Clash(("sp", "fpr"), bounds.separation_in_high, lambda bound: bound < 0.95),
    Clash(("sp", "fnr"), bounds.separation_in_low, lambda bound: bound < 0.95),
    Clash(("mr", "fpr", "fnr"), bounds.imbalance, lambda bound: bound < 0.5),
    Clash(("mr", "sp"), bounds.errors_of_shares, lambda bound: bound >= SMALL_PRICE),
)


def conflicts(
    specs: Sequence[FairnessSpec], rows: ConstrainedRows | None = None, *, min_count: int = 10
) -> tuple[Message, ...]:
    """Return which constraints repeat or work against each other, in words.

    Examples
    --------
    >>> conflicts([FairnessSpec("sp", "sex", 0.03), FairnessSpec("sp", "sex", 0.1)])[0].key
    'conflict-two-limits'
    """
    families: dict[object, dict[str, FairnessSpec]] = {}
    found = []
    for spec in specs:
        family = families.setdefault(_family(spec), {})
        # Floors neither repeat distances nor clash with them in the ways that are known here.
        other = family.setdefault(_kind(spec), spec)
        if other.max_difference != spec.max_difference:
            family[_kind(spec)] = min(other, spec, key=lambda one: sure(one.max_difference))
            found.append(Message("conflict-two-limits", {"what": Phrase(spec.measure.words)}))
    for family in families.values():
        found += _clashes(family, rows, min_count)
    if rows is not None:
        found += [*_overlaps(families, rows), *_price(rows)]
    return tuple(dict.fromkeys(found))


def _clashes(family: dict[str, FairnessSpec], rows: ConstrainedRows | None, min_count: int) -> Iterator[Message]:
    done: list[set[str]] = []
    for clash in CLASHES:
        metrics = set(clash.metrics)
        # Part of a set that was mentioned already adds nothing.
        if not metrics <= family.keys() or any(len(metrics & earlier) > 1 for earlier in done if "mr" not in metrics):
            continue
        specs = [family[name] for name in clash.metrics]
        *first, last = (spec.measure.words for spec in specs)
        args: dict[str, Argument] = {"names": Phrase(f"{', '.join(first)} and {last}")}
        if rows is None:
            message: Message | None = Message("conflict-clash-anywhere", args)
        else:
            message = _on_rows(clash, specs, rows, min_count, args)
        if message is not None:
            done.append(metrics)
            yield message


def _on_rows(
    clash: Clash, specs: Sequence[FairnessSpec], rows: ConstrainedRows, min_count: int, args: dict[str, Argument]
) -> Message | None:
    """Return a clash for the two groups whose base rates differ most, where it binds."""
    found = _base_rates(specs[0], rows, min_count)
    if len(found) < 2:
        return None
    (low, low_group), (high, high_group) = min(found), max(found)
    if high == low or not clash.is_tight(clash.bound(high, low, *(spec.max_difference for spec in specs))):
        return None
    # The fewest decimals by which both differ; small shares have one.
    digits = digits_beside(100 * high, [100 * low], digits=int(low < 0.1), rounded=True)
    digits = MOST_DIGITS if digits is None else digits
    rates: dict[str, Argument] = {"high": Share(high, digits), "low": Share(low, digits)}
    groups: dict[str, Argument] = {"first": _group(high_group), "second": _group(low_group)}
    return Message("conflict-clash", args | rates | groups)


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


def _overlaps(families: dict[object, dict[str, FairnessSpec]], rows: ConstrainedRows) -> Iterator[Message]:
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
                yield Message("conflict-same-people", {"first": _group(first), "second": _group(second)})


def _price(rows: ConstrainedRows) -> Iterator[Message]:
    least = bounds.least_errors(rows)
    if least is None:
        yield Message("conflict-impossible")
    elif least >= SMALL_PRICE:
        yield Message("conflict-price", {"share": Share(least, 1 if least < 0.1 else 0)})


def _group(name: str) -> Phrase:
    return Phrase(in_brief(name, limit=80))


def _kind(spec: FairnessSpec) -> str:
    """Return the metric of a constraint, apart for floors."""
    return spec.measure.name if spec.floor is None else f"{spec.measure.name}, at least"


def _family(spec: FairnessSpec) -> object:
    """Return what distinguishes groupings: neither the order of columns nor the names of conditions matter."""
    if isinstance(spec.groups, Columns):
        return frozenset(spec.groups.names)
    return frozenset(text for _, text in spec.groups.named), "conditions"
