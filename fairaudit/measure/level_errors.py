"""A predicted level against the true one, by group: how often it is right, and how often too low or too high."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases, refuse_partial
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.roles import make_outcome
from fairaudit.data.table import Table
from fairaudit.data.unknown_values import is_no_group
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.disclosure.fields import column, columns, figure, setting
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings.result import Result
from fairaudit.measure.bands import Part, counted, strata_parts, stratum_values
from fairaudit.measure.comparison import check_settings, rows
from fairaudit.measure.controlled import column_list, no_rows
from fairaudit.measure.errors_by_group import RatesReading, compare_rates, compared_rows
from fairaudit.measure.grouping import check_group_count, group_names, plain_value, value_text
from fairaudit.measure.intervals import Floats, holm, ratio, wilson
from fairaudit.measure.levels import named_levels, refuse_unnamed
from fairaudit.measure.not_known import ENDED_CASES, NotKnown, find_not_known, refuse_open
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.strata import cochran_mantel_haenszel, common_difference
from fairaudit.measure.verdicts import GAPS, Side, Verdict, equivalence_confidence, side_of, verdict_by
from fairaudit.measure.verdicts_of_many import readings_by_holm

LevelKind = Literal["wrong", "too_low", "too_high"]
UNORDERED: Final[tuple[LevelKind, ...]] = ("wrong",)
ORDERED: Final[tuple[LevelKind, ...]] = ("wrong", "too_low", "too_high")
"""The shares that are compared between groups."""

Rates = tuple[Sequence[int] | Floats, Sequence[int] | Floats]
"""Of each group, how many are counted and out of how many."""


@dataclass(frozen=True)
class RecallOfLevel:
    """Whether a level is recognised equally often in all groups."""

    level: str = setting("The level.", label="level")
    p_adjusted: float = figure("Of one share for all groups, adjusted by Holm's method for all levels.", kind="p")
    verdict: Hideable[Verdict] = figure("The verdict among all levels.", label="reading", kind="code")


_GAPS: Final = columns(
    group=column(str, "The group.", "group", "group"),
    metric=column(str, "Which share.", "field", "code"),
    difference=column(float, "Mantel-Haenszel's, the group minus everyone else.", "gap, points", "points"),
    low=column(float, "Lower end of Sato's interval.", "range", "points_interval"),
    high=column(float, "Upper end."),
    p_adjusted=column(float, "Of equal shares, by Holm's method for all rows.", "p", "p"),
    verdict=column(str, "The verdict among all rows.", "reading", "code"),
)
_STRATA: Final = columns(
    stratum=column(str, "The values that make it.", "stratum", "text"),
    group=column(str, "The group.", "group", "group"),
    n=column(Hideable[int], "People with both levels.", "people", "count"),
    right=column(float, "Share predicted right.", "right", "share"),
    too_low=column(float, "Share placed too low; NaN without an order.", "too low", "share"),
    too_high=column(float, "Share placed too high.", "too high", "share"),
    verdict=column(str, "The verdict on the stratum among all of them.", "reading", "code"),
)


@dataclass(frozen=True, eq=False)
class LevelErrorsWithin:
    """Errors of a predicted level among similar cases."""

    columns: tuple[str, ...] = setting("The columns that make the strata.")
    verdict: Hideable[Verdict] = figure("The verdict over all strata.")
    gaps: pd.DataFrame = figure(
        "One row for each group and share, against everyone else; of two groups, those of the first.",
        _GAPS,
    )
    strata: pd.DataFrame = figure(
        "One row for each stratum and group.",
        _STRATA,
    )


@dataclass(frozen=True, eq=False)
class LevelErrors(Plain, Result):
    """The answer of :func:`fairaudit.check_level_errors`."""

    decision: str = setting("The column of true levels.")
    prediction: str = setting("The column of predicted levels.")
    levels: tuple[str, ...] = setting("All levels, the best first where they are ordered.")
    ordered: bool = setting("Whether the first is the best and the last the worst.")
    by: tuple[str, ...] = setting("The columns that make the groups.")
    where: str | None = setting("The filter.")
    tolerance: float = setting("The largest gap of a share that still counts as alike.")
    confidence: float = setting("Of the intervals.")
    groups: tuple[str, ...] = setting('The groups in order, `"missing"` last.')
    verdict: Hideable[Verdict] = figure("On all shares that are compared, allowing for all groups.")
    counts: pd.DataFrame = figure(
        "One row for each group, true and predicted level.",
        columns(
            group=column(str, "The group.", "group", "group"),
            truth=column(str, "The true level.", "true level", "text"),
            predicted=column(str, "The predicted one.", "predicted", "text"),
            n=column(Hideable[int], "People.", "people", "count"),
        ),
    )
    metrics: pd.DataFrame = figure(
        "One row a group.",
        columns(
            group=column(str, "The group.", "group", "group"),
            n=column(Hideable[int], "People with both levels.", "people", "count"),
            right=column(float, "Share predicted right.", "right", "share"),
            too_low=column(float, "Share placed too low; NaN without an order.", "too low", "share"),
            too_high=column(float, "Share placed too high.", "too high", "share"),
            macro_recall=column(
                float, "Mean over all levels of the share predicted right; NaN where nobody has one of them.",
                "right, mean of levels", "share",
            ),
            unknown=column(Hideable[int], "People without one of both levels.", "unknown", "count"),
        ),
    )  # fmt: skip
    intervals: pd.DataFrame = figure(
        "One row for each group and share that is compared.",
        columns(
            group=column(str, "The group.", "group", "group"),
            metric=column(str, "wrong, too_low or too_high.", "field", "code"),
            value=column(float, "The share.", "value", "share"),
            n=column(Hideable[int], "People that it is a share of.", "out of", "count"),
            low=column(float, "Lower end of Wilson's interval.", "range", "share_interval"),
            high=column(float, "Upper end."),
        ),
    )
    recall: pd.DataFrame = figure(
        "One row for each true level and group: the share predicted right.",
        columns(
            level=column(str, "The true level.", "true level", "text"),
            group=column(str, "The group.", "group", "group"),
            value=column(float, "Share predicted right.", "predicted right", "share"),
            n=column(Hideable[int], "People with that level.", "out of", "count"),
            low=column(float, "Lower end of Wilson's interval.", "range", "share_interval"),
            high=column(float, "Upper end."),
        ),
    )
    by_level: tuple[RecallOfLevel, ...] = figure("The verdict on each true level.")
    within: LevelErrorsWithin | None = figure("Among similar cases; None without strata.", default=None)
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())

    @property
    def kinds(self) -> tuple[LevelKind, ...]:
        """The shares that are compared."""
        return ORDERED if self.ordered else UNORDERED

    @property
    def is_right_for_all(self) -> bool:
        """Whether there is no error, so that there is nothing to compare."""
        return bool((self.counts["truth"] == self.counts["predicted"])[self.counts["n"] > 0].all())


@documented()
def check_level_errors(
    table: object,
    *,
    decision: str,
    prediction: str,
    by: str | Sequence[str],
    levels: Sequence[object] | None = None,
    ordered: bool = False,
    strata: str | Sequence[str] = (),
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    strata_cuts: Mapping[str, Sequence[float]] | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> LevelErrors:
    """Compare how often a predicted level is right in each group, and how often people are placed too low or too high.

    Where only one cut of the levels matters, use :func:`fairaudit.check_errors`.

    Parameters
    ----------
    decision, prediction : str
        The columns of true and of predicted levels.
    levels : sequence of values, optional
        All levels, the best first where they are ordered; without them all values of the column.
    ordered : bool
        Whether the first level is the best and the last the worst.
    strata : str or sequence of str
        The columns within whose values (crossed) the question is asked again.
    strata_cuts : mapping of str to sequence of float, optional
        For columns of numbers among `strata`, the cuts between bands.

    Returns
    -------
    LevelErrors
        The verdict, shares of each group, each true level, and similar cases.

    Raises
    ------
    InputError
        If a column, level, condition or setting does not fit.
    GroupError
        If no row meets the filter, or none has both levels.

    Notes
    -----
    One GROUP BY over the data. Compared are the shares of wrong levels and, where levels are ordered, of people who are
    placed too low and too high, each as :func:`fairaudit.check_errors` compares a rate, with a third of the error. True
    levels are read by Holm's method; so are strata. Over strata each group is compared with everyone else, by the
    Cochran-Mantel-Haenszel test and Mantel-Haenszel's difference. Groups of fewer than 30 are shown, not compared.

    References
    ----------
    Holm (1979); Cochran (1954); Mantel and Haenszel (1959); Sato (1989).

    Examples
    --------
    >>> data = pd.DataFrame({"sex": list("FFMM") * 20, "grade": list("ABAB") * 20, "guess": list("BBAB") * 20})
    >>> result = check_level_errors(data, decision="grade", prediction="guess", by="sex", levels="A B".split())
    >>> result.metrics["right"].tolist(), result.verdict
    ([0.5, 1.0], 'clear_gap')
    """
    check_settings(tolerance, confidence)
    table = as_cases(table, decision=decision, counts=counts, labels=labels)
    refuse_partial(table)
    within = table.condition(where)
    named = named_levels(table, decision, levels, ordered=ordered, predicted=prediction)
    names = tuple(named)
    by = column_list(by, "by", table)
    stratified = list(column_list(strata, "strata", table)) if strata else []
    for name in (decision, prediction):
        if name in (*by, *stratified):
            raise InputError(f"A column of levels makes no groups, got {quote(name)}.", hint="Name another column.")
    if twice := next((name for name in by if name in stratified), None):
        raise InputError(f"'strata' must not repeat 'by', got {quote(twice)}.", hint="Name it once.")
    parts = strata_parts(table, stratified, strata_cuts) if stratified else []
    tally = _counted(table, decision, prediction, [*by, *parts], within)
    for place, name in (("truth", decision), ("predicted", prediction)):
        refuse_unnamed(tally[place].dropna(), names, name)
        tally[place] = tally[place].map(lambda value: value_text(plain_value(value)), na_action="ignore")
    keys = list(range(len(by)))
    groups = tally[keys].drop_duplicates().reset_index(drop=True)
    check_group_count(len(groups), by)
    groups["group"] = group_names(groups[keys])
    tally = _named(tally, groups, keys)
    known = tally[tally["truth"].notna() & tally["predicted"].notna()]
    if known.empty:
        raise GroupError(
            f"None of {rows(int(tally['n'].sum()))} has both a true and a predicted level.",
            uncounted="No row looked at has both a true and a predicted level.",
            hint="Choose another prediction or a wider filter.",
        )
    outcome = make_outcome(table, decision, named[names[0]], may_lack=True)
    not_known = refuse_open(find_not_known(table, outcome, where=within, columns=by))
    order = list(groups["group"])
    cube = _cube(known, order, names)
    kinds = ORDERED if ordered else UNORDERED
    intervals = _intervals(cube, order, kinds, confidence)
    recall = _recall(cube, order, names, confidence)
    read = read_level_rates(intervals, kinds, tolerance, confidence)
    verdict: Verdict = strongest([each.verdict if each is not None else "too_few_to_tell" for each in read.values()])
    has_errors = cube.sum() > np.trace(cube.sum(axis=0))
    return LevelErrors(
        decision=decision,
        prediction=prediction,
        levels=names,
        ordered=ordered,
        by=by,
        where=None if within is None else str(within),
        tolerance=tolerance,
        confidence=confidence,
        groups=tuple(order),
        verdict=verdict if has_errors and len(order) > 1 else "nothing_to_compare",
        counts=_long(cube, order, names),
        metrics=_metrics(cube, order, tally, ordered=ordered),
        intervals=intervals,
        recall=recall,
        by_level=_by_level(recall, names, tolerance, confidence),
        within=_within(known, parts, tuple(stratified), names, order, kinds, (tolerance, confidence))
        if stratified
        else None,
        not_known=not_known,
    )


def read_level_rates(
    intervals: pd.DataFrame, kinds: Sequence[str], tolerance: float, confidence: float
) -> dict[str, RatesReading | None]:
    """Compare each share between the groups of enough people; None where fewer than two are left."""
    read: dict[str, RatesReading | None] = {}
    for kind in kinds:
        compared = compared_rows(intervals[intervals["metric"] == kind])
        rates = [round(row.value * row.n) for row in compared], [int(row.n) for row in compared]
        read[kind] = (
            compare_rates(*rates, tolerance=tolerance, confidence=confidence, questions=len(kinds))
            if len(compared) > 1
            else None
        )
    return read


def strongest(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on several shares together: a gap in any of them, or no gap in all of them.

    Examples
    --------
    >>> strongest(["clear_gap", "no_gap_above_tolerance"]), strongest(["too_few_to_tell", "no_gap_above_tolerance"])
    ('clear_gap', 'too_few_to_tell')
    """
    gaps: tuple[Verdict, ...] = GAPS
    for verdict in gaps:
        if verdict in verdicts:
            return verdict
    return "no_gap_above_tolerance" if set(verdicts) == {"no_gap_above_tolerance"} else "too_few_to_tell"


