"""What a search for the worst-hit subgroups found."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from fairaudit.columns import SurveyDesign
from fairaudit.data.roles import AskedOf
from fairaudit.defaults import USUAL_POSITIVE, Positive
from fairaudit.disclosure.fields import Field, columns, figure, never, setting
from fairaudit.findings.result import Result
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain, plain
from fairaudit.measure.results import Interval
from fairaudit.subgroups.bounds import GapBounds
from fairaudit.subgroups.kinds import Direction, Measure, Ranking


@dataclass(frozen=True)
class SubgroupFigures:
    """A subgroup beside everybody else, on some of the rows."""

    n: Hideable[int] = figure("Rows of the subgroup that the measure looks at.", label="cases", kind="count")
    positives: Hideable[int] | None = figure("Those that it counts; None for amounts.")
    rate: float = figure(
        "Their share, or the mean amount.", label="share", kind="share", brief="Its share there.", turns=True
    )
    rest_n: Hideable[int] = figure("Rows of everybody else.")
    rest_positives: Hideable[int] | None = figure("Those of them that the measure counts; None for amounts.")
    rest: float = figure(
        "Their share, or the mean amount.",
        label="everyone else",
        kind="share",
        brief="That of everyone else there.",
        turns=True,
    )
    gap: float = figure("`rate - rest`.", label="gap", kind="points", brief="The first less the second.", turns=True)
    impact: float = figure(
        "`n (rate - rate of all) / population`: people affected, as a share of all. For amounts, in their unit.",
        label="affected, of 100 people",
        kind="points",
        digits=2,
        turns=True,
    )


@dataclass(frozen=True)
class Subgroup:
    """One subgroup that a search shows."""

    condition: str = figure(
        "Who is in it, as a condition. A row where one of its columns is missing is among the rest.",
        label="condition",
        kind="code",
        brief="The same as a condition.",
    )
    words: str = figure("The same in plain English.", name="subgroup", label="group", brief="Who is in it.")
    rankings: tuple[Ranking, ...] = figure(
        "The rankings that show it, or whose best is mostly the same people.",
        name="found_by",
        label="found by",
        brief="The rankings that show it.",
    )
    trained: SubgroupFigures = figure(
        "On the rows that were searched: large, because it was looked for.",
        parts=columns(
            n=Field("searched_n", "cases searched", "count", "Of the group, among those that were searched."),
            gap=Field("searched_gap", "gap there, points", "points", "Larger, as it was looked for.", turns=True),
        ),
    )
    held_out: SubgroupFigures | None = figure(
        "On the rows that the search never saw; None where all rows were searched."
    )
    interval: Interval | None = figure(
        "Of the gap, on those rows.", label="likely range", kind="points_interval", brief="Of the gap.", turns=True
    )
    p_value: float = figure(
        'Of "no gap in the direction that the search found", one-sided, on those rows; NaN without them. Of '
        "shares by Fisher's exact test; of means the larger of Welch's test and of dealing the amounts out at "
        "random."
    )
    p_adjusted: float = figure(
        "The same for all subgroups that are shown together, by Holm's method with weights: half of the error for "
        "the first, half of what is left for the next, and so on.",
        label="p, adjusted",
        kind="p",
        brief="One-sided, adjusted by Holm's method with weights 1/2, 1/4, 1/8 and so on.",
    )
    stands_out: bool = figure(
        "Whether that is below `1 - confidence`, and the interval lies on one side of no gap.",
        label="stands out",
        brief="Whether that and the range rule out chance.",
    )
    same_people: tuple[str, ...] = figure(
        "In words, the next best subgroups that are mostly the same people, or mostly everybody else.",
        label="mostly the same people",
        brief="The next best of these.",
    )

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
    """How far the search of one ranking came, and what chance would show in it."""

    ranking: Ranking = figure(
        "People affected, the gap among subgroups of at least 1 % of the rows, or that gap in standard errors.",
        label="ranking",
        kind="text",
        brief="What was looked for.",
    )
    best: float = figure(
        "The best score on the rows that were searched; 0 if no subgroup is large enough.",
        label="best found",
        kind="number",
        brief="The best among the cases searched.",
        digits=4,
    )
    bound: float = figure(
        "What no subgroup exceeds there.",
        label="none exceeds",
        kind="number",
        brief="What no group exceeds there.",
        digits=4,
    )
    proven: bool = figure("Whether both are the same.")
    chance: float = figure(
        "The median of the best scores that shuffled outcomes show.",
        label="chance, median",
        kind="number",
        brief="The median of the best in shuffled outcomes.",
        digits=4,
    )
    chance_high: float = figure(
        "The score that is exceeded by the best of only 5 % of the shuffles.",
        label="chance, one in twenty",
        kind="number",
        brief="What one in twenty of these exceeds.",
        digits=4,
    )
    beaten_by_chance: float = figure(
        "The share of shuffles whose best is at least `best`.",
        label="chance is as good",
        kind="share",
        brief="Share of shuffles that show as much.",
    )


@dataclass(frozen=True)
class LeftOut:
    """A column that no subgroup names."""

    column: str = figure("The column.", label="column", brief="A column that no group names.")
    reason: str = figure("Why, in words.", label="why", brief="Why not.")


@dataclass(frozen=True)
class SubgroupSearch(Plain, Result):
    """The worst-hit subgroups, and how sure one can be of them."""

    subgroups: tuple[Subgroup, ...] = figure("The clearest on the rows that were searched comes first.")
    measure: Measure = setting("What is compared.")
    direction: Direction = setting("Which gaps were looked for.")
    columns: tuple[str, ...] = figure("The columns that subgroups could name.")
    protected: tuple[str, ...] = figure(
        "Of these, the columns of which each subgroup names one; empty where it need not."
    )
    left_out: tuple[LeftOut, ...] = figure("The columns that could not be used.")
    where: str | None = setting("The filter.")
    max_conditions: int = setting("The most conditions of a subgroup.")
    min_rows: int = setting("The fewest rows of a subgroup, in all.")
    confidence: float = setting("Of the intervals; `1 - confidence` is the level of what stands out.")
    n_rows: Hideable[int] = figure("Rows that the measure looks at.")
    n_searched: Hideable[int] = figure("Those of them that were searched.")
    n_judged: Hideable[int] = figure("Those that subgroups were judged on.")
    rate: float = figure("The share or mean of all of them.")
    deviation: float = figure("The standard deviation of their values, among those that were searched.")
    n_considered: Hideable[int] = figure("Subgroups that were counted and are large enough.")
    n_shuffles: Hideable[int] = figure("How often outcomes were shuffled.")
    n_shuffled_rows: Hideable[int] = figure("Of how many rows.")
    rankings: tuple[RankingFound, ...] = figure("One each.")
    positive: Positive = setting("Which outcome error rates call positive.", default=USUAL_POSITIVE)
    not_known: tuple[NotKnown, ...] = figure(
        "Values of groups and decision that say that something is not known, or that a row adds up others.",
        in_json=False,
        default=(),
    )
    design: SurveyDesign | None = setting(
        "How the sample was drawn, where rows have weights.", in_json=False, default=None
    )

    bounds: GapBounds | None = figure(
        "What the gap of no large group exceeds, from all rows; None with weights, or where not all could be counted.",
        default=None,
    )

    asked: AskedOf | None = never("What it is about.", in_json=False, default=None, compare=False)

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

    def to_dict(self) -> dict[str, object]:
        """Return all fields as plain values for JSON."""
        return plain(self, alone=True) | {"proven": self.proven, "bound": self.bound}
