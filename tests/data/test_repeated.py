"""Rows that repeat an earlier one, left out when a file is read, and again when its audit is repeated."""

from __future__ import annotations

import io
import zipfile

import pandas as pd
import pytest

from fairaudit import AuditPlan, read_table, run
from fairaudit.data import ReadOptions
from fairaudit.data.limits import Limits
from fairaudit.errors import DataError
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.report.annexes import data_blocks
from fairaudit.report.bundle import to_csv_bundle

CONTENT = b"sex,ok,place\nF,1,b\nM,0,\nF,1,b\nM,1,a\nM,0,\nF,1,b\nF,1,B\n"


def test_first_of_equal_rows_is_kept_in_order():
    table = read_table(CONTENT, options=ReadOptions(distinct=True))
    assert table.n_rows == 4
    expected = read_table(CONTENT).to_pandas().drop_duplicates(ignore_index=True)
    pd.testing.assert_frame_equal(table.to_pandas(), expected)
    assert table.source.options.distinct and say(Message("read-repeated", {"n": Count(3)})) in table.notes
    assert table.fingerprint == read_table(b"sex,ok,place\nF,1,b\nM,0,\nM,1,a\nF,1,B\n").fingerprint


def test_file_without_repetitions_stays_as_it_is():
    content = b"place,place_\n1,2\n2,1\n"
    assert read_table(content, options=ReadOptions(distinct=True)).fingerprint == read_table(content).fingerprint


def test_plan_repeats_it(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(CONTENT)
    table = read_table(path, options=ReadOptions(distinct=True))
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="ok", favorable=(1,)),
        checks=(CheckPlan(protected="sex = 'F'"),),
    )
    saved = AuditPlan.from_toml(record_data(plan, table).to_toml())
    assert saved.data.reading.distinct and saved.data.n_rows == 4
    result = run(saved, base=tmp_path)
    assert result.data.n_rows == 4 and result.data.mismatch is None
    assert result.checks[0].result.protected.n == 2
    assert ("The fingerprint is of", "the rows that were kept") in data_blocks(result)[0].rows
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        said = bundle.read("README.txt").decode()
    assert table.fingerprint in said and say(Message("files-distinct")) in said


def test_file_that_is_read_where_it_lies_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(CONTENT * 20)
    with pytest.raises(DataError, match="read where it lies"):
        read_table(path, options=ReadOptions(distinct=True), limits=Limits(in_place_bytes=10))
