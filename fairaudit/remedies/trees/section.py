"""What a decision tree does, for shares and for amounts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS
from fairaudit.remedies.section import FactsT, FindingT, RemedySection
from fairaudit.remedies.trees.plan import INDEX_WORDS, TreesPlan

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.trees.details import AmountTreeDetails, TreesDetails
    from fairaudit.remedies.trees.words import OutcomeNodes
    from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
    from fairaudit.study.amounts.rows import AmountStudy
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study

BOUND: Final = ("Proven bound, of a tree", "What no tree of the allowed depth can be below on the training cases.")


class AnyTreesSection(RemedySection[TreesPlan, FindingT, FactsT]):
    """A decision tree, of decisions of either kind."""

    plan = TreesPlan
    printed: ClassVar[tuple[str, ...]] = ()
    """The ends of the keys of tables that a report shows."""

    @abstractmethod
    def nodes(self, facts: FactsT) -> OutcomeNodes:
        """Return how the nodes of a tree are described."""

    def done(self, finding: FindingT, facts: FactsT) -> str:
        from fairaudit.remedies.trees.words import made

        return say(made(finding.details))

    def cautions(self, finding: FindingT, facts: FactsT) -> Iterable[str]:
        """Return what to doubt of the tree, and what its search says of itself."""
        from fairaudit.remedies.trees.words import cautions

        return (*map(say, cautions(finding.details)), *finding.details.notes)

    def result_blocks(
        self, finding: FindingT, facts: FactsT, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return the tree, drawn as on its page."""
        from fairaudit.remedies.gap_curve import curve_block
        from fairaudit.remedies.trees.charts import drawn_tree

        details = finding.details
        blocks: list[Block] = []
        if details.max_loss is not None and len(details.gap_curve):
            blocks += [curve_block(details, number), tables["curve"]]
        return [*blocks, drawn_tree(details, facts, number, self.nodes(facts))] if len(details.nodes) else blocks

    def search_blocks(
        self, finding: FindingT, facts: FactsT, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return the tree in words, how groups and similar people fare, how it was searched for, and other settings."""
        from fairaudit.present.blocks import Code, Paragraph
        from fairaudit.remedies.charts import chart_block
        from fairaudit.remedies.trees import charts
        from fairaudit.remedies.trees.words import similar, solved, tree_text

        details, wording = finding.details, self.nodes(facts)
        digits, settings = wording.digits, details.settings
        blocks: list[Block] = [tables[key] for key in self.printed if tables[key].rows]
        blocks.append(Code("\n".join(tree_text(details, wording))))
        blocks.append(Paragraph(say(solved(details))))
        if said := similar(details):
            blocks.append(Paragraph(say(said)))
            title, alike = say(Message("tree-similar-title")), (charts.similar_people_chart, charts.similar_alt)
            blocks.append(chart_block(number, "similar", title, alike, details, digits=digits))
        if len(details.bounds) > 1:
            title, closing = say(Message("tree-bounds-title")), (charts.tree_bounds_chart, charts.bounds_alt)
            places = details.objective_digits
            blocks.append(chart_block(number, "bounds", title, closing, details.bounds, digits=places))
        by = "gap" if details.constraint is not None else "index"
        if len(charts.drawn_settings(settings, by)) > 1:
            title, others = say(Message("tree-settings-title")), (charts.tree_settings_chart, charts.settings_alt)
            allowed, unit = charts.allowed_of(details, by), charts.Unit(digits, by_ratio=details.by_ratio)
            blocks.append(chart_block(number, "settings", title, others, settings, by=by, allowed=allowed, unit=unit))
        if len(charts.drawn_depths(settings)) > 1:
            title = say(charts.depth_lines(settings, digits=digits).title)
            by_depth = (charts.tree_depths_chart, charts.depths_alt)
            depths = chart_block(number, "depths", title, by_depth, settings, digits=digits)
            blocks.append(replace(depths, table_key=tables["settings"].key))
        return blocks

    def command_lines(self, finding: FindingT, facts: FactsT) -> list[str]:
        """Return the tree, how many of several pairs of groups keep the limit, and how good it can be, a line each."""
        from fairaudit.remedies.tables import HELD
        from fairaudit.remedies.trees.words import best, tree_lines

        details, kept = finding.details, []
        table = details.ratios if details.by_ratio else getattr(details, "gaps", None)
        if table is not None and len(table) > 1 and details.max_loss is None:
            within = int(table["reading"].isin(HELD).sum())
            kept = [say(Message("tree-kept", {"within": Count(within), "n": Count(len(table))}))]
        lines = tree_lines(details.nodes, self.nodes(facts)) or (say(Message("tree-not-shown")),)
        return [f"  {line}" for line in (*lines, *kept, say(best(details)))]


class TreesSection(AnyTreesSection["RemedyFinding", "StudyFacts"]):
    """A decision tree."""

    printed = ("alike", "indices")

    @property
    def details(self) -> type[TreesDetails]:
        from fairaudit.remedies.trees.details import TreesDetails

        return TreesDetails

    def fit(self, study: Study, plan: TreesPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.trees.fit import iter_trees

        return iter_trees(study, plan, name, known)

    def name(self, plan: TreesPlan) -> str:
        """Return the name of a tree: its settings in words.

        Examples
        --------
        >>> TreesSection().name(TreesPlan(max_depth=2))
        'A decision tree (depth up to 2, positive predictions alike within 5 points)'
        >>> TreesSection().name(TreesPlan(constraint=None, discrimination="dtdi", fairness_weight=0.5))
        'A decision tree (depth up to 3, DTDI at weight 0.5)'
        >>> TreesSection().name(TreesPlan(search="look_ahead", constraint="four_fifths", choose_weight=True))
        'A decision tree grown question by question (depth up to 3, the 80 % rule, weight chosen by cross-validation)'
        """
        from fairaudit.study.constraint_check import limit_text

        if plan.constraint is None:
            return tree_name(plan)
        words = say(Message(CONSTRAINT_MESSAGES[plan.constraint]))
        if plan.max_loss is not None:
            lost: dict[str, Argument] = {"what": Phrase(words), "limit": Phrase(limit_text(plan.max_loss))}
            return tree_name(plan, say(Message("tree-name-loss", lost)))
        if plan.by_ratio:
            return tree_name(plan, words)
        limit: dict[str, Argument] = {"what": Phrase(words), "limit": Phrase(limit_text(plan.max_difference))}
        asked = [say(Message("tree-name-within", limit))]
        if plan.margin:
            asked.append(say(Message("tree-name-margin", {"margin": Phrase(limit_text(plan.margin))})))
        return tree_name(plan, *asked)

    def proven(self, finding: RemedyFinding, facts: StudyFacts) -> Sequence[Message]:
        from fairaudit.remedies.gap_curve import proven

        details = finding.details
        return proven(details, "tree", of_errors=details.constraint != "demographic_parity")

    def nodes(self, facts: StudyFacts) -> OutcomeNodes:
        from fairaudit.remedies.trees.words import OUTCOMES

        return OUTCOMES

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.gap_curve import curve_table
        from fairaudit.remedies.trees import details as tree_tables

        details = finding.details
        curve = () if details.max_loss is None else (curve_table(details, number),)
        return [
            *curve,
            tree_tables.tree_table(details.nodes, number, tree_tables.NODES),
            tree_tables.lookup_table(details, number),
            tree_tables.counts_table(details, number, tree_tables.COUNTS),
            tree_tables.leaves_table(details, number, tree_tables.LEAVES),
            tree_tables.ratios_table(details, number) if details.by_ratio else tree_tables.gaps_table(details, number),
            tree_tables.indices_table(details, number),
            tree_tables.similar_table(details, number, tree_tables.SIMILAR, tree_tables.SIMILAR_NOTE),
            tree_tables.treated_table(details, number),
            tree_tables.found_table(details, number),
            tree_tables.bounds_table(details, number),
            tree_tables.settings_table(details, number),
        ]

    def definitions(self) -> tuple[tuple[str, str], ...]:
        means = "Yes-or-no questions, one after another. Each way ends in a leaf, which says what is predicted."
        margin = ("Margin", "How much less than the limit was allowed on the training cases.")
        return (("Decision tree", means), BOUND, margin)


class AmountTreesSection(AnyTreesSection["AmountRemedyFinding", "AmountStudyFacts"]):
    """A decision tree of amounts."""

    outcome = AMOUNTS

    @property
    def details(self) -> type[AmountTreeDetails]:
        from fairaudit.remedies.trees.details import AmountTreeDetails

        return AmountTreeDetails

    def fit(self, study: AmountStudy, plan: TreesPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.trees.fit import iter_amount_tree

        return iter_amount_tree(study, plan, name, known)

    def name(self, plan: TreesPlan) -> str:
        """Return the name of a tree of amounts: its settings in words.

        Examples
        --------
        >>> AmountTreesSection().name(TreesPlan(max_depth=2, amount_difference=50))
        'A decision tree (depth up to 2, mean amounts within 50)'
        """
        asked = [say(Message("tree-name-weighed"))] if plan.leaves == "linear" else []
        if plan.constraint is not None:
            limit = plan.amount_difference
            said = Message("tree-name-means")
            if limit is not None:
                said = Message("tree-name-means-within", {"limit": Phrase(f"{limit:,.6g}")})
            asked.append(say(said))
        return tree_name(plan, *asked)

    def nodes(self, facts: AmountStudyFacts) -> OutcomeNodes:
        from fairaudit.measure.limits import amount_digits
        from fairaudit.remedies.trees.words import AmountNodes

        return AmountNodes(amount_digits(facts.deviation))

    def cautions(self, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> Iterable[str]:
        """Return which leaves bring groups closer by another amount than their people have, and what else to doubt."""
        from fairaudit.measure.limits import amount_digits
        from fairaudit.remedies.trees.words import moved

        return (*map(say, moved(finding.details, amount_digits(facts.deviation))), *super().cautions(finding, facts))

    def tables(self, finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.measure.limits import amount_digits
        from fairaudit.remedies.trees import details as tree_tables
        from fairaudit.remedies.trees.details import in_unit

        details, digits = finding.details, amount_digits(facts.deviation)
        return [
            tree_tables.tree_table(details.nodes, number, in_unit(tree_tables.AMOUNT_NODES, digits)),
            tree_tables.lookup_table(details, number),
            tree_tables.counts_table(details, number, in_unit(tree_tables.AMOUNT_COUNTS, digits)),
            tree_tables.leaves_table(details, number, in_unit(tree_tables.AMOUNT_LEAVES, digits)),
            tree_tables.similar_table(
                details,
                number,
                in_unit(tree_tables.AMOUNT_SIMILAR, digits),
                tree_tables.AMOUNT_SIMILAR_NOTE,
            ),
            tree_tables.amount_treated_table(details, digits, number),
            tree_tables.amount_found_table(details, number),
            tree_tables.bounds_table(details, number),
            tree_tables.amount_settings_table(details, digits, number),
        ]

    def definitions(self) -> tuple[tuple[str, str], ...]:
        means = "Yes-or-no questions, one after another. Each way ends in a leaf, which predicts an amount."
        return (("Tree of amounts", means), BOUND)


CONSTRAINT_MESSAGES: Final = {
    "demographic_parity": "tree-name-positive",
    "four_fifths": "tree-name-four-fifths",
    "equal_opportunity": "tree-name-missed",
    "equalized_odds": "tree-name-errors",
}
"""What may be asked to be alike."""


def tree_name(remedy: TreesPlan, *asked: str) -> str:
    """Return the name of a tree with what is asked of it, and how it is searched for where that is not as usual."""
    settings = [say(Message("tree-name-depth", {"n": Count(remedy.max_depth)})), *asked, *_priced(remedy)]
    args: dict[str, Argument] = {"settings": Phrase(", ".join([*settings, *_searched(remedy)]))}
    way = "all" if remedy.search == "optimal" else "grown"
    return say(Message("tree-name", {**args, "way": Word(way)}))


def _priced(remedy: TreesPlan) -> tuple[str, ...]:
    """Return which index counts, or what a difference costs where a tree is grown."""
    weight: dict[str, Argument] = {"weight": Phrase(f"{remedy.fairness_weight:g}")}
    if remedy.search == "look_ahead":
        chosen = (Message("tree-name-weight-chosen"),) if remedy.choose_weight else ()
        given = (Message("tree-name-weight", weight),) if remedy.fairness_weight and not remedy.choose_weight else ()
        return tuple(map(say, chosen or given))
    if remedy.discrimination is None:
        return ()
    index: dict[str, Argument] = {"index": Phrase(INDEX_WORDS[remedy.discrimination])}
    bound: dict[str, Argument] = {"bound": Phrase(f"{remedy.max_discrimination or 0:g}")}
    is_bounded = Word("no" if remedy.max_discrimination is None else "yes")
    is_priced = Word("yes" if remedy.fairness_weight else "no")
    return (say(Message("tree-name-index", {**index, **weight, **bound, "bounded": is_bounded, "priced": is_priced})),)


def _searched(remedy: TreesPlan) -> tuple[str, ...]:
    """Return how a tree is searched for, where that is not as usual."""
    usual = {name: field.default for name, field in TreesPlan.model_fields.items()}
    uses, features = remedy.max_uses_per_feature, remedy.max_features
    near = remedy.discrimination in ("dtdi", "both") and remedy.n_neighbors != usual["n_neighbors"]
    has_time = remedy.time_limit != usual["time_limit"]
    ahead, sample, splits = remedy.look_ahead, remedy.sample_size, remedy.max_splits
    found = (
        (remedy.branching == "linear", Message("tree-name-sums")),
        (uses is not None, Message("tree-name-uses", {"n": Count(uses or 0)})),
        (features is not None, Message("tree-name-columns", {"n": Count(features or 0)})),
        (splits is not None, Message("tree-name-splits", {"n": Count(splits or 0)})),
        (remedy.solver != "auto", Message("tree-name-solver", {"solver": Word(remedy.solver)})),
        (remedy.min_leaf_size != usual["min_leaf_size"], Message("tree-name-leaf", {"n": Count(remedy.min_leaf_size)})),
        (near, Message("tree-name-near", {"n": Count(remedy.n_neighbors)})),
        (remedy.use_sensitive, Message("tree-name-sensitive")),
        (remedy.prices_tried != usual["prices_tried"], Message("tree-name-prices")),
        (ahead is not None, Message("tree-name-ahead", {"n": Count(ahead or 0)})),
        (sample != usual["sample_size"], Message("tree-name-sample", {"n": Count(sample)})),
        (has_time, Message("tree-name-work", {"seconds": Phrase(f"{remedy.time_limit:g}")})),
    )
    return tuple(say(message) for is_so, message in found if is_so)
