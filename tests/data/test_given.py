"""A table may be one that is open, the path of a file, or a frame of any library: the answers are the same."""

from __future__ import annotations

import datetime
import inspect
import re

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fairaudit as fa
from fairaudit.data import Table
from fairaudit.data.given import as_table
from fairaudit.errors import DataError, InputError

RNG = np.random.default_rng(1)
N = 240
PEOPLE = pd.DataFrame({
    "sex": RNG.choice(["F", "M"], N), "area": RNG.choice(list("abc"), N), "age": RNG.integers(18, 70, N),
    "pay": RNG.normal(100, 9, N), "got": RNG.choice(["yes", "no"], N), "guess": RNG.choice(["yes", "no"], N),
    "score": RNG.random(N), "year": RNG.integers(2022, 2025, N), "looked": RNG.random(N) < 0.7,
    "w": RNG.integers(1, 4, N),
}).assign(found=lambda rows: rows["looked"] & (RNG.random(N) < 0.4))  # fmt: skip
YES = {"decision": "got", "favorable": "yes"}
F = {"protected": "sex = 'F'"}
QUESTIONS = {
    "check": lambda table, **more: fa.check_controlled_fairness(table, **YES, **F, **more),
    "strata": lambda table, **more: fa.check_strata(table, **YES, **F, strata="area", **more),
    "means": lambda table, **more: fa.check_means(table, decision="pay", **F, **more),
    "mean strata": lambda table, **more: fa.check_mean_strata(table, decision="pay", **F, strata="area", **more),
    "groups": lambda table, **more: fa.check_groups(table, **YES, by="area", **more),
    "group means": lambda table, **more: fa.check_group_means(table, decision="pay", by="area", **more),
    "errors": lambda table, **more: fa.check_errors(
        table, outcome="got", favorable="yes", prediction="guess = 'yes'", by="sex", **more
    ),
    "scores": lambda table, **more: fa.check_scores(
        table, outcome="got", favorable="yes", score="score", by="sex", **more
    ),
    "worst": lambda table, **more: fa.find_subgroups(table, **YES, columns=["sex", "area"], min_rows=20, **more),
    "explain": lambda table, **more: fa.explain_gap(table, **YES, **F, controls="area", **more),
    "change": lambda table, **more: fa.compare_periods(table, **YES, **F, date="year", cuts=[2023, 2024], **more),
    "finds": lambda table, **more: fa.outcome_test(table, acted="looked", found="found", group="sex", **more),
    "form": lambda table, **more: fa.fill_form(table, "eeoc_uniform_guidelines", **YES, columns={"sex": "sex"}, **more),
}
FRAMES = {
    "polars": pl.from_pandas,
    "lazy polars": lambda rows: pl.from_pandas(rows).lazy(),
    "Arrow": lambda rows: pa.Table.from_pandas(rows, preserve_index=False),
    "DuckDB": duckdb.from_df,
    "open": Table.from_pandas,
}
WEIGHED = ("check", "strata", "means", "mean strata", "groups", "group means", "errors", "scores", "worst", "explain")


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("library", FRAMES)
def test_frames_of_all_libraries_give_the_same_answers(library, question):
    ask = QUESTIONS[question]
    assert ask(FRAMES[library](PEOPLE)).to_dict() == ask(PEOPLE).to_dict()


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_path_of_a_file_gives_the_same_answer(tmp_path, question):
    path = tmp_path / "people.csv"
    PEOPLE.to_csv(path, index=False)
    ask = QUESTIONS[question]
    wanted = ask(fa.read_table(path)).to_dict()
    assert ask(path).to_dict() == ask(str(path)).to_dict() == wanted


@pytest.mark.parametrize("question", QUESTIONS)
def test_counts_of_cases_give_what_rows_written_out_give(question):
    rows = PEOPLE.loc[PEOPLE.index.repeat(PEOPLE["w"])].drop(columns="w")
    counted = PEOPLE.rename(columns={"w": "n"})
    figures = QUESTIONS[question](counted, counts="n").to_dict()
    wanted = QUESTIONS[question](rows).to_dict()
    if question == "worst":
        # Which half of the rows searches is drawn, and rows lie in another order.
        assert figures["n_rows"] == wanted["n_rows"]
        return
    pd.testing.assert_series_equal(pd.Series(flat(figures)), pd.Series(flat(wanted)), rtol=1e-9)


