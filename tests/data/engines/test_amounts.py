"""Amounts in a database: decimal numbers mean what doubles mean, and the checks are those of the rows in memory."""

from __future__ import annotations

import json

import pytest
from shown import shows

from fairaudit import AuditPlan, Table, check_strata, connect_table, run
from fairaudit.errors import InputError
from fairaudit.measure import check_mean_strata
from fairaudit.measure.similar import check_similar
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.report.json_export import to_json

NUMBERS = "abs(pay) > 20.05|pay / 3 > 6.7|round(pay, 1) = 0.1|pay * 1.1 >= 22|-pay < -0.1|pay + 0.1 = 0.3"
CONDITIONS = (
    """
pay = 0.1|pay <> 0.1|pay > 0.30|pay >= -0.05|pay BETWEEN 0.1 AND 0.3|pay NOT BETWEEN -1.5 AND 20|pay IN (0.1, 20, 0.05)
pay NOT IN (0.1)|pay = 1e-1|pay > 9007199254740993|pay < 0.30000000000000004|pay >= 0.30000000000000004|pay = wide
pay > whole|pay <= whole|pay = real|pay > real|coalesce(pay, 0.5) = 0.5|coalesce(pay, whole) > 1|pay IS NULL
wide = 0.1|wide > 0.30000000000000004|whole = 2.0|whole > 1.5|whole BETWEEN 0.5 AND 2.5|real = 0.1|real IN (0.1, 1)
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@pytest.fixture(scope="module")
def table(postgres, postgres_url) -> Table:
    postgres.execute(
        "CREATE TABLE pays (id int, sex text, grade int, pay numeric(10,2), wide numeric, whole bigint, real float8)",
        "INSERT INTO pays SELECT i, CASE WHEN i % 3 = 0 THEN 'F' ELSE 'M' END, i % 4,"
        " CASE WHEN i % 11 = 0 THEN NULL WHEN i % 13 = 0 THEN 'NaN' ELSE (i * 37 % 4100 - 10) / 100.0 END,"
        " CASE WHEN i % 7 > 0 THEN (i * 37 % 4100 - 10) / 100.0 END, i % 5,"
        " CASE WHEN i % 9 = 0 THEN 'NaN'::float8 ELSE (i * 37 % 4100 - 10) / 100.0::float8 END"
        " FROM generate_series(1, 4100) AS i",
    )
    return connect_table(postgres_url, table="pays")


@pytest.fixture(scope="module")
def near(table) -> Table:
    return Table.from_pandas(table.to_pandas())


@pytest.mark.parametrize("condition", [*CONDITIONS, *NUMBERS.split("|")])
def test_decimal_numbers_are_counted_as_doubles(table, near, condition):
    assert table.counts([table.condition(condition)]).equals(near.counts([near.condition(condition)]))


def test_moments_are_those_of_the_rows(table, near):
    far, right = (t.moments("pay", {"sex": "sex", "grade": "grade"}, where="whole < 4") for t in (table, near))
    assert far[["sex", "grade", "n", "missing"]].equals(right[["sex", "grade", "n", "missing"]])
    for name in ("mean", "variance", "quarter", "median", "three_quarters"):
        assert far[name].to_numpy() == pytest.approx(right[name].to_numpy(), rel=1e-12)


def test_an_audit_of_amounts_runs_on_a_connection(table, near):
    check = CheckPlan(protected="sex = 'F'", strata=("grade",), compare=(("grade",),), similar_by=("grade",))
    plan = AuditPlan(data=DataPlan(source="pays"), decision=OutcomePlan(column="pay", amount=True), checks=(check,))
    far, right = (json.loads(to_json(run(plan, table=t)))["amounts"][0] for t in (table, near))
    assert far["result"]["protected"]["n"] == right["result"]["protected"]["n"]
    assert far["result"]["difference"] == pytest.approx(right["result"]["difference"], rel=1e-9)
    assert "percentile_cont(0.5) WITHIN GROUP" in far["sql"]
    [reason] = far["not_compared"]
    assert shows(reason, "check-not-compared-stay", columns="'grade'")


def test_bands_on_a_connection_are_those_of_the_rows(table, near):
    asked = {"protected": "sex = 'F'", "strata": ("real", "grade"), "strata_cuts": {"real": (0, 10.5, 30)}}
    amounts = [check_mean_strata(each, decision="pay", **asked) for each in (table, near)]
    shares = [
        check_strata(each, decision="pay", favorable=each.condition("pay >= 20"), **asked) for each in (table, near)
    ]
    for far, right in (amounts, shares):
        sizes = [[(row.name, row.comparison.protected.n) for row in found.strata] for found in (far, right)]
        assert sizes[0] == sizes[1] and len(sizes[0]) >= 15
        assert far.common_difference == pytest.approx(right.common_difference, rel=1e-9)


def test_similar_people_need_rows(table):
    with pytest.raises(InputError, match="they stay in PostgreSQL"):
        check_similar(table, decision="pay", protected="sex = 'F'", columns="grade")
