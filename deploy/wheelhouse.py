"""Finish a wheelhouse: `wheelhouse.py FOLDER LOCK` adds the project's own wheel to the lock, README and checksums."""

from __future__ import annotations

import hashlib
import platform
import sys
from pathlib import Path
from string import Template


def finish(folder: Path, lock: Path) -> None:
    """Write `fairaudit.lock`, `README.md` and `SHA256SUMS` into a folder that holds all wheels."""
    (own,) = folder.glob("fairaudit-*.whl")
    version = own.name.split("-")[1]
    pinned = f"fairaudit=={version} --hash=sha256:{_sha256(own)}\n"
    (folder / "fairaudit.lock").write_text(lock.read_text(encoding="utf-8") + pinned, encoding="utf-8")
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    system = f"{platform.system()}, {platform.machine()}"
    readme = Template(Path(__file__).with_suffix(".md").read_text(encoding="utf-8"))
    said = readme.substitute(version=version, python=python, system=system)
    (folder / "README.md").write_text(said, encoding="utf-8")
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    sums = "".join(f"{_sha256(path)}  {path.name}\n" for path in files)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    size = sum(path.stat().st_size for path in files) / 1e6
    sys.stdout.write(f"{folder} holds {len(files)} files, {size:.0f} MB; its README.md says how to install from it.\n")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    finish(Path(sys.argv[1]), Path(sys.argv[2]))
