"""A table of counts is found by its shape, asked about, and never answered as if its rows were people."""

from __future__ import annotations

import itertools
import json
import re
import tomllib

import numpy as np
import pandas as pd
import pytest
from places import SAMPLES
from sweeps import part_of

from fairaudit import check_controlled_fairness, check_strata, compare_periods, explain_gap, find_subgroups, run
from fairaudit.cli.main import main
from fairaudit.columns import WideCounts
from fairaudit.conditions import Condition
from fairaudit.data import ReadOptions, Table, quality_report, read_table
from fairaudit.data.case_counts import count_column, is_weight_name, proposed_counts
from fairaudit.data.count_columns import is_count_name
from fairaudit.data.counted_rows import count_cases
from fairaudit.data.subprocess_reader import read_apart
from fairaudit.errors import FairauditError, InputError, PlanError
from fairaudit.measure import (
    check_errors,
    check_group_means,
    check_groups,
    check_mean_strata,
    check_means,
    check_similar,
)
from fairaudit.measure.inspections.outcome import outcome_test
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ControlPlan, ErrorsPlan, ExplanationPlan, SubgroupsPlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.json_export import to_json


def crossed(name: str = "freq", *, drop: int = 0, schools: int = 20) -> pd.DataFrame:
    """Every combination of school, year, sex and decision, with how many there are."""
    rows = list(itertools.product([f"s{i}" for i in range(schools)], [2023, 2024], ["girl", "boy"], ["in", "out"]))
    frame = pd.DataFrame(rows, columns=["school", "year", "sex", "decision"])
    frame[name] = [(i * 37) % 61 for i in range(len(frame))]
    return frame.iloc[drop:].reset_index(drop=True)


@pytest.mark.parametrize("name", ["freq", "N", "# Applicants", "number of cases", "Anzahl", "Häufigkeit", "n_people"])
def test_a_column_whose_name_says_so_is_found(name):
    assert count_column(Table.from_pandas(crossed(name, drop=5))) == name


def test_a_full_crossing_is_found_without_a_telling_name():
    assert count_column(Table.from_pandas(crossed("admitted_or_not", drop=5))) == "admitted_or_not"


def test_row_numbers_beside_the_counts_change_nothing():
    assert count_column(Table.from_pandas(crossed().reset_index())) == "freq"


def test_a_published_table_with_rates_stars_and_a_total_is_found():
    text = (
        "Race,Sex,# Applicants,# Selected,Selection Rate,Impact Ratio\n"
        'White,Male,"2,310","1,021",44.2%,1.00\nWhite,Female,"1,870",801,42.8%,0.97\n'
        "Black,Male,640,231,36.1%,0.82\nBlack,Female,702,246,35.0%,0.79\n"
        'Islander,Male,12,*,N/A,N/A\nUnknown,Unknown,"1,204",,,\nTotal,,"8,855","3,199",,\n'
    )
    columns = WideCounts("# Selected", all="# Applicants")
    table = read_table(text.encode(), options=ReadOptions(decimal_point=columns.columns))
    assert count_column(table) == "# Applicants" and proposed_counts(table) == columns
    with pytest.raises(InputError, match="'# Selected'"):
        count_cases(table, columns)
    left_out = {"Race": ["Total"], "# Selected": [""]}
    how = ReadOptions(missing=("*",), decimal_point=columns.columns, left_out=left_out, counts=columns)
    form = PresetPlan(preset="nyc144", columns={"race": "Race", "sex": "Sex"})
    decision = OutcomePlan(column="selected", favorable=("selected",))
    plan = PLAN.model_copy(update={"decision": decision, "presets": (form,)})
    table = read_table(text.encode(), options=how)
    [finding] = run(record_data(plan, table), table=table).presets
    printed = {"White, Male": 1.0, "White, Female": 0.97, "Black, Male": 0.82, "Black, Female": 0.79}
    found = {row.group.name: round(row.impact_ratio, 2) for row in finding.rates[-1].table.rows}
    assert found == printed


