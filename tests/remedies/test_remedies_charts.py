from __future__ import annotations

import dataclasses
import json
import math
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
import remedies_by_hand as by_hand
from made_up import NASTY, in_a_frame

from fairaudit.catalog import remedy_of
from fairaudit.findings import REST, Count, Group, Message, Phrase
from fairaudit.messages import called, say
from fairaudit.present.blocks import Chart
from fairaudit.present.charts.theme import placed
from fairaudit.present.errors import RATE_NAMES, rate_name
from fairaudit.present.naming import MOST_SERIES
from fairaudit.remedies.charts import AFTER, BEFORE
from fairaudit.remedies.equalize.charts import (
    distribution_note,
    equalized_distribution_alt,
    equalized_distribution_chart,
    equalized_sweep_chart,
)
from fairaudit.remedies.relabel.charts import MOST_POINTS, flipped_points_alt, flipped_points_chart
from fairaudit.remedies.thresholds.charts import weight_sweep_chart
from fairaudit.report.pdf import drawn
from fairaudit.sections.compare.charts import FrontierAxes, frontier_chart, frontier_chart_text
from fairaudit.sections.compare.models import frontier_rows, mark_unbeaten
from fairaudit.sections.remedy.charts import drawn_groups, group_rates_chart, group_rates_text, groups_note
from fairaudit.sections.remedy.tables import named_tables

KINDS = ("relabel", "thresholds", "equalize", "constrain")
HOMES = [import_module(f"fairaudit.remedies.{kind}.charts") for kind in KINDS]
OF_ALL = {
    "group_rates": (group_rates_chart, group_rates_text),
    "frontier": (frontier_chart, frontier_chart_text),
}
AXES = FrontierAxes("Accuracy", "Gap")

FACTS = by_hand.facts()
UNNAMED = dataclasses.replace(FACTS, names=dataclasses.replace(FACTS.names, others=Group(None)))
"""Facts where everyone else has no name."""

HOSTILE = tuple(in_a_frame([f"{i} {name[:80]}" for i, name in enumerate(NASTY)]) + [f"group {i}" for i in range(30)])


def many_counts(groups=HOSTILE):
    rng = np.random.default_rng(0)
    counts = [tuple(int(n) for n in rng.integers(5, 400, 4)) for _ in groups]
    counts[3], counts[4] = (0, 0, 12, 9), (0, 0, 0, 0)
    return counts


def points(n=40):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=n), "y": rng.normal(size=n)})
    return frame.assign(label=(frame["x"] > 0).astype(int), flipped=frame["y"] > 1)


def each_chart(groups=by_hand.GROUPS, before=by_hand.BEFORE, after=by_hand.AFTER):
    remedy = by_hand.remedy(before=before, after=after, groups=groups)
    thresholds, equalize = by_hand.threshold_details(groups), by_hand.equalize_details(groups)
    constrain = by_hand.constrain_details(groups, before, after)
    rows = frontier_rows(by_hand.remedies(("plain", "relabel"), before=before, after=after, groups=groups))
    return {
        "group_rates": ((remedy, UNNAMED), {}),
        "frontier": ((rows, FrontierAxes("Accuracy", groups[0])), {}),
        "flipped_points": ((points(),), {"x_title": groups[0]}),
        "threshold_roc": ((thresholds.roc, thresholds.thresholds), {}),
        "weight_sweep": ((thresholds.sweep,), {"current": 1.0}),
        "equalized_distribution": ((equalize.distribution,), {}),
        "equalized_sweep": ((equalize.sweep,), {"current": 0.15}),
        "constraint_gaps": ((constrain.pairs,), {}),
        "constraint_path": ((constrain.path,), {"single": True}),
        "constraint_frontier": ((constrain.path,), {"scale": 1.5}),
    }


NAMES = list(each_chart())


def made(name, **options):
    """Return a chart and its text alternative, from whichever module has them."""
    arguments, keywords = each_chart(**options)[name]
    both = OF_ALL.get(name) or [
        next(getattr(home, name + end) for home in HOMES if hasattr(home, name + end)) for end in ("_chart", "_alt")
    ]
    return tuple(make(*arguments, **keywords) for make in both)


def records(chart) -> list[dict]:
    """Return all inline data of a chart; equal data of two layers are there once."""
    return [row for rows in chart.to_dict(validate=False)["datasets"].values() for row in rows]


@pytest.mark.parametrize("name", NAMES)
def test_each_chart_is_valid_is_drawn_and_carries_its_description(name):
    chart, alt = made(name)
    assert chart.to_dict()["description"] == alt
    assert alt.endswith(".")
    assert "nan" not in alt
    svg, width = drawn(chart)
    assert svg.startswith("<svg")
    assert 150 < width < 540


