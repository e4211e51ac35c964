from __future__ import annotations

import datetime
from itertools import combinations

import pytest
from places import LOCAL_RULE
from shown import shows

from fairaudit.audit.running import run
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.preset import load_preset
from ui.presets.settings import PUBLISHED
from ui.presets.views import SETTINGS

pytestmark = pytest.mark.campaign

FORM = "presets_form"


def in_table(n: str, unknown: str | None = None, *, people: str = "applicants") -> str:
    """Return the note below a table: how many people are in it, and of how many a value is unknown."""
    said = [Message("form-note-counted", {"people": Phrase(people), "n": Phrase(n)})]
    return say(said if unknown is None else [*said, Message("form-note-unknown", {"n": Phrase(unknown)})])


def to_publish(*items: str) -> str:
    """What is lacking of what the rule asks to publish, each of it by its name."""
    named = [say(Message("form-to-publish-item", {"item": Word(item)})) for item in items]
    return say(Message("form-to-publish", {"items": Phrase("; ".join(named))}))


@pytest.fixture
def hiring(app):
    """The sample of a hiring tool, with three forms in its report."""
    return app.hold_sample("hiring_tool")


def role_key(app, preset: str, role: str) -> str:
    return f"presets_{preset}_{role}_{app.state.data_key}"


@pytest.fixture
def bare(ready):
    """Decisions without any form, on the page."""
    return ready.go("Legal_forms")


def test_the_page_shows_the_rule_its_limits_and_that_it_is_no_legal_advice(bare):
    for key in ("nyc144", "eeoc_uniform_guidelines", "fair_lending"):
        bare.set("selectbox", FORM, key)
        preset = load_preset(key)
        assert preset.section in bare.text and preset.date in bare.text and preset.notice in bare.text
        assert all(sentence in bare.text for sentence in (*preset.covers, *preset.does_not_cover))


def test_columns_are_suggested_by_their_names_and_the_verdict_comes_first(bare):
    bare.set("selectbox", FORM, "nyc144")
    assert bare.selectbox(key=role_key(bare, "nyc144", "sex")).value == "sex"
    assert bare.selectbox(key=role_key(bare, "nyc144", "race")).value == "race"
    # Half of the women and three quarters of the men: 0.5 / 0.75.
    assert "selected 0.67 times as often" in bare.test.main.title[0].value


def test_the_law_of_a_decision_is_chosen_and_never_guessed(bare):
    # No form, no answer: nothing in a table says which law is meant.
    assert bare.selectbox(key=FORM).value is None and not bare.table
    bare.set("selectbox", FORM, "eeoc_uniform_guidelines")
    assert bare.table
    # It is kept when the person comes back.
    assert bare.go("Check").go("Legal_forms").selectbox(key=FORM).value == "eeoc_uniform_guidelines"


def test_what_was_not_looked_at_can_be_named_and_no_headline_speaks_for_it(bare):
    bare.set("selectbox", FORM, "eeoc_uniform_guidelines")
    bare.set("selectbox", role_key(bare, "eeoc_uniform_guidelines", "race"), None)
    assert not bare.test.session_state[SETTINGS]
    bare.click("presets_name_race")
    assert bare.test.session_state[SETTINGS]
    bare.set("selectbox", role_key(bare, "eeoc_uniform_guidelines", "race"), "race")
    assert not [button for button in bare.test.button if button.key == "presets_name_race"]


@pytest.mark.parametrize("protected", ["", "Wer = 'Frau'", "1 = 1", "Stufe = 'A'"])
def test_a_table_of_pay_opens_the_form_on_pay_with_the_columns_of_the_question(app, csv, protected):
    who, pay = ["Frau", "Mann"] * 20, [3000 + 7 * n for n in range(40)]
    app.hold("pay", csv(Wer=who, Stufe=["A", "B"] * 20, Jahresgehalt=pay))
    app.state.decision = OutcomePlan(column="Jahresgehalt", amount=True)
    app.state.change_check(protected=protected)
    app.go("Legal_forms")
    assert app.selectbox(key=FORM).value == "eu_pay_transparency"
    known = app.selectbox(key=role_key(app, "eu_pay_transparency", "sex")).value
    assert known == ("Wer" if "Frau" in protected else None)


