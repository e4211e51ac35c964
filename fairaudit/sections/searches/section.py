"""Searches and inspections, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from fairaudit.audit.result import AuditResult, InspectionFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.disclosure.hidden import without_figures
from fairaudit.errors import require
from fairaudit.findings import Message, Phrase, Said
from fairaudit.measure.verdicts import ShownVerdict
from fairaudit.messages import say, say_answer, say_verdicts
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import VeilPlan
from fairaudit.present.blocks import (
    Block,
    Chart,
    Heading,
    Items,
    KeyValues,
    Note,
    Paragraph,
    TableBlock,
    cell_text,
    pick,
)
from fairaudit.sections.opening import UNSAID, Opening, opening_of
from fairaudit.sections.searches import tables
from fairaudit.sections.searches.reading import read_searches
from fairaudit.sections.searches.saying import (
    ASSUMES,
    MISLEADS,
    NOT_SAID,
    VEIL_ASSUMES,
    answer_text,
    limit_of,
    line,
    notes,
    pair_of,
    say_model,
    say_places,
    say_range,
    say_searches,
    say_veil,
)
from fairaudit.sections.section import GAPS_FAIL, LONG_STEPS, Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedInspection(InspectionFinding):
    """One question about searches and inspections, and its answer."""

    verdict: ShownVerdict = setting(
        "Whether one group was looked at on weaker grounds, or with fewer finds, than another."
    )
    sentence: str = setting("The answer as a paragraph.")
    veil_sentence: str = setting(
        "Light against darkness as a paragraph; empty where it was not asked for or is hidden."
    )

    @classmethod
    def of(cls, finding: InspectionFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            verdict=read_searches(finding).verdict,
            sentence=answer_text(finding),
            veil_sentence=say(say_veil(finding)),
        )


class SearchesSection(Section[InspectionFinding]):
    """Searches and inspections."""

    kind = "inspections"
    command = "searches"
    fails = GAPS_FAIL
    exported = ExportedInspection
    n_steps = LONG_STEPS
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Compare what was found and, where it is asked, infer thresholds and compare light with darkness."""
        from fairaudit.sections.searches.answering import iter_inspection

        return iter_inspection(table, plan, plan.inspections[number])

    def hide(self, findings: Sequence[InspectionFinding], counts: HiddenCounts) -> tuple[InspectionFinding, ...]:
        """Return the questions without their answers: the ledger does not count people by finds."""
        return tuple(map(without_answer, findings))

    def say(self, finding: InspectionFinding) -> Said:
        """Say whether one group was looked at on weaker grounds."""
        return say_searches(finding)

    def verdicts(self, finding: InspectionFinding) -> tuple[str, ...]:
        """Return those on grounds where the model fits, else on hit rates, allowing for all groups and strata."""
        return read_searches(finding).gaps

    def picture(self, finding: InspectionFinding, number: int) -> Chart | None:
        """Return finds, or the grounds that a model infers, by group."""
        return None if read_searches(finding).verdict in UNSAID else _chart(finding, number)

    def tables(self, finding: InspectionFinding, number: int) -> list[TableBlock]:
        """Return hit rates, thresholds, and light and darkness."""
        return tables.inspection_tables(finding, number)

    def opening(self, finding: InspectionFinding, number: int, result: AuditResult) -> Opening:
        """Return what a question comes to on the first page."""
        said, title, reading = say_searches(finding), say(Message("searches-title")), read_searches(finding)
        step = say(Message("report-next-searches"))
        if reading.verdict in UNSAID:
            return opening_of(self.kind, title, said, next_step=step)
        row = require(reading.leading)
        pair = say(Message("report-pair", {"title": Phrase(title), **pair_of(finding)}))
        figures = cell_text(row.difference, "points"), cell_text((row.low, row.high), "points_interval")
        return opening_of(
            self.kind,
            title,
            said,
            chart=_chart(finding, number),
            likely="" if (shown := say_range(finding)) is None else say(shown),
            rows=((pair, *figures, say_verdicts(said)),),
            next_step=step,
            limit=limit_of(finding),
        )

    def blocks(self, finding: InspectionFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the answer, the model, light and darkness, and what none of them says."""
        said, verdict = say_searches(finding), read_searches(finding).verdict
        answer = Paragraph("", lead=True, strong=say_answer(said))
        blocks: list[Block] = [Heading(1, say(Message("searches-title"))), answer]
        blocks.append(Paragraph(say((*said.lead, *said.caution))))
        if verdict == "not_shown":
            return [*blocks, KeyValues("What was asked", _asked(finding))]
        if verdict != "nothing_to_compare":
            blocks.append(_chart(finding, number, table_key=f"inspection_{number}_hit_rates"))
        blocks.append(KeyValues("What was asked", _asked(finding)))
        blocks += [Note(text, kind="warning") for text in finding.outcome.warnings]
        blocks.append(pick(tables.hit_rates_table(finding, number), tables.HIT_RATES))
        names = tables.GAPS if finding.outcome.strata else tables.GAPS[:5]
        blocks.append(pick(tables.hit_gaps_table(finding, number), names))
        if finding.thresholds is not None:
            blocks += _threshold_blocks(finding, number)
        if finding.veil is not None:
            blocks += _veil_blocks(finding, number)
        return [*blocks, Heading(2, "What this does not say"), Items(notes((*MISLEADS, *NOT_SAID)))]

    def lines(self, finding: InspectionFinding) -> list[str]:
        """Return the answer in a line."""
        return [line(finding)]


def without_answer(finding: InspectionFinding) -> InspectionFinding:
    """Return a question without its answer."""
    parts = {name: getattr(finding, name) for name in ("outcome", "thresholds", "veil")}
    return replace(finding, groups=(), **{name: part and without_figures(part) for name, part in parts.items()})


def _chart(finding: InspectionFinding, number: int, table_key: str | None = None) -> Chart:
    from fairaudit.sections.searches.charts import searches_chart, searches_chart_text, searches_chart_title

    caption, text = searches_chart_title(finding), searches_chart_text(finding)
    return Chart(f"inspection_{number}_chart", caption, text, searches_chart(finding), table_key)


def _asked(finding: InspectionFinding) -> tuple[tuple[str, str], ...]:
    """Return what was asked, as label and value."""
    plan = finding.plan
    rows = [
        ("Cases", finding.where_words or "all rows"),
        ("Looked at", finding.acted_words),
        ("Found", finding.found_words),
        ("Groups by", finding.group_words),
    ]
    if plan.strata:
        rows.append(("Compared within", " and ".join(plan.strata)))
    if plan.location:
        rows.append(("Thresholds by place", " and ".join(plan.location)))
    if plan.veil is not None:
        rows.append(("Light and darkness", _when_light(plan.veil)))
    return tuple(rows)


def _when_light(veil: VeilPlan) -> str:
    hours = {"evening": "around dusk", "morning": "around dawn", "both": "around dusk and dawn"}[veil.hours]
    hours += "; stops are rows looked at" * veil.acted_only
    if veil.light is not None:
        return f"{veil.light}; hours {hours}"
    clock = " and ".join(name for name in (veil.date, veil.time) if name is not None)
    where = {"columns": Phrase(clock), "zone": Phrase(veil.time_zone or "")}
    return f"{say(Message('annex-light-sun', where))}; hours {hours}"


def _threshold_blocks(finding: InspectionFinding, number: int) -> list[Block]:
    from fairaudit.sections.searches import charts

    found = require(finding.thresholds)
    blocks: list[Block] = [Heading(2, say(Message("searches-more-model")))]
    blocks += [Paragraph(say(message)) for message in say_places(finding)]
    fit, *fitted = say_model(finding)
    if not found.checks.passed:
        blocks.append(Note(say(fit), kind="warning"))
    key = f"inspection_{number}_threshold_groups"
    caption, alt = charts.thresholds_note(finding), charts.thresholds_alt(finding)
    blocks.append(Chart(f"inspection_{number}_thresholds_chart", caption, alt, charts.thresholds_chart(finding), key))
    blocks.append(Items(notes(ASSUMES)))
    blocks.append(pick(tables.threshold_groups_table(finding, number), tables.THRESHOLDS))
    blocks.append(Items(tuple(map(say, (fit, *fitted)))))
    caption, key = say(Message("searches-chart-fit")), f"inspection_{number}_thresholds"
    alt = charts.fit_alt(finding)
    blocks.append(Chart(f"inspection_{number}_fit_chart", caption, alt, charts.fit_chart(finding), key))
    return [*blocks, *(Note(text, kind="warning") for text in found.warnings)]


def _veil_blocks(finding: InspectionFinding, number: int) -> list[Block]:
    from fairaudit.sections.searches import charts

    answer, *more = map(say, say_veil(finding))
    blocks: list[Block] = [Heading(2, say(Message("searches-more-light")))]
    blocks.append(Paragraph(" ".join(more), strong=answer))
    caption, alt = say(Message("searches-chart-light")), charts.veil_alt(finding)
    chart, key = charts.veil_chart(finding), f"inspection_{number}_veil_hours"
    blocks.append(Chart(f"inspection_{number}_veil_chart", caption, alt, chart, key))
    blocks.append(Items(notes(VEIL_ASSUMES)))
    blocks.append(pick(tables.veil_table(finding, number), tables.VEIL))
    return [*blocks, *(Note(text, kind="warning") for text in require(finding.veil).warnings)]
