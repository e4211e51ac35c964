"""What remedies show where small counts are hidden: each figure counts test cases, and what is hidden stays open."""

from __future__ import annotations

import csv
import io
import itertools
import json
import zipfile
from dataclasses import fields, is_dataclass, replace

import amounts_by_hand
import numpy as np
import pandas as pd
import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema
from scipy.optimize import Bounds, LinearConstraint, milp
from trees_by_hand import trees_details
from whole_report import whole_report

from fairaudit.audit.running import run
from fairaudit.disclosure.fields import Remark, export_of
from fairaudit.disclosure.gate import exported
from fairaudit.disclosure.remedies import JudgedCases, hidden_amount_remedies, hidden_details, hidden_remedies
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import Chart, TableBlock
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf
from fairaudit.sections.remedy.saying import say_remedy
from fairaudit.study.findings import RemediesFinding, RemedyFinding
from fairaudit.study.judging.held_out import HeldOut, JudgeWords
from fairaudit.study.judging.results import Judged
from fairaudit.study.sampled import SampleFacts

MINIMUM = 10
NOT_PEOPLE = {
    "n_undefined", "n_few", "n_components", "n_epochs", "n_iterations", "n_columns", "n_fits", "n_pairs", "n_pairs_met",
    "n_pairs_within", "n_literals", "n_rounds",
}  # fmt: skip
ZERO_ALLOWED = {"unknown", "undecided", "n_undecided", "n_unknown", "n_filtered_out"}
LARGE = (by_hand.BEFORE, by_hand.AFTER)
SMALL = (LARGE[0], ((71, 60, 385, 9), (1890, 690, 5954, 710)))
GROUPS = by_hand.GROUPS


def hidden(found: RemediesFinding, minimum: int = MINIMUM) -> RemediesFinding:
    return hidden_remedies(found, JudgedCases(found, minimum))


def audit(before, after, **options):
    return by_hand.audit(by_hand.remedies(before=before, after=after, **options), minimum=MINIMUM)


# Test cases by hand: 100 rows of each group and outcome have a yes before, the others do not.

SIZES = {"good": (200, 311), "bad": (223, 420)}
GAINS = {"good": (40, 30), "bad": (25, 20)}
"""People of either group and outcome for whom the model after says yes, and that before no."""
LOSSES = {"good": (20, 15), "bad": (45, 35)}


def judged_by_hand(gains=GAINS, losses=LOSSES, *, outside=(0, 0)) -> tuple[HeldOut, Judged, Judged]:
    """Return the judge and two models; `outside` are rows of the rest with either outcome that no filter keeps."""
    rows = []
    for place, outcome in itertools.product(range(2), ("good", "bad")):
        number = np.arange(SIZES[outcome][place])
        before = number < 100
        changed = (number < losses[outcome][place]) | (number >= len(number) - gains[outcome][place])
        rows += [(place, outcome == "good", *each, 1) for each in zip(before, before ^ changed, strict=True)]
    for outcome, n in zip((1, 0), outside, strict=True):
        rows += [(1, outcome, i % 2, i % 2, 0) for i in range(n)]
    group, y, before, after, inside = np.array(rows, dtype=int).T
    held_out = HeldOut(
        y,
        protected=group == 0,
        population=inside == 1,
        groups=np.array(GROUPS, dtype=object)[group],
        group_names=GROUPS,
        names=JudgeWords(protected=GROUPS[0]),
    )
    return held_out, Judged(before), Judged(after)


def tried(held_out: HeldOut, before: Judged, *afters: Judged, plans=(), **facts) -> RemediesFinding:
    """Return remedies beside the same model without them."""
    plain = held_out.evaluate("plain", before.prediction)
    own = {"decisions": held_out.decisions(), "judged": held_out.people, "n_held_out": held_out.n} | facts
    found = [
        replace(
            by_hand.remedy("relabel", name=f"model {number}"),
            plan=plans[number] if plans else by_hand.RelabelPlan(),
            before=plain,
            after=held_out.evaluate(f"model {number}", after.prediction),
            changes=held_out.changes(before, after),
        )
        for number, after in enumerate(afters)
    ]
    return RemediesFinding(by_hand.facts(GROUPS, **own), tuple(found))


def moved(model: Judged, *places: int) -> Judged:
    """Return a model that predicts otherwise for some rows."""
    prediction = model.prediction.copy()
    prediction[list(places)] ^= 1
    return Judged(prediction)


def with_intervals(remedy: RemedyFinding) -> set[str]:
    return {change.measure for change in remedy.changes if change.interval.low is not None}


