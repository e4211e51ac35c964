from __future__ import annotations

import io
import json
import math
import re
import shutil
import subprocess
import zipfile
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from json_schema import against_schema

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import Heading, Note, Paragraph
from fairaudit.presets.document import preset_document, preset_html
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.tables import preset_csv
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes, compose_report, write_report
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf
from fairaudit.report.tables import all_tables
from fairaudit.sections.forms import read_form, say_form

COLUMNS = {"sex": "sex", "race": "race"}
NYC = PresetPlan(preset="nyc144", columns=COLUMNS)
EEOC = PresetPlan(preset="eeoc_uniform_guidelines", columns=COLUMNS)
LENDING = PresetPlan(preset="fair_lending", columns={**COLUMNS, "amounts": ["pay", "score"]})
SCORED = PresetPlan(preset="nyc144", columns={**COLUMNS, "score": "score"}, leave_out_small=True, reason="<few> & rare")
HOSTILE = "<script>alert(1)</script> & \"x\" '=1+1'"
CHECK = CheckPlan(protected="sex = 'F'", where="sex <> 'unknown'", compare=(("race",), ("race", "sex")))


def people(seed: int = 5, n: int = 1200, rare: float = 0.006) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    race = draw.choice(["A", HOSTILE, "C", "rare"], n, p=[0.6, 0.25, 0.15 - rare, rare])
    return pd.DataFrame(
        {
            "sex": draw.choice(["F", "M", "unknown"], n, p=[0.48, 0.5, 0.02]),
            "race": race,
            "score": draw.integers(0, 101, n).astype(float) - 12 * (race == "C"),
            "pay": draw.normal(100, 15, n).round(2),
            "hired": np.where(draw.random(n) < np.where(race == "C", 0.25, 0.45), "yes", "no"),
        }
    )


def audit(*presets: PresetPlan, mask: int | None = None, **options) -> AuditPlan:
    rule = SmallCellsPlan() if mask is None else SmallCellsPlan(mask=True, minimum=mask)
    decision = OutcomePlan(column="hired", favorable=("yes",))
    return AuditPlan(data=DataPlan(source="x.csv"), decision=decision, presets=presets, small_cells=rule, **options)


@pytest.fixture(scope="module")
def result():
    return run(audit(NYC, EEOC, LENDING, SCORED, checks=(CHECK,)), table=people())


def test_each_form_is_a_chapter_with_its_rule_verdict_and_limits(result):
    document = compose_annexes(result)
    chapters = [block.text for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    for finding in result.presets:
        assert finding.title in chapters
        notes = [block.text for block in document.blocks if isinstance(block, Note)]
        assert finding.preset.notice in notes
    verdicts = [block.strong for block in document.blocks if isinstance(block, Paragraph)]
    headlines = [say(say_form(finding).headline) for finding in result.presets]
    assert all(any(said in verdict for verdict in verdicts) for said in headlines)


def test_the_report_with_forms_is_an_accessible_pdf(result):
    assert to_pdf(compose_annexes(result)).startswith(b"%PDF")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not here")
@pytest.mark.parametrize("place", [0, 1])
def test_the_foot_of_a_form_names_its_section_and_what_made_it(result, tmp_path, place):
    path = tmp_path / "form.pdf"
    path.write_bytes(to_pdf(preset_document(result.presets[place])))
    printed = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True, text=True).stdout
    [first, *others] = [re.sub(r"\s+", " ", page) for page in printed.split("\f")[:-1]]
    foot = f"{result.presets[place].preset.section}; made with fairaudit"
    assert others and all(foot in page for page in (first, *others))


def test_a_plan_with_forms_alone_opens_with_their_verdict():
    document = compose_report(run(audit(NYC), table=people()))
    [first, strip, *_] = document.blocks
    assert "were selected" in document.title and first.lead and strip.strong


def test_every_number_is_in_the_bundle_and_described(result):
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        names = bundle.namelist()
        table = pd.read_csv(bundle.open("preset_1_rates_2.csv"))
        described = pd.read_csv(bundle.open("data_dictionary.csv"))
    assert {f"preset_{n}_facts.csv" for n in (1, 2, 3, 4)} <= set(names)
    assert {f"preset_3_means_{n}.csv" for n in (1, 2, 3, 4)} <= set(names)
    said = result.presets[0].rates[1].table
    assert table["impact_ratio"].tolist() == [row.impact_ratio for row in said.rows]
    assert table["n"].tolist() == [row.group.n for row in said.rows]
    for each in all_tables(result):
        if each.key.startswith("preset"):
            assert (described["file"] == f"{each.key}.csv").any()
    assert len({each.key for each in all_tables(result)}) == len(all_tables(result))


