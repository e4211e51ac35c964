"""A gap watched batch by batch: whether it is beyond the tolerance, with one bound on false alarms for all batches."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.given import SaidCounts, SaidLabels, as_table
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.disclosure.fields import figure, never, setting
from fairaudit.errors import GroupError, InputError, quote, require
from fairaudit.files import write_files
from fairaudit.findings.result import Result
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.controlled import AskedQuestion, protected_condition
from fairaudit.measure.not_known import NotKnown, find_not_known, refuse_open
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.results import Interval
from fairaudit.measure.sequential import Evidence

WatchVerdict: TypeAlias = Literal["alarm", "no_alarm", "nothing_to_compare"]
WatchedSide: TypeAlias = Literal["lower", "higher"]
_Batch: TypeAlias = tuple[str, np.ndarray, np.ndarray]

MOST_BATCHES: Final = 10_000
"""Batches of one table; more are rows rather than batches."""

_NUMBER: Final = re.compile(r"-?[0-9]{1,300}(\.[0-9]+)?(e[+-]?[0-9]{1,2})?")
_DIGITS: Final = re.compile(r"([0-9]{1,300})")
FORMAT: Final = "fairaudit watch"
VERSION: Final = 1
DIGITS: Final = 4
"""Decimals of what is kept of each batch: nobody's result can be worked out from one gap so far and the next."""


@dataclass(frozen=True)
class WatchedBatch:
    """What was known after a batch."""

    batch: str = figure("The batch.", label="batch", brief="The batch.")
    gap: float = figure("The gap so far, protected minus others.", label="gap so far", kind="points", turns=True)
    interval: Interval = figure(
        "Its range, which holds after all batches at once.",
        label="range",
        kind="points_interval",
        brief="Holds after all batches at once.",
        turns=True,
    )
    evidence: float = figure(
        "How strongly the batches speak for a gap beyond the tolerance.",
        label="evidence",
        kind="number",
        brief="An alarm where it reaches 1 / (1 - confidence).",
    )


@dataclass(frozen=True)
class WatchAlarm:
    """When a gap beyond the tolerance was seen, and on which side."""

    batch: str = figure("The batch after which it was.")
    side: WatchedSide = figure("Whether the protected group has less or more.")


@dataclass(frozen=True)
class WatchedQuestion:
    """What is watched, which is the same for all batches."""

    decision: str = setting("The decision column.")
    favorable: str = setting("What counts as the favourable result, as a condition.")
    protected: str = setting("Who is protected, as a condition.")
    where: str | None = setting("The filter.")
    tolerance: float = setting("The largest gap that counts as none.")
    confidence: float = setting("`1 - confidence` is the chance of a false alarm, ever.")


