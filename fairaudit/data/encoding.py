"""Bytes of a text file to UTF-8, with the encoding found."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

from charset_normalizer import from_bytes

from fairaudit.data.limits import Limits, size_text
from fairaudit.errors import DataError, InputError, LimitError, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say

_CHUNK = 4_000_000
_SAMPLE = 200_000

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Codecs that transform instead of decode, or that have no fixed meaning.
_NOT_FOR_FILES = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"})


@dataclass(frozen=True)
class Decoded:
    """A text file as UTF-8.

    Parameters
    ----------
    data : bytes
        UTF-8 without a byte order mark.
    encoding : str
        The encoding it was in.
    note : str or None
        What a person should know about how it was found.
    """

    data: bytes | memoryview
    encoding: str
    note: str | None = None


def to_utf8(data: bytes, given: str | None, limits: Limits) -> Decoded:
    """Bring a text file to UTF-8.

    A byte order mark decides; then strict UTF-8; then UTF-16 without a mark, known by its zero bytes; then a guess from
    the letters, which is noted. A given encoding is used as it is.
    """
    name = encoding_of(data, given)
    if given is not None or name == "utf-8" or data.startswith(UTF16_MARKS):
        return _decode(data, name, None, limits)
    return _decode(data, name, not_utf8(name), limits)


def not_utf8(name: str) -> str:
    """Return the note on an encoding that was guessed."""
    return say(Message("read-not-utf8", {"name": Phrase(name)}))


def encoding_of(data: bytes, given: str | None) -> str:
    """Find the encoding of a text file.

    Examples
    --------
    >>> encoding_of("Zürich".encode("latin-1"), None)
    'latin-1'
    """
    if given is not None:
        return known_encoding(given)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    zeros = _zero_bytes(data[:_SAMPLE])
    if zeros:
        return zeros
    return "utf-8" if _bad_utf8(data) is None else _guess(data)


def known_encoding(given: str) -> str:
    """Return the usual name of a text encoding.

    Examples
    --------
    >>> known_encoding("UTF8")
    'utf-8'
    """
    hint = "Use for example utf-8, utf-16, latin-1 or cp1252."
    try:
        name = codecs.lookup(given).name
        "a".encode(name).decode(name)
    except (LookupError, ValueError, TypeError):
        raise InputError(f"'encoding' must be a text encoding, got {quote(given)}.", hint=hint) from None
    if name in _NOT_FOR_FILES:
        raise InputError(f"'encoding' must be a text encoding, got {quote(given)}.", hint=hint)
    return {"iso8859-1": "latin-1"}.get(name, name)


def _decode(data: bytes, name: str, note: str | None, limits: Limits) -> Decoded:
    shown = "utf-8" if name == "utf-8-sig" else name
    if shown == "utf-8":
        body = memoryview(data)[3:] if data.startswith(codecs.BOM_UTF8) else data
        bad = _bad_utf8(body)
        if bad is not None:
            line = bytes(body[:bad]).count(b"\n") + 1
            raise _not_in(shown, f"line {line:,}")
        return Decoded(body, shown, note)
    out = bytearray()
    lines = 1
    decoder = codecs.getincrementaldecoder(name)("strict")
    try:
        for chunk, last in _chunks(data):
            text = decoder.decode(chunk, last)
            lines += text.count("\n")
            out += text.encode()
            if len(out) > limits.max_decompressed:
                raise LimitError(
                    f"The text is larger than {size_text(limits.max_decompressed)}.", hint="Keep fewer rows or columns."
                )
    except UnicodeError:
        raise _not_in(shown, f"around line {lines:,}") from None
    start = 3 if out.startswith(codecs.BOM_UTF8) else 0
    return Decoded(memoryview(out)[start:], shown, note)


def _not_in(name: str, where: str) -> DataError:
    return DataError(
        f"The file is not text in the encoding {name}: {where} holds bytes that it does not allow.",
        hint="Choose another encoding, or save the file as UTF-8.",
    )


def _chunks(data: bytes | memoryview) -> Iterator[tuple[memoryview, bool]]:
    view = memoryview(data)
    for start in range(0, max(len(view), 1), _CHUNK):
        yield view[start : start + _CHUNK], start + _CHUNK >= len(view)


def _bad_utf8(data: bytes | memoryview) -> int | None:
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    done = 0
    try:
        for chunk, last in _chunks(data):
            decoder.decode(chunk, last)
            done += len(chunk)
    except UnicodeDecodeError as error:
        return done + error.start
    return None


def _zero_bytes(sample: bytes) -> str | None:
    half = len(sample) // 2
    if half < 4:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> str:
    start = max((_bad_utf8(data) or 0) - _SAMPLE // 2, 0)
    sample = data[start : start + _SAMPLE]
    high = [byte for byte in sample if byte >= 0x80]
    letters = sum(1 for byte in sample if 65 <= byte <= 90 or 97 <= byte <= 122)
    # Only in scripts other than Latin are most letters outside ASCII; there a statistical guess is reliable.
    if len(high) > 20 and len(high) > letters:
        best = from_bytes(sample).best()
        if best is not None and best.encoding != "ascii" and _decodes(data, best.encoding):
            return best.encoding
    western = any(0x80 <= byte <= 0x9F for byte in high)
    return "cp1252" if western and _decodes(data, "cp1252") else "latin-1"


def _decodes(data: bytes, name: str) -> bool:
    decoder = codecs.getincrementaldecoder(name)("strict")
    try:
        for chunk, last in _chunks(data):
            decoder.decode(chunk, last)
    except UnicodeError:
        return False
    return True
