"""The tables of a rule set: its rules, whom each concerns, its gaps on all parts of the rows, and how it was found."""

from __future__ import annotations

from typing import Any

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.shared import ending_words
from fairaudit.remedies.shared.alike_table import TRAINING, differences_table
from fairaudit.remedies.shared.frames import TUNING, table_rows
from fairaudit.study.findings import RemedyFinding

IN_PART = "if rules are taken in part"
COUNTS = ("n", "n_covered", "n_right", "n_only", "n_only_wrong")
STATUS_WORDS = ending_words.STATUS_WORDS | {
    "optimal": "proven to be the lowest loss",
    "chosen": "chosen by a person",
}


def rules_tables(finding: RemedyFinding, number: int) -> list[Table]:
    """Return the tables of a rule set; what is hidden has no rows or is not shown."""
    details = finding.details
    return [
        rules_table(details, number),
        coverage_table(details, number),
        rates_table(details, number),
        search_table(details, number),
        path_table(details, number),
        bounds_table(details, number),
        frontier_table(details, number),
    ]


def rules_table(details: RulesDetails, number: int) -> Table:
    """Return one row a rule: what it says, what it costs and what it does on the held-out rows of all groups."""
    columns = (
        ColumnSpec("rule", "rule", "number", "Number of the rule, in their order.", digits=0),
        ColumnSpec("text", "in words", "text", "When the rule holds."),
        ColumnSpec("condition", "condition", "code", "The same as a condition that a plan can hold."),
        ColumnSpec("n_conditions", "conditions", "number", "All of them must hold.", digits=0),
        ColumnSpec("cost", "costs", "number", "What it adds to the complexity: 1 and 1 for each condition.", digits=0),
        ColumnSpec("uses_protected", "tells the groups", "text", "yes: it uses a column that tells the groups."),
        ColumnSpec("proxies", "close to showing them", "text", "Columns in it that come close to showing the groups."),
        ColumnSpec(
            "contrary",
            "against the column",
            "text",
            "Conditions where, by themselves, the outcome is rarer (tuning rows).",
        ),
        ColumnSpec("n_covered", "holds for", "count", "Held-out rows that the rule holds for."),
        ColumnSpec("n_right", "rightly", "count", "Those of them that have the outcome."),
        ColumnSpec("precision", "rightly, share", "share", "The same as a share of the rows that it holds for."),
        ColumnSpec("n_only", "only this rule", "count", "Held-out rows that no other rule holds for."),
        ColumnSpec("n_only_wrong", "only this rule, wrongly", "count", "Those of them that do not have the outcome."),
    )
    totals = _totals(details)
    rows = []
    for row in details.rules.itertuples():
        counts = totals.get(row.rule)
        cells = [counts and counts[name] for name in ("n_covered", "n_right", "precision", "n_only", "n_only_wrong")]
        uses = None if row.uses_protected is None else bool(row.uses_protected)
        said = (row.text, row.condition, row.n_literals, row.cost, uses, row.proxies, row.contrary)
        rows.append((row.rule, *map(shown, (*said, *cells))))
    note = "Counts are of held-out rows with a known group."
    return Table(f"remedy_{number}_rules", "The rules", columns, tuple(rows), note=note)


def coverage_table(details: RulesDetails, number: int) -> Table:
    """Return one row for each rule and group, and for the whole set and group, on the held-out rows."""
    columns = (
        ColumnSpec("rule", "rule", "number", "Number of the rule; 0: all rules together.", digits=0),
        ColumnSpec("group", "group", "text", "The group."),
        ColumnSpec("n", "rows", "count", "Held-out rows of the group."),
        ColumnSpec("n_covered", "holds for", "count", "Those of them that the rule holds for."),
        ColumnSpec("coverage", "share", "share", "The same as a share of the group's rows."),
        ColumnSpec("coverage_interval", "interval", "share_interval", "Wilson interval of that share."),
        ColumnSpec("n_right", "rightly", "count", "Rows that the rule holds for and that have the outcome."),
        ColumnSpec("precision", "rightly, share", "share", "The same as a share of the rows that it holds for."),
        ColumnSpec("precision_interval", "interval", "share_interval", "Wilson interval of that share."),
        ColumnSpec("n_only", "only this rule", "count", "Rows that no other rule holds for; for 0, all it holds for."),
        ColumnSpec("n_only_wrong", "only this rule, wrongly", "count", "Those of them that do not have the outcome."),
    )
    rows = table_rows(details.coverage, columns)
    note = "Rule 0 is all rules together. A share of no rows is not defined."
    return Table(f"remedy_{number}_coverage", "Whom each rule concerns", columns, rows, note=note)


def rates_table(details: RulesDetails, number: int) -> Table:
    """Return the difference of each rate and pair of groups on training, tuning and held-out rows side by side."""
    note = "First group minus second. Training: what the rules learned from; tuning: not learned from."
    return differences_table(details, f"remedy_{number}_rates", note=note)


