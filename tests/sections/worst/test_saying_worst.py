"""What a search for worst groups says: its verdict, which group it names, and how figures are written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairaudit import AuditPlan, run
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, NamesPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import SubgroupsPlan
from fairaudit.sections.worst import read_worst, say_worst
from fairaudit.sections.worst.charts import worst_chart, worst_chart_text, worst_map, worst_map_text
from fairaudit.sections.worst.reading import chart_order, harms
from fairaudit.sections.worst.saying import how_searched, in_chart_order, say_group, worst_tables
from fairaudit.sections.worst.section import without_answer

NAMES = NamesPlan(groups={"sex": {"woman": "women"}}, values={"district": {"D": "of the district D"}})


def people(hit: float = 0.2, *, n: int = 3000) -> pd.DataFrame:
    """Make people of whom women of one district get something less often."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"sex": rng.choice(["woman", "man"], n), "district": rng.choice(list("ABCDE"), n)})
    worse = (frame["sex"] == "woman") & (frame["district"] == "D")
    frame["got"] = np.where(rng.random(n) < np.where(worse, hit, 0.5), "yes", "no")
    frame["rated"] = np.where(rng.random(n) < np.where(worse, 0.1, 0.6), "yes", "no")
    frame["pay"] = np.where(worse, 2500, 3000) + rng.normal(0, 300, n).round()
    return frame


def found(frame: pd.DataFrame | None = None, *, decision: OutcomePlan | None = None, names=NAMES, data=None, **asked):
    """Return what a search of these people finds."""
    plan = AuditPlan(
        data=data or DataPlan(source="people.csv"),
        decision=decision or OutcomePlan(column="got", favorable=("yes",), verb="were paid"),
        prediction=OutcomePlan(column="rated", favorable=("yes",)) if asked.get("measure") in ("fpr", "fnr") else None,
        subgroups=(SubgroupsPlan(columns=("sex", "district"), **asked),),
        names=names,
    )
    return run(plan, table=people() if frame is None else frame).subgroups[0]


def test_the_group_that_fares_worst_is_named_in_the_headline():
    finding = found()
    said, reading = say_worst(finding), read_worst(finding)
    worst = finding.result.subgroups[reading.standing_out[0]]
    assert (said.verdict.key, said.headline.key) == ("verdict-groups-stand-out", "worst-headline-gap")
    assert worst.condition == "sex = 'woman' AND district = 'D'"
    assert say(said.headline) == "Women of the district D were paid less often than everyone else"
    args = dict(said.lead[0].args)
    assert (args["share"].value, args["rest"].value) == (worst.rate, worst.rest)


def test_the_points_of_the_map_have_the_numbers_of_the_rows_of_the_table():
    finding = found()
    assert list(chart_order(finding)) != sorted(chart_order(finding)), "the search has another order"
    rows = in_chart_order(finding, worst_tables(finding, 1)[0]).rows
    sizes = [int(row[3]) for row in rows]
    [judged] = [data for data in worst_map(finding).to_dict()["datasets"].values() if data and _is_judged(data)]
    assert [point["n"] for point in sorted(judged, key=lambda point: int(point["number"]))] == sizes


def _is_judged(records: list[dict]) -> bool:
    return "words" in records[0] and {each["half"] for each in records} == {"judged"}


def test_groups_that_fare_worse_stand_before_those_that_fare_better_and_both_before_chance():
    finding = found(direction="both")
    reading = read_worst(finding)
    gaps = [finding.result.subgroups[n].gap * harms(finding) for n in reading.standing_out]
    worse = [gap for gap in gaps if gap > 0]
    assert gaps[: len(worse)] == sorted(worse, reverse=True)
    assert {*reading.standing_out, *reading.others} == set(range(len(finding.result.subgroups)))
    assert all(finding.result.subgroups[n].stands_out for n in reading.standing_out)
    assert not any(finding.result.subgroups[n].stands_out for n in reading.others)
    # The answer counts those who fare worse, and says how many fare better.
    said, n_better = say_worst(finding), len(gaps) - len(worse)
    assert reading.n_worse == len(worse) > 0 and n_better > 0
    assert dict(said.verdict.args)["n"].value == len(worse)
    assert dict(said.lead[1].args)["better"].value == n_better and dict(said.lead[1].args)["side"].name == "both"


def test_where_none_fares_worse_those_who_fare_better_are_counted():
    finding = found(decision=OutcomePlan(column="got", favorable=("no",), verb="were refused"), direction="higher")
    reading = read_worst(finding)
    assert not reading.n_worse and reading.standing_out
    said = say_worst(finding)
    assert dict(said.verdict.args)["n"].value == len(reading.standing_out)
    assert dict(said.lead[1].args)["side"].name == "better"


def test_where_nothing_differs_nothing_stands_out_and_no_group_is_named():
    frame = people()
    finding = found(frame.assign(got=np.random.default_rng(3).permutation(frame["got"])))
    said = say_worst(finding)
    assert read_worst(finding).verdict == "none_stands_out"
    assert (said.verdict.key, said.headline.key) == ("verdict-none-stands-out", "worst-headline-none")
    assert "women" not in say((said.headline, *said.lead)).lower()


