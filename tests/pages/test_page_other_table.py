"""Another table is brought: what was chosen for the one before stays only where it means the same."""

from __future__ import annotations

import pytest
from conftest import plain
from one_picture import PICTURE
from shown import shown, shows

from fairaudit import AuditPlan
from fairaudit.findings import Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ControlPlan, ErrorsPlan, ExplanationPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from ui.entries import CheckEntry, RemedyEntry, Wanted, settings_of
from ui.report.making import _taken

AGES, AREAS = [20, 30, 40, 50] * 20, ["north", "south"] * 40


@pytest.fixture
def filtered(ready):
    """The app with a filter, which a question on errors, the models and an explanation share."""
    state = ready.state
    state.change_check(where="age >= 30")
    state.errors = [ErrorsPlan(where="age >= 30", by=("sex",))]
    state.models = ModelsPlan(features=("age",), protected="sex = 'F'", where="age >= 30")
    control = ControlPlan(column="age", reason="experience")
    state.explanations = [ExplanationPlan(where="age >= 30", protected="sex = 'F'", controls=(control,))]
    return ready


def filters(state) -> set[str | None]:
    parts = (state.check, *state.errors, *state.explanations, *([state.models] if state.models else []))
    return {part.where for part in parts}


def moved(app) -> str:
    return " ".join(plain(each.value) for each in app.markdown if "table before" in each.value)


def table(csv, **columns) -> bytes:
    return csv(sex=["F", "M"] * 40, ok=["y", "n", "n"] * 26 + ["y", "n"], **columns)


def test_filter_that_fits_the_new_table_is_kept_and_said(filtered, csv):
    filtered.upload("new.csv", table(csv, age=AGES))
    assert filters(filtered.state) == {"age >= 30"}
    assert shown("data-moved-kept", condition="age is at least 30", n=60, total=80).fullmatch(moved(filtered))
    filtered.click("data_moved_back_0")
    assert filters(filtered.state) == {None, "age >= 30"} and filtered.state.check.where is None
    assert filtered.state.models.where is None and not moved(filtered)


@pytest.mark.parametrize(
    ("columns", "why", "can_come_back"),
    [
        ({"area": AREAS}, "'age'", False),
        ({"age": [18, 19] * 40}, say(Message("moved-no-row")), True),
        ({"age": ["young", "old"] * 40}, "'age'", False),
    ],
)
def test_filter_that_means_nothing_on_the_new_table_goes_and_comes_back_with_one_press_where_it_can_be_read(
    filtered, csv, columns, why, can_come_back
):
    where = filtered.state.check.where
    filtered.upload("new.csv", table(csv, **columns))
    assert filtered.state.check.where is None and filters(filtered.state) == {None}
    said = moved(filtered)
    assert shown("data-moved-filter", condition="age is at least 30").match(said) and why in said
    assert said.endswith(say(Message("data-moved-all")))
    assert ("Put it back" in [button.label for button in filtered.button]) == can_come_back
    if not can_come_back:
        return
    filtered.click("data_moved_back_0")
    assert filtered.state.check.where == where and not moved(filtered)
    assert filtered.state.models is None or filtered.state.models.where == where
    filtered.go("Groups").click("groups_undo")
    assert filtered.state.check.where is None


def test_filter_that_names_a_value_which_the_new_table_lacks_goes(ready, csv):
    ready.upload("old.csv", table(csv, area=AREAS))
    ready.state.change_check(where="area IN ('north', 'south')")
    ready.upload("new.csv", table(csv, area=["north", "east"] * 40))
    assert ready.state.check.where is None
    assert shows(moved(ready), "moved-value", value="'south'", column="'area'")
    ready.go("Groups").click("groups_undo")
    assert ready.state.check.where == "area IN ('north', 'south')"


def test_the_same_file_read_again_keeps_its_filter_without_a_word(filtered, csv):
    filtered.upload("decisions.csv", table(csv, area=AREAS))
    assert filtered.state.check.where == "age >= 30" and not moved(filtered)


def test_a_finished_report_is_never_offered_as_one_of_another_table(ready, csv, monkeypatch):
    # Other tests make the PDF, which takes longest.
    monkeypatch.setattr("fairaudit.report.composing.to_pdf", lambda document: b"%PDF")
    monkeypatch.setattr("ui.report.files.to_picture", lambda document: PICTURE)
    ready.go("Report").click("report_make")
    assert ready.state.made is not None
    ready.upload("new.csv", table(csv, age=AGES))
    assert ready.go("Report").state.made is None
    assert not ready.get("download_button")[1:]