def _counted(
    table: Table, decision: str, prediction: str, parts: Sequence[Part], where: Condition | None
) -> pd.DataFrame:
    """Count rows by parts, in columns 0, 1, ..., truth and predicted."""
    by: dict[str, Part] = {str(place): part for place, part in enumerate(parts)}
    by |= {"truth": decision, "predicted": prediction}
    tally = counted(partial(table.counts, where=where), by)
    tally["n"] = tally["n"].astype("int64")
    if not tally["n"].sum():
        raise no_rows(table, where)
    return tally.rename(columns={str(place): place for place in range(len(parts))})


def _named(tally: pd.DataFrame, groups: pd.DataFrame, keys: list[int]) -> pd.DataFrame:
    """Return a tally with the name of the group of each row."""
    place = tally.groupby(keys, dropna=False, sort=False).ngroup()
    first = tally.assign(place=place).drop_duplicates("place")
    named = dict(zip(first["place"], groups["group"], strict=True))
    return tally.assign(group=place.map(named))


def _cube(known: pd.DataFrame, groups: Sequence[str], names: Sequence[str]) -> np.ndarray:
    """Return people by group, true and predicted level: shape (n_groups, n_levels, n_levels)."""
    cube = np.zeros((len(groups), len(names), len(names)), dtype=np.int64)
    places = [{name: place for place, name in enumerate(each)} for each in (groups, names, names)]
    at = [
        known[name].map(place).to_numpy() for name, place in zip(("group", "truth", "predicted"), places, strict=True)
    ]
    np.add.at(cube, tuple(each.astype(int) for each in at), known["n"].to_numpy())
    return cube


