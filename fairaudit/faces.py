"""Each result as the app and the report say, draw and tabulate it: through the section that answers such questions.

A result of a function of :mod:`fairaudit.measure` holds no plan. It is put into the finding that an audit would hold,
with the names that columns and values suggest.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache, singledispatch
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from fairaudit.audit.result import (
    AuditResult,
    ChangeFinding,
    CheckFinding,
    ErrorsFinding,
    ExplanationFinding,
    InspectionFinding,
    SubgroupsFinding,
)
from fairaudit.catalog import SECTIONS
from fairaudit.conditions import Condition
from fairaudit.conditions.names import AnyNames
from fairaudit.data.roles import AskedOf
from fairaudit.errors import ConditionError, InputError, require
from fairaudit.findings import Count, Message, Said
from fairaudit.findings.names import GroupName
from fairaudit.findings.result import Face, FaceOfAudit, Result
from fairaudit.measure import average_error_cost
from fairaudit.measure.detectable import DetectableGap
from fairaudit.measure.explain.proxies import Proxies
from fairaudit.measure.explain.results import GapExplanation
from fairaudit.measure.inspections.results import OutcomeTest, ThresholdTest, VeilOfDarkness
from fairaudit.measure.level_errors import LevelErrors
from fairaudit.measure.levels import ControlledLevels
from fairaudit.measure.period_results import PeriodComparison, PeriodLine
from fairaudit.measure.rankings import Rankings
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    ControlledMeans,
    ErrorComparison,
    GroupComparison,
    GroupRow,
    ScoreComparison,
    Stratified,
)
from fairaudit.measure.verdicts import GAPS, verdict_of
from fairaudit.measure.watching import GapWatch
from fairaudit.messages import LANGUAGES, say, say_verdicts
from fairaudit.messages.catalogue import translated
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, NamesPlan
from fairaudit.plan.names import error_names, group_name, names_of
from fairaudit.plan.outcomes import ScorePlan, outcome_plan
from fairaudit.plan.questions import (
    ChangePlan,
    CheckPlan,
    ControlPlan,
    ErrorsPlan,
    ExplanationPlan,
    InspectionPlan,
    SubgroupsPlan,
    VeilPlan,
)
from fairaudit.present.blocks import Chart, TableBlock, flat_header, flat_rows, row_texts
from fairaudit.present.charts.proxies import proxies_chart
from fairaudit.present.proxies import proxies_table, say_proxies
from fairaudit.presets.findings import PresetFinding
from fairaudit.report.verified import Verification, say_verification, verification_tables
from fairaudit.sections.alternatives.finding import AlternativesFinding
from fairaudit.sections.rankings.answering import finding_of as ranked
from fairaudit.sections.rankings.finding import RankingsFinding
from fairaudit.sections.rankings.plan import RankingsPlan
from fairaudit.sections.watch.finding import WatchFinding
from fairaudit.sections.watch.plan import WatchPlan
from fairaudit.subgroups.results import SubgroupSearch

if TYPE_CHECKING:
    from altair.typing import ChartType

SECTION_OF: Final = {section.kind: section for section in SECTIONS}
MOST_ROWS: Final = 30
"""Rows of a table in a notebook."""


@dataclass(frozen=True)
class FaceOfAnswer(Face):
    """One answer as it is said and drawn.

    Parameters
    ----------
    what : Said
        What is said.
    picture : callable
        Makes its picture; None where there is nothing to draw.
    tables : callable
        Makes its tables, the first of which holds the figures of the picture.
    """

    what: Said
    picture: Callable[[], Chart | None]
    tables: Callable[[], Sequence[TableBlock]]

    def said(self, language: str) -> tuple[str, ...]:
        """Return verdict, headline, lead and cautions, a sentence each."""
        if language not in LANGUAGES:
            raise InputError(f"'language' must be one of {', '.join(map(repr, LANGUAGES))}, got {language!r}.")
        what = self.what
        first = (say_verdicts(what, language), f"{say(what.headline, language)}.")
        return (*first, *(say(message, language) for message in (*what.lead, *what.caution)))

    def text(self) -> str:
        """Return verdict, headline and lead in lines."""
        lines = (say_verdicts(self.what), f"{say(self.what.headline)}.", say(self.what.lead))
        return "\n".join(line for line in lines if line)

    def html(self) -> str:
        """Return the same with cautions, the picture and its figures, for a notebook."""
        what, picture = self.what, self.picture()
        parts = [
            f"<p><strong>{escape(say_verdicts(what))}</strong></p>",
            f'<p style="font-size: 1.3em; margin: 0.2em 0">{escape(say(what.headline))}.</p>',
            *(f"<p>{escape(said)}</p>" for said in (say(what.lead), say(what.caution)) if said),
            *([] if picture is None else [_figure(picture)]),
            *(_html_table(table) for table in self.tables()[:1]),
        ]
        return f'<div style="max-width: 760px">{"".join(parts)}</div>'

    def chart(self) -> ChartType:
        """Return the picture."""
        if (picture := self.picture()) is None:
            raise InputError("There is nothing to draw.", hint="Print the result: it says why.")
        return drawn_here(picture.chart)

    def frame(self) -> pd.DataFrame:
        """Return the figures of the picture."""
        return frame_of(self.tables()[0])


@dataclass(frozen=True)
class AuditOnPaper(FaceOfAudit):
    """A whole audit as it is said, drawn and written; all of it passes the gate for small counts."""

    result: AuditResult

    def sections(self) -> tuple[Result, ...]:
        """Return the answers of the audit, in the order of its report."""
        from fairaudit.disclosure.gate import exported

        shown = exported(self.result)
        return tuple(found for section in SECTIONS for found in section.found(shown))

    def faces(self) -> tuple[FaceOfAnswer, ...]:
        """Return the answers as they are said, and what trying remedies came to."""
        from fairaudit.disclosure.gate import exported

        tried = exported(self.result).tried
        return (*map(face_of, self.sections()), *([] if tried is None else [_face_of_remedies(tried)]))

    def said(self, language: str) -> tuple[str, ...]:
        """Return verdict, headline, lead and cautions of each answer."""
        return tuple(sentence for face in self.faces() for sentence in face.said(language))

    def text(self) -> str:
        """Return verdict, headline and lead of each answer in lines."""
        return "\n\n".join(face.text() for face in self.faces())

    def html(self) -> str:
        """Return each answer, for a notebook."""
        return "".join(face.html() for face in self.faces())

    def chart(self) -> ChartType:
        """Return the picture of the first answer that has one."""
        for face in self.faces():
            if (picture := face.picture()) is not None:
                return drawn_here(picture.chart)
        raise InputError("There is nothing to draw.", hint="Print the result: it says why.")

    def frame(self) -> pd.DataFrame:
        """Return a row for each answer: the kind of question, verdict and headline."""
        kinds = [*(section.kind for section in SECTIONS for _ in section.found(self.result)), "remedies"]
        said = [face.said("en")[:2] for face in self.faces()]
        rows = [(kind, *texts) for kind, texts in zip(kinds, said, strict=False)]
        return pd.DataFrame(rows, columns=["kind", "verdict", "headline"])

    def json(self) -> str:
        """Return what was found as JSON."""
        from fairaudit.report.json_export import to_json

        return to_json(self.result)

    def write(self, folder: str | Path, base: str | Path | None) -> tuple[Path, ...]:
        """Write the report."""
        from fairaudit.report.composing import write_report

        return write_report(self.result, folder, base=base)


def frame_of(table: TableBlock) -> pd.DataFrame:
    """Return a table in full precision; an interval is two columns."""
    return pd.DataFrame(flat_rows(table), columns=list(flat_header(table)))


def _html_table(table: TableBlock) -> str:
    head = "".join(f"<th>{escape(translated(column.label))}</th>" for column in table.columns)
    rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in row_texts(table)[:MOST_ROWS])
    body = "".join(f"<tr>{cells}</tr>" for cells in rows)
    title = escape(translated(table.title))
    return f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def drawn_here(chart: ChartType) -> ChartType:
    """Return a chart that a notebook shows as it was drawn here, where Altair's own way would ask the network.

    Who has chosen a renderer of Altair is shown the chart by that.
    """
    # Past the class's own way to set attributes, which makes them part of the drawing.
    kind: Any = type(chart)
    object.__setattr__(chart, "__class__", _drawn_class(kind))
    return chart


@cache
def _drawn_class(base: Any) -> Any:
    def show(chart: Any, *args: object, **options: object) -> object:
        from altair import renderers

        from fairaudit.report.pdf import to_svg

        if renderers.active != "default":
            return base._repr_mimebundle_(chart, *args, **options)
        return {"image/svg+xml": to_svg(chart).decode(), "text/plain": repr(chart)}

    return type(base.__name__, (base,), {"_repr_mimebundle_": show})


def _figure(picture: Chart) -> str:
    from fairaudit.report.pdf import to_svg

    drawn = base64.b64encode(to_svg(picture.chart)).decode()
    alt = escape(picture.alt, quote=True)
    return f'<p>{escape(picture.title)}</p><img alt="{alt}" src="data:image/svg+xml;base64,{drawn}">'


def _face_of_remedies(tried: Any) -> FaceOfAnswer:
    from fairaudit.report.remedies import compared_charts
    from fairaudit.sections.compare.models import remedies_tables
    from fairaudit.sections.compare.saying import say_comparison

    return FaceOfAnswer(
        say_comparison(tried), lambda: next(iter(compared_charts(tried)), None), lambda: remedies_tables(tried)
    )


@singledispatch
def face_of(result: Any) -> Any:
    """Return how a result is shown."""
    raise TypeError(f"{type(result).__name__} is no result that is shown")


@face_of.register
def _(result: AuditResult) -> AuditOnPaper:
    return AuditOnPaper(result)


# Findings of an audit.

_KINDS: Final[dict[type, str]] = {
    CheckFinding: "checks",
    ErrorsFinding: "errors",
    SubgroupsFinding: "subgroups",
    ExplanationFinding: "explanations",
    ChangeFinding: "changes",
    InspectionFinding: "inspections",
    RankingsFinding: "rankings",
    AlternativesFinding: "alternatives",
    WatchFinding: "watches",
    PresetFinding: "presets",
}


def _shown(finding: Any) -> FaceOfAnswer:
    kind = next(kind for held, kind in _KINDS.items() if isinstance(finding, held))
    section = SECTION_OF[kind]
    return FaceOfAnswer(section.say(finding), lambda: section.picture(finding, 1), lambda: section.tables(finding, 1))


for _kind in _KINDS:
    face_of.register(_kind, _shown)


# Results without an audit, as the findings that one would hold.


def plan_of(column: str, favorable: Condition | None, **parts: Any) -> AuditPlan:
    """Return the plan of an audit of a decision, of which a condition is the good outcome; None of an amount."""
    return AuditPlan(data=DataPlan(source="table"), decision=outcome_plan(column, favorable), **parts)


def _read(text: str | None) -> Condition | None:
    """Return a condition as a result states it."""
    return None if text is None else Condition.parse(text, AnyNames())


def _words(text: str | None) -> str | None:
    condition = _read(text)
    return None if condition is None else condition.in_words()


def _check_of(result: ControlledFairness | ControlledMeans, strata: Stratified | None = None) -> CheckFinding:
    favorable = _read(result.favorable) if isinstance(result, ControlledFairness) else None
    plan, protected = plan_of(result.decision, favorable), require(_read(result.protected_condition))
    kind = plan.decision.kind
    own: dict[str, Any] = (
        {"tolerance": result.tolerance} if kind.has_good_outcome else {"amount_tolerance": result.tolerance}
    )
    columns = () if strata is None else strata.columns
    check = CheckPlan(
        protected=result.protected_condition, where=result.where, confidence=result.confidence, strata=columns, **own
    )
    return CheckFinding(
        plan=check,
        decision=plan.decision,
        meaning=result.decision if favorable is None else favorable.in_words(),
        result=result,
        groups=(),
        strata=strata,  # type: ignore[arg-type]
        where_words=_words(result.where),
        protected_words=protected.in_words(),
        sql="",
        names=names_of(plan, check, protected),
        not_known=result.not_known,
    )


@face_of.register(ControlledFairness)
@face_of.register(ControlledMeans)
def _(result: ControlledFairness | ControlledMeans) -> FaceOfAnswer:
    return _shown(_check_of(result))


@face_of.register
def _(result: Stratified) -> FaceOfAnswer:
    return _shown(_check_of(result.pooled, result))


@face_of.register
def _(result: ControlledLevels) -> FaceOfAnswer:
    from fairaudit.sections.check.levels import levels_picture, levels_tables, say_levels

    favorable = Condition.equals(result.decision, result.levels[0], [result.decision])
    columns = () if result.within is None else result.within.columns
    asked = CheckPlan(protected=result.protected_condition, strata=columns)
    names = names_of(plan_of(result.decision, favorable), asked, require(_read(result.protected_condition)))
    return FaceOfAnswer(
        say_levels(result, names, (Message("check-not-why", severity="note"),)),
        lambda: None if result.verdict == "nothing_to_compare" else levels_picture(result, names, "levels_chart"),
        lambda: levels_tables(result, names, 1),
    )


_CLEAREST: Final = ("clear_gap", "gap_size_unclear", "too_few_to_tell", "no_gap_above_tolerance", "nothing_to_compare")


def _leading(rows: Sequence[GroupRow]) -> GroupRow:
    """Return the group that an answer is about: that of the clearest gap; of these one that has less, the largest."""

    def place(row: GroupRow) -> tuple[int, bool, float]:
        gap = row.comparison.difference
        size = abs(gap) if math.isfinite(gap) else 0.0
        return _CLEAREST.index(row.comparison.verdict), gap > 0, -size

    return min(rows, key=place)


def _of_group(result: GroupComparison, row: GroupRow) -> CheckFinding:
    """Return the question about one of all groups, with its verdict among all of them."""
    asked, held = require(result.asked), row.comparison
    conditions = [Condition.equals(column, value, [column]) for column, value in row.values]
    own = conditions[0]
    for each in conditions[1:]:
        own &= each
    n = held.protected.n + held.reference.n + held.protected.undecided + held.reference.undecided
    figures: dict[str, Any] = {field.name: getattr(held, field.name) for field in fields(held)} | {
        "decision": asked.decision,
        "protected_condition": str(own),
        "where": result.where,
        "n_population": n + result.unknown,
        "n_filtered_out": 0,
        "unknown": result.unknown,
        "undecided": result.undecided,
        "not_known": result.not_known,
    }
    if isinstance(held, Comparison):
        return _check_of(ControlledFairness(favorable=str(require(asked.outcome).condition), **figures))
    return _check_of(ControlledMeans(didi=math.nan, **figures))


@face_of.register
def _(result: GroupComparison) -> FaceOfAnswer:
    def picture() -> Chart:
        from fairaudit.present.charts.gaps import comparison_alt, comparison_chart

        alt, chart = comparison_alt(result, finding.result), comparison_chart(result, finding.result)
        return Chart("groups_chart", say(Message("groups-compared", counts)), alt, chart)

    def tables() -> list[TableBlock]:
        from fairaudit.sections.check.tables import comparison_table, figures_of

        return [comparison_table(result, 1, 1, figures_of(finding))]

    finding = _of_group(result, _leading(result.rows))
    said = SECTION_OF["checks"].say(finding)
    n_clear = sum(verdict_of(row.comparison) in GAPS for row in result.rows)
    counts = {"n": Count(len(result.rows) + (result.reference is not None)), "k": Count(n_clear)}
    lead = (*said.lead, Message("groups-with-gap", counts))
    return FaceOfAnswer(Said(said.verdict, said.headline, lead, said.caution), picture, tables)


def _errors_of(asked: AskedOf, found: ErrorComparison | ScoreComparison, **held: Any) -> ErrorsFinding:
    outcome = require(asked.outcome)
    predicted = asked.prediction
    score = held["scores"]
    plan = plan_of(
        asked.decision,
        outcome.condition,
        prediction=None if predicted is None else outcome_plan(predicted.columns[0], predicted),
        score=None if score is None else ScorePlan(column=score.score),
        positive=found.positive,
    )
    return ErrorsFinding(
        plan=ErrorsPlan(
            by=asked.by,
            where=found.where,
            positive=found.positive,
            tolerance=asked.tolerance,
            confidence=asked.confidence,
        ),
        names=error_names(
            plan, asked.by, found.groups, meanings=(outcome.meaning, outcome.other_meaning), prediction=predicted
        ),
        is_outcome=plan.decision_is_outcome,
        **held,
    )


@face_of.register
def _(result: ErrorComparison) -> FaceOfAnswer:
    costs = average_error_cost(result.metrics, 1.0, 1.0)
    return _shown(_errors_of(require(result.asked), result, errors=result, scores=None, costs=costs))


@face_of.register
def _(result: LevelErrors) -> FaceOfAnswer:
    favorable = Condition.equals(result.decision, result.levels[0], [result.decision])
    plan = plan_of(result.decision, favorable)
    columns = () if result.within is None else result.within.columns
    asked = ErrorsPlan(by=result.by, where=result.where, tolerance=result.tolerance, strata=columns)
    names = error_names(plan, result.by, result.groups, meanings=("", ""), prediction=None, strata=columns)
    return _shown(ErrorsFinding(asked, None, None, None, names, result))


@face_of.register
def _(result: ScoreComparison) -> FaceOfAnswer:
    def picture() -> Chart:
        from fairaudit.present.charts.scores import calibration_chart
        from fairaudit.present.errors import calibration_alt

        return Chart("scores", say(Message("term-calibration")), calibration_alt(result), calibration_chart(result))

    from fairaudit.present.errors import scores_tables
    from fairaudit.sections.errors.saying import say_score_alone

    finding = _errors_of(require(result.asked), result, errors=None, scores=result, costs=None)
    return FaceOfAnswer(say_score_alone(finding), picture, lambda: scores_tables(finding, 1))


@face_of.register
def _(result: SubgroupSearch) -> FaceOfAnswer:
    from fairaudit.sections.worst.answering import search_names

    asked = require(result.asked)
    favorable = None if asked.outcome is None else asked.outcome.condition
    plan = plan_of(asked.decision, favorable)
    searched = SubgroupsPlan(
        columns=result.columns,
        protected=result.protected,
        where=result.where,
        measure=result.measure,
        direction=result.direction,
        max_conditions=result.max_conditions,
        min_rows=result.min_rows,
        confidence=result.confidence,
    )
    groups = (group_name(NamesPlan(), require(_read(each.condition))) for each in result.subgroups)
    return _shown(
        SubgroupsFinding(
            plan=searched,
            meaning=asked.decision if asked.outcome is None else asked.outcome.meaning,
            where_words=_words(result.where),
            result=result,
            names=search_names(plan, favorable),
            groups=tuple(groups),
            higher_is_favorable=True,
        )
    )


@face_of.register
def _(result: GapExplanation) -> FaceOfAnswer:
    favorable, protected = _read(result.favorable), require(_read(result.protected_condition))
    plan = plan_of(result.decision, favorable)
    asked = ExplanationPlan.model_construct(
        protected=result.protected_condition,
        where=result.where,
        controls=tuple(map(ControlPlan.without_reason, result.controls)),
        method=result.method,
        reference=result.reference,
        model=result.model,
        confidence=result.confidence,
    )
    alike = CheckPlan(protected=result.protected_condition, strata=result.controls)
    return _shown(
        ExplanationFinding(
            plan=asked,
            decision=plan.decision,
            meaning=result.decision if favorable is None else favorable.in_words(),
            where_words=_words(result.where),
            protected_words=protected.in_words(),
            result=result,
            names=names_of(plan, alike, protected),
        )
    )


@face_of.register
def _(result: Proxies) -> FaceOfAnswer:
    favorable, protected = _read(result.favorable), require(_read(result.protected_condition))
    plan = plan_of(result.decision, favorable)
    asked, kind = CheckPlan(protected=result.protected_condition), plan.decision.kind.quantity
    names = names_of(plan, asked, protected)
    return FaceOfAnswer(
        say_proxies(result, names, kind),
        lambda: proxies_chart(result),
        lambda: [proxies_table(result, "proxies", names, kind)],
    )


@face_of.register(PeriodComparison)
@face_of.register(PeriodLine)
def _(result: PeriodComparison | PeriodLine) -> FaceOfAnswer:
    is_line = isinstance(result, PeriodLine)
    first = result.answers[0] if isinstance(result, PeriodLine) else result.before
    answer = _check_of(first)
    by: dict[str, Any] = {"column": result.cut_by, "cuts": result.cuts} if result.cuts else {"second": result.names[-1]}
    asked = ChangePlan(protected=first.protected_condition, where=first.where, confidence=result.confidence, **by)
    return _shown(
        ChangeFinding(
            plan=asked,
            decision=answer.decision,
            meaning=answer.meaning,
            where_words=answer.where_words,
            protected_words=answer.protected_words,
            names=answer.names,
            result=None if isinstance(result, PeriodLine) else result,
            line=result if is_line else None,  # type: ignore[arg-type]
            second_fingerprint=None,
        )
    )


@face_of.register
def _(result: GapWatch) -> FaceOfAnswer:
    question, first = result.question, next((each.batch for each in result.batches), "")
    favorable, protected = _read(question.favorable), require(_read(question.protected))
    asked: dict[str, Any] = {"protected": question.protected, "where": question.where}
    return _shown(
        WatchFinding(
            plan=WatchPlan(batches=first, tolerance=question.tolerance, confidence=question.confidence, **asked),
            meaning=require(favorable).in_words(),
            where_words=_words(question.where),
            protected_words=protected.in_words(),
            names=names_of(plan_of(question.decision, favorable), CheckPlan(**asked), protected),
            result=result,
        )
    )


@face_of.register
def _(result: DetectableGap) -> FaceOfAnswer:
    from fairaudit.sections.detectable import detectable_picture, detectable_table, say_detectable_alone

    return FaceOfAnswer(
        say_detectable_alone(result), lambda: detectable_picture(result), lambda: [detectable_table(result)]
    )


@face_of.register
def _(result: Verification) -> FaceOfAnswer:
    return FaceOfAnswer(say_verification(result), lambda: None, lambda: verification_tables(result))


# Searches and inspections.


@dataclass(frozen=True)
class _Names:
    """Columns and conditions as a result names them, in the place of its table."""

    columns: tuple[str, ...]

    def condition(self, text: str | None) -> Condition | None:
        """Return a condition on any columns."""
        return _read(text)


def _columns_named(*texts: str | None) -> tuple[str, ...]:
    """Return which of some texts name a column, and are no condition."""
    return tuple(text for text in texts if text is not None and not _is_condition(text))


def _is_condition(text: str) -> bool:
    try:
        return len(require(_read(text)).columns) > 0 and any(sign in text for sign in "=<>' ")
    except ConditionError:
        return False


def _inspection_of(result: OutcomeTest, **held: Any) -> InspectionFinding:
    from fairaudit.sections.searches.answering import finding_of

    asked = InspectionPlan.model_construct(
        where=result.where,
        acted=result.acted,
        found=result.found,
        group=result.group,
        strata=result.strata,
        confidence=result.confidence,
    )
    names: Any = _Names(_columns_named(result.acted, result.found, *result.group, *result.strata))
    return finding_of(names, None, asked, result, **held)


@face_of.register
def _(result: OutcomeTest) -> FaceOfAnswer:
    return _shown(_inspection_of(result))


@face_of.register
def _(result: Rankings) -> FaceOfAnswer:
    same = ("lowest_first", "first", "lists", "merit", "strata", "where", "tolerance", "confidence")
    settings: dict[str, Any] = {name: getattr(result, name) for name in same} | {result.ordered_by: result.column}
    asked = RankingsPlan(protected=result.protected_condition, **settings)
    protected = require(_read(result.protected_condition))
    return _shown(ranked(NamesPlan(), asked, result, protected, _read(result.where)))


@face_of.register
def _(result: ThresholdTest) -> FaceOfAnswer:
    def picture() -> Chart:
        from fairaudit.sections.searches.charts import thresholds_alt, thresholds_chart

        title = say(Message("searches-chart-places"))
        return Chart("thresholds", title, thresholds_alt(finding), thresholds_chart(finding))

    def tables() -> list[TableBlock]:
        from fairaudit.sections.searches.tables import threshold_groups_table, thresholds_table

        return [threshold_groups_table(finding, 1), thresholds_table(finding, 1)]

    finding = _inspection_of(require(result.finds), thresholds=result)
    return FaceOfAnswer(SECTION_OF["inspections"].say(finding), picture, tables)


def _veil_groups(result: VeilOfDarkness) -> tuple[tuple[str, GroupName], ...]:
    """Return what the groups of one column are called; those of several, or of a condition, have their own names."""
    named = [*(gap.name for gap in result.gaps), require(result.reference)]
    if len(result.group) != 1 or not _columns_named(*result.group):
        return ()
    return tuple(
        (name, group_name(NamesPlan(), Condition.equals(result.group[0], name, result.group))) for name in named
    )


@face_of.register
def _(result: VeilOfDarkness) -> FaceOfAnswer:
    from fairaudit.sections.searches.saying import say_veil_alone

    def picture() -> Chart:
        from fairaudit.sections.searches.charts import veil_alt, veil_chart

        return Chart("veil", say(Message("searches-chart-light")), veil_alt(finding), veil_chart(finding))

    def tables() -> list[TableBlock]:
        from fairaudit.sections.searches.tables import veil_hours_table, veil_table

        return [veil_table(finding, 1), veil_hours_table(finding, 1)]

    veil = VeilPlan.model_construct(acted_only=False)
    asked = InspectionPlan.model_construct(where=result.where, group=result.group, veil=veil)
    outcome: Any = None
    finding = InspectionFinding(
        plan=asked,
        acted_words="",
        found_words="",
        group_words=" and ".join(result.group),
        where_words=_words(result.where),
        outcome=outcome,
        thresholds=None,
        veil=result,
        verb=Message("name-looked-at"),
        similar=None,
        groups=_veil_groups(result),
    )
    return FaceOfAnswer(say_veil_alone(finding), picture, tables)
