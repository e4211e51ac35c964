"""Choosing the decision, the good outcome, a prediction, a score and the protected columns."""

from __future__ import annotations

from functools import partial

import streamlit as st

from fairaudit import Condition
from fairaudit.errors import FairauditError, quote
from fairaudit.measure.spellings import LeftApart
from fairaudit.plan import OutcomePlan, ScorePlan
from fairaudit.plan.roles import meaning_of
from ui.data.not_known import decisions_of, show_not_known
from ui.data.spellings import show_spelled_apart
from ui.frame import show_error
from ui.inspections.roles import choose_roles, offer_as_decision
from ui.look import beside
from ui.state import AuditState
from ui.text import labels, literal
from ui.values import MOST, known_values, number_range, values_left
from ui.widgets import kept, settled, start, start_choice

ASKED = "prediction_asked"
"""Under which of the session's drafts it stands that the person came to name a prediction."""

VALUES, CUT = "certain values", "a number on one side of a cut"
OUTCOME, AMOUNT = "a good or a bad outcome", "an amount, such as pay"
BETTER, WORSE = "better for the person", "worse for the person"
MOST_NAMED = 6
"""Values that count as not good which are named."""
FEW = 20
"""Numbers with more different values than this are taken for amounts, until the person says otherwise."""

FOR, AGAINST = "for the good outcome", "against the good outcome"
SIDES = {"at or above": ">=", "above": ">", "at or below": "<=", "below": "<"}


def show_roles(state: AuditState) -> None:
    """Draw the choices and keep them; a choice that is not right yet is said and not kept."""
    st.markdown("**The decision** is the column that holds what was decided, or what happened.")
    before = state.decision
    state.decision = _outcome(state, before, "decision", "Decision column")
    if state.decision != before:
        # The sidebar was drawn before, with the good outcome that was.
        st.rerun()
    show_not_known(state, decisions_of(state), kinds=("decision",), key="data")
    with st.expander("Prediction or score, if there is one", expanded=bool(state.drafts.get(ASKED))):
        st.caption("With a prediction or a score, the page Errors can show who bears the wrong predictions.")
        state.prediction = _outcome(state, state.prediction, "prediction", "Prediction column")
        state.score = _score(state)
    with st.expander("Searches and inspections: who was looked at, and what was found"):
        st.caption("Where somebody decides whom to look at, the page Searches and inspections compares what is found.")
        choose_roles(state, "data")
    offer_as_decision(state)
    state.protected_columns = tuple(
        st.multiselect(
            "Protected columns",
            list(state.table.columns),
            format_func=labels(state.table.columns),
            placeholder="Such as sex, race, age",
            key=start_choice(f"data_protected_{state.data_key}", state.protected_columns, list(state.table.columns)),
            help="Columns that describe who a person is. The page Check compares all their groups.",
        )
    )


def _outcome(state: AuditState, present: OutcomePlan | None, name: str, label: str) -> OutcomePlan | None:
    columns = list(state.table.columns)
    key = f"data_{name}_{state.data_key}"
    first = present.column if present is not None else state.begun.get(name)
    is_cleared = st.session_state.get(f"{key}_column", first) is None
    left, right = beside(f"data_{name}", small=True)
    place = start_choice(f"{key}_column", None if is_cleared else first, columns)
    column = left.selectbox(
        label,
        columns,
        # A prediction that was named can be taken back, a decision only be changed.
        index=settled(place) if name == "decision" else None,
        format_func=labels(columns),
        placeholder="Choose a column",
        key=place,
    )
    state.begun[name] = column
    if column is None:
        return None
    with right:
        outcome = _meaning(state, present, name, key, column)
    if outcome is None and name == "prediction":
        st.warning(f"The prediction {literal(quote(column))} is not used yet: say what in it means the good outcome.")
    return outcome


