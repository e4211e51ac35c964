"""What a question about errors says, as readings and keys: who is wrongly flagged, and who is wrongly missed."""

from __future__ import annotations

import dataclasses
import re

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit import run
from fairaudit.data.table import Table
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Group, Message, Phrase, Share
from fairaudit.messages import say, say_verdicts
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, NamesPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.sections.errors import errors_chips, read_errors, say_errors
from fairaudit.sections.errors.answering import run_errors
from fairaudit.sections.errors.charts import drawn_groups, errors_chart, errors_chart_note, errors_chart_text
from fairaudit.sections.errors.saying import read_score, say_calibration, say_costs, say_ranking, standing_table

PLAN = AuditPlan(
    data=DataPlan(source="t.csv"),
    decision=OutcomePlan(column="reoffended", favorable=(0,), unfavorable_verb="reoffended"),
    prediction=OutcomePlan(column="flag", favorable=(0,), unfavorable_verb="were rated high risk"),
)


def table_of(groups):
    """Return rows from (flagged of, without the outcome), (missed of, with it) by group."""
    rows = []
    for name, ((flagged, clear), (missed, happened)) in groups.items():
        rows += [(name, 0, int(i < flagged)) for i in range(clear)]
        rows += [(name, 1, int(i >= missed)) for i in range(happened)]
    return pd.DataFrame(rows, columns=["group", "reoffended", "flag"])


def found(groups, plan=PLAN, real_values=None, **asked):
    """Return the answer about these groups."""
    table = Table.from_pandas(table_of(groups), real_values=real_values)
    return run_errors(table, plan, ErrorsPlan(by=("group",), **asked))


MOST_LEAST = {"a": ((500, 1000), (200, 1000)), "b": ((270, 1000), (430, 1000)), "c": ((280, 1000), (420, 1000))}
TWO = {"a": ((500, 1000), (200, 1000)), "b": ((270, 1000), (430, 1000))}
WORSE = {"a": ((500, 1000), (430, 1000)), "b": ((270, 1000), (200, 1000))}
WORST = WORSE | {"c": ((280, 1000), (210, 1000))}
SPLIT = {"a": ((500, 1000), (300, 1000)), "b": ((290, 1000), (600, 1000)), "c": ((260, 1000), (290, 1000))}
ALIKE = {"a": ((2000, 10_000), (2000, 10_000)), "b": ((2010, 10_000), (2010, 10_000))}
ONE = {"a": ((500, 1000), (2000, 10_000)), "b": ((270, 1000), (2010, 10_000))}
SMALL = {"a": ((300, 1000), (300, 1000)), "b": ((230, 1000), (230, 1000))}
FEW = {"a": ((5, 40), (5, 40)), "b": ((8, 40), (4, 40))}
NOBODY = {"a": ((5, 10), (5, 10)), "b": ((8, 10), (4, 10))}


@pytest.mark.parametrize(
    ("groups", "verdicts", "headline"),
    [
        (MOST_LEAST, ("clear_gap", "clear_gap"), "errors-headline-most-least"),
        (TWO, ("clear_gap", "clear_gap"), "errors-headline-more-less"),
        (WORSE, ("clear_gap", "clear_gap"), "errors-headline-more-both"),
        (WORST, ("clear_gap", "clear_gap"), "errors-headline-most-both"),
        (SPLIT, ("clear_gap", "clear_gap"), "errors-headline-two"),
        (ONE, ("clear_gap", "no_gap_above_tolerance"), "errors-headline-more"),
        (ALIKE, ("no_gap_above_tolerance",) * 2, "errors-headline-alike-two"),
        (SMALL, ("gap_size_unclear",) * 2, "errors-headline-more-perhaps-small"),
        (FEW, ("too_few_to_tell",) * 2, "errors-headline-too-few"),
        (NOBODY, ("too_few_to_tell",) * 2, "errors-headline-too-few"),
    ],
)
def test_both_verdicts_decide_chips_and_headline(groups, verdicts, headline):
    finding = found(groups)
    said = say_errors(finding)
    assert read_errors(finding).verdicts == verdicts and said.headline.key == headline
    assert len(said.also) == len(set(verdicts)) - 1
    if verdicts[0] == verdicts[1]:
        assert said.verdict.key == f"verdict-{verdicts[0].replace('_', '-')}"


