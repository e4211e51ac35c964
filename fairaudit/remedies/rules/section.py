"""What a set of rules to be read aloud does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairaudit.messages import say
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.section import RemedySection

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.rules.details import RulesDetails
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study


class RulesSection(RemedySection[RulesPlan, "RemedyFinding", "StudyFacts"]):
    """A set of rules to be read aloud."""

    plan = RulesPlan

    @property
    def details(self) -> type[RulesDetails]:
        from fairaudit.remedies.rules.details import RulesDetails

        return RulesDetails

    def fit(self, study: Study, plan: RulesPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.rules.fit import iter_rules

        return iter_rules(study, plan, name, known)

    def name(self, plan: RulesPlan) -> str:
        from fairaudit.remedies.rules.tables import rules_name

        return rules_name(plan)

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.remedies.rules.tables import made

        return say(made(finding.details))

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        return tuple(finding.details.notes)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.rules.tables import rules_tables

        return rules_tables(finding, number)

    def result_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.rules.charts import result_blocks

        return result_blocks(finding, facts, number, tables)

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.rules.charts import search_blocks

        return search_blocks(finding, facts, number, tables)

    def command_lines(self, finding: RemedyFinding, facts: StudyFacts) -> list[str]:
        from fairaudit.remedies.rules.tables import proof, rule_items, rules_head

        details = finding.details
        lines = [rules_head(details, facts), *rule_items(details), say(proof(details))]
        return [f"  {line}" for line in lines]

    def definitions(self) -> tuple[tuple[str, str], ...]:
        return (
            ("Complexity", "Of a list of rules: each rule counts 1, and each of its conditions 1."),
            ("Hamming loss", "Errors as a search for rules counts them: a case once for each rule that wrongly holds."),
            ("Proven bound", "No list of the allowed complexity makes fewer errors on the training cases."),
            ("Margin", "How much less than the limit was allowed on the training cases."),
        )
