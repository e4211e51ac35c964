"""A measure is added by its function, its place in a finding and its words, and nothing else.

The toy is how many errors there are for each hit. It is written into a copy of the tree and goes from a plan to PDF,
CSV, JSON and its page; of a group whose counts are hidden it is hidden.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from added_to_a_copy import copy_of_the_tree, in_house, written

pytestmark = pytest.mark.thorough

ADDED = {
    "fairaudit/measure/rates.py": (
        (
            "def binary_labels(",
            '''def errors_per_hit(counts: pd.DataFrame, worth: float) -> pd.DataFrame:
    """Return the errors for each true positive, NaN without one."""
    return pd.DataFrame(
        {"per_hit": ratio(rows_in(counts, ("fp", "fn")), worth * rows_in(counts, ("tp",)))},
        index=counts.set_index("group").index,
    )


''',
        ),
    ),
    "fairaudit/measure/__init__.py": (
        ("group_gaps, group_metrics", "errors_per_hit, "),
        ('    "group_gaps",', '    "errors_per_hit",\n'),
    ),
    "fairaudit/plan/questions.py": (
        (
            "class SubgroupsPlan(QuestionPart)",
            '    worth_hit: float = Field(default=1.0, gt=0, description="What a hit is worth.")\n\n\n',
        ),
    ),
    "fairaudit/audit/result.py": (
        (
            "    names: ErrorNames = setting(",
            """    hits: pd.DataFrame | None = figure(
        "One row a group: the errors for each hit.",
        columns(
            group=column(str, "The group.", "group", "group"),
            per_hit=column(float, "Errors for each hit.", "errors a hit", "number", digits=4),
        ),
        label="Errors for each hit",
    )
""",
        ),
    ),
    "fairaudit/sections/errors/answering.py": (
        ("average_error_cost, check_errors", "errors_per_hit, "),
        (
            "        names=error_names(",
            "        hits=None if rates is None else errors_per_hit(rates.counts, errors.worth_hit),\n",
        ),
    ),
    "fairaudit/sections/errors/saying.py": (
        (
            "BY_GROUP: Final",
            '''def say_hits(finding: ErrorsFinding) -> tuple[Message, ...]:
    """Say how many errors there are for each hit in the group where they are most."""
    shown = require(finding.hits)["per_hit"].dropna()
    most = {"most": Amount(float(shown.max()), 4)}
    return () if shown.empty else (Message("errors-hits", most, reveals=("hits",)),)


''',
        ),
        ('    "costs": say_costs,', '    "hits": say_hits,\n'),
    ),
    "fairaudit/messages/en/errors.ftl": (
        ("errors-costs-alike", "errors-hits = There are up to { $most } errors for each hit.\n"),
    ),
    "ui/check/errors.py": (
        (
            "    if not by:\n",
            """    worth = left.number_input(
        "A hit is worth", min_value=0.1, key=start(f"errors_worth{each}", present.worth_hit if present else 1.0)
    )
""",
        ),
        ("        cost_false_positive=cost_positive,\n", "        worth_hit=worth,\n"),
    ),
}
"""What is added to each file, and before what."""


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Path:
    """Return a copy of the tree with the toy in it."""
    return copy_of_the_tree(tmp_path_factory.mktemp("house"), {}, ADDED)


def test_a_measure_touches_eight_files_at_most():
    assert len(ADDED) <= 8


@pytest.mark.parametrize("hide", [False, True])
def test_a_toy_measure_goes_from_the_plan_to_every_export(house, hide):
    asked = '\n[[errors]]\nby = ["race", "charge_degree"]\nworth_hit = 2.0\n'
    found = written(house, "recidivism", asked, before="[[errors]]", hide=hide)
    errors = found.result["errors"][0]
    assert errors["plan"]["worth_hit"] == 2.0
    counts = {row["group"]: row for row in errors["errors"]["counts"]}
    hidden = [row["group"] for row in counts.values() if row["tp"] is None]
    assert bool(hidden) is hide
    for row in errors["hits"]:
        own = counts[row["group"]]
        if row["group"] in hidden or not own["tp"]:
            assert row["per_hit"] is None
        else:
            assert row["per_hit"] == pytest.approx((own["fp"] + own["fn"]) / (2 * own["tp"]))
    known = [row["per_hit"] for row in errors["hits"] if row["per_hit"] is not None]
    rows = found.tables["errors_1_hits.csv"].splitlines()
    assert len(rows) == len(errors["hits"]) + 1 and "errors_1_hits" in found.tables["data_dictionary.csv"]
    assert f"There are up to {max(known):.4f} errors for each hit." in found.annexes
    assert "Errors for each hit" in found.annexes


def test_a_toy_measure_stands_on_the_page(house):
    script = """
from streamlit.testing.v1 import AppTest

app = AppTest.from_file("app.py", default_timeout=120).run()
app.button(key="home_sample_recidivism").click().run()
app.switch_page("pages/5_Errors.py").run()
app.number_input(key="errors_worth").set_value(3.0).run()
assert not app.exception, app.exception
assert app.session_state["fairaudit_state"].errors[0].worth_hit == 3.0
for element in app.markdown:
    print(element.value)
"""
    assert "errors for each hit" in in_house(house, "-c", script)