def test_the_names_of_errors_do_not_turn_with_what_is_called_positive():
    first, turned = (found(TWO, positive=positive) for positive in ("favorable", "unfavorable"))
    assert read_errors(first) == read_errors(turned) and say_errors(first) == say_errors(turned)
    flagged, missed = read_errors(first).errors
    assert (flagged.rate_of("a").share, missed.rate_of("a").share) == (0.5, 0.2)
    assert (flagged.worst, missed.worst) == ("a", "b")


def test_the_lead_gives_the_shares_of_the_same_two_groups_for_both_errors():
    flagged, missed = say_errors(found(MOST_LEAST)).lead
    assert missed.key == "errors-lead-missed-same"
    shares = [(dict(message.args)["share"], dict(message.args)["rest"]) for message in (flagged, missed)]
    assert shares == [(Share(0.5), Share(0.27)), (Share(0.2), Share(0.43))]


FOUR = {"a": (508, 3_966), "b": (408, 5_101), "c": (191, 1_445), "few": (0, 38)}
"""12.8, 8.0, 13.2 and 0.0 %: the groups furthest apart say least."""


@pytest.mark.parametrize(
    ("tolerance", "verdict"),
    [(0.0, "clear_gap"), (0.02, "clear_gap"), (0.05, "gap_size_unclear"), (0.2, "no_gap_above_tolerance")],
)
def test_the_verdict_is_that_of_all_groups_and_clear_is_beyond_the_tolerance(tolerance, verdict):
    finding = found({name: ((20, 1_000), each) for name, each in FOUR.items()}, tolerance=tolerance)
    missed = read_errors(finding).errors[1]
    assert missed.verdict == verdict
    # The named pair is the clearest one, and nobody is said to be worst off where the highest rate is not clear.
    assert (missed.worst, missed.other) == ((None, None) if verdict == "no_gap_above_tolerance" else ("c", "b"))
    readings = {row[0]: row[-1] for row in standing_table(finding, 1).rows}
    assert (readings["b"] == say_reading("clear-gap")) is (verdict == "clear_gap")


def say_reading(name):
    """Return a reading of the catalogue."""
    from fairaudit.findings import Message

    return say(Message(f"reading-{name}"))


def test_errors_that_chance_alone_makes_are_no_gap():
    assert read_errors(found({"a": ((48, 400), (48, 400)), "b": ((52, 400), (52, 400)),
                              "c": ((10, 60), (10, 60))})).verdicts == ("too_few_to_tell",) * 2  # fmt: skip


def test_a_group_that_is_not_known_is_no_extreme_where_two_others_are_left():
    groups = {name: ((n, 200), (0, 200)) for name, n in (("Outside", 68), ("Born here", 30), ("Not known", 10))}
    flagged = read_errors(found(groups, real_values={"group": ["Not known"]})).errors[0]
    assert (flagged.worst, flagged.other) == ("Outside", "Born here")
    del groups["Born here"]
    assert read_errors(found(groups, real_values={"group": ["Not known"]})).errors[0].other == "Not known"


def test_groups_of_too_few_people_stand_last_and_have_no_share():
    finding = found(MOST_LEAST | {"few": ((2, 5), (1, 4))})
    assert drawn_groups(finding)[-1] == "few" and drawn_groups(finding)[0] == "a"
    assert "few" not in {rate.group for error in read_errors(finding).errors for rate in error.compared}
    assert errors_chart_note(finding) is None


def test_the_group_that_is_asked_about_is_drawn_first_and_called_by_its_name():
    checks = (CheckPlan(protected="\"group\" = 'b'", protected_name="bees", others_name="ants"),)
    finding = found(TWO, PLAN.model_copy(update={"checks": checks}))
    assert drawn_groups(finding)[0] == "b" and dict(finding.names.groups) == {"a": "ants", "b": "bees"}
    assert dict(say_errors(finding).headline.args)["group"] == Group("ants")


