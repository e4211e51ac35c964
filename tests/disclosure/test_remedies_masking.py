from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import asdict, is_dataclass, replace

import numpy as np
import pytest
import remedies_by_hand as by_hand
from findings_by_hand import fairness
from findings_by_hand import finding as check_by_hand
from whole_report import whole_report

from fairaudit.disclosure.fields import Remark
from fairaudit.disclosure.gate import exported
from fairaudit.disclosure.remedies import masked_remedies, sides_of_groups
from fairaudit.plan import CheckPlan
from fairaudit.present.blocks import Chart, TableBlock
from fairaudit.report import to_csv_bundle, to_json
from fairaudit.sections.remedy import read_remedy

MINIMUM = 10
NOT_PEOPLE = {
    "n_undefined", "n_few", "n_components", "n_epochs", "n_iterations", "n_columns", "n_fits", "n_pairs", "n_pairs_met",
    "n_pairs_within", "n_literals", "n_rounds",
}  # fmt: skip
ZERO_ALLOWED = {"unknown", "undecided", "n_undecided", "n_unknown", "n_filtered_out"}
LARGE = (((45, 18, 427, 35), (1900, 700, 5944, 700)), ((62, 69, 376, 18), (1890, 690, 5954, 710)))
SMALL = (LARGE[0], ((71, 60, 385, 9), (1890, 690, 5954, 710)))


def study(before, after, **options):
    return by_hand.remedies(before=before, after=after, **options)


def audit(before, after, **options):
    return by_hand.audit(study(before, after, **options), minimum=MINIMUM)


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
        return repr(asdict(value)) if is_dataclass(value) else repr(value)

    return " ".join(said(block) for block in document.blocks)


def random_counts(rng) -> tuple:
    low = rng.choice([0, 6, 12, 40])
    return tuple(tuple(int(n) for n in rng.integers(low, low + rng.choice([6, 200]), 4)) for _ in range(2))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_no_small_count_is_in_any_export(seed):
    rng = np.random.default_rng(seed)
    result = audit(random_counts(rng), random_counts(rng))
    values = json.loads(to_json(result))["remedies"]
    small = [(name, n) for name, n in counts_in(values) if n < MINIMUM and not (n == 0 and name in ZERO_ALLOWED)]
    assert not small
    bundle = files_of(result)
    counted = {(row["file"], row["column"]) for row in bundle["data_dictionary.csv"] if row["unit"] == "rows"}
    assert counted
    for file, rows in bundle.items():
        for row in rows:
            for column, cell in row.items():
                if (file, column) in counted and cell not in ("", "not shown"):
                    assert float(cell) >= MINIMUM or (float(cell) == 0 and row.get("part") == "without a decision")


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
def test_exports_say_nothing_of_how_a_small_cell_is_divided_among_groups(seed):
    """Two audits whose groups differ, but not all rows together, have the same exports where the groups are hidden."""
    move = np.random.default_rng(seed).integers(1, 5)
    (tp, fp, tn, fn), rest = SMALL[1]
    other = ((tp + move, fp, tn, fn - move), (rest[0] - move, rest[1], rest[2], rest[3] + move))
    one, two = audit(*SMALL), audit(SMALL[0], other)
    assert to_json(one) == to_json(two)
    assert to_csv_bundle(one) == to_csv_bundle(two)
    assert texts_of(whole_report(one)) == texts_of(whole_report(two))


@pytest.mark.thorough
@pytest.mark.parametrize(("filtered_out", "shown"), [(300, True), (9, False)])
def test_few_rows_that_the_gap_is_not_measured_on_hide_how_many_it_is_measured_on(filtered_out, shown):
    result = by_hand.audit(by_hand.narrowed(study(*LARGE), filtered_out=filtered_out), minimum=MINIMUM)
    said = json.loads(to_json(result))["remedies"]["remedies"][1]
    assert (said["after"]["fairness"]["protected"]["n"] is not None) is shown
    assert shown is ("9,769 of" in texts_of(whole_report(result)))
    assert not [name for name, n in counts_in(said) if n == 9 and name != "n_epochs"]


