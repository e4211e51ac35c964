"""Messages as text: Fluent files hold the sentences, Babel writes the numbers as a language has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale
from babel.lists import format_list
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from fluent.runtime import FluentBundle, FluentResource

from fairaudit.findings import REST, Amount, Argument, Count, Group, Message, Phrase, Points, Said, Share, Word

FOLDER = Path(__file__).parent
MINUS = "\N{MINUS SIGN}"
_MOST = 300
"""Signs of a name or phrase; two of them stand in one part of a sentence at most."""
_NEEDLESS = re.compile(r" (?=[ ,.:;?])")
"""A part that is left out of a message leaves a blank on both sides."""
_KEPT = "\ue000"
"""Stands for such a blank in a text of the data, which is said as it is."""
ENGLISH = "en"
"""The language that all messages are written in, and that says what another one lacks."""
LANGUAGES = tuple(sorted(path.name for path in FOLDER.iterdir() if any(path.glob("*.ftl"))))
_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything in a language within the ``with``, where none is asked for."""
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def spoken() -> str:
    """Return the language that is spoken here."""
    return _SPOKEN.get()


def say(message: Message | Iterable[Message], language: str | None = None) -> str:
    """Return a message as text or, of several, one after the other.

    What a language lacks is said in English, with the English language named before it.

    Examples
    --------
    >>> say(Message("verdict-clear-gap"))
    'Clear gap'
    """
    language = language or spoken()
    if not isinstance(message, Message):
        return " ".join(say(one, language) for one in message)
    if language != ENGLISH and message.key not in keys(language):
        return f"[{ENGLISH}] {say(message, ENGLISH)}"
    bundle = _bundle(language)
    pattern = bundle.get_message(message.key).value
    if pattern is None:
        raise LookupError(message.key)
    text, faults = bundle.format_pattern(pattern, _written(message, language))
    if faults:
        raise ValueError(f"The message {message.key!r} cannot be said: {faults[0]}")
    return _NEEDLESS.sub("", str(text)).strip().replace(_KEPT, " ")


def say_verdicts(said: Said, language: str | None = None) -> str:
    """Return all verdicts of a result in one line."""
    return "; ".join(say(verdict, language) for verdict in (said.verdict, *said.also))


def say_answer(said: Said, language: str | None = None) -> str:
    """Return verdict and headline of a result: how every answer begins."""
    return f"{say_verdicts(said, language)}. {say(said.headline, language)}."


def say_whole(said: Said, *, caution: bool = False, language: str | None = None) -> str:
    """Return a result as one paragraph, with its caution where asked for."""
    more = (*said.lead, *said.caution) if caution else said.lead
    return f"{say_answer(said, language)} {say(more, language)}".strip()


def translated(text: str) -> str:
    """Return a label of the code, such as the head of a column, in the language that is spoken here.

    Labels are known by their English words; what is none, such as a sentence that was said or a text of the data, is
    returned as it is.
    """
    return _labels(spoken()).get(text, text)


@cache
def _labels(language: str) -> dict[str, str]:
    path = FOLDER / language / "labels.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        entries = read_po(file, locale=language)
    return {str(each.id): str(each.string) for each in entries if each.id and each.string}


def marked(number: str) -> str:
    """Return a number, which is written as in English, with the marks of the language that is spoken here.

    Examples
    --------
    >>> with speaking("de"):
    ...     marked("1,234.5")
    '1.234,5'
    """
    return number.translate(dict(zip(map(ord, ",."), marks(spoken()), strict=True)))


def unmarked(number: str) -> str:
    """Return a number that is written as here, without marks of thousands and with a decimal point.

    Examples
    --------
    >>> unmarked("1,234.5")
    '1234.5'
    """
    group, decimal = marks(spoken())
    return number.replace(group, "").replace(decimal, ".")


