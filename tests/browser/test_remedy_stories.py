"""Remedies as people meet them: asked for in two ways, fitted while they look elsewhere, compared, and reported."""

from __future__ import annotations

import re
import tomllib

from auditor import FIT_S, Auditor, text_of_pdf
from playwright.sync_api import Locator, expect
from test_stories import adult_audit

from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.messages import say


def card(auditor: Auditor, name: str) -> Locator:
    """What a page offers to do with one model."""
    cards = auditor.main.locator("[class*=st-key-compare_card_]")
    return cards.filter(has=auditor.page.get_by_text(re.compile(rf"^(\d+\. )?{re.escape(name)}$")))


def figure(auditor: Auditor, label: str) -> Locator:
    """A figure on the tuning rows."""
    metric = auditor.main.get_by_test_id("stMetric").filter(has=auditor.page.get_by_text(label, exact=True))
    return metric.filter(visible=True).get_by_test_id("stMetricValue").first


def begin_long_fit(auditor: Auditor) -> None:
    """Begin a fit that goes on until it is stopped."""
    auditor.go("Equalize")
    auditor.tick("More settings")
    auditor.turn("In small steps, as first published (momentum)")
    auditor.type("Steps, at most", "100000")
    auditor.press("Make this score")
    expect(auditor.fitting).to_be_visible()


def stop(auditor: Auditor) -> None:
    """Stop the fit that is under way and wait for its end."""
    auditor.main.get_by_role("button", name="Stop", exact=True).click()
    expect(auditor.sidebar.get_by_text("Making a score: stopped.")).to_be_visible()
    auditor.settle()


def train_under_two_constraints(auditor: Auditor) -> str:
    """Say constraints by choosing and by writing, train in sight, and return the answer."""
    auditor.go("Constraints")
    # The form begins with what the audit asks: the share predicted positive, alike within five points.
    auditor.turn("Values of columns")
    auditor.choose("Columns", "sex", within=auditor.main.locator(".st-key-constraints_form"))
    auditor.press("Add this limit")
    auditor.turn("As text")
    box = auditor.main.get_by_label("Limits, one a line", exact=True)
    expect(box).to_have_value(re.compile(r"\nsp by sex <= 0\.05$"))
    box.fill("demographic_parity by sex <= 0.05\nfnr bi sex <= 20%")
    box.press("Control+Enter")
    expect(auditor.main.get_by_role("alert").filter(has_text="Expected 'by'")).to_be_visible()
    box.fill("demographic_parity by sex <= 0.05\nfnr by sex <= 20%")
    box.press("Control+Enter")
    expect(box).to_have_value("demographic_parity by sex <= 0.05\nfnr by sex <= 0.2")
    auditor.settle()
    auditor.press("Train to these limits")
    # A quick machine may have ended the search before it is looked at.
    live = auditor.main.get_by_text("Best so far", exact=True)
    expect(live.or_(auditor.answer).first).to_be_visible(timeout=FIT_S * 1000)
    auditor.expect_answer()
    auditor.tab("All limits")
    auditor.expect_text(say(Message("constrain-chart-gaps")))
    return auditor.answer_in_full()


def test_adult_is_retrained_cut_and_constrained_compared_and_reported(auditor, shared_data, tmp_path):
    adult_audit(auditor, shared_data("adult.csv.gz"))
    auditor.go("Retrain")
    auditor.choose_features("race")
    auditor.follow(auditor.main.get_by_role("link", name="Go to Data"))
    marked = ("columns", "workclass, occupation, and native_country", "?")
    for of, column, value in (marked, ("column", "capital_gain", "99999")):
        args = {"values": Phrase(f"'{value}'"), "of": Word(of), "column": Phrase(column)}
        auditor.expect_text(say(Message("data-open", args | {"meaning": Word("value")})))
        auditor.press(say(Message("data-open-answer", {"answer": Word("not_known"), "meaning": Word("missing")})))
    auditor.go("Retrain")
    auditor.expect_text("is tested on")
    learning = auditor.unfold("What models learn from")
    seen = say(Message("learn-shows-group", {"columns": Phrase("race")}))
    expect(learning.get_by_role("alert").filter(has_text=seen)).to_have_count(1)
    expect(auditor.main.get_by_label("Change as few past decisions as possible")).to_be_checked()
    auditor.choose_quick_models()
    auditor.press("Retrain")
    answer = auditor.answer_in_full()

    auditor.go("Thresholds")
    auditor.press("Train and find thresholds")
    thresholds = auditor.answer_in_full()
    constrained = train_under_two_constraints(auditor)
    auditor.go("Compare")
    table = auditor.compared()
    for name in (
        "Retrain on changed decisions",
        "Model without the remedy, logistic regression",
        say(Message("remedy-name-thresholds")),
        "Train to your limits",
    ):
        # A plain model stands there once more with another threshold.
        rows = table.get_by_role("row").filter(has_text=name).filter(has_not_text="with another threshold")
        expect(rows).to_have_count(1)

    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    for shown in (answer, thresholds):
        assert shown in text, shown
    assert constrained in text and "hare of positive predictions by sex" in text
    plan = tomllib.loads(auditor.download("Saved audit (TOML)").decode())
    assert "race" in plan["models"]["features"] and plan["models"]["where"] == "education_num > 10"
    assert [remedy["method"] for remedy in plan["remedies"]] == ["relabel", "thresholds", "constrain"]
    assert plan["remedies"][2]["constraints"] == ["demographic_parity by sex <= 0.05", "fnr by sex <= 0.2"]


