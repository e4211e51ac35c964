"""What was found of a report that was checked, and how it is said and tabulated."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from fairaudit.disclosure.fields import Field
from fairaudit.errors import in_brief, quote
from fairaudit.findings import Count, Message, Phrase, Said, Word
from fairaudit.findings.result import Result
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock
from fairaudit.report.manifest import INSTALL, MANIFEST, MANIFEST_SIGNATURE
from fairaudit.settings import SALT

Verdict = Literal["unchanged", "changed", "made_again", "differs"]
VERDICTS: Final[tuple[Verdict, ...]] = ("unchanged", "changed", "made_again", "differs")
MOST_CELL: Final = 80
Misfit = Literal["plan", "question", "seed", "fingerprint", "data", "versions"]
"""What a list of files can name otherwise than the report does: under its name in the list."""


@dataclass(frozen=True)
class FileState:
    """A file of a report: as it was listed or not and, where the audit was made again, as it was made then or not."""

    name: str
    state: Literal["unchanged", "changed", "missing", "added"]
    again: Literal["same", "other"] | None = None


@dataclass(frozen=True)
class Difference:
    """A value of a report that is another one when the audit is made again: where it stands in ``result.json``."""

    path: str
    reported: object
    again: object


@dataclass(frozen=True)
class Signature:
    """A signature of a file of a report: by whom and when, and whether it fits and its key is trusted."""

    file: str
    state: Literal["trusted", "not_trusted", "expired", "not_for_signing", "invalid", "not_checked"]
    by: str | None = None
    at: datetime.datetime | None = None
    is_time_stamped: bool = False


@dataclass(frozen=True)
class Verification(Result):
    """What was found of a report: the answer of :func:`~fairaudit.verify`.

    Parameters
    ----------
    verdict : str
        "unchanged": each file is as listed. "changed": one is not, or a signature does not fit. "made_again": also,
        the audit was made again from its data and gives the same. "differs": it gives something else, or the data are
        others.
    made : datetime
        When the files were written, as the list of files says, in UTC.
    files : tuple of FileState
        Each file that is listed or there.
    misfits : tuple of str
        What the list of files names otherwise than the report does: "plan", "question", "seed", "fingerprint", "data"
        or "versions".
    data : str
        "same", "other", "not_known" beside hidden counts where no salt was set or it is not set here, or "not_given".
    mismatch : str, optional
        In words, how the data differ.
    numbers : str, optional
        "same", "last_digits", or "other"; None where the audit was not made again.
    n_differences : int
        How many values differ.
    differences : tuple of Difference
        The first of them.
    other_versions : tuple of str
        Software of which another version is here.
    is_read_alike : bool
        Whether the data were read as the report says; where not, its files are made with what it says of that.
    is_salted : bool
        Whether the report knows its data by a salted fingerprint, which only the salt of the office can make again.
    signatures : tuple of Signature
        Those of the report; none where nobody signed it. The state of each is "trusted", "not_trusted" where nobody
        said that its key is, "expired" where its certificate was not valid when it was signed, "not_for_signing" where
        its key is for something else, "invalid", or "not_checked" where what checks it is not installed.
    """

    verdict: Verdict
    made: datetime.datetime
    files: tuple[FileState, ...]
    misfits: tuple[Misfit, ...] = ()
    data: Literal["same", "other", "not_known", "not_given"] = "not_given"
    mismatch: str | None = None
    numbers: Literal["same", "last_digits", "other"] | None = None
    n_differences: int = 0
    differences: tuple[Difference, ...] = ()
    other_versions: tuple[str, ...] = ()
    is_read_alike: bool = True
    is_salted: bool = False
    signatures: tuple[Signature, ...] = ()

    def names(self, *states: str) -> tuple[str, ...]:
        """Return the names of the files that are in one of these states.

        Parameters
        ----------
        *states : str
            "unchanged", "changed", "missing" or "added"; or "same" or "other", as made again.

        Returns
        -------
        tuple of str
            In the order of the list.
        """
        return tuple(each.name for each in self.files if each.state in states or each.again in states)

    @property
    def is_signed_by_trusted(self) -> bool:
        """Whether the list of files is signed with a key that is trusted, and no signature is another one."""
        return self._signed("trusted") and {each.state for each in self.signatures} == {"trusted"}

    def _signed(self, *states: str) -> bool:
        return any(each.file == MANIFEST_SIGNATURE and each.state in states for each in self.signatures)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as values for JSON.

        Returns
        -------
        dict
            By the names of the fields.
        """
        return {
            "verdict": self.verdict,
            "made": self.made.isoformat(),
            "files": [{"name": each.name, "state": each.state, "again": each.again} for each in self.files],
            "misfits": list(self.misfits),
            "data": self.data,
            "mismatch": self.mismatch,
            "numbers": self.numbers,
            "n_differences": self.n_differences,
            "differences": [
                {"path": each.path, "reported": each.reported, "again": each.again} for each in self.differences
            ],
            "other_versions": list(self.other_versions),
            "is_read_alike": self.is_read_alike,
            "is_salted": self.is_salted,
            "signatures": [
                {
                    "file": each.file,
                    "state": each.state,
                    "by": each.by,
                    "at": None if each.at is None else each.at.isoformat(),
                    "is_time_stamped": each.is_time_stamped,
                }
                for each in self.signatures
            ],
        }


