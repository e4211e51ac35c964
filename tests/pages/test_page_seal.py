"""A question is sealed on the page Groups before its answer is shown; a published report is taken into account."""

from __future__ import annotations

import json

from places import SAMPLES
from remedy_pages import has

from fairaudit import AuditPlan, run
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.report.bundle import zipped
from fairaudit.report.composing import write_report


def test_a_question_is_sealed_before_its_answer_is_shown_and_not_after(app):
    app.hold_sample("berkeley_1973").go("Groups")
    app.set("text_input", "groups_seal_by", "A. Auditor").click("groups_seal")
    seal = app.state.seal
    assert seal.by == "A. Auditor" and seal.code in app.text and not has(app, "groups_seal")
    app.go("Check").go("Report").click("report_make")
    plan = AuditPlan.from_toml(app.state.made.contents["plan.toml"].decode())
    assert plan.seal == seal and json.loads(app.state.made.contents["result.json"])["changed_since_seal"] == []


def test_what_changes_after_the_seal_is_named(app):
    app.hold_sample("berkeley_1973").go("Groups").click("groups_seal")
    app.protect("gender = 'Men'").go("Report").click("report_make")
    assert "checks" in json.loads(app.state.made.contents["result.json"])["changed_since_seal"]


def test_no_seal_is_offered_once_an_answer_was_shown(app):
    app.sample("berkeley_1973").go("Check").go("Groups")
    assert app.state.seal is None and not has(app, "groups_seal")


def test_a_published_report_is_hidden_beside(app, tmp_path):
    plan = AuditPlan.load(SAMPLES / "berkeley_1973.toml")
    plan = plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True)})
    paths = write_report(run(plan, base=SAMPLES), tmp_path)
    published = zipped({path.name: path.read_bytes() for path in paths})
    app.sample("berkeley_1973").go("Report").set("checkbox", "report_mask", True)
    app.set("file_uploader", "report_published", [("first.zip", published, "application/zip")])
    [digest] = app.state.published
    assert app.state.small_cells.beside == (digest,) and digest[:8] in app.text
    app.click("report_make")
    app.assert_refuses_nothing()
    made = AuditPlan.from_toml(app.state.made.contents["plan.toml"].decode())
    assert made.small_cells.beside == (digest,)
