"""Options of a command, made from the fields of the parts of a plan that they fill."""

from __future__ import annotations

import argparse
import math
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeVar, get_args, get_origin

from fairaudit.cli.terminal import readable
from fairaudit.plan.fields import FieldShape
from fairaudit.plan.parts import Part

MANY: Final[dict[str, Any]] = {"action": "append", "default": [], "type": readable}
"""What makes an option that may be repeated."""

COLUMNS: Final = MANY | {"metavar": "COL"}
"""The same of columns."""


class OptionGroup(Protocol):
    """A parser, or a group of its options."""

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """Add an option."""
        ...


def reader(shape: FieldShape) -> Callable[[str], Any]:
    """Return what reads a value of a field from its text, and refuses one beyond the limits."""
    if shape.kind is int:
        return lambda text: _within(int(text) if text.isdecimal() else math.nan, text, shape, "a whole number")
    if shape.kind is float:
        return lambda text: _within(_float(text), text, shape, "a number")
    return filled if shape.is_required else readable


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number within limits."""
    return reader(FieldShape(int, least=least, most=most))


def share(least: float = 0, most: float = 1) -> Callable[[str], float]:
    """Return what reads a number between two others."""
    return reader(FieldShape(float, least=least, most=most))


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _within(value: Any, text: str, shape: FieldShape, what: str) -> Any:
    """Return a value if it is finite and within the limits of its field."""
    low = shape.above if shape.least is None else shape.least
    high = shape.below if shape.most is None else shape.most
    is_within = (low is None or value >= low) and (high is None or value <= high)
    if math.isfinite(value) and is_within and value not in (shape.above, shape.below):
        return value
    rule = "" if low is None else f" of at least {low:g}" if shape.above is None else f" above {low:g}"
    rule = rule if high is None else f" between {low or 0:g} and {high:g}"
    raise argparse.ArgumentTypeError(f"must be {what}{rule}, got {text!r}")


def add_field(
    options: OptionGroup, part: type[Part], name: str, metavar: str, *, flag: str | None = None, help: str | None = None
) -> None:
    """Add the option that fills a field: its limits, choices, default and meaning are those of the field."""
    field = part.model_fields[name]
    shape = FieldShape.of(field)
    said = help or field.description or ""
    names = [flag or f"--{name.replace('_', '-')}"]
    said = said[:1].lower() + said[1:].removesuffix(".")
    settings: dict[str, Any] = {"dest": name, "help": said.replace("%", "%%")}
    if shape.kind is bool:
        options.add_argument(*names, action="store_true", default=None, **settings)
        return
    settings |= {"required": shape.is_required, "default": None}
    if shape.is_list:
        settings |= {"action": "append", "default": []}
        settings["help"] += "; may be repeated"
    elif isinstance(field.default, int | float | str):
        settings["help"] += f" (default {field.default})"
    if get_origin(shape.kind) is Literal:
        options.add_argument(*names, choices=get_args(shape.kind), **settings)
    else:
        options.add_argument(*names, type=reader(shape), metavar=metavar, **settings)


Asked = TypeVar("Asked", bound=Part)


def part_of(options: Namespace, part: type[Asked], **given: object) -> Asked:
    """Return the part of a plan that the options fill, with what is given besides; the rest is as usual."""
    filled = {name: value for name in part.model_fields if (value := getattr(options, name, None)) not in (None, [])}
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in filled.items()}
    return part(**values | given)


def add_output(options: OptionGroup) -> None:
    """Add what all commands that ask take: JSON, and the audit to be saved."""
    options.add_argument("--json", action="store_true", help="print the result as JSON")
    options.add_argument("--save-plan", type=Path, metavar="FILE", help="save the audit, which `run` repeats")


# Verdicts that end a command with an exit code of their own.

VERDICTS = ("clear_gap", "gap_size_unclear")
"""What a command can exit with 3 on: the first, or both."""


def add_fail_on(
    options: OptionGroup,
    verdicts: tuple[str, ...] = VERDICTS,
    *,
    help: str = "exit with 3 on a clear gap, where all that fits is beyond the tolerance, and if asked also on a gap "
    "whose size is unclear; one that is gone within the strata is none",
) -> None:
    """Add the verdicts that a command fails on: the first, or several."""
    options.add_argument("--fail-on", type=_verdicts(verdicts), metavar=",".join(verdicts), help=help)


def _verdicts(known: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        names = tuple(name.strip() for name in text.split(","))
        if known[0] not in names or not set(names) <= set(known):
            raise argparse.ArgumentTypeError(f"must be {known[0]} or {','.join(known)}, got {text!r}")
        return names

    return read


def add_published(options: OptionGroup) -> None:
    """Add the reports that small counts are hidden beside."""
    options.add_argument(
        "--published",
        **MANY | {"type": path},
        metavar="FOLDER",
        help="a report on the same data that was published before, with small counts hidden: nothing then follows "
        "from both together; may be repeated",
    )


def filled(text: str) -> str:
    """Return a text that is not blank."""
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty")
    return readable(text)


def path(text: str) -> Path:
    """Return a path, from home where it begins so."""
    return Path(filled(text)).expanduser()
