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
READ_AS_MISSING, OUTSIDE = say(Message("learning-counts-group")), "cases outside the filter"


def test_rows_that_the_filter_leaves_out_and_models_learn_from_are_shown(asked):
    learning(asked, where=LEFT_OUT)
    assert f"12 {OUTSIDE}" in asked.text
    assert "'pending'" not in asked.warnings and len(asked.state.study[1].y) == 240 - 10 - 6
    assert "12 rows have 'Decline to state' in column 'race'" in asked.warnings
    assert asked.warnings.count(READ_AS_MISSING) == 1


def test_nothing_is_said_of_a_filter_that_leaves_nobody_out(asked):
    learning(asked)
    assert OUTSIDE not in asked.text and "10 rows have 'pending'" in asked.warnings
    counted = {"good": Word("no"), "leave_out": Phrase("(hired <> 'pending' OR hired IS NULL)")}
    assert say(Message("learning-counts-decision", counted)) in asked.warnings and READ_AS_MISSING in asked.warnings
    learning(asked, where="years >= 0")
    assert OUTSIDE not in asked.text


def test_where_columns_make_the_groups_only_those_looked_at_are_counted(asked):
    learning(asked, where="race <> 'Decline to state'", by=("sex",))
    assert f"12 {OUTSIDE}" in asked.text and "Decline to state' in column" not in asked.warnings
    learning(asked, by=("sex",))
    assert READ_AS_MISSING in asked.warnings


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
    assert "missing" in asked.state.study[1].facts.groups


def test_amounts_show_both_too(asked):
    asked.state.decision = OutcomePlan(column="pay", amount=True)
    learning(asked, where="race <> 'Decline to state'", page="Trees")
    assert f"12 {OUTSIDE}" in asked.text
    assert "12 rows have 'Decline to state' in column 'race'" in asked.warnings and READ_AS_MISSING in asked.warnings


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