@pytest.mark.parametrize(("column", "form"), [("days until appointment", None), ("hourly pay", "eu_pay_transparency")])
def test_a_form_on_pay_opens_unasked_only_where_the_amount_is_called_pay(app, csv, column, form):
    table = csv(**{"sex": ["female", "male"] * 20, column: [10 + n % 9 for n in range(40)]})
    app.hold("amounts", table)
    app.state.decision = OutcomePlan(column=column, amount=True)
    app.go("Legal_forms")
    assert app.selectbox(key=FORM).value == form
    assert bool(app.table) == (form is not None)


def test_who_alone_counts_in_hourly_pay_is_asked_for_and_leaves_the_bonus_as_it_is(app, csv):
    full = ["yes", "no", "yes", "yes"] * 10
    table = csv(sex=["woman", "man"] * 20, hourly_pay=[15 + n % 7 for n in range(40)], bonus=[n % 3 for n in range(40)],
                full_pay=full)  # fmt: skip
    app.hold("staff", table)
    app.state.decision = OutcomePlan(column="hourly_pay", amount=True)
    app.go("Legal_forms")
    app.set("selectbox", FORM, "uk_gender_pay_gap")
    some, whole = (in_table(n, people="employees") for n in ("30", "40"))
    assert some not in app.text and whole in app.text
    key = next(box.key for box in app.test.main.text_input if "only these count" in box.label)
    app.set("text_input", key, "full_pay = 'yes'")
    # Hourly pay, median and quarters count 30; who has a bonus is asked of all 40.
    assert some in app.text and whole in app.text


def test_an_answer_waits_for_the_worker_who_asked_and_is_not_offered_for_the_report(app, csv):
    sex, pay = ["woman", "man"] * 15, [3000 + 10 * n for n in range(30)]
    app.hold("staff", csv(staff=list(range(30)), sex=sex, grade=["A"] * 30, pay=pay))
    app.go("Legal_forms")
    app.set("selectbox", FORM, "eu_pay_information")
    assert say(Message("form-worker-lacking")) in app.text and not app.table
    box = next(box.key for box in app.test.main.text_input if box.label == "The worker who asked")
    app.set("text_input", box, "staff = 3")
    assert "3,030" in app.text
    assert not [tick for tick in app.test.main.checkbox if tick.key.startswith("presets_in_report")]


def test_the_measures_of_a_joint_assessment_are_asked_for_where_a_category_is_marked(app, csv):
    sex, pay = ["woman", "man"] * 15, [2000, 3000] * 15
    app.hold("staff", csv(sex=sex, grade=["A"] * 30, pay=pay))
    app.go("Legal_forms")
    app.set("selectbox", FORM, "eu_joint_pay_assessment")
    box = next(box.key for box in app.test.main.text_input if box.label.endswith("measures"))
    app.set("text_input", box, "one pay band for all")
    assert say(Message("form-lead-measures", {"n": Count(0), "category": Phrase("category")})) in app.text


def test_everybody_else_who_is_known_is_chosen_beside_white_employees(app, csv):
    groups = ["White", "Asian", "Black"] * 14
    app.hold("staff", csv(ethnicity=groups, hourly_pay=[15 + n % 7 for n in range(42)]))
    app.go("Legal_forms")
    app.set("selectbox", FORM, "uk_ethnicity_pay_gap")
    chosen = [box.value for box in app.test.main.multiselect if "these are" in box.label]
    assert [set(values) for values in chosen] == [{"Asian", "Black"}, {"White"}]


def test_a_column_that_is_missing_is_asked_for(bare):
    bare.set("selectbox", FORM, "nyc144").set("selectbox", role_key(bare, "nyc144", "race"), None)
    assert "Say which column holds: Race/ethnicity" in bare.text
    assert not bare.test.error


