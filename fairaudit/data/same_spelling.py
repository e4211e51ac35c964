"""Texts that differ by letter case and by how many blanks they have, read as one value where a person says so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from fairaudit.data.answers import Answers
from fairaudit.data.engine import RELATION, quoted
from fairaudit.data.table_base import TableBase
from fairaudit.errors import DataError, InputError, near_names, quote
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say

SomeTable = TypeVar("SomeTable", bound=TableBase)

_MOST_NAMED = 5
_BLANKS = r"[\s\xA0]+"


def with_one_spelling(table: SomeTable, columns: Iterable[str]) -> SomeTable:
    """Return a table that was just read, with one spelling in columns of texts: the most frequent, then the first."""
    answers = _writable_answers(table)
    if answers is None:
        raise DataError(
            "Spellings cannot be read as one value in a file that is read where it lies.",
            hint="Make them alike in the file, or bring it as an upload.",
        )
    names = tuple(dict.fromkeys(columns))
    notes = []
    for name in names:
        if name not in table.columns:
            raise InputError(
                f"'same_spelling' must name columns of the table, got {quote(name)}.",
                hint=f"Read the spellings in that column apart again, or leave it out. "
                f"{near_names(name, table.columns)}",
            )
        kind = table.column(name).kind
        if kind != "text":
            raise InputError(
                f"'same_spelling' must name columns of texts, got {quote(name)}, whose values are {kind}s."
            )
        notes += _note(name, other_spellings(table, name))
        answers.respell(name, _spellings_sql(name))
    return table.reread(replace(table.source.options, same_spelling=names), notes=notes)


def other_spellings(table: TableBase, name: str) -> dict[str, dict[str, int]]:
    r"""Return by the spelling that a column would be read with the other ones and their rows, none of a file in place.

    Examples
    --------
    >>> from fairaudit import read_table
    >>> other_spellings(read_table(b"area\nWest\nEast\nWEST\nwest\nWest\n"), "area")
    {'West': {'WEST': 1, 'west': 1}}
    """
    answers = _writable_answers(table)
    found: dict[str, dict[str, int]] = {}
    if answers is not None:
        query = f"SELECT read_as, spelling, n FROM ({_spellings_sql(name)}) ORDER BY n DESC, spelling"
        for read_as, spelling, n in answers.frame(
            query, ("read_as", "spelling", "n"), ("text", "text", "number")
        ).values:
            found.setdefault(read_as, {})[spelling] = int(n)
    return found


def alike(text: str) -> str:
    """Return SQL for what is alike in texts that are read as one value: neither letter case nor how many blanks."""
    return f"lower(trim(regexp_replace({text}, '{_BLANKS}', ' ', 'g')))"


def alike_text(text: str) -> str:
    r"""Return what :func:`alike` gives.

    Examples
    --------
    >>> alike_text(" New \t york"), alike_text("NewYork")
    ('new york', 'newyork')
    """
    return re.sub(_BLANKS, " ", text, flags=re.ASCII).strip(" ").lower()


def _writable_answers(table: TableBase) -> Answers | None:
    """Return the answers whose rows can be changed; None where rows stay in a file or an engine."""
    answers = table._answers
    return answers if isinstance(answers, Answers) and not table.source.in_place else None


def _spellings_sql(name: str) -> str:
    # The name is gone in the innermost query, so that none of these can be a column of the table.
    texts = f"SELECT {quoted(name)} AS spelling FROM {RELATION} WHERE {quoted(name)} IS NOT NULL"
    first = f"first_value(spelling) OVER (PARTITION BY {alike('spelling')} ORDER BY count(*) DESC, spelling)"
    counted = f"SELECT spelling, count(*) AS n, {first} AS read_as FROM ({texts}) GROUP BY spelling"
    return f"SELECT spelling, n, read_as FROM ({counted}) WHERE spelling <> read_as"


def _note(column: str, spellings: dict[str, dict[str, int]]) -> list[str]:
    parts = []
    for read_as, others in list(spellings.items())[:_MOST_NAMED]:
        n = sum(others.values())
        texts = [quote(other, limit=40) for other in list(others)[:_MOST_NAMED]]
        if len(others) > _MOST_NAMED:
            texts.append(say(Message("read-spelling-ways", {"n": Count(len(others) - _MOST_NAMED)})))
        values: Argument = Phrase(texts[0])
        for text in texts[1:]:
            values = Message("read-either", {"first": values, "second": Phrase(text)})
        rows, named = Message("rows-n", {"n": Count(n)}), Phrase(quote(read_as, limit=40))
        parts.append(Message("read-spelling", {"rows": rows, "n": Count(n), "values": values, "named": named}))
    if more := len(spellings) - len(parts):
        parts.append(Message("read-spelling-more", {"n": Count(more)}))
    args = {"column": Phrase(quote(column, limit=40)), "parts": Phrase("; ".join(map(say, parts)))}
    return [say(Message("read-spellings", args))] if parts else []
