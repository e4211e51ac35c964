"""The parts of a plan that name the decision, a prediction and a score."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainValidator, field_validator, model_validator

from fairaudit.conditions import Condition
from fairaudit.errors import quote
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.plan.parts import Part, Words


def _plain_value(value: object) -> object:
    if not isinstance(value, (str, bool, int, float)):
        raise ValueError("must be a text, a number, true or false")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("must be a finite number")
        if value.is_integer() and abs(value) < 2**53:
            return int(value)
    return value


# A whole number is the same value with and without a decimal point: 1.0 is kept as 1.
Value = Annotated[str | bool | int | float, BeforeValidator(_plain_value)]
Number = Annotated[int | float, PlainValidator(_plain_value, json_schema_input_type=float)]


class OutcomePlan(Part):
    """A column and what counts as the good outcome in it, or that it holds an amount.

    Give either `favorable` or `favorable_when`, or neither and `amount`.
    """

    column: str = Field(description="The column.")
    favorable: tuple[Value, ...] = Field(default=(), description="One or more values that are the good outcome.")
    favorable_when: str | None = Field(
        default=None, description="A condition on the column, such as `score >= 5`, under which the outcome is good."
    )
    amount: bool = Field(
        default=False, description="Whether the decision is a number, such as pay: then means are compared."
    )
    higher_is_favorable: bool = Field(default=True, description="Whether more of it is better for the person.")
    levels: tuple[Value, ...] = Field(
        default=(),
        description=(
            "Where the decision has more levels than yes and no, all of them, the best first where they are ordered: a "
            "check then says who gets which. Without `favorable`, the first is the good outcome."
        ),
    )
    ordered: bool = Field(
        default=False, description="Whether the first of `levels` is the best, and the last the worst."
    )
    meaning: str | None = Field(
        default=None,
        description='The good outcome or the amount in words, for sentences: "income above 50K", "yearly pay".',
    )
    other_meaning: str | None = Field(
        default=None,
        description=(
            'The outcome that is not good in words: "income up to 50K". Without it, sentences put "not" before '
            "`meaning`."
        ),
    )
    verb: Words = Field(
        default=None,
        description=(
            'What is said of several people who got the good outcome, or of their amounts: "were approved", "were '
            'paid". Without it, one is made from the column and its value.'
        ),
    )
    unfavorable_verb: Words = Field(
        default=None,
        description=(
            'Instead, what is said of those who did not get the good outcome, where that reads better: "were searched".'
        ),
    )
    is_outcome: bool | None = Field(
        default=None,
        description=(
            "Whether a decision with a good outcome is what happened later, and not what somebody decided; without "
            "it, it is where the audit names a prediction or a score."
        ),
    )

    @model_validator(mode="before")
    @classmethod
    def _first_is_favorable(cls, given: object) -> object:
        """Take the first level for the good outcome where none is said."""
        said = ("favorable", "favorable_when", "amount")
        if not isinstance(given, dict) or any(given.get(name) for name in said):
            return given
        levels = given.get("levels")
        return given | {"favorable": levels[:1]} if isinstance(levels, list | tuple) and levels else given

    @field_validator("levels")
    @classmethod
    def _are_levels(cls, levels: tuple[str | bool | int | float, ...]) -> tuple[str | bool | int | float, ...]:
        texts = list(map(str, levels))
        twice = next((text for text in texts if texts.count(text) > 1), None)
        if twice is not None:
            raise ValueError(f"names the level {quote(twice)} twice; name each once")
        if len(levels) == 1:
            raise ValueError("names one level; name all, at least two")
        return levels

    @model_validator(mode="after")
    def _one_of(self) -> OutcomePlan:
        if bool(self.favorable) + bool(self.favorable_when) + self.amount != 1:
            raise ValueError(
                "give either 'favorable' (values) or 'favorable_when' (a condition), and not both; for a decision that "
                "is a number, such as pay, give neither and amount = true"
            )
        if self.levels and self.amount:
            raise ValueError("holds 'levels', which an amount does not have; leave them out")
        if self.ordered and not self.levels:
            raise ValueError("holds 'ordered', which needs 'levels', the best first")
        if not self.amount and not self.higher_is_favorable:
            raise ValueError("holds 'higher_is_favorable', which needs amount = true")
        for name in ("other_meaning", "is_outcome"):
            if self.amount and getattr(self, name) is not None:
                raise ValueError(f"holds {name!r}, which an amount does not have; leave it out")
        if self.unfavorable_verb is not None and (self.amount or self.verb is not None):
            raise ValueError("holds 'unfavorable_verb', which takes the place of 'verb' and needs a favourable result")
        return self

    def apart_in(self, decision: OutcomePlan) -> str | None:
        """Return the first field in which a prediction of levels is another than the decision; None where none is."""
        if self.favorable_when is not None or decision.favorable_when is not None:
            return "favorable_when"
        said = {name: (getattr(self, name), getattr(decision, name)) for name in ("levels", "favorable")}
        texts = {name: [list(map(str, part)) for part in both] for name, both in said.items()}
        apart = [name for name, (own, other) in texts.items() if own != other]
        return next(iter([*apart, *(["ordered"] if self.ordered != decision.ordered else [])]), None)

    @property
    def kind(self) -> OutcomeKind:
        """All that is particular to decisions like this one."""
        return AMOUNTS if self.amount else SHARES


def outcome_plan(column: str, favorable: Condition | None) -> OutcomePlan:
    """Return the part of a plan that names a decision, of which a condition is the good outcome; None of an amount."""
    if favorable is None:
        return OutcomePlan(column=column, amount=True)
    listed = favorable.listed
    plain = () if listed is None else tuple(v for v in listed[1] if isinstance(v, str | bool | int | float))
    if listed is not None and len(plain) == len(listed[1]):
        return OutcomePlan(column=column, favorable=plain)
    return OutcomePlan(column=column, favorable_when=str(favorable))


class ScorePlan(Part):
    """A score, and where it is cut into a prediction when there is no prediction column."""

    column: str = Field(description="The column.")
    higher_is_favorable: bool = Field(default=True, description="Whether a higher score speaks for the good outcome.")
    cut: float | None = Field(
        default=None,
        description=(
            "A row is predicted favorable when its score is at or above this (higher is favorable) or below it "
            "(higher is unfavorable)."
        ),
    )