@dataclass(frozen=True, eq=False)
class GapWatch(Plain, Result):
    """A gap, watched over batches."""

    question: WatchedQuestion = setting("What is watched.")
    verdict: Hideable[WatchVerdict] = figure("Whether a gap beyond the tolerance was seen, after any batch so far.")
    alarm: WatchAlarm | None = figure("After which batch; None without an alarm.")
    n_batches: Hideable[int] = figure("Batches so far.")
    n_protected: Hideable[int] = figure("Cases of the protected group in them.")
    n_reference: Hideable[int] = figure("Cases of the others.")
    gap: float = figure("The gap so far, protected minus others, each batch weighing by how much it says.")
    interval: Interval | None = figure("Its range, which holds after all batches at once.")
    evidence: float = figure("As after the last batch; an alarm where it reaches `1 / (1 - confidence)`.")
    batches: tuple[WatchedBatch, ...] = figure("What was known after each.")
    not_known: tuple[NotKnown, ...] = figure(
        "Values of groups and decision that say that something is not known.", in_json=False, default=()
    )
    undecided: tuple[str, ...] = figure(
        "Batches of the table none of whose rows has a decision: nothing is kept of them.", default=()
    )
    sums: Evidence | None = never("What the next batch goes on from.", in_json=False, default=None)

    def save(self, path: str | Path) -> None:
        """Write what the next batch goes on from: sums and gaps so far, and no row.

        Parameters
        ----------
        path : str or Path
            A JSON file, written whole or not at all.
        """
        sums = {each.name: np.asarray(getattr(self.sums, each.name)).tolist() for each in fields(Evidence)}
        text = json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "question": vars(self.question),
                "alarm": None if self.alarm is None else vars(self.alarm),
                "batches": [
                    [each.batch, *(None if math.isnan(x) else x for x in (each.gap, *each.interval)), each.evidence]
                    for each in self.batches
                ],
                "sums": sums if self.batches else None,
            },
            indent=1,
            ensure_ascii=False,
            allow_nan=False,
        )
        write_files({Path(path): (text + "\n").encode()})

    @classmethod
    def load(cls, path: str | Path) -> GapWatch:
        """Read what :meth:`save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        GapWatch
            The watch so far.

        Raises
        ------
        InputError
            If the file is no saved watch, or one of another version.
        """
        name = quote(Path(path).name)
        try:
            held = json.loads(Path(path).read_text(encoding="utf-8"))
            is_watch = held["format"] == FORMAT
        except OSError as error:
            raise InputError(f"The file {name} cannot be read: {error.strerror}.") from error
        except (ValueError, TypeError, KeyError):
            is_watch = False
        if not is_watch:
            raise InputError(f"The file {name} is no saved watch.", hint="Name another file to begin a new one.")
        if held.get("version") != VERSION:
            raise InputError(
                f"The watch in {name} has version {held.get('version')!r}, and this program reads {VERSION}.",
                hint="Begin a new one, from the batches so far.",
            )
        try:
            sums = Evidence.none() if held["sums"] is None else _sums(held["sums"])
            batches = tuple(
                WatchedBatch(str(batch), _number(gap), Interval(_number(low), _number(high)), float(evidence))
                for batch, gap, low, high, evidence in held["batches"]
            )
            alarm = None if held["alarm"] is None else WatchAlarm(**held["alarm"])
            question = WatchedQuestion(**held["question"])
            check_settings(question.tolerance, question.confidence)
            if not _hangs_together(sums, batches, alarm, question):
                raise ValueError
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            raise InputError(
                f"The watch in {name} is damaged.", hint="Begin a new one, from the batches so far."
            ) from error
        return _watch(question, sums, batches, alarm)