BY_GROUP = {"selection_gap", "tpr_gap", "fpr_gap", "fdr_gap", "for_gap"}


def test_large_counts_stay_with_the_intervals_of_changes_where_many_gain_and_many_lose():
    found = tried(*judged_by_hand())
    [remedy] = hidden(found).remedies
    whole = found.remedies[0]
    assert (remedy.after.errors, remedy.after.fairness) == (whole.after.errors, whole.after.fairness)
    assert [m for m in remedy.after.measures if m.measure != "auc"] == [
        m for m in whole.after.measures if m.measure != "auc"
    ]
    assert with_intervals(remedy) == {"accuracy", "balanced_accuracy", "gap", *BY_GROUP}


def test_what_scores_tell_counts_nobody_and_is_hidden():
    [remedy] = hidden(tried(*judged_by_hand())).remedies
    assert remedy.after.measure("auc").value is None
    assert "auc" not in {change.measure for change in remedy.changes}


@pytest.mark.parametrize("outcome", ["good", "bad"])
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("gain", [True, False])
def test_no_interval_by_group_stays_where_few_of_a_group_gain_or_lose(outcome, place, gain):
    gains, losses = dict(GAINS), dict(LOSSES)
    few = gains if gain else losses
    few[outcome] = tuple(3 if i == place else n for i, n in enumerate(few[outcome]))
    [remedy] = hidden(tried(*judged_by_hand(gains, losses))).remedies
    assert {change.measure for change in remedy.changes} >= BY_GROUP
    assert not with_intervals(remedy) & BY_GROUP


def test_figures_by_group_of_two_cuts_of_one_score_that_differ_by_few_are_not_both_shown():
    held_out, before, _ = judged_by_hand()
    # Rows 100 to 200 of the first group have the good outcome, and 300 to 423 the other one; all have a no before, and
    # in a lower cut nobody loses.
    close, far = moved(before, 150, 151, 350), moved(before, *range(100, 130), *range(300, 330))
    assert hidden(tried(held_out, before, close)).remedies[0].after.errors.counts.empty
    assert not hidden(tried(held_out, before, far)).remedies[0].after.errors.counts.empty
    # Beside a third one that is close to the second.
    first, second = hidden(tried(held_out, before, far, moved(far, 150, 151, 350))).remedies
    assert first.after.errors.counts.empty or second.after.errors.counts.empty


def test_one_small_cell_hides_all_figures_by_group_of_that_model_and_leaves_the_gap():
    found = by_hand.remedies(("relabel",), before=SMALL[0], after=SMALL[1])
    [remedy] = hidden(found).remedies
    assert remedy.after.errors.counts.empty and remedy.after.measure("tpr_gap").value is None
    assert remedy.after.fairness == found.remedies[0].after.fairness
    assert remedy.before.errors.counts.equals(found.remedies[0].before.errors.counts)
    assert not BY_GROUP & {change.measure for change in remedy.changes}


def test_nothing_is_shown_of_a_model_that_says_the_same_to_all():
    alike = tuple((tp + fn, fp + tn, 0, 0) for tp, fp, tn, fn in LARGE[0])
    remedy = hidden(by_hand.remedies(("relabel",), after=alike)).remedies[0]
    assert remedy.after.n is remedy.after.fairness.difference is None
    assert {measured.value for measured in remedy.after.measures} == {None} and remedy.changes == ()


@pytest.mark.parametrize(("outside", "shown"), [((40, 60), True), ((2, 3), False)])
def test_few_test_cases_that_the_filter_leaves_out_hide_the_gap(outside, shown):
    [remedy] = hidden(tried(*judged_by_hand(outside=outside))).remedies
    assert (remedy.after.fairness.difference is not None) is shown


def test_a_group_without_test_cases_hides_figures_by_group_as_readers_know_that_it_is_small():
    found = tried(*judged_by_hand())
    named = replace(found, facts=replace(found.facts, groups=(*GROUPS, "few"), group_columns=("race",)))
    [remedy] = hidden(named).remedies
    assert remedy.after.errors.counts.empty and remedy.after.fairness.difference is not None


@pytest.mark.parametrize(
    "plan",
    [
        RulesPlan(rules=("age <= 25",)),
        ThresholdsPlan(search="chosen", thresholds=(("women", 0.3), ("the rest", 0.5))),
        PlainPlan(threshold=0.4),
    ],
)
def test_where_the_plan_says_who_is_predicted_what_no_figure_is_shown(plan):
    held_out, before, after = judged_by_hand()
    first, chosen = hidden(
        tried(held_out, before, after, moved(after, 3), plans=(by_hand.RelabelPlan(), plan))
    ).remedies
    assert first.after.fairness.difference is not None
    assert chosen.after.n is chosen.after.fairness.difference is None and chosen.changes == ()
    assert {measured.value for measured in chosen.after.measures} == {None} and chosen.plan == plan