@pytest.mark.thorough
@pytest.mark.parametrize("mask", [None, 10, 5_000])
def test_the_json_keeps_its_schema(mask):
    # Where everything is small, forms of two rules cost the more to look through, and reveal no more.
    forms = (NYC, LENDING, SCORED) if mask == 5_000 else (NYC, EEOC, LENDING, SCORED)
    values = json.loads(to_json(run(audit(*forms, mask=mask, checks=(CHECK,)), table=people(n=600))))
    assert not against_schema(values)
    assert [form["key"] for form in values["presets"]] == [form.preset for form in forms]


class Outline(HTMLParser):
    """The tags of a page with their attributes, and which are open where."""

    def __init__(self, page: str):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


def test_the_page_of_a_form_stands_alone_and_has_heads_captions_and_a_language(result):
    for finding in result.presets:
        page = preset_html(finding)
        outline = Outline(page)
        assert not outline.open, "every tag is closed"
        assert ("html", {"lang": "en"}) in outline.tags and outline.count("title") == outline.count("h1") == 1
        assert outline.count("table") == outline.count("caption") == len(finding.rates) + len(finding.means)
        heads = [attributes for tag, attributes in outline.tags if tag == "th"]
        assert heads and all(attributes.get("scope") in ("col", "row") for attributes in heads)
        assert not {"script", "img", "link", "iframe"} & {tag for tag, _ in outline.tags}
        assert not re.search(r"(src|href)=", page) and "<script>alert" not in page
        levels = [int(tag[1]) for tag, _ in outline.tags if re.fullmatch(r"h[1-6]", tag)]
        assert levels[0] == 1 and set(levels[1:]) == {2}
    assert "&lt;script&gt;alert(1)" in preset_html(result.presets[0])
    assert "&lt;few&gt; &amp; rare" in preset_html(result.presets[3])


def test_the_page_and_the_pdf_show_the_unknown_and_who_is_left_out(result):
    scored = result.presets[3]
    page = preset_html(scored)
    assert f"Category unknown</dt><dd>{scored.rates[0].unknown}<" in page
    assert "left out: too small" in page and "Median score" in page
    assert say(Message("form-not-given")) in page


def test_the_one_csv_of_a_form_has_every_group_and_who_is_in_none(result):
    scored = result.presets[3]
    table = pd.read_csv(io.BytesIO(preset_csv(scored)))
    rows = [row for said in scored.rates for row in said.table.rows]
    groups = table[table["rate"].notna()]
    assert groups["people"].tolist() == [row.group.n for row in rows]
    assert groups["rate"].tolist() == [row.group.ratio for row in rows]
    assert groups["impact_ratio"].fillna(-1).tolist() == [-1 if row.left_out else row.impact_ratio for row in rows]
    unknown = table.loc[table["group"] == "not in this table, unknown", "people"]
    assert unknown.tolist() == [said.unknown for said in scored.rates]
    assert "without a score" in table["group"].tolist() and table["group"].str.startswith("'").sum() == 0
    assert table[["p_value", "test", "ratio_one_more"]].isna().all(axis=None), "this form tests nothing"
    lending = pd.read_csv(io.BytesIO(preset_csv(result.presets[2])))
    assert lending["standardized_difference"].notna().sum() == sum(len(t.table.rows) for t in result.presets[2].means)


