"""Nothing that a plan or a preset file says is passed over: it is used, or refused in one sentence."""

from __future__ import annotations

import pandas as pd
import pytest
from shown import shows

from fairaudit.audit.running import run
from fairaudit.errors import GroupError, InputError, PlanError
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.filling import run_preset
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import find_presets, list_presets, load_preset, open_preset, read_preset

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="granted", favorable=("yes",)))
ROWS = pd.DataFrame(
    {
        "district": ["East"] * 60 + ["West"] * 40,
        "sum": [float(i % 7) for i in range(100)],
        "granted": ["yes"] * 45 + ["no"] * 15 + ["yes"] * 24 + ["no"] * 16,
    }
)
GRANTS = {"district": "district", "amounts": "sum"}


@pytest.fixture
def office(local_rule, tmp_path, monkeypatch):
    """Return a function that puts a changed copy of the example into the office's folder."""
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(tmp_path))

    def put(name: str, *changes: tuple[str, str]) -> str:
        text = local_rule.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return text

    return put


MEANS = 'by = [["district"]]\nreference = "largest"'
CROSSED = "holds the table by 'household and district' twice"
SCORE = '\n[[roles]]\nrole = "{}"\nlabel = "A score"\nkind = "score"'
# What stands in the example, what takes its place, what is said, and the remedy.
BAD = [
    ("tolerance = 0.10", "tolerance = " + "1" * 5000, "the number in line 15 is too long", "Write 0.8"),
    ("tolerance = 0.10", "tolerance = " + "1" * 400, "'tolerance' in line 15", "a decimal point"),
    ("tolerance = 0.10", "tolerance = " + "[" * 5000 + "]" * 5000, "brackets are nested too deeply", "list of lists"),
    ("tolerance = 0.10", "tolerance = nan", "must be a finite number, got nan", "Write the number"),
    ("tolerance = 0.10", 'tolerance = "0.1"', "must be a number", "without quotes"),
    ("significance = true", "significance = true\ndeviations = inf", "must be a finite number, got inf", "Write the"),
    ("significance = true", 'significance = "yes"', "must be true or false, got 'yes'", "significance = true"),
    ("significance = true", "significance = 1", "must be true or false, got 1", "significance = true"),
    ("threshold = 0.9", "threshold = 90", "less than or equal to 1, got 90", "threshold = 0.9."),
    ("tolerance = 0.10", "tolerance = -1", "greater than or equal to 0, got -1", "larger"),
    ("covers = [", "covers = []\nold = [", "'covers' in line 7 of the preset file 'x.toml' must have at least", "one"),
    ('by = [["district"]]', "by = [[]]", "'checks.2.by.1' in line 60 of the preset file 'x.toml' must have", "one"),
    ('by = [["district"]]', 'by = [["district", "district"]]', "holds 'district' twice", "each role once"),
    ('by = [["district"]]', 'by = [["district"], ["district"]]', "holds the table by 'district' twice", "each table"),
    ('title = "Anytown', 'title = "  " # "', "'title' in line 3 of the preset file 'x.toml' must not be", "quotes"),
    ('title = "Anytown', 'title = "a\\nb', "holds the sign U+000A", "Take it out"),
    ('title = "Anytown', 'title = "a\\u0000b', "holds the sign U+0000", "Take it out"),
    ('by = [["district"]]', 'by = ["district"]', "'checks.2.by.1' in line 60", 'by = [["..."]]'),
    ('by = [["district"]]', "by = [[1]]", "'checks.2.by.1.1' in line 60", 'by = [["..."]]'),
    ('by = [["district"]]', 'by = [["district", "household"], ["household", "district"]]', CROSSED, "each table"),
    ('title = "Anytown', 'title = "a\\u200Bb', "holds the sign U+200B", "Take it out"),
    ('title = "Anytown', 'title = "a\\u202Eb', "holds the sign U+202E", "Take it out"),
    *(
        ('title = "Anytown', f'title = "a\\U{ord(sign):08x}b', f"holds the sign U+{ord(sign):04X}", "Take it out")
        for sign in "\u034f\u115f\u1160\u17b4\u180b\u2800\u3164\ufe0f\uffa0\ufff0\ue000\U000e0100"
    ),
    ('label = "District"', 'label = "\\u3164"', "'roles.1.label' in line 34 of the preset", "Take it out"),
    ('rate = "grant rate"', 'rate = "grant\\u2800rate"', "'words.rate' in line 27 of the preset", "Take it out"),
    ('title = "Anytown', f'title = "{"x" * 2000}', "must have at most 2,000 signs", "Shorten"),
    ('role = "household"', 'role = " "', "'roles.2.role' in line 38 of the preset file 'x.toml' must not", "quotes"),
    ('unknown = "own"', 'unknown = "own"\nurl = "javascript:alert(1)"', "'url' in line 14", "https://"),
    ('_values = ["unknown", "moved away"]', "_values = [true]", "'unknown_values.1' in line 14", "quotes"),
    ("smallest_share = 0.05", "leave_out_small = true", "does not say which groups are small", "smallest_share"),
    ('measure = "means"', 'measure = "means"\nthreshold = 0.5', "is of means and holds 'threshold'", "Take it away"),
    (MEANS, MEANS.replace("largest", "highest"), "is of means and holds reference = 'highest'", "largest"),
    ('kind = "amount"', f'kind = "amount"{SCORE.format("s")}{SCORE.format("t")}', "two roles of kind", "a file"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "message", "remedy"), BAD, ids=[bad[2][:40] for bad in BAD])