def test_protected_group_that_nobody_of_the_new_table_is_in_goes_and_comes_back_with_one_press(filtered, csv):
    filtered.upload("new.csv", csv(sex=["V", "M"] * 40, ok=["y", "n", "n"] * 26 + ["y", "n"], age=AGES))
    assert filtered.state.check.protected == ""
    assert shows(moved(filtered), "data-moved-group", condition="sex is F")
    assert shows(moved(filtered), "moved-value", value="'F'")
    filtered.go("Check")
    assert "sex = 'F'" not in filtered.text
    filtered.go("Data").click("data_moved_back_1")
    assert filtered.state.check.protected == "sex = 'F'" and not shows(moved(filtered), "data-moved-group")


def test_protected_group_goes_with_its_column_until_another_is_chosen(filtered, csv):
    filtered.upload("new.csv", csv(gender=["F", "M"] * 40, ok=["y", "n", "n"] * 26 + ["y", "n"], age=AGES))
    assert filtered.state.check.protected == "" and "'sex'" in moved(filtered)
    assert "Put it back" not in [button.label for button in filtered.button]
    filtered.protect("gender = 'F'").go("Data")
    assert not shows(moved(filtered), "data-moved-group")


def test_the_audit_of_the_table_before_can_still_be_saved(filtered, csv):
    before, other = filtered.state.plan(), csv(colour=["red", "blue"] * 40, kept=["y", "n"] * 40)
    for name in ("new.csv", "newer.csv"):
        filtered.upload(name, other)
        assert "data_replaced_save" in [button.key for button in filtered.get("download_button")]
    saved = filtered.state.replaced.to_toml()
    assert AuditPlan.from_toml(saved) == before and before.data.fingerprint
    filtered.go("").open_audit(saved)
    assert filtered.state.data_awaited and filtered.state.check.protected == "sex = 'F'"


def test_the_audit_of_a_table_without_a_name_is_said_to_be_the_one_before(filtered, csv):
    filtered.upload("new.csv", csv(colour=["red", "blue"] * 40, kept=["y", "n"] * 40))
    replaced = filtered.state.replaced
    filtered.state.replaced = replaced.model_copy(
        update={"data": replaced.data.model_copy(update={"source": None, "name": None})}
    )
    [save] = [each for each in filtered.go("Data").get("download_button") if each.key == "data_replaced_save"]
    assert save.proto.help == say(Message("data-former-save-help", {"name": Phrase(""), "named": Word("no")}))


def test_an_audit_that_was_opened_and_left_as_it_is_needs_no_saving(filtered, csv, another_app, decisions):
    app = another_app.upload("decisions.csv", decisions).open_audit(filtered.state.plan().to_toml())
    assert app.state.plan() is not None
    app.upload("new.csv", csv(colour=["red", "blue"] * 40, kept=["y", "n"] * 40))
    assert app.state.replaced is None


def test_what_models_learn_from_goes_with_its_group(filtered, csv):
    filtered.upload("new.csv", csv(sex=["V", "M"] * 40, ok=["y", "n", "n"] * 26 + ["y", "n"], age=AGES))
    assert filtered.state.models is None
    assert say(Message("moved-models", {"group": Phrase("sex is F")})) in filtered.state.dropped


def test_what_was_asked_of_a_group_or_prediction_that_is_gone_does_not_keep_a_report_from_being_made(
    filtered, csv, monkeypatch
):
    monkeypatch.setattr("fairaudit.report.composing.to_pdf", lambda document: b"%PDF")
    monkeypatch.setattr("ui.report.files.to_picture", lambda document: PICTURE)
    filtered.upload("new.csv", csv(sex=["V", "M"] * 40, ok=["y", "n", "n"] * 26 + ["y", "n"], age=AGES))
    assert say(Message("moved-explanations", {"group": Phrase("sex is F")})) in filtered.state.dropped
    filtered.protect("sex = 'V'").go("Report").click("report_make")
    assert filtered.state.errors and filtered.state.prediction is None
    assert not filtered.errors and filtered.state.made is not None


def remedies_of(state) -> list[str]:
    return [entry.plan.method for entry in state.remedies]


@pytest.fixture
def with_remedies(ready):
    """The app with remedies on a score, and an answer on whether a decision may use the group."""
    state = ready.state
    state.models = ModelsPlan(features=("age",), protected="sex = 'F'")
    state.remedies = [RemedyEntry(ThresholdsPlan()), RemedyEntry(EqualizePlan())]
    state.settings[settings_of("thresholds")] = ThresholdsPlan()
    state.drafts["subgroups_seen"] = "women"
    state.wanted = Wanted(may_use_group=True)
    return ready


