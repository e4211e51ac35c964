"""A study holds the rows that can be learned from, says what it left out, and refuses what cannot be judged."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from study_data import as_loans, biased_loans, loans_plan

from fairaudit.errors import ConditionError, GroupError, InputError, LimitError, MissingColumnError
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.study import divided
from fairaudit.study.cautions import group_warnings
from fairaudit.study.rows import Study, known_groups, part_rows

LOANS = biased_loans()


def study_of(frame=LOANS, *, kept: bool = False, **models) -> Study:
    return Study.of(as_loans(frame, kept=kept), loans_plan(**models))


def test_rows_without_a_decision_are_left_out_and_counted():
    made = study_of()
    undecided = int(LOANS["granted"].isna().sum())
    assert undecided > 0
    assert made.facts.n_undecided == undecided
    assert made.facts.n_rows == len(made.y) == len(made.X) == len(LOANS) - undecided
    assert made.y.sum() == (LOANS["granted"] == "yes").sum()


def test_the_parts_hold_every_row_once_in_the_promised_shares():
    made = study_of()
    parts = (made.split.train, made.split.tune, made.split.held_out)
    assert np.sort(np.concatenate(parts)).tolist() == list(range(made.facts.n_rows))
    assert [len(part) for part in parts] == [made.facts.n_train, made.facts.n_tune, made.facts.n_held_out]
    known = [part[made.known[part]] for part in parts]
    assert [len(part) / made.known.sum() for part in known] == pytest.approx([0.6, 0.2, 0.2], abs=0.01)
    for group in ("women", "the rest"):
        shares = [np.mean(made.groups[part] == group) for part in known]
        assert max(shares) - min(shares) < 0.01


def test_rows_of_unknown_sex_are_in_neither_group():
    made = study_of()
    rows = LOANS[LOANS["granted"].notna()].reset_index(drop=True)
    unknown = rows["sex"].isna().to_numpy()
    assert unknown.any()
    assert not made.protected[unknown].any()
    assert not made.population[unknown].any()
    assert made.population[~unknown].all()
    assert made.protected.tolist() == (rows["sex"] == "woman").tolist()
    assert made.group_names == ("women", "the rest", "missing")
    assert set(made.groups[unknown]) == {"missing"}
    decisions = made.facts.decisions
    held = made.split.held_out
    assert decisions.protected.n == made.protected[held].sum()
    assert decisions.protected.n + decisions.reference.n == made.population[held].sum()


def test_who_does_not_meet_the_filter_is_counted_apart_and_nobody_of_an_unknown_group_is_judged():
    rows = LOANS[LOANS["granted"].notna()].reset_index(drop=True)
    made = study_of(where="area = 'north'")
    for each in (made, made.divided_again(1)):
        held = rows.iloc[[*each.split.held_out, *each.split.others]]
        assert not held["sex"].isna().any() and each.facts.n_unknown == rows["sex"].isna().sum() > 0
        assert sorted([*each.split.learning, *held.index]) == list(range(len(rows)))
    n = len(made.split.held_out)
    for found in (made.facts.decisions, made.held_out.evaluate("nobody", np.zeros(n)).fairness):
        assert found.n_filtered_out == found.unknown == 0
        assert found.n_population == n == found.protected.n + found.reference.n
    outside = (rows["area"] != "north") & rows["sex"].notna()
    assert made.facts.n_filtered_out == outside.sum() > 0


@pytest.mark.parametrize("learn_from", ["everyone", "population"])
@pytest.mark.parametrize("number", [0, 1])
def test_only_people_of_the_filter_are_tuned_on_and_judged_and_a_setting_says_who_is_learned_from(learn_from, number):
    wide, narrow = study_of(), study_of(where="area = 'north'", learn_from=learn_from)
    narrow = narrow.divided_again(number) if number else narrow
    assert narrow.facts.n_rows == wide.facts.n_rows and narrow.facts.where_words == "area is north"
    north = (LOANS.loc[LOANS["granted"].notna(), "area"] == "north").to_numpy()
    split = narrow.split
    assert north[split.tune].all() and north[split.held_out].all() and not north[split.others].any()
    assert north[split.train].all() == (learn_from == "population")
    used = np.concatenate([split.learning, split.held_out, split.others])
    assert len(np.unique(used)) == len(used)
    assert set(np.flatnonzero(north)) <= set(used)
    assert len(used) == len(north) or learn_from == "population"
    known = [part[narrow.population[part]] for part in (split.train, split.tune, split.held_out)]
    assert [len(part) / narrow.population.sum() for part in known] == pytest.approx([0.6, 0.2, 0.2], abs=0.02)


def test_groups_are_those_of_the_people_of_the_filter():
    made = study_of(where="area = 'north'", by=("sex", "area"))
    assert made.group_names == made.facts.groups == ("man, north", "woman, north", "missing, north")
    assert known_groups(made) == ("man, north", "woman, north")
    for rows in part_rows(made).values():
        assert len(rows) and set(made.groups[rows]) == {"man, north", "woman, north"}


WITHDRAWN = LOANS.assign(granted=LOANS["granted"].mask(LOANS.index % 7 == 0, "withdrawn"))


@pytest.mark.parametrize("where", ["granted <> 'withdrawn'", "area <> 'west' AND (granted <> 'withdrawn')"])
def test_no_model_learns_from_decisions_that_the_filter_leaves_out_or_is_judged_on_them(where):
    made, every = study_of(WITHDRAWN, where=where), study_of(WITHDRAWN, kept=True)
    kept, west = WITHDRAWN["granted"].isin(["yes", "no"]), WITHDRAWN["area"] == "west"
    assert made.facts.n_rows == len(made.y) == kept.sum() and made.y.sum() == (WITHDRAWN["granted"] == "yes").sum()
    assert made.facts.n_undecided == (~kept).sum() and made.facts.outcome_where_words == "granted is not withdrawn"
    assert made.facts.n_filtered_out == (kept & west & WITHDRAWN["sex"].notna()).sum() * ("area" in where)
    assert not made.facts.not_known
    assert every.facts.n_rows == (WITHDRAWN["granted"].notna()).sum() and every.facts.outcome_where_words is None
    assert len(made.reading(as_loans(WITHDRAWN), ["number"]).sensitive) == made.facts.n_rows


def test_a_filter_that_names_the_decision_beside_another_column_is_about_rows_and_not_about_decisions():
    made = study_of(WITHDRAWN, where="granted <> 'withdrawn' OR area = 'north'", kept=True)
    assert made.facts.outcome_where_words is None and made.facts.n_rows == WITHDRAWN["granted"].notna().sum()


def test_groups_come_from_columns_and_are_crossed():
    made = study_of(by=("sex", "area"))
    assert made.facts.group_columns == ("sex", "area")
    assert made.group_names[0] == "man, north"
    assert "missing, west" in made.group_names
    assert len(made.group_names) == 9


def test_groups_that_read_alike_keep_apart():
    frame = LOANS.assign(
        a=np.where(LOANS["area"] == "north", "x, y", "x"), b=np.where(LOANS["area"] == "north", "z", "y, z")
    )
    made = study_of(frame, by=("a", "b"))
    assert len(made.group_names) == len(set(made.group_names)) == 2


def test_a_protected_group_called_the_rest_is_still_distinguished():
    assert study_of(protected_name="the rest").group_names == ("the rest (protected)", "the rest", "missing")


@pytest.mark.parametrize("n", [2, 7, 50])
def test_up_to_fifty_groups_are_kept(n):
    frame = LOANS.assign(team=[f"t{i % n:02d}" for i in range(len(LOANS))])
    made = study_of(frame, by=("team",))
    assert len(made.group_names) == n
    assert set(made.groups) == set(made.group_names)


def test_the_score_is_turned_so_that_higher_is_better():
    plan = loans_plan()
    up = Study.of(as_loans(LOANS), plan).score
    down = plan.model_copy(update={"score": plan.score.model_copy(update={"higher_is_favorable": False})})
    assert (Study.of(as_loans(LOANS), down).score == -up).all()
    assert Study.of(as_loans(LOANS), plan.model_copy(update={"score": None})).score is None


def test_the_same_plan_divides_the_same_way_and_another_seed_does_not():
    one, same = study_of(), study_of()
    assert (one.split.held_out == same.split.held_out).all()
    other = Study.of(as_loans(LOANS), loans_plan().model_copy(update={"seed": 2**40 + 5}))
    assert set(other.split.held_out) != set(one.split.held_out)


def test_features_that_reveal_the_group_or_the_answer_are_named():
    frame = LOANS.assign(paid_out=np.where(LOANS["granted"] == "yes", 1000, 0))
    facts = study_of(frame, features=("merit", "sex", "paid_out")).facts
    assert facts.protected_features == ("sex",)
    assert any("paid_out" in warning for warning in facts.warnings)
    assert not any("merit" in warning for warning in facts.warnings)


def test_held_out_rows_play_no_part_in_the_warnings():
    plain = study_of()
    frame = LOANS.assign(leak=0)
    decided = LOANS.index[LOANS["granted"].notna()]
    held = decided[plain.split.held_out]
    frame.loc[held, "leak"] = np.where(LOANS.loc[held, "granted"] == "yes", 1, 2)
    assert study_of(frame, features=("merit", "leak")).facts.warnings == plain.facts.warnings


ONE_CLASS = LOANS.assign(granted=LOANS["granted"].where(LOANS["granted"].isna(), "yes"))


@pytest.mark.parametrize(
    ("frame", "models", "error", "message"),
    [
        (LOANS, {"features": ("merit", "wieght")}, MissingColumnError, "Did you mean 'weight'"),
        (LOANS, {"features": ("merit", "granted")}, InputError, "must not hold the decision column, got 'granted'"),
        (LOANS, {"features": ("merit", "merit")}, InputError, "'features' must not name a column twice"),
        (LOANS, {"by": ("team",)}, MissingColumnError, "There is no column 'team'"),
        (LOANS, {"protected": " "}, InputError, "'protected' of the models is empty"),
        (LOANS, {"protected": "gender = 'F'"}, ConditionError, "gender"),
        (LOANS, {"protected": "sex = 'girl'"}, GroupError, "No row of the protected group 'women' is among the"),
        (
            LOANS,
            {"protected": "merit IS NULL OR merit IS NOT NULL"},
            GroupError,
            "No row of everyone else is",
        ),
        (LOANS, {"where": "sex = 'man'"}, GroupError, "No row of the protected group 'women' is among the"),
        (ONE_CLASS, {}, GroupError, "'granted' has one outcome only: all 1,188 decisions are good"),
        (LOANS[:19], {}, GroupError, "at least 20 rows with a decision, and there are 18"),
        (LOANS, {"by": ("number",)}, InputError, "at most 1,000 can be compared"),
    ],
)
def test_what_cannot_be_studied_is_refused_in_words(frame, models, error, message):
    with pytest.raises(error) as caught:
        study_of(frame, **models)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("frame", "models"), [(ONE_CLASS, {}), (LOANS[:19], {}), (LOANS, {"protected": "sex = 'girl'"})]
)
def test_messages_hold_no_count_where_small_ones_are_hidden(frame, models):
    plan = loans_plan(**models).model_copy(update={"small_cells": SmallCellsPlan(mask=True)})
    with pytest.raises(GroupError) as caught:
        Study.of(as_loans(frame), plan)
    assert not any(c.isdigit() for c in str(caught.value).replace("at least 20 rows", ""))


def test_a_plan_without_models_is_refused():
    with pytest.raises(InputError, match="no part 'models'"):
        Study.of(as_loans(LOANS), loans_plan().model_copy(update={"models": None}))


def test_too_many_rows_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(divided, "MAX_ROWS", 1000)
    table = as_loans(LOANS)
    monkeypatch.setattr(table, "to_pandas", None)
    with pytest.raises(LimitError, match="at most 1,000 rows, and the table has 1,200"):
        Study.of(table, loans_plan())


def test_a_score_of_words_is_refused():
    frame = LOANS.assign(rating="high")
    with pytest.raises(InputError, match="'rating' must hold numbers"):
        study_of(frame)


def test_twenty_rows_are_enough():
    frame = pd.DataFrame({"sex": list("FM") * 10, "merit": range(20), "rating": range(20)})
    frame["granted"] = np.where(frame["merit"] % 4 < 2, "yes", "no")
    made = Study.of(as_loans(frame), loans_plan(features=("merit",), protected="sex = 'F'"))
    assert made.facts.n_rows == 20


def test_an_outcome_may_be_a_condition():
    plan = loans_plan(features=("merit", "area"))
    plan = plan.model_copy(
        update={"decision": OutcomePlan(column="weight", favorable_when="weight >= 70"), "score": None}
    )
    made = Study.of(as_loans(LOANS), plan)
    assert made.y.sum() == (LOANS["weight"] >= 70).sum()
    assert made.facts.positive_meaning == "weight is at least 70"


def test_no_group_is_named_as_small_that_nobody_is_judged_in():
    assert not any("missing" in text for text in group_warnings(study_of()))
