"""Which characters can be printed, how wide a text will be, and how a table is laid out so that nothing is cut."""

from __future__ import annotations

import html
import json
import re
import threading
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import typst

STANDARDS: Final[tuple[Literal["a-3a", "ua-1"], ...]] = ("a-3a", "ua-1")
"""What each document is: to be kept, with files inside, and accessible."""

ESCAPE = re.compile("⟨U\\+[0-9A-F]{4,6}⟩")

_MOST_MARKS = 4
_JOINERS = "\u200c\u200d"
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_PLAIN = frozenset(chr(code) for code in range(0x20, 0x7F))
_BATCH = 64
_MOST_WORDS = 20_000
_WORD = re.compile(r"[^\s⟨⟩]+")
_PAGE = b"""#set document(title: "t", date: datetime(year: 1980, month: 1, day: 1))
#set text(lang: "en", font: "Libertinus Serif")
#let text-in = json(bytes(sys.inputs.text))
#if sys.inputs.drawn == "yes" { image(bytes(text-in), format: "svg", alt: "t") } else { text-in; strong(text-in) }
"""
_DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-family="Libertinus Serif">{}</text></svg>'
)


class Coverage:
    """What the fonts at hand can show; asks Typst once for each character and remembers the answer.

    A character is tried by setting it under the standards of the report, which refuse what no font shows; that takes
    under a millisecond and always agrees with the report itself.

    Examples
    --------
    >>> Coverage().shows("é")
    True
    """

    def __init__(self) -> None:
        self._compiler = typst.Compiler()
        self._known: dict[str, bool] = {}
        self._words: dict[tuple[str, bool], bool] = {}
        self._hidden: frozenset[str] = frozenset()
        self._compound = True
        self._plain = False
        self._lock = threading.Lock()

    def shows(self, character: str) -> bool:
        """Return whether a font can show the character."""
        if character in _PLAIN:
            return True
        if self._plain or character in self._hidden or (not self._compound and _is_compound(character)):
            return False
        self.learn(character)
        return self._known[character]

    def learn(self, characters: Iterable[str]) -> None:
        """Try all characters at once, which is faster than one by one when most can be shown."""
        with self._lock:
            new = sorted({c for c in characters if c not in _PLAIN and c not in self._known})
            for start in range(0, len(new), _BATCH):
                batch = new[start : start + _BATCH]
                usual = [c for c in batch if not _is_unseen(c)]
                self._known |= dict.fromkeys(batch, False)
                if usual and self._sets(" ".join(usual)):
                    self._known |= dict.fromkeys(usual, True)
                else:
                    self._known |= {c: self._sets(c) for c in usual}

    def sets(self, word: str, *, drawn: bool = False) -> bool:
        """Return whether a word can be set as a whole, in running text or as a label of a drawing.

        Typst may show each character of a word and still not be able to say which glyphs spell it, as PDF/UA asks.
        """
        with self._lock:
            if (word, drawn) not in self._words:
                if len(self._words) >= _MOST_WORDS:
                    self._words.clear()
                self._words[word, drawn] = self._sets(word, drawn=drawn)
            return self._words[word, drawn]

    def forget_words(self) -> None:
        """Forget the words that were tried, which are those of documents; what is known of characters stays."""
        with self._lock:
            self._words.clear()

    def without(self, characters: Iterable[str] = (), *, compound: bool = False, plain: bool = False) -> Coverage:
        """Return a coverage that does not show these characters; this one stays as it is."""
        other = Coverage()
        with self._lock:
            other._known = dict(self._known)
        other._hidden = self._hidden | set(characters)
        other._compound = self._compound and not compound
        other._plain = self._plain or plain
        return other

    def _sets(self, text: str, *, drawn: bool = False) -> bool:
        content = _DRAWING.format(html.escape(text)) if drawn else text
        inputs = {"text": json.dumps(content), "drawn": "yes" if drawn else "no"}
        try:
            self._compiler.compile(input=_PAGE, format="pdf", pdf_standards=list(STANDARDS), sys_inputs=inputs)
        except typst.TypstError:
            return False
        return True


