"""Values that are spelled in several ways, how they are read as one, and all that follows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import streamlit as st

from fairaudit import Condition
from fairaudit.columns import ReadOptions
from fairaudit.conditions.correcting import with_known_values
from fairaudit.data.same_spelling import alike_text, other_spellings
from fairaudit.data.table import COMMON_VALUES
from fairaudit.errors import FairauditError, quote, require
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.measure.spellings import (
    LeftApart,
    resembling,
    resembling_question,
    spelled_apart,
    spelled_apart_sentence,
)
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan, InspectionPlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.part import RemedyPart
from ui.data.loading import read_again
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import literal, shortened
from ui.values import known_values

# Values that count apart although letter case, blanks or a typing error alone differ, and one press that adds them.

_MOST_ASKED = 3


def show_spelled_apart(state: AuditState, condition: Condition, take: Callable[[LeftApart], None], *, key: str) -> None:
    """Draw a caution on spellings that a condition leaves apart, and ask about typing errors; buttons add them."""
    apart, resembling_ones = _find_apart(state, condition)
    for place, part in enumerate(apart):
        st.warning(literal(spelled_apart_sentence(part, counted=True), limit=900))
        _offer(part, take, "as if they were spelled alike", key=f"{key}_add_{place}")
    for place, part in enumerate(resembling_ones[:_MOST_ASKED]):
        st.info(literal(resembling_question(part)))
        _offer(part, take, "as if there were no typing error", key=f"{key}_near_{place}")


def _offer(part: LeftApart, take: Callable[[LeftApart], None], how: str, *, key: str) -> None:
    st.button(
        f"Add {literal(shortened(', '.join(map(quote, part.others))))}",
        key=key,
        on_click=take,
        args=(part,),
        help=f"Names what is added, too, {how}. The file stays as it is.",
    )


def _find_apart(state: AuditState, condition: Condition) -> tuple[tuple[LeftApart, ...], tuple[LeftApart, ...]]:
    where = state.check.where

    def find() -> tuple[tuple[LeftApart, ...], tuple[LeftApart, ...]]:
        table, kept = state.present_table, state.present_table.condition(where)

        def values(column: str) -> list:
            return known_values(state, column)[0]

        return (
            spelled_apart(table, condition, where=kept, values=values),
            resembling(table, condition, where=kept, values=values),
        )

    try:
        return state.remember("spelled_apart", (where, str(condition)), find)
    except FairauditError:
        # What is wrong with the filter is said where it is written.
        return (), ()


# All that names a value follows it to another spelling: outcomes, conditions, groups, constraints and forms.

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
    for kind, kept in state.follow_ups.items():
        kept[:] = map(spelling.inspection if kind == "inspections" else spelling.conditions, kept)
    state.presets = [spelling.preset(form) for form in state.presets]
    for name in ("subgroups_draft", "models"):
        if getattr(state, name) is not None:
            setattr(state, name, spelling.conditions(getattr(state, name)))
    for remedy in state.remedies:
        remedy.plan = spelling.remedy(remedy.plan)
    state.settings = {place: spelling.remedy(offered) for place, offered in state.settings.items()}
    state.acted, state.found = spelling.condition(state.acted), spelling.condition(state.found)
    state.fit()


class Spelling:
    """How the columns of the table whose spellings are read as one value spell the values that a text names."""

    def __init__(self, state: AuditState) -> None:
        self.table, self.columns = state.present_table, state.reading.same_spelling
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
            return str(with_known_values(require(self.table.condition(text)), self.known) or text)
        except FairauditError:
            # What cannot be read stays, to be corrected.
            return text

    def conditions(self, part: Any) -> Any:
        """Return a part of a plan whose conditions follow."""
        texts = {name: getattr(part, name, None) for name in _CONDITIONS}
        return part.model_copy(update={name: self.condition(t) for name, t in texts.items() if isinstance(t, str)})

    def remedy(self, asked: Any) -> Any:
        """Return a remedy, or what its page works on, whose groups follow."""
        return asked.with_conditions(self.condition) if isinstance(asked, RemedyPart) else asked.respelled(self)

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


# Columns whose values differ by letter case and how many blanks they have: read as one value with one press.

_MOST_NAMED = 5


def offer_one_spelling(state: AuditState, columns: Sequence[str]) -> tuple[str, ...]:
    """Draw, for each column with several spellings of a value, the press that reads them as one, or its undoing.

    Return the columns for which the press is drawn. A press and its undoing are one button: whoever uses the keyboard
    stays on it.
    """
    joined = state.reading.same_spelling
    apart = tuple(islice((name for name in columns if name not in joined and _others(state, name)), _MOST_NAMED))
    for place, name in enumerate(state.present_table.columns):
        if name in joined:
            said = say(Message("data-spellings-one", {"column": Phrase(quote(name, limit=40))}))
            label, then = "Read them apart again", tuple(other for other in joined if other != name)
        elif name in apart:
            said, label, then = _said(state, name), "Read spellings as one value", (*joined, name)
        else:
            continue
        if _offer_to_read(said, label, key=f"data_spelling_{place}"):
            reread(state, replace(state.reading, same_spelling=then))
    return apart


def _said(state: AuditState, name: str) -> str:
    """Say how many rows of a column have another spelling, and name one."""
    others = _others(state, name)
    read_as, other = next((read_as, next(iter(each))) for read_as, each in others.items())
    n = sum(sum(each.values()) for each in others.values())
    # Other blanks do not show on a page.
    looks_alike = shortened(other) == shortened(read_as)
    args: dict[str, Argument] = {"n": Count(n), "column": Phrase(quote(name, limit=40))}
    args["other"] = Phrase(quote(other, limit=40))
    if looks_alike:
        return say(Message("data-spellings-blanks", args))
    return say(Message("data-spellings", {**args, "value": Phrase(quote(read_as, limit=40))}))


def _others(state: AuditState, name: str) -> dict[str, dict[str, int]]:
    return state.remember("other_spellings", name, lambda: other_spellings(state.present_table, name))


def _offer_to_read(said: str, label: str, *, key: str) -> bool:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(literal(said, limit=300))
        return st.button(
            label,
            key=key,
            help="Reads the file again: values that differ by letter case, or by how many blanks they have, become the "
            "most frequent spelling. The saved audit and the report say so. The file stays as it is.",
        )


def reread(state: AuditState, options: ReadOptions) -> None:
    """Read the file again, all that names a value in the spelling that it gets, and draw anew."""
    outcomes = {name: getattr(state, name) for name in ("decision", "prediction")}
    with errors_shown(go_on=True):
        read_again(state, options)
        if options.same_spelling and state.asked_file is None:
            spell_alike(state, outcomes)
        st.rerun()
