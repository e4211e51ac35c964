from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from amounts_by_hand import pay
from amounts_by_hand import plan as pay_plan
from shown import shows

from fairaudit.audit.running import run
from fairaudit.data.table import Table
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.measure.within import strata_apart
from fairaudit.messages import say, say_verdicts
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.present import naming
from fairaudit.present.blocks import Chart, Code, Heading, Items, KeyValues, Note, Paragraph, TableBlock
from fairaudit.report.composing import compose_annexes
from fairaudit.report.first_pages import audited, openings
from fairaudit.report.pdf import to_pdf
from fairaudit.report.tables import all_tables
from fairaudit.sections.check import say_similar
from fairaudit.sections.check.reading import say_ranges
from fairaudit.sections.errors import read_errors, say_errors

CHECK = CheckPlan(protected="sex = 'F'", strata=("dept",), compare=(("dept",), ("sex", "dept")))


def berkeley_like() -> pd.DataFrame:
    cells = [("a", "F", "yes", 90), ("a", "F", "no", 10), ("a", "M", "yes", 640), ("a", "M", "no", 160),
             ("b", "F", "yes", 160), ("b", "F", "no", 640), ("b", "M", "yes", 10), ("b", "M", "no", 90)]  # fmt: skip
    frame = pd.DataFrame([cell[:3] for cell in cells for _ in range(cell[3])], columns=["dept", "sex", "admitted"])
    rng = np.random.default_rng(1)
    return frame.assign(score=((frame["admitted"] == "yes") * 0.3 + rng.random(len(frame)) * 0.7).round(3))


def plan(**options) -> AuditPlan:
    base = {"data": DataPlan(source="b.csv"), "decision": OutcomePlan(column="admitted", favorable=("yes",))}
    return AuditPlan(**(base | {"checks": (CHECK,)} | options))


@pytest.fixture(scope="module")
def document():
    questions = {"score": ScorePlan(column="score", cut=0.5), "errors": (ErrorsPlan(by=("sex",)),)}
    report = ReportPlan(title="Admissions", author="A. Uditor", organisation="The office", date="3 May 2026")
    return compose_annexes(run(plan(report=report, **questions), table=berkeley_like()))


def texts(document, kind) -> list[str]:
    return [block.text for block in document.blocks if isinstance(block, kind)]


def test_the_first_page_and_the_chapter_say_the_same_of_errors():
    result = run(plan(checks=CHECKS[:1], **SEARCHES), table=stops())
    said = say_errors(result.errors[0])
    [first] = [each for each in openings(exported(result)) if each.kind == "errors"]
    [chapter] = [b for b in compose_annexes(result).blocks if say(said.headline) in getattr(b, "strong", "")]
    assert (first.headline, first.verdict) == (say(said.headline), say_verdicts(said))
    assert first.verdict in chapter.strong and chapter.text == " ".join(first.lead)


def test_rows_lack_an_outcome_where_the_decision_is_what_truly_happened():
    table = stops()
    table.loc[[0, 600], "found"] = None
    checks, alone = (
        (CHECKS[0].model_copy(update={"compare": (("sex", "searched"),)}),),
        {"decision": SEARCHES["decision"]},
    )
    for roles, noun in ((SEARCHES, "outcome"), (alone, "decision")):
        document = compose_annexes(run(plan(checks=checks, **roles), table=table))
        front = document.blocks[: next(i for i, b in enumerate(document.blocks) if getattr(b, "starts_page", False))]
        [compared] = [block for block in front if isinstance(block, TableBlock) and block.key == "check_1_groups"]
        known, unknown = (say(Message(key, {"noun": Phrase(noun)})) for key in ("annex-known", "annex-unknown"))
        assert [row for row in compared.rows if row[0] == unknown] == [(unknown, "1", "1")]
        assert known in [row[0] for row in compared.rows]


def test_what_holds_for_the_ranges_of_all_questions_is_said_once():
    many = [check.model_copy(update={"compare": (("sex", "searched"),)}) for check in CHECKS]
    document = compose_annexes(run(plan(checks=(*many, CHECKS[1]), decision=SEARCHES["decision"]), table=stops()))
    items = [item for block in document.blocks if isinstance(block, Items) for item in block.items]
    assert items.count(say(Message("annex-range-chance"))) == 1
    assert items.count(say(Message("annex-range-many"))) == 1


