"""What a change says, as readings and keys: verdict, headline and lead follow from one reading."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairaudit import run
from fairaudit.errors import require
from fairaudit.findings import Group, Message, Phrase, Points, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, NamesPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan
from fairaudit.sections.change import not_said, read_change, recording_sentences, say_change, say_recording
from fairaudit.sections.change.answering import run_change
from fairaudit.sections.change.charts import change_chart, change_chart_text
from fairaudit.sections.change.reading import answers_of, quantity_of
from fairaudit.sections.change.section import without_answer

MEN = 0.8


def people(shares: dict[tuple[int, str], float], n: int = 400) -> pd.DataFrame:
    """Return n people for each year and sex, of whom a share was approved; both grades alike."""
    parts = [
        pd.DataFrame(
            {
                "year": year,
                "sex": sex,
                "grade": np.where(np.arange(n) % 2, "a", "b"),
                "good": np.where(np.arange(n) // 2 < round(share * n / 2), "yes", "no"),
            }
        )
        for (year, sex), share in shares.items()
    ]
    return pd.concat(parts, ignore_index=True)


def change(data: pd.DataFrame, *, cuts=(2,), decision=None, second=None, **asked):
    """Return the answer to one question about women and men."""
    periods = {"column": "year", "cuts": cuts} if second is None else {"second": "later.csv"}
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=decision or OutcomePlan(column="good", favorable=("yes",), verb="were approved"),
        names=NamesPlan(strata={"grade": "in the same grade"}),
        changes=(ChangePlan(protected="sex = 'f'", protected_name="women", others_name="men", **periods, **asked),),
    )
    return run_change(data, plan, plan.changes[0], second=second)


def two(before: float, after: float, *, n: int = 400, men: float = MEN, **asked):
    return change(people({(1, "f"): before, (1, "m"): men, (3, "f"): after, (3, "m"): men}, n), **asked)


def keys_of(finding) -> list[str]:
    return [message.key for message in say_change(finding).lead]


@pytest.mark.parametrize(
    ("before", "after", "n", "verdict", "headline", "sure_"),
    [
        (0.55, 0.75, 400, "gap_smaller", "change-headline-smaller", "change-sure-clear"),
        (0.55, 0.35, 400, "gap_larger", "change-headline-larger", "change-sure-clear"),
        (0.65, 0.95, 400, "gap_turned_around", "change-headline-turned", "change-sure-clear"),
        (0.55, 0.56, 400, "gap_may_not_have_changed", "change-headline-open", "change-sure-open"),
        (0.79, 0.81, 400, "gap_may_not_have_changed", "change-headline-open", "change-sure-open-sided"),
        (0.55, 0.55, 20_000, "gap_unchanged", "change-headline-unchanged", "change-sure-same"),
        (0.55, 0.58, 20_000, "gap_smaller", "change-headline-smaller", "change-sure-small"),
    ],
)
def test_the_verdict_decides_chip_headline_and_how_sure(before, after, n, verdict, headline, sure_):
    one = two(before, after, n=n)
    said = say_change(one)
    assert read_change(one).verdict == verdict
    assert said.verdict.key == f"verdict-{verdict.replace('_', '-')}" and said.headline.key == headline
    assert keys_of(one)[1] == sure_ and len(said.lead) <= 3


def test_a_gap_on_the_other_side_is_called_smaller_only_where_all_that_fits_is_smaller():
    # From 30 points less to about as often: nothing that fits the later period is as large.
    assert read_change(two(0.5, 0.81)).verdict == "gap_smaller"
    # From 6 points less, which may be chance with so few, to 12 more: neither size is known to be the larger one.
    few = two(0.74, 0.92, n=150)
    assert read_change(few).verdict == "gap_changed" and say_change(few).headline.key == "change-headline-changed"


def test_a_gap_that_is_said_to_be_smaller_is_smaller_as_it_is_written():
    one = two(0.5503, 0.5597, n=10_000, men=0.9)
    wide = replace(require(one.result), verdict="gap_smaller")
    one = replace(one, result=wide)
    sizes = [say(Message("change-points", {"size": quantity_of(one).size(a.difference), "first": Word("no")}))
             for a in answers_of(one)]  # fmt: skip
    assert sizes[0] != sizes[1]


def test_both_gaps_have_the_verb_of_the_audit_and_equal_ones_are_said_once():
    said = say_change(two(0.55, 0.75))
    assert said.lead[0].key == "change-lead-both"
    assert say(said.lead[0]) == (
        "Women were approved 25 percentage points less often before 2, and 5 points less often from 2."
    )
    assert dict(said.headline.args)["others"] == Group("men")
    same = say_change(two(0.55, 0.55)).lead[0]
    assert same.key == "change-lead-same" and dict(dict(same.args)["before"].args)["size"] == Points(
        pytest.approx(0.25)
    )


def test_the_verb_of_the_result_that_is_not_favorable_turns_the_direction():
    denied = OutcomePlan(column="good", favorable=("yes",), unfavorable_verb="were denied")
    said = say_change(two(0.55, 0.75, decision=denied))
    assert "were denied 25 percentage points more often" in say(said.lead)


def test_similar_cases_say_whether_the_mix_changed_or_the_rates():
    def cells(women_in_a: tuple[int, int], rate_a: float, rates_b: tuple[float, float]) -> pd.DataFrame:
        parts = []
        for year, n_a, rate_b in zip((1, 3), women_in_a, rates_b, strict=True):
            for sex, n, grade, rate in (
                ("f", n_a, "a", rate_a), ("f", 4_000 - n_a, "b", rate_b), ("m", 2_000, "a", rate_a),
                ("m", 2_000, "b", rates_b[0]),
            ):  # fmt: skip
                good = np.where(np.arange(n) < rate * n, "yes", "no")
                parts.append(pd.DataFrame({"year": year, "sex": sex, "grade": grade, "good": good}))
        return pd.concat(parts, ignore_index=True)

    other_mix = change(cells((3_200, 2_000), 0.3, (0.7, 0.7)), strata=("grade",))
    other_rates = change(cells((2_000, 2_000), 0.3, (0.7, 0.4)), strata=("grade",))
    both = change(cells((3_200, 2_000), 0.3, (0.7, 0.5)), strata=("grade",))
    assert [read_change(one).mix for one in (other_mix, other_rates, both)] == ["mix", "rates", "both"]
    assert [keys_of(one)[-1] for one in (other_mix, other_rates)] == ["change-mix-mix", "change-mix-rates"]
    assert dict(say_change(other_rates).lead[-1].args)["similar"] == Phrase("in the same grade")
    # What is not clear is not said.
    assert read_change(two(0.55, 0.56, strata=("grade",))).mix is None


def test_more_periods_have_one_test_and_who_stands_out():
    def over(*women: float):
        shares = {(i, "f"): w for i, w in enumerate(women)} | {(i, "m"): MEN for i in range(len(women))}
        return change(people(shares), cuts=tuple(range(1, len(women))))

    same, out = over(0.6, 0.6, 0.6, 0.6), over(0.6, 0.6, 0.6, 0.3)
    assert keys_of(same) == ["change-lead-same", "change-sure-line-open"]
    assert read_change(same).verdict == "gap_may_not_have_changed"
    assert read_change(out).verdict == "gap_changed" and keys_of(out)[:2] == ["change-lead-line", "change-sure-line"]
    assert say_change(out).headline.key == "change-headline-line-changed"
    assert set(read_change(out).standing_out) >= {3}
    assert keys_of(over(0.75, 0.85, 0.6))[0] == "change-lead-line-both"


def test_amounts_are_said_in_their_unit():
    rng = np.random.default_rng(3)
    data = people({(1, "f"): 1.0, (1, "m"): 1.0, (3, "f"): 1.0, (3, "m"): 1.0})
    mean = 3_000.0 - 200.0 * (data["sex"] == "f") * np.where(data["year"] == 1, 1, 3)
    data["pay"] = (mean + rng.normal(0, 50, len(data))).round()
    one = change(data, decision=OutcomePlan(column="pay", amount=True, verb="were paid"))
    assert read_change(one).verdict == "gap_larger" and "points" not in say(say_change(one).lead)
    assert quantity_of(one).kind == "amount"


def test_another_recording_is_a_caution_and_other_people_are_none():
    data = people({(1, "f"): 0.5, (1, "m"): 0.8, (3, "f"): 0.5, (3, "m"): 0.8})
    later = data.assign(sex=data["sex"].where(data["sex"] == "f", "M"))
    alike, other = change(data), change(data, second=later)
    assert read_change(alike).recorded == "alike" and require(say_recording(alike)).key == "change-recorded-alike"
    assert [message.key for message in say_change(alike).caution] == ["change-not-why"]
    assert [m.key for m in say_change(other).caution] == ["change-recorded-otherwise", "change-not-why"]
    assert recording_sentences(other) and not recording_sentences(alike)


def test_one_decision_in_both_periods_leaves_nothing_to_compare():
    one = two(1.0, 1.0, men=1.0)
    said = say_change(one)
    assert read_change(one).verdict == "nothing_to_compare" and not said.lead
    assert said.headline.key == "check-headline-one-decision"


def test_hidden_figures_leave_no_figure_and_say_what_to_do():
    said = say_change(without_answer(two(0.55, 0.75)))
    assert said.verdict.key == "verdict-not-shown" and not any(character.isdigit() for character in say(said.lead))
    assert say_recording(without_answer(two(0.55, 0.75))) is None and len(not_said()) == 3


@pytest.mark.parametrize("narrow", [False, True])
def test_the_chart_draws_both_groups_in_each_period_with_their_numbers(narrow):
    one = two(0.55, 0.75)
    drawn = change_chart(one, narrow=narrow).to_dict()
    texts = [row.get("text") for rows in drawn["datasets"].values() for row in rows]
    assert {"55%", "75%", "80%", "women", "men", "25 points apart", "5 points apart"} <= set(texts)
    assert all(number in change_chart_text(one) for number in ("55%", "75%", "80%"))


def test_a_plan_names_the_others_and_without_that_they_are_everyone_else():
    data = people({(1, "f"): 0.55, (1, "m"): 0.8, (3, "f"): 0.75, (3, "m"): 0.8})
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="good", favorable=("yes",)),
        changes=(ChangePlan(protected="sex = 'f'", column="year", cuts=(2,)),),
    )
    [found] = run(plan, table=data).changes
    assert found.names.others == Group()
    assert AuditPlan.from_toml(plan.to_toml()) == plan
