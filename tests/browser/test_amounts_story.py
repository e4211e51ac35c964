"""A decision that is an amount, as people meet it: from a table of pay to the report, and in all widths."""

from __future__ import annotations

import json
import re
import tomllib

from auditor import rows_of, text_of_pdf
from places import SAMPLES
from playwright.sync_api import expect

from fairaudit.plan.fields import form_of
from fairaudit.plan.questions import CheckPlan

PAY = SAMPLES / "municipal_pay.csv"


def test_pay_is_audited_from_the_table_to_a_report_that_a_saved_audit_gives_again(auditor, new_auditor, tmp_path):
    auditor.go("Data")
    auditor.upload(PAY, name="municipal_pay")
    auditor.choose("Decision column", "monthly_pay")
    expect(auditor.main.get_by_role("radio", name="an amount, such as pay", exact=True)).to_be_checked()
    auditor.turn("better for the person")
    auditor.go("Groups")
    auditor.turn("Write a condition")
    auditor.type("Protected: rows where", "sex = 'woman'")
    auditor.expect_text("People whose sex is woman")
    auditor.type("They are called", "women")
    auditor.go("Check")
    expect(auditor.said).to_contain_text(re.compile(r"241 less .*3,836 against 4,077"))
    auditor.more()
    auditor.type(form_of(CheckPlan, "amount_tolerance").label, "300")
    auditor.expect_text("within your 300")
    said = auditor.said.get_by_role("heading").inner_text()
    shown = rows_of(auditor.download("Download as CSV", within=auditor.main.locator(".st-key-check_1_groups_csv")))
    assert [(row["n"], round(float(row["mean"]))) for row in shown] == [("1036", 3836), ("916", 4077)]
    auditor.tab("Similar cases")
    auditor.choose("Cases are similar in", "grade")
    auditor.tab("Similar people")
    auditor.choose("People are similar in", "grade", "years_of_service")
    auditor.expect_text("Among the 10 most similar in grade and years_of_service")

    auditor.go("Errors")
    auditor.expect_text("monthly_pay is an amount")
    auditor.follow(auditor.main.get_by_role("link", name="Back to the check"))
    expect(auditor.said.get_by_role("heading")).to_have_text(said)
    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    for claim in ("3,836", "4,077", "−241", "By grade", "Similar people"):
        assert claim in text, claim
    found = json.loads(auditor.download("JSON"))
    assert found["amounts"][0]["result"]["tolerance"] == 300

    plan = auditor.save_audit()
    assert tomllib.loads(plan.decode())["decision"]["amount"] is True
    person = new_auditor()
    person.open_plan(plan)
    person.follow(person.main.get_by_role("link").filter(has_text="See the answer"))
    person.go("Check")
    assert person.said.get_by_role("heading").inner_text() == said


def test_every_step_of_a_sample_of_amounts_is_accessible_and_fits(auditor, look):
    auditor.open_sample("municipal_pay")
    auditor.more()
    look(auditor, "Confidence")
    for tab in ("Similar cases", "Similar people", "How it is computed"):
        auditor.tab(tab)
        look(auditor)
    for step in ("Data", "Groups", "Errors"):
        auditor.go(step)
        look(auditor)
