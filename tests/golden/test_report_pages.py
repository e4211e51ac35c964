"""Laws over the reviewed reports: what a committee reads is few pages of plain words, and the annexes hold the rest."""

from __future__ import annotations

import re
from dataclasses import replace

import documents
import pytest
from shown import shown

from fairaudit import AuditPlan
from fairaudit.catalog import SECTIONS
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present.blocks import (
    Block,
    Chart,
    Document,
    Heading,
    Items,
    KeyValues,
    Note,
    Pair,
    Paragraph,
    ShortSection,
    Strip,
)
from fairaudit.report.composing import compose_report
from fairaudit.report.first_pages import openings

EXPORTS = [(name, hides) for name in documents.PLANS for hides in (False, True)]
EACH = pytest.mark.parametrize(("name", "hides"), EXPORTS)
MOST_OF_A_CHECK, MOST = 2, 4
"""Pages of a report: of one question alone, and of any audit."""
MOST_WORDS = 170
"""On the first page, without what stands in pictures and at its foot."""


def pages_of(name: str, hides: bool, file: str = "report") -> list[str]:
    """Return the text of each page of a document, with plain blanks."""
    text = documents.exported(name, hides=hides).files[f"{file}.txt"]
    return [" ".join(page.split()) for page in re.split(r"^--- page \d+ of \d+ ---$", text, flags=re.M)[1:]]


def plan_of(name: str) -> AuditPlan:
    return AuditPlan.load(documents.PLANS[name])


def is_a_check_alone(plan: AuditPlan) -> bool:
    others = (*(getattr(plan, section.kind) for section in SECTIONS if section.kind != "checks"), plan.remedies)
    return len(plan.checks) == 1 and not any(others)


@EACH
def test_a_report_is_two_pages_for_one_question_and_four_at_most(name, hides):
    most = MOST_OF_A_CHECK if is_a_check_alone(plan_of(name)) else MOST
    assert 1 <= len(pages_of(name, hides)) <= most


def test_some_sample_is_a_check_alone_and_some_has_three_remedies():
    plans = [plan_of(name) for name in documents.PLANS]
    assert any(map(is_a_check_alone, plans)) and any(len(plan.remedies) >= 3 for plan in plans)


@EACH
def test_the_first_page_says_what_was_found_what_that_does_not_say_and_what_to_do_next(name, hides):
    first, *_ = pages_of(name, hides)
    assert say(Message("report-not-said")) in first and "What to do next" in first
    assert "How this was found" not in first


def first_page(name: str, hides: bool) -> Document:
    """Return the blocks of the first page of a report."""
    result = documents.result_of(name)
    report = compose_report(documents.hiding(result) if hides else result)
    ends = [i for i, block in enumerate(report.blocks) if isinstance(block, Heading) and block.starts_page]
    return replace(report, blocks=report.blocks[: (*ends, len(report.blocks))[0]])


def prose_of(block: Block) -> list[str]:
    """Return what a block says, without what stands in pictures and tables."""
    match block:
        case Heading():
            return [block.text]
        case Paragraph():
            return [block.strong, block.text]
        case Items():
            return [block.title or "", *block.items]
        case Strip():
            return [block.title, block.strong, block.text]
        case ShortSection():
            return [block.title, *(text for each in block.blocks for text in prose_of(each))]
        case Pair():
            return [*prose_of(block.left), *prose_of(block.right)]
    return [block.text] if isinstance(block, Note) else []


@EACH
def test_the_first_page_is_read_in_a_minute(name, hides):
    page = first_page(name, hides)
    said = " ".join([page.title, *(text for block in page.blocks for text in prose_of(block))])
    assert len(said.split()) <= MOST_WORDS, said


@pytest.mark.parametrize("name", [name for name in documents.PLANS if name.endswith("_explained")])
def test_pictures_of_other_questions_stand_under_a_heading_of_their_own(name):
    blocks = compose_report(documents.result_of(name)).blocks
    after = [place for place, block in enumerate(blocks) if isinstance(block, KeyValues)]
    assert after and not any(isinstance(blocks[place + 1], Chart) for place in after)


@EACH
def test_a_caution_stands_once_on_the_first_page(name, hides):
    cautions = [each.caution for each in openings(documents.result_of(name)) if each.caution]
    said = " ".join(text for block in first_page(name, hides).blocks for text in prose_of(block))
    assert all(said.count(caution) <= 1 for caution in cautions)


@EACH
def test_no_query_test_or_name_of_a_method_stands_in_a_report(name, hides):
    text = " ".join(pages_of(name, hides))
    for word in ("SELECT", "p-value", "Mantel", "Hamming", "SHA-256", " <= 0.", "perceptron", "optimality gap"):
        assert word not in text, word


@pytest.mark.parametrize(("name", "hides"), [export for export in EXPORTS if plan_of(export[0]).checks])
def test_table_1_is_the_same_in_both_files(name, hides):
    # A question without a known gap has no row there.
    texts = [" ".join(pages_of(name, hides, file)) for file in ("report", "annexes")]
    found = [re.search(r"Table 1: (Answers with their ranges .{80})", text) for text in texts]
    assert (found[0] is None and found[1] is None) or found[0][1] == found[1][1]


@EACH
def test_one_thing_has_one_reading(name, hides):
    files = documents.exported(name, hides=hides).files
    texts = [text for path, text in files.items() if path.endswith(".txt") or "/check_" in path]
    for words in ("gap, clear", "alike, clear", "clearly alike", "gap, not clear", "other share", "flattered"):
        assert not any(words in text for text in texts), words


@EACH
def test_remedies_that_decide_by_group_say_that_they_may_be_unlawful(name, hides):
    plan = plan_of(name)
    by_group = sum(remedy.method == "thresholds" for remedy in plan.remedies)
    if not by_group:
        return
    # The annex may begin on the page where the last remedy ends.
    text = " ".join(pages_of(name, hides, "annexes")).partition("Annex A. ")[0]
    text = text[text.index("Remedies tried") :]
    heads = [found.start() for found in re.finditer(r"What it does\.", text)]
    assert len(heads) == sum(remedy.is_remedy for remedy in plan.remedies)
    warned = [found.start() for found in shown("remedy-caution-by-group").finditer(text)]
    assert len(warned) == by_group
    for before, own, after in zip(heads[-by_group - 1 :], warned, heads[-by_group:], strict=False):
        assert before < own < after
