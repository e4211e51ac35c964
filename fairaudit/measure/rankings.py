"""Who stands among the first of lists: the gap between two groups, exposure, who stands higher, and prefixes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_cases
from fairaudit.data.given import SaidLabels
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.disclosure.fields import AS_ABOVE, column, columns, figure, setting
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import REST
from fairaudit.findings.result import Result
from fairaudit.measure.comparison import check_settings, check_whole
from fairaudit.measure.controlled import column_list, lacking, no_rows, protected_condition
from fairaudit.measure.grouping import value_text
from fairaudit.measure.intervals import Floats, holm, two_sided_z
from fairaudit.measure.list_gaps import FirstPlaces, KindOfList, ListsAsked, gap_of_lists, gaps_of_kinds
from fairaudit.measure.not_known import ENDED_CASES, NotKnown, groups_not_known, refuse_open
from fairaudit.measure.places import (
    Bools,
    Ints,
    Places,
    by_chance,
    common_gap,
    lot_p_value,
    prefix_p_values,
    prefix_test,
    stands_higher,
)
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.results import Interval
from fairaudit.measure.verdicts import Verdict, equivalence_confidence

OrderedBy = Literal["rank", "score"]

MOST_PREFIXES = 60
"""Beginnings of lists that a picture shows."""

MANY_TIED = 0.5
"""Where a larger share of ranks repeats, and the first of them too, there may be several lists."""

PREFIXES = columns(
    first=column(int, "How many cases a beginning of a list holds.", "first", "count"),
    share=column(float, "Share of the protected group in it, over all lists that are as long.", "share", "share"),
    chance=column(float, "What places drawn by lot in each list would come to.", "by lot", "share"),
    low=column(float, "Where that would nearly always be, by `confidence`.", "by lot, range", "share_interval"),
    high=column(float, AS_ABOVE),
)
LEFT_OUT = columns(
    list=column(str, "The values that make the list.", "list"),
    n=column(int, "Its cases.", "cases", "count"),
    why=column(str, "Whether it has one group only, or is not longer than the first.", "why", "code"),
)


@dataclass(frozen=True)
class RankedGroup:
    """One group in the lists that are compared."""

    name: str = setting("The condition that makes the group, for people.")
    n: Hideable[int] = figure("Its cases.", label="cases", kind="count")
    n_first: float = figure(
        "Those among the first; cases that are alike count by their chance.", label="among the first", kind="number"
    )
    share: float = figure(
        "Share among the first, on average over lists with Mantel-Haenszel's weights.", label="share", kind="share"
    )


@dataclass(frozen=True)
class Exposure:
    """How much of the attention that falls off with places goes to the protected group.

    A place r gets ``1 / log2(1 + r)``.
    """

    found: float = figure("Share of the exposure of all lists.", label="exposure", kind="share")
    by_lot: float = figure("What places drawn by lot in each list would give.", label="by lot", kind="share")
    p_value: float = figure("Two-sided, of the difference of both.", label="p", kind="p")
    by_merit: float = figure(
        "What exposure in proportion to merit would give in each list; NaN without merit.",
        label="by merit",
        kind="share",
    )
    found_by_merit: float = figure(
        "The share of exposure in the lists that have a merit; NaN without.", label="exposure, with merit", kind="share"
    )
    n_with_merit: Hideable[int] = figure("Lists with a merit for each case.", label="lists, merit", kind="count")


@dataclass(frozen=True)
class StandsHigher:
    """How often a protected case stands higher than another of its list."""

    chance: float = figure("Ties count half; on average over lists.", label="stands higher", kind="share")
    interval: Interval = figure("Of that.", label="range", kind="share_interval")
    p_value: float = figure("Of van Elteren's test.", label="p", kind="p")


@dataclass(frozen=True)
class PrefixFinding:
    """Whether beginnings of lists hold too few protected cases, by the test of FA*IR."""

    n_failing: Hideable[int] = figure("Lists that fail, by Holm's method.", label="lists that fail", kind="count")
    place: int | None = figure(
        "Of one list, the first place up to which there are too few; None if there is none, or for several lists.",
        label="first place",
        kind="count",
    )
    p_value: float = figure("The smallest, by Holm's method.", label="p", kind="p")
    adjusted_level: float = figure(
        "Of one list, the level at each place; NaN for several.", label="level at a place", kind="number", digits=4
    )


@dataclass(frozen=True, eq=False)
class Rankings(Plain, Result):
    """Who stands among the first of lists."""

    ordered_by: OrderedBy = setting("Whether a rank or a score says the order.")
    column: str = setting("The column of the rank or score.")
    lowest_first: bool = setting("Whether the lowest score stands first; of ranks, it always does.")
    lists: tuple[str, ...] = setting("The columns that make the lists; none where all cases are one list.")
    first: int = setting("How many stand among the first.")
    merit: str | None = setting("The column of merit.")
    strata: tuple[str, ...] = setting("The columns that say of which kind a list is.")
    protected_condition: str = setting("Who is protected.")
    where: str | None = setting("The filter.")
    tolerance: float = setting("The largest gap that still counts as alike.")
    confidence: float = setting("Of the intervals.")
    protected: RankedGroup = figure("The two groups.")
    reference: RankedGroup = figure(AS_ABOVE)
    difference: float = figure("Mantel-Haenszel's common gap, protected minus reference.", kind="points")
    difference_interval: Interval = figure("At `confidence` (1 - a).", kind="points_interval")
    equivalence_interval: Interval = figure("The same at 1 - 2a.", kind="points_interval")
    p_value: float = figure("Two-sided, of places drawn by lot in each list.", label="p", kind="p")
    is_exact: Hideable[bool] = figure(
        "Whether that counts all draws by lot, rounded up at most; else it is of the normal distribution."
    )
    verdict: Hideable[Verdict] = figure("The answer with uncertainty, see verdict_by.")
    share_of_first: float = figure("Share of the protected group among the first.", kind="share")
    share_by_lot: float = figure("The same if places were drawn by lot in each list.", kind="share")
    exposure: Exposure = figure("Who gets how much of the attention.")
    higher: StandsHigher = figure("Who stands higher inside a list.")
    prefix: PrefixFinding = figure("Whether beginnings of lists hold too few.")
    prefixes: pd.DataFrame = figure(
        "Beginnings of lists: how many of the protected group they hold.", PREFIXES, label="Beginnings of lists"
    )
    n_lists: Hideable[int] = figure("All lists.", label="lists", kind="count")
    n_compared: Hideable[int] = figure("Lists that are compared.", label="compared", kind="count")
    n_both: Hideable[int] = figure("Lists with both groups.", label="with both groups", kind="count")
    n_one_group: Hideable[int] = figure("Lists with one group only.", label="one group only", kind="count")
    n_not_longer: Hideable[int] = figure(
        "Lists with both groups that are not longer than the first.", label="not longer", kind="count"
    )
    left_out: pd.DataFrame = figure("The lists that are not compared.", LEFT_OUT, label="Lists that are not compared")
    n_split: Hideable[int] = figure(
        "Compared lists in which cases that are alike stand on both sides of the last place.",
        label="split by ties",
        kind="count",
    )
    n_tied: Hideable[int] = figure("Cases that share their place.", label="tied", kind="count")
    n_unknown: Hideable[int] = figure("Cases in lists whose group is not known.", label="group unknown", kind="count")
    n_unranked: Hideable[int] = figure("Cases without a rank or score; no list holds them.", kind="count")
    n_unlisted: Hideable[int] = figure("Cases without a list.", kind="count")
    kinds: tuple[KindOfList, ...] = figure("Each kind of list; none without `strata`.", default=())
    kinds_left_out: tuple[str, ...] = figure("Kinds of which no list is compared.", default=())
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, default=())


def check_rankings(
    table: object,
    *,
    protected: Condition | str,
    first: int,
    rank: str | None = None,
    score: str | None = None,
    lowest_first: bool = False,
    lists: str | Sequence[str] = (),
    where: Condition | str | None = None,
    merit: str | None = None,
    strata: str | Sequence[str] = (),
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    labels: SaidLabels = None,
) -> Rankings:
    """Compare how often two groups stand among the first of their lists.

    Where there are no lists but decisions of yes and no, use :func:`fairaudit.check_controlled_fairness`.

    Parameters
    ----------
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB
        The data: a row for each case of a list.
    protected : Condition or str
        Who is protected. Cases of whom it is not known keep their places, and are in neither group.
    first : int
        How many stand among the first, at least 1.
    rank : str, optional
        The column of ranks, in each list 1 for the first. Cases with the same rank share their places.
    score : str, optional
        Instead, the column of scores that lists are ordered by.
    lowest_first : bool
        Whether the lowest score stands first.
    lists : str or sequence of str
        The columns that make the lists, such as posting and day; without one all cases are one list.
    where : Condition or str, optional
        Which cases are looked at; places are counted among these.
    merit : str, optional
        A column of numbers from 0 on that exposure is held against.
    strata : str or sequence of str
        The columns that say of which kind a list is, such as that of its posting; the gap is also found by kind.
    tolerance, confidence : float
        See :func:`fairaudit.check_controlled_fairness`.
    labels : mapping of str to mapping, optional
        By column, what its codes stand for.

    Returns
    -------
    Rankings
        The gap with its interval and verdict; exposure, who stands higher, the prefix test, and beginnings of lists.

    Raises
    ------
    InputError
        If a column, condition or setting does not fit, ranks begin below 1, a list has several kinds, or no list is
        longer than `first`.
    GroupError
        If no list has both groups, or no row meets the filter.

    Notes
    -----
    With ``m`` protected and ``r`` other cases in a list, of which the shares ``p`` and ``q`` stand among the first, the
    gap is ``sum(w (p - q)) / sum(w)`` with ``w = m r / (m + r)``, over lists with both groups that are longer than
    `first`. Where a lot decides between cases that are alike, each counts by its chance. The p-value is exact given the
    sizes of groups and lists, up to about 50 million products: of a sum of hypergeometric numbers, or where ties lie
    across the last place, of multivariate ones in which tied cases count by their chance; else by the normal
    distribution with the variance of places drawn by lot. There is a gap only
    where interval and p-value agree. The interval is Newcombe's for one list, else Sato's, and from 10 lists on it also
    reaches as far as the spread between lists says.

    Each list is of one kind, so the gap over all kinds is the one over all lists. Verdicts on kinds allow for all of
    them by Holm's method; their intervals do not.

    References
    ----------
    Mantel and Haenszel (1959); Sato (1989); van Elteren (1960); Singh and Joachims (2018), "Fairness of Exposure in
    Rankings"; Zehlike and others (2017), "FA*IR: A Fair Top-k Ranking Algorithm".

    Examples
    --------
    >>> people = pd.DataFrame({"sex": list("mmmfmfff"), "place": range(1, 9)})
    >>> found = check_rankings(people, protected="sex = 'f'", rank="place", first=3)
    >>> round(found.difference, 2), round(found.p_value, 3), round(found.higher.chance, 3), found.verdict
    (-0.75, 0.143, 0.062, 'too_few_to_tell')
    """
    check_settings(tolerance, confidence)
    order = _order(rank, score, lowest_first)
    check_whole("first", first, 1)
    table = as_cases(table, decision=order, labels=labels)
    if table.source.options.counts is not None:
        raise InputError(
            "Each row must be one case of a list, and here rows stand for several.",
            hint="Bring a table with a row for each case.",
        )
    condition, filtered = protected_condition(table, protected), table.condition(where)
    names = column_list(lists, "lists", table) if lists else ()
    kinds = column_list(strata, "strata", table) if strata else ()
    if kinds and not names:
        raise InputError(
            "'strata' says of which kind a list is, and all cases are one list.",
            hint="Name the columns that make the lists, too.",
        )
    read = _read(table, condition, filtered, order, names, kinds, merit)
    if merit is not None and read["merit"].isna().all():
        raise InputError(f"Column {quote(merit)} has no number to hold exposure against.", hint="Leave merit out.")
    is_high_first = score is not None and not lowest_first
    cases = _cases(read, order, names, kinds, is_rank=rank is not None, high_is_first=is_high_first)
    own = cases.known & cases.protected
    sizes = int(own.sum()), int((cases.known & ~own).sum())
    not_known = refuse_open(groups_not_known(table, condition, sizes=sizes, where=filtered))
    asked = ListsAsked(int(first), kinds, tolerance, confidence)
    return Rankings(
        ordered_by="rank" if rank is not None else "score",
        column=order,
        lowest_first=lowest_first,
        lists=names,
        first=int(first),
        merit=merit,
        strata=kinds,
        protected_condition=str(condition),
        where=None if filtered is None else str(filtered),
        tolerance=tolerance,
        confidence=confidence,
        not_known=not_known,
        **_compared(cases, condition, asked),
    )


@dataclass(frozen=True, eq=False)
class _Cases:
    """The cases of lists. Shapes: all (n,) but `names`, `size` and `kind_of_list`, which are of lists."""

    places: Places
    known: Bools
    protected: Bools
    merit: Floats | None
    names: list[str]
    size: Ints
    kinds: list[str]
    kind_of_list: Ints
    n_unranked: int
    n_unlisted: int


def _order(rank: str | None, score: str | None, lowest_first: bool) -> str:
    if (rank is None) == (score is None):
        raise InputError(
            "Give either 'rank' or 'score', the column that says who stands first.",
            hint="A rank is 1 for the first; a score may be high or low first.",
        )
    if rank is not None and lowest_first:
        raise InputError("'lowest_first' goes with 'score'; of ranks the lowest always stands first.")
    return str(score if rank is None else rank)


def _read(
    table: Table,
    condition: Condition,
    where: Condition | None,
    order: str,
    lists: Sequence[str],
    kinds: Sequence[str],
    merit: str | None,
) -> pd.DataFrame:
    for name in (order, *([] if merit is None else [merit])):
        if (kind := table.column(name).kind) != "number":
            raise InputError(
                f"Column {quote(name)} must hold numbers, got {kind} values.", hint="Name a column of numbers."
            )
    wanted = dict.fromkeys([*condition.columns, order, *lists, *kinds, *([] if merit is None else [merit])])
    frame = table.to_pandas(list(wanted), where=where)
    if not len(frame):
        raise no_rows(table, where)
    inside = condition.truth(frame)
    values = pd.DataFrame(
        {
            "value": frame[order].to_numpy(dtype=np.float64, na_value=np.nan),
            "known": inside.notna().to_numpy(dtype=bool),
            "protected": inside.fillna(False).to_numpy(dtype=bool),
            "merit": np.nan if merit is None else frame[merit].to_numpy(dtype=np.float64, na_value=np.nan),
        }
    )
    named = [(lists, "list"), (kinds, "kind")]
    return values.join(
        [frame[list(of)].set_axis([f"{what} {i}" for i in range(len(of))], axis=1) for of, what in named]
    )


def _cases(
    read: pd.DataFrame, order: str, lists: Sequence[str], kinds: Sequence[str], *, is_rank: bool, high_is_first: bool
) -> _Cases:
    keys, is_listed = [f"list {i}" for i in range(len(lists))], bool(lists)
    listed, ranked = read[keys].notna().all(axis=1).to_numpy(), np.isfinite(read["value"].to_numpy())
    held = read[listed & ranked]
    column = quote(order)
    if not len(held):
        raise InputError(
            f"No row looked at has a value in column {column}" + (" and a list." if is_listed else "."),
            hint="Name another column, or choose a wider filter.",
        )
    values = held["value"].to_numpy()
    if is_rank and values.min() < 1:
        raise InputError(
            f"Ranks must begin at 1, for the first, and the lowest in column {column} is {values.min():g}.",
            hint="If 0 means not ranked, say so of the column. Else take it as a score with the lowest first.",
        )
    if is_listed:
        codes = held.groupby(keys, sort=False, dropna=False).ngroup().to_numpy()
        firsts = held.drop_duplicates(keys)[keys]
        names = [", ".join(map(value_text, row)) for row in firsts.itertuples(index=False)]
    else:
        codes, names = np.zeros(len(held), dtype=np.int64), [""]
        n_first, repeated = int((values == values.min()).sum()), float(held["value"].duplicated(keep=False).mean())
        if is_rank and n_first > 1 and repeated > MANY_TIED:
            raise InputError(
                f"Ranks repeat in column {column}: {n_first:,} rows have the lowest, so there may be several lists.",
                hint="Name the column of the lists. If it is one list with many ties, take the column as a score with "
                "the lowest first.",
            )
    merit = held["merit"].to_numpy()
    if (merit < 0).any():
        raise InputError("Merit must be 0 or more, and some values are below.", hint="Name another column of merit.")
    if np.isinf(merit).any():
        raise InputError("Merit must be finite, and some values are infinite.", hint="Name another column of merit.")
    return _Cases(
        Places.of(codes, values, high_is_first=high_is_first),
        held["known"].to_numpy(),
        held["protected"].to_numpy(),
        None if np.isnan(merit).all() else merit,
        names,
        np.bincount(codes, minlength=len(names)),
        *_kind_of_lists(held, codes, kinds),
        int((listed & ~ranked).sum()),
        int((~listed).sum()),
    )


def _kind_of_lists(held: pd.DataFrame, codes: Ints, kinds: Sequence[str]) -> tuple[list[str], Ints]:
    """Return what kinds are called, in ascending order, and the kind of each list; a missing value says nothing."""
    if not kinds:
        return [], np.zeros(0, dtype=np.int64)
    columns = [f"kind {i}" for i in range(len(kinds))]
    by_list = held[columns].groupby(codes, sort=True)
    for name, several in zip(kinds, (by_list.nunique() > 1).any(), strict=True):
        if several:
            raise InputError(
                f"Some lists have several values in column {quote(name)}, so it does not say of which kind they are.",
                hint="Name it among the columns that make the lists, or leave it out.",
            )
    groups = by_list.first().groupby(columns, dropna=False, sort=True)
    names = [", ".join(map(value_text, key)) for key in groups.size().index.to_frame().itertuples(index=False)]
    return names, groups.ngroup().to_numpy(dtype=np.int64)


def _compared(cases: _Cases, condition: Condition, asked: ListsAsked) -> dict[str, Any]:
    """Return the figures of an answer by the names of their fields."""
    first, places, known = asked.first, cases.places, cases.known
    lists, protected = places.lists[known], cases.protected[known]
    n_lists = len(cases.names)
    own = np.bincount(lists, weights=protected, minlength=n_lists).astype(np.int64)
    n_known = np.bincount(lists, minlength=n_lists)
    both, longer = (own > 0) & (own < n_known), cases.size > first
    compared = both & longer
    _refuse_nothing(cases, condition, both, longer, own, n_known, first)
    chance = places.in_first(first)[known]
    inside = compared[lists]
    split = inside & (chance > 0) & (chance < 1)
    firsts = FirstPlaces(lists, protected, chance, places.tied[known]).of(inside)
    gap = gap_of_lists(firsts)
    difference, interval = common_gap(gap.cells, asked.confidence)
    own_group, reference = (
        RankedGroup(*each)
        for each in zip((condition.in_words(), REST), gap.sizes, gap.n_first, gap.shares, strict=True)
    )
    n_first = sum(gap.n_first)
    kinds = cases.kind_of_list[compared] if asked.kinds else None
    left = np.flatnonzero(~compared)
    return {
        "protected": own_group,
        "reference": reference,
        "difference": difference,
        "difference_interval": interval,
        "equivalence_interval": gap.interval(equivalence_confidence(asked.confidence)),
        "p_value": gap.p_value,
        "is_exact": gap.is_exact,
        "verdict": gap.verdict(gap.side(asked.tolerance, asked.confidence), asked.confidence),
        "share_of_first": gap.n_first[0] / n_first if n_first else math.nan,
        "share_by_lot": gap.by_lot / n_first if n_first else math.nan,
        **_beside(cases, both, asked),
        "n_lists": n_lists,
        "n_compared": int(compared.sum()),
        "n_both": int(both.sum()),
        "n_one_group": int((~both).sum()),
        "n_not_longer": int((both & ~longer).sum()),
        "left_out": pd.DataFrame(
            {
                "list": [cases.names[i] for i in left],
                "n": cases.size[left],
                "why": np.where(both[left], "not_longer", "one_group").astype(object),
            }
        ),
        "n_split": len(np.unique(lists[split])),
        "n_tied": int((places.tied > 1).sum()),
        "n_unknown": int((~known).sum()),
        "n_unranked": cases.n_unranked,
        "n_unlisted": cases.n_unlisted,
        "kinds": () if kinds is None else gaps_of_kinds(firsts, cases.kinds, kinds, asked),
        "kinds_left_out": () if kinds is None else tuple(np.delete(cases.kinds, np.unique(kinds)).tolist()),
    }


def _refuse_nothing(
    cases: _Cases, condition: Condition, both: Bools, longer: Bools, own: Ints, n_known: Ints, first: int
) -> None:
    for sums, who in ((own, condition), (n_known - own, None)):
        if not sums.any():
            raise lacking(who, f"no case among {len(cases.known):,} in lists", "no case in the lists looked at")
    if not longer.any():
        longest = int(cases.size.max())
        raise InputError(
            f"The first {first:,} are to be compared, and the longest list has {longest:,} "
            + ("case." if longest == 1 else "cases."),
            hint="Name fewer who stand among the first, or the columns that make the lists.",
        )
    if not (both & longer).any():
        raise GroupError(
            f"None of {len(both):,} lists has cases of both groups and more than {first:,}.",
            uncounted=f"No list has cases of both groups and more than {first:,}.",
            hint="Make the lists by fewer columns, or name fewer who stand among the first.",
        )


def _beside(cases: _Cases, both: Bools, asked: ListsAsked) -> dict[str, Any]:
    """Return what lists with both groups say beside the gap."""
    held = cases.known & both[cases.places.lists]
    # Without those of neither group, and numbered anew.
    codes, lists = np.unique(cases.places.lists[held], return_inverse=True)
    middle, protected = cases.places.middle[held], cases.protected[held]
    places = Places.of(lists, middle, high_is_first=False)
    higher = stands_higher(places, protected, asked.confidence)
    exposure = cases.places.exposure[held]
    return {
        "exposure": _exposure(lists, protected, exposure, None if cases.merit is None else cases.merit[held]),
        "higher": StandsHigher(higher.chance, higher.interval, higher.p_value),
        "prefix": _prefix(places, protected, asked),
        "prefixes": _prefixes(cases, codes, held, lists, asked),
    }


def _exposure(lists: Ints, protected: Bools, exposure: Floats, merit: Floats | None) -> Exposure:
    total, by_lot = float(exposure.sum()), by_chance(lists, protected, exposure)
    found = (by_lot.found / total, by_lot.expected / total, lot_p_value(lists, protected, exposure))
    if merit is None:
        return Exposure(*found, math.nan, math.nan, 0)
    n_lists = int(lists.max()) + 1
    worth = np.bincount(lists, weights=merit, minlength=n_lists)  # NaN where a merit is missing
    own, all_exposure = (
        np.bincount(lists, weights=of, minlength=n_lists) for of in (np.where(protected, merit, 0.0), exposure)
    )
    has_merit = worth > 0
    if not has_merit.any():
        return Exposure(*found, math.nan, math.nan, 0)
    summed = float(all_exposure[has_merit].sum())
    by_merit = float((all_exposure * own / np.where(has_merit, worth, 1.0))[has_merit].sum()) / summed
    got = float(exposure[protected & has_merit[lists]].sum()) / summed
    return Exposure(*found, by_merit, got, int(has_merit.sum()))


def _prefix(places: Places, protected: Bools, asked: ListsAsked) -> PrefixFinding:
    """Test the beginnings of each list; of those alike, protected cases go first, so that no lot undoes a failure."""
    order = np.lexsort((~protected, places.ahead, places.lists))
    lists, own = places.lists[order], protected[order]
    size = np.bincount(lists)
    begins = np.r_[0, np.cumsum(size)[:-1]]
    summed = np.r_[0, np.cumsum(own)]
    total = summed[begins + size] - summed[begins]
    p_values = np.empty(len(size))
    for n, m in np.unique(np.column_stack([size, total]), axis=0):
        these = np.flatnonzero((size == n) & (total == m))
        ends = begins[these][:, None] + np.arange(1, min(asked.first, n) + 1)
        p_values[these] = prefix_p_values(summed[ends] - summed[begins[these]][:, None], m / n)
    adjusted = holm(p_values)
    n_failing = int((adjusted <= 1 - asked.confidence).sum())
    if len(size) > 1:
        return PrefixFinding(n_failing, None, float(adjusted.min()), math.nan)
    test = prefix_test(min(asked.first, len(own)), float(own.mean()), 1 - asked.confidence)
    return PrefixFinding(n_failing, test.first_failure(own), float(adjusted.min()), test.adjusted_level)


def _prefixes(cases: _Cases, codes: Ints, held: Bools, lists: Ints, asked: ListsAsked) -> pd.DataFrame:
    """Return how many of beginnings of lists are protected, over the lists that are as long."""
    protected, size = cases.protected[held], cases.size[codes]
    places = Places(lists, cases.places.ahead[held], cases.places.tied[held])
    last = int(min(size.max(), max(2 * asked.first, 10)))
    firsts = np.unique(np.r_[np.linspace(1, last, min(last, MOST_PREFIXES)).round(), min(asked.first, last)])
    z, rows = two_sided_z(asked.confidence), []
    for first in firsts.astype(int):
        chance, is_long = places.in_first(first), (size >= first).astype(float)
        total = float((chance * is_long[lists]).sum())
        if not total:
            continue
        lot = by_chance(lists, protected, chance, is_long)
        share, half = lot.expected / total, z * math.sqrt(lot.variance) / total
        rows.append((first, lot.found / total, share, max(share - half, 0.0), min(share + half, 1.0)))
    return pd.DataFrame(rows, columns=list(PREFIXES))
