"""The page "Check a report": files are brought, one verdict comes, and with the data the audit is made again."""

from __future__ import annotations

import io
import zipfile

import keys
import pytest
from places import SAMPLES
from shown import shows

from fairaudit import AuditPlan, run
from fairaudit.report.bundle import zipped
from fairaudit.report.composing import write_report
from fairaudit.report.verified import files_table


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    paths = write_report(run(AuditPlan.load(SAMPLES / "berkeley_1973.toml"), base=SAMPLES), folder)
    return {path.name: path.read_bytes() for path in paths}


def bring(app, files):
    app.go("Check_a_report")
    return app.set("file_uploader", "verify_files", ("report.zip", zipped(files), "application/zip"))


def test_files_alone_are_compared_with_their_list(app, files):
    bring(app, files)
    assert app.state.verified.verdict == "unchanged"
    assert shows(app.text, "verify-unchanged")
    bring(app, files | {"report.pdf": files["report.pdf"] + b" "})
    assert app.state.verified.names("changed") == ("report.pdf",)
    assert "'report.pdf'" in app.text


def test_with_its_data_the_audit_is_made_again(app, files, monkeypatch):
    bring(app, files)
    data = (SAMPLES / "berkeley_1973.csv").read_bytes()
    app.set("file_uploader", "verify_data", ("renamed.csv", data, "text/csv")).click("verify_again")
    assert (app.state.verified.verdict, app.state.verified.data) == ("made_again", "same")
    other = data.replace(b"Admitted", b"Rejected", 1)
    app.set("file_uploader", "verify_data", ("renamed.csv", other, "text/csv")).click("verify_again")
    assert (app.state.verified.verdict, app.state.verified.data) == ("differs", "other")
    assert app.state.verified.mismatch in app.text


def test_what_is_no_report_is_refused_in_a_sentence(app):
    app.go("Check_a_report")
    app.set("file_uploader", "verify_files", ("report.zip", b"nothing", "application/zip"))
    assert "neither a folder nor a zip" in app.errors
    assert app.state.verified is None


def test_all_files_of_a_report_made_here_pass(app):
    app.sample("berkeley_1973").go("Report").click("report_make")
    with zipfile.ZipFile(io.BytesIO(app.state.made.zip)) as archive:
        bring(app, {name: archive.read(name) for name in archive.namelist()})
    assert app.state.verified.verdict == "unchanged"
    assert {row[1] for row in files_table(app.state.verified).rows} == {"unchanged"}


def test_a_signed_report_names_who_signed_and_asks_for_the_certificate(app, files, tmp_path):
    pytest.importorskip("pyhanko", reason="pyHanko is not installed, so nothing is signed")
    from fairaudit.report.signing import sign_report

    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    office, key = keys.made("A. Auditor"), tmp_path.parent / "key.p12"
    key.write_bytes(office.p12())
    signed = files | sign_report(tmp_path, key, lambda: keys.PASSPHRASE)
    bring(app, files)
    assert not [each for each in app.test.get("file_uploader") if each.key == "verify_trust"]
    bring(app, signed)
    assert app.state.verified.verdict == "unchanged" and not app.state.verified.is_signed_by_trusted
    assert "A. Auditor" in app.text and shows(app.text, "verify-bring-certificate")
    app.set("file_uploader", "verify_trust", ("office.pem", office.pem, "application/x-pem-file"))
    assert app.state.verified.is_signed_by_trusted
