"""The way through the app: numbered steps with ticks and locks, and the choice among remedies."""

from __future__ import annotations

import pytest

from fairaudit.data import Table
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import ScorePlan
from fairaudit.sections.check import say_remedy_caution
from ui.check.questions import finding_of
from ui.entries import Wanted
from ui.remedies.choosing import against, decides_by_group
from ui.remedies.registry import RELABEL, remedy_pages
from ui.steps import DEEPER, STEPS


def links(app) -> list[str]:
    """The links of the sidebar, without the one to the front page and without their ticks."""
    return [link.label.removesuffix(" :material/check:") for link in app.test.sidebar.get("page_link")][1:]


def locked(app) -> list[str]:
    """What the sidebar names without a link."""
    labels = [f"{number} {step.label}" for number, step in enumerate(STEPS, start=1)]
    named = {caption.value for caption in app.test.sidebar.caption}
    return [label for label in [*labels, *(page.label for page in DEEPER)] if label in named]


def test_steps_open_one_after_the_other(app, decisions):
    app.go("")
    free = [page.label for page in DEEPER if not page.waits_for(app.state)]
    assert links(app) == ["1 Data", *free] and free == ["Check a report"]
    assert locked(app) == [
        "2 Groups",
        "3 Check",
        "4 Report",
        *(page.label for page in DEEPER if page.label not in free),
    ]
    app.upload("t.csv", decisions)
    free = [page.label for page in DEEPER if not page.waits_for(app.state)]
    assert links(app) == ["1 Data", "2 Groups", *free] and "Legal forms" in free and "Errors" not in free
    app.decide("ok", "y")
    free = [page.label for page in DEEPER if not page.waits_for(app.state)]
    assert links(app) == ["1 Data", "2 Groups", "4 Report", *free] and "Errors" in free and "Remedies" not in free
    app.protect("sex = 'F'")
    assert not locked(app)


def test_steps_are_ticked_when_they_are_done(ready):
    assert [step.is_done(ready.state) for step in STEPS] == [True, True, False, False]
    ready.go("Check")
    assert [step.is_done(ready.state) for step in STEPS] == [True, True, True, False]
    ready.protect("sex = 'M'")
    assert not STEPS[2].is_done(ready.state), "another group is another question"


@pytest.mark.parametrize(
    ("wanted", "fitting"),
    [
        (Wanted(), {"relabel", "thresholds", "equalize", "constrain", "rules", "trees"}),
        (Wanted(may_use_group=True), {"relabel", "thresholds", "equalize", "constrain", "rules", "trees"}),
        (Wanted(may_use_group=False), {"relabel", "equalize", "constrain", "rules", "trees"}),
        (Wanted(needs_score=True), {"relabel", "thresholds", "equalize", "constrain"}),
        (Wanted(must_be_read=True), {"rules", "trees"}),
        (Wanted(needs_score=True, must_be_read=True), set()),
    ],
)
def test_what_is_wanted_leaves_the_remedies_that_fit(wanted, fitting):
    assert {page.method for page in remedy_pages() if not against(page, wanted)} == fitting


def test_remedies_differ_by_a_title_and_a_sentence():
    pages = remedy_pages()
    assert [page.title for page in pages] == [say(Message(f"remedy-name-{page.method}")) for page in pages]
    assert len({page.title for page in pages}) == len({page.purpose for page in pages}) == len(pages)


def test_the_page_asks_shows_what_fits_and_says_why_others_do_not(ready):
    ready.go("Remedies")
    drawn = [link.label for link in ready.test.main.get("page_link")]
    assert drawn == [page.title for page in sorted(remedy_pages(), key=lambda page: page.uses_group)]
    assert say(Message("choose-by-group")) in ready.text and "Left out" not in ready.text
    ready.set("segmented_control", "remedies_group", "No")
    assert said("choose-fitting", n=Count(5)) in ready.text
    assert said("choose-out-group", name=Message("remedy-name-thresholds")) in ready.text
    ready.set("segmented_control", "remedies_read", "Yes")
    assert said("choose-fitting", n=Count(2)) in ready.text
    assert said("choose-out-read", name=Phrase("Train to your limits")) in ready.text
    ready.set("segmented_control", "remedies_score", "Yes")
    assert said("choose-none") in ready.text
    ready.go("Data").go("Remedies")
    assert ready.state.wanted == Wanted(may_use_group=False, needs_score=True, must_be_read=True)
    assert said("choose-none") in ready.text


@pytest.mark.parametrize(("features", "by_group"), [(("sex",), True), (("size",), False)])
def test_retraining_decides_by_group_where_its_models_see_the_group(ready, features, by_group):
    ready.state.models = ModelsPlan(features=features, protected="sex = 'F'")
    assert decides_by_group(ready.state, RELABEL) is by_group
    ready.go("Remedies").set("segmented_control", "remedies_group", "No")
    name = Message("remedy-name-relabel")
    assert (said("choose-out-group", name=name) in ready.text) is by_group


def said(key, **args) -> str:
    """A sentence of the catalogue."""
    return say(Message(key, args))


@pytest.mark.parametrize("what", ["score", "said", "decision"])
def test_what_truly_happened_is_not_changed_without_a_caution(ready, what):
    table = ready.state.table.to_pandas().assign(points=range(ready.state.table.n_rows))
    table["reoffended"] = table[ready.state.decision.column]
    ready.state.put_table(Table.from_pandas(table), source="t.csv")
    ready.state.decision, ready.state.protected_columns = ready.state.decision, ()
    if what == "score":
        ready.state.score = ScorePlan(column="points")
    elif what == "said":
        ready.state.decision = ready.state.decision.model_copy(update={"is_outcome": True})
    ready.go("Remedies")
    drawn = [link.label for link in ready.test.main.get("page_link")]
    changes = say(Message("remedy-name-relabel"))
    is_warned = say(Message("choose-changes-facts")) in ready.warnings
    assert (drawn.index(changes), is_warned) == ((0, False) if what == "decision" else (len(drawn) - 1, True))


def warned(app) -> bool:
    """Whether the page warns that similar cases say otherwise than the gap that a remedy is for."""
    said = say_remedy_caution(finding_of(app.state, app.state.entry))
    return said is not None and say(said) in app.warnings


def test_a_gap_that_is_gone_within_strata_is_warned_about_before_a_remedy_is_chosen_and_on_its_page(app):
    app.sample("berkeley_1973").go("Remedies")
    assert warned(app)
    for page in remedy_pages(app.state.decision.kind):
        assert warned(app.go(page.page))
    app.sample("loans").go("Remedies")
    assert not warned(app) and not warned(app.go("Retrain"))


def test_a_gap_that_turns_around_within_strata_is_warned_about_as_such(app, csv):
    people = [("a", "F", "y", 90), ("a", "F", "n", 10), ("a", "M", "y", 640), ("a", "M", "n", 160),
              ("b", "F", "y", 240), ("b", "F", "n", 560), ("b", "M", "y", 20), ("b", "M", "n", 80)]  # fmt: skip
    area, sex, ok = zip(*(row[:3] for row in people for _ in range(row[3])), strict=True)
    app.upload("t.csv", csv(area=area, sex=sex, ok=ok)).decide("ok", "y").protect("sex = 'F'")
    app.state.change_check(strata=("area",))
    assert warned(app.go("Remedies")) and warned(app.go("Retrain"))
