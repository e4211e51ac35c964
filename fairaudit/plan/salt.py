"""The fingerprint beside hidden counts: salted, so that nobody can try out what is hidden.

Who knows all rows but a few could try values for these until the fingerprint fits. So an export with hidden counts has
one only where the office sets a salt of its own, which it keeps: then it can show that the data were these.
"""

from __future__ import annotations

import hashlib
import hmac
import os

from fairaudit.errors import InputError

VARIABLE = "FAIRAUDIT_SALT"
"""The environment variable that holds the salt."""

PREFIX = "salted:"
SHORTEST = 16


def salted(fingerprint: str) -> str | None:
    """Return a fingerprint as it may stand beside hidden counts; None where no salt is set."""
    salt = os.environ.get(VARIABLE, "")
    if fingerprint.startswith(PREFIX) or not salt:
        return fingerprint if fingerprint.startswith(PREFIX) else None
    if len(salt) < SHORTEST:
        raise InputError(
            f"{VARIABLE} must have at least {SHORTEST} characters, got {len(salt)}.", hint="A short one can be guessed."
        )
    return PREFIX + hmac.new(salt.encode(), fingerprint.encode(), hashlib.sha256).hexdigest()


def fits(recorded: str, fingerprint: str) -> bool | None:
    """Say whether data have the fingerprint that a plan records; None where it is salted and no salt is set."""
    if not recorded.startswith(PREFIX):
        return recorded == fingerprint
    own = salted(fingerprint)
    return None if own is None else own == recorded
