"""Decisions in levels, such as grades or three outcomes: who gets which, and who is placed better."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.roles import make_outcome
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.errors import InputError, near_names, quote
from fairaudit.findings.result import Result
from fairaudit.measure.bands import Part, counted, strata_parts, stratum_values
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.controlled import check_both, check_others, column_list, no_rows, protected_condition
from fairaudit.measure.grouping import check_group_count, group_names, plain_value, value_text
from fairaudit.measure.intervals import Floats, equality_p_value, holm, newcombe
from fairaudit.measure.level_tests import ADDED, UNDEFINED, association, relative_effect, score_test
from fairaudit.measure.not_known import ENDED_CASES, NotKnown, find_not_known, refuse_open
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.results import Interval
from fairaudit.measure.strata import cochran_mantel_haenszel, common_difference
from fairaudit.measure.verdicts import Side, Verdict, equivalence_confidence, side_of, verdict_by
from fairaudit.measure.verdicts_of_many import readings_by_holm

MOST_LEVELS: Final = 20
"""The most levels that a decision may have."""


@dataclass(frozen=True)
class LevelGap:
    """How often both groups get a level or, where levels are ordered, at least that level."""

    level: str = setting("The level.", label="level")
    share_protected: float = figure("Share of the protected group; NaN over strata.", label="protected", kind="share")
    share_others: float = figure("The same of everyone else.", label="everyone else", kind="share")
    difference: float = figure("Protected minus others; over strata Mantel-Haenszel's.", label="gap", kind="points")
    difference_interval: Interval = figure(
        "Newcombe's interval of it, or Sato's over strata; of this level by itself.",
        label="likely range",
        kind="points_interval",
    )
    p_adjusted: float = figure("Two-sided, adjusted by Holm's method for all levels.", label="p", kind="p")
    verdict: Hideable[Verdict] = figure("The verdict on this level among all of them.", label="reading", kind="code")


@dataclass(frozen=True)
class LevelAnswer:
    """Two groups compared on all levels."""

    effect: float = figure(
        "Where levels are ordered, the chance that one of the protected group is placed better than one of the others, "
        "ties half; else NaN."
    )
    effect_interval: Interval = figure("Brunner and Munzel's, with two people added to each group.")
    difference: float = figure("Twice that minus 1: pairs placed better minus pairs placed worse.", kind="points")
    difference_interval: Interval = figure("Of it, at `confidence` (1 - a).", kind="points_interval")
    equivalence_interval: Interval = figure("The same at 1 - 2a.", kind="points_interval")
    p_value: float = figure("Of the one test over all levels: by midranks where levels are ordered, else of shares.")
    verdict: Hideable[Verdict] = figure("The answer with uncertainty, see verdict_by.")
    levels: tuple[LevelGap, ...] = figure("Each level; where levels are ordered, at least each but the last.")


@dataclass(frozen=True)
class LevelsOfStratum:
    """Two groups compared on all levels inside a stratum, or one of all groups with everyone else."""

    name: str = setting("The values that make it.")
    n_protected: Hideable[int] = figure("People of both groups with a known level.")
    n_others: Hideable[int] = figure(AS_ABOVE)
    effect: float = figure("As of all people; NaN where levels are not ordered.")
    effect_interval: Interval = figure("Of it alone.")
    level: str | None = figure("The level, or at least the level, with the largest gap.")
    difference: float = figure("That gap.", kind="points")
    p_adjusted: float = figure("Of the test over all levels, adjusted by Holm's method for all of these.")
    verdict: Hideable[Verdict] = figure("The verdict among all of these.")


@dataclass(frozen=True)
class LevelsWithin:
    """Two groups compared on all levels among similar cases."""

    columns: tuple[str, ...] = setting("The columns that make the strata.")
    together: LevelAnswer = figure("Over all strata.")
    strata: tuple[LevelsOfStratum, ...] = figure("Those with both groups.")
    left_out: tuple[str, ...] = figure("Those in which one of the groups is empty.")


@dataclass(frozen=True)
class LevelsByGroup:
    """Each value of some columns (crossed) compared with everyone else on all levels."""

    columns: tuple[str, ...] = setting("The columns that make the groups.")
    groups: tuple[LevelsOfStratum, ...] = figure("In ascending order.")


@dataclass(frozen=True)
class ControlledLevels(Plain, Result):
    """The answer of :func:`fairaudit.check_levels`."""

    decision: str = setting("The column of levels.")
    levels: tuple[str, ...] = setting("All levels, the best first where they are ordered.")
    ordered: bool = setting("Whether the first is the best and the last the worst.")
    protected_condition: str = setting("Who is protected.")
    where: str | None = setting("The filter.")
    tolerance: float = setting("The largest gap that still counts as alike.")
    confidence: float = setting("Of the intervals.")
    n_by_level: tuple[tuple[int, int], ...] = figure("People of both groups at each level, the protected one first.")
    unknown: Hideable[int] = figure("Rows of neither group.")
    undecided: Hideable[int] = figure("Rows in a group without a level.")
    answer: LevelAnswer = figure("Of all people.")
    within: LevelsWithin | None = figure("Among similar cases; None without strata.", default=None)
    by_group: tuple[LevelsByGroup, ...] = figure("All groups of columns.", default=())
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on all people; None where it is hidden."""
        return self.answer.verdict

    @property
    def sizes(self) -> tuple[int, int]:
        """People of both groups with a known level, the protected one first."""
        return sum(own for own, _ in self.n_by_level), sum(other for _, other in self.n_by_level)


