from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairaudit.errors import InputError, SpecError
from fairaudit.estimators.constraints import METRICS, FairnessSpec, aec, parse_specs, read_specs
from fairaudit.estimators.constraints.metrics import Columns, Conditions
from fairaudit.estimators.constraints.spec import MAX_CHARACTERS

HOSTILE = st.one_of(
    st.sampled_from(
        ["by", "as", "sex", 'Größe "x"', "a,b", "a;b", "[x]", "a <= 1", "né\ne", "3%", "≤", "\\", "\u2028", "'"]
    ),
    st.text(min_size=1, max_size=8),
    st.text('ab"\\\n\r\t ;,[]<=≤()%', min_size=1, max_size=8),
)
SAID = HOSTILE.filter(str.strip)
LIMITS = st.floats(0, 1, exclude_min=True)


def distinct(pairs):
    return len({name for name, _ in pairs}) == len(pairs)


columns = st.lists(HOSTILE, min_size=1, max_size=3, unique=True).map(lambda names: Columns(tuple(names)))
named = st.tuples(SAID, SAID) | SAID.map(lambda text: (text, text))
conditions = st.lists(named, min_size=2, max_size=4).filter(distinct).map(lambda pairs: Conditions(tuple(pairs)))
costs = st.builds(aec, st.floats(0, 1e9), st.floats(0, 1e9, exclude_min=True))
specs = st.builds(FairnessSpec, st.sampled_from(sorted(METRICS)), columns | conditions, LIMITS) | st.builds(
    FairnessSpec, costs, columns | conditions, st.floats(0, 1e9, exclude_min=True)
)


