"""Training under constraints: what is asked, the search while it goes on, and the model that was found."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from fairaudit.disclosure.fields import Field, Kind
from fairaudit.errors import FairauditError, expect, require
from fairaudit.estimators.constraints import FairnessSpec, parse_specs
from fairaudit.estimators.constraints.constrained_rows import check_averaged
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.fields import form_of
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import count_text, number_text, share_text
from fairaudit.remedies.constrain.charts import (
    constraint_frontier_alt,
    constraint_frontier_chart,
    constraint_gaps_alt,
    constraint_gaps_chart,
    constraint_gaps_note,
    constraint_path_alt,
    constraint_path_chart,
)
from fairaudit.remedies.constrain.details import kept_text, one_limit, picked_fit, printed_asked, scales, search_path
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.constrain.words import asked_text, in_shares, limit_name
from fairaudit.study.constraint_check import (
    GroupSize,
    broken,
    chance_words,
    conflict_sentences,
    protected_groups,
    similar_cases,
    widest,
)
from fairaudit.study.findings import plan_key
from fairaudit.study.rows import Study
from ui.entries import settings_of
from ui.frame import errors_shown, show_error
from ui.remedies.constrain.constraints import ConstraintDraft, few_words, show_form, show_text, sizes_of
from ui.remedies.drafts import ask_similar, confidence_words
from ui.remedies.learning_panel import with_columns
from ui.remedies.outcome import tables_of
from ui.remedies.trying import last_kept, open_plain, start_fit
from ui.result import show_chart, show_figures, show_table, show_warnings
from ui.runtime.jobs import Job
from ui.state import AuditState, Fitted
from ui.text import literal, stated
from ui.widgets import ask, draw_field, start

# Declarative constraints: what must hold, as a list, with controls and as text; and what the plain model breaks.

CONTROLS, TEXT = "With controls", "As text"
BROKEN = ("alike", "met", "gap", "allowed", "first", "first_value", "n_first", "second", "second_value", "n_second")


@dataclass(frozen=True)
class Checked:
    """A constraint, its groups with their tuning rows, and what keeps it from being used."""

    spec: FairnessSpec
    sizes: tuple[GroupSize, ...] = ()
    error: FairauditError | None = None


def draft_of(state: AuditState) -> ConstraintDraft:
    """Return what the page works on; at first the constraints that the audit has kept last, if any."""
    found = state.settings.get(settings_of("constrain")) or last_kept(state, "constrain")
    if not isinstance(found, ConstraintDraft):
        draft = _first(state) if found is None else ConstraintDraft.of(expect(ConstrainPlan, found))
        found = state.settings[settings_of("constrain")] = draft
    return found


def _first(state: AuditState) -> ConstraintDraft:
    return ConstraintDraft() if state.models is None else ConstraintDraft.asking(state.models.tolerance)


def choose_plan(state: AuditState, study: Study) -> ConstrainPlan | None:
    """Draw what must hold and which model is trained; return the remedy, or None while there is none that fits."""
    draft = draft_of(state)
    draft.propose(dict(protected_groups(study, state.present_table.columns)))
    draft.strata, draft.strata_cuts = ask_similar(study, draft.strata, draft.strata_cuts, key="constraints_among")
    checked = [_checked(state, study, draft, spec) for spec in draft.specs]
    for place, one in enumerate(checked):
        _show_card(state, study, draft, place, one)
    if not checked:
        st.caption(stated("constrain-no-limit"))
    ready = bool(checked) and all(one.error is None for one in checked)
    if ready and not draft.strata:
        _show_conflicts(state, study, draft.specs)
    with st.container(horizontal=True):
        if draft.specs or draft.undo:
            st.button("Undo", key="constraints_undo", disabled=not draft.undo, on_click=draft.take_back)
            st.button(
                "Remove all", key="constraints_clear", disabled=not draft.specs, on_click=draft.change, args=((),)
            )
    way = st.segmented_control(
        "How do you want to say it?",
        [CONTROLS, TEXT],
        required=True,
        key=start("constraints_way", TEXT if draft.text is not None else CONTROLS),
    )
    if way == TEXT:
        show_text(state, study, draft)
    else:
        show_form(state, study, draft)
    draft.model = ask(ConstrainPlan, "model", key="constraints_model", first=draft.model)
    draft.no_group_worse_off = ask(
        ConstrainPlan, "no_group_worse_off", key="constraints_no_group_worse_off", first=draft.no_group_worse_off
    )
    _choose_confidence(draft)
    if not ready:
        return None
    return ConstrainPlan(
        model=draft.model,
        constraints=tuple(str(spec) for spec in draft.specs),
        no_group_worse_off=draft.no_group_worse_off,
        confidence=None if draft.no_group_worse_off else draft.confidence,
        strata=draft.strata,
        strata_cuts=draft.strata_cuts,
    )


def _choose_confidence(draft: ConstraintDraft) -> None:
    """Draw whether limits are to hold on new people; a confidence that a plan gives stays until the tick goes."""
    form = form_of(ConstrainPlan, "confidence")
    label = confidence_words(ConstrainPlan, draft.confidence)
    is_asked = ask(
        ConstrainPlan,
        "confidence",
        key="constraints_confidence",
        first=form.shown(draft.confidence),
        label=label,
        disabled=draft.no_group_worse_off,
    )
    if is_asked != form.shown(draft.confidence):
        draft.confidence = form.taken(is_asked)


def _checked(state: AuditState, study: Study, draft: ConstraintDraft, spec: FairnessSpec) -> Checked:
    try:
        if draft.strata:
            check_averaged([spec])
        return Checked(spec, sizes_of(state, study, spec))
    except FairauditError as error:
        return Checked(spec, error=error)


def _show_card(state: AuditState, study: Study, draft: ConstraintDraft, place: int, checked: Checked) -> None:
    """Draw one constraint as a sentence and as text, and what can be done with it."""
    words = asked_text(checked.spec, positive_meaning=study.facts.positive_meaning, strata=draft.strata)
    with st.container(border=True, key=f"constraints_card_{place}"):
        st.markdown(f"**{place + 1}. {literal(words, limit=900)}**")
        st.caption(literal(checked.spec, limit=300))
        if checked.error is not None:
            show_error(checked.error)
        elif few := few_words(checked.sizes):
            st.warning(few)
        with st.container(horizontal=True):
            st.button(
                "Edit",
                key=f"constraints_edit_{place}",
                disabled=checked.error is not None,
                on_click=_edit,
                args=(state, study, draft, place, tuple(size.name for size in checked.sizes)),
            )
            st.button("Remove", key=f"constraints_remove_{place}", on_click=draft.remove, args=(place,))


def _edit(state: AuditState, study: Study, draft: ConstraintDraft, place: int, names: tuple[str, ...]) -> None:
    draft.edit(place, protected=protected_groups(study, state.present_table.columns), names=names)
    st.session_state["constraints_way"] = CONTROLS


def _show_conflicts(state: AuditState, study: Study, specs: tuple[FairnessSpec, ...]) -> None:
    """Say so where the constraints cannot all hold, or only at a price."""
    study = _reading(state, study, specs)
    key = (state.study_key, specs)
    with errors_shown(go_on=True):
        show_warnings(state.remember("conflicts", key, lambda: conflict_sentences(study, specs)), limit=900)


def _reading(state: AuditState, study: Study, specs: tuple[FairnessSpec, ...]) -> Study:
    """Return the rows with all columns that constraints name."""
    names = [name for spec in specs for name in spec.needed_columns(state.present_table.columns)]
    return with_columns(state, study, tuple(dict.fromkeys(names)))


def show_before(state: AuditState, study: Study, plan: ConstrainPlan) -> None:
    """Draw which constraints the model breaks that is trained without them, on the tuning rows."""
    known = open_plain(
        state,
        study,
        plan.model,
        purpose=stated("constrain-plain-purpose"),
        label="Train without limits",
        key="constraints_plain",
    )
    if known is None:
        return
    specs = parse_specs("\n".join(plan.constraints))
    study = with_columns(state, _reading(state, study, specs), plan.strata)
    key = (state.study_key, plan.model, specs, plan.strata, plan.strata_cuts)
    with errors_shown(go_on=True):
        similar = similar_cases(study, plan.strata, dict(plan.strata_cuts))
        pairs = state.remember("broken", key, lambda: broken(study, specs, known.model, similar))
        farthest = widest(pairs)
        st.markdown(f"**{say(_broken(farthest))}**")
        if chance := state.remember("chance", key, lambda: chance_words(study, specs, known.model, similar)):
            st.warning(literal(chance, limit=600))
        show_table(_broken_table(farthest, "constraints_broken", "What a model without limits breaks"), columns=BROKEN)
        if len(pairs) > len(farthest):
            st.caption(stated("constrain-widest"))
            with st.expander("All pairs of groups"):
                show_table(_broken_table(pairs, "constraints_pairs", "All pairs of groups"))


def _broken(farthest: pd.DataFrame) -> Message:
    """Return how many constraints the plain model breaks."""
    counts = {"n": Count(int((~farthest["met"]).sum())), "all": Count(len(farthest))}
    return Message("constrain-breaks" if not farthest["met"].all() else "constrain-meets-all", counts)


def _broken_table(pairs: pd.DataFrame, key: str, title: str) -> TableBlock:
    """Return pairs of groups with the metric of either, the gap, and whether it is met."""
    shares = in_shares(FairnessSpec.parse(text).measure.name for text in pairs["spec"].unique())
    unit = ", points" if shares else ""
    value: Kind = "share" if shares else "number"
    size: Kind = "size" if shares else "number"
    columns = (
        Field("constraint", "constraint", "code", "As it is written."),
        Field("alike", "what must be alike", "text", "The rate and the groups."),
        Field("met", "met", "text", "Whether the limit is kept."),
        Field("gap", f"gap{unit}", size, "Without its sign.", beside=one_limit(pairs)),
        Field("allowed", f"allowed{unit}", size, "How far groups may be apart."),
        Field("first", "group", "group", "A group."),
        Field("first_value", "its value", value, "The rate there."),
        Field("n_first", "its rows", "count", "Tuning cases that count."),
        Field("second", "other group", "group", "The other group."),
        Field("second_value", "value there", value, "The rate there."),
        Field("n_second", "rows there", "count", "Tuning cases that count."),
    )
    rows = tuple(
        (
            row.spec, limit_name(FairnessSpec.parse(row.spec)), "yes" if row.met else "no", row.size,
            row.max_difference, row.first, row.first_value, row.n_first, row.second, row.second_value, row.n_second,
        )
        for row in pairs.itertuples()
    )  # fmt: skip
    return TableBlock(key, title, columns, rows, note=say(Message("constrain-before-note")))


# A search for a model under constraints while it goes on: what was fitted so far, as figures and as a chart.

MOST_DRAWN = 120
"""Fits that are drawn: the first, and the last of the others."""


def show_fits_so_far(job: Job) -> None:
    """Draw what a search that is under way has tried so far."""
    path = search_path(job.found)
    best = path[path["picked"]]
    now = path.iloc[-1]
    figures = [
        ("Models", count_text(path["fit"].nunique()), "tried so far"),
        ("Largest gap now", f"{number_text(now['ratio'])} ×", "the limit"),
        ("Accuracy now", share_text(now["accuracy"]), "on tuning cases"),
    ]
    if len(best):
        row = best.iloc[0]
        said = "all met" if row["met"] else f"gap {number_text(row['ratio'])} ×"
        figures.append(("Best so far", share_text(row["accuracy"]), said))
    show_figures(figures)
    shown = path if len(path) <= MOST_DRAWN else path.iloc[[0, *range(len(path) - MOST_DRAWN + 1, len(path))]]
    show_chart(
        constraint_path_chart(shown, single=False),
        title=say(Message("constrain-chart-path")),
        description=constraint_path_alt(shown, single=False),
    )


# A model that was trained under constraints: which are met, how the search went, and what else it found.

PAIRS = ("first", "second", "allowed", "tuned_after", "met", "held_out_before", "held_out_after", "held_out_interval",
    "reading")  # fmt: skip


def show_constraints(draft: ConstraintDraft, fitted: Fitted) -> None:
    """Draw how many constraints are met, and each pair of groups; `draft` is what is asked now."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    if ConstraintDraft.of(expect(ConstrainPlan, finding.plan)).asked != draft.asked:
        st.info(stated("constrain-changed", name=Phrase(finding.name), limit=500))
    if kept := kept_text(details):
        st.markdown(f"**{literal(kept)}**")
    show_chart(
        constraint_gaps_chart(details.pairs),
        title=say(Message("constrain-chart-gaps")),
        description=constraint_gaps_alt(details.pairs),
        note=constraint_gaps_note(details.pairs),
    )
    with st.expander("Each pair of groups"):
        # The file to take away is that of the pairs: this one is for reading.
        show_table(printed_asked(tables["asked"]), download=False)
        show_table(tables["constraints"], columns=PAIRS)


