from __future__ import annotations

from pathlib import Path

import pytest

from fairaudit.plan import AuditPlan, SmallCellsPlan
from fairaudit.presets import load_preset
from fairaudit.run import run

FORM = "presets_form"


@pytest.fixture
def hiring(app):
    """The sample of a hiring tool, with three forms in its report."""
    return app.sample("hiring_tool")


def role_key(app, preset: str, role: str) -> str:
    return f"presets_{preset}_{role}_{app.state.data_key}"


@pytest.fixture
def bare(ready):
    """Decisions without any form, on the page."""
    return ready.go("Presets")


def test_the_page_tells_the_rule_its_limits_and_that_it_is_no_legal_advice(bare):
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
    assert "The impact ratio is below 0.80 for F" in bare.text
    headings = [heading.value for heading in bare.test.main.header]
    assert headings.index("Columns") == 0 and "impact ratio" in headings[1]


def test_a_column_that_is_missing_is_asked_for(bare):
    bare.set("selectbox", FORM, "nyc144").set("selectbox", role_key(bare, "nyc144", "race"), None)
    assert "Say which column holds: Race/ethnicity" in bare.text
    assert not bare.test.error


def test_a_score_takes_the_place_of_the_decision(bare):
    bare.set("selectbox", FORM, "nyc144").set("selectbox", role_key(bare, "nyc144", "score"), "score")
    assert "above the median" in bare.text and "Median score" in bare.text


def test_without_a_decision_a_score_is_enough(app, decisions):
    app.upload("t.csv", decisions).go("Presets").set("selectbox", FORM, "nyc144")
    assert "Say which column holds the decision" in app.text
    app.set("selectbox", role_key(app, "nyc144", "score"), "score")
    app.assert_refuses_nothing()
    assert "impact ratio" in app.text and "To put the form into a report, say on the page Data" in app.text


def test_an_amount_is_told_by_means_and_a_form_of_rates_asks_for_a_good_outcome(app):
    app.sample("municipal_pay").go("Presets")
    app.assert_refuses_nothing()
    assert app.test.selectbox(key=FORM).value == "fair_lending"
    assert "The largest standardised mean difference" in app.text
    app.set("selectbox", FORM, "eeoc_uniform_guidelines")
    app.assert_refuses_nothing()
    assert "The decision is an amount, and this form needs one with a good outcome" in app.text


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
    bare.go("Presets")
    assert bare.test.checkbox(key=key).value is True
    bare.go("Report").click("report_preset_remove_0")
    assert bare.state.presets == []


def test_a_changed_form_takes_the_place_of_its_earlier_version(bare):
    bare.set("selectbox", FORM, "nyc144")
    for out in (False, True):
        bare.set("checkbox", "presets_nyc144_rate_leave_out", out)
        key = next(box.key for box in bare.test.checkbox if box.key.startswith("presets_in_report"))
        assert bare.test.checkbox(key=key).value is False
        bare.set("checkbox", key, True)
    assert [part.leave_out_small for part in bare.state.presets] == [True]


def test_filling_the_audit_sets_its_questions_and_can_be_undone(bare):
    before = (bare.state.protected_columns, list(bare.state.checks), bare.state.selected)
    bare.set("selectbox", FORM, "nyc144").click("presets_fill")
    assert [entry.plan.compare[0] for entry in bare.state.checks] == [("sex",), ("race",)]
    assert bare.state.protected_columns == ("sex", "race")
    assert "The audit now asks about: everybody but M" in bare.text
    bare.go("Check")
    bare.assert_refuses_nothing()
    bare.go("Presets").click("presets_undo")
    assert (bare.state.protected_columns, bare.state.checks, bare.state.selected) == before
    assert not [button for button in bare.test.button if button.key == "presets_undo"]


def test_the_filter_of_the_question_is_not_that_of_the_form_unless_wanted(hiring):
    hiring.go("Presets")
    assert hiring.state.check.where and "3,648 applicants in this table; 352 left out" in hiring.text
    box = next(box for box in hiring.test.selectbox if box.label == "Who is looked at")
    hiring.set("selectbox", box.key, hiring.state.check.where)
    assert "3,648 applicants in this table; 203 left out" in hiring.text


def test_the_sample_opens_with_its_forms_in_the_report(hiring):
    assert [part.preset for part in hiring.state.presets] == ["nyc144", "nyc144", "eeoc_uniform_guidelines"]
    hiring.go("Presets")
    key = next(box.key for box in hiring.test.checkbox if box.key.startswith("presets_in_report"))
    assert hiring.test.checkbox(key=key).value is True


def test_small_counts_are_not_handed_out_on_the_page(bare):
    bare.state.small_cells = SmallCellsPlan(mask=True)
    bare.go("Presets").set("selectbox", FORM, "nyc144")
    assert "take this form from the report" in bare.text
    assert not [button for button in bare.test.get("download_button") if "presets" in str(button.proto.id)]


def test_a_form_whose_column_is_gone_is_dropped_and_told(hiring, csv):
    hiring.upload("other.csv", csv(sex=["F", "M"] * 10, advanced=["yes", "no"] * 10))
    assert hiring.state.presets == []
    assert any("no column 'race_ethnicity' for the form" in sentence for sentence in hiring.state.dropped)


def test_a_saved_audit_brings_its_forms_back(hiring):
    text = hiring.state.plan().to_toml()
    assert AuditPlan.from_toml(text).presets == tuple(hiring.state.presets)


def test_an_offices_own_form_is_offered(bare, monkeypatch, tmp_path):
    text = (Path(__file__).parents[2] / "sample_data/local_rules/anytown_grants.toml").read_text()
    (tmp_path / "own.toml").write_text(text)
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(tmp_path))
    bare.go("Presets").set("selectbox", FORM, "anytown_grants")
    bare.set("selectbox", role_key(bare, "anytown_grants", "district"), "race")
    assert "parity ratio" in bare.text and "made up for this example" in bare.text
    (tmp_path / "own.toml").write_text(text.replace("threshold = 0.9", "threshold = 9"))
    bare.go("Presets")
    assert "'checks.1.threshold' in line" in bare.errors


def test_the_numbers_of_the_page_are_those_of_the_report(bare):
    bare.set("selectbox", FORM, "nyc144")
    key = next(box.key for box in bare.test.checkbox if box.key.startswith("presets_in_report"))
    bare.set("checkbox", key, True)
    [finding] = run(bare.state.plan(), table=bare.state.table).presets
    drawn = bare.test.main.table[0].value
    for row, shown in zip(finding.rates[0].table.rows, drawn.itertuples(index=False), strict=True):
        assert str(row.group.n) == shown[1] and f"{row.impact_ratio:.3f}" == shown[4].replace("\\", "")
