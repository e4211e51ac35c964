"""Equal pay, as people meet it: a table of pay or the ready audit, the forms of two laws, the report."""

from __future__ import annotations

import tomllib

from auditor import text_of_pdf
from places import SAMPLES
from playwright.sync_api import expect

PAY = SAMPLES / "municipal_pay.csv"
EU = {
    "Gender": "sex",
    "Category of workers": "grade",
    "Pay, all components together": "total_pay",
    "Ordinary basic pay": "monthly_pay",
    "Complementary or variable components": "variable_pay",
}
UK = {"Gender": "sex", "Hourly pay": "hourly_pay", "Bonus pay of twelve months": "bonus"}
UK_TITLE = "Gender pay gap (Great Britain): hourly pay, bonus pay and quarters"


def say_columns(auditor, columns: dict[str, str]) -> None:
    """Say which column holds what a form asks for, where the page has not found it by its name."""
    for label, column in columns.items():
        box = auditor.page.get_by_role("combobox", name=label, exact=True)
        here = auditor.main.get_by_test_id("stMultiSelect").filter(has=box)
        if not (here.count() and column in here.inner_text()):
            auditor.choose(label, column)


def test_a_table_of_pay_becomes_the_forms_of_both_laws_in_the_report(auditor, assert_accessible, look, tmp_path):
    auditor.go("Data")
    auditor.upload(PAY, name="municipal_pay")
    auditor.choose("Decision column", "total_pay")
    expect(auditor.main.get_by_role("radio", name="an amount, such as pay", exact=True)).to_be_checked()
    auditor.go("Groups")
    auditor.turn("Write a condition")
    auditor.type("Protected: rows where", "sex = 'woman'")
    auditor.go("Legal forms")
    say_columns(auditor, EU)
    auditor.expect_text("The mean total_pay of women is 6.9 % lower than that of men")
    auditor.tick("Put this in the report")
    assert_accessible(auditor.page)
    look(auditor, "What it covers, and what not")
    auditor.choose("Form", UK_TITLE)
    say_columns(auditor, UK)
    auditor.expect_text("The mean hourly_pay of women is")
    auditor.tab("Quarters by pay")
    auditor.expect_text("Women are")
    auditor.tick("Put this in the report")
    assert_accessible(auditor.page)
    look(auditor)

    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("PDF"), tmp_path)
    for claim in ("Directive (EU) 2023/970", "SI 2017/172", "is 6.9 % lower", "Regulation 12", "not legal advice"):
        assert claim in text, claim
    forms = tomllib.loads(auditor.download("Plan (TOML)").decode())["presets"]
    assert [form["preset"] for form in forms] == ["eu_pay_transparency", "uk_gender_pay_gap"]
    assert forms[0]["columns"]["category"] == "grade" and forms[1]["columns"]["bonus"] == "bonus"


def test_a_category_gets_its_reason_and_the_report_holds_it(auditor, tmp_path):
    auditor.open_sample("municipal_pay_forms")
    auditor.go("Legal forms")
    auditor.expect_text("The mean total_pay of women is 6.9 % lower than that of men")
    auditor.unfold("Categories with a gap that the rule marks (1): reasons and remedies")
    auditor.type("1: objective, gender-neutral reason", "Shifts are paid by agreement.")
    auditor.tab("By category")
    auditor.expect_text("justified, it is said: Shifts are paid by agreement.")
    auditor.tab("Quarters by pay")
    auditor.expect_text("Women are 67.6 % of the lower and 42.6 % of the upper quarter")
    auditor.go("Report")
    auditor.make_report()
    text = " ".join(text_of_pdf(auditor.download("PDF"), tmp_path).split())
    for claim in ("Article 10(1)", "Shifts are paid by agreement.", "Regulation 13", "not legal advice"):
        assert claim in text, claim
