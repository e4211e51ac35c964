"""The condition language by example: what is read, refused, printed, said in words and selected."""

from __future__ import annotations

import datetime
import pickle
from dataclasses import dataclass

import duckdb
import numpy as np
import pandas as pd
import pytest
import sqlglot

from fairaudit.columns import Column
from fairaudit.conditions import Condition
from fairaudit.conditions.evaluation import to_lower, to_upper, trim
from fairaudit.errors import ConditionError, FairauditError, InputError, MissingColumnError

COLUMNS = {
    "race": "text",
    "age": "number",
    "capital gain": "number",
    "edu-num": "number",
    "flag": "boolean",
    "born": "date",
    "seen": "timestamp",
    "order": "text",
    "Größe": "number",
    "Twin": "text",
    "TWIN": "text",
}


def parse(text: str) -> Condition:
    return Condition.parse(text, COLUMNS)


def refusal(text: str) -> ConditionError:
    with pytest.raises(ConditionError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("race != 'White' and age>=25", "race <> 'White' AND age >= 25"),
        ("RACE == 'x'", "race = 'x'"),
        ("(((age = 1)))", "age = 1"),
        ("age = 1 OR age = 2 AND flag", "age = 1 OR (age = 2 AND flag)"),
        ("NOT (age = 1 AND NOT flag)", "NOT (age = 1 AND NOT flag)"),
        ("NOT age IN (1)", "age NOT IN (1)"),
        ("NOT NOT age BETWEEN 1 AND 2", "age BETWEEN 1 AND 2"),
        ("NOT race NOT LIKE 'a%'", "race LIKE 'a%'"),
        ("NOT age IS NULL", "age IS NOT NULL"),
        ("- (age + 1) - -5 * 2 > +3", "-(age + 1) - (-5 * 2) > 3"),
        ("age - (1 - 2) = (age - 1) - 2", "age - (1 - 2) = age - 1 - 2"),
        ("age + 5 % 2 = 1_000", "age + 5 % 2 = 1000"),
        ('"Capital Gain" > 1e3', '"capital gain" > 1000.0'),
        ("order = 'it''s' and größe < 1", "order = 'it''s' AND \"Größe\" < 1"),
        ("born >= '2014-01-31'", "born >= DATE '2014-01-31'"),
        ("seen < '2014-01-31 10:30'", "seen < TIMESTAMP '2014-01-31 10:30:00'"),
        ("EXTRACT(Year FROM born) = 2014", "extract(year from born) = 2014"),
        ("coalesce(race, 'x') ilike '%A_'", "coalesce(race, 'x') ILIKE '%A_'"),
        ("Flag = true", "flag = TRUE"),
        ("age > 9223372036854775808", "age > 9.223372036854776e+18"),
    ],
)
def test_text_is_read_and_printed(text: str, printed: str):
    assert str(parse(text)) == printed
    assert parse(printed) == parse(text)


