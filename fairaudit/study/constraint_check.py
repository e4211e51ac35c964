"""Constraints before any model is trained to them: the groups that they may name, and what a model breaks.

Everything here is counted on the tuning rows. No held-out row is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.defaults import ENOUGH
from fairaudit.errors import MissingColumnError
from fairaudit.estimators.constraints import TOP, ConstrainedRows, FairnessSpec
from fairaudit.estimators.constraints.constrained_rows import RATIO_DECIMALS
from fairaudit.estimators.constraints.feasibility import conflicts
from fairaudit.estimators.constraints.metrics import find_metric
from fairaudit.estimators.rules.problem import RATES
from fairaudit.findings import REST
from fairaudit.measure.grouping import check_group_count, distinct_names, group_names, group_rows
from fairaudit.measure.limits import SLACK
from fairaudit.messages import say
from fairaudit.remedies.part import HeldAmongSimilar
from fairaudit.study.cautions import chance_warning
from fairaudit.study.fitting import plain_answers
from fairaudit.study.pair_gaps import gap_table, share_rows
from fairaudit.study.rows import Study, check_groups, known_groups, learned_rows


@dataclass(frozen=True)
class GroupSize:
    """A group that a constraint may name.

    Parameters
    ----------
    name : str
        What it is called.
    condition : str
        Its rows.
    n : int
        The tuning rows that its rate is a share of, as far as that does not depend on predictions.
    """

    name: str
    condition: str
    n: int

    @property
    def enough(self) -> bool:
        """Whether its rate is more than chance."""
        return self.n >= ENOUGH


def protected_groups(study: Study, columns: object) -> tuple[tuple[str, str], ...]:
    """Return the protected group and the rest as named conditions."""
    models, name = study.models, study.held_out.words.protected
    protected = Condition.parse(models.protected, columns)
    groups = {f"{name} (protected)" if name == REST else name: protected, REST: ~protected}
    return tuple((name, str(group)) for name, group in groups.items())


def column_groups(study: Study, metric: str, columns: Sequence[str]) -> tuple[GroupSize, ...]:
    """Return the groups that the values of columns make, with the tuning rows that count for a metric."""
    missing = next((name for name in columns if name not in study.sensitive.columns), None)
    if missing is not None:
        raise MissingColumnError(missing, study.sensitive.columns)
    frame = study.sensitive[list(columns)]
    grouping = group_rows(frame, len(frame))
    check_group_count(grouping.n_groups, tuple(columns))
    names = distinct_names(group_names(pd.DataFrame(grouping.labels)))
    known = study.in_filter & frame.notna().all(axis=1).to_numpy()
    tune = np.zeros(len(frame), dtype=bool)
    tune[study.split.tune] = True
    counted = tune & known & _known_rows(metric, positive_labels(study))
    counts = np.bincount(grouping.codes[counted], minlength=grouping.n_groups)
    present = np.bincount(grouping.codes[known], minlength=grouping.n_groups) > 0
    return tuple(
        GroupSize(names[code], _values_condition(columns, grouping.labels[code], frame), int(counts[code]))
        for code in np.flatnonzero(present)
    )


def group_sizes(study: Study, spec: FairnessSpec) -> tuple[GroupSize, ...]:
    """Return the groups of a constraint, with the tuning rows that count for its metric."""
    if spec.columns is not None:
        return column_groups(study, spec.measure.name, spec.columns)
    rows = tuning_rows(study, [spec])
    counted = _known_rows(spec.measure.name, rows.y)
    return tuple(
        GroupSize(name, condition, int(counted[members].sum()))
        # Groups with a floor are compared with one more, which has no condition.
        for (name, condition), members in zip(spec.conditions or (), rows.members[0], strict=False)
    )


def tuning_rows(
    study: Study, specs: Iterable[FairnessSpec], strata: NDArray[np.int64] | None = None
) -> ConstrainedRows:
    """Return the tuning rows with the groups of constraints, which are found among all rows."""
    return limited_rows(study, specs, strata).take(study.split.tune)


def conflict_sentences(study: Study, specs: Sequence[FairnessSpec]) -> tuple[str, ...]:
    """Say why constraints cannot all hold, or only at a price, by the rows that models learn from."""
    found = conflicts(tuple(specs), limited_rows(study, specs).take(study.split.learning))
    return tuple(map(say, found))


def limited_rows(
    study: Study, specs: Iterable[FairnessSpec], strata: NDArray[np.int64] | None = None
) -> ConstrainedRows:
    """Return all rows with the groups of constraints, which are those of the people who meet the filter.

    Shapes: `strata` (n,), which cases are similar; None where all are taken together.
    """
    y, people = positive_labels(study), study.in_filter
    return ConstrainedRows.of(tuple(specs), y, study.sensitive, population=people, strata=strata)


def similar_cases(
    study: Study, columns: Sequence[str], cuts: Mapping[str, Sequence[float]]
) -> NDArray[np.int64] | None:
    """Return a number for each row that similar cases share: values of columns, or bands of them; None of no columns.

    Shapes: returns (n,).
    """
    if not columns:
        return None
    frame = study.sensitive[list(columns)].copy()
    for name, ends in cuts.items():
        values = frame[name].to_numpy(dtype=float, na_value=np.nan)
        # From one cut on, and below the next.
        frame[name] = np.where(np.isnan(values), np.nan, np.searchsorted(np.asarray(ends), values, side="right"))
    return group_rows(frame, len(frame)).codes


def strata_of(study: Study, remedy: HeldAmongSimilar) -> NDArray[np.int64] | None:
    """Return which rows a remedy has for similar; None where its limits are about all people together."""
    return similar_cases(study, remedy.strata, dict(remedy.strata_cuts))


def positive_labels(study: Study) -> NDArray[np.int64]:
    """Return 1 for each row of the study whose outcome is the one that is called positive."""
    return study.to_positive(study.y)


def broken(
    study: Study, specs: Sequence[FairnessSpec], model: Any, strata: NDArray[np.int64] | None = None
) -> pd.DataFrame:
    """Say how far apart a model leaves the groups of constraints on the tuning rows.

    Columns: spec, first, second, max_difference, first_value, second_value, n_first, n_second, size,
    met.
    """
    rows, h = _tuned(study, specs, model, strata)
    found = []
    for spec, names, members, values in zip(rows.specs, rows.names, rows.members, rows.values(h), strict=True):
        counted = share_rows(spec.measure.name, rows.y, h)
        sizes = [int(counted[group].sum()) for group in members]
        for i, j in zip(*np.triu_indices(len(names), k=1), strict=True):
            if spec.floor is not None and names[j] != TOP:
                continue
            sizes[j] = sizes[j] if names[j] != TOP else sizes[i]
            found.append((str(spec), names[i], names[j], spec.max_difference, values[i], values[j], sizes[i], sizes[j]))
    columns = ["spec", "first", "second", "max_difference", "first_value", "second_value", "n_first", "n_second"]
    frame = pd.DataFrame(found, columns=columns)
    size = (frame["first_value"] - frame["second_value"]).abs()
    return frame.assign(size=size, met=(size / frame["max_difference"]).round(RATIO_DECIMALS) <= 1)


def chance_words(
    study: Study, specs: Sequence[FairnessSpec], model: object, strata: NDArray[np.int64] | None = None
) -> str | None:
    """Say where chance moves a gap on the tuning rows by more than what a constraint allows."""
    rows, h = _tuned(study, specs, model, strata)
    return chance_warning(rows, h, study.models.confidence)


def _tuned(
    study: Study, specs: Sequence[FairnessSpec], model: object, strata: NDArray[np.int64] | None
) -> tuple[ConstrainedRows, NDArray[np.int64]]:
    """Return the tuning rows, and where a model predicts the outcome that is called positive."""
    prediction, _ = plain_answers(model, study.X.iloc[study.split.tune])
    return tuning_rows(study, specs, strata), study.to_positive(prediction)


def widest(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pair of each constraint that is farthest apart, an undefined one first.

    Columns: n_pairs, n_broken.
    """
    rows = pairs["size"].fillna(np.inf).groupby(pairs["spec"], sort=False).idxmax()
    grouped = pairs.groupby("spec", sort=False)["met"]
    counts = {"n_pairs": grouped.size(), "n_broken": grouped.size() - grouped.sum()}
    return pairs.loc[rows].reset_index(drop=True).join(pd.DataFrame(counts), on="spec")


