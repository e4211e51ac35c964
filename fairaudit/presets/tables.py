"""The tables of the form of a rule, in full, and the CSV file that is published."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import takewhile

from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.measure.grouping import value_text
from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.limits import amount_digits
from fairaudit.measure.standardized import MeanRow
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock, cell_text, csv_bytes
from fairaudit.present.naming import capital, percent
from fairaudit.present.numbers import NOT_SHOWN, number_text, share_text, shown
from fairaudit.presets.findings import MeansFinding, PayFinding, PresetFinding, RatesFinding
from fairaudit.sections.forms.details import (
    NOT_FROM_MEANS,
    NOT_IN_COUNTS,
    form_notes,
    how_computed,
    limits,
    pay_digits,
    pay_item,
    pay_title,
    rate_word,
    say_by,
    say_mean_row,
    say_pay_row,
    say_rate_row,
    table_note,
    who_is_compared,
)  # fmt: skip
from fairaudit.sections.forms.reading import marking_limit
from fairaudit.sections.forms.records import COLUMNS as RECORD_COLUMNS
from fairaudit.sections.forms.records import record_table
from fairaudit.sections.forms.saying import selected_word, status_facts

LEVEL = percent(USUAL_CONFIDENCE)
READING = Field("reading", "reading", "text", "How the row is read.")

RATES_SHOWN = ("n", "positives", "rate", "impact_ratio", "z", "p_value", "test", "reading")
MEANS_SHOWN = ("n", "mean", "difference", "standardized", "p_value", "reading")
PAY_SHOWN = ("n_protected", "n_reference", "protected", "reference", "gap", "gap_interval", "reading")


def preset_tables(finding: PresetFinding, number: int) -> list[TableBlock]:
    """Return every table of a form: facts, rates, means, pay."""
    tables = [facts_table(finding, number)]
    tables += [record_table(finding, number)] if finding.record is not None else []
    tables += [rates_table(finding, rates, number, i) for i, rates in enumerate(finding.rates, start=1)]
    tables += [means_table(finding, means, number, i) for i, means in enumerate(finding.means, start=1)]
    tables += [pay_table(finding, pay, number, i) for i, pay in enumerate(finding.pay, start=1)]
    if finding.preset.is_joint:
        tables.append(joint_table(finding, number))
    if finding.preset.answers_worker:
        tables.append(answer_table(finding, number))
    return tables


def stated_table(finding: PresetFinding) -> TableBlock:
    """Return what a rule on pay prescribes: of all people one row an item, of a joint assessment one a category."""
    if finding.preset.is_joint:
        return joint_table(finding, 1)
    if finding.preset.answers_worker:
        return answer_table(finding, 1)
    words = finding.preset.words
    columns = (
        Field("group_article", say(Message("form-column-asked")), "text", "Part of the rule."),
        Field("group_what", say(Message("form-column-what")), "text", "Which figure of which pay."),
        Field("protected", words.compared, "number", f"Figure of {words.compared}."),
        Field("reference", words.compared_with, "number", f"Figure of {words.compared_with}."),
        Field("gap", say(Message("form-column-gap")), "number", "What the first lack, as a share."),
    )
    asked = (pay for pay in finding.pay if not pay.has_rows and pay.table.statistic != "workforce")
    rows = [row for pay in asked for row in _stated(finding, pay)]
    whole = _common_article([row[0] for row in rows])
    title = Message("form-table-pay-of", {"article": Phrase(whole)}) if whole else Message("form-table-pay")
    cut = tuple((article.removeprefix(whole), *rest) for article, *rest in rows)
    if not any(re.search(r"\d", article) for article, *_ in rows):
        # Parts without a number say no more than what they ask for.
        return TableBlock("preset_1_stated", say(title), columns[1:], tuple(row[1:] for row in cut))
    return TableBlock("preset_1_stated", say(title), columns, cut)


def joint_table(finding: PresetFinding, number: int) -> TableBlock:
    """Return one row a category of a joint assessment: who works there, what they are paid, why, and what is done."""
    words, plan = finding.preset.words, finding.plan
    marking = [pay for pay in finding.pay if pay.check.joint]
    shares = [row for pay in finding.pay if pay.table.statistic == "share" for row in pay.table.rows]
    averages = _averages(finding)
    # Of one column of pay, no row need name it.
    several = len(marking) > 1
    columns = (
        Field("group_1", words.category, "text", "Which category."),
        *((Field("group_2", say(Message("form-column-pay")), "text", "Which column of pay."),) if several else ()),
        Field("share", say(Message("form-column-share", {"group": Phrase(words.compared)})), "share", "Of both."),
        Field("protected", averages[0], "text", f"Mean of {words.compared}."),
        Field("reference", averages[1], "text", f"Mean of {words.compared_with}."),
        Field("gap", say(Message("form-column-gap")), "share", "As a share.", beside=marking_limit(finding)),
        Field("reason", say(Message("form-column-reason")), "text", "As it was established jointly."),
        Field("remedied", say(Message("form-column-remedied")), "text", "On which day."),
        Field("measure", say(Message("form-column-measure")), "text", "What addresses the gap."),
    )
    rows: list[tuple[object, ...]] = []
    for pay in marking:
        places = pay_digits(pay.table)
        for row in pay.table.rows:
            share = next((each.protected.value for each in shares if each.name == row.name), None)
            sides = [_side(side.value, "number", places) for side in (row.protected, row.reference)]
            said = [texts.get(row.name, "") for texts in (plan.justified, plan.remedied, plan.measures)]
            named = (row.name, pay.table.column) if several else (row.name,)
            rows.append((*named, shown(share), *sides, shown(row.gap), *said))
    title = say(Message("form-table-joint"))
    return TableBlock(f"preset_{number}_joint", title, columns, tuple(rows))


def answer_table(finding: PresetFinding, number: int) -> TableBlock:
    """Return what the worker who asked is given, one row a column of pay."""
    words, worker = finding.preset.words, finding.worker
    averages = _averages(finding)
    columns = (
        Field("group_1", say(Message("form-column-pay")), "text", "Which column of pay."),
        Field("group_2", words.category, "text", "In which the averages are taken."),
        Field("own", say(Message("form-worker")), "text", "What the worker who asked is paid."),
        Field("protected", averages[0], "text", "Mean."),
        Field("reference", averages[1], "text", "Mean."),
        Field("gap", say(Message("form-column-gap")), "share", "What the first lack, as a share of the second."),
    )
    rows: list[tuple[object, ...]] = []
    for pay in (pay for pay in finding.pay if pay.check.measure == "answer"):
        row = pay.table.rows[0] if pay.table.rows else None
        own = None if worker is None else dict(worker.pay).get(pay.table.column)
        category = shown(None if worker is None else worker.category)
        means = (math.nan, math.nan) if row is None else (row.protected.value, row.reference.value)
        cells = [_side(value, "number", 2) for value in (own, *means)]
        rows.append((pay.table.column, category, *cells, shown(math.nan if row is None else row.gap)))
    article = next((pay.check.article for pay in finding.pay if pay.check.article), finding.preset.section)
    title = Message("form-table-answer", {"article": Phrase(article)})
    return TableBlock(f"preset_{number}_answer", say(title), columns, tuple(rows))


def _averages(finding: PresetFinding) -> list[str]:
    words = finding.preset.words
    return [
        say(Message("form-column-average", {"group": Phrase(name)})) for name in (words.compared, words.compared_with)
    ]


def _common_article(articles: Sequence[str]) -> str:
    """Return the article that all items are parts of, such as "Article 9(1)"; empty where they are of several.

    Examples
    --------
    >>> _common_article(["Article 9(1)(a)", "Article 9(1)(b)"]), _common_article(["Regulation 8", "Regulation 9"])
    ('Article 9(1)', '')
    """
    same = [letters[0] for letters in takewhile(lambda each: len(set(each)) == 1, zip(*articles, strict=False))]
    found = re.match(r".*\)", "".join(same))
    return found[0] if found and len(articles) > 1 else ""


def _stated(finding: PresetFinding, pay: PayFinding) -> list[tuple[str, ...]]:
    statistic, article = pay.table.statistic, pay.check.article or ""
    what = pay_role(finding, pay)
    has_gap = pay.table.has_relative_gap
    kind: Kind = "number" if has_gap else "share"
    places = pay_digits(pay.table) if has_gap else None
    if pay.is_unknowable:
        return [(article, say(pay_item(pay, what)), "", "", say(NOT_FROM_MEANS))]
    if not pay.table.rows:
        none = say(Message("form-item-none"))
        return [(article, say(pay_item(pay, what)), none, none, none)]
    rows = []
    for row in pay.table.rows:
        if statistic == "quarter":
            item = say(Message("form-item-quarter", {"quarter": Phrase(row.name)}))
        else:
            item = say(pay_item(pay, what))
        sides = [_side(side.value, kind, places) for side in (row.protected, row.reference)]
        gap = "" if not has_gap else _side(row.gap, "share", None, beside=marking_limit(finding))
        rows.append((article, item, *sides, gap))
    return rows


def _side(value: float | None, kind: Kind, places: int | None, *, beside: float | None = None) -> str:
    if value is None:
        return say(Message("form-item-hidden"))
    if math.isnan(value):
        return say(Message("form-item-none"))
    return share_text(value, beside=beside) if beside is not None else cell_text(value, kind, digits=places)


def pay_role(finding: PresetFinding, pay: PayFinding) -> Message:
    """Return what a column of pay is in the rule."""
    label = finding.preset.role(pay.check.of).label if pay.check.of else pay.table.column
    return Message("form-role", {"role": Phrase(label)})


def figure_tables(finding: PresetFinding) -> list[TableBlock]:
    """Return the tables of figures of a form, without that of its facts."""
    return preset_tables(finding, 1)[1:]


def shown_columns(table: TableBlock) -> tuple[str, ...]:
    """Return the columns of a table of a form that fit a page, as far as it has them."""
    names = tuple(column.name for column in table.columns)
    if table.columns == RECORD_COLUMNS:
        return ("label", "source", "answer")
    shown = next(
        shown
        for mark, shown in (
            ("standardized", MEANS_SHOWN),
            ("n_protected", PAY_SHOWN),
            ("own", names),
            ("measure", names),
            ("n", RATES_SHOWN),
        )
        if mark in names
    )
    return tuple(name for name in names if name.startswith("group_") or name in shown)


def facts_table(finding: PresetFinding, number: int) -> TableBlock:
    """Return what the form is about, one row a fact."""
    columns = (
        Field("fact", "fact", "text", "Which fact."),
        Field("value", "value", "text", "What it is."),
    )
    return TableBlock(f"preset_{number}_facts", finding.title, columns, facts(finding))


Facts = tuple[tuple[str, str], ...]
"""What a form is about: label and text."""


def facts(finding: PresetFinding, *, status: bool = True) -> Facts:
    """Return what the form is about; with how it stands with its rule, or without."""
    state = status_facts(finding.preset, is_overdue=finding.is_overdue) if status else ()
    return (*rule_facts(finding), *state, *published_facts(finding), *people_facts(finding))


def rule_facts(finding: PresetFinding) -> Facts:
    """Return which rule asks for the form."""
    preset = finding.preset
    rows = [
        ("Rule", preset.rule),
        ("Section", preset.section),
        ("Own file", finding.file_name),
        ("Date", preset.date),
        ("To be read at", preset.url),
    ]
    return tuple((label, value) for label, value in rows if value)


def published_facts(finding: PresetFinding) -> Facts:
    """Return the dates of a form, and where its data come from; where the rule asks for them, also that they lack."""
    plan = finding.plan
    missing = say(Message("form-not-given")) if finding.preset.publishes else None
    rows = [
        ("Date of the bias audit", plan.audit_date or missing),
        ("Distribution date", plan.distribution_date or missing),
        ("Source of the data", plan.data_words or missing),
    ]
    return tuple((label, value) for label, value in rows if value)


def people_facts(finding: PresetFinding, *, marks: bool = True) -> Facts:
    """Return who is in the tables of a form, who is not, and, with `marks`, which ratios are marked."""
    preset, plan, words = finding.preset, finding.plan, finding.preset.words
    rows: list[tuple[str, str | None]] = []
    if finding.record is None:
        # Whom each answer of an audit is about, it says itself.
        rows.append((f"{capital(words.people)} looked at", number_text(finding.n_population, digits=0)))
        rows.append(("Who is looked at", finding.where_words or "everybody"))
    rows += [(f"{preset.role(role).label}: who counts", said) for role, said in finding.counted_words]
    if finding.rates:
        rows.append(("Counts as " + selected_word(finding), finding.meaning))
        lacking = "Without a score" if finding.rate == "scoring" else "Without a decision"
        undecided = number_text(finding.undecided, digits=0)
        rows.append((lacking, say(NOT_IN_COUNTS) if finding.undecided_in_counts else undecided))
        rows += [("Marked", "; ".join(limits(finding)))] if marks else []
        if preset.unknown == "any":
            unknown = number_text(finding.rates[0].unknown, digits=0)
            rows.append(("Category unknown", say(NOT_IN_COUNTS) if finding.unknown_in_counts else unknown))
    if finding.rate == "scoring":
        rows.append(("Median score", number_text(finding.median)))
    elif finding.of_counts and finding.rates and preset.roles_of("score"):
        rows.append(("Median score, of a tool that scores", say(NOT_IN_COUNTS)))
    if finding.sides:
        rows.append(("Who is compared", " ".join(who_is_compared(finding))))
    if any(pay.check.mark_from is not None for pay in finding.pay):
        rows.append(("Day of the report", plan.reported or "not given"))
    if preset.is_joint:
        rows.append(("How earlier measures worked", plan.evaluation or "not given"))
        rows.append(("Measures", "; ".join(f"{name}: {text}" for name, text in plan.measures.items()) or "not given"))
    if preset.answers_worker:
        rows.append(("The worker who asked", plan.worker or ""))
        own = () if finding.worker is None else finding.worker.pay
        rows.append(("Own pay", "; ".join(f"{name}: {_side(value, 'number', 2)}" for name, value in own)))
    if finding.left_out:
        lacks = say(Message("form-not-given")) if preset.publishes else None
        rows.append(("Reason for small groups", plan.reason or lacks))
    counted = "; ".join(f"{column}: {', '.join(texts)}" for column, texts in finding.unknown_texts)
    rows.append(("Counted as unknown", counted))
    return tuple((label, value) for label, value in rows if value)


def rates_table(finding: PresetFinding, rates: RatesFinding, number: int, position: int) -> TableBlock:
    """Return one row a group with its rate and impact ratio."""
    words, rate = finding.preset.words, rate_word(finding)
    columns = [
        *_group_columns(finding, rates),
        Field("n", words.people, "count", "People of the group."),
        Field("positives", selected_word(finding), "count", f"Those {selected_word(finding)}."),
        Field("rate", rate, "share", "The second divided by the first."),
        Field("rate_interval", f"{rate}, {LEVEL} range", "share_interval", "Wilson's interval."),
        Field("share", "share of data", "share", "Of all in the table."),
        Field("impact_ratio", words.ratio, "number", "The rate divided by that of the reference.", digits=3),
        Field("reference", "reference", "text", "yes: the others are compared with it."),
        Field("left_out", "left out", "text", "yes: too small for a ratio."),
    ]
    if rates.check.significance:
        columns += [
            Field("z", "Z", "number", "Difference in standard deviations, pooled variance."),
            Field("p_value", "p-value", "p", "Two-sided, of the test that was used."),
            Field("test", "test", "text", "z, or fisher where an expected count is below 5."),
        ]
    if rates.check.one_person:
        columns += [
            Field("ratio_one_more", "ratio, one more", "number", "The ratio if one more were selected."),
            Field("ratio_one_fewer", "ratio, one fewer", "number", "The ratio if one fewer were selected."),
            Field(
                "ratio_instead", "ratio, one instead", "number", "The ratio if one changed places with the reference."
            ),
        ]
    columns.append(READING)
    rows = []
    for row in rates.table.rows:
        group = row.group
        cells: list[object] = [value_text(value) for _, value in row.values]
        cells += [shown(group.n), shown(group.positives), shown(group.ratio), tuple(group.interval), shown(row.share)]
        cells += ["" if row.left_out else shown(row.impact_ratio), row.is_reference, shown(row.left_out)]
        gone = group.ratio is None or row.impact_ratio is None
        if rates.check.significance:
            cells += _cells(row.significance, ("z", "p_value", "test"), gone)
        if rates.check.one_person:
            cells += _cells(row.one_person, ("ratio_one_more", "ratio_one_fewer", "ratio_instead"), gone)
        rows.append((*cells, say(say_rate_row(rates, row))))
    called: dict[str, Argument] = {
        "rate": Phrase(rate),
        "ratio": Phrase(words.ratio),
        "columns": say_by(finding, rates),
    }
    title = say(Message("form-table-rates", called))
    return TableBlock(
        f"preset_{number}_rates_{position}", title, tuple(columns), tuple(rows), note=table_note(finding, rates)
    )


def means_table(finding: PresetFinding, means: MeansFinding, number: int, position: int) -> TableBlock:
    """Return one row a group with its mean and standardised difference."""
    made, people = means.table, finding.preset.words.people
    digits = amount_digits(made.deviation)
    columns = (
        *_group_columns(finding, means),
        Field("n", people, "count", "People with a number."),
        Field("mean", "mean", "number", f"Mean of {made.column}.", digits=digits),
        Field("deviation", "standard deviation", "number", "Spread in the group.", digits=digits),
        Field("difference", "difference", "difference", "Mean minus that of the reference.", digits=digits),
        Field("standardized", "standardised", "number", "Difference divided by the overall standard deviation."),
        Field("p_value", "p-value", "p", "Welch's t test."),
        Field("reference", "reference", "text", "yes: the others are compared with it."),
        READING,
    )
    rows = []
    for row in made.rows:
        figures = [row.n, row.mean, row.deviation, row.difference, row.standardized]
        cells = [*map(shown, figures), "" if row.is_reference else shown(row.p_value), row.is_reference]
        rows.append((*(value_text(value) for _, value in row.values), *cells, say(say_mean_row(row))))
    title = say(Message("form-table-means", {"what": Phrase(made.column), "columns": say_by(finding, means)}))
    return TableBlock(f"preset_{number}_means_{position}", title, columns, tuple(rows), note=table_note(finding, means))


def pay_table(finding: PresetFinding, pay: PayFinding, number: int, position: int) -> TableBlock:
    """Return the rows of a table of pay: all people, the categories or the quarters."""
    made, words = pay.table, finding.preset.words
    women, men, statistic = words.compared, words.compared_with, made.statistic
    if statistic == "workforce":
        return _workforce_table(finding, pay, number, position)
    if pay.check.groups:
        women = words.category
    has_gap = made.has_relative_gap
    of = statistic if has_gap else "share"
    kind: Kind = "number" if has_gap else "share"
    places = pay_digits(made) if has_gap else None
    label = finding.preset.role(pay.roles[-1]).label if pay.has_rows else "who"
    who = "quarter" if statistic == "quarter" else label
    columns = [
        Field("group_1", who, "text", "Whom the row is about."),
        Field("n_protected", women, "count", "People with a number, or in the quarter."),
        Field("n_reference", men, "count", "People with a number, or in the quarter."),
        Field("protected", f"{of}, {women}", kind, f"Of {women}.", digits=places),
        Field("reference", f"{of}, {men}", kind, f"Of {men}.", digits=places),
    ]
    if has_gap:
        columns.append(
            Field(
                "gap", "gap", "share", "What the first lack, as a share of the second.", beside=marking_limit(finding)
            )
        )
    if statistic == "receiving":
        columns.append(Field("gap", "difference", "points", "The first minus the second."))
    is_told = pay.check.measure == "answer"
    if statistic == "mean" and not is_told:
        columns.append(Field("gap_interval", f"{LEVEL} range", "share_interval", "Its likely range."))
    is_read = has_gap and pay.has_rows
    if is_read:
        columns.append(READING)
    rows: list[tuple[object, ...]] = []
    if pay.is_unknowable:
        said = {
            columns[0].name: say(Message("form-all-people")),
            columns[5 if has_gap else -1].name: say(NOT_FROM_MEANS),
        }
        rows = [tuple(said.get(column.name, "") for column in columns)]
    for row in made.rows:
        sides = (row.protected, row.reference)
        cells: list[object] = [row.name, *(shown(side.n) for side in sides), *(shown(side.value) for side in sides)]
        if statistic == "receiving":
            cells.append(shown(row.gap if row.gap is None else -row.gap))
        if has_gap:
            cells.append(shown(row.gap))
        if statistic == "mean" and not is_told:
            cells.append(say(NOT_FROM_MEANS) if pay.of_means else tuple(row.interval))
        if is_read:
            cells.append(say(say_pay_row(finding, pay, row)))
        rows.append(tuple(cells))
    return TableBlock(
        f"preset_{number}_pay_{position}",
        pay_title(finding, pay),
        tuple(columns),
        tuple(rows),
        note=None if pay.is_unknowable else table_note(finding, pay),
    )


def _workforce_table(finding: PresetFinding, pay: PayFinding, number: int, position: int) -> TableBlock:
    """Return the groups of all people, and those who did not say."""
    words = finding.preset.words
    columns = (
        Field("group_1", finding.preset.role(pay.roles[0]).label, "text", "Whom the row is about."),
        Field("n_protected", words.people, "count", "People of the group."),
        Field("protected", f"share of all {words.people}", "share", "Of all that are looked at."),
    )
    rows = tuple((row.name, shown(row.protected.n), shown(row.protected.value)) for row in pay.table.rows)
    return TableBlock(f"preset_{number}_pay_{position}", pay_title(finding, pay), columns, rows)


def _group_columns(finding: PresetFinding, part: RatesFinding | MeansFinding) -> tuple[Field, ...]:
    named = zip(part.roles, part.table.columns, strict=True)
    return tuple(
        Field(f"group_{i}", finding.preset.role(role).label, "text", f"Value of {name}.")
        for i, (role, name) in enumerate(named, start=1)
    )


def _cells(part: object, names: tuple[str, ...], gone: bool) -> list[object]:
    """Return figures of a part; empty where there is none, "not shown" where it is hidden."""
    if part is None:
        return [NOT_SHOWN if gone else ""] * len(names)
    return [shown(getattr(part, name)) for name in names]


# The published CSV file: one line a group of each table, who is in none, and the facts.

CSV_FIGURES = {
    "people": "n",
    "selected": "positives",
    "rate": "rate",
    "impact_ratio": "impact_ratio",
    "mean": "mean",
    "difference": "difference",
    "standardized_difference": "standardized",
    "difference_in_standard_deviations": "z",
    "p_value": "p_value",
    "test": "test",
    "ratio_one_more": "ratio_one_more",
    "ratio_one_fewer": "ratio_one_fewer",
    "ratio_one_instead": "ratio_instead",
    "left_out": "left_out",
    "reading": "reading",
}
"""What the columns after the first two are called, and in the tables of the report."""

CSV_HEADER = ("table", "group", *CSV_FIGURES)

CSV_BLANKS = ("",) * (len(CSV_FIGURES) - 1)

CSV_PAY_HEADER = (
    "figure",
    "people_compared",
    "people_compared_with",
    "value_compared",
    "value_compared_with",
    "gap",
    "gap_low",
    "gap_high",
)
"""Further columns of a form that holds tables of pay."""


def preset_csv(finding: PresetFinding) -> bytes:
    """Return one filled form as CSV."""
    if finding.record is not None:
        table = record_table(finding, 1)
        about = [("", "", label, "", "", value) for label, value in facts(finding)]
        return csv_bytes(tuple(each.name for each in table.columns), [*table.rows, *about])
    rows: list[tuple[object, ...]] = []
    for rates in finding.rates:
        rows += _csv_lines(finding, rates, rates_table(finding, rates, 1, 1))
    for means in finding.means:
        rows += _csv_lines(finding, means, means_table(finding, means, 1, 1))
    for pay in finding.pay:
        rows += _csv_pay_lines(finding, pay)
    if finding.rates:
        lacking = "without a score" if finding.rate == "scoring" else "without a decision"
        undecided = say(NOT_IN_COUNTS) if finding.undecided_in_counts else shown(finding.undecided)
        rows.append(("all", lacking, undecided, *CSV_BLANKS))
    parts: tuple[RatesFinding | MeansFinding, ...] = (*finding.rates, *finding.means)
    footers = [(f"note on {_csv_title(finding, part)}", table_note(finding, part)) for part in parts]
    known = [pay for pay in finding.pay if not pay.is_unknowable]
    footers += [(f"note on {pay_title(finding, pay)}", table_note(finding, pay)) for pay in known]
    footers += [(f"asked by {pay_title(finding, pay)}", pay.check.asks) for pay in finding.pay if pay.check.asks]
    footers += [("note", note) for note in form_notes(finding)]
    footers += [("how it is computed", sentence) for sentence in how_computed(finding)]
    footers += [("does not cover", sentence) for sentence in finding.preset.does_not_cover]
    footers.append(("notice", finding.preset.notice))
    rows += [("facts", label, *CSV_BLANKS, value) for label, value in (*facts(finding), *footers)]
    header = (*CSV_HEADER, *CSV_PAY_HEADER) if finding.pay else CSV_HEADER
    return csv_bytes(header, [(*row, *("",) * (len(header) - len(row))) for row in rows])


def _csv_lines(
    finding: PresetFinding, part: RatesFinding | MeansFinding, table: TableBlock
) -> list[tuple[object, ...]]:
    """Return a line for each group of a table, and one for who is in none."""
    title, lines = _csv_title(finding, part), []
    groups: tuple[ImpactRow | MeanRow, ...] = part.table.rows
    for row, cells in zip(groups, table.rows, strict=True):
        figures = {column.name: cell for column, cell in zip(table.columns, cells, strict=True)}
        if isinstance(part, MeansFinding):
            figures["test"] = _welch(figures["p_value"])
        lines.append((title, row.name, *(figures.get(name, "") for name in CSV_FIGURES.values())))
    in_none = say(NOT_IN_COUNTS) if finding.of_counts and part.unknown == 0 else shown(part.unknown)
    return [*lines, (title, "not in this table, unknown", in_none, *CSV_BLANKS)]


def _csv_pay_lines(finding: PresetFinding, pay: PayFinding) -> list[tuple[object, ...]]:
    """Return a line for each row of a table of pay, and one for who is in none."""
    if pay.is_unknowable:
        return [
            (
                pay_title(finding, pay),
                say(Message("form-all-people")),
                *CSV_BLANKS,
                say(NOT_FROM_MEANS),
                pay.table.statistic,
            )
        ]
    lines = []
    for row in pay.table.rows:
        is_gap = pay.table.has_relative_gap
        ends = [say(NOT_FROM_MEANS)] * 2 if pay.of_means else row.interval
        figures = (row.protected.n, row.reference.n, row.protected.value, row.reference.value, row.gap, *ends)
        reading = say(say_pay_row(finding, pay, row)) if is_gap else ""
        lines.append(
            (pay_title(finding, pay), row.name, *CSV_BLANKS, reading, pay.table.statistic, *map(shown, figures))
        )
    return [*lines, (pay_title(finding, pay), "without a number", shown(pay.table.missing), *CSV_BLANKS)]


def _welch(p_value: float | str) -> str:
    """Return the test that a p-value of means is of; a text stands for one that is hidden or that there is none of."""
    if isinstance(p_value, str):
        return p_value
    return "" if math.isnan(p_value) else "welch"


def _csv_title(finding: PresetFinding, part: RatesFinding | MeansFinding) -> str:
    columns = {"columns": say_by(finding, part)}
    if isinstance(part, MeansFinding):
        return say(Message("form-amount-by", columns | {"amount": Phrase(part.table.column)}))
    return say(Message("form-by", columns))
