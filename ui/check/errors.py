"""The errors of a prediction and the quality of a score, by group."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.audit.result import CheckFinding, ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.errors import FairauditError, quote, require
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.measure.scores import points_the_wrong_way
from fairaudit.messages import say
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.present.blocks import TableBlock
from fairaudit.present.charts.scores import calibration_chart, distribution_chart, roc_chart
from fairaudit.present.errors import calibration_alt, distribution_alt, errors_tables, few_note, roc_alt, scores_tables
from fairaudit.present.verdicts import Chip
from fairaudit.sections.errors import errors_chips, read_errors, say_errors
from fairaudit.sections.errors.answering import run_errors
from fairaudit.sections.errors.chapter import GAPS, say_many
from fairaudit.sections.errors.charts import errors_chart, errors_chart_note, errors_chart_text, errors_chart_title
from fairaudit.sections.errors.levels import level_tables, say_yes_no
from fairaudit.sections.errors.reading import levels_of
from fairaudit.sections.errors.saying import how_computed, say_by_group, say_calibration, say_ranking, standing_table
from ui.check.groups import picks
from ui.check.questions import cases
from ui.data.predictions import TURNS, choose_positive
from ui.frame import next_step
from ui.look import beside
from ui.manual import offer_manual
from ui.result import show_caution, show_chart, show_listed, show_said, show_table, show_wide_and_narrow
from ui.state import AuditState
from ui.steps import CHOOSER, no_groups
from ui.text import labels, literal, stated
from ui.widgets import ask, start, start_choice, tick_in_report, was_answered

RATES = ("group", "n", "selection_rate", "accuracy", "tpr", "fpr", "fnr", "fdr", "for_")
INTERVALS = ("group", "rate", "value", "n", "interval")
DISTRIBUTION = ("group", "outcome", "bin_low", "bin_high", "n", "share")
_PLACE = "errors_place"
_ASKED_ABOUT = "errors asked about"


@dataclass(frozen=True)
class More:
    """What stands below an answer, part by part; a score has its own where the audit names one."""

    figures: DeltaGenerator
    rates: DeltaGenerator
    settings: DeltaGenerator
    score: DeltaGenerator | None
    costs: DeltaGenerator
    computed: DeltaGenerator


def is_answered(state: AuditState) -> bool:
    """Whether there was an answer when the page was drawn last, so that what is compared folds away."""
    cut = state.score is not None and state.score.cut is not None
    return was_answered("errors", state.data_key, state.prediction is not None or cut)


def show_context(state: AuditState, *, answered: bool) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw which question is asked, and return where it is said and where the form stands."""
    if not answered:
        return st.empty(), st.container(key="errors_form")
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        _choose_question(state)
        about = st.empty()
        form = st.popover(stated("errors-change"), type="tertiary", key="errors_change")
        offer_manual()
    return about, form


def show_about(state: AuditState, about: DeltaGenerator, finding: ErrorsFinding) -> None:
    """Draw who is flagged and, where that is not chosen beside it, by what the groups are made."""
    args: dict[str, Argument] = {"by": Phrase(", ".join(finding.plan.by)), "when": Phrase(finding.names.when)}
    args["cases"] = cases(state, finding.plan.where)
    if (levels := levels_of(finding)) is not None:
        named: dict[str, Argument] = {"prediction": Phrase(levels.prediction), "decision": Phrase(levels.decision)}
        about.markdown(literal(say(Message("level-errors-context", args | named)), limit=300), width="content")
        return
    key = "errors-context" if finding.names.when else "errors-context-score"
    message = Message("errors-context-flagged" if len(state.errors) > 1 and finding.names.when else key, args)
    about.markdown(literal(say(message), limit=300), width="content")


def _choose_question(state: AuditState) -> None:
    """Draw which of several questions about errors is shown."""
    if len(state.errors) < 2:
        return
    asked = [
        say(Message("errors-asked", {"number": Count(number), "by": Phrase(", ".join(each.by))}))
        for number, each in enumerate(state.errors, start=1)
    ]
    before = _place(state)
    # Where a question reads otherwise, this is another choice: a browser holds what was chosen as it reads.
    chosen = st.selectbox(
        "Question",
        asked,
        format_func=labels(asked),
        key=start_choice(f"errors_asked_{crc32(' '.join(asked).encode()):x}", asked[before], asked),
        label_visibility="collapsed",
        width=180,
    )
    st.session_state[_PLACE] = before if chosen is None else asked.index(chosen)


def _place(state: AuditState) -> int:
    """Return the place of the question that is shown."""
    return min(st.session_state.get(_PLACE, 0), max(0, len(state.errors) - 1))


