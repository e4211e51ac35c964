"""Names in labels, sentences and charts: cut to fit, listed, and in the order in which people read them."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, Literal, TypeAlias, TypeVar

from fairaudit.findings import Argument, Count, Message, Word
from fairaudit.findings.names import Names
from fairaudit.measure.grouping import is_missing
from fairaudit.measure.results import GroupRow, StratumRow
from fairaudit.messages import say

HeldBy: TypeAlias = Literal["table", "below", "file", "files"]
"""Where all groups stand of which a chart draws some."""


MOST_GROUPS = 30
"""Groups that a chart draws."""
MOST_SERIES = 8
"""Lines or kinds of points that a chart draws."""
NAMED = 8
"""Things that a sentence names."""
LABEL_LENGTH = 34
WHOLE = 400
"""Signs of a name in full; only a longer one is cut."""
OTHERS = frozenset(
    ("other", "others", "all other", "all others", "rest", "the rest", "everyone else", "andere", "sonstige", "übrige",
     "autre", "autres", "otro", "otra", "otros", "otras", "altro", "altra", "altri", "altre", "outro", "outra",
     "outros", "outras", "overig", "overige")
)  # fmt: skip
"""Names of groups that read in a sentence as if everybody else was meant."""


def shorten(text: object, limit: int = LABEL_LENGTH) -> str:
    """Cut a text to `limit` columns with an ellipsis; blanks in a row become one blank.

    So do control characters. A wide character, such as an emoji or a Chinese one, takes two columns. A text without
    anything to show becomes ``(blank)``.

    Examples
    --------
    >>> shorten("a very long name", 9)
    'a very l…'
    """
    head = str(text)[: 8 * limit + 64].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    plain = " ".join("".join(c if c.isprintable() or c in "\u200c\u200d" else " " for c in head).split())
    ends = list(accumulate(_columns(c) for c in plain))
    if not plain.strip("\u200c\u200d"):
        return "(blank)"
    if ends[-1] <= limit:
        return plain
    return plain[: bisect_right(ends, limit - 1)].rstrip(" \u200c\u200d") + "…"


def whole(text: object, limit: int = WHOLE) -> str:
    """Return a name in full for a tooltip; only one longer than `limit` characters is cut."""
    return shorten(text, limit)


def unique_labels(names: Iterable[object], limit: int = LABEL_LENGTH) -> list[str]:
    """Shorten names so that different places keep different labels.

    Examples
    --------
    >>> unique_labels(["abcdefgh 1", "abcdefgh 2"], 8)
    ['abcdefg…', 'abcd… #2']
    """
    labels: list[str] = []
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        label = shorten(name, limit)
        if label in seen:
            suffix = f" #{position}"
            label = shorten(name, limit - len(suffix)) + suffix
        seen.add(label)
        labels.append(label)
    return labels


def group_label(name: str) -> str:
    """Return what a chart calls the protected group: where its name is too long for a label, the word for any such."""
    return name if len(name) <= LABEL_LENGTH else "the protected group"


def row_labels(names: Iterable[object]) -> list[str]:
    """Shorten names to what two lines beside a row of a chart hold; of wide characters, to one.

    Examples
    --------
    >>> row_labels(["employees of the fire department, 25 to 45", "消" * 20])[1]
    '消消消消消消消消消消消消消消消消…'
    """
    texts = [shorten(name, 2 * LABEL_LENGTH) for name in names]
    is_wide = any(_columns(character) > 1 for text in texts for character in text)
    return unique_labels(texts, LABEL_LENGTH if is_wide else 2 * LABEL_LENGTH)


def a(noun: str) -> str:
    """Return a noun with its article.

    Examples
    --------
    >>> a("outcome"), a("decision")
    ('an outcome', 'a decision')
    """
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def capital(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def some(items: list[Item]) -> list[Item]:
    """Return all items, or the first and last few of many, for a sentence."""
    return items if len(items) <= NAMED else items[: NAMED // 2] + items[-NAMED // 2 :]


def percent(confidence: float) -> str:
    """Return a confidence such as 0.95 as ``95 %``."""
    return f"{100 * confidence:g} %"


def short(text: object) -> str:
    """Return a name short enough for a sentence."""
    return shorten(text, 60)


def group(name: object, limit: int = 60) -> str:
    """Return the name of a group for a sentence, in quotation marks where it would not read as one name.

    That is one as if everybody else was meant, or one of several columns, with commas.

    Examples
    --------
    >>> group("Other"), group("another town"), group("woman, yes")
    ('“Other”', 'another town', '“woman, yes”')
    """
    text = shorten(name, limit)
    return f"“{text}”" if text.casefold() in OTHERS or "," in text else text


def drawn_note(n: int, most: int, what: str = "groups", *, held_by: HeldBy = "table") -> str:
    """Return a sentence that says how many are drawn and where all are, where not all are drawn; else nothing.

    Examples
    --------
    >>> drawn_note(40, 30), drawn_note(4, 30)
    (' Only the 30 largest of 40 groups are drawn; the table holds them all.', '')
    """
    if n <= most:
        return ""
    args: dict[str, Argument] = {"most": Count(most), "n": Count(n), "what": Word(what), "held_by": Word(held_by)}
    return f" {say(Message('chart-largest', args))}"


def _columns(character: str) -> int:
    if character in "\u200c\u200d" or unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def listed(parts: Sequence[str], link: str = "and") -> str:
    """Return phrases as one, such as "a, b, and c"."""
    if len(parts) < 3:
        return f" {link} ".join(parts)
    return f"{', '.join(parts[:-1])}, {link} {parts[-1]}"


# The order of names: E9 before E13, low before middle before high.

Item = TypeVar("Item")
Row = TypeVar("Row", bound=GroupRow | StratumRow)
_LADDERS: Final = tuple(
    {word: step for step, words in enumerate(ladder.split(",")) for word in words.split("/")}
    for ladder in (
        "none/no,very low/lowest,low/lower,below average,middle/mid/medium/moderate/average/normal,above average,"
        "high/higher,very high/highest",
        "never,rarely/seldom,sometimes,often,usually/mostly,always",
        "extra small/very small/xs,small/s,medium/middle/m,large/big/l,extra large/very large/xl,xxl",
        "very poor/very bad,poor/bad,fair/average/satisfactory,good,very good,excellent/outstanding",
        "minor/mild/light,moderate/medium,serious/severe/major/heavy,critical/very severe",
        "young/younger,middle/middle aged/adult,old/older/elderly/senior",
        "trainee/entry,junior,middle/mid/intermediate,senior,lead/principal",
        "few,some,many", "short,medium/middle,long", "early,middle/mid,late", "beginner,intermediate,advanced,expert",
        "primary,secondary,tertiary/higher", "first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth",
        "monday/mon,tuesday/tue,wednesday/wed,thursday/thu,friday/fri,saturday/sat,sunday/sun",
        "january/jan,february/feb,march/mar,april/apr,may,june/jun,july/jul,august/aug,september/sep,october/oct,"
        "november/nov,december/dec",
    )
)  # fmt: skip
"""Words that have an order of their own, each with those that stand for the same step."""


def in_natural_order(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return groups or strata that stand in the order of texts in that of the numbers or words in their names.

    Words that have an order of their own, such as low, middle and high, stand in it, where all values of a column are
    such words. Rows in another order, such as those of bands, keep it.
    """
    plain = [tuple((is_missing(value), "" if is_missing(value) else value) for _, value in row.values) for row in rows]
    try:
        if plain != sorted(plain):
            return tuple(rows)
    except TypeError:
        return tuple(rows)
    steps = [_steps([value for missing, value in column if not missing]) for column in zip(*plain, strict=True)]
    named = [
        tuple(
            (missing, own.get(value) if own else _natural(value))
            for (missing, value), own in zip(key, steps, strict=True)
        )
        for key in plain
    ]
    return tuple(rows[i] for i in sorted(range(len(rows)), key=named.__getitem__))


