"""Literals divide rows as asked, once each, and hold for new rows just as they say."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks
from strategies import frames

from fairaudit.errors import InputError, MissingColumnError
from fairaudit.estimators.rules.binarizer import Binarizer, LiteralChoice, find_literals, quantile_cuts
from fairaudit.estimators.rules.literals import Literal


@parametrize_with_checks([Binarizer()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def texts(binarizer):
    return [str(literal) for literal in binarizer.literals_]


def people(n=400, seed=0):
    """A table of all sorts of columns."""
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": random.integers(18, 80, n),
            "income": random.lognormal(10, 1, n),
            "priors": np.where(random.random(n) < 0.1, np.nan, random.poisson(1, n)),
            "job": pd.Series(random.choice(["clerk", "cook", "nurse", "spy"], n, p=[0.5, 0.3, 0.19, 0.01])),
            "area": pd.Categorical(random.choice(["north", "south"], n)),
            "grade": pd.Categorical(random.integers(1, 4, n)),
            "married": random.random(n) < 0.3,
            "coded": random.integers(0, 2, n),
            "born": pd.Timestamp("1990-01-01") + pd.to_timedelta(random.integers(0, 9000, n), unit="D"),
        }
    )


@pytest.mark.thorough
@settings(max_examples=30)
@given(frames(max_rows=12), frames(), st.integers(2, 4), st.booleans(), st.randoms(use_true_random=False))
def test_what_is_transformed_is_what_literals_hold_for_in_any_order(frame, new, n_bins, add_negations, random):
    frame, new = (table.replace([np.inf, -np.inf], np.nan) for table in (frame, new))
    binarizer = Binarizer(n_bins=n_bins, min_level_count=1, max_levels=2, add_negations=add_negations).fit(frame)
    held = binarizer.transform(frame)
    assert held.dtype == bool
    assert held.shape == (len(frame), len(binarizer.literals_))
    assert len(set(map(bytes, held.T))) == held.shape[1], "two literals hold for the same rows"
    assert not (held.all(axis=0) | ~held.any(axis=0)).any(), "a literal tells no rows apart"
    unlike = [name for name in new if not frame[name].isna().all() and not new[name].isna().all()]
    new = new.assign(**{name: frame[name].iloc[0] for name in new if name not in unlike})
    for table, got in ((frame, held), (new, binarizer.transform(new))):
        for place, literal in enumerate(binarizer.literals_):
            assert literal.holds(table).tolist() == got[:, place].tolist(), literal

    rows, columns = list(range(len(frame))), list(frame.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    assert clone(binarizer).fit(frame.iloc[rows]).literals_ == binarizer.literals_
    # Of literals that hold for the same rows the first is kept, whatever its column.
    turned = clone(binarizer).fit_transform(frame[columns])
    if not add_negations:
        assert set(map(bytes, turned.T)) == set(map(bytes, held.T))


VALUES = st.one_of(
    st.lists(st.integers(-5, 40), min_size=1, max_size=60).map(np.array),
    st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=20).map(np.array),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60).map(np.array),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20).map(np.array),
)


@settings(max_examples=200)
@given(VALUES, st.integers(2, 10))
def test_cuts_divide_as_the_quantiles_of_numpy_or_between_all_values(values, n_bins):
    cuts = quantile_cuts(values, n_bins, spread=False)
    distinct = np.unique(values)
    if len(distinct) <= n_bins:
        expected = {(values <= value).tobytes() for value in distinct[:-1]}
    else:
        with np.errstate(all="ignore"):
            quantiles = np.quantile(values, np.arange(1, n_bins) / n_bins)
        parts = [values <= quantile for quantile in quantiles if np.isfinite(quantile)]
        expected = {part.tobytes() for part in parts if part.any() and not part.all()}
    got = [np.array([value <= cut for value in values.tolist()]) for cut in cuts]
    if len(distinct) <= n_bins or np.abs(values).max() < 2**53:
        assert {part.tobytes() for part in got} == expected
    assert len({part.tobytes() for part in got}) == len(cuts), "two cuts divide alike"
    assert list(cuts) == sorted(cuts)
    spread = quantile_cuts(values, n_bins)
    assert set(cuts) <= set(spread)
    assert len(spread) < n_bins


@pytest.mark.parametrize(
    ("values", "cuts"),
    [
        ([37_250, 37_338], (37_300,)),
        ([0, 218], (0,)),
        ([-3.0, 8.0], (0,)),
        ([3, 10], (6,)),
        ([18, 19, 20], (18, 19)),
        ([0.123456, 0.127654], (0.125,)),
        ([0.3333333, 0.3337], (0.3335,)),
        ([1e-9, 2.5e-9], (2e-9,)),
        ([-412.5, -377.25], (-400.0,)),
        ([1.0, np.nextafter(1, 2)], (1.0,)),
        ([7, 7, 7], ()),
        ([], ()),
    ],
)
def test_a_cut_is_the_roundest_number_between_two_values(values, cuts):
    assert quantile_cuts(np.array(values), 5) == cuts


@pytest.mark.parametrize(
    ("values", "cuts"),
    [
        (
            pd.to_datetime(
                ["2001-05-03T10:20", "2003-02-01", "2003-02-20T12:00", "2003-02-20T14:30"], format="ISO8601"
            ),
            [datetime.datetime(2003, 1, 1), datetime.datetime(2003, 2, 1), datetime.datetime(2003, 2, 20, 14)],
        ),
        (
            [
                datetime.date(1999, 12, 31),
                datetime.date(2000, 1, 1),
                datetime.date(2000, 1, 2),
                datetime.date(2001, 5, 9),
            ],
            [datetime.date(1999, 12, 31), datetime.date(2000, 1, 1), datetime.date(2001, 1, 1)],
        ),
    ],
)
def test_dates_are_cut_at_the_start_of_a_year_month_day_or_hour(values, cuts):
    literals = Binarizer(add_negations=False).fit(pd.DataFrame({"seen": values})).literals_
    assert [literal.value for literal in literals] == cuts


def test_cuts_that_many_rows_share_are_spread_over_the_others():
    gains = np.concatenate([np.zeros(900), np.arange(1000, 11_000, 100)])
    frame = pd.DataFrame({"gain": gains})
    plain = Binarizer(spread_cuts=False, add_negations=False).fit(frame)
    assert texts(plain) == ["gain <= 0"]
    spread = Binarizer(add_negations=False).fit(frame)
    held = spread.transform(frame)
    assert texts(spread)[0] == "gain <= 0"
    assert len(spread.literals_) == 9
    assert np.diff(held.sum(axis=0)).min() >= 10, "each part has rows to itself"


def test_a_table_of_all_sorts_of_columns_gives_literals_that_can_be_read():
    binarizer = Binarizer(n_bins=2).fit(people())
    assert texts(binarizer) == [
        "age <= 51", "age > 51", "income <= 20000", "income > 20000", "priors <= 1", "priors > 1", "priors IS NULL",
        "priors IS NOT NULL", "job = 'clerk'", "job = 'cook'", "job = 'nurse'", "job <> 'clerk'", "job <> 'cook'",
        "job <> 'nurse'", "job NOT IN ('clerk', 'cook', 'nurse')", "job IN ('clerk', 'cook', 'nurse')",
        "area = 'north'", "area = 'south'", "grade = 1", "grade = 2", "grade = 3", "grade <> 1", "grade <> 2",
        "grade <> 3", "married = FALSE", "married = TRUE", "coded = 0", "coded = 1",
        "born <= TIMESTAMP '2001-06-20 00:00:00'", "born > TIMESTAMP '2001-06-20 00:00:00'",
    ]  # fmt: skip
    assert list(binarizer.get_feature_names_out()) == texts(binarizer)
    assert binarizer.dropped_ == ()


def test_a_value_never_seen_is_one_of_the_rest_and_a_missing_one_meets_only_that():
    table = pd.DataFrame({"job": ["a"] * 12 + ["b"] * 12 + ["c"] * 12 + ["rare", None]})
    binarizer = Binarizer().fit(table)
    new = pd.DataFrame({"job": ["rare", "unseen", None, "a"]})
    held = binarizer.transform(new)
    met = [[text for text, yes in zip(texts(binarizer), row, strict=True) if yes] for row in held]
    others = ["job <> 'a'", "job <> 'b'", "job <> 'c'", "job NOT IN ('a', 'b', 'c')", "job IS NOT NULL"]
    assert met[0] == met[1] == others
    assert met[2] == ["job IS NULL"]
    assert met[3] == ["job = 'a'", "job <> 'b'", "job <> 'c'", "job IN ('a', 'b', 'c')", "job IS NOT NULL"]
    assert not binarizer.transform(pd.DataFrame({"job": [None, None]}))[:, :-2].any()


def test_only_the_most_frequent_categories_get_a_literal():
    table = pd.DataFrame({"job": ["a"] * 20 + ["b"] * 12 + ["c"] * 15})
    assert texts(Binarizer(max_levels=1).fit(table)) == ["job = 'a'", "job <> 'a'"]
    assert texts(Binarizer(max_levels=2, add_negations=False).fit(table)) == [
        "job = 'a'", "job = 'c'", "job NOT IN ('a', 'c')"
    ]  # fmt: skip


@pytest.mark.parametrize("codes", [[0, 1], [False, True]])
def test_a_category_of_codes_may_have_missing_rows(codes):
    table = pd.DataFrame({"a": pd.Series(codes * 12, dtype="category").mask(np.arange(24) < 3)})
    binarizer = Binarizer().fit(table)
    assert len(binarizer.literals_) == 4
    held = binarizer.transform(table)
    assert all((literal.holds(table) == held[:, place]).all() for place, literal in enumerate(binarizer.literals_))
    assert held[:3].sum(axis=1).tolist() == [1, 1, 1]


def test_a_text_that_no_condition_can_hold_is_one_of_the_rest():
    table = pd.DataFrame({"job": ["a\0"] * 12 + ["b"] * 12 + ["c"] * 12})
    assert texts(Binarizer(add_negations=False).fit(table)) == ["job = 'b'", "job = 'c'", "job NOT IN ('b', 'c')"]


def test_real_rows_are_transformed_as_literals_say(shared_data):
    table = pd.read_csv(shared_data("adult_train.csv.gz"), nrows=5_000).drop(columns="income")
    binarizer = Binarizer().fit(table)
    held = binarizer.transform(table)
    assert all((literal.holds(table) == held[:, place]).all() for place, literal in enumerate(binarizer.literals_))
    gains = [
        literal.value for literal in binarizer.literals_ if (literal.column, literal.kind) == ("capital_gain", "above")
    ]
    assert gains[0] == 0
    assert max(gains) >= 7_000


def test_text_numbers_are_texts_and_numbers_are_numbers():
    table = pd.DataFrame({"text": ["1", "2", "3"] * 10, "number": [1, 2, 3] * 10})
    assert texts(Binarizer(add_negations=False).fit(table[["text"]])) == ["text = '1'", "text = '2'", "text = '3'"]
    assert texts(Binarizer(add_negations=False).fit(table[["number"]])) == ["number <= 1", "number <= 2"]


def test_what_distinguishes_no_rows_or_only_as_another_does_is_left_out_and_named():
    table = pd.DataFrame({"x": [1, 2, 3] * 5, "same": [1] * 15, "empty": [None] * 15, "again": [10, 20, 30] * 5})
    binarizer = Binarizer(add_negations=False, min_level_count=1).fit(table)
    assert texts(binarizer) == ["x <= 1", "x <= 2"]
    dropped = [(part.column, part.reason, part.same_as and str(part.same_as)) for part in binarizer.dropped_]
    assert dropped == [
        ("same", "constant", None), ("empty", "constant", None), ("again", "duplicate", "x <= 1"),
        ("again", "duplicate", "x <= 2"),
    ]  # fmt: skip
    with_ids = Binarizer().fit(pd.DataFrame({"id": [f"p{i}" for i in range(30)]}))
    assert with_ids.literals_ == ()
    assert with_ids.transform(pd.DataFrame({"id": ["p1", "new"]})).shape == (2, 0)


def test_negated_duplicates_keep_the_form_that_reads_best():
    table = pd.DataFrame({"a": ["x", "y"] * 10, "b": ["y", "x"] * 10, "c": ["u", "v", None, "u"] * 5})
    assert texts(Binarizer(min_level_count=1).fit(table)) == [
        "a = 'x'", "a = 'y'", "c = 'u'", "c = 'v'", "c IS NULL", "c IS NOT NULL"
    ]  # fmt: skip


def test_given_cuts_are_used_as_they_are():
    table = people()
    born = [datetime.datetime(2005, 1, 1, 12), datetime.date(2000, 1, 1)]
    made = Binarizer(cuts={"age": [65, 25.5, 25.5], "born": born}, columns=["born", "age"], add_negations=False)
    assert texts(made.fit(table)) == [
        "born <= DATE '2000-01-01'", "born <= TIMESTAMP '2005-01-01 12:00:00'", "age <= 25.5", "age <= 65"
    ]  # fmt: skip
    assert (made.transform(table)[:, 2] == (table["age"] <= 25)).all()
    shown = Binarizer(cuts={"age": [65, 1000]}, columns=["age"], add_negations=False).fit(table)
    assert [(part.reason, str(part.literal)) for part in shown.dropped_] == [("constant", "age <= 1000")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_bins": 1}, "'n_bins' must be an int from 2 to 1,000"),
        ({"n_bins": 2.5}, "'n_bins'"),
        ({"min_level_count": 0}, "'min_level_count' must be an int of at least 1"),
        ({"max_levels": True}, "'max_levels'"),
        ({"cuts": [1]}, "'cuts' must be an object with 'keys' or None, got list"),
        ({"cuts": {"job": [1]}}, "'job', which holds text"),
        ({"cuts": {"age": ["old"]}}, "must be numbers as the column is, got str"),
        ({"cuts": {"age": [float("nan")]}}, "takes a value"),
        ({"columns": "age"}, "list of names"),
        ({"columns": ["age", "age"]}, "each column once"),
    ],
)
def test_a_parameter_that_breaks_a_rule_is_named(arguments, message):
    with pytest.raises(InputError, match=message):
        Binarizer(**arguments).fit(people(30))


@pytest.mark.parametrize("arguments", [{"columns": ["agee"]}, {"cuts": {"agee": [1]}}])
def test_a_column_that_is_not_there_is_named_with_the_nearest(arguments):
    with pytest.raises(MissingColumnError, match="Did you mean 'age'"):
        Binarizer(**arguments).fit(people(30))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, np.inf, 2.0], "infinite"),
        (pd.Series([1.0, np.inf, 2.0], dtype=object), "infinite"),
        (pd.Series([1, "a", 2.5], dtype=object), "'x' holds values of the kind 'mixed"),
        (pd.Series([[1], [2], [3]]), "'X' has lists in the column 'x'"),
        (pd.cut(pd.Series([1, 2, 3]), 2), "'x' holds values of the kind 'interval'"),
        (pd.to_timedelta(pd.Series([1, 2, 3]), unit="D"), "which rules cannot compare"),
        (pd.Series([1j, 2j, 3j]), "complex"),
    ],
)
def test_a_column_that_cannot_be_compared_is_refused(values, message):
    with pytest.raises(InputError, match=message):
        Binarizer().fit(pd.DataFrame({"x": values}))


def test_a_column_that_changes_its_kind_is_refused():
    binarizer = Binarizer().fit(pd.DataFrame({"x": [1, 2, 3]}))
    with pytest.raises(InputError, match="'x' held numbers in fitting and holds text now"):
        binarizer.transform(pd.DataFrame({"x": ["1", "2"]}))


def test_arrays_and_frames_with_numbered_columns():
    values = np.arange(12.0).reshape(6, 2)
    assert texts(Binarizer(n_bins=2, add_negations=False).fit(values[:, :1])) == ["x0 <= 5"]
    frame = pd.DataFrame(values[:, :1])
    binarizer = Binarizer(n_bins=2, add_negations=False).fit(frame)
    assert texts(binarizer) == ['"0" <= 5']
    assert binarizer.transform(frame)[:, 0].tolist() == [True, True, True, False, False, False]


def test_whole_numbers_beyond_double_precision_stay_apart():
    table = pd.DataFrame({"x": np.array([2**62 + 1, 2**62 + 2, 2**62 + 3])})
    made = Binarizer(add_negations=False).fit(table)
    assert [literal.value for literal in made.literals_] == [2**62 + 1, 2**62 + 2]
    assert made.transform(table).tolist() == [[True, True], [False, True], [False, False]]
    unsigned = pd.DataFrame({"x": np.array([1, 2**63 + 10_000, 2**64 - 1], dtype=np.uint64)})
    made = Binarizer().fit(unsigned)
    for place, literal in enumerate(made.literals_):
        assert literal.holds(unsigned).tolist() == made.transform(unsigned)[:, place].tolist()


def test_two_thousand_literals_work():
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(60, 120)), columns=[f"c{i}" for i in range(120)])
    binarizer = Binarizer().fit(table)
    assert len(binarizer.literals_) >= 2_000
    assert binarizer.transform(table).shape == (60, len(binarizer.literals_))


def test_it_can_be_cloned_and_gives_frames_where_asked():
    table = people(60)
    binarizer = clone(Binarizer(n_bins=3, cuts={"age": [30]})).set_output(transform="pandas").fit(table)
    made = binarizer.transform(table)
    assert list(made.columns) == texts(binarizer)
    assert made["age <= 30"].tolist() == Literal("age", "at_most", 30).holds(table).tolist()


def test_cuts_and_levels_go_by_the_weights_of_rows():
    values = np.arange(1.0, 11.0)
    weights = np.array([8.0, 1, 1, 1, 1, 1, 1, 1, 1, 1]) * 10 / 17
    cut = quantile_cuts(values, 2, spread=False, weights=weights)[0]
    assert 2 <= cut < 3 and 5 <= quantile_cuts(values, 2, spread=False)[0] < 6
    frame = pd.DataFrame({"area": list("aabbc")})
    found = find_literals(frame, "area", LiteralChoice(min_level_count=2), weights=np.array([0.5, 0.5, 0.4, 0.6, 3.0]))
    assert found.points.tolist() == ["c"]