@pytest.mark.parametrize(
    ("outside", "predicted", "good", "shown"),
    [(0, 0, 0, True), (40, 20, 20, True), (40, 3, 20, False), (40, 20, 3, False), (40, 40, 20, False)],
)
def test_few_rows_of_a_group_that_the_filter_leaves_out_cannot_be_worked_out(outside, predicted, good, shown):
    """Rates by group are of all held-out rows, the gap of those that meet the filter: that reveals their difference."""
    found = by_hand.narrowed(study(*LARGE, methods=("plain",)), filtered_out=400)
    [remedy] = found.remedies
    counts = remedy.after.errors.counts.iloc[0]
    decided = by_hand.fairness(counts["tp"] + counts["fn"], 525, 2600, 9244, where="education_num > 10")

    def inside(result, positives):
        side = result.protected
        side = replace(side, n=side.n - outside, positives=side.positives - positives)
        return replace(result, protected=side, n_filtered_out=400)

    model = replace(remedy.after, fairness=inside(remedy.after.fairness, predicted))
    remedy = replace(remedy, before=model, after=model)
    found = replace(found, facts=replace(found.facts, decisions=inside(decided, good)), remedies=(remedy,))
    [said] = masked_remedies(found, MINIMUM, checks=(), others_hidden=False).remedies
    assert (said.after.fairness.protected.n is not None) is shown


@pytest.mark.parametrize(
    ("condition", "columns", "names", "sides"),
    [
        (
            "sex = 'F'",
            ("sex",),
            ["F", "M", "missing"],
            {"protected": ["F"], "reference": ["M"]},
        ),
        ("code = 2", ("code",), ["1", "2"], {"protected": ["2"], "reference": ["1"]}),
        (
            "sex = 'F'",
            ("sex", "area"),
            ["F, north", "F, south", "M, north"],
            {"protected": ["F, north", "F, south"], "reference": ["M, north"]},
        ),
        ("sex = 'F' AND pay > 3", ("sex",), ["F", "M"], {}),
        ("sex = 'F'", ("sex",), ["F", "M, or so"], None),
        ("member = TRUE", ("member",), ["True", "False"], None),
        (by_hand.GROUPS[0], (), ["the rest", "missing"], {"reference": ["the rest"]}),
    ],
)
def test_the_sides_of_a_gap_are_read_from_the_names_of_groups(condition, columns, names, sides):
    compared = replace(by_hand.fairness(80, 525, 2600, 9244), protected_condition=condition)
    assert sides_of_groups(names, columns, compared) == sides


