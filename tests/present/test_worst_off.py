from __future__ import annotations

import dataclasses
import json
import re

import pandas as pd
import pytest
from findings_by_hand import finding, stratified

from fairaudit.measure import check_groups
from fairaudit.measure.limits import answer_digits
from fairaudit.present import verdicts
from fairaudit.present.blocks import cell_text, row_texts
from fairaudit.present.charts.gaps import strata_alt, strata_chart
from fairaudit.present.verdicts import figures
from fairaudit.sections.check.tables import ShareFigures, comparison_table, figures_of, groups_table, strata_table


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def groups(counts: dict[str, tuple[int, int]]):
    rows = [(name, "yes" if i < yes else "no") for name, (yes, n) in counts.items() for i in range(n)]
    data = pd.DataFrame(rows, columns=["race", "income"])
    return check_groups(data, decision="income", favorable="yes", by=["race"])


def worst(comparison) -> str:
    return spaced(verdicts.worst_off_sentence(comparison, comparison.rows[0].comparison, more_is_better=True))


def test_the_group_with_a_clear_gap_is_named_before_a_small_one_that_is_further_behind():
    said = worst(groups({"many": (300, 1000), "others": (600, 1000), "few": (1, 8)}))
    assert said.startswith("Worst off: many, 30.0 %") and verdicts.CLEAR_GAP in said


def test_figures_of_who_is_worst_off_are_those_of_the_table_beside():
    found = groups({"few": (30_354, 100_000), "others": (44_519, 100_000)})
    assert {"30.4", "−14.2"} <= set(re.findall(r"−?\d+\.\d", worst(found)))
    table = comparison_table(found, 1, 1, ShareFigures())
    row = {
        column.name: cell_text(value, column.kind, digits=column.digits, beside=column.beside)
        for column, value in zip(table.columns, table.rows[0], strict=True)
    }
    assert (spaced(row["share"]), row["gap"]) == ("30.4 %", "−14.2")


def test_the_card_and_the_table_have_the_same_figures():
    one = finding(30_354, 100_000, 44_519, 100_000)
    assert figures(one.result, one.names)[0].value == "−14.2"
    [digits] = [column.digits for column in groups_table(one, 1, figures_of(one)).columns if column.name == "share"]
    assert digits == 1


@pytest.mark.parametrize(
    ("cells", "digits"),
    [
        # The strata would take two decimals to subtract, the answer takes one.
        ([("a", 14, 4, 26, 7), ("b", 807, 143, 781, 196)], 1),
        ([("a", 4_000, 1_000, 4_700, 300), ("b", 3_846, 1_154, 4_654, 346)], 2),
    ],
)
def test_an_answer_its_strata_and_all_groups_have_the_decimals_of_the_answer(cells, digits):
    one = stratified(cells)
    assert answer_digits(one.result) == digits
    gap = figures(one.result, one.names)[0].value
    assert re.fullmatch(rf"[+−]\d+\.\d{{{digits}}}", gap)
    assert f"{gap} points" in strata_alt(one.strata)
    drawn = json.dumps(strata_chart(one.strata).to_dict(), ensure_ascii=False)
    assert f"all together: {gap}" in drawn
    table = strata_table(one.strata, 1, figures_of(one))
    for row in row_texts(table):
        assert f'"gap": "{row[[column.name for column in table.columns].index("gap")]}"' in drawn
    for each in (table, comparison_table(groups({"few": (30, 90), "others": (40, 90)}), 1, 1, figures_of(one))):
        assert {column.digits for column in each.columns if column.kind in ("share", "points")} == {digits}


@pytest.mark.parametrize(
    ("few", "others", "expected"),
    [
        ((300, 600), (345, 600), verdicts.PERHAPS_SMALL),
        ((3, 10), (5, 10), verdicts.CANNOT_TELL),
        ((5000, 10_000), (5050, 10_000), verdicts.NO_GAP),
    ],
)
def test_who_is_worst_off_is_named_with_what_the_data_support(few, others, expected):
    assert worst(groups({"few": few, "others": others})).endswith(f" {expected}.")


def test_nobody_is_called_worst_off_where_a_group_is_hidden_or_none_is_behind():
    comparison = groups({"a": (50, 100), "b": (50, 100)})
    assert worst(comparison) == ""
    behind = groups({"a": (20, 100), "b": (50, 100)})
    assert worst(behind)
    row = behind.rows[1]
    hidden = dataclasses.replace(row, comparison=dataclasses.replace(row.comparison, difference=None))
    assert worst(dataclasses.replace(behind, rows=(behind.rows[0], hidden))) == ""
