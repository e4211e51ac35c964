from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.plan import (
    AuditPlan,
    CheckPlan,
    DataPlan,
    ErrorsPlan,
    OutcomePlan,
    ReportPlan,
    ScorePlan,
    SmallCellsPlan,
)
from fairaudit.present import error_words, headlines
from fairaudit.present.blocks import Chart, Code, Heading, Items, Note, Paragraph, Table
from fairaudit.present.numbers import interval_text
from fairaudit.report import compose, exported, to_pdf
from fairaudit.report.tables import all_tables

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
    return compose(run(plan(report=report, **questions), table=berkeley_like()))


def texts(document, kind) -> list[str]:
    return [block.text for block in document.blocks if isinstance(block, kind)]


def test_the_question_stands_first_then_the_answer_with_what_strata_leave_and_the_chart(document):
    heading, question, answer, alone, details, chart = document.blocks[:6]
    assert heading == Heading(1, "Are like cases treated alike?")
    assert question.text.startswith("Is the good outcome (admitted is yes) as frequent among the protected group (sex")
    assert answer.lead and answer.strong.startswith(
        "Turns around among people with the same dept. People whose sex is F"
    )
    assert alone.text.startswith("The outcome itself is compared here; how 'score' treats")
    assert details.text.startswith("28% of people whose sex is F") and "This does not say why." in details.text
    assert isinstance(chart, Chart)


def test_the_first_page_says_who_bears_the_errors(document):
    lead = next(i for i, block in enumerate(document.blocks) if getattr(block, "strong", "").startswith("Errors of "))
    chapter = next(i for i, block in enumerate(document.blocks) if getattr(block, "text", "") == "Errors by sex")
    headings = [block.text for block in document.blocks[:lead] if isinstance(block, Heading)]
    assert lead < chapter and len(headings) == 1 and "See the chapter “Errors by sex”." in document.blocks[lead].text


def test_the_first_page_names_the_extremes_of_errors_in_few_words_unless_groups_are_hidden():
    asked = plan(checks=CHECKS[:1], **SEARCHES)
    [finding] = run(asked, table=stops()).errors
    [said] = [block for block in compose(run(asked, table=stops())).blocks if is_on_errors(block)]
    assert said.text.startswith(error_words.errors_headline(finding, asked)) and "chance" not in said.text
    odd = pd.DataFrame([("X", "yes", "yes")] * 3 + [("X", "no", "no")] * 40, columns=["sex", "found", "searched"])
    hiding = plan(checks=CHECKS[:1], small_cells=SmallCellsPlan(mask=True), **SEARCHES)
    shown = [b for b in compose(run(hiding, table=pd.concat([stops(), odd]))).blocks if is_on_errors(b)]
    assert all("Among the groups that are shown:" in block.text for block in shown)


def is_on_errors(block):
    return isinstance(block, Paragraph) and block.strong.startswith("Errors of the prediction")


def test_rows_lack_an_outcome_where_the_decision_is_what_truly_happened():
    table = stops()
    table.loc[[0, 600], "found"] = None
    checks, alone = (
        (CHECKS[0].model_copy(update={"compare": (("sex", "searched"),)}),),
        {"decision": SEARCHES["decision"]},
    )
    for roles, noun, one in ((SEARCHES, "outcome", "an outcome"), (alone, "decision", "a decision")):
        document = compose(run(plan(checks=checks, **roles), table=table))
        front = document.blocks[: next(i for i, b in enumerate(document.blocks) if getattr(b, "starts_page", False))]
        [compared] = [block for block in front if isinstance(block, Table) and block.key == "check_1_groups"]
        assert f"rows with a known {noun}" in [row[0] for row in compared.rows]
        said = str(front)
        assert f"2 left out because they have no {noun}" in said
        assert set(re.findall(r"without an? (?:decision|outcome)", said)) == {f"without {one}"}


