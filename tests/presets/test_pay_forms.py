"""The forms on equal pay: who is compared, what is marked, what is refused, and what is hidden."""

from __future__ import annotations

import io
import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from fairaudit.audit.running import run
from fairaudit.columns import Column
from fairaudit.data import Table
from fairaudit.disclosure.gate import exported
from fairaudit.errors import DisclosureError, FairauditError, GroupError, InputError, PlanError
from fairaudit.findings import Group, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.present.blocks import row_texts
from fairaudit.present.numbers import NO_BREAK
from fairaudit.presets.document import preset_html
from fairaudit.presets.filling import fill_plan, run_preset
from fairaudit.presets.fitting import suggest_columns
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import load_preset, read_preset
from fairaudit.presets.tables import facts, pay_table, preset_csv, stated_table
from fairaudit.sections.forms import read_form
from fairaudit.sections.forms.details import how_computed, own_notes, pay_title, say_pay_row
from fairaudit.sections.forms.saying import gap_share

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="pay", amount=True))
COLUMNS = {"sex": "sex", "category": "job", "pay": "pay", "variable": "bonus"}


def payroll() -> pd.DataFrame:
    rows = [("F", "a", 94.0, 0.0), ("F", "a", 96.0, 4.0), ("M", "a", 100.0, 0.0), ("M", "a", 100.0, 10.0)]
    rows += [("F", "b", 90.0, 5.0), ("M", "b", 100.0, 5.0), ("F", "c", 96.0, 0.0), ("M", "c", 100.0, 3.0)]
    rows += [("F", "d", 70.0, 1.0), ("X", "a", 80.0, 2.0), ("X", "b", 85.0, 2.0), (None, "a", 99.0, 0.0)]
    return pd.DataFrame(rows, columns=["sex", "job", "pay", "bonus"])


def filled(frame: pd.DataFrame | None = None, preset: str = "eu_pay_transparency", **settings):
    settings = {"columns": COLUMNS} | settings
    table = Table.from_pandas(payroll() if frame is None else frame)
    return run_preset(table, PLAN, PresetPlan(preset=preset, **settings))


def readings(finding) -> dict[str, Message]:
    [pay] = [pay for pay in finding.pay if pay.check.mark_from is not None]
    return {row.name: say_pay_row(finding, pay, row) for row in pay.table.rows}


def test_who_is_compared_is_named_and_so_is_who_is_not():
    [sides] = filled().sides
    assert (sides.protected, sides.reference, sides.others) == (("F",), ("M",), ("X",))
    assert (sides.n_protected, sides.n_reference, sides.n_others, sides.n_unknown) == (5, 4, 2, 1)
    not_compared = {"n": Phrase("2"), "people": Phrase("workers"), "values": Phrase("'X'")}
    assert say(Message("form-who-not", not_compared)) in dict(facts(filled()))["Who is compared"]


def test_a_plan_may_say_which_values_mean_each_side():
    frame = payroll().replace({"sex": {"F": "1", "M": "2", "X": "f"}})
    [sides] = filled(frame, compared={"sex": "1"}, compared_with={"sex": ["2"]}).sides
    assert (sides.n_protected, sides.n_reference, sides.others) == (5, 4, ("f",))


def test_a_category_is_marked_from_five_percent_on_either_way():
    said = readings(filled())
    # a: 95 against 100 is 5 % exactly; b: 10 %; c: 4 %; d: women only.
    assert said["a"].key == "form-row-open" and dict(said["a"].args)["marked"] == Phrase("a joint pay assessment")
    assert said["c"].key == "form-row-under"
    assert said["d"] == Message("form-row-only", {"group": Group("women")})
    more = payroll().assign(pay=lambda t: t["pay"].where(t["sex"] != "F", 200 - t["pay"]))
    assert readings(filled(more))["a"].key == "form-row-open"


def near_five(women: float) -> pd.DataFrame:
    pay = [women] * 6 + [20_000.0] * 6
    return pd.DataFrame({"sex": ["F"] * 6 + ["M"] * 6, "job": "a", "pay": pay, "bonus": 0.0})


