"""What a person who wrote a condition wrongly probably meant: offered, never taken without asking."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from operator import eq
from typing import Any, TypeGuard

from fairaudit.columns import DAY_KINDS, DayOrder
from fairaudit.conditions import tree
from fairaudit.conditions.condition import Condition
from fairaudit.conditions.names import CURLY_QUOTES, ColumnNames, are_money, is_money, value_text
from fairaudit.conditions.printing import name_to_text, to_text
from fairaudit.conditions.tree import KEYWORDS, MAX_LENGTH, read_number
from fairaudit.errors import FairauditError, require

# Which texts are near enough to be one word in two spellings, one of them with a typing error.

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 5
"""Letters of the shortest word that may hold a typing error; shorter ones are codes, or words of their own."""
_SHORTEST_OF_TWO = 8
"""Letters of the shortest word that may hold two."""


def resembles(text: str, other: str) -> bool:
    """Say whether two texts differ by a typing error or two in one long word, and not only by letter case.

    An error is a letter too many, too few or wrong, or two letters that change places. First letters agree, as
    negations such as "un-" stand there; so do digits and marks. Two errors stand apart: where they touch, as in
    "Austria" and "Australia" or "northeast" and "northwest", they are an ending or a part of another word.

    Examples
    --------
    >>> resembles("Morocan", "Moroccan"), resembles("Afganisten", "Afghanistan"), resembles("Assualt", "ASSAULT")
    (True, True, True)
    >>> resembles("Iran", "Iraq"), resembles("Austria", "Australia"), resembles("married", "unmarried")
    (False, False, False)
    >>> resembles("Grade A1", "Grade A2"), resembles("Moroccan", "MOROCCAN")
    (False, False)
    """
    text, other = text.casefold(), other.casefold()
    if _WORD.sub("a", text) != _WORD.sub("a", other):
        return False
    words = zip(_WORD.findall(text), _WORD.findall(other), strict=True)
    match [pair for pair in words if pair[0] != pair[1]]:
        case [(one, two)]:
            return _is_typing_error(one, two)
    return False


@dataclass(frozen=True)
class TypingError:
    """A value that may be another one with a typing error.

    Parameters
    ----------
    value, meant : str
        The value, and the more frequent one.
    n : int
        Rows with the value.
    """

    value: str
    meant: str
    n: int


def typing_errors(counts: Mapping[str, int]) -> tuple[TypingError, ...]:
    """Return the values that may be a more frequent one with a typing error, given the rows with each.

    Examples
    --------
    >>> typing_errors({"granted": 90, "refused": 60, "grantd": 3, "refusal": 50})
    (TypingError(value='grantd', meant='granted', n=3),)
    """
    more_frequent: dict[str, list[str]] = {}
    found = []
    for value, n in sorted(counts.items(), key=lambda item: -item[1]):
        # Texts that resemble each other begin alike.
        before = more_frequent.setdefault(value[:1].casefold(), [])
        meant = next((one for one in before if is_rare(n, counts[one]) and resembles(value, one)), None)
        if meant is not None:
            found.append(TypingError(value, meant, n))
        before.append(value)
    return tuple(found)


def is_rare(n: int, n_meant: int) -> bool:
    """Say whether a value is rare enough for a typing error: at most half as frequent as what is meant."""
    return 2 * n <= n_meant


def _is_typing_error(one: str, two: str) -> bool:
    shortest = min(len(one), len(two))
    if shortest < _SHORTEST or one[0] != two[0]:
        return False
    errors = _errors(one, two)
    if errors == 1:
        return True
    start = _alike(one, two)
    apart = max(len(one), len(two)) - start - _alike(one[: start - 1 : -1], two[: start - 1 : -1]) > 2
    return errors == 2 and shortest >= _SHORTEST_OF_TWO and apart


def _alike(one: str, two: str) -> int:
    """Return how many letters two words begin with alike."""
    return sum(takewhile(bool, map(eq, one, two)))


def _errors(one: str, two: str) -> int:
    """Return how many letters are added, left out, replaced or swapped with their neighbour; 3 stands for more."""
    if abs(len(one) - len(two)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, letter in enumerate(one, start=1):
        above, before, row = before, row, [i]
        for j, other in enumerate(two, start=1):
            n = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == two[j - 2] and one[i - 2] == other:
                n = min(n, above[j - 2] + 1)
            row.append(n)
    return min(row[-1], 3)


Values = Callable[[str], Sequence[object]]
"""The values that a column holds, as far as they are known."""
_Finder = Callable[[tree.Written, Sequence[object]], tree.Written]

_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|<=|>=|=>|=<|<>|!=|==|&&|\|\||[=<>&|(),]|[^\s'"()<>=!&|,]+""")
_SPLIT_DAY = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})((?:[ T].*)?)")
_DAY_OR_MONTH_FIRST = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?:[ T].*)?")
_JOINED = {"&": "AND", "&&": "AND", "|": "OR", "||": "OR"}
_TURNED = {"=>": ">=", "=<": "<="}
_COMPARING = {"=", "==", "<>", "!=", "<", "<=", ">", ">="}
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TENS = ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {word: n for n, word in enumerate(_WORDS)} | {word: 10 * n for n, word in enumerate(_TENS, start=1)}
_STRAIGHT = str.maketrans({mark: "'" if i < 4 else '"' for i, mark in enumerate(CURLY_QUOTES)})
_SIGNS = {"(", ")", ","} | _COMPARING | _JOINED.keys() | _TURNED.keys()
_ENDS = {"and", "or"} | _SIGNS
_NEAR = 0.75
"""How much alike a value must be to be offered for one that is not there."""
_LONGEST_NAME = 20
"""Words of the longest name of a column that is looked for."""


