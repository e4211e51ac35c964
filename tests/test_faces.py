"""Every result says, draws and tabulates itself, as the app and the report do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import altair as alt
import numpy as np
import pandas as pd
import pytest

import fairaudit as fa
from fairaudit.audit.result import AuditResult
from fairaudit.errors import InputError
from fairaudit.findings.result import Result
from fairaudit.measure.results import Stratified
from fairaudit.measure.waiting import check_waiting
from fairaudit.messages import say, say_verdicts
from fairaudit.sections.check import say_check

LOANS, PAY, SCORES = (f"sample_data/{name}.csv" for name in ("loans", "municipal_pay", "recidivism"))
LOAN = {"decision": "approved", "favorable": "yes"}
WOMEN = {"protected": "sex = 'woman'"}
JUDGED = {"outcome": "reoffended_within_two_years", "favorable": 0, "by": "race"}
STOPS = pd.DataFrame({
    "sex": ["F", "M"] * 3, "area": list("aabbcc"), "stops": [900, 1000, 1100, 1200, 700, 800],
    "searches": [90, 60] * 3, "hits": [18, 14] * 3,
})  # fmt: skip
GRADED = pd.DataFrame({
    "sex": ["F", "M"] * 60, "grade": list("ABC") * 40, "guess": list("BBCABC") * 20, "area": list("aaab") * 30,
})  # fmt: skip
LOOKS = {"group": "sex", "stopped": "stops", "found": "hits"}


def loans_of_years() -> pd.DataFrame:
    """Return loans of three years, women's share rising."""
    men = [("M", "yes", 1)] * 50 + [("M", "no", 1)] * 50
    years = [
        [(sex, loan, year) for sex, loan, _ in men + [("F", "yes", 1)] * k + [("F", "no", 1)] * (100 - k)]
        for year, k in ((2022, 30), (2023, 40), (2024, 50))
    ]
    return pd.DataFrame([row for year in years for row in year], columns=["sex", "loan", "year"])


def stops_of_a_year() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    n = 3_000
    return pd.DataFrame({
        "race": rng.choice(["Black", "White"], n), "lit": rng.random(n) < 0.5, "hour": rng.integers(34, 42, n) / 2,
    })  # fmt: skip


PERIODS = {"decision": "loan", "favorable": "yes", "protected": "sex = 'F'", "date": "year"}
CASES: dict[str, Callable[[], Result]] = {
    "check": lambda: fa.check_controlled_fairness(LOANS, **LOAN, **WOMEN),
    "strata": lambda: fa.check_strata(LOANS, **LOAN, **WOMEN, strata="income_band"),
    "means": lambda: fa.check_means(PAY, decision="monthly_pay", **WOMEN),
    "mean strata": lambda: fa.check_mean_strata(PAY, decision="monthly_pay", **WOMEN, strata="grade"),
    "groups": lambda: fa.check_groups(LOANS, **LOAN, by="region"),
    "groups crossed": lambda: fa.check_groups(LOANS, **LOAN, by=["region", "sex"], reference=("North", "man")),
    "two groups": lambda: fa.check_groups(LOANS, **LOAN, by="sex"),
    "group means": lambda: fa.check_group_means(PAY, decision="monthly_pay", by="grade"),
    "errors": lambda: fa.check_errors(SCORES, **JUDGED, prediction="risk_decile < 5"),
    "scores": lambda: fa.check_scores(SCORES, **JUDGED, score="risk_decile", higher_is_favorable=False),
    "worst": lambda: fa.find_subgroups(LOANS, **LOAN, columns=["sex", "region"], max_conditions=2),
    "worst means": lambda: fa.find_subgroups(
        PAY, decision="monthly_pay", measure="mean", columns=["sex", "department"]
    ),
    "explain": lambda: fa.explain_gap(LOANS, **LOAN, **WOMEN, controls="income_band"),
    "proxies": lambda: fa.find_proxies(LOANS, **LOAN, **WOMEN, columns=["employment", "region"]),
    "detectable": lambda: fa.detectable_gap(93, 92, rate=0.7),
    "change": lambda: fa.compare_periods(loans_of_years(), **PERIODS, cuts=[2023]),
    "change of three": lambda: fa.compare_periods(loans_of_years(), **PERIODS, cuts=[2023, 2024]),
    "finds": lambda: fa.outcome_test(STOPS, **LOOKS, acted="searches", strata="area"),
    "thresholds": lambda: fa.threshold_test(
        STOPS, **LOOKS, searched="searches", location="area", signal="discriminant", reference="M"
    ),
    "veil": lambda: fa.veil_of_darkness(stops_of_a_year(), group="race", light="lit", time="hour"),
    "form": lambda: fa.fill_form(
        LOANS, "eeoc_uniform_guidelines", columns={"sex": "sex"}, **LOAN, where="sex IS NOT NULL"
    ),
    "levels": lambda: fa.check_levels(
        "sample_data/appraisals.csv", decision="grade", **WOMEN, levels=list("ABCDE"), ordered=True
    ),
    "level errors": lambda: fa.check_level_errors(
        GRADED, decision="grade", prediction="guess", by="sex", levels=list("ABC"), ordered=True, strata="area"
    ),
    "rankings": lambda: fa.check_rankings(
        "sample_data/shortlists.csv", **WOMEN, score="score", first=5, lists="posting"
    ),
    "watch": lambda: fa.watch_gap(
        "sample_data/stop_and_frisk.csv", decision="frisked", favorable="N", protected="sex = 'male'", batches="borough"
    ),
    "audit": lambda: fa.run("sample_data/berkeley_1973.toml"),
    "audit with forms": lambda: fa.run("sample_data/municipal_pay_forms.toml"),
}
SLOW = {
    "alternatives": lambda: fa.find_alternatives(
        LOANS, **LOAN, **WOMEN, features=["income", "loan_amount", "employment"]
    ),
    "audit with remedies": lambda: fa.run("sample_data/loans.toml"),
}
ALL = [*CASES, *(pytest.param(name, marks=pytest.mark.thorough) for name in SLOW)]


