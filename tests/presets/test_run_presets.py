from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.data import Table
from fairaudit.errors import GroupError, InputError, MissingColumnError, PlanError
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.presets.filling import fill_plan, run_preset
from fairaudit.presets.plan import PresetPlan

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="hired", favorable=("yes",)))
BOTH = {"sex": "gender", "race": "race"}


def known(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return the rows with a value that means something in all of these columns."""
    return rows[(rows[columns].notna() & (rows[columns] != "unknown")).all(axis=1)]


@pytest.mark.parametrize(("preset", "any_unknown"), [("nyc144", True), ("eeoc_uniform_guidelines", False)])
def test_every_rate_is_that_of_the_rows(rows, table, preset, any_unknown):
    finding = run_preset(table, PLAN, PresetPlan(preset=preset, columns=BOTH, leave_out_small=False))
    decided = rows[rows["hired"].notna()]
    assert finding.n_population == len(rows) and finding.undecided == len(rows) - len(decided)
    assert [shown.table.columns for shown in finding.rates] == [("gender",), ("race",), ("race", "gender")]
    for shown in finding.rates:
        columns = list(shown.table.columns)
        used = known(decided, ["gender", "race"] if any_unknown else columns)
        expected = used.groupby(columns)["hired"].agg(n="size", positives=lambda s: (s == "yes").sum())
        assert len(shown.table.rows) == len(expected) and shown.table.n == len(used)
        assert shown.unknown == len(decided) - len(used)
        best = (expected["positives"] / expected["n"]).max()
        for row, (_, group) in zip(shown.table.rows, expected.iterrows(), strict=True):
            assert (row.group.n, row.group.positives) == (group["n"], group["positives"])
            assert row.impact_ratio == pytest.approx(group["positives"] / group["n"] / best)


def test_scoring_rates_are_those_of_the_rows(rows, table):
    columns = {**BOTH, "score": "score"}
    finding = run_preset(table, PLAN, PresetPlan(preset="nyc144", columns=columns, where="area = 'north'"))
    inside = rows[rows["area"] == "north"]
    assert finding.median == inside["score"].median()
    used = known(inside[inside["score"].notna()], ["gender", "race"])
    above = used["score"] > finding.median
    expected = above.groupby(used["gender"]).mean()
    assert [row.group.ratio for row in finding.rates[0].table.rows] == pytest.approx(list(expected))
    assert finding.undecided == inside["score"].isna().sum() and finding.where == "area = 'north'"


def test_means_are_those_of_the_rows(rows, table):
    part = PresetPlan(
        preset="fair_lending", columns={**BOTH, "amounts": ["pay", "score"]}, references={"sex": "F", "race": "B"}
    )
    finding = run_preset(table, PLAN, part)
    assert [(shown.table.column, shown.table.columns) for shown in finding.means] == [
        (column, by) for column in ("pay", "score") for by in (("gender",), ("race",))
    ]
    for shown in finding.means:
        used = known(rows, list(shown.table.columns))
        means = used.groupby(shown.table.columns[0])[shown.table.column].mean()
        spread = used[shown.table.column].std(ddof=1)
        base = means[{"gender": "F", "race": "B"}[shown.table.columns[0]]]
        assert [row.standardized for row in shown.table.rows] == pytest.approx(list((means - base) / spread))
    assert [shown.table.reference for shown in finding.rates] == ["F", "B"]


def test_one_query_counts_all_rates_and_one_each_column_of_amounts(table, monkeypatch):
    asked = []
    for name in ("counts", "moments", "to_pandas"):
        whole = getattr(Table, name)
        monkeypatch.setattr(
            Table, name, lambda *a, _whole=whole, _name=name, **k: (asked.append(_name), _whole(*a, **k))[1]
        )
    scored = PresetPlan(preset="nyc144", columns={**BOTH, "score": "score"}, where="pay > 60")
    run_preset(table, PLAN, scored)
    assert sorted(asked) == ["counts", "moments"]
    asked.clear()
    run_preset(table, PLAN, PresetPlan(preset="fair_lending", columns={**BOTH, "amounts": ["pay", "score"]}))
    # One more count: the values of the good outcome are looked up.
    assert asked.count("moments") == 2 and "to_pandas" not in asked


def test_the_order_of_the_rows_and_the_names_of_columns_do_not_matter(rows):
    part = PresetPlan(preset="nyc144", columns=BOTH)
    one = run_preset(rows, PLAN, part)
    other = run_preset(rows.sample(frac=1, random_state=1), PLAN, part)
    assert one.rates == other.rates
    odd = rows.rename(columns={"gender": "n", "race": 'sel"ected'})
    named = run_preset(odd, PLAN, PresetPlan(preset="nyc144", columns={"sex": "n", "race": 'sel"ected'}))
    assert [[r.group for r in t.table.rows] for t in named.rates] == [
        [r.group for r in t.table.rows] for t in one.rates
    ]


def test_a_table_is_left_out_where_its_column_is_and_the_note_says_so(table):
    finding = run_preset(table, PLAN, PresetPlan(preset="eeoc_uniform_guidelines", columns={"sex": "gender"}))
    assert [shown.table.columns for shown in finding.rates] == [("gender",)]
    assert any("Race or ethnicity" in note for note in finding.notes)


def test_groups_of_numbers_and_booleans_are_groups_too():
    frame = pd.DataFrame({"g": [1, 1, 2, 2] * 5, "b": [True, False] * 10, "hired": ["yes", "no", "yes", "yes"] * 5})
    finding = run_preset(frame, PLAN, PresetPlan(preset="nyc144", columns={"sex": "b", "race": "g"}))
    assert [row.name for row in finding.rates[1].table.rows] == ["1", "2"]
    assert [row.name for row in finding.rates[0].table.rows] == ["False", "True"]


@pytest.mark.parametrize(
    ("part", "error", "message"),
    [
        ({"preset": "nyc144", "columns": {"sex": "gender"}}, InputError, "needs a column for 'Race/ethnicity'"),
        ({"preset": "nyc144", "columns": {**BOTH, "pay": "pay"}}, InputError, "has no role 'pay'"),
        ({"preset": "nyc144", "columns": {**BOTH, "race": "rase"}}, MissingColumnError, "no column 'rase'"),
        ({"preset": "nyc144", "columns": {**BOTH, "score": "area"}}, InputError, "must hold numbers"),
        ({"preset": "nyc144", "columns": {"sex": "gender", "race": "gender"}}, InputError, "different columns"),
        ({"preset": "nyc144", "columns": {"sex": ["gender", "area"], "race": "race"}}, InputError, "takes one column"),
        ({"preset": "nyc144", "columns": BOTH, "where": "score > 1000"}, GroupError, "nobody has both"),
        ({"preset": "fair_lending", "columns": {"amounts": "pay"}}, InputError, "one column that makes groups"),
        (
            {"preset": "fair_lending", "columns": {"sex": "gender"}, "references": {"sex": "X"}},
            GroupError,
            "no reference group 'X'",
        ),
        ({"preset": "other", "columns": BOTH}, PlanError, "no preset 'other'"),
    ],
)  # fmt: skip
def test_what_cannot_be_filled_is_refused_with_a_sentence(table, part, error, message):
    with pytest.raises(error, match=message):
        run_preset(table, PLAN, PresetPlan(**part))


def test_nobody_with_a_score_is_refused(rows):
    frame = rows.assign(score=np.nan)
    with pytest.raises((GroupError, InputError)):
        run_preset(frame, PLAN, PresetPlan(preset="nyc144", columns={**BOTH, "score": "score"}))


def test_a_decision_that_is_an_amount_gives_means_only_and_a_scoring_rate(table):
    amounts = PLAN.model_copy(update={"decision": OutcomePlan(column="pay", amount=True)})
    lending = run_preset(table, amounts, PresetPlan(preset="fair_lending", columns={**BOTH, "amounts": "pay"}))
    assert not lending.rates and lending.means and any("No rates" in note for note in lending.notes)
    scored = run_preset(table, amounts, PresetPlan(preset="nyc144", columns={**BOTH, "score": "score"}))
    assert scored.rates
    with pytest.raises(InputError, match="cannot be filled"):
        run_preset(table, amounts, PresetPlan(preset="nyc144", columns=BOTH))


def test_a_plan_with_forms_is_kept_as_toml_and_runs(table):
    parts = (
        PresetPlan(preset="nyc144", columns=BOTH, reason='few "people"\n[columns]', leave_out_small=True),
        PresetPlan(preset="fair_lending", columns={**BOTH, "amounts": ["pay", "score"]}, references={"race": "A"}),
    )
    plan = PLAN.model_copy(update={"presets": parts})
    again = AuditPlan.from_toml(plan.to_toml())
    assert again == plan and again.digest == plan.digest
    result = run(again, table=table)
    assert [finding.plan for finding in result.presets] == list(parts) and result.within_tolerance


HEAD = 'schema_version = 1\ndata = {source = "a.csv"}\n[decision]\ncolumn = "c"\nfavorable = ["y"]\n'
FORM, SEX = '[[presets]]\npreset = "nyc144"\n', '[presets.columns]\nsex = "a"'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '[[presets]]\npreset = "nyc144"\n[presets.columns]\nsex = 3',
            r"'presets.1.columns.sex' in line 9 of the plan",
        ),
        (
            '[[presets]]\npreset = "nyc144"\nrows = 3\n[presets.columns]\nsex = "a"',
            "'presets.1.rows' in line 8 of the plan is not known",
        ),
        (
            '[[presets]]\npreset = "nyc144"\n[presets.columns]\nsex = "a"\n[presets.references]\nrace = "b"',
            "'references' for 'race'",
        ),
        (
            f'{FORM}audit_date = "May 2026"\n{SEX}',
            "'presets.1.audit_date' in line 8 of the plan must be a day of .*'May",
        ),
        (f'{FORM}distribution_date = ""\n{SEX}', "'presets.1.distribution_date' in line 8 .* of the calendar, got ''"),
        (f'{FORM}audit_date = "2026-02-30"\n{SEX}', "must be a day of the calendar, got '2026-02-30'"),
        (f'{FORM}audit_date = "20260301"\n{SEX}', "must be a day of the calendar, got '20260301'"),
        (f"{FORM}audit_date = 2026-03-01T10:00:00\n{SEX}", "must be a day of the calendar, got '2026-03-01 10:00:00'"),
        (f"{FORM}audit_date = 2026\n{SEX}", "must be a day of the calendar, got '2026'"),
    ],
)
def test_a_plan_with_a_bad_form_is_shown_with_its_line(line, message):
    with pytest.raises(PlanError, match=message):
        AuditPlan.from_toml(HEAD + line)


@pytest.mark.parametrize("written", ["2026-03-01", '"2026-03-01"', '" 2026-03-01 "'])
def test_a_day_is_the_same_as_a_date_of_toml_and_as_text(written):
    plan = AuditPlan.from_toml(f"{HEAD}{FORM}audit_date = {written}\n{SEX}")
    assert plan.presets[0].audit_date == "2026-03-01" and plan.presets[0].distribution_date is None
    again = AuditPlan.from_toml(plan.to_toml())
    assert again == plan and again.digest == plan.digest


def test_a_date_that_is_no_day_says_what_to_write():
    with pytest.raises(PlanError) as error:
        AuditPlan.from_toml(f'{HEAD}{FORM}audit_date = "1.3.2026"\n{SEX}')
    assert error.value.hint == "Write its year, month and day, such as 2026-03-01, or leave it out."


def test_a_small_group_with_the_highest_rate_is_no_side_of_a_question():
    groups = {"A": (500, 200), "B": (500, 250), "tiny": (5, 5)}
    rows = [("x", name, "yes" if i < good else "no") for name, (n, good) in groups.items() for i in range(n)]
    table = Table.from_pandas(pd.DataFrame(rows, columns=["gender", "race", "hired"]))
    finding = run_preset(table, PLAN, PresetPlan(preset="nyc144", columns=BOTH))
    assert finding.rates[1].table.reference == "tiny"
    assert [check.reference for check in fill_plan(PLAN, finding, table).checks] == ["B"], "nobody is beside x"


def test_filling_an_audit_asks_about_everybody_but_the_reference(table):
    plan = PLAN.model_copy(update={"checks": (CheckPlan(protected="area = 'north'"),), "protected_columns": ("area",)})
    finding = run_preset(table, plan, PresetPlan(preset="nyc144", columns=BOTH, where="pay > 60"))
    filled = fill_plan(plan, finding, table)
    assert filled.protected_columns == ("area", "gender", "race") and len(filled.checks) == 2
    assert [check.tolerance for check in filled.checks] == [finding.preset.tolerance] * 2
    result = run(filled, table=table)
    by_sex, by_race = result.checks
    rates = {row.name: row.group for row in finding.rates[1].table.rows}
    base = by_race.plan.reference
    assert by_race.groups[0].reference == base != finding.rates[
        1
    ].table.reference == "tiny" and by_race.plan.where.startswith("pay > 60")
    assert by_sex.groups[1].columns == ("race", "gender")
    assert "unknown" not in {row.name for row in by_sex.groups[0].rows}, "a text that means unknown is no group"
    assert by_race.result.reference.n >= rates[base].n
