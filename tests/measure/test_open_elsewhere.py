"""Rows that add others up are asked about in every column of texts, once, and not where a person named them."""

from __future__ import annotations

import pandas as pd
import pytest

from fairaudit import check_controlled_fairness, read_table
from fairaudit.columns import ReadOptions, labels_of
from fairaudit.data import Table
from fairaudit.errors import OpenValues, OpenValuesError
from fairaudit.measure.not_known import odd_values

REGIONS = pd.DataFrame(
    {
        "sex": ["F", "M"] * 60,
        "region": (["N"] * 2 + ["S"] * 2 + ["All regions"] * 2) * 20,
        "hired": ["yes", "no", "no"] * 40,
    }
)
ASKED = {"decision": "hired", "favorable": "yes", "protected": "sex = 'F'"}


def test_totals_of_a_column_that_no_question_names_are_asked_about():
    with pytest.raises(OpenValuesError, match="--leave-out") as refused:
        check_controlled_fairness(REGIONS, **ASKED)
    assert refused.value.questions == (OpenValues("region", ("All regions",), "total", "left_out"),)
    left_out = check_controlled_fairness(Table.from_pandas(REGIONS, left_out={"region": ["All regions"]}), **ASKED)
    assert left_out.protected.n + left_out.reference.n == 80
    real = check_controlled_fairness(Table.from_pandas(REGIONS, real_values={"region": ["All regions"]}), **ASKED)
    assert real.protected.n + real.reference.n == 120


@pytest.mark.parametrize(
    "where, n", [("region = 'All regions'", 40), ("region <> 'All regions'", 80), ("region = 'N'", 40)]
)
def test_a_filter_that_names_the_total_answers_the_question(where, n):
    found = check_controlled_fairness(REGIONS, **ASKED, where=where)
    assert found.protected.n + found.reference.n == n


def test_only_totals_are_asked_about_elsewhere_and_not_where_all_rows_are_of_one_value():
    other = REGIONS.assign(region=(["N", "Unknown", "NA"] * 40), area="All areas")
    assert check_controlled_fairness(other, **ASKED).not_known == ()


def test_a_total_adds_nothing_up_where_all_rows_have_it_and_a_question_names_it():
    other = REGIONS.assign(region="N", area="all")
    named = ASKED | {"protected": "sex = 'F' AND area IS NOT NULL"}
    assert check_controlled_fairness(other, **named).protected.n == 60
    with pytest.raises(OpenValuesError):
        check_controlled_fairness(other.assign(area=["all", "north"] * 60), **named)


LABELS = labels_of({"sex": {"1": "man", "2": "woman", "9": "unknown"}})


@pytest.mark.parametrize("said", ["9", "unknown"])
@pytest.mark.parametrize("from_frame", [True, False])
def test_a_real_value_is_named_by_its_code_or_its_label(said, from_frame):
    rows = pd.DataFrame({"sex": [1, 2, 9] * 20, "hired": ["yes", "no"] * 30})

    def table(**options):
        if from_frame:
            return Table.from_pandas(rows, labels={name: dict(codes) for name, codes in LABELS}, **options)
        return read_table(rows.to_csv(index=False).encode(), options=ReadOptions(labels=LABELS, **options))

    assert odd_values(table(), "sex", "group") == {"unknown": "not known"}
    assert odd_values(table(real_values={"sex": (said,)}), "sex", "group") == {}


@pytest.mark.parametrize("said", ["99999", "99999.0", "9.9999e4"])
def test_a_real_number_is_named_in_any_spelling(said):
    rows = pd.DataFrame({"income": [*range(1000, 1060), 99_999]})
    assert odd_values(Table.from_pandas(rows), "income", "decision") == {99_999: "perhaps"}
    assert odd_values(Table.from_pandas(rows, real_values={"income": [said]}), "income", "decision") == {}
