"""A report describes its run as an RO-Crate: what it names is there, fits the manifest, and says no more than that."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import replace

import pytest
from places import SAMPLES

from fairaudit import AuditPlan, run, verify
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.report.composing import write_report
from fairaudit.report.crate import CONTEXT, CRATE, DATA, RUN
from fairaudit.report.manifest import MANIFEST, Manifest, digest_of
from fairaudit.settings import SALT


@pytest.fixture(scope="module")
def result():
    found = run(AuditPlan.load(SAMPLES / "berkeley_1973.toml"), base=SAMPLES)
    report = found.plan.report.model_copy(update={"organisation": "Office of Public Audit"})
    return replace(found, plan=found.plan.model_copy(update={"report": report}))


@pytest.fixture(scope="module")
def folder(result, tmp_path_factory):
    place = tmp_path_factory.mktemp("results")
    write_report(result, place)
    return place


def entities(folder):
    graph = json.loads((folder / CRATE).read_bytes())["@graph"]
    named = {each["@id"]: each for each in graph}
    assert len(named) == len(graph), "each is described once"
    return named


def named_in(value):
    if isinstance(value, dict):
        yield from (
            [value["@id"]] if {*value} == {"@id"} else [name for each in value.values() for name in named_in(each)]
        )
    elif isinstance(value, list):
        yield from [name for each in value for name in named_in(each)]


def test_each_entity_that_is_named_is_described(folder):
    known = entities(folder)
    outside = {name for each in known.values() for name in named_in(each)} - {*known}
    assert outside == {"https://w3id.org/ro/crate/1.1", "./"} - {*known}


def test_its_files_are_those_of_the_folder_as_the_manifest_lists_them(folder):
    known = entities(folder)
    files = {name for name, each in known.items() if "File" in each["@type"]}
    assert files == {path.name for path in folder.iterdir()} - {CRATE}
    assert {each["@id"] for each in known["./"]["hasPart"]} == files
    listed = Manifest.read((folder / MANIFEST).read_bytes())
    assert {name: known[name]["sha256"] for name in files - {MANIFEST}} == listed.compared.files
    for name in files - {MANIFEST}:
        assert int(known[name]["contentSize"]) == (folder / name).stat().st_size
    assert listed.dated == {CRATE: digest_of((folder / CRATE).read_bytes())}


def test_the_run_names_data_plan_software_and_results(folder):
    known, manifest = entities(folder), Manifest.read((folder / MANIFEST).read_bytes())
    action = known[RUN]
    assert {each["@id"] for each in action["object"]} == {DATA, "plan.toml"}
    assert {each["@id"] for each in action["result"]} == {*manifest.compared.files} - {"plan.toml"}
    assert known[DATA]["identifier"] == f"sha256:{manifest.compared.fingerprint}"
    assert known[action["agent"]["@id"]]["name"] == "Office of Public Audit"
    programs = {each["name"]: each["version"] for each in known.values() if each["@type"] == "SoftwareApplication"}
    assert programs == manifest.compared.versions
    assert known[action["instrument"]["@id"]]["name"] == "fairaudit"
    assert {name for name, each in known.items() if each.get("prov:wasGeneratedBy") == {"@id": RUN}} == {
        each["@id"] for each in action["result"]
    }


def test_one_byte_of_it_is_found(folder, tmp_path):
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / CRATE).write_bytes((folder / CRATE).read_bytes().replace(b"Office", b"office", 1))
    found = verify(tmp_path)
    assert found.verdict == "changed" and found.names("changed") == (CRATE,)


@pytest.mark.thorough
@pytest.mark.parametrize("salt", [None, "a salt of the office"])
def test_beside_hidden_counts_it_says_of_the_data_what_the_manifest_says(result, tmp_path, monkeypatch, salt):
    if salt is not None:
        monkeypatch.setenv(SALT.variable, salt)
    plan = result.plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True)})
    write_report(replace(result, plan=plan), tmp_path)
    assert result.data.fingerprint not in (tmp_path / CRATE).read_text(encoding="utf-8")
    compared = Manifest.read((tmp_path / MANIFEST).read_bytes()).compared
    said = entities(tmp_path)[DATA]
    assert said.get("identifier") == compared.fingerprint, "a salted digest is not called the SHA-256 of the data"
    assert (compared.fingerprint is None) == (salt is None) and ("salted" in said["description"]) == (salt is not None)
    assert {*said} - {"identifier"} == {"@id", "@type", "name", "description"}


@pytest.mark.thorough
@pytest.mark.parametrize("profile", ["ro-crate-1.1", "process-run-crate"])
def test_a_validator_of_others_finds_it_valid(folder, profile):
    services = pytest.importorskip("rocrate_validator.services", reason="roc-validator is not installed")
    from rocrate_validator.models import Severity, ValidationSettings

    try:
        urllib.request.urlopen(CONTEXT[0], timeout=10).close()
    except OSError:
        pytest.skip(f"the validator reads {CONTEXT[0]}, which cannot be reached")
    settings = ValidationSettings(
        rocrate_uri=str(folder), profile_identifier=profile, requirement_severity=Severity.REQUIRED
    )
    found = services.validate(settings)
    assert found.passed(), [(each.check.identifier, each.message) for each in found.get_issues()]
