"""Made-up results for the report tests: plausible numbers, no measure is run."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from findings_by_hand import finding

from fairaudit.audit.result import ErrorsFinding
from fairaudit.disclosure.fields import Field
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    ErrorComparison,
    GroupComparison,
    GroupRatio,
    GroupRow,
    Interval,
    ScoreComparison,
    StratifiedFairness,
    StratumRow,
)
from fairaudit.measure.verdicts import side_of, verdict_by
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.present.blocks import Chart, Code, Document, Heading, Items, KeyValues, Note, Paragraph, TableBlock, pick
from fairaudit.present.charts.gaps import (
    comparison_alt,
    comparison_chart,
    strata_alt,
    strata_chart,
    strata_table,
    tolerance_alt,
    tolerance_chart,
    tolerance_table,
)
from fairaudit.present.charts.scores import calibration_chart, distribution_chart, rates_chart, roc_chart
from fairaudit.present.errors import calibration_alt, distribution_alt, rates_alt, roc_alt, scores_tables
from fairaudit.sections.check import tables


def wilson(positives: int, n: int, z: float = 1.96) -> Interval:
    if n == 0:
        return Interval(math.nan, math.nan)
    p = positives / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(middle - half, middle + half)


def group(name: str, positives: int, n: int) -> GroupRatio:
    return GroupRatio(name, n, positives, positives / n if n else math.nan, wilson(positives, n))


def _parts(p: GroupRatio, r: GroupRatio, tolerance: float) -> dict:
    gap = p.ratio - r.ratio
    half = 1.96 * math.sqrt(sum(g.ratio * (1 - g.ratio) / g.n for g in (p, r))) if p.n and r.n else math.nan
    low, high = gap - half, gap + half
    inner = Interval(gap - half * 1.645 / 1.96, gap + half * 1.645 / 1.96)
    side = side_of(Interval(low, high), inner, tolerance)
    verdict = verdict_by(side, likely=low > 0 or high < 0, comparable=not (p.ratio == r.ratio and p.ratio in (0, 1)))
    ratio = p.ratio / r.ratio if r.ratio else math.nan
    return {
        "protected": p,
        "reference": r,
        "difference": gap,
        "difference_interval": Interval(low, high),
        "equivalence_interval": inner,
        "impact_ratio": ratio,
        "impact_ratio_interval": Interval(0.9 * ratio, 1.1 * ratio),
        "four_fifths": ratio >= 0.8,
        "z": -10.4,
        "p_value": 1e-9,
        "test": "z",
        "tolerance": tolerance,
        "confidence": 0.95,
        "within_tolerance": abs(gap) <= tolerance,
        "verdict": verdict,
        "warnings": (),
    }


def comparison(p: GroupRatio, r: GroupRatio, tolerance: float = 0.05) -> Comparison:
    return Comparison(**_parts(p, r, tolerance))


def controlled(name: str = "race <> 'White'", tolerance: float = 0.05) -> ControlledFairness:
    p, r = group(name, 623, 1945), group("the rest", 6132, 13827)
    return ControlledFairness(
        **_parts(p, r, tolerance), decision="income", favorable=">50K", protected_condition=name,
        where="education_num > 10", n_population=15772, n_filtered_out=33070, unknown=0, undecided=0,
    )  # fmt: skip


def many_groups(names: list[str], column: str = "race") -> GroupComparison:
    rows = []
    for i, name in enumerate(names):
        n = 40 + 137 * ((i * 7) % 11)
        p = group(name, int(n * (0.2 + 0.5 * ((i * 5) % 13) / 13)), n)
        rows.append(GroupRow(((column, name),), comparison(p, group("the rest", 6132, 13827)), 0.01 * (i + 1), n < 100))
    return GroupComparison((column,), None, tuple(rows), 0, 0, 30, None, None)


def strata(names: list[str], column: str = "department") -> StratifiedFairness:
    rows = []
    for i, name in enumerate(names):
        p, r = group("p", 30 + 11 * i, 120 + 20 * i), group("r", 90 + 5 * i, 260 + 10 * i)
        rows.append(StratumRow(((column, name),), comparison(p, r), 0))
    return StratifiedFairness(
        controlled(), (column,), tuple(rows), (), 0.9, Interval(0.8, 1.0), 1.4, 0.23, 1.5, 0.22, 0.01,
        Interval(-0.02, 0.04), Interval(-0.015, 0.035), False,
    )  # fmt: skip


def in_a_frame(names: list[str]) -> list[str]:
    """Names as a frame of pandas can hold them: it has no lone surrogates."""
    return [name.encode("utf-8", "replace").decode() for name in names]


def errors(names: list[str]) -> ErrorComparison:
    names, records = in_a_frame(names), []
    for i, name in enumerate(names):
        for metric, base in (("fpr", 0.2), ("fnr", 0.3), ("fdr", 0.4)):
            n = 0 if (i == 1 and metric == "fdr") else 60 + 31 * i
            k = int(n * base * (1 + 0.1 * (i % 4)))
            low, high = wilson(k, n)
            records.append(
                {"group": name, "metric": metric, "value": k / n if n else math.nan, "n": n, "low": low, "high": high}
            )
    empty = pd.DataFrame()
    return ErrorComparison(
        tuple(names), "favorable", "income above 50K", empty, empty, pd.DataFrame(records), empty, 0.95, None, ()
    )


def scores(names: list[str], score: str = "risk.score[0]") -> ScoreComparison:
    names = in_a_frame(names)
    roc, auc, calibration, spread = [], [], [], []
    for i, name in enumerate(names):
        for t in np.linspace(0, 1, 201):
            roc.append({"group": name, "threshold": 1 - t, "fpr": t, "tpr": t ** (0.35 + 0.05 * i)})
        area = 1 / (1.35 + 0.05 * i)
        auc.append(
            {"group": name, "n": 900 - i, "n_positive": 300, "auc": area, "low": area - 0.03, "high": area + 0.03}
        )
        for b in range(10):
            mean = (b + 0.5) / 10
            k = int(80 * mean ** (1 + 0.1 * i))
            low, high = wilson(k, 80)
            calibration.append(
                {
                    "group": name,
                    "bin": b,
                    "score_mean": mean,
                    "n": 80,
                    "positives": k,
                    "observed": k / 80,
                    "low": low,
                    "high": high,
                }
            )
            for label in (0, 1):
                w = math.exp(-((mean - 0.35 - 0.25 * label - 0.02 * i) ** 2) / 0.04)
                spread.append(
                    {
                        "group": name,
                        "label": label,
                        "bin_low": b / 10,
                        "bin_high": (b + 1) / 10,
                        "n": int(100 * w),
                        "share": w / 4,
                    }
                )
    return ScoreComparison(
        score,
        tuple(names),
        "favorable",
        "income above 50K",
        True,
        roc=pd.DataFrame(roc),
        auc=pd.DataFrame(auc),
        calibration=pd.DataFrame(calibration),
        distribution=pd.DataFrame(spread),
        where=None,
        warnings=(),
    )


NASTY = [
    "A" * 300,
    "A" * 299 + "B",
    "Department of transport, housing and other things that have a rather long official name in the register",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 75,
    "</script><script>alert(1)</script>",
    "=cmd()|'/c calc'!A1",
    'drop table "x"; --',
    "\u6771\u4eac\u90fd \u5927\u962a",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629",
    "e\u0301a\u0300\u0323 zalgo\u0336\u0337\u0338",
    "tab\tnew\nline\x00\x07",
    "lone \ud800 surrogate",
    "\u202eright to left\u202c",
    "\u200b\u2060\ufeff",
    "name.with[brackets] and \\ back 'quotes' \"double\"",
    "#let x = 1; *bold* _it_ $math$ @ref <label> //",
    "",
    "y" * 10000,
    "\uffff\ue000\U0010ffff",
    "White",
]


SIXTY = "Column name that has sixty characters, no more and no fewer "

GROUP_COLUMNS = ("group_1", "n", "share", "gap", "gap_interval", "adjusted_p_value", "reading")


def demo(names: list[str] | None = None) -> Document:
    """A report of about fifteen pages with every kind of block and every chart."""
    names = names or [*NASTY, *(f"{SIXTY}{i}" for i in range(10))]
    result, comparison_, strata_ = controlled(), many_groups(names), strata(list("ABCDEF"))
    errors_, scores_ = errors(names[:6]), scores(names[:3])
    area, *_ = scores_tables(ErrorsFinding(ErrorsPlan(by=("race",)), None, scores_, None), 1)
    few = many_groups(["White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"])
    wide = TableBlock(
        "wide",
        "Twelve columns with names of sixty characters",
        tuple(Field(f"c{i}", f"{SIXTY}{i}", "text" if i == 0 else "points_interval") for i in range(12)),
        tuple((name, *((-0.145 - i / 100, 0.101 + i / 50) for i in range(11))) for name in names),
        note="Every gap is group minus the rest.",
    )
    blocks = (
        Paragraph(
            "The gap of 12.3 points is too large to be chance: data like these fit gaps from "
            "10.1 to 14.5 points (95 %).",
            lead=True,
            strong="Among people with more than 10 years of education, the protected group (race other than White) "
            "reaches an income above 50K less often than the rest: 32.0 % against 44.3 %.",
        ),
        Chart("groups", "Share with income above 50K.", tolerance_alt(result), tolerance_chart(result)),
        Heading(1, "What was compared"),
        tables.groups_table(finding(623, 1945, 6132, 13827), 1, tables.ShareFigures()),
        KeyValues("Population", (("Filter", "education_num > 10"), ("People", "15,772")), ("Filter",)),
        Heading(2, "All groups"),
        Chart("few", "All groups.", comparison_alt(few), comparison_chart(few)),
        pick(tables.comparison_table(few, 1, 1, tables.ShareFigures()), GROUP_COLUMNS),
        Chart("all", "Thirty groups.", comparison_alt(comparison_), comparison_chart(comparison_)),
        pick(tables.comparison_table(comparison_, 1, 2, tables.ShareFigures()), GROUP_COLUMNS),
        wide,
        Heading(2, "By stratum"),
        Chart("strata", "Gap by department.", strata_alt(strata_), strata_chart(strata_)),
        strata_table(strata_.strata),
        Chart("tolerance", "Reading at each tolerance.", tolerance_alt(result), tolerance_chart(result)),
        tolerance_table(result),
        Heading(1, "Errors"),
        Chart("fpr", "False positives.", rates_alt(errors_, "fpr"), rates_chart(errors_, "fpr")),
        Chart("roc", "ROC.", roc_alt(scores_), roc_chart(scores_)),
        area,
        Chart("cal", "Calibration.", calibration_alt(scores_), calibration_chart(scores_)),
        Chart("dist", "Scores.", distribution_alt(scores_), distribution_chart(scores_)),
        Heading(1, "How sure, and what is not said"),
        Note("The gap lies wholly outside the tolerance of 5 points, so the finding is supported, not only observed."),
        Note("It does not say why the gap exists: " + " ".join(names), "warning"),
        Items(tuple(names), "Names that must not break anything"),
        Heading(1, "Repeat this audit"),
        Code("python -m fairaudit run adult.toml --out report/", "Command"),
        Code("\n".join(f'    "{name}" = 1' for name in names), "Plan"),
    )
    return Document("Adult census income", "Audit of decisions", "en", blocks, author="A. Auditor")