def has_figures(value) -> bool:
    if is_dataclass(value):
        return any(has_figures(getattr(value, f.name)) for f in fields(value) if export_of(f) not in ("setting", None))
    if isinstance(value, pd.DataFrame):
        return not value.empty
    if isinstance(value, tuple):
        return any(map(has_figures, value)) if type(value) is tuple else any(end is not None for end in value)
    return value is not None


def test_all_else_that_remedies_found_is_hidden_as_a_whole():
    found = by_hand.remedies(sample=SampleFacts("PostgreSQL", ("protection",), (), 50, 90, 1), n_unknown=7)
    tree = replace(by_hand.remedy("rules"), plan=TreesPlan(), details=trees_details(GROUPS, by_hand.AFTER))
    answers = {"yardsticks": (by_hand.yardstick("shifted", is_best=True),)}
    found = replace(found, remedies=tuple(replace(remedy, **answers) for remedy in (*found.remedies, tree)))
    shown = hidden(found)
    assert any(remedy.after.fairness.difference is not None for remedy in shown.remedies)
    for remedy in shown.remedies:
        assert not has_figures(remedy.details) and remedy.yardsticks[0].is_best
        others = (remedy.yardsticks, remedy.worse_off, remedy.within, remedy.divisions, remedy.beside_decisions)
        assert not any(map(has_figures, others))
    facts = shown.facts
    sizes = (facts.n_rows, facts.n_undecided, facts.n_train, facts.n_tune, facts.n_unknown, facts.n_filtered_out)
    assert sizes == (None,) * 6 and not has_figures(facts.sample) and facts.n_held_out is not None


def test_whether_anybody_is_of_no_known_group_is_said():
    assert hidden(by_hand.remedies(("plain",))).facts.n_unknown == 0


def test_only_remarks_that_declare_to_reveal_nothing_stay():
    said = ("Column a gives the outcome away.", Remark("The 12 steps were used up.", "setting"))
    first = by_hand.remedy("constrain", warnings=said)
    first = replace(first, details=replace(first.details, notes=said, conflicts=said))
    found = replace(by_hand.remedies(warnings=said), remedies=(first,))
    shown = hidden(found)
    [remedy] = shown.remedies
    assert shown.facts.warnings == remedy.warnings == remedy.details.notes == remedy.details.conflicts == said[1:]


def test_models_of_amounts_show_no_figure():
    plan = amounts_by_hand.plan().model_copy(
        update={
            "models": ModelsPlan(features=("grade", "area"), protected="sex = 'F'"),
            "remedies": (PlainPlan(model="linear_regression"), TreesPlan(max_depth=1, amount_difference=300.0)),
        }
    )
    found = run(plan, table=amounts_by_hand.pay()).amount_remedies
    shown = hidden_amount_remedies(found)
    assert not has_figures(replace(shown.facts, n_unknown=None))
    for remedy in shown.remedies:
        assert not any(map(has_figures, (remedy.before, remedy.after, remedy.changes, remedy.details)))


def test_details_keep_what_was_asked_and_how_the_search_went():
    whole = by_hand.remedy("rules").details
    shown = hidden_details(whole)
    assert (shown.status, shown.max_complexity, shown.complexity) == (
        whole.status,
        whole.max_complexity,
        whole.complexity,
    )
    assert shown.rules.empty and shown.coverage.empty and shown.objective is None


@pytest.mark.parametrize("uses", [True, False])
def test_hidden_rules_that_use_a_column_of_the_groups_are_still_said_to_decide_by_group(uses):
    rules = by_hand.remedy("rules")
    table = rules.details.rules.assign(uses_protected=uses)
    rules = replace(rules, details=replace(rules.details, rules=table), uses_protected_features=uses)
    found = replace(by_hand.remedies(), remedies=(rules,))
    for shown in (found, hidden(found, minimum=10_000)):
        caution = {message.key for message in say_remedy(shown.remedies[0], shown.facts).caution}
        assert ("remedy-caution-by-group" in caution) is uses


# Beside the checks of an audit: one in five of all people is a test case.


def people(n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"sex": rng.choice(["F", "M"], n), "area": rng.choice(["u", "v", "w"], n, p=[0.5, 0.49, 0.01])}
    )
    grade = rng.integers(0, 10, n)
    likely = 0.2 + 0.2 * (frame["sex"] == "M") + 0.05 * grade
    return frame.assign(grade=grade, y=np.where(rng.random(n) < likely, "good", "bad"))


