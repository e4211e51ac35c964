"""Errors and scores by group: what rates are called, scores as the data hold them, their words and tables."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import Field, field_named
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.grouping import value_text
from fairaudit.measure.results import ErrorComparison, ScoreComparison
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock, cell_text
from fairaudit.present.field_tables import adapted, columns_of, frame_table, inserted

METRICS: Final = columns_of(ErrorComparison, "metrics")
RATE_NAMES: Final = {name: field.label for name, field in METRICS.items() if field.kind == "share"}
Positive = Literal["favorable", "unfavorable"]


def rate_name(metric: str, positive: Positive) -> str:
    """Return a rate in plain words; which result is called positive says whom it is of.

    Examples
    --------
    >>> rate_name("fpr", "unfavorable"), rate_name("selection_rate", "favorable")
    ('Wrongly flagged', 'Share given the favourable result')
    """
    return say(Message(f"rate-{positive}", {"rate": Word(metric.strip("_").replace("_", "-"))}))


def outcome_words(label: int, positive: Positive) -> str:
    """Return which outcome people have in the data, by whether it is the one that is called positive."""
    return say(Message("rate-outcome", {"positive": Word(positive), "has": Word("yes" if int(label) else "no")}))


# Scores as the data hold them: a comparison turns them where a higher score speaks against the positive outcome.


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


# What the charts say.

SMALL_BIN = 10
"""A bin with fewer rows is drawn fainter and not joined to its neighbours."""


def rates_alt(errors: ErrorComparison, metric: str) -> str:
    """Say in words what :func:`rates_chart` shows."""
    rows = errors.intervals[errors.intervals["metric"] == metric]
    known = rows[rows["value"].notna()].sort_values("value", kind="stable")
    lead = Message("alt-rates", {"rate": Phrase(rate_name(metric, errors.positive))})
    if known.empty:
        return say((lead, Message("alt-none")))
    shown = "; ".join(
        f"{naming.short(r.group)} {cell_text(r.value, 'share')}" for r in naming.some(list(known.itertuples()))
    )
    return say((lead, Message("alt-rows", {"rows": Phrase(shown)})))


def roc_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`roc_chart` shows."""
    groups = [
        f"{naming.short(r.group)} {cell_text(r.auc, 'number', digits=3)}"
        for r in naming.some(list(scores.auc.itertuples()))
    ]
    return say(Message("alt-roc", {"rows": Phrase("; ".join(groups))}))


def calibration_alt(scores: ScoreComparison) -> str:
    """Say in words what :func:`calibration_chart` shows."""
    frame = written_calibration(scores).dropna(subset=["score_mean", "observed"])
    digits = max(needed_digits(frame["score_mean"], 2), 2 if scores.is_probability else 0)
    texts = []
    for group, rows in list(frame[frame["n"] >= SMALL_BIN].groupby("group", sort=False))[: naming.MOST_SERIES]:
        ends = [rows.iloc[0], rows.iloc[-1]][: len(rows)]
        shares = [cell_text(row["observed"], "share") for row in ends]
        means = [cell_text(row["score_mean"], "number", digits=digits) for row in ends]
        points = [
            say(Message("alt-calibration-point", {"own": Phrase(share), "score": Phrase(mean)}))
            for share, mean in zip(shares, means, strict=True)
        ]
        args: dict[str, Argument] = {"group": Phrase(naming.short(group)), "rows": Phrase(", ".join(points))}
        texts.append(say(Message("alt-calibration-group", args)))
    lead = say(Message("alt-calibration", {"way": Phrase(higher_is(scores))}))
    return " ".join([lead, *texts, *few_note(scores)])


def few_note(scores: ScoreComparison) -> list[str]:
    """Say how bins with few rows are drawn; nothing where there are none."""
    few = int((scores.calibration["n"] < SMALL_BIN).sum())
    if not few:
        return []
    return [say(Message("alt-few", {"n": Count(few), "most": Count(SMALL_BIN)}))]


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
    for (group, label), rows in list(frame.groupby(["group", "label"], sort=False))[: 2 * naming.MOST_SERIES]:
        n = rows["n"].sum()
        if n:
            top = rows.iloc[int(rows["share"].to_numpy().argmax())]
            low, high = (cell_text(top[end], "number", digits=digits) for end in ("bin_low", "bin_high"))
            args: dict[str, Argument] = {
                "group": Phrase(naming.short(group)), "outcome": Phrase(label_words(label)), "n": Count(int(n)),
                "low": Phrase(low), "high": Phrase(high),
            }  # fmt: skip
            texts.append(say(Message("alt-spread-group", args)))
    return " ".join([say(Message("alt-spread", {"way": Phrase(higher_is(scores))})), *texts])


def label_words(label: Any) -> str:
    """Name a true outcome: 1 or True is ``truly positive``, 0 or False ``truly negative``."""
    if isinstance(label, str) and label not in {"0", "1"}:
        return label
    return "truly positive" if int(label) == 1 else "truly negative"


# The tables.

