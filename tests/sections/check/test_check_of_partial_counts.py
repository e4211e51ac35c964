"""A check of rounded and hidden counts: bounds that hold the truth and one verdict, from plan and command to report."""

from __future__ import annotations

import io
import json
import math
import tomllib
import zipfile

import numpy as np
import pandas as pd
import pytest

from fairaudit import check_strata, read_table, run
from fairaudit.cli.main import main
from fairaudit.columns import PartialReading
from fairaudit.errors import DisclosureError, InputError
from fairaudit.measure import check_groups, compare_counts
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ErrorsPlan, SubgroupsPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_report
from fairaudit.report.json_export import to_json
from fairaudit.sections.check import say_check
from fairaudit.sections.check.reading import read_check
from tests.support.json_schema import against_schema

READINGS = (
    PartialReading(5),
    PartialReading(1, (("<5", (1, 4)),)),
    PartialReading(10, (("[c]", (1, 9)),)),
)
FORMS = ({"favorable": "in", "others": "out"}, {"favorable": "in", "all": "every"}, {"others": "out", "all": "every"})
"""The wide forms; the long one has a row for each decision."""


def printed(reading: PartialReading, number: int) -> str:
    for text, (low, high) in reading.hidden:
        if low <= number <= high:
            return text
    return str(round(number / reading.rounded_to) * reading.rounded_to)


def drawn(rng: np.random.Generator) -> pd.DataFrame:
    """True numbers of cases of two groups in some areas."""
    rows = []
    for sex in "FM":
        scale, share = 10 ** rng.uniform(0.7, 3.3), rng.uniform(0.05, 0.95)
        rows += [
            (sex, f"area {area}", int(rng.poisson(scale * share)), int(rng.poisson(scale * (1 - share))))
            for area in range(rng.integers(1, 5))
        ]
    return pd.DataFrame(rows, columns=["sex", "area", "in", "out"]).assign(every=lambda f: f["in"] + f["out"])


def published(true: pd.DataFrame, number: int) -> tuple[bytes, DataPlan, OutcomePlan]:
    """The table as an office prints it, and what is said of it."""
    reading, form = READINGS[number % 3], number // 3 % 4
    said = {"rounded_to": reading.rounded_to}
    if form < 3:
        columns = FORMS[form]
        frame = true[["sex", "area", *columns.values()]]
        decision = OutcomePlan(column="decided", favorable=("in",))
    else:
        columns = "n"
        parts = [true[["sex", "area"]].assign(result=name, n=true[name]) for name in ("in", "out")]
        frame = pd.concat(parts)
        decision = OutcomePlan(column="result", favorable=("in",))
    counted = [columns] if isinstance(columns, str) else list(columns.values())
    frame = frame.assign(**{name: [printed(reading, n) for n in frame[name]] for name in counted})
    there = {cell for name in counted for cell in frame[name]}
    hidden = {text: ends for text, ends in reading.hidden if text in there}
    data = DataPlan(source="t.csv", counts=columns, hidden=hidden, **said)
    return frame.to_csv(index=False).encode(), data, decision


