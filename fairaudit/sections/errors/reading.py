"""Who is wrongly flagged and who is wrongly missed: the verdict on either error, and which groups are named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.findings import Argument, Group, Message, Phrase
from fairaudit.measure.errors_by_group import RatesReading, compare_rates, compared_rows
from fairaudit.measure.level_errors import LevelErrors, read_level_rates
from fairaudit.measure.results import ErrorComparison, Interval
from fairaudit.measure.verdicts import GAPS, ShownVerdict, Verdict

Kind = Literal["flagged", "missed", "too_low", "too_high", "wrong"]
State = Literal["compared", "no_prediction", "repeats", "one_group", "not_shown"]
_LEVEL_KINDS: Final[tuple[Kind, ...]] = ("too_low", "too_high", "wrong")
_QUESTIONS = 2
"""Both errors are asked about, so a gap in either is claimed at half of the error that is allowed."""


@dataclass(frozen=True)
class GroupRate:
    """How often an error is made in one group.

    Parameters
    ----------
    group : str
        The group.
    share : float or None
        Of those who can bear the error; None where that is hidden or nobody can.
    n : int or None
        How many these are.
    low, high : float or None
        The ends of Wilson's interval.
    is_few : bool
        Whether too few people can bear the error for the group to be compared.
    is_compared : bool
        Whether it is compared: groups of people who are not known are not, where others are left.
    verdict : Verdict or None
        Against the group that is worse off, allowing for all groups, or of two groups without a gap; None for the group
        that is worse off, where it is open which is, and where the group is not compared.
    """

    group: str
    share: float | None
    n: int | None
    low: float | None
    high: float | None
    is_few: bool
    is_compared: bool
    verdict: Verdict | None


@dataclass(frozen=True)
class ErrorReading:
    """Who bears an error.

    Parameters
    ----------
    kind : {"flagged", "missed", "too_low", "too_high", "wrong"}
        Which error, of the outcome that is warned of, or of a level.
    verdict : Verdict
        Allowing for all groups, and for both errors.
    groups : tuple of GroupRate
        In the order of the finding.
    worst, other : str or None
        Two groups between which the gap is clearest, the one worse off first; None where it is open which. Where only
        two are compared they are named whatever the verdict.
    is_most, is_least : bool
        Whether there is a gap between `worst` and each other group that is compared, which has a lower rate; or between
        `other` and each, which has a higher one.
    gap, interval : float and Interval, or None
        Between `worst` and `other`, the first minus the second, with the range of that pair by itself.
    apart : tuple of tuple of str
        All pairs of groups that the verdict rests on, the one worse off first.
    """

    kind: Kind
    verdict: Verdict
    groups: tuple[GroupRate, ...]
    worst: str | None = None
    other: str | None = None
    is_most: bool = False
    is_least: bool = False
    gap: float | None = None
    interval: Interval | None = None
    apart: tuple[tuple[str, str], ...] = ()

    @property
    def compared(self) -> tuple[GroupRate, ...]:
        """The groups that are compared."""
        return tuple(rate for rate in self.groups if rate.is_compared)

    @property
    def worse_off(self) -> str | None:
        """The group that is worse off, where there is a gap."""
        return self.worst if self.verdict in GAPS else None

    def is_worst_known(self, *, has_hidden: bool) -> bool:
        """Say whether no other group that is compared has a higher rate, and none is hidden that might have one."""
        rates = [rate.share for rate in self.compared if rate.share is not None]
        return self.worse_off is not None and not has_hidden and self.rate_of(self.worse_off).share == max(rates)

    def rate_of(self, group: str) -> GroupRate:
        """Return the rate of a group."""
        return next(rate for rate in self.groups if rate.group == group)


@dataclass(frozen=True)
class ErrorsReading:
    """What a question about errors found, without a sentence.

    Parameters
    ----------
    state : {"compared", "no_prediction", "repeats", "one_group", "not_shown"}
        Whether there is anything to compare.
    errors : tuple of ErrorReading
        Wrongly flagged and wrongly missed; of levels, placed too low, too high, and wrong, or wrong alone; empty
        without anything to compare.
    has_hidden : bool
        Whether some groups are hidden.
    together : Verdict or None
        The verdict on all errors of a predicted level; None where both of yes and no have their own.
    """

    state: State
    errors: tuple[ErrorReading, ...] = ()
    has_hidden: bool = False
    together: Verdict | None = None

    @property
    def verdicts(self) -> tuple[ShownVerdict, ...]:
        """The verdict on wrongly flagged, and on wrongly missed; of levels, that on all errors together."""
        if self.together is not None:
            return (self.together,)
        if not self.errors:
            nothing: ShownVerdict = "not_shown" if self.state == "not_shown" else "nothing_to_compare"
            return nothing, nothing
        return tuple(error.verdict for error in self.errors)

    @property
    def drawn(self) -> tuple[ErrorReading, ...]:
        """Those that are drawn, two at most."""
        return self.errors[:2]


def read_errors(finding: ErrorsFinding) -> ErrorsReading:
    """Read a finding, whole or as it leaves."""
    if (levels := levels_of(finding)) is not None:
        return _read_levels(levels)
    errors = finding.errors
    if errors is None:
        return ErrorsReading("no_prediction")
    if errors.repeats_decision:
        return ErrorsReading("repeats")
    has_hidden = bool(errors.counts["tp"].isna().any())
    if len(errors.groups) < 2:
        return ErrorsReading("one_group", has_hidden=has_hidden)
    read = tuple(_read(finding, errors, kind, has_hidden) for kind in ("flagged", "missed"))
    if has_hidden and not any(error.compared for error in read):
        return ErrorsReading("not_shown", has_hidden=True)
    return ErrorsReading("compared", read, has_hidden)


def levels_of(finding: ErrorsFinding) -> LevelErrors | None:
    """Return the answer about levels; None where the prediction has none, or where it is hidden."""
    levels = finding.levels
    return None if levels is None or levels.verdict is None else levels


def _read_levels(levels: LevelErrors) -> ErrorsReading:
    if len(levels.groups) < 2:
        return ErrorsReading("one_group", together="nothing_to_compare")
    if levels.is_right_for_all:
        return ErrorsReading("repeats", together="nothing_to_compare")
    found = read_level_rates(levels.intervals, levels.kinds, levels.tolerance, levels.confidence)
    errors = []
    for kind in sorted(levels.kinds, key=_LEVEL_KINDS.index):
        rows = levels.intervals[levels.intervals["metric"] == kind]
        errors.append(_of_rows(kind, rows, compared_rows(rows), found[kind], has_hidden=False))
    return ErrorsReading("compared", tuple(errors), together=levels.verdict)


def metric_of(errors: ErrorComparison, kind: Kind) -> str:
    """Return the rate that an error is: false positives and negatives, seen from what the audit calls positive."""
    return "fpr" if (errors.positive == "unfavorable") == (kind == "flagged") else "fnr"


def group_name(finding: ErrorsFinding, group: str) -> Argument:
    """Return what a group is called in sentences: as the audit says, or by its columns and values."""
    if name := dict(finding.names.groups).get(group):
        return Group(name)
    columns = finding.plan.by
    key = "name-people-with" if len(columns) == 1 else "name-people-with-all"
    return Message(key, {"columns": Phrase(" and ".join(columns)), "values": Phrase(group)})


def first_group(finding: ErrorsFinding, reading: ErrorsReading) -> str | None:
    """Return the group that is drawn first and marked: one that the audit asks about, or the one worst off."""
    if not reading.errors:
        return None
    named = [error.worse_off for error in reading.errors if error.worse_off is not None]
    asked = [group for group in named if group in finding.names.protected]
    return next(iter([*asked, *finding.names.protected, *named]), None)


def _read(finding: ErrorsFinding, errors: ErrorComparison, kind: Kind, has_hidden: bool) -> ErrorReading:
    metric = metric_of(errors, kind)
    rows = errors.intervals[errors.intervals["metric"] == metric]
    compared = compared_rows(rows)
    if len(compared) < 2:
        return _of_rows(kind, rows, compared, None, has_hidden=has_hidden)
    n = [int(row.n) for row in compared]
    wrong = [round(row.value * row.n) for row in compared]
    sampled = None
    if errors.sampled is not None:
        sampled = errors.sampled[metric].taken([errors.groups.index(str(row.group)) for row in compared])
    limits = {"tolerance": finding.plan.tolerance, "confidence": errors.confidence}
    read = compare_rates(wrong, n, **limits, questions=_QUESTIONS, sampled=sampled)
    return _of_rows(kind, rows, compared, read, has_hidden=has_hidden)


def _of_rows(
    kind: Kind, rows: pd.DataFrame, compared: list[Any], read: RatesReading | None, *, has_hidden: bool
) -> ErrorReading:
    """Say who bears an error, by the shares of all groups and what was read of those that are compared."""
    if read is None:
        return ErrorReading(kind, "too_few_to_tell", tuple(_rate(row, None, compared) for row in rows.itertuples()))
    names = [str(row.group) for row in compared]
    values = [float(row.value) for row in compared]
    pair = _named_pair(read, values)
    verdicts = {} if pair is None else _against(read, pair[0], len(names))
    by_name = {names[place]: verdict for place, verdict in verdicts.items()}
    if pair is not None and read.verdict not in GAPS:
        # Of two groups without a gap none is worse off.
        by_name[names[pair[0]]] = read.verdict
    rates = tuple(_rate(row, by_name.get(str(row.group)), compared) for row in rows.itertuples())
    if pair is None:
        return ErrorReading(kind, read.verdict, rates)
    worst, other = pair
    named = next(each for each in (*read.differ, read.widest) if (each.high, each.low) == pair)
    least = _against(read, other, len(names))
    return ErrorReading(
        kind,
        read.verdict,
        rates,
        worst=names[worst],
        other=names[other],
        is_most=not has_hidden and _is_apart(verdicts, values[worst], values, above=True),
        is_least=not has_hidden and _is_apart(least, values[other], values, above=False),
        gap=named.difference,
        interval=named.interval,
        apart=tuple((names[each.high], names[each.low]) for each in read.apart) or ((names[worst], names[other]),),
    )


def _named_pair(read: RatesReading, values: list[float]) -> tuple[int, int] | None:
    """Return the places of two groups that are named: that with the highest rate, where its gap is as clear as any."""
    if len(values) == 2:
        return (read.widest.high, read.widest.low)
    if not read.apart:
        return None
    top = max(range(len(values)), key=values.__getitem__)
    pair = next((each for each in read.apart if each.high == top), read.apart[0])
    return pair.high, pair.low


def _against(read: RatesReading, worst: int, n_groups: int) -> dict[int, Verdict]:
    """Return what may be read of each group against the one that is named as worst off."""
    clear = {frozenset((pair.high, pair.low)) for pair in read.apart if read.verdict == "clear_gap"}
    differ = {frozenset((pair.high, pair.low)) for pair in read.differ}
    found: dict[int, Verdict] = {}
    for place in range(n_groups):
        both = frozenset((worst, place))
        if place == worst:
            continue
        if both in clear:
            found[place] = "clear_gap"
        elif both in read.alike:
            found[place] = "no_gap_above_tolerance"
        else:
            found[place] = "gap_size_unclear" if both in differ else "too_few_to_tell"
    return found


def _is_apart(verdicts: dict[int, Verdict], value: float, values: list[float], *, above: bool) -> bool:
    """Say whether there is a gap to each other group, all on the same side."""
    sides = {values[place] < value for place, verdict in verdicts.items() if verdict in GAPS}
    return all(verdict in GAPS for verdict in verdicts.values()) and sides == {above}


def _rate(row: Any, verdict: Verdict | None, compared: list[Any]) -> GroupRate:
    known = not (pd.isna(row.value) or pd.isna(row.n))
    return GroupRate(
        group=str(row.group),
        share=float(row.value) if known else None,
        n=None if pd.isna(row.n) else int(row.n),
        low=float(row.low) if known else None,
        high=float(row.high) if known else None,
        is_few=not pd.isna(row.n) and row.n < ENOUGH,
        is_compared=any(str(row.group) == str(one.group) for one in compared),
        verdict=verdict,
    )
