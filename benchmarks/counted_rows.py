"""Measure a check on numbers of cases beside the same check on one row for each case.

Run from the folder of the project::

    python -m benchmarks.counted_rows                     # 10 M people in 1,000 rows, and as 10 M rows
    python -m benchmarks.counted_rows --people 1000000    # quick
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable

import numpy as np
import pandas as pd

from benchmarks.common import markdown, median, processor, say, setting
from fairaudit import Table, check_controlled_fairness, check_strata
from fairaudit.measure import check_groups

ASKED = {"decision": "decision", "favorable": "granted"}
PROTECTED = "sex = 'F'"
QUESTIONS: dict[str, Callable[[Table], object]] = {
    "check": lambda table: check_controlled_fairness(table, **ASKED, protected=PROTECTED),
    "within 125 offices": lambda table: check_strata(table, **ASKED, protected=PROTECTED, strata="office"),
    "all groups": lambda table: check_groups(table, **ASKED, by=["sex", "age"]),
}


def counted(people: int) -> pd.DataFrame:
    """Return 1,000 rows that stand for so many people."""
    keys = [[f"office {i:03}" for i in range(125)], ["F", "M"], ["under 40", "from 40"], ["granted", "refused"]]
    frame = pd.DataFrame(list(itertools.product(*keys)), columns=["office", "sex", "age", "decision"])
    shares = np.random.default_rng(0).dirichlet(np.full(len(frame), 5.0))
    frame["n"] = np.floor(shares * people).astype(int)
    frame.loc[0, "n"] += people - frame["n"].sum()
    return frame


def main() -> None:
    """Print the processor seconds of each question, from counts and from rows, and whether the answers are the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    frame = counted(options.people)
    every = frame.drop(columns="n")
    people = every.loc[every.index.repeat(frame["n"])].reset_index(drop=True)
    tables = {
        "1,000 people, a row each": lambda: Table.from_pandas(
            people.iloc[:: len(people) // 1_000], rows_are_cases=True
        ),
        "counts in 1,000 rows": lambda: Table.from_pandas(frame, counts="n"),
        "a row for each person": lambda: Table.from_pandas(people, rows_are_cases=True),
    }
    lines, answers = [], {}
    for name, make in tables.items():
        seconds, table = processor(make, 1)
        cells = [name, f"{table.n_rows:,}", f"{seconds[0]:.3f}"]
        for question, ask in QUESTIONS.items():
            seconds, found = processor(lambda ask=ask, table=table: ask(table), options.repeats)
            cells.append(f"{median(seconds):.3f}")
            answers[name, question] = str(found)
        lines.append(cells)
    say(setting())
    say(markdown(["table", "people", "open, s", *(f"{question}, s" for question in QUESTIONS)], lines))
    counts, rows = list(tables)[1:]
    same = all(answers[counts, question] == answers[rows, question] for question in QUESTIONS)
    say(f"The answers from counts and from rows are {'the same' if same else 'NOT the same'}.")


if __name__ == "__main__":
    main()
