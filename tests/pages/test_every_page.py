"""Every page draws in every state: no data, data without roles, a sample, real data."""

from __future__ import annotations

import pytest
from places import ROOT, SAMPLES
from shown import shows
from sweeps import part_of

PAGES = tuple(sorted(path.stem.partition("_")[2] for path in (ROOT / "pages").glob("*.py")))
PLANS = tuple(sorted(path.stem for path in SAMPLES.glob("*.toml")))


@pytest.mark.parametrize("page", PAGES)
def test_page_without_data_opens_with_its_question_and_says_what_is_missing_and_where_to_go(app, page):
    app.go(page)
    assert app.title
    said = [*app.main.caption, *app.main.info]
    assert any(len(each.value) > 30 for each in said), "a page begins with what it answers, or with what it waits for"
    if page not in ("Data", "Check_a_report"):
        assert "no data yet" in app.text


@pytest.mark.parametrize("sample", part_of(PLANS, ("loans", "municipal_pay")))
def test_sample_draws_on_every_page(app, sample):
    app.sample(sample)
    for page in PAGES:
        app.go(page)
        app.assert_refuses_nothing()
        assert app.state.mismatch is None and not app.state.dropped


@pytest.mark.parametrize("sample", part_of(PLANS, ("hiring_tool",)))
def test_sample_opened_on_the_data_page_comes_with_its_audit(app, sample):
    app.go("Data").set("segmented_control", "data_way", "Open a sample")
    app.set("selectbox", "data_sample", sample).click("data_open_sample")
    assert app.state.decision is not None
    # One sample has no question of its own, only forms, which name the groups themselves.
    assert bool(app.state.check.protected) == (sample != "municipal_pay_forms")
    app.go("Check")
    app.assert_refuses_nothing()


def test_pages_with_data_but_no_choices_lead_on(app, decisions):
    app.upload("t.csv", decisions)
    for page in PAGES:
        app.go(page)
        app.assert_refuses_nothing()
        if page in {"Check", "Errors", "Report"}:
            assert shows(app.text, "page-needs-decision")


def test_page_without_a_protected_group_asks_for_one(app, decisions):
    app.upload("t.csv", decisions).decide("ok", "y").go("Check")
    assert shows(app.text, "page-needs-protected")
    assert shows(app.go("Report").text, "report-page-nothing")


def test_berkeley_says_first_that_it_is_not_so_within_departments(app):
    app.sample("berkeley_1973").go("Check")
    assert "but not within departments" in app.verdict


def test_adult_gives_the_numbers_known_by_hand(app, shared_data):
    app.upload("adult.csv.gz", shared_data("adult.csv.gz").read_bytes())
    app.button(key="data_weights_leave").click().run()
    app.decide("income", ">50K")
    app.go("Groups").set("text_input", "groups_where", "education_num > 10")
    app.protect("race <> 'White'").go("Check")
    assert "32%" in app.verdict and "44%" in app.verdict
    for page in PAGES:
        app.go(page)
        app.assert_refuses_nothing()


def test_choosing_the_same_sample_again_brings_its_audit_back(app):
    app.sample("loans").protect("sex = 'man'")
    app.sample("loans")
    assert app.state.check.protected == "sex = 'woman'"
