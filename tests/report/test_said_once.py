"""What a report says of a remedy is said in one place."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
import remedies_by_hand as by_hand

from fairaudit.messages import say
from fairaudit.present.blocks import Paragraph
from fairaudit.report.remedies import remedies_annex, remedies_blocks
from fairaudit.sections.remedy import say_remedy
from fairaudit.sections.remedy.saying import repeats_sentence
from fairaudit.study.judging.results import DIVISIONS


@pytest.mark.parametrize("counts", [(350, 1_000, 720, 1_000), (1_000, 1_000, 1_000, 1_000), (530, 1_000, 580, 1_000)])
def test_the_chapter_of_a_remedy_opens_with_its_verdict_and_says_it_once(counts):
    found = by_hand.remedies(("relabel",))
    facts = replace(found.facts, decisions=by_hand.fairness(470, 1_000, 580, 1_000))
    remedy = found.remedies[0]
    remedy = replace(remedy, after=replace(remedy.after, fairness=by_hand.fairness(*counts)))
    blocks = remedies_blocks(replace(found, facts=facts, remedies=(remedy,)), ())
    said = say_remedy(remedy, facts)
    opening = f"{say(said.verdict)}. {say(said.headline)}."
    paragraphs = [block for block in blocks if isinstance(block, Paragraph)]
    assert [block.strong for block in paragraphs].count(opening) == 1
    assert not any(say(said.headline) in block.text for block in paragraphs)


def test_what_comes_out_on_other_divisions_stands_in_the_annex_of_the_remedy():
    found = by_hand.remedies(("relabel",))
    rows = [(n, measure, 0.2, 0.1, -0.1) for n in (1, 2) for measure in ("gap", "accuracy")]
    remedy = replace(found.remedies[0], divisions=pd.DataFrame(rows, columns=list(DIVISIONS)))
    found = replace(found, remedies=(remedy,))
    chapter, annex = (
        [b for b in make if isinstance(b, Paragraph)] for make in (remedies_blocks(found, ()), remedies_annex(found))
    )
    said = repeats_sentence(remedy)
    assert [[block.text for block in blocks].count(said) for blocks in (chapter, annex)] == [0, 1]
