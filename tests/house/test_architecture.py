"""What docs/architecture.md and docs/extending.md say is so: the map, the rows of imports, each name in a recipe."""

from __future__ import annotations

import ast
import dataclasses
import re

import pytest
from manual_pages import MANUAL, TOP, name_of
from sources import APP_FILES, PACKAGE, PACKAGE_FILES, ROOT
from test_imports import LAYERS

from fairaudit.measure.rates import PARTS
from fairaudit.outcomes import OutcomeKind
from fairaudit.present.errors import RATE_NAMES
from fairaudit.remedies.section import RemedySection
from ui.check.views import CheckViews
from ui.remedies.comparison import CompareViews
from ui.remedies.outcome import RemedyViews

DOCUMENTS = {name_of(path): path.read_text(encoding="utf-8") for path in [*TOP, *MANUAL]}
ARCHITECTURE = DOCUMENTS["docs/architecture.md"] + "\n" + DOCUMENTS["docs/extending.md"]
# Names of others: SQL, make, libraries, a test, the environment (`test_docs` looks at that in the README).
FOREIGN = {
    "GROUP BY",
    "*",
    "make golden",
    "streamlit",
    "parametrize_with_checks",
    "LAYERS",
    "FAIRAUDIT_PRESETS",
    "fairaudit_app",
}

MADE = (".venv/", "dist/")
"""What a fresh clone does not hold."""


def without_blocks(text: str) -> str:
    """Return a document without its indented and fenced blocks."""
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def section(title: str) -> str:
    """Return a section of the architecture by its title."""
    return ARCHITECTURE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def ticked(text: str) -> list[str]:
    """Return what stands between backticks."""
    return re.findall(r"`([^`\n]+)`", without_blocks(text))


def paths_in(text: str) -> set[str]:
    """Return the paths between backticks."""
    return {name for name in ticked(text) if is_path(name)}


def is_path(name: str) -> bool:
    """Say whether a name is that of a file or folder of the project."""
    return re.fullmatch(r"[\w.<>-][\w./<>-]*", name) is not None and ("/" in name or (ROOT / name).exists())


def names_in_code() -> set[str]:
    """Return every name that the project's code defines: classes, functions, fields, constants, keywords, files."""
    found: set[str] = set()
    for path in [*PACKAGE_FILES, *APP_FILES]:
        found |= {path.stem, path.name}
        found.update(
            re.findall(r"(?:\b(?:class|def) |^\s*)(\w+)(?=\(|:| =)", path.read_text(encoding="utf-8"), re.MULTILINE)
        )
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_exists(document):
    named = {name for name in paths_in(DOCUMENTS[document]) if not name.startswith(MADE)}
    wrong = [name for name in named if not any(ROOT.glob(re.sub(r"<\w+>", "*", name).rstrip("/")))]
    assert not wrong


def test_every_name_in_the_architecture_is_one_of_the_code():
    known, wrong = names_in_code() | FOREIGN | set(layer_names()), []
    for name in ticked(ARCHITECTURE):
        if is_path(name) or name in known:
            continue
        # Of calls and of fields the names count, but not a text between quotes.
        words = re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"]*"', "", name))
        wrong += [f"{word} in {name}" for word in words if word not in known]
    assert not wrong