@settings(max_examples=50, deadline=None)
@given(
    many=st.lists(specs, min_size=1, max_size=4), separator=st.sampled_from([";", "\n", "\r\n", " ; ", ";\n\n", ";;"])
)
def test_constraints_are_separated_by_semicolons_and_line_ends(many, separator):
    assert parse_specs(separator.join(map(str, many))) == tuple(many)
    assert read_specs([separator.join(map(str, many)), many]) == tuple(dict.fromkeys(many))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("fpr by race <= 0.03", ["fpr by race <= 0.03"]),
        ("  FPR  BY\trace<=.03 ", ["fpr by race <= 0.03"]),
        ("demographic_parity by race ≤ 3 %", ["demographic_parity by race <= 0.03"]),
        ("demographic_parity by race≤3%", ["demographic_parity by race <= 0.03"]),
        ("demographic_parity by race <= 7%", ["demographic_parity by race <= 0.07"]),
        ("demographic_parity by race <= 1e-3", ["demographic_parity by race <= 0.001"]),
        ("aec(1, 5) by race, sex <= 0.05", ["aec(1, 5) by race, sex <= 0.05"]),
        ("AEC ( 1.0 ,.5 ) by race <= 2", ["aec(1, 0.5) by race <= 2.0"]),
        ("Errors(1, .5) by race <= 2", ["errors(1, 0.5) by race <= 2.0"]),
        ('error_rate by "marital status", sex <= 0.1', ['error_rate by "marital status", sex <= 0.1']),
        ('error_rate by "sex" <= 0.1', ["error_rate by sex <= 0.1"]),
        ("error_rate by by <= 0.1", ["error_rate by by <= 0.1"]),
        ("error_rate by marital-status <= 0.1", ['error_rate by "marital-status" <= 0.1']),
        (
            'demographic_parity by ["age < 25", "age >= 60" as "older"] <= 0.1',
            ['demographic_parity by ["age < 25", "age >= 60" as "older"] <= 0.1'],
        ),
        (
            'demographic_parity by [\n  "sex = \'F\'"AS"women",\n  "sex = \'M\'" as "men"\n] <= 10%',
            ['demographic_parity by ["sex = \'F\'" as "women", "sex = \'M\'" as "men"] <= 0.1'],
        ),
        ("equalized_odds by sex <= 5%", ["fpr by sex <= 0.05", "fnr by sex <= 0.05"]),
        ("predictive_parity by sex <= 5%", ["for_ by sex <= 0.05", "fdr by sex <= 0.05"]),
        ("fpr by a <= 0.1\n\nfnr by b <= 0.2;", ["fpr by a <= 0.1", "fnr by b <= 0.2"]),
        (";\n; fpr by a <= 0.1 ;; fnr by b <= 0.2 ;\n", ["fpr by a <= 0.1", "fnr by b <= 0.2"]),
        ("fpr by größe <= 0.1", ["fpr by größe <= 0.1"]),
        ("fpr by race\n<= 0.1", ["fpr by race <= 0.1"]),
    ],
)
def test_a_text_reads_as_it_should(text, printed):
    assert [str(spec) for spec in parse_specs(text)] == printed


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", "", "There is no constraint."),
        (" ; \n", " ; \n", "There is no constraint."),
        ("tppr by race <= 0.03", "tppr", "There is no metric 'tppr'."),
        ("tpr by race <= 0.03", "0.03", "'tpr' takes a floor, as in tpr by ... >= 0.8, and no largest difference."),
        ("demographic_parity by a <= 0.1; tppr by race <= 0.03", "tppr", "There is no metric 'tppr'."),
        ("<= 0.03", "<=", "Expected the name of a metric, found '<= 0.03'."),
        ("fpr", "", "Expected 'by' and the groups, found the end."),
        ("fpr race <= 0.03", "race", "Expected 'by' and the groups, found 'race <= 0.03'."),
        ("fpr bye <= 0.03", "bye", "Expected 'by' and the groups, found 'bye <= 0.03'."),
        ("fpr by <= 0.03", "<=", "Expected the name of a column, found '<= 0.03'."),
        ("fpr by race, <= 0.03", "<=", "Expected the name of a column, found '<= 0.03'."),
        (
            "fpr by race",
            "",
            "Expected '<=' and the largest difference, or '>=' and what each group has, found the end.",
        ),
        (
            "fpr by marital status <= 0.1",
            "status",
            "Expected '<=' and the largest difference, or '>=' and what each group has, found 'status <= 0.1'.",
        ),
        (
            "fpr by race < 0.03",
            "< 0.03",
            "Expected '<=' and the largest difference, or '>=' and what each group has, found '< 0.03'.",
        ),
        (
            "fpr by race\nfnr by race <= 0.1",
            "fnr",
            "Expected '<=' and the largest difference, or '>=' and what each group has, found 'fnr by race <= 0.1'.",
        ),
        ("fpr by race <= ", "", "Expected a number, found the end."),
        ("fpr by race <= few", "few", "Expected a number, found 'few'."),
        ("fpr by race <= 0,03", "0,03", "A number has a decimal point, found '0,03'."),
        ("fpr by race <= 3", "3", "'max_difference' must be at most 1 for 'fpr', which is a share, got 3."),
        ("fpr by race <= 0", "0", "'max_difference' must be above 0, got 0."),
        ("fpr by race <= -0.1", "-0.1", "'max_difference' must be above 0, got -0.1."),
        ("fpr by race <= 1e999", "1e999", "'max_difference' must be a number above 0, got inf."),
        ("fpr by race <= 0.1 0.2", "0.2", "Expected the end of the constraint, found '0.2'."),
        (
            "fpr by race <= 0.1 and fnr by race <= 0.1",
            "and",
            "Expected the end of the constraint, found 'and fnr by race <= 0'.",
        ),
        ("fpr by race, race <= 0.1", "race, race", "'groups' names a column twice: 'race', 'race'."),
        ('fpr by "" <= 0.1', '""', "'groups' must name at least one column."),
        ("aec by race <= 0.1", "by", "Expected '(', found 'by race <= 0.1'."),
        ("aec(1) by race <= 0.1", ") by", "Expected ',', found ') by race <= 0.1'."),
        ("aec(1, 2 by race <= 0.1", "by", "Expected ')', found 'by race <= 0.1'."),
        ("aec(1, x) by race <= 0.1", "x", "Expected a number, found 'x) by race <= 0.1'."),
        (
            "aec(-1, 5) by a <= 0.1",
            "aec",
            "The costs in 'aec' must be numbers of at least 0, and not both 0, got -1 and 5.",
        ),
        ('demographic_parity by ["age < 25"] <= 0.1', "[", "'groups' must hold at least two conditions, got 1."),
        ('demographic_parity by ["a < 1", "a < 1"] <= 0.1', "[", "'groups' has two groups named 'a < 1'."),
        ('demographic_parity by ["a < 1", ""] <= 0.1', "[", "'groups' has an empty condition or name."),
        (
            "demographic_parity by [age < 25] <= 0.1",
            "age",
            "Expected a text in double quotes, found 'age < 25] <= 0.1'.",
        ),
        ('demographic_parity by ["a < 1" "b < 1"] <= 0.1', '"b', "Expected ',' or ']', found '\"b < 1\"] <= 0.1'."),
        (
            'demographic_parity by ["a < 1" as old] <= 0.1',
            "old",
            "Expected a text in double quotes, found 'old] <= 0.1'.",
        ),
        (
            'demographic_parity by ["a < 1, b < 1] <= 0.1',
            '"a',
            "The text that starts here has no double quote at its end.",
        ),
        ('demographic_parity by ["a \\q", "b"] <= 0.1', "\\q", "A text in double quotes cannot go on with '\\q'."),
        (
            'demographic_parity by ["a\nb", "b"] <= 0.1',
            "\nb",
            "A text in double quotes cannot go on with '\N{REPLACEMENT CHARACTER}b'.",
        ),
    ],
)
def test_an_error_says_what_is_wrong_and_points_at_it(text, at, message):
    with pytest.raises(SpecError) as caught:
        parse_specs(text)
    error = caught.value
    assert error.message == f"{message.removesuffix('.')} (at character {error.position + 1})"
    assert "\n" not in error.message
    assert error.hint
    assert error.text == text
    assert error.position is not None
    assert text[error.position :].startswith(at)
    assert at or error.position in (0, len(text))


