"""What the charts of errors and scores say, in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.present.blocks import cell_text
from fairaudit.present.rate_words import RATES
from fairaudit.present.written_scores import higher_is, written_calibration, written_distribution

FEW = 10
"""A bin with fewer rows is drawn fainter and not joined to its neighbours."""


def rates_alt(errors: ErrorComparison, metric: str) -> str:
    """Say in words what :func:`rates_chart` shows."""
    rows = errors.intervals[errors.intervals["metric"] == metric]
    known = rows[rows["value"].notna()].sort_values("value", kind="stable")
    lead = Message("alt-rates", {"rate": Phrase(RATES.get(metric, metric))})
    if known.empty:
        return say((lead, Message("alt-none")))
    shown = "; ".join(
        f"{brief.short(r.group)} {cell_text(r.value, 'share')}" for r in brief.some(list(known.itertuples()))
    )
    return say((lead, Message("alt-rows", {"rows": Phrase(shown)})))


def roc_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`roc_chart` shows."""
    groups = [
        f"{brief.short(r.group)} {cell_text(r.auc, 'number', digits=3)}"
        for r in brief.some(list(scores.auc.itertuples()))
    ]
    return say(Message("alt-roc", {"rows": Phrase("; ".join(groups))}))


def calibration_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`calibration_chart` shows."""
    frame = written_calibration(scores).dropna(subset=["score_mean", "observed"])
    digits = max(needed_digits(frame["score_mean"], 2), 2 if scores.is_probability else 0)
    texts = []
    for group, rows in list(frame[frame["n"] >= FEW].groupby("group", sort=False))[: brief.MOST_SERIES]:
        ends = [rows.iloc[0], rows.iloc[-1]][: len(rows)]
        shares = [cell_text(row["observed"], "share") for row in ends]
        means = [cell_text(row["score_mean"], "number", digits=digits) for row in ends]
        points = [
            say(Message("alt-calibration-point", {"own": Phrase(share), "score": Phrase(mean)}))
            for share, mean in zip(shares, means, strict=True)
        ]
        args: dict[str, Argument] = {"group": Phrase(brief.short(group)), "rows": Phrase(", ".join(points))}
        texts.append(say(Message("alt-calibration-group", args)))
    lead = say(Message("alt-calibration", {"way": Phrase(higher_is(scores))}))
    return " ".join([lead, *texts, *few_note(scores)])


def few_note(scores: ScoreComparison) -> list[str]:
    """Say how bins with few rows are drawn; nothing where there are none."""
    few = int((scores.calibration["n"] < FEW).sum())
    if not few:
        return []
    return [say(Message("alt-few", {"n": Count(few), "most": Count(FEW)}))]


def needed_digits(values: pd.Series, most: int = 3) -> int:
    """Return how many decimals show the numbers in full, at most `most`: none for whole numbers.

    Examples
    --------
    >>> needed_digits(pd.Series([1.0, 2.0])), needed_digits(pd.Series([0.5, 1.0])), needed_digits(pd.Series([1 / 3]))
    (0, 1, 3)
    """
    known = values.astype(float).to_numpy()
    known = known[np.isfinite(known)]
    return next((i for i in range(most) if np.allclose(known, np.round(known, i), rtol=0, atol=1e-9)), most)


def distribution_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`distribution_chart` shows."""
    frame = written_distribution(scores)
    digits = needed_digits(frame["bin_low"], 2)
    texts = []
    for (group, label), rows in list(frame.groupby(["group", "label"], sort=False))[: 2 * brief.MOST_SERIES]:
        n = rows["n"].sum()
        if n:
            top = rows.iloc[int(rows["share"].to_numpy().argmax())]
            low, high = (cell_text(top[end], "number", digits=digits) for end in ("bin_low", "bin_high"))
            args: dict[str, Argument] = {
                "group": Phrase(brief.short(group)), "outcome": Phrase(label_words(label)), "n": Count(int(n)),
                "low": Phrase(low), "high": Phrase(high),
            }  # fmt: skip
            texts.append(say(Message("alt-spread-group", args)))
    return " ".join([say(Message("alt-spread", {"way": Phrase(higher_is(scores))})), *texts])


def label_words(label: Any) -> str:
    """Name a true outcome: 1 or True is ``truly positive``, 0 or False ``truly negative``."""
    if isinstance(label, str) and label not in {"0", "1"}:
        return label
    return "truly positive" if int(label) == 1 else "truly negative"
