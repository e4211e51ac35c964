"""Tables are read in a notebook, with widgets and without."""

from __future__ import annotations

import subprocess
import sys

import pytest

# What DuckDB looks at to find out that it runs in a notebook: no file of its own, and a kernel that IPython names.
NOTEBOOK = """
import sys, types
sys.path.insert(0, ".")
shell = types.SimpleNamespace(config={"IPKernelApp": {}})
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
if %(widgets)s:
    sys.modules["ipywidgets"] = types.ModuleType("ipywidgets")
import duckdb
refused = False
try:
    duckdb.connect().execute("SET enable_progress_bar = false")
except duckdb.InvalidInputException:
    refused = True
assert refused is not %(widgets)s, "DuckDB finds out in another way that it runs in a notebook"
import fairaudit
print(fairaudit.read_table(b"sex,ok\\nF,1\\nM,0\\n").n_rows)
"""


@pytest.mark.parametrize("widgets", [False, True])
def test_tables_are_read_in_a_notebook(widgets):
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK % {"widgets": widgets}], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("2\n", "", 0)
