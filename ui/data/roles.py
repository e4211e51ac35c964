"""Choosing the decision, the good outcome, the protected columns, a prediction and a score."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from zlib import crc32

import streamlit as st

from fairaudit import Condition
from fairaudit.data.roles import values_held
from fairaudit.errors import FairauditError, quote
from fairaudit.measure.spellings import LeftApart
from fairaudit.plan import OutcomePlan, ScorePlan
from fairaudit.plan.naming import proposed_verb
from fairaudit.plan.roles import meaning_of
from ui.data.cuts import Cut, choose_cut, cut_of, runs
from ui.data.flagged import choose_score, sounds_predicted, warns
from ui.data.happened import choose_outcome
from ui.data.not_known import decisions_of, show_not_known
from ui.data.spellings import show_spelled_apart
from ui.data.undecided import choose_undecided
from ui.frame import show_error
from ui.inspections.roles import choose_roles, offer_as_decision
from ui.look import beside
from ui.state import AuditState
from ui.text import labels, literal
from ui.values import MOST, known_values, number_range, value_label, values_left
from ui.widgets import kept, settled, start, start_choice

ASKED = "prediction_asked"
"""Under which of the session's drafts it stands that the person came to name a prediction."""

VALUES, CUT = "certain values", "a number on one side of a cut"
OUTCOME, AMOUNT = "a good or a bad outcome", "an amount, such as pay"
BETTER, WORSE = "better for the person", "worse for the person"
MOST_OUTCOMES = 12
"""Of a decision with more values, it is not asked which of them decide nothing yet."""
MOST_NAMED = 6
"""Values that count as not good which are named."""
FEW = 20
"""Numbers with more different values than this are taken for amounts, until the person says otherwise."""

OTHER = "income up to 50K", "Used where sentences speak of those who do not have the good outcome."

TRUTH = "What was decided. To judge a prediction on the page Errors, choose the column of what truly happened instead."

FOR, AGAINST = "for the good outcome", "against the good outcome"


def show_roles(state: AuditState) -> None:
    """Draw the choices and keep them; a choice that is not right yet is said and not kept."""
    st.markdown("**The decision** is the column that holds what was decided, or what happened.")
    before = state.decision
    state.take_decision(_outcome(state, before, "decision", "Decision column"))
    if state.decision != before:
        # The sidebar was drawn before, with the good outcome that was.
        st.rerun()
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
    # In a place of its own, so that the panel below stays the same one when the sentence goes.
    with st.container():
        _say_predicted(state)
    named = state.prediction is not None or state.score is not None or state.begun.get("prediction") is not None
    with st.expander("Prediction or score, if there is one", expanded=named or bool(state.drafts.get(ASKED))):
        st.caption(
            "The page Errors shows who bears wrong predictions. For that, the decision column must hold what truly "
            "happened; the prediction is what a model or a person said."
        )
        state.prediction = _outcome(state, state.prediction, "prediction", "Prediction column")
        state.score = _score(state)
    with st.expander("Searches and inspections: who was looked at, and what was found"):
        st.caption("Where somebody decides whom to look at, the page Searches and inspections compares what is found.")
        choose_roles(state, "data")
    offer_as_decision(state)
    show_not_known(state, decisions_of(state), kinds=("decision",), key="data")


def _say_predicted(state: AuditState) -> None:
    """Say where a prediction is judged, where the decision is what truly happened and a prediction is not named yet."""
    if state.decision is None or state.prediction is not None or state.score is not None:
        return
    if not (state.decision.kind.has_good_outcome and state.plan(fingerprint=False).decision_is_outcome):
        return
    columns = [name for name in state.table.columns if name != state.decision.column]
    if predicted := next(filter(sounds_predicted, columns), None):
        true, foreseen = (literal(quote(name, limit=40)) for name in (state.decision.column, predicted))
        st.info(f"{true} is what happened. To see whom {foreseen} gets wrong, name it below.")


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
        help=TRUTH if name == "decision" else None,
    )
    state.begun[name] = column
    if column is None:
        return None
    said = present if present is not None and present.column == column else state.meant.pop((name, column), None)
    with right:
        outcome = _meaning(state, said, name, key, column)
    if outcome is not None:
        state.meant[name, column] = outcome
    if outcome is None and name == "prediction":
        st.warning(f"The prediction {literal(quote(column))} is not used yet: say what in it means the good outcome.")
    return outcome


