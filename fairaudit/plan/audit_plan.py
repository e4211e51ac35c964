"""The whole audit as data: readable, comparable, repeatable.

A plan says which data, what the decision and the good outcome are, which checks to make and how to report.
It is kept as TOML, validated against a versioned schema, and has a digest. It holds no data and no secret.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import tomli_w
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    WrapSerializer,
    model_validator,
)

from fairaudit.columns import SAID_OF_VALUES, ByGroup, Counts, Means, ReadOptions, WideCounts, hidden_cells, labels_of
from fairaudit.defaults import USUAL_POSITIVE, Positive
from fairaudit.errors import PlanError, in_brief, quote
from fairaudit.files import write_files
from fairaudit.outcomes import OutcomeKind
from fairaudit.plan.fields import InForm
from fairaudit.plan.measuring import MeasurePlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.parts import Part, read_toml
from fairaudit.plan.questions import ChangePlan, CheckPlan, ErrorsPlan, ExplanationPlan, InspectionPlan, SubgroupsPlan
from fairaudit.plan.sealing import SealPlan, question_digest, seal_of
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.part import RemedyPart
from fairaudit.remedies.plans import REMEDY_PLANS, RemedyPlan
from fairaudit.sections.alternatives.plan import AlternativesPlan
from fairaudit.sections.rankings.plan import RankingsPlan
from fairaudit.sections.watch.plan import WatchPlan


def refuse(remedy: RemedyPart, outcome: OutcomeKind) -> None:
    """Refuse a remedy that cannot be tried on decisions of a kind."""
    if outcome not in remedy.tried_on:
        others = " and ".join(f'"{method}"' for method, other in REMEDY_PLANS.items() if outcome in other.tried_on)
        raise ValueError(
            f'holds a remedy with method = "{remedy.method}", which needs a favourable result; where the '
            f"decision is {outcome.a_noun}, {others} can be tried"
        )
    remedy.check(outcome)


def goes_with(remedy: RemedyPart, outcome: OutcomeKind) -> bool:
    """Say whether a remedy can be tried on decisions of a kind."""
    try:
        refuse(remedy, outcome)
    except ValueError:
        return False
    return True


SCHEMA_VERSION: Final = 1


HOISTED: Final = (
    "counts",
    "means",
    "rounded_to",
    "hidden",
    "weights",
    "design_strata",
    "design_clusters",
    "labels",
    "derived",
    *SAID_OF_VALUES,
)
"""What of how data are read stands under [data] itself."""


def _known_reading(value: object) -> object:
    for name in HOISTED:
        said = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
        if said or (name == "means" and said is not None):
            raise ValueError(f"holds {name!r}, which stands under [data] itself")
    if isinstance(value, dict):
        known = {f.name for f in dataclasses.fields(ReadOptions)} - set(HOISTED)
        unknown = sorted(set(value) - known - set(HOISTED))
        if unknown:
            raise ValueError(f"has the unknown field {unknown[0]!r}; known are: {', '.join(sorted(known))}")
        if value.get("decimal") is not None and "rules" not in value:
            return value | {"rules": None}
    return value


def _known_labels(value: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return {name: dict(codes) for name, codes in labels_of(value)}


_OF_COUNTS: Final = frozenset({"pairs", *(each.name for each in dataclasses.fields(WideCounts))})


def _by_group(value: object) -> object:
    """Let columns by group be written as a table of groups and columns."""
    if isinstance(value, dict) and set(value).isdisjoint(_OF_COUNTS):
        return ByGroup(tuple(value.items()))
    return value


def _several_by_group(value: object) -> object:
    """Let one column be written as a text, and columns by group as tables."""
    several = [value] if isinstance(value, str | dict) else value
    return tuple(map(_by_group, several)) if isinstance(several, list | tuple) else value


def _written_by_group(value: object, usual: SerializerFunctionWrapHandler) -> Any:
    """Write columns by group as a table of groups and columns."""
    if isinstance(value, tuple):
        return [dict(each.pairs) if isinstance(each, ByGroup) else each for each in value]
    return dict(value.pairs) if isinstance(value, ByGroup) else usual(value)


Groups = dict[str, str]
CountsInPlan = Annotated[
    Counts | None,
    BeforeValidator(_by_group, json_schema_input_type=str | WideCounts | Groups | None),
    WrapSerializer(_written_by_group),
]
MeansInPlan = Annotated[
    Means | None,
    BeforeValidator(_several_by_group, json_schema_input_type=str | Groups | list[str | Groups] | None),
    WrapSerializer(_written_by_group),
]


def _known_hidden(value: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    return dict(hidden_cells(value))


class DerivedPlan(Part):
    """A column that is made of several others on reading."""

    any_of: tuple[str, ...] = Field(
        min_length=2,
        description=(
            "The columns that it is made of: boxes that a person may tick, of yes and no or of values. Its value is "
            'the one that is ticked, such as "Black only", or "several".'
        ),
    )


class DataPlan(Part):
    """Which data, and what they must contain.

    The address of a database and its secrets are for the administrator to keep, never for a plan.
    """

    source: str = Field(
        description=(
            "A path relative to the plan, `sample:NAME`, or `connection:NAME` where the rows stay in a database."
        ),
    )
    name: str | None = Field(default=None, description="What the data are called.")
    fingerprint: str | None = Field(default=None, description="That of the data that the plan was saved with.")
    n_rows: int | None = Field(default=None, description="Their rows.")
    columns: tuple[str, ...] | None = Field(default=None, description="Their columns.")
    counts: CountsInPlan = Field(
        default=None,
        description=(
            'The column that says how many cases each row stands for; or two, such as `{favorable = "selected", all = '
            '"applicants"}` or `{favorable = "admitted", others = "rejected"}`, of which a decision is made; or one '
            'for each group, such as `{women = "n_women", men = "n_men"}`.'
        ),
    )
    means: MeansInPlan = Field(
        default=None,
        description=(
            "Columns whose number is the mean of the people that a row stands for; where `counts` is by group, those "
            'of each group, such as `[{women = "pay_women", men = "pay_men"}]`. Forms on pay take them, nothing else. '
            "An empty list says that each person of a row has its number."
        ),
    )
    rounded_to: Annotated[int, Field(ge=1)] | None = Field(
        default=None,
        description=(
            "The number to whose multiples these counts were rounded; 1 says that they are exact, although all are "
            "multiples of 5 or 10."
        ),
    )
    hidden: Annotated[dict[str, tuple[int, int]], AfterValidator(_known_hidden)] = Field(
        default_factory=dict,
        description=(
            'What texts in the place of a count stand for: the smallest and the largest number, such as "<5" = [1, 4].'
        ),
    )
    weights: str | None = Field(
        default=None,
        description="The column of sampling weights: how many people each row of a survey speaks for.",
    )
    design_strata: str | None = Field(
        default=None, description="The column of the strata that the survey was drawn from."
    )
    design_clusters: str | None = Field(
        default=None, description="The column of what the survey drew first, such as schools or districts."
    )
    not_known: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="By column, values that say that something is not known: they are read as missing.",
    )
    left_out: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="By column, values whose rows are left out, such as totals of other rows."
    )
    real_values: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description=(
            "By column, values that look like a total, or like something that is not known, and are values like others."
        ),
    )
    labels: Annotated[dict[str, dict[str, str]], AfterValidator(_known_labels)] = Field(
        default_factory=dict,
        description=(
            'By column, what its codes stand for, such as "1" = "man": the column becomes text. A code without a '
            "label stays as it is."
        ),
    )
    derived: dict[str, DerivedPlan] = Field(
        default_factory=dict, description="By name, columns that are made of several others."
    )
    reading: Annotated[ReadOptions, BeforeValidator(_known_reading)] = Field(
        default=ReadOptions(), description="How the file is to be read, but for what stands beside it."
    )
    connection: str | None = Field(default=None, description="The name that an administrator gave to the connection.")
    table: str | None = Field(default=None, description="The table or view that is read there.")
    query: str | None = Field(default=None, description="The query, where it is not a table.")

    @property
    def options(self) -> ReadOptions:
        """All of how the data are to be read."""
        said: dict[str, Any] = {name: getattr(self, name) for name in HOISTED}
        derived = tuple((name, made.any_of) for name, made in self.derived.items())
        made = {"labels": labels_of(self.labels), "derived": derived, "hidden": hidden_cells(self.hidden)}
        return dataclasses.replace(self.reading, **said | made)

    def read_by(self, options: ReadOptions) -> DataPlan:
        """Return the data, read in another way."""
        nothing = ReadOptions()
        said = {name: getattr(options, name) for name in HOISTED}
        without: dict[str, Any] = {name: getattr(nothing, name) for name in HOISTED}
        said |= {name: dict(said[name]) for name in SAID_OF_VALUES}
        said["hidden"] = dict(options.hidden)
        said["labels"] = {name: dict(codes) for name, codes in options.labels}
        said["derived"] = {name: DerivedPlan(any_of=columns) for name, columns in options.derived}
        return self.model_copy(update={**said, "reading": dataclasses.replace(options, **without)})

    @model_validator(mode="after")
    def _hides_counts(self) -> DataPlan:
        if self.counts is None and (self.rounded_to is not None or self.hidden):
            raise ValueError("holds 'rounded_to' or 'hidden' without 'counts'")
        return self

    @model_validator(mode="after")
    def _design_has_weights(self) -> DataPlan:
        if self.weights is None and (self.design_strata is not None or self.design_clusters is not None):
            raise ValueError("holds 'design_strata' or 'design_clusters' without 'weights'")
        return self

    @model_validator(mode="after")
    def _means_have_counts(self) -> DataPlan:
        ReadOptions(counts=self.counts, means=self.means)
        return self


class SmallCellsPlan(Part):
    """The small-cell rule."""

    mask: bool = Field(
        default=False, description="Whether counts under `minimum` are hidden in everything that is exported."
    )
    minimum: int = Field(default=10, ge=2, description="The smallest count that is shown.")
    beside: tuple[Annotated[str, Field(pattern="^[0-9a-f]{64}$")], ...] = Field(
        default=(), description="Digests of the published audits beside which they are hidden, as their reports say."
    )


class NamesPlan(Part):
    """What columns and values are called in sentences."""

    strata: dict[str, str] = Field(
        default_factory=dict,
        description=(
            'By column, what is said of people who are alike in it: "at similar incomes", "in the same grade".'
        ),
    )
    groups: dict[str, dict[str, str]] = Field(
        default_factory=dict, description='By column and value, who has that value, as a plural: "women".'
    )
    values: dict[str, dict[str, str]] = Field(
        default_factory=dict,
        description=(
            'By column and value, what is said of such people after who they are: "under 25", "charged with a felony".'
        ),
    )


Opens = Literal[
    "errors",
    "subgroups",
    "explanations",
    "changes",
    "watches",
    "inspections",
    "rankings",
    "alternatives",
    "checks",
    "presets",
]
"""The parts of a plan that a report may open with; the first that is asked, where the plan does not say."""


class ReportPlan(Part):
    """What the report says about itself and what it holds."""

    title: str | None = Field(default=None, description="What the first page says.")
    author: str | None = Field(default=None, description="What the first page says.")
    organisation: str | None = Field(default=None, description="What the first page says.")
    date: str | None = Field(
        default=None,
        description=("The date on the first page, as it is written there; nothing is printed where it is not given."),
    )
    purpose: str | None = Field(default=None, description="What the first page says.")
    quality: bool = Field(default=True, description="Whether it says what is remarkable about the data.")
    definitions: bool = Field(default=True, description="Whether it explains its terms.")
    opens_with: Opens | None = Field(
        default=None,
        description=(
            'The part of the plan whose first question the report is about: "checks" or another that asks. Without '
            "it, what goes deeper than a check comes first."
        ),
    )


class AuditPlan(Part):
    """A whole audit: data, roles, checks, masking and report options.

    Build one with keyword arguments, or from TOML with :meth:`from_toml` or :meth:`load`. Two plans are equal when
    their contents are; :attr:`digest` names the content.

    Examples
    --------
    >>> plan = AuditPlan(
    ...     data=DataPlan(source="adult.csv"),
    ...     decision=OutcomePlan(column="income", favorable=(">50K",)),
    ...     checks=(CheckPlan(protected="race <> 'White'"),),
    ... )
    >>> AuditPlan.from_toml(plan.to_toml()) == plan
    True
    """

    schema_version: Literal[1] = Field(default=SCHEMA_VERSION, description="Version of the plan's schema.")
    data: DataPlan = Field(description="Which data.")
    decision: OutcomePlan = Field(
        description=(
            "The decision, and what counts as the good outcome. Where nothing but searches or rankings is asked, it "
            "may be left out: it is then to be looked at in the first search, and not to be is good; or the order."
        ),
    )
    prediction: OutcomePlan | None = Field(default=None, description="What a model predicted, where the data hold it.")
    score: ScorePlan | None = Field(default=None, description="The score of a model, where the data hold it.")
    positive: Positive = Field(
        default=USUAL_POSITIVE,
        description=(
            "Which outcome is called positive in the whole audit: in errors, searches for subgroups and models. Parts "
            "that say another, as audits of before may, keep theirs; where it is not said, it is that of the first of "
            "these, and subgroups are measured as if the good outcome were."
        ),
    )
    measure: MeasurePlan | None = Field(
        default=None, description="Four answers from which it follows what is compared, and why."
    )
    protected_columns: tuple[str, ...] = Field(default=(), description="The columns that say who is protected.")
    checks: tuple[CheckPlan, ...] = Field(default=(), description="The controlled-fairness questions.")
    errors: tuple[ErrorsPlan, ...] = Field(
        default=(), description="The questions about the errors of a prediction or score."
    )
    subgroups: tuple[SubgroupsPlan, ...] = Field(default=(), description="The searches for the worst-hit subgroups.")
    explanations: tuple[ExplanationPlan, ...] = Field(
        default=(), description="The questions about what explains a gap."
    )
    changes: tuple[ChangePlan, ...] = Field(default=(), description="The questions about whether a gap changed.")
    watches: tuple[WatchPlan, ...] = Field(default=(), description="The gaps that are watched over batches.")
    inspections: tuple[InspectionPlan, ...] = Field(
        default=(), description="The questions about searches and inspections."
    )
    rankings: tuple[RankingsPlan, ...] = Field(
        default=(), description="The questions about who stands among the first of lists."
    )
    models: ModelsPlan | None = Field(
        default=None, description="What all models learn from; needed where there are remedies or alternatives."
    )
    remedies: tuple[RemedyPlan, ...] = Field(default=(), description="What is tried, each judged on held-out rows.")
    alternatives: tuple[AlternativesPlan, ...] = Field(
        default=(), description="The searches for models that serve as well as the one in use, with a smaller gap."
    )
    presets: tuple[PresetPlan, ...] = Field(default=(), description="The forms of rules to fill.")
    small_cells: SmallCellsPlan = Field(default=SmallCellsPlan(), description="Whether small counts are hidden.")
    names: NamesPlan = Field(default=NamesPlan(), description="Names of columns and values, for sentences.")
    report: ReportPlan = Field(default=ReportPlan(), description="What the report says about itself.")
    seal: SealPlan | None = Field(
        default=None, description="What was asked when the plan was sealed, before the answer was shown."
    )
    seed: Annotated[
        Annotated[int, Field(ge=0)],
        InForm(
            label="Seed",
            help="Decides which cases are test cases, and all else that is random.",
            most=2**31 - 1,
            step=1,
        ),
    ] = Field(default=0, description="It feeds everything that draws at random.")

    @model_validator(mode="before")
    @classmethod
    def _looking_decides(cls, given: object) -> object:
        """Take what is looked at or ranked as the decision where none is named, and nothing that needs one is asked."""
        if not isinstance(given, dict) or "decision" in given or any(given.get(name) for name in _OF_DECISION):
            return given
        decision = _decision_asked(given.get("inspections"), given.get("rankings"))
        return given if decision is None else given | {"decision": decision}

    @model_validator(mode="before")
    @classmethod
    def _one_positive(cls, given: object) -> object:
        """Give each part that calls an outcome positive the choice of the audit, or the audit that of its parts."""
        if not isinstance(given, dict) or not all(isinstance(given.get(n, ()), list | tuple) for n in _COUNTING):
            return given
        errors, models = list(given.get("errors", ())), given.get("models")
        parts = [*errors, *([] if models is None else [models])]
        said, known = given.get("positive"), get_args(Positive)
        usual = said if said in known else USUAL_POSITIVE
        audit = said or next((own for part in parts if (own := _said(part, "positive")) in known), usual)
        filled = {"positive": audit, "errors": [_filled(part, "positive", usual) for part in errors]}
        if models is not None:
            filled["models"] = _filled(models, "positive", usual)
        if said is None and audit != USUAL_POSITIVE:
            filled["subgroups"] = [_turned(part) for part in given.get("subgroups", ())]
        return given | filled

    @model_validator(mode="after")
    def _remedies_need_models(self) -> AuditPlan:
        if self.remedies and self.models is None:
            raise ValueError("holds 'remedies' and needs a part [models] that says what the models learn from")
        if self.alternatives and self.models is None:
            raise ValueError("holds 'alternatives' and needs a part [models] that says what the models learn from")
        names = [remedy.name for remedy in self.remedies if remedy.name is not None]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"holds two remedies with the name {quote(twice)}; give each a name of its own")
        return self

    @model_validator(mode="after")
    def _opens_with_what_is_asked(self) -> AuditPlan:
        wanted = self.report.opens_with
        if wanted is not None and not getattr(self, wanted):
            raise ValueError(f'holds opens_with = "{wanted}" in [report] and asks no {wanted}; name a part that it has')
        return self

    @model_validator(mode="after")
    def _all_goes_with_the_decision(self) -> AuditPlan:
        kind = self.decision.kind
        if self.errors and not kind.has_good_outcome:
            raise ValueError("holds 'errors', which need a favourable result, not an amount")
        if self.alternatives and not kind.has_good_outcome:
            raise ValueError("holds 'alternatives', which need a favourable result, not an amount")
        if self.watches and not kind.has_good_outcome:
            raise ValueError("holds 'watches', which need a favourable result, not an amount")
        for search in self.subgroups:
            if not search.goes_with(has_good_outcome=kind.has_good_outcome):
                raise ValueError(f'holds subgroups with measure = "{search.measure}", which needs another decision')
        for remedy in self.remedies:
            refuse(remedy, kind)
        if self.prediction is not None and not self.prediction.kind.has_good_outcome:
            raise ValueError("holds a prediction with amount = true, but a prediction needs 'favorable'")
        if self.prediction is not None and self.prediction.levels:
            if (name := self.prediction.apart_in(self.decision)) is not None:
                raise ValueError(
                    f"holds a prediction with 'levels' and another {name!r} than the decision; write the same levels, "
                    "order and favourable values in both"
                )
        elif any(errors.strata for errors in self.errors):
            raise ValueError("holds 'strata' in errors, which need a prediction with 'levels'; leave them out")
        if self.decision.levels and any(c.cluster is not None for c in self.checks):
            raise ValueError("holds 'cluster' in a check, which is not defined where the decision has 'levels'")
        if self.prediction is not None and self.prediction.is_outcome is not None:
            raise ValueError("holds a prediction with 'is_outcome', which only the decision has; leave it out")
        if not kind.has_good_outcome and any(c.cluster is not None for c in self.checks):
            raise ValueError("holds 'cluster' in a check, which needs a favourable result, not an amount")
        if not kind.has_good_outcome and any(change.cluster is not None for change in self.changes):
            raise ValueError("holds 'cluster' in changes, which needs a favourable result, not an amount")
        if kind.has_good_outcome and any(change.amount_tolerance is not None for change in self.changes):
            raise ValueError("holds 'amount_tolerance' in changes, which needs amount = true under [decision]")
        if kind.has_good_outcome and any(c.similar_by or c.amount_tolerance is not None for c in self.checks):
            raise ValueError(
                "holds 'amount_tolerance' or 'similar_by' in a check, which need amount = true under [decision]"
            )
        return self

    @property
    def names_decision(self) -> bool:
        """Whether a decision is named: an audit of nothing but searches and rankings needs none."""
        asked = any(getattr(self, name) for name in _OF_DECISION)
        return asked or self.decision != _decision_asked(self.inspections, self.rankings)

    @property
    def asking_parts(self) -> tuple[Opens, ...]:
        """The parts that ask something, in the order in which a report has them where nothing else is said."""
        return tuple(name for name in get_args(Opens) if getattr(self, name))

    @property
    def opens_with(self) -> Opens | None:
        """The part that the report opens with; None where nothing is asked."""
        asking = self.asking_parts
        return self.report.opens_with if self.report.opens_with in asking else next(iter(asking), None)

    @property
    def decision_is_outcome(self) -> bool:
        """Whether the decision is what happened later: a prediction is judged by it, and no model replaces it."""
        if not self.decision.kind.has_good_outcome:
            return False
        said = self.decision.is_outcome
        return (self.prediction or self.score) is not None if said is None else said

    @property
    def counts_positive(self) -> bool:
        """Whether anything in the plan depends on which outcome is called positive."""
        return bool(self.errors or self.models) or any(search.needs_prediction for search in self.subgroups)

    @property
    def digest(self) -> str:
        """SHA-256 of the plan's content, 64 hexadecimal digits, the same for equal plans."""
        text = json.dumps(self._sparse(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def question(self) -> str:
        """SHA-256 of what the plan asks, 64 hexadecimal digits: without the data, names and the first page."""
        return question_digest(self.to_toml())

    @property
    def changed_since_seal(self) -> tuple[str, ...] | None:
        """The names of the parts that changed since the plan was sealed; None where it was not."""
        return None if self.seal is None else self.seal.changed(self.to_toml())

    def sealed(self, *, by: str | None = None, at: datetime.datetime | None = None) -> AuditPlan:
        """Return the plan with a seal that shows whether what it asks changes later.

        Parameters
        ----------
        by : str, optional
            Who seals it.
        at : datetime, optional
            When; now, unless said otherwise.

        Returns
        -------
        AuditPlan
            The same plan with its part ``seal``, whose ``code`` is to be handed to somebody else.
        """
        return self.model_copy(update={"seal": seal_of(self.to_toml(), by=by, at=at)})

    def to_toml(self) -> str:
        """Return the plan as TOML, without what is left at its default.

        Returns
        -------
        str
            The content of a plan file; :meth:`from_toml` reads it back.
        """
        values = self._sparse()
        lists = {name: values.pop(name, []) for name in PART_LISTS if name not in _BESIDE_TABLES}
        # tomli_w would fold short tables into one line; one heading a check reads and compares better.
        parts = [tomli_w.dumps(values)]
        parts += [f"\n[[{name}]]\n{_within(name, table)}" for name, tables in lists.items() for table in tables]
        return "".join(parts)

    def save(self, path: str | Path) -> None:
        """Write the plan as TOML to a file.

        Parameters
        ----------
        path : str or Path
            The file; one that is there is replaced.
        """
        write_files({Path(path): self.to_toml().encode()})

    @classmethod
    def from_toml(cls, text: str) -> AuditPlan:
        """Read a plan from TOML.

        Parameters
        ----------
        text : str
            The content of a plan file.

        Returns
        -------
        AuditPlan
            The plan, validated.

        Raises
        ------
        PlanError
            If the text is not TOML, has another schema version or breaks the schema; with the line and the remedy.
        """
        values = read_toml(text, what="plan", hint="Open a plan that fairaudit saved.")
        version = values.get("schema_version")
        if version != SCHEMA_VERSION:
            raise PlanError(
                f"'schema_version' of the plan must be {SCHEMA_VERSION}, got {in_brief(repr(version))}.",
                hint="Open the plan with the version of fairaudit that wrote it, or make it anew.",
            )
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise cls.sentence(error, text) from None

    @classmethod
    def load(cls, path: str | Path) -> AuditPlan:
        """Read a plan from a TOML file.

        Parameters
        ----------
        path : str or Path
            The file, UTF-8.

        Returns
        -------
        AuditPlan
            The plan, validated.

        Raises
        ------
        PlanError
            If the file cannot be read, is not UTF-8 or not a plan.
        """
        try:
            return cls.from_toml(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise PlanError(f"The plan file {str(path)!r} cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise PlanError(f"The plan file {str(path)!r} is not UTF-8 text.") from None

    def _sparse(self) -> dict[str, Any]:
        values = self.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
        # The method names the kind of remedy, so it stays although it is the default of its kind.
        for remedy, sparse in zip(self.remedies, values.get("remedies", ()), strict=True):
            sparse |= {"method": remedy.method}
        # Without its rules, a decimal mark may be one that an earlier version found.
        if self.data.reading.decimal is not None and self.data.reading.rules is not None:
            values["data"]["reading"]["rules"] = self.data.reading.rules
        asked: list[tuple[ErrorsPlan | ModelsPlan, Any]] = [*zip(self.errors, values.get("errors", ()), strict=True)]
        asked += [] if self.models is None else [(self.models, values["models"])]
        if not self.names_decision:
            del values["decision"]
        for part, sparse in asked:
            sparse.pop("positive", None)
            if part.positive != self.positive:
                values["positive"], sparse["positive"] = self.positive, part.positive
        return {"schema_version": SCHEMA_VERSION} | values


PART_LISTS: Final = tuple(
    name
    for name, field in AuditPlan.model_fields.items()
    if get_origin(field.annotation) is tuple and get_args(field.annotation)[0] is not str
)
"""The fields of a plan that hold several parts: the kinds of questions, and the remedies."""
_COUNTING: Final = ("errors", "subgroups")
WITHOUT_DECISION: Final = ("inspections", "rankings")
"""The kinds of questions that need no decision."""
_OF_DECISION: Final = (*(name for name in PART_LISTS if name not in WITHOUT_DECISION), "models", "prediction", "score")
"""What a plan holds that rests on its decision."""
_BESIDE_TABLES: Final = ("explanations", "changes")
"""Lists that a plan file has among its single tables, before the other lists."""
_OTHER_WAY: Final = {"fpr": "fnr", "fnr": "fpr", "fdr": "for_", "for_": "fdr"}
"""What a rate of errors is called where the other outcome is called positive."""


def _decision_asked(searches: object, rankings: object) -> OutcomePlan | None:
    """Return the decision that the first search or ranking is about, as far as it says one."""
    search, ranking = (part[0] if isinstance(part, list | tuple) and part else None for part in (searches, rankings))
    acted, rank, score = _said(search, "acted"), _said(ranking, "rank"), _said(ranking, "score")
    if isinstance(acted, str) and acted:
        return OutcomePlan(column=acted, favorable_when=f"NOT ({acted})", meaning="not looked at")
    order = rank or score
    if not isinstance(order, str):
        return None
    is_high = not rank and not _said(ranking, "lowest_first")
    return OutcomePlan(column=order, amount=True, higher_is_favorable=is_high)


def _said(part: object, name: str) -> Any:
    """Return what a part says of a field itself; None where it says nothing."""
    if isinstance(part, dict):
        return part.get(name)
    return getattr(part, name) if isinstance(part, Part) and name in part.model_fields_set else None


def _filled(part: object, name: str, value: object) -> object:
    """Return a part with a value for a field of which it says nothing."""
    if _said(part, name) is not None:
        return part
    if isinstance(part, dict):
        return part | {name: value}
    return part.model_copy(update={name: value}) if isinstance(part, Part) else part


def _turned(search: Any) -> Any:
    """Return a search that measures the same where the other outcome is called positive."""
    measure = _OTHER_WAY.get(_said(search, "measure"))
    if measure is None:
        return search
    return search | {"measure": measure} if isinstance(search, dict) else search.model_copy(update={"measure": measure})


def _within(name: str, table: dict[str, object]) -> str:
    """Return an entry of a list as TOML, the headings of its own tables under the list's name."""
    return re.sub(r"^(\[+)(?=\w)", rf"\1{name}.", tomli_w.dumps(table), flags=re.MULTILINE)
