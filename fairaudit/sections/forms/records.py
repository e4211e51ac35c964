"""A record that a rule asks for: what it comes to, its items as blocks and rows, and as YAML."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, Literal

from fairaudit.audit.result import CheckFinding
from fairaudit.disclosure.fields import Field
from fairaudit.errors import require
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Word
from fairaudit.messages import say
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, TableBlock
from fairaudit.presets.findings import PresetFinding, RecordEntry
from fairaudit.presets.items import PresetItem, entries_of, link_of

RecordVerdict = Literal["open_questions", "ready", "nothing_to_compare"]
COLUMNS: Final = (
    Field("item", "item", "text", "Its name in files."),
    Field("article", "part of the rule", "text", "Where the rule asks for it."),
    Field("label", "what", "text", "What is stated."),
    Field("asks", "asked", "text", "What the rule asks for there."),
    Field("source", "stated by", "text", "The audit, a person, the form itself, or nobody yet."),
    Field("answer", "answer", "text", "What is stated."),
)


NOBODY: Final = {True: Message("record-nobody"), False: Message("record-empty")}
"""What stands where nobody states an item, by whether the record needs it."""


def _section(kind: type) -> Any:
    """Return the kind of question that a record opens with."""
    from fairaudit.sections.alternatives.section import AlternativesSection
    from fairaudit.sections.check.section import CheckSection

    return CheckSection() if issubclass(kind, CheckFinding) else AlternativesSection()


def record_verdict(finding: PresetFinding) -> RecordVerdict:
    """Return whether a record is complete; "nothing_to_compare" where the audit lacks what it opens with."""
    record = require(finding.record)
    if record.about is None and _opens(finding):
        return "nothing_to_compare"
    return "open_questions" if record.n_open else "ready"


def _opens(finding: PresetFinding) -> bool:
    """Say whether a record states anything that the audit found."""
    return any(item.filled not in (None, "organisation") and not item.own_words for item in finding.preset.items)


def say_record(finding: PresetFinding) -> Said:
    """Say what a record comes to: what the audit found of it, and what is still to be written."""
    record, verdict = require(finding.record), record_verdict(finding)
    part: dict[str, Argument] = {"part": Word(finding.preset.opens_with)}
    if verdict == "nothing_to_compare":
        return Said(
            Message("verdict-nothing-to-compare"), Message("record-headline-none", part),
            (Message("record-lead-none", part),),
        )  # fmt: skip
    chip = Message("verdict-ready")
    if verdict == "open_questions":
        chip = Message("verdict-open-questions", {"n": Count(record.n_open)})
    lead = [Message("record-lead-open", {"n": Count(record.n_open), "m": Count(len(record.entries))})]
    if any(item.filled == "sealed" for item in finding.preset.items):
        kept = any(message.key == "record-seal-kept" for entry in record.entries for message in entry.known)
        lead.append(Message("record-lead-unsealed", {"sealed": Word("yes" if kept else "no")}))
    if record.about is None or not _opens(finding):
        return Said(chip, Message("record-headline-own", {"open": Count(record.n_open)}), tuple(lead))
    return Said(chip, _section(type(record.about)).say(record.about).headline, tuple(lead))


def record_picture(finding: PresetFinding, number: int) -> Chart | None:
    """Return the picture of what a record opens with; None where there is none to draw."""
    record = require(finding.record)
    if record.about is None or not _opens(finding):
        return None
    return _section(type(record.about)).picture(record.about, number)


def answers(finding: PresetFinding) -> Iterator[tuple[PresetItem, RecordEntry, str]]:
    """Yield each item of a record with its entry and what is stated, which is empty where nobody states it."""
    for item, entry in zip(finding.preset.items, require(finding.record).entries, strict=True):
        known = "" if item.own_words else say(entry.known)
        yield item, entry, " ".join(part for part in (entry.written, known) if part)


def known_text(entry: RecordEntry) -> str:
    """Return what the audit says of an item that a person writes."""
    return say(entry.known)


def record_table(finding: PresetFinding, number: int) -> TableBlock:
    """Return a record as a table, one row an item."""
    rows = [
        (item.item, item.article or "", item.label, item.asks or "", _stated_by(entry), text)
        for item, entry, text in answers(finding)
    ]
    return TableBlock(f"preset_{number}_record", finding.title, COLUMNS, tuple(rows))


def _stated_by(entry: RecordEntry) -> str:
    return say(Message("record-source", {"source": Word(entry.source)}))


def record_blocks(finding: PresetFinding) -> list[Block]:
    """Return the items of a record, one heading each, and what of them is still to be written."""
    blocks: list[Block] = []
    for item, entry, text in answers(finding):
        title: dict[str, Argument] = {
            "label": Phrase(item.label),
            "article": Phrase(item.article or ""),
            "has": _has(item.article),
        }
        blocks.append(Heading(2, say(Message("record-heading", title))))
        if item.asks:
            blocks.append(Paragraph(item.asks))
        if len(entry.known) > 1 and not item.own_words:
            blocks += [Paragraph(entry.written)] if entry.written else []
            blocks.append(Items(tuple(map(say, entry.known))))
        else:
            blocks.append(Paragraph(text or say(NOBODY[False])) if text or not item.needed else Note(say(NOBODY[True])))
        if item.own_words and entry.known:
            blocks.append(Note(say(Message("record-known", {"known": Phrase(known_text(entry))}))))
    return blocks


def _has(text: str | None) -> Word:
    return Word("yes" if text else "no")


# YAML, of what fills a form that a register reads. Texts are written as JSON has them, which YAML reads alike.


def record_yaml(finding: PresetFinding) -> bytes:
    """Return the stated items of a record as YAML; what nobody states is an empty text or list."""
    lines = []
    for item, entry, _ in answers(finding):
        stated = entry.written or ("" if item.own_words else say(entry.known))
        lines += _yaml_lines(item, stated)
    return ("\n".join(lines) + "\n").encode()


def _yaml_lines(item: PresetItem, stated: str) -> list[str]:
    if item.kind not in ("list", "links"):
        return [f"{item.item}: {_quoted(stated)}"]
    entries = entries_of(item, stated) if stated else ()
    if not entries:
        return [f"{item.item}: []"]
    if item.kind == "list":
        return [f"{item.item}:", *(f"  - {_quoted(entry)}" for entry in entries)]
    pairs = map(link_of, entries)
    return [
        f"{item.item}:",
        *(line for title, link in pairs for line in (f"  - title: {_quoted(title)}", f"    link: {_quoted(link)}")),
    ]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
