"""Certify the limits of an estimator: count rates on rows set aside, and choose among fits at tighter limits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, ClassVar, Final, Self, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone, is_regressor
from sklearn.utils import check_random_state

from fairaudit.errors import InputError, require
from fairaudit.estimators.base import TOTAL, boolean_rows, divide, iter_part, within
from fairaudit.estimators.certified import (
    Certificate,
    Comparison,
    MeanComparison,
    Requirement,
    certify,
)
from fairaudit.estimators.certified_strata import compare_strata, strata_that_count
from fairaudit.estimators.common_cut import are_whole
from fairaudit.estimators.parameters import SELF, Features, Groups, Labels, Seed, documented
from fairaudit.estimators.similar_cases import STRATA, Averages, check_averaged_constraint, kinds_of, read_strata
from fairaudit.estimators.weights import RowWeights
from fairaudit.events import Command, Event, Finished, Started
from fairaudit.measure.grouping import Grouping, group_rows, names_of_groups
from fairaudit.measure.vocabulary import RATES, AlikeInTrees, read_word

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Labels01 = NDArray[np.int64]

EVENTS: Final[dict[str, tuple[Callable[[Labels01, Labels01], Truths], Callable[[Labels01, Labels01], Truths]]]] = {
    "demographic_parity": (lambda y, h: np.ones(h.shape, dtype=bool), lambda y, h: h == 1),
    "selection_rate": (lambda y, h: np.ones(h.shape, dtype=bool), lambda y, h: h == 1),
    "error_rate": (lambda y, h: np.ones(h.shape, dtype=bool), lambda y, h: h != y),
    "accuracy": (lambda y, h: np.ones(h.shape, dtype=bool), lambda y, h: h == y),
    "fpr": (lambda y, h: np.broadcast_to(y == 0, h.shape), lambda y, h: h == 1),
    "tnr": (lambda y, h: np.broadcast_to(y == 0, h.shape), lambda y, h: h == 0),
    "fnr": (lambda y, h: np.broadcast_to(y == 1, h.shape), lambda y, h: h == 0),
    "tpr": (lambda y, h: np.broadcast_to(y == 1, h.shape), lambda y, h: h == 1),
    "for_": (lambda y, h: h == 0, lambda y, h: y == 1),
    "npv": (lambda y, h: h == 0, lambda y, h: y == 0),
    "fdr": (lambda y, h: h == 1, lambda y, h: y == 0),
    "ppv": (lambda y, h: h == 1, lambda y, h: y == 1),
}
"""By metric, from labels (n,) and predictions (n_candidates, n), the rows that it is a share of and those it counts."""

FOUR_FIFTHS: Final = 0.8

SCALES: Final = (1.0, 0.6, 0.3, 0.1)
"""The parts of a limit that candidates are fitted within; each gets the same part of the work."""


def count_rates(metric: str, y: Labels01, predictions: Labels01, counts: Floats | None = None) -> tuple[Floats, Floats]:
    """Return the events of a metric and the rows that it is a share of, both (n_candidates,).

    Whole counts stand for as many rows each; others come to Kish's effective number of rows.

    Shapes: `y` (n,), `predictions` (n_candidates, n), `counts` (n,).
    """
    among, event = EVENTS[metric]
    base = among(y, predictions)
    hit = base & event(y, predictions)
    if counts is None:
        return hit.sum(axis=1).astype(np.float64), base.sum(axis=1).astype(np.float64)
    hits, sizes = hit @ counts, base @ counts
    if are_whole(counts):
        return hits, sizes
    with np.errstate(invalid="ignore", divide="ignore"):
        shrink = np.nan_to_num(sizes / (base @ counts**2))
    return hits * shrink, sizes * shrink


@dataclass(frozen=True, eq=False)
class LimitedRows:
    """Rows between whose groups a limit is to hold, some of them certifying."""

    # (n,) Labels 0 and 1, or numbers.
    y: NDArray[Any]
    grouping: Grouping
    # (n,) How much each row counts; None where each counts once.
    counts: Floats | None
    # See `RATES`; of numbers, means are compared.
    constraint: str
    limit: float
    are_means: bool = False
    # (n,) Which rows are similar; None where all are taken together.
    similar: NDArray[np.int64] | None = None

    def requirements(self, rows: NDArray[np.int64], predictions: NDArray[Any]) -> list[Requirement]:
        """Count what the limit requires of candidates on some rows. Shapes: `predictions` (n_candidates, n_rows)."""
        codes, names = self.grouping.codes[rows], names_of_groups(self.grouping)
        members = [np.flatnonzero(codes == code) for code in range(len(names))]
        counts = [None if self.counts is None else self.counts[rows[group]] for group in members]
        found: list[Requirement] = []
        if self.are_means:
            weights = [
                np.ones(len(group)) if count is None else count for group, count in zip(members, counts, strict=True)
            ]
            for i, j in combinations(range(len(names)), 2):
                values = predictions[:, members[i]], predictions[:, members[j]]
                found.append(MeanComparison.of((names[i], names[j]), values, (weights[i], weights[j]), self.limit))
            return found
        for metric in RATES[self.constraint]:
            compared = [code for code in range(len(names)) if self._is_defined(metric, code)]
            if self.similar is not None:
                found += self._among_similar(metric, rows, predictions, compared)
                continue
            counted = [
                count_rates(metric, self.y[rows[group]], predictions[:, group], count)
                for group, count in zip(members, counts, strict=True)
            ]
            is_ratio = self.constraint == "four_fifths"
            for i, j in permutations(compared, 2) if is_ratio else combinations(compared, 2):
                hits, sizes = (np.stack([counted[i][k], counted[j][k]], axis=1) for k in (0, 1))
                limit, ratio = (0.0, FOUR_FIFTHS) if is_ratio else (self.limit, 1.0)
                found.append(Comparison(names[i], names[j], hits, sizes, limit, ratio, is_floor=is_ratio))
        return found

    def _among_similar(
        self, metric: str, rows: NDArray[np.int64], predictions: Labels01, compared: Sequence[int]
    ) -> list[Requirement]:
        """Return what is required of averages over similar cases; of all rows it depends which strata count."""
        similar, codes = require(self.similar), self.grouping.codes
        base = EVENTS[metric][0](self.y, self.y[None])[0]
        whole = Averages.of(codes, similar, self.grouping.n_groups, base, self.counts)
        here, names = codes[rows], names_of_groups(self.grouping)
        among, event = EVENTS[metric]
        return compare_strata(
            (among(self.y[rows], predictions), event(self.y[rows], predictions)),
            similar[rows],
            [np.flatnonzero(here == code) for code in compared],
            [names[code] for code in compared],
            strata_that_count(whole.sizes),
            self.limit,
            None if self.counts is None else self.counts[rows],
        )

    def _is_defined(self, metric: str, code: int) -> bool:
        """Whether a group has rows that a metric is a share of; without, searches do not compare it either."""
        label = {"fpr": 0, "fnr": 1}.get(metric)
        return label is None or bool((self.y[self.grouping.codes == code] == label).any())

    def strata(self) -> NDArray[np.int64]:
        """Return a code for each row, of its group, label and stratum, or of the upper and lower half of numbers."""
        upper = self.y > np.median(self.y) if self.are_means else self.y == 1
        return kinds_of(2 * self.grouping.codes + upper, self.similar)


class CertifiesLimits(BaseEstimator):
    """Base of estimators whose limit between groups can be certified; they are fitted within tighter limits, too.

    A subclass names in `LIMIT_PARAMETER` the parameter that says what is limited, beside `max_difference`.
    """

    LIMIT_PARAMETER: ClassVar[str] = "constraint"
    ALIKE: ClassVar[tuple[str, ...]] = get_args(AlikeInTrees)
    """What it may ask to be alike."""

    certify_fraction: float
    confidence: float
    time_limit: float
    random_state: Seed
    classes_: NDArray[Any]
    certified_: Certificate | None
    max_difference_: float | None

    @documented(returns=SELF)
    def fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
    ) -> Self:
        """Fit in one go; `iter_fit` shows how far it is."""
        rows = {"sensitive_features": sensitive_features, "sample_weight": sample_weight, "population": population}
        for _ in self.iter_fit(X, y, **rows):
            pass
        return self

    @property
    def must_be_alike(self) -> str | None:
        """What must be alike between groups, by its name of today; None where nothing must."""
        asked: str | None = getattr(self, self.LIMIT_PARAMETER)
        return None if asked is None else read_word(asked, self.ALIKE, warn=False)

    def _similar(self, strata: Groups, weights: RowWeights, population: NDArray[np.bool_]) -> NDArray[np.int64] | None:
        """Return which rows are similar; refuse them where nothing must be alike that has an average."""
        if strata is not None:
            check_averaged_constraint(self.must_be_alike)
        return read_strata(strata, weights, population)

    def _iter_certified(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups,
        sample_weight: ArrayLike | None,
        population: ArrayLike | None,
        limit: float,
        task: str,
        strata: Groups = None,
    ) -> Generator[Event, Command | None, None]:
        """Fit within parts of the limit on some rows, and choose by the others; yields events as `iter_fit` does."""
        constraint = self.must_be_alike
        if constraint is None:
            raise InputError(
                f"'certify_fraction' needs a limit between groups, and {self.LIMIT_PARAMETER!r} is None.",
                hint="Set 'certify_fraction' to 0, or say what must be alike.",
            )
        if constraint != "four_fifths" and not limit:
            raise InputError(
                "A limit of 0 cannot be certified: no number of rows shows that a gap is exactly 0.",
                hint="Write a larger 'max_difference', or set 'certify_fraction' to 0.",
            )
        if getattr(self, "floors", None) is not None:
            raise InputError("'certify_fraction' cannot be used with 'floors', which weigh each row by its place.")
        weights = RowWeights.read(sample_weight, X).as_single(type(self).__name__)
        X, y = weights.keep("X", X), weights.keep("y", y)
        sensitive_features = weights.keep("sensitive_features", sensitive_features)
        frame, targets = self._read(X, y)
        about = boolean_rows(weights.keep("population", population), len(targets), "population", default=True)
        grouping = group_rows(sensitive_features, len(targets)).among(about)
        similar = self._similar(strata, weights, about)
        limited = LimitedRows(targets, grouping, weights.values, constraint, limit, is_regressor(self), similar)
        if grouping.n_groups < 2:
            raise InputError("'certify_fraction' needs at least two groups, which a limit is between.")
        random = check_random_state(self.random_state)
        shares = (1 - self.certify_fraction, float(self.certify_fraction))
        learned, certifying = within(about, *divide(limited.strata(), shares, random_state=random))
        if not len(learned) or not len(certifying):
            raise InputError(f"'certify_fraction' leaves no rows to learn from or to certify on, of {len(targets):,}.")

        def taken(name: str, values: Any) -> Any:
            return RowWeights(len(targets), None, learned).keep(name, values)

        yield Started(task, TOTAL)
        fits: list[Any] = []
        for place, scale in enumerate(SCALES):
            candidate = clone(self).set_params(certify_fraction=0.0, time_limit=self.time_limit / len(SCALES))
            candidate.set_params(**self._within(scale, limit, float(np.mean(targets))))
            more = {} if similar is None else {"strata": similar[learned]}
            events = candidate.iter_fit(
                taken("X", X),
                taken("y", y),
                sensitive_features=taken("sensitive_features", sensitive_features),
                sample_weight=weights.of(learned),
                population=about[learned],
                **more,
            )
            start, end = TOTAL * place // len(SCALES), TOTAL * (place + 1) // len(SCALES)
            fit, stopped = yield from iter_part(events, start=start, end=end, total=TOTAL)
            fits.append(fit)
            if stopped:
                break
        self._choose_certified(fits, frame, limited, learned, certifying)
        yield Finished(self)

    def _within(self, scale: float, limit: float, share: float) -> dict[str, Any]:
        """Return the parameters of a fit within a part of the limit; of four fifths, of what shares may be apart."""
        if self.must_be_alike != "four_fifths":
            return {"max_difference": limit * scale}
        if scale == 1:
            return {}
        difference = (1 - FOUR_FIFTHS) * scale * share
        return {self.LIMIT_PARAMETER: "demographic_parity", "max_difference": difference}

    def _choose_certified(
        self,
        fits: Sequence[Any],
        frame: pd.DataFrame,
        limited: LimitedRows,
        learned: NDArray[np.int64],
        certifying: NDArray[np.int64],
    ) -> None:
        """Become the best fit whose limit is certified; their order is that of gaps on the rows learned from."""
        predicted = [self._targets_of(fit.predict(frame)) for fit in fits]
        # A model that gives everybody the same answer meets limits and is of no use: it is taken where all do.
        varied = [place for place, values in enumerate(predicted) if np.ptp(values[learned]) > 0]
        kept: list[int] = []
        for place in varied or range(len(fits)):
            # Nothing of the certifying rows may decide who is tested, and in which order.
            if not any(np.array_equal(predicted[place][learned], predicted[other][learned]) for other in kept):
                kept.append(place)
        values = np.stack([predicted[place] for place in kept])
        ratios = np.max([each.ratios() for each in limited.requirements(learned, values[:, learned])], axis=0)
        inside = limited.grouping.inside
        wrong = np.abs(values - limited.y)[:, inside]
        chosen, self.certified_ = certify(
            limited.requirements(certifying, values[:, certifying]),
            -np.average(wrong, axis=1, weights=None if limited.counts is None else limited.counts[inside]),
            confidence=self.confidence,
            n_rows=len(certifying),
            order=sorted(range(len(kept)), key=lambda i: (np.nan_to_num(ratios[i], nan=np.inf), -i)),
        )
        fit, certificate = fits[kept[chosen]], self.certified_
        parameters = set(self.get_params(deep=False))
        for name, value in vars(fit).items():
            if name not in parameters:
                setattr(self, name, value)
        self.certified_, self.max_difference_ = certificate, fit.max_difference

    def _targets_of(self, predicted: NDArray[Any]) -> Floats:
        """Return predictions as labels 0 and 1, or as the numbers that they are. Shapes: `predicted` (n,)."""
        if is_regressor(self):
            return predicted
        return (predicted == self.classes_[1]).astype(np.int64)


class CertifiesAverages(CertifiesLimits):
    """Base of those of them whose limit may hold among similar cases."""

    @documented(returns=SELF, strata=STRATA)
    def fit(
        self,
        X: Features,
        y: Labels,
        *,
        sensitive_features: Groups = None,
        sample_weight: ArrayLike | None = None,
        population: ArrayLike | None = None,
        strata: Groups = None,
    ) -> Self:
        """Fit in one go; `iter_fit` shows how far it is."""
        rows = {"sensitive_features": sensitive_features, "sample_weight": sample_weight, "population": population}
        for _ in self.iter_fit(X, y, **rows, strata=strata):
            pass
        return self
