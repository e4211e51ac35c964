"""Who stands among the first of lists, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from fairaudit.audit.result import AuditResult
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.disclosure.hidden import without_figures
from fairaudit.events import Finished, Progress
from fairaudit.findings import Message, Said
from fairaudit.measure.verdicts import ShownVerdict
from fairaudit.messages import say, say_answer
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Chart, Heading, Items, KeyValues, Paragraph, TableBlock
from fairaudit.sections.opening import Opening, opening_of
from fairaudit.sections.rankings.finding import RankingsFinding
from fairaudit.sections.rankings.saying import (
    answer_text,
    failing_verdict,
    how_compared,
    line,
    quantity_of,
    rankings_tables,
    say_rankings,
    shown_verdict,
)
from fairaudit.sections.section import GAPS_FAIL, Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts

NEXT = {
    "clear_gap": "check-next-gap",
    "gap_size_unclear": "check-next-gap",
    "no_gap_above_tolerance": "check-next-no-gap",
    "too_few_to_tell": "check-next-unclear",
}
"""What to do next, by the verdict."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedRankings(RankingsFinding):
    """One question about lists, and its answer."""

    verdict: ShownVerdict = setting("Whether the protected group stands among the first as often as the others.")
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: RankingsFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, verdict=shown_verdict(finding), sentence=answer_text(finding))


class RankingsSection(Section[RankingsFinding]):
    """Who stands among the first of lists."""

    kind = "rankings"
    command = "rankings"
    fails = GAPS_FAIL
    exported = ExportedRankings
    has_own_not_known = False
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Compare both groups inside their lists."""
        from fairaudit.sections.rankings.answering import run_rankings

        yield Progress("Comparing places in lists", 0, 1)
        yield Finished(run_rankings(table, plan, plan.rankings[number]))

    def hide(self, findings: Sequence[RankingsFinding], counts: HiddenCounts) -> tuple[RankingsFinding, ...]:
        """Return the questions without their answers: the ledger does not count people by their places."""
        return tuple(map(without_figures, findings))

    def say(self, finding: RankingsFinding) -> Said:
        """Say who stands among the first more often."""
        return say_rankings(finding)

    def verdicts(self, finding: RankingsFinding) -> tuple[str, ...]:
        """Return the verdict on the gap."""
        return (failing_verdict(finding),)

    def picture(self, finding: RankingsFinding, number: int) -> Chart | None:
        """Return the share of the protected group among the first, place by place."""
        return None if shown_verdict(finding) == "not_shown" else _chart(finding, number)

    def tables(self, finding: RankingsFinding, number: int) -> list[TableBlock]:
        """Return the gap, what stands beside it, beginnings of lists, and lists that are not compared."""
        return rankings_tables(finding, number)

    def opening(self, finding: RankingsFinding, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        verdict, said = shown_verdict(finding), say_rankings(finding)
        key = NEXT.get(verdict)
        return opening_of(
            self.kind,
            _title(),
            said,
            chart=self.picture(finding, number),
            next_step="" if key is None else say(Message(key)),
            limit=None if verdict == "not_shown" else quantity_of(finding).limit(finding.plan.tolerance),
        )

    def blocks(self, finding: RankingsFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the answer and the picture."""
        said = say_rankings(finding)
        blocks: list[Block] = [Heading(1, _title()), Paragraph("", lead=True, strong=say_answer(said))]
        if text := say((*said.lead, *said.caution)):
            blocks.append(Paragraph(text))
        hidden = shown_verdict(finding) == "not_shown"
        return blocks if hidden else [*blocks, _chart(finding, number, f"rankings_{number}_prefixes")]

    def annex_title(self, finding: RankingsFinding) -> str:
        """Return what its annex is called."""
        return say(Message("rankings-annex"))

    def annex(self, finding: RankingsFinding, number: int) -> list[Block]:
        """Return what was asked, and what stands beside the gap; nothing but the first where it is hidden."""
        blocks: list[Block] = [KeyValues("What was asked", asked_rows(finding))]
        if shown_verdict(finding) == "not_shown":
            return blocks
        gap, beside, _, *more = rankings_tables(finding, number)
        kinds = more[: len(finding.result.kinds[:1])]
        return [*blocks, gap, Items(tuple(map(say, how_compared(finding)))), beside, *kinds]

    def lines(self, finding: RankingsFinding) -> list[str]:
        """Return the answer in a line."""
        return [line(finding)]


def asked_rows(finding: RankingsFinding) -> tuple[tuple[str, str], ...]:
    """Return what was asked, as label and value."""
    asked = finding.plan
    first = "the lowest first" if asked.rank is not None or asked.lowest_first else "the highest first"
    return (
        ("Filter", finding.where_words or "all rows"),
        ("Protected group", asked.protected_name or finding.protected_words),
        ("Ordered by", f"{asked.order}, {first}"),
        ("A list for each", ", ".join(asked.lists) or "all cases are one list"),
        *([("Kinds of lists", ", ".join(asked.strata))] if asked.strata else []),
        ("Among the first", str(asked.first)),
        *([] if asked.merit is None else [("Merit", asked.merit)]),
    )


def _title() -> str:
    return say(Message("rankings-title"))


def _chart(finding: RankingsFinding, number: int, table_key: str | None = None) -> Chart:
    from fairaudit.sections.rankings.charts import rankings_chart, rankings_chart_text, rankings_chart_title

    caption, text = rankings_chart_title(finding), rankings_chart_text(finding)
    return Chart(f"rankings_{number}_chart", caption, text, rankings_chart(finding), table_key)
