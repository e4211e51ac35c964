from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, MissingColumnError
from fairaudit.measure import check_groups, compare_counts
from fairaudit.measure.grouping import place_of
from fairaudit.measure.intervals import holm

QUESTION = {"decision": "got", "favorable": 1}
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", None]), st.sampled_from(["x", "y", None]), st.sampled_from([0.0, 1.0, None])
    ),
    max_size=40,
)


def frame(rows=()):
    certain = [("a", "x", 1.0), ("b", "y", 0.0)]
    return pd.DataFrame([*certain, *rows], columns=["kind", "area", "got"])


@pytest.fixture(scope="module")
def compas(shared_data):
    data = pd.read_csv(shared_data("compas_two_years.csv.gz"))
    return Table.from_pandas(data.assign(high=(data["decile_score"] >= 5).astype(int)))


def test_compas_each_race_against_all_others(compas):
    result = check_groups(compas, decision="high", favorable=1, by="race")
    rows = {row.name: row.comparison for row in result.rows}
    african_american = rows["African-American"]
    assert african_american.protected.ratio == pytest.approx(0.588203, abs=5e-7)
    assert african_american.reference.ratio == pytest.approx(0.324901, abs=5e-7)
    assert african_american.difference == pytest.approx(0.263303, abs=1e-6)
    assert 1 / african_american.impact_ratio == pytest.approx(0.552361, abs=5e-7)
    assert rows["Caucasian"].protected.n == 2454
    assert [row.name for row in result.rows if row.small] == ["Native American"]
    assert result.worst_pair == ("African-American", "Other")


def test_compas_against_a_reference(compas):
    result = check_groups(compas, decision="high", favorable=1, by=["race"], reference="Caucasian")
    rows = {row.name: row.comparison for row in result.rows}
    assert rows["African-American"].z == pytest.approx(18.450996, abs=5e-7)
    assert rows["African-American"].reference.name == result.reference == "Caucasian"
    assert "Caucasian" not in rows


@pytest.mark.thorough
@settings(max_examples=20)
@given(ROWS, st.integers(0, 1000))
def test_each_group_equals_its_own_comparison_in_any_order_and_by_any_name(rows, seed):
    data = frame(rows)
    result = check_groups(data, **QUESTION, by="kind")
    known = data[data["kind"].notna()]
    assert result.unknown == data["kind"].isna().sum()
    assert result.undecided == known["got"].isna().sum()
    assert [row.name for row in result.rows] == sorted(known["kind"].unique())
    for row in result.rows:
        inside, outside = known[known["kind"] == row.name]["got"], known[known["kind"] != row.name]["got"]
        cells = [int(v) for side in (inside, outside) for v in (side.sum(), side.notna().sum())]
        alone = compare_counts(*cells, names=(row.name, "the rest"))
        assert row.comparison.difference_interval == pytest.approx(alone.difference_interval, nan_ok=True)
        assert row.comparison.p_value == pytest.approx(alone.p_value, nan_ok=True)
        assert row.comparison.protected.undecided == inside.isna().sum()
        assert row.small
    p_values = [row.comparison.p_value for row in result.rows]
    adjusted = [row.adjusted_p_value for row in result.rows]
    expected = p_values if len(p_values) == 2 else holm(p_values).tolist()
    assert adjusted == pytest.approx(expected, nan_ok=True)

    names = {"a": "z 1", "b": "y 2", "c": "x 3"}
    other = data.sample(frac=1, random_state=seed).assign(kind=lambda d: d["kind"].map(names))
    a, b = (
        {r.name: (r.comparison.difference, r.comparison.p_value, r.adjusted_p_value) for r in found.rows}
        for found in (result, check_groups(other, **QUESTION, by="kind"))
    )
    assert b.keys() == {names[name] for name in a}
    for name, numbers in a.items():
        assert numbers == pytest.approx(b[names[name]], nan_ok=True)


@settings(max_examples=10)
@given(ROWS)
def test_crossings_that_occur_are_groups(rows):
    data = frame(rows)
    result = check_groups(data, **QUESTION, by=["kind", "area"])
    known = data.dropna(subset=["kind", "area"])
    assert result.unknown == len(data) - len(known)
    assert [row.name for row in result.rows] == sorted(
        {f"{k}, {a}" for k, a in zip(known["kind"], known["area"], strict=True)}
    )
    assert sum(row.comparison.protected.n for row in result.rows) == known["got"].notna().sum()


def test_small_groups_are_marked_and_left_out_of_the_worst_pair():
    data = pd.DataFrame(
        {"kind": ["a"] * 40 + ["b"] * 40 + ["c"] * 3, "got": [1] * 30 + [0] * 10 + [1, 0] * 20 + [0] * 3}
    )
    result = check_groups(data, **QUESTION, by="kind")
    assert [row.small for row in result.rows] == [False, False, True]
    assert result.worst_pair == ("a", "b")
    assert check_groups(data, **QUESTION, by="kind", min_count=3).worst_pair == ("a", "c")
    assert check_groups(data, **QUESTION, by="kind", min_count=41).worst_pair is None


