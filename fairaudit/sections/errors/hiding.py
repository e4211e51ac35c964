"""The small-cell rule for errors by group: which groups are shown."""

from __future__ import annotations

import pandas as pd

from fairaudit.audit.result import ErrorsFinding
from fairaudit.disclosure.counts import HiddenCounts
from fairaudit.disclosure.fields import shown_remarks
from fairaudit.disclosure.hidden import replaced, without_counts, without_figures
from fairaudit.measure.results import ScoreComparison
from fairaudit.present.errors import with_group


def without_hidden(finding: ErrorsFinding, number: int, counts: HiddenCounts) -> ErrorsFinding:
    """Return an answer, the `number`-th from 0, without the groups whose counts are hidden."""
    scores = None if finding.scores is None else _scores(finding.scores, counts)
    # The ledger counts people with the favourable result and without it, not by level.
    levels = finding.levels and replaced(without_figures(finding.levels), not_known=())
    finding = replaced(finding, levels=levels)
    if finding.errors is None:
        return replaced(finding, scores=scores)
    errors = finding.errors
    table = errors.counts.astype(object)
    gone = []
    for i, group in enumerate(table["group"]):
        path = ("errors", number, i)
        if counts.is_hidden(counts.cells(path).good):
            gone.append(str(group))
            table.loc[table.index[i], ["tp", "fp", "tn", "fn"]] = None
        if counts.hides((*path, "unknown")):
            table.loc[table.index[i], "unknown"] = None
    sizes = [
        None if counts.hides(("errors", number, i, "n")) else int(n)
        for i, n in enumerate(with_group(errors.metrics)["n"])
    ]
    metrics = _blank(with_group(errors.metrics), gone)
    metrics["n"] = pd.Series(sizes, index=metrics.index, dtype=object)
    whole = not gone and not table.isna().to_numpy().any()
    shown = replaced(
        errors,
        counts=table,
        metrics=metrics,
        intervals=_blank(with_group(errors.intervals), gone, keep=("group", "metric")),
        gaps=errors.gaps if not gone else errors.gaps.iloc[:0],
        warnings=shown_remarks(errors.warnings, "figure") if whole else (),
        not_known=without_counts(errors.not_known),
    )
    by_group = {name: _blank(with_group(frame), gone) for name, frame in finding.by_group.items()}
    return replaced(finding, errors=shown, scores=scores, **by_group)


def _scores(scores: ScoreComparison, counts: HiddenCounts) -> ScoreComparison:
    auc = scores.auc
    if counts.hides_any:
        auc = auc.iloc[:0]
    else:
        small = (auc["n_positive"] < counts.minimum) | (auc["n"] - auc["n_positive"] < counts.minimum)
        auc = _blank(auc, [str(group) for group in auc.loc[small, "group"]])
        auc[["n", "n_positive"]] = None
    return replaced(without_figures(scores), auc=auc)


def _blank(frame: pd.DataFrame, gone: list[str], *, keep: tuple[str, ...] = ("group",)) -> pd.DataFrame:
    frame = frame.astype(object)
    rows = frame["group"].map(str).isin(gone)
    frame.loc[rows, [name for name in frame.columns if name not in keep]] = None
    return frame
