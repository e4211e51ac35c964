"""The page of a remedy: its form while there is no result, and then what the remedy did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.catalog import remedy_of
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present.blocks import TableBlock
from fairaudit.sections.compare.models import measure_words
from fairaudit.sections.remedy import say_remedy
from fairaudit.sections.remedy.charts import (
    amount_errors_chart,
    amount_errors_text,
    group_rates_chart,
    group_rates_text,
    remedy_chart,
    remedy_chart_text,
    remedy_chart_title,
)
from fairaudit.sections.remedy.learned_rows import feature_proxies_tables, say_feature_proxies, study_caveats
from fairaudit.sections.remedy.saying import done_sentence, remedy_caveats
from fairaudit.sections.remedy.tables import (
    AMOUNT_CHANGES,
    CHANGES,
    GAP_CHANGES,
    SIMPLE_RULES,
    WORSE_OFF,
    named_tables,
    printed_changes,
)
from fairaudit.study.divided import DividedRows
from fairaudit.study.proposing import feature_proxies
from fairaudit.study.rows import Study
from ui.check.questions import cases
from ui.entries import Fitted
from ui.frame import open_page
from ui.look import settings_and_result
from ui.manual import offer_manual
from ui.remedies.learning_panel import open_study
from ui.remedies.registry import RemedyPage
from ui.result import show_chart, show_proxies, show_said, show_table, show_wide_and_narrow
from ui.state import AuditState, get_state
from ui.text import literal, stated

# What a remedy did, as its page shows it: the answer with its picture, and what is out of sight until asked for.

FIGURES: Mapping[str, tuple[str, ...]] = {"quality": CHANGES, "population": (), "certified": (), "strata": ()}
GROUPS: Mapping[str, tuple[str, ...]] = {"gaps": GAP_CHANGES, "hit": (), "worse_off": WORSE_OFF}
"""The tables that every remedy has, and their columns on a page (empty: all)."""
Parts = Mapping[str, Callable[[], None]]


def show_answer(
    fitted: Fitted, beside: Callable[[], None] | None = None, *, picture: Callable[[], None] | None = None
) -> None:
    """Draw what a remedy did: verdict, headline, lead, and its picture, `beside` what the answer is about.

    A kind that has a `picture` of its own shows the gap as a chart under More.
    """
    finding, facts = fitted.candidate.finding, fitted.facts
    said = say_remedy(finding, facts)
    show_said(said)
    place = st.container()
    if beside is not None:
        left, place = st.columns((1, 1.2), gap="large")
        with left:
            beside()
    with place:
        show_gap(fitted) if picture is None else picture()
    if said.caution:
        st.warning(literal(say(said.caution), limit=600))


def show_more(
    fitted: Fitted,
    parts: Parts,
    *,
    exact: Callable[[], None] | None = None,
    made: Callable[[], None] | None = None,
) -> None:
    """Draw what is out of sight until it is asked for: figures, groups, `parts` of the kind, and how it was made.

    What `exact` draws stands above the exact figures, what `made` draws below how it was made.
    """
    views = REMEDY_VIEWS[fitted.outcome]

    def show_exact() -> None:
        if exact is not None:
            exact()
        views.exact(fitted)

    shown: dict[str, Callable[[], None]] = {
        say(Message("remedy-more-figures")): show_exact,
        say(Message("remedy-more-groups")): lambda: views.groups(fitted),
        **parts,
        say(Message("proxies-title")): lambda: _show_proxies(fitted),
        say(Message("remedy-more-made")): lambda: _show_made(fitted, made),
    }
    tabs: list[DeltaGenerator] = list(st.tabs(list(shown)))
    for tab, draw in zip(tabs, shown.values(), strict=True):
        with tab:
            draw()


def show_outcome(fitted: Fitted) -> None:
    """Draw what a remedy without charts of its own did, and what is out of sight until it is asked for."""
    show_answer(fitted)
    with st.expander(stated("remedy-more"), key="remedies_more", on_change="rerun"):
        show_more(fitted, {})


def answer_of(fitted: Fitted) -> str:
    """Return what a remedy did, in a sentence."""
    return f"{say(say_remedy(fitted.candidate.finding, fitted.facts).headline)}."


def tables_of(fitted: Fitted) -> dict[str, TableBlock]:
    """Return the tables of one remedy by what they hold: "groups", "gaps", and those of its kind, such as "flipped"."""
    return named_tables(fitted.candidate.finding, fitted.facts, 1)


def figures_of_shares(fitted: Fitted) -> None:
    """Draw the exact figures of shares, and what simple rules come to."""
    tables = tables_of(fitted)
    if "gaps" in tables:
        rows = tuple(row for row in tables["gaps"].rows if row[0] == "gap")
        gap = replace(tables["gaps"], key="remedy_1_gap", title=measure_words("gap"), rows=rows)
        _show_tables([(gap, GAP_CHANGES)])
    _show_tables((tables[kind], FIGURES[kind]) for kind in FIGURES if kind in tables)
    if "yardsticks" in tables:
        _show_tables([(tables["yardsticks"], SIMPLE_RULES)])


def groups_of_shares(fitted: Fitted) -> None:
    """Draw how all groups do, in how often they are rightly and wrongly predicted something."""
    tables = tables_of(fitted)
    show_chart(group_rates_chart(*fitted.of_shares), description=group_rates_text(*fitted.of_shares))
    _show_tables((tables[kind], GROUPS[kind]) for kind in GROUPS if kind in tables)
    # The chart shows its figures.
    if "groups" in tables and tables["groups"].rows:
        with st.expander(literal(tables["groups"].title)):
            show_table(tables["groups"])


def figures_of_amounts(fitted: Fitted) -> None:
    """Draw the exact figures of amounts."""
    finding, tables = fitted.of_amounts[0], tables_of(fitted)
    more: list[tuple[TableBlock, tuple[str, ...]]] = [
        (tables[kind], ()) for kind in ("certified", "strata") if kind in tables
    ]
    _show_tables([(printed_changes(finding, tables["changes"]), AMOUNT_CHANGES), *more])


def groups_of_amounts(fitted: Fitted) -> None:
    """Draw whose amounts are too high or too low, by group."""
    chart, text = amount_errors_chart(*fitted.of_amounts), amount_errors_text(*fitted.of_amounts)
    show_chart(chart, description=text, title=say(Message("remedy-more-off")))
    tables = tables_of(fitted)
    _show_tables((tables[kind], ()) for kind in ("hit", "groups") if kind in tables)


def made_of_shares(fitted: Fitted) -> tuple[str, ...]:
    """Return how a remedy of shares was made, and what to keep in mind."""
    finding, facts = fitted.of_shares
    return (done_sentence(finding, facts), *remedy_caveats(finding, facts))


def made_of_amounts(fitted: Fitted) -> tuple[str, ...]:
    """Return how a remedy of amounts was made, and what to keep in mind."""
    finding, facts = fitted.of_amounts
    own = remedy_of(finding.plan, facts.outcome).cautions(finding, facts)
    caveats = study_caveats(facts, several=False)
    return (done_sentence(finding, facts), *finding.warnings, *own, *caveats)


@dataclass(frozen=True, kw_only=True)
class RemedyViews:
    """What a page draws of a remedy on decisions of one kind.

    Parameters
    ----------
    exact, groups : callable
        Its exact figures and all groups, drawn.
    made : callable
        How it was made, in sentences.
    """

    exact: Callable[[Fitted], None]
    groups: Callable[[Fitted], None]
    made: Callable[[Fitted], tuple[str, ...]]


REMEDY_VIEWS: dict[OutcomeKind, RemedyViews] = {
    SHARES: RemedyViews(exact=figures_of_shares, groups=groups_of_shares, made=made_of_shares),
    AMOUNTS: RemedyViews(exact=figures_of_amounts, groups=groups_of_amounts, made=made_of_amounts),
}


def show_gap(fitted: Fitted) -> None:
    """Draw what both groups have in past decisions, without the remedy and with it."""
    given = (fitted.candidate.finding, fitted.facts)
    wide = remedy_chart(*given)
    if wide is not None:
        title, text = remedy_chart_title(*given), remedy_chart_text(*given)
        show_wide_and_narrow(wide, remedy_chart(*given, narrow=True), title=title, description=text)


def _show_proxies(fitted: Fitted) -> None:
    """Draw how well each column that the model may use stands in for the group."""
    state = get_state()
    if state.study is None or state.study[0] != fitted.study_key:
        # The rows that it learned from are others now: the page says that the result is out of date.
        st.caption(say(Message("proxies-old")))
        return
    rows = state.study[1]
    with st.spinner(say(Message("proxies-looking"))):
        found = state.remember("proxies", fitted.study_key, lambda: feature_proxies(rows))
    facts = replace(fitted.facts, proxies=found)
    said = say_feature_proxies(facts)
    if said is None:
        st.caption(say(Message("proxies-too-few")))
        return
    show_proxies(said, feature_proxies_tables(facts))


def _show_made(fitted: Fitted, made: Callable[[], None] | None) -> None:
    said = REMEDY_VIEWS[fitted.outcome].made(fitted)
    st.markdown("\n".join(f"- {literal(text, limit=1200)}" for text in said))
    tables = tables_of(fitted)
    if "divisions" in tables:
        _show_tables([(tables["divisions"], ())])
    if made is not None:
        made()


def _show_tables(tables: Iterable[tuple[TableBlock, tuple[str, ...]]]) -> None:
    """Draw tables below each other, each with the columns that are drawn (none: all)."""
    for table, columns in tables:
        if table.rows:
            st.markdown(f"**{literal(table.title)}**")
            show_table(table, columns=columns)


# The shape of a remedy's page: a form while there is no result; then the result, with the form folded below it.


@dataclass(frozen=True)
class Places:
    """Where a remedy's page draws its parts; `more` is out of sight until asked for, and empty without a result."""

    settings: DeltaGenerator
    result: DeltaGenerator
    more: DeltaGenerator