def test_what_holds_for_the_intervals_of_all_questions_is_said_once():
    many = [check.model_copy(update={"compare": (("sex", "searched"),)}) for check in CHECKS]
    document = compose(run(plan(checks=(*many, CHECKS[1]), decision=SEARCHES["decision"]), table=stops()))
    items = [item for block in document.blocks if isinstance(block, Items) for item in block.items]
    assert sum("are about chance: how far apart" in item for item in items) == 1
    assert sum("4 groups were compared at once" in item for item in items) == 2, "each is about one question"
    places = {getattr(block, "text", ""): i for i, block in enumerate(document.blocks)}
    shared = next(i for i, b in enumerate(document.blocks) if isinstance(b, Items) and "are about chance" in b.items[0])
    assert shared == places["Annex A. The numbers behind the answers"] + 1
    assert not [block for block in document.blocks if isinstance(block, Items) and not block.items]


def test_the_glossary_explains_what_the_report_uses(document):
    def explained(document):
        place = next(i for i, b in enumerate(document.blocks) if getattr(b, "text", "").endswith("What the words mean"))
        return [word for word, _ in document.blocks[place + 1].rows]

    assert {"AUC", "Strata", "TP, FP, TN, FN", "p-value"} <= set(explained(document))
    assert "Calibration" not in explained(document), "no text calls it so"
    plain = explained(compose(run(plan(checks=(CheckPlan(protected="sex = 'F'"),)), table=berkeley_like())))
    assert "Gap" in plain and not {"AUC", "TP, FP, TN, FN"} & set(plain)


def test_groups_of_several_columns_are_quoted_in_sentences(document):
    assert any("Furthest apart of all groups are “" in text and "”" in text for text in texts(document, Paragraph))


def test_organisation_author_and_date_stand_below_the_title_as_far_as_they_are_given(document):
    assert document.byline == ("The office", "A. Uditor", "3 May 2026")
    assert compose(run(plan(), table=berkeley_like())).byline == ()
    assert plan(report=ReportPlan(date="3 May 2026")).digest != plan().digest