@cache
def result_of(name: str) -> Result:
    return (CASES | SLOW)[name]()


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch, request):
    monkeypatch.chdir(request.config.rootpath)


def bases() -> set[type]:
    return {Result, Stratified}


def classes_below(kind: type) -> set[type]:
    return {kind}.union(*map(classes_below, kind.__subclasses__()))


def test_every_class_that_shows_itself_is_tried():
    tried = {type(result_of(name)) for name in CASES} | {type(one) for one in result_of("audit with forms").sections}
    tried |= {type(one) for one in result_of("audit").sections}
    names = {kind.__name__ for kind in classes_below(Result) - bases() if kind.__module__.startswith("fairaudit.")}
    # Findings of an audit and their exported forms are shown by the section of their results.
    rest = {name for name in names if name.endswith("Finding") or name.startswith(("Exported", "Masked"))}
    # Tried beside what makes them; a verification has no picture.
    elsewhere = {"ControlledWaiting", "ControlledBounds", "StratifiedBounds", "Verification"}
    assert names - rest - elsewhere == {kind.__name__ for kind in tried} - rest


@pytest.mark.parametrize("name", ALL)
def test_a_result_is_said_in_three_parts(name):
    result = result_of(name)
    verdict, headline, *_ = result.say()
    first, second, *_ = str(result).splitlines()
    assert (first, second) == (verdict, headline)
    assert headline.endswith(".") and not headline.endswith("..")
    assert "{" not in str(result) and "<fairaudit" not in str(result)


@pytest.mark.parametrize("name", ALL)
def test_a_result_is_drawn_and_its_figures_are_a_frame(name):
    result = result_of(name)
    assert isinstance(result.chart(), alt.TopLevelMixin)
    frame = result.to_frame()
    assert isinstance(frame, pd.DataFrame) and len(frame) and frame.columns.is_unique


@pytest.mark.parametrize("name", ALL)
def test_a_result_is_plain_values_for_json(name):
    assert json.loads(json.dumps(result_of(name).to_dict()))


@pytest.mark.parametrize("name", ALL)
def test_a_notebook_shows_the_same_sentences_a_picture_with_words_and_a_table(name):
    result = result_of(name)
    html = result._repr_html_()
    verdict, headline, *_ = result.say()
    plain = re.sub(r"<[^>]+>", " ", html).replace("&#x27;", "'").replace("&quot;", '"').replace("&amp;", "&")
    plain = plain.replace("&lt;", "<").replace("&gt;", ">")
    assert verdict in plain and headline in plain
    assert re.search(r'<img alt="[^"]{20,}" src="data:image/svg\+xml;base64,', html)
    assert "<table>" in html and "<script" not in html


def test_text_of_the_data_is_never_html():
    people = pd.DataFrame({"sex": ["<b>F</b>", "M"] * 40, "got": ([1] * 10 + [0] * 30) + [0, 1] * 20})
    html = fa.check_groups(people, decision="got", favorable=1, by="sex")._repr_html_()
    assert "&lt;b&gt;F" in html and "<b>" not in html


