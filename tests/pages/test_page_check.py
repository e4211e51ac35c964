"""The page Check: the verdict, its settings, and everything below it."""

from __future__ import annotations

import pytest
from conftest import plain
from shown import shows
from streamlit.testing.v1.element_tree import Selectbox

from fairaudit import run
from fairaudit.findings import Count, Group, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.names import people_whose
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import cell_text
from fairaudit.sections.check import say_similar
from ui.check.questions import finding_of
from ui.entries import CheckEntry


@pytest.fixture
def checked(ready):
    """The app on the page Check."""
    return ready.go("Check")


def links(app) -> list[str]:
    """The links of the sidebar, with their ticks."""
    return [link.label for link in app.test.sidebar.get("page_link")]


def test_verdict_gives_both_shares_and_the_query(checked):
    assert "50%" in checked.text and "75%" in checked.text and "less often" in checked.verdict
    assert [metric.label for metric in checked.metric]
    assert any("GROUP BY" in code.value for code in checked.code)


def test_settings_change_the_verdict_last_and_are_part_of_the_plan(checked):
    strict = checked.text
    checked.set("slider", "check_tolerance_0", 25.0)
    assert checked.state.check.tolerance == 0.25
    assert checked.text != strict and "25 points" in checked.text
    narrow = checked.text
    checked.set("select_slider", "check_confidence_0", 0.99)
    assert checked.state.check.confidence == 0.99
    assert "99" in checked.text and checked.text != narrow
    # A saved audit may allow more than the slider offers.
    checked.state.change_check(tolerance=0.4)
    checked.go("Groups").go("Check")
    assert checked.state.check.tolerance == 0.4
    checked.set("slider", "check_tolerance_0", 10.0).go("Groups").go("Check")
    assert checked.slider(key="check_tolerance_0").value == 10.0
    assert checked.state.plan().checks[0].tolerance == 0.1


def test_chosen_columns_are_compared_crossed_and_held_fixed(checked):
    checked.set("multiselect", "check_compare_0", ["race", "sex"])
    assert checked.state.check.compare == (("race",), ("sex",))
    checked.set("checkbox", "check_compare_0_crossed", True)
    assert checked.state.check.compare == (("race",), ("sex",), ("race", "sex"))
    checked.assert_refuses_nothing()
    checked.set("checkbox", "check_compare_0_crossed", False).set("multiselect", "check_compare_0", [])
    assert checked.state.check.compare == ()
    checked.set("multiselect", "check_strata_0", ["race"])
    checked.assert_refuses_nothing()
    assert checked.state.check.strata == ("race",)
    checked.set("multiselect", "check_strata_0", [])
    assert checked.state.check.strata == ()


def test_columns_that_make_cases_comparable_are_proposed_and_one_press_compares_inside(checked):
    # Neither what the question is about, nor what has as many values as rows.
    offered = checked.radio(key="check_comparable_0").options
    assert "race" in offered and {"ok", "sex"}.isdisjoint(offered)
    checked.set("radio", "check_comparable_0", "race").click("check_comparable_go")
    assert checked.state.check.strata == ("race",)
    assert checked.multiselect(key="check_strata_0").value == ["race"]
    assert not [radio for radio in checked.radio if radio.key == "check_comparable_0"]
    assert {"ok", "sex"}.isdisjoint(checked.multiselect(key="check_strata_0").options)
    checked.set("multiselect", "check_strata_0", [])
    checked.click("check_comparable_leave")
    assert not [radio for radio in checked.radio if radio.key == "check_comparable_0"]


