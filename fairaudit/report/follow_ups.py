"""The chapters on what explains a gap, whether it changed, worst groups, and searches and inspections."""

from __future__ import annotations

from fairaudit.audit.result import ChangeFinding, ExplanationFinding, InspectionFinding, SubgroupsFinding
from fairaudit.errors import sure
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say, say_answer
from fairaudit.plan.questions import VeilPlan
from fairaudit.present.blocks import Block, Chart, Heading, Items, KeyValues, Note, Paragraph, pick
from fairaudit.present.cases import not_known_sentence
from fairaudit.report import follow_up_tables as tables
from fairaudit.report.follow_up_tables import (
    change_table,
    controls_table,
    parts_table,
    periods_table,
    profile_table,
    sensitivity_table,
)
from fairaudit.report.tables import group_name
from fairaudit.sections.change import (
    not_said,
    read_change,
    recording_sentences,
    say_change,
    say_clustered,
    say_recording,
)
from fairaudit.sections.change.charts import change_chart, change_chart_text, change_chart_title
from fairaudit.sections.explain import (
    NOT_SAID,
    NOT_SHOWN,
    can_be_overturned,
    other_methods,
    say_agreement,
    say_explanation,
    say_method,
    say_overturning,
    say_people,
)
from fairaudit.sections.explain.charts import (
    CURVE_TITLE,
    curve_chart,
    curve_chart_text,
    explanation_chart,
    explanation_chart_text,
    explanation_chart_title,
)
from fairaudit.sections.searches import charts, read_searches, say_searches
from fairaudit.sections.searches.charts import searches_chart, searches_chart_text, searches_chart_title
from fairaudit.sections.searches.saying import (
    ASSUMES,
    MISLEADS,
    VEIL_ASSUMES,
    notes,
    say_model,
    say_places,
    say_veil,
)
from fairaudit.sections.searches.saying import NOT_SAID as SEARCHES_NOT_SAID
from fairaudit.sections.worst import read_worst, say_worst, title
from fairaudit.sections.worst.charts import (
    worst_chart,
    worst_chart_text,
    worst_chart_title,
    worst_map,
    worst_map_note,
    worst_map_text,
)
from fairaudit.sections.worst.saying import PRINTED, how_searched, in_chart_order, left_out, worst_tables


def explanation_blocks(finding: ExplanationFinding, number: int) -> list[Block]:
    """Return the chapter of one question about what explains a gap."""
    found = finding.result
    said = say_explanation(finding)
    answer = say_answer(said)
    blocks: list[Block] = [Heading(1, "What explains it")]
    if found.gap.value is None:
        return [*blocks, Paragraph(say(NOT_SHOWN), strong=answer), _reasons(finding)]
    blocks.append(Paragraph(say((*said.lead, *said.caution)), strong=answer))
    title, alt = explanation_chart_title(finding), explanation_chart_text(finding)
    chart = explanation_chart(finding)
    blocks.append(Chart(f"explanation_{number}_chart", title, alt, chart, f"explanation_{number}_parts"))
    if rough := say((*other_methods(finding), *say_agreement(finding))):
        blocks.append(Paragraph(rough))
    blocks += [Note(text, kind="warning") for text in (*found.warnings, *map(not_known_sentence, found.not_known))]
    blocks.append(_reasons(finding))
    blocks.append(Paragraph(say(say_overturning(finding)), strong="What could overturn it."))
    blocks.append(Items(tuple(map(say, NOT_SAID)), title="What this does not say"))
    return blocks


def explanation_annex(finding: ExplanationFinding, number: int) -> list[Block]:
    """Return what was asked, how the gap was divided, and its parts; nothing but the first where they are hidden."""
    blocks: list[Block] = [KeyValues("What was asked", _asked(finding))]
    if finding.result.gap.value is None:
        return blocks
    blocks.append(Paragraph(say((*say_people(finding), *say_method(finding)))))
    blocks += [parts_table(finding, number), controls_table(finding, number)]
    if not can_be_overturned(finding.result):
        return blocks
    blocks.append(sensitivity_table(finding, number))
    title, alt = say(CURVE_TITLE), curve_chart_text(finding)
    chart = curve_chart(finding)
    return [*blocks, Chart(f"explanation_{number}_curve_chart", title, alt, chart, f"explanation_{number}_curve")]


def _reasons(finding: ExplanationFinding) -> Items:
    reasons = (f"{c.column}: {' '.join(c.reason.split())}" for c in finding.plan.controls)
    return Items(tuple(reasons), title="The columns that may count, and the reasons for them")


def change_blocks(finding: ChangeFinding, number: int) -> list[Block]:
    """Return the chapter of one question about whether a gap changed."""
    said, verdict = say_change(finding), read_change(finding).verdict
    answer = Paragraph("", lead=True, strong=say_answer(said))
    blocks: list[Block] = [Heading(1, "Change over time"), answer]
    if lead := say((*said.lead, *said.caution)):
        blocks.append(Paragraph(lead))
    if verdict == "not_shown":
        return blocks
    if verdict != "nothing_to_compare":
        title, text = change_chart_title(finding), change_chart_text(finding)
        blocks.append(Chart(f"change_{number}_chart", title, text, change_chart(finding), f"change_{number}_periods"))
    found = finding.compared
    blocks += [Note(text, kind="warning") for text in (*found.warnings, *map(not_known_sentence, found.not_known))]
    if (recording := say_recording(finding)) is not None:
        blocks.append(Paragraph(say(recording)))
    if differences := recording_sentences(finding):
        blocks.append(Items(differences))
    blocks.append(Items(tuple(map(say, not_said())), title="What this does not say"))
    return blocks


