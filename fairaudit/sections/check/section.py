"""A check, as a kind of question: of shares where the decision has a good outcome, and of amounts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar

from fairaudit.audit.result import AmountFinding, AuditResult, CheckFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.events import Finished, Progress
from fairaudit.findings import Message
from fairaudit.measure.detectable import DetectableGap, detectable_of
from fairaudit.measure.verdicts import Verdict
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import row_noun
from fairaudit.present.blocks import Block, Heading, TableBlock
from fairaudit.present.cases import ExportedNotKnown, in_words, not_known_sentence
from fairaudit.sections.check.reading import Answer as ShownAnswer
from fairaudit.sections.check.reading import Within, read_check
from fairaudit.sections.check.saying import answer_text
from fairaudit.sections.opening import Opening
from fairaudit.sections.section import Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts

Answer = TypeVar("Answer", CheckFinding, AmountFinding)


@dataclass(frozen=True, kw_only=True)
class ExportedCheck(CheckFinding):
    """One controlled-fairness question and its answer."""

    verdict: Verdict | None = setting("The verdict on all rows together; null where it is hidden.")
    answer: ShownAnswer = setting("The verdict that is shown, with what similar cases say otherwise.")
    within: Within | None = setting(
        "What becomes of a gap among similar cases; null without any, or where that is hidden."
    )
    sentence: str = setting("The answer as a paragraph.")
    detectable: DetectableGap | None = setting(
        "How large a gap must be to be seen with these rows. None where a count that it needs is hidden."
    )
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: CheckFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            verdict=finding.result.verdict,
            answer=read_check(finding).answer,
            within=read_check(finding).within,
            sentence=answer_text(finding),
            detectable=detectable_of(finding.result),
            not_known=in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )


@dataclass(frozen=True, kw_only=True)
class ExportedAmount(AmountFinding):
    """One question about a decision that is an amount, and its answer."""

    higher_is_favorable: bool = setting("Whether more is better for the person.")
    verdict: Verdict | None = setting("The verdict on all rows together; null where it is hidden.")
    answer: ShownAnswer = setting("The verdict that is shown, with what similar cases say otherwise.")
    within: Within | None = setting(
        "What becomes of a gap among similar cases; null without any, or where that is hidden."
    )
    sentence: str = setting("The answer as a paragraph.")
    detectable: DetectableGap | None = setting(
        "How large a gap must be to be seen with these rows. None where a count that it needs is hidden."
    )
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: AmountFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            higher_is_favorable=finding.decision.higher_is_favorable,
            verdict=finding.result.verdict,
            answer=read_check(finding).answer,
            within=read_check(finding).within,
            sentence=answer_text(finding),
            detectable=detectable_of(finding.result),
            not_known=in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )


class CheckSection(Section[Answer]):
    """Whether there is a gap between two groups, and whether it holds among similar cases."""

    kind = "checks"
    outcome: ClassVar[OutcomeKind]
    """The kind of decision."""

    @property
    def field(self) -> str:
        """The field of an `AuditResult` with its answers."""
        return self.outcome.answers

    def n_asked(self, plan: AuditPlan) -> int:
        """Return how many checks of this kind of decision a plan asks for."""
        return len(plan.checks) if plan.decision.kind is self.outcome else 0

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Compare both groups, all groups, and groups among similar cases."""
        from fairaudit.sections.check.answering import answer_check

        check = plan.checks[number]
        yield Progress(check.title or f"Check {number + 1} of {len(plan.checks)}", 0, 1)
        yield Finished(answer_check(table, plan, check))

    def opening(self, finding: Answer, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        from fairaudit.sections.check.chapter import check_opening

        return check_opening(finding, number, result)

    def blocks(self, finding: Answer, number: int, result: AuditResult) -> list[Block]:
        """Return the answer, who was compared, all groups, similar cases, and what weakens it."""
        from fairaudit.sections.check.chapter import doubt_blocks, heading, opening_with_prediction

        return [
            Heading(1, heading(finding, number, several=len(result.answers) > 1)),
            *opening_with_prediction(finding, number, result),
            *self.compared(finding, number, row_noun(result.plan)),
            *doubt_blocks(finding),
        ]

    @abstractmethod
    def compared(self, finding: Answer, number: int, noun: str) -> list[Block]:
        """Return who was compared, and what is found of groups and similar cases; `noun` is what a row may lack."""

    def annexes(self, findings: Sequence[Answer]) -> Iterator[tuple[str, list[Block]]]:
        """Yield the statistics of all answers as one annex."""
        from fairaudit.sections.check.chapter import numbers_chapter

        if findings:
            level = 2 + (len(findings) > 1)
            chapters = [self.numbers(finding, number, level) for number, finding in enumerate(findings, start=1)]
            yield say(Message("annex-numbers")), numbers_chapter(findings, chapters)

    @abstractmethod
    def numbers(self, finding: Answer, number: int, level: int) -> list[Block]:
        """Return the statistics of an answer, with headings of a level."""

    def lines(self, finding: Answer) -> list[str]:
        """Return the answer in a line, after its title."""
        title = finding.plan.title or ""
        between = "" if not title else " " if title.endswith(("?", ".", "!", ":")) else ": "
        return [f"{title}{between}{answer_text(finding)}"]


class ShareCheckSection(CheckSection[CheckFinding]):
    """A check of shares: how often each group gets the good outcome."""

    outcome = SHARES
    exported = ExportedCheck

    def hide(self, findings: Sequence[CheckFinding], counts: HiddenCounts) -> tuple[CheckFinding, ...]:
        """Return the answers without the counts that are hidden, and what follows from them."""
        from fairaudit.sections.check.hiding import ShareMask

        return tuple(ShareMask(counts).finding(finding, number) for number, finding in enumerate(findings))

    def joint_tables(self, findings: Sequence[CheckFinding]) -> list[TableBlock]:
        """Return one row a check."""
        from fairaudit.sections.check.tables import summary_table

        return [summary_table(findings)]

    def tables(self, finding: CheckFinding, number: int) -> list[TableBlock]:
        """Return both groups, all groups and the strata."""
        from fairaudit.sections.check.tables import check_tables

        return check_tables(finding, number)

    def compared(self, finding: CheckFinding, number: int, noun: str) -> list[Block]:
        """Return who was compared, and what is found of groups and similar cases."""
        from fairaudit.sections.check.chapter import compared_blocks, group_blocks

        both = compared_blocks(finding, number, level=2, noun=noun)
        return [*both, *group_blocks(finding, number, level=2, noun=noun)]

    def numbers(self, finding: CheckFinding, number: int, level: int) -> list[Block]:
        """Return the gap, its range and tests, and the query."""
        from fairaudit.sections.check.chapter import number_blocks

        return number_blocks(finding, number, level=level)


class AmountCheckSection(CheckSection[AmountFinding]):
    """A check of amounts: how much each group gets on average."""

    outcome = AMOUNTS
    exported = ExportedAmount

    def hide(self, findings: Sequence[AmountFinding], counts: HiddenCounts) -> tuple[AmountFinding, ...]:
        """Return the answers without the counts that are hidden, and what follows from them."""
        from fairaudit.sections.check.hiding import AmountMask

        return tuple(AmountMask(counts).finding(finding, number) for number, finding in enumerate(findings))

    def joint_tables(self, findings: Sequence[AmountFinding]) -> list[TableBlock]:
        """Return one row a check."""
        from fairaudit.sections.check.tables import amount_summary_table

        return [amount_summary_table(findings)]

    def tables(self, finding: AmountFinding, number: int) -> list[TableBlock]:
        """Return both groups, the difference, all groups, the strata and similar people."""
        from fairaudit.sections.check.tables import amount_tables

        return amount_tables(finding, number)

    def compared(self, finding: AmountFinding, number: int, noun: str) -> list[Block]:
        """Return who was compared, and what is found of groups, similar cases and similar people."""
        from fairaudit.sections.check.chapter import amount_compared_blocks, amount_group_blocks

        both = amount_compared_blocks(finding, number, level=2, noun=noun)
        return [*both, *amount_group_blocks(finding, number, level=2, noun=noun)]

    def numbers(self, finding: AmountFinding, number: int, level: int) -> list[Block]:
        """Return the difference, its range and test, and the query."""
        from fairaudit.sections.check.chapter import amount_number_blocks

        return amount_number_blocks(finding, number, level=level)