@pytest.mark.parametrize(
    ("text", "position", "message", "hint"),
    [
        ("", None, "empty", "race <> 'White'"),
        ("  ", None, "empty", "race <> 'White'"),
        ("rac = 'x'", 0, "no column 'rac'", "Did you mean 'race'"),
        ("race = White", 7, "no column 'White'", "'White' is a value, put it between single quotes: 'White'"),
        ('race = "White"', 7, "no column 'White'", "single quotes: 'White'"),
        ("race IN (White, Black)", 9, "no column 'White'", "single quotes"),
        ("race IS NOT White", 12, "no column 'White'", "write = and put it between single quotes"),
        ("age > thirty", 6, "no column 'thirty'", "'age' holds numbers: write the value in digits"),
        ("age NOT IN (20, thirty)", 16, "no column 'thirty'", "in digits"),
        ("age BETWEEN ten AND 20", 12, "no column 'ten'", "in digits"),
        ("edu-num > 1", 0, "no column 'edu'", 'double quotes: "edu-num"'),
        ("age = 1 AND twin = 'x'", 12, "more than one column", "'Twin' or 'TWIN'"),
        ("age > '25'", 0, "holds numbers, but '25' is text", "Write 25 without quotes"),
        ("race = 5", 0, "holds text, but 5 is a number", "Write '5' between single quotes"),
        ("age = 1 AND race = age", 12, "holds text, but column 'age' holds numbers", None),
        ("flag = 1", 0, "holds true and false, but 1 is a number", "TRUE or FALSE"),
        ("flag > TRUE", 0, "cannot be compared with >", "= or <>"),
        ("born > 2014", 0, "holds dates, but 2014 is a number", "DATE '2014-01-31'"),
        ("born = '31.1.2014'", 0, "not a date", "DATE '2014-01-31'"),
        ("born = DATE '2014-02-30'", 12, "not a date", "DATE '2014-01-31'"),
        ("race = NULL", 0, "Nothing equals NULL", "IS NULL"),
        ("race <> NULL", 0, "Nothing equals NULL", "IS NOT NULL"),
        ("race NOT IN ('a', NULL)", 0, "NULL in a list", "IS NULL"),
        ("age = 1; drop table x", 7, "without ';'", None),
        ("age = 1 -- x", 8, "Comments", None),
        ("/* x */ age = 1", 0, "Comments", None),
        ("age = (SELECT 1)", 7, "SELECT is not allowed", None),
        ("year(born) = 2014", 0, "function 'year' is not allowed", "extract"),
        ("age::text = 'x'", 3, "'::' is not allowed", None),
        ("race ~ 'x'", 5, "'~' is not allowed", None),
        ("age = ?", 6, "Parameters", None),
        ("(age = 1", 0, "'(' is not closed", None),
        ("age = 1)", 7, "')' has no '('", None),
        ("race = 'x", 7, "quote is not closed", "twice"),
        ("age = 1 AND", 11, "ends too early", None),
        ("age", 0, "a value, not a condition", "Compare"),
        ("age = 1 = 2", 0, "condition stands where a value", None),
        ("race LIKE race", 0, "pattern between single quotes", None),
        ("race + 1 = 2", 0, "needs numbers", None),
        ("lower(age) = 'x'", 6, "needs text", None),
        ("age > .5", 6, "'.' is not allowed", "0.5"),
        ("age = 'x' 'y'", 10, "Two texts follow", None),
        ("flag IS TRUE", 0, "IS is followed by NULL", "= TRUE"),
        ("round(age, 99) = 1", 6, "decimals of round", None),
        ("age = 1e999", 6, "cannot be read", None),
    ],
)
def test_a_refusal_has_position_reason_and_remedy(text: str, position: int | None, message: str, hint: str | None):
    error = refusal(text)
    assert message in error.message
    assert error.text == text
    if position is not None:
        assert error.position == position
    if hint is not None:
        assert hint in error.hint


def test_nesting_is_bounded_and_the_bound_is_usable():
    assert str(parse("NOT (" * 20 + "age = 1 OR flag" + ")" * 20)) == "age = 1 OR flag"
    assert "nested more than 20 deep" in refusal("(" * 21 + "age = 1" + ")" * 21).message
    assert "nested more than 20 deep" in refusal("NOT " * 21 + "flag").message


def test_lists_are_bounded():
    assert parse(f"age IN ({', '.join(map(str, range(1_000)))})")
    assert "1,000 values" in refusal(f"age IN ({', '.join(map(str, range(1_001)))})").message


def test_combining_is_held_to_the_same_bounds():
    def nested(depth: int) -> Condition:
        condition = parse("age = 1")
        for _ in range(depth):
            condition = ~(condition & parse("flag")) | parse("race = 'x'")
        return condition

    assert parse(str(nested(10))) == nested(10)
    with pytest.raises(ConditionError, match="deep"):
        nested(30)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("race <> 'White' AND age >= 25", "race is not White and age is at least 25"),
        ("race IN ('A', 'B', 'C')", "race is one of A, B or C"),
        ("race NOT IN ('A', 'B', 'C')", "race is none of A, B or C"),
        ("race IN ('A', 'B') OR race NOT IN ('C', 'D')", "race is A or B or race is neither C nor D"),
        ("race IN ('A')", "race is A"),
        ("age BETWEEN 1 AND 2", "age is between 1 and 2"),
        ("age NOT BETWEEN 1 AND 2", "age is not between 1 and 2"),
        ("race IS NULL OR age IS NOT NULL", "race is missing or age is not missing"),
        ("race LIKE 'A%'", "race starts with A"),
        ("race NOT LIKE '%A'", "race does not end with A"),
        ("race ILIKE '%a%'", "race contains a (capital or small letters)"),
        ("race LIKE 'A_%B'", "race matches the pattern “A_%B”"),
        ("NOT (race = 'White' AND (age < 25 OR flag))", "race is not White or (age is at least 25 and flag is false)"),
        ("born < '2014-01-31' AND flag", "born is before 31 January 2014 and flag is true"),
        ("race = '' OR race = ' a' OR race = 'x, y'", "race is “” or race is “ a” or race is “x, y”"),
        ('"capital gain" - age * 2 > 0.5', "capital gain minus (age times 2) is more than 0.5"),
        ("extract(year from born) = 2014", "the year of born is 2014"),
        ("flag = TRUE", "flag is true"),
        ("race <> 'A' OR race IS NULL", "race is not A (or is missing)"),
        ("race IS NULL OR race NOT IN ('A', 'B')", "race is neither A nor B (or is missing)"),
        ("(race <> 'A' OR race IS NULL) AND age > 3", "race is not A (or is missing) and age is more than 3"),
        ("race <> 'A' OR age IS NULL", "race is not A or age is missing"),
        ("race = 'A' OR race IS NULL", "race is A or race is missing"),
    ],
)
def test_words_read_well(text: str, words: str):
    assert parse(text).in_words() == words