@pytest.mark.parametrize(
    ("women", "printed"),
    [(19_002.0, "4.99"), (19_000.0, "5.0"), (20_998.0, "−4.99"), (18_998.4, "5.01"), (21_000.0, "−5.0")],
)
def test_a_gap_is_printed_on_its_side_of_the_limit_wherever_it_stands(women, printed):
    found = filled(near_five(women))
    printed = f"{printed}{NO_BREAK}%"
    by_gap = [pay for pay in found.pay if pay.check.measure == "pay_gap" and pay.table.column == "pay"]
    for pay in by_gap:
        table = pay_table(found, pay, 1, 1)
        place = [column.name for column in table.columns].index("gap")
        assert row_texts(table)[0][place] == printed
    document = preset_html(found)
    stated = sum(len(pay.roles) == 1 for pay in by_gap)
    assert document.count(f">{printed}<") == len(by_gap) + stated
    gap = 1 - women / 20_000
    shown = gap_share(found, gap)
    assert (round(100 * shown.value, shown.digits) >= 5) == (abs(gap) >= 0.05)


def test_where_no_category_can_be_compared_the_form_does_not_say_that_none_is_apart():
    alone = payroll().assign(job=[f"job {i}" for i in range(len(payroll()))])
    assert read_form(filled(alone)).verdict == "to_publish"
    assert read_form(filled(payroll().query("job in ('c', 'd')"))).verdict == "none_marked"


@pytest.mark.parametrize("pay", [math.inf, 1e300])
def test_pay_that_cannot_be_added_up_is_refused(pay):
    with pytest.raises(InputError, match="Column 'pay' must hold finite amounts"):
        filled(payroll().assign(pay=[pay, *payroll()["pay"][1:]]))


def test_a_reason_or_a_remedy_in_time_takes_the_mark_away():
    finding = filled(justified={"a": "Scarce skills."}, remedied={"b": "2027-08-01"}, reported="2027-06-07")
    said = readings(finding)
    assert dict(said["a"].args)["reason"] == Phrase("Scarce skills.") and said["b"].key == "form-row-remedied"
    assert read_form(finding).verdict == "marked_with_reasons"
    late = filled(remedied={"b": "2027-12-08"}, reported="2027-06-07")
    assert readings(late)["b"].key == "form-row-late"
    assert dict(readings(late)["b"].args)["due"] == Phrase("2027-12-07")
    assert dict(readings(filled(reported="2026-08-31"))["a"].args)["due"] == Phrase("2027-02-28")


def test_a_column_that_is_not_named_is_noted_and_the_rest_is_made():
    finding = filled(columns={"sex": "sex", "pay": "pay"})
    assert [pay.check.article for pay in finding.pay] == ["Article 9(1)(a)", "Article 9(1)(c)", "Article 9(1)(f)"]
    assert any("Article 9(1)(e)" in note for note in finding.notes)
    # One line for each set of roles that is lacking, with all tables that lack it, each once.
    lacking = [note for note in finding.notes if "Article" in note]
    assert len(lacking) == len({note.rpartition(": ")[2] for note in lacking})
    assert all(len(set(parts)) == len(parts) for parts in (re.findall(r"Article [^,]*", note) for note in lacking))


def test_several_columns_of_pay_are_shown_side_by_side():
    frame = payroll().assign(hour=lambda t: t["pay"] / 10)
    finding = filled(frame, columns={"sex": "sex", "pay": ["pay", "hour"]})
    gaps = [pay.table.rows[0].gap for pay in finding.pay if pay.check.article == "Article 9(1)(a)"]
    assert len(gaps) == 2 and gaps[0] == pytest.approx(gaps[1])


def test_people_without_a_number_are_in_no_figure_and_counted():
    frame = payroll()
    frame.loc[0, "bonus"] = None
    finding = filled(frame)
    tables = {(pay.check.article, pay.check.among): pay.table for pay in finding.pay}
    assert tables["Article 9(1)(b)", "all"].missing == 1 and tables["Article 9(1)(e)", "all"].rows[0].protected.n == 4
    assert tables["Article 9(1)(a)", "all"].missing == 0


HOURS = {"sex": "sex", "pay": "hourly", "bonus": "bonus"}


def hourly() -> pd.DataFrame:
    """Return 8 employees, of whom one woman and one man with a bonus are not on full pay."""
    rows = [("F", 18.0, 0, "yes"), ("F", 20.0, 100, "yes"), ("F", 30.0, 200, "no"), ("F", 16.0, 0, "yes")]
    rows += [("M", 20.0, 0, "yes"), ("M", 22.0, 300, "yes"), ("M", 24.0, 0, "yes"), ("M", 50.0, 500, "no")]
    return pd.DataFrame(rows, columns=["sex", "hourly", "bonus", "full_pay"])


