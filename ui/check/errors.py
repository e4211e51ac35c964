"""The errors of a prediction and the quality of a score, by group."""

from __future__ import annotations

from functools import partial
from zlib import crc32

import streamlit as st

from fairaudit.audit.result import AmountFinding, CheckFinding, ErrorsFinding
from fairaudit.audit.running import run_errors
from fairaudit.errors import FairauditError, quote
from fairaudit.measure.prediction_results import ScoreComparison
from fairaudit.measure.scores import points_the_wrong_way
from fairaudit.plan import AuditPlan, ErrorsPlan
from fairaudit.present import error_words
from fairaudit.present.blocks import Table
from fairaudit.present.charts.score_texts import calibration_alt, distribution_alt, few_note, rates_alt, roc_alt
from fairaudit.present.charts.scores import calibration_chart, distribution_chart, rates_chart, roc_chart
from fairaudit.present.chips import Chip
from fairaudit.present.error_tables import errors_tables, scores_tables
from fairaudit.present.rate_words import RATES
from fairaudit.report.chapters.errors import GAPS
from fairaudit.report.many_groups import many_groups_words
from ui.charts import show_chart
from ui.check.groups import picks
from ui.look import beside, show_chip
from ui.positive import choose_positive
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.widgets import start, start_choice

SHOWN = {
    "rates": ("group", "n", "selection_rate", "accuracy", "tpr", "fpr", "fnr", "fdr", "for_"),
    "intervals": ("group", "rate", "value", "n", "interval"),
    "gaps": GAPS,
}
RATE_TABLES = {
    "rates": "All rates",
    "intervals": "Intervals",
    "gaps": "Largest gaps",
    "costs": "Costs",
    "counts": "Counts",
}
SCORES = ["Ranking (ROC)", "Calibration", "Distribution"]
DISTRIBUTION = ("group", "outcome", "bin_low", "bin_high", "n", "share")
_PLACE = "errors_place"
_NO_PREDICTION, _NO_SCORE = "an outcome or a prediction", "an outcome or a score"
_NEITHER = "an outcome, a prediction or a score"


def choose_question(state: AuditState) -> int:
    """Draw which of several questions about errors is shown; return its place."""
    if len(state.errors) < 2:
        return 0
    asked = [f"{number}. {asked_words(each)}" for number, each in enumerate(state.errors, start=1)]
    before = min(st.session_state.get(_PLACE, 0), len(asked) - 1)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        # Where a question reads otherwise, this is another choice: a browser holds what was chosen as it reads.
        chosen = st.selectbox(
            "Question",
            asked,
            format_func=labels(asked),
            key=start_choice(f"errors_asked_{crc32(' '.join(asked).encode()):x}", asked[before], asked),
        )
        place = st.session_state[_PLACE] = before if chosen is None else asked.index(chosen)
        st.button("Leave this question out", key="errors_leave", on_click=_leave, args=(state, place))
    return place


def asked_words(asked: ErrorsPlan) -> str:
    """Return whose errors a question compares, and what they cost where not both cost 1."""
    said = f"by {' and '.join(quote(name, limit=40) for name in asked.by)}"
    costs = (asked.cost_false_positive, asked.cost_false_negative)
    return said if costs == (1, 1) else f"{said}, a false positive costs {costs[0]:g}, a false negative {costs[1]:g}"


def _leave(state: AuditState, place: int) -> None:
    del state.errors[place]
    # The fields of the questions start again from what they are now.
    for key in [key for key in st.session_state if str(key).startswith(("errors_by", "errors_cost"))]:
        del st.session_state[key]


def show_settings(state: AuditState, place: int) -> ErrorsPlan | None:
    """Draw whose groups are compared and what a positive is; return the question, or None while incomplete."""
    present = state.errors[place] if state.errors else None
    each = f"_{place}" if place else ""
    columns = list(state.table.columns)
    picked = state.protected_columns[:1] or [name for name in picks(state)[:1] if name is not None]
    first, left, middle, right = beside("errors_settings", (2, 1, 1, 1), small=True)
    by = first.multiselect(
        "Compare the groups of",
        columns,
        format_func=labels(columns),
        key=start_choice(f"errors_by{each}", present.by if present else picked, columns),
        help="Several columns are crossed.",
    )
    positive = choose_positive(state, left, "errors_positive")
    cost_positive = middle.number_input(
        "Cost of a false positive",
        min_value=0.0,
        key=start(f"errors_cost_positive{each}", present.cost_false_positive if present else 1.0),
    )
    cost_negative = right.number_input(
        "Cost of a false negative",
        min_value=0.0,
        key=start(f"errors_cost_negative{each}", present.cost_false_negative if present else 1.0),
    )
    if not by:
        # Of several, one that is not complete stays as it was.
        state.errors = state.errors if len(state.errors) > 1 else []
        return None
    # The first is about the rows of the present question; others of a saved audit keep theirs.
    of_rows = present if place and present is not None else state.check
    plan = ErrorsPlan(
        where=of_rows.where,
        by=tuple(by),
        positive=positive,
        tolerance=of_rows.tolerance,
        confidence=of_rows.confidence,
        cost_false_positive=cost_positive,
        cost_false_negative=cost_negative,
    )
    state.errors = [*state.errors[:place], plan, *state.errors[place + 1 :]]
    return plan


def finding_of(state: AuditState, plan: ErrorsPlan) -> ErrorsFinding:
    """Return the answer on the present data, computed once."""
    audit = state.plan(fingerprint=False)
    key = (plan, audit.decision, audit.prediction, audit.score)
    return state.remember("errors", key, lambda: run_errors(state.table, audit, plan))


