"""What the charts of retraining say, in words."""

from __future__ import annotations

import pandas as pd

from fairaudit.present import brief
from fairaudit.present.blocks import cell_text

POINTS = {
    (False, 1): "good",
    (False, 0): "not good",
    (True, 1): "changed to good",
    (True, 0): "changed to not good",
}
"""What a row's decision is called, by whether it was changed and by the decision that is drawn."""


def flipped_points_alt(frame: pd.DataFrame, *, x_title: str = "x", y_title: str = "y") -> str:
    """Say in words what :func:`flipped_points_chart` shows."""
    counts = frame.groupby([frame["flipped"].astype(bool), frame["label"].astype(int)]).size()
    counted = [f"{cell_text(int(counts.get(key, 0)), 'count')} {name}" for key, name in POINTS.items()]
    axes = f"{brief.shorten(x_title, 60)} and {brief.shorten(y_title, 60)}"
    return f"Rows by {axes}, with their decision: {', '.join(counted)}."
