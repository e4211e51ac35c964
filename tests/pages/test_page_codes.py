"""What codes stand for is asked on Data, written under More or taken from a codebook, and can be taken back."""

from __future__ import annotations

import pandas as pd
import pyreadstat
import pytest

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan

N = 60


@pytest.fixture
def coded(app, csv):
    sex = [1 + i % 2 for i in range(N)]
    app.hold(
        "people.csv",
        csv(
            sex=sex,
            region=[1 + i % 3 for i in range(N)],
            points=[i % 50 for i in range(N)],
            result=[1 + (i * 7 % 5 > s) for i, s in enumerate(sex)],
        ),
    )
    app.state.decision = OutcomePlan(column="result", favorable=(2,))
    app.state.change_check(protected="sex = 2")
    return app.go("Data")


def question(column):
    return say(Message("data-codes", {"codes": Phrase("1, 2"), "column": Phrase(f"'{column}'")}))


def button(app, label):
    return next(each for each in app.button if each.label == label)


def name(app, **said):
    for field in app.text_input:
        code = field.label.split(" ")[0]
        if field.key.startswith("data_asked_codes_") and code in said.get("labels", {}):
            field.set_value(said["labels"][code])
    return button(app, "Use these labels").click().run()


def test_codes_of_the_decision_and_of_the_group_are_asked_about_one_after_the_other(coded):
    assert question("result") in coded.text
    coded.button(key="data_codes_numbers").click().run()
    assert not coded.exception and coded.state.plan().data.reading.numbers == ("result",)
    assert question("sex") in coded.text
    coded.button(key="data_codes_numbers").click().run()
    assert coded.state.reading.numbers == ("result", "sex")
    assert not [each for each in coded.button if each.key == "data_codes_numbers"]


def test_labels_are_written_used_everywhere_and_taken_back(coded):
    coded.button(key="data_codes_name").click().run()
    assert not coded.exception
    in_colour = [each.label for each in coded.button if each.proto.type == "primary"]
    assert in_colour == ["Use these labels"], "what was begun is the likely answer"
    name(coded, labels={"1": "refused", "2": "granted"})
    assert not coded.exception and coded.state.decision.favorable == ("granted",)
    coded.button(key="data_codes_name").click().run()
    name(coded, labels={"1": "man", "2": "woman"})
    labels = {"result": {"1": "refused", "2": "granted"}, "sex": {"1": "man", "2": "woman"}}
    assert coded.state.plan().data.labels == labels
    assert not [each for each in coded.button if each.key == "data_codes_name"]
    coded.go("Check")
    assert not coded.exception and "woman" in coded.text
    coded.go("Data")
    chosen = next(each for each in coded.selectbox if each.key.startswith("data_codes_column_"))
    chosen.set_value("sex").run()
    button(coded, "Undo: show the codes again").click().run()
    assert not coded.exception and "sex" not in coded.state.plan().data.labels
    chosen = next(each for each in coded.selectbox if each.key.startswith("data_codes_column_"))
    chosen.set_value("result").run()
    button(coded, "Undo: show the codes again").click().run()
    assert not coded.state.reading.labels and coded.state.decision.favorable == (2,)
    assert coded.state.check.protected == "sex = 2"


def test_two_codes_with_one_label_are_refused_and_nothing_is_lost(coded):
    coded.button(key="data_codes_name").click().run()
    name(coded, labels={"1": "granted", "2": "granted"})
    assert not coded.exception and not coded.state.reading.labels
    assert any("'1'" in each.value and "'2'" in each.value for each in coded.error)


def test_labels_of_a_file_can_be_left_out_and_taken_back(app, tmp_path):
    frame = pd.DataFrame({"points": [1 + i % 5 for i in range(N)], "granted": ["no", "yes"] * (N // 2)})
    labels = {"points": {1: "poor", 2: "fair", 3: "good", 4: "very good", 5: "best"}}
    pyreadstat.write_sav(frame, tmp_path / "people.sav", variable_value_labels=labels)
    app.hold("people.sav", (tmp_path / "people.sav").read_bytes())
    app.go("Data")
    next(each for each in app.selectbox if each.key.startswith("data_codes_column_")).set_value("points").run()
    app.button(key="data_more_numbers").click().run()
    assert not app.exception and app.state.present_table.columns["points"].kind == "number"
    assert app.state.reading.numbers == ("points",)
    next(each for each in app.selectbox if each.key.startswith("data_codes_column_")).set_value("points").run()
    app.button(key="data_codes_undo").click().run()
    assert app.state.present_table.columns["points"].kind == "text" and not app.state.reading.numbers


def test_a_codebook_is_used_and_one_of_other_columns_refused(coded):
    def bring(content):
        next(each for each in coded.file_uploader if each.key.startswith("data_codebook_")).upload(
            "codes.csv", content, "text/csv"
        ).run()
        coded.button(key="data_codebook_use").click().run()

    bring(b"column,value,label\nrace,1,White\n")
    assert any("'race'" in each.value for each in coded.error) and not coded.state.reading.labels
    coded.go("Data")
    bring(b"column,value,label\nregion,1,north\nregion,2,south\nregion,3,west\n")
    assert dict(coded.state.reading.labels)["region"][2] == ("3", "west")


def test_features_that_may_be_codes_are_asked_about_before_models_learn_from_them(coded):
    coded.button(key="data_codes_unnamed").click().run()
    coded.button(key="data_codes_numbers").click().run()
    assert coded.state.reading.codes == ("result",) and coded.state.reading.numbers == ("sex",)
    assert coded.state.decision.favorable in (("2",), (2,))
    coded.go("Trees")
    coded.click("models_take")
    columns = Phrase("'region'")
    assert say(Message("data-order", {"columns": columns})) in coded.text
    coded.click("data_order_codes")
    assert not coded.exception and coded.state.reading.codes == ("result", "region")
    assert say(Message("data-order", {"columns": columns})) not in coded.text
    assert coded.state.study is not None and str(coded.state.study[1].X["region"].dtype) != "float64"


def test_what_codes_stand_for_is_asked_before_what_of_them_is_good(app, csv):
    app.hold("people.csv", csv(sex=["F", "M"] * 30, result=[1 + i % 3 for i in range(N)])).go("Data")
    app.set("selectbox", app.data_key("decision_column"), "result")
    codes = {"codes": Phrase("1, 2, 3"), "column": Phrase("'result'")}
    assert say(Message("data-codes", codes)) in app.text and say(Message("data-headline-good")) not in app.text
    app.click("data_codes_name")
    name(app, labels={"1": "granted", "2": "refused", "3": "withdrawn"})
    assert app.state.begun["decision"] == "result", "what was chosen stays"
    assert say(Message("data-headline-good")) in app.text
    app.set("multiselect", app.data_key("decision_values_result"), ["granted"])
    assert app.state.decision.favorable == ("granted",)
