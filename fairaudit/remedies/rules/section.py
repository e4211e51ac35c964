"""What a set of rules to be read aloud does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

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
        from fairaudit.remedies.rules.tables import made_sentences

        return made_sentences(finding)

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        from fairaudit.remedies.rules.tables import rules_caveats

        return rules_caveats(finding)

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
        from fairaudit.remedies.rules.charts import command_lines

        return command_lines(finding, facts)

    def definitions(self) -> tuple[tuple[str, str], ...]:
        from fairaudit.remedies.rules.charts import definitions

        return definitions()
