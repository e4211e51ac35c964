"""Between which groups a constraint holds: the protected group and the rest, values of columns, or own conditions."""

from __future__ import annotations

from typing import Any

import streamlit as st

from fairaudit import Condition
from fairaudit.defaults import ENOUGH
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.findings import REST, Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.numbers import count_text
from fairaudit.remedies.constrain.words import group_text
from fairaudit.study.constraint_check import GroupSize, column_groups, group_sizes, protected_groups
from fairaudit.study.rows import Study
from ui.check.population import build_condition
from ui.frame import errors_shown
from ui.remedies.constrain.draft import AT_LEAST, OWN, PROTECTED, VALUES, ConstraintDraft
from ui.remedies.rows import with_columns
from ui.state import AuditState
from ui.text import first_named, labels, literal

HOW = {PROTECTED: "The protected group and everyone else", VALUES: "Values of columns", OWN: "My own groups"}


def choose_groups(state: AuditState, study: Study, draft: ConstraintDraft) -> Any:
    """Draw the choice of the groups, and return them as :class:`FairnessSpec` takes them; None while incomplete."""
    label = "In which groups" if draft.metric.startswith(AT_LEAST) else "Between which groups"
    st.radio(label, list(HOW), format_func=HOW.get, horizontal=True, **bound(draft, "how"))
    if draft.how == PROTECTED:
        return dict(protected_groups(study, state.table.columns))
    if draft.how == VALUES:
        return _choose_values(state, study, draft)
    _choose_own(state, draft)
    return dict(draft.conditions) if len(draft.conditions) > 1 else None


def bound(draft: ConstraintDraft, field: str, take: Any = None) -> dict[str, Any]:
    """Return the arguments that tie a widget to a field of the draft, which other widgets change, too.

    `take` is called with what was chosen, in place of putting it into the field.
    """
    key = f"constraints_{field}"
    value = getattr(draft, field)
    st.session_state[key] = list(value) if isinstance(value, tuple) else value
    return {"key": key, "on_change": _take, "args": (draft, field, key, take)}


def _take(draft: ConstraintDraft, field: str, key: str, take: Any) -> None:
    value = st.session_state[key]
    if take is not None:
        take(value)
    else:
        setattr(draft, field, tuple(value) if isinstance(value, list) else value)


def sizes_of(state: AuditState, study: Study, spec: FairnessSpec) -> tuple[GroupSize, ...]:
    """Return the groups of a constraint with their tuning rows, counted once."""
    study = with_columns(state, study, spec.needed_columns(state.table.columns))
    key = (state.study_key, spec)
    return state.remember("constraint", key, lambda: group_sizes(study, spec))


def few_words(sizes: tuple[GroupSize, ...]) -> str:
    """Return which groups of a constraint have few tuning rows, in a sentence; empty where none has."""
    few = [f"{naming.shorten(group_text(size.name), 80)} ({count_text(size.n)})" for size in sizes if not size.enough]
    said = Message("constrain-few-tuned", first_named(few) | {"least": Count(ENOUGH)})
    return literal(say(said), limit=900) if few else ""


def say_sizes(found: list[tuple[GroupSize, ...]]) -> None:
    """Draw how many tuning rows count in each group, the fewest where there are two constraints."""
    sizes = [min(group, key=lambda size: size.n) for group in zip(*found, strict=True)]
    shown = [f"{naming.shorten(group_text(size.name), 60)} {count_text(size.n)}" for size in sizes]
    st.caption(literal(say(Message("constrain-sizes", first_named(shown))), limit=900))
    if few := few_words(tuple(sizes)):
        st.warning(few)


