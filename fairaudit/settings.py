"""What whoever serves the app can set: options, variables, keys of the config file, help and manual follow from here.

Each setting is known under one name: ``hold-minutes`` is the option ``--hold-minutes``, the variable
``FAIRAUDIT_HOLD_MINUTES`` and the key ``hold-minutes``. ``serve`` hands all of them on as variables, and the app reads
those alone, so it does not matter how it was started.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from fairaudit.errors import InputError, near_names, quote

Value = TypeVar("Value")

SHORTEST_SECRET = 16
"""Characters of a secret that nobody is to guess, at least."""

BYTES = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
"""Of a unit of memory."""


@dataclass(frozen=True, kw_only=True)
class Setting(Generic[Value]):
    """One setting.

    Parameters
    ----------
    name : str
        As the config file calls it.
    metavar : str
        What stands for its value in the help.
    meaning, usual : str
        What it does, and what is so where nobody sets it.
    rule, remedy : str
        What its value must do ("name a folder"), and what to do where it does not.
    read : callable
        Returns the value of a text; raises ValueError where that breaks the rule.
    kind : {"text", "path", "flag", "secret"}
        A secret has no option: everybody on a machine can read the options of a program.
    """

    name: str
    metavar: str
    meaning: str
    usual: str
    rule: str
    remedy: str
    read: Callable[[str], Value]
    kind: Literal["text", "path", "flag", "secret"] = "text"
    may_be_empty: bool = False

    @property
    def option(self) -> str:
        """The option of ``serve``; a secret has none."""
        return "" if self.kind == "secret" else f"--{self.name}"

    @property
    def variable(self) -> str:
        """The variable of the environment."""
        return f"FAIRAUDIT_{self.name.replace('-', '_').upper()}"

    @property
    def text(self) -> str | None:
        """What the environment says; None where that is nothing."""
        said = os.environ.get(self.variable)
        if said is None or (not said.strip() and not self.may_be_empty):
            return None
        return said.strip() if self.kind != "secret" else said

    @property
    def value(self) -> Value | None:
        """The value that the environment names; None where it names none.

        Raises
        ------
        InputError
            If it breaks the rule.
        """
        return None if self.text is None else self.value_of(self.text, self.variable)

    def resolved(self, text: str, beside: Path = Path()) -> str:
        """Return a text as it is handed on: a path in full, from a folder."""
        return str((beside / Path(text).expanduser()).resolve()) if self.kind == "path" and text.strip() else text

    def value_of(self, text: str, said_by: str, *, beside: Path = Path()) -> Value:
        """Return the value of a text; `said_by` names the option, variable or key that holds it."""
        try:
            return self.read(self.resolved(text, beside))
        except (ValueError, OSError, OverflowError, RuntimeError):
            got = f"{len(text)}" if self.kind == "secret" else quote(text)
            raise InputError(f"{said_by} must {self.rule}, got {got}.", hint=self.remedy) from None


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text) < least or (most is not None and int(text) > most):
            raise ValueError
        return int(text)

    return read


def _minutes(text: str) -> float:
    if not (text.isascii() and text.replace(".", "", 1).isdigit()) or not math.isfinite(float(text)):
        raise ValueError
    return float(text)


def _size(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(KB|MB|GB|)", text.upper(), re.ASCII)
    size = int(float(found[1]) * BYTES[found[2]]) if found else 0
    if not size:
        raise ValueError
    return size


def _folder(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.is_dir():
        raise ValueError
    return path


def _file(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.is_file():
        raise ValueError
    return path


def _log(text: str) -> Path:
    path = Path(text).expanduser()
    written = path if path.exists() else path.parent
    if path.is_dir() or not path.parent.is_dir() or not os.access(written, os.W_OK):
        raise ValueError
    return path


def _flag(text: str) -> bool:
    return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[_known(text.lower())]


def _known(text: str) -> str:
    if text not in ("yes", "true", "1", "no", "false", "0"):
        raise ValueError
    return text


_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_NAME = re.compile(rf"\*|(?:\*\.)?{_LABEL}(?:\.{_LABEL})*|[0-9a-f]*:[0-9a-f:.]*", re.ASCII)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.lower().strip("[]").rstrip(".") for name in re.split(r"[\s,]+", text) if name)
    if not names or not all(map(_NAME.fullmatch, names)):
        raise ValueError
    return names


def _base_path(text: str) -> str:
    path = text.strip("/")
    if path.startswith("_stcore"):
        raise ValueError
    if not re.fullmatch(r"[A-Za-z0-9~_-][A-Za-z0-9.~_-]*(?:/[A-Za-z0-9~_-][A-Za-z0-9.~_-]*)*", path, re.ASCII):
        raise ValueError
    return path


_NO_NAME = ("host", "cookie", "origin", "authorization", "proxy-authorization")
"""Headers that name nobody, or hold a secret that would stand in the log."""


def _header(text: str) -> str:
    name = text.lower()
    if not re.fullmatch(r"[a-z0-9-]+", name, re.ASCII) or name in _NO_NAME or name.startswith("x-fairaudit-"):
        raise ValueError
    return name


def _secret(text: str) -> str:
    if len(text) < SHORTEST_SECRET or not text.isascii() or not text.isprintable() or text != text.strip():
        raise ValueError
    return text


def _long(text: str) -> str:
    if len(text) < SHORTEST_SECRET:
        raise ValueError
    return text


def _address(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9.:%_-]+", text, re.ASCII):
        raise ValueError
    return text


def _place(text: str) -> tuple[str, int]:
    address, _, port = text.rpartition(":")
    return _address(address.strip("[]")) if address else "127.0.0.1", _whole(1, 65535)(port)


CONFIG: Setting[Path] = Setting(
    name="config", metavar="FILE", kind="path", read=_file,
    meaning="take settings from this TOML file; its keys are called as the options are",
    usual="none", rule="name a file", remedy="Write the file, or leave this out.",
)  # fmt: skip
PORT: Setting[int] = Setting(
    name="port", metavar="N", read=_whole(1, 65535),
    meaning="listen on this port", usual="8501, or the next that is free",
    rule="be a whole number between 1 and 65535", remedy="Name a port that is free, such as 8600.",
)  # fmt: skip
ADDRESS: Setting[str] = Setting(
    name="address", metavar="ADDRESS", read=_address,
    meaning="listen at this address; 0.0.0.0 lets other machines in", usual="localhost: this machine alone",
    rule="be an address of this machine", remedy="Leave it out, or name one such as 127.0.0.1 or 0.0.0.0.",
)  # fmt: skip
HEADLESS: Setting[bool] = Setting(
    name="headless", metavar="yes|no", kind="flag", read=_flag,
    meaning="open no browser at the start", usual="no: the browser opens",
    rule="be yes or no", remedy="Say yes on a server, where nobody sits.",
)  # fmt: skip
ALLOWED_HOSTS: Setting[tuple[str, ...]] = Setting(
    name="allowed-hosts", metavar="NAME,...", read=_names,
    meaning="answer to these host names, as browsers call the server; *.example.org stands for all below it",
    usual="localhost alone",
    rule="be host names with commas between, without https:// and without a port",
    remedy="Write the name alone, such as audit.example.org.",
)  # fmt: skip
BASE_PATH: Setting[str] = Setting(
    name="base-path", metavar="PATH", read=_base_path,
    meaning="serve the app below this path, such as /fairness", usual="none: at the top",
    rule="be a path of letters, digits and dashes", remedy="Write it as browsers show it, such as /fairness.",
)  # fmt: skip
PROXY_SECRET: Setting[str] = Setting(
    name="proxy-secret", metavar="SECRET", kind="secret", read=_secret,
    meaning="answer only to the server in front, which sends this in the header X-Fairaudit-Proxy; "
    "its other headers are then believed",
    usual="none: no header is believed",
    rule=f"have at least {SHORTEST_SECRET} characters, letters and digits",
    remedy="Make one with: openssl rand -hex 32",
)  # fmt: skip
USER_HEADER: Setting[str] = Setting(
    name="user-header", metavar="NAME", read=_header,
    meaning="take who is signed on from this header of the server in front; needs proxy-secret", usual="none",
    rule="be the name of a header that holds no secret",
    remedy="Name the one that the server in front sets, such as X-Remote-User.",
)  # fmt: skip
TOKEN: Setting[str] = Setting(
    name="token", metavar="TOKEN", kind="secret", read=str, may_be_empty=True,
    meaning="what other machines must bring where no server stands in front; empty: nothing",
    usual="made anew at each start", rule="be a text", remedy="Leave it out: each start makes one.",
)  # fmt: skip
DATA_DIR: Setting[Path] = Setting(
    name="data-dir", metavar="DIR", kind="path", read=_folder,
    meaning="offer the CSV and Parquet files in this folder; they are read in place", usual="none",
    rule="name a folder", remedy="Make the folder, or name another.",
)  # fmt: skip
CONNECTIONS: Setting[Path] = Setting(
    name="connections", metavar="FILE", kind="path", read=_file,
    meaning="offer the databases that this file of connections names", usual="none",
    rule="name a file", remedy="Write the file, or name another.",
)  # fmt: skip
PRESETS: Setting[Path] = Setting(
    name="presets", metavar="DIR", kind="path", read=_folder,
    meaning="offer the office's own forms in this folder", usual="none",
    rule="name a folder", remedy="Make the folder, or name another.",
)  # fmt: skip
SALT: Setting[str] = Setting(
    name="salt", metavar="SALT", kind="secret", read=_long,
    meaning="a secret of the office, for the fingerprint beside hidden counts", usual="none: no fingerprint there",
    rule=f"have at least {SHORTEST_SECRET} characters", remedy="A short one can be guessed.",
)  # fmt: skip
FITS_AT_ONCE: Setting[int] = Setting(
    name="fits-at-once", metavar="N", read=_whole(1),
    meaning="make so many fits at once", usual="one fewer than there are processors, at least one",
    rule="be a whole number of at least 1", remedy="Count one processor for pages, and one for each fit.",
)  # fmt: skip
MEMORY: Setting[int] = Setting(
    name="memory", metavar="SIZE", read=_size,
    meaning="let the server and its processes for files, charts, fits and reports take so much memory, such as 6GB",
    usual="four fifths of what the machine or its container has",
    rule="be a size such as 6GB or 800MB", remedy="Write a number and KB, MB or GB.",
)  # fmt: skip
HOLD_MINUTES: Setting[float] = Setting(
    name="hold-minutes", metavar="N", read=_minutes,
    meaning="hold an audit that no page shows any more for so many minutes; 0: not at all", usual="15",
    rule="be a number of minutes, such as 15, or 0", remedy="Leave it out for 15 minutes.",
)  # fmt: skip

LOG: Setting[Path] = Setting(
    name="log", metavar="FILE", kind="path", read=_log,
    meaning="write who came when, what kind of work they did and how long it took into this file, a new one each day",
    usual="none: nothing is logged", rule="name a file in a folder that can be written to",
    remedy="Make the folder, and let the user of the server write there.",
)  # fmt: skip
LOG_DAYS: Setting[int] = Setting(
    name="log-days", metavar="N", read=_whole(1),
    meaning="keep the log for so many days", usual="90",
    rule="be a whole number of at least 1", remedy="Leave it out for 90 days.",
)  # fmt: skip
METRICS: Setting[tuple[str, int]] = Setting(
    name="metrics", metavar="[ADDRESS:]PORT", read=_place,
    meaning="answer Prometheus on this port, by itself of this machine alone", usual="none: nothing is counted",
    rule="be a port, or an address and a port", remedy="Name one that is free, such as 9100 or 127.0.0.1:9100.",
)  # fmt: skip

SETTINGS: tuple[Setting[Any], ...] = (
    CONFIG, PORT, ADDRESS, HEADLESS, ALLOWED_HOSTS, BASE_PATH, PROXY_SECRET, USER_HEADER, TOKEN,
    DATA_DIR, CONNECTIONS, PRESETS, SALT, FITS_AT_ONCE, MEMORY, HOLD_MINUTES, LOG, LOG_DAYS, METRICS,
)  # fmt: skip
"""All of them, in the order of help and manual."""


def take(given: Mapping[str, str | None]) -> None:
    """Write all settings into the environment: what is given by name wins over what is there, and that over the file.

    Raises
    ------
    InputError
        If one breaks its rule or lacks another one; the first is named as the person wrote it.
    """
    config = given.get(CONFIG.name) or CONFIG.text
    path = None if config is None else CONFIG.value_of(config, _named(CONFIG, given)).resolve()
    written = {} if path is None else _keys(path)
    for setting in SETTINGS:
        text, said_by, beside = given.get(setting.name), setting.option, Path()
        if text is None and setting.text is not None:
            text, said_by = setting.text, setting.variable
        elif text is None and path is not None and setting.name in written:
            text, beside = _as_text(written[setting.name]), path.parent
            said_by = f"{quote(setting.name)} in {quote(path.name)}"
        elif text is not None:
            said_by = quote(setting.option)
        if text is None:
            continue
        setting.value_of(text, said_by, beside=beside)
        os.environ[setting.variable] = setting.resolved(text, beside)
    check()


def check() -> None:
    """Refuse settings in the environment that break a rule, or lack another one."""
    values = {setting: setting.value for setting in SETTINGS}
    if values[USER_HEADER] and not values[PROXY_SECRET]:
        raise InputError(
            f"{quote(USER_HEADER.name)} needs a {quote(PROXY_SECRET.name)}, as anybody could send that header.",
            hint=f"Set {PROXY_SECRET.variable}, and have the server in front send it as X-Fairaudit-Proxy.",
        )
    metrics = values[METRICS]
    if metrics and metrics[1] == values[PORT]:
        raise InputError(f"{quote(METRICS.name)} must be another port than {quote(PORT.name)}.", hint=METRICS.remedy)


def _named(setting: Setting[Any], given: Mapping[str, str | None]) -> str:
    return quote(setting.option) if given.get(setting.name) else setting.variable


def _keys(path: Path) -> dict[str, Any]:
    """Return what a config file says; a key that is no setting is refused, with the one that it is near to."""
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(
            f"The config file {quote(path.name)} cannot be read: {error}.", hint="A line is like: port = 8600"
        ) from None
    known = [setting.name for setting in SETTINGS if setting is not CONFIG]
    for key in written:
        if key not in known:
            raise InputError(f"{quote(key)} in {quote(path.name)} is no setting.", hint=near_names(key, known))
    return written


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
