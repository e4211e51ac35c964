"""The page Compare: all models on the same held-out rows, which of them go into the report, and fitting them again."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from remedy_pages import bring_loans, finish
from study_data import as_loans, biased_loans, loans_plan

from fairaudit.plan import OutcomePlan
from fairaudit.present.numbers import number_text, points_text, share_text
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.shared.compared_models import judged
from fairaudit.remedies.shared.tables import frontier_rows, mark_unbeaten
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.in_use import IN_USE
from fairaudit.study.trying import plan_key, remedy_name
from ui.remedies import trying as remedies
from ui.remedies.compare import shares
from ui.remedies.compare.comparison import frontier_sentence, line_of

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
    return next(table.value for table in app.table if "unbeaten" in table.value.columns)


def test_without_models_the_page_says_where_they_come_from(loans):
    assert "No model has been made" in loans.text
    assert {link.proto.page for link in loans.get("page_link")} >= {"Remedies", "Report"}


def test_all_models_are_compared_once_and_marked_by_the_chosen_measures(loans):
    fit(loans, SCORE, BY_MODEL).assert_refuses_nothing()
    # The decisions; the same for everybody; the score without a remedy, and with another threshold for all, which is
    # one answer, too; logistic regression, whose own threshold is the best one for all; two remedies.
    shown = table_of(loans)["model"].tolist()
    assert len(shown) == 7 and len({*shown}) == 7
    assert shown.count("Plain logistic regression") == 1
    assert "4 models are compared on the same held-out rows" in loans.text
    findings = shares.findings_of(loans.state, loans.state.study[1])
    rows = frontier_rows(findings, "accuracy", "gap")
    shown = table_of(loans).set_index("model")
    for row in rows.itertuples():
        cells = shown.loc[next(name for name in shown.index if name.replace("\\", "") == row.name)]
        assert cells["unbeaten"] == ("" if row.same else "yes" if row.on_frontier else "no")
        assert cells["needs the group"] == ("yes" if row.needs_group else "no")
    assert set(rows["needs_group"]) == {True, False}
    loans.set("selectbox", "compare_x", "auc").set("selectbox", "compare_y", "fpr_gap").assert_refuses_nothing()
    assert "area under the ROC curve" in loans.verdict and "false positive" in loans.verdict


def test_the_same_answer_for_everybody_is_not_proposed(loans):
    fit(loans, SCORE, BY_MODEL)
    findings = shares.findings_of(loans.state, loans.state.study[1])
    rows = frontier_rows(findings, "accuracy", "gap").set_index("name")
    [constant] = [name for name, model, _ in judged(findings) if getattr(model, "kind", "") == "constant"]
    assert not rows.loc[constant, "on_frontier"]
    [listed] = [line for line in loans.text.splitlines() if f"** {constant}" in line]
    assert listed.endswith("(only to compare with)") and "is no proposal" in loans.text
    counted = rows[~rows["same"]]
    assert f"{int(counted['on_frontier'].sum())} of {len(counted)} models are not beaten" in loans.verdict
    [other] = [line for line in loans.text.splitlines() if "another threshold for all" in line]
    assert other.endswith("points (predicts the same for everybody; not counted)")
    assert "The same answer for everybody is listed below, but not counted" in loans.text


def test_each_model_is_listed_with_its_figures(loans):
    fit(loans, SCORE, BY_MODEL)
    findings = shares.findings_of(loans.state, loans.state.study[1])
    rows = frontier_rows(findings, "accuracy", "gap")
    # With a score, the decision is what truly happened.
    assert "Line across: the gap in what truly happened." in loans.text
    assert "in the decisions" not in loans.text
    for row in rows.itertuples():
        figures = f": accuracy {share_text(row.x)}, gap {points_text(row.y, signed=False)}"
        assert any(row.name in line.replace("\\", "") and figures in line for line in loans.text.splitlines()), row


@pytest.mark.parametrize(
    ("gap", "decided", "unbeaten", "behind", "said"),
    [
        (0.05, 0.1, True, False, "model: 0.05 **(not beaten)**"),
        (0.05, 0.1, False, False, "model: 0.05"),
        (0.2, 0.1, True, False, "model: 0.2 **(not beaten, but its gap is wider than in the decisions)**"),
        (0.2, 0.1, False, False, "model: 0.2 (its gap is wider than in the decisions)"),
        (0.2, None, True, False, "model: 0.2 **(not beaten)**"),
        (
            0.05,
            0.1,
            True,
            True,
            "model: 0.05 (not beaten by the others, but one answer for all is at least as good in both figures)",
        ),
    ],
)
def test_a_gap_wider_than_in_the_decisions_is_said_beside_the_model(gap, decided, unbeaten, behind, said):
    rows = pd.DataFrame(
        [("1", "model", 0.8, gap, False, unbeaten, unbeaten and not behind)],
        columns=["number", "name", "x", "y", "same", "unbeaten", "on_frontier"],
    )
    compared = SimpleNamespace(
        constants=(),
        titles={"decided": decided},
        figures=lambda x, y: f"{y}",
        rows=rows,
        decision_is_outcome=False,
    )
    assert line_of(next(rows.itertuples(index=False)), compared) == said
    compared.decision_is_outcome = True
    assert "wider" not in line_of(next(rows.itertuples(index=False)), compared)


def models(*figures):
    """Models by accuracy and gap; the first is the same answer for everybody, as are those that are called so."""
    rows = pd.DataFrame(
        [(str(i), name, x, y, name.startswith("same")) for i, (name, x, y) in enumerate(figures, start=1)],
        columns=["number", "name", "x", "y", "same"],
    )
    points = [(round(100 * x, 1), round(100 * y, 1)) for _, x, y in figures]
    return mark_unbeaten(rows, points)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        (
            (("same", 0.9, 0.0), ("model 1", 0.8, 0.1), ("model 2", 0.7, 0.2)),
            "The same answer for everybody is at least as good in accuracy and gap as each model here. That speaks "
            "against these models, not for that answer. Of the 2 models, model 1 is not beaten by another.",
        ),
        (
            (("same", 0.6, 0.0), ("model 1", 0.8, 0.1), ("model 2", 0.7, 0.2)),
            "model 1: no other of the 2 models does better in accuracy and gap.",
        ),
        (
            (("same", 0.6, 0.0), ("model 1", 0.8, 0.1), ("model 2", 0.9, 0.2)),
            "None of the 2 models beats another in both accuracy and gap. Each is a trade of one for the other.",
        ),
        (
            (("same", 0.6, 0.0), ("model 1", 0.80004, 0.1), ("model 2", 0.8, 0.10004), ("model 3", 0.7, 0.2)),
            "model 1 and model 2: the same accuracy and gap, and none of the 3 models does better.",
        ),
        (
            (("same", 0.6, 0.0), ("model 1", 0.80004, 0.1), ("model 2", 0.8, 0.10004), ("model 3", 0.9, 0.2)),
            "None of the 3 models beats another in both accuracy and gap.",
        ),
        ((("same", 0.6, 0.0),), "No model has both figures: accuracy and gap."),
    ],
)
def test_the_verdict_is_about_models_and_not_about_the_same_answer_for_everybody(figures, said):
    assert frontier_sentence(models(*figures), "accuracy and gap", printed) == said


def printed(x: float, y: float) -> str:
    """Both figures as the list has them."""
    return f"{share_text(x)}, {points_text(y)}"


def test_amounts_that_read_the_same_are_equal_in_the_list_and_in_the_verdict():
    rows = mark_unbeaten(
        pd.DataFrame(
            [("1", "A", 1234.2, 51.3, False), ("2", "B", 1234.4, 51.1, False)],
            columns=["number", "name", "x", "y", "same"],
        ),
        [(-1234.0, -51.0), (-1234.0, -51.0)],
    )
    compared = SimpleNamespace(
        constants=(),
        titles={},
        figures=lambda x, y: f"error {number_text(x, digits=0)}, difference {number_text(y, digits=0)}",
        rows=rows,
        decision_is_outcome=False,
    )
    lines = [line_of(row, compared) for row in rows.itertuples(index=False)]
    assert lines[0] == "A: error 1,234, difference 51, the same as 2 **(not beaten)**"
    assert frontier_sentence(rows, "error and difference", compared.figures) == (
        "A and B: the same error and difference, and none of the 2 models does better."
    )


def test_models_whose_figures_read_the_same_are_named_together_and_none_is_beaten():
    rows = models(("same", 0.6, 0.0), ("one", 0.70479, 0.2547), ("two", 0.70502, 0.25533), ("three", 0.7, 0.3))
    compared = SimpleNamespace(constants=("same",), titles={}, figures=printed, rows=rows, decision_is_outcome=False)
    lines = [line_of(row, compared).replace("\N{NO-BREAK SPACE}", " ") for row in rows.itertuples(index=False)]
    assert lines[1] == "one: 70.5 %, +25.5 points, the same as 3 **(not beaten)**"
    assert lines[2] == "two: 70.5 %, +25.5 points, the same as 2 **(not beaten)**"
    assert lines[3] == "three: 70.0 %, +30.0 points"


def rare_frame(n: int = 1500):
    """Loans that nearly everybody is granted, with a score that says little about who is not."""
    frame = biased_loans(n, refused=0.0)
    random = np.random.default_rng(5)
    refused = random.random(n) < 0.08
    known = frame["granted"].notna()
    frame.loc[known, "granted"] = np.where(refused, "no", "yes")[known]
    frame["rating"] = np.round(random.normal(size=n) - 1.2 * refused - 0.6 * (frame["sex"] == "woman"), 2)
    return frame


def test_a_remedy_that_predicts_the_same_for_nearly_everybody_is_said_first_and_not_named_as_unbeaten(app):
    loans = bring_loans(app, rare_frame(), score=loans_plan().score.model_copy(update={"cut": -0.5})).go("Compare")
    name = "Thresholds by group (the score in the data, fairness weight 5)"
    by_group = (("women", -1.5), ("the rest", -1.0))
    fit(loans, ThresholdsPlan(model="score", fairness_weight=5.0))
    fit(loans, ThresholdsPlan(model="score", search="chosen", thresholds=by_group)).assert_refuses_nothing()
    findings = shares.findings_of(loans.state, loans.state.study[1])
    rows = frontier_rows(findings, "accuracy", "gap").set_index("name")
    assert rows.loc[name, "same"] and not rows.loc[name, "on_frontier"]
    assert loans.verdict.startswith(f"{name} predicts the same for ")
    assert "Where one outcome is rare, accuracy alone says little: choose balanced accuracy above" in loans.text
    assert "The same answer for everybody is at least as good in accuracy" in loans.verdict
    assert "Of the 3 other models, " in loans.verdict and "speaks against" not in loans.verdict
    [listed] = [line for line in loans.text.splitlines() if f"** {name}" in line]
    assert listed.endswith("; not counted)") and "not beaten" not in listed
    [listed] = [line for line in loans.text.splitlines() if "** Thresholds by group" in line and "by hand" in line]
    assert "(not beaten by the others, but one answer for all is at least as good in both figures" in listed
    cells = table_of(loans).set_index("model")["unbeaten"]
    assert cells[name] == "" and "only by one answer for all" in cells.tolist()
    loans.set("selectbox", "compare_x", "balanced_accuracy").assert_refuses_nothing()
    assert "accuracy alone says little" not in loans.text


def test_the_page_of_a_remedy_and_the_report_say_what_nearly_one_answer_means(app):
    score = loans_plan().score.model_copy(update={"cut": -0.5})
    loans = bring_loans(app, rare_frame(), score=score, protected_name=None).go("Compare")
    fit(loans, ThresholdsPlan(model="score", fairness_weight=5.0)).go("Thresholds").assert_refuses_nothing()
    # With a score, the decision is what truly happened: how many have it is no measure of what is given.
    assert chips(loans)[0] == "One answer for nearly all" and "more good outcomes" not in "".join(chips(loans))
    assert " truly have it." in loans.text
    assert "It finds " in loans.verdict and "Where sex is woman: " in loans.verdict
    assert "nearer to zero than without the remedy" in loans.text and "moved towards zero" not in loans.text
    assert "people it had not seen" in loans.text and "On the tuning rows that answer keeps" not in loans.text
    loans.go("Report").assert_refuses_nothing()
    assert "One answer for nearly all" in chips(loans) and "more good outcomes" not in "".join(chips(loans))


def test_figures_that_no_model_has_are_said_in_place_of_an_empty_chart(app):
    frame = biased_loans(500)
    frame.loc[(frame["area"] == "south") & frame["granted"].notna(), "granted"] = "no"
    loans = bring_loans(app, frame, score=loans_plan().score, by=("area",)).go("Compare")
    fit(loans, PlainPlan()).set("selectbox", "compare_y", "tpr_gap").assert_refuses_nothing()
    assert "No chart: no model has both accuracy and" in loans.text
    loans.set("selectbox", "compare_y", "gap")
    assert "No chart" not in loans.text


def test_models_can_be_ticked_for_the_report_and_removed(loans):
    fit(loans, SCORE, BY_MODEL)
    assert [plan.model for plan in loans.state.plan().remedies] == ["score", "logistic_regression"]
    plans = list(loans.state.fitted)
    loans.set("checkbox", f"compare_in_{plans.index(plan_key(PlainPlan()))}", True)
    loans.set("checkbox", f"compare_in_{plans.index(plan_key(SCORE))}", False)
    assert loans.state.plan().remedies == (BY_MODEL, PlainPlan())
    loans.go("Check").go("Compare")
    assert loans.checkbox(key=f"compare_in_{plans.index(plan_key(PlainPlan()))}").value is True
    position = list(loans.state.fitted).index(plan_key(SCORE))
    loans.click(f"compare_remove_{position}").assert_refuses_nothing()
    assert loans.state.plan().remedies == (BY_MODEL, PlainPlan())
    assert loans.state.find_fitted(SCORE) is None and "the score in the data" not in loans.text
    loans.go("Thresholds").assert_refuses_nothing()


def test_models_of_other_settings_are_left_out_until_they_are_fitted_again(loans):
    fit(loans, SCORE, BY_MODEL)
    loans.state.models = loans.state.models.model_copy(update={"features": ("merit", "weight")})
    loans.run()
    assert "3 models are not made yet with these data and settings" in loans.text and "Out of date" in loans.text
    assert len(button(loans, "Make it again")) == 3
    loans.click("compare_fit_all")
    finish(loans).assert_refuses_nothing()
    assert "Out of date" not in loans.text and not button(loans, "Make it again")
    assert "5 models are compared" in loans.text
    # What was not kept before is not kept by fitting it again.
    assert loans.state.plan().remedies == (SCORE, BY_MODEL)


def test_models_of_a_saved_audit_are_listed_and_fitted_one_after_another(loans, another_app):
    fit(loans, SCORE, BY_MODEL)
    expected = table_of(loans)
    another_app.open_audit(loans.state.plan().to_toml())
    another_app.state.put_table(as_loans(biased_loans(500)), source="loans.csv")
    another_app.go("Compare")
    assert another_app.text.count("Not made yet") == 2
    assert "No model has been made" not in another_app.text and "2 models are not made yet" in another_app.text
    another_app.click("compare_fit_all")
    finish(another_app)
    assert table_of(another_app).equals(expected)


def test_one_model_can_be_fitted_alone(loans):
    loans.state.keep(SCORE), loans.state.keep(BY_MODEL)
    loans.run().click("compare_fit_0")
    finish(loans)
    assert list(loans.state.fitted) == [plan_key(SCORE)]
    assert len(button(loans, "Make it")) == 1


def test_a_model_has_the_number_of_the_report_on_every_page(loans):
    fit(loans, SCORE, BY_MODEL)
    for left_out, numbers in ((None, ("1", "2")), (SCORE, ("", "1"))):
        if left_out is not None:
            loans.set("checkbox", f"compare_in_{[*loans.state.fitted].index(plan_key(left_out))}", False)
        for plan, number in zip((SCORE, BY_MODEL), numbers, strict=True):
            [listed] = [line for line in loans.text.splitlines() if f"** {remedy_name(plan)}:" in line]
            label = listed.removeprefix("- **").partition("**")[0]
            assert label == number if number else label.isalpha()
        places = [*loans.state.plan().remedies]
        assert numbers[1] == str(places.index(BY_MODEL) + 1)
        loans.go("Report").assert_refuses_nothing()
        assert f"{numbers[1]}. {remedy_name(BY_MODEL)}" in loans.text.replace("\\", "")
        loans.go("Compare")


def test_models_with_one_name_are_distinguished(loans):
    fit(loans, EqualizePlan(max_iter=5), EqualizePlan(max_iter=6))
    shown = [name.replace("\\", "") for name in table_of(loans)["model"]]
    assert "Scores spread alike (weight of accuracy 0.5)" in shown
    assert "Scores spread alike (weight of accuracy 0.5) (2)" in shown


def test_page_of_a_remedy_opens_at_the_model_that_was_looked_at(loans):
    other = ThresholdsPlan(model="score", fairness_weight=0.2)
    fit(loans, SCORE, other)
    position = list(loans.state.fitted).index(plan_key(SCORE))
    loans.click(f"compare_open_{position}")
    assert loans.state.shown["thresholds"] == plan_key(SCORE)
    assert loans.title[0].value == "A threshold for each group"


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
    assert shown["gap, points"].replace("\N{MINUS SIGN}", "-") == f"{100 * (women - men):+.1f}"
    assert "It may have been made from these very rows" in loans.text
    assert IN_USE not in [name for name, *_ in judged(shares.findings_of(loans.state, study))]


def test_prediction_that_some_held_out_rows_lack_is_not_listed_and_the_page_says_so(app):
    frame = biased_loans(500)
    said = (frame["rating"] >= 0).map({True: "y", False: "n"}).where(frame.index % 7 > 0, None)
    loans = bring_loans(app, frame.assign(said=said))
    loans.state.prediction = OutcomePlan(column="said", favorable=("y",))
    fit(loans.go("Compare"), PlainPlan()).assert_refuses_nothing()
    assert "The prediction in use is not listed: some held-out rows have none." in loans.text
    assert IN_USE not in set(table_of(loans)["model"])


def test_simple_answer_with_another_threshold_names_it_and_how_many_get_the_good_outcome(loans):
    fit(loans, SCORE)
    study = loans.state.study[1]
    findings = shares.findings_of(loans.state, study)
    shifted = [each for each in findings.remedies[0].yardsticks if each.kind.startswith("shifted")]
    assert shifted
    for each in shifted:
        good = (study.score[study.split.held_out] >= each.threshold).mean()
        assert each.name.endswith(f"({number_text(each.threshold, digits=3)}: the good outcome for {share_text(good)})")
