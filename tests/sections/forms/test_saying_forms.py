"""What a legal form says, as readings and keys: verdicts that cannot be taken for the opposite."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from fairaudit.findings import Amount, Count, Group, Message, Phrase, Share, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.filling import run_preset
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.tables import stated_table
from fairaudit.sections.forms import answer_text, read_form, say_form
from fairaudit.sections.forms.charts import form_chart, form_chart_text, has_chart
from fairaudit.sections.forms.details import limits, say_pay_table, say_rate_row
from fairaudit.sections.forms.reading import leading_rates, unnamed_roles

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="hired", favorable=("yes",)))
EEOC, LENDING, NYC = "eeoc_uniform_guidelines", "fair_lending", "nyc144"


def form(preset, groups, *names, **settings):
    """Fill a form from the people and the selected people of each group."""
    rows = [
        (*(group if isinstance(group, tuple) else (group,)), "yes" if i < selected else "no")
        for group, (n, selected) in groups.items()
        for i in range(n)
    ]
    frame = pd.DataFrame(rows, columns=[*names, "hired"])
    part = PresetPlan(preset=preset, columns={name: name for name in names}, **settings)
    return run_preset(frame, PLAN, part)


def means(*pay):
    """Fill a form of lending whose decision is an amount."""
    rows = [(group, amount) for group, amounts in zip("AB", pay, strict=True) for amount in amounts]
    plan = PLAN.model_copy(update={"decision": OutcomePlan(column="pay", amount=True)})
    part = PresetPlan(preset=LENDING, columns={"race": "race", "amounts": "pay"})
    return run_preset(pd.DataFrame(rows, columns=["race", "pay"]), plan, part)


def wages(gaps, **settings):
    """Fill the European form from 30 women and 30 men in each grade, whose pay is so far apart."""
    rows = [
        (sex, f"grade {grade}", (100.0 + i % 3) * (1 - gap * (sex == "woman")))
        for grade, gap in enumerate(gaps, start=1)
        for sex in ("woman", "man")
        for i in range(30)
    ]
    plan = PLAN.model_copy(update={"decision": OutcomePlan(column="pay", amount=True)})
    columns = {"sex": "sex", "category": "grade", "pay": "pay"}
    frame = pd.DataFrame(rows, columns=["sex", "grade", "pay"])
    return run_preset(frame, plan, PresetPlan(preset="eu_pay_transparency", columns=columns, **settings))


def keys(finding):
    return [message.key for message in say_form(finding).lead]


def cautions(finding):
    return [message.key for message in say_form(finding).caution]


@pytest.mark.parametrize(
    ("preset", "groups", "verdict"),
    [
        (EEOC, {"F": (600, 180), "M": (400, 240)}, "below"),
        (EEOC, {"F": (10, 3), "M": (10, 5)}, "below_may_be_chance"),
        (EEOC, {"F": (20_000, 9_000), "M": (20_000, 10_000)}, "lower"),
        (EEOC, {"F": (1000, 499), "M": (1000, 500)}, "none_below"),
        (EEOC, {"F": (100, 40)}, "nothing_to_compare"),
        (EEOC, {"F": (50, 0), "M": (50, 0), "X": (9, 9)}, "none_selected"),
        (LENDING, {"F": (600, 180), "M": (400, 240)}, "reference_lower"),
        (LENDING, {"F": (40, 0), "M": (30, 12), "X": (20, 4)}, "reference_none"),
    ],
)
def test_the_verdict_is_in_the_terms_of_the_rule(preset, groups, verdict):
    finding = form(preset, groups, "sex", where="sex <> 'X'" if verdict == "none_selected" else None)
    assert read_form(finding).verdict == verdict
    assert answer_text(finding) and "{" not in answer_text(finding)


def test_a_comparison_group_with_the_lower_rate_is_the_one_that_is_spoken_of():
    said = say_form(form(LENDING, {"F": (600, 180), "M": (400, 240)}, "sex"))
    args = dict(said.headline.args)
    assert say(args["group"]).startswith("F ") and say(args["reference"]).startswith("M ")
    assert args["size"] == Amount(0.5, 2) and "form-lead-choose" in [message.key for message in said.lead]
    other = form(LENDING, {"F": (600, 180), "M": (400, 240)}, "sex", references={"sex": "M"})
    assert read_form(other).verdict == "below"


def test_a_comparison_group_of_whom_nobody_is_approved_comes_before_other_tables():
    groups = {("F", "A"): (40, 0), ("M", "A"): (14, 8), ("M", "B"): (16, 4)}
    reading = read_form(form(LENDING, groups, "sex", "race"))
    assert reading.verdict == "reference_none" and reading.rates[1].name == "M"


def test_the_lowest_ratio_of_those_that_are_more_than_chance_is_spoken_of():
    finding = form(EEOC, {"A": (600, 300), "B": (600, 180), "C": (5, 1)}, "race")
    reading = read_form(finding)
    assert reading.rates[1].name == "B" and reading.is_clear and reading.n_below == 2


def test_no_ratio_below_speaks_of_the_columns_that_were_compared_alone():
    finding = form(EEOC, {"F": (1000, 499), "M": (1000, 500)}, "sex")
    said = say_form(finding)
    assert dict(said.headline.args)["columns"] == dict(said.verdict.args)["columns"] == Phrase("sex")
    assert [role.role for role in unnamed_roles(finding)] == ["race"]


FEW = {"A": (2000, 1000), "B": (1000, 300), "C": (40, 2), "D": (4, 0)}


def test_a_few_people_lead_no_form_where_a_larger_group_is_marked():
    # C is under 2% of all, D under 30 people; both are further below, and by more than chance.
    reading = read_form(form(EEOC, FEW | {"D": (25, 0)}, "race"))
    assert reading.rates[1].name == "B" and reading.n_below == 3
    alone = read_form(form(EEOC, {"A": (2000, 1000), "C": (40, 2)}, "race"))
    assert alone.rates[1].name == "C"
    higher = read_form(form(LENDING, {"A": (2000, 400), "B": (1500, 600), "C": (20, 18)}, "race"))
    assert (higher.verdict, higher.rates[1].name) == ("reference_lower", "B")


def test_more_that_are_below_are_those_of_the_tables_and_the_picture_that_stand_first():
    crossed = {(sex, race): (300, 30 if sex == "F" else 150) for sex in "FM" for race in "ABCDEFGHI"}
    finding = form(NYC, crossed | {("F", "A"): (300, 15)}, "sex", "race")
    reading, [rates] = read_form(finding), leading_rates(finding)
    below = [row for row in rates.table.rows if row.below and not row.is_reference]
    assert reading.n_below == len(below) == 9 and reading.n_below_elsewhere == 1
    layers = form_chart(finding).to_dict()["datasets"].values()
    marked = {row["label"] for layer in layers for row in layer if row.get("marked")}
    assert len(marked) == 9
    assert "form-lead-alone" not in keys(form(NYC, {(s, r): (300, n) for s, r, n in ONE_BELOW}, "sex", "race"))


ONE_BELOW = (("F", "A", 90), ("M", "A", 150), ("F", "B", 140), ("M", "B", 150))


def test_a_ratio_is_drawn_on_its_side_of_the_limit():
    text = form_chart_text(form(EEOC, {"A": (1000, 500), "B": (1000, 399)}, "race"))
    assert "0.798" in text and "B: 0.80." not in text


@pytest.mark.parametrize(("tiny", "said"), [(5, True), (200, False)])
def test_that_the_highest_rate_is_of_a_few_is_said(tiny, said):
    finding = form(EEOC, {"A": (800, 400), "C": (195, 80), "B": (tiny, tiny - 1)}, "race")
    assert ("form-caution-few" in cautions(finding)) is said


def hidden_rate(finding, name):
    """Return a form without the rate and the ratio of a group."""
    [rates] = finding.rates
    rows = tuple(
        replace(row, impact_ratio=None, below=None, group=replace(row.group, ratio=None)) if row.name == name else row
        for row in rates.table.rows
    )
    return replace(finding, rates=(replace(rates, table=replace(rates.table, rows=rows)),))


def test_where_a_rate_is_hidden_nothing_is_said_of_all_others():
    worse = form(EEOC, {"A": (1000, 500), "B": (1000, 390), "C": (300, 4)}, "race")
    assert "form-lead-also" in keys(worse)
    said = keys(hidden_rate(worse, "C"))
    assert "form-lead-alone" not in said and "form-lead-also" not in said
    near = hidden_rate(form(EEOC, {"A": (1000, 500), "B": (1000, 480), "C": (300, 4)}, "race"), "C")
    assert read_form(near).verdict in ("not_all_shown", "lower")
    same = hidden_rate(form(EEOC, {"A": (1000, 500), "B": (1000, 499), "C": (300, 4)}, "race"), "C")
    assert read_form(same).verdict == "not_all_shown" and "form-lead-lowest" not in keys(same)
    assert say(say_form(same).headline).startswith("No impact ratio that is shown ")


def test_where_a_gap_in_pay_is_hidden_nothing_is_said_of_all_others():
    finding = wages((0.08, 0.01, 0.09))
    pay = tuple(
        replace(
            each,
            table=replace(
                each.table,
                rows=tuple(replace(r, gap=None) if r.name == "grade 3" else r for r in each.table.rows),
            ),
        )
        for each in finding.pay
    )
    assert "form-lead-others" not in keys(replace(finding, pay=pay))
    assert "form-lead-others" in keys(wages((0.08, 0.01, 0.02)))


def test_small_groups_that_a_plan_leaves_out_are_counted():
    groups = {"A": (985, 500), "B": (15, 0)}
    assert "form-caution-small" not in cautions(form(EEOC, groups, "race"))
    assert "form-caution-small" in cautions(form(EEOC, groups, "race", leave_out_small=True))


def test_means_that_differ_have_a_direction_and_others_none():
    low, high = [9.0, 11.0] * 30, [10.0, 12.5] * 20
    said = say_form(means(low, high))
    assert said.verdict.key == "verdict-form-means-differ" and said.headline.key == "form-headline-means"
    same = say_form(means([10.1, 12.3] * 30, [10.1, 12.3] * 20))
    assert same.headline.key == "form-headline-means-alike"


@pytest.mark.parametrize(
    ("gaps", "settings", "verdict", "marked", "unexplained"),
    [
        ((0.01, 0.02), {}, "none_marked", 0, 0),
        ((0.1, 0.02), {}, "marked", 1, 1),
        ((0.1, -0.2), {}, "marked", 2, 2),
        ((0.1, 0.02), {"justified": {"grade 1": "shifts"}}, "marked_with_reasons", 1, 0),
        ((0.1, 0.02), {"remedied": {"grade 1": "2027-03-01"}, "reported": "2027-01-01"}, "marked_with_reasons", 1, 0),
        ((0.1, 0.02), {"remedied": {"grade 1": "2028-03-01"}, "reported": "2027-01-01"}, "marked", 1, 1),
    ],
)
def test_a_category_that_the_rule_marks_needs_a_reason_or_a_remedy_in_time(
    gaps, settings, verdict, marked, unexplained
):
    finding = wages(gaps, **settings)
    reading = read_form(finding)
    assert (reading.verdict, len(reading.marked), reading.n_open) == (verdict, marked, unexplained)
    assert dict(say_form(finding).headline.args)["open"] == Count(unexplained)


def test_that_no_category_is_marked_says_which_gap_and_by_which_column():
    said = say_form(wages((0.01, 0.02)))
    for message in (said.verdict, said.lead[0]):
        args = dict(message.args)
        assert (args["statistic"], args["column"]) == (Word("mean"), Phrase("grade"))


def test_a_gap_beside_the_limit_has_the_digits_that_show_its_side():
    finding = wages((0.0512, 0.0))
    [(_, row)] = read_form(finding).marked
    said = dict(say_form(finding).lead[0].args)["size"]
    assert said == Share(abs(row.gap), said.digits) and round(100 * said.value, said.digits) >= 5


def test_the_prescribed_table_has_the_items_of_the_rule_in_its_order():
    table = stated_table(wages((0.1, 0.02)))
    assert [row[0] for row in table.rows] == ["(a)", "(c)", "(f)", "(f)", "(f)", "(f)"] and "9(1)" in table.title


DRAWN = {
    "pay": lambda: wages((0.1, 0.02)),
    "more": lambda: wages((-0.1, -0.2)),
    "rates": lambda: form(EEOC, {"F": (600, 180), "M": (400, 240)}, "sex"),
    "crossed": lambda: form(NYC, {("F", "A"): (50, 25), ("M", "B"): (50, 20)}, "sex", "race"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_any_form_with_figures_can_be_drawn(name):
    finding = DRAWN[name]()
    assert has_chart(finding) and "nan" not in form_chart_text(finding)
    for narrow in (False, True):
        form_chart(finding, narrow=narrow).to_dict()


def test_a_gap_in_pay_is_said_with_its_direction_where_it_is_not_seen():
    name, women, of = Phrase("grade 1"), Group("women"), "form-chart-row-pay"
    for gap, size, direction in ((0.1, Share(0.1, 1), "less"), (-0.1, Share(0.1, 1), "more")):
        row = {"name": name, "protected": women, "size": size, "direction": Word(direction)}
        assert say(Message(of, row)) in form_chart_text(wages((gap, 0.02)))


def test_a_group_of_two_columns_in_the_headline_stands_first_in_table_and_picture():
    groups = {("F", "A"): (200, 100), ("M", "A"): (200, 100), ("F", "B"): (200, 40), ("M", "B"): (200, 130)}
    finding = form(NYC, groups, "sex", "race")
    _, lowest = read_form(finding).rates
    assert len(lowest.values) == 2
    [rates] = leading_rates(finding)
    assert lowest in rates.table.rows
    assert lowest.name in form_chart_text(finding)
    group = dict(say_form(finding).headline.args)["group"]
    assert group.key == "form-group-crossed" and all(value in say(group) for value in ("race is B", "sex is F"))


@pytest.mark.parametrize(("gap", "key"), [(0.0002, "form-headline-pay-same"), (0.003, "form-headline-pay")])
def test_a_gap_in_pay_is_not_written_as_0_percent(gap, key):
    headline = say_form(wages([gap])).headline
    assert headline.key == key and "0%" not in say(headline).split()


def rows_by_name(finding):
    [rates] = finding.rates
    return {row.name: dict(say_rate_row(rates, row).args) for row in rates.table.rows}


def test_a_ratio_that_is_lower_beyond_chance_but_not_below_the_limit_is_not_read_as_more():
    read = rows_by_name(form(EEOC, {"A": (2000, 1000), "B": (2000, 880)}, "race"))
    assert (read["B"]["standing"], read["B"]["chance"]) == (Word("lower"), Word("clear"))


def test_a_small_group_is_marked_with_the_share_of_the_rule():
    read = rows_by_name(form(EEOC, {"A": (1000, 500), "B": (10, 5)}, "race"))
    assert read["B"]["small"] == Word("yes") and read["A"]["small"] == Word("no")
    assert read["B"]["share"] == Share(0.02)


def test_what_one_person_decides_is_not_also_said_to_be_perhaps_chance():
    read = rows_by_name(form(EEOC, {"A": (100, 50), "B": (10, 4), "C": (60, 20)}, "race"))
    assert (read["B"]["person"], read["B"]["chance"]) == (Word("yes"), Word("none"))
    assert (read["C"]["person"], read["C"]["chance"]) == (Word("no"), Word("clear"))


def test_limits_name_their_table_only_where_they_differ():
    [one] = limits(form(EEOC, {"A": (1000, 500), "B": (100, 50)}, "race"))
    assert ":" not in one


def test_categories_are_said_where_one_of_them_is_hidden_and_not_where_all_are():
    finding = wages([0.2, 0.1, 0.1])
    [pay] = [each for each in finding.pay if len(each.roles) > 1 and each.table.statistic == "mean"][:1]

    def without(*hidden):
        rows = tuple(
            replace(row, gap=None, protected=replace(row.protected, value=None)) if i in hidden else row
            for i, row in enumerate(pay.table.rows)
        )
        return replace(pay, table=replace(pay.table, rows=rows))

    said = say_pay_table(finding, without(0))
    assert said.key != "form-item-hidden" and dict(said.args)["n"] == Count(2)
    assert say_pay_table(finding, without(0, 1, 2)).key == "form-item-hidden"


def test_what_a_table_of_pay_comes_to_is_one_sentence_with_one_full_stop():
    for pay in (finding := wages([0.2, 0.1, 0.1])).pay:
        text = say(say_pay_table(finding, pay))
        assert text.endswith(".") and not text.endswith("..")
