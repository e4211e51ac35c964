"""The part of a remedy's section on its rule set: the rules, whom they concern, and how it was found."""

from __future__ import annotations

from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import Block, Items, Paragraph, Table
from fairaudit.remedies.rules.chart_texts import rules_frontier_alt, rules_path_alt
from fairaudit.remedies.rules.charts import rules_frontier_chart, rules_path_chart
from fairaudit.remedies.rules.coverage_chart import rules_coverage_alt, rules_coverage_chart
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.rules.result_words import rules_kept_sentence, sides_sentence
from fairaudit.remedies.rules.words import (
    NOT_THE_GAP,
    certificate_words,
    objective_words,
    rule_sentences,
    rule_set_words,
)
from fairaudit.remedies.shared.alike_chart import differences_chart
from fairaudit.remedies.shared.alike_chart_texts import differences_alt, differences_note, sides_words
from fairaudit.remedies.shared.drawn import drawn
from fairaudit.study.findings import RemedyFinding, StudyFacts

MOST_DRAWN = 16
"""Rules by groups that a chart on paper holds; where there are more, only tables show them."""


def result_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return whether the rates are alike enough, and the rules in words."""
    details = finding.details
    blocks: list[Block] = []
    if kept := rules_kept_sentence(details):
        blocks.append(Paragraph(f"{kept} {NOT_THE_GAP}", strong="Whether the rates are alike enough."))
    words = rule_set_words(details, positive_meaning=facts.positive_meaning)
    if len(details.rules):
        return [*blocks, Items(rule_sentences(details), title=words)]
    return [*blocks, Paragraph(words)]


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return whom the rules concern, how far from the best possible they can be, and what other settings give."""
    details = finding.details
    blocks = [*_whom(finding, number)]
    sentence = certificate_words(details)
    if details.status != "chosen":
        sentence = f"{sentence} What is counted: {objective_words(as_part(finding.plan, RulesPlan).objective)}"
    blocks.append(Paragraph(sentence, strong="How close to the best possible."))
    if len(details.path):
        title = (
            "The search, round by round: the loss of the best list of rules found, and what is proven to be the least. "
        )
        title += "In the rounds the best is a rough one; the line across is what was reached when rules were chosen."
        blocks.append(
            drawn(number, "path", title, (rules_path_chart, rules_path_alt), details.path, reached=details.objective)
        )
    if len(details.frontier) > 1:
        against = "complexity" if details.fairness is None else "the largest difference, by complexity"
        title = f"What other settings would give: accuracy against {against}, on the tuning rows. Dashed: what no other"
        title += " list of rules here beats in both; no bound is proven for these."
        blocks.append(
            drawn(
                number,
                "frontier",
                title,
                (rules_frontier_chart, rules_frontier_alt),
                details.frontier,
                allowed=_allowed(details),
            )
        )
    return blocks


def _whom(finding: RemedyFinding, number: int) -> list[Block]:
    """Return how often each rule holds in each group, and the gaps on all parts of the rows."""
    details = finding.details
    blocks: list[Block] = []
    if len(details.rules) and 0 < len(details.coverage) <= MOST_DRAWN:
        title = "How often each rule holds in each known group, and is right there, on the held-out rows."
        blocks.append(drawn(number, "coverage", title, (rules_coverage_chart, rules_coverage_alt), details.coverage))
    if len(details.gaps):
        title = f"Difference between each pair of groups in what had to be alike, on {sides_words(details.gaps)}. "
        title += "Shaded: what is allowed."
        title += differences_note(details.gaps)
        blocks.append(
            drawn(
                number,
                "rates",
                title,
                (differences_chart, differences_alt),
                details.gaps,
                allowed=details.max_difference,
            )
        )
        blocks.append(Paragraph(sides_sentence(details), strong="The limit on other rows."))
    return blocks


def _allowed(details: RulesDetails) -> float | None:
    return None if details.fairness is None else details.max_difference
