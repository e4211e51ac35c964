"""How well columns stand in for the group, in the shape of all results and as a table."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from fairaudit.findings import Argument, Count, Message, Phrase, Said, Share, Word
from fairaudit.findings.names import Names
from fairaudit.measure.explain.proxies import Proxies
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.quantity import UNITS, Quantity, QuantityKind
from fairaudit.messages import say, say_answer
from fairaudit.present import naming
from fairaudit.present.blocks import Block, Heading, Paragraph, TableBlock
from fairaudit.present.field_tables import adapted, columns_of, frame_table, in_unit
from fairaudit.present.numbers import confidence_text

Args = dict[str, Argument]
MOST_NAMED = 4
"""Columns of one kind that a sentence names."""
FEW_ALIKE = 0.1
"""With fewer people who have a counterpart, the gap among those who are alike says little."""


def say_proxies(
    found: Proxies, names: Names, kind: QuantityKind, *, of_features: bool = False, reveals: str = ""
) -> Said:
    """Say which column tells most of the group, how many do, and what the gap is without it.

    `reveals` is what the figures are called in the finding that holds them.
    """
    frame, stand_in = found.by_column, found.found
    shown = (reveals,) if reveals else ()
    args: Args = {"protected": names.protected, "others": names.others, "all": Count(len(frame))}
    caution = [Message("proxies-how-features", severity="note")] if of_features else []
    if len(frame) and frame["revealed"].isna().all():
        few = Message("verdict-too-few-to-tell", reveals=shown)
        return Said(few, Message("proxies-headline-few", args, reveals=shown), (), tuple(caution))
    if not stand_in:
        headline = Message("proxies-headline-none" if len(frame) else "proxies-headline-nothing", args, reveals=shown)
        lead = (Message("proxies-lead-none", args, reveals=shown),) if len(frame) else ()
        return Said(Message("verdict-proxies-none", reveals=shown), headline, lead, tuple(caution))
    best = frame[frame["is_proxy"]].iloc[0]
    args |= {"column": Phrase(str(best.column)), "revealed": Share(float(best.revealed)), "n": Count(len(stand_in))}
    many = "proxies-lead-all" if len(stand_in) == len(frame) else "proxies-lead-many"
    said = [Message("proxies-lead-revealed", args, reveals=shown)]
    said += [Message(many, args, reveals=shown)] if len(frame) > 1 else []
    said.append(_gap(found, names, kind, best, args, shown))
    places: list[Message] = []
    for place in ("zip_codes", "places"):
        own = frame.loc[frame["is_proxy"] & (frame["holds"] == place), "column"]
        if len(own):
            named: Args = {"kind": Word(place), "columns": Phrase(naming.listed(list(map(str, own))[:MOST_NAMED]))}
            places.append(Message("proxies-places", named, "caution", shown))
    caution = [*places, Message("proxies-may-count", severity="note"), *caution]
    headline = Message("proxies-headline-some", args, reveals=shown)
    return Said(Message("verdict-proxies-some", args, reveals=shown), headline, tuple(said), tuple(caution))


def _gap(found: Proxies, names: Names, kind: QuantityKind, best: Any, args: Args, shown: tuple[str, ...]) -> Message:
    if best.compared < FEW_ALIKE or not math.isfinite(best.gap):
        return Message("proxies-few-alike", args, "caution", shown)
    low, high = found.gap.interval
    spread = high - low if math.isfinite(high - low) else 0.0
    quantity = Quantity(kind, 0 if kind == "share" else amount_digits(spread), names.of_unfavorable)
    if quantity.is_nothing(best.gap):
        return Message("proxies-lead-gap-none", args, reveals=shown)
    own: Args = {
        "verb": names.verb,
        "what": names.what,
        "quantity": Word(kind),
        "size": quantity.size(best.gap),
        "direction": quantity.direction(best.gap),
    }
    return Message("proxies-lead-gap", args | own, reveals=shown)


def say_how_proxies() -> tuple[Message, ...]:
    """Say how it was found out."""
    keys = ("proxies-how", "proxies-how-share", "proxies-how-many", "proxies-how-gap")
    return tuple(Message(key, severity="note") for key in keys)


def proxies_table(found: Proxies, key: str, names: Names, kind: QuantityKind) -> TableBlock:
    """Return a row a column: what it holds, how much it tells, and the gap among people who are alike in it."""
    declared = in_unit(UNITS[kind], columns_of(Proxies, "by_column"))
    # What a column tells is a share of any decision.
    declared = {
        **declared,
        **{name: columns_of(Proxies, "by_column")[name] for name in ("revealed", "revealed_low", "compared")},
    }
    level = confidence_text(found.confidence)
    declared = adapted(declared, ("revealed_low",), label=f"likely range ({level})")
    head = Phrase(naming.gap_head(names, declared["gap"].kind))
    declared = adapted(declared, ("gap",), label=say(Message("proxies-head-gap", {"head": head})))
    declared = adapted(declared, ("gap_low",), label=say(Message("proxies-head-range", {"level": Phrase(level)})))
    frame = found.by_column
    holds = [say(Message("proxies-holds", {"kind": Word(each)})) if each else "" for each in frame["holds"]]
    table = frame_table(key, say(Message("proxies-title")), frame.assign(holds=holds), declared)
    return replace(table, is_turned=names.of_unfavorable)


def proxies_blocks(said: Said) -> list[Block]:
    """Return the answer as a report has it, above its table."""
    text = say((*said.lead, *said.caution, *say_how_proxies()))
    return [Heading(2, say(Message("proxies-title"))), Paragraph(text, strong=say_answer(said))]
