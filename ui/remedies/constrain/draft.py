"""What the page Constraints holds while a person works on it: the constraints, and the form that makes one more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fairaudit.errors import InputError
from fairaudit.estimators.constraints import METRICS, PAIRS, FairnessSpec, parse_specs
from fairaudit.remedies.constrain.plan import ConstrainPlan

PROTECTED, VALUES, OWN = "protected", "values", "own"
"""How the groups of a constraint are named: the protected group and the rest, values of columns, own conditions."""

COST = "aec"
"""The metric whose costs a person chooses."""

AT_LEAST = "at least "
"""What the name of a metric begins with where the form sets a floor under it."""

_MOST_UNDO = 100


@dataclass
class ConstraintDraft:
    """The constraints that a page offers to train under, and its form. Nothing that was typed is lost.

    ``specs`` is what must hold; ``undo`` holds what it was before each change. ``text`` is what was written in their
    place and cannot be read, None while the text shown is that of ``specs``. ``editing`` is the place of the constraint
    that the form changes. ``tolerance`` is that of the question while its limit is proposed and nothing is changed.
    The other fields are those of the form; ``kept`` holds the groups that are chosen among the
    values of ``columns``, None until a person chooses.
    """

    specs: tuple[FairnessSpec, ...] = ()
    model: str = "logistic_regression"
    no_group_worse_off: bool = False
    undo: list[tuple[FairnessSpec, ...]] = field(default_factory=list)
    text: str | None = None
    editing: int | None = None
    tolerance: float | None = None
    metric: str = "fpr"
    false_positive_cost: float = 1.0
    false_negative_cost: float = 5.0
    points: float = 3.0
    cost_difference: float = 0.05
    floor_percent: float = 80.0
    how: str = PROTECTED
    columns: tuple[str, ...] = ()
    kept: tuple[str, ...] | None = None
    conditions: tuple[tuple[str, str], ...] = ()
    where: str = ""
    group_name: str = ""

    @classmethod
    def asking(cls, tolerance: float) -> ConstraintDraft:
        """Return a draft that asks what the audit asks, as its form does: shares of outcomes within its tolerance."""
        return cls(metric="sp", points=round(100 * tolerance, 7), tolerance=tolerance or None)

    def propose(self, groups: dict[str, str]) -> None:
        """Take as the first limit what the audit asks of these groups, until a person changes anything."""
        if self.tolerance is not None:
            self.specs = (FairnessSpec("sp", groups, round(self.tolerance, 9)),)

    @classmethod
    def of(cls, plan: ConstrainPlan) -> ConstraintDraft:
        """Return the draft of a remedy that is there already."""
        return cls(specs=_read(plan.constraints), model=plan.model, no_group_worse_off=plan.no_group_worse_off)

    @property
    def asked(self) -> tuple[object, ...]:
        """What a result depends on: the model, whether a group may be worse off, and the constraints in any order."""
        return self.model, self.no_group_worse_off, frozenset(self.specs)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that the form constrains, as :class:`FairnessSpec` names them."""
        if self.metric == COST:
            return (f"{COST}({self.false_positive_cost!r}, {self.false_negative_cost!r})",)
        return PAIRS.get(self.metric, (self.metric.removeprefix(AT_LEAST),))

    @property
    def max_difference(self) -> float:
        """The largest difference that the form allows, as a fraction for shares."""
        return self.cost_difference if self.metric == COST else round(self.points / 100, 9)

    def made(self, groups: Any) -> tuple[FairnessSpec, ...]:
        """Return the constraints that the form makes of groups."""
        if self.metric.startswith(AT_LEAST):
            floor = round(self.floor_percent / 100, 9)
            return tuple(FairnessSpec(metric, groups, floor=floor) for metric in self.metrics)
        return tuple(FairnessSpec(metric, groups, self.max_difference) for metric in self.metrics)

    def change(self, specs: tuple[FairnessSpec, ...]) -> None:
        """Take other constraints, each once; what is written in their place and the edit of one are given up."""
        specs = tuple(dict.fromkeys(specs))
        if specs != self.specs:
            self.undo = [*self.undo[1 - _MOST_UNDO :], self.specs]
        self.specs, self.text, self.editing, self.tolerance = specs, None, None, None

    def put(self, made: tuple[FairnessSpec, ...]) -> None:
        """Put constraints in the place of the one that is edited, or after all others."""
        place = len(self.specs) if self.editing is None else self.editing
        self.change((*self.specs[:place], *made, *self.specs[place + 1 :]))

    def remove(self, place: int) -> None:
        """No longer ask for a constraint."""
        self.change((*self.specs[:place], *self.specs[place + 1 :]))

    def take_back(self) -> None:
        """Undo the last change."""
        if self.undo:
            self.specs, self.text, self.editing = self.undo.pop(), None, None

    def edit(self, place: int, *, protected: tuple[tuple[str, str], ...], names: tuple[str, ...]) -> None:
        """Put a constraint in the form."""
        spec = self.specs[place]
        self.editing = place
        name = spec.measure.name
        if spec.floor is not None:
            self.metric, self.floor_percent = f"{AT_LEAST}{name}", round(100 * spec.floor, 7)
        elif name in METRICS:
            self.metric, self.points = name, round(100 * spec.max_difference, 7)
        else:
            self.metric, self.cost_difference = COST, spec.max_difference
            costs = name.removeprefix(f"{COST}(").removesuffix(")").split(",")
            self.false_positive_cost, self.false_negative_cost = (float(cost) for cost in costs)
        if spec.columns is not None:
            self.how, self.columns, self.kept = VALUES, spec.columns, names
        elif spec.conditions == protected:
            self.how = PROTECTED
        else:
            self.how, self.conditions = OWN, spec.conditions

    def write(self, text: str) -> None:
        """Take what was written as the constraints, or keep it as it is where it cannot be read."""
        try:
            self.change(_read((text,)) if text.strip() else ())
        except InputError:
            self.text = text


def _read(texts: tuple[str, ...]) -> tuple[FairnessSpec, ...]:
    return tuple(spec for text in texts for spec in parse_specs(text))
