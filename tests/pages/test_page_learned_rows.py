"""Remedy pages show which rows models learn from that the filter leaves out, and who is unknown among them."""

from __future__ import annotations

import pytest

from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan


@pytest.fixture
def asked(app, some_unknown):
    app.upload("people.csv", some_unknown)
    app.state.decision = OutcomePlan(column="hired", favorable=("yes",))
    return app


def learning(app, *, where: str | None = None, by: tuple[str, ...] = (), page: str = "Retrain"):
    """The remedy page of models that learn from the years, with Black people protected."""
    app.state.change_check(protected="race = 'Black'", where=where)
    app.state.models = ModelsPlan(features=("years", "sex"), protected="race = 'Black'", where=where, by=by)
    return app.go(page)


LEFT_OUT = "race <> 'Decline to state' AND (hired <> 'pending' OR hired IS NULL)"


@pytest.mark.parametrize(
    ("page", "decision"),
    [
        ("Retrain", OutcomePlan(column="hired", favorable=("yes",))),
        ("Trees", OutcomePlan(column="pay", amount=True)),
    ],
)
def test_nothing_is_learned_before_it_is_said_what_values_outside_the_filter_mean(asked, page, decision):
    asked.state.decision = decision
    learning(asked, where=LEFT_OUT, page=page)
    assert say(Message("page-open-values", {"n": Count(1)})) in asked.text


def test_cases_that_ended_undecided_are_learned_from_unless_the_filter_leaves_them_out(app, csv):
    hired = ["yes", "no", "no", "yes"] * 60
    hired[100:110] = ["withdrawn"] * 10
    app.upload("people.csv", csv(race=["Black", "White", "White"] * 80, hired=hired, sex=["F", "M"] * 120,
                                 years=[*range(240)]))  # fmt: skip
    app.state.decision = OutcomePlan(column="hired", favorable=("yes",))
    learning(app, where="hired <> 'withdrawn'")
    said = Message("learning-undecided", {"n": Count(10), "what": Phrase("a decision")})
    assert say(said) in app.text and "'withdrawn'" not in app.warnings
    learning(app, where="years >= 0")
    assert say(Message("page-open-values", {"n": Count(1)})) in app.text
    app.go("Data").click("data_open_real_values")
    learning(app, where="years >= 0")
    assert say(said) not in app.text and "10 rows have 'withdrawn'" in app.warnings


def test_values_read_as_missing_are_no_longer_counted(asked):
    learning(asked, where=LEFT_OUT)
    asked.go("Data")
    field = asked.multiselect(key=f"data_missing_{asked.state.data_key}")
    field.set_value(["pending", "Decline to state"])
    next(button for button in asked.button if button.label.startswith("Read it again")).click()
    asked.run()
    assert asked.state.reading.missing == ("pending", "Decline to state")
    asked.go("Retrain")
    said = Message("learning-undecided", {"n": Count(16), "what": Phrase("a decision")})
    assert say(said) in asked.text
    assert "'pending'" not in asked.warnings and "Decline to state" not in asked.warnings
    assert asked.state.study[1].facts.n_unknown


def test_two_races_are_compared_without_cutting_the_file(app):
    app.sample("recidivism")
    state, where = app.state, "race IN ('African-American', 'Caucasian')"
    state.change_check(protected="race = 'African-American'", where=where)
    features = ("age", "prior_offences", "juvenile_offences", "charge_degree")
    state.models = ModelsPlan(features=features, protected="race = 'African-American'", where=where, by=("race",))
    app.go("Thresholds")
    study = state.study[1]
    assert study.facts.groups == ("African-American", "Caucasian")
    assert not study.in_filter[study.split.train].all()
    app.set("radio", "models_learn_from", "population").click("models_take").assert_refuses_nothing()
    alone = state.study[1]
    assert state.models.learn_from == "population" and alone.in_filter[alone.split.learning].all()
    said = Message("learning-filter-alone", {"where": Phrase(alone.facts.where_words)})
    assert say(said) in app.text
    saved = app.go("Retrain").text
    assert say(Message("retrain-learns", {"who": Word("population")})) in saved


def test_a_remedy_that_learns_from_known_groups_alone_says_from_how_many(app, csv):
    race = ["Black", "White", "White", ""] * 60
    app.upload("people.csv", csv(race=race, hired=["yes", "no", "no", "yes", "no"] * 48, years=[*range(240)]))
    app.state.decision = OutcomePlan(column="hired", favorable=("yes",))
    app.state.change_check(protected="race = 'Black'")
    app.state.models = ModelsPlan(features=("years",), protected="race = 'Black'")
    for page in ("Trees", "Rules", "Equalize"):
        app.go(page)
        train = app.state.study[1].split.train
        known = {"n": Count(sum(race[row] != "" for row in train)), "all": Count(len(train))}
        assert say(Message("learn-known", known)) in app.text
        assert say(Message("learning-unknown", {"who": Word("none"), "n": Count(60)})) in app.text
    assert say(Message("learn-known", known)) not in app.go("Retrain").text
    assert say(Message("learning-unknown", {"who": Word("learn"), "n": Count(60)})) in app.text
