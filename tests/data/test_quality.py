"""The quality report finds what can mislead, and says what to do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.data import Table, quality_report, read_table
from fairaudit.data.unknown_values import USUAL_WORDS, text_codes, unknown_meaning
from fairaudit.errors import ConditionError


def codes(frame: pd.DataFrame) -> set[tuple[str | None, str]]:
    return {(issue.column, issue.code) for issue in quality_report(Table.from_pandas(frame)).issues}


N = 200
IDS = np.arange(N)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([None] * N, "empty"),
        (["a", None] * (N // 2), "missing"),
        (["a"] * N, "constant"),
        ([f"id {i}" for i in IDS], "near_unique"),
        (IDS * 3, "near_unique"),
        (["1"] * 100 + ["2"] * 99 + ["x"], "mixed"),
        (["yes", "Yes "] * (N // 2), "same_but_case"),
        (["granted"] * 120 + ["refused"] * 74 + ["grantd"] * 6, "typing_errors"),
        ([f"v{i % 60}" for i in IDS], "many_values"),
        ([f"{1 + i % 28:02}-04-{2020 + i % 5}" for i in IDS], "days_as_text"),
        ([f"£{1_000 + i:,}.00" for i in IDS], "money_as_text"),
        ([f"{1_000 + i % 90},50 €" for i in IDS], "money_as_text"),
        ([f"EUR 1.{100 + i},00" for i in IDS], "money_as_text"),
        ((["€ 2,310", "EUR 1.850,00", "", "kr 950", "-"] * N)[:N], "money_as_text"),
        ((["1850", "1900", "£1,850"] * N)[:N], "money_as_text"),
        (["?", "a"] * (N // 2), "code"),
        (["n.v.t.", "a"] * (N // 2), "code"),
        (["in behandeling", "toegekend"] * (N // 2), "not_decided"),
        (["N/A", "a"] * (N // 2), "code"),
        (["Unknown", "a"] * (N // 2), "code"),
        (["Decline to state", "a"] * (N // 2), "not_known"),
        ([" I prefer not-to-say ", "a"] * (N // 2), "not_known"),
        (["pending", "yes"] * (N // 2), "not_decided"),
        (list(IDS % 5 + 1), "few_numbers"),
        ([999, *list(IDS[1:] % 60 + 18)], "code"),
        ([-1, *list(IDS[1:] % 60 + 18)], "code"),
    ],
)
def test_an_issue_is_found(values, code):
    assert ("v", code) in codes(pd.DataFrame({"v": values, "k": IDS % 2}))


@pytest.mark.parametrize(
    "values",
    [
        [1, -1] * (N // 2),
        list(IDS % 120),
        list((IDS % 9 - 4) * 1.5),
        ["yes", "no"] * (N // 2),
        ["approved", "declined"] * (N // 2),
        ["Moroccan"] * 120 + ["Moroccen"] * 80,
        ["answered", "No response"] * (N // 2),
        ["EUR", "USD"] * (N // 2),
        ["Not applicable", "Licensed"] * (N // 2),
        list(np.linspace(0, 1, N)),
        [99, *list(IDS[1:] % 90)],
    ],
)
def test_ordinary_values_raise_no_issue(values):
    assert not {code for column, code in codes(pd.DataFrame({"v": values, "k": IDS})) if column == "v"}


def test_each_value_that_may_be_a_typing_error_is_named_with_its_rows_and_what_it_resembles():
    values = ["deutsch"] * 50 + ["DEUTSCH"] * 9 + ["deustch"] * 6 + ["Drittstaat"] * 20 + ["Dritstaat"]
    [issue] = (
        i for i in quality_report(Table.from_pandas(pd.DataFrame({"v": values}))).issues if i.code == "typing_errors"
    )
    assert issue.message == "'deustch' (6 rows) resembles 'deutsch'; 'Dritstaat' (1 row) resembles 'Drittstaat'."
    assert issue.n == 7 and "choose 'deustch' wherever you choose 'deutsch'" in issue.advice


def test_a_value_that_may_mean_not_known_is_shown_with_its_count():
    text = b"race,ok\n" + b"A,yes\nB,no\nDecline to state,pending\n" * 30
    shown = {i.code: i for i in quality_report(read_table(text)).issues if i.column in ("race", "ok")}
    assert (shown["not_known"].column, shown["not_known"].n) == ("race", 30)
    assert shown["not_known"].message == "30 rows have the value 'Decline to state', which may mean \"not known\"."
    assert "'Decline to state' as a missing text, or filter" in shown["not_known"].advice
    assert shown["not_decided"].message == "30 rows have the value 'pending', which may mean \"not decided\"."


def test_words_for_not_decided_are_shown_in_the_column_of_decisions_only():
    table = read_table(b"stage,ok\n" + b"pending,yes\ndone,no\nin progress,tbd\n" * 30)

    def shown(**decision):
        return [(i.column, i.n) for i in quality_report(table, **decision).issues if i.code == "not_decided"]

    assert shown() == [("stage", 30), ("stage", 30), ("ok", 30)]
    assert shown(decision="ok") == [("ok", 30)]


def test_every_word_is_found_among_many_rows_as_among_counts():
    words = [*USUAL_WORDS, "??", ".", "*", "#N/A", "n.a.", "N.A.", "Nil", "unk", "not decided"]
    columns = {f"v{place}": [word, f" {word.upper()} ", "a", "b"] for place, word in enumerate(words)}
    found = text_codes(Table.from_pandas(pd.DataFrame(columns)), list(columns))
    for name, (word, loud, *_) in columns.items():
        expected = {word: 1, loud: 1} if unknown_meaning(word) else {}
        assert {code.text: code.n for code in found.get(name, ())} == expected, word


def test_amounts_with_signs_of_money_are_no_identifiers_and_no_unknowns():
    amounts = [f"£{1_000 + i:,}" if i % 3 else str(1_000 + i) for i in IDS]
    found = [
        i for i in quality_report(Table.from_pandas(pd.DataFrame({"v": amounts, "k": IDS % 2}))).issues if i.column
    ]
    assert [(i.code, i.n) for i in found] == [("money_as_text", 133)]
    assert found[0].message.startswith("133 of 200 values are amounts")


def test_a_number_is_never_said_to_stand_in_quotes_beside_amounts():
    table = Table.from_pandas(
        pd.DataFrame({"pay": ["EUR 1.850,00", "€ 2,310", None, "?"], "code": ["1", "2", "x", "y"]})
    )
    with pytest.raises(ConditionError) as refused:
        table.condition("pay > 2000")
    assert "sign or a code of money" in refused.value.hint and "quotes" not in refused.value.hint
    with pytest.raises(ConditionError) as refused:
        table.condition("code = 2")
    assert "'2' between single quotes" in refused.value.hint


def test_repeated_rows_are_counted():
    report = quality_report(read_table(b"a,b\n1,x\n1,x\n1,\n1,\n2,x\n"))
    assert report.duplicate_rows == 2
    assert report.issues[0].code == "duplicate_rows"


def test_repeated_rows_that_were_not_looked_for_are_not_counted_as_none(monkeypatch):
    monkeypatch.setattr("fairaudit.data.quality._DUPLICATE_ROWS", 2)
    report = quality_report(read_table(b"a,b\n1,x\n1,x\n1,x\n"))
    assert report.duplicate_rows is None
    assert report.issues[0].code == "duplicates_unknown"


def test_each_column_has_its_facts_and_each_issue_its_advice():
    report = quality_report(read_table(b"a,b\n1,x\n,y\n1,\n"))
    assert [(c.name, c.kind, c.n_missing, c.n_distinct) for c in report.columns] == [
        ("a", "number", 1, 1),
        ("b", "text", 1, 2),
    ]
    assert (report.n_rows, report.n_columns) == (3, 2)
    assert all(issue.advice.endswith(".") and issue.message.endswith(".") for issue in report.issues)


def test_names_with_quotes_are_looked_at_too():
    assert ("a\"b'; drop", "constant") in codes(pd.DataFrame({"a\"b'; drop": ["x", "x"]}))


def test_real_codes_are_found(shared_data):
    report = quality_report(read_table(shared_data("adult.csv.gz")))
    found = {(i.column, i.n) for i in report.issues if i.code == "code"}
    assert {("workclass", 2_799), ("capital_gain", 244), ("native_country", 857)} <= found