def test_groups_are_called_by_the_plurals_of_the_audit_or_by_column_and_value():
    named = PLAN.model_copy(update={"names": NamesPlan(groups={"group": {"a": "ants"}})})
    args = dict(say_errors(found(TWO, named)).headline.args)
    assert args["group"] == Group("ants") and args["other"].key == "name-people-with"


@pytest.mark.parametrize(
    ("decision", "happened", "not_happened"),
    [
        ({"unfavorable_verb": "reoffended"}, Phrase("reoffended"), Phrase("did not reoffend")),
        ({"verb": "were not arrested"}, Phrase("were arrested"), Phrase("were not arrested")),
        ({}, Phrase("reoffended"), Phrase("did not reoffend")),
    ],
)
def test_people_are_called_by_what_happened(decision, happened, not_happened):
    plan = PLAN.model_copy(update={"decision": OutcomePlan(column="reoffended", favorable=(0,), **decision)})
    if not decision:
        plan = plan.model_copy(update={"decision": OutcomePlan(column="reoffended", favorable=("no",))})
        rows = table_of(TWO).assign(reoffended=lambda t: t["reoffended"].map({0: "no", 1: "yes"}))
        names = run_errors(rows, plan, ErrorsPlan(by=("group",))).names
    else:
        names = found(TWO, plan).names
    assert (names.happened, names.not_happened) == (happened, not_happened)


def test_a_verb_without_an_opposite_is_replaced_by_the_outcome_in_words():
    worded = OutcomePlan(column="again", favorable=(0,), meaning="no offence", other_meaning="an offence")
    plan = PLAN.model_copy(update={"decision": worded})
    rows = table_of(TWO).rename(columns={"reoffended": "again"})
    names = run_errors(rows, plan, ErrorsPlan(by=("group",))).names
    assert [dict(part.args)["value"] for part in (names.happened, names.not_happened)] == [
        Phrase("an offence"), Phrase("no offence"),
    ]  # fmt: skip


def test_where_nothing_can_be_compared_it_is_said_why():
    same = {"a": ((0, 50), (0, 50)), "b": ((0, 50), (0, 50))}
    assert say_errors(found(same)).headline.key == "errors-headline-repeats"
    assert say_errors(found({"a": ((5, 50), (5, 50))})).headline.key == "errors-headline-one-group"
    uncut = PLAN.model_copy(update={"prediction": None, "score": ScorePlan(column="flag")})
    assert say_errors(found(TWO, uncut)).headline.key == "errors-headline-no-prediction"


def test_errors_against_a_decision_are_said_to_be_that():
    decided = PLAN.decision.model_copy(update={"is_outcome": False})
    said = say_errors(found(TWO, PLAN.model_copy(update={"decision": decided})))
    assert [message.key for message in said.caution] == ["errors-against-decision"]
    assert [message.key for message in say_errors(found(TWO)).caution] == ["errors-not-why"]


def test_beside_hidden_groups_nobody_is_said_to_be_worst_off():
    plan = PLAN.model_copy(
        update={"errors": (ErrorsPlan(by=("group",)),), "small_cells": SmallCellsPlan(mask=True, minimum=10)}
    )
    rows = table_of(MOST_LEAST | {"x": ((3, 40), (17, 40))})
    [whole] = run(plan, table=rows).errors
    [shown] = exported(run(plan, table=rows)).errors
    assert say_errors(whole).headline.key == "errors-headline-most-least"
    said, reading = say_errors(shown), read_errors(shown)
    assert reading.has_hidden and not any(error.is_most or error.is_least for error in reading.errors)
    assert "errors-hidden" in {message.key for message in said.caution} or reading.state == "not_shown"
    assert "most" not in said.headline.key
    worst, reference = (say(Message(f"errors-reading-{name}")) for name in ("worst", "reference"))
    for finding, said_worst in ((whole, True), (shown, False)):
        cells = [cell for row in standing_table(finding, 1).rows for cell in row]
        assert (worst in cells, reference in cells) == (said_worst, not said_worst)


