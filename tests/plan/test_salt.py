"""A salted fingerprint can be checked by who has the salt, and by nobody else."""

from __future__ import annotations

import pytest

from fairaudit.errors import InputError
from fairaudit.plan.data import SALTED, fits, salted
from fairaudit.settings import SALT

DATA, OTHER = "a" * 64, "b" * 64


def test_without_a_salt_there_is_no_fingerprint_to_show(monkeypatch):
    monkeypatch.delenv(SALT.variable, raising=False)
    assert salted(DATA) is None
    assert fits(DATA, DATA) is True
    assert fits(f"{SALTED}{DATA}", DATA) is None


def test_who_has_the_salt_knows_the_data_again(monkeypatch):
    monkeypatch.setenv(SALT.variable, "a secret of the office")
    shown = salted(DATA)
    assert DATA not in shown
    assert salted(shown) == shown
    assert fits(shown, DATA) is True
    assert fits(shown, OTHER) is False
    monkeypatch.setenv(SALT.variable, "a secret of another one")
    assert fits(shown, DATA) is False


def test_a_salt_that_could_be_guessed_is_refused(monkeypatch):
    monkeypatch.setenv(SALT.variable, "short")
    with pytest.raises(InputError, match=SALT.variable):
        salted(DATA)
