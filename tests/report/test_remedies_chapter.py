from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema, validator
from made_up import NASTY, in_a_frame

from fairaudit.audit.running import run
from fairaudit.findings import Message, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import Chart, Heading, Items, KeyValues, Note, Paragraph, TableBlock, moved_table
from fairaudit.remedies.relabel.details import pairs_tables
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes, compose_report
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf
from fairaudit.report.remedies import MOST_LINES, remedies_annex, remedies_blocks, remedies_part
from fairaudit.report.tables import all_tables
from fairaudit.sections.check import say_remedy_caution
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.models import frontier_rows, remedies_tables, summary_table
from fairaudit.sections.compare.reading import title_of
from fairaudit.sections.remedy import say_remedy
from fairaudit.sections.remedy.tables import gaps_table, groups_table, quality_table

HOSTILE = tuple(in_a_frame([f"{i} {name[:200]}" for i, name in enumerate(NASTY)]) + [f"g {i}" for i in range(30)])


@cache
def hostile_study():
    rng = np.random.default_rng(1)
    counts = [tuple(int(n) for n in rng.integers(20, 400, 4)) for _ in HOSTILE]
    counts[3], counts[4] = (0, 0, 12, 9), (0, 0, 0, 0)
    found = by_hand.remedies(groups=HOSTILE, before=counts, after=counts[::-1], group_columns=("a", "b"))
    texts = ["#let x = 1; *bold* <script>alert(1)</script>", "=cmd()|'/c calc'!A1", "\u202ename\u202c", "", "\x07", "$"]
    names = in_a_frame(texts)
    renamed = tuple(replace(r, name=f"{n} {i}") for i, (r, n) in enumerate(zip(found.remedies, names, strict=True)))
    return replace(found, remedies=renamed)


@pytest.fixture(scope="module")
def document():
    return compose_annexes(by_hand.audit())


def remedy_lines(found) -> list[str]:
    """Return what the first page says of remedies, one by one."""
    part = remedies_part(by_hand.audit(found))
    return list(next((block.items for block in part.blocks if isinstance(block, Items)), ()))


@pytest.mark.parametrize("methods", [(), ("plain", "thresholds"), ("thresholds", "relabel")])
def test_the_first_page_says_of_each_remedy_what_its_page_says(methods):
    found = by_hand.remedies(methods) if methods else by_hand.remedies()
    remedies = {remedy.name: remedy for remedy in found.remedies}
    rows = read_comparison(found).met[:MOST_LINES]
    lines = remedy_lines(found)
    assert rows
    for row, line in zip(rows, lines, strict=True):
        assert say(say_remedy(remedies[row.made], found.facts).verdict) in line


def test_the_first_page_says_of_one_answer_for_all_that_it_is_one():
    found = by_hand.remedies(("relabel",))
    alike = by_hand.fairness(1_000, 1_000, 1_000, 1_000)
    remedy = found.remedies[0]
    found = replace(found, remedies=(replace(remedy, after=replace(remedy.after, fairness=alike)),))
    [line] = remedy_lines(found)
    assert say(Message("verdict-one-answer")) in line


def test_a_report_on_remedies_alone_opens_with_their_comparison():
    found = by_hand.remedies()
    report = compose_report(by_hand.audit(found))
    assert report.title == say(say_comparison(found).headline)
    assert [block.key for block in report.blocks if isinstance(block, Chart)] == ["remedies_compared"]
    blocks = remedies_blocks(found, ())
    assert next(block.key for block in blocks if isinstance(block, Chart)) == "remedies_compared"


def test_a_gap_in_what_truly_happened_is_not_called_one_of_decisions():
    found = by_hand.remedies(decision_is_outcome=True)
    assert "compare-lead-smallest" in [message.key for message in say_comparison(found).lead]
    [chart] = [
        block
        for block in compose_annexes(by_hand.audit(found)).blocks
        if isinstance(block, Chart) and block.key == "remedies_frontier"
    ]
    happened = say(Message("remedies-happened"))
    assert f"{happened[0].upper()}{happened[1:]}: 12.9 points." in chart.alt
    assert happened in json.dumps(chart.chart.to_dict())


