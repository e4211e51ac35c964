"""The page Compare: all models on the same held-out rows, which of them go into the report, and fitting them again."""

from __future__ import annotations

import re

import numpy as np
import pytest
from remedy_pages import bring_loans, finish, said_of
from study_data import as_loans, biased_loans, loans_plan

from fairaudit.findings import Amount, Count, Message, Phrase, Share
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import compare_chart_title
from fairaudit.sections.compare.models import judged
from fairaudit.sections.remedy import say_remedy
from fairaudit.study.findings import plan_key
from fairaudit.study.fitting import IN_USE
from ui.remedies import comparison
from ui.remedies import trying as remedies

SCORE = ThresholdsPlan(model="score")
BY_MODEL = ThresholdsPlan(fairness_weight=0.5)


@pytest.fixture
def loans(app):
    """The app, with data, a question, and what models learn from."""
    return bring_loans(app, biased_loans(500), score=loans_plan().score).go("Compare")


def fit(app, *plans):
    """Fit remedies as their pages do."""
    for plan in plans:
        remedies.start_fit(app.state, app.state.study[1], plan)
    return finish(app)


def button(app, label: str):
    """The keys of the buttons with this label."""
    return [one.key for one in app.button if one.label == label]


def chips(app) -> list[str]:
    """The words of the chips of a page."""
    return re.findall(r'fairaudit-chip-\w+">([^<]*)<', " ".join(one.proto.body for one in app.get("html")))


def table_of(app):
    """The table of all models."""
    return next(table.value for table in app.table if "balanced accuracy" in table.value.columns)


def test_without_models_the_page_says_where_they_come_from(loans):
    assert say(Message("compare-none-made")) in loans.text
    assert {link.proto.page for link in loans.get("page_link")} >= {"Remedies", "Report"}


def test_the_page_begins_with_the_answer_and_its_picture(loans):
    fit(loans, SCORE, BY_MODEL).assert_refuses_nothing()
    findings = comparison.findings_of_shares(loans.state, loans.state.study[1])
    said = say_comparison(findings)
    assert chips(loans) == [say(said.verdict)]
    assert loans.title[0].value == say(said.headline)
    assert compare_chart_title(findings) in loans.text
    assert len(table_of(loans)) == len(judged(findings)) + 1, "the decisions, and each model once"
    loans.set("selectbox", "compare_x", "auc").set("selectbox", "compare_y", "fpr_gap").assert_refuses_nothing()


def rare_frame(n: int = 1500):
    """Loans that nearly everybody is granted, with a score that says little about who is not."""
    frame = biased_loans(n, refused=0.0)
    random = np.random.default_rng(5)
    refused = random.random(n) < 0.08
    known = frame["granted"].notna()
    frame.loc[known, "granted"] = np.where(refused, "no", "yes")[known]
    frame["rating"] = np.round(random.normal(size=n) - 1.2 * refused - 0.6 * (frame["sex"] == "woman"), 2)
    return frame


def test_a_remedy_that_predicts_the_same_for_nearly_everybody_meets_no_limit(app):
    loans = bring_loans(app, rare_frame(), score=loans_plan().score.model_copy(update={"cut": -0.5})).go("Compare")
    fit(loans, ThresholdsPlan(model="score", fairness_weight=5.0)).assert_refuses_nothing()
    reading = read_comparison(comparison.findings_of_shares(loans.state, loans.state.study[1]))
    assert [row.limit for row in reading.remedies] == ["nearly_one_answer"] and not reading.met
    assert reading.verdict == "nearly_one_answer"