# What is said of it.


def say_verification(found: Verification) -> Said:
    """Return verdict, headline, lead and cautions as messages."""
    return Said(
        verdict=Message(f"verdict-{found.verdict.replace('_', '-')}"),
        headline=Message(f"verify-{_headline(found)}"),
        lead=tuple(_lead(found)),
        caution=tuple(_cautions(found)),
    )


def _headline(found: Verification) -> str:
    if found.verdict == "changed" and not found.misfits and not found.names("changed", "missing", "added"):
        return "signature-invalid"
    if found.verdict in ("unchanged", "changed"):
        return found.verdict
    if found.verdict == "made_again":
        is_known = not found.is_salted or found.data == "same"
        is_whole = is_known and found.is_read_alike and all(each.again == "same" for each in found.files)
        return "made-again" if is_whole and not found.other_versions else "made-again-numbers"
    if found.data == "other":
        return "other-data"
    return "other-numbers" if found.numbers == "other" else "other-files"


def _lead(found: Verification) -> Iterator[Message]:
    if found.verdict == "changed":
        for state in ("changed", "missing", "added"):
            if names := found.names(state):
                yield Message("verify-which", {"state": Word(state), "names": _listed(names)})
        if found.misfits:
            parts = ", ".join(say(Message("verify-list-part", {"part": Word(each)})) for each in found.misfits)
            yield Message("verify-list", {"list": Phrase(MANIFEST), "parts": Phrase(parts)})
    elif found.verdict == "unchanged":
        yield Message("verify-written", {"n": Count(len(found.files)), "day": _day(found.made)})
    if found.verdict == "differs" and found.data != "other" and found.numbers != "other":
        yield Message("verify-not-again", {"names": _listed(found.names("other"))})
    if found.numbers == "other":
        yield Message("verify-n-other", {"n": Count(found.n_differences)})
    elif found.numbers == "last_digits":
        yield Message("verify-last-digits", {"n": Count(found.n_differences)})
    if found.data == "not_known" and found.is_salted:
        yield Message("verify-data-salted", {"variable": Phrase(SALT.variable)})
    elif found.data in ("same", "not_known"):
        yield Message(f"verify-data-{found.data.replace('_', '-')}")
    yield from _signed(found)


