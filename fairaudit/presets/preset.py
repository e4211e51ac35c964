"""What a preset file holds, and how it is found and read: those of the package, and an office's own."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, field_validator, model_validator

from fairaudit.data.readers import leads_out
from fairaudit.data.unknown_values import USUAL_WORDS
from fairaudit.defaults import USUAL_TOLERANCE
from fairaudit.errors import InputError, PlanError, near_names, quote, require
from fairaudit.measure.impact import FISHER_LEVEL, TWO_DEVIATIONS
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.measure.pay import Statistic
from fairaudit.plan.parts import Part, plan_error, read_toml
from fairaudit.presets.items import PresetItem
from fairaudit.presets.lines import Address, Filled, Number, Share, Switch
from fairaudit.presets.plan import PresetPlan, as_text
from fairaudit.presets.status import RuleSource, RuleStatus
from fairaudit.settings import PRESETS

MEASURES: dict[str, tuple[str, frozenset[str]]] = {
    "rates": (
        "rates",
        frozenset(
            {
                "reference",
                "threshold",
                "significance",
                "one_person",
                "deviations",
                "level",
                "smallest_share",
                "leave_out_small",
            }
        ),
    ),
    "means": ("means", frozenset({"reference"})),
    "pay_gap": (
        "pay",
        frozenset(
            {
                "of",
                "statistic",
                "among",
                "mark_from",
                "within_months",
                "joint",
                "groups",
                "fewest",
                "article",
                "asks",
            }
        ),
    ),
    "receiving": ("pay", frozenset({"of", "groups", "fewest", "article", "asks"})),
    "quarters": ("pay", frozenset({"of", "fewest", "article", "asks"})),
    "shares": ("pay", frozenset({"of", "article", "asks"})),
    "workforce": ("pay", frozenset({"of", "article", "asks"})),
    "answer": ("pay", frozenset({"of", "fewest", "article", "asks"})),
}
"""What each measure is about, and the settings that a check of it goes by besides 'measure' and 'by'."""


class PresetRole(Part):
    """Something that a rule speaks of and a column of the data holds."""

    role: Filled = Field(description="The name that plans and checks use.")
    label: Filled = Field(description="The same for people.")
    kind: Literal["group", "score", "amount"] = Field(
        default="group",
        description=(
            "Groups of people, a score that is cut at its median, or amounts whose means are compared (several "
            "columns)."
        ),
    )
    optional: Switch = Field(default=False, description="Whether the form can be made without it.")
    suggest: tuple[Filled, ...] = Field(default=(), description="Parts of column names that hint at it.")
    compared: tuple[Filled, ...] = Field(
        default=(),
        description=(
            "Of a group that divides pay: the values that usually mean each of the two sides, such as woman and man. "
            "A plan may name others."
        ),
    )
    compared_with: tuple[Filled, ...] = Field(
        default=(),
        description=(
            "Of a group that divides pay: the values that usually mean each of the two sides, such as woman and man. "
            "A plan may name others."
        ),
    )
    compared_rest: Switch = Field(
        default=False, description="Of the same: whether everybody else who is known is the first side."
    )
    holds: tuple[Filled, ...] = Field(
        default=(), description="Of amounts: the roles of components that a column of this role must hold, too."
    )
    counted: Filled | None = Field(
        default=None,
        description=(
            "Of pay: who alone counts in the figures of this role, where these are not all who are looked at; a plan "
            "says by which condition."
        ),
    )


class PresetCheck(Part):
    """One thing that a rule asks to be computed."""

    measure: Literal["rates", "means", "pay_gap", "receiving", "quarters", "shares", "workforce", "answer"] = Field(
        description=(
            "Impact ratios of rates, standardised differences of means, or, between two sides: gaps in pay, shares "
            "who receive a component of pay, the quarters of all workers by pay, the shares of both sides in each "
            "category, the groups of all workers with those who did not say, and the answer to one worker: own pay and "
            "the means of both sides in the same category."
        ),
    )
    by: Annotated[tuple[Annotated[tuple[Filled, ...], Field(min_length=1)], ...], Field(min_length=1)] = Field(
        description=(
            "Roles that make the groups, one table each; several roles are crossed. Of pay: the role that has two "
            "sides, and for gaps, as a second one, that of categories."
        ),
    )
    reference: Literal["highest", "largest"] = Field(
        default="highest",
        description=(
            "Which group the others are compared with: that with the highest rate, or the one with the most people. A "
            'plan may name another where it is "largest". Means are compared with the largest, or the one that the '
            "plan names."
        ),
    )
    threshold: Number = Field(
        default=FOUR_FIFTHS, gt=0, le=1, description="The impact ratio under which a group is marked."
    )
    significance: Switch = Field(
        default=False, description="Whether to test differences, and to say what one person more would change."
    )
    one_person: Switch = Field(
        default=False, description="Whether to test differences, and to say what one person more would change."
    )
    deviations: Number = Field(
        default=TWO_DEVIATIONS,
        gt=0,
        description=(
            "From how many standard deviations on, and for Fisher's test below which p-value, a difference is "
            "significant."
        ),
    )
    level: Number = Field(
        default=FISHER_LEVEL,
        gt=0,
        lt=1,
        description=(
            "From how many standard deviations on, and for Fisher's test below which p-value, a difference is "
            "significant."
        ),
    )
    smallest_share: Share = Field(
        default=0.0, description="Groups with a smaller share of the people are marked as small."
    )
    leave_out_small: Switch = Field(
        default=False, description="Whether they are left out of the impact ratios, unless the plan says otherwise."
    )
    of: Filled | None = Field(default=None, description="Of pay: the role whose columns hold it.")
    statistic: Literal["mean", "median"] = Field(default="mean", description="Of a gap in pay: what is compared.")
    among: Literal["all", "receiving"] = Field(
        default="all", description="Of a gap in pay: whether all with a number are compared, or those with more than 0."
    )
    mark_from: Annotated[Number, Field(gt=0, lt=1)] | None = Field(
        default=None, description="Of a gap in pay by category: from which gap on, either way, a category is marked."
    )
    within_months: int = Field(
        default=6,
        strict=True,
        gt=0,
        le=120,
        description=("Of the same: within how many months of the report it is to be remedied, unless it is justified."),
    )
    joint: Switch = Field(
        default=False,
        description="Of the same: whether measures are stated for marked categories, and how earlier ones worked.",
    )
    groups: Switch = Field(
        default=False, description="Of pay: whether each value of the first side is a row, compared with the second."
    )
    fewest: Annotated[int, Field(strict=True, ge=2, le=1000)] | None = Field(
        default=None,
        description="Of pay: a side of fewer people has no figure, and groups of fewer are joined.",
    )
    article: Filled | None = Field(
        default=None, description="Which part of the rule asks for it, and what that asks for, in a sentence."
    )
    asks: Filled | None = Field(
        default=None, description="Which part of the rule asks for it, and what that asks for, in a sentence."
    )

    @property
    def about(self) -> str:
        """What the measure is about: rates, means or pay."""
        return MEASURES[self.measure][0]

    @property
    def pay_statistic(self) -> Statistic:
        """Of pay: what the rows of its table hold."""
        match self.measure:
            case "receiving":
                return "receiving"
            case "quarters":
                return "quarter"
            case "shares":
                return "share"
            case "workforce":
                return "workforce"
        return self.statistic

    @model_validator(mode="after")
    def _nothing_is_passed_over(self) -> PresetCheck:
        for names in self.by:
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise InputError(f"holds {twice!r} twice in one table of 'by'", hint="Name each role once.")
        groups = [frozenset(names) for names in self.by]
        again = next((names for names in reversed(self.by) if groups.count(frozenset(names)) > 1), None)
        if again is not None:
            raise InputError(f"holds the table by {' and '.join(again)!r} twice", hint="Name each table once.")
        if self.leave_out_small and not self.smallest_share:
            raise InputError(
                "holds leave_out_small = true and does not say which groups are small",
                hint="Add smallest_share = 0.02, or take 'leave_out_small' away.",
            )
        about, settings = MEASURES[self.measure]
        lost = sorted(self.model_fields_set - settings - {"measure", "by"})
        if lost:
            owners = [other for other, (_, known) in MEASURES.items() if lost[0] in known]
            raise InputError(
                f"is of {self.measure} and holds {lost[0]!r}, which is for {' and '.join(owners)}", hint="Take it away."
            )
        if about == "means" and self.reference == "highest" and "reference" in self.model_fields_set:
            raise InputError(
                "is of means and holds reference = 'highest', which is for rates", hint='Write reference = "largest".'
            )
        if about == "pay":
            self._is_of_pay()
        return self

    def _is_of_pay(self) -> None:
        """Refuse a check of pay that does not say of what, or is by too many roles."""
        if self.of is None:
            raise InputError(
                f"is of {self.measure} and does not name the role of pay", hint='Add of = "pay", or another role.'
            )
        most = 2 if self.measure in ("pay_gap", "receiving", "shares", "answer") and not self.groups else 1
        long = next((names for names in self.by if len(names) > most), None)
        if long is not None:
            raise InputError(
                f"is of {self.measure} and holds a table by {' and '.join(long)!r}, of more roles than {most}",
                hint="Name the role that has two sides, and for gaps one of categories after it.",
            )
        if self.measure in ("shares", "answer") and any(len(names) == 1 for names in self.by):
            raise InputError(
                f"is of {self.measure} and holds a table that is not by categories",
                hint="Name a role of categories as the second one of the table.",
            )
        if self.joint and self.mark_from is None:
            raise InputError(
                "holds joint = true and does not say which categories are marked",
                hint="Add mark_from = 0.05, or take 'joint' away.",
            )
        if self.mark_from is not None and any(len(names) == 1 for names in self.by):
            raise InputError(
                "holds 'mark_from' and a table that is not by categories",
                hint="Name a role of categories as the second one of the table.",
            )


class PresetWords(Part):
    """The words of a rule, for tables and sentences."""

    people: Filled = Field(default="people", description="Who is looked at, plural: applicants.")
    selected: Filled = Field(default="selected", description="The good outcome: selected, approved.")
    rate: Filled = Field(default="selection rate", description="The share of those: selection rate.")
    scoring_rate: Filled = Field(default="scoring rate", description="The share above the median score.")
    category: Filled = Field(default="group", description="What a group is called.")
    ratio: Filled = Field(default="impact ratio", description="What the ratio of rates is called.")
    reading: Filled = Field(
        default="A ratio below the threshold calls for a closer look; it proves nothing by itself.",
        description="One or two sentences on how the ratio is read under the rule.",
    )
    compared: Filled = Field(default="women", description="The two sides of a gap in pay, plural: women, men.")
    compared_with: Filled = Field(default="men", description="The two sides of a gap in pay, plural: women, men.")
    marked: Filled = Field(default="a closer look", description="What the rule asks for where a category is marked.")


class Preset(Part):
    """The form that a rule asks for."""

    key: str = Field(description="Its name in plans: small letters, digits and `_`.")
    title: Filled = Field(description="Its name for people.")
    rule: Filled = Field(
        description="The rule, the section that asks for the form, and when it was made or came into force."
    )
    section: Filled = Field(
        description="The rule, the section that asks for the form, and when it was made or came into force."
    )
    date: Filled = Field(
        description="The rule, the section that asks for the form, and when it was made or came into force."
    )
    url: Address | None = Field(default=None, description="Where the rule can be read.")
    status: RuleStatus | None = Field(
        default=None, description="Whether the rule is in force, when somebody last looked, and where."
    )
    covers: tuple[Filled, ...] = Field(min_length=1, description="One sentence each.")
    does_not_cover: tuple[Filled, ...] = Field(min_length=1, description="One sentence each.")
    notice: Filled = Field(description="What it is not: legal advice.")
    unknown: Literal["any", "own"] = Field(
        default="own",
        description=(
            "Who is left out of a table: everybody with an unknown value in one of the columns, or in those of the "
            "table."
        ),
    )
    publishes: Switch = Field(
        default=False,
        description="Whether the rule asks to publish where the data come from and the dates of audit and use.",
    )
    usual_unknown: Switch = Field(
        default=False, description="Whether the package's list of usual words for unknown holds, `USUAL_WORDS`."
    )
    unknown_values: tuple[Annotated[Filled, BeforeValidator(as_text)], ...] = Field(
        default=(),
        description=(
            "Further values that mean unknown besides missing and blank ones; letter case, blanks and punctuation do "
            "not matter, but a number is that number only."
        ),
    )
    tolerance: Share = Field(
        default=USUAL_TOLERANCE,
        description="For the questions that the preset fills into a plan: the largest gap that counts as alike.",
    )
    words: PresetWords = Field(default=PresetWords(), description="The rule's own words.")
    roles: tuple[PresetRole, ...] = Field(default=(), description="The columns that it needs.")
    checks: tuple[PresetCheck, ...] = Field(default=(), description="What is computed.")
    items: tuple[PresetItem, ...] = Field(
        default=(),
        description="Of a record, which has no columns: what it states, filled from the audit or by a person.",
    )
    opens_with: Literal["alternatives", "checks"] = Field(
        default="checks", description="Of a record: the part of the audit that its first sentence is about."
    )
    as_yaml: Switch = Field(default=False, description="Of a record: whether it is also written as YAML.")

    @field_validator("key")
    @classmethod
    def _plain_key(cls, key: str) -> str:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", key):
            raise ValueError("must be small letters, digits and _ only, and begin with a letter")
        return key

    @field_validator("notice")
    @classmethod
    def _says_what_it_is_not(cls, notice: str) -> str:
        if "not legal advice" not in notice.casefold():
            raise ValueError('must hold the words "not legal advice"')
        return notice

    @model_validator(mode="after")
    def _asks_for_something(self) -> Preset:
        if bool(self.items) == bool(self.roles or self.checks):
            raise InputError(
                "must hold roles and checks, or the items of a record",
                hint="Add a [[roles]] and a [[checks]], or [[items]] alone.",
            )
        if not self.items and not (self.roles and self.checks):
            lacking = "checks" if self.roles else "roles"
            raise InputError(f"lacks the field {lacking!r}", hint=f"Add a [[{lacking}]].")
        names = [each.item for each in self.items]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"holds two items called {twice!r}; give each a name of its own")
        return self

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
            if check.of is not None and kinds.get(check.of) != "amount":
                known = ", ".join(name for name, kind in kinds.items() if kind == "amount") or "none"
                raise ValueError(
                    f"holds a check of {check.of!r}, which is no role of kind 'amount'; these are: {known}"
                )
        if any(check.measure == "means" for check in self.checks) and "amount" not in kinds.values():
            raise ValueError("holds a check of means, which needs a role of kind 'amount'")
        for whole, name in ((role.role, name) for role in self.roles for name in role.holds):
            if kinds[whole] != "amount" or kinds.get(name) != "amount":
                raise ValueError(f"says that {whole!r} holds {name!r}, and not both are roles of kind 'amount'")
        for name in self.sided:
            role = self.role(name)
            if not (role.compared or role.compared_rest) or not role.compared_with:
                raise InputError(
                    f"holds a check of pay by {name!r}, whose role does not say which values mean its two sides",
                    hint='Add compared = ["woman"] and compared_with = ["man"] to the role.',
                )
        if list(kinds.values()).count("score") > 1:
            raise InputError(
                "holds two roles of kind 'score', but a form is cut at the median of one",
                hint="Take one of them away, or make a file for each.",
            )
        return self

    def is_overdue(self, day: str | None) -> bool:
        """Say whether nobody had checked for six months on a day how it stands with the rule."""
        return self.status is not None and self.status.is_overdue(day)

    @property
    def unknown_words(self) -> tuple[str, ...]:
        """All values that mean unknown: the usual ones, where the form asks for them, and its own."""
        return (*(USUAL_WORDS if self.usual_unknown else ()), *self.unknown_values)

    @property
    def is_record(self) -> bool:
        """Whether it is filled from the other answers of an audit and by a person, and not from columns."""
        return bool(self.items)

    def item(self, name: str) -> PresetItem:
        """Return an item by its name."""
        return next(item for item in self.items if item.item == name)

    @property
    def sided(self) -> tuple[str, ...]:
        """The roles that have two sides in a check of pay."""
        return tuple(dict.fromkeys(names[0] for check in self.checks if check.about == "pay" for names in check.by))

    @property
    def of_pay(self) -> tuple[str, ...]:
        """The roles whose columns hold pay."""
        return tuple(dict.fromkeys(require(check.of) for check in self.checks if check.about == "pay"))

    @property
    def is_joint(self) -> bool:
        """Whether measures are stated for the categories that are marked."""
        return any(check.joint for check in self.checks)

    @property
    def answers_worker(self) -> bool:
        """Whether the form is the answer to one worker."""
        return any(check.measure == "answer" for check in self.checks)

    @property
    def fewest(self) -> int:
        """Return of how many people a side must be that has a figure; 0 where the form sets no number."""
        return max((check.fewest or 0 for check in self.checks), default=0)

    def role(self, name: str) -> PresetRole:
        """Return a role by its name."""
        return next(role for role in self.roles if role.role == name)

    def roles_of(self, kind: str) -> tuple[PresetRole, ...]:
        """Return the roles of one kind."""
        return tuple(role for role in self.roles if role.kind == kind)


# Files: those of the package, and an office's own.

LARGEST_FILE = 1_000_000
"""Bytes of a preset file, at most."""

_PARTS: tuple[type[BaseModel], ...] = (
    Preset, PresetCheck, PresetItem, PresetRole, PresetWords, RuleStatus, RuleSource,
)  # fmt: skip


@dataclass(frozen=True)
class PresetFile:
    """A preset and where it stands.

    Parameters
    ----------
    preset : Preset
        The preset, validated.
    name : str or None
        The name of an office's own file, without folders; None for a preset of the package.
    digest : str or None
        SHA-256 of that file, 64 hexadecimal digits.
    content : bytes
        That file.
    """

    preset: Preset
    name: str | None = None
    digest: str | None = None
    content: bytes = b""


def names_file(name: str) -> bool:
    """Say whether a preset is named by the path of a file, and not by its key."""
    return name.endswith(".toml")


def find_presets(folder: str | Path | None = None) -> tuple[tuple[PresetFile, ...], tuple[PlanError, ...]]:
    """Return all presets that can be read, and what is wrong with the others."""
    found, errors = list(_package_presets()), []
    try:
        paths = _office_files(folder)
    except PlanError as error:
        return tuple(found), (error,)
    for path in paths:
        try:
            made = _read_file(path)
            _refuse_taken(made, found)
            found.append(made)
        except PlanError as error:
            errors.append(error)
    return tuple(found), tuple(errors)


def list_presets(folder: str | Path | None = None) -> tuple[Preset, ...]:
    """Return all presets: those of the package, then those of an office's folder."""
    found, errors = find_presets(folder)
    if errors:
        raise errors[0]
    return tuple(file.preset for file in found)