def _long(cube: np.ndarray, groups: Sequence[str], names: Sequence[str]) -> pd.DataFrame:
    index = pd.MultiIndex.from_product([groups, names, names], names=["group", "truth", "predicted"])
    return pd.DataFrame({"n": cube.ravel()}, index=index).reset_index()


def _shares(cube: np.ndarray) -> dict[str, np.ndarray]:
    """Return how many of each group are predicted right, wrong, too low and too high. Shapes: (n_groups,)."""
    right = np.trace(cube, axis1=1, axis2=2)
    # The best level is the first: a later one is too low.
    too_low, too_high = (cut(cube, k).sum(axis=(1, 2)) for cut, k in ((np.triu, 1), (np.tril, -1)))
    return {"right": right, "wrong": cube.sum(axis=(1, 2)) - right, "too_low": too_low, "too_high": too_high}


def _metrics(cube: np.ndarray, groups: Sequence[str], tally: pd.DataFrame, *, ordered: bool) -> pd.DataFrame:
    n, shares = cube.sum(axis=(1, 2)), _shares(cube)
    recalls = ratio(np.diagonal(cube, axis1=1, axis2=2), cube.sum(axis=2))
    all_rows = tally.groupby("group")["n"].sum().reindex(list(groups)).to_numpy()
    nothing = np.full(len(n), np.nan)
    return pd.DataFrame(
        {
            "group": list(groups),
            "n": n,
            "right": ratio(shares["right"], n),
            "too_low": ratio(shares["too_low"], n) if ordered else nothing,
            "too_high": ratio(shares["too_high"], n) if ordered else nothing,
            "macro_recall": recalls.mean(axis=1),
            "unknown": all_rows - n,
        }
    )