def corrected(text: str, columns: object, values: Values, days: DayOrder | None = None) -> str | None:
    """Return a condition that can be read, as near to what was written as can be seen; None where none is.

    Put right are ``&`` and ``|``, ``=>`` and ``=<``, IS before a value, curly quotes, values and names without their
    quotes, numbers that are written as words, a list after IN without its parentheses, and days that do not begin with
    the year, where `days` or the day itself says which part is the month.

    Examples
    --------
    >>> columns = {"race": "text", "tier": "number", "work": "text"}
    >>> known = {"race": ["White"], "work": ["full-time"]}.get
    >>> fix = lambda text: corrected(text, columns, lambda name: known(name, []))
    >>> fix("tier > three & work = full-time"), fix("tier in 1,2"), fix("race is white")
    ("tier > 3 AND work = 'full-time'", 'tier IN (1, 2)', "race = 'White'")
    """
    if len(text) > MAX_LENGTH or ";" in text:
        return None
    names = ColumnNames(columns)
    try:
        found = Condition.parse(_Writer(text.translate(_STRAIGHT), names, days).written(), names)
    except FairauditError:
        return None
    return str(with_known_values(found, values) or found)


def with_known_values(condition: Condition, values: Values) -> Condition | None:
    """Return the condition with each text that its column lacks as the column spells it; None where nothing changes."""
    return _with_values(condition, values, _spelled)


def with_near_values(condition: Condition, values: Values) -> Condition | None:
    """Return the condition with each text that its column lacks as the nearest value; None where nothing changes.

    Examples
    --------
    >>> condition = Condition.parse("town = 'ashfort' AND town <> 'Leeds'", {"town": "text"})
    >>> str(with_near_values(condition, {"town": ["Ashford", "Brampton"]}.get))
    "town = 'Ashford' AND town <> 'Leeds'"
    """
    return _with_values(condition, values, _nearest)


def other_spellings(condition: Condition, values: Values) -> dict[str, dict[str, str]]:
    """Return by column the values that differ from one that a condition names by letter case or blanks only, and it.

    Of a column that the condition also looks at in another way, such as by LIKE or lower(), nothing is returned.

    Examples
    --------
    >>> condition = Condition.parse("race IN ('White', 'Black') AND age > 5", {"race": "text", "age": "number"})
    >>> other_spellings(condition, {"race": ["White", "WHITE ", "grey", "Black"]}.get)
    {'race': {'WHITE ': 'White'}}
    """
    found = {}
    for name, named in _listed_texts(condition).items():
        read = {spelling(text): text for text in reversed(named)}
        others = {text: read[spelling(text)] for text in _others(named, values(name)) if spelling(text) in read}
        if others:
            found[name] = others
    return found


def resembling_values(condition: Condition, values: Values) -> dict[str, dict[str, str]]:
    """Return by column the values that differ from one that a condition names by a typing error or two, and that one.

    Of the columns of :func:`other_spellings`; what resembles is said by :func:`~.resembling.resembles`.

    Examples
    --------
    >>> condition = Condition.parse("nationality = 'Moroccan'", {"nationality": "text"})
    >>> resembling_values(condition, lambda name: ["Moroccan", "Morocan", "MOROCCAN", "Dutch"])
    {'nationality': {'Morocan': 'Moroccan'}}
    """
    found = {}
    for name, named in _listed_texts(condition).items():
        near = {text: [one for one in named if resembles(text, one)] for text in _others(named, values(name))}
        if others := {text: ones[0] for text, ones in near.items() if ones}:
            found[name] = others
    return found


