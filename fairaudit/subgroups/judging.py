"""Subgroups on rows: their figures, and on rows that the search never saw their intervals and tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from fairaudit.columns import SurveyDesign
from fairaudit.measure import weighted, weighted_means
from fairaudit.measure.intervals import exact_p_value, newcombe, weighted_holm
from fairaudit.measure.means import Moments, welch_interval, welch_p_value
from fairaudit.measure.results import Interval
from fairaudit.measure.weighted import CLUSTER, PAIR, STRATUM, Drawn
from fairaudit.measure.weighted import sampled as sampled_pair
from fairaudit.subgroups.cells import Cells, ColumnLevels, Sampled
from fairaudit.subgroups.chance import Chance, dealt_p_value
from fairaudit.subgroups.kinds import Ranking
from fairaudit.subgroups.results import Subgroup, SubgroupFigures
from fairaudit.subgroups.search import Conjunction, Population, SubgroupSearchEnd

# What is shown: the best of each ranking, without those that are mostly the same people.

SHOWN: Final[dict[Ranking, int]] = {"evidence": 5, "people": 3, "gap": 3}
"""Subgroups that each ranking shows, at most; those that are asked last cost the others little."""

ORDER: Final[tuple[Ranking, ...]] = ("evidence", "people", "gap")
"""Rankings in the order in which their best are chosen: where two are mostly the same people, the clearest stays."""

SAME_PEOPLE: Final = 0.5
"""Two subgroups are mostly the same people where they share this much of the smaller one."""

TWICE: Final = 2.0
"""A subgroup of the same people is shown beside a clearer one where its gap is as many times as large."""

STEPS: Final = 50
"""Halvings of a p-value that is looked for."""

NAMED: Final = 5
"""Folded subgroups that are named."""


@dataclass
class ShownSubgroup:
    """A subgroup that is shown.

    Parameters
    ----------
    found : Conjunction
        It.
    inside : ndarray of bool, shape (n_cells,)
        The cells that it holds in.
    rankings : list of str
        The rankings that show it, or whose first is mostly the same people.
    folded : list of Conjunction
        Others that are mostly the same people.
    """

    found: Conjunction
    inside: NDArray[np.bool_]
    rankings: list[Ranking]
    folded: list[Conjunction] = field(default_factory=list)


def chosen(
    cells: Cells, columns: Sequence[ColumnLevels], population: Population, searched: SubgroupSearchEnd, chance: Chance
) -> list[ShownSubgroup]:
    """Choose what is shown, the clearest on these rows first: that is the order in which the other rows are asked.

    The first of each ranking is always shown, itself or by one that is mostly the same people and clearer. A further
    one must be other people; by its gap or by people affected, it must also be better than the best of most shuffles.
    """
    shown: list[ShownSubgroup] = []
    for ranking in ORDER:
        by_chance = 0.0 if ranking == "evidence" or not chance.n_shuffles else float(np.median(chance.best[ranking]))
        n_shown = 0
        for found in searched.best[ranking]:
            if n_shown == SHOWN[ranking] or (n_shown and found.score <= by_chance):
                break
            inside = found.holds(cells.codes, columns)
            like = next((each for each in shown if _mostly_the_same(cells, each, found, inside)), None)
            if like is None:
                shown.append(ShownSubgroup(found, inside, [ranking]))
                n_shown += 1
                continue
            is_it = like.found.is_like(found)
            if ranking not in like.rankings and (is_it or not n_shown):
                like.rankings.append(ranking)
                n_shown += 1
            if not is_it and len(like.folded) < NAMED and not any(map(found.is_like, like.folded)):
                like.folded.append(found)
    return sorted(shown, key=lambda each: -_evidence(cells, population, each))


def _evidence(cells: Cells, population: Population, each: ShownSubgroup) -> float:
    """Return the gap on the rows that were searched, in standard errors."""
    rows = np.array([float(cells.mass[each.inside].sum())])
    excess = population.excess(rows, math.fsum(cells.total[each.inside].tolist()))
    return float(abs(excess * population.factor("evidence", rows))[0])


def _mostly_the_same(cells: Cells, one: ShownSubgroup, found: Conjunction, inside: NDArray[np.bool_]) -> bool:
    """Say whether most of the smaller of two subgroups are in the other one, or one is mostly everybody else.

    One whose gap is far larger than that of a clearer one is another answer to where it is worst. Everybody else, with
    the opposite gap, must share most of all who are in either: nearly all subgroups are part of so many.
    """
    if one.found.sign != found.sign:
        return _rows(cells, inside & ~one.inside) >= SAME_PEOPLE * _rows(cells, inside | ~one.inside)
    smaller = min(_rows(cells, one.inside), _rows(cells, inside))
    is_more = abs(_gap(cells, inside)) >= TWICE * abs(_gap(cells, one.inside))
    return _rows(cells, one.inside & inside) >= SAME_PEOPLE * smaller and not is_more


def _rows(cells: Cells, inside: NDArray[np.bool_]) -> int:
    return int(cells.n[inside].sum())


def _gap(cells: Cells, inside: NDArray[np.bool_]) -> float:
    """Return the share or mean of a subgroup less that of everybody else, on the rows that were searched."""
    one, other = (math.fsum(cells.total[part].tolist()) / _sum(cells.mass[part]) for part in (inside, ~inside))
    return one - other


def judged(
    shown: Sequence[ShownSubgroup],
    columns: Sequence[ColumnLevels],
    searched: Cells,
    held_out: Cells | None,
    *,
    shares: bool,
    confidence: float,
) -> tuple[Subgroup, ...]:
    """Return what is shown, with its figures on both halves of the rows.

    The searching half says which way each gap goes and which is clearest; so each is tested in that direction, and the
    clearest gets half of the error, the next half of what is left, and so on. With half of it, what stands out has an
    interval without 0; where more is left over from others, that is asked for, too.
    """
    tests = [_test(each, columns, held_out, shares, confidence) for each in shown]
    weights = 0.5 ** np.arange(1, len(shown) + 1)
    adjusted = weighted_holm([p_value for _, _, p_value in tests], weights)
    return tuple(
        Subgroup(
            condition=_condition(each, columns),
            words=_words(each.found.columns, each.found.literals, columns),
            rankings=tuple(each.rankings),
            trained=_figures(searched, each.inside, shares),
            held_out=figures,
            interval=interval,
            p_value=p_value,
            p_adjusted=float(p_adjusted),
            stands_out=bool(p_adjusted < 1 - confidence) and _is_beyond(interval, each.found.sign),
            same_people=tuple(_words(other.columns, other.literals, columns) for other in each.folded),
        )
        for each, (figures, interval, p_value), p_adjusted in zip(shown, tests, adjusted, strict=True)
    )


def _is_beyond(interval: Interval | None, sign: int) -> bool:
    """Say whether an interval lies on one side of no gap."""
    if interval is None:
        return False
    return interval.low > 0 if sign > 0 else interval.high < 0


def _test(
    each: ShownSubgroup, columns: Sequence[ColumnLevels], held_out: Cells | None, shares: bool, confidence: float
) -> tuple[SubgroupFigures | None, Interval | None, float]:
    if held_out is None:
        return None, None, math.nan
    inside, sign = each.found.holds(held_out.codes, columns), each.found.sign
    figures = _figures(held_out, inside, shares)
    if held_out.sampled is not None:
        return figures, *_by_design(held_out, held_out.sampled, inside, figures, sign, shares, confidence)
    if figures.positives is None or figures.rest_positives is None:
        group, rest = _moments(held_out, inside), _moments(held_out, ~inside)
        if min(group["n"], rest["n"]) < 2:
            return figures, Interval(math.nan, math.nan), math.nan
        both = welch_p_value(group, rest)
        one_sided = both / 2 if sign * figures.gap > 0 else 1 - both / 2
        # Student's t calls few rows of skewed amounts clear too often, a deal at random those that spread more.
        p_value = max(one_sided, dealt_p_value(held_out.value, held_out.n, inside, sign))
        return figures, welch_interval(group, rest, confidence), p_value
    counts = (figures.positives, figures.n, figures.rest_positives, figures.rest_n)
    if min(figures.n, figures.rest_n) == 0:
        return figures, Interval(math.nan, math.nan), math.nan
    low, high = newcombe(*counts, confidence)
    return figures, Interval(float(low), float(high)), exact_p_value(*counts, sign)


def _figures(cells: Cells, inside: NDArray[np.bool_], shares: bool) -> SubgroupFigures:
    n, rest_n = _rows(cells, inside), _rows(cells, ~inside)
    positives, rest_positives = (_sum(cells.n[part] * cells.value[part]) for part in (inside, ~inside))
    size, rest_size = (_sum(cells.mass[part]) for part in (inside, ~inside))
    total, rest_total = (_sum(cells.mass[part] * cells.value[part]) for part in (inside, ~inside))
    rate, rest = (top / bottom if bottom else math.nan for top, bottom in ((total, size), (rest_total, rest_size)))
    everybody = (total + rest_total) / (size + rest_size)
    return SubgroupFigures(
        n=n,
        positives=int(positives) if shares else None,
        rate=rate,
        rest_n=rest_n,
        rest_positives=int(rest_positives) if shares else None,
        rest=rest,
        gap=rate - rest,
        impact=(total - size * everybody) / (size + rest_size),
    )


def _by_design(
    cells: Cells,
    sampled: Sampled,
    inside: NDArray[np.bool_],
    figures: SubgroupFigures,
    sign: int,
    shares: bool,
    confidence: float,
) -> tuple[Interval, float]:
    """Return interval and one-sided p-value of a gap in a sample with weights, by linearised variances."""
    unknown = Interval(math.nan, math.nan), math.nan
    if min(figures.n, figures.rest_n) < 2:
        return unknown
    counts, drawn = _counts(cells, sampled)
    found = sampled_pair(counts, inside, ~inside, drawn)
    if shares:

        def ends(level: float) -> Interval:
            return weighted.gap_interval(found, level)

        both = float(found.shares.p_values(*PAIR)[0])
        # Where nobody, or everybody, has the outcome on one side t is too sure; the interval is not.
        p_value = max(both / 2 if sign * figures.gap > 0 else 1 - both / 2, _first_without_zero(ends, sign))
        return ends(confidence), p_value
    error, freedom = weighted_means.error_of_gap(found)
    if not error > 0:
        return unknown
    return weighted_means.gap_interval(found, confidence), float(special.stdtr(freedom, -sign * figures.gap / error))


def _first_without_zero(ends: Callable[[float], Interval], sign: int) -> float:
    """Return the one-sided p-value at which an interval no longer holds 0."""
    low, high = 0.0, 0.5
    for _ in range(STEPS):
        middle = (low + high) / 2
        found = ends(1 - 2 * middle)
        is_beyond = found.low > 0 if sign > 0 else found.high < 0
        low, high = (low, middle) if is_beyond else (middle, high)
    return high


def _counts(cells: Cells, sampled: Sampled) -> tuple[pd.DataFrame, Drawn]:
    """Return the rows of cells as counts of a weighted sample, and what was drawn of these rows.

    Where a part of the clusters leaves a stratum with one of them, strata are left out: this can only widen intervals.
    """
    mass, value = cells.mass, cells.value
    squares = mass * sampled.weight
    counts = pd.DataFrame(
        {
            STRATUM: sampled.stratum,
            CLUSTER: sampled.cluster,
            "n": cells.n,
            "w": mass,
            "wy": mass * value,
            "w2": squares,
            "w2y": squares * value,
            "w2yy": squares * value**2,
        }
    )
    clusters = CLUSTER if sampled.has_clusters else None
    if clusters is not None:
        counts[CLUSTER] = counts.groupby([STRATUM, CLUSTER]).ngroup()
    by = counts.groupby(STRATUM)
    units = by[CLUSTER].nunique() if clusters is not None else by["n"].sum()
    strata: str | None = STRATUM
    if len(units) == 1 or (clusters is not None and (units == 1).any()):
        strata, units = None, pd.Series([units.sum()])
    return counts, Drawn(SurveyDesign("w", strata, clusters), units)


def _moments(cells: Cells, inside: NDArray[np.bool_]) -> Moments:
    n, value = cells.n[inside], cells.value[inside]
    size = int(n.sum())
    mean = _sum(n * value) / size if size else math.nan
    variance = _sum(n * (value - mean) ** 2) / (size - 1) if size > 1 else math.nan
    return {"n": float(size), "mean": mean, "variance": variance}


def _sum(values: NDArray[np.float64]) -> float:
    """Add up exactly, so that the sum is the same on each machine."""
    return math.fsum(values.tolist())


def _condition(each: ShownSubgroup, columns: Sequence[ColumnLevels]) -> str:
    conditions = [columns[c].literals[i] for c, i in zip(each.found.columns, each.found.literals, strict=True)]
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = whole & condition
    return str(whole)


def _words(places: Sequence[int], literals: Sequence[int], columns: Sequence[ColumnLevels]) -> str:
    return " and ".join(columns[c].literals[i].in_words() for c, i in zip(places, literals, strict=True))
