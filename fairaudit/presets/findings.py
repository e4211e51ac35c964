"""What filling the form of a rule found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.measure.impact import ImpactTable
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.pay import PayTable
from fairaudit.measure.plain import Hideable
from fairaudit.measure.standardized import StandardizedMeans
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import Preset, PresetCheck


@dataclass(frozen=True)
class RatesFinding:
    """One table of rates and impact ratios.

    Parameters
    ----------
    check : PresetCheck
        What the preset asks for.
    roles : tuple of str
        The roles that make the groups.
    table : ImpactTable
        The groups.
    unknown : int
        People with a known decision who are in no group of the table, because a value is unknown.
    """

    check: PresetCheck = setting()
    roles: tuple[str, ...] = setting()
    table: ImpactTable = figure()
    unknown: int = figure()


@dataclass(frozen=True)
class MeansFinding:
    """One table of standardised mean differences.

    Parameters
    ----------
    check : PresetCheck
        What the preset asks for.
    roles : tuple of str
        The roles that make the groups.
    table : StandardizedMeans
        The groups.
    unknown : int
        People with a number who are in no group of the table, because a value is unknown.
    higher_is_favorable : bool or None
        Whether more of it is better for people; None where the audit does not say so.
    """

    check: PresetCheck = setting()
    roles: tuple[str, ...] = setting()
    table: StandardizedMeans = figure()
    unknown: int = figure()
    higher_is_favorable: bool | None = setting(default=None)


@dataclass(frozen=True)
class PayFinding:
    """One table of pay: a gap, who receives a component, or the quarters.

    Parameters
    ----------
    check : PresetCheck
        What the preset asks for.
    roles : tuple of str
        The role that has two sides, and that of the categories, where there are any.
    table : PayTable
        The figures.
    unknown : int
        Workers of both sides who are in no row of the table, because their category is unknown.
    rounded : bool
        Whether medians are rounded, because of small counts.
    """

    check: PresetCheck = setting()
    roles: tuple[str, ...] = setting()
    table: PayTable = figure()
    unknown: Hideable[int] = figure()
    rounded: bool = setting(default=False)


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
class PresetFinding:
    """The form of a rule, filled.

    Parameters
    ----------
    plan : PresetPlan
        What was asked.
    preset : Preset
        The form: the rule, what it covers and its words.
    rate : {"selection", "scoring"}
        Whether the rate is the share of the good outcome, or of those above the median score.
    meaning : str
        What counts as selected, in words.
    median : float or None
        The median score of all people with a score; None where the rate is no scoring rate.
    where : str or None
        The filter.
    where_words : str or None
        The filter in plain English.
    counted_words : tuple of (str, str)
        By role of pay, who alone counts in its figures, in plain English.
    n_population : int
        People who meet the filter.
    undecided : int
        Those without a decision, or without a score.
    rates : tuple of RatesFinding
        The tables of rates; empty where the preset asks for none, or the decision is an amount.
    means : tuple of MeansFinding
        The tables of means.
    pay : tuple of PayFinding
        The tables of pay; empty where the preset asks for none.
    sides : tuple of PaySides
        Who is compared in them.
    unknown_texts : tuple of (str, tuple of str)
        Columns and the values in them that were counted as unknown, as text; "(blank)" for a text of blanks.
    unknown_values : tuple of (str, tuple)
        The same as they stand in the data.
    file_name : str or None
        The name of an office's own preset file; None for a preset of the package.
    notes : tuple of str
        What could not be computed, one sentence each.
    not_known : tuple of NotKnown
        Decisions whose value says that they are not known or not made, and that are counted all the same.
    """

    plan: PresetPlan = setting()
    preset: Preset = setting()
    rate: Literal["selection", "scoring"] = setting()
    meaning: str = setting()
    median: float | None = figure()
    where: str | None = setting()
    where_words: str | None = setting()
    n_population: int = figure()
    undecided: int = figure()
    rates: tuple[RatesFinding, ...] = figure()
    means: tuple[MeansFinding, ...] = figure()
    pay: tuple[PayFinding, ...] = figure(default=())
    sides: tuple[PaySides, ...] = figure(default=())
    counted_words: tuple[tuple[str, str], ...] = setting(default=())
    unknown_texts: tuple[tuple[str, tuple[str, ...]], ...] = setting(default=())
    unknown_values: tuple[tuple[str, tuple[Any, ...]], ...] = setting(default=())
    file_name: str | None = setting(default=None)
    notes: tuple[str, ...] = setting(default=())
    not_known: tuple[NotKnown, ...] = figure(default=())

    @property
    def title(self) -> str:
        """The title of the plan, or that of the preset."""
        return self.plan.title or self.preset.title

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
