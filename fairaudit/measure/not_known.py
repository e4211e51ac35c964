"""People whose group, decision or other value is not known, but who have a value that says so and are counted by it.

A missing value is in neither group. A text such as "Decline to state" is a value like others: it does not meet
``race = 'Black'``, so who has it stands in the rest, and it meets ``race <> 'White'``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal

import pandas as pd

from fairaudit.columns import number_text
from fairaudit.conditions import Condition, tree
from fairaudit.data.code_columns import last_codes
from fairaudit.data.roles import Outcome
from fairaudit.data.table import COMMON_VALUES, Table
from fairaudit.data.totals import sums_of_others
from fairaudit.data.unknown_values import (
    ended_undecided,
    ends_course,
    is_no_decision,
    is_no_group,
    is_no_value,
    is_total,
    may_be_group,
    may_be_not_known,
    number_codes,
    number_of,
    says_undecided,
)
from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.errors import ConditionError, OpenValues, OpenValuesError

Counted = Literal["group", "good", "not_good", "amount", "value"]
Meaning = Literal["not known", "perhaps", "total", "ended", "kept"]
Value = str | int
Side = Literal["protected", "reference"]

Says = Literal["group", "decision", "value"]
"""What the values of a column say."""
Asked = Literal["total", "group", "decision", "undecided", "outcome", "amount", "value"]
Proposed = Literal["not_known", "left_out", "real_values"]

_ASKED: dict[Counted, Asked] = {"group": "group", "amount": "amount", "value": "value"}
ENDED_CASES: Final = "Cases that nobody decided, by their value, which count as decisions, as a person said."
"""What a finding keeps: what any other value means was asked before."""

# Texts of at most this length, and no numbers, are codes, among which NA may be one, too.
_LONGEST_CODE = 3
# What fits into one condition.
_MOST_VALUES = 100
_LONGEST_VALUE = 100


@dataclass(frozen=True)
class NotKnown:
    """Values of a column that say that something is not known, and where rows with them are counted."""

    column: str = setting("The column.")
    values: tuple[Value, ...] = setting("As they are in the table, in ascending order.")
    counted: Counted = setting(
        "What the column says: the group, a decision that is counted as the good outcome or not, an amount, "
        "or something else."
    )
    n: int | None = figure(
        "Rows with one of the values that are counted; None in an exported copy that hides small counts."
    )
    n_protected: int | None = figure(
        "Those in the protected group and in the rest; None where this is hidden, or where nobody is protected yet."
    )
    n_reference: int | None = figure(AS_ABOVE)
    groups: tuple[Side, ...] = figure("Which of both hold such rows; empty where this is not stated.")
    leave_out: str = figure("The condition that leaves out these rows and no others that are counted, for the filter.")
    beside_codes: bool = setting(
        "Whether most other values of the column are short codes, and no numbers.", default=False, in_json=False
    )
    ends_course: bool = setting(
        "Whether the values are how somebody ended a course, as the others are its results.",
        default=False,
        in_json=False,
    )
    adds_up: bool = setting("Whether the rows with the values are totals of others.", default=False, in_json=False)
    is_said: bool = setting("Whether a person said that these are values like others.", default=False, in_json=False)


def groups_not_known(
    table: Table,
    protected: Condition,
    *,
    sizes: tuple[int, int],
    where: Condition | None = None,
    decision: Condition | None = None,
) -> tuple[NotKnown, ...]:
    """Find rows that a condition puts into a group although their value says that the group is not known.

    Notes
    -----
    Values come from :meth:`~fairaudit.data.table.Table.common_values`: the 100 most frequent that say that the group is
    not known, of at most 100 signs. Only where there are some, one more GROUP BY counts the rows that have them.
    Numbers such as 999 are looked for by one more question a column of numbers, or two in an engine.
    """
    found = []
    for column in protected.columns:
        odd = odd_values(table, column, "group")
        if not odd:
            continue
        by = {"protected": protected} | ({} if decision is None else {"decided": decision})
        counts = _counts(table, column, by, where, list(odd))
        counts = counts[counts["protected"].notna()]
        elsewhere = set(counts.loc[_is(counts["protected"], False), "value"])
        named = named_values(protected, column, odd)
        counts = counts[~counts["value"].isin(named - elsewhere)]
        for these in _by_meaning(odd):
            part = _not_known(table, column, "group", counts[counts["value"].isin(these)])
            if part is None:
                continue
            whole = any(n == size > 0 for n, size in zip((part.n_protected, part.n_reference), sizes, strict=True))
            if not (whole and named.issuperset(part.values)):
                found.append(part)
    return tuple(found)


def columns_not_known(
    table: Table,
    columns: Iterable[str],
    *,
    where: Condition | None = None,
    decision: Condition | None = None,
    settled: Container[object] = (),
    says: Literal["group", "value"] = "group",
) -> tuple[NotKnown, ...]:
    """Find rows that make a group of a column, or are used by it, although their value says that there is none.

    Nothing is said of `settled` values.

    Notes
    -----
    As for :func:`groups_not_known`.
    """
    found = []
    for column in columns:
        odd = odd_values(table, column, says)
        if odd := {value: meaning for value, meaning in odd.items() if value not in settled}:
            counts = _counts(table, column, {} if decision is None else {"decided": decision}, where, list(odd))
            parts = (counts[counts["value"].isin(these)] for these in _by_meaning(odd))
            found += [_not_known(table, column, says, part) for part in parts]
    return tuple(part for part in found if part is not None)


def totals_not_known(
    table: Table,
    *,
    apart: Container[str] = (),
    where: Condition | None = None,
    decision: Condition | None = None,
) -> tuple[NotKnown, ...]:
    """Find rows that add others up, in each column of texts but some: who is in them is counted twice.

    Nothing is said of values that the filter names, nor of a table that is connected, where each column is a question
    to an engine. Empty cells of a column, which are the value "", may add others up, too.
    """
    if table.is_connected:
        return ()
    found = []
    for column, values in sums_of_others(table).items():
        if None in values and "" not in _real_values(table, column):
            counts = _counts(table, column, {} if decision is None else {"decided": decision}, where, [None])
            found.append(_not_known(table, column, "group", counts))
    for column, described in table.columns.items():
        if described.kind != "text" or column in apart:
            continue
        odd = odd_values(table, column, "group")
        totals = [value for value, meaning in odd.items() if meaning == "total"]
        if where is not None:
            named = named_values(where, column, totals)
            totals = [value for value in totals if value not in named]
        if totals:
            counts = _counts(table, column, {} if decision is None else {"decided": decision}, where, totals)
            found.append(_not_known(table, column, "group", counts))
    return tuple(part for part in found if part is not None)


def left_out_as_unknown(
    table: Table, column: str, values: Iterable[object], *, where: Condition | None = None
) -> tuple[NotKnown, ...]:
    """Return who is left out because of a value that may be a group as well, such as NA."""
    real = _real_values(table, column)
    doubtful = [value for value in values if isinstance(value, str) and may_be_group(value) and value not in real]
    counts = _counts(table, column, {}, where, doubtful) if doubtful else None
    part = None if counts is None else _not_known(table, column, "group", counts)
    return () if part is None else (part,)


def decisions_not_known(
    table: Table, outcome: Outcome, *, where: Condition | None = None, protected: Condition | None = None
) -> tuple[NotKnown, ...]:
    """Find rows that count as decided although their value says that the decision is not known, or not made.

    Values such as "withdrawn", which may also be a decision, make parts of their own. They are found only where good
    and other outcomes are left without them, and also where a person said that they are decisions.

    Notes
    -----
    As for :func:`groups_not_known`.
    """
    column = outcome.column
    odd = odd_values(table, column, "decision")
    if not odd:
        return ()
    others = {value for value in table.common_values(column) if isinstance(value, str)} - set(odd)
    if len(others) < 2 or others <= named_values(outcome.condition, column, others):
        odd = {value: meaning for value, meaning in odd.items() if meaning not in ("ended", "kept")}
    # The only value that is not good, such as -1 beside 1, is a decision and no code.
    values: Sequence[object] = table.common_values(column)
    left = [value for value in values if value is not None and value not in odd]
    if {*left} <= named_values(outcome.condition, column, left):
        odd = {value: meaning for value, meaning in odd.items() if meaning != "perhaps"}
    named = named_values(outcome.condition, column, odd)
    odd = {value: meaning for value, meaning in odd.items() if value not in named}
    if not odd:
        return ()
    by = {"decided": outcome.condition} | ({} if protected is None else {"protected": protected})
    counts = _counts(table, column, by, where, list(odd))
    if protected is not None:
        counts = counts[counts["protected"].notna()]
    sides: tuple[tuple[Counted, bool], ...] = (("good", True), ("not_good", False))
    parts = (
        _not_known(table, column, counted, counts[_is(counts["decided"], answer) & counts["value"].isin(these)])
        for these in _by_meaning(odd)
        for counted, answer in sides
    )
    return tuple(part for part in parts if part is not None)


def amounts_not_known(table: Table, column: str, *, where: Condition | None = None) -> tuple[NotKnown, ...]:
    """Find rows whose amount is a number that often stands for "not known", such as 99999 far above all others."""
    odd = odd_values(table, column, "decision")
    part = _not_known(table, column, "amount", _counts(table, column, {}, where, list(odd))) if odd else None
    return () if part is None else (part,)


def find_not_known(
    table: Table,
    outcome: Outcome | str,
    *,
    where: Condition | None = None,
    protected: Condition | None = None,
    sizes: tuple[int, int] = (0, 0),
    columns: Iterable[str] = (),
    used: Iterable[str] = (),
    prediction: Condition | None = None,
) -> tuple[NotKnown, ...]:
    """Find what is not known in an answer: of its groups, its decision (a column where it is an amount), a prediction.

    Groups are made by a condition, whose two groups have `sizes` rows, or by columns. Columns that are `used` otherwise
    are looked at, too. In all others the rows that add others up are found. Nothing is found in a table of rows that
    were asked about before.
    """
    if isinstance(outcome, str):
        decision = Condition.equals(outcome, 0, table.columns)
        decided = amounts_not_known(table, outcome, where=where)
    else:
        decision = outcome.condition
        decided = decisions_not_known(table, outcome, where=where, protected=protected)
    named = () if protected is None else protected.columns
    others = dict.fromkeys(name for name in columns if name not in named)
    apart = {*decision.columns, *named, *others}
    by_columns = columns_not_known(table, others, where=where, decision=decision)
    beside = [name for name in dict.fromkeys(used) if name not in apart]
    by_columns += columns_not_known(table, beside, where=where, decision=decision, says="value")
    apart.update(beside)
    if protected is not None:
        decided = groups_not_known(table, protected, sizes=sizes, where=where, decision=decision) + decided
    if prediction is not None and len(prediction.columns) == 1:
        [column] = prediction.columns
        apart.add(column)
        decided += decisions_not_known(table, Outcome(column, prediction, "", ""), where=where)
    return decided + by_columns + totals_not_known(table, apart=apart, where=where, decision=decision)


def refuse_open(parts: Iterable[NotKnown]) -> tuple[NotKnown, ...]:
    """Return cases that nobody decided and that a person said count; refuse values of which nobody has said it."""
    parts = tuple(parts)
    if asked := open_values(parts):
        raise OpenValuesError(asked)
    return parts


def refuse_open_values(
    table: Table, columns: Iterable[str], *, where: Condition | None = None, decision: Condition | None = None
) -> None:
    """Refuse columns that are used otherwise than as groups while nobody has said what some of their values mean."""
    refuse_open(columns_not_known(table, dict.fromkeys(columns), where=where, decision=decision, says="value"))


def open_values(parts: Iterable[NotKnown]) -> tuple[OpenValues, ...]:
    """Return the values of which a person has to say what they mean, where nobody has said it."""
    found: dict[tuple[str, Asked], dict[str, Proposed]] = {}
    for part in parts:
        if part.is_said:
            continue
        meaning = meaning_of(part)
        for value in part.values:
            asked: Asked = "total" if meaning == "total" else _ASKED.get(part.counted, "decision")
            if asked == "decision" and says_undecided(str(value)):
                asked = "undecided"
            likely: Proposed = "left_out" if meaning == "total" else "not_known"
            if asked == "undecided" and part.ends_course:
                asked, likely = "outcome", "real_values"
            if asked in ("group", "value") and isinstance(value, str) and may_be_group(value) and part.beside_codes:
                likely = "real_values"
            found.setdefault((part.column, asked), {}).setdefault(str(value), likely)
    return tuple(
        OpenValues(column, tuple(value for value, likely in values.items() if likely == proposed), asked, proposed)
        for (column, asked), values in found.items()
        for proposed in dict.fromkeys(values.values())
    )


def together(answers: Sequence[tuple[Table, Iterable[NotKnown]]]) -> tuple[NotKnown, ...]:
    """Put the cases of several periods that ended undecided together, so that one filter leaves them out of all."""
    found: dict[tuple, list[tuple[Table, NotKnown]]] = {}
    for table, parts in answers:
        for part in parts:
            found.setdefault((part.column, part.counted), []).append((table, part))
    return tuple(map(_joined, found.values()))


def each_once(parts: Iterable[NotKnown]) -> tuple[NotKnown, ...]:
    """Return what was found in several answers, each value of a column once."""
    found: dict[tuple, NotKnown] = {}
    for part in parts:
        found.setdefault((part.column, part.values, part.counted), part)
    return tuple(found.values())


def _joined(found: Sequence[tuple[Table, NotKnown]]) -> NotKnown:
    parts = [part for _, part in found]
    first, values = parts[0], tuple(sorted({value for part in parts for value in part.values}, key=_in_order))
    groups: tuple[Side, ...] = ("protected", "reference")
    return replace(
        first,
        values=values,
        n=_total(part.n for part in parts),
        n_protected=_total(part.n_protected for part in parts),
        n_reference=_total(part.n_reference for part in parts),
        groups=tuple(side for side in groups if any(side in part.groups for part in parts)),
        leave_out=leaving_out(
            first.column, values, found[0][0].columns, missing=any(_may_miss(table, first.column) for table, _ in found)
        ),
    )


def _in_order(value: Value) -> tuple[bool, Value]:
    return isinstance(value, str), value


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _may_miss(table: Table, column: str) -> bool:
    """Say whether a column has missing values, or may have some beyond the common ones."""
    common = table.common_values(column)
    return None in common or len(common) >= COMMON_VALUES


def odd_values(table: Table, column: str, says: Says) -> dict[Value, Meaning]:
    """Return the values of a column that say no group, decision or value, and what they mean; in ascending order."""
    kind = table.column(column).kind
    if table.values_are_said:
        return {}
    real = _real_values(table, column)
    last = last_codes(table, table.column(column)) if says == "group" else []
    if kind == "number":
        codes = {int(code.text) for code in number_codes(table, [column]).get(column, ())}.union(map(int, last))
        return dict.fromkeys(sorted(code for code in codes if str(code) not in real), "perhaps")
    if kind != "text":
        return {}
    values = [value for value in table.common_values(column) if isinstance(value, str)]
    among_words = sum(number_of(value.strip()) is None for value in values) > len(values) / 2
    # Of cases that nobody decided it is said that they count, as it is of no other value that was said to be one.
    kept = {value for value in real if says == "decision" and ended_undecided(value)}
    kept = {value for value in kept if not ends_course(value, values)}
    open_ones = (value for value in values if value in kept or value not in real)
    short = (value for value in open_ones if len(value) <= _LONGEST_VALUE and "\0" not in value)
    sums = sums_of_others(table).get(column, ())
    meant = (
        (
            value,
            "kept"
            if value in kept
            else "total"
            if value in sums
            else _meaning_of(value, column, says, among_words, value in last),
        )
        for value in short
    )
    if len(table.common_values(column)) < 2:
        # Where all rows have one value, it adds nothing up.
        meant = ((value, meaning) for value, meaning in meant if meaning != "total")
    return dict(sorted(islice(((value, meaning) for value, meaning in meant if meaning is not None), _MOST_VALUES)))


def _real_values(table: Table, column: str) -> set[str]:
    """Return the values that a person said are like others, as the column has them: labels, and numbers as written."""
    described = table.column(column)
    said = dict(table.source.options.real_values).get(column, ())
    if described.kind == "number":
        return {number_text(text) or text for text in said}
    return {*said, *(str(described.labelled(text)) for text in said)}


def meaning_of(part: NotKnown) -> Meaning:
    """Return what the values of a part mean, which is one thing."""
    texts = [str(value) for value in part.values]
    if all(map(may_be_not_known, texts)) or not all(isinstance(value, str) for value in part.values):
        return "perhaps"
    if part.adds_up:
        return "total"
    return "ended" if part.counted in ("good", "not_good") and all(map(ended_undecided, texts)) else "not known"


_SAYS_NOTHING: dict[Says, Callable[[str], bool]] = {
    "group": is_no_group,
    "decision": is_no_decision,
    "value": is_no_value,
}


def _meaning_of(text: str, column: str, says: Says, among_words: bool, is_last: bool) -> Meaning | None:
    if _SAYS_NOTHING[says](text):
        return "not known"
    if is_last or may_be_not_known(text, among_words=among_words):
        return "perhaps"
    if says == "decision" and ended_undecided(text):
        return "ended"
    return "total" if is_total(text, column) else None


def _by_meaning(odd: dict[Value, Meaning]) -> list[list[Value]]:
    """Return the values of each meaning that occurs."""
    order: tuple[Meaning, ...] = ("not known", "perhaps", "total", "ended", "kept")
    parts = ([value for value, meaning in odd.items() if meaning == each] for each in order)
    return [part for part in parts if part]


def leaving_out(column: str, values: Iterable[Value], columns: object, *, missing: bool) -> str:
    """Return the condition that leaves out rows with some values; the value "" is an empty cell."""
    if "" in (values := list(values)):
        return str(~Condition.one_of(column, [None], columns))
    leave_out = ~Condition.one_of(column, values, columns)
    if missing:
        # A filter drops rows for which it is unknown, and these are counted as what they are.
        leave_out |= Condition.one_of(column, [None], columns)
    return str(leave_out)


def _counts(
    table: Table, column: str, conditions: dict[str, Condition], where: Condition | None, texts: Sequence[Value | None]
) -> pd.DataFrame:
    """Count rows with one of the texts in a column, by it and conditions, without those that have no decision."""
    these = Condition.one_of(column, texts, table.columns)
    by: dict[str, str | Condition] = {"value": column, **conditions}
    try:
        counts = table.counts(by, where=these if where is None else where & these)
    except ConditionError:
        # Together they are longer or deeper than a condition may be.
        counts = table.counts(by, where=where)
        counts = counts[counts["value"].isin(texts)]
    return counts[counts["decided"].notna()] if "decided" in counts else counts


def _not_known(table: Table, column: str, counted: Counted, counts: pd.DataFrame) -> NotKnown | None:
    if counts.empty:
        return None
    named = counts["value"].astype(object).fillna("")
    values = tuple(sorted({value if isinstance(value, str) else int(value) for value in named}))
    n_protected = n_reference = None
    groups: list[Side] = []
    if "protected" in counts:
        n_protected, n_reference = (
            int(counts.loc[_is(counts["protected"], side), "n"].sum()) for side in (True, False)
        )
        if n_protected:
            groups.append("protected")
        if n_reference:
            groups.append("reference")
    leave_out = leaving_out(column, values, table.columns, missing=_may_miss(table, column))
    n = int(counts["n"].sum())
    others = [value for value in table.common_values(column) if isinstance(value, str) and value not in values]
    codes = sum(len(value) <= _LONGEST_CODE and number_of(value.strip()) is None for value in others)
    sums = sums_of_others(table).get(column, ())
    adds_up = all(is_total(str(value), column) or (value or None) in sums for value in values)
    short = 2 * codes > len(others)
    return NotKnown(
        column, values, counted, n, n_protected, n_reference, tuple(groups), leave_out, short,
        ends_course=all(ends_course(str(value), others) for value in values), adds_up=adds_up,
        is_said=_real_values(table, column).issuperset(map(str, values)),
    )  # fmt: skip


def _is(answers: pd.Series, answer: bool) -> pd.Series:
    return answers.eq(answer).fillna(False).astype(bool)


def named_values(condition: Condition, column: str, texts: Iterable[object]) -> set[object]:
    """Return those of some values that a condition compares a column with, whatever their case where it is changed."""
    named: set[object] = set()
    for node in tree.walk(condition.tree):
        if isinstance(node, tree.Compare | tree.InList) and column in tree.column_names(node):
            parts = [*tree.walk(node), *getattr(node, "items", ())]
            literals = {part.value for part in parts if isinstance(part, tree.Constant)}
            folds = any(isinstance(part, tree.Call) and part.name in ("lower", "upper") for part in parts)
            folded = {text.casefold() for text in literals if isinstance(text, str)} if folds else set()
            named |= {each for each in texts if each in literals or str(each).casefold() in folded}
    return named
