"""A question is added by its package, its page and a line in each list, and nothing else.

The toy asks how many values a column has. It is written into a copy of the tree and goes from a plan to PDF, CSV, JSON,
the command line, its page and the page Report, and keeps the rules of imports.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from added_to_a_copy import copy_of_the_tree, in_house, written
from sources import ROOT

pytestmark = pytest.mark.thorough

PACKAGES = {
    "fairaudit/sections/howmany/__init__.py": '"""How many values a column has."""\n',
    "fairaudit/sections/howmany/plan.py": '''
"""How many values a column has: the part of a plan that asks for it."""

from pydantic import Field

from fairaudit.plan.parts import QuestionPart


class HowManyPlan(QuestionPart):
    """How many values a column has."""

    column: str = Field(description="The column.")

    @property
    def named_columns(self) -> set[str]:
        """The columns that are named."""
        return {self.column}
''',
    "fairaudit/sections/howmany/finding.py": '''
"""How many values a column has: what was found."""

from dataclasses import dataclass

from fairaudit.disclosure.fields import figure, setting
from fairaudit.sections.howmany.plan import HowManyPlan


@dataclass(frozen=True)
class HowManyFinding:
    """How many values a column has."""

    plan: HowManyPlan = setting("The question.")
    n_values: int | None = figure("How many values.")
''',
    "fairaudit/sections/howmany/section.py": '''
"""How many values a column has, as a kind of question."""

from fairaudit.disclosure.fields import Field
from fairaudit.disclosure.hidden import without_figures
from fairaudit.events import Finished, Progress
from fairaudit.findings import Count, Message, Phrase, Said
from fairaudit.messages import say
from fairaudit.present.blocks import Heading, Paragraph, TableBlock
from fairaudit.sections.howmany.finding import HowManyFinding
from fairaudit.sections.opening import opening_of
from fairaudit.sections.section import Section


class HowManySection(Section[HowManyFinding]):
    """How many values a column has."""

    kind = "howmany"
    is_hidden_whole = True
    exported = HowManyFinding

    def answer(self, table, plan, number, sources):
        asked = plan.howmany[number]
        yield Progress("Counting", 0, 1)
        yield Finished(HowManyFinding(asked, len(table.counts([asked.column]))))

    def hide(self, findings, counts):
        return tuple(map(without_figures, findings))

    def say(self, finding):
        key, args = "howmany-headline", {"column": Phrase(finding.plan.column), "n": Count(finding.n_values or 0)}
        return Said(Message("howmany-verdict"), Message(key if finding.n_values else f"{key}-hidden", args))

    def picture(self, finding, number):
        return None

    def tables(self, finding, number):
        columns = (Field("column", "column", "text", "The column."), Field("n", "values", "count", "How many."))
        row = (finding.plan.column, "" if finding.n_values is None else finding.n_values)
        return [TableBlock(f"howmany_{number}", "How many values", columns, (row,))]

    def opening(self, finding, number, result):
        return opening_of(self.kind, "How many", self.say(finding))

    def blocks(self, finding, number, result):
        return [Heading(1, "How many"), Paragraph(say(self.say(finding).headline)), *self.tables(finding, number)]

    def lines(self, finding):
        return [say(self.say(finding).headline)]
''',
    "fairaudit/messages/en/howmany.ftl": """
