"""Texts that are freed are written over at once, whoever had them: Python, pandas, Arrow or DuckDB."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from places import ROOT
from scanning import parts_of

from ui.runtime import freed_memory

WORK = """
import secrets, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from ui.runtime.freed_memory import give_back, is_written_over, write_over_what_is_freed
write_over_what_is_freed()
import numpy as np
import pandas as pd
from fairaudit import Table

def work():
    texts = ["Zq" + secrets.token_hex(11) for _ in range(2_000)]
    Path("texts").write_text(" ".join(texts))
    table = Table.from_pandas(pd.DataFrame({{"a": texts}}))
    assert table.count("a <> 'b'") == len(table.to_pandas())
    return table, np.array(texts)

kept = work()
print(is_written_over(), flush=True)
sys.stdin.readline()
del kept
give_back()
print("dropped", flush=True)
sys.stdin.readline()
"""

SAYS = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from ui.runtime.freed_memory import is_written_over, write_over_what_is_freed
write_over_what_is_freed()
print(is_written_over())
"""


@pytest.mark.skipif(not freed_memory._of_linux("malloc_trim"), reason="another C library")
@pytest.mark.parametrize(("options", "said"), [((), "True"), (("-E",), "False")])
def test_the_app_says_what_the_memory_of_its_process_does(options, said):
    # With this option Python reads no variables, so it keeps what is freed as it was.
    done = subprocess.run([sys.executable, *options, "-c", SAYS], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said
    assert ("What is freed stays" in done.stderr) == (said == "False")


@pytest.mark.skipif(not freed_memory._of_linux("malloc_trim"), reason="another C library")
def test_no_text_that_was_freed_is_left(tmp_path):
    def n_held() -> int:
        found = (re.findall(rb"Zq[0-9a-f]{22}", content) for _, _, content in parts_of(process.pid))
        return len(texts.intersection(set().union(*found)))

    command = [sys.executable, "-c", WORK.format(root=str(ROOT))]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "True\n"
        texts = {text.encode() for text in (tmp_path / "texts").read_text(encoding="ascii").split()}
        assert n_held() == len(texts), "the scan finds what is there"
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "dropped\n"
        assert n_held() == 0
        process.stdin.write("\n")