def test_thresholds_answer_at_once_and_show_nothing_held_out_before_the_judgement(auditor):
    auditor.open_sample("recidivism")
    auditor.go("Thresholds")
    auditor.learn()
    auditor.choose("Score", "The score in the data")
    auditor.unfold(say(Message("thresholds-by-hand")))
    auditor.expect_text(say(Message("thresholds-best")))
    best = {label: figure(auditor, label).inner_text() for label in ("Accuracy", "Gap, wrongly flagged")}
    slider = auditor.main.get_by_role("slider").last
    place = slider.input_value()
    for _ in range(3):
        slider.press("PageUp")
    auditor.expect_text("short of the best")
    for label, value in best.items():
        expect(figure(auditor, label)).not_to_have_text(value)
    expect(auditor.answer).to_have_count(0)
    # What is tried is a part of the page that is computed by itself: the page does not say that it has ended.
    auditor.main.get_by_role("button", name="Best thresholds", exact=True).click()
    auditor.expect_text(say(Message("thresholds-best")))
    expect(slider).to_have_value(place)
    for label, value in best.items():
        expect(figure(auditor, label)).to_have_text(value)
    expect(auditor.answer).to_have_count(0)
    auditor.press("Test these thresholds")
    auditor.answer_in_full()
    auditor.expect_text("1,400 test cases")


def test_remedies_are_stopped_kept_saved_and_opened_again(auditor):
    auditor.open_sample("berkeley_1973")
    auditor.go("Retrain")
    auditor.learn()
    begin_long_fit(auditor)
    auditor.go("Check")
    # Up to 15 % two models for accuracy only are fitted; before its own first step there would be nothing to show.
    expect(auditor.fitting).to_have_text(re.compile(r"Making a score … (1[6-9]|[2-9]\d)%"), timeout=FIT_S * 1000)
    auditor.go("Equalize")
    expect(auditor.answer).to_have_count(0)
    stop(auditor)
    so_far = auditor.expect_answer()
    auditor.expect_text("Stopped before its end")

    auditor.go("Retrain")
    auditor.choose_quick_models()
    auditor.press("Retrain")
    auditor.go("Groups")
    expect(auditor.sidebar.get_by_text("Retraining: finished.")).to_be_visible()
    auditor.go("Retrain")
    retrained = auditor.expect_answer()
    auditor.go("Equalize")
    assert auditor.expect_answer() == so_far

    auditor.go("Compare")
    auditor.more()
    equalized = card(auditor, f"{say(Message('remedy-name-equalize'))} (weight of accuracy 0.5)")
    expect(equalized.get_by_role("checkbox")).to_be_checked()
    plan = auditor.save_audit()
    assert [remedy["method"] for remedy in tomllib.loads(plan.decode())["remedies"]] == ["equalize", "relabel"]
    auditor.tick("In the report", within=equalized)
    expect(equalized.get_by_role("checkbox")).not_to_be_checked()
    plan = auditor.save_audit()
    (kept,) = tomllib.loads(plan.decode())["remedies"]
    assert kept["method"] == "relabel"

    # Whoever only came back would find their fits again.
    auditor.forget()
    auditor.come("")
    auditor.open_plan(plan)
    auditor.go("Compare")
    make = say(Message("compare-make", {"n": Count(1)}))
    auditor.press(make)
    # Whoever leaves before the press is taken up has pressed nothing.
    expect(auditor.main.get_by_role("button", name=make)).to_have_count(0)
    auditor.go("Retrain")
    assert auditor.expect_answer() == retrained


def test_two_people_fit_at_once_and_their_pages_answer(new_auditor):
    people = [new_auditor(), new_auditor()]
    for person in people:
        person.open_sample("berkeley_1973")
        person.go("Retrain")
        person.learn()
    for person in people:
        begin_long_fit(person)
    for person in people:
        person.go("Check")
        expect(person.fitting).to_be_visible()
    shown = [person.fitting.inner_text() for person in people]
    for person, before in zip(people, shown, strict=True):
        expect(person.fitting).not_to_have_text(before)
    for person in people:
        person.go("Equalize")
        stop(person)
