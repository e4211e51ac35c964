"""How a model was trained to meet constraints, whether it does, and the path of its search: figures and tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, Field, Kind, column, columns, fitted, setting
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.constraints.constrained_rows import RATIO_DECIMALS, STEPS, choose_fit, frontier_of
from fairaudit.events import Incumbent
from fairaudit.findings import Argument, Count, Message
from fairaudit.measure.plain import Hideable
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock, pick, records
from fairaudit.present.field_tables import adapted, frame_table
from fairaudit.present.numbers import NOT_SHOWN, share_text, shown
from fairaudit.remedies.constrain.words import allowed_text, gap_number, gap_text, in_shares, limit_name
from fairaudit.remedies.tables import HELD, TEST, TUNING, Reading

PAIRS = columns(
    spec=column(str, "The constraint as text.", "constraint", "code", "The limit of the pair.", name="constraint"),
    metric=column(str, "Its metric.", "field", "code", "The metric."),
    metric_words=column(str, "The metric in words.", "what must be alike", "text", "The rate."),
    first=column(str, "The first group.", "first group", "group", "Its rate minus that of the second is the gap."),
    second=column(str, "The second group.", "second group", "group", "The other group."),
    max_difference=column(
        float, "How far the two may be apart.", "allowed", "number", "How far they may be apart.", name="allowed"
    ),
    multiplier=column(
        float,
        "How strongly the pair was pulled together, on the tuning cases.",
        "multiplier",
        "number",
        "How strongly the pair was pulled together.",
        digits=3,
    ),
    tuned_before=column(
        float,
        "Gap on the tuning cases without constraints.",
        "tuning, without the remedy",
        "number",
        f"Without limits. {TUNING}",
    ),
    tuned=column(
        float,
        "Gap on the tuning cases.",
        "tuning, with it",
        "number",
        f"Gap of the model. {TUNING}",
        name="tuned_after",
    ),
    met=column(
        Hideable[bool],
        "Whether that gap is within `max_difference`.",
        "met",
        "text",
        f"yes: the limit is kept. {TUNING}",
    ),
    n_first=column(
        Hideable[int],
        "Test cases that the rate of the first group is a share of.",
        "rows, first",
        "count",
        "Test cases that count in the first group.",
    ),
    n_second=column(
        Hideable[int],
        "Test cases that the rate of the second group is a share of.",
        "rows, second",
        "count",
        "Test cases that count in the second.",
    ),
    held_out_before=column(
        float,
        "Gap on the test cases without constraints.",
        "test, without the remedy",
        "number",
        "Gap without limits.",
    ),
    held_out=column(
        float, "Gap on the test cases.", "test, with it", "number", "Gap of the model.", name="held_out_after"
    ),
    low=column(
        float,
        "Lower end of the interval of `held_out`.",
        "interval",
        "number_interval",
        "Of the gap after.",
        name="held_out_interval",
    ),
    high=column(float, "Upper end."),
    reading=column(
        Reading,
        "Whether `held_out` is within `max_difference`, and how clear that is.",
        "reading",
        "text",
        "Whether the limit is kept, and how surely.",
    ),
)

PATH = columns(
    fit=column(int, "Number of the fit.", "fit", "number", "Number of the model.", digits=0),
    multiplier=column(
        float, "The multiplier that is largest in size.", "multiplier", "number", "The largest; 0: no limit.", digits=3
    ),
    threshold=column(
        float,
        "Another common threshold than the model's own; null for its own, and where all are alike.",
        "threshold",
        "number",
        "One for all, where it is not the usual one.",
        digits=3,
    ),
    accuracy=column(float, "Accuracy.", "accuracy", "share", "Share predicted rightly."),
    ratio=column(
        float, "Largest gap as a multiple of what is allowed.", "largest gap", "number", "As a multiple of the limit."
    ),
    met=column(Hideable[bool], "Whether all constraints are met.", "all met", "text", "yes: all limits are kept."),
    frontier=column(
        Hideable[bool],
        "Whether no other fit beats it in both accuracy and `ratio`.",
        "best for its gap",
        "text",
        "yes: no other is better in both.",
    ),
    picked=column(Hideable[bool], "Whether it is the model.", "chosen", "text", "yes: this model."),
)

PATH_GAPS = columns(
    fit=column(int, "Number of the fit.", "fit", "number", "Number of the model.", digits=0),
    threshold=column(float, "As in `path`.", "threshold", "number", "As in the table of all models.", digits=3),
    spec=column(str, "The constraint as text.", "constraint", "code", "As the plan has it.", name="constraint"),
    gap=column(float, "Its largest gap, without the sign.", "largest gap", "number", f"Of any two groups. {TUNING}"),
)


@dataclass(frozen=True, eq=False)
class ConstrainDetails:
    """How a model was trained to meet constraints, and whether it does, on tuning and on held-out rows.

    A gap is the metric of the first group minus that of the second, in the metric's own unit. *Before* is the same
    model without constraints (all multipliers 0).
    """

    pairs: pd.DataFrame = fitted("One row for each pair of groups that must be alike.", PAIRS)
    n_pairs: int = fitted(
        "All pairs; those met on the tuning rows; those whose gap on the held-out rows is within what is allowed."
    )
    n_pairs_met: int = fitted(AS_ABOVE)
    n_pairs_within: int = fitted(AS_ABOVE)
    feasible: bool = fitted("Whether all constraints are met on the tuning rows.")
    scale: float = setting("What the constraints were multiplied with to pick the model.")
    accuracy_before: float = fitted("On the tuning rows.")
    accuracy: float = fitted(AS_ABOVE)
    path: pd.DataFrame = fitted(
        "One row for each fit, then one for each other threshold that is the best for some limit, on the tuning rows.",
        PATH,
    )
    path_gaps: pd.DataFrame = fitted("One row for each of those and each constraint, on the tuning rows.", PATH_GAPS)
    n_fits: int = setting("Fits made.")
    threshold: float = fitted(
        "The score from which on the model says yes, the same for everybody; NaN where the model's own prediction "
        "stands, or where all get the same.",
        default=math.nan,
    )
    constant: Literal["", "nobody", "everybody"] = setting(
        "Whom the outcome is predicted for where all get the same.", default=""
    )
    notes: tuple[str, ...] = fitted("What happened on the way, such as that the learner takes no weights.", default=())
    conflicts: tuple[str, ...] = fitted(
        "Why constraints cannot all hold, or only at a price, in plain sentences.", default=()
    )
    stopped: bool = setting("Whether a person stopped the search before its end.", default=False)


def kept_text(details: ConstrainDetails) -> str:
    """Return how many limits hold on the test cases; empty where there is one, which the answer says, or hidden."""
    pairs = details.pairs
    if details.n_pairs_within is None or pairs["spec"].nunique() < 2:
        return ""
    held = pairs["reading"].isin(HELD)
    before = (pairs["held_out_before"].abs() / pairs["max_difference"]).round(RATIO_DECIMALS) <= 1
    kept, without = (each.groupby(pairs["spec"]).all() for each in (held, before))
    counts: dict[str, Argument] = {
        "n": Count(int(kept.sum())),
        "all": Count(len(kept)),
        "before": Count(int(without.sum())),
    }
    return say(Message("constrain-kept", counts))


COARSE = (0.25, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0)
"""How many times what is allowed a person may choose between where small counts are hidden; `STEPS` otherwise."""


def search_path(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return what a search has tried so far, as ``ConstrainDetails.path`` has it at the end.

    Columns: fit, multiplier, threshold, accuracy, ratio, met, frontier, picked.
    """
    names = ["fit", "multiplier", "threshold", "accuracy", "ratio", "met"]
    frame = pd.DataFrame([[each.figures[name] for name in names] for each in found], columns=names)
    frame = frame.astype({"fit": int, "met": bool})
    best = max((place for place, each in enumerate(found) if each.best), default=-1)
    frontier = np.isin(np.arange(len(frame)), frontier_of(list(frame.itertuples())))
    return frame.assign(frontier=frontier, picked=np.arange(len(frame)) == best)