def _choose_values(state: AuditState, study: Study, draft: ConstraintDraft) -> Any:
    """Draw the columns and which of their groups must be alike; return columns, or conditions where some are not."""
    options = list(state.table.columns)
    draft.columns = tuple(name for name in draft.columns if name in options)

    def take(columns: list[str]) -> None:
        draft.columns, draft.kept = tuple(columns), None

    columns = st.multiselect(
        "Columns",
        options,
        format_func=labels(options),
        placeholder="Choose",
        help="Several columns are crossed.",
        **bound(draft, "columns", take),
    )
    if not columns:
        st.caption(literal(say(Message("constrain-no-group"))))
        return None
    study = with_columns(state, study, columns)
    key = (state.study_key, draft.metrics, columns)
    found = state.remember(
        "constraint groups", key, lambda: [column_groups(study, metric, columns) for metric in draft.metrics]
    )
    sizes = {group[0].name: min(group, key=lambda size: size.n) for group in zip(*found, strict=True)}
    enough = [name for name in sizes if sizes[name].enough]
    first = enough if len(enough) > 1 else list(sizes)
    chosen = first if draft.kept is None else [name for name in sizes if name in draft.kept]
    draft_kept = bound(draft, "kept")
    st.session_state[draft_kept["key"]] = chosen
    label = labels(sizes)
    kept = st.multiselect(
        "Groups that must be alike",
        list(sizes),
        format_func=lambda name: f"{label(name)} ({count_text(sizes[name].n)})",
        help="In parentheses, the tuning cases that count. Small groups are left out at first.",
        **draft_kept,
    )
    left_out = [name for name in sizes if name not in kept]
    if left_out:
        shown = [naming.shorten(name, 60) for name in left_out]
        st.caption(literal(say(Message("constrain-left-out", first_named(shown))), limit=900))
    if len(kept) < 2:
        st.caption(literal(say(Message("constrain-two-groups"))))
        return None
    return tuple(columns) if not left_out else {name: sizes[name].condition for name in kept}


def _choose_own(state: AuditState, draft: ConstraintDraft) -> None:
    """Draw the groups that a person has named, and the fields that name one more."""
    for place, (name, text) in enumerate(draft.conditions):
        with st.container(horizontal=True, vertical_alignment="center"):
            words = literal(name, limit=80) if name == text else f"{literal(name, limit=80)}: {literal(text)}"
            st.markdown(f"{place + 1}. {words}", width="stretch")
            st.button("Remove", key=f"constraints_drop_{place}", on_click=_drop, args=(draft, place), type="tertiary")
    left, right = st.columns([3, 2])
    left.text_input(
        "Group: cases where",
        placeholder="such as: age < 25",
        help="Written like the filter. Groups may overlap.",
        **bound(draft, "where"),
    )
    right.text_input("Name (optional)", max_chars=60, placeholder="such as: the young", **bound(draft, "group_name"))
    condition = _condition(state, draft.where)
    built = None
    with st.expander("Build the condition step by step"):
        with errors_shown(go_on=True):
            built = build_condition(state, "constraints_build")
        st.button(
            "Use this condition",
            key="constraints_build_take",
            disabled=built is None,
            on_click=_write,
            args=(draft, "" if built is None else str(built)),
        )
    taken = {name for name, _ in draft.conditions}
    name = "" if condition is None else draft.group_name.strip() or str(condition)
    others = " OR ".join(f"({text})" for _, text in draft.conditions)
    rest = str(~state.table.condition(others)) if others else ""
    with st.container(horizontal=True):
        st.button(
            "Add this group",
            key="constraints_group_add",
            disabled=condition is None or name in taken,
            on_click=_add_group,
            args=(draft, name, "" if condition is None else str(condition)),
        )
        st.button(
            "Add everyone else",
            key="constraints_group_rest",
            disabled=not rest or REST in taken,
            on_click=_add_group,
            args=(draft, REST, rest),
        )
    if len(draft.conditions) < 2:
        st.caption(literal(say(Message("constrain-name-two"))))


def _condition(state: AuditState, text: str) -> Condition | None:
    """Read a condition and say it in words, or what is wrong with it."""
    with errors_shown(go_on=True):
        condition = state.table.condition(text.strip() or None)
        if condition is not None:
            said = Message("constrain-rows-where", {"condition": Phrase(condition.in_words())})
            st.caption(literal(say(said), limit=600))
        return condition
    return None


def _add_group(draft: ConstraintDraft, name: str, text: str) -> None:
    draft.conditions = (*draft.conditions, (name, text))
    draft.where = draft.group_name = ""


def _drop(draft: ConstraintDraft, place: int) -> None:
    draft.conditions = (*draft.conditions[:place], *draft.conditions[place + 1 :])


def _write(draft: ConstraintDraft, text: str) -> None:
    draft.where = text
