"""Constraints on given rows: who is in which group, how far groups are apart, and the weights that multipliers give.

Symbols: lambda_j is the multiplier of constraint j, which compares the groups g1 and g2 of one specification;
FP_j = f(h, g1) - f(h, g2), its gap; N the number of rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.errors import GroupError, InputError, MissingColumnError, quote, require
from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints.metrics import FLOORS, METRICS, Columns, Conditions, Metric
from fairaudit.estimators.constraints.spec import FairnessSpec
from fairaudit.estimators.similar_cases import people_who_count
from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.grouping import check_group_count, distinct_names, group_names, group_rows

# Multipliers of pairs and what they come to for each group.
#
# With lambda_j the multiplier of the pair (a, b), the net multiplier of a group is the sum of those of the pairs in
# which it stands first minus the sum of those in which it stands second. Weights depend on nothing else, so a search
# over G groups has G - 1 directions, not G (G - 1) / 2. The nets of a specification add up to 0.

Floats = NDArray[np.float64]


def pairs_of(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the second group of each pair. Shapes: returns `first` and `second` (n (n - 1) / 2,)."""
    return np.triu_indices(n, k=1)


def nets_of(multipliers: Floats, sizes: Sequence[int]) -> list[Floats]:
    """Return the net multiplier of each group. Shapes: `multipliers` (n_constraints,)."""
    nets, start = [], 0
    for n in sizes:
        first, second = pairs_of(n)
        part = multipliers[start : start + len(first)]
        start += len(first)
        nets.append(sums_by_code(first, part, n) - sums_by_code(second, part, n))
    return nets


def multipliers_of(nets: Sequence[Floats]) -> Floats:
    """Return multipliers with given nets, as few as it takes: the most helped groups are paired with the least.

    Shapes: returns (n_constraints,).
    """
    return np.concatenate([np.zeros(0), *map(_multipliers_of, nets)])


def _multipliers_of(net: Floats) -> Floats:
    matrix = np.zeros((len(net), len(net)))
    left = net.copy()
    givers, takers = list(np.argsort(-net, kind="stable")), list(np.argsort(net, kind="stable"))
    while left[givers[0]] > 0 and left[takers[0]] < 0:
        a, b = givers[0], takers[0]
        moved = min(left[a], -left[b])
        left[a] -= moved
        left[b] += moved
        matrix[min(a, b), max(a, b)] += moved if a < b else -moved
        (givers if left[a] == 0 else takers).pop(0)
    return matrix[pairs_of(len(net))]


def levels_of(gaps: Floats, sizes: Sequence[int]) -> list[Floats]:
    """Return by how much the metric of each group is above that of the first of its specification.

    Shapes: `gaps` (n_constraints,).
    """
    levels, start = [], 0
    for n in sizes:
        levels.append(np.concatenate([[0.0], -gaps[start : start + n - 1]]))
        start += n * (n - 1) // 2
    return levels


# What a search has tried: fits, each with its own threshold or another one, and which of them is chosen.

RATIO_DECIMALS = 12
"""Decimals of ratios, so that a gap exactly at its limit is met."""

STEPS = tuple(
    round(step, 2)
    for step in (*np.arange(0.1, 2.0, 0.1), *np.arange(2.0, 5.0, 0.5), *np.arange(5.0, 20.0), *np.arange(20, 101, 20))
)
"""How many times what is allowed a person may choose between. The steps are the same for all data: one that followed a
gap would reveal it, also where small counts are hidden."""


