"""Every step with data in it, wide and narrow: axe-core finds nothing serious in what we draw, and nothing is cut."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("width", [1280, 400])
def test_every_step_of_a_sample_is_accessible_and_fits(new_auditor, assert_accessible, assert_fits, width):
    auditor = new_auditor(width)

    def look() -> None:
        auditor.settle()
        assert_fits(auditor.page)
        assert_accessible(auditor.page)

    auditor.open_sample("recidivism")
    auditor.unfold("Tolerance and confidence")
    auditor.unfold("The same as a table")
    look()
    for tab in ("By stratum", "Explore", "How this is computed"):
        auditor.tab(tab)
        look()
    auditor.go("Data")
    auditor.unfold("How the file was read")
    look()
    auditor.go("Groups")
    auditor.unfold("Build the filter step by step")
    auditor.turn("Pick values")
    look()
    auditor.go("Errors")
    look()
    auditor.tab("Calibration")
    look()
    auditor.go("Report")
    auditor.make_report()
    look()


def test_warnings_and_refusals_are_accessible(auditor, assert_accessible):
    auditor.open_sample("berkeley_1973")
    assert_accessible(auditor.page)
    auditor.go("Groups")
    auditor.type("Filter (empty: every row)", "no such thing")
    auditor.type("Protected: rows where", "gender = 'nobody'")
    assert_accessible(auditor.page)


@pytest.mark.parametrize("width", [1280, 400])
def test_every_remedy_page_is_accessible_and_fits(new_auditor, assert_accessible, assert_fits, width):
    auditor = new_auditor(width)

    def look(*folded: str) -> None:
        for title in folded:
            auditor.unfold(title)
        auditor.settle()
        assert_fits(auditor.page)
        assert_accessible(auditor.page)

    # The loans have rows whose group is missing, and a saved audit that keeps all remedies.
    auditor.open_sample("loans")
    auditor.go("Retrain")
    look("What the models learn from")
    auditor.choose_quick_models()
    auditor.press("Retrain")
    assert_accessible(auditor.page)
    for step, button in (("Thresholds", "Fit the model"), ("Equalize", "Fit"), ("Compare", None)):
        auditor.go(step)
        look()
        if button is not None:
            auditor.press(button)
    auditor.go("Thresholds")
    auditor.press("Judge these thresholds")
    for step, folded in (
        ("Retrain", ("The same as tables", "What to keep in mind", "All figures of the relabelling")),
        ("Thresholds", ("What other weights would give", "The thresholds that were judged")),
        ("Equalize", ("The bars as a table", "How the model was fitted")),
    ):
        auditor.go(step)
        auditor.expect_answer()
        look(*folded)
    auditor.go("Compare")
    auditor.expect_text("models are compared on the same held-out rows")
    look()