def test_a_clear_gap_stands_beside_the_answer_of_the_same_rows():
    plan = PLAN.model_copy(
        update={
            "checks": (CheckPlan(protected="\"group\" = 'a'"), CheckPlan(protected="\"group\" = 'a'", where="flag = 1"))
        }
    )
    result = run(plan, table=table_of(TWO))
    chips = [errors_chips(check, [found(TWO), found(ALIKE)]) for check in result.checks]
    assert [len(each) for each in chips] == [1, 0] and chips[0][0].sort == "gap"


NEAR = {"a": ((300, 1000), (500, 1000)), "b": ((190, 1000), (500, 1000)), "c": ((295, 995), (500, 1000))}


def test_most_often_is_said_only_where_there_is_a_gap_to_each_other_group():
    finding = found(NEAR)
    flagged = read_errors(finding).errors[0]
    assert (flagged.worst, flagged.other, flagged.is_most) == ("a", "b", False)
    assert flagged.rate_of("c").verdict == "no_gap_above_tolerance"
    assert say_errors(finding).headline.key == "errors-headline-more"
    assert read_errors(found(WORST)).errors[0].is_most


@pytest.mark.parametrize("groups", [ALIKE, FEW])
def test_where_there_is_no_gap_no_group_is_worse_off(groups):
    finding = found(groups)
    errors = read_errors(finding).errors
    assert [error.worse_off for error in errors] == [None, None]
    for error in errors:
        assert {rate.verdict for rate in error.groups} == {error.verdict}
    readings = {row[4] for row in standing_table(finding, 1).rows} | {row[8] for row in standing_table(finding, 1).rows}
    assert readings == {say_reading(errors[0].verdict.replace("_", "-"))}
    assert read_errors(found(TWO)).errors[0].worse_off == "a"


@pytest.mark.parametrize(
    ("missed", "key"),
    [(((50, 100), (52, 100)), "errors-sure-small-one"), (((2000, 10_000), (2010, 10_000)), "errors-sure-small-one")],
)
def test_how_sure_one_gap_is_stands_beside_what_is_said_of_the_other_error(missed, key):
    finding = found({"a": ((120, 800), missed[0]), "b": ((80, 800), missed[1])})
    assert "gap_size_unclear" in read_errors(finding).verdicts and say_errors(finding).lead[-1].key == key
    alike = found({"a": (ALIKE["a"][0], (50, 100)), "b": (ALIKE["b"][0], (52, 100))})
    assert say_errors(alike).lead[-1].key == "errors-sure-open-one"


def test_errors_cost_nobody_most_where_chance_may_explain_it_or_a_group_is_hidden():
    few = found({"a": ((20, 100), (50, 100)), "b": ((19, 100), (52, 100))}, cost_false_negative=5.0)
    assert say_costs(few)[0].key == "errors-costs-range"
    plan = PLAN.model_copy(
        update={"errors": (ErrorsPlan(by=("group",)),), "small_cells": SmallCellsPlan(mask=True, minimum=10)}
    )
    rows = table_of(WORSE | {"x": ((3, 40), (1, 40))})
    [whole] = run(plan, table=rows).errors
    [shown] = exported(run(plan, table=rows)).errors
    assert say_costs(whole)[0].key == "errors-costs"
    said = say_costs(shown)
    assert read_errors(shown).has_hidden and [message.key for message in said] in (["errors-costs-range"], [])


def test_errors_cost_those_most_for_whom_they_cost_most():
    finding = found(TWO, positive="unfavorable", cost_false_positive=2.0)
    args = dict(say_costs(finding)[0].args)
    # 500 wrong flags at 2 and 200 misses at 1, of 2,000.
    assert args["first"].value == pytest.approx(0.6) and (args["one"].value, args["another"].value) == (2.0, 1.0)
    turned = dict(say_costs(found(TWO, positive="favorable", cost_false_positive=2.0))[0].args)
    assert (turned["one"].value, turned["another"].value) == (1.0, 2.0)


