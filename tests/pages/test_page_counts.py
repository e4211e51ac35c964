"""Data asks what a row is where a column looks as if it counted cases; no page answers before."""

from __future__ import annotations

import itertools

import pytest
from shown import shows

from fairaudit import AuditPlan, Table
from fairaudit.columns import ByGroup, WideCounts
from fairaudit.data.case_counts import count_warnings
from fairaudit.data.counted_rows import count_cases
from fairaudit.data.prepare import as_planned
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan


@pytest.fixture
def counted(app, csv):
    rows = list(itertools.product("abcdef", ["F", "M"], ["yes", "no"]))
    dept, sex, admitted = map(list, zip(*rows, strict=True))
    app.hold("counts.csv", csv(dept=dept, sex=sex, admitted=admitted, Freq=[7 + i * 13 % 31 for i in range(len(rows))]))
    app.state.decision = OutcomePlan(column="admitted", favorable=("yes",))
    app.state.change_check(protected="sex = 'F'")
    return app


def is_asked(app) -> bool:
    return any(each.key == "data_counts_use" for each in app.button)


@pytest.mark.parametrize(
    "page", ["Groups", "Check", "Errors", "Worst_groups", "Explain", "Change", "Remedies", "Retrain", "Legal_forms"]
)
def test_no_page_answers_before_it_is_said_what_a_row_is(counted, page):
    counted.go(page)
    assert not counted.exception and not counted.metric
    assert say(Message("page-needs-rows")) in counted.text


def test_rows_that_are_cases_open_the_way_and_stay_so_in_the_saved_audit(counted):
    counted.go("Data")
    assert shows(counted.text, "data-ask-counts", columns="'Freq'")
    counted.click("data_counts_leave")
    assert counted.state.plan().data.reading.rows_are_cases
    counted.go("Groups")
    assert counted.sizes
    counted.go("Data")
    assert not is_asked(counted) and shows(counted.text, "data-rows-are-cases")
    assert is_asked(counted.click("data_counts_undo"))


def test_a_table_of_counts_is_counted_with_one_press_and_read_as_it_is_again(counted):
    counted.go("Data")
    n_rows = counted.state.table.n_rows
    counted.click("data_counts_use")
    assert not counted.exception and counted.state.plan().data.counts == "Freq"
    assert counted.state.table.n_rows == sum(7 + i * 13 % 31 for i in range(n_rows))
    counted.go("Check")
    assert counted.state.decision is not None
    counted.go("Data")
    counted.button(key="data_counts_back").click().run()
    assert counted.state.table.n_rows == n_rows and is_asked(counted)


def test_two_columns_of_counts_make_the_decision_so_that_it_is_not_asked(app, csv):
    app.hold("wide.csv", csv(race=["A", "B", "C"], applicants=[90, 60, 30], selected=[30, 15, 5]))
    app.go("Data")
    assert shows(app.text, "data-ask-counts", columns="'selected' and 'applicants'")
    app.click("data_counts_use")
    assert not app.exception and app.state.table.n_rows == 180
    assert app.state.decision == OutcomePlan(column="selected", favorable=("selected",))
    assert app.state.plan().data.counts == WideCounts("selected", all="applicants")
    app.button(key="data_counts_back").click().run()
    assert app.state.table.n_rows == 3 and app.state.decision is None


def test_rows_without_a_number_of_cases_are_left_out_with_the_answer(app, csv):
    app.hold("wide.csv", csv(race=["A", "B", "C"], admitted=[9, 6, ""], rejected=[3, 1, 5]))
    app.go("Data")
    assert shows(app.text, "data-lead-cases-empty", columns="'admitted'", n=1)
    app.click("data_counts_use")
    assert not app.exception and not app.error
    assert app.state.table.n_rows == 19 and app.state.decision == OutcomePlan(
        column="admitted or rejected", favorable=("admitted",)
    )
    assert app.state.reading.left_out == (("admitted", ("",)),)
    assert app.state.plan().data.counts == WideCounts("admitted", others="rejected")


def test_counts_of_a_said_mark_stay_named_where_the_reading_is_changed(app):
    app.upload("counts.csv", b"sex;ok;n\nF;y;1.157\nF;n;2.044\nM;y;3.001\nM;n;1.002\n")
    key = app.state.asked_file.key
    app.set("radio", f"data_two_readings_0_{key}", ",")
    app.click(f"data_two_readings_go_{key}")
    app.click("data_counts_use")
    assert not app.exception and app.state.table.n_rows == 7204
    assert app.multiselect(key=f"data_decimal_comma_{app.state.data_key}").value == ["n"]


def test_check_names_the_column_that_was_taken_for_no_counts(counted):
    counted.go("Data")
    counted.click("data_counts_leave")
    counted.go("Check")
    assert any("'Freq'" in each.value for each in counted.warning)


BY_GROUP = {"category": ["a", "b"], "headcount women": [40, 35], "headcount men": [60, 70]}
BY_GROUP |= {"base women": [24150.5, 48900.25], "base men": [25310.75, 55250.5]}


