"""All that names a value follows it to another spelling: outcomes, conditions, groups, constraints and forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from fairaudit.conditions.correcting import with_known_values
from fairaudit.data.same_spelling import alike_text
from fairaudit.data.table import COMMON_VALUES
from fairaudit.errors import FairauditError
from fairaudit.plan import CheckPlan, OutcomePlan
from fairaudit.plan.inspections import InspectionPlan
from fairaudit.presets.plan import PresetPlan
from ui.remedies.registry import REMEDIES, page_of
from ui.state import AuditState

_CONDITIONS = ("where", "protected", "acted", "found", "stopped", "favorable_when", "light")
_OF_ROLES = ("unknown", "known", "compared", "compared_with")


def spell_alike(state: AuditState, outcomes: Mapping[str, OutcomePlan | None]) -> None:
    """Let what names a value in another spelling than its column name it in that of the column."""
    spelling = Spelling(state)
    for name, before in outcomes.items():
        # One whose good outcome is gone was left out.
        outcome = getattr(state, name) or before
        if outcome is not None:
            favorable = tuple(dict.fromkeys(spelling.value(outcome.column, value) for value in outcome.favorable))
            setattr(state, name, spelling.conditions(outcome.model_copy(update={"favorable": favorable})))
    for entry in state.checks:
        entry.plan = spelling.check(entry.plan)
    for name in ("errors", "subgroups", "explanations", "changes"):
        setattr(state, name, [spelling.conditions(asked) for asked in getattr(state, name)])
    state.inspections = [spelling.inspection(asked) for asked in state.inspections]
    state.presets = [spelling.preset(form) for form in state.presets]
    for name in ("subgroups_draft", "models"):
        if getattr(state, name) is not None:
            setattr(state, name, spelling.conditions(getattr(state, name)))
    for remedy in state.remedies:
        remedy.plan = page_of(remedy.plan.method).respelled(remedy.plan, spelling)
    for page in REMEDIES:
        if page.method in state.drafts:
            state.drafts[page.method] = page.respelled(state.drafts[page.method], spelling)
    state.acted, state.found = spelling.condition(state.acted), spelling.condition(state.found)
    state.fit()


class Spelling:
    """How the columns of the table whose spellings are read as one value spell the values that a text names."""

    def __init__(self, state: AuditState) -> None:
        self.table, self.columns = state.table, state.reading.same_spelling
        self.known, self.read_as = cache(self._known), cache(self._read_as)

    def _known(self, column: str) -> Sequence[Any]:
        values = self.table.common_values(column) if column in self.columns else ()
        return values if len(values) < COMMON_VALUES else ()

    def _read_as(self, column: str) -> dict[str, str]:
        return {alike_text(value): value for value in self.known(column) if isinstance(value, str)}

    def value(self, column: str, value: Any) -> Any:
        """Return a value of a column as it is spelled there."""
        return self.read_as(column).get(alike_text(value), value) if isinstance(value, str) else value

    def group(self, columns: Sequence[str], values: Iterable[Any]) -> tuple[Any, ...]:
        """Return the values that make a group, one for each column."""
        return tuple(self.value(column, value) for column, value in zip(columns, values, strict=True))

    def group_name(self, columns: Sequence[str], name: str) -> str:
        """Return the name of a group, which has its values with commas between them."""
        values = name.split(", ")
        return ", ".join(self.group(columns, values)) if len(values) == len(columns) else name

    def condition(self, text: str) -> str:
        """Return a condition whose values follow."""
        if not text:
            return text
        try:
            return str(with_known_values(self.table.condition(text), self.known) or text)
        except FairauditError:
            # What cannot be read stays, to be corrected.
            return text

    def conditions(self, part: Any) -> Any:
        """Return a part of a plan whose conditions follow."""
        texts = {name: getattr(part, name, None) for name in _CONDITIONS}
        return part.model_copy(update={name: self.condition(t) for name, t in texts.items() if isinstance(t, str)})

    def check(self, asked: CheckPlan) -> CheckPlan:
        """Return a question whose conditions and reference follow."""
        if asked.reference is not None and asked.compare:
            asked = asked.model_copy(update={"reference": self.group_name(asked.compare[0], asked.reference)})
        return self.conditions(asked)

    def inspection(self, asked: InspectionPlan) -> InspectionPlan:
        """Return a question whose conditions, groups and light follow."""
        group, reference, veil = asked.group, asked.reference, asked.veil
        if len(group) == 1 and group[0] not in self.table.columns:
            group = (self.condition(group[0]),)
        elif len(reference) == len(group):
            reference = self.group(group, reference)
        veil = veil and self.conditions(veil)
        return self.conditions(asked.model_copy(update={"group": group, "reference": reference, "veil": veil}))

    def preset(self, form: PresetPlan) -> PresetPlan:
        """Return a form whose groups and values follow, each in the columns of its role."""

        def value(role: str, text: str) -> str:
            found = (self.value(column, text) for column in form.columns[role])
            return next((each for each in found if each != text), text)

        said = {name: getattr(form, name).items() for name in _OF_ROLES}
        changed: dict[str, Any] = {
            name: {role: tuple(dict.fromkeys(value(role, text) for text in texts)) for role, texts in items}
            for name, items in said.items()
        }
        changed["references"] = {role: value(role, text) for role, text in form.references.items()}
        return self.conditions(form.model_copy(update=changed))
