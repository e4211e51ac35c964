"""Whether a gap changed: against the definition, simulations under no change, and tables recorded otherwise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from shown import shows
from statsmodels.stats.oneway import anova_oneway
from sweeps import part_of

from fairaudit import check_controlled_fairness, compare_periods
from fairaudit.data import ReadOptions, read_table
from fairaudit.data.given import as_table
from fairaudit.errors import FairauditError, GroupError, InputError
from fairaudit.measure.intervals import holm
from fairaudit.measure.period_questions import Span
from fairaudit.measure.period_results import CHANGED, recorded_otherwise
from fairaudit.measure.periods import compare_spans, homogeneity, homogeneity_of_means, period_columns, spans_of

QUESTION = {"decision": "got", "favorable": "yes", "protected": "sex = 'F'"}
GERMAN = Path("../shared/data/german_credit.csv")


def drawn(n=600, *, seed=0, mix=0.5, better=0.0, level=0.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["F", "M"], n)
    area = np.where(rng.random(n) < np.where(sex == "F", mix, 0.5), "a", "b")
    chance = 0.4 + level + 0.2 * (area == "a") - (0.1 - better) * (sex == "F")
    return pd.DataFrame({"sex": sex, "area": area, "got": np.where(rng.random(n) < chance, "yes", "no")})


def split_by_hand(before: pd.DataFrame, after: pd.DataFrame) -> tuple[float, float]:
    """Return mix and rates by their definition."""
    whole = np.zeros(2)
    for sign, sex in ((1, "F"), (-1, "M")):
        for area in ("a", "b"):
            own = []
            for year in (before, after):
                group = year[year["sex"] == sex]
                inside = group[group["area"] == area]
                own.append((len(inside) / len(group), (inside["got"] == "yes").mean()))
            (w0, r0), (w1, r1) = own
            whole += sign * np.array([(w1 - w0) * (r0 + r1) / 2, (r1 - r0) * (w0 + w1) / 2])
    return tuple(whole)


def test_both_answers_are_those_of_the_check_and_the_change_is_their_difference():
    before, after = drawn(), drawn(seed=1, better=0.2)
    found = compare_periods(before, after, **QUESTION)
    answers = [check_controlled_fairness(year, **QUESTION) for year in (before, after)]
    assert [found.before, found.after] == answers
    assert found.change == answers[1].difference - answers[0].difference
    assert (found.mix, found.rates) == (0.0, found.change)


@pytest.mark.thorough
@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_mix_and_rates_are_kitagawas_and_add_up_to_the_change(seed):
    before, after = drawn(200, seed=seed), drawn(300, seed=seed + 1, mix=0.8)
    found = compare_periods(before, after, **QUESTION, strata="area")
    assert (found.mix, found.rates) == pytest.approx(split_by_hand(before, after), abs=1e-12)
    assert found.mix + found.rates == pytest.approx(found.change, abs=1e-12)
    turned = compare_periods(after, before, **QUESTION, strata="area")
    assert (turned.mix, turned.rates) == pytest.approx((-found.mix, -found.rates), abs=1e-12)
    assert tuple(turned.change_interval) == pytest.approx((-found.change_interval.high, -found.change_interval.low))


def test_a_stratum_of_one_period_is_mix_alone():
    before = drawn()
    new = drawn(200, seed=3).assign(area="new")
    found = compare_periods(before, pd.concat([before, new]), **QUESTION, strata="area")
    assert found.rates == pytest.approx(0.0, abs=1e-12)
    assert found.mix == pytest.approx(found.change, abs=1e-12)


def test_a_change_is_called_one_and_no_change_between_large_alike_tables_is_called_the_same():
    assert compare_periods(drawn(4_000), drawn(4_000, seed=1, better=0.15), **QUESTION).verdict in CHANGED
    assert compare_periods(drawn(40_000), drawn(40_000, seed=1), **QUESTION).verdict == "gap_unchanged"
    small = compare_periods(drawn(150), drawn(150, seed=1), **QUESTION)
    assert small.verdict == "gap_may_not_have_changed" and small.p_value > 0.05


@pytest.mark.thorough
def test_the_p_value_says_what_the_interval_says():
    for seed in range(30):
        found = compare_periods(drawn(150, seed=seed), drawn(150, seed=seed + 100, better=0.2), **QUESTION)
        assert (found.p_value < 0.05) == (found.verdict in CHANGED)


@pytest.mark.thorough
def test_few_pairs_without_a_change_are_called_changed():
    called = [
        compare_periods(drawn(120, seed=seed), drawn(120, seed=seed + 5_000), **QUESTION).verdict for seed in range(120)
    ]
    # At most 5.5 % in the long run; of 120, with a chance of one in a thousand, 15 or more.
    assert sum(verdict in CHANGED for verdict in called) <= 14


@pytest.mark.thorough
@pytest.mark.parametrize(("periods", "n"), [(5, 200), (50, 30), (50, 200), (200, 60)])
def test_one_test_over_all_keeps_its_error_however_many_periods(periods, n):
    rng = np.random.default_rng(periods * n)
    called = out = 0
    for _ in range(1_000):
        rest = rng.uniform(0.25, 0.75, periods)
        size = np.column_stack([np.full(periods, n // 3), np.full(periods, n)])
        good = rng.binomial(size, np.column_stack([rest - 0.1, rest])).astype(float)
        _, p_value, alone = homogeneity(good, size.astype(float))
        called += p_value < 0.05
        out += holm(alone).min() < 0.05
    # 50 of 1,000 are expected; with a chance of one in a thousand, 73 or more.
    assert called <= 72
    assert out <= 72


def test_a_period_that_stands_out_is_found_among_many():
    tables = [drawn(400, seed=i, better=0.35 if i == 7 else 0.0) for i in range(20)]
    line = compare_spans([Span(str(i), as_table(t)) for i, t in enumerate(tables)], **QUESTION)
    assert line.changed
    assert line.periods["adjusted_p_value"].idxmin() == 7 and line.periods["adjusted_p_value"][7] < 0.05


def test_five_windows_of_german_credit_could_be_nothing():
    if not GERMAN.is_file():
        pytest.skip(f"{GERMAN} is not there")
    data = pd.read_csv(GERMAN)
    windows = [data.iloc[200 * i : 200 * (i + 1)] for i in range(5)]
    question = {"decision": "credit_risk", "favorable": "good", "protected": "sex = 'female'"}
    assert not compare_spans([Span(str(i), as_table(w)) for i, w in enumerate(windows)], **question).changed
    assert compare_periods(windows[0], windows[4], **question).verdict == "gap_may_not_have_changed"


def test_a_cut_with_dots_is_read_in_the_order_of_the_file():
    data = "got,sex,day\n" + "".join(f"yes,F,0{month}/0{day}/2024\n" for month in range(1, 10) for day in range(1, 10))
    for order, word in (("day first", "2024-04-03"), ("month first", None)):
        table = read_table(data.encode(), options=ReadOptions(dates=order))
        if word is None:
            with pytest.raises(InputError, match=r"must be a day such as 2024-01-01, got '03\.04\.2024'"):
                spans_of(table, "day", ["03.04.2024"])
        else:
            assert spans_of(table, "day", ["03.04.2024"])[1].name == f"from {word}"


def test_periods_are_cut_by_days_numbers_and_months_and_never_by_the_decision():
    data = drawn().assign(month="2024-05", wait=3.5, paid=1.0, code="2024-13")
    assert period_columns(as_table(data), "wait") == ("month", "paid")


def test_a_table_is_cut_by_a_column_of_dates_months_or_numbers():
    data = drawn()
    data["day"] = pd.to_datetime("2023-01-01") + pd.to_timedelta(np.arange(len(data)), unit="D")
    data["year"] = data["day"].dt.year
    data["month"] = data["day"].dt.strftime("%Y-%m")
    days = (("day", "2024-01-01"), ("day", "1.1.2024"), ("day", "2024-01"), ("month", "2024-01"))
    for column, cut in (*days, ("year", 2024)):
        spans = spans_of(data, column, [cut])
        counted = [int(span.table.count(span.where)) for span in spans]
        assert counted == [365, 235]
        whole = compare_spans(spans, **QUESTION, cut_by=column)
        parts = [
            check_controlled_fairness(data[(data["year"] >= 2024) == later], **QUESTION) for later in (False, True)
        ]
        assert [a.difference for a in whole.answers] == [p.difference for p in parts]
        assert not any(column in difference.column for difference in whole.profile)


@pytest.mark.parametrize(
    ("changed", "change", "key", "facts"),
    [
        (
            lambda t: t.assign(got=t["got"].str.upper().where(t["got"] == "no", t["got"])),
            "spelling",
            "profile-spelling",
            {},
        ),
        (lambda t: t.drop(columns="area"), "column_gone", "profile-gone", {}),
        (lambda t: t.assign(more=1), "column_new", "profile-new", {}),
        (lambda t: t.assign(area=range(len(t))), "kind", "profile-kind", {"before": "text", "after": "number"}),
        (lambda t: t.assign(area=t["area"].where(t.index % 3 > 0)), "missing", "profile-missing", {}),
        (lambda t: t.assign(area=t["area"].replace("a", "z")), "values_gone", "profile-values-gone", {"values": "'a'"}),
        (lambda t: t.assign(area=t["area"].replace("a", "z")), "values_new", "profile-values-new", {"values": "'z'"}),
        (lambda t: t.assign(sex=np.where(t.index % 5 > 0, "F", "M")), "shares", "profile-shares", {}),
    ],
    ids=["spelling", "gone", "new", "kind", "missing", "value gone", "value new", "shares"],
)
def test_another_recording_is_said(changed, change, key, facts):
    before = drawn()
    found = compare_periods(before, changed(drawn(seed=1)), **QUESTION).profile
    [sentence] = [difference.sentence for difference in found if difference.change == change]
    assert shows(sentence, key, **facts)


def test_tables_recorded_alike_have_no_difference():
    assert compare_periods(drawn(), drawn(seed=1), **QUESTION).profile == ()


def test_a_rare_value_that_happens_not_to_occur_is_no_other_recording():
    before = drawn()
    before.loc[before.index[:3], "area"] = "rare"
    assert compare_periods(before, drawn(seed=1), **QUESTION).profile == ()


def decided(rates: tuple[float, float], *, seed: int, n: int = 2_000) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["F", "M"], n)
    chance = np.where(sex == "F", *rates)
    return pd.DataFrame(
        {"sex": sex, "area": rng.choice(["a", "b"], n), "ok": np.where(rng.random(n) < chance, "y", "n")}
    )


LATER = [[0.42, 0.5], [0.5, 0.5], [0.3, 0.3], [1.0, 1.0]]


@pytest.mark.parametrize("later", part_of(LATER, LATER[:1], rest="thorough"))
def test_another_treatment_is_no_other_recording(later):
    question = {"decision": "ok", "favorable": "y", "protected": "sex = 'F'"}
    found = [
        compare_periods(decided((0.3, 0.5), seed=seed), decided(later, seed=seed + 100), **question).profile
        for seed in range(12)
    ]
    assert found == [()] * 12


def test_other_people_are_named_and_are_no_other_recording():
    after = drawn(seed=1).assign(sex=lambda t: np.where(t.index % 5 > 0, "F", "M"))
    people = compare_periods(drawn(), after, **QUESTION).profile
    assert [(d.column, d.change, d.matters) for d in people] == [("sex", "shares", True)]
    assert not recorded_otherwise(people)
    spelled = drawn(seed=1).assign(got=lambda t: t["got"].str.upper().where(t["got"] == "no", t["got"]))
    assert recorded_otherwise(compare_periods(drawn(), spelled, **QUESTION).profile)


def test_what_the_question_depends_on_comes_first():
    after = drawn(seed=1).assign(other=1, sex=lambda t: np.where(t.index % 5 > 0, "F", "M"))
    assert [d.matters for d in compare_periods(drawn(), after, **QUESTION).profile] == [True, False]


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (lambda t: t.drop(columns="got"), "In the period “after”: There is no column 'got'"),
        (
            lambda t: t.assign(got=t["got"].map({"yes": "1", "no": "0"})),
            "In the period “after”: Column 'got' has no value 'yes'",
        ),
        (lambda t: t.assign(sex="M"), "In the period “after”: The protected group"),
        (lambda t: t.assign(sex=1), "In the period “after”: "),
        (lambda t: t.iloc[:0], "In the period “after”"),
    ],
    ids=["no decision", "another coding", "nobody protected", "another kind", "no rows"],
)
def test_a_period_in_which_the_question_cannot_be_asked_is_named(after, words):
    with pytest.raises(FairauditError, match=words):
        compare_periods(drawn(), after(drawn(seed=1)), **QUESTION)


def test_dates_as_texts_are_refused_with_what_makes_them_dates(tmp_path):
    frame = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=60).strftime("%Y-%m-%d"), "n": range(60)})
    with pytest.raises(InputError, match="'day' holds text values") as caught:
        spans_of(frame, "day", ["2024-02-01"])
    assert "to_datetime" in caught.value.hint
    assert len(spans_of(frame.assign(day=pd.to_datetime(frame["day"])), "day", ["2024-02-01"])) == 2
    frame.to_csv(tmp_path / "days.csv", index=False)
    assert len(spans_of(read_table(tmp_path / "days.csv"), "day", ["2024-02-01"])) == 2, "a file's are read as dates"


def test_cuts_that_cannot_be_made_are_refused():
    data = drawn().assign(year=2024)
    with pytest.raises(InputError, match="column of dates, months or numbers"):
        spans_of(data, "area", ["a"])
    with pytest.raises(InputError, match="at least one cut"):
        spans_of(data, "year", [])
    with pytest.raises(InputError, match="must differ"):
        spans_of(data, "year", [2024, 2024])
    for cut in ("2024 OR year > 2000", "last", None, np.nan):
        with pytest.raises(InputError, match="must be a number"):
            spans_of(data, "year", [cut])
    with pytest.raises(InputError, match="must be a day such as"):
        spans_of(data.assign(day=pd.Timestamp("2024-05-05")), "day", ["2024-02-30"])
    for cut in ("2024-13", "2024-05-05", "2024"):
        with pytest.raises(InputError, match="must be a month such as"):
            spans_of(data.assign(month="2024-05"), "month", [cut])
    with pytest.raises(GroupError, match="before 2024"):
        spans_of(data, "year", [2024])
    with pytest.raises(InputError, match="from 2 to 200 periods"):
        compare_spans([Span("all", as_table(data))], **QUESTION)


def paid(n=400, *, seed=0, less=0.0, mix=0.5, spread=300.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["F", "M"], n)
    area = np.where(rng.random(n) < np.where(sex == "F", mix, 0.5), "a", "b")
    pay = 2_000 + 400 * (area == "a") - (200 + less) * (sex == "F") + rng.normal(0, spread, n)
    return pd.DataFrame({"sex": sex, "area": area, "pay": pay.round()})


AMOUNT = {"decision": "pay", "protected": "sex = 'F'"}


def test_amounts_are_compared_by_their_means_and_split_by_mix_and_rates():
    before, after = paid(), paid(seed=1, less=300, mix=0.8)
    found = compare_periods(before, after, **AMOUNT, strata="area")
    gaps = [year.groupby("sex")["pay"].mean() for year in (before, after)]
    gaps = [mean["F"] - mean["M"] for mean in gaps]
    assert [found.before.difference, found.after.difference] == pytest.approx(gaps)
    assert found.mix + found.rates == pytest.approx(found.change) and found.change == pytest.approx(gaps[1] - gaps[0])
    whole = np.zeros(2)
    for sign, sex in ((1, "F"), (-1, "M")):
        for area in ("a", "b"):
            own = [year[year["sex"] == sex] for year in (before, after)]
            w = [(group["area"] == area).mean() for group in own]
            r = [group.loc[group["area"] == area, "pay"].mean() for group in own]
            whole += sign * np.array([(w[1] - w[0]) * sum(r) / 2, (r[1] - r[0]) * sum(w) / 2])
    assert (found.mix, found.rates) == pytest.approx(tuple(whole))
    assert found.verdict in CHANGED and found.tolerance == found.before.tolerance
    assert compare_periods(before, after, **AMOUNT, tolerance=1_000).tolerance == 1_000


@pytest.mark.thorough
def test_few_pairs_of_amounts_without_a_change_are_called_changed():
    called = [compare_periods(paid(60, seed=seed), paid(60, seed=seed + 5_000), **AMOUNT).verdict for seed in range(80)]
    # Of 80, with 5 % each, 12 or more have a chance of one in a thousand.
    assert sum(verdict in CHANGED for verdict in called) <= 11


@pytest.mark.parametrize(("periods", "n"), [(3, 12), (12, 8), (40, 30)])
def test_one_test_over_all_means_keeps_its_error(periods, n):
    rng = np.random.default_rng(periods)
    called = out = 0
    size = np.column_stack([np.full(periods, n), np.full(periods, 2 * n)]).astype(float)
    scale = rng.uniform(1, 5, (periods, 2))
    for _ in range(1_000):
        mean = rng.normal(0, scale / np.sqrt(size))
        variance = scale**2 * rng.chisquare(size - 1) / (size - 1)
        _, p_value, alone = homogeneity_of_means(size, mean, variance)
        called += p_value < 0.05
        out += holm(alone).min() < 0.05
    # 50 of 1,000 are expected; with a chance of one in a thousand, 73 or more.
    assert called <= 72
    assert out <= 72


def test_welchs_test_of_means_is_that_of_statsmodels_where_one_group_does_not_vary_by_chance():
    rng = np.random.default_rng(5)
    groups = [rng.normal(0, s, n) for s, n in ((1, 12), (3, 20), (2, 9))]
    mean = np.array([[g.mean(), 0.0] for g in groups])
    variance = np.array([[g.var(ddof=1), 1e-12] for g in groups])
    n = np.array([[len(g), 1e9] for g in groups], dtype=float)
    expected = anova_oneway(groups, use_var="unequal", welch_correction=True)
    statistic, p_value, _ = homogeneity_of_means(n, mean, variance)
    assert (statistic, p_value) == pytest.approx((expected.statistic, expected.pvalue))


def test_a_period_of_amounts_that_stands_out_is_found():
    tables = [paid(300, seed=i, less=400 if i == 3 else 0.0) for i in range(8)]
    line = compare_spans([Span(str(i), as_table(t)) for i, t in enumerate(tables)], favorable=None, **AMOUNT)
    assert line.changed and line.periods["adjusted_p_value"].idxmin() == 3
    same = [t.assign(pay=1.0) for t in tables[:3]]
    line = compare_spans([Span(str(i), as_table(t)) for i, t in enumerate(same)], favorable=None, **AMOUNT)
    assert not line.changed and np.isnan(line.p_value) and "spread" in line.warnings[-1]


def by_officers(seed: int, *, n_officers=40, same=True) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draw two periods in which nothing changes, but officers differ in how they treat women."""
    rng = np.random.default_rng(seed)
    frames = []
    for period in range(2):
        officer = rng.integers(0, n_officers, 600)
        if period == 0 or not same:
            harsh = rng.normal(0, 0.12, n_officers)
        sex = rng.choice(["F", "M"], 600)
        chance = 0.5 + harsh[officer] * np.where(sex == "F", 1, -1)
        names = officer if same else officer + 1_000 * period
        got = np.where(rng.random(600) < np.clip(chance, 0, 1), "yes", "no")
        frames.append(pd.DataFrame({"sex": sex, "officer": names, "area": rng.choice(["a", "b"], 600), "got": got}))
    return tuple(frames)


