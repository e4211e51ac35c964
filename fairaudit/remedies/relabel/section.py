"""What retraining on changed decisions does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fairaudit.findings import Argument, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.models import MODEL_WORDS
from fairaudit.plan.parts import as_part
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
        from fairaudit.remedies.relabel.details import ALGORITHM_WORDS

        models = f"{MODEL_WORDS[plan.risk_model]}, then {MODEL_WORDS[plan.final_model]}"
        return f"Retrain on {ALGORITHM_WORDS[plan.algorithm]} ({models})"

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.remedies.relabel.details import changed, searched

        plan = as_part(finding.plan, RelabelPlan)
        models: dict[str, Argument] = {
            "risk": Phrase(MODEL_WORDS[plan.risk_model]),
            "final": Phrase(MODEL_WORDS[plan.final_model]),
        }
        anew = [Message("retrain-made-anew")] if plan.algorithm == "risk_adjustment" else []
        found = searched(finding.details)
        said = [Message("retrain-made", models), *anew, changed(finding.details), Message("retrain-final", models)]
        return say(said if found is None else [*said, found])

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        extent = finding.details.extent
        if extent is None:
            return ()
        return (say(Message("retrain-caution-further" if extent else "retrain-caution")),)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.relabel.details import flipped_table, places_table, relabelled_table, searched_table

        details = finding.details
        tables = [relabelled_table(details, number), flipped_table(details, number)]
        tables += [searched_table(details, number)] if len(details.path) else []
        return tables + ([places_table(details, number)] if len(details.places) > 1 else [])

    def joint_tables(self, findings: Sequence[RemedyFinding]) -> list[TableBlock]:
        from fairaudit.remedies.relabel.details import pairs_tables

        return pairs_tables(findings)

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.present.blocks import pick
        from fairaudit.remedies.charts import chart_block
        from fairaudit.remedies.relabel.charts import extents_alt, extents_chart

        details = finding.details
        blocks: list[Block] = []
        if len(details.flipped):
            blocks.append(pick(tables["flipped"], ("group", "label_words", "n", "n_flipped")))
        if len(details.path) > 1:
            title, drawing = f"{say(Message('retrain-chart-extents'))}.", (extents_chart, extents_alt)
            blocks.append(chart_block(number, "extents", title, drawing, details.path, target=details.target))
        if "places" in tables:
            blocks.append(tables["places"])
        return blocks

    def definitions(self) -> tuple[tuple[str, str], ...]:
        return ((say(Message("retrain-term")), say(Message("retrain-term-means"))),)
