"""Errors of a predicted level, such as a grade: what was found, in the shape of all results, and its tables."""

from __future__ import annotations

from typing import Final

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Columns, Field
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Share, Word
from fairaudit.measure.level_errors import LevelErrors, LevelErrorsWithin
from fairaudit.measure.quantity import Quantity
from fairaudit.measure.verdicts import GAPS
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import columns_of, frame_table, inserted
from fairaudit.sections.errors.reading import ErrorReading, ErrorsReading, group_name, levels_of

Args = dict[str, Argument]
_ERRORS: Final = ("levels",)


def say_level_errors(finding: ErrorsFinding, levels: LevelErrors, reading: ErrorsReading) -> Said:
    """Say whom the prediction gets wrong more often, in which direction, and whether similar cases have it too."""
    verdict = levels.verdict or "not_shown"
    named = _named(reading)
    inside = _inside(levels.within, named)
    chip = Message(f"verdict-{verdict.replace('_', '-')}", reveals=_ERRORS)
    lead = [_shares(finding, named)]
    if named.kind != "wrong" and named.worst is not None:
        lead.append(_right(finding, levels, named))
    lead.append(_last(finding, levels, named, inside))
    cautions = {True: Message("level-errors-not-why", severity="note")} if verdict in GAPS else {}
    caution = cautions.get(finding.is_outcome)
    if not finding.is_outcome:
        caution = Message("errors-against-decision", severity="caution")
    return Said(chip, _headline(finding, reading, named, inside), tuple(lead), () if caution is None else (caution,))


def _named(reading: ErrorsReading) -> ErrorReading:
    """Return the error that is spoken of: of those with the verdict, the one with the clearest gap."""
    there = [error for error in reading.errors if error.verdict == reading.together]
    pairs = [error for error in there if error.interval is not None]
    if reading.together in GAPS and pairs:
        return max(pairs, key=lambda error: error.interval[0] if error.interval is not None else 0.0)
    return reading.errors[-1]


def _inside(within: LevelErrorsWithin | None, named: ErrorReading) -> str | None:
    """Say whether similar cases have the gap that is spoken of: same, gone or open; None without strata or a gap."""
    if within is None or named.verdict not in GAPS or named.worst is None:
        return None
    rows = within.gaps[within.gaps["metric"] == named.kind]
    own, other = (rows[rows["group"].map(str) == name] for name in (named.worst, named.other))
    row, sign = (own, 1) if len(own) else (other, -1)
    if row.empty:
        return "open"
    found = row.iloc[0]
    if found["verdict"] in GAPS:
        return "same" if sign * found["difference"] > 0 else "open"
    return "gone" if found["verdict"] == "no_gap_above_tolerance" else "open"


def _headline(finding: ErrorsFinding, reading: ErrorsReading, named: ErrorReading, inside: str | None) -> Message:
    args: Args = {"error": Word(named.kind)}
    if named.worst is not None:
        args |= {"group": group_name(finding, named.worst), "other": group_name(finding, named.other or "")}
    if finding.names.similar is not None:
        args |= {"similar": finding.names.similar}
    if reading.together == "too_few_to_tell":
        key = "errors-headline-too-few"
    elif reading.together == "no_gap_above_tolerance":
        key = "errors-headline-alike-two-one" if named.worst is not None else "errors-headline-alike-one"
    elif named.worst is None:
        key = "errors-headline-unequal"
    elif inside == "gone" or (inside == "same" and reading.together == "clear_gap"):
        key = f"level-errors-headline-{inside}"
    elif reading.together == "gap_size_unclear":
        key = "errors-headline-more-perhaps-small"
    else:
        key = "errors-headline-most" if named.is_most and len(named.compared) > 2 else "errors-headline-more"
    return Message(key, args, reveals=_ERRORS)


def _shares(finding: ErrorsFinding, named: ErrorReading) -> Message:
    args: Args = {"error": Word(named.kind)}
    if named.worst is not None:
        own, rest = (named.rate_of(name or "").share or 0.0 for name in (named.worst, named.other))
        args |= _both(finding, named) | {"share": Share(own), "rest": Share(rest)}
        return Message("level-errors-lead", args, reveals=_ERRORS)
    shares = [rate.share for rate in named.compared if rate.share is not None]
    if len(shares) < 2:
        return Message("level-errors-few", {"n": Count(ENOUGH)}, reveals=_ERRORS)
    fewer, more = min(shares), max(shares)
    spread = Word("none" if round(100 * fewer) == round(100 * more) else "some")
    return Message(
        "level-errors-lead-range",
        args | {"fewer": Share(fewer), "more": Share(more), "spread": spread},
        reveals=_ERRORS,
    )


def _both(finding: ErrorsFinding, named: ErrorReading) -> Args:
    return {"group": group_name(finding, named.worst or ""), "other": group_name(finding, named.other or "")}