def test_remedies_that_decide_by_group_come_last_and_say_first_that_they_may_be_unlawful():
    found = by_hand.remedies(("thresholds", "relabel"))
    blocks = remedies_blocks(found, ())
    [side_by_side] = [block for block in blocks if isinstance(block, TableBlock) and "Side by side" in block.title]
    assert [row[-1] for row in side_by_side.rows][-2:] == [False, True]
    heads = [place for place, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2]
    assert [blocks[place].text for place in heads] == [
        title_of(found, found.remedies[1]),
        title_of(found, found.remedies[0]),
    ]
    leads = [blocks[place + 1].text for place in heads]
    assert "may be unlawful" not in leads[0] and "may be unlawful" in leads[1]


def test_the_first_page_claims_nothing_that_is_hidden_or_did_not_come_about():
    hidden = compose_report(by_hand.audit(by_hand.remedies(), minimum=10_000))
    assert hidden.title == say(Message("compare-headline-not-shown"))
    assert not any(isinstance(block, Chart) for block in hidden.blocks)
    plain = compose_report(by_hand.audit(by_hand.remedies(("plain",))))
    assert plain.title == say(Message("report-nothing"))
    doubtful = replace(by_hand.remedies(), remedies=(by_hand.remedy(half=0.9),))
    assert say(Message("verdict-gap-may-not-have-changed")) in remedy_lines(doubtful)[0]


def test_models_have_names_and_no_numbers_on_paper():
    found = by_hand.remedies()
    undefined = tuple(replace(m, value=math.nan) if m.measure == "gap" else m for m in found.remedies[1].after.measures)
    second = replace(found.remedies[1], after=replace(found.remedies[1].after, measures=undefined))
    found = replace(found, remedies=(found.remedies[0], second, *found.remedies[2:]))
    drawn = frontier_rows(found)
    assert second.name not in set(drawn["name"])
    [table] = [block for block in remedies_annex(found) if getattr(block, "key", "") == "remedies_summary"]
    names = {row["model"] for row in rows_of(table)}
    assert {title_of(found, remedy) for remedy in found.remedies} <= names
    assert set(drawn["number"]) == {""}
    [picture] = [block for block in remedies_annex(found) if getattr(block, "key", "") == "remedies_frontier"]
    assert (
        title_of(found, found.remedies[0]) in picture.alt
        and title_of(found, found.remedies[0]) in picture.chart.to_json()
    )
    [beside] = [block for block in remedies_blocks(found, ()) if getattr(block, "key", "") == "remedies_side_by_side"]
    assert not {"number"} & {column.name for shown in (table, beside) for column in shown.columns}
    headings = [block.text for block in remedies_blocks(found, ()) if isinstance(block, Heading)]
    by_number = {text.partition(". ")[0]: text.partition(". ")[2] for text in headings if ". " in text}
    assert by_number.items() <= {str(n): each.name for n, each in enumerate(found.remedies, start=1)}.items()


def test_before_and_after_become_one_column_on_paper():
    table = groups_table(by_hand.remedy(), 1)
    moved = moved_table(table, {"selection_rate": "positive", "tpr": "right", "fpr": "wrong"})
    assert [column.label for column in moved.columns] == ["group", "cases", "positive", "right", "wrong"]
    assert moved.rows[0][3].replace("\u202f", " ").replace("\u00a0", " ") == "56.2 % to 77.5 %"
    assert moved.key == table.key


