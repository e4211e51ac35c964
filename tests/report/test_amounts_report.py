"""The report on amounts: chapter, tables, exports and charts hold the same numbers."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import pytest
from amounts_by_hand import CHECK, NARROW, pay, plan, reversed_pay
from json_schema import against_schema

from fairaudit import run
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.present import verdicts
from fairaudit.present.blocks import Chart, Heading, KeyValues, Paragraph, TableBlock
from fairaudit.present.charts import gaps as charts
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf
from fairaudit.report.tables import all_tables
from fairaudit.sections.check import answer_text, read_check, say_check

PART_TIME = CHECK.model_copy(
    update={"title": "By area", "protected": "area = 'a'", "protected_name": None, "strata": (), "similar_by": ()}
)


@pytest.fixture(scope="module")
def result():
    return run(plan(), table=pay())


def texts(document) -> str:
    return "\n".join(f"{b.strong} {b.text}" for b in document.blocks if isinstance(b, Paragraph))


def test_the_annexes_begin_with_the_answer_and_its_chart(result):
    _, heading, answer, details, chart = compose_annexes(result).blocks[:5]
    assert isinstance(heading, Heading)
    said = say_check(result.checks[0])
    assert answer.lead and answer.strong == f"{say(said.verdict)}. {say(said.headline)}."
    assert details.text == say((*said.lead, *said.caution))
    assert isinstance(chart, Chart) and chart.table_key == "check_1_groups"


def test_every_part_of_the_answer_has_its_place(result):
    document = compose_annexes(result)
    headings = {block.text for block in document.blocks if isinstance(block, Heading)}
    assert {say(Message("report-compared")), "By area", "By grade", say(Message("annex-similar"))} <= headings
    [finding] = result.checks
    assert verdicts.similar_sentence(finding) in texts(document)
    words = {row[0] for block in document.blocks if isinstance(block, KeyValues) for row in block.rows}
    assert say(Message("term-dtdi")) in words
    assert say(Message("term-ratio")) not in words, "words of shares have no place here"


def test_charts_refer_to_tables_that_are_there_and_say_their_numbers(result):
    blocks = compose_annexes(result).blocks
    tables = {table.key for table in all_tables(result)}
    drawn = [block for block in blocks if isinstance(block, Chart)]
    assert len(drawn) == 3 and {block.table_key for block in drawn} <= tables
    mean = f"{result.checks[0].result.protected.mean:,.0f}"
    assert mean in drawn[0].alt and "women" in drawn[0].alt
    assert all(block.chart.to_dict()["description"] == block.alt for block in drawn)


def test_several_checks_have_a_table_of_all_and_a_chapter_each():
    document = compose_annexes(run(plan(CHECK, PART_TIME), table=pay()))
    first = document.blocks[0]
    assert isinstance(first, TableBlock) and first.key == "answers" and len(first.rows) == 2
    headings = [block.text for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    assert headings[:2] == ["1. Women", "2. By area"]


def test_a_reversal_stands_in_the_table_and_in_its_chapter():
    document = compose_annexes(run(plan(NARROW, PART_TIME), table=reversed_pay()))
    similar = say(Message("name-similar-values", {"columns": Phrase("grade")}))
    assert document.blocks[0].rows[0][-1] == f"Turns around {similar}"
    assert any(isinstance(b, Paragraph) and b.strong.startswith("Turns around") for b in document.blocks)


def test_the_report_becomes_a_pdf(result):
    assert to_pdf(compose_annexes(result)).startswith(b"%PDF")


def test_the_bundle_holds_every_table_with_its_units(result):
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        names = bundle.namelist()
        read = {n: list(csv.DictReader(io.StringIO(bundle.read(n).decode("utf-8-sig")))) for n in names if ".csv" in n}
    assert {f"{table.key}.csv" for table in all_tables(result)} <= set(names)
    protected, rest = read["check_1_groups.csv"]
    [finding] = result.checks
    assert float(protected["mean"]) == finding.result.protected.mean
    assert float(rest["three_quarters"]) == finding.result.reference.three_quarters
    assert float(read["check_1_difference.csv"][0]["didi"]) == finding.result.didi
    assert float(read["check_1_strata_together.csv"][1]["difference"]) == finding.strata.common_difference
    units = {(row["file"], row["column"]): row["unit"] for row in read["data_dictionary.csv"]}
    assert units["check_1_groups.csv", "mean"] == "in the unit of the decision"
    assert "difference of two amounts" in units["summary.csv", "difference_interval_low"]
    described = {(file, column) for file, column in units if file.startswith("check_1_similar")}
    assert {column for _, column in described} == set(read["check_1_similar.csv"][0])


@pytest.mark.parametrize("minimum", [None, 10, 100, 10_000])
def test_the_export_keeps_its_schema(minimum):
    values = json.loads(to_json(run(plan(CHECK, PART_TIME, minimum=minimum), table=pay())))
    assert not against_schema(values)
    assert values["checks"] == [] and len(values["amounts"]) == 2


def test_the_export_says_the_verdict_of_the_page(result):
    [amount] = json.loads(to_json(result))["amounts"]
    assert amount["verdict"] == "clear_gap" and amount["within"] == read_check(result.checks[0]).within
    assert amount["sentence"] == answer_text(result.checks[0]) and amount["higher_is_favorable"] is True


def test_at_most_thirty_groups_are_drawn():
    data = pay().assign(team=[f"t{i % 40:02}" for i in range(300)])
    [finding] = run(plan(CHECK.model_copy(update={"compare": (("team",),)})), table=data).checks
    [comparison] = finding.groups
    drawn = charts.comparison_chart(comparison, finding.result).to_dict()
    points = next(layer for layer in drawn["layer"] if layer["mark"].get("type") == "point")
    assert len(drawn["datasets"][points["data"]["name"]]) == 30
