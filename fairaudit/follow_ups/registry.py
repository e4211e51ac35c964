"""All kinds of questions beside the checks, in the order of a report."""

from __future__ import annotations

from fairaudit.follow_ups.kind import FollowUp
from fairaudit.late import Late

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
