"""What makes two cases comparable: columns are proposed, and their numbers cut into bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from fairaudit.data.case_counts import is_weight_name
from fairaudit.data.count_columns import is_count_name, is_group_name
from fairaudit.data.roles import keys_of
from fairaudit.errors import FairauditError, require
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.findings.names import Names
from fairaudit.measure.bands import FEW_WHOLE_NUMBERS, checked_cuts, proposed_cuts, read_cuts
from fairaudit.measure.comparable import Comparable, comparable_columns
from fairaudit.measure.grouping import value_text
from fairaudit.measure.quantity import Quantity
from fairaudit.messages import say
from fairaudit.plan.roles import outcome_of
from fairaudit.study.columns import ROLES, columns_that_follow
from ui.inspections.roles import read_role
from ui.state import AuditState
from ui.text import labels, literal, show_error, stated
from ui.values import known_values
from ui.widgets import kept, start, start_choice

# Columns that may have been filled in after the decision: not proposed, and warned of where a person takes one.


def outcomes_of(state: AuditState) -> dict[str, str]:
    """Return the columns that the audit knows as an outcome or as made from one, with what each is in words."""
    found, _ = read_role(state, state.found)
    known = {} if found is None else {found: "what was found"}
    for role, words in ROLES.items():
        if (plan := getattr(state, role)) is not None:
            known[plan.column] = words
    return known


def following(state: AuditState, columns: Sequence[str]) -> dict[str, str]:
    """Return which columns seem to follow from the decision, the prediction or the score, and from which of these."""
    plan, where = state.present_plan(fingerprint=False), state.check.where
    roles = (plan.decision, plan.prediction, plan.score)

    # Each column is looked at once, whichever list it is in.
    known: dict[str, str | None] = state.remember("follows", (roles, where), dict)
    try:
        new = [column for column in columns if column not in known]
        known |= dict.fromkeys(new) | columns_that_follow(state.present_table, plan, new, where=where)
    except FairauditError:
        # What is wrong with the filter is said where the question is answered.
        return {}
    return {column: what for column in columns if (what := known.get(column)) is not None}


def last_outcomes(state: AuditState, columns: Sequence[str]) -> list[str]:
    """Return columns with those that the audit knows as outcomes last."""
    known = outcomes_of(state)
    return sorted(columns, key=lambda name: name in known)


def warn_of_outcomes(state: AuditState, chosen: Sequence[str]) -> None:
    """Draw a warning for each column that was chosen although it may not have been known before the decision."""
    known, follow = outcomes_of(state), following(state, chosen)
    for column in chosen:
        key = "check-is-outcome" if column in known else "check-follows" if column in follow else None
        if key is not None:
            args = {"column": Phrase(column), "what": Phrase(known.get(column) or follow[column])}
            st.warning(literal(say((Message(key, args), Message("check-only-if-known"))), limit=600))


# Columns of numbers that strata are made of, cut into bands: how cuts are proposed, and how a person changes them.


def strata_key(state: AuditState) -> str:
    """Return the key of the widget that says which columns strata are made of."""
    return f"check_strata_{state.selected}"


def take_strata(state: AuditState, chosen: tuple[str, ...]) -> None:
    """Compare inside these columns; those that are new may be proposed bands when the page is drawn."""
    before = state.check
    new = [name for name in chosen if name not in before.strata]
    cuts = {name: own for name, own in before.strata_cuts.items() if name in chosen}
    state.change_check(strata=chosen, strata_cuts=cuts)
    typed = state.entry.cuts_typed
    state.entry.cuts_typed = {name: text for name, text in typed.items() if name in chosen}
    st.session_state[_wanted(state)] = new


def suggest_bands(state: AuditState) -> None:
    """Cut columns of numbers into bands where they were just chosen and have many values."""
    for column in st.session_state.pop(_wanted(state), ()):
        if state.present_table.columns[column].kind != "number":
            continue
        values, more = known_values(state, column)
        if not more and len(values) <= FEW_WHOLE_NUMBERS:
            continue
        try:
            cuts = proposed_cuts(state.present_table, column, where=state.check.where)
        except FairauditError:
            # What is wrong with the filter is said where the question is answered.
            continue
        if cuts:
            set_bands(state, column, cuts)


def set_bands(state: AuditState, column: str, cuts: tuple[float, ...]) -> None:
    """Cut a column at these numbers, without any into its values, and write them into its field."""
    _cut(state, column, cuts)
    st.session_state[_key(state, column)] = _text(cuts)


def show_bands(state: AuditState) -> None:
    """Draw for each column of numbers that strata are made of where it is cut."""
    columns = [name for name in state.check.strata if state.present_table.columns[name].kind == "number"]
    if not columns:
        return
    for place, column in zip(st.columns(max(2, len(columns))), columns, strict=False):
        with place:
            _show_field(state, column)
    st.caption("A band is from one of these numbers on and below the next. Empty a field to compare inside each value.")


def _show_field(state: AuditState, column: str) -> None:
    typed = state.entry.cuts_typed.get(column)
    first = _text(state.check.strata_cuts.get(column, ())) if typed is None else typed
    text = st.text_input(
        f"Bands of {literal(column, limit=60)}",
        **kept(
            start(_key(state, column), first),
            lambda written: _take(state, column, written),
        ),
        placeholder="Each value; or such as 30, 45, 60",
    )
    try:
        _read(column, text)
    except FairauditError as error:
        show_error(error)


def _take(state: AuditState, column: str, text: str) -> None:
    """Cut a column where a person says; what cannot be read is kept, to be corrected, and changes nothing."""
    try:
        cuts = _read(column, text)
    except FairauditError:
        state.entry.cuts_typed[column] = text
        return
    _cut(state, column, cuts)


def _read(column: str, text: str) -> tuple[float, ...]:
    if not text.strip():
        return ()
    return checked_cuts({column: read_cuts(text)}, (column,), name="The field")[column]


def _cut(state: AuditState, column: str, cuts: tuple[float, ...]) -> None:
    state.entry.cuts_typed.pop(column, None)
    others = {name: own for name, own in state.check.strata_cuts.items() if name != column}
    state.change_check(strata_cuts={**others, column: cuts} if cuts else others)


def _text(cuts: tuple[float, ...]) -> str:
    return ", ".join(map(value_text, cuts))


def _wanted(state: AuditState) -> str:
    return f"check_bands_wanted_{state.selected}"


def _key(state: AuditState, column: str) -> str:
    return f"check_bands_{state.selected}_{list(state.present_table.columns).index(column)}"


# What makes two cases comparable: columns are proposed, those that decisions and groups vary with most first.

OFFERED = 5
"""So many columns are proposed at most; all others stand in one list below them."""
NAMED = 6
"""So many columns that are not proposed are named at most, each with why."""
LOOKED_AT = 24
"""So many columns are looked at, from the first of the table on."""
_DONE = "check_comparable_left"


def offers(state: AuditState) -> bool:
    """Say whether the page asks what makes cases comparable: nothing is chosen, and the person has not declined."""
    # In a database, looking at every column may take long; where cases are open, or counts rounded or hidden, no strata
    # are compared.
    return not (
        state.present_table.is_connected
        or state.present_table.partial_counts is not None
        or state.check.counts_open
        or state.check.strata
        or _about(state) in st.session_state.get(_DONE, ())
    )


def show_comparable(state: AuditState, names: Names, quantity: Quantity) -> str | None:
    """Draw the columns that may make cases comparable, with how much decisions vary across them; return the chosen."""
    about = (state.decision, state.check.where, state.check.protected)
    found, left_out = state.remember("comparable", about, lambda: _find(state))
    if not found:
        return None
    by_name = {one.column: one for one in found[:OFFERED]}
    args: dict[str, Argument] = {"protected": names.protected, "others": names.others, "verb": names.verb}
    said = [say(Message("check-comparable-differ" if one.groups_differ else "check-comparable-values",
                        args | _span(one, quantity)))
            for one in by_name.values()]  # fmt: skip
    st.markdown(f"**{stated('check-comparable-question')}**")
    chosen = st.radio(
        stated("check-comparable-question"),
        [*by_name],
        index=0,
        format_func=_called,
        captions=[literal(text) for text in said],
        label_visibility="collapsed",
        key=start_choice(f"check_comparable_{state.selected}", next(iter(by_name)), [*by_name]),
    )
    what = "outcome" if state.present_decision.is_outcome else "decision"
    st.caption(stated("check-comparable-rule", what=Phrase(what)))
    _show_others(state, [*by_name])
    _show_left_out(left_out)
    return chosen


def _show_others(state: AuditState, proposed: list[str]) -> None:
    """Draw the list of all other columns that can be taken; who chooses one compares inside it."""
    protected = require(state.present_table.condition(state.check.protected))
    asked = {state.present_decision.column, *protected.columns, *proposed}
    others = last_outcomes(state, [name for name in state.present_table.columns if name not in asked])
    if not others:
        return
    key = f"check_comparable_other_{state.selected}"
    st.selectbox(
        stated("check-comparable-other"),
        others,
        index=None,
        format_func=labels(others),
        placeholder=say(Message("check-comparable-other")),
        label_visibility="collapsed",
        key=start_choice(key, None, others),
        on_change=lambda: _compare(state, st.session_state[key]),
    )


def _show_left_out(left_out: Mapping[str, str]) -> None:
    """Name columns that are not proposed, in grey, each with why."""
    with st.container(horizontal=True, gap="small", key="check_comparable_left_out"):
        for column, why in [*left_out.items()][:NAMED]:
            args: dict[str, Argument] = {"column": Phrase(column), "why": Phrase(why)}
            st.caption(stated("check-comparable-left-out", **args, limit=80), width="content")


def _called(column: str) -> str:
    return literal(column, limit=60)


def _span(one: Comparable, quantity: Quantity) -> dict[str, Argument]:
    ends = (one.high, one.low) if quantity.is_turned else (one.low, one.high)
    return dict(zip(("low", "high"), map(quantity.figure, ends), strict=True))


def show_compare(state: AuditState, column: str) -> None:
    """Draw the button that compares inside a column, and the one that does not."""
    with st.container(horizontal=True, vertical_alignment="center", key="check_comparable_ways"):
        st.button(
            stated("check-comparable-go", column=Phrase(column)),
            type="primary",
            key="check_comparable_go",
            on_click=_compare,
            args=(state, column),
        )
        said = stated("check-comparable-leave")
        st.button(said, key="check_comparable_leave", on_click=_leave, args=(state,))


def show_compare_otherwise(state: AuditState) -> None:
    """Draw the button that asks again what makes cases comparable, where that was answered."""
    table = state.present_table
    if not (offers(state) or table.is_connected or table.partial_counts is not None or state.check.counts_open):
        said = stated("check-comparable-again")
        st.button(said, key="check_comparable_again", on_click=_ask_again, args=(state,))


def _about(state: AuditState) -> tuple[str | None, str | None]:
    return state.check.protected, state.check.where


def _compare(state: AuditState, column: str) -> None:
    st.session_state[strata_key(state)] = [column]
    take_strata(state, (column,))


def _leave(state: AuditState) -> None:
    st.session_state[_DONE] = (*st.session_state.get(_DONE, ()), _about(state))


def _ask_again(state: AuditState) -> None:
    st.session_state[_DONE] = tuple(one for one in st.session_state.get(_DONE, ()) if one != _about(state))
    st.session_state[strata_key(state)] = []
    take_strata(state, ())


def _find(state: AuditState) -> tuple[tuple[Comparable, ...], dict[str, str]]:
    """Return the columns to propose, and those that are not proposed, each with why."""
    table, check = state.present_table, state.check
    protected = table.condition(check.protected)
    if protected is None:
        return (), {}
    candidates, left_out = _candidates(state)
    columns, cuts = [], {}
    for column in candidates:
        if table.columns[column].kind == "number":
            values, more = known_values(state, column)
            if more or len(values) > FEW_WHOLE_NUMBERS:
                try:
                    cuts[column] = proposed_cuts(table, column, where=check.where)
                except FairauditError:
                    continue
                if not cuts[column]:
                    continue
        columns.append(column)
    outcome = (
        outcome_of(table, state.present_decision).condition if state.present_decision.kind.has_good_outcome else None
    )
    compared = comparable_columns(
        table,
        columns,
        decision=state.present_decision.column,
        favorable=outcome,
        protected=protected,
        where=table.condition(check.where),
        cuts=cuts,
    )
    return compared.found, left_out | dict.fromkeys(compared.follow, "follows")


def _candidates(state: AuditState) -> tuple[list[str], dict[str, str]]:
    """Return columns that may rightly count and have not as many values as rows, and others, each with why it may not.

    Left out are what the question is about, what is protected, what numbers the rows and what came after.
    """
    check, table = state.check, state.present_table
    [groups, kept] = [table.condition(text) for text in (check.protected, check.where)]
    protected = {*(groups.columns if groups is not None else ()), *state.protected_columns}
    left_out = dict.fromkeys((name for name in table.columns if name in protected), "protected")
    left_out |= dict.fromkeys(outcomes_of(state), "result")
    left_out |= {name: "filter" for name in (kept.columns if kept is not None else ()) if name not in left_out}
    fitting, few_values, many_values = [], [], []
    for column in [one for one in table.columns.values() if one.name not in left_out][:LOOKED_AT]:
        values, more = known_values(state, column.name)
        if column.kind in ("text", "boolean", "number") and not more and 2 <= len(values) <= FEW_WHOLE_NUMBERS:
            few_values.append(column.name)
        elif column.kind in ("text", "number") and (more or len(values) > FEW_WHOLE_NUMBERS):
            many_values.append(column.name)
        else:
            continue
        fitting.append(column.name)
    keys = keys_of(table, many_values, few_values)
    follow = following(state, fitting)
    why = dict.fromkeys(follow, "follows") | dict.fromkeys(keys, "key")
    why |= {name: "weight" for name in fitting if table.columns[name].kind == "number" and is_weight_name(name)}
    if state.reading.counts is not None:
        # Other numbers of people of a row say nothing of each of them.
        counting = [name for name in fitting if is_group_name(name) or is_count_name(name)]
        why |= {name: "counts" for name in counting if table.columns[name].kind == "number"}
    usable = [name for name in fitting if name not in why]
    return [name for name in usable if name in few_values or table.columns[name].kind == "number"], left_out | why
