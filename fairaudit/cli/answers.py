"""What a command answered: verdicts to fail on, and files that a service of continuous integration reads."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from fairaudit.version import __version__

Format = Literal["text", "json", "junit", "sarif"]
"""How an answer is printed: as lines, as JSON, or as files that a service of continuous integration reads."""
MACHINES: Final = ("junit", "sarif")
"""Formats that are made of all answers at the end."""
SARIF_VERSION: Final = "2.1.0"
SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True)
class Answered:
    """An answer of a command.

    Parameters
    ----------
    kind : str
        The command that asks such a question, such as ``"check"``.
    text : str
        What it says in one line: verdict, headline and what stands below.
    verdicts : frozenset of str
        Its verdicts that a command can fail on.
    """

    kind: str
    text: str
    verdicts: frozenset[str] = frozenset()

    def fails(self, words: Collection[str]) -> bool:
        """Say whether it has one of some verdicts."""
        return not self.verdicts.isdisjoint(words)


def as_junit(answers: Sequence[Answered], words: Collection[str]) -> str:
    """Return answers as JUnit XML: a test each, which has failed where it has one of the verdicts to fail on."""
    # Here, because most commands print lines.
    from xml.etree import ElementTree

    n_failed = sum(answer.fails(words) for answer in answers)
    suite = ElementTree.Element("testsuite", name="fairaudit", tests=str(len(answers)), failures=str(n_failed))
    for number, answer in enumerate(answers, start=1):
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"fairaudit.{answer.kind}", name=f"{answer.kind} {number}"
        )
        if answer.fails(words):
            failure = ElementTree.SubElement(case, "failure", type=",".join(sorted(answer.verdicts)))
            failure.text = answer.text
        else:
            ElementTree.SubElement(case, "system-out").text = answer.text
    whole = ElementTree.Element("testsuites")
    whole.append(suite)
    ElementTree.indent(whole)
    return ElementTree.tostring(whole, encoding="unicode", xml_declaration=True)


def as_sarif(answers: Sequence[Answered], words: Collection[str], source: str) -> str:
    """Return answers as SARIF: an error where one has a verdict to fail on, a warning where it has another gap."""
    kinds = list(dict.fromkeys(answer.kind for answer in answers))
    results = [
        {
            "ruleId": answer.kind,
            "ruleIndex": kinds.index(answer.kind),
            "level": "error" if answer.fails(words) else "warning" if answer.verdicts else "note",
            "message": {"text": answer.text},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": source}}}],
            "properties": {"verdicts": sorted(answer.verdicts)},
        }
        for answer in answers
    ]
    driver = {
        "name": "fairaudit",
        "version": __version__,
        "rules": [{"id": kind, "shortDescription": {"text": f"fairaudit {kind}"}} for kind in kinds],
    }
    runs = [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}]
    return json.dumps({"$schema": SARIF_SCHEMA, "version": SARIF_VERSION, "runs": runs}, ensure_ascii=False, indent=2)
