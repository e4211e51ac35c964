"""Every step with data in it, wide and narrow: axe-core finds nothing serious in what we draw, and nothing is cut."""

from __future__ import annotations

from fairaudit.findings import Message
from fairaudit.messages import say


def test_every_step_of_a_sample_is_accessible_and_fits(new_auditor, look):
    # Whoever has a narrow window comes everywhere, too.
    auditor = new_auditor(400)
    auditor.open_sample("recidivism")
    look(auditor)
    auditor.more()
    look(auditor, "Confidence, dependent rows")
    for tab in ("Similar cases", "Explore", "How it is computed"):
        auditor.tab(tab)
        look(auditor)
    auditor.go("Data")
    auditor.open_more()
    look(auditor, "How the file was read")
    auditor.go("Groups")
    auditor.unfold("Build the filter step by step")
    auditor.turn("Pick values")
    look(auditor)
    auditor.go("Errors")
    look(auditor)
    auditor.tab(say(Message("errors-more-score")))
    look(auditor)
    auditor.go("Report")
    auditor.make_report()
    look(auditor)


def test_every_remedy_page_is_accessible_and_fits(auditor, look, assert_accessible):
    # The loans have rows whose group is missing, and a saved audit that keeps all remedies.
    auditor.open_sample("loans")
    auditor.go("Retrain")
    look(auditor, "What models learn from")
    auditor.choose_quick_models()
    auditor.press("Retrain")
    assert_accessible(auditor.page)
    for step, button in (
        ("Thresholds", "Train and find thresholds"),
        ("Equalize", "Make this score"),
        ("Compare", None),
    ):
        auditor.go(step)
        look(auditor)
        if button is not None:
            auditor.press(button)
    auditor.go("Constraints")
    auditor.press("Add this limit")
    auditor.turn("My own groups")
    look(auditor)
    auditor.turn("As text")
    look(auditor, "How limits are written")
    auditor.expect_text(say(Message("constrain-before-note")))
    auditor.press("Train to these limits")
    auditor.go("Rules")
    auditor.unfold("How it searches")
    auditor.type("Seconds of search", "2")
    look(auditor)
    auditor.press("Find rules")
    auditor.go("Trees")
    auditor.unfold("How it searches")
    auditor.type("Seconds of search", "2")
    auditor.choose("Index of discrimination", "Both")
    look(auditor)
    auditor.press("Find a tree")
    for step, tabs in {
        "Retrain": {
            "All groups": (),
            "Which decisions change": ("All figures of the change",),
        },
        "Thresholds": {"Try thresholds by hand": ("Other weights",), "These thresholds": ()},
        "Equalize": {"How the scores are spread": ("The bars as a table", "How the score was made")},
        "Constraints": {
            "All limits": ("Each pair of groups",),
            "Other limits": ("The same as a table", "How the search went"),
        },
        "Rules": {
            "All limits": (),
            "Whom each rule concerns": (),
            "Change by hand": ("Rates of each group",),
            "The search and files": ("The search in figures",),
        },
        "Trees": {"Nodes": (), "All limits": (), "A made-up person": (), "Other settings": (), "How it was made": ()},
    }.items():
        auditor.go(step)
        auditor.expect_answer()
        for tab, folded in tabs.items():
            auditor.tab(tab)
            look(auditor, *folded)
    auditor.go("Compare")
    auditor.more()
    look(auditor)
