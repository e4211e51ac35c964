"""The pages of a report that a committee reads: the finding on the first, how it was found after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from fairaudit.audit.result import AuditResult, CheckFinding
from fairaudit.catalog import SECTIONS
from fairaudit.disclosure.fields import Field
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.grouping import value_text
from fairaudit.measure.verdicts import verdict_of
from fairaudit.messages import any_of, say
from fairaudit.plan.audit_plan import Opens
from fairaudit.plan.sealing import SealPlan
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
)
from fairaudit.present.measuring import say_measure_of
from fairaudit.present.numbers import confidence_text
from fairaudit.report.remedies import compared_charts, is_any_remedy, remedies_pages, remedies_part
from fairaudit.sections.check import limit_of, sizes
from fairaudit.sections.check.chapter import say_compared
from fairaudit.sections.check.charts import (
    check_chart,
    check_chart_text,
    check_chart_title,
    sizes_chart,
)
from fairaudit.sections.check.reading import quantity_of
from fairaudit.sections.compare import say_comparison
from fairaudit.sections.compare.reading import Remedies
from fairaudit.sections.explain import read_explanation
from fairaudit.sections.opening import SHORT, UNSAID, Opening, opening_of

REMEDIES = "remedies"
"""The kind of an opening on all remedies that were tried."""


def openings(result: AuditResult) -> tuple[Opening, ...]:
    """Return what the findings of an audit come to; that which it is about comes first, what is hidden last.

    It is about the part that its plan opens with; an audit that asks nothing, about its remedies.
    """
    found = [
        section.opening(finding, number, result)
        for section in SECTIONS
        for number, finding in enumerate(section.found(result), start=1)
    ]
    if not found and result.tried is not None and is_any_remedy(result.tried):
        return (_tried(result.tried),)
    about, order = result.plan.opens_with, get_args(Opens)
    return tuple(sorted(found, key=lambda each: (not each.is_shown, each.kind != about, order.index(each.kind))))


def asked_of(result: AuditResult, found: Sequence[Opening]) -> str:
    """Return what was asked: in the words of the plan, else of the question that the report opens with."""
    if title := " ".join((result.plan.report.title or "").split()):
        return title
    if not found:
        return say(Message("report-audit"))
    return say_asked(result.checks[0]) if found[0].kind == "checks" else found[0].title


def say_asked(finding: CheckFinding) -> str:
    """Return what a check asks, in a few words."""
    names = finding.names
    args: dict[str, Argument] = {
        "protected": names.protected, "others": names.others, "verb": names.verb,
        "title": Phrase(check_chart_title(replace(finding, strata=None))),
    }  # fmt: skip
    return say(Message(f"report-asked-{finding.result.quantity}", args))


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
        good = decision.favorable_when or any_of(decision.favorable)
        args: dict[str, Argument] = {"kind": Word(decision.kind.name), "what": Word(what), "good": Phrase(good)}
        said.append(Message("report-decision", args | {"column": Phrase(decision.column)}))
    score = plan.score
    if score is not None and score.cut is not None and plan.prediction is None:
        side = Word("below" if score.higher_is_favorable else "from")
        cut = Phrase(value_text(score.cut))
        said.append(Message("report-cut", {"column": Phrase(score.column), "cut": cut, "side": side}))
    return said


def _tried(tried: Remedies) -> Opening:
    title, charts = say(Message("report-could-be-done")), compared_charts(tried)
    return opening_of(REMEDIES, title, say_comparison(tried), chart=charts[0] if charts else None)


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
    if measure := say_measure_of(result.plan):
        blocks += [Heading(2, say(Message("measure-heading"))), Paragraph(say(measure))]
    if (sealed := say_sealed(result)) is not None:
        blocks.append(Paragraph(say(sealed)))
    if result.checks:
        shown = None if found[0].chart is None or not _is_drawn(found[0], found) else found[0].chart.key
        blocks += _compared(result.checks[0], shown, say_decided(result))
    elif decided := say_decided(result):
        blocks.append(Paragraph(say(decided)))
    blocks += _reasons(result)
    if charts := _other_charts(shown_of(found)[:MOST_STRIPS]):
        blocks += [Heading(2, say(Message("report-also-asked"))), *charts]
    ranges = _sure(result, found)
    blocks += ranges
    if result.plan.small_cells.mask:
        hidden = [Message("report-hidden", {"minimum": Count(result.plan.small_cells.minimum)})]
        if names := dict.fromkeys(each.title.rstrip("?") for each in found if not each.is_shown):
            hidden.append(Message("report-unseen", {"names": Phrase("; ".join(names))}))
        blocks.append(Note(say(hidden)))
    # The annexes are named below the table of answers, where there is one.
    blocks += [] if ranges else [Note(say(Message("report-annexes")))]
    blocks += [] if found[0].kind == REMEDIES else remedies_pages(result)
    return blocks if result.plan.seal is None else [*blocks, _to_check(result, result.plan.seal)]


def say_sealed(result: AuditResult) -> Message | None:
    """Say that what is asked was fixed first, or what changed after; None where the plan was not sealed."""
    seal, changed = result.plan.seal, result.changed_since_seal
    if seal is None or changed is None:
        return None
    args: dict[str, Argument] = {
        "when": Phrase(f"{seal.day.day} {seal.day:%B %Y, %H:%M} UTC"),
        "named": Word("no" if seal.by is None else "yes"),
        "by": Phrase(" ".join((seal.by or "").split())),
    }
    if not changed:
        return Message("report-sealed", args)
    parts = [say(Message("seal-part", {"part": Word(name), "name": Phrase(name)})) for name in changed]
    return Message("report-sealed-changed", args | {"parts": Phrase(", ".join(parts))})


def _to_check(result: AuditResult, set_before: SealPlan) -> KeyValues:
    """Return by what a report is known, to be checked: what was asked, and the data."""
    audit, data = say(Message("report-check-audit")), say(Message("report-check-data"))
    rows = [(audit, result.plan_digest), *([(data, result.data.fingerprint)] if result.data.fingerprint else [])]
    seal = say(Message("report-check-seal"))
    rows.append((seal, set_before.code))
    return KeyValues(say(Message("report-check")), tuple(rows), code=(audit, data, seal))


def _compared(finding: CheckFinding, shown: str | None, decided: Sequence[Message]) -> list[Block]:
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
    if not tables or not result.checks:
        return []
    first = result.checks[0]
    quantity = quantity_of(first)
    rule = {"quantity": Word(quantity.kind), "limit": found[0].limit or limit_of(first, quantity)}
    return [
        Heading(2, say(Message("report-sure"))),
        Paragraph(say(Message("report-sure-rule", rule))),
        *(replace(table, note=say([Message("report-table-note"), Message("report-annexes")])) for table in tables),
    ]
