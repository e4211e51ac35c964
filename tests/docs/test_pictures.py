"""Each picture that a document shows is there and is made by the script, and no picture is left over."""

from __future__ import annotations

import re
import sys

from manual_pages import DOCUMENTS
from places import ROOT

sys.path.append(str(ROOT / "docs"))
from pictures import PICTURES, REPORT_PAGE

SHOWN = {
    (path.parent / target).resolve()
    for path in DOCUMENTS
    for target in re.findall(r"^!\[[^\]]+\]\(([^)\s]+)\)", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def test_each_picture_is_shown_and_made_anew_by_one_command():
    there = {path.resolve() for path in (ROOT / "docs").rglob("*.png")}
    assert there == SHOWN == {(ROOT / "docs" / name).resolve() for name in (*PICTURES, REPORT_PAGE)}
    assert "docs/pictures.py" in (ROOT / "Makefile").read_text(encoding="utf-8")