@dataclass(frozen=True, eq=False)
class JudgedFit:
    """A model that was fitted on the way, judged on the rows that multipliers are chosen on."""

    # (n_constraints,) lambda; its sign says which group is helped.
    multipliers: Floats
    # Share of right predictions; NaN where there are no rows to choose on.
    accuracy: float
    # (n_constraints,) The first group's metric minus the second's; NaN where it is undefined.
    gaps: Floats
    # The largest gap as a multiple of what is allowed; infinite where a gap is undefined, or where a group is worse off
    # that must not be; 0 without constraints.
    ratio: float
    # The share of rows that are predicted positive; NaN where there are no rows.
    share: float = math.nan
    # The place of the fit; several entries with other thresholds may be of one.
    place: int = 0
    # Scores from here on are predicted positive, infinity for none and minus infinity for all; None: the model itself
    # predicts.
    threshold: float | None = None

    @classmethod
    def of(cls, multipliers: Floats, accuracy: float, gaps: Floats, limits: Floats, **more: Any) -> JudgedFit:
        """Compare the gaps with what is allowed.

        Shapes: `multipliers` (n_constraints,), `gaps` (n_constraints,), `limits` (n_constraints,).
        """
        ratio = round(float((np.abs(gaps) / limits).max(initial=0.0)), RATIO_DECIMALS)
        return cls(multipliers, accuracy, gaps, math.inf if math.isnan(ratio) else ratio, **more)

    @property
    def is_met(self) -> bool:
        """Whether every gap is within what is allowed."""
        return self.ratio <= 1

    @property
    def largest_multiplier(self) -> float:
        """The multiplier that is largest in size, with its sign; 0 without constraints."""
        return float(self.multipliers[np.abs(self.multipliers).argmax()]) if len(self.multipliers) else 0.0

    @property
    def largest_gap(self) -> float:
        """The largest gap, without its sign; NaN where none is defined, 0 without constraints."""
        if not len(self.gaps):
            return 0.0
        return math.nan if np.isnan(self.gaps).all() else float(np.nanmax(np.abs(self.gaps)))


def choose_fit(fits: Sequence[JudgedFit], scale: float = 1.0) -> int:
    """Return the most accurate fit whose ratio is at most `scale`, or the one closest to it where there is none."""
    met = [i for i, fit in enumerate(fits) if fit.ratio <= scale]
    if met:
        return min(met, key=lambda i: (-fits[i].accuracy, fits[i].ratio))
    return min(range(len(fits)), key=lambda i: _rank(fits[i]))


def frontier_of(fits: Sequence[JudgedFit]) -> tuple[int, ...]:
    """Return the fits that no other beats in accuracy and ratio."""
    kept: list[int] = []
    for i in sorted(range(len(fits)), key=lambda i: _rank(fits[i])):
        if not kept or fits[i].accuracy > fits[kept[-1]].accuracy:
            kept.append(i)
    return tuple(kept)


def _rank(fit: JudgedFit) -> tuple[float, bool, float]:
    """Return what sorts fits by their ratio, then by accuracy; those without one come last."""
    return fit.ratio, math.isnan(fit.accuracy), -fit.accuracy


TOP = "all of them (100 %)"
"""What groups with a floor are compared with: as if there were one more group, without rows, that has all there is.

Each group has at least so much where none is further below 1 than that. Then no two are further apart either.
"""


@dataclass(frozen=True)
class Constraint:
    """Two groups of a specification that must be alike."""

    spec: FairnessSpec
    # first, second: The names of the groups. The gap is the metric of the first minus that of the second.
    first: str
    second: str

    @property
    def max_difference(self) -> float:
        """How far they may be apart."""
        return require(self.spec.max_difference)

    @property
    def is_asked(self) -> bool:
        """Whether it is asked for by itself; of groups with a floor, two follow from what each of them must have."""
        return self.spec.floor is None or self.second == TOP


