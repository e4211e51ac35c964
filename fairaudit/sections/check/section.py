"""A check, as a kind of question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from fairaudit.audit.result import AuditResult, CheckFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.events import Finished, Progress
from fairaudit.findings import Message, Said
from fairaudit.measure.detectable import DetectableGap, detectable_of
from fairaudit.measure.levels import ControlledLevels
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import (
    ControlledBounds,
    ControlledFairness,
    ControlledMeans,
    ControlledWaiting,
    StratifiedBounds,
    StratifiedFairness,
)
from fairaudit.measure.similar import SimilarAmounts
from fairaudit.measure.verdicts import Verdict
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import row_noun
from fairaudit.present.blocks import Block, Chart, Heading, TableBlock
from fairaudit.present.cases import ExportedNotKnown, in_words, not_known_sentence
from fairaudit.sections.check.reading import Answer as ShownAnswer
from fairaudit.sections.check.reading import Within, levels_of, read_check
from fairaudit.sections.check.saying import answer_text, say_check
from fairaudit.sections.opening import UNSAID, Opening
from fairaudit.sections.section import GAPS_FAIL, Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


@dataclass(frozen=True, kw_only=True)
class ExportedAnswer(CheckFinding):
    """One question about a gap between two groups, and its answer."""

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
    def of(cls, finding: CheckFinding, **added: object) -> Self:
        """Add the answer in words, and what else the class adds."""
        return extended(
            cls,
            finding,
            verdict=(levels_of(finding) or finding.result).verdict,
            answer=read_check(finding).answer,
            within=read_check(finding).within,
            sentence=answer_text(finding),
            detectable=detectable_of(finding.result),
            not_known=in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
            **added,
        )


@dataclass(frozen=True, kw_only=True)
class ExportedCheck(ExportedAnswer):
    """One controlled-fairness question and its answer."""

    result: ControlledFairness | ControlledBounds
    strata: StratifiedFairness | StratifiedBounds | None
    similar: SimilarAmounts | None = setting(in_json=False)


@dataclass(frozen=True, kw_only=True)
class ExportedAmount(ExportedAnswer):
    """One question about a decision that is an amount, and its answer."""

    result: ControlledMeans | ControlledWaiting
    levels: ControlledLevels | None = setting(in_json=False)
    strata: StratifiedMeans | None
    higher_is_favorable: bool = setting("Whether more is better for the person.")

    @classmethod
    def of(cls, finding: CheckFinding, **added: object) -> Self:
        """Add the answer in words, and whether more is better."""
        return super().of(finding, higher_is_favorable=finding.decision.higher_is_favorable, **added)


EXPORTED: Final[Mapping[OutcomeKind, type[ExportedAnswer]]] = {SHARES: ExportedCheck, AMOUNTS: ExportedAmount}


class CheckSection(Section[CheckFinding]):
    """Whether there is a gap between two groups, and whether it holds among similar cases."""

    kind = "checks"
    command = "check"
    fails = GAPS_FAIL
    takes_weights = True
    takes_partial_counts = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Compare both groups, all groups, and groups among similar cases."""
        from fairaudit.sections.check.answering import answer_check

        check = plan.checks[number]
        yield Progress(check.title or f"Check {number + 1} of {len(plan.checks)}", 0, 1)
        yield Finished(answer_check(table, plan, check))

    def say(self, finding: CheckFinding) -> Said:
        """Say whether there is a gap, and whether it holds among similar cases."""
        return say_check(finding)

    def paragraph(self, finding: CheckFinding) -> str:
        """Return the answer as one paragraph, with its caution."""
        return answer_text(finding)

    def verdicts(self, finding: CheckFinding) -> tuple[str, ...]:
        """Return the one to fail on, if any, similar cases included."""
        failed = read_check(finding).fails_on
        return () if failed is None else (failed,)

    def picture(self, finding: CheckFinding, number: int) -> Chart | None:
        """Return both groups, and both among similar cases."""
        from fairaudit.sections.check.chapter import check_picture

        return None if read_check(finding).verdict in UNSAID else check_picture(finding, number)

    def opening(self, finding: CheckFinding, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        from fairaudit.sections.check.chapter import check_opening

        return check_opening(finding, number, result)

    def blocks(self, finding: CheckFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the answer, who was compared, all groups, similar cases, and what weakens it."""
        from fairaudit.sections.check.chapter import (
            compared_blocks,
            doubt_blocks,
            group_blocks,
            heading,
            level_blocks,
            opening_with_prediction,
        )

        first = [
            Heading(1, heading(finding, number, several=len(result.checks) > 1)),
            *opening_with_prediction(finding, number, result),
        ]
        if levels_of(finding) is not None:
            return [*first, *level_blocks(finding, number), *doubt_blocks(finding)]
        return [
            *first,
            *compared_blocks(finding, number, level=2, noun=row_noun(result.plan)),
            *group_blocks(finding, number, level=2, noun=row_noun(result.plan)),
            *doubt_blocks(finding),
        ]

    def annexes(self, findings: Sequence[CheckFinding]) -> Iterator[tuple[str, list[Block]]]:
        """Yield the statistics of all answers as one annex."""
        from fairaudit.sections.check.chapter import numbers_chapter

        if findings:
            yield say(Message("annex-numbers")), numbers_chapter(findings)

    def lines(self, finding: CheckFinding) -> list[str]:
        """Return the answer in a line, after its title."""
        title = finding.plan.title or ""
        between = "" if not title else " " if title.endswith(("?", ".", "!", ":")) else ": "
        return [f"{title}{between}{answer_text(finding)}"]

    @property
    def json_classes(self) -> Mapping[str, type]:
        """What the JSON holds of its answers, by key: one for each kind of decision."""
        return {kind.answers: held for kind, held in EXPORTED.items()}

    def export(self, findings: Sequence[CheckFinding]) -> Mapping[str, tuple[object, ...]]:
        """Return all its answers as the JSON has them, by key."""
        found: dict[str, tuple[object, ...]] = {kind.answers: () for kind in EXPORTED}
        for finding in findings:
            kind = finding.decision.kind
            found[kind.answers] += (EXPORTED[kind].of(finding),)
        return found

    def hide(self, findings: Sequence[CheckFinding], counts: HiddenCounts) -> tuple[CheckFinding, ...]:
        """Return the answers without the counts that are hidden, and what follows from them."""
        from fairaudit.sections.check.hiding import CheckMask

        return tuple(CheckMask(counts).finding(finding, number) for number, finding in enumerate(findings))

    def joint_tables(self, findings: Sequence[CheckFinding]) -> list[TableBlock]:
        """Return one row a check."""
        from fairaudit.sections.check.tables import summary_table

        return [summary_table(findings)]

    def tables(self, finding: CheckFinding, number: int) -> list[TableBlock]:
        """Return both groups, the gap, all groups, the strata and similar people."""
        from fairaudit.sections.check.tables import check_tables

        return check_tables(finding, number)