def test_the_map_names_every_package_and_every_file_at_the_top():
    drawn = set(re.findall(r"^    ([\w.]+)/? ", section("The house"), re.MULTILINE))
    there = {path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert drawn == there - {"__init__.py"}


def layer_names() -> list[str]:
    """Return the names of all layers, without that of the package."""
    return [name.removeprefix("fairaudit.") for layer in LAYERS for name in layer]


def test_the_rows_of_imports_are_those_that_are_tested():
    rows = re.findall(r"^\| (`.*?) \| \S.* \|$", section("Which way imports run"), re.MULTILINE)
    drawn = [tuple(f"fairaudit.{name}" for name in ticked(row)) for row in rows]
    assert drawn == [tuple(layer) for layer in LAYERS]


def test_what_a_remedy_needs_is_what_has_no_default():
    said = re.search(r"A `RemedySection` needs (.*?)\. ", section("To add a remedy"), re.DOTALL)[1]
    assert set(re.findall(r"`(\w+)`", said)) == {"plan", *RemedySection.__abstractmethods__}


@pytest.mark.parametrize("kind", [OutcomeKind, CheckViews, CompareViews, RemedyViews])
def test_each_field_of_a_kind_is_explained(kind):
    explained = re.findall(r"^    (\w[\w, ]*) : ", kind.__doc__, re.MULTILINE)
    assert {name for line in explained for name in line.split(", ")} == {f.name for f in dataclasses.fields(kind)}


def test_what_a_kind_of_decision_needs_is_in_its_recipe():
    named = paths_in(section("To add a kind of decision"))
    tables = {
        path.relative_to(ROOT).as_posix()
        for path in [*PACKAGE_FILES, *APP_FILES]
        if re.search(r"^    AMOUNTS: |^\w+.* = \{SHARES: ", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert tables and not tables - named


def test_the_table_of_a_remedy_names_the_files_of_the_smallest_one():
    code = ast.parse((ROOT / "tests" / "remedies" / "test_adding_a_remedy.py").read_text(encoding="utf-8"))
    dicts = {node.targets[0].id: node.value for node in code.body if isinstance(node, ast.Assign)}
    touched = [*ast.literal_eval(dicts["PACKAGES"]), *ast.literal_eval(dicts["LISTS"])]
    smallest = {re.sub(r"/always\b", "/<kind>", path) for path in touched}
    smallest = {re.sub(r"pages/\d+_\w+\.py", "pages/<number>_<Name>.py", path) for path in smallest}
    rows = re.findall(r"^\| `(\S+)` \|", section("To add a remedy"), re.MULTILINE)
    assert set(rows) == smallest and len(rows) == len(smallest)


def holding(words: set[str]) -> set[str]:
    """Return the files whose code holds one of some words as a name or a text, outside fits and remedies."""
    found = set()
    for path in [*PACKAGE_FILES, *APP_FILES]:
        if {"remedies", "estimators"} & set(path.relative_to(ROOT).parts):
            continue
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in words):
            continue
        for node in ast.walk(ast.parse(text)):
            if words & {getattr(node, part, None) for part in ("id", "attr", "arg", "value") if _is_text(node, part)}:
                found.add(path.relative_to(ROOT).as_posix())
    return found


def _is_text(node: ast.AST, part: str) -> bool:
    return isinstance(getattr(node, part, None), str)


def test_a_measure_is_followed_through_the_files_that_the_smallest_one_touches():
    code = ast.parse((ROOT / "tests" / "measure" / "test_adding_a_measure.py").read_text(encoding="utf-8"))
    [added] = [node.value for node in code.body if isinstance(node, ast.Assign) and node.targets[0].id == "ADDED"]
    steps = section("To add a measure").split("5. `make golden`")[0]
    said = {path for path in paths_in(steps) if not path.startswith("tests/")}
    assert said == set(ast.literal_eval(added))


def test_a_rate_is_followed_through_all_its_files_and_no_others():
    said = {path for path in paths_in(section("To add a rate")) if not path.startswith("fairaudit/estimators/")}
    assert said == holding({"npv"})


def test_each_rate_has_words():
    assert set(RATE_NAMES) == set(PARTS)


def test_a_file_format_is_followed_through_all_its_files_and_no_others():
    said = {path for path in paths_in(section("To add a file format")) if path.endswith(".py")}
    assert said - {"tests/data/test_formats.py"} == holding({"xlsx"})


def test_kinds_of_columns_are_told_apart_where_the_recipe_says():
    said = paths_in(section("To add a kind of column"))
    # Words of the language of conditions; SQLite makes a day that stands beside a time a time.
    words = {f"fairaudit/conditions/{name}.py" for name in ("parsing", "correcting", "engines/sqlite")}
    for path in [*PACKAGE_FILES, *APP_FILES]:
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.match_case) and "timestamp" in constants(node.pattern):
                assert name in said
            if isinstance(node, ast.Compare) and {"date", "timestamp"} <= constants(node):
                assert name in words


def constants(node: ast.AST) -> set[object]:
    """Return the constants in a part of the code."""
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}


def test_an_engine_is_followed_through_all_its_files_and_no_others():
    said = {path for path in paths_in(section("To add an engine")) if path.startswith("fairaudit/") and ".py" in path}
    own = {path for path in holding({"sqlite", "postgresql"}) if not path.endswith("engines/sqlite.py")}
    beside = {
        "fairaudit/conditions/engines/sqlite.py",
        "fairaudit/conditions/engines/__init__.py",
        "fairaudit/data/engines/door.py",
    }
    assert said - beside == own