def scales(path: pd.DataFrame, *, current: float = 1.0, coarse: bool = False) -> tuple[float, ...]:
    """Return the multiples of the allowed gap that each pick another model of a search."""
    least = path["ratio"].min()
    picked: dict[int, float] = {}
    # 1 is what was asked for: it stands for its model, too.
    for scale in (current, 1.0, *(COARSE if coarse else STEPS)):
        if scale in (current, 1.0) or scale >= least:
            picked.setdefault(picked_fit(path, scale), scale)
    return tuple(sorted(picked.values()))


def picked_fit(path: pd.DataFrame, scale: float) -> int:
    """Return the fit of a search for gaps of at most so many times what is allowed."""
    return choose_fit(list(path.itertuples()), scale)


def drawn_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits whose accuracy and largest gap are defined."""
    return path[np.isfinite(path[["accuracy", "ratio"]].to_numpy(dtype=float)).all(axis=1)].astype(
        {"met": bool, "frontier": bool, "picked": bool}
    )


def own_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits as their models predict themselves, and the one that is the model whatever its threshold."""
    return drawn_fits(path[~path.duplicated("fit") | path["picked"].astype(bool)])


def frontier_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits that no other beats in both, each place once, the smallest gap first."""
    known = drawn_fits(path)
    return known[known["frontier"]].drop_duplicates(["ratio", "accuracy"]).sort_values("ratio", kind="stable")


GAPS_OF_A_PAIR = ("tuned_before", "tuned", "held_out_before", "held_out")


def asked_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return one row a constraint: how many of its pairs of groups keep it, and its largest gap."""
    unit = _unit(details.pairs["metric"])
    points = ", points" if unit == "size" else ""
    columns = (
        Field("constraint", "constraint", "code", "As the plan has it."),
        Field("metric", "what must be alike", "text", "The rate."),
        Field("allowed", f"allowed{points}", unit, "How far groups may be apart."),
        Field("n_pairs", "pairs", "number", "Pairs of groups.", digits=0),
        Field("n_met", "met in tuning", "number", f"Pairs that keep the limit. {TUNING}", digits=0),
        Field("n_within", "kept in test", "number", f"Pairs that keep the limit. {TEST}", digits=0),
        Field("tuned_before", f"largest in tuning, without the remedy{points}", unit, f"Largest gap. {TUNING}"),
        Field("tuned_after", f"largest in tuning, with it{points}", unit, f"Largest gap. {TUNING}"),
        Field("held_out_before", f"largest in test, without the remedy{points}", unit, "Without limits."),
        Field("held_out_after", f"largest in test, with it{points}", unit, "Largest gap of the model."),
    )
    rows = []
    for spec, pairs in details.pairs.groupby("spec", sort=False):
        first = pairs.iloc[0]
        met = None if pairs["met"].isna().any() else int(pairs["met"].sum())
        within = int(pairs["reading"].isin(HELD).sum())
        largest = [_largest(pairs[name]) for name in GAPS_OF_A_PAIR]
        cells = (first["metric_words"], first["max_difference"], len(pairs), shown(met), within, *map(shown, largest))
        rows.append((spec, *cells))
    return TableBlock(f"remedy_{number}_asked", "Each limit", columns, tuple(rows))


