"""The form and the answer of the page "Rankings"."""

from __future__ import annotations

from zlib import crc32

import streamlit as st

from fairaudit.sections.rankings.answering import run_rankings
from fairaudit.sections.rankings.charts import rankings_chart, rankings_chart_text, rankings_chart_title
from fairaudit.sections.rankings.finding import RankingsFinding
from fairaudit.sections.rankings.plan import RankingsPlan
from fairaudit.sections.rankings.saying import how_compared, rankings_tables, say_rankings, shown_verdict
from ui.result import show_caution, show_listed, show_picture, show_said, show_table
from ui.state import AuditState, with_question
from ui.text import stated
from ui.widgets import ask, start, was_answered

RANK, SCORE = "rank", "score"


def asked_before(state: AuditState) -> RankingsPlan | None:
    """Return what was asked last for the selected question."""
    key = (state.check.where, state.check.protected)
    return next((plan for plan in state.rankings if (plan.where, plan.protected) == key), None)


def about(state: AuditState) -> str:
    """Return what tells the widgets of one question from those of another one."""
    return f"{crc32(f'{state.data_key} {state.check.where} {state.check.protected}'.encode()):x}"


def is_answered(state: AuditState) -> bool:
    """Whether there was an answer when the page was drawn last, so that the form is a setting below it."""
    return was_answered("rankings", about(state), asked_before(state) is not None)


def choose(state: AuditState) -> RankingsPlan | None:
    """Draw the form, and return the question; None while nothing says who stands first."""
    before, mark = asked_before(state), about(state)
    columns = state.present_table.columns
    numbers = [name for name, column in columns.items() if column.kind == "number"]
    first = SCORE if before is not None and before.score is not None else RANK
    by = st.radio(
        stated("rankings-order"),
        (RANK, SCORE),
        format_func=lambda by: stated("rankings-by-rank" if by == RANK else "rankings-by-score"),
        key=start(f"rankings_by_{mark}", first),
        horizontal=True,
    )
    left, right = st.columns(2)
    known = None if before is None else getattr(before, by)
    order = ask(RankingsPlan, by, left, key=f"rankings_{by}_{mark}", first=known, options=numbers)
    k = ask(RankingsPlan, "first", right, key=f"rankings_first_{mark}", first=10 if before is None else before.first)
    lowest = by == SCORE and ask(
        RankingsPlan,
        "lowest_first",
        left,
        key=f"rankings_lowest_first_{mark}",
        first=before is not None and before.lowest_first,
    )
    lists = ask(
        RankingsPlan,
        "lists",
        left,
        key=f"rankings_lists_{mark}",
        first=[] if before is None else list(before.lists),
        options=[name for name in columns if name != order],
    )
    merit = ask(
        RankingsPlan,
        "merit",
        right,
        key=f"rankings_merit_{mark}",
        first=None if before is None else before.merit,
        options=[name for name in numbers if name != order],
    )
    strata = lists and ask(
        RankingsPlan,
        "strata",
        right,
        key=f"rankings_strata_{mark}",
        first=[] if before is None else list(before.strata),
        options=[name for name in columns if name not in (order, *lists)],
    )
    if order is None:
        st.info(stated("rankings-ask"))
        return None
    check = state.check
    return RankingsPlan(
        where=check.where,
        protected=check.protected,
        protected_name=check.protected_name,
        others_name=check.others_name,
        first=k,
        lowest_first=lowest,
        lists=tuple(lists),
        merit=merit,
        strata=tuple(strata),
        tolerance=check.tolerance,
        confidence=check.confidence,
        **{by: order},
    )


def answer(state: AuditState, plan: RankingsPlan) -> RankingsFinding:
    """Return the answer, computed once for these settings, and keep the question for the report."""
    whole = state.present_plan(fingerprint=False)
    finding = state.remember("rankings", (plan, whole.names), lambda: run_rankings(state.present_table, whole, plan))
    state.rankings = with_question(state.rankings, plan)
    return finding


def show_answer(finding: RankingsFinding) -> None:
    """Draw the answer and its chart, with what makes the reader careful."""
    said = say_rankings(finding)
    show_said(said)
    if shown_verdict(finding) != "nothing_to_compare":
        show_picture(finding, rankings_chart, rankings_chart_title, rankings_chart_text)
    show_caution(said)


def show_figures(finding: RankingsFinding) -> None:
    """Draw the gap, what stands beside it, and lists that are not compared."""
    st.subheader(stated("rankings-more-figures"), anchor=False)
    gap, beside, _, *left_out = rankings_tables(finding, 1)
    show_table(gap)
    show_listed(how_compared(finding))
    for table in (beside, *left_out):
        show_table(table)
