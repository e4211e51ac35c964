"""The notebooks run from their first cell to their last in a kernel that has nothing but itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from places import ROOT

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
PLAIN = """
import importlib.util, sys
assert not any(importlib.util.find_spec(name) for name in ("ipywidgets", "jupyterlab", "notebook", "marimo"))
from fairaudit import check_controlled_fairness, compare_periods, explain_gap, find_subgroups, read_table
table = read_table("sample_data/loans.csv")
question = {"decision": "approved", "favorable": "yes", "protected": "sex = 'woman'"}
asked = {"decision": "approved", "favorable": "yes", "columns": ["sex", "region"], "max_conditions": 1}
"""
CALLS = (
    "check_controlled_fairness(table, **question)",
    "explain_gap(table, **question, controls='income_band')",
    "find_subgroups(table, **asked)",
    "table.counts(['sex'])",
    "check_controlled_fairness(table, **question).chart()",
)


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """Return the name of a kernel of this Python."""
    place = tmp_path / "kernels" / "bare"
    place.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    place.joinpath("kernel.json").write_text(
        json.dumps({"argv": command, "display_name": "bare", "language": "python"})
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return "bare"


def run(notebook: nbformat.NotebookNode, kernel: str, folder: Path) -> nbformat.NotebookNode:
    """Run all cells in order; an error in one ends the test with its traceback."""
    client = NotebookClient(notebook, kernel_name=kernel, timeout=120, resources={"metadata": {"path": str(folder)}})
    return client.execute()


def shown(cell: nbformat.NotebookNode) -> dict[str, str]:
    """Return what a cell shows at its end, by its kind."""
    return {kind: text for out in cell.outputs for kind, text in out.get("data", {}).items()}


def test_every_call_works_in_a_bare_kernel(kernel):
    """Without widgets, DuckDB has no progress bar that could be switched off."""
    cells = [nbformat.v4.new_code_cell(source) for source in (PLAIN, *CALLS)]
    ran = run(nbformat.v4.new_notebook(cells=cells), kernel, ROOT)
    for cell in ran.cells[1:4]:
        assert "<img" in shown(cell)["text/html"]
    assert "woman" in shown(ran.cells[4])["text/plain"]
    chart = shown(ran.cells[5])
    assert chart["image/svg+xml"].startswith("<svg")
    assert "http" not in "".join(chart.values()).replace("http://www.w3.org/", "")


def test_the_gallery_is_the_page_on_notebooks():
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 6
    assert [path.name for path in NOTEBOOKS if f"`{path.name}`" not in page] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_showed(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert 2 <= len(code) <= 8
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


@pytest.mark.thorough
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_end(path, kernel):
    ran = run(nbformat.read(path, as_version=4), kernel, FOLDER)
    code = [cell for cell in ran.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in code)
    assert not [out for cell in code for out in cell.outputs if out.output_type == "error"]
