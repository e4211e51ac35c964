"""Text from data is always shown as text, never as Markdown."""

from __future__ import annotations

import re

_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: object, *, limit: int = 300) -> str:
    """Escape a text so that Markdown shows it as it is.

    Parameters
    ----------
    text : object
        Shown with ``str``; line breaks become blanks.
    limit : int
        The most characters that are shown.

    Returns
    -------
    str
        Markdown that renders as the text.

    Examples
    --------
    >>> literal("a_b *c*")
    'a\\\\_b \\\\*c\\\\*'
    """
    flat = " ".join(str(text).split())
    short = flat if len(flat) <= limit else flat[: limit - 1] + "…"
    return _MARKUP.sub(r"\\\1", short)


def shortened(text: object, limit: int = 60) -> str:
    """Return a plain text of at most `limit` characters, for widgets that do not read Markdown."""
    flat = " ".join(str(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
