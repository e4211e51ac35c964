"""Small changes of valid content, as damage or malice would make them."""

from __future__ import annotations

import gzip
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from random import Random

import numpy as np

Mutation = Callable[[bytes, Random], bytes]

NUMBERS = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 2**63 - 1, 2**64 - 1)
TEXTS = (
    b"", b" ", b"0", b"-1", b"1e999", b"-1e-999", b"nan", b"inf", b"9" * 400, b"0x10", b"1_000", b"1,5", b"99999999999",
    b"9223372036854775808", b"2020-02-30", b"0000-00-00", b"9999-12-31", b"292277026596-12-04", b"2020-01-01 24:00:00",
    b"12:61", b"true", b"NULL", b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "\u202e\u0130\ufeff".encode(),
    b'"', b'""', b"'", b"=1+1", b"\r", b"\n", b"\t", b",", b";", b"\x1a", b"x" * 5000, b"&#0;", b"&lt;", b"&nosuch;",
)  # fmt: skip
VALUES = (b"true", b"-1", b"0", b"1.5", b"nan", b"-inf", b"9" * 5_000, b"1979-05-27T07:32:00Z", b"[]", b"{}")


def flip(data: bytes, rng: Random) -> bytes:
    """Turn single bits around."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 12)):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def nudge(data: bytes, rng: Random) -> bytes:
    """Change one byte."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([rng.choice([rng.randrange(256), (data[at] + 1) % 256, data[at] ^ 128])]) + data[at + 1 :]


def cut(data: bytes, rng: Random) -> bytes:
    """Leave out the end, or the start."""
    at = rng.randrange(len(data))
    return data[:at] if rng.random() < 0.7 else data[at:]


def leave_out(data: bytes, rng: Random) -> bytes:
    """Leave out a block."""
    start, end = _block(data, rng)
    return data[:start] + data[end:]


def double(data: bytes, rng: Random) -> bytes:
    """Write a block several times."""
    start, end = _block(data, rng)
    return data[:end] + data[start:end] * rng.choice([1, 1, 2, 50]) + data[end:]


def swap(data: bytes, rng: Random) -> bytes:
    """Let two blocks change places."""
    a, b, c, d = sorted(rng.randrange(len(data) + 1) for _ in range(4))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def overwrite(data: bytes, rng: Random) -> bytes:
    """Write one byte over a block."""
    start, end = _block(data, rng, most=40)
    return data[:start] + rng.choice([b"\0", b"\xff", b'"', b",", b"\n", b"9", b"<"]) * (end - start) + data[end:]


def number(data: bytes, rng: Random) -> bytes:
    """Write a number of an extreme size over some bytes."""
    form = rng.choice(["<B", "<H", "<I", "<Q", ">H", ">I", ">Q"])
    size = struct.calcsize(form)
    at = rng.randrange(max(len(data) - size, 1))
    return data[:at] + struct.pack(form, rng.choice(NUMBERS) % 256**size) + data[at + size :]


def insert(data: bytes, rng: Random) -> bytes:
    """Put something in between."""
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(TEXTS) + data[at:]


BYTES: tuple[Mutation, ...] = (nudge, flip, flip, cut, leave_out, double, swap, overwrite, number, insert)
"""What can be done to any file."""


def cells(data: bytes, rng: Random) -> bytes:
    """Change a cell, or the number of cells in a line, or how lines end."""
    lines = data.split(b"\n")
    delimiter = max((b",", b"\t", b";"), key=lines[0].count)
    at = rng.randrange(len(lines))
    parts = lines[at].split(delimiter)
    match rng.randrange(7):
        case 0:
            parts.insert(rng.randrange(len(parts) + 1), rng.choice(TEXTS))
        case 1:
            parts.pop(rng.randrange(len(parts)))
        case 2:
            # A whole column of something else.
            place, text = rng.randrange(len(parts)), rng.choice(TEXTS)
            split = [line.split(delimiter) for line in lines]
            for row in split[rng.choice([0, 1]) :]:
                row[place : place + 1] = [text]
            return b"\n".join(delimiter.join(row) for row in split)
        case 3:
            return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\n", b"\n\r"]), rng.choice([1, 3, -1]))
        case 4:
            return rng.choice([b"\xef\xbb\xbf", b"sep=;\n", b"\n\n", b"# a comment\n", b"\xff\xfe", b" "]) + data
        case 5:
            return data.replace(delimiter, rng.choice([b",", b";", b"\t", b"|", b"", b" "]), rng.choice([1, 9, -1]))
        case _:
            parts[rng.randrange(len(parts))] = rng.choice(TEXTS)
    lines[at] = delimiter.join(parts)
    return b"\n".join(lines)


