"""What is said of rounded and hidden counts holds for every table that fits them, the true one among them."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from fairaudit import Table
from fairaudit.columns import PartialReading
from fairaudit.data.printed_counts import CountRange, cell_range, propose_reading
from fairaudit.errors import FairauditError, InputError, quote
from fairaudit.measure import compare_counts
from fairaudit.measure.partial_counts import PartialRow, bounds_of, check_partial_counts, compare_partial

N_TABLES = 10_000
ROUNDED = PartialReading(5)
BELOW_FIVE = PartialReading(1, {"<5": (1, 4)})
BOTH = PartialReading(10, {"<10": (1, 9)})


def printed(reading: PartialReading, number: int) -> str:
    """A number as an office prints it."""
    for text, (low, high) in dict(reading.hidden).items():
        if low <= number <= high:
            return text
    # Halves go to the nearest even multiple, as spreadsheets and Python do not agree on.
    return str(round(number / reading.rounded_to) * reading.rounded_to)


def drawn(rng: np.random.Generator) -> list[tuple[int, int]]:
    """Favourable and other cases of some rows of a group."""
    scale = 10 ** rng.uniform(0.5, 3.5)
    share = rng.uniform(0.05, 0.95)
    return [(int(rng.poisson(scale * share)), int(rng.poisson(scale * (1 - share)))) for _ in range(rng.integers(1, 6))]


def as_printed(rows: list[tuple[int, int]], reading: PartialReading, form: str) -> list[PartialRow]:
    found = []
    for f, o in rows:
        cell = {"favorable": f, "others": o, "every": f + o}
        cell.pop({"favorable and others": "every", "favorable and all": "others", "others and all": "favorable"}[form])
        found.append(PartialRow(**{role: cell_range(reading, printed(reading, n)) for role, n in cell.items()}))
    return found


FORMS = ("favorable and others", "favorable and all", "others and all")


def test_the_true_table_is_always_inside_and_has_the_verdict():
    rng = np.random.default_rng(7)
    found_verdicts = Counter[str]()
    for number in range(N_TABLES):
        reading, form = (ROUNDED, BELOW_FIVE, BOTH)[number % 3], FORMS[number // 3 % 3]
        sides = [drawn(rng), drawn(rng)]
        found = compare_partial(*(as_printed(rows, reading, form) for rows in sides), tolerance=0.1)
        found_verdicts[found.verdict] += 1
        (k_p, n_p), (k_r, n_r) = ((sum(f for f, _ in rows), sum(f + o for f, o in rows)) for rows in sides)
        if n_p and n_r and math.isfinite(found.difference_bounds.low):
            for side, k, n in ((found.protected, k_p, n_p), (found.reference, k_r, n_r)):
                assert side.n <= n <= side.most_n and side.positives <= k <= side.most_positives
                assert side.others <= n - k <= side.most_others
                assert side.interval.low - 1e-12 <= k / n <= side.interval.high + 1e-12
            gap = k_p / n_p - k_r / n_r
            assert found.difference_bounds.low - 1e-12 <= gap <= found.difference_bounds.high + 1e-12
            true = compare_counts(k_p, n_p, k_r, n_r, tolerance=0.1)
            assert found.difference_interval.low <= true.difference_interval.low + 1e-9
            assert found.difference_interval.high >= true.difference_interval.high - 1e-9
            assert found.verdict in ("too_few_to_tell", true.verdict)
    often = ("clear_gap", "no_gap_above_tolerance", "too_few_to_tell")
    assert min(found_verdicts[verdict] for verdict in often) > N_TABLES / 50, found_verdicts


def test_the_bounds_are_those_of_all_tables_that_fit():
    rng = np.random.default_rng(3)
    for _ in range(300):
        rows = []
        for _ in range(rng.integers(1, 3)):
            f, a = (CountRange(low, low + int(rng.integers(0, 4))) for low in map(int, rng.integers(0, 8, 2)))
            rows.append(PartialRow(favorable=f, every=a))
        if not all(row.is_possible for row in rows):
            continue
        cells = [range(each.low, each.high + 1) for row in rows for each in (row.favorable, row.every)]
        fits = [numbers for numbers in itertools.product(*cells) if all(map(_holds, numbers[::2], numbers[1::2]))]
        shares = [sum(each[::2]) / sum(each[1::2]) for each in fits if sum(each[1::2])]
        found = bounds_of(rows)
        if found.n > 0:
            assert (found.interval.low, found.interval.high) == (min(shares), max(shares))
        people = [sum(each[1::2]) for each in fits]
        assert (found.n, found.most_n) == (min(people), max(people))


def _holds(part: int, every: int) -> bool:
    return part <= every


def test_plain_numbers_give_one_gap_and_the_verdict_of_a_check():
    frame = pd.DataFrame({"sex": ["F", "M"], "in": [300, 520], "all": [1000, 1000]})
    found = check_partial_counts(frame, counts={"favorable": "in", "all": "all"}, protected="sex = 'F'")
    true = compare_counts(300, 1000, 520, 1000)
    assert found.difference_bounds == pytest.approx((true.difference, true.difference)) and found.n_uncertain == 0
    assert found.verdict == true.verdict == "clear_gap"


PRINTED = pd.DataFrame(
    {
        "race": ["White", "White", "Black", "Black", "Islander"],
        "sex": ["M", "F", "M", "F", "M"],
        "selected": ["1,021", "801", "231", "246", "*"],
        "applicants": ["2,310", "1,870", "640", "702", "12"],
    }
)
SELECTED = {"favorable": "selected", "all": "applicants"}


def test_a_published_table_with_stars_is_answered_within_bounds():
    asked = {"counts": SELECTED, "protected": "race <> 'White'"}
    with pytest.raises(InputError) as caught:
        check_partial_counts(PRINTED, **asked)
    assert "'selected'" in str(caught.value) and "'*'" in str(caught.value)
    found = check_partial_counts(PRINTED, **asked, hidden={"*": (0, 4)})
    low, high = (477 / 1354 - 1822 / 4180, 481 / 1354 - 1822 / 4180)
    assert (found.difference_bounds.low, found.difference_bounds.high) == pytest.approx((low, high))
    assert found.n_uncertain == 1 and found.verdict == "clear_gap"


def test_how_cells_are_hidden_and_rounded_is_proposed():
    reading = propose_reading(Table.from_pandas(PRINTED), ("selected", "applicants"))
    assert reading is not None and dict(reading.hidden) == {"*": (0, 4)} and reading.rounded_to == 1
    rounded = pd.DataFrame({"area": range(20), "yes": [5 * (i % 9) for i in range(20)], "all": range(50, 150, 5)})
    reading = propose_reading(Table.from_pandas(rounded), ("yes", "all"))
    assert reading == PartialReading(5, {})
    plain = pd.DataFrame({"area": range(20), "yes": range(20), "all": range(30, 50)})
    assert propose_reading(Table.from_pandas(plain), ("yes", "all")) is None
    below = pd.DataFrame({"area": range(3), "yes": ["<5", "0", "c"], "all": ["12", "7", "10 or fewer"]})
    reading = propose_reading(Table.from_pandas(below), ("yes", "all"))
    assert dict(reading.hidden) == {"<5": (1, 4), "10 or fewer": (1, 10), "c": (1, 10)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"hidden": {"*": (4, 1)}},
        {"hidden": {"*": (-1, 1)}},
        {"hidden": {"*": (0.5, 1)}},
        {"rounded_to": 0},
        {"counts": "selected"},
        {"hidden": {"*": (20, 30)}},
        {"hidden": {"*": (1, 4)}, "protected": "race = 'Nobody'"},
        {"hidden": {"*": (1, 4)}, "tolerance": 5},
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(wrong):
    asked = {"counts": SELECTED, "protected": "race <> 'White'"} | wrong
    with pytest.raises(FairauditError):
        check_partial_counts(PRINTED, **asked)


def bought(applicants):
    frame = pd.DataFrame({"sex": ["F", "M"], "selected": ["40", "300"], "applicants": applicants})
    return check_partial_counts(frame, counts=SELECTED, protected="sex = 'F'")


def test_a_dot_before_three_zeros_marks_thousands_where_another_does():
    people = [
        (found.protected.n, found.reference.n)
        for found in map(bought, (["5.000", "9.500"], ["5.000", "1.000.000"], ["500.0", "900.00"], ["5000.000", "900"]))
    ]
    assert people == [(5000, 9500), (5000, 1_000_000), (500, 900), (5000, 900)]


@pytest.mark.parametrize("applicants", [["5.000", "900"], ["5.000", "7.000"], ["500.000", "9,500"]], ids=str)
def test_a_dot_before_three_zeros_is_asked_about_where_none_says(applicants):
    with pytest.raises(InputError) as caught:
        bought(applicants)
    assert "'applicants'" in str(caught.value) and any(
        f"hidden={{{quote(each)}:" in str(caught.value) for each in applicants
    )


def test_sampling_weights_are_refused():
    frame = pd.DataFrame({"sex": ["F", "M"], "in": [300, 520], "all": [1000, 1000], "w": [1.5, 2.0]})
    with pytest.raises(InputError, match="not defined with sampling weights, which column 'w' holds"):
        check_partial_counts(
            Table.from_pandas(frame, weights="w"), counts={"favorable": "in", "all": "all"}, protected="sex = 'F'"
        )
