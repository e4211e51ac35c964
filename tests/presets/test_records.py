"""Records: filled from the other answers of an audit and by a person, sealed, hidden, and written as files."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import alternatives_by_hand
import pandas as pd
import pytest

from fairaudit import AuditPlan, fill_form, run
from fairaudit.cli.main import main
from fairaudit.disclosure.gate import exported
from fairaudit.disclosure.hidden import without_figures
from fairaudit.errors import InputError, PlanError
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.presets.document import preset_document, preset_html
from fairaudit.presets.items import PresetItem, check_answer
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import list_presets, load_preset, read_preset
from fairaudit.presets.recording import with_records
from fairaudit.presets.tables import preset_csv
from fairaudit.report.composing import report_files
from fairaudit.report.json_export import to_json
from fairaudit.sections.alternatives.saying import say_alternatives
from fairaudit.sections.forms import say_form
from fairaudit.sections.forms.records import answers, record_verdict, record_yaml

RECORDS = tuple(preset.key for preset in list_presets("") if preset.is_record)
PROFILES = ("ai_act_bias_profile", "ai_act_rights_impact", "nl_iama")
REASON = {"why_groups": "Women apply less often here."}


def people(n: int = 100) -> pd.DataFrame:
    """Of 100 women 30 were approved, of 100 men 60."""
    return pd.DataFrame(
        {"sex": ["w"] * n + ["m"] * n, "ok": (["yes"] * 30 + ["no"] * (n - 30)) + ["yes"] * 60 + ["no"] * (n - 60)}
    )


def audit(*parts: PresetPlan, hide: bool = False, **fields) -> AuditPlan:
    return AuditPlan(
        data=DataPlan(source="people.csv", name="people"),
        decision=OutcomePlan(column="ok", favorable=("yes",), verb="were approved"),
        checks=(CheckPlan(protected="sex = 'w'", protected_name="women", others_name="men"),),
        presets=parts,
        small_cells=SmallCellsPlan(mask=hide),
        **fields,
    )


def stated(finding) -> dict[str, str]:
    """Return what a record states, by item."""
    return {item.item: text for item, _, text in answers(finding)}


def keys_of(finding, item: str) -> list[str]:
    """Return the keys of what the audit says of an item."""
    [entry] = [entry for entry in finding.record.entries if entry.item == item]
    return [message.key for message in entry.known]


def searched(part: PresetPlan, **found):
    """Return an audit with a search for alternatives by hand, and the record of it."""
    result = run(audit(part), table=people())
    return with_records(replace(result, alternatives=(alternatives_by_hand.finding(**found),)))


# New Jersey: the record of a search for alternatives.


def test_the_record_of_a_search_states_what_stands_in_its_answer():
    # By hand: in use 80 of 525 against 2,600 of 9,244 is 15.2 % against 28.1 %, 12.9 points apart, in one digit 13.
    # The model: 130 of 525 is 24.8 %, 3.4 points; the tree: 100 of 525 is 19.0 %, 9.1 points.
    [finding] = searched(PresetPlan(preset="nj_alternatives", answers={"interest": "Repaying the loan."})).presets
    said = stated(finding)
    assert "gap of 13 points" in said["impact"] and said["interest"] == "Repaying the loan."
    assert "240 models" in said["widely"] and "90 of them" in said["widely"]
    assert "gap of 3.4 points" in said["judged"] and "gap of 9.1 points" in said["judged"]
    assert keys_of(finding, "tried") == ["record-tried"] * 2, "what was tried: other models and trees"
    assert say(say_alternatives(alternatives_by_hand.finding()).headline) in said["found"]
    assert record_verdict(finding) == "open_questions" and finding.record.n_open == 4
    assert finding.record.open == ("practice", "other_ways", "decision", "searched_by")
    assert say_form(finding).headline.key == "alternatives-headline-smaller"


def test_a_record_without_a_search_says_so_and_one_that_is_written_whole_is_ready():
    part = PresetPlan(preset="nj_alternatives")
    [finding] = run(audit(part), table=people()).presets
    assert record_verdict(finding) == "nothing_to_compare" and not stated(finding)["found"]
    asked = {item.item: "Said." for item in finding.preset.items if item.is_asked}
    [finding] = searched(part.model_copy(update={"answers": asked})).presets
    assert record_verdict(finding) == "ready" and all(stated(finding).values())


def test_a_search_that_is_hidden_is_hidden_in_its_record():
    part = PresetPlan(preset="nj_alternatives")
    result = searched(part)
    hidden = with_records(replace(result, alternatives=tuple(map(without_figures, result.alternatives))))
    [finding] = hidden.presets
    assert keys_of(finding, "found") == keys_of(finding, "judged") == ["record-hidden"]
    assert not any(figure in preset_html(finding) for figure in ("240", "3.4 points", "13 points"))


# The three bias profiles: one engine.


@pytest.mark.parametrize("key", PROFILES)
def test_a_profile_states_groups_measures_findings_treatment_and_what_is_left(key):
    # By hand: 30 of 100 and 60 of 100 are 30 points apart, with the usual tolerance of 5.
    [finding] = run(audit(PresetPlan(preset=key)), table=people()).presets
    said = stated(finding)
    assert "200 rows" in said["data"] and "Women were compared with men" in said["groups"]
    assert "tolerance of 5 points" in said["measures"]
    assert "30% of women and 60% of men" in said["findings"] and "30 percentage points" in said["findings"]
    assert keys_of(finding, "treatment") == ["record-no-treatment"]
    assert keys_of(finding, "left") == ["record-left-untreated", "record-left-unseen"]
    assert keys_of(finding, "seal") == ["record-not-sealed"] and say_form(finding).headline.key.startswith("check")
    assert finding.record.n_open == sum(item.needed for item in finding.preset.items)


@pytest.mark.parametrize("key", PROFILES)
def test_a_sealed_plan_stands_in_the_profile_with_its_code_and_time_and_what_changed(key):
    plan = audit(PresetPlan(preset=key, reasons=REASON)).sealed(by="The office")
    [finding] = run(plan, table=people()).presets
    assert plan.seal.code in stated(finding)["seal"] and f"{plan.seal.day:%H:%M}" in stated(finding)["seal"]
    assert keys_of(finding, "seal") == ["record-sealed", "record-seal-kept"]
    assert keys_of(finding, "why_groups") == ["record-reasons-sealed"]
    other = plan.checks[0].model_copy(update={"tolerance": 0.4})
    [finding] = run(plan.model_copy(update={"checks": (other,)}), table=people()).presets
    assert keys_of(finding, "seal") == ["record-sealed", "record-seal-changed"]


def test_reasons_belong_to_the_seal_and_what_is_written_after_the_result_does_not():
    part = PresetPlan(preset="nl_iama", reasons=REASON)
    plan = audit(part).sealed()
    written = part.model_copy(update={"answers": {"accepted": "The board, for a year."}})
    assert plan.model_copy(update={"presets": (written,)}).changed_since_seal == ()
    later = part.model_copy(update={"reasons": REASON | {"why_measures": "The law says so."}})
    changed = plan.model_copy(update={"presets": (later,)})
    assert changed.changed_since_seal == ("presets",)
    [finding] = run(changed, table=people()).presets
    assert keys_of(finding, "why_measures") == ["record-reasons-after"]
    assert keys_of(finding, "seal") == ["record-sealed", "record-seal-kept"], "what is measured is as it was sealed"


def test_hidden_counts_hold_in_a_profile():
    # Of eight women three were approved: with counts under 10 hidden, nothing of them may stand anywhere.
    rows = pd.concat([people().iloc[27:35], people().iloc[100:]])
    result = run(audit(PresetPlan(preset="ai_act_bias_profile"), hide=True), table=rows)
    whole, shown = result.presets[0], exported(result).presets[0]
    assert "38%" in stated(whole)["findings"] and "38%" not in stated(shown)["findings"]
    files = dict(report_files(result))
    assert not any("38%" in content.decode() for name, content in files.items() if name.startswith("form_"))
    assert stated(shown) == stated(with_records(exported(result)).presets[0]), "it says what is left, and no more"


# The Dutch register: values that its fields take, and YAML that reads as what was written.

REGISTERED = {
    "name": "Aanvragen beoordelen",
    "description_short": 'Kiest: welke aanvragen "eerst" komen, #1.',
    "category": "Werk; Recht",
    "status": "In gebruik",
    "begin_date": "2026-01",
    "contact_email": "algoritmes@example.org",
    "publication_category": "Hoog-risico AI-systeem",
    "lawful_basis_grouping": "Wet A https://wetten.example.org/a; Wet B https://wetten.example.org/b",
}


def registered(**answers_given):
    part = PresetPlan(preset="nl_algorithm_register", answers=REGISTERED | answers_given)
    plan = audit(part, report=ReportPlan(organisation="Gemeente Voorbeeld"))
    return run(plan, table=people()).presets[0]


def test_the_register_gets_what_was_written_and_empties_for_the_rest():
    yaml = pytest.importorskip("yaml")
    finding = registered()
    data = yaml.safe_load(record_yaml(finding))
    assert data["category"] == ["Werk", "Recht"] and data["begin_date"] == "2026-01"
    assert data["description_short"] == REGISTERED["description_short"], "signs of YAML are no signs in a text"
    assert data["organization"] == "Gemeente Voorbeeld", "the audit knows its organisation"
    assert (data["lang"], data["standard_version"]) == ("nld", "1.0")
    assert data["lawful_basis_grouping"] == [
        {"title": "Wet A", "link": "https://wetten.example.org/a"},
        {"title": "Wet B", "link": "https://wetten.example.org/b"},
    ]
    assert data["impacttoetsen_grouping"] == [] and data["risks"] == "" and data["end_date"] == ""
    assert list(data) == [item.item for item in finding.preset.items], "every field of the standard is there"
    assert record_verdict(finding) == "ready"


def test_an_assessment_that_is_not_public_stands_there_without_a_link():
    yaml = pytest.importorskip("yaml")
    finding = registered(impacttoetsen_grouping=f"DPIA of 2026; IAMA https://a.org/{'x' * 486}")
    assert yaml.safe_load(record_yaml(finding))["impacttoetsen_grouping"] == [
        {"title": "DPIA of 2026", "link": ""},
        {"title": "IAMA", "link": f"https://a.org/{'x' * 486}"},
    ]


@pytest.mark.parametrize("preset", [each for each in list_presets() if each.is_record], ids=lambda each: each.key)
def test_no_item_names_a_part_of_the_rule_that_is_not_covered(preset):
    for item in preset.items:
        parts = re.findall(r"article \d+\(\d+\)\(\w\)", (item.article or "").lower())
        assert not any(part in text.lower() for part in parts for text in preset.does_not_cover), item.item


def test_what_the_audit_knows_stands_beside_a_dutch_text_and_is_not_published_for_it():
    finding = registered()
    [risks] = [entry for entry in finding.record.entries if entry.item == "risks"]
    assert risks.source == "nobody" and "30 percentage points" in say(risks.known)
    assert "30 percentage points" in preset_html(finding) and b"percentage" not in record_yaml(finding)
    again = registered(risks="Vrouwen krijgen minder vaak ja.")
    assert "Vrouwen krijgen minder vaak ja." in record_yaml(again).decode()


REFUSED = [
    ("nl_algorithm_register", {"status": "Actief"}, "'Status' must be one of 'In ontwikkeling'"),
    ("nl_algorithm_register", {"category": "Werk; Recht; Wonen; Verkeer"}, "may have 3 entries, got 4"),
    ("nl_algorithm_register", {"begin_date": "01-2026"}, "must be a month, got '01-2026'"),
    ("nl_algorithm_register", {"contact_email": "the desk"}, "must be an address of mail or of a page"),
    ("nl_algorithm_register", {"website": "example.org"}, "must hold the address of a page"),
    ("nl_algorithm_register", {"lawful_basis_grouping": "https://example.org"}, "holds a link without a title"),
    ("nl_algorithm_register", {"lawful_basis_grouping": f"{'x' * 101} https://a.org"}, "titles of 100 signs, got 101"),
    ("nl_algorithm_register", {"lawful_basis_grouping": "Wet A"}, "must hold the address of a page, got 'Wet A'"),
    ("nl_algorithm_register", {"impacttoetsen_grouping": "DPIA https://a"}, "must hold the address of a page"),
    ("nl_algorithm_register", {"source_data_grouping": f"A https://a.org/{'x' * 487}"}, "of 500 signs, got 501"),
    ("nl_algorithm_register", {"name": "x" * 101}, "must be at most 100 signs, got 101"),
    ("nl_algorithm_register", {"lang": "eng"}, "holds 'lang'"),
    ("nj_alternatives", {"found": "Nothing."}, "holds 'found'"),
    ("nj_alternatives", {"intrest": "x"}, "holds 'intrest'"),
    ("nl_iama", {"why_groups": "x"}, "stands under 'answers', and not under 'reasons'"),
    ("nyc144", {"name": "x"}, "is given, but the form is filled from columns"),
]


@pytest.mark.parametrize(("key", "given", "why"), REFUSED)
def test_what_may_not_stand_in_a_record_is_refused_in_a_sentence(key, given, why):
    columns = {"sex": "sex", "race": "ok"} if key == "nyc144" else {}
    with pytest.raises(InputError, match=why):
        run(audit(PresetPlan(preset=key, answers=given, columns=columns)), table=people())


def test_a_record_takes_no_columns_and_is_not_filled_from_a_table_alone():
    with pytest.raises(InputError, match="'columns' is given for"):
        run(audit(PresetPlan(preset="nl_iama", columns={"sex": "sex"})), table=people())
    with pytest.raises(InputError, match="filled from the other answers of an audit"):
        fill_form(people(), "nl_iama", decision="ok", favorable="yes")


def test_a_form_of_tables_without_columns_is_refused_in_a_sentence():
    with pytest.raises(InputError, match="needs a column for 'Sex'"):
        run(audit(PresetPlan(preset="nyc144")), table=people())


def test_a_file_of_tables_and_items_or_of_neither_is_refused():
    head = 'key = "x"\ntitle = "T"\nrule = "R"\nsection = "S"\ndate = "2026"\ncovers = ["a"]\ndoes_not_cover = ["b"]\n'
    head += 'notice = "not legal advice"\n'
    item = '[[items]]\nitem = "a"\nlabel = "A"\n'
    assert read_preset(head + item, "x.toml").is_record
    for text in (head, head + item + '[[roles]]\nrole = "sex"\nlabel = "Sex"\n', head + item + item):
        with pytest.raises(PlanError):
            read_preset(text, "x.toml")


@pytest.mark.parametrize("kind", ["text", "list", "month", "address", "contact", "links"])
def test_a_kind_takes_what_it_is_for(kind):
    good = {"month": "2026-12", "address": "https://a.org/x", "contact": "a@b.org", "links": "T https://a.org"}
    assert check_answer(PresetItem(item="a", label="A", kind=kind), good.get(kind, "x; y")) is None


# Files and the command.


@pytest.mark.parametrize("key", RECORDS)
def test_page_csv_and_json_of_a_record_state_the_same(key):
    item = next(item for item in load_preset(key).items if item.is_asked and not item.choices and not item.before)
    part = PresetPlan(preset=key, answers={item.item: "Written <by> hand."})
    result = run(audit(part), table=people())
    [finding], [form] = result.presets, json.loads(to_json(result))["presets"]
    html, rows = preset_html(finding), list(csv.DictReader(io.StringIO(preset_csv(finding).decode("utf-8-sig"))))
    assert "Written &lt;by&gt; hand." in html and "<script" not in html
    for entry, (one, _, text) in zip(form["record"], answers(finding), strict=True):
        assert entry["answer"] == text and one.label in html.replace("&#x27;", "'")
    assert [row["answer"] for row in rows if row["item"]] == list(stated(finding).values())
    assert finding.preset.notice in [row["answer"] for row in rows] or finding.preset.notice in html
    assert [name for name, _ in report_files(result) if name.endswith(".yaml")] == (
        [f"form_1_{key}.yaml"] if finding.preset.as_yaml else []
    )
    assert preset_document(finding).blocks


def test_a_record_is_read_again_from_a_saved_audit():
    plan = audit(PresetPlan(preset="nl_iama", answers={"accepted": "Nobody."}, reasons=REASON))
    assert AuditPlan.from_toml(plan.to_toml()) == plan


def test_the_command_fills_a_record_from_a_saved_audit_and_names_what_is_open(tmp_path, capsys):
    people().to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "audit.toml").write_text(audit().to_toml(), encoding="utf-8")
    saved = tmp_path / "filled.toml"
    given = ["--answer", "accepted=The board.", "--answer", "why_groups=They apply."]
    code = main(["form", "nl_iama", str(tmp_path / "audit.toml"), *given, "--save-plan", str(saved)])
    out = capsys.readouterr().out
    assert code == 0 and "The board." in out and "--answer system=TEXT" in out and "30% of women" in out
    [part] = AuditPlan.load(saved).presets
    assert part.answers == {"accepted": "The board."} and part.reasons == {"why_groups": "They apply."}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nl_iama", "people.csv"], "is filled from a saved audit, got 'people.csv'"),
        (["nl_iama", "audit.toml", "--answer", "accepted"], "--answer must be ITEM=TEXT"),
        (["nyc144", "people.csv", "--answer", "a=b"], "--answer is for records"),
    ],
)
def test_the_command_refuses_what_no_record_takes(tmp_path, capsys, monkeypatch, arguments, why):
    monkeypatch.chdir(tmp_path)
    people().to_csv("people.csv", index=False)
    (tmp_path / "audit.toml").write_text(audit().to_toml(), encoding="utf-8")
    assert main(["form", *arguments]) == 2
    assert why in capsys.readouterr().err
