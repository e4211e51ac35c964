"""How `pytest -n` hands tests out to its workers: file by file, from the first to the last."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

# Folders whose tests share servers or audits that take seconds, and how many workers start them. Stories in the browser
# mostly wait: one worker alone would still run them when the others have ended, and more would starve each other.
SHARING = {"tests/browser": 2, "tests/data/engines": 1, "tests/golden": 1}


class ByFile(LoadScopeScheduling):
    """Gives a file to one worker, which makes once what its tests share; and so with a folder that shares servers."""

    def __init__(self, config, log) -> None:
        super().__init__(config, log)
        self._worker_of: dict[str, dict[str, int]] = {folder: {} for folder in SHARING}

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::")[0]
        folder = path.rpartition("/")[0]
        if folder not in SHARING:
            return path
        files = self._worker_of[folder]
        return f"{folder} {files.setdefault(path, len(files) % SHARING[folder])}"
