"""What a decision tree does, for shares and for amounts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS
from fairaudit.remedies.section import RemedySection
from fairaudit.remedies.trees.plan import TreesPlan

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.trees.details import AmountTreeDetails, TreesDetails
    from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
    from fairaudit.study.amounts.rows import AmountStudy
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study

BOUND: Final = ("Proven bound, of a tree", "What no tree of the allowed depth can be below on the training cases.")


class TreesSection(RemedySection[TreesPlan, "RemedyFinding", "StudyFacts"]):
    """A decision tree."""

    plan = TreesPlan

    @property
    def details(self) -> type[TreesDetails]:
        from fairaudit.remedies.trees.details import TreesDetails

        return TreesDetails

    def fit(self, study: Study, plan: TreesPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.trees.fit import iter_trees

        return iter_trees(study, plan, name, known)

    def name(self, plan: TreesPlan) -> str:
        from fairaudit.remedies.trees.words import tree_name

        return tree_name(plan)

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.remedies.trees.words import made

        return say(made(finding.details))

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        from fairaudit.remedies.trees.words import caution_texts

        return caution_texts(finding)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.trees.tables import trees_tables

        return trees_tables(finding, number)

    def result_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.trees.charts import result_blocks

        return result_blocks(finding, facts, number, tables)

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.trees.charts import search_blocks

        return search_blocks(finding, facts, number, tables)

    def command_lines(self, finding: RemedyFinding, facts: StudyFacts) -> list[str]:
        from fairaudit.remedies.trees.words import command_lines

        return command_lines(finding, facts)

    def definitions(self) -> tuple[tuple[str, str], ...]:
        means = "Yes-or-no questions, one after another. Each way ends in a leaf, which says what is predicted."
        margin = ("Margin", "How much less than the limit was allowed on the training cases.")
        return (("Decision tree", means), BOUND, margin)


class AmountTreesSection(RemedySection[TreesPlan, "AmountRemedyFinding", "AmountStudyFacts"]):
    """A decision tree of amounts."""

    plan = TreesPlan
    outcome = AMOUNTS

    @property
    def details(self) -> type[AmountTreeDetails]:
        from fairaudit.remedies.trees.details import AmountTreeDetails

        return AmountTreeDetails

    def fit(self, study: AmountStudy, plan: TreesPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.trees.fit import iter_amount_tree

        return iter_amount_tree(study, plan, name, known)

    def name(self, plan: TreesPlan) -> str:
        from fairaudit.remedies.trees.words import amount_tree_name

        return amount_tree_name(plan)

    def done(self, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> str:
        from fairaudit.remedies.trees.words import made

        return say(made(finding.details))

    def cautions(self, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> Iterable[str]:
        from fairaudit.measure.limits import amount_digits
        from fairaudit.remedies.trees.words import caution_texts, moved

        return (*map(say, moved(finding.details, amount_digits(facts.deviation))), *caution_texts(finding))

    def tables(self, finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.trees.tables import amount_tree_tables

        return amount_tree_tables(finding, facts, number)

    def result_blocks(
        self, finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.trees.charts import amount_result_blocks

        return amount_result_blocks(finding, facts, number, tables)

    def search_blocks(
        self, finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        from fairaudit.remedies.trees.charts import amount_search_blocks

        return amount_search_blocks(finding, facts, number, tables)

    def command_lines(self, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> list[str]:
        from fairaudit.remedies.trees.words import command_lines

        return command_lines(finding, facts)

    def definitions(self) -> tuple[tuple[str, str], ...]:
        means = "Yes-or-no questions, one after another. Each way ends in a leaf, which predicts an amount."
        return (("Tree of amounts", means), BOUND)
