"""Charts: one look, direct labels, safe names, and the same numbers in words and in a table."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import math
import re

import altair as alt
import made_up
import pytest
import vl_convert
from findings_by_hand import ADULT, fairness, finding
from hypothesis import given
from hypothesis import strategies as st
from label_boxes import boxes_of
from sources import PACKAGE_FILES

from fairaudit.findings import Count, Group, Message
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.messages.catalogue import speaking
from fairaudit.present import naming
from fairaudit.present.blocks import cell_text
from fairaudit.present.charts import theme
from fairaudit.present.charts.gaps import (
    comparison_alt,
    comparison_chart,
    gap_chart,
    strata_alt,
    strata_chart,
    strata_table,
    tolerance_alt,
    tolerance_chart,
    tolerance_table,
    tolerance_zones,
)
from fairaudit.present.charts.scores import calibration_chart, distribution_chart, rates_chart, roc_chart
from fairaudit.present.errors import calibration_alt, rates_alt, roc_alt
from fairaudit.present.verdicts import CANNOT_TELL, verdict_word
from fairaudit.sections.check.chapter import group_blocks
from fairaudit.sections.check.charts import check_chart

FIELDS = {
    "value", "low", "high", "end", "label", "name", "text", "interval", "n", "role", "gap", "share", "rest", "reading",
    "middle", "words", "range", "series",
    "exact", "group", "side", "few", "clear",
    "x", "y", "order", "fpr", "tpr", "cut", "score", "floor", "row", "outcome",
}  # fmt: skip
NAMES = made_up.NASTY


def controlled(own):
    """Of a thousand in each group, so many have the favourable result, and 400 of the others."""
    return fairness(own, 1_000, 400, 1_000)


def every_chart(names):
    errors, scores = made_up.errors(names), made_up.scores(names)
    checked = finding(*ADULT, strata=made_up.strata(names, column=names[0]))
    called = dataclasses.replace(checked.names, protected=Group(names[0]), others=Group(names[1]))
    return {
        "check": check_chart(dataclasses.replace(checked, names=called, meaning=names[0])),
        "comparison": comparison_chart(made_up.many_groups(names, column=names[0])),
        "strata": strata_chart(made_up.strata(names, column=names[0])),
        "gap": gap_chart(made_up.strata(names).strata),
        "tolerance": tolerance_chart(made_up.controlled()),
        "rates": rates_chart(errors, "fdr"),
        "roc": roc_chart(scores),
        "calibration": calibration_chart(scores),
        "distribution": distribution_chart(scores),
    }


@pytest.fixture(scope="module")
def plain():
    return {k: c.to_dict() for k, c in every_chart(["White", "Black", "Other"]).items()}


@pytest.fixture(scope="module")
def nasty():
    return {k: c.to_dict() for k, c in every_chart(NAMES).items()}


def test_channels_are_objects_and_charts_layers_which_altair_neither_searches_for_nor_copies_in_full():
    """A bare text makes Altair look through all its classes, and a plain chart copies all records: half of a page."""
    slow = []
    drawing = [path for path in PACKAGE_FILES if "import altair as alt" in path.read_text("utf-8")]
    assert drawing
    for path in drawing:
        for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
            called, given = ast.unparse(call.func), [ast.unparse(keyword.value) for keyword in call.keywords]
            bare = called.endswith(".encode") and any(text.startswith(("'", "alt.value(")) for text in given)
            if bare or called == "alt.Chart":
                slow.append(f"{path.name}:{call.lineno}")
    assert not slow


def test_a_copy_of_a_layer_has_the_same_records_and_is_changed_by_itself():
    layer = theme.Layer(theme.values([{"x": 1.0}])).mark_point().encode(x=alt.X("x:Q"))
    copy = layer.copy()
    copy.height = 90
    assert copy.data is layer.data and copy is not layer
    assert "height" not in layer.to_dict() and copy.to_dict()["height"] == 90


def svg(specification):
    return vl_convert.vegalite_to_svg(specification, vl_version="6.4")


def walk(value, key=None):
    yield key, value
    if isinstance(value, dict):
        for k, v in value.items():
            yield from walk(v, k)
    elif isinstance(value, list):
        for v in value:
            yield from walk(v, key)


def records(specification):
    return [r for rows in specification["datasets"].values() for r in rows] if "datasets" in specification else [
        r for key, rows in walk(specification) if key == "values" and isinstance(rows, list) for r in rows
        if isinstance(r, dict)
    ]  # fmt: skip


def test_every_chart_is_drawn_with_its_labels(plain):
    for name, specification in plain.items():
        drawing = svg(specification)
        assert "<svg" in drawing, name
        assert specification["description"], name
    assert ">32%<" in svg(plain["check"])
    assert "AUC 0.741" in svg(plain["roc"])


def test_numbers_on_an_axis_have_the_marks_of_the_language():
    for language, numbers in (("en", {"0.5", "1,500.0"}), ("de", {"0,5", "1.500,0"})):
        with speaking(language):
            axis = alt.Axis(values=[0.5, 1500], format=",.1f")
            layer = theme.Layer(theme.values([{"x": 0.5}, {"x": 1500}])).mark_point().encode(x=alt.X("x:Q", axis=axis))
            assert numbers <= set(re.findall(r">([\d.,]+)<", svg(theme.configure(layer).to_dict())))


def test_only_fixed_field_names_reach_vega(nasty):
    for name, specification in nasty.items():
        fields = {v for k, v in walk(specification) if k == "field" and isinstance(v, str)}
        assert fields <= FIELDS, name
        assert all(set(r) <= FIELDS for r in records(specification)), name


def test_expressions_hold_no_text_from_data(plain, nasty):
    def expressions(specification):
        return {v for k, v in walk(specification) if k in ("labelExpr", "expr", "calculate", "filter", "test")}

    for name in plain:
        assert expressions(plain[name]) == expressions(nasty[name]), name


def test_names_of_any_kind_are_drawn_and_kept_apart(nasty):
    for name, specification in nasty.items():
        drawing = svg(specification)
        assert "<script" not in drawing, name
    labels = {r["label"] for r in records(nasty["comparison"]) if "label" in r}
    assert len(labels) == len(NAMES)
    assert max(len(label) for label in labels) <= naming.LABEL_LENGTH


def test_long_names_of_crossed_columns_stand_on_two_lines_and_are_not_cut():
    names = ["1: under 20,000, self-employed, Capital, home improvement", "2: 20,000 to 34,999, employed, East, car"]
    chart = comparison_chart(made_up.many_groups([*names, "short"])).to_dict()
    drawing = svg(chart)
    for line in ("1: under 20,000, self-employed,", "Capital, home improvement", "2: 20,000 to 34,999,", ">short<"):
        assert line in drawing, line
    assert "…" not in drawing
    # Two lines do not run into those of the next row.
    assert chart["height"] >= 3 * 2 * 14


def test_tooltips_name_the_group_in_full():
    long = "Department of transport, housing and other things that have a rather long official name"
    specification = comparison_chart(made_up.many_groups([long, "b"])).to_dict()
    assert long in {r.get("name") for r in records(specification)}


def test_charts_hold_no_more_than_they_draw(nasty):
    for name in ("comparison", "strata", "gap", "rates"):
        assert len(records(nasty[name])) <= 3 * len(NAMES) + 6, name
    assert len(records(nasty["check"])) <= 6 * (len(NAMES) + 1) + 4
    assert len(records(nasty["roc"])) <= naming.MOST_SERIES * 201 + 2


def test_at_most_thirty_groups_are_drawn_and_the_caption_says_so():
    comparison = made_up.many_groups([f"g{i}" for i in range(40)])
    said, drawn = comparison_alt(comparison), comparison_chart(comparison)
    assert len({r["label"] for r in records(drawn.to_dict()) if "label" in r}) == 30
    assert len(said) < 600
    one = finding(*ADULT, groups=(comparison,))
    *_, chart = group_blocks(one, 1, level=2, noun="decision")
    assert naming.drawn_note(40, 30, held_by="file") in chart.title


def test_groups_differ_in_shape_as_well_as_in_colour(plain):
    for name in ("comparison", "strata", "gap", "calibration"):
        assert any(k == "shape" and isinstance(v, dict) and "field" in v for k, v in walk(plain[name])), name
    for name in ("roc", "distribution"):
        assert any(k == "strokeDash" and isinstance(v, dict) and "field" in v for k, v in walk(plain[name])), name


def test_legends_name_the_readings_that_occur(plain):
    for name in ("comparison", "strata", "gap"):
        found = {row["reading"] for row in records(plain[name]) if "reading" in row}
        legends = [v["values"] for k, v in walk(plain[name]) if k == "legend" and isinstance(v, dict) and "values" in v]
        assert legends and all(set(values) == found for values in legends), name


def test_colours_and_shapes_mean_readings_only(plain):
    for name in ("comparison", "strata", "gap"):
        fields = {v["field"] for k, v in walk(plain[name]) if k in ("shape", "color") and isinstance(v, dict)}
        assert fields == {"reading"}
        assert theme.PROTECTED not in [v for k, v in walk(plain[name]) if k == "color"], "a line of that colour"


def test_colours_stand_out_on_white():
    def luminance(color):
        channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for color in (*theme.SERIES, theme.PROTECTED, theme.REFERENCE, theme.LINE, theme.QUIET):
        assert 1.05 / (luminance(color) + 0.05) >= 3, color


@pytest.mark.parametrize("width", [330, 700])
def test_readings_at_each_tolerance_stand_within_their_part_of_the_bar(width):
    n = 0
    for own in range(200, 420, 10):
        result = dataclasses.replace(controlled(own), tolerance=0.05)
        drawn = tolerance_chart(result).to_dict()
        words = boxes_of(svg({**drawn, "width": width, "autosize": {"type": "fit-x", "contains": "padding"}}))
        zones, top = tolerance_zones(result), tolerance_zones(result)[-1].end
        for box in words:
            for zone in zones:
                if box.text.replace(" ", "") == zone.words.replace(" ", ""):
                    n += 1
                    assert box.right - box.left <= width * (zone.end - zone.start) / top
    assert n > 22


def test_nothing_global_is_changed():
    before = alt.theme.active
    every_chart(["a", "b"])
    assert alt.theme.active == before


def test_report_draws_the_same_chart_in_its_own_typeface(plain):
    chart = tolerance_chart(made_up.controlled())
    page, paper = chart.to_dict(), theme.printed(chart)
    assert paper["config"].pop("font") == theme.PRINT_FONT
    page["config"].pop("font")
    assert re.sub(r"data-\w+|view_\d+", "", str(paper)) == re.sub(r"data-\w+|view_\d+", "", str(page))


def test_text_alternatives_hold_the_numbers():
    assert "Black" in comparison_alt(made_up.many_groups(["White", "Black"]))
    assert "\u221212.3" in strata_alt(made_up.strata(["A", "B"]))
    rates = made_up.errors(["a", "b", "c"])
    known = rates.intervals[rates.intervals["metric"] == "fdr"].dropna(subset="value")
    said = rates_alt(rates, "fdr")
    assert {name for name in rates.groups if re.search(rf"\b{name} \d", said)} == set(known["group"]) == {"a", "c"}
    assert "0.741" in roc_alt(made_up.scores(["a"]))


def test_tables_of_the_pages_hold_what_their_charts_show():
    row = made_up.strata(["A"]).strata[0]
    table = strata_table([row])
    (cells,) = table.rows
    assert cells[0] == "A"
    assert cells[1:6] == (
        row.comparison.protected.n,
        row.comparison.protected.ratio,
        row.comparison.reference.n,
        row.comparison.reference.ratio,
        row.difference,
    )
    result = made_up.controlled()
    zones = tolerance_table(result)
    assert [cells[2] for cells in zones.rows] == [zone.words for zone in tolerance_zones(result)]
    for shown in (table, zones):
        for cells in shown.rows:
            texts = [cell_text(v, c.kind, digits=c.digits) for v, c in zip(cells, shown.columns, strict=True)]
            assert all(isinstance(text, str) for text in texts)


def hidden(result):
    none = Interval(None, None)
    groups = {
        k: dataclasses.replace(getattr(result, k), n=None, positives=None, ratio=None, interval=none)
        for k in ("protected", "reference")
    }
    return dataclasses.replace(
        result, **groups, difference=None, difference_interval=none, equivalence_interval=none, impact_ratio=None
    )


def test_hidden_and_undefined_numbers_are_drawn_as_nothing_and_named():
    masked = hidden(made_up.controlled())
    svg(tolerance_chart(masked).to_dict())
    assert "not shown" in tolerance_alt(masked)
    rows = made_up.many_groups(["a", "b"])
    some = dataclasses.replace(rows.rows[0], comparison=hidden(rows.rows[0].comparison))
    mixed = dataclasses.replace(rows, rows=(some, rows.rows[1]))
    drawing = svg(comparison_chart(mixed).to_dict())
    assert "not shown" not in drawing and ">b<" in drawing
    empty = dataclasses.replace(made_up.many_groups(["a"]), rows=())
    svg(comparison_chart(empty).to_dict())
    assert say(Message("alt-none")) in comparison_alt(empty)


def test_bins_of_few_rows_are_fainter_and_break_the_line():
    scores = made_up.scores(["a", "b"])
    few = scores.calibration["group"].eq("a") & scores.calibration["bin"].isin([3, 4])
    scores = dataclasses.replace(scores, calibration=scores.calibration.assign(n=80 - 75 * few))
    layers = [layer.to_dict() for layer in calibration_chart(scores).layer]
    lines = [layer for layer in layers if layer["mark"]["type"] == "line" and "color" in layer["encoding"]]
    assert [row["y"] is None for row in records(lines[0])] == few.tolist()
    dots = {layer["mark"]["opacity"]: len(records(layer)) for layer in layers if layer["mark"]["type"] == "point"}
    assert dots == {0.25: 2, 1.0: 18}
    assert say(Message("alt-few", {"n": Count(2), "most": Count(10)})) in calibration_alt(scores)
    assert "fainter" not in calibration_alt(made_up.scores(["a"]))


shares = st.tuples(st.integers(0, 60), st.integers(1, 60)).map(lambda t: (min(t), max(t)))


@given(shares, shares, st.sampled_from([0.0, 0.01, 0.05, 0.2]))
def test_tolerance_zones_agree_with_the_evidence(protected, reference, tolerance):
    result = made_up.comparison(made_up.group("p", *protected), made_up.group("r", *reference), tolerance)
    zones = tolerance_zones(result)
    assert zones[0].start == 0 and zones[-1].end >= tolerance
    assert all(a.end == b.start for a, b in itertools.pairwise(zones))
    inside = [z for z in zones if z.start < tolerance < z.end]
    if inside:
        assert inside[0].words == (CANNOT_TELL if result.has_one_decision else verdict_word(result))


@given(st.lists(st.text(max_size=60), max_size=12))
def test_labels_are_short_seen_and_different(names):
    labels = naming.unique_labels(names, 12)
    assert len(set(labels)) == len(names)
    assert all(0 < len(label) <= 12 and label.strip() for label in labels)


@given(st.lists(st.floats(0, 1) | st.just(math.nan) | st.none(), max_size=6))
def test_axis_holds_all_values(values):
    low, high = theme.domain(values)
    assert low < high
    known = [v for v in values if v is not None and not math.isnan(v)]
    assert all(low - 1e-9 <= v <= high + 1e-9 for v in known)
