"""What is exported of the sample audits is what a person has reviewed.

After a change that is meant, write them anew with `make golden`, and read the diff.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import documents
import outloud
import pytest
from golden_numbers import DICTIONARY, columns_in, columns_text, rows_of, tables_in
from same_figures import differences, other_processor, same

from fairaudit import AuditPlan
from fairaudit.report.composing import compose_annexes, compose_report
from fairaudit.report.pdf import to_pdf

QUICK = dict.fromkeys(("berkeley_1973", "municipal_pay_explained"), pytest.mark.usual)
EACH = pytest.mark.parametrize("name", [pytest.param(name, marks=QUICK.get(name, ())) for name in documents.PLANS])


@EACH
def test_documents_are_as_reviewed(name):
    found = [
        line
        for path, text in documents.reviewed_of(name).items()
        for line in differences(path, (documents.FOLDER / path).read_text(encoding="utf-8"), text)
    ]
    assert not found, f"{len(found)} lines differ; `make golden` writes them anew\n" + "\n".join(found[:40])


@EACH
def test_the_dictionary_of_an_export_says_what_is_reviewed_of_each_column_of_its_tables(name):
    files = documents.exported(name).files
    reviewed = set(map(tuple, rows_of(documents.COLUMNS.read_text(encoding="utf-8"))))
    assert set(columns_in(files)) <= reviewed
    described: dict[str, list[str]] = {}
    for file, column, *_ in rows_of(files[DICTIONARY])[1:]:
        described.setdefault(file, []).append(column)
    tables = {path: text for path, text in tables_in(files).items() if path.startswith("tables/")}
    assert described == {path.removeprefix("tables/"): rows_of(text)[0] for path, text in tables.items()}


def test_nothing_is_reviewed_that_no_audit_makes():
    kept = {path.relative_to(documents.FOLDER).as_posix() for path in documents.FOLDER.glob("*s/*") if path.is_file()}
    made = {path for name in documents.PLANS for path in documents.reviewed_of(name)}
    assert kept - made == {f"plans/{path.name}" for path in (documents.FOLDER / "plans").glob("*.toml")}
    columns = {row for name in documents.PLANS for row in columns_in(documents.exported(name).files)}
    assert documents.COLUMNS.read_text(encoding="utf-8") == columns_text(columns)


@EACH
def test_an_export_holds_its_plan(name):
    files = documents.exported(name).files
    assert files["plan.toml"] == files["tables/plan.toml"]
    assert AuditPlan.from_toml(files["plan.toml"]) == documents.result_of(name).plan


@pytest.mark.campaign
@pytest.mark.parametrize("name", documents.PLANS)
def test_an_independent_checker_of_accessible_documents_finds_nothing(name, tmp_path):
    result = documents.result_of(name)
    composed = [make(of) for of in (result, documents.hiding(result)) for make in (compose_report, compose_annexes)]
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


def remedies_in(name, *, hides=False):
    """Return what the JSON of an export holds of remedies."""
    result = json.loads(documents.exported(name, hides=hides).files["result.json"])
    return (result["remedies"] or {}).get("remedies", [])


@pytest.mark.parametrize("name", [name for name in documents.PLANS if (documents.SAMPLES / f"{name}.toml").exists()])
def test_no_remedy_of_the_samples_is_beaten_by_a_simple_answer(name):
    remedies = [*remedies_in(name), *remedies_in(name, hides=True)]
    assert not [(each["name"], other["name"]) for each in remedies for other in each["yardsticks"] if other["is_ahead"]]


def test_a_simple_answer_is_the_verdict_on_a_remedy_only_where_its_gap_on_the_test_cases_is_no_larger():
    seen = 0
    for name in documents.PLANS:
        for remedy in remedies_in(name):
            best = next((other for other in remedy["yardsticks"] if other["is_best"]), None)
            own = remedy["after"]["fairness"]["difference"] if best else None
            gap = best["fairness"]["difference"] if best else None
            if own is None or gap is None or abs(gap) <= abs(own):
                continue
            seen += 1
            assert remedy["verdict"] != "worse_than_simple_rule", name
    assert seen