def chips_beside(state: AuditState, answer: CheckFinding | AmountFinding) -> tuple[Chip, ...]:
    """Return chips of clear gaps in the errors that the audit asks about, to stand beside those of an answer."""
    try:
        judged = [finding_of(state, asked) for asked in state.plan(fingerprint=False).errors]
    except FairauditError:
        # What is wrong with them is said on the page Errors.
        return ()
    return error_words.errors_chips(answer, judged)


def show_caution(finding: ErrorsFinding, plan: AuditPlan) -> None:
    """Draw what is to be known before reading on: what errors are held against, and where groups are many."""
    if against := error_words.held_against_decision_sentence(plan):
        st.warning(literal(against, limit=600))
    if said := many_groups_words(finding):
        st.warning(literal(said, limit=600))


def show_errors(finding: ErrorsFinding, plan: AuditPlan) -> None:
    """Draw the finding in words on the left, and one rate as a chart on the right."""
    errors = finding.errors
    left, right = beside("errors_answer")
    with left, st.container(border=True, key="errors_verdict"):
        show_chip(error_words.errors_chip(finding))
        headline = error_words.errors_headline(finding, plan)
        sentence = error_words.errors_sentence(finding, plan, below_headline=bool(headline))
        st.header(literal(headline or sentence, limit=900), anchor=False)
        if headline:
            st.markdown(literal(sentence, limit=1200))
    with right, st.container(border=True, key="errors_chart"):
        metric = st.selectbox("Rate", list(RATES), format_func=RATES.get, key=start("errors_metric", "fpr"))
        st.caption(literal(error_words.metric_meaning(metric, errors)))
        title = f"{RATES[metric]}, by group"
        show_chart(rates_chart(errors, metric), title=title, description=rates_alt(errors, metric))


def show_details(finding: ErrorsFinding) -> None:
    """Draw all rates and gaps, and how good the score is in each group, one part a tab."""
    errors, scores = finding.errors, finding.scores
    of_errors = {} if errors is None else _by_kind(errors_tables(finding, 1))
    of_scores = {} if scores is None else _by_kind(scores_tables(finding, 1))
    kinds = [kind for kind in RATE_TABLES if kind in of_errors]
    shown = [partial(show_table, of_errors[kind], columns=SHOWN.get(kind, ())) for kind in kinds]
    if scores is not None:
        shown += [partial(show, scores, of_scores) for show in (_show_roc, _show_calibration, _show_distribution)]
    names = [RATE_TABLES[kind] for kind in kinds] + (SCORES if scores is not None else [])
    for tab, show in zip(st.tabs(names), shown, strict=True):
        with tab:
            show()


def _by_kind(tables: list[Table]) -> dict[str, Table]:
    return {table.key.rpartition("_")[2]: table for table in tables}


def offer_to_turn(state: AuditState, finding: ErrorsFinding) -> None:
    """Draw the press that turns a score round, where it ranks people worse than chance, as a warning then says."""
    if finding.scores is not None and points_the_wrong_way(finding.scores.auc):
        st.button("Turn the score round", key="errors_turn_score", on_click=_turn_score, args=(state,))


def _turn_score(state: AuditState) -> None:
    state.score = state.score.model_copy(update={"higher_is_favorable": not state.score.higher_is_favorable})
    # What stood in the fields gives way.
    places = tuple(f"{page}_score_{state.data_key}" for page in ("data", "errors"))
    for key in [key for key in st.session_state if str(key).startswith(places)]:
        del st.session_state[key]


def show_warnings(finding: ErrorsFinding) -> None:
    """Draw what makes rates and scores doubtful."""
    of_errors, of_scores = (() if part is None else part.warnings for part in (finding.errors, finding.scores))
    # Rows without an outcome are left out of both, and counted once.
    same = {warning: warning.replace(_NO_PREDICTION, _NO_SCORE) for warning in of_errors if _NO_PREDICTION in warning}
    both = {warning for warning, other in same.items() if other in of_scores}
    said = [w.replace(_NO_PREDICTION, _NEITHER) if w in both else w for w in of_errors]
    said += [warning for warning in of_scores if warning not in map(same.get, both)]
    if said:
        st.warning("\n\n".join(literal(warning, limit=600) for warning in said))


def _show_roc(scores: ScoreComparison, tables: dict[str, Table]) -> None:
    st.caption(
        "How well the score tells the outcomes apart in each group. Up and left is better; the diagonal is chance."
    )
    left, right = beside("errors_roc")
    with left:
        show_chart(roc_chart(scores), title="Ranking by the score", description=roc_alt(scores))
    with right:
        show_table(tables["auc"])
    with st.expander("The curves as a table"):
        show_table(tables["roc"], most=60)


def _show_calibration(scores: ScoreComparison, tables: dict[str, Table]) -> None:
    lead = "Does the same score mean the same in each group? Lines that differ by more than their intervals say no."
    st.caption(" ".join([lead, *few_note(scores)]))
    title = "How often the outcome occurs, by score"
    show_chart(calibration_chart(scores), title=title, description=calibration_alt(scores))
    with st.expander("The bins as a table"):
        show_table(tables["calibration"])


def _show_distribution(scores: ScoreComparison, tables: dict[str, Table]) -> None:
    st.caption("How the scores are spread, for each group and each true outcome.")
    show_chart(distribution_chart(scores), title="How the scores are spread", description=distribution_alt(scores))
    with st.expander("The bars as a table"):
        show_table(tables["distribution"], columns=DISTRIBUTION)
