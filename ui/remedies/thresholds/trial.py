"""Thresholds that are searched for or set by hand, and at once what they do on the tuning rows."""

from __future__ import annotations

import streamlit as st

from fairaudit.estimators.thresholds import ThresholdOutcome, ThresholdProblem
from fairaudit.estimators.thresholds.swarm import iter_swarm
from fairaudit.present import brief
from fairaudit.present.numbers import count_text, number_text, points_text, share_text
from fairaudit.remedies.thresholds.chart_texts import threshold_roc_alt, weight_sweep_alt
from fairaudit.remedies.thresholds.charts import threshold_roc_chart, weight_sweep_chart
from fairaudit.remedies.thresholds.details import ThresholdDetails
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.thresholds.tables import fairness_weights_table, thresholds_table
from fairaudit.remedies.thresholds.tuning import SWEEP, Tuning
from fairaudit.study.cautions import extreme_warnings
from fairaudit.study.rows import Study
from ui.cautions import show_cautions
from ui.charts import show_chart
from ui.frame import errors_shown
from ui.positive import positive_words
from ui.progress import follow
from ui.remedies import drafts
from ui.remedies.thresholds.form import draft_of, keep, usual
from ui.remedies.thresholds.scale import Scale
from ui.state import AuditState
from ui.tables import show_table
from ui.text import literal

SUM = "Sum of the gaps"
SUM_HELP = "The gaps in both rates between each group and the one with most rows, added up."
MOST_SLIDERS = 8


@st.fragment
def try_thresholds(state: AuditState, study: Study, tuning: Tuning) -> None:
    """Draw how thresholds are found or set by hand, and at once what they do on the tuning rows."""
    scale = Scale.of(tuning)
    if scale is None:
        return
    if tuning.warnings:
        st.warning(literal(" ".join(tuning.warnings), limit=1200))
    _choose_search(state, tuning)
    plan = _fitting(state, tuning)
    with errors_shown():
        found = _outcome(state, study, tuning, plan)
    details = tuning.details(found, plan.fairness_weight, _allowed(tuning, plan))
    st.markdown(f"**{_standing(plan, details)}**")
    st.caption(literal(positive_words(study.facts.positive_meaning), limit=600))
    _show_figures(tuning.details(tuning.before, plan.fairness_weight), details)
    extreme = extreme_warnings(dict(zip(found.groups, found.selection, strict=True)))
    show_cautions([f"{warning} There the score decides nothing." for warning in extreme])
    _show_sliders(state, tuning, found, scale)
    st.markdown(threshold_words(tuning, found, scale))
    show_chart(
        threshold_roc_chart(details.roc, details.thresholds),
        description=threshold_roc_alt(details.roc, details.thresholds),
        note="Crosses: one threshold for all. Circles: the thresholds that are set. Where circles meet, errors fall on "
        f"these groups alike. Positive means: {study.facts.positive_meaning}."
        + brief.drawn_note(len(tuning.names), brief.MOST_SERIES),
    )
    with st.expander("The same as a table"):
        show_table(thresholds_table(details, 0))
    with st.expander("What other weights would give"):
        current = None if plan.search == "chosen" else plan.fairness_weight
        show_chart(
            weight_sweep_chart(details.sweep, current=current),
            description=weight_sweep_alt(details.sweep, current=current),
            note="The best thresholds at each weight, on the tuning rows.",
        )
        show_table(fairness_weights_table(details, 0))


def threshold_words(tuning: Tuning, found: ThresholdOutcome, scale: Scale) -> str:
    """Return in plain words, as Markdown, from which score on a good outcome is predicted in each group."""
    selected = dict(zip(found.groups, found.selection, strict=True))
    lines = []
    for name in tuning.names[:MOST_SLIDERS]:
        share = selected[name]
        said = "a good outcome is predicted for nobody."
        if share == 1:
            said = "a good outcome is predicted for everyone."
        elif share > 0:
            cut = scale.text(found.by_group[name])
            side = f"up to a score of {cut}" if scale.turned else f"from a score of {cut}"
            said = f"a good outcome is predicted {side}: for {share_text(share)} of the tuning rows."
        lines.append(f"- **{literal(name, limit=80)}**: {said}")
    if len(tuning.names) > MOST_SLIDERS:
        lines.append(f"- {len(tuning.names) - MOST_SLIDERS} more groups: see the table.")
    return "\n".join(lines)