@pytest.mark.parametrize(
    "columns",
    [
        {"sex": ["V", "M"] * 40, "ok": ["y", "n", "n"] * 26 + ["y", "n"]},
        {"sex": ["F", "M"] * 40, "granted": ["y", "n", "n"] * 26 + ["y", "n"]},
    ],
    ids=["other groups", "another decision"],
)
def test_remedies_of_another_decision_or_of_other_groups_go_and_the_law_is_asked_anew(with_remedies, csv, columns):
    with_remedies.upload("new.csv", csv(**columns, age=AGES))
    state = with_remedies.state
    assert not remedies_of(state) and state.wanted == Wanted()
    assert not state.settings and "subgroups_seen" in state.drafts
    assert say(Message("moved-asked-again")) in with_remedies.text
    assert shows(with_remedies.text, "moved-remedies", n=2, n_count="other")


def test_remedies_stay_where_the_new_table_has_the_same_decision_and_groups(with_remedies, csv):
    with_remedies.upload("next_year.csv", table(csv, age=AGES))
    assert remedies_of(with_remedies.state) == ["thresholds", "equalize"]
    assert with_remedies.state.wanted == Wanted(may_use_group=True)
    assert not shows(with_remedies.text, "moved-remedies")


@pytest.mark.parametrize("named", [True, False])
def test_table_of_a_saved_audit_comes_in_whether_the_audit_names_it_or_not(ready, another_app, decisions, named):
    plan = ready.state.plan()
    if not named:
        plan = plan.model_copy(update={"data": DataPlan(source="decisions.csv")})
    another_app.open_audit(plan.to_toml()).upload("decisions.csv", decisions)
    another_app.assert_refuses_nothing()
    assert another_app.state.table.name == "decisions" and another_app.state.table.n_rows == 200


def amounts(csv, column: str) -> bytes:
    return csv(**{column: [float(i * 37 % 101) for i in range(80)], "sex": ["F", "M"] * 40, "other": list(range(80))})


@pytest.fixture
def paid(app, csv):
    """The app with an amount, and a tolerance in its unit."""
    app.hold("pay.csv", amounts(csv, "pay"))
    app.state.take_decision(OutcomePlan(column="pay", amount=True))
    app.state.change_check(protected="sex = 'F'", amount_tolerance=50.0)
    return app


def test_tolerance_of_an_amount_does_not_go_over_to_another_table(paid, csv):
    paid.upload("new.csv", amounts(csv, "pay"))
    assert paid.state.decision.column == "pay" and paid.state.check.amount_tolerance is None
    paid.go("Check")
    assert paid.state.plan().checks[0].amount_tolerance is None


def test_tolerance_of_an_amount_does_not_go_over_to_another_column(paid):
    paid.go("Data").set("selectbox", paid.data_key("decision_column"), "other")
    assert paid.state.decision is None
    paid.set("radio", paid.data_key("decision_more_other"), "better for the person")
    assert paid.state.decision.column == "other" and paid.state.check.amount_tolerance is None


def test_tolerance_of_an_amount_stays_with_its_column(paid):
    paid.go("Data").set("radio", paid.data_key("decision_more_pay"), "worse for the person")
    assert not paid.state.decision.higher_is_favorable and paid.state.check.amount_tolerance == 50


def test_questions_whose_groups_another_table_lacks_leave_no_empty_question(ready, csv):
    ready.state.checks.append(CheckEntry(ready.state.check.model_copy(update={"protected": "sex = 'X' OR age > 99"})))
    ready.upload("new.csv", table(csv, area=AREAS))
    assert [entry.plan.protected for entry in ready.state.checks] == ["sex = 'F'"]
    assert "question about rows where" in ready.text
    ready.upload("other.csv", csv(kind=["a", "b"] * 40, ok=["y", "n"] * 40))
    assert [entry.plan.protected for entry in ready.state.checks] == [""]


def test_choices_that_did_not_fit_are_said_until_others_are_made(paid, csv):
    paid.upload("new.csv", csv(kind=["a", "b"] * 40, ok=["y", "n"] * 40))
    assert "did not fit" in paid.text
    paid.decide("ok", "y")
    assert "did not fit" in paid.text
    paid.state.change_check(protected="kind = 'a'")
    paid.go("Data")
    assert "did not fit" not in paid.text


def test_an_audit_that_was_taken_from_the_report_is_saved(ready):
    ready.go("Report").click("report_make")
    assert ready.state.is_unsaved
    _taken(ready.state, ready.state.made.contents["plan.toml"])
    assert not ready.state.is_unsaved
    ready.state.change_check(where="age > 25")
    ready.state.saved = ""
    _taken(ready.state, ready.state.made.contents["plan.toml"])
    assert ready.state.is_unsaved
