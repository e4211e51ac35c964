"""Below the verdict: all groups, strata, the explorer and the formulas."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from fairaudit.audit.result import CheckFinding
from fairaudit.errors import require
from fairaudit.findings import Count, Phrase
from fairaudit.measure import gap_by_value
from fairaudit.measure.groups import cuts_of_ranges
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.results import Comparison, GroupComparison, StratumRow, as_kind
from fairaudit.messages import say
from fairaudit.plan.roles import outcome_of
from fairaudit.present import naming, verdicts
from fairaudit.present.blocks import TableBlock
from fairaudit.present.cases import say_left_out, strata_text
from fairaudit.present.charts.gaps import (
    comparison_alt,
    comparison_chart,
    gap_alt,
    gap_chart,
    strata_alt,
    strata_chart,
    strata_table,
    tolerance_alt,
    tolerance_chart,
    tolerance_table,
)
from fairaudit.present.charts.theme import worst_first
from fairaudit.report.terms import definitions
from fairaudit.sections.check import say_similar, tables
from fairaudit.sections.check.reading import say_group_ranges, say_ranges
from fairaudit.sections.check.saying import on_said_side, rows_on_said_side
from ui.check import comparable
from ui.check.groups import picks
from ui.check.verdict import ask_of_check, show_one_stratum
from ui.frame import errors_shown
from ui.look import beside
from ui.result import show_chart, show_table
from ui.state import AuditState, get_state
from ui.text import labels, literal, stated
from ui.values import known_values
from ui.widgets import kept, start, start_choice

MOST_STRATA = 30
MOST_BESIDE = 8
"""A table with more rows than this opens on a press: beside a chart it would be longer than that."""
MOST_COLUMNS_BESIDE = 7
"""A table with more columns than this has no room beside a chart."""
_TABS, _GROUPS, _STRATA = "check_tabs", "All groups", "Similar cases"
REST = "everyone else"
CROSSED = "Also cross them"


def show_tabs(more: str | None = None) -> Sequence[Any]:
    """Return the places of all groups, of the strata, of what is more in a check of this kind, and of the formulas."""
    # Only tabs that report what is open can be opened from elsewhere.
    named = [_GROUPS, _STRATA, "How it is computed"]
    if more is not None:
        named.insert(2, more)
    return st.tabs(named, key=start(_TABS, _GROUPS), on_change="rerun")


def suggest_groups(state: AuditState) -> None:
    """Compare all groups, once, where the person has not chosen otherwise.

    Those are the groups of the protected columns or, without such, of the column that the protected group was picked
    in, where that has more than two.
    """
    check, columns = state.check, state.protected_columns or _picked_column(state)
    about = (check.protected, columns)
    if not check.compare and columns and about not in state.suggested:
        state.change_check(compare=tuple((column,) for column in columns))
    state.suggested.add(about)


def _picked_column(state: AuditState) -> tuple[str, ...]:
    column, _ = picks(state)
    if column is None:
        return ()
    known, more = known_values(state, column)
    return (column,) if not more and 2 < len(known) <= MOST_STRATA else ()


def show_groups(state: AuditState, finding: CheckFinding, table_columns: tuple[str, ...]) -> None:
    """Draw every group of the chosen columns against the rest; `table_columns` are those of the tables."""
    columns = list(state.present_table.columns)
    single = [names[0] for names in state.check.compare if len(names) == 1]
    key = f"check_compare_{state.selected}"
    left, right = beside("groups_chosen", small=True)
    take = partial(_take_columns, state, key)
    ask_of_check(state, "compare", left, first=single, options=columns, on_change=take)
    if len(single) > 1:
        crossing = tuple(single)
        left.checkbox(
            CROSSED,
            key=start_choice(f"{key}_crossed", crossing in state.check.compare, [True, False]),
            on_change=take,
        )
    first = next((c for c in finding.groups if c.columns == state.check.compare[0]), None)
    if first is not None:
        with right:
            _show_reference(state, first)
    elif state.check.reference is not None:
        st.button(
            "Compare with everyone else",
            key="check_no_reference",
            on_click=state.change_check,
            kwargs={"reference": None},
        )
    for position, comparison in enumerate(finding.groups, start=1):
        draw_comparison(finding, comparison, position, table_columns)
    _say_not_compared(finding, "groups")
    if not state.check.compare:
        st.info(stated("check-groups-choose"))


def draw_comparison(
    finding: CheckFinding, comparison: GroupComparison, position: int, columns: tuple[str, ...]
) -> None:
    """Draw what all groups of one entry have, who is worst off in words first; `columns` are those of the table."""
    comparison = replace(comparison, rows=rows_on_said_side(finding, comparison.rows))
    figures = tables.figures_of(finding, is_turned=finding.names.of_unfavorable)
    answer, more_is_better = finding.result, finding.more_is_better
    said = verdicts.worst_off_sentence(comparison, answer, more_is_better=more_is_better)
    drawn = worst_first(comparison, more_is_better=more_is_better)
    with folded(comparison, said, position):
        show_parts(
            comparison_title(comparison),
            said,
            comparison_chart(drawn, answer, more_is_better=more_is_better),
            comparison_alt(drawn, answer),
            tables.comparison_table(drawn, get_state().selected + 1, position, figures),
            columns,
            note=say_group_ranges(comparison),
        )


def folded(comparison: GroupComparison, sentence: str, position: int) -> AbstractContextManager[Any]:
    """Return where a comparison is drawn: the first stands open, of others and of crossed columns the worst off."""
    if position == 1 and len(comparison.columns) < 2:
        return nullcontext()
    return st.expander(literal(f"{comparison_title(comparison)}. {sentence}", limit=300))


def comparison_title(comparison: GroupComparison) -> str:
    """Return what a comparison of groups is called above its chart."""
    return f"By {' and '.join(comparison.columns)}"


def show_parts(
    title: str,
    sentence: str,
    chart: Any,
    description: str,
    table: TableBlock,
    columns: tuple[str, ...],
    *,
    what: str = "groups",
    note: str = "",
) -> None:
    """Draw what was found in words, then the chart, and beside it the same as a table with its name columns first.

    `what` is one row each, of which the chart draws the largest. The `note`, on how to read both, stands below them.
    """
    if sentence:
        st.markdown(f"**{literal(sentence, limit=1200)}**")
    names = tuple(column.name for column in table.columns if column.name.startswith(("group_", "stratum_")))
    if len(table.rows) > MOST_BESIDE:
        drawn = naming.drawn_note(len(table.rows), naming.MOST_GROUPS, what, held_by="below")
        show_chart(chart, title=title, description=description, note=drawn.strip())
        with st.expander(f"{literal(title, limit=60)}: all {len(table.rows):,} rows as a table"):
            show_table(table, columns=(*names, *columns))
    elif len(names) + len(columns) > MOST_COLUMNS_BESIDE:
        show_chart(chart, title=title, description=description)
        show_table(table, columns=(*names, *columns))
    else:
        left, right = beside(f"parts_{table.key}")
        with left:
            show_chart(chart, title=title, description=description)
        with right:
            show_table(table, columns=(*names, *columns))
    if note:
        st.caption(literal(note, limit=600))


def _show_reference(state: AuditState, comparison: GroupComparison) -> None:
    names = [row.name for row in comparison.rows]
    if comparison.reference is not None and comparison.reference not in names:
        names.append(comparison.reference)
    key = f"check_reference_{state.selected}"
    ask_of_check(
        state,
        "reference",
        first=state.check.reference or REST,
        options=[REST, *names],
        on_change=_take_reference,
        args=(state, key),
    )


def show_strata(state: AuditState, finding: CheckFinding, table_columns: tuple[str, ...]) -> None:
    """Draw the gap inside each stratum, and what happens to it when strata are held fixed."""
    # Inside one decision, or one value of what the groups are made of, there is nothing to compare.
    protected = require(state.present_table.condition(state.check.protected))
    asked = {state.present_decision.column, *protected.columns} - {*state.check.strata}
    columns = comparable.last_outcomes(state, [name for name in state.present_table.columns if name not in asked])
    key = comparable.strata_key(state)
    ask_of_check(
        state,
        "strata",
        options=columns,
        on_change=lambda: comparable.take_strata(state, tuple(st.session_state[key])),
    )
    comparable.warn_of_outcomes(state, state.check.strata)
    comparable.show_bands(state)
    _show_phrases(state)
    if finding.strata is not None:
        draw_strata(finding, table_columns)
    elif state.check.strata:
        _say_not_compared(finding, "strata")
    else:
        st.info(stated("check-strata-choose"))


def _show_phrases(state: AuditState) -> None:
    """Draw what is said of people who are alike in each column that strata are made of."""
    for column in state.check.strata:

        def take(text: str, column: str = column) -> None:
            said = {**state.names.strata, column: text.strip()}
            state.names = state.names.model_copy(update={"strata": {name: own for name, own in said.items() if own}})

        st.text_input(
            f"In words: {literal(column, limit=60)}",
            placeholder="such as: at similar incomes",
            max_chars=80,
            **kept(start(f"check_phrase_{column}", state.names.strata.get(column, "")), take),
        )


def say_similar_not_compared(finding: CheckFinding) -> None:
    """Say why similar people are not compared, where the question asks for that."""
    _say_not_compared(finding, "similar")


def say_exact_counts_needed() -> None:
    """Say what is not asked where counts are rounded or hidden."""
    st.info(stated("check-exact-counts"))


def _say_not_compared(finding: CheckFinding, part: str) -> None:
    """Say why a part of the question is not compared: sentences stand in the order groups, strata, similar people."""
    n_groups = len(finding.plan.compare) - len(finding.groups)
    n_strata = n_groups + (bool(finding.plan.strata) and finding.strata is None)
    ends = {"groups": slice(n_groups), "strata": slice(n_groups, n_strata), "similar": slice(n_strata, None)}
    for sentence in finding.not_compared[ends[part]]:
        st.info(stated("check-not-compared", why=Phrase(sentence), limit=600))


def draw_strata(finding: CheckFinding, columns: tuple[str, ...]) -> None:
    """Draw what becomes of the gap inside the strata: in a sentence, as a chart and as a table with some columns."""
    figures = tables.figures_of(finding, is_turned=finding.names.of_unfavorable)
    strata, found = require(on_said_side(finding).strata), require(finding.strata)
    table = tables.strata_table(strata, get_state().selected + 1, figures, finding.names)
    title = f"{finding.decision.kind.gap.capitalize()} within {' and '.join(strata_text(finding))}"
    said = say(say_similar(finding))
    chart, alt = strata_chart(strata, finding.names), strata_alt(strata, finding.names)
    note = say_ranges(found.strata)
    show_parts(title, said, chart, alt, table, columns, what="strata", note=note)
    show_one_stratum(finding, found)
    if left_out := say(say_left_out(found)):
        st.caption(literal(left_out, limit=900))


def show_explorer(state: AuditState, finding: CheckFinding) -> None:
    """Draw how the verdict depends on the tolerance, and the gap across the values of any column."""
    result, digits = as_kind(Comparison, finding.result), answer_digits(finding.result)
    left, right = beside("explore_tolerance")
    with left:
        title = "At another tolerance"
        chart, alt = tolerance_chart(result, digits=digits), tolerance_alt(result, digits=digits)
        show_chart(chart, title=title, description=alt)
    with right:
        show_table(tolerance_table(result))
    st.subheader("Across a column")
    columns = list(state.present_table.columns)
    column = st.selectbox(
        "Column",
        columns,
        index=None,
        format_func=labels(columns),
        placeholder="Choose a column",
        key=f"check_explore_{state.selected}",
    )
    if column is None:
        return
    check, decision = state.check, state.decision
    with errors_shown(go_on=True):
        rows = state.remember("explore", (check, decision, column), lambda: _gaps(state, column))
        rows = rows_on_said_side(finding, rows)
        left, right = beside("explore_gap")
        with left:
            chart, alt = gap_chart(rows, finding.names, result), gap_alt(rows, result)
            show_chart(chart, title=f"Gap across {column}", description=alt)
            _offer_for_report(state, column, rows)
        with right:
            show_table(
                strata_table(rows, key="gap_by_value", title="The gap by value", names=finding.names, digits=digits)
            )


def _offer_for_report(state: AuditState, column: str, rows: tuple[StratumRow, ...]) -> None:
    """Draw the button that compares inside each value of a column or range that is drawn, which the report draws."""
    if state.check.strata == (column,):
        st.caption(stated("check-explored-kept"))
        return
    cuts: tuple[float, ...] = ()
    if state.present_table.columns[column].kind == "number" and any(isinstance(row.values[0][1], str) for row in rows):
        asked = (state.check.where, column)
        cuts = state.remember(
            "explored", asked, lambda: cuts_of_ranges(state.present_table, column, where=state.check.where)
        )
    values, more = known_values(state, column)
    if not cuts and (more or len(values) > MOST_STRATA):
        st.caption(stated("check-explored-many", n=Count(MOST_STRATA)))
        return
    st.button(
        "Put in the report",
        key=f"check_explore_keep_{state.selected}",
        on_click=_keep_explored,
        args=(state, column, cuts),
        help="Takes this column for similar cases.",
    )


def _keep_explored(state: AuditState, column: str, cuts: tuple[float, ...]) -> None:
    state.change_check(strata=(column,), strata_cuts={})
    comparable.set_bands(state, column, cuts)
    # The choice under "Similar cases" was drawn with what was compared before.
    st.session_state[f"check_strata_{state.selected}"] = [column]


def _gaps(state: AuditState, column: str) -> tuple[StratumRow, ...]:
    """Return the selected question's gap inside each value or range of a column."""
    check = state.check
    return gap_by_value(
        state.table,
        decision=state.present_decision.column,
        favorable=outcome_of(state.present_table, state.present_decision).condition,
        protected=check.protected,
        column=column,
        where=check.where,
        tolerance=check.tolerance,
        confidence=check.confidence,
    )


def show_formula(finding: CheckFinding) -> None:
    """Draw the definitions, the figures that they use and the query that gives them."""
    result = finding.result
    if finding.strata is not None:
        show_table(tables.figures_of(finding).strata_together(finding.strata, get_state().selected + 1))
    for word, meaning in definitions(
        finding.decision.kind,
        tolerance=result.tolerance,
        confidence=result.confidence,
        strata=finding.strata is not None,
        similar=finding.similar is not None,
    ):
        st.markdown(f"**{literal(word)}.** {literal(meaning, limit=1200)}")
    st.caption("As SQL:")
    # Without colours: those for SQL are too pale on the page's ground.
    st.code(finding.sql, language=None, wrap_lines=True)


def _take_reference(state: AuditState, key: str) -> None:
    chosen = st.session_state[key]
    state.change_check(reference=None if chosen == REST else chosen)


def _take_columns(state: AuditState, key: str) -> None:
    single = st.session_state[key]
    compare = [(column,) for column in single]
    if len(single) > 1 and st.session_state.get(f"{key}_crossed"):
        compare.append(tuple(single))
    state.change_check(compare=tuple(compare), reference=None)
    st.session_state.pop(f"check_reference_{state.selected}", None)
