"""What a set of rules to be read aloud does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fairaudit.findings import Message, Word
from fairaudit.messages import say
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.section import RemedySection

if TYPE_CHECKING:
    from fairaudit.present.blocks import Block, TableBlock
    from fairaudit.remedies.rules.details import RulesDetails
    from fairaudit.study.findings import RemedyFinding, StudyFacts
    from fairaudit.study.fitting import Fit, Known
    from fairaudit.study.rows import Study

MOST_DRAWN: Final = 16
"""Rules by groups that a chart on paper holds; where there are more, only tables show them."""


class RulesSection(RemedySection[RulesPlan, "RemedyFinding", "StudyFacts"]):
    """A set of rules to be read aloud."""

    plan = RulesPlan

    @property
    def details(self) -> type[RulesDetails]:
        from fairaudit.remedies.rules.details import RulesDetails

        return RulesDetails

    def fit(self, study: Study, plan: RulesPlan, name: str, known: Known) -> Fit:
        from fairaudit.remedies.rules.fit import iter_rules

        return iter_rules(study, plan, name, known)

    def name(self, plan: RulesPlan) -> str:
        """Return the name of such a rule set."""
        from fairaudit.study.constraint_check import FAIRNESS_WORDS

        if plan.rules:
            n_rules = f"{len(plan.rules)} rule{'' if len(plan.rules) == 1 else 's'}"
            return f"A short list of rules, chosen by hand ({n_rules})"
        alike = "" if plan.fairness is None else f", {FAIRNESS_WORDS[plan.fairness]}{_within(plan)}"
        if plan.max_loss is not None:
            alike = f", {FAIRNESS_WORDS[plan.fairness or 'accuracy']}{_lost(plan.max_loss)}"
        return f"A short list of rules (complexity up to {plan.max_complexity}{alike}{_searched(plan)})"

    def done(self, finding: RemedyFinding, facts: StudyFacts) -> str:
        from fairaudit.remedies.rules.details import made

        return say(made(finding.details))

    def cautions(self, finding: RemedyFinding, facts: StudyFacts) -> Iterable[str]:
        return tuple(finding.details.notes)

    def tables(self, finding: RemedyFinding, facts: StudyFacts, number: int) -> list[TableBlock]:
        from fairaudit.remedies.gap_curve import curve_table
        from fairaudit.remedies.rules import details

        makers = (
            details.rules_table,
            details.coverage_table,
            details.rates_table,
            details.search_table,
            details.path_table,
            details.bounds_table,
            details.frontier_table,
        )
        curve = () if finding.details.max_loss is None else (curve_table(finding.details, number),)
        lookup = details.lookup_table(finding.details, facts, number)
        return [*curve, *(table(finding.details, number) for table in makers), lookup]

    def proven(self, finding: RemedyFinding, facts: StudyFacts) -> Sequence[Message]:
        from fairaudit.remedies.gap_curve import proven

        details = finding.details
        return proven(
            details, "rules", of_errors=details.fairness != "demographic_parity", counts_once=details.counts_rows_once
        )

    def result_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return the rules in words."""
        from fairaudit.present.blocks import Items, Paragraph
        from fairaudit.remedies.gap_curve import curve_block
        from fairaudit.remedies.rules.details import rule_items, rules_head

        head, rules = rules_head(finding.details, facts), rule_items(finding.details)
        blocks: list[Block] = [Items(rules, title=head)] if rules else [Paragraph(head)]
        if finding.details.max_loss is not None and len(finding.details.gap_curve):
            blocks += [curve_block(finding.details, number), tables["curve"]]
        return blocks

    def search_blocks(
        self, finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, TableBlock]
    ) -> list[Block]:
        """Return whom the rules concern, how far from the best possible they can be, and what other settings give."""
        from fairaudit.present.blocks import Paragraph
        from fairaudit.remedies.charts import chart_block, differences_alt, differences_chart
        from fairaudit.remedies.rules import charts
        from fairaudit.remedies.rules.details import proof, solved
        from fairaudit.remedies.tables import limits_by_rate

        details = finding.details
        blocks: list[Block] = [Paragraph(say((*proof(details), *solved(details))))]
        if len(details.rules) and 0 < len(details.coverage) <= MOST_DRAWN:
            title = say(Message("rules-chart-coverage"))
            coverage = (charts.rules_coverage_chart, charts.rules_coverage_alt)
            blocks.append(chart_block(number, "coverage", title, coverage, details.coverage))
        if len(details.gaps) and details.max_loss is None:
            title, gaps = say(Message("limits-chart")), (differences_chart, differences_alt)
            blocks.append(chart_block(number, "rates", title, gaps, details.gaps, allowed=limits_by_rate(details)))
        if len(details.path):
            title, path = say(Message("rules-chart-path")), (charts.rules_path_chart, charts.rules_path_alt)
            blocks.append(chart_block(number, "path", title, path, details.path, reached=details.objective))
        if len(details.frontier) > 1:
            title = say(Message("rules-chart-settings"))
            others = (charts.rules_frontier_chart, charts.rules_frontier_alt)
            blocks.append(chart_block(number, "frontier", title, others, details.frontier, allowed=details.allowed))
        return blocks

    def command_lines(self, finding: RemedyFinding, facts: StudyFacts) -> list[str]:
        from fairaudit.remedies.rules.details import proof, rule_items, rules_head

        details = finding.details
        lines = [rules_head(details, facts), *rule_items(details), say(proof(details))]
        return [f"  {line}" for line in lines]

    def definitions(self) -> tuple[tuple[str, str], ...]:
        return (
            ("Complexity", "Of a list of rules: each rule counts 1, and each of its conditions 1."),
            ("Hamming loss", "Errors as a search for rules counts them: a case once for each rule that wrongly holds."),
            ("Proven bound", "No list of the allowed complexity makes fewer errors on the training cases."),
            ("Margin", "How much less than the limit was allowed on the training cases."),
        )


def _within(plan: RulesPlan) -> str:
    """Return how far apart rates may be, and how much less is allowed on the training cases."""
    from fairaudit.study.constraint_check import limit_text

    margin = f" with a margin of {limit_text(plan.margin)}" if plan.margin else ""
    second = plan.max_fpr_difference
    limits = limit_text(plan.max_difference) + ("" if second is None else f" and {limit_text(second)}")
    return f" within {limits}{margin}"


def _lost(max_loss: float) -> str:
    """Return how much accuracy may be lost."""
    from fairaudit.study.constraint_check import limit_text

    return f" as far as {limit_text(max_loss)} of accuracy can buy"


def _long(longest: int | None) -> str:
    if longest is None:
        return "any length"
    return "1 condition" if longest == 1 else f"up to {longest} conditions"


def _searched(plan: RulesPlan) -> str:
    """Return how a rule set is searched for, where that is not as usual."""
    longest = plan.max_rule_length
    length = "" if longest == RulesPlan.model_fields["max_rule_length"].default else f", rules of {_long(longest)}"
    groups = ", also by columns that reveal the group" if plan.use_sensitive else ""
    loss = "" if plan.objective == "hamming" else ", each wrong row counted once"
    usual = RulesPlan.model_fields["time_limit"].default
    limit = "" if plan.time_limit == usual else f", a search of about {plan.time_limit:g} seconds' work"
    solver = say(Message("rules-name-solver", {"solver": Word(plan.solver)})) if plan.solver != "auto" else ""
    return f"{length}{groups}{loss}{limit}" + (f", {solver}" if solver else "")