def show_search(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw how the model was searched for, and what other limits would give, without fitting anything."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    show_chart(
        constraint_frontier_chart(details.path, scale=details.scale),
        title=say(Message("constrain-chart-frontier")),
        description=constraint_frontier_alt(details.path, scale=details.scale),
    )
    _choose_limit(state, study, fitted)
    with st.expander("The same as a table"):
        show_table(tables["frontier"])
    with st.expander("How the search went"):
        single = details.n_pairs == 1
        st.caption(stated("constrain-search-fits", n=Count(details.n_fits)))
        show_chart(
            constraint_path_chart(details.path, single=single),
            title=say(Message("constrain-chart-path")),
            description=constraint_path_alt(details.path, single=single),
        )
        show_table(tables["path"], most=50)


def _choose_limit(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw the slider over the models of the search, and the button that judges the one it picks."""
    finding = fitted.candidate.finding
    plan, details = expect(ConstrainPlan, finding.plan), finding.details
    if plan.confidence is not None:
        st.caption(stated("constrain-search-certified"))
        return
    options = scales(details.path, current=plan.scale, coarse=state.small_cells.mask)
    if len(options) < 2:
        st.caption(stated("constrain-search-nothing"))
        return
    # A widget for each result: what is picked in one search means nothing in another.
    scale = draw_field(
        ConstrainPlan,
        "scale",
        options=options,
        value=plan.scale,
        format_func=lambda value: limit_words(plan, value),
        key=f"constraints_scale_{len(options)}_{abs(hash(plan_key(plan))) % 10**8}",
    )
    row = details.path.iloc[picked_fit(details.path, scale)]
    accuracy, times = Phrase(share_text(row["accuracy"])), Phrase(number_text(row["ratio"]))
    st.markdown(stated("constrain-search-at", accuracy=accuracy, times=times))
    if row["picked"]:
        st.caption(stated("constrain-search-is"))
    if st.button(
        "Test this model",
        key="constraints_judge",
        disabled=bool(row["picked"]) or details.stopped or not state.is_current(fitted),
        help="At once: it is trained already.",
    ):
        start_fit(state, study, plan.model_copy(update={"scale": scale, "name": None}))
        st.rerun()
    if details.stopped:
        st.caption(stated("constrain-search-stopped"))


def limit_words(plan: ConstrainPlan, scale: float) -> str:
    """Return what is allowed where limits are multiplied by `scale`: "4.5 points", or "1.5 × each limit"."""
    specs = [FairnessSpec.parse(text) for text in plan.constraints]
    limits = {require(spec.max_difference) for spec in specs}
    if len(limits) == 1 and in_shares(spec.measure.name for spec in specs):
        return f"{100 * scale * limits.pop():.4g} points"
    return f"{scale:g} × each limit"