def test_one_constraint_is_expected_where_one_is_read():
    with pytest.raises(SpecError, match=r"stands for 2: fpr by sex <= 0\.1; fnr by sex <= 0\.1 \(at") as caught:
        FairnessSpec.parse("equalized_odds by sex <= 0.1")
    assert caught.value.position == 0


def test_what_is_no_text_or_too_long_is_refused():
    for wrong in (None, 3, b"demographic_parity by sex <= 0.1"):
        with pytest.raises(InputError, match="A constraint must be a text, got"):
            parse_specs(wrong)
    with pytest.raises(InputError, match="at most 10,000 characters, got 10,001"):
        parse_specs(" " * (MAX_CHARACTERS + 1))


WORDS = 'fpr sp aec equalized_odds ( 1 , 5 ) race " [ ] <= ≤ 0.1 % ; \\ \\u12 ٣ 1e400 - . e 99999999999 \ud800 \0'
PIECES = st.sampled_from([*WORDS.split(" "), " by ", " as ", "age < 25", "\n"])


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=40) | st.lists(PIECES, max_size=14).map("".join))
@example(text="fpr by a <= " + "9" * 5000)
@example(text="[" * 5000)
@example(text='demographic_parity by ["' + "\\" * 301)
@example(text="aec(" + "9" * 400 + ",1) by a <= 1")
def test_any_text_is_constraints_or_an_error_with_a_position(text):
    found, refused = read_or_refused(text)
    if refused is None:
        assert parse_specs("\n".join(map(str, found))) == found
    else:
        assert 0 <= refused.position <= len(text)
        assert "\n" not in refused.message


def read_or_refused(text):
    """Return the constraints of a text, or how it is refused; any other exception is a failure."""
    try:
        return parse_specs(text), None
    except SpecError as error:
        return None, error


@settings(max_examples=150, deadline=None)
@given(spec=specs, cut=st.integers(0, 60), piece=PIECES)
def test_a_printed_constraint_reads_back_as_the_same_and_a_damaged_one_as_another_or_an_error(spec, cut, piece):
    text = str(spec)
    assert FairnessSpec.parse(text) == spec
    assert str(FairnessSpec.parse(text)) == text
    for damaged in (text[:cut], text[:cut] + piece + text[cut:], text[:cut] + text[cut + 1 :]):
        with contextlib.suppress(SpecError):
            assert parse_specs(damaged)
