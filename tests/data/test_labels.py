"""Codes with labels: the answers are those of a table in which the labels stood from the beginning."""

from __future__ import annotations

import json
import sqlite3
from random import Random

import duckdb
import pandas as pd
import pytest

from fairaudit import AuditPlan, Table, check_controlled_fairness, connect_table, read_table, run
from fairaudit.columns import Column, ReadOptions, labels_of
from fairaudit.errors import ConditionError, InputError, PlanError
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure import check_groups
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.data import record_data
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import Block
from fairaudit.presets.plan import PresetPlan
from fairaudit.report.composing import compose_report
from fairaudit.report.json_export import to_json

LABELS = {
    "sex": {"1": "man", "2": "woman"},
    "region": {"1": "north", "2": "south", "3": "west"},
    "school": {"a": "grammar school", "b": "day school"},
    "granted": {"0": "refused", "1": "granted"},
}


def people(n: int = 900, seed: int = 3) -> pd.DataFrame:
    random = Random(seed)
    rows = []
    for _ in range(n):
        sex, region, school = random.choice((1, 2)), random.choice((1, 1, 2, 3)), random.choice("ab")
        points = random.randrange(20, 90)
        granted = random.random() < 0.3 + 0.2 * (sex == 1) + 0.1 * (region == 3) + 0.003 * points
        rows.append((sex, region, school, points, int(granted)))
    return pd.DataFrame(rows, columns=["sex", "region", "school", "points", "granted"])


