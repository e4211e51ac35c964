"""Files of SPSS, Stata and SAS, written with the library that others read them with."""

from __future__ import annotations

import datetime

import pandas as pd
import pyreadstat
import pytest

from fairaudit import Table, read_table
from fairaudit.columns import ReadOptions, labels_of
from fairaudit.data.formats import sniff
from fairaudit.data.limits import Limits
from fairaudit.data.subprocess_reader import read_apart
from fairaudit.errors import DataError, FairauditError, LimitError, UnsupportedFormatError

LABELS = {"sex": {1: "man", 2: "woman"}, "region": {1: "north", 2: "south", 3: "west", 4: "east"}}


def people(n: int = 60) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "sex": [1 + i % 2 for i in range(n)],
            "region": [1 + i % 3 for i in range(n)],
            "age": [20.0 + i % 40 for i in range(n)],
            "pay": [1000.5 + i for i in range(n)],
            "town": ["Rome" if i % 4 else "" for i in range(n)],
            "born": [datetime.date(1980, 1, 1) + datetime.timedelta(days=i) for i in range(n)],
        }
    )


WRITERS = {
    "sav": lambda frame, path: pyreadstat.write_sav(frame, path, variable_value_labels=LABELS),
    "zsav": lambda frame, path: pyreadstat.write_sav(frame, path, variable_value_labels=LABELS, compress=True),
    "por": lambda frame, path: pyreadstat.write_por(frame, path),
    "dta": lambda frame, path: pyreadstat.write_dta(frame, path, variable_value_labels=LABELS),
    "xpt": lambda frame, path: pyreadstat.write_xport(frame, path),
}
WITH_LABELS = ("sav", "zsav", "dta")


@pytest.fixture(params=WRITERS)
def written(request, tmp_path):
    """A kind of file, and its content under a name that says nothing."""
    path = tmp_path / "people.bin"
    WRITERS[request.param](people(), path)
    return request.param, path.read_bytes()


def in_words(kind: str) -> Table:
    """Return the table with the labels written into it, where a file of the kind holds such."""
    frame = people().assign(town=lambda rows: rows["town"].replace("", None), age=lambda rows: rows["age"].astype(int))
    if kind in WITH_LABELS:
        frame = frame.assign(**{name: frame[name].map(codes) for name, codes in LABELS.items()})
    if kind == "por":
        frame.columns = frame.columns.str.upper()
    return Table.from_pandas(frame)


def test_a_file_is_known_by_its_content_and_read_with_its_labels(written):
    kind, content = written
    table, expected = read_table(content), in_words(kind)
    assert {name: column.kind for name, column in table.columns.items()} == {
        name: column.kind for name, column in expected.columns.items()
    }
    pd.testing.assert_frame_equal(table.to_pandas(), expected.to_pandas())
    assert table.fingerprint == expected.fingerprint
    if kind in WITH_LABELS:
        assert table.count("sex = 2 AND region IN (1, 3)") == expected.count("sex = 'woman' AND region <> 'south'")
        assert not table.source.options.labels


def test_the_process_that_reads_uploads_reads_it_alike(written):
    content = written[1]
    apart = read_apart(content, name="people")
    assert apart.fingerprint == read_table(content).fingerprint
    assert apart.columns == read_table(content).columns


def test_what_a_person_says_comes_before_the_labels_of_the_file(tmp_path):
    WRITERS["sav"](people(), tmp_path / "people.sav")
    options = ReadOptions(labels=labels_of({"sex": {1: "boy", 2: "girl"}}), numbers=("region",))
    table = read_table(tmp_path / "people.sav", options=options)
    assert table.columns["region"].kind == "number" and table.count("sex = 'girl'") == table.count("sex = 2") == 30
    assert read_table(tmp_path / "people.sav", options=table.source.options).fingerprint == table.fingerprint


def test_values_that_are_said_to_be_missing_are_missing_and_few_labels_leave_numbers(tmp_path):
    frame = people().assign(age=lambda rows: rows["age"].where(rows.index > 9, 99.0))
    labels = {**LABELS, "age": {99.0: "not known", 59.0: "59 or older"}}
    ranges = {"age": [99]}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels, missing_ranges=ranges)
    table = read_table(tmp_path / "a.sav")
    assert table.columns["age"].kind == "number" and table.count("age IS NULL") == 10
    assert any("'age'" in note for note in table.notes)


def test_labels_that_name_two_codes_alike_are_told_apart(tmp_path):
    labels = {"region": {1: "no answer", 2: "no answer", 3: "1"}}
    pyreadstat.write_sav(people(), tmp_path / "a.sav", variable_value_labels=labels)
    held = read_table(tmp_path / "a.sav").to_pandas()["region"]
    assert set(held) == {"no answer (1)", "no answer (2)", "1 (3)"}


def _read_or_said(content: bytes) -> tuple[str, int]:
    try:
        return "", read_table(content).n_rows
    except FairauditError as error:
        return error.message, 0


@pytest.mark.parametrize("cut", [0.02, 0.3, 0.6, 0.97])
def test_a_file_that_is_cut_short_is_one_sentence_or_whole(written, cut):
    said, n_rows = _read_or_said(written[1][: int(len(written[1]) * cut)])
    assert "\n" not in said and n_rows <= 60


@pytest.mark.parametrize(
    "start",
    [b"$FL2@(#) SPSS", b"$FL3", b"<stata_dta><header>", b"\x73\x02\x01\x00", b"HEADER RECORD*******LIBRARY HEADER"],
)
def test_a_file_of_which_the_start_alone_is_right_is_one_sentence(start):
    with pytest.raises(DataError):
        read_table(start + bytes(range(256)) * 4)


def test_a_sas_file_that_is_damaged_is_named_and_an_encrypted_spss_file_is_refused():
    magic = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
    assert sniff(magic + bytes(500)) == "sas7bdat"
    with pytest.raises(DataError, match="a SAS file"):
        read_table(magic + bytes(5000))
    with pytest.raises(UnsupportedFormatError, match="encrypted SPSS"):
        read_table(b"\x1c" + bytes(7) + b"ENCRYPTEDSAV" + bytes(100))


def test_limits_hold_before_rows_are_read(tmp_path):
    WRITERS["zsav"](people(), tmp_path / "a.zsav")
    with pytest.raises(LimitError, match="60 rows"):
        read_table(tmp_path / "a.zsav", limits=Limits(max_decompressed=1_000))
    with pytest.raises(LimitError, match="columns"):
        read_table(tmp_path / "a.zsav", limits=Limits(max_columns=3))
    with pytest.raises(UnsupportedFormatError, match="an SPSS file"):
        read_table(tmp_path / "a.zsav", format="csv")


def test_little_memory_is_a_sentence(tmp_path):
    frame = pd.DataFrame({"x": range(400_000), **{f"y{i}": 1.5 for i in range(30)}})
    pyreadstat.write_sav(frame, tmp_path / "a.zsav", compress=True)
    with pytest.raises(LimitError, match="memory"):
        read_apart((tmp_path / "a.zsav").read_bytes(), name="a", memory=60_000_000)
