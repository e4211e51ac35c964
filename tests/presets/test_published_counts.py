"""Forms that are filled from published counts say what these do not hold; groups that overlap are said to."""

from __future__ import annotations

import pandas as pd

from fairaudit.data import Table
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.document import preset_html
from fairaudit.presets.filling import run_preset
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.tables import facts, preset_csv
from fairaudit.sections.forms.details import own_notes

PLAN_OF_ROWS = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="hired", favorable=("yes",)))


def published(**settings):
    frame = pd.DataFrame({"Sex": ["F", "M", "F", "M", "x"], "Race": ["a", "a", "b", "b", "Total"]})
    frame = frame.assign(selected=[30, 40, 20, 50, 140], applicants=[90, 95, 80, 99, 364])
    counts = {"favorable": "selected", "all": "applicants"}
    return Table.from_pandas(frame, counts=counts, **{"left_out": {"Race": ["Total"]}} | settings)


def of_counts(columns=("Sex", "Race"), **settings):
    decision = OutcomePlan(column="selected", favorable=("selected",))
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=decision)
    named = {"sex": "Sex", "race": "Race"}
    part = PresetPlan(preset="nyc144", columns={role: name for role, name in named.items() if name in columns})
    return run_preset(published(**settings), plan, part)


def test_a_form_of_counts_says_in_its_cells_what_they_do_not_hold():
    found, absent = of_counts(), say(Message("form-not-in-counts"))
    said = dict(facts(found))
    assert [said[label] for label in ("Without a decision", "Category unknown")] == [absent, absent]
    lines = preset_csv(found).decode().splitlines()
    n_facts = sum(value == absent for value in said.values())
    assert sum(f'"{absent}"' in line for line in lines) == len(found.rates) + 1 + n_facts
    assert preset_html(found).count(f">{absent}<") == n_facts
    notes = own_notes(found)
    unknown = say(Message("form-counts-unknown", {"people": Phrase("applicants"), "category": Phrase("category")}))
    left_out = say(Message("read-left-out", {"values": Phrase("'Total'"), "column": Phrase("'Race'")}))
    assert unknown in notes and left_out in notes
    assert all(note in preset_html(found) for note in (unknown,))


def test_people_whom_counts_name_as_unknown_are_a_number():
    rows = Table.from_pandas(pd.DataFrame({"Sex": ["F", "M"], "Race": ["a", "b"], "hired": ["yes", "no"]}))
    people = run_preset(rows, PLAN_OF_ROWS, PresetPlan(preset="nyc144", columns={"sex": "Sex", "race": "Race"}))
    assert not people.of_counts and dict(facts(people))["Category unknown"] == "0"
    some = of_counts(not_known={"Sex": ["x"]}, left_out={}, real_values={"Race": ["Total"]})
    assert of_counts().unknown_in_counts and not some.unknown_in_counts
    assert dict(facts(some))["Category unknown"] == "364"


def test_a_table_that_counts_lack_cannot_be_known_from_them():
    found = of_counts(("Sex",))
    roles = Message("form-no-table-and", {"roles": Phrase("Race/ethnicity"), "role": Phrase("Sex")})
    assert say(Message("form-no-table-of-counts", {"roles": Phrase("Race/ethnicity")})) in found.notes
    assert say(Message("form-no-table-of-counts", {"roles": roles})) in found.notes


def test_a_form_says_that_groups_of_ticked_boxes_overlap():
    boxes = {"race_white": ["yes", "no", "yes", "yes"] * 5, "race_black": ["no", "yes", "yes", "no"] * 5}
    frame = pd.DataFrame({"Sex": ["F", "M"] * 10, **boxes, "hired": ["yes", "no", "no", "yes"] * 5})
    part = PresetPlan(preset="nyc144", columns={"sex": "Sex", "race": "race_white"})
    found = run_preset(Table.from_pandas(frame), PLAN_OF_ROWS, part)
    said = {"columns": Phrase("'race_white', 'race_black'"), "made": Phrase("'race'")}
    assert say(Message("form-overlap", said)) in own_notes(found)
    made = Table.from_pandas(frame, derived={"race": ["race_white", "race_black"]})
    alone = run_preset(made, PLAN_OF_ROWS, PresetPlan(preset="nyc144", columns={"sex": "Sex", "race": "race"}))
    assert not alone.notes
