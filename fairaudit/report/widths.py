"""How wide a text will be, where a long word may break, and how a table is laid out so that nothing is cut.

Widths are estimates for Libertinus Serif and DejaVu Sans Mono on the safe side; a text that needs more room than
its column wraps, and a table that needs more room than the page becomes several tables with the same first column.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from fairaudit.report.fonts import ESCAPE

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
