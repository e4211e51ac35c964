"""How long the server takes for each page of an audit of 50,000 rows, with remedies that are fitted.

Starts the app as ``make run`` does and talks the browser's protocol, so that the server alone is what is measured. Each
page is drawn once as it is first met, and some times again, as after a press that changes nothing. "wall" is what a
person waits, "processor" what the server works meanwhile; where others use the machine, too, trust the second.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np

from benchmarks.common import SEED, markdown, median, say, setting
from benchmarks.server_load import Server, serving
from benchmarks.visitor import PATIENCE_S, Visitor

N_ROWS = 50_000
TARGET_MEDIAN_S, TARGET_WORST_S = 0.5, 1.5
PAGES = (
    "", "Data", "Groups", "Check", "Errors", "Worst_groups", "Explain", "Change", "Remedies", "Retrain", "Thresholds",
    "Equalize", "Constraints", "Rules", "Trees", "Compare", "Report", "Presets",
)  # fmt: skip
"""In the order in which a person comes to them; the first is the front page."""

FITTED = ("Retrain", "Thresholds", "Equalize", "Constraints", "Rules", "Trees")
PLAN = """schema_version = 1
protected_columns = ["sex", "district"]
[data]
source = "made.csv"
name = "made"
columns = ["sex", "district", "grade", "year", "age", "income", "visits", "score", "advice", "granted"]
[decision]
column = "granted"
favorable = ["yes"]
[prediction]
column = "advice"
favorable = ["yes"]
[score]
column = "score"
[models]
features = ["district", "grade", "age", "income", "visits"]
protected = "sex = 'woman'"
divisions = 1
[[checks]]
protected = "sex = 'woman'"
protected_name = "women"
strata = ["district"]
compare = [["sex"], ["district"], ["sex", "district"]]
[[errors]]
by = ["sex"]
[[subgroups]]
columns = ["sex", "district", "grade", "age"]
max_conditions = 2
[[explanations]]
protected = "sex = 'woman'"
[[explanations.controls]]
column = "grade"
reason = "grades are given by an outside board"
[[changes]]
protected = "sex = 'woman'"
column = "year"
cuts = [2023]
[[remedies]]
method = "relabel"
risk_model = "logistic_regression"
final_model = "logistic_regression"
[[remedies]]
method = "thresholds"
[[remedies]]
method = "equalize"
[[remedies]]
method = "constrain"
constraints = ["demographic_parity by sex <= 0.05"]
[[remedies]]
method = "rules"
time_limit = 5
[[remedies]]
method = "trees"
time_limit = 5
"""


def made_table(n_rows: int) -> bytes:
    """Return a table with a gap of some points, a score and a prediction, as CSV."""
    random = np.random.default_rng(SEED)
    woman = random.random(n_rows) < 0.45
    district, grade = random.integers(0, 8, n_rows), random.integers(1, 6, n_rows)
    year, age = random.integers(2020, 2026, n_rows), random.integers(18, 80, n_rows)
    income, visits = random.normal(40_000, 12_000, n_rows).round(-2).astype(int), random.poisson(2, n_rows)
    score = np.clip(0.1 * grade + income / 150_000 - 0.06 * woman + random.normal(0, 0.12, n_rows), 0, 1).round(4)
    granted = random.random(n_rows) < score
    texts = (
        np.where(woman, "woman", "man"), np.char.add("district ", district.astype(str)), grade, year, age, income,
        visits, score, np.where(score >= 0.5, "yes", "no"), np.where(granted, "yes", "no"),
    )  # fmt: skip
    lines = (",".join(map(str, row)) for row in zip(*(column.tolist() for column in texts), strict=True))
    header = "sex,district,grade,year,age,income,visits,score,advice,granted"
    return "\n".join((header, *lines)).encode()


def worked_s(server: Server) -> float:
    """Return the processor seconds of the server and of the processes that it has ended."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def fit_all(visitor: Visitor) -> None:
    """Make what the audit keeps, and search the subgroups that it asks about."""
    for page in FITTED:
        visitor.draw(page)
        visitor.draw(page, press="remedies_fit_kept")
    visitor.draw("Worst_groups")
    visitor.draw("Worst_groups", press="worst_search")
    until = time.monotonic() + 10 * PATIENCE_S
    while visitor.polled:
        if time.monotonic() > until:
            raise SystemExit("The fits did not end.")
        time.sleep(2)
        visitor.draw("")


def measure(visitor: Visitor, server: Server, repeats: int) -> list[tuple[str, list[float], list[float]]]:
    """Return for each page the wall and the processor seconds of its drawings, the first meeting first."""
    measured = []
    for page in PAGES:
        walls, works = [], []
        for _ in range(1 + repeats):
            before = worked_s(server)
            walls.append(visitor.draw(page))
            works.append(worked_s(server) - before)
            if visitor.errors:
                raise SystemExit(f"The page {page or 'front'} shows an error: {visitor.errors[0]}")
        measured.append((page or "front page", walls, works))
    return measured


def main() -> None:
    """Print a table of all pages."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=N_ROWS, help="rows of the table")
    parser.add_argument("--repeats", type=int, default=5, help="how often each page is drawn again")
    parser.add_argument(
        "--without-fits", action="store_true", help="the quick form: pages of remedies show their forms"
    )
    asked = parser.parse_args()
    say(setting("streamlit", "altair", "duckdb"))
    with serving() as server:
        visitor = Visitor(server)
        visitor.draw("")
        visitor.bring("home_plan", "made.toml", PLAN.encode())
        visitor.draw("Data")
        took = visitor.bring("data_upload", "made.csv", made_table(asked.rows))
        say(f"{asked.rows:,} rows; from the upload to the page Data {took:.1f} s.")
        first = measure(visitor, server, 0)
        if not asked.without_fits:
            fit_all(visitor)
        measured = measure(visitor, server, asked.repeats)
        visitor.leave()
    rows = []
    for (page, walls, works), (_, [empty_wall], [empty_work]) in zip(measured, first, strict=True):
        every = [empty_work, *works]
        met = "yes" if median(works) <= TARGET_MEDIAN_S and max(every) <= TARGET_WORST_S else "no"
        figures = (median(walls), max(empty_wall, *walls), median(works), empty_work, works[0], max(every))
        rows.append([page, *(f"{each:.2f}" for each in figures), met])
    header = (
        "page", "wall, median", "wall, worst", "processor, median", "first of all", "first with results",
        "processor, worst", f"within {TARGET_MEDIAN_S} and {TARGET_WORST_S} s",
    )  # fmt: skip
    say(markdown(header, rows))


if __name__ == "__main__":
    main()
