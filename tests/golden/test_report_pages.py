"""Laws over the reviewed reports: what a committee reads comes first, in few pages and plain words."""

from __future__ import annotations

import re

import documents
import pytest

from fairaudit import AuditPlan
from fairaudit.follow_ups.registry import FOLLOW_UPS
from fairaudit.remedies.registry import kind_of

FOLDERS = [f"{name}{end}" for name in documents.PLANS for end in ("", "_hidden")]
MOST_OF_A_CHECK, MOST, REMEDIES = 3, 8, 3
"""Pages before the annexes: of one question alone, and of any audit with so many remedies; one more for each other."""


ANSWER = re.compile(
    r"(Clear gap|No gap above|Gap, perhaps small|Too few to tell|Gap overall|Turns around|Nothing to compare|Not shown)"
    r"[^.]*\. |"
    r"Of \w+ questions, the answer is|The answer to (both|all \w+) questions is"
)


def pages_of(folder: str) -> list[str]:
    """Return the text of each page of a reviewed report, with plain blanks."""
    text = (documents.FOLDER / folder / "report.txt").read_text(encoding="utf-8")
    return [" ".join(page.split()) for page in re.split(r"^--- page \d+ of \d+ ---$", text, flags=re.M)[1:]]


def before_annexes(folder: str) -> list[str]:
    pages = pages_of(folder)
    return pages[: next(i for i, page in enumerate(pages) if "Annex A. " in page)]


def plan_of(folder: str) -> AuditPlan:
    return AuditPlan.load(documents.PLANS[folder.removesuffix("_hidden")])


def is_a_check_alone(plan: AuditPlan) -> bool:
    others = (plan.errors, *(getattr(plan, kind.name) for kind in FOLLOW_UPS), plan.presets, plan.remedies)
    return len(plan.checks) == 1 and not any(others)


@pytest.mark.parametrize("folder", FOLDERS)
def test_pages_before_the_annexes_are_few(folder):
    plan = plan_of(folder)
    most = MOST_OF_A_CHECK if is_a_check_alone(plan) else MOST + max(len(plan.remedies) - REMEDIES, 0)
    assert 1 <= len(before_annexes(folder)) <= most


def test_some_sample_is_a_check_alone_and_some_has_three_remedies():
    plans = [plan_of(folder) for folder in FOLDERS]
    assert any(map(is_a_check_alone, plans)) and any(len(plan.remedies) >= 3 for plan in plans)


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if plan_of(folder).checks])
def test_question_answer_and_what_it_does_not_say_are_on_the_first_two_pages(folder):
    first, *others = before_annexes(folder)
    asked, answered = first.index("Are like cases treated alike?"), ANSWER.search(first)
    assert answered is not None and asked < answered.start()
    assert "not say why" in " ".join([first[answered.start() :], *others[:1]])


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_query_test_or_name_of_a_method_comes_before_the_annexes(folder):
    text = " ".join(before_annexes(folder))
    for word in ("SELECT", "p-value", "Mantel", "Hamming", "SHA-256", " <= 0.", "perceptron", "optimality gap"):
        assert word not in text, word


@pytest.mark.parametrize("folder", FOLDERS)
def test_one_thing_has_one_reading(folder):
    texts = [path.read_text(encoding="utf-8") for path in (documents.FOLDER / folder).rglob("*.txt")]
    texts += [path.read_text(encoding="utf-8") for path in (documents.FOLDER / folder).rglob("check_*.csv")]
    for words in ("gap, clear", "alike, clear", "clearly alike", "gap, not clear", "other share", "flattered"):
        assert not any(words in text for text in texts), words


@pytest.mark.parametrize("folder", FOLDERS)
def test_remedies_that_decide_by_group_come_last_and_say_first_that_they_may_be_unlawful(folder):
    plan = plan_of(folder)
    by_group = sum(remedy.method == "thresholds" for remedy in plan.remedies)
    if not by_group:
        return
    # The annex may begin on the page where the last remedy ends.
    text = " ".join(pages_of(folder)).partition("Annex A. ")[0]
    text = text[text.index("Remedies tried") :]
    heads = [found.start() for found in re.finditer(r"What it does\.", text)]
    assert len(heads) == sum(kind_of(remedy).is_remedy for remedy in plan.remedies)
    warned = [found.start() for found in re.finditer(r"May be unlawful: it decides by group\.", text)]
    assert len(warned) == by_group
    for before, own, after in zip(heads[-by_group - 1 :], warned, heads[-by_group:], strict=False):
        assert before < own < after
