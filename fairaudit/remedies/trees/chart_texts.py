"""What the charts of decision trees say, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from fairaudit.present.blocks import Kind, cell_text
from fairaudit.present.numbers import number_text, points_text, share_text


def tree_bounds_alt(bounds: pd.DataFrame, *, digits: int = 4) -> str:
    """Return how a search closed in, in words."""
    first, last = (
        [share_text(row["share"]), *(number_text(row[name], digits=digits) for name in ("objective", "bound"))]
        for row in (bounds.iloc[0], bounds.iloc[-1])
    )
    return (
        f"How the search closed in: after {first[0]} of the work the best tree had {first[1]} and {first[2]} was "
        f"proven to be the least possible; after {last[0]} it was {last[1]} and {last[2]}."
    )


@dataclass(frozen=True)
class Unit:
    """What figures of trees of other settings are in.

    Parameters
    ----------
    digits : int, optional
        Decimals of amounts; None where they are shares.
    by_ratio : bool
        Whether a gap is the smallest ratio.
    """

    digits: int | None = None
    by_ratio: bool = False

    def quality(self, value: float) -> str:
        """Return how well a tree does."""
        if self.digits is None:
            return f"accuracy {share_text(value)}"
        return f"off by {number_text(value, digits=self.digits)}"

    def distance(self, value: float, by: str) -> str:
        """Return how far apart the groups are."""
        if by == "index":
            return f"index {number_text(value, digits=4 if self.digits is None else self.digits + 1)}"
        if self.digits is not None:
            return f"difference {number_text(value, digits=self.digits)}"
        return f"ratio {share_text(value)}" if self.by_ratio else f"difference {points_text(value, signed=False)}"

    def words(self, value: float, by: str) -> str:
        """Return the distance with its name, for texts that do not name it."""
        distance = self.distance(value, by)
        if by == "index":
            return distance
        return f"{'smallest' if self.by_ratio else 'largest'} {distance}"


IN_SHARES: Final = Unit()
"""Of decisions with a good outcome."""


PRICED: Final = "What is made small, training rows"


@dataclass(frozen=True)
class DepthLines:
    """What depth gives: two lines over the depth that is allowed.

    Parameters
    ----------
    title : str
        What is drawn.
    depths : tuple of int
        The depths.
    lines : tuple of (str, tuple of float)
        The name and the values of each line; NaN where there is none.
    kind : str
        Of the values: "share", "number" or "amount".
    digits : int
        Decimals of numbers and amounts.
    """

    title: str
    depths: tuple[int, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    kind: Kind
    digits: int

    def text(self, value: float) -> str:
        """Return a value in words."""
        return cell_text(value, self.kind, digits=self.digits)


def depth_lines(settings: pd.DataFrame, *, digits: int | None = None) -> DepthLines:
    """Return what depth gives: errors on training and tuning rows or, with a price, the objective and its bound."""
    shown = drawn_depths(settings)
    depths = tuple(int(depth) for depth in shown["max_depth"])

    def line(name: str, values: pd.Series) -> tuple[str, tuple[float, ...]]:
        return name, tuple(float(value) for value in values.astype(float))

    objective = shown["objective"].astype(float)
    if (shown["weight"].astype(float) > 0).any() and np.isfinite(objective).all():
        reached = (line("best tree found", objective), line("proven bound", shown["bound"]))
        return DepthLines(PRICED, depths, reached, "number", 4 if digits is None else digits)
    if digits is None:
        wrong = (line("training rows", 1 - shown["trained_accuracy"]), line("tuning rows", 1 - shown["accuracy"]))
        return DepthLines("Wrong predictions", depths, wrong, "share", 1)
    off = (line("training rows", shown["trained_mae"]), line("tuning rows", shown["mae"]))
    return DepthLines("Mean absolute error", depths, off, "amount", digits)


def tree_settings_alt(
    settings: pd.DataFrame, *, by: str = "gap", allowed: float | None = None, unit: Unit = IN_SHARES
) -> str:
    """Return how well trees of other settings do against differences, in words."""
    rows = drawn_settings(settings, by)
    quality = quality_of(settings)
    against = (
        "the index of discrimination" if by == "index" else "the smallest ratio" if unit.by_ratio else "the largest gap"
    )
    texts = [
        f"{row.words}{' (chosen)' if row.chosen else ''}: {unit.quality(getattr(row, quality))}, "
        f"{unit.distance(getattr(row, by), by)}"
        for row in rows.itertuples()
    ]
    limit = "" if allowed is None else f" Allowed: {unit.distance(allowed, by)}."
    lead = "Accuracy" if unit.digits is None else "Mean absolute error"
    return f"{lead} against {against} on the tuning rows, for {len(rows)} trees: {'; '.join(texts)}.{limit}"


def tree_depths_alt(settings: pd.DataFrame, *, digits: int | None = None) -> str:
    """Return what depth gives, in words."""
    found = depth_lines(settings, digits=digits)
    texts = [
        f"{depth}: {', '.join(f'{found.text(values[place])} ({name})' for name, values in found.lines)}"
        for place, depth in enumerate(found.depths)
    ]
    return f"{found.title} by the depth that is allowed. {'; '.join(texts)}."


def similar_people_alt(similar: pd.DataFrame, *, digits: int | None = None) -> str:
    """Return how differently similar people are treated, before and after, in words."""
    texts = []
    for model in ("before", "after"):
        rows = similar[similar["model"] == model]
        middle = rows[(rows["low"] <= 0) & (rows["high"] >= 0) & (rows["low"] == -rows["high"])]
        if digits is None:
            far = rows[(rows["low"] >= 0.1) | (rows["high"] <= -0.1)]["share"].sum()
            beyond = f", 10 points or more for {share_text(far)}"
            texts.append(f"{model}: none for {share_text(middle['share'].sum())}{beyond}")
        else:
            within = number_text(middle["high"].max(), digits=digits) if len(middle) else "the least"
            texts.append(f"{model}: at most {within} for {share_text(middle['share'].sum())}")
    what = "the share of positive predictions among" if digits is None else "the mean prediction for"
    again = "that among" if digits is None else "that for"
    return (
        f"How far {what} similar people of the own group is from {again} all similar people, on held-out rows. "
        f"{'; '.join(texts)}."
    )


def quality_of(settings: pd.DataFrame) -> str:
    """Return the column that says how well trees of other settings do on the tuning rows."""
    return "accuracy" if "accuracy" in settings else "mae"


def drawn_settings(settings: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the trees whose quality and distance between groups are known."""
    known = settings[[quality_of(settings), by]].astype(float)
    return settings[np.isfinite(known).all(axis=1).to_numpy()]


def drawn_depths(settings: pd.DataFrame) -> pd.DataFrame:
    """Return the trees that differ from the asked one in nothing but depth, by depth."""
    return settings[settings["setting"].isin(["depth", "asked"])].sort_values("max_depth", kind="stable")
