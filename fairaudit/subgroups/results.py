"""What a search for the worst-hit subgroups found."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from fairaudit.defaults import USUAL_POSITIVE, Positive
from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, plain
from fairaudit.measure.results import Interval
from fairaudit.subgroups.kinds import Direction, Measure, Ranking


@dataclass(frozen=True)
class SubgroupFigures:
    """A subgroup beside everybody else, on some of the rows.

    Parameters
    ----------
    n : int
        Rows of the subgroup that the measure looks at.
    positives : int or None
        Those that it counts; None for amounts.
    rate : float
        Their share, or the mean amount.
    rest_n : int
        Rows of everybody else.
    rest_positives : int or None
        Those of them that the measure counts; None for amounts.
    rest : float
        Their share, or the mean amount.
    gap : float
        ``rate - rest``.
    impact : float
        ``n (rate - rate of all) / population``: people affected, as a share of all. For amounts, in their unit.
    """

    n: Hideable[int] = figure()
    positives: Hideable[int] | None = figure()
    rate: float = figure()
    rest_n: Hideable[int] = figure()
    rest_positives: Hideable[int] | None = figure()
    rest: float = figure()
    gap: float = figure()
    impact: float = figure()


@dataclass(frozen=True)
class Subgroup:
    """One subgroup that a search shows.

    Parameters
    ----------
    condition : str
        Who is in it, as a condition. A row where one of its columns is missing is among the rest.
    words : str
        The same in plain English.
    rankings : tuple of str
        The rankings that show it, or whose best is mostly the same people.
    trained : SubgroupFigures
        On the rows that were searched: large, because it was looked for.
    held_out : SubgroupFigures or None
        On the rows that the search never saw; None where all rows were searched.
    interval : Interval or None
        Of the gap, on those rows.
    p_value : float
        Of "no gap in the direction that the search found", one-sided, on those rows; NaN without them. Of shares by
        Fisher's exact test; of means the larger of Welch's test and of dealing the amounts out at random.
    p_adjusted : float
        The same for all subgroups that are shown together, by Holm's method with weights: half of the error for the
        first, half of what is left for the next, and so on.
    stands_out : bool
        Whether that is below ``1 - confidence``, and the interval lies on one side of no gap.
    same_people : tuple of str
        In words, the next best subgroups that are mostly the same people, or mostly everybody else.
    """

    condition: str = figure()
    words: str = figure()
    rankings: tuple[Ranking, ...] = figure()
    trained: SubgroupFigures = figure()
    held_out: SubgroupFigures | None = figure()
    interval: Interval | None = figure()
    p_value: float = figure()
    p_adjusted: float = figure()
    stands_out: bool = figure()
    same_people: tuple[str, ...] = figure()

    @property
    def judged(self) -> SubgroupFigures:
        """The figures to quote: on held-out rows where there are any."""
        return self.trained if self.held_out is None else self.held_out

    @property
    def n(self) -> int:
        """Rows of the subgroup, of `judged`."""
        return self.judged.n

    @property
    def rate(self) -> float:
        """Its share or mean, of `judged`."""
        return self.judged.rate

    @property
    def rest(self) -> float:
        """That of everybody else, of `judged`."""
        return self.judged.rest

    @property
    def gap(self) -> float:
        """``rate - rest``, of `judged`."""
        return self.judged.gap

    @property
    def impact(self) -> float:
        """People affected as a share of all, of `judged`."""
        return self.judged.impact


@dataclass(frozen=True)
class RankingFound:
    """How far the search of one ranking came, and what chance would show in it.

    Parameters
    ----------
    ranking : {"people", "gap", "evidence"}
        People affected, the gap among subgroups of at least 1 % of the rows, or that gap in standard errors.
    best : float
        The best score on the rows that were searched; 0 if no subgroup is large enough.
    bound : float
        What no subgroup exceeds there.
    proven : bool
        Whether both are the same.
    chance : float
        The median of the best scores that shuffled outcomes show.
    chance_high : float
        The score that is exceeded by the best of only 5 % of the shuffles.
    beaten_by_chance : float
        The share of shuffles whose best is at least `best`.
    """

    ranking: Ranking = figure()
    best: float = figure()
    bound: float = figure()
    proven: bool = figure()
    chance: float = figure()
    chance_high: float = figure()
    beaten_by_chance: float = figure()


@dataclass(frozen=True)
class LeftOut:
    """A column that no subgroup names.

    Parameters
    ----------
    column : str
        The column.
    reason : str
        Why, in words.
    """

    column: str = figure()
    reason: str = figure()


@dataclass(frozen=True)
class SubgroupSearch:
    """The worst-hit subgroups, and how sure one can be of them.

    Parameters
    ----------
    subgroups : tuple of Subgroup
        The clearest on the rows that were searched comes first.
    measure : str
        What is compared.
    direction : {"both", "lower", "higher"}
        Which gaps were looked for.
    columns : tuple of str
        The columns that subgroups could name.
    protected : tuple of str
        Of these, the columns of which each subgroup names one; empty where it need not.
    left_out : tuple of LeftOut
        The columns that could not be used.
    where : str or None
        The filter.
    max_conditions : int
        The most conditions of a subgroup.
    min_rows : int
        The fewest rows of a subgroup, in all.
    confidence : float
        Of the intervals; ``1 - confidence`` is the level of what stands out.
    n_rows : int
        Rows that the measure looks at.
    n_searched : int
        Those of them that were searched.
    n_judged : int
        Those that subgroups were judged on.
    rate : float
        The share or mean of all of them.
    deviation : float
        The standard deviation of their values, among those that were searched.
    n_considered : int
        Subgroups that were counted and are large enough.
    n_shuffles : int
        How often outcomes were shuffled.
    n_shuffled_rows : int
        Of how many rows.
    rankings : tuple of RankingFound
        One each.
    positive : {"favorable", "unfavorable"}
        Which outcome error rates call positive.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    subgroups: tuple[Subgroup, ...] = figure()
    measure: Measure = setting()
    direction: Direction = setting()
    columns: tuple[str, ...] = figure()
    protected: tuple[str, ...] = figure()
    left_out: tuple[LeftOut, ...] = figure()
    where: str | None = setting()
    max_conditions: int = setting()
    min_rows: int = setting()
    confidence: float = setting()
    n_rows: Hideable[int] = figure()
    n_searched: Hideable[int] = figure()
    n_judged: Hideable[int] = figure()
    rate: float = figure()
    deviation: float = figure()
    n_considered: Hideable[int] = figure()
    n_shuffles: Hideable[int] = figure()
    n_shuffled_rows: Hideable[int] = figure()
    rankings: tuple[RankingFound, ...] = figure()
    positive: Positive = setting(default=USUAL_POSITIVE)
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())

    @property
    def proven(self) -> bool:
        """Whether no ranking has a better subgroup."""
        return all(each.proven for each in self.rankings)

    @property
    def bound(self) -> float:
        """What no subgroup exceeds in people affected, as a share of the rows searched."""
        return self.ranked("people").bound

    @property
    def n_standing_out(self) -> int:
        """How many subgroups stand out beyond chance."""
        return sum(each.stands_out for each in self.subgroups)

    def ranked(self, ranking: Ranking) -> RankingFound:
        """Return how far the search of a ranking came."""
        return next(each for each in self.rankings if each.ranking == ranking)

    def leading(self, ranking: Ranking) -> tuple[Subgroup, ...]:
        """Return the subgroups that a ranking shows, best first on the rows that were searched."""
        found = [each for each in self.subgroups if ranking in each.rankings]
        if ranking != "evidence":
            figure_of = attrgetter("impact" if ranking == "people" else "gap")
            found.sort(key=lambda each: (-abs(figure_of(each.trained)), each.trained.n))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain values for JSON."""
        return plain(self, alone=True) | {"proven": self.proven, "bound": self.bound}
