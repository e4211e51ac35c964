"""The glossary of a report explains the words that the report uses, and no others."""

from __future__ import annotations

from fairaudit.present.blocks import Chart, Code, ColumnSpec, Items, Paragraph, Table
from fairaudit.report.glossary import used_words

WORDS = (
    ("TP, FP", "True and false positives."),
    ("False positive rate", "FP divided by negatives."),
    ("Interval of a change", "What fits."),
    ("Index (DIDI)", "How far."),
    ("AUC", "How well."),
)


class Drawn:
    def to_dict(self):
        return {"layer": [{"title": "false positive rate"}]}


def kept(*blocks):
    return [word for word, _ in used_words(WORDS, blocks)]


def test_words_are_kept_that_some_block_uses_in_full():
    assert kept(Paragraph("The change could be nothing; its interval includes 0.")) == ["Interval of a change"]
    assert kept(Items(("a change",)), Items(("an interval",))) == []
    assert kept(Table("t", "T", (ColumnSpec("d", "DIDI"),), ())) == ["Index (DIDI)"]
    assert kept(Code("AUC")) == [] and kept(Paragraph("the auction")) == []


def test_words_are_kept_that_a_chart_or_a_kept_meaning_uses():
    assert kept(Chart("c", "Rates", "", Drawn())) == ["TP, FP", "False positive rate"]