def test_a_score_takes_the_place_of_the_decision(bare):
    bare.set("selectbox", FORM, "nyc144").set("selectbox", role_key(bare, "nyc144", "score"), "score")
    assert "above the median" in bare.text and "Median score" in bare.text


def test_without_a_decision_a_score_is_enough(app, decisions):
    app.upload("t.csv", decisions).go("Legal_forms").set("selectbox", FORM, "nyc144")
    assert say(Message("form-needs-decision-or", {"roles": Phrase("Score of the tool")})) in app.text
    app.set("selectbox", role_key(app, "nyc144", "score"), "score")
    app.assert_refuses_nothing()
    assert not [box for box in app.test.checkbox if box.key.startswith("presets_in_report")]


def test_an_amount_is_shown_by_means_and_a_form_of_rates_asks_for_a_good_outcome(app):
    app.hold_sample("municipal_pay").go("Legal_forms")
    app.assert_refuses_nothing()
    assert app.test.selectbox(key=FORM).value == "eu_pay_transparency"
    app.set("selectbox", FORM, "fair_lending").assert_refuses_nothing()
    assert "mean of monthly_pay" in app.test.main.title[0].value
    assert load_preset("fair_lending").words.reading not in app.text, "there are no ratios"
    app.set("selectbox", FORM, "eeoc_uniform_guidelines")
    app.assert_refuses_nothing()
    assert say(Message("form-needs-decision")) in app.text
    app.set("selectbox", FORM, "nyc144").set("selectbox", role_key(app, "nyc144", "race"), "department")
    assert say(Message("form-needs-decision-or", {"roles": Phrase("Score of the tool")})) in app.text


def test_two_roles_with_one_column_are_refused_with_a_sentence(bare):
    bare.set("selectbox", FORM, "nyc144").set("selectbox", role_key(bare, "nyc144", "race"), "sex")
    assert "needs different columns" in bare.errors


def test_a_form_goes_into_the_report_and_out_again(bare):
    bare.set("selectbox", FORM, "eeoc_uniform_guidelines")
    key = next(box.key for box in bare.test.checkbox if box.key.startswith("presets_in_report"))
    bare.set("checkbox", key, True)
    [part] = bare.state.presets
    assert part.preset == "eeoc_uniform_guidelines" and bare.state.plan().presets == (part,)
    bare.go("Report")
    assert "EEOC Uniform Guidelines: adverse impact" in bare.text
    bare.go("Legal_forms")
    assert tick(bare).value is True
    bare.go("Report").click("report_preset_remove_0")
    assert bare.state.presets == []


def tick(app):
    """The box that puts the form in the report."""
    return next(box for box in app.test.checkbox if box.key.startswith("presets_in_report"))


def field(app, kind: str, label: str):
    return next(widget for widget in getattr(app.test, kind) if widget.label.startswith(label))


def test_what_is_changed_in_a_form_of_the_report_is_changed_in_the_report(hiring):
    hiring.go("Legal_forms").set("selectbox", FORM, "nyc144")
    before = list(hiring.state.presets)
    for day in (datetime.date(2031, 1, 1), datetime.date(2032, 2, 2)):
        hiring.set("date_input", field(hiring, "date_input", "Date of the bias audit").key, day)
        assert tick(hiring).value is True and not tick(hiring).help
        assert [part.audit_date for part in hiring.state.plan().presets[:1]] == [day.isoformat()]
    assert hiring.state.presets[1:] == before[1:], "the other forms stay as they are"
    hiring.go("Report").go("Legal_forms")
    assert field(hiring, "date_input", "Date of the bias audit").value == day and tick(hiring).value is True
    hiring.set("checkbox", tick(hiring).key, False)
    assert hiring.state.presets == before[1:]


