"""Whether a gap changed, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from fairaudit.audit.result import AuditResult, ChangeFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.disclosure.hidden import replaced, without_figures
from fairaudit.events import Finished, Progress
from fairaudit.findings import Count, Message, Phrase, Said
from fairaudit.measure.period_results import PeriodComparison
from fairaudit.messages import say, say_answer
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import salted
from fairaudit.plan.questions import ChangePlan
from fairaudit.present.blocks import Block, Chart, Heading, Items, KeyValues, Note, Paragraph, TableBlock
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.asked import asked_rows
from fairaudit.sections.change.reading import ShownChange, period_names, read_change
from fairaudit.sections.change.saying import (
    answer_text,
    change_line,
    not_said,
    recording_sentences,
    say_change,
    say_clustered,
    say_recording,
)
from fairaudit.sections.change.tables import change_table, change_tables, periods_table, profile_table
from fairaudit.sections.opening import UNSAID, Opening, opening_of
from fairaudit.sections.section import LONG_STEPS, Answering, Fails, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedChange(ChangeFinding):
    """One question about whether a gap changed, and its answer."""

    answer: ShownChange = setting(
        "Whether the gap is smaller, larger, turned around, changed or unchanged, or may be any of these."
    )
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: ChangeFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, answer=read_change(finding).verdict, sentence=answer_text(finding))


class ChangeSection(Section[ChangeFinding]):
    """Whether a gap changed."""

    kind = "changes"
    command = "change"
    fails = Fails(
        ("gap_larger", "gap_turned_around", "gap_changed"),
        "a larger gap, and if asked also on one that is on the other side, or changed by more than chance",
    )
    takes_weights = True
    exported = ExportedChange
    has_own_not_known = False
    n_steps = LONG_STEPS
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Compare the periods."""
        from fairaudit.sections.change.answering import run_change

        yield Progress("Comparing periods", 0, 1)
        asked = plan.changes[number]
        second = None if asked.second is None else sources.seconds.get(asked.second)
        goes_on = sources.ignore_fingerprint
        yield Finished(run_change(table, plan, asked, base=sources.base, second=second, ignore_fingerprint=goes_on))

    def hide(self, findings: Sequence[ChangeFinding], counts: HiddenCounts) -> tuple[ChangeFinding, ...]:
        """Return the questions without their answers: the ledger does not count people by periods."""
        return tuple(map(without_answer, findings))

    def hide_asked(self, plan: AuditPlan) -> AuditPlan:
        """Return a plan whose questions hold no fingerprint that values could be tried out on."""
        return plan.model_copy(update={"changes": tuple(map(without_fingerprint, plan.changes))})

    def say(self, finding: ChangeFinding) -> Said:
        """Say whether the gap changed."""
        return say_change(finding)

    def verdicts(self, finding: ChangeFinding) -> tuple[str, ...]:
        """Return whether the gap changed."""
        return (read_change(finding).verdict,)

    def picture(self, finding: ChangeFinding, number: int) -> Chart | None:
        """Return the gap of each period."""
        return None if read_change(finding).verdict in UNSAID else _chart(finding, number)

    def tables(self, finding: ChangeFinding, number: int) -> list[TableBlock]:
        """Return the periods, the change, and how the periods were recorded."""
        return change_tables(finding, number)

    def opening(self, finding: ChangeFinding, number: int, result: AuditResult) -> Opening:
        """Return what a change comes to on the first page."""
        said = say_change(finding)
        title = say(Message("report-changed", {"n": Count(len(period_names(finding)))}))
        step = say(Message("report-next-changed"))
        if read_change(finding).verdict in UNSAID:
            return opening_of(self.kind, title, said, next_step=step)
        # By how much, which its headline does not say.
        by = say(said.lead[0])
        return opening_of(self.kind, title, said, chart=_chart(finding, number), short=by, next_step=step)

    def blocks(self, finding: ChangeFinding, number: int, result: AuditResult) -> list[Block]:
        """Return whether the gap changed, and in what the periods are recorded otherwise."""
        said, verdict, found = say_change(finding), read_change(finding).verdict, finding.compared
        blocks: list[Block] = [Heading(1, "Change over time"), Paragraph("", lead=True, strong=say_answer(said))]
        if lead := say((*said.lead, *said.caution)):
            blocks.append(Paragraph(lead))
        if verdict == "not_shown":
            return blocks
        if verdict != "nothing_to_compare":
            blocks.append(_chart(finding, number, table_key=f"change_{number}_periods"))
        blocks += [Note(text, kind="warning") for text in (*found.warnings, *map(not_known_sentence, found.not_known))]
        if (recording := say_recording(finding)) is not None:
            blocks.append(Paragraph(say(recording)))
        if differences := recording_sentences(finding):
            blocks.append(Items(differences))
        return [*blocks, Items(tuple(map(say, not_said())), title="What this does not say")]

    def annex_title(self, finding: ChangeFinding) -> str:
        """Return what its annex is called."""
        return "How the periods were compared"

    def annex(self, finding: ChangeFinding, number: int) -> list[Block]:
        """Return what was asked, and the figures of each period; nothing but the first where they are hidden."""
        blocks: list[Block] = [KeyValues("What was asked", _periods_asked(finding))]
        if read_change(finding).verdict == "not_shown":
            return blocks
        blocks.append(periods_table(finding, number))
        if finding.result is not None:
            blocks.append(change_table(finding, number))
        blocks += [Paragraph(say(message)) for message in say_clustered(finding)]
        return [*blocks, profile_table(finding, number)] if finding.compared.profile else blocks

    def lines(self, finding: ChangeFinding) -> list[str]:
        """Return the answer in a line."""
        return [change_line(finding)]


