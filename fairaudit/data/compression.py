"""Gzip, decompressed while counting, so that a small file cannot fill the memory."""

from __future__ import annotations

import zlib

from fairaudit.data.limits import MEGABYTE, Limits, size_text
from fairaudit.errors import DataError, LimitError

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
