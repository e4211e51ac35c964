"""The chapters on what explains a gap and whether it changed, and how much data it takes: laws over reports."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from decimal import Decimal

import pytest
from documents import result_of

from fairaudit.present.blocks import Chart, Heading, Paragraph, Table
from fairaudit.present.explain_words import explanation_parts
from fairaudit.report import compose, to_csv_bundle

CHAPTERS = ("What explains it?", "Did it change?")
AUDITS = ("berkeley_1973_explained", "municipal_pay_explained", "stop_and_frisk_halves")


def chapter(result) -> list:
    """Return the blocks of these chapters."""
    blocks, inside = [], False
    for block in compose(result).blocks:
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
    assert len(blocks) > 8
    assert not [word for word in ("discriminat", "caused", "bias", "because of") if word in text]


@pytest.mark.parametrize("name", AUDITS[:2])
def test_each_column_stands_with_its_reason_and_the_parts_add_up(name):
    result = result_of(name)
    text = texts_of(chapter(result))
    for control in result.plan.explanations[0].controls:
        assert control.column in text and control.reason in text
    [table] = [b for b in compose(result).blocks if isinstance(b, Table) and b.key == "explanation_1_parts"]
    values = {row[0]: row[1] for row in table.rows}
    left = values["not explained by these columns"] + values.get("people without a counterpart", 0.0)
    assert values["explained"] + left == pytest.approx(values["gap"])
    assert sum(v for k, v in values.items() if k.startswith("of it by")) == pytest.approx(values["explained"])


@pytest.mark.parametrize("name", AUDITS[:2])
def test_the_parts_in_the_answer_add_up_to_the_gap_as_they_are_printed(name):
    [answer] = [explanation_parts(finding)[0] for finding in result_of(name).explanations]
    whole, explained, left = re.match(r"Of the (\S+) .*?(\S+) come from .* and (\S+) remain", answer).groups()
    gap, *parts = (Decimal(text.replace("−", "-").replace(",", "")) for text in (whole, explained, left))
    assert sum(parts) == gap, answer


def test_how_the_periods_were_recorded_is_said_before_the_answer():
    blocks = chapter(result_of("stop_and_frisk_halves"))
    lead = next(i for i, block in enumerate(blocks) if isinstance(block, Paragraph) and block.strong)
    assert "recorded alike" in repr(blocks[:lead])


def test_all_figures_are_in_the_tables():
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result_of("stop_and_frisk_halves")))) as bundle:
        rows = list(csv.DictReader(io.StringIO(bundle.read("change_2_periods.csv").decode("utf-8-sig"))))
    line = result_of("stop_and_frisk_halves").changes[1].line
    assert [float(row["gap"]) for row in rows] == pytest.approx(list(line.periods["gap"]))