def test_a_bad_value_of_a_file_is_shown_in_one_sentence_with_its_remedy(local_rule, right, wrong, message, remedy):
    text = local_rule.read_text(encoding="utf-8")
    assert right in text
    with pytest.raises(PlanError) as error:
        read_preset(text.replace(right, wrong, 1), "x.toml")
    assert message in error.value.message and "'x.toml'" in error.value.message
    assert remedy in error.value.hint
    assert "\n" not in error.value.message and "validation" not in error.value.message
    assert len(error.value.message) < 300


@pytest.mark.parametrize(
    ("value", "message"),
    [("1" * 5000, "The plan cannot be read: the number in line 2"), ("[" * 5000 + "]" * 5000, "nested too deeply")],
)
def test_a_plan_with_a_number_or_a_list_without_end_is_shown_too(value, message):
    with pytest.raises(PlanError, match=message):
        AuditPlan.from_toml(f"schema_version = 1\nseed = {value}\n")


def test_a_bad_file_of_the_office_leaves_the_other_forms(office):
    office("good.toml")
    office("bad.toml", ('key = "anytown_grants"', 'key = "other"'), ("threshold = 0.9", "threshold = 9"))
    assert load_preset("nyc144").key == "nyc144" and load_preset("anytown_grants").key == "anytown_grants"
    found, errors = find_presets()
    assert [file.preset.key for file in found][-2:] == ["uk_gender_pay_gap", "anytown_grants"]
    assert [file.name for file in found][-2:] == [None, "good.toml"]
    assert ["'bad.toml'" in error.message for error in errors] == [True]
    with pytest.raises(PlanError, match=r"There is no preset 'other'") as error:
        load_preset("other")
    assert "Not read: 'checks.1.threshold' in line 54 of the preset file 'bad.toml'" in error.value.hint
    with pytest.raises(PlanError, match=r"bad\.toml"):
        list_presets()


def test_the_packages_forms_do_not_need_the_offices_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(tmp_path / "none"))
    assert load_preset("nyc144").key == "nyc144"
    with pytest.raises(PlanError, match="no preset 'own'") as error:
        load_preset("own")
    assert "is not there" in error.value.hint


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (('key = "anytown_grants"', 'key = "nyc144"'), "key 'nyc144'"),
        (
            ('title = "Anytown housing grants: yearly equality table"', 'title = "NYC local law 144: bias audit"'),
            "title 'NYC local law 144: bias audit'",
        ),
    ],
)
def test_a_file_named_by_its_path_cannot_pass_for_a_form_of_the_package(office, tmp_path, change, field):
    office("own.toml", change)
    with pytest.raises(PlanError, match=f"'own.toml' has the {field}, which a preset of fairaudit has, too") as error:
        load_preset("own.toml", base=tmp_path)
    assert error.value.hint.startswith("Give it another")


@pytest.mark.parametrize(
    "title", ["NYC  Local Law\u00a0144: bias audit", "\uff2e\uff39\uff23 Local Law 144: bias audit"]
)
def test_a_title_that_reads_as_that_of_a_form_of_the_package_is_taken(office, tmp_path, title):
    office("own.toml", ('title = "Anytown housing grants: yearly equality table"', f'title = "{title}"'))
    with pytest.raises(PlanError, match=r"'own.toml' has the title .*, which a preset of fairaudit has, too"):
        load_preset("own.toml", base=tmp_path)


def test_a_file_that_has_changed_since_the_plan_was_saved_is_shown(office, tmp_path):
    office("own.toml")
    asked = PLAN.model_copy(update={"presets": (PresetPlan(preset="own.toml", columns=GRANTS),)})
    first = run(asked, table=ROWS, base=tmp_path)
    [part] = first.plan.presets
    assert part.file_digest == open_preset("own.toml", base=tmp_path).digest and len(part.file_digest) == 64
    assert first.presets[0].file_name == "own.toml" and not any("saved with" in n for n in first.presets[0].notes)
    again = AuditPlan.from_toml(first.plan.to_toml())
    assert again == first.plan and not any("saved" in n for n in run(again, table=ROWS, base=tmp_path).presets[0].notes)
    office("own.toml", ("threshold = 0.9", "threshold = 0.2"))
    changed = run(again, table=ROWS, base=tmp_path)
    assert any(shows(note, "form-other-file", name="'own.toml'") for note in changed.presets[0].notes)
    assert run(asked, table=ROWS, base=tmp_path).plan_digest != first.plan_digest