def _meaning(state: AuditState, same: OutcomePlan | None, name: str, key: str, column: str) -> OutcomePlan | None:
    """Draw what a column's values mean for people, and return the choice; None while it is not right.

    `same` is what was said of that column before.
    """
    numeric = state.table.columns[column].kind == "number"
    known, many = _choices(state, column)
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
    outcome = _by_cut(state, same, key, column) if how == CUT else _by_values(state, same, name, key, column)
    if outcome is None:
        return None
    if name == "decision":
        happened = choose_outcome(state, None if same is None else same.is_outcome, column, key)
        outcome = outcome.model_copy(update={"is_outcome": happened})
    outcome = _in_words(state, name, outcome, same, key, "loan granted")
    return outcome if _is_right(state, outcome) else None


def _choices(state: AuditState, column: str) -> tuple[list, bool]:
    """Return the values that can be good outcomes, and whether there are more."""
    known, many = known_values(state, column)
    return [_as_choice(state, column, value) for value in known], many


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


def _by_values(state: AuditState, present: OutcomePlan | None, name: str, key: str, column: str) -> OutcomePlan | None:
    known, many = _choices(state, column)
    if many:
        st.caption(f"The column has more than {MOST} values; the most frequent are listed.")
    held = _held(state, column, present.favorable) if present else []
    # What was said stays, also where it is rare, or written otherwise than the column holds it.
    known = [*known, *(value for value in held if value not in known)]
    place = start_choice(f"{key}_values_{column}", held, known)
    chosen = st.multiselect(
        "Good outcome" if name == "decision" else "Which prediction is the good one",
        known,
        format_func=labels(known, text=value_label),
        placeholder="The value or values that are good for the person",
        key=place,
        select_all=False,
    )
    if not chosen:
        st.caption("Choose what is good for the person who is decided about.")
        return None
    if len(chosen) == len(known) and not many:
        st.warning("Every value is called good. Then there is nothing to compare; leave at least one out.")
    elif others := [value for value in known if value not in chosen]:
        _say_others(state, column, others, many)
        is_day = state.table.columns[column].is_day
        if name == "decision" and len(others) > 1 and len(known) <= MOST_OUTCOMES and not is_day:
            choose_undecided(state, column, others, key=f"{key}_undecided_{column}")
    if state.table.columns[column].kind == "text":
        condition = Condition.one_of(column, chosen, state.table.columns)
        show_spelled_apart(state, condition, partial(_pick_too, place), key=key)
    return OutcomePlan(column=column, favorable=tuple(chosen))


def _held(state: AuditState, column: str, values: tuple) -> list:
    """Return values of a saved audit as they can be chosen."""
    held = state.remember("held", (column, values), lambda: values_held(state.table, column, values))
    return [_as_choice(state, column, value) for value in held]


def _as_choice(state: AuditState, column: str, value: object) -> object:
    """Return a value as it is chosen: a plan holds days and times as text."""
    return str(value).removesuffix(" 00:00:00") if state.table.columns[column].is_day else value


def _say_others(state: AuditState, column: str, others: list, many: bool) -> None:
    """Say which values count as not good, and which of those not chosen the filter leaves out."""
    # Days are chosen as texts, and held as days.
    left = others if state.table.columns[column].is_day else values_left(state, column, others)
    said = [f"All other values count as not good: {_listed(left, many)}."] if left else []
    if out := [value for value in others if value not in left]:
        said.append(f"Left out by the filter: {_listed(out, False)}.")
    st.caption(literal(" ".join(said), limit=900))


