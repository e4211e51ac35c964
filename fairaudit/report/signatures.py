"""Signatures of a report, and whether they fit: of both PDF files and of the list of all files.

The files of a report stay as they are, so that the same audit gives the same bytes and the list still fits. A signed
PDF is a copy that begins with the bytes of its file, and goes on with the signature alone; the signature of the list
(CMS) is a file beside it. What signs and checks (pyHanko) is in the extra ``sign``, and imported where it is needed.
"""

from __future__ import annotations

import asyncio
import datetime
import importlib.util
import io
import logging
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from fairaudit.errors import FairauditError, InputError, quote
from fairaudit.report.manifest import MANIFEST, MANIFEST_SIGNATURE, SIGNED, Manifest, digest_of
from fairaudit.report.result_files import ResultFiles
from fairaudit.report.verified import Signature

T = TypeVar("T")
MOST_KEY: Final = 1_000_000
"""The largest file of a key or a certificate that is read, and the largest signature of a list."""
END_OF_FILE: Final = b"%%EOF"
SIGNING_KEY: Final = {"non_repudiation", "digital_signature"}
"""What a certificate must say that its key is for, one of the two, where it says anything."""


def can_sign() -> bool:
    """Say whether what signs and checks signatures is installed."""
    return importlib.util.find_spec("pyhanko") is not None


def done(work: Coroutine[Any, Any, T]) -> T:
    """Wait for a coroutine; in a thread of its own, as a notebook has a loop that is running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def small_file(path: Path) -> bytes:
    """Return the content of a file of a key or of certificates."""
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_KEY + 1)
    except OSError as error:
        raise InputError(f"{quote(path)} cannot be read: {error.strerror}.", hint="Name another file.") from None
    if len(content) > MOST_KEY:
        raise InputError(f"{quote(path)} is larger than a key or certificate is.", hint="Name another file.")
    return content


def certificate_in(path: str | Path) -> bytes:
    """Return the content of a file of certificates."""
    return small_file(Path(path))


def signatures_of(files: ResultFiles, manifest: Manifest, certificates: Sequence[bytes]) -> tuple[Signature, ...]:
    """Check the signatures of a report: whether each fits what it signs, and whether one of the certificates has it.

    Parameters
    ----------
    files : ResultFiles
        The files of the report.
    manifest : Manifest
        The list of its files.
    certificates : sequence of bytes
        Those that are trusted, as PEM or DER.
    """
    there = [name for name in SIGNED if name in files.openers]
    if not can_sign():
        return tuple(Signature(name, "not_checked") for name in there)
    trusted = [each for content in certificates for each in _certificates(content)]
    # What is wrong with a file is the answer, and no fault to be logged.
    logging.getLogger("pyhanko").setLevel(logging.CRITICAL)
    logging.getLogger("pyhanko_certvalidator").setLevel(logging.CRITICAL)
    return tuple(_checked(name, files, manifest, trusted) for name in there)


def _certificates(content: bytes) -> list[Any]:
    """Return the certificates in a file."""
    from asn1crypto import pem, x509

    try:
        blocks = [der for _, _, der in pem.unarmor(content, multiple=True)] if pem.detect(content) else [content]
        found = [x509.Certificate.load(block, strict=True) for block in blocks]
        # Reads all of it, so that what is none says so here.
        names = [each.native["tbs_certificate"] for each in found]
    except (ValueError, TypeError):
        names = []
    if not names:
        raise InputError("What is trusted is no certificate (PEM).", hint="Ask the office for its certificate.")
    return found


def _checked(name: str, files: ResultFiles, manifest: Manifest, trusted: Sequence[Any]) -> Signature:
    from pyhanko.pdf_utils.misc import PdfError
    from pyhanko.sign.general import CMSExtractionError

    signed = SIGNED[name]
    try:
        content = files.read(name, MOST_KEY) if name == MANIFEST_SIGNATURE else files.read(name)
        if name == MANIFEST_SIGNATURE:
            original = files.read(MANIFEST)
            return _status(name, lambda context: _of_list(content, original, context), trusted)
        if not _begins_with(content, manifest.compared.files.get(signed)):
            return Signature(name, "invalid")
        return _status(name, lambda context: _of_pdf(content, context), trusted)
    except (
        *(FairauditError, PdfError, CMSExtractionError, ValueError, TypeError, LookupError, AttributeError),
        *(ArithmeticError, AssertionError, NotImplementedError, RecursionError, OSError),
    ):
        # What a stranger wrote in place of a signature makes its readers fail in many ways.
        return Signature(name, "invalid")


def _begins_with(content: bytes, digest: str | None) -> bool:
    """Say whether a PDF begins with the file of a digest, up to one of its ends."""
    at = content.find(END_OF_FILE)
    while at >= 0:
        end = at + len(END_OF_FILE)
        if any(digest_of(content[: end + more]) == digest for more in range(3)):
            return True
        at = content.find(END_OF_FILE, end)
    return False


def _status(name: str, check: Callable[[Any], Any], trusted: Sequence[Any]) -> Signature:
    """Return what a check of a signature comes to; at the time of its stamp where a trusted server gave one."""
    found = check(_context(trusted))
    stamp = found.timestamp_validity
    is_stamped = stamp is not None and stamp.valid and stamp.intact and stamp.trusted
    if is_stamped and not found.trusted:
        found = check(_context(trusted, moment=stamp.timestamp))
    fits = found.valid and found.intact and getattr(found, "docmdp_ok", True) is not False
    if hasattr(found, "coverage"):
        from pyhanko.sign.validation.status import SignatureCoverageLevel

        fits = fits and found.coverage == SignatureCoverageLevel.ENTIRE_FILE
    at = stamp.timestamp if is_stamped else found.signer_reported_dt
    return Signature(
        name,
        "invalid" if not fits else "trusted" if found.trusted else "not_trusted",
        by=_named(found.signing_cert),
        at=None if at is None else at.astimezone(datetime.UTC),
        is_time_stamped=is_stamped,
    )


def _named(certificate: Any) -> str:
    """Return the name in a certificate: of a person, and of what the person belongs to."""
    held = certificate.subject.native
    parts = [held.get(part) for part in ("common_name", "organization_name")]
    named = [part if isinstance(part, str) else ", ".join(part) for part in parts if part]
    return ", ".join(dict.fromkeys(named)) or str(certificate.subject.human_friendly)


def _context(trusted: Sequence[Any], moment: datetime.datetime | None = None) -> Any:
    from pyhanko_certvalidator import ValidationContext

    return ValidationContext(trust_roots=list(trusted), allow_fetching=False, moment=moment)


def _usage() -> Any:
    from pyhanko.sign.validation import KeyUsageConstraints

    return KeyUsageConstraints(key_usage=SIGNING_KEY, match_all_key_usages=False)


def _of_list(content: bytes, signed: bytes, context: Any) -> Any:
    from asn1crypto import cms
    from pyhanko.sign.validation import async_validate_detached_cms

    held = cms.ContentInfo.load(content, strict=True)["content"]
    return done(async_validate_detached_cms(signed, held, context, key_usage_settings=_usage()))


def _of_pdf(content: bytes, context: Any) -> Any:
    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.validation import async_validate_pdf_signature

    [held] = PdfFileReader(io.BytesIO(content)).embedded_signatures
    return done(async_validate_pdf_signature(held, context, key_usage_settings=_usage()))
