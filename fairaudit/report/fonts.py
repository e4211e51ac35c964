"""Which characters can be printed, and a visible escape for those that cannot.

A report must not fail because of a name. Typst prints with the fonts it carries and those of the system; a character
that no font shows, and one that would not be seen or would turn the line around, is written as its code point between
angle brackets, such as ``⟨U+4E2D⟩``.
"""

from __future__ import annotations

import html
import json
import re
import threading
import unicodedata
from collections.abc import Iterable

import typst

ESCAPE = re.compile("⟨U\\+[0-9A-F]{4,6}⟩")

_MOST_MARKS = 4
_JOINERS = "\u200c\u200d"
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_PLAIN = frozenset(chr(code) for code in range(0x20, 0x7F))
_BATCH = 64
_MOST_WORDS = 20_000
_WORD = re.compile(r"[^\s⟨⟩]+")
_PAGE = b"""#set document(title: "t")
#set text(lang: "en", font: "Libertinus Serif")
#let text-in = json(bytes(sys.inputs.text))
#if sys.inputs.drawn == "yes" { image(bytes(text-in), format: "svg", alt: "t") } else { text-in; strong(text-in) }
"""
_DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-family="Libertinus Serif">{}</text></svg>'
)


class Coverage:
    """What the fonts at hand can show; asks Typst once for each character and remembers the answer.

    A character is tried by setting it under PDF/UA-1, which refuses what no font shows; that takes under a
    millisecond and always agrees with the report itself.

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
            self._compiler.compile(input=_PAGE, format="pdf", pdf_standards=["ua-1"], sys_inputs=inputs)
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
