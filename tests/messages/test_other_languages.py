"""Another language: what is said in it, what it lacks, and that a report says nothing in English but what data say."""

from __future__ import annotations

import io
import re

import pytest
from places import ROOT
from pypdf import PdfReader
from toy_language import BRACKETS, TOY, languages_of, write_toy_language

from fairaudit import AuditPlan, run
from fairaudit.findings import Amount, Group, Message
from fairaudit.messages import called, say
from fairaudit.messages.catalogue import ENGLISH, FOLDER, speaking, translated, unmarked
from fairaudit.present.blocks import Heading, KeyValues, TableBlock, in_language
from fairaudit.present.numbers import count_text, number_text, p_text, points_number, reads_as_number
from fairaudit.report.composing import compose_report
from fairaudit.report.pdf import to_pdf

FEW = "group-rest = alle anderen\ngroup-alone = { CAP($group) }\n"
WORD = re.compile(r"[A-Za-z]{3,}")
SAMPLES = ROOT / "sample_data"
OF_FILES = {"csv", "zip", "check", "groups", "strata", "all"}


@pytest.fixture
def few_words_of_german(tmp_path):
    (tmp_path / ENGLISH).symlink_to(FOLDER / ENGLISH)
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "some.ftl").write_text(FEW, encoding="utf-8")
    labels = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "share"\nmsgstr "Anteil"\n'
    (tmp_path / "de" / "labels.po").write_text(labels, encoding="utf-8")
    with languages_of(tmp_path):
        yield


def test_another_language_says_what_it_knows_and_marks_what_it_says_in_english(few_words_of_german):
    everyone_else = Message("group-alone", {"group": Group()})
    with speaking("de"):
        assert say(everyone_else) == "Alle anderen" and called("a") == "a"
        assert say(Message("group-alone", {"group": Amount(1234.5, 1)})) == "1.234,5"
        assert say(Message("verdict-clear-gap")) == f"[en] {say(Message('verdict-clear-gap'), 'en')}"
    assert say(everyone_else, "de") == "Alle anderen" != say(everyone_else)


def test_labels_are_known_by_their_english_words(few_words_of_german):
    fact = KeyValues(None, (("share", "share"),), code=("share",))
    with speaking("de"):
        assert translated("share") == "Anteil" and translated("share of women") == "share of women"
        assert in_language(Heading(2, "share")) == Heading(2, "Anteil")
        assert in_language(fact) == KeyValues(None, (("Anteil", "share"),), code=("Anteil",))
        assert in_language(TableBlock("key", "share", (), ())).title == "Anteil"
    assert in_language(fact) == fact


@pytest.mark.parametrize(
    ("language", "amount", "p_value"),
    [("en", "1,234.5", "0.021"), ("de", "1.234,5", "0,021"), ("nl", "1.234,5", "0,021"), ("es", "1.234,5", "0,021"),
     ("fr", "1\N{NARROW NO-BREAK SPACE}234,5", "0,021")],
)  # fmt: skip
def test_numbers_have_the_marks_of_the_language(language, amount, p_value):
    with speaking(language):
        assert number_text(1234.5, digits=1) == amount and p_text(0.0214).endswith(p_value)
        assert number_text(-0.001) == number_text(0) and number_text(-1.5) == f"\N{MINUS SIGN}{number_text(1.5)}"
        assert points_number(0.0523).startswith("+5") and count_text(999) == "999"
        assert unmarked(amount) == "1234.5" and reads_as_number(amount) and not reads_as_number("2000 + 3")


@pytest.mark.parametrize("name", ["berkeley_1973", pytest.param("loans", marks=pytest.mark.thorough)])
def test_a_report_says_nothing_but_the_words_of_data_and_plan_outside_of_the_catalogue(name, tmp_path):
    write_toy_language(tmp_path)
    plan = AuditPlan.load(SAMPLES / f"{name}.toml")
    of_the_audit = f"{plan.to_toml()} {(SAMPLES / plan.data.source).read_text(encoding='utf-8')}"
    known = {word.lower() for word in WORD.findall(of_the_audit)} | OF_FILES
    with languages_of(tmp_path), speaking(TOY):
        pdf = to_pdf(compose_report(run(plan, base=SAMPLES)))
    pages = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
    said = BRACKETS.sub(" ", pages.replace("-\n", "-"))
    assert len(BRACKETS.findall(pages)) > 30
    assert {word for word in WORD.findall(said) if word.lower() not in known} == set()
