"""A rule set that was found, those of other settings, and the search while it goes on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from fairaudit.errors import expect
from fairaudit.estimators.rules.literals import RuleSet
from fairaudit.events import Incumbent
from fairaudit.findings import Argument, Count, Message, Points, Share
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock, csv_bytes, flat_header, flat_rows
from fairaudit.present.numbers import count_text, number_text
from fairaudit.remedies.charts import differences_alt, differences_chart, differences_note
from fairaudit.remedies.gap_curve import curve_alt, curve_chart
from fairaudit.remedies.rules.charts import (
    rules_coverage_alt,
    rules_coverage_chart,
    rules_coverage_note,
    rules_frontier_alt,
    rules_frontier_chart,
    rules_path_alt,
    rules_path_chart,
)
from fairaudit.remedies.rules.details import RulesDetails, proof, rule_text, rules_head, solved
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.tables import limits_by_rate
from fairaudit.study.findings import StudyFacts, plan_key
from ui.remedies import drafts
from ui.remedies.outcome import show_gap, tables_of
from ui.remedies.rules.form import USUAL
from ui.result import OfferedFile, distance_text, offer_files, show_chart, show_figures, show_table
from ui.runtime.jobs import Job
from ui.state import AuditState, Fitted, get_state
from ui.text import literal, stated

# A rule set that was found: its rules, whom each concerns, its gaps, and how it was found.

GAPS = ("rate_words", "first", "second", "trained", "tuned", "held_out", "held_out_interval", "reading")
COVERAGE = ("rule", "group", "n", "n_covered", "coverage", "n_right", "precision", "n_only", "n_only_wrong")


def show_rules(fitted: Fitted) -> None:
    """Draw the rules, with how many people each is about, and how often it is right."""
    finding, facts = fitted.of_shares
    details = finding.details
    st.markdown(f"**{literal(rules_head(details, facts), limit=400)}**")
    if not len(details.rules):
        return
    shown = []
    for row in details.rules.itertuples():
        done = details.coverage.loc[details.coverage["rule"] == row.rule, ["n_covered", "n_right"]].sum()
        n = int(done["n_covered"])
        right = say(Message("check-chart-figure", {"figure": Share(done["n_right"] / n)})) if n else ""
        shown.append((literal(rule_text(row), limit=1200), count_text(n), right))
    labels = [say(Message(key)) for key in ("rules-column-rule", "rules-column-people", "rules-column-right")]
    st.table(pd.DataFrame(shown, columns=labels), hide_index=True, border="horizontal", alt=labels[0])
    if get_state().small_cells.mask:
        st.caption(stated("rules-hidden"))


def show_picture(fitted: Fitted) -> None:
    """Draw the smallest gap for accuracy lost, where that is what was asked, and else the gap before and after."""
    details = fitted.candidate.finding.details
    if details.max_loss is not None and len(details.gap_curve):
        show_chart(curve_chart(details), title=say(Message("curve-title")), description=curve_alt(details))
    else:
        show_gap(fitted)


def show_coverage(fitted: Fitted) -> None:
    """Draw how often each rule holds in each group, and how often it is right there."""
    details = fitted.candidate.finding.details
    if not len(details.rules):
        st.caption(stated("rules-none"))
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
        st.caption(stated("limits-none"))
        return
    if details.max_loss is not None:
        show_table(tables_of(fitted)["curve"])
        show_table(tables_of(fitted)["rates"], columns=tuple(name for name in GAPS if name != "reading"))
        return
    show_chart(
        differences_chart(details.gaps, allowed=limits_by_rate(details)),
        title=say(Message("limits-chart")),
        description=differences_alt(details.gaps),
        note=differences_note(details.gaps),
    )
    show_table(tables_of(fitted)["rates"], columns=GAPS)


def show_search(asked: RulesPlan, fitted: Fitted) -> None:
    """Draw how far from the best the rules can be, their files, and how bound and rules came together.

    `asked` is what is asked now, which may be something else than what these rules were found for.
    """
    finding, facts = fitted.of_shares
    details, plan, tables = finding.details, expect(RulesPlan, finding.plan), tables_of(fitted)
    if not plan.rules and plan_key(plan) != plan_key(asked):
        st.info(stated("rules-old"))
    st.markdown(literal(say((*proof(details), *solved(details))), limit=600))
    _offer_files(details, facts, tables["lookup"])
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


def _offer_files(details: RulesDetails, facts: StudyFacts, lookup: TableBlock) -> None:
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

    def spreadsheet() -> bytes:
        return csv_bytes(flat_header(lookup), flat_rows(lookup))

    offer_files(
        (
            OfferedFile(
                "Rules for a spreadsheet",
                "rules_for_spreadsheet.csv",
                "text/csv",
                spreadsheet,
                key="rules_file_spreadsheet",
            ),
            OfferedFile("Rules as text", "rules.txt", "text/plain", text, key="rules_file_txt"),
            OfferedFile("Rules as CSV", "rules.csv", "text/csv", csv, key="rules_file_csv"),
        ),
    )


# Rule sets of other settings, made of the same rules: what other limits and complexities would give.

COLUMNS = ("max_complexity", "max_difference", "complexity", "trained_gap", "accuracy", "gap", "chosen")
TAKEN = "Puts it in the settings. Find rules with it to have them tested."


def show_settings(state: AuditState, fitted: Fitted) -> None:
    """Draw accuracy, gap and complexity of other settings on the tuning rows, and the choice of one of them."""
    finding = fitted.candidate.finding
    details, plan = finding.details, finding.plan
    if len(details.frontier) < 2:
        st.caption(stated("learn-no-settings"))
        return
    show_chart(
        rules_frontier_chart(details.frontier, allowed=details.allowed),
        title=say(Message("rules-chart-settings")),
        description=rules_frontier_alt(details.frontier),
    )
    words = [setting_words(row) for row in details.frontier.itertuples()]
    drafts.choose_setting(state, plan, details.frontier, words, take_setting=take_setting, note=TAKEN)
    show_table(tables_of(fitted)["frontier"], columns=COLUMNS if details.fairness else _without_gaps())


def _without_gaps() -> tuple[str, ...]:
    return tuple(name for name in COLUMNS if name not in ("max_difference", "trained_gap", "gap"))


def take_setting(state: AuditState, plan: RulesPlan, row: pd.Series) -> None:
    """Put a setting in the form: what is aimed at stays, and a limit that is closer is reached by a margin."""
    changes: dict[str, Any] = {
        name: getattr(plan, name)
        for name in ("fairness", "objective", "max_rule_length", "use_sensitive", "no_group_worse_off")
    }
    changes["max_complexity"] = int(row["max_complexity"])
    if plan.fairness is not None:
        # On the training rows the margin was taken off.
        trained = max(float(row["max_difference"]) - plan.margin, 0.0)
        allowed = max(plan.max_difference, trained)
        changes |= {"max_difference": round(allowed, 9), "margin": round(allowed - trained, 9)}
    drafts.take(state, USUAL, **changes)


def setting_words(row: Any) -> str:
    """Return a setting, a row of ``RulesDetails.frontier``, and what it gives on the tuning cases, in words."""
    args: dict[str, Argument] = {"n": Count(int(row.max_complexity)), "share": Share(float(row.accuracy), 1)}
    if pd.isna(row.max_difference):
        return say(Message("rules-setting", args))
    gaps: dict[str, Argument] = {"limit": Points(row.max_difference, 1), "size": Points(float(row.gap), 1)}
    return say(Message("rules-setting-limit", args | gaps))


# The search for rules while it goes on: the bound, the best rule set so far and the rules that were considered.

ROUND, SOLUTION, NEAREST = "round", "solution", "least_gap"
MOST_DRAWN = 120
"""Rounds that are drawn while a search goes on: the last ones."""


def last_search(found: Sequence[Incumbent]) -> tuple[Incumbent, ...]:
    """Return what the search that goes on now has found: the one without a constraint, to compare with, comes first."""
    start, share = 0, 0.0
    for place, each in enumerate(found):
        if each.what == ROUND:
            starts, share = each.figures["round"] == 1, 0.0
        elif each.what == NEAREST:
            # It belongs to the search that found nothing within the limit, which then selects once more.
            share = 0.0
        else:
            # A search whose work is done before its first round selects at once: its share starts anew, with a loss
            # above the one before. Within one search, what was found is never lost.
            is_anew = each.figures["share"] < share
            starts = is_anew and not each.figures["objective"] <= best_loss(found[start:place])
            share = each.figures["share"]
        if starts:
            start = place
    return tuple(found[start:])


def rounds_path(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return the rounds of a search: round, n_columns, lp_value, bound, incumbent, as in ``RulesDetails.path``."""
    names = ["round", "columns", "lp", "bound", "incumbent"]
    rows = [[each.figures[name] for name in names] for each in found if each.what == ROUND]
    frame = pd.DataFrame(rows, columns=["round", "n_columns", "lp_value", "bound", "incumbent"])
    return frame.astype({"round": int, "n_columns": int})


