"""A model that was trained under constraints: which are met, how the search went, and what else it found."""

from __future__ import annotations

import streamlit as st

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present.numbers import number_text, share_text
from fairaudit.remedies.constrain.charts import (
    constraint_frontier_alt,
    constraint_frontier_chart,
    constraint_gaps_alt,
    constraint_gaps_chart,
    constraint_gaps_note,
    constraint_path_alt,
    constraint_path_chart,
    kept_text,
)
from fairaudit.remedies.constrain.details import pick, scales
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.constrain.tables import printed_asked
from fairaudit.remedies.constrain.words import in_shares
from fairaudit.study.rows import Study
from fairaudit.study.trying import plan_key
from ui.remedies.constrain.draft import ConstraintDraft
from ui.remedies.outcome import tables_of
from ui.remedies.trying import start_fit
from ui.result import show_chart, show_table
from ui.state import AuditState, Fitted
from ui.text import literal

PAIRS = ("first", "second", "allowed", "tuned_after", "met", "held_out_before", "held_out_after", "held_out_interval",
    "reading")  # fmt: skip


def show_constraints(draft: ConstraintDraft, fitted: Fitted) -> None:
    """Draw how many constraints are met, and each pair of groups; `draft` is what is asked now."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    if ConstraintDraft.of(finding.plan).asked != draft.asked:
        st.info(literal(say(Message("constrain-changed", {"name": Phrase(finding.name)})), limit=500))
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
        st.caption(literal(say(Message("constrain-search-fits", {"n": Count(details.n_fits)}))))
        show_chart(
            constraint_path_chart(details.path, single=single),
            title=say(Message("constrain-chart-path")),
            description=constraint_path_alt(details.path, single=single),
        )
        show_table(tables["path"], most=50)


def _choose_limit(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw the slider over the models of the search, and the button that judges the one it picks."""
    plan, details = fitted.candidate.finding.plan, fitted.candidate.finding.details
    options = scales(details.path, current=plan.scale, coarse=state.small_cells.mask)
    if len(options) < 2:
        st.caption(literal(say(Message("constrain-search-nothing"))))
        return
    # A widget for each result: what is picked in one search means nothing in another.
    scale = st.select_slider(
        "Other limits",
        options,
        value=plan.scale,
        format_func=lambda value: limit_words(plan, value),
        key=f"constraints_scale_{len(options)}_{abs(hash(plan_key(plan))) % 10**8}",
        help="Each step picks another model of the search.",
    )
    row = details.path.iloc[pick(details.path, scale)]
    figures = {"accuracy": Phrase(share_text(row["accuracy"])), "times": Phrase(number_text(row["ratio"]))}
    st.markdown(literal(say(Message("constrain-search-at", figures))))
    if row["picked"]:
        st.caption(literal(say(Message("constrain-search-is"))))
    if st.button(
        "Test this model",
        key="constraints_judge",
        disabled=bool(row["picked"]) or details.stopped or not state.is_current(fitted),
        help="At once: it is trained already.",
    ):
        start_fit(state, study, plan.model_copy(update={"scale": scale, "name": None}))
        st.rerun()
    if details.stopped:
        st.caption(literal(say(Message("constrain-search-stopped"))))


def limit_words(plan: ConstrainPlan, scale: float) -> str:
    """Return what is allowed where limits are multiplied by `scale`: "4.5 points", or "1.5 × each limit"."""
    specs = [FairnessSpec.parse(text) for text in plan.constraints]
    limits = {spec.max_difference for spec in specs}
    if len(limits) == 1 and in_shares(spec.measure.name for spec in specs):
        return f"{100 * scale * limits.pop():.4g} points"
    return f"{scale:g} × each limit"
