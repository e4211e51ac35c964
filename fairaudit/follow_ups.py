"""Kinds of questions beside the checks, such as what explains a gap: all that is particular to each, by path."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.late import Late


@dataclass(frozen=True, kw_only=True)
class FollowUp:
    """All that is particular to a kind of question beside the checks.

    Parameters
    ----------
    name : str
        The list of these questions in a plan, and of the answers in an `AuditResult`.
    covers : str
        What they are about, for a report without checks: "the worst-hit subgroups".
    answer : Late
        ``(table, plan, question, sources)`` -> a generator of events, of which the last holds the answer.
    hide : Late
        Answer -> what of it may leave where small counts are hidden.
    tables, blocks : Late
        ``(answer, number)`` -> all its tables; its chapter of the report.
    annex : Late, optional
        ``(answer, number)`` -> its annex of the report.
    annex_title : str
        What that is called.
    line : Late
        Answer -> what `run` prints of it.
    """

    name: str
    covers: str
    answer: Late
    hide: Late
    tables: Late
    blocks: Late
    line: Late
    annex: Late | None = None
    annex_title: str = ""


FOLLOW_UPS = (
    FollowUp(
        name="subgroups",
        covers="worst groups",
        answer=Late("fairaudit.audit.subgroups:iter_answer"),
        hide=Late("fairaudit.disclosure.gate:masked_subgroups"),
        tables=Late("fairaudit.sections.worst.saying:worst_tables"),
        blocks=Late("fairaudit.report.follow_ups:worst_blocks"),
        annex=Late("fairaudit.report.follow_ups:worst_annex"),
        annex_title="How worst groups were searched",
        line=Late("fairaudit.sections.worst.saying:line"),
    ),
    FollowUp(
        name="explanations",
        covers="what explains a gap",
        answer=Late("fairaudit.audit.follow_ups:iter_explanation"),
        hide=Late("fairaudit.disclosure.gate:masked_explanation"),
        tables=Late("fairaudit.report.follow_up_tables:explanation_tables"),
        blocks=Late("fairaudit.report.follow_ups:explanation_blocks"),
        annex=Late("fairaudit.report.follow_ups:explanation_annex"),
        annex_title="How the gap was divided",
        line=Late("fairaudit.sections.explain:printed_line"),
    ),
    FollowUp(
        name="changes",
        covers="whether a gap changed",
        answer=Late("fairaudit.audit.follow_ups:iter_change"),
        hide=Late("fairaudit.disclosure.gate:masked_change"),
        tables=Late("fairaudit.report.follow_up_tables:change_tables"),
        blocks=Late("fairaudit.report.follow_ups:change_blocks"),
        annex=Late("fairaudit.report.follow_ups:change_annex"),
        annex_title="How the periods were compared",
        line=Late("fairaudit.sections.change.saying:change_line"),
    ),
    FollowUp(
        name="inspections",
        covers="searches and inspections",
        answer=Late("fairaudit.audit.follow_ups:iter_inspection"),
        hide=Late("fairaudit.disclosure.gate:masked_inspection"),
        tables=Late("fairaudit.report.follow_up_tables:inspection_tables"),
        blocks=Late("fairaudit.report.follow_ups:inspection_blocks"),
        line=Late("fairaudit.sections.searches.saying:line"),
    ),
)