@pytest.mark.parametrize("name", NAMES)
def test_fifty_groups_with_hostile_names_and_undefined_rates_are_drawn(name):
    counts = many_counts()
    chart, alt = made(name, groups=HOSTILE, before=counts, after=counts[::-1])
    svg, width = drawn(chart)
    assert width < 600
    assert "<script" not in svg
    assert len(alt) < 6000


@pytest.mark.parametrize("name", NAMES)
def test_each_chart_is_one_view(name):
    """Only a single view takes the width of a page."""
    specification = made(name)[0].to_dict()
    assert not {"vconcat", "hconcat", "facet", "repeat", "concat"} & set(specification)


def test_both_models_of_each_group_are_drawn_with_their_intervals():
    chart, _ = made("group_rates")
    drawn_values = {
        (r["label"][3:], r["model"], round(r["value"], 4)) for r in records(chart) if "model" in r and "end" not in r
    }
    before, after = by_hand.evaluation("b", by_hand.BEFORE), by_hand.evaluation("a", by_hand.AFTER)
    for model, evaluation in ((BEFORE, before), (AFTER, after)):
        for metric in ("selection_rate", "tpr", "fpr"):
            rate = float(evaluation.errors.metrics.loc["the rest", metric])
            assert ("everyone else", model, round(rate, 4)) in drawn_values
    assert len([r for r in records(chart) if "end" in r and r.get("model") == AFTER]) == 6


def test_a_rate_that_is_not_defined_is_not_drawn():
    nobody = ((0, 5, 60, 0), by_hand.BEFORE[1])
    finding = by_hand.remedy(before=nobody, after=nobody)
    rows = [r for r in records(group_rates_chart(finding, UNNAMED)) if r.get("model") and "end" not in r]
    assert all(math.isfinite(r["value"]) for r in rows)
    assert "not defined" in group_rates_text(finding, UNNAMED)


def test_at_most_eight_groups_are_drawn_the_largest():
    counts = many_counts()
    chart, _ = made("group_rates", groups=HOSTILE, before=counts, after=counts)
    sizes = {group: sum(cells) for group, cells in zip(HOSTILE, counts, strict=True)}
    largest = sorted(sizes, key=sizes.get, reverse=True)[:MOST_SERIES]
    labels = {r["name"] for r in records(chart) if r.get("model")}
    assert {group for group in largest if group.startswith("group")} <= labels
    smallest = min((g for g in sizes if g.startswith("group")), key=sizes.get)
    assert smallest not in labels


def test_a_cross_marks_before_and_a_circle_after():
    details = by_hand.threshold_details()
    chart, alt = made("threshold_roc")
    found = {(r["name"], r["model"]): (r["x"], r["y"]) for r in records(chart) if r.get("model")}
    row = details.thresholds.iloc[0]
    assert found[row["group"], BEFORE] == (row["fpr_before"], row["tpr_before"])
    assert found[row["group"], AFTER] == (row["fpr_after"], row["tpr_after"])
    assert "0.500" in alt and "0.380" in alt


def test_weights_that_give_the_same_point_are_written_once():
    sweep = pd.DataFrame({"fairness_weight": [0.0, 1.0, 2.0], "accuracy": [0.9, 0.8, 0.8], "gap": [0.2, 0.1, 0.1]})
    assert weights_written(weight_sweep_chart(sweep)) == {"0", "1 to 2"}
    assert weights_written(weight_sweep_chart(sweep, current=2.0)) == {"0", "1 to 2 (used: 2)"}
    assert weights_written(weight_sweep_chart(sweep, current=0.0)) == {"0", "1 to 2"}
    [used] = {r["text"] for r in records(weight_sweep_chart(sweep, current=0.0)) if r.get("used")}
    assert used == "0"


def weights_written(chart) -> set[str]:
    return {r["text"] for r in records(chart) if "text" in r and "order" in r}


def test_numbers_of_models_at_one_place_do_not_cover_each_other():
    points = [{"value": 0.7 + 0.0005 * i, "y": 0.05, "text": str(i + 1)} for i in range(6)]
    places = placed(points, (0.6, 0.8), (0, 0.1), height=320)
    assert sorted(r["text"] for kept in places.values() for r in kept) == list("123456")
    assert len(places) == 6
    apart = placed([p | {"value": 0.62 + 0.03 * i} for i, p in enumerate(points)], (0.6, 0.8), (0, 0.1), height=320)
    assert list(apart) == [(9, -9)]