def test_a_result_alone_says_what_the_audit_says():
    audit = result_of("audit")
    [finding] = audit.sections
    assert str(finding).splitlines()[:2] == [say_verdicts(say_check(finding)), f"{say(say_check(finding).headline)}."]
    alone = fa.check_strata(
        "sample_data/berkeley_1973.csv",
        decision="decision", favorable="Admitted", protected="gender = 'Women'", strata="department",
    )  # fmt: skip
    assert alone.pooled.difference == finding.result.difference
    assert str(alone).count("45%") == str(finding).count("45%") == 1


def test_all_groups_have_the_verdict_that_allows_for_all_of_them():
    rng = np.random.default_rng(5)
    people = pd.DataFrame({"area": np.repeat(list("abcdefgh"), 150), "got": rng.random(1200) < 0.5})
    result = fa.check_groups(people, decision="got", favorable=True, by="area")
    verdicts = [row.comparison.verdict for row in result.rows]
    assert "clear_gap" not in verdicts
    assert result.say()[0] in {"Too few to tell", "No gap above your limit"}


def test_nothing_to_draw_is_a_sentence():
    same = pd.DataFrame({"sex": ["F", "M"] * 20, "got": [1] * 40})
    result = fa.check_controlled_fairness(same, decision="got", favorable=1, protected="sex = 'F'")
    assert result.verdict == "nothing_to_compare" and str(result)
    with pytest.raises(InputError, match="nothing to draw"):
        result.chart()


def test_an_unknown_language_is_named():
    with pytest.raises(InputError, match="'language' must be one of 'en', got 'xx'"):
        result_of("check").say("xx")


def test_an_audit_writes_itself(tmp_path):
    result = result_of("audit")
    written = {path.name for path in result.write(tmp_path / "report")}
    assert {"report.pdf", "annexes.pdf", "result.json", "plan.toml"} <= written
    assert json.loads(result.to_json()) == result.to_dict()
    assert (tmp_path / "report" / "result.json").read_text(encoding="utf-8") == result.to_json()
    assert result.to_frame()["kind"].tolist() == ["checks"]


def test_an_audit_hides_small_counts_wherever_it_is_shown():
    people = pd.DataFrame({"sex": ["F"] * 7 + ["M"] * 90, "got": [1] * 3 + [0] * 4 + [1, 0] * 45})
    plan = fa.AuditPlan.from_toml(
        """
        schema_version = 1
        [data]
        source = "people.csv"
        [decision]
        column = "got"
        favorable = [1]
        [small_cells]
        mask = true
        [[checks]]
        protected = "sex = 'F'"
        """
    )
    result = fa.run(plan, data=people)
    assert isinstance(result, AuditResult) and result.checks[0].result.protected.n == 7
    [finding] = result.sections
    assert finding.result.protected.n is None
    for shown in (str(result), result._repr_html_(), result.to_json(), str(result.to_frame())):
        assert "43%" not in shown and "3 of 7" not in shown
    assert str(result).splitlines()[0] == "Not shown"


def test_bounds_of_hidden_counts_are_shown_too():
    printed = pd.DataFrame({"sex": ["F", "F", "M", "M"], "got": ["y", "n"] * 2, "n": ["<5", "20", "30", "20"]})
    bounds = fa.check_partial_counts(
        printed, counts="n", hidden={"<5": (1, 4)}, decision="got", favorable="y", protected="sex = 'F'"
    )
    assert str(bounds).startswith("Clear gap") and "<img" in bounds._repr_html_()


def test_medians_of_open_cases_are_shown_too():
    waits = pd.DataFrame({
        "sex": ["F", "M"] * 60, "days": list(range(10, 130)), "open": ([False] * 5 + [True]) * 20,
    })  # fmt: skip
    waiting = check_waiting(waits, decision="days", protected="sex = 'F'", open_when="open")
    assert "open" in str(waiting) and isinstance(waiting.chart(), alt.TopLevelMixin)


def test_what_a_result_is_about_never_leaves():
    for name in ("groups", "errors", "scores", "worst", "change"):
        result = result_of(name)
        assert "asked" not in result.to_dict() and "cut_by" not in result.to_dict()


def test_replacing_what_is_not_shown_changes_nothing_that_is():
    result = result_of("groups")
    assert result.to_dict() == replace(result, asked=None).to_dict()