def test_numbers_dates_and_booleans_are_named_plainly():
    data = pd.DataFrame(
        {
            "whole": [1, 2, None],
            "when": pd.to_datetime(["2024-01-31", "2024-02-01", None]),
            "flag": pd.array([True, False, None], dtype="boolean"),
            "got": [1, 0, 1],
        }
    )
    for column, names in (("whole", ["1", "2"]), ("when", ["2024-01-31", "2024-02-01"]), ("flag", ["False", "True"])):
        result = check_groups(data, **QUESTION, by=column)
        assert [row.name for row in result.rows] == names
        assert result.unknown == 1
    by_number = check_groups(data, **QUESTION, by="whole", reference=2)
    assert by_number.reference == "2"
    assert check_groups(data, **QUESTION, by="whole", reference="2").reference == "2"
    assert [row.name for row in by_number.rows] == ["1"]


def test_reference_of_a_crossing_is_a_name_or_values():
    data = frame([("a", "y", 1.0), ("b", "x", 0.0)])
    for reference in ("a, x", ("a", "x"), ["a", "x"]):
        result = check_groups(data, **QUESTION, by=["kind", "area"], reference=reference)
        assert result.reference == "a, x"
        assert [row.name for row in result.rows] == ["a, y", "b, x", "b, y"]


def test_an_unknown_reference_lists_near_names():
    with pytest.raises(GroupError, match=r"no reference group 'A' among the rows looked at\.\nHint: Did you mean 'a'"):
        check_groups(frame(), **QUESTION, by="kind", reference="A")


def test_one_group_or_too_many_are_refused():
    with pytest.raises(GroupError, match="only the group 'a'"):
        check_groups(frame(), **QUESTION, by="kind", where="kind = 'a'")
    with pytest.raises(GroupError, match=r"no group among the rows looked at \(2 unknown\)"):
        check_groups(frame().assign(kind=pd.Series([None, None], dtype="str")), **QUESTION, by="kind")
    many = pd.DataFrame({"kind": range(1001), "got": [0, 1] * 500 + [1]})
    with pytest.raises(InputError, match="1,001 groups; at most 1,000"):
        check_groups(many, **QUESTION, by="kind")


def test_bad_choices_are_refused():
    with pytest.raises(MissingColumnError):
        check_groups(frame(), **QUESTION, by="kinds")
    with pytest.raises(InputError, match="twice"):
        check_groups(frame(), **QUESTION, by=["kind", "kind"])
    with pytest.raises(InputError, match="at least one column"):
        check_groups(frame(), **QUESTION, by=[])
    with pytest.raises(InputError, match="'min_count' must be an int of at least 1, got 0"):
        check_groups(frame(), **QUESTION, by="kind", min_count=0)


def test_one_query_for_all_groups(monkeypatch):
    asked = []
    real = Table.counts
    table = Table.from_pandas(frame())
    favorable = table.condition("got = 1")
    monkeypatch.setattr(Table, "counts", lambda self, by, **kw: asked.append(by) or real(self, by, **kw))
    check_groups(table, decision="got", favorable=favorable, by=["kind", "area"])
    assert len(asked) == 1


def test_a_column_called_like_a_figure_keeps_its_values():
    data = frame().rename(columns={"kind": "n"})
    shown = check_groups(data, **QUESTION, by="n").to_frame()
    assert shown["n (column)"].tolist() == ["a", "b"]
    assert shown["n"].tolist() == [1, 1]


def test_two_groups_are_one_question():
    data = pd.DataFrame({"sex": ["F"] * 50 + ["M"] * 50, "paid": [1] * 20 + [0] * 30 + [1] * 30 + [0] * 20})
    one, other = check_groups(data, decision="paid", favorable=1, by="sex").rows
    assert one.adjusted_p_value == one.comparison.p_value == pytest.approx(other.adjusted_p_value)


def test_a_reference_group_is_read_as_the_good_outcome_is():
    frame = pd.DataFrame({"grade": [1, 2] * 60, "ok": [0, 1, 1] * 40})
    written, held = (
        check_groups(frame, decision="ok", favorable=["1.0"], by="grade", reference=value) for value in ("2.0", 2)
    )
    assert written.reference == held.reference == "2"


@pytest.mark.parametrize("text", ["nan", "NaN", "inf"])
def test_a_reference_that_is_no_finite_number_is_a_text_and_not_the_group_without_a_value(text):
    with pytest.raises(GroupError, match=f"no reference group '{text}'"):
        place_of(text, ["1", "missing"])
    assert place_of(float("nan"), ["1", "missing"]) == place_of("missing", ["1", "missing"]) == 1
    assert place_of(text, ["1", text]) == 1
