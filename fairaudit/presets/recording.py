"""Fill the records of an audit from its other answers; of an audit that leaves, from what is left of these."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from fairaudit.audit.result import AuditResult, CheckFinding
from fairaudit.catalog import SECTIONS
from fairaudit.findings import Argument, Count, Message, Phrase, Points, Share, Word
from fairaudit.measure.limits import digits_beside
from fairaudit.outcomes import SHARES
from fairaudit.present.naming import listed
from fairaudit.presets.findings import PresetFinding, Record, RecordEntry
from fairaudit.presets.items import Fill, PresetItem
from fairaudit.sections.alternatives.finding import AlternativesFinding
from fairaudit.sections.alternatives.reading import is_hidden, quantity_of, read_alternatives
from fairaudit.sections.alternatives.saying import (
    READINGS,
    how_searched,
    name_of,
    said_quality,
    say_alternatives,
    shared_args,
)
from fairaudit.sections.compare.saying import say_comparison

R = TypeVar("R", bound=AuditResult)
Known = tuple[Message, ...]
HIDDEN = (Message("record-hidden"),)


def with_records(result: R) -> R:
    """Return an audit whose records are filled from its other answers, as these are now."""
    if not any(form.preset.is_record for form in result.presets):
        return result
    forms = tuple(
        replace(form, record=_record(form, result)) if form.preset.is_record else form for form in result.presets
    )
    return replace(result, presets=forms)


def _record(form: PresetFinding, result: AuditResult) -> Record:
    parts: tuple[Any, ...] = getattr(result, form.preset.opens_with)
    entries = tuple(_entry(item, form, result) for item in form.preset.items)
    return Record(entries, parts[0] if parts else None)


def _entry(item: PresetItem, form: PresetFinding, result: AuditResult) -> RecordEntry:
    texts = form.plan.reasons if item.before else form.plan.answers
    written = item.value or texts.get(item.item, "")
    known = FILLS[item.filled](result) if item.filled is not None else ()
    if item.before and written:
        known = (*known, *_written_when(result))
    is_known = bool(known) and item.filled is not None and not item.own_words
    source = "form" if item.value else "person" if written else "audit" if is_known else "nobody"
    return RecordEntry(item.item, source, item.needed, known, written)  # type: ignore[arg-type]


# What a search for alternatives says of a record.


def _of_search(say: Callable[[AlternativesFinding], Known]) -> Callable[[AuditResult], Known]:
    """Return what says of the first search of an audit, hidden where its answer is."""

    def said(result: AuditResult) -> Known:
        if not result.alternatives:
            return ()
        found = result.alternatives[0]
        return HIDDEN if is_hidden(found) else say(found)

    return said


def _gap_in_use(found: AlternativesFinding) -> Known:
    in_use, quantity = found.in_use, quantity_of(found)
    args = shared_args(found) | {"size": quantity.size(in_use.gap)}
    return Message("record-gap-in-use", args), *_range(found, in_use.gap_interval.low, in_use.gap_interval.high)


def _range(found: AlternativesFinding, low: float, high: float) -> Known:
    if not all(map(math.isfinite, (low, high))):
        return ()
    sizes, quantity = sorted(map(abs, (low, high))), quantity_of(found)
    args: dict[str, Argument] = {"low": quantity.size(sizes[0]), "high": quantity.size(sizes[1])}
    return (Message("record-gap-range-both" if low < 0 < high else "record-gap-range", args),)


def _as_good(found: AlternativesFinding) -> Known:
    args = shared_args(found)
    return Message("alternatives-how-measure", args), Message("record-as-good", args)


def _tried(found: AlternativesFinding) -> Known:
    kinds = dict.fromkeys(found.spread["kind"].tolist())
    return tuple(Message("record-tried", {"kind": Word(str(kind))}) for kind in kinds)


def _how_widely(found: AlternativesFinding) -> Known:
    return tuple(said for said in how_searched(found) if said.key != "alternatives-how-measure")


def _found(found: AlternativesFinding) -> Known:
    said = say_alternatives(found)
    given = tuple(each for each in said.caution if each.key.startswith("alternatives-caution-given-"))
    return Message("record-said", {"headline": said.headline}), *said.lead, *given


def _judged(found: AlternativesFinding) -> Known:
    quantity, rows = quantity_of(found), []
    for each, reading in read_alternatives(found).rows:
        args: dict[str, Argument] = {
            "name": name_of(found, each.origin, each.cut),
            "gap": Points(abs(each.gap), max(quantity.digits, 1)),
            "quality": Share(said_quality(found, each.quality), 1),
            "measure": Word(found.plan.measure),
            "reading": Message(READINGS[reading]),
        }
        rows.append(Message("record-judged", args))
    return tuple(rows)


def _not_searched(found: AlternativesFinding) -> Known:
    # What the best of them would give to how many stands with what was found.
    kept = ("alternatives-caution-in-use", "alternatives-caution-group")
    return Message("record-no-proof"), *(said for said in say_alternatives(found).caution if said.key in kept)


# What the other answers of an audit say of a record.


def _data(result: AuditResult) -> Known:
    n = result.data.n_rows
    args: dict[str, Argument] = {
        "name": Phrase(result.data.name),
        "n": Count(n or 0),
        "sized": Word("no" if n is None else "yes"),
    }
    said = Message("record-data", args)
    if result.quality is None:
        return (said,)
    return said, Message("record-quality", {"n": Count(len(result.quality.issues))})


def _groups(result: AuditResult) -> Known:
    pairs = ((check.names.protected, check.names.others) for check in result.checks)
    said = [Message("record-group", {"protected": one, "others": other}) for one, other in pairs]
    columns = dict.fromkeys(name for errors in result.plan.errors for name in errors.by)
    said += [Message("record-groups-errors", {"columns": Phrase(listed(list(columns)))})] if columns else []
    return tuple(dict.fromkeys(said))


def _measures(result: AuditResult) -> Known:
    said = [_measure(check) for check in result.checks]
    others = (section.kind for section in SECTIONS if section.kind not in ("checks", "presets"))
    said += [_named("record-measure-other", kind) for kind in others if getattr(result.plan, kind)]
    return tuple(dict.fromkeys(said))


def _measure(check: CheckFinding) -> Message:
    args: dict[str, Argument] = {
        "verb": check.names.verb,
        "protected": check.names.protected,
        "others": check.names.others,
    }
    if check.decision.kind is not SHARES:
        return Message("record-measure-amount", args)
    return Message("record-measure-gap", args | {"limit": _limit(check.plan.tolerance)})


def _limit(tolerance: float) -> Points:
    return Points(tolerance, digits_beside(100 * tolerance, [100 * tolerance], digits=0) or 0)


def _named(key: str, kind: str, **args: Argument) -> Message:
    return Message(key, {"name": Message(f"question-name-{kind}"), **args})


def _sealed(result: AuditResult) -> Known:
    seal, changed = result.plan.seal, result.changed_since_seal
    if seal is None or changed is None:
        return (Message("record-not-sealed"),)
    when = Phrase(f"{seal.day.day} {seal.day:%B %Y, %H:%M} UTC")
    said = Message("record-sealed", {"when": when, "code": Phrase(seal.code)})
    # A record that is asked for later changes nothing of what is measured.
    parts = [name for name in changed if name != "presets"]
    if not parts:
        return said, Message("record-seal-kept")
    named: list[Argument] = [Message("seal-part", {"part": Word(name), "name": Phrase(name)}) for name in parts]
    return said, *(Message("record-seal-changed", {"part": part}) for part in named)


def _written_when(result: AuditResult) -> Known:
    """Say whether what was to be written before the result stood in the sealed plan."""
    changed = result.changed_since_seal
    if result.plan.seal is None or changed is None:
        return (Message("record-reasons-not-sealed"),)
    return (Message("record-reasons-after" if "presets" in changed else "record-reasons-sealed"),)


def _findings(result: AuditResult) -> Known:
    return tuple(_each_finding(result))


def _each_finding(result: AuditResult) -> Iterator[Message]:
    for section in SECTIONS:
        for finding in () if section.kind == "presets" else section.found(result):
            said = section.say(finding)
            yield _named("record-finding", section.kind, headline=said.headline)
            yield from said.lead


def _treatment(result: AuditResult) -> Known:
    said: list[Message] = []
    if result.tried is not None:
        compared = say_comparison(result.tried)
        said += [_named("record-finding", "remedies", headline=compared.headline), *compared.lead]
    for found in result.alternatives:
        said.append(_named("record-finding", "alternatives", headline=say_alternatives(found).headline))
    return tuple(said) or (Message("record-no-treatment"),)


def _what_is_left(result: AuditResult) -> Known:
    if result.tried is None:
        return (Message("record-left-untreated"), Message("record-left-unseen"))
    return (Message("record-left-tried"), Message("record-left-unseen"))


def _organisation(result: AuditResult) -> Known:
    name = " ".join((result.plan.report.organisation or "").split())
    return (Message("record-words", {"text": Phrase(name)}),) if name else ()


FILLS: Mapping[Fill, Callable[[AuditResult], Known]] = {
    "gap_in_use": _of_search(_gap_in_use),
    "as_good": _of_search(_as_good),
    "tried": _of_search(_tried),
    "how_widely": _of_search(_how_widely),
    "found": _of_search(_found),
    "judged": _of_search(_judged),
    "not_searched": _of_search(_not_searched),
    "data": _data,
    "groups": _groups,
    "measures": _measures,
    "sealed": _sealed,
    "findings": _findings,
    "treatment": _treatment,
    "what_is_left": _what_is_left,
    "organisation": _organisation,
}
"""What says of an audit what an item of a record asks for."""
