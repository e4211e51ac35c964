"""Rules as people meet them: searched for in sight and stopped, found, changed by hand, compared, and reported."""

from __future__ import annotations

import tomllib

from auditor import FIT_S, text_of_pdf
from playwright.sync_api import expect

SECONDS = "Time limit, in seconds"


def ask(auditor, *, seconds: int, complexity: int, room: str) -> None:
    """Say how long may be searched and how complex the rules may be, and read what room that leaves."""
    auditor.unfold("How rules are searched for")
    auditor.type(SECONDS, str(seconds))
    slider = auditor.main.get_by_role("slider", name="How complex the rule set may be")
    slider.press("Home")
    for _ in range(complexity - 2):
        slider.press("ArrowRight")
    auditor.expect_text(room)
    auditor.settle()


def add_rule(auditor, column: str, value: str) -> None:
    """Add a rule of one condition: a part of the page that is computed by itself, and does not say that it has ended."""
    form = auditor.main.locator(".st-key-rules_add_form")
    for label, option in (("To", "a new rule"), ("Column", column)):
        box = form.get_by_role("combobox", name=label, exact=True)
        box.click()
        auditor.page.get_by_role("option", name=option, exact=True).click()
        expect(box).to_have_value(option)
    number = form.get_by_label("Value", exact=True)
    number.fill(value)
    number.press("Enter")
    auditor.expect_text(f"{column} is at least {value}")
    form.get_by_role("button", name="Add this condition", exact=True).click()
    judge = auditor.main.get_by_role("button", name="Judge this edited rule set on the held-out rows", exact=True)
    expect(judge).to_be_enabled()


def test_rules_are_stopped_found_changed_by_hand_and_reported(auditor, tmp_path):
    auditor.open_sample("recidivism")
    auditor.go("Rules")
    auditor.learn()
    ask(auditor, seconds=60, complexity=30, room="Room for about 10 rules of 2 conditions each.")
    auditor.press("Find a rule set")
    expect(auditor.main.get_by_text("Rules considered", exact=True)).to_be_visible(timeout=FIT_S * 1000)
    auditor.main.get_by_role("button", name="Stop", exact=True).click()
    auditor.expect_answer()
    auditor.expect_text("Stopped before its end: these are the figures of the best so far.", "If ")
    with auditor._answered():
        auditor.main.locator(".st-key-remedies_in_report_rules").get_by_role("checkbox").press("Space")

    ask(auditor, seconds=10, complexity=4, room="Room for one rule of up to 3 conditions")
    auditor.press("Find a rule set")
    name = "Rule set (complexity up to 4, equalized odds within 5 points)"
    expect(auditor.main.get_by_text(name, exact=True).first).to_be_visible(timeout=FIT_S * 1000)
    auditor.settle()
    add_rule(auditor, "juvenile_offences", "2")
    auditor.press("Judge this edited rule set on the held-out rows")
    expect(auditor.main.get_by_text("A person chose these rules.")).to_be_visible(timeout=FIT_S * 1000)
    auditor.settle()
    assert "juvenile_offences is at least 2" in auditor.download("Rules as text").decode()

    auditor.go("Compare")
    row = auditor.main.get_by_test_id("stTable").get_by_role("row").filter(has_text="Rule set chosen by hand")
    expect(row).to_have_count(1)
    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("PDF"), tmp_path)
    assert "A person chose these rules" in text and "juvenile_offences is at least 2" in text
    plan = tomllib.loads(auditor.download("Plan (TOML)").decode())
    searched, by_hand = plan["remedies"]
    assert searched["max_complexity"] == 4 and "juvenile_offences >= 2" in by_hand["rules"]
