"""Whole numbers that may be codes: found, proposed, and read as texts or as numbers once somebody says so."""

from __future__ import annotations

import random

import pandas as pd
import pytest

from fairaudit import find_subgroups
from fairaudit.columns import ReadOptions
from fairaudit.data import Table, read_table
from fairaudit.data.code_columns import last_codes, open_codes, refuse_open_codes, sounds_ordered
from fairaudit.data.engines.connect import connect_table
from fairaudit.errors import InputError, OpenCodesError
from fairaudit.measure.explain import explain_gap
from fairaudit.plan.audit_plan import DataPlan

N = 600


def people(seed: int = 0, **more: list) -> pd.DataFrame:
    draw = random.Random(seed)
    return pd.DataFrame(
        {
            "education": [draw.choice([1, 2, 2, 3, 4]) for _ in range(N)],
            "hits": sorted([draw.choice([0, 0, 0, 0, 1, 1, 2]) for _ in range(N)]),
            "calm": [draw.randint(1, 5) for _ in range(N)],
            "kind": [draw.randint(1, 5) for _ in range(N)],
            "fair": [draw.randint(1, 5) for _ in range(N)],
            "region_code": [draw.randint(1, 40) for _ in range(N)],
            "age_band": [draw.randint(1, 4) for _ in range(N)],
            "years_here": [draw.randint(0, 6) for _ in range(N)],
            "member": [draw.randint(0, 1) for _ in range(N)],
            "rate": [draw.choice([0.5, 1.0, 1.5]) for _ in range(N)],
            "area": [draw.choice("abc") for _ in range(N)],
            "granted": [draw.choice(["yes", "no"]) for _ in range(N)],
        }
        | more
    )


def test_codes_are_told_from_counts_scales_and_what_a_name_says():
    table = Table.from_pandas(people())
    assert open_codes(table, table.columns) == {
        "education": "codes", "hits": "numbers", "calm": "numbers", "kind": "numbers", "fair": "numbers",
        "region_code": "codes",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["offense_type", "income_source", "payMethod", "type_of_charges", "cost_center"])
def test_what_is_said_of_an_amount_or_an_offence_is_no_order(name):
    assert not sounds_ordered(name)
    table = Table.from_pandas(people().rename(columns={"education": name}))
    assert open_codes(table, [name]) == {name: "codes"}


@pytest.mark.parametrize(
    "name",
    ["stage", "risk", "pain", "birth_order", "shift", "open_days", "birth_semester", "area_score", "source_count"],
)
def test_names_of_steps_and_counts_are_not_asked_about(name):
    table = Table.from_pandas(people().rename(columns={"education": name}))
    assert not open_codes(table, [name])


def test_what_was_said_is_asked_no_more():
    table = Table.from_pandas(people(), numbers=["hits", "calm", "kind", "fair", "region_code"], codes=["education"])
    assert not open_codes(table, table.columns)
    refuse_open_codes(table, table.columns)
    assert table.source.options.codes == ("education",)


def test_those_that_are_likely_codes_are_asked_first():
    table = Table.from_pandas(people())
    with pytest.raises(OpenCodesError) as found:
        refuse_open_codes(table, table.columns)
    assert found.value.columns == ("education", "region_code") and found.value.proposed == "codes"
    ways = ('--codes "education" --codes "region_code"', "--numbers", "--labels")
    assert all(way in (found.value.hint or "") for way in ways)


@pytest.mark.parametrize("where", ["file", "duckdb", "sqlite"])
def test_codes_become_texts_that_are_still_found_by_their_numbers(where, tmp_path):
    frame, how = people(), ReadOptions(codes=("education",), numbers=("calm",))
    if where == "file":
        table = read_table(frame.to_csv(index=False).encode(), options=how)
    else:
        from sqlalchemy import create_engine

        path = tmp_path / "people.db"
        if where == "sqlite":
            frame.to_sql("people", create_engine(f"sqlite:///{path}"), index=False)
        else:
            import duckdb

            with duckdb.connect(str(path)) as there:
                there.register("held", frame)
                there.execute("CREATE TABLE people AS SELECT * FROM held")
        table = connect_table(f"{where}:///{path}", table="people", options=how)
    assert table.columns["education"].kind == "text" and table.source.options.numbers == ("calm",)
    assert set(table.common_values("education")) == {"1", "2", "3", "4"}
    for condition in ("education = 2", "education = '2'", "education IN (2)"):
        assert table.count(condition) == int((frame["education"] == 2).sum())
    assert table.condition("education = 2").in_words() == "education is 2"