def _intervals(cube: np.ndarray, groups: Sequence[str], kinds: Sequence[str], confidence: float) -> pd.DataFrame:
    n, shares = cube.sum(axis=(1, 2)), _shares(cube)
    return pd.concat(
        [_shown(shares[kind], n, confidence, group=list(groups), metric=kind) for kind in kinds], ignore_index=True
    )


def _recall(cube: np.ndarray, groups: Sequence[str], names: Sequence[str], confidence: float) -> pd.DataFrame:
    parts = [
        _shown(cube[:, place, place], cube[:, place].sum(axis=1), confidence, level=name, group=list(groups))
        for place, name in enumerate(names)
    ]
    return pd.concat(parts, ignore_index=True)


def _shown(k: np.ndarray, n: np.ndarray, confidence: float, **named: object) -> pd.DataFrame:
    low, high = wilson(k, n, confidence)
    return pd.DataFrame({**named, "value": ratio(k, n), "n": n, "low": low, "high": high})


def _by_level(
    recall: pd.DataFrame, names: Sequence[str], tolerance: float, confidence: float
) -> tuple[RecallOfLevel, ...]:
    """Compare the groups at each true level, with verdicts by Holm's method."""
    each = []
    for name in names:
        compared = compared_rows(recall[recall["level"] == name])
        rates = [round(row.value * row.n) for row in compared], [int(row.n) for row in compared]
        each.append([rates] if len(compared) > 1 else [])
    found = _among(each, tolerance, confidence)
    return tuple(RecallOfLevel(name, p_value, verdict) for name, (p_value, verdict) in zip(names, found, strict=True))