def test_the_one_csv_of_a_form_has_every_test_and_what_one_person_would_change(result):
    table = pd.read_csv(io.BytesIO(preset_csv(result.presets[1])), keep_default_na=False)
    rows = [row for said in result.presets[1].rates for row in said.table.rows]
    groups = table[table["rate"] != ""].to_dict("records")
    names = {"difference_in_standard_deviations": "z", "p_value": "p_value", "test": "test"}
    persons = {"ratio_one_more": "ratio_one_more", "ratio_one_fewer": "ratio_one_fewer"}
    for row, said in zip(rows, groups, strict=True):
        for field, name in names.items():
            known = getattr(row.significance, name, "")
            assert said[field] == known if isinstance(known, str) else float(said[field]) == known
        for field, name in (persons | {"ratio_one_instead": "ratio_instead"}).items():
            known = getattr(row.one_person, name, math.nan)
            assert said[field] == "" if math.isnan(known) else float(said[field]) == known
    assert {"z", "fisher", ""} == {said["test"] for said in groups}
    means = pd.read_csv(io.BytesIO(preset_csv(result.presets[2])), keep_default_na=False)
    means = means[means["mean"] != ""].to_dict("records")
    for row, said in zip((r for t in result.presets[2].means for r in t.table.rows), means, strict=True):
        assert float(said["difference"]) == row.difference
        assert (said["test"], said["p_value"]) == ("", "") if row.is_reference else said["test"] == "welch"
        assert row.is_reference or float(said["p_value"]) == row.p_value


def test_the_folder_of_a_report_holds_a_page_for_each_form(tmp_path):
    paths = write_report(run(audit(NYC, EEOC), table=people()), tmp_path)
    names = {path.name for path in paths}
    assert {"form_1_nyc144.html", "form_2_eeoc_uniform_guidelines.html", "report.pdf"} <= names
    assert all(path.exists() for path in paths)


def visible(result) -> str:
    """Everything that leaves the building, as one text."""
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        tables = "".join(bundle.read(name).decode() for name in bundle.namelist() if name.startswith("preset"))
    return tables + to_json(result) + "".join(preset_html(finding) for finding in exported(result).presets)


@pytest.mark.thorough
def test_small_counts_and_what_reveals_them_are_hidden():
    result = run(audit(NYC, EEOC, mask=10, checks=(CHECK,)), table=people())
    for finding, whole in zip(exported(result).presets, result.presets, strict=True):
        for said, true in zip(finding.rates, whole.rates, strict=True):
            for row, known in zip(said.table.rows, true.table.rows, strict=True):
                n, good = known.group.n, known.group.positives
                if min(good, n - good) < 10:
                    assert row.group.ratio is None and row.impact_ratio is None and row.one_person is None
                    assert row.significance is None and row.below is None
                if n < 10:
                    assert row.group.n is None and row.share is None
                    assert row.small is None and row.left_out is None
                if row.group.ratio is None:
                    assert row.group.positives is None and row.impact_ratio is None
    assert "not shown" in visible(result)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_hidden_counts_of_a_form_cannot_be_worked_out_from_its_tables_and_the_question(seed):
    """Each small count could be several numbers, given all that is shown: by the rank of the sums that are shown."""
    result = run(audit(NYC, mask=10, checks=(CHECK,)), table=people(seed, n=500, rare=0.03))
    said, whole = exported(result).presets[0], result.presets[0]
    crossing = whole.rates[2].table.rows
    place = {row.values: i for i, row in enumerate(crossing)}
    known_rows = []
    for shown, true in zip(said.rates, whole.rates, strict=True):
        for row, real in zip(shown.table.rows, true.table.rows, strict=True):
            if row.group.positives is not None:
                inside = [set(real.values) <= set(values) for values in place]
                known_rows.append([float(x) for x in inside])
    hidden = [place[row.values] for row in crossing if row.group.positives < 10]
    shown_rank = np.linalg.matrix_rank(np.array(known_rows)) if known_rows else 0
    for cell in hidden:
        unit = np.eye(len(place))[cell]
        assert np.linalg.matrix_rank(np.vstack([*known_rows, unit])) == shown_rank + 1, "the sums tell this count"
    assert hidden, "there is something to hide"


def test_a_ratio_does_not_reveal_the_hidden_rate_of_the_reference():
    # The highest rate is that of a group with few others: its rate is hidden, and so is every ratio to it.
    rows = [("a", "yes")] * 95 + [("a", "no")] * 5 + [("b", "yes")] * 50 + [("b", "no")] * 50
    rows += [("c", "yes")] * 60 + [("c", "no")] * 40
    frame = pd.DataFrame(rows, columns=["race", "hired"])
    part = PresetPlan(preset="eeoc_uniform_guidelines", columns={"race": "race"})
    result = run(audit(part, mask=10), table=frame)
    [said] = exported(result).presets[0].rates
    assert all(row.impact_ratio is None for row in said.table.rows)
    assert said.table.reference is None and not any(row.is_reference for row in said.table.rows), (
        "it is above the others"
    )
    assert "0.526" not in visible(result) and read_form(exported(result).presets[0]).verdict == "not_shown"


