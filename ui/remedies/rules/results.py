"""A rule set that was found: its rules to be read aloud, whom each concerns, its gaps, and how it was found."""

from __future__ import annotations

from typing import Any

import streamlit as st

from fairaudit.estimators.rules.rule_set import RuleSet
from fairaudit.findings import Count, Message, Phrase, Share
from fairaudit.measure.limits import exceeds
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.present.numbers import count_text, points_text, tolerance_text
from fairaudit.remedies.rules.chart_texts import rules_path_alt
from fairaudit.remedies.rules.charts import rules_path_chart
from fairaudit.remedies.rules.coverage_chart import rules_coverage_alt, rules_coverage_chart, rules_coverage_note
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.rules.result_words import rules_kept_sentence, sides_sentence
from fairaudit.remedies.rules.words import (
    NOT_ACCURACY,
    NOT_THE_GAP,
    certificate_words,
    lists_words,
    rule_marks,
)
from fairaudit.remedies.shared.alike_chart import differences_chart
from fairaudit.remedies.shared.alike_chart_texts import differences_alt, differences_note
from fairaudit.remedies.shared.held_out_words import known_rows
from fairaudit.study.cautions import against_majority
from fairaudit.study.findings import RemedyFinding, StudyFacts
from fairaudit.study.trying import plan_key, remedy_name
from ui.charts import show_chart
from ui.downloads import OfferedFile, offer_files
from ui.positive import positive_words
from ui.remedies.outcome import tables_of
from ui.state import Fitted, get_state
from ui.tables import show_table
from ui.text import literal

GAPS = ("rate_words", "first", "second", "trained", "tuned", "held_out", "held_out_interval", "reading")
COVERAGE = ("rule", "group", "n", "n_covered", "coverage", "n_right", "precision", "n_only", "n_only_wrong")


def show_rules(fitted: Fitted) -> None:
    """Draw the rules as sentences, with how many people each is about, and how often it is right."""
    finding, facts = fitted.candidate.finding, fitted.facts
    details = finding.details
    if not len(details.rules):
        st.markdown(literal(say(Message("remedy-rules-none")), limit=400))
        return
    outcome = {"outcome": Phrase(facts.positive_meaning)}
    st.markdown(f"**{literal(say(Message('remedy-rules-head', outcome)), limit=400)}**")
    for row in details.rules.itertuples():
        _show_rule(finding, row)
    st.markdown(literal(say(Message("remedy-rules-else"))))


def _show_proof(asked: RulesPlan, fitted: Fitted) -> None:
    """Draw how far from the best possible the rules can be, what to be careful about, and their files.

    `asked` is what is asked now, which may be something else than what these rules were found for.
    """
    finding, facts = fitted.candidate.finding, fitted.facts
    details, plan = finding.details, finding.plan
    if not plan.rules and plan_key(plan) != plan_key(asked):
        st.info(f"The settings have changed since these rules were found: {literal(remedy_name(plan))}.")
    for careful in against_majority(finding.warnings):
        st.warning(literal(careful, limit=900))
    st.markdown(literal(certificate_words(details), limit=900))
    for note in details.notes:
        st.info(literal(note, limit=900))
    if said := beyond_words(details):
        st.warning(said)
    _offer_files(details, facts)


def beyond_words(details: RulesDetails) -> str:
    """Return that a gap on the tuning rows is larger than what is allowed, and what helps; empty where none is."""
    if details.status == "chosen" or not exceeds(details.tuned_gap, details.max_difference):
        return ""
    helps = ["ask for a margin in the settings"] if details.max_difference else []
    helps += (
        ["look under “Other settings” for one whose difference is small there, too"] if len(details.frontier) else []
    )
    return (
        "On the tuning rows, which the rules were not learned from, the largest difference is "
        f"{points_text(details.tuned_gap, signed=False, beside=details.max_difference)}, where "
        f"{tolerance_text(details.max_difference)} are allowed. " + (f"You can {', or '.join(helps)}." if helps else "")
    )


