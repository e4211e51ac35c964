"""Plans whose decision is an amount: what they may say, and what a run finds."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pytest
from shown import shows

from fairaudit import AuditPlan, run
from fairaudit.errors import GroupError, InputError, PlanError
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.plan.roles import decision_of, meaning_of, outcome_of
from fairaudit.sections.check.answering import answer_check

CHECK = CheckPlan(
    protected="sex = 'F'",
    protected_name="women",
    amount_tolerance=1.5,
    strata=("grade",),
    compare=(("sex",), ("sex", "grade")),
    similar_by=("grade", "years"),
)
PAY = OutcomePlan(column="pay", amount=True, meaning="monthly pay")
TEXT = """schema_version = 1

[data]
source = "pay.csv"

[decision]
column = "pay"
amount = true

[[checks]]
protected = "sex = 'F'"
"""
REMEDY = """[models]
features = ["x"]
protected = "sex = 'F'"

[[remedies]]
method = "relabel"

"""


@pytest.fixture(scope="module")
def pay() -> pd.DataFrame:
    random = np.random.default_rng(8)
    n = 240
    grade, sex = random.integers(1, 4, n), random.choice(["F", "M"], n)
    amount = 30 + 5 * grade - 2 * (sex == "F") + random.normal(0, 3, n)
    return pd.DataFrame({"sex": sex, "grade": grade, "years": random.integers(0, 30, n), "pay": np.round(amount, 2)})


def plan(**options) -> AuditPlan:
    return AuditPlan(**({"data": DataPlan(source="pay.csv"), "decision": PAY, "checks": (CHECK,)} | options))


def test_plan_of_amounts_is_the_same_after_writing_and_reading():
    whole = plan(decision=PAY.model_copy(update={"higher_is_favorable": False}))
    assert AuditPlan.from_toml(whole.to_toml()) == whole
    assert "amount = true" in whole.to_toml() and "amount_tolerance = 1.5" in whole.to_toml()


def test_plans_without_amounts_keep_their_digest():
    audit = AuditPlan(
        data=DataPlan(source="adult.csv"),
        decision=OutcomePlan(column="income", favorable=(">50K",)),
        checks=(CheckPlan(protected="race <> 'White'"),),
    )
    assert audit.digest == "ffa608f22738ef1229ca101f79d92418de9cca90a4ed032f1d7cd96bfdb00840"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("amount = true", "", r"'decision' in line 6 of the plan .*amount = true"),
        ("amount = true", 'amount = true\nfavorable = ["1"]', r"'decision' in line 6 of the plan .*either 'favorable'"),
        (
            "amount = true",
            'favorable = ["1"]\nhigher_is_favorable = false',
            r"'decision' in line 6 .*needs amount = true",
        ),
        ("amount = true", 'amount = "perhaps"', r"'decision.amount' in line 8 of the plan must be true or false"),
        ("[[checks]]\n", "[[checks]]\namount_tolerance = -1\n", r"'checks.1.amount_tolerance' in line 11 .*got -1"),
        ("[[checks]]\n", "[[checks]]\namount_tolerance = inf\n", r"'checks.1.amount_tolerance' in line 11 .*finite"),
        ("[[checks]]\n", '[[checks]]\nsimilar_by = "grade"\n', r"'checks.1.similar_by' in line 11 .*must be a list"),
        ("[[checks]]", f"{REMEDY}[[checks]]", 'The plan holds a remedy with method = "relabel"'),
        (
            "[[checks]]",
            '[[errors]]\nby = ["sex"]\n\n[[checks]]',
            "The plan holds 'errors', which need a favourable result",
        ),
        (
            "[[checks]]",
            '[prediction]\ncolumn = "x"\namount = true\n\n[[checks]]',
            "holds a prediction with amount = true",
        ),
    ],
)
def test_a_plan_that_mixes_the_kinds_is_refused_with_its_line(before, after, message):
    with pytest.raises(PlanError, match=message):
        AuditPlan.from_toml(TEXT.replace(before, after))


@pytest.mark.parametrize("setting", ["amount_tolerance = 5.0", 'similar_by = ["grade"]'])
def test_settings_of_amounts_need_an_amount(setting):
    text = TEXT.replace("amount = true", 'favorable = ["1"]').replace("[[checks]]\n", f"[[checks]]\n{setting}\n")
    with pytest.raises(PlanError, match="need amount = true"):
        AuditPlan.from_toml(text)


def test_run_finds_amounts_and_no_shares(pay):
    result = run(plan(), table=pay)
    assert len(result.checks) == 1
    [finding] = result.checks
    women, men = (pay.loc[pay["sex"] == sex, "pay"] for sex in "FM")
    assert finding.result.difference == pytest.approx(women.mean() - men.mean())
    assert finding.result.tolerance == 1.5 and finding.meaning == "monthly pay"
    assert [table.columns for table in finding.groups] == [("sex",), ("sex", "grade")]
    assert len(finding.strata.strata) == 3 and finding.similar.n_rows == len(pay)
    assert finding.not_compared == ()


def test_fair_is_the_point_answer_about_amounts(pay):
    assert not run(plan(), table=pay).within_tolerance
    assert run(plan(checks=(CHECK.model_copy(update={"amount_tolerance": 100.0}),)), table=pay).within_tolerance


def test_seed_of_the_plan_feeds_the_comparison_of_similar_people(pay):
    one, again, other = (run(plan(seed=seed), table=pay).checks[0].similar for seed in (1, 1, 2))
    assert one == again and one.by_chance != other.by_chance


def test_sql_gives_the_same_means(pay):
    finding = answer_check(pay, plan(), CHECK.model_copy(update={"where": "grade >= 2"}))
    with duckdb.connect() as connection:
        connection.register("table", pay)
        rows = {row[0]: row[1:] for row in connection.execute(finding.sql).fetchall()}
    for name, group in (("protected", finding.result.protected), ("reference", finding.result.reference)):
        assert rows[name][1:] == pytest.approx((group.n, group.mean, group.deviation))


def test_what_cannot_be_compared_is_said_and_the_answer_stands(pay):
    lonely = pay.assign(one="x", side=pay["sex"])
    check = CheckPlan(
        protected="sex = 'F'", compare=(("one",), ("sex",)), reference="z", strata=("side",), similar_by=("grade",)
    )
    finding = answer_check(lonely, plan(), check)
    assert len(finding.groups) == 1 and finding.strata is None and finding.similar is not None
    groups, strata = finding.not_compared
    assert shows(groups, "check-not-compared-groups", columns="'one'", has_reference="yes", reference="'z'")
    assert shows(strata, "check-not-compared-strata", columns="'side'")


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("sex", None, "holds text values"),
        ("pay", np.inf, "endless or undefined"),
        ("pay", 1e300, "beyond 1e\\+150"),
    ],
)
def test_a_column_without_means_is_no_amount(pay, column, value, message):
    data = pay.copy()
    if value is not None:
        data.loc[0, column] = value
    with pytest.raises(InputError, match=message):
        run(
            plan(decision=OutcomePlan(column=column, amount=True), checks=(CheckPlan(protected="grade = 1"),)),
            table=data,
        )


def test_counts_stay_out_of_messages_where_small_ones_are_hidden(pay):
    hidden = plan(small_cells=SmallCellsPlan(mask=True), checks=(CheckPlan(protected="grade = 7"),))
    with pytest.raises(GroupError, match="has no row with an amount"):
        run(hidden, table=pay)


def test_an_empty_condition_is_refused(pay):
    with pytest.raises(InputError, match="'protected' of a check is empty"):
        answer_check(pay, plan(), CheckPlan(protected=" "))


def test_amounts_that_all_differ_are_not_taken_for_a_number_of_cases(pay):
    whole = pay.assign(pay=range(1_000, 1_000 + len(pay)), number=range(len(pay)))
    issues = run(plan(), table=whole).quality.issues
    assert [issue.column for issue in issues if issue.code == "near_unique"] == ["number"]


def test_roles_distinguish_the_kinds(pay):
    from fairaudit.data.given import as_table

    table = as_table(pay)
    assert decision_of(table, PAY).meaning == meaning_of(table, PAY) == "monthly pay"
    assert decision_of(table, OutcomePlan(column="pay", amount=True)).meaning == "pay"
    assert (
        meaning_of(table, OutcomePlan(column="sex", favorable=("M",)))
        == outcome_of(table, OutcomePlan(column="sex", favorable=("M",))).meaning
    )
    with pytest.raises(InputError, match="is an amount, and this needs one with a favourable result"):
        outcome_of(table, PAY)


def test_a_score_does_not_keep_amounts_from_being_compared(pay):
    whole = plan(score=ScorePlan(column="years"))
    assert run(whole, table=pay).checks
    with pytest.raises(ValueError, match="holds 'errors'"):
        plan(score=ScorePlan(column="years"), errors=(ErrorsPlan(by=("sex",)),))