def test_long_lists_are_cut_in_words():
    words = parse(f"age IN ({', '.join(map(str, range(100)))})").in_words()
    assert words == "age is one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 or 90 more values"


def test_sql_quotes_names_and_escapes_literals_for_every_engine():
    condition = Condition.parse("\"a\"\"; --\" = 'x'' \\ OR 1=1 --' AND age >= 25", ['a"; --', "age"])
    assert condition.to_sql() == '"a""; --" = \'x\'\' \\ OR 1=1 --\' AND "age" >= 25'
    for dialect in ("postgres", "spark", "mysql", "bigquery", "sqlite"):
        tree = sqlglot.parse_one(condition.to_sql(dialect), dialect=dialect)
        assert sorted(column.name for column in tree.find_all(sqlglot.exp.Column)) == ['a"; --', "age"]
        # For Spark, which would read escapes in a text, it is written as its bytes.
        found = tree.find(sqlglot.exp.HexString)
        written = bytes.fromhex(found.this).decode() if found else tree.find(sqlglot.exp.EQ).expression.this
        assert written == "x' \\ OR 1=1 --"


def test_sql_is_readable():
    condition = parse(
        "age BETWEEN 25 AND 40 AND \"capital gain\" / age > 2.5 AND race NOT IN ('a') AND born IS NOT NULL"
    )
    assert condition.to_sql() == (
        '"age" BETWEEN 25 AND 40 AND NULLIF(CAST("capital gain" AS DOUBLE) / NULLIF(CAST("age" AS DOUBLE), 0), '
        "CAST('NaN' AS DOUBLE)) > 2.5e0 AND \"race\" NOT IN ('a') AND \"born\" IS NOT NULL"
    )


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("age BETWEEN 1 AND 5", True), ("age BETWEEN 0.5 AND 5", True), ("age NOT BETWEEN -1.5 AND 2.5", True),
        ("born BETWEEN '2014-01-31' AND '2015-01-31'", True), ("race NOT BETWEEN 'A' AND 'b'", True),
        ("age + 1 BETWEEN 1 AND 9007199254740993", True), ("age BETWEEN 1 AND 9007199254740993", True),
        ("age BETWEEN 0.5 AND 9007199254740992", False), ('age BETWEEN "capital gain" AND 2.5', False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "spark"])
def test_a_range_is_compared_end_by_end_only_where_double_precision_suffices(text, stays, dialect):
    assert ("BETWEEN" in parse(text).to_sql(dialect)) is stays


def test_unknown_dialect_is_refused():
    with pytest.raises(InputError, match="duckdb"):
        parse("flag").to_sql("cobol")


def test_missing_values_are_unknown_and_not_selected():
    frame = pd.DataFrame({"race": ["White", "Black", None], "age": [30.0, np.nan, 20.0]})
    condition = Condition.parse("race <> 'White' OR age > 25", frame)
    assert condition.truth(frame).tolist() == [True, True, pd.NA]
    assert condition.mask(frame).tolist() == [True, True, False]
    assert (~condition).mask(frame).tolist() == [False, False, False]
    assert condition.truth(frame).dtype == "boolean"


def test_truth_keeps_the_index():
    frame = pd.DataFrame({"age": [1, 2]}, index=["x", "y"])
    assert Condition.parse("age = 1", frame).truth(frame).index.tolist() == ["x", "y"]


