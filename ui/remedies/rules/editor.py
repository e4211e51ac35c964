"""Rules changed by hand: what that does on the tuning rows at once, and the judgement that a person asks for."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.present import brief
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import count_text, points_text, share_text, tolerance_text
from fairaudit.remedies.rules.live import RuleFigures, rule_figures
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.rules.words import rule_marks
from fairaudit.remedies.rules.written_rules import read_rules
from fairaudit.study.proxies import group_features
from fairaudit.study.rows import Study
from fairaudit.study.trying import plan_key
from ui.check.condition_builder import build_condition
from ui.frame import errors_shown, show_error
from ui.positive import positive_words
from ui.remedies.rules.edited_rules import RulesEdit
from ui.remedies.trying import start_fit
from ui.state import AuditState, Fitted
from ui.tables import show_table
from ui.text import labels, literal

NEW = "a new rule"
DIFFERENCE = "Largest difference in rates"
_LONGEST = 80
_MOST_NAMED = 6


@st.fragment
def edit_rules(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw the rules with what changes them, what they do on the tuning rows, and the button that has them judged."""
    if not state.is_current(fitted):
        st.caption("These rules were found with other settings. Find them again to change them by hand.")
        return
    plan = fitted.candidate.finding.plan
    st.caption(
        f"All figures here are from the {count_text(study.facts.n_tune)} tuning rows. Change the rules by these, not "
        "by the judgement above: rules that are changed until they look good there look better than they are."
    )
    with errors_shown(go_on=True):
        edit = edit_of(state, study, fitted)
        found, now = (_figures(state, study, rules.conditions(), plan) for rules in (edit.found, edit.rules))
        _show_figures(plan, found, now, changed=edit.is_changed)
        for place in range(len(edit.rules.rules)):
            _show_rule(edit, now, place)
        if not edit.rules.rules:
            st.caption("There is no rule, so the outcome is predicted for nobody. Add a condition to a new rule.")
        _add(state, study, edit)
        with st.container(horizontal=True):
            st.button("Undo", key="rules_undo", disabled=not edit.undo, on_click=edit.take_back)
            st.button("Back to the result", key="rules_reset", disabled=not edit.is_changed, on_click=edit.reset)
        with st.expander("Rates and differences of these rules as tables"):
            st.caption(literal(positive_words(study.facts.positive_meaning), limit=600))
            show_table(_rates_table(now))
            if len(now.gaps):
                show_table(_gaps_table(now))
        _judge(state, study, plan, edit, now)


def edit_of(state: AuditState, study: Study, fitted: Fitted) -> RulesEdit:
    """Return what a person has made of the rules of a result; at first the rules themselves."""
    details = fitted.candidate.finding.details
    rules = tuple(details.rules["condition"])
    key = f"rules {plan_key(fitted.candidate.finding.plan)}"
    kept = state.drafts.get(key)
    if not isinstance(kept, RulesEdit) or kept.found.conditions() != rules:
        kept = state.drafts[key] = RulesEdit.of(read_rules(study, rules))
    return kept


def _figures(state: AuditState, study: Study, rules: tuple[str, ...], plan: RulesPlan) -> RuleFigures:
    key = (state.study_key, rules, plan.fairness, plan.max_difference, plan.max_complexity)
    return state.remember("rule figures", key, lambda: rule_figures(study, rules, plan))


def _show_figures(plan: RulesPlan, found: RuleFigures, now: RuleFigures, *, changed: bool) -> None:
    """Draw accuracy, difference and complexity on the tuning rows, with what they were."""
    figures = [("Accuracy", share_text(now.accuracy), share_text(found.accuracy))]
    if len(now.gaps):
        gaps = [points_text(each.gap, signed=False) for each in (now, found)]
        figures.append((DIFFERENCE, *gaps))
    figures.append(("Complexity", count_text(now.complexity), count_text(found.complexity)))
    for column, (label, value, was) in zip(st.columns(3), figures, strict=False):
        column.metric(label, value)
        said = [f"{was} as found"] if changed else []
        if label == DIFFERENCE:
            said.append(f"{tolerance_text(plan.max_difference)} allowed")
        if said:
            column.caption("; ".join(said))
    if now.is_too_complex:
        st.warning("These rules are more complex than was allowed. They can be judged all the same.")


def _show_rule(edit: RulesEdit, figures: RuleFigures, rule: int) -> None:
    """Draw one rule, what it does on the tuning rows, and the buttons that take it or a condition away."""
    row = figures.rules.iloc[rule]
    conditions = edit.rules.literals_of(rule)
    with st.container(border=True, key=f"rules_card_{rule}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**Rule {rule + 1}**", width="stretch")
            st.button("Drop rule", key=f"rules_drop_{rule}", on_click=edit.drop_rule, args=(rule,))
        for place, condition in enumerate(conditions):
            with st.container(horizontal=True, vertical_alignment="center"):
                lead = "If" if not place else "and"
                st.markdown(f"{lead} {literal(condition.words(), limit=400)}", width="stretch")
                st.button(
                    "Drop condition",
                    key=f"rules_drop_{rule}_{place}",
                    on_click=edit.drop_condition,
                    args=(rule, condition),
                    type="tertiary",
                    disabled=len(conditions) == 1,
                    help=f"No longer ask that {literal(condition.words(), limit=200)}",
                )
        st.caption(covered_words(figures.coverage, rule + 1))
        if mark := rule_marks(row):
            st.warning(f"{literal(brief.capital(mark), limit=600)}.")


