"""Searches and inspections in words: right in number and side, and no motive."""

from __future__ import annotations

import math
from dataclasses import replace

import inspections_by_hand as by_hand
import pandas as pd
import pytest

from fairaudit.audit.inspections import finding_of, run_outcome
from fairaudit.data.table import as_table
from fairaudit.disclosure.follow_ups import masked_inspection
from fairaudit.measure.comparison_results import Interval
from fairaudit.plan.inspections import InspectionPlan
from fairaudit.present import inspection_words as words
from fairaudit.present.charts import inspections as charts
from fairaudit.present.chips import reading_chip
from fairaudit.report.chapters.inspections import inspection_blocks
from fairaudit.report.inspection_tables import inspection_tables


def spaced(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(scope="module")
def finding():
    return by_hand.finding()


def of_groups(**hits: tuple[int, int]):
    """Return hit rates of groups from (looked at, found)."""
    frame = pd.DataFrame([{"group": name, "n": n, "hits": k} for name, (n, k) in hits.items()])
    plan = InspectionPlan(acted="n", found="hits", group=("group",), reference=("rest",))
    table = as_table(frame)
    return finding_of(table, plan, run_outcome(table, plan))


def test_hit_rates_are_said_with_their_side(finding):
    # 68 of 270 and 62 of 160
    assert spaced(words.outcome_headline(finding)).endswith("found in 25.2 % (Black) and 38.8 % (White).")
    details = spaced(words.outcome_details(finding))
    assert "13.6 points lower than for White" in details and "more than the tolerance of 5 points" in details
    assert "Looked at: 20.8 % of 1,300 (Black), 10.0 % of 1,600 (White)." in details


def test_where_several_groups_are_alike_the_range_is_said():
    found = of_groups(a=(90_000, 30_100), b=(80_000, 26_500), rest=(99_000, 33_000))
    assert words.outcome_chip(found).text == "Alike"
    assert "33.1 % (b) to 33.4 % (a)" in spaced(words.outcome_headline(found))


def test_a_clear_gap_comes_before_a_larger_one_of_few():
    found = of_groups(few=(6, 0), many=(9_000, 900), rest=(9_000, 2_700))
    gap, reading = words.leading_gap(found.outcome)
    assert (gap.name, reading, words.outcome_chip(found).text) == ("many", "clear gap", "Clear gap")


def test_what_one_of_many_groups_shows_by_chance_is_no_difference():
    # Of seven groups, one has 14.3 % beside 20.0: by itself p .031 and -10.0 to -0.7, among seven p .214.
    others = {f"group {i}": (300, finds) for i, finds in enumerate((43, 60, 61, 58, 62, 59, 60))}
    found = of_groups(**others, rest=(1_000, 200))
    gap, reading = words.leading_gap(found.outcome)
    assert gap.comparison.difference_interval.high < 0
    assert gap.adjusted_p_value == pytest.approx(0.214, abs=0.001)
    assert reading == "cannot tell"
    said = words.outcome_sentence(found)
    assert "likely;" not in said and "weaker grounds" not in said
    alone = of_groups(one=(300, 43), rest=(1_000, 200))
    assert words.leading_gap(alone.outcome)[1] == "a gap, size unclear" and "weaker grounds" in words.outcome_sentence(
        alone
    )


def test_alike_is_said_with_the_interval_that_decides(finding):
    # 500 of 1,000 beside 510: -5.4 to +3.4 at 95 %, -4.7 to +2.7 at 90 %.
    said = spaced(words.outcome_details(of_groups(a=(1_000, 500), rest=(1_000, 510))))
    assert "90 % interval −4.7 to +2.7" in said and "5.4" not in said
    narrow = Interval(0.95, 1.08)
    [gap] = finding.veil.gaps
    alike = replace(gap, interval=Interval(0.93, 1.11), equivalence_interval=narrow, verdict="no_gap_above_tolerance")
    said = spaced(words.veil_details(replace(finding, veil=replace(finding.veil, gaps=(alike,)))))
    assert "90 % interval 0.95 to 1.08" in said and "1.11" not in said
    gaps = finding.thresholds.gaps.assign(
        low=-0.055, high=0.03, equivalence_low=-0.048, equivalence_high=0.024, verdict="no_gap_above_tolerance"
    )
    said = spaced(words.threshold_details(replace(finding, thresholds=replace(finding.thresholds, gaps=gaps))))
    assert "90 % interval −4.8 to +2.4" in said and "5.5" not in said


def test_that_strata_turn_a_difference_around_allows_for_all_groups(finding):
    [gap] = finding.outcome.gaps
    turned = replace(
        gap, reversal=True, common_difference=0.06, common_difference_interval=Interval(0.01, 0.11), common_p_value=0.03
    )
    for p_value, is_said in ((0.03, True), (0.12, False)):
        test = replace(finding.outcome, strata=("place",), gaps=(replace(turned, common_p_value=p_value),))
        assert ("turns around" in words.outcome_details(replace(finding, outcome=test))) is is_said


@pytest.mark.parametrize("ratio", [1.4, 0.7])
def test_light_says_what_the_data_fit_and_not_what_happened(finding, ratio):
    [gap] = finding.veil.gaps
    veil = replace(finding.veil, gaps=(replace(gap, verdict="clear_gap", odds_ratio=ratio),))
    assert "the data fit that it is stopped" in words.veil_details(replace(finding, veil=veil))


def test_where_only_those_looked_at_are_known_no_share_of_all_is_said():
    assert "Looked at:" not in words.outcome_details(of_groups(a=(900, 300), rest=(900, 310)))


def test_thresholds_are_said_as_what_a_model_infers(finding):
    assert spaced(words.threshold_headline(finding)) == (
        "By the model, Black is looked at once a find is 10.0 % likely, White once it is 25.0 % likely."
    )
    assert "15.0 points lower than for White" in spaced(words.threshold_details(finding))
    assert words.threshold_chip(finding) == reading_chip("clear gap")


def test_a_model_that_does_not_fit_gives_no_verdict():
    for found, chip, why in (
        (by_hand.finding(passed=False, split=1.3), words.ROUGH, "did not settle"),
        (totals_off(by_hand.finding(passed=False)), words.NO_FIT, "other numbers of looks or finds of a whole group"),
        (totals_off(by_hand.finding(passed=False, split=1.3)), words.NO_FIT, "other numbers of looks or finds"),
        (few_within(by_hand.finding(passed=False)), words.NO_FIT, "only 70.0 % of groups in places have as many finds"),
    ):
        assert words.threshold_chip(found) == chip
        for text in (words.threshold_headline(found), words.check_sentences(found)[0]):
            assert why in spaced(text)
        assert "is looked at once a find is" not in words.threshold_headline(found)
        assert "does not reach 0" not in words.threshold_details(found)
        assert any(why in spaced(getattr(block, "text", "")) for block in inspection_blocks(found, 1))


def with_checks(found, **checks):
    """Return a finding whose thresholds were checked otherwise."""
    return replace(found, thresholds=replace(found.thresholds, checks=replace(found.thresholds.checks, **checks)))


def totals_off(found):
    return with_checks(found, group_rates_within=False, rates_within=False)


def few_within(found):
    return with_checks(found, hit_rates_within=0.7, rates_within=False)


def test_a_lower_hit_rate_says_whose_grounds_may_be_weaker(finding):
    assert "suggests that Black was looked at on weaker grounds" in words.outcome_details(finding)
    higher = of_groups(many=(9_000, 2_700), rest=(9_000, 900))
    assert "suggests that rest was looked at on weaker grounds" in words.outcome_details(higher)
    assert "weaker grounds" not in words.outcome_details(of_groups(a=(900, 300), rest=(900, 310)))


def test_light_and_darkness_are_compared_at_the_same_hour(finding):
    assert spaced(words.veil_headline(finding)) == (
        "Of stops of Black or White, 46.2 % are of Black in light and 44.3 % in darkness."
    )
    assert "1.08 times as high in light" in words.veil_details(finding)


def test_light_and_darkness_of_several_groups_are_judged_together(finding):
    [gap] = finding.veil.gaps
    two = replace(
        finding, veil=replace(finding.veil, gaps=(replace(gap, adjusted_p_value=0.4), replace(gap, n_light=1)))
    )
    text = spaced(words.veil_details(two))
    assert "for all groups together p = 0.400" in text
    assert "is open when all groups are judged together" in text


def test_where_light_keeps_groups_apart_no_ratio_is_said(finding):
    [gap] = finding.veil.gaps
    none = replace(gap, odds_ratio=math.nan, interval=Interval(math.nan, math.nan), p_value=math.nan)
    text = words.veil_details(replace(finding, veil=replace(finding.veil, gaps=(none,))))
    assert text.startswith(f"For the same hour, no odds ratio of {gap.name} can be worked out.")


def test_no_sentence_reads_a_motive(finding):
    blocks = inspection_blocks(finding, 1)
    text = " ".join(repr(block) for block in blocks if not hasattr(block, "chart")).lower()
    assert not [word for word in ("prejudice", "discriminat", "bias", "racis", "animus", "intent") if word in text]
    assert "does not say what anybody meant" in text


def test_no_two_columns_of_a_table_have_the_same_head(finding):
    for table in inspection_tables(finding, 1):
        heads = [column.label for column in table.columns]
        assert len(heads) == len(set(heads)), table.key


def test_each_chart_has_its_table(finding):
    keys = {table.key for table in inspection_tables(finding, 1)}
    named = {block.table_key for block in inspection_blocks(finding, 1) if hasattr(block, "chart")}
    assert len(named) == 4 and named <= keys


def test_charts_hold_the_figures_of_the_answer(finding):
    for chart, value in (
        (charts.hit_rates_chart(finding), 68 / 270),
        (charts.thresholds_chart(finding), 0.25),
        (charts.fit_chart(finding), 0.2),
        (charts.veil_chart(finding), 0.46),
    ):
        assert repr(value) in repr(chart.to_dict())


def test_hidden_answers_say_so_and_nothing_else(finding):
    hidden = masked_inspection(finding)
    assert words.outcome_sentence(hidden) == f"What was found is not shown. {words.HIDDEN}"
    assert words.threshold_sentence(hidden) == words.veil_sentence(hidden) == ""
    for table in inspection_tables(hidden, 1):
        assert table.key.endswith("checks") or not table.rows


def test_without_thresholds_and_veil_the_chapter_has_hit_rates_alone(finding):
    blocks = inspection_blocks(replace(finding, thresholds=None, veil=None), 1)
    assert sum(hasattr(block, "chart") for block in blocks) == 1