def _meaning(state: AuditState, present: OutcomePlan | None, name: str, key: str, column: str) -> OutcomePlan | None:
    """Draw what a column's values mean for people, and return the choice; None while it is not right."""
    same = present if present is not None and present.column == column else None
    numeric = state.table.columns[column].kind == "number"
    known, many = known_values(state, column)
    if state.table.columns[column].kind in {"date", "timestamp"}:
        # A plan holds days and times as text.
        known = [str(value).removesuffix(" 00:00:00") for value in known]
    if not known:
        st.warning(f"The column {literal(quote(column))} has no values to choose from.")
        return None
    if numeric and name == "decision" and _is_amount(state, same, key, column, many or len(known) > FEW):
        same = same if same is not None and same.amount else None
        outcome = _in_words(state, name, _as_amount(same, key, column), same, f"{key}_amount", "monthly pay")
        return outcome if _is_right(state, outcome) else None
    if same is not None and same.amount:
        same = None
    how = VALUES
    if numeric:
        cut_first = bool(same and same.favorable_when) or (same is None and many)
        how = st.radio(
            "A good outcome is",
            [VALUES, CUT],
            horizontal=True,
            key=start(f"{key}_how_{column}", CUT if cut_first else VALUES),
        )
    outcome = _by_cut(state, same, key, column) if how == CUT else _by_values(state, same, key, column, known, many)
    if outcome is None:
        return None
    outcome = _in_words(state, name, outcome, same, key, "income above 50K")
    return outcome if _is_right(state, outcome) else None


def _is_amount(state: AuditState, present: OutcomePlan | None, key: str, column: str, many: bool) -> bool:
    low, high = number_range(state, column) or (0.0, 0.0)
    # Numbers from 0 to 1 are scores or shares more often than amounts.
    first = present.amount if present is not None else many and not 0 <= low <= high <= 1
    said = st.radio(
        "What the column holds",
        [OUTCOME, AMOUNT],
        horizontal=True,
        key=start(f"{key}_tells_{column}", AMOUNT if first else OUTCOME),
        help="Amounts are compared by their means; outcomes by how often they are good.",
    )
    return said == AMOUNT


def _as_amount(present: OutcomePlan | None, key: str, column: str) -> OutcomePlan:
    more = st.radio(
        "More is",
        [BETTER, WORSE],
        horizontal=True,
        key=start(f"{key}_more_{column}", BETTER if present is None or present.higher_is_favorable else WORSE),
    )
    return OutcomePlan(column=column, amount=True, higher_is_favorable=more == BETTER)


def _by_values(
    state: AuditState, present: OutcomePlan | None, key: str, column: str, known: list, many: bool
) -> OutcomePlan | None:
    if many:
        st.caption(f"The column has more than {MOST} values; the most frequent are listed.")
    place = start_choice(f"{key}_values_{column}", present.favorable if present else (), known)
    chosen = st.multiselect(
        "Good outcome",
        known,
        format_func=labels(known),
        placeholder="The value or values that are good for the person",
        key=place,
    )
    if not chosen:
        st.caption("Choose what is good for the person who is decided about.")
        return None
    if len(chosen) == len(known) and not many:
        st.warning("Every value is called good. Then there is nothing to compare; leave at least one out.")
    elif others := [value for value in known if value not in chosen]:
        _say_others(state, column, others, many)
    if state.table.columns[column].kind == "text":
        condition = Condition.one_of(column, chosen, state.table.columns)
        show_spelled_apart(state, condition, partial(_pick_too, place), key=key)
    return OutcomePlan(column=column, favorable=tuple(chosen))


def _say_others(state: AuditState, column: str, others: list, many: bool) -> None:
    """Say which values count as not good, and which of those not chosen the filter leaves out."""
    # Days are chosen as texts, and held as days.
    is_day = state.table.columns[column].kind in {"date", "timestamp"}
    left = others if is_day else values_left(state, column, others)
    said = [f"All other values count as not good: {_listed(left, many)}."] if left else []
    if out := [value for value in others if value not in left]:
        said.append(f"Left out by the filter: {_listed(out, False)}.")
    st.caption(literal(" ".join(said), limit=900))