def test_a_group_with_few_rows_is_named_but_not_drawn():
    groups, counts = (*by_hand.GROUPS, "missing"), (*by_hand.BEFORE, (4, 3, 3, 2))
    finding = by_hand.remedy(groups=groups, before=counts, after=counts)
    chart, alt = group_rates_chart(finding, UNNAMED), group_rates_text(finding, UNNAMED)
    assert {r["name"] for r in records(chart) if r.get("model")} == {by_hand.GROUPS[0], "everyone else"}
    assert say(Message("remedies-chart-few", {"groups": Phrase("missing"), "n": Count(0)})) in alt
    assert groups_note(by_hand.remedy().after.errors) == ""
    tiny = by_hand.remedy(before=((4, 3, 3, 2),) * 2, after=((4, 3, 3, 2),) * 2)
    assert drawn_groups(tiny.after.errors) == list(by_hand.GROUPS)
    assert groups_note(tiny.after.errors) == ""


def test_accuracy_and_gaps_of_a_sweep_are_drawn_on_axes_of_their_own():
    specification = equalized_sweep_chart(by_hand.equalize_details().sweep, current=0.15).to_dict()
    panels = [layer["layer"][0]["encoding"]["y"] for layer in specification["layer"] if "layer" in layer]
    (low, high), gaps = (panel["scale"]["domain"] for panel in panels)
    assert low > 0.5
    assert high < 1
    assert gaps[0] == 0
    assert panels[0]["scale"]["range"][0] < panels[1]["scale"]["range"][1]
    assert "not from 0 %" in panels[0]["axis"]["title"][1]


def test_the_spread_of_scores_leaves_out_people_of_no_known_group_and_says_so():
    known = by_hand.distribution()
    both = pd.concat([known, known[known["group"] == by_hand.GROUPS[0]].assign(group="missing")])
    assert drawn(equalized_distribution_chart(both)) == drawn(equalized_distribution_chart(known))
    assert "missing" not in equalized_distribution_alt(both)
    assert distribution_note(both) == say(Message("equalize-chart-unknown"))
    assert distribution_note(known) == ""


def test_the_frontier_holds_the_models_that_no_other_beats():
    rows = frontier_rows(by_hand.remedies(("plain", "relabel", "thresholds")))
    accuracy = by_hand.evaluation("b", by_hand.BEFORE).measure("accuracy").value
    assert rows["name"].tolist()[0] == "Logistic regression"
    assert rows.loc[0, "x"] == accuracy
    assert rows["on_frontier"].tolist() == [True, True, True]
    assert rows["needs_group"].tolist() == [False, False, True]
    without = frontier_rows(by_hand.remedies(("relabel",)))
    assert without.loc[0, "name"] == "logistic regression, threshold 0.5"
    worse = by_hand.remedies(("plain", "relabel"), after=((45, 18, 420, 42), (1800, 800, 5844, 800)))
    assert frontier_rows(worse)["on_frontier"].tolist()[-1] is False


def test_the_same_answer_for_everybody_beats_others_but_is_not_on_the_frontier():
    found = by_hand.remedies(("relabel",))
    free = dataclasses.replace(
        by_hand.yardstick("constant", counts=((0, 0, 472, 53), (0, 0, 6_644, 2_600))), name="free"
    )
    rows = frontier_rows(
        dataclasses.replace(found, remedies=(dataclasses.replace(found.remedies[0], yardsticks=(free,)),))
    )
    assert not rows.set_index("name").loc["free", "on_frontier"] and rows["on_frontier"].any()


def test_a_model_that_gives_nearly_all_one_answer_is_not_filled_and_the_others_are_judged_among_themselves():
    nearly = ((520, 5, 0, 0), (9_200, 40, 2, 2))
    found = by_hand.remedies(("relabel", "thresholds"))
    first, second = found.remedies
    other = by_hand.evaluation(second.name, nearly)
    high = [
        dataclasses.replace(each, value={"accuracy": 0.95, "gap": 0.001}.get(each.measure, each.value))
        for each in other.measures
    ]
    second = dataclasses.replace(second, after=dataclasses.replace(other, measures=tuple(high)))
    rows = frontier_rows(dataclasses.replace(found, remedies=(first, second)))
    assert rows["same"].tolist() == [False, False, True]
    assert rows["unbeaten"].tolist() == [True, True, False]
    assert rows["on_frontier"].tolist() == [False, False, False]
    assert not any(r.get("best") for r in records(frontier_chart(rows, AXES)))


def test_models_whose_figures_are_shown_alike_are_equal():
    rows = pd.DataFrame({"same": [False, False, False, True]})
    marked = mark_unbeaten(rows, [(70.5, 25.5), (70.5, 25.5), (70.4, 25.5), (60.0, 0.0)])
    assert marked["unbeaten"].tolist() == marked["on_frontier"].tolist() == [True, True, False, False]


