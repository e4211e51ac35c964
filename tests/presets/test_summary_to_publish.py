"""The summary that New York City asks to publish: what 6 RCNY § 5-303 names, in its order, without what is hidden."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.document import preset_html
from fairaudit.presets.plan import PresetPlan
from fairaudit.report.composing import write_report

COLUMNS = {"sex": "sex", "race": "race"}
NAMED = {"audit_date": "2026-03-01", "distribution_date": "2026-04-15", "data_words": "Applications of 2025, all jobs"}
# By hand: people and selected of each group; 7 people have an unknown race.
CELLS = {("Female", "Asian"): (60, 24), ("Female", "White"): (100, 45), ("Male", "Asian"): (80, 40)}
CELLS |= {("Male", "White"): (152, 76), ("Male", "Other"): (5, 2), ("Male", "n/a"): (7, 3)}


class Tables(HTMLParser):
    """The rows of each table of a page, and its headings and terms in their order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.said: list[str] = []
        self._tag = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self._tag = tag
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])

    def handle_endtag(self, tag):
        self._tag = ""

    def handle_data(self, data):
        if self._tag in ("th", "td"):
            self.tables[-1][-1].append(data)
        elif self._tag in ("h1", "h2", "dt"):
            self.said.append(data)


def audited(part: PresetPlan, *, mask: int | None = None):
    rows = [(*who, "yes" if i < k else "no") for who, (n, k) in CELLS.items() for i in range(n)]
    frame = pd.DataFrame(rows, columns=["sex", "race", "hired"])
    # Over half of all people have a score above the others, so the median is 1.
    frame["score"] = [2.0 if hired == "yes" else 1.0 for hired in frame["hired"]]
    rule = SmallCellsPlan() if mask is None else SmallCellsPlan(mask=True, minimum=mask)
    decision = OutcomePlan(column="hired", favorable=("yes",))
    return run(
        AuditPlan(data=DataPlan(source="x.csv"), decision=decision, presets=(part,), small_cells=rule), table=frame
    )


SELECTED = PresetPlan(preset="nyc144", columns=COLUMNS, **NAMED)


def test_the_summary_begins_with_dates_and_source_and_has_the_three_tables_in_the_order_of_the_rule():
    page = preset_html(audited(SELECTED).presets[0])
    read = Tables(page)
    first = ["Date of the bias audit", "Distribution date", "Source of the data"]
    assert read.said[1:4] == first and all(text in page for text in NAMED.values())
    assert [text for text in read.said if text.startswith("By ")] == [
        "By sex", "By race/ethnicity", "By race/ethnicity and sex",
    ]  # fmt: skip
    sex, race, crossed = read.tables
    assert sex[0] == ["Sex", "applicants", "selected", "selection rate", "impact ratio"]
    # 69 of 160 are 43.1 %, 118 of 237 are 49.8 %; 7 with an unknown race are in no table.
    assert [row[:3] for row in sex[1:]] == [["Female", "160", "69"], ["Male", "237", "118"]]
    assert [row[4] for row in sex[1:]] == ["0.866", "1.000"]
    assert {row[0]: row[1:3] for row in race[1:]} == {
        "Asian": ["140", "64"], "Other": ["5", "2"], "White": ["252", "121"],
    }  # fmt: skip
    assert len(crossed) == 1 + 5 and crossed[0][:2] == ["Race/ethnicity", "Sex"]
    assert "Category unknown</dt><dd>7<" in page


def test_the_summary_of_a_tool_that_scores_has_its_median_and_selects_nobody():
    scored = PresetPlan(preset="nyc144", columns=COLUMNS | {"score": "score"}, **NAMED)
    page = preset_html(audited(scored).presets[0])
    assert Tables(page).tables[0][0] == ["Sex", "applicants", "scoring rate", "impact ratio"]
    assert re.search(r"Median score</dt><dd>1(\.0+)?<", page)


def test_a_category_under_two_percent_keeps_its_number_and_rate_and_says_why_it_has_no_ratio():
    reason = "too few for a ratio that says anything"
    part = SELECTED.model_copy(update={"leave_out_small": True, "reason": reason})
    page = preset_html(audited(part).presets[0])
    other = next(row for row in Tables(page).tables[1] if row[0] == "Other")
    assert other[1:3] == ["5", "2"] and other[4] == "left out: too small" and reason in page
    kept = next(row for row in Tables(preset_html(audited(SELECTED).presets[0])).tables[1] if row[0] == "Other")
    assert kept[4] == f"{0.4 / (121 / 252):.3f}"


def test_the_summary_stands_alone_is_labelled_and_prints():
    page = preset_html(audited(SELECTED).presets[0])
    assert not re.search(r"<(script|link|img|iframe)|(src|href)=|@import|url\(", page)
    assert '<html lang="en">' in page and page.count("<caption>") == 3 and "@media print" in page
    assert page.count('scope="col"') == 5 + 5 + 6, "every head of a column says that it is one"


def test_what_the_rule_asks_for_and_is_not_given_is_said():
    page = preset_html(audited(PresetPlan(preset="nyc144", columns=COLUMNS)).presets[0])
    assert page.count(say(Message("form-not-given"))) == 3


@pytest.mark.parametrize("mask", [10, 30])
def test_hidden_counts_hold_in_the_summary(mask):
    whole = audited(SELECTED, mask=mask)
    page = preset_html(exported(whole).presets[0])
    other = next(row for row in Tables(page).tables[1] if row[0] == "Other")
    assert set(other[1:]) == {"not shown"}
    assert "Category unknown</dt><dd>7<" not in page


def test_the_summary_stands_in_the_folder_of_a_report(tmp_path):
    paths = {path.name: path for path in write_report(audited(SELECTED), tmp_path)}
    page = paths["form_1_nyc144.html"].read_text(encoding="utf-8")
    assert Tables(page).said[1] == "Date of the bias audit"
