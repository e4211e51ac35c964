"""Charts as they are printed: no label runs into another one, whatever the names and figures are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from label_boxes import boxes_of, cut, overlaps

from fairaudit.audit.running import run
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan
from fairaudit.present.charts.pairs import PairRow, pair_row, pairs_chart, sizes_bar
from fairaudit.report.chart_process import svg_of
from fairaudit.report.pdf import drawn
from fairaudit.sections.change.charts import change_chart

PHONE = 340
"""Of a picture on the screen of a phone, in pixels."""
LONG = "people whose sex is male and the grade is A or B"


def pair(name, own, other, written, reading):
    own_text, other_text = written.format(own), written.format(other)
    return PairRow(name, own, other, own_text, other_text, own_text, other_text, "9", "9", reading, True, False)


@pytest.mark.parametrize("reading", ["450 people", "Gap, perhaps small, too few to tell"])
@pytest.mark.parametrize("name", [LONG, "grade A"])
@pytest.mark.parametrize(
    ("figures", "written"),
    [
        ([(44_298.12, 42_928.5), (30_274.9, 31_959.1), (70_845.0, 40_000.0)], "{:,.1f}"),
        ([(0.32, 0.23), (0.32, 0.41), (0.98, 1.0)], "{:.0%}"),
    ],
)
@pytest.mark.parametrize("narrow", [True, False])
def test_numbers_of_rows_stand_beside_names_and_readings(figures, written, name, reading, narrow):
    rows = [pair(each, *both, written, reading) for each, both in zip((name, "b", "C"), figures, strict=True)]
    quantity = "share" if "%" in written else "amount"
    chart = pairs_chart(rows, ("women", "men"), description="", quantity=quantity, narrow=narrow)
    assert overlaps(drawn(chart)[0]) == []
    assert overlaps(drawn(pair_row(rows[0], ("women", "men"), description="", quantity=quantity))[0]) == []


def test_on_a_narrow_screen_what_a_row_is_and_may_be_read_there_is_not_cut():
    rows = [pair(f"{LONG} and {n} years of service", 0.3, 0.4, "{:.0%}", "1,405 people") for n in range(3)]
    chart = pairs_chart(rows, ("this group", "everyone else"), description="", quantity="share", narrow=True)
    svg = svg_of({**chart.to_dict(), "width": PHONE, "autosize": {"type": "fit-x", "contains": "padding"}})
    assert cut(svg, PHONE) == [] and overlaps(svg) == []
    assert sum("people" in box.text for box in boxes_of(svg)) == len(rows)


@pytest.mark.parametrize("apart", [(), ((77, say(Message("groups-size-left", {"n": Count(77)}))),)])
@pytest.mark.parametrize(
    "names", [("199 third-country nationals", "1,224 domestic and EU nationals"), ("14 men", "15 women"), (LONG, LONG)]
)
def test_on_a_narrow_screen_how_many_are_compared_stands_in_lines_of_its_own(names, apart):
    chart = sizes_bar((199, 1_224), names, apart, narrow=True)
    svg = svg_of({**chart.to_dict(), "width": PHONE, "autosize": {"type": "fit-x", "contains": "padding"}})
    assert cut(svg, PHONE) == [] and overlaps(svg) == []


@pytest.mark.parametrize("narrow", [True, False])
@pytest.mark.parametrize("cuts", [(2002,), (2002, 2003), (2002, 2003, 2004)])
def test_what_is_said_above_periods_stands_beside_each_other(cuts, narrow):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], 4000), "year": rng.integers(2001, 2005, 4000)})
    frame["got"] = np.where(rng.random(4000) < np.where(frame["sex"] == "F", 0.374, 0.503), "yes", "no")
    asked = ChangePlan(protected="sex = 'F'", protected_name="women", others_name="men", column="year", cuts=cuts)
    plan = AuditPlan(
        data=DataPlan(source="t.csv"), decision=OutcomePlan(column="got", favorable=("yes",)), changes=(asked,)
    )
    [finding] = run(plan, table=frame).changes
    assert overlaps(drawn(change_chart(finding, narrow=narrow))[0]) == []
