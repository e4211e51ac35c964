"""What explains a gap, what is left, and what could overturn that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.roles import make_outcome
from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import Argument, Count, Group, Message, Phrase
from fairaudit.measure.comparison import check_settings, check_whole, said_rows
from fairaudit.measure.explain import parts
from fairaudit.measure.explain.parts import Influence
from fairaudit.measure.explain.results import AdjustedGap, Check, Estimate, GapExplanation, Method, Model, Reference
from fairaudit.measure.explain.rows import (
    Flags,
    Floats,
    Rows,
    correlation_with,
    design,
    least_squares,
    read_rows,
)
from fairaudit.measure.explain.sensitivity import sensitivity_of
from fairaudit.measure.intervals import two_sided_z
from fairaudit.measure.not_known import find_not_known, refuse_open
from fairaudit.measure.results import Interval
from fairaudit.measure.weighted import asked_design
from fairaudit.messages import say

MOST_CONTROLS = 6
"""Most controls that make strata."""

MARKED_FROM = 0.3
"""A control that goes with the group as strongly as this is marked."""

FEW_WITH_COUNTERPART = 0.5
FEW_CLUSTERS = 20
FEW_OUTCOMES = 5
"""With fewer good, or fewer other, outcomes in a group, intervals hold less often than they say."""

TOO_LITTLE = 0.02
"""Model and check that differ by less than this, in standard deviations of the outcome, are not said to disagree."""

METHODS = ("decomposition", "regression")
REFERENCES: dict[str, tuple[Reference, ...]] = {
    "decomposition": ("average", "rest", "protected", "pooled", "similar"),
    "regression": ("pooled", "rest", "protected"),
}
MODELS: dict[str, tuple[Model, ...]] = {"decomposition": ("strata",), "regression": ("logistic", "linear")}


@documented()
def explain_gap(
    table: object,
    *,
    decision: str,
    favorable: object = None,
    protected: Condition | str,
    controls: str | Sequence[str],
    where: Condition | str | None = None,
    method: Method = "decomposition",
    confidence: float = USUAL_CONFIDENCE,
    reference: Reference | None = None,
    model: Model | None = None,
    cluster: str | None = None,
    random_state: int = 0,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> GapExplanation:
    """Divide a gap into what the groups' differing in some columns explains, and what is left.

    What is left is not explained by these columns: no more is said. A control that the decision or the group itself
    brought about takes away what one looks for; name a reason for each. For a verdict inside strata use
    :func:`fairaudit.check_strata`.

    Parameters
    ----------
    favorable : value, list of values or Condition, optional
        What counts as the good outcome in it; without it the decision is an amount.
    protected : Condition or str
        Who is protected. A row where this is unknown is left out.
    controls : str or sequence of str
        The columns that may explain the gap.
    method : {"decomposition", "regression"}
        Strata of the crossed controls (Kitagawa), or a model with them (Oaxaca and Blinder).
    reference : {"average", "rest", "protected", "pooled", "similar"}, optional
        Whose shares or coefficients value the groups' differing in the controls: without it the average of both groups
        for strata, and those of both together (with the group in the model) for a model. With "similar" strata are
        weighed as in :func:`fairaudit.check_strata`, so that what is left is the gap among similar cases.
    model : {"logistic", "linear"}, optional
        Of a regression; without it logistic for shares and linear for amounts.
    cluster : str, optional
        A column whose values hold rows that depend on each other: all intervals then allow for that.
    random_state : int
        Divides the rows for the cross-fitted check.
    weights, design_strata, design_clusters : str, optional
        The columns of the sampling weights, the strata and the first clusters of a survey: all shares, means and models
        are then weighted, and intervals allow for how rows were drawn.

    Returns
    -------
    GapExplanation
        The gap and its parts, the part of each control, the adjusted gap, and what could overturn it.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit, or a control says nothing, or repeats group or decision.
    GroupError
        If a group has no rows, or nobody has a counterpart in the other group.

    Notes
    -----
    With weights w and means r of strata s, ``gap = sum (w_ps - w_rs) r*_s + sum w*_s (r_ps - r_rs)``; the first sum is
    explained. With "similar" the second sum has the weights of Mantel and Haenszel, and the rest of the gap is
    explained. With several controls, that of each is its Shapley value. By a model, ``(mean_p x - mean_r x) b`` is
    explained; a logistic one takes the difference of mean predictions, with parts by the linear score. People of
    strata (for a model: of values) that the other group lacks have no counterpart and are a part of their own.
    Intervals follow from what each row moves a figure by (delta method), robust and allowing for clusters. With
    sampling weights "similar" weighs strata by the people that they speak for. Time and memory grow with the
    combinations of group, outcome, controls and weight that occur, at most five million.

    References
    ----------
    Kitagawa (1955); Oaxaca (1973); Blinder (1973); Fairlie (2005) on logistic models; Jann (2008) on pooled
    coefficients; Nopo (2008) on people without a counterpart; Shorrocks (2013) on Shapley values; Chernozhukov and
    others (2018) on cross-fitting.

    Examples
    --------
    >>> cells = [("a", "F", "yes", 9), ("a", "F", "no", 1), ("a", "M", "yes", 80), ("a", "M", "no", 20),
    ...          ("b", "F", "yes", 20), ("b", "F", "no", 80), ("b", "M", "yes", 1), ("b", "M", "no", 9)]
    >>> data = pd.DataFrame([cell[:3] for cell in cells for _ in range(cell[3])], columns=["area", "sex", "loan"])
    >>> found = explain_gap(data, decision="loan", favorable="yes", protected="sex = 'F'", controls="area")
    >>> [round(part.value, 3) for part in (found.gap, found.explained, found.unexplained)]
    [-0.473, -0.573, 0.1]
    """
    check_settings(0.0, confidence)
    check_whole("random_state", random_state, 0)
    reference, model = _settings(method, reference, model, is_share=favorable is not None)
    table = as_weighted(
        table,
        decision=decision,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    table = asked_design(table, cluster)
    cluster = cluster if table.design is None else table.design.clusters
    rows, table, condition, good = read_rows(
        table,
        decision=decision,
        favorable=favorable,
        protected=protected,
        controls=controls,
        where=where,
        cluster=cluster,
    )
    if model == "strata" and len(rows.controls) > MOST_CONTROLS:
        raise InputError(
            f"Strata can be made of at most {MOST_CONTROLS} columns, got {len(rows.controls)}.",
            hint="Take fewer, or method='regression'.",
        )
    found = divide(rows, model, reference, confidence)
    common, by_control = found.common, found.by_control
    shared = rows.kept(common)
    _check_overlap(shared)
    differs = [correlation_with(control, rows.protected, rows.n) for control in rows.controls]
    frame = pd.DataFrame(
        {
            "control": [control.name for control in rows.controls],
            "part": [part.value for part in by_control],
            "part_low": [part.interval.low for part in by_control],
            "part_high": [part.interval.high for part in by_control],
            "differs": differs,
            "marked": [value >= MARKED_FROM for value in differs],
        }
    )
    held, ratio, ratio_interval, predicted, out = hold_equal(shared, confidence, cluster, random_state)
    alone = [int(rows.people[~common & (rows.protected == inside)].sum()) for inside in (True, False)]
    within = table.condition(where)
    return GapExplanation(
        decision=decision,
        favorable=good,
        protected_condition=str(condition),
        where=None if within is None else str(within),
        controls=tuple(control.name for control in rows.controls),
        method=method,
        model=model,
        reference=reference,
        confidence=confidence,
        n_protected=rows.n_people(True),
        n_reference=rows.n_people(False),
        n_left_out=rows.n_left_out,
        n_alone_protected=alone[0],
        n_alone_reference=alone[1],
        gap=found.gap,
        explained=found.explained,
        unexplained=found.unexplained,
        no_counterpart=found.no_counterpart,
        by_control=frame,
        adjusted_gap=held,
        sensitivity=sensitivity_of(
            shared,
            held.value,
            held.interval,
            ratio=ratio,
            ratio_interval=ratio_interval,
            predicted=predicted,
            confidence=confidence,
        ),
        warnings=_warnings(rows, shared, alone, held, out, cluster),
        design=table.design,
        not_known=refuse_open(
            find_not_known(
                table,
                decision if favorable is None else make_outcome(table, decision, favorable),
                where=within,
                protected=condition,
                sizes=(rows.n_people(True), rows.n_people(False)),
                used=[control.name for control in rows.controls],
            )
        ),
    )


@dataclass(frozen=True, eq=False)
class Division:
    """A gap divided into its parts, each with its interval.

    Parameters
    ----------
    gap, explained, unexplained, no_counterpart : Estimate
        The gap and its parts.
    by_control : tuple of Estimate
        The part of each control in `explained`.
    common : ndarray of bool, shape (n_combinations,)
        Who has a counterpart in the other group.
    """

    gap: Estimate
    explained: Estimate
    unexplained: Estimate
    no_counterpart: Estimate
    by_control: tuple[Estimate, ...]
    common: Flags


def divide(rows: Rows, model: Model, reference: Reference, confidence: float) -> Division:
    """Divide a gap among those who have a counterpart, and set apart what comes from the others."""
    codes = [control.codes for control in rows.controls]
    if model == "strata":
        codes = [parts.crossed(rows.controls, len(rows.n))]
    common = parts.with_counterpart(rows, codes)
    if not common.any():
        raise GroupError(
            "Nobody in the protected group has a counterpart among everyone else with the same values of all columns.",
            uncounted="Nobody has a counterpart in the other group.",
            hint="Take fewer columns, or such with fewer values.",
        )
    shared, estimate = rows.kept(common), Estimating(rows, confidence).part
    way = {"strata": parts.of_strata, "linear": parts.of_linear_model, "logistic": parts.of_logistic_model}[model]
    divided, gap = way(shared, reference), parts.gap_of(rows)
    alone = Estimate(0.0, Interval(0.0, 0.0))
    if not common.all():
        alone = estimate(gap - _spread(parts.gap_of(shared), common))
    explained, unexplained, *by_control = (
        estimate(_spread(part, common)) for part in (divided.explained, divided.unexplained, *divided.by_control)
    )
    return Division(estimate(gap), explained, unexplained, alone, tuple(by_control), common)


class Estimating:
    """Makes a figure with its interval of what each row moves it by."""

    def __init__(self, rows: Rows, confidence: float):
        self.rows = rows
        self.confidence = confidence

    def error(self, moved: Influence, n_columns: int = 1) -> float:
        """Return the standard error of a figure."""
        return math.sqrt(self.rows.variance(moved.moves, n_columns))

    @property
    def quantile(self) -> float:
        """How many standard errors an interval reaches to either side."""
        freedom = self.rows.freedom
        if math.isinf(freedom):
            return two_sided_z(self.confidence)
        return float(special.stdtrit(freedom, (1 + self.confidence) / 2))

    def p_value(self, value: float, error: float) -> float:
        """Return the two-sided p-value of no difference."""
        if not error > 0:
            return math.nan
        freedom = self.rows.freedom
        if math.isinf(freedom):
            return float(2 * special.ndtr(-abs(value / error)))
        return float(2 * special.stdtr(freedom, -abs(value / error)))

    def part(self, moved: Influence) -> Estimate:
        """Return a part of a gap with an interval that allows for few rows moving it most, as in a small group.

        Shapes: with m what each row moves the figure by, ``sum m^3 / (sum m^2)^1.5`` is how skewed it is, and half of
        ``2 / (sum m^4 / (sum m^2)^2 - 1 / n)`` its degrees of freedom: few rows show too little of a long tail.

        References
        ----------
        Hall (1992), "On the removal of skewness by transformation", for the ends of the interval.
        """
        n, moves = self.rows.people, self.rows.weights * moved.moves
        square = float(n @ moves**2)
        if self.rows.clusters is not None or not square > 0:
            return self(moved)
        few = float(n @ moves**4) / square**2 - 1 / n.sum()
        quantile = float(special.stdtrit(max(1 / few, 1.0) if few > 1e-9 else 1e9, (1 + self.confidence) / 2))
        skewness, error = float(n @ moves**3) / square**1.5, self.error(moved)
        high, low = (moved.value - error * _skewed(end, skewness) for end in (-quantile, quantile))
        return Estimate(moved.value, Interval(low, high))

    def __call__(self, moved: Influence, n_columns: int = 1) -> Estimate:
        """Return a figure with an even interval (Wald)."""
        half = self.quantile * self.error(moved, n_columns)
        return Estimate(moved.value, Interval(moved.value - half, moved.value + half))


def _skewed(z: float, skewness: float) -> float:
    """Return where a studentised figure of so much skewness has the quantile that an even one has at z."""
    if abs(skewness) < 1e-9:
        return z
    return 3 / skewness * (float(np.cbrt(1 + skewness * (z - skewness / 6))) - 1)


def hold_equal(
    shared: Rows, confidence: float, cluster: str | None, random_state: int
) -> tuple[AdjustedGap, float, Interval, Floats, tuple[int, int] | None]:
    """Return the adjusted gap, the ratio and its interval, both predictions, and who the check leaves out."""
    estimate = Estimating(shared, confidence)
    found = parts.by_model(shared)
    value = estimate(found.gap, found.n_columns)
    ratio, ratio_interval = math.nan, Interval(math.nan, math.nan)
    if found.log_ratio is not None:
        log = estimate(found.log_ratio, found.n_columns)
        ratio, ratio_interval = math.exp(log.value), Interval(*map(math.exp, log.interval))
    checked = parts.cross_fitted(shared, random_state)
    check: Check | None = None
    if checked is not None:
        away = checked[0] - found.gap
        mean = np.average(shared.y, weights=shared.n)
        little = TOO_LITTLE * math.sqrt(np.average((shared.y - mean) ** 2, weights=shared.n))
        seen_from = estimate.quantile * estimate.error(away)
        if abs(away.value) > max(seen_from, little):
            check = "disagrees"
        else:
            # A check that would not see the model err by its own margin cannot speak for it.
            margin = (value.interval.high - value.interval.low) / 2
            check = "too_imprecise" if seen_from > max(margin, little) else "agrees"
    held = AdjustedGap(
        model="logistic" if shared.is_share else "linear",
        value=value.value,
        interval=value.interval,
        p_value=estimate.p_value(value.value, estimate.error(found.gap, found.n_columns)),
        ratio=ratio,
        ratio_interval=ratio_interval,
        cluster=cluster,
        n_clusters=None if shared.clusters is None else len(np.unique(shared.clusters)),
        doubly_robust=None if checked is None else _possible(estimate(checked[0]), shared.is_share),
        check=check,
    )
    return held, ratio, ratio_interval, found.predicted, None if checked is None else checked[1]


def _possible(found: Estimate, is_share: bool) -> Estimate:
    """Return a gap within what a gap of shares can be."""
    low, high = found.interval
    if not is_share or -1 <= min(low, found.value) <= max(high, found.value) <= 1:
        return found
    return Estimate(min(max(found.value, -1.0), 1.0), Interval(max(low, -1.0), min(high, 1.0)))


def _spread(moved: Influence, common: np.ndarray) -> Influence:
    """Return a figure of some rows as one of all rows; the others move it by nothing."""
    moves = np.zeros(len(common))
    moves[common] = moved.moves
    return Influence(moved.value, moves)


def _settings(method: str, reference: str | None, model: str | None, *, is_share: bool) -> tuple[Reference, Model]:
    if method not in METHODS:
        raise InputError(f"'method' must be {' or '.join(map(repr, METHODS))}, got {method!r}.")
    reference = REFERENCES[method][0] if reference is None else reference
    if reference not in REFERENCES[method]:
        raise InputError(
            f"'reference' must be one of {', '.join(REFERENCES[method])} for a {method}, got {reference!r}."
        )
    default = MODELS[method][0] if is_share or method == "decomposition" else "linear"
    model = default if model is None else model
    if model not in MODELS[method] or (model == "logistic" and not is_share):
        allowed = ["linear"] if method == "regression" and not is_share else MODELS[method]
        raise InputError(f"'model' must be one of {', '.join(allowed)} here, got {model!r}.")
    return reference, model


def _check_overlap(rows: Rows) -> None:
    """Refuse controls that together say exactly who is protected."""
    x, _ = design(rows.controls, rows.n)
    left = least_squares(x, rows.protected.astype(float), rows.n).residuals
    if rows.n @ left**2 < 1e-9 * rows.n.sum():
        raise InputError(
            f"The columns {', '.join(quote(c.name) for c in rows.controls)} together say exactly who is protected.",
            hint="Leave one of them out; with the group itself held equal there is nothing left to compare.",
        )


def _warnings(
    rows: Rows, shared: Rows, alone: list[int], held: AdjustedGap, out: tuple[int, int] | None, cluster: str | None
) -> tuple[str, ...]:
    said = []
    if sum(alone):
        said.append(Message("doubt-alone", {"who": _by_group(alone), "n": Count(sum(alone))}))
    if shared.people.sum() < FEW_WITH_COUNTERPART * rows.people.sum():
        said.append(Message("doubt-most-alone"))
    if out is not None and any(out):
        said.append(Message("doubt-nobody-alike", {"who": _by_group(out)}))
    if held.doubly_robust is None:
        said.append(Message("doubt-no-second"))
    for inside in (True, False) if rows.is_share else ():
        n, good = rows.n_people(inside), rows.n_good(inside)
        if min(good, n - good) < FEW_OUTCOMES:
            args: dict[str, Argument] = {"group": GROUPS[not inside], "few": Count(FEW_OUTCOMES)}
            said.append(Message("doubt-few-of-outcome", args))
    if held.check == "disagrees":
        said.append(Message("doubt-methods"))
    if cluster is not None and held.n_clusters is not None and held.n_clusters < FEW_CLUSTERS:
        said.append(Message("doubt-few-values", {"n": Count(held.n_clusters), "column": Phrase(quote(cluster))}))
    if rows.n_left_out:
        said.append(Message("doubt-unknown-rows", {"rows": said_rows(rows.n_left_out)}))
    return tuple(map(say, said))


GROUPS: Final[tuple[Argument, Argument]] = (Message("explain-protected"), Group())


def _by_group(counts: Sequence[int]) -> Argument:
    """Say how many rows of the protected group and of everyone else there are, without a group that has none."""
    said = [
        Message("doubt-rows-of", {"rows": said_rows(n), "group": group})
        for n, group in zip(counts, GROUPS, strict=True)
        if n
    ]
    return said[0] if len(said) == 1 else Message("doubt-rows-both", {"first": said[0], "second": said[1]})
