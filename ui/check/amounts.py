"""The answer about a decision that is an amount: settings, verdict, groups, strata, similar people, formulas."""

from __future__ import annotations

import streamlit as st

from fairaudit.audit.result import AmountFinding
from fairaudit.errors import sure
from fairaudit.findings import Count, Message
from fairaudit.measure.results import GroupMeans
from fairaudit.measure.similar import MOST_ROWS, N_NEIGHBORS
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS
from fairaudit.present import verdicts
from fairaudit.present.cases import say_left_out, say_undecided, strata_text, unknown_sentence
from fairaudit.present.charts.gaps import (
    group_means_alt,
    group_means_chart,
    mean_strata_alt,
    mean_strata_chart,
)
from fairaudit.present.charts.theme import worst_first
from fairaudit.present.numbers import amount_tolerance_text, difference_text, digits_of, number_text
from fairaudit.present.verdicts import amount_figures
from fairaudit.report.terms import definitions
from fairaudit.sections.check import say_similar, tables
from fairaudit.sections.check.reading import say_group_ranges, say_ranges
from ui.check.tabs import comparison_title, folded, say_similar_not_compared, show_parts
from ui.check.verdict import QUESTION, choose_confidence, show_more_rows, show_one_stratum
from ui.look import beside
from ui.result import show_brief_figures, show_table
from ui.state import AuditState, get_state
from ui.text import labels, literal, told
from ui.values import known_values
from ui.widgets import start, start_choice

_DIFFERENCE = ("difference", "difference_interval", "reading")


def show_settings(state: AuditState) -> None:
    """Draw the tolerance in one line with its reason, and the confidence of the selected question."""
    left, right = beside("check_settings", (3, 2), small=True)
    tolerance = left.number_input(
        QUESTION,
        min_value=0.0,
        value=None,
        placeholder="in the unit of the amount",
        key=start(f"check_amount_tolerance_{state.selected}", state.check.amount_tolerance),
        help="The largest gap that you accept as equal treatment. Empty: about a tenth of the standard deviation.",
    )
    with right, st.expander("Confidence", key="check_confidence_fold"):
        confidence = choose_confidence(state)
    state.change_check(amount_tolerance=tolerance, confidence=confidence)


def show_answer(state: AuditState, finding: AmountFinding) -> None:
    """Draw the exact figures of the answer, and what makes it doubtful."""
    show_brief_figures(amount_figures(finding), tolerance=amount_tolerance_text(finding))
    means = ("role", "n", "mean", "mean_interval", "quarter", "median", "three_quarters")
    show_table(tables.groups_table(finding, _number(), tables.figures_of(finding)), columns=means)
    show_table(tables.difference_table(finding, _number()))
    st.caption(literal(verdicts.didi_sentence(finding), limit=600))
    show_more_rows(finding)
    if get_state().check.amount_tolerance is None:
        st.caption(told("check-tolerance-proposed"))
    left_out = (unknown_sentence(finding), say(say_undecided(finding, "an amount")))
    for warning in (*left_out, *finding.result.warnings):
        if warning:
            st.warning(literal(warning, limit=900))


def draw_groups(finding: AmountFinding, comparison: GroupMeans, position: int) -> None:
    """Draw the means of all groups of one entry, who is worst off in words first."""
    said = verdicts.worst_off_sentence(
        comparison,
        lambda found: number_text(found.protected.mean, digits=digits_of(finding)),
        lambda found: difference_text(found.difference, finding),
        than="than",
        more_is_better=finding.decision.higher_is_favorable,
    )
    drawn = worst_first(comparison, more_is_better=finding.decision.higher_is_favorable)
    with folded(comparison, said, position):
        show_parts(
            comparison_title(comparison),
            said,
            group_means_chart(finding, drawn),
            group_means_alt(finding, drawn),
            tables.comparison_table(drawn, _number(), position, tables.figures_of(finding)),
            ("n", "mean", "median", *_DIFFERENCE[:2], "adjusted_p_value", "reading"),
            note=say_group_ranges(comparison),
        )


def draw_strata(finding: AmountFinding) -> None:
    """Draw what becomes of the difference inside the strata: in a sentence, as a chart and as a table."""
    strata = sure(finding.strata)
    show_parts(
        f"Difference within {' and '.join(strata_text(finding))}",
        say(say_similar(finding)),
        mean_strata_chart(finding, strata),
        mean_strata_alt(finding, strata),
        tables.strata_table(strata, _number(), tables.figures_of(finding), finding.names),
        ("protected_n", "protected_mean", "reference_n", "reference_mean", *_DIFFERENCE),
        what="strata",
        note=say_ranges(strata.strata),
    )
    show_one_stratum(finding)
    if left_out := say(say_left_out(strata)):
        st.caption(literal(left_out, limit=900))


def show_similar(state: AuditState, finding: AmountFinding) -> None:
    """Draw the choice of what makes people similar, and what similar people get."""
    about = [Message("check-similar-about", {"n": Count(N_NEIGHBORS)})]
    if finding.result.n_population > MOST_ROWS:
        about.append(Message("check-similar-drawn", {"most": Count(MOST_ROWS)}))
    st.caption(literal(say(about)))
    columns = [name for name in state.present_table.columns if _can_say_who_is_similar(state, name)]
    key = f"check_similar_{state.selected}"
    st.multiselect(
        "People are similar in",
        columns,
        format_func=labels(columns),
        placeholder="Such as grade",
        help="Choose what was known before the decision and may rightly count.",
        key=start_choice(key, state.check.similar_by, columns),
        on_change=lambda: state.change_check(similar_by=tuple(st.session_state[key])),
    )
    if finding.similar is None:
        if not state.check.similar_by:
            st.info(told("check-similar-choose"))
        say_similar_not_compared(finding)
        return
    st.markdown(f"**{literal(verdicts.similar_sentence(finding), limit=1200)}**")
    st.markdown(literal(verdicts.similar_details(finding), limit=900))
    show_table(tables.similar_table(finding, finding.similar, _number()))


def show_formula(finding: AmountFinding) -> None:
    """Draw the definitions and the query that gives the counts and means."""
    if finding.strata is not None:
        show_table(tables.mean_strata_summary_table(finding, finding.strata, _number()))
    for word, meaning in definitions(
        AMOUNTS,
        confidence=finding.result.confidence,
        strata=finding.strata is not None,
        similar=finding.similar is not None,
    ):
        st.markdown(f"**{literal(word)}.** {literal(meaning, limit=1200)}")
    st.caption("As SQL:")
    # Without colours: those for SQL are too pale on the page's ground.
    st.code(finding.sql, language=None, wrap_lines=True)


def _can_say_who_is_similar(state: AuditState, column: str) -> bool:
    if column == state.present_decision.column:
        return False
    if column in state.check.similar_by or state.present_table.columns[column].kind == "number":
        return True
    values, more = known_values(state, column)
    return bool(values) and not more


def _number() -> int:
    """Return the place of the selected question, from 1, as in the names of its tables."""
    return get_state().selected + 1