def test_counts_by_area_beside_other_figures_are_found():
    rows = list(itertools.product("NSW", ["White", "Black"]))
    frame = pd.DataFrame(rows, columns=["area", "race"]).assign(population=[520, 90, 140, 310, 210, 180])
    frame["searches"] = [52, 54, 42, 56, 139, 63]
    assert proposed_counts(Table.from_pandas(frame)) == WideCounts(others="searches", all="population")
    frame["stops"] = frame["searches"] + 20
    assert proposed_counts(Table.from_pandas(frame)) == WideCounts(others="searches", all="stops")


WIDE = {
    ("applicants", "selected"): WideCounts("selected", all="applicants"),
    ("# Applicants", "# Selected"): WideCounts("# Selected", all="# Applicants"),
    ("n_admitted", "n_rejected"): WideCounts("n_admitted", others="n_rejected"),
    ("total", "not_admitted"): WideCounts(others="not_admitted", all="total"),
}


@pytest.mark.parametrize(("names", "found"), WIDE.items(), ids=map(str, WIDE))
@pytest.mark.parametrize("more", [{}, {"rate": [0.5, 0.25, 0.125, 0.0]}])
def test_counts_in_two_columns_are_found_by_their_names(names, found, more):
    frame = pd.DataFrame(
        {"race": list("AABB"), "sex": list("FMFM"), names[0]: [40, 60, 50, 30], names[1]: [20, 9, 7, 3]}
    )
    table = Table.from_pandas(frame.assign(**more))
    assert proposed_counts(table) == found
    with pytest.raises(InputError) as caught:
        check_controlled_fairness(table, decision="race", favorable="A", protected="sex = 'F'")
    assert all(f"{role}={column}" in str(caught.value) for role, column in found.roles.items())


