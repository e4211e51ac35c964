"""What a threshold for each group does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairaudit.remedies.section import RemedySection
from fairaudit.remedies.thresholds.plan import ThresholdsPlan

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.thresholds.details import ThresholdDetails
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study


class ThresholdsSection(RemedySection[ThresholdsPlan, "RemedyFinding", "StudyFacts"]):
    """A threshold for each group."""

    plan = ThresholdsPlan

    @property
    def details(self) -> type[ThresholdDetails]:
        from fairaudit.remedies.thresholds.details import ThresholdDetails

        return ThresholdDetails

    def fit(self, study: Study, plan: ThresholdsPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.thresholds.fit import iter_thresholds

        return iter_thresholds(study, plan, name, known)

    def name(self, plan: ThresholdsPlan) -> str:
        from fairaudit.remedies.thresholds.details import thresholds_name

        return thresholds_name(plan)

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.remedies.thresholds.details import done_sentences

        return done_sentences(finding)

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        from fairaudit.remedies.thresholds.details import cautions

        return cautions(finding)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.thresholds.details import thresholds_tables

        return thresholds_tables(finding, number)

    def result_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.thresholds.charts import result_blocks

        return result_blocks(finding, facts, number, tables)

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.thresholds.charts import search_blocks

        return search_blocks(finding, facts, number, tables)

    def definitions(self) -> tuple[tuple[str, str], ...]:
        from fairaudit.remedies.thresholds.details import definitions

        return definitions()