def _steps(values: Sequence[object]) -> dict[object, int]:
    """Return the step of each value where all are words of one ladder, but for words that all have; else nothing."""
    texts = [value for value in values if isinstance(value, str)]
    if len(set(values)) < 2 or len(texts) < len(values):
        return {}
    words = {text: re.sub(r"[\s_-]+", " ", text).strip().casefold().split(" ") for text in texts}
    shared = set.intersection(*map(set, words.values()))
    own = {value: " ".join(word for word in said if word not in shared) for value, said in words.items()}
    for ladder in _LADDERS:
        if all(text in ladder for text in own.values()):
            return {value: ladder[text] for value, text in own.items()}
    return {}


def _natural(value: object) -> object:
    """Return what a value is sorted by: each number in a text by its size, whatever else by itself."""
    if not isinstance(value, str):
        return value
    parts = re.split("([0-9]+)", value)
    return [(len(part.lstrip("0")), part.lstrip("0")) if i % 2 else part for i, part in enumerate(parts)]


def gap_head(names: Names, kind: str) -> str:
    """Return the head of a column of gaps, which says which group's figure is subtracted from which."""
    unit = Word("points" if kind in ("points", "points_interval") else "amount")
    return say(Message("column-gap", {"protected": names.protected, "others": names.others, "unit": unit}))
