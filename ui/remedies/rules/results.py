"""A rule set that was found: its rules, whom each concerns, its gaps, and how it was found."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.findings import Count, Message, Share
from fairaudit.messages import say
from fairaudit.present.numbers import count_text
from fairaudit.remedies.rules.charts import (
    rules_coverage_alt,
    rules_coverage_chart,
    rules_coverage_note,
    rules_path_alt,
    rules_path_chart,
)
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.rules.tables import proof, rule_text, rules_head
from fairaudit.remedies.shared.group_gaps_chart import differences_alt, differences_chart, differences_note
from fairaudit.study.findings import StudyFacts
from fairaudit.study.trying import plan_key
from ui.remedies.outcome import tables_of
from ui.result import OfferedFile, offer_files, show_chart, show_table
from ui.state import Fitted, get_state
from ui.text import literal

GAPS = ("rate_words", "first", "second", "trained", "tuned", "held_out", "held_out_interval", "reading")
COVERAGE = ("rule", "group", "n", "n_covered", "coverage", "n_right", "precision", "n_only", "n_only_wrong")


def show_rules(fitted: Fitted) -> None:
    """Draw the rules, with how many people each is about, and how often it is right."""
    details = fitted.candidate.finding.details
    st.markdown(f"**{literal(rules_head(details, fitted.facts), limit=400)}**")
    if not len(details.rules):
        return
    small, shown = get_state().small_cells, []
    for row in details.rules.itertuples():
        done = details.coverage.loc[details.coverage["rule"] == row.rule, ["n_covered", "n_right"]].sum()
        n = int(done["n_covered"])
        few = small.mask and n < small.minimum
        text = " ".join((rule_text(row), *([say(Message("rules-hidden", {"n": Count(small.minimum)}))] if few else [])))
        right = say(Message("check-chart-figure", {"figure": Share(done["n_right"] / n)})) if n else ""
        shown.append((literal(text, limit=1200), count_text(n), right))
    labels = [say(Message(key)) for key in ("rules-column-rule", "rules-column-people", "rules-column-right")]
    st.table(pd.DataFrame(shown, columns=labels), hide_index=True, border="horizontal", alt=labels[0])


def show_coverage(fitted: Fitted) -> None:
    """Draw how often each rule holds in each group, and how often it is right there."""
    details = fitted.candidate.finding.details
    if not len(details.rules):
        st.caption(literal(say(Message("rules-none"))))
        return
    show_chart(
        rules_coverage_chart(details.coverage),
        title=say(Message("rules-chart-coverage")),
        description=rules_coverage_alt(details.coverage),
        note=say(rules_coverage_note(details.coverage)),
    )
    show_table(tables_of(fitted)["coverage"], columns=COVERAGE)


def show_gaps(fitted: Fitted) -> None:
    """Draw the gaps that were limited on training, tuning and test cases side by side."""
    details = fitted.candidate.finding.details
    if not len(details.gaps):
        st.caption(literal(say(Message("limits-none"))))
        return
    show_chart(
        differences_chart(details.gaps, allowed=details.max_difference),
        title=say(Message("limits-chart")),
        description=differences_alt(details.gaps),
        note=differences_note(details.gaps),
    )
    show_table(tables_of(fitted)["rates"], columns=GAPS)


def show_search(asked: RulesPlan, fitted: Fitted) -> None:
    """Draw how far from the best the rules can be, their files, and how bound and rules came together.

    `asked` is what is asked now, which may be something else than what these rules were found for.
    """
    finding = fitted.candidate.finding
    details, plan, tables = finding.details, finding.plan, tables_of(fitted)
    if not plan.rules and plan_key(plan) != plan_key(asked):
        st.info(literal(say(Message("rules-old"))))
    st.markdown(literal(say(proof(details)), limit=600))
    _offer_files(details, fitted.facts)
    if details.status == "chosen":
        return
    if len(details.path):
        show_chart(
            rules_path_chart(details.path, reached=details.objective),
            title=say(Message("rules-chart-path")),
            description=rules_path_alt(details.path, reached=details.objective),
        )
    with st.expander("The search in figures"):
        show_table(tables["search"])
        show_table(tables["bounds"])
        show_table(tables["path"], most=50)


def _offer_files(details: RulesDetails, facts: StudyFacts) -> None:
    """Draw the buttons that take the rules away."""
    if not len(details.rules):
        return

    def rule_set() -> RuleSet:
        columns = dict.fromkeys(facts.features)
        return RuleSet.of_conditions(tuple(details.rules["condition"]), columns, outcome=facts.positive_meaning)

    def text() -> bytes:
        return f"{rule_set().to_text()}\n".encode()

    def csv() -> bytes:
        return rule_set().to_csv().encode("utf-8-sig")

    offer_files(
        (
            OfferedFile("Rules as text", "rules.txt", "text/plain", text, key="rules_file_txt"),
            OfferedFile("Rules as CSV", "rules.csv", "text/csv", csv, key="rules_file_csv"),
        ),
    )