def _listed(values: list, many: bool) -> str:
    named = ", ".join(quote(str(value), limit=40) for value in values[:MOST_NAMED])
    return f"{named}{', and more' if many or len(values) > MOST_NAMED else ''}"


def _pick_too(place: str, part: LeftApart) -> None:
    st.session_state[place] = [*st.session_state[place], *part.others]


def _by_cut(state: AuditState, present: OutcomePlan | None, key: str, column: str) -> OutcomePlan | None:
    ends = number_range(state, column)
    side_now, cut_now = _read_cut(present, sum(ends) / 2 if ends else 0.0)
    left, right = st.columns(2)
    side = left.selectbox("Good is", list(SIDES), key=start(f"{key}_side_{column}", side_now))
    cut = right.number_input("Cut", value=None, key=start(f"{key}_cut_{column}", float(cut_now)), help=_runs(ends))
    if cut is None:
        right.caption(f"The cut is {cut_now:.15g}, as before.")
        cut = float(cut_now)
    name = '"' + column.replace('"', '""') + '"'
    return OutcomePlan(column=column, favorable_when=f"{name} {SIDES[side]} {cut:.15g}")


def _read_cut(present: OutcomePlan | None, default: float) -> tuple[str, float]:
    if present is not None and present.favorable_when:
        for side, sign in SIDES.items():
            before, found, after = present.favorable_when.rpartition(f" {sign} ")
            if found and before:
                try:
                    return side, float(after)
                except ValueError:
                    break
    return "at or above", default


def _runs(ends: tuple[float, float] | None) -> str:
    return (
        f"The column runs from {ends[0]:g} to {ends[1]:g}." if ends else "The column has no smallest and largest value."
    )


def _in_words(
    state: AuditState, name: str, outcome: OutcomePlan, present: OutcomePlan | None, key: str, example: str
) -> OutcomePlan:
    """Draw what a choice is called in sentences and return the choice with it; it is kept also as it is written."""
    column = outcome.column

    def take(text: str) -> None:
        now = getattr(state, name)
        if now is not None and now.column == column:
            setattr(state, name, now.model_copy(update={"meaning": text.strip() or None}))

    text = st.text_input(
        "In words (optional)",
        placeholder=f"such as: {example}",
        max_chars=120,
        **kept(start(f"{key}_meaning_{column}", (present.meaning if present else None) or ""), take),
        help="Used in the sentences of the report.",
    )
    return outcome.model_copy(update={"meaning": text.strip() or None})


def _score(state: AuditState) -> ScorePlan | None:
    numeric = [c.name for c in state.table.columns.values() if c.kind == "number"]
    present = state.score
    key = f"data_score_{state.data_key}"
    left, right = beside("data_score", small=True)
    column = left.selectbox(
        "Score column",
        numeric,
        index=None,
        format_func=labels(numeric),
        placeholder="Choose a column of numbers",
        key=start_choice(f"{key}_column", present.column if present else None, numeric),
    )
    if column is None:
        return None
    same = present if present is not None and present.column == column else None
    higher = right.radio(
        "A higher score speaks",
        [FOR, AGAINST],
        horizontal=True,
        key=start(f"{key}_higher_{column}", FOR if same is None or same.higher_is_favorable else AGAINST),
    )
    cut = right.number_input(
        "Cut (optional): from this score on",
        value=None,
        key=start(f"{key}_cut_{column}", same.cut if same else None),
        help=f"Makes a prediction out of the score. {_runs(number_range(state, column))}",
    )
    return ScorePlan(column=column, higher_is_favorable=higher == FOR, cut=cut)


def _is_right(state: AuditState, outcome: OutcomePlan) -> bool:
    try:
        meaning = state.remember("meaning", outcome, lambda: meaning_of(state.table, outcome))
    except FairauditError as error:
        show_error(error)
        return False
    st.caption(f"{outcome.kind.label}: {literal(meaning)}.")
    return True
