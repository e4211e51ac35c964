"""Kinds of decisions: those with a good outcome, of which shares are compared, and amounts, of which means are."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.late import Late


@dataclass(frozen=True)
class OutcomeKind:
    """All that is particular to a kind of decision.

    Parameters
    ----------
    name : str
        What is compared: "shares" or "amounts".
    label : str
        What stands before its meaning: "Good outcome", "Amount".
    noun, a_noun : str
        What a row may lack, for sentences: "decision", "a decision".
    gap : str
        What is between two groups, for sentences: "gap", "difference".
    has_good_outcome : bool
        Whether some decisions are good and the others not, so that predictions can be right or wrong.
    read : Late
        ``(table, outcome plan)`` -> the decision as the table has it, with its meaning in words.
    answers, remedies : str
        The fields of an `AuditResult` with the answers to its questions, and with what trying remedies found.
    answer : Late
        ``(table, plan, question)`` -> the answer to one question.
    answer_text : Late
        Answer -> its lines on the command line.
    verdict : Late
        Answer -> the verdict with its sentences.
    opening : Late
        ``(answer, number, chips beside its own)`` -> the answer, its details and its chart in a report.
    compared_blocks, group_blocks, number_blocks : Late
        ``(answer, number, level, noun)`` -> who was compared; what is found of groups and strata; the numbers for an
        annex, which needs no `noun`: what is known or not of a row, such as "decision".
    doubt_blocks : Late
        Answer -> what weakens it, and what to do next.
    summary_table, tables : Late
        Result -> one row a question; all tables of its questions.
    definitions : Late
        ``(errors, strata, kinds, tolerance, confidence)`` -> the words of a report and what they mean.
    study : Late
        ``(table, plan)`` -> the rows that models learn from and are judged on.
    reading : str
        What is said while they are read.
    tried : Late
        ``(facts, findings)`` -> what trying remedies found.
    hide_remedies : Late
        ``(what trying remedies found, its test cases)`` -> the same without what small counts hide.
    remedies_blocks : Late
        ``(what trying remedies found, answers)`` -> the chapter on it.
    remedies_annex : Late
        What trying remedies found -> the annex on how they were made and searched for.
    remedies_tables : Late
        What trying remedies found -> all tables of it.
    """

    name: str
    label: str
    noun: str
    a_noun: str
    gap: str
    has_good_outcome: bool
    read: Late
    answers: str
    remedies: str
    answer: Late
    answer_text: Late
    verdict: Late
    opening: Late
    compared_blocks: Late
    group_blocks: Late
    number_blocks: Late
    doubt_blocks: Late
    summary_table: Late
    tables: Late
    definitions: Late
    study: Late
    reading: str
    tried: Late
    hide_remedies: Late
    remedies_blocks: Late
    remedies_annex: Late
    remedies_tables: Late


SHARES = OutcomeKind(
    name="shares",
    label="Favourable result",
    noun="decision",
    a_noun="a decision",
    gap="gap",
    has_good_outcome=True,
    read=Late("fairaudit.plan.roles:outcome_of"),
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
    hide_remedies=Late("fairaudit.disclosure.remedies:hidden_remedies"),
    remedies_blocks=Late("fairaudit.report.remedies:remedies_blocks"),
    remedies_annex=Late("fairaudit.report.remedies:remedies_annex"),
    remedies_tables=Late("fairaudit.report.remedy_tables:remedies_tables"),
)

AMOUNTS = OutcomeKind(
    name="amounts",
    label="Amount",
    noun="amount",
    a_noun="an amount",
    gap="difference",
    has_good_outcome=False,
    read=Late("fairaudit.plan.roles:amount_of"),
    answers="amounts",
    remedies="amount_remedies",
    answer=Late("fairaudit.audit.checks:run_amount"),
    answer_text=Late("fairaudit.cli.check:amount_text"),
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
    hide_remedies=Late("fairaudit.disclosure.remedies:hidden_amount_remedies"),
    remedies_blocks=Late("fairaudit.report.remedies:amount_remedies_blocks"),
    remedies_annex=Late("fairaudit.report.remedies:amount_remedies_annex"),
    remedies_tables=Late("fairaudit.report.remedy_tables:amount_remedies_tables"),
)

OUTCOMES = (SHARES, AMOUNTS)
