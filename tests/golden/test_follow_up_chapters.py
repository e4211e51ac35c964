"""The chapters on what explains a gap and whether it changed, and how much data it takes: laws over reports."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import replace

import pytest
from documents import result_of

from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.present.blocks import Chart, Heading, TableBlock
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.sections.change import say_change, say_recording
from fairaudit.sections.explain import can_be_overturned, say_overturning

CHAPTERS = ("What explains it", "Change over time")
AUDITS = ("berkeley_1973_explained", "municipal_pay_explained", "stop_and_frisk_halves")


def chapter(result) -> list:
    """Return the blocks of these chapters."""
    blocks, inside = [], False
    for block in compose_annexes(result).blocks:
        if isinstance(block, Heading) and block.level == 1:
            inside = block.text in CHAPTERS
        blocks += [block] if inside else []
    return blocks


def texts_of(blocks) -> str:
    return " ".join(repr(block) for block in blocks if not isinstance(block, Chart)) + " ".join(
        block.alt + block.title for block in blocks if isinstance(block, Chart)
    )


@pytest.mark.parametrize("name", AUDITS)
def test_no_chapter_says_why_a_gap_is_there(name):
    blocks = chapter(result_of(name))
    text = texts_of(blocks).lower()
    assert len(blocks) >= 8
    assert not [word for word in ("discriminat", "caused", "bias", "because of") if word in text]


@pytest.mark.parametrize("name", AUDITS[:2])
def test_each_column_stands_with_its_reason_and_the_parts_add_up(name):
    result = result_of(name)
    text = texts_of(chapter(result))
    for control in result.plan.explanations[0].controls:
        assert control.column in text and control.reason in text
    [table] = [
        b for b in compose_annexes(result).blocks if isinstance(b, TableBlock) and b.key == "explanation_1_parts"
    ]
    values = {row[0]: row[1] for row in table.rows}
    left = values["what is left"] + values.get("no counterpart", 0.0)
    assert values["explained"] + left == pytest.approx(values["gap"])
    assert sum(v for k, v in values.items() if k.startswith("of it by")) == pytest.approx(values["explained"])


def test_what_could_overturn_a_gap_is_one_sentence_where_there_may_be_none_already():
    finding = result_of("berkeley_1973_explained").explanations[0]
    held = finding.result.adjusted_gap
    assert held.interval.low < 0 < held.interval.high
    assert [said.key for said in say_overturning(finding)] == ["explain-overturn-nothing"]
    none = replace(finding.result.unexplained, interval=Interval(-0.02, 0.09))
    agreeing = replace(finding.result, unexplained=none, adjusted_gap=replace(held, check="agrees"))
    alike = replace(finding, result=agreeing)
    assert [said.key for said in say_overturning(alike)] == ["explain-overturn-nothing"]
    left = replace(finding.result.unexplained, interval=Interval(0.01, 0.03))
    agreeing = replace(held, interval=Interval(0.01, 0.03), check="agrees")
    clear = replace(finding.result, unexplained=left, adjusted_gap=agreeing)
    assert say_overturning(replace(finding, result=clear))[0].key == "explain-overturn-ratio"


def test_nothing_is_tabled_that_could_overturn_a_gap_where_none_is_left():
    finding = result_of("berkeley_1973_explained").explanations[0]
    assert not can_be_overturned(finding.result)
    keys = {
        block.key for block in compose_annexes(result_of("berkeley_1973_explained")).blocks if hasattr(block, "key")
    }
    assert "explanation_1_parts" in keys
    assert not keys & {"explanation_1_overturning", "explanation_1_curve_chart"}


def test_a_change_begins_with_what_the_page_says_and_tells_how_the_periods_were_recorded():
    result = result_of("stop_and_frisk_halves")
    heading, answer, lead, chart, *others = chapter(result)
    said = say_change(result.changes[0])
    assert isinstance(heading, Heading) and isinstance(chart, Chart)
    assert answer.strong == f"{say(said.verdict)}. {say(said.headline)}." and lead.text.startswith(say(said.lead))
    assert say(say_recording(result.changes[0])) in repr(others)


def test_all_figures_are_in_the_tables():
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result_of("stop_and_frisk_halves")))) as bundle:
        rows = list(csv.DictReader(io.StringIO(bundle.read("change_2_periods.csv").decode("utf-8-sig"))))
    line = result_of("stop_and_frisk_halves").changes[1].line
    assert [float(row["gap"]) for row in rows] == pytest.approx(list(line.periods["gap"]))
