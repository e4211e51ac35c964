"""Tables that are read but hold little, too much or hostile text: marked with counts, shown as text, never an error."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from shown import shows

from fairaudit.data import quality_report, read_table
from fairaudit.data.limits import Limits
from fairaudit.findings import Count, Group, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan, InspectionPlan, VeilPlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from ui.entries import CheckEntry, RemedyEntry, settings_of
from ui.remedies.constrain.constraints import ConstraintDraft
from ui.text import literal

pytestmark = pytest.mark.campaign

PAGES = ("Data", "Groups", "Check", "Errors", "Report")
MARKDOWN = """www.evil.example [a](http://evil.example/) **bold** :red[x] $x^2$ :streamlit: " and '"""
# The name of a column and a value in it.
HOSTILE = (("</style><script>alert(1)</script>", "=cmd()"), ("drop table", "😀" * 300), (MARKDOWN, MARKDOWN))


def _everywhere(app):
    for page in PAGES:
        app.go(page)


def test_decision_without_any_value_cannot_be_chosen_silently(app, csv):
    app.upload("t.csv", csv(sex=["F", "M"] * 40, ok=[""] * 80))
    app.set("selectbox", app.data_key("decision_column"), "ok")
    assert app.state.decision is None
    assert "no values" in app.text
    _everywhere(app)


def test_score_without_any_value_does_not_break_a_page(app):
    file = io.BytesIO()
    frame = pd.DataFrame({"sex": ["F", "M"] * 40, "ok": ["y", "n", "n", "y"] * 20})
    frame.assign(s=pd.Series([None] * 80, dtype=float)).to_parquet(file)
    app.upload("t.parquet", file.getvalue()).decide("ok", "y")
    app.set("multiselect", app.data_key("protected"), ["sex"]).set("selectbox", app.data_key("score_column"), "s")
    app.go("Errors")
    assert len(app.error) <= 1
    app.go("Data").set("selectbox", app.data_key("decision_column"), "s")
    assert app.state.decision is None and "no values" in app.warnings
    _everywhere(app)


def test_decision_with_one_value_is_marked(app, csv):
    app.upload("t.csv", csv(sex=["F", "M"] * 40, ok=["y"] * 80)).decide("ok", "y")
    assert shows(app.warnings, "data-all-good")
    app.protect("sex = 'F'").go("Check")
    app.assert_refuses_nothing()
    assert shows(app.text, "check-headline-one-decision")
    _everywhere(app)


def test_the_good_outcome_of_a_decision_column_is_remembered_while_the_table_stays(app, csv):
    content = csv(sex=["F", "M"] * 20, ok=["y", "n"] * 20, later=["yes", "no"] * 20)
    app.upload("t.csv", content).decide("ok", "y").decide("later", "no")
    app.set("selectbox", app.data_key("decision_column"), "ok")
    assert app.state.decision.column == "ok" and app.state.decision.favorable == ("y",)
    app.set("multiselect", app.data_key("decision_values_ok"), [])
    app.set("selectbox", app.data_key("decision_column"), "later")
    assert app.state.decision.favorable == ("no",)
    app.set("selectbox", app.data_key("decision_column"), "ok")
    assert app.state.decision is None, "what was taken back stays so"
    app.set("selectbox", app.data_key("decision_column"), "later").upload("other.csv", content + b"F,y,no\n")
    assert not app.state.meant.keys() - {("decision", "later")}


def test_decision_with_forty_values_offers_them_all(app, csv):
    app.upload("t.csv", csv(sex=["F", "M"] * 80, ok=[f"v{i % 40:02}" for i in range(160)])).decide("ok", "v00", "v01")
    assert len(app.multiselect(key=app.data_key("decision_values_ok")).options) == 40
    app.protect("sex = 'F'").go("Check")
    app.assert_refuses_nothing()
    _everywhere(app)


def test_decision_of_many_numbers_starts_as_an_amount_and_as_an_outcome_from_a_cut(app, csv):
    app.upload("t.csv", csv(sex=["F", "M"] * 200, income=list(range(400))))
    app.set("selectbox", app.data_key("decision_column"), "income")
    assert app.radio(key=app.data_key("decision_more_income")).value is None
    app.set("radio", app.data_key("decision_tells_income"), "what is good or bad")
    assert app.state.decision.favorable_when == '"income" >= 199.5'
    app.set("selectbox", app.data_key("decision_side_income"), "below")
    app.set("number_input", app.data_key("decision_cut_income"), 100.0)
    assert app.state.decision.favorable_when == '"income" < 100'


def test_numbers_without_end_do_not_break_a_page(app):
    file = io.BytesIO()
    values = [float("inf"), float("-inf"), 1.5, float("nan")] * 60
    pd.DataFrame({"sex": ["F", "M"] * 120, "x": values, "ok": ["y", "n", "n"] * 80}).to_parquet(file)
    app.upload("t.parquet", file.getvalue())
    app.set("selectbox", app.data_key("decision_column"), "x")
    app.decide("ok", "y").set("selectbox", app.data_key("score_column"), "x")
    app.protect("sex = 'F'")
    app.set("selectbox", "groups_build_column", "x").set("selectbox", "groups_build_operator_number", "is between")
    _everywhere(app)


@pytest.mark.parametrize("size", [0, 1, 5])
def test_small_group_is_refused_or_marked_with_its_count(app, csv, size):
    sex = ["F"] * size + ["M"] * (100 - size)
    app.upload("t.csv", csv(sex=sex, ok=["y", "n"] * 50)).decide("ok", "y").protect("sex = 'F'")
    assert app.sizes == [size, 100 - size]
    if size == 0:
        assert "No case counts" in app.errors
        app.go("Check")
        assert len(app.error) == 1
        assert any("Groups" in label or "groups" in label for label in _links(app))
    else:
        women = Message("name-people-whose", {"condition": Phrase("sex is F")})
        few = {"n": Count(size), "group": women}
        assert say(Message("groups-few", few)) in app.warnings
        app.go("Check")
        app.assert_refuses_nothing()
        assert say(Message("check-headline-too-few", {"protected": women, "others": Group()})) in app.text
    _everywhere(app)


def _links(app) -> list[str]:
    return [link.label for link in app.get("page_link")]


def test_missing_group_values_are_counted_as_unknown(app, csv):
    app.upload("t.csv", csv(sex=["F", "M", "", "M"] * 25, ok=["y", "n"] * 50)).decide("ok", "y").protect("sex = 'F'")
    assert app.sizes == [25, 50, 25]
    app.go("Check")
    assert say(Message("check-left-out", {"n": Count(25)})) in app.text


@pytest.mark.parametrize(
    "name, value", [*HOSTILE[:1], *(pytest.param(*pair, marks=pytest.mark.campaign) for pair in HOSTILE[1:])]
)
def test_hostile_column_name_and_values_are_text_everywhere(app, name, value):
    file = io.BytesIO()
    values = [value, "other", "third"] * 40
    good = ["y", "n", "y", "n", "n"] * 24
    pd.DataFrame({name: values, "ok": good, "p": [1, 0, 0, 1] * 30}).to_parquet(file)
    app.upload("hostile.parquet", file.getvalue()).decide("ok", "y")
    app.set("multiselect", app.data_key("protected"), [name])
    app.set("selectbox", app.data_key("prediction_column"), "p").set(
        "multiselect", app.data_key("prediction_values_p"), [1]
    )
    app.go("Groups").set("selectbox", "groups_protected_column", name)
    app.set("multiselect", f"groups_protected_values_{name}", [value])
    assert app.state.check.protected
    app.set("selectbox", "groups_build_column", name)
    app.set("multiselect", f"groups_build_values_{name}", [value, "other"]).click("groups_add")
    for page in PAGES:
        app.go(page)
        app.assert_refuses_nothing()
        _assert_escaped(app, name, value)
    app.click("report_make")
    app.assert_refuses_nothing()
    _assert_escaped(app, name, value)


def _assert_escaped(app, *names):
    """Fail if text that is read as Markdown holds a name unescaped. Options, inputs and code are never Markdown."""
    written = [name for name in names if literal(f"a {name}", limit=10_000) != f"a {name}"]
    for block in _blocks(app):
        for field in ("value", "label", "help"):
            text = getattr(block, field, None)
            if isinstance(text, str) and block.type not in {"text_input", "code", "selectbox", "dataframe"}:
                assert not any(name in text for name in written), (block.type, field, text)
        if block.type in {"table", "arrow_table"}:
            frame = block.value
            cells = [*map(str, frame.columns), *map(str, frame.to_numpy().ravel())]
            assert not any(name in cell for name in written for cell in cells), block.type


def _blocks(app):
    yield from app.main
    yield from app.sidebar


def test_like_long_names_can_each_be_chosen(app, csv):
    first = "a very long question asked in the survey of the year " * 2 + "one"
    second = first.removesuffix("one") + "two"
    frame = pd.DataFrame({first: ["y", "y", "n"] * 20, second: ["n", "n", "y"] * 20, "sex": ["F", "M"] * 30})
    file = io.BytesIO()
    frame.to_parquet(file)
    app.upload("t.parquet", file.getvalue()).decide(second, "y")
    assert app.state.decision.column == second
    assert app.go("Check").go("Data").state.decision.column == second


def test_large_cells_are_cut_on_the_page(app, csv):
    app.upload("t.csv", csv(sex=["F", "M"] * 10, note=["x" * 100_000] * 20))
    assert app.dataframe[0].value["note"].str.len().max() <= 300


def test_one_cause_in_many_columns_is_one_row(app, csv):
    answers = {f"answer_{j}": ["" if (i + j) % 3 else "1" for i in range(60)] for j in range(42)}
    app.hold("answers.csv", csv(sex=["F", "M"] * 30, ok=["y", "n"] * 30, **answers)).go("Data")
    found = next(table.value for table in app.table if "What to do" in table.value.columns)
    missing = found[found["What was found"].str.contains("missing")]
    assert len(missing) == 1 and "and 37 more" in missing["Column"].iloc[0]


@pytest.mark.parametrize("order", ["day first", "month first"])
def test_days_that_were_read_as_text_are_read_with_one_press(app, csv, order):
    days = [(f"{i % 28 + 1:02}", f"{i % 12 + 1:02}") for i in range(60)]
    written = [f"{day}/{month}/2024" if order == "day first" else f"{month}/{day}/2024" for day, month in days]
    app.upload("t.csv", csv(sex=["F", "M"] * 30, ok=["y", "n", "y"] * 20, opened=written)).decide("ok", "y")
    presses = {button.key for button in app.test.button if str(button.key).startswith("data_days_")}
    assert presses == {f"data_days_{order}"}, "one order alone fits"
    app.click(f"data_days_{order}")
    assert app.state.table.columns["opened"].kind == "date"
    assert app.state.plan().data.reading.dates == order and app.state.decision.column == "ok"
    assert app.button(key=f"data_days_{order}").label == "Read them as text again"
    app.click(f"data_days_{order}")
    assert app.state.table.columns["opened"].kind == "text" and app.state.plan().data.reading.dates is None


def test_either_order_is_offered_where_nobody_can_know(app, csv):
    app.upload("t.csv", csv(ok=["y", "n", "y"] * 20, opened=[f"{i % 9 + 1}/{i % 7 + 1}/2024" for i in range(60)]))
    labels = [button.label for button in app.test.button if str(button.key).startswith("data_days_")]
    presses = [label.replace("\\", "") for label in labels]
    assert presses == ["Read 1/2/2024 as 1 February 2024", "Read 1/2/2024 as 2 January 2024"]


def test_repeated_rows_are_left_out_with_one_press_and_taken_in_again(app, csv):
    numbers = [*range(30), *range(10)]
    content = csv(number=numbers, sex=["FM"[n % 2] for n in numbers], ok=["ynyy"[n % 4] for n in numbers])
    app.upload("t.csv", content).decide("ok", "y")
    app.click("data_repeated")
    assert app.state.table.n_rows == 30 and app.state.plan().data.reading.distinct
    assert app.state.decision.column == "ok", "choices stay"
    app.click("data_repeated")
    assert app.state.table.n_rows == 40 and not app.state.plan().data.reading.distinct


def test_people_who_are_alike_in_few_columns_are_not_left_out_with_one_press(app, csv):
    app.upload("t.csv", csv(sex=["F", "M", "F", "M"] * 50, ok=["y", "n", "y", "y"] * 50))
    assert not [button for button in app.test.button if button.key == "data_repeated"]


def _spelled(csv):
    races = ["Black", "Black", "BLACK", "White", "White", "white"] * 10
    ok = ["Yes", "no", "Yes", "no", "YES", "no"] * 10
    return csv(race=races, sex=["F", "f", "M"] * 20, ok=ok, file=[f"f{i}" for i in range(30)] * 2)


def test_spellings_are_read_as_one_value_with_one_press_and_apart_again(app, csv):
    app.upload("t.csv", _spelled(csv)).decide("ok", "Yes")
    presses = [button.key for button in app.test.button if "data_spelling" in str(button.key)]
    assert presses == ["data_spelling_0", "data_spelling_1", "data_spelling_2"]
    assert "20 rows have another spelling in column 'race', such as 'BLACK' beside 'Black'." in app.text
    app.click("data_spelling_0")
    assert set(app.state.table.common_values("race")) == {"Black", "White"}
    assert app.state.plan().data.reading.same_spelling == ("race",) and app.state.decision.favorable == ("Yes",)
    assert "are read as 'White'" in app.text
    app.click("data_spelling_2")
    assert app.state.plan().data.reading.same_spelling == ("race", "ok")
    app.click("data_spelling_0")
    assert app.state.plan().data.reading.same_spelling == ("ok",)
    assert len(set(app.state.table.common_values("race"))) == 4


def test_all_that_is_offered_is_done_with_one_press_and_undone_apart(app, csv):
    app.upload("t.csv", _spelled(csv)).decide("ok", "Yes", "YES").click("data_all")
    reading = app.state.plan().data.reading
    assert reading.same_spelling == ("race", "sex", "ok") and reading.distinct
    assert app.state.table.n_rows == 30 and app.state.decision.favorable == ("Yes",)
    assert app.button(key="data_all").label == "Undo all of these"
    app.click("data_repeated").click("data_spelling_1")
    reading = app.state.plan().data.reading
    assert reading.same_spelling == ("race", "ok") and not reading.distinct and app.state.table.n_rows == 60
    app.click("data_all")
    reading = app.state.plan().data.reading
    assert reading.same_spelling == ("race", "ok", "sex") and reading.distinct
    app.click("data_all")
    reading = app.state.plan().data.reading
    assert not reading.same_spelling and not reading.distinct and app.state.table.n_rows == 60


@pytest.mark.parametrize(("days", "order"), [(range(1, 31), "day first"), (range(1, 10), None)])
def test_days_in_the_one_order_that_fits_are_read_with_all_that_is_done_at_once(app, csv, days, order):
    received = [f"{day}/03/2024" for day in days] * 2
    races = ["Black", "BLACK", "White"] * (len(received) // 3)
    app.upload("t.csv", csv(race=races, received=received))
    label = "Do all of these" if order else "Do all of these, except the days"
    assert app.button(key="data_all").label == label
    app.click("data_all")
    reading = app.state.reading
    assert (reading.same_spelling, reading.distinct, reading.dates) == (("race",), True, order)
    if order:
        assert app.button(key=f"data_days_{order}").label == "Read them as text again"
    app.click("data_all")
    reading = app.state.reading
    assert (reading.same_spelling, reading.distinct, reading.dates) == ((), False, None)


def test_a_good_outcome_in_several_spellings_stays_where_they_become_one(app, csv):
    app.upload("t.csv", _spelled(csv)).decide("ok", "Yes", "YES").click("data_spelling_2")
    assert app.state.decision.column == "ok" and app.state.decision.favorable == ("Yes",)
    app.go("Groups").go("Data")
    assert not app.test.exception and app.state.decision.column == "ok"


def test_a_good_outcome_follows_the_spelling_of_all_rows_where_repeated_ones_are_out(app, csv):
    content = csv(group=list("aaaaaabcccd"), ok=["YES"] * 5 + ["yes"] * 3 + ["No"] * 3)
    app.upload("t.csv", content).decide("ok", "yes", "YES").click("data_repeated").click("data_spelling_1")
    assert app.state.decision.favorable == ("YES",) and not app.state.dropped


def test_conditions_follow_the_spelling_that_values_get(app, csv):
    app.upload("t.csv", _spelled(csv)).decide("ok", "Yes")
    one, two = "race = 'BLACK' AND ok <> 'YES'", "race IN ('Black', 'BLACK')"
    app.state.checks = [CheckEntry(CheckPlan(protected=each, where="race <> 'white'")) for each in (one, two)]
    app.state.errors = [ErrorsPlan(by=("sex",), where=one)]
    app.state.models = ModelsPlan(features=("sex",), protected=one)
    app.go("Data").click("data_spelling_0")
    said = "race = 'Black' AND ok <> 'YES'"
    assert [entry.plan.protected for entry in app.state.checks] == [said, "race IN ('Black')"]
    assert {entry.plan.where for entry in app.state.checks} == {"race <> 'White'"}
    assert app.state.errors[0].where == app.state.models.protected == said


def test_all_else_that_names_a_value_follows_the_spelling_that_it_gets(app, csv):
    app.upload("t.csv", _spelled(csv)).decide("ok", "Yes")
    app.state.checks = [CheckEntry(CheckPlan(protected="sex = 'M'", compare=(("race", "sex"),), reference="BLACK, f"))]
    veil = VeilPlan(light="race = 'BLACK'", time="sex")
    asked = InspectionPlan(acted="ok", found="ok = 'YES'", group=("race = 'BLACK'",), veil=veil)
    groups = InspectionPlan(acted="ok", found="ok = 'YES'", group=("race",), reference=("white",))
    app.state.inspections = [asked, groups]
    app.state.models = ModelsPlan(features=("sex",), protected="sex = 'M'")
    text = 'demographic_parity by ["race = \'BLACK\'" as "one", "race = \'white\'"] <= 0.05'
    app.state.remedies = [RemedyEntry(ConstrainPlan(constraints=(text, "demographic_parity by race <= 0.1")))]
    draft = app.state.settings[settings_of("constrain")] = ConstraintDraft.of(app.state.remedies[0].plan)
    draft.columns, draft.kept, draft.where = ("race",), ("BLACK", "Black", "White"), "race <> 'white'"
    roles = {"race": ("race",), "sex": ("sex",)}
    said = {"unknown": {"race": ("BLACK", "Black")}, "references": {"race": "white", "sex": "f"}}
    app.state.presets = [PresetPlan(preset="nyc144", columns=roles, where="race <> 'BLACK'", **said)]
    app.go("Data").click("data_spelling_0")
    assert app.state.check.reference == "Black, f"
    assert app.state.inspections[0].group == ("race = 'Black'",)
    assert app.state.inspections[0].veil.light == "race = 'Black'"
    assert app.state.inspections[1].reference == ("White",)
    said = 'demographic_parity by ["race = \'Black\'" as "one", "race = \'White\'"] <= 0.05'
    assert app.state.remedies[0].plan.constraints == (said, "demographic_parity by race <= 0.1")
    draft = app.state.settings[settings_of("constrain")]
    assert [str(spec) for spec in draft.specs] == [said, "demographic_parity by race <= 0.1"]
    assert draft.kept == ("Black", "White") and draft.where == "race <> 'White'"
    [form] = app.state.presets
    assert form.where == "race <> 'Black'" and form.unknown == {"race": ("Black",)}
    assert form.references == {"race": "White", "sex": "f"}


def test_constrained_groups_that_become_one_stay_to_be_corrected(app, csv):
    app.upload("t.csv", _spelled(csv)).decide("ok", "Yes")
    app.state.models = ModelsPlan(features=("sex",), protected="sex = 'M'")
    text = "demographic_parity by [\"race = 'BLACK'\", \"race = 'Black'\"] <= 0.05"
    app.state.remedies = [RemedyEntry(ConstrainPlan(constraints=(text,)))]
    app.go("Data").click("data_spelling_0")
    assert app.state.remedies[0].plan.constraints == (text,)


def test_values_that_differ_by_how_many_blanks_they_have_are_read_as_one_with_one_press(app, csv):
    content = csv(area=["New York", "New York", "New  York", "Boston"] * 10, ok=["y", "n"] * 20)
    app.upload("t.csv", content).decide("ok", "y")
    app.state.checks = [CheckEntry(CheckPlan(protected="area = 'New  York'"))]
    app.go("Data")
    assert shows(app.text, "data-spellings-blanks", n=10, column="'area'", other="'New York'")
    app.click("data_spelling_0")
    assert set(app.state.table.common_values("area")) == {"New York", "Boston"}
    assert app.state.check.protected == "area = 'New York'"


def test_values_that_differ_by_a_blank_alone_have_no_press_and_advice_without_it(app, csv):
    app.upload("t.csv", csv(area=["New York", "NewYork"] * 20, ok=["y", "n", "n", "n"] * 10))
    [issue] = (each for each in quality_report(app.state.table).issues if each.code == "same_but_case")
    assert issue.advice.startswith("Name every spelling")
    assert not [button.key for button in app.test.button if "data_spelling" in str(button.key)]


def test_a_sheet_without_the_column_whose_spellings_are_read_as_one_is_refused_in_a_sentence(app):
    stream = io.BytesIO()
    with pd.ExcelWriter(stream) as writer:
        pd.DataFrame({"race": ["Black", "BLACK"] * 9, "ok": ["y", "n"] * 9}).to_excel(
            writer, sheet_name="a", index=False
        )
        pd.DataFrame({"area": ["north", "south"], "ok": ["y", "n"]}).to_excel(writer, sheet_name="b", index=False)
    app.upload("t.xlsx", stream.getvalue()).click("data_spelling_0")
    app.selectbox(key=f"data_sheet_{app.state.data_key}").set_value("b")
    next(button for button in app.test.button if button.label.startswith("Read it again")).click()
    app.run()
    assert "'same_spelling' must name columns of the table, got 'race'." in app.text
    assert "Read the spellings in that column apart again, or leave it out." in app.text
    assert app.state.reading.sheet == "a", "the present table stays"


def test_spellings_are_no_press_where_the_rows_stay_in_the_file(app, csv, tmp_path):
    (tmp_path / "t.csv").write_bytes(_spelled(csv))
    table = read_table(tmp_path / "t.csv", limits=Limits(in_place_bytes=10))
    app.state.put_table(table, source="t.csv")
    app.go("Data")
    [issue] = (
        each for each in quality_report(app.state.table).issues if each.code == "same_but_case" and each.column == "ok"
    )
    assert issue.advice.startswith("Name every spelling")
    assert not [button.key for button in app.test.button if "data_spelling" in str(button.key)]
