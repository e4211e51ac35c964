"""Searches and what they found, as people meet them: from a table of stops to the thresholds in the report."""

from __future__ import annotations

import json
import tomllib

from auditor import FIT_S, text_of_pdf
from places import SAMPLES
from playwright.sync_api import expect

from fairaudit.findings import Message
from fairaudit.messages import say

STOPS = SAMPLES / "stop_and_frisk.csv"


def test_stops_are_brought_and_the_thresholds_of_searches_inferred_and_reported(
    auditor, assert_accessible, look, tmp_path
):
    auditor.go("Data")
    auditor.upload(STOPS, name="stop_and_frisk")
    auditor.choose("Decision column", "bag_searched")
    auditor.choose("Good for the person", "N")
    auditor.go("Searches and inspections")
    for label, column in (("Was looked at", "bag_searched"), ("Was found", "contraband_found")):
        auditor.choose(label, column)
        auditor.choose(f"{label}, if it is", "Y")
    auditor.choose("Groups by", "race")
    auditor.unfold(say(Message("searches-more")))
    auditor.tab(say(Message("searches-more-settings")))
    auditor.choose("Compared with", "White")
    auditor.tab(say(Message("searches-more-model")))
    auditor.choose("Places", "district")
    auditor.choose("Model", "discriminant (2018)")
    auditor.press(say(Message("searches-infer")))
    # This form does not settle on these data, so that finds alone are compared.
    alone = auditor.main.get_by_text(say(Message("searches-caution-rough")))
    expect(alone.first).to_be_visible(timeout=FIT_S * 1000)
    auditor.settle()
    said = " ".join(auditor.main.get_by_role("heading", level=1).inner_text().split())
    assert_accessible(auditor.page)
    look(auditor)

    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    for claim in (said, say(Message("searches-model-rough")), "Thresholds over all places"):
        assert claim in text, claim
    [answer] = json.loads(auditor.download("JSON"))["inspections"]
    by_group = {row["group"]: row["threshold"] for row in answer["thresholds"]["aggregate"]}
    assert {"White", "Black"} <= set(by_group) and all(0 < threshold < 1 for threshold in by_group.values())
    [asked] = tomllib.loads(auditor.download("Saved audit (TOML)").decode())["inspections"]
    assert asked["location"] == ["district"] and asked["signal"] == "discriminant" and asked["reference"] == ["White"]