def test_looking_at_a_form_changes_nothing_in_the_report(hiring):
    plan = hiring.state.plan()
    first = plan.presets[0]
    # A plan may hold two versions of one form; the page shows the first.
    twice = (first, first.model_copy(update={"where": "applied_for = 'x'"}), *plan.presets[1:])
    hiring.state.presets = list(twice)
    hiring.go("Legal_forms")
    for key in ("nyc144", "eeoc_uniform_guidelines", "fair_lending", "nyc144"):
        hiring.set("selectbox", FORM, key)
    score = field(hiring, "selectbox", "Score of the tool").key
    for column in ("score", None, "years_of_work", None):
        hiring.set("selectbox", score, column)
        assert tick(hiring).value is (column != "years_of_work")
        assert bool(tick(hiring).help) == (column == "years_of_work")
    hiring.go("Report").go("Legal_forms")
    assert hiring.state.presets == list(twice)


def test_a_form_that_is_not_in_the_report_is_kept_between_pages(bare):
    bare.set("selectbox", FORM, "nyc144")
    bare.set("text_input", field(bare, "text_input", "Source").key, "all of 2025")
    box = field(bare, "multiselect", "Race/ethnicity: counted as unknown")
    bare.set("multiselect", box.key, ["Black"])
    bare.go("Report").go("Legal_forms")
    assert bare.state.presets == [] and bare.test.selectbox(key=FORM).value == "nyc144"
    assert field(bare, "text_input", "Source").value == "all of 2025"
    assert field(bare, "multiselect", "Race/ethnicity: counted as unknown").value == ["Black"]


def test_another_version_of_a_form_takes_the_place_of_that_in_the_report_when_it_is_ticked(bare):
    bare.set("selectbox", FORM, "nyc144").set("checkbox", tick(bare).key, True)
    # Come into the report while the page was drawn, as by a saved audit.
    other = bare.state.presets[0].model_copy(update={"where": "age > 20", "reason": "few"})
    bare.state.presets = [other]
    bare.set("text_input", field(bare, "text_input", "Source").key, "all of 2025")
    assert bare.state.presets == [other] and tick(bare).value is False
    assert tick(bare).help
    bare.set("checkbox", tick(bare).key, True)
    assert [part.data_words for part in bare.state.presets] == ["all of 2025"]


def test_a_column_of_many_values_is_said_to_be_no_column_of_groups(bare):
    bare.set("selectbox", FORM, "nyc144")
    many = say(Message("form-many", {"n": Count(20), "roles": Phrase("Race/ethnicity")}))
    assert many not in bare.text
    bare.set("selectbox", role_key(bare, "nyc144", "race"), "age")
    assert many in bare.text


def test_filling_the_audit_sets_its_questions_and_can_be_undone(bare):
    before = (bare.state.protected_columns, list(bare.state.checks), bare.state.selected)
    bare.set("selectbox", FORM, "nyc144").click("presets_fill")
    assert [entry.plan.compare[0] for entry in bare.state.checks] == [("sex",), ("race",)]
    assert bare.state.protected_columns == ("sex", "race")
    assert shows(bare.text, "form-audit-asks") and "everybody but M" in bare.text
    bare.go("Check")
    bare.assert_refuses_nothing()
    bare.go("Legal_forms").click("presets_undo")
    assert (bare.state.protected_columns, bare.state.checks, bare.state.selected) == before
    assert not [button for button in bare.test.button if button.key == "presets_undo"]


def test_what_was_asked_before_a_filling_is_not_brought_back_into_another_table(bare, csv):
    bare.set("selectbox", FORM, "nyc144").click("presets_fill")
    bare.upload("other.csv", csv(gender=["F", "M"] * 40, ok=["y", "n"] * 40)).decide("ok", "y")
    bare.go("Legal_forms")
    assert not [button for button in bare.test.button if button.key == "presets_undo"]


def test_the_filter_of_the_question_is_not_that_of_the_form_unless_wanted(hiring):
    hiring.go("Legal_forms")
    assert hiring.state.check.where and in_table("3,648", "352") in hiring.text
    box = next(box for box in hiring.test.selectbox if box.label == "Who is looked at")
    hiring.set("selectbox", box.key, hiring.state.check.where)
    assert in_table("3,648", "203") in hiring.text


