"""Scores are shown as the data hold them, also where a higher one speaks against the positive outcome."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from fairaudit.audit.result import ErrorsFinding
from fairaudit.disclosure.hidden import without_figures
from fairaudit.measure import check_scores
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.present.charts.scores import calibration_chart, distribution_chart, roc_chart
from fairaudit.present.errors import calibration_alt, distribution_alt, higher_is, scores_tables

RNG = np.random.default_rng(3)
RISK = RNG.integers(1, 11, 2_000)
DATA = pd.DataFrame({"kind": RNG.choice(["a", "b"], 2_000), "risk": RISK, "again": RNG.random(2_000) < RISK / 11})
QUESTION = {"outcome": "again", "favorable": False, "by": "kind", "higher_is_favorable": False}


def tables(scores) -> dict[str, pd.DataFrame]:
    finding = ErrorsFinding(ErrorsPlan(by=("kind",)), None, scores, None)
    made = scores_tables(finding, 1)
    return {t.key[9:]: pd.DataFrame(t.rows, columns=[column.name for column in t.columns]) for t in made}


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
def test_tables_hold_the_scores_of_the_data(positive):
    shown = tables(check_scores(DATA, **QUESTION, score="risk", positive=positive))
    mine = DATA[DATA["kind"] == "a"].assign(positive=lambda d: d["again"] == (positive == "unfavorable"))
    calibration = shown["calibration"].query("group == 'a'")
    assert calibration["bin"].tolist() == [str(i) for i in range(1, 11)]
    assert calibration["score_mean"].tolist() == list(range(1, 11))
    assert_allclose(calibration["observed"], mine.groupby("risk")["positive"].mean())
    bars = shown["distribution"].query("group == 'a' and label == 1")
    assert bars["bin_low"].tolist() == [i - 0.5 for i in range(1, 11)]
    assert bars["bin_high"].tolist() == [i + 0.5 for i in range(1, 11)]
    assert bars["n"].tolist() == mine[mine["positive"]]["risk"].value_counts().sort_index().tolist()
    curve = shown["roc"].query("group == 'a' and threshold != ''")
    others = mine.loc[~mine["positive"], "risk"]
    for cut, fpr in zip(curve["threshold"], curve["fpr"], strict=True):
        flagged = others >= cut if positive == "unfavorable" else others <= cut
        assert fpr == pytest.approx(flagged.mean())


def test_bins_of_several_scores_are_named_by_those_of_the_data():
    data = DATA.assign(chance=RISK / 11, points=RISK * 100.0 + RNG.integers(0, 100, 2_000))
    for score, low, high in (("chance", 0, 1), ("points", 100, 1_100)):
        scores = check_scores(data, **QUESTION, score=score, n_bins=5)
        found = tables(scores)["calibration"].query("group == 'b'")
        ends = [tuple(map(float, text.split(" to "))) for text in found["bin"]]
        assert scores.turned and ends == sorted(ends) and low <= ends[0][0] and ends[-1][1] <= high
        assert all(a <= mean <= b for (a, b), mean in zip(ends, found["score_mean"], strict=True))
        assert (found["observed"].diff().dropna() < 0).all()


@pytest.mark.parametrize(
    ("positive", "higher", "word"),
    [
        ("favorable", True, "better"),
        ("favorable", False, "worse"),
        ("unfavorable", True, "better"),
        ("unfavorable", False, "worse"),
    ],
)
def test_charts_and_their_texts_say_what_a_higher_score_means(positive, higher, word):
    asked = QUESTION | {"higher_is_favorable": higher}
    scores = check_scores(DATA, **asked, score="risk", positive=positive)
    assert higher_is(scores) == f"higher is {word}"
    for drawn in (calibration_chart(scores).to_json(), distribution_chart(scores).to_json()):
        assert f"(higher is {word})" in drawn
    assert f"Positive {'up to' if scores.turned else 'from'}" in roc_chart(scores).to_json()
    for text in (calibration_alt(scores), distribution_alt(scores)):
        assert f"higher is {word}" in text and "\u2212" not in text


@pytest.mark.parametrize(("divided_by", "step"), [(1, 1), (5, None)])
def test_scores_such_as_deciles_are_labelled_in_whole_steps(divided_by, step):
    scores = check_scores(DATA.assign(risk=RISK / divided_by), **QUESTION, score="risk")
    for chart in (calibration_chart(scores).to_dict(), distribution_chart(scores).to_dict()):
        axes = [layer["encoding"]["x"]["axis"] for layer in chart["layer"] if "axis" in layer["encoding"].get("x", {})]
        assert axes and all(axis.get("tickMinStep") == step for axis in axes)


def test_the_diagonal_of_a_turned_probability_falls():
    data = DATA.assign(chance=RISK / 11)
    for positive, ends in (("favorable", [1, 0]), ("unfavorable", [0, 1])):
        chart = calibration_chart(check_scores(data, **QUESTION, score="chance", positive=positive))
        drawn = chart.to_dict()
        points = drawn["datasets"][drawn["layer"][0]["data"]["name"]]
        assert [point["y"] for point in points] == ends


def test_hidden_scores_have_no_rows():
    shown = tables(without_figures(check_scores(DATA, **QUESTION, score="risk")))
    assert all(frame.empty for frame in shown.values())
