from __future__ import annotations

import dataclasses

import pytest
from findings_by_hand import ADULT, fairness, finding

from fairaudit.catalog import REMEDIES
from fairaudit.findings import Message
from fairaudit.measure.results import GroupComparison, GroupRow
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS
from fairaudit.present.blocks import Items
from fairaudit.remedies.rules.section import RulesSection
from fairaudit.remedies.trees.section import TreesSection
from fairaudit.report.terms import definitions
from fairaudit.sections.check.chapter import doubt_blocks, range_notes
from fairaudit.sections.detectable import say_more_rows


def named(*names: str) -> set[str]:
    return {say(Message(f"term-{name}")) for name in names}


def test_an_answer_without_filter_or_strata_says_that_similar_cases_were_not_compared():
    said = say(Message("report-similar-not-asked"))
    assert [said in block.items for block in doubt_blocks(finding(*ADULT, where=None)) if isinstance(block, Items)] == [
        True
    ]
    assert not any(said in getattr(block, "items", ()) for block in doubt_blocks(finding(*ADULT)))


@pytest.mark.parametrize(("n", "is_said"), [(2, False), (3, True)])
def test_many_groups_are_a_note_where_they_are_more_than_one_comparison(n, is_said):
    row = GroupRow((("race", "Other"),), fairness(20, 90, 40, 90), 0.5, small=False)
    rows = tuple(dataclasses.replace(row) for _ in range(n))
    notes = range_notes(finding(*ADULT, groups=(GroupComparison(("race",), None, rows, 0, 0, 30, None, None),)))
    assert (say(Message("annex-range-many")) in notes) == is_said


def test_words_are_those_that_the_audit_uses_with_its_settings():
    short = dict(definitions(tolerance=0.02, confidence=0.9))
    assert "2 points" in short[say(Message("term-tolerance"))] and "90" in short[say(Message("term-range"))]
    assert not named("auc", "split", "strata") & set(short)
    assert named("auc") <= set(dict(definitions(errors=True)))
    assert named("strata") <= set(dict(definitions(strata=True)))
    amounts = dict(definitions(AMOUNTS, confidence=0.9))
    assert "90" in amounts[say(Message("term-range-amount"))]
    assert not named("dtdi") & set(amounts) and named("dtdi") <= set(dict(definitions(AMOUNTS, similar=True)))


def test_words_of_the_remedies_that_were_tried_are_said_once():
    words = [word for word, _ in definitions(kinds=[RulesSection(), TreesSection()])]
    assert len(words) == len(set(words)) and named("split", "similar") <= set(words)
    every = dict(definitions(kinds=REMEDIES))
    assert all(dict(kind.definitions()).items() <= every.items() for kind in REMEDIES)


@pytest.mark.parametrize(("counts", "is_said"), [((500, 1000, 560, 1000), False), ((50, 100, 53, 100), True)])
def test_what_these_rows_let_one_see_is_said_only_where_they_are_too_few_to_tell(counts, is_said):
    one = finding(*counts)
    assert one.result.verdict == ("too_few_to_tell" if is_said else "gap_size_unclear")
    assert bool(say_more_rows(one)) == is_said
