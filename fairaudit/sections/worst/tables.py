"""The tables of a search for worst groups."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.blocks import INTERVAL_OF, ColumnSpec, Kind, Table
from fairaudit.present.numbers import confidence_text
from fairaudit.sections.worst.reading import chart_order, is_hidden, quantity_of
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
            ColumnSpec("reason", "why", "text", "Why not."),
        )
        rows = tuple((each.column, each.reason) for each in found.result.left_out)
        tables.append(Table(f"subgroups_{number}_left_out", "Columns left out", columns, rows))
    return tables


def in_chart_order(found: SubgroupsFinding, table: Table) -> Table:
    """Return the table of groups with its rows as the picture has them: those that stand out first, the worst first."""
    return replace(table, rows=tuple(table.rows[place] for place in chart_order(found)))


def _subgroups(found: SubgroupsFinding, number: int) -> Table:
    result = found.result
    amounts = result.measure == "mean"
    rate: Kind = "amount" if amounts else "share"
    gap: Kind = "difference" if amounts else "points"
    what, unit = ("mean", "") if amounts else ("share", ", points")
    judged = "test cases" if result.n_judged else "cases searched"
    counted = "test cases" if result.n_judged else "cases"
    columns = (
        ColumnSpec("subgroup", "group", "text", "Who is in it."),
        ColumnSpec("condition", "condition", "code", "The same as a condition."),
        ColumnSpec("found_by", "found by", "text", "The rankings that show it."),
        ColumnSpec("n", counted, "count", f"Of the group, among {judged}."),
        ColumnSpec("rate", what, rate, f"Its {what} there.", turns=True),
        ColumnSpec("rest", "everyone else", rate, "That of everyone else there.", turns=True),
        ColumnSpec("gap", f"gap{unit}", gap, "The first less the second.", turns=True),
        ColumnSpec(
            "interval",
            f"likely range ({confidence_text(result.confidence)})",
            INTERVAL_OF[gap],
            "Of the gap.",
            turns=True,
        ),
        ColumnSpec(
            "p_adjusted",
            "p, adjusted",
            "p",
            "One-sided, adjusted by Holm's method with weights 1/2, 1/4, 1/8 and so on.",
        ),
        ColumnSpec("stands_out", "stands out", "text", "Whether that and the range rule out chance."),
        ColumnSpec(
            "impact",
            "total, by all rows" if amounts else "affected, of 100 people",
            gap,
            say(affected(found)),
            digits=2,
            turns=True,
        ),
        ColumnSpec("searched_n", "cases searched", "count", "Of the group, among those that were searched."),
        ColumnSpec("searched_gap", f"gap there{unit}", gap, "Larger, as it was looked for.", turns=True),
        ColumnSpec("same_people", "mostly the same people", "text", "The next best of these."),
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
    return Table(f"subgroups_{number}", "Worst groups", columns, tuple(rows), is_turned=quantity_of(found).is_turned)


def _chance(found: SubgroupsFinding, number: int) -> Table:
    columns = (
        ColumnSpec("ranking", "ranking", "text", "What was looked for."),
        ColumnSpec("best", "best found", "number", "The best among the cases searched.", digits=4),
        ColumnSpec("bound", "none exceeds", "number", "What no group exceeds there.", digits=4),
        ColumnSpec("chance", "chance, median", "number", "The median of the best in shuffled outcomes.", digits=4),
        ColumnSpec("chance_high", "chance, one in twenty", "number", "What one in twenty of these exceeds.", digits=4),
        ColumnSpec("beaten_by_chance", "chance is as good", "share", "Share of shuffles that show as much."),
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
    note = "People affected are a share of all; the clearest gap counts standard errors."
    return Table(f"subgroups_{number}_chance", "What chance would show", columns, rows, note=note)


def _chance_of(each: RankingFound) -> tuple[float, ...]:
    return each.best, each.bound, each.chance, each.chance_high, each.beaten_by_chance
