"""What ``sign`` does at the command line, with keys made here: what it writes, prints, asks for and refuses."""

from __future__ import annotations

import io
import json
from datetime import timedelta

import keys
import pytest
from places import SAMPLES

from fairaudit import AuditPlan, run
from fairaudit.cli.main import BAD_INPUT, DONE, FAILED_ON, main
from fairaudit.cli.sign import PASSPHRASE
from fairaudit.report.composing import write_report
from fairaudit.report.manifest import SIGNED

pytest.importorskip("pyhanko", reason="pyHanko is not installed, so nothing is signed")

DATA = str(SAMPLES / "berkeley_1973.csv")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    write_report(run(AuditPlan.load(SAMPLES / "berkeley_1973.toml"), base=SAMPLES), folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def authority():
    return keys.made("Authority of the State")


@pytest.fixture(scope="module")
def office(authority):
    return keys.made("A. Auditor", issuer=authority, organisation="Office of Public Audit")


@pytest.fixture
def place(tmp_path, written, office, authority, monkeypatch):
    """A folder with a report, a key, its passphrase and the certificate of who issued it; nobody is at the terminal."""
    monkeypatch.delenv(PASSPHRASE, raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (tmp_path / "report").mkdir()
    for name, content in written.items():
        (tmp_path / "report" / name).write_bytes(content)
    (tmp_path / "office.p12").write_bytes(office.p12())
    (tmp_path / "word.txt").write_text(f"{keys.PASSPHRASE}\nanother line\n", encoding="utf-8")
    (tmp_path / "authority.pem").write_bytes(authority.pem)
    return tmp_path


def sign(place, *more, key="office.p12"):
    return main(["sign", str(place / "report"), "--key", str(place / key), *more])


def with_file(place):
    return ["--passphrase-file", str(place / "word.txt")]


def is_untouched(place, written):
    return {path.name: path.read_bytes() for path in (place / "report").iterdir()} == written


def refused(capsys, *words):
    said = capsys.readouterr()
    assert said.out == "" and "Traceback" not in said.err and all(word in said.err for word in words), said.err
    assert keys.PASSPHRASE not in said.err
    return True


def test_a_report_is_signed_and_verified(place, written, capsys):
    assert sign(place, *with_file(place)) == DONE
    said = capsys.readouterr()
    assert said.out.splitlines() == [f"wrote {place / 'report' / name}" for name in SIGNED]
    assert keys.PASSPHRASE not in said.out + said.err
    assert {path.name for path in (place / "report").iterdir()} == {*written, *SIGNED}
    assert all((place / "report" / name).read_bytes() == content for name, content in written.items())
    asks = ["--trust", str(place / "authority.pem"), "--fail-on", "changed,differs,not_trusted"]
    assert main(["verify", str(place / "report"), "--data", DATA, *asks]) == DONE
    said = capsys.readouterr().out
    assert said.startswith("Made again. ") and "A. Auditor, Office of Public Audit" in said
    assert main(["verify", str(place / "report"), *asks[2:]]) == FAILED_ON, "nobody said whose key it is"
    capsys.readouterr()
    assert main(["verify", str(place / "report"), *asks[:2], "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert {each["file"]: each["state"] for each in found["signatures"]} == dict.fromkeys(SIGNED, "trusted")


def test_a_digit_changed_after_signing_is_found(place, capsys):
    assert sign(place, *with_file(place)) == DONE
    path = place / "report" / "result.json"
    text = path.read_text(encoding="utf-8")
    at = next(number for number, each in enumerate(text) if each == "1")
    path.write_text(f"{text[:at]}2{text[at + 1 :]}", encoding="utf-8")
    trust = ["--trust", str(place / "authority.pem")]
    capsys.readouterr()
    assert main(["verify", str(place / "report"), *trust, "--fail-on", "changed"]) == FAILED_ON
    assert "result.json" in capsys.readouterr().out


def test_the_passphrase_comes_from_the_environment_or_is_typed(place, capsys, monkeypatch):
    monkeypatch.setenv(PASSPHRASE, keys.PASSPHRASE)
    assert sign(place) == DONE
    monkeypatch.delenv(PASSPHRASE)

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    asked = []
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", lambda prompt: asked.append(prompt) or keys.PASSPHRASE)
    assert sign(place, "--force") == DONE
    assert len(asked) == 1 and "office.p12" in asked[0]


def test_a_key_without_a_passphrase_asks_for_none(place, office, capsys):
    (place / "open.p12").write_bytes(office.p12(None))
    assert sign(place, key="open.p12") == DONE


def test_a_wrong_passphrase_signs_nothing(place, written, capsys, monkeypatch):
    monkeypatch.setenv(PASSPHRASE, "a word of nobody")
    assert sign(place) == BAD_INPUT
    assert refused(capsys, "passphrase", "office.") and is_untouched(place, written)


def test_without_a_passphrase_and_nobody_to_ask_it_says_where_to_put_it(place, written, capsys):
    assert sign(place) == BAD_INPUT
    assert refused(capsys, "--passphrase-file", PASSPHRASE) and is_untouched(place, written)


@pytest.mark.parametrize("lacks", ["office.p12", "word.txt", "report"])
def test_a_file_that_is_not_there_is_named(place, capsys, lacks):
    there = place / lacks
    there.rename(place / "elsewhere")
    assert sign(place, *with_file(place)) == BAD_INPUT
    assert refused(capsys, lacks.partition(".")[0]) and not there.exists()


def test_no_key_is_a_fault_of_the_command(place, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["sign", str(place / "report")])
    assert ended.value.code == BAD_INPUT and refused(capsys, "--key")


@pytest.mark.parametrize(
    ("begins", "ends"), [(-keys.YEAR, -timedelta(days=1)), (timedelta(days=1), keys.YEAR)], ids=["ended", "not begun"]
)
def test_a_certificate_out_of_its_time_signs_nothing(place, written, authority, capsys, begins, ends):
    key = keys.made("A. Auditor", issuer=authority, begins=begins, ends=ends)
    (place / "office.p12").write_bytes(key.p12())
    assert sign(place, *with_file(place)) == BAD_INPUT
    assert refused(capsys, "valid from") and is_untouched(place, written)


def test_a_changed_report_is_not_signed_nor_a_signed_one_again(place, capsys):
    assert sign(place, *with_file(place)) == DONE
    capsys.readouterr()
    assert sign(place, *with_file(place)) == BAD_INPUT
    assert refused(capsys, "signed already", "--force")
    assert sign(place, *with_file(place), "--force") == DONE
    capsys.readouterr()
    (place / "report" / "tables.zip").write_bytes(b"x")
    assert sign(place, *with_file(place), "--force") == BAD_INPUT
    assert refused(capsys, "not as it was written")


def test_a_folder_that_may_not_be_written_is_named(place, capsys, monkeypatch):
    def no_rights(files):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("fairaudit.cli.sign.write_files", no_rights)
    assert sign(place, *with_file(place)) == BAD_INPUT
    assert refused(capsys, "Permission denied", "report")
