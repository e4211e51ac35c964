"""What a report says of a remedy is said in one place."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
import remedies_by_hand as by_hand

from fairaudit.present.blocks import Chart, Heading, Paragraph
from fairaudit.report.chapters.remedies import remedies_annex, remedies_blocks
from fairaudit.study.judging.results import DIVISIONS


def lead(counts):
    """Return the first words on a remedy whose groups get the good outcome so often."""
    found = by_hand.remedies(("relabel",))
    facts = replace(found.facts, decisions=by_hand.fairness(470, 1_000, 580, 1_000))
    remedy = found.remedies[0]
    remedy = replace(remedy, after=replace(remedy.after, fairness=by_hand.fairness(*counts)))
    blocks = remedies_blocks(replace(found, facts=facts, remedies=(remedy,)), ())
    [place] = [place for place, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2]
    return blocks[place + 1].strong


@pytest.mark.parametrize(
    ("counts", "said", "chip"),
    [
        ((350, 1_000, 720, 1_000), "The gap is wider than in the decisions.", "Wider gap"),
        ((1_000, 1_000, 1_000, 1_000), "This model gives one answer for all", "One answer for all."),
    ],
)
def test_a_chip_that_the_sentence_beside_it_repeats_is_left_out(counts, said, chip):
    assert lead(counts).startswith(said) and chip not in lead(counts)


def test_a_chip_that_says_more_stands_first():
    assert lead((530, 1_000, 580, 1_000)).split(". ")[0] in (
        "Gap smaller than without it", "Gap not smaller than without it", "Gap larger than without it",
        "Little gained over a simple answer", "Gap: cannot tell", "Alike now",
    )  # fmt: skip


def test_what_comes_out_on_other_divisions_stands_in_the_annex_of_the_remedy():
    found = by_hand.remedies(("relabel",))
    rows = [(n, measure, 0.2, 0.1, -0.1) for n in (1, 2) for measure in ("gap", "accuracy")]
    remedy = replace(found.remedies[0], divisions=pd.DataFrame(rows, columns=list(DIVISIONS["columns"])))
    found = replace(found, remedies=(remedy,))
    chapter, annex = (
        [b for b in make if isinstance(b, Paragraph)] for make in (remedies_blocks(found, ()), remedies_annex(found))
    )
    assert not any("Over 2 divisions" in block.text for block in chapter)
    assert [block.strong for block in annex if "Over 2 divisions" in block.text] == ["On other divisions of the rows."]


def test_what_is_shaded_is_said_in_the_chart_alone():
    charts = [block for block in remedies_blocks(by_hand.remedies(("relabel",)), ()) if isinstance(block, Chart)]
    assert charts and not any("haded" in block.title for block in charts if block.key.endswith("remedy_1_chart"))
    assert any("shaded: tolerance around the rest" in str(block.chart.to_dict()) for block in charts)
