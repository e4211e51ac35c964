"""Words that promise too much, and traces of where the project was written, are in no file."""

from __future__ import annotations

import re

import pytest
from sources import APP_FILES, PACKAGE_FILES, ROOT, code_of, project_texts

# Put together from pieces, so that this file does not hold the words.
FORBIDDEN = {
    "de" + "bias": re.compile("de-?" + "bias", re.IGNORECASE),
    "un" + "biased": re.compile("un-?" + "biased", re.IGNORECASE),
    "to" + "ld (a thing is shown, said or stated)": re.compile(r"\b" + "to" + r"ld\b", re.IGNORECASE),
    "solve " + "fairness": re.compile(r"solv\w*\s+(?:for\s+)?(?:un)?" + "fair", re.IGNORECASE),
    "a path of a machine": re.compile(
        r"(?<![\w.])/(?:" + "|".join(["ro" + "ot", "wo" + "rk", "ho" + r"me/\w+"]) + ")/"
    ),
    "work left for later": re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b"),
}
# No class claims fairness. FairnessSpec, a name of the public contract, states a wish of the user.
ALLOWED_CLASSES = {"FairauditError", "FairnessSpec"}


@pytest.mark.thorough
@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what):
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path, text in project_texts()
        for number, line in enumerate(text.splitlines(), 1)
        if FORBIDDEN[what].search(line)
    ]
    assert not found, f"{what} in {found[:20]}"


@pytest.mark.thorough
def test_no_class_claims_to_be_fair():
    claims = [
        f"{path.name}: {name}"
        for path in [*PACKAGE_FILES, *APP_FILES]
        for name in code_of(path).classes
        if name.startswith("Fair") and name not in ALLOWED_CLASSES
    ]
    assert not claims


def test_nothing_that_a_run_leaves_behind_is_kept():
    leavings = re.compile(r"(^|/)(report\.log|[^/]+\.pyc|[^/]+\.egg-info/.*|\.venv/.*|[^/]+\.lp)$")
    assert not [str(path) for path, _ in project_texts() if leavings.search(path.relative_to(ROOT).as_posix())]
