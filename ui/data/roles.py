"""The decision and what is good in it, the protected columns, a prediction and a score: chosen, and said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time
from functools import partial
from typing import Any
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit import Condition
from fairaudit.conditions.condition import values_left_out, without_left_out
from fairaudit.data.roles import values_held
from fairaudit.errors import ConnectError, FairauditError, StoppedError, quote
from fairaudit.findings import Amount, Argument, Count, Message, Phrase, Said, Share, Word
from fairaudit.measure.spellings import LeftApart
from fairaudit.messages import say
from fairaudit.plan.names import amount_of, proposed_verb, speaks_of_unfavorable, verb_of
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.roles import meaning_of, outcome_of
from ui.asking import Question
from ui.check import population
from ui.check.open_cases import open_cases
from ui.data.levels import choose_levels, in_levels
from ui.data.predictions import called_decision, choose_outcome, choose_score, sounds_predicted, warns
from ui.data.spellings import show_spelled_apart
from ui.frame import show_error
from ui.inspections.roles import choose_roles, offer_as_decision
from ui.look import beside
from ui.state import AuditState
from ui.text import labels, literal, stated
from ui.values import (
    MOST,
    Cut,
    choose_cut,
    cut_of,
    known_values,
    number_range,
    runs,
    value_label,
    values_left,
)
from ui.widgets import kept, settled, start, start_choice

# Values of the decision that decide nothing yet: whoever has one is left out by the filter, and taken in again.


def choose_undecided(state: AuditState, column: str, values: list[Any], *, key: str) -> None:
    """Draw the choice of the values that the filter of the selected question leaves out; the filter follows it."""
    try:
        condition = state.present_table.condition(state.check.where or None)
    except FairauditError:
        # What is wrong with the filter is said where it is written.
        return
    out = () if condition is None else values_left_out(condition, column)
    # The filter holds the choice, and is changed elsewhere, too.
    st.session_state[start(key, [])] = [value for value in values if value in out]
    st.multiselect(
        "Not decided yet: leave these rows out (optional)",
        values,
        format_func=labels(values, text=value_label),
        placeholder="Such as pending or deferred",
        select_all=False,
        **kept(key, partial(_leave_out, state, column, condition)),
        help="Adds a condition on the decision to the filter of this question. Taken out here, the rows count again.",
    )


def _leave_out(state: AuditState, column: str, condition: Condition | None, values: list[Any]) -> None:
    rest = None if condition is None else without_left_out(condition, column)
    added = str(~Condition.one_of(column, values, state.present_table.columns)) if values else ""
    text = "" if rest is None else str(rest)
    population.change(state, population.joined(text, added) if added else text)


# Choosing the decision and what is good in it, the protected columns, a prediction and a score.

ASKED = "prediction_asked"
"""Under which of the session's drafts it stands that the person came to name a prediction."""

DIRECTION = "amount_direction"
"""Under which of the session's drafts it stands that nobody said which direction of an amount is better."""

VALUES, CUT = "certain values", "a number on one side of a cut"
OUTCOME, AMOUNT = "what is good or bad", "an amount, such as pay"
BETTER, WORSE = "better for the person", "worse for the person"
MOST_OUTCOMES = 12
"""Of a decision with more values, it is not asked which of them decide nothing yet."""
MOST_NAMED = 6
"""Values that count as not good which are named."""
MANY_NUMBERS = 20
"""Numbers with more different values than this are taken for amounts, until the person says otherwise."""

_KEPT = ("meaning", "other_meaning", "levels", "ordered")
"""What is said of a decision elsewhere, and stays."""

Places = Sequence[DeltaGenerator]
"""Three places in a line: for the column, for what is good, for words."""

FOR, AGAINST = "for the person", "against the person"


def show_decision(state: AuditState) -> None:
    """Draw what the decision column says, in one line; a choice that is not right yet is said and not kept."""
    before, drawn = state.decision, _is_drawn(state)
    state.drafts.pop(DIRECTION, None)
    state.take_decision(_outcome(state, before, "decision", "Decision column"))
    if state.decision != before or _is_drawn(state) != drawn:
        # What was drawn above and in the sidebar speaks of the decision that was.
        st.rerun()


def asks_direction(state: AuditState) -> bool:
    """Say whether it is open if more of the amount that is the decision is better for people."""
    return bool(state.drafts.get(DIRECTION))


def _is_drawn(state: AuditState) -> tuple[str | None, bool]:
    return state.begun.get("decision"), asks_direction(state)