def show_rounds(job: Job) -> None:
    """Draw how far a search for rules that is under way has come."""
    found = last_search(job.found)
    if found[-1].what == NEAREST and job.about.plan.max_loss is not None:
        figures_of_gap(found[-1])
        return
    path = rounds_path(found)
    bound = path["bound"].max()
    best = best_loss(found)
    considered = count_text(int(path["n_columns"].iloc[-1])) if len(path) else "none yet"
    figures = (
        ("Rules considered", considered, f"round {len(path)}" if len(path) else ""),
        ("Best so far", number_text(best, digits=0) if math.isfinite(best) else "none yet", "errors"),
        ("Fewest possible", number_text(bound, digits=1) if bound > 0 else "not known yet", "proven so far"),
        ("Above the fewest possible", distance_text(best, bound), "at most"),
    )
    show_figures(figures)
    stages = {NEAREST: "rules-search-nearest", SOLUTION: "rules-search-choosing"}
    if (stage := stages.get(found[-1].what)) is not None:
        st.caption(stated(stage))
    if not len(path):
        return
    shown = path.tail(MOST_DRAWN)
    show_chart(rules_path_chart(shown), description=rules_path_alt(shown))


def figures_of_gap(found: Incumbent) -> None:
    """Draw how small a gap was found, and what is proven about it."""
    gap, bound = (say(Message("curve-points", {"size": Points(found.figures[name], 1)})) for name in ("gap", "bound"))
    show_figures([("Best so far", gap, say(Message("curve-search"))), ("Least possible", bound, "proven so far")])


def best_loss(found: Sequence[Incumbent]) -> float:
    """Return the lowest loss of a rule set that was found, NaN while there is none."""
    names = {ROUND: "incumbent", SOLUTION: "objective"}
    losses = [float(each.figures[names[each.what]]) for each in found if each.what in names]
    return min((loss for loss in losses if math.isfinite(loss)), default=math.nan)
