"""What stays of memory after rounds of work at once, in one process: whether it levels off or grows with each round.

Each thread reads a table of its own and does all that its plan asks for; all hold what they have until the last is
done, and drop it. Then memory is given back as the server does it. ``benchmarks.server_load`` measures the server
itself, and takes longer.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np

from ui.runtime.freed_memory import give_back, write_over_what_is_freed

write_over_what_is_freed()

from benchmarks.common import SEED, markdown, say, setting  # noqa: E402 - stores come before all that uses them
from benchmarks.server_load import PLAN, REMEDIES, SIZES, table_of  # noqa: E402
from fairaudit.audit.running import iter_run  # noqa: E402
from fairaudit.data import read_table  # noqa: E402
from fairaudit.events import result_of  # noqa: E402
from fairaudit.plan.audit_plan import AuditPlan  # noqa: E402
from fairaudit.report.chart_process import drawing_apart  # noqa: E402
from fairaudit.study.findings import plan_key  # noqa: E402
from fairaudit.study.reading import study_of  # noqa: E402
from ui.remedies.fitting import iter_fit  # noqa: E402
from ui.report.files import iter_files  # noqa: E402
from ui.runtime.processes import apart, working_apart  # noqa: E402

FITTED = ("Thresholds", "Retrain")
"""Remedies that threads fit in turn."""


def held_mb() -> float:
    """Return the memory of this process, in megabytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def work(number: int, turn: int, held: list[object], *, fits: bool, reports: bool) -> None:
    """Do what one session does, and hold all of it."""
    random = np.random.default_rng([SEED, turn, number])
    marker = "mk" + random.bytes(6).hex()
    content = table_of(marker, SIZES[number % len(SIZES)], random)
    text = PLAN.format(marker=marker, name=f"table_{marker}", divisions=1)
    if fits:
        text += REMEDIES[FITTED[number % len(FITTED)]]
    table = read_table(content, name=f"table_{marker}")
    plan, known = AuditPlan.from_toml(text), {}
    for remedy in plan.remedies:
        made = result_of(iter_fit(study_of(table, plan), remedy, {}))
        known |= {plan_key(each.finding.plan): each for each in made}
    result = result_of(iter_run(plan, table=table, known=known))
    held += [content, table, known, result]
    if reports:
        held.append(result_of(apart(partial(iter_files, result, ""))))


def round_of(n: int, turn: int, *, fits: bool, reports: bool) -> tuple[float, float]:
    """Let `n` threads work, and return what was held, and what stays, in megabytes."""
    held: list[object] = []
    options = {"fits": fits, "reports": reports}
    threads = [threading.Thread(target=work, args=(each, turn, held), kwargs=options) for each in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    loaded = held_mb()
    held.clear()
    give_back()
    # What the database holds free goes back by itself, within a second.
    time.sleep(2)
    give_back()
    return loaded, held_mb()


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fits", action="store_true", help="fit a remedy, too")
    parser.add_argument("--reports", action="store_true", help="make the report, too")
    given = parser.parse_args()
    say(setting("duckdb", "pyarrow", "scikit-learn"))
    options = {"fits": given.fits, "reports": given.reports}
    with drawing_apart(), working_apart():
        for each in range(len(FITTED)):
            held: list[object] = []
            work(each, 0, held, **options)
            held.clear()
        _, warm = round_of(0, 0, **options)
        rows = [("warm", "", f"{warm:.0f}")]
        for turn in range(1, given.rounds + 1):
            loaded, after = round_of(given.at_once, turn, **options)
            rows.append((f"round {turn}", f"{loaded:.0f}", f"{after:.0f}"))
    say(markdown(("", "all at work, MB", "after, MB"), rows))


if __name__ == "__main__":
    main()
