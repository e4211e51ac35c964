"""What the measures return: frozen, plain, ready to be shown, exported and compared.

Shares and gaps are fractions between -1 and 1, not percent. Every difference is protected minus
reference (or group minus rest). Undefined is NaN.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import pandas as pd

from fairaudit.measure.grouping import is_missing, value_text

Evidence = Literal["supported_fair", "supported_unfair", "inconclusive"]


class Interval(NamedTuple):
    """A confidence interval, both ends included; NaN where undefined."""

    low: float
    high: float


@dataclass(frozen=True)
class GroupRatio:
    """How often one group reaches the good outcome.

    Parameters
    ----------
    name : str
        The condition or value that makes the group, for people.
    n : int
        Rows of the group with a known decision.
    positives : int
        Those with the good outcome.
    ratio : float
        ``positives / n``; NaN if n is 0.
    interval : Interval
        Wilson interval of the ratio.
    undecided : int
        Rows of the group without a decision; they are not in n.
    """

    name: str
    n: int
    positives: int
    ratio: float
    interval: Interval
    undecided: int = 0


@dataclass(frozen=True)
class Comparison:
    """Two groups compared on their share of good outcomes.

    ``difference`` is protected minus reference, ``impact_ratio`` protected divided by reference.
    ``difference_interval`` is Newcombe's hybrid score interval at ``confidence`` (1 - a),
    ``equivalence_interval`` the same at 1 - 2a, which the two one-sided tests of alikeness use.
    ``p_value`` is two-sided, from the pooled z test or, where an expected cell is below 5, Fisher's exact
    test (``test`` says which). ``fair`` is the point answer, ``evidence`` the one with uncertainty.
    """

    protected: GroupRatio
    reference: GroupRatio
    difference: float
    difference_interval: Interval
    equivalence_interval: Interval
    impact_ratio: float
    impact_ratio_interval: Interval
    four_fifths: bool | None
    z: float
    p_value: float
    test: Literal["z", "fisher"]
    tolerance: float
    confidence: float
    fair: bool
    evidence: Evidence
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and texts, ready for JSON; NaN becomes None."""
        return plain(self)


@dataclass(frozen=True)
class ControlledFairness(Comparison):
    """The answer of :func:`fairaudit.check_controlled_fairness`.

    ``n_population`` counts the rows that meet the filter, ``unknown`` those of them in neither group because
    the protected condition is unknown there, ``undecided`` those in a group but without a decision.
    ``n_population == protected.n + reference.n + unknown + undecided``; ``n_filtered_out`` counts the rest of the
    table.
    """

    decision: str
    favorable: str
    protected_condition: str
    where: str | None
    n_population: int
    n_filtered_out: int
    unknown: int
    undecided: int


@dataclass(frozen=True)
class GroupRow:
    """One group against the rest (or a reference value), with the Holm-adjusted p-value."""

    values: tuple[tuple[str, Any], ...]
    comparison: Comparison
    adjusted_p_value: float
    small: bool

    @property
    def name(self) -> str:
        """The group's values as a text."""
        return ", ".join(value_text(v) for _, v in self.values)


@dataclass(frozen=True)
class GroupComparison:
    """Every value (or crossing of values) of one or more columns, each against the rest or a reference."""

    columns: tuple[str, ...]
    reference: str | None
    rows: tuple[GroupRow, ...]
    unknown: int
    undecided: int
    min_count: int
    where: str | None
    worst_pair: tuple[str, str] | None

    def to_frame(self) -> pd.DataFrame:
        """Return one row a group: values, n, positives, ratio, difference, their intervals, p-values, evidence."""
        records = []
        for row in self.rows:
            c = row.comparison
            records.append(
                _record(
                    row.values,
                    {
                        "n": c.protected.n,
                        "positives": c.protected.positives,
                        "ratio": c.protected.ratio,
                        "ratio_low": c.protected.interval.low,
                        "ratio_high": c.protected.interval.high,
                        "difference": c.difference,
                        "difference_low": c.difference_interval.low,
                        "difference_high": c.difference_interval.high,
                        "impact_ratio": c.impact_ratio,
                        "p_value": c.p_value,
                        "adjusted_p_value": row.adjusted_p_value,
                        "evidence": c.evidence,
                        "small": row.small,
                    },
                )
            )
        return pd.DataFrame.from_records(records)


@dataclass(frozen=True)
class StratumRow:
    """One stratum: the values that make it and the comparison inside it."""

    values: tuple[tuple[str, Any], ...]
    comparison: Comparison
    unknown: int

    @property
    def name(self) -> str:
        """The stratum's values as a text."""
        return ", ".join(value_text(v) for _, v in self.values)

    @property
    def difference(self) -> float:
        """Protected minus reference inside the stratum."""
        return self.comparison.difference


