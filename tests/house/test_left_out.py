"""What the locks leave out is named, is all that is missing, and nothing that runs here imports it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from sources import ROOT, normal

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LEFT_OUT = frozenset(PROJECT["tool"]["uv"]["exclude-dependencies"])
THEIRS = ("contourpy", "cycler", "fontTools", "kiwisolver", "mpl_toolkits", "past", "pylab", "pyparsing")
"""Other modules that come with them alone."""

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""

SWARMS = """
import numpy as np
from fairaudit import GroupThresholdClassifier
random = np.random.default_rng(0)
X, group = random.normal(size=(300, 2)), random.integers(0, 2, 300)
y = (X[:, 0] + 0.5 * group + random.normal(size=300) > 0).astype(int)
for swarm in ("curves", "thresholds"):
    model = GroupThresholdClassifier(method="pso", swarm=swarm, n_iterations=5, random_state=0)
    model.fit(X, y, sensitive_features=group)
    assert set(model.predict(X, sensitive_features=group)) <= {0, 1}
assert "pyswarms" in sys.modules
"""

PAGES = """
from pathlib import Path
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=120).run()
for path in ["app.py", *map(str, sorted(Path("pages").glob("*.py")))]:
    app.switch_page(path).run()
    assert not app.exception, (path, app.exception)
"""


def locked(lock: str) -> set[str]:
    """Return the names in a lock."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {normal(name) for name in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}


def needed_by(names: set[str]) -> dict[str, set[str]]:
    """Return what packages that are installed here say that they need, and who says so."""
    found: dict[str, set[str]] = {}
    for name in names:
        try:
            said = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        for requirement in map(Requirement, said):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                found.setdefault(normal(requirement.name), set()).add(name)
    return found


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_lacks_what_is_left_out_and_nothing_else(lock):
    names = locked(lock)
    needed = needed_by(names)
    assert names and len(needed) > 30
    missing = {name: needed[name] for name in set(needed) - names - LEFT_OUT}
    assert not missing, "pip installs the locks as they are: make lock"
    assert not names & LEFT_OUT
    assert set(needed) >= LEFT_OUT, "nothing needs it any more: it need not be left out"


def run_without(code: str, folder: Path = ROOT) -> None:
    """Run code in a folder, in a Python that has nothing of what is left out."""
    script = WITHOUT.format(missing=sorted({*LEFT_OUT, *THEIRS})) + code
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_thresholds_are_searched_by_a_swarm_without_it():
    run_without(SWARMS)


def test_what_is_left_out_is_missed_where_it_is_asked_for(tmp_path):
    # Where its logging is not set up before, pyswarms writes a file into the folder.
    with pytest.raises(AssertionError, match="No module named 'matplotlib'"):
        run_without("import pyswarms.utils.plotters", tmp_path)


@pytest.mark.thorough
def test_every_page_is_drawn_without_it():
    run_without(PAGES)
