"""Find out what a file is by its content, and refuse what is not a table before anything opens it."""

from __future__ import annotations

import codecs
import pickletools
import re
import string
import zlib
from typing import Final, Literal

from fairaudit.columns import Format
from fairaudit.data.limits import MEGABYTE, Limits, size_text
from fairaudit.errors import DataError, LimitError, UnsupportedFormatError

# Gzip, decompressed while counting, so that a small file cannot fill the memory.

_STEP = 1 << 20
_FREE = 50 * MEGABYTE


def gunzip(data: bytes, limits: Limits) -> bytes:
    """Decompress a gzip file of one or more members."""
    out = bytearray()
    rest = memoryview(data)
    while len(rest) and (not out or rest[:2] == b"\x1f\x8b"):
        rest = _member(rest, out, len(data), limits)
    # Zeros fill up the last block of a tape; anything else would be dropped without a word.
    if any(rest):
        raise DataError(
            f"The gzip file is followed by {len(rest):,} bytes that are not part of it.", hint="Compress it again."
        )
    return bytes(out)


def check_growth(n_bytes: int, n_compressed: int, limits: Limits) -> None:
    """Refuse content that grew too much."""
    if n_bytes > limits.max_decompressed:
        raise LimitError(
            f"The file is larger than {size_text(limits.max_decompressed)} when decompressed.",
            hint="Keep fewer rows or columns, or save it as Parquet.",
        )
    if n_bytes > _FREE and n_bytes > limits.max_ratio * n_compressed:
        raise LimitError(
            f"The file grows more than {limits.max_ratio:,} times when decompressed, which no usual table does.",
            hint="Decompress it yourself and look at it before opening it.",
        )


def _member(rest: memoryview, out: bytearray, size: int, limits: Limits) -> memoryview:
    worker = zlib.decompressobj(wbits=31)
    position = 0
    pending: bytes | memoryview = b""
    try:
        while not worker.eof:
            if not pending:
                pending = rest[position : position + _STEP]
                position += len(pending)
                if not pending:
                    raise DataError(
                        "The gzip file is cut short.", hint="Download or copy it again, and check that it is complete."
                    )
            out += worker.decompress(pending, _STEP)
            pending = worker.unconsumed_tail
            check_growth(len(out), size, limits)
    except zlib.error:
        raise DataError("The gzip file is damaged.", hint="Download or copy it again.") from None
    return rest[position - len(worker.unused_data) :]


Content = Literal["text", "gzip", "parquet", "zip", "sav", "por", "dta", "sas7bdat", "xpt"]

ENDINGS: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".csv.gz": "csv",
    ".tsv": "tsv",
    ".tsv.gz": "tsv",
    ".txt": "csv",
    ".xlsx": "xlsx",
    ".parquet": "parquet",
    ".sav": "sav",
    ".zsav": "sav",
    ".por": "por",
    ".dta": "dta",
    ".sas7bdat": "sas7bdat",
    ".xpt": "xpt",
}
"""What names of files that are read end in; the content decides."""

ACCEPTED = "CSV or TSV text (also gzip-compressed), XLSX workbooks, Parquet, and files of SPSS, Stata and SAS"

_HINT = f"The kinds that are read are {ACCEPTED}."

# What the first bytes say, where a text table cannot begin so.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xce\xfa\xed\xfe", "a program"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an XZ archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF\r\n", "an HDF5 file"),
    (b"ARROW1", "an Arrow file"),
    (b"FEA1", "a Feather file"),
    (b"Obj\x01", "an Avro file"),
    (b"ORC", "an ORC file"),
    (b"{\\rtf", "a rich-text document"),
    (b"\x1c" + bytes(7) + b"ENCRYPTED", "an encrypted SPSS file"),
)

_MARKUP = (
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML file"),
    (b"<script", "a web page"),
    (b'[{"', "a JSON file"),
    (b'{"', "a JSON file"),
    (b"[{", "a JSON file"),
    (b"#!/", "a script"),
)

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_UTF16_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_CONTROL = bytes(c for c in range(32) if chr(c) not in "\t\n\r\f\v\x1a\x1b")
_PICKLE_LOOK = 1_000_000
_SAMPLE = 65_536


