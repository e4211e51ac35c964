from __future__ import annotations

import csv
import io
import json
import math
import re
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema
from trees_by_hand import nodes, settings, trees_details

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.present.blocks import Chart, Code, Heading, Paragraph, TableBlock, cell_text
from fairaudit.present.charts import theme
from fairaudit.present.numbers import share_text
from fairaudit.remedies.trees.charts import (
    Unit,
    bounds_alt,
    clickable_tree_chart,
    depth_lines,
    depths_alt,
    drawn_tree,
    settings_alt,
    similar_alt,
    similar_people_chart,
    tree_bounds_chart,
    tree_depths_chart,
    tree_settings_chart,
)
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.section import TreesSection
from fairaudit.remedies.trees.words import drawn_levels, made, similar
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import WIDTH, drawn, to_pdf

HOSTILE = ("<b>*x*</b> [1](http://x)", "#let a = 1; \u202e$x$ \u4e2d")


def trees_tables(details, number):
    return TreesSection().tables(SimpleNamespace(details=details), by_hand.facts(), number)


def remedy(details=None, *, groups=by_hand.GROUPS, after=by_hand.AFTER, **options):
    made = details or trees_details(groups, after, **options)
    plan = TreesPlan(max_depth=2, constraint=made.constraint)
    return by_hand.remedy("rules", name="Decision tree", groups=groups, after=after, plan=plan, details=made)


def study(*remedies):
    return replace(by_hand.remedies(("plain",)), remedies=remedies)


def section_of(*remedies, **options) -> list:
    blocks = list(compose_annexes(by_hand.audit(study(*remedies), **options)).blocks)
    start = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2)
    return blocks[start : next(i for i, b in enumerate(blocks) if isinstance(b, Heading) and "The data" in b.text)]


def rows_of(table: TableBlock) -> list[dict]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def tables_of(details) -> dict[str, TableBlock]:
    return {table.key.removeprefix("remedy_2_"): table for table in trees_tables(details, 2)}


def records(chart) -> list[dict]:
    return [row for rows in chart.to_dict(validate=False)["datasets"].values() for row in rows]


def full_nodes(depth: int) -> pd.DataFrame:
    """The nodes of a tree that splits everywhere."""
    rows = []
    for number in range(1, 2 ** (depth + 1)):
        level = number.bit_length() - 1
        leaf = level == depth
        place = (number - 2**level + 0.5) * 2 ** (depth - level) - 0.5
        side = "" if number == 1 else "no" if number % 2 else "yes"
        words = f"the outcome {'long ' * 6}" if leaf else f"a column of a long name {number} is at most {number}.25"
        rows.append((number, number // 2, side, level, place, float(level), leaf, words,
                     float(number % 2) if leaf else math.nan, f"way {number}", "TRUE", False, ""))  # fmt: skip
    return pd.DataFrame(rows, columns=list(nodes().columns))


