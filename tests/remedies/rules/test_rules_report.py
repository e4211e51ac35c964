from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema, validator
from rules_by_hand import RULES, chosen_details, coverage, frontier, path, rate, rules_details

from fairaudit.findings import Count, Message
from fairaudit.measure.intervals import wilson
from fairaudit.messages import say
from fairaudit.present.blocks import Chart, Heading, Items, Paragraph, TableBlock
from fairaudit.remedies.charts import MOST_GAPS as MOST_DRAWN
from fairaudit.remedies.charts import (
    OUTSIDE,
    WITHIN,
    differences_alt,
    differences_chart,
    differences_note,
    drawn_gaps,
)
from fairaudit.remedies.rules.charts import (
    BEST,
    IN_PART,
    MOST_ROWS,
    PROVEN,
    rules_coverage_note,
    rules_frontier_alt,
    rules_frontier_chart,
    rules_path_alt,
    rules_path_chart,
)
from fairaudit.remedies.rules.details import ENDS, proof, rule_items
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.rules.section import RulesSection
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import drawn, to_pdf
from fairaudit.report.tables import all_tables
from fairaudit.sections.remedy.tables import quality_table

RACES = ("Amer-Indian", "Asian-Pac-Islander", "Black", "Other", "White")
BEFORE = ((20, 15, 60, 18), (60, 30, 180, 25), (90, 40, 700, 60), (19, 16, 50, 19), (1700, 650, 5600, 640))
AFTER = ((22, 16, 59, 16), (58, 28, 182, 27), (110, 60, 680, 40), (21, 18, 48, 17), (1690, 655, 5595, 650))
MANY = tuple(
    (f"x{i} is at most {i} and name is '{'long ' * 60}{i}'", f"x{i} <= {i}", i % 4 == 0, "") for i in range(15)
)


def rules_tables(details, number):
    return RulesSection().tables(SimpleNamespace(details=details), by_hand.facts(), number)


def remedy(*, groups=RACES, before=BEFORE, after=AFTER, details=None, plan=None, **options):
    made = details or rules_details(groups, after, **options)
    asked = plan or RulesPlan(fairness=made.fairness, max_difference=made.max_difference)
    return by_hand.remedy("rules", groups=groups, before=before, after=after, details=made, plan=asked)


def study(*remedies):
    return replace(by_hand.remedies(("plain",)), remedies=remedies)


def rows_of(table: TableBlock) -> list[dict]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def tables_of(details) -> dict[str, TableBlock]:
    return {table.key.removeprefix("remedy_2_"): table for table in rules_tables(details, 2)}


def records(chart) -> list[dict]:
    return [row for rows in chart.to_dict(validate=False)["datasets"].values() for row in rows]


def section_of(*remedies, **options) -> list:
    blocks = list(compose_annexes(by_hand.audit(study(*remedies), **options)).blocks)
    start = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2)
    return blocks[start : next(i for i, b in enumerate(blocks) if isinstance(b, Heading) and "The data" in b.text)]


def test_the_table_of_rules_sums_over_groups():
    details = rules_details(RACES, AFTER)
    rows = rows_of(tables_of(details)["rules"])
    assert [row["text"] for row in rows] == [text for text, *_ in RULES]
    for row in rows:
        mine = details.coverage[details.coverage["rule"] == row["rule"]]
        assert row["n_covered"] == mine["n_covered"].sum()
        assert row["n_only_wrong"] == mine["n_only_wrong"].sum()
        assert row["precision"] == pytest.approx(mine["n_right"].sum() / mine["n_covered"].sum())
    assert [row["uses_protected"] for row in rows] == [False, False, True]
    assert [row["proxies"] for row in rows] == ["", "prior_offences", ""]


def test_the_table_of_coverage_holds_each_rule_and_group_with_wilson_intervals():
    rows = rows_of(tables_of(rules_details(RACES, AFTER))["coverage"])
    assert [(row["rule"], row["group"]) for row in rows] == [(rule, group) for rule in range(4) for group in RACES]
    whole = {row["group"]: row for row in rows if row["rule"] == 0}
    for group, (tp, fp, tn, fn) in zip(RACES, AFTER, strict=True):
        assert (whole[group]["n_covered"], whole[group]["n_right"]) == (tp + fp, tp)
        assert whole[group]["coverage_interval"] == pytest.approx(wilson(tp + fp, tp + fp + tn + fn))
        assert whole[group]["precision_interval"] == pytest.approx(wilson(tp, tp + fp))