@dataclass(frozen=True)
class LevelQuestion:
    """What is asked of counts by level.

    Parameters
    ----------
    ordered : bool
        Whether the first of the levels is the best.
    levels : tuple of str
        All levels.
    tolerance, confidence : float
        The largest gap that counts as alike, and that of the intervals.
    """

    ordered: bool
    levels: tuple[str, ...]
    tolerance: float
    confidence: float

    @property
    def error(self) -> float:
        """How often a test may find a gap where there is none."""
        return 1 - self.confidence

    @property
    def questions(self) -> int:
        """How many levels there are to allow for; of two, each is what the other is not."""
        n = len(self.levels)
        return 1 if n == 2 else n - self.ordered


@documented()
def check_levels(
    table: object,
    *,
    decision: str,
    protected: Condition | str,
    levels: Sequence[object] | None = None,
    ordered: bool = False,
    strata: str | Sequence[str] = (),
    by: str | Sequence[str] | Sequence[Sequence[str]] = (),
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    strata_cuts: Mapping[str, Sequence[float]] | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> ControlledLevels:
    """Compare who gets which level, and who is placed better, with one test over all levels.

    Where levels are ordered: ``p = P(protected better than other) + P(alike) / 2``, and ``2 p - 1`` is the gap that
    the tolerance is about; with two levels it is that of :func:`fairaudit.check_controlled_fairness`. Where they are
    not, the gap of each level is. Where one level alone is good, use that function.

    Parameters
    ----------
    decision : str
        The column of levels.
    levels : sequence of values, optional
        All levels, the best first where they are ordered; without them all values of the column.
    ordered : bool
        Whether the first level is the best and the last the worst.
    strata : str or sequence of str
        The columns within whose values (crossed) the question is asked again.
    by : str, sequence of str, or sequence of sequences of str
        Columns each value of which (crossed within an entry) is compared with everyone else.
    strata_cuts : mapping of str to sequence of float, optional
        For columns of numbers among `strata`, the cuts between bands.

    Returns
    -------
    ControlledLevels
        The verdict, each level, similar cases and all groups.

    Raises
    ------
    InputError
        If a column, level, condition or setting does not fit.
    GroupError
        If no row meets the filter, or there are fewer than two groups with rows to compare.

    Notes
    -----
    One GROUP BY a question. With ordered levels there is a gap where the score test by midranks finds one and the
    interval of ``2 p - 1`` leaves out zero; it is ``clear_gap`` where that is wholly beyond the tolerance, and
    ``no_gap_above_tolerance`` where the one at ``1 - 2a`` lies within (``a = 1 - confidence``). Without an order there
    is a gap where the test of all shares finds one, clear where that of a level is, and none above the tolerance where
    that holds for each level. Levels are read by Holm's method. Where levels are rare, tests deal them out at random.

    References
    ----------
    Brunner and Munzel (2000); van Elteren (1960); Landis, Heyman and Koch (1978); Holm (1979).

    Examples
    --------
    >>> data = pd.DataFrame({"sex": list("FFFFMMMM") * 9, "grade": list("ABCCAABC") * 9})
    >>> result = check_levels(data, decision="grade", protected="sex = 'F'", levels=["A", "B", "C"], ordered=True)
    >>> result.answer.effect, round(result.answer.difference, 3), result.verdict
    (0.34375, -0.312, 'clear_gap')
    """
    check_settings(tolerance, confidence)
    table = as_cases(table, decision=decision, counts=counts, labels=labels)
    condition, within = protected_condition(table, protected), table.condition(where)
    named = named_levels(table, decision, levels, ordered=ordered)
    outcome = make_outcome(table, decision, next(iter(named.values())))
    columns = [] if not strata else list(column_list(strata, "strata", table))
    parts = strata_parts(table, columns, strata_cuts) if columns else []
    entries = _entries(by, table)
    used = (*columns, *(name for entry in entries for name in entry))
    tally = _counted(table, decision, [condition, *parts], within)
    inside, outside = _sides(tally)
    known = tally["level"].notna()
    check_others(condition.in_words(), int(tally.loc[inside, "n"].sum()), int(tally["n"].sum()))
    sizes = [
        (int(tally.loc[side & known, "n"].sum()), int(tally.loc[side & ~known, "n"].sum()))
        for side in (inside, outside)
    ]
    unknown = int(tally.loc[~(inside | outside), "n"].sum())
    check_both(condition, sizes, unknown, "a level")
    not_known = refuse_open(
        find_not_known(
            table,
            outcome,
            where=within,
            protected=condition,
            sizes=(sizes[0][0], sizes[1][0]),
            used=tuple(dict.fromkeys(used)),
        )
    )
    names = tuple(named)
    refuse_unnamed(tally.loc[known, "level"], names, decision)
    settings = LevelQuestion(ordered, names, tolerance, confidence)
    pair = (_by_level(tally[inside], names), _by_level(tally[outside], names))
    return ControlledLevels(
        decision=decision,
        levels=names,
        ordered=ordered,
        protected_condition=str(condition),
        where=None if within is None else str(within),
        tolerance=tolerance,
        confidence=confidence,
        n_by_level=tuple(zip(pair[0].tolist(), pair[1].tolist(), strict=True)),
        unknown=unknown,
        undecided=sum(without for _, without in sizes),
        answer=compare_levels([pair], settings),
        within=_within(tally, parts, tuple(columns), settings) if columns else None,
        by_group=tuple(_by_group(table, decision, entry, within, settings) for entry in entries),
        not_known=not_known,
    )


def named_levels(
    table: Table, decision: str, levels: Sequence[object] | None, *, ordered: bool, predicted: str | None = None
) -> dict[str, object]:
    """Check levels against the values that occur, also as predicted ones; return their texts and values, in order."""
    columns = [decision] if predicted is None else [decision, predicted]
    values = (plain_value(value) for name in columns for value in table.values(name)["value"])
    found = {value_text(value): value for value in values if value is not None}
    if levels is None:
        if ordered:
            raise InputError("Ordered levels must be named, the best first.", hint=f"Such as {_some(found)}.")
        levels = sorted(found.values(), key=lambda value: (isinstance(value, str), value))
    if isinstance(levels, str) or not isinstance(levels, Sequence):
        raise InputError(f"'levels' must be a list of values, got {levels!r}.")
    texts = [value_text(plain_value(table.column(decision).labelled(level))) for level in levels]
    if twice := next((text for text in texts if texts.count(text) > 1), None):
        raise InputError(f"The level {quote(twice)} is named twice.", hint="Name each level once.")
    if missing := next((text for text in texts if text not in found), None):
        raise InputError(
            f"The level {quote(missing)} does not occur in column {quote(decision)}.", hint=near_names(missing, found)
        )
    if len(texts) < 2:
        raise InputError(
            f"Column {quote(decision)} needs at least two levels, got {len(texts)}.", hint="Name all levels that occur."
        )
    if len(texts) > MOST_LEVELS:
        raise InputError(
            f"Column {quote(decision)} has {len(texts)} levels, and at most {MOST_LEVELS} are compared.",
            hint="Ask for a column of fewer levels, or compare amounts.",
        )
    return {text: found[text] for text in texts}


def _some(found: Mapping[str, object]) -> str:
    return ", ".join(map(quote, list(found)[:5]))


def refuse_unnamed(held: pd.Series, names: Sequence[str], decision: str) -> None:
    """Refuse values that are no level: whoever has one would silently drop out."""
    other = next((text for text in map(value_text, map(plain_value, held)) if text not in names), None)
    if other is not None:
        raise InputError(
            f"Column {quote(decision)} holds {quote(other)}, which is not among the levels.",
            hint="Name it too, leave its rows out with a filter, or say that it means not known.",
        )


def _entries(by: str | Sequence[str] | Sequence[Sequence[str]], table: Table) -> list[tuple[str, ...]]:
    given = [by] if isinstance(by, str) else list(by)
    return [column_list(entry, "by", table) for entry in given]


def _counted(table: Table, decision: str, parts: Sequence[Part], where: Condition | None) -> pd.DataFrame:
    """Count rows by parts, in columns 0, 1, ..., and level."""
    by: dict[str, Part] = {str(place): part for place, part in enumerate(parts)} | {"level": decision}
    tally = counted(partial(table.counts, where=where), by)
    tally["n"] = tally["n"].astype("int64")
    if not tally["n"].sum():
        raise no_rows(table, where)
    return tally.rename(columns={str(place): place for place in range(len(parts))})


def _sides(tally: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    return tally[0].fillna(False).astype(bool), (~tally[0].fillna(True)).astype(bool)


def _by_level(part: pd.DataFrame, names: Sequence[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return how many rows of a tally have each level."""
    texts = part["level"].map(lambda value: value_text(plain_value(value)), na_action="ignore")
    return part.groupby(texts)["n"].sum().reindex(names, fill_value=0).to_numpy(dtype=np.int64)


def compare_levels(strata: Sequence[tuple[Any, Any]], settings: LevelQuestion) -> LevelAnswer:
    """Compare both groups over strata, each given by the counts of both by level; one stratum is all people."""
    if not len(strata):
        nothing = (math.nan, UNDEFINED, math.nan, UNDEFINED, UNDEFINED, math.nan)
        return LevelAnswer(*nothing, "nothing_to_compare", ())
    counts = np.array(strata, dtype=float)
    gaps = _gaps(counts, settings)
    comparable = bool((counts.sum(axis=(0, 1)) > 0).sum() > 1)
    if not settings.ordered:
        p_value = association(strata)[2]
        sides = {gap.verdict for gap in gaps}
        side: Side = "beyond" if "clear_gap" in sides else "open"
        if all(side == "within" for side in _sides_at(counts, settings, settings.confidence)):
            side = "within"
        verdict = verdict_by(side, likely=p_value < settings.error, comparable=comparable)
        return LevelAnswer(math.nan, UNDEFINED, math.nan, UNDEFINED, UNDEFINED, p_value, verdict, gaps)
    effect, around = relative_effect(strata).value, relative_effect(strata, added=ADDED)
    outer = around.interval(settings.confidence)
    ends = _doubled(outer), _doubled(around.interval(equivalence_confidence(settings.confidence)))
    p_value = score_test(strata)
    likely = p_value < settings.error and (ends[0].low > 0 or ends[0].high < 0)
    verdict = verdict_by(side_of(*ends, settings.tolerance), likely=likely, comparable=comparable)
    return LevelAnswer(effect, outer, 2 * effect - 1, *ends, p_value, verdict, gaps)


def _side(pair: tuple[Any, Any], settings: LevelQuestion, confidence: float) -> Side:
    """Say where a pair of groups lies at a confidence: by who is placed better, or by all levels together."""
    if settings.ordered:
        around = relative_effect([pair], added=ADDED)
        outer, inner = (_doubled(around.interval(level)) for level in (confidence, equivalence_confidence(confidence)))
        return side_of(outer, inner, settings.tolerance)
    counts = np.array([pair], dtype=float)
    if set(_sides_at(counts, settings, confidence)) == {"within"}:
        return "within"
    read = readings_by_holm(lambda level: _sides_at(counts, settings, level), settings.questions, confidence)
    return "beyond" if "beyond" in read else "open"


def _doubled(ends: Interval) -> Interval:
    return Interval(2 * ends.low - 1, 2 * ends.high - 1)


def _cells(strata: Floats, settings: LevelQuestion) -> list[Floats]:
    """Return, for each level that is read, counts that have it and sizes: shapes (n_strata, 4)."""
    strata = strata[(strata.sum(axis=2) > 0).all(axis=1)]
    had = np.cumsum(strata, axis=2)[:, :, :-1] if settings.ordered else strata
    sizes = strata.sum(axis=2)
    return [np.column_stack([had[:, 0, k], sizes[:, 0], had[:, 1, k], sizes[:, 1]]) for k in range(had.shape[2])]


def _gap_at(cells: Floats, confidence: float) -> Interval:
    if len(cells) == 1:
        low, high = newcombe(cells[:, 0], cells[:, 1], cells[:, 2], cells[:, 3], confidence)
        return Interval(float(low[0]), float(high[0]))
    return common_difference(cells, confidence)[1]


def _sides_at(strata: Floats, settings: LevelQuestion, confidence: float) -> list[Side]:
    return [
        side_of(_gap_at(each, confidence), _gap_at(each, equivalence_confidence(confidence)), settings.tolerance)
        for each in _cells(strata, settings)
    ]


def _gaps(strata: Floats, settings: LevelQuestion) -> tuple[LevelGap, ...]:
    """Compare both groups on each level, or on at least each level, with verdicts by Holm's method."""
    cells = _cells(strata, settings)
    if not len(cells[0]):
        return ()
    alone = len(cells[0]) == 1
    p_values = [
        float(equality_p_value(*each.T)[0]) if alone else cochran_mantel_haenszel(each, correction=False)[1]
        for each in cells
    ]
    adjusted = p_values if settings.questions == 1 else list(holm(p_values))
    sides = readings_by_holm(lambda level: _sides_at(strata, settings, level), settings.questions, settings.confidence)
    found = []
    for level, each, p_value, side in zip(settings.levels, cells, adjusted, sides, strict=False):
        have, n, others_have, m = each.sum(axis=0)
        shares = (have / n, others_have / m)
        difference = shares[0] - shares[1] if alone else common_difference(each, settings.confidence)[0]
        verdict = verdict_by(side, likely=p_value < settings.error, comparable=0 < have + others_have < n + m)
        own, other = map(float, shares) if alone else (math.nan, math.nan)
        ends = _gap_at(each, settings.confidence)
        found.append(LevelGap(level, own, other, float(difference), ends, float(p_value), verdict))
    return tuple(found)


def _within(
    tally: pd.DataFrame, parts: Sequence[Any], columns: tuple[str, ...], settings: LevelQuestion
) -> LevelsWithin:
    """Compare both groups inside strata, and over all of them."""
    keys = list(range(1, len(parts) + 1))
    check_group_count(len(tally[keys].drop_duplicates()), columns)
    named, pairs, left_out = [], [], []
    ordered = tally.sort_values(keys, kind="stable", na_position="last")
    for key, part in ordered.groupby(keys, dropna=False, sort=False):
        inside, outside = _sides(part)
        own, other = _by_level(part[inside], settings.levels), _by_level(part[outside], settings.levels)
        name = ", ".join(value_text(value) for _, value in stratum_values(parts, key))
        if own.sum() and other.sum():
            named.append(name)
            pairs.append((own, other))
        elif own.sum() or other.sum():
            left_out.append(name)
    rows = _each(named, pairs, settings, len(pairs))
    return LevelsWithin(columns, compare_levels(pairs, settings), rows, tuple(left_out))


def _by_group(
    table: Table, decision: str, columns: tuple[str, ...], where: Condition | None, settings: LevelQuestion
) -> LevelsByGroup:
    """Compare each group of columns with everyone else whose group is known."""
    tally = _counted(table, decision, columns, where)
    keys = list(range(len(columns)))
    tally = tally[tally[keys].notna().all(axis=1)]
    groups = [(key, _by_level(part, settings.levels)) for key, part in tally.groupby(keys, sort=True)]
    groups = [(key, own) for key, own in groups if own.sum()]
    check_group_count(len(groups), columns)
    names = group_names(pd.DataFrame([key for key, _ in groups])) if groups else []
    whole = np.sum([own for _, own in groups], axis=0)
    pairs = [(own, whole - own) for _, own in groups if (whole - own).sum()]
    # Of two groups, each is everyone else to the other.
    return LevelsByGroup(columns, _each(names, pairs, settings, 1 if len(pairs) == 2 else len(pairs)))


def _each(
    names: Sequence[str], pairs: Sequence[tuple[Any, Any]], settings: LevelQuestion, questions: int
) -> tuple[LevelsOfStratum, ...]:
    """Compare each of several pairs of groups, with verdicts that allow for all of them by Holm's method."""
    if not pairs:
        return ()
    alone = [compare_levels([pair], settings) for pair in pairs]
    p_values = [each.p_value for each in alone]
    adjusted = p_values if questions == 1 else holm(p_values)
    sides = readings_by_holm(
        lambda level: [_side(pair, settings, level) for pair in pairs], questions, settings.confidence
    )
    found = []
    for name, pair, answer, p_value, side in zip(names, pairs, alone, adjusted, sides, strict=True):
        low, high = answer.difference_interval
        likely = p_value < settings.error and (not settings.ordered or low > 0 or high < 0)
        verdict = verdict_by(side, likely=likely, comparable=answer.verdict != "nothing_to_compare")
        largest = max(answer.levels, key=lambda gap: abs(gap.difference))
        found.append(
            LevelsOfStratum(
                name=name,
                n_protected=int(pair[0].sum()),
                n_others=int(pair[1].sum()),
                effect=answer.effect,
                effect_interval=answer.effect_interval,
                level=largest.level,
                difference=largest.difference,
                p_adjusted=float(p_value),
                verdict=verdict,
            )
        )
    return tuple(found)