def one_limit(pairs: pd.DataFrame) -> float | None:
    """Return what all pairs of groups may be apart; None where that differs."""
    limits = pairs["max_difference"].unique()
    return float(limits[0]) if len(limits) == 1 else None


def pairs_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return one row a pair of groups: what is allowed, the gap before and after, and how clear that is."""
    declared = adapted(PAIRS, (*GAPS_OF_A_PAIR, "low"), beside=one_limit(details.pairs))
    if _unit(details.pairs["metric"]) == "size":
        for names, kind in ((("max_difference",), "size"), (GAPS_OF_A_PAIR, "points")):
            for name in names:
                declared = adapted(declared, (name,), kind=kind, label=f"{PAIRS[name].label}, points")
        declared = adapted(declared, ("low",), kind="points_interval")
    pairs = details.pairs.assign(met=[_met(met) for met in details.pairs["met"]])
    note = "A gap is the first group minus the second."
    return frame_table(f"remedy_{number}_constraints", "Pairs of groups", pairs, declared, note=note)


def frontier_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return the fits that no other beats in both accuracy and the largest gap."""
    fits = frontier_fits(details.path)
    return frame_table(f"remedy_{number}_frontier", "Other models of the search", fits, PATH, note=TUNING)


def path_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return all fits of a search, one a row."""
    return frame_table(f"remedy_{number}_path", "All models of the search", details.path, PATH, note=TUNING)


def path_gaps_table(details: ConstrainDetails, number: int) -> TableBlock:
    """Return the largest gap of each constraint, one row for each fit and constraint."""
    unit = _unit([FairnessSpec.parse(spec).measure.name for spec in details.path_gaps["spec"].unique()])
    declared = adapted(PATH_GAPS, ("gap",), kind=unit)
    return frame_table(f"remedy_{number}_path_gaps", "Gaps of each model", details.path_gaps, declared)


def _met(met: bool | None) -> bool | str:
    return NOT_SHOWN if met is None else bool(met)


def _unit(metrics: Iterable[str]) -> Kind:
    return "size" if in_shares(metrics) else "number"


def _largest(gaps: pd.Series) -> float | None:
    if gaps.isna().all():
        return None if any(gap is None for gap in gaps) else float("nan")
    return float(gaps.astype(float).abs().max())


def printed_asked(table: TableBlock) -> TableBlock:
    """Return the limits for paper, from :func:`asked_table`."""
    columns = (
        Field("alike", "limit on"),
        Field("allowed", "limit"),
        Field("met", "kept in tuning"),
        Field("tuned", "largest gap in tuning"),
        Field("within", "kept in test"),
        Field("held_out", "largest gap in test"),
    )
    rows = []
    for row in records(table):
        spec = FairnessSpec.parse(row["constraint"])
        metric, allowed = spec.measure.name, row["allowed"]
        limit = allowed_text(allowed, metric)
        sizes: Callable[[float | str, float | str], str] = partial(_sizes, metric=metric, allowed=allowed)
        if spec.floor is not None:
            limit, sizes = f"at least {100 * (1 - allowed):.6g}\N{NO-BREAK SPACE}%", _lowest
        rows.append(
            (
                limit_name(spec),
                limit,
                _of(row["n_met"], row["n_pairs"]),
                sizes(row["tuned_before"], row["tuned_after"]),
                _of(row["n_within"], row["n_pairs"]),
                sizes(row["held_out_before"], row["held_out_after"]),
            )
        )
    return _without_hidden(replace(table, columns=columns, rows=tuple(rows)))


def _of(some: int | str, n: int) -> str:
    return NOT_SHOWN if some == NOT_SHOWN else f"{some:,} of {n:,}"


def _sizes(before: float | str, after: float | str, metric: str, allowed: float) -> str:
    """Return two sizes of gaps with their unit."""
    if isinstance(before, str) or isinstance(after, str):
        return NOT_SHOWN
    first = gap_number(before, metric, beside=allowed).removeprefix("+")
    return f"{first} to {gap_text(after, metric, beside=allowed).removeprefix('+')}"


def _lowest(before: float | str, after: float | str) -> str:
    """Return the lowest rate of a group, which is the furthest below all there is."""
    if isinstance(before, str) or isinstance(after, str):
        return NOT_SHOWN
    return f"lowest {share_text(1 - before)} to {share_text(1 - after)}"


def _without_hidden(table: TableBlock) -> TableBlock:
    """Return a table without the columns of which nothing is shown."""
    names = [
        column.name
        for i, column in enumerate(table.columns)
        if not table.rows or any(row[i] != NOT_SHOWN for row in table.rows)
    ]
    return pick(table, names)
