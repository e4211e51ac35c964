"""A report that was altered is found out: in one digit, one byte, one file, or its data in one cell."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import pandas as pd
import pytest
from places import LOCAL_RULE, SAMPLES

from fairaudit import AuditPlan, read_table, run, verify
from fairaudit.errors import InputError, ReportError
from fairaudit.findings import Message, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.report import result_files
from fairaudit.report.composing import write_report
from fairaudit.report.crate import CRATE
from fairaudit.report.manifest import MANIFEST, Manifest, digest_of
from fairaudit.report.result_files import open_results
from fairaudit.report.verification import NEEDED
from fairaudit.report.verified import say_verification
from fairaudit.settings import SALT

SOURCE = "berkeley_1973.csv"
DATA = SAMPLES / SOURCE


@pytest.fixture(scope="module")
def result():
    return run(AuditPlan.load(SAMPLES / "berkeley_1973.toml"), base=SAMPLES)


@pytest.fixture(scope="module")
def written(result, tmp_path_factory):
    """The files of a report, which no test changes."""
    folder = tmp_path_factory.mktemp("results")
    write_report(result, folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(written, tmp_path):
    """A copy of them, to be altered."""
    place = tmp_path / "results"
    place.mkdir()
    for name, content in written.items():
        (place / name).write_bytes(content)
    return place


def zipped(files) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def headline(found):
    return say_verification(found).headline.key


def list_again(folder):
    """Have the manifest list the files as they are now, as somebody would who wants to hide a change."""
    manifest = Manifest.read((folder / MANIFEST).read_bytes())
    dated = {*manifest.dated, MANIFEST}
    files = {path.name: digest_of(path.read_bytes()) for path in folder.iterdir() if path.name not in dated}
    listed = manifest.model_copy(update={"compared": manifest.compared.model_copy(update={"files": files})})
    (folder / MANIFEST).write_bytes(listed.to_json())


def alter_digit(path):
    """Change the last digit of a gap."""
    values = json.loads(path.read_bytes())
    gap = values["checks"][0]["result"]["difference"]
    values["checks"][0]["result"]["difference"] = gap + 1e-4
    path.write_text(json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def test_what_nobody_has_touched_is_unchanged(folder):
    found = verify(folder)
    manifest = Manifest.read((folder / MANIFEST).read_bytes())
    assert found.verdict == "unchanged"
    assert found.names("unchanged") == tuple(sorted({*manifest.compared.files, *manifest.dated}))
    assert found.data == "not_given" and found.numbers is None
    assert str(found).startswith("Unchanged\n")


def test_it_shows_itself_as_every_result_does(folder):
    alter_digit(folder / "result.json")
    found = verify(folder, DATA)
    verdict, headline, *_ = found.say()
    assert str(found).splitlines()[:2] == [verdict, headline]
    assert verdict in found._repr_html_() and "<table>" in found._repr_html_()
    frame = found.to_frame()
    assert len(frame) == len(found.files) == len(found.to_dict()["files"])
    assert set(frame.iloc[:, 0]) == {each.name for each in found.files}
    with pytest.raises(InputError, match="nothing to draw"):
        found.chart()


def test_with_its_data_the_report_is_made_again(folder):
    found = verify(folder, DATA)
    assert (found.verdict, found.data, found.numbers) == ("made_again", "same", "same")
    assert len(found.names("same")) == len(found.files) == 7 and not found.other_versions
    assert headline(found) == "verify-made-again"


def test_a_table_at_hand_serves_as_well_and_keeps_its_name(folder):
    table = read_table(DATA, name="mine")
    assert headline(verify(folder, table)) == "verify-made-again"
    assert table.name == "mine"


@pytest.mark.parametrize("kind", ["frame", "parquet", "semicolons"])
def test_the_same_data_may_be_brought_in_another_way(folder, tmp_path, kind):
    frame = pd.read_csv(DATA)
    data = {"frame": frame}.get(kind, tmp_path / {"parquet": "data.parquet", "semicolons": "data.csv"}.get(kind, ""))
    if kind == "parquet":
        frame.to_parquet(data)
    elif kind == "semicolons":
        frame.to_csv(data, sep=";", index=False)
    found = verify(folder, data)
    assert (found.verdict, found.data, found.numbers) == ("made_again", "same", "same")
    assert len(found.names("same")) == len(found.files), "the files are compared all the same"
    assert not found.is_read_alike and headline(found) == "verify-made-again-numbers"
    assert "verify-read" in {each.key for each in say_verification(found).caution}
    (folder / "report.pdf").write_bytes(b"%PDF-1.7 another")
    list_again(folder)
    assert verify(folder, data).names("other") == ("report.pdf",)


def test_what_is_said_of_reading_is_not_taken_for_checked(folder):
    path = folder / "result.json"
    values = json.loads(path.read_bytes())
    values["data"]["notes"] = ["Approved by the office."]
    path.write_text(json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    list_again(folder)
    found = verify(folder, DATA)
    assert found.verdict == "differs" and not found.is_read_alike
    assert {"annexes.pdf", "report.pdf"} <= {*found.names("other")} and "result.json" in found.names("same")
    values["data"]["source"] = {"format": "none"}
    path.write_text(json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    list_again(folder)
    assert "result.json" in verify(folder, DATA).names("other"), "no report says so"


def test_other_bytes_of_the_same_numbers_leave_no_file_uncompared(folder):
    path = folder / "result.json"
    path.write_text(json.dumps(json.loads(path.read_bytes())), encoding="utf-8")
    (folder / "report.pdf").write_bytes(b"%PDF-1.7 another report")
    (folder / "tables.zip").write_bytes(b"PK none")
    list_again(folder)
    assert verify(folder).verdict == "unchanged", "no list can show this"
    found = verify(folder, DATA)
    assert (found.verdict, found.numbers) == ("differs", "same") and headline(found) == "verify-other-files"
    assert found.names("other") == ("report.pdf", "result.json", "tables.zip")
    assert "verify-fonts" not in {each.key for each in say_verification(found).caution}, "no font does that"


def test_last_digits_leave_the_numbers_to_compare_and_that_is_said(folder):
    path = folder / "result.json"
    values = json.loads(path.read_bytes())
    values["checks"][0]["result"]["difference"] *= 1 + 1e-12
    path.write_text(json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    list_again(folder)
    found = verify(folder, DATA)
    assert (found.verdict, found.numbers) == ("made_again", "last_digits")
    assert headline(found) == "verify-made-again-numbers" and not found.names("same")
    assert "verify-digits" in {each.key for each in say_verification(found).caution}


@pytest.mark.parametrize("is_dated", [False, True])
def test_a_file_that_the_audit_does_not_make_is_another_one(folder, is_dated):
    (folder / "summary_for_press.html").write_text("There is no gap.", encoding="utf-8")
    list_again(folder)
    if is_dated:
        manifest = Manifest.read((folder / MANIFEST).read_bytes())
        files = dict(manifest.compared.files)
        dated = manifest.dated | {"summary_for_press.html": files.pop("summary_for_press.html")}
        listed = {"dated": dated, "compared": manifest.compared.model_copy(update={"files": files})}
        (folder / MANIFEST).write_bytes(manifest.model_copy(update=listed).to_json())
    assert verify(folder).verdict == "unchanged", "no list can show this"
    found = verify(folder, DATA)
    assert (found.verdict, found.names("other")) == ("differs", ("summary_for_press.html",))


def test_what_archives_read_is_made_again(folder):
    content = (folder / CRATE).read_bytes().replace(b"Berkeley", b"Harvard")
    (folder / CRATE).write_bytes(content)
    manifest = Manifest.read((folder / MANIFEST).read_bytes())
    (folder / MANIFEST).write_bytes(manifest.model_copy(update={"dated": {CRATE: digest_of(content)}}).to_json())
    assert verify(folder).verdict == "unchanged", "no list can show this"
    found = verify(folder, DATA)
    assert (found.verdict, found.names("other")) == ("differs", (CRATE,))


def test_a_form_of_an_office_is_a_file_of_the_audit(tmp_path):
    frame = pd.DataFrame({"district": ["East"] * 60 + ["West"] * 40, "granted": (["yes"] * 3 + ["no"]) * 25})
    frame["sum"] = range(100)
    (tmp_path / "own.toml").write_bytes(LOCAL_RULE.read_bytes())
    form = PresetPlan(preset="own.toml", columns={"district": "district", "amounts": "sum"})
    decision = OutcomePlan(column="granted", favorable=("yes",))
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=decision, presets=(form,))
    folder = tmp_path / "results"
    write_report(run(plan, table=frame, base=tmp_path), folder, base=tmp_path)
    found = verify(folder, frame)
    assert headline(found) == "verify-made-again" and "own.toml" in found.names("same")
    (folder / "own.toml").write_bytes(LOCAL_RULE.read_bytes() + b"# There is no gap.\n")
    list_again(folder)
    assert verify(folder, frame).verdict == "differs", "the plan holds the digest of the form"


def test_one_byte_of_a_report_is_found(folder):
    path = folder / "report.pdf"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    found = verify(folder)
    assert found.verdict == "changed" and found.names("changed") == ("report.pdf",)


def test_one_byte_is_found_by_making_it_again_where_the_list_was_changed_with_it(folder):
    path = folder / "report.pdf"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    list_again(folder)
    assert verify(folder).verdict == "unchanged", "no list can show this"
    found = verify(folder, DATA)
    assert (found.verdict, found.numbers, found.names("other")) == ("differs", "same", ("report.pdf",))


@pytest.mark.parametrize("hides", [False, True], ids=["list as it was", "list changed with it"])
def test_one_digit_of_a_number_is_found(folder, hides):
    alter_digit(folder / "result.json")
    if hides:
        list_again(folder)
    found = verify(folder, DATA)
    assert found.verdict == ("differs" if hides else "changed")
    assert (found.numbers, found.n_differences) == ("other", 1)
    [difference] = found.differences
    assert difference.path == "checks.0.result.difference"
    assert difference.reported == pytest.approx(difference.again + 1e-4)


def test_one_file_that_is_gone_is_named(folder):
    (folder / "annexes.pdf").unlink()
    assert verify(folder).names("missing") == ("annexes.pdf",)
    list_again(folder)
    found = verify(folder)
    assert found.verdict == "changed" and found.names("missing") == ("annexes.pdf",), "every report has it"


@pytest.mark.parametrize("name", sorted({*NEEDED}))
def test_no_list_can_leave_out_a_file_that_every_report_has(folder, name):
    (folder / name).unlink()
    assert verify(folder).names("missing") == (name,)
    list_again(folder)
    for found in (verify(folder), verify(folder, DATA)):
        assert found.verdict == "changed" and found.names("missing") == (name,)
        assert "verify-which" in {each.key for each in say_verification(found).lead}


def test_no_list_can_leave_out_a_form_that_was_filled(tmp_path):
    frame = pd.DataFrame({"sex": ["f", "m"] * 60, "ok": (["y"] * 3 + ["n"]) * 30})
    form = PresetPlan(preset="eeoc_uniform_guidelines", columns={"sex": "sex"})
    decision = OutcomePlan(column="ok", favorable=("y",))
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=decision, presets=(form,))
    write_report(run(plan, table=frame), tmp_path)
    assert verify(tmp_path, frame).verdict == "made_again"
    forms = sorted(path.name for path in tmp_path.glob("form_1_*"))
    assert len(forms) == 2
    for name in forms:
        (tmp_path / name).unlink()
    list_again(tmp_path)
    for found in (verify(tmp_path), verify(tmp_path, frame)):
        assert found.verdict == "changed" and found.names("missing") == tuple(forms)


def test_all_that_is_gone_and_all_that_was_added_is_named(folder):
    (folder / "annexes.pdf").unlink()
    (folder / "tables.zip").unlink()
    (folder / "summary.docx").write_bytes(b"x")
    (folder / "more").mkdir()
    (folder / "more" / "report.pdf").write_bytes(b"x")
    for data in (None, DATA):
        found = verify(folder, data)
        assert found.verdict == "changed"
        assert found.names("missing") == ("annexes.pdf", "tables.zip")
        assert {*found.names("added")} == {"summary.docx", "more"}


def test_data_changed_by_one_cell_are_other_data(folder, tmp_path):
    other = tmp_path / SOURCE
    first, second, *rows = DATA.read_text(encoding="utf-8").splitlines()
    assert second.endswith("Admitted")
    other.write_text("\n".join([first, second.replace("Admitted", "Rejected"), *rows, ""]), encoding="utf-8")
    found = verify(folder, other)
    assert (found.verdict, found.data, found.numbers) == ("differs", "other", "other")
    assert found.mismatch and found.differences


def test_data_that_give_the_same_numbers_are_other_data_all_the_same(folder, tmp_path):
    other = tmp_path / SOURCE
    first, *rows = DATA.read_text(encoding="utf-8").splitlines()
    other.write_text("\n".join([first, *reversed(rows), ""]), encoding="utf-8")
    found = verify(folder, other)
    assert (found.verdict, found.data) == ("differs", "other")


def test_the_list_of_another_report_is_found(folder, result):
    for path in folder.iterdir():
        path.unlink()
    plan = result.plan.model_copy(update={"seed": 7})
    write_report(replace(result, plan=plan), folder)
    manifest = Manifest.read((folder / MANIFEST).read_bytes())
    other = manifest.compared.model_copy(update={"seed": 0})
    (folder / MANIFEST).write_bytes(manifest.model_copy(update={"compared": other}).to_json())
    found = verify(folder)
    assert found.verdict == "changed" and found.misfits == ("seed",)


NAMED = {
    "plan": "0" * 64,
    "question": "0" * 64,
    "seed": 7,
    "fingerprint": "0" * 64,
    "data": "salaries",
    "versions": {"fairaudit": "0.1"},
}


@pytest.mark.parametrize("name", sorted(NAMED))
def test_what_the_list_names_otherwise_than_the_report_is_said(folder, name):
    manifest = Manifest.read((folder / MANIFEST).read_bytes())
    compared = manifest.compared.model_copy(update={name: NAMED[name]})
    (folder / MANIFEST).write_bytes(manifest.model_copy(update={"compared": compared}).to_json())
    for found in (verify(folder), verify(folder, DATA)):
        assert found.verdict == "changed" and found.misfits == (name,) and found.to_dict()["misfits"] == [name]
        [said] = [each for each in say_verification(found).lead if each.key == "verify-list"]
        assert say(said).endswith(f": {say(Message('verify-list-part', {'part': Word(name)}))}.")
    (folder / "report.pdf").write_bytes(b"x")
    assert verify(folder).misfits == (name,), "another change does not hide it"


def test_other_versions_leave_the_numbers_to_compare(folder):
    manifest = Manifest.read((folder / MANIFEST).read_bytes())
    versions = manifest.compared.versions | {"typst": "0.1"}
    compared = manifest.compared.model_copy(update={"versions": versions})
    (folder / MANIFEST).write_bytes(manifest.model_copy(update={"compared": compared}).to_json())
    found = verify(folder, DATA)
    assert (found.verdict, found.numbers, found.other_versions) == ("made_again", "same", ("typst",))
    assert headline(found) == "verify-made-again-numbers"
    assert {each.name for each in found.files if each.again is None} == {"report.pdf", "annexes.pdf", CRATE}


@pytest.mark.thorough
@pytest.mark.parametrize("here", [None, "a salt of the office", "the salt of another office"])
@pytest.mark.parametrize("salt", [None, "a salt of the office"])
def test_beside_hidden_counts_nothing_is_told_of_the_data(result, tmp_path, monkeypatch, salt, here):
    set_salt(monkeypatch, salt)
    plan = result.plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True)})
    write_report(replace(result, plan=plan), tmp_path)
    text = (tmp_path / MANIFEST).read_text(encoding="utf-8")
    crate = (tmp_path / CRATE).read_text(encoding="utf-8")
    assert result.data.fingerprint not in text + crate and ("salted:" in crate) == (salt is not None)
    fingerprint = Manifest.read(text.encode()).compared.fingerprint
    assert (fingerprint is None) == (salt is None)
    set_salt(monkeypatch, here)
    found = verify(tmp_path, DATA)
    if salt is None or here is None:
        assert (found.verdict, found.data, found.numbers) == ("made_again", "not_known", "same")
        assert ("verify-data-salted" in keys_said(found)) == (salt is not None)
        assert ("verify-data-not-known" in keys_said(found)) == (salt is None)
        assert headline(found) == ("verify-made-again" if salt is None else "verify-made-again-numbers")
    elif salt == here:
        assert (found.verdict, found.data) == ("made_again", "same")
    else:
        assert (found.verdict, found.data) == ("differs", "other") and "verify-other-salt" in keys_said(found)
    assert found.is_salted == (salt is not None)


def set_salt(monkeypatch, salt):
    if salt is None:
        monkeypatch.delenv(SALT.variable, raising=False)
    else:
        monkeypatch.setenv(SALT.variable, salt)


def keys_said(found):
    said = say_verification(found)
    return {each.key for each in (*said.lead, *said.caution)}


@pytest.mark.thorough
def test_without_the_salt_second_tables_are_known_as_reported_and_a_digit_is_found(tmp_path, monkeypatch):
    set_salt(monkeypatch, "a salt of the office")
    frame = pd.DataFrame({"sex": ["f", "m"] * 60, "ok": (["y"] * 3 + ["n"]) * 30})
    frame.to_csv(tmp_path / "before.csv", index=False)
    frame.iloc[:100].to_csv(tmp_path / "after.csv", index=False)
    plan = AuditPlan.from_toml(
        'schema_version = 1\n[data]\nsource = "before.csv"\n[decision]\ncolumn = "ok"\nfavorable = ["y"]\n'
        '[small_cells]\nmask = true\n[[changes]]\nprotected = "sex = \'f\'"\nsecond = "after.csv"\n'
    )
    folder = tmp_path / "results"
    write_report(run(plan, base=tmp_path), folder)
    recorded = json.loads((folder / "result.json").read_bytes())["changes"][0]["second_fingerprint"]
    assert recorded.startswith("salted:")
    assert verify(folder, tmp_path / "before.csv").verdict == "made_again"
    set_salt(monkeypatch, None)
    found = verify(folder, tmp_path / "before.csv")
    assert (found.verdict, found.numbers) == ("made_again", "same") and "verify-data-salted" in keys_said(found)
    values = json.loads((folder / "result.json").read_bytes())
    values["data"]["n_columns"] += 1
    text = json.dumps(values, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
    (folder / "result.json").write_text(text, encoding="utf-8")
    list_again(folder)
    found = verify(folder, tmp_path / "before.csv")
    assert (found.verdict, found.n_differences) == ("differs", 1) and "verify-data-salted" in keys_said(found)


def test_the_digest_of_the_question_does_not_depend_on_what_is_recorded_of_the_data(result):
    recorded = result.plan.data.model_copy(update={"fingerprint": "0" * 64, "n_rows": 3, "columns": ("a",)})
    assert result.plan.model_copy(update={"data": recorded}).question == result.plan.question
    assert result.plan.model_copy(update={"seed": 9}).question != result.plan.question


# What a stranger hands over.


@pytest.mark.parametrize("top", ["", "results/"])
def test_a_zip_is_read_as_a_folder_is(written, top):
    files = {f"{top}{name}": content for name, content in written.items()} | {"__MACOSX/._x": b""}
    assert verify(zipped(files)).verdict == "unchanged"


@pytest.mark.parametrize("name", ["../report.pdf", "/etc/passwd", "a\\b", "C:x", "x/../../y"])
def test_a_name_that_leads_elsewhere_is_no_file_of_a_report(written, name):
    found = verify(zipped(written | {name: b"x"}))
    assert found.verdict == "changed" and found.names("added") == (name,)


def test_a_link_is_not_followed(folder, tmp_path):
    (tmp_path / "secret").write_bytes((folder / "plan.toml").read_bytes())
    (folder / "plan.toml").unlink()
    (folder / "plan.toml").symlink_to(tmp_path / "secret")
    found = verify(folder)
    assert found.verdict == "changed" and "plan.toml" in found.names("missing")


def test_a_zip_that_would_fill_the_memory_is_refused(written, monkeypatch):
    monkeypatch.setattr(result_files, "MOST_BYTES", 1000)
    with pytest.raises(ReportError, match="more in it"):
        verify(zipped(written))


def test_a_file_larger_than_it_may_be_is_refused(written):
    files = open_results(zipped(written))
    with pytest.raises(ReportError, match="larger"):
        files.read("report.pdf", most=10)


@pytest.mark.parametrize("content", [b"", b"x", b"[]", b"{}", b'{"compared": {}}', b"[" * 100_000, b"\xff"])
def test_a_list_that_is_none_is_refused(written, content):
    with pytest.raises(ReportError):
        verify(zipped(written | {MANIFEST: content}))


@pytest.mark.parametrize("name", ["result.json", "plan.toml"])
@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 100_000, b"{}"])
def test_files_that_are_none_are_changed_or_refused(written, name, content):
    assert verify(zipped(written | {name: content})).verdict == "changed"
    listed = Manifest.read(written[MANIFEST])
    files = listed.compared.files | {name: digest_of(content)}
    listed = listed.model_copy(update={"compared": listed.compared.model_copy(update={"files": files})})
    assert verify(zipped(written | {name: content, MANIFEST: listed.to_json()})).verdict == "changed"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"x" * 100])
def test_what_is_no_zip_is_refused(content):
    with pytest.raises(ReportError, match="neither"):
        verify(content)


def test_a_folder_without_a_list_is_refused(tmp_path):
    with pytest.raises(ReportError, match=MANIFEST):
        verify(tmp_path)
    with pytest.raises(ReportError, match="no folder or zip"):
        verify(tmp_path / "none")


def test_the_schema_beside_a_result_describes_it(written):
    import jsonschema

    jsonschema.validate(json.loads(written["result.json"]), json.loads(written["result.schema.json"]))


def test_a_frame_serves_as_data(tmp_path):
    frame = pd.DataFrame({"sex": ["f", "m"] * 60, "ok": (["y"] * 3 + ["n"]) * 30})
    plan = AuditPlan.from_toml(
        'schema_version = 1\n[data]\nsource = "t"\n[decision]\ncolumn = "ok"\nfavorable = ["y"]\n'
        "[[checks]]\nprotected = \"sex = 'f'\"\n"
    )
    write_report(run(plan, table=frame), tmp_path)
    assert verify(tmp_path, frame).verdict == "made_again"
    assert verify(tmp_path, frame.iloc[::-1]).verdict == "differs"