def test_the_table_of_rates_shows_all_parts_of_the_rows_side_by_side():
    details = rules_details(RACES, AFTER)
    rows = rows_of(tables_of(details)["rates"])
    assert len(rows) == 20
    for row, gap in zip(rows, details.gaps.itertuples(), strict=True):
        one, other = (rate(row["rate"], AFTER[RACES.index(row[name])])[0] for name in ("first", "second"))
        assert row["held_out"] == pytest.approx(one - other)
        assert (row["trained"], row["tuned"], row["held_out_interval"]) == (gap.trained, gap.tuned, (gap.low, gap.high))


def test_a_rule_set_has_no_row_of_scores():
    finding = remedy()
    ruled, other = (quality_table(each, 1) for each in (finding, by_hand.remedy("relabel")))
    assert [row["measure"] for row in rows_of(ruled)] == ["accuracy", "balanced_accuracy"]
    assert "auc" in {row["measure"] for row in rows_of(other)}


def test_how_the_search_ended_is_shown_in_figures():
    found = {
        row["figure"]: row for row in rows_of(tables_of(rules_details(RACES, AFTER, status="work_limit"))["search"])
    }
    assert found["end of the search"]["words"] == ENDS["work_limit"]
    assert found["errors, as the search counts"]["value"] == 1234
    assert found["fewest possible, proven"]["value"] == 1180
    assert found["limit, training cases"]["gap"] == 0.05
    chosen = {row["figure"] for row in rows_of(tables_of(chosen_details(RACES, AFTER, fairness=None))["search"])}
    assert not {name for name in chosen if "errors" in name or "limit" in name or "round" in name}


def test_the_chart_of_gaps_draws_each_part_of_the_rows_and_what_is_allowed():
    details = rules_details(RACES, AFTER)
    found = records(differences_chart(details.gaps, allowed=0.05))
    points = [r for r in found if "kind" in r and "end" not in r]
    held = [r for r in points if r["kind"] in (WITHIN, OUTSIDE)]
    assert len(held) == MOST_DRAWN == len(points) / 3
    largest = details.gaps["held_out"].abs().nlargest(MOST_DRAWN).index
    assert sorted(r["value"] for r in held) == pytest.approx(sorted(details.gaps.loc[largest, "held_out"]))
    outside = {r["value"] for r in held if r["kind"] == OUTSIDE}
    assert outside == {v for v in details.gaps.loc[largest, "held_out"] if abs(v) > 0.05}
    assert {(r["value"], r["end"]) for r in found if set(r) == {"value", "end"}} == {(-0.05, 0.05)}
    assert differences_note(details.gaps) == say(Message("limits-chart-left-out", {"n": Count(20 - MOST_DRAWN)}))
    assert differences_note(details.gaps) in differences_alt(details.gaps)


def test_a_few_gaps_are_all_drawn():
    gaps = rules_details(by_hand.GROUPS, by_hand.AFTER).gaps
    assert len(drawn_gaps(gaps.assign(n_first=[5, 500]))) == 2
    assert differences_note(gaps.assign(n_first=[5, 500])) == ""


def test_gaps_of_few_rows_or_without_a_value_are_counted_and_not_drawn():
    gaps = rules_details(RACES, AFTER).gaps
    few = gaps.assign(n_first=[5, *gaps["n_first"][1:]], held_out=[0.9, math.nan, *gaps["held_out"][2:]])
    assert 0.9 not in set(drawn_gaps(few)["held_out"])
    assert differences_note(few) == say(Message("limits-chart-left-out", {"n": Count(20 - MOST_DRAWN)}))
    assert "nan" not in differences_alt(few)


def test_the_chart_of_the_search_draws_the_bound_rules_in_part_and_the_best_so_far():
    rounds = path()
    found = records(rules_path_chart(rounds))
    series = {name: [r["value"] for r in found if r.get("series") == name] for name in (PROVEN, IN_PART, BEST)}
    assert set(series[PROVEN]) == set(rounds["bound"]) - {0.0}
    assert set(series[IN_PART]) == set(rounds["lp_value"])
    assert set(series[BEST]) == set(rounds["incumbent"].dropna())
    assert set(rounds["n_columns"]) <= {r["value"] for r in found if "series" not in r}
    ended = [r for r in records(rules_path_chart(rounds, reached=1222.0)) if r.get("value") == 1222]
    assert len(ended) == 1
    assert "1,222" in rules_path_alt(rounds, reached=1222.0) and "nan" not in rules_path_alt(path(1))


