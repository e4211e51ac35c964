"""What is asked of a rule set, and rules that are changed by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import pandas as pd
import streamlit as st

from fairaudit.disclosure.fields import Field
from fairaudit.errors import FairauditError, expect
from fairaudit.estimators.rules.literals import Literal, RuleSet
from fairaudit.findings import Count, Share
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from fairaudit.present.numbers import count_text, points_text, share_text
from fairaudit.remedies.rules.details import rule_marks
from fairaudit.remedies.rules.figures import RuleFigures, read_rules, rule_figures
from fairaudit.remedies.rules.plan import MAX_COMPLEXITY, RulesPlan
from fairaudit.remedies.tables import TUNING
from fairaudit.study.findings import plan_key
from fairaudit.study.proposing import group_features
from fairaudit.study.rows import Study
from ui.check.population import build_condition
from ui.frame import errors_shown, show_error
from ui.remedies import drafts
from ui.remedies.drafts import (
    NOTHING,
    choose_alike,
    choose_sensitive,
    choose_similar,
    choose_way,
    show_outcome,
)
from ui.remedies.learning_panel import with_columns
from ui.remedies.trying import start_fit
from ui.result import show_table
from ui.state import AuditState, Fitted
from ui.text import labels, literal, stated

# What is asked of a rule set: how complex it may be, what must be alike, and how it is searched for.

USUAL: Final = RulesPlan()
FAIRNESS: Final = {
    "equalized_odds": "both",
    "equal_opportunity": "missed",
    "fpr": "flagged",
    "demographic_parity": "selected",
    "error_rate": "wrong",
    NOTHING: "nothing",
}
"""What can be asked to be alike, and the rate by which that is named."""

CALLED: Final = {
    "equalized_odds": "Called equalized odds.",
    "equal_opportunity": "Called equal opportunity.",
    "demographic_parity": "Called statistical parity.",
}
"""What the field calls it."""

LEAST_LIMIT: Final = 0.001
"""What is left of the smaller of two limits when the margin is taken off."""

USUAL_COMPLEXITY: Final = 60
"""The most that the slider offers at first."""


def choose_plan(state: AuditState, study: Study) -> RulesPlan:
    """Draw what is asked of a rule set, and return the remedy that this makes."""
    _choose_complexity(state)
    _choose_fairness(state, study)
    choose_sensitive(state, study, USUAL)
    _choose_search(state)
    return plan_of(drafts.draft_of(state, USUAL))


def plan_of(draft: RulesPlan) -> RulesPlan:
    """Return settings as a remedy: rules that were changed by hand are none, and a margin is at most the difference.

    Where nothing must be alike, no group has to lose.
    """
    usual: dict[str, Any] = {"rules": (), "margin": min(draft.margin, draft.max_difference)}
    if draft.fairness is None:
        usual |= {"no_group_worse_off": False, "max_loss": None, "strata": (), "strata_cuts": ()}
    elif draft.max_loss is not None:
        left_out = ("max_difference", "margin", "no_group_worse_off")
        usual |= {name: RulesPlan.model_fields[name].default for name in left_out}
    are_apart = draft.fairness == "equalized_odds" and draft.max_loss is None and draft.confidence is None
    if not are_apart or draft.max_difference <= LEAST_LIMIT:
        usual["max_fpr_difference"] = None
    elif draft.max_fpr_difference is not None:
        # Both limits have room for the margin.
        room = max(min(draft.max_difference, draft.max_fpr_difference) - LEAST_LIMIT, 0.0)
        usual["margin"] = min(draft.margin, round(room, 9))
    if draft.fairness is None or draft.max_loss is not None or draft.no_group_worse_off:
        usual["confidence"] = None
    return RulesPlan.model_validate(draft.model_copy(update=usual).model_dump())


def _choose_complexity(state: AuditState) -> None:
    long = drafts.draft_of(state, USUAL).max_complexity > USUAL_COMPLEXITY
    drafts.ask(state, USUAL, "max_complexity", max_value=MAX_COMPLEXITY if long else USUAL_COMPLEXITY)


def _choose_fairness(state: AuditState, study: Study) -> None:
    """Draw what must be alike between which groups, how far it may be apart, and the margin."""
    fairness = choose_alike(state, USUAL, "fairness", FAIRNESS)
    if said := CALLED.get(fairness):
        st.caption(said)
    if fairness != NOTHING:
        show_outcome(study, FAIRNESS[fairness])
        choose_way(state, study, USUAL, drafts.draft_of(state, USUAL).max_loss)
        choose_similar(state, study, USUAL)
        draft = drafts.draft_of(state, USUAL)
        if draft.max_loss is None:
            drafts.choose_confidence(state, USUAL, draft.confidence, is_open=not draft.no_group_worse_off)
            drafts.ask(state, USUAL, "no_group_worse_off")


def _choose_search(state: AuditState) -> None:
    """Draw what few people change."""
    with st.expander("How it searches"):
        drafts.ask(state, USUAL, "objective")
        left, right = st.columns(2)
        draft = drafts.draft_of(state, USUAL)
        if draft.fairness == "equalized_odds" and draft.max_loss is None and draft.confidence is None:
            drafts.ask(state, USUAL, "max_fpr_difference", left)
        drafts.ask(state, USUAL, "max_rule_length", left)
        drafts.ask(state, USUAL, "time_limit", right)
        drafts.ask(state, USUAL, "solver", left)


# A rule set that a person edits by hand: what it is now, what it was before each change, and what was refused.

_MOST_UNDO = 100


@dataclass
class RulesEdit:
    """The rules of a result, changed by hand. A change that cannot be made is `refused` and changes nothing."""

    found: RuleSet
    rules: RuleSet
    undo: list[RuleSet] = field(default_factory=list)
    refused: FairauditError | None = None

    @classmethod
    def of(cls, rules: RuleSet) -> RulesEdit:
        """Return the edit of rules that are not changed yet."""
        return cls(rules, rules)

    @property
    def is_changed(self) -> bool:
        """Whether the rules are others than those of the result."""
        return self.rules != self.found

    def drop_rule(self, rule: int) -> None:
        """Take a rule away; rules are counted from 0."""
        self._change(lambda: self.rules.drop(rule))

    def drop_condition(self, rule: int, literal: Literal) -> None:
        """Take a condition of a rule away, and with the last one the rule."""
        if len(self.rules.literals_of(rule)) == 1:
            self.drop_rule(rule)
        else:
            self._change(lambda: self.rules.without_literal(rule, literal))

    def add_conditions(self, rule: int | None, literals: tuple[Literal, ...]) -> None:
        """Add conditions to a rule, or a rule that is made of them after the last one (None)."""

        def made() -> RuleSet:
            if rule is None:
                return self.rules.with_rule(literals)
            rules = self.rules
            for one in literals:
                rules = rules.with_literal(rule, one)
            return rules

        self._change(made)

    def take_back(self) -> None:
        """Undo the last change."""
        self.refused = None
        if self.undo:
            self.rules = self.undo.pop()

    def reset(self) -> None:
        """Go back to the rules of the result."""
        self._change(lambda: self.found)

    def _change(self, made: Callable[[], RuleSet]) -> None:
        self.refused = None
        try:
            rules = made()
        except FairauditError as error:
            self.refused = error
            return
        if rules != self.rules:
            self.undo = [*self.undo[1 - _MOST_UNDO :], self.rules]
            self.rules = rules


# Rules changed by hand: what that does on the tuning rows at once, and the judgement that a person asks for.

NEW = "a new rule"
DIFFERENCE = "Largest difference"
_LONGEST = 80


@st.fragment
def edit_rules(state: AuditState, study: Study, fitted: Fitted) -> None:
    """Draw the rules with what changes them, what they do on the tuning rows, and the button that has them judged."""
    if not state.is_current(fitted):
        st.caption(stated("rules-old"))
        return
    plan = expect(RulesPlan, fitted.candidate.finding.plan)
    st.caption(stated("rules-edit", n=Count(study.facts.n_tune)))
    with errors_shown(go_on=True):
        edit = edit_of(state, study, fitted)
        found, now = (_figures(state, study, rules.conditions(), plan) for rules in (edit.found, edit.rules))
        _show_figures(plan, found, now, changed=edit.is_changed)
        for place in range(len(edit.rules.rules)):
            _show_rule(edit, now, place)
        if not edit.rules.rules:
            st.caption(stated("rules-none"))
        _add(state, study, edit)
        with st.container(horizontal=True):
            st.button("Undo", key="rules_undo", disabled=not edit.undo, on_click=edit.take_back)
            st.button("Back to the result", key="rules_reset", disabled=not edit.is_changed, on_click=edit.reset)
        with st.expander("Rates of each group"):
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
    limits = plan.fairness, plan.max_difference, plan.max_fpr_difference, plan.strata, plan.strata_cuts
    key = (state.study_key, rules, *limits, plan.max_complexity)
    rows = with_columns(state, study, plan.strata)
    return state.remember("rule figures", key, lambda: rule_figures(rows, rules, plan))


def _show_figures(plan: RulesPlan, found: RuleFigures, now: RuleFigures, *, changed: bool) -> None:
    """Draw accuracy, difference and complexity on the tuning rows, with what they were."""
    figures = [("Accuracy", share_text(now.accuracy), share_text(found.accuracy))]
    if len(now.gaps):
        gap, was = (points_text(each.gap, signed=False) for each in (now, found))
        figures.append((DIFFERENCE, gap, was))
    figures.append(("Complexity", count_text(now.complexity), count_text(found.complexity)))
    for column, (label, value, was) in zip(st.columns(3), figures, strict=False):
        column.metric(label, value)
        if changed:
            column.caption(f"{was} as found")
    if now.is_too_complex:
        st.warning(stated("rules-too-complex"))


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
                )
        st.caption(covered_words(figures.coverage, rule + 1))
        if marks := rule_marks(row):
            st.warning(literal(say(marks), limit=600))


def covered_words(coverage: pd.DataFrame, rule: int) -> str:
    """Return for how many tuning cases a rule holds, and how often it is right."""
    rows = coverage[coverage["rule"] == rule]
    n, right = (int(rows[name].sum()) for name in ("n_covered", "n_right"))
    if not n:
        return stated("rules-covered-nobody")
    return stated("rules-covered", n=Count(n), right=Share(right / n))


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
                st.markdown(f"**{literal(condition.in_words(), limit=400)}**")
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
    if not set(group_features(study.facts)).isdisjoint(columns):
        st.warning(stated("rules-mark-group"))


def _judge(state: AuditState, study: Study, plan: RulesPlan, edit: RulesEdit, now: RuleFigures) -> None:
    """Draw the button that has the rules judged as they are now."""
    rules = edit.rules.conditions()
    can_fix = not edit.is_changed and not plan.rules
    if st.button(
        "Keep as chosen by hand" if can_fix else "Test these rules",
        type="primary",
        key="rules_judge",
        disabled=not rules or not (edit.is_changed or can_fix),
    ):
        chosen = {"rules": rules, "name": None, "no_group_worse_off": False, "confidence": None}
        start_fit(state, study, plan.model_copy(update=chosen))
        st.rerun()
    if rules and state.small_cells.mask:
        st.caption(stated("rules-hidden-chosen"))


def _rates_table(figures: RuleFigures) -> TableBlock:
    columns = (
        Field("group", "group", "group", "The group."),
        Field("n", "tuning cases", "count", "Of the group."),
        Field("selection_rate", "predicted positive", "share", "Share that a rule holds for."),
        Field("fpr", "false positive rate", "share", "Wrongly caught."),
        Field("fnr", "false negative rate", "share", "Wrongly missed."),
        Field("error_rate", "wrong", "share", "Share of errors."),
    )
    rows = tuple(tuple(getattr(row, column.name) for column in columns) for row in figures.rates.itertuples())
    return TableBlock("rules_edited_rates", "Rates of each group", columns, rows)


def _gaps_table(figures: RuleFigures) -> TableBlock:
    columns = (
        Field("rate_words", "what must be alike", "text", "The rate in words."),
        Field("first", "first group", "group", "Its rate minus that of the second is the difference."),
        Field("second", "second group", "group", "The other group."),
        Field("gap", "difference, points", "points", TUNING),
        Field("interval", "likely range", "points_interval", "Of the difference."),
        Field("reading", "reading", "text", "Whether it is within the limit."),
    )
    rows = tuple(
        (row.rate_words, row.first, row.second, row.gap, (row.low, row.high), row.reading)
        for row in figures.gaps.itertuples()
    )
    return TableBlock("rules_edited_gaps", "Differences between groups", columns, rows)
