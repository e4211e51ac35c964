"""Every example in a docstring and in the README gives what it shows."""

from __future__ import annotations

import doctest
import importlib
import re

import pytest
from sources import PACKAGES, ROOT, module_name


@pytest.mark.parametrize("package", PACKAGES)
def test_examples_of_the_modules_give_what_they_show(package):
    modules = [importlib.import_module(module_name(path)) for path in PACKAGES[package]]
    failed = [
        module.__name__
        for module in modules
        if doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed
    ]
    assert not failed


def test_example_of_the_readme_gives_what_it_shows(monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README", "README.md", 0)
    assert not doctest.DocTestRunner().run(example).failed
