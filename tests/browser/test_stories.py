"""Whole audits, from the data to the files that are taken away."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pikepdf
from auditor import Auditor, rows_of, shares_in, text_of_pdf
from places import ROOT
from playwright.sync_api import expect

from fairaudit.findings import Count, Message, Word
from fairaudit.messages import say


def adult_audit(auditor: Auditor, path: Path) -> None:
    """Bring Adult and ask whether people who are not white earn well as often, among the better educated."""
    auditor.go("Data")
    auditor.upload(path, name="adult")
    auditor.press(say(Message("data-weights-leave")))
    auditor.choose("Decision column", "income")
    auditor.choose("Good for the person", ">50K")
    auditor.go("Groups")
    auditor.type("Filter (empty: every row)", "education_num > 10")
    left = {"n": Count(15_772), "total": Count(48_842), "of": Word("cases")}
    auditor.expect_text(say(Message("groups-rows-left", left)))
    auditor.turn("Write a condition")
    auditor.type("Protected: rows where", "race <> 'White'")
    auditor.expect_text("People whose race is not White")
    auditor.go("Check")


def repeat(person: Auditor, plan: bytes, data: Path, verdict: str, folder: Path) -> None:
    """Open a saved audit with its data and run it on the command line: all must give the same."""
    person.open_plan(plan)
    person.follow(person.main.get_by_role("link", name="Bring the data"))
    expect(person.page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    person.upload(data, name="adult")
    person.go("Check")
    assert person.said.inner_text() == verdict
    person.go("Report")
    person.make_report()

    (folder / "audit.toml").write_bytes(person.download("Saved audit (TOML)"))
    command = [sys.executable, "-m", "fairaudit", "run", "audit.toml", "--data", str(data), "--out", "out"]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(person.download("JSON")) == json.loads((folder / "out" / "result.json").read_text("utf-8"))
    assert person.download("Tables (CSV, zip)") == (folder / "out" / "tables.zip").read_bytes()


def test_adult_is_audited_to_the_files_which_a_saved_audit_and_the_command_line_give_again(
    auditor, new_auditor, shared_data, tmp_path
):
    data = shared_data("adult.csv.gz")
    adult_audit(auditor, data)
    expect(auditor.said).to_contain_text(re.compile(r"32%.* 44%"))
    said, headline = auditor.said.inner_text(), auditor.said.get_by_role("heading").inner_text()
    auditor.more()
    shown = rows_of(auditor.download("Download as CSV", within=auditor.main.locator(".st-key-check_1_groups_csv")))
    assert [(row["n"], row["positives"], round(float(row["share"]), 4)) for row in shown] == [
        ("1945", "623", 0.3203),
        ("13827", "6132", 0.4435),
    ]

    auditor.go("Report")
    auditor.make_report()
    pdf = auditor.download("Annexes (PDF)")
    text = text_of_pdf(pdf, tmp_path)
    for claim in ("32%", "44%", "12 percentage points apart", "education_num > 10", "race <> 'White'"):
        assert claim in text, claim
    with pikepdf.open(io.BytesIO(pdf)) as document:
        root = document.Root
        assert root.MarkInfo.Marked and "/K" in root.StructTreeRoot
        assert str(root.Lang).startswith("en")
        assert root.ViewerPreferences.DisplayDocTitle and str(document.docinfo.Title).endswith(headline)
        assert b"<pdfuaid:part>1</pdfuaid:part>" in root.Metadata.read_bytes()

    with zipfile.ZipFile(io.BytesIO(auditor.download("Tables (CSV, zip)"))) as bundle:
        assert rows_of(bundle.read("check_1_groups.csv")) == shown
        (summary,) = rows_of(bundle.read("summary.csv"))
    assert round(float(summary["gap"]), 4) == -0.1232
    assert (summary["verdict"], summary["population"], summary["unknown"]) == ("Clear gap", "15772", "0")
    repeat(new_auditor(), auditor.save_audit(), data, said, tmp_path)


def test_berkeley_says_that_there_is_no_gap_within_departments_and_goes_from_one_click_to_a_report(
    auditor, assert_accessible, tmp_path
):
    auditor.open_sample("berkeley_1973")
    expect(auditor.said).to_contain_text(re.compile(r"30%.* 45%"))
    auditor.expect_text("Gap overall, none within departments")
    assert_accessible(auditor.page)
    verdict = auditor.said.inner_text()
    auditor.tab("Similar cases")
    auditor.expect_text("department")
    auditor.follow(auditor.main.get_by_role("link", name="Go to the report"))
    expect(auditor.page.get_by_role("button", name="Make the report")).to_be_visible()
    auditor.make_report()
    text = text_of_pdf(auditor.download("Report (PDF)"), tmp_path)
    assert len(shares_in(verdict)) == 2 and all(share in text for share in shares_in(verdict))
    assert json.loads(auditor.download("JSON"))["checks"]
