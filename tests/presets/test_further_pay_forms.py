"""Joint pay assessment, answer to a worker, pay gaps by ethnicity and disability: by hand, refused, and hidden."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from fairaudit.audit.running import run
from fairaudit.data import Table
from fairaudit.disclosure.gate import exported
from fairaudit.errors import DisclosureError, GroupError, InputError, PlanError
from fairaudit.findings import Message
from fairaudit.measure.pay import PaySide, joined_groups
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.blocks import row_texts
from fairaudit.presets.document import preset_html
from fairaudit.presets.filling import run_preset
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import load_preset, read_preset
from fairaudit.presets.tables import facts, pay_table, preset_csv, stated_table
from fairaudit.report.composing import report_files
from fairaudit.report.json_export import to_json
from fairaudit.sections.forms import read_form, say_form
from fairaudit.sections.forms.charts import form_chart_text
from fairaudit.sections.forms.details import say_pay_row

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="pay", amount=True))
JOINT = {"sex": "sex", "category": "job", "pay": "pay", "variable": "bonus", "increase": "rise"}


def filled(frame: pd.DataFrame, preset: str, columns: dict[str, str], **settings):
    return run_preset(Table.from_pandas(frame), PLAN, PresetPlan(preset=preset, columns=columns, **settings))


def sides(row) -> tuple[tuple[int, float], tuple[int, float]]:
    return (row.protected.n, row.protected.value), (row.reference.n, row.reference.value)


# Joint pay assessment. Clerks: women 90, 90, 96, on average 276 / 3 = 92; men 100, 100, on average 100: a gap of 8 %.
# Their components: women 9 / 3 = 3, men 30 / 2 = 15: 12 / 15. Two women and one man came back from leave; one woman and
# the man had an increase. Drivers: 98 against 100, and 1 against 1 / 2.
CLERKS = [("F", "clerk", 90, 9, 3.0), ("F", "clerk", 90, 0, None), ("F", "clerk", 96, 0, 0.0)]
CLERKS += [("M", "clerk", 100, 10, 2.0), ("M", "clerk", 100, 20, None)]
DRIVERS = [("F", "driver", 98, 1, None), ("M", "driver", 100, 1, None), ("M", "driver", 100, 0, None)]


def workers() -> pd.DataFrame:
    return pd.DataFrame(CLERKS + DRIVERS, columns=["sex", "job", "pay", "bonus", "rise"])


def test_joint_assessment_example_by_hand():
    shares, pay, variable, rises = (each.table for each in filled(workers(), "eu_joint_pay_assessment", JOINT).pay)
    assert [sides(row) for row in shares.rows] == [((3, 0.6), (2, 0.4)), ((1, 1 / 3), (2, 2 / 3))]
    assert [sides(row) for row in pay.rows] == [((3, 92), (2, 100)), ((1, 98), (2, 100))]
    assert [row.gap for row in pay.rows] == pytest.approx([0.08, 0.02])
    assert [sides(row) for row in variable.rows] == [((3, 3), (2, 15)), ((1, 1), (2, 0.5))]
    assert [row.gap for row in variable.rows] == pytest.approx([0.8, -1.0])
    assert [(row.name, *sides(row)) for row in rises.rows] == [("clerk", (2, 0.5), (1, 1.0))]
    assert rises.missing == 5


def test_joint_assessment_says_in_which_categories_pay_differs_and_what_is_done():
    named = filled(workers(), "eu_joint_pay_assessment", JOINT)
    assert read_form(named).verdict == "marked"
    said = say_form(named)
    assert said.headline.key == "form-headline-apart" and dict(said.headline.args)["k"].value == 1
    assert dict(said.lead[-1].args)["n"].value == 1, "no measure is named"
    settings = {
        "justified": {"clerk": "seniority, agreed on 3 May 2027"},
        "measures": {"clerk": "one pay band for all from 2028 on"},
        "evaluation": "The gap of 2026 fell from 11 % to 8 %.",
        "reported": "2027-06-07",
    }
    agreed = filled(workers(), "eu_joint_pay_assessment", JOINT, **settings)
    assert read_form(agreed).verdict == "marked_with_reasons"
    assert dict(say_form(agreed).lead[-1].args)["n"].value == 0
    rows = row_texts(stated_table(agreed))
    assert rows[0][1:5] == ["60.0\xa0%", "92.00", "100.00", "8.0\xa0%"]
    assert rows[0][0] == "clerk" and rows[0][-3:] == [
        "seniority, agreed on 3 May 2027",
        "",
        settings["measures"]["clerk"],
    ]
    assert dict(facts(agreed))["How earlier measures worked"] == settings["evaluation"]
    for text in (preset_html(agreed), preset_csv(agreed).decode()):
        assert settings["measures"]["clerk"] in text and settings["evaluation"] in text


def test_a_joint_assessment_without_a_gap_of_five_percent_marks_nothing():
    even = workers().assign(pay=lambda frame: frame["pay"].where(frame["sex"] == "M", 96))
    found = filled(even, "eu_joint_pay_assessment", JOINT)
    assert read_form(found).verdict == "none_marked"
    assert dict(say_form(found).headline.args)["k"].value == 0


# Answer to a worker. 11 women of grade A are paid 30,000 to 31,000 in steps of 100, on average 30,500; 12 men 32,000 to
# 33,100, on average 32,550: a gap of 2,050 / 32,550. In grade B 3 women are paid 41,000 to 43,000, and 11 men 40,000.
ANSWER = {"sex": "sex", "category": "grade", "pay": "pay"}


def grades() -> pd.DataFrame:
    rows = [("F", "A", 30_000 + 100 * i) for i in range(11)] + [("M", "A", 32_000 + 100 * i) for i in range(12)]
    rows += [("F", "B", 41_000 + 1_000 * i) for i in range(3)] + [("M", "B", 40_000)] * 11
    return pd.DataFrame(rows, columns=["sex", "grade", "pay"]).assign(staff=range(1, len(rows) + 1))


def answer(staff: int, frame: pd.DataFrame | None = None, **settings):
    settings = {"worker": f"staff = {staff}"} | settings
    return filled(grades() if frame is None else frame, "eu_pay_information", ANSWER, **settings)


def test_answer_to_a_worker_example_by_hand():
    found = answer(4)
    [pay] = found.pay
    [row] = pay.table.rows
    assert (found.worker.category, found.worker.side, found.worker.pay) == ("A", "protected", (("pay", 30_300.0),))
    assert sides(row) == ((11, 30_500), (12, 32_550))
    assert row.gap == pytest.approx(2_050 / 32_550)
    assert read_form(found).verdict == "answered"
    [cells] = row_texts(stated_table(found))
    assert cells == ["pay", "A", "30,300.00", "30,500.00", "32,550.00", "6.3\xa0%"]


@pytest.mark.parametrize(
    ("staff", "women", "men"),
    [
        (24, None, 40_000),  # one of three women, who would learn what the two others have together
        (27, None, 40_000),  # one of eleven men: ten others are enough
    ],
)
def test_an_average_of_few_others_is_held_back(staff, women, men):
    found = answer(staff)
    [row] = found.pay[0].table.rows
    assert (row.protected.value, row.reference.value, row.gap) == (women, men, None)
    assert read_form(found).verdict == "held_back"
    said = say_form(found)
    assert said.headline.key == "form-headline-held" and "form-caution-few-held" in [each.key for each in said.caution]
    assert "42,000" not in preset_html(found) + preset_csv(found).decode(), "the average of the three women"


def test_the_worker_does_not_count_among_the_ten():
    frame = grades()[lambda frame: (frame["grade"] == "A") & (frame["staff"] != 23)].iloc[1:]
    # 10 women and 11 men: a man sees both averages, a woman only that of the men.
    assert read_form(answer(15, frame)).verdict == "answered"
    assert read_form(answer(4, frame)).verdict == "held_back"


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({"worker": None}, InputError, "needs the worker who asked"),
        ({"worker": "pay = 40000"}, GroupError, "must be met by one person, but 11 of the people looked at meet"),
        ({"worker": "staff = 99"}, GroupError, "must be met by one person, but 0 of the people looked at meet"),
        ({"measures": {"A": "none"}}, InputError, "the rule asks for no measures"),
        ({"evaluation": "good"}, InputError, "the rule asks for no earlier measures"),
    ],
)
def test_an_answer_that_cannot_be_meant_is_refused(settings, error, said):
    with pytest.raises(error, match=said) as caught:
        answer(4, **settings)
    assert caught.value.hint


def test_a_worker_without_a_category_is_refused():
    frame = grades().assign(grade=lambda frame: frame["grade"].where(frame["staff"] != 4))
    with pytest.raises(GroupError, match="category of the worker who asked is not known"):
        answer(4, frame)


def test_other_forms_refuse_a_worker_and_a_category_that_is_not_there():
    with pytest.raises(InputError, match="the form answers no worker"):
        filled(workers(), "eu_joint_pay_assessment", JOINT, worker="pay = 96")
    with pytest.raises(GroupError, match="There is no category 'cook'"):
        filled(workers(), "eu_joint_pay_assessment", JOINT, measures={"cook": "none"})


def test_where_small_counts_are_hidden_there_is_no_answer():
    part = PresetPlan(preset="eu_pay_information", columns=ANSWER, worker="staff = 4")
    plan = PLAN.model_copy(update={"presets": (part,), "small_cells": SmallCellsPlan(mask=True, minimum=10)})
    result = run(plan, table=Table.from_pandas(grades()))
    for export in (exported, to_json, lambda made: dict(report_files(made))):
        # Even the condition that one worker meets would say that one does.
        with pytest.raises(DisclosureError, match="shows what one person is paid"):
            export(result)


def test_an_answer_says_nothing_of_the_spread_of_pay():
    [row] = answer(4).pay[0].table.rows
    assert np.isnan([row.protected.deviation, row.reference.deviation, *row.interval]).all()


# Pay gaps by ethnicity. White: 10 with 20 and 10 with 30, on average 25, ten bonuses of 100. Asian: 12 with 20,
# a gap of 5 / 25, and 10 bonuses of 80. Black: 11 with 16, 9 / 25. Mixed: 6 with 15; other: 3 with 18: these are 9
# together, so the next larger group, Black, joins them: 20 with 176 + 90 + 54 = 320, on average 16, 9 / 25.
# All others: 32 with 240 + 320 = 560, on average 17.5, 7.5 / 25. 4 of 56 did not say.
ETHNIC = {"ethnicity": "ethnicity", "pay": "pay", "bonus": "bonus"}


def employees() -> pd.DataFrame:
    rows = [("White", 20, 100)] * 10 + [("White", 30, 0)] * 10 + [("Asian", 20, 80)] * 10 + [("Asian", 20, 0)] * 2
    rows += [("Black", 16, 0)] * 11 + [("Mixed", 15, 50)] * 6 + [("Other", 18, 0)] * 3
    rows += [("Prefer not to say", 22, 0)] * 4
    return pd.DataFrame(rows, columns=["ethnicity", "pay", "bonus"])


def tables(finding) -> dict[str, object]:
    return {pay.check.article: pay.table for pay in finding.pay}


def test_ethnicity_example_by_hand():
    found = filled(employees(), "uk_ethnicity_pay_gap", ETHNIC)
    made = tables(found)
    [both] = made["Mean hourly pay"].rows
    assert sides(both) == ((32, 17.5), (20, 25)) and both.gap == pytest.approx(0.3)
    asian, joined = made["Each group, mean hourly pay"].rows
    assert (asian.name, *sides(asian), asian.gap) == ("Asian", (12, 20), (20, 25), pytest.approx(0.2))
    assert (joined.name, *sides(joined)) == ("Black, Mixed, Other", (20, 16), (20, 25))
    # 6 of the joined were paid a bonus, fewer than 10; of all others 16, with 10 x 80 and 6 x 50: 1,100 / 16.
    [bonus] = made["Mean bonus"].rows
    assert sides(bonus) == ((16, 68.75), (10, 100)) and bonus.gap == pytest.approx(0.3125)
    # The mean of the 6 would follow from that of the 16 and of the 10: neither group has a figure.
    assert [sides(row) for row in made["Each group, mean bonus"].rows] == [
        ((10, None), (10, 100)),
        ((6, None), (10, 100)),
    ]
    assert [row.protected.value for row in made["Each group, who was paid a bonus"].rows] == pytest.approx(
        [10 / 12, 0.3]
    )


def test_the_workforce_holds_who_did_not_disclose_it():
    found = filled(employees(), "uk_ethnicity_pay_gap", ETHNIC)
    work = tables(found)["Workforce"]
    assert [(row.name, row.protected.n) for row in work.rows] == [
        ("white employees", 20), ("Asian", 12), ("Black, Mixed, Other", 20), ("not disclosed", 4)
    ]  # fmt: skip
    assert [row.protected.value for row in work.rows] == pytest.approx([20 / 56, 12 / 56, 20 / 56, 4 / 56])
    assert any(each.key == "form-lead-undisclosed" for each in say_form(found).lead)
    table = pay_table(found, next(pay for pay in found.pay if pay.table is work), 1, 1)
    assert row_texts(table)[-1] == ["not disclosed", "4", "7.1\xa0%"]


def test_rows_of_groups_are_read_and_drawn_by_their_names():
    found = filled(employees(), "uk_ethnicity_pay_gap", ETHNIC)
    pay = next(pay for pay in found.pay if pay.check.groups)
    assert say_pay_row(found, pay, pay.table.rows[0]).key == "form-row-gap-group"
    assert "Asian: paid 20.0% less." in form_chart_text(found)


def test_everybody_else_who_is_known_is_compared_unless_a_plan_names_values():
    [both] = filled(employees(), "uk_ethnicity_pay_gap", ETHNIC).sides
    assert set(both.protected) == {"Asian", "Black", "Mixed", "Other"} and (both.others, both.n_unknown) == ((), 4)
    named = {"compared": {"ethnicity": ["Asian"]}, "compared_with": {"ethnicity": ["Black"]}}
    [two] = filled(employees(), "uk_ethnicity_pay_gap", ETHNIC, **named).sides
    assert (two.protected, two.reference, two.n_others) == (("Asian",), ("Black",), 29)


@pytest.mark.parametrize("seed", range(40))
def test_joined_groups_are_large_and_hold_each_group_once(seed):
    rng = np.random.default_rng(seed)
    counts = {f"g{i}": int(n) for i, n in enumerate(rng.integers(0, 25, int(rng.integers(1, 9))))}
    made = joined_groups(counts, 10)
    assert sorted(itertools.chain(*made)) == sorted(name for name, n in counts.items() if n)
    sizes = [sum(counts[name] for name in names) for names in made]
    assert min(sizes, default=10) >= 10 or len(made) == 1


# Disability. 12 disabled employees with 18, of whom 10 have a bonus of 40; 10 others with 20, all with a bonus of 50.
DISABLED = {"disability": "disability", "pay": "pay", "bonus": "bonus"}


def by_disability(n: int = 12) -> pd.DataFrame:
    rows = [("Yes", 18, 40)] * 10 + [("Yes", 18, 0)] * (n - 10) if n >= 10 else [("Yes", 18, 40)] * n
    rows += [("No", 20, 50)] * 10 + [(None, 19, 0)] * 3
    return pd.DataFrame(rows, columns=["disability", "pay", "bonus"])


def test_disability_example_by_hand():
    made = tables(filled(by_disability(), "uk_disability_pay_gap", DISABLED))
    assert made["Mean hourly pay"].rows[0].gap == pytest.approx(0.1)
    assert made["Median hourly pay"].rows[0].gap == pytest.approx(0.1)
    assert made["Mean bonus"].rows[0].gap == pytest.approx(0.2)
    assert sides(made["Who was paid a bonus"].rows[0]) == ((12, 10 / 12), (10, 1.0))
    # 22 people: quarters of 6, 5, 6 and 5; the 12 with 18 fill the two lower ones and one place of the third.
    assert [row.protected.n for row in made["Quarters of hourly pay"].rows] == [6, 5, 1, 0]
    assert [row.protected.value for row in made["Workforce"].rows] == pytest.approx([10 / 25, 12 / 25, 3 / 25])


def test_nine_disabled_employees_have_no_figure_of_pay():
    found = filled(by_disability(9), "uk_disability_pay_gap", DISABLED)
    made = tables(found)
    for article in ("Mean hourly pay", "Median hourly pay", "Mean bonus", "Median bonus", "Who was paid a bonus"):
        assert made[article].rows[0].protected.value is None and made[article].rows[0].gap is None
    assert made["Quarters of hourly pay"].rows == ()
    assert read_form(found).verdict == "not_all_shown"
    assert "form-caution-few-held" in [each.key for each in say_form(found).caution]
    assert preset_html(found) and preset_csv(found) and form_chart_text(found)


@pytest.mark.parametrize("key", ["uk_ethnicity_pay_gap", "uk_disability_pay_gap"])
def test_a_form_of_a_draft_says_so(key):
    assert load_preset(key).status.state == "draft"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("joint = true\n", ""), None),
        (("mark_from = 0.05\nwithin_months = 6\n", ""), "holds joint = true and does not say which categories"),
        (('"shares"\nof = "pay"\nby = [["sex", "category"]]', '"shares"\nof = "pay"\nby = [["sex"]]'),
         "is of shares and holds a table that is not by categories"),
        (('measure = "shares"\n', 'measure = "shares"\nfewest = 10\n'), "is of shares and holds 'fewest'"),
    ],
)  # fmt: skip
def test_a_file_of_such_a_form_that_cannot_be_meant_is_refused(change, said):
    from importlib import resources

    text = (resources.files("fairaudit.presets") / "eu_joint_pay_assessment.toml").read_text(encoding="utf-8")
    assert change[0] in text
    changed = text.replace(*change, 1)
    if said is None:
        assert not read_preset(changed, "own.toml").is_joint
        return
    with pytest.raises(PlanError, match=said):
        read_preset(changed, "own.toml")


# What is hidden. An attacker takes each number of people that is shown, across all tables, as an equation.

GROUPS = ("White", "Asian", "Black", "Mixed", "unknown")


def some_employees(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(120, 260))
    weights = np.array([0.6, 0.2, 0.1, 0.06, 0.04])
    frame = pd.DataFrame({"ethnicity": rng.choice(GROUPS, n, p=weights), "pay": np.round(rng.normal(20, 4, n), 2)})
    frame["pay"] = frame["pay"].where(rng.random(n) < 0.95)
    frame["bonus"] = np.where(rng.random(n) < 0.4, np.round(rng.uniform(50, 400, n), 2), 0.0)
    return frame


def shown_numbers(found, atoms) -> list[tuple[list[bool], int]]:
    """Return who is counted by each number that is shown, and the number."""
    known: list[tuple[list[bool], int | None]] = []

    def add(inside, n):
        known.append(([inside(*atom) for atom in atoms], n))

    add(lambda *_: True, found.n_population)
    [both] = found.sides
    others = set(GROUPS) - {"White", "unknown"}
    add(lambda group, *_: group in others, both.n_protected)
    add(lambda group, *_: group == "White", both.n_reference)
    add(lambda group, *_: group == "unknown", both.n_unknown)
    for pay in found.pay:
        column, among = pay.table.column, pay.check.among == "receiving"

        def there(has_pay, got, column=column, among=among):
            return (has_pay or column != "pay") and (got or not among)

        if pay.table.statistic == "workforce":
            for row in pay.table.rows:
                own = {value for _, value in row.values} or {"unknown"}
                add(lambda group, *_, own=own: group in own, row.protected.n)
                if None not in (row.protected.n, row.protected.value):
                    # What share they are of all says how many all are.
                    add(lambda *_: True, round(row.protected.n / row.protected.value))
            continue
        add(lambda g, p, b, there=there: g != "unknown" and there(p, b), pay.table.n)
        if column == "pay":
            add(lambda g, p, b: g != "unknown" and not p, pay.table.missing)
        if pay.table.statistic == "quarter":
            for name, whose in (("protected", others), ("reference", {"White"})):
                n = [getattr(row, name).n for row in pay.table.rows]
                add(lambda g, p, b, whose=whose, there=there: g in whose and there(p, b), None if None in n else sum(n))
            continue
        for row in pay.table.rows:
            for side, whose in ((row.protected, {v for _, v in row.values} or others), (row.reference, {"White"})):
                add(lambda g, p, b, whose=whose, there=there: g in whose and there(p, b), side.n)
                if pay.table.statistic == "receiving" and None not in (side.n, side.value):
                    got = round(side.n * side.value)
                    add(lambda g, p, b, whose=whose: g in whose and b, got)
    return [(who, n) for who, n in known if n is not None]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_no_small_group_can_be_worked_out_from_all_tables_of_a_form(seed):
    frame = some_employees(seed)
    part = PresetPlan(preset="uk_ethnicity_pay_gap", columns=ETHNIC)
    plan = PLAN.model_copy(update={"presets": (part,), "small_cells": SmallCellsPlan(mask=True, minimum=10)})
    [found] = exported(run(plan, table=Table.from_pandas(frame))).presets
    atoms = list(itertools.product(GROUPS, (True, False), (True, False)))
    known = shown_numbers(found, atoms)
    assert len(known) > 4
    numbers = np.array([n for _, n in known], float)
    limits = LinearConstraint(np.array([who for who, _ in known], float), numbers, numbers)
    group, has_pay, got = frame["ethnicity"], frame["pay"].notna(), frame["bonus"] > 0
    truth = np.array([int(((group == g) & (has_pay == p) & (got == b)).sum()) for g, p, b in atoms], float)
    assert (np.array([who for who, _ in known], float) @ truth == numbers).all()
    for name in GROUPS:
        for n_got in (None, True):
            who = np.array([g == name and (n_got is None or b) for g, _, b in atoms], float)
            true = int(who @ truth)
            if not 0 < true < 10:
                continue
            ends = []
            for sign in (1, -1):
                solved = milp(sign * who, constraints=limits, integrality=np.ones(len(atoms)), bounds=Bounds(0, 999))
                ends.append(round(sign * solved.fun))
            assert ends[1] - ends[0] >= 5, (seed, name, n_got, true, ends)


@pytest.mark.parametrize("seed", range(3))
def test_a_hidden_number_hides_the_shares_of_both_sides_of_a_category(seed):
    rng = np.random.default_rng(seed)
    jobs = rng.choice(["a", "b", "c"], 120, p=[0.7, 0.22, 0.08])
    frame = pd.DataFrame({"sex": np.where(jobs == "c", "F", rng.choice(["F", "M"], 120)), "job": jobs})
    frame.loc[frame.index[jobs == "c"][:3], "sex"] = "M"
    frame["pay"] = rng.normal(100, 10, 120)
    part = PresetPlan(preset="eu_joint_pay_assessment", columns={"sex": "sex", "category": "job", "pay": "pay"})
    plan = PLAN.model_copy(update={"presets": (part,), "small_cells": SmallCellsPlan(mask=True, minimum=10)})
    [found] = exported(run(plan, table=Table.from_pandas(frame))).presets
    shares = found.pay[0].table
    hidden = [row for row in shares.rows if None in (row.protected.n, row.reference.n)]
    assert hidden and all((row.protected.value, row.reference.value) == (None, None) for row in hidden)
    # The table of pay counts the same people.
    for row, other in zip(shares.rows, found.pay[1].table.rows, strict=True):
        assert (row.protected.n is None) == (other.protected.n is None)


def test_a_side_without_people_is_no_side_of_few():
    assert PaySide(0, float("nan"), float("nan")).n == 0
    men = pd.DataFrame({"sex": ["M"] * 12 + ["F"] * 12, "grade": ["A"] * 12 + ["B"] * 12, "pay": range(24)})
    found = answer(3, men.assign(staff=range(24)))
    [row] = found.pay[0].table.rows
    assert row.protected.n == 0 and row.reference.value == 5.5
    assert say_pay_row(found, found.pay[0], row).key == "form-row-only"
    assert isinstance(say_form(found).headline, Message)


def some_workers(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(120, 260))
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], n), "job": rng.choice(["a", "b", "c"], n, p=[0.6, 0.3, 0.1])})
    frame["pay"] = np.round(rng.normal(100, 10, n), 2)
    frame["leave"] = rng.choice(["none", "no rise", "rise"], n, p=[0.6, 0.15, 0.25])
    rise = np.where(frame["leave"] == "rise", np.round(rng.uniform(1, 9, n), 2), 0.0)
    frame["rise"] = np.where(frame["leave"] == "none", np.nan, rise)
    return frame


def joint_numbers(found, atoms) -> list[tuple[list[bool], int]]:
    """Return who is counted by each number of a joint assessment that is shown, and the number."""
    known = [([True] * len(atoms), found.n_population)]
    for sex, name in (("F", "protected"), ("M", "reference")):
        known.append(([who == sex for who, *_ in atoms], getattr(found.sides[0], f"n_{name}")))
    for pay in found.pay:
        of_rise = pay.table.column == "rise"
        known.append(([leave != "none" or not of_rise for *_, leave in atoms], pay.table.n))
        if of_rise:
            known.append(([leave == "none" for *_, leave in atoms], pay.table.missing))
        for row in pay.table.rows:
            job = dict(row.values)["job"]
            for sex, side in (("F", row.protected), ("M", row.reference)):
                here = [who == sex and where == job for who, where, _ in atoms]
                back = [leave != "none" or not of_rise for *_, leave in atoms]
                known.append(([one and other for one, other in zip(here, back, strict=True)], side.n))
                if of_rise and side.value is not None and side.n:
                    rise = [leave == "rise" for *_, leave in atoms]
                    got = round(side.n * side.value)
                    known.append(([one and other for one, other in zip(here, rise, strict=True)], got))
    return [(who, n) for who, n in known if n is not None]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_no_small_number_of_a_joint_assessment_can_be_worked_out(seed):
    frame = some_workers(seed)
    columns = {"sex": "sex", "category": "job", "pay": "pay", "increase": "rise"}
    part = PresetPlan(preset="eu_joint_pay_assessment", columns=columns)
    plan = PLAN.model_copy(update={"presets": (part,), "small_cells": SmallCellsPlan(mask=True, minimum=10)})
    [found] = exported(run(plan, table=Table.from_pandas(frame))).presets
    leaves = ("none", "no rise", "rise")
    atoms = list(itertools.product("FM", "abc", leaves))
    known = joint_numbers(found, atoms)
    numbers = np.array([n for _, n in known], float)
    limits = LinearConstraint(np.array([who for who, _ in known], float), numbers, numbers)
    of = zip(frame["sex"], frame["job"], frame["leave"], strict=True)
    counted = pd.Series(list(of)).value_counts()
    truth = np.array([counted.get(atom, 0) for atom in atoms], float)
    for sex, job, among in itertools.product("FM", "abc", (leaves, leaves[1:], leaves[2:])):
        who = np.array([s == sex and j == job and leave in among for s, j, leave in atoms], float)
        true = int(who @ truth)
        if not 0 < true < 10:
            continue
        ends = []
        for sign in (1, -1):
            solved = milp(sign * who, constraints=limits, integrality=np.ones(len(atoms)), bounds=Bounds(0, 999))
            ends.append(round(sign * solved.fun))
        assert ends[1] - ends[0] >= 5, (seed, sex, job, among, true, ends)