def assert_bounds_hold_the_truth(seed: int, n_tables: int) -> None:
    rng, verdicts = np.random.default_rng(seed), set()
    for number in range(n_tables):
        true = drawn(rng)
        content, data, decision = published(true, number)
        table = read_table(content, options=data.options)
        assert table.partial_counts is not None or not data.options.hidden
        if table.partial_counts is None:
            continue
        if data.counts != "n":
            [made] = [name for name in table.columns if name not in ("sex", "area")]
            good = "not out" if "others" in dict(data.counts.roles) and data.counts.favorable is None else "in"
            decision = OutcomePlan(column=made, favorable=(good,))
        plan = AuditPlan(
            data=data,
            decision=decision,
            checks=(CheckPlan(protected="sex = 'F'", tolerance=0.1),),
            report={"quality": False},
        )
        [finding] = run(AuditPlan.from_toml(plan.to_toml()), table=table).checks
        found = finding.result
        sums = true.groupby("sex")[["in", "every"]].sum()
        (k_p, n_p), (k_r, n_r) = (map(int, sums.loc[sex]) for sex in "FM")
        assert found.protected.n <= n_p <= found.protected.most_n and found.reference.n <= n_r <= found.reference.most_n
        verdicts.add(found.verdict)
        truth = compare_counts(k_p, n_p, k_r, n_r, tolerance=0.1)
        if not (n_p and n_r and math.isfinite(found.difference_bounds.low)):
            assert found.verdict in ("too_few_to_tell", truth.verdict)
            continue
        low, high = found.difference_bounds
        assert low - 1e-12 <= truth.difference <= high + 1e-12, (seed, number, found, truth)
        assert found.difference_interval.low <= truth.difference_interval.low + 1e-9
        assert found.difference_interval.high >= truth.difference_interval.high - 1e-9
        assert found.verdict in ("too_few_to_tell", truth.verdict), (seed, number, found, truth)
    if n_tables > 100:
        assert verdicts >= {"clear_gap", "gap_size_unclear", "no_gap_above_tolerance", "too_few_to_tell"}


def test_bounds_of_an_audit_hold_the_true_table():
    assert_bounds_hold_the_truth(1, 12)


@pytest.mark.thorough
def test_bounds_of_two_thousand_audits_hold_the_true_table():
    assert_bounds_hold_the_truth(2, 2000)


TABLE = """race,sex,selected,applicants
White,M,1021,2310
White,F,801,1870
Black,M,231,640
Black,F,246,702
Islander,M,<5,12
"""
COUNTED = ["--counts", "favorable=selected", "--counts", "all=applicants"]
ASKED = [*COUNTED, "--protected", "race <> 'White'"]
DATA = DataPlan(source="t.csv", counts={"favorable": "selected", "all": "applicants"}, hidden={"<5": (1, 4)})
DECISION = OutcomePlan(column="selected", favorable=("selected",))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    return path


def audit(**parts) -> AuditPlan:
    checks = (CheckPlan(protected="race <> 'White'"),)
    return AuditPlan(**{"data": DATA, "decision": DECISION, "checks": checks} | parts)


def test_the_command_asks_before_it_answers(table, capsys):
    assert main(["check", str(table), *ASKED]) == 2
    assert '--hidden "<5=0-4"' in capsys.readouterr().err


def test_the_command_gives_bounds_and_saves_what_was_said(table, capsys):
    saved = table.with_name("plan.toml")
    assert main(["check", str(table), *ASKED, "--hidden", "<5=1-4", "--save-plan", str(saved)]) == 0
    assert "Clear gap" in capsys.readouterr().out
    data = tomllib.loads(saved.read_text())["data"]
    assert data["hidden"] == {"<5": [1, 4]} and data["counts"] == {"favorable": "selected", "all": "applicants"}
    assert AuditPlan.load(saved).data.options.hidden == (("<5", (1, 4)),)
    [finding] = run(saved).checks
    assert finding.result.difference_bounds == pytest.approx((478 / 1354 - 1822 / 4180, 481 / 1354 - 1822 / 4180))


def test_a_command_of_another_question_refuses(table, capsys):
    answered = [*COUNTED, "--hidden", "<5=1-4"]
    asked = {
        "Worst groups": ["worst", str(table)],
        "The legal form": ["form", "eeoc_uniform_guidelines", str(table), "--column", "sex=sex"],
        "Rows that depend on each other": ["check", str(table), "--protected", "sex = 'F'", "--cluster", "race"],
    }
    assert main(["explain", str(table), *answered, "--protected", "sex = 'F'", "--control", "race=why"]) == 2
    assert "needs exact counts" in capsys.readouterr().err
    for name, command in asked.items():
        assert main([*command, *answered]) == 2
        # It is called as pages and commands call it, and not by its key in a plan.
        assert f"'{name}' needs exact counts" in capsys.readouterr().err


