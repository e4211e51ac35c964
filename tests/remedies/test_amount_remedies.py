"""The chapter, tables, exports and masking of remedies where the decision is an amount."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from amounts_by_hand import CHECK, pay, plan
from json_schema import against_schema

from fairaudit import run
from fairaudit.findings import Message
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.present.blocks import Chart, Code, KeyValues, Paragraph, TableBlock
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.trees.charts import clickable_tree_chart
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.section import AmountTreesSection
from fairaudit.remedies.trees.words import SHADES, AmountNodes, clickable_tree_alt
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes, compose_report
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf
from fairaudit.report.tables import all_tables
from fairaudit.sections.compare import say_comparison
from fairaudit.sections.remedy.tables import NOTHING, amount_change_word
from fairaudit.study.amounts.findings import AmountChange

MODELS = ModelsPlan(features=("grade", "area"), protected="sex = 'F'", protected_name="women")
TREE = TreesPlan(max_depth=2, amount_difference=30, time_limit=20)
BOTH = (PlainPlan(model="linear_regression"), TREE)
SIMPLE = CHECK.model_copy(update={"compare": (), "strata": (), "similar_by": ()})


def asked(minimum=None, remedies=BOTH):
    """Return the plan of an audit of pay with remedies."""
    return plan(SIMPLE, minimum=minimum).model_copy(update={"models": MODELS, "remedies": remedies})


@pytest.fixture(scope="module")
def result():
    return run(asked(), table=pay())


def texts(document) -> str:
    return "\n".join(f"{b.strong} {b.text}" for b in document.blocks if isinstance(b, Paragraph))


@pytest.mark.parametrize(("above", "misses"), [(1e-10, False), (1, True)])
def test_a_difference_above_its_limit_by_rounding_alone_keeps_it(result, above, misses):
    found = result.amount_remedies
    gap = 30 + above
    details = replace(found.remedies[1].details, tuned_gap=gap, held_out_gap=gap)
    assert details.misses_limit(found.facts) is misses


def test_charts_refer_to_tables_of_the_bundle(result):
    keys = {table.key for table in all_tables(result)}
    drawn = [b for b in compose_annexes(result).blocks if isinstance(b, Chart) and b.key.startswith("remedy_")]
    assert {block.key for block in drawn} == {
        "remedy_2_chart",
        *(f"remedy_2_{name}_chart" for name in ("tree", "similar", "bounds", "settings", "depths")),
    }
    assert {block.table_key for block in drawn} <= keys
    assert all(block.chart.to_dict()["description"] == block.alt for block in drawn)


def test_the_tree_of_the_report_is_the_one_of_the_page_with_its_numbers(result):
    [drawn] = [block for block in compose_annexes(result).blocks if getattr(block, "key", "") == "remedy_2_tree_chart"]
    details = result.amount_remedies.remedies[1].details
    wording = AmountNodes(amount_digits(result.amount_remedies.facts.deviation))
    page = clickable_tree_chart(details.nodes, details.counts, wording=wording)
    assert json.dumps(drawn.chart.to_dict()) == json.dumps(page.to_dict())


def test_the_annex_holds_how_each_measure_changed(result):
    tables = {block.key: block for block in compose_annexes(result).blocks if isinstance(block, TableBlock)}
    assert "R²" in tables["remedy_2_changes"].note and len(tables["remedy_2_changes"].rows) == 3


def test_the_exports_hold_the_same_numbers_and_keep_the_schema(result):
    values = json.loads(to_json(result))
    assert not against_schema(values)
    said = values["amount_remedies"]["remedies"][1]
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        names = set(bundle.namelist())
        rows = list(csv.DictReader(io.StringIO(bundle.read("remedy_2_changes.csv").decode("utf-8-sig"))))
        dictionary = bundle.read("data_dictionary.csv").decode("utf-8-sig")
    assert {"remedies_summary.csv", "remedy_1_groups.csv", "remedy_2_leaves.csv", "remedy_2_bounds.csv"} <= names
    assert all(name in dictionary for name in names if name.startswith("remed"))
    by_measure = {change["measure"]: change for change in said["changes"]}
    for row in rows:
        assert float(row["after"]) == pytest.approx(by_measure[row["measure"]]["after"])
    assert values["remedies"] is None and json.loads(to_json(result)) == values


def test_the_report_becomes_a_pdf(result):
    assert to_pdf(compose_annexes(result)).startswith(b"%PDF")


@pytest.mark.parametrize(("interval", "word"), [((1, 3), "larger"), ((-3, -1), "smaller"), ((-1, 1), NOTHING)])
def test_a_change_is_shown_only_beyond_chance(interval, word):
    assert amount_change_word(AmountChange("mae", 1.0, 2.0, sum(interval) / 2, Interval(*interval))) == word


def test_where_counts_are_hidden_no_figure_of_a_model_of_amounts_is_exported(result):
    result = replace(result, plan=asked(minimum=30))
    values = json.loads(to_json(result))
    assert not against_schema(values)
    said = json.dumps(values["amount_remedies"])
    for figures in (tree := result.amount_remedies.remedies[1]).details.counts["actual"].dropna(), [tree.after.mae]:
        assert not any(repr(float(figure)) in said for figure in figures)
    assert say(Message("remedy-headline-not-shown")) in texts(compose_annexes(result))
    assert to_pdf(compose_annexes(result)).startswith(b"%PDF")


def test_no_amount_that_one_person_has_is_shown_of_models():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], 605), "grade": rng.integers(1, 4, 605)})
    frame["pay"] = (100 * frame["grade"] + rng.normal(0, 40, 605) - 1500).round(2)
    models = ModelsPlan(features=("grade",), protected="sex = 'F'")
    remedies = (PlainPlan(model="median"), TreesPlan(max_depth=1))
    whole = run(asked(remedies=remedies).model_copy(update={"models": models, "checks": ()}), table=frame)
    result = replace(whole, plan=whole.plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True)}))
    own = whole.amount_remedies.remedies[1].details.nodes["prediction"].dropna()
    assert set(own) <= set(frame["pay"]), "each leaf predicts what one person has"
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as files:
        printed = to_json(result) + "".join(files.read(name).decode() for name in files.namelist())
    for amount in own:
        assert f"{abs(amount):.2f}" not in printed and f"{abs(amount):.2f}" not in texts(compose_annexes(result))


def test_a_leaf_that_weighs_columns_is_not_shown_where_counts_are_hidden():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], 400), "hours": rng.integers(0, 32, 400)})
    frame["pay"] = (1_000 + 100 * frame["hours"] + rng.normal(0, 9, 400)).round(2)
    models = ModelsPlan(features=("hours",), protected="sex = 'F'")
    asks = asked(remedies=(TreesPlan(max_depth=1, leaves="linear"),)).model_copy(
        update={"models": models, "checks": ()}
    )
    whole = run(asks, table=frame)
    leaves = whole.amount_remedies.remedies[0].details.nodes
    weighed = [words for words, leaf in zip(leaves["words"], leaves["is_leaf"], strict=True) if leaf and " × " in words]
    result = replace(whole, plan=whole.plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True)}))
    document = compose_annexes(result)
    printed = (
        to_json(result) + texts(document) + "".join(block.text for block in document.blocks if isinstance(block, Code))
    )
    assert weighed and not any(words in printed for words in weighed)
    assert say(Message("tree-not-shown")) in printed


def test_an_audit_of_amounts_without_a_check_shows_its_remedies_in_words_of_amounts():
    result = run(asked(remedies=BOTH).model_copy(update={"checks": ()}), table=pay())
    document = compose_annexes(result)
    assert compose_report(result).title == say(say_comparison(result.tried).headline)
    [meanings] = [b for b in document.blocks if isinstance(b, KeyValues) and len(b.rows) > 5 and b.title is None]
    assert "Impact ratio" not in dict(meanings.rows)
    assert {table.key for table in all_tables(result)} >= {"remedies_summary", "remedy_1_groups"}


def test_nodes_that_are_clicked_show_rows_and_means_and_shades_rise_with_the_amount(result):
    details = result.amount_remedies.remedies[1].details
    wording = AmountNodes(0)
    drawn = json.dumps(clickable_tree_chart(details.nodes, details.counts, wording=wording).to_dict())
    leaves = details.nodes[details.nodes["is_leaf"].astype(bool)].sort_values("prediction")
    assert all(f"{value:,.0f}" in drawn for value in leaves["prediction"]) and "mean" in drawn
    looks = [SHADES.index(wording.look(details.nodes)[node]) for node in leaves["node"]]
    assert looks == sorted(looks) and looks[0] == 0
    sums = wording.sums(details.counts)
    root = details.counts[details.counts["node"] == 1]
    mean = (root["n_learned"] * root["learned_mean"]).sum() / root["n_learned"].sum()
    assert sums.loc[1, "learned_mean"] == pytest.approx(mean)
    said = clickable_tree_alt(details.nodes, details.counts, wording=wording)
    assert f"mean {sums.loc[leaves['node'].iloc[0], 'learned_mean']:,.0f}" in said


def test_what_the_words_mean_holds_the_measures_of_models_only_where_there_are_any(result):
    def meanings(document):
        return {row[0] for block in document.blocks if isinstance(block, KeyValues) for row in block.rows}

    words_of_models = {"R²", "Mean error"}
    assert words_of_models <= meanings(compose_annexes(result))
    assert not words_of_models & meanings(compose_annexes(run(plan(SIMPLE), table=pay())))


@pytest.mark.parametrize(
    ("figures", "interval", "word"),
    [
        ((-400.0, 30.0), (300, 500), "clearly past zero"),
        ((-400.0, -30.0), (300, 500), "clearly towards zero"),
        ((400.0, 500.0), (50, 150), "clearly away from zero"),
        ((-10.0, 10.0), (-5, 45), NOTHING),
    ],
)
def test_a_difference_moves_towards_zero_past_it_or_away(figures, interval, word):
    for measure in ("gap", "error_gap"):
        change = AmountChange(measure, *figures, figures[1] - figures[0], Interval(*interval))
        assert amount_change_word(change) == word


def test_a_terminal_and_a_report_write_what_leaves_predict_with_the_digits_of_the_drawing(result):
    remedy, facts = result.amount_remedies.remedies[1], result.amount_remedies.facts
    leaves = remedy.details.nodes[remedy.details.nodes["is_leaf"].astype(bool)]
    own = [AmountNodes(amount_digits(facts.deviation)).leaf(row) for row in leaves.itertuples()]
    lines = AmountTreesSection().command_lines(remedy, facts)
    code = [block.text for block in compose_annexes(result).blocks if isinstance(block, Code)]
    assert own != list(leaves["words"])
    assert all(any(line.endswith(f"predict {text}") for line in lines) for text in own)
    assert any(all(f"predict {text}" in text_ for text in own) for text_ in code)
