"""What comparing periods returns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import AS_ABOVE, column, columns, figure, never, setting
from fairaudit.errors import quote
from fairaudit.findings import Argument, Count, Message, Phrase, Share
from fairaudit.findings.result import Result
from fairaudit.measure.explain.results import Estimate
from fairaudit.measure.grouping import value_text
from fairaudit.measure.intervals import equality_p_value
from fairaudit.measure.not_known import ENDED_CASES, NotKnown
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.results import ControlledFairness, ControlledMeans, Interval
from fairaudit.messages import say

# Whether two tables were recorded alike: columns, values, codings, what is missing, and who is in them.

FEW_VALUES = 30
"""Most values in either table that are compared one by one."""

SHARE_MOVED = 0.05
"""Shares that move by less are not mentioned, however clear."""

SURE = 0.001
"""Nor such as chance alone moves as far more often than this."""

MOST_NAMED = 5

Change = Literal["column_gone", "column_new", "kind", "values_new", "values_gone", "spelling", "missing", "shares"]


@dataclass(frozen=True)
class ProfileDifference:
    """One way in which a later table is recorded otherwise than an earlier one."""

    column: str = setting("The column.", label="column")
    change: Change = setting(
        "What changed: the column is gone or new; it holds another kind of values; values are new or gone, or "
        "spelled otherwise; more or fewer values are missing; values are more or less common.",
        label="what changed",
        brief="The kind of change.",
    )
    matters: bool = setting(
        "Whether decision, group or filter depend on the column.",
        label="the question depends on it",
        brief="Whether the question uses it.",
    )
    sentence: str = figure("The same in words.", label="in words", brief="What changed.")


def compare_profiles(
    before: Table,
    after: Table,
    used: Collection[str],
    *,
    decision: str | None = None,
    where: tuple[Condition | None, Condition | None] = (None, None),
    ignored: Collection[str] = (),
) -> tuple[ProfileDifference, ...]:
    """Compare how two tables, or two parts of one, were recorded; those that the question depends on come first.

    `used` are the columns that decision, group and filter depend on. How common each value of the `decision` is, is the
    answer itself and not compared.
    """
    found: list[ProfileDifference] = []
    names = [*before.columns, *(name for name in after.columns if name not in before.columns)]
    for name in names:
        if name in ignored:
            continue
        matters = name in used
        if name not in after.columns:
            found.append(ProfileDifference(name, "column_gone", matters, _said("gone", name)))
        elif name not in before.columns:
            found.append(ProfileDifference(name, "column_new", matters, _said("new", name)))
        elif before.column(name).kind != after.column(name).kind:
            kinds = {"before": Phrase(before.column(name).kind), "after": Phrase(after.column(name).kind)}
            found.append(ProfileDifference(name, "kind", matters, _said("kind", name, kinds)))
        else:
            sides = [_counted(t, name, w) for t, w in zip((before, after), where, strict=True)]
            found += _values(name, sides, matters, shares=name != decision)
    return tuple(sorted(found, key=lambda difference: not difference.matters))


def recorded_otherwise(profile: Iterable[ProfileDifference]) -> bool:
    """Say whether a column that the question depends on is recorded otherwise; other people are no other recording."""
    return any(difference.matters and difference.change != "shares" for difference in profile)


def _counted(table: Table, column: str, where: Condition | None) -> tuple[pd.Series, int]:
    counts = table.counts({"value": column}, where=where)
    known = counts["value"].notna()
    values = counts[known].set_index("value")["n"].astype("int64")
    return values, int(counts.loc[~known, "n"].sum())


def _values(name: str, sides: list[tuple[pd.Series, int]], matters: bool, *, shares: bool) -> list[ProfileDifference]:
    (old, old_missing), (new, new_missing) = sides
    sizes = [int(values.sum()) + missing for values, missing in sides]
    if not all(sizes):
        return []
    found = []
    absent = [missing / size for (_, missing), size in zip(sides, sizes, strict=True)]
    if _moved(old_missing, sizes[0], new_missing, sizes[1]):
        found.append(ProfileDifference(name, "missing", matters, _said("missing", name, _shares(*absent))))
    if max(len(old), len(new)) > FEW_VALUES or not len(old) or not len(new):
        return found
    gone, come = [v for v in old.index if v not in new.index], [v for v in new.index if v not in old.index]
    spelled = {_plain(v) for v in gone} & {_plain(v) for v in come}
    if spelled:
        sentence = _said("spelling", name, {"values": _named([v for v in gone if _plain(v) in spelled])})
        found.append(ProfileDifference(name, "spelling", matters, sentence))
    moves: list[tuple[Change, str, list[object]]] = [
        # A value that nobody has any more is a share of 0.
        ("values_gone", "values-gone", gone if shares or come else []),
        ("values_new", "values-new", come),
    ]
    for change, key, values in moves:
        # A rare value that happens not to occur is no other recording.
        counts = {v: (int(old.get(v, 0)), int(old.sum()), int(new.get(v, 0)), int(new.sum())) for v in values}
        others = [v for v in values if _plain(v) not in spelled and equality_p_value(*counts[v]) < SURE]
        if others:
            found.append(ProfileDifference(name, change, matters, _said(key, name, {"values": _named(others)})))
    moved = [
        (abs(new[v] / new.sum() - old[v] / old.sum()), v)
        for v in old.index
        if shares and v in new.index and _moved(int(old[v]), int(old.sum()), int(new[v]), int(new.sum()))
    ]
    if moved:
        _, value = max(moved, key=lambda each: each[0])
        parts = {"value": Phrase(quote(value_text(value)))} | _shares(old[value] / old.sum(), new[value] / new.sum())
        sentence = _said("shares", name, parts)
        found.append(ProfileDifference(name, "shares", matters, sentence))
    return found


def _moved(old: int, n_old: int, new: int, n_new: int) -> bool:
    if abs(new / n_new - old / n_old) < SHARE_MOVED:
        return False
    return bool(equality_p_value(old, n_old, new, n_new) < SURE)


def _plain(value: object) -> str:
    return "".join(value_text(value).casefold().split())


def _said(key: str, column: str, more: Mapping[str, Argument] | None = None) -> str:
    return say(Message(f"profile-{key}", {"column": Phrase(quote(column)), **(more or {})}))


def _shares(before: float, after: float) -> dict[str, Argument]:
    return {"before": Share(before, 1), "after": Share(after, 1)}


def _named(values: list[object]) -> Argument:
    named = Phrase(", ".join(quote(value_text(value)) for value in values[:MOST_NAMED]))
    more = Count(len(values) - MOST_NAMED)
    return Message("names-more", {"names": named, "n": more}) if len(values) > MOST_NAMED else named


ChangeVerdict = Literal[
    "gap_smaller",
    "gap_larger",
    "gap_turned_around",
    "gap_changed",
    "gap_unchanged",
    "gap_may_not_have_changed",
    "nothing_to_compare",
]
CHANGED: Final = ("gap_smaller", "gap_larger", "gap_turned_around", "gap_changed")
"""Verdicts that say that the gap is clearly another one."""


@dataclass(frozen=True)
class PeriodComparison(Plain, Result):
    """The answer of :func:`fairaudit.compare_periods`.

    ``change == after.difference - before.difference == mix + rates``. A change above 0 means that the protected group
    has come to stand better in comparison.
    """

    names: tuple[str, str] = setting("What the two periods are called.")
    before: ControlledFairness | ControlledMeans = figure("The answer in both periods.")
    after: ControlledFairness | ControlledMeans = figure(AS_ABOVE)
    change: float = figure("The gap after minus the gap before.", label="change")
    change_interval: Interval = figure("By putting the intervals of both gaps together, at `confidence` (1 - a).")
    equivalence_interval: Interval = figure("The same at 1 - 2a.")
    p_value: float = figure("Two-sided, of no change.")
    strata: tuple[str, ...] = setting("The columns whose values make the mix.")
    mix: float = figure(
        "What comes from both groups' being otherwise spread over the strata than before; 0 without strata.",
        label="mix",
    )
    mix_interval: Interval = figure("Its interval.")
    rates: float = figure(
        "What comes from other shares of good outcomes, or other mean amounts, inside the strata.", label="rates"
    )
    rates_interval: Interval = figure("Its interval.")
    tolerance: float = figure("The largest change that still counts as none.")
    confidence: float = setting("Of the intervals.")
    cluster: str | None = setting("The column whose values hold rows that depend on each other.")
    verdict: Hideable[ChangeVerdict] = figure(
        'Whether the gap is clearly smaller ("gap_smaller"), larger ("gap_larger"), on the other side '
        '("gap_turned_around") or another one of open size ("gap_changed"): the interval leaves out no change; '
        'else "gap_unchanged" where that at 1 - 2a is within the tolerance, and "gap_may_not_have_changed"; '
        '"nothing_to_compare" where only one decision was made.'
    )
    profile: tuple[ProfileDifference, ...] = figure("In what the later table is recorded otherwise.")
    warnings: tuple[str, ...] = figure("What makes the answer doubtful.")
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())
    cut_by: str | None = never(
        "The column that the periods are cut by; None of two tables.", in_json=False, default=None, compare=False
    )
    cuts: tuple[Any, ...] = never("Where it is cut.", in_json=False, default=(), compare=False)

    @property
    def parts(self) -> tuple[Estimate, Estimate]:
        """Mix and rates, each with its interval."""
        return Estimate(self.mix, self.mix_interval), Estimate(self.rates, self.rates_interval)


@dataclass(frozen=True, eq=False)
class PeriodLine(Plain, Result):
    """The same question in more than two periods."""

    names: tuple[str, ...] = setting("What the periods are called, in order.")
    answers: tuple[ControlledFairness | ControlledMeans, ...] = figure("The answer in each.")
    statistic: float = figure("Of one test over all that the gap is the same in all periods.")
    p_value: float = figure("Of that test.")
    confidence: float = setting("Of the intervals; the test is made at 1 minus it.")
    changed: Hideable[bool] = figure("Whether the test finds that the gap is not the same in all periods.")
    periods: pd.DataFrame = figure(
        "One row a period: its gap, and that beside the gap of all.",
        columns(
            period=column(str, "The period."),
            gap=column(float, "The gap, protected minus everyone else."),
            gap_low=column(float, "Low end of its interval."),
            gap_high=column(float, "High end of its interval."),
            adjusted_p_value=column(float, "Of no difference, by Holm's method."),
        ),
    )
    profile: tuple[ProfileDifference, ...] = figure("In what the last table is recorded otherwise than the first.")
    warnings: tuple[str, ...] = figure("What makes the answer doubtful.")
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())
    cut_by: str | None = never(
        "The column that the periods are cut by; None of two tables.", in_json=False, default=None, compare=False
    )
    cuts: tuple[Any, ...] = never("Where it is cut.", in_json=False, default=(), compare=False)