def change_annex(finding: ChangeFinding, number: int) -> list[Block]:
    """Return what was asked, and the figures of each period; nothing but the first where they are hidden."""
    blocks: list[Block] = [KeyValues("What was asked", _asked(finding))]
    if read_change(finding).verdict == "not_shown":
        return blocks
    blocks.append(periods_table(finding, number))
    if finding.result is not None:
        blocks.append(change_table(finding, number))
    blocks += [Paragraph(say(message)) for message in say_clustered(finding)]
    return [*blocks, profile_table(finding, number)] if finding.compared.profile else blocks


def _asked(finding: ExplanationFinding | ChangeFinding) -> tuple[tuple[str, str], ...]:
    rows = [
        ("Filter", finding.where_words or "all rows"),
        ("Protected group", group_name(finding)),
        (finding.decision.kind.label, finding.meaning),
    ]
    if isinstance(finding, ChangeFinding):
        asked = finding.plan
        periods = f"{asked.column}, cut at {', '.join(map(str, asked.cuts))}"
        if asked.second is not None:
            key = "annex-second-earlier" if asked.second_is == "earlier" else "annex-second-later"
            periods = say(Message(key, {"table": Phrase(asked.second)}))
        rows.append(("Periods", periods))
        if finding.second_fingerprint is not None:
            rows.append(("Fingerprint of the second table", finding.second_fingerprint))
    return tuple(rows)


# Worst groups.


def worst_blocks(found: SubgroupsFinding, number: int) -> list[Block]:
    """Return the chapter: the answer, and each group beside everyone else."""
    said = say_worst(found)
    answer = Paragraph("", lead=True, strong=say_answer(said))
    blocks: list[Block] = [Heading(1, title(found)), answer, Paragraph(say((*said.lead, *said.caution)))]
    if read_worst(found).verdict == "not_shown":
        return blocks
    blocks += [Note(not_known_sentence(part), kind="warning") for part in found.not_known]
    key, text = f"subgroups_{number}", worst_chart_text(found)
    return [*blocks, Chart(f"{key}_chart", worst_chart_title(found), text, worst_chart(found), key)]


def worst_annex(found: SubgroupsFinding, number: int) -> list[Block]:
    """Return how the search went and how far to trust it; nothing where it is hidden."""
    if read_worst(found).verdict == "not_shown":
        return []
    tables = worst_tables(found, number)
    key = f"subgroups_{number}"
    return [
        Items(tuple(map(say, how_searched(found)))),
        pick(in_chart_order(found, tables[0]), PRINTED),
        Chart(f"{key}_map", worst_map_note(found), worst_map_text(found), worst_map(found), key),
        tables[1],
        *(Note(say(message)) for message in left_out(found)),
    ]


# Searches and inspections.


def inspection_blocks(finding: InspectionFinding, number: int) -> list[Block]:
    """Return the chapter of one question: the answer, the model, light and darkness, and what none of them says."""
    said, verdict = say_searches(finding), read_searches(finding).verdict
    answer = Paragraph("", lead=True, strong=say_answer(said))
    blocks: list[Block] = [Heading(1, say(Message("searches-title"))), answer]
    blocks.append(Paragraph(say((*said.lead, *said.caution))))
    if verdict == "not_shown":
        return [*blocks, KeyValues("What was asked", asked(finding))]
    if verdict != "nothing_to_compare":
        caption, alt, key = (
            searches_chart_title(finding),
            searches_chart_text(finding),
            f"inspection_{number}_hit_rates",
        )
        blocks.append(Chart(f"inspection_{number}_chart", caption, alt, searches_chart(finding), key))
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
    return [*blocks, Heading(2, "What this does not say"), Items(notes((*MISLEADS, *SEARCHES_NOT_SAID)))]


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
    where = {"columns": Phrase(clock), "zone": Phrase(veil.time_zone or "")}
    return f"{say(Message('annex-light-sun', where))}; hours {hours}"


def _threshold_blocks(finding: InspectionFinding, number: int) -> list[Block]:
    found = sure(finding.thresholds)
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
    answer, *more = map(say, say_veil(finding))
    blocks: list[Block] = [Heading(2, say(Message("searches-more-light")))]
    blocks.append(Paragraph(" ".join(more), strong=answer))
    caption, alt = say(Message("searches-chart-light")), charts.veil_alt(finding)
    chart, key = charts.veil_chart(finding), f"inspection_{number}_veil_hours"
    blocks.append(Chart(f"inspection_{number}_veil_chart", caption, alt, chart, key))
    blocks.append(Items(notes(VEIL_ASSUMES)))
    blocks.append(pick(tables.veil_table(finding, number), tables.VEIL))
    return [*blocks, *(Note(text, kind="warning") for text in sure(finding.veil).warnings)]
