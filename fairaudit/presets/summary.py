"""The summary that a rule asks to publish: its dates, where the data come from, and a table for each set of groups."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.present.blocks import Block, Document, Heading, Items, KeyValues, Note, TableBlock, pick
from fairaudit.presets.findings import PresetFinding, RatesFinding
from fairaudit.presets.tables import people_facts, published_facts, rates_table, rule_facts
from fairaudit.sections.forms.details import how_computed, own_notes, say_by, undecided_notes
from fairaudit.sections.forms.saying import status_facts


def is_summarised(finding: PresetFinding) -> bool:
    """Say whether a rule asks to publish a summary of a form, and the form has no tables but of rates."""
    return finding.preset.publishes and bool(finding.rates) and not finding.means and not finding.pay


def summary_document(finding: PresetFinding, number: int = 1, *, author: str | None = None) -> Document:
    """Return what is to be published of a filled form, in the order in which the rule names it."""
    preset = finding.preset
    blocks: list[Block] = [KeyValues(None, (*published_facts(finding), *people_facts(finding, marks=False)))]
    for position, rates in enumerate(finding.rates, start=1):
        heading = say(Message("form-heading-by", {"columns": say_by(finding, rates)}))
        blocks += [Heading(2, heading), _published_table(finding, rates, number, position)]
    blocks += [Note(text) for text in (*undecided_notes(finding), *own_notes(finding))]
    blocks += [
        Heading(2, say(Message("form-more-computed"))),
        Items(how_computed(finding, marks=False)),
        Heading(2, say(Message("form-more-rule"))),
        KeyValues(None, (*rule_facts(finding), *status_facts(preset, is_overdue=finding.is_overdue))),
        Note(preset.notice),
    ]
    return Document(
        title=finding.title,
        subtitle=say(Message("form-summary")),
        language="en",
        blocks=tuple(blocks),
        author=author,
        footer=say(Message("form-footer", {"section": Phrase(preset.section)})),
    )


def _published_table(finding: PresetFinding, rates: RatesFinding, number: int, position: int) -> TableBlock:
    """Return people, rate and ratio of each group; of a tool that scores, nobody is selected."""
    whole = rates_table(finding, rates, number, position)
    groups = [column.name for column in whole.columns if column.name.startswith("group_")]
    selected = ["positives"] if finding.rate == "selection" else []
    table = pick(whole, [*groups, "n", *selected, "rate", "impact_ratio"])
    rows = tuple(
        (*cells[:-1], say(Message("form-row-left-out"))) if row.left_out else cells
        for cells, row in zip(table.rows, rates.table.rows, strict=True)
    )
    return replace(table, rows=rows)
