"""Several people at once, reloads, second uploads and served folders: nothing mixed, nothing lost in silence."""

from __future__ import annotations

import re

from auditor import Auditor
from playwright.sync_api import expect

from fairaudit.findings import Message
from fairaudit.messages import say


def decisions(good_a: int, good_b: int, n: int = 50) -> str:
    """Return a table in which so many of `n` rows of the groups a and b are good."""
    rows = [
        f"{group},{'yes' if i < good else 'no'}" for group, good in (("a", good_a), ("b", good_b)) for i in range(n)
    ]
    return "\n".join(["group,granted", *rows])


def audit(auditor: Auditor, name: str, text: str) -> None:
    """Bring a table and compare group a with the rest."""
    auditor.go("Data")
    auditor.upload_csv(name, text)
    auditor.choose("Decision column", "granted")
    auditor.choose("Good for the person", "yes")
    auditor.go("Groups")
    auditor.turn("Write a condition")
    auditor.type("Protected: rows where", "group = 'a'")
    auditor.go("Check")


def verdict(auditor: Auditor):
    return auditor.said


def test_two_people_at_once_see_their_own_data(new_auditor):
    first, second = new_auditor(), new_auditor()
    for person, name, good in ((first, "north", 10), (second, "south", 40)):
        person.go("Data")
        person.upload_csv(name, decisions(good, 25))
    for person in (first, second):
        person.choose("Decision column", "granted")
        person.choose("Good for the person", "yes")
    for person in (first, second):
        person.go("Groups")
        person.turn("Write a condition")
        person.type("Protected: rows where", "group = 'a'")
    first.go("Check")
    second.go("Check")
    expect(verdict(first)).to_contain_text(re.compile(r"20%.* 50%"))
    expect(verdict(second)).to_contain_text(re.compile(r"80%.* 50%"))
    first.go("Groups")
    first.type("Filter (empty: every row)", "granted = 'no'")
    second.go("Report")
    expect(first.sidebar).to_contain_text("north")
    expect(second.sidebar).to_contain_text("south")
    second.more()
    second.expect_text("80%")


def test_file_that_cannot_be_read_another_one_and_a_reload_say_what_happened_and_the_saved_audit_goes_on(auditor):
    text = decisions(10, 25)
    audit(auditor, "north", text)
    before = verdict(auditor).inner_text()
    saved = auditor.save_audit()
    auditor.go("Data")
    auditor.upload({"name": "tool.csv", "mimeType": "text/csv", "buffer": b"MZ\x90\x00" * 500}, name="north")
    expect(auditor.main.get_by_role("alert")).to_be_visible()
    auditor.expect_text("Still in use: north.")
    auditor.go("Check")
    expect(verdict(auditor)).to_contain_text(re.compile(r"20%.* 50%"))

    auditor.go("Report")
    auditor.make_report()
    outdated = auditor.main.get_by_role("alert").filter(has_text=say(Message("report-page-changed")))
    expect(outdated).to_have_count(0)
    auditor.go("Data")
    auditor.upload_csv("south", decisions(40, 25))
    auditor.go("Check")
    expect(verdict(auditor)).to_contain_text(re.compile(r"80%.* 50%"))
    # A report of the table before is not offered as one of this table; one of other settings is, and says so.
    auditor.go("Report")
    auditor.expect_text(say(Message("report-page-ready")))
    expect(auditor.main.get_by_role("button", name="Report (PDF)", exact=True)).to_have_count(0)
    auditor.make_report()
    auditor.go("Groups")
    auditor.turn("Write a condition")
    auditor.type("Protected: rows where", "group <> 'b'")
    auditor.go("Report")
    expect(outdated).to_be_visible()
    auditor.make_report()
    expect(outdated).to_have_count(0)

    asked = []
    auditor.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    auditor.go("Check")
    of_south = verdict(auditor).inner_text()
    auditor.page.reload()
    auditor.settle()
    expect(verdict(auditor)).to_have_text(of_south, use_inner_text=True)
    assert asked == ["beforeunload"], "it was not saved since"
    auditor.forget()
    expect(auditor.sidebar).to_contain_text("No table yet")
    auditor.go("fairaudit")
    auditor.open_plan(saved)
    auditor.follow(auditor.main.get_by_role("link", name="Bring the data"))
    expect(auditor.page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
    auditor.upload_csv("north", text)
    auditor.go("Check")
    assert verdict(auditor).inner_text() == before


def test_folder_of_the_server_is_listed_and_opened_in_place(chromium, serve, settle, tmp_path):
    (tmp_path / "north.csv").write_text(decisions(10, 25), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a table of decisions", encoding="utf-8")
    server = serve(FAIRAUDIT_DATA_DIR=str(tmp_path))
    with chromium.new_context(viewport={"width": 1280, "height": 1000}) as context:
        person = Auditor(context.new_page(), server.url, settle)
        person.go("Data")
        person.turn("From this server")
        expect(person.main.get_by_role("combobox", name="File")).to_have_value(re.compile(r"north\.csv"))
        person.press("Open this file")
        person.expect_text("100 rows, 2 columns")
        person.open_more()
        person.unfold("How the file was read")
        person.expect_text(say(Message("data-read-in-place")))
    assert "Traceback" not in server.log, server.log