def _among(each: Sequence[Sequence[Rates]], tolerance: float, confidence: float) -> list[tuple[float, Verdict]]:
    """Compare groups in each of several parts, by one rate or more; return p-values and verdicts by Holm's method."""
    there = [rates for rates in each if rates]
    if not there:
        return [(float("nan"), "too_few_to_tell") for _ in each]

    def read(rates: Sequence[Rates], level: float) -> list[RatesReading]:
        return [compare_rates(*rate, tolerance=tolerance, confidence=level, questions=len(rates)) for rate in rates]

    def sides_at(level: float) -> list[Side]:
        verdicts = [strongest([one.verdict for one in read(rates, level)]) for rates in there]
        named: dict[str, Side] = {"clear_gap": "beyond", "no_gap_above_tolerance": "within"}
        return [named.get(verdict, "open") for verdict in verdicts]

    alone = [read(rates, confidence) for rates in there]
    adjusted = holm([min(1.0, len(one) * min(rate.p_value for rate in one)) for one in alone])
    sides = readings_by_holm(sides_at, len(there), confidence)
    found = iter(
        (
            float(p_value),
            verdict_by(side, likely=p_value < 1 - confidence and strongest([r.verdict for r in one]) in GAPS),
        )
        for one, p_value, side in zip(alone, adjusted, sides, strict=True)
    )
    return [next(found) if rates else (float("nan"), "too_few_to_tell") for rates in each]


