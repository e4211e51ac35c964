"""What constraints require of each candidate, counted on rows that no candidate was learned or chosen from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import InputError, expect, quote, require
from fairaudit.estimators.certified import UNSEEN, Comparison, LeastRate, MeanComparison, Requirement
from fairaudit.estimators.certified_strata import compare_strata, strata_that_count
from fairaudit.estimators.certifying import EVENTS, count_rates
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.metrics import ErrorCost, ErrorRates
from fairaudit.estimators.constraints.spec import FairnessSpec

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

USUAL_FRACTION: Final = 0.4
"""Share of the rows that certify where nothing asks for more."""

LARGEST_FRACTION: Final = 0.6
"""The largest share: with more of them, those that models are chosen on say too little of gaps."""

LIKELY: Final = 2.5
"""Standard errors of a gap that its limit must be for a certificate to be likely."""

POSSIBLE: Final = 1.2
"""The same for one to be possible."""

USUAL_ERROR: Final = 0.25
"""What rates of errors are taken for before there is a model."""


def check_certifiable(specs: Sequence[FairnessSpec]) -> None:
    """Refuse to certify where there is no limit, or one on something that errors are not counted for."""
    if not specs:
        raise InputError("'certify_fraction' needs constraints: without 'specs' there is no limit to certify.")
    for spec in specs:
        if spec.measure.name not in EVENTS and not isinstance(spec.measure.coefficients, ErrorCost | ErrorRates):
            raise InputError(
                f"A limit on the metric {quote(spec.measure.name)} cannot be certified, as it is no share of rows.",
                hint="Set 'certify_fraction' to 0, or take a metric of this package.",
            )


def fraction_to_certify(rows: ConstrainedRows) -> float:
    """Return the share of the rows that certifies: as many as show limits to hold, where the table has them.

    It depends on nothing but how many rows of each label are in each group. Where even `LARGEST_FRACTION` would be too
    few, no certificate is to be had, and `USUAL_FRACTION` leaves more to learn from.
    """
    errors = 0.0
    for spec, members in zip(rows.specs, rows.members, strict=True):
        if spec.floor is not None or spec.measure.name not in EVENTS:
            continue
        rate = rows.share(rows.y == 1) if spec.measure.name in ("demographic_parity", "selection_rate") else USUAL_ERROR
        sizes = [count_rates(spec.measure.name, rows.y[group], rows.y[None, group])[1][0] for group in members]
        for one, other in combinations(sizes, 2):
            if min(one, other) > 0:
                variance = rate * (1 - rate) * (1 / one + 1 / other)
                # In limits, were all rows to certify.
                errors = max(errors, math.sqrt(variance) / require(spec.max_difference))
    if errors * POSSIBLE > math.sqrt(LARGEST_FRACTION):
        return USUAL_FRACTION
    return min(max((errors * LIKELY) ** 2, USUAL_FRACTION), LARGEST_FRACTION)


def requirements_of(
    rows: ConstrainedRows, predictions: Labels, whole: ConstrainedRows | None = None
) -> list[Requirement]:
    """Count what constraints require of candidates; which strata count, the `whole` of the rows says.

    Whole counts stand for as many rows each; of others a group has Kish's effective number of rows.

    Shapes: `predictions` (n_candidates, n), 0 or 1.
    """
    found: list[Requirement] = []
    for place, (spec, names, members) in enumerate(zip(rows.specs, rows.names, rows.members, strict=True)):
        if rows.strata is not None:
            among, event = EVENTS[spec.measure.name]
            counting = strata_that_count((whole or rows).sizes(place))
            limit = require(spec.max_difference)
            events = among(rows.y, predictions), event(rows.y, predictions)
            found += compare_strata(events, rows.strata, members, names, counting, limit, rows.counts)
            continue
        if spec.floor is not None:
            for name, group in zip(names[:-1], members[:-1], strict=True):
                hits, sizes = _counted(rows, spec, group, predictions)
                found.append(LeastRate(name, hits, sizes, spec.floor))
            continue
        limit = require(spec.max_difference)
        for first, second in combinations(range(len(names)), 2):
            both = names[first], names[second]
            overlap = bool(len(np.intersect1d(members[first], members[second], assume_unique=True)))
            if isinstance(spec.measure.coefficients, ErrorRates):
                found.append(_of_error_rates(rows, spec, both, (members[first], members[second]), predictions, overlap))
                continue
            if spec.measure.name not in EVENTS:
                values, counts = zip(
                    *(_costs(rows, spec, members[i], predictions) for i in (first, second)), strict=True
                )
                found.append(MeanComparison.of(both, values, counts, limit, overlap=overlap))
                continue
            counted = [_counted(rows, spec, members[i], predictions) for i in (first, second)]
            hits, sizes = (np.stack(each, axis=1) for each in zip(*counted, strict=True))
            found.append(Comparison(*both, hits, sizes, limit, overlap=overlap))
    return found


def _counted(
    rows: ConstrainedRows, spec: FairnessSpec, group: NDArray[np.int64], predictions: Labels
) -> tuple[Floats, Floats]:
    return count_rates(spec.measure.name, rows.y[group], predictions[:, group], rows.counted(group))


def _costs(
    rows: ConstrainedRows, spec: FairnessSpec, group: NDArray[np.int64], predictions: Labels
) -> tuple[Floats, Floats]:
    """Return what errors cost, (n_candidates, n_group), and how much each row counts, (n_group,)."""
    cost = expect(ErrorCost, spec.measure.coefficients)
    y, h = rows.y[group], predictions[:, group]
    values = np.where(h == y, 0.0, np.where(y == 1, cost.c_fn, cost.c_fp))
    counts = rows.counted(group)
    return values, np.ones(len(group)) if counts is None else counts


def _of_error_rates(
    rows: ConstrainedRows,
    spec: FairnessSpec,
    names: tuple[str, str],
    groups: tuple[NDArray[np.int64], NDArray[np.int64]],
    predictions: Labels,
    overlap: bool,
) -> MeanComparison:
    """Compare weighted sums of the two error rates, whose variances add up: they are of different rows."""
    rates = expect(ErrorRates, spec.measure.coefficients)
    values, variances = np.zeros((2, len(predictions))), np.zeros((2, len(predictions)))
    for place, group in enumerate(groups):
        for metric, weight in (("fpr", rates.of_fpr), ("fnr", rates.of_fnr)):
            y, h = rows.y[group], predictions[:, group]
            hits, sizes = count_rates(metric, y, h, rows.counted(group))
            with np.errstate(invalid="ignore", divide="ignore"):
                values[place] += weight * hits / sizes if weight else 0.0
            share = (hits + UNSEEN) / (sizes + 2 * UNSEEN)
            variances[place] += weight**2 * share * (1 - share) / np.maximum(sizes, 1)
    total = np.sqrt(variances).sum(axis=0) ** 2 if overlap else variances.sum(axis=0)
    limit = require(spec.max_difference)
    return MeanComparison(*names, values[0] - values[1], total, np.full(len(total), np.inf), limit)
