"""Scores as the data hold them: a comparison turns them where a higher score speaks against the positive outcome."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairaudit.measure.grouping import value_text
from fairaudit.measure.results import ScoreComparison


def written_roc(scores: ScoreComparison) -> pd.DataFrame:
    """Return the ROC curves with the cuts of the data."""
    if not scores.turned:
        return scores.roc
    return scores.roc.assign(threshold=_back(scores, scores.roc["threshold"]))


def written_calibration(scores: ScoreComparison) -> pd.DataFrame:
    """Return the calibration with the bins and mean scores of the data, the lowest first."""
    frame = scores.calibration
    if not scores.turned:
        return frame
    bins = [_bin(scores, text) for text in frame["bin"]]
    return _lowest_first(frame.assign(bin=bins, score_mean=_back(scores, frame["score_mean"])), ["group"])


def written_distribution(scores: ScoreComparison) -> pd.DataFrame:
    """Return how scores are spread with the bins of the data, the lowest first."""
    frame = scores.distribution
    if not scores.turned:
        return frame
    ends = {"bin_low": _back(scores, frame["bin_high"]), "bin_high": _back(scores, frame["bin_low"])}
    return _lowest_first(frame.assign(**ends), ["group", "label"])


def higher_is(scores: ScoreComparison) -> str:
    """Say in three words what a higher score of the data means for the person."""
    is_better = (scores.positive == "favorable") != scores.turned
    return f"higher is {'better' if is_better else 'worse'}"


def _back(scores: ScoreComparison, values: pd.Series) -> pd.Series:
    # Rounding keeps 1 - 0.9 at 0.1, and minus zero is zero to people.
    return (1 - values).round(15) if scores.is_probability else 0.0 - values


def _bin(scores: ScoreComparison, text: str) -> str:
    ends = _back(scores, pd.Series([float(end) for end in reversed(text.split(" to "))]))
    return value_text(float(ends[0])) if len(ends) == 1 else " to ".join(f"{end:.6g}" for end in ends)


def _lowest_first(frame: pd.DataFrame, within: list[str]) -> pd.DataFrame:
    """Turn the rows of each part round; the parts keep their order."""
    place = frame.groupby(within, sort=False).ngroup().to_numpy()
    return frame.iloc[np.lexsort((-np.arange(len(frame)), place))].reset_index(drop=True)
