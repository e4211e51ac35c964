from __future__ import annotations

import csv
import io
import zipfile

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_composing import berkeley_like, plan

from fairaudit.audit.running import run
from fairaudit.errors import ReportError
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.present.blocks import csv_bytes, neutralised
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import write_report

ERRORS = {"score": ScorePlan(column="score", cut=0.5), "errors": (ErrorsPlan(by=("sex",)),)}


@pytest.fixture(scope="module")
def result():
    return run(plan(**ERRORS), table=berkeley_like())


def files(bundle: bytes) -> dict[str, list[dict[str, str]]]:
    with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
        texts = {name: opened.read(name).decode("utf-8-sig") for name in opened.namelist() if name.endswith(".csv")}
    return {name: list(csv.DictReader(io.StringIO(text, newline=""))) for name, text in texts.items()}


def test_the_same_audit_gives_the_same_bytes(result):
    again = run(plan(**ERRORS), table=berkeley_like())
    assert to_csv_bundle(result) == to_csv_bundle(again)


def test_numbers_are_in_full_precision(result):
    row = files(to_csv_bundle(result))["check_1_groups.csv"][0]
    assert row["n"] == "900"
    assert float(row["share"]) == 250 / 900
    assert float(row["share_interval_low"]) == result.checks[0].result.protected.interval.low


def test_every_column_of_every_table_is_in_the_dictionary(result):
    found = files(to_csv_bundle(result))
    dictionary = {(row["file"], row["column"]) for row in found.pop("data_dictionary.csv")}
    assert dictionary == {(name, column) for name, rows in found.items() if rows for column in rows[0]}
    assert len(found) > 10


def test_the_dictionary_says_of_bands_where_they_are_cut():
    frame = pd.DataFrame({"sex": ["F", "M"] * 60, "age": range(120), "pay": range(120), "ok": ["y", "n", "n"] * 40})
    check = CheckPlan(protected="sex = 'F'", strata=("sex", "age"), strata_cuts={"age": (30, 60.5)})
    for decision in (OutcomePlan(column="ok", favorable=("y",)), OutcomePlan(column="pay", amount=True)):
        asked = AuditPlan(
            data=DataPlan(source="t.csv"), decision=decision, checks=(check.model_copy(update={"strata": ("age",)}),)
        )
        said = {
            row["column"]: row["meaning"]
            for row in files(to_csv_bundle(run(asked, table=frame)))["data_dictionary.csv"]
        }
        assert said["stratum_1"] == "Band of the column age cut at 30, 60.5."


def test_the_plan_in_the_bundle_is_the_plan(result):
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        assert AuditPlan.from_toml(bundle.read("plan.toml").decode()) == result.plan
        assert all(entry.date_time == (1980, 1, 1, 0, 0, 0) for entry in bundle.infolist())
        assert bundle.namelist() == sorted(bundle.namelist())


def test_texts_from_data_cannot_run_in_a_spreadsheet():
    frame = pd.DataFrame({"=cmd()": ["=1+1", "@x", " -a", "+b"] * 20, "y": ["yes", "no", "no"] * 26 + ["yes"] * 2})
    check = CheckPlan(protected="\"=cmd()\" = '=1+1'", compare=(("=cmd()",),))
    decision = {"column": "y", "favorable": ("yes",)}
    bundle = files(to_csv_bundle(run(plan(checks=(check,), decision=decision), table=frame)))
    groups = {row["group_1"] for row in bundle["check_1_all_groups_1.csv"]}
    assert groups <= {"'=1+1", "'@x", "'-a", "' -a", "'+b"}
    for rows in bundle.values():
        assert not [cell for row in rows for cell in row.values() if cell.lstrip()[:1] in ("=", "@")]


@given(st.text(alphabet=st.sampled_from("=+-@\t\r\n ;,ab1.'\"\u00a0\ufeff＝"), max_size=12))
def test_no_text_starts_a_formula_however_it_is_cut(text):
    safe = neutralised(text)
    for separator in ("\n", "\r", "\t", ";"):
        for piece in safe.split(separator):
            start = piece.strip(" \u00a0\ufeff\t\r\n")[:1]
            assert start not in ("=", "@", "＝")
            if start in ("+", "-"):
                assert float(safe) is not None
    assert safe.replace("'", "") == text.replace("'", "")


@given(st.lists(st.tuples(st.text(max_size=8), st.floats(allow_nan=False, allow_infinity=False)), max_size=5))
def test_numbers_come_back_from_a_csv_as_they_went_in(rows):
    text = csv_bytes(("a", "b"), rows).decode("utf-8-sig")
    back = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert [float(row[1]) for row in back] == [number for _, number in rows]


def test_write_report_writes_eight_files(result, tmp_path):
    paths = write_report(result, tmp_path / "out")
    names = ["report.pdf", "annexes.pdf", "tables.zip", "result.json", "result.schema.json", "plan.toml"]
    names += ["ro-crate-metadata.json", "manifest.json"]
    assert [path.name for path in paths] == names
    assert all(path.stat().st_size for path in paths)


def test_write_report_refuses_a_folder_that_is_a_file(result, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(ReportError, match="cannot be written"):
        write_report(result, tmp_path / "file")