def scored(shares):
    """Return rows with a score of two values, and how many of 1,000 with each reoffended, by group."""
    rows = [
        (group, score, int(i < n))
        for group, (low, high) in shares.items()
        for score, n in ((1, low), (2, high))
        for i in range(1_000)
    ]
    return pd.DataFrame(rows, columns=["group", "score", "reoffended"])


@pytest.mark.parametrize(
    ("shares", "verdict", "key"),
    [
        ({"a": (200, 600), "b": (205, 605)}, "no_gap_above_tolerance", "errors-score-same"),
        ({"a": (300, 700), "b": (200, 600)}, "clear_gap", "errors-score-differs"),
        ({"a": (250, 650), "b": (200, 600)}, "gap_size_unclear", "errors-score-differs"),
    ],
)
def test_whether_a_score_means_the_same_follows_from_people_with_the_same_score(shares, verdict, key):
    plan = PLAN.model_copy(
        update={"prediction": None, "score": ScorePlan(column="score", higher_is_favorable=False, cut=2)}
    )
    for positive in ("favorable", "unfavorable"):
        finding = run_errors(scored(shares), plan, ErrorsPlan(by=("group",), positive=positive))
        reading = read_score(finding)
        assert reading.verdict == verdict and say_calibration(finding)[0].key == key
        sign = 1 if reading.group == "a" else -1
        assert reading.gap * sign == pytest.approx((shares["a"][0] - shares["b"][0]) / 1_000, abs=1e-9)
        assert say_ranking(finding)[0].key == "errors-ranking"


rates = st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.thorough
@settings(max_examples=15)
@given(st.dictionaries(st.sampled_from(["a", "b", "N/A", "d"]), st.tuples(rates, rates), min_size=2))
def test_any_answer_can_be_said_and_drawn(groups):
    # Both outcomes are there.
    finding = found(groups | {"e": ((0, 1), (0, 1))}, real_values={"group": ["N/A"]})
    said = say_errors(finding)
    assert say_verdicts(said) and 2 <= len(say(said.headline).split()) <= 24
    for message in said.lead:
        assert len(re.findall(r"\d[\d,.]*", say(message))) <= 3, say(message)
    if read_errors(finding).state == "compared":
        for narrow in (False, True):
            errors_chart(finding, narrow=narrow).to_dict()
        assert "nan" not in errors_chart_text(finding) and "{" not in say(said.lead)
        assert len(standing_table(finding, 1).rows) == len(finding.errors.groups)


def test_what_is_said_of_a_hidden_finding_reveals_no_share():
    finding = found(TWO)
    counts = finding.errors.counts.astype(object)
    counts[["tp", "fp", "tn", "fn"]] = None
    hidden = finding.errors.intervals.astype(object).assign(value=None, n=None, low=None, high=None)
    said = say_errors(
        dataclasses.replace(finding, errors=dataclasses.replace(finding.errors, counts=counts, intervals=hidden))
    )
    assert said.verdict.key == "verdict-not-shown" and not said.lead


def test_that_a_row_has_no_gap_above_the_limit_allows_for_all_groups_and_both_errors():
    flagged = [(540, 1800), (540, 1800), (513, 1800), (506, 1800), (500, 1800), (100, 700)]
    one, *_ = read_errors(found({f"g{i}": (of, (100, 400)) for i, of in enumerate(flagged)})).errors
    assert one.verdict == "clear_gap"
    # By themselves, g3 and g4 are within 5 points of g0 at 90 %; beside all other pairs and the other error, not.
    assert {one.rate_of(group).verdict for group in ("g3", "g4")} == {"too_few_to_tell"}
    larger = {f"g{i}": ((10 * k, 10 * n), (100, 400)) for i, (k, n) in enumerate(flagged)}
    one, *_ = read_errors(found(larger)).errors
    assert [one.rate_of(f"g{i}").verdict for i in (1, 2, 5)] == ["no_gap_above_tolerance"] * 2 + ["clear_gap"]
