"""What filling the form of a rule found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.findings import Message
from fairaudit.findings.result import Result
from fairaudit.measure.impact import ImpactTable
from fairaudit.measure.not_known import ENDED_CASES, NotKnown
from fairaudit.measure.pay import PayTable
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.standardized import StandardizedMeans
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, PresetCheck


@dataclass(frozen=True)
class RatesFinding:
    """One table of rates and impact ratios."""

    check: PresetCheck = setting("What the preset asks for.")
    roles: tuple[str, ...] = setting("The roles that make the groups.")
    table: ImpactTable = figure("The groups.")
    unknown: int = figure("People with a known decision who are in no group of the table, because a value is unknown.")


@dataclass(frozen=True)
class MeansFinding:
    """One table of standardised mean differences."""

    check: PresetCheck = setting("What the preset asks for.")
    roles: tuple[str, ...] = setting("The roles that make the groups.")
    table: StandardizedMeans = figure("The groups.")
    unknown: int = figure("People with a number who are in no group of the table, because a value is unknown.")
    higher_is_favorable: bool | None = setting(
        "Whether more of it is better for people; None where the audit does not say so.", default=None
    )


@dataclass(frozen=True)
class PayFinding:
    """One table of pay: a gap, who receives a component, or the quarters."""

    check: PresetCheck = setting("What the preset asks for.")
    roles: tuple[str, ...] = setting("The role that has two sides, and that of the categories, where there are any.")
    table: PayTable = figure("The figures.")
    unknown: Hideable[int] = figure(
        "Workers of both sides who are in no row of the table, because their category is unknown."
    )
    rounded: bool = setting("Whether medians are rounded, because of small counts.", default=False)
    of_means: bool = setting(
        "Whether the column holds means of several people: then nothing but means and their gaps can be known.",
        default=False,
    )

    @property
    def has_rows(self) -> bool:
        """Whether it is by category, or has a row for each group of the first side."""
        return len(self.roles) > 1 or self.check.groups

    @property
    def is_unknowable(self) -> bool:
        """Whether nothing of the table can be known, because the column holds means."""
        return self.of_means and not self.table.rows


@dataclass(frozen=True)
class PaySides:
    """Who is compared in the tables of pay, and who is not."""

    role: str = setting("The role that has two sides, and its column.")
    column: str = setting(AS_ABOVE)
    protected: tuple[str, ...] = setting("The values that mean each side, as text.")
    reference: tuple[str, ...] = setting(AS_ABOVE)
    others: tuple[str, ...] = setting("Further values, which are in no table of pay.")
    n_protected: Hideable[int] = figure(
        "People looked at of each side, with another value, and whose value is unknown."
    )
    n_reference: Hideable[int] = figure(AS_ABOVE)
    n_others: Hideable[int] = figure(AS_ABOVE)
    n_unknown: Hideable[int] = figure(AS_ABOVE)
    protected_values: tuple[Any, ...] = setting("The values of both sides as they stand in the data.", in_json=False)
    reference_values: tuple[Any, ...] = setting(AS_ABOVE, in_json=False)


@dataclass(frozen=True)
class WorkerPay:
    """What the worker who asked is paid."""

    category: Hideable[str] = figure("The category of the work.")
    side: Hideable[str] = figure('On which side of the comparison the worker is: "protected", "reference", or "".')
    pay: tuple[tuple[str, Hideable[float]], ...] = figure("By column of pay, what it is; NaN where it is not known.")
    category_value: Any = figure("The category as it stands in the data.", in_json=False, default=None)


@dataclass(frozen=True)
class RecordEntry:
    """One item of a record, filled or open."""

    item: str = setting("Which item.")
    source: Literal["audit", "person", "form", "nobody"] = setting(
        "Who states it: the other answers of the audit, a person, the form itself, or nobody yet."
    )
    is_needed: bool = setting("Whether the record is not complete without it.")
    known: tuple[Message, ...] = figure("What the audit says of it.", in_json=False, default=())
    written: str = setting("What a person or the form says of it.", default="")


@dataclass(frozen=True)
class Record:
    """What a record states, filled from the other answers of an audit and by a person."""

    entries: tuple[RecordEntry, ...] = figure("The items, in the order of the form.")
    about: Result | None = figure(
        "The answer that it opens with; None where the audit holds none.", in_json=False, default=None
    )

    @property
    def open(self) -> tuple[str, ...]:
        """The items that the record needs and nobody states yet."""
        return tuple(entry.item for entry in self.entries if entry.is_needed and entry.source == "nobody")

    @property
    def n_open(self) -> int:
        """How many items that the record needs nobody states yet."""
        return len(self.open)


@dataclass(frozen=True)
class PresetFinding(Plain, Result):
    """The form of a rule, filled."""

    plan: PresetPlan = setting("What was asked.")
    preset: Preset = setting("The form: the rule, what it covers and its words.")
    rate: Literal["selection", "scoring"] = setting(
        "Whether the rate is the share of the good outcome, or of those above the median score."
    )
    meaning: str = setting("What counts as selected, in words.")
    median: float | None = figure(
        "The median score of all people with a score; None where the rate is no scoring rate."
    )
    where: str | None = setting("The filter.")
    where_words: str | None = setting("The filter in plain English.")
    n_population: int = figure("People who meet the filter.")
    undecided: int = figure("Those without a decision, or without a score.")
    rates: tuple[RatesFinding, ...] = figure(
        "The tables of rates; empty where the preset asks for none, or the decision is an amount."
    )
    means: tuple[MeansFinding, ...] = figure("The tables of means.")
    pay: tuple[PayFinding, ...] = figure("The tables of pay; empty where the preset asks for none.", default=())
    sides: tuple[PaySides, ...] = figure("Who is compared in them.", default=())
    worker: WorkerPay | None = figure(
        "The pay of the worker who asked; None where the form is no answer.", default=None
    )
    counted_words: tuple[tuple[str, str], ...] = setting(
        "By role of pay, who alone counts in its figures, in plain English.", default=()
    )
    unknown_texts: tuple[tuple[str, tuple[str, ...]], ...] = setting(
        'Columns and the values in them that were counted as unknown, as text; "(blank)" for a text of blanks.',
        default=(),
    )
    unknown_values: tuple[tuple[str, tuple[Any, ...]], ...] = setting("The same as they stand in the data.", default=())
    file_name: str | None = setting(
        "The name of an office's own preset file; None for a preset of the package.", default=None
    )
    notes: tuple[str, ...] = setting("What could not be computed, one sentence each.", default=())
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, default=())
    of_counts: bool = setting(
        "Whether the table holds numbers of people in place of rows: who is in none of them is not known.",
        default=False,
    )
    record: Record | None = figure("What a record states; None of a form with columns of its own.", default=None)

    day: str | None = setting(
        "On which day the form was filled: whether its rule was checked lately depends on that.",
        default=None,
        in_json=False,
    )

    @property
    def is_overdue(self) -> bool:
        """Whether nobody had checked the state of the rule for six months when the form was filled."""
        return self.preset.is_overdue(self.day)

    @property
    def title(self) -> str:
        """The title of the plan, or that of the preset."""
        return self.plan.title or self.preset.title

    @property
    def unknown_in_counts(self) -> bool:
        """Whether nobody can say how many people have an unknown category: a table of counts holds none of them."""
        return self.of_counts and bool(self.rates) and all(rates.unknown == 0 for rates in self.rates)

    @property
    def undecided_in_counts(self) -> bool:
        """Whether nobody can say how many people have no decision: a table of counts holds none of them."""
        return self.of_counts and self.undecided == 0

    @property
    def left_out(self) -> tuple[str, ...]:
        """The groups that are left out of the ratios of a table, because they are small."""
        return tuple(row.name for rates in self.rates for row in rates.table.rows if row.left_out)

    def without_number(self, means: MeansFinding) -> int | None:
        """Return how many of the people looked at have no number, whatever their group; None where that is hidden."""
        if None in (self.n_population, means.table.n, means.unknown):
            return None
        return self.n_population - means.table.n - means.unknown

    def sides_of(self, pay: PayFinding) -> PaySides:
        """Return who is compared in a table of pay."""
        return next(sides for sides in self.sides if sides.role == pay.roles[0])
