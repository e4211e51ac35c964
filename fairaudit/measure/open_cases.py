"""Which cases of a table of times are still open: looked for, so that a person is asked before times are compared."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import pandas as pd

from fairaudit.columns import Column
from fairaudit.conditions import Condition
from fairaudit.data.engine import literal, quoted
from fairaudit.data.table import Table
from fairaudit.data.unknown_values import UNDECIDED_WORDS, word_key
from fairaudit.errors import InputError, quote
from fairaudit.measure.grouping import plain_value

_TIMES = re.compile(
    r"\b(?:days?|weeks?|months?|hours?|minutes?|years?|time|duration|waiting|wait|waited|delay|elapsed|turnaround|"
    r"tage?|wochen?|monate?|stunden?|dauer|(?:warte|bearbeitungs|verfahrens|erledigungs)(?:zeit|dauer|tage)|jours?|semaines?|mois|heures?|duree|delai|attente|"
    r"dias?|semanas?|meses|horas?|tiempo|plazo|duracion|espera|dagen|weken|maanden|uren|wachttijd|doorlooptijd|"
    r"giorni|settimane|mesi|ore|tempo|durata|attesa|dagar|dager|dage|vantetid|uger|uker|veckor|dni|czas|dny|paivat)\b"
)
"""Words in the name of an amount that say that it is a time."""

_UNITS = re.compile(r"\b(?:days?|weeks?|months?|hours?|minutes?|tage?|wochen?|monate?|stunden?|jours?|heures?)\b")
"""Words in the name of a column that counts these, so that 1 is no yes."""

_NO_WAIT = re.compile(
    r"\b(?:training|trained|overtime|worked|working|weekly|daily|absent|vacation|holiday|experience|taught|teaching|"
    r"lessons?|urlaub|arbeitszeit|krank|krankheit|gearbeitet)\b"
)
"""Words beside these that say that nobody waits for an end: what was trained, worked or taken off."""

_OPEN = frozenset(
    str(word_key(word))
    for word in (
        *UNDECIDED_WORDS, "open", "still open", "ongoing", "waiting", "still waiting", "awaiting", "active", "alive",
        "censored", "right censored", "not closed", "not completed", "incomplete", "unresolved", "not resolved",
        "in process", "in review", "reopened", "on hold", "offen", "offener Fall", "laufend", "laufendes Verfahren",
        "rechtshängig", "anhängiges Verfahren", "eröffnet", "wiedereröffnet", "in Arbeit", "in Prüfung", "unerledigt",
        "nicht erledigt", "nicht geschlossen", "nicht abgeschlossen",
        "en curso", "abierto", "abierta", "aperto", "aperta",
        "lopend", "openstaand", "ouvert", "ouverte", "non clos", "aberto", "aberta", "em curso",
    )
)  # fmt: skip
"""Values of a column that say that a case is open."""

_BEGIN_IN_GERMAN = ("offen", "laufend", "anhängig", "eröffnet", "inbearbeitung")
_BEGINNINGS = ("open", "pending", "awaiting", "waiting", "inprogress", "onhold", "encours", *_BEGIN_IN_GERMAN)
"""How longer ones begin, such as "Open - assigned"."""

_WAITS_FOR = re.compile(r"(?:pending|awaiting|waiting for|on hold|in progress)\b")
"""How those begin that say without a sign between what is waited for, such as "awaiting hearing"."""

_SAYS_OPEN = re.compile(
    r"\b(?:open|pending|ongoing|censored|unresolved|undecided|unfinished|waiting|awaiting|active|alive|"
    r"offen|laufend|anhangig|unerledigt|abierto|abierta|aperto|aperta|lopend|ouvert|ouverte|en cours|aberto)\b"
)
_SAYS_CLOSED = re.compile(
    r"\b(?:closed|event|completed?|finished|resolved|decided|done|ended|observed|uncensored|settled|concluded|"
    r"disposed|exited|died|dead|death|failed|erledigt|abgeschlossen|entschieden|geschlossen|beendet|clos|close|cloture|"
    r"termine|cerrado|cerrada|terminado|chiuso|chiusa|afgesloten|afgehandeld|encerrado|status)\b"
)
"""Words in the name of a column of yes and no that say what yes means."""

_SAYS_NOT = re.compile(r"\b(?:not|non|no|nicht|pas|niet)\b")

_SAYS_END = re.compile(
    r"\b(?:closed|closing|closure|close|decided|decision|completed|completion|ended|end|finish|finished|resolved|"
    r"resolution|settled|exit|disposed|disposition|entschieden|entscheidung|abschluss|abgeschlossen|geschlossen|"
    r"erledigt|erledigung|ende|bescheid|fin|cloture|cierre|resolucion|chiusura|afgehandeld|besluit|einde)\b"
)
"""Words in the name of a column of days that say that waiting ended then."""

_YES = frozenset({"yes", "y", "true", "t", "1", "ja", "j", "oui", "o", "si", "s", "sim", "x", "wahr", "vrai"})
_NO = frozenset({"no", "n", "false", "f", "0", "nein", "non", "nee", "nao", "falsch", "faux"})

TIMED: Final = 0.9
"""The share of open cases that must have a time so far."""

MOST_STATES: Final = 50
"""A column of texts with more values does not say whether a case is open."""

LOOKED_AT: Final = 1_000
"""Rows in which it is looked whether a time is that between two days."""


@dataclass(frozen=True)
class OpenCases:
    """What says that some cases still wait: they have no time, or only that so far.

    Parameters
    ----------
    n : int
        Rows that seem to be open.
    n_timed : int
        Those of them that have a time: that so far.
    column : str or None
        The column that says so; None where the day of the end is missing with the time.
    values : tuple
        Its values that say so; None is a missing value.
    others : tuple
        Its other values, most frequent first.
    since : str or None
        The column that may hold the day on which waiting began, or the time so far.
    until : datetime.date or None
        The last day that the table knows of.
    open_when : str or None
        The condition that open cases meet, by the column that says so.
    closed_when : str
        The condition that all other cases meet.
    """

    n: int
    n_timed: int
    column: str | None
    values: tuple[object, ...]
    others: tuple[object, ...]
    since: str | None
    until: datetime.date | None
    open_when: str | None
    closed_when: str

    @property
    def is_timed(self) -> bool:
        """Whether nearly all have a time, so that it needs no other column."""
        return self.n_timed >= TIMED * self.n

    @property
    def stays_timed(self) -> bool:
        """Whether some are left in where all cases without a time are left out."""
        return self.n_timed > (1 - TIMED) * self.n


def is_time_name(name: str) -> bool:
    """Say whether the name of an amount says that it is a time.

    Examples
    --------
    >>> [name for name in ("days_to_decision", "Wartezeit", "benefit", "hours_worked") if is_time_name(name)]
    ['days_to_decision', 'Wartezeit']
    """
    words = _words(name)
    return bool(_TIMES.search(words)) and not _NO_WAIT.search(words)


def find_open_cases(table: Table, decision: str, *, where: Condition | str | None = None) -> OpenCases | None:
    """Return what says that some cases of a table of times are still open; None where nothing does.

    A state, a column of yes and no or an empty day of the end says so, of cases without a time before all others.
    """
    column = table.columns.get(decision)
    if column is None or column.kind != "number" or not is_time_name(decision):
        return None
    return _Search(table, decision, table.condition(where)).found()


def refuse_open_times(table: Table, column: str, where: Condition | str | None) -> None:
    """Refuse times of which some seem to be open where only closed cases can be counted; a filter leaves them out."""
    if table.source.options.all_closed or (found := find_open_cases(table, column, where=where)) is None:
        return
    raise open_times_error(
        found,
        column,
        hint=f"Ask a check, which counts open cases; or leave them out by the filter: {found.closed_when}. Where all "
        "cases are closed, say so: --all-closed, or all_closed=True, or all_closed = true under [data.reading] of a "
        "plan.",
    )


def open_times_error(found: OpenCases, column: str, *, hint: str) -> InputError:
    """Return the error for a column of times of which some seem to be open."""
    if found.column is None:
        return InputError(
            f"Column {quote(column)} is empty for cases that seem to be still open, as the day of their end is missing "
            "with it, and times of closed cases alone mislead.",
            hint=hint,
        )
    says = "is empty" if found.values == (None,) else "says so"
    if not found.stays_timed:
        return InputError(
            f"Column {quote(column)} is empty for cases that seem to be still open, as column {quote(found.column)} "
            f"{says}, and times of closed cases alone mislead.",
            hint=hint,
        )
    return InputError(
        f"Column {quote(column)} seems to hold the time so far for cases that are still open, as column "
        f"{quote(found.column)} {says}, and these times are too short.",
        hint=hint,
    )


def open_condition(table: Table, column: str, values: Sequence[object]) -> str:
    """Return the condition that cases with one of these values of a column meet."""
    return str(Condition.one_of(column, list(values), table.columns))


def closed_condition(table: Table, column: str, values: Sequence[object], others: Sequence[object]) -> str:
    """Return the condition that all cases without these values of a column meet, those without a value too."""
    closed = ~Condition.one_of(column, list(values), table.columns)
    nothing = Condition.one_of(column, [None], table.columns)
    return str(closed | nothing if None in others else closed)


def latest_day(table: Table) -> datetime.date | None:
    """Return the last day that a table knows of."""
    names = [name for name, column in table.columns.items() if column.is_day]
    if not names:
        return None
    ends = table.aggregate([f"max({table.writer.quoted(name)})" for name in names])
    known = [pd.Timestamp(end) for end in ends if end is not None]
    return max(known).date() if known else None


@dataclass(frozen=True)
class _Search:
    """Where it is looked for open cases."""

    table: Table
    decision: str
    where: Condition | None

    def found(self) -> OpenCases | None:
        """Return what the most rows without a time say, or else the most rows with one."""
        seen = [each for name in self._states() if (each := self._by_values(name)) is not None]
        seen += [each for each in map(self._by_flag, self.table.columns.values()) if each is not None]
        without = [each for each in seen if not each.stays_timed]
        if without:
            return max(without, key=lambda each: each.n)
        if (by_days := self._by_missing_days()) is not None:
            return by_days
        seen += [each for each in map(self._by_end, self._days) if each is not None]
        return max(seen, key=lambda each: each.n, default=None)

    @cached_property
    def _missing(self) -> Condition:
        return self._empty(self.decision)

    @cached_property
    def _has_missing(self) -> bool:
        return self.table.occurs(self._among(self._missing))

    @cached_property
    def _days(self) -> list[str]:
        return [each.name for each in self.table.columns.values() if each.is_day]

    @cached_property
    def _until(self) -> datetime.date | None:
        return latest_day(self.table)

    def _values(self, name: str) -> list[object]:
        return [plain_value(value) for value in self.table.common_values(name)]

    def _empty(self, name: str) -> Condition:
        return Condition.parse(f"{quoted(name)} IS NULL", self.table)

    def _among(self, condition: Condition) -> Condition:
        return condition if self.where is None else self.where & condition

    def _states(self) -> list[str]:
        """Return columns of texts some values of which say that a case is open, by one statement."""
        names = [name for name, column in self.table.columns.items() if column.kind == "text"]
        if not names:
            return []
        words = ", ".join(map(literal, sorted(_OPEN)))
        hits = []
        for name in names:
            key = f"lower(trim({self.table.writer.quoted(name)}))"
            for sign in " -_":
                key = f"replace({key}, {literal(sign)}, '')"
            begins = [f"substr({key}, 1, {len(each)}) = {literal(each)}" for each in _BEGINNINGS]
            hits.append(f"max(CASE WHEN {' OR '.join([f'{key} IN ({words})', *begins])} THEN 1 ELSE 0 END)")
        return [name for name, hit in zip(names, self.table.aggregate(hits), strict=True) if hit]

    def _by_values(self, name: str) -> OpenCases | None:
        """Return the cases of which a state says that they are open."""
        values = self._values(name)
        if len(values) > MOST_STATES:
            return None
        return self._with(name, [each for each in values if isinstance(each, str) and _is_open(each)])

    def _by_flag(self, column: Column) -> OpenCases | None:
        """Return the cases of which a column of yes and no says that they are open."""
        if column.name == self.decision or column.is_day or _UNITS.search(_words(column.name)):
            return None
        if (says_open := _yes_is_open(column.name)) is None:
            return None
        values = self._values(column.name)
        flags = {value: _flag(value) for value in values if value is not None}
        if not flags or len(flags) > 2 or None in flags.values() or len(set(flags.values())) < len(flags):
            return None
        meant: list[object] = [value for value, flag in flags.items() if flag is says_open]
        if not meant and not says_open and None in values:
            # Of closed ones alone it is said that they are.
            meant = [None]
        return self._with(column.name, meant)

    def _with(self, name: str, meant: Sequence[object]) -> OpenCases | None:
        """Return the cases with some values of a column; None where none has these, or there are no others."""
        if not meant:
            return None
        # Of days, all that are known say that a case is closed.
        there = () if self.table.columns[name].is_day else self._values(name)
        others = tuple(each for each in there if each not in meant)
        opened = Condition.one_of(name, list(meant), self.table.columns)
        counts = self.table.counts({"open": opened, "missing": self._missing}, where=self.where)
        is_open, is_missing = (counts[each].fillna(False).astype(bool) for each in ("open", "missing"))
        n, n_timed = (int(counts.loc[rows, "n"].sum()) for rows in (is_open, is_open & ~is_missing))
        if not n or not (others or n < counts["n"].sum()):
            return None
        found = OpenCases(
            n=n,
            n_timed=n_timed,
            column=name,
            values=tuple(meant),
            others=others,
            since=None if n_timed == n else self._since(self._among(self._missing)),
            until=self._until,
            open_when=str(opened),
            closed_when=str(~self._missing),
        )
        if not found.stays_timed:
            return found
        return replace(found, closed_when=closed_condition(self.table, name, meant, others))

    def _by_missing_days(self) -> OpenCases | None:
        """Return the cases without a time where the day of the end is missing with it, and there alone."""
        if not self._has_missing or (since := self._since(self._among(self._missing))) is None:
            return None
        if not any(self._goes_with(name) for name in self._days if name != since):
            return None
        n = self.table.count(self._among(self._missing))
        return OpenCases(n, 0, None, (), (), since, self._until, None, str(~self._missing))

    def _by_end(self, name: str) -> OpenCases | None:
        """Return the cases with a time but without the day of their end."""
        opened = self._with(name, [None])
        if opened is None or not opened.stays_timed or self._since(self._among(self._empty(name))) is None:
            return None
        return opened if _SAYS_END.search(_words(name)) or self._is_end(name) else None

    def _since(self, among: Condition) -> str | None:
        """Return the first column of days that nearly all of some rows have."""
        n = self.table.count(among)
        for name in self._days:
            if n and self.table.count(among & ~self._empty(name)) >= TIMED * n:
                return name
        return None

    def _goes_with(self, name: str) -> bool:
        """Say whether a day is missing where the time is, and there alone."""
        counts = self.table.counts({"empty": self._empty(name), "missing": self._missing}, where=self.where)
        return bool((counts["empty"] == counts["missing"]).all())

    def _is_end(self, name: str) -> bool:
        """Say whether times are the days from one column of days to another."""
        rows = self.table.head(LOOKED_AT, self._among(~self._missing & ~self._empty(name)))
        for other in self._days:
            days = (rows[name] - rows[other]).dt.total_seconds() / 86_400
            if other != name and len(rows) and ((days - rows[self.decision].astype(float)).abs() <= 1).mean() >= TIMED:
                return True
        return False


def _words(name: str) -> str:
    """Return the words of a name, in small letters without accents that matter here."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = re.sub(r"[\W_\d]+", " ", words).lower()
    return plain.translate(str.maketrans("éèóàäâôíãç", "eeoaaaoiac")).strip()


def _is_open(text: str) -> bool:
    """Say whether a value, its beginning, or what stands before a dash, a colon or a bracket says so of a case."""
    parts = re.split(r"\s[-\u2013]\s|[:;,(/]", text.strip(), maxsplit=1)
    return bool(_WAITS_FOR.match(_words(text))) or any(
        str(word_key(part.strip())) in _OPEN for part in (text, parts[0])
    )


def _yes_is_open(name: str) -> bool | None:
    """Return whether yes means open in a column of this name, or closed; None where the name says neither."""
    words = _words(name)
    if not (says_open := bool(_SAYS_OPEN.search(words))) and not _SAYS_CLOSED.search(words):
        return None
    return says_open != bool(_SAYS_NOT.search(words))


def _flag(value: object) -> bool | None:
    """Return the yes or no that a value is; None where it is neither."""
    if isinstance(value, str):
        text = _words(value) or value.strip()
        return True if text in _YES else False if text in _NO else None
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None