def test_the_page_of_a_remedy_and_the_report_say_that_nearly_all_get_one_answer(app):
    score = loans_plan().score.model_copy(update={"cut": -0.5})
    loans = bring_loans(app, rare_frame(), score=score, protected_name=None).go("Compare")
    fit(loans, ThresholdsPlan(model="score", fairness_weight=5.0)).go("Thresholds").assert_refuses_nothing()
    # With a score, the decision is what truly happened: how many have it is no measure of what is given.
    said = said_of(loans, "thresholds")
    assert said.verdict.key == "verdict-nearly-one-answer" and chips(loans) == [say(said.verdict)]
    assert say(said.lead) in loans.text and "in fact" in say(said.lead) and "past decisions" not in loans.text
    loans.go("Report").assert_refuses_nothing()
    assert chips(loans)[-1] == say(said.verdict) and say(said.headline) in loans.text


def test_figures_that_no_model_has_are_said_in_place_of_an_empty_chart(app):
    frame = biased_loans(500)
    frame.loc[(frame["area"] == "south") & frame["granted"].notna(), "granted"] = "no"
    loans = bring_loans(app, frame, score=loans_plan().score, by=("area",)).go("Compare")
    fit(loans, PlainPlan()).set("selectbox", "compare_y", "tpr_gap").assert_refuses_nothing()
    none = say(Message("compare-trade-none"))
    assert none in loans.text
    loans.set("selectbox", "compare_y", "gap")
    assert none not in loans.text


def test_models_can_be_ticked_for_the_report_and_removed(loans):
    fit(loans, SCORE, BY_MODEL)
    assert [plan.model for plan in loans.state.plan().remedies] == ["score", "logistic_regression"]
    loans.set("checkbox", f"compare_{remedies.tick_key(PlainPlan())}", True)
    loans.set("checkbox", f"compare_{remedies.tick_key(SCORE)}", False)
    assert loans.state.plan().remedies == (BY_MODEL, PlainPlan())
    loans.go("Check").go("Compare")
    assert loans.checkbox(key=f"compare_{remedies.tick_key(PlainPlan())}").value is True
    position = list(loans.state.fitted).index(plan_key(SCORE))
    loans.click(f"compare_remove_{position}").assert_refuses_nothing()
    assert loans.state.plan().remedies == (BY_MODEL, PlainPlan())
    assert loans.state.find_fitted(SCORE) is None and "the score in the data" not in loans.text
    loans.go("Thresholds").assert_refuses_nothing()


def test_a_tick_belongs_to_its_model_wherever_it_stands(loans):
    fit(loans, SCORE)
    remedies.start_fit(loans.state, loans.state.study[1], PlainPlan(), keep=False)
    finish(loans)
    ticks = {plan: loans.checkbox(key=f"compare_{remedies.tick_key(plan)}").value for plan in (SCORE, PlainPlan())}
    assert ticks == {SCORE: True, PlainPlan(): False}


def test_models_of_other_settings_are_left_out_until_they_are_fitted_again(loans):
    fit(loans, SCORE, BY_MODEL)
    loans.state.models = loans.state.models.model_copy(update={"features": ("merit", "weight")})
    loans.run()
    assert say(Message("learn-kept", {"n": Count(3)})) in loans.text and "Out of date" in loans.text
    assert len(button(loans, "Make it again")) == 3
    loans.click("compare_fit_all")
    finish(loans).assert_refuses_nothing()
    assert "Out of date" not in loans.text and not button(loans, "Make it again")
    # What was not kept before is not kept by fitting it again.
    assert loans.state.plan().remedies == (SCORE, BY_MODEL)


def test_models_of_a_saved_audit_are_listed_and_fitted_one_after_another(loans, another_app):
    fit(loans, SCORE, BY_MODEL)
    expected = table_of(loans)
    another_app.open_audit(loans.state.plan().to_toml())
    another_app.state.put_table(as_loans(biased_loans(500)), source="loans.csv")
    another_app.go("Compare")
    assert another_app.text.count("Not made yet") == 2
    assert say(Message("learn-kept", {"n": Count(2)})) in another_app.text
    another_app.click("compare_fit_all")
    finish(another_app)
    assert table_of(another_app).equals(expected)