@pytest.mark.parametrize(
    ("frame", "counted"),
    [
        (hourly(), {"pay": "full_pay = 'yes'"}),
        (hourly().assign(hourly=lambda t: t["hourly"].where(t["full_pay"] == "yes")), {}),
    ],
    ids=["a condition", "no number"],
)
def test_bonus_figures_count_all_employees_and_hourly_pay_those_on_full_pay(frame, counted):
    found = filled(frame, "uk_gender_pay_gap", columns=HOURS, counted=counted)
    tables = {pay.check.article.removeprefix("Regulation "): pay.table for pay in found.pay}
    assert [(tables[r].n, tables[r].missing) for r in ("8", "9", "13")] == [(6, 0 if counted else 2)] * 3
    assert [tables[r].rows[0].gap for r in ("8", "9")] == pytest.approx([(22 - 18) / 22] * 2)
    # Of all 4 women and 4 men, 2 each have a bonus: of 150 and of 400 on average.
    assert (tables["12"].n, tables["12"].rows[0].protected.value, tables["12"].rows[0].reference.value) == (8, 0.5, 0.5)
    assert [tables[r].rows[0].gap for r in ("10", "11")] == pytest.approx([(400 - 150) / 400] * 2)
    assert (found.sides[0].n_protected, found.n_population) == (4, 8)


def test_who_counts_is_a_fact_of_the_form_and_refused_where_the_rule_counts_all():
    found = filled(hourly(), "uk_gender_pay_gap", columns=HOURS, counted={"pay": "full_pay = 'yes'"})
    assert ("Hourly pay: who counts", "full_pay is yes") in facts(found)
    with pytest.raises(InputError, match="but the rule counts all"):
        filled(hourly(), "uk_gender_pay_gap", columns=HOURS, counted={"bonus": "full_pay = 'yes'"})
    with pytest.raises(InputError, match="but the rule counts all"):
        filled(counted={"pay": "bonus > 0"})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"compared": {"sex": "W"}}, "Nobody among the people looked at is counted as women"),
        ({"compared": {"sex": ["F", "M"]}}, "is on both sides"),
        ({"compared": {"category": "a"}, "columns": COLUMNS | {"category": "job"}}, "has no two sides"),
        ({"justified": {"z": "x"}}, "There is no category 'z'"),
        ({"remedied": {"z": "2027-01-01"}}, "There is no category 'z'"),
        ({"columns": {"sex": "sex"}}, "needs a column for"),
        ({"columns": COLUMNS | {"pay": "job"}}, "must hold numbers"),
        ({"where": "sex = 'F'"}, "counted as men"),
    ],
)
def test_bad_input_gets_one_sentence_and_a_hint(settings, said):
    with pytest.raises((GroupError, InputError)) as caught:
        filled(**settings)
    assert said in caught.value.message and caught.value.hint
    assert "\n" not in caught.value.message


def test_days_and_rules_without_marks_are_refused():
    with pytest.raises((FairauditError, ValueError)):
        PresetPlan(preset="eu_pay_transparency", columns=COLUMNS, remedied={"a": "soon"})
    columns = {"sex": "sex", "pay": "pay"}
    with pytest.raises(InputError, match="marks no category"):
        filled(preset="uk_gender_pay_gap", columns=columns, justified={"a": "x"})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('of = "pay"\n', ""), "does not name the role of pay"),
        (('of = "pay"', 'of = "sex"'), "no role of kind"),
        (('measure = "quarters"', 'measure = "quarters"\nstatistic = "median"'), "which is for pay_gap"),
        (('measure = "quarters"', 'measure = "quarters"\nthreshold = 0.8'), "which is for rates"),
        (("compared = [\n", "suggest_not = [\n"), "suggest_not"),
        (("mark_from = 0.05", "mark_from = 5"), "mark_from"),
        (('holds = ["basic", "variable"]', 'holds = ["sex"]'), "not both are roles of kind 'amount'"),
    ],
)
def test_a_file_of_a_form_that_cannot_be_meant_is_refused(change, said):
    from importlib import resources

    text = (resources.files("fairaudit.presets") / "eu_pay_transparency.toml").read_text(encoding="utf-8")
    assert change[0] in text
    with pytest.raises(PlanError, match=said):
        read_preset(text.replace(*change), "own.toml")


