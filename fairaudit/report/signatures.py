"""Signatures of a report, and whether they fit: of both PDF files and of the list of all files.

The files of a report stay as they are, so that the same audit gives the same bytes and the list still fits. A signed
PDF is a copy that begins with the bytes of its file, and goes on with the signature alone; the signature of the list
(CMS) is a file beside it. What signs and checks (pyHanko) is in the extra ``sign``, and imported where it is needed.

Bytes that are the same at the start do not make pages the same: what is appended may replace any page. So the objects
of the file are taken, changed as signing changes them, and must then be those of the signed file, and no others.
"""

from __future__ import annotations

import asyncio
import datetime
import importlib.util
import io
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

from fairaudit.errors import FairauditError, InputError, quote
from fairaudit.report.manifest import MANIFEST_SIGNATURE, SIGNED, Manifest
from fairaudit.report.result_files import ResultFiles
from fairaudit.report.verified import Signature

T = TypeVar("T")
MOST_KEY: Final = 1_000_000
"""The largest file of a key or a certificate that is read, and the largest signature of a list."""
FIELD: Final = "Signature"
"""The name of the field of a signed PDF."""
SIGNING_KEY: Final = {"non_repudiation", "digital_signature"}
"""What a certificate must say that its key is for, one of the two, where it says anything."""
SIGNING_PURPOSES: Final = {
    "any_extended_key_usage",
    "email_protection",
    "1.3.6.1.5.5.7.3.36",  # documents
    "microsoft_document_signing",
    "adobe_authentic_documents_trust",
}
"""The same of its purposes."""
UPDATED: Final = {"ModifyDate", "MetadataDate", "Producer"}
"""What signing changes in the metadata of a PDF."""


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
    found = {name: _checked(name, files, manifest, trusted) for name in there}
    listed, office = found.get(MANIFEST_SIGNATURE, (None, b""))
    if listed is None or listed.state != "trusted":
        return tuple(each for each, _ in found.values())
    # Who signs a report signs all of it.
    return tuple(each if by == office else replace(each, state="invalid") for each, by in found.values())


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


def is_for_signing(certificate: Any) -> bool:
    """Say whether a certificate lets its key sign documents."""
    held, purposes = certificate.key_usage_value, certificate.extended_key_usage_value
    is_key = held is None or not SIGNING_KEY.isdisjoint(held.native)
    return is_key and (purposes is None or not SIGNING_PURPOSES.isdisjoint(purposes.native))


def _is_for_stamps(certificate: Any) -> bool:
    purposes = certificate.extended_key_usage_value
    return purposes is not None and "time_stamping" in purposes.native


def _checked(name: str, files: ResultFiles, manifest: Manifest, trusted: Sequence[Any]) -> tuple[Signature, bytes]:
    """Return what is found of a signature, and the certificate of who signed."""
    from pyhanko.pdf_utils.misc import PdfError
    from pyhanko.sign.general import CMSExtractionError

    signed = SIGNED[name]
    try:
        content = files.read(name, MOST_KEY) if name == MANIFEST_SIGNATURE else files.read(name)
        original = files.read(signed)
        if name == MANIFEST_SIGNATURE:
            return _status(name, lambda context: _of_list(content, original, context), trusted)
        is_listed = files.digest(signed) == manifest.compared.files.get(signed)
        if is_listed and content.startswith(original) and _is_only_signed(content, original):
            return _status(name, lambda context: _of_pdf(content, context), trusted)
    except (
        *(FairauditError, PdfError, CMSExtractionError, ValueError, TypeError, LookupError, AttributeError),
        *(ArithmeticError, AssertionError, NotImplementedError, RecursionError, OSError),
    ):
        # What a stranger wrote in place of a signature makes its readers fail in many ways.
        pass
    return Signature(name, "invalid"), b""