def _right(finding: ErrorsFinding, levels: LevelErrors, named: ErrorReading) -> Message:
    right = dict(zip(levels.metrics["group"].map(str), levels.metrics["right"], strict=True))
    shares: Args = {"share": Share(right[named.worst or ""]), "rest": Share(right[named.other or ""])}
    return Message("level-errors-right", _both(finding, named) | shares, reveals=_ERRORS)


def _last(finding: ErrorsFinding, levels: LevelErrors, named: ErrorReading, inside: str | None) -> Message:
    """Say what similar cases have or, without them, at which true level it is, or how sure it is."""
    if inside is not None and finding.names.similar is not None:
        key = f"level-errors-within-{inside}"
        return Message(key, {"similar": finding.names.similar}, reveals=_ERRORS)
    if named.verdict in GAPS and named.worst is not None and (there := _at_level(finding, levels, named)) is not None:
        return there
    sure = {
        "gap_size_unclear": "level-errors-sure-small",
        "clear_gap": "level-errors-sure-clear",
        "no_gap_above_tolerance": "errors-sure-alike",
    }.get(levels.verdict or "", "errors-sure-open")
    return Message(sure, {"limit": Quantity("share", 0).limit(levels.tolerance)}, reveals=_ERRORS)


def _at_level(finding: ErrorsFinding, levels: LevelErrors, named: ErrorReading) -> Message | None:
    """Say at which true level the two named groups are furthest apart; nothing where no level has a gap."""
    found = []
    for level in levels.by_level:
        rows = levels.recall[levels.recall["level"] == level.level]
        share = {str(row.group): row.value for row in rows.itertuples() if row.n >= ENOUGH}
        if level.verdict in GAPS and named.worst in share and named.other in share:
            found.append((level.level, share[named.worst], share[named.other]))
    if not found:
        return None
    name, own, rest = max(found, key=lambda each: abs(each[1] - each[2]))
    args = _both(finding, named) | {"level": Phrase(name), "share": Share(own), "rest": Share(rest)}
    return Message("level-errors-at-level", args, reveals=_ERRORS)


def say_yes_no(finding: ErrorsFinding) -> Message:
    """Say that what follows asks for yes or no."""
    return Message("level-errors-yes-no", {"flagged": finding.names.flagged})


# Tables.

_READING: Final = Field("reading", "reading", "text", "What the data support, among all rows.")


def level_tables(finding: ErrorsFinding, number: int) -> list[TableBlock]:
    """Return shares by group, by true level, among similar cases, and who has which level; empty where hidden."""
    levels = levels_of(finding)
    if levels is None:
        return []
    key = f"errors_{number}_level"
    words = {level.level: _word(level.verdict) for level in levels.by_level}
    p_values = {level.level: level.p_adjusted for level in levels.by_level}
    recall = levels.recall.assign(
        reading=levels.recall["level"].map(words), p=levels.recall["level"].map(p_values).astype(float)
    )
    declared = {
        **columns_of(LevelErrors, "recall"),
        "p": Field("p", "p", "p", "By Holm's method for all levels."),
        "reading": _READING,
    }
    note = say(Message("level-errors-note"))
    titles = {name: say(Message(f"level-errors-table-{name}")) for name in ("shares", "recall", "counts")}
    tables = [
        frame_table(f"{key}_shares", titles["shares"], levels.metrics, columns_of(LevelErrors, "metrics")),
        frame_table(f"{key}_recall", titles["recall"], recall, declared, note=note),
    ]
    if levels.within is not None:
        tables += _within_tables(levels.within, key)
    return [*tables, frame_table(f"{key}_counts", titles["counts"], levels.counts, columns_of(LevelErrors, "counts"))]


def _within_tables(within: LevelErrorsWithin, key: str) -> list[TableBlock]:
    tables = []
    for name in ("gaps", "strata"):
        frame = getattr(within, name)
        frame = frame.assign(reading=[_word(verdict) for verdict in frame["verdict"]])
        declared: Columns = {k: v for k, v in columns_of(LevelErrorsWithin, name).items() if k != "verdict"}
        declared = {**declared, "reading": _READING}
        if name == "gaps":
            frame = frame.assign(error=[say(Message("errors-kind", {"error": Word(kind)})) for kind in frame["metric"]])
            declared = inserted(declared, "metric", error=Field("error", "error", "text", "Which share, in words."))
        title = say(Message(f"level-errors-table-{name}"))
        tables.append(frame_table(f"{key}_{name}", title, frame, declared, note=say(Message("level-errors-note"))))
    return tables


def _word(verdict: str | None) -> str:
    known = "not_shown" if verdict is None or pd.isna(verdict) else verdict
    return say(Message(f"reading-{known.replace('_', '-')}"))