@pytest.mark.parametrize(
    "more",
    [
        {"subgroups": (SubgroupsPlan(),)},
        {"errors": (ErrorsPlan(by=("sex",)),)},
        {"changes": (ChangePlan(protected="sex = 'F'", column="race", cuts=("Black",)),)},
        {"checks": (CheckPlan(protected="sex = 'F'", cluster="race"),)},
    ],
    ids=str,
)
def test_a_plan_of_another_question_is_refused_in_a_sentence(table, more):
    with pytest.raises(InputError, match="needs exact counts"):
        run(audit(**more), base=table.parent)


def test_similar_cases_are_compared_within_bounds(table, capsys):
    command = ["check", str(table), *COUNTED, "--hidden", "<5=1-4", "--protected", "race <> 'White'"]
    assert main([*command, "--strata", "sex"]) == 0
    lines = capsys.readouterr().out.splitlines()
    men = next(line for line in lines if line.split()[:1] == ["M"])
    # 232 to 235 of 652 men against 1,021 of 2,310.
    assert "35.6 to 36.0" in men and "44.2 to 44.2" in men
    counted = read_table(table, options=DATA.options)
    with pytest.raises(InputError, match="needs exact counts"):
        check_strata(counted, decision="selected", favorable="selected", protected="sex = 'F'", strata="race")


def test_all_groups_and_similar_cases_have_bounds(table, capsys):
    check = CheckPlan(protected="race <> 'White'", compare=(("race",), ("sex",)), strata=("sex",))
    result = run(audit(checks=(check,)), base=table.parent)
    [finding] = result.checks
    assert finding.not_compared == ()
    women, men = finding.strata.strata
    assert women.comparison.difference == pytest.approx(246 / 702 - 801 / 1870)
    assert men.comparison.difference_bounds == pytest.approx((232 / 652 - 1021 / 2310, 235 / 652 - 1021 / 2310))
    weights = np.array([702 * 1870 / (702 + 1870), 652 * 2310 / (652 + 2310)])
    for end, gap in zip(finding.strata.common_difference_bounds, men.comparison.difference_bounds, strict=True):
        assert end == pytest.approx(weights @ [women.difference, gap] / weights.sum())
    assert read_check(finding).answer == "clear_gap" and read_check(finding).within == "same"
    races, sexes = finding.groups
    assert [row.name for row in races.rows] == ["Black", "Islander", "White"]
    assert races.rows[1].small and races.rows[1].comparison.verdict == "too_few_to_tell"
    white = races.rows[2].comparison
    assert white.difference_bounds == pytest.approx((1822 / 4180 - 481 / 1354, 1822 / 4180 - 478 / 1354))
    assert sexes.rows[0].comparison.verdict == sexes.rows[1].comparison.verdict == "no_gap_above_tolerance"
    assert against_schema(json.loads(to_json(result))) == [] and compose_report(result) is not None
    files = zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))).namelist()
    assert {"check_1_all_groups_1.csv", "check_1_strata.csv", "check_1_strata_together.csv"} <= set(files)
    ends = json.loads(to_json(result))["checks"][0]["strata"]["common_difference_bounds"]
    assert (ends["low"], ends["high"]) == pytest.approx(finding.strata.common_difference_bounds)
    answered = [*ASKED, "--hidden", "<5=1-4", "--by", "race"]
    assert main(["check", str(table), *answered]) == 0
    assert "Islander" in capsys.readouterr().out


