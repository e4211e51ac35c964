"""Means of several people: said once, used as means alone, and asked about where nobody has said what they are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit import explain_gap
from fairaudit.columns import ByGroup, ReadOptions, WideCounts
from fairaudit.data import Table
from fairaudit.data.case_counts import asked_means, proposed_counts, proposed_means
from fairaudit.data.count_columns import figure_columns
from fairaudit.data.counted_rows import count_cases
from fairaudit.data.totals import sums_of_others
from fairaudit.errors import InputError
from fairaudit.measure import check_groups, check_means
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.outcomes import OutcomePlan

HEADS = {"women": "n_women", "men": "n_men"}
PAY = {"women": "pay_women", "men": "pay_men"}


def people(seed: int = 0) -> pd.DataFrame:
    """Workers, a row each."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"grade": rng.choice(list("abcd"), 300), "sex": rng.choice(["women", "men"], 300)})
    return frame.assign(pay=np.round(rng.normal(3000, 400, 300), 2))


def by_row(frame: pd.DataFrame) -> pd.DataFrame:
    """The same as published: a row for each grade and sex, with how many there are and their mean."""
    return frame.groupby(["grade", "sex"], as_index=False).agg(n=("pay", "size"), pay=("pay", "mean"))


def by_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with columns for women and men."""
    wide = by_row(frame).pivot(index="grade", columns="sex", values=["n", "pay"])
    wide.columns = [f"{figure}_{sex}" for figure, sex in wide.columns]
    return wide.reset_index().astype(dict.fromkeys(HEADS.values(), int))


@pytest.mark.parametrize("seed", range(5))
def test_means_of_rows_are_those_of_their_people(seed):
    whole = people(seed)
    rows = Table.from_pandas(whole)
    tables = [
        (Table.from_pandas(by_row(whole), counts="n", means="pay"), "sex"),
        (Table.from_pandas(by_columns(whole), counts=HEADS, means=PAY), "women or men"),
    ]
    for table, sex in tables:
        assert table.n_rows == 300 and table.columns["pay"].is_mean
        for by, own in (({"sex": "sex"}, {"sex": sex}), ({"g": "grade", "sex": "sex"}, {"g": "grade", "sex": sex})):
            wanted = rows.moments("pay", by)[[*by, "n", "missing", "mean"]]
            pd.testing.assert_frame_equal(table.means("pay", own), wanted, rtol=1e-12)


def test_a_mean_that_is_missing_is_that_of_nobody():
    frame = pd.DataFrame({"grade": ["a", "b"], "sex": ["F", "F"], "n": [4, 6], "pay": [10.5, None]})
    [row] = Table.from_pandas(frame, counts="n", means="pay").means("pay", {}).to_dict("records")
    assert (row["n"], row["missing"], row["mean"]) == (4, 6, 10.5)


TAKING = {
    "check": lambda t: check_means(t, decision="pay", protected="sex = 'women'"),
    "groups": lambda t: check_groups(t, decision="sex", favorable="women", by=["pay"]),
    "explain": lambda t: explain_gap(t, decision="sex", favorable="women", protected="grade = 'a'", controls=["pay"]),
    "filter": lambda t: t.count("pay > 3000"),
    "computed filter": lambda t: t.count("round(pay) = 3000 OR pay IS NULL"),
    "moments": lambda t: t.moments("pay", {}),
    "rows": lambda t: t.to_pandas(["sex", "pay"]),
}


@pytest.mark.parametrize("ask", TAKING.values(), ids=TAKING)
def test_nothing_else_takes_means_for_what_each_person_has(ask):
    table = Table.from_pandas(by_row(people()), counts="n", means="pay")
    with pytest.raises(InputError, match="'pay' holds means of several people"):
        ask(table)
    assert table.count("pay IS NOT NULL") == 300


def test_an_amount_beside_counts_is_asked_about_before_it_is_answered():
    frame = by_row(people())
    asked = {"decision": "pay", "protected": "sex = 'women'"}
    table = Table.from_pandas(frame, counts="n")
    assert asked_means(table) == ("pay",)
    with pytest.raises(InputError, match="--no-means"):
        check_means(table, **asked)
    said = Table.from_pandas(frame, counts="n", means=())
    written = Table.from_pandas(frame.loc[frame.index.repeat(frame["n"])].drop(columns="n"), rows_are_cases=True)
    assert asked_means(said) == () and check_means(said, **asked).to_dict() == check_means(written, **asked).to_dict()


def test_amounts_that_repeat_or_are_of_one_person_each_are_no_means():
    frame = pd.DataFrame({"sex": list("FM") * 6, "step": [1.5, 2.5, 3.5] * 4, "dept": list("abcdef") * 2})
    assert asked_means(Table.from_pandas(frame.assign(n=5), counts="n"), "step") == ()
    alone = by_row(people()).assign(n=1)
    assert asked_means(Table.from_pandas(alone, counts="n"), "pay") == ()
    whole = by_row(people()).assign(pay=lambda f: f["pay"].round())
    table = Table.from_pandas(whole, counts="n")
    assert asked_means(table) == () and asked_means(table, "pay") == ("pay",)


@pytest.mark.parametrize("name", ["median_pay", "Medianentgelt", "PayMedian", "salaire me\u0301dian"])
def test_medians_are_neither_proposed_as_means_nor_averaged(name):
    frame = by_row(people()).rename(columns={"pay": name})
    asked = {"decision": name, "protected": "sex = 'women'"}
    table = Table.from_pandas(frame, counts="n")
    assert proposed_means(Table.from_pandas(frame), "n") == () == asked_means(table, name)
    for ask in (
        lambda: Table.from_pandas(frame, counts="n", means=name),
        lambda: check_means(table, **asked),
        lambda: check_means(Table.from_pandas(frame.assign(pay=frame[name]), counts="n", means="pay"), **asked),
    ):
        with pytest.raises(InputError, match=f"{name}' holds medians by its name"):
            ask()
    stated = Table.from_pandas(frame, counts="n", means=())
    assert check_means(stated, **asked).protected.n == (people()["sex"] == "women").sum()
    called = by_row(people()).rename(columns={"pay": "comedian pay"})
    assert asked_means(Table.from_pandas(called, counts="n")) == ("comedian pay",)


def test_medians_by_group_are_not_proposed_as_means():
    frame = by_columns(people())
    more = {f"median {name}": frame[column] for name, column in PAY.items()}
    table = Table.from_pandas(frame.assign(**more))
    assert [dict(each.pairs) for each in proposed_means(table, proposed_counts(table))] == [PAY]


def test_counts_and_means_by_group_are_found_by_their_names():
    table = Table.from_pandas(by_columns(people()))
    counts = proposed_counts(table)
    assert isinstance(counts, ByGroup) and dict(counts.pairs) == {group: HEADS[group] for group in counts.groups}
    assert [dict(each.pairs) for each in proposed_means(table, counts)] == [PAY]
    with pytest.raises(InputError, match="--means 'women=pay_women'"):
        check_means(table, decision="pay_women", protected="grade = 'a'")
    read = count_cases(table, counts, proposed_means(table, counts))
    assert set(read.columns) == {"grade", "pay", f"{counts.groups[0]} or {counts.groups[1]}"}


@pytest.mark.parametrize("seed", range(3))
def test_people_with_visits_before_and_after_are_no_counts_by_group(seed):
    rng = np.random.default_rng(seed)
    figures = {name: rng.integers(0, 9, 200) for name in ("n_before", "n_after", "cost_before", "cost_after")}
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], 200), "ward": rng.choice(list("abc"), 200), **figures})
    assert proposed_counts(Table.from_pandas(frame)) is None
    assert proposed_counts(Table.from_pandas(frame.assign(patient=[f"p{i}" for i in range(200)]))) is None


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ({"means": "pay_men"}, "one column of 'counts'"),
        ({"counts": "n_men", "means": PAY}, "'means' has columns for women, men, and 'counts' for no group"),
        ({"counts": HEADS, "means": {"women": "pay_women", "others": "pay_men"}}, "women, others"),
        ({"counts": HEADS, "means": "pay_men"}, "one column of 'counts'"),
        ({"counts": "n_men", "means": "n_men"}, "twice"),
        ({"counts": "n_men", "means": "grade"}, "columns of numbers"),
        ({"counts": "n_men", "means": "salary"}, "columns of numbers"),
        ({"counts": {"women": "n_women", "men": "n_women"}, "means": PAY}, "one column"),
        ({"counts": {"favourable": "n_women", "all": "n_men"}, "means": PAY}, "'counts' must name"),
        ({"counts": {"favorable": "n_women", "all": "n_men"}, "means": "pay_men"}, "one column of 'counts'"),
    ],
)
def test_means_that_do_not_go_with_the_counts_are_refused_in_one_sentence(said, match):
    with pytest.raises(InputError, match=match):
        Table.from_pandas(by_columns(people()), **said)


@pytest.mark.parametrize("means", [None, (), ("pay",)])
def test_a_plan_keeps_what_was_said_of_means(means):
    table = Table.from_pandas(by_row(people()), counts="n", means=means)
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="pay", amount=True))
    plan = record_data(plan, table)
    again = AuditPlan.from_toml(plan.to_toml())
    assert again == plan and again.data.options.means == means


def test_a_plan_keeps_counts_and_means_by_group():
    table = Table.from_pandas(by_columns(people()), counts=HEADS, means=PAY)
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="pay", amount=True))
    plan = record_data(plan, table)
    text = plan.to_toml()
    assert AuditPlan.from_toml(text) == plan
    assert plan.data.options == table.source.options
    written = 'counts = {women = "n_women", men = "n_men"}\nmeans = [{women = "pay_women", men = "pay_men"}]\n'
    said = AuditPlan.from_toml(
        f'schema_version = 1\ndecision = {{column = "pay", amount = true}}\n[data]\nsource = "t.csv"\n{written}'
    )
    assert said.data.options == ReadOptions(counts=ByGroup(tuple(HEADS.items())), means=(ByGroup(tuple(PAY.items())),))
    wide = DataPlan(source="t.csv", counts=WideCounts("a", all="b"))
    assert DataPlan.model_validate(wide.model_dump(mode="json")) == wide


def test_means_that_are_whole_numbers_are_figures_and_tell_no_cases_apart():
    frame = pd.DataFrame({"grade": ["a", "a", "b", "b"], "sex": ["F", "M"] * 2, "n": [40, 60, 30, 50]})
    table = Table.from_pandas(frame.assign(pay=[2100, 2200, 3100, 3050]), counts="n", means="pay")
    assert figure_columns(table) == {"pay"}
    assert sums_of_others(table) == {}
