"""Options of a command, made from the fields of the parts of a plan that they fill."""

from __future__ import annotations

import argparse
import math
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar, get_args, get_origin

from fairaudit.cli.answers import Format
from fairaudit.cli.terminal import readable
from fairaudit.measure.vocabulary import hint_on, read_word
from fairaudit.plan.fields import FieldShape
from fairaudit.plan.parts import Part

if TYPE_CHECKING:
    from fairaudit.sections.section import Fails

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
        choices = get_args(shape.kind)
        options.add_argument(*names, choices=choices, type=lambda text: _choice(text, choices), **settings)
    else:
        options.add_argument(*names, type=reader(shape), metavar=metavar, **settings)


def _choice(text: str, choices: Sequence[str]) -> str:
    """Return one of some words; that of another package is refused with ours."""
    found = read_word(text, choices)
    if found not in choices and (hint := hint_on(found, choices)) is not None:
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(choices)}, got {text!r}. {hint}")
    return found


Asked = TypeVar("Asked", bound=Part)


def part_of(options: Namespace, part: type[Asked], **given: object) -> Asked:
    """Return the part of a plan that the options fill, with what is given besides; the rest is as usual."""
    own = [name for name, field in part.model_fields.items() if not _is_part(FieldShape.of(field).kind)]
    filled = {name: value for name in own if (value := getattr(options, name, None)) not in (None, [])}
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in filled.items()}
    return part(**values | given)


def _is_part(kind: object) -> bool:
    """Say whether a field holds a part of its own, which no option fills: one of that name is of another part."""
    return isinstance(kind, type) and issubclass(kind, Part)


def add_output(options: OptionGroup) -> None:
    """Add what all commands that ask take: how the answer is printed, and the audit to be saved."""
    add_format(options, *get_args(Format))
    options.add_argument("--save-plan", type=Path, metavar="FILE", help="save the audit, which `run` repeats")


def add_format(options: OptionGroup, *formats: Format) -> None:
    """Add how an answer is printed."""
    options.add_argument(
        "--format", choices=formats, default="text",
        help="print the answer as lines, or for machines: JSON, or JUnit and SARIF for continuous integration (default "
        "text)",
    )  # fmt: skip
    if "json" in formats:
        said = "print the result as JSON: --format json"
        options.add_argument("--json", action="store_const", const="json", dest="format", help=said)


def add_fail_on(options: OptionGroup, fails: Fails) -> None:
    """Add the verdicts that a command fails on, with an exit code of their own."""
    words = fails.verdicts

    def read(text: str) -> tuple[str, ...]:
        names = tuple(name.strip() for name in text.split(","))
        # A gap of unclear size is the lesser one.
        if not set(names) <= set(words) or ("gap_size_unclear" in names and "clear_gap" not in names):
            raise argparse.ArgumentTypeError(f"must be {words[0]}, or several of {','.join(words)}, got {text!r}")
        return names

    options.add_argument(
        "--fail-on", type=read, metavar="VERDICT,...", help=f"exit with 3 on {fails.meaning}: {', '.join(words)}"
    )


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