def show_more_roles(state: AuditState) -> None:
    """Draw who is protected, and what else columns may hold."""
    choose_levels(state)
    left, right = beside("data_roles")
    state.protected_columns = tuple(
        left.multiselect(
            "Protected columns",
            list(state.present_table.columns),
            format_func=labels(state.present_table.columns),
            placeholder="Such as sex, race, age",
            key=start_choice(
                f"data_protected_{state.data_key}", state.protected_columns, list(state.present_table.columns)
            ),
            help="Columns that describe who a person is.",
        )
    )
    if state.decision is not None:
        with right:
            _show_names(state, "decision")
    named = state.prediction is not None or state.score is not None or state.begun.get("prediction") is not None
    # Folds with a key stay as they are when what stands above them changes.
    with st.expander("Prediction or score, if there is one", expanded=named or is_asked(state), key="data_predicted"):
        state.prediction = in_levels(state, _outcome(state, state.prediction, "prediction", "Prediction column"))
        if state.prediction is not None:
            _show_names(state, "prediction")
        state.score = _score(state)
    with st.expander("Searches and inspections: who was looked at, and what was found", key="data_searched"):
        choose_roles(state, "data")
    offer_as_decision(state)


def is_asked(state: AuditState) -> bool:
    """Say whether the person came to name a prediction."""
    return bool(state.drafts.get(ASKED))


def say_predicted(state: AuditState) -> None:
    """Offer to judge a prediction, where the decision is what truly happened and a prediction is not named yet."""
    if state.decision is None or state.prediction is not None or state.score is not None:
        return
    if not (state.decision.kind.has_good_outcome and state.present_plan(fingerprint=False).decision_is_outcome):
        return
    columns = [name for name in state.present_table.columns if name != state.decision.column]
    if predicted := next(filter(sounds_predicted, columns), None):
        st.caption(stated("data-predicted", column=Phrase(predicted)))


def _outcome(state: AuditState, present: OutcomePlan | None, name: str, label: str) -> OutcomePlan | None:
    columns = list(state.present_table.columns)
    key = f"data_{name}_{state.data_key}"
    first = present.column if present is not None else state.begun.get(name)
    if name == "decision" and name not in state.begun:
        first = first or called_decision(columns)
    is_cleared = st.session_state.get(f"{key}_column", first) is None
    left, middle, right = beside(f"data_{name}", (1, 1, 1), small=True)
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
    said = present if present is not None and present.column == column else state.meant.pop((name, column), None)
    outcome = _meaning(state, said, name, key, column, (left, middle, right))
    if outcome is not None:
        state.meant[name, column] = outcome
    if outcome is None and name == "prediction":
        st.warning(stated("data-prediction-unused", column=Phrase(quote(column))))
    return outcome


def _meaning(
    state: AuditState, same: OutcomePlan | None, name: str, key: str, column: str, places: Places
) -> OutcomePlan | None:
    """Draw what a column's values mean for people, and return the choice; None while it is not right.

    `same` is what was said of that column before.
    """
    left, middle, right = places
    numeric = state.present_table.columns[column].kind == "number"
    known, many = _choices(state, column)
    if not known:
        middle.warning(stated("data-no-values", column=Phrase(quote(column))))
        return None
    # Of two numbers, each is a code.
    is_said = same is not None and bool(same.amount or same.favorable_when)
    numeric = numeric and (many or len(known) > 2 or is_said)
    amounts = numeric and name == "decision"
    with middle:
        if amounts and _is_amount(state, same, key, column, many or len(known) > MANY_NUMBERS):
            same = same if same is not None and same.amount else None
            outcome, key = _as_amount(state, same, key, column), f"{key}_amount"
        else:
            same = None if same is not None and same.amount else same
            outcome = _favorable(state, same, name, key, column, many=many, numeric=numeric)
    if outcome is None:
        return None
    if name == "decision":
        if not outcome.amount:
            with left:
                happened = choose_outcome(state, None if same is None else same.is_outcome, column, key)
            outcome = outcome.model_copy(update={"is_outcome": happened})
        with right:
            outcome = _in_words(state, outcome, same, key)
    kept_names = {} if same is None else {name: getattr(same, name) for name in _KEPT}
    outcome = outcome.model_copy(update=kept_names)
    return outcome if _is_right(state, outcome) else None


def _favorable(
    state: AuditState, same: OutcomePlan | None, name: str, key: str, column: str, *, many: bool, numeric: bool
) -> OutcomePlan | None:
    how = VALUES
    if numeric:
        cut_first = bool(same and same.favorable_when) or (same is None and many)
        how = st.radio(
            "Good for the person is",
            [VALUES, CUT],
            horizontal=True,
            key=start(f"{key}_how_{column}", CUT if cut_first else VALUES),
        )
    return _by_cut(state, same, key, column) if how == CUT else _by_values(state, same, name, key, column)


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
    )
    return said == AMOUNT


