"""Searches and inspections: the answer to one question of a plan."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.disclosure.fields import figure, setting
from fairaudit.findings import Argument
from fairaudit.findings.group_names import GroupName
from fairaudit.measure.inspections.results import OutcomeTest, ThresholdTest, VeilOfDarkness
from fairaudit.measure.not_known import NotKnown, each_once
from fairaudit.plan.inspections import InspectionPlan


@dataclass(frozen=True, eq=False)
class InspectionFinding:
    """The answer to one question about searches and inspections.

    Parameters
    ----------
    plan : InspectionPlan
        The question.
    acted_words, found_words : str
        Who was looked at, and where something was found, in plain English.
    group_words : str
        What makes the groups, in plain English.
    where_words : str, optional
        The filter in plain English.
    outcome : OutcomeTest
        How often something was found, by group.
    thresholds : ThresholdTest or None
        The thresholds that a model infers; None where the plan names no places.
    veil : VeilOfDarkness or None
        Stops in light against stops in darkness; None where the plan does not ask.
    verb : Argument
        What is said of several people who were looked at: "were searched".
    similar : Argument, optional
        How cases are alike within the strata: "in the same district"; None without strata.
    groups : tuple of (str, GroupName)
        What each group is called, as a plural, by its name in the tables.
    """

    plan: InspectionPlan = setting()
    acted_words: str = setting()
    found_words: str = setting()
    group_words: str = setting()
    where_words: str | None = setting()
    outcome: OutcomeTest = figure()
    thresholds: ThresholdTest | None = figure()
    veil: VeilOfDarkness | None = figure()
    verb: Argument = setting(in_json=False)
    similar: Argument | None = setting(in_json=False)
    groups: tuple[tuple[str, GroupName], ...] = figure(in_json=False)

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """What is counted in hit rates, or beside light and darkness, though a value says that it is not known."""
        return each_once((*self.outcome.not_known, *(() if self.veil is None else self.veil.not_known)))