def test_the_sample_opens_with_its_forms_in_the_report(hiring):
    assert [part.preset for part in hiring.state.presets] == ["nyc144", "nyc144", "eeoc_uniform_guidelines"]
    hiring.go("Legal_forms")
    key = next(box.key for box in hiring.test.checkbox if box.key.startswith("presets_in_report"))
    assert hiring.test.checkbox(key=key).value is True


def test_small_counts_are_not_handed_out_on_the_page(bare):
    bare.state.small_cells = SmallCellsPlan(mask=True)
    bare.go("Legal_forms").set("selectbox", FORM, "nyc144")
    assert say(Message("files-hidden")) in bare.text
    assert not [button for button in bare.test.get("download_button") if "presets" in str(button.proto.id)]


def test_a_form_whose_column_is_gone_is_dropped_and_shown(hiring, csv):
    hiring.upload("other.csv", csv(sex=["F", "M"] * 10, advanced=["yes", "no"] * 10))
    assert hiring.state.presets == []
    assert any("no column 'race_ethnicity' for the form" in sentence for sentence in hiring.state.dropped)


def test_a_saved_audit_brings_its_forms_back(hiring):
    text = hiring.state.plan().to_toml()
    assert AuditPlan.from_toml(text).presets == tuple(hiring.state.presets)


def test_an_offices_own_form_is_offered(bare, monkeypatch, tmp_path):
    text = LOCAL_RULE.read_text()
    (tmp_path / "own.toml").write_text(text)
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(tmp_path))
    bare.go("Legal_forms").set("selectbox", FORM, "anytown_grants")
    bare.set("selectbox", role_key(bare, "anytown_grants", "district"), "race")
    assert "parity ratio" in bare.text and "made up for this example" in bare.text
    (tmp_path / "own.toml").write_text(text.replace("threshold = 0.9", "threshold = 9"))
    bare.go("Legal_forms")
    assert "'checks.1.threshold' in line" in bare.errors
    assert bare.test.selectbox(key=FORM).value is None
    assert "impact ratio" in bare.set("selectbox", FORM, "nyc144").text, "the other forms stay"


def unknown_box(app, label: str):
    return next(box for box in app.test.multiselect if box.label == f"{label}: counted as unknown")


def test_the_values_that_mean_unknown_are_shown_and_can_be_changed(hiring):
    hiring.go("Legal_forms").set("selectbox", FORM, "nyc144")
    box = unknown_box(hiring, "Sex")
    assert box.value == ["Unknown"] and sorted(box.options) == ["Female", "Male", "Unknown"]
    assert in_table("3,648", "352") in hiring.text
    hiring.set("multiselect", box.key, [])
    assert in_table("3,758", "242") in hiring.text
    hiring.set("multiselect", box.key, ["Unknown"])
    race = unknown_box(hiring, "Race/ethnicity")
    hiring.set("multiselect", race.key, [*race.value, "Asian"])
    assert in_table("3,022", "978") in hiring.text
    key = next(box.key for box in hiring.test.checkbox if box.key.startswith("presets_in_report"))
    hiring.set("checkbox", key, True)
    part = next(part for part in hiring.state.presets if part.unknown)
    assert part.unknown == {"race": ("Asian",)} and not part.known
    hiring.go("Report").go("Legal_forms")
    assert sorted(unknown_box(hiring, "Race/ethnicity").value) == ["Asian", "Unknown"]
    assert tick(hiring).value is True, "it is the form in the report"


def test_a_code_that_means_unknown_is_chosen_among_the_values_found(app, csv):
    rows = {"sex": ["F", "M"] * 15, "race": [1, 1, 2, 2, 3, 3] * 5, "ok": ["yes", "no", "yes"] * 10}
    app.upload("t.csv", csv(**rows)).decide("ok", "yes").go("Legal_forms").set("selectbox", FORM, "nyc144")
    box = unknown_box(app, "Race/ethnicity")
    assert sorted(box.options) == ["1", "2", "3"] and box.value == []
    app.set("multiselect", box.key, ["3"])
    assert in_table("20", "10") in app.text