def _as_amount(state: AuditState, present: OutcomePlan | None, key: str, column: str) -> OutcomePlan | None:
    """Draw whether more of an amount is better for people, which nothing in a table says; None while it is open."""
    said = None if present is None else BETTER if present.higher_is_favorable else WORSE
    more = st.radio(
        "More is",
        [BETTER, WORSE],
        index=None,
        horizontal=True,
        key=start(f"{key}_more_{column}", said),
    )
    if more is None:
        state.drafts[DIRECTION] = True
        return None
    return OutcomePlan(column=column, amount=True, higher_is_favorable=more == BETTER)


def _by_values(state: AuditState, present: OutcomePlan | None, name: str, key: str, column: str) -> OutcomePlan | None:
    known, many = _choices(state, column)
    if many:
        st.caption(say(Message("data-most-values", {"n": Count(MOST)})))
    held = _held(state, column, present.favorable) if present else []
    # What was said stays, also where it is rare, or written otherwise than the column holds it.
    known = [*known, *(value for value in held if value not in known)]
    place = start_choice(f"{key}_values_{column}", held, known)
    chosen = st.multiselect(
        "Good for the person" if name == "decision" else "Good prediction",
        known,
        format_func=labels(known, text=value_label),
        placeholder="One value or more",
        key=place,
        select_all=False,
    )
    if not chosen:
        return None
    if len(chosen) == len(known) and not many:
        st.warning(say(Message("data-all-good")))
    elif others := [value for value in known if value not in chosen]:
        _say_others(state, column, others, many)
        is_day = state.present_table.columns[column].is_day
        if name == "decision" and len(others) > 1 and len(known) <= MOST_OUTCOMES and not is_day:
            choose_undecided(state, column, others, key=f"{key}_undecided_{column}")
    if state.present_table.columns[column].kind == "text":
        condition = Condition.one_of(column, chosen, state.present_table.columns)
        show_spelled_apart(state, condition, partial(_pick_too, place), key=key)
    return OutcomePlan(column=column, favorable=tuple(chosen))


def _held(state: AuditState, column: str, values: tuple) -> list:
    """Return values of a saved audit as they can be chosen."""
    held = state.remember("held", (column, values), lambda: values_held(state.present_table, column, values))
    return [_as_choice(state, column, value) for value in held]


def _as_choice(state: AuditState, column: str, value: object) -> object:
    """Return a value as it is chosen: a plan holds days as text, with the time where there is one."""
    if not state.present_table.columns[column].is_day:
        return value
    return str(value.date() if isinstance(value, datetime) and value.time() == time.min else value)


def _say_others(state: AuditState, column: str, others: list, many: bool) -> None:
    """Name the values that are not good, where there are several, and those that the filter leaves out."""
    # Days are chosen as texts, and held as days.
    left = others if state.present_table.columns[column].is_day else values_left(state, column, others)
    out = [value for value in others if value not in left]
    named = {"data-not-good": left if len(others) > 1 or many else [], "data-filtered-out": out}
    said = [
        Message(key, {"values": Phrase(_listed(values, many and values is left))})
        for key, values in named.items()
        if values
    ]
    if said:
        st.caption(literal(say(said), limit=900))


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
        right.caption(stated("page-cut-stays", value=Phrase(value_label(before.value))))
        found = replace(found, value=before.value)
    return OutcomePlan(column=column, favorable_when=found.condition(column))


def _in_words(state: AuditState, outcome: OutcomePlan, present: OutcomePlan | None, key: str) -> OutcomePlan:
    """Draw the verb that sentences use and return the choice with it."""
    same = present if present is not None and _good(present) == _good(outcome) else None
    field = "unfavorable_verb" if same is not None and same.unfavorable_verb else "verb"
    before = None if same is None else getattr(same, field)
    # A verb is said of those with the favourable result: with another one, it starts anew.
    place = f"{key}_{field}_{outcome.column}_{crc32(repr(_good(outcome)).encode()):x}"
    example = "were paid" if outcome.amount else proposed_verb(outcome) or "were approved"
    text = st.text_input(
        "In words: people without it …" if field == "unfavorable_verb" else "In words: people …",
        placeholder=example,
        max_chars=120,
        **kept(start(place, before or ""), partial(_take_words, state, "decision", outcome.column, field)),
        help="Said of several people, in the past. All sentences use it.",
    )
    return outcome.model_copy(update={field: text.strip() or None})


def _good(outcome: OutcomePlan) -> tuple:
    return outcome.favorable, outcome.favorable_when


def _take_words(state: AuditState, name: str, column: str, field: str, text: str) -> None:
    """Keep words also as they are written."""
    now = getattr(state, name)
    if now is not None and now.column == column:
        setattr(state, name, now.model_copy(update={field: text.strip() or None}))


