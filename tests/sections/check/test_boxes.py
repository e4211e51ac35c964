"""Groups of boxes of which a person may tick several overlap: a check says so, and does not compare them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit import run
from fairaudit.data.derived import ONLY
from fairaudit.data.table import Table
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

COLUMNS = ("race-1", "race-2")
SAID = Message("doubt-overlap", {"columns": Phrase("'race-1' and 'race-2'"), "made": Phrase("race")})
ANY = "\"race-1\" = 'Black' OR \"race-2\" = 'Black'"


def people(n=600):
    rng = np.random.default_rng(0)
    first, second = rng.choice(["Asian", "Black", "White"], (2, n))
    return pd.DataFrame(
        {
            "race-1": first,
            "race-2": np.where(np.arange(n) % 6 == 0, second, None),
            "granted": rng.choice(["yes", "no"], n),
        }
    )


def test_who_ticked_no_box_is_in_neither_group():
    frame = people()
    frame.loc[:49, list(COLUMNS)] = None
    table = Table.from_pandas(frame, derived={"race": COLUMNS})
    anyone = table.any_of_these("race", ["Black only"])
    assert table.count(anyone) + table.count(~anyone) == len(frame) - 50


def answer(*, made: bool, **check):
    data = {"source": "x.csv"} | ({"derived": {"race": {"any_of": COLUMNS}}} if made else {})
    plan = AuditPlan(
        data=DataPlan(**data),
        decision=OutcomePlan(column="granted", favorable=("yes",)),
        checks=(CheckPlan(**check),),
    )
    assert AuditPlan.from_toml(plan.to_toml()) == plan
    [finding] = run(plan, table=people()).checks
    return finding


@pytest.mark.parametrize("made", [True, False])
def test_a_group_of_any_of_the_boxes_is_said_to_overlap(made):
    found = answer(made=made, protected=ANY)
    assert say(SAID) in found.result.warnings
    frame = people()
    assert found.result.protected.n == ((frame["race-1"] == "Black") | (frame["race-2"] == "Black")).sum()


def test_who_ticked_one_box_alone_is_apart():
    found = answer(made=True, protected="race = 'Black only'", compare=(("race",),))
    assert say(SAID) not in found.result.warnings and not found.not_compared
    names = sorted(row.name for row in found.groups[0].rows)
    assert names == [f"Asian{ONLY}", f"Black{ONLY}", f"White{ONLY}", "several"]
    assert sum(row.comparison.protected.n for row in found.groups[0].rows) == len(people())


@pytest.mark.parametrize("made", [True, False])
def test_groups_of_one_of_the_boxes_are_not_compared(made):
    found = answer(made=made, protected=ANY, compare=(("race-2",),))
    assert found.groups == () and len(found.not_compared) == 1


@pytest.mark.parametrize("values", [["Black only"], ["Black only", "Asian only"]])
def test_alone_or_with_others_is_put_together_of_the_boxes(values):
    frame = people()
    codes = frame.assign(**{name: frame[name].map({"Asian": 2, "Black": 3, "White": 5}) for name in COLUMNS})
    ticks = pd.DataFrame(
        {f"race_{v}": (frame[list(COLUMNS)] == v).any(axis=1) for v in ("Asian", "Black", "White")}
    ).assign(granted=frame["granted"])
    wanted = [value.removesuffix(ONLY) for value in values]
    expected = frame[list(COLUMNS)].isin(wanted).any(axis=1).sum()
    named = {"Asian only": "2 only", "Black only": "3 only"}
    for table, own in (
        (Table.from_pandas(frame, derived={"race": COLUMNS}), values),
        (Table.from_pandas(codes, derived={"race": COLUMNS}), [named[value] for value in values]),
        (Table.from_pandas(ticks, derived={"race": tuple(ticks)[:3]}), values),
    ):
        anyone = table.any_of_these("race", own)
        assert (table.count(anyone), table.count(~anyone)) == (expected, len(frame) - expected)
