"""What a threshold for each group does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairaudit.findings import Message, Phrase, Points
from fairaudit.messages import say
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.plan.parts import as_part
from fairaudit.present import naming
from fairaudit.present.numbers import are_known
from fairaudit.remedies.section import RemedySection
from fairaudit.remedies.thresholds.plan import ThresholdsPlan

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.thresholds.details import ThresholdDetails
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study

SEARCH_WORDS = {"exact": "", "pso": ", a search by chance", "chosen": ", chosen by hand"}


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
        weight = f", fairness weight {plan.fairness_weight:g}" if plan.goes_by_weight else ""
        moves = ", of thresholds" if plan.swarm == "thresholds" else ""
        return f"A threshold for each group ({MODEL_WORDS[plan.model]}{weight}{SEARCH_WORDS[plan.search]}{moves})"

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        plan = as_part(finding.plan, ThresholdsPlan)
        keys = {"exact": "thresholds-found", "pso": "thresholds-found-pso", "chosen": "thresholds-chosen"}
        args = {"score": Phrase(MODEL_WORDS[plan.model]), "weight": Phrase(f"{plan.fairness_weight:g}")}
        found = keys[plan.search] if plan.confidence is None else "thresholds-found-held"
        return say([Message("thresholds-made", args), Message(found, args)])

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        """Return how far thresholds that were not searched for exactly are from the optimum."""
        from fairaudit.remedies.thresholds.details import NOTHING_MISSING

        details, plan = finding.details, as_part(finding.plan, ThresholdsPlan)
        if plan.search == "exact" or not are_known(details.objective, details.optimal_objective):
            return []
        missing = details.optimal_objective - details.objective
        if missing < NOTHING_MISSING:
            return []
        return [say(Message("thresholds-missing", {"missing": Points(missing, 2)}))]

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.thresholds import details

        makers = [details.thresholds_table, details.fairness_weights_table, details.roc_table]
        if as_part(finding.plan, ThresholdsPlan).confidence is not None:
            makers.append(details.limited_table)
        return [table(finding.details, number) for table in makers]

    def result_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return where the line lies for each group."""
        from fairaudit.remedies.thresholds.details import moved_thresholds

        if not len(finding.details.thresholds):
            return []
        return [moved_thresholds(tables["thresholds"], finding.after.errors.positive)]

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return where the thresholds put each group, and what other weights of fairness give."""
        from fairaudit.remedies.charts import chart_block, with_others
        from fairaudit.remedies.thresholds import charts

        blocks: list[Block] = []
        details, plan = finding.details, as_part(finding.plan, ThresholdsPlan)
        if len(details.roc) and len(details.thresholds):
            title = f"{say(Message('thresholds-chart-roc'))}."
            title += naming.drawn_note(len(details.thresholds), naming.MOST_SERIES)
            roc, thresholds = (with_others(frame, facts) for frame in (details.roc, details.thresholds))
            drawing = (charts.threshold_roc_chart, charts.threshold_roc_alt)
            blocks.append(chart_block(number, "roc", title, drawing, roc, thresholds, finding.after.errors.positive))
        if len(details.sweep) > 1:
            title = f"{say(Message('thresholds-chart-weights'))}."
            current = plan.fairness_weight if plan.goes_by_weight else None
            sweep = (charts.weight_sweep_chart, charts.weight_sweep_alt)
            blocks.append(chart_block(number, "weights", title, sweep, details.sweep, current=current))
        return blocks

    def definitions(self) -> tuple[tuple[str, str], ...]:
        return ((say(Message("thresholds-term")), say(Message("thresholds-term-means"))),)
