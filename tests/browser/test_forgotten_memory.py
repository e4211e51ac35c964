"""What is forgotten is in the memory of the server no more: no cell of the data, nothing that was written or chosen."""

from __future__ import annotations

import os
import random
import sys
import time

import pytest
from auditor import Auditor
from playwright.sync_api import expect
from scanning import Marks, family
from serving import Served, served

from fairaudit.findings import Count, Message
from fairaudit.messages import say

N_ROWS = 1_000
N_REGIONS = 6
MOST_S = 180
"""Within this time all is to be gone: of a page that was closed, at the latest two minutes after its session ended."""
MOST_NUMBERS = 128
"""So many numbers may be left: in one of seven runs 41 were, it is not known where."""

PLAN = """
schema_version = 1

[data]
source = "north.csv"
name = "{title}"

[decision]
column = "granted"
favorable = ["yes"]

[[checks]]
protected = "sex = 'F'"
where = "person <> '{nobody}'"
compare = [["region"]]
strata = ["region"]

[models]
protected = "sex = 'F'"
features = ["region", "amount", "years"]

[[remedies]]
method = "relabel"
risk_model = "logistic_regression"
final_model = "logistic_regression"

[report]
purpose = "{purpose}"
"""


def may_look() -> bool:
    """Whether the memory of other processes can be read here."""
    return sys.platform == "linux" and os.access(f"/proc/{os.getppid()}/mem", os.R_OK)


pytestmark = pytest.mark.skipif(not may_look(), reason="the memory of processes cannot be looked at here")


@pytest.fixture
def marks() -> Marks:
    """Two texts a row, those of regions, three that are written, and a number a row."""
    return Marks(2 * N_ROWS + N_REGIONS + 3, N_ROWS)


def table_of(marks: Marks) -> str:
    """Return a table in which women are granted less often."""
    chance = random.Random(0)
    lines = ["person,remark,region,sex,amount,years,granted"]
    for row in range(N_ROWS):
        sex = "FM"[row % 2]
        granted = "yes" if chance.random() < (0.4 if sex == "F" else 0.6) else "no"
        region = marks.texts[2 * N_ROWS + chance.randrange(N_REGIONS)]
        texts = (marks.texts[row], marks.texts[N_ROWS + row], region)
        lines.append(",".join([*texts, sex, repr(marks.numbers[row]), str(chance.randint(0, 40)), granted]))
    return "\n".join(lines)


def audit(auditor: Auditor, marks: Marks) -> None:
    """Open an audit, bring its data, look at charts and tables, fit, and take report and audit away."""
    title, purpose, nobody = marks.texts[-3:]
    auditor.open_plan(PLAN.format(title=title, purpose=purpose, nobody=nobody).encode())
    auditor.go("Data")
    data = {"name": "north.csv", "mimeType": "text/csv", "buffer": table_of(marks).encode()}
    auditor.upload(data, name=title)
    auditor.go("Check")
    auditor.tab("Similar cases")
    auditor.go("Compare")
    auditor.press(say(Message("compare-make", {"n": Count(1)})))
    auditor.go("Retrain")
    auditor.expect_answer()
    auditor.go("Report")
    auditor.make_report()
    assert auditor.download("Annexes (PDF)").startswith(b"%PDF")
    assert title.encode() in auditor.save_audit()


def held_after(server: Served, marks: Marks, seconds: float) -> set[str | float]:
    """Return the marks that the server and its processes hold once none is found, or after some seconds."""
    end = time.monotonic() + seconds
    while (held := marks.held(*family(server.process.pid))) and time.monotonic() < end:
        time.sleep(2)
    return held


@pytest.mark.parametrize("way", ["its page goes on", "its page is closed"])
def test_forgotten_audit_is_nowhere_in_memory(chromium, settle, marks, tmp_path, way):
    minutes = "15" if way == "its page goes on" else "0"
    with served(tmp_path, FAIRAUDIT_HOLD_MINUTES=minutes) as server, chromium.new_context() as context:
        auditor = Auditor(context.new_page(), server.url, settle)
        audit(auditor, marks)
        held = marks.held(*family(server.process.pid))
        assert held == {*marks.texts, *marks.numbers}, "the scan finds what is there"
        if minutes == "0":
            auditor.page.close(run_before_unload=False)
        else:
            auditor.forget()
            expect(auditor.sidebar).to_contain_text("No table yet")
        left = held_after(server, marks, MOST_S)
        texts = left.intersection(marks.texts)
        assert not texts, f"{len(texts)} of {len(marks.texts)}"
        assert len(left) <= MOST_NUMBERS, f"{len(left)} of {len(marks.numbers)}"
