"""Whether constraints can be met at all: bounds on metrics, and which constraints conflict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import in_brief, require
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.metrics import Columns
from fairaudit.estimators.constraints.spec import FairnessSpec
from fairaudit.findings import Argument, Message, Phrase, Share
from fairaudit.measure.limits import MOST_DIGITS, digits_beside

# What sets of constraints leave to any model, whatever it learns from, where groups differ in their base rates.
#
# In a group let b be the base rate, s the selection rate, f and m the false positive and false negative rates, t = 1 -
# m, d and o the false discovery and false omission rates. Each function takes the base rates ``high`` > ``low`` of two
# groups and the largest differences that constraints allow between them. A bar is the mean of the two groups, D their
# difference, and each bound follows from an identity, as D(ab) = a_bar Db + b_bar Da:
#
# - s = f + b (t - f), so Db (t - f)_bar = Ds - b_bar Dt - (1 - b)_bar Df;
# - (1 - b) f = s d, with s written out: -Db (f_bar (1 - d_bar) + t_bar d_bar) = s_bar Dd + d_bar b_bar Dt
#   - (1 - d_bar)(1 - b)_bar Df; the mean of f_bar and t_bar on the left is at least the smaller of the two;
# - b m = (1 - s) o, which is the one before with both outcomes exchanged;
# - the share of errors is b m + (1 - b) f.
#
# References
# ----------
# Kleinberg, Mullainathan and Raghavan, Inherent trade-offs in the fair determination of risk scores, 2016;
# Chouldechova, Fair prediction with disparate impact, 2017, for equal rates. The bounds extend them to rates that
# nearly are.

MAX_CELLS = 2_000
"""Most kinds of rows, by the groups they are in, that :func:`least_errors` handles."""


def separation(high: float, low: float, demographic_parity: float, fpr: float, fnr: float) -> float:
    """Return the largest mean of t - f, by which a model separates the outcomes."""
    mean = (high + low) / 2
    return (demographic_parity + mean * fnr + (1 - mean) * fpr) / (high - low)


def separation_in_high(high: float, low: float, demographic_parity: float, fpr: float) -> float:
    """Return the largest t - f in the group with the higher base rate, as b (t - f) = s - f is alike in both."""
    return (low + demographic_parity + fpr) / high


def separation_in_low(high: float, low: float, demographic_parity: float, fnr: float) -> float:
    """Return the largest t - f in the group with the lower base rate, as :func:`separation_in_high`."""
    return separation_in_high(1 - low, 1 - high, demographic_parity, fnr)


def false_positives_of_parity(high: float, low: float, fpr: float, fnr: float, fdr: float) -> float:
    """Return the largest mean f of a model whose mean t is not below it."""
    mean = (high + low) / 2
    return (fdr + max(mean * fnr, (1 - mean) * fpr)) / (high - low)


def false_negatives_of_parity(high: float, low: float, fpr: float, fnr: float, for_: float) -> float:
    """Return the largest mean m of a model whose mean 1 - f is not below it."""
    return false_positives_of_parity(1 - low, 1 - high, fnr, fpr, for_)


def false_positives_of_shares(high: float, low: float, demographic_parity: float, fpr: float, fdr: float) -> float:
    """Return the largest mean f, of (1 - b) f = s d."""
    return (demographic_parity + fdr + (1 - (high + low) / 2) * fpr) / (high - low)


def false_negatives_of_shares(high: float, low: float, demographic_parity: float, fnr: float, for_: float) -> float:
    """Return the largest mean m, of b m = (1 - s) o."""
    return false_positives_of_shares(1 - low, 1 - high, demographic_parity, fnr, for_)


def imbalance(high: float, low: float, error_rate: float, fpr: float, fnr: float) -> float:
    """Return how far the means of f and m may be apart: D(b m + (1 - b) f) = Db (m - f)_bar + ..."""
    return separation(high, low, error_rate, fpr, fnr)


def errors_of_shares(high: float, low: float, error_rate: float, demographic_parity: float) -> float:
    """Return the least share of errors in either group: s - b is at most the share of errors in size."""
    return (high - low - demographic_parity - error_rate) / 2


def least_errors(rows: ConstrainedRows) -> float | None:
    """Return the least share of errors that a model can make on rows where it meets all constraints.

    The model may know every outcome, and draw lots among rows of the same groups and outcome. This is a linear program:
    how many of each kind of rows are predicted positive, with the level of each metric free. Floors are left out,
    so that it is no more than the least.
    """
    # Imported on first use: plans are read without it.
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    cells = _cells(rows)
    n_cells = int(cells.max()) + 1 if len(cells) else 0
    linear = [
        (spec, groups)
        for spec, groups in zip(rows.specs, rows.members, strict=True)
        if isinstance(spec.metric, str) and not spec.measure.needs_predictions and spec.floor is None
    ]
    if not linear or not 0 < n_cells <= MAX_CELLS:
        return 0.0
    label = np.zeros(n_cells)
    label[cells] = rows.y
    # With x the share predicted positive, 1 - x of label 0 and x of label 1 are right: sign x + (label = 0).
    sign = 2 * label - 1
    table, limits = [], []
    for place, (spec, groups) in enumerate(linear):
        for group in groups:
            c, c_0 = spec.measure.terms(rows.y[group], None)
            if not np.isfinite(c_0):
                continue
            weight = np.bincount(cells[group], weights=c, minlength=n_cells)
            value = np.append(weight * sign, -np.eye(len(linear))[place])
            constant = float(weight @ (1 - label)) + c_0
            # Value and constant lie between the level of the metric and max_difference above it.
            table += [-value, value]
            limits += [constant, require(spec.max_difference) - constant]
    share = np.bincount(cells, minlength=n_cells) / len(cells)
    found = linprog(
        np.append(-share * sign, np.zeros(len(linear))),
        A_ub=csr_array(np.array(table).reshape(-1, n_cells + len(linear))),
        b_ub=limits,
        bounds=[(0, 1)] * n_cells + [(None, None)] * len(linear),
    )
    if found.status == 2:
        return None
    # Where the program could not be worked out for other reasons, nothing is known.
    return max(0.0, float(found.fun + share @ label)) if found.fun is not None else 0.0


def _cells(rows: ConstrainedRows) -> NDArray[np.int64]:
    """Return the kind of each row: rows of one kind are in the same groups and have the same outcome."""
    cells = rows.y.copy()
    for groups in rows.members:
        apart = sum(map(len, groups)) == len(np.unique(np.concatenate(groups)))
        for part in [groups] if apart else [[group] for group in groups]:
            code = np.zeros(len(rows.y), dtype=np.int64)
            for number, group in enumerate(part, start=1):
                code[group] = number
            cells = np.unique(cells * (len(part) + 1) + code, return_inverse=True)[1]
    return cells


# Constraints that work against each other: which, between which groups, and whether any model can keep them.

NEARLY_THE_SAME = 0.8
"""Groups that share this part of the rows of either are called nearly the same."""
LEAST_PRICE_SAID = 0.005
"""A smaller share of errors is not mentioned."""


@dataclass(frozen=True)
class Clash:
    """Metrics that can be alike together only at a price where groups differ in how common the outcome is."""

    metrics: tuple[str, ...]
    # From the higher and the lower base rate and the largest differences, in the order of `metrics`, to a bound.
    bound: Callable[..., float]
    # Whether a bound is worth a word; a loose one is met by any ordinary model.
    is_tight: Callable[[float], bool]


CLASHES = (
    Clash(("demographic_parity", "fpr", "fnr"), separation, lambda bound: bound < 0.95),
    Clash(("fpr", "fnr", "fdr"), false_positives_of_parity, lambda bound: bound < 0.5),
    Clash(("fpr", "fnr", "for_"), false_negatives_of_parity, lambda bound: bound < 0.5),
    Clash(("demographic_parity", "fpr", "fdr"), false_positives_of_shares, lambda bound: bound < 0.5),
    Clash(("demographic_parity", "fnr", "for_"), false_negatives_of_shares, lambda bound: bound < 0.5),
    Clash(("demographic_parity", "fpr"), separation_in_high, lambda bound: bound < 0.95),
    Clash(("demographic_parity", "fnr"), separation_in_low, lambda bound: bound < 0.95),
    Clash(("error_rate", "fpr", "fnr"), imbalance, lambda bound: bound < 0.5),
    Clash(("error_rate", "demographic_parity"), errors_of_shares, lambda bound: bound >= LEAST_PRICE_SAID),
)


def conflicts(
    specs: Sequence[FairnessSpec], rows: ConstrainedRows | None = None, *, min_count: int = 10
) -> tuple[Message, ...]:
    """Return which constraints repeat or work against each other, in words.

    Examples
    --------
    >>> conflicts([FairnessSpec("fpr", "sex", 0.03), FairnessSpec("fpr", "sex", 0.1)])[0].key
    'conflict-two-limits'
    """
    families: dict[object, dict[str, FairnessSpec]] = {}
    found = []
    for spec in specs:
        family = families.setdefault(_family(spec), {})
        # Floors neither repeat distances nor clash with them in the ways that are known here.
        other = family.setdefault(_kind(spec), spec)
        if other.max_difference != spec.max_difference:
            family[_kind(spec)] = min(other, spec, key=lambda one: require(one.max_difference))
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
        if not metrics <= family.keys():
            continue
        if "error_rate" not in metrics and any(len(metrics & earlier) > 1 for earlier in done):
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
            if both and both >= NEARLY_THE_SAME * (len(one) + len(other) - both):
                yield Message("conflict-same-people", {"first": _group(first), "second": _group(second)})


def _price(rows: ConstrainedRows) -> Iterator[Message]:
    least = least_errors(rows)
    if least is None:
        yield Message("conflict-impossible")
    elif least >= LEAST_PRICE_SAID:
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