def show_coverage(fitted: Fitted) -> None:
    """Draw how often each rule holds in each group, and how often it is right there."""
    finding, facts = fitted.candidate.finding, fitted.facts
    details = finding.details
    if not len(details.rules):
        st.caption("There is no rule.")
        return
    show_chart(
        rules_coverage_chart(details.coverage),
        title="Whom each rule concerns",
        description=rules_coverage_alt(details.coverage),
        note=f"On the {_counted_rows(finding)}. A rule holds for a row that meets all its conditions, and is right "
        f"where that row has the outcome: {facts.positive_meaning}." + rules_coverage_note(details.coverage),
    )
    with st.expander("Each rule and group as a table"):
        show_table(tables_of(fitted)["coverage"], columns=COVERAGE)


def _counted_rows(finding: RemedyFinding) -> str:
    coverage = finding.details.coverage
    return known_rows(int(coverage.loc[coverage["rule"] == 0, "n"].sum()), finding.after.n)


def _show_rule(finding: RemedyFinding, row: Any) -> None:
    """Draw one rule, what it does on the test cases, and whether it comes close to naming a group."""
    details = finding.details
    st.markdown(f"**{row.rule}.** {literal(row.text, limit=1200)}")
    done = details.coverage.loc[details.coverage["rule"] == row.rule, ["n_covered", "n_right"]].sum()
    n = int(done["n_covered"])
    args = {"n": Count(n), "right": Share(done["n_right"] / n if n else 0.0)}
    said = say(Message("remedy-rules-people" if n else "remedy-rules-nobody", args))
    small = get_state().small_cells
    if small.mask and n < small.minimum:
        said = f"{said} {say(Message('remedy-rules-hidden', {'n': Count(small.minimum)}))}"
    if mark := rule_marks(row):
        said = f"{said} {brief.capital(mark)}."
    st.caption(literal(said, limit=900))


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
        # A rule for very few people says something about them, also without its counts.
        instead="take the rules from the report, where those for few people are",
    )


def show_gaps(fitted: Fitted) -> None:
    """Draw the gaps that were limited on training, tuning and held-out rows side by side."""
    finding = fitted.candidate.finding
    details = finding.details
    if not len(details.gaps):
        st.caption("Nothing had to be alike between groups.")
        return
    st.markdown(literal(rules_kept_sentence(details), limit=1500))
    st.caption(literal(f"{NOT_THE_GAP} {positive_words(fitted.facts.positive_meaning)}", limit=900))
    show_chart(
        differences_chart(details.gaps, allowed=details.max_difference),
        title="Differences between groups, and what is allowed",
        description=differences_alt(details.gaps, allowed=details.max_difference),
        note="Shaded: what is allowed."
        + ("" if details.status == "chosen" else " The rules were found on the training rows.")
        + differences_note(details.gaps),
    )
    st.caption(literal(sides_sentence(details), limit=1500))
    with st.expander("These differences as a table"):
        show_table(tables_of(fitted)["rates"], columns=GAPS)


def show_search(asked: RulesPlan, fitted: Fitted) -> None:
    """Draw how far from the best the rules can be, their files, and how bound and rules came together."""
    _show_proof(asked, fitted)
    finding = fitted.candidate.finding
    details, tables = finding.details, tables_of(fitted)
    if details.status == "chosen":
        st.caption("A person chose these rules: there was no search.")
        return
    st.caption(
        f"{count_text(details.n_columns)} rules were considered. The loss counts {literal(details.objective_words)}."
    )
    if len(details.path):
        show_chart(
            rules_path_chart(details.path, reached=details.objective),
            title="How the rules were found",
            description=rules_path_alt(details.path, reached=details.objective),
            note=f"No list of {lists_words(details)} can come below the proven bound. So the distance between the two "
            "is how far these rules can be from the best possible. The bound comes from rules that may be taken in "
            f"part, such as half of one. {NOT_ACCURACY}",
        )
    with st.expander("The search in figures"):
        show_table(tables["search"])
        show_table(tables["bounds"])
        show_table(tables["path"], most=50)
