"""Sign a report with the key of an office: a copy of each PDF, and the list of all files.

Needs pyHanko, which is in the extra ``sign``, and imported where it is needed.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fairaudit.errors import InputError, ReportError, quote
from fairaudit.report.manifest import INSTALL, MANIFEST, SIGNED
from fairaudit.report.result_files import open_results
from fairaudit.report.signatures import FIELD, can_sign, done, is_for_signing, small_file
from fairaudit.report.verification import verify


def sign_report(
    folder: Path,
    key: Path,
    passphrase: Callable[[], str],
    *,
    time_stamp_server: str | None = None,
    is_forced: bool = False,
) -> dict[str, bytes]:
    """Return the files that hold the signatures of a report, by their names.

    Parameters
    ----------
    folder : Path
        The folder of a report that nobody has changed.
    key : Path
        A key with its certificate, as PKCS#12.
    passphrase : callable
        Returns that of the key; called if it has one.
    time_stamp_server : str, optional
        The address of a server that says when it was signed (RFC 3161).
    is_forced : bool
        Whether signatures that are there are replaced.

    Raises
    ------
    ReportError
        If the report was changed, or the server gives no time stamp.
    InputError
        If the key cannot be used, the report is signed already, or what signs is not installed.
    """
    if not can_sign():
        raise InputError("To sign a report, pyHanko is needed, which is not installed.", hint=f"Install it: {INSTALL}")
    if not folder.is_dir():
        raise ReportError(f"There is no folder {quote(folder)}.", hint="Name a folder that a report was written into.")
    files = open_results(folder)
    there = sorted(SIGNED.keys() & files.openers.keys())
    if there and not is_forced:
        raise InputError(f"{quote(folder)} is signed already.", hint="Sign it anew with --force.")
    found = verify(folder)
    if found.names("changed", "missing", "added") or found.misfits:
        raise ReportError(f"{quote(folder)} is not as it was written.", hint="Sign it as `run` has written it.")
    signer, stamper = _signer(key, passphrase), _time_stamper(time_stamp_server)
    return {name: _signed(signed, files.read(signed), signer, stamper) for name, signed in SIGNED.items()}


def _signed(name: str, content: bytes, signer: Any, stamper: Any) -> bytes:
    how = _list_signed if name == MANIFEST else _pdf_signed
    return how(content, signer, stamper)


def _pdf_signed(content: bytes, signer: Any, stamper: Any) -> bytes:
    """Return a PDF with an invisible signature after its bytes, which allows no change after it."""
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign import PdfSignatureMetadata, PdfSigner
    from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter, append_signature_field

    asked = PdfSignatureMetadata(
        field_name=FIELD,
        md_algorithm="sha256",
        subfilter=SigSeedSubFilter.PADES,
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
    )
    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    # It has no size, so that PDF/A asks for no picture of it.
    append_signature_field(writer, SigFieldSpec(FIELD, on_page=0, box=None, readable_field_name=FIELD))
    _tag_field(writer)
    written = done(PdfSigner(asked, signer=signer, timestamper=stamper).async_sign_pdf(writer))
    return bytes(written.getvalue())


def _tag_field(writer: Any) -> None:
    """Put the field of the signature into the structure of a tagged document, as PDF/UA wants it."""
    from pyhanko.pdf_utils import generic

    name, number = generic.NameObject, generic.NumberObject
    tree, field = writer.root["/StructTreeRoot"], writer.root["/AcroForm"]["/Fields"].raw_get(0)
    top = tree.raw_get("/K")
    top = top.raw_get(0) if isinstance(top, generic.ArrayObject) else top
    key = int(tree["/ParentTreeNextKey"])
    held = {"/Type": name("/OBJR"), "/Obj": field, "/Pg": field.get_object().raw_get("/P")}
    element = {
        "/Type": name("/StructElem"),
        "/S": name("/Form"),
        "/P": top,
        "/Alt": generic.TextStringObject(FIELD),
        "/K": generic.DictionaryObject({name(each): value for each, value in held.items()}),
    }
    form = writer.add_object(generic.DictionaryObject({name(each): value for each, value in element.items()}))
    document, parents = top.get_object(), tree["/ParentTree"]
    document["/K"].append(form)
    parents["/Nums"].extend([number(key), form])
    tree[name("/ParentTreeNextKey")] = number(key + 1)
    field.get_object()[name("/StructParent")] = number(key)
    for changed in (document, document["/K"], parents, parents["/Nums"], tree):
        writer.update_container(changed)
    writer.mark_update(field)


def _list_signed(content: bytes, signer: Any, stamper: Any) -> bytes:
    """Return a CMS signature of a content that it does not hold, as DER."""
    from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes

    attributes = PdfCMSSignedAttributes(signing_time=datetime.datetime.now(datetime.UTC).replace(microsecond=0))
    signed = signer.async_sign_general_data(
        content, "sha256", detached=True, timestamper=stamper, signed_attr_settings=attributes
    )
    return bytes(done(signed).dump())


def _signer(path: Path, passphrase: Callable[[], str]) -> Any:
    """Return what signs with the key of a file."""
    from cryptography.hazmat.primitives.asymmetric import dsa, ec, rsa
    from cryptography.hazmat.primitives.serialization import pkcs12
    from pyhanko.sign import SimpleSigner

    content, word = small_file(path), None
    try:
        pkcs12.load_key_and_certificates(content, None)
    except ValueError:
        word = passphrase().encode()
    try:
        key, certificate, _ = pkcs12.load_key_and_certificates(content, word)
    except ValueError:
        raise InputError(
            f"{quote(path)} is no key (PKCS#12), or its passphrase is another one.", hint="Name a file .p12 or .pfx."
        ) from None
    if key is None or certificate is None:
        raise InputError(f"{quote(path)} holds no key with its certificate.", hint="Export both into one file.")
    if not isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | dsa.DSAPrivateKey):
        raise InputError(
            f"The key of {quote(path)} is of a kind that few readers of PDF check.", hint="Sign with an RSA or EC key."
        )
    now = datetime.datetime.now(datetime.UTC)
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        days = f"{certificate.not_valid_before_utc:%Y-%m-%d} to {certificate.not_valid_after_utc:%Y-%m-%d}"
        raise InputError(f"The certificate of {quote(path)} is valid from {days}.", hint="Sign with a valid one.")
    signer = SimpleSigner.load_pkcs12_data(content, [], word)
    if not is_for_signing(signer.signing_cert):
        raise InputError(
            f"The certificate of {quote(path)} is not for signing documents.", hint="Ask who issued it for another."
        )
    return signer


def _time_stamper(address: str | None) -> Any:
    if address is None:
        return None
    from pyhanko.sign.timestamps import HTTPTimeStamper, TimestampRequestError

    if not address.startswith(("http://", "https://")):
        raise InputError(f"A time stamp server begins with http:// or https://, got {quote(address)}.")

    class Stamper(HTTPTimeStamper):
        async def async_timestamp(self, message_digest: bytes, md_algorithm: str) -> Any:
            try:
                stamp = await super().async_timestamp(message_digest, md_algorithm)
                # Reads all of it, so that what is none says so here.
                _ = stamp.native
                return stamp
            except (TimestampRequestError, OSError, ValueError, TypeError, LookupError, AttributeError):
                # What a server answers that is no time stamp fails in many ways.
                raise ReportError(
                    "The time stamp server gave no time stamp.", hint="Look at its address, or sign without one."
                ) from None

    return Stamper(address)