def search_table(details: RulesDetails, number: int) -> Table:
    """Return how the search for rules ended, one row a figure."""
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("value", "value", "number", "The figure, where it is a number.", digits=1),
        ColumnSpec("share", "share", "share", "The figure, where it is a share."),
        ColumnSpec("gap", "difference, points", "size", "The figure, where it is a difference or a limit on one."),
        ColumnSpec("words", "in words", "text", "The figure, where it is none."),
    )
    found: list[tuple[str, Any, Any, Any, str]] = [
        ("how the search ended", "", "", "", STATUS_WORDS[details.status]),
        ("complexity allowed", details.max_complexity, "", "", ""),
        ("complexity", details.complexity, "", "", ""),
    ]
    if details.status != "chosen":
        found += [
            ("loss reached, counted in training rows", shown(details.objective), "", "", details.objective_words),
            ("conditions of a rule, at most", details.max_rule_length, "", "", ""),
            ("bound, if rules could be taken in part", shown(details.lp_bound), "", "", "counted in the same way"),
            (
                "loss proven to be the least possible",
                shown(details.bound),
                "",
                "",
                f"for rules of at most {details.max_rule_length} conditions; counted in the same way; a bound on the "
                "loss, not on accuracy",
            ),
            ("distance of the two as a share of the loss reached", "", shown(details.optimality_gap), "", ""),
            ("wrong training rows", shown(details.errors), "", "", "each counted once"),
            ("wrong training rows proven to be the fewest", shown(details.errors_bound), "", "", "each counted once"),
            ("rules considered", details.n_columns, "", "", ""),
            ("rounds of search for rules", details.n_rounds, "", "", ""),
        ]
    if details.fairness is not None:
        found += [
            ("difference allowed", "", "", details.max_difference, ""),
            ("difference allowed on the training rows", "", "", details.trained_difference, ""),
            ("largest difference on the training rows", "", "", shown(details.trained_gap), ""),
            ("largest difference on the tuning rows", "", "", shown(details.tuned_gap), ""),
        ]
    found += [
        ("accuracy on the training rows", "", shown(details.trained_accuracy), "", ""),
        ("accuracy on the tuning rows", "", shown(details.tuned_accuracy), "", ""),
    ]
    return Table(f"remedy_{number}_search", "How the rules were found", columns, tuple(found))


def path_table(details: RulesDetails, number: int) -> Table:
    """Return one row a round of the search for rules."""
    loss = "Counted in training rows."
    columns = (
        ColumnSpec("round", "round", "number", "Number of the round.", digits=0),
        ColumnSpec("n_columns", "rules", "number", "Rules considered until then.", digits=0),
        ColumnSpec("lp_value", IN_PART, "number", f"The lowest loss with these, were that possible. {loss}", digits=1),
        ColumnSpec("bound", "proven bound", "number", f"No allowed list of rules has a lower loss. {loss}", digits=1),
        ColumnSpec("incumbent", "best so far", "number", f"Lowest loss of a list of rules found. {loss}", digits=1),
    )
    return Table(f"remedy_{number}_path", "Rounds of the search", columns, table_rows(details.path, columns))


def bounds_table(details: RulesDetails, number: int) -> Table:
    """Return what is proven of short rules, one row for each length."""
    columns = (
        ColumnSpec("max_rule_length", "conditions of a rule, at most", "number", "Rules that are longer are left out.",
                   digits=0),
        ColumnSpec("bound", "proven bound", "number", "No list of such rules, as complex and as near to alike as was "
                   "asked, has a lower loss. Counted in training rows.", digits=0),
    )  # fmt: skip
    note = (
        "The loss that was reached can be below the bound of shorter rules: then no list of these is as good. A bound "
        "of 0 means that nothing is proven."
    )
    rows = table_rows(details.bounds, columns)
    return Table(f"remedy_{number}_bounds", "What is proven, by the length of rules", columns, rows, note=note)


def frontier_table(details: RulesDetails, number: int) -> Table:
    """Return rule sets of other settings, made of the same rules, on training and tuning rows."""
    columns = (
        ColumnSpec("max_complexity", "complexity allowed", "number", "A setting.", digits=0),
        ColumnSpec("max_difference", "difference allowed, points", "size", "A setting; for training less by a margin."),
        ColumnSpec("complexity", "complexity", "number", "What the list of rules has.", digits=0),
        ColumnSpec("trained_accuracy", "accuracy, training", "share", TRAINING),
        ColumnSpec("trained_gap", "largest difference, training, points", "size", TRAINING),
        ColumnSpec("accuracy", "accuracy, tuning", "share", TUNING),
        ColumnSpec("gap", "largest difference, tuning, points", "size", TUNING),
        ColumnSpec("chosen", "chosen", "text", "yes: the list of rules of this report."),
    )
    rows = table_rows(details.frontier, columns)
    note = "All are made of the rules that the search brought up; tuning rows were not learned from."
    return Table(f"remedy_{number}_frontier", "Rules of other settings", columns, rows, note=note)


def _totals(details: RulesDetails) -> dict[int, dict[str, Any]]:
    """Return the counts of each rule over all groups, and its precision; empty where they are hidden."""
    sums = details.coverage.groupby("rule")[list(COUNTS)].sum()
    sums = sums.assign(precision=sums["n_right"] / sums["n_covered"].where(sums["n_covered"] > 0))
    return {int(rule): record for rule, record in sums.to_dict("index").items()}
