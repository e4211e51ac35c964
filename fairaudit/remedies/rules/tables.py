"""The tables of a rule set: its rules, whom each concerns, its gaps on all parts of the rows, and how it was found."""

from __future__ import annotations

from typing import Any

from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import shown
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.shared.group_gaps import TRAINING, TUNING, differences_table, table_rows
from fairaudit.study.findings import RemedyFinding

COUNTS = ("n", "n_covered", "n_right", "n_only", "n_only_wrong")
ENDS = {
    "gap": "all steps taken",
    "work_limit": "all work done that was allowed",
    "stopped": "stopped by a person",
    "optimal": "proven to be the best",
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
    """Return one row a rule: what it says, what it costs and what it does on the test cases of all groups."""
    columns = (
        ColumnSpec("rule", "rule", "number", "Its number.", digits=0),
        ColumnSpec("text", "in words", "text", "When it holds."),
        ColumnSpec("condition", "condition", "code", "The same as a plan writes it."),
        ColumnSpec("n_conditions", "conditions", "number", "All of them must hold.", digits=0),
        ColumnSpec("cost", "complexity", "number", "1, and 1 for each condition.", digits=0),
        ColumnSpec("uses_protected", "decides by group", "text", "yes: it uses a column that says the group."),
        ColumnSpec("proxies", "nearly says the group", "text", "Columns in it that nearly reveal the groups."),
        ColumnSpec("contrary", "speaks against it", "text", "Conditions where, alone, the outcome is rarer."),
        ColumnSpec("n_covered", "holds for", "count", "Test cases of a known group."),
        ColumnSpec("n_right", "right for", "count", "Those of them that have the outcome."),
        ColumnSpec("precision", "right, share", "share", "The same as a share."),
        ColumnSpec("n_only", "only this rule", "count", "Test cases that no other rule holds for."),
        ColumnSpec("n_only_wrong", "only this rule, wrong", "count", "Those of them without the outcome."),
    )
    totals = _totals(details)
    rows = []
    for row in details.rules.itertuples():
        counts = totals.get(row.rule)
        cells = [counts and counts[name] for name in ("n_covered", "n_right", "precision", "n_only", "n_only_wrong")]
        uses = None if row.uses_protected is None else bool(row.uses_protected)
        said = (row.text, row.condition, row.n_literals, row.cost, uses, row.proxies, row.contrary)
        rows.append((row.rule, *map(shown, (*said, *cells))))
    return Table(f"remedy_{number}_rules", "The rules", columns, tuple(rows))


def coverage_table(details: RulesDetails, number: int) -> Table:
    """Return one row for each rule and group, and for the whole set and group, on the test cases."""
    columns = (
        ColumnSpec("rule", "rule", "number", "Its number; 0: all rules together.", digits=0),
        ColumnSpec("group", "group", "group", "The group."),
        ColumnSpec("n", "test cases", "count", "Of the group."),
        ColumnSpec("n_covered", "holds for", "count", "Those that the rule holds for."),
        ColumnSpec("coverage", "share", "share", "The same as a share of the group."),
        ColumnSpec("coverage_interval", "likely range", "share_interval", "Wilson interval of that share."),
        ColumnSpec("n_right", "right for", "count", "Those of them that have the outcome."),
        ColumnSpec("precision", "right, share", "share", "The same as a share."),
        ColumnSpec("precision_interval", "its likely range", "share_interval", "Wilson interval of that share."),
        ColumnSpec("n_only", "only this rule", "count", "Cases that no other rule holds for."),
        ColumnSpec("n_only_wrong", "only this rule, wrong", "count", "Those of them without the outcome."),
    )
    rows = table_rows(details.coverage, columns)
    return Table(f"remedy_{number}_coverage", "Whom each rule concerns", columns, rows, note="Rule 0: all rules.")


def rates_table(details: RulesDetails, number: int) -> Table:
    """Return the difference of each rate and pair of groups on training, tuning and test cases side by side."""
    return differences_table(details, f"remedy_{number}_rates")


def search_table(details: RulesDetails, number: int) -> Table:
    """Return how the search for rules ended, one row a figure."""
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("value", "value", "number", "Where it is a number.", digits=1),
        ColumnSpec("share", "share", "share", "Where it is a share."),
        ColumnSpec("gap", "difference, points", "size", "Where it is a difference or a limit."),
        ColumnSpec("words", "in words", "text", "What is counted."),
    )
    found: list[tuple[str, Any, Any, Any, str]] = [
        ("end of the search", "", "", "", ENDS[details.status]),
        ("complexity allowed", details.max_complexity, "", "", ""),
        ("complexity", details.complexity, "", "", ""),
    ]
    if details.status != "chosen":
        found += [
            ("errors, as the search counts", shown(details.objective), "", "", details.objective_words),
            ("conditions of a rule, at most", details.max_rule_length, "", "", ""),
            ("bound, rules in part", shown(details.lp_bound), "", "", ""),
            ("fewest possible, proven", shown(details.bound), "", "", ""),
            ("above that, at most", "", shown(details.optimality_gap), "", "of the errors"),
            ("errors, each case once", shown(details.errors), "", "", ""),
            ("fewest possible, each case once", shown(details.errors_bound), "", "", ""),
            ("rules considered", details.n_columns, "", "", ""),
            ("rounds", details.n_rounds, "", "", ""),
        ]
    if details.fairness is not None:
        found += [
            ("limit", "", "", details.max_difference, ""),
            ("limit, training cases", "", "", details.trained_difference, ""),
            ("largest difference, training cases", "", "", shown(details.trained_gap), ""),
            ("largest difference, tuning cases", "", "", shown(details.tuned_gap), ""),
        ]
    found += [
        ("accuracy, training cases", "", shown(details.trained_accuracy), "", ""),
        ("accuracy, tuning cases", "", shown(details.tuned_accuracy), "", ""),
    ]
    return Table(f"remedy_{number}_search", "How the rules were found", columns, tuple(found))