def test_a_value_that_is_chosen_as_unknown_takes_no_value_with_it_that_is_not(app, csv):
    rows = {"sex": ["F", "M", "f"] * 10, "race": [1, -1, 2, 2, 1, -1] * 5, "ok": ["yes", "no", "yes"] * 10}
    app.upload("t.csv", csv(**rows)).decide("ok", "yes").go("Legal_forms").set(
        "selectbox", FORM, "eeoc_uniform_guidelines"
    )
    app.set("multiselect", unknown_box(app, "Race or ethnicity").key, ["-1"])
    assert in_table("20", "10") in app.text
    app.set("multiselect", unknown_box(app, "Sex").key, ["f"])
    key = next(box.key for box in app.test.checkbox if box.key.startswith("presets_in_report"))
    app.set("checkbox", key, True)
    [part] = app.state.presets
    assert part.unknown == {"sex": ("f",), "race": ("-1",)} and part.known == {"sex": ("F",)}
    app.go("Report").go("Legal_forms")
    assert unknown_box(app, "Sex").value == ["f"] and tick(app).value is True


def test_a_comparison_group_waits_until_each_role_of_its_table_has_one(bare, monkeypatch, tmp_path):
    text = LOCAL_RULE.read_text()
    tables = 'by = [["district"], ["household"], ["district", "household"]]'
    (tmp_path / "own.toml").write_text(text.replace(tables, 'by = [["district", "household"]]'))
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(tmp_path))
    bare.go("Legal_forms").set("selectbox", FORM, "anytown_grants")
    bare.set("selectbox", role_key(bare, "anytown_grants", "district"), "race")
    bare.set("selectbox", role_key(bare, "anytown_grants", "household"), "sex")
    boxes = {box.label: box for box in bare.test.selectbox if "compare with" in box.label}
    household = next(label for label in boxes if "Household" in label)
    bare.set("selectbox", boxes[household].key, "F")
    bare.assert_refuses_nothing()
    [other] = [label.removesuffix(": compare with") for label in boxes if label != household]
    assert say(Message("form-largest", {"roles": Phrase(other)})) in bare.text


def test_both_dates_and_the_reason_are_asked_for_where_the_rule_publishes_them(bare, csv):
    rows = {"sex": ["F", "M"] * 50, "race": ["C", *["A", "B", "B"] * 33], "ok": ["y", "n", "y", "n"] * 25}
    bare.upload("t.csv", csv(**rows)).decide("ok", "y").go("Legal_forms")
    bare.set("selectbox", FORM, "nyc144").set("checkbox", "presets_nyc144_rate_leave_out", True)
    assert to_publish(*PUBLISHED) in bare.text
    for name, text in {"reason": "few", "data_words": "all of 2025"}.items():
        bare.set("text_input", f"presets_nyc144_rate_{name}", text)
    for name, day in {"audit_date": datetime.date(2026, 3, 1), "distribution_date": datetime.date(2026, 4, 15)}.items():
        assert bare.date_input(key=f"presets_nyc144_rate_{name}").value is None, "no day is made up"
        bare.set("date_input", f"presets_nyc144_rate_{name}", day)
    lacking = [some for n in range(1, 5) for some in combinations(PUBLISHED, n)]
    assert not any(to_publish(*some) in bare.text for some in lacking)
    key = next(box.key for box in bare.test.checkbox if box.key.startswith("presets_in_report"))
    bare.set("checkbox", key, True)
    [part] = bare.state.presets
    assert (part.reason, part.audit_date, part.distribution_date) == ("few", "2026-03-01", "2026-04-15")
    bare.set("date_input", "presets_nyc144_rate_audit_date", None)
    assert bare.state.presets[0].audit_date is None and to_publish("audit_date") in bare.text


def test_words_of_a_form_that_were_just_written_outlast_a_press_on_the_sidebar(bare, csv):
    rows = {"sex": ["F", "M"] * 50, "race": ["C", *["A", "B", "B"] * 33], "ok": ["y", "n", "y", "n"] * 25}
    bare.upload("t.csv", csv(**rows)).decide("ok", "y").go("Legal_forms")
    bare.set("selectbox", FORM, "nyc144")
    # The page is another one before it could take what was written.
    bare.text_input(key="presets_nyc144_rate_data_words").set_value("all of 2025")
    bare.go("Data").go("Legal_forms")
    assert bare.text_input(key="presets_nyc144_rate_data_words").value == "all of 2025"