def test_how_much_of_something_a_person_passed_is_no_table_of_counts():
    n = 60
    frame = pd.DataFrame({"student": range(n), "sex": ["F", "M"] * (n // 2), "passed": [i % 5 for i in range(n)]})
    assert proposed_counts(Table.from_pandas(frame.assign(total=6))) is None


@pytest.mark.parametrize(
    "name",
    ["priors_count", "num_dependents", "number_of_children", "existing_credits", "case_number", "person", "no", "# "],
)
def test_how_many_of_something_a_person_has_does_not_count_cases(name):
    assert is_count_name(name) is (name == "# ")


PEOPLE = {
    "repeated combinations": crossed().loc[lambda f: f.index.repeat(2)],
    "a name of each person": crossed().assign(person=[f"p{i}" for i in range(160)]),
    "a number of each person, few combinations": crossed().sample(40, random_state=0).assign(person=range(40)),
    "every row counts one": crossed().assign(freq=1),
    "numbers with decimals": crossed().assign(freq=lambda f: f["freq"] + 0.5),
    "numbers below 0": crossed().assign(freq=lambda f: f["freq"] - 30),
    "few of all combinations, no name": crossed("score", schools=40).sample(100, random_state=1),
    "pay of each person": pd.DataFrame({"sex": list("FFFMMM"), "grade": [1, 2, 3, 1, 2, 3], "pay": [9, 8, 7, 9, 8, 6]}),
    "one column beside": pd.DataFrame({"sex": list("FMFMFMFM"), "n": range(2, 10)}),
}


@pytest.mark.parametrize("frame", PEOPLE.values(), ids=PEOPLE)
def test_tables_of_people_are_left_alone(frame):
    assert count_column(Table.from_pandas(frame)) is None


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.csv")), ids=lambda path: path.stem)
def test_no_sample_is_taken_for_a_table_of_counts(path):
    assert count_column(read_table(path)) is None


REAL = (
    "adult.csv.gz", "compas_two_years.csv.gz", "compas_fairml_5278.csv", "credit_default.csv.gz", "german_credit.csv",
    "propublica_data_for_fairml.csv", "ricci.csv", "salary_weisberg.csv", "student-por.csv", "communities_crime.csv.gz",
)  # fmt: skip


@pytest.mark.parametrize("name", part_of(REAL, REAL[4:6], rest="thorough"))
def test_no_real_table_of_people_is_taken_for_a_table_of_counts(name, shared_data):
    assert count_column(read_table(shared_data(name))) is None


ASKED = {"decision": "decision", "favorable": "in"}
JUDGED = {"outcome": "decision", "favorable": "in"}
GIRLS = ASKED | {"protected": "sex = 'girl'"}
AMOUNT = {"decision": "freq", "protected": "sex = 'girl'"}
PLAN = AuditPlan(data=DataPlan(source="x.csv"), decision=OutcomePlan(column="decision", favorable=("in",)))
DOORS = {
    "check_controlled_fairness": lambda t: check_controlled_fairness(t, **GIRLS),
    "check_strata": lambda t: check_strata(t, **GIRLS, strata="year"),
    "check_groups": lambda t: check_groups(t, **ASKED, by="sex"),
    "check_errors": lambda t: check_errors(t, **JUDGED, prediction="year = 2023", by="sex"),
    "check_means": lambda t: check_means(t, **AMOUNT),
    "check_group_means": lambda t: check_group_means(t, decision="freq", by="sex"),
    "check_mean_strata": lambda t: check_mean_strata(t, **AMOUNT, strata="year"),
    "check_similar": lambda t: check_similar(t, **AMOUNT, columns="year"),
    "explain_gap": lambda t: explain_gap(t, **GIRLS, controls="year"),
    "find_subgroups": lambda t: find_subgroups(t, **ASKED, columns=["sex", "year"]),
    "compare_periods": lambda t: compare_periods(t, t, **GIRLS),
    "outcome_test": lambda t: outcome_test(t, acted="year = 2024", found="decision = 'in'", group="sex"),
    "run of a check": lambda t: run(
        PLAN.model_copy(update={"checks": (CheckPlan(protected="sex = 'girl'"),)}), table=t
    ),
    "run of a form": lambda t: run(
        PLAN.model_copy(update={"presets": (PresetPlan(preset="nyc144", columns={"sex": ("sex",)}),)}), table=t
    ),
    "run of a remedy": lambda t: run(
        PLAN.model_copy(
            update={
                "models": ModelsPlan(features=("school", "year"), protected="sex = 'girl'"),
                "remedies": (PlainPlan(),),
            }
        ),
        table=t,
    ),
}


@pytest.mark.parametrize("ask", DOORS.values(), ids=DOORS)
def test_every_door_refuses_a_table_of_counts_and_names_the_column_and_the_option(ask):
    with pytest.raises(InputError) as caught:
        ask(Table.from_pandas(crossed()))
    assert "'freq'" in str(caught.value) and "rows_are_cases" in str(caught.value)


def test_a_full_panel_is_answered_where_its_amount_is_asked_about_and_refused_elsewhere():
    rows = list(itertools.product([f"s{i}" for i in range(20)], [2022, 2023, 2024]))
    panel = pd.DataFrame(rows, columns=["school", "year"])
    panel["budget"] = [20_000 + (i * 7_919) % 40_000 for i in range(len(panel))]
    assert count_column(Table.from_pandas(panel)) == "budget"
    late = panel.loc[panel["year"] == 2024, "budget"]
    asked = {"decision": "budget", "protected": "year = 2024"}
    assert check_means(panel, **asked).protected.mean == pytest.approx(late.mean())
    assert len(check_group_means(panel, decision="budget", by="year").rows) >= 2
    check_mean_strata(panel, **asked, strata="school")
    check_similar(panel, **asked, columns="school", n_neighbors=3)
    explain_gap(panel, **asked, controls="school")
    assert compare_periods(panel, panel, **asked).change == 0
    high = check_controlled_fairness(panel, **asked, favorable=Condition.parse("budget > 40000", panel))
    assert high.protected.positives == (late > 40_000).sum()
    amount = OutcomePlan(column="budget", amount=True)
    plan = PLAN.model_copy(update={"decision": amount, "checks": (CheckPlan(protected="year = 2024"),)})
    assert run(plan, table=panel).checks[0].result.protected.mean == pytest.approx(late.mean())
    with pytest.raises(InputError, match="rows_are_cases"):
        check_controlled_fairness(panel, decision="school", favorable="s1", protected="year = 2024")


def test_columns_of_counts_are_taken_where_they_are_asked_for():
    frame = crossed("searches").assign(hits=lambda f: f["searches"] // 2)
    found = outcome_test(frame, acted="searches", found="hits", group="sex")
    assert {rate.hits.n for rate in found.hit_rates} == set(frame.groupby("sex")["searches"].sum())


def test_who_says_that_rows_are_cases_gets_an_answer_and_the_plan_keeps_it():
    said = Table.from_pandas(crossed(), rows_are_cases=True)
    assert check_controlled_fairness(said, **GIRLS).protected.n == 80
    content = crossed().to_csv(index=False).encode()
    table = read_table(content, options=ReadOptions(rows_are_cases=True))
    plan = PLAN.model_copy(update={"checks": (CheckPlan(protected="sex = 'girl'"),)})
    kept = AuditPlan.from_toml(record_data(plan, table).to_toml())
    assert kept.data.reading.rows_are_cases
    again = run(kept, table=read_table(content), ignore_fingerprint=True)
    assert again.checks[0].result.protected.n == 80


def test_cases_that_are_written_out_are_counted_as_the_rows_that_they_stand_for():
    frame = crossed()
    repeated = frame.loc[frame.index.repeat(frame["freq"])].drop(columns="freq").reset_index(drop=True)
    expected = check_controlled_fairness(Table.from_pandas(repeated), **GIRLS)
    content = frame.to_csv(index=False).encode()
    tables = [
        Table.from_pandas(frame, counts="freq"),
        read_table(content, options=ReadOptions(counts="freq")),
        read_apart(content, name="counts", options=ReadOptions(counts="freq")),
    ]
    for table in tables:
        assert table.to_pandas().equals(repeated) and table.n_rows == frame["freq"].sum()
        assert table.fingerprint == Table.from_pandas(frame).fingerprint
        assert check_controlled_fairness(table, **GIRLS).difference == expected.difference
    assert quality_report(tables[0]).issues == () and ("counts",) not in tables[0].remembered


def test_a_plan_says_by_which_column_cases_are_written_out_and_repeats_it(tmp_path):
    crossed().to_csv(tmp_path / "x.csv", index=False)
    table = read_table(tmp_path / "x.csv", options=ReadOptions(counts="freq"))
    plan = record_data(PLAN.model_copy(update={"checks": (CheckPlan(protected="sex = 'girl'"),)}), table)
    assert tomllib.loads(plan.to_toml())["data"]["counts"] == "freq"
    kept = AuditPlan.from_toml(plan.to_toml())
    assert kept == plan and kept.digest == plan.digest
    n_girls = crossed().query("sex == 'girl'")["freq"].sum()
    for result in (run(kept, base=tmp_path), run(kept, table=crossed())):
        assert result.checks[0].result.protected.n == n_girls and result.data.mismatch is None
    with pytest.raises(PlanError, match="counts"):
        DataPlan(source="x.csv", reading=ReadOptions(counts="freq"))


SEEDED = range(12)
LEVELS = {"school": list("ABCD"), "sex": ["F", "M"], "year": [2023, 2024], "decision": ["in", "out"]}


def seeded(seed: int) -> tuple[Table, Table]:
    """A table of counts of some combinations, and the rows that they stand for."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(list(itertools.product(*LEVELS.values())), columns=list(LEVELS))
    frame["freq"] = rng.integers(0, 40, len(frame))
    frame = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
    rows = frame.loc[frame.index.repeat(frame["freq"])].drop(columns="freq").reset_index(drop=True)
    return Table.from_pandas(frame, counts="freq"), Table.from_pandas(rows, rows_are_cases=True)


LAW_PLAN = {
    "checks": (CheckPlan(protected="sex = 'F'", strata=("school",), compare=(("school",),)),),
    "errors": (ErrorsPlan(by=("sex",)),),
    "prediction": OutcomePlan(column="year", favorable_when="year = 2024"),
    "subgroups": (SubgroupsPlan(columns=("school", "sex"), min_rows=10),),
    "explanations": (ExplanationPlan(protected="sex = 'F'", controls=(ControlPlan(column="school", reason="asked"),)),),
    "changes": (ChangePlan(protected="sex = 'F'", column="year", cuts=(2024,)),),
    "models": ModelsPlan(features=("school", "year"), protected="sex = 'F'"),
    "remedies": (PlainPlan(),),
    "presets": (PresetPlan(preset="eeoc_uniform_guidelines", columns={"race": "school", "sex": "sex"}),),
}


@pytest.mark.parametrize("seed", SEEDED)
def test_every_question_remedy_and_form_answers_counts_as_the_rows_that_they_stand_for(seed):
    plan = PLAN.model_copy(update=LAW_PLAN)
    found = [json.loads(to_json(run(plan, table=table))) for table in seeded(seed)]
    for each in found:
        # What was brought differs, and so does what is said of it.
        each.pop("data"), each.pop("quality"), each["checks"][0].pop("sql")
    assert [each["presets"][0].pop("of_counts") for each in found] == [True, False]
    assert found[0] == found[1]


@pytest.mark.parametrize("mask", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_employees_by_race_and_sex_in_columns_are_the_rows_that_they_stand_for(seed, mask):
    """As the US commission prints them: a row for each state and job category, a column for each race and sex."""
    rng = np.random.default_rng(seed)
    groups = [f"{race} {sex}" for race in ("White", "Black or African American", "Asian") for sex in ("Men", "Women")]
    jobs = ("Managers", "Professionals", "Clerks", "Operatives")
    wide = pd.DataFrame(itertools.product(("Ohio", "Iowa", "Utah"), jobs), columns=["State", "Job Category"])
    wide = wide.assign(**{group: rng.poisson(rng.choice((3, 25, 60)), len(wide)) for group in groups})
    table = Table.from_pandas(wide, counts={group: group for group in groups})
    called = " or ".join(groups)
    long = wide.melt(["State", "Job Category"], groups, var_name=called, value_name="n")
    rows = long.loc[long.index.repeat(long["n"])].drop(columns="n").sample(frac=1, random_state=seed)
    women = f'"{called}" IN ({", ".join(f"{group!r}" for group in groups if group.endswith("Women"))})'
    plan = AuditPlan(
        data=DataPlan(source="x.csv"),
        decision=OutcomePlan(column="Job Category", favorable=("Managers", "Professionals")),
        checks=(CheckPlan(protected=women, strata=("State",), compare=((called,), ("State", called))),),
        explanations=(ExplanationPlan(protected=women, controls=(ControlPlan(column="State", reason="asked"),)),),
        presets=(PresetPlan(preset="eeoc_uniform_guidelines", columns={"race": called}),),
        small_cells=SmallCellsPlan(mask=mask),
    )
    found = [
        json.loads(to_json(run(plan, table=each))) for each in (table, Table.from_pandas(rows, rows_are_cases=True))
    ]
    for each in found:
        each.pop("data"), each.pop("quality"), each["checks"][0].pop("sql")
        # Why a form has no table by sex is said of counts in other words.
        each["presets"][0].pop("notes")
    assert [each["presets"][0].pop("of_counts") for each in found] == [True, False]
    assert found[0] == found[1]


def test_the_command_line_writes_cases_out(tmp_path, capsys):
    crossed().to_csv(tmp_path / "x.csv", index=False)
    plan = tmp_path / "plan.toml"
    asked = ["check", str(tmp_path / "x.csv"), "--decision", "decision", "--favorable", "in"]
    assert main([*asked, "--protected", "sex = 'girl'", "--counts", "freq", "--save-plan", str(plan)]) == 0
    said = capsys.readouterr().out
    own, others = (int(n.replace(",", "")) for n in re.findall(r"Compared: ([0-9,]+) [^,]*, ([0-9,]+) ", said)[0])
    assert own + others == crossed()["freq"].sum()
    assert AuditPlan.load(plan).data.counts == "freq"


def test_the_command_line_takes_the_decision_from_two_columns_of_counts(tmp_path, capsys):
    frame = pd.DataFrame({"sex": ["F", "M"], "admitted": [30, 45], "applicants": [100, 90]})
    frame.to_csv(tmp_path / "x.csv", index=False)
    plan = tmp_path / "plan.toml"
    asked = ["check", str(tmp_path / "x.csv"), "--protected", "sex = 'F'", "--save-plan", str(plan)]
    assert main([*asked, "--counts", "favorable=admitted", "--counts", "all=applicants"]) == 0
    saved = AuditPlan.load(plan)
    assert saved.data.counts == WideCounts("admitted", all="applicants")
    assert saved.decision == OutcomePlan(column="admitted", favorable=("admitted",))
    assert tomllib.loads(plan.read_text())["data"]["counts"] == {"favorable": "admitted", "all": "applicants"}
    assert run(saved, base=tmp_path).checks[0].result.protected.n == 100
    assert run(saved, table=Table.from_pandas(frame)).checks[0].result.protected.positives == 30
    capsys.readouterr()
    assert main(asked) == 2 and "--counts" in capsys.readouterr().err
    assert main([*asked, "--counts", "favorable=admitted", "--counts", "some=applicants"]) == 2


@pytest.mark.parametrize(
    "counts",
    [{"favorable": "n"}, {"favorable": "n", "all": "n"}, {"all": "a", "rest": "b"}, {"favorable": "n", "all": "x"}],
)
def test_two_columns_of_counts_that_are_not_two_are_refused(counts):
    with pytest.raises(InputError, match="'counts'"):
        Table.from_pandas(pd.DataFrame({"sex": ["F", "M"], "n": [3, 4]}), counts=counts)


@pytest.mark.parametrize("value", [-1, 2.5, None, "many", 2**60])
def test_numbers_that_count_no_cases_are_refused(value):
    frame = crossed().astype({"freq": object})
    frame.loc[3, "freq"] = value
    frame = frame if value == "many" else frame.astype({"freq": float})
    with pytest.raises(FairauditError, match="'freq'"):
        Table.from_pandas(frame, counts="freq")
    with pytest.raises(InputError, match="frequency"):
        Table.from_pandas(frame, counts="frequency")


def test_the_report_names_the_column_that_was_taken_for_no_counts(tmp_path):
    said = Table.from_pandas(crossed(), rows_are_cases=True)
    plan = PLAN.model_copy(update={"checks": (CheckPlan(protected="sex = 'girl'"),)})
    assert any("'freq'" in note for note in run(plan, table=said).data.notes)
    written = Table.from_pandas(crossed(), counts="freq")
    assert not any("was said" in note for note in run(plan, table=written).data.notes)


def test_the_quality_of_the_table_says_so():
    [issue] = [each for each in quality_report(Table.from_pandas(crossed())).issues if each.code == "counts_cases"]
    assert issue.column == "freq"


@pytest.mark.parametrize(
    "name",
    [
        "pweight",
        "FNLWGT",
        "PWGTP",
        "survey_weight",
        "Weighting",
        "expansion factor",
        "dweight",
        "pspwght",
        "anweight",
        "indinus_lw",
        "WTSSALL",
        "PERWT",
        "W_FSTUWT",
        "phrf",
        "finalwgt",
    ],
)
def test_a_name_of_weights_is_known(name):
    assert is_weight_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "weight",
        "birth_weight",
        "Gewicht",
        "weights_lifted",
        "risk factor",
        "sample",
        "wt",
        "overweight",
        "birthweight",
        "underweight",
        "lightweight",
    ],
)
def test_a_name_of_other_weights_is_none(name):
    assert not is_weight_name(name)


@pytest.mark.parametrize("asked", [{"favorable": "yes"}, {}])
def test_weights_of_a_survey_are_named_beside_the_answer_and_among_what_to_know(asked):
    n = 60
    people = {"sex": ["F", "M"] * n, "amount": [float(i % 7) for i in range(2 * n)], "pweight": [0.5, 1.0, 1.5] * 40}
    people |= {"granted": ["yes", "no", "no"] * 40}
    with pytest.raises(InputError, match="Column 'pweight' seems to hold weights"):
        check_means(pd.DataFrame(people), decision="amount", protected="sex = 'F'", tolerance=1)
    table = Table.from_pandas(pd.DataFrame(people), unweighted=True)
    if asked:
        answer = check_controlled_fairness(table, decision="granted", protected="sex = 'F'", **asked)
    else:
        answer = check_means(table, decision="amount", protected="sex = 'F'", tolerance=1)
    assert [w.reveals for w in answer.warnings if "'pweight'" in w] == ["setting"]
    assert [issue.column for issue in quality_report(table).issues if issue.code == "weights"] == ["pweight"]
    constant = Table.from_pandas(pd.DataFrame(people | {"pweight": 1.0}))
    assert not any(issue.code == "weights" for issue in quality_report(constant).issues)
