"""Pages of remedies that can say it begin with what the audit asks: shares of good outcomes within its tolerance."""

from __future__ import annotations

import pytest
from remedy_pages import bring_loans
from study_data import biased_loans

from fairaudit.findings import Message, Word
from fairaudit.messages import called, say
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.trees.plan import TreesPlan
from ui.remedies import drafts
from ui.remedies.constrain.form import draft_of
from ui.text import first_named, literal


@pytest.fixture
def app(app):
    return bring_loans(app, biased_loans(200), tolerance=0.03)


@pytest.mark.parametrize(
    ("page", "usual", "asked"),
    [
        ("Rules", RulesPlan(), {"fairness": "demographic_parity", "max_difference": 0.03}),
        ("Trees", TreesPlan(), {"constraint": "demographic_parity", "max_difference": 0.03}),
    ],
)
def test_a_page_begins_with_the_question(app, page, usual, asked):
    app.go(page).assert_refuses_nothing()
    draft = drafts.draft_of(app.state, usual)
    assert {name: getattr(draft, name) for name in asked} == asked
    assert draft == usual.model_copy(update=asked)


def test_the_form_of_constraints_begins_with_the_question(app):
    app.go("Constraints").assert_refuses_nothing()
    draft = draft_of(app.state)
    [first] = draft.specs
    assert (first.metric, first.max_difference) == ("demographic_parity", 0.03) and (draft.metric, draft.points) == (
        "demographic_parity",
        3.0,
    )


@pytest.mark.parametrize(
    ("page", "key"),
    [
        ("Retrain", "retrain"),
        ("Thresholds", "thresholds"),
        ("Equalize", "equalize"),
        ("Constraints", "constrain"),
        ("Rules", "rules"),
        ("Trees", "trees"),
    ],
)
def test_a_remedy_says_what_it_answers_and_when_not_to_use_it(app, page, key):
    said = say([Message(f"{key}-question"), Message(f"{key}-not-for")])
    assert literal(said) in [caption.value for caption in app.go(page).caption]


@pytest.mark.parametrize(("page", "key"), [("Rules", "rules"), ("Trees", "trees")])
def test_where_no_gap_is_allowed_it_is_said_what_that_often_leaves(app, page, key):
    said = say(Message("limits-none-allowed"))
    assert said not in app.go(page).text
    assert said in app.set("number_input", f"{key}_max_difference", 0.0).text


@pytest.mark.parametrize("page", ["Rules", "Trees"])
def test_of_many_groups_that_are_compared_the_first_are_named_and_others_counted(app, page):
    frame = biased_loans(400)
    bring_loans(app, frame.assign(region=[f"region {row % 8}" for row in range(len(frame))]), by=("region",))
    app.go(page)
    groups = first_named([called(f"region {number}") for number in range(8)], between="; ", most=6)
    assert groups["n"].value == 2 and say(Message("limits-groups", groups)) in app.text


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize(("page", "key"), [("Rules", "rules_fairness"), ("Trees", "trees_constraint")])
def test_what_can_be_alike_is_called_by_what_the_audit_calls_positive(app, page, key, positive):
    app.state.models = app.state.models.model_copy(update={"positive": positive})
    shown = app.go(page).selectbox(key=key).options
    rates = [
        Message("limits-alike-rate", {"rate": Word(rate), "positive": Word(positive)}) for rate in ("missed", "both")
    ]
    assert {say(Message("name-label", {"label": rate})) for rate in rates} <= set(shown)
