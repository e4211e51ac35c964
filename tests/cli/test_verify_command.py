"""What ``verify`` prints and exits with, and that ``run`` does not write over the results of another audit."""

from __future__ import annotations

import json

import pytest
from places import SAMPLES

from fairaudit.cli.main import BAD_INPUT, DONE, FAILED_ON, main
from fairaudit.report.crate import CRATE
from fairaudit.report.manifest import MANIFEST, Manifest

PLAN, DATA = str(SAMPLES / "berkeley_1973.toml"), str(SAMPLES / "berkeley_1973.csv")


@pytest.fixture
def out(tmp_path, capsys):
    folder = tmp_path / "out"
    assert main(["run", PLAN, "--out", str(folder)]) == DONE
    capsys.readouterr()
    return folder


def test_a_verdict_comes_out_and_the_exit_code_asked_for(out, capsys):
    fails = ["--fail-on", "changed,differs"]
    assert main(["verify", str(out), *fails]) == DONE
    assert capsys.readouterr().out.startswith("Unchanged. ")
    assert main(["verify", str(out), "--data", DATA, *fails]) == DONE
    assert capsys.readouterr().out.startswith("Made again. ")
    (out / "tables.zip").write_bytes(b"x")
    assert main(["verify", str(out)]) == DONE
    assert main(["verify", str(out), *fails]) == FAILED_ON
    capsys.readouterr()
    assert main(["verify", str(out), "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "changed"
    assert {"name": "tables.zip", "state": "changed", "again": None} in found["files"]


@pytest.mark.thorough
def test_a_folder_of_another_audit_is_not_written_over(out, tmp_path, capsys):
    assert main(["run", PLAN, "--out", str(out)]) == DONE, "the same audit is"
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert main(["run", str(SAMPLES / "loans.toml"), "--out", str(out)]) == BAD_INPUT
    assert "another audit" in capsys.readouterr().err
    data = tmp_path / "other.csv"
    rows = (SAMPLES / "berkeley_1973.csv").read_text(encoding="utf-8").replace("Admitted", "Rejected", 1)
    data.write_text(rows, encoding="utf-8")
    other = ["run", PLAN, "--out", str(out), "--data", str(data), "--ignore-fingerprint"]
    assert main(other) == BAD_INPUT
    assert "other data" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert main([*other, "--force"]) == DONE
    assert Manifest.read((out / MANIFEST).read_bytes()).compared != Manifest.read(before[MANIFEST]).compared


def test_a_manifest_of_another_program_is_not_written_over(out, capsys):
    (out / MANIFEST).write_text("{}", encoding="utf-8")
    assert main(["run", PLAN, "--out", str(out)]) == BAD_INPUT
    assert "another program" in capsys.readouterr().err


def test_two_runs_differ_in_when_they_were_made_alone(out, tmp_path):
    again = tmp_path / "again"
    assert main(["run", PLAN, "--out", str(again)]) == DONE
    for path in out.iterdir():
        if path.name not in (MANIFEST, CRATE):
            assert path.read_bytes() == (again / path.name).read_bytes(), path.name
    one, other = (Manifest.read((folder / MANIFEST).read_bytes()) for folder in (out, again))
    assert one.compared == other.compared


def test_the_day_of_a_run_is_the_date_of_its_documents(tmp_path):
    from pypdf import PdfReader

    assert main(["run", PLAN, "--out", str(tmp_path), "--date", "2026-11-30"]) == DONE
    for name in ("report.pdf", "annexes.pdf"):
        reader = PdfReader(tmp_path / name)
        assert reader.metadata.creation_date.strftime("%Y-%m-%d") == "2026-11-30"
        compared = Manifest.read((tmp_path / MANIFEST).read_bytes()).compared
        assert {f"audit sha256 {compared.plan}", f"data sha256 {compared.fingerprint}"} == {
            each.strip() for each in reader.metadata["/Keywords"].split(",")
        }
        assert reader.attachments["result.json"] == [(tmp_path / "result.json").read_bytes()]
        assert reader.attachments["plan.toml"] == [(tmp_path / "plan.toml").read_bytes()]


@pytest.mark.thorough
def test_a_plan_is_sealed_once_and_the_report_holds_its_code(tmp_path, capsys):
    from pypdf import PdfReader

    plan = tmp_path / "audit.toml"
    plan.write_text((SAMPLES / "berkeley_1973.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["seal", str(plan), "--by", "A. Auditor"]) == DONE
    code = capsys.readouterr().out.split()[-1]
    sealed = tmp_path / "audit.sealed.toml"
    assert main(["seal", str(sealed)]) == BAD_INPUT
    assert "sealed already" in capsys.readouterr().err
    assert main(["run", str(sealed), "--data", DATA, "--out", str(tmp_path / "out")]) == DONE
    text = "".join(page.extract_text() for page in PdfReader(tmp_path / "out" / "report.pdf").pages)
    assert code in "".join(text.split())
    assert json.loads((tmp_path / "out" / "result.json").read_bytes())["changed_since_seal"] == []
    capsys.readouterr()
    assert main(["verify", str(tmp_path / "out"), "--data", DATA]) == DONE
    assert capsys.readouterr().out.startswith("Made again. ")