def test_a_low_highest_rate_does_not_reveal_that_nobody_of_a_small_group_was_selected():
    # At most 4 % of 30 people is one person: with the highest rate known, the hidden count would be 0 or 1.
    groups = {"a": (1000, 40), "b": (1000, 35), "c": (30, 0), "d": (60, 2)}
    rows = [(name, "yes" if i < good else "no") for name, (n, good) in groups.items() for i in range(n)]
    part = PresetPlan(preset="eeoc_uniform_guidelines", columns={"race": "race"}, leave_out_small=False)
    result = run(audit(part, mask=10), table=pd.DataFrame(rows, columns=["race", "hired"]))
    [said] = exported(result).presets[0].rates
    assert said.table.reference is None
    assert [row.group.ratio is None for row in said.table.rows] == [False, False, True, True]


def test_no_form_beside_others_shows_a_small_count_or_sums_that_reveal_one():
    result = run(audit(NYC, SCORED, LENDING, mask=10, checks=(CHECK,)), table=people())
    shown = exported(result).presets
    assert any(row.group.ratio is None for said in shown[0].rates for row in said.table.rows)
    for said, whole in zip(shown[:2], result.presets[:2], strict=True):
        cells = {row.values: i for i, row in enumerate(whole.rates[2].table.rows)}
        known, few = [], []
        for part, true in zip(said.rates, whole.rates, strict=True):
            for row, real in zip(part.table.rows, true.table.rows, strict=True):
                inside = np.array([float(set(real.values) <= set(values)) for values in cells])
                for seen, count in ((row.group.positives, real.group.positives), (row.group.n, real.group.n)):
                    assert seen is None or seen == count
                if row.group.positives is not None:
                    known.append(inside)
                if real.group.n and min(real.group.positives, real.group.n - real.group.positives) < 10:
                    assert row.group.positives is None
                    few.append(inside)
        rank = np.linalg.matrix_rank(np.array(known)) if known else 0
        assert few and all(np.linalg.matrix_rank(np.vstack([*known, row])) == rank + 1 for row in few)
    for said, whole in zip(shown[2].means, result.presets[2].means, strict=True):
        if any(0 < row.n < 10 for row in whole.table.rows):
            assert all(row.mean is None for row in said.table.rows)
    alone = run(audit(SCORED, mask=2), table=people(rare=0.1))
    assert any(row.group.ratio for said in exported(alone).presets[0].rates for row in said.table.rows)


def test_nothing_small_leaves_everything_as_it_is():
    everybody = people(rare=0.1)
    result = run(audit(NYC, EEOC, LENDING, mask=2), table=everybody[everybody["sex"] != "unknown"])
    assert exported(result).presets == result.presets


def test_two_forms_that_differ_by_one_person_do_not_reveal_that_person():
    # One leaves out who has no known sex, the other does not: by race they would differ by one person.
    frame = people(rare=0.0)
    frame = frame[frame["sex"] != "unknown"].reset_index(drop=True)
    frame.loc[0, "sex"] = "unknown"
    result = run(audit(NYC, EEOC, mask=10), table=frame)
    race = [{row.name: row for row in form.rates[1].table.rows} for form in exported(result).presets]
    name = frame.loc[0, "race"]
    assert None in (race[0][name].group.n, race[1][name].group.n)
    assert result.presets[0].rates[1].table.n + 1 == result.presets[1].rates[1].table.n


def test_amounts_with_a_form_are_masked_too():
    plan = replace_decision(
        audit(LENDING, SCORED, mask=10, checks=(CheckPlan(protected="sex = 'F'", where="sex <> 'unknown'"),))
    )
    shown = exported(run(plan, table=people()))
    hidden = {said.roles: all(row.n is None for row in said.table.rows) for said in shown.presets[0].means}
    assert hidden == {("sex",): False, ("race",): True}, "few people are of a rare race"
    to_pdf(compose_annexes(shown))


def replace_decision(plan: AuditPlan) -> AuditPlan:
    return plan.model_copy(update={"decision": OutcomePlan(column="pay", amount=True)})


def test_a_hidden_median_of_few_people_is_not_shown():
    result = run(audit(SCORED, mask=10), table=people(n=9, rare=0.0))
    [finding] = exported(result).presets
    assert finding.median is None and replace(finding, median=1.0) != finding