def test_a_chapter_begins_with_its_answer_and_says_that_the_outcome_is_not_the_prediction(document):
    place = next(i for i, block in enumerate(document.blocks) if isinstance(block, Heading))
    heading, answer, alone, details, chart = document.blocks[place : place + 5]
    assert heading.level == 1 and answer.lead and alone.text == say(Message("errors-alone-see"))
    assert details.text and isinstance(chart, Chart)
    without = compose_annexes(run(plan(checks=CHECKS[:1], **{**SEARCHES, "errors": ()}), table=stops()))
    assert say(Message("errors-alone")) in texts(without, Paragraph)
    bare = compose_annexes(run(plan(checks=CHECKS[:1], decision=SEARCHES["decision"]), table=stops()))
    assert not any("The outcome itself" in text for text in texts(bare, Paragraph))


def test_organisation_author_and_date_stand_below_the_title_as_far_as_they_are_given(document):
    assert document.byline[-3:] == ("The office", "A. Uditor", "3 May 2026")
    bare = run(plan(), table=berkeley_like())
    assert compose_annexes(bare).byline == (audited(bare),)
    assert plan(report=ReportPlan(date="3 May 2026")).digest != plan().digest


def test_the_chapters_of_findings_come_before_how_they_were_made(document):
    chapters = [block for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    annexes = ("annex-numbers", "errors", "annex-data", "annex-words", "annex-repeat")
    titles = ["Errors by sex" if key == "errors" else say(Message(key)) for key in annexes]
    named = [
        say(Message("annex-title", {"letter": Phrase(letter), "title": Phrase(title)}))
        for letter, title in zip("ABCDE", titles, strict=True)
    ]
    assert [chapter.text for chapter in chapters] == ["Sex is F", "Errors by sex", *named]
    assert [chapter.text[:7] for chapter in chapters if chapter.starts_page] == ["Annex A"]


def test_sql_searches_and_the_plan_are_in_annexes(document):
    first = next(i for i, block in enumerate(document.blocks) if isinstance(block, Heading) and block.starts_page)
    codes = [i for i, block in enumerate(document.blocks) if isinstance(block, Code)]
    assert codes and min(codes) > first


def test_keys_are_unique_and_every_chart_has_a_text_in_its_place(document):
    keys = [block.key for block in document.blocks if isinstance(block, (TableBlock, Chart))]
    assert len(keys) == len(set(keys))
    assert all(block.alt for block in document.blocks if isinstance(block, Chart))


def test_the_plan_stands_in_full(document):
    codes = [block.text for block in document.blocks if isinstance(block, Code)]
    assert AuditPlan.from_toml(codes[-1]).report.title == "Admissions"
    assert "fairaudit run PATH/plan.toml --out PATH/report" in codes


def test_repeated_rows_are_counted_as_repetitions():
    frame = berkeley_like().assign(score=range(1800))
    repeated = Table.from_pandas(pd.concat([frame, frame[:29], frame[:1]]), rows_are_cases=True)
    document = compose_annexes(run(plan(), table=repeated))
    texts = [block.text for block in document.blocks if isinstance(block, Paragraph)]
    [table] = [block for block in document.blocks if isinstance(block, TableBlock) and block.key == "quality"]
    assert [row[2] for row in table.rows if row[0] is None] == ["30 rows of 1,830 are repetitions of an earlier row."]
    assert not any(text.startswith("Rows that repeat an earlier row") for text in texts), "said in the table"


def test_options_leave_chapters_out():
    document = compose_annexes(run(plan(report=ReportPlan(quality=False, definitions=False)), table=berkeley_like()))
    headings = " ".join(texts(document, Heading))
    assert "What the words mean" not in headings and "What to know about the data" not in headings


def test_the_document_becomes_a_pdf(document):
    assert to_pdf(document).startswith(b"%PDF-")


def test_groups_that_are_the_protected_group_and_the_rest_are_not_drawn_once_more():
    check = CHECK.model_copy(update={"compare": (("sex",), ("sex", "dept"))})
    document = compose_annexes(run(plan(checks=(check,)), table=berkeley_like()))
    headings = texts(document, Heading)
    assert "By sex and dept" in headings and "By sex" not in headings


@pytest.mark.thorough
@pytest.mark.parametrize("minimum", [20, 150, 10_000])
def test_a_masked_audit_becomes_a_document_without_hidden_numbers(minimum):
    questions = {"score": ScorePlan(column="score", cut=0.5), "errors": (ErrorsPlan(by=("sex",)),)}
    result = run(plan(small_cells=SmallCellsPlan(mask=True, minimum=minimum), **questions), table=berkeley_like())
    document = compose_annexes(result)
    hidden = say(Message("report-hidden", {"minimum": Count(minimum)}))
    assert any(isinstance(block, Note) and hidden in block.text for block in document.blocks)
    sentences = " ".join(block.text for block in document.blocks if isinstance(block, (Paragraph, Note)))
    assert "Not shown rows" not in sentences and "not shown rows" not in sentences
    small = {count for count in (10, 90, 100, 160, 640) if count < minimum}
    [table] = [each for each in all_tables(exported(result)) if each.key == "check_1_all_groups_2"]
    shown = [cell for row in table.rows for cell in row if isinstance(cell, int)]
    assert not small & set(shown)
    assert to_pdf(document).startswith(b"%PDF-")


def people(*cells: tuple[str, str, int, int]) -> pd.DataFrame:
    """Return rows of cells ``(area, sex, admitted, not admitted)``."""
    rows = [(a, s, d) for a, s, yes, no in cells for d, n in (("yes", yes), ("no", no)) for _ in range(n)]
    return pd.DataFrame(rows, columns=["dept", "sex", "admitted"])


def test_annexes_say_how_many_are_left_out_by_the_filter_and_as_their_group_is_not_known():
    frame = people(("West", "F", 40, 60), ("West", "M", 60, 40), ("East", "F", 10, 20), ("East", "M", 20, 10))
    frame.loc[[0, 1, 2], "sex"] = None
    asked = CheckPlan(protected="sex = 'F'", where="dept = 'West'")
    result = run(plan(checks=(asked,)), table=frame)
    said = [
        say(Message("report-left-out", {"n": Count(n), "why": Word(why)})) for n, why in ((60, "filter"), (3, "group"))
    ]
    [shown] = [text for text in texts(compose_annexes(result), Paragraph) if said[0] in text]
    assert said[1] in shown
    only = compose_annexes(run(plan(checks=(asked,), small_cells=SmallCellsPlan(mask=True, minimum=500)), table=frame))
    assert any(
        say(Message("report-compared-only", {"where": Phrase("dept is West")})) in t for t in texts(only, Paragraph)
    )


def test_strata_that_cancel_out_are_named_where_their_average_says_that_no_gap_remains():
    frame = people(
        ("West", "F", 70, 130), ("West", "M", 130, 70), ("East", "F", 130, 70), ("East", "M", 70, 130),
        ("NIEUW", "F", 0, 2), ("NIEUW", "M", 2, 0), ("North", "F", 100, 100), ("North", "M", 100, 100),
    )  # fmt: skip
    result = run(plan(checks=(CheckPlan(protected="sex = 'F'", strata=("dept",)),)), table=frame)
    [finding] = result.checks
    assert [row.name for row in strata_apart(finding.strata)] == ["East", "West"]
    assert [message.key for message in say_similar(finding)] == ["check-lead-within-both", "check-lead-found-most"]
    said = say(say_similar(finding))
    assert any(said in text for text in texts(compose_annexes(result), Paragraph))
    charts = [block for block in compose_annexes(result).blocks if isinstance(block, Chart)]
    assert any(chart.title.endswith(say_ranges(finding.strata.strata)) for chart in charts)
    [printed] = [
        each for each in compose_annexes(result).blocks if isinstance(each, TableBlock) and each.key == "check_1_strata"
    ]
    assert [column.name for column in printed.columns] == [
        "stratum_1", "protected_n", "protected_share", "reference_n", "reference_share", "gap", "gap_interval",
        "reading",
    ]  # fmt: skip
    assert [row[0] for row in printed.rows] == ["East", "NIEUW", "North", "West"]
    [table] = [each for each in all_tables(result) if each.key == "check_1_strata"]
    readings = {row[0]: row[[column.name for column in table.columns].index("reading")] for row in table.rows}
    assert readings == {
        "East": "Clear gap", "NIEUW": "Too few to tell, few rows", "North": "Too few to tell", "West": "Clear gap",
    }  # fmt: skip


def test_groups_whose_intervals_overlap_can_differ_beyond_chance_in_their_errors():
    truth = [("F", "yes", "no", 120), ("F", "yes", "yes", 280), ("M", "yes", "no", 92), ("M", "yes", "yes", 308)]
    rows = [each[:3] for each in truth for _ in range(each[3])] + [("F", "no", "no"), ("M", "no", "no")] * 40
    frame = pd.DataFrame(rows, columns=["sex", "admitted", "guess"])
    asked = {"prediction": OutcomePlan(column="guess", favorable=("yes",)), "errors": (ErrorsPlan(by=("sex",)),)}
    [finding] = run(plan(checks=(), **asked), table=frame).errors
    rates = finding.errors.intervals.set_index(["metric", "group"]).loc["fnr"]
    assert rates.loc["F", "low"] < rates.loc["M", "high"], "30 % and 23 % of 400 each: the intervals overlap"
    assert read_errors(finding).verdicts[0] == "gap_size_unclear"


def test_a_report_names_the_bands():
    frame = berkeley_like()
    frame["age"] = np.where(frame["dept"] == "a", 20, 50) + np.arange(len(frame)) % 10
    check = CheckPlan(protected="sex = 'F'", strata=("age",), strata_cuts={"age": (30, 55)})
    result = run(plan(checks=(check,)), table=frame)
    document = compose_annexes(result)
    said = " ".join(texts(document, Paragraph))
    assert say_similar(result.checks[0]) and say(say_similar(result.checks[0])) in said
    assert "By bands of age" in texts(document, Heading)
    [table] = [each for each in all_tables(result) if each.key == "check_1_strata"]
    assert [row[0] for row in table.rows] == ["age under 30", "age 30 to under 55", "age 55 and over"]
    assert any("[checks.strata_cuts]" in text for text in texts(document, Code))


@pytest.mark.parametrize("strata", [("sex",), ("nobody",)])
def test_strata_of_which_none_can_be_compared_do_not_stop_a_report_with_hidden_counts(strata):
    frame = berkeley_like().assign(nobody=lambda rows: rows["sex"] + rows["dept"])
    checks = (CheckPlan(protected="sex = 'F'", strata=strata),)
    result = run(plan(checks=checks, small_cells=SmallCellsPlan(mask=True)), table=frame)
    assert compose_annexes(result).blocks


def stops():
    """Who was searched and where something was found: as often in both groups, though one is searched more often."""
    cells = [("F", "yes", "yes", 100), ("F", "no", "yes", 300), ("F", "no", "no", 100)]
    cells += [("M", "yes", "yes", 100), ("M", "no", "yes", 50), ("M", "no", "no", 350)]
    rows = [cell[:3] for cell in cells for _ in range(cell[3])]
    return pd.DataFrame(rows, columns=["sex", "found", "searched"])


SEARCHES = {
    "decision": OutcomePlan(column="found", favorable=("no",)),
    "prediction": OutcomePlan(column="searched", favorable=("no",)),
    "errors": (ErrorsPlan(by=("sex",), positive="unfavorable"),),
}
CHECKS = (CheckPlan(protected="sex = 'F'"), CheckPlan(protected="sex = 'M'"))


def test_a_prediction_that_repeats_the_decision_is_said_under_errors():
    same = {**SEARCHES, "prediction": SEARCHES["decision"]}
    document = compose_annexes(run(plan(checks=CHECKS[:1], **same), table=stops()))
    said = [block for block in document.blocks if isinstance(block, Paragraph)]
    assert sum(say(Message("errors-headline-repeats")) in block.strong for block in said) == 1
    assert any(shows(text, "doubt-repeats-decision") for text in texts(document, Note))


@pytest.mark.parametrize(
    ("change", "meaning"),
    [({}, "found is yes"), ({"mask": True}, "found is not no"), ({"third": True}, "found is not no")],
)
def test_the_other_of_two_values_is_named(change, meaning):
    rows = stops()
    if "third" in change:
        rows.loc[0, "found"] = "unclear"
    cells = SmallCellsPlan(mask="mask" in change)
    [finding] = run(plan(checks=(), small_cells=cells, **SEARCHES), table=rows).errors
    assert finding.errors.positive_meaning == meaning


def test_the_verdict_on_all_cases_is_named_so_in_annexes_of_shares_and_of_amounts():
    label = naming.capital(say(Message("annex-verdict")))
    for result in (run(plan(), table=berkeley_like()), run(pay_plan(), table=pay())):
        [figures] = [
            block for block in compose_annexes(result).blocks
            if isinstance(block, KeyValues) and block.title == say(Message("annex-figures"))
        ]  # fmt: skip
        assert label in [row[0] for row in figures.rows]