def _within(
    known: pd.DataFrame,
    parts: Sequence[Any],
    stratified: tuple[str, ...],
    names: Sequence[str],
    groups: Sequence[str],
    kinds: Sequence[str],
    limits: tuple[float, float],
) -> LevelErrorsWithin:
    """Compare the groups in each stratum, and each with everyone else over all strata."""
    first = known.columns.get_loc("truth") - len(parts)
    keys = list(known.columns[first : first + len(parts)])
    check_group_count(len(known[keys].drop_duplicates()), stratified)
    labels, cubes = [], []
    for key, part in known.sort_values(keys, kind="stable", na_position="last").groupby(keys, dropna=False, sort=False):
        labels.append(", ".join(value_text(value) for _, value in stratum_values(parts, key)))
        cubes.append(_cube(part, groups, names))
    counted_here = [(cube.sum(axis=(1, 2)), _shares(cube)) for cube in cubes]
    each = []
    known_groups = _of_known(groups)
    for n, shares in counted_here:
        enough = (n >= ENOUGH) & known_groups
        each.append([(shares[kind][enough], n[enough]) for kind in kinds] if enough.sum() > 1 else [])
    verdicts = [verdict for _, verdict in _among(each, *limits)]
    strata = [
        (label, group, int(n[place]), *_of_one(shares, place, n[place], ordered=len(kinds) > 1), verdict)
        for label, (n, shares), verdict in zip(labels, counted_here, verdicts, strict=True)
        for place, group in enumerate(groups)
        if n[place]
    ]
    gaps = _gaps_within(counted_here, groups, kinds, *limits)
    named = ["stratum", "group", "n", "right", "too_low", "too_high", "verdict"]
    verdict: Verdict = strongest(list(gaps["verdict"])) if len(gaps) else "too_few_to_tell"
    return LevelErrorsWithin(stratified, verdict, gaps, pd.DataFrame(strata, columns=named))


def _of_known(groups: Sequence[str]) -> np.ndarray:
    """Say which groups are compared: those of people who are not known are not, where two others are left."""
    known = np.array([not is_no_group(group) for group in groups])
    return known if known.sum() > 1 else np.ones(len(groups), dtype=bool)


def _of_one(shares: dict[str, np.ndarray], place: int, n: int, *, ordered: bool) -> tuple[float, float, float]:
    right, low, high = (float(shares[name][place] / n) for name in ("right", "too_low", "too_high"))
    return (right, low, high) if ordered else (right, float("nan"), float("nan"))


def _gaps_within(
    strata: Sequence[tuple[np.ndarray, dict[str, np.ndarray]]],
    groups: Sequence[str],
    kinds: Sequence[str],
    tolerance: float,
    confidence: float,
) -> pd.DataFrame:
    """Compare each group of enough people with everyone else over strata, with verdicts by Holm's method."""
    sizes = np.array([n for n, _ in strata])
    enough = np.flatnonzero((sizes.sum(axis=0) >= ENOUGH) & _of_known(groups))
    # Of two groups, each is everyone else to the other.
    compared = enough[:1] if len(enough) == 2 else enough if len(enough) > 2 else enough[:0]
    rows_, cells = [], []
    for place in compared:
        for kind in kinds:
            k, n = np.array([shares[kind] for _, shares in strata]), sizes
            own = np.stack([k[:, place], n[:, place]], axis=1)
            all_others = np.stack([k[:, enough].sum(axis=1), n[:, enough].sum(axis=1)], axis=1) - own
            both = np.hstack([own, all_others]).astype(float)
            both = both[(both[:, 1] > 0) & (both[:, 3] > 0)]
            if len(both):
                rows_.append((groups[place], kind))
                cells.append(both)
    names = ["group", "metric", "difference", "low", "high", "p_adjusted", "verdict"]
    if not cells:
        return pd.DataFrame(columns=names)

    def sides_at(level: float) -> list[Side]:
        levels = level, equivalence_confidence(level)
        ends = [[common_difference(one, at)[1] for at in levels] for one in cells]
        return [side_of(outer, inner, tolerance) for outer, inner in ends]

    p_values = np.array([cochran_mantel_haenszel(one, correction=False)[1] for one in cells])
    adjusted = holm(np.where(np.isnan(p_values), 1.0, p_values))
    sides = readings_by_holm(sides_at, len(cells), confidence)
    found = []
    for named, one, p_value, side in zip(rows_, cells, adjusted, sides, strict=True):
        difference, (low, high) = common_difference(one, confidence)
        verdict = verdict_by(side, likely=p_value < 1 - confidence and (low > 0 or high < 0))
        found.append((*named, difference, low, high, float(p_value), verdict))
    return pd.DataFrame(found, columns=names)