def asked_words(asked: ErrorsPlan) -> str:
    """Return whose errors a question compares, and what they cost where not both cost 1."""
    groups = " and ".join(quote(name, limit=40) for name in asked.by)
    costs = (asked.cost_false_positive, asked.cost_false_negative)
    if costs == (1.0, 1.0):
        return f"by {groups}"
    flagged, missed = (Phrase(f"{cost:g}") for cost in costs)
    return say(Message("errors-asked-costs", {"groups": Phrase(groups), "flagged": flagged, "missed": missed}))


def _leave(state: AuditState, place: int) -> None:
    del state.errors[place]
    # The fields of the questions start again from what they are now.
    for key in [key for key in st.session_state if str(key).startswith(("errors_by", "errors_cost", "errors_strata"))]:
        del st.session_state[key]


def open_more(state: AuditState) -> More:
    """Draw what opens below the answer, and return its parts."""
    said = ["figures", "rates", "settings", *(["score"] if state.score is not None else []), "costs", "computed"]
    with st.expander(stated("errors-more"), key="errors_more", on_change="rerun"):
        tabs = dict(zip(said, st.tabs([_tab(name) for name in said]), strict=True))
    score = tabs.pop("score", None)
    return More(score=score, **tabs)


def _tab(name: str) -> str:
    return stated(TABS[name])


TABS = {
    "figures": "errors-more-figures",
    "rates": "errors-more-rates",
    "settings": "errors-more-settings",
    "score": "errors-more-score",
    "costs": "errors-more-costs",
    "computed": "errors-more-computed",
}


def choose(state: AuditState, form: DeltaGenerator, more: More) -> ErrorsPlan | None:
    """Draw whose groups are compared and the settings; return the question, or None while incomplete."""
    place = _place(state)
    present = state.errors[place] if state.errors else None
    each = f"_{place}" if place else ""
    columns = list(state.present_table.columns)
    picked = _asked_about(state)
    if present is not None and place == 0 and _follows(state, present, picked):
        present = present.model_copy(update={"by": tuple(picked)})
        st.session_state.pop(f"errors_by{each}", None)
    first = present.by if present else picked
    by = ask(ErrorsPlan, "by", form, key=f"errors_by{each}", first=first, options=columns)
    strata: list[str] = list(present.strata) if present else []
    if state.prediction is not None and state.prediction.levels:
        strata = ask(ErrorsPlan, "strata", form, key=f"errors_strata{each}", first=strata, options=columns)
    if len(state.errors) > 1:
        form.button("Leave this question out", key="errors_leave", on_click=_leave, args=(state, place))
    with more.settings:
        positive = choose_positive(state, st.container(), "errors_positive", horizontal=True)
        tick_in_report("errors_in_report", state.left_out, "errors")
    with more.costs:
        left, right = beside("errors_costs", small=True)
    # A false positive is a wrong flag where the outcome that is warned of is positive.
    named = ["errors-cost-flag", "errors-cost-miss"][:: 1 if positive == "unfavorable" else -1]
    cost_positive = left.number_input(
        stated(named[0]),
        min_value=0.0,
        key=start(f"errors_cost_positive{each}", present.cost_false_positive if present else 1.0),
    )
    cost_negative = right.number_input(
        stated(named[1]),
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
        strata=tuple(strata),
    )
    state.errors = [*state.errors[:place], plan, *state.errors[place + 1 :]]
    return plan


def _asked_about(state: AuditState) -> list[str]:
    """Return the column that the protected group of the question is made of, or the first protected column."""
    column, _ = picks(state)
    return [column] if column is not None else list(state.protected_columns[:1])


def _follows(state: AuditState, present: ErrorsPlan, picked: list[str]) -> bool:
    """Whether groups change with the question: it is of another column now, and they were of the one before.

    Groups that a person chose or saved stay as they are.
    """
    before = state.drafts.get(_ASKED_ABOUT, picked)
    state.drafts[_ASKED_ABOUT] = picked
    return bool(picked) and before != picked and present.by == tuple(before)


def finding_of(state: AuditState, plan: ErrorsPlan) -> ErrorsFinding:
    """Return the answer on the present data, computed once."""
    audit = state.present_plan(fingerprint=False)
    if audit.prediction is None or not audit.prediction.levels:
        plan = plan.model_copy(update={"strata": ()})
    key = (plan, audit.decision, audit.prediction, audit.score)
    return state.remember("errors", key, lambda: run_errors(state.present_table, audit, plan))


def chips_beside(state: AuditState, answer: CheckFinding) -> tuple[Chip, ...]:
    """Return chips of clear gaps in the errors that the audit asks about, to stand beside those of an answer."""
    try:
        judged = [finding_of(state, asked) for asked in state.present_plan(fingerprint=False).errors]
    except FairauditError:
        # What is wrong with them is said on the page Errors.
        return ()
    return errors_chips(answer, judged)