question-name-howmany = How many values
howmany-verdict = Counted
howmany-headline = the column { $column } has { $n } values
howmany-headline-hidden = how many values the column { $column } has is not shown
""",
    "pages/10_How_many.py": '''
"""How many values a column has."""

import streamlit as st

from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.sections.howmany.plan import HowManyPlan
from fairaudit.sections.howmany.section import HowManySection
from ui.frame import need, open_page
from ui.text import literal
from ui.widgets import start, tick_in_report

state = open_page("How many", "How many values has a column?")
need(state)
columns = list(state.table.columns)
first = next((asked.column for asked in state.howmany), columns[0])
asked = HowManyPlan(column=st.selectbox("Column", columns, key=start("howmany_column", first)))
state.howmany = [asked]
tick_in_report("howmany_in_report", state.left_out, "howmany")
section = HowManySection()
plan = AuditPlan.model_validate(dict(state.plan(fingerprint=False)) | {"howmany": (asked,)})
*_, last = section.answer(state.table, plan, 0, None)
st.markdown(literal(*section.lines(last.result)))
''',
}
LISTS = {
    "fairaudit/plan/audit_plan.py": (
        ("Opens = Literal[", "from fairaudit.sections.howmany.plan import HowManyPlan\n\n"),
        (
            '    "inspections",\n    "rankings",\n',
            '    "howmany",\n',
        ),
        (
            "    models: ModelsPlan | None = ",
            '    howmany: tuple[HowManyPlan, ...] = Field(default=(), description="Counts.")\n',
        ),
    ),
    "fairaudit/audit/result.py": (
        (
            "@dataclass(frozen=True, eq=False)\nclass AuditResult",
            "from fairaudit.sections.howmany.finding import HowManyFinding\n\n\n",
        ),
        (
            "    remedies: RemediesFinding | None = figure(",
            '    howmany: tuple[HowManyFinding, ...] = figure("One for each count.", default=())\n',
        ),
    ),
    "fairaudit/catalog.py": (
        ("SECTIONS:", "from fairaudit.sections.howmany.section import HowManySection\n\n"),
        ("    ErrorsSection(),", "    HowManySection(),\n"),
    ),
    "ui/session_audit.py": (
        ("from fairaudit.presets.plan import", "from fairaudit.sections.howmany.plan import HowManyPlan\n"),
        ("    explanations: list[", "    howmany: list[HowManyPlan] = field(default_factory=list)\n"),
    ),
    "ui/steps.py": (("    Deeper(path=CHOOSER", '    Deeper(path="pages/10_How_many.py", label="How many"),\n'),),
}
"""What is added to each list, and before what."""


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Path:
    """Return a copy of the tree with the toy in it."""
    return copy_of_the_tree(tmp_path_factory.mktemp("house"), PACKAGES, LISTS)


@pytest.mark.parametrize("hide", [False, True])
def test_a_toy_question_goes_from_the_plan_to_every_export(house, hide):
    asked = '\n[[howmany]]\ncolumn = "income_band"\n'
    found = written(house, "loans", asked, before="[[remedies]]", hide=hide)
    n_values = found.result["howmany"][0]["n_values"]
    said = f"the column income_band has {n_values} values"
    if hide:
        said = "how many values the column income_band has is not shown"
    assert (n_values is None) is hide
    assert said in found.printed and said in found.annexes and "howmany_1.csv" in found.tables


def test_a_toy_question_is_asked_on_its_page_and_goes_into_the_report_and_a_saved_audit(house):
    script = """
from streamlit.testing.v1 import AppTest

from fairaudit import read_table

app = AppTest.from_file("app.py", default_timeout=120).run()
app.button(key="home_sample_loans").click().run()
app.switch_page("pages/10_How_many.py").run()
app.selectbox(key="howmany_column").select("income_band").run()
assert not app.exception, app.exception
for element in app.markdown:
    print(element.value)
state = app.session_state["fairaudit_state"]
saved = state.plan()
assert [asked.column for asked in saved.howmany] == ["income_band"], saved

app.switch_page("pages/4_Report.py").run()
app.checkbox(key="report_mask").check().run()
assert not app.exception, app.exception
assert "How many values" in app.checkbox(key="report_howmany").label
assert any("How many values" in element.value for element in app.caption), app.caption
assert "How many values" in next(each for each in app.selectbox if "howmany" in each.key).options
app.button(key="report_leave_unseen").click().run()
assert not app.exception, app.exception
assert not state.plan().howmany

state.open_plan(saved)
assert state.plan().howmany == saved.howmany

state.put_table(read_table("sample_data/recidivism.csv"), source="recidivism.csv")
assert not state.howmany, state.howmany
"""
    assert "has" in in_house(house, "-c", script)


def test_a_toy_question_keeps_the_rules_of_imports(house):
    for name in ("house", "support"):
        shutil.copytree(ROOT / "tests" / name, house / "tests" / name)
    shutil.copy(ROOT / "pyproject.toml", house)
    in_house(house, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/house/test_imports.py", "-k", "one_way")
