"""The page Rankings: the order is asked first, its answer is kept for the report, and bad input is a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import plain
from shown import shows

from fairaudit.messages import say
from fairaudit.sections.rankings.answering import run_rankings
from fairaudit.sections.rankings.saying import say_rankings


@pytest.fixture
def lists(app, csv):
    rng = np.random.default_rng(0)
    rows = [(day, sex, place + 1) for day in range(30) for place, sex in enumerate(rng.permutation(list("fffmmmmm")))]
    days, sexes, places = zip(*rows, strict=True)
    content = csv(
        day=days,
        week=[day // 10 for day in days],
        sex=sexes,
        place=places,
        invited=["yes" if place < 3 else "no" for place in places],
    )
    app.hold("lists.csv", content).decide("invited", "yes")
    app.state.change_check(protected="sex = 'f'", protected_name="women", others_name="men")
    return app.go("Rankings")


def key_of(app, kind: str, start: str) -> str:
    """Return the key of the widget that begins so."""
    return next(widget.key for widget in getattr(app.test, kind) if widget.key.startswith(start))


def ordered(app):
    app.set("selectbox", key_of(app, "selectbox", "rankings_rank"), "place")
    return app


def test_the_order_is_asked_and_then_the_answer_stands_first(lists):
    assert shows(lists.text, "rankings-ask") and not lists.state.rankings
    ordered(lists)
    assert "Ranks repeat" in lists.text, "without lists it is asked for them"
    lists.set("multiselect", key_of(lists, "multiselect", "rankings_lists"), ["day"])
    lists.set("number_input", key_of(lists, "number_input", "rankings_first"), 3)
    lists.assert_refuses_nothing()
    [asked] = lists.state.rankings
    assert (asked.rank, asked.lists, asked.first) == ("place", ("day",), 3)
    found = run_rankings(lists.state.present_table, lists.state.present_plan(fingerprint=False), asked)
    assert plain(lists.test.main.title[0].value) == say(say_rankings(found).headline)
    assert list(lists.state.plan().rankings) == [asked]
    lists.go("Report").assert_refuses_nothing()
    assert "Rankings" in lists.checkbox(key="report_rankings").label
    # Back from another page, the answer stands there still.
    lists.go("Rankings")
    assert plain(lists.test.main.title[0].value) == say(say_rankings(found).headline)


def test_kinds_are_asked_for_where_there_are_lists(lists):
    ordered(lists)
    assert not [w.key for w in lists.test.multiselect if w.key.startswith("rankings_strata")]
    lists.set("multiselect", key_of(lists, "multiselect", "rankings_lists"), ["day"])
    lists.set("number_input", key_of(lists, "number_input", "rankings_first"), 3)
    lists.set("multiselect", key_of(lists, "multiselect", "rankings_strata"), ["week"])
    lists.assert_refuses_nothing()
    [asked] = lists.state.rankings
    assert asked.strata == ("week",)
    lists.set("multiselect", key_of(lists, "multiselect", "rankings_strata"), ["invited"])
    assert "several values" in lists.text


def test_as_many_as_all_is_said(lists):
    ordered(lists)
    lists.set("multiselect", key_of(lists, "multiselect", "rankings_lists"), ["day"])
    assert "longest list has 8 cases" in lists.text


def test_a_saved_audit_of_rankings_alone_keeps_its_question(lists):
    ordered(lists)
    lists.set("multiselect", key_of(lists, "multiselect", "rankings_lists"), ["day"])
    lists.set("number_input", key_of(lists, "number_input", "rankings_first"), 3)
    lists.state.decision = None
    saved = lists.state.plan()
    assert saved is not None and not saved.names_decision and len(saved.rankings) == 1
    lists.state.open_plan(saved)
    assert lists.state.plan().rankings == saved.rankings
