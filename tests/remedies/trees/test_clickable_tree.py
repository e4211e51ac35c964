"""The drawing of a tree on its page: every node once, nothing on anything else, readable at depth 5."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.findings import Count, Message, Share
from fairaudit.messages import say
from fairaudit.remedies.trees.charts import NODE, WIDTH, clickable_tree_chart
from fairaudit.remedies.trees.words import OUTCOMES, cases, clickable_tree_alt, drawn_nodes, folded
from fairaudit.report.pdf import to_png, to_svg

LONG = "number_of_earlier_offences_as_a_juvenile is at most 2.5"


def tree_of(numbers: list[int]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A tree of these splitting nodes, with two groups in each node; the outcome is predicted in even leaves."""
    inner = set(numbers)
    every = sorted({1} | {child for number in inner for child in (2 * number, 2 * number + 1)})
    rows, counts = [], []
    for number in every:
        leaf = number not in inner
        words = ("granted" if number % 2 == 0 else "not: granted") if leaf else LONG
        prediction = float(number % 2 == 0) if leaf else np.nan
        rows.append((number, number.bit_length() - 1, leaf, words, prediction, f"the way to {number}"))
        n = 4096 >> (number.bit_length() - 1)
        counts += [(number, group, n, n // 4, 0.25, n // 2, n // 8) for group in ("women", "men")]
    nodes = pd.DataFrame(rows, columns=["node", "depth", "is_leaf", "words", "prediction", "path"])
    names = ["node", "group", "n_learned", "n_learned_positive", "learned_rate", "n", "n_positive"]
    return nodes, pd.DataFrame(counts, columns=names)


def full(depth: int) -> list[int]:
    return list(range(1, 2**depth))


def layers_of(chart, kind: str) -> list[tuple[dict, list[dict]]]:
    """The marks of one kind, each with its records."""
    drawn = chart.to_dict(validate=False)
    layers = [layer for layer in drawn["layer"] if layer["mark"]["type"] == kind]
    return [(layer["mark"], drawn["datasets"][layer["data"]["name"]]) for layer in layers]


def boxes_of(chart) -> dict[int, dict]:
    """The boxes that are clicked, by their nodes."""
    [boxes] = [records for mark, records in layers_of(chart, "rect") if mark["fill"] == "transparent"]
    return {box["node"]: box for box in boxes}


def texts_of(chart) -> list[dict]:
    return [text for _, records in layers_of(chart, "text") for text in records]


@st.composite
def shapes(draw) -> list[int]:
    """Splitting nodes of a tree of depth 5 at most."""
    inner = {1}
    for number in full(5)[1:]:
        if number // 2 in inner and draw(st.booleans()):
            inner.add(number)
    return sorted(inner)


@given(shapes())
@settings(max_examples=12, deadline=None)
def test_no_box_lies_on_another_and_all_fit_the_page(inner):
    nodes, counts = tree_of(inner)
    boxes = boxes_of(clickable_tree_chart(nodes, counts))
    assert set(boxes) == set(nodes["node"])
    for one, other in itertools.combinations(boxes.values(), 2):
        apart = one["x2"] <= other["x"] or other["x2"] <= one["x"] or one["y2"] <= other["y"] or other["y2"] <= one["y"]
        assert apart, (inner, one["node"], other["node"])
    assert max(box["x2"] for box in boxes.values()) <= WIDTH and min(box["y"] for box in boxes.values()) >= 0


def test_lines_of_text_stay_in_their_boxes_at_depth_five():
    nodes, counts = tree_of(full(5))
    chart = clickable_tree_chart(nodes, counts)
    boxes = boxes_of(chart)
    inside = [text for text in texts_of(chart) if text["text"] not in ("yes", "no")]
    for text in inside:
        [box] = [b for b in boxes.values() if b["x"] < text["x"] < b["x2"] and b["y"] < text["y"] < b["y2"]]
        assert len(text["text"]) * 5.4 <= box["x2"] - box["x"] + 4, text
    assert len([text for text in texts_of(chart) if text["text"] == "yes"]) == 31


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_leaves_of_a_shallow_tree_say_on_one_line_what_they_predict(depth):
    nodes, counts = tree_of(full(depth))
    said = "not: no new offence within two years"
    nodes.loc[nodes["is_leaf"], "words"] = said
    chart = clickable_tree_chart(nodes, counts)
    assert sum(text["text"] == said for text in texts_of(chart)) == 2**depth
    assert max(box["x2"] for box in boxes_of(chart).values()) <= WIDTH


def test_chosen_node_and_the_way_to_it_stand_out():
    nodes, counts = tree_of(full(3))
    boxes = boxes_of(clickable_tree_chart(nodes, counts, chosen=11))
    assert {node for node, box in boxes.items() if box["line"] > 2} == {1, 2, 5, 11}


def test_leaves_are_distinguished_by_colour_corners_and_words():
    chart = clickable_tree_chart(*tree_of(full(2)))
    kinds = {records[0]["kind"]: mark for mark, records in layers_of(chart, "rect") if mark["fill"] != "transparent"}
    assert kinds["yes"]["fill"] != kinds["no"]["fill"] and kinds["yes"]["cornerRadius"] != kinds["no"]["cornerRadius"]
    assert {text["text"] for text in texts_of(chart)} >= {"granted", "not: granted"}


def test_deep_tree_is_drawn_in_parts_and_says_what_is_left_out():
    nodes, counts = tree_of(full(7))
    shown = drawn_nodes(nodes, root=1, levels=5)
    assert shown["depth"].max() == 5 and shown["is_cut"].sum() == 32
    assert say(Message("tree-alt-more")) in clickable_tree_alt(nodes, counts)
    below = drawn_nodes(nodes, root=5, levels=5)
    assert len(below) == 63 and below["node"].min() == 5 and not below["is_cut"].any()
    assert set(boxes_of(clickable_tree_chart(nodes, counts, root=5))) == set(below["node"])


def test_clicks_select_nodes_only_where_they_are_asked_for():
    nodes, counts = tree_of(full(2))
    assert NODE in clickable_tree_chart(nodes, counts, clickable=True).to_json()
    assert "params" not in clickable_tree_chart(nodes, counts).to_dict()


def test_tree_of_one_leaf_is_drawn():
    nodes, counts = tree_of([])
    assert list(boxes_of(clickable_tree_chart(nodes, counts))) == [1]
    assert clickable_tree_alt(nodes, counts).startswith(say(Message("tree-alt", {"n": Count(1)})))


@pytest.mark.parametrize("letters", [4, 9, 14, 80])
@pytest.mark.parametrize("text", [LONG, "a", "x" * 90, "年齢は二十五歳以下です"])
def test_folded_text_is_not_wider_than_asked_nor_longer(text, letters):
    lines = folded(text, letters, 3)
    assert 1 <= len(lines) <= 3 and all(len(line) <= letters for line in lines)
    whole = "".join(lines).replace(" ", "")
    assert text.replace(" ", "").startswith(whole.rstrip("…"))
    assert whole.endswith("…") or whole == text.replace(" ", "")


def test_rows_of_all_groups_are_added_up():
    _, counts = tree_of(full(1))
    assert OUTCOMES.sums(counts).loc[1, "n_learned"] == 8192
    assert cases(8192, Share(0.25)) == "8,192 cases, 25%" and cases(1, Share(0.0, 1)) == "1 case, 0.0%"


def test_pictures_hold_the_texts_and_are_pictures():
    chart = clickable_tree_chart(*tree_of(full(2)))
    svg = to_svg(chart).decode()
    assert svg.startswith("<svg") and "not: granted" in svg
    assert to_png(chart).startswith(b"\x89PNG")