def test_women_and_men_are_known_in_other_languages_and_a_plan_names_others():
    for women, men in (("Frau", "Mann"), ("femme", "homme"), ("weiblich", "männlich")):
        frame = payroll()
        [sides] = filled(frame.assign(sex=frame["sex"].map({"F": women, "M": men}))).sides
        assert (sides.protected_values, sides.reference_values) == ((women,), (men,))


def test_a_form_on_pay_fills_a_question_into_the_audit():
    finding = filled()
    plan = fill_plan(PLAN, finding, Table.from_pandas(payroll()))
    [check] = plan.checks
    assert check.protected_name == "women" and "'M'" in check.where and plan.protected_columns == ("sex",)


def test_page_and_table_of_a_form_hold_each_article_and_each_figure():
    finding = filled()
    page, lines = preset_html(finding), preset_csv(finding).decode("utf-8-sig")
    for pay in finding.pay:
        assert pay.check.article in page and pay.check.article in lines
    assert "not legal advice" in page
    table = pd.read_csv(io.BytesIO(preset_csv(finding)))
    [row] = table[(table["table"] == pay_title(finding, finding.pay[0])) & (table["group"] == "all workers")].to_dict(
        "records"
    )
    assert (row["people_compared"], row["people_compared_with"]) == (5, 4)
    assert row["gap"] == pytest.approx(1 - (446 / 5) / 100)


def test_the_forms_name_their_dates_and_the_articles_of_their_checks():
    for key in ("eu_pay_transparency", "uk_gender_pay_gap"):
        preset = load_preset(key)
        assert all(check.article and check.asks for check in preset.checks)
    assert "7 June 2026" in load_preset("eu_pay_transparency").date


# What is hidden. An attacker who knows nothing of the ledger takes every number of people that is shown as an equation.


def staff(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(80, 160))
    jobs = rng.choice(["a", "b", "c", "d"], n, p=[0.5, 0.3, 0.15, 0.05])
    sex = rng.choice(["F", "M", "X"], n, p=[0.5, 0.46, 0.04]).astype(object)
    sex[rng.random(n) < 0.03] = None
    basic = np.round(rng.normal(3000, 400, n), 2)
    # Whoever has no basic pay has no pay: the attacker knows that the one is a part of the other.
    basic[rng.random(n) < 0.02] = np.nan
    bonus = np.where(rng.random(n) < 0.4, np.round(rng.uniform(50, 400, n), 2), 0.0)
    return pd.DataFrame({"sex": sex, "job": jobs, "pay": basic + bonus, "basic": basic, "bonus": bonus})


def masked(frame: pd.DataFrame, minimum: int = 10):
    part = PresetPlan(preset="eu_pay_transparency", columns=COLUMNS | {"basic": "basic"})
    small = SmallCellsPlan(mask=True, minimum=minimum)
    plan = PLAN.model_copy(update={"presets": (part,), "small_cells": small})
    return exported(run(plan, table=Table.from_pandas(frame)))


Atom = tuple[str | None, str, bool, bool]
"""Gender, job, whether somebody receives a bonus, and has a number for pay."""