def test_counts_and_means_by_group_are_asked_about_once_and_lead_to_the_forms(app, csv):
    app.hold("pay.csv", csv(**BY_GROUP))
    app.go("Data")
    args = {"groups": Phrase("women and men"), "has_means": Word("yes")}
    assert say(Message("data-ask-group-counts", args)) in app.text
    app.button(key="data_counts_use").click().run()
    assert not app.exception and app.state.table.n_rows == 205
    assert app.state.decision == OutcomePlan(column="base", amount=True)
    assert say(Message("data-next-form")) in [link.label for link in app.get("page_link")]
    plan = app.state.plan()
    assert plan.data.options.means == (ByGroup((("women", "base women"), ("men", "base men"))),)
    app.go("Check")
    assert not app.exception and not app.metric
    app.go("Data")
    app.button(key="data_counts_back").click().run()
    assert app.state.table.n_rows == 2


@pytest.mark.parametrize(("pressed", "means"), [("data_means_use", ("pay",)), ("data_means_leave", ())])
def test_an_amount_beside_counts_is_asked_about_before_any_page_answers(app, csv, pressed, means):
    pay = [94.1, 96.2, 100.3, 110.4, 90.5, 97.6]
    app.hold("pay.csv", csv(sex=list("FM") * 3, job=list("aabbcc"), n=[9, 8, 30, 4, 5, 60], pay=pay))
    app.go("Data")
    app.button(key="data_counts_use").click().run()
    assert say(Message("data-ask-means", {"columns": Phrase("'pay'"), "n": Count(1)})) in app.text
    app.go("Legal_forms")
    assert say(Message("page-needs-rows")) in app.text
    app.go("Data")
    app.button(key=pressed).click().run()
    assert not app.exception and app.state.reading.means == means
    app.button(key="data_means_undo").click().run()
    assert app.state.reading.means is None


HIDDEN = b"sex,selected,applicants\nF,<5,60\nM,40,80\nF,11,71\nM,33,90\n"


def test_two_columns_with_a_hidden_cell_and_two_rows_a_group_are_proposed_and_give_bounds(app):
    app.hold("hidden.csv", HIDDEN).go("Data")
    assert shows(app.text, "data-ask-counts", columns="'selected' and 'applicants'")
    app.click("data_counts_use").click("data_printed_use")
    assert app.state.plan().data.counts == WideCounts("selected", all="applicants")
    app.state.change_check(protected="sex = 'F'")
    app.go("Check")
    assert app.state.table.partial_counts is not None and app.verdict


SUMS = {"job": ["x", "y", "z"], "A": [3, 5, 10], "B": [4, 9, 20], "Every": [7, 14, 30]}


def choose(app, **columns):
    """Choose the columns of the cases, and press what the second one counts."""
    for field, column in columns.items():
        app.set("selectbox", app.data_key(f"counts_{field}"), column)
    return app


def test_columns_that_add_up_are_chosen_in_two_fields_kept_in_the_plan_and_read_as_they_are_again(app, csv):
    app.hold("jobs.csv", csv(**SUMS)).go("Data")
    assert shows(app.text, "data-lead-sum", columns="'A' and 'B'", whole="'Every'")
    chosen = [app.selectbox(key=app.data_key(f"counts_{field}")).value for field in ("some", "second")]
    assert chosen == ["A", "Every"]
    choose(app, some="B").click("data_counts_are_all")
    assert app.state.plan().data.counts == WideCounts("B", all="Every") and app.state.table.n_rows == 51
    assert app.state.decision.column == "b"
    app.click("data_counts_back")
    assert app.state.table.n_rows == 3 and shows(app.text, "data-ask-which")


def test_what_sums_rule_out_is_no_answer(app, csv):
    app.hold("jobs.csv", csv(**SUMS)).go("Data")
    presses = lambda: {each.key for each in app.button if each.key.startswith("data_counts_are")}  # noqa: E731
    assert presses() == {"data_counts_are_all"}
    choose(app, second="B")
    assert presses() == {"data_counts_are_others"}
    app.selectbox(key=app.data_key("counts_some")).select_index(0).run()
    assert presses() == {"data_counts_are_one"}


def test_columns_of_groups_are_asked_about_and_make_one_of_groups(app, csv):
    app.hold(
        "jobs.csv",
        csv(
            job=["x", "y", "z"],
            region=["n", "s", "n"],
            men=[30, 500, 100],
            women=[40, 90, 200],
            **{"all people": [70, 590, 300]},
        ),
    ).go("Data")
    args = {"groups": Phrase("men and women"), "has_means": Word("no")}
    assert say(Message("data-ask-group-counts", args)) in app.text
    app.go("Check")
    assert say(Message("page-needs-rows")) in app.text
    app.go("Data").click("data_counts_choose")
    chosen = [app.selectbox(key=app.data_key(f"counts_{field}")).value for field in ("some", "second")]
    assert chosen == ["men", "all people"], "the sum proposes all"
    app.click("data_counts_unchosen").click("data_counts_use")
    assert app.state.table.n_rows == 960 and "men or women" in app.state.table.columns
    app.decide("job", "x")
    assert app.state.plan().data.counts == ByGroup((("men", "men"), ("women", "women")))
    app.state.change_check(protected="\"men or women\" = 'women'")
    app.go("Check")
    assert "12% of women" in app.verdict, "40 of 330"


