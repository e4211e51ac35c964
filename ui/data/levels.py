"""More than yes and no: all levels of the decision, and whether they are ordered."""

from __future__ import annotations

from typing import Final

import streamlit as st

from fairaudit.measure.levels import MOST_LEVELS
from fairaudit.plan.outcomes import OutcomePlan
from ui.state import AuditState
from ui.text import labels, literal, stated
from ui.values import known_values, value_label, values_left
from ui.widgets import start, start_choice

YES_OR_NO, ORDERED, UNORDERED = "Only the favourable result", "Its levels, from best to worst", "Its levels, unordered"
LEAST: Final = 3
"""Values of a decision from which on it is asked whether they are levels."""


def choose_levels(state: AuditState) -> None:
    """Draw whether the decision has levels, and which; nothing where it has two values, or too many."""
    decision = state.decision
    if decision is None or not decision.kind.has_good_outcome:
        return
    known, more = known_values(state, decision.column)
    known = values_left(state, decision.column, known)
    if more or not LEAST <= len(known) <= MOST_LEVELS:
        return
    key = f"data_levels_{state.data_key}"
    first = YES_OR_NO if not decision.levels else ORDERED if decision.ordered else UNORDERED
    how = st.radio(
        "What is compared of the decision",
        [YES_OR_NO, ORDERED, UNORDERED],
        horizontal=True,
        key=start(f"{key}_how_{decision.column}", first),
        help=stated("levels-data-help"),
    )
    if how == YES_OR_NO:
        _take(state, decision, (), ordered=False)
        return
    good = [value for value in known if value in decision.favorable]
    proposed = decision.levels or (*good, *(value for value in known if value not in good))
    place = start_choice(f"{key}_named_{decision.column}", list(proposed), known)
    chosen = st.multiselect(
        "Levels, the best first" if how == ORDERED else "Levels",
        known,
        format_func=labels(known, text=value_label),
        key=place,
        select_all=False,
    )
    if lacking := [value_label(value) for value in known if value not in chosen]:
        st.info(stated("levels-data-lacking"))
        st.caption(literal(", ".join(lacking), limit=200))
        return
    _take(state, decision, tuple(chosen), ordered=how == ORDERED)


def in_levels(state: AuditState, prediction: OutcomePlan | None) -> OutcomePlan | None:
    """Return a prediction with the levels of the decision, where its values are such levels; say what is lacking."""
    decision = state.decision
    if prediction is None:
        return None
    plain = prediction.model_copy(update={"levels": (), "ordered": False})
    if decision is None or not decision.levels or prediction.favorable_when is not None:
        return plain
    known, more = known_values(state, prediction.column)
    levels = set(map(str, decision.levels))
    if more or not levels.issuperset(map(str, values_left(state, prediction.column, known))):
        return plain
    taken = plain.model_copy(update={"levels": decision.levels, "ordered": decision.ordered})
    if taken.apart_in(decision) is None:
        return taken
    st.info(stated("level-errors-data-good"))
    return plain


def _take(state: AuditState, decision: OutcomePlan, levels: tuple, *, ordered: bool) -> None:
    if (levels, ordered) != (decision.levels, decision.ordered):
        state.take_decision(OutcomePlan(**dict(decision) | {"levels": levels, "ordered": ordered}))
        st.rerun()