def test_one_model_can_be_fitted_alone(loans):
    loans.state.keep(SCORE), loans.state.keep(BY_MODEL)
    loans.run().click("compare_fit_0")
    finish(loans)
    assert list(loans.state.fitted) == [plan_key(SCORE)]
    assert len(button(loans, "Make it")) == 1


def test_models_with_one_name_are_distinguished(loans):
    fit(loans, EqualizePlan(max_iter=5), EqualizePlan(max_iter=6))
    shown = [name.replace("\\", "") for name in table_of(loans)["model"]]
    name = f"{say(Message('remedy-name-equalize'))} (weight of accuracy 0.5)"
    assert {name, f"{name} (2)"} <= set(shown)


def test_page_of_a_remedy_opens_at_the_model_that_was_looked_at(loans):
    other = ThresholdsPlan(model="score", fairness_weight=0.2)
    fit(loans, SCORE, other)
    position = list(loans.state.fitted).index(plan_key(SCORE))
    loans.click(f"compare_open_{position}")
    assert loans.state.shown["thresholds"] == plan_key(SCORE)
    fitted = loans.state.find_fitted(SCORE)
    assert loans.title[0].value == say(say_remedy(fitted.candidate.finding, fitted.facts).headline)


def row_in_use(app):
    """The figures of the prediction in use."""
    cells = table_of(app).set_index("model").loc[IN_USE]
    return {
        str(part).replace("\\", ""): str(cell).replace("\\", "").replace("\xa0", " ") for part, cell in cells.items()
    }


def test_prediction_in_use_stands_beside_the_models_and_only_on_this_page(app):
    frame = biased_loans(500)
    loans = bring_loans(app, frame.assign(said=(frame["rating"] >= 0).map({True: "y", False: "n"})))
    loans.state.prediction = OutcomePlan(column="said", favorable=("y",))
    fit(loans.go("Compare"), PlainPlan()).assert_refuses_nothing()
    study = loans.state.study[1]
    held = study.split.held_out
    known = frame[frame["granted"].notna()].reset_index(drop=True).iloc[held]
    said = (known["rating"] >= 0).to_numpy()
    right = (said == (known["granted"] == "yes").to_numpy()).mean()
    women, men = (said[(known["sex"] == sex).to_numpy()].mean() for sex in ("woman", "man"))
    shown = row_in_use(loans)
    assert shown["accuracy"] == f"{100 * right:.1f} %"
    assert shown["women minus everyone else, points"].replace("\N{MINUS SIGN}", "-") == f"{100 * (women - men):+.1f}"
    assert say(Message("compare-in-use")) in loans.text
    assert IN_USE not in [name for name, *_ in judged(comparison.findings_of_shares(loans.state, study))]


def test_prediction_that_some_held_out_rows_lack_is_not_listed_and_the_page_says_so(app):
    frame = biased_loans(500)
    said = (frame["rating"] >= 0).map({True: "y", False: "n"}).where(frame.index % 7 > 0, None)
    loans = bring_loans(app, frame.assign(said=said))
    loans.state.prediction = OutcomePlan(column="said", favorable=("y",))
    fit(loans.go("Compare"), PlainPlan()).assert_refuses_nothing()
    assert say(Message("compare-in-use-missing")) in loans.text
    assert IN_USE not in set(table_of(loans)["model"])


def test_simple_answer_with_another_threshold_names_it_and_how_many_get_the_good_outcome(loans):
    fit(loans, SCORE)
    study = loans.state.study[1]
    findings = comparison.findings_of_shares(loans.state, study)
    shifted = [each for each in findings.remedies[0].yardsticks if each.kind.startswith("shifted")]
    assert shifted
    for each in shifted:
        good = Share((study.score[study.split.held_out] >= each.threshold).mean())
        at = {"name": Phrase(each.name.split(" (")[0]), "threshold": Amount(each.threshold, 3), "share": good}
        assert each.name == say(Message("compare-simple-at", at))