def test_the_gap_of_the_decisions_is_a_line_across_the_models():
    rows = frontier_rows(by_hand.remedies(("plain", "relabel")))
    past, truth = (
        dataclasses.replace(AXES, past=0.129, past_words=words) for words in ("Past decisions", "What happened")
    )
    [line] = [r for r in records(frontier_chart(rows, past)) if r.get("text") == past.past_words]
    assert line["y"] == 0.129 and "Past decisions: 12.9 points." in frontier_chart_text(rows, past)
    assert [r for r in records(frontier_chart(rows, truth)) if r.get("text") == truth.past_words]
    assert "What happened: 12.9 points." in frontier_chart_text(rows, truth)
    assert not [r for r in records(frontier_chart(rows, AXES)) if r.get("text") == past.past_words]


def test_models_at_one_place_of_the_frontier_share_a_label_that_names_them_all():
    rows = frontier_rows(by_hand.remedies(("plain", "relabel", "thresholds"))).assign(
        x=[0.6, 0.7, 0.8], number=list("ABC")
    )
    alike = pd.concat([rows, rows.iloc[[1]].assign(number="Z")], ignore_index=True)

    def labels(frame):
        return {r["text"] for r in records(frontier_chart(frame, AXES)) if r.get("number") and r.get("text")}

    first, second, third = rows["number"]
    assert labels(rows) == {first, second, third}
    assert labels(alike) == {first, f"{second}, Z", third}
    assert "Z, " in frontier_chart_text(alike, AXES)


def test_changed_rows_are_kept_when_there_are_too_many_to_draw():
    frame = points(3 * MOST_POINTS)
    kept = [r for r in records(flipped_points_chart(frame)) if "kind" in r]
    assert len(kept) == MOST_POINTS
    changed = [r for r in kept if r["kind"].startswith("changed")]
    assert len(changed) == min(int(frame["flipped"].sum()), MOST_POINTS)
    said = {"x": Phrase("x"), "y": Phrase("y"), "n": Count(int(frame["flipped"].sum()))}
    assert flipped_points_alt(frame) == say(Message("retrain-chart", said))


def test_empty_frames_and_undefined_figures_are_drawn_as_nothing():
    sweep = by_hand.threshold_details().sweep.assign(gap=math.nan)
    equalized = by_hand.equalize_details()
    for chart in (
        weight_sweep_chart(sweep),
        weight_sweep_chart(sweep.iloc[:0]),
        equalized_sweep_chart(equalized.sweep.iloc[:0]),
        equalized_distribution_chart(equalized.distribution.iloc[:0]),
        flipped_points_chart(points().iloc[:0]),
        frontier_chart(frontier_rows(by_hand.remedies()).iloc[:0], AXES),
    ):
        assert drawn(chart)[0].startswith("<svg")


def test_three_rates_are_drawn_by_their_plain_names():
    finding = by_hand.remedy()
    chart, text = group_rates_chart(finding, UNNAMED), group_rates_text(finding, UNNAMED)
    assert len({r["text"] for r in records(chart) if set(r) == {"label", "text"}}) == 3
    name = rate_name("tpr", finding.after.errors.positive)
    assert name in text and name in json.dumps(chart.to_dict()) and RATE_NAMES["tpr"] not in json.dumps(chart.to_dict())


def test_everyone_else_has_the_name_of_sentences_in_the_picture_of_groups():
    finding = by_hand.remedy()
    facts = dataclasses.replace(FACTS, names=dataclasses.replace(FACTS.names, others=Group("men")))
    drawn_names = {r["name"] for r in records(group_rates_chart(finding, facts)) if "name" in r}
    assert "men" in drawn_names and "everyone else" not in drawn_names
    assert "everyone else" not in group_rates_text(finding, facts)


def test_pictures_of_remedies_call_rates_and_groups_by_their_plain_names():
    found = by_hand.remedies(("equalize", "thresholds"))
    facts = dataclasses.replace(found.facts, names=dataclasses.replace(found.facts.names, others=Group("men")))
    for number, remedy in enumerate(found.remedies, start=1):
        tables = named_tables(remedy, facts, number)
        blocks = remedy_of(remedy.plan).search_blocks(remedy, facts, number, tables)
        text = " ".join(json.dumps(block.chart.to_dict()) for block in blocks if isinstance(block, Chart))
        assert text and not any(name in text for name in (RATE_NAMES["tpr"], RATE_NAMES["fpr"], "ruly positive"))
        assert called(REST) not in text