@cache
def marks(language: str) -> tuple[str, str]:
    """Return the marks of thousands and of decimals of a language."""
    symbols = Locale.parse(language).number_symbols["latn"]
    return symbols["group"], symbols["decimal"]


def called(name: object, language: str | None = None) -> str:
    """Return the name of a group as a person reads it.

    Examples
    --------
    >>> called("women"), called(REST)
    ('women', 'everyone else')
    """
    return say(Message("group-rest"), language) if isinstance(name, str) and name == REST else str(name)


def any_of(names: Iterable[object], language: str | None = None) -> str:
    """Return names as a list of which one is meant, as a language writes it.

    Examples
    --------
    >>> any_of(["approved"]), any_of(["approved", "granted"]), any_of([1, 2, 3])
    ('approved', 'approved or granted', '1, 2, or 3')
    """
    return format_list([*map(str, names)], style="or", locale=Locale.parse(language or spoken()))


@cache
def keys(language: str = ENGLISH) -> frozenset[str]:
    """Return the names of all messages of a language."""
    named = re.compile(r"^([a-z][a-z0-9-]*) *=", re.MULTILINE)
    return frozenset(key for text in _sources(language) for key in named.findall(text))


def _sources(language: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((FOLDER / language).glob("*.ftl"))]


@cache
def _bundle(language: str) -> FluentBundle:
    bundle = FluentBundle([language], use_isolating=False, functions={"CAP": _capital, "SMALL": _small})
    for text in _sources(language):
        bundle.add_resource(FluentResource(text))
    return bundle


def _capital(text: Any) -> Any:
    """Return a text with its first letter in upper case: a group or a phrase that begins a sentence."""
    return text[:1].upper() + text[1:]


def _small(text: Any) -> Any:
    """Return a text with its first letter in lower case: a label that stands inside a sentence."""
    return text[:1].lower() + text[1:]


def _written(message: Message, language: str) -> dict[str, object]:
    """Return the arguments of a message as the catalogue takes them.

    A number is written as text; beside `gap` stands `gap_count`, by which a plural is chosen, and beside who it is
    `others_kind`, which is "rest" where it is everyone else.
    """
    values: dict[str, object] = {}
    for name, value in dict(message.args).items():
        match value:
            case Group():
                values[name] = say(Message("group-rest"), language) if value.name is None else _held(_cut(value.name))
                values[f"{name}_kind"] = "rest" if value.name is None else "named"
            case Phrase():
                values |= {name: _held(_cut(value.text)), f"{name}_kind": "named"}
            case Word():
                values[name] = value.name
            case Message():
                values |= {name: _held(say(value, language)), f"{name}_kind": "named"}
            case _:
                values[name] = _number(value, language)
                values[f"{name}_count"] = _shown(value)
    return values


def _cut(text: Any) -> Any:
    """Return a text of the data as a sentence can hold it: not above 1,000 signs, and without halves of characters."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


def _held(text: Any) -> Any:
    """Return a text that goes into a message with all of its blanks."""
    return _NEEDLESS.sub(_KEPT, text)


def _shown(value: Argument) -> float:
    """Return the number that is read, after rounding."""
    match value:
        case Count():
            return value.value
        case Share() | Points():
            return round(100 * value.value, value.digits)
        case Amount():
            return round(value.value, value.digits)
    raise TypeError(f"{type(value).__name__} is no number")


def _number(value: Argument, language: str) -> str:
    match value:
        case Count():
            return format_decimal(value.value, locale=language)
        case Share():
            pattern = copy(Locale.parse(language).percent_formats[None])
            pattern.frac_prec = (value.digits, value.digits)
            return pattern.apply(value.value, language)
        case Points() | Amount():
            decimals = "." + value.digits * "0" if value.digits else ""
            written = format_decimal(_shown(value) or 0.0, format=f"#,##0{decimals}", locale=language)
            return written.replace("-", MINUS)
    raise TypeError(f"{type(value).__name__} is no number")
