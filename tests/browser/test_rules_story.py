"""Rules as people meet them: searched for in sight, stopped, changed by hand, compared and reported."""

from __future__ import annotations

import tomllib

from auditor import FIT_S, text_of_pdf
from playwright.sync_api import expect

from fairaudit.findings import Message
from fairaudit.messages import say


def add_rule(auditor, column: str, value: str) -> None:
    """Add a rule of one condition, in a part of the page that is computed by itself and does not say when it ends."""
    form = auditor.main.locator(".st-key-rules_add_form")
    for label, option in (("To", "a new rule"), ("Column", column)):
        box = form.get_by_role("combobox", name=label, exact=True)
        box.click()
        box.fill(option)
        box.press("ArrowDown")
        auditor.page.get_by_role("option", name=option, exact=True).click()
        expect(box).to_have_value(option)
    number = form.get_by_label("Value", exact=True)
    number.fill(value)
    number.press("Enter")
    auditor.expect_text(f"{column} is at least {value}")
    form.get_by_role("button", name="Add this condition", exact=True).click()
    judge = auditor.main.get_by_role("button", name="Test these rules", exact=True)
    expect(judge).to_be_enabled()


def test_rules_are_searched_for_stopped_changed_by_hand_and_reported(auditor, tmp_path):
    auditor.open_sample("recidivism")
    auditor.go("Rules")
    auditor.learn()
    auditor.press("Find rules")
    expect(auditor.main.get_by_text("Rules considered", exact=True)).to_be_visible(timeout=FIT_S * 1000)
    auditor.main.get_by_role("button", name="Stop", exact=True).click()
    auditor.expect_answer()
    auditor.expect_text(say(Message("remedy-caution-stopped")))
    # The report would search to the end.
    ticked = auditor.main.locator("[class*=st-key-remedies_in_report_rules]").get_by_role("checkbox")
    ticked.press("Space")
    expect(ticked).not_to_be_checked()
    auditor.settle()

    auditor.tab("Change by hand")
    add_rule(auditor, "juvenile_offences", "2")
    auditor.press("Test these rules")
    auditor.settle()
    auditor.tab("The search and files")
    expect(auditor.main.get_by_text(say(Message("rules-no-search")))).to_be_visible(timeout=FIT_S * 1000)
    assert "juvenile_offences is at least 2" in auditor.download("Rules as text").decode()

    auditor.go("Compare")
    row = auditor.compared().get_by_role("row").filter(has_text=f"{say(Message('remedy-name-rules'))}, chosen by hand")
    expect(row).to_have_count(1)
    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    for shown in ("person chose these rules", "juvenile_offences is at least 2"):
        assert shown in text, shown
    plan = tomllib.loads(auditor.download("Saved audit (TOML)").decode())
    [by_hand] = plan["remedies"]
    assert "juvenile_offences >= 2" in by_hand["rules"]