def test_what_a_committee_reads_comes_before_the_findings_and_annexes(document):
    chapters = [block for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    assert [chapter.text for chapter in chapters] == [
        "Are like cases treated alike?",
        "What was compared",
        "How sure, and what this does not say",
        "Group by group",
        "Errors by sex",
        "Annex A. The numbers behind the answer",
        "Annex B. More on errors by sex",
        "Annex C. The data",
        "Annex D. What the words mean",
        "Annex E. Repeat this audit",
    ]
    assert [chapter.text[:7] for chapter in chapters if chapter.starts_page] == ["Annex A"]


def test_sql_searches_and_the_plan_are_in_annexes(document):
    first = next(i for i, block in enumerate(document.blocks) if isinstance(block, Heading) and block.starts_page)
    codes = [i for i, block in enumerate(document.blocks) if isinstance(block, Code)]
    assert codes and min(codes) > first


def test_keys_are_unique_and_every_chart_has_a_text_in_its_place(document):
    keys = [block.key for block in document.blocks if isinstance(block, (Table, Chart))]
    assert len(keys) == len(set(keys))
    assert all(block.alt for block in document.blocks if isinstance(block, Chart))


def test_the_plan_stands_in_full(document):
    codes = [block.text for block in document.blocks if isinstance(block, Code)]
    assert AuditPlan.from_toml(codes[-1]).report.title == "Admissions"
    assert "fairaudit run PATH/plan.toml --out PATH/report" in codes


def test_several_checks_begin_with_a_summary_of_all():
    second = CheckPlan(title="In b", protected="sex = 'F'", where="dept = 'b'")
    document = compose(run(plan(checks=(CHECK, second)), table=berkeley_like()))
    assert document.blocks[1].strong == (
        "Of two questions, the answer is “Turns around among people with the same dept” to one, “Gap, perhaps small” "
        "to one."
    )
    summary = next(block for block in document.blocks if isinstance(block, Table))
    assert summary.key == "summary"
    assert [(row[1], row[-1]) for row in summary.rows] == [
        ("Sex is F; all rows", "Turns around among people with the same dept"),
        ("In b: sex is F; where dept is b", "Gap, perhaps small"),
    ]
    numbered = [b.text for b in document.blocks if isinstance(b, Heading) and b.text[:2] in {"1.", "2."}]
    assert numbered == ["1. Sex is F", "2. In b"] * 2
    keys = [block.key for block in document.blocks if isinstance(block, (Table, Chart))]
    assert len(keys) == len(set(keys))


def test_repeated_rows_are_counted_as_repetitions():
    frame = berkeley_like().assign(score=range(1800))
    document = compose(run(plan(), table=pd.concat([frame, frame[:29], frame[:1]])))
    texts = [block.text for block in document.blocks if isinstance(block, Paragraph)]
    [table] = [block for block in document.blocks if isinstance(block, Table) and block.key == "quality"]
    assert [row[2] for row in table.rows if row[0] is None] == ["30 rows of 1,830 are repetitions of an earlier row."]
    assert not any(text.startswith("Rows that repeat an earlier row") for text in texts), "said in the table"


def test_a_purpose_of_several_lines_is_a_paragraph():
    report = ReportPlan(purpose="To see.\n\nTo tell.\n", author=" \n")
    document = compose(run(plan(report=report), table=berkeley_like()))
    assert document.blocks[0] == Paragraph("To see. To tell.", strong="Why this audit was made.")
    assert document.byline == ()


def test_options_leave_chapters_out():
    document = compose(run(plan(report=ReportPlan(quality=False, definitions=False)), table=berkeley_like()))
    headings = " ".join(texts(document, Heading))
    assert "What the words mean" not in headings and "What to know about the data" not in headings


def test_the_document_becomes_a_pdf(document):
    assert to_pdf(document).startswith(b"%PDF-")


def test_groups_that_are_the_protected_group_and_the_rest_are_not_drawn_once_more():
    check = CHECK.model_copy(update={"compare": (("sex",), ("sex", "dept"))})
    document = compose(run(plan(checks=(check,)), table=berkeley_like()))
    headings = texts(document, Heading)
    assert "By sex and dept" in headings and "By sex" not in headings


@pytest.mark.thorough
@pytest.mark.parametrize("minimum", [20, 150, 10_000])
def test_a_masked_audit_becomes_a_document_without_hidden_numbers(minimum):
    questions = {"score": ScorePlan(column="score", cut=0.5), "errors": (ErrorsPlan(by=("sex",)),)}
    result = run(plan(small_cells=SmallCellsPlan(mask=True, minimum=minimum), **questions), table=berkeley_like())
    document = compose(result)
    assert any(isinstance(block, Note) and f"Counts under {minimum}" in block.text for block in document.blocks)
    sentences = " ".join(block.text for block in document.blocks if isinstance(block, (Paragraph, Note)))
    assert "Not shown rows" not in sentences and "not shown rows" not in sentences
    small = {count for count in (10, 90, 100, 160, 640) if count < minimum}
    [table] = [each for each in all_tables(exported(result)) if each.key == "check_1_all_groups_2"]
    shown = [cell for row in table.rows for cell in row if isinstance(cell, int)]
    assert not small & set(shown)
    assert to_pdf(document).startswith(b"%PDF-")


@pytest.mark.parametrize(
    "decision",
    [
        OutcomePlan(column="award", favorable=("yes",)),
        OutcomePlan(column="pay", amount=True, higher_is_favorable=True),
    ],
)
def test_the_figures_of_all_questions_subtract_as_they_are_printed(decision):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"group": rng.integers(0, 8, 1200).astype(str), "pay": rng.normal(4000, 600, 1200)})
    frame["award"] = np.where(rng.random(1200) < 0.4, "yes", "no")
    asked = tuple(CheckPlan(protected=f"group = '{number}'") for number in range(8))
    blocks = compose(run(plan(decision=decision, checks=asked), table=frame)).blocks
    [printed] = [block for block in blocks if isinstance(block, Table) and block.title == "All questions"]
    assert len(printed.rows) == 8
    for _, _, own, other, gap, *_ in printed.rows:
        own, other, gap = (float(re.sub("[,%\xa0]", "", text).replace("−", "-")) for text in (own, other, gap))
        assert own - other == pytest.approx(gap, abs=0.010001)


def people(*cells: tuple[str, str, int, int]) -> pd.DataFrame:
    """Return rows of cells ``(area, sex, admitted, not admitted)``."""
    rows = [(a, s, d) for a, s, yes, no in cells for d, n in (("yes", yes), ("no", no)) for _ in range(n)]
    return pd.DataFrame(rows, columns=["dept", "sex", "admitted"])


