"""Values that differ by letter case and blanks around them, read as one, and again when an audit is repeated."""

from __future__ import annotations

import io
from collections import Counter
from random import Random

import duckdb
import pandas as pd
import pytest

from fairaudit import AuditPlan, read_table, run
from fairaudit.data import ReadOptions
from fairaudit.data.limits import Limits
from fairaudit.data.same_spelling import alike_text, other_spellings
from fairaudit.disclosure.gate import exported
from fairaudit.errors import DataError, InputError
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.report.annexes import data_blocks

RACES = ["Black"] * 30 + ["BLACK"] * 20 + ["black "] * 5 + ["White"] * 30 + ["white"] * 30 + ["Blac k"] + [None]
ALIKE = ["Black"] * 55 + ["White"] * 60 + ["Blac k", None]


def content(races=RACES) -> bytes:
    random = Random(4)
    order = random.sample(range(len(races)), len(races))
    frame = pd.DataFrame({"n_": range(len(races)), "race": races, "ok": [random.choice("YN") for _ in races]})
    return frame.iloc[order].to_csv(index=False).encode()


def one_spelling(data: bytes, *columns: str, **options):
    return read_table(data, name="people", options=ReadOptions(same_spelling=columns, **options))


def test_each_value_gets_its_most_frequent_spelling_of_several_the_first():
    table = one_spelling(content(), "race")
    assert table.fingerprint == read_table(content(ALIKE)).fingerprint
    assert table.source.options.same_spelling == ("race",)
    assert table.notes[-1] == (
        "In column 'race', 30 rows written 'white' are read as 'White'; "
        "25 rows written 'BLACK' or 'black' are read as 'Black'."
    )
    assert other_spellings(table, "race") == {}


def test_blanks_that_were_kept_around_values_do_not_set_them_apart():
    table = one_spelling(content(), "race", trim=False)
    assert Counter(table.to_pandas()["race"].dropna()) == Counter(filter(None, ALIKE))
    assert "'BLACK' or 'black ' are read" in table.notes[-1]


def test_a_column_with_one_spelling_stays_as_it_is_and_names_may_be_any():
    data = b"spelling,read_as,n,other\nx,X,x,a\nX,x,x,A\nX,x,x,a\n"
    table = one_spelling(data, "spelling", "read_as", "n", "other", "n")
    assert table.to_pandas().to_numpy().tolist() == [["X", "x", "x", "a"]] * 3
    assert table.source.options.same_spelling == ("spelling", "read_as", "n", "other")
    assert len(table.notes) == 3


def test_spellings_are_joined_before_repeated_rows_are_left_out():
    assert one_spelling(b"race,ok\nBlack,1\nBLACK,1\nBlack,1\nWhite,0\n", "race", distinct=True).n_rows == 2


def test_plan_repeats_it_and_its_query_counts_the_same_rows(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes(content())
    plan = AuditPlan(
        data=DataPlan(source="people.csv"),
        decision=OutcomePlan(column="ok", favorable=("Y",)),
        checks=(CheckPlan(protected="race = 'Black'"),),
    )
    for options in ({}, {"distinct": True}, {"trim": False}):
        table = one_spelling(path.read_bytes(), "race", **options)
        saved = AuditPlan.from_toml(record_data(plan, table).to_toml())
        assert saved.data.reading.same_spelling == ("race",)
        result = run(saved, base=tmp_path)
        assert result.data.mismatch is None and result.checks[0].result.protected.n == 55
        assert ("Spellings read as one value", "race") in data_blocks(result)[0].rows
        with duckdb.connect() as database:
            people = pd.read_csv(path)
            database.register("people", people)
            counted = dict(database.execute(result.checks[0].sql).df().set_index("group")["n"])
        assert counted == {"protected": 55, "reference": 61, "unknown": 1}, options


def test_where_small_counts_are_hidden_no_note_counts_spellings(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes(content())
    plan = AuditPlan(
        data=DataPlan(source="people.csv", reading=ReadOptions(same_spelling=("race",))),
        decision=OutcomePlan(column="ok", favorable=("Y",)),
        checks=(CheckPlan(protected="race = 'Black'"),),
        small_cells=SmallCellsPlan(mask=True, minimum=3),
    )
    result = run(plan, base=tmp_path)
    shown = exported(result)
    assert any("written" in note for note in result.data.notes)
    assert not any("written" in note or "BLACK" in note for note in shown.data.notes)


def test_what_cannot_be_read_so_is_refused(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes(content())
    with pytest.raises(DataError, match="read where it lies"):
        read_table(path, options=ReadOptions(same_spelling=("race",)), limits=Limits(in_place_bytes=10))
    assert other_spellings(read_table(path, limits=Limits(in_place_bytes=10)), "race") == {}
    with pytest.raises(InputError, match="must name columns of texts, got 'n_', whose values are numbers"):
        one_spelling(content(), "n_")
    with pytest.raises(InputError, match=r"'same_spelling' must name columns of the table, got 'rase'\.") as refused:
        one_spelling(content(), "rase")
    assert refused.value.hint.endswith("Did you mean 'race'?")


def test_values_that_differ_by_how_many_blanks_they_have_are_one():
    texts = ["New York", " New  york", "New\u00a0York ", "NEW\tYORK", "NewYork", "New York"]
    frame = pd.DataFrame({"area": texts, "ok": range(6)})
    stream = io.BytesIO()
    frame.to_parquet(stream)
    table = one_spelling(stream.getvalue(), "area")
    assert table.to_pandas()["area"].tolist() == ["New York"] * 4 + ["NewYork", "New York"]
    assert {alike_text(text) for text in texts} == {"new york", "newyork"}


def test_a_workbook_and_parquet_are_read_so_too():
    frame = pd.DataFrame({"race": ["Black", "BLACK", "Black"], "ok": [1, 0, 1]})
    for write in (frame.to_parquet, lambda stream: frame.to_excel(stream, index=False)):
        stream = io.BytesIO()
        write(stream)
        assert one_spelling(stream.getvalue(), "race").to_pandas()["race"].tolist() == ["Black"] * 3


@pytest.mark.parametrize("seed", range(5))
def test_rows_keep_their_order_and_all_else(seed):
    random = Random(seed)
    n = 3000
    texts = [
        "".join(random.choice((c.upper(), c)) for c in random.choice(("yes", "nö", "öl", "a b"))) for _ in range(n)
    ]
    frame = pd.DataFrame({"t": texts, "u": range(n)})
    counts = Counter(texts)
    expected = [
        max((o for o in counts if o.lower() == t.lower()), key=lambda o: (counts[o], [-ord(c) for c in o]))
        for t in texts
    ]
    got = one_spelling(frame.to_csv(index=False).encode(), "t").to_pandas()
    assert got["t"].tolist() == expected and got["u"].tolist() == list(range(n))