def test_an_identifier_is_named_as_such_and_any_column_is_one_press_away(app, csv):
    n = 400
    columns = {"sex": ["F", "M"] * (n // 2), "ok": list("ynnyy") * (n // 5), "year": [2023, 2024] * (n // 2)}
    columns |= {"staff_id": [i // 2 for i in range(n)], "office": list("aabb") * (n // 4)}
    app.hold("t.csv", csv(**columns)).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'")
    app.go("Check")
    assert app.radio(key="check_comparable_0").options == ["office"]
    keys = {"sex": "protected", "ok": "result", "staff_id": "key"}
    said = [say(Message("check-comparable-left-out", {"column": Phrase(c), "why": Phrase(w)})) for c, w in keys.items()]
    assert [text for text in said if text in app.text] == said
    app.set("selectbox", "check_comparable_other_0", "staff_id")
    assert app.state.check.strata == ("staff_id",)


def test_rows_without_a_group_and_rows_without_a_decision_are_both_said(app, csv):
    app.hold("t.csv", csv(sex=["F", "M", ""] * 40, ok=["y", "n", "y", "", "y", "n"] * 20)).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'")
    app.go("Check")
    assert (
        say(Message("cases-unknown", {"n": Count(40)})) in app.text
        and "20 rows without a decision left out" in app.text
    )


def test_rows_without_an_outcome_are_called_so_where_it_happened_later(app, csv):
    n = 120
    content = csv(sex=["F", "M"] * (n // 2), ok=["y", "n", "", "y", "y", "n"] * (n // 6), score=list(range(n)))
    app.hold("t.csv", content).decide("ok", "y")
    app.state.change_check(protected="sex = 'F'")
    app.go("Check")
    assert "20 rows without a decision left out" in app.warnings
    assert "20 without a decision" in app.metric[-1].help
    app.state.decision = app.state.decision.model_copy(update={"is_outcome": True})
    app.go("Check")
    assert "20 rows without an outcome left out: 20 " in app.warnings
    assert "20 without an outcome" in app.metric[-1].help
    assert "a decision left out" not in app.warnings


def test_rows_without_an_outcome_are_called_so_where_the_name_says_what_happened(app, csv):
    app.hold("t.csv", csv(sex=["F", "M"] * 60, reoffended=["yes", "no", "", "no", "no", "yes"] * 20))
    app.decide("reoffended", "no")
    app.state.change_check(protected="sex = 'F'")
    app.go("Check")
    assert "20 rows without an outcome left out" in app.warnings


def test_questions_are_named_as_they_are_said(ready):
    named = CheckPlan(protected="age < 30", protected_name="the young")
    ready.state.checks += [CheckEntry(CheckPlan(protected="race = 'Black'")), CheckEntry(named)]
    ready.go("Check")
    assert ready.selectbox(key="check_selected").options == [
        say(Message("asked-question", {"n": Count(n), "total": Count(3), "asked": Phrase(said)}))
        for n, said in enumerate(("sex is F", "race is Black", "the young"), start=1)
    ]


def test_rows_without_an_amount_are_said(app, csv):
    app.hold("t.csv", csv(sex=["F", "M"] * 60, pay=["", "310", "290"] * 40))
    app.state.decision = OutcomePlan(column="pay", amount=True)
    app.state.change_check(protected="sex = 'F'")
    app.go("Check")
    assert "40 rows without an amount left out: 20 " in app.warnings


def test_the_table_of_groups_has_the_order_of_its_chart(checked):
    checked.set("multiselect", "check_compare_0", ["age"])
    [table] = [t.value for t in checked.test.table if "p, adjusted" in t.value.columns]
    gaps = [float(text.replace("\\", "").replace("−", "-")) for text in table.iloc[:, 3]]
    assert gaps == sorted(gaps) and len(gaps) > 1


def test_of_two_groups_both_are_shown_the_worse_off_first(checked):
    checked.set("multiselect", "check_compare_0", ["sex"])
    [table] = [t.value for t in checked.test.table if "p, adjusted" in t.value.columns]
    assert table["sex"].tolist() == ["F", "M"] and "Worst off: F, 50.0" in checked.text


def test_what_came_after_the_decision_is_not_proposed_and_warned_of_where_it_is_taken(app, csv):
    n, ok = 120, ["y", "n", "n"] * 40
    late = {
        "amount": [100 + i % 4 if ok[i] == "y" else 0 for i in range(n)],
        "result_at_trial": ["guilty", "not guilty", "not guilty", "guilty"] * 30,
        "appeal": ["" if ok[i] == "y" else ("upheld", "dismissed")[i % 2] for i in range(n)],
    }
    columns = {"sex": ["F", "M"] * 60, "ok": ok, "office": ["a", "b", "b"] * 20 + ["b", "a", "a"] * 20, **late}
    app.hold("t.csv", csv(said=["y", "n"] * 60, risk=[i % 9 for i in range(n)], found=["x", "y"] * 60, **columns))
    app.state.decision = OutcomePlan(column="ok", favorable=("y",))
    app.state.prediction = OutcomePlan(column="said", favorable=("y",))
    app.state.score, app.state.found = ScorePlan(column="risk"), "found = 'x'"
    app.state.change_check(protected="sex = 'F'")
    app.go("Check")
    assert app.radio(key="check_comparable_0").options == ["office"]
    assert app.multiselect(key="check_strata_0").options[-3:] == ["said", "risk", "found"]
    app.set("multiselect", "check_strata_0", ["office"])
    assert say(Message("check-only-if-known")) not in app.text
    for column, said in (
        ("amount", "amount seems to follow from the decision"),
        ("appeal", "appeal seems to follow from the decision"),
        ("said", "In this audit said is the prediction"),
        ("risk", "In this audit risk is the score"),
        ("found", "In this audit found is what was found"),
    ):
        app.set("multiselect", "check_strata_0", [column])
        assert f"{said}" in app.warnings and say(Message("check-only-if-known")) in app.warnings, column
    app.go("Explain")
    assert "In this audit found is what was found" in app.warnings


def test_protected_columns_are_compared_without_asking_and_can_be_taken_out(ready):
    ready.go("Data").set("multiselect", ready.data_key("protected"), ["race"]).go("Check")
    assert ready.state.check.compare == (("race",),)
    ready.set("multiselect", "check_compare_0", [])
    ready.go("Groups").go("Check")
    assert ready.state.check.compare == ()


def test_groups_are_proposed_again_where_a_table_comes_a_second_time(app, csv):
    people = csv(sex=["F", "M"] * 30, race=["a", "b", "c"] * 20, ok=["y", "n", "y", "n", "n"] * 12)

    def compared() -> tuple[tuple[str, ...], ...]:
        app.hold("people.csv", people)
        app.state.decision = OutcomePlan(column="ok", favorable=("y",))
        app.state.protected_columns = ("race",)
        app.state.change_check(protected="sex = 'F'")
        app.go("Check")
        return app.state.check.compare

    assert compared() == (("race",),)
    app.hold("others.csv", csv(kind=["x", "y"] * 30, given=["y", "n", "n"] * 20))
    assert compared() == (("race",),)


def test_explorer_shows_the_gap_across_any_column(checked):
    for column in ("age", "race", "member", "since", "sex", "ok", "score"):
        checked.set("selectbox", "check_explore_0", column)
        assert len(checked.error) <= 1, column


def test_a_chart_of_the_explorer_goes_into_the_report(checked):
    checked.set("selectbox", "check_explore_0", "race").click("check_explore_keep_0")
    assert checked.state.plan().checks[0].strata == ("race",)
    assert checked.multiselect(key="check_strata_0").value == ["race"]
    assert say(Message("check-explored-kept")) in checked.text


def test_many_numbers_are_cut_into_bands_that_a_person_can_change(checked):
    checked.set("multiselect", "check_strata_0", ["age"])
    checked.assert_refuses_nothing()
    field = "check_bands_0_2"
    proposed = checked.state.check.strata_cuts["age"]
    assert checked.text_input(key=field).value == ", ".join(map(str, proposed)) and len(proposed) == 3
    checked.set("text_input", field, "30, 45.5")
    assert checked.state.check.strata_cuts == {"age": (30, 45.5)} and not checked.error
    checked.set("text_input", field, "45, 30")
    assert "The field must cut 'age' in ascending order, got 45, 30." in checked.error[0].value.replace("\\", "")
    assert checked.state.check.strata_cuts == {"age": (30, 45.5)}
    checked.set("text_input", field, "30 to 45")
    assert "Each cut must be a number" in checked.error[0].value and checked.verdict
    checked.go("Groups").go("Check")
    assert checked.text_input(key=field).value == "30 to 45" and "Each cut must be a number" in checked.error[0].value
    checked.set("text_input", field, "30, 45.5")
    assert not checked.error and not checked.state.entry.cuts_typed
    assert AuditPlan.from_toml(checked.state.plan().to_toml()).checks[0].strata_cuts == {"age": (30, 45.5)}
    checked.set("text_input", field, "")
    assert checked.state.check.strata_cuts == {} and checked.state.check.strata == ("age",)
    checked.go("Groups").go("Check")
    assert checked.state.check.strata_cuts == {}, "each value, as the person chose"
    checked.set("text_input", field, "40").set("multiselect", "check_strata_0", [])
    assert checked.state.check.strata_cuts == {}


@pytest.mark.parametrize("amount", [False, True])
def test_a_column_of_more_numbers_than_strata_is_compared_in_bands(app, csv, amount):
    n = 2_400
    rows = {"sex": ["F", "M"] * (n // 2), "days": [*range(n)], "ok": ["y", "n", "n"] * (n // 3)}
    app.hold("days.csv", csv(**rows, pay=[i * 37 % 500 for i in range(n)]))
    share = OutcomePlan(column="ok", favorable=("y",))
    app.state.decision = OutcomePlan(column="pay", amount=True) if amount else share
    app.state.change_check(protected="sex = 'F'", where="days >= 400")
    app.go("Check").set("multiselect", "check_strata_0", ["days"])
    app.assert_refuses_nothing()
    assert app.state.check.strata_cuts == {"days": (900, 1400, 1900)}
    assert "Not compared" not in app.text and "ithin bands of days" in app.text


def test_a_chart_of_ranges_goes_into_the_report_as_bands(checked):
    checked.set("selectbox", "check_explore_0", "age").click("check_explore_keep_0")
    cuts = checked.state.plan().checks[0].strata_cuts["age"]
    assert len(cuts) == 7 and checked.text_input(key="check_bands_0_2").value == ", ".join(map(str, cuts))
    assert say(Message("check-explored-kept")) in checked.text


def test_a_saved_question_about_each_number_stays_as_it_is(ready):
    ready.state.change_check(strata=("age",))
    ready.go("Check")
    assert ready.state.check.strata_cuts == {} and ready.text_input(key="check_bands_0_2").value == ""


def test_cuts_go_with_a_column_that_is_gone_or_holds_numbers_no_more(ready, csv):
    ready.state.change_check(strata=("age", "score"), strata_cuts={"age": (30,), "score": (0.5,)})
    ready.hold("other.csv", csv(sex=["F", "M"] * 20, age=["old", "young", "old", "old"] * 10, ok=["y", "n"] * 20))
    assert ready.state.check.strata == ("age",) and ready.state.check.strata_cuts == {}
    [said] = (sentence for sentence in ready.state.dropped if "'age'" in sentence)
    assert said == say(Message("moved-bands", {"column": Phrase("'age'"), "kind": Phrase("text")}))


@pytest.mark.campaign
def test_values_of_the_picked_column_are_compared_without_asking_where_there_are_more_than_two(app, csv):
    app.hold("offices.csv", csv(office=["A", "B", "C"] * 40, sex=["F", "M"] * 60, ok=["y", "n", "n", "y"] * 30))
    app.decide("ok", "y").protect("office = 'A'").go("Check")
    assert app.state.check.compare == (("office",),)
    app.protect("sex = 'F'").go("Check")
    assert app.state.check.compare == (("office",),), "what is compared already stays"
    app.set("multiselect", "check_compare_0", []).go("Groups").go("Check")
    assert app.state.check.compare == ()


def test_any_column_can_be_compared_or_held_fixed(checked):
    for column in ("age", "sex", "ok", "since", "score"):
        checked.set("multiselect", "check_compare_0", [column])
        assert len(checked.error) <= 1, column
        checked.go("Groups").go("Check")
        if checked.error:
            assert checked.get("page_link"), column
        checked.state.change_check(compare=())
        checked.go("Groups").go("Check").set("multiselect", "check_strata_0", [column])
        assert len(checked.error) <= 1, column
        checked.state.change_check(strata=())
        checked.go("Groups").go("Check")


@pytest.mark.parametrize("amount", [False, True])
def test_a_stratum_that_its_average_hides_is_checked_alone_on_a_press_that_can_be_undone(app, csv, amount):
    cells = {"Harbour": (60, 65, 86, 39), "North": (75, 50, 75, 50), "South": (70, 55, 71, 54)}
    sides = (("F", "y"), ("F", "n"), ("M", "y"), ("M", "n"))
    rows = [
        (area, *side) for area, counts in cells.items() for side, n in zip(sides, counts, strict=True) for _ in range(n)
    ]
    area, sex, ok = zip(*rows, strict=True)
    pay = [100 * (got == "y") + i % 7 for i, got in enumerate(ok)]
    app.hold("areas.csv", csv(sex=sex, area=area, ok=ok, pay=pay))
    app.state.decision = (
        OutcomePlan(column="pay", amount=True, higher_is_favorable=True)
        if amount
        else OutcomePlan(column="ok", favorable=("y",))
    )
    app.state.change_check(protected="sex = 'F'", strata=("area",))
    app.go("Check")
    assert say(Message("check-many-ranges", {"n": Count(3), "method": Word("holm")})) in app.text
    # The page has the ranges of the report and of files: those of each row by itself.
    drawn = {plain(str(cell)) for table in app.table for cell in table.value.to_numpy().ravel()}
    strata = finding_of(app.state, app.state.entry).strata.strata
    ranges = {cell_text(row.comparison.difference_interval, "points_interval") for row in strata}
    assert amount or ranges <= drawn
    similar = say_similar(finding_of(app.state, app.state.entry))
    assert similar[-1].key == "check-lead-found" and say(similar) in app.text
    app.click("check_only_stratum")
    assert app.state.check.where == "area = 'Harbour'"
    app.click("check_only_stratum_undo")
    assert app.state.check.where is None


@pytest.mark.parametrize("amount", [False, True])
def test_strata_that_are_not_drawn_or_not_compared_are_said(app, csv, amount):
    area = [str(i // 8) for i in range(320)] + ["90"] * 3 + ["91"] * 4
    sex = ["F", "M"] * 160 + ["F"] * 7
    app.hold("areas.csv", csv(sex=sex, area=area, ok=(["y", "n", "n"] * 109), pay=[i * 37 % 500 for i in range(327)]))
    app.state.decision = (
        OutcomePlan(column="pay", amount=True) if amount else OutcomePlan(column="ok", favorable=("y",))
    )
    app.state.change_check(protected="sex = 'F'", strata=("area",))
    app.go("Check")
    assert "Only the 30 largest of 40 strata are drawn; the table below holds them all." in app.text
    assert say(Message("cases-strata-out", {"values": Phrase("90; 91")})) in app.text


def test_filter_that_leaves_one_group_of_a_compared_column_keeps_the_verdict(checked):
    checked.set("multiselect", "check_compare_0", ["race"])
    checked.go("Groups").set("text_input", "groups_where", "race = 'White'").go("Check")
    checked.assert_refuses_nothing()
    assert checked.verdict


def test_several_questions_are_kept_changed_and_removed(checked):
    checked.click("check_another")
    assert len(checked.state.checks) == 2 and checked.state.selected == 1
    checked.go("Groups").set("segmented_control", "groups_how", "Write a condition")
    checked.set("text_input", "groups_protected_text", "race = 'Black'")
    second = checked.go("Check").verdict
    checked.set("selectbox", "check_selected", 0)
    first = checked.verdict
    assert first != second and checked.state.check.protected == "sex = 'F'"
    checked.go("Report")
    said = [one.splitlines()[0] for one in (first, second)]
    assert all(sentence in checked.text for sentence in said)
    checked.click("report_change_1")
    assert checked.state.selected == 1
    checked.go("Groups")
    assert "race is Black" in checked.text
    checked.go("Report").click("report_remove_0")
    assert [entry.plan.protected for entry in checked.state.checks] == ["race = 'Black'"]
    assert checked.go("Check").verdict == second
    checked.go("Report").click("report_remove_0")
    assert "Nothing is chosen" in checked.text
    assert say(Message("page-needs-protected")) in checked.go("Check").text


def test_another_question_keeps_the_first_and_both_are_listed_wherever_one_is_asked(checked):
    checked.state.change_check(strata=("race",))
    ways = links(checked.go("Check"))
    checked.click("check_another")
    # On Groups the new one is put, and nothing that was open is closed again.
    assert checked.selectbox(key="check_selected").value == 1 and links(checked) == ways
    assert checked.state.check.strata == (), "what makes cases comparable is asked anew"
    # Left without a group, it waits; there is one of it.
    checked.go("Check").assert_refuses_nothing()
    assert checked.state.selected == 0 and checked.selectbox(key="check_selected").value == 0
    checked.click("check_another")
    assert len(checked.state.checks) == 2 and checked.state.selected == 1
    # Chosen on Groups, the first is as it was.
    checked.go("Groups").set("selectbox", "check_selected", 0)
    assert (checked.state.selected, checked.state.check.protected) == (0, "sex = 'F'")
    checked.set("selectbox", "check_selected", 1)
    assert checked.state.check.protected == ""


def test_a_question_that_is_called_anew_is_told_the_browser_and_stays_the_one_that_is_worked_on(checked, monkeypatch):
    checked.state.checks.append(CheckEntry(CheckPlan(protected="race = 'Black'", title="As first asked")))
    checked.go("Groups").set("selectbox", "check_selected", 1)
    held = checked.selectbox(key="check_selected").options[1]
    # A browser sends the name that it was given, and not the place that AppTest knows.
    stale = checked.selectbox(key="check_selected")._widget_state
    assert stale.string_value == held
    checked.set("text_input", "groups_where", "age > 30")
    sent = checked.selectbox(key="check_selected").proto
    assert sent.options[1] != held and sent.set_value and sent.raw_value == sent.options[1]
    sent = Selectbox._widget_state.fget
    monkeypatch.setattr(Selectbox, "_widget_state", property(lambda box: stale if box.id == stale.id else sent(box)))
    checked.run()
    assert (checked.state.selected, checked.state.check.protected) == (1, "race = 'Black'")
    assert checked.selectbox(key="check_selected").value == 1


@pytest.mark.parametrize("page", ["Check", "Explain", "Change"])
def test_each_page_of_a_question_says_who_is_compared_among_which_cases(checked, page):
    groups = {"protected": people_whose(checked.state.table.condition("sex = 'F'")), "others": Group()}
    for where, cases in (
        (None, Message("asked-cases-all")),
        ("age > 30", Message("asked-cases-where", {"where": Phrase("age is more than 30")})),
    ):
        checked.state.change_check(where=where)
        asked = Message("asked-line", {"groups": Message("asked-groups", groups), "cases": cases})
        assert plain(say(asked)) in [plain(each.value) for each in checked.go(page).markdown]


def test_undo_does_not_reach_into_another_question(checked):
    checked.go("Groups").set("text_input", "groups_where", "age > 30").go("Check").click("check_another")
    checked.go("Groups")
    assert checked.state.check.where == "age > 30", "the new question starts from the same population"
    assert checked.button(key="groups_undo").disabled


def test_question_can_be_left_out_of_the_report(checked):
    checked.set("checkbox", "check_in_report_0", False)
    assert checked.state.plan().checks == ()
    checked.go("Report")
    assert checked.checkbox(key="report_in_0_1").value is False
    checked.set("checkbox", "report_in_0_1", True).go("Check")
    assert checked.checkbox(key="check_in_report_0").value is True


def test_reference_that_the_filter_leaves_out_can_be_given_up(app):
    app.hold_sample("recidivism").go("Check")
    app.selectbox(key="check_reference_0").select("Caucasian")
    app.run()
    app.go("Groups").text_input(key="groups_where").set_value("race <> 'Caucasian'")
    app.run()
    app.go("Check")
    assert "of the protected group" in app.text and not app.error
    assert "Not compared. 'race'" in app.text
    app.button(key="check_no_reference").click()
    app.run()
    assert app.state.check.reference is None
    assert "Not compared" not in app.text


def test_a_column_of_clusters_widens_intervals_and_stays_chosen(checked):
    checked.set("selectbox", "check_cluster_0", "race")
    assert checked.state.check.cluster == "race"
    assert "value" in checked.text and "'race' only" in checked.text
    assert checked.go("Groups").go("Check").selectbox(key="check_cluster_0").value == "race"
    assert checked.state.plan().checks[0].cluster == "race"
    checked.set("selectbox", "check_cluster_0", None)
    assert checked.state.check.cluster is None


def rows_of_many_values(n: int) -> bytes:
    """Return decisions in which one column has another value in each row, one has one value and one has none."""
    lines = ["sex,case,points,same,none,pay,ok"]
    lines += [f"{'FM'[i % 2]},case {i},{i % 7},x,,{1000 + i * 7 % 500},{'yn'[i * i % 3 % 2]}" for i in range(n)]
    return "\n".join(lines).encode()


@pytest.mark.parametrize("amount", [False, True], ids=["share", "amount"])
def test_nothing_that_a_control_offers_takes_the_page(app, amount):
    app.hold("many.csv", rows_of_many_values(1_200))
    share = OutcomePlan(column="ok", favorable=("y",))
    app.state.decision = OutcomePlan(column="pay", amount=True) if amount else share
    app.state.change_check(protected="sex = 'F'")
    app.go("Check")
    answer = app.verdict
    for kind, name in (
        ("multiselect", "check_compare_0"),
        ("multiselect", "check_strata_0"),
        ("multiselect", "check_similar_0"),
        ("selectbox", "check_explore_0"),
        ("selectbox", "check_cluster_0"),
    ):
        if not any(each.key == name for each in getattr(app.test, kind)):
            continue
        for column in ("case", "same", "none", "pay", "points"):
            widget = getattr(app.test, kind)(key=name)
            if column in widget.options:
                app.set(kind, name, [column] if kind == "multiselect" else column)
                assert "Rows compared" in app.text and "1,200" in app.text, (name, column, app.errors)
                assert getattr(app.test, kind)(key=name).value in (column, [column])
        app.set(kind, name, [] if kind == "multiselect" else None)
    assert app.verdict == answer


def test_columns_of_too_many_values_are_named_where_they_are_chosen_and_in_the_report(app):
    app.hold("many.csv", rows_of_many_values(1_200))
    app.state.decision = OutcomePlan(column="ok", favorable=("y",))
    app.state.change_check(protected="sex = 'F'", compare=(("case",), ("points",)), strata=("case",))
    app.go("Check")
    app.assert_refuses_nothing()
    assert app.text.count("more than 1,000 different values") == 2
    found = run(app.state.plan(), table=app.state.table).checks[0]
    assert [each.columns for each in found.groups] == [("points",)] and found.strata is None
    assert len(found.not_compared) == 2


def test_values_that_are_open_are_asked_in_one_sentence_beside_the_way_to_data(app, some_unknown):
    app.hold("people.csv", some_unknown)
    app.state.decision = OutcomePlan(column="hired", favorable=("yes",))
    app.state.change_check(protected="race = 'Black'")
    app.go("Check")
    asked = shows(app.text, "data-open", meaning="undecided", values="'pending'", column="hired")
    assert asked or shows(app.text, "data-open", meaning="group", values="'Decline to state'", column="race")
    assert "Go to Data" in [link.label for link in app.main.get("page_link")]