def rows_of(table: TableBlock) -> list[dict]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def test_the_chapter_stands_between_the_findings_and_the_data(document):
    chapters = [block.text for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    assert chapters == [
        "Remedies tried",
        f"Annex A. {say(Message('annex-remedies'))}",
        "Annex B. The data",
        "Annex C. What the words mean",
        "Annex D. Repeat this audit",
    ]
    sections = [block.text for block in document.blocks if isinstance(block, Heading) and block.level == 2]
    numbered = sorted(enumerate(by_hand.remedies().remedies, start=1), key=lambda each: each[1].needs_group)
    found = by_hand.remedies()
    names = [title_of(found, remedy) for _, remedy in numbered]
    assert sections[:5] == names[1:], "a plain model is there to compare with, and has no section"
    assert sections[5:11] == names, "how each was made stands in an annex"


def test_strata_that_say_otherwise_are_warned_about_once_before_the_first_remedy():
    n = {("a", "F"): (90, 100), ("a", "M"): (640, 800), ("b", "F"): (240, 800), ("b", "M"): (20, 100)}
    people = [(*key, "yes" if i < good else "no") for key, (good, of) in n.items() for i in range(of)]
    data = pd.DataFrame(people, columns=["area", "sex", "ok"])
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="ok", favorable=("yes",)),
        checks=(CheckPlan(protected="sex = 'F'", strata=("area",)),),
    )
    [check] = run(plan, table=data).checks
    blocks = remedies_blocks(by_hand.remedies(), (check, check))
    first = next(place for place, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2)
    said = say(say_remedy_caution(check))
    warned = [block.text for block in blocks[:first] if isinstance(block, Note) and block.kind == "warning"]
    assert warned.count(said) == 1
    assert said not in str(remedies_blocks(by_hand.remedies(), (replace(check, strata=None),)))


def test_what_was_done_is_drawn_for_thresholds_and_scores(document):
    keys = {block.key for block in document.blocks if isinstance(block, Chart)}
    assert {"remedy_3_roc_chart", "remedy_3_weights_chart"} <= keys
    assert {"remedy_4_distribution_chart", "remedy_4_weights_chart", "remedies_frontier"} <= keys


def test_one_remedy_alone_needs_no_comparison_of_models_by_relabelling():
    found = by_hand.remedies(("plain",))
    keys = {
        block.key for block in compose_annexes(by_hand.audit(found)).blocks if isinstance(block, (Chart, TableBlock))
    }
    assert "remedies_frontier" not in keys
    assert "remedies_pairs" not in keys
    assert "remedies_side_by_side" in keys


def test_keys_are_unique_and_charts_name_a_table_of_the_bundle(document):
    keys = [block.key for block in document.blocks if isinstance(block, (Chart, TableBlock))]
    assert len(keys) == len(set(keys))
    bundled = [table.key for table in all_tables(by_hand.audit())]
    assert len(bundled) == len(set(bundled))
    assert {block.table_key for block in document.blocks if isinstance(block, Chart)} <= set(bundled)


def test_the_words_of_remedies_are_explained_where_there_are_remedies(document):
    def words(blocks) -> set[str]:
        return {label for block in blocks if isinstance(block, KeyValues) for label, _ in block.rows}

    needed = {
        "Retraining, changed decisions",
        "Threshold",
        say(Message("term-split")),
    }
    assert needed <= words(document.blocks)
    assert not {"Retraining, changed decisions", "AUC"} & words(
        compose_annexes(replace(by_hand.audit(), remedies=None)).blocks
    )


def test_the_summary_shows_the_decisions_then_each_model_once():
    found = by_hand.remedies()
    rows = rows_of(summary_table(found))
    assert [row["model"] for row in rows] == ["Past decisions", *(remedy.name for remedy in found.remedies)]
    assert rows[0]["gap"] == found.facts.decisions.difference
    assert rows[2]["gap"] == found.remedies[1].after.fairness.difference
    assert [row["needs_group"] for row in rows[1:]] == [False, False, True, False, False, False]
    alone = rows_of(summary_table(by_hand.remedies(("relabel", "equalize"))))
    assert [row["model"] for row in alone][1] == "logistic regression, threshold 0.5"
    assert len(alone) == 4


def test_a_model_under_two_names_is_shown_once():
    plain, relabel = by_hand.remedy("plain"), by_hand.remedy("relabel")
    renamed = replace(relabel, before=replace(relabel.before, name="the same, one threshold"))
    rows = rows_of(summary_table(replace(by_hand.remedies(), remedies=(plain, renamed))))
    assert [row["model"] for row in rows[1:]] == [plain.name, relabel.name]


def test_changes_are_shown_with_paired_intervals():
    finding = by_hand.remedy()
    shown = {row["measure"]: row for table in (quality_table, gaps_table) for row in rows_of(table(finding, 1))}
    assert set(shown) == {change.measure for change in finding.changes}
    for change in finding.changes:
        row = shown[change.measure]
        assert (row["before"], row["after"], row["change"]) == (change.before, change.after, change.difference)
        assert row["change_interval"] == tuple(change.interval)