COVERAGE = Coverage()


def visible(text: str, coverage: Coverage = COVERAGE, *, lines: bool = False, drawn: bool = False) -> str:
    r"""Return a text of which every character is seen, whatever it holds.

    Examples
    --------
    >>> visible("A\u200bB")
    'A⟨U+200B⟩B'
    """
    if text.isascii() and text.isprintable():
        return text
    if lines:
        text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    coverage.learn(text)
    out: list[str] = []
    marks = 0
    before = ""
    for character in text:
        is_mark = unicodedata.category(character) in ("Mn", "Me", "Mc")
        marks = marks + 1 if is_mark else 0
        if character in _JOINERS:
            kept = bool(before) and before.isalpha()
        elif lines and character == "\n":
            kept = True
        else:
            kept = marks <= _MOST_MARKS and coverage.shows(character)
        out.append(character if kept else escape(character))
        before = (before if is_mark else character) if kept else ""
    return _WORD.sub(lambda found: _settable(found.group(), coverage, drawn), "".join(out))


def escape(character: str) -> str:
    r"""Write a character as its code point.

    Examples
    --------
    >>> escape("\n")
    '⟨U+000A⟩'
    """
    return f"⟨U+{ord(character):04X}⟩"


def _settable(word: str, coverage: Coverage, drawn: bool) -> str:
    if not any(_is_compound(c) for c in word) or coverage.sets(word, drawn=drawn):
        return word
    return "".join(escape(c) if _is_compound(c) else c for c in word)


def _is_compound(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character) in ("Mn", "Me", "Mc", "Lo")


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN or character in _BLANK_LETTERS


# Widths.

LONGEST_WORD = 16
PIECE = 10
ENDING = 5
"""So many signs after the last dot are the ending of a file's name, or a full stop behind it."""
LONGEST_CELL = 160

SIZES = (9.5, 8.5, 7.5)
INSET = 5.0
COMFORT = 105.0
MONO_SCALE = 0.85

_NARROW = frozenset("ijltfI.,:;'|!() ")
_WIDE = frozenset("mwMOQ%&—…\u2212+=<>±~")
_WIDEST = frozenset("W@→←")


@dataclass(frozen=True)
class Layout:
    """The columns of one printed table: which of the table's columns, how wide in points, at which type size."""

    columns: tuple[int, ...]
    widths: tuple[float, ...]
    size: float


def pieces(text: str) -> list[str]:
    """Cut a text where a line may break inside its long words; joined, the pieces are the text again.

    Examples
    --------
    >>> pieces("a very_long_column_name")
    ['a very_', 'long_', 'column_', 'name']
    >>> pieces("remedy_2_population.csv")
    ['remedy_', '2_', 'population.csv']
    """
    out = [""]
    for word in re.split(r"(\s+)", text):
        if len(word) <= LONGEST_WORD or word.isspace():
            out[-1] += word
            continue
        first, *others = [piece for part in _parts(_units(word)) for piece in _cut(part)]
        out[-1] += first
        out += others
    return out


def _parts(units: Sequence[str]) -> list[list[str]]:
    """Divide a word after its signs, but not before the ending of a file's name."""
    parts: list[list[str]] = [[]]
    length = 0
    for position, unit in enumerate(units):
        parts[-1].append(unit)
        length += len(unit)
        rest = units[position + 1 :]
        signs = "_-/\\,;:=)]}|&?" if len(rest) <= ENDING else "_-./\\,;:=)]}|&?"
        if unit[-1] in signs and length >= 2 and rest and rest[0][0].isalnum():
            parts.append([])
            length = 0
    return parts


def _cut(units: Sequence[str]) -> list[str]:
    """Cut a part of a word that is too long to stay whole."""
    if sum(map(len, units)) <= LONGEST_WORD:
        return ["".join(units)]
    out, length = [""], 0
    for unit in units:
        if length >= PIECE:
            out.append("")
            length = 0
        out[-1] += unit
        length += len(unit)
    return out


