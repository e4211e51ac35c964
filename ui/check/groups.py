"""Who is protected: picked from a column, or written as a condition."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import Any
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit import Condition
from fairaudit.conditions.correcting import with_spellings
from fairaudit.data.derived import ONLY, SEVERAL
from fairaudit.errors import FairauditError, require
from fairaudit.findings import Count, Group, Message, Phrase
from fairaudit.measure.not_known import open_values as find_open
from fairaudit.measure.spellings import LeftApart
from fairaudit.messages import say
from fairaudit.plan.names import protected_of
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.charts.pairs import sizes_bar
from fairaudit.sections.detectable import say_seen_before
from ui.asking import Question
from ui.check.population import offer_correction, offer_known_values, warn_of_order
from ui.data import open_values
from ui.data.not_known import groups_of
from ui.data.spellings import show_spelled_apart
from ui.frame import group_sizes, show_error, undecided_text
from ui.result import show_wide_and_narrow
from ui.state import AuditState
from ui.text import condition_words, labels, literal, stated
from ui.values import MOST, known_values
from ui.widgets import draw_field, kept, settled, start, start_choice

PICK, WRITE = "Pick values", "Write a condition"
ALL_BUT = "Everyone but these"
_FEW = 30


def show_protected(state: AuditState) -> None:
    """Draw the choice of the protected group, and what both groups are called."""
    how = st.segmented_control(
        "How do you want to say it?",
        [PICK, WRITE],
        required=True,
        key=start("groups_how", PICK if _picks_show(state) else WRITE),
        label_visibility="collapsed",
    )
    text = _picked(state) if how == PICK else _written(state)
    if text is not None:
        _take(state, text)
    elif state.check.protected:
        _say_kept(state, condition_words(state.present_table, state.check.protected))
    if state.check.protected:
        _show_words(state)


def say_groups(state: AuditState) -> tuple[Message, Message] | None:
    """Say who is compared with whom, and among which cases; None as long as nobody is protected."""
    check = state.check
    if state.table is None:
        return None
    try:
        protected, where = state.table.condition(check.protected or None), state.table.condition(check.where or None)
    except FairauditError:
        return None
    if protected is None:
        return None
    args = {"protected": protected_of(state.names, check, protected), "others": Group(check.others_name)}
    if where is None:
        return Message("groups-headline", args), Message("groups-lead-all", {"n": Count(_unknown(state))})
    return Message("groups-headline", args), Message("groups-lead-where", {"where": Phrase(where.in_words())})


def open_questions(state: AuditState) -> tuple[Question, ...]:
    """Return what is open of the values that groups are made of: the check answers nothing before."""
    if not state.check.protected:
        return ()
    return open_values.questions(state, find_open(groups_of(state)), key="groups_open")


def _unknown(state: AuditState) -> int:
    """Return how many cases are in neither group; none, where they cannot be counted, which is said elsewhere."""
    try:
        return group_sizes(state)[2]
    except FairauditError:
        return 0


def _picks_show(state: AuditState) -> bool:
    """Whether the group that is protected can be shown as values of a column that are picked."""
    if state.entry.protected_typed is not None:
        return False
    if not state.check.protected:
        return True
    column, values = picks(state)
    return column is not None and set(values) <= set(known_values(state, column)[0])


def picks(state: AuditState) -> tuple[str | None, tuple[Any, ...]]:
    """Return the column and the values that are protected, or the rest; none where that was not said so."""
    try:
        condition = state.present_table.condition(state.check.protected or None)
    except FairauditError:
        return None, ()
    return (condition and (condition.listed or (~condition).listed)) or (None, ())


def _all_but(state: AuditState) -> bool:
    """Whether those are protected who have none of the values that are picked."""
    present, _ = picks(state)
    return present is not None and require(state.present_table.condition(state.check.protected)).listed is None


def _picked(state: AuditState) -> str | None:
    first = [c for c in state.protected_columns if c in state.present_table.columns]
    columns = first + [c for c in state.present_table.columns if c not in first]
    left, right = st.columns(2)
    present, values = picks(state)
    key = start_choice("groups_protected_column", present or next(iter(first), None), columns)
    column = left.selectbox(
        "Column",
        columns,
        index=settled(key),
        format_func=labels(columns),
        placeholder="Choose a column",
        key=key,
    )
    if column is None:
        return None
    known, more = known_values(state, column)
    if more:
        st.caption(say(Message("data-most-values", {"n": Count(MOST)})))
    chosen = right.multiselect(
        "Protected group",
        known,
        format_func=labels(known),
        placeholder="Choose one or more",
        select_all=False,
        key=start_choice(f"groups_protected_values_{column}", values if column == present else (), known),
    )
    all_but = column == present and _all_but(state)
    # Of two values, everyone but the one is the other.
    turned = (len(known) > 2 or more or all_but) and right.checkbox(
        ALL_BUT,
        key=start(f"groups_protected_all_but_{column}", all_but),
    )
    if not chosen:
        return None
    condition = Condition.one_of(column, chosen, state.present_table.columns)
    if (
        column in dict(state.present_table.source.options.derived)
        and SEVERAL not in chosen
        and right.checkbox(stated("groups-with-others"), key=start(f"groups_protected_any_{column}", False))
    ):
        return _any_of(state, column, chosen)
    return str(~condition if turned else condition)


def _any_of(state: AuditState, column: str, chosen: list[str]) -> str:
    """Protect who ticked one of some boxes, alone or with others, and say who that is in a few words."""
    text = str(state.present_table.any_of_these(column, chosen))
    if text != state.check.protected:
        _use(state, text)
        boxes = Phrase(" or ".join(value.removesuffix(ONLY) for value in chosen))
        state.change_check(protected_name=say(Message("groups-any-name", {"boxes": boxes})))
        st.rerun()
    return text


def _written(state: AuditState) -> str | None:
    typed = state.entry.protected_typed
    first = state.check.protected if typed is None else typed
    text = st.text_input(
        "Protected: rows where",
        **kept(start("groups_protected_text", first), partial(_note, state)),
        placeholder="such as: race <> 'White'",
        help="Written like the filter. Rows for which it is not known are in neither group.",
    )
    text = text.strip()
    if not text:
        _use(state, text)
    return text or None


def _note(state: AuditState, text: str) -> None:
    """Take what was just written, where it can be read; else keep it, to be corrected."""
    text = text.strip()
    state.entry.protected_typed = text
    with suppress(FairauditError):
        state.present_table.condition(text or None)
        _use(state, text)


def _use(state: AuditState, text: str) -> bool:
    """Protect the rows that meet a condition, and return whether it is another one."""
    state.entry.protected_typed = None
    if text == state.check.protected:
        return False
    state.change_check(protected=text)
    return True


def _take(state: AuditState, text: str) -> None:
    try:
        state.present_table.condition(text)
    except FairauditError as error:
        show_error(error)
        offer_correction(state, text, partial(_take_meant, state), key="groups_protected_meant")
        if text != state.check.protected:
            _say_kept(state, state.check.protected)
        return
    if _use(state, text):
        # The sidebar was drawn before, with the groups that were.
        st.rerun()


def _take_meant(state: AuditState, text: str) -> None:
    _use(state, text)
    # Where values are picked there is no such widget, and a value kept for it would later be taken for what is written.
    if "groups_protected_text" in st.session_state:
        st.session_state["groups_protected_text"] = text


def _protect_too(state: AuditState, part: LeftApart) -> None:
    """Name other spellings, too, in the condition and among the values that are picked."""
    condition = require(state.present_table.condition(state.check.protected))
    _take_meant(state, str(with_spellings(condition, {part.column: part.others})))
    column, values = picks(state)
    if column is not None and (place := f"groups_protected_values_{column}") in st.session_state:
        st.session_state[place] = list(values)


def _say_kept(state: AuditState, kept: str) -> None:
    """Say which protected group holds, as it was picked or as it was written."""
    try:
        state.present_table.condition(state.check.protected or None)
    except FairauditError as error:
        show_error(error)
        return
    said = Message("page-in-use", {"what": Phrase(kept)}) if kept else Message("page-no-group")
    st.caption(literal(say(said), limit=1000))


def _show_words(state: AuditState) -> None:
    left, right = st.columns(2)
    _ask_words(state, "protected_name", left, max_chars=80)
    _ask_words(state, "others_name", right, max_chars=80)


def show_title(state: AuditState) -> None:
    """Draw what the question is called in the report."""
    _ask_words(state, "title", st, max_chars=120)


def offer_seal(state: AuditState) -> None:
    """Draw the button that fixes what is asked, while no answer was shown, or the code of the seal."""
    if state.seal is not None:
        st.caption(stated("groups-sealed", code=Phrase(state.seal.code)))
        return
    # A seal holds nothing of the data, whose fingerprint would take a database long.
    plan = None if state.answered else state.plan(fingerprint=False)
    if plan is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = st.text_input(say(Message("groups-seal-by")), key="groups_seal_by", max_chars=200, width=320)
        if st.button(say(Message("groups-seal")), key="groups_seal", help=say(Message("groups-seal-help"))):
            state.seal = plan.sealed(by=by.strip() or None).seal
            st.rerun()


def _ask_words(state: AuditState, name: str, place: DeltaGenerator | ModuleType, *, max_chars: int) -> None:
    """Draw a field of words for a question: with another group or filter they start empty."""
    check = state.check
    about = f"{state.selected}_{crc32(f'{state.data_key} {check.where} {check.protected}'.encode()):x}"
    key = start(f"groups_{name}_{about}", getattr(check, name) or "")
    taken = kept(key, lambda text: state.change_check(**{name: text.strip() or None}))
    draw_field(CheckPlan, name, place, max_chars=max_chars, **taken)


def show_sizes(state: AuditState) -> bool:
    """Draw how many cases both groups have, and what makes that doubtful; return whether they can be compared."""
    is_exact = state.present_table.partial_counts is None
    try:
        protected, reference, unknown, *_ = group_sizes(state)
        condition = require(state.present_table.condition(state.check.protected))
    except FairauditError:
        return False
    named = protected_of(state.names, state.check, condition)
    sides = ((named, protected), (Group(state.check.others_name), reference))
    total = state.present_table.n_rows
    apart = {"groups-size-unknown": unknown, "groups-size-left": total - protected - reference - unknown}
    if not is_exact:
        rows = {"n": Count(protected), "total": Count(total), "group": named}
        st.markdown(literal(say(Message("groups-printed", rows)), limit=300))
    elif protected or reference or unknown:
        # That no row meets the filter is said where it is written.
        called = [say(Message("check-size-of", {"n": Count(n), "group": group})) for group, n in sides]
        grey = [(n, say(Message(key, {"n": Count(n)}))) for key, n in apart.items() if n]
        wide, narrow = (
            sizes_bar((protected, reference), (called[0], called[1]), grey, narrow=narrow) for narrow in (False, True)
        )
        title, description = say(Message("groups-of", {"n": Count(total)})), ", ".join((*called, *(w for _, w in grey)))
        show_wide_and_narrow(wide, narrow, title=title, description=description)
    if left_out := undecided_text(state):
        st.caption(f"{left_out}.")
    warn_of_order(state, condition)
    for place, (name, n) in enumerate(sides):
        if n == 0 and (protected or reference or unknown):
            of_all = Message("groups-one-group", {"n": Count(protected), "group": named})
            of_none = Message("groups-empty", {"group": name})
            st.error(literal(say(of_none if reference or unknown else of_all), limit=400))
            take = partial(_take_meant, state)
            offer_known_values(state, condition, take, key=f"groups_meant_{place}")
        elif is_exact and 0 < n < _FEW:
            st.warning(stated("groups-few", n=Count(n), group=name, limit=300))
    show_spelled_apart(state, condition, partial(_protect_too, state), key="groups_spelled")
    return bool(protected and reference)


def say_seen(state: AuditState) -> str:
    """Return which gaps the groups let one see; empty where there is none, or a group is not counted."""
    protected, reference, _, *undecided = group_sizes(state)
    decided = [n - without for n, without in zip((protected, reference), undecided, strict=True)]
    if min(decided) <= 0 or state.present_table.partial_counts is not None:
        return ""
    shares = state.decision is None or state.decision.kind.has_good_outcome
    return say(say_seen_before(*decided, confidence=state.check.confidence, of_shares=shares))
