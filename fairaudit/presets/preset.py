"""What a preset file holds: the rule it follows, the columns it needs, the checks it makes and the words it uses."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from fairaudit.measure.significance import FISHER_LEVEL, FOUR_FIFTHS, TWO_DEVIATIONS
from fairaudit.plan_parts import Part

Share = Annotated[float, Field(ge=0, le=1)]
Filled = Annotated[str, Field(min_length=1)]


class FilePart(Part):
    """A part of a preset file."""


class PresetRole(FilePart):
    """Something that a rule speaks of and a column of the data holds.

    Parameters
    ----------
    role : str
        The name that plans and checks use.
    label : str
        The same for people.
    kind : {"group", "score", "amount"}
        Groups of people, a score that is cut at its median, or amounts whose means are compared (several columns).
    optional : bool
        Whether the form can be made without it.
    suggest : tuple of str
        Parts of column names that hint at it.
    """

    role: Filled
    label: Filled
    kind: Literal["group", "score", "amount"] = "group"
    optional: bool = False
    suggest: tuple[str, ...] = ()


class PresetCheck(FilePart):
    """One thing that a rule asks to be computed.

    Parameters
    ----------
    measure : {"rates", "means"}
        Impact ratios of rates, or standardised differences of means.
    by : tuple of tuple of str
        Roles that make the groups, one table each; several roles are crossed.
    reference : {"highest", "largest"}
        Which group the others are compared with: that with the highest rate, or the one with the most people. A plan
        may name another where it is "largest".
    threshold : float
        The impact ratio under which a group is marked.
    significance, one_person : bool
        Whether to test differences, and to say what one person more would change.
    deviations, level : float
        From how many standard deviations on, and for Fisher's test below which p-value, a difference is significant.
    smallest_share : float
        Groups with a smaller share of the people are marked as small.
    leave_out_small : bool
        Whether they are left out of the impact ratios, unless the plan says otherwise.
    """

    measure: Literal["rates", "means"]
    by: Annotated[tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...], Field(min_length=1)]
    reference: Literal["highest", "largest"] = "highest"
    threshold: Annotated[float, Field(gt=0, le=1)] = FOUR_FIFTHS
    significance: bool = False
    one_person: bool = False
    deviations: Annotated[float, Field(gt=0)] = TWO_DEVIATIONS
    level: Annotated[float, Field(gt=0, lt=1)] = FISHER_LEVEL
    smallest_share: Share = 0.0
    leave_out_small: bool = False


class PresetWords(FilePart):
    """The words of a rule, for tables and sentences.

    Parameters
    ----------
    people : str
        Who is looked at, plural: applicants.
    selected : str
        The good outcome: selected, approved.
    rate : str
        The share of those: selection rate.
    scoring_rate : str
        The share above the median score.
    category : str
        What a group is called.
    ratio : str
        What the ratio of rates is called.
    reading : str
        One or two sentences on how the ratio is read under the rule.
    """

    people: Filled = "people"
    selected: Filled = "selected"
    rate: Filled = "selection rate"
    scoring_rate: Filled = "scoring rate"
    category: Filled = "group"
    ratio: Filled = "impact ratio"
    reading: Filled = "A ratio below the threshold calls for a closer look; it proves nothing by itself."


class Preset(FilePart):
    """The form that a rule asks for.

    Parameters
    ----------
    key : str
        Its name in plans: small letters, digits and ``_``.
    title : str
        Its name for people.
    rule, section, date : str
        The rule, the section that asks for the form, and when it was made or came into force.
    url : str, optional
        Where the rule can be read.
    covers, does_not_cover : tuple of str
        One sentence each.
    notice : str
        What it is not: legal advice.
    unknown : {"any", "own"}
        Who is left out of a table: everybody with an unknown value in one of the columns, or in those of the table.
    publishes : bool
        Whether the rule asks to publish where the data come from and the dates of audit and use.
    unknown_values : tuple of str
        Texts that mean unknown besides missing values; letter case does not matter.
    tolerance : float
        For the questions that the preset fills into a plan: the largest gap that counts as alike.
    words : PresetWords
        The rule's own words.
    roles : tuple of PresetRole
        The columns that it needs.
    checks : tuple of PresetCheck
        What is computed.
    """

    key: str
    title: Filled
    rule: Filled
    section: Filled
    date: Filled
    url: str | None = None
    covers: Annotated[tuple[Filled, ...], Field(min_length=1)]
    does_not_cover: Annotated[tuple[Filled, ...], Field(min_length=1)]
    notice: Filled
    unknown: Literal["any", "own"] = "own"
    publishes: bool = False
    unknown_values: tuple[str, ...] = ()
    tolerance: Share = 0.05
    words: PresetWords = PresetWords()
    roles: Annotated[tuple[PresetRole, ...], Field(min_length=1)]
    checks: Annotated[tuple[PresetCheck, ...], Field(min_length=1)]

    @field_validator("key")
    @classmethod
    def _plain_key(cls, key: str) -> str:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", key):
            raise ValueError("must be small letters, digits and _ only, and begin with a letter")
        return key

    @field_validator("notice")
    @classmethod
    def _says_what_it_is_not(cls, notice: str) -> str:
        if "not legal advice" not in notice:
            raise ValueError('must hold the words "not legal advice"')
        return notice

    @model_validator(mode="after")
    def _roles_fit(self) -> Preset:
        names = [role.role for role in self.roles]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"holds two roles called {twice!r}; give each a name of its own")
        kinds = {role.role: role.kind for role in self.roles}
        for check in self.checks:
            for name in (name for names in check.by for name in names):
                if kinds.get(name) != "group":
                    known = ", ".join(name for name, kind in kinds.items() if kind == "group") or "none"
                    raise ValueError(f"holds a check by {name!r}, which is no role of kind 'group'; these are: {known}")
        if any(check.measure == "means" for check in self.checks) and "amount" not in kinds.values():
            raise ValueError("holds a check of means, which needs a role of kind 'amount'")
        return self

    def role(self, name: str) -> PresetRole:
        """Return a role by its name.

        Parameters
        ----------
        name : str
            One of the roles.

        Returns
        -------
        PresetRole
            The role.
        """
        return next(role for role in self.roles if role.role == name)

    def roles_of(self, kind: str) -> tuple[PresetRole, ...]:
        """Return the roles of one kind.

        Parameters
        ----------
        kind : str
            "group", "score" or "amount".

        Returns
        -------
        tuple of PresetRole
            In their order.
        """
        return tuple(role for role in self.roles if role.kind == kind)
