"""The tables of a search for worst groups."""

from __future__ import annotations

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.blocks import INTERVAL_OF, ColumnSpec, Kind, Table
from fairaudit.present.numbers import confidence_text
from fairaudit.sections.worst.reading import is_hidden
from fairaudit.sections.worst.saying import affected
from fairaudit.subgroups.kinds import Ranking
from fairaudit.subgroups.results import RankingFound

PRINTED = ("subgroup", "n", "rate", "rest", "gap", "interval", "p_adjusted", "stands_out")
"""Columns that a page and a report have room for."""
RANKINGS: dict[Ranking, str] = {
    "people": "worst-ranking-people",
    "gap": "worst-ranking-gap",
    "evidence": "worst-ranking-evidence",
}
"""What each ranking looks for."""


def worst_tables(found: SubgroupsFinding, number: int) -> list[Table]:
    """Return the groups, what chance would show, and the columns left out; empty where they are hidden."""
    if is_hidden(found):
        return []
    tables = [_subgroups(found, number), _chance(found, number)]
    if found.result.left_out:
        columns = (
            ColumnSpec("column", "column", "text", "A column that no group names."),
            ColumnSpec("reason", "why", "text", "Why it could not be used."),
        )
        rows = tuple((each.column, each.reason) for each in found.result.left_out)
        tables.append(Table(f"subgroups_{number}_left_out", "Columns left out", columns, rows))
    return tables


def _subgroups(found: SubgroupsFinding, number: int) -> Table:
    result = found.result
    amounts = result.measure == "mean"
    rate: Kind = "amount" if amounts else "share"
    gap: Kind = "difference" if amounts else "points"
    what, unit = ("mean", "") if amounts else ("share", ", points")
    judged = "held-out rows" if result.n_judged else "rows searched"
    counted = "held-out rows" if result.n_judged else "rows"
    columns = (
        ColumnSpec("subgroup", "group", "text", "Who is in it, in words."),
        ColumnSpec("condition", "condition", "code", "The same as a condition."),
        ColumnSpec("found_by", "found by", "text", "The rankings that show it."),
        ColumnSpec("n", counted, "count", f"Rows of the group, among {judged}."),
        ColumnSpec("rate", what, rate, f"Its {what} there."),
        ColumnSpec("rest", "everyone else", rate, f"The {what} of everyone else there."),
        ColumnSpec("gap", f"gap{unit}", gap, "The first less the second."),
        ColumnSpec(
            "interval", f"its {confidence_text(result.confidence)} interval", INTERVAL_OF[gap], "Interval of the gap."
        ),
        ColumnSpec(
            "p_adjusted",
            "p, adjusted",
            "p",
            "One-sided p-value in the direction that the search found, adjusted for all groups shown by Holm's "
            "method with weights 1/2, 1/4, 1/8 and so on in the order of the rows.",
        ),
        ColumnSpec("stands_out", "stands out", "text", "Whether p-value and interval rule out no gap."),
        ColumnSpec(
            "impact",
            "total, by all rows" if amounts else "affected, of 100 people",
            gap,
            f"{say(affected(found))} It is rows x (its {what} - {what} of all) / all rows.",
            digits=2,
        ),
        ColumnSpec("searched_n", "rows searched", "count", "Rows of the group among those that were searched."),
        ColumnSpec("searched_gap", f"gap there{unit}", gap, "The gap there: larger, as it was looked for."),
        ColumnSpec("same_people", "mostly the same people", "text", "The next best that are mostly the same people."),
    )
    rows = []
    for each in result.subgroups:
        figures = each.judged
        cells = (figures.n, figures.rate, figures.rest, figures.gap, each.interval, each.p_adjusted)
        rows.append(
            (
                each.words,
                each.condition,
                ", ".join(say(Message(RANKINGS[ranking])) for ranking in each.rankings),
                *cells,
                "yes" if each.stands_out else "no",
                figures.impact,
                each.trained.n,
                each.trained.gap,
                "; ".join(each.same_people),
            )
        )
    return Table(f"subgroups_{number}", "Worst groups", columns, tuple(rows))


def _chance(found: SubgroupsFinding, number: int) -> Table:
    columns = (
        ColumnSpec("ranking", "ranking", "text", "What was looked for."),
        ColumnSpec("best", "best found", "number", "The best score on the rows that were searched.", digits=4),
        ColumnSpec("bound", "none exceeds", "number", "What no subgroup exceeds there.", digits=4),
        ColumnSpec(
            "chance", "chance, median", "number", "The median of the best where outcomes fall at random.", digits=4
        ),
        ColumnSpec("chance_high", "chance, one in twenty", "number", "What one in twenty of them exceeds.", digits=4),
        ColumnSpec("beaten_by_chance", "chance is as good", "share", "The share of shuffles that show as much."),
    )
    rows = tuple(
        (
            say(Message(RANKINGS[each.ranking])),
            each.best,
            each.bound,
            each.chance,
            each.chance_high,
            each.beaten_by_chance,
        )
        for each in found.result.rankings
    )
    note = (
        "People affected are a share of all rows, gaps a share or an amount, the clearest gap counts standard errors."
    )
    return Table(f"subgroups_{number}_chance", "What chance would show", columns, rows, note=note)


def _chance_of(each: RankingFound) -> tuple[float, ...]:
    return each.best, each.bound, each.chance, each.chance_high, each.beaten_by_chance
