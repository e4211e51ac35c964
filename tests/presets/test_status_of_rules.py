"""Each form says how it stands with its rule, and that nobody looked for six months."""

from __future__ import annotations

import datetime
import io
import json

import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets import filling
from fairaudit.presets.document import preset_html
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import list_presets, load_preset, read_preset
from fairaudit.presets.status import RuleSource, RuleStatus, months_later
from fairaudit.presets.tables import preset_csv
from fairaudit.report.json_export import to_json
from fairaudit.sections.forms import say_form
from fairaudit.sections.forms.saying import say_status

PRESETS = list_presets("")
STATUS = RuleStatus(state="in_force", checked="2026-08-31", follows="Nothing.", read=(RuleSource(title="The rule"),))
LENDING = PresetPlan(preset="fair_lending", columns={"sex": "sex"}, references={"sex": "M"})


def filled_on(day: str, monkeypatch, part: PresetPlan = LENDING):
    monkeypatch.setattr(filling, "today", lambda: datetime.date.fromisoformat(day))
    frame = pd.DataFrame(
        {"sex": ["F"] * 60 + ["M"] * 60, "lent": ["yes"] * 30 + ["no"] * 30 + ["yes"] * 50 + ["no"] * 10}
    )
    decision = OutcomePlan(column="lent", favorable=("yes",))
    return run(AuditPlan(data=DataPlan(source="t.csv"), decision=decision, presets=(part,)), table=frame)


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.key for preset in PRESETS])
def test_every_form_was_checked_within_six_months(preset):
    today = datetime.date.today().isoformat()
    assert preset.status is not None and not preset.is_overdue(today), "read the rule again, and say so in its form"


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.key for preset in PRESETS])
def test_what_follows_is_one_short_sentence_and_what_was_read_has_an_address(preset):
    assert len(preset.status.follows.split()) <= 20 and preset.status.follows.endswith(".")
    assert all(source.url is not None for source in preset.status.read)
    has_text = any(source.official for source in preset.status.read)
    assert has_text or preset.status.not_read, "where only reports were read, the form says that the text was not"
    is_dated = preset.status.since is not None or preset.status.successor is not None
    assert preset.status.state != "changed" or is_dated, "where no day was read, it says what took its place"


def test_the_dutch_assessment_tells_no_day_of_its_change():
    status = load_preset("nl_iama").status
    assert (status.state, status.since) == ("changed", None) and "article 27" in status.successor
    assert any(source.official and "nldigitalgovernment.nl" in source.url for source in status.read)
    assert "2026" not in say(say_status(load_preset("nl_iama"), is_overdue=False)[0])


def test_a_form_is_overdue_on_the_day_after_six_months():
    assert not STATUS.is_overdue("2027-02-28") and STATUS.is_overdue("2027-03-01")
    assert not STATUS.is_overdue(None), "without a day nothing is said"
    assert months_later(datetime.date(2027, 8, 31), 6) == datetime.date(2028, 2, 29)


def test_a_form_that_nobody_checked_says_so_wherever_it_goes(monkeypatch):
    checked = load_preset("fair_lending").status.checked
    late = months_later(datetime.date.fromisoformat(checked), 6) + datetime.timedelta(days=1)
    soon, later = (filled_on(day, monkeypatch) for day in (checked, late.isoformat()))
    keys = [[message.key for message in say_form(result.presets[0]).caution] for result in (soon, later)]
    assert "form-status-overdue" not in keys[0] and keys[1][0] == "form-status-overdue"
    said = say(say_status(later.presets[0].preset, is_overdue=True)[0])
    for result, is_said in ((soon, False), (later, True)):
        [finding], [form] = result.presets, json.loads(to_json(result))["presets"]
        assert form["is_overdue"] is is_said and form["status"]["state"] == "changed"
        assert (said in form["sentence"]) is is_said and (said in preset_html(finding)) is is_said
        lines = pd.read_csv(io.BytesIO(preset_csv(finding)), keep_default_na=False)
        facts = lines[lines["table"] == "facts"].set_index("group")["reading"]
        assert facts["State of the rule"] == "Changed, from 21 July 2026 on"
        assert ("six months" in facts["Last checked"]) is is_said and facts["What was read"]
    assert json.loads(to_json(later))["presets"][0].get("day") is None, "two runs on two days are the same"


def test_each_state_is_said_with_its_day_and_without(local_rule):
    text = local_rule.read_text(encoding="utf-8")
    heads = []
    for state in ("in_force", "changed", "repealed", "draft"):
        for since in ("since = 2025-01-01\n", ""):
            form = text.replace('state = "in_force"', f'state = "{state}"').replace("since = 2025-01-01\n", since)
            [said] = say_status(read_preset(form, "x.toml"), is_overdue=False)
            assert (said.severity == "note") is (state == "in_force")
            assert ("1 January 2025" in say(said)) is (bool(since) and state != "in_force")
            assert "The council asks" in say(said)
            heads.append(say(said))
    assert len(set(heads)) == 7, "a rule in force is said to be that, with its day or without"


def test_an_offices_file_that_does_not_say_it_is_filled_and_says_so(local_rule, tmp_path):
    text = local_rule.read_text(encoding="utf-8")
    preset = read_preset(text[: text.index("[status]")] + text[text.index("[words]") :], "x.toml")
    assert preset.status is None and not preset.is_overdue("2099-01-01")
    assert [message.key for message in say_status(preset, is_overdue=False)] == ["form-status-unknown"]
