"""The forms are filled where the data are: counts and moments come from the engine, and are those of memory."""

from __future__ import annotations

import sqlite3

import duckdb
import pytest
from hired_people import drawn

from fairaudit.data.engines.connect import connect_table
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.filling import run_preset
from fairaudit.presets.plan import PresetPlan

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="hired", favorable=("yes",)))
COLUMNS = {"sex": "gender", "race": "race"}
PARTS = [
    PresetPlan(preset="nyc144", columns=COLUMNS, where="area = 'north'"),
    PresetPlan(preset="nyc144", columns={**COLUMNS, "score": "score"}),
    PresetPlan(preset="fair_lending", columns={**COLUMNS, "amounts": ["pay", "score"]}),
    PresetPlan(preset="nyc144", columns=COLUMNS, unknown={"race": "tiny"}, known={"sex": "unknown"}),
]


@pytest.fixture(scope="module")
def urls(tmp_path_factory) -> dict[str, str]:
    folder, rows = tmp_path_factory.mktemp("bases"), drawn()
    with sqlite3.connect(folder / "a.sqlite") as base:
        rows.to_sql("people", base, index=False)
    base.close()
    with duckdb.connect(str(folder / "a.duckdb")) as base:
        base.register("rows", rows)
        base.execute("CREATE TABLE people AS SELECT * FROM rows")
    return {"sqlite": f"sqlite:///{folder / 'a.sqlite'}", "duckdb": f"duckdb:///{folder / 'a.duckdb'}"}


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("part", PARTS, ids=["selection", "scoring", "lending", "unknown"])
def test_a_form_of_a_connected_table_is_that_of_memory(urls, table, engine, part):
    there = run_preset(connect_table(urls[engine], table="people"), PLAN, part)
    here = run_preset(table, PLAN, part)
    assert there.unknown_texts == here.unknown_texts and there.unknown_values == here.unknown_values
    assert there.rates == here.rates and there.median == here.median
    assert (there.n_population, there.undecided) == (here.n_population, here.undecided)
    for one, other in zip(there.means, here.means, strict=True):
        assert [row.n for row in one.table.rows] == [row.n for row in other.table.rows]
        expected = pytest.approx([row.standardized for row in other.table.rows])
        assert [row.standardized for row in one.table.rows] == expected
