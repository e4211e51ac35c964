"""Equal pay, as people meet it: the ready audit, the forms on their page, a reason for a category, the report."""

from __future__ import annotations

from auditor import text_of_pdf


def test_a_category_gets_its_reason_and_the_report_holds_it(auditor, tmp_path):
    auditor.open_sample("municipal_pay_forms")
    auditor.go("Legal forms")
    auditor.expect_text("The mean total_pay of women is 6.9 % lower than that of men")
    auditor.unfold("Categories with a gap that the rule marks (1): reasons and remedies")
    auditor.type("1: objective reason", "Shifts are paid by agreement.")
    auditor.tab("By category")
    auditor.expect_text("justified, it is said: Shifts are paid by agreement.")
    auditor.tab("Quarters by pay")
    auditor.expect_text("Women are 67.6 % of the lower and 42.6 % of the upper quarter")
    auditor.go("Report")
    auditor.make_report()
    text = " ".join(text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path).split())
    for claim in ("Article 10(1)", "Shifts are paid by agreement.", "Regulation 13", "not legal advice"):
        assert claim in text, claim
