"""The tables of a rule set as they stand on paper: a rule a row, and a group a column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from fairaudit.measure.gaps import ENOUGH
from fairaudit.present.blocks import ColumnSpec, Table, cell_text
from fairaudit.present.brief import capital, shorten
from fairaudit.present.numbers import MINUS, NOT_SHOWN, tolerance_text
from fairaudit.present.printed_tables import pick, records
from fairaudit.remedies.rules.details import RulesDetails
from fairaudit.remedies.rules.tables import coverage_table, rates_table, whole_set
from fairaudit.remedies.shared.alike_table import worst_pairs

MOST_GROUPS = 6
"""Groups that a table on paper holds."""
MOST_GAPS = 12
"""Gaps that a table on paper holds."""
MOST_SETTINGS = 6
"""Rule sets of other settings that a table on paper holds; the chart beside it draws them, too."""
_GROUP = 40


def printed_rules(table: Table) -> Table:
    """Return what each rule costs and does for paper, from :func:`~fairaudit.remedies.rules.tables.rules_table`."""
    names = ("rule", "n_conditions", "cost", "n_covered", "n_right", "precision", "n_only", "n_only_wrong")
    shown = [name for name in names if any(row[name] != NOT_SHOWN for row in records(table))]
    note = "Costs: 1 and 1 for each condition."
    if "n_covered" in shown:
        note += (
            " Holds for: held-out rows of all groups; rightly: those that have the outcome. Only this rule: rows that "
            "would not be found without it; wrongly: those of them without the outcome."
        )
    else:
        note += " Whom each rule concerns is not shown: a count that is too small to be shown is among those."
    return replace(pick(table, shown), title="What each rule costs and does", note=note)


def printed_coverage(details: RulesDetails, number: int) -> list[Table]:
    """Return whom each rule concerns for paper: how often it holds and how often rightly, a group a column."""
    if not len(details.coverage):
        return []
    rows = whole_set(details.coverage)
    sizes = dict(zip(rows["group"], rows["n"], strict=True))
    largest = sorted(sizes, key=lambda group: -sizes[group])[:MOST_GROUPS]
    groups = [group for group in sizes if group in largest]
    some = ""
    if len(groups) < len(sizes):
        some = f" The {len(groups)} groups with most rows of {len(sizes)}; the CSV files hold all."
    full = coverage_table(details, number)
    found = {(record["rule"], record["group"]): record for record in records(full)}
    rules = sorted({rule for rule, _ in found}, key=lambda rule: (rule == 0, rule))
    heads = {group: f"{shorten(group, _GROUP)} ({cell_text(sizes[group], 'count')} rows)" for group in groups}
    holds = f"Of the group's held-out rows, with intervals.{some}"
    right = f"Of the rows that the rule holds for, how many have the outcome; intervals and rows.{some}"
    return [
        _crossed(f"{full.key}_share", "How often each rule holds, by group", holds, rules, heads, found, _holds),
        _crossed(f"{full.key}_right", "How often it is right where it holds", right, rules, heads, found, _right),
    ]


def printed_rates(details: RulesDetails, number: int) -> list[Table]:
    """Return the gaps on training, tuning and held-out rows for paper, one table a rate."""
    by_rate = details.gaps.groupby("rate_words", sort=False)
    most = max(1, MOST_GAPS // max(1, by_rate.ngroups))
    return [_rate(details, gaps, most, number, i) for i, (_, gaps) in enumerate(by_rate, start=1)]


def _rate(details: RulesDetails, gaps: pd.DataFrame, most: int, number: int, position: int) -> Table:
    kept = worst_pairs(gaps, most)
    table = rates_table(replace(details, gaps=gaps.iloc[kept]), number)
    near = {"beside": details.max_difference}
    columns = (
        ColumnSpec("groups", "first − second group"),
        ColumnSpec("trained", "training", "points", **near),
        ColumnSpec("tuned", "tuning", "points", **near),
        ColumnSpec("held_out", "held out (interval)"),
        ColumnSpec("n", "rows of each"),
        ColumnSpec("reading", "reading"),
    )
    rows = tuple(
        (
            f"{row['first']} {MINUS} {row['second']}",
            row["trained"],
            row["tuned"],
            f"{cell_text(row['held_out'], 'points', **near)} "
            f"({cell_text(row['held_out_interval'], 'points_interval', **near)})",
            " / ".join(cell_text(row[name], "count") for name in ("n_first", "n_second")),
            row["reading"],
        )
        for row in records(table)
    )
    note = "Differences in points, the first group minus the second. Interval, rows and reading: of the held-out rows."
    if len(kept) < len(gaps):
        note = (
            f"{len(kept)} of {len(gaps):,} differences, the largest on the held-out rows; those with fewer than "
            f"{ENOUGH} rows in a group come last. The CSV files hold all. {note}"
        )
    title = f"{capital(gaps['rate_words'].iloc[0])}, at most {tolerance_text(details.max_difference)} apart"
    made = replace(table, key=f"{table.key}_{position}", title=title, columns=columns, rows=rows, note=note)
    return pick(made, [c.name for i, c in enumerate(columns) if any(row[i] != NOT_SHOWN for row in rows)])


def printed_settings(table: Table) -> Table:
    """Return rule sets of other settings for paper, from :func:`~fairaudit.remedies.rules.tables.frontier_table`.

    Of many, those that no other beats in both accuracy and gap on the tuning rows, and the chosen one.
    """
    rows, note = table.rows, table.note
    if len(rows) > MOST_SETTINGS:
        found = records(table)
        chosen = [i for i, row in enumerate(found) if row["chosen"]]
        best = [i for i, row in enumerate(found) if not any(_beats(other, row) for other in found)]
        # Other settings often give the same rule set: each place once, the chosen one before others.
        places: dict[tuple[float, float], int] = {}
        for i in (*chosen, *best):
            places.setdefault((found[i]["accuracy"], found[i]["gap"]), i)
        others = sorted(set(places.values()) - set(chosen), key=lambda i: (found[i]["accuracy"], i))
        some, room = "", MOST_SETTINGS - len(chosen)
        if len(others) > room:
            # From one end to the other, so that what more accuracy costs is seen.
            others = [others[round(step * (len(others) - 1) / (room - 1))] for step in range(room)]
            some = "some of "
        rows = tuple(rows[i] for i in sorted([*chosen, *others]))
        note = (
            f"{len(rows)} of {len(found)} rule sets: {some}those that no other beats in both accuracy and difference "
            f"on the tuning rows, and the chosen one. The CSV files hold all. {note}"
        )
    heads = {
        "max_complexity": "complexity allowed",
        "max_difference": "difference allowed",
        "complexity": "complexity",
        "trained_gap": "difference, training",
        "accuracy": "accuracy, tuning",
        "gap": "difference, tuning",
        "chosen": "chosen",
    }
    made = pick(replace(table, rows=rows, note=note), heads)
    made = replace(made, columns=tuple(replace(column, label=heads[column.name]) for column in made.columns))
    if all(_is_nan(row["gap"]) for row in records(made)):
        # Without a limit on gaps there are none to show.
        return pick(made, ("max_complexity", "complexity", "accuracy", "chosen"))
    return replace(made, title=f"{table.title}, differences in points")


def _crossed(
    key: str,
    title: str,
    note: str,
    rules: list[int],
    heads: dict[str, str],
    found: dict[tuple[int, str], Any],
    cell: Any,
) -> Table:
    columns = [ColumnSpec("rule", "rule")]
    columns += [ColumnSpec(f"group_{i}", head) for i, head in enumerate(heads.values(), start=1)]
    rows = tuple(
        ("all rules" if rule == 0 else f"rule {rule}", *(cell(found[rule, group]) for group in heads)) for rule in rules
    )
    return Table(key, title, tuple(columns), rows, note=note)


def _holds(record: dict[str, Any]) -> str:
    return _share(record, "coverage")


def _right(record: dict[str, Any]) -> str:
    if not record["n_covered"]:
        return "holds for none"
    some, of = (cell_text(record[name], "count") for name in ("n_right", "n_covered"))
    return f"{_share(record, 'precision')}, {some} of {of}"


def _share(record: dict[str, Any], name: str) -> str:
    interval = cell_text(record[f"{name}_interval"], "share_interval")
    return f"{cell_text(record[name], 'share')} ({interval})"


def _beats(other: dict[str, Any], row: dict[str, Any]) -> bool:
    better = other["accuracy"] >= row["accuracy"] and other["gap"] <= row["gap"]
    return bool(better and (other["accuracy"], other["gap"]) != (row["accuracy"], row["gap"]))


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and value != value
