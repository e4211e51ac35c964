"""Who is compared and who is not, and who counts as decided although the case ended undecided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fairaudit.columns import SurveyDesign
from fairaudit.disclosure.fields import extended, setting
from fairaudit.errors import quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.bands import named_strata
from fairaudit.measure.comparison import said_rows
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.results import Stratified
from fairaudit.messages import say
from fairaudit.present.numbers import count_text, people_text
from fairaudit.presets.fitting import unknown_text

if TYPE_CHECKING:
    from fairaudit.audit.result import CheckFinding


def strata_text(finding: CheckFinding, bands: str = "bands of") -> list[str]:
    """Return what the strata of an answer are made of, in words; nothing without strata."""
    strata = finding.strata
    return [] if strata is None else named_strata(strata.columns, finding.plan.strata_cuts, bands)


def say_left_out(strata: Stratified) -> list[Message]:
    """Say which strata are not compared, as one of the groups is empty there."""
    return [Message("cases-strata-out", {"values": Phrase("; ".join(strata.left_out))})] if strata.left_out else []


def unknown_sentence(finding: CheckFinding) -> str:
    """Return how many rows are left out because their group is unknown; empty where none is, or where it is hidden."""
    n = finding.result.unknown
    return say(Message("cases-unknown", {"n": Count(n)})) if n else ""


def say_undecided(finding: CheckFinding, lacking: str) -> list[Message]:
    """Say how many rows of either group are left out for what they are `lacking`; nothing where that is hidden."""
    sides = [side.undecided for side in (finding.result.protected, finding.result.reference)]
    if None in sides or not sum(map(int, sides)):
        return []
    own, rest = map(int, sides)
    args: dict[str, Argument] = {"rows": said_rows(own + rest), "lacking": Phrase(lacking)}
    return [Message("cases-undecided", args | _named(finding, count_text(own), count_text(rest)))]


def _named(finding: CheckFinding, own: str, rest: str) -> dict[str, Argument]:
    """Return how many rows either group has, with what the groups are called."""
    names = finding.names
    sides = (("own", own, names.protected), ("rest", rest, names.others))
    return {side: Message("check-size-of", {"n": Phrase(n), "group": group}) for side, n, group in sides}


def population_sentence(finding: CheckFinding) -> str:
    """Return how many rows were compared, and how many were not."""
    result = finding.result
    sides: dict[str, Argument] = {
        **_named(finding, *map(people_text, (result.protected, result.reference))),
        "unknown": Phrase(count_text(result.unknown)),
        "undecided": Phrase(count_text(result.undecided)),
    }
    if finding.where_words is None:
        said = [Message("cases-compared", sides)]
    else:
        said = [Message("cases-of-filter", sides | {"where": Phrase(finding.where_words)})]
    if result.unknown != 0 or result.undecided != 0:
        said.append(Message("cases-out", sides))
    return say((*said, *say_weighted(result.design)))


def say_weighted(design: SurveyDesign | None) -> tuple[Message, ...]:
    """Say by which column people are weighted, and how many rows lack a weight; nothing where rows count once."""
    if design is None:
        return ()
    drawn: dict[str, Argument] = {
        "weights": Phrase(quote(design.weights, limit=40)),
        "n": Count(design.n_without),
    }
    by = {name: column for name, column in (("strata", design.strata), ("clusters", design.clusters)) if column}
    key = "cases-weighted" if len(by) < 2 else "cases-weighted-both"
    if len(by) == 1:
        key = f"cases-weighted-{next(iter(by))}"
    return (Message(key, {**drawn, **{name: Phrase(quote(column, limit=40)) for name, column in by.items()}}),)


# Cases that ended before anyone decided them.

MOST_VALUES: Final = 5
"""Values that are named in a sentence."""


def not_known_sentence(part: NotKnown) -> str:
    """Return how many cases ended undecided, what they count as, and the filter without them."""
    args: dict[str, Argument] = {
        "counted": Word(part.counted),
        "side": Word(_side(part)),
        "n": Count(part.n or 0),
        "filter": Phrase(joinable(part.leave_out)),
    }
    return say((ended_lead(part), Message("ended-counted", args)))


@dataclass(frozen=True, kw_only=True)
class ExportedNotKnown(NotKnown):
    """Values of a column that say that a case ended before it was decided, and what rows with them count as."""

    sentence: str = setting("The same in words.")


def in_words(parts: Iterable[NotKnown], sentences: Iterable[str]) -> tuple[ExportedNotKnown, ...]:
    """Add a sentence to each part."""
    return tuple(extended(ExportedNotKnown, part, sentence=text) for part, text in zip(parts, sentences, strict=True))


def _side(part: NotKnown) -> str:
    """Return which of both groups holds such rows, as far as it is shown."""
    if len(part.groups) == 1:
        return "protected" if part.groups == ("protected",) else "rest"
    return "both" if part.groups else "hidden"


def joinable(condition: str) -> str:
    """Return a condition as it is joined to a filter by hand."""
    return f"({condition})" if " OR " in condition else condition


def ended_lead(part: NotKnown) -> Message:
    """Say how many rows have a value that means that the case ended undecided; without their number where hidden."""
    args: dict[str, Argument] = {
        "some": Word("yes" if part.n is None else "no"),
        "n": Count(part.n or 0),
        "values": Phrase(value_words(part)),
        "column": Phrase(quote(part.column)),
    }
    return Message("ended-lead", args)


def value_words(part: NotKnown) -> str:
    """Return the values, quoted and joined by "or"; of many, the first ones."""
    texts = [quote(unknown_text(value), limit=40) for value in part.values[:MOST_VALUES]]
    if len(part.values) > MOST_VALUES:
        return say(Message("ended-more", {"values": Phrase(", ".join(texts)), "n": Count(len(part.values))}))
    return " or ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]
