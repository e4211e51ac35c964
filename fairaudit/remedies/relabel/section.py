"""What retraining on changed decisions does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.section import RemedySection

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.relabel.details import RelabelDetails
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study


class RelabelSection(RemedySection[RelabelPlan, "RemedyFinding", "StudyFacts"]):
    """Retraining on changed decisions."""

    plan = RelabelPlan

    @property
    def details(self) -> type[RelabelDetails]:
        from fairaudit.remedies.relabel.details import RelabelDetails

        return RelabelDetails

    def fit(self, study: Study, plan: RelabelPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.relabel.fit import iter_relabel

        return iter_relabel(study, plan, name, known)

    def name(self, plan: RelabelPlan) -> str:
        from fairaudit.remedies.relabel.details import relabel_name

        return relabel_name(plan)

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.remedies.relabel.details import done_sentences

        return done_sentences(finding)

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        from fairaudit.remedies.relabel.details import cautions

        return cautions(finding)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.relabel.details import relabel_tables

        return relabel_tables(finding, number)

    def joint_tables(self, findings: Sequence[RemedyFinding]) -> list[TableBlock]:
        from fairaudit.remedies.relabel.details import pairs_tables

        return pairs_tables(findings)

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.relabel.details import search_blocks

        return search_blocks(finding, facts, number, tables)

    def definitions(self) -> tuple[tuple[str, str], ...]:
        from fairaudit.remedies.relabel.details import definitions

        return definitions()