@dataclass(frozen=True)
class StratifiedFairness:
    """The answer of :func:`fairaudit.check_strata`.

    ``common_odds_ratio`` is Mantel-Haenszel's, protected against reference. ``cmh_statistic`` and ``cmh_p_value``
    carry the continuity correction; the ``_uncorrected`` pair does not. ``reversal`` is True when the sign of
    the pooled gap and of the gap within strata disagree; ``warning`` then says so in plain words.
    ``left_out`` names strata in which one of the groups is empty: they cannot be compared and do not count.
    """

    pooled: ControlledFairness
    columns: tuple[str, ...]
    strata: tuple[StratumRow, ...]
    left_out: tuple[str, ...]
    common_odds_ratio: float
    common_odds_ratio_interval: Interval
    cmh_statistic: float
    cmh_p_value: float
    cmh_statistic_uncorrected: float
    cmh_p_value_uncorrected: float
    common_difference: float
    common_difference_interval: Interval
    reversal: bool
    warning: str | None

    def to_frame(self) -> pd.DataFrame:
        """Return one row a stratum with both groups' n, positives, ratio and the difference with its interval."""
        records = []
        for row in self.strata:
            c = row.comparison
            records.append(
                _record(
                    row.values,
                    {
                        "protected_n": c.protected.n,
                        "protected_positives": c.protected.positives,
                        "protected_ratio": c.protected.ratio,
                        "reference_n": c.reference.n,
                        "reference_positives": c.reference.positives,
                        "reference_ratio": c.reference.ratio,
                        "difference": c.difference,
                        "difference_low": c.difference_interval.low,
                        "difference_high": c.difference_interval.high,
                        "p_value": c.p_value,
                        "evidence": c.evidence,
                        "unknown": row.unknown,
                    },
                )
            )
        return pd.DataFrame.from_records(records)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and texts, ready for JSON; NaN becomes None."""
        return plain(self)


@dataclass(frozen=True)
class ErrorComparison:
    """Error rates of a prediction per group, from one table of counts.

    ``counts`` has one row a group: ``group, tp, fp, tn, fn, unknown`` (rows without label or prediction).
    ``metrics`` is :func:`fairaudit.group_metrics` on it; ``intervals`` has columns ``group, metric, value, n, low,
    high`` (Wilson; n is the denominator); ``gaps`` is :func:`fairaudit.group_gaps`. ``positive`` says which outcome is
    called positive.
    """

    groups: tuple[str, ...]
    positive: Literal["favorable", "unfavorable"]
    positive_meaning: str
    counts: pd.DataFrame
    metrics: pd.DataFrame
    intervals: pd.DataFrame
    gaps: pd.DataFrame
    confidence: float
    where: str | None
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class ScoreComparison:
    """How well a score ranks and how well it is calibrated, per group.

    ``roc``: ``group, threshold, fpr, tpr``; ``auc``: ``group, n, n_positive, auc, low, high`` (DeLong);
    ``calibration``: ``group, bin, score_mean, n, positives, observed, low, high``. Scores are turned so that higher
    means the positive outcome is more likely; ``distribution``: ``group, label, bin_low, bin_high, n, share``.
    """

    score: str
    groups: tuple[str, ...]
    positive: Literal["favorable", "unfavorable"]
    positive_meaning: str
    is_probability: bool
    roc: pd.DataFrame
    auc: pd.DataFrame
    calibration: pd.DataFrame
    distribution: pd.DataFrame
    where: str | None
    warnings: tuple[str, ...]


def plain(value: Any) -> Any:
    """Turn dataclasses, tuples, frames and numpy scalars into what JSON can hold.

    Parameters
    ----------
    value : object
        Anything that a result holds.

    Returns
    -------
    object
        Dicts, lists, str, int, float, bool and None; NaN and infinities become None.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, pd.DataFrame):
        named = all(name is not None and name not in value for name in value.index.names)
        return [plain(record) for record in (value.reset_index() if named else value).to_dict("records")]
    if isinstance(value, Interval):
        return {"low": plain(value.low), "high": plain(value.high)}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if is_missing(value):
        return None
    if hasattr(value, "item"):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (str, int, float, bool)):
        return value
    return str(value)


def _record(values: tuple[tuple[str, Any], ...], figures: dict[str, Any]) -> dict[str, Any]:
    # A column of the data may be called like one of the figures.
    return {f"{column} (column)" if column in figures else column: value for column, value in values} | figures
