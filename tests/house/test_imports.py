"""Imports run one way, and the core knows nothing of the app."""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib

from sources import APP_FILES, PACKAGE_FILES, ROOT, code_of, module_name, normal

# Lowest first. A module may import from its own layer and from lower ones; `*` stands for one name.
LAYERS = (
    (
        "fairaudit.defaults",
        "fairaudit.errors",
        "fairaudit.events",
        "fairaudit.files",
        "fairaudit.interrupts",
        "fairaudit.late",
        "fairaudit.processes",
        "fairaudit.settings",
        "fairaudit.version",
        "fairaudit.work",
        "fairaudit.disclosure.fields",
        "fairaudit.disclosure.said",
        "fairaudit.findings",
        "fairaudit.messages",
    ),
    ("fairaudit.columns",),
    ("fairaudit.data", "fairaudit.conditions"),
    ("fairaudit.measure",),
    ("fairaudit.solver", "fairaudit.estimators"),
    ("fairaudit.subgroups",),
    ("fairaudit.outcomes",),
    ("fairaudit.plan.parts", "fairaudit.plan.fields", "fairaudit.plan.measuring", "fairaudit.plan.models"),
    ("fairaudit.remedies.*.plan", "fairaudit.remedies.part", "fairaudit.remedies.plans", "fairaudit.sections.*.plan"),
    tuple(f"fairaudit.presets.{name}" for name in ("plan", "lines", "status", "items", "preset", "fitting")),
    ("fairaudit.plan",),
    ("fairaudit.study",),
    (
        *(f"fairaudit.presets.{name}" for name in ("findings", "open_form", "pay_filling", "filling")),
        "fairaudit.sections.*.finding",
    ),
    ("fairaudit.audit",),
    ("fairaudit.present",),
    ("fairaudit.disclosure",),
    ("fairaudit.sections", "fairaudit.remedies", "fairaudit.presets"),
    ("fairaudit.catalog",),
    ("fairaudit.sections.compare", "fairaudit.sections.remedy", "fairaudit.presets.recording"),
    (
        "fairaudit.disclosure.gate",
        *(f"fairaudit.audit.{name}" for name in ("running", "trying")),
    ),
    ("fairaudit.report",),
    ("fairaudit.faces", "fairaudit.showing"),
    ("fairaudit.cli", "fairaudit.__main__"),
)
HEIGHT = {module: height for height, modules in enumerate(LAYERS) for module in modules}
PAGES_MAY_USE = {"fairaudit", "streamlit", "ui", "__future__"}


def height_of(name: str) -> int | None:
    """Return the layer of a module, or of the nearest package above it that has one."""
    parts = name.split(".")
    for end in range(len(parts), 1, -1):
        for named in (parts[:end], [*parts[: end - 2], "*", parts[end - 1]]):
            if (height := HEIGHT.get(".".join(named))) is not None:
                return height
    return None


def test_every_module_has_a_place():
    homeless = [module_name(path) for path in PACKAGE_FILES if height_of(module_name(path)) is None]
    assert homeless == ["fairaudit"], "name the new module in LAYERS"


def test_imports_run_one_way():
    wrong = [
        f"{module_name(path)}, line {line}, imports {name}"
        for path in PACKAGE_FILES
        if (own := height_of(module_name(path))) is not None
        for line, name in code_of(path).imports
        if name.startswith("fairaudit.") and (height_of(name) or 0) > own
    ]
    assert not wrong, "\n".join(wrong)


def test_no_two_files_import_each_other_directly_or_around_also_not_for_types():
    files = [*PACKAGE_FILES, *APP_FILES]
    modules = {module_name(path) for path in files}
    imported = {
        module_name(path): {name if name in modules else name.rpartition(".")[0] for _, name in code_of(path).imports}
        for path in files
    }
    # What imports nothing of the rest, or is imported by nothing of it, is in no circle; go on until none such is left.
    rest = {module: names - {module} for module, names in imported.items()}
    while True:
        both = rest.keys() & set().union(*rest.values())
        inside = {module: names & both for module, names in rest.items() if module in both and names & both}
        if inside == rest:
            break
        rest = inside
    circles = [f"{module} imports {', '.join(sorted(names))}" for module, names in sorted(rest.items())]
    assert not circles, "move what they share to a file that both may import:\n" + "\n".join(circles)


def test_the_core_does_not_know_the_app():
    above = {"streamlit", "ui", "pages", "app"}
    wrong = [
        f"{module_name(path)}, line {line}, imports {name}"
        for path in PACKAGE_FILES
        for line, name in code_of(path).imports
        if name.split(".")[0] in above
    ]
    assert not wrong, "\n".join(wrong)


def test_there_is_one_door_to_scip():
    through = {
        path.relative_to(ROOT).as_posix()
        for path in [*PACKAGE_FILES, *APP_FILES]
        for _, name in code_of(path).imports
        if name.split(".")[0] == "pyscipopt"
    }
    assert through and all(path.startswith("fairaudit/solver/") for path in through), through


def test_a_page_only_draws():
    pages = sorted((ROOT / "pages").glob("*.py"))
    wrong = [
        f"{path.name}, line {line}, imports {name}"
        for path in pages
        for line, name in code_of(path).imports
        if name.split(".")[0] not in PAGES_MAY_USE | sys.stdlib_module_names
    ]
    assert pages and not wrong, "lift the work to the core or to ui/:\n" + "\n".join(wrong)


def test_everything_imported_is_listed_as_a_requirement():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    # Drivers of engines come with extras.
    lines += [line for extra in project["optional-dependencies"].values() for line in extra]
    listed = {normal(re.split(r"[<>=\[; ]", line)[0]) for line in lines if line and not line.startswith("#")}
    packages = importlib.metadata.packages_distributions()
    unlisted = {}
    for path in [*PACKAGE_FILES, *APP_FILES]:
        for _, name in code_of(path).imports:
            top = name.split(".")[0]
            if top in sys.stdlib_module_names or top in {"fairaudit", "ui"}:
                continue
            if not {normal(found) for found in packages.get(top, [top])} & listed:
                unlisted[top] = path.name
    assert not unlisted


def test_a_kind_of_remedy_needs_no_other_one():
    """What several kinds share stands beside them; any kind may be compared with a plain model."""
    homes = ("fairaudit.remedies.", "ui.remedies.")
    lists = ("fairaudit.remedies.plans", "fairaudit.catalog", "ui.remedies.registry")
    kinds = {path.parent.name for path in PACKAGE_FILES if path.match("remedies/*/plan.py")} - {"plain"}
    wrong = [
        f"{name}, line {line}, imports {imported}"
        for path in [*PACKAGE_FILES, *(ROOT / "ui").rglob("*.py")]
        for name in [module_name(path)]
        for line, imported in code_of(path).imports
        if imported.startswith(homes)
        and (kind := imported.split(".")[2]) in kinds
        and name not in lists
        and not f"{name}.".startswith(tuple(f"{home}{kind}." for home in homes))
    ]
    assert kinds and not wrong, "\n".join(wrong)
