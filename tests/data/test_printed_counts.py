"""Counts that are rounded or hidden are found at reading and asked about; nothing is answered before it is said."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pandas as pd
import pytest

from fairaudit import Table, check_controlled_fairness, connect_table, read_table
from fairaudit.columns import PartialReading, ReadOptions, WideCounts
from fairaudit.data.prepare import as_planned
from fairaudit.data.printed_counts import propose_reading
from fairaudit.errors import InputError
from fairaudit.measure.partial_counts import check_partial_counts

SELECTED = WideCounts("selected", all="applicants")
PRINTED = pd.DataFrame(
    {
        "sex": ["F", "M", "F", "M"],
        "area": ["N", "N", "S", "S"],
        "selected": ["<5", "40", "31", "*"],
        "applicants": ["60", "80", "70", "12"],
    }
)
HIDDEN = {"<5": (1, 4), "*": (0, 4)}


def rounded(base: int) -> pd.DataFrame:
    rows = [(area, sex, base * (3 + area + (sex == "M"))) for area in range(12) for sex in "FM"]
    return pd.DataFrame(rows, columns=["area", "sex", "n"])


@pytest.mark.parametrize("base", [10, 5])
def test_rounded_numbers_are_read_once_it_is_said_that_they_are_or_are_not(base):
    with pytest.raises(InputError) as caught:
        Table.from_pandas(rounded(base), counts="n")
    hint = str(caught.value)
    assert f"--rounded-to {base}" in hint and f"rounded_to={base}" in hint and "--rounded-to 1" in hint
    said = Table.from_pandas(rounded(base), counts="n", rounded_to=base)
    assert said.partial_counts == PartialReading(base) and said.n_rows == 24
    exact = Table.from_pandas(rounded(base), counts="n", rounded_to=1)
    assert exact.partial_counts is None and exact.n_rows == int(rounded(base)["n"].sum())


def test_hidden_cells_are_read_once_it_is_said_what_they_stand_for():
    with pytest.raises(InputError) as caught:
        Table.from_pandas(PRINTED, counts=SELECTED)
    hint = str(caught.value)
    assert '--hidden "<5=0-4"' in hint and '"<5" = [0, 4]' in hint and "'*': (0, 4)" in hint
    with pytest.raises(InputError, match=r"'\*'"):
        Table.from_pandas(PRINTED, counts=SELECTED, hidden={"<5": (1, 4)})
    table = Table.from_pandas(PRINTED, counts=SELECTED, hidden=HIDDEN)
    assert table.partial_counts == PartialReading(1, tuple(HIDDEN.items()))
    assert table.n_rows == 4 and list(table.columns) == ["sex", "area", "selected"]
    assert table.count("sex = 'F'") == 2 and set(table.common_values("selected")) == {"selected", "not selected"}
    assert table.source.options.hidden == tuple(HIDDEN.items())


def test_rounded_numbers_beside_hidden_ones_are_asked_about_too():
    frame = rounded(5).assign(n=lambda f: ["<5", *f["n"].astype(str)[1:]])
    with pytest.raises(InputError, match="--rounded-to 5"):
        Table.from_pandas(frame, counts="n", hidden={"<5": (0, 4)})
    assert propose_reading(Table.from_pandas(frame), ("n",)) == PartialReading(5, (("<5", (0, 4)),))
    assert Table.from_pandas(frame, counts="n", rounded_to=5, hidden={"<5": (0, 4)}).partial_counts is not None


def test_an_empty_cell_may_be_said_to_hide_a_number():
    frame = pd.DataFrame({"sex": ["F", "M"], "selected": [None, 40.0], "applicants": [60, 80]})
    with pytest.raises(InputError, match="without a number"):
        Table.from_pandas(frame, counts=SELECTED)
    table = Table.from_pandas(frame, counts=SELECTED, hidden={"": (0, 4)})
    found = check_partial_counts(table, protected="sex = 'F'")
    assert found.protected.positives == 0 and found.protected.most_positives == 4


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ({"hidden": {"<5": (4, 1)}}, "the smaller first"),
        ({"hidden": {"<5": (1, 4)}}, r"'\*'"),
        ({"rounded_to": 0, "hidden": HIDDEN}, "'rounded_to'"),
        ({"hidden": HIDDEN, "counts": None}, "no 'counts'"),
        ({"hidden": HIDDEN, "weights": "applicants"}, "exact counts"),
    ],
)
def test_what_is_said_wrongly_is_refused(said, match):
    with pytest.raises(InputError, match=match):
        Table.from_pandas(PRINTED, **{"counts": SELECTED} | said)


def test_what_is_said_of_a_cell_that_is_not_there_changes_nothing():
    table = Table.from_pandas(PRINTED, counts=SELECTED, hidden={**HIDDEN, "c": (1, 4)})
    less = Table.from_pandas(PRINTED, counts=SELECTED, hidden=HIDDEN)
    asked = [check_partial_counts(each, protected="sex = 'F'").difference_bounds for each in (table, less)]
    assert asked[0] == asked[1]


@pytest.mark.parametrize("counts", [SELECTED, "selected"])
def test_no_other_question_is_answered(counts):
    table = Table.from_pandas(PRINTED, counts=counts, hidden=HIDDEN)
    with pytest.raises(InputError, match="needs exact counts"):
        check_controlled_fairness(table, decision="area", favorable="N", protected="sex = 'F'")


def test_a_file_and_a_database_give_the_same_bounds(tmp_path):
    path = tmp_path / "counts.sqlite"
    connection = sqlite3.connect(path)
    PRINTED.to_sql("counts", connection, index=False)
    connection.close()
    answered = {"counts": SELECTED, "hidden": HIDDEN}
    here = check_partial_counts(Table.from_pandas(PRINTED, **answered), protected="sex = 'F'")
    there = check_partial_counts(
        connect_table(f"sqlite:///{path}", table="counts", **answered), protected="sex = 'F'", where="area <> 'X'"
    )
    assert here.difference_bounds == there.difference_bounds == pytest.approx((32 / 130 - 44 / 92, 35 / 130 - 40 / 92))


def test_long_and_wide_forms_give_the_same_bounds():
    long = pd.DataFrame(
        {
            "sex": ["F", "F", "M", "M", "M"],
            "result": ["in", "out", "in", "out", None],
            "n": ["<5", "50", "40", "*", "3"],
        }
    )
    wide = pd.DataFrame({"sex": ["F", "M"], "in": ["<5", "40"], "out": ["50", "*"]})
    of_wide = check_partial_counts(
        Table.from_pandas(wide, counts=WideCounts("in", others="out"), hidden=HIDDEN), protected="sex = 'F'"
    )
    asked = {"decision": "result", "favorable": "in", "protected": "sex = 'F'"}
    of_long = check_partial_counts(Table.from_pandas(long, counts="n", hidden=HIDDEN), **asked)
    assert of_long.difference_bounds == of_wide.difference_bounds
    assert of_long.undecided == 3 and of_long.n_population == of_wide.n_population + 3
    turned = check_partial_counts(Table.from_pandas(long, counts="n", hidden=HIDDEN), **asked | {"favorable": "out"})
    assert turned.difference_bounds == pytest.approx((-of_long.difference_bounds.high, -of_long.difference_bounds.low))


def test_the_unfavourable_side_of_wide_counts_may_be_the_good_one():
    table = Table.from_pandas(PRINTED, counts=SELECTED, hidden=HIDDEN)
    good = check_partial_counts(table, protected="sex = 'F'")
    other = check_partial_counts(table, protected="sex = 'F'", decision="selected", favorable="not selected")
    assert other.difference_bounds == pytest.approx((-good.difference_bounds.high, -good.difference_bounds.low))
    with pytest.raises(InputError, match="got both"):
        check_partial_counts(table, protected="sex = 'F'", decision="selected", favorable=["selected", "not selected"])
    with pytest.raises(InputError, match="no group or filter"):
        check_partial_counts(table, protected="selected = 'selected'")


def test_what_a_plan_says_otherwise_is_refused():
    answered = {"counts": SELECTED, "hidden": tuple(HIDDEN.items())}
    table = read_table(PRINTED.to_csv(index=False).encode(), options=ReadOptions(**answered))
    assert as_planned(table, table.source.options).partial_counts == table.partial_counts
    with pytest.raises(InputError, match="rounded and hidden counts"):
        as_planned(table, replace(table.source.options, hidden=(("<5", (1, 4)), ("*", (0, 9)))))