@dataclass(frozen=True, eq=False)
class ConstrainedRows:
    """Rows with their labels, the groups that they are in, and the pairs of groups that must be alike."""

    # (n,) Labels, 0 or 1.
    y: NDArray[np.int64]
    specs: tuple[FairnessSpec, ...]
    # The groups of each specification.
    names: tuple[tuple[str, ...], ...]
    # The rows of each of those groups. They may overlap.
    members: tuple[tuple[NDArray[np.int64], ...], ...]
    # (n,) How much each row counts; None where each counts once.
    counts: Floats | None = None
    # (n,) Rows of one number are similar cases: a metric is then the average over these strata by their people. None
    # where all rows are taken together.
    strata: NDArray[np.int64] | None = None

    @classmethod
    def of(
        cls,
        specs: Sequence[FairnessSpec],
        y: NDArray[np.int64],
        sensitive: pd.DataFrame,
        counts: Floats | None = None,
        *,
        population: NDArray[np.bool_] | None = None,
        strata: NDArray[np.int64] | None = None,
    ) -> ConstrainedRows:
        """Find the groups of specifications among rows; rows outside of a `population` are in none.

        Shapes: `y` (n,), `sensitive` (n, n_columns), `counts` (n,), `population` (n,), `strata` (n,).
        """
        if strata is not None:
            check_averaged(specs)
        found = [_groups(spec, sensitive, population) for spec in specs]
        for spec, groups in zip(specs, found, strict=True):
            _check_groups(spec, groups)
        return cls(
            y=np.asarray(y, dtype=np.int64),
            specs=tuple(specs),
            names=tuple((*groups, *_top(spec)) for spec, groups in zip(specs, found, strict=True)),
            members=tuple(
                (*groups.values(), *(np.zeros(0, dtype=np.int64) for _ in _top(spec)))
                for spec, groups in zip(specs, found, strict=True)
            ),
            counts=counts,
            strata=strata,
        )

    def take(self, rows: NDArray[np.int64]) -> ConstrainedRows:
        """Return some of the rows, with the same groups."""
        place = np.full(len(self.y), -1, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        members = tuple(
            tuple(moved[moved >= 0] for moved in (place[group] for group in groups)) for groups in self.members
        )
        strata = None if self.strata is None else self.strata[rows]
        return ConstrainedRows(self.y[rows], self.specs, self.names, members, self.counted(rows), strata)

    def counted(self, rows: NDArray[np.int64]) -> Floats | None:
        """Return how much some rows count; None where each counts once."""
        return None if self.counts is None else self.counts[rows]

    @cached_property
    def group_counts(self) -> tuple[tuple[Floats | None, ...], ...]:
        """How much each row of each group counts in the metric of its specification; None where each counts once."""
        return tuple(
            tuple(self._averaged(spec, groups)) if self.strata is not None else tuple(map(self.counted, groups))
            for spec, groups in zip(self.specs, self.members, strict=True)
        )

    def _averaged(self, spec: FairnessSpec, groups: Sequence[NDArray[np.int64]]) -> list[Floats]:
        """Return what rows count so that the metric of a group is the average of those of its strata.

        A stratum counts by all people there that the metric is a share of, and not where a group has none of them.
        """
        counts, codes, sizes = self._counts_in(spec), require(self.strata), self._sizes(spec, groups)
        people = people_who_count(sizes)
        shares = np.divide(people, sizes, out=np.zeros_like(sizes), where=sizes > 0)
        return [counts[rows] * share[codes[rows]] for rows, share in zip(groups, shares, strict=True)]

    def _counts_in(self, spec: FairnessSpec) -> Floats:
        """Return how much rows count that a metric is a share of; 0 for others."""
        label = SHARES_OF_LABELS.get(spec.measure.name)
        counts = np.ones(len(self.y)) if self.counts is None else self.counts
        return counts if label is None else np.where(self.y == label, counts, 0.0)

    def _sizes(self, spec: FairnessSpec, groups: Sequence[NDArray[np.int64]]) -> Floats:
        codes, counts = require(self.strata), self._counts_in(spec)
        n_strata = int(codes.max(initial=-1)) + 1
        return np.array([np.bincount(codes[rows], counts[rows], n_strata) for rows in groups])

    def sizes(self, place: int) -> Floats:
        """Return the people of each group and stratum that the metric of a specification is a share of.

        Shapes: returns (n_groups, n_strata).
        """
        return self._sizes(self.specs[place], self.members[place])

    @property
    def n_left_out(self) -> int:
        """People who have no similar cases in some group, in the metric where they are most."""
        if self.strata is None:
            return 0
        found = [self.sizes(place) for place in range(len(self.specs))]
        return max((round(float(each.sum() - people_who_count(each).sum())) for each in found), default=0)

    @property
    def size(self) -> float:
        """How many rows there are, or the sum of what they count."""
        return len(self.y) if self.counts is None else float(self.counts.sum())

    def share(self, held: NDArray[np.bool_]) -> float:
        """Return the share of rows for which something holds; NaN where there are none. Shapes: `held` (n,)."""
        if not len(held):
            return math.nan
        return float(held.mean() if self.counts is None else np.average(held, weights=self.counts))

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every pair of groups of every specification, in their order."""
        return tuple(
            Constraint(spec, first, second)
            for spec, names in zip(self.specs, self.names, strict=True)
            for first, second in combinations(names, 2)
        )

    @property
    def limits(self) -> Floats:
        """How far the groups of each constraint may be apart."""
        return np.array([constraint.max_difference for constraint in self.constraints])

    @property
    def needs_predictions(self) -> bool:
        """Whether the weights depend on the predictions of a model."""
        return any(spec.measure.needs_predictions for spec in self.specs)

    def values(self, h: NDArray[np.int64]) -> tuple[Floats, ...]:
        """Return the metric of each group. Shapes: `h` (n,)."""
        return tuple(
            np.array(
                [
                    *(
                        spec.measure.value(self.y[rows], h[rows], own)
                        for rows, own in zip(_real(spec, groups), counts, strict=False)
                    ),
                    *_top_value(spec),
                ]
            )
            for spec, groups, counts in zip(self.specs, self.members, self.group_counts, strict=True)
        )

    def gaps(self, h: NDArray[np.int64]) -> Floats:
        """Return how far the groups of each constraint are apart: the first group's metric minus the second's.

        Shapes: `h` (n,); returns (n_constraints,).
        """
        relative = (
            np.array(
                [
                    spec.measure.relative_value(self.y[rows], h[rows], own)
                    for rows, own in zip(groups, counts, strict=True)
                ]
            )
            if spec.floor is None
            else values
            for spec, groups, counts, values in zip(
                self.specs, self.members, self.group_counts, self.values(h), strict=True
            )
        )
        return np.concatenate([np.zeros(0), *map(_differences, relative)])

    def ratios_of_cuts(self, cuts: CommonCuts) -> Floats | None:
        """Return the largest gap in each metric at each cut as a multiple of what is allowed, infinite where undefined.

        None where a metric that a user made depends on predictions: such a one cannot be added up along the cuts.

        Shapes: returns (n_specs, n_cuts).
        """
        found = np.zeros((len(self.specs), cuts.n_cuts))
        for largest, spec, groups, counts in zip(found, self.specs, self.members, self.group_counts, strict=True):
            if spec.measure.needs_predictions and not isinstance(spec.metric, str):
                return None
            low, high = np.full(cuts.n_cuts, np.inf), np.full(cuts.n_cuts, -np.inf)
            for rows, own in zip(_real(spec, groups), counts, strict=False):
                values = values_of_cuts(
                    spec.measure, cuts if self.strata is None else _recounted(cuts, rows, own), rows
                )
                low, high = np.minimum(low, values), np.maximum(high, values)
            if spec.floor is not None:
                # An undefined rate stays one.
                high = np.maximum(high, 1.0)
            largest[:] = (high - low) / spec.max_difference
        return np.where(np.isnan(found), np.inf, found.round(RATIO_DECIMALS))

    def ratios(self, h: NDArray[np.int64]) -> Floats:
        """Return the largest gap in each metric as a multiple of what is allowed, infinite where undefined.

        Shapes: `h` (n,); returns (n_specs,).
        """
        over, ends = np.abs(self.gaps(h)) / self.limits, np.cumsum([math.comb(len(each), 2) for each in self.names])
        largest = np.array([part.max(initial=0.0) for part in np.split(over, ends[:-1])][: len(self.specs)])
        return np.where(np.isnan(largest), np.inf, largest.round(RATIO_DECIMALS))

    def weights(self, multipliers: Floats, h: NDArray[np.int64] | None = None, *, marginal: bool = False) -> Floats:
        """Return the weight of each row: w_i = 1 + N sum_j lambda_j (c_i of g1 - c_i of g2).

        Where rows count by themselves, 1 is what the row counts, and N their sum. Maximising the weighted accuracy
        maximises accuracy plus sum_j lambda_j FP_j, up to a constant.

        Shapes: `multipliers` (n_constraints,), `h` (n,); returns (n,).
        """
        weights = np.ones(len(self.y)) if self.counts is None else self.counts.copy()
        start = 0
        for spec, groups, counts in zip(self.specs, self.members, self.group_counts, strict=True):
            first, second = pairs_of(len(groups))
            net = np.zeros(len(groups))
            np.add.at(net, first, multipliers[start : start + len(first)])
            np.subtract.at(net, second, multipliers[start : start + len(first)])
            start += len(first)
            for factor, rows, own in zip(net, groups, counts, strict=True):
                if factor and len(rows):
                    y, of_rows = self.y[rows], None if h is None else h[rows]
                    if marginal and spec.measure.needs_predictions:
                        c = spec.measure.margins(y, require(of_rows), own)
                    else:
                        c, _ = spec.measure.terms(y, of_rows, own)
                    weights[rows] += self.size * factor * np.nan_to_num(c)
        return weights

    def check_defined(self, part: str) -> None:
        """Refuse rows in which a group has no rows, or none of a label that its metric is a share of."""
        for spec, names, groups in zip(self.specs, self.names, self.members, strict=True):
            needed = {"fpr": (0,), "fnr": (1,), "tpr": (1,), "tnr": (0,)}.get(spec.measure.name, ())
            for name, rows in zip(names, _real(spec, groups), strict=False):
                lacks = [label for label in needed if not (self.y[rows] == label).any()]
                if len(rows) and not lacks:
                    continue
                what = "no rows" if not len(rows) else f"no rows of the {('negative', 'positive')[lacks[0]]} outcome"
                raise GroupError(
                    f"The group {quote(name)} of '{spec}' has {what} among the {len(self.y):,} rows that {part}.",
                    uncounted=f"The group {quote(name)} of '{spec}' has {what} among the rows that {part}.",
                    hint="Leave the group out by naming the groups as conditions, merge it, or bring more rows.",
                )

        if self.strata is None:
            return
        for spec, counts in zip(self.specs, self.group_counts, strict=True):
            if not all(require(own).any() for own in counts):
                raise GroupError(
                    f"No similar cases of all groups of '{spec}' are among the {len(self.y):,} rows that {part}.",
                    uncounted=f"No similar cases of all groups of '{spec}' are among the rows that {part}.",
                    hint="Choose wider bands for what makes cases similar, or limit the gap of all cases together.",
                )


SHARES_OF_LABELS = {"fpr": 0, "fnr": 1}
"""Metrics that are shares of the rows of one label, and that label."""

AVERAGED = ("demographic_parity", "error_rate", *SHARES_OF_LABELS)
"""Metrics that have an average over similar cases."""


def check_averaged(specs: Sequence[FairnessSpec]) -> None:
    """Refuse specifications that have no average over similar cases."""
    for spec in specs:
        if spec.measure.name not in AVERAGED or spec.floor is not None:
            raise InputError(
                f"'{spec}' has no average among similar cases.",
                hint=f"Largest differences do, of: {', '.join(AVERAGED)}.",
            )


def _recounted(cuts: CommonCuts, rows: NDArray[np.int64], counts: Floats | None) -> CommonCuts:
    """Return cuts for which the rows of a group count otherwise, and others not at all."""
    of_all = np.zeros(len(cuts.y))
    of_all[rows] = require(counts)
    return replace(cuts, counts_of_rows=of_all)


def _top(spec: FairnessSpec) -> tuple[str, ...]:
    """Return the name of the group that has all there is, of a floor; none of a distance."""
    return () if spec.floor is None else (TOP,)


def _top_value(spec: FairnessSpec) -> tuple[float, ...]:
    return () if spec.floor is None else (1.0,)


def _real(spec: FairnessSpec, groups: Sequence[NDArray[np.int64]]) -> Sequence[NDArray[np.int64]]:
    """Return the groups of a specification that have rows."""
    return groups if spec.floor is None else groups[:-1]


def values_of_cuts(measure: Metric, cuts: CommonCuts, rows: NDArray[np.int64]) -> Floats:
    """Return the metric of one group at each cut, shape (n_cuts,)."""
    if METRICS.get(measure.name) is measure:
        return cuts.counts(rows).rate(measure.name)
    if FLOORS.get(measure.name) is measure and measure.needs_predictions:
        return 1 - cuts.counts(rows).rate({"ppv": "fdr", "npv": "for_"}[measure.name])
    y = cuts.y[rows]
    c, c_0 = measure.terms(y, None, None if cuts.counts_of_rows is None else cuts.counts_of_rows[rows])
    # Where nobody is predicted positive, the rows of label 0 are right.
    return cuts.sums(np.where(y == 1, c, -c), rows) + float(c[y == 0].sum()) + c_0


def _differences(values: Floats) -> Floats:
    first, second = pairs_of(len(values))
    return values[first] - values[second]


def _groups(
    spec: FairnessSpec, sensitive: pd.DataFrame, population: NDArray[np.bool_] | None
) -> dict[str, NDArray[np.int64]]:
    """Return the rows of each group of a specification."""
    inside = np.ones(len(sensitive), dtype=bool) if population is None else population
    if isinstance(spec.groups, Columns):
        missing = next((name for name in spec.groups.names if name not in sensitive.columns), None)
        if missing is not None:
            raise MissingColumnError(missing, (name for name in sensitive.columns if isinstance(name, str)))
        columns = sensitive[list(spec.groups.names)]
        grouping = group_rows(columns, len(columns))
        check_group_count(grouping.n_groups, spec.groups.names)
        codes = np.where(inside & columns.notna().all(axis=1).to_numpy(), grouping.codes, -1)
        names = distinct_names(group_names(pd.DataFrame(grouping.labels)))
        groups = {name: np.flatnonzero(codes == code) for code, name in enumerate(names)}
        return {name: rows for name, rows in groups.items() if len(rows)}
    masks = {name: Condition.parse(text, sensitive).mask(sensitive) for name, text in spec.groups.named}
    return {name: np.flatnonzero(inside & mask) for name, mask in masks.items()}


def _check_groups(spec: FairnessSpec, groups: dict[str, NDArray[np.int64]]) -> None:
    empty = [name for name, rows in groups.items() if not len(rows)]
    if empty:
        message = f"The group {quote(empty[0])} of '{spec}' has no rows."
        raise GroupError(message, uncounted=message, hint="Check how the values are spelled.")
    if not groups or (len(groups) < 2 and spec.floor is None):
        raise GroupError(
            f"'{spec}' has {len(groups)} group with rows, and at least two are needed.",
            uncounted=f"'{spec}' has fewer than two groups with rows.",
            hint="Choose a column with two values or more.",
        )
    pairs = combinations(groups.items(), 2) if isinstance(spec.groups, Conditions) else ()
    for (first, rows), (second, others) in pairs:
        if np.array_equal(rows, others):
            message = f"The groups {quote(first)} and {quote(second)} of '{spec}' hold the same rows."
            raise GroupError(message, uncounted=message, hint="They can never differ. Drop one of them.")