COMBINED = {
    "equalized_odds": "Equalized odds (true and false positive rate)",
    "predictive_parity": "Predictive parity (wrong among predicted positive and negative)",
}
OUTCOME = Field("", "true outcome", "text", "The same in words.")
RATE = Field("", "rate", "text", "Which rate, in words.")


def errors_tables(finding: ErrorsFinding, number: int) -> list[TableBlock]:
    """Return the counts, rates, intervals, gaps and costs of a prediction by group; empty without a prediction."""
    errors = finding.errors
    if errors is None:
        return []
    key = f"errors_{number}"
    named = errors.intervals.assign(rate=_in_words(errors.intervals["metric"]))
    counts = columns_of(ErrorComparison, "counts")
    intervals = inserted(columns_of(ErrorComparison, "intervals"), "metric", rate=RATE)
    tables = [
        frame_table(f"{key}_counts", "Right and wrong predictions by group", with_group(errors.counts), counts),
        frame_table(f"{key}_rates", "Rates by group", with_group(errors.metrics), METRICS),
        frame_table(f"{key}_intervals", "Rates with ranges", with_group(named), intervals),
        _gaps_table(with_group(errors.gaps, "metric"), number),
    ]
    for name, frame in finding.by_group.items():
        field = field_named(ErrorsFinding, name)
        tables.append(frame_table(f"{key}_{name}", field.label, with_group(frame), field.columns))
    return tables


def scores_tables(finding: ErrorsFinding, number: int) -> list[TableBlock]:
    """Return the tables of a score by group; empty without a score. Tables that are hidden have no rows."""
    scores = finding.scores
    if scores is None:
        return []
    key, direction = f"scores_{number}", higher_is(scores)
    curves, bins, spread = written_roc(scores), written_calibration(scores), written_distribution(scores)
    bars = needed_digits(spread["bin_low"])
    spread = spread.assign(outcome=[label_words(label) for label in spread["label"]])
    calibration = adapted(
        columns_of(ScoreComparison, "calibration"), ("score_mean",), digits=needed_digits(bins["score_mean"])
    )
    distribution = adapted(columns_of(ScoreComparison, "distribution"), ("bin_low", "bin_high"), digits=bars)
    distribution = adapted(distribution, ("bin_low",), brief=f"Lower end; {direction}.")
    distribution = inserted(distribution, "label", outcome=OUTCOME)
    side, start = ("up to it", "up to") if scores.turned else ("from it on", "from")
    roc = adapted(
        columns_of(ScoreComparison, "roc"),
        ("threshold",),
        label=f"positive {start}",
        brief=f"Scores {side} are positive; {direction}.",
        digits=needed_digits(curves["threshold"]),
    )
    return [
        frame_table(
            f"{key}_auc", "How well the score ranks", with_group(scores.auc), columns_of(ScoreComparison, "auc")
        ),
        frame_table(f"{key}_calibration", "Calibration", with_group(bins), calibration),
        frame_table(f"{key}_distribution", "How scores are spread", with_group(spread), distribution),
        frame_table(f"{key}_roc", "ROC curve", with_group(_above_all(curves)), roc),
    ]


def with_group(frame: pd.DataFrame | pd.Series, name: str = "group") -> pd.DataFrame:
    """Return a frame whose index, if it means something, has become the first column, called `name`."""
    if isinstance(frame, pd.Series):
        frame = frame.to_frame(frame.name or "value")
    if name in frame.columns:
        return frame.reset_index(drop=True)
    keys = [", ".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in frame.index]
    body = frame.reset_index(drop=True)
    body.insert(0, name, keys)
    return body


GAPS = ("metric", "rate", "difference", "low", "ratio", "worst_pair", "n_high", "n_low", "n_few", "n_undefined")
OF_ONE_RATE = ["low", "high", "n_high", "n_low"]
"""What a gap over two rates at once does not have."""


def _gaps_table(frame: pd.DataFrame, number: int) -> TableBlock:
    pairs = [
        " against ".join(map(str, pair)) if isinstance(pair, (tuple, list)) else pair for pair in frame["worst_pair"]
    ]
    frame = frame.astype(dict.fromkeys(OF_ONE_RATE, object)).assign(rate=_in_words(frame["metric"]), worst_pair=pairs)
    frame.loc[frame["metric"].isin(COMBINED), OF_ONE_RATE] = ""
    declared = inserted(columns_of(ErrorComparison, "gaps"), "metric", rate=RATE)
    note = say(Message("errors-gaps-note", {"n": Count(ENOUGH)}))
    return frame_table(f"errors_{number}_gaps", "Largest gaps between groups", frame, declared, GAPS, note=note)


def _in_words(metrics: pd.Series) -> list[str]:
    names = RATE_NAMES | COMBINED
    return [names.get(metric, metric) for metric in metrics]


def _above_all(roc: pd.DataFrame) -> pd.DataFrame:
    return roc.assign(threshold=roc["threshold"].astype(object).where(roc["threshold"].notna(), ""))
