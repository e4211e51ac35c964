"""What scores that are spread alike in all groups do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.numbers import number_text
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
        return f"One score for all groups (weight of accuracy {plan.accuracy_weight:g})"

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        weight = as_part(finding.plan, EqualizePlan).accuracy_weight
        weights = {"weight": Phrase(number_text(weight)), "rest": Phrase(number_text(1 - weight))}
        return say([Message("equalize-made"), Message("equalize-made-weight", weights)])

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        return (say(Message("equalize-caution")),)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.equalize.details import accuracy_weights_table, distribution_table, steps_table

        return [table(finding.details, number) for table in (steps_table, accuracy_weights_table, distribution_table)]

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return how the score is spread in each group, and what other weights of accuracy give."""
        from fairaudit.remedies.charts import chart_block, with_others
        from fairaudit.remedies.equalize import charts

        blocks: list[Block] = []
        details, positive = finding.details, finding.after.errors.positive
        if len(details.distribution):
            note = charts.distribution_note(details.distribution)
            title = f"{say(Message('equalize-chart-spread'))}. {note}".strip()
            spread = (charts.equalized_distribution_chart, charts.equalized_distribution_alt)
            drawn = with_others(details.distribution, facts)
            blocks.append(chart_block(number, "distribution", title, spread, drawn, positive))
        if len(details.sweep) > 1:
            title = f"{say(Message('equalize-chart-weights'))}."
            sweep = (charts.equalized_sweep_chart, charts.equalized_sweep_alt)
            weight = as_part(finding.plan, EqualizePlan).accuracy_weight
            blocks.append(
                chart_block(number, "weights", title, sweep, details.sweep, current=weight, positive=positive)
            )
        return blocks

    def definitions(self) -> tuple[tuple[str, str], ...]:
        return ((say(Message("equalize-term")), say(Message("equalize-term-means"))),)
