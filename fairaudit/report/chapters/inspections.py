"""The chapter on searches and inspections."""

from __future__ import annotations

from fairaudit.audit.inspection_results import InspectionFinding
from fairaudit.errors import sure
from fairaudit.plan.inspections import VeilPlan
from fairaudit.present import inspection_words as words
from fairaudit.present.blocks import Block, Chart, Heading, Items, KeyValues, Note, Paragraph
from fairaudit.present.charts import inspections as charts
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.present.printed_tables import pick
from fairaudit.report import inspection_tables as tables


def inspection_blocks(finding: InspectionFinding, number: int) -> list[Block]:
    """Return the chapter of one question: hit rates, thresholds, light and darkness, and what none of them says."""
    blocks: list[Block] = [Heading(1, words.QUESTION)]
    if words.is_hidden(finding):
        return [*blocks, Paragraph(words.HIDDEN, lead=True), KeyValues("What was asked", asked(finding))]
    blocks.append(Paragraph(words.outcome_details(finding), lead=True, strong=words.outcome_headline(finding)))
    caption, alt, key = charts.hit_rates_note(finding), charts.hit_rates_alt(finding), f"inspection_{number}_hit_rates"
    blocks.append(Chart(f"inspection_{number}_chart", caption, alt, charts.hit_rates_chart(finding), key))
    blocks.append(Paragraph(words.misleads(finding)))
    blocks.append(KeyValues("What was asked", asked(finding)))
    cautions = (*finding.outcome.warnings, *map(not_known_sentence, finding.not_known))
    blocks += [Note(text, kind="warning") for text in cautions]
    blocks.append(pick(tables.hit_rates_table(finding, number), tables.HIT_RATES))
    names = tables.GAPS if finding.outcome.strata else tables.GAPS[:5]
    blocks.append(pick(tables.hit_gaps_table(finding, number), names))
    if finding.thresholds is not None:
        blocks += _threshold_blocks(finding, number)
    if finding.veil is not None:
        blocks += _veil_blocks(finding, number)
    return [*blocks, Heading(2, "What this does not say"), Items(words.NOT_SAID)]


def asked(finding: InspectionFinding) -> tuple[tuple[str, str], ...]:
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
    return f"by the sun, from {clock}, position and the clock of {veil.time_zone}; hours {hours}"


def _threshold_blocks(finding: InspectionFinding, number: int) -> list[Block]:
    found = sure(finding.thresholds)
    blocks: list[Block] = [Heading(2, "How likely a find must be before somebody is looked at")]
    blocks.append(Paragraph(words.threshold_details(finding), strong=words.threshold_headline(finding)))
    if not found.checks.passed:
        blocks.append(Note(words.check_sentences(finding)[0], kind="warning"))
    key = f"inspection_{number}_threshold_groups"
    caption, alt = charts.thresholds_note(finding), charts.thresholds_alt(finding)
    blocks.append(Chart(f"inspection_{number}_thresholds_chart", caption, alt, charts.thresholds_chart(finding), key))
    blocks.append(Paragraph(words.ASSUMES))
    blocks.append(pick(tables.threshold_groups_table(finding, number), tables.THRESHOLDS))
    blocks.append(Items(words.check_sentences(finding), title="Whether the model fits"))
    caption, key = "Points: rates by the model against those observed.", f"inspection_{number}_thresholds"
    alt = charts.fit_alt(finding)
    blocks.append(Chart(f"inspection_{number}_fit_chart", caption, alt, charts.fit_chart(finding), key))
    return [*blocks, *(Note(text, kind="warning") for text in found.warnings)]


def _veil_blocks(finding: InspectionFinding, number: int) -> list[Block]:
    blocks: list[Block] = [Heading(2, "Stopped more where they can be seen?")]
    blocks.append(Paragraph(words.veil_details(finding), strong=words.veil_headline(finding)))
    caption, alt = "Lines: share among stops by the half hour.", charts.veil_alt(finding)
    chart, key = charts.veil_chart(finding), f"inspection_{number}_veil_hours"
    blocks.append(Chart(f"inspection_{number}_veil_chart", caption, alt, chart, key))
    blocks.append(Paragraph(words.VEIL_ASSUMES))
    blocks.append(pick(tables.veil_table(finding, number), tables.VEIL))
    return [*blocks, *(Note(text, kind="warning") for text in sure(finding.veil).warnings)]
