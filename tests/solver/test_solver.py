"""The door to SCIP: events, limits, stopping, and silence."""

from __future__ import annotations

import itertools
import math
import random
import threading
import time
from contextlib import closing

import pytest
from event_runs import driven

from fairaudit.errors import NoSolutionError, SolverError
from fairaudit.events import STOP, Incumbent, Progress
from fairaudit.solver import SolveLimits, add_row, iter_solve, minimise, new_model, solve
from fairaudit.work import Budget


def knapsacks(model, n=80, rows=40, seed=0):
    """Fill a model with a problem that takes SCIP minutes; with n = 25 and 5 rows, a moment."""
    chance = random.Random(seed)
    items = [model.addVar(f"x{place}", vtype="B") for place in range(n)]
    minimise(model, items, [-chance.randint(1, 100) for _ in items], constant=3.0)
    for row in range(rows):
        weights = [chance.randint(0, 99) for _ in items]
        add_row(model, items, weights, at_most=sum(weights) // 3, name=f"row{row}")
    return items


def linear(model, n=4000, rows=2000):
    """Fill a model with a linear program that takes SCIP half a minute."""
    chance = random.Random(1)
    variables = [model.addVar(f"x{place}", obj=-chance.randint(1, 1000)) for place in range(n)]
    for row in range(rows):
        chosen = chance.sample(variables, 60)
        weights = [chance.randint(1, 99) for _ in chosen]
        add_row(model, chosen, weights, at_most=1000 + chance.randint(0, 99), name=f"row{row}")
    return variables


def stopped_after(events, condition):
    """Send STOP at the first event that meets a condition; return the seconds it took to end, and the result."""
    event = next(events)
    while not condition(event):
        event = next(events)
    begun = time.monotonic()
    try:
        event = events.send(STOP)
        while True:
            event = next(events)
    except StopIteration as end:
        return time.monotonic() - begun, end.value


def test_the_last_incumbent_has_the_final_objective_and_bound():
    with new_model("small") as model:
        events, solved = driven(iter_solve(model, variables=knapsacks(model, 25, 5)))
    found = [event for event in events if isinstance(event, Incumbent)]
    assert solved.status == "optimal"
    assert found[-1].figures["objective"] == solved.objective == pytest.approx(solved.bound)
    assert set(found[0].figures) == {"objective", "bound", "share"}
    objectives = [event.figures["objective"] for event in found if not math.isnan(event.figures["objective"])]
    assert objectives and all(later <= earlier + 1e-6 for earlier, later in itertools.pairwise(objectives))
    assert all(event.figures["bound"] <= solved.objective + 1e-6 for event in found)


def test_solutions_have_the_values_of_the_variables_and_come_best_first():
    with new_model("small") as model:
        items = knapsacks(model, 25, 5)
        gains = [item.getObj() for item in items]
        solved = solve(model, variables=items)
    assert len(solved.solutions) == len(solved.objectives) > 1
    assert solved.objectives.tolist() == sorted(solved.objectives)
    assert solved.solutions @ gains + 3.0 == pytest.approx(solved.objectives)
    assert solved.best.tolist() == solved.solutions[0].tolist()


def test_the_same_seed_gives_the_same_search():
    results = []
    for _ in range(2):
        with new_model("same") as model:
            results.append(solve(model, SolveLimits(nodes=30, seed=5), variables=knapsacks(model, 40, 15)))
    first, second = results
    assert (first.objective, first.bound, first.n_nodes) == (second.objective, second.bound, second.n_nodes)
    assert first.solutions.tolist() == second.solutions.tolist()


@pytest.mark.thorough
def test_the_same_work_ends_at_the_same_place():
    results = []
    for _ in range(2):
        with new_model("same", Budget(0.5)) as model:
            results.append((solve(model, variables=knapsacks(model)), model.budget.spent))
    (first, spent), (second, spent_again) = results
    assert first.status == "work_limit" and spent == spent_again
    assert (first.objective, first.bound, first.n_nodes) == (second.objective, second.bound, second.n_nodes)
    assert first.solutions.tolist() == second.solutions.tolist()


@pytest.mark.thorough
def test_a_slow_caller_sees_the_same_and_changes_nothing():
    seen = []
    for pause_s in (0.0, 0.02):
        with new_model("same", Budget(0.4)) as model, closing(iter_solve(model, variables=knapsacks(model))) as events:
            figures = []
            for event in events:
                if isinstance(event, Incumbent):
                    figures.append((event.best, *event.figures.values()))
                    time.sleep(pause_s)
            seen.append([repr(each) for each in figures])
    assert seen[0] == seen[1] and len(seen[0]) > 2


def test_stop_at_a_solution_ends_at_the_same_place():
    ends = []
    for _ in range(3):
        with new_model("same", Budget(60.0)) as model:
            events = iter_solve(model, variables=knapsacks(model))
            _, solved = stopped_after(events, lambda event: isinstance(event, Incumbent) and event.best)
            ends.append((solved.objective, solved.bound, solved.n_nodes, model.budget.spent))
    assert ends[0] == ends[1] == ends[2]


def test_without_work_nothing_begins():
    with new_model("none", Budget(0.0)) as model:
        solved = solve(model, variables=knapsacks(model))
    assert solved.status == "work_limit" and not len(solved.solutions) and solved.bound == -math.inf


@pytest.mark.parametrize(
    "limits, work, status",
    [(None, 0.3, "work_limit"), (SolveLimits(nodes=1), 60.0, "node_limit"), (SolveLimits(gap=0.5), 60.0, "gap")],
    ids=["work", "nodes", "gap"],
)
def test_a_limit_ends_the_search_with_what_there_is(limits, work, status):
    with new_model("limited", Budget(work)) as model:
        solved = solve(model, limits, variables=knapsacks(model))
    assert solved.status == status
    assert len(solved.solutions) and solved.bound < solved.objective


@pytest.mark.thorough
def test_the_first_linear_program_ends_at_the_limit_too():
    with new_model("linear", Budget(2)) as model:
        solved = solve(model, variables=linear(model))
        assert solved.status == "work_limit"
        assert model.budget.spent < 4


def test_stop_ends_at_once_with_the_best_so_far():
    with new_model("stopped", Budget(60.0)) as model:
        events = iter_solve(model, variables=knapsacks(model))
        seconds, solved = stopped_after(events, lambda event: isinstance(event, Incumbent) and event.best)
    assert solved.status == "stopped" and len(solved.solutions)
    assert seconds < 3


@pytest.mark.thorough
def test_stop_in_a_long_linear_program_does_not_wait_for_it():
    with new_model("long") as model:
        events = iter_solve(model, variables=linear(model)[:5])
        places = itertools.count()
        seconds, solved = stopped_after(events, lambda event: isinstance(event, Progress) and next(places) >= 3)
    assert solved.status == "stopped"
    assert seconds < 4


def test_a_stop_before_the_first_node_is_heard():
    for _ in range(5):
        with new_model("early") as model:
            _, solved = stopped_after(iter_solve(model, variables=knapsacks(model)), lambda _: True)
        assert solved.status == "stopped"


def test_closing_ends_the_search():
    threads = threading.active_count()
    with new_model("closed") as model, closing(iter_solve(model, variables=knapsacks(model))) as events:
        next(events)
    assert threading.active_count() == threads


@pytest.mark.thorough
def test_a_caller_hears_often_and_other_threads_go_on():
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    with new_model("shared") as model, closing(iter_solve(model, variables=knapsacks(model))) as events:
        thread.start()
        times = [time.monotonic() for _ in itertools.islice(events, 30)]
        done.set()
        thread.join()
    assert counted > 20
    assert len(times) == 30
    assert max(later - earlier for earlier, later in itertools.pairwise(times)) < 10


def test_nothing_is_printed(capfd):
    with new_model("quiet", Budget(0.5)) as model:
        solve(model, variables=knapsacks(model))
    with new_model("quiet") as model:
        stopped_after(iter_solve(model, variables=knapsacks(model)), lambda event: isinstance(event, Incumbent))
    assert capfd.readouterr() == ("", "")


def test_an_infeasible_model_has_no_solution():
    with new_model("none") as model:
        item = model.addVar("x", vtype="B")
        add_row(model, [item], [1.0], at_least=2, name="too_much")
        solved = solve(model, variables=[item])
    assert solved.status == "infeasible" and math.isnan(solved.objective)
    with pytest.raises(NoSolutionError, match="The search has no solution: there is none"):
        _ = solved.best


def test_a_model_without_a_finite_optimum_is_an_error():
    with new_model("endless") as model:
        model.addVar("x", lb=0.0, obj=-1.0)
        with pytest.raises(SolverError, match="no finite optimum"):
            solve(model)


def test_a_failure_of_scip_is_our_error():
    class Failing:
        """Stands for a model whose linear solver fails."""

        def __init__(self, model):
            self.model = model

        def __getattr__(self, name):
            return getattr(self.model, name)

        def optimizeNogil(self):
            raise Exception("SCIP: error in LP solver!")

    with new_model("failing") as model, pytest.raises(SolverError, match="SCIP gave up: SCIP: error in LP solver!"):
        solve(Failing(model))


@pytest.mark.parametrize("sides", [{"at_least": 2}, {"at_most": 3}, {"at_least": 2, "at_most": 2}])
def test_rows_hold_on_each_side_that_is_given(sides):
    for sign in (1.0, -1.0):
        with new_model("row") as model:
            amount = model.addVar("x", lb=0.0, ub=10.0, obj=sign)
            add_row(model, [amount], [1.0], name="sides", **sides)
            solved = solve(model, variables=[amount])
        least, most = sides.get("at_least", 0), sides.get("at_most", 10)
        assert solved.best.tolist() == pytest.approx([least if sign > 0 else most])
