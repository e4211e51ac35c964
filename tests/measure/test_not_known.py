"""Who is counted in a group, or as decided, although a value says that this is not known."""

from __future__ import annotations

import sqlite3
from unicodedata import normalize

import pandas as pd
import pytest
from shown import shows
from sweeps import part_of

from fairaudit import (
    check_controlled_fairness,
    check_strata,
    compare_periods,
    explain_gap,
    find_subgroups,
    outcome_test,
    run,
    threshold_test,
    veil_of_darkness,
)
from fairaudit.columns import ReadOptions
from fairaudit.conditions import Condition
from fairaudit.data import Table
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.roles import make_outcome
from fairaudit.data.unknown_values import USUAL_WORDS, ended_undecided, is_no_decision, is_no_group
from fairaudit.disclosure.gate import exported
from fairaudit.errors import OpenValues, OpenValuesError
from fairaudit.measure import check_errors, check_group_means, check_groups, check_means, check_scores, check_similar
from fairaudit.measure.not_known import (
    columns_not_known,
    decisions_not_known,
    find_not_known,
    groups_not_known,
    meaning_of,
    open_values,
)
from fairaudit.measure.periods import compare_spans, spans_of
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ErrorsPlan, ExplanationPlan, SubgroupsPlan
from fairaudit.plan.roles import outcome_of
from fairaudit.present.blocks import Note
from fairaudit.present.cases import not_known_sentence
from fairaudit.report.json_export import to_json
from fairaudit.sections.change.section import ChangeSection
from fairaudit.sections.check.answering import answer_check
from fairaudit.sections.errors.section import ErrorsSection
from fairaudit.sections.explain.section import ExplainSection
from fairaudit.sections.worst.section import WorstSection

RACES = ["Black"] * 40 + ["White"] * 50 + ["Decline to state"] * 12 + ["Unknown"] * 3 + [None] * 5
N = len(RACES)
PAY = OutcomePlan(column="pay", amount=True)


def table_of(race=RACES, **columns) -> Table:
    frame = {"race": race, "sex": (["F", "M"] * N)[:N], "hired": (["yes", "no"] * N)[:N], "pay": range(N)}
    return Table.from_pandas(pd.DataFrame(frame | columns))


def found(protected: str, *, where=None, table: Table | None = None, good=("yes",), decision=None, columns=()):
    """What is found, and that an answer refuses what of it is open, as nobody has said what it means."""
    table = table_of() if table is None else table
    decision = decision or OutcomePlan(column="hired", favorable=good)
    within, condition = table.condition(where), table.condition(protected)
    counts = table.counts({"side": condition, "open": ~Condition.equals(decision.column, None, table)}, where=within)
    known = counts[counts["open"].astype(bool)].groupby("side")["n"].sum()
    outcome = decision.column if decision.amount else outcome_of(table, decision)
    sizes = (known.get(True, 0), known.get(False, 0))
    parts = find_not_known(table, outcome, where=within, protected=condition, sizes=sizes, columns=columns)
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=decision)
    check = CheckPlan(protected=protected, where=where, compare=tuple((column,) for column in columns))
    if asked := open_values(parts):
        with pytest.raises(OpenValuesError) as refused:
            answer_check(table, plan, check)
        assert {each.column for each in refused.value.questions} <= {each.column for each in asked}
    else:
        assert answer_check(table, plan, check).not_known == parts
    return parts


def test_people_who_decline_to_state_are_shown_in_the_group_that_counts_them():
    [rest] = found("race = 'Black'")
    assert (rest.column, rest.values, rest.counted) == ("race", ("Decline to state", "Unknown"), "group")
    assert (rest.n, rest.n_protected, rest.n_reference, rest.groups) == (15, 0, 15, ("reference",))
    [protected] = found("race <> 'White'")
    assert (protected.n_protected, protected.n_reference, protected.groups) == (15, 0, ("protected",))
    [both] = found("race = 'Black' OR sex = 'F'")
    assert (both.n_protected, both.n_reference, both.groups) == (8, 7, ("protected", "reference"))


def test_the_filter_that_is_offered_leaves_out_these_rows_and_no_others():
    table = table_of()
    [part] = found("race = 'Black'", table=table)
    assert table.count(part.leave_out) == N - part.n
    assert found("race = 'Black'", table=table, where=part.leave_out) == ()
    [part] = found(
        "race = 'Black'", table=table_of(race=["Black", "White", "Unknown"] * 10, sex="F", hired="yes", pay=1)
    )
    assert part.leave_out == "race <> 'Unknown'"


