"""Thresholds by group: on which score, searched for or set by hand, and what they do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import streamlit as st

from fairaudit.audit.trying import remedy_name
from fairaudit.errors import quote, require
from fairaudit.estimators.thresholds import ThresholdOutcome, ThresholdProblem
from fairaudit.estimators.thresholds.search import iter_swarm
from fairaudit.findings import Argument, Count, Message, Phrase, Share
from fairaudit.messages import called, say
from fairaudit.plan.fields import form_of
from fairaudit.plan.models import MODEL_WORDS, Learner
from fairaudit.present import naming
from fairaudit.present.numbers import count_text, number_text, points_text, share_text
from fairaudit.remedies.thresholds.charts import (
    roc_note,
    threshold_roc_alt,
    threshold_roc_chart,
    weight_sweep_alt,
    weight_sweep_chart,
)
from fairaudit.remedies.thresholds.deployed_threshold import ThresholdInUse, threshold_in_use
from fairaudit.remedies.thresholds.details import (
    NOTHING_MISSING,
    ThresholdDetails,
    fairness_weights_table,
    thresholds_table,
)
from fairaudit.remedies.thresholds.fit import SWEEP, Tuning
from fairaudit.remedies.thresholds.plan import SWARM, ThresholdsPlan
from fairaudit.study.constraint_check import strata_of
from fairaudit.study.findings import plan_key
from fairaudit.study.rows import Study
from ui.data.predictions import flagged_value
from ui.entries import settings_of
from ui.frame import errors_shown
from ui.progress import follow
from ui.remedies import drafts
from ui.remedies.drafts import ask, rate_words
from ui.remedies.learning_panel import with_columns
from ui.remedies.trying import known_plain, start_fit
from ui.result import show_chart, show_figures, show_table
from ui.state import AuditState, Fitted
from ui.text import literal, stated
from ui.values import value_label
from ui.widgets import draw_field, start

# Thresholds in the units of the score as people know it, and the sliders that hold them.

_STEPS = 200
_WIDEST = 1e12
_NARROWEST = 1e-9


@dataclass(frozen=True)
class Scale:
    """How thresholds are shown: in the units of the score as people know it, in whole numbers where all scores are.

    It is `turned` where a lower score speaks for the good outcome; the core then counts with minus the score.
    """

    low: float
    high: float
    step: float
    digits: int
    whole: bool
    turned: bool

    @classmethod
    def of(cls, tuning: Tuning) -> Scale | None:
        """Return round ends and steps that hold all scores; None where no slider can, as when all are the same."""
        points = tuning.problem.points
        ends = [p.thresholds[-1] for p in points] + [p.thresholds[0] for p in points] + [tuning.default]
        low, high = sorted((-1 if tuning.turned else 1) * end for end in (min(ends), max(ends)))
        if high - low < _NARROWEST or max(abs(low), abs(high)) > _WIDEST:
            return None
        whole = high - low <= _STEPS and tuning.whole
        power = 0 if whole else math.ceil(math.log10((high - low) / _STEPS))
        step = 10.0**power
        low, high = (round(f(end / step) * step, 12) for f, end in ((math.floor, low), (math.ceil, high)))
        return cls(low, high, step, 0 if whole else max(2, -power), whole, tuning.turned)

    def shown(self, threshold: float) -> float:
        """Return what a slider shows for a threshold of the core."""
        least = math.ceil(threshold) if self.whole else threshold
        return min(max(float(-least if self.turned else least), self.low), self.high)

    def text(self, threshold: float) -> str:
        """Return a threshold as people read it."""
        return number_text(self.shown(threshold), digits=self.digits)

    def threshold(self, shown: float) -> float:
        """Return the threshold of the core for what a slider shows."""
        return -shown if self.turned else shown


# Which score thresholds are put on, and the thresholds that the page offers to judge.

SCORE: Final = "score"
Scored = Learner | Literal["score"]
_MOST_NAMED = 4


def choose_score(state: AuditState) -> Scored:
    """Draw which score thresholds are put on, and return its name in a :class:`ThresholdsPlan`."""
    draft = draft_of(state)
    choices = [choice.value for choice in form_of(ThresholdsPlan, "model").choices]
    options = [name for name in choices if name != SCORE or state.score is not None]
    first = draft.model if draft.model in options else options[0]
    model = draw_field(ThresholdsPlan, "model", options=options, key=start("thresholds_model", first))
    if model == SCORE:
        _offer_threshold_in_use(state)
    if model != draft.model:
        # Thresholds that were set by hand mean nothing on another score.
        search = "exact" if draft.search == "chosen" else draft.search
        keep(state, draft.model_copy(update={"model": model, "search": search, "thresholds": ()}))
    return model


def _offer_threshold_in_use(state: AuditState) -> None:
    """Draw the press that says from which score on people are treated otherwise now, where the table plainly has it."""
    score = require(state.score)
    if score.cut is not None:
        return
    key = (state.decision, state.prediction, state.score)
    with errors_shown(go_on=True):
        found = state.remember(
            "threshold in use",
            key,
            lambda: threshold_in_use(state.present_table, state.present_plan(fingerprint=False), flagged_value),
        )
        if found is None:
            return
        said = [_in_use(found, higher_is_favorable=score.higher_is_favorable)]
        said += [Message("thresholds-in-use-old")] if state.fitted else []
        st.markdown(literal(say(said), limit=300))
        st.button("Use it as what is done now", key="thresholds_in_use", on_click=_use, args=(state, found.score))


def _in_use(found: ThresholdInUse, *, higher_is_favorable: bool) -> Message:
    """Return what a column has from a score on, and what below it."""
    args: dict[str, Argument] = {
        "score": Phrase(value_label(found.score)),
        "column": Phrase(naming.shorten(found.column, 60)),
    }
    if found.above is None:
        return Message("thresholds-in-use-good" if higher_is_favorable else "thresholds-in-use-bad", args)
    sides = {side: Phrase(quote(value_label(getattr(found, side)), limit=40)) for side in ("above", "below")}
    return Message("thresholds-in-use", args | sides)


def _use(state: AuditState, threshold: float) -> None:
    state.score = require(state.score).model_copy(update={"cut": threshold})


def choose_wish(state: AuditState, study: Study) -> None:
    """Draw among whom groups are kept alike, and whether none may be worse off; a hand sets thresholds as it likes."""
    drafts.choose_similar(state, study, usual(state))
    by_hand = draft_of(state).search == "chosen"
    if draft_of(state).search == "exact":
        draft = draft_of(state)
        drafts.choose_confidence(state, usual(state), draft.confidence, is_open=not draft.no_group_worse_off)
    ask(state, usual(state), "no_group_worse_off", disabled=by_hand)
    if by_hand:
        st.caption(stated("thresholds-hand-wish"))


def draft_of(state: AuditState) -> ThresholdsPlan:
    """Return the thresholds that the page offers to judge."""
    return drafts.draft_of(state, usual(state))


def usual(state: AuditState) -> ThresholdsPlan:
    """Return what the page offers at first: thresholds on the score that is in use already, where there is one."""
    return ThresholdsPlan() if state.score is None else ThresholdsPlan(model=SCORE)


def keep(state: AuditState, plan: ThresholdsPlan) -> None:
    """Take other thresholds as those that the page offers to judge."""
    state.settings[settings_of("thresholds")] = plan


def open_tuning(state: AuditState, study: Study, model: Scored) -> tuple[Tuning | None, bool]:
    """Return the tuning rows at each threshold of a score, as far as there is one yet, and whether it can be cut."""
    known = None if model == SCORE else known_plain(state, model)
    if model != SCORE and known is None:
        return None, True
    with errors_shown(go_on=True):
        draft = draft_of(state)
        key = (state.study_key, model, draft.strata, draft.strata_cuts)
        rows = with_columns(state, study, draft.strata)
        strata = strata_of(rows, draft)
        tuning = state.remember("tuning", key, lambda: Tuning.of(rows, known and known.model, strata))
        if Scale.of(tuning) is not None:
            return tuning, True
        st.warning(stated("thresholds-other-score"))
    return None, False


def press(state: AuditState, tuning: Tuning | None) -> str:
    """Return what the button says that finds and tests thresholds."""
    if draft_of(state).search == "chosen":
        return "Test these thresholds"
    return "Train and find thresholds" if tuning is None else "Find thresholds"


def note_change(state: AuditState, tuning: Tuning | None, fitted: Fitted) -> None:
    """Say so where other thresholds are set now than those that were judged."""
    plan = fitted.candidate.finding.plan
    if tuning is not None and plan_key(plan) != plan_key(plan_to_judge(state, tuning)):
        name = Phrase(remedy_name(plan, fitted.outcome))
        st.info(stated("thresholds-changed", name=name, limit=400))


def plan_to_judge(state: AuditState, tuning: Tuning | None) -> ThresholdsPlan:
    """Return the thresholds that the page offers, with their values in the name where a person chose them."""
    draft, scale = draft_of(state), None if tuning is None else Scale.of(tuning)
    if draft.search == "chosen":
        draft = draft.model_copy(update={"no_group_worse_off": False})
    if draft.search != "exact" or draft.no_group_worse_off:
        draft = draft.model_copy(update={"confidence": None})
    if draft.search != "chosen" or scale is None or len(draft.thresholds) > _MOST_NAMED:
        return draft
    cuts = ", ".join(f"{naming.short(called(group))} {scale.text(value)}" for group, value in draft.thresholds)
    return draft.model_copy(
        update={"name": f"A threshold for each group ({MODEL_WORDS[draft.model]}, by hand: {cuts})"}
    )


# Thresholds that are searched for or set by hand, and at once what they do on the tuning rows.

MOST_SLIDERS = 8


@st.fragment
def try_thresholds(state: AuditState, study: Study, tuning: Tuning) -> None:
    """Draw how thresholds are found or set by hand, and at once what they do on the tuning rows."""
    scale = Scale.of(tuning)
    if scale is None:
        return
    st.caption(stated("thresholds-tried-on", n=Count(int(tuning.problem.n))))
    if tuning.warnings:
        st.warning(literal(" ".join(tuning.warnings), limit=1200))
    _choose_search(state, tuning)
    plan = _fitting(state, tuning)
    with errors_shown():
        found = _outcome(state, study, tuning, plan)
    details = tuning.details(found, plan.fairness_weight, _allowed(tuning, plan))
    st.markdown(f"**{say(_standing(plan, details))}**")
    if plan_to_judge(state, tuning).confidence is not None:
        st.caption(stated("thresholds-held-tested"))
    _show_figures(study, tuning.details(tuning.before, plan.fairness_weight), details)
    _show_sliders(state, tuning, found, scale)
    said = (literal(say(message), limit=200) for message in cuts(tuning, found, scale))
    st.markdown("\n".join(f"- {each}" for each in said))
    if st.button("Test these thresholds", key="thresholds_judge"):
        start_fit(state, study, plan_to_judge(state, tuning))
        st.rerun()
    show_chart(
        threshold_roc_chart(details.roc, details.thresholds, study.models.positive),
        title=say(Message("thresholds-chart-roc")),
        description=threshold_roc_alt(details.roc, details.thresholds, study.models.positive),
        note=roc_note(study.facts.positive_meaning, len(tuning.names)),
    )
    with st.expander("The same as a table"):
        show_table(thresholds_table(details, 0))
    with st.expander("Other weights"):
        current = None if plan.search == "chosen" else plan.fairness_weight
        show_chart(
            weight_sweep_chart(details.sweep, current=current),
            title=say(Message("thresholds-chart-weights")),
            description=weight_sweep_alt(details.sweep),
        )
        show_table(fairness_weights_table(details, 0))


def cuts(tuning: Tuning, found: ThresholdOutcome, scale: Scale) -> list[Message]:
    """Return from which score on the answer is yes in each group, and for how many of its tuning rows."""
    selected = dict(zip(found.groups, found.selection, strict=True))
    said = []
    for name in tuning.names[:MOST_SLIDERS]:
        share = selected[name]
        args: dict[str, Argument] = {"group": Phrase(naming.shorten(called(name), 80)), "share": Share(share, 1)}
        if share in (0, 1):
            said.append(Message("thresholds-everybody" if share else "thresholds-nobody", args))
        else:
            cut = Phrase(scale.text(found.by_group[name]))
            said.append(Message("thresholds-to" if scale.turned else "thresholds-from", args | {"cut": cut}))
    if (more := len(tuning.names) - MOST_SLIDERS) > 0:
        said.append(Message("thresholds-more-groups", {"n": Count(more)}))
    return said


def _choose_search(state: AuditState, tuning: Tuning) -> None:
    draft = draft_of(state)
    weight = ask(state, usual(state), "fairness_weight", options=sorted({*SWEEP, draft.fairness_weight}))
    default = tuple((name, tuning.default) for name in tuning.names)
    same = _searched(draft, "chosen", fairness_weight=weight, thresholds=default)
    with st.container(horizontal=True):
        for label, plan, key, said in (
            ("Best thresholds", _searched(draft, "exact"), "exact", None),
            (
                "As first published",
                _searched(draft, "pso", swarm="thresholds"),
                "pso",
                "Searches by chance. It is never better than the best thresholds. Known as particle swarm.",
            ),
            ("One for all", same, "same", None),
        ):
            st.button(label, key=f"thresholds_{key}", on_click=keep, args=(state, plan), help=said)

    if draft.search == "pso":
        with st.expander("More settings"):
            ask(state, usual(state), "swarm")
            columns = st.columns(2)
            for place, name in enumerate(name for name in SWARM if name != "swarm"):
                ask(state, usual(state), name, columns[place % 2])


def _searched(draft: ThresholdsPlan, search: str, **changes: object) -> ThresholdsPlan:
    usual_swarm = ThresholdsPlan().swarm_settings()
    return draft.model_copy(update=usual_swarm | {"search": search, "thresholds": ()} | changes)


def _fitting(state: AuditState, tuning: Tuning) -> ThresholdsPlan:
    """Return the draft; where it was made by hand for other groups, the best thresholds in its place."""
    draft = draft_of(state)
    if draft.search == "chosen" and {group for group, _ in draft.thresholds} != set(tuning.names):
        draft = _searched(draft, "exact")
    keep(state, draft)
    return draft


def _outcome(state: AuditState, study: Study, tuning: Tuning, plan: ThresholdsPlan) -> ThresholdOutcome:
    match plan.search:
        case "exact":
            return _allowed(tuning, plan).best(plan.fairness_weight)
        case "chosen":
            return tuning.problem.at(dict(plan.thresholds))
    settings = plan.swarm_settings()
    events = iter_swarm(_allowed(tuning, plan), plan.fairness_weight, **settings, random_state=study.seed)
    similar = plan.strata, plan.strata_cuts
    key = (state.study_key, plan.model, plan.fairness_weight, plan.no_group_worse_off, similar, *settings.values())
    return state.remember("swarm", key, lambda: follow(events, label="Searching."))


def _allowed(tuning: Tuning, plan: ThresholdsPlan) -> ThresholdProblem:
    """Return the thresholds that are searched among."""
    return tuning.allowed(no_group_worse_off=plan.no_group_worse_off and plan.search != "chosen")


def _standing(plan: ThresholdsPlan, details: ThresholdDetails) -> Message:
    """Return how good thresholds are beside the exact optimum."""
    if plan.search == "exact":
        return Message("thresholds-best-kept" if plan.no_group_worse_off else "thresholds-best")
    missing = max(details.optimal_objective - details.objective, 0.0)
    if missing < NOTHING_MISSING:
        return Message("thresholds-near")
    return Message("thresholds-short", {"points": Phrase(points_text(missing, signed=False))})


def _show_figures(study: Study, before: ThresholdDetails, after: ThresholdDetails) -> None:
    """Draw accuracy and gaps on the tuning rows, with what they were."""
    figures = [("Accuracy", share_text(after.accuracy), share_text(before.accuracy))]
    for rate, column in (("missed", "tpr"), ("flagged", "fpr")):
        label = say(Message("limits-alike-gap", {"rate": rate_words(rate, study.models.positive)}))
        rates = after.thresholds[[f"{column}_after", f"{column}_before"]]
        gap, was = (points_text(gap, signed=False) for gap in (rates.max() - rates.min()).tolist())
        figures.append((label, gap, was))
    befores = (say(Message("thresholds-was", {"was": Phrase(was)})) for *_, was in figures)
    show_figures([(label, value, was) for (label, value, _), was in zip(figures, befores, strict=True)])


def _show_sliders(state: AuditState, tuning: Tuning, found: ThresholdOutcome, scale: Scale) -> None:
    """Draw a slider for each group, those of the largest groups in sight."""
    sizes = dict(zip(tuning.problem.groups, (int(points.n) for points in tuning.problem.points), strict=True))
    first = sorted(tuning.names, key=lambda name: -sizes[name])[:MOST_SLIDERS]
    rest = [name for name in tuning.names if name not in first]
    columns = st.columns(2)
    for position, name in enumerate(name for name in tuning.names if name in first):
        with columns[position % 2]:
            _slider(state, tuning, found, scale, name, sizes[name])
    if rest:
        with st.expander(say(Message("thresholds-other-groups", {"n": Count(len(rest))}))):
            for name in rest:
                _slider(state, tuning, found, scale, name, sizes[name])


def _slider(state: AuditState, tuning: Tuning, found: ThresholdOutcome, scale: Scale, name: str, size: int) -> None:
    key = f"thresholds_cut_{tuning.names.index(name)}"
    # The draft is the truth: the buttons change it, too.
    st.session_state[key] = float(scale.shown(found.by_group[name]))
    st.slider(
        f"{literal(name, limit=60)} ({count_text(size)} cases)",
        min_value=scale.low,
        max_value=scale.high,
        step=scale.step,
        format=f"%.{scale.digits}f",
        key=key,
        on_change=_take_slider,
        args=(state, found, scale, name, key),
    )


def _take_slider(state: AuditState, found: ThresholdOutcome, scale: Scale, name: str, key: str) -> None:
    chosen = {str(group): value for group, value in found.by_group.items()}
    chosen[name] = scale.threshold(st.session_state[key])
    keep(state, _searched(draft_of(state), "chosen", thresholds=tuple(chosen.items())))


# The thresholds that were tested, on the rows that they were found on.


def show_judged(fitted: Fitted) -> None:
    """Draw the thresholds that were tested, and where they put the groups on the rows that they were found on."""
    finding, facts = fitted.of_shares
    details = finding.details
    show_table(thresholds_table(details, 1))
    show_chart(
        threshold_roc_chart(details.roc, details.thresholds, finding.after.errors.positive),
        title=say(Message("thresholds-chart-roc")),
        description=threshold_roc_alt(details.roc, details.thresholds, finding.after.errors.positive),
        note=roc_note(facts.positive_meaning, len(details.thresholds)),
    )
