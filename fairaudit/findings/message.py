"""What is said, as data: a key of the catalogue with typed arguments, and the figures that it reveals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fairaudit.disclosure.fields import setting

Severity: TypeAlias = Literal["finding", "caution", "note"]


REST = "the rest"
"""The name of everyone else in results and files; people read another."""


@dataclass(frozen=True)
class Share:
    """A share from 0 to 1, with so many digits of its percentage."""

    value: float = setting()
    digits: int = setting(default=0)


@dataclass(frozen=True)
class Points:
    """The size of a gap between shares, from 0 to 1, with so many digits of its percentage points."""

    value: float = setting()
    digits: int = setting(default=0)


@dataclass(frozen=True)
class Amount:
    """A number in the unit of a decision that is an amount, with so many digits."""

    value: float = setting()
    digits: int = setting(default=0)


@dataclass(frozen=True)
class Count:
    """How many there are."""

    value: int = setting()


@dataclass(frozen=True)
class Group:
    """A group as a plural, such as "women"; without a name it is everyone else."""

    name: str | None = setting(default=None)


@dataclass(frozen=True)
class Phrase:
    """Words that the person gave, or that stand in the data; they are put into a sentence as they are."""

    text: str = setting()


@dataclass(frozen=True)
class Word:
    """One of a few words of the program by which a message chooses its form, such as "less"; it is never shown."""

    name: str = setting()


@dataclass(frozen=True)
class Message:
    """A sentence of the catalogue, or a few."""

    key: str = setting("Its name in the catalogue.")
    args: Mapping[str, Argument] | tuple[tuple[str, Argument], ...] = setting(
        "What it is about; the language formats them. They are kept as pairs, which nobody changes.", default=()
    )
    severity: Severity = setting(
        "What it is to the reader: a caution changes what the reader does; a note says what a result does not "
        "say, or how it was found.",
        default="finding",
    )
    reveals: tuple[str, ...] = setting(
        "The figures of the finding that a reader could learn from it. A finding is said as it leaves, without "
        "what the gate hides.",
        default=(),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", tuple(dict(self.args).items()))


Argument: TypeAlias = Share | Points | Amount | Count | Group | Phrase | Word | Message
"""What a message is about; one that is a message itself is said first."""


@dataclass(frozen=True)
class Said:
    """A result in the one shape that all results have.

    Parameters
    ----------
    verdict : Message
        A few words for a chip.
    headline : Message
        One sentence.
    lead : tuple of Message
        At most three short sentences: the finding, the exception, how sure it is.
    caution : tuple of Message
        What changes what the reader does, the first of which a report shows, beside notes on what a result does not
        say.
    also : tuple of Message
        Further verdicts, where a result has several that differ.
    """

    verdict: Message
    headline: Message
    lead: tuple[Message, ...] = ()
    caution: tuple[Message, ...] = ()
    also: tuple[Message, ...] = ()