def equations(result, atoms: list[Atom]) -> list[tuple[list[bool], int]]:
    """Return whom each number that is shown counts, and the number."""
    [finding] = result.presets
    [sides] = finding.sides
    everybody = [True] * len(atoms)
    found = [(everybody, result.data.n_rows), (everybody, finding.n_population)]
    values = {"protected": "F", "reference": "M"}
    for name, value in (*values.items(), ("others", "X"), ("unknown", None)):
        found.append(([sex == value for sex, *_ in atoms], getattr(sides, f"n_{name}")))
    for pay in finding.pay:
        among, is_bonus = pay.check.among == "receiving", pay.table.column == "bonus"
        inside = [(got or not among) and (there or is_bonus) for _, _, got, there in atoms]
        is_compared = [sex in ("F", "M") for sex, *_ in atoms]
        found.append(([one and two for one, two in zip(inside, is_compared, strict=True)], pay.table.n))
        if not among:
            found.append(([not one and two for one, two in zip(inside, is_compared, strict=True)], pay.table.missing))
        rows = pay.table.rows
        for name, value in values.items():
            of_side = [each and sex == value for each, (sex, *_) in zip(inside, atoms, strict=True)]
            sizes = [getattr(row, name).n for row in rows]
            if pay.table.statistic == "quarter":
                found.append((of_side, None if None in sizes else sum(sizes)))
                continue
            for row, n in zip(rows, sizes, strict=True):
                job, side = dict(row.values).get("job"), getattr(row, name)
                who = [each and job in (None, where) for each, (_, where, *_) in zip(of_side, atoms, strict=True)]
                found.append((who, n))
                if pay.table.statistic == "receiving" and side.value is not None and n is not None:
                    got_it = [each and got for each, (_, _, got, _) in zip(who, atoms, strict=True)]
                    found.append((got_it, round(side.value * n)))
    return [(who, n) for who, n in found if n is not None]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_no_small_number_of_people_can_be_worked_out(seed):
    frame = staff(seed)
    result = masked(frame)
    jobs = sorted(frame["job"].unique())
    atoms = list(itertools.product(("F", "M", "X", None), jobs, (True, False), (True, False)))
    known = equations(result, atoms)
    rows = np.array([who for who, _ in known], dtype=float)
    counts = np.array([n for _, n in known], dtype=float)
    limits = LinearConstraint(rows, counts, counts)
    genders = frame["sex"].astype(object).where(frame["sex"].notna(), None)
    for sex, job, part in itertools.product(("F", "M", "X", None), (None, *jobs), ("all", "receive", "paid")):
        kept = {"all": frame["pay"].notna() | True, "receive": frame["bonus"] > 0, "paid": frame["pay"].notna()}[part]
        true = int(sum(kept & (genders.map(lambda one, sex=sex: one == sex)) & (frame["job"] == job if job else True)))
        if not 0 < true < 10:
            continue
        who = [
            each == sex and job in (None, where) and {"all": True, "receive": got, "paid": there}[part]
            for each, where, got, there in atoms
        ]
        ends = []
        for sign in (1, -1):
            solved = milp(
                sign * np.array(who, float),
                constraints=limits,
                integrality=np.ones(len(atoms)),
                bounds=Bounds(0, 999),
            )
            assert solved.x is not None, (seed, solved.message)
            ends.append(round(sign * solved.fun))
        assert ends[1] - ends[0] >= 5, (seed, sex, job, part, true, ends)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_no_small_number_of_those_who_alone_count_can_be_worked_out(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(80, 160))
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], n), "pay": np.round(rng.normal(20, 4, n), 2)})
    frame["full"] = np.where(rng.random(n) < 0.93, "yes", "no")
    frame["bonus"] = np.where(rng.random(n) < 0.5, np.round(rng.uniform(50, 400, n), 2), 0.0)
    columns = {"sex": "sex", "pay": "pay", "bonus": "bonus"}
    part = PresetPlan(preset="uk_gender_pay_gap", columns=columns, counted={"pay": "full = 'yes'"})
    plan = PLAN.model_copy(update={"presets": (part,), "small_cells": SmallCellsPlan(mask=True, minimum=10)})
    [found] = exported(run(plan, table=Table.from_pandas(frame))).presets
    [sides] = found.sides
    atoms = list(itertools.product("FM", ("yes", "no"), (True, False)))
    known = [([True] * 8, n)]
    for name, value in (("protected", "F"), ("reference", "M")):
        known.append(([sex == value for sex, *_ in atoms], getattr(sides, f"n_{name}")))
        for pay in found.pay:
            among, hourly_pay = pay.check.among == "receiving", pay.table.column == "pay"
            who = [
                sex == value and (full == "yes" or not hourly_pay) and (got or not among) for sex, full, got in atoms
            ]
            size = [getattr(row, name).n for row in pay.table.rows]
            known.append((who, None if None in size else sum(size)))
            side = getattr(pay.table.rows[0], name)
            if pay.table.statistic == "receiving" and None not in (side.n, side.value):
                got_it = [one and got for one, (_, _, got) in zip(who, atoms, strict=True)]
                known.append((got_it, round(side.value * side.n)))
            whole = [(full == "yes" or not hourly_pay) and (got or not among) for _, full, got in atoms]
            known.append((whole, pay.table.n))
    known = [(who, number) for who, number in known if number is not None]
    limits = np.array([number for _, number in known], dtype=float)
    rows = LinearConstraint(np.array([who for who, _ in known], dtype=float), limits, limits)
    for sex, full in itertools.product(("F", "M"), ("yes", "no")):
        true = int(((frame["sex"] == sex) & (frame["full"] == full)).sum())
        if not 0 < true < 10:
            continue
        target = np.array([each == sex and there == full for each, there, _ in atoms], float)
        bounds = Bounds(0, 999)
        ends = [
            round(sign * milp(sign * target, constraints=rows, integrality=np.ones(8), bounds=bounds).fun)
            for sign in (1, -1)
        ]
        assert ends[1] - ends[0] >= 5, (seed, sex, full, true, ends)