@pytest.mark.parametrize("name", ["../own.toml", "deeper/../../own.toml", "{absolute}"])
def test_a_plan_names_no_form_outside_its_folder(office, tmp_path, name):
    office("own.toml")
    plans = tmp_path / "plans"
    named = name.format(absolute=tmp_path / "own.toml")
    asked = PLAN.model_copy(update={"presets": (PresetPlan(preset=named, columns=GRANTS),)})
    with pytest.raises(PlanError, match="names a form outside its own folder"):
        run(asked, table=ROWS, base=plans)
    assert open_preset(str(tmp_path / "own.toml")).preset.key


def test_forms_of_the_package_have_no_file():
    frame = ROWS.rename(columns={"district": "sex"})
    finding = run_preset(frame, PLAN, PresetPlan(preset="fair_lending", columns={"sex": "sex"}))
    assert finding.file_name is None and open_preset("nyc144").digest is None


IGNORED = [
    ("nyc144", {"references": {"sex": "F"}}, "names 'F' for 'sex', but the rule compares", "Take sex out"),
    ("fair_lending", {"leave_out_small": True}, "'leave_out_small' of .* is 'true', but the rule calls no", "Take"),
    ("fair_lending", {"reason": "few"}, "'reason' of .* is 'few', but the rule calls no group small", "Take"),
    ("nyc144", {"reason": "few"}, "'reason' of .* is 'few', but no small group is left out", "leave_out_small = true"),
]


@pytest.mark.parametrize(("preset", "settings", "message", "remedy"), IGNORED)
def test_a_setting_that_the_form_would_pass_over_is_refused(preset, settings, message, remedy):
    frame = pd.DataFrame({"sex": ["F", "M"] * 10, "race": ["A", "B", "B", "A"] * 5, "granted": ["yes", "no"] * 10})
    part = PresetPlan(preset=preset, columns={"sex": "sex", "race": "race"}, **settings)
    with pytest.raises(InputError, match=message) as error:
        run_preset(frame, PLAN, part)
    assert remedy in error.value.hint


def test_a_reference_is_named_for_each_role_of_a_table_or_refused(office, tmp_path):
    tables = 'by = [["district"], ["household"], ["district", "household"]]'
    office("own.toml", (tables, 'by = [["district", "household"]]'), ('by = [["district"]]', 'by = [["household"]]'))
    frame = ROWS.assign(household=["one", "more"] * 50)
    part = PresetPlan(preset="own.toml", columns={**GRANTS, "household": "household"}, references={"district": "West"})
    with pytest.raises(InputError, match="names 'West' for 'district', but no table is by 'district' alone") as error:
        run_preset(frame, PLAN, part, base=tmp_path)
    assert error.value.hint == "Name a group for household, too, or take district out of 'references'."
    both = part.model_copy(update={"references": {"district": "West", "household": "one"}})
    assert run_preset(frame, PLAN, both, base=tmp_path).rates[0].table.reference == "West, one"
    office("own.toml", (tables, 'by = [["district"], ["district", "household"]]'))
    first, crossed = run_preset(frame, PLAN, part, base=tmp_path).rates
    assert first.table.reference == "West" and crossed.table.reference.startswith("East")


def test_means_are_compared_with_the_group_that_the_plan_names(office, tmp_path):
    office("own.toml", ('by = [["district"]]\nreference = "largest"', 'by = [["district"]]'))
    part = PresetPlan(preset="own.toml", columns=GRANTS, references={"district": "West"})
    finding = run_preset(ROWS, PLAN, part, base=tmp_path)
    assert [shown.table.reference for shown in (*finding.rates, *finding.means)] == ["West", "West"]
    with pytest.raises(GroupError, match="no reference group 'Nobody'"):
        run_preset(ROWS, PLAN, part.model_copy(update={"references": {"district": "Nobody"}}), base=tmp_path)


def test_small_groups_are_kept_where_a_plan_says_so(office, tmp_path):
    office("own.toml", ("smallest_share = 0.05", "smallest_share = 0.05\nleave_out_small = true"))
    frame = pd.concat([ROWS, ROWS.head(2).assign(district="Hill")])
    for keep, out in ((None, [True]), (False, [False])):
        part = PresetPlan(preset="own.toml", columns=GRANTS, leave_out_small=keep)
        [shown] = run_preset(frame, PLAN, part, base=tmp_path).rates
        assert [row.left_out for row in shown.table.rows if row.name == "Hill"] == out