def _status(name: str, check: Callable[[Any], Any], trusted: Sequence[Any]) -> tuple[Signature, bytes]:
    """Return what a check of a signature comes to; at the time of its stamp where a trusted server gave one."""
    now = datetime.datetime.now(datetime.UTC)
    found = check(_context((), now))
    stamp, moment = found.timestamp_validity, now
    is_stamp = stamp is not None and stamp.valid and stamp.intact and _is_for_stamps(stamp.signing_cert)
    if is_stamp and _trust(stamp.signing_cert, lambda each: check(each).timestamp_validity, trusted, now) == "trusted":
        moment = stamp.timestamp
    fits = found.valid and found.intact and getattr(found, "docmdp_ok", True) is not False
    if hasattr(found, "coverage"):
        from pyhanko.sign.validation.status import SignatureCoverageLevel

        fits = fits and found.coverage == SignatureCoverageLevel.ENTIRE_FILE
    state = _trust(found.signing_cert, check, trusted, moment)
    if state in ("trusted", "expired") and not is_for_signing(found.signing_cert):
        state = "not_for_signing"
    at = found.signer_reported_dt if moment is now else moment
    return Signature(
        name,
        state if fits else "invalid",
        by=_named(found.signing_cert),
        at=None if at is None else at.astimezone(datetime.UTC),
        is_time_stamped=moment is not now,
    ), found.signing_cert.dump()


def _trust(
    certificate: Any, check: Callable[[Any], Any], trusted: Sequence[Any], moment: datetime.datetime
) -> Literal["trusted", "not_trusted", "expired", "not_for_signing"]:
    """Say whether a certificate is a trusted one, or one that a trusted one issued; and was so at a moment.

    A certificate that may issue no others is trusted for itself alone.
    """
    roots = [each for each in trusted if _may_issue(each) or each.dump() == certificate.dump()]
    valid = [each for each in roots if _is_valid(each, moment)]
    if _is_valid(certificate, moment) and check(_context(valid, moment)).trusted:
        return "trusted"
    return "expired" if check(_context(roots, certificate.not_valid_after)).trusted else "not_trusted"


def _may_issue(certificate: Any) -> bool:
    usage = certificate.key_usage_value
    return bool(certificate.ca) and (usage is None or "key_cert_sign" in usage.native)


def _is_valid(certificate: Any, moment: datetime.datetime) -> bool:
    return bool(certificate.not_valid_before <= moment <= certificate.not_valid_after)


def _named(certificate: Any) -> str:
    """Return the name in a certificate: of a person, and of what the person belongs to."""
    held = certificate.subject.native
    parts = [held.get(part) for part in ("common_name", "organization_name")]
    named = [part if isinstance(part, str) else ", ".join(part) for part in parts if part]
    return ", ".join(dict.fromkeys(named)) or str(certificate.subject.human_friendly)


def _context(roots: Sequence[Any], moment: datetime.datetime) -> Any:
    from pyhanko_certvalidator import ValidationContext

    return ValidationContext(trust_roots=list(roots), allow_fetching=False, moment=moment)


def _any_usage() -> Any:
    """Return that pyHanko does not look at usage, which it would not of a certificate that is itself trusted."""
    from pyhanko.sign.validation import KeyUsageConstraints

    return KeyUsageConstraints(key_usage=())


def _of_list(content: bytes, signed: bytes, context: Any) -> Any:
    from asn1crypto import cms
    from pyhanko.sign.validation import async_validate_detached_cms

    held = cms.ContentInfo.load(content, strict=True)["content"]
    return done(async_validate_detached_cms(signed, held, context, key_usage_settings=_any_usage()))


def _of_pdf(content: bytes, context: Any) -> Any:
    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.validation import async_validate_pdf_signature

    [held] = PdfFileReader(io.BytesIO(content)).embedded_signatures
    return done(async_validate_pdf_signature(held, context, key_usage_settings=_any_usage()))


# What a PDF shows.


class Place(NamedTuple):
    """Where an object stands in a PDF."""

    number: int
    generation: int


Objects = Mapping[Place, Any]