def load_preset(name: str, *, base: str | Path | None = None) -> Preset:
    """Return one preset by its key, or read it from a file."""
    return open_preset(name, base=base).preset


def open_preset(name: str, *, base: str | Path | None = None) -> PresetFile:
    """Return one preset with the name and digest of its file; with `base`, a plan's folder, only a file in there."""
    if names_file(name):
        if base is not None and leads_out(name):
            raise PlanError(
                f"The plan names a form outside its own folder: {quote(name)}.",
                hint=f"Put the file beside the plan, or into the folder of {PRESETS.variable}, and use its key.",
            )
        found = _read_file(Path(base or ".") / name)
        _refuse_taken(found, _package_presets())
        return found
    packaged = {file.preset.key: file for file in _package_presets()}
    if name in packaged:
        return packaged[name]
    files, errors = find_presets()
    presets = {file.preset.key: file for file in files}
    if name not in presets:
        hint = f"{near_names(name, presets)} The path of a file ends in .toml."
        raise PlanError(
            f"There is no preset {quote(name)}.",
            hint=" ".join([hint, *(f"Not read: {error.message}" for error in errors)]),
        )
    return presets[name]


def forms_beside(
    parts: Sequence[PresetPlan], folder: Path, *, base: str | Path | None = None, reserved: Sequence[str] = ()
) -> tuple[tuple[PresetPlan, ...], dict[Path, bytes]]:
    """Return the forms of a plan that is written into a folder, and the office's own files to be put beside it.

    Each is named by its file alone, so that the plan can be repeated wherever both are. A name that is `reserved`, or
    that another file there has, gets a part of the digest. What is not there any more, or not the same, stays as it is.
    """
    named: list[PresetPlan] = []
    files: dict[Path, bytes] = {}
    for part in parts:
        found = _unchanged_file(part, base) if names_file(part.preset) else None
        if found is not None:
            path = folder / require(found.name)
            other = files.get(path)
            if path.name in reserved or _holds_other(path, found.content) or other not in (None, found.content):
                path = path.with_stem(f"{path.stem}-{require(found.digest)[:8]}")
            files[path] = found.content
            part = part.model_copy(update={"preset": path.name})
        named.append(part)
    return tuple(named), files


