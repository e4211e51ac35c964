"""Every example in a docstring and in the README gives what it shows."""

from __future__ import annotations

import doctest
import importlib

import pytest
from sources import PACKAGE_FILES, ROOT, module_name


@pytest.mark.parametrize("path", PACKAGE_FILES, ids=module_name)
def test_examples_of_the_module_give_what_they_show(path):
    failed, _ = doctest.testmod(importlib.import_module(module_name(path)), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not failed


def test_example_of_the_readme_gives_what_it_shows(monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert tried
    assert not failed
