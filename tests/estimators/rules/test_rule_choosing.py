"""The final choice is never worse than what it chooses from, and keeps the true constraint."""

from __future__ import annotations

import pytest
from small_problems import FAIRNESS, all_outcomes, random_problem

from fairaudit.estimators.rules.improving import CellBits, Weighing, improve
from fairaudit.estimators.rules.problem import Problem, RuleColumns, outcome_of
from fairaudit.estimators.rules.search import choose
from fairaudit.work import Budget


def errors_of_best(problem, outcomes):
    return min((outcome.errors for outcome in outcomes if outcome.meets(problem)), default=None)


@pytest.mark.thorough
@pytest.mark.parametrize("objective", ["hamming", "zero_one"])
@pytest.mark.parametrize("fairness", FAIRNESS)
def test_the_choice_is_no_worse_than_the_best_solution_and_meets_the_true_constraint(fairness, objective):
    for seed in range(6):
        problem, columns = random_problem(seed, fairness=fairness, n_groups=2 + seed % 3, objective=objective, n=400)
        outcomes = all_outcomes(problem, columns)
        solutions = list(outcomes)[seed::7]
        chosen = choose(problem, columns, solutions)
        best = errors_of_best(problem, [outcomes[places] for places in {*solutions, ()}])
        if best is None:
            assert chosen.outcome.gap <= min(outcomes[places].gap for places in solutions), seed
            continue
        assert chosen.outcome.meets(problem), seed
        assert chosen.outcome.errors <= best, seed


def test_the_outcome_is_that_of_the_rules():
    problem, columns = random_problem(1, n=300, n_groups=3)
    chosen = choose(problem, columns, [(0,), (1, 2)])
    made = RuleColumns.of(chosen.rules, problem.rows)
    assert made.rules == chosen.rules == tuple(sorted(chosen.rules))
    assert outcome_of(problem, made, range(len(made))) == chosen.outcome


def test_the_choice_depends_on_nothing_but_the_arguments():
    problem, columns = random_problem(2, n=400, n_rules=14)
    solutions = [(0, 1), (2,), (3, 4)]
    first = choose(problem, columns, solutions)
    second = choose(problem, columns, [(1, 0), *reversed(solutions), (2,)])
    assert first.rules == second.rules and first.outcome == second.outcome


def test_without_time_the_best_of_the_solutions_is_taken_as_it_is():
    problem, columns = random_problem(3, n=400, n_rules=14, fairness=None)
    poor = (int(columns.covers.sum(axis=1).argmax()),)
    chosen = choose(problem, columns, [poor], budget=Budget(0.0))
    assert chosen.outcome.errors == min(outcome_of(problem, columns, places).errors for places in (poor, ()))
    assert choose(problem, columns, [poor], budget=Budget(60)).outcome.errors < chosen.outcome.errors


def test_steps_help_where_the_solution_is_poor():
    problem, columns = random_problem(3, n=400, n_rules=14, fairness=None)
    poor = (int(columns.covers.sum(axis=1).argmax()),)
    chosen = choose(problem, columns, [poor])
    assert chosen.outcome.errors < outcome_of(problem, columns, poor).errors
    assert not set(chosen.rules) <= set(columns.rules), "a literal was exchanged, so a rule is new"


@pytest.mark.parametrize("true", [True, False])
def test_no_single_exchange_of_rules_is_better_than_what_steps_end_with(true):
    for seed in range(4):
        problem, columns = random_problem(seed, n_rules=12, n=300, n_groups=3)
        rules = improve(Weighing(problem, columns, true=true), [], new_rules=False)
        places = [columns.rules.index(rule) for rule in rules]

        def loss(chosen, problem=problem, columns=columns):
            outcome = outcome_of(problem, columns, chosen)
            meets = outcome.meets(problem) if true else outcome.fits_master(problem)
            return (outcome.errors if true else outcome.hamming) if meets else float("inf")

        neighbours = [
            [*(place for place in places if place != leaving), *coming]
            for leaving in [None, *places]
            for coming in [[], *([place] for place in range(len(columns)) if place not in places)]
        ]
        assert loss(places) == min(loss(chosen) for chosen in neighbours), seed


def test_a_start_that_breaks_the_constraint_is_led_back():
    problem, columns = random_problem(0, n=400, fairness="demographic_parity", max_difference=0.02)
    outcomes = all_outcomes(problem, columns)
    breaking = next(places for places, outcome in outcomes.items() if not outcome.meets(problem))
    rules = improve(Weighing(problem, columns), [columns.rules[place] for place in breaking])
    made = RuleColumns.of(rules, problem.rows)
    assert outcome_of(problem, made, range(len(made))).gap < outcomes[breaking].gap


def test_rules_stay_as_short_as_is_asked():
    problem, columns = random_problem(1, n=400, fairness=None, max_complexity=12)
    short = Problem(problem.rows, 12, None, max_rule_length=1)
    single = RuleColumns.of([rule for rule in columns.rules if len(rule) == 1] + [(3,)], problem.rows)
    chosen = choose(short, single, [(0,)])
    assert max(len(rule) for rule in chosen.rules) == 1


def test_without_columns_the_empty_rule_set_may_grow_from_literals():
    problem, columns = random_problem(0, fairness=None)
    chosen = choose(problem, columns.take([]), [])
    assert chosen.outcome.errors <= problem.rows.totals[:, 1].sum()


def test_bits_count_rows_by_group_and_label():
    problem, columns = random_problem(5, n=700, n_groups=4)
    bits, rows = CellBits(problem), problem.rows
    tallies = bits.tally(bits.pack(columns.covers))
    for place, cover in enumerate(columns.covers):
        for group in range(4):
            for label in (0, 1):
                expected = rows.weights[cover & (rows.groups == group) & (rows.labels == bool(label))].sum()
                assert tallies[place, 2 * group + label] == expected