def _listed_texts(condition: Condition) -> dict[str, tuple[str, ...]]:
    """Return by column the texts that a condition names, of columns that it looks at in no other way."""
    named: dict[str, dict[str, None]] = {}
    for name, value in _asked_for(condition.tree):
        if isinstance(value, str):
            named.setdefault(name, {})[value] = None
    uses = [node.name for node in tree.walk(condition.tree) if isinstance(node, tree.ColumnName)]
    asked = list(map(_listed_or_missing, tree.walk(condition.tree)))
    return {name: tuple(texts) for name, texts in named.items() if uses.count(name) == asked.count(name)}


def _others(named: Collection[str], values: Sequence[object]) -> list[str]:
    return [value for value in values if isinstance(value, str) and "\0" not in value and value not in named]


def with_spellings(condition: Condition, others: Mapping[str, Mapping[str, str]]) -> Condition:
    """Return the condition that names others, too, by column, wherever it names the value that goes with each.

    Examples
    --------
    >>> condition = Condition.parse("race <> 'White' AND age > 5", {"race": "text", "age": "number"})
    >>> str(with_spellings(condition, {"race": {"WHITE": "White"}}))
    "race NOT IN ('White', 'WHITE') AND age > 5"
    """
    return Condition.parse(to_text(_spelled_too(condition.tree, others)), tree.column_names(condition.tree))


def spelling(text: str) -> str:
    """Return what is alike in texts that differ by letter case or blanks only.

    Examples
    --------
    >>> spelling(" Not  Known ")
    'notknown'
    """
    return "".join(text.split()).casefold()


def lacking_values(
    condition: Condition, values: Callable[[str], Sequence[object] | None]
) -> tuple[tuple[str, object], ...]:
    """Return the columns and the values of texts and numbers that a condition asks for and that the column lacks.

    Of a column whose values are not all known, which `values` says with None, nothing is returned.

    Examples
    --------
    >>> condition = Condition.parse("race IN ('White', 'Grey') AND NOT tier = 9", {"race": "text", "tier": "number"})
    >>> lacking_values(condition, {"race": ["White", "Black"], "tier": [1, 2]}.get)
    (('race', 'Grey'), ('tier', 9))
    """
    asked = dict.fromkeys(_asked_for(condition.tree))
    known = {name: values(name) for name, _ in asked}
    return tuple((name, value) for name, value in asked if (of := known[name]) is not None and value not in of)


def dates_out_of_order(condition: Condition, values: Values) -> dict[str, str]:
    """Return the columns that a condition puts in order though they hold days such as 31.12.2024 as texts, and a day.

    Examples
    --------
    >>> condition = Condition.parse("day >= '01.06.2024' AND area > 'k'", {"day": "text", "area": "text"})
    >>> dates_out_of_order(condition, lambda name: {"day": ["31.12.2024", "05.01.2024"], "area": ["north"]}[name])
    {'day': '31.12.2024'}
    """
    return _out_of_order(condition, values, are_days, _is_day)


def amounts_out_of_order(condition: Condition, values: Values) -> dict[str, str]:
    """Return the columns that a condition puts in order though they hold amounts such as € 2,310 as texts, and one.

    Examples
    --------
    >>> condition = Condition.parse("pay > '2000' AND area > 'k'", {"pay": "text", "area": "text"})
    >>> amounts_out_of_order(condition, lambda name: {"pay": ["€ 2,310", "EUR 900"], "area": ["north"]}[name])
    {'pay': '€ 2,310'}
    """
    return _out_of_order(condition, values, are_money, is_money)


def _out_of_order(
    condition: Condition,
    values: Values,
    are_such: Callable[[Iterable[object]], bool],
    is_such: Callable[[object], TypeGuard[str]],
) -> dict[str, str]:
    found = {}
    for name in dict.fromkeys(_put_in_order(condition.tree)):
        if are_such(known := values(name)):
            found[name] = next(value for value in known if is_such(value))
    return found


def are_days(values: Iterable[object]) -> bool:
    """Say whether more than half of the texts among some values are days such as 31.12.2024.

    Examples
    --------
    >>> are_days(["31.12.2024", "05.01.2024", "?", None]), are_days(["north", None]), are_days([])
    (True, False, False)
    """
    texts = [value for value in values if isinstance(value, str)]
    return 2 * sum(map(_is_day, texts)) > len(texts)


