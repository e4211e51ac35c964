"""Where cases that nobody decided are to count, as a person said, the report, the JSON and the sentences say so."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pandas as pd
import pytest
from json_schema import against_schema

from fairaudit.audit.running import run
from fairaudit.data import Table
from fairaudit.disclosure.hidden import without_counts
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.measure.not_known import NotKnown
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import Items
from fairaudit.present.cases import not_known_sentence
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json

PART = NotKnown("hired", ("lapsed",), "not_good", 120, 0, 120, ("reference",), "hired <> 'lapsed'")
SEVERAL = replace(PART, values=("lapsed", "withdrawn"), n_protected=10, groups=("protected", "reference"))


def result(*, mask: bool = False):
    race = ["Black", "White", "White", "Black", *["White"] * 4] * 50
    hired = ["yes", "no", "no", "yes", "yes"] * 80
    hired[-3:] = ["withdrawn"] * 3
    frame = pd.DataFrame({"race": race, "hired": hired})
    plan = AuditPlan(
        data=DataPlan(source="t.csv", real_values={"hired": ("withdrawn",)}),
        decision=OutcomePlan(column="hired", favorable=("yes",)),
        checks=(CheckPlan(protected="race = 'Black'", compare=(("race",),)),),
        small_cells=SmallCellsPlan(mask=mask, minimum=10),
    )
    return run(plan, table=Table.from_pandas(frame))


def items(result) -> list[str]:
    return [text for block in compose_annexes(result).blocks if isinstance(block, Items) for text in block.items]


def test_sentence_shows_count_column_value_group_and_filter():
    lead = {"some": Word("no"), "n": Count(120), "values": Phrase("'lapsed'"), "column": Phrase("'hired'")}
    counted = {"counted": Word("not_good"), "side": Word("rest"), "n": Count(120), "filter": Phrase(PART.leave_out)}
    assert not_known_sentence(PART) == say((Message("ended-lead", lead), Message("ended-counted", counted)))
    assert not_known_sentence(replace(PART, n=1)).startswith("1 row has 'lapsed")
    either = replace(PART, leave_out="hired <> 'x' OR hired IS NULL")
    assert not_known_sentence(either).endswith("(hired <> 'x' OR hired IS NULL).")


def test_sentence_shows_what_cases_count_as():
    said = {counted: not_known_sentence(replace(SEVERAL, counted=counted)) for counted in ("good", "not_good")}
    for counted, shown in said.items():
        assert "120 rows have 'lapsed' or 'withdrawn' in column 'hired'" in shown
        args = {"counted": Word(counted), "side": Word("both"), "n": Count(120), "filter": Phrase(PART.leave_out)}
        assert shown.endswith(say(Message("ended-counted", args)))


def test_sentence_shows_on_which_side_people_are_counted():
    sides = {("protected",): "protected", ("reference",): "rest", ("protected", "reference"): "both", (): "hidden"}
    shown = {side: not_known_sentence(replace(PART, groups=groups)) for groups, side in sides.items()}
    assert len(set(shown.values())) == len(sides)
    args = {"counted": Word(PART.counted), "n": Count(PART.n), "filter": Phrase(PART.leave_out)}
    for side, text in shown.items():
        assert text.endswith(say(Message("ended-counted", args | {"side": Word(side)})))
    assert "in the protected group" in not_known_sentence(replace(PART, groups=("protected",)))
    assert "among everyone else" in not_known_sentence(PART)


@pytest.mark.parametrize("counted", ["good", "not_good"])
def test_one_row_is_spoken_of_as_one(counted):
    alone = not_known_sentence(replace(PART, counted=counted, n=1))
    assert "1 row has" in alone and " It " in alone and " to leave it out" in alone.lower()
    assert "They" not in alone and "them" not in alone


def test_many_values_and_blank_ones_are_named_in_brief():
    shown = not_known_sentence(replace(PART, values=("", *"abcdef")))
    assert "'(blank)', 'a', 'b', 'c', 'd' or another of 7 such values" in shown


@pytest.mark.parametrize("part", [PART, SEVERAL])
def test_hidden_counts_are_not_shown_in_words(part):
    [hidden] = without_counts([part])
    assert hidden.groups == ()
    assert not re.search(r"\d", not_known_sentence(hidden))
    assert not_known_sentence(hidden).startswith("Some rows have")


def test_where_counts_are_hidden_nothing_is_said_of_missing_values():
    [hidden] = without_counts([PART])
    # That there are none may be a hidden count.
    assert hidden.leave_out == "hired <> 'lapsed' OR hired IS NULL"


def test_report_and_json_say_so():
    found = result()
    [shown] = [text for text in items(found) if "'withdrawn'" in text]
    assert shown.startswith("3 rows have 'withdrawn' in column 'hired'")
    values = json.loads(to_json(found))
    [part] = values["checks"][0]["not_known"]
    assert part["n"] == 3 and part["sentence"] == shown and part["leave_out"] == "hired <> 'withdrawn'"
    assert not against_schema(values)


def test_where_small_counts_are_hidden_no_count_is_revealed():
    found = result(mask=True)
    [shown] = [text for text in items(found) if "withdrawn" in text]
    assert shown.startswith("Some rows have") and not re.search(r"\d", shown)
    values = json.loads(to_json(found))
    [part] = values["checks"][0]["not_known"]
    assert {part["n"], part["n_protected"], part["n_reference"]} == {None}
    assert part["groups"] == []
    assert not against_schema(values)