def test_strata_that_cancel_out_are_named_where_their_average_says_that_no_gap_remains():
    frame = people(
        ("West", "F", 70, 130), ("West", "M", 130, 70), ("East", "F", 130, 70), ("East", "M", 70, 130),
        ("NIEUW", "F", 0, 2), ("NIEUW", "M", 2, 0), ("North", "F", 100, 100), ("North", "M", 100, 100),
    )  # fmt: skip
    result = run(plan(checks=(CheckPlan(protected="sex = 'F'", strata=("dept",)),)), table=frame)
    [finding] = result.checks
    said = headlines.strata_sentence(finding)
    assert said.startswith("On average within dept the gap may be chance: 0.3")
    east, west = (next(row for row in finding.strata.strata if row.name == name) for name in ("East", "West"))
    spans = [interval_text(row.comparison.difference_interval) for row in (east, west)]
    assert spans[0].startswith("+") and spans[1].startswith("−")
    named = (
        f"East (30.0 points to their advantage, {spans[0]}) and West (30.0 points to their disadvantage, {spans[1]})"
    )
    others = "in the other 2 no clear gap shows: read the strata, not the average alone."
    assert said.endswith(f"But there is a clear gap in {named}; {others}")
    assert any(said in text for text in texts(compose(result), Paragraph))
    assert any("Readings allow for 4 comparisons" in b.title for b in compose(result).blocks if isinstance(b, Chart))
    [printed] = [each for each in compose(result).blocks if isinstance(each, Table) and each.key == "check_1_strata"]
    assert [column.name for column in printed.columns] == [
        "stratum_1", "protected_n", "protected_share", "reference_n", "reference_share", "gap", "gap_interval",
        "reading",
    ]  # fmt: skip
    assert [row[0] for row in printed.rows] == ["East", "NIEUW", "North", "West"]
    [table] = [each for each in all_tables(result) if each.key == "check_1_strata"]
    readings = {row[0]: row[[column.name for column in table.columns].index("reading")] for row in table.rows}
    assert readings == {
        "East": "clear gap", "NIEUW": "cannot tell, few rows", "North": "cannot tell", "West": "clear gap",
    }  # fmt: skip


def test_groups_whose_intervals_overlap_can_differ_beyond_chance_in_their_errors():
    truth = [("F", "yes", "no", 120), ("F", "yes", "yes", 280), ("M", "yes", "no", 92), ("M", "yes", "yes", 308)]
    rows = [each[:3] for each in truth for _ in range(each[3])] + [("F", "no", "no"), ("M", "no", "no")] * 40
    frame = pd.DataFrame(rows, columns=["sex", "admitted", "guess"])
    asked = {"prediction": OutcomePlan(column="guess", favorable=("yes",)), "errors": (ErrorsPlan(by=("sex",)),)}
    audit = plan(checks=(), **asked)
    [finding] = run(audit, table=frame).errors
    rates = finding.errors.intervals.set_index(["metric", "group"]).loc["fnr"]
    assert rates.loc["F", "low"] < rates.loc["M", "high"], "30 % and 23 % of 400 each: the intervals overlap"
    assert error_words.errors_chip(finding).text == "A gap, size unclear"
    assert "larger than chance would explain" in error_words.errors_sentence(finding, audit)
    assert "0.0\xa0% in every group" in error_words.errors_headline(finding, audit)


def test_people_with_the_other_outcome_are_named_as_the_plan_names_them():
    rows = pd.DataFrame({"sex": list("FM") * 80, "again": [0, 1, 1, 0] * 40, "guess": [0, 0, 1, 1, 1] * 32})
    named = OutcomePlan(column="again", favorable=(0,), meaning="no new offence")
    asked = {
        "prediction": OutcomePlan(column="guess", favorable=(0,), meaning="low risk"),
        "errors": (ErrorsPlan(by=("sex",)),),
    }
    said = {}
    for other in (None, "a new offence"):
        audit = plan(checks=(), decision=named.model_copy(update={"other_meaning": other}), **asked)
        [finding] = run(audit, table=rows).errors
        said[other] = error_words.errors_sentence(finding, audit)
    assert "Of people without that outcome, “low risk” all the same" in said[None]
    assert "Of people with “a new offence”, “low risk” all the same" in said["a new offence"]