def without_answer(finding: ChangeFinding) -> ChangeFinding:
    """Return a question without its answer."""
    return replace(
        finding,
        plan=without_fingerprint(finding.plan),
        result=without_tolerances(finding),
        line=None if finding.line is None else without_figures(finding.line),
        second_fingerprint=None if finding.second_fingerprint is None else salted(finding.second_fingerprint),
    )


def without_tolerances(finding: ChangeFinding) -> PeriodComparison | None:
    """Return a comparison without figures; a tolerance of amounts may be made of their spread, so it states none."""
    if finding.result is None:
        return None
    result = without_figures(finding.result)
    if finding.decision.kind.has_good_outcome:
        return result
    return replaced(result, **{name: replaced(getattr(result, name), tolerance=None) for name in ("before", "after")})


def without_fingerprint(asked: ChangePlan) -> ChangePlan:
    """Return a question whose fingerprint of the second table is salted."""
    recorded = asked.second_fingerprint and salted(asked.second_fingerprint)
    return asked.model_copy(update={"second_fingerprint": recorded})


def _chart(finding: ChangeFinding, number: int, table_key: str | None = None) -> Chart:
    from fairaudit.sections.change.charts import change_chart, change_chart_text, change_chart_title

    title, text = change_chart_title(finding), change_chart_text(finding)
    return Chart(f"change_{number}_chart", title, text, change_chart(finding), table_key)


def _periods_asked(finding: ChangeFinding) -> tuple[tuple[str, str], ...]:
    """Return what was asked of which periods, as label and value."""
    asked = finding.plan
    periods = f"{asked.column}, cut at {', '.join(map(str, asked.cuts))}"
    if asked.second is not None:
        key = "annex-second-earlier" if asked.second_is == "earlier" else "annex-second-later"
        periods = say(Message(key, {"table": Phrase(asked.second)}))
    rows = [*asked_rows(finding), ("Periods", periods)]
    if finding.second_fingerprint is not None:
        rows.append(("Fingerprint of the second table", finding.second_fingerprint))
    return tuple(rows)