def has_result(state: AuditState, method: str) -> bool:
    """Whether a remedy of this kind was made, so that its page begins with what it did."""
    fitted = (one for one in state.fitted.values() if one.outcome is state.present_decision.kind)
    return state.decision is not None and any(one.candidate.finding.plan.method == method for one in fitted)


@overload
def open_remedy(
    page: RemedyPage, question: str, *, widths: Sequence[float] = ...
) -> tuple[AuditState, Study, Places]: ...


@overload
def open_remedy(
    page: RemedyPage, question: str, *, any_decision: bool, widths: Sequence[float] = ...
) -> tuple[AuditState, DividedRows, Places]: ...


def open_remedy(
    page: RemedyPage, question: str, *, any_decision: bool = False, widths: Sequence[float] = (1, 2.6)
) -> tuple[AuditState, DividedRows, Places]:
    """Draw the top of a remedy's page, and return the rows that it learns from and the places of its parts.

    The first call of the page; what it asks, and when not to use it, is the `question`.
    """
    state = open_page(page.title)
    if not has_result(state, page.method):
        with st.container(horizontal=True, vertical_alignment="center", key="page_top"):
            st.title(page.title, help=page.called or None, anchor=False)
            offer_manual()
        st.caption(question)
        study = open_study(state, any_decision=any_decision)
        settings, result = settings_and_result(widths)
        return state, study, Places(settings, result, st.container())
    about = st.container(horizontal=True, vertical_alignment="center", key="result_about")
    result = st.container(key="remedy_answer")
    folded = st.expander(
        stated("remedy-change"), expanded=_is_old(state, page.method), key="remedies_change",
        on_change="rerun",
    )  # fmt: skip
    more = st.expander(stated("remedy-more"), key="remedies_more", on_change="rerun")
    study = open_study(state, any_decision=any_decision, panel=folded.container())
    with about:
        st.markdown(literal(_about(state, page, study), limit=300), width="content")
        offer_manual()
    return state, study, Places(folded.container(key="settings"), result, more)


def _is_old(state: AuditState, method: str) -> bool:
    """Whether all results of a kind are out of date, so that what makes a new one stands open."""
    found = [one for one in state.fitted.values() if one.candidate.finding.plan.method == method]
    return not any(state.is_current(one) for one in found)


def _about(state: AuditState, page: RemedyPage, study: DividedRows) -> str:
    # Of those who are compared: rates of all groups are of all test cases, and stand under More.
    compared = int(study.population[study.split.held_out].sum())
    # The answer names both groups: among which cases is said where not among all.
    args: dict[str, Argument] = {"name": Phrase(page.title), "n": Count(compared)}
    if not state.present_models.where:
        return say(Message("remedy-context", args))
    return say(Message("remedy-context-where", args | {"cases": cases(state, state.present_models.where)}))