def path_table(details: RulesDetails, number: int) -> Table:
    """Return one row a round of the search for rules."""
    columns = (
        ColumnSpec("round", "round", "number", "Its number.", digits=0),
        ColumnSpec("n_columns", "rules", "number", "Considered until then.", digits=0),
        ColumnSpec("lp_value", "rules in part", "number", "Fewest errors if rules counted in part.", digits=1),
        ColumnSpec("bound", "fewest possible", "number", "No allowed list has fewer errors.", digits=1),
        ColumnSpec("incumbent", "best so far", "number", "Errors of the best list found.", digits=1),
    )
    return Table(f"remedy_{number}_path", "Rounds of the search", columns, table_rows(details.path, columns))


def bounds_table(details: RulesDetails, number: int) -> Table:
    """Return what is proven of short rules, one row for each length."""
    columns = (
        ColumnSpec("max_rule_length", "conditions, at most", "number", "Of a rule.", digits=0),
        ColumnSpec("bound", "fewest errors", "number", "No allowed list of such rules has fewer.", digits=0),
    )
    rows = table_rows(details.bounds, columns)
    return Table(f"remedy_{number}_bounds", "Proven, by length of rules", columns, rows, note="0: nothing is proven.")


def frontier_table(details: RulesDetails, number: int) -> Table:
    """Return rule sets of other settings, made of the same rules, on training and tuning cases."""
    columns = (
        ColumnSpec("max_complexity", "complexity allowed", "number", "A setting.", digits=0),
        ColumnSpec("max_difference", "limit, points", "size", "A setting."),
        ColumnSpec("complexity", "complexity", "number", "Of the list of rules.", digits=0),
        ColumnSpec("trained_accuracy", "accuracy, training", "share", TRAINING),
        ColumnSpec("trained_gap", "largest difference, training", "size", TRAINING),
        ColumnSpec("accuracy", "accuracy, tuning", "share", TUNING),
        ColumnSpec("gap", "largest difference, tuning", "size", TUNING),
        ColumnSpec("chosen", "chosen", "text", "yes: these rules."),
    )
    rows = table_rows(details.frontier, columns)
    return Table(f"remedy_{number}_frontier", "Rules of other settings", columns, rows)


def _totals(details: RulesDetails) -> dict[int, dict[str, Any]]:
    """Return the counts of each rule over all groups, and its precision; empty where they are hidden."""
    sums = details.coverage.groupby("rule")[list(COUNTS)].sum()
    sums = sums.assign(precision=sums["n_right"] / sums["n_covered"].where(sums["n_covered"] > 0))
    return {int(rule): record for rule, record in sums.to_dict("index").items()}
