"""The part of a remedy's section on its rule set, what the command line prints of it, and what its words mean."""

from __future__ import annotations

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.blocks import Block, Items, Paragraph, Table
from fairaudit.remedies.rules.charts import (
    rules_coverage_alt,
    rules_coverage_chart,
    rules_frontier_alt,
    rules_frontier_chart,
    rules_path_alt,
    rules_path_chart,
)
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.saying import proof, rule_items, rules_head
from fairaudit.remedies.shared.charts import remedy_chart
from fairaudit.remedies.shared.group_gaps_chart import differences_alt, differences_chart
from fairaudit.study.findings import RemedyFinding, StudyFacts

MOST_DRAWN = 16
"""Rules by groups that a chart on paper holds; where there are more, only tables show them."""


def result_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return the rules in words."""
    head, rules = rules_head(finding.details, facts), rule_items(finding.details)
    return [Items(rules, title=head)] if rules else [Paragraph(head)]


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return whom the rules concern, how far from the best possible they can be, and what other settings give."""
    details = finding.details
    blocks: list[Block] = [Paragraph(say(proof(details)))]
    if len(details.rules) and 0 < len(details.coverage) <= MOST_DRAWN:
        whom = (rules_coverage_chart, rules_coverage_alt)
        blocks.append(remedy_chart(number, "coverage", say(Message("rules-chart-coverage")), whom, details.coverage))
    if len(details.gaps):
        limits, allowed = (differences_chart, differences_alt), details.max_difference
        blocks.append(
            remedy_chart(number, "rates", say(Message("limits-chart")), limits, details.gaps, allowed=allowed)
        )
    if len(details.path):
        path, end = (rules_path_chart, rules_path_alt), details.objective
        blocks.append(remedy_chart(number, "path", say(Message("rules-chart-path")), path, details.path, reached=end))
    if len(details.frontier) > 1:
        others, limit = (rules_frontier_chart, rules_frontier_alt), allowed_of(details)
        title = say(Message("rules-chart-settings"))
        blocks.append(remedy_chart(number, "frontier", title, others, details.frontier, allowed=limit))
    return blocks


def command_lines(finding: RemedyFinding, facts: StudyFacts) -> list[str]:
    """Return the rules, and how far from optimal they can be, a line each."""
    details = finding.details
    lines = [rules_head(details, facts), *rule_items(details), say(proof(details))]
    return [f"  {line}" for line in lines]


def definitions() -> tuple[tuple[str, str], ...]:
    """Return words of a report and what they mean."""
    return (
        ("Complexity", "Of a list of rules: each rule counts 1, and each of its conditions 1."),
        ("Hamming loss", "Errors as a search for rules counts them: a case once for each rule that wrongly holds."),
        ("Proven bound", "No list of the allowed complexity makes fewer errors on the training cases."),
        ("Margin", "How much less than the limit was allowed on the training cases."),
    )


def allowed_of(details: RulesDetails) -> float | None:
    """Return how far rates may be apart; None where nothing must be alike."""
    return None if details.fairness is None else details.max_difference
