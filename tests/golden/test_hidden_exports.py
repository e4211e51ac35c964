"""Where small counts are hidden, an export is the same, less what is hidden: laws, and no second copy to review."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from documents import PLANS, exported, result_of
from golden_numbers import columns_in, leaves, result_in, rows_of, tables_in
from shown import literals, messages, shown

from fairaudit import AuditPlan
from fairaudit.disclosure.hidden import without_figures
from fairaudit.disclosure.said import is_shown
from fairaudit.sections.check import say_check

FEW = 10
"""The minimum of these plans: counts under it are hidden."""

LEVELS = {0.9, 0.1}
"""Of the range that is read beside one of 95 %, and of amounts: the limit where none is named, in deviations."""

TEXTS = {
    *("sentence", "headline", "verdict", "answer", "within", "veil_sentence", "done", "readings", "reading"),
    *("overturning", "leave_out", "words", "name", "model", "title", "number"),
}
"""What answers in words; where a part is hidden, an answer is one of what is left."""

WEAKER = {
    *("not_shown", "not_all_shown", "too_few_to_tell", "limit_met_in_test", "gap_may_not_have_changed", "gap_smaller"),
    *("limit_not_met",),
    *("on_average", "clear_gap", "lower"),
}
"""What a verdict may become where a part is hidden."""

ROUNDED = {
    *("median", "quarter", "three_quarters", "deviation", "prediction", "value", "gap", "optimality_gap", "share"),
    *(f"{side}_{what}" for side in ("protected", "reference") for what in ("median", "quarter", "three_quarters")),
    *("protected", "reference", "value_compared", "value_compared_with", "gap_interval_low", "gap_interval_high"),
    *("common_difference", "common_difference_interval", "common_equivalence_interval"),
}
"""Figures of which a hidden export shows fewer digits, and what is worked out from those."""

SETTINGS = {
    *("values", "node", "parent", "depth", "rule", "rules", "name_rows", "names_row", "n_columns"),
    *("max_depth", "max_rule_length", "max_complexity", "max_conditions", "divisions", "n_literals", "n_leaves"),
    *("complexity", "cost", "n_iterations", "n_epochs", "n_fits", "n_rounds", "first"),
}
"""Whole numbers that count no people."""

ABOUT_HIDING = {
    *("report-hidden", "report-publish-one", "report-rounded", "report-unseen", "report-footer", "files-not-shown"),
    *("annex-fingerprint-hidden", "annex-hidden", "annex-median-rounded", "annex-no-group-hidden"),
    *("annex-no-noun-hidden", "amount-similar-hidden", "reading-not-shown", "verdict-not-shown"),
    *("check-headline-not-shown", "check-strata-not-shown", "change-headline-not-shown", "change-not-shown-few"),
    *("change-not-shown-leave", "errors-hidden", "errors-score-not-shown", "explain-not-shown-few"),
    *("searches-not-shown-few", "searches-not-shown-leave", "worst-not-shown-few", "worst-not-shown-leave"),
    *("watch-not-shown-few", "watch-not-shown-leave"),
    *("compare-caution-hidden", "compare-headline-not-shown", "remedy-headline-not-shown"),
    *(
        "rules-not-shown",
        "tree-not-shown",
        "learning-unknown-hidden",
        "form-caution-hidden",
        "form-headline-pay-hidden",
        "form-item-hidden",
        "form-note-rounded",
    ),
    *("form-headline-none-shown-below", "form-lead-none-marked", "verdict-form-not-all-shown"),
}
"""Messages that say that something is not shown, or rounded, and why."""

OF_WHAT_IS_LEFT = {
    *("check-headline-gap", "check-lead-within-average", "check-next-gap", "check-next-tried", "check-sure-clear"),
    *("verdict-clear-gap", "verdict-form-lower", "form-headline-below", "form-lead-clear", "form-lead-rates"),
    *("form-group", "errors-chart-largest", "errors-headline-more-less", "errors-reading-reference"),
    *("compare-headline-in-test", "remedy-headline-open", "remedy-caution-wider", "remedy-name-own"),
    *("retrain-changed-some", "remedy-lead-figures", "remedy-lead-in-all", "remedy-chart-share"),
    *("verdict-gap-smaller", "compare-headline-not-met", "compare-caution-group", "report-remedy-by-group"),
    *("remedy-phrase-thresholds", "rules-proof-open"),
}
"""Messages of an answer where a part is hidden that would have changed it."""

QUICK = dict.fromkeys(("berkeley_1973", "municipal_pay_explained"), pytest.mark.usual)
EACH = pytest.mark.parametrize("name", [pytest.param(name, marks=QUICK.get(name, ())) for name in PLANS])


def open_and_hidden(name: str):
    """Return the files of both exports of an audit."""
    return exported(name).files, exported(name, hides=True).files


def is_rounded(shown: float, whole: float) -> bool:
    """Say whether a figure may be another one with one digit left, or be worked out from such figures."""
    return abs(shown - whole) <= 0.2 * abs(whole)


def beyond(shown: Any, whole: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield where a hidden document says something that the whole one does not."""
    name = next((step for step in reversed(path) if not step.isdigit() and step not in ("low", "high")), "")
    match shown, whole:
        case (None | [], _) if whole is not None:
            return
        case dict(), dict() if set(shown) == set(whole):
            for key, value in shown.items():
                yield from beyond(value, whole[key], (*path, key))
        case list(), list() if len(shown) == len(whole):
            for number, (one, other) in enumerate(zip(shown, whole, strict=True)):
                yield from beyond(one, other, (*path, str(number)))
        case list(), list() if shown and not isinstance(shown[0], str):
            left = iter(whole)
            for number, one in enumerate(shown):
                if not any(not list(beyond(one, other, (*path, str(number)))) for other in left):
                    yield f"{'.'.join(path)}.{number}: no such item"
        case str(), str() if name in ("verdict", "answer", "within") and shown != whole:
            if shown not in WEAKER:
                yield f"{'.'.join(path)}: {shown!r}, of {whole!r}"
        case (str(), str()) | (list(), list()) if name in TEXTS:
            return
        case list(), list() if name == "warnings" and set(shown) <= set(whole):
            return
        case bool(), bool() if name in ("rounded", "is_reference"):
            return
        case int() | float(), int() | float() if name in ROUNDED and is_rounded(shown, whole):
            return
        case _ if shown != whole:
            yield f"{'.'.join(path)}: {shown!r}, of {whole!r}"


