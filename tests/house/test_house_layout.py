"""Files in known places, and an app that shows text as text."""

from __future__ import annotations

import ast
from collections import Counter
from importlib import import_module
from itertools import pairwise
from pathlib import Path

from sources import APP_FILES, PACKAGE_FILES, ROOT, module_name, short_name

from ui.remedies.registry import remedy_pages
from ui.steps import CHOOSER, COMPARE, DEEPER, STEPS

ALL_FILES = [*PACKAGE_FILES, *APP_FILES]
SCRIPTS = ("ui/leaving.py", "unsafe_allow_" + "javascript")
"""The one place where the app has scripts of its own."""
SHARED_NAMES = ("__init__.py", "conftest.py")


def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_for_types(node: ast.stmt) -> list[ast.ImportFrom]:
    """Return the imports that only a type checker makes; none where a statement holds anything else."""
    is_asked = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    imports = [one for one in node.body if isinstance(one, ast.ImportFrom)] if is_asked else []
    return imports if is_asked and imports == node.body and not node.orelse else []


def test_init_holds_no_logic():
    named = ("__all__", "__getattr__")
    packages = [path for path in PACKAGE_FILES if path.name == "__init__.py"]
    other = [
        f"{short_name(path)}, line {node.lineno}"
        for path in packages
        for node in tree_of(path).body[1:]
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Assign) and node.targets[0].id in named)
        and not imports_for_types(node)
    ]
    silent = [short_name(path) for path in packages if not ast.get_docstring(tree_of(path))]
    assert packages and not silent, f"a package says what it is for; see {silent}"
    assert not other, "a docstring, imports, __all__ and late names only; see\n" + "\n".join(other)


def test_late_names_are_what_a_type_checker_is_told():
    typed = {
        (path, name.name): node.module
        for path in PACKAGE_FILES
        if path.name == "__init__.py"
        for statement in tree_of(path).body
        for node in imports_for_types(statement)
        for name in node.names
    }
    assert typed
    for (path, name), home in typed.items():
        package = import_module(module_name(path))
        assert getattr(package, name) is getattr(import_module(home), name), f"{short_name(path)}: {name}"
    for path in {path for path, _ in typed}:
        package = import_module(module_name(path))
        early = {alias.name for node in tree_of(path).body if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert {name for of, name in typed if of == path} == set(package.__all__) - early, short_name(path)


def test_text_is_only_ever_text_and_nothing_is_unpickled():
    names = ("unsafe_allow_" + "html=True", "unsafe_allow_" + "javascript", "pick" + "le.load", "read_" + "pickle")
    found = [
        f"{short_name(path)} holds {name}"
        for path in ALL_FILES
        for text in [path.read_text(encoding="utf-8")]
        for name in names
        if name in text and (short_name(path), name) != SCRIPTS
    ]
    assert not found, "\n".join(found)


def test_the_only_scripts_of_the_app_are_whole_and_hold_nothing_of_the_data():
    tree = tree_of(ROOT / SCRIPTS[0])
    made = [node for node in ast.walk(tree) if isinstance(node, (ast.JoinedStr, ast.BinOp, ast.Attribute))]
    assert {ast.unparse(node) for node in made} == {"st.html"}


def test_what_is_cached_from_uploads_stays_in_its_session():
    shared = []
    for path in APP_FILES:
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.FunctionDef):
                continue
            cached = [d for d in node.decorator_list if "cache_" in ast.unparse(d)]
            for decorator in cached:
                given = {k.arg: ast.unparse(k.value) for k in getattr(decorator, "keywords", [])}
                takes_nothing = not node.args.args and not node.args.kwonlyargs
                if not takes_nothing and not (given.get("scope") == "'session'" and "max_entries" in given):
                    shared.append(f"{short_name(path)}: {node.name}")
    assert not shared, "a cache of what a person brought takes scope='session' and max_entries:\n" + "\n".join(shared)


def test_pages_end_early_in_the_way_that_lets_their_widgets_start_again():
    # A page that is drawn anew meanwhile has not ended: what it did not come to is still there.
    known = {"ui/widgets.py", "ui/runtime/questions.py"}
    other = [short_name(path) for path in APP_FILES if "st.stop()" in path.read_text(encoding="utf-8")]
    assert set(other) <= known, f"call ui.widgets.end_page, not st.stop, in {sorted(set(other) - known)}"


def test_pages_offer_figures_through_one_door_that_knows_of_hidden_counts():
    one_each = {
        "ui/result.py": "the door: it offers nothing where small counts are to be hidden",
        "ui/frame.py": "the saved audit: what the person chose, to go on with later",
        "ui/data/loading.py": "the same of the table before, where it was not saved",
        "ui/report/making.py": "the made report, whose content has passed the gate",
    }
    texts = {short_name(path): path.read_text(encoding="utf-8") for path in APP_FILES}
    found = {name: text.count("download_button") for name, text in texts.items() if "download_button" in text}
    assert found == dict.fromkeys(one_each, 1), "call offer_files of ui/result.py"


def test_files_of_tests_have_names_of_their_own():
    names = Counter(path.name for path in (ROOT / "tests").rglob("*.py") if path.name not in SHARED_NAMES)
    twice = [name for name, times in names.items() if times > 1]
    assert not twice, f"pytest imports files by their bare names: {twice}"


def test_pages_are_numbered_as_the_sidebar_lists_them():
    remedies = [*(page.path for page in remedy_pages()), COMPARE]
    paths = [step.path for step in STEPS]
    for page in DEEPER:
        paths += [page.path, *remedies] if page.path == CHOOSER else [page.path]
    listed = [Path(path).name for path in paths]
    unlisted = {path.name for path in (ROOT / "pages").glob("*.py")} ^ set(listed)
    assert not unlisted, f"in pages/ or in the sidebar alone: {sorted(unlisted)}"
    number = {name: int(name.partition("_")[0]) for name in listed}
    wrong = [f"{one}, {other}" for one, other in pairwise(listed) if number[one] >= number[other]]
    assert not wrong, f"give it a free number between those of its neighbours in the sidebar: {wrong}"


def test_a_widget_that_starts_from_the_audit_has_no_other_default():
    held = ("start", "start_choice")
    none = ("settled",)
    found = []
    for path in APP_FILES:
        for call in (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)):
            given = {each.arg: each.value for each in call.keywords}
            key = given.get("key")
            if not isinstance(key, ast.Call) or getattr(key.func, "id", "") not in held:
                continue
            for name in {"index", "value", "default"} & given.keys():
                own = given[name]
                is_empty = isinstance(own, ast.Constant) and own.value in (None, 0)
                if not is_empty and getattr(getattr(own, "func", None), "id", "") not in none:
                    found.append(f"{short_name(path)}, line {call.lineno}: {name}")
    assert not found, "its first value stands under its key, as Streamlit warns of two; see\n" + "\n".join(found)
