"""Trees as people meet them: searched for in sight, stopped, looked at node by node, tried on a person, reported."""

from __future__ import annotations

import re
import tomllib

from auditor import FIT_S, rows_of, text_of_pdf
from playwright.sync_api import expect

from fairaudit.findings import Count, Message, Word
from fairaudit.messages import say

ONE_COLUMN_S = 6
"""Enough for two questions, and not for a search that somebody stops."""
AMOUNT_S = 20
"""Enough for two questions about amounts; trees of other settings have a tenth of it each."""


def ask(auditor, questions: int, seconds: int) -> None:
    """Ask for a tree of so many questions."""
    slider = auditor.main.get_by_role("slider")
    while (now := int(slider.input_value())) != questions:
        step = 1 if now < questions else -1
        slider.press("ArrowRight" if step > 0 else "ArrowLeft")
        expect(slider).to_have_value(str(now + step))
        auditor.settle()
    auditor.unfold("How it searches")
    auditor.type("Seconds of search", str(seconds))


def node_box(auditor):
    """The list of nodes."""
    return auditor.main.get_by_role("combobox", name="Look at a node", exact=True)


def click_leaf(auditor, up: bool) -> None:
    """Click the first or the last leaf of the drawing: the boxes at the right end, half a line from an edge."""
    drawing = auditor.main.locator(".st-key-trees_drawing").get_by_test_id("stVegaLiteChart")
    # The drawing of the node before goes when all of the new one has come.
    auditor.settle()
    expect(drawing).to_have_count(1)
    size = drawing.bounding_box()
    drawing.click(position={"x": size["width"] - 60, "y": 34 if up else size["height"] - 34})


def test_tree_is_searched_for_stopped_looked_at_and_reported(auditor, tmp_path):
    auditor.open_sample("recidivism")
    auditor.go("Trees")
    auditor.learn()
    ask(auditor, 3, 90)
    auditor.press("Find a tree")
    expect(auditor.main.get_by_text("Least possible", exact=True)).to_be_visible(timeout=FIT_S * 1000)
    auditor.main.get_by_role("button", name="Stop", exact=True).click()
    auditor.expect_answer()
    auditor.expect_text(say(Message("remedy-caution-stopped")))
    # The report would search to the end.
    ticked = auditor.main.locator("[class*=st-key-remedies_in_report_trees]").get_by_role("checkbox")
    ticked.press("Space")
    expect(ticked).not_to_be_checked()
    auditor.settle()

    auditor.unfold(say(Message("remedy-change")))
    auditor.settle()
    ask(auditor, 2, ONE_COLUMN_S)
    auditor.press("Find a tree")
    # It stands in a tab, and the answer begins with the first.
    asked = say(Message("tree-made", {"way": Word("all"), "depth": Count(2)}))
    expect(auditor.main.get_by_text(asked)).to_be_attached(timeout=FIT_S * 1000)
    auditor.settle()
    auditor.tab("Nodes")
    expect(node_box(auditor)).to_have_value(re.compile("^1: "))
    click_leaf(auditor, up=True)
    expect(node_box(auditor)).to_have_value(re.compile("^[2-7]: predicts "))
    shown = auditor.main.locator(".st-key-trees_node_shown")
    expect(shown).to_contain_text(re.compile(r"Who comes here:.* is "))
    first = node_box(auditor).input_value()
    click_leaf(auditor, up=False)
    expect(node_box(auditor)).not_to_have_value(first)
    # The same box can be clicked again.
    click_leaf(auditor, up=True)
    expect(node_box(auditor)).to_have_value(first)

    auditor.tab("A made-up person")
    person = auditor.main.locator(".st-key-trees_person")
    expect(person).to_contain_text("Predicted:")
    leaf = re.findall(r"on to (\d+)", person.inner_text())[-1]
    person.get_by_role("button").click()
    auditor.tab("Nodes")
    expect(node_box(auditor)).to_have_value(re.compile(f"^{leaf}: predicts "))
    auditor.settle()

    auditor.tab(say(Message("remedy-more-made")))
    assert auditor.download("Picture (PNG)").startswith(b"\x89PNG")
    assert "<svg" in auditor.download("Picture (SVG)").decode()
    assert auditor.download("Tree as text").decode().startswith("if ")
    auditor.go("Compare")
    row = auditor.compared().get_by_role("row").filter(has_text="A decision tree (depth up to 2")
    expect(row).to_have_count(1)
    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    # It is the only tree there, and needs no settings to be set apart from another.
    for shown in ("A decision tree", asked):
        assert shown in text, shown
    plan = tomllib.loads(auditor.download("Saved audit (TOML)").decode())
    assert [(each["method"], each["max_depth"]) for each in plan["remedies"]] == [("trees", 2)]


def test_tree_of_amounts_is_found_looked_at_compared_and_reported(auditor, look, tmp_path):
    auditor.open_sample("municipal_pay")
    auditor.go("Trees")
    auditor.learn()
    ask(auditor, 2, AMOUNT_S)
    auditor.type("Largest gap", "100")
    auditor.press("Find a tree")
    auditor.expect_answer()
    auditor.tab("All limits")
    auditor.expect_text(say(Message("tree-similar-title")))
    auditor.tab("All groups")
    look(auditor)
    auditor.tab("Nodes")
    expect(node_box(auditor)).to_have_value(re.compile("^1: grade is "))
    click_leaf(auditor, up=True)
    expect(node_box(auditor)).to_have_value(re.compile("^[2-7]: predicts [34],"))
    expect(auditor.main.locator(".st-key-trees_node_shown")).to_contain_text("off on average")
    auditor.tab("A made-up person")
    person = auditor.main.locator(".st-key-trees_person")
    expect(person).to_contain_text(re.compile(r"Predicted: \d,\d+ monthly pay"))
    auditor.tab(say(Message("remedy-more-made")))
    look(auditor)
    assert auditor.download("Picture (PNG)").startswith(b"\x89PNG")
    assert re.match(r"if grade is at most \d", auditor.download("Tree as text").decode())

    auditor.go("Compare")
    look(auditor)
    auditor.more()
    auditor.press("Add models without the remedy")
    expect(auditor.compared().get_by_role("row").filter(has_text="the median for everybody")).to_be_visible()
    auditor.settle()
    rows = {row["model"]: row for row in rows_of(auditor.download("Download as CSV"))}
    assert len(rows) == 3 and all(float(row["mae"]) > 0 and row["didi"] for row in rows.values())
    auditor.go("Report")
    auditor.make_report()
    text = text_of_pdf(auditor.download("Annexes (PDF)"), tmp_path)
    for shown in ("A decision tree (depth up to 2, mean amounts within 100",):
        assert shown in text, shown
    plan = tomllib.loads(auditor.download("Saved audit (TOML)").decode())
    assert [(each["method"], each["amount_difference"]) for each in plan["remedies"]] == [("trees", 100.0)]