def test_division_by_zero_is_missing():
    frame = pd.DataFrame({"age": [1, 0]})
    for text in ("1 / age > 0", "5 % age >= 0", "age / 0 = 1"):
        assert Condition.parse(f"NOT ({text}) OR {text}", frame).mask(frame).tolist()[1] is False


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([1, 2, 3]),
        pd.Series([1, 2, 3], dtype="uint8"),
        pd.Series([1, 2, 3], dtype="Int32"),
        pd.Series([1.0, 2.0, 3.0], dtype="float32"),
        pd.Series([1, 2, 3], dtype="object"),
        pd.Series([1, 2, 3], dtype="category"),
        pd.Series([1, 2, 3], dtype="int64[pyarrow]"),
    ],
    ids=lambda series: str(series.dtype),
)
def test_numbers_of_every_type_are_read(series: pd.Series):
    frame = series.to_frame("age")
    assert Condition.parse("age >= 2 AND age IN (1, 3) AND age * 1.5 < 5", frame).mask(frame).tolist() == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    "values, text, truth",
    [
        ([2, 1, 2], "a = 2 OR a < 2", [pd.NA, True, True]),
        ([True, False, True], "a", [pd.NA, False, True]),
        (["x", "y", "x"], "a = 'x'", [pd.NA, False, True]),
        ([0.5, 1.5, 0.5], "a < 1", [pd.NA, False, True]),
    ],
)
def test_categories_with_missing_rows_are_read_whatever_they_hold(values: list, text: str, truth: list):
    frame = pd.DataFrame({"a": pd.Series(values, dtype="category").mask([True, False, False])})
    assert Condition.parse(text, frame).truth(frame).tolist() == truth


@pytest.mark.parametrize("dtype", ["object", "str", "string", "category", "string[pyarrow]"])
def test_texts_of_every_type_are_read(dtype: str):
    frame = pd.DataFrame({"race": pd.Series(["White", "Black", None], dtype=dtype)})
    assert Condition.parse("race <> 'White' AND race < 'C'", frame).truth(frame).tolist() == [False, True, pd.NA]


@pytest.mark.parametrize("dtype", ["object", "datetime64[s]", "datetime64[us]", "datetime64[ns]", "date32[pyarrow]"])
def test_dates_of_every_type_are_read(dtype: str):
    days = [datetime.date(2014, 1, 31), datetime.date(1999, 12, 31), None]
    frame = pd.DataFrame({"born": pd.Series(days, dtype=dtype)})
    condition = parse("born >= '2014-01-31' AND extract(month from born) = 1 AND extract(day from born) = 31")
    assert condition.truth(frame).tolist() == [True, False, pd.NA]
    assert Condition.parse("born < '2000-01-01'", frame).mask(frame).tolist() == [False, True, False]


def test_large_whole_numbers_are_distinguished():
    frame = pd.DataFrame({"id": [2**53, 2**53 + 1]})
    assert Condition.parse(f"id = {2**53 + 1}", frame).mask(frame).tolist() == [False, True]


def test_kinds_are_taken_from_the_frame_when_none_are_known():
    frame = pd.DataFrame({"born": pd.to_datetime(["2014-01-31"]), "race": ["x"]})
    condition = Condition.parse("born = '2014-01-31'", ["born", "race"])
    assert condition.mask(frame).tolist() == [True]
    with pytest.raises(ConditionError, match="holds text"):
        Condition.parse("race > 5", ["born", "race"]).mask(frame)


@pytest.mark.parametrize("dtype", ["float64", "object", "category", "str", "datetime64[us]"])
def test_a_column_without_any_value_fits_every_kind(dtype: str):
    frame = pd.DataFrame({name: pd.Series([None, None], dtype=dtype) for name in ("race", "age", "born", "flag")})
    for text in (
        "lower(race) = 'x'",
        "age + 1 > 2",
        "extract(year from born) = 2014",
        "flag",
        "coalesce(age, race) = 1",
    ):
        names = {"race": "number"} if "coalesce" in text else {}
        assert Condition.parse(text, COLUMNS | names).truth(frame).isna().all()
    assert Condition.parse("coalesce(race, 'x') = 'x'", COLUMNS).mask(frame).all()