def test_a_report_says_where_numbers_are_cut_and_names_the_bands():
    frame = berkeley_like()
    frame["age"] = np.where(frame["dept"] == "a", 20, 50) + np.arange(len(frame)) % 10
    check = CheckPlan(protected="sex = 'F'", strata=("age",), strata_cuts={"age": (30, 55)})
    result = run(plan(checks=(check,)), table=frame)
    document = compose(result)
    said = " ".join(texts(document, Paragraph))
    assert "Cut into bands: age at 30 and 55. A band is from one cut on and below the next." in said
    assert "Within bands of age the gap turns around" in said
    assert "Within bands of age" in texts(document, Heading)
    captions = [block.title for block in document.blocks if isinstance(block, Chart)]
    assert any(caption.startswith("Gap inside each band of age;") for caption in captions)
    [table] = [each for each in all_tables(result) if each.key == "check_1_strata"]
    assert [row[0] for row in table.rows] == ["age under 30", "age 30 to under 55", "age 55 and over"]
    assert any("[checks.strata_cuts]" in text for text in texts(document, Code))


@pytest.mark.parametrize("strata", [("sex",), ("nobody",)])
def test_strata_of_which_none_can_be_compared_do_not_stop_a_report_with_hidden_counts(strata):
    frame = berkeley_like().assign(nobody=lambda rows: rows["sex"] + rows["dept"])
    checks = (CheckPlan(protected="sex = 'F'", strata=strata),)
    result = run(plan(checks=checks, small_cells=SmallCellsPlan(mask=True)), table=frame)
    assert compose(result).blocks


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


def test_clear_gaps_in_errors_of_several_columns_are_one_chip():
    errors = (*SEARCHES["errors"], ErrorsPlan(by=("half",), positive="unfavorable"))
    table = stops().assign(half=lambda rows: rows["sex"].map({"F": "first", "M": "second"}))
    document = compose(run(plan(checks=CHECKS[:1], **SEARCHES | {"errors": errors}), table=table))
    [first, *_] = [block.strong for block in document.blocks if isinstance(block, Paragraph) and block.lead]
    assert "lear gap in errors by sex and by half" in first


@pytest.mark.parametrize("checks", [CHECKS[:1], CHECKS])
def test_an_answer_about_the_truth_says_that_it_is_not_about_the_prediction(checks):
    document = compose(run(plan(checks=checks, **SEARCHES), table=stops()))
    said = [block.text for block in document.blocks if isinstance(block, Paragraph)]
    [first, *_] = [block.strong for block in document.blocks if isinstance(block, Paragraph) and block.lead]
    assert "lear gap in errors by sex" in first
    hidden = compose(
        run(plan(checks=checks, small_cells=SmallCellsPlan(mask=True, minimum=999), **SEARCHES), table=stops())
    )
    assert not any(
        "in errors by sex" in (block.strong or "") for block in hidden.blocks if isinstance(block, Paragraph)
    )
    unsaid = " ".join(item for block in document.blocks if isinstance(block, Items) for item in block.items)
    assert "deserved" not in unsaid and "from the decisions" not in unsaid and "what truly happened" in unsaid
    alone = "The outcome itself is compared here; how 'searched' treats the groups stands under Errors (clear gap)."
    assert said.count(alone) == (1 if len(checks) == 1 else 3)
    assert not any("treated alike is clear" in text for text in said)
    without = compose(run(plan(checks=checks, **{**SEARCHES, "errors": ()}), table=stops()))
    assert any("is not looked at in this report" in text for text in texts(without, Paragraph))
    bare = compose(run(plan(checks=checks, decision=SEARCHES["decision"]), table=stops()))
    assert not any("The outcome itself" in text for text in texts(bare, Paragraph))


def test_a_prediction_that_repeats_the_decision_is_said_on_the_first_pages_and_under_errors():
    same = {**SEARCHES, "prediction": SEARCHES["decision"]}
    document = compose(run(plan(checks=CHECKS[:1], **same), table=stops()))
    said = [block for block in document.blocks if isinstance(block, Paragraph)]
    assert any(block.strong == "Errors of the prediction by sex: Nothing to compare." for block in said)
    assert any("name as decision the column" in text for text in texts(document, Note))


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
