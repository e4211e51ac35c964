"""Whether a score ranks equally well, and means the same, in each group."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.roles import AskedOf
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_TOLERANCE, Positive
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import Count, Message
from fairaudit.measure.bands import edges_between, own_bins, quantile_bins
from fairaudit.measure.comparison import check_settings, rows, said_rows
from fairaudit.measure.controlled import AskedQuestion, column_list
from fairaudit.measure.errors_by_group import check_positive, positive_meaning, some_of
from fairaudit.measure.grouping import check_group_count, group_names, value_text
from fairaudit.measure.intervals import two_sided_z, wilson
from fairaudit.measure.not_known import find_not_known, refuse_open
from fairaudit.measure.results import Interval, ScoreComparison
from fairaudit.measure.weighted import Drawn, Moves, covariances, units_and_strata
from fairaudit.measure.weighted_rates import Parts, weighted_shares
from fairaudit.measure.weighted_shares import quantile
from fairaudit.messages import say

# How well a score ranks: ROC points and the area under them, from counts at each score.

MOST_POINTS = 200
"""A ROC curve is thinned to about this many points."""


def auc_interval(
    positives: ArrayLike, negatives: ArrayLike, confidence: float = USUAL_CONFIDENCE
) -> tuple[float, Interval]:
    """Return the area under the ROC curve with DeLong's interval.

    Shapes: `positives` (n_scores,), `negatives` (n_scores,).

    Notes
    -----
    O(n_scores) after sorting: the placement of a row depends on its score only.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988); Sun and Xu (2014) for the fast form.

    Examples
    --------
    >>> auc, interval = auc_interval([0, 1, 2], [2, 1, 0])
    >>> round(auc, 3)
    0.944
    """
    p, q = np.asarray(positives, dtype=float), np.asarray(negatives, dtype=float)
    n_p, n_q = p.sum(), q.sum()
    undefined = Interval(float("nan"), float("nan"))
    if n_p == 0 or n_q == 0:
        return float("nan"), undefined
    below = (q.cumsum() - q / 2) / n_q
    above = (n_p - p.cumsum() + p / 2) / n_p
    auc = float((p * below).sum() / n_p)
    if n_p < 2 or n_q < 2:
        return auc, undefined
    variance = (p * (below - auc) ** 2).sum() / (n_p - 1) / n_p + (q * (above - auc) ** 2).sum() / (n_q - 1) / n_q
    if variance <= 1e-16:
        return auc, undefined
    spread = float(two_sided_z(confidence) * np.sqrt(variance))
    return auc, Interval(max(auc - spread, 0.0), min(auc + spread, 1.0))


def roc_points(scores: NDArray[np.float64], positives: ArrayLike, negatives: ArrayLike) -> pd.DataFrame:
    """Return the ROC curve, thinned to what an eye can see.

    Shapes: `scores` (n_scores,), `positives` (n_scores,), `negatives` (n_scores,); returns a frame of threshold, fpr,
    tpr.
    """
    p, q = np.asarray(positives, dtype=float)[::-1], np.asarray(negatives, dtype=float)[::-1]
    if p.sum() == 0 or q.sum() == 0:
        return pd.DataFrame({"threshold": [], "fpr": [], "tpr": []}, dtype=float)
    tpr = np.concatenate([[0.0], p.cumsum() / p.sum()])
    fpr = np.concatenate([[0.0], q.cumsum() / q.sum()])
    threshold = np.concatenate([[np.nan], scores[::-1]])
    keep = np.ones(len(tpr), dtype=bool)
    if len(tpr) > MOST_POINTS:
        # Along the curve fpr + tpr grows from 0 to 2: keep the first point in each of equal steps, and both ends.
        step = np.minimum(((fpr + tpr) / 2 * MOST_POINTS).astype(int), MOST_POINTS - 1)
        keep = np.concatenate([[True], step[1:] > step[:-1]])
        keep[-1] = True
    return pd.DataFrame({"threshold": threshold[keep], "fpr": fpr[keep], "tpr": tpr[keep]})


FIGURES = ["n", "n_positive", "positives", "negatives"]
"""Rows, and those truly positive; then what rows of both outcomes count for, which with weights is not their number."""

BARS = 20
"""Bins of a distribution of many values."""


@documented()
def check_scores(
    table: object,
    *,
    outcome: str,
    favorable: object,
    score: str,
    by: str | Sequence[str],
    higher_is_favorable: bool = True,
    where: Condition | str | None = None,
    positive: Positive = "favorable",
    n_bins: int = 10,
    confidence: float = USUAL_CONFIDENCE,
    tolerance: float = USUAL_TOLERANCE,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> ScoreComparison:
    """Compare how well a score ranks and how well it is calibrated between groups.

    Parameters
    ----------
    outcome : str
        The column of what happened.
    score : str
        The column of numbers that is compared.
    higher_is_favorable : bool
        Whether a higher score speaks for the good outcome.
    positive : {"favorable", "unfavorable"}
        Which outcome is called positive.
    n_bins : int
        Bins of the score that calibration is compared in.

    Returns
    -------
    ScoreComparison
        Areas under the ROC curve, calibration and distribution by group.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit.
    GroupError
        If no row meets the filter, or there are fewer than two groups with rows to compare.

    Notes
    -----
    One GROUP BY over the data. Areas come from all scores; ROC curves are thinned for drawing. With sampling weights
    areas, curves and shares are weighted, counts are those of rows, and the areas' intervals have the linearised
    variance of DeLong's placements; `design_strata` and `design_clusters` say from where the sample was drawn.

    Examples
    --------
    >>> data = pd.DataFrame({"sex": list("FFMM"), "paid": [1, 0, 1, 0], "points": [9, 3, 4, 5]})
    >>> result = check_scores(data, outcome="paid", favorable=1, score="points", by="sex")
    >>> result.auc[["group", "auc"]].values.tolist()
    [['F', 1.0], ['M', 0.0]]
    """
    check_settings(tolerance, confidence)
    check_positive(positive)
    if isinstance(n_bins, bool) or not isinstance(n_bins, int) or n_bins < 2:
        raise InputError(f"'n_bins' must be an int of at least 2, got {n_bins!r}.")
    table = as_weighted(
        table,
        decision=outcome,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    question = AskedQuestion.read_weighted(table, decision=outcome, favorable=favorable, where=where, cluster=None)
    names = column_list(by, "by", question.table)
    if question.table.column(score).kind != "number":
        raise InputError(
            f"The score must be a column of numbers, {quote(score)} holds {question.table.column(score).kind}.",
            hint="Choose the column with the score, not the class that was made from it.",
        )
    tally = question.tally([*names, score])
    groups, rows, unusable = _usable(tally, names, positive)
    probability = bool(rows["score"].between(0, 1).all() and not rows["score"].isin([0, 1]).all())
    turned = higher_is_favorable != (positive == "favorable")
    if turned:
        rows = _turn(rows, probability)
    by_score = rows.groupby(["group", "score"], sort=False)[FIGURES].sum().reset_index()
    sample = None if question.drawn is None else _Sample(rows, question.drawn, positive)
    per_group = [(name, part.sort_values("score")) for name, part in by_score.groupby("group", sort=False)]
    auc = _areas(groups, dict(per_group), confidence, sample)
    calibration, worth = _calibration(by_score, probability, n_bins, confidence, sample)
    return ScoreComparison(
        score=score,
        groups=tuple(groups),
        positive=positive,
        positive_meaning=positive_meaning(question.outcome, positive),
        is_probability=probability,
        roc=_curves(per_group),
        auc=auc,
        calibration=calibration,
        distribution=_distribution(by_score, probability),
        where=None if question.where is None else str(question.where),
        warnings=_warnings(auc, unusable),
        turned=turned,
        not_known=refuse_open(
            find_not_known(question.table, question.outcome, where=question.where, columns=names, used=[score])
        ),
        worth=worth,
        design=table.design,
        asked=AskedOf(question.outcome.column, question.outcome, names, tolerance=tolerance, confidence=confidence),
    )


def _usable(tally: pd.DataFrame, names: tuple[str, ...], positive: Positive) -> tuple[list[str], pd.DataFrame, int]:
    keys = list(range(len(names)))
    found = tally[keys].drop_duplicates().sort_values(keys, kind="stable", na_position="last").reset_index(drop=True)
    check_group_count(len(found), names)
    labels = group_names(found)
    place = dict(zip(_keys(found), labels, strict=True))
    values = tally[len(names)].astype("Float64").to_numpy(dtype=float, na_value=np.nan)
    figures = {"n_positive": "positives", "positives": "wy" if "w" in tally else "positives"}
    sums = {"n": tally["n"], "whole": tally["w" if "w" in tally else "n"]}
    sums |= {name: tally[of] for name, of in figures.items()}
    if positive == "unfavorable":
        sums |= {"n_positive": sums["n"] - sums["n_positive"], "positives": sums["whole"] - sums["positives"]}
    counts = tally.drop(columns=[*keys, len(names)]).assign(
        group=[place[key] for key in _keys(tally[keys])],
        score=values,
        favorable=tally["positives"],
        positives=sums["positives"],
        negatives=sums["whole"] - sums["positives"],
        n=sums["n"],
        n_positive=sums["n_positive"],
    )
    kept = counts[np.isfinite(values) & (sums["whole"] > 0).to_numpy()].reset_index(drop=True)
    total = int(tally[["n", "undecided"]].to_numpy().sum())
    unusable = total - int(kept["n"].sum())
    if not len(kept):
        raise GroupError(
            f"None of {rows(total)} has both an outcome and a score.",
            uncounted="No row looked at has both an outcome and a score.",
            hint="Choose another score or a wider filter.",
        )
    return labels, kept, unusable


def _keys(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    return [tuple(None if pd.isna(v) else v for v in row) for row in frame.itertuples(index=False)]


def _turn(counts: pd.DataFrame, probability: bool) -> pd.DataFrame:
    # Rounding keeps 1 - 0.9 at 0.1: a bin is named by its score, and a value stays in its bin.
    return counts.assign(score=np.round(1 - counts["score"], 15) if probability else -counts["score"])


@dataclass(frozen=True, eq=False)
class _Sample:
    """The rows of a weighted sample by group, score, and from where they were drawn."""

    rows: pd.DataFrame
    drawn: Drawn
    positive: Positive

    def area(self, part: pd.DataFrame, confidence: float) -> tuple[float, Interval]:
        """Return the area under the ROC curve of one group, from its sums by ascending score."""
        p, q = part["positives"].to_numpy(), part["negatives"].to_numpy()
        unknown = Interval(math.nan, math.nan)
        if not (p.sum() > 0 and q.sum() > 0):
            return math.nan, unknown
        below, above = (q.cumsum() - q / 2) / q.sum(), (p.sum() - p.cumsum() + p / 2) / p.sum()
        auc = float((p * below).sum() / p.sum())
        own = self.rows[self.rows["group"] == part["group"].iloc[0]]
        at = np.searchsorted(part["score"].to_numpy(), own["score"].to_numpy())
        # u = (placement - area) / weight of its side
        moves = [(below - auc)[at] / p.sum(), (above - auc)[at] / q.sum()]
        with_it, without = moves if self.positive == "favorable" else moves[::-1]
        of_favorable = Moves(without[:, None], (with_it - without)[:, None])
        variance = float(covariances(own, of_favorable, self.drawn)[0, 0])
        units, strata = units_and_strata(own, np.ones(len(own), dtype=bool), self.drawn)
        if not (variance > 1e-16 and units > strata):
            return auc, unknown
        half = float(quantile(np.array(float(units - strata)), confidence)) * math.sqrt(variance)
        return auc, Interval(max(auc - half, 0.0), min(auc + half, 1.0))

    def share(self, which: NDArray[np.bool_], confidence: float) -> tuple[float, float, float]:
        """Return the interval of the share of the positive outcome among some rows, and the rows that it is worth."""
        own = self.rows[which].assign(positives=lambda rows: rows["favorable"])
        everyone = np.ones((len(own), 1), dtype=bool)
        counted = (~everyone, everyone) if self.positive == "favorable" else (everyone, ~everyone)
        found = weighted_shares(own, Parts((everyone, everyone), counted), self.drawn)
        (low,), (high,) = found.intervals(confidence)
        return float(low), float(high), float(found.n[0])


def _areas(
    groups: list[str], parts: dict[str, pd.DataFrame], confidence: float, sample: _Sample | None
) -> pd.DataFrame:
    records = []
    for name in groups:
        part = parts.get(name)
        if part is None:
            records.append((name, 0, 0, math.nan, math.nan, math.nan))
            continue
        auc, interval = (
            auc_interval(part["positives"].to_numpy(), part["negatives"].to_numpy(), confidence)
            if sample is None
            else sample.area(part, confidence)
        )
        records.append((name, int(part["n"].sum()), int(part["n_positive"].sum()), auc, *interval))
    return pd.DataFrame.from_records(records, columns=["group", "n", "n_positive", "auc", "low", "high"])


def _curves(parts: list[tuple[str, pd.DataFrame]]) -> pd.DataFrame:
    curves = []
    for name, part in parts:
        curve = roc_points(part["score"].to_numpy(), part["positives"], part["negatives"])
        curve.insert(0, "group", name)
        curves.append(curve)
    return pd.concat(curves, ignore_index=True)


def _calibration(
    counts: pd.DataFrame, probability: bool, n_bins: int, confidence: float, sample: _Sample | None
) -> tuple[pd.DataFrame, tuple[float, ...] | None]:
    """Return the calibration and, of a weighted sample, the rows that each share is worth."""
    whole = counts["positives"] + counts["negatives"]
    sizes = whole.groupby(counts["score"]).sum()
    values = sizes.index.to_numpy(dtype=float)
    if own_bins(values, n_bins):
        bins, names = np.arange(len(values)), [value_text(v) for v in values]
    elif probability:
        bins = _equal_bins(values, n_bins)
        digits = max(3, len(str(n_bins)))
        names = [f"{i / n_bins:.{digits}g} to {(i + 1) / n_bins:.{digits}g}" for i in range(n_bins)]
    else:
        bins = quantile_bins(sizes.to_numpy(), n_bins)
        ends = [(values[bins == i][0], values[bins == i][-1]) for i in range(bins[-1] + 1)]
        names = [f"{low:.4g} to {high:.4g}" for low, high in ends]
    place = bins[np.searchsorted(values, counts["score"])]
    table = counts.assign(place=place, whole=whole, weighted=counts["score"] * whole)
    table = table.groupby(["group", "place"], sort=False)[[*FIGURES, "whole", "weighted"]].sum().reset_index()
    order = {name: i for i, name in enumerate(counts["group"].drop_duplicates())}
    table = table.sort_values(["group", "place"], key=lambda c: c.map(order) if c.name == "group" else c)
    if sample is None:
        worth, (low, high) = None, wilson(table["positives"], table["n"], confidence)
    else:
        of, at = sample.rows["group"], bins[np.searchsorted(values, sample.rows["score"])]
        shares = [
            sample.share((of == row.group).to_numpy() & (at == row.place), confidence) for row in table.itertuples()
        ]
        low, high, worth = np.array(shares).T
    found = pd.DataFrame(
        {
            "group": table["group"],
            "bin": [names[i] for i in table["place"]],
            "score_mean": table["weighted"] / table["whole"],
            "n": table["n"],
            "positives": table["n_positive"],
            "observed": table["positives"] / table["whole"],
            "low": low,
            "high": high,
        }
    ).reset_index(drop=True)
    return found, None if worth is None else tuple(worth.tolist())


def _equal_bins(values: NDArray[np.float64], n_bins: int) -> NDArray[np.int64]:
    # value * n_bins can fall short of a whole number (0.29 * 100 is 28.999...), while i / n_bins is the very number
    # that is written 0.29. So the product only guesses the bin, and comparing with both ends settles it.
    bins = (values * n_bins).astype(np.int64)
    bins += values >= (bins + 1) / n_bins
    bins -= values < bins / n_bins
    return np.minimum(bins, n_bins - 1)


def _distribution(counts: pd.DataFrame, probability: bool) -> pd.DataFrame:
    edges = _edges(np.unique(counts["score"].to_numpy()), probability)
    place = np.clip(np.searchsorted(edges, counts["score"], side="right") - 1, 0, len(edges) - 2)
    records = []
    for name, part in counts.assign(place=place).groupby("group", sort=False):
        rows = {1: part["n_positive"], 0: part["n"] - part["n_positive"]}
        for label, column in ((1, "positives"), (0, "negatives")):
            n, size = (
                np.bincount(part["place"], weights=own, minlength=len(edges) - 1) for own in (rows[label], part[column])
            )
            if size.sum() > 0:
                bars = zip(edges[:-1], edges[1:], n, size / size.sum(), strict=True)
                records += [(name, label, float(a), float(b), int(k), float(share)) for a, b, k, share in bars]
    return pd.DataFrame.from_records(records, columns=["group", "label", "bin_low", "bin_high", "n", "share"])


def _edges(values: NDArray[np.float64], probability: bool) -> NDArray[np.float64]:
    if own_bins(values, BARS // 2):
        return edges_between(values)
    if probability:
        return np.arange(BARS + 1) / BARS
    return np.linspace(values[0], values[-1], BARS + 1)


def points_the_wrong_way(auc: pd.DataFrame) -> bool:
    """Say whether a score ranks no group better than chance, and one surely worse: the other outcome scores higher."""
    known = auc[auc["auc"].notna()]
    # Where the outcomes part wholly there is no interval.
    return bool((known["auc"] < 0.5).all()) and bool((known["high"].fillna(known["auc"]) < 0.5).any())


def _warnings(auc: pd.DataFrame, unusable: int) -> tuple[str, ...]:
    said = []
    for key, found in (
        ("doubt-few-scores", auc["n"] < ENOUGH),
        ("doubt-one-outcome", (auc["n"] > 0) & auc["auc"].isna()),
    ):
        if found.any():
            groups = some_of(list(map(quote, auc.loc[found, "group"])))
            said.append(Message(key, {"few": Count(ENOUGH), "groups": groups}))
    if points_the_wrong_way(auc):
        said.append(Message("doubt-score-turned"))
    if unusable:
        said.append(Message("doubt-no-score", {"rows": said_rows(unusable)}))
    return tuple(map(say, said))
