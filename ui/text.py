"""How texts are shown: text from data never as Markdown, conditions in words, errors, and cautions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import streamlit as st

from fairaudit.data import Table
from fairaudit.errors import FairauditError, OpenCodesError, OpenValues, OpenValuesError, quote, require
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.present.naming import listed

# Text from data is always shown as text, never as Markdown.

_BLANKS = re.compile(r"[ \t\r\n\f\v\u2028\u2029]+")
# Where a sign stands that Markdown would read as markup: before each of these, an escape is written. Other signs are
# left as they are, as the name that a screen reader reads of a widget is its label as it is written.
_MARKUP = re.compile(
    r"""
    ^\d+(?=[.)](?:\s|$))  # what begins a numbered list
    | ^(?=[-+=])           # a list, a rule, or what makes a heading of the line above
    | (?<![^\W_])(?=_) | (?=_(?![^\W_]))  # inside a word it joins
    | (?=&\#?\w+;)
    | (?=[#$*:<>\[\\\]`{|}~])
    """,
    re.VERBOSE,
)
# What Streamlit turns into links, emoji, arrows and its logo even where every sign is escaped: cut there.
_CUTS = re.compile(
    r"(?<=http)s?(?=://)|(?<=www)(?=\.)|(?<=[-.\w+])(?=@)|(?<=:)(?=[\w+-]+:)|(?<=[<>~-])(?=[-=>])", re.IGNORECASE
)
# Draws nothing, and parts the text before it from the text after it.
_CUT = ":small[]"


def literal(text: object, *, limit: int = 300) -> str:
    r"""Escape a text so that Markdown shows it as it is: what would be markup, and no other sign.

    Examples
    --------
    >>> literal("a_b (1-3) *c*")
    'a_b (1-3) \\*c\\*'
    """
    plain = shortened(text, limit)
    ends = [found.end() for found in _CUTS.finditer(plain)]
    parts = [plain[start:end] for start, end in zip([0, *ends], [*ends, len(plain)], strict=True)]
    return _CUT.join(_MARKUP.sub(r"\g<0>\\", part) for part in parts)


def stated(key: str, /, *, limit: int = 300, **args: Argument) -> str:
    """Return a message of the catalogue with what it is about, as Markdown that shows it as it is."""
    return literal(say(Message(key, args)), limit=limit)


def shortened(text: object, limit: int = 60) -> str:
    """Return a plain text of at most `limit` characters, for widgets that do not read Markdown."""
    # A no-break space stays: it keeps a number and its unit together.
    flat = _BLANKS.sub(" ", str(text)).strip()
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def first_named(names: Sequence[str], *, between: str = ", ", most: int = 8) -> dict[str, Argument]:
    """Return the arguments of a message that names the first of many, and says how many more there are.

    Examples
    --------
    >>> first_named(["a", "b", "c"], most=2)
    {'groups': Phrase(text='a, b'), 'n': Count(value=1)}
    """
    return {"groups": Phrase(between.join(names[:most])), "n": Count(max(len(names) - most, 0))}


def labels(options: Iterable[object], *, limit: int = 60, text: Callable[[Any], str] = str) -> Callable[[object], str]:
    """Return the function that names each option of a widget by its `text`, no two options alike.

    Streamlit distinguishes options by what it draws: of two with one label, the second could not be chosen.

    Examples
    --------
    >>> label = labels(["a b", "a  b"])
    >>> label("a b"), label("a  b")
    ('a b', 'a b (2)')
    """
    options = list(options)
    shown = dict.fromkeys(options, "")
    taken = {shortened(text(option), limit) for option in options}
    first = set()
    for option in shown:
        label = plain = shortened(text(option), limit)
        number = 1
        while label in first or (number > 1 and label in taken):
            number += 1
            label = f"{plain} ({number})"
        first.add(label)
        shown[option] = label
    return lambda option: shown[option] if option in shown else shortened(text(option), limit)


# Conditions as people read them.


def condition_words(table: Table, text: str) -> str:
    """Return a condition in words, such as "race is Black", or as it is written where the table cannot read it."""
    try:
        return require(table.condition(text)).in_words()
    except FairauditError:
        return text


# How an error is shown.


OPEN_VALUES = "open_values"
"""Where the session holds what a question found open of values; the page Data asks it."""


OPEN_CODES = "open_codes"
"""Where the session holds the columns whose numbers a question takes for an order; the page Data asks about them."""


def show_error(error: FairauditError) -> None:
    """Draw one error: what is wrong, then the remedy; what values mean is asked on Data."""
    if isinstance(error, OpenValuesError):
        st.session_state[OPEN_VALUES] = error.questions
        asked = asked_together(error.questions)
        n = Count(len(asked))
        _send_to_data(literal(say((Message("page-open-values", {"n": n}), open_words(asked[0]))), limit=600))
        return
    if isinstance(error, OpenCodesError):
        st.session_state[OPEN_CODES] = error.columns
        named = ", ".join(dict.fromkeys(shortened(column, 60) for column in error.columns))
        _send_to_data(stated("page-needs-values", columns=Phrase(named), limit=400))
        return
    hint = f"\n\n{literal(error.hint, limit=600)}" if error.hint else ""
    st.error(literal(error.message, limit=600) + hint)


def columns_named(names: Iterable[str]) -> str:
    """Return names of columns as one phrase, each quoted."""
    return listed([quote(name, limit=40) for name in names])


_MOST_OPEN = 5


def asked_together(found: Iterable[OpenValues]) -> list[tuple[OpenValues, ...]]:
    """Return what is open of values by question: values that may mean the same in several columns are asked once."""
    together: dict[tuple[object, ...], list[OpenValues]] = {}
    for each in found:
        together.setdefault((each.values, each.meaning, each.proposed), []).append(each)
    return list(map(tuple, together.values()))


def open_words(asked: Sequence[OpenValues]) -> Message:
    """Return the question that is open of some values, in one column or in several."""
    names = [shortened(each.column, 60) for each in asked]
    named = listed(names[:_MOST_OPEN]) + (", …" if len(names) > _MOST_OPEN else "")
    words = {"of": Word("column" if len(names) == 1 else "columns"), "meaning": Word(asked[0].meaning)}
    return Message("data-open", {"column": Phrase(named), "values": Phrase(values_named(asked[0].values)), **words})


def values_named(values: Iterable[str]) -> str:
    """Return the first of some values, quoted."""
    texts = list(values)
    quoted = (quote(value, limit=60) if value else say(Message("read-no-value")) for value in texts[:_MOST_OPEN])
    return f"{', '.join(quoted)}{', …' if len(texts) > _MOST_OPEN else ''}"


def _send_to_data(asked: str) -> None:
    st.info(asked)
    st.page_link("pages/1_Data.py", label="Go to Data", icon=":material/arrow_forward:")


# Several things to be careful about: the gravest in sight, the others folded with their number.

UNLAWFUL = "may be unlawful"


def show_cautions(texts: Sequence[str], *, limit: int = 900) -> None:
    """Draw the first of some cautions, the gravest first, and each that says what may be unlawful; fold the others."""
    standing = [text for place, text in enumerate(texts) if place == 0 or UNLAWFUL in text]
    for text in standing:
        st.warning(literal(text, limit=limit))
    folded = [text for text in texts if text not in standing]
    if folded:
        with st.expander("One more thing to know" if len(folded) == 1 else f"{len(folded)} more things to know"):
            for text in folded:
                st.warning(literal(text, limit=limit))
