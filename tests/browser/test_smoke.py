"""The app once through, in few steps: an audit from a file to its report, and each remedy to its answer."""

from __future__ import annotations

import json

import pytest
from auditor import shares_in, text_of_pdf
from places import SAMPLES
from playwright.sync_api import expect

SEARCHED = ("Rules", "Trees")
BUTTONS = {
    "Retrain": ("Retrain",),
    "Thresholds": ("Train and find thresholds",),
    "Equalize": ("Make this score",),
    "Constraints": ("Add this limit", "Train to these limits"),
    "Rules": ("Find rules",),
    "Trees": ("Find a tree",),
}
"""Each remedy, and what is pressed to get its answer."""


@pytest.mark.usual
def test_a_file_becomes_a_report(auditor, assert_accessible, tmp_path):
    auditor.go("Data")
    auditor.upload(SAMPLES / "berkeley_1973.csv", name="berkeley_1973")
    auditor.choose("Decision column", "decision")
    auditor.choose("Good for the person", "Admitted")
    auditor.go("Groups")
    auditor.turn("Write a condition")
    auditor.type("Protected: rows where", "gender = 'Women'")
    assert_accessible(auditor.page, colours=False)
    auditor.go("Check")
    expect(auditor.said).to_contain_text("45%")
    shares = shares_in(auditor.said.inner_text())
    assert_accessible(auditor.page)
    auditor.go("Report")
    auditor.make_report()
    assert_accessible(auditor.page, colours=False)
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    assert len(shares) == 2 and all(share in text for share in shares)
    assert json.loads(auditor.download("JSON"))["checks"]


@pytest.fixture(scope="module")
def learner(lasting_auditor):
    """A person with a sample who has said what models learn from."""
    lasting_auditor.open_sample("berkeley_1973")
    lasting_auditor.go("Retrain")
    lasting_auditor.learn()
    return lasting_auditor


@pytest.mark.parametrize("step", BUTTONS)
def test_each_remedy_comes_to_its_answer(learner, assert_accessible, step):
    auditor = learner
    auditor.go(step)
    if step == "Retrain":
        auditor.choose_quick_models()
    if step in SEARCHED:
        auditor.unfold("How it searches")
        auditor.type("Seconds of search", "2")
    if step == "Equalize":
        auditor.tick("More settings")
        auditor.type("Steps, at most", "100")
    for button in BUTTONS[step]:
        auditor.press(button)
    auditor.expect_answer()
    assert_accessible(auditor.page, colours=False)


@pytest.mark.parametrize(
    ("sample", "step"), [("loans", "Compare"), ("recidivism", "Errors"), ("hiring_tool", "Legal forms")]
)
def test_each_other_page_shows_a_sample(lasting_auditor, assert_accessible, sample, step):
    lasting_auditor.come("")
    lasting_auditor.open_sample(sample)
    lasting_auditor.go(step)
    expect(lasting_auditor.main.get_by_role("heading").first).to_be_visible()
    assert_accessible(lasting_auditor.page, colours=False)
