"""Thresholds that are searched for or set by hand, and at once what they do on the tuning rows."""

from __future__ import annotations

import streamlit as st

from fairaudit.estimators.thresholds import ThresholdOutcome, ThresholdProblem
from fairaudit.estimators.thresholds.swarm import iter_swarm
from fairaudit.findings import Argument, Count, Message, Phrase, Share
from fairaudit.messages import called, say
from fairaudit.present import naming
from fairaudit.present.numbers import count_text, points_text, share_text
from fairaudit.remedies.thresholds.charts import (
    roc_note,
    threshold_roc_alt,
    threshold_roc_chart,
    weight_sweep_alt,
    weight_sweep_chart,
)
from fairaudit.remedies.thresholds.details import (
    NOTHING_MISSING,
    ThresholdDetails,
    fairness_weights_table,
    thresholds_table,
)
from fairaudit.remedies.thresholds.fit import SWEEP, Tuning
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.rows import Study
from ui.frame import errors_shown
from ui.progress import follow
from ui.remedies import drafts
from ui.remedies.group_limits import rate_words
from ui.remedies.thresholds.form import draft_of, keep, plan_to_judge, usual
from ui.remedies.thresholds.scale import Scale
from ui.remedies.trying import start_fit
from ui.result import show_chart, show_figures, show_table
from ui.state import AuditState
from ui.text import literal

MOST_SLIDERS = 8


@st.fragment
def try_thresholds(state: AuditState, study: Study, tuning: Tuning) -> None:
    """Draw how thresholds are found or set by hand, and at once what they do on the tuning rows."""
    scale = Scale.of(tuning)
    if scale is None:
        return
    st.caption(literal(say(Message("thresholds-tried-on", {"n": Count(tuning.problem.n)}))))
    if tuning.warnings:
        st.warning(literal(" ".join(tuning.warnings), limit=1200))
    _choose_search(state, tuning)
    plan = _fitting(state, tuning)
    with errors_shown():
        found = _outcome(state, study, tuning, plan)
    details = tuning.details(found, plan.fairness_weight, _allowed(tuning, plan))
    st.markdown(f"**{say(_standing(plan, details))}**")
    _show_figures(study, tuning.details(tuning.before, plan.fairness_weight), details)
    _show_sliders(state, tuning, found, scale)
    said = (literal(say(message), limit=200) for message in cuts(tuning, found, scale))
    st.markdown("\n".join(f"- {each}" for each in said))
    if st.button("Test these thresholds", key="thresholds_judge"):
        start_fit(state, study, plan_to_judge(state, tuning))
        st.rerun()
    show_chart(
        threshold_roc_chart(details.roc, details.thresholds),
        title=say(Message("thresholds-chart-roc")),
        description=threshold_roc_alt(details.roc, details.thresholds),
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
    weight = st.select_slider(
        "Weight of equal errors",
        sorted({*SWEEP, draft.fairness_weight}),
        format_func=lambda value: f"{value:g}",
        help="How much gaps in errors count beside accuracy. A larger weight gives smaller gaps.",
        **drafts.tied(state, usual(state), "fairness_weight"),
    )
    default = tuple((name, tuning.default) for name in tuning.names)
    same = draft.model_copy(update={"fairness_weight": weight, "search": "chosen", "thresholds": default})
    with st.container(horizontal=True):
        for label, plan, key, said in (
            ("Best thresholds", _searched(draft, "exact"), "exact", None),
            (
                "As first published",
                _searched(draft, "pso"),
                "pso",
                "Searches by chance. It is never better than the best thresholds. Known as particle swarm.",
            ),
            ("One for all", same, "same", None),
        ):
            st.button(label, key=f"thresholds_{key}", on_click=keep, args=(state, plan), help=said)


def _searched(draft: ThresholdsPlan, search: str) -> ThresholdsPlan:
    return draft.model_copy(update={"search": search, "thresholds": ()})


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
    events = iter_swarm(_allowed(tuning, plan), plan.fairness_weight, random_state=study.seed)
    key = (state.study_key, plan.model, plan.fairness_weight, plan.no_group_worse_off)
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
        gaps = (rates.max() - rates.min()).tolist()
        figures.append((label, *(points_text(gap, signed=False) for gap in gaps)))
    befores = (say(Message("thresholds-was", {"was": Phrase(was)})) for *_, was in figures)
    show_figures([(label, value, was) for (label, value, _), was in zip(figures, befores, strict=True)])


def _show_sliders(state: AuditState, tuning: Tuning, found: ThresholdOutcome, scale: Scale) -> None:
    """Draw a slider for each group, those of the largest groups in sight."""
    sizes = dict(zip(tuning.problem.groups, (points.n for points in tuning.problem.points), strict=True))
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
    changes = {"search": "chosen", "thresholds": tuple(chosen.items())}
    keep(state, draft_of(state).model_copy(update=changes))