YES_OR_NO = ("appraisals",)
"""Audits of levels: where these are hidden, answers are about yes or no."""
OF_YES_OR_NO = re.compile(r"checks\.\d+\.(answer|within|verdict|sentence):")


@EACH
def test_each_value_of_the_json_is_the_one_of_the_open_export_or_hidden(name):
    whole, shown = map(result_in, open_and_hidden(name))
    assert shown.pop("counts_hidden_under") == FEW and whole.pop("counts_hidden_under") is None
    assert shown["data"].pop("fingerprint") is None and whole["data"].pop("fingerprint")
    assert shown["data"]["source"].pop("size_bytes") == 0 and whole["data"]["source"].pop("size_bytes")
    found = [line for line in beyond(shown, whole) if name not in YES_OR_NO or not OF_YES_OR_NO.match(line)]
    assert not found


def groups_in(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield each object with a number of people and of those with the good outcome."""
    if isinstance(value, dict) and {"n", "positives"} <= set(value):
        yield path, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from groups_in(inner, (*path, str(key)))


@EACH
def test_no_small_count_is_shown_nor_one_person_counted(name):
    shown = result_in(exported(name, hides=True).files)
    for path, group in groups_in(shown):
        n, positives = group["n"], group["positives"]
        assert n is None or n == 0 or n >= FEW, path
        if n and positives is not None:
            assert FEW <= positives <= n - FEW, path
    few = {
        next(step for step in reversed(path) if not step.isdigit())
        for path, value in leaves(shown)
        if type(value) is int and 0 < value < FEW
    }
    assert few <= SETTINGS


@EACH
def test_where_a_count_is_small_in_the_open_export_the_ledger_hides_it_in_the_other(name):
    whole, shown = map(result_in, open_and_hidden(name))
    left = dict(groups_in(shown))
    for path, group in groups_in(whole):
        small = [count for count in (group["positives"], group["n"] - group["positives"]) if count < FEW]
        if small and group["n"] and path in left and left[path]["n"] is not None:
            assert left[path]["positives"] is None, path


def cell_follows(shown: str, whole: str, column: str) -> bool:
    """Say whether a cell is that of the open export, hidden, or an answer of what is left."""
    if shown == whole or shown.lower() in ("", "not shown") or column in TEXTS:
        return True
    if column == "reference" and {shown, whole} == {"yes", "no"}:
        return True  # The group that others are compared with is chosen among those that are shown.
    try:
        return column in ROUNDED and is_rounded(float(shown), float(whole))
    except ValueError:
        return False


@EACH
def test_each_cell_of_a_table_is_the_one_of_the_open_export_or_hidden(name):
    whole, shown = map(tables_in, open_and_hidden(name))
    assert set(shown) <= set(whole)
    for path, text in shown.items():
        (head, *rows), (other_head, *others) = rows_of(text), rows_of(whole[path])
        columns = [other_head.index(column) for column in head]
        for row in rows:
            cells = list(zip(row, columns, head, strict=True))
            assert any(all(cell_follows(cell, other[at], name) for cell, at, name in cells) for other in others), path


@EACH
def test_nothing_else_is_said_than_in_the_open_export_but_what_is_hidden_and_the_answer_of_what_is_left(name):
    new = exported(name, hides=True).said - exported(name).said
    assert name in YES_OR_NO or new <= ABOUT_HIDING | OF_WHAT_IS_LEFT
    assert {"report-hidden", "report-publish-one", "annex-fingerprint-hidden"} <= new


WHOLE = re.compile(r"(?<![\w.,+−-])(?:\d{1,3}(?:,\d{3})+|\d{3,})(?![\w%]|[.,]\d| %|\spoints?\b)")
PERCENT = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)\s?%")
AXIS = re.compile(r"^(?:[^\n%]*\n)?(?:\d+\s?%\s*){2,}$|^\d+\s?%$", re.MULTILINE)
DIGEST = re.compile(r"\b(?:[0-9a-f]\n?){64}\b|audit [0-9a-f]{8}")


def read(name: str) -> str:
    """Return what people read of a hidden export, without digests and the numbers of axes."""
    files = exported(name, hides=True).files
    text = "\n".join(text for path, text in files.items() if path.endswith((".txt", ".html")) and "README" not in path)
    return AXIS.sub("", DIGEST.sub("", text))


def figures_in(files: Mapping[str, str]) -> set[float]:
    """Return all figures of an export."""
    cells = (cell for text in tables_in(files).values() for row in rows_of(text) for cell in row)
    numbers = {float(cell) for cell in cells if re.fullmatch(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", cell)}
    return numbers | {value for _, value in leaves(result_in(files)) if type(value) in (int, float)}


@EACH
def test_no_text_holds_a_count_that_the_json_hides(name):
    whole, shown = open_and_hidden(name)
    sizes = {value for path, value in leaves(result_in(shown)) if path[-1] in ("n", "n_rows", "positives")} - {None}
    known = {abs(one + sign * other) for one in sizes for other in sizes for sign in (1, -1)}
    known |= {abs(round(figure)) for figure in figures_in(shown)}
    hidden = {figure for figure in figures_in(whole) if figure == round(figure)} - known
    assert not {int(number.replace(",", "")) for number in WHOLE.findall(read(name))} & hidden


@EACH
def test_each_percentage_of_a_text_is_a_figure_of_the_export_a_setting_or_a_word_of_a_message(name):
    export = exported(name, hides=True)
    plan = list(leaves(AuditPlan.load(PLANS[name]).model_dump(mode="json")))
    known = LEVELS | figures_in(export.files) | {value for _, value in plan if type(value) in (int, float)}
    texts = [value for _, value in plan if isinstance(value, str)]
    texts += [text for key in export.said for text in literals(messages()[key])]
    written = {f"{abs(100 * share):.{digits}f}" for v in known for share in (v, 1 - v) for digits in (0, 1, 2)}
    # How far a search may be from the best list is rounded up, and stands nowhere else.
    text = shown("rules-proof-near").sub("", read(name))
    said = {number for number in PERCENT.findall(text) if not any(number in text for text in texts)}
    assert said <= written


@EACH
def test_a_hidden_export_keeps_its_plan_and_the_words_of_its_columns(name):
    whole, shown = open_and_hidden(name)
    assert set(columns_in(shown)) <= set(columns_in(whole))
    plan = AuditPlan.from_toml(shown["plan.toml"])
    assert plan.small_cells.mask and shown["plan.toml"] == shown["tables/plan.toml"]


@pytest.mark.usual
@pytest.mark.parametrize("name", ["berkeley_1973", "hiring_tool", "municipal_pay", "recidivism"])
def test_what_is_said_only_because_of_strata_is_not_said_where_they_are_hidden(name):
    result, seen = result_of(name), 0
    for finding in result.checks:
        if finding.strata is None:
            continue
        hidden = replace(finding, strata=without_figures(finding.strata))
        whole, without = (say_check(each) for each in (finding, replace(finding, strata=None)))
        others = (without.verdict, without.headline, *without.lead, *without.caution)
        for message in (whole.verdict, whole.headline, *whole.lead, *whole.caution):
            if not any((message.key, message.args) == (other.key, other.args) for other in others):
                assert not is_shown(message, hidden), message.key
                seen += 1
    assert seen