def test_results_of_groups_in_columns_stop_all_pages_until_rows_are_said_to_be_cases(app, csv):
    columns = {f"{sex} {what}": [9, 21, 30] for what in ("applied", "hired") for sex in ("women", "men")}
    app.hold("jobs.csv", csv(job=["x", "y", "z"], **columns)).go("Data")
    assert shows(app.text, "data-ask-results", groups="women and men")
    app.click("data_counts_leave")
    assert not shows(app.text, "data-ask-results", groups="women and men")
    assert app.state.reading.rows_are_cases
    app.click("data_counts_undo")
    assert shows(app.text, "data-ask-results", groups="women and men")


def test_where_nothing_looks_like_counts_more_opens_the_choice_of_columns(app, csv):
    people = [20 + i * 7 % 50 for i in range(60)]
    app.hold("areas.csv", csv(area=["n", "s"] * 30, got=[each // 2 for each in people], asked=people)).go("Data")
    assert not is_asked(app)
    app.click("data_counts_begin")
    choose(app, some="got", second="asked").click("data_counts_are_all")
    assert app.state.table.n_rows == sum(people) and app.state.decision.column == "got"


def test_all_that_was_called_the_others_is_doubted_and_put_right_with_one_press(app, csv):
    app.hold("wide.csv", csv(race=["A", "B", "C"], applicants=[90, 60, 30], selected=[30, 15, 5]))
    wrong = count_cases(app.state.table, WideCounts("selected", others="applicants"))
    app.state.put_table(wrong, source="wide.csv", content=app.state.content)
    app.state.decision = OutcomePlan(column="selected or applicants", favorable=("selected",))
    app.go("Data")
    assert shows(app.text, "data-ask-doubted", role="all", column="'applicants'")
    app.click("data_doubted_all")
    assert app.state.plan().data.counts == WideCounts("selected", all="applicants")
    assert app.state.table.n_rows == 180 and app.state.decision.column == "selected"


def test_a_doubt_that_was_answered_stays_so_in_the_plan_and_is_no_warning(app, csv):
    app.hold("wide.csv", csv(race=["A", "B", "C"], applicants=[90, 60, 30], selected=[30, 15, 5]))
    said = count_cases(app.state.table, WideCounts("selected", others="applicants"))
    app.state.put_table(said, source="wide.csv", content=app.state.content)
    app.state.decision = OutcomePlan(column="selected or applicants", favorable=("selected",))
    assert count_warnings(app.state.table)
    app.go("Data").click("data_doubted_others")
    assert not shows(app.text, "data-ask-doubted", role="all", column="'applicants'")
    plan = AuditPlan.from_toml(app.state.plan().to_toml())
    assert plan.data.reading.counts_confirmed and not count_warnings(app.state.table)
    again = Table.from_pandas(app.state.table.without_counts.to_pandas())
    assert not count_warnings(as_planned(again, plan.data.options))
    app.click("data_counts_back")
    assert not app.state.reading.counts_confirmed


def test_data_has_its_tick_once_nothing_is_open(app, csv):
    people = csv(sex=["F", "M"] * 20, ok=["y", "n", "n", "pending"] * 10)
    app.hold("people.csv", people)
    app.state.decision = OutcomePlan(column="ok", favorable=("y",))
    app.go("Data")
    assert not is_ticked(app)
    app.click("data_open_not_known")
    assert is_ticked(app)


def is_ticked(app) -> bool:
    [label] = [link.label for link in app.sidebar.get("page_link") if "1 Data" in link.label]
    return "check" in label


def test_whole_numbers_are_shown_as_such_in_the_preview(app, csv):
    app.hold("people.csv", csv(sex=["F", "M", "F"], pay=[1702, 2100, ""], rate=[0.5, 1, 2])).go("Data")
    [shown] = [each.value for each in app.dataframe if "pay" in each.value]
    assert list(shown["pay"]) == ["1702", "2100", ""] and list(shown["rate"]) == ["0.5", "1.0", "2.0"]


def test_other_numbers_of_people_of_a_row_make_no_cases_comparable(app, csv):
    rows = list(itertools.product("nsew", "xyz"))
    region, job = map(list, zip(*rows, strict=True))
    men, women = ([40 + i * step % 60 for i in range(len(rows))] for step in (17, 23))
    everybody = [sum(pair) for pair in zip(men, women, strict=True)]
    app.hold("jobs.csv", csv(region=region, job=job, men=men, women=women, **{"all people": everybody}))
    app.go("Data").click("data_counts_use")
    app.decide("job", "x")
    app.state.change_check(protected="\"men or women\" = 'women'")
    app.go("Check")
    left_out = {"column": Phrase("all people"), "why": Word("counts")}
    assert say(Message("check-comparable-left-out", left_out)) in app.text