def covered_words(coverage: pd.DataFrame, rule: int) -> str:
    """Return what a rule does on the tuning rows, in all groups and in each."""
    rows = coverage[coverage["rule"] == rule]
    n, right, alone = (int(rows[name].sum()) for name in ("n_covered", "n_right", "n_only"))
    if not n:
        return "It holds for none of the tuning rows."
    groups = [f"{literal(row.group, limit=60)} {share_text(row.coverage)}" for row in rows.itertuples() if row.n]
    named = f" and {len(groups) - _MOST_NAMED} more groups" if len(groups) > _MOST_NAMED else ""
    return (
        f"Holds for {count_text(n)} tuning rows and agrees with {share_text(right / n)} of them. {alone_words(alone)} "
        f"Share of each group that it holds for: {', '.join(groups[:_MOST_NAMED])}{named}."
    )


def _add(state: AuditState, study: Study, edit: RulesEdit) -> None:
    """Draw the controls that add a condition to a rule."""
    with st.container(border=True, key="rules_add_form"):
        st.markdown("**Add a condition**")
        words = [f"rule {rule + 1}: {words}" for rule, words in enumerate(edit.rules.words())] + [NEW]
        label = labels(words, limit=_LONGEST)
        key = f"rules_add_to_{len(words)}"
        rule = st.selectbox("To", range(len(words)), format_func=lambda place: label(words[place]), key=key)
        literals: tuple[Any, ...] = ()
        with errors_shown(go_on=True):
            condition = build_condition(state, "rules_build", columns=list(study.facts.features), only=True)
            if condition is not None:
                literals = read_rules(study, (str(condition),)).literals_of(0)
                st.markdown(f"In words: **{literal(condition.in_words(), limit=400)}**")
                _warn_of_groups(study, condition.columns)
        st.button(
            "Add this condition",
            key="rules_add",
            disabled=not literals,
            on_click=edit.add_conditions,
            args=(None if words[rule] == NEW else rule, literals),
        )
        if edit.refused is not None:
            show_error(edit.refused)


def _warn_of_groups(study: Study, columns: tuple[str, ...]) -> None:
    sensitive = [literal(name, limit=60) for name in columns if name in group_features(study.facts)]
    if sensitive:
        st.warning(f"{', '.join(sensitive)} shows who is in which group. Deciding by group is unlawful in many places.")


def _judge(state: AuditState, study: Study, plan: RulesPlan, edit: RulesEdit, now: RuleFigures) -> None:
    """Draw the button that has the rules judged as they are now."""
    rules = edit.rules.conditions()
    can_fix = not edit.is_changed and not plan.rules
    if st.button(
        "Keep these rules as chosen by hand" if can_fix else "Judge these changed rules on the held-out rows",
        type="primary",
        key="rules_judge",
        disabled=not rules or not (edit.is_changed or can_fix),
        help="It is judged like any remedy, and can go into Compare and the report.",
    ):
        chosen = {"rules": rules, "name": None, "no_group_worse_off": False}
        start_fit(state, study, plan.model_copy(update=chosen))
        st.rerun()
    small = state.small_cells
    if rules and small.mask:
        st.caption(
            f"Small counts are to be hidden: of these rules, the report will not show those that hold for fewer than "
            f"{small.minimum} held-out rows. The saved audit, which is for you, holds them all."
        )
    if not rules:
        st.caption("Without a rule there is nothing to judge.")
    elif can_fix:
        st.caption("Nothing is changed yet. Kept as chosen by hand, they need no search to be repeated exactly.")
    elif not edit.is_changed:
        st.caption("Nothing is changed yet: these are the rules that are judged.")


def _rates_table(figures: RuleFigures) -> Table:
    columns = (
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n", "rows", "count", "Tuning rows of the group."),
        ColumnSpec("selection_rate", "predicted positive", "share", "Share of rows that a rule holds for."),
        ColumnSpec("fpr", "false positive rate", "share", "Of the rows that are not positive, those caught."),
        ColumnSpec("fnr", "false negative rate", "share", "Of the rows that are positive, those missed."),
        ColumnSpec("error_rate", "wrong", "share", "Share of wrong predictions."),
    )
    rows = tuple(tuple(getattr(row, column.name) for column in columns) for row in figures.rates.itertuples())
    return Table("rules_edited_rates", "Rates of each group", columns, rows, note="On the tuning rows.")


def _gaps_table(figures: RuleFigures) -> Table:
    columns = (
        ColumnSpec("rate_words", "what must be alike", "text", "The rate in words."),
        ColumnSpec("first", "first group", "text", "A difference is the rate of this group minus that of the second."),
        ColumnSpec("second", "second group", "text", "The other group."),
        ColumnSpec("gap", "difference, points", "points", "On the tuning rows."),
        ColumnSpec("interval", "interval", "points_interval", "Of the difference."),
        ColumnSpec("reading", "reading", "text", "Whether it is within what is allowed, and how clear that is."),
    )
    rows = tuple(
        (row.rate_words, row.first, row.second, row.gap, (row.low, row.high), row.reading)
        for row in figures.gaps.itertuples()
    )
    note = "On the tuning rows. A difference is the first group minus the second."
    return Table("rules_edited_gaps", "Differences in what must be alike", columns, rows, note=note)


def alone_words(n: int) -> str:
    """Return how many of the rows that a rule holds for no other rule catches, in a sentence.

    Examples
    --------
    >>> alone_words(0), alone_words(1208)
    ('Other rules catch them all.', '1,208 of them are caught by this rule only.')
    """
    if not n:
        return "Other rules catch them all."
    return f"{count_text(n)} of them {'is' if n == 1 else 'are'} caught by this rule only."
