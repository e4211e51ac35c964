"""What is asked of a search, and the button that begins it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from fairaudit.audit.subgroups import iter_search, outcome_columns
from fairaudit.estimators.leakage import columns_without_use
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.naming import verb_of
from fairaudit.plan.questions import SubgroupsPlan
from fairaudit.sections.worst.reading import compared_by
from fairaudit.sections.worst.saying import MEASURES
from fairaudit.subgroups.cells import RATES
from fairaudit.subgroups.kinds import Measure
from ui import memory
from ui.check.known_before import following
from ui.entries import Search
from ui.jobs import Job
from ui.look import beside
from ui.progress import show_job
from ui.state import AuditState
from ui.text import first_named, labels, literal
from ui.widgets import start, start_choice

DIRECTIONS = {"lower": "below everyone else", "higher": "above everyone else", "both": "below or above everyone else"}
ROWS_HELP = "In both halves of the table together. One half is searched, the other judges what was found."
ROW_BYTES = 400
"""Memory that a search takes for a row, about."""


def show_settings(state: AuditState) -> SubgroupsPlan:
    """Draw what groups may be made of and what is compared; return the question."""
    columns = _columns(state)
    present = state.subgroups_draft or SubgroupsPlan(protected=_protected(state, columns))
    narrowing, naming = beside("worst_columns", small=True)
    chosen = narrowing.multiselect(
        "Columns to search",
        columns,
        format_func=labels(columns),
        key=start_choice("worst_columns", present.columns, columns),
        placeholder="all columns",
        help="Without a choice, all but those that follow from the decision, the prediction or the score.",
    )
    protected = naming.multiselect(
        "Always one of",
        columns,
        format_func=labels(columns),
        key=start_choice("worst_protected", present.protected, columns),
        placeholder="any column",
        help="Each group then names one of these, as young women name sex.",
    )
    rated = state.decision.kind.has_good_outcome and (state.prediction is not None or state.score is not None)
    *first, left, middle, right = st.columns(4 if rated else 3)
    measure = None
    if rated:
        options = ["selection", *RATES]
        measure = first[0].selectbox(
            "Compare",
            options,
            format_func=lambda name: _measure_words(state, name),
            key=start_choice("worst_measure", present.measure or "selection", options),
        )
    worse = _worse_side(state, measure)
    # Who did not choose otherwise looks for what is worse, whatever is compared.
    is_worse = state.subgroups_draft is None or present.direction == _worse_side(state, present.measure)
    direction = left.selectbox(
        "Look for groups",
        list(DIRECTIONS),
        format_func=lambda side: DIRECTIONS[side] + (" (worse)" if side == worse else ""),
        key=start_choice(f"worst_direction_{worse}", worse if is_worse else present.direction, list(DIRECTIONS)),
    )
    longest = middle.slider("Most conditions", 1, 4, key=start("worst_max_conditions", present.max_conditions))
    min_rows = right.number_input(
        "Smallest group, rows", min_value=1, key=start("worst_min_rows", present.min_rows), help=ROWS_HELP
    )
    state.subgroups_draft = SubgroupsPlan(
        where=state.check.where,
        columns=tuple(chosen),
        protected=tuple(protected),
        measure=None if measure == "selection" else measure,
        direction=direction,
        max_conditions=longest,
        min_rows=min_rows,
        confidence=state.check.confidence,
    )
    return state.subgroups_draft


def _columns(state: AuditState) -> list[str]:
    outcomes = outcome_columns(state.plan(fingerprint=False))
    return [name for name in state.table.columns if name not in outcomes]


def _protected(state: AuditState, columns: Sequence[str]) -> tuple[str, ...]:
    """Return which columns groups name one of where nobody has said so: the protected ones, or those of the group."""
    picked = state.table.condition(state.check.protected) if state.check.protected else None
    wanted = state.protected_columns or (() if picked is None else picked.columns)
    return tuple(name for name in wanted if name in columns)


def show_asked(state: AuditState, plan: SubgroupsPlan) -> None:
    """Draw in one line what is compared, and of what groups are made."""
    columns = plan.columns or _proposed(state)
    measure = plan.measure or ("selection" if state.decision.kind.has_good_outcome else "mean")
    what = Message(MEASURES[compared_by(measure, state.positive)], {"verb": verb_of(state.decision)})
    said = [Message("worst-asked", {"what": what, "columns": Message("names-first", first_named(columns))})]
    if plan.protected:
        protected = Message("names-first", first_named(plan.protected))
        said.append(Message("worst-asked-protected", {"protected": protected}))
    st.markdown(literal(say(said), limit=900))


def _proposed(state: AuditState) -> list[str]:
    """Return the columns that a search looks at where none is chosen."""
    columns = _columns(state)
    without_use = state.remember("without_use", (), lambda: columns_without_use(state.table))
    left_out = {**without_use, **following(state, columns)}
    return [name for name in columns if name not in left_out]


def _measure_words(state: AuditState, measure: Measure) -> str:
    key = MEASURES[compared_by(measure, state.positive)]
    return literal(say(Message("name-label", {"label": Message(key, {"verb": verb_of(state.decision)})})))


def _worse_side(state: AuditState, measure: str | None) -> str:
    """Return on which side of the others a subgroup fares worse: with fewer good outcomes, or with more errors."""
    if measure in RATES and measure != "accuracy":
        return "higher"
    return "lower" if state.decision.higher_is_favorable else "higher"


def offer_search(state: AuditState, plan: SubgroupsPlan) -> None:
    """Draw the button that begins the search."""
    key = state.search_key(plan)
    under_way = [job for job in _jobs(state, key) if not job.ended]
    if st.button("Search", type="primary", key="worst_search", disabled=bool(under_way)):
        state.subgroups = [plan]
        state.jobs.start(
            f"subgroups {key}",
            "Searching groups",
            partial(iter_search, state.table, state.plan(fingerprint=False), plan),
            about=Search(plan, key),
            n_bytes=memory.FIT + ROW_BYTES * state.table.n_rows,
        )
        # So that the sidebar shows the search.
        st.rerun()


def show_under_way(state: AuditState, plan: SubgroupsPlan) -> None:
    """Draw how far a search is, or why it failed."""
    here = _jobs(state, state.search_key(plan))
    for job in here:
        if not job.ended:
            show_job(job, state.jobs)
    if here and here[-1].error is not None:
        st.error(literal(str(here[-1].error), limit=900))


def _jobs(state: AuditState, key: str) -> list[Job]:
    return [job for job in state.jobs.all if isinstance(job.about, Search) and job.about.key == key]
