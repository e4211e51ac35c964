"""The image of the container: built and run as its file says, where an engine answers."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
import urllib.request

import pytest
from places import ROOT
from serving import free_port


def engine() -> str:
    """Return the engine that answers here; skip the test where none does."""
    for name in ("podman", "docker"):
        if shutil.which(name) and not subprocess.run([name, "info"], capture_output=True, check=False).returncode:
            return name
    pytest.skip("neither podman nor docker answers here")


def test_the_image_serves_with_no_rights_and_nothing_to_write_to():
    name, port = engine(), free_port()
    subprocess.run(["make", "image"], cwd=ROOT, check=True, capture_output=True)
    head = (ROOT / "Containerfile").read_text(encoding="utf-8")
    shown = re.search(r"^#   podman run (.*) fairaudit$", head, re.MULTILINE)[1].split()
    options = [f"127.0.0.1:{port}:8501" if each == "127.0.0.1:8501:8501" else each for each in shown]
    command = [name, "run", "--detach", "--rm", *options, "--env", "FAIRAUDIT_TOKEN=of-the-test", "fairaudit"]
    container = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    try:
        until = time.monotonic() + 60
        while True:
            try:
                with browser.open(f"http://127.0.0.1:{port}/?token=of-the-test", timeout=5) as answer:
                    assert answer.status == 200
                break
            except OSError:
                assert time.monotonic() < until
                time.sleep(0.5)
        inside = subprocess.run([name, "exec", container, "id", "-u"], check=True, capture_output=True, text=True)
        assert inside.stdout.strip() == "10001"
        made = subprocess.run([name, "exec", container, "touch", "/opt/fairaudit/x"], capture_output=True, check=False)
        assert made.returncode
    finally:
        subprocess.run([name, "kill", container], check=False, capture_output=True)