def _is_only_signed(content: bytes, original: bytes) -> bool:
    """Say whether a PDF is another with a signature: no page, file or word is another, and none is added."""
    from pyhanko.pdf_utils.reader import PdfFileReader

    was, now = PdfFileReader(io.BytesIO(original)), PdfFileReader(io.BytesIO(content))
    places = {key: _plain(was.trailer.raw_get(key)) for key in ("/Root", "/Info")}
    if places != {key: _plain(now.trailer.raw_get(key)) for key in places} or "/Encrypt" in now.trailer:
        return False
    if _facts(was) != _facts(now):
        return False
    before, after = _objects(was), _objects(now)
    size = was.trailer["/Size"]
    return _as_signed(before, after, **places) == after and all(place.number >= size for place in after.keys() - before)


def _objects(reader: Any) -> dict[Place, Any]:
    """Return all objects of a PDF, by where they stand."""
    revisions = range(reader.xrefs.total_revisions)
    every = {each for number in revisions for each in reader.xrefs.explicit_refs_in_revision(number)}
    return {Place(each.idnum, each.generation): _plain(reader.get_object(each)) for each in every}


def _plain(held: Any) -> Any:
    """Return an object of a PDF as plain values, which are equal where the objects are."""
    from pyhanko.pdf_utils import generic

    if isinstance(held, generic.IndirectObject):
        return Place(held.idnum, held.generation)
    if isinstance(held, generic.DictionaryObject):
        values = {str(key): _plain(value) for key, value in held.items()}
        return values | {"stream": held.encoded_data} if isinstance(held, generic.StreamObject) else values
    if isinstance(held, generic.ArrayObject):
        return [_plain(held.raw_get(number)) for number in range(len(held))]
    if isinstance(held, generic.NumberObject):
        return int(held)
    return str(held) if isinstance(held, generic.NameObject) else (type(held).__name__, repr(held))


def _facts(reader: Any) -> list[dict[Any, Any]]:
    """Return what the metadata of a PDF say, but for what signing changes in them."""
    from pyhanko.pdf_utils.metadata.xmp_xml import parse_xmp

    parts = parse_xmp(io.BytesIO(reader.root["/Metadata"].data))
    return [{name: value for name, value in part if name.local_name not in UPDATED} for part in parts]


def _as_signed(before: Objects, after: Objects, **places: Place) -> Objects:
    """Return all objects of a PDF as they are once it is signed, of which the signature itself is open."""
    held = {place: deepcopy(value) for place, value in before.items()}

    def at(value: Any) -> Any:
        return held[value] if isinstance(value, Place) else value

    # Only where the new objects stand is taken from the signed file, and what is drawn nowhere.
    catalog, new = held[places["/Root"]], after[places["/Root"]]
    form, signature = new["/AcroForm"], new["/Perms"]["/DocMDP"]
    [field] = after[form]["/Fields"]
    page, key = after[field]["/P"], at(catalog["/StructTreeRoot"])["/ParentTreeNextKey"]
    [element] = after.keys() - before.keys() - {form, field, signature}
    catalog |= {"/AcroForm": form, "/Perms": {"/DocMDP": signature}, "/Extensions": new["/Extensions"]}
    held[places["/Info"]] |= {each: after[places["/Info"]][each] for each in ("/ModDate", "/Producer")}
    held[catalog["/Metadata"]] = after[catalog["/Metadata"]]
    at(held[page].setdefault("/Annots", [])).append(field)
    tree = at(catalog["/StructTreeRoot"])
    top = tree["/K"][0] if isinstance(tree["/K"], list) else tree["/K"]
    at(held[top]["/K"]).append(element)
    at(at(tree["/ParentTree"])["/Nums"]).extend([key, element])
    tree["/ParentTreeNextKey"] = key + 1
    text = ("TextStringObject", repr(FIELD))
    is_drawn = {"/Type": "/Annot", "/Subtype": "/Widget", "/Rect": [0, 0, 0, 0], "/P": page, "/F": after[field]["/F"]}
    is_field = {"/FT": "/Sig", "/T": text, "/TU": text, "/V": signature, "/StructParent": key}
    part = {"/Type": "/OBJR", "/Obj": field, "/Pg": page}
    return held | {
        form: {"/Fields": [field], "/SigFlags": 3},
        field: is_drawn | is_field,
        element: {"/Type": "/StructElem", "/S": "/Form", "/P": top, "/Alt": text, "/K": part},
        signature: after[signature],
    }