def with_words(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table as it is with the labels written into the file beforehand."""
    return frame.assign(**{name: frame[name].astype(str).map(codes) for name, codes in LABELS.items()})


ASKED = """
schema_version = 1
protected_columns = ["sex"]

[data]
source = "people.csv"

[decision]
column = "granted"
favorable = [{good}]
verb = "were granted a place"

[models]
features = ["region", "school", "points"]
protected = "{women}"

[[checks]]
protected = "{women}"
where = "{where}"
strata = ["region"]
compare = [["sex"], ["sex", "region"]]

[[subgroups]]
columns = ["sex", "region", "school", "points"]
protected = ["sex"]

[[presets]]
preset = "eeoc_uniform_guidelines"

[presets.columns]
sex = "sex"
race = "region"

[small_cells]
mask = {mask}
"""
BY_CODE = {"good": "1", "women": "sex = 2", "where": "region IN (1, 2) OR region = 3 AND school <> 'b'"}
IN_WORDS = {
    "good": '"granted"',
    "women": "sex = 'woman'",
    "where": "region IN ('north', 'south') OR region = 'west' AND school <> 'day school'",
}
NAMED_BY_CODE = {
    "sex": {"1": "man", "2": "woman"},
    "action": {"1": "place given", "2": "place kept for later", "3": "no place"},
}
UNNAMED = """
schema_version = 1

[data]
source = "people.csv"

[decision]
column = "action"
{good}

[prediction]
column = "foreseen"
{foreseen}

[[checks]]
protected = "{women}"
compare = [["sex"]]

[[errors]]
by = ["sex"]

[names.groups.sex]
{woman} = "women"
"""
REMEDY = '\n[[remedies]]\nmethod = "{}"\n'
LIMITS = 'constraints = ["demographic_parity by sex <= 0.05"]\n'


def answered(folder, frame: pd.DataFrame, asked: str, *, labels=None) -> dict:
    """Return what leaves as JSON, without what names the data and the plan."""
    path = folder / "people.csv"
    frame.to_csv(path, index=False)
    plan = AuditPlan.from_toml(asked)
    plan = plan.model_copy(update={"data": plan.data.model_copy(update={"labels": labels or {}})})
    found = json.loads(to_json(run(plan, base=folder)))
    return without_plan({name: part for name, part in found.items() if name not in ("data", "plan_digest", "quality")})


def report_of(folder, frame: pd.DataFrame, asked: str, labels) -> tuple[Block, ...]:
    """Return the blocks of the report of a plan."""
    frame.to_csv(folder / "people.csv", index=False)
    plan = AuditPlan.from_toml(asked)
    plan = plan.model_copy(update={"data": plan.data.model_copy(update={"labels": labels})})
    return compose_report(run(plan, base=folder)).blocks


def without_plan(part):
    """Return what was found without what was asked, which may name codes, and the query over the rows of the file."""
    if isinstance(part, list):
        return [without_plan(each) for each in part]
    if isinstance(part, dict):
        return {name: without_plan(each) for name, each in part.items() if name not in ("plan", "sql")}
    return part


@pytest.mark.parametrize("mask", ["false", "true"])
def test_labels_answer_as_the_words_written_into_the_file(tmp_path, mask):
    frame = people()
    labelled = answered(tmp_path, frame, ASKED.format(**BY_CODE, mask=mask), labels=LABELS)
    written = answered(tmp_path, with_words(frame), ASKED.format(**IN_WORDS, mask=mask))
    assert labelled == written


@pytest.mark.parametrize(
    ("good", "in_words"),
    [
        ("favorable = [1]", 'favorable = ["place given"]'),
        ('favorable = ["1", 2]', 'favorable = ["place given", "place kept for later"]'),
        ('favorable_when = "{} = 1"', "favorable_when = \"{} = 'place given'\""),
    ],
)
def test_a_favourable_code_is_said_by_its_label(tmp_path, good, in_words):
    random = Random(9)
    frame = pd.DataFrame({"sex": [random.choice((1, 2)) for _ in range(400)]})
    frame["action"] = [random.choice((1, 2, 3)) for _ in frame["sex"]]
    frame["foreseen"] = [a if random.random() < 0.7 else random.choice((1, 2, 3)) for a in frame["action"]]
    labels = {**NAMED_BY_CODE, "foreseen": NAMED_BY_CODE["action"]}
    words = frame.assign(**{name: frame[name].astype(str).map(codes) for name, codes in labels.items()})

    def asked(result: str, women: str, woman: str) -> str:
        outcomes = {"good": result.format("action"), "foreseen": result.format("foreseen")}
        return UNNAMED.format(**outcomes, women=women, woman=woman)

    labelled = answered(tmp_path, frame, asked(good, "sex = 2", "2"), labels=labels)
    assert labelled == answered(tmp_path, words, asked(in_words, "sex = 'woman'", "woman"))
    text = str(report_of(tmp_path, frame, asked(good, "sex = 2", "2"), labels))
    assert text == str(report_of(tmp_path, words, asked(in_words, "sex = 'woman'", "woman"), {}))
    assert "place given" in text and "Women" in text


@pytest.mark.parametrize(
    "method",
    ["thresholds", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("relabel", "rules", "constrain"))],
)
def test_remedies_with_labels_are_those_of_the_words(tmp_path, method):
    frame = people(500)
    remedy = REMEDY.format(method) + LIMITS * (method == "constrain")
    labelled = answered(tmp_path, frame, ASKED.format(**BY_CODE, mask="true") + remedy, labels=LABELS)
    written = answered(tmp_path, with_words(frame), ASKED.format(**IN_WORDS, mask="true") + remedy)
    assert labelled == written


def conditions(random: Random) -> tuple[str, str]:
    """Return a condition in codes and the same in words."""
    name = random.choice(["sex", "region", "school"])
    codes = random.sample(sorted(LABELS[name]), random.randint(1, len(LABELS[name])))
    negated = random.choice(["", "NOT "])
    as_numbers = [code if code.isdecimal() and random.random() < 0.5 else f"'{code}'" for code in codes]
    words = [f"'{LABELS[name][code]}'" for code in codes]
    if len(codes) == 1:
        sign = random.choice(["=", "<>"])
        return f"{negated}{name} {sign} {as_numbers[0]}", f"{negated}{name} {sign} {words[0]}"
    within = random.choice(["IN", "NOT IN"])
    return tuple(f"{negated}{name} {within} ({', '.join(each)})" for each in (as_numbers, words))


@pytest.mark.parametrize("seed", range(200))
def test_conditions_take_codes_and_labels_and_print_labels(seed):
    random = Random(seed)
    labelled, written = labelled_people, written_people
    by_code, in_words = conditions(random)
    other_code, other_words = conditions(random)
    joined = random.choice(["AND", "OR"])
    found = labelled.condition(f"({by_code}) {joined} ({other_code})")
    same = written.condition(f"({in_words}) {joined} ({other_words})")
    assert str(found) == str(same) == str(labelled.condition(f"({in_words}) {joined} ({other_words})"))
    assert labelled.count(found) == written.count(same) == found.mask(labelled.to_pandas()).sum()


labelled_people = Table.from_pandas(people(200), labels=LABELS)
written_people = Table.from_pandas(with_words(people(200)))


def test_codes_that_are_texts_are_met_by_text_and_by_number():
    frame = pd.DataFrame({"area": ["01", "02", "10", "10", None]})
    table = Table.from_pandas(frame, labels={"area": {"01": "north", "02": "south"}})
    assert table.columns["area"] == Column("area", "text", (("01", "north"), ("02", "south")))
    assert [table.count(f"area = {what}") for what in ("1", "'01'", "'north'", "'1'", "10", "'10'")] == [
        1, 1, 1, 0, 2, 2,
    ]  # fmt: skip
    without = {"n": Count(1), "values": Phrase("'10'"), "column": Phrase("'area'")}
    assert table.notes == (say(Message("read-without-label", without)),)


def test_numbers_with_a_decimal_point_and_truth_values_have_labels_too():
    frame = pd.DataFrame({"x": [1.0, 2.0, 2.5, None], "member": [True, False, True, None]})
    labels = {"x": {1: "one", "2.0": "two"}, "member": {"true": "member", "false": "guest"}}
    held = Table.from_pandas(frame, labels=labels).to_pandas()
    assert held["x"].fillna("-").tolist() == ["one", "two", "2.5", "-"]
    assert held["member"].fillna("-").tolist() == ["member", "guest", "member", "-"]


def test_a_favorable_value_may_be_a_code_or_a_label():
    for good in (1, "1", "granted", 1.0):
        found = check_controlled_fairness(labelled_people, decision="granted", favorable=good, protected="sex = 2")
        assert found.protected.positives == written_people.count("sex = 'woman' AND granted = 'granted'")


def test_a_reference_may_be_a_code_or_a_label(tmp_path):
    found = [
        check_groups(labelled_people, decision="granted", favorable=1, by="region", reference=each)
        for each in (2, "2", "south")
    ]
    assert [each.reference for each in found] == ["south"] * 3
    path = tmp_path / "people.csv"
    people(200).to_csv(path, index=False)
    forms = []
    for reference in ("2", "south"):
        plan = AuditPlan(
            data=DataPlan(source="people.csv", labels=LABELS),
            decision=OutcomePlan(column="granted", favorable=(1,)),
            presets=(
                PresetPlan(
                    preset="fair_lending",
                    columns={"race": ("region",), "sex": ("sex",)},
                    references={"race": reference, "sex": "1"},
                    unknown={"race": ("3",)},
                ),
            ),
        )
        forms.append(without_plan(json.loads(to_json(run(plan, base=tmp_path)))["presets"]))
    assert forms[0] == forms[1]


def test_codes_with_labels_have_no_order():
    for text in ("region >= 2", "region BETWEEN 1 AND 2", "region < '3'"):
        with pytest.raises(ConditionError, match="'region' have labels"):
            labelled_people.condition(text)


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        ({"sexes": {"1": "man"}}, ["'sexes'"]),
        ({"sex": {"1": "man", "2": "man"}}, ["'1'", "'2'", "'man'"]),
        ({"sex": {"1": "man", "01": "boy"}}, ["'1'", "'man'", "'boy'"]),
        ({"sex": {"1": "2", "2": "woman"}}, ["'1'", "'2'"]),
        ({"sex": {"1": "2"}}, ["'1'", "'2'"]),
        ({"sex": {"7": "x", "8": "y"}}, ["'sex'", "'7'", "'8'", "'1'", "'2'"]),
        ({"sex": {"1": " "}}, ["'1'"]),
        ({"day": {"1": "x"}}, ["'day'"]),
    ],
)
def test_what_cannot_be_a_label_is_refused_by_name(labels, named):
    frame = people(50).assign(day=pd.Timestamp("2024-01-31"))
    with pytest.raises(InputError) as refused:
        Table.from_pandas(frame, labels=labels)
    assert all(each in refused.value.message for each in named), refused.value.message


def test_a_plan_keeps_labels_and_reads_by_them(tmp_path):
    path = tmp_path / "people.csv"
    people().to_csv(path, index=False)
    table = read_table(path, options=ReadOptions(labels=labels_of(LABELS)))
    plan = AuditPlan(
        data=DataPlan(source="people.csv"),
        decision=OutcomePlan(column="granted", favorable=(1,)),
        checks=(CheckPlan(protected="sex = 2"),),
        small_cells=SmallCellsPlan(mask=True),
    )
    saved = record_data(plan, table)
    assert saved.data.labels == LABELS and saved.data.options == table.source.options
    text = saved.to_toml()
    assert "[data.labels.sex]" in text
    again = AuditPlan.from_toml(text)
    assert again == saved and again.digest == saved.digest
    found = run(again, base=tmp_path).checks[0].result.protected.n
    given = run(again, table=read_table(path), ignore_fingerprint=True).checks[0].result.protected.n
    assert found == given == int((table.to_pandas()["sex"] == "woman").sum())


def test_a_plan_with_labels_under_reading_is_told_where_they_stand():
    with pytest.raises(PlanError, match="'labels', which stands under"):
        AuditPlan.from_toml(
            'schema_version = 1\n[data]\nsource = "x.csv"\n[data.reading.labels]\nsex = {}\n[decision]\n'
            'column = "y"\nfavorable = ["1"]\n'
        )


def test_the_query_of_a_check_counts_the_rows_of_the_file(tmp_path):
    frame = people()
    table = Table.from_pandas(frame, labels=LABELS)
    plan = AuditPlan(
        data=DataPlan(source="people.csv"),
        decision=OutcomePlan(column="granted", favorable=(1,)),
        checks=(CheckPlan(protected="sex = 2"),),
    )
    sql = run(plan, table=table).checks[0].sql
    with duckdb.connect() as database:
        database.register("rows", frame)
        database.register("floats", frame.astype({"sex": float}))
        for name in ("rows", "floats"):
            counted = dict(database.execute(sql.replace('"table"', name)).df().set_index("group")["n"])
            assert counted == {"protected": (frame["sex"] == 2).sum(), "reference": (frame["sex"] == 1).sum()}


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_a_table_in_a_database_reads_labels_as_a_file_does(tmp_path, engine):
    frame = people(300)
    path = tmp_path / f"people.{engine}"
    if engine == "duckdb":
        with duckdb.connect(str(path)) as database:
            database.register("frame", frame)
            database.execute("CREATE TABLE people AS SELECT * FROM frame")
    else:
        with sqlite3.connect(path) as database:
            frame.to_sql("people", database, index=False)
        database.close()
    table = connect_table(f"{engine}:///{path}", table="people", labels=LABELS)
    written = Table.from_pandas(with_words(frame))
    found, expected = (
        each.counts(["sex", "region", "granted"], where="school = 'day school'") for each in (table, written)
    )
    pd.testing.assert_frame_equal(found, expected)
    pd.testing.assert_frame_equal(
        table.counts(["sex"], where="region = 3"), written.counts(["sex"], where="region = 'west'")
    )
    drawn = table.sample(100, by=["sex"], seed=1).table
    assert drawn.count("sex = 2") == drawn.count("sex = 'woman'") > 0
    table.close()


def test_a_file_that_is_read_where_it_lies_has_labels_and_they_come_before_counts(tmp_path):
    frame = people(300)
    frame.to_parquet(tmp_path / "people.parquet")
    table = read_table(tmp_path / "people.parquet", options=ReadOptions(labels=labels_of(LABELS)))
    assert table.source.in_place
    assert table.fingerprint == Table.from_pandas(with_words(frame)).fingerprint
    counted = read_table(
        b"sex,ok,n\n1,yes,3\n2,yes,1\n1,no,2\n2,no,4\n",
        options=ReadOptions(counts="n", labels=labels_of({"sex": LABELS["sex"]})),
    )
    assert counted.count("sex = 2") == counted.count("sex = 'woman'") == 5
    held = read_table((tmp_path / "people.parquet").read_bytes(), options=ReadOptions(labels=labels_of(LABELS)))
    assert held.fingerprint == table.fingerprint