@pytest.mark.parametrize(
    ("measure", "key", "harm"), [("fpr", "worst-headline-missed", 1), ("fnr", "worst-headline-flagged", 1)]
)
def test_errors_are_named_by_what_the_prediction_warns_of(measure, key, harm):
    finding = found(measure=measure)
    assert harms(finding) == harm
    if read_worst(finding).standing_out:
        assert say_worst(finding).headline.key == key
    else:
        assert measure == "fpr"


def test_of_amounts_the_lead_has_both_means_and_the_gap():
    finding = found(decision=OutcomePlan(column="pay", amount=True, verb="were paid"))
    said = say_worst(finding)
    assert said.lead[0].key == "worst-lead-amount"
    assert dict(said.lead[0].args)["direction"].name == "less" and harms(finding) == -1
    assert harms(replace(finding, higher_is_favorable=False)) == 1


def test_a_group_of_many_conditions_without_names_is_named_in_the_lead():
    frame = people().assign(shift="day", unit="north")
    rng = np.random.default_rng(5)
    frame["shift"] = rng.choice(["day", "night"], len(frame))
    hit = (frame["sex"] == "woman") & (frame["district"] == "D") & (frame["shift"] == "night")
    frame["got"] = np.where(rng.random(len(frame)) < np.where(hit, 0.05, 0.7), "yes", "no")
    plan = AuditPlan(
        data=DataPlan(source="people.csv"),
        decision=OutcomePlan(column="got", favorable=("yes",)),
        subgroups=(SubgroupsPlan(columns=("sex", "district", "shift")),),
    )
    finding = run(plan, table=frame).subgroups[0]
    said, worst = say_worst(finding), read_worst(finding).standing_out[0]
    assert finding.groups[worst].n_clauses == 3
    assert [said.headline.key, said.lead[0].key] == ["worst-headline-gap", "worst-lead-who"]
    assert dict(said.lead[0].args)["protected"] == finding.groups[worst].said
    assert len(say(said.headline).split()) <= 14


def test_what_is_hidden_is_not_said():
    finding = without_answer(found())
    said = say_worst(finding)
    assert said.verdict.key == "verdict-not-shown" and finding.groups == ()
    assert not any(character.isdigit() for character in say((said.headline, *said.lead)))


@pytest.mark.parametrize("narrow", [False, True])
def test_the_picture_has_a_row_for_each_group_and_its_words_all_figures(narrow):
    finding = found(direction="both")
    spec = worst_chart(finding, narrow=narrow).to_dict()
    assert spec["height"] % len(finding.result.subgroups) == 0
    text = worst_chart_text(finding)
    assert text.count("everyone else") == len(finding.result.subgroups)


def test_beside_each_row_of_the_picture_stands_what_may_be_read_and_no_count():
    finding = found(direction="both")
    spec = worst_chart(finding).to_dict()
    beside = {row["reading"] for rows in spec["datasets"].values() for row in rows if "reading" in row}
    assert beside and not any(character.isdigit() for reading in beside for character in reading)


def test_each_group_and_the_search_are_said_under_more():
    finding = found(protected=("sex",))
    keys = [message.key for message in how_searched(finding)]
    assert "worst-how-protected" in keys and ("worst-how-proven" in keys) == finding.result.proven
    for number, each in enumerate(finding.result.subgroups):
        keys = [message.key for message in say_group(finding, number)]
        assert ("worst-group-stands-out" in keys) == each.stands_out
        assert all(map(say, say_group(finding, number)))


def test_with_weights_it_is_said_that_there_is_no_bound_for_all_groups():
    weighted = found(people().assign(w=np.linspace(1, 2, 3000)), data=DataPlan(source="people.csv", weights="w"))
    keys = [message.key for message in how_searched(weighted)]
    assert "worst-how-weighted-unbounded" in keys and "worst-how-bounded" not in keys
    assert "worst-how-weighted-unbounded" not in [message.key for message in how_searched(found())]


@pytest.mark.parametrize(("verbs", "side"), [({"verb": "were paid"}, -1), ({"unfavorable_verb": "were refused"}, 1)])
def test_the_map_draws_a_gap_on_the_side_that_the_headline_names(verbs, side):
    finding = found(decision=OutcomePlan(column="got", favorable=("yes",), **verbs))
    worst = read_worst(finding).standing_out[0]
    each, direction = finding.result.subgroups[worst], dict(say_worst(finding).headline.args)["direction"]
    assert direction.name == ("more" if side > 0 else "less") and each.gap < 0
    drawn = [record for rows in worst_map(finding).to_dict()["datasets"].values() for record in rows]
    gaps = [row["gap"] for row in drawn if row.get("number") == str(worst + 1) and row["half"] == "judged"]
    assert gaps and all(gap * side > 0 for gap in gaps)
    first = worst_map_text(finding).split(": ", 1)[1] if worst == 0 else worst_map_text(finding)
    assert ("above" if side > 0 else "below") in first