def test_worst_groups_of_codes_name_values_and_no_order():
    frame = people()
    frame["granted"] = ["no" if e == 3 else "yes" for e in frame["education"]]
    frame.loc[::7, "granted"] = "no"
    asked = {"decision": "granted", "favorable": "yes", "columns": ["education", "area"], "min_rows": 20}
    with pytest.raises(OpenCodesError):
        find_subgroups(frame, **asked)
    by_code = find_subgroups(Table.from_pandas(frame, codes=["education"]), **asked)
    assert by_code.subgroups and not any("<" in each.condition or ">" in each.condition for each in by_code.subgroups)
    by_order = find_subgroups(Table.from_pandas(frame, numbers=["education"]), **asked)
    assert any("<" in each.condition or ">" in each.condition for each in by_order.subgroups)


def test_controls_are_asked_about_only_where_they_would_be_an_order():
    frame = people(seed=2, post=[1 + i % 11 for i in range(N)], sex=["FM"[i % 2] for i in range(N)])
    asked = {"decision": "granted", "favorable": "yes", "protected": "sex = 'F'"}
    assert explain_gap(frame, controls=["education"], **asked)
    with pytest.raises(OpenCodesError) as found:
        explain_gap(frame, controls=["post", "education"], **asked)
    assert found.value.columns == ("post",)
    assert explain_gap(Table.from_pandas(frame, codes=["post"]), controls=["post"], **asked)


@pytest.mark.parametrize(
    "said",
    [
        {"codes": ["education"], "numbers": ["education"]},
        {"codes": ["education"], "labels": {"education": {1: "none"}}},
        {"codes": ["area"]},
        {"numbers": ["area"]},
        {"codes": ["gone"]},
    ],
)
def test_two_things_said_of_a_column_or_of_one_without_numbers_are_refused(said):
    with pytest.raises(InputError):
        Table.from_pandas(people(), **said)


def test_the_plan_keeps_what_was_said():
    table = Table.from_pandas(people(), codes=["education"])
    plan = DataPlan(source="people.csv").read_by(table.source.options)
    again = DataPlan.model_validate(plan.model_dump())
    assert again.options.codes == ("education",)


def last_of(values: list, name: str = "sex", **said) -> list:
    frame = pd.DataFrame({name: values * 3, "x": ["a", "b", "c"] * len(values)})
    table = Table.from_pandas(frame, **said)
    return last_codes(table, table.columns[name])


@pytest.mark.parametrize(
    ("values", "last"),
    [
        ([1, 2, 9], [9]), ([1, 2, 8], [8]), ([1, 2, 8, 9], [8, 9]), ([1, 2, 7, 9], [7, 9]), ([0, 1, 99], [99]),
        ([1, 2, 88], [88]), ([1, 2, 88, 99], [88, 99]), ([1, 2, 3, 4, 5, 999], [999]), ([1, 2, 3, 4, 5, 6, 9], [9]),
        ([1, 2, None, 9], [9]), (["1", "2", "9"], ["9"]), (["men", "women", "9"], ["9"]),
        # No gap, one as wide as others, a number of its own, one group alone, words with numbers, too many.
        ([*range(1, 10)], []), ([2, 4, 6, 8], []), ([1, 2, 7], []), ([1, 9], []), ([1, 2, 10], []), ([1, 2, 5, 8], []),
        (["men", "women", "3", "9"], []), ([0.5, 1.5, 9], []), ([*range(20), 99], []), ([9, 8, 9], []),
    ],
    ids=str,
)  # fmt: skip
def test_the_last_code_beyond_a_gap_may_say_that_nothing_is_known(values, last):
    assert last_of(values) == last


def test_numbers_with_an_order_have_no_last_code():
    assert last_of([1, 2, 9], "children") == [] == last_of([1, 2, 9], "rank") == last_of([1, 2, 9], numbers=["sex"])
    assert last_of([1, 2, 9], codes=["sex"]) == ["9"]
    assert last_of([1, 2, 9], labels={"sex": {1: "men", 2: "women"}}) == ["9"]
    assert last_of([1, 2, 9], labels={"sex": {1: "men", 2: "women", 9: "other"}}) == []
