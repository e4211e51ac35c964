"""Equal pay, as people meet it: the ready audit, the forms on their page, a reason for a category, the report."""

from __future__ import annotations

from auditor import text_of_pdf
from playwright.sync_api import expect

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say

REASON = "Shifts are paid by agreement."


def test_a_category_gets_its_reason_and_the_report_holds_it(auditor, tmp_path):
    auditor.open_sample("municipal_pay_forms")
    auditor.go("Legal forms")
    expect(auditor.said).to_contain_text("7%")
    auditor.open_form()
    auditor.unfold(say(Message("form-marked", {"n": Count(1)})))
    box = auditor.main.get_by_label(say(Message("form-reason", {"name": Phrase("")}))).first
    box.fill(REASON)
    with auditor.answered():
        box.press("Enter")
    auditor.more()
    expect(auditor.main.locator(".st-key-form_more")).to_contain_text(REASON)
    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    for claim in ("Article 10(1)", REASON, "Regulation 13", "not legal advice"):
        assert claim in text, claim
