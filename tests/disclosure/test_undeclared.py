"""What does not say who may see it is in no export: each class and each frame gets a secret more."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import typing
import zipfile
from dataclasses import is_dataclass, replace

import alternatives_by_hand
import amounts_by_hand
import inspections_by_hand
import numpy as np
import pandas as pd
import pytest
import remedies_by_hand as by_hand
from trees_by_hand import trees_details
from whole_report import whole_report

from fairaudit.audit.people import People
from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import run
from fairaudit.catalog import REMEDIES, SECTIONS
from fairaudit.columns import ByGroup, ConnectionFacts
from fairaudit.data.engines.sampling import SampledStratum
from fairaudit.data.quality import QualityReport
from fairaudit.data.table import Table as DataTable
from fairaudit.disclosure import gate
from fairaudit.disclosure.fields import column, columns, export_of, figure
from fairaudit.disclosure.hidden import only_declared
from fairaudit.errors import DisclosureError
from fairaudit.findings import Amount, Count, Group, Message, Phrase, Points, Share, Word
from fairaudit.findings.names import ErrorNames, GroupName, Names, SearchNames
from fairaudit.measure.inspections.results import ThresholdTest
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.period_results import PeriodComparison, PeriodLine
from fairaudit.measure.results import (
    BoundsComparison,
    ControlledBounds,
    ErrorComparison,
    GroupBounds,
    GroupComparison,
    Interval,
    ScoreComparison,
    StratifiedBounds,
)
from fairaudit.measure.watching import GapWatch, WatchAlarm
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ControlPlan, ErrorsPlan, ExplanationPlan, SubgroupsPlan
from fairaudit.present.blocks import Chart
from fairaudit.presets.findings import MeansFinding, PayFinding, PresetFinding, RatesFinding, Record, RecordEntry
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.sections.alternatives.finding import AlternativesFinding
from fairaudit.sections.alternatives.plan import AlternativesPlan
from fairaudit.sections.rankings.finding import RankingsFinding
from fairaudit.sections.rankings.plan import RankingsPlan
from fairaudit.sections.watch.finding import WatchFinding
from fairaudit.sections.watch.plan import WatchPlan
from fairaudit.study.amounts.findings import AmountRemediesFinding
from fairaudit.study.certified import CertifiedLimit
from fairaudit.study.findings import RemediesFinding, StudyFacts
from fairaudit.study.judging.results import STRATA, Evaluation, WithinStrata, WorseOff, Yardstick
from fairaudit.study.sampled import SampleFacts
from fairaudit.subgroups.results import SubgroupSearch

LATE = {
    kind.__name__: kind
    for kind in (
        QualityReport,
        PresetFinding,
        AmountRemediesFinding,
        RemediesFinding,
        AlternativesFinding,
        RankingsFinding,
        WatchFinding,
    )
}
"""Classes that the module of `AuditResult` names for types only."""
STAYS = {
    AuditResult: ["published", "people"], Yardstick: ["evaluation"], StudyFacts: ["judged"],
    Evaluation: ["prediction"], GroupComparison: ["asked"], ErrorComparison: ["asked", "sampled"],
    ScoreComparison: ["asked", "worth"], SubgroupSearch: ["asked"], PeriodComparison: ["cut_by", "cuts"],
    PeriodLine: ["cut_by", "cuts"], ThresholdTest: ["finds"], GapWatch: ["sums"],
}  # fmt: skip
"""Fields that never leave: they decide what is hidden, how sure a sample with weights is, or say what was asked."""
SECRET = re.compile(r"secret of (\w+(?:\.\w+)?)")
DETAILS = [remedy.details for remedy in REMEDIES if remedy.details is not None]
WRITTEN_BY_FIELD = {
    kind.__name__
    for kind in (
        AuditResult,
        *LATE.values(),
        RatesFinding,
        MeansFinding,
        PayFinding,
        Record,
        RecordEntry,
        *DETAILS,
    )
}
"""What the JSON writes field by field."""
ANY_ARGUMENT = Message(
    "verdict-clear-gap",
    {
        "a": Share(0.5),
        "b": Points(0.5),
        "c": Amount(0.5),
        "d": Count(5),
        "e": Group("x"),
        "f": Phrase("x"),
        "g": Word("x"),
    },
)
WRITTEN_BY_FIELD |= {
    kind.__name__
    for kind in (ErrorNames, GroupName, Names, SearchNames, Message, Share, Points, Amount, Count, Group, Phrase, Word)
}
"""What things are called stands in sentences, and not in the JSON."""
NOT_KNOWN = NotKnown("loan", ("lapsed",), "good", 3, 3, 0, ("protected",), "loan <> 'lapsed'")
SAMPLE = SampleFacts("PostgreSQL", ("protection",), (SampledStratum(("protected",), 50, 90),), 50, 90, 1)


def classes_below(kind: type, found: dict[type, None] | None = None) -> dict[type, None]:
    """Return a class and all that its fields may hold, by their types."""
    found = {} if found is None else found
    if is_dataclass(kind) and kind not in found:
        found[kind] = None
        for name, hint in typing.get_type_hints(kind, localns=LATE | {"People": People}).items():
            if name not in STAYS.get(kind, []):
                classes_below(hint, found)
    for part in typing.get_args(kind):
        classes_below(part, found)
    return found


def all_classes() -> list[type]:
    found = classes_below(AuditResult)
    for details in DETAILS:
        classes_below(details, found)
    return list(found)


CLASSES = all_classes()
REFUSED = {ByGroup, GroupBounds, BoundsComparison, ControlledBounds, StratifiedBounds}
"""What stands in answers beside which small counts cannot be hidden."""


def audit_of_rates() -> AuditResult:
    """Return an audit with a bit of everything; its remedies are those of another one."""
    draw = np.random.default_rng(3)
    n = 600
    frame = pd.DataFrame(
        {
            "sex": draw.choice(["F", "M"], n),
            "race": draw.choice(["A", "B", "C"], n, p=[0.6, 0.38, 0.02]),
            "score": draw.random(n).round(3),
            "pay": draw.normal(100, 15, n).round(),
            "hired": draw.choice(["yes", "no"], n),
            "said": draw.choice(["yes", "no"], n),
            "country": "here",
            "number": range(n),
        }
    )
    frame["form"] = np.where(frame["pay"] < 100, "old", "new")
    plan = AuditPlan(
        data=DataPlan(source="x.csv"),
        decision=OutcomePlan(column="hired", favorable=("yes",)),
        prediction=OutcomePlan(column="said", favorable=("yes",)),
        score=ScorePlan(column="score"),
        checks=(CheckPlan(protected="sex = 'F'", strata=("race",), compare=(("race",), ("sex", "race"))),),
        errors=(ErrorsPlan(by=("race",)),),
        subgroups=(SubgroupsPlan(columns=("race", "sex", "pay", "country"), min_rows=5),),
        explanations=(
            ExplanationPlan(
                protected="sex = 'F'", controls=(ControlPlan(column="race", reason="it may"),), proxies=True
            ),
        ),
        changes=(
            ChangePlan(protected="sex = 'F'", column="pay", cuts=(100,), strata=("race",)),
            ChangePlan(protected="sex = 'F'", column="pay", cuts=(90, 110)),
        ),
        watches=(WatchPlan(batches="pay", protected="sex = 'F'"),),
        presets=(
            PresetPlan(preset="eeoc_uniform_guidelines", columns={"sex": "sex", "race": "race"}),
            PresetPlan(preset="fair_lending", columns={"sex": "sex", "race": "race", "amounts": ["pay"]}),
            PresetPlan(
                preset="uk_gender_pay_gap",
                columns={"sex": "sex", "pay": "pay", "bonus": "pay"},
                compared={"sex": ("F",)},
                compared_with={"sex": ("M",)},
            ),
            PresetPlan(preset="ai_act_bias_profile"),
        ),
    )
    result = run(plan, table=frame)
    alarm = WatchAlarm("3", "lower")
    # Its test cases are of other people.
    found = by_hand.remedies(sample=SAMPLE, not_known=(NOT_KNOWN,), judged=None)
    tree = replace(
        by_hand.remedy("rules"), name="A tree", plan=TreesPlan(), details=trees_details(by_hand.GROUPS, by_hand.AFTER)
    )
    worse_off = WorseOff(asked=True, kept=True, groups=(by_hand.group_change("women", "worse off", 0.4, 0.3),))
    yardsticks = (by_hand.yardstick("constant", evaluation=None),)
    gaps = pd.DataFrame([("a", 40, 60, -0.1, 0.1, 0.0, -0.05, 0.05)], columns=list(STRATA))
    ends = (Interval(-0.1, 0.1),) * 3
    change = (0.1, Interval(0.0, 0.2))
    within = WithinStrata(("area",), (), -0.1, 0.1, 0.0, *ends, *change, 0.05, gaps)
    held = CertifiedLimit(
        confidence=0.9, n_rows=60, n_candidates=4, n_certified=0, p_value=0.2, ratio=0.7, n_needed=300
    )
    first = replace(found.remedies[0], yardsticks=yardsticks, worse_off=worse_off, within=within, certified=held)
    found = replace(found, remedies=(first, *found.remedies[1:], tree))
    plans = tuple(remedy.plan for remedy in found.remedies)
    return replace(
        result,
        plan=plan.model_copy(
            update={"models": found.facts.plan, "remedies": plans, "alternatives": (AlternativesPlan(),)}
        ),
        data=replace(result.data, connection=ConnectionFacts("PostgreSQL")),
        checks=tuple(replace(check, not_known=(NOT_KNOWN,)) for check in result.checks),
        inspections=(inspections_by_hand.finding(),),
        alternatives=(alternatives_by_hand.finding(),),
        watches=tuple(replace(each, result=replace(each.result, alarm=alarm)) for each in result.watches),
        remedies=found,
    )


def audit_of_amounts() -> AuditResult:
    plan = amounts_by_hand.plan().model_copy(
        update={
            "models": ModelsPlan(features=("grade", "area"), protected="sex = 'F'"),
            "remedies": (PlainPlan(model="linear_regression"), TreesPlan(max_depth=1, amount_difference=300.0)),
            "presets": (PresetPlan(preset="fair_lending", columns={"sex": "sex", "amounts": ["pay"]}),),
        }
    )
    return run(plan, table=amounts_by_hand.pay())


def with_secret_columns(value, place: str = ""):
    """Return a copy in which each frame has one more column."""
    if is_dataclass(value):
        kind = type(value).__name__
        parts = {
            f.name: with_secret_columns(getattr(value, f.name), f"{kind}.{f.name}") for f in dataclasses.fields(value)
        }
        return replace(value, **parts)
    if type(value) is tuple:
        return tuple(with_secret_columns(part, place) for part in value)
    return value.assign(diary=f"secret of {place}") if isinstance(value, pd.DataFrame) else value


def audit_of_open_cases() -> AuditResult:
    """Return an audit of times of which some are open."""
    draw = np.random.default_rng(5)
    n = 600
    so_far = draw.integers(1, 90, n)
    frame = pd.DataFrame(
        {"sex": draw.choice(["F", "M"], n), "so_far": so_far, "days": np.where(draw.random(n) < 0.3, np.nan, so_far)}
    )
    plan = AuditPlan(
        data=DataPlan(source="x.csv"),
        decision=OutcomePlan(column="days", amount=True, higher_is_favorable=False),
        checks=(CheckPlan(protected="sex = 'F'", open_since="so_far"),),
    )
    return run(plan, table=frame)


def audit_of_weights() -> AuditResult:
    frame = pd.DataFrame({"sex": ["F", "M"] * 30, "ok": [1, 0, 1] * 20, "w": [1.0, 2.0, 0.5] * 20})
    plan = AuditPlan(
        data=DataPlan(source="x.csv", weights="w"),
        decision=OutcomePlan(column="ok", favorable=(1,)),
        checks=(CheckPlan(protected="sex = 'F'"),),
    )
    return run(plan, table=frame)


def audit_of_counts() -> AuditResult:
    counted = pd.DataFrame({"sex": ["F", "M"], "hired": [40, 60], "applied": [100, 110]})
    table = DataTable.from_pandas(counted, counts={"favorable": "hired", "all": "applied"})
    plan = AuditPlan(
        data=DataPlan(source="x.csv").read_by(table.source.options),
        decision=OutcomePlan(column="hired", favorable=("hired",)),
        checks=(CheckPlan(protected="sex = 'F'"),),
    )
    return run(plan, table=table)


def audit_of_levels() -> AuditResult:
    draw = np.random.default_rng(6)
    frame = pd.DataFrame(
        {name: draw.choice(list(of), 400) for name, of in (("sex", "FM"), ("area", "ab"), ("grade", "ABC"))}
        | {"guess": draw.choice(list("ABC"), 400)}
    )
    plan = AuditPlan(
        data=DataPlan(source="x.csv"),
        decision=OutcomePlan(column="grade", favorable=("A",), levels=("A", "B", "C"), ordered=True),
        prediction=OutcomePlan(column="guess", favorable=("A",), levels=("A", "B", "C"), ordered=True),
        errors=(ErrorsPlan(by=("sex",), strata=("area",)),),
        checks=(CheckPlan(protected="sex = 'F'", strata=("area",), compare=(("area",),)),),
    )
    return run(plan, table=frame)


def audit_of_rankings() -> AuditResult:
    draw = np.random.default_rng(7)
    frame = pd.DataFrame(
        {"list": np.repeat(range(20), 20), "sex": draw.choice(["F", "M"], 400), "points": draw.random(400)}
    ).assign(kind=np.repeat(["a", "b"], 200))
    plan = AuditPlan(
        data=DataPlan(source="x.csv"),
        rankings=(
            RankingsPlan(
                protected="sex = 'F'", score="points", first=5, lists=("list",), merit="points", strata=("kind",)
            ),
        ),
    )
    return run(plan, table=frame)


def answer_to_a_worker() -> AuditResult:
    """Return an audit that is not exported where small counts are hidden."""
    draw = np.random.default_rng(8)
    frame = pd.DataFrame({"sex": draw.choice(["F", "M"], 90), "grade": "A", "pay": draw.normal(100, 15, 90).round()})
    form = PresetPlan(
        preset="eu_pay_information", columns={"sex": "sex", "category": "grade", "pay": "pay"}, worker="number = 1"
    )
    plan = AuditPlan(data=DataPlan(source="x.csv"), decision=OutcomePlan(column="pay", amount=True), presets=(form,))
    return run(plan, table=frame.assign(number=range(90)))


@pytest.fixture(scope="module")
def audits() -> dict[str, AuditResult]:
    rates, amounts = audit_of_rates(), audit_of_amounts()
    first, *others = rates.checks
    rates = replace(rates, checks=(replace(first, names=replace(first.names, what=ANY_ARGUMENT)), *others))
    found = {"rates": rates, "amounts": amounts, "open": audit_of_open_cases()}
    found |= {"weighted": audit_of_weights(), "counted": audit_of_counts()}
    found |= {"levels": audit_of_levels(), "rankings": audit_of_rankings(), "answer": answer_to_a_worker()}
    return {name: with_secret_columns(each) for name, each in found.items()}


@pytest.fixture(params=["rates", "amounts", "open"])
def result(request, audits) -> AuditResult:
    return audits[request.param]


def heirs_of(kind: type) -> set[type]:
    """Return the classes made of a class, at any distance."""
    return {each for heir in kind.__subclasses__() for each in (heir, *heirs_of(heir))}


def hiding(result: AuditResult, mask: bool) -> AuditResult:
    return replace(result, plan=result.plan.model_copy(update={"small_cells": SmallCellsPlan(mask=mask, minimum=10)}))


@pytest.fixture
def one_more_field(monkeypatch):
    """Give each class a field that declares nothing and holds a secret; classes made of these pass it on."""

    def widen(kind: type, secret: str | None) -> None:
        [field] = dataclasses.fields(
            dataclasses.make_dataclass("More", [("diary", str, dataclasses.field(default=secret))])
        )
        made = kind.__init__

        def init(self, *values, diary=secret, **options):
            made(self, *values, **options)
            object.__setattr__(self, "diary", diary)

        monkeypatch.setitem(kind.__dataclass_fields__, "diary", field)
        monkeypatch.setattr(kind, "__init__", init)
        monkeypatch.setattr(kind, "diary", secret, raising=False)

    heirs = {heir for kind in CLASSES for heir in heirs_of(kind)} - set(CLASSES)
    for kind in CLASSES:
        widen(kind, f"secret of {kind.__name__}")
    for kind in heirs:
        widen(kind, None)


def secrets_of(value) -> set[str]:
    """Return the secrets that an object holds anywhere."""
    if is_dataclass(value):
        return {found for field in dataclasses.fields(value) for found in secrets_of(getattr(value, field.name))}
    if isinstance(value, tuple):
        return {found for part in value for found in secrets_of(part)}
    return set(SECRET.findall(value.to_csv() if isinstance(value, pd.DataFrame) else str(value)))


def texts_of(result: AuditResult) -> dict[str, str]:
    """Return all that is exported, as text."""
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        tables = " ".join(bundle.read(name).decode("utf-8-sig") for name in bundle.namelist())
    printed = " ".join(
        json.dumps(block.chart.to_dict(validate=False)) if isinstance(block, Chart) else repr(block)
        for block in whole_report(result).blocks
    )
    return {"JSON": to_json(result), "CSV": tables, "PDF": printed}


def holders(result: AuditResult) -> set[type]:
    """Return the classes of all that a result holds."""
    if is_dataclass(result):
        named = {field.name for field in dataclasses.fields(result)}.difference(STAYS.get(type(result), ()))
        below = (holders(getattr(result, name)) for name in named)
        return {type(result)}.union(*below)
    return set().union(*map(holders, result)) if isinstance(result, tuple) else set()


@dataclasses.dataclass(frozen=True)
class Table:
    """A finding by hand that declares one column."""

    frame: pd.DataFrame = figure("How many.", columns(n=column(int, "How many.")))


@dataclasses.dataclass(frozen=True)
class Cell:
    """What a cell may hold."""

    n: int = figure()
    who: str | None = None


@pytest.mark.thorough
def test_the_audits_hold_each_class_that_can_be_exported(audits):
    assert set().union(*map(holders, audits.values())) == set(CLASSES) - REFUSED


@pytest.mark.thorough
def test_the_audits_ask_every_kind_of_question(audits):
    unasked = [each for each in SECTIONS if not any(each.found(result) for result in audits.values())]
    assert not unasked, "ask it in one of the audits above"


@pytest.mark.parametrize("kind", CLASSES)
def test_every_field_says_who_may_see_it(kind):
    never = [field.name for field in dataclasses.fields(kind) if export_of(field) == "never"]
    assert never == STAYS.get(kind, [])


@pytest.mark.thorough
@pytest.mark.usefixtures("one_more_field")
@pytest.mark.parametrize("mask", [True, False])
def test_what_is_not_declared_is_in_no_export(result, mask):
    asked = hiding(result, mask)
    assert secrets_of(asked) and not secrets_of(gate.exported(asked))
    assert {name for name, text in texts_of(asked).items() if SECRET.search(text)} == set()


@pytest.mark.thorough
@pytest.mark.usefixtures("one_more_field")
@pytest.mark.parametrize("mask", [True, False])
def test_without_the_gate_it_would_be(result, mask, monkeypatch):
    monkeypatch.setattr(gate, "only_declared", lambda value: value)
    asked = hiding(result, mask)
    planted, left, written = secrets_of(asked), secrets_of(gate.exported(asked)), set(SECRET.findall(to_json(asked)))
    assert len(left) > min(15, len(planted) / 2) if mask else left == planted
    assert left - written <= WRITTEN_BY_FIELD


def test_a_class_that_declares_nothing_does_not_leave(audits):
    @dataclasses.dataclass(frozen=True)
    class Stranger:
        n: int = 3

    result = audits["rates"]
    for stranger in (Stranger(), object(), [3], {"n": 3}, pd.Series([3])):
        for name in ("checks", "quality", "versions"):
            with pytest.raises(DisclosureError, match=type(stranger).__name__):
                gate.exported(replace(result, **{name: (stranger,)}))


def test_what_is_declared_leaves_as_it_is():
    result = without_what_stays(audit_of_rates())
    assert only_declared(result) is result


def without_what_stays(value):
    if is_dataclass(value):
        gone = STAYS.get(type(value), [])
        own = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return replace(
            value, **{name: None if name in gone else without_what_stays(held) for name, held in own.items()}
        )
    return tuple(map(without_what_stays, value)) if type(value) is tuple else value


@pytest.mark.parametrize(
    "held",
    [
        pd.DataFrame({"n": [1, 2]}, index=["Ann", "Bob"]),
        pd.DataFrame({"n": [1, 2]}, index=pd.Index(["Ann", "Bob"], name="who")),
        pd.DataFrame({"n": [1, 2]}, index=pd.MultiIndex.from_tuples([("Ann", 1), ("Bob", 2)], names=[None, "n"])),
    ],
)
def test_an_index_that_is_not_declared_does_not_leave(held):
    left = only_declared(Table(held))
    assert left.frame["n"].tolist() == [1, 2]
    assert left.frame.index.equals(pd.RangeIndex(2))


def test_an_index_that_repeats_a_declared_column_leaves():
    held = pd.DataFrame({"n": ["a", "b"]}, index=["a", "b"])
    assert only_declared(Table(held)).frame is held


def test_what_a_cell_holds_is_walked_too():
    left = only_declared(Table(pd.DataFrame({"n": [Cell(3, "Ann"), None]})))
    assert left.frame["n"].tolist() == [Cell(3, None), None]
    with pytest.raises(DisclosureError, match="dict"):
        only_declared(Table(pd.DataFrame({"n": [{"who": "Ann"}]})))
