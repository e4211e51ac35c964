"""A remedy is added by its package, its page and one line in each list, and nothing else.

The toy says yes to everybody. It is written into a copy of the tree and goes from a plan to PDF, CSV, JSON, the command
line and its page.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from added_to_a_copy import copy_of_the_tree, in_house, written

from fairaudit.findings import Message, Word
from fairaudit.messages import say

PACKAGES = {
    "fairaudit/remedies/always/__init__.py": '"""Yes to everybody."""\n',
    "fairaudit/remedies/always/plan.py": '''
"""Yes to everybody: the part of a plan that asks for it."""

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.plan.fields import InForm
from fairaudit.remedies.part import RemedyPart


class AlwaysPlan(RemedyPart):
    """Everybody gets the good outcome."""

    method: Literal["always"] = "always"
    reason: str = "none"
    share: Annotated[float, InForm(label="Of how many", widget="slider")] = Field(default=1.0, ge=0, le=1)
''',
    "fairaudit/remedies/always/details.py": '''
"""What saying yes to everybody found."""

from dataclasses import dataclass

from fairaudit.disclosure.fields import fitted, setting


@dataclass(frozen=True, eq=False)
class AlwaysDetails:
    """What saying yes to everybody found."""

    reason: str = setting("Why.")
    n_learned: int = fitted("Training rows.")
    diary: str = "SECRET-DIARY"
''',
    "fairaudit/remedies/always/fit.py": '''
"""Say yes to everybody."""

import numpy as np

from fairaudit.events import Progress
from fairaudit.remedies.always.details import AlwaysDetails
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.fitting import FITTED, JUDGING, TOTAL, Baseline, FittedRemedy, judged


def iter_always(study, plan, name, known):
    yield Progress(JUDGING, FITTED, TOTAL)
    held = study.split.held_out
    details = AlwaysDetails(reason=plan.reason, n_learned=918273645)
    before = Baseline("the decisions", Judged(study.y[held]), study.y[study.split.learning], None)
    tuned = np.ones(len(study.split.tune), dtype=np.int64)
    return judged(
        study,
        plan,
        name,
        before,
        FittedRemedy(None, Judged(np.ones(len(held), dtype=np.int64)), tuned),
        details=details,
        warnings=(),
    )
''',
    "fairaudit/remedies/always/section.py": '''
"""What saying yes to everybody does."""

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.remedies.always.plan import AlwaysPlan
from fairaudit.remedies.section import RemedySection


class AlwaysSection(RemedySection):
    """Yes to everybody."""

    plan = AlwaysPlan

    @property
    def details(self):
        from fairaudit.remedies.always.details import AlwaysDetails

        return AlwaysDetails

    def fit(self, study, plan, name, known):
        from fairaudit.remedies.always.fit import iter_always

        return iter_always(study, plan, name, known)

    def name(self, plan):
        return say(Message("always-name", {"reason": Phrase(plan.reason)}))

    def done(self, finding, facts):
        return say(Message("always-done", {"reason": Phrase(finding.details.reason)}))

    def command_lines(self, finding, facts):
        return ["  " + say(Message("always-line", {"reason": Phrase(finding.details.reason)}))]
''',
    "fairaudit/messages/en/always.ftl": """
remedy-name-always = Yes to everybody
remedy-phrase-always = a yes to everybody
remedy-short-always = Everybody gets the favourable result.
always-name = Yes to everybody ({ $reason })
always-done = Everybody was said yes to, as { $reason }.
always-line = yes, as { $reason }
""",
    "pages/27_Always.py": '''
"""Yes to everybody."""

from fairaudit.remedies.always.plan import AlwaysPlan
from ui.frame import open_page
from ui.remedies import drafts, outcome, trying
from ui.remedies.learning_panel import open_study

state = open_page("Yes to everybody", "What if everybody got it? Do not use it where there is not enough for all.")
study = open_study(state)
usual = AlwaysPlan(reason="there is enough")
drafts.ask(state, usual, "share")
asked = drafts.draft_of(state, usual)
fitted = trying.offer_fit(state, study, "always", asked, label="Fit", nothing="Nothing.")
if fitted is not None:
    outcome.show_outcome(fitted)
    trying.show_ways_on(state, fitted)
''',
}
LISTS = {
    "fairaudit/remedies/plans.py": (
        ("RemedyPlan = Annotated[\n", "from fairaudit.remedies.always.plan import AlwaysPlan\n\n"),
        ("    PlainPlan |", "    AlwaysPlan |"),
    ),
    "fairaudit/catalog.py": (
        ("REMEDIES:", "from fairaudit.remedies.always.section import AlwaysSection\n\n"),
        ("    PlainSection(),", "    AlwaysSection(),\n"),
    ),
    "ui/remedies/registry.py": (
        (
            "REMEDIES = (",
            'ALWAYS = RemedyPage(\n    method="always", work="Saying yes", point="always", file="27_Always.py", '
            'title="Yes to everybody"\n)\n',
        ),
        ("PLAIN, RELABEL,", "ALWAYS, "),
    ),
}
"""What is added to each list, and before what."""


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Path:
    """Return a copy of the tree with the toy in it."""
    return copy_of_the_tree(tmp_path_factory.mktemp("house"), PACKAGES, LISTS)


@pytest.mark.parametrize("hide", [False, True])
def test_a_toy_remedy_goes_from_the_plan_to_every_export(house, hide):
    asked = '\n[[remedies]]\nmethod = "always"\nreason = "there is enough"\n'
    found = written(house, "loans", asked, before="[[remedies]]", hide=hide)
    details = found.result["remedies"]["remedies"][0]["details"]
    assert details == {"reason": "there is enough", "n_learned": None if hide else 918273645}
    assert "Yes to everybody (there is enough)" in found.tables["remedies_summary.csv"]
    assert "Everybody was said yes to, as there is enough." in found.annexes
    assert "  yes, as there is enough\n" in found.printed
    text = found.all_text
    assert "SECRET-DIARY" not in text and "diary" not in text, "a field that is not declared left"
    assert ("918273645" in text) is not hide


def test_a_toy_remedy_has_its_page(house):
    script = """
from streamlit.testing.v1 import AppTest

app = AppTest.from_file("app.py", default_timeout=120).run()
app.button(key="home_sample_loans").click().run()
app.switch_page("pages/27_Always.py").run()
app.slider(key="always_share").set_value(0.5).run()
assert not app.exception, app.exception
app.button(key="always_fit").click().run()
state = app.session_state["fairaudit_state"]
for job in state.jobs.all:
    job.wait(120)
app.run()
assert not app.exception, app.exception
for kind in ("title", "header", "markdown", "caption"):
    for element in getattr(app, kind):
        print(element.value)
"""
    shown = in_house(house, "-c", script).replace(":small[]", "").replace("\\", "")
    assert "Yes to everybody" in shown and say(Message("remedy-headline-one-answer", {"kind": Word("model")})) in shown