@pytest.mark.parametrize("seed", range(4))
def test_medians_that_are_shown_are_had_by_several_people_and_quarters_are_large_or_hidden(seed):
    frame = staff(seed)
    [finding] = masked(frame).presets
    for pay in finding.pay:
        own = frame[frame["bonus"] > 0] if pay.check.among == "receiving" else frame
        for row in pay.table.rows:
            for name, value in (("protected", "F"), ("reference", "M")):
                side = getattr(row, name)
                if pay.table.statistic == "median" and side.value is not None:
                    amounts = own.loc[own["sex"] == value, pay.table.column]
                    digits = [float(f"{amount:.1g}") == float(f"{side.value:.1g}") for amount in amounts]
                    assert sum(digits) >= 10, (seed, pay.check.article, side)
                if pay.table.statistic == "quarter":
                    assert side.n is None or side.n >= 10
            if pay.table.statistic == "median" and row.gap is not None and not math.isnan(row.gap):
                shown = (row.reference.value - row.protected.value) / row.reference.value
                assert row.gap == pytest.approx(shown)


def test_quarters_are_hidden_where_another_question_divides_people_by_pay():
    from fairaudit.plan.questions import CheckPlan

    frame = staff(3)
    frame = frame[frame["sex"].isin(["F", "M"]) & frame["pay"].notna()]
    part = PresetPlan(preset="uk_gender_pay_gap", columns={"sex": "sex", "pay": "pay"})
    small = SmallCellsPlan(mask=True, minimum=5)
    plan = PLAN.model_copy(update={"presets": (part,), "small_cells": small})
    table = Table.from_pandas(frame)

    def shown(plan):
        [finding] = exported(run(plan, table=table)).presets
        return next(pay for pay in finding.pay if pay.table.statistic == "quarter").table.rows[0].protected.n

    assert shown(plan) is not None
    check = CheckPlan(protected="sex = 'F'", where="pay > 2500")
    assert shown(plan.model_copy(update={"checks": (check,)})) is None


@pytest.mark.parametrize(
    ("basic", "said"),
    [
        (lambda frame: frame["pay"] - frame["bonus"], []),
        (lambda frame: frame["pay"], ["'pay' is less than 'basic' and 'bonus'"]),
    ],
)
def test_a_column_of_pay_that_does_not_hold_its_components_is_said(basic, said):
    frame = payroll().assign(basic=lambda frame: basic(frame))
    notes = [
        note for note in own_notes(filled(frame, columns=COLUMNS | {"basic": "basic"})) if "all components" in note
    ]
    assert len(notes) == len(said) and all(text in note for text, note in zip(said, notes, strict=True))


def test_of_several_columns_of_pay_nothing_is_said_of_their_components():
    frame = payroll().assign(
        basic=lambda frame: frame["pay"] - frame["bonus"], hourly=lambda frame: frame["pay"] / 1800
    )
    columns = COLUMNS | {"pay": ("pay", "hourly"), "basic": "basic"}
    assert not [note for note in own_notes(filled(frame, columns=columns)) if "all components" in note]


@pytest.mark.parametrize(
    ("names", "pay"),
    [
        (("Geschlecht", "Grundgehalt", "Zulage", "Gesamtgehalt"), "Gesamtgehalt"),
        (("sexo", "salario base", "complemento", "salario total"), "salario total"),
        (("sex", "assessor", "Grundentgelt"), None),
    ],
)
def test_basic_pay_is_not_suggested_for_all_pay(names, pay):
    columns = {
        name: Column(name, "text" if place == 0 or name == "assessor" else "number") for place, name in enumerate(names)
    }
    found = suggest_columns(load_preset("eu_pay_transparency"), columns)
    assert found.get("pay") == pay and found["basic"] == next(
        name for name in names if "rund" in name or "base" in name
    )
    assert found["sex"] == names[0]


# A table of means: what is published by category, with how many women and men there are.

HEADS = {"women": "n women", "men": "n men"}
MEANS = {"women": "base women", "men": "base men"}