def test_the_chart_of_settings_joins_what_no_other_beats_and_marks_the_chosen_one():
    table = frontier()
    found = [r for r in records(rules_frontier_chart(table, allowed=0.05)) if "series" in r]
    for name, rows in table.groupby("max_complexity"):
        mine = {(r["value"], r["y"]) for r in found if r["series"] == f"up to {name}"}
        assert mine == set(zip(rows["gap"], rows["accuracy"], strict=True))
    joined = [(r["value"], r["y"]) for r in sorted((r for r in found if "order" in r), key=lambda r: r["order"])]
    points = list(zip(table["gap"], table["accuracy"], strict=True))
    best = [(g, a) for g, a in points if not any(h <= g and b >= a and (h, b) != (g, a) for h, b in points)]
    assert joined == sorted(best) and 1 < len(best) < len(table)
    [chosen] = {(r["value"], r["y"]) for r in found if r["chosen"]}
    assert chosen == tuple(table.loc[table["chosen"], ["gap", "accuracy"]].iloc[0])
    assert "nan" not in rules_frontier_alt(table)


def test_without_a_limit_settings_are_placed_by_their_complexity():
    table = frontier(limits=(math.nan,), chosen=None)
    found = [r for r in records(rules_frontier_chart(table)) if "series" in r]
    assert {(r["value"], r["y"]) for r in found} == set(zip(table["complexity"], table["accuracy"], strict=True))
    assert "nan" not in rules_frontier_alt(table)


def test_empty_and_undefined_results_are_drawn_as_nothing():
    details = rules_details(RACES, AFTER)
    for chart in (
        differences_chart(details.gaps.iloc[:0], allowed=0.05),
        differences_chart(details.gaps.assign(held_out=math.nan, low=math.nan, high=math.nan), allowed=0.0),
        rules_path_chart(path(0)),
        rules_path_chart(path(1)),
        rules_path_chart(path().assign(lp_value=math.nan, bound=math.nan, incumbent=math.nan)),
        rules_frontier_chart(frontier(()), allowed=0.05),
        rules_frontier_chart(frontier().assign(accuracy=math.nan), allowed=None),
    ):
        assert drawn(chart)[0].startswith("<svg")


def test_the_chapter_shows_the_rules_whom_they_concern_and_how_they_were_found():
    section = section_of(remedy(details=rules_details(RACES, AFTER, notes=("Said.",))))
    keys = [block.key.removeprefix("remedy_1_") for block in section if isinstance(block, (Chart, TableBlock))]
    order = ["chart", "rates_chart", "path_chart", "frontier_chart"]
    assert [key for key in keys if key in order] == order
    [rules] = [block for block in section if isinstance(block, Items) and len(block.items) == 3]
    assert rules.items == rule_items(rules_details(RACES, AFTER))
    proven = say(proof(rules_details(RACES, AFTER)))
    assert any(proven in block.text for block in section if isinstance(block, Paragraph))


def test_few_rules_and_groups_are_drawn_too():
    given = {"groups": by_hand.GROUPS, "before": by_hand.BEFORE, "after": by_hand.AFTER}
    assert "remedy_1_coverage_chart" in {b.key for b in section_of(remedy(**given)) if isinstance(b, Chart)}


def test_chosen_rules_have_no_search_and_no_loss_in_their_chapter():
    details = chosen_details(RACES, AFTER)
    section = section_of(remedy(details=details, plan=RulesPlan(rules=("age <= 25 AND prior_offences > 3",))))
    keys = {block.key.removeprefix("remedy_1_") for block in section if isinstance(block, (Chart, TableBlock))}
    assert not {"path_chart", "frontier_chart", "frontier"} & keys
    text = " ".join(block.text for block in section if isinstance(block, Paragraph))
    assert say(Message("rules-made-by-hand")) in text and "nan" not in text