def _unchanged_file(part: PresetPlan, base: str | Path | None) -> PresetFile | None:
    try:
        found = open_preset(part.preset, base=base)
    except PlanError:
        return None
    return found if part.file_digest in (None, found.digest) else None


def _holds_other(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() != content
    except OSError:
        return False


def read_preset(text: str, name: str) -> Preset:
    """Read a preset from TOML."""
    what = f"preset file {quote(name)}"
    values = read_toml(text, what=what, hint="Mend that line.")
    try:
        return Preset.model_validate(values)
    except ValidationError as error:
        known = sorted({field for part in _PARTS for field in part.model_fields})
        raise plan_error(error, text, known, top=Preset.model_fields, what=what) from None


@cache
def _package_presets() -> tuple[PresetFile, ...]:
    folder = resources.files("fairaudit.presets")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(PresetFile(read_preset(file.read_text(encoding="utf-8"), file.name)) for file in files)


def _office_files(folder: str | Path | None) -> list[Path]:
    named = PRESETS.text if folder is None else folder
    if not named:
        return []
    path = Path(named)
    if not path.is_dir():
        raise PlanError(
            f"The folder of presets {quote(path)} is not there.",
            hint=f"Set {PRESETS.variable} to a folder with .toml files, or leave it out.",
        )
    return sorted(path.glob("*.toml"))


def _refuse_taken(made: PresetFile, others: tuple[PresetFile, ...] | list[PresetFile]) -> None:
    """Refuse an office's file with the key or the title of another preset, which it could be taken for."""
    for other in others:
        whose = "a preset of fairaudit" if other.name is None else f"the file {quote(other.name)}"
        for field in ("key", "title"):
            value = getattr(made.preset, field)
            if _folded(value) == _folded(getattr(other.preset, field)):
                raise PlanError(
                    f"The preset file {quote(made.name)} has the {field} {quote(value)}, which {whose} has, too.",
                    hint=f"Give it another {field}.",
                )


def _folded(text: str) -> str:
    """Return a text without what people do not see in it: letter case, wide letters and further blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _read_file(path: Path) -> PresetFile:
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= LARGEST_FILE else b""
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise PlanError(f"The preset file {quote(path.name)} is not UTF-8 text.", hint="Save it as UTF-8.") from None
    except (OSError, ValueError) as error:
        # A name that holds a NUL is no name of a file.
        why = error.strerror if isinstance(error, OSError) else "there can be no such name"
        raise PlanError(
            f"The preset file {quote(path)} cannot be read: {why}.", hint="Put it there, or name a form by its key."
        ) from None
    if size > LARGEST_FILE:
        raise PlanError(
            f"The preset file {quote(path.name)} must be at most {LARGEST_FILE:,} bytes, got {size:,}.",
            hint="A preset is some pages of text: take out what is none.",
        )
    preset = read_preset(text.replace("\r\n", "\n"), path.name)
    return PresetFile(preset, path.name, hashlib.sha256(content).hexdigest(), content)