def test_groups_are_shown_before_and_after():
    [protected, rest] = rows_of(groups_table(by_hand.remedy(), 1))
    assert protected["n"] == 525
    assert protected["tpr_before"] == 45 / 80
    assert protected["tpr_after"] == 62 / 80
    assert rest["fpr_after"] == 690 / (690 + 5954)


def test_pairs_of_models_are_shown_as_in_a_paper():
    one = by_hand.remedy(plan=RelabelPlan(algorithm="risk_adjustment", final_model="logistic_regression"))
    [row] = rows_of(*pairs_tables([one]))
    assert row["algorithm"] == "decisions made anew"
    assert (row["risk_model"], row["final_model"]) == ("logistic regression", "logistic regression")
    assert row["gap"] == pytest.approx(row["protected_share"] - row["reference_share"])
    two = replace(by_hand.remedies(), remedies=(one, by_hand.remedy()))
    blocks = compose_annexes(by_hand.audit(two)).blocks
    [table] = [block for block in blocks if isinstance(block, TableBlock) and block.key == "remedies_pairs"]
    assert len(table.rows) == 2


@pytest.mark.parametrize("minimum", [None, 10, 10_000])
def test_the_export_with_remedies_keeps_its_schema(minimum):
    for found in (by_hand.remedies(), hostile_study()):
        values = json.loads(to_json(by_hand.audit(found, minimum=minimum)))
        assert not against_schema(values)
        assert len(values["remedies"]["remedies"]) == 6


def test_the_schema_names_each_column_of_gaps():
    assert set(validator().schema["$defs"]["ErrorComparison_gaps"]["required"]) == set(by_hand.errors().gaps.columns)


def test_frames_are_lists_of_plain_numbers():
    values = json.loads(to_json(by_hand.audit()))["remedies"]["remedies"]
    details = by_hand.relabel_details()
    assert values[1]["details"]["flipped"] == details.flipped.to_dict("records")
    assert values[2]["details"]["roc"][0]["threshold"] is None
    assert values[0]["details"] is None
    assert values[1]["after"]["errors"]["metrics"][0]["group"] == "race <> 'White'"


def test_every_table_of_the_bundle_is_in_the_dictionary():
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(by_hand.audit()))) as bundle:
        rows = list(csv.DictReader(io.StringIO(bundle.read("data_dictionary.csv").decode("utf-8-sig"))))
        described = {(row["file"], row["column"]) for row in rows}
        for table in remedies_tables(by_hand.remedies()):
            header = next(csv.reader(io.StringIO(bundle.read(f"{table.key}.csv").decode("utf-8-sig"))))
            assert {(f"{table.key}.csv", name) for name in header} <= described
    assert all(row["meaning"] for row in rows)


@pytest.mark.parametrize("minimum", [None, 30])
@pytest.mark.campaign
def test_hostile_names_fifty_groups_and_undefined_figures_are_printed(minimum):
    result = by_hand.audit(hostile_study(), minimum=minimum)
    assert to_pdf(compose_annexes(result)).startswith(b"%PDF")
    assert to_csv_bundle(result)


def test_undefined_figures_of_a_remedy_are_printed():
    nobody = ((0, 0, 0, 0), by_hand.BEFORE[1])
    details = by_hand.threshold_details(objective=math.nan, optimal_objective=math.nan)
    found = by_hand.remedies(before=nobody, after=nobody)
    found = replace(found, remedies=tuple(replace(r, details=details) if r.needs_group else r for r in found.remedies))
    text = " ".join(
        block.text for block in compose_annexes(by_hand.audit(found)).blocks if isinstance(block, Paragraph)
    )
    assert "nan" not in text
    assert to_pdf(compose_annexes(by_hand.audit(found))).startswith(b"%PDF")


def test_what_happened_is_not_called_past_decisions():
    found = by_hand.remedies()
    happened = replace(found, facts=replace(found.facts, decision_is_outcome=True))
    names = [rows_of(summary_table(each))[0]["model"] for each in (found, happened)]
    said = [say(Message("remedy-row-decided", {"about": Word(about)})) for about in ("decision", "outcome")]
    assert names == said and said[0] != said[1]