@pytest.mark.parametrize(
    "protected, where",
    [
        ("sex = 'F'", None),
        ("race = 'Black'", "race IN ('Black', 'White')"),
        ("race IN ('Black', 'Unknown', 'decline to state', 'Decline to state')", None),
        ("lower(race) IN ('black', 'unknown', 'decline to state')", None),
        ("race NOT IN ('Unknown', 'Decline to state')", None),
        ("race IN ('Unknown', 'Decline to state')", None),
        ("race IS NOT NULL AND pay < 3", "pay < 50"),
    ],
)
def test_nothing_is_said_where_nobody_is_counted_by_mistake(protected, where):
    assert found(protected, where=where) == ()


def test_a_value_that_the_condition_sets_aside_with_others_is_shown():
    [part] = found("race NOT IN ('White', 'Unknown')")
    assert (part.values, part.n_protected, part.n_reference) == (("Decline to state", "Unknown"), 12, 3)
    [part] = found("race IN ('Black', 'Unknown')")
    assert (part.values, part.n_reference, part.leave_out) == (
        ("Decline to state",),
        12,
        "race <> 'Decline to state' OR race IS NULL",
    )


def test_a_value_is_only_chosen_in_the_spelling_that_it_has():
    [part] = found("race <> 'White' AND race <> 'unknown'")
    assert (part.values, part.n_protected) == (("Decline to state", "Unknown"), 15)
    plan = OutcomePlan(column="hired", favorable_when="hired <> 'no' AND hired <> 'pending'")
    table = table_of(hired=["yes", "no", "Pending"] * (N // 3) + ["no"] * (N % 3))
    [part] = decisions_not_known(table, outcome_of(table, plan))
    assert (part.values, part.counted, part.n) == (("Pending",), "good", N // 3)


def test_rows_of_a_value_are_shown_all_or_not_at_all():
    table = table_of()
    [part] = found("race IN ('Black', 'Unknown') AND sex = 'F'", table=table)
    assert (part.n, part.n_protected, part.n_reference) == (15, 2, 13)
    assert table.count(part.leave_out) == N - part.n


def test_a_group_of_nothing_but_unknown_people_is_shown_unless_the_condition_names_them():
    [part] = found("race = 'Black'", table=table_of(race=["Black"] * 60 + ["Unknown"] * 50))
    assert (part.n, part.groups) == (50, ("reference",))
    [part] = found("NOT race IN ('Black', 'White')")
    assert (part.n, part.groups) == (15, ("protected",))


def test_missing_values_stay_even_where_a_thousand_others_are_more_frequent():
    race = [f"c{i // 2}" for i in range(2_400)] + ["Unknown"] * 20 + [None]
    table = Table.from_pandas(pd.DataFrame({"race": race, "sex": (["F", "M"] * 2_000)[: len(race)], "hired": "yes"}))
    [part] = groups_not_known(table, table.condition("race = 'c1' OR sex = 'F'"), sizes=(2, 2_000))
    assert table.count(part.leave_out) == len(race) - part.n == len(race) - 20


@pytest.mark.parametrize("text", ["un\0known", "unknown" + "." * 60_000])
def test_a_value_that_no_condition_can_hold_does_not_stop_the_check(text):
    assert found("race = 'Black'", table=table_of(race=["Black"] * 60 + ["White"] * 30 + [text] * 20)) == ()


def test_more_spellings_than_a_condition_can_hold_do_not_stop_the_check():
    race = ["Black", "White"] * 700
    race += ["unknown" + f"{i:090b}".replace("0", ".").replace("1", "-") for i in range(900)]
    frame = pd.DataFrame({"race": race, "sex": "F", "hired": (["yes", "no"] * N * 20)[: len(race)]})
    [part] = found("race = 'Black'", table=Table.from_pandas(frame))
    assert part.n == len(part.values) == 100


@pytest.mark.campaign
def test_a_filter_that_leaves_no_room_for_more_does_not_stop_the_check():
    where = "pay <> 1" + " AND pay <> 1" * 3_845
    [part] = found("race = 'Black'", where=where)
    [same] = found("race = 'Black'", where=where, decision=PAY)
    assert (same.values, same.n) == (part.values, part.n)
    assert (part.values, part.n) == (("Decline to state", "Unknown"), 15)


def test_an_undecided_decision_is_shown_with_what_it_counts_as():
    hired = ["yes", "no", "pending", "no", "Unknown"] * (N // 5)
    [part] = found("sex = 'F'", table=table_of(hired=hired))
    assert (part.column, part.values, part.counted) == ("hired", ("Unknown", "pending"), "not_good")
    assert (part.n, part.n_protected + part.n_reference, part.groups) == (44, 44, ("protected", "reference"))
    table = table_of(hired=hired)
    outcome = OutcomePlan(column="hired", favorable_when="hired <> 'no'")
    [part] = found("sex = 'F'", table=table, decision=outcome)
    assert (part.counted, part.n) == ("good", 44)
    assert table.count(part.leave_out) == N - 44


def test_a_value_that_is_chosen_as_the_good_outcome_is_no_oversight():
    table = table_of(race="White", hired=["no", "pending", "pending", "no"] * 27 + ["no", "no"])
    assert found("sex = 'F'", table=table, good=("pending",)) == ()
    assert [part.counted for part in found("sex = 'F'", table=table, good=("no",))] == ["not_good"]


def test_cases_that_ended_undecided_are_shown_by_themselves_where_other_outcomes_are_left():
    hired = ["yes", "no", "Withdrawn", "pending", "ingetrokken"] * (N // 5)
    parts = found("sex = 'F'", table=table_of(hired=hired))
    assert [(part.values, part.n) for part in parts] == [(("pending",), 22), (("Withdrawn", "ingetrokken"), 44)]
    assert shows(not_known_sentence(parts[1]), "ended-lead", column="'hired'")
    assert parts[1].leave_out == "hired NOT IN ('Withdrawn', 'ingetrokken')"
    assert found("sex = 'F'", table=table_of(hired=["active", "cancelled"] * (N // 2)), good=("active",)) == ()
    paid = ["paid", "partly paid", "cancelled", "lapsed", "paid"] * (N // 5)
    assert found("sex = 'F'", table=table_of(hired=paid), good=("paid", "partly paid")) == ()
    chosen = found("sex = 'F'", table=table_of(hired=hired), good=("Withdrawn",))
    assert [part.values for part in chosen] == [("pending",), ("ingetrokken",)]


@pytest.mark.parametrize(
    "value",
    [
        "candidate withdrew", "WITHDREW", "Application withdrawn by the applicant", "Antrag zurückgezogen",
        normalize("NFD", "Antrag zurückgezogen"), "Bewerbung zurückgezogen", "Démission du candidat", "S'est désistée",
        "se retira", "Solicitud retirada", "domanda ritirata", "heeft zich teruggetrokken", "desistiu", "återtagen",
        "søknad trukket", "hakija perui", "wniosek wycofany", "žádost stažena", "visszalépett", "s-a retras",
        "File closed for incompleteness", "Closed - incomplete", "Purchased loan", "Loan purchased by the institution",
        "Application cancelled by the applicant", "Case transferred", "Transferred to another agency", "open",
        "Case still open", "Application on hold", "Awaiting documents", "being processed",
    ],
)  # fmt: skip
def test_cases_that_someone_withdrew_are_known_in_the_languages_of_the_words(value):
    assert ended_undecided(value) and not is_no_decision(value)
    [part] = found("sex = 'F'", table=table_of(hired=["yes", "no", value, "no", value] * (N // 5)))
    assert (part.values, part.n) == ((value,), 44)


@pytest.mark.parametrize(
    "value",
    [
        "retired", "retire", "retiree", "withdraw", "withdrawal", "Rückzug", "démission", "rezygnacja", "retirar",
        "offer withdrawn", "licence cancelled", "withdrawn by employer", "case closed", "opened", "open account",
        "purchased by customer", "transferred to prison", "approved but not accepted", "dismissed", "application",
        "Preapproval request denied", "closed", "not open", "completed", "loan",
    ],
)  # fmt: skip
def test_words_that_are_near_to_them_are_not_taken_for_them(value):
    assert not ended_undecided(value) and not is_no_decision(value)


ACTIONS = {
    "1": "Loan originated", "2": "Application approved but not accepted", "3": "Application denied",
    "4": "Application withdrawn by applicant", "5": "File closed for incompleteness", "6": "Purchased loan",
    "7": "Preapproval request denied", "8": "Preapproval request approved but not accepted",
}  # fmt: skip


@pytest.mark.parametrize("said", ["not_known", "real_values", None])
@pytest.mark.parametrize("by", ["label", "code"])
def test_labels_that_say_that_nobody_decided_are_asked_about_before_a_gap_is_given(said, by):
    frame = pd.DataFrame({"action": [1 + i % 8 for i in range(800)], "sex": ["F"] * 500 + ["M"] * 300})
    undecided = [code if by == "code" else ACTIONS[code] for code in ("4", "5", "6")]
    how = {} if said is None else {said: {"action": undecided}}
    table = Table.from_pandas(frame, labels={"action": ACTIONS}, **how)
    asked = {"decision": "action", "favorable": [1, 2, 8], "protected": "sex = 'F'"}
    if said is None:
        with pytest.raises(OpenValuesError) as error:
            check_controlled_fairness(table, **asked)
        [each] = error.value.questions
        assert (each.meaning, each.proposed) == ("undecided", "not_known")
        assert each.values == tuple(sorted(ACTIONS[code] for code in ("4", "5", "6")))
        return
    found = check_controlled_fairness(table, **asked)
    left = frame[~frame["action"].isin([4, 5, 6])] if said == "not_known" else frame
    good = left["action"].isin([1, 2, 8])
    for side, n, positives in zip(
        (found.protected, found.reference),
        *(each.groupby(left["sex"]).sum() for each in (good | True, good)),
        strict=True,
    ):
        assert (side.n, side.positives) == (n, positives)
    assert found.undecided == len(frame) - len(left)
    assert [part.is_said for part in found.not_known] == ([] if said == "not_known" else [True])


def test_only_rows_with_a_decision_are_counted_as_the_check_does():
    hired = [None if i >= 100 else "yes" if i % 2 else "no" for i in range(N)]
    [part] = found("race = 'Black'", table=table_of(hired=hired))
    assert (part.n, part.values) == (10, ("Decline to state",))
    pay = [None if i >= 100 else float(i) for i in range(N)]
    [part] = found("race = 'Black'", table=table_of(pay=pay), decision=PAY)
    assert (part.n, part.groups) == (10, ("reference",))


def test_before_anyone_is_protected_decisions_are_shown_without_groups():
    table = table_of(hired=["yes", "pending"] * (N // 2))
    [part] = decisions_not_known(table, outcome_of(table, OutcomePlan(column="hired", favorable=("yes",))))
    assert (part.n, part.n_protected, part.n_reference, part.groups) == (N // 2, None, None, ())
    [part] = groups_not_known(table, table.condition("race = 'Black'"), sizes=(40, 65))
    assert part.n == 15


def test_words_that_may_be_an_answer_are_not_taken_for_unknown():
    for text in ("Other", "none", "None", "0", "NA", "not applicable", "-", "No", "Two or more", "unknown father"):
        assert not is_no_group(text), text
    for text in ("declined", "Refused", "no response", "not reported", "withheld", "none", "-", "0", "rejected"):
        assert not is_no_decision(text), text
    for text in ("Decline to state", "DECLINE-TO-STATE", " unknown ", "Not specified", "?", "N/A", "n.a.", "", "  "):
        assert is_no_group(text), text
    for text in ("k. A.", "k.A.", "Unbekannt", "keine Angabe", "non renseigné", "NS/NC", "onbekend", "nie podano"):
        assert is_no_group(text), text
    for text in ("KA", "ND", "N.V.", "N.C.", "N.D.", "Nonso", "no sabe", "no consta", "Kanada", "sonstige", "autre"):
        assert not is_no_group(text), text
    for text in ("keine Antwort", "sans réponse", "no contesta", "in behandeling", "nicht angegeben", "N.V."):
        assert not is_no_decision(text), text
    for text in ("in Bearbeitung", "EN COURS", "pendiente", "k. A."):
        assert is_no_decision(text), text
    for text in ("pending", "UNKNOWN", "Not yet decided", "?", ""):
        assert is_no_decision(text), text
    assert {word for word in USUAL_WORDS if not is_no_group(word)} == {"na", "none", "not applicable", "-", "--"}


def test_ordinary_numbers_and_dates_are_never_taken_for_unknown():
    race = [1, 0, 6] * 36 + [1, 1]
    assert found("race = 0", table=table_of(race=race)) == ()
    days = pd.Timestamp("1999-09-09") + pd.to_timedelta(range(N), "D")
    assert found("race = DATE '1999-09-09'", table=table_of(race=days)) == ()


@pytest.mark.parametrize("code", [-1, 99, 999, 8888])
def test_a_number_far_from_all_others_may_mean_not_known(code):
    ages = [20 + i % 20 for i in range(N - 6)] + [code] * 6
    table = table_of(race=ages)
    [part] = found("race >= 30", table=table)
    assert (part.values, part.n, meaning_of(part)) == ((code,), 6, "perhaps")
    assert table.count(part.leave_out) == N - 6
    assert found("race >= 30", table=table, where=part.leave_out) == ()
    assert found(f"race >= 30 AND race <> {code}", table=table)[0].n_protected == 0


@pytest.mark.parametrize(
    "code", ["8888", "NA", "*", "(null)", "Race Not Available", "*Free Form Text Only*", "*Not Available*"]
)
def test_a_code_among_words_is_shown_and_said_to_be_sure_or_not(code):
    race = ["Black"] * 40 + ["White"] * 50 + [code] * (N - 90)
    [part] = found("race <> 'White'", table=table_of(race=race))
    assert (part.values, part.n_protected) == ((code,), N - 90)
    assert meaning_of(part) == ("perhaps" if code in ("8888", "NA", "*") else "not known")


@pytest.mark.parametrize("total", ["Total", "All Races", "Insgesamt", "Total général", "both sexes"])
def test_a_row_that_adds_others_up_is_shown_apart(total):
    race = ["Black"] * 40 + ["White"] * 50 + ["Unknown"] * 5 + [total] * (N - 95)
    unknown, added = found("race = 'Black'", table=table_of(race=race))
    assert (unknown.values, added.values) == (("Unknown",), (total,))
    assert (meaning_of(unknown), meaning_of(added), added.n_reference) == ("not known", "total", N - 95)


def test_numbers_among_numbers_written_as_text_are_no_codes():
    race = ["77", "88", "99"] * (N // 3) + ["88"] * (N % 3)
    assert found("race = '77'", table=table_of(race=race)) == ()


def test_a_code_that_makes_a_group_of_its_own_is_shown():
    table = table_of(race=["A", "B", "NA", "Total", "Unknown"] * (N // 5))
    parts = found("sex = 'F'", table=table, columns=["race"])
    assert [(part.counted, part.values, part.n) for part in parts] == [
        ("group", ("Unknown",), 22),
        ("group", ("NA",), 22),
        ("group", ("Total",), 22),
    ]


def test_an_amount_that_is_a_code_is_shown():
    pay = [1_000 + i for i in range(N - 3)] + [99_999] * 3
    [part] = found("race = 'A'", table=table_of(race=["A", "B"] * (N // 2), pay=pay), decision=PAY)
    assert (part.counted, part.values, part.n) == ("amount", (99_999,), 3)


def test_a_plan_is_refused_until_codes_of_groups_decision_and_prediction_are_answered():
    n = 400
    frame = pd.DataFrame({"race": ["A", "B", "B", "Unknown"] * (n // 4), "year": [1] * 200 + [2] * 200})
    frame["hired"] = ["yes", "no", "no", "yes", "no"] * (n // 5)
    frame.loc[:9, "hired"] = "NA"
    frame["said"] = frame["hired"].where(frame.index % 7 > 0, "(null)")
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="hired", favorable=("yes",)),
        prediction=OutcomePlan(column="said", favorable=("yes",)),
        errors=(ErrorsPlan(by=("race",)),),
        changes=(ChangePlan(protected="race = 'A'", column="year", cuts=(2,)),),
    )
    asked: dict[str, tuple[str, ...]] = {}
    while True:
        answered = plan.model_copy(update={"data": plan.data.model_copy(update={"not_known": dict(asked)})})
        try:
            result = run(answered, table=Table.from_pandas(frame))
            break
        except OpenValuesError as refused:
            new = {each.column: each.values for each in refused.questions}
            assert not set(new) & set(asked)
            asked |= new
    assert asked == {"hired": ("NA",), "said": ("(null)", "NA"), "race": ("Unknown",)}
    assert result.not_known == ()
    assert {*result.errors[0].errors.metrics.index} == {"A", "B", "missing"}


def test_values_are_asked_for_once():
    table = table_of()
    asked = []
    values = table.values
    table.values = lambda column, **how: asked.append(column) or values(column, **how)
    for _ in range(2):
        found("race = 'Black'", table=table)
        found("race = 'White'", table=table)
    assert sorted(asked) == ["hired", "race", "sex"]


CODED = pd.DataFrame(
    {
        "race": ["Black"] * 60 + ["White"] * 60 + ["Total"] * 20,
        "hired": ["yes", "no"] * 70,
        "guess": ["yes", "no", "no", "yes"] * 35,
        "score": list(range(10)) * 14,
        "area": ["a", "a", "b", "b"] * 35,
        "pay": list(range(140)),
        "find": ["yes", "no", "no", "no"] * 35,
        "hour": [18.0, 18.5] * 70,
    }
)
HIRED = {"decision": "hired", "favorable": "yes"}
JUDGED = {"outcome": "hired", "favorable": "yes"}
BLACK = {"protected": "race = 'Black'"}
LATER = {"compare_periods": {"where": "race <> 'Total'"}}
SEARCHED = {"searched": "hired = 'yes'", "found": "find = 'yes'", "signal": "discriminant"}
LOOKED = {"acted": "hired = 'yes'", "found": "find = 'yes'"}
LIGHT = {"light": "guess = 'yes'", "time": "hour"}
ANSWERS = {
    "check_controlled_fairness": lambda data, **more: check_controlled_fairness(data, **HIRED, **BLACK, **more),
    "check_strata": lambda data, **more: check_strata(data, **HIRED, **BLACK, strata="area", **more).pooled,
    "check_means": lambda data, **more: check_means(data, decision="pay", **BLACK, **more),
    "check_errors": lambda data, **more: check_errors(data, **JUDGED, prediction="guess = 'yes'", by="race", **more),
    "check_scores": lambda data, **more: check_scores(data, **JUDGED, score="score", by="race", **more),
    "find_subgroups": lambda data, **more: find_subgroups(data, **HIRED, protected=["race"], min_rows=5, **more),
    "explain_gap": lambda data, **more: explain_gap(data, **HIRED, **BLACK, controls="area", **more),
    "compare_periods": lambda data, **more: compare_periods(data, CODED, **HIRED, **BLACK, **more),
    "check_groups": lambda data, **more: check_groups(data, **HIRED, by="race", **more),
    "check_group_means": lambda data, **more: check_group_means(data, decision="pay", by="race", **more),
    "check_similar": lambda data, **more: check_similar(data, decision="pay", **BLACK, columns="area", **more),
    "veil_of_darkness": lambda data, **more: veil_of_darkness(data, group="race", **LIGHT, **more),
    "veil_of_darkness by a condition": lambda data, **more: veil_of_darkness(
        data, group="race = 'Black'", **LIGHT, **more
    ),
    "outcome_test": lambda data, **more: outcome_test(data, **LOOKED, group="race", **more),
    "outcome_test by a condition": lambda data, **more: outcome_test(data, **LOOKED, group="race = 'Black'", **more),
    "threshold_test": lambda data, **more: threshold_test(data, group="race", location="area", **SEARCHED, **more),
}


@pytest.mark.parametrize("name", part_of(ANSWERS, set(ANSWERS) - {"threshold_test"}, rest="thorough"))
def test_each_function_refuses_totals_until_it_is_said_what_they_are(name):
    with pytest.raises(OpenValuesError, match="--leave-out") as refused:
        ANSWERS[name](CODED)
    assert refused.value.questions == (OpenValues("race", ("Total",), "total", "left_out"),)
    left_out = ANSWERS[name](Table.from_pandas(CODED, left_out={"race": ["Total"]}), **LATER.get(name, {}))
    assert getattr(left_out, "not_known", ()) == ()
    if name != "compare_periods":
        real = ANSWERS[name](Table.from_pandas(CODED, real_values={"race": ["Total"]}))
        assert getattr(real, "not_known", ()) == ()


def test_rows_that_were_asked_about_before_are_not_asked_about_again():
    table = table_of(hired=["yes", "no", "pending", "no", "Unknown"] * (N // 5))
    assert find_not_known(table, "pay", protected=table.condition("race = 'Black'"))
    table.values_are_said = True
    assert find_not_known(table, "pay", protected=table.condition("race = 'Black'")) == ()
    assert check_controlled_fairness(table, **HIRED, **BLACK).not_known == ()


def test_amounts_beyond_whole_numbers_hide_no_code():
    data = CODED.assign(pay=[1e60 * (i + 1) for i in range(130)] + [-1.0] * 10)
    with pytest.raises(OpenValuesError) as refused:
        check_means(data, decision="pay", **BLACK)
    assert [(each.column, each.values, each.meaning) for each in refused.value.questions] == [
        ("race", ("Total",), "total"),
        ("pay", ("-1",), "amount"),
    ]


def test_one_of_both_tables_of_a_change_is_enough():
    clean = CODED[CODED["race"] != "Total"]
    for tables in ((clean, CODED), (CODED, clean)):
        with pytest.raises(OpenValuesError):
            compare_periods(*tables, **HIRED, **BLACK)


def test_a_line_of_periods_is_refused_where_one_of_them_holds_totals():
    table = Table.from_pandas(CODED.assign(year=[2020, 2021, 2022, 2023] * 35))
    with pytest.raises(OpenValuesError):
        compare_spans(spans_of(table, "year", [2021, 2022]), **HIRED, **BLACK)


def test_among_short_codes_na_is_proposed_as_a_group_and_among_words_as_not_known():
    for others, proposed in ((["W", "B"], "real_values"), (["White", "Black"], "not_known")):
        race = [others[0]] * 50 + [others[1]] * 40 + ["NA"] * (N - 90)
        [asked] = open_values(found(f"race = '{others[1]}'", table=table_of(race=race)))
        assert (asked.values, asked.proposed, asked.out) == (("NA",), proposed, "not_known")


def test_among_numbers_na_is_proposed_as_not_known():
    score = ["10", "20", "30", "40"] * 20 + ["NA"] * 20
    table = Table.from_pandas(pd.DataFrame({"score": score, "hired": "yes"}))
    [asked] = open_values(columns_not_known(table, ["score"], says="value"))
    assert (asked.values, asked.proposed) == (("NA",), "not_known")


def test_what_a_person_said_is_a_value_is_one():
    table = Table.from_pandas(pd.DataFrame({"race": RACES, "hired": "yes"}), real_values={"race": ["Unknown"]})
    [part] = groups_not_known(table, table.condition("race = 'Black'"), sizes=(40, 65))
    assert part.values == ("Decline to state",)


@pytest.mark.parametrize("minimum", [None, 25])
def test_the_chapters_of_errors_and_follow_ups_say_it_and_no_count_where_counts_are_hidden(minimum):
    plan = AuditPlan(
        data=DataPlan(source="t.csv", real_values={"hired": ("withdrawn",)}),
        decision=OutcomePlan(column="hired", favorable=("yes",)),
        prediction=OutcomePlan(column="guess", favorable=("yes",)),
        errors=(ErrorsPlan(by=("race",)),),
        subgroups=(SubgroupsPlan(protected=("race",), min_rows=5),),
        explanations=(ExplanationPlan(**BLACK, controls=({"column": "area", "reason": "They differ."},)),),
        changes=(ChangePlan(**BLACK, column="score", cuts=("5",)),),
        small_cells=SmallCellsPlan() if minimum is None else SmallCellsPlan(mask=True, minimum=minimum),
    )
    data = CODED.assign(
        race=CODED["race"].replace({"Total": "Asian"}), hired=(["yes"] * 3 + ["no"] * 3 + ["withdrawn"]) * 20
    )
    result = exported(run(plan, table=Table.from_pandas(data)))
    chapters = [
        section.blocks(section.found(result)[0], 1, result)
        for section in (ErrorsSection(), WorstSection(), ExplainSection(), ChangeSection())
    ]
    said = [[b.text for b in blocks if isinstance(b, Note) and "'withdrawn'" in b.text] for blocks in chapters]
    assert [len(texts) for texts in said] == ([1, 1, 1, 1] if minimum is None else [1, 0, 0, 0])
    assert all(
        text.startswith("20 rows have" if minimum is None else "Some rows have") for [text] in filter(None, said)
    )
    assert ("20 rows have" in to_json(result)) is (minimum is None)


def test_the_only_value_that_is_not_good_is_a_decision_and_no_code():
    table = Table.from_pandas(pd.DataFrame({"promoted": [1] * 56 + [-1] * 62, "race": ["a", "b"] * 59}))
    assert decisions_not_known(table, make_outcome(table, "promoted", 1)) == ()
    three = Table.from_pandas(pd.DataFrame({"promoted": [1] * 56 + [0] * 60 + [-1] * 2}))
    [part] = decisions_not_known(three, make_outcome(three, "promoted", 1))
    assert (part.values, part.n) == ((-1,), 2)


TWO = {"protected": "sex = 2"}
OF_CODES = {
    "check": lambda t: check_controlled_fairness(t, **HIRED, **TWO),
    "strata": lambda t: check_strata(t, **HIRED, **TWO, strata="area"),
    "means": lambda t: check_means(t, decision="pay", **TWO),
    "groups": lambda t: check_groups(t, **HIRED, by="sex"),
    "group means": lambda t: check_group_means(t, decision="pay", by="sex"),
    "similar": lambda t: check_similar(t, decision="pay", **TWO, columns=["area"]),
    "errors": lambda t: check_errors(t, **JUDGED, prediction="guess = 'yes'", by="sex"),
    "explain": lambda t: explain_gap(t, **HIRED, **TWO, controls=["area"]),
    "worst": lambda t: find_subgroups(t, **HIRED, columns=["area"], protected=["sex"], min_rows=5),
    "change": lambda t: compare_spans(spans_of(t, "pay", [60]), **HIRED, **TWO),
    "searches": lambda t: outcome_test(t, acted="pay IS NOT NULL", found="guess = 'yes'", group="sex"),
}


def coded_in_numbers(engine: str, tmp_path) -> dict:
    frame = pd.DataFrame(
        {
            "sex": [1, 2, 1, 2, 1, 9] * 20,
            "area": ["n", "n", "s"] * 40,
            "hired": ["yes", "no", "no", "yes", "yes"] * 24,
            "guess": ["yes", "no", "yes", "yes"] * 30,
            "pay": [1.5 * i for i in range(120)],
        }
    )
    if engine in ("numbers", "codes"):
        codes = {"codes": ["sex"]} if engine == "codes" else {}
        return {
            said: Table.from_pandas(frame, **codes, **{said: {"sex": ["9"]}} if said else {}) for said in ("", *SAID)
        }
    with sqlite3.connect(tmp_path / "t.sqlite") as held:
        frame.to_sql("t", held, index=False)
    url = f"sqlite:///{tmp_path / 't.sqlite'}"
    options = {said: ReadOptions(codes=("sex",), **{said: (("sex", ("9",)),)} if said else {}) for said in ("", *SAID)}
    return {said: connect_table(url, table="t", options=each) for said, each in options.items()}


SAID = ("not_known", "real_values", "left_out")


@pytest.mark.parametrize("engine", ["numbers", "codes", "sqlite"])
def test_a_last_code_of_a_group_is_asked_about_once_for_every_question(engine, tmp_path):
    tables = coded_in_numbers(engine, tmp_path)
    for name, ask in OF_CODES.items():
        if name == {"numbers": "worst", "sqlite": "similar"}.get(engine):
            # Whether numbers are codes is asked before, and similar people are found where the rows are.
            continue
        with pytest.raises(OpenValuesError) as caught:
            ask(tables[""])
        assert caught.value.questions == (OpenValues("sex", ("9",), "group", "not_known"),), name
        for said in SAID:
            assert ask(tables[said]) is not None
    sizes = [check_controlled_fairness(tables[said], **HIRED, **TWO).reference.n for said in SAID]
    assert sizes == [60, 80, 60]


def test_a_code_that_makes_the_group_is_not_asked_about(tmp_path):
    table = coded_in_numbers("numbers", tmp_path)[""]
    assert check_controlled_fairness(table, **HIRED, protected="sex = 9").protected.n == 20
    assert check_controlled_fairness(table, **HIRED, protected="area = 'n'").protected.n == 80


def test_who_withdrew_from_a_course_has_a_result_and_who_withdrew_an_application_none():
    results = (["Pass", "Fail", "Distinction", "Withdrawn"] * N)[:N]
    [part] = found("sex = 'F'", table=table_of(hired=results), good=("Pass", "Distinction"))
    [asked] = open_values([part])
    assert (asked.values, asked.meaning, asked.proposed, asked.out) == (
        ("Withdrawn",), "outcome", "real_values", "not_known"
    )  # fmt: skip
    lent = (["Loan originated", "Application denied", "Withdrawn", "File closed for incompleteness"] * N)[:N]
    [part] = found("sex = 'F'", table=table_of(hired=lent), good=("Loan originated",))
    assert {(each.meaning, each.proposed) for each in open_values([part])} == {("undecided", "not_known")}


def test_a_result_of_a_course_that_was_said_to_be_one_is_counted_without_a_word():
    frame = pd.DataFrame({"sex": list("FM") * 50, "hired": ["Pass", "Fail", "Merit", "Withdrawn"] * 25})
    table = Table.from_pandas(frame, real_values={"hired": ["Withdrawn"]})
    assert found("sex = 'F'", table=table, good=("Pass", "Merit")) == ()
