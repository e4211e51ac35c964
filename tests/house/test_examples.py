"""Every example in a docstring gives what it shows; those in documents are run in tests/docs."""

from __future__ import annotations

import doctest
import importlib

import pytest
from sources import PACKAGES, module_name


@pytest.mark.thorough
@pytest.mark.parametrize("package", PACKAGES)
def test_examples_of_the_modules_give_what_they_show(package):
    modules = [importlib.import_module(module_name(path)) for path in PACKAGES[package]]
    failed = [
        module.__name__
        for module in modules
        if doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed
    ]
    assert not failed