def show_answer(state: AuditState, finding: ErrorsFinding) -> None:
    """Draw who is wrongly flagged and wrongly missed, with the picture and what makes the reader careful."""
    said = say_errors(finding)
    if read_errors(finding).state == "no_prediction":
        # Without a cut there is a question, and no verdict yet.
        st.info(literal(say(said.lead)))
        return
    show_said(said)
    if read_errors(finding).state == "compared":
        show_wide_and_narrow(
            errors_chart(finding),
            errors_chart(finding, narrow=True),
            title=errors_chart_title(),
            description=errors_chart_text(finding),
        )
        if note := errors_chart_note(finding):
            st.caption(literal(note))
    show_caution(said)
    if many := say_many(finding):
        st.warning(literal(say(many), limit=600))


def show_more(state: AuditState, finding: ErrorsFinding, more: More) -> None:
    """Draw exact figures, all rates, whether a score means the same, costs, and how all is computed."""
    tables = {} if finding.errors is None else _by_kind(errors_tables(finding, 1))
    with more.figures:
        if read_errors(finding).state == "compared":
            show_table(standing_table(finding, 1))
        for table in level_tables(finding, 1):
            st.caption(literal(table.title))
            show_table(table)
        _show_warnings(finding)
    with more.rates:
        if levels_of(finding) is not None:
            st.markdown(literal(say(say_yes_no(finding)), limit=300))
        for kind, columns in (("rates", RATES), ("gaps", GAPS), ("intervals", INTERVALS), ("counts", ())):
            if kind in tables:
                show_table(tables[kind], columns=columns)
    if more.score is not None and finding.scores is not None:
        with more.score:
            _show_score(finding)
    with more.costs:
        for name in finding.by_group:
            if said := say_by_group(finding, name):
                st.markdown(literal(say(said)))
            show_table(tables[name])
    with more.computed:
        show_listed(how_computed(finding, ENOUGH))


def show_ways_on(state: AuditState) -> None:
    """Draw the button that leads on, and two links; remedies wait until it is said who is protected."""
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="errors_ways"):
        next_step("pages/4_Report.py", "Go to the report", first=True)
        if not no_groups(state):
            next_step(CHOOSER, "Try a remedy")
        next_step("pages/6_Worst_groups.py", "Worst groups")


def _by_kind(tables: list[TableBlock]) -> dict[str, TableBlock]:
    return {table.key.rpartition("_")[2]: table for table in tables}


def offer_to_turn(state: AuditState, finding: ErrorsFinding) -> None:
    """Draw the press that turns a score round, where it ranks people worse than chance, as a warning then says."""
    if finding.scores is not None and points_the_wrong_way(finding.scores.auc):
        st.button("Turn the score round", key="errors_turn_score", on_click=_turn_score, args=(state,))


def _turn_score(state: AuditState) -> None:
    score = require(state.score)
    state.score = score.model_copy(update={"higher_is_favorable": not score.higher_is_favorable})
    st.session_state[TURNS] = st.session_state.get(TURNS, 0) + 1
    # What stood in the fields of the page Data gives way.
    for key in [key for key in st.session_state if str(key).startswith(f"data_score_{state.data_key}")]:
        del st.session_state[key]


def _show_warnings(finding: ErrorsFinding) -> None:
    """Draw what makes rates and scores doubtful."""
    of_errors, of_scores = (() if part is None else part.warnings for part in (finding.errors, finding.scores))
    if said := (*of_errors, *of_scores):
        st.warning("\n\n".join(literal(warning, limit=600) for warning in said))


def _show_score(finding: ErrorsFinding) -> None:
    """Draw whether the score means the same in each group, how well it ranks, and how it is spread."""
    scores, tables = require(finding.scores), _by_kind(scores_tables(finding, 1))
    left, right = beside("errors_score")
    with left:
        st.markdown(literal(say(say_calibration(finding)), limit=600))
        show_chart(calibration_chart(scores), description=calibration_alt(scores), note=" ".join(few_note(scores)))
    with right:
        st.markdown(literal(say(say_ranking(finding)), limit=600))
        show_chart(roc_chart(scores), description=roc_alt(scores))
    st.markdown(stated("errors-spread"))
    show_chart(distribution_chart(scores), description=distribution_alt(scores))
    for kind, columns, most in (("auc", (), 200), ("calibration", (), 200), ("distribution", DISTRIBUTION, 200),
                                ("roc", (), 60)):  # fmt: skip
        show_table(tables[kind], columns=columns, most=most)
