"""What all models of an audit learn from and how they are judged: the panel on top of remedy pages, and its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.defaults import Positive
from fairaudit.errors import FairauditError, OpenCodesError, expect, require
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.fields import FieldShape
from fairaudit.plan.models import LearnFrom, ModelsPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.remedies.plans import REMEDY_PLANS
from fairaudit.sections.check import say_remedy_caution
from fairaudit.sections.remedy.learned_rows import (
    filter_sentence,
    learned_not_known_sentences,
    sample_sentence,
    undecided_sentence,
    unknown_groups_sentence,
)
from fairaudit.study import reading
from fairaudit.study.amounts.findings import AmountStudyFacts
from fairaudit.study.columns import says_group
from fairaudit.study.divided import MAX_ROWS, DividedRows
from fairaudit.study.findings import StudyFacts
from fairaudit.study.proposing import features_left_out
from fairaudit.study.rows import Study, learned_rows
from ui.asking import ask_first
from ui.check.questions import finding_of
from ui.data import codes
from ui.data.predictions import POSITIVES, choose_positive
from ui.frame import need, need_good_outcome, next_step, show_error
from ui.state import AuditState
from ui.text import condition_words, literal, shortened, show_cautions, stated
from ui.widgets import ask, end_page, start, start_choice

# The rows that all models of an audit learn from and are judged on, read once for the present settings.


Rows = TypeVar("Rows", bound=DividedRows)


def rows_key(state: AuditState) -> str:
    """Return what the rows and their facts depend on: what fits do, and what no fit looks at.

    That is the columns of strata, whether the decision is what truly happened, and what groups are called.
    """
    plan = state.present_plan(fingerprint=False)
    inside = [(check.protected, check.where, check.strata, check.strata_cuts) for check in plan.checks if check.strata]
    called = [(plan.names, plan.decision, [(check.protected_name, check.others_name) for check in plan.checks])]
    return repr((state.study_key, inside, plan.decision_is_outcome, called))


def study_of(state: AuditState) -> DividedRows:
    """Return the rows for ``state.models``, read once; only the last ones are held in memory."""
    key = rows_key(state)
    if state.study is None or state.study[0] != key:
        # Columns that constraints name are read when they are needed: one that is gone must not take all models away.
        plan = state.present_plan(fingerprint=False).model_copy(update={"remedies": ()})
        with st.spinner("Drawing rows in the database …" if state.present_table.is_connected else "Reading the rows …"):
            state.study = (key, reading.study_of(state.present_table, plan))
    return state.study[1]


def with_columns(state: AuditState, study: Rows, columns: Sequence[str]) -> Rows:
    """Return the rows with more columns that distinguish groups, read once for the present settings."""
    key = rows_key(state)
    if state.study is not None and state.study[0] == key:
        study = expect(type(study), state.study[1])
    if columns and not set(columns) <= set((rows := expect(Study, study)).sensitive.columns):
        study = expect(type(study), rows.reading(state.present_table, tuple(columns)))
        state.study = (key, study)
    return study


# How many rows of a connected table are drawn for models to learn from.

SAMPLE_ROWS = 20_000
"""How many rows of a database are drawn, unless the person says otherwise."""


def choose_sample(state: AuditState, present: ModelsPlan) -> int:
    """Draw how many rows are fetched from the database for models to learn from; return that."""
    fewest = FieldShape.of(ModelsPlan.model_fields["sample_rows"]).least
    most = max(int(require(fewest)), min(state.present_table.n_rows, MAX_ROWS))
    first = min(present.sample_rows or SAMPLE_ROWS, most)
    rows = ask(ModelsPlan, "sample_rows", key="models_sample", first=first, max_value=most)
    st.caption(stated("learn-drawn", n=Count(state.present_table.n_rows)))
    return int(rows)


# Warnings before a remedy where similar cases say otherwise than the gap that it is to make smaller.


def warn_of_strata(state: AuditState) -> None:
    """Warn where similar cases of a question say otherwise than all rows together."""
    for entry in state.checks:
        if entry.plan.strata and (said := say_remedy_caution(finding_of(state, entry))) is not None:
            st.warning(literal(say(said), limit=600))


# The panel at the top of every remedy page: what all models learn from, and how they are judged.

PANEL, TAKE = "What models learn from", "Use these columns"
DIVISIONS = 5
"""On how many repeats a new audit judges its remedies."""


def open_study(state: AuditState, *, any_decision: bool = False, panel: DeltaGenerator | None = None) -> DividedRows:
    """Draw the panel, and return the rows that all models of this audit learn from and are judged on.

    The first call of every remedy page, after ``open_page``. Ends the page, with a way forward, where the data, the
    decision or the protected group is missing, while the person has not said yet what models learn from, and where
    that does not fit the data. Without `any_decision` the decision must have a good outcome. Where a result stands
    above, what is set is drawn in the place for the `panel`.
    """
    need(state, decision=True)
    if not any_decision:
        need_good_outcome(state)
    need(state, protected=True)
    if panel is None:
        warn_of_strata(state)
    study, failed = _try_study(state)
    with panel or st.container(), st.expander(PANEL, expanded=state.models is None or failed is not None):
        waits = _show_panel(state)
    if waits and state.models is not None:
        if is_asked(state):
            st.info(stated("learn-not-in-use", panel=Phrase(PANEL), button=Phrase(TAKE)))
        else:
            st.warning(literal(other_question_words(state), limit=900))
    if isinstance(failed, OpenCodesError):
        ask_first(codes.ask_order(state, state.present_models.features))
        end_page()
    if failed is not None:
        show_error(failed)
        next_step("pages/2_Groups.py", "Change the groups or the filter")
        end_page()
    if study is None:
        st.info(stated("learn-first", button=Phrase(TAKE)))
        end_page()
    with panel or st.container():
        _show_doubts(study.facts)
    return study


def is_asked(state: AuditState) -> bool:
    """Whether the gap that the models are judged by is still that of a question of this audit."""
    asked = (state.present_models.protected, state.present_models.where)
    return asked in [(entry.plan.protected, entry.plan.where) for entry in state.checks]


def other_question_words(state: AuditState) -> str:
    """Return by whose gap the models are still judged, where the questions have changed since, and what to do."""
    models = state.present_models
    args: dict[str, Argument] = {
        "whose": Phrase(_whose(state, models)),
        "among": Word("some" if models.where else "all"),
        "where": Phrase(condition_words(state.present_table, models.where) if models.where else ""),
        "panel": Phrase(PANEL),
        "button": Phrase(TAKE),
    }
    return say(Message("learn-other-question", args))


def _try_study(state: AuditState) -> tuple[DividedRows | None, FairauditError | None]:
    if state.models is None:
        return None, None
    try:
        with state.asking.raised():
            return study_of(state), None
    except FairauditError as error:
        return None, error


def _show_panel(state: AuditState) -> bool:
    """Draw all choices and the button that takes them; return whether there is something to take."""
    question = _choose_question(state)
    plan = state.present_plan(fingerprint=False)
    columns = [name for name in state.present_table.columns if name != state.present_decision.column]
    features = _choose_features(state, plan, question, columns)
    rated = state.present_decision.kind.has_good_outcome
    first = state.models.by if state.models else ()
    by = ask(ModelsPlan, "by", key=f"models_by_{state.data_key}", first=first, options=columns)
    _note_protected(state, question, features, by)
    present = state.models or ModelsPlan(
        features=("_",), protected=question.protected, divisions=DIVISIONS, search_predictions=True, proxies=True
    )
    positive = _choose_positive(state) if rated else present.positive
    learn_from = _choose_learners(question, present)
    sample_rows = choose_sample(state, present) if state.present_table.is_connected else None
    advanced, seed = _choose_advanced(state, present)
    if not features:
        st.warning(say(Message("learn-choose-first")))
        return True
    chosen = ModelsPlan(
        features=tuple(features),
        protected=question.protected,
        where=question.where,
        protected_name=question.protected_name,
        tolerance=question.tolerance,
        confidence=question.confidence,
        by=tuple(by),
        positive=positive,
        learn_from=learn_from,
        **advanced,
        sample_rows=sample_rows,
    )
    if chosen == state.models and seed == state.seed:
        return False
    if state.models is not None:
        st.caption(stated("learn-outdates"))
    if st.button(TAKE, type="primary", key="models_take"):
        state.models, state.seed = chosen, seed
        st.rerun()
    return True


def _choose_positive(state: AuditState) -> Positive:
    """Draw what the audit calls positive; of models of a saved audit that call the other so, say it."""
    positive = choose_positive(state, st, "models_positive", horizontal=True)
    if state.models is not None and state.models.positive != positive:
        named = Phrase(POSITIVES[state.models.positive])
        st.caption(say(Message("learn-positive-saved", {"what": named})))
    return positive


def _choose_learners(question: CheckPlan, present: ModelsPlan) -> LearnFrom:
    """Draw whether models learn from people outside the filter, too; where there is no filter, nothing is asked."""
    if question.where is None:
        return present.learn_from
    return ask(ModelsPlan, "learn_from", key="models_learn_from", first=present.learn_from, horizontal=True)


def _choose_question(state: AuditState) -> CheckPlan:
    """Draw whose gap is judged, and return that question, as the audit has it now."""
    questions = [entry.plan for entry in state.checks if entry.plan.protected]
    selected = next((i for i, question in enumerate(questions) if question is state.check), 0)
    if state.models is not None:
        asked = (state.models.protected, state.models.where)
        selected = next((i for i, q in enumerate(questions) if (q.protected, q.where) == asked), selected)
    places = list(range(len(questions)))
    position = st.selectbox(
        "Whose gap is judged",
        places,
        format_func=lambda i: _question_words(state, questions[i], i + 1),
        key=start_choice(f"models_question_{len(questions)}", selected, places),
        help="A question of this audit. Limits hold among its people, and models are tested on them.",
    )
    return questions[position]


def _question_words(state: AuditState, question: CheckPlan, number: int) -> str:
    among = f", where {condition_words(state.present_table, question.where)}" if question.where else ""
    return shortened(f"{number}. {_whose(state, question)}{among}", 300)


def _whose(state: AuditState, part: CheckPlan | ModelsPlan) -> str:
    return part.protected_name or condition_words(state.present_table, part.protected)


def _choose_features(state: AuditState, plan: AuditPlan, question: CheckPlan, columns: list[str]) -> list[str]:
    def leave_out() -> dict[str, str]:
        models = ModelsPlan(features=tuple(columns[:1]) or ("_",), protected=question.protected)
        return features_left_out(state.table, plan.model_copy(update={"models": models}))

    key = f"models_features_{state.data_key}"
    try:
        # An audit that is opened knows what to learn from: it does not ask a database again.
        asked = (question.protected, plan.decision, plan.prediction, plan.score, plan.protected_columns, plan.seed)
        is_known = state.models is not None and state.present_table.is_connected
        left_out = {} if is_known else state.remember("features", asked, leave_out)
    except FairauditError:
        left_out = dict.fromkeys(columns, "")
    first = state.models.features if state.models else [name for name in columns if name not in left_out]
    features = ask(ModelsPlan, "features", key=key, first=first, options=columns)
    st.caption(stated("learn-later"))
    missing = [f"{name} ({left_out[name]})" for name in columns if left_out.get(name) and name not in features]
    if missing:
        said = Message("learn-not-proposed", {"columns": Phrase("; ".join(missing))})
        st.caption(literal(say(said), limit=600))
    return features


def _note_protected(state: AuditState, question: CheckPlan, features: list[str], by: list[str]) -> None:
    """Say what it means that a model sees who is protected, and what it does not mean that it does not."""
    protected = {*state.protected_columns, *by}
    try:
        protected |= set(require(state.present_table.condition(question.protected)).columns)
    except FairauditError:
        return
    seen = [name for name in features if name in protected or says_group(name)]
    if seen:
        st.warning(stated("learn-shows-group", columns=Phrase(" and ".join(seen)), limit=400))


def _choose_advanced(state: AuditState, present: ModelsPlan) -> tuple[dict[str, Any], int]:
    """Draw what few people change; return these fields of the models' plan, and the seed."""
    usual = {
        "n_components": None,
        "min_level_count": 10,
        "divisions": DIVISIONS,
        "search_predictions": True,
        "proxies": True,
    }
    chosen = {name: getattr(present, name) for name in usual}
    if not st.toggle("More settings", key=start("models_more", (chosen, state.seed) != (usual, 0))):
        return chosen, state.seed
    left, middle, right, last = st.columns(4)
    components = ask(ModelsPlan, "n_components", left, key="models_components", first=present.n_components or 0)
    fewest = ask(ModelsPlan, "min_level_count", middle, key="models_fewest", first=present.min_level_count)
    divisions = ask(ModelsPlan, "divisions", right, key="models_divisions", first=present.divisions)
    seed = ask(AuditPlan, "seed", last, key="models_seed", first=state.seed)
    searched = ask(ModelsPlan, "search_predictions", key="models_searched", first=present.search_predictions)
    proxies = ask(ModelsPlan, "proxies", key="models_proxies", first=present.proxies)
    asked = {"n_components": components or None, "min_level_count": fewest, "divisions": divisions}
    return asked | {"search_predictions": searched, "proxies": proxies}, seed


def show_sizes(study: DividedRows, method: str | None = None) -> None:
    """Draw the sizes of the parts in a sentence, and why fewer are counted elsewhere, for one remedy or for any."""
    facts, known = study.facts, ""
    known_only = [] if method is None else [REMEDY_PLANS[method].learns_known_groups]
    if any(known_only) and (n_known := len(learned_rows(study))) < facts.n_train:
        known = say(Message("learn-known", {"n": Count(n_known), "all": Count(facts.n_train)}))
    said = (
        say(Message("learn-sizes", {"n": Count(facts.n_train + facts.n_tune), "test": Count(facts.n_held_out)})),
        known,
        unknown_groups_sentence(facts, known_only),
        undecided_sentence(facts),
    )
    st.caption(literal(" ".join(text for text in said if text), limit=1200))


def _show_doubts(facts: StudyFacts | AmountStudyFacts) -> None:
    """Draw what makes models doubtful."""
    if facts.sample is not None:
        st.caption(literal(sample_sentence(facts.sample), limit=900))
    if said := filter_sentence(facts):
        st.markdown(literal(said, limit=900))
    show_cautions((*learned_not_known_sentences(facts), *facts.warnings))