def published() -> pd.DataFrame:
    """Two categories, 4 % and 12 % apart."""
    frame = pd.DataFrame({"category": ["grade 1", "grade 2"], "n women": [40, 35], "n men": [60, 70]})
    return frame.assign(**{"base women": [24_000.0, 44_000.25], "base men": [25_000.0, 50_000.0]})


def from_means(**settings):
    table = Table.from_pandas(published(), counts=HEADS, means=MEANS)
    columns = {"sex": "women or men", "category": "category", "pay": "base", "basic": "base", "variable": "base"}
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="base", amount=True))
    return table, plan, PresetPlan(preset="eu_pay_transparency", columns=columns, **settings)


def test_gaps_are_computed_from_means_of_categories_and_nothing_else_is():
    found = run_preset(*from_means())
    [by_category] = [pay for pay in found.pay if pay.check.mark_from is not None]
    assert [round(100 * row.gap, 4) for row in by_category.table.rows] == [4.0, 11.9995]
    assert [(row.protected.n, row.reference.n) for row in by_category.table.rows] == [(40, 60), (35, 70)]
    assert readings(found)["grade 2"].key == "form-row-open" and read_form(found).verdict == "marked"
    [overall] = [pay for pay in found.pay if pay.check.article == "Article 9(1)(a)"]
    women, men = (40 * 24_000 + 35 * 44_000.25) / 75, (60 * 25_000 + 70 * 50_000) / 130
    assert math.isclose(overall.table.rows[0].gap, 1 - women / men)
    unknowable = [pay.check.article for pay in found.pay if pay.is_unknowable]
    assert unknowable == [f"Article 9(1)({letter})" for letter in "bcddef"]
    assert all(math.isnan(row.interval.low) for pay in found.pay for row in pay.table.rows)


def test_what_cannot_be_known_from_means_is_said_in_its_cells():
    found, cannot = run_preset(*from_means()), say(Message("form-item-of-means"))
    stated = {row[:2]: row[2:] for row in stated_table(found).rows}
    assert sum(cannot in cells for cells in stated.values()) == 6
    for position, pay in enumerate(found.pay):
        for row in row_texts(pay_table(found, pay, 1, position)):
            assert cannot in row
    lines = preset_csv(found).decode().splitlines()
    assert sum(cannot in line for line in lines) == sum(max(1, len(pay.table.rows)) for pay in found.pay)
    assert preset_html(found).count(f">{cannot}<") == 6 + sum(len(pay.table.rows) for pay in found.pay)
    said = " ".join(how_computed(found))
    keys = ("form-how-receiving", "form-how-quarters")
    assert not any(say(Message(key)) in said for key in keys)


def test_small_counts_are_not_hidden_in_a_form_of_means():
    table, plan, part = from_means()
    hidden = plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True, minimum=10), "presets": (part,)})
    with pytest.raises(DisclosureError, match="'base' holds means of several people"):
        exported(run(hidden, table=table))
    assert exported(run(plan.model_copy(update={"presets": (part,)}), table=table)).presets[0].pay


def test_a_form_asks_whether_an_amount_is_a_mean_before_it_is_filled():
    frame = pd.DataFrame({"sex": list("FM") * 3, "job": list("aabbcc"), "n": [9, 8, 30, 4, 5, 60]})
    frame["pay"] = [94.1, 96.2, 100.3, 110.4, 90.5, 97.6]
    columns = {"sex": "sex", "category": "job", "pay": "pay"}
    part = PresetPlan(preset="eu_pay_transparency", columns=columns)
    with pytest.raises(InputError, match="--no-means"):
        run_preset(Table.from_pandas(frame, counts="n"), PLAN, part)
    means = run_preset(Table.from_pandas(frame, counts="n", means="pay"), PLAN, part)
    each = run_preset(Table.from_pandas(frame, counts="n", means=()), PLAN, part)
    gaps = [[row.gap for pay in found.pay if len(pay.roles) > 1 for row in pay.table.rows] for found in (means, each)]
    assert np.allclose(*gaps)
    assert not any(pay.of_means for pay in each.pay)


def test_a_column_that_is_called_after_both_sides_is_suggested():
    columns = {name: Column(name, "text") for name in ("site", "Frauen or Männer")}
    assert suggest_columns(load_preset("eu_pay_transparency"), columns)["sex"] == "Frauen or Männer"
