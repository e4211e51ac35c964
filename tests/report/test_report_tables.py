"""The tables of the report name groups as the measures, the charts and the pages do."""

from __future__ import annotations

import dataclasses
import math
from decimal import Decimal
from random import Random

import made_up
import pandas as pd
import pytest

from fairaudit.audit.result import ErrorsFinding
from fairaudit.measure import check_errors, check_strata
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.present.blocks import cell_text, flat_header, flat_rows, pick, row_texts
from fairaudit.present.charts.gaps import read_strata
from fairaudit.present.errors import errors_tables, scores_tables
from fairaudit.present.numbers import points_text
from fairaudit.sections.check.tables import ShareFigures, comparison_table, strata_table
from fairaudit.sections.errors.answering import run_errors


@pytest.mark.parametrize(
    "value, text", [("NaT", "NaT"), ("<NA>", "<NA>"), (None, "missing"), (math.nan, "missing"), (3.0, "3")]
)
def test_values_of_a_group_read_as_in_its_name(value, text):
    (group,) = made_up.many_groups([value]).rows
    (stratum,) = made_up.strata([value]).strata
    assert comparison_table(made_up.many_groups([value]), 1, 1, ShareFigures()).rows[0][0] == text == group.name
    assert strata_table(made_up.strata([value]), 1, ShareFigures()).rows[0][0] == text == stratum.name


def _strata(*counts):
    """Strata with these counts: good outcomes and rows of the protected group, and of the rest."""
    rows = [
        (name, who, int(i < got))
        for name, (good, n, good_rest, n_rest) in enumerate(counts)
        for who, got, of in (("p", good, n), ("r", good_rest, n_rest))
        for i in range(of)
    ]
    frame = pd.DataFrame(rows, columns=["area", "who", "ok"])
    return check_strata(frame, decision="ok", favorable=1, protected="who = 'p'", strata="area")


def test_the_gap_of_each_stratum_is_the_true_one_rounded_in_table_and_chart():
    random = Random(3)
    counts = [
        [good for n in random.choices(range(50, 400), k=2) for good in (random.randint(0, n), n)] for _ in "x" * 40
    ]
    strata = _strata(*counts)
    table = pick(strata_table(strata, 1, ShareFigures()), ("protected_share", "reference_share", "gap"))
    drawn = [gap for *_, gap in read_strata(strata.strata)]
    for cells, row, in_chart in zip(row_texts(table), strata.strata, drawn, strict=True):
        own, other, gap = (Decimal(text.rstrip("\N{NO-BREAK SPACE}%").replace("\N{MINUS SIGN}", "-")) for text in cells)
        assert cells[2] == in_chart == points_text(row.difference).removesuffix(" points")
        assert abs(own - other - gap) <= Decimal("0.1")
    assert row_texts(
        pick(strata_table(_strata((50, 100, 25, 100)), 1, ShareFigures()), ("protected_share", "reference_share"))
    ) == [["50.0\N{NO-BREAK SPACE}%", "25.0\N{NO-BREAK SPACE}%"]]


def test_a_gap_of_a_stratum_that_is_near_the_tolerance_has_the_decimals_to_differ_from_it():
    table = pick(strata_table(_strata((14, 18, 26, 33), (807, 950, 781, 977)), 1, ShareFigures()), ("gap",))
    assert row_texts(table) == [["\N{MINUS SIGN}1.0"], ["+5.01"]]


def _texts(table):
    return [
        [cell_text(v, c.kind, digits=c.digits) for v, c in zip(row, table.columns, strict=True)] for row in table.rows
    ]


def _data(groups):
    """Rows with the counts (name, tp, fp, tn, fn) of each group."""
    cells = ((1, 1), (0, 1), (0, 0), (1, 0))
    rows = [(name, *cell) for name, *counts in groups for cell, n in zip(cells, counts, strict=True) for _ in range(n)]
    return pd.DataFrame(rows, columns=["kind", "truth", "guess"])


def _errors(*groups):
    """A finding about these groups."""
    errors = check_errors(_data(groups), outcome="truth", favorable=1, prediction="guess = 1", by="kind")
    return ErrorsFinding(ErrorsPlan(by=("kind",)), errors, None, None)


FOUR = [("a", 40, 30, 10, 10), ("b", 45, 5, 35, 5), ("c", 40, 1, 22, 10), ("d", 5, 1, 4, 1)]


def test_gaps_of_the_strata_are_points_for_people_and_fractions_in_the_file():
    strata = made_up.strata(["a", "b"])
    table = ShareFigures().strata_together(strata, 1)
    pooled = _texts(table)[0]
    assert pooled[1] == "\u221212.3" and pooled[3:] == ["", "", ""]
    assert not any("not defined" in row for row in _texts(table))
    header, rows = flat_header(table), flat_rows(table)
    assert all(len(row) == len(header) for row in rows)
    assert rows[0][header.index("gap")] == strata.pooled.difference


def test_tables_of_errors_show_words_and_keep_codes_for_the_file():
    tables = {table.key.rpartition("_")[2]: table for table in errors_tables(_errors(*FOUR), 1)}
    assert "true positive (TP)" in [column.label for column in tables["counts"].columns]
    assert flat_header(tables["counts"])[1:5] == ("tp", "fp", "tn", "fn")
    gaps = {row[0]: row for row in _texts(tables["gaps"])}
    assert gaps["fpr"][1:3] == ["False positive rate", "+62.5"]
    assert gaps["fpr"][5:] == ["a against b", "40", "40", "2", "0"]
    assert gaps["equalized_odds"][3] == "" and gaps["equalized_odds"][6:8] == ["", ""]
    for table in tables.values():
        assert all(len(row) == len(flat_header(table)) for row in flat_rows(table))


def test_whole_scores_are_shown_without_decimals():
    scores = made_up.scores(["a"])
    whole = scores.calibration.assign(score_mean=range(1, 11))
    finding = ErrorsFinding(ErrorsPlan(by=("kind",)), None, dataclasses.replace(scores, calibration=whole), None)
    table = scores_tables(finding, 1)[1]
    assert [row[2] for row in _texts(table)] == [str(i) for i in range(1, 11)]


@pytest.mark.parametrize(("other", "shown"), [(None, 'not "no new offence"'), ("a new offence", "a new offence")])
def test_positive_is_shown_in_the_words_of_the_plan(other, shown):
    rows = pd.DataFrame({"kind": list("ab") * 40, "truth": [0, 1, 1, 0] * 20, "guess": [0, 1] * 40})
    plan = AuditPlan(
        data=DataPlan(source="rows.csv"),
        decision=OutcomePlan(column="truth", favorable=(0,), meaning="no new offence", other_meaning=other),
        prediction=OutcomePlan(column="guess", favorable=(0,)),
        score=ScorePlan(column="guess", higher_is_favorable=False),
    )
    finding = run_errors(rows, plan, ErrorsPlan(by=("kind",), positive="unfavorable"))
    assert finding.errors.positive_meaning == finding.scores.positive_meaning == shown
