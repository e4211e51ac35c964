"""A model that was trained under constraints: which are met, how the search went, and what else it found."""

from __future__ import annotations

import streamlit as st

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.present.numbers import count_text, number_text, share_text
from fairaudit.remedies.constrain import chart_texts as constraint_texts
from fairaudit.remedies.constrain.chart_texts import (
    constraint_frontier_alt,
    constraint_gaps_alt,
    constraint_gaps_note,
    constraint_path_alt,
)
from fairaudit.remedies.constrain.charts import constraint_frontier_chart, constraint_gaps_chart, constraint_path_chart
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.constrain.path import pick, scales
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.constrain.printed_tables import printed_asked
from fairaudit.remedies.constrain.words import kept_sentence
from fairaudit.study.rows import Study
from fairaudit.study.trying import plan_key
from ui.charts import show_chart
from ui.remedies.constrain.draft import ConstraintDraft
from ui.remedies.outcome import tables_of
from ui.remedies.trying import start_fit
from ui.state import AuditState, Fitted
from ui.tables import show_table
from ui.text import literal

PAIRS = ("first", "second", "allowed", "tuned_after", "met", "held_out_before", "held_out_after", "held_out_interval",
    "reading")  # fmt: skip
GAPS_NOTE = "On the held-out rows, with intervals. Shaded: what is allowed. A gap is the first group minus the second."


def show_constraints(draft: ConstraintDraft, fitted: Fitted) -> None:
    """Draw whether each constraint is met, on the tuning rows and on held-out rows; `draft` is what is asked now."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    if ConstraintDraft.of(finding.plan).asked != draft.asked:
        st.info(f"The settings have changed since this was trained: {literal(finding.name, limit=400)}.")
    with st.container(border=True, key="constraints_verdict"):
        # What holds for rows that the search has not seen comes first; where that is hidden, there is the other alone.
        first, *others = (said for said in (kept_sentence(details), met_words(details)) if said)
        st.subheader(literal(first, limit=900), anchor=False)
        for said in others:
            st.markdown(literal(said, limit=900))
    show_chart(
        constraint_gaps_chart(details.pairs),
        description=constraint_gaps_alt(details.pairs),
        note=GAPS_NOTE + constraint_gaps_note(details.pairs),
    )
    with st.expander("Each pair of groups"):
        # The file to take away is that of the pairs: this one is for reading.
        show_table(printed_asked(tables["asked"]), download=False)
        show_table(tables["constraints"], columns=PAIRS)


def met_words(details: ConstrainDetails) -> str:
    """Return how many constraints are met on the tuning rows, in a sentence."""
    met = details.pairs.groupby("spec", sort=False)["met"].all()
    n, n_met = len(met), int(met.sum())
    stopped = " The search was stopped early." if details.stopped else ""
    before, after = share_text(details.accuracy_before), share_text(details.accuracy)
    moved = f"stays at {after}" if before == after else f"goes from {before} to {after}"
    accuracy = f"Accuracy there {moved}.{stopped}"
    if n == n_met:
        what = "The constraint is met" if n == 1 else f"All {n} constraints are met"
        return f"{what} on the tuning rows. {accuracy}"
    some = f"{n_met} of {n} constraints are met" if n_met else f"None of the {n} constraints is met"
    what = "The constraint is not met" if n == 1 else some
    why = "" if details.scale > 1 or details.stopped else "; no model that was found meets them all"
    return f"{what} on the tuning rows{why if n > 1 else ''}. {accuracy}"


def show_search(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw how the model was searched for, and what other limits would give, without fitting anything."""
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    show_chart(
        constraint_frontier_chart(details.path, scale=details.scale),
        description=constraint_frontier_alt(details.path, scale=details.scale),
        note="On the tuning rows, where a limit may be chosen: choosing by the held-out rows would make the result "
        "look better than it is. Joined points: no other model of the search beats them in both.",
    )
    _choose_limit(state, study, fitted)
    with st.expander("The same as a table"):
        show_table(tables["frontier"])
    with st.expander("How the search went"):
        single = details.n_pairs == 1
        st.caption(f"{count_text(details.n_fits)} models were trained. The first has no constraint.")
        show_chart(
            constraint_path_chart(details.path, single=single),
            description=constraint_path_alt(details.path, single=single),
            note="On the tuning rows. A gap up to the line at 1 is allowed.",
        )
        show_table(tables["path"], most=50)


def _choose_limit(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw the slider over the models of the search, and the button that judges the one it picks."""
    plan, details = fitted.candidate.finding.plan, fitted.candidate.finding.details
    options = scales(details.path, current=plan.scale, coarse=state.small_cells.mask)
    if len(options) < 2:
        st.caption("No other model of the search is more accurate, or has smaller gaps: there is nothing to choose.")
        return
    # A widget for each result: what is picked in one search means nothing in another.
    scale = st.select_slider(
        "Allowed difference",
        options,
        value=plan.scale,
        format_func=lambda value: limit_words(plan, value),
        key=f"constraints_scale_{len(options)}_{abs(hash(plan_key(plan))) % 10**8}",
        help="Each step picks another model that the search has trained already.",
    )
    row = details.path.iloc[pick(details.path, scale)]
    st.markdown(
        f"On the tuning rows: accuracy **{share_text(row['accuracy'])}**, largest gap "
        f"**{number_text(row['ratio'])} times** what was asked for."
    )
    if row["picked"]:
        st.caption("This is the model that is judged.")
    if st.button(
        "Judge this model",
        key="constraints_judge",
        disabled=bool(row["picked"]) or details.stopped or not state.is_current(fitted),
        help="On the held-out rows, at once: it is trained already.",
    ):
        start_fit(state, study, plan.model_copy(update={"scale": scale, "name": None}))
        st.rerun()
    if details.stopped:
        st.caption("The search was stopped. Train to its end to have other models of it judged.")


def limit_words(plan: ConstrainPlan, scale: float) -> str:
    """Return what is allowed where limits are multiplied by `scale`: "4.5 points", or "1.5 × each limit"."""
    specs = [FairnessSpec.parse(text) for text in plan.constraints]
    limits = {spec.max_difference for spec in specs}
    if len(limits) == 1 and constraint_texts.in_shares(spec.measure.name for spec in specs):
        return f"{100 * scale * limits.pop():.4g} points"
    return f"{scale:g} × each limit"
