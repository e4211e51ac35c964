"""Text from data is always shown as text, never as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_BLANKS = re.compile(r"[ \t\r\n\f\v\u2028\u2029]+")
_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")
# What Streamlit turns into links, emoji, arrows and its logo even where every sign is escaped: cut there.
_CUTS = re.compile(
    r"(?<=http)s?(?=://)|(?<=www)(?=\.)|(?<=[-.\w+])(?=@)|(?<=:)(?=[\w+-]+:)|(?<=[<>~-])(?=[-=>])", re.IGNORECASE
)
# Draws nothing, and parts the text before it from the text after it.
_CUT = ":small[]"


def literal(text: object, *, limit: int = 300) -> str:
    r"""Escape a text so that Markdown shows it as it is.

    Examples
    --------
    >>> literal("a_b *c*")
    'a\\_b \\*c\\*'
    """
    plain = shortened(text, limit)
    ends = [found.end() for found in _CUTS.finditer(plain)]
    parts = [plain[start:end] for start, end in zip([0, *ends], [*ends, len(plain)], strict=True)]
    return _CUT.join(_MARKUP.sub(r"\\\1", part) for part in parts)


def shortened(text: object, limit: int = 60) -> str:
    """Return a plain text of at most `limit` characters, for widgets that do not read Markdown."""
    # A no-break space stays: it keeps a number and its unit together.
    flat = _BLANKS.sub(" ", str(text)).strip()
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def labels(options: Iterable[object], *, limit: int = 60) -> Callable[[object], str]:
    """Return the function that names each option of a widget, no two options alike.

    Streamlit distinguishes options by what it draws: of two with one label, the second could not be chosen.

    Examples
    --------
    >>> label = labels(["a b", "a  b"])
    >>> label("a b"), label("a  b")
    ('a b', 'a b (2)')
    """
    options = list(options)
    shown = dict.fromkeys(options, "")
    taken = {shortened(option, limit) for option in options}
    first = set()
    for option in shown:
        label = plain = shortened(option, limit)
        number = 1
        while label in first or (number > 1 and label in taken):
            number += 1
            label = f"{plain} ({number})"
        first.add(label)
        shown[option] = label
    return lambda option: shown[option] if option in shown else shortened(option, limit)
