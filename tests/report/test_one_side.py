"""Tables that people read speak of the same people as the sentences; exports stay the favourable result."""

from __future__ import annotations

from dataclasses import replace

import made_up
import pandas as pd
import pytest
import remedies_by_hand as by_hand

from fairaudit.audit.running import run
from fairaudit.findings import Group, Message, Word
from fairaudit.measure.grouping import MISSING
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ControlPlan, ExplanationPlan, SubgroupsPlan
from fairaudit.present.blocks import Chart, TableBlock, as_read, records
from fairaudit.present.charts.gaps import read_strata
from fairaudit.present.naming import gap_head
from fairaudit.report.composing import compose_annexes
from fairaudit.report.tables import all_tables
from fairaudit.sections.check.tables import ShareFigures, strata_table
from fairaudit.sections.compare.models import joint_tables, summary_table
from fairaudit.sections.remedy.tables import remedy_tables

POINTS = Word("points")


@pytest.fixture(scope="module")
def searched():
    """An audit of who was searched, where not to be searched is the favourable result."""
    cells = (("F", 2011, 300, 500), ("M", 2011, 150, 650), ("F", 2012, 390, 410), ("M", 2012, 160, 640))
    rows = [
        (sex, ("x", "y")[i % 2], year, word)
        for sex, year, *n in cells
        for word, times in zip(("yes", "no"), n, strict=True)
        for i in range(times)
    ]
    frame = pd.DataFrame(rows, columns=["sex", "area", "year", "searched"])
    protected = "sex = 'F'"
    plan = AuditPlan(
        data=DataPlan(source="s.csv"),
        decision=OutcomePlan(column="searched", favorable=("no",)),
        checks=(CheckPlan(protected=protected, strata=("area",)),),
        changes=(ChangePlan(protected=protected, column="year", cuts=(2012,)),),
        explanations=(ExplanationPlan(protected=protected, controls=(ControlPlan(column="area", reason="work"),)),),
        subgroups=(SubgroupsPlan(columns=("sex", "area")),),
    )
    return run(plan, table=frame)


def by_key(tables) -> dict[str, TableBlock]:
    return {table.key: table for table in tables if isinstance(table, TableBlock)}


def test_annexes_read_one_side_and_files_keep_the_favourable_result(searched):
    [change], [worst] = searched.changes, searched.subgroups
    assert change.names.of_unfavorable and worst.names.of_unfavorable
    read = by_key(compose_annexes(searched).blocks)
    kept = by_key(all_tables(searched))
    for key, gap in (("change_1_periods", "gap"), ("subgroups_1", "gap"), ("explanation_1_parts", "value")):
        own, other = ([row[gap] for row in records(table)] for table in (as_read(read[key]), kept[key]))
        assert sorted(own) == pytest.approx(sorted(-value for value in other)) and any(own)
    [first, last] = records(as_read(read["change_1_periods"]))
    assert (first["protected_share"], last["protected_share"]) == pytest.approx((300 / 800, 390 / 800))
    assert first["gap"] > 0 and first["gap_interval"][0] < first["gap"] < first["gap_interval"][1]
    assert records(kept["change_1_periods"])[0]["protected_share"] == pytest.approx(500 / 800)


def test_a_chart_says_of_which_result_the_numbers_of_its_file_are(searched):
    charts = [block for block in compose_annexes(searched).blocks if isinstance(block, Chart) and block.table_key]
    assert {chart.table_key for chart in charts} >= {"check_1_groups", "change_1_periods", "subgroups_1"}
    assert all(chart.is_turned for chart in charts)


def test_tables_of_remedies_are_read_on_the_side_of_sentences():
    found = by_hand.remedies(("plain", "relabel"))
    facts = replace(found.facts, names=replace(found.facts.names, of_unfavorable=True))
    turned = replace(found, facts=facts)
    own, other = (records(as_read(summary_table(each))) for each in (turned, found))
    for one, same in zip(own, other, strict=True):
        assert one["gap"] == pytest.approx(-same["gap"]) and one["good_share"] == pytest.approx(1 - same["good_share"])
        assert one["accuracy"] == same["accuracy"]
    assert summary_table(turned).rows == summary_table(found).rows
    tables = by_key([*remedy_tables(found.remedies[1], facts, 1), *joint_tables(turned)])
    assert all(table.is_turned for table in tables.values())
    [row, _] = records(as_read(tables["remedy_1_population"]))
    assert row["after"] == pytest.approx(1 - found.remedies[1].after.fairness.protected.ratio)


def test_tables_of_remedies_call_groups_as_sentences_do_and_files_do_not():
    found = by_hand.remedies()
    facts = replace(found.facts, names=replace(found.facts.names, protected=Group("women"), others=Group("men")))
    tables = by_key(remedy_tables(found.remedies[0], facts, 1))
    for key, column in (("remedy_1_population", "role"), ("remedy_1_groups", "group")):
        read = [row[column] for row in records(as_read(tables[key]))]
        assert "men" in read and not {"everyone else", "the rest"} & set(read)
        assert "men" not in {row[column] for row in records(tables[key])}


def labels_of(table: TableBlock) -> dict[str, str]:
    return {column.name: column.label for column in table.columns}


def test_heads_name_the_groups_of_the_audit_and_the_order_of_subtraction(searched):
    names = replace(searched.checks[0].names, protected=Group("women"), others=Group("men"))
    named = replace(
        searched,
        checks=tuple(replace(each, names=names) for each in searched.checks),
        changes=tuple(replace(each, names=names) for each in searched.changes),
        explanations=tuple(replace(each, names=names) for each in searched.explanations),
    )
    read = by_key(compose_annexes(named).blocks)
    order = gap_head(names, "points")
    assert order == say(Message("column-gap", {"protected": names.protected, "others": names.others, "unit": POINTS}))
    assert labels_of(read["check_1_strata"])["gap"] == labels_of(read["change_1_periods"])["gap"] == order
    assert labels_of(read["explanation_1_parts"])["value"] == order
    assert labels_of(read["subgroups_1"])["gap"] == say(Message("column-gap-group", {"unit": POINTS}))
    assert labels_of(read["change_1_change"])["value"] == say(Message("column-change", {"unit": POINTS}))
    heads = labels_of(read["check_1_strata"])
    assert (heads["protected_n"], heads["reference_n"]) == ("women, rows", "men, rows")
    [drawn] = [each for each in compose_annexes(named).blocks if getattr(each, "key", "") == "check_1_strata_chart"]
    axis = say(Message("axis-within", {"protected": names.protected, "others": names.others}))
    assert axis in drawn.chart.to_json()


def test_heads_of_remedies_name_the_groups_and_the_order_of_subtraction():
    found = by_hand.remedies(("relabel", "relabel"))
    names = replace(found.facts.names, protected=Group("women"), others=Group("men"))
    named = replace(found, facts=replace(found.facts, names=names))
    assert labels_of(summary_table(named))["gap"] == gap_head(names, "points")
    for table in joint_tables(named):
        heads = labels_of(table)
        assert heads["gap"] == gap_head(names, "points")
        assert (heads["protected_share"], heads["reference_share"]) == ("women", "men")


def test_a_stratum_of_no_known_value_is_called_so_and_its_file_keeps_its_name():
    strata = made_up.strata(["a", None])
    table = strata_table(strata, 1, ShareFigures())
    assert MISSING in {row["stratum_1"] for row in records(table)}
    unknown = say(Message("stratum-unknown"))
    assert unknown in {row["stratum_1"] for row in records(as_read(table))}
    assert unknown in {name for name, *_ in read_strata(strata.strata)}
