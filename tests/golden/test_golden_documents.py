"""Every exported document of the sample audits is the one that a person has reviewed.

After a change that is meant, write them anew with `make golden`, and read the diff.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import documents
import outloud
import pytest
from same_figures import differences, other_processor, same

from fairaudit.report import compose_annexes, compose_report, to_pdf

QUICK = dict.fromkeys(("berkeley_1973", "municipal_pay_explained", "stop_and_frisk_halves"), pytest.mark.usual)


@pytest.mark.parametrize("name", [pytest.param(name, marks=QUICK.get(name, ())) for name in documents.PLANS])
def test_documents_are_as_reviewed(name):
    texts = documents.documents_of(name)
    folders = (name, f"{name}_hidden")
    files = [path for folder in folders for path in (documents.FOLDER / folder).rglob("*") if path.is_file()]
    files += [documents.FOLDER / documents.numbers_file(folder) for folder in folders]
    golden = {path.relative_to(documents.FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in files}
    assert sorted(texts) == sorted(golden), "other files than before"
    found = [line for path, text in texts.items() for line in differences(path, golden[path], text)]
    assert not found, f"{len(found)} lines differ; `make golden` writes them anew\n" + "\n".join(found[:40])


@pytest.mark.campaign
@pytest.mark.parametrize("name", documents.PLANS)
def test_an_independent_checker_of_accessible_documents_finds_nothing(name, tmp_path):
    result = documents.result_of(name)
    small_cells = result.plan.small_cells.model_copy(update={"mask": True})
    hiding = replace(result, plan=result.plan.model_copy(update={"small_cells": small_cells}))
    composed = [make(shown) for shown in (result, hiding) for make in (compose_report, compose_annexes)]
    for number, document in enumerate(composed):
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(to_pdf(document))
        checked = outloud.check(str(path))
        assert checked.verdict == "pass"
        assert not checked.findings, [(one.rule, one.page, one.message) for one in checked.findings]


@pytest.mark.campaign
def test_documents_are_as_reviewed_where_sums_are_added_up_as_on_another_processor():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not campaign", __file__]
    environment = os.environ | other_processor()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]


@pytest.mark.parametrize(
    ("line", "other", "alike"),
    [
        ('"gap": 0.1234567891', '"gap": 0.1234567892', True),
        ('"gap": 0.1234567', '"gap": 0.1234667', False),
        ("8 of 10 rows", "9 of 10 rows", False),
        ("8 of 10 rows", "8 of 10 people", False),
        ("-0.5", "0.5", False),
    ],
)
def test_only_rounding_is_overlooked(line, other, alike):
    assert same(line, other) is alike


def simple_answers_ahead(path):
    remedies = (json.loads(path.read_text(encoding="utf-8"))["remedies"] or {}).get("remedies", [])
    return [(each["name"], other["name"]) for each in remedies for other in each["yardsticks"] if other["is_ahead"]]


RESULTS = sorted(Path(__file__).parent.glob("*/result.json"))


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.parent.name)
def test_no_remedy_of_the_samples_is_beaten_by_a_simple_answer(path):
    is_sample = (documents.SAMPLES / f"{path.parent.name.removesuffix('_hidden')}.toml").exists()
    assert not (is_sample and simple_answers_ahead(path))


def test_a_simple_answer_is_the_verdict_on_a_remedy_only_where_its_gap_on_the_test_cases_is_no_larger():
    seen = 0
    for path in RESULTS:
        remedies = (json.loads(path.read_text(encoding="utf-8"))["remedies"] or {}).get("remedies", [])
        for remedy in remedies:
            best = next((other for other in remedy["yardsticks"] if other["is_best"]), None)
            own = remedy["after"]["fairness"]["difference"] if best else None
            gap = best["fairness"]["difference"] if best else None
            if own is None or gap is None or abs(gap) <= abs(own):
                continue
            seen += 1
            assert remedy["verdict"] != "worse_than_simple_rule", path
    assert seen