def _known_rows(metric: str, y: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the rows that a metric is a share of; where that takes predictions, all."""
    return np.ones(len(y), dtype=bool) if find_metric(metric).needs_predictions else share_rows(metric, y, y)


def _values_condition(columns: Sequence[str], label: tuple[object, ...], frame: pd.DataFrame) -> str:
    parts = [Condition.equals(column, value, frame) for column, value in zip(columns, label, strict=True)]
    condition = parts[0]
    for part in parts[1:]:
        condition = condition & part
    return str(condition)


# The rates that a rule set must have alike in all groups, on any rows of a study.
#
# Rates are of the outcome that ``models.positive`` names. Only rows of a known group count.

FAIRNESS_WORDS: Final = {
    "equalized_odds": "both error rates alike",
    "equal_opportunity": "false negative rates alike",
    "fpr": "false positive rates alike",
    "demographic_parity": "positive predictions alike",
    "error_rate": "accuracy alike",
}
"""What may be asked to be alike, in the name of a rule set."""

RATE_WORDS: Final = {
    "fnr": "false negative rate",
    "fpr": "false positive rate",
    "selection_rate": "share of positive predictions",
    "error_rate": "share of wrong predictions",
}
"""Rates in words, to stand after "the"."""

METRICS: Final = {"fnr": "fnr", "fpr": "fpr", "selection_rate": "demographic_parity", "error_rate": "error_rate"}
"""The metric of each rate."""

GAP_COLUMNS: Final = ("rate", "rate_words", "first", "second", "gap", "low", "high", "n_first", "n_second", "reading")


def limit_text(value: float) -> str:
    """Return what a person allows, in points, as it was written.

    Examples
    --------
    >>> limit_text(0.01), limit_text(0.125), limit_text(0.0)
    ('1 point', '12.5 points', '0 points')
    """
    text = f"{100 * value:.6g}"
    return "1 point" if text == "1" else f"{text} points"


def check_rates(study: Study, fairness: str | None) -> None:
    """Refuse groups that lack, among the rows to learn from, what the rates that must be alike are shares of."""
    if fairness is None:
        return
    positive, negative = ("good", "bad") if study.positive_is_good else ("bad", "good")
    needs = {"fnr": positive, "fpr": negative}
    outcomes = frozenset(needs[rate.name] for rate in RATES[fairness] if rate.name in needs)
    check_groups(study, learned_rows(study), "rules are learned from", outcomes)


def rated_rows(
    study: Study,
    fairness: str | None,
    max_difference: float,
    strata: NDArray[np.int64] | None = None,
    *,
    max_fpr_difference: float | None = None,
) -> ConstrainedRows:
    """Return all rows of a study with the groups whose rates must be alike, and how far apart they may be.

    False positive rates may have a limit of their own. Shapes: `strata` (n,), which cases are similar.
    """
    names = known_groups(study)
    members = tuple(np.flatnonzero(study.compared & (study.groups == name)) for name in names)
    # A specification allows more than nothing. What is rounding in a search is so here, too.
    rates = () if fairness is None else RATES[fairness]
    own = {} if max_fpr_difference is None else {"fpr": max_fpr_difference}
    specs = tuple(
        FairnessSpec(METRICS[rate.name], "group", max(own.get(rate.name, max_difference), SLACK)) for rate in rates
    )
    more = None, strata
    return ConstrainedRows(positive_labels(study), specs, (names,) * len(specs), (members,) * len(specs), *more)


def rate_gaps(rows: ConstrainedRows, h: NDArray[np.int64], confidence: float) -> pd.DataFrame:
    """Return the gap of each rate and pair of groups, with its interval.

    Shapes: `h` (n,); returns a frame of rate, rate_words, first, second, gap, low, high, n_first, n_second, reading.
    """
    if not rows.constraints:
        return pd.DataFrame(columns=list(GAP_COLUMNS))
    rate_of = {metric: rate for rate, metric in METRICS.items()}
    rates = [rate_of[constraint.spec.measure.name] for constraint in rows.constraints]
    table = gap_table(rows, h, confidence).assign(
        rate=rates,
        rate_words=[RATE_WORDS[rate] for rate in rates],
        first=[constraint.first for constraint in rows.constraints],
        second=[constraint.second for constraint in rows.constraints],
    )
    return table[list(GAP_COLUMNS)]


def gaps_of_parts(
    rows: ConstrainedRows, h: NDArray[np.int64], parts: Mapping[str, NDArray[np.int64]], confidence: float
) -> pd.DataFrame:
    """Return the gaps of :func:`rate_gaps` on held-out rows, and beside them those on training and tuning rows.

    Shapes: `rows` holds all rows of a study, `h` (n,); `parts` are as :func:`fairaudit.study.rows.part_rows`.
    """
    gaps = {part: rate_gaps(rows.take(members), h[members], confidence) for part, members in parts.items()}
    table = gaps["held_out"].rename(columns={"gap": "held_out"})
    for place, part in enumerate(("trained", "tuned")):
        table.insert(4 + place, part, gaps[part]["gap"])
    return table


def largest_gap(gaps: pd.Series) -> float:
    """Return the largest of gaps without their signs; NaN where there is none."""
    sizes = gaps.astype(float).abs()
    return float(sizes.max()) if len(sizes) else float("nan")


def group_rate_table(
    names: tuple[str, ...], groups: NDArray, y: NDArray[np.int64], h: NDArray[np.int64]
) -> pd.DataFrame:
    """Return the rates of each group.

    Shapes: `groups` (n,), `y` (n,), `h` (n,); returns a frame of group, n, fnr, fpr, selection_rate, error_rate.

    Examples
    --------
    >>> y, h = np.array([1, 1, 0]), np.array([1, 0, 0])
    >>> group_rate_table(("a",), np.array(["a", "a", "a"]), y, h)["fnr"].tolist()
    [0.5]
    """
    rows = []
    for name in names:
        inside = groups == name
        label, predicted = y[inside], h[inside]
        shares = (predicted[label == 1] == 0, predicted[label == 0] == 1, predicted == 1, predicted != label)
        rows.append((name, int(inside.sum()), *(float(part.mean()) if len(part) else np.nan for part in shares)))
    return pd.DataFrame(rows, columns=["group", "n", *RATE_WORDS])