def watch_gap(
    table: object,
    *,
    decision: str,
    favorable: object,
    protected: Condition | str,
    batches: str | None = None,
    batch: str | None = None,
    before: GapWatch | str | Path | None = None,
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> GapWatch:
    """Watch a gap batch by batch, and give an alarm where it is beyond the tolerance.

    Whoever looks after each batch, and as often as they like, is alarmed with a chance of at most ``1 - confidence``
    where the gap of each batch is within the tolerance: in all batches together, however many. A test of each batch by
    itself, such as :func:`fairaudit.check_controlled_fairness`, gives false alarms again and again.

    Parameters
    ----------
    table : Table, path, or frame of pandas, polars, Arrow or DuckDB
        New batches, one or several.
    decision : str
        The decision column.
    favorable : value, list of values or Condition
        What counts as the favourable result in it. With `batch` or `before`, nobody may have it.
    protected : Condition or str
        Who is protected.
    batches : str, optional
        The column that says which batch a row belongs to: dates, numbers, or texts that sort as batches came. Of times,
        each day is a batch.
    batch : str, optional
        What the batch is called, where all rows are one.
    before : GapWatch, str or Path, optional
        The watch so far, as returned, or the file that its ``save`` wrote. After it a table may have no rows: with
        `batch` that is a batch that says nothing. Of a batch whose rows have no decision, nothing is kept.
    where : Condition or str, optional
        Which rows are looked at.
    tolerance : float
        The largest gap that counts as none, from 0 to 1.
    confidence : float
        ``1 - confidence`` is the chance of a false alarm, 0.5 or above and below 1.
    counts : str or mapping, optional
        The columns that say how many cases each row stands for, as in :meth:`fairaudit.Table.from_pandas`.
    labels : mapping of str to mapping, optional
        By column, what its codes stand for.

    Returns
    -------
    GapWatch
        Verdict, alarm, the gap so far with its range, and what was known after each batch. ``save(path)`` keeps it for
        the next batch.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit; a batch is not after those before, or came already; or
        `before` asks something else.
    GroupError
        If no row can be used.

    Notes
    -----
    The evidence is an e-process: the product over batches of likelihood ratios of an alternative beyond the tolerance
    and the nearest shares within it, as a mixture over five alternatives on either side and over when the gap began. By
    Ville's inequality it reaches 20 with a chance of at most .05, for ever, also where shares move from batch to batch
    and batches differ in size. Rows must be independent within a batch, given what came before. The first batch only
    says where shares are. The range of the gap so far is an asymptotic confidence sequence.

    References
    ----------
    Turner, Ly and Grünwald (2024), "Generic e-variables for exact sequential k-sample tests that allow for optional
    stopping"; Ville (1939); Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform central limit
    theory".

    Examples
    --------
    >>> import pandas as pd
    >>> nights = pd.DataFrame({"night": [n for n in range(1, 7) for _ in range(400)], "sex": ["F", "M"] * 1200})
    >>> nights["loan"] = [int(i % 10 in ((1, 3, 5, 7, 2) if i % 2 else (2, 4))) for i in range(2400)]
    >>> watched = watch_gap(nights, decision="loan", favorable=1, protected="sex = 'F'", batches="night")
    >>> watched.verdict, watched.alarm.batch, watched.alarm.side
    ('alarm', '2', 'lower')
    """
    check_settings(tolerance, confidence)
    if (batches is None) == (batch is None):
        raise InputError(
            "Give either 'batches', a column, or 'batch', what all rows are called.", hint='Such as: batches="night".'
        )
    if isinstance(before, str | Path):
        before = GapWatch.load(before)
    if before is not None and not isinstance(before, GapWatch):
        raise InputError(f"'before' must be a watch or its file, got {type(before).__name__}.")
    table = as_table(table, counts=counts, labels=labels)
    came: list[_Batch]
    undecided: tuple[str, ...] = ()
    known: tuple[NotKnown, ...] = ()
    has_decisions = bool(table.n_rows) and bool(table.values(decision)["value"].notna().any())
    if before is not None and before.batches and not has_decisions:
        watched = _asked_of_no_rows(table, before.question, decision, favorable, protected, where)
        watched = replace(watched, tolerance=float(tolerance), confidence=float(confidence))
        came = [] if table.n_rows else _no_rows(batch)
        undecided = _batch_names(table, batches, batch, table.condition(where)) if table.n_rows else ()
    else:
        # Batches in which nobody has the favourable result are left in: what is kept must not depend on results.
        may_lack = before is not None or batch is not None or not has_decisions
        question = AskedQuestion.read(table, decision=decision, favorable=favorable, where=where, may_lack=may_lack)
        condition = protected_condition(question.table, protected)
        watched = WatchedQuestion(
            question.outcome.column,
            str(question.outcome.condition),
            str(condition),
            None if question.where is None else str(question.where),
            float(tolerance),
            float(confidence),
        )
        known = refuse_open(find_not_known(question.table, question.outcome, where=question.where, protected=condition))
        came, undecided = _by_batch(question, condition, batches, batch)
    if before is not None and before.batches:
        _refuse_other(before.question, watched)
        found = before
    else:
        found = _watch(watched, Evidence.none(), (), None)
    seen, alarm, points, sums = {each.batch for each in found.batches}, found.alarm, list(found.batches), found.sums
    last = points[-1].batch if points else None
    sums = require(sums)
    for name, n, k in came:
        if name in seen:
            raise InputError(f"Batch {quote(name)} came already.", hint="Leave it out; nothing was changed.")
        if last is not None and _key(name) <= _key(last):
            raise InputError(
                f"Batch {quote(name)} came after {quote(last)}, and should have come before.",
                hint="Batches go by date, number or name; nothing was changed.",
            )
        sums = sums.after(n, k, watched.tolerance)
        points.append(_point(name, sums, watched.confidence))
        if alarm is None and float(sums.log_evidence) >= -math.log(1 - watched.confidence):
            alarm = WatchAlarm(name, "lower" if sums.log_sides[0] >= sums.log_sides[1] else "higher")
        last = name
    return replace(_watch(watched, sums, tuple(points), alarm, known), undecided=undecided)


def _watch(
    question: WatchedQuestion,
    sums: Evidence,
    batches: tuple[WatchedBatch, ...],
    alarm: WatchAlarm | None,
    not_known: tuple[NotKnown, ...] = (),
) -> GapWatch:
    verdict: WatchVerdict = "alarm" if alarm is not None else "no_alarm" if sums.weight > 0 else "nothing_to_compare"
    low, high = sums.interval(question.confidence)
    return GapWatch(
        question=question,
        verdict=verdict,
        alarm=alarm,
        n_batches=sums.n_batches,
        n_protected=int(sums.n[0]),
        n_reference=int(sums.n[1]),
        gap=float(sums.gap),
        interval=Interval(float(low), float(high)),
        evidence=_evidence(sums),
        batches=batches,
        not_known=not_known,
        sums=sums,
    )


def _point(name: str, sums: Evidence, confidence: float) -> WatchedBatch:
    low, high = sums.interval(confidence)
    ends = Interval(round(float(low), DIGITS), round(float(high), DIGITS))
    return WatchedBatch(name, round(float(sums.gap), DIGITS), ends, _evidence(sums))


def _evidence(sums: Evidence) -> float:
    """Return the evidence in few digits; beyond what a number can hold it is the largest."""
    return float(f"{math.exp(min(float(sums.log_evidence), 700.0)):.{DIGITS}g}")


def _asked_of_no_rows(
    table: Table,
    before: WatchedQuestion,
    decision: str,
    favorable: object,
    protected: Condition | str,
    where: Condition | str | None,
) -> WatchedQuestion:
    """Return what is asked of a table without rows, whose columns have no kinds: the favourable result is as before."""
    names = list(table.columns)
    of_before, asked = Condition.parse(before.favorable, names).listed, favorable
    if of_before is not None and not isinstance(favorable, Condition):
        values = [favorable] if isinstance(favorable, str) or not isinstance(favorable, Iterable) else list(favorable)
        same = sorted(map(str, values)) == sorted(map(str, of_before[1]))
        asked = before.favorable if same else ", ".join(map(str, values))
    texts = (None if each is None else str(Condition.parse(str(each), names)) for each in (protected, where))
    return replace(
        before,
        decision=table.column(decision).name,
        favorable=str(asked),
        protected=str(next(texts)),
        where=next(texts),
    )


def _no_rows(batch: str | None) -> list[_Batch]:
    """Return the batch that has no rows, which says nothing; none where a column would say what it is called."""
    return [] if batch is None else [(_called(batch), np.zeros(2), np.zeros(2))]


def _called(batch: str) -> str:
    """Return what a batch is called, which must not be empty."""
    if not (name := str(batch).strip()):
        raise InputError("'batch' must be a name, got an empty one.", hint="Such as: 2026-03-01.")
    return name


def _batch_names(table: Table, batches: str | None, batch: str | None, where: Condition | None) -> tuple[str, ...]:
    """Return what the batches of a table are called, in order."""
    if batches is None:
        return (_called(str(batch)),)
    values = table.counts([table.column(batches).name], where=where)[batches].dropna()
    return tuple(sorted(set(_names(values, table, batches)), key=_key))


def _by_batch(
    question: AskedQuestion, protected: Condition, batches: str | None, batch: str | None
) -> tuple[list[_Batch], tuple[str, ...]]:
    """Return each batch in its order: its name, and cases and favourable results of both groups.

    Batches with no decision come apart, as names: it is not yet known what was decided of any of their rows.
    """
    if batches is None:
        tally = (
            question.tally([protected], may_lack=True)
            .rename(columns={0: "protected"})
            .assign(batch=_called(str(batch)))
        )
    else:
        tally = question.tally([protected, question.table.column(batches).name], may_lack=True)
        tally = tally.rename(columns={0: "protected", 1: "batch"})
        if (missing := tally[tally["batch"].isna()])["n"].sum():
            n = int(missing["n"].sum())
            raise InputError(
                f"Column {quote(batches)} is empty in {n:,} rows, whose batch is not known.",
                hint=f"Leave them out by a filter: {batches} IS NOT NULL.",
            )
        tally = tally[tally["batch"].notna()]
        tally["batch"] = _names(tally["batch"], question.table, batches)
    tally = tally[tally["protected"].notna()]
    inside = tally["protected"].astype(bool)
    if tally.empty:
        raise GroupError(
            "No row has a known group and a batch.", uncounted="No row has a known group and a batch.",
            hint="Look at the condition of the protected group, and at the column of batches.",
        )  # fmt: skip
    named = sorted(tally["batch"].unique(), key=_key)
    if len(named) > MOST_BATCHES:
        raise InputError(
            f"Column {quote(str(batches))} has {len(named):,} values, too many for batches.",
            hint="Choose a column of days or weeks.",
        )
    cases = {side: tally[inside == side].groupby("batch")[["n", "positives"]].sum() for side in (True, False)}

    def counted(name: str, of: str) -> np.ndarray:
        return np.array([float(cases[side][of].get(name, 0)) for side in (True, False)])

    came = [(name, counted(name, "n"), counted(name, "positives")) for name in named]
    return [each for each in came if each[1].any()], tuple(name for name, n, _ in came if not n.any())


def _names(values: pd.Series, table: Table, column: str) -> pd.Series:
    """Return batches as texts: dates as dates, whole numbers without decimals."""
    of = table.column(column)
    if of.kind == "number":
        return values.map(lambda value: f"{float(value):.15g}")
    if of.is_day:
        return pd.to_datetime(values).dt.date.astype(str)
    return values.astype(str).str.strip()


def _key(name: str) -> tuple[float, tuple[tuple[str, int], ...], str]:
    """Return by what batches are in order: numbers by size, and after them texts, in which digits count by value."""
    if _NUMBER.fullmatch(name):
        return float(name), (), ""
    parts = _DIGITS.split(name)
    pairs = zip(parts[::2], [*map(int, parts[1::2]), -1], strict=True)
    return math.inf, tuple(pairs), name


def _refuse_other(before: WatchedQuestion, now: WatchedQuestion) -> None:
    """Refuse to go on with a watch of something else."""
    for each in fields(WatchedQuestion):
        was, is_now = getattr(before, each.name), getattr(now, each.name)
        if was != is_now:
            raise InputError(
                f"The watch so far has {each.name} {was!r}, got {is_now!r}.",
                hint="Ask the same, or begin a new watch.",
            )


def _hangs_together(
    sums: Evidence, batches: tuple[WatchedBatch, ...], alarm: WatchAlarm | None, question: WatchedQuestion
) -> bool:
    """Say whether what a file holds can be a watch: shapes, counts that are possible, and numbers that are finite."""
    none = Evidence.none()
    for each in fields(Evidence):
        value = np.asarray(getattr(sums, each.name))
        lost = ~np.isfinite(value) & ~((each.name == "log_started") & np.isneginf(value))
        if value.shape != np.shape(getattr(none, each.name)) or lost.any():
            return False
    texts = (question.decision, question.favorable, question.protected, question.where or "")
    return bool(
        type(sums.n_batches) is int
        and sums.n_batches == len(batches)
        and all((k >= 0).all() and (k <= n).all() for n, k in ((sums.n, sums.k), (sums.recent_n, sums.recent_k)))
        and min(sums.weight, sums.first) >= 0
        and all(isinstance(text, str) for text in texts)
        and all(math.isfinite(each.evidence) and not math.isinf(each.gap) for each in batches)
        and (alarm is None or (alarm.side in get_args(WatchedSide) and alarm.batch in {each.batch for each in batches}))
    )


def _sums(held: Mapping[str, Any]) -> Evidence:
    named = {each.name: _array(held[each.name]) for each in fields(Evidence) if each.name != "n_batches"}
    return Evidence(n_batches=held["n_batches"], **named)


def _array(values: object) -> np.ndarray:
    return np.asarray(values, dtype=float)


def _number(value: object) -> float:
    return math.nan if value is None else float(str(value))
