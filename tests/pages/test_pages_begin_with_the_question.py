"""Pages of remedies that can say it begin with what the audit asks: shares of good outcomes within its tolerance."""

from __future__ import annotations

import pytest
from remedy_pages import bring_loans
from study_data import biased_loans

from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.trees.plan import TreesPlan
from ui.remedies import drafts
from ui.remedies.constrain.form import draft_of


@pytest.fixture
def app(app):
    return bring_loans(app, biased_loans(200), tolerance=0.03)


@pytest.mark.parametrize(
    ("page", "usual", "asked"),
    [
        ("Rules", RulesPlan(), {"fairness": "statistical_parity", "max_difference": 0.03}),
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
    assert (draft.specs, draft.metric, draft.points) == ((), "sp", 3.0)