def test_one_setting_alone_is_no_frontier_to_draw():
    section = section_of(remedy(details=rules_details(RACES, AFTER, frontier=frontier((15,), (0.05,)))))
    assert "remedy_1_frontier_chart" not in {block.key for block in section if isinstance(block, Chart)}


@pytest.mark.parametrize(
    "details",
    [
        rules_details(RACES, AFTER, said=MANY, max_complexity=60, status="stopped", stopped=True),
        rules_details(RACES, AFTER, said=()),
        rules_details(RACES, ((0, 0, 0, 0), (0, 0, 12, 9), *AFTER[2:]), optimality_gap=1.0, bound=0.0),
        chosen_details(RACES, AFTER, fairness=None),
        rules_details(RACES, AFTER, fairness=None, status="optimal", frontier=frontier(limits=(math.nan,))),
    ],
    ids=["many long rules", "no rule", "empty group", "chosen", "no limit"],
)
def test_any_rule_set_is_printed_and_keeps_the_schema(details):
    result = by_hand.audit(study(remedy(details=details)))
    document = compose_annexes(result)
    text = " ".join(block.text for block in document.blocks if isinstance(block, Paragraph))
    assert "nan" not in text and "None" not in text
    assert to_pdf(document).startswith(b"%PDF")
    assert not against_schema(json.loads(to_json(result)))


def test_hostile_names_and_rules_are_printed_as_text():
    groups = ("\U0001f3f3\ufe0f\u200d\U0001f308 $x$ *b*", "日本語", "a" * 90, "\u202eevil\u202c \x00", "=cmd|' /C'!A0")
    said = (
        ("日本 \u202e is `x` #set $1$ [[b]] <script>alert(1)</script>", "\"日本\" = '#set'", True, "col]], =b"),
        ('=HYPERLINK("x") is missing', "a IS NULL", False, ""),
    )
    result = by_hand.audit(study(remedy(groups=groups, details=rules_details(groups, AFTER, said=said))))
    assert to_pdf(compose_annexes(result)).startswith(b"%PDF")
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        rows = list(csv.DictReader(io.StringIO(bundle.read("remedy_1_rules.csv").decode("utf-8-sig"))))
    assert rows[1]["text"].startswith("'=HYPERLINK")


def test_the_bundle_holds_every_rule_group_and_round_with_a_dictionary():
    result = by_hand.audit(study(remedy()))
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        files = {
            name: list(csv.DictReader(io.StringIO(bundle.read(f"remedy_1_{name}.csv").decode("utf-8-sig"))))
            for name in ("rules", "coverage", "rates", "search", "path", "frontier")
        }
        described = list(csv.DictReader(io.StringIO(bundle.read("data_dictionary.csv").decode("utf-8-sig"))))
    assert {name: len(rows) for name, rows in files.items() if name != "search"} == {
        "rules": 3, "coverage": 20, "rates": 20, "path": 12, "frontier": 16,
    }  # fmt: skip
    known = {(row["file"], row["column"]) for row in described if row["meaning"]}
    assert {(f"remedy_1_{name}.csv", column) for name, rows in files.items() for column in rows[0]} <= known


def test_the_schema_names_each_column_of_the_frames():
    details = rules_details(RACES, AFTER)
    parts = validator().schema["$defs"]
    for name in ("rules", "coverage", "gaps", "path", "frontier"):
        assert set(parts[f"RulesDetails_{name}"]["required"]) == set(getattr(details, name).columns), name
    assert isinstance(details.coverage, pd.DataFrame) and coverage(RACES, AFTER, 1)["rule"].max() == 1


def test_no_two_columns_of_a_table_have_one_name():
    for table in all_tables(by_hand.audit(study(remedy(), by_hand.remedy("relabel"), by_hand.remedy("thresholds")))):
        labels = [column.label for column in table.columns]
        assert len(set(labels)) == len(labels), table.key


def test_a_chart_of_rules_says_how_many_rows_it_leaves_out():
    few = coverage(RACES, AFTER, 2)
    many = coverage([f"g{i}" for i in range(20)], AFTER[:1] * 20, 5)
    assert rules_coverage_note(few) == ()
    # Of 20 groups 13 are drawn, all together and by the first two rules.
    left = Count(len(many) - 13 * (MOST_ROWS // 13))
    assert rules_coverage_note(many) == (Message("limits-chart-left-out", {"n": left}),)
