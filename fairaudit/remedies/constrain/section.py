"""What a model that is trained to meet constraints does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.section import RemedySection

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.constrain.details import ConstrainDetails
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study


class ConstrainSection(RemedySection[ConstrainPlan, "RemedyFinding", "StudyFacts"]):
    """A model that is trained to meet constraints."""

    plan = ConstrainPlan

    @property
    def details(self) -> type[ConstrainDetails]:
        from fairaudit.remedies.constrain.details import ConstrainDetails

        return ConstrainDetails

    def fit(self, study: Study, plan: ConstrainPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.constrain.fit import iter_constrain

        return iter_constrain(study, plan, name, known)

    def name(self, plan: ConstrainPlan) -> str:
        from fairaudit.remedies.constrain.words import constrain_name

        return constrain_name(plan)

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        details = finding.details
        said = [Message("constrain-made", {"n": Count(details.n_fits)})]
        if details.scale != 1:
            said.append(Message("constrain-made-scaled", {"times": Phrase(f"{details.scale:.3g}")}))
        elif details.feasible is not None:
            said.append(Message("constrain-made-met" if details.feasible else "constrain-made-closest"))
        return say(said)

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        from fairaudit.remedies.constrain.words import cautions

        return cautions(finding)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.constrain.tables import constraint_tables

        return constraint_tables(finding, number)

    def asked_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.constrain.charts import asked_blocks

        return asked_blocks(finding, facts, number, tables)

    def result_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.constrain.charts import result_blocks

        return result_blocks(finding, facts, number, tables)

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.constrain.charts import search_blocks

        return search_blocks(finding, facts, number, tables)

    def command_lines(self, finding: RemedyFinding, facts: StudyFacts) -> list[str]:
        from fairaudit.remedies.constrain.charts import kept_text

        return [f"  {kept}"] if (kept := kept_text(finding.details)) else []

    def definitions(self) -> tuple[tuple[str, str], ...]:
        return ((say(Message("constrain-term")), say(Message("constrain-term-means"))),)
