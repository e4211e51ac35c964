"""All kinds of decisions."""

from __future__ import annotations

from operator import attrgetter

from fairaudit.late import Late
from fairaudit.outcomes.kind import OutcomeKind

SHARES = OutcomeKind(
    name="shares",
    label="Favourable result",
    noun="decision",
    a_noun="a decision",
    gap="gap",
    has_good_outcome=True,
    read=Late("fairaudit.plan.roles:outcome_of"),
    on=lambda kind: kind,
    answers="checks",
    remedies="remedies",
    answer=Late("fairaudit.audit.checks:run_check"),
    answer_text=Late("fairaudit.cli.check:finding_text"),
    verdict=Late("fairaudit.sections.check.saying:answer_text"),
    opening=Late("fairaudit.report.checks:opening"),
    compared_blocks=Late("fairaudit.report.checks:compared_blocks"),
    group_blocks=Late("fairaudit.report.checks:group_blocks"),
    number_blocks=Late("fairaudit.report.checks:number_blocks"),
    doubt_blocks=Late("fairaudit.report.checks:doubt_blocks"),
    summary_table=Late("fairaudit.report.tables:summary_table"),
    tables=Late("fairaudit.report.tables:check_tables"),
    definitions=Late("fairaudit.report.tables:definitions"),
    study=Late("fairaudit.study.rows:Study.of"),
    reading="Reading the rows that models learn from",
    tried=Late("fairaudit.study.findings:RemediesFinding"),
    hide_remedies=Late("fairaudit.disclosure.remedies:masked_remedies"),
    remedies_blocks=Late("fairaudit.report.remedies:remedies_blocks"),
    remedies_annex=Late("fairaudit.report.remedies:remedies_annex"),
    remedies_tables=Late("fairaudit.remedies.shared.tables:remedies_tables"),
)

AMOUNTS = OutcomeKind(
    name="amounts",
    label="Amount",
    noun="amount",
    a_noun="an amount",
    gap="difference",
    has_good_outcome=False,
    read=Late("fairaudit.plan.roles:amount_of"),
    on=attrgetter("on_amounts"),
    answers="amounts",
    remedies="amount_remedies",
    answer=Late("fairaudit.audit.checks:run_amount"),
    answer_text=Late("fairaudit.cli.amounts:amount_text"),
    verdict=Late("fairaudit.sections.check.saying:answer_text"),
    opening=Late("fairaudit.report.checks:opening"),
    compared_blocks=Late("fairaudit.report.checks:amount_compared_blocks"),
    group_blocks=Late("fairaudit.report.checks:amount_group_blocks"),
    number_blocks=Late("fairaudit.report.checks:amount_number_blocks"),
    doubt_blocks=Late("fairaudit.report.checks:doubt_blocks"),
    summary_table=Late("fairaudit.report.tables:amount_summary_table"),
    tables=Late("fairaudit.report.tables:amount_tables"),
    definitions=Late("fairaudit.report.tables:amount_definitions"),
    study=Late("fairaudit.study.amounts.rows:AmountStudy.of"),
    reading="Reading the rows",
    tried=Late("fairaudit.study.amounts.findings:AmountRemediesFinding"),
    hide_remedies=Late("fairaudit.disclosure.remedies:masked_amount_remedies"),
    remedies_blocks=Late("fairaudit.report.remedies:amount_remedies_blocks"),
    remedies_annex=Late("fairaudit.report.remedies:amount_remedies_annex"),
    remedies_tables=Late("fairaudit.remedies.shared.amount_tables:amount_remedies_tables"),
)

OUTCOMES = (SHARES, AMOUNTS)