def _show_names(state: AuditState, name: str) -> None:
    """Draw what tables call the results of a decision or prediction."""
    outcome = getattr(state, name)
    fields = {"meaning": ("loan granted", "The favourable result" if outcome.kind.has_good_outcome else "The amount")}
    if name == "decision" and outcome.kind.has_good_outcome and (outcome.meaning or outcome.other_meaning):
        fields["other_meaning"] = ("loan refused", "Any other result")
    places = beside(f"data_{name}_names", small=True)
    for place, (field, (example, called)) in zip(places, fields.items(), strict=False):
        place.text_input(
            f"{called}, in tables",
            placeholder=f"such as: {example}",
            max_chars=120,
            **kept(
                start(f"data_{name}_{state.data_key}_{field}_{outcome.column}", getattr(outcome, field) or ""),
                partial(_take_words, state, name, outcome.column, field),
            ),
        )


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
        "Cut: from this score on",
        value=None,
        format="%g",
        placeholder="No cut yet",
        key=start(f"{key}_cut_{column}", same.cut if same else None),
        help=runs(number_range(state, column)),
    )
    return ScorePlan(column=column, higher_is_favorable=higher == FOR, cut=cut)


def _is_right(state: AuditState, outcome: OutcomePlan) -> bool:
    try:
        state.remember("meaning", outcome, lambda: meaning_of(state.present_table, outcome))
    except FairauditError as error:
        show_error(error)
        return False
    return True


# How the table was read, as a sentence: what most people got, or what is still to be said.

_DIGITS = {100.0: 0, 1.0: 1}
"""Decimals of a mean from this size on; of a smaller one, three."""


def ask_decision(state: AuditState) -> Question | None:
    """Ask what is not said of the decision yet; the fields below the question are its answer."""
    if state.decision is not None:
        return None
    if state.begun.get("decision") is None:
        return Question(Message("data-headline-decision"), Message("data-lead-decision"))
    if asks_direction(state):
        return Question(Message("data-headline-direction"), Message("data-lead-direction"))
    return Question(Message("data-headline-good"), Message("data-lead-good"))


def say_table(state: AuditState) -> Said:
    """Say what the decision column tells of all people."""
    return Said(Message("verdict-ready"), _headline(state), (Message("data-lead-read"),))


def _headline(state: AuditState) -> Message:
    decision = state.present_decision
    args: dict[str, Argument] = {"verb": verb_of(decision)}
    what, better = decision.meaning or decision.column, Word("more" if decision.higher_is_favorable else "less")
    if not state.present_table.source.options.all_closed and open_cases(state) is not None:
        return Message("data-headline-open", args | {"what": Phrase(what), "better": better})
    try:
        value = state.remember("all_people", (decision, state.check.where), lambda: _of_all(state))
    except (ConnectError, StoppedError):
        value = math.nan
    if not math.isfinite(value):
        return Message("data-headline-named", args)
    if decision.kind.has_good_outcome:
        return Message(
            "data-headline-share", args | {"share": Share(1 - value if speaks_of_unfavorable(decision) else value)}
        )
    digits = next((digits for size, digits in _DIGITS.items() if abs(value) >= size), 3)
    named = Phrase("") if decision.verb else amount_of(decision)
    return Message("data-headline-amount", args | {"mean": Amount(value, digits), "what": named, "better": better})


def _of_all(state: AuditState) -> float:
    """Return the share with the favourable result, or the mean, of all rows that the filter does not call undecided."""
    table, decision = state.present_table, state.present_decision
    known = ~Condition.equals(decision.column, None, table.columns)
    if table.partial_counts is not None:
        return math.nan
    if table.design is not None:
        return _of_all_weighed(state, known)
    if not decision.kind.has_good_outcome:
        return float(table.means(decision.column, {}, where=known)["mean"].iloc[0])
    if undecided := _undecided(state):
        known &= ~Condition.one_of(decision.column, undecided, table.columns)
    good = outcome_of(table, decision).condition
    frame = table.counts({"good": good}, where=known)
    n = frame["n"].sum()
    return float(frame.loc[frame["good"].fillna(False).astype(bool), "n"].sum() / n) if n else math.nan


def _of_all_weighed(state: AuditState, known: Condition) -> float:
    """Return the same by sampling weights."""
    table, decision = state.present_table, state.present_decision
    if not decision.kind.has_good_outcome:
        sums = table.weighted_moments(decision.column, {"known": known}, where=known)[["w", "wy"]].sum()
        return float(sums["wy"] / sums["w"]) if sums["w"] > 0 else math.nan
    if undecided := _undecided(state):
        known &= ~Condition.one_of(decision.column, undecided, table.columns)
    frame = table.weighted_counts({"good": outcome_of(table, decision).condition}, where=known)
    w = frame["w"].sum()
    return float(frame.loc[frame["good"].fillna(False).astype(bool), "w"].sum() / w) if w > 0 else math.nan


def _undecided(state: AuditState) -> tuple:
    try:
        condition = state.present_table.condition(state.check.where or None)
    except FairauditError:
        return ()
    return () if condition is None else values_left_out(condition, state.present_decision.column)