def assert_groups_have_true_verdicts(seed: int, n_tables: int) -> set[str]:
    rng, verdicts = np.random.default_rng(seed), set()
    for number in range(n_tables):
        frames = [drawn(rng).assign(area=name).groupby(["sex", "area"], as_index=False).sum() for name in "NSE"]
        true = pd.concat(frames)
        content, data, _ = published(true, 3 + number % 3)
        table = read_table(content, options=data.options)
        if table.partial_counts is None:
            continue
        rows = [(area, result) for area, part in true.groupby("area") for result, n in
                (("in", part["in"].sum()), ("out", part["out"].sum())) for _ in range(n)]  # fmt: skip
        people = pd.DataFrame(rows, columns=["area", "result"])
        truth = check_groups(people, decision="result", favorable="in", by="area", tolerance=0.1)
        decision = OutcomePlan(column="in", favorable=("in",))
        check = CheckPlan(protected="sex = 'F'", compare=(("area",),), tolerance=0.1)
        plan = AuditPlan(data=data, decision=decision, checks=(check,), report={"quality": False})
        [found] = run(plan, table=table).checks[0].groups
        for own, row in zip(found.rows, truth.rows, strict=True):
            low, high = own.comparison.difference_bounds
            if math.isfinite(low):
                assert low - 1e-12 <= row.comparison.difference <= high + 1e-12
            assert own.comparison.verdict in ("too_few_to_tell", row.comparison.verdict), (number, own, row)
            verdicts.add(own.comparison.verdict)
    return verdicts


def test_bounds_of_groups_have_the_verdicts_of_the_true_groups():
    assert assert_groups_have_true_verdicts(5, 3)


@pytest.mark.thorough
def test_bounds_of_groups_of_many_tables_have_the_verdicts_of_the_true_groups():
    assert len(assert_groups_have_true_verdicts(6, 300)) >= 2


def test_small_counts_are_not_hidden_beside_bounds(table):
    result = run(audit(small_cells=SmallCellsPlan(mask=True)), base=table.parent)
    with pytest.raises(DisclosureError, match="needs exact counts"):
        to_json(result)


def test_report_json_and_tables_say_the_bounds(table):
    result = run(audit(), base=table.parent)
    values = json.loads(to_json(result))
    assert against_schema(values) == []
    [check] = values["checks"]
    assert check["verdict"] == "clear_gap" and check["detectable"] is None
    assert check["result"]["difference_bounds"]["low"] == pytest.approx(478 / 1354 - 1822 / 4180)
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        [name] = [each for each in bundle.namelist() if each.endswith("check_1_groups.csv")]
        groups = pd.read_csv(bundle.open(name))
    assert list(groups["positives"]) == [478, 1822] and list(groups["most_positives"]) == [481, 1822]
    assert compose_report(result) is not None


def said_keys(text: str, protected: str, **said) -> list[str]:
    plan = audit(data=DATA.model_copy(update=said), checks=(CheckPlan(protected=protected),))
    [finding] = run(plan, table=read_table(text.encode(), options=plan.data.options)).checks
    shown = say_check(finding)
    return [shown.headline.key, *(message.key for message in shown.lead)]


def test_what_is_said_follows_the_verdict():
    clear = ["check-headline-gap", "check-lead-bounds", "check-lead-bounds-gap", "check-sure-bounds-clear"]
    assert said_keys(TABLE, "race <> 'White'") == clear
    no_gap = ["check-headline-no-gap", "check-lead-bounds", "check-lead-bounds-gap", "check-sure-bounds-no-gap"]
    assert said_keys(TABLE, "sex = 'F'") == no_gap
    small = "sex,selected,applicants\nF,<5,20\nF,196,980\nM,270,1000\n"
    lead = ["check-lead-bounds", "check-lead-bounds-gap", "check-sure-bounds-perhaps-small"]
    assert said_keys(small, "sex = 'F'") == ["check-headline-gap-perhaps-small", *lead]
    open_gap = ["check-headline-bounds-open", "check-lead-bounds", "check-lead-bounds-gap", "check-sure-bounds-open"]
    assert said_keys(TABLE, "race = 'Islander'") == open_gap
    nobody = TABLE + "Other,F,*,*\n"
    answered = {"hidden": {"<5": (1, 4), "*": (0, 4)}}
    few = ["check-headline-bounds-open", "check-lead-bounds", "check-lead-bounds-nobody"]
    assert said_keys(nobody, "race = 'Other'", **answered) == few