@pytest.mark.thorough
@pytest.mark.parametrize("same", [True, False])
def test_intervals_allow_for_officers_also_where_they_are_in_both_periods(same):
    naive, called, widths = 0, 0, []
    for seed in range(60):
        pair = by_officers(seed, same=same)
        found = compare_periods(*pair, **QUESTION, cluster="officer", strata="area")
        plain = compare_periods(*pair, **QUESTION, strata="area")
        called += found.verdict in CHANGED
        naive += plain.verdict in CHANGED
        widths.append(np.diff(found.rates_interval)[0] / np.diff(found.change_interval)[0])
        assert (found.change, found.mix) == pytest.approx((plain.change, plain.mix))
    # Of 60, with 5 % each, 10 or more have a chance of one in a thousand.
    assert called <= 9
    # Officers who are other people in the other period differ, which looks like a change to those who do not ask.
    assert same or naive > called
    assert 0.8 < np.mean(widths) < 1.2


@pytest.mark.thorough
def test_the_error_of_a_change_by_clusters_is_the_jackknife():
    before, after = by_officers(3)
    found = compare_periods(before, after, **QUESTION, cluster="officer")
    names = sorted({*before["officer"], *after["officer"]})
    left = []
    for name in names:
        pair = [year[year["officer"] != name] for year in (before, after)]
        left.append(compare_periods(*pair, **QUESTION).change)
    error = np.sqrt((len(left) - 1) / len(left) * ((np.array(left) - found.change) ** 2).sum())
    t = special.stdtrit(len(names) - 1, 0.975)
    assert np.diff(found.change_interval)[0] / 2 == pytest.approx(t * error, rel=0.05)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"cluster": "nobody"}, "nobody"),
        ({"favorable": None, "decision": "area", "cluster": None}, "numbers"),
        ({"tolerance": 2}, "'tolerance'"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused(changed, words):
    with pytest.raises(FairauditError, match=words):
        compare_periods(*by_officers(0), **(QUESTION | changed))


def test_amounts_have_no_clusters():
    with pytest.raises(InputError, match="'cluster'"):
        compare_periods(paid(), paid(), **AMOUNT, cluster="area")


# One table that is cut by a column.


def test_one_table_cut_by_a_column_gives_what_its_parts_give():
    rng = np.random.default_rng(7)
    rows = pd.DataFrame({
        "day": rng.choice(pd.date_range("2023-01-01", "2024-12-31"), 900), "sex": rng.choice(["F", "M"], 900),
        "loan": rng.choice(["yes", "no"], 900), "area": rng.choice(list("ab"), 900),
    })  # fmt: skip
    asked = {"decision": "loan", "favorable": "yes", "protected": "sex = 'F'"}
    cut = compare_periods(rows, date="day", cuts=["2024-01-01"], strata="area", **asked)
    before, after = rows[rows["day"] < "2024-01-01"], rows[rows["day"] >= "2024-01-01"]
    two = compare_periods(before, after, strata="area", **asked)
    assert (cut.change, cut.change_interval, cut.mix, cut.rates) == (
        two.change,
        two.change_interval,
        two.mix,
        two.rates,
    )
    line = compare_periods(rows, date="day", cuts=["2023-07-01", "2024-01-01", "2024-07-01"], **asked)
    assert len(line.answers) == 4 and sum(answer.n_population for answer in line.answers) == 900


@pytest.mark.parametrize(
    ("periods", "message"),
    [
        ({}, "Give the table of the later period, or 'date' and 'cuts'"),
        ({"date": "year"}, "Give the table of the later period, or 'date' and 'cuts'"),
        ({"cuts": [2024]}, "Give the table of the later period, or 'date' and 'cuts'"),
        ({"table_after": pd.DataFrame(), "date": "year", "cuts": [2024]}, "Give the table of the later period"),
        ({"date": "year", "cuts": [2023, 2024], "strata": "sex"}, "'strata' needs two periods, got 3"),
    ],
)
def test_periods_are_two_tables_or_one_that_is_cut(periods, message):
    rows = pd.DataFrame({"year": [2022, 2023, 2024] * 4, "sex": list("FM") * 6, "loan": [1, 0, 0] * 4})
    with pytest.raises(InputError, match=message):
        compare_periods(rows, **periods, decision="loan", favorable=1, protected="sex = 'F'")