def _signed(found: Verification) -> Iterator[Message]:
    """Yield who signed, of signatures that fit; and which do not."""
    if not found.signatures:
        yield Message("verify-not-signed")
    if names := tuple(each.file for each in found.signatures if each.state == "invalid"):
        yield Message("verify-invalid", {"names": _listed(names)})
    said = {
        (each.by, each.state, None if each.at is None else each.at.date()): each
        for each in found.signatures
        if each.state not in ("invalid", "not_checked")
    }
    for each in said.values():
        by = Phrase(in_brief(each.by or "", limit=120))
        when = Message("verify-no-day") if each.at is None else _day(each.at)
        stamped = Word("yes" if each.is_time_stamped else "no")
        kind = "trusted" if each.state == "trusted" else "not-trusted"
        yield Message(f"verify-{kind}", {"by": by, "day": when, "stamped": stamped})


def _cautions(found: Verification) -> Iterator[Message]:
    states = {each.state for each in found.signatures}
    if "not_checked" in states:
        yield Message("verify-not-checked", {"install": Phrase(INSTALL)})
    if "not_trusted" in states:
        yield Message("verify-bring-certificate")
    elif "expired" in states:
        yield Message("verify-expired")
    elif "not_for_signing" in states:
        yield Message("verify-not-for-signing")
    elif found.data == "not_given" and not found.is_signed_by_trusted:
        yield Message("verify-without-data")
    if found.data != "not_given" and found.other_versions:
        yield Message("verify-versions", {"names": _listed(found.other_versions)})
    elif found.numbers == "last_digits":
        yield Message("verify-digits")
    elif _headline(found) == "other-files" and all(name.endswith(".pdf") for name in found.names("other")):
        yield Message("verify-fonts")
    if not found.is_read_alike:
        yield Message("verify-read")
    if found.data == "other" and found.is_salted:
        yield Message("verify-other-salt", {"variable": Phrase(SALT.variable)})


def _day(when: datetime.datetime) -> Phrase:
    return Phrase(f"{when.day} {when:%B %Y}")


def _listed(names: tuple[str, ...], most: int = 5) -> Phrase | Message:
    named, more = Phrase(", ".join(quote(name, limit=60) for name in names[:most])), len(names) - most
    return Message("names-more", {"names": named, "n": Count(more)}) if more > 0 else named


# Its tables.


def verification_tables(found: Verification) -> list[TableBlock]:
    """Return the tables: each file, the signatures if it has any, and the values that differ if there are any."""
    more = [signatures_table(found)] if found.signatures else []
    return [files_table(found), *more, *([values_table(found)] if found.differences else [])]


def files_table(found: Verification) -> TableBlock:
    """Return the files of a report, each with whether it is as listed and as made again."""
    rows = tuple((each.name, _state(each.state), _state(each.again or "none")) for each in found.files)
    return TableBlock("verify_files", say(Message("verify-files-table")), _columns("file", "state", "again"), rows)


def signatures_table(found: Verification) -> TableBlock:
    """Return the signatures: of which file, whether each fits, by whom and when."""
    rows = tuple(
        (
            each.file,
            _state(each.state),
            in_brief(each.by or "", limit=MOST_CELL),
            "" if each.at is None else f"{each.at:%Y-%m-%d %H:%M} UTC",
            _state("time_server" if each.is_time_stamped else "own_clock") if each.at is not None else "",
        )
        for each in found.signatures
    )
    columns = _columns("file", "signature", "by", "at", "clock")
    return TableBlock("verify_signatures", say(Message("verify-signatures-table")), columns, rows)


def values_table(found: Verification) -> TableBlock:
    """Return the values that differ, as reported and as made again."""
    rows = tuple(
        (each.path, repr(each.reported)[:MOST_CELL], repr(each.again)[:MOST_CELL]) for each in found.differences
    )
    columns = _columns("value", "reported", "now")
    return TableBlock("verify_values", say(Message("verify-values-table")), columns, rows)


def _columns(*names: str) -> tuple[Field, ...]:
    return tuple(Field(name, say(Message(f"verify-column-{name}")), "text", "") for name in names)


def _state(state: str) -> str:
    return say(Message("verify-state", {"state": Word(state)}))