def flat(value: object, name: str = "") -> dict[str, float]:
    """Return the numbers of a result by where they stand."""
    if isinstance(value, dict):
        return {k: v for key, part in value.items() for k, v in flat(part, f"{name}.{key}").items()}
    if isinstance(value, list):
        return {k: v for i, part in enumerate(value) for k, v in flat(part, f"{name}.{i}").items()}
    return {name: float(value)} if isinstance(value, int | float) and not isinstance(value, bool) else {}


@pytest.mark.parametrize("question", WEIGHED)
def test_weights_are_taken_of_any_frame(question):
    ask = QUESTIONS[question]
    assert ask(pl.from_pandas(PEOPLE), weights="w").to_dict() == ask(PEOPLE, weights="w").to_dict()
    assert ask(PEOPLE, weights="w").to_dict() != ask(PEOPLE).to_dict()


def test_labels_stand_for_codes():
    coded = PEOPLE.assign(sex=PEOPLE["sex"].map({"F": 2, "M": 1}))
    labels = {"sex": {1: "M", 2: "F"}}
    wanted = QUESTIONS["check"](PEOPLE).to_dict()
    for given in (coded, pl.from_pandas(coded), Table.from_pandas(coded)):
        assert QUESTIONS["check"](given, labels=labels).to_dict() == wanted


def test_an_open_table_keeps_what_was_said_of_it_and_takes_more():
    table = Table.from_pandas(PEOPLE.rename(columns={"w": "n"}), labels={"area": {"a": "Altstadt"}})
    counted = as_table(table, counts="n")
    assert counted.n_rows == PEOPLE["w"].sum() and counted.count("area = 'Altstadt'") > 0
    assert as_table(table) is table


def test_types_that_others_have_become_those_of_a_table():
    table = as_table(
        pl.DataFrame({
            "kind": pl.Series(["a", "b"], dtype=pl.Categorical), "day": [datetime.date(2024, 1, 2), None],
            "when": [datetime.datetime(2024, 1, 2, 3), None], "lasts": [datetime.timedelta(hours=2), None],
            "clock": [datetime.time(8), None], "list": [[1, 2], None], "none": [None, None], "big": [2**40, None],
        })
    )  # fmt: skip
    kinds = {name: column.kind for name, column in table.columns.items()}
    assert {name: kinds[name] for name in ("kind", "day", "when", "lasts", "clock", "list", "big")} == {
        "kind": "text", "day": "date", "when": "timestamp", "lasts": "text", "clock": "text", "list": "text",
        "big": "number",
    }  # fmt: skip
    assert table.to_pandas()["kind"].tolist() == ["a", "b"]


def test_what_is_no_table_is_named():
    for bad in (3, [1, 2], {"sex": ["F"]}, None):
        with pytest.raises(
            InputError, match=f"must be a Table, the path of a file or a frame, got {type(bad).__name__}"
        ):
            as_table(bad)
    with pytest.raises(DataError, match="no columns"):
        as_table(pl.DataFrame())
    with pytest.raises(DataError, match="nowhere"):
        as_table("nowhere.csv")


def test_an_audit_takes_any_data(tmp_path):
    plan = fa.AuditPlan.load("sample_data/berkeley_1973.toml")
    rows = pl.read_csv("sample_data/berkeley_1973.csv")
    found = [fa.run(plan, data=data).checks[0].result.difference for data in (rows, "sample_data/berkeley_1973.csv")]
    assert found == [fa.run("sample_data/berkeley_1973.toml").checks[0].result.difference] * 2
    with pytest.raises(InputError, match="not both"):
        fa.run(plan, data=rows, table=rows)


def test_help_describes_every_argument_of_a_public_function_once_and_in_order():
    functions = [getattr(fa, name) for name in fa.__all__]
    for function in filter(inspect.isfunction, functions):
        _, _, described = inspect.getdoc(function).partition("Parameters\n----------\n")
        own = re.split(r"\n\n(?=\w[\w ]*\n---)", described)[0]
        heads = re.findall(r"^([\w*]+(?:, [\w*]+)*) : \S.*\n    \S", own, re.MULTILINE)
        named = [name.strip("*") for head in heads for name in head.split(", ")]
        taken = list(inspect.signature(function).parameters)
        assert sorted(named) == sorted(taken), function.__name__
        if function.__name__.startswith("check_"):
            assert named == taken, function.__name__
