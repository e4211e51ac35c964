"""Which columns are proposed to learn from, and why others are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from study_data import as_loans, biased_loans, loans_plan

from fairaudit.data import Table
from fairaudit.estimators.leakage import FILLED_IN_AFTER
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.study import proposing
from fairaudit.study.columns import FOLLOWS, ROLES, follows_by_name, says_group, says_who_decided
from fairaudit.study.proposing import features_left_out
from fairaudit.study.reading import study_of

LOANS = biased_loans()
SAMPLES = Path(__file__).parents[2] / "sample_data"


def test_suggested_features_leave_out_roles_protected_columns_and_row_numbers():
    def suggested(table, plan):
        left_out = features_left_out(table, plan)
        return tuple(name for name in frame.columns if name not in left_out)

    frame = LOANS.assign(country="here")
    assert suggested(as_loans(frame), loans_plan()) == ("merit", "weight", "area")
    by_area = loans_plan(by=("area",), protected="weight < 70")
    assert suggested(frame, by_area) == ("merit",)
    without = loans_plan().model_copy(update={"models": None})
    assert suggested(as_loans(frame), without) == ("merit", "weight", "area")


def test_each_column_that_is_not_suggested_has_a_reason():
    left_out = features_left_out(as_loans(LOANS.assign(country="here")), loans_plan())
    assert set(LOANS.columns) - {"merit", "weight", "area"} == left_out.keys() - {"country"}
    assert left_out["country"] == "it has one value only"
    assert left_out["granted"] == "it is the decision"
    assert left_out["sex"] == "it may say who is protected"
    assert left_out["number"] == "it names the rows"


GOOD = LOANS["granted"] == "yes"
WOMAN = LOANS["sex"] == "woman"
FEW = np.arange(len(LOANS)) % 67 == 0


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(len(LOANS)) % 90, "D"), proposing.DAY),
        ([f"{1 + i % 28:02}.{1 + i % 12:02}.2024" for i in range(len(LOANS))], proposing.DAY),
        (np.where(WOMAN, "Ms", "Mr"), proposing.NEARLY_NAMES_GROUP),
        (np.where(WOMAN ^ FEW, 2, 1), proposing.NEARLY_NAMES_GROUP),
        (np.where(GOOD ^ FEW, 1000, 0), "it alone nearly gives the decision away"),
        (np.where(GOOD, "paid", "not paid"), "it alone nearly gives the decision away"),
        # Half of those refused have it, nobody else: no copy of the decision, but written after it.
        (np.where(~GOOD & (np.arange(len(LOANS)) % 2 == 0), "income too low", None), FILLED_IN_AFTER),
        ([f"€ {1_000 + i}" for i in range(len(LOANS))], proposing.AMOUNTS_AS_TEXT),
        # Half of the women: it says something of them, and is no copy.
        (np.where(WOMAN & (np.arange(len(LOANS)) % 2 == 0), "part-time", "full-time"), None),
        (np.where(LOANS["merit"] > 0, "high", "low"), None),
        ([f"{i % 40} years" for i in range(len(LOANS))], None),
    ],
)
def test_days_and_near_copies_are_not_proposed_and_say_why(values, reason):
    left_out = features_left_out(as_loans(LOANS.assign(new=values)), loans_plan())
    assert left_out.get("new") == reason
    assert "merit" not in left_out and "weight" not in left_out


@pytest.mark.parametrize(
    ("name", "is_left_out"),
    [
        ("Officer", True), ("case_worker", True), ("decidedBy", True), ("JUDGE", True), ("Name of the inspector", True),
        ("Sachbearbeiter/in", True), ("Prüfer", True), ("behandelaar", True), ("Agent instructeur", True),
        ("juez_ponente", True), ("office", False), ("post officers", False), ("agent", False), ("judgement", False),
        ("worker", False),
    ],
)  # fmt: skip
def test_a_text_that_says_who_decided_is_not_proposed(name, is_left_out):
    assert says_who_decided(name) == is_left_out
    names = [f"{'ABCDEFGHIJKL'[i % 12]}. Bakker" for i in range(len(LOANS))]
    left_out = features_left_out(as_loans(LOANS.assign(**{name: names})), loans_plan())
    assert left_out.get(name) == (proposing.WHO_DECIDED if is_left_out else None)


def test_numbers_of_who_decided_are_proposed():
    years = np.arange(len(LOANS)) % 7
    assert "officer_years" not in features_left_out(as_loans(LOANS.assign(officer_years=years)), loans_plan())


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.csv")), ids=lambda path: path.stem)
def test_no_column_of_a_sample_says_who_decided(path):
    names = path.read_text(encoding="utf-8").split("\n", 1)[0].split(",")
    assert len(names) > 2 and not [name for name in names if says_who_decided(name)]


def test_columns_of_other_groups_and_their_copies_are_not_proposed():
    roots = np.where(np.arange(len(LOANS)) % 3 == 0, "abroad", "here")
    frame = LOANS.assign(Ethnic_group=roots, passport=np.where(roots == "here", "own", "foreign"), trace=roots == "x")
    left_out = features_left_out(as_loans(frame), loans_plan())
    assert (left_out["Ethnic_group"], left_out["passport"]) == (proposing.SAYS_GROUP, proposing.NEARLY_NAMES_GROUP)
    assert not says_group("trace") and not says_group("age") and says_group("GENDER_ID")


def test_copies_of_a_protected_column_that_the_question_is_not_about_are_not_proposed():
    born = np.where(np.arange(len(LOANS)) % 3 == 0, "abroad", "here")
    frame = LOANS.assign(born=born, passport=np.where(born == "here", "own", "foreign"))
    plan = loans_plan().model_copy(update={"protected_columns": ("sex", "born")})
    left_out = features_left_out(as_loans(frame), plan)
    assert (left_out["born"], left_out["passport"]) == (proposing.NAMES_GROUP, proposing.NEARLY_NAMES_GROUP)
    assert "passport" not in features_left_out(as_loans(frame), loans_plan())


def test_a_copy_of_the_prediction_is_not_proposed():
    said = np.where((LOANS["merit"] > 0.4) ^ FEW, "yes", "no")
    frame = LOANS.assign(said=said, level=np.where(said == "yes", "A", "B"))
    plan = loans_plan().model_copy(update={"prediction": OutcomePlan(column="said", favorable=("yes",))})
    left_out = features_left_out(as_loans(frame), plan)
    assert left_out["said"] == "it is a prediction"
    assert left_out["level"] == "it alone nearly gives the prediction away"


def test_a_copy_of_an_amount_is_not_proposed():
    random = np.random.default_rng(1)
    years = random.integers(0, 40, 400)
    pay = 2000 + 30 * years + random.normal(scale=300, size=400).round()
    frame = pd.DataFrame({"sex": ["F", "M"] * 200, "years": years, "pay": pay, "pay_per_hour": pay / 160})
    plan = AuditPlan(
        data=DataPlan(source="pay.csv"),
        decision=OutcomePlan(column="pay", amount=True),
        models=ModelsPlan(features=("years",), protected="sex = 'F'"),
    )
    left_out = features_left_out(Table.from_pandas(frame, name="pay"), plan)
    assert left_out.keys() == {"sex", "pay", "pay_per_hour"}
    assert left_out["pay_per_hour"] == "it alone nearly gives the decision away"


def test_held_out_rows_play_no_part_in_what_is_proposed():
    plan = loans_plan()
    rows = study_of(as_loans(LOANS), plan)
    decided = LOANS.index[LOANS["granted"].notna()]
    new = pd.Series(np.arange(len(LOANS)) % 2, index=LOANS.index)
    held = decided[rows.split.held_out]
    new[held] = GOOD[held].astype(int)
    assert "new" not in features_left_out(as_loans(LOANS.assign(new=new)), plan)


def test_rows_that_cannot_be_learned_from_leave_the_other_reasons():
    frame = LOANS.assign(granted="yes", day=pd.Timestamp("2024-01-01"), title=np.where(WOMAN, "Ms", "Mr"))
    left_out = features_left_out(as_loans(frame), loans_plan())
    assert left_out["sex"] == proposing.NAMES_GROUP and "title" not in left_out


def test_what_follows_from_the_outcome_or_puts_a_score_into_classes_is_not_proposed():
    rng = np.random.default_rng(0)
    n = len(LOANS)
    risk = rng.integers(1, 11, n)
    frame = LOANS.assign(
        ever_late=np.where(GOOD, "no", rng.choice(["yes", "no"], n, p=[0.4, 0.6])),
        risk_points=risk,
        risk_words=np.where(risk > 7, "high", "low"),
        v_risk_points=rng.integers(1, 11, n),
    )
    plan = loans_plan().model_copy(update={"score": ScorePlan(column="risk_points")})
    left_out = features_left_out(as_loans(frame), plan)
    assert left_out["ever_late"] == FOLLOWS.format(ROLES["decision"])
    assert left_out["risk_words"] == left_out["v_risk_points"] == FOLLOWS.format(ROLES["score"])


@pytest.mark.parametrize(
    ("column", "decision", "follows"),
    [
        ("purchaser_type", "action_taken", True), ("denial_reason", "action_taken", True),
        ("prior_denial", "action_taken", False), ("DiffMedianHourlyPercent", "MaleBonusPercent", True),
        ("DiffMedianHourlyPercent", "DiffMeanHourlyPercent", True), ("median_pay", "mean pay", True),
        ("mean", "pay", False), ("median_age", "pay", False), ("gap_in_work", "hired", False),
        ("difference_of_opinion", "hired", False), ("purchase_price", "action_taken", False),
    ],
)  # fmt: skip
def test_results_are_known_by_their_names(column, decision, follows):
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column=decision, amount=True))
    assert (follows_by_name(plan, column) is not None) is follows