def toml(data: bytes, rng: Random) -> bytes:
    """Change a line of settings: its name, its value, its place."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    name, mark, value = lines[at].partition(b"=")
    match rng.randrange(7):
        case 0:
            lines.pop(at)
        case 1:
            lines.insert(rng.randrange(len(lines)), lines[at])
        case 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = rng.choice(TEXTS) + mark + value
        case 4:
            deep = rng.choice([10, 3_000])
            lines[at] = name + b"= " + rng.choice([b"[" * deep + b"]" * deep, b"{a=" * deep + b"1" + b"}" * deep])
        case 5:
            text = rng.choice(TEXTS).decode("utf-8", "ignore").replace("\\", "").replace('"', "")
            escaped = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
            lines[at] = name + b'= "' + escaped.encode() + b'"'
        case _:
            simple = [
                b"true",
                b"-1",
                b"0",
                b"1.5",
                b"nan",
                b"-inf",
                b"9" * 5_000,
                b"1979-05-27T07:32:00Z",
                b"[]",
                b"{}",
            ]
            lines[at] = name + b"= " + rng.choice(simple)
    return b"\n".join(lines)


def xml(data: bytes, rng: Random) -> bytes:
    """Change a tag, one of its attributes, or the text behind it."""
    tags = list(re.finditer(rb"<[^<>]*>", data))
    if not tags:
        return rng.choice(BYTES)(data, rng) if data else b"<a>"
    tag = rng.choice(tags)
    text = tag.group()
    pool = (b"", b"-1", b"0", b"1048577", b"9" * 30, b"XFD1048576", b"A0", b"AAAA1", b"1e308", b"s", b"e", b"inlineStr",
            b"\xff", b"&#0;", b"rId1", b"../../x", b"B2", b"A1:XFD1048576", b"d", b"preserve")  # fmt: skip
    match rng.randrange(7):
        case 0 | 1:
            attributes = list(re.finditer(rb'([\w:]+)="([^"]*)"', text))
            if attributes:
                found = rng.choice(attributes)
                new = b"" if rng.random() < 0.3 else found[1] + b'="' + rng.choice(pool) + b'"'
                text = text[: found.start()] + new + text[found.end() :]
            else:
                text = text[:-1] + b" r=" + rng.choice([b'"', b"'", b""]) + rng.choice(pool) + b'">'
        case 2:
            text = b""
        case 3:
            text *= rng.choice([2, 3, 500])
        case 4:
            text = text.replace(b"<", rng.choice([b"<x", b"</", b"<!--", b"<![CDATA[", b"<a:"]))
        case 5:
            other = rng.choice(tags).group()
            text = other
        case _:
            end = data.find(b"<", tag.end())
            return data[: tag.end()] + rng.choice((*pool, *TEXTS)) + data[max(end, tag.end()) :]
    return data[: tag.start()] + text + data[tag.end() :]


def zipped(inside: Sequence[Mutation]) -> Mutation:
    """Return a mutation of the members of an archive, which stays one; or of what it says of them."""

    def mutate(data: bytes, rng: Random) -> bytes:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(member.filename, archive.read(member)) for member in archive.infolist()]
        for _ in range(rng.choice([1, 1, 1, 3])):
            at = rng.randrange(len(members))
            name, content = members[at]
            match rng.randrange(40):
                case 0:
                    members.append(members[at])
                case 1:
                    members.pop(at)
                    members = members or [(name, b"")]
                case 2:
                    members[at] = (rng.choice([name.upper(), "xl/" + name, name + "x", "../" + name, "é"]), content)
                case 3:
                    members[at] = (name, rng.choice(members)[1])
                case _:
                    members[at] = (name, rng.choice(inside)(content, rng) if content else b"x")
        out = io.BytesIO()
        method = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
        names: set[str] = set()
        with zipfile.ZipFile(out, "w", method) as archive:
            for name, content in members:
                # A name twice is a warning of the writer.
                archive.writestr(name + "_" if name in names else name, content)
                names.add(name)
        changed = out.getvalue()
        if rng.random() < 0.15:
            directory = changed.rfind(b"PK\x01\x02")
            changed = changed[:directory] + rng.choice((flip, number))(changed[directory:], rng)
        return changed

    return mutate


def gzipped(inside: Sequence[Mutation]) -> Mutation:
    """Return a mutation of what is compressed; or of what stands around it."""

    def mutate(data: bytes, rng: Random) -> bytes:
        content = rng.choice(inside)(gzip.decompress(data), rng)
        match rng.randrange(6):
            case 0:
                worker = zlib.compressobj(9, zlib.DEFLATED, 31)
                return worker.compress(content) + rng.choice([worker.flush(zlib.Z_SYNC_FLUSH), worker.flush()])
            case 1:
                return data + gzip.compress(content, mtime=0)
            case 2:
                packed = gzip.compress(content, mtime=0)
                return packed[:-8] + struct.pack("<II", rng.getrandbits(32), rng.choice(NUMBERS) % 2**32)
            case 3:
                # A header with all that it may hold: more fields, a name, a comment, a sum.
                return b"\x1f\x8b\x08" + bytes([rng.randrange(256)]) + flip(data[4:], rng)
            case _:
                return gzip.compress(content, mtime=0) + rng.choice([b"", bytes(rng.randrange(9)), b"x"])

    return mutate


def footer(data: bytes, rng: Random) -> bytes:
    """Change what a Parquet file says of itself, with a length that fits, or the length."""
    size = int.from_bytes(data[-8:-4], "little")
    body, said = data[: -8 - size], data[-8 - size : -8]
    if rng.random() < 0.1:
        return body + said + struct.pack("<I", rng.choice(NUMBERS) % 2**32) + b"PAR1"
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        said = rng.choice((nudge, nudge, nudge, flip, number, leave_out, overwrite, double, insert))(said, rng) or b"\0"
    return body + said + struct.pack("<I", len(said)) + b"PAR1"


def pages(data: bytes, rng: Random) -> bytes:
    """Change rows of a Parquet file and leave what it says of itself."""
    size = int.from_bytes(data[-8:-4], "little") + 8
    at = rng.randrange(4, len(data) - size)
    part = data[at : len(data) - size][: rng.choice([2, 20, 500])]
    changed = rng.choice((nudge, flip, number, overwrite))(part, rng)[: len(part)]
    return data[:at] + changed.ljust(len(part), b"\0") + data[at + len(part) :]


def sqlite_page(data: bytes, rng: Random) -> bytes:
    """Change what an SQLite file says of itself, of a page, or in the statement that made a table."""
    size = int.from_bytes(data[16:18], "big")
    match rng.randrange(4):
        case 0:
            at = rng.choice([16, 17, 18, 19, 20, 28, 31, 44, 47, 52, 56, 59, 92, 96])
        case 1:
            at = rng.randrange(len(data) // size) * size + rng.randrange(12)
            at += 100 if at < 100 else 0
        case 2:
            at = data.find(b"CREATE TABLE") + rng.randrange(120)
        case _:
            # The start of a cell: its length, its row, the kinds of its values.
            at = rng.randrange(100, len(data))
    new = rng.choice([bytes([rng.randrange(256)]), b"\xff" * rng.randint(1, 9), b"\0", rng.choice(TEXTS)[:20]])
    return data[:at] + new + data[at + len(new) :]


def duckdb_block(block: int) -> Mutation:
    """Return a mutation of a DuckDB file of such blocks, whose sums are made right again."""

    def mutate(data: bytes, rng: Random) -> bytes:
        at, size = rng.choice([(0, 4096), (4096, 4096), (8192, 4096), *[(0, 0)] * 6])
        if not size:
            size = block
            at = 12288 + block * rng.randrange((len(data) - 12288) // block)
        part = data[at + 8 : at + size]
        used = len(part.rstrip(b"\0")) or 1
        changed = rng.choice((nudge, nudge, flip, number, overwrite, swap))(part[:used], rng)[: len(part)].ljust(
            len(part), b"\0"
        )
        return data[:at] + struct.pack("<Q", duckdb_sum(changed)) + changed + data[at + size :]

    return mutate


def duckdb_sum(content: bytes) -> int:
    """Return the sum that DuckDB writes before a block."""
    words = np.frombuffer(content, dtype="<u8")
    with np.errstate(over="ignore"):
        return int(np.bitwise_xor.reduce(words * np.uint64(0xBF58476D1CE4E5B9)) ^ np.uint64(5381))


def _block(data: bytes, rng: Random, most: int | None = None) -> tuple[int, int]:
    start = rng.randrange(len(data))
    length = rng.randint(1, most or rng.choice([3, 30, 300, max(len(data) // 2, 1)]))
    return start, min(start + length, len(data))
