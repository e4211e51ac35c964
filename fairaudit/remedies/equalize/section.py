"""What scores that are spread alike in all groups do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.section import RemedySection

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.equalize.details import EqualizeDetails
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study


class EqualizeSection(RemedySection[EqualizePlan, "RemedyFinding", "StudyFacts"]):
    """A score that is spread alike in all groups."""

    plan = EqualizePlan

    @property
    def details(self) -> type[EqualizeDetails]:
        from fairaudit.remedies.equalize.details import EqualizeDetails

        return EqualizeDetails

    def fit(self, study: Study, plan: EqualizePlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.equalize.fit import iter_equalize

        return iter_equalize(study, plan, name, known)

    def name(self, plan: EqualizePlan) -> str:
        from fairaudit.remedies.equalize.details import equalize_name

        return equalize_name(plan)

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.remedies.equalize.details import done_sentences

        return done_sentences(finding)

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        from fairaudit.remedies.equalize.details import cautions

        return cautions(finding)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.equalize.details import equalize_tables

        return equalize_tables(finding, number)

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.equalize.charts import search_blocks

        return search_blocks(finding, facts, number, tables)

    def definitions(self) -> tuple[tuple[str, str], ...]:
        from fairaudit.remedies.equalize.details import definitions

        return definitions()
