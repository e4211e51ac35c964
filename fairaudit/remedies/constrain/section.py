"""What a model that is trained to meet constraints does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.plan.parts import as_part
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
        """Return the name of such a model.

        Examples
        --------
        >>> groups = '["age < 25" as "young", "age >= 25" as "old"]'
        >>> ConstrainSection().name(ConstrainPlan(constraints=(f"demographic_parity by {groups} <= 0.1",), scale=2))
        'Train to your limits, times 2 (logistic regression; share of positive predictions by young, old: 10 points)'
        """
        from fairaudit.estimators.constraints import read_specs
        from fairaudit.remedies.constrain.words import limit_in_brief

        limits = Phrase("; ".join(map(limit_in_brief, read_specs(plan.constraints))))
        args: dict[str, Argument] = {"model": Phrase(MODEL_WORDS[plan.model]), "limits": limits}
        if plan.scale == 1:
            return say(Message("limit-remedy", args))
        return say(Message("limit-remedy-scaled", args | {"times": Phrase(f"{plan.scale:.3g}")}))

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        details = finding.details
        said = [Message("constrain-made", {"n": Count(details.n_fits)})]
        if details.scale != 1:
            said.append(Message("constrain-made-scaled", {"times": Phrase(f"{details.scale:.3g}")}))
        elif details.feasible is not None:
            said.append(Message("constrain-made-met" if details.feasible else "constrain-made-closest"))
        return say(said)

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        """Return why constraints that are met do not prove much."""
        from fairaudit.estimators.constraints import read_specs

        details, plan = finding.details, as_part(finding.plan, ConstrainPlan)
        said = [Message("constrain-caution-tuning")]
        if any(spec.floor is not None for spec in read_specs(plan.constraints)):
            said.append(Message("constrain-caution-floor"))
        if details.feasible is False and details.scale <= 1 and not details.stopped:
            said.append(Message("constrain-caution-unmet"))
        return (*map(say, said), *details.conflicts, *details.notes)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.constrain import details

        makers = (
            details.asked_table,
            details.pairs_table,
            details.frontier_table,
            details.path_table,
            details.path_gaps_table,
        )
        return [table(finding.details, number) for table in makers]

    def result_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return the constraints in words, how many of them hold, and a chart of each pair of groups."""
        from fairaudit.estimators.constraints import read_specs
        from fairaudit.present.blocks import Items, Paragraph
        from fairaudit.remedies.charts import chart_block
        from fairaudit.remedies.constrain.charts import constraint_gaps_alt, constraint_gaps_chart, constraint_gaps_note
        from fairaudit.remedies.constrain.details import kept_text
        from fairaudit.remedies.constrain.words import asked_text

        plan = as_part(finding.plan, ConstrainPlan)
        specs, strata = read_specs(plan.constraints), plan.strata
        asked = [asked_text(spec, positive_meaning=facts.positive_meaning, strata=strata) for spec in specs]
        blocks: list[Block] = [Items(tuple(asked), title=say(Message("constrain-asked")))]
        if kept := kept_text(finding.details):
            blocks.append(Paragraph(kept))
        pairs = finding.details.pairs
        if not len(pairs):
            return blocks
        title = f"{say(Message('constrain-chart-gaps'))}. {constraint_gaps_note(pairs)}".strip()
        drawing = (constraint_gaps_chart, constraint_gaps_alt)
        return [*blocks, chart_block(number, "constraints", title, drawing, pairs)]

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return how the search for a model that meets constraints went, and what else it found."""
        from fairaudit.remedies.charts import chart_block
        from fairaudit.remedies.constrain import charts
        from fairaudit.remedies.constrain.details import printed_asked

        details = finding.details
        blocks: list[Block] = []
        if len(details.pairs) > 1 and details.n_pairs is not None:
            blocks.append(printed_asked(tables["asked"]))
        if not len(details.path):
            return blocks
        path, frontier = (f"{say(Message(f'constrain-chart-{key}'))}." for key in ("path", "frontier"))
        tried = (charts.constraint_path_chart, charts.constraint_path_alt)
        blocks.append(chart_block(number, "path", path, tried, details.path, single=len(details.pairs) == 1))
        best = (charts.constraint_frontier_chart, charts.constraint_frontier_alt)
        return [*blocks, chart_block(number, "frontier", frontier, best, details.path, scale=details.scale)]

    def command_lines(self, finding: RemedyFinding, facts: StudyFacts) -> list[str]:
        from fairaudit.remedies.constrain.details import kept_text

        return [f"  {kept}"] if (kept := kept_text(finding.details)) else []

    def definitions(self) -> tuple[tuple[str, str], ...]:
        return ((say(Message("constrain-term")), say(Message("constrain-term-means"))),)