def _is_day(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and _DAY_OR_MONTH_FIRST.fullmatch(value.strip()) is not None


def _asked_for(condition: tree.Node) -> Iterator[tuple[str, object]]:
    """Yield the columns of texts and numbers that are compared with a value, and that value."""
    for node in tree.walk(condition):
        match node:
            case tree.Compare("=" | "<>", tree.ColumnName(name, "text" | "number"), tree.Constant(value)):
                yield name, value
            case tree.InList(tree.ColumnName(name, "text" | "number"), items):
                yield from ((name, item.value) for item in items)


def _listed_or_missing(node: object) -> str | None:
    """Return the column that a node compares with values that are listed, or with a missing one."""
    match node:
        case tree.Compare("=" | "<>", tree.ColumnName(name), tree.Constant()):
            return name
        case tree.InList(tree.ColumnName(name)) | tree.IsNull(tree.ColumnName(name)):
            return name
    return None


def _spelled_too(node: Any, others: Mapping[str, Mapping[str, str]]) -> Any:
    match node:
        case tree.And(parts) | tree.Or(parts):
            return replace(node, parts=tuple(_spelled_too(part, others) for part in parts))
        case tree.Not(inner):
            return tree.Not(_spelled_too(inner, others))
        case tree.Compare("=" | "<>" as sign, tree.ColumnName(name) as column, tree.Constant(str()) as value):
            items, negated = (value,), sign == "<>"
        case tree.InList(tree.ColumnName(name) as column, items, negated):
            pass
        case _:
            return node
    spelled = {spelling(item.value) for item in items if isinstance(item.value, str)}
    there = {item.value for item in items}
    with_it = others.get(name, {}).items()
    added = [tree.Constant(v) for v, of in with_it if v not in there and spelling(of) in spelled]
    return tree.InList(column, (*items, *added), negated) if added else node


def _put_in_order(condition: tree.Node) -> Iterator[str]:
    """Yield the columns of texts that are compared by order."""
    for node in tree.walk(condition):
        match node:
            case tree.Compare("<" | "<=" | ">" | ">=", left, right):
                yield from (
                    side.name for side in (left, right) if isinstance(side, tree.ColumnName) and side.kind == "text"
                )
            case tree.Between(tree.ColumnName(name, "text")):
                yield name


class _Writer:
    """Writes the words of a text anew, each as it can be read."""

    def __init__(self, text: str, names: ColumnNames, days: DayOrder | None):
        self.text, self.names, self.days = text, names, days
        self.tokens = [(found.start(), found.group()) for found in _TOKEN.finditer(text)]
        self.place = 0
        self.column: str | None = None

    def written(self) -> str:
        parts: list[str] = []
        while self.place < len(self.tokens):
            _, token = self.tokens[self.place]
            word = token.lower()
            if word in _JOINED or word in _TURNED:
                token = _JOINED.get(word) or _TURNED[word]
            if self.longest_name(at_least=2):
                # A name may begin with a word of the language, such as "date of birth".
                parts.append(self.name())
            elif word == "is" and (sign := self.meant_by_is()):
                parts += [sign, self.value()]
            elif token in _COMPARING or word in {"between", "like", "ilike"}:
                self.place += 1
                parts += [token, self.value()]
                if word == "between" and self.place < len(self.tokens) and self.tokens[self.place][1].lower() == "and":
                    self.place += 1
                    parts += ["AND", self.value()]
            elif word == "in":
                self.place += 1
                parts += ["IN", self.listed()]
            elif token in {"(", ")", ","} or word in KEYWORDS or token[0] == "'" or token in _JOINED.values():
                self.place += 1
                parts.append(token)
            else:
                parts.append(self.name())
        return " ".join(part for part in parts if part)

    def name(self) -> str:
        """Take the longest run of words that is a column, and quote it where that is needed; else the word as it is."""
        n = self.longest_name()
        words = [token for _, token in self.tokens[self.place : self.place + max(n, 1)]]
        self.place += max(n, 1)
        if not n:
            return words[0]
        self.column = self.names.find(" ".join(words).strip('"'))
        return name_to_text(require(self.column))

    def longest_name(self, *, at_least: int = 1) -> int:
        """Return how many words from here on are the name of a column; 0 where fewer than `at_least` are."""
        rest = [token for _, token in self.tokens[self.place : self.place + _LONGEST_NAME]]
        # A word such as "and" may be part of a name, a sign is not.
        words = list(takewhile(lambda token: token.lower() not in _SIGNS, rest))
        fits = (n for n in range(len(words), at_least - 1, -1) if self.names.find(" ".join(words[:n]).strip('"')))
        return next(fits, 0)

    def value(self) -> str:
        """Take what stands after a comparison, up to the next word that ends a value."""
        run = self.run()
        if not run:
            return ""
        words = " ".join(token for _, token in run)
        end = run[-1][0] + len(run[-1][1])
        self.place += len(run)
        if day := self.day(run[-1][1] if run[0][1].lower() in {"date", "timestamp"} else words):
            return day
        if run[0][1][0] in "'\"" or run[0][1].lower() in KEYWORDS or self.names.find(words) or _is_number(words):
            return words
        return self.meant(self.text[run[0][0] : end])

    def meant_by_is(self) -> str | None:
        """Take "is" or "is not" where a value follows, and return the sign for it."""
        after = [token.lower() for _, token in self.tokens[self.place + 1 : self.place + 3]]
        negated = after[:1] == ["not"]
        value = after[negated : negated + 1]
        if not value or value[0] == "null" or value[0] in _ENDS or value[0] == "in":
            return None
        self.place += 1 + negated
        return "<>" if negated else "="

    def meant(self, written: str) -> str:
        """Return a value that stands without quotes as its column has it."""
        if self.column is not None and self.names.kind(self.column) == "number":
            return str(_NUMBERS.get(written.lower(), written))
        return value_text(written)

    def day(self, written: str) -> str | None:
        """Return a day that does not begin with the year as a column of days is compared with it; None where unsure."""
        found = _SPLIT_DAY.fullmatch(written.strip("'\" "))
        if found is None or self.column is None or self.names.kind(self.column) not in DAY_KINDS:
            return None
        first, stroke, second, year, rest = found.groups()
        order = "day first" if stroke == "." or int(first) > 12 else "month first" if int(second) > 12 else self.days
        if order not in {"day first", "month first"}:
            return None
        day, month = (first, second) if order == "day first" else (second, first)
        return value_text(f"{year}-{int(month):02}-{int(day):02}{rest}")

    def listed(self) -> str:
        """Take a list of values, with its parentheses or without."""
        if self.place < len(self.tokens) and self.tokens[self.place][1] == "(":
            self.place += 1
        items = [self.value()]
        while self.place < len(self.tokens) and self.tokens[self.place][1] == ",":
            self.place += 1
            items.append(self.value())
        if self.place < len(self.tokens) and self.tokens[self.place][1] == ")":
            self.place += 1
        return f"({', '.join(items)})"

    def run(self) -> list[tuple[int, str]]:
        """Return the words from here to the next that ends a value or a name."""
        rest = self.tokens[self.place :]
        n = next((i for i, (_, token) in enumerate(rest) if token.lower() in _ENDS or token.lower() == "in"), len(rest))
        return rest[:n]


def _is_number(text: str) -> bool:
    return read_number(text.removeprefix("-").strip()) is not None


def _with_values(condition: Condition, values: Values, find: _Finder) -> Condition | None:
    node = _known(condition.tree, values, find)
    if node == condition.tree:
        return None
    return Condition.parse(to_text(node), tree.column_names(condition.tree))


def _known(node: Any, values: Values, find: _Finder) -> Any:
    match node:
        case tree.And(parts) | tree.Or(parts):
            return replace(node, parts=tuple(_known(part, values, find) for part in parts))
        case tree.Not(inner):
            return tree.Not(_known(inner, values, find))
        case tree.Compare("=" | "<>", tree.ColumnName(name), tree.Constant(str() as value)):
            return replace(node, right=tree.Constant(find(value, values(name))))
        case tree.InList(tree.ColumnName(name), items):
            found = dict.fromkeys(find(item.value, values(name)) for item in items)
            return replace(node, items=tuple(map(tree.Constant, found)))
    return node


def _spelled(value: tree.Written, known: Sequence[object]) -> tree.Written:
    """Return a text as its column spells it, where only one of its values differs by letter case and blanks alone."""
    if not isinstance(value, str) or value in known:
        return value
    near = [other for other in known if isinstance(other, str) and _plain(other) == _plain(value)]
    return near[0] if len(near) == 1 else value


def _nearest(value: tree.Written, known: Sequence[object]) -> tree.Written:
    """Return a text as its column spells it or, where it has no such value, the value that is nearest to it."""
    spelled = _spelled(value, known)
    if not isinstance(value, str) or spelled in known:
        return spelled
    texts = {_plain(other): other for other in reversed(known) if isinstance(other, str)}
    return next((texts[near] for near in difflib.get_close_matches(_plain(value), texts, n=1, cutoff=_NEAR)), value)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").replace("_", " ").split())
