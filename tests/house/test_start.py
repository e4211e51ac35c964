"""What is loaded by the time the package, the help, an answer and the first pages are there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import metadata

import pytest
from sources import ROOT, normal

from ui.runtime.server import AHEAD

# numpy, pandas and DuckDB hold the rows, sqlglot reads the condition, pydantic the question, SciPy has the quantiles;
# Fluent and Babel say the answer.
CHECK_LOADS = {
    "babel",
    "charset_normalizer",
    "duckdb",
    "fluent",
    "numpy",
    "pandas",
    "pyarrow",
    "pydantic",
    "python_calamine",
    "scipy",
    "sqlglot",
    "tomli_w",
}
COMMANDS = {
    "import": "import fairaudit",
    "help": "from fairaudit.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass",
    "check": (
        "from fairaudit.cli.main import main\n"
        "main(['check', 'sample_data/loans.csv', '--decision', 'approved', '--favorable', 'yes', '--protected',\n"
        "      \"sex = 'woman'\", '--strata', 'income_band', '--by', 'region'])"
    ),
    "check amounts": (
        "from fairaudit.cli.main import main\n"
        "main(['check', 'sample_data/municipal_pay.csv', '--decision', 'monthly_pay', '--amount', '--protected',\n"
        "      \"sex = 'woman'\", '--strata', 'grade', '--by', 'grade'])"
    ),
    "explain": (
        "from fairaudit.cli.main import main\n"
        "main(['explain', 'sample_data/loans.csv', '--decision', 'approved', '--favorable', 'yes', '--protected',\n"
        "      \"sex = 'woman'\", '--control', 'income_band=what one can pay back'])"
    ),
    "plan": (
        "from pathlib import Path\n"
        "from fairaudit import AuditPlan\n"
        "for path in [*Path('sample_data').glob('*.toml'), *Path('tests/golden/plans').glob('*.toml')]:\n"
        "    AuditPlan.load(path)"
    ),
    "check as JSON": (
        "from fairaudit.cli.main import main\n"
        "main(['check', 'sample_data/loans.csv', '--decision', 'approved', '--favorable', 'yes', '--protected',\n"
        "      \"sex = 'woman'\", '--strata', 'income_band', '--json'])"
    ),
    "bundle and JSON of a run": (
        "from pathlib import Path\n"
        "from fairaudit import AuditPlan, run\n"
        "from fairaudit.plan.data import open_data\n"
        "from fairaudit.report.bundle import to_csv_bundle\n"
        "from fairaudit.report.json_export import to_json\n"
        "plan = AuditPlan.load('sample_data/loans.toml')\n"
        "result = run(plan, table=open_data(plan, base=Path('sample_data')))\n"
        "assert to_json(result) and to_csv_bundle(result)"
    ),
    "check page": "import ui.check.amounts, ui.check.tabs, ui.check.verdict, ui.check.verdict, ui.data.not_known",
    "importing ahead": "from ui.runtime.server import import_ahead\nimport_ahead().join()",
    "first pages": (
        "from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file('app.py', default_timeout=60).run()\n"
        "assert not app.exception and not app.switch_page('pages/1_Data.py').run().exception"
    ),
}


def loaded_by(command: str) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after a command."""
    code = f"{COMMANDS[command]}\nimport json, sys\nprint('\\n' + json.dumps(list(sys.modules)))"
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def required_modules() -> set[str]:
    """Return the packages that requirements.txt brings, by the name under which Python imports them."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    required = {normal(re.split(r"[<>=\[; ]", line)[0]) for line in lines if line and not line.startswith("#")}
    return {
        top
        for top, distributions in metadata.packages_distributions().items()
        if required & {normal(name) for name in distributions}
    }


@pytest.mark.parametrize("command", ["import", "help"])
def test_nothing_is_loaded_before_it_is_asked_for(command):
    assert not required_modules() & loaded_by(command)


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["check", "check amounts"])
def test_a_check_loads_only_what_it_computes_with(command):
    loaded = loaded_by(command)
    assert required_modules() >= CHECK_LOADS
    assert required_modules() & loaded <= CHECK_LOADS
    # These parts of SciPy take longer to load than the answer takes to compute.
    assert not {"scipy.stats", "scipy.optimize", "scipy.sparse", "scipy.linalg"} & loaded
    assert not {"sqlalchemy", "psycopg", "pyspark"} & loaded, "drivers are for connections"
    # The app, the export and the remedies' fits are for other commands.
    assert not {"fairaudit.report", "fairaudit.disclosure.gate", "fairaudit.solver", "fairaudit.audit.trying"} & loaded


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["check", "check amounts", "explain"])
def test_an_answer_without_models_loads_no_estimator(command):
    assert not [module for module in loaded_by(command) if module.startswith("fairaudit.estimators")]


@pytest.mark.thorough
def test_a_plan_with_remedies_is_read_without_any_model():
    assert not {"sklearn", "altair", "pyscipopt"} & loaded_by("plan")


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["check as JSON", "bundle and JSON of a run"])
def test_only_what_draws_loads_what_it_draws_with(command):
    assert not {"altair", "vl_convert", "typst"} & loaded_by(command)


@pytest.mark.thorough
def test_the_first_pages_wait_for_no_model_and_no_report():
    waited_for = loaded_by("first pages")
    # The picture of the example on the front page is drawn as all charts are.
    assert not {"sklearn", "scipy.stats", "scipy.optimize", "pyscipopt", "typst"} & waited_for


@pytest.mark.thorough
def test_the_page_check_waits_for_no_model_and_no_report():
    assert not {"sklearn", "pyscipopt", "typst"} & loaded_by("check page")


@pytest.mark.thorough
def test_what_pages_wait_for_is_imported_ahead_and_solvers_are_not():
    ahead = loaded_by("importing ahead")
    assert {"altair", "scipy.stats", "sklearn", *AHEAD} <= ahead
    assert not {"pyscipopt", "pyswarms", "vl_convert"} & ahead