def sniff(data: bytes | memoryview) -> Content:
    r"""Return the kind of a file by its first bytes (or all of them).

    Examples
    --------
    >>> sniff(b"a,b\n1,2\n")
    'text'
    """
    head = bytes(data[:_SAMPLE])
    if not head:
        raise DataError("The file is empty.", hint="Choose a file with a line of column names and at least one row.")
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if (found := _statistical(head)) is not None:
        return found
    _refuse_known(data, head)
    if _is_binary(head):
        raise UnsupportedFormatError("The file is not a table: it holds binary data.", hint=_HINT)
    return "text"


_SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_OLD_STATA = re.compile(rb"[\x69-\x73][\x01\x02]\x01\x00", re.DOTALL)


def _statistical(head: bytes) -> Content | None:
    """Return the kind of a file of SPSS, Stata or SAS; None where it is another."""
    if head.startswith((b"$FL2", b"$FL3")):
        return "sav"
    if head.startswith(b"<stata_dta>") or _OLD_STATA.match(head):
        return "dta"
    if head.startswith(_SAS):
        return "sas7bdat"
    if re.match(rb"HEADER RECORD\*{7}LIB(RARY|V8) ", head):
        return "xpt"
    # Its head is texts of 40 characters in several alphabets, and may be broken into lines.
    return "por" if b"SPSSPORT" in head[:600].replace(b"\r", b"").replace(b"\n", b"") else None


def refused(what: str, hint: str = _HINT) -> UnsupportedFormatError:
    """Return the error for a file of a kind that is not read."""
    return UnsupportedFormatError(f"The file is {what}, whatever its name says.", hint=hint)


def _refuse_known(data: bytes | memoryview, head: bytes) -> None:
    if head.startswith(_OLE):
        _refuse_ole(data)
    if head.startswith(b"PARE"):
        raise refused("an encrypted Parquet file", f"Save it without encryption. {_HINT}")
    if head.startswith(b"MZ") and any(byte in _CONTROL for byte in head[:512]):
        raise refused("a program")
    for start, what in _SIGNATURES:
        if head.startswith(start):
            raise refused(what)
    first = head.lstrip(codecs.BOM_UTF8 + string.whitespace.encode())[:100].lower()
    for start, what in _MARKUP:
        if first.startswith(start):
            raise refused(what)
    if is_pickle(data):
        raise refused("a Python pickle, which could run a program when opened")


def _refuse_ole(data: bytes | memoryview) -> None:
    # The name of the encrypted stream stands in the directory, anywhere in the file.
    if _UTF16_ENCRYPTED in bytes(data[:5_000_000]):
        raise refused("an encrypted workbook", "Open it with its password and save it as XLSX without one.")
    raise refused(
        "an old Office document or an encrypted workbook",
        "Save it as XLSX without a password, or as CSV.",
    )


def is_pickle(data: bytes | memoryview) -> bool:
    """Return whether bytes are a Python pickle, without loading it."""
    head = bytes(data[:_PICKLE_LOOK])
    if len(head) > 2 and head[0] == 0x80 and head[1] <= 5:
        return True
    if not head.rstrip().endswith(b".") or head[:1] not in (b"(", b"]", b"}", b"c", b"I", b"S", b"V", b"L", b"F", b"N"):
        return False
    try:
        n_codes = sum(1 for _ in pickletools.genops(head.rstrip()))
    except (ValueError, IndexError, UnicodeError, OverflowError):
        return False
    return n_codes > 2


def _is_binary(head: bytes) -> bool:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)):
        return False
    zeros = head.count(0)
    half = max(len(head) // 2, 1)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if zeros and max(even, odd) > 0.6 * half and min(even, odd) < 0.05 * half:
        # Every second byte is zero: text in UTF-16 without a mark.
        return False
    strange = len(head) - len(head.translate(None, _CONTROL))
    return strange > 0.02 * len(head) or zeros > 0