def clipped(text: str, limit: int = LONGEST_CELL) -> str:
    """Cut a very long text, and say how long it was.

    Examples
    --------
    >>> clipped("y" * 10000, 3)
    'yyy… (10,000 characters)'
    """
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def width(text: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """Estimate the width of a text on one line, in points."""
    if mono:
        return sum(0 if unicodedata.combining(c) else 0.62 for c in text) * size * MONO_SCALE
    return sum(_em(c) for c in text) * size * (1.1 if bold else 1.03)


def lay_out(
    heads: Sequence[str], rows: Sequence[Sequence[str]], mono: Sequence[bool], *, available: float
) -> tuple[Layout, ...]:
    """Choose type size and column widths of a table, and split it by columns where the page is too narrow."""
    if not heads:
        return ()
    for size in SIZES:
        needs = [_need(i, heads, rows, mono[i], size) for i in range(len(heads))]
        wanted = sum(_comfort(need) for need in needs)
        fits = wanted if size != SIZES[-1] else sum(least for least, _ in needs)
        if fits <= available:
            return (Layout(tuple(range(len(heads))), _spread(needs, available), size),)
    size = SIZES[1]
    needs = [_need(i, heads, rows, mono[i], size) for i in range(len(heads))]
    first = _comfort(needs[0])
    layouts, group, used = [], [0], first
    for i, need in enumerate(needs[1:], start=1):
        room = _comfort(need)
        if used + room > available and len(group) > 1:
            layouts.append(group)
            group, used = [0], first
        group.append(i)
        used += room
    layouts.append(group)
    return tuple(Layout(tuple(g), _spread([needs[i] for i in g], available), size) for g in layouts)


def _need(
    column: int, heads: Sequence[str], rows: Sequence[Sequence[str]], mono: bool, size: float
) -> tuple[float, float]:
    cells = [(row[column], mono, False) for row in rows] + [(heads[column], False, True)]
    natural = max(width(text, size, mono=m, bold=b) for text, m, b in cells)
    least = max(
        width(part, size, mono=m, bold=b)
        for text, m, b in cells
        for piece in pieces(text)
        for part in re.split(r"[ \n]+", piece)
    )
    return least + 2 * INSET, natural + 2 * INSET


def _spread(needs: Sequence[tuple[float, float]], available: float) -> tuple[float, ...]:
    least = [low for low, _ in needs]
    comfort = [_comfort(need) for need in needs]
    natural = [high for _, high in needs]
    if sum(natural) <= available:
        share = (available - sum(natural)) / len(needs)
        return tuple(high + share for high in natural)
    if sum(comfort) <= available:
        return _between(comfort, natural, available)
    # What is left goes to the long sentences: they make the rows tall.
    return _between(least, natural, available)


def _between(low: Sequence[float], high: Sequence[float], available: float) -> tuple[float, ...]:
    growth = max(0.0, available - sum(low)) / max(sum(high) - sum(low), 1e-9)
    return tuple(small + (large - small) * growth for small, large in zip(low, high, strict=True))


def _comfort(need: tuple[float, float]) -> float:
    least, natural = need
    return max(least, min(natural, COMFORT))


def _units(word: str) -> list[str]:
    units: list[str] = []
    position = 0
    while position < len(word):
        found = ESCAPE.match(word, position)
        unit = found.group() if found else word[position]
        joined = units and (
            unicodedata.category(unit[0])[0] == "M" or unit in "\u200c\u200d" or units[-1][-1] == "\u200d"
        )
        if joined:
            units[-1] += unit
        else:
            units.append(unit)
        position += len(unit)
    return units


def _em(character: str) -> float:
    if character in _NARROW:
        return 0.34
    if character in _WIDE:
        return 0.86
    if unicodedata.combining(character):
        return 0.0
    if character in _WIDEST or unicodedata.east_asian_width(character) in "WF":
        return 1.12
    if character.isascii():
        return 0.75 if character.isupper() else 0.54
    return 0.87
