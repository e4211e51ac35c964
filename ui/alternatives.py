"""The page "Alternatives": what is in use, the search in the background, and which models serve as well."""

from __future__ import annotations

from functools import partial
from typing import get_args

import streamlit as st

from fairaudit.findings import Count, Message
from fairaudit.plan.fields import form_of
from fairaudit.sections.alternatives.answering import iter_alternatives
from fairaudit.sections.alternatives.charts import (
    alternatives_chart,
    alternatives_chart_text,
    alternatives_chart_title,
    spread_chart,
    spread_chart_text,
)
from fairaudit.sections.alternatives.finding import AlternativesFinding
from fairaudit.sections.alternatives.plan import AlternativesPlan, AsGoodBy, Used
from fairaudit.sections.alternatives.reading import read_alternatives
from fairaudit.sections.alternatives.saying import PRINTED, alternatives_tables, how_searched, say_alternatives
from ui.check.questions import show_about
from ui.entries import Search
from ui.look import beside
from ui.result import show_caution, show_chart, show_listed, show_picture, show_said, show_table
from ui.runtime import memory
from ui.searching import begin, offer_to_begin, show_last
from ui.state import AuditState
from ui.text import literal, stated
from ui.widgets import ask

ROW_BYTES = 4_000
"""Memory that a search takes for a row, about: models, and what each says."""


def is_answered(state: AuditState) -> bool:
    """Whether the page holds an answer to what was asked last, so that the form is a setting below it."""
    draft = state.alternatives_draft
    return state.models is not None and draft is not None and state.search_key(draft) in state.searched


def show_settings(state: AuditState, *, has_similar: bool) -> AlternativesPlan:
    """Draw what is in use, and what counts as equally good; return the question.

    `has_similar`: whether a question about the same groups says what makes cases similar.
    """
    present = state.alternatives_draft or next(iter(state.alternatives), AlternativesPlan())
    parts: dict[Used, bool] = {"prediction": state.prediction is None, "score": state.score is None, "model": False}
    held = [name for name, is_missing in parts.items() if not is_missing]
    loss = form_of(AlternativesPlan, "loss")
    left, right = beside("alternatives_settings", small=True)
    used = present.in_use if present.in_use in held else held[0]
    if len(held) > 1:
        used = ask(
            AlternativesPlan,
            "in_use",
            left,
            key="alternatives_in_use",
            first=used,
            options=held,
            format_func=_labels("in_use").__getitem__,
        )
    model = present.model
    # Only what gives a score can be compared by how well it ranks.
    measures = [each for each in get_args(AsGoodBy) if each != "auc" or used != "prediction"]
    if used == "model":
        model = ask(AlternativesPlan, "model", left, key="alternatives_model", first=present.model)
    measure = ask(
        AlternativesPlan,
        "measure",
        right,
        key="alternatives_measure",
        first=present.measure if present.measure in measures else measures[0],
        options=measures,
        format_func=_labels("measure").__getitem__,
    )
    similar = has_similar and ask(
        AlternativesPlan, "among_similar", key="alternatives_among_similar", first=present.among_similar
    )
    state.alternatives_draft = AlternativesPlan(
        in_use=used,
        model=model,
        measure=measure,
        among_similar=similar,
        loss=loss.taken(ask(AlternativesPlan, "loss", right, key="alternatives_loss", first=loss.shown(present.loss))),
        by_group=ask(AlternativesPlan, "by_group", key="alternatives_by_group", first=present.by_group),
    )
    return state.alternatives_draft


def _labels(name: str) -> dict[str, str]:
    return {choice.value: choice.label for choice in form_of(AlternativesPlan, name).choices}


def offer_search(state: AuditState, asked: AlternativesPlan) -> None:
    """Draw the button that begins the search."""
    search = Search(asked, state.search_key(asked))
    if offer_to_begin(state, search, "Search", key="alternatives_search"):
        state.alternatives = [asked]
        plan = state.present_plan(fingerprint=False).model_copy(update={"remedies": ()})
        events = partial(iter_alternatives, state.present_table, plan, asked)
        n_bytes = memory.FIT + ROW_BYTES * state.present_table.n_rows
        begin(state, search, "alternatives", "Looking for alternatives", events, n_bytes=n_bytes)


def show_under_way(state: AuditState, asked: AlternativesPlan) -> None:
    """Draw how far a search is, or why it failed."""
    last = show_last(state, state.search_key(asked))
    if last is None and state.alternatives:
        st.info(stated("alternatives-changed"))
    if last is not None and last.error is not None:
        st.error(literal(str(last.error), limit=900))


def show_context(found: AlternativesFinding) -> None:
    """Draw on how many cases models are judged, and the way to the manual."""
    show_about(Message("alternatives-context", {"held": Count(found.facts.n_held_out)}))


def show_answer(found: AlternativesFinding) -> None:
    """Draw the answer, and the gap of each model that was judged."""
    said = say_alternatives(found)
    show_said(said)
    if read_alternatives(found).rows:
        show_picture(found, alternatives_chart, alternatives_chart_title, alternatives_chart_text)
    show_caution(said)


def show_search(found: AlternativesFinding) -> None:
    """Draw what was tried, and how all of it spreads."""
    st.subheader(stated("alternatives-more-search"), anchor=False)
    show_listed(how_searched(found))
    show_chart(spread_chart(found), description=spread_chart_text(found), title=stated("alternatives-spread-title"))


def show_figures(found: AlternativesFinding) -> None:
    """Draw each model with its figures and ranges."""
    st.subheader(stated("alternatives-more-figures"), anchor=False)
    show_table(alternatives_tables(found, 1)[0], columns=PRINTED)