def _choose_search(state: AuditState, tuning: Tuning) -> None:
    draft = draft_of(state)
    weight = st.select_slider(
        "Weight of fairness",
        sorted({*SWEEP, draft.fairness_weight}),
        format_func=lambda value: f"{value:g}",
        help="Called lambda in the literature. What is made as large as possible is accuracy minus this weight times "
        "the sum of the gaps in true and false positive rates.",
        **drafts.tied(state, usual(state), "fairness_weight"),
    )
    if weight == 0:
        st.caption("At weight 0 only accuracy counts, and gaps do not.")
    else:
        st.caption(
            f"At weight {weight:g}, making the gaps smaller by 1 point in sum may cost up to {weight:g} "
            f"{'point' if weight == 1 else 'points'} of accuracy. A larger weight gives smaller gaps."
        )
    default = tuple((name, tuning.default) for name in tuning.names)
    same = draft.model_copy(update={"fairness_weight": weight, "search": "chosen", "thresholds": default})
    with st.container(horizontal=True):
        for label, plan, key, said in (
            (
                "Best thresholds",
                _searched(draft, "exact"),
                "exact",
                "Finds the best thresholds there are for this weight.",
            ),
            (
                "Search by chance",
                _searched(draft, "pso"),
                "pso",
                "Known as a particle swarm, as first published. Use it to repeat such results: the exact search is "
                "never worse.",
            ),
            ("One threshold for all", same, "same", "Puts every group back to where it was."),
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


def _standing(plan: ThresholdsPlan, details: ThresholdDetails) -> str:
    """Return how good thresholds are beside the exact optimum."""
    if plan.search == "exact":
        which = " that leave no group worse off" if plan.no_group_worse_off else ""
        return f"These are the best thresholds{which} at weight {plan.fairness_weight:g}, found by an exact search."
    missing = max(details.optimal_objective - details.objective, 0.0)
    who = (
        "The search by chance found thresholds"
        if plan.search == "pso"
        else "These thresholds are set by hand. They are"
    )
    if missing < 0.00005:
        return f"{who} as good as the best there are at weight {plan.fairness_weight:g}."
    return (
        f"{who} {number_text(100 * missing)} points short of the best there are: accuracy minus weighted gaps is "
        f"{number_text(details.objective, digits=4)}, where {number_text(details.optimal_objective, digits=4)} is "
        "possible."
    )


def _show_figures(before: ThresholdDetails, after: ThresholdDetails) -> None:
    """Draw accuracy and gaps on the tuning rows, with what they were."""
    figures = [("Accuracy", share_text(after.accuracy), share_text(before.accuracy))]
    for label, column in (("Gap in true positive rates", "tpr"), ("Gap in false positive rates", "fpr")):
        rates = after.thresholds[[f"{column}_after", f"{column}_before"]]
        gaps = (rates.max() - rates.min()).tolist()
        figures.append((label, *(points_text(gap, signed=False) for gap in gaps)))
    figures.append((SUM, *(points_text(gap, signed=False) for gap in (after.gap, before.gap))))
    for column, (label, value, was) in zip(st.columns(4), figures, strict=True):
        column.metric(label, value, help=SUM_HELP if label == SUM else None)
        column.caption(f"{was} with one threshold")


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
        with st.expander(f"The other {len(rest)} groups"):
            for name in rest:
                _slider(state, tuning, found, scale, name, sizes[name])


def _slider(state: AuditState, tuning: Tuning, found: ThresholdOutcome, scale: Scale, name: str, size: int) -> None:
    key = f"thresholds_cut_{tuning.names.index(name)}"
    # The draft is the truth: the buttons change it, too.
    st.session_state[key] = float(scale.shown(found.by_group[name]))
    st.slider(
        f"{literal(name, limit=60)} ({count_text(size)} tuning rows)",
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
