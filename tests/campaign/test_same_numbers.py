"""A plan and its data give the same bytes on a quiet machine and beside busy loops, with one thread and with two.

On another processor, where sums are added up in another order, they give the same words, and figures that differ by
less than is printed.

FAIRAUDIT_BUSY_LOOPS says how many loops there are; four keep two processors from nearly everything else.

Checks do not depend on the order of the rows either, but for the last digits of means of amounts. Remedies do, as rows
are divided by their order; reports say so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from places import ROOT, SHARED_DATA
from same_figures import differences, other_processor

from fairaudit import AuditPlan, run
from fairaudit.report.crate import CRATE
from fairaudit.report.json_export import to_json
from fairaudit.report.manifest import MANIFEST, Manifest

pytestmark = pytest.mark.campaign

SAMPLES = ROOT / "sample_data"
ADULT = SHARED_DATA / "adult.csv.gz"
N_LOOPS = int(os.environ.get("FAIRAUDIT_BUSY_LOOPS", "0"))
"""Loops that take processor time from the second of two runs; other tests that run meanwhile do so, too."""

FEATURES = ("age", "workclass", "education", "marital_status", "occupation", "hours_per_week")
REMEDIES = {
    "plain": {"model": "logistic_regression", "method": "plain"},
    "relabel": {"method": "relabel"},
    "thresholds": {"method": "thresholds"},
    "equalize": {"method": "equalize"},
    "constrain": {"method": "constrain", "constraints": ["demographic_parity by sex <= 0.05"]},
    "constrain_floor": {"method": "constrain", "constraints": ["accuracy by race >= 0.8"]},
    "constrain_several": {"method": "constrain", "constraints": ["fpr by sex <= 0.05", "fnr by race <= 0.1"]},
    "rules": {"method": "rules", "time_limit": 10.0},
    "trees": {"method": "trees", "time_limit": 5.0},
    "trees_deep": {"method": "trees", "max_depth": 5, "time_limit": 5.0},
    "trees_linear": {"method": "trees", "max_depth": 2, "branching": "linear", "time_limit": 5.0},
    "trees_dtdi": {
        "method": "trees", "max_depth": 2, "discrimination": "dtdi", "fairness_weight": 0.1, "time_limit": 5.0
    },
    "trees_look_ahead": {"method": "trees", "search": "look_ahead", "max_depth": 5, "time_limit": 5.0},
}  # fmt: skip
"""One plan for each remedy, and for each way in which a search ends at its limit of work."""

ADULT_PLAN = """
    schema_version = 1
    protected_columns = ["sex"]

    [data]
    source = "adult.csv.gz"
    name = "Adult"

    [data.reading]
    unweighted = true

    [data.not_known]
    workclass = ["?"]
    occupation = ["?"]

    [decision]
    column = "income"
    favorable = [">50K"]

    [models]
    features = [{features}]
    protected = "sex = 'Female'"

    [[checks]]
    protected = "sex = 'Female'"

    [[remedies]]
    {remedy}
"""


@contextmanager
def busy_loops(n: int) -> Iterator[None]:
    """Keep the processors busy for as long as the block runs."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def written(plan: Path, data: Path, out: Path, threads: int, **more: str) -> dict[str, bytes]:
    """Run a plan in a process of its own, with more variables of the environment; return what it wrote and printed."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = os.environ | dict.fromkeys(names, str(threads)) | {"PYTHONPATH": str(ROOT)} | more
    command = [sys.executable, "-m", "fairaudit", "run", str(plan), "--data", str(data), "--out", str(out)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    printed = [line for line in done.stdout.splitlines() if not line.startswith("wrote ")]
    files = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
    # When it was made is not compared.
    del files[CRATE]
    files[MANIFEST] = Manifest.read(files[MANIFEST]).compared.model_dump_json().encode()
    return files | {"printed": "\n".join(printed).encode()}


def assert_same_bytes(plan: Path, data: Path, folder: Path) -> None:
    """Compare what a plan gives alone with one thread, and beside busy loops with two."""
    alone = written(plan, data, folder / "alone", threads=1)
    with busy_loops(N_LOOPS):
        beside = written(plan, data, folder / "beside", threads=2)
    assert alone.keys() == beside.keys() and {"printed"} < alone.keys()
    differ = [name for name in alone if alone[name] != beside[name]]
    assert not differ, f"{', '.join(differ)} differ: see {folder}"


@pytest.mark.parametrize("name", sorted(path.stem for path in SAMPLES.glob("*.toml")))
def test_samples_are_the_same_alone_and_beside_busy_loops(name, tmp_path):
    plan = SAMPLES / f"{name}.toml"
    assert_same_bytes(plan, SAMPLES / f"{source_of(plan)}", tmp_path)


@pytest.fixture
def adult_plan(tmp_path):
    """Return a function that writes the plan that tries a remedy on Adult."""
    if not ADULT.exists():
        pytest.skip(f"there is no {ADULT}")

    def write(name: str) -> Path:
        remedy = "\n    ".join(f"{key} = {toml(value)}" for key, value in REMEDIES[name].items())
        features = ", ".join(map(toml, FEATURES))
        plan = tmp_path / "plan.toml"
        plan.write_text(textwrap.dedent(ADULT_PLAN.format(features=features, remedy=remedy)), encoding="utf-8")
        return plan

    return write


@pytest.mark.parametrize("name", REMEDIES)
def test_remedies_on_adult_are_the_same_alone_and_beside_busy_loops(name, adult_plan, tmp_path):
    assert_same_bytes(adult_plan(name), ADULT, tmp_path)


@pytest.mark.parametrize("name", REMEDIES)
def test_remedies_on_adult_are_the_same_on_another_processor(name, adult_plan, tmp_path):
    assert_same_figures(adult_plan(name), ADULT, tmp_path)


@pytest.mark.parametrize(
    "name", ["berkeley_1973", "hiring_tool", "loans", "municipal_pay", "recidivism", "stop_and_frisk"]
)
def test_checks_do_not_depend_on_the_order_of_rows(name, tmp_path):
    plan = AuditPlan.load(SAMPLES / f"{name}.toml")
    plan = plan.model_copy(
        update={"remedies": (), "models": None, "data": plan.data.model_copy(update={"fingerprint": None})}
    )
    first, *rows = (SAMPLES / plan.data.source).read_text(encoding="utf-8").splitlines()
    Random(0).shuffle(rows)
    (tmp_path / plan.data.source).write_text("\n".join([first, *rows, ""]), encoding="utf-8")
    as_it_is, shuffled = (run(plan, base=folder) for folder in (SAMPLES, tmp_path))
    known, other = (result.data.fingerprint for result in (as_it_is, shuffled))
    assert known != other
    known_json, other_json = to_json(as_it_is).replace(known, other), to_json(shuffled)
    if plan.decision.amount:
        # Means and variances are added up in the order of the rows, which moves their last digits.
        known_json, other_json = (json.loads(text, parse_float=nine_digits) for text in (known_json, other_json))
    assert other_json == known_json


def assert_same_figures(plan: Path, data: Path, folder: Path) -> None:
    """Compare what a plan gives here and on another processor."""
    here = written(plan, data, folder / "here", threads=1)
    there = written(plan, data, folder / "there", threads=1, **other_processor())
    texts = [json.dumps(json.loads(files["result.json"]), indent=1) for files in (here, there)]
    found = differences("result.json", *texts)
    assert not found, "\n".join(found[:20])


def nine_digits(number: str) -> str:
    return f"{float(number):.9g}"


def source_of(plan: Path) -> str:
    return AuditPlan.load(plan).data.source


def toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
