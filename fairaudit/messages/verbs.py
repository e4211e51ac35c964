"""English verb phrases said of several people in the past: proposed from a word, denied, and under a model."""

from __future__ import annotations

from fairaudit.findings import Argument, Message, Phrase
from fairaudit.messages.catalogue import ENGLISH, spoken

_WERE = frozenset((
    "accepted", "admitted", "advanced", "appointed", "approved", "arrested", "awarded", "charged", "convicted",
    "declined", "denied", "detained", "dismissed", "elected", "employed", "expelled", "fined", "fired", "flagged",
    "frisked", "funded", "granted", "hired", "imprisoned", "insured", "interviewed", "invited", "licensed",
    "listed", "moved", "offered", "paid", "paroled", "placed", "prescribed", "promoted", "referred", "refused",
    "rejected", "released", "rewarded", "sanctioned", "searched", "selected", "sentenced", "shortlisted", "stopped",
    "supported", "suspended", "treated", "warned",
))  # fmt: skip
"""What somebody did to people."""
_DID = {
    "agreed": "agree", "appealed": "appeal", "applied": "apply", "attended": "attend", "completed": "complete",
    "defaulted": "default", "died": "die", "failed": "fail", "finished": "finish", "graduated": "graduate",
    "left": "leave", "passed": "pass", "recidivated": "recidivate", "recovered": "recover", "reoffended": "reoffend",
    "repaid": "repay", "resigned": "resign", "returned": "return", "stayed": "stay", "succeeded": "succeed",
    "survived": "survive", "voted": "vote", "worked": "work",
}  # fmt: skip
"""What people did themselves, and the same after "did not"."""
_NOT = _DID | {"committed": "commit", "got": "get", "moved": "move", "paid": "pay", "received": "receive"}
"""First words of what is said of people, and the same after "did not"."""


def did(word: str) -> str | None:
    """Return what a past form says of several people: what they did, or what was done to them; None if unknown."""
    return word if word in _DID else f"were {word}" if word in _WERE else None


def was_not(word: str) -> str | None:
    """Return the same, denied."""
    return f"did not {_DID[word]}" if word in _DID else f"were not {word}" if word in _WERE else None


def marked(words: str) -> str:
    """Return what is said of several people of whom a column says yes, in the words of its name."""
    return f"were marked {words}"


def had_done(what: str, done: str) -> str:
    """Return what is said of several people of whom something, such as an application, was decided so."""
    return f"had their {what} {done}"


def opposite_verb(verb: str) -> str | None:
    """Return what is said of people of whom a verb phrase is not true; None where it is not known.

    Examples
    --------
    >>> opposite_verb("reoffended within two years"), opposite_verb("were not approved"), opposite_verb("had luck")
    ('did not reoffend within two years', 'were approved', None)
    """
    first, _, rest = verb.partition(" ")
    if first == "were" and rest:
        return f"were {rest.removeprefix('not ')}" if rest.startswith("not ") else f"were not {rest}"
    if rest.startswith("not ") and first == "did":
        base, _, more = rest.removeprefix("not ").partition(" ")
        did = next((word for word, plain in _NOT.items() if plain == base), None)
        return None if did is None else f"{did} {more}".rstrip()
    return f"did not {_NOT[first]} {rest}".rstrip() if first in _NOT else None


_WOULD = {"were not": "would not be", "were": "would be", "did not": "would not", "had": "would have"}
"""How a verb phrase begins, and how it does under a model; the longer ones first."""


def would_verb(verb: Argument) -> Argument:
    """Return what would be said of several people under a model; as it is, where the phrase begins otherwise.

    Where another language than English is spoken, it is said beside the phrase that a model decides.

    Examples
    --------
    >>> [would_verb(Phrase(each)).text for each in ("were approved", "did not reoffend", "won")]
    ['would be approved', 'would not reoffend', 'won']
    """
    if isinstance(verb, Message) and verb.key == "name-verb-value":
        return Message("name-would-value", verb.args)
    if not isinstance(verb, Phrase):
        return verb
    if spoken() != ENGLISH:
        return Message("name-by-model", {"verb": verb})
    for begin, would in _WOULD.items():
        if verb.text.startswith(f"{begin} "):
            return Phrase(would + verb.text.removeprefix(begin))
    first, _, rest = verb.text.partition(" ")
    return Phrase(f"would {_NOT[first]} {rest}".rstrip()) if first in _NOT else verb