def _listed(values: list, many: bool) -> str:
    named = ", ".join(quote(value_label(value), limit=40) for value in values[:MOST_NAMED])
    return f"{named}{', and more' if many or len(values) > MOST_NAMED else ''}"


def _pick_too(place: str, part: LeftApart) -> None:
    st.session_state[place] = [*st.session_state[place], *part.others]


def _by_cut(state: AuditState, present: OutcomePlan | None, key: str, column: str) -> OutcomePlan | None:
    ends = number_range(state, column)
    side = "below" if warns(column) else "at or above"
    before = cut_of(present) or Cut(side, sum(ends) / 2 if ends else 0.0)
    left, right = st.columns(2)
    found = choose_cut(left, right, before, key=key, column=column, ends=ends)
    if found.value is None:
        right.caption(f"The cut is {literal(value_label(before.value))}, as before.")
        found = replace(found, value=before.value)
    return OutcomePlan(column=column, favorable_when=found.condition(column))


def _in_words(
    state: AuditState, name: str, outcome: OutcomePlan, present: OutcomePlan | None, key: str, example: str
) -> OutcomePlan:
    """Draw what a choice is called in sentences and return the choice with it; it is kept also as it is written."""
    # A verb is said of those with the good outcome: with another one, it starts anew.
    good = crc32(repr((outcome.favorable, outcome.favorable_when)).encode())
    is_same = present is not None and (present.favorable, present.favorable_when) == (
        outcome.favorable,
        outcome.favorable_when,
    )

    def written(field: str, label: str, example: str, help_text: str) -> str | None:
        def take(text: str) -> None:
            now = getattr(state, name)
            if now is not None and now.column == outcome.column:
                setattr(state, name, now.model_copy(update={field: text.strip() or None}))

        is_verb = field in ("verb", "unfavorable_verb")
        before = (getattr(present, field) if present and (is_same or not is_verb) else None) or ""
        place = f"{key}_{field}_{outcome.column}" + (f"_{good:x}" if is_verb else "")
        text = st.text_input(
            label,
            placeholder=f"such as: {example}",
            max_chars=120,
            **kept(start(place, before), take),
            help=help_text,
        )
        return text.strip() or None

    found = {"meaning": written("meaning", "In words (optional)", example, "Used in the sentences of the report.")}
    if name == "decision":
        field = "unfavorable_verb" if present and is_same and present.unfavorable_verb else "verb"
        which = "without the good outcome" if field == "unfavorable_verb" else "who got this"
        example = "were paid" if outcome.amount else proposed_verb(outcome) or "were approved"
        help_text = "Said of several people, in the past: the answer is a sentence with these words."
        found[field] = written(field, f"People {which} … (optional)", example, help_text)
    if name == "decision" and not outcome.amount and (found["meaning"] or (present and present.other_meaning)):
        found["other_meaning"] = written("other_meaning", "The other outcome in words (optional)", *OTHER)
    return outcome.model_copy(update=found)


def _score(state: AuditState) -> ScorePlan | None:
    present = state.score
    key = f"data_score_{state.data_key}"
    left, right = beside("data_score", small=True)
    column = choose_score(state, left, key)
    if column is None:
        return None
    same = present if present is not None and present.column == column else None
    is_for = not warns(column) if same is None else same.higher_is_favorable
    higher = right.radio(
        "A higher score speaks",
        [FOR, AGAINST],
        horizontal=True,
        key=start(f"{key}_higher_{column}", FOR if is_for else AGAINST),
    )
    cut = right.number_input(
        "Cut (optional): from this score on",
        value=None,
        format="%g",
        key=start(f"{key}_cut_{column}", same.cut if same else None),
        help="Makes a prediction out of the score: good from there on or, where a higher score speaks against it, "
        f"flagged. {runs(number_range(state, column))}",
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