def test_a_day_of_a_saved_audit_is_shown_whatever_year_it_is_in(hiring):
    plan = hiring.state.plan()
    days = {"audit_date": "1789-07-14", "distribution_date": "2150-01-01"}
    form = plan.presets[0].model_copy(update=days)
    text = plan.model_copy(update={"presets": (form, *plan.presets[1:])}).to_toml()
    hiring.open_audit(text).go("Legal_forms")
    assert [box.value.isoformat() for box in hiring.test.date_input] == list(days.values())
    assert hiring.state.presets[0] == form


def test_a_saved_audit_whose_date_is_no_day_is_shown_and_the_present_one_stays(hiring):
    before = hiring.state.plan()
    text = before.to_toml().replace("data_words", 'audit_date = "May 2026"\ndata_words', 1)
    hiring.open_audit(text)
    assert "'presets.1.audit_date' in line" in hiring.errors and "got 'May 2026'" in hiring.errors
    assert "such as 2026-03-01, or leave it out" in hiring.errors
    assert hiring.state.plan() == before


def test_the_comparison_group_is_asked_for_where_the_form_leaves_it_open(bare):
    bare.set("selectbox", FORM, "fair_lending")
    asked = say(Message("form-largest", {"roles": Phrase("Sex, Race or ethnicity")}))
    assert asked in bare.text
    for label, value in (("Sex", "M"), ("Race or ethnicity", "A")):
        box = next(box for box in bare.test.selectbox if box.label == f"{label}: compare with")
        bare.set("selectbox", box.key, value if value in box.options else box.options[0])
    assert asked not in bare.text
    bare.set("selectbox", FORM, "nyc144")
    assert not [box for box in bare.test.selectbox if "compare with" in box.label]


def test_a_form_named_by_a_file_is_not_opened_and_shown(hiring, tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(LOCAL_RULE.read_text())
    plan = hiring.state.plan()
    part = plan.presets[0].model_copy(update={"preset": str(path), "columns": {"district": ("sex",)}})
    hiring.state.put_plan(plan.model_copy(update={"presets": (part, *plan.presets[1:])}))
    assert [part.preset for part in hiring.state.presets] == ["nyc144", "eeoc_uniform_guidelines"]
    assert say(Message("form-file-not-opened", {"name": Phrase("own.toml")})) in hiring.state.dropped


def test_a_changed_form_of_the_office_is_shown_beside_its_figures(bare, monkeypatch, tmp_path):
    text = LOCAL_RULE.read_text()
    (tmp_path / "own.toml").write_text(text)
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(tmp_path))
    bare.go("Legal_forms").set("selectbox", FORM, "anytown_grants")
    bare.set("selectbox", role_key(bare, "anytown_grants", "district"), "race")
    key = next(box.key for box in bare.test.checkbox if box.key.startswith("presets_in_report"))
    bare.set("checkbox", key, True)
    saved = bare.state.plan()
    assert len(saved.presets[0].file_digest) == 64
    (tmp_path / "own.toml").write_text(text.replace("threshold = 0.9", "threshold = 0.2"))
    bare.state.put_plan(saved)
    bare.state.memo.clear()
    assert shows(bare.go("Report").text, "form-other-file", name="'own.toml'")


def test_the_numbers_of_the_page_are_those_of_the_report(bare):
    bare.set("selectbox", FORM, "nyc144")
    key = next(box.key for box in bare.test.checkbox if box.key.startswith("presets_in_report"))
    bare.set("checkbox", key, True)
    [finding] = run(bare.state.plan(), table=bare.state.table).presets
    drawn = bare.test.main.table[0].value
    for row, shown in zip(finding.rates[0].table.rows, drawn.itertuples(index=False), strict=True):
        assert str(row.group.n) == shown[3] and f"{row.impact_ratio:.3f}" == shown[1].replace("\\", "")
