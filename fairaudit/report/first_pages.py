"""The pages of a report that a committee reads: the finding on the first, how it was found after it.

To give a kind of finding its place there: a function from the finding and its number to an `Opening`, and a line in
`KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairaudit.audit.result import (
    AmountFinding,
    AuditResult,
    ChangeFinding,
    CheckFinding,
    ErrorsFinding,
    ExplanationFinding,
    InspectionFinding,
    SubgroupsFinding,
)
from fairaudit.disclosure.fields import Field
from fairaudit.errors import sure
from fairaudit.findings import Argument, Count, Message, Phrase, Said, Word
from fairaudit.measure.grouping import value_text
from fairaudit.measure.verdicts import verdict_of
from fairaudit.messages import say, say_verdicts
from fairaudit.present.blocks import (
    Block,
    Chart,
    Heading,
    Items,
    KeyValues,
    Note,
    Pair,
    Paragraph,
    ShortSection,
    Strip,
    TableBlock,
    cell_text,
)
from fairaudit.present.numbers import confidence_text
from fairaudit.presets.findings import PresetFinding
from fairaudit.report.checks import say_compared
from fairaudit.report.remedies import compared_charts, is_any_remedy, remedies_pages, remedies_part
from fairaudit.sections.change import say_change
from fairaudit.sections.change.charts import change_chart, change_chart_text, change_chart_title
from fairaudit.sections.change.reading import period_names
from fairaudit.sections.check import likely_range, limit_of, next_step, say_check, say_similar, sizes
from fairaudit.sections.check.charts import (
    check_chart,
    check_chart_text,
    check_chart_title,
    check_row,
    check_row_text,
    sizes_chart,
)
from fairaudit.sections.check.reading import quantity_of
from fairaudit.sections.compare import say_comparison
from fairaudit.sections.compare.reading import Remedies
from fairaudit.sections.errors import errors_title, read_errors, say_errors
from fairaudit.sections.errors.charts import errors_chart, errors_chart_text, errors_chart_title
from fairaudit.sections.errors.reading import ErrorReading, group_name
from fairaudit.sections.errors.saying import say_range, say_reading
from fairaudit.sections.explain import read_explanation, say_explanation
from fairaudit.sections.explain.charts import explanation_chart, explanation_chart_text, explanation_chart_title
from fairaudit.sections.forms import say_form
from fairaudit.sections.forms.charts import form_chart, form_chart_text, form_chart_title, has_chart
from fairaudit.sections.forms.saying import say_strip
from fairaudit.sections.searches import read_searches, say_searches
from fairaudit.sections.searches.charts import searches_chart, searches_chart_text, searches_chart_title
from fairaudit.sections.searches.saying import limit_of as searches_limit
from fairaudit.sections.searches.saying import pair_of
from fairaudit.sections.searches.saying import say_range as searches_range
from fairaudit.sections.worst import read_worst, say_worst
from fairaudit.sections.worst import title as worst_title
from fairaudit.sections.worst.charts import worst_chart, worst_chart_text, worst_chart_title

NEXT = {
    "errors": "report-next-errors",
    "subgroups": "report-next-worst",
    "changes": "report-next-changed",
    "inspections": "report-next-searches",
}
"""What to do after a finding, by its kind."""

NEXT_EXPLAINED = {
    "explained": "report-next-explained",
    "partly_explained": "report-next-left",
    "not_explained": "report-next-unexplained",
}
"""What to do after an explanation, by its verdict."""

REMEDIES = "remedies"
"""The kind of an opening on all remedies that were tried."""

UNSAID = ("not_shown", "nothing_to_compare")
HIDDEN = ("verdict-not-shown",)
"""Verdicts of findings of which small counts leave nothing."""


@dataclass(frozen=True)
class Opening:
    """A finding as the first pages of a report have it.

    Parameters
    ----------
    kind : str
        The field of an `AuditResult` that holds the finding.
    title : str
        What was asked, or of whom, in a few words.
    verdict, headline : str
        What came out, in a few words and in a sentence.
    lead : tuple of str
        The sentences below it.
    brief : tuple of str
        Those of them that stand where other answers follow: both figures, and what happens among similar cases.
    caution : str
        The one caution, which changes what the reader does; empty without one.
    short : str
        The one sentence for where there is room for no other.
    counts, likely : str
        How many were compared; how large the gap is and may be.
    chart : Chart, optional
        The picture of the finding.
    row : Chart, optional
        The same in one line, for beside words.
    rows : tuple of tuple of str
        Who was compared, the gap and its range exactly, and the verdict: one, or one for either error.
    next_step : str
        What to do after it.
    limit : Argument, optional
        The tolerance by which it is judged; None where that is the one of the first check.
    is_shown : bool
        Whether small counts leave anything of it to be said.
    """

    kind: str
    title: str
    verdict: str
    headline: str
    lead: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    caution: str = ""
    short: str = ""
    counts: str = ""
    likely: str = ""
    chart: Chart | None = None
    row: Chart | None = None
    rows: tuple[tuple[str, str, str, str], ...] = ()
    next_step: str = ""
    limit: Argument | None = None
    is_shown: bool = True


def openings(result: AuditResult) -> tuple[Opening, ...]:
    """Return what the findings of an audit come to; that which it is about comes first, what is hidden last.

    It is about the part that its plan opens with; an audit that asks nothing, about its remedies.
    """
    found = [
        make(finding, number, result)
        for kind, make in KINDS.items()
        for number, finding in enumerate(getattr(result, kind), start=1)
    ]
    if not found and result.tried is not None and is_any_remedy(result.tried):
        return (_tried(result.tried),)
    about = result.plan.opens_with
    first = ("checks", "amounts") if about == "checks" else (about,)
    return tuple(sorted(found, key=lambda each: (not each.is_shown, each.kind not in first)))


def asked_of(result: AuditResult, found: Sequence[Opening]) -> str:
    """Return what was asked: in the words of the plan, else of the question that the report opens with."""
    if title := " ".join((result.plan.report.title or "").split()):
        return title
    if not found:
        return say(Message("report-audit"))
    return say_asked(result.answers[0]) if found[0].kind in ("checks", "amounts") else found[0].title


def say_asked(finding: CheckFinding | AmountFinding) -> str:
    """Return what a check asks, in a few words."""
    names = finding.names
    asked: dict[str, Argument] = {"protected": names.protected, "others": names.others}
    if isinstance(finding, CheckFinding):
        return say(Message("report-asked-share", asked | {"verb": names.verb}))
    return say(
        Message("report-asked-amount", asked | {"title": Phrase(check_chart_title(replace(finding, strata=None)))})
    )


def audited(result: AuditResult) -> str:
    """Return the data that were audited, and how many rows they have."""
    name, n = Phrase(result.data.name), result.data.n_rows
    if n is None:
        return say(Message("report-data-unsized", {"name": name}))
    return say(Message("report-data", {"name": name, "n": Count(n)}))


def say_decided(result: AuditResult) -> list[Message]:
    """Say what was decided and which of it is favourable and, of a score, from where on people are flagged."""
    plan, said = result.plan, list[Message]()
    if plan.names_decision:
        decision = plan.decision
        what = "outcome" if plan.decision_is_outcome else "decision"
        good = decision.favorable_when or ", ".join(map(str, decision.favorable))
        args: dict[str, Argument] = {"kind": Word(decision.kind.name), "what": Word(what), "good": Phrase(good)}
        said.append(Message("report-decision", args | {"column": Phrase(decision.column)}))
    score = plan.score
    if score is not None and score.cut is not None and plan.prediction is None:
        side = Word("below" if score.higher_is_favorable else "from")
        cut = Phrase(value_text(score.cut))
        said.append(Message("report-cut", {"column": Phrase(score.column), "cut": cut, "side": side}))
    return said


def _of_said(kind: str, title: str, said: Said, **more: Any) -> Opening:
    lead = tuple(map(say, said.lead))
    caution = next((say(each) for each in (*said.lead, *said.caution) if each.severity == "caution"), "")
    if kind in NEXT:
        more = {"next_step": say(Message(NEXT[kind]))} | more
    more["is_shown"] = said.verdict.key not in HIDDEN
    more.setdefault("short", f"{say(said.headline)}.")
    more.setdefault("brief", lead[:SHORT])
    return Opening(kind, title, say_verdicts(said), say(said.headline), lead, caution=caution, **more)


def _check(finding: CheckFinding | AmountFinding, number: int, result: AuditResult) -> Opening:
    kind = "checks" if isinstance(finding, CheckFinding) else "amounts"
    names = finding.names
    title = finding.plan.title or say(Message("report-who", {"protected": names.protected, "others": names.others}))
    said, step = say_check(finding), next_step(finding, tried=bool(result.tried or result.explanations))
    more: dict[str, Any] = {"next_step": "" if step is None else say(step)}
    if similar := [message for message in say_similar(finding)[:1] if message in said.lead]:
        # How sure the answer is stands in its strip.
        more["brief"] = tuple(map(say, (said.lead[0], *similar)))
    if verdict_of(finding.result) not in UNSAID:
        shown = likely_range(finding)
        among = [other for other in result.answers if verdict_of(other.result) not in UNSAID]
        row = check_row(finding, among if kind == "checks" else ())
        key = f"check_{number}"
        more |= {
            "counts": "" if not sizes(finding) else f"{', '.join(map(say, sizes(finding)))}.",
            "likely": "" if shown is None else say(shown),
            "rows": ((title, *_figures(finding), say_verdicts(said)),),
            "row": Chart(f"{key}_row", check_chart_title(replace(finding, strata=None)), check_row_text(finding), row),
            "chart": Chart(
                f"{key}_chart", check_chart_title(finding), check_chart_text(finding), check_chart(finding),
            ),
        }  # fmt: skip
    return _of_said(kind, title, said, **more)


def _figures(finding: CheckFinding | AmountFinding) -> tuple[str, str]:
    """Return the gap and its range exactly, in the share that sentences speak of."""
    gap, (low, high) = finding.result.difference, finding.result.difference_interval
    if isinstance(finding, CheckFinding):
        if finding.names.of_unfavorable:
            gap, low, high = -gap, -high, -low
        return cell_text(gap, "points"), cell_text((low, high), "points_interval")
    digits = quantity_of(finding).digits
    return cell_text(gap, "difference", digits=digits), cell_text((low, high), "difference_interval", digits=digits)


def _errors(finding: ErrorsFinding, number: int, result: AuditResult) -> Opening:
    said = say_errors(finding)
    if read_errors(finding).state != "compared":
        return _of_said("errors", errors_title(finding), said)
    title, text = errors_chart_title(), errors_chart_text(finding)
    chart = Chart(f"errors_{number}_chart", title, text, errors_chart(finding))
    named = [error for error in read_errors(finding).errors if error.gap is not None]
    likely = " ".join(say(each) for error in named if (each := say_range(finding, error)) is not None)
    rows = tuple(_error_row(finding, error) for error in named)
    return _of_said("errors", errors_title(finding), said, chart=chart, likely=likely, rows=rows)


def _error_row(finding: ErrorsFinding, error: ErrorReading) -> tuple[str, str, str, str]:
    args: dict[str, Argument] = {
        "title": Phrase(errors_title(finding)),
        "error": Word(error.kind),
        "group": group_name(finding, error.worst or ""),
        "other": group_name(finding, error.other or ""),
    }
    figures = cell_text(error.gap, "points"), cell_text(error.interval, "points_interval")
    return say(Message("report-pair-error", args)), *figures, say(say_reading(error))


def _worst(finding: SubgroupsFinding, number: int, result: AuditResult) -> Opening:
    said = say_worst(finding)
    if read_worst(finding).verdict in UNSAID:
        return _of_said("subgroups", worst_title(finding), said)
    title, text = worst_chart_title(finding), worst_chart_text(finding)
    chart = Chart(f"subgroups_{number}_chart", title, text, worst_chart(finding))
    return _of_said("subgroups", worst_title(finding), said, chart=chart)


def _explanation(finding: ExplanationFinding, number: int, result: AuditResult) -> Opening:
    said = say_explanation(finding)
    title = say(Message("report-explained"))
    if finding.result.gap.value is None:
        return _of_said("explanations", title, said)
    chart = Chart(
        f"explanation_{number}_chart",
        explanation_chart_title(finding),
        explanation_chart_text(finding),
        explanation_chart(finding),
    )
    step = say(Message(NEXT_EXPLAINED.get(read_explanation(finding).verdict, "report-next-other")))
    return _of_said("explanations", title, said, chart=chart, next_step=step)


def _change(finding: ChangeFinding, number: int, result: AuditResult) -> Opening:
    said = say_change(finding)
    title = say(Message("report-changed", {"n": Count(len(period_names(finding)))}))
    if said.verdict.key in ("verdict-not-shown", "verdict-nothing-to-compare"):
        return _of_said("changes", title, said)
    chart = Chart(
        f"change_{number}_chart", change_chart_title(finding), change_chart_text(finding), change_chart(finding)
    )
    # By how much, which its headline does not say.
    return _of_said("changes", title, said, chart=chart, short=say(said.lead[0]))


def _inspection(finding: InspectionFinding, number: int, result: AuditResult) -> Opening:
    said, title = say_searches(finding), say(Message("searches-title"))
    if read_searches(finding).verdict in UNSAID:
        return _of_said("inspections", title, said)
    caption, text = searches_chart_title(finding), searches_chart_text(finding)
    chart = Chart(f"inspection_{number}_chart", caption, text, searches_chart(finding))
    row = sure(read_searches(finding).leading)
    pair = say(Message("report-pair", {"title": Phrase(title), **pair_of(finding)}))
    figures = cell_text(row.difference, "points"), cell_text((row.low, row.high), "points_interval")
    likely = "" if (shown := searches_range(finding)) is None else say(shown)
    rows = ((pair, *figures, say_verdicts(said)),)
    return _of_said("inspections", title, said, chart=chart, likely=likely, rows=rows, limit=searches_limit(finding))


def _form(finding: PresetFinding, number: int, result: AuditResult) -> Opening:
    said = say_form(finding)
    likely = "" if (strip := say_strip(finding)) is None else say(strip)
    if not has_chart(finding):
        return _of_said("presets", finding.title, said, likely=likely)
    chart = Chart(f"preset_{number}_chart", form_chart_title(finding), form_chart_text(finding), form_chart(finding))
    return _of_said("presets", finding.title, said, chart=chart, likely=likely)


def _tried(tried: Remedies) -> Opening:
    title, charts = say(Message("report-could-be-done")), compared_charts(tried)
    return _of_said(REMEDIES, title, say_comparison(tried), chart=charts[0] if charts else None)


KINDS: Mapping[str, Callable[[Any, int, AuditResult], Opening]] = {
    "errors": _errors,
    "subgroups": _worst,
    "explanations": _explanation,
    "changes": _change,
    "inspections": _inspection,
    "checks": _check,
    "amounts": _check,
    "presets": _form,
}
"""By the field of an `AuditResult`, in the order of a report."""


# The pages.

MOST_STRIPS = 4
"""More questions than these are answered in the annexes alone."""

NOT_SAID = {
    "why": "report-not-said-why",
    "right": "report-not-said-right",
    "treated": "report-not-said-treated",
    "law": "report-not-said-law",
}
"""What no answer says: of decisions, and of what truly happened."""

MOST_BESIDE = 3
"""With more findings than these there is no room for the whole picture of a check on the first page."""

SHORT = 2
"""So many sentences are said below the title where there is more than one question."""


def shown_of(found: Sequence[Opening]) -> Sequence[Opening]:
    """Return the findings of which something is shown, or the first, where nothing is."""
    return [each for each in found if each.is_shown] or found[:1]


def headline_of(found: Sequence[Opening]) -> str:
    """Return the finding of an audit in a sentence: that of what it is about."""
    return found[0].headline if found else say(Message("report-nothing"))


def first_pages(result: AuditResult, found: Sequence[Opening]) -> list[Block]:
    """Return all blocks of the report."""
    if not found:
        return [Paragraph(say(Message("report-nothing-lead")), lead=True)]
    return [*_finding(result, found), *_how_found(result, found)]


def answers_table(result: AuditResult, found: Sequence[Opening]) -> list[TableBlock]:
    """Return all answers with their exact ranges: the first table of both files."""
    rows = tuple(row for each in found for row in each.rows)
    if not rows:
        return []
    plan = result.plan
    levels = {part.confidence for part in plan.checks} | {part.confidence for part in plan.errors}
    levels |= {part.confidence for part in plan.inspections}
    level = Phrase(" or ".join(map(confidence_text, sorted(levels))))
    columns = (
        Field("question", say(Message("report-column-question")), "text", "What was asked."),
        Field("gap", say(Message("report-column-gap")), "number", "Protected group minus the others."),
        Field("interval", say(Message("report-column-range", {"level": level})), "number", "Its range."),
        Field("verdict", say(Message("report-column-verdict")), "text", "What came out."),
    )
    return [TableBlock("answers", say(Message("report-table")), columns, rows, say(Message("report-table-note")))]


def _finding(result: AuditResult, found: Sequence[Opening]) -> list[Block]:
    """Return the first page: what came out, what could be done, what that does not say, what to do next."""
    first, *_ = found
    found = shown_of(found)
    remedies = None if first.kind == REMEDIES else remedies_part(result)
    lead = first.lead
    if len(found) > 1 and first.row is not None and not _is_drawn(first, found):
        # Both shares stand in its strip.
        lead = first.brief[1:]
    elif len(found) > SHORT and first.row is None:
        lead = lead[:1]
    elif len(found) > 1 or remedies is not None:
        lead = first.brief
    if first.caution not in lead:
        lead = (*lead, first.caution)
    blocks: list[Block] = [Paragraph(" ".join(part for part in lead if part), lead=True)] if any(lead) else []
    cautions = {"", first.caution}
    for each in found[:MOST_STRIPS]:
        is_drawn = _is_drawn(each, found)
        if each is not first and each.caution in cautions:
            each = replace(each, caution="")
        cautions.add(each.caution)
        # How many were compared stands on the next page, and in the annexes.
        counted = each if len(found) == 1 else replace(each, counts="")
        blocks.append(_strip(counted, with_row=not is_drawn, is_first=each is first))
        blocks += [each.chart] if is_drawn and each.chart is not None else []
    if more := len(found) - len(found[:MOST_STRIPS]):
        blocks.append(Paragraph(say(Message("report-more", {"n": Count(more)}))))
    right = "treated" if result.plan.decision_is_outcome else "right"
    unsaid = tuple(say(Message(key)) for key in (NOT_SAID["why"], NOT_SAID[right], NOT_SAID["law"]))
    not_said = ShortSection(say(Message("report-not-said")), (Items(unsaid),))
    step = first.next_step or say(Message("report-next-other"))
    next_step = ShortSection(say(Message("report-next")), (Paragraph(step),))
    return [*blocks, *([] if remedies is None else [remedies]), Pair(not_said, next_step)]


def _is_drawn(each: Opening, found: Sequence[Opening]) -> bool:
    """Say whether the whole picture of an answer stands on the first page: that of the first, where there is room."""
    if each is not found[0] or each.chart is None:
        return False
    # Questions of one kind stand on one scale; beside a few others, the one check has its whole picture.
    return each.row is None or (len(found) <= MOST_BESIDE and sum(other.row is not None for other in found) == 1)


def _strip(each: Opening, *, with_row: bool, is_first: bool) -> Strip:
    said = f"{each.counts} {each.likely}".strip()
    if each.row is None and not is_first and each.kind != "presets":
        # Who that is stands in no picture beside it.
        said = f"{each.short} {said}".strip()
    if not is_first:
        said = f"{said} {each.caution}".strip()
    return Strip(each.title, f"{each.verdict}.", said, each.row if with_row else None)


def _how_found(result: AuditResult, found: Sequence[Opening]) -> list[Block]:
    """Return the pages after it: who was compared, similar cases, and how sure that is."""
    blocks: list[Block] = [Heading(1, say(Message("report-how")), starts_page=True)]
    purpose = " ".join((result.plan.report.purpose or "").split())
    if purpose:
        blocks += [Heading(2, say(Message("report-why"))), Paragraph(purpose)]
    if result.answers:
        shown = None if found[0].chart is None or not _is_drawn(found[0], found) else found[0].chart.key
        blocks += _compared(result.answers[0], shown, say_decided(result))
    elif decided := say_decided(result):
        blocks.append(Paragraph(say(decided)))
    blocks += _reasons(result)
    if charts := _other_charts(shown_of(found)[:MOST_STRIPS]):
        blocks += [Heading(2, say(Message("report-also-asked"))), *charts]
    ranges = _sure(result, found)
    blocks += ranges
    if result.plan.small_cells.mask:
        hidden = [Message("report-hidden", {"minimum": Count(result.plan.small_cells.minimum)})]
        if names := dict.fromkeys(each.title for each in found if not each.is_shown):
            hidden.append(Message("report-unseen", {"names": Phrase("; ".join(names))}))
        blocks.append(Note(say(hidden)))
    # The annexes are named below the table of answers, where there is one.
    blocks += [] if ranges else [Note(say(Message("report-annexes")))]
    return blocks if found[0].kind == REMEDIES else [*blocks, *remedies_pages(result)]


def _compared(finding: CheckFinding | AmountFinding, shown: str | None, decided: Sequence[Message]) -> list[Block]:
    """Return what was decided, who was compared, and what comes out among similar cases; its picture unless `shown`."""
    names, counts = finding.names, (finding.result.protected.n, finding.result.reference.n)
    args: dict[str, Argument] = {"protected": names.protected, "others": names.others}
    blocks: list[Block] = [Heading(2, say(Message("report-compared")))]
    blocks.append(Paragraph(say([*decided, *say_compared(finding, left_out=False)])))
    if None not in counts and all(counts):
        own, other = sizes(finding)
        alt = say(Message("report-compared-both", {"own": own, "other": other}))
        blocks.append(Chart("sizes", say(Message("report-compared")), alt, sizes_chart(finding)))
    blocks.append(Heading(2, say(Message("report-similar"))))
    if names.similar is None:
        return [*blocks, Paragraph(say(Message("report-similar-not-asked")))]
    blocks.append(Paragraph(say(Message("report-similar-asked", args | {"similar": names.similar}))))
    if verdict_of(finding.result) not in UNSAID and shown != "check_1_chart":
        title, text = check_chart_title(finding), check_chart_text(finding)
        blocks.append(Chart("check_1_chart", title, text, check_chart(finding)))
    return blocks


def _other_charts(found: Sequence[Opening]) -> list[Chart]:
    """Return the pictures of further kinds of questions, one each; the annexes hold all."""
    first, *others = found
    by_kind = {each.kind: each for each in reversed(others) if each.row is None and each.chart is not None}
    if _is_drawn(first, found):
        by_kind.pop(first.kind, None)
    return [each.chart for each in others if by_kind.get(each.kind) is each and each.chart is not None]


def _reasons(result: AuditResult) -> list[Block]:
    """Return why the columns that explain a gap may rightly count, as the person says."""
    shown = [finding for finding in result.explanations if read_explanation(finding).verdict != "not_shown"]
    rows = tuple((each.column, " ".join(each.reason.split())) for finding in shown for each in finding.plan.controls)
    return [Heading(2, say(Message("report-reasons"))), KeyValues(None, rows)] if rows else []


def _sure(result: AuditResult, found: Sequence[Opening]) -> list[Block]:
    """Return what a range and a verdict mean, and all answers with theirs."""
    tables = answers_table(result, found)
    if not tables or not result.answers:
        return []
    first = result.answers[0]
    quantity = quantity_of(first)
    rule = {"quantity": Word(quantity.kind), "limit": found[0].limit or limit_of(first, quantity)}
    return [
        Heading(2, say(Message("report-sure"))),
        Paragraph(say(Message("report-sure-rule", rule))),
        *(replace(table, note=say([Message("report-table-note"), Message("report-annexes")])) for table in tables),
    ]