@pytest.mark.parametrize(("minimum", "shown"), [(10, True), (18, False)])
def test_a_large_minimum_hides_remedies_once_anything_else_is_hidden(minimum, shown):
    plan = AuditPlan(
        data=DataPlan(source="x.csv"),
        decision=OutcomePlan(column="y", favorable=("good",)),
        checks=(CheckPlan(protected="sex = 'F'", compare=(("area",),)),),
        models=ModelsPlan(features=("grade",), protected="sex = 'F'"),
        remedies=(PlainPlan(),),
        small_cells=SmallCellsPlan(mask=True, minimum=minimum),
    )
    result = exported(run(plan, table=people(1500, 1)))
    assert any(row.comparison.difference is None for row in result.checks[0].groups[0].rows)
    assert (result.remedies.facts.decisions.difference is not None) is shown


# In all exports.


def counts_in(value, name="") -> list[tuple[str, float]]:
    """Return every count of rows in a JSON document, with its name."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in counts_in(item, key)]
    if isinstance(value, list):
        return [found for item in value for found in counts_in(item, name)]
    is_count = name in {"n", "positives", "tp", "fp", "tn", "fn", "unknown", "undecided"} or name.startswith("n_")
    return [(name, value)] if is_count and name not in NOT_PEOPLE and isinstance(value, (int, float)) else []


def files_of(result) -> dict[str, list[dict[str, str]]]:
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        return {
            name: list(csv.DictReader(io.StringIO(bundle.read(name).decode("utf-8-sig"))))
            for name in bundle.namelist()
            if name.endswith(".csv")
        }


def texts_of(document) -> str:
    def said(value) -> str:
        if isinstance(value, Chart):
            return " ".join((value.title, value.alt, json.dumps(value.chart.to_dict(validate=False), sort_keys=True)))
        return repr(value)

    return " ".join(said(block) for block in document.blocks)


def random_counts(rng) -> tuple:
    """Return the cells of each group without and with a remedy: as many people of each outcome in both."""
    low = rng.choice([0, 6, 12, 40])
    sizes = [rng.integers(2 * low, 2 * low + rng.choice([6, 200]), 2) + 1 for _ in range(2)]
    said = [[[int(rng.integers(0, n + 1)) for n in pair] for pair in sizes] for _ in range(2)]
    return tuple(
        tuple((tp, fp, n - fp, p - tp) for (tp, fp), (p, n) in zip(model, sizes, strict=True)) for model in said
    )


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_no_small_count_is_in_any_export(seed):
    result = audit(*random_counts(np.random.default_rng(seed)))
    values = json.loads(to_json(result))["remedies"]
    assert not [(name, n) for name, n in counts_in(values) if n < MINIMUM and not (n == 0 and name in ZERO_ALLOWED)]
    bundle = files_of(result)
    counted = {(row["file"], row["column"]) for row in bundle["data_dictionary.csv"] if row["unit"] == "rows"}
    assert counted
    for file, rows in bundle.items():
        for row in rows:
            for column, cell in row.items():
                if (file, column) in counted and cell not in ("", "not shown"):
                    assert float(cell) >= MINIMUM or (float(cell) == 0 and row.get("part") == "without a decision")


@pytest.mark.thorough
def test_exports_of_two_audits_that_differ_in_what_is_hidden_alone_are_the_same():
    other = replace(
        by_hand.remedy("relabel"), details=replace(by_hand.relabel_details(), n_flipped=95, weight_ratio=1.8)
    )
    one, two = (
        by_hand.audit(replace(by_hand.remedies(), remedies=(each,)), minimum=MINIMUM)
        for each in (by_hand.remedy("relabel"), other)
    )
    assert to_json(one) == to_json(two) and to_csv_bundle(one) == to_csv_bundle(two)
    assert texts_of(whole_report(one)) == texts_of(whole_report(two))


@pytest.mark.thorough
@pytest.mark.parametrize("minimum", [MINIMUM, 10_000])
def test_an_export_without_figures_of_remedies_keeps_its_schema_and_is_drawn(minimum):
    tree = replace(by_hand.remedy("rules"), plan=TreesPlan(), details=trees_details(GROUPS, by_hand.AFTER))
    found = replace(by_hand.remedies(), remedies=(*by_hand.remedies().remedies, replace(tree, name="A tree")))
    result = by_hand.audit(found, minimum=minimum)
    assert not against_schema(json.loads(to_json(result)))
    document = whole_report(result)
    assert to_pdf(document).startswith(b"%PDF") and to_csv_bundle(result)
    keys = [block.key for block in document.blocks if isinstance(block, (Chart, TableBlock))]
    assert not [key for key in keys if key.endswith(("_flipped", "_thresholds", "_weights", "_rules", "_tree"))]


def test_without_the_rule_nothing_is_hidden():
    found = by_hand.remedies(("relabel",), before=SMALL[0], after=SMALL[1])
    [remedy], [whole] = exported(by_hand.audit(found)).remedies.remedies, found.remedies
    assert (remedy.after.measures, remedy.changes) == (whole.after.measures, whole.changes)
    assert remedy.after.prediction is None and whole.after.prediction is not None


# A law: of whatever is shown of few test cases and several models, nothing hidden follows, found by integer programs.


def drawn(seed: int) -> RemediesFinding:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([60, 150, 400]))
    group, score = rng.integers(0, 2, n), rng.random(n)
    y = (rng.random(n) < 0.3 + 0.3 * score + 0.1 * group).astype(int)
    held_out = HeldOut(
        y,
        protected=group == 0,
        groups=np.array(GROUPS, dtype=object)[group],
        group_names=GROUPS,
        names=JudgeWords(protected=GROUPS[0]),
    )
    cuts = [score >= rng.uniform(0.3, 0.7), score >= np.where(group == 0, *rng.uniform(0.3, 0.7, 2))]
    other = rng.random(n) + 0.4 * y >= rng.uniform(0.5, 0.9)
    models = [Judged(each.astype(int)) for each in (cuts[0], cuts[1], other)]
    return tried(held_out, *models)


def shown_sums(found: RemediesFinding, shown: RemediesFinding):
    """Yield what a reader knows of the test cases, as masks: each cell that is shown, and sizes of groups."""
    people = found.facts.judged
    group, good = people["group"].to_numpy(), people["good"].to_numpy()
    for name, truth in itertools.product(GROUPS, (True, False)):
        yield (group == name) & (good == truth)
    for remedy, own in zip(shown.remedies, found.remedies, strict=True):
        models = [(getattr(remedy, when), getattr(own, when).prediction == 1) for when in ("before", "after")]
        for model, says in models:
            if len(model.errors.counts):
                yield from ((group == name) & (good == truth) & says for name in GROUPS for truth in (True, False))
            if model.fairness.difference is not None:
                yield from ((group == name) & says for name in GROUPS)
            if model.measure("accuracy").value is not None:
                yield from ((good == truth) & says for truth in (True, False))
        (_, was), (_, now) = models
        shown = with_intervals(remedy)
        for parts, measure in (
            ([group == name for name in GROUPS], "gap"),
            ([good, ~good], "accuracy"),
            ([(group == name) & (good == truth) for name in GROUPS for truth in (True, False)], "selection_gap"),
        ):
            if measure in shown:
                yield from (part & (was != now) for part in parts)


@pytest.mark.parametrize("seed", range(25))
def test_what_is_hidden_of_few_test_cases_stays_open(seed):
    found = drawn(seed)
    minimum = int(np.random.default_rng(seed).choice([3, 4, 6]))
    sums = list(shown_sums(found, hidden(found, minimum)))
    models = {each.prediction.tobytes(): each.prediction for r in found.remedies for each in (r.before, r.after)}
    kinds = found.facts.judged[["group", "good"]].assign(**{str(i): m for i, m in enumerate(models.values())})
    who = [name for name in kinds if name != "good"]
    # Who there is and what is predicted is known, and not with which outcome.
    atoms = kinds[who].drop_duplicates().merge(pd.DataFrame({"good": [True, False]}), how="cross")
    place = {tuple(row): i for i, row in enumerate(atoms[[*who, "good"]].itertuples(index=False))}
    of = np.array([place[tuple(row)] for row in kinds[[*who, "good"]].itertuples(index=False)])
    counts = np.bincount(of, minlength=len(atoms))
    rows = np.array([np.isin(np.arange(len(atoms)), of[mask]) for mask in sums], dtype=float)
    known = LinearConstraint(rows, rows @ counts, rows @ counts)
    sizes = pd.Series(counts).groupby([atoms["group"], atoms["good"]]).transform("sum").to_numpy()
    for atom in np.flatnonzero((counts > 0) & (counts < minimum)):
        ends = [
            milp(
                sign * np.eye(len(atoms))[atom], integrality=np.ones(len(atoms)), bounds=Bounds(0), constraints=known
            ).x
            for sign in (1.0, -1.0)
        ]
        need = min((minimum + 1) // 2, sizes[atom])
        assert round(ends[1][atom] - ends[0][atom]) >= need, (seed, atoms.iloc[atom].to_dict(), counts[atom])
