"""Answer who stands among the first of lists."""

from __future__ import annotations

from fairaudit.conditions import Condition
from fairaudit.data.given import as_table
from fairaudit.findings import Argument, Count, Group, Message, Phrase, Word
from fairaudit.findings.names import Names
from fairaudit.measure.controlled import protected_condition
from fairaudit.measure.rankings import Rankings, check_rankings
from fairaudit.plan.audit_plan import AuditPlan, NamesPlan
from fairaudit.plan.names import protected_of, similar_cases
from fairaudit.plan.roles import uncounted
from fairaudit.sections.rankings.finding import RankingsFinding
from fairaudit.sections.rankings.plan import RankingsPlan


def run_rankings(table: object, plan: AuditPlan, asked: RankingsPlan) -> RankingsFinding:
    """Answer one question about lists."""
    table = as_table(table)
    where, protected = table.condition(asked.where), protected_condition(table, asked.protected)
    with uncounted(plan):
        result = check_rankings(
            table,
            protected=protected,
            rank=asked.rank,
            score=asked.score,
            lowest_first=asked.lowest_first,
            first=asked.first,
            lists=asked.lists,
            where=where,
            merit=asked.merit,
            strata=asked.strata,
            tolerance=asked.tolerance,
            confidence=asked.confidence,
        )
    return finding_of(plan.names, asked, result, protected, where)


def finding_of(
    names: NamesPlan, asked: RankingsPlan, result: Rankings, protected: Condition, where: Condition | None
) -> RankingsFinding:
    """Put an answer together with its words."""
    return RankingsFinding(
        plan=asked,
        where_words=None if where is None else where.in_words(),
        protected_words=protected.in_words(),
        result=result,
        names=Names(
            protected=protected_of(names, asked, protected),
            others=Group(asked.others_name),
            verb=verb_of(asked),
            similar=_similar(names, asked),
        ),
    )


def _similar(names: NamesPlan, asked: RankingsPlan) -> Argument | None:
    """Return how lists of a kind are alike, as an adverb."""
    if not asked.strata or names.strata.keys() & asked.strata:
        return similar_cases(names, asked.strata, ()) if asked.strata else None
    return Message("rankings-similar", {"columns": Phrase(" and ".join(asked.strata))})


def verb_of(asked: RankingsPlan) -> Message:
    """Return what is said of several people who stand among the first."""
    return Message("rankings-verb", {"first": Count(asked.first), "lists": Word("many" if asked.lists else "one")})
