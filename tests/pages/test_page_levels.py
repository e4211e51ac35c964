"""Levels of a decision are named on Data, and Check says who gets which."""

from __future__ import annotations

from shown import shows

from ui.data.levels import ORDERED, UNORDERED, YES_OR_NO


def radio(app):
    """Return the choice on Data of what is compared."""
    return next(each for each in app.radio if each.key.startswith("data_levels"))


def test_check_says_who_is_placed_better_and_shows_all_levels_under_more(app):
    app.hold_sample("appraisals").go("Check")
    assert not app.exception
    assert shows(app.text, "levels-lead-pairs", protected="part-time staff", n=41, others="full-time staff")
    assert shows(app.text, "levels-yes-no", verb="got grade A or B")


def test_levels_are_taken_back_and_named_again_on_data(app):
    app.hold_sample("appraisals").go("Data")
    assert radio(app).value == ORDERED
    radio(app).set_value(YES_OR_NO).run()
    assert not app.exception and app.state.decision.levels == () and not app.state.decision.ordered
    radio(app).set_value(UNORDERED).run()
    assert not app.exception and set(app.state.decision.levels) == set("ABCDE") and not app.state.decision.ordered
    app.go("Check")
    assert not app.exception and app.state.decision.levels


def test_remedies_say_in_one_sentence_that_they_ask_for_yes_or_no(app):
    app.hold_sample("appraisals").go("Remedies")
    assert not app.exception and shows(app.text, "levels-yes-no", verb="got grade A or B")
