"""Data asks once what hidden cells of counts stand for; Check gives bounds, and all else needs exact counts."""

from __future__ import annotations

import pytest

from fairaudit.columns import PartialReading
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.outcomes import OutcomePlan

TABLE = b"""race,sex,selected,applicants
White,M,1021,2310
White,F,801,1870
Black,M,231,640
Black,F,246,702
Islander,M,<5,12
"""


@pytest.fixture
def published(app):
    app.hold("published.csv", TABLE)
    app.go("Data")
    return app


def take(app):
    app.button(key="data_counts_use").click().run()
    app.button(key="data_printed_use").click().run()
    assert not app.exception


def test_what_hidden_cells_stand_for_is_asked_with_a_proposal(published):
    published.button(key="data_counts_use").click().run()
    assert not published.exception
    assert published.state.table.source.options.counts is None
    low, *_ = asked = [each for each in published.number_input if each.key.startswith(("data_hidden", "data_rounded"))]
    assert [each.value for each in asked] == [0, 4, 1]
    low.set_value(1).run()
    published.button(key="data_printed_use").click().run()
    assert not published.exception
    assert published.state.table.partial_counts == PartialReading(1, (("<5", (1, 4)),))
    assert published.state.plan().data.hidden == {"<5": (1, 4)}
    published.button(key="data_counts_back").click().run()
    assert published.state.table.partial_counts is None
    assert published.button(key="data_counts_use") is not None


def test_check_gives_bounds_and_other_pages_need_exact_counts(published):
    take(published)
    published.state.change_check(protected="race <> 'White'")
    published.go("Check")
    assert not published.exception
    assert say(Message("check-lead-bounds")) in published.text
    assert say(Message("check-exact-counts")) in published.text
    published.state.change_check(strata=("sex",))
    published.go("Check")
    assert not published.exception
    # The sentence of the answer and that of the tab say it alike.
    similar = say(Message("name-similar-values", {"columns": Phrase("sex")}))
    assert published.text.count(similar[:1].upper() + similar[1:]) >= 2
    for page in ("Errors", "Worst_groups", "Explain", "Change", "Searches", "Remedies", "Legal_forms"):
        published.go(page)
        assert not published.exception and say(Message("page-needs-exact")) in published.text, page


def test_groups_says_rows_of_the_table_and_no_people(published):
    take(published)
    published.state.change_check(protected="race <> 'White'")
    published.go("Groups")
    assert not published.exception
    assert say(Message("groups-row-all", {"n": Count(5), "of": Word("rows")})) in published.text


LONG = b"""area,sex,result,n
N,M,granted,1200
N,M,refused,800
N,F,granted,900
N,F,refused,1100
S,M,granted,640
S,M,refused,410
S,F,granted,<10
S,F,refused,15
"""


def test_rows_for_each_decision_are_asked_about_and_compared(app):
    app.hold("long.csv", LONG)
    app.state.decision = OutcomePlan(column="result", favorable=("granted",))
    app.go("Data")
    take(app)
    app.state.change_check(protected="sex = 'F'", strata=("area",), compare=(("area",),))
    app.go("Data")
    assert not app.exception and say(Message("data-headline-named", {"verb": Phrase("were granted")})) in app.text
    app.go("Check")
    assert not app.exception and say(Message("check-lead-bounds")) in app.text
    assert "needs exact counts" in app.text
    app.go("Report")
    assert not app.exception


def test_rounded_numbers_may_be_said_to_be_exact(app):
    rows = [f"{area},{sex},{5 * (3 + area)}" for area in range(12) for sex in "FM"]
    app.hold("rounded.csv", "\n".join(["area,sex,n", *rows]).encode())
    app.go("Data")
    app.button(key="data_counts_use").click().run()
    assert app.state.table.source.options.counts is None
    app.button(key="data_printed_exact").click().run()
    assert not app.exception
    assert app.state.table.source.options.rounded_to == 1 and app.state.table.partial_counts is None
