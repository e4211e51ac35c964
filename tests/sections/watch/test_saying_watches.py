"""What a watch says, in an audit: with an alarm, without one, on the other side, and where small counts are hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairaudit import AuditPlan, run
from fairaudit.disclosure.gate import exported
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.sections.watch.charts import watch_chart, watch_chart_text
from fairaudit.sections.watch.plan import WatchPlan
from fairaudit.sections.watch.saying import how_watched, say_watch, watch_tables
from fairaudit.sections.watch.section import WatchSection


def found(gap: float = 0.2, *, hide: bool = False, nights: int = 25, **decision):
    """Return the answer of an audit that watches loans for women."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"night": np.repeat(np.arange(nights), 100)})
    frame["sex"] = rng.choice(["F", "M"], len(frame))
    frame["loan"] = np.where(rng.random(len(frame)) < np.where(frame["sex"] == "F", 0.6 - gap, 0.6), "yes", "no")
    plan = AuditPlan(
        data=DataPlan(source="x.csv"),
        decision=OutcomePlan(column="loan", favorable=("yes",), **decision or {"verb": "were approved"}),
        watches=(WatchPlan(batches="night", protected="sex = 'F'", protected_name="women", others_name="men"),),
        small_cells=SmallCellsPlan(mask=hide),
    )
    result = run(plan, table=frame)
    return (exported(result) if hide else result).watches[0]


def test_an_alarm_names_both_groups_and_the_batch():
    finding = found()
    said = say_watch(finding)
    assert (said.verdict.key, said.headline.key) == ("verdict-alarm", "watch-headline-alarm")
    assert say(said.headline) == "Women were approved less often than men"
    assert dict(said.lead[0].args)["batch"].text == finding.result.alarm.batch
    assert WatchSection().verdicts(finding) == ("alarm",)


@pytest.mark.parametrize("gap", [0.12, -0.02])
def test_after_an_alarm_a_gap_that_turned_or_went_is_said_to_have_been_for_a_time(gap):
    finding = found()
    said = say_watch(replace(finding, result=replace(finding.result, gap=gap)))
    assert said.headline.key == "watch-headline-alarm-once" and said.lead[0].key == "watch-lead-alarm-once"
    assert say(said.headline) == "For a time, women were approved less often than men"


def test_a_small_chance_of_a_false_alarm_is_not_said_to_be_none():
    finding = found(0.0, nights=3)
    finding = replace(finding, plan=finding.plan.model_copy(update={"confidence": 0.999}))
    [text] = [say(each) for each in say_watch(finding).lead if each.key == "watch-lead-false"]
    assert "0.1" in text


def test_without_an_alarm_it_is_said_that_none_has_shown():
    said = say_watch(found(0.0))
    assert (said.verdict.key, said.headline.key) == ("verdict-no-alarm", "watch-headline-none")


def test_where_sentences_speak_of_the_other_result_the_direction_is_turned():
    finding = found(unfavorable_verb="were refused")
    direction = dict(say_watch(finding).headline.args)["direction"].name
    assert (direction, finding.result.alarm.side) == ("more", "lower")


@pytest.mark.parametrize("gap", [0.0, 0.2])
def test_the_picture_has_a_point_for_each_batch_and_words(gap):
    finding = found(gap)
    data = [each for each in watch_chart(finding).to_dict()["datasets"].values() if each and "range" in each[0]]
    assert max(map(len, data)) == 25
    assert watch_chart_text(finding)
    assert len(watch_tables(finding, 1)[0].rows) == 25
    assert how_watched(finding)


def test_where_small_counts_are_hidden_nothing_is_left_but_the_question():
    finding = found(hide=True)
    assert say_watch(finding).verdict.key == "verdict-not-shown"
    held = finding.result
    assert (held.verdict, held.alarm, held.n_batches, held.n_protected, held.batches) == (None, None, None, None, ())
    assert watch_tables(finding, 1) == []
    assert WatchSection().picture(finding, 1) is None
    assert WatchSection().annex(finding, 1) == []