def test_an_empty_frame_gives_an_empty_mask():
    frame = pd.DataFrame({"race": pd.Series([], dtype=object), "age": pd.Series([], dtype="float64")})
    assert parse("race LIKE 'a%' AND age + 1 > 2").mask(frame).tolist() == []


def test_a_column_that_the_frame_lacks_is_named():
    with pytest.raises(MissingColumnError, match="race"):
        parse("race = 'x'").mask(pd.DataFrame({"rase": ["x"]}))


def test_columns_are_those_used_in_order():
    assert parse("age > 1 AND race = 'x' AND age < 3").columns == ("age", "race")


def test_conditions_are_values():
    one, other = parse("race != 'x'"), parse("race <> 'x'")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != parse("race = 'x'") and one != "race <> 'x'"
    assert pickle.loads(pickle.dumps(one)) == one
    assert repr(one) == "Condition(\"race <> 'x'\")"


def test_conditions_combine():
    a, b = parse("age = 1"), parse("flag")
    assert str(a & b) == "age = 1 AND flag"
    assert str((a & b) & a) == "age = 1 AND flag AND age = 1"
    assert str((a & b) | a) == "(age = 1 AND flag) OR age = 1"
    assert str(~a) == "age <> 1"
    with pytest.raises(TypeError):
        a & "flag"


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [
        ("race", "it's", "race = 'it''s'"),
        ("age", np.int64(-5), "age = -5"),
        ("age", 2.5, "age = 2.5"),
        ("flag", np.bool_(True), "flag = TRUE"),
        ("born", pd.Timestamp("2014-01-31"), "born = TIMESTAMP '2014-01-31 00:00:00'"),
        ("born", datetime.date(2014, 1, 31), "born = DATE '2014-01-31'"),
        ("race", None, "race IS NULL"),
        ("age", float("nan"), "age IS NULL"),
        ("race", pd.NA, "race IS NULL"),
        ("AGE", 1, "age = 1"),
    ],
)
def test_equals_is_built_without_text(column: str, value: object, text: str):
    assert str(Condition.equals(column, value, COLUMNS)) == text


def test_one_of_is_built_without_text():
    assert str(Condition.one_of("race", ["a", "b", "a"], COLUMNS)) == "race IN ('a', 'b')"
    assert str(Condition.one_of("race", ["a", None], COLUMNS)) == "race = 'a' OR race IS NULL"
    with pytest.raises(InputError, match="at least one value"):
        Condition.one_of("race", [], COLUMNS)
    with pytest.raises(MissingColumnError):
        Condition.one_of("x", ["a"], COLUMNS)
    with pytest.raises(ConditionError, match="holds numbers"):
        Condition.equals("age", "x", COLUMNS)
    with pytest.raises(InputError, match="finite"):
        Condition.equals("age", float("inf"), COLUMNS)


def test_columns_may_come_in_many_forms():
    @dataclass(frozen=True)
    class Table:
        columns: dict[str, Column]

    named = {"age": Column("age", "number")}
    frame = pd.DataFrame({"age": [1]})
    for columns in (Table(named), named, {"age": "number"}, frame, ["age"], ("age",), {"age": None}):
        assert str(Condition.parse("age = 1", columns)) == "age = 1"
    for columns in (5, "age", {"age": "decimal"}):
        with pytest.raises(InputError):
            Condition.parse("age = 1", columns)
    with pytest.raises(InputError, match="must be a text"):
        Condition.parse(None, frame)


def test_a_name_that_is_there_twice_is_refused():
    frame = pd.DataFrame([[1, 2]], columns=["age", "age"])
    with pytest.raises(FairauditError, match="more than once"):
        Condition.parse("age = 1", frame)


def test_letters_and_blanks_are_those_of_duckdb():
    letters = pd.DataFrame({"i": [i for i in range(1, 0x11000) if not 0xD800 <= i < 0xE000]})
    letters["c"] = letters["i"].map(chr)
    connection = duckdb.connect()
    connection.register("letters", letters)
    found = connection.execute("SELECT c, lower(c), upper(c), trim(c) FROM letters").fetchall()
    assert [row for row in found if row[1:] != (to_lower(row[0]), to_upper(row[0]), trim(row[0]))] == []


def test_curly_quotes_of_a_word_processor_are_named_and_the_straight_form_is_shown():
    with pytest.raises(ConditionError) as refused:
        Condition.parse("sex = \u2018F\u2019", {"sex": "text"})
    assert "straight single quotes: 'F'" in refused.value.hint
