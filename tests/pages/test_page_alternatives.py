"""The page Alternatives: what is in use, the search in the background, its answer and the report."""

from __future__ import annotations

import time

import pytest
from conftest import plain

from fairaudit.messages import say
from fairaudit.plan.fields import form_of
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.sections.alternatives.plan import AlternativesPlan
from fairaudit.sections.alternatives.saying import say_alternatives

pytestmark = pytest.mark.thorough


def search(app):
    """Press the button and wait for the end."""
    app.click("alternatives_search")
    for _ in range(1200):
        if not app.state.jobs.active:
            return app.run()
        time.sleep(0.1)
    raise AssertionError("the search has not ended")


def test_the_page_asks_for_groups_first(app):
    app.go("Alternatives")
    assert "no data yet" in app.text


def test_a_search_draws_its_answer_is_kept_and_goes_out_of_date_with_what_models_learn_from(app):
    app.hold_sample("loans").go("Alternatives")
    assert app.slider(key="alternatives_loss").value == 2
    search(app).assert_refuses_nothing()
    [found] = app.state.searched.values()
    assert plain(app.test.main.title[0].value) == say(say_alternatives(found).headline)
    assert app.state.alternatives == [found.plan] == list(app.state.plan().alternatives)
    assert len(app.table[0].value) == 1 + len(found.alternatives)
    # Back from another page, the answer stands there still.
    app.go("Check").go("Alternatives")
    assert plain(app.test.main.title[0].value) == say(say_alternatives(found).headline)
    app.set("slider", "alternatives_loss", 5.0)
    assert app.button(key="alternatives_search")
    assert app.state.alternatives_draft.loss == 0.05


def test_a_saved_audit_brings_its_question(app):
    app.hold_sample("loans")
    saved = app.state.plan()
    asked = AlternativesPlan(
        in_use="model", model="random_forest", measure="approvals", among_similar=True, loss=0.01, by_group=True
    )
    app.state.open_plan(saved.model_copy(update={"alternatives": (asked,)}))
    app.go("Alternatives")
    assert app.state.alternatives_draft == asked
    assert app.selectbox(key="alternatives_model").value == "random_forest"
    assert app.checkbox(key="alternatives_by_group").value
    assert app.selectbox(key="alternatives_measure").value == "approvals"
    assert app.checkbox(key="alternatives_among_similar").value


def test_only_what_the_data_allow_is_offered(app):
    app.hold_sample("loans")
    saved = app.state.plan()
    alone = saved.checks[0].model_copy(update={"strata": (), "strata_cuts": {}})
    said = OutcomePlan(column="approved", favorable=("yes",))
    app.state.open_plan(saved.model_copy(update={"checks": (alone,), "prediction": said}))
    app.go("Alternatives")
    assert not any(each.key == "alternatives_among_similar" for each in app.test.checkbox)
    app.set("selectbox", "alternatives_measure", "approvals")
    labels = {choice.value: choice.label for choice in form_of(AlternativesPlan, "measure").choices}
    assert labels["auc"] not in app.selectbox(key="alternatives_measure").options
    assert app.state.alternatives_draft.measure == "approvals"
