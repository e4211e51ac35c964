"""A plan is kept, compared and refused as its documentation says."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import SAMPLES

from fairaudit.columns import ReadOptions
from fairaudit.errors import PlanError
from fairaudit.estimators.constraints import METRICS, FairnessSpec
from fairaudit.estimators.constraints.metrics import Columns, Conditions
from fairaudit.estimators.rules.literals import Literal, RuleSet
from fairaudit.estimators.rules.problem import RATES
from fairaudit.plan.audit_plan import (
    SCHEMA_VERSION,
    AuditPlan,
    CheckPlan,
    DataPlan,
    ErrorsPlan,
    OutcomePlan,
    ReportPlan,
    ScorePlan,
    SmallCellsPlan,
)
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.parts import as_part
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan

PLAN = AuditPlan(
    data=DataPlan(source="adult.csv", fingerprint="ab" * 32, n_rows=3, columns=("income", "race")),
    decision=OutcomePlan(column="income", favorable=(">50K",), meaning="an income above 50K"),
    checks=(CheckPlan(protected="race <> 'White'"), CheckPlan(protected="sex = 'Female'", tolerance=0.1)),
)

TOP = tuple(AuditPlan.model_fields)

texts = st.text(max_size=12)
names = st.text(min_size=1, max_size=12)
maybe = st.none() | texts
shares = st.floats(0, 1)
values = texts | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)


def lists(items, **limits):
    return st.lists(items, max_size=3, **limits).map(tuple)


@st.composite
def with_cuts(draw, check):
    """Cut some of the columns that make the strata of a check into bands."""
    numbers = st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False)
    cuts = st.lists(numbers, min_size=1, max_size=19, unique=True).map(sorted)
    cut = {name: draw(cuts) for name in check.strata if draw(st.booleans())}
    return CheckPlan(**check.model_dump() | {"strata_cuts": cut})


@st.composite
def outcomes(draw):
    if draw(st.booleans()):
        return OutcomePlan(column=draw(names), favorable=draw(lists(values, min_size=1)), meaning=draw(maybe))
    return OutcomePlan(column=draw(names), favorable_when=draw(names), meaning=draw(maybe))


readings = st.builds(
    ReadOptions,
    delimiter=maybe,
    encoding=maybe,
    decimal=st.sampled_from([None, ".", ","]),
    quote=maybe,
    header=st.none() | st.booleans(),
    sheet=maybe,
    trim=st.booleans(),
    missing=lists(texts),
    decimal_comma=lists(texts),
    as_text=lists(texts),
    names_row=st.none() | st.integers(1, 100),
    rules=st.sampled_from([1, 2]),
)
checks = st.builds(
    CheckPlan,
    title=maybe,
    where=maybe,
    protected=texts,
    protected_name=maybe,
    tolerance=shares,
    confidence=st.floats(0.5, 0.9999),
    strata=lists(names),
    compare=lists(lists(names, min_size=1)),
    reference=maybe,
    min_count=st.integers(1, 10**6),
).flatmap(with_cuts)
errors = st.builds(
    ErrorsPlan,
    where=maybe,
    by=lists(names, min_size=1),
    positive=st.sampled_from(["favorable", "unfavorable"]),
    cost_false_positive=st.floats(0, 1e6),
    cost_false_negative=st.floats(0, 1e6),
)
scores = st.builds(
    ScorePlan,
    column=names,
    higher_is_favorable=st.booleans(),
    cut=st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
data_plans = st.builds(
    DataPlan,
    source=names,
    name=maybe,
    fingerprint=st.none() | st.just("0f" * 32),
    n_rows=st.none() | st.integers(0, 10**9),
    columns=st.none() | lists(names),
    reading=readings,
)
reports = st.builds(
    ReportPlan,
    title=maybe,
    author=maybe,
    organisation=maybe,
    purpose=maybe,
    quality=st.booleans(),
    definitions=st.booleans(),
)
models = st.builds(
    ModelsPlan,
    features=lists(names, min_size=1),
    protected=texts,
    where=maybe,
    protected_name=maybe,
    by=lists(names),
    positive=st.sampled_from(["favorable", "unfavorable"]),
    tolerance=shares,
    confidence=st.floats(0.5, 0.9999),
    n_components=st.none() | st.integers(1, 99),
    min_level_count=st.integers(1, 99),
)
learners = st.sampled_from(["logistic_regression", "mlp", "random_forest", "gradient_boosting"])
plains = st.builds(PlainPlan, name=maybe, model=learners | st.just("svm"))
relabels = st.builds(
    RelabelPlan,
    name=maybe,
    algorithm=st.sampled_from(["risk_adjustment", "risk_flipping"]),
    risk_model=learners,
    final_model=learners,
    threshold=st.floats(0, 1, exclude_min=True, exclude_max=True),
)


@st.composite
def thresholds(draw):
    cut = st.tuples(texts, st.floats(allow_nan=False, allow_infinity=False))
    chosen = draw(lists(cut, unique_by=lambda pair: pair[0]))
    search = "chosen" if chosen else draw(st.sampled_from(["exact", "pso"]))
    model = draw(learners | st.sampled_from(["svm", "score"]))
    weight = draw(st.floats(0, 1e6))
    swarm = {"swarm": "thresholds", "n_particles": draw(st.integers(1, 99))} if search == "pso" else {}
    settings = {"model": model, "fairness_weight": weight, "search": search, "thresholds": chosen}
    return ThresholdsPlan(name=draw(maybe), **settings, **swarm)


equalizes = st.builds(
    EqualizePlan,
    name=maybe,
    accuracy_weight=shares,
    distance=st.sampled_from(["ranks", "histogram"]),
    smoothing=st.none() | st.floats(0, 9, exclude_min=True),
    optimizer=st.sampled_from(["lbfgs", "momentum"]),
    max_iter=st.integers(1, 10**6),
)

conditions = st.lists(names.filter(str.strip), min_size=2, max_size=3, unique=True)
constraints = st.builds(
    FairnessSpec,
    st.sampled_from([*METRICS, "aec(1, 5)", "aec(0.1, 2.25)", "errors(1, 0.5)"]),
    st.lists(names, min_size=1, max_size=3, unique=True).map(tuple).map(Columns)
    | conditions.map(lambda found: Conditions(tuple(zip(found, found[::-1], strict=True)))),
    st.floats(0, 1, exclude_min=True),
)
constrains = st.builds(
    ConstrainPlan,
    name=maybe,
    model=learners,
    constraints=lists(constraints.map(str), min_size=1),
    scale=st.floats(0, 9, exclude_min=True),
)


column_names = st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=12).filter(str.strip)
plain_texts = st.text(st.characters(exclude_categories=("C",)), max_size=12)
compared = st.builds(
    Literal,
    column_names,
    st.sampled_from(["equals", "at_most", "above", "not_equals"]),
    st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False),
) | st.builds(Literal, column_names, st.sampled_from(["equals", "not_equals"]), plain_texts | st.booleans())
asked = st.builds(Literal, column_names, st.sampled_from(["missing", "not_missing"]))
rule_sets = st.lists(st.lists(compared | asked, min_size=1, max_size=3), max_size=3).map(RuleSet.of)


@st.composite
def rule_plans(draw):
    difference = draw(shares)
    return RulesPlan(
        name=draw(maybe),
        max_complexity=draw(st.integers(2, 100)),
        fairness=draw(st.sampled_from([None, *RATES])),
        max_difference=difference,
        margin=difference * draw(shares),
        objective=draw(st.sampled_from(["hamming", "zero_one"])),
        max_rule_length=draw(st.none() | st.integers(1, 99)),
        use_sensitive=draw(st.booleans()),
        time_limit=draw(st.floats(0, 1e6, exclude_min=True)),
        rules=draw(rule_sets).conditions(),
    )


@st.composite
def remedies(draw):
    """What all models share, and remedies of which no two have one name."""
    some = plains | relabels | thresholds() | equalizes | constrains | rule_plans()
    found = draw(lists(some, unique_by=lambda r: id(r) if r.name is None else r.name))
    return (draw(models) if found else draw(st.none() | models)), found


base_plans = st.builds(
    AuditPlan,
    data=data_plans,
    decision=outcomes(),
    prediction=st.none() | outcomes(),
    score=st.none() | scores,
    protected_columns=lists(names),
    checks=lists(checks),
    errors=lists(errors),
    small_cells=st.builds(SmallCellsPlan, mask=st.booleans(), minimum=st.integers(2, 99)),
    report=reports,
    seed=st.integers(0, 2**31),
)
plans = st.builds(
    lambda plan, tried: AuditPlan(**dict(plan) | {"models": tried[0], "remedies": tried[1]}), base_plans, remedies()
)


@pytest.mark.thorough
@settings(max_examples=200, deadline=None)
@given(plans)
def test_a_plan_survives_toml(plan):
    again = AuditPlan.from_toml(plan.to_toml())
    assert again == plan
    assert again.digest == plan.digest
    assert again.to_toml() == plan.to_toml()


@settings(max_examples=50, deadline=None)
@given(plans, plans)
def test_plans_with_another_content_have_another_digest(one, other):
    assert (one.to_toml() == other.to_toml()) == (one.digest == other.digest)


def test_a_blank_filter_is_none():
    blank = PLAN.model_copy(update={"checks": (CheckPlan(where=" ", protected="sex = 'F'"),)})
    assert blank.checks == (CheckPlan(protected="sex = 'F'"),)
    assert AuditPlan.from_toml(PLAN.to_toml() + "\n[[errors]]\nwhere = '\t'\nby = ['sex']\n").errors[-1].where is None


def test_a_plan_survives_a_file(tmp_path):
    PLAN.save(tmp_path / "plan.toml")
    assert AuditPlan.load(tmp_path / "plan.toml") == PLAN
    assert b"\r" not in (tmp_path / "plan.toml").read_bytes()


def test_cuts_of_strata_stand_under_the_check_and_an_empty_choice_is_left_out():
    check = CheckPlan(protected="a = 1", strata=("age", "area"), strata_cuts={"age": (30.0, 45.5)})
    plan = PLAN.model_copy(update={"checks": (check,)})
    assert "\n[checks.strata_cuts]\nage = [\n    30,\n    45.5,\n]\n" in plan.to_toml()
    assert check.whole_strata == ("area",)
    assert "strata_cuts" not in PLAN.to_toml()


def test_the_file_names_its_schema_and_leaves_out_defaults():
    text = PLAN.to_toml()
    assert text.startswith(f"schema_version = {SCHEMA_VERSION}\n")
    assert "seed" not in text
    assert text.count("tolerance") == 1


def test_the_digest_is_known_and_does_not_move():
    plan = AuditPlan(data=DataPlan(source="a.csv"), decision=OutcomePlan(column="y", favorable=(1,)))
    assert plan.digest == "9985e4e078c94a0d8841c9c28f9d0192bad1552a92ae63c510091855c4094cb7"
    assert plan.model_copy(update={"seed": 1}).digest != plan.digest


def test_the_digest_of_a_plan_that_limits_misclassification_rates_does_not_move():
    constrained = ConstrainPlan(constraints=("error_rate by sex <= 0.05",))
    models = ModelsPlan(features=("a",), protected="b = 1")
    decision = OutcomePlan(column="y", favorable=(1,))
    plan = AuditPlan(data=DataPlan(source="a.csv"), decision=decision, models=models, remedies=(constrained,))
    assert plan.digest == "1f47ccbcfa14d15f02cd041c682634a0f2be760bcf56c3d71ae59cf6bb4c20bc"


def test_a_default_that_is_written_out_changes_nothing():
    written = PLAN.to_toml().replace("schema_version = 1\n", "schema_version = 1\nseed = 0\n")
    assert AuditPlan.from_toml(written).digest == PLAN.digest


def test_whole_numbers_are_one_value_with_and_without_a_point():
    one, other = (OutcomePlan(column="y", favorable=(value,)) for value in (1.0, 1))
    assert one.model_dump_json() == other.model_dump_json()
    assert OutcomePlan(column="y", favorable=(True,)).favorable[0] is True


def toml(extra="", *, data='source = "a.csv"', decision='column = "income"\nfavorable = [">50K"]', top=""):
    return f"schema_version = 1\n{top}[data]\n{data}\n\n[decision]\n{decision}\n\n{extra}"


MODELS = '[models]\nfeatures = ["a"]\nprotected = "b = 1"\n\n'
CHOSEN = '[[remedies]]\nmethod = "thresholds"\nsearch = "chosen"\n'
CONSTRAIN = '[[remedies]]\nmethod = "constrain"\n'
RULES = '[[remedies]]\nmethod = "rules"\n'
CHECKS = "[[checks]]\nprotected = \"a = 'x'\"\n\n[[checks]]\n"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("a = ", "The plan is not valid TOML:", "Open a plan that fairaudit saved"),
        ("[data]\nsource = 'a'", "'schema_version' of the plan must be 1, got None", "version of fairaudit"),
        ("schema_version = 2", "'schema_version' of the plan must be 1, got 2", "version of fairaudit"),
        (toml(top="sed = 1\n"), "The field 'sed' in line 2 of the plan is not known", "Did you mean 'seed'"),
        (toml(top="x = 1\n"), "The field 'x' in line 2 of the plan is not known", ", ".join(map(repr, TOP))),
        (
            toml(CHECKS + 'protected = "a = 1"\nconfidence = "0.9"\n'),
            "'checks.2.confidence' in line 14 of the plan must be a number, got '0.9'",
            "without quotes",
        ),
        (toml('[small_cells]\nminimum = "5"\n'), "'small_cells.minimum' in line 10 of the plan must be a whole", None),
        (toml('[small_cells]\nmask = "true"\n'), "'small_cells.mask' in line 10 of the plan must be true or", None),
        (
            toml(top="tolerance = 0.1\n"),
            "The field 'tolerance' in line 2 of the plan does not belong there",
            "known in another part of the plan: move it below the heading",
        ),
        (
            toml(CHECKS + 'protected = "b"\ntolerence = 0.1\n'),
            "The field 'checks.2.tolerence' in line 14 of the plan is not known",
            "Did you mean 'tolerance'",
        ),
        (
            toml(CHECKS + 'protected = "b"\ntolerance = "much"\n'),
            "'checks.2.tolerance' in line 14 of the plan must be a number, got 'much'",
            "without quotes",
        ),
        (
            toml(CHECKS + 'protected = "b"\ntolerance = 5\n'),
            "'checks.2.tolerance' in line 14 of the plan must be less than or equal to 1, got 5",
            None,
        ),
        (
            toml(CHECKS + 'protected = "b"\nstrata = ["a"]\nstrata_cuts.a = [30, 20]\n'),
            "'checks.2.strata_cuts' in line 12 of the plan must cut 'a' in ascending order, got 30, 20",
            "Write numbers in ascending order",
        ),
        (
            toml(CHECKS + 'protected = "b"\nstrata = ["a"]\n[checks.strata_cuts]\nb = [30]\n'),
            "'checks.2.strata_cuts' in line 15 of the plan must only cut columns that make strata, got 'b'",
            "Name 'b' among the strata, too, or leave out its cuts.",
        ),
        (
            toml(CHECKS + 'protected = "b"\nstrata = ["a"]\n[checks.strata_cuts]\na = [true]\n'),
            "'checks.2.strata_cuts' in line 15 of the plan must cut 'a' at finite numbers, got True",
            None,
        ),
        (
            toml(CHECKS + "tolerance = 0.1\n"),
            "The plan lacks the field 'checks.2.protected'",
            "Add protected = ... under [[checks]]",
        ),
        (
            toml(CHECKS + "protected = 5\n"),
            "'checks.2.protected' in line 13 of the plan must be a text, got 5",
            "in quotes",
        ),
        (
            toml(decision='column = "income"\nfavorable = ">50K"'),
            "'decision.favorable' in line 7 of the plan must be a list, got '>50K'",
            "in brackets",
        ),
        (
            toml(MODELS + CONSTRAIN + "constraints = [1]\n"),
            "'remedies.1.constraints.1' in line 15 of the plan must be",
            'constraints = ["..."]',
        ),
        (
            toml(decision='column = "income"\nfavorable = [1979-05-27]'),
            "'decision.favorable.1' in line 7 of the plan must be a text, a number, true or false",
            None,
        ),
        (
            toml(decision='column = "income"'),
            "'decision' in line 5 of the plan is not right: give either 'favorable'",
            None,
        ),
        (
            toml(data='source = "a.csv"\nreading = {delimitr = ";"}'),
            "'data.reading' in line 4 of the plan has the unknown field 'delimitr'; known are: all_closed, as_text",
            None,
        ),
        (
            toml("[[errors]]\nby = []\n"),
            "'errors.1.by' in line 10 of the plan must have at least 1 item",
            None,
        ),
        (
            toml('[[errors]]\nby = ["a"]\npositive = "good"\n'),
            "'errors.1.positive' in line 11 of the plan must be 'favorable' or 'unfavorable', got 'good'",
            None,
        ),
        (
            toml("[report]\nquality = 3\n"),
            "'report.quality' in line 10 of the plan must be true or false, got 3",
            "without quotes",
        ),
        (
            toml(MODELS + '[[remedies]]\nmethod = "plain"\n[[remedies]]\nmethod = "equalize"\nacuracy_weight = 1\n'),
            "The field 'remedies.2.acuracy_weight' in line 17 of the plan is not known",
            "Did you mean 'accuracy_weight'",
        ),
        (
            toml(MODELS + '[[remedies]]\nmethod = "relabel"\nrisk_model = "svm"\n'),
            "'remedies.1.risk_model' in line 15 of the plan must be 'logistic_regression', 'mlp'",
            None,
        ),
        (
            toml(MODELS + '[[remedies]]\nname = "a"\nmethod = "threshold"\n'),
            "'remedies.1.method' in line 15 of the plan must be one of 'plain', 'relabel', 'thresholds', 'equalize', "
            "'constrain', 'rules', 'trees', got 'threshold'",
            None,
        ),
        (
            toml(MODELS + '[[remedies]]\nname = "a"\n'),
            "The plan lacks the field 'remedies.1.method'",
            "Add method = ... under [[remedies]]",
        ),
        (
            toml(MODELS + '[[remedies]]\nmethod = "thresholds"\nsearch = "chosen"\n'),
            "'remedies.1' in line 13 of the plan is not right: give 'thresholds' where 'search' is 'chosen'",
            None,
        ),
        (
            toml(MODELS + CHOSEN + 'thresholds = [["a", 0.5], ["b", "x"]]\n'),
            "'remedies.1.thresholds.2.2' in line 16 of the plan must be a number, got 'x'",
            "without quotes",
        ),
        (
            toml(MODELS + CHOSEN + 'thresholds = [["a"]]\n'),
            "'remedies.1.thresholds.1' in line 16 of the plan lacks entry number 2",
            None,
        ),
        (
            toml(MODELS + CHOSEN + 'thresholds = [["a", 0], ["a", 1]]\n'),
            "'remedies.1' in line 13 of the plan has two entries for one group in 'thresholds'",
            None,
        ),
        (
            toml(MODELS + CHOSEN + 'thresholds = [["a", nan]]\n'),
            "'remedies.1.thresholds.1.2' in line 16 of the plan must be a finite number, got nan",
            None,
        ),
        (
            toml(MODELS + 2 * '[[remedies]]\nmethod = "plain"\nname = "a"\n'),
            "The plan holds two remedies with the name 'a'",
            None,
        ),
        (
            toml('[[remedies]]\nmethod = "plain"\n'),
            "The plan holds 'remedies' and needs a part [models]",
            None,
        ),
        (
            toml(MODELS + CONSTRAIN + 'constraints = ["demographic_parity by a <= 0.1", "tppr by a <= 0.1"]\n'),
            "'remedies.1.constraints.2' in line 15 of the plan is not right: There is no metric 'tppr' (at character "
            "1) in 'tppr by a <= 0.1'.",
            "There are: error_rate, demographic_parity, fpr, fnr, for_, fdr, aec(1, 5), errors(1, 5)",
        ),
        (
            toml(MODELS + CONSTRAIN + 'constraints = [\n  "demographic_parity by a <= 3"\n]\n'),
            "'remedies.1.constraints.1' in line 15 of the plan is not right: 'max_difference' must be at most 1 for "
            "'demographic_parity', which is a share, got 3 (at character 28) in 'demographic_parity by a <= 3'.",
            "Write 0.03 for three points",
        ),
        (
            toml(MODELS + CONSTRAIN + f'constraints = ["{"x" * 10_001}"]\n'),
            "'remedies.1.constraints.1' in line 15 of the plan is not right: Constraints may have at most 10,000 "
            "characters, got 10,001.",
            None,
        ),
        (
            toml(MODELS + CONSTRAIN + "constraints = []\n"),
            "'remedies.1.constraints' in line 15 of the plan must have at least 1 item",
            None,
        ),
        (
            toml(MODELS + CONSTRAIN + 'constraints = "demographic_parity by a <= 0.1"\n'),
            "'remedies.1.constraints' in line 15 of the plan must be a list, got 'demographic_parity by a <= 0.1'",
            "in brackets",
        ),
        (
            toml(MODELS + RULES + 'rules = [\n  "a > 1",\n  "a > 1 AND"\n]\n'),
            "'remedies.1.rules.2' in line 15 of the plan is not right: The condition ends too early (at character 10) "
            "in 'a > 1 AND'",
            "Write for example",
        ),
        (
            toml(MODELS + RULES + 'rules = ["a > 1 OR b = 2"]\n'),
            "'remedies.1.rules.1' in line 15 of the plan is not right: Inside a rule, OR is not allowed",
            "Write a rule for each part",
        ),
        (
            toml(MODELS + RULES + 'rules = ["a > 3 AND a < 2"]\n'),
            "'remedies.1.rules.1' in line 15 of the plan is not right: The rule can never hold",
            "Change or leave out",
        ),
        (
            toml(MODELS + RULES + "max_complexity = 1\n"),
            "'remedies.1.max_complexity' in line 15 of the plan must be greater than or equal to 2, got 1",
            None,
        ),
        (
            toml(MODELS + RULES + "max_difference = 0.02\nmargin = 0.05\n"),
            "'remedies.1' in line 13 of the plan is not right: 'margin' must be at most 'max_difference' (0.02), got "
            "0.05",
            None,
        ),
        (
            toml(MODELS + RULES + 'fairness = "parity"\n'),
            "'remedies.1.fairness' in line 15 of the plan must be 'equalized_odds', 'equal_opportunity'",
            None,
        ),
        (
            toml(MODELS + RULES + "time_limit = 0\n"),
            "'remedies.1.time_limit' in line 15 of the plan must be greater than 0, got 0",
            None,
        ),
        (
            toml(MODELS + CONSTRAIN + 'constraints = ["demographic_parity by a <= 0.1"]\nscale = 0\n'),
            "'remedies.1.scale' in line 16 of the plan must be greater than 0, got 0",
            None,
        ),
        (
            toml(MODELS + CONSTRAIN),
            "The plan lacks the field 'remedies.1.constraints'",
            "Add constraints = ... under [[remedies]]",
        ),
        ("schema_version = 1\ndata = 3\n", "'data' in line 2 of the plan must be a table of fields, got 3", "[data]"),
    ],
)
def test_a_broken_plan_is_refused_with_the_line_and_the_remedy(text, message, hint):
    with pytest.raises(PlanError) as caught:
        AuditPlan.from_toml(text)
    assert caught.value.message.startswith(message), caught.value.message
    assert "\n" not in caught.value.message
    if hint is not None:
        assert hint in (caught.value.hint or "")


def test_a_plan_with_a_byte_order_mark_is_read(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.to_toml(), encoding="utf-8-sig")
    assert AuditPlan.load(path) == AuditPlan.from_toml("\ufeff" + PLAN.to_toml()) == PLAN


def test_the_kind_of_a_remedy_is_written_even_where_it_is_its_default():
    plan = PLAN.model_copy(
        update={"models": ModelsPlan(features=("a",), protected="b = 1"), "remedies": (PlainPlan(),)}
    )
    assert plan.to_toml().endswith('[[remedies]]\nmethod = "plain"\n')
    assert AuditPlan.from_toml(plan.to_toml()).remedies == (PlainPlan(),)


def test_asking_for_nothing_alike_is_written_out():
    models = ModelsPlan(features=("a",), protected="b = 1")
    plan = PLAN.model_copy(update={"models": models, "remedies": (RulesPlan(fairness=None),)})
    assert plan.to_toml().endswith('[[remedies]]\nfairness = "none"\nmethod = "rules"\n')
    assert AuditPlan.from_toml(plan.to_toml()).remedies[0].fairness is None
    assert plan.digest != plan.model_copy(update={"remedies": (RulesPlan(),)}).digest


def test_rules_are_kept_as_they_are_printed_each_once():
    shown = ("age<=25 and age <= 30 AND not race='x'", "age <= 25 AND race <> 'x'", "b BETWEEN 1 AND 2.0")
    kept = ("age <= 25 AND race <> 'x'", "b >= 1 AND b <= 2")
    assert RulesPlan(rules=shown).rules == kept
    assert RulesPlan(rules=kept) == RulesPlan(rules=shown)


def test_constraints_are_kept_as_they_are_printed_each_once():
    shown = (
        "DEMOGRAPHIC_PARITY by race<=3%; fpr by race <= 0.1",
        "equalized_odds by race <= 10%",
        'demographic_parity by "race" <= 0.03',
    )
    kept = ("demographic_parity by race <= 0.03", "fpr by race <= 0.1", "fnr by race <= 0.1")
    assert ConstrainPlan(constraints=shown).constraints == kept
    assert ConstrainPlan(constraints=kept) == ConstrainPlan(constraints=shown)


def test_lines_are_found_in_what_the_plan_writes():
    text = PLAN.to_toml().replace("tolerance = 0.1", 'tolerance = "x"')
    line = text.splitlines().index('tolerance = "x"') + 1
    with pytest.raises(PlanError, match=f"in line {line} of the plan"):
        AuditPlan.from_toml(text)


def test_a_missing_or_unreadable_plan_file_is_refused(tmp_path):
    with pytest.raises(PlanError, match="cannot be read: No such file"):
        AuditPlan.load(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("title = 'é'".encode("latin-1"))
    with pytest.raises(PlanError, match="is not UTF-8"):
        AuditPlan.load(tmp_path / "latin.toml")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="[]={}\"'\n.0aschema_verion 1", max_size=60))
def test_any_text_is_a_plan_or_a_plan_error(text):
    for candidate in (text, "schema_version = 1\n" + text):
        with contextlib.suppress(PlanError):
            AuditPlan.from_toml(candidate)


def test_a_part_is_read_as_its_own_kind_only():
    assert as_part(PlainPlan(), PlainPlan) == PlainPlan()
    with pytest.raises(TypeError, match="A PlainPlan stands where there must be a RulesPlan"):
        as_part(PlainPlan(), RulesPlan)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: CheckPlan(protected="sex = 'F'", tolerance=5), "'tolerance' in the CheckPlan must be"),
        (
            lambda: CheckPlan(protected="sex = 'F'", tolerence=0.1),
            "The field 'tolerence' in the CheckPlan is not known",
        ),
        (lambda: OutcomePlan(column="pay", amount=True, favorable=("1",)), "The OutcomePlan is not right: give either"),
        (lambda: ErrorsPlan(by=()), "'by' in the ErrorsPlan must have at least 1 item"),
        (
            lambda: AuditPlan(
                data=DataPlan(source="t.csv"),
                decision=OutcomePlan(column="pay", amount=True),
                checks=(CheckPlan(protected="sex = 'F'", cluster="office"),),
            ),
            "The AuditPlan holds 'cluster' in a check, which needs a favourable result",
        ),
        (
            lambda: AuditPlan(
                data=DataPlan(source="t.csv"),
                decision=OutcomePlan(column="ok", favorable=("1",)),
                checks=[{"protected": "x = 1", "tolerance": 5}],
            ),
            "'checks.1.tolerance' in the AuditPlan must be",
        ),
    ],
)
def test_a_part_made_in_python_is_refused_in_a_sentence(make, said):
    with pytest.raises(PlanError) as caught:
        make()
    assert caught.value.message.startswith(said) and "pydantic" not in str(caught.value)


def test_the_other_outcome_has_words_of_its_own_and_an_amount_has_none():
    made = OutcomePlan(column="again", favorable=(0,), meaning="no new offence", other_meaning="a new offence")
    audit = AuditPlan(data=DataPlan(source="x.csv"), decision=made)
    assert (
        AuditPlan.from_toml(audit.to_toml()).decision == made and 'other_meaning = "a new offence"' in audit.to_toml()
    )
    with pytest.raises(ValueError, match="'other_meaning', which an amount does not have"):
        OutcomePlan(column="pay", amount=True, other_meaning="no pay")
    with pytest.raises(ValueError, match="'is_outcome', which an amount does not have"):
        OutcomePlan(column="pay", amount=True, is_outcome=True)


BEFORE = AuditPlan(
    data=DataPlan(source="a.csv"),
    decision=OutcomePlan(column="reoffended", favorable=("no",)),
    prediction=OutcomePlan(column="decile", favorable_when="decile < 5"),
)


def old_audit(*parts: str) -> AuditPlan:
    """An audit as it was saved before it had one choice of what is positive."""
    return AuditPlan.from_toml(BEFORE.to_toml() + "".join(parts))


def test_the_choice_of_what_is_positive_reaches_each_part_and_is_written_once():
    models = ModelsPlan(features=("age",), protected="sex = 'F'")
    errors = (ErrorsPlan(by=("sex",)), ErrorsPlan(by=("race",)))
    plan = AuditPlan(
        data=BEFORE.data,
        decision=BEFORE.decision,
        prediction=BEFORE.prediction,
        positive="unfavorable",
        errors=errors,
        models=models,
    )
    assert {part.positive for part in (*plan.errors, plan.models)} == {"unfavorable"}
    assert plan.to_toml().count("positive") == 1 and AuditPlan.from_toml(plan.to_toml()) == plan


@pytest.mark.parametrize(("measure", "now"), [("fpr", "fnr"), ("fnr", "fpr"), ("fdr", "for_"), ("accuracy",) * 2])
def test_a_search_of_an_old_audit_measures_what_it_did_under_the_name_that_errors_give_it(measure, now):
    plan = old_audit('[[errors]]\nby = ["sex"]\npositive = "unfavorable"\n', f'[[subgroups]]\nmeasure = "{measure}"\n')
    assert (plan.positive, plan.subgroups[0].measure) == ("unfavorable", now)
    assert AuditPlan.from_toml(plan.to_toml()) == plan


def test_parts_of_an_old_audit_that_disagree_keep_what_they_say():
    plan = old_audit(
        '[models]\nfeatures = ["age"]\nprotected = "sex = "\n',
        '[[errors]]\nby = ["sex"]\npositive = "unfavorable"\n[[errors]]\nby = ["race"]\n',
    )
    assert plan.positive == "unfavorable"
    assert [part.positive for part in (*plan.errors, plan.models)] == ["unfavorable", "favorable", "favorable"]
    assert AuditPlan.from_toml(plan.to_toml()) == plan


def test_an_old_audit_of_the_good_outcome_keeps_its_digest():
    plan = old_audit('[[errors]]\nby = ["sex"]\n', '[[subgroups]]\nmeasure = "fpr"\n')
    assert (plan.positive, plan.subgroups[0].measure) == ("favorable", "fpr") and "positive" not in plan.to_toml()


@pytest.mark.parametrize(
    ("said", "scored", "is_outcome"),
    [(None, False, False), (None, True, True), (False, True, False), (True, False, True), (True, True, True)],
)
def test_what_a_decision_is_follows_what_is_said_and_else_whether_something_is_held_against_it(
    said, scored, is_outcome
):
    plan = AuditPlan(
        data=BEFORE.data,
        decision=BEFORE.decision.model_copy(update={"is_outcome": said}),
        score=ScorePlan(column="points") if scored else None,
    )
    assert plan.decision_is_outcome == is_outcome
    assert AuditPlan.from_toml(plan.to_toml()) == plan and ("is_outcome" in plan.to_toml()) == (said is not None)


def test_a_prediction_does_not_say_whether_it_happened():
    with pytest.raises(PlanError, match="which only the decision has"):
        old_audit("is_outcome = true\n")


def test_each_sample_with_a_good_outcome_says_whether_it_is_a_decision():
    plans = {path.stem: AuditPlan.load(path) for path in SAMPLES.glob("*.toml")}
    assert all((plan.decision.is_outcome is None) == plan.decision.amount for plan in plans.values())
    true = {name for name, plan in plans.items() if plan.decision_is_outcome}
    assert true == {"recidivism", "recidivism_rules", "recidivism_worst"}


@pytest.mark.parametrize("name", sorted(path.stem for path in SAMPLES.glob("*.toml")))
def test_a_plan_that_is_dumped_is_the_plan_again(name):
    plan = AuditPlan.load(SAMPLES / f"{name}.toml")
    assert AuditPlan.model_validate(plan.model_dump()) == plan
