"""How it stands with a rule: whether it is in force, when and where somebody last looked, and what follows from it."""

from __future__ import annotations

import calendar
import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from fairaudit.errors import InputError
from fairaudit.plan.parts import Part
from fairaudit.presets.lines import Address, Filled, Switch
from fairaudit.presets.plan import Day, RealDay

RuleState = Literal["in_force", "changed", "repealed", "draft"]
MONTHS_BETWEEN_CHECKS = 6
"""After so many months without a check, nobody should rely on what a form says of its rule."""


def today() -> datetime.date:
    """Return the day on which this runs."""
    return datetime.date.today()


def months_later(day: datetime.date, months: int) -> datetime.date:
    """Return the same day so many months later, or the last one of that month.

    Examples
    --------
    >>> months_later(datetime.date(2026, 8, 31), 6)
    datetime.date(2027, 2, 28)
    """
    years, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + years, month + 1
    return datetime.date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


class RuleSource(Part):
    """A text in which the state of a rule was read."""

    title: Filled = Field(description="What was read.")
    url: Address | None = Field(default=None, description="Where it stands.")
    official: Switch = Field(
        default=True,
        description="Whether it is by those who make, change or publish the rule, and not a report of others.",
    )


class RuleStatus(Part):
    """How it stands with a rule."""

    state: RuleState = Field(
        description="Whether the rule is in force as it was, was changed or repealed, or is a draft."
    )
    checked: RealDay = Field(description="On which day somebody last looked, such as 2026-11-30.")
    since: Day = Field(
        default=None,
        description="From which day on this holds; of a draft, from which day on it is to be in force.",
    )
    successor: Filled | None = Field(default=None, description="What took the place of the rule, or is to take it.")
    follows: Annotated[Filled, StringConstraints(max_length=200)] = Field(
        description="What that means for who reads the form, in one short sentence."
    )
    read: tuple[RuleSource, ...] = Field(min_length=1, description="Where this was read.")
    not_read: Filled | None = Field(
        default=None, description="Which text could not be had when somebody last looked, in one sentence."
    )

    @model_validator(mode="after")
    def _holds_when_it_was_checked(self) -> RuleStatus:
        if self.since is not None and self.since > self.checked and self.state != "draft":
            raise InputError(
                f"says that the rule is {self.state.replace('_', ' ')} since {self.since}, after it was checked",
                hint='Write state = "draft" for what is to come, or the day of a later check.',
            )
        return self

    def is_overdue(self, day: str | None) -> bool:
        """Say whether nobody has looked for six months on a day; not where no day is known."""
        due = months_later(datetime.date.fromisoformat(self.checked), MONTHS_BETWEEN_CHECKS)
        return day is not None and datetime.date.fromisoformat(day) > due