@pytest.mark.parametrize(("outside", "shown"), [(0, True), (3, False), (40, True)])
def test_few_rows_that_the_filter_leaves_out_are_not_shown_where_a_column_makes_the_groups(outside, shown):
    found = by_hand.narrowed(study(*LARGE, methods=("plain",)), filtered_out=400)
    [remedy] = found.remedies
    counts = remedy.after.errors.counts
    cells = counts.iloc[0][["tp", "fp", "tn", "fn"]].sum()

    def inside(result, good):
        side = replace(result.protected, n=cells - outside, positives=good - outside // 2)
        return replace(result, protected=side, n_filtered_out=400, protected_condition="sex = 'F'")

    errors = replace(remedy.after.errors, counts=counts.assign(group=["F", "M"]))
    predicted, decided = (counts.iloc[0][["tp", cell]].sum() for cell in ("fp", "fn"))
    model = replace(remedy.after, errors=errors, fairness=inside(remedy.after.fairness, predicted))
    facts = replace(found.facts, group_columns=("sex",), decisions=inside(found.facts.decisions, decided))
    found = replace(found, facts=facts, remedies=(replace(remedy, before=model, after=model),))
    [said] = masked_remedies(found, MINIMUM, checks=(), others_hidden=False).remedies
    assert (said.after.fairness.protected.n is not None) is shown


def test_people_of_an_unknown_group_hide_no_figure_of_both_sides():
    check = check_by_hand(8000, 20000, 90000, 200000, unknown=7)
    found = study(*LARGE, n_unknown=7)
    shown = masked_remedies(found, MINIMUM, checks=(check,), others_hidden=True)
    assert shown.facts.decisions.difference == found.facts.decisions.difference
    assert [r.after.measures for r in shown.remedies] == [r.after.measures for r in found.remedies]


@pytest.mark.parametrize(("unknown", "sizes"), [(0, True), (7, False), (70, True)])
def test_how_many_are_of_an_unknown_group_is_not_said_nor_to_be_worked_out(unknown, sizes):
    facts = masked_remedies(study(*LARGE, n_unknown=unknown), MINIMUM, checks=(), others_hidden=False).facts
    assert facts.n_unknown == (None if unknown else 0)
    assert (facts.n_rows is not None) is (facts.n_held_out is not None) is sizes


def test_large_counts_are_shown():
    shown = masked_remedies(study(*LARGE), MINIMUM, checks=(), others_hidden=False)
    assert [r.after.fairness.difference for r in shown.remedies] == [
        r.after.fairness.difference for r in study(*LARGE).remedies
    ]
    assert any(
        block.key == "remedy_2_chart" for block in whole_report(audit(*LARGE)).blocks if isinstance(block, Chart)
    )


def test_one_small_cell_hides_all_figures_by_group_of_that_remedy_only():
    large, small = by_hand.remedy("relabel"), by_hand.remedy("equalize", before=SMALL[0], after=SMALL[1])
    found = replace(by_hand.remedies(), remedies=(large, small))
    first, second = masked_remedies(found, MINIMUM, checks=(), others_hidden=False).remedies
    assert first.after.fairness.difference == large.after.fairness.difference
    assert second.after.fairness.difference is None
    assert second.before.errors.counts.empty
    assert {change.measure for change in second.changes} == {"accuracy", "balanced_accuracy", "auc"}
    assert second.after.measure("accuracy") == small.after.measure("accuracy")
    assert second.after.measure("tpr_gap").value is None


def test_overall_figures_go_where_a_cell_of_all_rows_is_small():
    few = ((45, 0, 445, 35), (1900, 4, 6640, 700))
    [remedy] = masked_remedies(study(few, few, methods=("plain",)), MINIMUM, checks=(), others_hidden=False).remedies
    assert all(measured.value is None for measured in remedy.after.measures)
    assert '"n": null' in to_json(by_hand.audit(study(few, few, methods=("plain",)), minimum=MINIMUM))


@pytest.mark.parametrize(
    ("counts", "is_shown"),
    [
        (((0, 0, 445, 80), (2_600, 6_644, 0, 0)), False),
        (((525 - 80, 80, 0, 0), (0, 0, 6_644, 2_600)), False),
        (((0, 0, 445, 80), (1_900, 700, 5_944, 700)), True),
    ],
)
def test_overall_figures_go_where_they_say_what_all_of_each_group_are_predicted(counts, is_shown):
    # Who reads that a model knows the groups alone tries what it may predict for each: one accuracy is left.
    [remedy] = masked_remedies(
        study(counts, counts, methods=("plain",)), MINIMUM, checks=(), others_hidden=False
    ).remedies
    overall = [remedy.after.measure(name).value is not None for name in ("accuracy", "balanced_accuracy")]
    assert overall == [is_shown] * 2
    assert remedy.after.errors.counts.empty


def test_what_was_learned_from_is_not_counted_out():
    shown = masked_remedies(study(*LARGE), MINIMUM, checks=(), others_hidden=False)
    relabel, thresholds, equalize, *_ = (remedy.details for remedy in shown.remedies[1:])
    assert relabel.n_flipped is None
    assert relabel.flipped.empty
    assert relabel.direction == "raised"
    assert thresholds.thresholds.empty
    assert thresholds.roc.empty
    assert equalize.distribution.empty
    assert equalize.threshold is None and relabel.weight_ratio is None
    tables = [block.key for block in whole_report(audit(*LARGE)).blocks if isinstance(block, TableBlock)]
    assert not [key for key in tables if key.endswith(("_flipped", "_thresholds", "_weights"))]


@pytest.mark.parametrize(("left", "hidden"), [(9, True), (10, False)])
def test_full_counts_less_held_out_ones_give_no_small_count_away(left, hidden):
    held_out = by_hand.facts().decisions
    p, r = held_out.protected, held_out.reference
    counts = (p.positives + left, p.n + left + 500, r.positives + 8000, r.n + 30000)
    plan = CheckPlan(protected="race <> 'White'", where="education_num > 10")
    check = check_by_hand(*counts, plan=plan)
    shown = masked_remedies(study(*LARGE), MINIMUM, checks=(check,), others_hidden=False)
    assert (shown.facts.decisions.difference is None) is hidden
    assert all((remedy.after.fairness.difference is None) is hidden for remedy in shown.remedies)
    another = replace(check, result=replace(check.result, where=None))
    assert masked_remedies(study(*LARGE), MINIMUM, checks=(another,), others_hidden=False).facts.decisions.difference


@pytest.mark.parametrize(
    ("undecided", "others_hidden", "said"), [(0, False, True), (4, False, False), (25, False, True), (0, True, False)]
)
def test_rows_without_a_decision_cannot_be_worked_out_from_the_parts(undecided, others_hidden, said):
    found = study(*LARGE, n_undecided=undecided)
    facts = masked_remedies(found, MINIMUM, checks=(), others_hidden=others_hidden).facts
    sizes = (facts.n_rows, facts.n_undecided, facts.n_train, facts.n_tune, facts.n_held_out)
    assert (None not in sizes) is said
    assert said or set(sizes) == {None}


def test_a_large_minimum_hides_groups_once_anything_else_is_hidden():
    for minimum, hidden in ((16, False), (18, True)):
        shown = masked_remedies(study(*LARGE), minimum, checks=(), others_hidden=True)
        assert (shown.facts.decisions.difference is None) is hidden


def test_few_rows_in_neither_group_hide_the_groups():
    remedy = by_hand.remedy()
    few = replace(remedy.after, fairness=replace(remedy.after.fairness, n_filtered_out=3))
    found = replace(by_hand.remedies(), remedies=(replace(remedy, after=few),))
    [shown] = masked_remedies(found, MINIMUM, checks=(), others_hidden=False).remedies
    assert shown.after.fairness.difference is None
    assert shown.after.fairness.n_filtered_out is None


def test_only_warnings_that_declare_to_reveal_nothing_stay():
    said = ("Column a gives the outcome away.", Remark("The 12 steps were used up.", "setting"))
    found = replace(by_hand.remedies(warnings=said), remedies=(by_hand.remedy(warnings=said),))
    shown = masked_remedies(found, MINIMUM, checks=(), others_hidden=False)
    assert shown.facts.warnings == shown.remedies[0].warnings == said[1:]


def test_without_the_rule_nothing_is_hidden():
    result = replace(by_hand.audit(study(*SMALL)), people=None)
    assert exported(result) is result


def with_yardstick(kind, counts, before=LARGE[0], after=LARGE[1]):
    found = study(before, after)
    own = {"yardsticks": (by_hand.yardstick(kind, counts, is_best=True),)}
    return replace(found, remedies=tuple(replace(remedy, **own) for remedy in found.remedies))


@pytest.mark.parametrize("kind", ["shifted", "constant"])
def test_a_small_cell_of_an_answer_that_costs_nothing_hides_its_gaps_alone(kind):
    everybody = tuple((tp + fn, fp + tn, 0, 0) for tp, fp, tn, fn in LARGE[0])
    cells = {"shifted": ((1, 2, 443, 79), (1900, 700, 5944, 700)), "constant": everybody}[kind]
    found = masked_remedies(with_yardstick(kind, cells), MINIMUM, checks=(), others_hidden=False)
    [yardstick], after = found.remedies[0].yardsticks, found.remedies[0].after
    assert yardstick.fairness.difference is yardstick.measure("gap").value is None
    assert yardstick.measure("accuracy").value is not None and yardstick.change.difference is not None
    assert after.fairness.difference is not None


def test_a_small_cell_of_a_remedy_hides_the_gaps_of_answers_beside_it():
    found = masked_remedies(with_yardstick("shifted", LARGE[0], *SMALL), MINIMUM, checks=(), others_hidden=False)
    [hidden, *_] = [remedy for remedy in found.remedies if remedy.after.fairness.difference is None]
    [yardstick] = hidden.yardsticks
    assert yardstick.fairness.difference is yardstick.measure("gap").value is None
    assert yardstick.measure("accuracy").value is not None


def test_no_figure_of_an_answer_stays_where_a_cell_of_all_rows_is_small():
    few = ((45, 18, 427, 35), (1900, 700, 5944, 700)), ((4, 2, 443, 76), (2, 3, 6641, 2598))
    found = masked_remedies(with_yardstick("shifted", few[1], *few), MINIMUM, checks=(), others_hidden=False)
    [yardstick] = found.remedies[0].yardsticks
    assert {measured.value for measured in yardstick.measures} == {None}
    assert yardstick.change.difference is yardstick.change.interval.low is None
    assert read_remedy(found.remedies[0], found.facts).simple is None


@pytest.mark.parametrize(("good", "n", "shown"), [(75, 515, False), (60, 495, True)])
def test_few_outcomes_of_held_out_rows_on_neither_side_cannot_be_worked_out_from_overall_figures(good, n, shown):
    # All 525 and 9,244 rows have 80 and 2,600 good outcomes, which accuracies show.
    found = study(*LARGE)
    decisions = fairness(good, n, 2600, 9244, where="education_num > 10")
    found = replace(found, facts=replace(found.facts, decisions=decisions))
    masked = masked_remedies(found, MINIMUM, checks=(), others_hidden=False)
    assert (masked.facts.decisions.protected.positives is not None) == shown
    assert masked.remedies[0].after.measure("accuracy").value is not None


def test_what_an_answer_does_on_the_tuning_rows_is_not_shown_but_which_is_best():
    found = masked_remedies(with_yardstick("plain", LARGE[0]), MINIMUM, checks=(), others_hidden=False)
    [yardstick] = found.remedies[0].yardsticks
    assert yardstick.is_best and yardstick.fairness.difference is not None
    assert yardstick.limit is yardstick.keeps_limit is yardstick.is_ahead is yardstick.threshold is None
