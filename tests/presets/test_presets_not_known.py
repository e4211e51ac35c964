"""Where people without a decision are to count as not selected, as a person said, each form says so."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from json_schema import against_schema

from fairaudit.audit.running import run
from fairaudit.cli.main import BAD_INPUT, DONE, main
from fairaudit.disclosure.gate import exported
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.blocks import Note
from fairaudit.presets.document import preset_html
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.tables import preset_csv
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.sections.forms.details import form_notes
from fairaudit.sections.forms.saying import selected_word

COLUMNS = {"sex": "sex", "race": "race"}
FORMS = [
    PresetPlan(preset="nyc144", columns=COLUMNS),
    PresetPlan(preset="eeoc_uniform_guidelines", columns=COLUMNS),
    PresetPlan(preset="fair_lending", columns=COLUMNS),
]


def people() -> pd.DataFrame:
    n = 600
    status = ["hired", "rejected", "hired", "rejected", "withdrawn"] * (n // 5)
    status[:4] = ["lapsed"] * 4
    return pd.DataFrame(
        {
            "sex": np.resize(["F", "M", "Unknown"], n),
            "race": np.resize(["A", "B"], n),
            "score": np.arange(n) % 97.0,
            "status": status,
        }
    )


def audit(*forms: PresetPlan, favorable: str = "hired", mask: bool = False):
    plan = AuditPlan(
        data=DataPlan(source="t.csv", real_values={"status": ("lapsed", "withdrawn")}),
        decision=OutcomePlan(column="status", favorable=(favorable,)),
        presets=forms,
        small_cells=SmallCellsPlan(mask=mask, minimum=10),
    )
    return run(plan, table=people())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.preset)
def test_each_form_shows_how_many_undecided_people_count_as_not_selected(form):
    result = audit(form)
    [finding] = result.presets
    [shown] = form_notes(replace(finding, notes=()))
    [part] = finding.not_known
    assert part.n == 124 and part.counted != "good"
    for said in ("124", "'lapsed' or 'withdrawn'", "'status'", f"not {selected_word(finding)}", part.leave_out):
        assert said in shown
    assert shown in [block.text for block in compose_annexes(result).blocks if isinstance(block, Note)]
    # Paper has no folds.
    assert not re.search(r"\bMore\b(?! than)", preset_html(finding))
    assert "124 " in preset_html(finding) and shown in preset_csv(finding).decode("utf-8-sig")
    values = json.loads(to_json(result))
    assert shown in values["presets"][0]["notes"]
    assert not against_schema(values)


def test_the_way_that_is_shown_leaves_them_out():
    [finding] = audit(FORMS[0]).presets
    [part] = finding.not_known
    [narrower] = audit(FORMS[0].model_copy(update={"where": part.leave_out})).presets
    assert narrower.not_known == () and narrower.n_population == finding.n_population - part.n


def test_nothing_is_said_where_the_good_outcome_names_the_value_or_a_score_takes_its_place():
    assert audit(FORMS[0], favorable="withdrawn").presets[0].not_known[0].values == ("lapsed",)
    assert audit(PresetPlan(preset="nyc144", columns=COLUMNS | {"score": "score"})).presets[0].not_known == ()


def test_where_small_counts_are_hidden_it_is_not_shown_how_many():
    result = exported(audit(*FORMS, mask=True))
    for finding in result.presets:
        [shown] = form_notes(replace(finding, notes=()))
        assert "'withdrawn'" in shown
        assert not re.search(r"\d", shown) and {finding.not_known[0].n} == {None}
        assert shown in preset_csv(finding).decode("utf-8-sig")


def test_the_commands_show_it(capsys, tmp_path):
    data = tmp_path / "t.csv"
    people().to_csv(data, index=False)
    decision = ["--decision", "status", "--favorable", "hired"]
    assert main(["form", "nyc144", str(data), *decision]) == BAD_INPUT
    assert '--not-known "status=lapsed" --not-known "status=withdrawn"' in capsys.readouterr().err
    decision += ["--real-value", "status=lapsed", "--real-value", "status=withdrawn"]
    assert main(["form", "nyc144", str(data), *decision, "--save-plan", str(tmp_path / "plan.toml")]) == DONE
    shown = capsys.readouterr().out
    assert "--where: status NOT IN" in shown
    assert main(["run", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == DONE
    assert "Note: 124 applicants with 'lapsed'" in capsys.readouterr().out
    assert main(["form", "nyc144", str(data), *decision, "--where", "status IN ('hired', 'rejected')"]) == DONE
    assert "--where:" not in capsys.readouterr().out