def of_depth(depth: int):
    """The same details with a full tree in which twenty of each group come to each leaf."""
    found = trees_details(by_hand.GROUPS, by_hand.AFTER)
    made = full_nodes(depth)
    sizes = [(int(row.node), group, 60, 30, 0.5, n, n // 2, 0.5, 0.3, 0.7) for row in made.itertuples()
             for group in by_hand.GROUPS for n in [20 * 2 ** (depth - int(row.depth))]]  # fmt: skip
    counts = pd.DataFrame(sizes, columns=list(found.counts.columns))
    ends = made[made["is_leaf"]]
    leaves = pd.DataFrame(
        [(int(row.node), row.path, row.words, 120, 40, 20, 0.5, 0.3, 0.7) for row in ends.itertuples()],
        columns=list(found.leaves.columns),
    )
    return replace(found, nodes=made, counts=counts, leaves=leaves, depth=depth, n_leaves=2**depth)


# Tables.


def test_the_tables_hold_every_node_group_and_leaf():
    details = trees_details(by_hand.GROUPS, by_hand.AFTER)
    tables = tables_of(details)
    tree = rows_of(tables["tree"])
    assert [row["node"] for row in tree] == [1, 2, 3, 6, 7]
    assert [row["side"] for row in tree] == ["", "yes", "no", "yes", "no"]
    assert [row["prediction"] for row in tree] == ["", 0.0, "", 1.0, 0.0]
    assert len(tables["nodes"].rows) == 5 * len(by_hand.GROUPS)
    leaves = rows_of(tables["leaves"])
    tp, fp, tn, fn = (sum(cells[i] for cells in by_hand.AFTER) for i in range(4))
    assert [row["leaf"] for row in leaves] == [2, 6, 7]
    assert (leaves[1]["n"], leaves[1]["n_right"]) == (tp + fp, tp)
    assert sum(row["n"] for row in leaves) == tp + fp + tn + fn
    assert sum(row["n_right"] for row in leaves) == tp + tn


def test_gaps_or_ratios_are_shown_by_what_was_asked():
    assert tables_of(trees_details(by_hand.GROUPS, by_hand.AFTER))["alike"].columns[0].name == "rate"
    fifths = tables_of(trees_details(by_hand.GROUPS, by_hand.AFTER, constraint="four_fifths"))["alike"]
    [row] = rows_of(fifths)
    shares = [(tp + fp) / (tp + fp + tn + fn) for tp, fp, tn, fn in by_hand.AFTER]
    assert row["held_out"] == pytest.approx(min(shares) / max(shares))


# Charts.


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_a_tree_is_drawn_as_on_its_page_as_far_as_it_has_room(depth):
    details = of_depth(depth)
    block = drawn_tree(details, by_hand.facts(), 1)
    page = clickable_tree_chart(details.nodes, details.counts, levels=drawn_levels(details.nodes))
    assert json.dumps(block.chart.to_dict()) == json.dumps(page.to_dict())
    svg, width = drawn(block.chart)
    sizes = (float(re.search(rf'{side}="([\d.]+)"', svg).group(1)) for side in ("height", "width"))
    height = min(width, WIDTH) * next(sizes) / next(sizes)
    assert height < 690, "it fits a page below a line of its caption"
    part = say(Message("tree-title-part", {"n": Count(4)}))
    assert (block.title == part) == (depth > 4)


def test_a_tree_whose_counts_are_hidden_is_drawn_without_them():
    details = trees_details(by_hand.GROUPS, by_hand.AFTER)
    nodes = details.nodes.astype({"words": object, "path": object, "prediction": object})
    nodes.loc[nodes["node"] == 2, ["words", "path", "prediction"]] = None
    block = drawn_tree(replace(details, nodes=nodes, counts=details.counts.iloc[:0]), by_hand.facts(), 1)
    shown = {record["text"] for record in records(block.chart) if "text" in record}
    assert "not shown" in shown and "(2)" in shown and not any("case" in text for text in shown)
    assert "case" not in block.alt
    frames = {layer["mark"].get("fill") for layer in block.chart.to_dict()["layer"] if layer["mark"]["type"] == "rect"}
    assert theme.GAP in frames, "a leaf that is shown says what it predicts; the hidden one is as blank as a question"
    square = [r for r in records(block.chart) if r.get("kind") == "no"]
    assert 2 not in {record["node"] for record in square}


def test_the_texts_of_the_charts_hold_their_numbers():
    details = trees_details(by_hand.GROUPS, by_hand.AFTER)
    assert "0.1631" in bounds_alt(details.bounds)
    assert settings_alt(details.settings, allowed=0.05).count("points apart") == 5
    assert "0.2000" in settings_alt(settings(index=0.2), by="index")
    assert depths_alt(details.settings).count(say(Message("tree-line-training"))) == 3
    assert "85%" in similar_alt(details) and "75%" in similar_alt(details)


def test_the_charts_draw_what_their_frames_hold():
    details = trees_details(by_hand.GROUPS, by_hand.AFTER)
    assert len([r for r in records(tree_bounds_chart(details.bounds)) if "series" in r]) == 12
    points = [r for r in records(tree_settings_chart(details.settings, allowed=0.05)) if "quality" in r]
    assert len({r["series"] for r in points}) == 4
    assert sorted({r["x"] for r in records(tree_depths_chart(details.settings))}) == [1, 2, 3]
    assert len(records(similar_people_chart(details))) == 10
    tree_settings_chart(settings(index=0.2), by="index")
    tree_settings_chart(settings(gap=0.9), allowed=0.8, unit=Unit(by_ratio=True))


def test_depth_shows_errors_or_with_a_price_what_was_made_small_and_its_bound():
    free = depth_lines(settings())
    assert free.kind == "share" and len(free.lines) == 2
    table = settings(index=0.2).assign(weight=0.5)
    priced = depth_lines(table)
    shown = table[table["setting"].isin(["depth", "asked"])].sort_values("max_depth", kind="stable")
    assert priced.lines[0][1] == tuple(shown["objective"]) and priced.lines[1][1] == tuple(shown["bound"])
    assert priced.title.key == "tree-depths-priced"
    assert depth_lines(table.assign(objective=np.nan)).kind == "share", "a search that looks ahead has no objective"


# The chapter and the exports.


def test_the_search_in_figures_shows_counts_whole_and_shares_in_percent():
    def figures(**options) -> dict[str, list[str]]:
        table = tables_of(trees_details(by_hand.GROUPS, by_hand.AFTER, **options))["found"]
        return {
            row[0]: [
                cell_text(cell, column.kind, digits=column.digits)
                for column, cell in zip(table.columns, row, strict=True)
            ][1:4]
            for row in table.rows
        }

    plain = figures(n_splits=77, objective=0.3698)
    assert plain["questions considered"] == ["", "77", ""] and plain["leaves"] == ["", "3", ""]
    assert plain["what is made small"] == ["", "", share_text(0.3698)]
    priced = figures(objective=0.3698, discrimination="didi", fairness_weight=0.5)
    assert priced["what is made small"] == ["0.3698", "", ""]


def test_the_chapter_shows_the_tree_whom_it_concerns_and_how_it_was_found():
    blocks = section_of(remedy())
    said = {block.text for block in blocks if isinstance(block, Paragraph)}
    details = remedy().details
    assert {say(made(details)), say(similar(details))} <= said
    shown = {block.key for block in blocks if isinstance(block, TableBlock)}
    assert {"remedy_1_alike", "remedy_1_indices"} <= shown
    keys = [block.key.removeprefix("remedy_1_") for block in blocks if isinstance(block, Chart)]
    assert [key for key in keys if key != "remedies_frontier"] == [
        "chart", "tree_chart", "groups_chart", "similar_chart", "bounds_chart", "settings_chart", "depths_chart",
    ]  # fmt: skip
    bundled = {table.key for table in trees_tables(remedy().details, 1)}
    for block in blocks:
        shared = ("remedy_1_chart", "remedy_1_groups_chart", "remedies_frontier")
        if isinstance(block, Chart) and block.key not in shared:
            assert block.table_key in bundled, block.key
    [words] = [block for block in blocks if isinstance(block, Code)]
    assert words.text.startswith("if age is at most 25") and words.text.endswith(say(Message("tree-missing")))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"constraint": "four_fifths"},
        {"constraint": "equalized_odds", "status": "work_limit", "optimality_gap": 0.3, "bound": 0.1},
        {"constraint": None, "discrimination": "dtdi", "fairness_weight": 0.5, "settings": settings(index=0.1)},
        {"search": "look_ahead", "method": "look_ahead", "status": "grown", "objective": math.nan, "bound": math.nan,
         "optimality_gap": math.nan, "bounds": trees_details(by_hand.GROUPS, by_hand.AFTER).bounds.iloc[:0]},
    ],
)  # fmt: skip
def test_any_tree_is_printed_and_keeps_the_schema(options):
    audit = by_hand.audit(study(remedy(**options)))
    assert to_pdf(compose_annexes(audit)).startswith(b"%PDF")
    assert not against_schema(json.loads(to_json(audit)))


def test_hostile_names_are_printed_as_text():
    found = trees_details(HOSTILE, by_hand.AFTER)
    hostile = replace(found, nodes=found.nodes.assign(words=[f"{HOSTILE[i % 2]} {i}" for i in range(5)]))
    audit = by_hand.audit(study(remedy(hostile, groups=HOSTILE)))
    assert to_pdf(compose_annexes(audit)).startswith(b"%PDF")


def test_the_bundle_holds_the_tables_with_a_dictionary():
    bundle = zipfile.ZipFile(io.BytesIO(to_csv_bundle(by_hand.audit(study(remedy())))))
    names = {name.removesuffix(".csv") for name in bundle.namelist()}
    tables = trees_tables(remedy().details, 1)
    assert {table.key for table in tables} <= names
    said = list(csv.DictReader(io.StringIO(bundle.read("remedy_1_nodes.csv").decode("utf-8-sig"))))
    assert len(said) == 10 and {"rate_interval_low", "rate_interval_high"} <= set(said[0])
    assert all(column.meaning for table in tables for column in table.columns)
