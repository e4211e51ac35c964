"""Numbers as people write them are read rightly, or asked about: never 1,000 times too small and never in silence."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shown import shows
from sweeps import part_of

from fairaudit import AuditPlan
from fairaudit.cli.main import main
from fairaudit.data import Limits, ReadOptions, quality_report, read_table
from fairaudit.data.kinds import marks_of_texts
from fairaudit.errors import InputError, TwoReadingsError
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.data import compare_data, open_data, record_data
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

AMOUNTS = [3421.5, 12.25, 1_157.75, 983.5, 1_234_567.1, 0.5]


def table_of(cells: list[str], *, delimiter: str = ";", options: ReadOptions | None = None, limits=None):
    rows = "".join(f'{place}{delimiter}"{cell}"\n' for place, cell in enumerate(cells))
    return read_table(f"id{delimiter}pay\n{rows}".encode(), options=options, limits=limits)


def pay(table) -> list[float]:
    return table.to_pandas()["pay"].tolist()


def written(number: float, between: str, mark: str, digits: int) -> str:
    return f"{number:,.{digits}f}".replace(",", "B").replace(".", mark).replace("B", between)


@pytest.mark.parametrize("between", [" ", "\u00a0", "\u202f", "'", "\u2019", "", "."])
@pytest.mark.parametrize("sign", part_of(["{}", "€ {}", "{} EUR", "{} %", "£{}"], ["{}", "{} EUR"], rest="thorough"))
def test_marks_between_thousands_and_signs_leave_the_number(between, sign):
    cells = [sign.format(written(amount, between, ",", 2)) for amount in AMOUNTS]
    table = table_of(cells)
    assert pay(table) == AMOUNTS and table.source.decimal == ","
    points = [cell.replace(",", "P").replace(".", ",").replace("P", ".") for cell in cells]
    assert pay(table_of(points, delimiter=",")) == AMOUNTS


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("(1,234.50)", -1234.5), ("1.234,50-", -1234.5), ("\u22125,5", -5.5), ("-£5.50", -5.5), ("£-5.50", -5.5),
        ("1'850.-", 1850), ("1.850,- €", 1850), ("12,34,567.5", 1234567.5), ("Fr. 12.50", 12.5), ("kr. 1 200", 1200),
    ],
)  # fmt: skip
def test_numbers_of_accounts_shops_and_lakhs(cell, number):
    assert pay(table_of([cell])) == [number]


@pytest.mark.parametrize("cells", [["5-", "2+"], ["(1)", "(2)"], ["007", "1 234"], ["12EUR345"], ["1 23", "4 567"]])
def test_marks_at_school_notes_and_codes_are_no_numbers(cells):
    assert table_of(cells).columns["pay"].kind == "text"


@pytest.mark.parametrize(
    ("cells", "said"),
    [(["£5", "$5"], "several signs ($, £)"), (["8%", "0.5"], "several signs (%, none)"), (["€ 1", "2 USD"], "USD")],
)
def test_signs_of_several_currencies_and_some_percentages_stay_texts_and_are_said(cells, said):
    table = table_of(cells)
    assert table.columns["pay"].kind == "text" and any(said in note for note in table.notes)


def test_amounts_of_which_some_have_the_sign_are_of_one_currency():
    table = table_of(["£1,200.50", "950", ""])
    [note] = table.notes
    assert pay(table)[:2] == [1200.5, 950] and shows(note, "read-signs", columns="£ in 'pay'")


@pytest.mark.parametrize("delimiter", part_of([";", "\t", ","], [";"], rest="thorough"))
@pytest.mark.parametrize("sign", ["{}", "£{}"])
@pytest.mark.parametrize(("mark", "big", "small"), [(".", "decimal_comma", "decimal_point"),
                                                    (",", "decimal_point", "decimal_comma")])  # fmt: skip
def test_a_thousand_or_a_fraction_is_asked_and_read_as_said(delimiter, sign, mark, big, small):
    cells = [sign.format(cell) for cell in (f"1{mark}157", "983", f"1{mark}316")]
    with pytest.raises(TwoReadingsError) as asked:
        table_of(cells, delimiter=delimiter)
    [column] = asked.value.columns
    assert (column.column, column.cells) == ("pay", (cells[0], cells[2]))
    assert sorted((column.as_point, column.as_comma)) == [1.157, 1157]
    assert "1157" not in str(asked.value) and "1.157" not in str(asked.value), "no cell of a row is in a message"
    for option in (f'--{big.replace("_", "-")} "pay"', f'--{small.replace("_", "-")} "pay"', f'{big}=("pay",)'):
        assert option in str(asked.value)
    for said, numbers in ((big, [1157, 983, 1316]), (small, [1.157, 983, 1.316])):
        for options in (ReadOptions(**{said: ("pay",)}), ReadOptions(decimal="." if said == "decimal_point" else ",")):
            table = table_of(cells, delimiter=delimiter, options=options)
            assert pay(table) == numbers
            again = table_of(cells, delimiter=delimiter, options=table.source.options)
            assert again.fingerprint == table.fingerprint
    assert table_of(cells, delimiter=delimiter, options=ReadOptions(as_text=("pay",))).columns["pay"].kind == "text"


def test_what_other_columns_show_is_proposed_and_decides_nothing():
    with pytest.raises(TwoReadingsError) as asked:
        read_table(b"pay;quota\n1.157;0,4\n983;0,25\n")
    assert (asked.value.columns[0].likely, asked.value.columns[0].shown_by) == (",", "quota")
    with pytest.raises(TwoReadingsError) as asked:
        read_table(b"pay;a;b\n1.157;0,4;0.5\n")
    assert asked.value.columns[0].likely is None


def test_a_cell_that_shows_the_mark_settles_its_column_alone():
    assert read_table(b"a;b\n1.157;1.157\n983;0.5\n2;1\n", options=ReadOptions(decimal_comma=("a",))).to_pandas()[
        ["a", "b"]
    ].values.tolist() == [[1157, 1.157], [983, 0.5], [2, 1]]
    with pytest.raises(TwoReadingsError) as asked:
        read_table(b"a;b\n1.157;1.157\n983;0.5\n")
    assert [column.column for column in asked.value.columns] == ["a"]


def test_a_mark_far_down_the_file_settles_it():
    cells = ["1.157"] * 3_000 + ["1.157.300"]
    assert pay(table_of(cells))[0] == 1157
    assert pay(table_of(["1.157"] * 3_000 + ["0.5"]))[0] == 1.157


def test_a_file_read_where_it_lies_asks_too(tmp_path):
    path = tmp_path / "pay.csv"
    path.write_bytes(b"id;pay\n" + b"1;1.157\n2;983\n" * 50)
    limits = Limits(in_place_bytes=10)
    with pytest.raises(TwoReadingsError):
        read_table(path, limits=limits)
    table = read_table(path, limits=limits, options=ReadOptions(decimal_comma=("pay",)))
    assert table.source.in_place and table.count("pay = 1157") == 50


@pytest.mark.parametrize("option", ["decimal_point", "decimal_comma", "as_text"])
def test_a_column_that_is_not_there_is_refused(option):
    with pytest.raises(InputError, match=option):
        table_of(["1.157"], options=ReadOptions(**{option: ("pya",)}))


def test_two_things_said_of_one_column_are_refused():
    with pytest.raises(InputError, match="one is possible"):
        table_of(["1.157"], options=ReadOptions(decimal_point=("pay",), as_text=("pay",)))


def test_several_codes_in_one_cell_are_no_decimal_commas():
    assert table_of(["1,2", "3", "2,3"], delimiter=",").columns["pay"].kind == "text"


def test_a_changed_text_for_missing_asks_again():
    cells = ["1.157", "983", "?"]
    table = table_of(cells)
    assert table.columns["pay"].kind == "text"
    with pytest.raises(TwoReadingsError):
        table_of(cells, options=replace(table.source.options, missing=("?",)))


def test_files_are_read_by_the_rules_of_old_where_that_is_said():
    old = ReadOptions(rules=1)
    assert pay(table_of(["1.157", "983"], options=old)) == [1.157, 983]
    assert pay(table_of(["2.215,60", "950,00"], options=old)) == [2215.6, 950]
    for cells in (["£5", "£6"], ["1 234,5"], ["1,234.50", "1,000"]):
        assert table_of(cells, options=old).columns["pay"].kind == "text"
    assert table_of(["1,157"], delimiter=",", options=old).columns["pay"].kind == "text"


def test_amounts_beside_words_are_said_to_be_numbers():
    table = table_of([*(f"{place}.157,50" for place in range(1, 60)), "k. A."])
    issues = {issue.code: issue.n for issue in quality_report(table).issues if issue.column == "pay"}
    assert table.columns["pay"].kind == "text" and issues["mixed"] == 1


def workbook(rows: list[list]) -> bytes:
    buffer = io.BytesIO()
    pd.DataFrame(rows[1:], columns=rows[0]).to_excel(buffer, index=False)
    return buffer.getvalue()


def test_numbers_of_a_workbook_are_numbers_and_only_its_texts_are_asked_about():
    numbers = workbook([["pay"], [1.157], [983], [2.5]])
    assert pay(read_table(numbers)) == [1.157, 983, 2.5]
    assert pay(read_table(numbers, options=ReadOptions(decimal_comma=("pay",)))) == [1.157, 983, 2.5]
    mixed = workbook([["pay"], ["1.157"], [983], [2.5]])
    with pytest.raises(TwoReadingsError) as asked:
        read_table(mixed)
    assert asked.value.columns[0].cells == ("1.157",)
    assert pay(read_table(mixed, options=ReadOptions(decimal_comma=("pay",)))) == [1157, 983, 2.5]
    assert pay(read_table(mixed, options=ReadOptions(decimal_point=("pay",)))) == [1.157, 983, 2.5]
    assert pay(read_table(workbook([["pay"], ["1.157,5"], [983.25]]))) == [1157.5, 983.25]
    assert pay(read_table(workbook([["pay"], ["£1,157.50"], [1e-7]]))) == [1157.5, 1e-7]


def test_marks_of_texts_are_those_the_database_finds():
    for cells in (["1.157"], ["1 157,5"], ["£1,157.50"], ["x"], ["5 %", "1.5 %"]):
        read = set()
        for mark in (".", ","):
            table = table_of(cells, options=ReadOptions(decimal=mark))
            read |= {mark} if table.columns["pay"].kind == "number" else set()
        assert marks_of_texts(cells) == read, cells


@given(
    st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=8),
    st.sampled_from([(".", ","), (",", "."), (" ", ","), ("'", "."), ("", "."), ("", ",")]),
    st.integers(0, 4),
    st.sampled_from([";", "\t", ","]),
)
def test_a_written_number_is_read_rightly_or_asked_about(wholes, marks, digits, delimiter):
    between, mark = marks
    numbers = [whole / 10**digits for whole in wholes]
    cells = [written(number, between, mark, digits) for number in numbers]
    try:
        table = table_of(cells, delimiter=delimiter)
    except TwoReadingsError as asked:
        [column] = asked.columns
        table = table_of(cells, delimiter=delimiter, options=ReadOptions(**{
            "decimal_comma" if mark == "," else "decimal_point": ("pay",)
        }))  # fmt: skip
        read = column.as_comma if mark == "," else column.as_point
        assert any(read == number for number in numbers)
    if table.columns["pay"].kind == "text":
        # Decimal commas alone between commas may be several codes.
        assert delimiter == "," and mark == ","
        return
    assert pay(table) == pytest.approx(numbers, rel=1e-12)


def saved(tmp_path, content: bytes, options: ReadOptions, **data) -> AuditPlan:
    (tmp_path / "t.csv").write_bytes(content)
    table = read_table(content, options=options)
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="ok", favorable=("yes",)),
        checks=(CheckPlan(protected="pay IS NULL"),),
    )
    plan = record_data(plan, table)
    return plan.model_copy(update={"data": plan.data.model_copy(update=data)})


def test_a_saved_plan_keeps_what_was_said(tmp_path):
    content = b"pay;ok\n1.157;yes\n983;no\n"
    plan = saved(tmp_path, content, ReadOptions(decimal_comma=("pay",)))
    again = AuditPlan.from_toml(plan.to_toml())
    assert again.data.reading.decimal_comma == ("pay",)
    assert pay(open_data(again, base=tmp_path)) == [1157, 983]
    plan = saved(tmp_path, content, ReadOptions(as_text=("pay",)), reading=ReadOptions(), fingerprint=None)
    with pytest.raises(TwoReadingsError):
        open_data(plan, base=tmp_path)


@pytest.mark.parametrize(
    "content",
    [b"pay;ok\n\xc2\xa35;yes\n\xc2\xa36;no\n", b'pay,ok\n"61,234",yes\n"1,000",no\n'],
)
def test_a_plan_of_an_earlier_version_reads_its_file_as_it_did(tmp_path, content):
    plan = saved(tmp_path, content, ReadOptions(rules=1), reading=ReadOptions())
    table = open_data(plan, base=tmp_path)
    assert table.fingerprint == plan.data.fingerprint and table.source.options.rules == 1
    assert compare_data(plan, table).mismatch is None
    kept = record_data(plan, table)
    assert open_data(kept, base=tmp_path).fingerprint == table.fingerprint


def test_a_plan_of_an_earlier_version_is_asked_about_numbers_that_it_read_one_way_unasked(tmp_path):
    content = b"pay;ok\n1.157;yes\n983;no\n"
    plan = saved(tmp_path, content, ReadOptions(rules=1), reading=ReadOptions())
    with pytest.raises(TwoReadingsError) as asked:
        open_data(plan, base=tmp_path)
    assert [(each.column, each.as_comma, each.as_point) for each in asked.value.columns] == [("pay", 1157, 1.157)]
    for said, numbers in (({"decimal_comma": ("pay",)}, [1157, 983]), ({"decimal_point": ("pay",)}, [1.157, 983])):
        answered = saved(tmp_path, content, ReadOptions(rules=1), reading=ReadOptions(**said))
        assert pay(open_data(answered, base=tmp_path)) == numbers
    kept = saved(tmp_path, content, ReadOptions(rules=1))
    assert kept.data.reading.rules == 1 and pay(open_data(kept, base=tmp_path)) == [1.157, 983]


def _of_old(tmp_path, content: bytes, mark: str) -> AuditPlan:
    """A plan as version 0.7 wrote it: the decimal mark that was found or said, and no rules."""
    plan = saved(tmp_path, content, ReadOptions(rules=1, decimal=mark), reading=ReadOptions(decimal=mark, rules=None))
    assert "decimal" in plan.to_toml() and "rules" not in plan.to_toml()
    again = AuditPlan.from_toml(plan.to_toml())
    assert again == plan and again.digest == plan.digest
    return again


def test_a_decimal_mark_that_an_earlier_version_found_is_asked_about(tmp_path):
    plan = _of_old(tmp_path, b"pay;ok\n1.157;yes\n983;no\n", ".")
    with pytest.raises(TwoReadingsError):
        open_data(plan, base=tmp_path)


@pytest.mark.parametrize(
    ("content", "mark", "numbers"),
    [
        (b"pay;ok\n1,5;yes\n983;no\n", ",", [1.5, 983]),
        (b"pay;ok\n5;yes\n983;no\n", ".", [5, 983]),
        (b"pay;ok\n1.157.300;yes\n983;no\n", ".", ["1.157.300", "983"]),
    ],
)
def test_a_decimal_mark_of_an_earlier_version_reads_what_it_read_where_one_reading_fits(
    tmp_path, content, mark, numbers
):
    plan = _of_old(tmp_path, content, mark)
    table = open_data(plan, base=tmp_path)
    assert pay(table) == numbers and compare_data(plan, table).mismatch is None
    kept = AuditPlan.from_toml(record_data(plan, table).to_toml())
    assert pay(open_data(kept, base=tmp_path)) == numbers


def test_a_decimal_mark_that_was_said_is_kept_by_the_plan(tmp_path):
    plan = saved(tmp_path, b"pay;ok\n1.157;yes\n983;no\n", ReadOptions(decimal="."))
    again = AuditPlan.from_toml(plan.to_toml())
    assert again == plan and pay(open_data(again, base=tmp_path)) == [1.157, 983]
    by_hand = plan.to_toml().replace("rules = 2\n", "").replace(f'fingerprint = "{plan.data.fingerprint}"\n', "")
    assert pay(open_data(AuditPlan.from_toml(by_hand), base=tmp_path)) == [1.157, 983]


def test_a_plan_of_other_data_is_refused_and_not_read_by_the_rules_of_old(tmp_path):
    plan = saved(tmp_path, b"pay;ok\n\xc2\xa35;yes\n", ReadOptions(), fingerprint="0" * 64)
    table = open_data(plan, base=tmp_path)
    assert table.source.options.rules == 2 and compare_data(plan, table, ignore_fingerprint=True).mismatch


def test_the_command_line_asks_and_takes_the_answer(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_bytes(b"pay;sex\n" + b"1.157;F\n983;M\n1.316;F\n" * 20)
    question = ["check", str(path), "--decision", "pay", "--amount", "--protected", "sex = 'F'", "--json"]
    assert main(question) == 2
    out, error = capsys.readouterr()
    assert not out and '--decimal-comma "pay"' in error and '--decimal-point "pay"' in error
    for said, mean in ((["--decimal-comma", "pay"], 1236.5), (["--decimal", "."], 1.2365)):
        assert main([*question, *said]) == 0
        found = json.loads(capsys.readouterr().out)
        assert str(mean) in json.dumps(found), found
    plan = tmp_path / "plan.toml"
    assert main([*question, "--decimal-comma", "pay", "--save-plan", str(plan)]) == 0
    assert AuditPlan.load(plan).data.reading.decimal_comma == ("pay",)
    capsys.readouterr()
    assert main(["run", str(plan), "--out", str(tmp_path / "out")]) == 0


def test_the_second_table_of_a_plan_is_read_as_was_said_of_the_first(tmp_path, capsys):
    rows = ["1.157;F;yes", "983;M;no", "1.316;F;no", "990;M;yes"] * 30
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("\n".join(["pay;sex;ok", *rows]))
    plan = tmp_path / "plan.toml"
    question = [
        "change", str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), "--decision", "ok", "--favorable", "yes",
        "--protected", "sex = 'F'",
    ]  # fmt: skip
    assert main(question) == 2 and "decimal-comma" in capsys.readouterr().err
    assert main([*question, "--decimal-comma", "pay", "--save-plan", str(plan)]) == 0
    assert main(["run", str(plan), "--out", str(tmp_path / "out")]) == 0
