"""What differs between decisions with a good outcome and amounts is asked of the kind of decision alone."""

from __future__ import annotations

import ast
import re

import pytest
from sources import APP_FILES, PACKAGE_FILES, module_name, short_name
from test_imports import height_of

from fairaudit.audit.trying import READING, TRIED
from fairaudit.cli.check import PRINTED
from fairaudit.disclosure.remedies import HIDING
from fairaudit.outcomes import OUTCOMES
from fairaudit.report.remedies import PARTS
from fairaudit.report.terms import TERMS
from fairaudit.sections.check.chapter import NUMBERS
from fairaudit.sections.check.section import EXPORTED
from fairaudit.sections.check.tables import FIGURES
from fairaudit.sections.compare.models import SUMMARY_TABLES
from fairaudit.sections.remedy.tables import REMEDY_TABLES
from fairaudit.study.reading import STUDIES
from ui.check.views import CHECK_VIEWS
from ui.remedies.comparison import COMPARE_VIEWS
from ui.remedies.outcome import REMEDY_VIEWS
from ui.remedies.trees.nodes import VIEWS

TABLES = (
    CHECK_VIEWS, COMPARE_VIEWS, EXPORTED, FIGURES, HIDING, NUMBERS, PARTS, PRINTED, READING, REMEDY_TABLES,
    REMEDY_VIEWS, STUDIES, SUMMARY_TABLES, TERMS, TRIED,
)  # fmt: skip
"""What is done with a decision, by its kind."""
ABOUT_AMOUNTS = re.compile(r"amount|is_amount|amount_remedies|AMOUNTS|Amount\w+|ControlledMeans")
# Whatever their reason, they ask what a plan or a person says, and not what to do about it.
MAY_ASK = {
    "fairaudit/cli/change.py": "there a person says of which kind the decision is",
    "fairaudit/cli/check.py": "there a person says of which kind the decision is",
    "fairaudit/cli/reading.py": "there a person says of which kind the decision is",
    "fairaudit/disclosure/gate.py": "counts behind means and behind shares are tied together in other ways",
    "fairaudit/plan/outcomes.py": "the plan of a decision says of which kind it is",
    "fairaudit/report/json_export.py": "a document has a field for what each kind found, or nothing in it",
    "ui/data/predictions.py": "of an amount nobody asks whether it was decided or happened",
    "ui/data/roles.py": "there a person says of which kind the decision is",
}


def asked_in(path) -> list[int]:
    """Return the lines that ask whether something is about amounts."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            asked = [node.test]
        elif isinstance(node, ast.comprehension):
            asked = node.ifs
        elif isinstance(node, ast.BoolOp) or (
            isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance"
        ):
            asked = [node]
        else:
            continue
        for part in (part for each in asked for part in ast.walk(each)):
            name = part.id if isinstance(part, ast.Name) else part.attr if isinstance(part, ast.Attribute) else ""
            if ABOUT_AMOUNTS.fullmatch(name):
                found.append(part.lineno)
    return sorted(set(found))


@pytest.mark.parametrize("table", TABLES)
def test_each_table_by_kind_holds_all_kinds(table):
    assert list(table) == list(OUTCOMES)


def test_all_kinds_have_their_views():
    assert [views.kind for views in VIEWS] == list(OUTCOMES)


def test_nothing_else_asks_whether_a_decision_is_an_amount():
    wrong = []
    for path in [*PACKAGE_FILES, *APP_FILES]:
        name, module = short_name(path), module_name(path)
        is_low = module.startswith("fairaudit.") and height_of(module) < height_of("fairaudit.outcomes")
        if is_low or name in MAY_ASK or "amounts" in module.split(".") or "amount_" in path.stem:
            continue
        wrong += [f"{name}, line {line}" for line in asked_in(path)]
    assert not wrong, "ask `plan.decision.kind` what differs:\n" + "\n".join(wrong)


def test_the_question_is_found_where_it_is_asked(tmp_path):
    asking = tmp_path / "asking.py"
    asking.write_text("x = 1 if plan.decision.amount else 2\nif isinstance(y, AmountStudy):\n    pass\n", "utf-8")
    assert asked_in(asking) == [1, 2]
