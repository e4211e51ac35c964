"""The items of a record: what each asks for, and what may stand there."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from fairaudit.errors import InputError, quote
from fairaudit.plan.parts import Part
from fairaudit.presets.lines import LONGEST_TEXT, Filled, Switch

Fill = Literal[
    "gap_in_use", "as_good", "tried", "how_widely", "found", "judged", "not_searched",
    "data", "groups", "measures", "sealed", "findings", "treatment", "what_is_left", "organisation",
]  # fmt: skip
"""What of the other answers of an audit fills an item of a record."""


class PresetItem(Part):
    """One thing that a record states: filled from the other answers of the audit, or by a person."""

    item: Annotated[Filled, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")] = Field(
        description="The name that plans and files use."
    )
    label: Filled = Field(description="The same for people.")
    article: Filled | None = Field(default=None, description="Which part of the rule asks for it.")
    asks: Filled | None = Field(default=None, description="What it asks for, in a sentence.")
    filled: Fill | None = Field(default=None, description="Which answers of the audit fill it.")
    value: Filled | None = Field(default=None, description="What it always states.")
    own_words: Switch = Field(default=False, description="Whether a person writes it, beside what the audit knows.")
    before: Switch = Field(
        default=False, description="Whether it is to be written before the result, and is sealed with the plan."
    )
    needed: Switch = Field(default=False, description="Whether the record is not complete without it.")
    kind: Literal["text", "list", "month", "address", "contact", "links"] = Field(
        default="text",
        description=(
            "A text; a list, divided by semicolons; a month such as 2026-11; an address that begins with https://; "
            "that or one of mail; or links, each a title, a blank, and an address."
        ),
    )
    longest: Annotated[int, Field(strict=True, gt=0, le=10_000)] = Field(
        default=LONGEST_TEXT, description="How many signs it may have."
    )
    most: Annotated[int, Field(strict=True, gt=0)] | None = Field(
        default=None, description="How many entries a list may have."
    )
    longest_title: Annotated[int, Field(strict=True, gt=0)] | None = Field(
        default=None, description="How many signs the title of a link may have."
    )
    longest_link: Annotated[int, Field(strict=True, gt=0)] | None = Field(
        default=None, description="How many signs the address of a link may have."
    )
    without_link: Switch = Field(default=False, description="Whether an entry of links may be a title alone.")
    choices: tuple[Filled, ...] = Field(default=(), description="What it may state, where that is a closed list.")

    @property
    def is_asked(self) -> bool:
        """Whether a person fills it."""
        # The name of the organisation may stand in the audit, or be given with the record.
        return self.value is None and (self.filled in (None, "organisation") or self.own_words)


# What a person writes in an item.

_ADDRESS = re.compile(r"https?://[^\s.]\S*\.\S+")
_MAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


def entries_of(item: PresetItem, text: str) -> tuple[str, ...]:
    """Return the entries of a list or of links, which semicolons divide; of all else the text itself.

    Examples
    --------
    >>> entries_of(PresetItem(item="themes", label="Themes", kind="list"), "Work; Law")
    ('Work', 'Law')
    """
    if item.kind not in ("list", "links"):
        return (text,)
    return tuple(part.strip() for part in text.split(";") if part.strip())


def link_of(text: str) -> tuple[str, str]:
    """Return the title and the address of a link.

    Examples
    --------
    >>> link_of("Road Traffic Act https://law.example.org/rta")
    ('Road Traffic Act', 'https://law.example.org/rta')
    >>> link_of("DPIA of 2026")
    ('DPIA of 2026', '')
    """
    title, _, address = text.strip().rpartition(" ")
    return (title.strip(), address) if "://" in address else (text.strip(), "")


def check_answer(item: PresetItem, text: str) -> None:
    """Refuse a text that may not stand in an item."""
    entries = entries_of(item, text)
    called = f"Part {quote(item.label)}"
    if len(text) > item.longest:
        raise InputError(
            f"{called} must be at most {item.longest:,} signs, got {len(text):,}.", hint="Say it in fewer words."
        )
    if item.most is not None and len(entries) > item.most:
        raise InputError(f"{called} may have {item.most} entries, got {len(entries)}.", hint="Take some out.")
    other = next((entry for entry in entries if item.choices and entry not in item.choices), None)
    if other is not None:
        raise InputError(
            f"{called} must be one of {', '.join(map(quote, item.choices))}, got {quote(other)}.",
            hint="Write it as it stands in that list.",
        )
    if item.kind == "month" and not _MONTH.fullmatch(text):
        raise InputError(f"{called} must be a month, got {quote(text)}.", hint="Write it as in 2026-11.")
    if item.kind == "contact" and not (_MAIL.fullmatch(text) or _ADDRESS.fullmatch(text)):
        raise InputError(
            f"{called} must be an address of mail or of a page, got {quote(text)}.",
            hint="Write it as in office@example.org, or begin with https://.",
        )
    addresses = {"address": entries, "links": tuple(link_of(entry)[1] for entry in entries)}.get(item.kind, ())
    for entry, address in zip(entries, addresses, strict=False):
        if not _ADDRESS.fullmatch(address) and (address or not item.without_link):
            raise InputError(
                f"{called} must hold the address of a page, got {quote(address or entry)}.",
                hint="Begin it with https://.",
            )
        if item.longest_link is not None and len(address) > item.longest_link:
            raise InputError(
                f"{called} may have addresses of {item.longest_link} signs, got {len(address)}.",
                hint="Name a shorter one.",
            )
    titles = [link_of(entry)[0] for entry in entries] if item.kind == "links" else []
    long = next((each for each in titles if item.longest_title is not None and len(each) > item.longest_title), None)
    if long is not None:
        raise InputError(
            f"{called} may have titles of {item.longest_title} signs, got {len(long)}.", hint="Shorten that title."
        )
    if item.kind == "links" and not all(link_of(entry)[0] for entry in entries):
        raise InputError(f"{called} holds a link without a title.", hint="Write the title before the address.")
