"""What filling the form of a rule found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.impact import ImpactTable
from fairaudit.measure.not_known import NotKnown
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
    n_population : int
        People who meet the filter.
    undecided : int
        Those without a decision, or without a score.
    rates : tuple of RatesFinding
        The tables of rates; empty where the preset asks for none, or the decision is an amount.
    means : tuple of MeansFinding
        The tables of means.
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
